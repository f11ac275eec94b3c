"""``--memory``, ``--resume`` and folders of runs on the command line, and what is left behind."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import time
from pathlib import Path

import pytest

from command import command_line, environment
from run_files import drawn, make_everything_small, written
from spanwise import evaluate
from spanwise.cli.progress import Progress, watched
from spanwise.formats.run_folders import RunFolder
from spanwise.formats.source import Source

QRELS = "".join(f"t{n} 0 d{m}é 1\n" for n in range(45) for m in range(1, 1 + n % 7, 2))
WORDS = ("evaluate", "qrels.txt")
HOW = ("-m", "AP", "-m", "nDCG@3", "-q", "-o", "jsonl")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "qrels.txt").write_text(QRELS)
    (tmp_path / "spills").mkdir()
    rows = drawn(1, runs=("a",))
    random.Random(1).shuffle(rows)
    written(rows, tmp_path / "run.fol")
    return tmp_path


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch, folder: Path) -> Path:
    make_everything_small(monkeypatch)
    monkeypatch.setattr("tempfile.tempdir", str(folder / "spills"))
    return folder / "spills"


def test_output_is_the_same_from_every_side(spanwise, folder, small):
    expected = spanwise(*WORDS, "run.fol", *HOW)
    assert expected.code == 0
    content = (folder / "run.fol").read_bytes()
    (folder / "parts").mkdir()
    lines = content.splitlines(keepends=True)
    for number in range(3):
        part = b"".join(lines[60 * number : 60 * number + 60 if number < 2 else None])
        (folder / f"parts/part-{number}.fol").write_bytes(part)
    for jobs in (1, 3):
        more = (*HOW, "--memory", "1GB", "--jobs", jobs)
        assert spanwise(*WORDS, "run.fol", *more) == expected
        assert spanwise(*WORDS, "parts", *more) == expected
        assert spanwise(*WORDS, "-", *more, stdin=content).out == expected.out
    assert not list(small.iterdir())


def test_resuming_changes_standard_error_alone(spanwise, folder, small):
    expected = spanwise(*WORDS, "run.fol", *HOW)
    for more in ((), ("--memory", "1GB")):
        first = spanwise(*WORDS, "run.fol", *HOW, *more, "--resume", f"kept{len(more)}")
        assert first == expected
        second = spanwise(*WORDS, "run.fol", *HOW, *more, "--resume", f"kept{len(more)}")
        assert second.out == expected.out
        assert "1 of 1 run files was finished before" in second.err


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (("--memory", "much"), "--memory must be a size such as 500MB, 1GB or 1.5GiB"),
        (("--memory", "9" * 400 + "GB"), "--memory must be a size such as 500MB, 1GB or 1.5GiB"),
        (("--memory", "64MB"), "--memory must be at least 200MB, got 64MB"),
        (("--memory", "1GB", "--compat", "inex_eval"), "--memory has no meaning with --compat"),
        (("--resume", "qrels.txt"), "qrels.txt is a file"),
        (("--resume", "kept", "--bounds"), "--resume has no meaning with --bounds"),
    ],
)
def test_what_cannot_be_is_refused(spanwise, folder, given, said):
    done = spanwise(*WORDS, "run.fol", *HOW, *given)
    assert (done.code, done.out) == (2, "")
    assert said in done.err


def test_more_memory_than_there_is_may_be_taken(spanwise, folder):
    expected = spanwise(*WORDS, "run.fol", *HOW)
    written(drawn(1, runs=("a",)), folder / "run.parquet")
    for run in ("run.fol", "run.parquet"):
        assert spanwise(*WORDS, run, *HOW, "--memory", "9" * 9 + "TiB").code == expected.code == 0


def test_an_empty_folder_is_refused(spanwise, folder):
    done = spanwise(*WORDS, "spills", *HOW)
    assert (done.code, done.out) == (2, "")
    assert "spills: found an empty folder" in done.err


def test_time_left_counts_what_has_to_be_done_twice(folder, small):
    sources, [meter] = watched([Source.at(folder / "run.fol")])
    size, totals = meter.size, []

    def look(file, answers):
        totals.append(meter.total)

    evaluate(folder / "qrels.txt", sources, "AP", memory="1GB", progress=look)
    assert totals[0] == size
    assert 2 * size < meter.total == meter.read
    assert Progress([meter]).line(1.0).startswith("1 of 1 files")


def test_the_files_of_folders_are_watched_one_by_one(folder):
    (folder / "runs").mkdir()
    for name in ("one.fol", "two.fol"):
        (folder / "runs" / name).write_bytes((folder / "run.fol").read_bytes())
    [source], meters = watched([RunFolder.at(folder / "runs")])
    assert [meter.size for meter in meters] == [(folder / "run.fol").stat().st_size] * 2
    source.files[0].read()
    assert Progress(meters).line(1.0).startswith("1 of 2 files")


# -- in a process of their own


def large(folder: Path) -> Path:
    """A run whose topics come back, and that takes a while."""
    file = folder / "large.fol"
    lines = [f"t{n % 45} Q0 d{n}é {n} {-n} large 0 9\n" for n in range(400_000)]
    file.write_text("".join(lines))
    return file


def started(folder: Path) -> subprocess.Popen:
    large(folder)
    return subprocess.Popen(
        command_line(*WORDS, "large.fol", *HOW, "--memory", "200MB", "--jobs", 1),
        cwd=folder,
        env=environment(TMPDIR=str(folder / "spills")),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )


def wait_for_spill(process: subprocess.Popen, spills: Path) -> None:
    while process.poll() is None and not list(spills.glob("*/answers")):
        time.sleep(0.002)
    assert process.poll() is None, "it was over before it could be interrupted"


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_nothing_is_left_after_an_interruption(folder, number):
    process = started(folder)
    wait_for_spill(process, folder / "spills")
    process.send_signal(number)
    out, err = process.communicate(timeout=60)
    assert (process.returncode, out) == (128 + number, b"")
    assert b"interrupted" in err
    assert not list((folder / "spills").iterdir())


def test_what_a_killed_process_left_is_removed_by_the_next(folder):
    process = started(folder)
    wait_for_spill(process, folder / "spills")
    process.kill()
    process.communicate(timeout=60)
    [left] = (folder / "spills").iterdir()
    os.utime(left, (1, 1))
    again = started(folder)
    out, err = again.communicate(timeout=120)
    assert again.returncode == 0, err.decode()
    assert out
    assert not list((folder / "spills").iterdir())


@pytest.mark.heavy
def test_one_topic_with_a_million_answers(folder):
    """It is the unit of work: it is scored even if it takes more than its share."""
    file = folder / "skew.fol"
    rows = random.Random(2)
    with file.open("w") as out:
        for number in range(1_050_000):
            topic = 7 if number < 1_000_000 else rows.randrange(45)
            out.write(f"t{topic} Q0 d{number}é {number} {-number} skew 0 9\n")
    found = set()
    for more in ((), ("--memory", "200MB"), ("--memory", "1GB", "--jobs", "2")):
        done = subprocess.run(
            command_line(*WORDS, "skew.fol", *HOW, *more, "--quiet"),
            cwd=folder,
            env=environment(TMPDIR=str(folder / "spills")),
            capture_output=True,
            check=True,
        )
        found.add(done.stdout)
    assert len(found) == 1
