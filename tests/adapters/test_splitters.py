"""What every splitter returns, in spanwise: each chunk where its text is, or reported."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path
from typing import Any

import pytest

import spanwise
from adapters.made_documents import made_documents
from adapters.splitters import CASES, EXCLUDED, Case, Chunks, public_splitters
from oracles.slow_locate import slow_fold
from spanwise.data.notes import Faults, Note
from spanwise.formats.chunk_objects import chunks_from
from spanwise.formats.chunks import ChunkTable
from spanwise.inputs.session import Session
from spanwise.inputs.settings import Settings

pytestmark = pytest.mark.heavy

DOCUMENTS = made_documents()
LEVELS = ("HierarchicalNodeParser", "HierarchicalDocumentSplitter")
"""They return the same text in several sizes, the large ones first."""


@dataclass(frozen=True)
class Placed:
    """The chunks of a splitter as spanwise places them, without what it refuses."""

    table: ChunkTable
    faults: Faults

    @cached_property
    def rows(self) -> list[tuple[str, int, int, str]]:
        table = self.table
        columns = (table.documents.strings(), table.start.tolist(), table.end.tolist())
        return list(zip(*columns, (quote or "" for quote in table.quotes or ()), strict=True))

    def noted(self, kind: str) -> int:
        return sum(note.count for note in self.faults.notes if note.kind == kind)


@cache
def cut(case: Case) -> Chunks:
    return case.cut(case.of(DOCUMENTS))


def flat(chunks: Chunks) -> list[object]:
    if isinstance(chunks, Mapping):
        return [chunk for several in chunks.values() for chunk in several]
    return list(chunks)


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The HTML as files, of which a collection has the text between the tags."""
    folder = tmp_path_factory.mktemp("pages")
    for name, text in DOCUMENTS.items():
        if name.endswith(".html"):
            (folder / name).write_text(text, encoding="utf-8", newline="")
    return folder


@pytest.fixture(params=CASES, ids=lambda case: case.name)
def case(request: pytest.FixtureRequest) -> Case:
    return request.param


@pytest.fixture
def collection(case: Case, pages: Path) -> Any:
    return spanwise.open_collection(pages if case.visible else case.of(DOCUMENTS))


def placed(chunks: Chunks, collection: Any, repair: bool = False) -> Placed:
    session = Session(Settings(collection=collection, lenient=True, repair=repair))
    faults = Faults("chunks", lenient=True)
    table = chunks_from(chunks, faults=faults, known=session.naming.known)
    return Placed(session.placing.chunks(table, faults), faults)


# -- which splitters there are


def test_every_public_splitter_is_tried_or_has_a_reason() -> None:
    tried = defaultdict(set)
    for case in CASES:
        tried[case.library].add(case.splitter)
    for library, public in public_splitters().items():
        excluded = EXCLUDED[library]
        assert not tried[library] & excluded.keys()
        assert tried[library] | excluded.keys() == public
        assert all(excluded.values())


def test_the_documents_are_large_and_hard() -> None:
    texts = DOCUMENTS.values()
    assert sum(map(len, texts)) >= 1_000_000
    for sign in ("\r\n", "😀", "e\u0301", "\u00a0", "\f"):
        assert any(sign in text for text in texts), ascii(sign)


# -- where chunks are


def test_each_chunk_is_where_its_text_is(case: Case, collection: Any) -> None:
    """Word for word; with the same letters, counted as folded; or similar, each with a note."""
    for repair in (False, True):
        found = placed(cut(case), collection, repair)
        ways = Counter(_way(collection, *row) for row in found.rows)
        assert ways["folded"] == found.noted("folded") + found.noted("same letters")
        assert ways["other"] <= found.noted("similar")
        assert len(found.rows) + found.faults.counts.total() == len(flat(cut(case)))
    assert not found.faults.counts


def _way(collection: Any, document: str, start: int, end: int, quote: str) -> str:
    there = collection.text(document)[start:end]
    if there == quote:
        return "exact"
    same = slow_fold(there).replace(" ", "") == slow_fold(quote).replace(" ", "")
    return "folded" if same else "other"


