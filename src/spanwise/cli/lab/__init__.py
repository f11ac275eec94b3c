"""``spanwise lab``: experiments with measures, each in the module of its name."""

from __future__ import annotations

import click

from spanwise.cli.commands import Commands

EXPERIMENTS = {
    "fidelity": "Do measures order simulated runs as they should? (20 runs, 36 orderings)",
    "insertion": "What do answers that are not relevant cost, and where?",
    "assessors": "Does the ranking of runs stand if somebody else had assessed?",
    "topics": "How often would other topics turn a verdict round?",
    "correlation": "Do measures rank runs alike?",
    "baseline": "Do runs gain from returning parts rather than whole documents?",
    "power": "How many pairs of runs does a measure tell apart?",
    "all": "All of these, and a verdict about each measure (--demo: on a synthetic collection)",
}
"""Each experiment lives in the module of its name in this package."""


@click.group(
    cls=Commands,
    package="spanwise.cli.lab",
    described=EXPERIMENTS,
    functions={"all": "all_experiments"},
)
def lab() -> None:
    """Put measures to the test: do they measure what they should, can they be trusted?

    \b
    Examples:
      spanwise lab fidelity qrels.jsonl --collection articles -m AgP -m AP
      spanwise lab topics qrels.jsonl runs/* -m AgP
      spanwise lab all --demo --to lab.html
    """  # noqa: D301
