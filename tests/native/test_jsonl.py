"""JSON lines scanned by the native core say what the careful reader says, fault by fault."""

from __future__ import annotations

import json
from contextlib import contextmanager

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from spanwise.data.notes import Faults
from spanwise.errors import InputError
from spanwise.formats import json_runs, json_scan
from spanwise.formats.budget import Budget, spending
from spanwise.formats.builtin.json_rows import jsonl
from spanwise.formats.column_runs import Scattered
from spanwise.formats.json_scan import DECIMAL, IGNORED, NAME, WHOLE, JsonScan
from spanwise.formats.registry import RunOptions
from spanwise.formats.source import Blocks, Source
from spanwise.native import core

pytestmark = pytest.mark.skipif(core is None, reason="the native core is not built")

# -- lines

NUMBERS = st.one_of(
    st.integers(-3, 300).map(str),
    st.integers(-(2**64), 2**64).map(str),
    st.floats(allow_nan=False, allow_infinity=False).map(repr),
    st.decimals(-1000, 1000, places=6).map(str),
    st.sampled_from(
        [
            *("-0", "0", "1.0", "-0.0", "1e5", "1E-5", "1e+22", "1e23", "1.5e300", "1e999"),
            *("1e-999", "9007199254740993", "9007199254740993.0", "0.1234567890123456789"),
            *("1" * 20, "1" * 30, "9223372036854775807", "9223372036854775808"),
            *("-9223372036854775807", "-9223372036854775808", "123456789012345678.5"),
            *("2.2250738585072011e-308", "5e-324", "179769313486231570e291"),
            *("01", "-", "+1", "1.", ".5", "1e", "0x1", "NaN", "Infinity", "1_0", "00", "-01"),
        ]
    ),
)
TEXTS = st.one_of(
    st.sampled_from(
        ["q1", "q2", "d7", "http://d:1", "", " ", "7", "{", "}", ":", "ü", "漢字", "😀"]
    ),
    st.text(max_size=4),
)
QUOTED = st.one_of(
    TEXTS.map(json.dumps),
    TEXTS.map(lambda text: json.dumps(text, ensure_ascii=False)),
    st.sampled_from([r'"\u00fc"', r'"a\/b"', r'"\ud83d\ude00"', r'"\ud800"', r'"\u0000"']),
    st.sampled_from([r'"\x"', '"\t"', r'"\"', r'"\u12"', r'"\\\n\r\t\b\f\""', r'"\ude00\ud83d"']),
)
OTHERS = st.sampled_from(["null", "true", "false", "[]", '["a"]', "{}", '{"a": 1}', "nul", "nulll"])
VALUES = st.one_of(NUMBERS, QUOTED, OTHERS)
TOPICS = st.sampled_from(['"q1"', '"q2"', '"q3"', "4", '"ü"'])
DOCUMENTS = st.one_of(st.sampled_from(['"d1"', '"d2"', '"漢"', '"a b"', "12", "-0", "-5"]), QUOTED)
FIELDS = {
    "topic": TOPICS,
    "document": DOCUMENTS,
    "start": st.integers(-1, 50).map(str),
    "end": st.integers(40, 100).map(str),
    "score": NUMBERS,
    "rank": st.integers(1, 9).map(str),
    "query": TOPICS,
    "doc_id": DOCUMENTS,
    "offset": st.integers(0, 50).map(str),
    "length": st.one_of(st.integers(1, 50).map(str), NUMBERS),
    "distance": NUMBERS,
    "run": st.sampled_from(['"a"', '"b"', "null", "7"]),
    "grade": st.integers(-1, 3).map(str),
    "bep": st.integers(-1, 30).map(str),
    "chunk": TOPICS,
    "title": st.one_of(QUOTED, NUMBERS, OTHERS),
    "text": QUOTED,
    "parts": st.sampled_from(["true", "false"]),
}
USUAL = [
    ("topic", "document", "start", "end", "score"),
    ("query", "doc_id", "offset", "length", "rank"),
    ("topic", "document", "start", "end"),
    ("topic", "document", "grade"),
    ("document", "length"),
    ("topic", "document", "start", "end", "title", "run"),
]
BLANKS = st.sampled_from(["", "", " ", "  ", "\t", "\r"])


