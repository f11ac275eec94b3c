"""Parquet: what is written reads back, and every fault has its row."""

import gzip
import io
import json

import polars as pl
import pytest

from formats.made import (
    faults_of,
    read_assessments,
    read_runs,
    written,
)
from spanwise.data.notes import Faults
from spanwise.data.run import Extent, Run
from spanwise.errors import InputError
from spanwise.formats.builtin.binary import parquet
from spanwise.formats.chunks import ChunkTable
from spanwise.formats.registry import RunOptions
from spanwise.formats.source import Source


def stored(columns, **metadata):
    stream = io.BytesIO()
    pl.DataFrame(columns).write_parquet(stream, metadata=metadata or None)
    return stream.getvalue()


def test_columns_have_the_types_of_the_documentation():
    data, _ = written(parquet, (Run.of("r", ["q"], ["d"], rank=[1], order="rank"),))
    assert pl.read_parquet_schema(io.BytesIO(data)) == {
        "topic": pl.String,
        "document": pl.String,
        "start": pl.Int64,
        "end": pl.Int64,
        "parts": pl.Boolean,
        "score": pl.Float64,
        "rank": pl.Int32,
        "run": pl.String,
    }
    about = json.loads(pl.read_parquet_metadata(io.BytesIO(data))["spanwise"])
    assert about == {"spanwise": 1, "kind": "run", "unit": "codepoint"}


def test_no_answers_and_no_judgements_are_files_too():
    data, _ = written(parquet, (Run.of("r", [], []),))
    assert read_runs(parquet, data) == []


def test_a_file_by_its_name_also_with_characters_of_patterns(tmp_path):
    path = tmp_path / "run[1]*.parquet"
    path.write_bytes(stored({"topic": ["q"], "document": ["d"]}))
    (run,) = parquet.read_run(Source.at(path), Faults(str(path)), RunOptions())
    assert (run.name, run.file, run.line.tolist()) == ("run[1]*", str(path), [1])
    assert run.extent.tolist() == [Extent.WHOLE]


def test_a_compressed_file_and_other_names_and_dictionaries():
    columns = {
        "qid": pl.Series([1, 1]),
        "docno": pl.Series(["a", "b"], dtype=pl.Categorical),
        "begin": pl.Series([0.0, None]),
        "len": pl.Series([5, None], dtype=pl.UInt8),
        "payload": [{"x": 1}, {"x": 2}],
    }
    (run,) = read_runs(parquet, gzip.compress(stored(columns)))
    assert run.topics == ("1",)
    assert run.documents.strings() == ["a", "b"]
    assert run.end.tolist() == [5, 0]
    assert run.extent.tolist() == [Extent.RANGE, Extent.WHOLE]


GOOD = {"topic": "q", "document": "d", "start": 0, "end": 5, "score": 1.0}
BAD = [
    ({"start": -1}, "range", "start -1"),
    ({"end": 0}, "range", "[0, 0)"),
    ({"end": None}, "range", "start without end"),
    ({"start": None}, "range", "end without start"),
    ({"score": float("nan")}, "score", "NaN as score"),
    ({"score": None}, "mixed", "no score"),
    ({"topic": None}, "missing", "no topic"),
    ({"document": None}, "missing", "no document"),
    ({"document": ""}, "identifier", "document ''"),
    ({"document": "a\0"}, "identifier", "document"),
    ({"parts": False}, "range", "parts false"),
    ({"end": None, "path": "/a[1]"}, "path", "path and start"),
    ({"start": None, "end": None, "path": "a[1]"}, "path", "path 'a[1]'"),
    ({"start": None, "path": "/a[1]"}, "path", "path and end"),
    ({"start": None, "end": None, "path": "/a[1]", "chunk": "c"}, "path", "path and chunk"),
    ({"start": None, "end": None, "path": "/a[1]", "parts": False}, "range", "a path and parts"),
    ({"start": None, "end": None, "chunk": "c"}, "chunk", "chunk 'c'"),
]


@pytest.mark.parametrize(("change", "rule", "found"), BAD)
def test_a_bad_row_is_refused_with_its_number(change, rule, found):
    rows = [GOOD, {**GOOD, **change}, GOOD]
    data = stored({name: [row.get(name) for row in rows] for name in {**GOOD, **change}})
    (fault,) = faults_of(read_runs, parquet, data)
    assert (fault.line, fault.rule) == (2, rule)
    assert found in fault.found
    (run,) = read_runs(parquet, data, lenient=True)
    assert run.line.tolist() == [1, 3]


