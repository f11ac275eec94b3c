"""A collection before it is built again: what can be taken over from it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from spanwise.collection.built import Built, Record
from spanwise.collection.sources import Member
from spanwise.data.elements import Paths
from spanwise.errors import InputError
from spanwise.text.names import legible


@dataclass(frozen=True, slots=True)
class Found:
    """A document in a source, and the name that it will have."""

    name: str
    source: str
    member: Member

    @property
    def file(self) -> str:
        """Inside its source; for a row of a table, what the table calls it."""
        return self.member.document or legible(str(self.member.name))


class Former:
    """The collection as it was before; empty if there was none that can be used."""

    def __init__(self, built: Built | None = None) -> None:
        self.built = built
        self.records = [] if built is None else list(built.records())
        self.paths = Paths() if built is None else built.paths
        self.names = {record.name for record in self.records}
        self._by_file = {(record.source, record.file): record for record in self.records}

    @classmethod
    def at(cls, target: Path) -> Former:
        """What is at the place of a collection; one that is damaged is made anew."""
        try:
            if not target.exists():
                return cls()
            built = Built(target)
            built.require_lengths()
            return cls(built)
        except InputError:
            return cls()

    def same(self, found: Found) -> Record | None:
        """What was made of the same file, if it has not changed since."""
        record = self._by_file.get((found.source, found.file))
        return record if record is not None and record.stamp == found.member.stamp else None

    def is_same(self, found: Sequence[Found]) -> bool:
        """Would a new collection be the same?"""
        same = [self.same(each) for each in found]
        names = [each.name for each in found]
        return bool(found) and same == self.records and names == [r.name for r in self.records]