@st.composite
def objects(draw, names):
    """One object with these names in some order, spaced somehow."""
    members = []
    for name in draw(st.permutations(names)):
        value = draw(FIELDS[name] if draw(st.integers(0, 9)) else VALUES)
        members.append(f'{draw(BLANKS)}"{name}"{draw(BLANKS)}:{draw(BLANKS)}{value}{draw(BLANKS)}')
    return draw(BLANKS) + "{" + ",".join(members) + "}" + draw(BLANKS)


ODD = st.sampled_from(
    [
        *(
            "",
            "  ",
            "# comment",
            "# ü",
            "[]",
            "7",
            "{",
            "}",
            "{}",
            '"x"',
            '{"topic"}',
            '{"topic":}',
        ),
        '{"topic": "q1", "topic": "q2", "document": "d"}',
        '{"topic": "q1", "document": "d", "topic": "q1"}',
        '{"topic": "q1", "document": "d", "colour": 7}',
        '{"topic": "q1", "document": "d"} x',
        '{"topic": "q1", "document": "d"}{"topic": "q1", "document": "e"}',
        '{"topic": "q1", "document": "d",}',
        '{"top\\u0069c": "q1", "document": "d"}',
        '{"\\ud800": 1, "document": "d"}',
        '{"topic": "q1", "document": "d"',
        '{"spanwise": 1, "kind": "run"}',
        '{"spanwise": 1, "kind": "assessments"}',
        '{"spanwise": 2}',
        '{"topic": "q1", "document": "d", "score": ' + "1" * 4301 + "}",
        '{"topic": "q1", "document": "' + "d" * 60 + '"}',
    ]
)


@st.composite
def files(draw):
    """A file of mostly usual lines."""
    shape = draw(st.sampled_from(USUAL))
    several = st.lists(st.sampled_from(sorted(FIELDS)), min_size=1, max_size=6, unique=True)
    lines = draw(
        st.lists(
            st.one_of(objects(shape), objects(shape), objects(shape), several.flatmap(objects), ODD)
            if draw(st.booleans())
            else objects(shape),
            max_size=12,
        )
    )
    if draw(st.booleans()):
        lines.sort(key=lambda line: line[line.find("q") :][:2])
    if draw(st.integers(0, 3)) == 0:
        lines.insert(0, '{"spanwise": 1, "unit": "codepoint"}')
    text = draw(st.sampled_from(["\n", "\r\n"])).join(lines).encode("utf-8", "surrogatepass")
    if draw(st.integers(0, 9)) == 0:
        cut = draw(st.integers(0, len(text)))
        text = text[:cut] + draw(st.sampled_from([b"", b"\xff", b"\0", b"\xc3"])) + text[cut:]
    mark = draw(st.sampled_from([b"", b"", b"\xef\xbb\xbf"]))
    return mark + text + draw(st.sampled_from([b"", b"\n", b"\n\n"]))


# -- what a file says


@contextmanager
def reading(*, native, block):
    """Read in blocks of so many bytes, with the core or without it."""
    with pytest.MonkeyPatch.context() as patch:
        if not native:
            patch.setattr(json_scan, "core", None)
        patch.setattr(Source, "blocks", lambda self, size=block: Blocks(self, size))
        patch.setattr(json_runs, "RUN_BLOCK", block)
        with spending(Budget(name=50)):
            yield


