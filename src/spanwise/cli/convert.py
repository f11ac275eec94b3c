"""``spanwise convert``: runs, assessments and topics in other formats."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from spanwise.cli.options import FormatName, settings_of, shared_options

if TYPE_CHECKING:
    from spanwise.data.assessments import Assessments
    from spanwise.data.notes import Note
    from spanwise.data.run import Run
    from spanwise.formats.conversion import Target
    from spanwise.formats.source import Source
    from spanwise.session import Session

STANDARD = "-"


@click.command()
@click.argument("given", metavar="IN")
@click.argument("out", metavar="OUT")
@click.option(
    *("--from", "from_format"),
    type=FormatName("run"),
    help="The format of IN.  [default: told from its content]",
)
@click.option(
    *("--to", "to_format"),
    type=FormatName("run", "assessments"),
    help="The format of OUT.  [default: told by its ending]",
)
@click.option(
    *("--as", "role"),
    type=click.Choice(["run", "assessments"]),
    help="What IN is.  [default: told from its content]",
)
@click.option(
    "--ideal",
    metavar="GAIN",
    help="Write the run that gains most by these assessments: elements(quant=sog), passages ...",
)
@shared_options("collection", "elements", "unit", "chunks", "lenient", "quiet", "no-limits")
def convert(given: str, out: str, **options: Any) -> None:
    """Write a run, assessments or topics in another format.

    The ending of OUT tells the format: .fol .element .xml (INEX) .trec .msmarco .jsonl .parquet
    .csv .tsv, and .gz or .zst after it to compress. - is standard input or output. What the format
    cannot hold is named on standard error. Topics are written as .jsonl.

    \b
    Examples:
      spanwise convert run.fol run.jsonl
      spanwise convert qrels.jsonl qrels.fol --collection documents/
      spanwise convert chunks.jsonl - --chunks table.jsonl --to trec
      spanwise convert submission.xml run.fol --collection articles/
      spanwise convert qrels.jsonl ideal.fol --ideal passages
    """  # noqa: D301
    from spanwise.cli.delivery import outputs
    from spanwise.cli.scoring import say
    from spanwise.cli.terminal import print_bytes
    from spanwise.formats.conversion import Target

    target = Target.of(out, options["to_format"])
    destination = None if out == STANDARD else outputs().file(out)
    session = _session(options)
    content, lost = _converted(session, given, target, options)
    say((*session.notes, *(note.said("command line") for note in lost)), options)
    if destination is None:
        print_bytes(content)
    else:
        destination.write(content)


def _session(options: dict[str, Any]) -> Session:
    from spanwise.formats.registry import is_known
    from spanwise.session import Session
    from spanwise.settings import Settings

    form = options["from_format"]
    judged = form if form is not None and is_known(form, "assessments") else None
    settings = settings_of(options)
    return Session(Settings(**settings, run_format=form, assessments_format=judged))


def _converted(
    session: Session, given: str, target: Target, options: dict[str, Any]
) -> tuple[bytes, list[Note]]:
    """The content of the new file, and what it cannot hold."""
    from spanwise.formats.source import Source
    from spanwise.formats.topics import is_topics, read_topics

    folder = given != STANDARD and Path(given).is_dir()
    source = Path(given) if folder else Source.at(given)
    if options["role"] is None and is_topics(source):
        return target.of_topics(read_topics(source))
    return target.content(_read(session, source, target, options))


def _read(
    session: Session, source: Path | Source, target: Target, options: dict[str, Any]
) -> list[Run] | Assessments:
    """What is in the file, in code points, with what the collection knows."""
    from spanwise.formats.conversion import fitted, with_judged_lengths
    from spanwise.formats.recognition import FileRole, role_of
    from spanwise.formats.source import Source

    lengths = {} if session.collection is None else session.collection.lengths
    if options["ideal"] is not None:
        _refuse_format(options["from_format"])
        return fitted([_ideal(session, source, options["ideal"])], target, lengths)
    if options["role"] is not None or isinstance(source, Path):
        told = FileRole(options["role"] or "assessments")
    else:
        told = role_of(source)
        session.notes += [] if told.note is None else [told.note.said("command line")]
    if told.role == "assessments":
        _refuse_format(options["from_format"])
        judged = session.assessments(source)
        return with_judged_lengths(judged, lengths) if lengths else judged
    source = Source.at(source) if isinstance(source, Path) else source
    return fitted(_runs(session, source), target, lengths)


def _refuse_format(name: str | None) -> None:
    """Some formats hold only runs."""
    from spanwise.formats.registry import find

    if name is not None:
        find(name, "assessments")


def _ideal(session: Session, source: Path | Source, gain: str) -> Run:
    """What an ideal system would answer, by assessments."""
    from spanwise.data.faults import Faults
    from spanwise.evaluation.ideal_run import ideal_run
    from spanwise.measures.grammar import parse_gain

    known = session.collection
    trees = None if known is None else known.elements
    judged = session.assessments(source)
    if known is not None:
        judged = judged.with_lengths(known.lengths)
    return session.placed(ideal_run(judged, parse_gain(gain), trees), Faults("ideal"))


def _runs(session: Session, source: Any) -> list[Run]:
    [file] = session.run_files([source])
    runs = list(session.blocks(file, whole=True))
    if file.faults.counts:
        rules = file.faults.by_rule()
        session.notes.append(f"faulty lines were dropped or cut, by rule: {rules}")
    return runs