def test_chunks_keep_the_order_of_their_document(case: Case, collection: Any) -> None:
    """Text that comes back is not all at its first place."""
    last: dict[str, int] = defaultdict(int)
    falls: Counter[str] = Counter()
    for document, start, _, _ in placed(cut(case), collection, repair=True).rows:
        falls[document] += start < last[document]
        last[document] = start
    assert max(falls.values()) <= (case.splitter in LEVELS)


def test_without_offsets_chunks_are_where_their_library_says(case: Case, collection: Any) -> None:
    """Of text that comes back, order decides; where that leaves a doubt, it is one of those."""
    said = placed(cut(case), collection)
    if said.faults.counts or case.splitter in LEVELS:
        return  # What it says is wrong, or there is no order.
    wanted = [row for row in said.rows if row[3].strip()]
    texts: dict[str, list[str]] = defaultdict(list)
    for document, _, _, text in wanted:
        texts[document].append(text)
    found = placed(texts, collection)
    assert len(found.rows) == len(wanted)
    expected = sorted(wanted, key=lambda row: list(texts).index(row[0]))
    different = sum(one != other for one, other in zip(expected, found.rows, strict=True))
    # Offsets of the library that agree but for white space are not where the text is exactly.
    assert different <= min(found.noted("repeated chunks"), 5) + said.noted("same letters")


# -- as people call it


def test_chunks_compares_them(case: Case, collection: Any) -> None:
    """Wrong offsets are refused with the remedy; with it, every chunk takes part."""
    gold = {"half": {name: [(0, size // 2)] for name, size in collection.lengths.items()}}
    wrong = placed(cut(case), collection).faults.counts.total()
    settings = {"repair": True} if wrong else {}
    if wrong:
        with pytest.raises(spanwise.SpanwiseError, match=r"disagree.*repair=True"):
            spanwise.chunks(gold, {"made": cut(case)}, collection=collection)
    result = spanwise.chunks(gold, {"made": cut(case)}, collection=collection, **settings)
    assert result.limits[0].chunks == len(flat(cut(case)))
    assert bool(wrong) == ("repaired" in _kinds(result.notes))


def test_retrieved_chunks_count_what_they_share_with_the_gold(case: Case, collection: Any) -> None:
    """Answers are the chunks that touch a place of each document; all chunks are their table.

    A text that comes back is at its first place in the table, which is noted.
    """
    table = placed(cut(case), collection, repair=True).rows
    answers = _answers(cut(case))
    gold, run, expected = {}, {}, {}
    for document, size in list(collection.lengths.items())[:20]:
        low, high = size // 3, size // 3 + 900
        rows = [row for row, place in enumerate(table) if _touches(place, document, low, high)]
        read = {place for row in rows for place in range(*table[row][1:3])}
        gold[document] = {document: [(low, high)]}
        run[document] = [answers[row] for row in rows]
        expected[document] = len(read & set(range(low, high))) / (high - low)
    scores = spanwise.evaluate(
        gold, {"made": run}, "textR", collection=collection, chunks=cut(case), repair=True
    )
    found = scores.per_topic("textR")
    several = sum(note.count for note in scores.all_notes() if note.kind in SEVERAL)
    different = [topic for topic in gold if found[topic] != pytest.approx(expected[topic])]
    assert len(different) <= several


SEVERAL = ("repeated answers", "repeated texts")


def _touches(row: tuple[str, int, int, str], document: str, low: int, high: int) -> bool:
    return row[0] == document and row[1] < high and low < row[2]


def _answers(chunks: Chunks) -> list[object]:
    """Chunks as answers; those that do not know their document are rows beside its name."""
    if not isinstance(chunks, Mapping):
        return list(chunks)
    return [_answer(name, chunk) for name, several in chunks.items() for chunk in several]


def _answer(document: str, chunk: Any) -> dict[str, object]:
    if isinstance(chunk, str):
        return {"document": document, "text": chunk}
    if hasattr(chunk, "page_content"):
        return {"document": document, "text": chunk.page_content}
    return {
        "document": document,
        "start": chunk.start_index,
        "end": chunk.end_index,
        "text": chunk.text,
    }


def _kinds(notes: Iterable[Note]) -> set[str]:
    return {note.kind for note in notes}
