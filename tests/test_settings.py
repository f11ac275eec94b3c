"""Settings: checked once, in words for Python, and the same for every kind of input."""

from __future__ import annotations

import re
from dataclasses import FrozenInstanceError, fields
from pathlib import Path
from typing import Any

import numpy as np
import polars
import pytest

from spanwise import Settings, SpanwiseError, evaluate, read_assessments, read_run
from spanwise.cli.options import INPUTS
from spanwise.collection.collection import open_collection
from spanwise.inputs.session import Session
from spanwise.inputs.settings import POSSIBLE
from spanwise.records import replace

PROJECT = Path(__file__).parents[1]
GOLD = {"q1": {"d7": [(100, 250)]}, "q2": {"d3": [(0, 80)]}}
RUN = {"q1": {"d7": [(100, 200)]}, "q2": {"d3": [(0, 80)]}}

REFUSED: list[tuple[dict[str, Any], str]] = [
    (
        {"overlap": "Error"},
        "overlap must be 'union', 'error', 'as-is' or None, got 'Error'; did you mean 'error'?",
    ),
    ({"overlap": ["union"]}, "overlap must be 'union', 'error', 'as-is' or None, got ['union']"),
    (
        {"missing": "zeros"},
        "missing must be 'zero', 'skip' or None, got 'zeros'; did you mean 'zero'?",
    ),
    (
        {"order": "scroe"},
        "order must be 'score', 'rank', 'file', 'ascending' or None, got 'scroe';"
        " did you mean 'score'?",
    ),
    (
        {"unit": "utf-16"},
        "unit must be 'codepoint', 'utf16' or 'byte', got 'utf-16'; did you mean 'utf16'?",
    ),
    ({"run_name": "x"}, "run_name must be 'tag' or 'file', got 'x'"),
    ({"lenient": "no"}, "lenient must be True or False, got 'no'"),
    ({"lenient": 1}, "lenient must be True or False, got 1"),
    ({"lenient": None}, "lenient must be True or False, got None"),
    ({"results": 0}, "results must be a whole number of at least 1, got 0"),
    ({"results": -1}, "results must be a whole number of at least 1, got -1"),
    ({"results": 1.5}, "results must be a whole number of at least 1, got 1.5"),
    ({"results": True}, "results must be a whole number of at least 1, got True"),
    ({"results": "10"}, "results must be a whole number of at least 1, got '10'"),
    ({"topics": "q1"}, "topics must be a list of names, got a string; write ['q1']"),
    ({"topics": []}, "topics is empty; name at least one topic, or leave it out"),
    ({"topics": 7}, "topics must be a list of names, got 7"),
    ({"topics": ["q1", None]}, "each of the topics must be a name, got None"),
    (
        {"chunks": []},
        "chunks must be a chunk table (a path, chunks, {document: chunks}), or a list of them, got",
    ),
    ({"chunks": {"a": 1}}, "chunks must be a chunk table (a path, chunks, {document: chunks})"),
    ({"elements": 5}, "elements must be the path of a table of elements, got 5"),
    ({"collection": 5}, "collection must be a path, {document: text}, records or an opened"),
    ({"collection": ["d"]}, "collection must be a path, {document: text}, records or an opened"),
    ({"collection": []}, "collection must be a path, {document: text}, records or an opened"),
    ({"collection": {"d": 5}}, "collection must be {document: text}, both strings, got {'d': 5}"),
    ({"collection": {1: "a"}}, "collection must be {document: text}, both strings, got {1: 'a'}"),
    ({"tokenizer": 5}, "tokenizer must be the path of a tokenizer.json, 'tiktoken:NAME', a tokeni"),
    (
        {"tokenizer": ""},
        "tokenizer must be the path of a tokenizer.json, 'tiktoken:NAME', a tokeni",
    ),
    ({"tokenizer": "t.json"}, "tokenizer=... needs the texts: give collection=..."),
    ({"run_format": "terc"}, "'tsv' or None, got 'terc'; did you mean 'trec'?"),
    ({"assessments_format": "element"}, "assessments_format must be 'bioasq', 'brat'"),
    ({"topic_from": "title"}, "topic_from must be label, field:NAME or constant:ID, got 'title'"),
    ({"topic_from": "field:"}, "topic_from must be label, field:NAME or constant:ID, got 'field:'"),
    ({"topic_from": 7}, "topic_from must be label, field:NAME or constant:ID, got 7"),
    ({"overlapp": "union"}, "unknown setting 'overlapp'; did you mean 'overlap'?"),
    ({"colour": "red"}, "unknown setting 'colour'; the settings are assessments_format"),
]


