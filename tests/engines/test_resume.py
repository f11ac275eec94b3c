"""Results of finished run files are kept, and taken if all that they depend on is as it was."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

import spanwise
from command import environment
from run_files import drawn, make_everything_small, written
from spanwise import SpanwiseError
from spanwise.inputs.scoring import Scoring

JUDGED = "".join(f"t{n} 0 d{m} 1\n" for n in range(45) for m in range(1, 1 + n % 7, 2))
MEASURES = ["AP", "nDCG@3"]


@pytest.fixture
def runs(tmp_path: Path) -> list[Path]:
    (tmp_path / "qrels.txt").write_text(JUDGED)
    found = []
    for number, ending in enumerate((".fol", ".jsonl", ".fol", ".jsonl")):
        rows = [(r, t, d[:2], *rest) for r, t, d, *rest in drawn(number, runs=(f"r{number}",))]
        if number == 2:
            rows.sort(key=lambda row: row[5])
        found.append(written(rows, tmp_path / f"run{number}{ending}"))  # type: ignore[arg-type]
    return found


def scored(runs: object, folder: Path, **settings: object) -> spanwise.Scores:
    judged = folder / "qrels.txt"
    measures = settings.pop("measures", MEASURES)
    return spanwise.evaluate(judged, runs, measures, **settings)  # type: ignore[arg-type]


def bits(scores: spanwise.Scores) -> object:
    return [
        (run.run, run.topics, run.values.tobytes(), run.means, run.counts, run.notes, run.lenient)
        for run in scores.runs
    ], scores.notes


def said(scores: spanwise.Scores) -> list[str]:
    return [str(note) for note in scores.resumed]  # type: ignore[attr-defined]


@pytest.fixture
def counted(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The files that were really scored."""
    files: list[str] = []
    blocks = Scoring.scored_blocks

    def look(self: Scoring, file: object, *, whole: bool) -> object:
        files.append(Path(file.source.name).name)  # type: ignore[attr-defined]
        return blocks(self, file, whole=whole)  # type: ignore[arg-type]

    monkeypatch.setattr(Scoring, "scored_blocks", look)
    return files


