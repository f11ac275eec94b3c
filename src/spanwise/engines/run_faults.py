"""The faults of several files, told apart by the runs that have answers in each file."""

from __future__ import annotations

from collections.abc import Iterable

from spanwise.data.notes import Faults
from spanwise.engines.spill import Key
from spanwise.records import Struct, field


class RunFaults(Struct):
    """What was dropped or cut, for each run of a folder."""

    name: str
    found: list[tuple[Faults, frozenset[Key]]] = field(default_factory=list)

    def add(self, faults: Faults, runs: Iterable[Key]) -> None:
        """Faults in answers of these runs; without any run they may be of each."""
        self.found.append((faults, frozenset(runs)))

    def of(self, run: Key) -> Faults:
        """The faults that a run has a part in."""
        total = Faults(self.name, lenient=True)
        for faults, runs in self.found:
            if run in runs or not runs:
                total.counts += faults.counts
        return total
