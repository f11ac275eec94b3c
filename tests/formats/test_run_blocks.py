"""Large runs are read in blocks of topics, whole or not, and in parts of their file."""

from __future__ import annotations

import random
from collections.abc import Sequence
from pathlib import Path

import pytest

from run_files import drawn, written
from spanwise.data.run import Run
from spanwise.errors import InputError
from spanwise.formats import json_runs
from spanwise.formats.builtin.binary import parquet
from spanwise.formats.column_runs import Scattered
from spanwise.formats.reading import RunFile, read_run
from spanwise.formats.registry import RunOptions
from spanwise.formats.source import Blocks, Source


def answers(runs: Sequence[Run]) -> dict[tuple[str, str], list[tuple[object, ...]]]:
    """What each run answers to each topic, in order, with the lines where they are known."""
    found: dict[tuple[str, str], list[tuple[object, ...]]] = {}
    for run in runs:
        columns = (run.documents.strings(), run.start.tolist(), run.end.tolist())
        scores = run.score.tolist() if run.score is not None else [None] * len(run)
        lines = run.line.tolist() if run.line is not None else [None] * len(run)
        for number, row in zip(
            run.topic.tolist(), zip(*columns, scores, lines, strict=True), strict=True
        ):
            found.setdefault((run.name, run.topics[number]), []).append(row)
    return found


@pytest.fixture(autouse=True)
def small_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(json_runs, "RUN_BLOCK", 700)
    monkeypatch.setattr(parquet, "ROWS", 16)


ENDINGS = (".jsonl", ".parquet")


@pytest.mark.parametrize("ending", ENDINGS)
@pytest.mark.parametrize("seed", range(5))
def test_blocks_say_what_the_file_says(tmp_path: Path, ending: str, seed: int) -> None:
    file = written(drawn(seed), tmp_path / f"run{ending}")
    blocks = list(RunFile(Source.at(file)).blocks())
    assert len(blocks) > 5
    assert answers(blocks) == answers(read_run(file))
    pairs = [(run.name, topic) for run in blocks for topic in run.topics]
    assert len(pairs) == len(set(pairs)), "each topic is in one block"


@pytest.mark.parametrize("ending", ENDINGS)
def test_topics_that_come_back_are_for_those_who_put_them_together(
    tmp_path: Path, ending: str
) -> None:
    rows = drawn(1)
    random.Random(2).shuffle(rows)
    file = written(rows, tmp_path / f"run{ending}")
    with pytest.raises(Scattered):
        list(RunFile(Source.at(file)).blocks())
    blocks = list(RunFile(Source.at(file), options=RunOptions(scattered=True)).blocks())
    assert len(blocks) > 5
    assert answers(blocks) == answers(read_run(file))


def test_blocks_are_small_where_memory_is_limited(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(json_runs, "RUN_BLOCK", 5000)
    file = written(drawn(1), tmp_path / "run.jsonl")
    free, limited = (
        list(RunFile(Source.at(file), options=RunOptions(rows=rows)).blocks())
        for rows in (None, 1000)
    )
    assert len(limited) > len(free)
    assert answers(limited) == answers(free)


def test_a_faulty_line_at_the_end_of_a_block_counts_once(tmp_path: Path) -> None:
    file = written(drawn(2, runs=("a",)), tmp_path / "run.jsonl")
    lines = file.read_text(encoding="utf-8").splitlines()
    for number in range(2, len(lines), 7):
        lines[number] = '{"topic": 1'
    file.write_text("\n".join(lines) + "\n", encoding="utf-8")
    opened = RunFile(Source.at(file), options=RunOptions(scattered=True), lenient=True)
    list(opened.blocks())
    assert opened.faults.counts.total() == len(range(2, len(lines), 7))


def test_columns_may_be_scattered_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rows = drawn(3, runs=("a",))
    random.Random(2).shuffle(rows)
    file = written(rows, tmp_path / "run.fol")
    monkeypatch.setattr(Source, "blocks", in_small_blocks)
    with pytest.raises(Scattered):
        list(RunFile(Source.at(file)).blocks())
    blocks = list(RunFile(Source.at(file), options=RunOptions(scattered=True)).blocks())
    assert len(blocks) > 5
    assert answers(blocks) == answers(read_run(file))


def in_small_blocks(source: Source) -> Blocks:

    return Blocks(source, 300)


def parts_of(file: Path, count: int) -> list[Source]:
    """A file of lines in parts of whole lines."""
    data = file.read_bytes()
    lines = data.splitlines(keepends=True)
    cuts = [len(lines) * n // count for n in range(count + 1)]
    places = [sum(map(len, lines[:cut])) for cut in cuts]
    return [
        Source(str(file), span=(places[n], places[n + 1]), first_line=1 + cuts[n])
        for n in range(count)
    ]


@pytest.mark.parametrize("ending", [".jsonl", ".fol"])
def test_parts_of_a_file_say_what_the_file_says(tmp_path: Path, ending: str) -> None:
    file = written(drawn(4, runs=("a",)), tmp_path / f"run{ending}")
    name = {".jsonl": "jsonl", ".fol": "fol"}[ending]
    found = [
        run
        for part in parts_of(file, 4)
        for run in RunFile(part, name, RunOptions(scattered=True)).blocks()
    ]
    assert answers(found) == answers(read_run(file))


def test_rows_of_a_parquet_file(tmp_path: Path) -> None:
    rows = drawn(5)
    file = written(rows, tmp_path / "run.parquet")
    found = []
    for begin in range(0, len(rows), 50):
        part = Source(str(file), span=(begin, min(begin + 50, len(rows))))
        found += RunFile(part, "parquet", RunOptions(scattered=True)).blocks()
    assert answers(found) == answers(read_run(file))


@pytest.mark.parametrize("ending", [".jsonl", ".fol"])
def test_faults_in_a_part_have_the_line_of_the_file(tmp_path: Path, ending: str) -> None:
    file = written(drawn(6, runs=("a",)), tmp_path / f"run{ending}")
    lines = file.read_text(encoding="utf-8").splitlines()
    lines[-2] = '{"topic": 1' if ending == ".jsonl" else "t1 Q0 d"
    file.write_text("\n".join(lines) + "\n", encoding="utf-8")
    last = parts_of(file, 3)[2]
    name = {".jsonl": "jsonl", ".fol": "fol"}[ending]
    with pytest.raises(InputError) as refused:
        list(RunFile(last, name, RunOptions(scattered=True)).blocks())
    assert f"{file}:{len(lines) - 1}: " in str(refused.value)
