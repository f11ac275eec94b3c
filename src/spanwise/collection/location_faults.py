"""What to say of text that is found nowhere, or at several places."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

from spanwise.collection.locate import Located
from spanwise.collection.places import Place, Sought
from spanwise.collection.similar_text import LEAST, SHORTEST, is_long
from spanwise.errors import option, shown
from spanwise.text.sentences import counted

LISTED = 5
"""How many places a message lists."""
ALMOST = 0.99
"""The most that is shown as the similarity of texts that are not the same."""


class Complaint(NamedTuple):
    """What ``Faults.add`` takes after the rule and the line."""

    found: str
    expected: str
    remedy: str

    def counting(self, number: int, every: int) -> Complaint:
        """The same, with how many texts it holds for."""
        expected = f"{self.expected} ({number:,} of {counted(every, 'text')})"
        return Complaint(self.found, expected, self.remedy)


def several(text: str, located: Located) -> Complaint:
    """A text that stands at more than one place.

    >>> several("to be", Located((Place("d7", 0, 5), Place("d7", 14, 19)), "exact", 1.0)).found
    "the text 'to be' at 2 places: d7 [0, 5), d7 [14, 19)"
    """
    places, more = located.places, ", ..." if len(located.places) > LISTED else ""
    listed = ", ".join(map(shown_place, places[:LISTED]))
    at = "about equally similar to" if located.how == "similar" else "at"
    found = f"the text {shown(text)} {at} {len(places):,} places: {listed}{more}"
    first, every = option("repeats", "first"), option("repeats", "all")
    add = "add its start or its occurrence (1 is the first) to the row"
    if located.how == "similar":
        add = "quote one of them exactly, or add its occurrence (1 is the first) to the row"
    remedy = f"{add}, or use {first} or {every}"
    return Complaint(found, "one place", remedy)


def beyond(text: str, occurrence: int, places: Sequence[Place]) -> Complaint:
    """An occurrence of a text that does not occur so often."""
    count = len(places)
    times = "once" if count == 1 else f"{count:,} times"
    found = f"occurrence {occurrence:,} of the text {shown(text)}, which occurs {times}"
    expected = "1" if count == 1 else f"1 to {count:,}"
    return Complaint(found, expected, "give the occurrence that is meant")


def nowhere(sought: Sought, located: Located, collection: str) -> Complaint:
    """A text that was not found, with the nearest place."""
    text, document = shown(sought.text), sought.document
    if located.reason == "empty":
        return Complaint(_empty(sought.text), "text to look for", "quote the text")
    if located.reason in ("unknown document", "no text"):
        what = "it" if located.reason == "unknown document" else "its text"
        found = f"text of document {document}"
        return Complaint(found, f"{what} in the collection {collection}", _GIVE)
    where = f"document {document}" if document is not None else "any document"
    near = "" if located.nearest is None else f" (nearest: {_nearest(sought, located)})"
    remedy = _INSTALL if located.reason == "needs rapidfuzz" else _QUOTE
    if located.reason == "cut character":
        remedy = _WHOLE
    elif near and not is_long(sought.text):
        remedy = _SHORT
    found = f"the text {text}, which is not in {where}{near}"
    return Complaint(found, f"text of the collection {collection}", remedy)


def shown_place(place: Place) -> str:
    """A place as messages show it."""
    return f"{place.document} [{place.start}, {place.end})"


def shown_similarity(similarity: float) -> str:
    """A similarity as messages show it, of texts that are not the same.

    Rounded down: what is refused never seems to be enough, and what differs never the same.

    >>> shown_similarity(0.899), shown_similarity(0.98), shown_similarity(1.0)
    ('0.89', '0.98', '0.99')
    """
    return f"{min(math.floor(similarity * 100 + 1e-9) / 100, ALMOST):.2f}"


def _empty(text: str) -> str:
    if not text:
        return "an empty text"
    return f"text of {'white space' if text.isspace() else 'invisible characters'} only"


def _nearest(sought: Sought, located: Located) -> str:
    assert located.nearest is not None
    place = shown_place(located.nearest)
    if located.reason == "cut character":
        return f"{place}, where the text begins or ends inside a character"
    if located.reason == "white space":
        return f"{place}, the same letters with other white space"
    least = f", below {LEAST}" if is_long(sought.text) else ""
    return f"{place}, similarity {shown_similarity(located.similarity)}{least}"


_GIVE = "give the collection that was quoted, or fix the name"
_QUOTE = "quote the text exactly"
_WHOLE = "quote whole characters, with their accents: a ligature such as ﬁ is one character"
_INSTALL = "quote the text exactly; pip install 'spanwise[fuzzy]' would look for similar text"
_SHORT = (
    f"quote the text exactly: texts under {SHORTEST} characters must match but for white space and"
    " punctuation forms"
)