@pytest.mark.parametrize(("wrong", "sentence"), REFUSED, ids=lambda value: str(value)[:40])
def test_what_is_not_possible_is_refused(wrong: dict[str, Any], sentence: str) -> None:
    for settle in (Settings, lambda **given: evaluate(GOLD, RUN, "textR", **given)):
        with pytest.raises(SpanwiseError, match=re.escape(sentence)) as refused:
            settle(**wrong)
        assert "--" not in str(refused.value)


def test_a_misspelled_keyword_of_evaluate_is_refused() -> None:
    with pytest.raises(SpanwiseError) as refused:
        evaluate(GOLD, RUN, mesures=["AgP"])
    assert str(refused.value) == "unknown setting 'mesures'; did you mean 'measures'?"


def test_settings_are_frozen_and_keep_what_they_were_given() -> None:
    settings = Settings(topics=["q1", "q2", "q1"], results=np.int64(3), chunks="a.jsonl")
    assert (settings.topics, settings.results) == (("q1", "q2"), 3)
    assert settings.chunk_tables == ("a.jsonl",)
    assert replace(settings, topics=None).results == 3
    with pytest.raises(FrozenInstanceError):
        settings.order = "file"  # type: ignore[misc]


def test_settings_of_the_official_evaluator_are_checked_too() -> None:
    with pytest.raises(SpanwiseError, match="overlap must be"):
        Settings(compat="inex_eval", overlap="none")  # type: ignore[arg-type]
    with pytest.raises(SpanwiseError, match=r"write \['q1'\]"):
        Settings(compat="inex_eval", topics="q1")
    with pytest.raises(SpanwiseError, match="collection='docs' has no meaning with compat='inex_"):
        Settings(compat="inex_eval", collection="docs")


def test_topics_may_be_numbers_as_in_records() -> None:
    gold, run = {1: {"d": [(0, 9)]}, 2: {"d": [(0, 9)]}}, {1: {"d": [(0, 9)]}}
    assert evaluate(gold, run, "textR", topics=[1]).mean("textR") == 1.0


def test_flags_have_the_values_of_the_settings() -> None:
    for name, possible in POSSIBLE.items():
        option = INPUTS[name.replace("_", "-")](lambda: None).__click_params__[0]
        assert [*option.type.choices] == [value for value in possible if value is not None]


def test_the_documented_table_is_that_of_the_class() -> None:
    text = (PROJECT / "docs" / "python.md").read_text(encoding="utf-8")
    table_text = text.partition("## Settings")[2]
    rows = [line.split(" | ") for line in table_text.splitlines() if line.startswith("| `")]
    table = {row[0].strip("| `"): row for row in rows}
    assert list(table) == [definition.name for definition in fields(Settings)]
    for definition in fields(Settings):
        assert table[definition.name][1] == f"`{definition.default!r}`"
    for name, possible in POSSIBLE.items():
        assert table[name][2] == ", ".join(f"`{value!r}`" for value in possible)


# -- documents


def test_a_collection_may_be_a_dictionary(tmp_path: Path) -> None:
    texts = {"d7": "x" * 1000, "d3": "y" * 160}
    for name, text in texts.items():
        (tmp_path / f"{name}.txt").write_text(text)
    whole = {"q1": ["d7"], "q2": ["d3"]}
    scores = [
        evaluate(GOLD, whole, ["textP"], collection=given)
        for given in (texts, tmp_path, str(tmp_path), open_collection(tmp_path))
    ]
    assert {score.mean("textP") for score in scores} == {(150 / 1000 + 0.5) / 2}


