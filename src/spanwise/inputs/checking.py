"""Validate files: every fault of each, and what else is worth a look."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from spanwise.collection.resolve_paths import size_mismatches
from spanwise.data.assessments import Assessments
from spanwise.data.documents import Documents
from spanwise.data.notes import Faults, Note
from spanwise.data.run import Run
from spanwise.errors import Fault, InputError
from spanwise.evaluation.align import align, refuse_too_much
from spanwise.evaluation.assessed import (
    assessment_faults,
    note_entry_points_beyond,
    note_equal_entry_points,
    note_united,
    note_unverified,
)
from spanwise.evaluation.guards import Guards, Seen
from spanwise.evaluation.policy import Notes, Policy, ranked
from spanwise.evaluation.tasks import Limits, TaskCheck
from spanwise.evaluation.unjudged_share import UnjudgedShare
from spanwise.formats.beginning import first_line
from spanwise.formats.column_runs import Scattered
from spanwise.formats.file_check import (
    Checked,
    check_assessments,
    check_chunks,
    check_run,
    check_topics,
)
from spanwise.formats.reading import FileRole, files_of, read_assessments, role_of
from spanwise.formats.registry import Role
from spanwise.formats.source import Source
from spanwise.formats.topics import is_topics
from spanwise.inputs.runs import refuse_other_number
from spanwise.inputs.session import Session
from spanwise.inputs.settings import Settings


@dataclass
class CheckedFile:
    """What was found in one file, and what of its task."""

    checked: Checked
    task: TaskCheck | None = None
    unjudged: Sequence[UnjudgedShare] = ()
    """How much of its runs is unjudged, if that was asked."""

    @property
    def is_faulty(self) -> bool:
        """Has it faults, or breaches of its task's rules?"""
        return bool(self.checked.faults.counts or (self.task and self.task.breaches.counts))


def files_in(given: Iterable[str]) -> Iterator[str]:
    """Files, and the files of folders."""
    for file in given:
        folder = Path(file)
        if file != "-" and folder.is_dir():
            files, sure = files_of(folder)
            # Files of annotation tools may be empty: nothing is marked in their documents.
            yield from (str(file) for file in files if sure is None or file.stat().st_size)
        else:
            yield file


class Checker:
    """Checks one file after the other with the same settings."""

    def __init__(
        self,
        settings: Settings,
        *,
        role: Role | None = None,
        assessments: str | None = None,
        task: str | None = None,
        limits: Limits | None = None,
        depth: int | None = None,
    ) -> None:
        self.session = Session(settings)
        self._role = role or _role_of(settings)
        self._task_name, self._limits = task, limits or Limits()
        self._depth = depth
        self._runs = 0
        self._judged: Assessments | None = None
        self.given: Checked | None = None
        """The assessments that runs are compared with, if they have faults."""
        if assessments is not None:
            self._compare_with(assessments)

    def _compare_with(self, file: str) -> None:
        """Read the assessments; what is wrong with them would be refused with every run."""
        judged: Assessments | None
        if Path(file).is_dir():
            checked, judged = Checked(file, "assessments"), self.session.assessments(file)
            self._look_for_faults(checked, judged)
        else:
            checked, judged = self._judgements(Source.at(file))
        self.given = checked if checked.faults.counts else None
        if judged is not None and self.session.collection is not None:
            judged = judged.with_lengths(self.session.collection.lengths)
        self._judged = judged

    def finish(self) -> list[CheckedFile]:
        """After the last file: each chunk table belonged to a run; what to say of the tables."""
        refuse_other_number(len(self.session.settings.chunk_tables), self._runs)
        remarkable = (each for each in self.session.table_faults if each.counts or each.notes)
        return [CheckedFile(check_chunks(faults)) for faults in remarkable]

    def check(self, file: str) -> CheckedFile:
        """One file, whatever is wrong with it."""
        checked = Checked("standard input" if file == "-" else file, "run")
        try:
            source = Source.at(file)
            if self._role is None and is_topics(source):
                return CheckedFile(check_topics(source))
            told = FileRole(self._role) if self._role else self._told(source)
        except InputError as refused:
            checked.refuse(refused.faults)
            return CheckedFile(checked)
        is_run = told.role == "run"
        found = self._run(source) if is_run else CheckedFile(self._assessments(source))
        if told.note is not None:
            found.checked.notes.append(told.note)
        return found

    def _told(self, source: Source) -> FileRole:
        """What a file is; beside assessments, what could be either or is empty is a run."""
        if self._judged is not None and first_line(source) is None:
            return FileRole("run")
        told = role_of(source)
        return FileRole("run") if told.note is not None and self._judged is not None else told

    @property
    def _lengths(self) -> Mapping[str, int]:
        """What is known about documents."""
        if self.session.collection is not None:
            return self.session.collection.lengths
        return {} if self._judged is None else self._judged.lengths

    # -- assessments

    def _assessments(self, source: Source) -> Checked:
        checked, judged = self._judgements(source)
        if judged is not None:
            checked.notes += _notes_on_assessments(judged, self.session.collection)
        return checked

    def _judgements(self, source: Source) -> tuple[Checked, Assessments | None]:
        named = self.session.settings.assessments_format
        checked, judged = check_assessments(source, named, self._reader(source))
        if judged is not None:
            self._look_for_faults(checked, judged)
        return checked, judged

    def _look_for_faults(self, checked: Checked, judged: Assessments) -> None:
        """What the documents of the collection cannot hold."""
        documents = self.session.collection
        if documents is not None:
            judged = judged.with_lengths(documents.lengths)
        checked.refuse(assessment_faults(judged))

    def _reader(self, source: Source) -> Callable[[Faults, str], Assessments]:
        def read(faults: Faults, name: str) -> Assessments:
            labels = self.session.settings.labels
            judged = read_assessments(source, name, faults=faults, topic_from=labels)
            return self.session.placing.assessments(judged, faults)

        return read

    # -- runs

    def _run(self, source: Source) -> CheckedFile:
        self._runs += 1
        try:
            return self._run_once(source, whole=False)
        except Scattered:
            return self._run_once(source, whole=True)

    def _run_once(self, source: Source, *, whole: bool) -> CheckedFile:
        file = self.session.run_file(source, self._runs - 1)
        notes = _RunNotes(self._judged, self.session.collection, self._depth)
        task = self._task(source.name)

        def look(block: Run) -> None:
            refuse_too_much(block, block.end - block.start)
            notes.look(block)
            if task is not None:
                task.look(block)

        blocks = partial(self.session.blocks, file, whole=whole)
        checked = check_run(file, blocks, self._lengths, look)
        checked.refuse(notes.refusals())
        found = checked.counts["answer"] or checked.faults.counts.total()
        checked.notes += notes.values(answers=found)
        return CheckedFile(checked, task, [*notes.unjudged.values()])

    def _task(self, file: str) -> TaskCheck | None:
        if self._task_name is None:
            return None
        breaches = Faults(file, lenient=True)
        return TaskCheck(self._task_name, breaches, self._limits, self._lengths)


