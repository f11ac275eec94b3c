"""``spanwise lab``: experiments with measures, each in the module of its name."""

from __future__ import annotations

import click

from spanwise.cli.commands import Commands

EXPERIMENTS = {
    "fidelity": "Do measures order simulated runs as they should? (20 runs, 36 orderings)",
    "insertion": "The cost of irrelevant answers, by where they come",
    "assessors": "Would another assessor change the ranking?",
    "topics": "How often would other topics reverse the verdict?",
    "correlation": "Do measures rank runs alike?",
    "baseline": "Do runs gain from returning parts rather than whole documents?",
    "power": "Count the pairs of runs that a measure separates",
    "all": "All of these, and which measures pass (--demo: on a synthetic collection)",
}
"""Each experiment lives in the module of its name in this package."""


@click.group(
    cls=Commands,
    package="spanwise.cli.lab",
    described=EXPERIMENTS,
    functions={"all": "all_experiments"},
)
def lab() -> None:
    """Test measures: do they measure what they should, can their verdicts be trusted?

    \b
    Examples:
      spanwise lab fidelity qrels.jsonl --collection articles -m AgP -m AP
      spanwise lab topics qrels.jsonl runs/* -m AgP
      spanwise lab all --demo --to lab.html
    """  # noqa: D301
