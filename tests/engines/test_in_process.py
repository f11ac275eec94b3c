"""Runs larger than their share of memory: the same bits, notes and refusals as runs read whole."""

from __future__ import annotations

import gzip
import os
import random
from collections.abc import Iterator, Sequence
from itertools import pairwise
from pathlib import Path

import pytest
import zstandard
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import spanwise
from run_files import ENDINGS, JUDGED, MEASURES, Row, drawn, make_everything_small, written
from spanwise import SpanwiseError
from spanwise.engines import in_process
from spanwise.engines import memory as memories
from spanwise.engines.spill import Spill
from spanwise.formats.run_folders import folder_of


@pytest.fixture(autouse=True)
def small(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Path]:
    """Everything is small, and no temporary file is left."""
    make_everything_small(monkeypatch)
    spills = tmp_path / "spills"
    spills.mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(spills))
    yield spills
    assert not list(spills.iterdir())


def outcome(runs: object, measures: object = MEASURES, **settings: object) -> object:
    """All that scores say, bit for bit; or why there are none."""
    try:
        scores = spanwise.evaluate(JUDGED, runs, measures, **settings)  # type: ignore[arg-type]
    except SpanwiseError as problem:
        return str(problem)
    return [
        (run.run, run.topics, run.values.tobytes(), run.means, run.counts, run.notes, run.lenient)
        for run in scores.runs
    ], scores.notes


def rows_of(seed: int, runs: Sequence[str] = ("a", "b")) -> list[Row]:
    rows = drawn(seed, runs=runs)
    random.Random(seed).shuffle(rows)
    return rows


def only_tag(rows: list[Row]) -> list[Row]:
    return [("a", *row[1:]) for row in rows]


@pytest.mark.parametrize("ending", ENDINGS)
@pytest.mark.parametrize("seed", range(3))
def test_topics_that_come_back_give_the_same(tmp_path: Path, ending: str, seed: int) -> None:
    file = written(rows_of(seed), tmp_path / f"run{ending}")
    found = outcome(file, memory="1GB")
    assert isinstance(found, tuple)
    assert found == outcome(file)
    assert found == outcome(file, memory="1GB", jobs=1) == outcome(file, memory="1GB", jobs=4)