def _role_of(settings: Settings) -> Role | None:
    """What a format of one kind only says about the files."""
    run, judged = settings.run_format is not None, settings.assessments_format is not None
    roles: dict[tuple[bool, bool], Role] = {(True, False): "run", (False, True): "assessments"}
    return roles.get((run, judged))


# -- what is not a fault but worth a look

_OF_ORDER = ("ties", "contradiction", "rising ranks", "no rank", "no score", "distances")


class _RunNotes:
    """Gathers notes on a run while its blocks come in."""

    def __init__(
        self, judged: Assessments | None, documents: Documents | None, depth: int | None
    ) -> None:
        self._judged, self._depth = judged, depth
        self.unjudged: dict[str, UnjudgedShare] = {}
        """Of each run, if a depth was given."""
        self._documents = documents
        self._order = Notes()
        self._against = Notes()
        has_texts = documents is not None and documents.has_text
        self._guards = Guards(judged, has_texts=has_texts)
        self._whole: dict[str, Seen] = {}
        self._seen: set[str] = set()

    def look(self, block: Run) -> None:
        """One block, which has no faults any more."""
        self._seen.update(block.topics)
        self._whole.setdefault(block.name, Seen()).take(self._guards.look(block, self._order))
        ranked(block, None, self._order)
        if self._judged is not None:
            policy = Policy(lenient=True)
            aligned = align(block, self._judged, policy, self._against, self._documents)
            if self._depth is not None:
                share = UnjudgedShare(block.name, self._depth)
                self.unjudged.setdefault(block.name, share).look(aligned)

    def refusals(self) -> Iterator[Fault]:
        """Why the runs of the file would be refused as a whole."""
        for seen in self._whole.values():
            try:
                self._guards.settle(seen, self._order)
            except InputError as refused:
                yield from refused.faults

    def values(self, *, answers: int) -> Iterator[Note]:
        """One note for each thing that was seen."""
        self._order.add("empty", int(not answers))
        if self._judged is not None:
            missing = sorted(self._judged.topics_with_relevant - self._seen)
            self._against.add_names("missing", missing, detail="scored as empty")
        for kind in _OF_ORDER:  # noted already, for all topics
            self._against.counts.pop(kind, None)
        yield from (*self._order.values(), *self._against.values())


def _notes_on_assessments(judged: Assessments, documents: Documents | None) -> Iterator[Note]:
    """What may surprise in assessments."""
    yield from _size_mismatches(judged, documents)
    notes = Notes()
    notes.add_names("no relevant text", sorted(set(judged.topics) - judged.topics_with_relevant))
    note_united(judged, notes)
    note_unverified(judged, documents, notes)
    note_entry_points_beyond(judged, notes)
    note_equal_entry_points(judged, notes)
    yield from notes.values()


def _size_mismatches(judged: Assessments, documents: Documents | None) -> Iterator[Note]:
    """Every element whose size is not that of the collection."""
    if documents is None or documents.elements is None or not len(judged.elements):
        return
    mismatches = size_mismatches(judged, documents.elements)
    yield from (Note("remark", detail=f"line {one.line}, {one}") for one in mismatches)
