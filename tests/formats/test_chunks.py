"""The table of chunks, from each kind of file."""

import io
import json

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from formats.made import faults_of
from spanwise.data.identifiers import Identifiers
from spanwise.data.notes import Faults
from spanwise.errors import InputError
from spanwise.formats.chunks import ChunkTable, read_chunks
from spanwise.formats.source import Source

ROWS = [("d1", 0, 5, "c1"), ("d1", 5, 9, "ä2"), ("d2", 0, 5, "3")]
FIELDS = ("document", "start", "end", "chunk")


def as_json_lines(rows):
    header = {"spanwise": 1, "kind": "chunks", "unit": "codepoint"}
    records = [header, *(dict(zip(FIELDS, row, strict=False)) for row in rows)]
    return "\n".join(json.dumps(record) for record in records).encode()


def as_csv(rows):
    names = FIELDS[: len(rows[0])]
    lines = [",".join(names), *(",".join(map(str, row)) for row in rows)]
    return "\n".join(lines).encode()


def as_parquet(rows):
    stream = io.BytesIO()
    pl.DataFrame(rows, schema=list(FIELDS[: len(rows[0])]), orient="row").write_parquet(stream)
    return stream.getvalue()


def read(data, *, lenient=False):
    return read_chunks(Source("chunks", data), Faults("chunks", lenient=lenient))


KINDS = pytest.mark.parametrize("written", [as_json_lines, as_csv, as_parquet])
BEFORE = {as_json_lines: 1, as_csv: 1, as_parquet: 0}
"""How many lines come before the first row."""


@KINDS
def test_chunks_are_found_by_their_ids(written):
    table = read(written(ROWS))
    assert [table.find(row[3]) for row in ROWS] == [row[:3] for row in ROWS]
    assert table.find("c9") is None
    assert table.rows(Identifiers.of(["3", "x", "c1"])).tolist() == [2, -1, 0]


@KINDS
def test_a_table_without_ids_has_only_ranges(written):
    table = read(written([row[:3] for row in ROWS]))
    assert (table.chunks, table.end.tolist()) == (None, [5, 9, 5])
    assert table.find("c1") is None
    assert table.rows(Identifiers.of(["c1"])).tolist() == [-1]


@KINDS
@pytest.mark.parametrize(
    ("row", "rule"),
    [
        (("d9", 0, 5, "c1"), "chunk"),
        (("d9", 5, 5, "c9"), "range"),
        (("d9", -1, 5, "c9"), "range"),
    ],
)
def test_a_bad_chunk_is_refused_with_its_line(written, row, rule):
    (fault,) = faults_of(read, written([*ROWS, row]))
    assert (fault.line, fault.rule) == (BEFORE[written] + 4, rule)
    table = read(written([*ROWS, row]), lenient=True)
    assert (len(table), table.find("c1")) == (3, ("d1", 0, 5))


@pytest.mark.parametrize(
    ("line", "found"),
    [
        ('{"document": "d", "chunk": "c9"}', "no range"),
        ('{"document": "d", "start": 0, "end": 5}', "no chunk"),
        ('{"start": 0, "end": 5, "chunk": "c9"}', "no document"),
        ('{"document": "d", "start": "0", "end": 5, "chunk": "c9"}', "start '0'"),
    ],
)
def test_what_a_line_misses_is_said(line, found):
    (fault,) = faults_of(read, as_json_lines(ROWS) + b"\n" + line.encode())
    assert (fault.line, fault.found) == (5, found)


def test_chunks_may_be_known_by_their_text():
    rows = [
        {"chunk": "1", "text": "one"},
        {"chunk": "2", "document": "d", "start": -1, "text": "two"},
        {"chunk": "3", "document": "d", "start": 5, "text": "three"},
        {"chunk": "4", "document": "d", "start": 0, "end": 3},
    ]
    table = read("".join(json.dumps(row) + "\n" for row in rows).encode())
    assert table.documents.strings() == ["", "d", "d", "d"]
    assert table.start.tolist() == [0, -1, 5, 0]
    assert table.end.tolist() == [0, 0, 10, 3]
    assert table.unplaced.tolist() == [True, True, False, False]
    assert table.quotes == ("one", "two", "three", None)
    assert [table.line_of(row) for row in range(4)] == [1, 2, 3, 4]


def test_offset_and_length_and_a_comment_before_the_header():
    table = read(b"# made by hand\ndoc_id\toffset\tlength\tchunk_id\nd\t10\t5\tc\n")
    assert table.find("c") == ("d", 10, 15)


def test_a_run_is_no_table_of_chunks():
    with pytest.raises(InputError, match="kind 'run'"):
        read(b'{"spanwise": 1, "kind": "run"}\n')


@settings(deadline=None)
@given(st.dictionaries(st.text(min_size=1, alphabet="abä😀"), st.integers(0, 9), max_size=20))
def test_many_ids_at_once_are_found_as_one_by_one(made):
    table = ChunkTable.of([(f"d{place}", place, place + 1, name) for name, place in made.items()])
    wanted = [*made, "zzz"]
    rows = table.rows(Identifiers.of(wanted)).tolist()
    alone = [table.find(name) for name in wanted]
    assert [None if row < 0 else int(table.start[row]) for row in rows] == [
        None if found is None else found[1] for found in alone
    ]
    assert alone[:-1] == [(f"d{place}", place, place + 1) for place in made.values()]
