"""What retrievers return without an answer."""

from __future__ import annotations

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
