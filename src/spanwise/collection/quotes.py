"""Text that rows quote beside their offsets, compared with the documents by code point.

Where a quote and its range disagree, the row is a fault. Other ways to count (UTF-16, bytes, line
ends, normalised text) are tried only to advise which would make more quotes agree. No range is
changed unless the caller repairs what is wrong.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from unicodedata import normalize

import numpy as np

from spanwise.collection.locate import Located, Place, Sought
from spanwise.collection.repeats import chunk_places
from spanwise.collection.resolve_text import (
    Claim,
    TextSearch,
    moved_chunks,
    moved_run,
    table_places,
)
from spanwise.data.assessments import Assessments
from spanwise.data.documents import Documents
from spanwise.data.judgements import Judgements
from spanwise.data.notes import Faults
from spanwise.data.run import Extent, Run
from spanwise.errors import NeedError, option
from spanwise.formats.chunks import ChunkTable
from spanwise.records import replace
from spanwise.text.ranges import Integers
from spanwise.text.sentences import counted
from spanwise.text.units import Characters, Unit

_SHOWN = 40
_BEFORE = 15
"""Characters of a text in a message, and how many of them precede the difference."""
_BYTE_ORDER_MARK = "\ufeff"
_LF = re.compile(r"(?<!\r)\n")


def verified_run(run: Run, search: TextSearch, unit: Unit, *, repair: bool = False) -> Run:
    """The answers whose quoted text is at their range; the others are faults, or are repaired.

    Ranges are in code points; ``unit`` is what the offsets in the file count.
    """
    if run.quotes is None:
        return run
    quotes = run.quotes
    rows = [row for row in _ranges(run) if quotes[row] is not None]
    claims = [
        Claim(run.documents[row], int(run.start[row]), int(run.end[row]), quotes[row] or "")
        for row in rows
    ]
    compared = Comparison.of(claims, search.documents, unit)
    wrong = [rows[number] for number in compared.wrong]
    if not wrong:
        return run
    places = compared.settled([run.line_of(row) for row in wrong], search, repair=repair)
    search.faults.settle()
    run = moved_run(run, dict(zip(wrong, places, strict=True)), search)
    lost = [row for row, place in zip(wrong, places, strict=True) if place is None]
    return run.take(np.setdiff1d(np.arange(len(run)), lost))


def _ranges(run: Run) -> list[int]:
    rows: list[int] = np.flatnonzero(run.extent == Extent.RANGE).tolist()
    return rows


def verified_chunks(
    table: ChunkTable, search: TextSearch, unit: Unit, *, repair: bool = False
) -> ChunkTable:
    """The chunks whose text is at their range; the others are faults, or are repaired."""
    if table.quotes is None:
        return table
    quotes, own = table.quotes, table_places(table, search.documents, unit)
    rows = [row for row in np.flatnonzero(~table.unplaced).tolist() if quotes[row] is not None]
    claims = [
        Claim(own[row].document, own[row].start, own[row].end, quotes[row] or "") for row in rows
    ]
    compared = Comparison.of(claims, search.documents, unit)
    wrong = [rows[number] for number in compared.wrong]
    if not wrong:
        return table
    lines = [table.line_of(row) for row in wrong]
    if repair:
        found = search.found_again([compared.claims[number] for number in compared.wrong], lines)
        places = _in_order(own, rows, dict(zip(wrong, found, strict=True)), table, search)
        search.keep(lines, [quotes[row] or "" for row in wrong], found, places)
    else:
        places = compared.settled(lines, search)
    search.faults.settle()
    table = moved_chunks(table, dict(zip(wrong, places, strict=True)), search, unit)
    lost = [row for row, place in zip(wrong, places, strict=True) if place is None]
    return table.take(np.setdiff1d(np.arange(len(table)), lost))


def _in_order(
    own: Sequence[Place],
    rows: Sequence[int],
    found: Mapping[int, Located],
    table: ChunkTable,
    search: TextSearch,
) -> list[Place | None]:
    """Where chunks with wrong offsets are; of several places, as the order of chunks decides."""
    candidates: list[Sequence[Place]] = [()] * len(own)
    for row in rows:
        candidates[row] = found[row].places if row in found else (own[row],)
    # Those without offsets have their place in the order, too; they are reported later.
    texts, unplaced = table.quotes or (), np.flatnonzero(table.unplaced).tolist()
    sought = [Sought(texts[row] or "", table.documents[row] or None) for row in unplaced]
    for row, located in zip(unplaced, search.locator.locate(sought), strict=True):
        candidates[row] = located.places
    search.count("repeated chunks", sum(len(located.places) > 1 for located in found.values()))
    chosen = chunk_places(candidates)
    return [chosen[row] for row in found]


def verified_assessments(
    judged: Assessments, search: TextSearch, unit: Unit, *, repair: bool = False
) -> Assessments:
    """The judgements whose quoted text is at their range; the others are faults, or are repaired.

    Documents whose text is not the assessed one are faults.
    """
    passages, quotes = judged.passages, judged.passages.quotes or ()
    rows = [row for row, quote in enumerate(quotes) if quote is not None]
    claims = [
        Claim(
            judged.documents[int(passages.pair[row])],
            int(passages.start[row]),
            int(passages.end[row]),
            quotes[row] or "",
        )
        for row in rows
    ]
    compared = Comparison.of(claims, search.documents, unit)
    wrong = [rows[number] for number in compared.wrong]
    lines = [None if passages.line is None else int(passages.line[row]) or None for row in wrong]
    places = compared.settled(lines, search, repair=repair)
    _compare_hashes(judged, search.documents, search.faults)
    search.faults.settle()
    return _with_moved(judged, dict(zip(wrong, places, strict=True)), search)


def _compare_hashes(judged: Assessments, collection: Documents, faults: Faults) -> None:
    """Add faults for documents whose hash is not that of the assessed ones."""
    for document, said in judged.hashes.items():
        try:
            own = collection.sha256(document)
        except NeedError:
            continue
        if own != said.lower():
            found = f"sha256 {said[:12]}... of document {document}"
            expected = f"{own[:12]}..., as of its text in the collection {collection.name}"
            faults.add("sha256", None, found, expected, "give the collection that was assessed")


def _with_moved(
    judged: Assessments, places: Mapping[int, Place | None], search: TextSearch
) -> Assessments:
    """The judgements with some ranges at other places, or without them."""
    if not places:
        return judged
    judgements, passages = Judgements(search.faults), judged.passages
    judgements.add_all(judged, without=set(places))
    for row, place, text in search.texts_at(places):
        judgements.add_range(
            judged.topics[int(judged.topic[passages.pair[row]])],
            place.document,
            place.start,
            place.end,
            int(passages.grade[row]),
            passages.aspects[row],
            quote=text,
        )
    return replace(judgements.build(), file=judged.file)


# -- what is quoted, and what is there


@dataclass(frozen=True, slots=True)
class Comparison:
    """Claims compared with the texts of a collection."""

    claims: Sequence[Claim]
    wrong: dict[int, str]
    """The actual text, by the number of the claim that differs from it."""
    compared: int
    """The number of claims about documents whose text is known."""
    advice: str

    @classmethod
    def of(cls, claims: Sequence[Claim], collection: Documents, unit: Unit) -> Comparison:
        """Compare all claims; other ways to count are tried only if some are wrong."""
        wrong, compared = dict[int, str](), 0
        for numbers, text in _by_document(claims, collection):
            compared += len(numbers)
            for number in numbers:
                claim = claims[number]
                if text[claim.start : claim.end] != claim.quote:
                    wrong[number] = text[claim.start : claim.end]
        agreeing = compared - len(wrong)
        advice = _advice(claims, collection, unit, agreeing, compared) if wrong else ""
        return cls(claims, dict(sorted(wrong.items())), compared, advice)

    def settled(
        self, lines: Sequence[int | None], search: TextSearch, *, repair: bool = False
    ) -> list[Place | None]:
        """Where the wrong texts are, of rows with these lines; None, and a fault, if unknown."""
        if repair:
            return search.repaired([self.claims[number] for number in self.wrong], lines)
        for number, line in zip(self.wrong, lines, strict=True):
            search.faults.add("quote", line, *self.fault(number))
        return [None] * len(self.wrong)

    def fault(self, number: int) -> tuple[str, str, str]:
        """Both texts around the first difference, and what to do."""
        claim, there = self.claims[number], self.wrong[number]
        count = _share(len(self.wrong), self.compared, "disagree")
        differs = _first_difference(claim.quote, there)
        found = (
            f"the text {_excerpt(claim.quote, differs)} for [{claim.start}, {claim.end}) of"
            f" document {claim.document}"
        )
        expected = f"{_excerpt(there, differs)}, as in the collection ({count})"
        return found, expected, self.advice


def _by_document(claims: Sequence[Claim], collection: Documents) -> Iterator[tuple[list[int], str]]:
    """The claims about each document, and its text; documents without text are left out."""
    numbers: dict[str, list[int]] = defaultdict(list)
    for number, claim in enumerate(claims):
        numbers[claim.document].append(number)
    for document, own in numbers.items():
        try:
            yield own, collection.text(document)
        except NeedError:
            continue


def _share(number: int, every: int, verb: str) -> str:
    """How many of the quotes do something.

    >>> _share(1, 1, "match"), _share(2, 1200, "disagree")
    ('1 of 1 quote matches', '2 of 1,200 quotes disagree')
    """
    ending = ("es" if verb.endswith("ch") else "s") if number == 1 else ""
    return f"{number:,} of {counted(every, 'quote')} {verb}{ending}"


def _first_difference(one: str, other: str) -> int:
    pairs = enumerate(zip(one, other, strict=False))
    return next((place for place, (a, b) in pairs if a != b), min(len(one), len(other)))


def _excerpt(text: str, place: int) -> str:
    """Some characters around a place, escaped."""
    begin = max(0, place - _BEFORE) if len(text) > _SHOWN else 0
    shown = text[begin : begin + _SHOWN]
    before, after = "..." * (begin > 0), "..." * (begin + _SHOWN < len(text))
    return f"{before}{shown!r}{after}"


# -- other ways to read the offsets


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
    """Whether two texts are equal except for their kind of line ends."""
    return quote == there or quote.replace("\r\n", "\n") == there.replace("\r\n", "\n")


_REPAIR = option("repair", True)
_LINE_ENDS = (
    "their offsets are shifted by the number of line ends before them, as when a file is read with"
    f" newline translation; compute them on the documents as they are, or use {_REPAIR}"
)
COUNTINGS = (
    Counting("with codepoint", f"use {option('unit', 'codepoint')}"),
    Counting("with utf16", f"use {option('unit', 'utf16')}", "utf16"),
    Counting("with byte", f"use {option('unit', 'byte')}", "byte"),
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


def _advice(
    claims: Sequence[Claim], collection: Documents, unit: Unit, agreeing: int, compared: int
) -> str:
    """The way to count with which most quotes agree, if more than now."""
    counts = [0] * len(COUNTINGS)
    for numbers, text in _by_document(claims, collection):
        own = [claims[number] for number in numbers]
        offsets = _as_written(own, text, unit)
        for place, counting in enumerate(COUNTINGS):
            counts[place] += counting.agrees(text, own, offsets)
    best = max(range(len(COUNTINGS)), key=counts.__getitem__)
    if counts[best] <= agreeing:
        lenient = option("lenient", True)
        return (
            "check that the offsets were computed on these documents, or use"
            f" {_REPAIR} to locate the texts, or {lenient} to drop the rows"
        )
    counting = COUNTINGS[best]
    if counting.unit == unit and counting.text is _unchanged:
        return (
            "the quotes have other line ends than the documents; quote the text exactly, or use"
            f" {_REPAIR}"
        )
    matching = f"{_share(counts[best], compared, 'match')} {counting.match}"
    return f"{matching}: {counting.remedy}"


def _as_written(claims: Sequence[Claim], text: str, unit: Unit) -> Integers:
    """The offsets as the file had them, in its own unit."""
    places = np.array([(claim.start, claim.end) for claim in claims], np.int64)
    edges = Characters.of(text, unit).edges
    inside = np.minimum(places, len(edges) - 1)
    return np.where(places == inside, edges[inside], places)
