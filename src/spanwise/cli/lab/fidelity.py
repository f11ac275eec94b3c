"""``spanwise lab fidelity``: simulated runs of known quality, and what measures make of them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from spanwise.cli.lab.running import (
    deliver,
    output_options,
    refuse_place,
    run_experiment,
    told,
)
from spanwise.cli.options import measure_option, settings_of, shared_options
from spanwise.cli.scoring import measures_of, refuse_twice

if TYPE_CHECKING:
    from collections.abc import Iterable

    from spanwise.data.run import Run
    from spanwise.formats.destination import NewFolder
    from spanwise.session import Session

EXAMPLES = """\b
Examples:
  spanwise lab fidelity qrels.jsonl --collection articles
  spanwise lab fidelity qrels.txt --elements elements.tsv -m AgP -m 'AgP(by=text)' -o jsonl
  spanwise lab fidelity qrels.jsonl --collection articles --runs-to simulated
"""
_INPUTS = ("collection", "elements", "lenient", "unit", "topics", "assessments-format")


@click.command(epilog=EXAMPLES)
@click.argument("assessments")
@measure_option("gP and gR at 1, 2 and 10, AgP, each also by text, and AP")
@click.option(
    "--runs-to",
    metavar="DIR",
    help="Also write the simulated runs, a native JSONL file for each, into a new folder.",
)
@output_options
@shared_options(*_INPUTS)
def fidelity(assessments: str, **options: Any) -> None:
    """Do measures order runs of known quality as they should?

    From ASSESSMENTS 20 runs are simulated: five sets of parts (S the relevant passages, SL the
    smallest elements around them, SLD whole documents, SS the largest elements inside them, SST
    leaves) in four rankings (R the best one, RS with the first two documents exchanged, RI and RSI
    behind a document that is not relevant). Of 36 pairs it is known which run is better. Elements
    come from --collection or --elements; without them there are S and SLD only, and 12 pairs.
    """
    from spanwise.cli.delivery import outputs
    from spanwise.cli.inputs import Inputs
    from spanwise.lab.fidelity import MEASURES
    from spanwise.lab.fidelity import fidelity as experiment

    refuse_place(options)
    folder = None if options["runs_to"] is None else outputs().folder(options["runs_to"])
    names = measures_of(options["measures"] or MEASURES)
    refuse_twice(assessments, options["collection"], options["elements"])
    session, inputs = _session(options), Inputs.opened(assessments, ())
    wanted = session.measures(names)
    judged, documents = session.assessments(inputs.assessments), session.collection
    found = run_experiment(experiment(judged, wanted, documents, session.settings.policy()))
    chosen = {name.replace("-", "_"): options[name.replace("-", "_")] for name in _INPUTS}
    chapter = told(found.chapter(), options, inputs, session.notes, chosen, lenient=session.dropped)
    if folder is not None:
        _write(found.simulated.runs, folder)
    deliver(chapter, options)


def _write(runs: Iterable[Run], folder: NewFolder) -> None:
    """A native JSONL file for each run."""
    from spanwise.formats.builtin.jsonl import write_run

    with folder.made() as place:
        for run in runs:
            with (place / f"{run.name}.jsonl").open("wb") as stream:
                write_run([run], stream)


def _session(options: dict[str, Any]) -> Session:
    from spanwise.session import Session
    from spanwise.settings import Settings

    return Session(Settings(**settings_of(options)))
