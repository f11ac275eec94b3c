"""``spanwise check``: every fault of a file."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from spanwise.cli.options import shared_options

if TYPE_CHECKING:
    from spanwise.api import Session
    from spanwise.data.assessments import Assessments
    from spanwise.data.faults import Faults
    from spanwise.formats.check import Checked
    from spanwise.formats.source import Source

FAULTY = 2


@click.command()
@click.argument("files", nargs=-1, required=True, metavar="FILE...")
@click.option(
    *("--as", "role"),
    type=click.Choice(["run", "assessments"]),
    help="What the files are.  [default: told from their content]",
)
@click.option(
    "--assessments",
    metavar="FILE",
    help="Look at runs against these: unknown topics, unjudged documents, lengths.",
)
@shared_options("collection", "chunks", "unit", "run-format", "assessments-format")
@click.option(
    "--most",
    type=click.IntRange(0),
    default=1000,
    show_default=True,
    help="List so many faults of each file; the others are counted.",
)
@click.option("--quiet", is_flag=True, help="Only the faults and a summary for each file.")
def check(files: tuple[str, ...], **options: Any) -> int:
    """Validate runs and assessments: list every fault, and what else is worth a look.

    Ends with exit code 2 if there are faults.

    \b
    Examples:
      spanwise check run.fol qrels.txt
      spanwise check run.jsonl --assessments qrels.jsonl --collection documents/
    """  # noqa: D301
    from spanwise.cli.terminal import print_bytes
    from spanwise.errors import SpanwiseError

    if [*files, options["assessments"]].count("-") > 1:
        raise SpanwiseError("standard input (-) can be read only once; name a file instead")
    checker = Checker.of(options)
    lines, faulty = list[str](), False
    for file in _each(files):
        checked = checker.check(file)
        lines += _lines(checked, options["most"], quiet=options["quiet"])
        faulty = faulty or bool(checked.faults.counts)
    print_bytes("".join(f"{line}\n" for line in lines).encode("utf-8", "surrogateescape"))
    return FAULTY if faulty else 0


def _each(files: Iterable[str]) -> Iterator[str]:
    """Files, and the files of folders."""
    for file in files:
        folder = Path(file)
        if file != "-" and folder.is_dir():
            inside = (p for p in folder.iterdir() if p.is_file() and not p.name.startswith("."))
            yield from map(str, sorted(inside))
        else:
            yield file


def _lines(checked: Checked, most: int, *, quiet: bool) -> Iterator[str]:
    yield from map(str, checked.listed()[:most])
    more = checked.faults.counts.total() - min(most, len(checked.faults.kept))
    if more:
        yield f"{checked.file}: {more} more faults are not listed; see --most"
    yield checked.summary()
    if not quiet:
        yield from (f"{checked.file}: note: {note}" for note in checked.notes)


@dataclass
class Checker:
    """Checks one file after the other with the same options."""

    session: Session
    options: dict[str, Any]
    judged: Assessments | None

    @classmethod
    def of(cls, options: dict[str, Any]) -> Checker:
        """Open what the files are held against."""
        from spanwise.api import Session, Settings
        from spanwise.errors import SpanwiseError

        names = ("collection", "chunks", "unit", "run_format", "assessments_format")
        settings = Settings(lenient=True, **{name: options[name] for name in names})
        session = Session(settings)
        if settings.unit != "codepoint" and not getattr(session.collection, "has_text", False):
            raise SpanwiseError(f"--unit {settings.unit} needs the texts: give --collection")
        given = options["assessments"]
        judged = None if given is None else session.assessments(given)
        if judged is not None and session.collection is not None:
            judged = judged.with_lengths(session.collection.lengths)
        return cls(session, options, judged)

    def check(self, file: str) -> Checked:
        """One file, whatever is wrong with it."""
        from spanwise.errors import InputError
        from spanwise.formats.check import Checked
        from spanwise.formats.role import role_of
        from spanwise.formats.source import Source

        checked = Checked("standard input" if file == "-" else file, "run")
        try:
            source = Source.at(file)
            role = self._role() or role_of(source)
        except InputError as refused:
            checked.refuse(refused)
            return checked
        return self._run(source) if role == "run" else self._assessments(source)

    def _role(self) -> Any:
        """What was said about the files: their kind, or a format of one kind only."""
        run, judged = self.options["run_format"], self.options["assessments_format"]
        by_format = {(True, False): "run", (False, True): "assessments"}
        return self.options["role"] or by_format.get((run is not None, judged is not None))

    @property
    def lengths(self) -> Mapping[str, int]:
        """What is known about documents."""
        if self.session.collection is not None:
            lengths: Mapping[str, int] = self.session.collection.lengths
            return lengths
        return {} if self.judged is None else self.judged.lengths

    def _assessments(self, source: Source) -> Checked:
        from spanwise.cli.check_notes import notes_on_assessments
        from spanwise.formats.check import check_assessments

        lengths = self.lengths if self.session.collection is not None else {}
        named = self.options["assessments_format"]
        checked, judged = check_assessments(source, named, self._reader(source), lengths)
        if judged is not None:
            checked.notes += notes_on_assessments(judged)
        return checked

    def _reader(self, source: Source) -> Callable[[Faults, str], Assessments]:
        from spanwise.formats.reading import read_assessments

        def read(faults: Faults, name: str) -> Assessments:
            judged = read_assessments(source, name, faults=faults)
            unit = self.session.settings.unit
            if unit == "codepoint":
                return judged
            from spanwise.collection.resolve import assessments_in_codepoints

            return assessments_in_codepoints(judged, unit, self.session.collection, faults)

        return read

    def _run(self, source: Source) -> Checked:
        from spanwise.formats.answers import Scattered

        try:
            return self._run_once(source, whole=False)
        except Scattered:
            return self._run_once(source, whole=True)

    def _run_once(self, source: Source, *, whole: bool) -> Checked:
        from spanwise.cli.check_notes import RunNotes
        from spanwise.formats.check import check_run

        file = self.session.run_file(source)
        notes = RunNotes(self.judged, self.session.collection)
        blocks = partial(self.session.blocks, file, whole=whole)
        checked = check_run(file, blocks, self.lengths, notes.look)
        found = checked.counts["answer"] or checked.faults.counts.total()
        checked.notes += notes.lines(answers=found)
        return checked
