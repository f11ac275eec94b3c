"""Which of the places of a repeated text is meant.

Gold must say it: a wrong place would be a wrong number. Chunks of a table come in the order of
their document (``chunk_order.py``). A retrieved answer is a chunk of that table or, without one,
the first place.
"""

from __future__ import annotations

from collections.abc import Sequence

from spanwise.collection.locate import Located
from spanwise.collection.location_faults import Complaint, beyond, several
from spanwise.collection.places import Place, Places
from spanwise.data.quoted import Repeats


def gold_places(
    text: str, located: Located, repeats: Repeats, occurrence: int | None = None
) -> Sequence[Place] | Complaint:
    """The places that a gold text means, or what is wrong with it; ``occurrence`` is from 1.

    >>> twice = Located((Place("d7", 0, 5), Place("d7", 14, 19)), "exact", 1.0)
    >>> gold_places("to be", twice, "error", occurrence=2)
    (Place(document='d7', start=14, end=19),)
    >>> gold_places("to be", twice, "error").expected
    'one place'
    """
    places = located.places
    if occurrence is not None:
        inside = 1 <= occurrence <= len(places)
        return places[occurrence - 1 : occurrence] if inside else beyond(text, occurrence, places)
    if repeats == "all":
        return (*places, *located.others)
    if len(places) <= 1:
        return places
    return places[:1] if repeats == "first" else several(text, located)


def answer_place(places: Sequence[Place], listed: Sequence[Place] = (), before: int = 0) -> Place:
    """The place of a retrieved text: one where the table of chunks lists it, else the first.

    ``before`` is how many earlier answers of the topic have the same text: a retriever that returns
    a repeated chunk twice means two of its places.

    >>> twice = [Place("d7", 0, 5), Place("d7", 14, 19)]
    >>> answer_place(twice).start, answer_place(twice, listed=twice[1:]).start
    (0, 14)
    """
    known = [place for place in listed if _in_one_of(place.document, places)]
    if known:
        return known[min(before, len(known) - 1)]
    number = min(before, len(places) - 1)
    return places[int(places.in_turn[number]) if isinstance(places, Places) else number]


def _in_one_of(document: str, places: Sequence[Place]) -> bool:
    if isinstance(places, Places):
        return document in places.documents
    return any(place.document == document for place in places)
