"""JSON lines that are decoded in blocks give what decoding line by line gives, fault by fault."""

from __future__ import annotations

import json

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from spanwise.data.notes import Faults
from spanwise.errors import InputError
from spanwise.formats import json_lines
from spanwise.formats.json_lines import json_rows, rows_in
from spanwise.formats.row_columns import rows_of_records
from spanwise.formats.source import Blocks, Source

GOOD = '{"topic": "q", "document": "d", "start": 0, "end": 5, "score": 1.5}'
NAMES = st.sampled_from(
    [
        "topic",
        "document",
        "start",
        "end",
        "score",
        "run",
        "qid",
        "colour",
        "spanwise",
        "a:b",
        "path",
    ]
)
VALUES = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-(2**70), 2**70),
    st.floats(),
    st.text(max_size=5),
    st.sampled_from(["d:1", "http://x", "{}", "\\", '"', "ü😀", "}\n{"]),
    st.lists(st.text(max_size=3), max_size=2),
    st.dictionaries(st.text(max_size=3), st.integers(), max_size=2),
)
OBJECTS = st.dictionaries(NAMES, VALUES, max_size=6)
ODD = st.sampled_from(
    [
        *("", "   ", "# comment", "[]", "7", "null", "{", "}", "{}", "\t{}", "x", '"{}"'),
        '{"topic": "q", "topic": "r", "document": "d"}',
        '{"topic": "q", "document": "d:d", "document": "e"}',
        '{"topic": "\\u003a", "document": "d", "document": "e"}',
        '{"topic": "q\\u003Aq", "document": "d"}',
        '{"topic": "q", "document": "\\ud800"}',
        '{"topic": "q", "document": "d", "score": NaN}',
        '{"topic": "q", "document": "d", "score": -Infinity}',
        '{"topic": "q", "document": "d", "score": 1e999}',
        '{"topic": "q", "document": "d", "start": -0}',
        '{"topic": "q", "document": "d", "start": ' + "1" * 4301 + "}",
        '{"topic": "q", "document": "d"}{"topic": "q", "document": "e"}',
        '{"topic": "q", "document": "d", "extra": {"a": 1, "a": 2}}',
        '{"topic": "q", "document": "d",}',
        '{"document": "d", "topic": "q"}',
        '{"topic": "q", "document":"d"}\r',
        '{"topic" : "q" , "document" : "d"}',
        ' {"topic": "q", "document": "d"} ',
        '{"spanwise": 1, "kind": "run"}',
        '{"spanwise": 1, "kind": "chunks"}',
        "[" * 2000,
    ]
)
LINES = st.one_of(
    st.just(GOOD),
    OBJECTS.map(json.dumps),
    OBJECTS.map(lambda record: json.dumps(record, ensure_ascii=False, separators=(",", ":"))),
    ODD,
)


def facts(source, read):
    """All that a reader says about a file."""
    faults = Faults("file", lenient=True)
    try:
        rows = read(source, faults)
    except InputError as refused:
        return str(refused)
    lines = None if rows.line is None else rows.line.tolist()
    columns = {name: list(map(repr, values)) for name, values in rows.columns.items()}
    found = sorted(map(str, faults.kept)), sorted(map(str, faults.notes))
    return columns, list(rows.available), lines, rows.faulty.tolist(), found


def carefully(source, faults):
    return rows_of_records(json_rows(source, "run", faults), "run", faults)


def at_once(source, faults):
    return rows_in(source, "run", faults)


@given(st.lists(LINES, min_size=1, max_size=12), st.sampled_from([1, 3, 64]), st.booleans())
@example([GOOD, '{"topic": "q", "document": "d", "document": "e"}'], 1, False)
@example([GOOD, '{"topic": "q", "document": ":", "document": "e"}'], 1, False)
@example([GOOD, '{"a": {', '}}{"b": 1}'], 1, False)
@settings(deadline=None)
def test_both_ways_say_the_same(lines, sample, windows):
    source = Source("file", ("\r\n" if windows else "\n").join(lines).encode("utf-8", "replace"))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(json_lines, "_SAMPLE", sample)
        patch.setattr(Source, "blocks", lambda self: Blocks(self, 300))
        fast = facts(source, at_once)
    assert fast == facts(source, carefully)


def test_usual_files_are_decoded_at_once(monkeypatch):
    rows = [{"topic": "q", "document": f"http://d:{n}", "rank": n, "run": "r"} for n in range(500)]
    rows += [{"topic": "q", "document": f"w{n}", "rank": n, "parts": False} for n in range(500)]
    text = "".join(json.dumps(row) + "\n" for row in [*rows[:3], rows[-1], *rows[3:-1]])
    slow = []
    monkeypatch.setattr(json_lines, "_decoded", _counting(json_lines._decoded, slow))
    found = rows_in(Source("file", text.encode()), "run", Faults("file"))
    assert len(found) == 1000
    assert len(slow) == json_lines._SAMPLE


def _counting(function, calls):
    def counted(*arguments):
        calls.append(arguments)
        return function(*arguments)

    return counted


def test_a_broken_byte_deep_in_the_file_has_its_line():
    text = (GOOD + "\n").encode() * 30_000
    broken = text + b'{"topic": "q\xff"}\n'
    with pytest.raises(InputError, match="file:30001: found byte 0xff"):
        rows_in(Source("file", broken), "run", Faults("file"))
