"""Which places the chunks of a table mean, by their order in their documents.

Each chunk begins after the one before it in its document; chunks may overlap. First each takes the
earliest such place. Of equal chunks that overlap (``-----`` cut into pieces, the line under the
header of a Markdown table) the later ones then move on to where the one before ends, as far as the
chunks after them have room.
"""

from __future__ import annotations

from collections.abc import Sequence

from spanwise.collection.places import Place, Places, as_places

Candidates = Sequence[Sequence[Place]]


def chunk_places(chunks: Candidates) -> list[Place | None]:
    """One place for each chunk of a table, from the places of its text; None where there is none.

    Where no document is named, a repeated chunk stays in the document of the chunk before it if it
    can, else it is in that of the next chunk whose place is certain. Chunks in no order take the
    first place that no earlier chunk has.

    >>> first, second = Place("d7", 0, 5), Place("d7", 14, 19)
    >>> chunk_places([[first, second], [Place("d7", 7, 13)], [first, second]])[2] == second
    True
    """
    order = _Order(chunks)
    chosen = [order.next(row) for row in range(len(chunks))]
    return order.spread(chosen) if order.crowded else chosen


class _Order:
    """What the chunks before one say of its place."""

    def __init__(self, chunks: Candidates) -> None:
        self._chunks = chunks
        known: dict[int, Places] = {}
        self._places = [
            known.setdefault(id(places), as_places(places)) if len(places) > 1 else None
            for places in chunks
        ]
        """The places of repeated chunks."""
        self._certain = _certain_after(chunks)
        self._last: dict[str, Place] = {}
        self._taken: set[Place] = set()
        self._passed: dict[int, int] = {}
        """How many of the first places are taken, by the identity of the places."""
        self._document: str | None = None
        self.crowded = False
        """Whether equal chunks overlap."""

    def next(self, row: int) -> Place | None:
        """The earliest place of a chunk that is after those before it."""
        places = self._places[row]
        place = next(iter(self._chunks[row]), None) if places is None else self._of(places, row)
        if place is not None:
            before = self._last.get(place.document)
            self.crowded |= places is not None and _overlaps(places, before, place)
            self._taken.add(place)
            self._document, self._last[place.document] = place.document, place
        return place

    def _of(self, places: Places, row: int) -> Place:
        certain = self._certain[row]
        only = next(iter(places.documents)) if len(places.documents) == 1 else None
        for name in (self._document, None if certain is None else certain.document, only):
            if name is not None:
                before = self._last.get(name)
                ahead = places.after(name, -1 if before is None else before.start)
                if ahead is not None:
                    return places[ahead]
        first = self._passed.get(id(places), 0)
        while first < len(places) and places[first] in self._taken:
            first += 1
        self._passed[id(places)] = first
        return places[first if first < len(places) else 0]

    def spread(self, chosen: Sequence[Place | None]) -> list[Place | None]:
        """The same, with equal chunks moved on from those that they overlap."""
        limits = self._limits(chosen)
        given: dict[str, Place] = {}
        moved: dict[str, Place] = {}
        result: list[Place | None] = []
        for place, places, limit in zip(chosen, self._places, limits, strict=True):
            if place is None:
                result.append(None)
                continue
            before, own = given.get(place.document), moved.get(place.document)
            given[place.document] = place
            if places and before and own and place.start > before.start:
                place = _moved_on(places, own, limit)
            moved[place.document] = place
            result.append(place)
        return result

    def _limits(self, chosen: Sequence[Place | None]) -> list[int]:
        """The last start of each chunk that leaves room for the chunks after it."""
        limits = [0] * len(chosen)
        following: dict[str, tuple[int, int]] = {}
        for row in range(len(chosen) - 1, -1, -1):
            place, places = chosen[row], self._places[row]
            if place is None:
                continue
            limits[row] = place.start
            start, limit = following.get(place.document, (-1, 0))
            if places is not None:
                _, end = places.documents[place.document]
                free = end - 1 if start <= place.start else places.before(place.document, limit)
                assert free is not None
                limits[row] = int(places.starts[free])
            following[place.document] = place.start, limits[row]
        return limits


def _moved_on(places: Places, before: Place, limit: int) -> Place:
    """The place that begins nearest to the end of an equal chunk; the next one of another chunk."""
    ahead = places.after(before.document, before.start)
    assert ahead is not None
    if not _overlaps(places, before, places[ahead]):
        return places[ahead]
    near = [each for each in places.nearest(before.document, before.end) if each.start <= limit]
    if near:
        return near[-1]
    last = places.before(before.document, limit + 1)
    assert last is not None
    return places[last]


def _overlaps(places: Places, before: Place | None, place: Place) -> bool:
    """Whether a place overlaps the chunk before it, which has the same text."""
    return before is not None and before.start < place.start < before.end and places.has(before)


def _certain_after(chunks: Candidates) -> list[Place | None]:
    """For each chunk the next one that has only one place."""
    following: list[Place | None] = []
    certain: Place | None = None
    for places in reversed(chunks):
        following.append(certain)
        certain = places[0] if len(places) == 1 else certain
    return following[::-1]
