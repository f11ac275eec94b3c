"""Runs as folders of Parquet: exact, sorted, in parts of whole topics, whole or not there."""

from __future__ import annotations

import random
from itertools import pairwise
from pathlib import Path

import polars as pl
import pytest

import spanwise
from run_files import ENDINGS, JUDGED, MEASURES, Row, drawn, make_everything_small, written
from spanwise import SpanwiseError
from spanwise.engines import lake
from spanwise.formats.run_folders import folder_of


@pytest.fixture(autouse=True)
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    make_everything_small(monkeypatch)
    monkeypatch.setattr(lake, "PART", 30)


def mixed(seed: int, *runs: str) -> list[Row]:
    rows = drawn(seed, runs=runs)
    random.Random(seed).shuffle(rows)
    return rows


def said(source: object) -> object:
    found = spanwise.evaluate(JUDGED, source, MEASURES)  # type: ignore[arg-type]
    return sorted((run.run, run.topics, run.values.tobytes(), run.means) for run in found.runs)


@pytest.mark.parametrize("ending", ENDINGS)
def test_a_lake_says_what_the_runs_say(tmp_path: Path, ending: str) -> None:
    file = written(mixed(1, "bm25/k1=1.2", "b"), tmp_path / f"runs{ending}")
    place = tmp_path / "lake"
    spanwise.convert(file, f"{place}/", to_format="parquet")
    assert sorted(path.name for path in place.iterdir()) == [
        folder_of("b"),
        folder_of("bm25/k1=1.2"),
    ]
    assert said(place) == said(file)
    for run in place.iterdir():
        parts = [pl.read_parquet(part) for part in sorted(run.iterdir())]
        assert len(parts) > 3
        topics = [part["topic"].to_list() for part in parts]
        assert all(own == sorted(own) for own in topics)
        assert all(one[-1] < two[0] for one, two in pairwise(topics))


def test_every_answer_comes_back_in_its_place(tmp_path: Path) -> None:
    rows = mixed(2, "a")
    file = written(rows, tmp_path / "run.jsonl")
    spanwise.convert([file], f"{tmp_path}/lake/", to_format="parquet")
    found = pl.concat(pl.read_parquet(part) for part in sorted((tmp_path / "lake/run=a").iterdir()))
    columns = ("run", "topic", "document", "start", "end", "score")
    expected = sorted(rows, key=lambda row: row[1])
    assert found.select(columns).rows() == expected


def test_several_runs_and_folders(tmp_path: Path) -> None:
    folder = tmp_path / "runs"
    folder.mkdir()
    written(mixed(3, "a"), folder / "one.fol")
    written(mixed(4, "b"), folder / "two.jsonl")
    other = written(mixed(5, "c"), tmp_path / "c.parquet")
    place = f"{tmp_path}/lake/"
    spanwise.convert([folder, other], place, to_format="parquet")
    assert said(place) == sorted([*said(folder), *said(other)])  # type: ignore[misc]
    again = f"{tmp_path}/again/"
    spanwise.convert(place, again, to_format="parquet")
    for part in Path(place).rglob("*.parquet"):
        assert (Path(again) / part.relative_to(place)).read_bytes() == part.read_bytes()


def test_one_name_in_two_inputs_is_refused(tmp_path: Path) -> None:
    files = [written(mixed(3, "a"), tmp_path / name) for name in ("one.fol", "two.jsonl")]
    with pytest.raises(SpanwiseError) as refused:
        spanwise.convert(files, f"{tmp_path}/lake/", to_format="parquet")
    assert f"two runs named a ({files[0]} and {files[1]})" in str(refused.value)
    # No option of convert names runs.
    assert "run_name" not in str(refused.value)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["one.fol", "two.jsonl"]


def test_nothing_half_is_left(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = written(mixed(3, "a"), tmp_path / "one.fol")
    write, calls = lake.write_part, []

    def stopped(*given: object) -> object:
        calls.append(given)
        if len(calls) > 2:
            raise KeyboardInterrupt
        return write(*given)  # type: ignore[arg-type]

    monkeypatch.setattr(lake, "write_part", stopped)
    with pytest.raises(KeyboardInterrupt):
        spanwise.convert(file, f"{tmp_path}/lake/", to_format="parquet")
    assert len(calls) == 3
    assert [path.name for path in tmp_path.iterdir()] == ["one.fol"]


def test_assessments_are_no_lake(tmp_path: Path) -> None:
    file = tmp_path / "qrels.fol"
    file.write_text("q1 Q0 d1 10 100 0 0:10\n")
    with pytest.raises(SpanwiseError, match="found what looks like"):
        spanwise.convert(file, f"{tmp_path}/lake/", to_format="parquet")
    assert [path.name for path in tmp_path.iterdir()] == ["qrels.fol"]
