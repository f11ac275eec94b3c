"""Faults found while an input is read: all of them kept, so that a check can list every one."""

from __future__ import annotations

from collections import Counter

from spanwise.data.notes import Note
from spanwise.errors import Fault, FaultyInput
from spanwise.records import replace

KEPT = 10_000
"""How many faults are kept word by word; further ones are only counted."""


class Faults:
    """What is wrong with one file.

    A reader adds faults and drops the rows that have them. ``settle`` then decides: strict input
    is refused, lenient input goes on with the rows that are left and the counts for each rule.
    """

    def __init__(self, file: str, *, lenient: bool = False) -> None:
        self.file = file
        self.lenient = lenient
        self.kept: list[Fault] = []
        self.counts: Counter[str] = Counter()
        self.notes: list[Note] = []
        """What is not a fault but worth knowing, such as a column that was ignored."""

    def add(self, rule: str, line: int | None, found: str, expected: str, remedy: str) -> None:
        """Note one fault under the name of the rule that it breaks."""
        self.counts[rule] += 1
        if len(self.kept) < KEPT:
            self.kept.append(Fault(self.file, line, found, expected, remedy, rule))

    def note(self, note: Note) -> None:
        """Keep something that is not a fault, once."""
        if note not in self.notes:
            self.notes.append(note)

    def tally(self, note: Note) -> None:
        """Keep something that is counted: further cases of the same are added to it."""
        for place, before in enumerate(self.notes):
            if replace(before, count=note.count) == note:
                self.notes[place] = replace(before, count=before.count + note.count)
                return
        self.notes.append(note)

    def by_rule(self) -> str:
        """How many faults of each rule there are, as text.

        >>> faults = Faults("run.txt", lenient=True)
        >>> faults.add("range", 3, "5:2", "start before end", "fix the line")
        >>> faults.by_rule()
        'range 1'
        """
        return ", ".join(f"{rule} {count}" for rule, count in sorted(self.counts.items()))

    def take_over(self, other: Faults) -> None:
        """Add the faults of another file."""
        self.counts += other.counts
        self.kept += other.kept[: KEPT - len(self.kept)]
        for note in other.notes:
            self.note(note)

    def settle(self) -> None:
        """Refuse the input if it has faults and leniency was not asked for."""
        if self.kept and not self.lenient:
            raise FaultyInput(sorted(self.kept, key=lambda fault: fault.line or 0))
