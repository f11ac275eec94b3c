"""What the commands of all experiments have in common."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

import pytest

from .scored import DEMO, command

SECOND = DEMO / "assessments.second.jsonl"
MORE: dict[str, tuple[object, ...]] = {
    "topics": ("--trials", "5"),
    "correlation": ("--resamples", "0"),
    "power": ("--resamples", "50", "--cutoffs", "none", "--results-cutoffs", "none"),
    "baseline": ("-m", "AgP"),
    "assessors": ("--other", SECOND),
    "all": ("-m", "AgP", "-m", "AP", "--other", SECOND),
}


@pytest.fixture
def files(tmp_path: Path) -> tuple[Path, Path]:
    """Assessments and a run, each with a line that is no line."""
    made = []
    for name in ("assessments.first.jsonl", "runs/chunks.fol"):
        content = (DEMO / name).read_text()
        file = tmp_path / Path(name).name
        file.write_text(f"{content}nothing\n")
        made.append(file)
    return made[0], made[1]


def chapters(*words: object) -> list[dict]:
    code, out, err = command("lab", *words, "-o", "json", "--quiet")
    assert code == 0, err
    return json.loads(out)["chapters"]


def given(run: Path) -> tuple[object, ...]:
    return (*sorted((DEMO / "runs").glob("s*")), run, "--collection", DEMO / "articles")


@pytest.mark.parametrize("experiment", MORE)
def test_the_files_are_named_with_their_hashes(experiment: str) -> None:
    judged, run = DEMO / "assessments.first.jsonl", DEMO / "runs" / "chunks.fol"
    first, *_ = chapters(experiment, judged, *given(run), *MORE[experiment])
    files = {(one["role"], one["file"]): one["sha256"] for one in first["inputs"]}
    assert files["run", str(run)] == hashlib.sha256(run.read_bytes()).hexdigest()
    others = SECOND in MORE[experiment]
    assert len(files) == 1 + 3 + 1 + others, "assessments, runs, collection, the other assessor"
    assert not any("lenient" in row for row in first["rows"]["items"])


@pytest.mark.parametrize("experiment", MORE)
def test_what_was_dropped_marks_everything(experiment: str, files: tuple[Path, Path]) -> None:
    judged, run = files
    for faulty in ((judged, DEMO / "runs" / "chunks.fol"), (DEMO / "assessments.first.jsonl", run)):
        words = (faulty[0], *given(faulty[1]), "--lenient", *MORE[experiment])
        for chapter in chapters(experiment, *words):
            assert chapter["lenient"].startswith("lenient: ")
            assert all(row["lenient"] is True for row in chapter["rows"]["items"])


def test_simulated_runs_are_marked_too(files: tuple[Path, Path]) -> None:
    words = (files[0], "-m", "AgP", "--collection", DEMO / "articles")
    [strict] = chapters("fidelity", DEMO / "assessments.first.jsonl", *words[1:])
    assert set(strict["rows"]["items"][0]) == {"kind", "run", "measure", "value"}
    run = (DEMO / "runs" / "chunks.fol", "-m", "AgP", "--collection", DEMO / "articles")
    [inserted] = chapters("insertion", files[0], *run, "--lenient")
    assert all(row["lenient"] for row in inserted["rows"]["items"])
    [lenient] = chapters("fidelity", *words, "--lenient")
    assert lenient["lenient"].startswith("lenient: ")
    assert all(row["lenient"] for row in lenient["rows"]["items"])


def test_results_go_nowhere_else_than_where_they_can_be_read(tmp_path: Path) -> None:
    place = tmp_path / "found.parquet"
    code, out, err = command("lab", "insertion", "--to", place)
    assert (code, out, place.exists()) == (2, "", False)
    assert "found the ending .parquet, expected one of .txt" in err
