"""``spanwise convert``: runs and assessments in other formats."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from spanwise.cli.options import shared_options
from spanwise.formats.names import RUN_FORMATS

if TYPE_CHECKING:
    from spanwise.api import Session
    from spanwise.data.assessments import Assessments
    from spanwise.data.run import Run
    from spanwise.formats.convert import Target

STANDARD = "-"


@click.command()
@click.argument("given", metavar="IN")
@click.argument("out", metavar="OUT")
@click.option(
    *("--from", "from_format"),
    type=click.Choice(RUN_FORMATS),
    help="The format of IN.  [default: told from its content]",
)
@click.option(
    *("--to", "to_format"),
    type=click.Choice((*RUN_FORMATS, "tsv")),
    help="The format of OUT.  [default: told by its ending]",
)
@click.option(
    *("--as", "role"),
    type=click.Choice(["run", "assessments"]),
    help="What IN is.  [default: told from its content]",
)
@shared_options("collection", "unit", "chunks", "lenient", "quiet")
def convert(given: str, out: str, **options: Any) -> None:
    """Write a run or assessments in another format.

    The ending of OUT tells the format: .fol .trec .jsonl .parquet .csv .tsv, and .gz or .zst
    after it to compress. - is standard input or output. What the format cannot hold is named on
    standard error.

    \b
    Examples:
      spanwise convert run.fol run.jsonl
      spanwise convert qrels.jsonl qrels.fol --collection documents/
      spanwise convert chunks.jsonl - --chunks table.jsonl --to trec
    """  # noqa: D301
    from spanwise.cli.terminal import print_bytes
    from spanwise.formats.convert import Target
    from spanwise.report.write import Destination

    target = Target.of(out, options["to_format"])
    destination = None if out == STANDARD else Destination.checked(out, target.format)
    session = _session(options)
    content, lost = target.content(_read(session, given, target, options))
    if not options["quiet"]:
        for note in (*session.notes, *lost):
            click.echo(f"note: {note}", err=True)
    if destination is None:
        print_bytes(content)
    else:
        destination.write(content)


def _session(options: dict[str, Any]) -> Session:
    from spanwise.api import Session, Settings

    names = ("collection", "unit", "chunks", "lenient")
    form = options["from_format"]
    settings = {name: options[name] for name in names}
    return Session(Settings(**settings, run_format=form, assessments_format=form))


def _read(
    session: Session, given: str, target: Target, options: dict[str, Any]
) -> list[Run] | Assessments:
    """What is in the file, in code points, with what the collection knows."""
    from spanwise.formats.convert import fitted, with_judged_lengths
    from spanwise.formats.role import role_of
    from spanwise.formats.source import Source

    folder = given != STANDARD and Path(given).is_dir()
    source = Path(given) if folder else Source.at(given)
    role = options["role"] or ("assessments" if isinstance(source, Path) else role_of(source))
    lengths = {} if session.collection is None else session.collection.lengths
    if role == "assessments":
        judged = session.assessments(source)
        return with_judged_lengths(judged, lengths) if lengths else judged
    return fitted(_runs(session, Source.at(given) if folder else source), target, lengths)


def _runs(session: Session, source: Any) -> list[Run]:
    file = session.run_file(source)
    runs = list(session.blocks(file, whole=True))
    if file.faults.counts:
        rules = ", ".join(f"{rule} {count}" for rule, count in sorted(file.faults.counts.items()))
        session.notes.append(f"faulty lines were dropped or cut, by rule: {rules}")
    return runs
