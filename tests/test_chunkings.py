"""Chunkings in Python: whatever a chunker returns, by functions and as lists."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import pytest

import spanwise

TEXT = "Rome was not built in a day. It took some years."
DOCUMENTS = {"rome.txt": TEXT}
GOLD = {"q1": {"rome.txt": [(29, 48)]}}
HALVES = [TEXT[:28], TEXT[29:]]


@dataclass
class LangChain:
    page_content: str
    metadata: Mapping[str, Any] = field(default_factory=dict)


@dataclass
class Haystack:
    content: str
    meta: Mapping[str, Any] = field(default_factory=dict)


@dataclass
class Chonkie:
    text: str
    start_index: int
    end_index: int


def limits(chunking: object, **settings: Any) -> tuple[float, int]:
    result = spanwise.chunks(GOLD, {"made": chunking}, collection=DOCUMENTS, **settings)
    return result.limits[0].mean_bounds.precision, result.limits[0].chunks


@pytest.mark.parametrize(
    "cut",
    [
        lambda text: [text[:28], text[29:]],
        lambda text: iter([(0, 28), (29, 48)]),
        lambda text: [LangChain(text[:28]), LangChain(text[29:])],
        lambda text: [LangChain(text[:28], {"start_index": 0}), LangChain(text[29:])],
        lambda text: {"documents": [Haystack(text[:28]), Haystack(text[29:])]},
        lambda text: [Chonkie(text[:28], 0, 28), Chonkie(text[29:], 29, 48)],
    ],
)
def test_a_function_returns_texts_ranges_or_objects(cut) -> None:
    assert limits(cut) == (1.0, 2)


@pytest.mark.parametrize(
    "chunks",
    [
        [LangChain(half, {"source": "docs/rome.txt"}) for half in HALVES],
        [LangChain(half, {"source": "rome.txt", "start_index": -1}) for half in HALVES],
        [Haystack(half, {"file_path": "rome.txt"}) for half in HALVES],
        {"rome.txt": [Chonkie(HALVES[0], 0, 28), Chonkie(HALVES[1], 29, 48)]},
        {"rome.txt": HALVES},
    ],
)
def test_a_table_is_what_a_chunker_returned(chunks) -> None:
    assert limits(chunks) == (1.0, 2)


def test_a_list_of_objects_alone_is_one_chunking() -> None:
    chunks = [LangChain(half, {"source": "rome.txt"}) for half in HALVES]
    result = spanwise.chunks(GOLD, chunks, collection=DOCUMENTS)
    assert [limit.name for limit in result.limits] == ["chunks"]


def test_offsets_in_metadata_are_compared_with_the_text() -> None:
    def cut(text: str) -> list[Haystack]:
        return [
            Haystack(text[:28], {"split_idx_start": 0}),
            Haystack(text[29:], {"split_idx_start": 28}),
        ]

    with pytest.raises(spanwise.SpanwiseError, match="1 of 2 quotes disagrees"):
        limits(cut)
    assert limits(cut, repair=True) == (1.0, 2)


def test_a_function_that_fails_names_its_document() -> None:
    def cut(nodes: Any) -> list[str]:
        return [node.text for node in nodes]

    message = (
        r"chunking made failed for document .*rome.txt.*: AttributeError: .*splitter.split_text"
    )
    with pytest.raises(spanwise.SpanwiseError, match=message):
        limits(cut)


def test_chunks_without_offsets_have_a_part_in_the_order_of_those_with_wrong_ones() -> None:
    """A repeated text comes after the chunk before it, which is located, too."""
    text = "to be or not to be"
    rows: list[dict[str, Any]] = [
        {"document": "d", "text": "or not"},
        {"document": "d", "start": 2, "end": 7, "text": "to be"},
    ]
    result = spanwise.chunks(
        {"q": {"d": [(13, 18)]}}, {"made": rows}, collection={"d": text}, repair=True
    )
    assert result.limits[0].mean_bounds.recall == 1.0


def test_a_splitter_that_returns_nothing_has_no_chunks() -> None:
    documents = {"rome.txt": TEXT, "empty.txt": "-"}

    def cut(text: str) -> dict[str, list[Haystack]]:
        return {"documents": [] if text == "-" else [Haystack(text[29:])]}

    result = spanwise.chunks(GOLD, {"made": cut}, collection=documents)
    assert result.limits[0].chunks == 1


@pytest.mark.parametrize("returned", [TEXT, TEXT.encode(), {"text": TEXT}])
def test_what_a_function_returns_is_not_taken_apart_into_characters(returned: object) -> None:
    kind = type(returned).__name__
    words = f"chunking made returned a {kind} for document 'rome.txt', expected a list of chunks"
    with pytest.raises(spanwise.SpanwiseError, match=words):
        spanwise.chunks(GOLD, {"made": lambda text: returned}, collection={"rome.txt": TEXT})
