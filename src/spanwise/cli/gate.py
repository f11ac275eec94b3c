"""``spanwise gate``: a run that has to keep some rules, for continuous integration."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from spanwise.cli.options import input_options, shared_options
from spanwise.cli.procedure import procedure_of, procedure_options
from spanwise.cli.scoring import apart, notes_of, refuse_twice, say, scores_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from spanwise.evaluation.scores import Scores
    from spanwise.formats.destination import Destination
    from spanwise.statistics.gate import Verdict
    from spanwise.statistics.gate_rules import Rule
    from spanwise.statistics.procedure import Procedure

FAILED = 1

EXAMPLES = """\b
Examples:
  spanwise gate qrels.jsonl new.jsonl --baseline old.jsonl --fail-if 'AgP < -0.01'
  spanwise gate qrels.jsonl new.jsonl --require 'AgP >= 0.4' --require 'textR@5 >= 0.6'
  spanwise gate qrels.jsonl new.jsonl --baseline old.jsonl --fail-if 'rag significantly worse'
  spanwise gate qrels.jsonl new.jsonl --baseline old.jsonl --fail-if 'AgP < 0' --junit gate.xml
"""


@click.command(epilog=EXAMPLES)
@click.argument("assessments")
@click.argument("run")
@click.option("--baseline", metavar="RUN", help="The file of the run that must be matched.")
@click.option(
    "--fail-if",
    multiple=True,
    metavar="RULE",
    help="'AgP < -0.01' fails if the run is worse than the baseline by more than 0.01; without a"
    " baseline, or as 'mean AgP < 0.4', it is about the run's own mean. 'AgP significantly worse'"
    " fails if it is significantly worse than the baseline; p is corrected over all such rules."
    " Repeatable.",
)
@click.option(
    "--require",
    multiple=True,
    metavar="RULE",
    help="'AgP >= 0.4': what the run's own mean must be. Repeatable.",
)
@click.option("--summary", metavar="FILE", help="Write a summary in Markdown.")
@click.option("--junit", metavar="FILE", help="Write JUnit XML.")
@procedure_options
@shared_options("quiet")
@input_options
def gate(assessments: str, run: str, **options: Any) -> int:
    """Fail when a run falls below a baseline or a threshold.

    Exits with 0 if every rule is kept, with 1 if one is broken, with 2 if the gate could not be
    tried, with 70 if something unforeseen happened. A difference is how much better the run is:
    negative is worse for every measure, also where lower is better.
    """
    rules, procedure = _rules(options), procedure_of(options)
    files = _files(options)
    refuse_twice(assessments, run, options["baseline"], *options["chunks"])
    verdict = _judged(assessments, run, rules, procedure, options)
    say(verdict.notes, options)
    _write(verdict, files)
    _show(verdict)
    return 0 if verdict.passed else FAILED


def _rules(options: dict[str, Any]) -> list[Rule]:
    """Everything that is asked of the run."""
    from spanwise.statistics.gate_rules import rules_of

    against = options["baseline"] is not None
    return rules_of(options["fail_if"], options["require"], baseline=against)


def _files(options: dict[str, Any]) -> dict[str, Destination]:
    """The files that were asked for; those that cannot be written are refused before any work."""
    from spanwise.cli.delivery import outputs

    asked = {option: options[option] for option in ("summary", "junit")}
    return {option: outputs().file(file) for option, file in asked.items() if file is not None}


def _judged(
    assessments: str, run: str, rules: list[Rule], procedure: Procedure, options: dict[str, Any]
) -> Verdict:
    """Run and baseline are scored apart: they often have the same name."""
    from dataclasses import replace

    from spanwise.cli.inputs import Inputs
    from spanwise.statistics.gate import judge
    from spanwise.statistics.gate_rules import measures_in

    given = [file for file in (run, options["baseline"]) if file is not None]
    both = apart(Inputs.opened(assessments, given), options)
    scores = [scores_of(one, measures_in(rules), own) for one, own in both]
    baseline = scores[1] if len(scores) > 1 else None
    verdict = judge(scores[0], baseline, rules, procedure)
    return replace(verdict, notes=(*_notes(scores), *verdict.notes))


def _notes(scores: list[Scores]) -> Iterator[str]:
    """Notes on both runs; what is said of both is said once."""
    first = list(notes_of(scores[0]))
    yield from first
    for baseline in scores[1:]:
        yield from (f"baseline: {note}" for note in notes_of(baseline) if note not in first)


def _write(verdict: Verdict, files: dict[str, Destination]) -> None:
    from spanwise.formats.destination import write_together
    from spanwise.reporting.gate_findings import junit, markdown_summary
    from spanwise.text.names import encoded

    made = {"summary": lambda: encoded(markdown_summary(verdict)), "junit": lambda: junit(verdict)}
    write_together([(file, made[option]()) for option, file in files.items()])


def _show(verdict: Verdict) -> None:
    from spanwise.cli.terminal import print_bytes
    from spanwise.reporting.gate_findings import verdict_lines
    from spanwise.text.names import encoded

    print_bytes(encoded("".join(f"{line}\n" for line in verdict_lines(verdict))))