def test_the_documents_of_a_dictionary() -> None:
    found = open_collection({"d7": "a😀"})
    assert (found.lengths["d7"], found.text("d7"), found.view("d7")) == (2, "a😀", "raw")
    assert (found.find("d8"), found.has_text, found.elements) == (None, True, None)
    assert list(found.lengths) == ["d7"]


def test_a_session_opens_the_collection_once_and_leaves_the_settings(tmp_path: Path) -> None:
    (tmp_path / "d7.txt").write_text("text")
    settings = Settings(collection=tmp_path)
    session = Session(settings)
    assert session.collection is session.collection
    assert session.collection.lengths["d7"] == 4
    assert settings.collection == tmp_path


# -- units

TEXTS = {"d1": "😀😀 Peru"}
"""Four code points are at 3, 5 units of UTF-16 and 9 bytes."""
UNITS = {"codepoint": (3, 7), "utf16": (5, 9), "byte": (9, 13)}


def rows(place: tuple[int, int]) -> list[dict[str, Any]]:
    return [{"topic": "q1", "document": "d1", "start": place[0], "end": place[1]}]


SHAPES = {
    "dictionary": lambda place: {"q1": {"d1": [place]}},
    "records": rows,
    "frame": lambda place: polars.DataFrame(rows(place)),
}


@pytest.mark.parametrize("unit", UNITS)
@pytest.mark.parametrize("shape", SHAPES)
def test_a_unit_holds_for_what_is_in_memory(unit: str, shape: str) -> None:
    gold, run = SHAPES[shape](UNITS[unit]), SHAPES[shape](UNITS[unit])
    measures = ["textR", "textP(budget=4)"]
    scores = evaluate(gold, run, measures, unit=unit, collection=TEXTS)
    assert [scores.mean(measure) for measure in measures] == [1.0, 1.0]
    judged = Session(Settings(unit=unit, collection=TEXTS)).assessments(gold)  # type: ignore[arg-type]
    assert judged.relevant.to_lists() == [[(3, 7)]]


def test_units_need_the_texts() -> None:
    for collection in (None, {}):
        with pytest.raises(SpanwiseError, match="unit='byte' needs the texts"):
            evaluate(GOLD, RUN, "textR", unit="byte", collection=collection)


def test_offsets_inside_a_character_are_refused() -> None:
    with pytest.raises(SpanwiseError, match="utf16 offsets of the document's text"):
        evaluate({"q1": {"d1": [(1, 9)]}}, RUN, "textR", unit="utf16", collection=TEXTS)


def test_a_unit_is_refused_for_objects_that_count_code_points(tmp_path: Path) -> None:
    (tmp_path / "gold").write_text('{"topic": "q1", "document": "d1", "start": 5, "end": 9}\n')
    (tmp_path / "run").write_text("q1 Q0 d1 1 1.0 tag 5 4\n")
    other = {"unit": "utf16", "collection": TEXTS}
    gold, [run] = read_assessments(tmp_path / "gold"), read_run(tmp_path / "run")
    for runs in (run, [run], {"a": run}, [[run, run]]):
        with pytest.raises(SpanwiseError, match="unit='utf16' cannot hold for Run objects"):
            evaluate(tmp_path / "gold", runs, "textR", **other)
    with pytest.raises(SpanwiseError, match="cannot hold for Assessments objects"):
        evaluate(gold, tmp_path / "run", "textR", **other)
    assert evaluate(tmp_path / "gold", tmp_path / "run", "textR", **other).mean("textR") == 1.0


# -- several runs

ANSWERS = {"q1": [("d7", 100, 250, 1.0)], "q2": [("d3", 0, 80, 1.0)]}


def names(runs: Any, gold: Any = GOLD, **settings: Any) -> list[str]:
    return [run.run for run in evaluate(gold, runs, "textR", **settings).runs]


