"""Text that rows quote beside their offsets, compared with the documents by code point.

A quote with the same letters as its range (``text_folding.py``) agrees with it, and is counted.
Where they disagree, the row is a fault, with advice (``offset_advice.py``). No range is changed
unless the caller repairs what is wrong.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from spanwise.collection.chunk_order import chunk_places
from spanwise.collection.locate import Located
from spanwise.collection.offset_advice import advice, by_document, contains, quotes_that
from spanwise.collection.places import Place, Sought
from spanwise.collection.resolve_text import (
    Claim,
    TextSearch,
    moved_chunks,
    moved_run,
    table_places,
)
from spanwise.collection.text_folding import letters_of
from spanwise.data.assessments import Assessments
from spanwise.data.documents import Documents
from spanwise.data.judgements import Judgements
from spanwise.data.notes import Faults
from spanwise.data.run import Extent, Run
from spanwise.errors import NeedError
from spanwise.formats.chunks import ChunkTable
from spanwise.records import replace
from spanwise.text.units import Unit

_SHOWN = 40
_BEFORE = 15
"""Characters of a text in a message, and how many of them precede the difference."""


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
    compared = Comparison.of(claims, search, unit)
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
    compared = Comparison.of(claims, search, unit)
    wrong = [rows[number] for number in compared.wrong]
    if not wrong:
        return table
    if repair:
        places = _chunks_again(table, own, dict(zip(rows, claims, strict=True)), compared, search)
    else:
        lines = [table.line_of(row) for row in wrong]
        places = dict(zip(wrong, compared.settled(lines, search), strict=True))
    search.faults.settle()
    table = moved_chunks(table, places, search, unit)
    lost = [row for row, place in places.items() if place is None]
    return table.take(np.setdiff1d(np.arange(len(table)), lost))


def _chunks_again(
    table: ChunkTable,
    own: Sequence[Place],
    claims: Mapping[int, Claim],
    compared: Comparison,
    search: TextSearch,
) -> dict[int, Place | None]:
    """Where the chunks are whose texts, by row, are not at their offsets."""
    rows = list(claims)
    kept = {rows[number]: place for number, place in compared.kept(search).items()}
    moved = [rows[number] for number in compared.wrong if rows[number] not in kept]
    lines = [table.line_of(row) for row in moved]
    found = search.found_again([claims[row] for row in moved], lines)
    places = _in_order(own, rows, dict(zip(moved, found, strict=True)), table, search)
    search.keep(lines, [claims[row].quote for row in moved], found, places)
    return {**kept, **dict(zip(moved, places, strict=True))}


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
    compared = Comparison.of(claims, search, unit)
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
            None if passages.line is None else int(passages.line[row]) or None,
            text,
        )
    return replace(judgements.build(), file=judged.file).in_file_order()


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
    origin: str = "the collection"

    @classmethod
    def of(cls, claims: Sequence[Claim], search: TextSearch, unit: Unit) -> Comparison:
        """Compare all claims; other ways to count are tried only if some are wrong."""
        wrong = dict[int, str]()
        compared = alike = 0
        for numbers, text in by_document(claims, search.documents):
            compared += len(numbers)
            for number in numbers:
                claim = claims[number]
                there = text[claim.start : claim.end]
                if there == claim.quote:
                    continue
                if letters_of(there) == letters_of(claim.quote):
                    alike += 1
                else:
                    wrong[number] = there
        search.count("same letters", alike)
        wrong = dict(sorted(wrong.items()))
        said = advice(claims, wrong, search.documents, unit, compared) if wrong else ""
        return cls(claims, wrong, compared, said, search.documents.origin)

    def settled(
        self, lines: Sequence[int | None], search: TextSearch, *, repair: bool = False
    ) -> list[Place | None]:
        """Where the wrong texts are, of rows with these lines; None, and a fault, if unknown."""
        if not repair:
            for number, line in zip(self.wrong, lines, strict=True):
                search.faults.add("quote", line, *self.fault(number))
            return [None] * len(self.wrong)
        places: dict[int, Place | None] = {**self.kept(search)}
        moved = {
            number: line
            for number, line in zip(self.wrong, lines, strict=True)
            if number not in places
        }
        found = search.repaired([self.claims[number] for number in moved], [*moved.values()])
        places.update(zip(moved, found, strict=True))
        return [places[number] for number in self.wrong]

    def kept(self, search: TextSearch) -> dict[int, Place]:
        """Wrong texts that have more than what is at their offsets, which may well be right.

        A heading before a chunk is no reason to move it. But offsets that cut a text which is in
        the document are wrong.
        """
        more = [
            number for number, there in self.wrong.items() if contains(self.claims[number], there)
        ]
        there = self._in_documents(more, search)
        kept = {
            number: Place(claim.document, claim.start, claim.end)
            for number, claim in ((number, self.claims[number]) for number in more)
            if number not in there
        }
        search.count("kept offsets", len(kept))
        return kept

    def _in_documents(self, numbers: Sequence[int], search: TextSearch) -> set[int]:
        """Those whose text is in its document, exactly or folded; few have to be located."""
        claims = [self.claims[number] for number in numbers]
        likely = [
            numbers[place]
            for places, text in by_document(claims, search.documents)
            for letters in (letters_of(text),)
            for place in places
            if letters_of(claims[place].quote) in letters
        ]
        sought = [Sought(self.claims[each].quote, self.claims[each].document) for each in likely]
        found = search.locator.locate(sought)
        ways = zip(likely, found, strict=True)
        return {number for number, located in ways if located.how in ("exact", "folded")}

    def fault(self, number: int) -> tuple[str, str, str]:
        """Both texts around the first difference, and what to do."""
        claim, there = self.claims[number], self.wrong[number]
        count = quotes_that(len(self.wrong), self.compared, "disagree")
        differs = _first_difference(claim.quote, there)
        found = (
            f"the text {_excerpt(claim.quote, differs)} for [{claim.start}, {claim.end}) of"
            f" document {claim.document}"
        )
        expected = f"{_excerpt(there, differs)}, as in {self.origin} ({count})"
        return found, expected, self.advice


def _first_difference(one: str, other: str) -> int:
    pairs = enumerate(zip(one, other, strict=False))
    return next((place for place, (a, b) in pairs if a != b), min(len(one), len(other)))


def _excerpt(text: str, place: int) -> str:
    """Some characters around a place, escaped."""
    begin = max(0, place - _BEFORE) if len(text) > _SHOWN else 0
    shown = text[begin : begin + _SHOWN]
    before, after = "..." * (begin > 0), "..." * (begin + _SHOWN < len(text))
    return f"{before}{shown!r}{after}"
