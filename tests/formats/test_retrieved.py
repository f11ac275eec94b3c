"""What retrievers return as runs: lists are rankings, scores stay beside them."""

from __future__ import annotations

from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import pytest

import spanwise
from spanwise.data.run import Run
from spanwise.errors import SpanwiseError
from spanwise.formats.answer_objects import Known
from spanwise.formats.memory import run_from

TEXT = "Peru joined in 1945. Chile joined later. Japan was first."
FIRST, SECOND, THIRD = "Peru joined in 1945.", "Chile joined later.", "Japan was first."
GOLD = {"q1": {"d7": [(0, len(FIRST))]}}
COLLECTION = {"d7": TEXT}


def document(text: str, **others: Any) -> SimpleNamespace:
    """A document of LangChain."""
    metadata = {"source": "d7", "start_index": TEXT.index(text)}
    return SimpleNamespace(page_content=text, metadata=metadata, **others)


def langchain(text: str, score: float | None) -> object:
    return document(text), score


def llamaindex(text: str, score: float | None) -> object:
    start = TEXT.index(text)
    place = {"start_char_idx": start, "end_char_idx": start + len(text)}
    node = SimpleNamespace(ref_doc_id="d7", text=text, metadata={}, **place)
    return SimpleNamespace(node=node, score=score)


def haystack(text: str, score: float | None) -> object:
    meta = {"source_id": "d7", "split_idx_start": TEXT.index(text)}
    return SimpleNamespace(content=text, meta=meta, score=score)


def elasticsearch(text: str, score: float | None) -> object:
    said = {"doc_id": "d7", "content": text, "start": TEXT.index(text), "length": len(text)}
    return {"_id": "x1", "_score": score, "_source": said}


def qdrant(text: str, score: float | None) -> object:
    payload = {"page_content": text, "metadata": {"source": "d7", "start_index": TEXT.index(text)}}
    return SimpleNamespace(id=7, version=1, score=score, payload=payload, vector=None)


def qdrant_json(text: str, score: float | None) -> object:
    return {"id": 7, "version": 1, "score": score, "payload": {"text": text, "source": "d7"}}


def pinecone(text: str, score: float | None) -> object:
    return SimpleNamespace(id="x1", score=score, values=[], metadata={"text": text, "doc_id": "d7"})


def pinecone_json(text: str, score: float | None) -> object:
    return {"id": "x1", "score": score, "values": [], "metadata": {"text": text, "doc_id": "d7"}}


def plain(text: str, score: float | None) -> object:
    return text, score


SHAPES = [
    *(langchain, llamaindex, haystack, elasticsearch, qdrant, qdrant_json, pinecone),
    *(pinecone_json, plain),
]
every_shape = pytest.mark.parametrize("shape", SHAPES, ids=lambda shape: shape.__name__)


def run_of(shape: Any, *answers: tuple[str, float | None]) -> Run:
    given = [shape(*answer) for answer in answers]
    (run,) = run_from({"q1": given}, known=Known(texts=True))
    return run


def kinds(scores: spanwise.Scores) -> set[str]:
    return {note.kind for note in scores.all_notes()}


# -- the list is the ranking


@every_shape
def test_rank_and_score_are_both_kept(shape):
    run = run_of(shape, (SECOND, 0.25), (FIRST, 0.75))
    assert (run.order, run.rank.tolist(), run.score.tolist()) == ("rank", [1, 2], [0.25, 0.75])


@every_shape
def test_the_list_is_the_ranking_and_scores_that_contradict_it_are_reported(shape):
    run = {"q1": [shape(SECOND, 0.25), shape(FIRST, 0.75)]}
    scores = spanwise.evaluate(GOLD, run, "hitRR", collection=COLLECTION)
    assert scores.mean("hitRR") == 0.5
    assert "contradiction" in kinds(scores)
    by_score = spanwise.evaluate(GOLD, run, "hitRR", collection=COLLECTION, order="score")
    assert by_score.mean("hitRR") == 1.0


@every_shape
def test_scores_that_fall_say_nothing(shape):
    run = {"q1": [shape(FIRST, 0.75), shape(SECOND, 0.25)]}
    scores = spanwise.evaluate(GOLD, run, "hitRR", collection=COLLECTION)
    assert scores.mean("hitRR") == 1.0
    assert not kinds(scores) & {"contradiction", "rising ranks", "no order"}


@every_shape
def test_scores_that_rise_down_the_list_look_like_distances(shape):
    given = [shape(THIRD, 0.1), shape(FIRST, 0.2), shape(SECOND, 0.3)]
    scores = spanwise.evaluate(GOLD, {"q1": given}, "hitRR", collection=COLLECTION)
    assert scores.mean("hitRR") == 0.5
    assert kinds(scores) & {"contradiction", "rising ranks"} == {"rising ranks"}
    (note,) = [note for note in scores.all_notes() if note.kind == "rising ranks"]
    assert str(note) == (
        "scores rise down the ranking in 1 of 1 topics, as distances do; the rank decides"
    )
    backwards = {"q1": given[::-1]}
    settings = {"collection": COLLECTION, "order": "ascending"}
    assert spanwise.evaluate(GOLD, backwards, "hitRR", **settings).mean("hitRR") == 0.5


@every_shape
def test_half_of_the_scores_are_none(shape):
    run = run_of(shape, (SECOND, None), (FIRST, 0.75))
    assert (run.order, run.rank.tolist(), run.score) == ("rank", [1, 2], None)