@pytest.mark.parametrize("ending", ENDINGS)
def test_topics_that_are_together_wait_for_nothing(
    tmp_path: Path, ending: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refused(*_: object) -> None:
        raise AssertionError("nothing is to be kept on disk")

    monkeypatch.setattr(Spill, "add", refused)
    file = written(drawn(3), tmp_path / f"run{ending}")
    assert outcome(file, memory="1GB") == outcome(file)


@given(data=st.data())
@settings(max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_any_order_and_any_cut_of_rows_give_the_same(
    data: st.DataObject, tmp_path_factory: pytest.TempPathFactory
) -> None:
    folder = tmp_path_factory.mktemp("runs")
    rows = drawn(data.draw(st.integers(0, 99)), topics=data.draw(st.integers(1, 30)))
    if data.draw(st.booleans()):
        random.Random(data.draw(st.integers(0, 99))).shuffle(rows)
    cuts = sorted(data.draw(st.lists(st.integers(0, len(rows)), max_size=4)))
    edges = [0, *cuts, len(rows)]
    ending = data.draw(st.sampled_from(ENDINGS))
    whole = written(rows, folder / f"whole{ending}")
    expected = outcome(whole)
    jobs = data.draw(st.integers(1, 3))
    assert outcome(whole, memory="1GB", jobs=jobs) == expected
    parts = folder / "parts"
    parts.mkdir()
    for number, (begin, end) in enumerate(pairwise(edges)):
        if begin < end:
            part = parts / f"part-{number}{ending}"
            if ending == ".parquet":
                written(rows[begin:end], part)
            else:
                lines = whole.read_bytes().splitlines(keepends=True)
                part.write_bytes(b"".join(lines[begin:end]))
    memory = data.draw(st.sampled_from(["1GB", None]))
    assert outcome(parts, memory=memory, jobs=jobs) == expected


@pytest.mark.parametrize("seed", range(3))
def test_folders_of_lakes(tmp_path: Path, seed: int) -> None:
    rows = rows_of(seed, ("run/one", "b"))
    expected = outcome(written(rows, tmp_path / "whole.parquet"))
    lake = tmp_path / "lake"
    for name in ("run/one", "b"):
        own = [row for row in rows if row[0] == name]
        (lake / folder_of(name)).mkdir(parents=True)
        for number in range(3):
            written(own[number::3], lake / folder_of(name) / f"part-{number}.jsonl", tagged=False)
    (lake / "_SUCCESS").touch()
    found = outcome(lake, memory="1GB")
    assert isinstance(found, tuple)
    assert isinstance(expected, tuple)
    assert {run[0]: run[1:4] for run in found[0]} == {run[0]: run[1:4] for run in expected[0]}


def test_a_folder_of_runs_that_are_named_after_their_files(tmp_path: Path) -> None:
    folder = tmp_path / "runs"
    folder.mkdir()
    expected = {}
    for name in ("one", "two"):
        file = written(only_tag(rows_of(len(name))), folder / f"{name}.fol")
        [expected[name]] = spanwise.evaluate(JUDGED, file, MEASURES).runs
    found = spanwise.evaluate(JUDGED, folder, MEASURES, run_name="file").runs
    assert {run.run: run.means for run in found} == {
        name: run.means for name, run in expected.items()
    }


@pytest.mark.parametrize("pack", [".gz", ".zst"])
def test_compressed_files(tmp_path: Path, pack: str) -> None:
    file = written(rows_of(5), tmp_path / "run.fol")
    packed = tmp_path / f"run.fol{pack}"
    squeeze = gzip.compress if pack == ".gz" else zstandard.ZstdCompressor().compress
    packed.write_bytes(squeeze(file.read_bytes()))
    assert outcome(packed, memory="1GB") == outcome(packed)


def spoilt(file: Path, *places: int) -> Path:
    lines = file.read_text(encoding="utf-8").splitlines()
    for place in places:
        lines[place] = '{"topic": 1' if file.suffix == ".jsonl" else "t1 Q0 d"
    file.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return file


@pytest.mark.parametrize("ending", [".jsonl", ".fol"])
@pytest.mark.parametrize("lenient", [False, True])
def test_faults_are_those_of_the_whole_file(tmp_path: Path, ending: str, lenient: bool) -> None:
    file = spoilt(written(rows_of(2, ("a",)), tmp_path / f"run{ending}"), 90, -2)
    expected = outcome(file, lenient=lenient)
    assert outcome(file, memory="1GB", lenient=lenient) == expected
    if not lenient:
        assert isinstance(expected, str)
        assert f"{file}:91: " in expected


def test_every_fault_is_reported(tmp_path: Path) -> None:
    file = spoilt(written(rows_of(2, ("a",)), tmp_path / "run.fol"), 60, 90, -2)
    faults = []
    for limit in (None, "1GB"):
        with pytest.raises(SpanwiseError) as refused:
            spanwise.evaluate(JUDGED, file, MEASURES, memory=limit)
        faults.append([fault.line for fault in refused.value.faults])  # type: ignore[attr-defined]
    assert faults[0] == faults[1]
    assert len(faults[0]) == 3


@pytest.mark.parametrize("copies", [1, 2])
def test_what_is_wrong_with_answers_has_file_and_line(tmp_path: Path, copies: int) -> None:
    rows = rows_of(7, ("a",))
    lines = [f"{t} Q0 {d}{s} 1 {x} {r}" for r, t, d, s, _, x in rows]
    lines = list({" ".join(line.split()[:3]): line for line in lines}.values())
    lines += [lines[n] for n in range(copies)]
    file = tmp_path / "run.trec"
    file.write_text("\n".join(lines) + "\n", encoding="utf-8")
    expected = outcome(file, "AP")
    assert isinstance(expected, str)
    assert "again for topic" in expected
    assert outcome(file, "AP", memory="1GB") == expected
    folder = tmp_path / "parts"
    folder.mkdir()
    (folder / "a.trec").write_text("\n".join(lines[:40]) + "\n", encoding="utf-8")
    (folder / "b.trec").write_text("\n".join(lines[40:]) + "\n", encoding="utf-8")
    found = outcome(folder, "AP")
    assert isinstance(found, str)
    assert f"{folder}/b.trec:{len(lines) - copies - 40 + 1}: " in found
    assert f"it is at {folder}/a.trec:1 already" in found


def test_a_corrupt_file_among_good_ones_is_named(tmp_path: Path) -> None:
    folder = tmp_path / "runs"
    folder.mkdir()
    for number in range(3):
        written(drawn(number, runs=(f"r{number}",)), folder / f"part-{number}.parquet")
    file = folder / "part-1.parquet"
    file.write_bytes(file.read_bytes()[:-100])
    found = outcome(folder, memory="1GB")
    assert isinstance(found, str)
    assert found.startswith(f"{file}: ")


@pytest.mark.parametrize("name", ["part-1.parquet", "part-1.parquet.gz", "part-1.parquet.zst"])
@pytest.mark.parametrize("content", [b"", b"t1 Q0 d1 1 0.5 a\n", bytes(range(90))])
def test_what_is_called_parquet_and_is_none_is_refused(
    tmp_path: Path, name: str, content: bytes
) -> None:
    folder = tmp_path / "runs"
    folder.mkdir()
    for number in (0, 2):
        written(drawn(number, runs=(f"r{number}",)), folder / f"part-{number}.parquet")
    pack = {".gz": gzip.compress, ".zst": zstandard.compress}.get(Path(name).suffix, bytes)
    (folder / name).write_bytes(pack(content))
    found = str(outcome(folder))
    assert found.startswith(f"{folder / name}: ")
    assert "not a Parquet file" in found
    assert len(found) < len(str(folder)) + 200


def test_empty_files_and_folders(tmp_path: Path) -> None:
    folder = tmp_path / "runs"
    folder.mkdir()
    assert "an empty folder" in str(outcome(folder, memory="1GB"))
    (folder / "a.fol").touch()
    assert outcome(folder / "a.fol", memory="1GB") == outcome(folder / "a.fol")
    written(rows_of(1), folder / "b.fol")
    assert outcome(folder, memory="1GB") == outcome(folder / "b.fol")


def test_parts_of_a_run_must_say_the_same_things(tmp_path: Path) -> None:
    folder = tmp_path / "runs"
    folder.mkdir()
    written(rows_of(1, ("a",)), folder / "a.fol")
    written(rows_of(1, ("a",)), folder / "b.jsonl")
    assert "expected one kind for all parts of a run" in str(outcome(folder))


def test_what_must_be_read_whole_is_refused_if_it_is_large(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from run_files import SmallShares

    table = tmp_path / "run.csv"
    table.write_text("topic,document,start,end,score\n" + "t1,d1é,0,9,1\n" * 40)
    texts = tmp_path / "run.jsonl"
    texts.write_text('{"topic": "t1", "document": "d1é", "start": 0, "end": 1, "text": "x"}\n' * 40)
    for file in (table, texts):
        assert isinstance(outcome(file, memory="1GB"), tuple)
        with monkeypatch.context() as patch:
            patch.setattr(SmallShares, "whole", 500)
            found = outcome(file, memory="1GB")
        assert isinstance(found, str)
        assert found.startswith(f"{file}: found ")
        assert "memory" in found


def test_a_topic_larger_than_a_partition(tmp_path: Path) -> None:
    rows = [*rows_of(4, ("a",)), *(("a", "t1", f"e{n}", 0, 9, 1.0 / n) for n in range(1, 900))]
    random.Random(1).shuffle(rows)
    file = written(rows, tmp_path / "run.fol")
    assert outcome(file, memory="1GB") == outcome(file)


def test_a_full_disk_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = written(rows_of(1), tmp_path / "run.fol")

    def full(*_: object) -> None:
        raise OSError(28, os.strerror(28))

    monkeypatch.setattr(Spill, "_keep", full)
    found = outcome(file, memory="1GB")
    assert isinstance(found, str)
    assert "No space left on device" in found
    assert "TMPDIR" in found


@pytest.mark.parametrize("wrong", ["1", "1 XB", "GB", "-1GB", "199MB", 5, True, 1.5, "1e9"])
def test_sizes_that_are_none(wrong: object) -> None:
    found = outcome({"t1": ["d1é"]}, memory=wrong)
    assert isinstance(found, str)
    assert "memory" in found


def test_too_little_memory_says_how_much_is_needed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(in_process, "shares", memories.shares)
    monkeypatch.setattr(in_process, "taken_now", lambda: 990_000_000)
    file = written(rows_of(1), tmp_path / "run.fol")
    found = outcome(file, memory="1GB")
    assert isinstance(found, str)
    assert "take 990 MB" in found


def test_what_the_caller_holds_is_no_limit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(in_process, "shares", memories.shares)
    monkeypatch.setattr(in_process, "taken_now", lambda: 1_300_000_000)
    folder = tmp_path / "lake"
    folder.mkdir()
    written(rows_of(1), folder / "run.jsonl")
    assert isinstance(outcome(folder), tuple)
    assert isinstance(outcome(folder, jobs=40), tuple)
