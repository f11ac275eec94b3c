"""Several threads: the same scores, notes and refusals as one, whoever is faster."""

from __future__ import annotations

import gc
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from random import Random
from unittest.mock import patch

import pytest

import spanwise
from spanwise.errors import FaultyInput, InputError, SpanwiseError
from spanwise.formats.source import Blocks, Source
from spanwise.inputs.scoring import Workers

MEASURES = ["AP", "nDCG@10", "textP@5", "textR", "AgP", "AgP(aveChP)", "overlap"]
QUESTIONS = 60


def lines_of(seed: int, *, ranges: bool) -> list[str]:
    """The lines of a run, topic by topic."""
    random, lines = Random(seed), []
    for topic in range(QUESTIONS):
        for rank in range(1, 31):
            document = f"d{random.randrange(40)}" if ranges else f"d{rank * 7 % 41}"
            start = random.randrange(500)
            place = f" {start} {random.randrange(1, 200)}" if ranges else ""
            lines.append(
                f"q{topic} Q0 {document} {rank} {31 - rank + random.random()} s{seed}{place}"
            )
    return lines


@pytest.fixture
def files(tmp_path: Path) -> Iterator[Path]:
    random = Random(7)
    (tmp_path / "qrels.txt").write_text(
        "".join(
            f"q{topic} Q0 d{document} 90 900 0 {random.randrange(700)}:90\n"
            for topic in range(QUESTIONS)
            for document in random.sample(range(40), 4)
        )
    )
    for seed in range(3):
        text = "\n".join(lines_of(seed, ranges=True)) + "\n"
        (tmp_path / f"run{seed}.fol").write_text(text)
    (tmp_path / "run.trec").write_text("\n".join(lines_of(5, ranges=False)) + "\n")
    # Blocks of a few topics, so that even small files have many.
    with patch.object(Source, "blocks", lambda self, size=0: Blocks(self, 6000)):
        yield tmp_path


def told(found: spanwise.ScoresResult) -> object:
    return [
        (run.run, run.topics, run.values.tobytes(), run.means, run.counts, run.notes)
        for run in found.runs
    ], found.notes


@pytest.mark.parametrize("jobs", [2, 3, 8])
@pytest.mark.parametrize(
    "names", [["run0.fol"], ["run.trec"], ["run0.fol", "run1.fol", "run2.fol"]]
)
def test_the_number_of_threads_changes_nothing(files: Path, names: list[str], jobs: int) -> None:
    runs = [files / name for name in names]
    one = spanwise.evaluate(files / "qrels.txt", runs, MEASURES, jobs=1)
    several = spanwise.evaluate(files / "qrels.txt", runs, MEASURES, jobs=jobs)
    assert told(several) == told(one)


def test_json_lines_in_blocks(files: Path) -> None:
    rows = (line.split() for line in lines_of(1, ranges=True))
    (files / "run.jsonl").write_text(
        "".join(
            json.dumps(
                {"topic": q, "document": d, "start": int(s), "length": int(n), "score": float(v)}
            )
            + "\n"
            for q, _, d, _, v, _, s, n in rows
        )
    )
    with patch("spanwise.formats.json_runs.RUN_BLOCK", 5000):
        found = [
            told(spanwise.evaluate(files / "qrels.txt", files / "run.jsonl", MEASURES, jobs=jobs))
            for jobs in (1, 3)
        ]
    assert found[0] == found[1]


@pytest.mark.parametrize("lenient", [False, True])
def test_faults_are_named_in_the_order_of_the_file(files: Path, lenient: bool) -> None:
    lines = lines_of(0, ranges=True)
    lines[400] = lines[400].replace(" Q0 ", " Q0 extra ")
    lines[1500] += "x"
    (files / "bad.fol").write_text("\n".join(lines) + "\n")

    def outcome(jobs: int) -> object:
        try:
            bad = files / "bad.fol"
            found = spanwise.evaluate(files / "qrels.txt", bad, "AgP", jobs=jobs, lenient=lenient)
        except FaultyInput as refused:
            return str(refused), [fault.line for fault in refused.faults]
        return told(found)

    assert outcome(1) == outcome(3)
    if not lenient:
        assert ":401: found 9 columns" in str(outcome(3))


def test_a_topic_that_comes_back_is_read_as_one(files: Path) -> None:
    lines = lines_of(0, ranges=True)
    (files / "back.fol").write_text("\n".join([*lines[10:], *lines[:10]]) + "\n")
    found = [
        told(spanwise.evaluate(files / "qrels.txt", files / "back.fol", MEASURES, jobs=jobs))
        for jobs in (1, 3)
    ]
    assert found[0] == found[1]


