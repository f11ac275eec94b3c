"""Text that rows have instead of a range, located in the documents; nothing is placed silently."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence

import numpy as np

from spanwise.collection.chunk_order import chunk_places
from spanwise.collection.locate import Located, Locator
from spanwise.collection.location_faults import (
    Complaint,
    nowhere,
    shown_place,
    shown_similarity,
)
from spanwise.collection.places import Place, Sought, as_places
from spanwise.collection.repeats import answer_place, gold_places
from spanwise.data.assessments import Assessments
from spanwise.data.documents import Documents
from spanwise.data.identifiers import Identifiers
from spanwise.data.judgements import Judgements
from spanwise.data.notes import Faults, Note
from spanwise.data.quoted import Quoted, Repeats
from spanwise.data.run import NOT_FOUND, Extent, Run
from spanwise.errors import shown
from spanwise.formats.chunks import ChunkTable
from spanwise.records import Struct, replace
from spanwise.text.ranges import Integers
from spanwise.text.sentences import counted
from spanwise.text.units import Characters, Unit

_LOOKED_ELSEWHERE = 1000
"""Texts that are not in their own document and are looked for in all others."""
_NO_STARTS: Mapping[int, int] = {}


class Claim(Struct, frozen=True):
    """A text that a row claims to be at ``[start, end)`` of a document."""

    document: str
    start: int
    end: int
    quote: str


class Placement(Struct, frozen=True):
    """Where the text of a row was located."""

    line: int | None
    text: str
    """As the row has it."""
    located: Located
    place: Place | None
    """Of all places the one that is meant; None if that is not known, or there is none."""


def beginning(located: Located, start: int) -> Located:
    """The places that begin at a character, in whatever way they were found; all if none does."""
    for places in (located.places, located.others):
        here = as_places(places).beginning(start) if len(located.places) and places else ()
        if len(here):
            return replace(located, places=here, others=())
    return located


class TextSearch(Struct, frozen=True, eq=False):
    """Locates the texts of rows; what is nowhere is a fault, what is not exact is noted."""

    locator: Locator
    documents: Documents
    faults: Faults
    placements: list[Placement] | None = None
    """What was located, for those who ask row by row."""
    unit: Unit = "codepoint"
    """What offsets count; those of rows without a document are compared in code points alone."""

    def located(
        self,
        sought: Sequence[Sought],
        lines: Sequence[int | None],
        starts: Mapping[int, int] = _NO_STARTS,
    ) -> list[Located]:
        """Where the text of each row is; of several places the one that begins at its start.

        ``starts`` is by the number of the row. Where none of the places begins there, it says
        nothing.
        """
        found = self.locator.locate(sought)
        for number, start in starts.items() if self.unit == "codepoint" else ():
            found[number] = beginning(found[number], start)
        elsewhere = self._elsewhere(sought, found)
        lost = sum(located.how == "nowhere" for located in found)
        for number, located in enumerate(found):
            if located.how == "nowhere":
                complaint = nowhere(sought[number], located, self.documents.name)
                what, expected, remedy = complaint.counting(lost, len(found))
                where = elsewhere.get(number)
                remedy = remedy if where is None else f"it is in document {where}; fix the name"
                self.faults.add("text", lines[number], what, expected, remedy)
            elif located.how == "similar":
                self._note_similar(sought[number], located, lines[number])
        lost_places = sum(not located.all_kept for located in found)
        self.count("places not kept", lost_places)
        return found

    def repaired(self, claims: Sequence[Claim], lines: Sequence[int | None]) -> list[Place | None]:
        """Where texts are whose offsets are wrong: of several places the one nearest to them."""
        found = self.found_again(claims, lines)
        several = sum(len(located.places) > 1 for located in found)
        nearest = [
            as_places(located.places).nearest(claim.document, claim.start)
            for claim, located in zip(claims, found, strict=True)
        ]
        tied = sum(len(each) > 1 for each in nearest)
        ties = f"; the first of two that are equally near for {tied:,} of them" if tied else ""
        self.count("repeated texts", several, f"the places nearest to the offsets are used{ties}")
        places = [each[0] if each else None for each in nearest]
        self.keep(lines, [claim.quote for claim in claims], found, places)
        return places

    def keep(
        self,
        lines: Iterable[int | None],
        texts: Iterable[str],
        found: Iterable[Located],
        places: Iterable[Place | None],
    ) -> None:
        """Keep what was located row by row, if somebody asks for it."""
        if self.placements is not None:
            rows = zip(lines, texts, found, places, strict=True)
            self.placements.extend(Placement(*row) for row in rows)

    def texts_at(self, places: Mapping[int, Place | None]) -> Iterator[tuple[int, Place, str]]:
        """What documents have at these places, by number; each document is read once."""
        by_document: dict[str, list[tuple[int, Place]]] = {}
        for number, place in places.items():
            if place is not None:
                by_document.setdefault(place.document, []).append((number, place))
        for document, mine in by_document.items():
            text = self.documents.text(document)
            yield from ((number, place, text[place.start : place.end]) for number, place in mine)

    def found_again(self, claims: Sequence[Claim], lines: Sequence[int | None]) -> list[Located]:
        """All places of texts whose offsets are wrong."""
        sought = [Sought(claim.quote, claim.document) for claim in claims]
        found = self.located(sought, lines)
        self.note("repaired", found)
        return found

    def note(self, kind: str, found: Iterable[Located], detail: str = "") -> None:
        """Count what was located, and what of it is not word for word so."""
        ways = Counter(located.how for located in found)
        self.count(kind, ways.total() - ways["nowhere"], detail)
        self.count("folded", ways["folded"])

    def count(self, kind: str, number: int, detail: str = "") -> None:
        """Note how often something was decided."""
        if number:
            self.faults.tally(Note(kind, number, detail=detail))

    def _elsewhere(self, sought: Sequence[Sought], found: Sequence[Located]) -> Mapping[int, str]:
        """Documents that have the texts which their own documents do not have."""
        lost = [
            number
            for number, located in enumerate(found)
            if located.how == "nowhere" and sought[number].document is not None
        ][:_LOOKED_ELSEWHERE]
        others = self.locator.locate([Sought(sought[number].text) for number in lost])
        return {
            number: other.places[0].document
            for number, other in zip(lost, others, strict=True)
            if other.how in ("exact", "folded")
        }

    def _note_similar(self, sought: Sought, located: Located, line: int | None) -> None:
        """One note for each row, as a similar place may be a wrong one."""
        row = "" if line is None else f"line {line}: "
        place = shown_place(located.places[0])
        similarity = shown_similarity(located.similarity)
        more = len(located.places) - 1
        others = f", as {counted(more, 'other place')}" if more else ""
        said = f"{row}{shown(sought.text)} at {place}, similarity {similarity}{others}"
        self.faults.note(Note("similar", names=(said,)))


# -- runs


def run_with_places(
    run: Run, search: TextSearch, chunks: ChunkTable | None = None, unit: Unit = "codepoint"
) -> Run:
    """The answers that are known by their text, as ranges; the table's offsets are in ``unit``."""
    rows = np.flatnonzero(run.extent == Extent.TEXT)
    if not len(rows) or run.quotes is None:
        return run
    sought = [Sought(run.quotes[row] or "", run.documents[row] or None) for row in rows.tolist()]
    lines = [run.line_of(row) for row in rows.tolist()]
    found = search.located(sought, lines, _claimed(run.start[rows], run.end[rows]))
    search.faults.settle()
    good = np.array([bool(located.places) for located in found], np.bool_)
    search.note("located answers", found, _not_found(run.start[rows[good]]))
    listed = {} if chunks is None else _listed(chunks, search, unit)
    places = _answer_places(run.topic[rows], sought, found, listed, search)
    search.keep(lines, [each.text for each in sought], found, places)
    moved = moved_run(run, dict(zip(rows.tolist(), places, strict=True)), search)
    return moved.take(np.setdiff1d(np.arange(len(run)), rows[~good]))