@pytest.mark.parametrize("shape", [langchain, llamaindex, haystack, elasticsearch, plain])
@pytest.mark.parametrize("other", [0.75, None])
def test_nan_as_a_score_is_refused(shape, other):
    with pytest.raises(SpanwiseError, match="found NaN as score, expected a score that is a num"):
        run_of(shape, (SECOND, float("nan")), (FIRST, other))


def test_dictionaries_with_scores_are_ranked_by_them():
    rows = [
        {"document": "d7", "text": text, "score": score}
        for text, score in [(SECOND, 0.25), (FIRST, 0.75)]
    ]
    (run,) = run_from({"q1": rows})
    assert (run.order, run.rank) == ("score", None)
    scores = spanwise.evaluate(GOLD, {"q1": rows}, "hitRR", collection=COLLECTION)
    assert scores.mean("hitRR") == 1.0


def test_all_passages_of_a_hit_have_its_score():
    inner = {
        "chunks": {
            "hits": {
                "hits": [
                    {"_id": "x1", "_score": score, "_source": {"content": text}}
                    for text, score in [(FIRST, 2.0), (SECOND, 9.0)]
                ]
            }
        }
    }
    hits = [
        {"_id": "d7", "_score": 5.0, "_source": {}, "inner_hits": inner},
        {"_id": "d8", "_score": 4.0, "_source": {}},
    ]
    (run,) = run_from({"q1": {"hits": {"hits": hits}}})
    assert run.documents.strings() == ["d7", "d7", "d8"]
    assert run.score.tolist() == [5.0, 5.0, 4.0]


# -- where lists are


@pytest.mark.parametrize("name", ["matches", "points"])
@pytest.mark.parametrize("shape", [qdrant, pinecone])
def test_responses_hold_their_answers_as_attributes(name, shape):
    response = SimpleNamespace(**{name: [shape(FIRST, 0.5)]})
    (run,) = run_from({"q1": response}, known=Known(texts=True))
    assert (run.quotes, run.score.tolist()) == ((FIRST,), [0.5])


@pytest.mark.parametrize("name", ["matches", "result", "points"])
@pytest.mark.parametrize("shape", [qdrant_json, pinecone_json])
def test_responses_hold_their_answers_in_json(name, shape):
    (run,) = run_from({"q1": {name: [shape(FIRST, 0.5)]}}, known=Known(texts=True))
    assert (run.quotes, run.score.tolist()) == ((FIRST,), [0.5])


@every_shape
def test_answers_may_come_one_by_one(shape):
    def answers() -> Iterator[object]:
        yield shape(SECOND, 0.75)
        yield shape(FIRST, 0.25)

    scores = spanwise.evaluate(GOLD, {"q1": answers()}, "hitRR", collection=COLLECTION)
    assert scores.mean("hitRR") == 0.5
    collected = spanwise.collect(lambda query: answers(), {"q1": "Who?"}, k=1)
    assert collected.quotes == (SECOND,)


def test_several_runs_whose_answers_come_one_by_one():
    runs = {name: {"q1": iter([document(FIRST)])} for name in ("a", "b")}
    scores = spanwise.evaluate(GOLD, runs, "hitRR", collection=COLLECTION)
    assert [run.run for run in scores.runs] == ["a", "b"]


def test_a_point_without_text_is_its_document():
    (run,) = run_from({"q1": [{"id": "d7", "score": 0.5, "payload": {}}]})
    assert run.documents.strings() == ["d7"]


def test_a_document_beside_a_number_is_not_guessed():
    with pytest.raises(spanwise.SpanwiseError, match=r"found answer \('d7', 100\)"):
        spanwise.evaluate(GOLD, {"q1": [("d7", 100)]}, "hitRR", collection=COLLECTION)


# -- responses for several queries


def chroma(*texts: str) -> dict[str, Any]:
    return {
        "ids": [[f"c{number}"] for number, _ in enumerate(texts)],
        "documents": [[text] for text in texts],
        "metadatas": [[{"source": "d7"}] for _ in texts],
        "distances": [[0.5] for _ in texts],
    }


def test_a_result_of_several_queries_is_no_answer_to_one_topic():
    with pytest.raises(spanwise.SpanwiseError, match="found a Chroma result for 2 queries, exp"):
        spanwise.evaluate(GOLD, {"q1": chroma(FIRST, SECOND)}, "hitRR", collection=COLLECTION)
    scores = spanwise.evaluate(GOLD, {"q1": chroma(FIRST)}, "hitRR", collection=COLLECTION)
    assert scores.mean("hitRR") == 1.0


@pytest.mark.parametrize(
    ("response", "found"),
    [
        (chroma(FIRST, SECOND), "found a Chroma result for 2 queries, expected a run"),
        (chroma(FIRST), "found a Chroma result, expected a run"),
        ({"hits": {"hits": [{"_id": "d7", "_score": 2.0}]}}, "found a response of a search engine"),
    ],
)
def test_a_response_alone_is_no_run(response, found):
    with pytest.raises(spanwise.SpanwiseError, match=found) as refused:
        spanwise.evaluate(GOLD, response, "hitRR", collection=COLLECTION)
    assert "give {topic: response}" in str(refused.value)


@pytest.mark.parametrize("answer", [{"node": 1}, {"node": {}, "score": 1}])
def test_an_answer_without_document_or_text_is_shown(answer):
    with pytest.raises(spanwise.SpanwiseError) as refused:
        spanwise.evaluate(GOLD, {"q1": [answer]}, "hitRR", collection=COLLECTION)
    shown = f"found answer {answer} to topic q1, without document, chunk or text, expected"
    assert shown in str(refused.value)
    assert "column" not in str(refused.value)