def test_the_first_of_several_bad_files_is_the_one_that_is_named(files: Path) -> None:
    for number, line in enumerate((900, 3)):
        lines = lines_of(number, ranges=True)
        lines[line] += " more"
        (files / f"bad{number}.fol").write_text("\n".join(lines) + "\n")
    runs = [files / "run0.fol", files / "bad0.fol", files / "bad1.fol"]
    with pytest.raises(InputError, match=r"bad0\.fol:901: "):
        spanwise.evaluate(files / "qrels.txt", runs, jobs=4)


@pytest.mark.parametrize(("jobs", "said"), [(0, "got 0"), ("2", "got '2'"), (True, "got True")])
def test_the_number_of_jobs_is_checked(jobs: object, said: str) -> None:
    with pytest.raises(SpanwiseError, match=f"jobs must be a whole number .*{said}"):
        spanwise.evaluate({"q": {"d": [(0, 1)]}}, {"q": {"d": [(0, 1)]}}, jobs=jobs)  # type: ignore[arg-type]


def test_settings_do_not_show_the_number_of_jobs(files: Path) -> None:
    one, two = (
        spanwise.evaluate(files / "qrels.txt", files / "run0.fol", jobs=jobs) for jobs in (1, 2)
    )
    assert one.output().settings == two.output().settings


# -- workers


def test_results_come_in_order_and_the_first_failure_counts() -> None:
    def slow_at_first(number: int) -> int:
        time.sleep(0.02 if number == 0 else 0)
        if number in (3, 5):
            raise ValueError(number)
        return number

    results = Workers(4).map(slow_at_first, range(100))
    assert [next(results) for _ in range(3)] == [0, 1, 2]
    with pytest.raises(ValueError, match="3"):
        next(results)


def test_not_all_items_are_taken_at_once() -> None:
    taken: list[int] = []

    def items() -> Iterator[int]:
        for number in range(1000):
            taken.append(number)
            yield number

    for number in Workers(2).map(abs, items()):
        assert len(taken) <= number + 8


# -- one evaluator for many threads


def test_eight_threads_share_an_evaluator(files: Path) -> None:
    evaluator = spanwise.Evaluator(files / "qrels.txt", MEASURES)
    runs = [files / f"run{seed}.fol" for seed in range(3)]
    expected = [told(evaluator.score(run)) for run in runs]
    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(lambda number: told(evaluator.score(runs[number % 3])), range(48)))
    assert found == [expected[number % 3] for number in range(48)]


def test_two_thousand_calls_need_no_more_memory() -> None:
    evaluator = spanwise.Evaluator({"q1": {"d7": [(100, 250)]}}, ["textR@5", "AgP", "AP"])
    run = {"q1": [("d7", 100, 200, 1.5), ("d9", 0, 50, 0.5)]}

    def blocks_after(calls: int) -> int:
        for _ in range(calls):
            evaluator.score(run)
        gc.collect()
        return sys.getallocatedblocks()

    # One object that each call keeps would be 2,000; other threads of the tests keep a few.
    assert -blocks_after(200) + blocks_after(2000) < 1000


# -- signals


@pytest.mark.parametrize(("sent", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_a_signal_ends_all_threads(tmp_path: Path, sent: signal.Signals, code: int) -> None:
    (tmp_path / "qrels.txt").write_text("q0 Q0 d1 5 90 0 0:5\n")
    text = "".join(
        f"q{topic} Q0 d{rank} {rank} {2000 - rank} s {rank} 9\n"
        for topic in range(1500)
        for rank in range(1, 1000)
    )
    (tmp_path / "run.fol").write_text(text)
    command = [sys.executable, "-m", "spanwise", "evaluate", "qrels.txt", "run.fol", "--jobs", "2"]
    # The slower code, and sooner and sooner until the signal comes before the results.
    for delay in (0.5, 0.35, 0.25, 0.18):
        (tmp_path / "out.json").unlink(missing_ok=True)
        running = subprocess.Popen(
            [*command, "-m", "textR", "-m", "AgP", "--to", "out.json"],
            cwd=tmp_path,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env={**os.environ, "SPANWISE_NATIVE": "0"},
        )
        time.sleep(delay)
        running.send_signal(sent)
        out, err = running.communicate(timeout=60)
        if running.returncode and not (tmp_path / "out.json").exists():
            break
    assert (running.returncode, out) == (code, "")
    assert len(err.splitlines()) <= 1, err
    assert not (tmp_path / "out.json").exists()


def test_items_before_a_failure_of_their_source_have_their_turn() -> None:
    def items() -> Iterator[int]:
        yield from (0, 1, 2)
        raise OSError("the source failed")

    def refuses(number: int) -> int:
        time.sleep(0.02)
        if number == 1:
            raise ValueError(number)
        return number

    results = Workers(3).map(refuses, items())
    assert next(results) == 0
    with pytest.raises(ValueError, match="1"):
        next(results)
    assert next(iter(Workers(3).map(abs, items()))) == 0
    with pytest.raises(OSError, match="the source failed"):
        list(Workers(3).map(abs, items()))