def _claimed(start: Integers, end: Integers) -> dict[int, int]:
    """The starts that rows claim whose document is not known, by row."""
    said = np.flatnonzero((start >= 0) & (end > 0))
    return dict(zip(said.tolist(), start[said].tolist(), strict=True))


def moved_run(run: Run, places: Mapping[int, Place | None], search: TextSearch) -> Run:
    """The run with some of its answers at other places, with their text; None: as they are."""
    documents, extent = run.documents.strings(), run.extent.copy()
    start, end, quotes = run.start.copy(), run.end.copy(), list(run.quotes or ())
    for row, place, text in search.texts_at(places):
        documents[row], start[row], end[row] = place.document, place.start, place.end
        extent[row], quotes[row] = Extent.RANGE, text
    return replace(
        run,
        documents=Identifiers.of(documents),
        extent=extent,
        start=start,
        end=end,
        quotes=tuple(quotes),
    )


def _answer_places(
    topic: Integers,
    sought: Sequence[Sought],
    found: Sequence[Located],
    listed: Mapping[str, Sequence[Place]],
    search: TextSearch,
) -> list[Place | None]:
    """One place for each answer: where the table lists its text, else the first."""
    seen: Counter[tuple[int, Sought]] = Counter()
    places: list[Place | None] = []
    repeated = 0
    for number, (each, located) in enumerate(zip(sought, found, strict=True)):
        if not located.places:
            places.append(None)
            continue
        key = (int(topic[number]), each)
        places.append(answer_place(located.places, listed.get(each.text, ()), seen[key]))
        seen[key] += 1
        repeated += len(located.places) > 1
    rule = "the table of chunks decides" if listed else "the first places are used"
    search.count("repeated answers", repeated, rule)
    return places