def columns_of(thing):
    """The columns of a run or of assessments, comparable."""
    if hasattr(thing, "strings"):
        return thing.strings()
    if isinstance(thing, np.ndarray):
        return (str(thing.dtype), thing.tobytes())
    names = getattr(thing, "__struct_fields__", getattr(thing, "__dataclass_fields__", ()))
    if names:
        return {name: columns_of(getattr(thing, name)) for name in names}
    return repr(thing)


def facts(read, data, lenient):
    """All that a reader says about a file."""
    faults = Faults("file", lenient=lenient)
    try:
        found = read(Source("file", data), faults)
    except InputError as refused:
        return repr(refused), str(refused)
    except Scattered:
        return "scattered"
    return found, list(map(str, faults.kept)), list(map(str, faults.notes))


def whole_runs(source, faults):
    return [columns_of(run) for run in jsonl.read_run(source, faults, RunOptions(whole=True))]


def run_blocks(source, faults):
    return [columns_of(run) for run in jsonl.read_run(source, faults, RunOptions())]


def judgements(source, faults):
    return columns_of(jsonl.read_assessments(source, faults))


@pytest.mark.parametrize("read", [whole_runs, run_blocks, judgements])
@given(data=files(), block=st.sampled_from([200, 1000, 1 << 20]), lenient=st.booleans())
@example(data=b'{"spanwise": 2}\n\xff{"topic": 1}', block=200, lenient=False)
@example(data=b'# \xff\n{"spanwise": 1}\n{"topic": 1, "document": "d"}', block=200, lenient=True)
@settings(deadline=None, max_examples=300)
def test_both_paths_say_the_same(read, data, block, lenient):
    with reading(native=True, block=block):
        fast = facts(read, data, lenient)
    with reading(native=False, block=block):
        assert fast == facts(read, data, lenient)


# -- topic block by topic block


def together(runs):
    """The answers of all blocks by run and topic, in their order."""
    found = {}
    for run in runs:
        for number, topic in enumerate(run.topics):
            rows = range(int(run.offsets[number]), int(run.offsets[number + 1]))
            names = run.documents.strings()
            columns = (run.extent, run.start, run.end, run.score, run.rank, run.line)
            assert (run.name, topic) not in found, "a topic comes in one block"
            found[run.name, topic] = (
                run.order,
                [
                    (names[row], *(None if column is None else column[row] for column in columns))
                    for row in rows
                ],
            )
    return found


def read_both(data, *, native, block=300):
    with reading(native=native, block=block):
        source = Source("file", data)
        whole = together(jsonl.read_run(source, Faults("file"), RunOptions(whole=True)))
        blocks = []
        for run in jsonl.read_run(source, Faults("file"), RunOptions()):
            blocks.append(run.copied())
        return whole, blocks


def a_run(topics, each=3, run="", **more):
    rows = []
    for topic in topics:
        for rank in range(each):
            row = {"topic": topic, "document": f"d{rank}", "start": rank, "end": 99, "rank": rank}
            rows.append(row | more | ({"run": run} if run else {}))
    return rows


def lines_of(rows):
    return "".join(json.dumps(row) + "\n" for row in rows).encode()


@pytest.mark.parametrize("native", [True, False])
def test_a_large_run_comes_in_blocks_of_whole_topics(native):
    data = lines_of([*a_run("abcdefgh", run="one"), *a_run("abcdefgh", each=9, run="two")])
    whole, blocks = read_both(data, native=native)
    assert len(blocks) > 5
    assert together(blocks) == whole


@pytest.mark.parametrize("native", [True, False])
def test_a_topic_larger_than_a_block_stays_together(native):
    whole, blocks = read_both(lines_of(a_run("abc", each=30)), native=native)
    assert together(blocks) == whole
    assert [topic for run in blocks for topic in run.topics] == ["a", "b", "c"]


