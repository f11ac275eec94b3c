"""Answers of SQuAD as Hugging Face has them: quotes from a context, by its offsets."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest

import spanwise
from spanwise.data.assessments import Assessments

FIRST = "Peru joined in 1945. Chile joined later."
SECOND = "Japan was first. Peru was not."
DOCUMENTS = {"south": f"{FIRST}\n\nPeru again.", "east": SECOND}
ROWS: list[dict[str, Any]] = [
    {
        "id": "x1",
        "title": "Members",
        "context": FIRST,
        "question": "Who joined in 1945?",
        "answers": {"text": ["Peru", "Peru joined"], "answer_start": [0, 0]},
    },
    {
        "id": "x2",
        "title": "Members",
        "context": SECOND,
        "question": "Who was not first?",
        "answers": {"text": ["Peru"], "answer_start": [17]},
    },
    {
        "id": "x3",
        "title": "Members",
        "context": SECOND,
        "question": "Who was last?",
        "answers": {"text": [], "answer_start": []},
    },
]
PLACES = {"x1": {"south": [(0, 11)]}, "x2": {"east": [(17, 21)]}}


def ranges(judged: Assessments) -> dict[str, dict[str, list[tuple[int, int]]]]:
    found: dict[str, dict[str, list[tuple[int, int]]]] = {}
    names = (judged.topics[number] for number in judged.topic.tolist())
    for topic, name, places in zip(
        names, judged.documents.strings(), judged.relevant.to_lists(), strict=True
    ):
        found.setdefault(topic, {})[name] = places
    return found


def arrays() -> pd.DataFrame:
    rows = [
        {**row, "answers": {name: np.array(column) for name, column in row["answers"].items()}}
        for row in ROWS
    ]
    return pd.DataFrame(rows)


GIVEN = {
    "records": lambda: ROWS,
    "columns": lambda: {name: [row[name] for row in ROWS] for name in ROWS[0]},
    "polars": lambda: pl.DataFrame(ROWS),
    "pandas": arrays,
}


@pytest.mark.parametrize("given", GIVEN.values(), ids=GIVEN)
def test_answers_are_where_their_context_is(given):
    judged = spanwise.gold(given(), collection=DOCUMENTS)
    assert ranges(judged) == PLACES
    assert judged.queries["x2"] == "Who was not first?"
    notes = {note.kind: note for note in judged.notes}
    assert notes["no quotes"].names == ("x3",)
    assert not {"lost contexts", "context offsets"} & set(notes)


def test_a_file_of_them(tmp_path: Path):
    file = tmp_path / "squad.jsonl"
    file.write_text("".join(json.dumps(row) + "\n" for row in ROWS))
    assert ranges(spanwise.gold(file, collection=DOCUMENTS)) == PLACES


def test_a_named_document_without_a_context():
    answers = {"text": ["Peru"], "answer_start": [42]}
    row = {"id": "x1", "question": "Who?", "document": "south", "answers": answers}
    assert ranges(spanwise.gold([row], collection=DOCUMENTS)) == {"x1": {"south": [(42, 46)]}}
    assert ranges(spanwise.gold([row])) == {"x1": {"south": [(42, 46)]}}
    wrong = {**row, "answers": {"text": ["Peru"], "answer_start": [40]}}
    with pytest.raises(spanwise.SpanwiseError):
        spanwise.gold([wrong], collection=DOCUMENTS)


def test_wrong_offsets_in_a_context_are_noted():
    row = {**ROWS[1], "answers": {"text": ["Peru"], "answer_start": [3]}}
    judged = spanwise.gold([row], collection=DOCUMENTS)
    assert ranges(judged) == {"x2": PLACES["x2"]}
    assert "context offsets" in {note.kind for note in judged.notes}


def test_a_context_tells_which_place_a_quote_means():
    row = {"id": "x1", "question": "Who?", "evidence": ["Peru"], "context": SECOND}
    assert ranges(spanwise.gold([row], collection=DOCUMENTS)) == {"x1": {"east": [(17, 21)]}}
    with pytest.raises(spanwise.SpanwiseError, match="one place"):
        spanwise.gold([{**row, "context": None}], collection=DOCUMENTS)


def test_a_context_that_is_not_in_the_documents_is_noted():
    row = {"id": "x1", "question": "Who?", "evidence": ["Japan"], "context": "Another text."}
    judged = spanwise.gold([row], collection=DOCUMENTS)
    assert ranges(judged) == {"x1": {"east": [(0, 5)]}}
    assert "lost contexts" in {note.kind for note in judged.notes}


def test_columns_of_answers_have_as_many_values():
    row = {**ROWS[0], "answers": {"text": ["Peru"], "answer_start": [0, 1]}}
    with pytest.raises(spanwise.SpanwiseError, match="as many values of each field"):
        spanwise.gold([row], collection=DOCUMENTS)
