"""Frames of Spark: the scores of the same rows in a frame of pandas."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pandas
import pytest

from engines.engine_files import Row, judged, rows, scattered
from spanwise import SpanwiseError, evaluate, evaluate_frame
from spanwise.engines import spark_cluster

pytestmark = pytest.mark.heavy


@pytest.fixture(scope="module")
def spark(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    folder = tmp_path_factory.mktemp("spark")
    with spark_cluster.spark_session("local[2,4]", folder) as session:
        yield session


def frame_of(spark: Any, several: list[Row]) -> Any:
    names = list(several[0])
    return spark.createDataFrame([tuple(row[name] for name in names) for row in several], names)


def test_a_frame_is_scored_where_it_is(tmp_path: Path, spark: Any) -> None:
    gold = tmp_path / judged(tmp_path)
    several = [{**row, "score": 900.0 - n} for n, row in enumerate(rows("ab"))]
    whole = evaluate(gold, pandas.DataFrame(several), ["AgP", "textR@5"])
    renamed = [{"a.qid" if k == "topic" else k: v for k, v in row.items()} for row in several]
    for made in (several, scattered(several)):
        found = evaluate_frame(gold, frame_of(spark, made), ["AgP", "textR@5"])
        assert str(found) == str(whole)
        assert found.to_polars().equals(whole.to_polars())
    with pytest.raises(SpanwiseError, match="the frame has no column topic"):
        evaluate_frame(gold, frame_of(spark, renamed), ["AgP"])


def test_what_is_wrong_with_rows_is_said(tmp_path: Path, spark: Any) -> None:
    gold = tmp_path / judged(tmp_path)
    several = [{**row, "start": -5} if n == 7 else row for n, row in enumerate(rows())]
    with pytest.raises(SpanwiseError, match=r"^run: found range \[-5, "):
        evaluate_frame(gold, frame_of(spark, several), ["AgP"])
    lenient = evaluate_frame(gold, frame_of(spark, several), ["AgP"], lenient=True)
    assert "1 faulty line of run (range 1) was dropped" in str(lenient)