@pytest.mark.parametrize(
    ("column", "found"),
    [
        (pl.Series("start", ["0", "1"]), "start '0'"),
        (pl.Series("start", [True, False]), "start True"),
        (pl.Series("score", ["1", "2"]), "score '1'"),
        (pl.Series("document", [1.5, 2.5]), "document 1.5"),
        (pl.Series("parts", [1, 0]), "parts 1"),
    ],
)
def test_a_column_of_the_wrong_type_is_refused_as_a_whole(column, found):
    frame = pl.DataFrame({"topic": ["q", "q"], "document": ["a", "b"]}).with_columns(column)
    with pytest.raises(InputError, match=f"a column of the wrong type .{found}"):
        read_runs(parquet, stored(frame), lenient=True)


@pytest.mark.parametrize("value", [2**63, 2**64 - 1])
def test_numbers_beyond_64_bits_are_refused(value):
    series = pl.Series([1, value], dtype=pl.UInt64)
    data = stored({"topic": ["q", "q"], "document": ["a", "b"], "start": [0, 0], "end": series})
    (fault,) = faults_of(read_runs, parquet, data)
    assert (fault.line, fault.found) == (2, f"end {value}")


def test_start_and_length_beyond_64_bits_do_not_wrap():
    data = stored({"topic": ["q"], "document": ["a"], "start": [2**62], "length": [2**62]})
    (fault,) = faults_of(read_runs, parquet, data)
    assert (fault.line, fault.rule) == (1, "range")


def test_a_missing_column_is_named_with_the_names_it_may_have():
    with pytest.raises(InputError, match=r"columns topic, what.*docno"):
        read_runs(parquet, stored({"topic": ["q"], "what": ["d"]}))
    with pytest.raises(InputError, match="a column for the topic"):
        read_assessments(parquet, stored({"document": ["q"], "grade": [1]}))


def test_a_file_of_the_other_kind_is_said_to_be_one():
    data, _ = written(parquet, (Run.of("r", ["q"], ["d"]),))
    (fault,) = faults_of(read_assessments, parquet, data)
    assert fault.rule == "kind"


def test_another_unit_is_refused():
    header = '{"spanwise": 1, "kind": "run", "unit": "byte"}'
    (fault,) = faults_of(
        read_runs, parquet, stored({"topic": ["q"], "document": ["d"]}, spanwise=header)
    )
    assert "--unit byte" in fault.said("command line")


@pytest.mark.parametrize("cut", [5, 30, -1])
def test_a_broken_file_is_refused(cut):
    data = stored({"topic": ["q"] * 100, "document": ["d"] * 100})
    with pytest.raises(InputError, match="a Parquet file that breaks off, expected PAR1"):
        read_runs(parquet, data[:cut])


def test_a_bad_judgement_is_refused_with_its_row():
    data = stored({"topic": ["q", "q"], "document": ["a", "b"], "grade": [1, None]})
    (fault,) = faults_of(read_assessments, parquet, data)
    assert (fault.line, fault.found) == (2, "no judgement")


def test_chunks_stand_for_documents_and_ranges():
    chunks = ChunkTable.of([("d7", 0, 100, "c1"), ("d8", 5, 50, "c2")])
    columns = {
        "topic": ["q"] * 4,
        "chunk": ["c2", None, "c1", "c2"],
        "document": [None, "x", "d7", None],
        "start": [None, 3, None, None],
        "end": [None, 4, None, None],
    }
    (run,) = read_runs(parquet, stored(columns), chunks=chunks)
    assert run.documents.strings() == ["d8", "x", "d7", "d8"]
    assert run.extent.tolist() == [Extent.RANGE] * 4
    assert run.start.tolist() == [5, 3, 0, 5]
    assert run.end.tolist() == [50, 4, 100, 50]
    columns["document"] = [None, None, "d8", None]
    columns["chunk"][0] = "c9"
    faults = faults_of(read_runs, parquet, stored(columns), chunks=chunks)
    assert [(fault.line, fault.rule) for fault in faults] == [
        (1, "chunk"),
        (2, "missing"),
        (3, "chunk"),
    ]


def test_ranks_too_large_for_their_type_get_a_larger_one():
    data, _ = written(parquet, (Run.of("r", ["q"], ["d"], rank=[2**40], order="rank"),))
    assert read_runs(parquet, data)[0].rank.tolist() == [2**40]