def test_several_runs_by_name(tmp_path: Path) -> None:
    (tmp_path / "file.trec").write_text("q1 Q0 d7 1 1.0 tag\n")
    flat = [{"topic": "q1", "document": "d7", "start": 100, "end": 250}]
    [read] = read_run(tmp_path / "file.trec")
    runs = {
        "ranges": RUN,
        "answers": ANSWERS,
        "records": flat,
        "frame": polars.DataFrame(flat),
        "path": tmp_path / "file.trec",
        "object": read,
    }
    assert names(runs, collection={"d7": "x" * 500}) == list(runs)
    for name, run in runs.items():
        assert names({name: run}, collection={"d7": "x" * 500}) == [name]


def test_named_runs_score_as_they_do_alone() -> None:
    both = evaluate(GOLD, {"a": RUN, "b": ANSWERS}, "textR")
    alone = [evaluate(GOLD, run, "textR").mean("textR") for run in (RUN, ANSWERS)]
    assert [both.mean("textR", run=name) for name in ("a", "b")] == alone


def test_several_runs_under_one_name_keep_their_own(tmp_path: Path) -> None:
    (tmp_path / "two").write_text("q1 Q0 d7 1 1.0 x\nq1 Q0 d7 1 1.0 y\n")
    flat = [{"topic": "q1", "document": "d7", "run": name} for name in "xy"]
    runs = {"file": tmp_path / "two", "rows": flat}
    assert names(runs, collection={"d7": "x" * 500}) == ["file:x", "file:y", "rows:x", "rows:y"]


def test_a_list_of_runs() -> None:
    gold = {"1": {"d": [(0, 10)]}}
    two = [{"run": name, "qid": "1", "doc_id": "d", "start": 0, "end": 5} for name in "ab"]
    assert names(two, gold) == ["a", "b"]
    with pytest.raises(SpanwiseError, match=r"two runs named run.*\{name: run\}"):
        names([RUN, ANSWERS])


@pytest.mark.parametrize("run_name", ["tag", "file"])
def test_two_files_with_runs_of_one_name_are_both_named(tmp_path: Path, run_name: str) -> None:
    files = [tmp_path / "a.fol", tmp_path / "b" / "a.fol"]
    for file in files:
        file.parent.mkdir(exist_ok=True)
        file.write_text("q1 Q0 d7 1 1.0 a 0 5\n")
    with pytest.raises(SpanwiseError) as refused:
        evaluate({"q1": {"d7": [(0, 9)]}}, files, "textR", run_name=run_name)
    assert f"two runs named a ({files[0]} and {files[1]})" in str(refused.value)
    # What was done already is no advice.
    assert ("run_name='file'" in str(refused.value)) is (run_name == "tag")


@pytest.mark.parametrize(
    "run",
    [
        {"1": {"1": [(0, 10)], "2": [(5, 9)]}},
        {"1": {"1": 2.5, "2": 1}},
        {"1": {"2": []}, "2": {"1": [(0, 5)]}},
        {"1": [("1", 0, 10)]},
        {"1": ["2"]},
        {"7": {"1": 2.5}},
        {"1": []},
        {},
    ],
)
def test_documents_named_as_topics_are_no_names_of_runs(run: Any) -> None:
    gold = {topic: {"1": [(0, 10)], "2": [(0, 10)]} for topic in ("1", "2")}
    texts = {"1": "x" * 20, "2": "y" * 20}
    assert names(run, gold, collection=texts) == ["run"]


@pytest.mark.parametrize("run", [{"1": {"2": []}}, {"1": {"2": ["/a[1]"]}, "3": {"2": []}}])
def test_what_could_be_one_run_or_several_is_refused(run: Any) -> None:
    gold = {topic: {"1": [(0, 10)], "2": [(0, 10)]} for topic in ("1", "2")}
    with pytest.raises(SpanwiseError, match="may be one run by topic or several runs by name"):
        names(run, gold)


@pytest.mark.parametrize("run", [{"bm25": {"q1": []}}, {"bm25": {"q1": ["/data/a.md"]}}])
def test_keys_decide_where_values_cannot(run: Any) -> None:
    assert names(run, collection={"/data/a.md": "x"}) == ["bm25"]


def test_answers_of_the_wrong_shape_are_no_runs_by_name() -> None:
    with pytest.raises(SpanwiseError, match="found start 'x'"):
        names({"q1": {"d7": [("x", 0, 5)]}})
