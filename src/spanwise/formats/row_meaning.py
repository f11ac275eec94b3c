"""What rows say: answers of runs and judgements. One meaning for every format with rows."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from spanwise.data.assessments import Assessments
from spanwise.data.grades import UNKNOWN, ElementJudgements
from spanwise.data.identifiers import Identifiers
from spanwise.data.judgements import Judgements
from spanwise.data.notes import Faults, Note
from spanwise.data.quoted import Quoted
from spanwise.data.run import NOT_FOUND, Extent, Extents, Order, Run, taken
from spanwise.errors import Fault, InputError, option
from spanwise.formats.chunks import ChunkTable
from spanwise.formats.field_values import FIX, shown
from spanwise.formats.quoted_gold import one_row_a_quote
from spanwise.formats.registry import RunOptions
from spanwise.formats.retrieved_lists import one_row_an_answer
from spanwise.formats.row_checks import CLAIMED, Table, joined
from spanwise.formats.row_columns import Rows
from spanwise.formats.source import Source
from spanwise.formats.vocabulary import ALIASES, Kind
from spanwise.records import Struct
from spanwise.text.ranges import Booleans, Floats, Integers

NO_CHUNK_TABLE = f"give the table of chunks with {option('chunks')}"

# -- runs


def runs_of(rows: Rows, name: str, chunks: ChunkTable | None = None) -> list[Run]:
    """The runs of these rows; ``name`` is the run of rows that name none."""
    table = Table.of(one_row_an_answer(rows))
    table.require("topic")
    table.use_ranges()
    paths = table.paths()
    unplaced = table.resolve_ranges(np.ones(len(table), np.bool_))
    nothing = table.denied("parts")
    table.refuse(nothing & table.has("start"), "range", "a range and parts false", "one of the two")
    table.refuse(nothing & table.has("path"), "range", "a path and parts false", "one of the two")
    unused = int((nothing & table.has("text") & ~table.faulty).sum())
    if unused:
        table.faults.tally(Note("listed with text", unused))
    places = _places(table, unplaced, chunks)
    ascending = "distance" in table.columns
    columns = RunColumns(
        names=table.identifiers("run", name),
        topics=table.identifiers("topic"),
        documents=places.documents,
        extent=_extent(table, places, nothing),
        start=places.start,
        end=places.end,
        score=table.decimals("distance" if ascending else "score"),
        rank=table.integers("rank"),
        ranked=table.has("rank"),
        line=table.line,
        paths=paths,
        quotes=table.quotes(),
        ascending=ascending,
    )
    if table.faulty.any():
        columns = columns.take(np.flatnonzero(~table.faulty))
    return columns.runs(table.faults.file, table.faults)


def _extent(table: Table, places: _Places, nothing: Booleans) -> Extents:
    extent = np.where(places.ranged, Extent.RANGE, np.where(nothing, Extent.NOTHING, Extent.WHOLE))
    extent[table.has("path")] = Extent.ELEMENT
    extent[places.by_text] = Extent.TEXT
    return extent.astype(np.uint8)


class _Places(Struct, frozen=True, eq=False):
    documents: Identifiers
    start: Integers
    end: Integers
    ranged: Booleans
    by_text: Booleans
    """Rows that only their text can place: ``Extent.TEXT`` says what their start and end are."""


def _places(table: Table, unplaced: Booleans, chunks: ChunkTable | None) -> _Places:
    """Document and range of each row, its own or those of its chunk."""
    ranged = table.has("start")
    by_chunk = table.has("chunk") & ~ranged & ~table.denied("parts") & ~table.faulty
    if chunks is None or chunks.chunks is None:
        by_chunk &= ~unplaced
    by_text = unplaced & ~by_chunk
    table.refuse_empty_text(by_text)
    claimed, claim = table.has(CLAIMED), table.integers(CLAIMED)
    text_start = np.where(table.not_found, NOT_FOUND, np.where(claimed, claim, 0))
    start = np.where(by_text, text_start, table.integers("start"))
    end = np.where(by_text, np.where(claimed, claim + 1, 0), table.integers("end"))
    if chunks is not None:
        _refuse_other_ranges(table, ranged & table.has("chunk") & ~table.faulty, chunks)
    if not (by_chunk | by_text).any():
        table.require("document")
    unnamed = ~table.has("document") & ~by_chunk & ~by_text
    table.refuse(unnamed, "missing", "no document", "a document")
    named = table.identifiers("document", "")
    if not by_chunk.any():
        return _Places(named, start, end, ranged, by_text)
    if chunks is None:
        _refuse_chunks(table, by_chunk, "a document and a range, or the text", NO_CHUNK_TABLE)
        return _Places(named, start, end, ranged, by_text)
    rows, found = _chunks_of(table, by_chunk, chunks)
    source = np.arange(len(table))
    source[rows] = len(table) + found
    documents = joined([named, chunks.documents]).take(source)
    start[rows], end[rows] = chunks.start[found], chunks.end[found]
    return _Places(documents, start, end, ranged | by_chunk, by_text)


def _chunks_of(table: Table, by_chunk: Booleans, chunks: ChunkTable) -> tuple[Integers, Integers]:
    """The rows whose chunk is known, and its row in the table of chunks."""
    rows = np.flatnonzero(by_chunk)
    found = chunks.rows(table.identifiers("chunk").take(rows))
    unknown = np.zeros(len(table), np.bool_)
    unknown[rows[found < 0]] = True
    _refuse_chunks(table, unknown, "a chunk of the table of chunks", FIX)
    rows, found = rows[found >= 0], found[found >= 0]
    named = table.has("document")[rows]
    elsewhere = ~table.identifiers("document").take(rows).equals(chunks.documents.take(found))
    wrong = np.zeros(len(table), np.bool_)
    wrong[rows[named & elsewhere]] = True
    _refuse_chunks(table, wrong, "a chunk of the row's document", FIX)
    _refuse_other_texts(table, rows, found, chunks)
    return rows, found


def _refuse_other_ranges(table: Table, both: Booleans, chunks: ChunkTable) -> None:
    """A row with a range and a chunk of the table must mean the same by them."""
    rows = np.flatnonzero(both)
    if not len(rows):
        return
    found = chunks.rows(table.identifiers("chunk").take(rows))
    rows, found = rows[found >= 0], found[found >= 0]
    same = (table.integers("start")[rows] == chunks.start[found]) & (
        table.integers("end")[rows] == chunks.end[found]
    )
    same &= table.identifiers("document").take(rows).equals(chunks.documents.take(found))
    other = np.zeros(len(table), np.bool_)
    other[rows[~same]] = True
    _refuse_chunks(table, other, "the range that the table of chunks has for it", FIX)


def _refuse_other_texts(table: Table, rows: Integers, found: Integers, chunks: ChunkTable) -> None:
    """Ids that fit a table by chance are recognised by their texts."""
    if chunks.quotes is None or not table.has("text").any():
        return
    texts, other = table.values("text"), np.zeros(len(table), np.bool_)
    for row, place in zip(rows.tolist(), found.tolist(), strict=True):
        said = chunks.quotes[place]
        other[row] = said is not None and texts[row] is not None and said != texts[row]
    ids = table.values("chunk")
    table.refuse(
        other,
        "chunk",
        lambda row: f"chunk {shown(ids[row])} with another text than in the table of chunks",
        "the text of the chunk",
        "check that the table is that of the run's chunker",
    )


def _refuse_chunks(table: Table, rows: Booleans, expected: str, remedy: str) -> None:
    ids = table.values("chunk")
    table.refuse(rows, "chunk", lambda row: f"chunk {shown(ids[row])}", expected, remedy)


# -- assessments


def judged_in(rows: Rows) -> Assessments:
    """The assessments of these rows, each by the fields that it has."""
    table = Table.of(one_row_a_quote(rows))
    if not table.has("text").any():
        _require_quotes(table)
        table.require("document")
    of_document = table.has("length") & ~table.has("topic")
    if not of_document.any():
        table.require_column("topic")
    judged = ~of_document
    table.refuse(judged & ~table.has("topic"), "missing", "no topic", "a topic")
    table.refuse(judged & table.has("sha256"), "document", "sha256 with a topic", _DOCUMENT_ROW)
    table.refuse(of_document & table.has("text"), "document", "text without a topic", _DOCUMENT_ROW)
    table.paths()
    quoted = table.resolve_ranges(judged)
    table.refuse_empty_text(quoted)
    table.refuse(~table.has("document") & ~quoted, "missing", "no document", "a document")
    _refuse_half_judged(table)
    placed = table.has("start") | table.has("path") | table.has("bep") | quoted
    silent = judged & ~placed & ~table.has("grade")
    table.refuse(silent, "missing", "no judgement", "start and end, grade, or bep")
    judgements = Judgements(table.faults)
    _add_queries(judgements, table)
    _add_documents(judgements, table, of_document)
    _add_quoted(judgements, table, quoted)
    said = _Judged.in_table(table, judged & ~quoted, judgements)
    _add_ranges(judgements, said)
    _add_grades(judgements, said)
    _add_elements(judgements, said)
    _add_entry_points(judgements, said)
    return judgements.build()


_JUDGING = frozenset(
    ("document", "text", "start", "end", "length", "grade", "path", "bep", "evidence")
)
_DOCUMENT_ROW = "a row with document, length and sha256 only"


def _require_quotes(table: Table) -> None:
    """Questions alone are refused by what they lack most: the text that answers them."""
    if not _JUDGING.isdisjoint(table.columns) or not len(table) or table.faulty.all():
        return
    names = [name for name in table.rows.available if name not in ("topic", "query")]
    found = f"questions without quoted text (columns {', '.join(map(shown, names))})"
    expected = f"text quoted from the documents ({', '.join(ALIASES['evidence'][:4])})"
    remedy = "rename what holds the quoted text to 'evidence'"
    raise InputError(Fault(table.faults.file, None, found, expected, remedy, "evidence"))


def _refuse_half_judged(table: Table) -> None:
    """An element has two grades, or two sizes, and no other grade."""
    named, graded = table.has("path"), table.has("specificity")
    sizes = table.has("size") & table.has("rsize")
    half = named & ~np.where(graded, table.has("exhaustivity"), sizes)
    paths, expected = table.values("path"), "exhaustivity and specificity, or size and rsize"
    table.refuse(half, "missing", lambda row: f"path {shown(paths[row])} half judged", expected)
    instead = "exhaustivity and specificity instead of grade"
    table.refuse(named & table.has("grade"), "path", "path and grade", instead)


def _rows(table: Table, wanted: Booleans) -> list[int]:
    rows: list[int] = np.flatnonzero(wanted & ~table.faulty).tolist()
    return rows


def _add_queries(judgements: Judgements, table: Table) -> None:
    rows = _rows(table, table.has("query") & table.has("topic"))
    if not rows:
        return
    topics, queries, lines = table.values("topic"), table.values("query"), table.lines.tolist()
    for row in rows:
        if queries[row].strip():
            judgements.add_query(topics[row], queries[row], lines[row] or None)


def _add_documents(judgements: Judgements, table: Table, wanted: Booleans) -> None:
    rows = _rows(table, wanted)
    if not rows:
        return
    lengths, digests = table.integers("length").tolist(), table.values("sha256")
    documents, lines = table.values("document"), table.lines.tolist()
    for row in rows:
        judgements.add_document(documents[row], lengths[row], digests[row], lines[row] or None)


def _add_quoted(judgements: Judgements, table: Table, wanted: Booleans) -> None:
    rows = _rows(table, wanted)
    if not rows:
        return
    names = (
        "topic",
        "document",
        "text",
        "grade",
        "aspect",
        "occurrence",
        "context",
        "within",
        CLAIMED,
    )
    columns = {name: table.values(name) for name in names}
    for row in rows:
        said = {name: column[row] for name, column in columns.items()}
        judgements.add_quoted(
            Quoted(
                said["topic"],
                said["document"],
                said["text"],
                1 if said["grade"] is None else said["grade"],
                said["aspect"] or (),
                said["occurrence"],
                int(table.lines[row]) or None,
                said["context"],
                said["within"],
                said[CLAIMED],
            )
        )


class _Judged(Struct, frozen=True, eq=False):
    """The rows that say something about a document of a topic, and the numbers of their pairs."""

    table: Table
    rows: Integers
    pair: Integers

    @classmethod
    def in_table(cls, table: Table, judged: Booleans, judgements: Judgements) -> _Judged:
        """The rows without a fault."""
        rows = np.flatnonzero(judged & ~table.faulty)
        topics, documents = table.identifiers("topic"), table.identifiers("document")
        if len(rows) < len(table):
            topics, documents = topics.take(rows), documents.take(rows)
        return cls(table, rows, judgements.numbers(topics, documents))

    def some(self, wanted: Booleans) -> tuple[Integers, Integers]:
        """Those of the rows that are wanted, and their pairs."""
        chosen = wanted[self.rows]
        return (self.rows, self.pair) if chosen.all() else (self.rows[chosen], self.pair[chosen])


def _add_ranges(judgements: Judgements, judged: _Judged) -> None:
    table = judged.table
    rows, pair = judged.some(table.has("start"))
    if not len(rows):
        return
    judgements.add_ranges(
        pair,
        table.integers("start")[rows],
        table.integers("end")[rows],
        np.where(table.has("grade"), table.integers("grade"), 1)[rows],
        table.lines[rows],
        _given(table, "aspect", rows),
        _given(table, "text", rows),
    )


def _given(table: Table, name: str, rows: Integers) -> dict[int, Any]:
    """The values of a field by the place of their row among some rows."""
    if not table.has(name).any():
        return {}
    values = enumerate(table.some_values(name, rows))
    return {place: value for place, value in values if value is not None}


def _add_grades(judgements: Judgements, judged: _Judged) -> None:
    table = judged.table
    rows, pair = judged.some(table.has("grade") & ~table.has("start") & ~table.has("path"))
    judgements.judge_all(pair, table.integers("grade")[rows], table.lines[rows])


def _add_elements(judgements: Judgements, judged: _Judged) -> None:
    table = judged.table
    rows, pair = judged.some(table.has("path"))
    if not len(rows):
        return

    def amounts(name: str) -> Integers:
        return np.where(table.has(name), table.integers(name), UNKNOWN)[rows]

    elements = ElementJudgements(
        pair,
        table.identifiers("path").take(rows),
        amounts("exhaustivity"),
        amounts("specificity"),
        amounts("size"),
        amounts("rsize"),
        table.lines[rows],
    )
    judgements.judge_elements(elements)


def _add_entry_points(judgements: Judgements, judged: _Judged) -> None:
    table = judged.table
    rows, pair = judged.some(table.has("bep"))
    judgements.add_entry_points(pair, table.integers("bep")[rows], table.lines[rows])


# -- from answers to runs


class RunColumns(Struct, frozen=True, eq=False):
    """Answers that are right one by one; the rows of a run may be anywhere."""

    names: Identifiers
    """The run of each answer."""
    topics: Identifiers
    documents: Identifiers
    extent: Extents
    start: Integers
    end: Integers
    score: Floats
    """NaN where none is given."""
    rank: Integers
    ranked: Booleans
    line: Integers | None
    paths: Identifiers | None = None
    """The elements that answers name; None if none does."""
    quotes: tuple[str | None, ...] | None = None
    """The text that answers say they return; None if none does."""
    ascending: bool = False
    """Scores are distances: the smallest comes first."""

    def __len__(self) -> int:
        return len(self.start)

    def take(self, rows: Integers) -> RunColumns:
        """Some of the answers, in this order."""
        return RunColumns(
            self.names.take(rows),
            self.topics.take(rows),
            self.documents.take(rows),
            self.extent[rows],
            self.start[rows],
            self.end[rows],
            self.score[rows],
            self.rank[rows],
            self.ranked[rows],
            None if self.line is None else self.line[rows],
            None if self.paths is None else self.paths.take(rows),
            None if self.quotes is None else taken(self.quotes, rows),
            self.ascending,
        )

    def runs(self, file: str, faults: Faults) -> list[Run]:
        """One run for each name, in order of appearance."""
        if len(self.names.runs()) <= 1:
            return [_run(self, file, faults)] if len(self) else []
        codes = self.names.codes()
        each = (np.flatnonzero(codes == code) for code in range(int(codes.max()) + 1))
        return [_run(self.take(rows), file, faults) for rows in each]


def _run(columns: RunColumns, file: str, faults: Faults) -> Run:
    """The run of all these rows, grouped by topic."""
    columns = _complete(columns, columns.ranked, "rank", faults)
    score = "distance" if columns.ascending else "score"
    columns = _complete(columns, ~np.isnan(columns.score), score, faults)
    begins = columns.topics.runs()
    names = [columns.topics[row] for row in begins.tolist()]
    if len(set(names)) < len(names):
        together = columns.take(np.argsort(columns.topics.codes(), kind="stable"))
        return _run(together, file, faults)
    ranked = bool(columns.ranked.any())
    # Distances beside ranks say nothing more: as scores they would contradict them.
    scored = not np.isnan(columns.score).any() and not (ranked and columns.ascending)
    by_score: Order = "ascending" if columns.ascending else "score"
    order: Order = "rank" if ranked else by_score if scored else "file"
    return Run(
        name=columns.names[0],
        topics=tuple(names),
        offsets=np.append(begins, len(columns)),
        documents=columns.documents,
        extent=columns.extent,
        start=columns.start,
        end=columns.end,
        score=columns.score if scored else None,
        rank=columns.rank if ranked else None,
        order=order,
        file=file,
        line=columns.line,
        paths=columns.paths if (columns.extent == Extent.ELEMENT).any() else None,
        quotes=columns.quotes,
    )


def _complete(columns: RunColumns, present: Booleans, field: str, faults: Faults) -> RunColumns:
    """Only the rows with a field, if any row of the run has it: half an order is none."""
    if present.all() or not present.any():
        return columns
    rows, first = np.flatnonzero(~present), int(np.argmax(present))
    example = "" if columns.line is None else f", as line {columns.line[first]} has"
    expected = f"a {field} for every answer of run {columns.names[0]}{example}"
    for row in rows.tolist():
        line = None if columns.line is None else int(columns.line[row])
        faults.add("mixed", line, f"no {field}", expected, f"give all answers a {field}, or none")
    return columns.take(np.flatnonzero(present))


# -- readers of formats whose files are rows

ReadRows = Callable[[Source, Kind, Faults], Rows]
"""What turns a file into the columns that rows of a kind use."""


def run_reader(read_rows: ReadRows) -> Callable[[Source, Faults, RunOptions], Iterator[Run]]:
    """What reads all runs of a file, each in one block."""

    def read_run(source: Source, faults: Faults, options: RunOptions) -> Iterator[Run]:
        runs = runs_of(read_rows(source, "run", faults), source.stem, options.chunks)
        faults.settle()
        yield from runs

    return read_run


def assessments_reader(read_rows: ReadRows) -> Callable[[Source, Faults], Assessments]:
    """What reads all judgements of a file."""

    def read_assessments(source: Source, faults: Faults) -> Assessments:
        return judged_in(read_rows(source, "assessments", faults))

    return read_assessments
