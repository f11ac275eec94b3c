"""Texts that are sought, and the places where they are.

A text may be at very many places, which are held as columns. Whatever is asked of them is found by
bisection, as it is asked once for each row with that text.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from itertools import pairwise
from typing import overload

import numpy as np

from spanwise.records import Struct
from spanwise.text.ranges import Integers


class Sought(Struct, frozen=True):
    """A text to be located, in one document or, if none is named, in all of them."""

    text: str
    document: str | None = None


class Place(Struct, frozen=True, gc=False):
    """The characters ``[start, end)`` of a document."""

    document: str
    start: int
    end: int


class Places(Sequence[Place]):
    """The places of one text: by document, in each by start; they may overlap.

    >>> places = Places.of([Place("d7", 0, 5), Place("d7", 14, 19), Place("d8", 3, 8)])
    >>> len(places), places[-1], places.after("d7", 0), places.before("d7", 14)
    (3, Place(document='d8', start=3, end=8), 1, 0)
    """

    def __init__(
        self, names: Sequence[str], numbers: Integers, starts: Integers, ends: Integers
    ) -> None:
        self._names = names
        self._numbers = numbers
        """The documents by their numbers in ``names``, ascending."""
        self.starts = starts
        self.ends = ends

    @classmethod
    def of(cls, places: Iterable[Place]) -> Places:
        """Places that are in order already; those of one document are together."""
        places = tuple(places)
        names = list(dict.fromkeys(place.document for place in places))
        numbers = {name: number for number, name in enumerate(names)}
        columns = (
            [numbers[place.document] for place in places],
            [place.start for place in places],
            [place.end for place in places],
        )
        return cls(names, *(np.array(column, np.int64) for column in columns))

    def __len__(self) -> int:
        return len(self.starts)

    @overload
    def __getitem__(self, index: int) -> Place: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[Place]: ...
    def __getitem__(self, index: int | slice) -> Place | Sequence[Place]:
        if isinstance(index, slice):
            columns = self._numbers[index], self.starts[index], self.ends[index]
            return Places(self._names, *columns)
        name = self._names[self._numbers[index]]
        return Place(name, int(self.starts[index]), int(self.ends[index]))

    def __iter__(self) -> Iterator[Place]:
        columns = (self._numbers.tolist(), self.starts.tolist(), self.ends.tolist())
        for number, start, end in zip(*columns, strict=True):
            yield Place(self._names[number], start, end)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sequence) and [*self] == [*other]

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return repr([*self])

    @cached_property
    def documents(self) -> dict[str, tuple[int, int]]:
        """The documents in their order, and which of the places are in each."""
        first = np.flatnonzero(np.diff(self._numbers, prepend=-1)).tolist()
        bounds = pairwise([*first, len(self)])
        return {self._names[self._numbers[begin]]: (begin, end) for begin, end in bounds}

    def after(self, document: str, start: int) -> int | None:
        """The number of the first place in a document that begins after a character."""
        begin, end = self.documents.get(document, (0, 0))
        found = bisect_right(self.starts, start, begin, end)
        return found if found < end else None

    def before(self, document: str, start: int) -> int | None:
        """The number of the last place in a document that begins before a character."""
        begin, end = self.documents.get(document, (0, 0))
        found = bisect_left(self.starts, start, begin, end)
        return found - 1 if found > begin else None

    def has(self, place: Place) -> bool:
        """Whether this is one of the places."""
        found = self.after(place.document, place.start - 1)
        return found is not None and self[found] == place

    def nearest(self, document: str, start: int) -> list[Place]:
        """The place in a document that begins nearest to a character; two if they are as near."""
        numbers = (self.before(document, start + 1), self.after(document, start))
        there = [self[number] for number in numbers if number is not None]
        least = min((abs(place.start - start) for place in there), default=0)
        return [place for place in there if abs(place.start - start) == least]

    def inside(self, place: Place) -> range:
        """The numbers of the places that are inside another place."""
        begin, end = self.documents.get(place.document, (0, 0))
        first = bisect_left(self.starts, place.start, begin, end)
        return range(first, bisect_right(self.ends, place.end, first, end))

    def beginning(self, start: int) -> Sequence[Place]:
        """The places that begin at this character of any document."""
        order, starts = self._by_start
        low, high = (int(np.searchsorted(starts, start, side)) for side in ("left", "right"))
        numbers = np.sort(order[low:high])
        return Places(self._names, *(each[numbers] for each in self._columns))

    @cached_property
    def in_turn(self) -> Integers:
        """The numbers of the places, those first that do not overlap one of them before."""
        apart = np.ones(len(self), np.bool_)
        joined = (self.starts[1:] < self.ends[:-1]) & (np.diff(self._numbers) == 0)
        if joined.any():
            apart[:] = False
            for begin, end in self.documents.values():
                while begin < end:
                    apart[begin] = True
                    begin = bisect_left(self.starts, self.ends[begin], begin, end)
        return np.concatenate((np.flatnonzero(apart), np.flatnonzero(~apart)))

    @cached_property
    def _by_start(self) -> tuple[Integers, Integers]:
        order = np.argsort(self.starts, kind="stable")
        return order, self.starts[order]

    @property
    def _columns(self) -> tuple[Integers, Integers, Integers]:
        return self._numbers, self.starts, self.ends


def as_places(places: Sequence[Place]) -> Places:
    """Places as columns, the same if they are already."""
    return places if isinstance(places, Places) else Places.of(places)
