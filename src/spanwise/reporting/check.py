"""The output of a check: every fault with its place, then a summary of each file."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from spanwise.data.notes import Faults
from spanwise.errors import Fault, option
from spanwise.formats.file_check import by_line
from spanwise.inputs.checking import CheckedFile
from spanwise.reporting.output import Field, Lines, Output, Rows, Value, versions
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
            parts=(Lines(tuple(lines)),),
            rows=Rows(FIELDS, [_row(kind, f) for file in self.files for kind, f in _faults(file)]),
            versions=versions(),
        )

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
