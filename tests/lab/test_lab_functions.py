"""The experiments as functions of ``spanwise.lab``: what they take, and what they return."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import spanwise.lab
from lab.scored import DEMO, command
from spanwise import read_run
from spanwise.errors import SpanwiseError
from spanwise.lab.experiment import LabResult, Step

FIRST, SECOND = DEMO / "assessments.first.jsonl", DEMO / "assessments.second.jsonl"
RUNS = [DEMO / "runs" / name for name in ("chunks.fol", "sections.fol", "documents.trec")]
DOCUMENTS = DEMO / "articles"
QUICK: dict[str, dict[str, Any]] = {
    "topics": {"trials": 5},
    "correlation": {"resamples": 0},
    "power": {"cutoffs": (), "results_cutoffs": (5,), "procedure": spanwise.Procedure("t")},
    "baseline": {},
    "assessors": {"others": [SECOND]},
    "overview": {"others": [SECOND]},
}
"""Experiments on runs, with little work."""


def done(name: str, runs: Any = RUNS, **more: Any) -> LabResult[Any]:
    function = getattr(spanwise.lab, name)
    result: LabResult[Any] = function(FIRST, runs, ["AgP", "AP"], **{**QUICK[name], **more})
    return result


def rows(result: LabResult[Any]) -> list[Any]:
    return list(result.output().rows.items)


def test_the_functions_of_the_lab_are_these() -> None:
    assert sorted({*QUICK, "fidelity", "insertion"}) == sorted(spanwise.lab.__all__)
    assert {*spanwise.lab.__all__} <= {*dir(spanwise.lab)}
    assert all(callable(getattr(spanwise.lab, name)) for name in spanwise.lab.__all__)
    with pytest.raises(AttributeError, match="no attribute 'topix'"):
        _ = spanwise.lab.topix  # type: ignore[attr-defined]


@pytest.mark.parametrize("name", QUICK)
def test_a_result_shows_saves_and_converts_itself(name: str, tmp_path: Path) -> None:
    result = done(name, collection=DOCUMENTS)
    output = result.output()
    assert output.producer == f"lab {'all' if name == 'overview' else name}"
    assert output.chapter
    assert output.versions["spanwise"]
    assert output.settings["collection"] == str(DOCUMENTS) or name == "overview"
    first = str(result).partition("\n\n")[0]
    assert " ".join(output.sentences[0].split())[:40] in " ".join(first.split())
    result.save(tmp_path / "found.json")
    [chapter, *others] = json.loads((tmp_path / "found.json").read_text())["chapters"]
    assert [one["role"] for one in chapter["inputs"]][:4] == ["assessments", "run", "run", "run"]
    assert len(others) == len(output.appendices)
    frame = result.to_polars()
    assert len(frame) == sum(len(one.rows.items) for one in (output, *output.appendices))


@pytest.mark.parametrize("name", QUICK)
def test_objects_in_memory_give_what_their_files_give(name: str) -> None:
    files = done(name, collection=DOCUMENTS)
    objects = [run for file in RUNS for run in read_run(file)]
    assert rows(done(name, objects, collection=DOCUMENTS)) == rows(files)


def test_a_frame_may_be_the_run() -> None:
    polars = pytest.importorskip("polars")
    judged = {"q1": {"a": [(0, 10)]}, "q2": {"b": [(0, 5)]}}
    columns = {"topic": ["q1", "q2"], "document": ["a", "b"], "start": [0, 0], "end": [10, 10]}
    frame = polars.DataFrame(columns)
    assert spanwise.lab.insertion(judged, frame, "AP", counts=[1]).found.topics == 2
    two = [polars.DataFrame({**columns, "end": [n, n], "run": [f"r{n}"] * 2}) for n in (5, 9)]
    result = spanwise.lab.topics(judged, two, "textR@5", top=1.0, trials=2)
    assert result.found.measures[0].runs == ("r5", "r9")
    assert result.files_read() == []
    assert spanwise.lab.fidelity(polars.DataFrame(columns), "AP").files_read() == []


@pytest.mark.parametrize("name", ["assessors", "baseline"])
def test_runs_have_the_names_that_they_are_given(name: str, tmp_path: Path) -> None:
    copies = [tmp_path / "x.fol", tmp_path / "y.fol"]
    for copy, file in zip(copies, RUNS, strict=False):
        copy.write_bytes(file.read_bytes())

    def names(runs: Any, **settings: Any) -> set[str]:
        result = done(name, runs, collection=DOCUMENTS, **settings)
        return {str(row["run"]) for row in rows(result) if row["kind"] == "run"}

    assert names(copies) == {"chunks", "sections"}
    assert names(copies, run_name="file") == {"x", "y"}
    assert names({"one": copies[0], "two": copies[1]}) == {"one", "two"}


@pytest.mark.parametrize("name", QUICK)
def test_progress_counts_what_is_read_and_what_is_done(name: str) -> None:
    steps: list[Step] = []
    done(name, collection=DOCUMENTS, progress=steps.append)
    counted = [step for step in steps if step.total]
    assert counted[-1].done == counted[-1].total
    read = [step.done for step in steps if not step.total]
    assert read == sorted(read)
    if name in ("topics", "correlation", "power"):
        assert read, "answers are counted while they are read"


@pytest.mark.parametrize("name", ["assessors", "baseline", "overview"])
def test_changed_runs_follow_the_default_rules(name: str) -> None:
    with pytest.raises(SpanwiseError, match="follows the default rules only: leave out compat"):
        done(name, compat="inex_eval")


def test_a_misspelled_setting_is_refused() -> None:
    with pytest.raises(SpanwiseError, match="did you mean 'collection'"):
        spanwise.lab.topics(FIRST, RUNS, colection=DOCUMENTS)  # type: ignore[call-arg]


def test_chunk_tables_must_be_as_many_as_the_runs() -> None:
    tables = [DEMO / "one.jsonl", DEMO / "two.jsonl"]
    with pytest.raises(SpanwiseError, match="found 2 chunk tables for 3 runs"):
        done("baseline", chunks=tables)


# -- insertion and the overview need no files


def test_without_files_there_is_nothing_to_read() -> None:
    result = spanwise.lab.insertion(measures="AP", counts=[1])
    assert "collection" not in result.output().settings
    assert result.files_read() == []
    with pytest.raises(SpanwiseError, match=r"results=.* is about files: give assessments"):
        spanwise.lab.insertion(measures="AP", results=10)
    with pytest.raises(SpanwiseError, match=r"first.jsonl alone, expected assessments and a run"):
        spanwise.lab.insertion(FIRST, measures="AP")
    with pytest.raises(SpanwiseError, match="found no run, expected assessments and one run"):
        spanwise.lab.overview(FIRST)
    with pytest.raises(SpanwiseError, match="found no assessments, expected assessments"):
        spanwise.lab.overview(results=10)


def test_one_run_can_be_given_in_memory() -> None:
    judged = {"q1": {"a": [(0, 10)]}, "q2": {"b": [(0, 5)]}}
    run = {"q1": {"a": [(0, 10)]}, "q2": {"b": [(0, 10)]}}
    found = spanwise.lab.insertion(judged, run, "AP", counts=[1]).found
    assert found.values["precede"][0] == (1.0, 0.5)


# -- assessors


def test_assessors_are_named_after_their_files_or_numbered() -> None:
    named = done("assessors").found.assessors
    assert named == ("assessments.first", "assessments.second")
    judged = {"t01": {"x": [(0, 10)]}}
    assert done("assessors", others=[judged]).found.assessors[1] == "assessor 2"
    varied = spanwise.lab.assessors(FIRST, RUNS, simulate=2, drop=0.3)
    assert varied.found.assessors == ("assessments.first", "varied 1", "varied 2")
    settings = varied.output().settings
    assert (settings["simulate"], settings["drop"], settings["join"]) == (2, 0.3, 0.1)


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"simulate": 2, "others": [SECOND]}, "takes the place of other assessors"),
        ({"drop": 0.5, "others": [SECOND]}, "drop=... needs assessors to vary"),
        ({"simulate": 0, "others": []}, "simulate must be a whole number of at least 1"),
        ({"simulate": 2, "jitter": 2.0, "others": []}, "jitter must be between 0 and 1, got 2.0"),
        ({"others": []}, "found one assessor, expected two or more"),
    ],
)
def test_what_cannot_be_simulated_is_refused(wrong: dict[str, Any], message: str) -> None:
    with pytest.raises(SpanwiseError, match=message):
        done("assessors", **wrong)


# -- correlation


def test_the_overlap_table_needs_elements() -> None:
    message = "overlap_table=True needs the documents' elements: give collection="
    with pytest.raises(SpanwiseError, match=message):
        spanwise.lab.correlation(FIRST, RUNS, ["Q"], overlap_table=True)
    result = spanwise.lab.correlation(
        FIRST, RUNS, ["Q"], overlap_table=True, resamples=0, collection=DOCUMENTS
    )
    assert result.found.overlap is not None
    assert result.found.measures == ("Q",)


# -- power


def test_fewer_results_than_are_scored_anyway() -> None:
    few = done("power", results=10, results_cutoffs=(5, 10, 20)).found
    assert {one.results for one in few.results} == {5}
    every = done("power", results_cutoffs=None).found
    assert {one.results for one in every.results} == {10, 100}


# -- files that are written


@pytest.mark.parametrize("words", [("insertion", "--counts", "1,2"), ("insertion",)])
def test_numbers_on_the_command_line_are_not_taken_for_files(
    words: tuple[str, ...], tmp_path: Path
) -> None:
    to = tmp_path / "found.json"
    assert command("lab", *words, "-m", "AP", "--quiet", "--to", to) == (0, "", "")
    assert to.exists()
    files = (FIRST, *RUNS, "--collection", DOCUMENTS, "--cutoffs", "1,2", "--resamples", "20")
    assert command("lab", "power", *files, "--quiet", "--to", to) == (0, "", "")


# -- progress on a terminal


def test_progress_is_that_of_files_and_then_of_steps() -> None:
    from spanwise.cli.progress import Meter, StepProgress

    progress = StepProgress([Meter(10)])
    progress.tell(Step(1500, 0, "answers"))
    assert progress.line(2.0) == "0 of 1 files, 1,500 answers, 2 s"
    progress.tell(Step(1, 4, "runs"))
    assert progress.line(2.0) == "1 of 4 runs, 2 s, about 6 s left"
    alone = StepProgress()
    assert alone.line(1.0) == "1 s"
    alone.tell(Step(0, 4, "runs"))
    assert alone.line(1.0) == "1 s"
