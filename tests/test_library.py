"""The library is the command line: functions that return results which show themselves."""

from __future__ import annotations

import json
import re
from pathlib import Path

import polars
import pytest

import spanwise
from spanwise import Evaluator, Run, SpanwiseError, check, convert, evaluate, explain
from spanwise.errors import OutputError

JUDGED = {"q1": {"d1": [(0, 10)]}, "q2": {"d1": [(0, 10)]}}
FIRST = {"q1": [("d1", 0, 5, 2.0)], "q2": [("d1", 0, 10, 1.0)]}
SECOND = {"q1": [("d1", 0, 10, 2.0)]}
GOLD = "".join(
    json.dumps({"topic": topic, "document": "d1", "start": 0, "end": 10}) + "\n"
    for topic in ("q1", "q2")
)
ANSWERS = json.dumps({"topic": "q1", "document": "d1", "start": 0, "end": 5, "score": 2.0}) + "\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "gold.jsonl").write_text(GOLD)
    (tmp_path / "run.jsonl").write_text(ANSWERS)
    return tmp_path


# -- results


def test_a_result_prints_as_the_command_line_does() -> None:
    scores = evaluate(JUDGED, {"first": FIRST, "second": SECOND}, ["textR"])
    assert str(scores).startswith("run      textR\n")
    assert str(scores).endswith("\nnote: second: 1 topic is missing from the run; scored 0 (q2)")
    assert repr(scores).startswith("run      textR\n")
    assert len(repr(scores).splitlines()) < 12


def test_a_result_becomes_frames_and_files(tmp_path: Path) -> None:
    scores = evaluate(JUDGED, FIRST, ["textR"])
    assert scores.to_polars().columns == ["run", "measure", "canonical", "topic", "value"]
    assert scores.to_pandas()["value"].tolist() == scores.to_polars()["value"].to_list()
    assert scores.to_polars(per_topic=False)["topic"].to_list() == ["all"]
    scores.save(tmp_path / "scores.json")
    assert json.loads((tmp_path / "scores.json").read_text())["rows"][0]["value"] == 0.75
    scores.save(tmp_path / "scores.parquet")
    assert polars.read_parquet(tmp_path / "scores.parquet")["value"].to_list() == [0.75]
    with pytest.raises(OutputError, match="found no ending"):
        scores.save(tmp_path / "scores")


def test_a_result_is_never_saved_over_an_input(folder: Path) -> None:
    scores = evaluate(folder / "gold.jsonl", folder / "run.jsonl", ["textR"])
    with pytest.raises(OutputError, match="is read by this command"):
        scores.save(folder / "gold.jsonl")
    assert (folder / "gold.jsonl").read_text() == GOLD