def _listed(chunks: ChunkTable, search: TextSearch, unit: Unit) -> dict[str, list[Place]]:
    """Where the table has each text."""
    listed: dict[str, list[Place]] = {}
    places = table_places(chunks, search.documents, unit)
    for quote, place in zip(chunks.quotes or (), places, strict=False):
        if quote is not None:
            listed.setdefault(quote, []).append(place)
    return listed


def table_places(table: ChunkTable, documents: Documents, unit: Unit) -> list[Place]:
    """Where the table has its chunks, in code points; as it says where there is no document."""
    columns = (table.documents.strings(), table.start.tolist(), table.end.tolist())
    places = [Place(*place) for place in zip(*columns, strict=True)]
    if unit == "codepoint":
        return places
    characters = dict[str, Characters]()
    for row, place in enumerate(places):
        if place.document not in characters and place.document in documents.lengths:
            characters[place.document] = Characters.of(documents.text(place.document), unit)
        if place.document in characters:
            ends = np.array((place.start, place.end), np.int64)
            start, end = characters[place.document].codepoints(ends)[0].tolist()
            places[row] = Place(place.document, start, end)
    return places


def _not_found(start: Integers) -> str:
    """What is said of rows whose start is -1."""
    missing = int(np.count_nonzero(start == NOT_FOUND))
    if not missing:
        return ""
    some = "" if missing == len(start) else f"{missing:,} of them with "
    return f" ({some}-1, which LangChain writes for a chunk that it did not find)"


# -- tables of chunks


def chunks_with_places(table: ChunkTable, search: TextSearch, unit: Unit) -> ChunkTable:
    """The chunks that are known by their text, as ranges in the unit of the table."""
    rows = np.flatnonzero(table.unplaced)
    if not len(rows) or table.quotes is None:
        return table
    sought = [
        Sought(table.quotes[row] or "", table.documents[row] or None) for row in rows.tolist()
    ]
    lines = [table.line_of(row) for row in rows.tolist()]
    found = search.located(sought, lines, _claimed(table.start[rows], table.end[rows]))
    search.faults.settle()
    own = table_places(table, search.documents, unit)
    candidates: list[Sequence[Place]] = [(place,) for place in own]
    for row, located in zip(rows.tolist(), found, strict=True):
        candidates[row] = located.places
    doubtful = _places_after_lost_chunks(table, own, search.locator)
    for row, places in doubtful.items():
        candidates[row] = places
    chosen = chunk_places(candidates)
    good = np.array([row for row in rows.tolist() if chosen[row] is not None], np.int64)
    search.note("located chunks", found, _not_found(table.start[good]))
    search.count("repeated chunks", sum(len(located.places) > 1 for located in found))
    wrong = [row for row in doubtful if chosen[row] != own[row]]
    search.count("wrong occurrences", len(wrong))
    search.keep(lines, [e.text for e in sought], found, [chosen[row] for row in rows.tolist()])
    moves = {row: chosen[row] for row in (*good.tolist(), *wrong)}
    moved = moved_chunks(table, moves, search, unit)
    return moved.take(np.setdiff1d(np.arange(len(table)), np.setdiff1d(rows, good)))


