"""``spanwise check``: every fault of a file."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from spanwise.cli.check_tasks import (
    limits_of,
    refuse_limits_without_task,
    task_lines,
    task_options,
)
from spanwise.cli.options import settings_of, shared_options

if TYPE_CHECKING:
    from spanwise.data.assessments import Assessments
    from spanwise.data.faults import Faults
    from spanwise.data.run import Run
    from spanwise.evaluation.tasks import TaskCheck
    from spanwise.formats.file_check import Checked
    from spanwise.formats.recognition import FileRole
    from spanwise.formats.source import Source
    from spanwise.session import Session

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
@task_options
@shared_options("collection", "elements", "chunks", "unit", "run-format", "assessments-format")
@shared_options("no-limits")
@click.option(
    "--most",
    type=click.IntRange(0),
    default=1000,
    show_default=True,
    help="List so many faults and breaches of each file; the others are counted.",
)
@click.option("--quiet", is_flag=True, help="Only the faults and a summary for each file.")
def check(files: tuple[str, ...], **options: Any) -> int:
    """Validate runs and assessments: list every fault, and what else is worth a look.

    Ends with exit code 2 if there are faults, or if a run breaks the rules of its task.

    \b
    Tasks, as we read INEX; all of them: at most 1500 results for a topic
      thorough             elements may overlap, none comes twice
      focused              no two results of a topic overlap
      relevant-in-context  no overlap, and the results of a document stand together
      best-in-context      one element or entry point for each document
      restricted           no overlap, and at most 1000 characters for a topic

    \b
    Examples:
      spanwise check run.fol qrels.txt
      spanwise check run.jsonl --assessments qrels.jsonl --collection documents/
      spanwise check run.fol --task focused
    """  # noqa: D301
    from spanwise.cli.scoring import refuse_twice
    from spanwise.cli.terminal import print_bytes
    from spanwise.errors import clean

    refuse_limits_without_task(options)
    refuse_twice(*files, options["assessments"], *options["chunks"])
    checker = Checker.of(options)
    lines, faulty = list[str](), False
    if checker.given is not None and options["assessments"] not in files:
        lines += _lines(checker.given, None, options["most"], quiet=True)
        faulty = True
    for file in _each(files):
        checked, task = checker.check(file), checker.task
        lines += _lines(checked, task, options["most"], quiet=options["quiet"])
        faulty = faulty or bool(checked.faults.counts or (task and task.breaches.counts))
    checker.refuse_spare_tables()
    print_bytes("".join(f"{clean(line)}\n" for line in lines).encode())
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


def _lines(checked: Checked, task: TaskCheck | None, most: int, *, quiet: bool) -> Iterator[str]:
    yield from (fault.said("command line") for fault in checked.listed()[:most])
    more = checked.faults.counts.total() - min(most, len(checked.faults.kept))
    if more:
        yield f"{checked.file}: {more} more faults are not listed; see --most"
    breaches = [] if task is None else task_lines(task, most)
    yield from breaches[:-1]
    yield checked.summary()
    yield from breaches[-1:]
    if not quiet:
        yield from (f"{checked.file}: note: {note.said('command line')}" for note in checked.notes)


@dataclass
class Checker:
    """Checks one file after the other with the same options."""

    session: Session
    options: dict[str, Any]
    judged: Assessments | None = None
    given: Checked | None = None
    """The assessments that runs are held against, if they have faults."""
    runs: int = 0
    """How many of the files were runs so far."""
    task: TaskCheck | None = None
    """What was found of the task in the last file, if that was a run."""

    @classmethod
    def of(cls, options: dict[str, Any]) -> Checker:
        """Open what the files are held against."""
        from spanwise.errors import SpanwiseError
        from spanwise.session import Session
        from spanwise.settings import Settings

        settings = Settings(lenient=True, **settings_of(options))
        session = Session(settings)
        if settings.unit != "codepoint" and not getattr(session.collection, "has_text", False):
            raise SpanwiseError(f"--unit {settings.unit} needs the texts: give --collection")
        checker = cls(session, options)
        if options["assessments"] is not None:
            checker._hold_against(options["assessments"])
        return checker

    def _hold_against(self, file: str) -> None:
        """Read the assessments; what is wrong with them would be refused with every run."""
        from spanwise.formats.file_check import Checked
        from spanwise.formats.source import Source

        judged: Assessments | None
        if Path(file).is_dir():
            checked, judged = Checked(file, "assessments"), self.session.assessments(file)
            self._look_for_faults(checked, judged)
        else:
            checked, judged = self._judgements(Source.at(file))
        self.given = checked if checked.faults.counts else None
        if judged is not None and self.session.collection is not None:
            judged = judged.with_lengths(self.session.collection.lengths)
        self.judged = judged

    def refuse_spare_tables(self) -> None:
        """After the last file: each chunk table belonged to a run."""
        from spanwise.run_inputs import refuse_other_number

        refuse_other_number(len(self.session.settings.chunk_files), self.runs)

    def check(self, file: str) -> Checked:
        """One file, whatever is wrong with it."""
        from spanwise.errors import InputError
        from spanwise.formats.file_check import Checked, check_topics
        from spanwise.formats.recognition import FileRole
        from spanwise.formats.source import Source
        from spanwise.formats.topics import is_topics

        checked = Checked("standard input" if file == "-" else file, "run")
        self.task = None
        try:
            source = Source.at(file)
            if self._role() is None and is_topics(source):
                return check_topics(source)
            told = FileRole(self._role()) if self._role() else self._told(source)
        except InputError as refused:
            checked.refuse(refused.faults)
            return checked
        checked = self._run(source) if told.role == "run" else self._assessments(source)
        checked.notes += [] if told.note is None else [told.note]
        return checked

    def _told(self, source: Source) -> FileRole:
        """What a file is; beside assessments, what could be either or is empty is a run."""
        from spanwise.formats.beginning import first_line
        from spanwise.formats.recognition import FileRole, role_of

        if self.judged is not None and first_line(source) is None:
            return FileRole("run")
        told = role_of(source)
        return FileRole("run") if told.note is not None and self.judged is not None else told

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
        from spanwise.data.notes import Note

        checked, judged = self._judgements(source)
        if judged is not None:
            said = notes_on_assessments(judged, self.session.collection)
            checked.notes += (Note("remark", detail=sentence) for sentence in said)
        return checked

    def _judgements(self, source: Source) -> tuple[Checked, Assessments | None]:
        from spanwise.formats.file_check import check_assessments

        named = self.options["assessments_format"]
        checked, judged = check_assessments(source, named, self._reader(source))
        if judged is not None:
            self._look_for_faults(checked, judged)
        return checked, judged

    def _look_for_faults(self, checked: Checked, judged: Assessments) -> None:
        """What the documents of the collection cannot hold."""
        from spanwise.evaluation.assessed import assessment_faults

        documents = self.session.collection
        if documents is not None:
            judged = judged.with_lengths(documents.lengths)
        checked.refuse(assessment_faults(judged))

    def _reader(self, source: Source) -> Callable[[Faults, str], Assessments]:
        from spanwise.formats.reading import read_assessments

        def read(faults: Faults, name: str) -> Assessments:
            judged = read_assessments(source, name, faults=faults)
            unit = self.session.settings.unit
            if unit != "codepoint":
                from spanwise.collection.resolve import assessments_in_codepoints

                judged = assessments_in_codepoints(judged, unit, self.session.collection, faults)
            return self.session.placed_assessments(judged, faults)

        return read

    def _run(self, source: Source) -> Checked:
        from spanwise.formats.column_runs import Scattered

        self.runs += 1
        try:
            return self._run_once(source, whole=False)
        except Scattered:
            return self._run_once(source, whole=True)

    def _run_once(self, source: Source, *, whole: bool) -> Checked:
        from spanwise.cli.check_notes import RunNotes
        from spanwise.data.notes import Note
        from spanwise.formats.file_check import check_run

        file = self.session.run_file(source, self.runs - 1)
        notes = RunNotes(self.judged, self.session.collection)
        self.task = self._task(source.name)
        blocks = partial(self.session.blocks, file, whole=whole)

        def look(block: Run) -> None:
            notes.look(block)
            if self.task is not None:
                self.task.look(block)

        checked = check_run(file, blocks, self.lengths, look)
        checked.refuse(notes.refusals())
        found = checked.counts["answer"] or checked.faults.counts.total()
        said = notes.lines(answers=found)
        checked.notes += (Note("remark", detail=sentence) for sentence in said)
        return checked

    def _task(self, file: str) -> TaskCheck | None:
        from spanwise.data.faults import Faults
        from spanwise.evaluation.tasks import TaskCheck

        name = self.options["task"]
        if name is None:
            return None
        breaches = Faults(file, lenient=True)
        return TaskCheck(name, breaches, limits_of(self.options), self.lengths)
