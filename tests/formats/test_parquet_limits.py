"""Parquet files are checked by their last bytes and by what they declare, before polars."""

from __future__ import annotations

import gzip
import io
import random

import polars as pl
import pytest

from spanwise.errors import InputError
from spanwise.formats.budget import STANDARD, UNLIMITED, spending
from spanwise.formats.parquet_limits import (
    check_parquet,
    parquet_complaints,
)
from spanwise.formats.reading import read_run
from spanwise.formats.source import Source
from spanwise.records import replace


def stored(frame: pl.DataFrame, **options: object) -> bytes:
    stream = io.BytesIO()
    frame.write_parquet(stream, **options)
    return stream.getvalue()


def frame_of(rows: int) -> pl.DataFrame:
    names = [f"d{row}" for row in range(rows)]
    aspects = [["a", "b"]] * rows
    return pl.DataFrame({"topic": ["q1"] * rows, "document": names, "aspect": aspects})


GOOD = stored(frame_of(50))


def refusal(data: bytes) -> str:
    with pytest.raises(InputError) as refused:
        check_parquet(Source("a.parquet", data))
    return str(refused.value)


@pytest.mark.parametrize("cut", [-1, -4, -8, -100, 4, 8, 11])
def test_a_file_that_breaks_off_never_reaches_polars(cut):
    assert "a Parquet file that breaks off, expected PAR1 at its end" in refusal(GOOD[:cut])


@pytest.mark.parametrize("length", [len(GOOD) - 11, 2**31 - 1, 2**32 - 1])
def test_a_footer_beyond_the_file_is_refused(length):
    data = GOOD[:-8] + length.to_bytes(4, "little") + b"PAR1"
    assert f"a Parquet footer of {length:,} bytes in a file of {len(GOOD):,}" in refusal(data)


@pytest.mark.parametrize("rows", [0, 1, 50, 5000])
@pytest.mark.parametrize(
    "options",
    [{}, {"row_group_size": 7}, {"statistics": "full"}, {"compression": "uncompressed"}],
    ids=str,
)
def test_whole_files_pass(rows, options, tmp_path):
    data = stored(frame_of(rows), **options)
    check_parquet(Source("a.parquet", data))
    check_parquet(Source("a.parquet.gz", gzip.compress(data)))
    (tmp_path / "a.parquet").write_bytes(data)
    check_parquet(Source(str(tmp_path / "a.parquet")))
    if rows:
        with spending(replace(STANDARD, harmless=64 * rows - 1, expansion=0)):
            assert "that expand to" in refusal(data)


def test_rows_that_take_no_room_in_the_file_are_counted():
    row = pl.DataFrame({"topic": ["q"], "document": ["d"]})
    data = stored(row.select(pl.all().repeat_by(2_000_000).explode()))
    assert len(data) < 100_000
    assert "that expand to 128,000,000" in refusal(data)
    with pytest.raises(InputError, match="expected at most 200 times as much"):
        read_run(Source("a.parquet", data), lenient=True)
    with spending(UNLIMITED):
        check_parquet(Source("a.parquet", data))


def test_declared_bytes_are_counted():
    data = stored(pl.DataFrame({"topic": ["q"], "document": ["x" * 1_000_000]}))
    with spending(replace(STANDARD, harmless=900_000)):
        assert "that expand to 1,0" in refusal(data)


def test_damaged_footers_raise_nothing_else():
    chosen, length = random.Random(11), int.from_bytes(GOOD[-8:-4], "little")
    begin, refused = len(GOOD) - 8 - length, 0
    for _ in range(1500):
        data = bytearray(GOOD)
        for _ in range(chosen.choice([1, 1, 2, 8])):
            data[chosen.randrange(begin, len(data) - 8)] = chosen.randrange(256)
        try:
            check_parquet(Source("a.parquet", bytes(data)))
        except InputError:
            refused += 1
    assert 100 < refused < 1500


def test_what_polars_says_becomes_a_sentence():
    told = r"a.parquet: found broken Parquet .it fell over"
    with pytest.raises(InputError, match=told), parquet_complaints("a.parquet"):
        raise pl.exceptions.PanicException("it fell over")