def _places_after_lost_chunks(
    table: ChunkTable, own: Sequence[Place], locator: Locator
) -> dict[int, Sequence[Place]]:
    """All places of chunks with right offsets, in documents of which a splitter lost one (-1).

    LangChain looks for the chunk after it from the beginning, and finds repeated text too early.
    """
    quotes = table.quotes or ()
    lost = {own[row].document for row in np.flatnonzero(table.start == NOT_FOUND).tolist()}
    rows = [
        row
        for row in np.flatnonzero(~table.unplaced).tolist()
        if own[row].document in lost and quotes[row] is not None
    ]
    found = locator.locate([Sought(quotes[row] or "", own[row].document) for row in rows])
    return {
        row: located.places
        for row, located in zip(rows, found, strict=True)
        if as_places(located.places).has(own[row])
    }


def moved_chunks(
    table: ChunkTable, places: Mapping[int, Place | None], search: TextSearch, unit: Unit
) -> ChunkTable:
    """The table with some of its chunks at other places; its offsets stay in its own unit."""
    documents, start, end = table.documents.strings(), table.start.copy(), table.end.copy()
    edges: dict[str, Integers] = {}
    for row, place in places.items():
        if place is None:
            continue
        if place.document not in edges:
            text = search.documents.text(place.document)
            edges[place.document] = Characters.of(text, unit).edges
        own = edges[place.document]
        documents[row], start[row], end[row] = place.document, own[place.start], own[place.end]
    return replace(table, documents=Identifiers.of(documents), start=start, end=end)


# -- assessments


def assessments_with_places(
    judged: Assessments, search: TextSearch, repeats: Repeats
) -> Assessments:
    """The judgements with the text that was quoted as ranges."""
    if not judged.quoted:
        return judged
    sought = [Sought(each.text, each.document) for each in judged.quoted]
    starts = {row: each.start for row, each in enumerate(judged.quoted) if each.start is not None}
    found = search.located(sought, [each.line for each in judged.quoted], starts)
    repeated = [
        len(located.places) + len(located.others) * (repeats == "all") > 1
        and quoted.occurrence is None
        for quoted, located in zip(judged.quoted, found, strict=True)
    ]
    meant = [
        _gold_places(quoted, located, search, repeats, (sum(repeated), len(found)))
        for quoted, located in zip(judged.quoted, found, strict=True)
    ]
    others = sum(
        len(located.others) > 0
        and located.how == "exact"
        and quoted.occurrence is None
        and bool(places)
        for quoted, located, places in zip(judged.quoted, found, meant, strict=True)
    )
    if repeats != "all":
        search.count("other places", others)
    search.note("located quotes", (one for one, places in zip(found, meant, strict=True) if places))
    settled = sum(several and bool(places) for several, places in zip(repeated, meant, strict=True))
    rule = "all places are relevant" if repeats == "all" else "the first place is used"
    search.count("repeated quotes", settled, rule)
    return _with_located(judged, meant, search)


def _gold_places(
    quoted: Quoted,
    located: Located,
    search: TextSearch,
    repeats: Repeats,
    repeated: tuple[int, int],
) -> Sequence[Place]:
    """The places that are meant; none where that is not known, which is a fault.

    ``repeated`` is how many of all texts are at several places.
    """
    places: Sequence[Place] = ()
    if located.places:
        chosen = gold_places(quoted.text, located, repeats, quoted.occurrence)
        if isinstance(chosen, Complaint):
            counted = chosen if quoted.occurrence else chosen.counting(*repeated)
            search.faults.add("repeated text", quoted.line, *counted)
        else:
            places = chosen
    for place in places or (None,):
        search.keep([quoted.line], [quoted.text], [located], [place])
    return places


def _with_located(
    judged: Assessments, meant: Sequence[Sequence[Place]], search: TextSearch
) -> Assessments:
    """The judgements with a range, and its text, for each place of a quote."""
    judgements = Judgements(search.faults)
    judgements.add_all(replace(judged, quoted=()))
    rows = [
        (quoted, place)
        for quoted, places in zip(judged.quoted, meant, strict=True)
        for place in places
    ]
    located = search.texts_at({number: place for number, (_, place) in enumerate(rows)})
    texts = {number: text for number, _, text in located}
    for number, (quoted, place) in enumerate(rows):
        judgements.add_range(
            quoted.topic,
            place.document,
            place.start,
            place.end,
            quoted.grade,
            quoted.aspects,
            quoted.line,
            texts[number],
        )
    return replace(judgements.build(), file=judged.file).in_file_order()
