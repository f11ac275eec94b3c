"""The output of a check: every fault with its place, then a summary of each file."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from spanwise.data.notes import Faults
from spanwise.errors import Fault, option
from spanwise.evaluation.unjudged_share import UnjudgedShare
from spanwise.formats.file_check import by_line
from spanwise.inputs.checking import CheckedFile
from spanwise.records import asdict
from spanwise.reporting.output import Column, Field, Lines, Output, Rows, Table, Value, versions
from spanwise.reporting.results import Result

MOST = 1000
"""How many faults of a file are listed; the others are counted."""
FIELDS = (
    *(Field("file"), Field("line", "count"), Field("rule"), Field("kind")),
    *(Field("found"), Field("expected"), Field("remedy")),
)


@dataclass(frozen=True, eq=False, repr=False)
class CheckResult(Result):
    """What a check found, file by file.

    >>> from spanwise.library.files import check
    >>> check().passed
    True
    """

    files: tuple[CheckedFile, ...]
    most: int = MOST
    quiet: bool = False
    """Only the faults and a summary for each file."""
    read: tuple[str, ...] = ()
    """The files that were read."""

    def files_read(self) -> Sequence[str]:
        return self.read

    @property
    def passed(self) -> bool:
        """Are all files without a fault, and within the rules of their task?"""
        return not any(file.is_faulty for file in self.files)

    @property
    def faults(self) -> tuple[Fault, ...]:
        """Every fault and every breach that was kept, in the order of files and lines."""
        return tuple(fault for file in self.files for _, fault in _faults(file))

    def output(self, *, hashed_inputs: bool = False) -> Output:
        """Faults, breaches of tasks, a summary and the notes of each file."""
        lines = (line for file in self.files for line in self._lines(file))
        return Output(
            producer="check",
            parts=(Lines(tuple(lines)), *self._unjudged()),
            rows=Rows(FIELDS, [_row(kind, f) for file in self.files for kind, f in _faults(file)]),
            versions=versions(),
            record={"unjudged": shares} if (shares := self._records()) else {},
        )

    def _unjudged(self) -> Iterator[Table]:
        """How much of each run nobody judged, if that was asked."""
        rows = [_share_cells(share) for file in self.files for share in file.unjudged]
        if rows:
            depth = next(share.depth for file in self.files for share in file.unjudged)
            yield Table(f"Unjudged among the first {depth} of each topic", UNJUDGED, tuple(rows))

    def _records(self) -> list[dict[str, object]]:
        """The same for JSON."""
        return [
            {"file": file.checked.file, **asdict(share)}
            for file in self.files
            for share in file.unjudged
        ]

    def _lines(self, file: CheckedFile) -> Iterator[str]:
        checked = file.checked
        yield from (fault.message for fault in checked.listed()[: self.most])
        more = checked.faults.counts.total() - min(self.most, len(checked.faults.kept))
        if more:
            yield f"{checked.file}: {more} more faults are not listed; see {option('most')}"
        breaches = self._breaches(file)
        yield from breaches[:-1]
        yield checked.summary()
        yield from breaches[-1:]
        if not self.quiet:
            yield from (f"{checked.file}: note: {note.message}" for note in checked.notes)

    def _breaches(self, file: CheckedFile) -> Sequence[str]:
        """Every breach with the name of its rule, and last a summary."""
        if file.task is None:
            return ()
        breaches: Faults = file.task.breaches
        shown = by_line(breaches)[: self.most]
        lines = [f"{fault.message} (rule: {fault.rule})" for fault in shown]
        more = breaches.counts.total() - len(lines)
        if more:
            lines.append(
                f"{breaches.file}: {more} more breaches are not listed; see {option('most')}"
            )
        return [*lines, f"{breaches.file}: {file.task.summary()}"]


UNJUDGED = (
    *(Column("run", "text"), Column("topics", "count")),
    *(Column("unjudged documents", "text"), Column("of documents", "percent")),
    *(Column("unjudged answers", "text"), Column("of answers", "percent")),
)


def _share_cells(one: UnjudgedShare) -> tuple[Value, ...]:
    documents = _share(one.unjudged_documents, one.documents)
    return one.run, one.topics, *documents, *_share(one.unjudged_answers, one.answers)


def _share(part: int, whole: int) -> tuple[str, float | None]:
    return f"{part:,} of {whole:,}", part / whole if whole else None


def _faults(file: CheckedFile) -> Iterator[tuple[str, Fault]]:
    yield from (("fault", fault) for fault in file.checked.listed())
    if file.task is not None:
        yield from (("breach", fault) for fault in by_line(file.task.breaches))


def _row(kind: str, fault: Fault) -> dict[str, Value]:
    named: dict[str, Value] = {"file": fault.file, "line": fault.line, "rule": fault.rule}
    return {
        **named,
        "kind": kind,
        "found": fault.found,
        "expected": fault.expected,
        "remedy": fault.remedy,
    }