def test_no_result_is_saved_over_what_it_was_made_from(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(folder)
    results = [
        evaluate("gold.jsonl", "run.jsonl", ["textR"]),
        explain("gold.jsonl", "run.jsonl", "q1", "textR"),
        check("run.jsonl", assessments="gold.jsonl"),
    ]
    monkeypatch.chdir(folder.parent)
    for result in results:
        for name in ("gold.jsonl", "run.jsonl"):
            with pytest.raises(OutputError, match="is read by this command"):
                result.save(folder / name)
    assert (folder / "gold.jsonl").read_text() == GOLD


def test_scores_are_saved_with_or_without_topics(tmp_path: Path) -> None:
    scores = evaluate(JUDGED, FIRST, ["textR"])
    for per_topic, rows in ((False, 1), (True, 3)):
        scores.save(tmp_path / "scores.jsonl", per_topic=per_topic)
        assert len((tmp_path / "scores.jsonl").read_text().splitlines()) == rows


def test_json_documents_settings_and_the_hashes_of_all_files(folder: Path) -> None:
    scores = evaluate(folder / "gold.jsonl", folder / "run.jsonl", ["textR"], results=5)
    scores.save(folder / "scores.json")
    found = json.loads((folder / "scores.json").read_text())
    assert found["settings"]["results"] == 5
    assert [one["role"] for one in found["inputs"]] == ["assessments", "run"]
    assert all(len(one["sha256"]) == 64 for one in found["inputs"])


# -- several runs in memory


def test_runs_in_memory_have_names() -> None:
    by_name = evaluate(JUDGED, {"first": FIRST, "second": SECOND}, ["textR"])
    assert [run.run for run in by_name.runs] == ["first", "second"]
    runs = [
        Run.of(name, ["q1"], ["d1"], start=[0], end=[end]) for name, end in (("a", 5), ("b", 10))
    ]
    assert [run.run for run in evaluate(JUDGED, runs, ["textR"]).runs] == ["a", "b"]


def test_a_dictionary_that_may_be_either_is_refused_with_advice() -> None:
    with pytest.raises(SpanwiseError, match="one run by topic or several runs by name"):
        evaluate({"q1": {"q1": [(0, 9)]}}, {"q1": {"q1": []}}, ["textR"])


# -- the evaluator


def test_an_evaluator_gives_the_scores_of_evaluate_many_times() -> None:
    evaluator = Evaluator(JUDGED, ["textR", "AgP"])
    for run in (FIRST, SECOND, FIRST):
        expected = evaluate(JUDGED, run, ["textR", "AgP"])
        assert evaluator.score(run).runs[0].values.tolist() == expected.runs[0].values.tolist()
        assert evaluator.score(run).notes == expected.notes
    assert repr(evaluator) == "Evaluator(2 topics; textR, AgP)"


def test_an_evaluator_takes_a_part_of_a_run_that_shares_no_document() -> None:
    answers = [(f"x{number}", 0, 5, -number) for number in range(30)]
    found = Evaluator(JUDGED, ["textR"]).score({"q1": answers})
    assert any(note.kind == "strange documents" for note in found.all_notes())


# -- the other commands


def test_explain_takes_what_evaluate_takes(folder: Path) -> None:
    in_memory = explain(JUDGED, FIRST, "q1", "textR@5")
    from_files = explain(folder / "gold.jsonl", folder / "run.jsonl", "q1", "textR@5")
    assert in_memory.explanations[0].value == from_files.explanations[0].value == 0.5
    assert "textR@5 = 0.5000" in str(in_memory)
    with pytest.raises(SpanwiseError, match="no topic q9"):
        explain(JUDGED, FIRST, "q9", "textR@5")


def test_check_gives_faults_as_values(folder: Path) -> None:
    (folder / "bad.jsonl").write_text(ANSWERS.replace('"end": 5', '"end": -5'))
    found = check(folder / "run.jsonl", folder / "bad.jsonl", assessments=folder / "gold.jsonl")
    assert not found.passed
    assert [(Path(fault.file).name, fault.line) for fault in found.faults] == [("bad.jsonl", 1)]
    assert check(folder / "run.jsonl").passed
    assert found.to_polars()["rule"].to_list() == ["range"]
    with pytest.raises(SpanwiseError, match=r"results=\.\.\. is a limit of a task: give task="):
        check(folder / "run.jsonl", results=5)


def test_convert_writes_a_file_and_says_what_got_lost(folder: Path) -> None:
    notes = convert(folder / "run.jsonl", folder / "run.fol")
    assert (folder / "run.fol").read_text() == "q1 Q0 d1 1 2.0 run 0 5\n"
    assert notes == ()
    with pytest.raises(OutputError, match="is read by this command"):
        convert(folder / "run.jsonl", folder / "run.jsonl")


def test_the_public_names_are_listed() -> None:
    assert set(spanwise.__all__) <= set(dir(spanwise))


def test_the_measures_are_a_list_that_shows_itself() -> None:
    found = spanwise.list_measures()
    assert "AgP" in {type(entry.score).__name__ for entry in found}
    assert len(found.to_polars()) == len(found)
    assert [entry.canonical for entry in spanwise.list_measures("P")] == ["P", "P"]
    assert "Generalised" in str(found) or "generalised" in str(found)


def test_every_command_is_a_function() -> None:
    from spanwise.cli.main import COMMANDS

    names = {"measures": "list_measures", "collection": "open_collection"}
    apart = {"demo", "lab"}
    for command in set(COMMANDS) - apart:
        assert callable(getattr(spanwise, names.get(command, command)))
    assert {*spanwise.lab.__all__} >= {"fidelity", "topics", "power", "overview"}


def test_wrong_values_are_refused_in_words(tmp_path: Path) -> None:
    for call, sentence in (
        (lambda: explain(JUDGED, FIRST, 5), "topic must be a name, got 5"),
        (lambda: evaluate("", FIRST), "the name of the assessments is empty"),
        (
            lambda: spanwise.compare(JUDGED, FIRST, groups={"q1": None}),
            "each of the groups must be a name, got None",
        ),
        (
            lambda: spanwise.gate(JUDGED, FIRST, fail_if="textR < -0_01", baseline=FIRST),
            "found '-0_01', expected a number",
        ),
        (
            lambda: spanwise.gate(JUDGED, FIRST, require="textR significantly worse"),
            "is a reason to fail: give it with fail_if=...",
        ),
        (
            lambda: spanwise.report(JUDGED, FIRST, chapters=[5]),
            "each of the chapters must be an output or a file, got 5",
        ),
    ):
        with pytest.raises(SpanwiseError, match=re.escape(sentence)):
            call()


def test_a_report_takes_chapters_from_files(tmp_path: Path) -> None:
    runs = {"first": FIRST, "second": SECOND}
    spanwise.lab.topics(JUDGED, runs, ["textR"]).save(tmp_path / "topics.json")
    made = spanwise.report(JUDGED, runs, "textR", chapters=[tmp_path / "topics.json"])
    made.save(tmp_path / "report.html")
    assert "#lab-topics" in (tmp_path / "report.html").read_text()


def test_an_evaluator_keeps_no_notes_of_earlier_runs() -> None:
    evaluator = spanwise.Evaluator({"q1": {"d1": [(0, 10)]}}, ["textR@5"])
    strange = evaluator.score(
        [{"topic": "q1", "document": "d1", "start": 0, "end": 5, "colour": 1}]
    )
    plain = evaluator.score([{"topic": "q1", "document": "d1", "start": 0, "end": 5}])
    assert any("colour" in str(note) for note in strange.notes)
    assert not any("colour" in str(note) for note in plain.notes)
