"""Whole numbers: one rule for all of them, whatever gives them."""

from __future__ import annotations

import json
from types import SimpleNamespace
from typing import Any

import pandas as pd
import pytest

import spanwise
from spanwise.errors import InputError
from spanwise.formats.memory import run_from
from spanwise.formats.source import Source

COLLECTION = {"a": "Peru joined. Peru left."}
QUOTE = {"text": "Peru", "document": "a"}
ROW = {"query": "Who?", "evidence": "Peru", "document": "a"}


def places(given: Any) -> list[list[tuple[int, int]]]:
    return spanwise.gold(given, collection=COLLECTION).relevant.to_lists()


def in_json(row: dict[str, Any]) -> Source:
    return Source("gold.jsonl", json.dumps(row).encode())


@pytest.mark.parametrize("door", [lambda row: [row], in_json])
@pytest.mark.parametrize("name", ["occurrence", "start"])
def test_a_float_is_no_whole_number_in_rows(door: Any, name: str) -> None:
    for row in ({**ROW, name: 1.0}, {"query": "Who?", "evidence": [{**QUOTE, name: 1.0}]}):
        with pytest.raises(InputError, match=rf"found {name} 1\.0, expected {name} as a whole"):
            places(door(row))


@pytest.mark.parametrize("door", [lambda row: [row], in_json])
def test_nan_is_no_value_of_a_quote(door: Any) -> None:
    quote = {**QUOTE, "occurrence": float("nan")}
    with pytest.raises(InputError, match="found NaN as occurrence of a quote"):
        places(door({"query": "Who?", "evidence": [quote]}))


def test_frames_have_whole_numbers_as_floats_and_nan_for_nothing() -> None:
    frame = pd.DataFrame([{**ROW, "occurrence": 2.0}, {**ROW, "evidence": "left."}])
    assert places(frame) == [[(13, 17), (18, 23)]]


def test_metadata_of_stores_have_whole_numbers_as_floats() -> None:
    answer = SimpleNamespace(page_content="Peru", metadata={"source": "a", "start_index": 13.0})
    (run,) = run_from({"q1": [answer]})
    assert (run.start.tolist(), run.end.tolist()) == ([13], [17])


@pytest.mark.parametrize("nothing", [{}, []])
def test_gold_without_a_question_is_refused(nothing: Any) -> None:
    with pytest.raises(spanwise.SpanwiseError, match="found no question, expected questions with"):
        spanwise.gold(nothing)