@pytest.mark.parametrize("native", [True, False])
@pytest.mark.parametrize(
    "late",
    [
        a_run("a"),
        [{"topic": "z", "document": "d", "start": 0, "end": 9}],
        [{"topic": "z", "document": "d", "start": 0, "end": 9, "rank": None}],
        [{"topic": "z", "document": "d", "start": 9, "end": 9, "rank": 1}],
        [{"topic": "z", "document": "d", "start": 0, "end": 9, "rank": 1, "distance": 1}],
        [{"topic": "z", "document": "d", "start": 0, "end": 9, "rank": 1, "text": "x"}],
        [{"topic": "z", "document": "d", "start": -1, "rank": 1, "text": "x"}],
        [{"topic": "z", "rank": 1, "text": "x"}],
        [7],
    ],
    ids=[
        *("topic again", "no rank", "null", "fault", "distance", "text", "text and -1"),
        *("only text", "not an object"),
    ],
)
def test_what_only_the_whole_file_tells_is_left_to_it(native, late):
    data = lines_of([*a_run("abcdefgh"), *late, *a_run("wxy")])
    with reading(native=native, block=300), pytest.raises(Scattered):
        list(jsonl.read_run(Source("file", data), Faults("file"), RunOptions()))


@pytest.mark.parametrize("native", [True, False])
@pytest.mark.parametrize("rows", [a_run("abcdefgh", parts=True), a_run("abcdefgh", text="x")])
def test_rows_that_say_more_are_read_whole(native, rows):
    _, blocks = read_both(lines_of(rows), native=native)
    assert len(blocks) == 1


# -- what is scanned


def scanned(text, kind="run"):
    data = text if isinstance(text, bytes) else text.encode()
    block = np.frombuffer(b"\n" + data + bytes(8), np.uint8)
    return JsonScan(kind, Faults("file")).block(block, 1, 1)


@pytest.mark.parametrize(
    "text",
    [
        '{"topic": "q", "document": "d", "start": 0, "end": 5, "score": 1.5}\n',
        '# c\n{"spanwise": 1}\n\n{"query":7,"doc_id":"ü","offset":0,"len":5,"rank":1}\r\n \n',
        '{"topic":"q","document":"d","title":true,"url":"x","n":1.25}\n{"document":"e","topic":8}\n',
        '{"topic":"q","document":"d","rank":1}\n{"topic":"q","document":"e","run":null}\n',
    ],
)
def test_usual_lines_are_scanned(text):
    found = scanned(text)
    assert found is not None
    assert len(found.rows) == text.count("oc")
    assert found.next_line == 1 + text.count("\n")


@pytest.mark.parametrize(
    "value",
    [
        *(b'"start": 9223372036854775808', b'"start": 1.0', b'"start": "1"', b'"start": true'),
        *(b'"run": -0', b'"run": ""', b'"run": 1.5', b'"run": "\xff"', b'"run": "\\ud800"'),
        *(b'"title": "\xff"', b'"title": [1]', b'"title": 1 2', b'"run": "' + b"x" * 10_001 + b'"'),
    ],
)
def test_doubtful_values_are_not_scanned(value):
    usual = b'{"topic": 1, "document": 2, "start": 1, "run": "a", "title": "b"}\n'
    assert scanned(usual) is not None
    assert scanned(usual + b'{"topic": 1, "document": 2, %s}\n' % value) is None


def test_escapes_are_decoded_in_a_copy():
    text = r'{"topic": "\u00fc\ud83d\ude00", "document": "a\/\"\\\n", "title": "\u6f22\t"}' + "\n"
    found = scanned(text)
    columns = {ours: cells.values.strings() for ours, cells in found.rows.columns.items()}
    assert columns == {"topic": ["ü😀"], "document": ['a/"\\\n']}


@pytest.mark.parametrize("kind", ["run", "assessments", "chunks"])
def test_files_without_rows(kind):
    for text in ("", "\n", "# only\n"):
        found = scanned(text, kind)
        assert found is not None
        assert len(found.rows) == 0


