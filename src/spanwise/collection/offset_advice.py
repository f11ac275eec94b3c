"""What would make offsets agree with the texts beside them, with counts.

Other units, other line ends, normalised documents and offsets that are all moved alike are tried
only to advise; no range is changed.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple
from unicodedata import normalize

import numpy as np

from spanwise.collection.resolve_text import Claim
from spanwise.collection.text_folding import letters_of
from spanwise.data.documents import Documents
from spanwise.errors import NeedError, option
from spanwise.text.ranges import Integers
from spanwise.text.sentences import counted
from spanwise.text.units import Characters, Unit

_BYTE_ORDER_MARK = "\ufeff"
_LF = re.compile(r"(?<!\r)\n")
_REPAIR = option("repair", True)
_MOVED = 200
"""How many wrong texts are looked for near their offsets."""
_NEAR = 100
"""Characters before and after the offsets in which they are looked for."""
_SHIFTS = 3
"""How many shifts are tried on all texts."""


def advice(
    claims: Sequence[Claim],
    wrong: Mapping[int, str],
    collection: Documents,
    unit: Unit,
    compared: int,
) -> str:
    """What makes most texts agree: another way to count, a shift, or else to repair them."""
    agreeing = compared - len(wrong)
    counting, counts = _best_counting(claims, collection, unit)
    shift, moved = _best_shift(claims, wrong, collection)
    most = max(2, compared // 2 + 1)
    if shift is not None and moved >= most and moved > max(counts, agreeing):
        return f"{quotes_that(moved, compared, 'match')} {shift.advice()}"
    if counts > agreeing:
        return f"{quotes_that(counts, compared, 'match')} {counting.match}: {counting.remedy}"
    more = _headed(claims, wrong, collection)
    if more >= most:
        said = quotes_that(more, compared, "contain")
        return f"{said} what is at the offsets, and more: use {_REPAIR}, which keeps these offsets"
    lenient = option("lenient", True)
    return (
        "check that the offsets were computed on these documents, or use"
        f" {_REPAIR} to locate the texts, or {lenient} to drop the rows"
    )


def _headed(claims: Sequence[Claim], wrong: Mapping[int, str], collection: Documents) -> int:
    """How many texts have more than what is at their offsets, and more than the document has."""
    own = [number for number, there in wrong.items() if contains(claims[number], there)]
    some = [claims[number] for number in own]
    return sum(
        not _is_near(some[number], text)
        for numbers, text in by_document(some, collection)
        for number in numbers
    )


def _is_near(claim: Claim, text: str) -> bool:
    """Is a text that contains what is at its offsets around them, word for word?"""
    size = len(claim.quote)
    return claim.quote in text[max(claim.start - size, 0) : claim.end + size]


def contains(claim: Claim, there: str) -> bool:
    """Has a text all of what is at its offsets, and at most as much besides?"""
    own, letters = letters_of(claim.quote), letters_of(there)
    inside = len(there) == claim.end - claim.start
    return inside and len(own) <= 2 * len(letters) and letters in own


def by_document(claims: Sequence[Claim], collection: Documents) -> Iterator[tuple[list[int], str]]:
    """The claims about each document, and its text; documents without text are left out."""
    numbers: dict[str, list[int]] = defaultdict(list)
    for number, claim in enumerate(claims):
        numbers[claim.document].append(number)
    for document, own in numbers.items():
        try:
            yield own, collection.text(document)
        except NeedError:
            continue


def quotes_that(number: int, every: int, verb: str) -> str:
    """How many of the quotes do something.

    >>> quotes_that(1, 1, "match"), quotes_that(2, 1200, "disagree")
    ('1 of 1 quote matches', '2 of 1,200 quotes disagree')
    """
    ending = ("es" if verb.endswith("ch") else "s") if number == 1 else ""
    return f"{number:,} of {counted(every, 'quote')} {verb}{ending}"


# -- other ways to count


def _unchanged(text: str) -> str:
    return text


@dataclass(frozen=True, slots=True)
class Counting:
    """A way in which the offsets of a file may have been counted."""

    match: str
    """How quotes match, for messages."""
    remedy: str
    unit: Unit = "codepoint"
    text: Callable[[str], str] = _unchanged

    def agrees(self, text: str, claims: Sequence[Claim], offsets: Integers) -> int:
        """The number of claims about one document that would be right."""
        text = self.text(text)
        places, wrong = Characters.of(text, self.unit).codepoints(offsets)
        rows = zip(claims, places.tolist(), wrong.tolist(), strict=True)
        return sum(
            not any(astray) and _same(claim.quote, text[start:end])
            for claim, (start, end), astray in rows
        )


def _same(quote: str, there: str) -> bool:
    """Whether two texts are equal but for white space."""
    if quote == there:
        return True
    return quote.lstrip()[:1] == there.lstrip()[:1] and quote.split() == there.split()


def _only(unit: Unit) -> str:
    """What to do if offsets count a unit: it holds for all files of a command."""
    own = option("unit", unit)
    one = f"convert it first (spanwise convert with {own}), or use {_REPAIR}"
    return f"use {own} if all files count so; if only this one does, {one}"


_LINE_ENDS = (
    "their offsets are shifted by the number of line ends before them, as when a file is read with"
    f" newline translation; compute them on the documents as they are, or use {_REPAIR}"
)
COUNTINGS = (
    Counting(
        "with codepoint",
        f"leave out {option('unit')}; if other files need it, convert those first (spanwise convert"
        f" with {option('unit')})",
    ),
    Counting("with utf16", _only("utf16"), "utf16"),
    Counting("with byte", _only("byte"), "byte"),
    Counting("if CRLF is read as LF", _LINE_ENDS, text=lambda text: text.replace("\r\n", "\n")),
    Counting("if LF is read as CRLF", _LINE_ENDS, text=lambda text: _LF.sub("\r\n", text)),
    Counting(
        "without the byte order mark",
        f"add 1 to the offsets of documents that begin with one, or use {_REPAIR}",
        text=lambda text: text.removeprefix(_BYTE_ORDER_MARK),
    ),
    Counting(
        "if the documents are normalised to NFC",
        f"compute the offsets on the documents as they are, or use {_REPAIR}",
        text=lambda text: normalize("NFC", text),
    ),
)


def _best_counting(
    claims: Sequence[Claim], collection: Documents, unit: Unit
) -> tuple[Counting, int]:
    """The way to count with which most texts agree, and how many do."""
    counts = [0] * len(COUNTINGS)
    for numbers, text in by_document(claims, collection):
        own = [claims[number] for number in numbers]
        offsets = _as_written(own, text, unit)
        for place, counting in enumerate(COUNTINGS):
            counts[place] += counting.agrees(text, own, offsets)
    best = max(range(len(COUNTINGS)), key=counts.__getitem__)
    return COUNTINGS[best], counts[best]


def _as_written(claims: Sequence[Claim], text: str, unit: Unit) -> Integers:
    """The offsets as the file had them, in its own unit."""
    places = np.array([(claim.start, claim.end) for claim in claims], np.int64)
    edges = Characters.of(text, unit).edges
    inside = np.minimum(places, len(edges) - 1)
    return np.where(places == inside, edges[inside], places)


# -- offsets that are all moved alike


class Shift(NamedTuple):
    """How far the start and the end of a text are from its offsets."""

    start: int
    end: int

    def advice(self) -> str:
        """When texts match, and what to do.

        >>> from spanwise.errors import spoken
        >>> spoken(Shift(0, 1).advice(), "command line")
        'if 1 is added to the end (inclusive ends): add it, or use --repair'
        """
        if self.start == self.end:
            one_based = " (they count from 1)" if self.start == -1 else ""
            return f"if moved by {self.start:+}{one_based}: move the offsets, or use {_REPAIR}"
        if self == (0, 1):
            return f"if 1 is added to the end (inclusive ends): add it, or use {_REPAIR}"
        moves = f"if the start is moved by {self.start:+} and the end by {self.end:+}"
        return f"{moves}: move the offsets, or use {_REPAIR}"

    def agrees(self, text: str, claim: Claim) -> bool:
        """Is the text of a claim where the shift leads to?"""
        start, end = claim.start + self.start, claim.end + self.end
        return start >= 0 and _same(claim.quote, text[start:end])


def _best_shift(
    claims: Sequence[Claim], wrong: Mapping[int, str], collection: Documents
) -> tuple[Shift | None, int]:
    """The shift with which most texts agree, and how many do.

    Shifts are those of some wrong texts from the same text nearby.
    """
    chosen = list(wrong)[:: len(wrong) // _MOVED + 1]
    some = [claims[number] for number in chosen]
    seen = Counter(
        shift
        for numbers, text in by_document(some, collection)
        for number in numbers
        for shift in _shifts(some[number], text)
    )
    counts = Counter[Shift]()
    shifts = [shift for shift, count in seen.most_common(_SHIFTS) if 2 * count > len(some)]
    for numbers, text in by_document(claims, collection) if shifts else ():
        for shift in shifts:
            counts[shift] += sum(shift.agrees(text, claims[number]) for number in numbers)
    return max(counts.items(), key=lambda each: each[1], default=(None, 0))


def _shifts(claim: Claim, text: str) -> set[Shift]:
    """How far the text of a claim is from its offsets, before and after them."""
    quote = claim.quote.strip()
    if not quote:
        return set()
    lead = len(claim.quote) - len(claim.quote.lstrip())
    low, high = max(claim.start - _NEAR, 0), claim.end + _NEAR
    before = text.rfind(quote, low, claim.start + lead + len(quote))
    after = text.find(quote, max(claim.start + lead, 0), high)
    starts = [place - lead for place in (before, after) if place >= 0]
    return {
        Shift(start - claim.start, start + len(claim.quote) - claim.end)
        for start in starts
        if abs(start - claim.start) <= _NEAR
    }
