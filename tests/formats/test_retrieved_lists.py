"""Runs with a list of texts for each question, as evaluations of answers keep them."""

from __future__ import annotations

import io
import json
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import spanwise
from spanwise.data.notes import Faults
from spanwise.data.run import Run
from spanwise.errors import InputError
from spanwise.formats.builtin.binary import parquet
from spanwise.formats.builtin.json_rows import jsonl
from spanwise.formats.builtin.tables import csv
from spanwise.formats.memory import assessments_from, run_from
from spanwise.formats.registry import RunOptions
from spanwise.formats.source import Source

DOCUMENTS = {"d1": "Cards are fine. Cash is not.", "d2": "Ten days. Ask again."}
ROWS: list[dict[str, Any]] = [
    {
        "user_input": "How to pay?",
        "retrieved_contexts": ["Cash is not.", "Cards are fine."],
        "reference_contexts": ["Cards are fine."],
        "response": "By card.",
        "reference": "With a card.",
    },
    {
        "user_input": "How long?",
        "retrieved_contexts": ["Ten days."],
        "reference_contexts": ["Ten days."],
        "response": "Ten days.",
        "reference": "Ten days.",
    },
    {
        "user_input": "Why?",
        "retrieved_contexts": [],
        "reference_contexts": ["Ask again."],
        "response": "No idea.",
        "reference": "Ask.",
    },
]


def columns(rows: list[dict[str, Any]]) -> dict[str, list[Any]]:
    return {name: [row[name] for row in rows] for name in rows[0]}


def lines(rows: list[dict[str, Any]]) -> Source:
    return Source("run.jsonl", "".join(json.dumps(row) + "\n" for row in rows).encode())


def from_lines(rows: list[dict[str, Any]]) -> list[Run]:
    return [*jsonl.FORMAT.read_run(lines(rows), Faults("run.jsonl"), RunOptions())]


def from_table(rows: list[dict[str, Any]]) -> list[Run]:
    cells = [{n: json.dumps(v) if isinstance(v, list) else v for n, v in r.items()} for r in rows]
    text = pd.DataFrame(cells).to_csv(index=False)
    return [*csv.FORMAT.read_run(Source("r", text.encode()), Faults("r"), RunOptions())]


def from_parquet(rows: list[dict[str, Any]]) -> list[Run]:
    stream = io.BytesIO()
    pl.DataFrame(rows).write_parquet(stream)
    return [*parquet.read_run(Source("r", stream.getvalue()), Faults("r"), RunOptions())]


DOORS = {
    "parquet": from_parquet,
    "records": run_from,
    "columns": lambda rows: run_from(columns(rows)),
    "jsonl": from_lines,
    "csv": from_table,
    "pandas": lambda rows: run_from(pd.DataFrame(rows)),
    "polars": lambda rows: run_from(pl.DataFrame(rows)),
    "arrow": lambda rows: run_from(pa.Table.from_pylist(rows)),
}
every_door = pytest.mark.parametrize("door", DOORS.values(), ids=DOORS)


@every_door
@pytest.mark.parametrize("question", ["user_input", "question"])
@pytest.mark.parametrize("contexts", ["retrieved_contexts", "contexts"])
def test_each_context_is_an_answer_and_the_list_is_the_ranking(door, question, contexts):
    names = {"user_input": question, "retrieved_contexts": contexts}
    (run,) = door([{names.get(name, name): v for name, v in row.items()} for row in ROWS])
    assert (run.topics, run.order) == (("How to pay?", "How long?"), "rank")
    assert run.quotes == ("Cash is not.", "Cards are fine.", "Ten days.")
    assert run.rank.tolist() == [1, 2, 1]


def test_one_set_of_rows_is_gold_and_run():
    scores = spanwise.evaluate(ROWS, ROWS, "hitRR", collection=DOCUMENTS)
    assert scores.per_topic("hitRR") == {"How to pay?": 0.5, "How long?": 1.0, "Why?": 0.0}
    dataset = columns(ROWS)
    same = spanwise.evaluate(dataset, dataset, "hitRR", collection=DOCUMENTS)
    assert same.per_topic("hitRR") == scores.per_topic("hitRR")
    several = {"one": ROWS, "two": dataset}
    both = spanwise.evaluate(ROWS, several, "hitRR", collection=DOCUMENTS)
    assert [(run.run, run.values.mean()) for run in both.runs] == [("one", 0.5), ("two", 0.5)]


def test_one_file_is_gold_and_run(tmp_path: Path):
    file = tmp_path / "ragas.jsonl"
    file.write_bytes(lines(ROWS).read())
    scores = spanwise.evaluate(file, file, "hitRR", collection=DOCUMENTS)
    assert scores.mean("hitRR") == 0.5


def test_further_names_are_noted():
    faults = Faults("run")
    run_from(ROWS, faults=faults)
    notes = [*map(str, faults.notes)]
    assert "field 'reference_contexts' is ignored: a run does not use it" in notes
    assert "field 'response' is unknown and ignored" in notes


def test_the_id_is_the_topic_as_in_gold():
    rows = [{"id": f"t{number}", **row} for number, row in enumerate(ROWS)]
    (run,) = run_from(rows)
    assert run.topics == ("t0", "t1")
    assert {each.topic for each in assessments_from(rows).quoted} == {"t0", "t1", "t2"}


def test_contexts_may_say_where_they_are():
    document = SimpleNamespace(page_content="Ten days.", metadata={"source": "d2"})
    place = {"document": "d1", "start": 0, "end": 15, "text": "Cards are fine."}
    nested = {"page_content": "Ask again.", "metadata": {"source": "d2", "start_index": 10}}
    rows = [{"question": "How?", "contexts": [place, document, nested]}]
    (run,) = run_from([{**rows[0], "contexts": [place, document]}])
    assert (run.documents.strings(), run.end.tolist()) == (["d1", "d2"], [15, 0])
    scores = spanwise.evaluate({"How?": ["Ask again."]}, rows, "hitRR", collection=DOCUMENTS)
    assert scores.mean("hitRR") == 1 / 3


@pytest.mark.parametrize("contexts", [5, [5], [["Ten days."]], [{"page": 3}]])
def test_what_is_no_context_is_refused_with_its_row(contexts):
    good = {"question": "How long?", "contexts": ["Ten days."]}
    with pytest.raises(InputError) as problem:
        run_from([good, {"question": "Why?", "contexts": contexts}])
    assert problem.value.fault.line == 2
    assert problem.value.fault.rule == "contexts"


def test_a_dictionary_of_questions_is_no_dictionary_of_columns():
    scores = spanwise.evaluate(
        {"question": ["Ten days."], "contexts": ["Cards are fine."]},
        {"question": ["Ten days."], "contexts": ["Cards are fine."]},
        "hitRR",
        collection=DOCUMENTS,
    )
    assert scores.per_topic("hitRR") == {"question": 1.0, "contexts": 1.0}