@given(st.lists(NUMBERS.filter(lambda text: not text.strip("0123456789.-+eE")), min_size=1))
@settings(deadline=None, max_examples=500)
def test_decimals_are_those_of_python(numbers):
    text = "".join(f'{{"topic": 1, "document": 2, "score": {number}}}\n' for number in numbers)
    found = scanned(text)
    try:
        expected = [float(json.loads(number)) for number in numbers]
    except ValueError:
        assert found is None
        return
    if found is None:  # Whole numbers of many digits.
        assert any(number.lstrip("-").isdigit() and len(number) > 19 for number in numbers)
        return
    score = found.rows.columns["score"].values
    assert np.array_equal(score.view(np.uint64), np.array(expected).view(np.uint64))


# -- the function itself


def call(block=b'{"a":1}\n' + bytes(8), begin=0, end=8, room=1, fields=None, columns=None):
    integer, bits = np.empty(1, np.int64), np.empty(1, np.uint64)
    fields = ((b"a", WHOLE, (integer,)),) if fields is None else fields
    columns = (bits, bits.copy(), integer.copy(), integer.copy()) if columns is None else columns
    return core.scan_json(block, False, begin, end, 1, 100, room, fields, *columns)


def test_wrong_arguments_are_refused():
    integer, decimal = np.empty(1, np.int64), np.empty(1, np.float64)
    assert call() == (1, 2, -1, True)
    for wrong in (
        {"end": 9},
        {"end": 7},
        {"begin": -1},
        {"begin": 9},
        {"block": b'{"a":1}\n'},
        {"room": 2},
        {"fields": ((b"a", 9, ()),)},
        {"fields": ((b"a", NAME, (integer,)),)},
        {"fields": ((b"a", IGNORED, (integer,)),)},
        {"fields": ((b"a", IGNORED, ()),) * 61},
        {"columns": (np.empty(0, np.uint64),) * 2 + (integer,) * 2},
    ):
        with pytest.raises(ValueError, match=r"block|column|field"):
            call(**wrong)
    for wrong in (
        {"fields": ((b"a", WHOLE, (decimal,)),)},
        {"fields": ((b"a", DECIMAL, (integer,)),)},
        {"fields": (b"a",)},
        {"fields": [(b"a", IGNORED, ())]},
        {"fields": (("a", IGNORED, ()),)},
    ):
        with pytest.raises(TypeError):
            call(**wrong)


@pytest.mark.parametrize("value", ["", '"w": null, "d": null, "n": null, '])
def test_what_is_not_given_holds_the_filler(value):
    block = f'{{{value}"a": 1}}\n'.encode()
    whole, start, end = (np.full(1, 7, np.int64) for _ in range(3))
    decimal = np.full(1, 7.0)
    fields = (
        (b"w", WHOLE, (whole,)),
        (b"d", DECIMAL, (decimal,)),
        (b"n", NAME, (start, end)),
        (b"a", IGNORED, ()),
    )
    columns = tuple(np.empty(1, np.uint64) for _ in range(2))
    places = tuple(np.empty(1, np.int64) for _ in range(2))
    found = call(block + bytes(8), end=len(block), fields=fields, columns=(*columns, *places))
    assert found == (1, 2, -1, True)
    assert (columns[0][0], columns[1][0]) == (15 if value else 8, 8)
    assert (whole[0], start[0], end[0], np.isnan(decimal[0])) == (0, 0, 0, True)


def test_more_rows_than_room_end_the_scan():
    block = b'{"a":1}\n' * 2 + bytes(8)
    assert call(block=block, end=16) == (1, 2, 8, True)


def test_a_negative_room_is_refused() -> None:
    assert core is not None
    block = np.frombuffer(b'{"a":1}\n' + bytes(8), np.uint8)
    none, marks = np.zeros(0, np.int64), np.zeros(0, np.uint64)
    fields = ((b"a", 2, (none,)),)
    with pytest.raises(ValueError, match="room"):
        core.scan_json(block, False, 0, 8, 1, 99, -1, fields, marks, marks, none, none)
