"""Which of the places of a repeated text is meant.

Gold must say it: a wrong place would be a wrong number. Chunks of a table come in the order of
their document. A retrieved answer is a chunk of that table or, without one, the first place.
"""

from __future__ import annotations

from collections.abc import Sequence

from spanwise.collection.locate import Place
from spanwise.collection.location_faults import Complaint, beyond, several
from spanwise.data.quoted import Repeats


def gold_places(
    text: str, places: Sequence[Place], repeats: Repeats, occurrence: int | None = None
) -> Sequence[Place] | Complaint:
    """The places that a gold text means, or what is wrong with it; ``occurrence`` is from 1.

    >>> twice = [Place("d7", 0, 5), Place("d7", 14, 19)]
    >>> gold_places("to be", twice, "error", occurrence=2)
    [Place(document='d7', start=14, end=19)]
    >>> gold_places("to be", twice, "error").expected
    'one place'
    """
    if occurrence is not None:
        inside = 1 <= occurrence <= len(places)
        return places[occurrence - 1 : occurrence] if inside else beyond(text, occurrence, places)
    if len(places) <= 1 or repeats == "all":
        return places
    return places[:1] if repeats == "first" else several(text, places)


def chunk_places(chunks: Sequence[Sequence[Place]]) -> list[Place | None]:
    """One place for each chunk of a table, from the places of its text; None where there is none.

    Each chunk begins after the one before it in its document; chunks may overlap. Where no document
    is named, a repeated chunk stays in the document of the chunk before it if it can, else it is in
    that of the next chunk whose place is certain. Chunks in no order take the first place that no
    earlier chunk has.

    >>> first, second = Place("d7", 0, 5), Place("d7", 14, 19)
    >>> chunk_places([[first, second], [Place("d7", 7, 13)], [first, second]])[2] == second
    True
    """
    chosen: list[Place | None] = []
    following = _certain_after(chunks)
    last: dict[str, int] = {}
    taken: set[Place] = set()
    document: str | None = None
    for places, certain in zip(chunks, following, strict=True):
        place = _next_place(places, certain, document, last, taken)
        chosen.append(place)
        if place is not None:
            taken.add(place)
            document, last[place.document] = place.document, place.start
    return chosen


def _certain_after(chunks: Sequence[Sequence[Place]]) -> list[Place | None]:
    """For each chunk the next one that has only one place."""
    following: list[Place | None] = []
    certain: Place | None = None
    for places in reversed(chunks):
        following.append(certain)
        certain = places[0] if len(places) == 1 else certain
    return following[::-1]


def _next_place(
    places: Sequence[Place],
    certain: Place | None,
    document: str | None,
    last: dict[str, int],
    taken: set[Place],
) -> Place | None:
    if len(places) < 2:
        return places[0] if places else None
    ahead = [each for each in places if each.start > last.get(each.document, -1)]
    for name in (document, None if certain is None else certain.document):
        here = next((each for each in ahead if each.document == name), None)
        if here is not None:
            return here
    free = (each for each in (*ahead, *places) if each not in taken)
    return next(free, places[0])


def answer_place(places: Sequence[Place], listed: Sequence[Place] = (), before: int = 0) -> Place:
    """The place of a retrieved text: one where the table of chunks lists it, else the first.

    ``before`` is how many earlier answers of the topic have the same text: a retriever that returns
    a repeated chunk twice means two of its places.

    >>> twice = [Place("d7", 0, 5), Place("d7", 14, 19)]
    >>> answer_place(twice).start, answer_place(twice, listed=twice[1:]).start
    (0, 14)
    """
    documents = {place.document for place in places}
    known = [place for place in listed if place.document in documents] or places
    return known[min(before, len(known) - 1)]
