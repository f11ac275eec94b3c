"""Frames of Dask: the scores of the same rows in a frame of pandas."""

from __future__ import annotations

from pathlib import Path

import pandas
import pyarrow as pa
import pytest
from dask import dataframe

from engines.engine_files import judged, rows, scattered
from spanwise import SpanwiseError, evaluate, evaluate_frame
from spanwise.engines import frames


def test_a_frame_is_scored_where_it_is(tmp_path: Path) -> None:
    gold = tmp_path / judged(tmp_path)
    several = [{**row, "score": 900.0 - n} for n, row in enumerate(rows("ab", skew=50))]
    whole = evaluate(gold, pandas.DataFrame(several), ["AgP", "textR@5"])
    for made in (several, scattered(several)):
        frame = dataframe.from_pandas(pandas.DataFrame(made), npartitions=5)
        found = evaluate_frame(gold, frame, ["AgP", "textR@5"])
        assert str(found) == str(whole)
        assert found.to_polars().equals(whole.to_polars())


def test_ties_do_not_depend_on_partitions(tmp_path: Path) -> None:
    gold = tmp_path / judged(tmp_path)
    tied = [{**row, "score": 1.0} for row in rows("ab")]
    found = [
        evaluate_frame(gold, dataframe.from_pandas(pandas.DataFrame(made), npartitions=n), ["AgP"])
        for made, n in ((tied, 1), (scattered(tied), 7))
    ]
    assert str(found[0]) == str(found[1])
    assert "have tied scores; ordered by document and range" in str(found[0])
    assert "the file" not in str(found[0])


def test_what_is_wrong_with_rows_is_said(tmp_path: Path) -> None:
    gold = tmp_path / judged(tmp_path)

    def frame(several: list[dict[str, object]]) -> object:
        return dataframe.from_pandas(pandas.DataFrame(several), npartitions=5)

    several = [{**row, "start": -5} if n == 7 else row for n, row in enumerate(rows())]
    with pytest.raises(SpanwiseError, match=r"^run: found range \[-5, "):
        evaluate_frame(gold, frame(several), ["AgP"])
    lenient = evaluate_frame(gold, frame(several), ["AgP"], lenient=True)
    assert "1 faulty line of run (range 1) was dropped" in str(lenient)
    unordered = [{k: v for k, v in row.items() if k != "score"} for row in rows()]
    with pytest.raises(SpanwiseError, match="the frame has no column score or rank"):
        evaluate_frame(gold, frame(unordered), ["AgP"])
    with pytest.raises(SpanwiseError, match="expected a frame of Spark or Dask"):
        evaluate_frame(gold, pandas.DataFrame(rows()), ["AgP"])
    with pytest.raises(SpanwiseError, match="works in one process"):
        evaluate_frame(gold, frame(rows()), ["AgP"], compat="inex_eval")


@pytest.mark.parametrize("size", [1, 3, 100])
def test_sorted_rows_are_cut_between_topics(monkeypatch: pytest.MonkeyPatch, size: int) -> None:
    monkeypatch.setattr(frames, "ROWS", 4)
    topics = ["a"] * 3 + ["b"] * 9 + ["c"] + [None] * 5
    table = pa.table({"run": ["r"] * len(topics), "topic": topics})
    batches = [table.slice(begin, size) for begin in range(0, len(topics), size)]
    found = list(frames.whole_topics(batches, ["run", "topic"]))
    assert pa.concat_tables(found).equals(table)
    names = [name for each in found for name in {*each.column("topic").to_pylist()}]
    assert len(names) == len({*names})