@pytest.mark.parametrize("memory", [None, "1GB"])
def test_finished_files_are_not_computed_again(
    tmp_path: Path,
    runs: list[Path],
    counted: list[str],
    memory: str | None,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    make_everything_small(monkeypatch)
    expected = bits(scored(runs, tmp_path))
    kept = tmp_path / "kept"
    assert bits(scored(runs[:3], tmp_path, resume=kept, memory=memory)) is not None
    assert len(list(kept.iterdir())) == 3
    counted.clear()
    found = scored(runs, tmp_path, resume=kept, memory=memory)
    assert counted == ["run3.jsonl"]
    assert bits(found) == expected
    assert said(found) == [
        f"3 of 4 run files were finished before; their results were taken from {kept}"
    ]


def test_files_of_a_folder(tmp_path: Path, runs: list[Path], counted: list[str]) -> None:
    folder = tmp_path / "runs"
    folder.mkdir()
    for run in runs:
        run.rename(folder / run.name)
    expected = bits(scored(folder, tmp_path))
    kept = tmp_path / "kept"
    assert bits(scored(folder, tmp_path, resume=kept)) == expected
    counted.clear()
    (folder / "run1.jsonl").write_text((folder / "run1.jsonl").read_text() + "\n")
    found = scored(folder, tmp_path, resume=kept)
    assert counted == ["run1.jsonl"]
    assert bits(found) == expected
    assert said(found)[1].startswith(f"1 result in {kept} is not used")


def test_topics_that_are_spread_over_a_folder_are_scored_again(
    tmp_path: Path, runs: list[Path]
) -> None:
    folder = tmp_path / "spread"
    folder.mkdir()
    rows = runs[1].read_text().splitlines(keepends=True)
    (folder / "one.jsonl").write_text("".join(rows[::2]))
    (folder / "two.jsonl").write_text("".join(rows[1::2]))
    kept = tmp_path / "kept"
    expected = bits(scored(folder, tmp_path, resume=kept))
    found = scored(folder, tmp_path, resume=kept)
    assert bits(found) == expected
    assert said(found) == [
        "2 of 2 run files were finished before and are scored again, since topics are spread over"
        " the files of a folder"
    ]


@pytest.mark.parametrize(
    "change",
    [
        {"measures": ["AP", "nDCG@4"]},
        {"results": 2},
        {"lenient": True},
        {"missing": "skip"},
        {"topics": ["t1", "t2"]},
    ],
)
def test_results_of_other_settings_are_not_used(
    tmp_path: Path, runs: list[Path], counted: list[str], change: dict[str, object]
) -> None:
    kept = tmp_path / "kept"
    scored(runs, tmp_path, resume=kept)
    expected = bits(scored(runs, tmp_path, **change))
    counted.clear()
    found = scored(runs, tmp_path, resume=kept, **change)
    assert len(counted) == 4
    assert bits(found) == expected
    assert said(found)[0].startswith(f"4 results in {kept} are not used")


@pytest.mark.parametrize("changed", ["assessments", "run", "time"])
def test_results_of_other_files_are_not_used(
    tmp_path: Path, runs: list[Path], counted: list[str], changed: str
) -> None:
    kept = tmp_path / "kept"
    scored(runs, tmp_path, resume=kept)
    file = tmp_path / "qrels.txt" if changed == "assessments" else runs[0]
    about = file.stat()
    if changed != "time":
        text = file.read_text()
        file.write_text(text.replace("t9 ", "t8 ", 1) if changed == "run" else text + "t1 0 d9 1\n")
        os.utime(file, ns=(about.st_atime_ns, about.st_mtime_ns))
    else:
        os.utime(file, ns=(about.st_atime_ns, about.st_mtime_ns + 1))
    expected = bits(scored(runs, tmp_path))
    counted.clear()
    assert bits(scored(runs, tmp_path, resume=kept)) == expected
    assert len(counted) == (4 if changed == "assessments" else 1)


@pytest.mark.parametrize("damage", ["cut", "flipped", "empty", "other"])
def test_damaged_results_are_not_used(
    tmp_path: Path, runs: list[Path], counted: list[str], damage: str
) -> None:
    kept = tmp_path / "kept"
    expected = bits(scored(runs, tmp_path, resume=kept))
    file = sorted(kept.iterdir())[0]
    content = bytearray(file.read_bytes())
    content[-9] ^= 1
    new = {"cut": content[:-20], "flipped": content, "empty": b"", "other": b"hello"}[damage]
    file.write_bytes(new)
    counted.clear()
    found = scored(runs, tmp_path, resume=kept)
    assert bits(found) == expected
    assert len(counted) == 1
    assert f"1 result in {kept} is damaged and not used" in said(found)


def test_what_cannot_be_compared_is_refused(tmp_path: Path, runs: list[Path]) -> None:
    with pytest.raises(SpanwiseError, match="assessments was given in memory"):
        spanwise.evaluate({"t1": ["d1"]}, runs, "AP", resume=tmp_path / "kept")
    with pytest.raises(SpanwiseError, match="resume"):
        scored(runs, tmp_path, resume=tmp_path / "kept", bounds=True)
    with pytest.raises(SpanwiseError, match="is a file"):
        scored(runs, tmp_path, resume=tmp_path / "qrels.txt")


@pytest.mark.heavy
def test_a_killed_process_leaves_what_it_finished(tmp_path: Path, runs: list[Path]) -> None:
    for number in range(12):
        lines = (
            f"t{topic} Q0 d{place} {place} {-place} big{number} 0 9\n"
            for topic in range(40)
            for place in range(1, 3000)
        )
        (tmp_path / f"big{number}.fol").write_text("".join(lines))
    files = [f"big{number}.fol" for number in range(12)]
    command = [sys.executable, "-m", "spanwise", "evaluate", "qrels.txt", *files, "-m", "AP"]
    command += ["--memory", "500MB", "--jobs", "1", "-o", "jsonl"]
    variables = environment()
    whole = subprocess.run(
        command, cwd=tmp_path, env=variables, capture_output=True, text=True, check=True
    )
    kept = tmp_path / "kept"
    killed = subprocess.Popen(
        [*command, "--resume", "kept"],
        cwd=tmp_path,
        env=variables,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
    )
    while killed.poll() is None and (not kept.exists() or len(list(kept.glob("*.finished"))) < 3):
        time.sleep(0.005)
    killed.send_signal(signal.SIGKILL)
    out, _ = killed.communicate()
    assert killed.returncode == -signal.SIGKILL
    assert out == b""
    finished = len(list(kept.glob("*.finished")))
    assert 3 <= finished < 12
    again = subprocess.run(
        [*command, "--resume", "kept"],
        cwd=tmp_path,
        env=variables,
        capture_output=True,
        text=True,
        check=True,
    )
    assert again.stdout == whole.stdout
    assert f"{finished} of 12 run files were finished before" in again.stderr


@pytest.mark.parametrize("inside", ["", "kept"])
def test_a_folder_of_a_run_keeps_no_results(runs: list[Path], tmp_path: Path, inside: str) -> None:
    lake = tmp_path / "lake"
    lake.mkdir()
    runs[0].rename(lake / "part-0.fol")
    with pytest.raises(SpanwiseError, match=r"is in .*lake, whose files are all read as parts"):
        scored(lake, tmp_path, resume=lake / inside)
    assert [path.name for path in lake.iterdir()] == ["part-0.fol"]
    for _ in range(2):
        found = scored(lake, tmp_path, resume=lake / "_kept")
    assert said(found)
