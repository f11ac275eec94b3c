"""What retrievers return without an answer."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

import spanwise


@pytest.mark.parametrize(
    "nothing",
    [[], {"documents": []}, {"retriever": {"documents": []}}, {"context": [], "input": "?"}],
)
def test_a_retriever_that_finds_nothing_has_no_answers(nothing: Any) -> None:
    found = {"Who?": [{"document": "a.md", "text": "Peru joined."}], "Why?": nothing}
    run = spanwise.collect(found.get, {"q1": "Who?", "q2": "Why?"})
    assert [run.topics[topic] for topic in run.topic] == ["q1"]


def test_what_holds_no_list_is_refused() -> None:
    with pytest.raises(spanwise.SpanwiseError, match="expected a list"):
        spanwise.collect(lambda query: {"answer": query}, {"q1": "Who?"})


def test_answers_one_by_one_are_read_as_far_as_they_are_kept() -> None:
    read = list[int]()

    def retriever(query: str) -> Iterator[str]:
        for number in range(100):
            read.append(number)
            yield f"Sentence {number}."

    assert len(spanwise.collect(retriever, {"q1": "Who?"}, k=3)) == 3
    assert read == [0, 1, 2]


def test_an_iterator_that_fails_is_a_retriever_that_fails() -> None:
    def retriever(query: str) -> Iterator[str]:
        yield "A sentence."
        raise OSError("connection lost")

    with pytest.raises(
        spanwise.SpanwiseError, match=r"failed for topic 'q1' .*: OSError: connection lost"
    ):
        spanwise.collect(retriever, {"q1": "Who?"})
