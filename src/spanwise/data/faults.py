"""Faults found while an input is read: all of them kept, so that a check can list every one."""

from __future__ import annotations

from collections import Counter

from spanwise.errors import Fault, FaultyInput

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
        self.remarks: list[str] = []
        """What is no fault but worth knowing, such as a column that was ignored."""

    def add(self, rule: str, line: int | None, found: str, expected: str, remedy: str) -> None:
        """Note one fault under the name of the rule that it breaks."""
        self.counts[rule] += 1
        if len(self.kept) < KEPT:
            self.kept.append(Fault(self.file, line, found, expected, remedy, rule))

    def remark(self, sentence: str) -> None:
        """Note something that is no fault, once."""
        if sentence not in self.remarks:
            self.remarks.append(sentence)

    def take_over(self, other: Faults) -> None:
        """Add the faults of another file."""
        self.counts += other.counts
        self.kept += other.kept[: KEPT - len(self.kept)]
        self.remarks += other.remarks

    def settle(self) -> None:
        """Refuse the input if it has faults and leniency was not asked for."""
        if self.kept and not self.lenient:
            raise FaultyInput(sorted(self.kept, key=lambda fault: fault.line or 0))
