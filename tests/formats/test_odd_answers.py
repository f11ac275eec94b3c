"""Answers as retrievers should not return them: refused in our words, never a foreign exception."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

import spanwise
from spanwise.errors import SpanwiseError
from spanwise.formats.memory import run_from

COLLECTION = {"a": "Chile. Peru joined", "b": "Ten days. Ask again."}
GOLD = {"q1": {"a": [(0, 6)]}}


def evaluated(answers: Any) -> spanwise.Scores:
    return spanwise.evaluate(GOLD, {"q1": answers}, "hit", collection=COLLECTION)


def refusal(answers: Any) -> str:
    with pytest.raises(SpanwiseError) as refused:
        evaluated(answers)
    return str(refused.value)


# -- Chroma


def chroma(**others: Any) -> dict[str, Any]:
    return {"ids": [["x1"]], "documents": [["Chile."]], **others}


@pytest.mark.parametrize(
    ("result", "words"),
    [
        (chroma(ids=[["x1", "x2"]]), "with 2 ids and 1 documents, expected as many documents"),
        (chroma(distances=[[0.5, 0.7]]), "with 1 id and 2 distances, expected as many distances"),
        (chroma(documents=["Chile."]), "with ['Chile.'] as documents, expected a list with the"),
        (chroma(documents=[]), "with [] as documents"),
        (chroma(documents=5), "with 5 as documents"),
        (chroma(documents={"a": 1}), "with {'a': 1} as documents"),
        (chroma(distances=[None]), "with [None] as distances"),
        (chroma(metadatas=[[5]]), "with 5 among its metadatas, expected a dictionary for each id"),
        (chroma(ids=None), "without ids, expected ids beside the documents"),
    ],
)
def test_a_ragged_result_of_chroma_is_refused(result: Any, words: str) -> None:
    assert f"found a Chroma result {words}" in refusal(result)


@pytest.mark.parametrize("metadatas", [None, [[None]], [[{}]]])
def test_chroma_must_include_the_documents_unless_its_ids_name_them(metadatas: Any) -> None:
    nothing = {"documents": None, "metadatas": metadatas, "distances": [[0.5]]}
    said = refusal({"ids": [["x1"]], **nothing})
    assert "without documents, whose id 'x1' is no document" in said
    assert 'include=["documents", "metadatas", "distances"]' in said
    assert evaluated({"ids": [["a"]], **nothing}).mean("hit") == 1.0


@pytest.mark.parametrize(
    ("ids", "rest"), [([], []), ([], None), ([[]], []), ([[]], [[]]), ([[]], None)]
)
def test_an_empty_result_of_chroma_has_no_answers(ids: Any, rest: Any) -> None:
    empty = {"ids": ids, "documents": rest, "distances": rest}
    assert [len(run) for run in run_from({"q1": empty})] == [0]
    run = spanwise.collect(lambda query: empty, {"q1": "Who?"})
    assert len(run) == 0


# -- Elasticsearch


@pytest.mark.parametrize(
    ("hit", "words"),
    [
        ({"_source": 5}, "found 5 as _source of a hit, expected an object"),
        ({"fields": [1]}, "found [1] as fields of a hit, expected an object"),
        ({"highlight": 5}, "found 5 as highlight of a hit, expected an object"),
        ({"highlight": {"t": 5}}, "found 5 as highlight of a hit, expected a list of texts"),
        ({"highlight": {"t": [5]}}, "found [5] as highlight of a hit, expected a list of texts"),
        ({"inner_hits": {"x": 5}}, "found 5 as inner_hits of a hit, expected hits"),
        ({"inner_hits": {"x": {"hits": {"hits": [5]}}}}, "expected an object for each hit"),
    ],
)
def test_a_broken_hit_is_refused(hit: dict[str, Any], words: str) -> None:
    assert words in refusal({"hits": {"hits": [{"_id": "a", "_score": 1.0, **hit}]}})


@pytest.mark.parametrize("hits", [5, {"hits": 5}, {"hits": [5]}, {"hits": [None]}])
def test_a_broken_response_is_refused(hits: Any) -> None:
    assert "found" in refusal({"hits": hits}) or "needed" in refusal({"hits": hits})


def test_names_of_fields_that_are_no_text_are_not_ours() -> None:
    said = {5: 1, "text": "Chile."}
    response = {"hits": {"hits": [{"_id": "x", "_score": 1.0, "_source": said}]}}
    assert evaluated(response).mean("hit") == 1.0


# -- Qdrant


def test_the_rest_api_of_qdrant_has_points_in_a_result() -> None:
    point = {"id": 7, "version": 3, "score": 0.5, "payload": {"document": "a", "text": "Chile."}}
    for points, hit in (([point], 1.0), ([], 0.0)):
        response = {"result": {"points": points}, "status": "ok", "time": 0.1}
        assert evaluated(response).mean("hit") == hit
        run = spanwise.collect(lambda query, given=response: given, {"q1": "Who?"})
        assert len(run) == len(points)


# -- objects


class Lazy:
    """A document whose text is fetched when it is read."""

    metadata = {"source": "a"}  # noqa: RUF012

    @property
    def page_content(self) -> str:
        raise RuntimeError("no connection")


class Closed:
    """An object that answers nothing."""

    def __getattr__(self, name: str) -> Any:
        raise RuntimeError(f"no {name}")


class Everything:
    """An object that is its own attribute."""

    def __getattr__(self, name: str) -> Any:
        return self


class Node:
    ref_doc_id, metadata = "a", 5
    text = "Chile."

    def get_content(self) -> str:
        raise ValueError("no content")


@pytest.mark.parametrize(
    ("kind", "words"),
    [
        (Lazy, "an answer of type Lazy whose page_content cannot be read (RuntimeError: no con"),
        (Closed, "an answer of type Closed whose"),
        (Everything, "an answer of type Everything whose get_content cannot be read (TypeError"),
        (Node, "an answer of type Node whose get_content cannot be read (ValueError: no content"),
    ],
)
def test_objects_that_cannot_be_read_are_named(kind: type[object], words: str) -> None:
    answer = kind()
    for answers in ([answer], [(answer, 0.5)]):
        assert words in refusal(answers)
    with pytest.raises(SpanwiseError, match=f"of type {kind.__name__} whose"):
        spanwise.collect(lambda query: [answer], {"q1": "Who?"})
    with pytest.raises(SpanwiseError, match=f"of type {kind.__name__} whose"):
        spanwise.chunks(GOLD, {"made": [answer]}, collection=COLLECTION)


def test_a_closed_object_alone_is_no_answer() -> None:
    assert "an answer of type Closed whose" in refusal(Closed())


def test_metadata_that_is_no_dictionary_says_nothing() -> None:
    node = SimpleNamespace(ref_doc_id="a", text="Chile.", metadata=5, start_char_idx=0)
    chunk = SimpleNamespace(text="Chile.", start_index=0, end_index=6, metadata=5)
    for answer in (node, chunk):
        assert evaluated([answer]).mean("hit") == 1.0


def test_answers_that_end_with_an_exception_are_refused() -> None:
    def answers() -> Any:
        yield "Chile."
        raise OSError("connection lost")

    assert "answers that end with OSError: connection lost" in refusal(answers())


# -- texts that are not used


def test_text_of_a_document_that_is_only_listed_is_noted() -> None:
    listed = {"document": "a", "parts": False, "text": "Chile."}
    scores = evaluated([listed, {**listed, "document": "b"}])
    assert scores.mean("hit") == 0.0
    (note,) = [note for note in scores.all_notes() if note.kind == "listed with text"]
    assert note.count == 2
