"""The native scan of column runs against its NumPy twin, and numbers against Python."""

from __future__ import annotations

import random
import re
import struct
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from fractions import Fraction
from typing import Any
from unittest.mock import patch

import numpy as np
import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from spanwise.data.identifiers import PADDING, Identifiers
from spanwise.data.notes import Faults
from spanwise.data.run import Run
from spanwise.errors import InputError
from spanwise.formats import column_runs, column_scan
from spanwise.formats.builtin.columns import element, entry_points, fol, msmarco, trec
from spanwise.formats.column_runs import Decoded, Layout, Piece, PieceDecoder, RunPieces
from spanwise.formats.column_scan import scan
from spanwise.formats.column_text import decode_decimals, decode_integers, split
from spanwise.formats.registry import RunOptions
from spanwise.formats.source import Blocks, Source, lines_in
from spanwise.native import core
from spanwise.records import replace

native = pytest.mark.skipif(core is None, reason="the native core is not built")
PATIENT = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])

LAYOUTS = [
    trec.LAYOUT,
    fol.LAYOUT,
    msmarco.LAYOUT,
    entry_points.LAYOUT,
    element.ONE_PATH,
    element.TWO_PATHS,
    Layout("length first", ("length", "document", "topic", "offset")),
    Layout("length alone, twice", ("topic", "document", "length", "document", "topic")),
]


@contextmanager
def without_core() -> Iterator[None]:
    """Run the NumPy code."""
    with (
        patch.object(column_runs, "core", None),
        patch.object(column_scan, "core", None),
    ):
        yield


def block_of(text: bytes) -> np.ndarray:
    """Lines as a block has them; what follows the last line is not to be looked at."""
    return np.frombuffer(b"\n" + text + b"1.5e3 #x"[:PADDING], np.uint8)


def piece_of(text: bytes, first_line: int = 1) -> Piece:
    block = block_of(text)
    return Piece(block, first_line, text.count(b"\n"))


# -- pieces


def bits_of(value: Any) -> Any:
    """Something that is equal only if every bit is."""
    if isinstance(value, Identifiers):
        return value.strings(), value.keys().tolist()
    if isinstance(value, np.ndarray):
        return value.dtype.str, value.tobytes()
    return value


def said_by(run: Run) -> dict[str, Any]:
    return {name: bits_of(getattr(run, name)) for name in Run.__struct_fields__}


def told_by(decoded: Decoded) -> Any:
    faults = decoded.faults
    return [said_by(run) for run in decoded.runs], faults.kept, faults.counts, faults.notes


def told(piece: Piece, layout: Layout) -> Any:
    """The runs and faults of a piece, or the message with which it is refused."""
    try:
        return told_by(PieceDecoder(Source("file", b""), layout).decoded(piece))
    except InputError as problem:
        return str(problem)


topics = st.sampled_from(
    ["q1", "q2", "q10", "12345678", "123456789", "topic-with-a-long-name", "topic-with-a-long-nose"]
)
names = st.one_of(
    st.sampled_from(
        ["d1", "d2", "12345678", "Ärzte/17", "a-name-of-16-byt", "x" * 1024, "x" * 1025]
    ),
    st.text("ab/1é", min_size=1, max_size=40),
)
tags = st.sampled_from(["sys", "sys", "sys", "another-run-tag"])
whole = st.one_of(
    st.integers(0, 2000).map(str),
    st.integers(-5, 2**65).map(str),
    st.sampled_from(["+7", "-0", "007", "0" * 30 + "5", "0" * 399, "0" * 400, "9" * 19, "1" * 20]),
    st.sampled_from([str(2**63 - 1), str(2**63), "-9223372036854775808", "1x", "1.0", "-", "12:4"]),
)
decimals = st.one_of(
    st.floats(-1e6, 1e6).map("{:.6f}".format),
    st.floats(allow_nan=False).map(repr),
    st.floats(allow_nan=False, width=32).map(repr),
    st.sampled_from(["inf", "-INF", "nan", "1_0", ".", "-", "5.", ".5", "1e5", "high", "1" * 40]),
)
paths = st.sampled_from(["/a[1]", "/a[1]/p[2]", "/article[1]/bdy[1]/sec[4]/p[2]", "a", "/a[0]"])
CELLS = {
    "topic": topics,
    "document": names,
    "run": tags,
    "rank": whole,
    "offset": whole,
    "length": whole,
    "score": decimals,
    "xpath": paths,
    "last_xpath": paths,
}
PLAIN = {
    "rank": st.integers(1, 2000).map(str),
    "offset": st.integers(0, 2**62).map(str),
    "length": st.integers(1, 2**62).map(str),
    "score": st.floats(allow_nan=False).map(repr),
    "xpath": st.just("/a[1]/p[2]"),
    "last_xpath": st.just("/a[1]/p[3]"),
}
separators = st.sampled_from([" ", " ", " ", "\t", "  ", " \t ", "\x01", "\x1f \r"])
ends = st.sampled_from(["\n", "\n", "\n", "\r\n", " \n", "\t\r\n"])
others = st.sampled_from(["\n", " \r\n", "# comment\n", " # a b c\n", "a b\n", "\0 a b c d e\n"])


@st.composite
def texts(draw: st.DrawFn, layout: Layout, cells: dict[str, Any], most: int = 9) -> str:
    """Some lines of a layout: as plain as files are, or with everything that may go wrong."""
    between, after = draw(st.sampled_from([(st.just(" "), st.just("\n")), (separators, ends)]))
    text = ""
    for _ in range(draw(st.integers(1, most))):
        row = [draw(cells.get(name, st.just("Q0"))) for name in layout.columns]
        line = row[0] + "".join(draw(between) + cell for cell in row[1:]) + draw(after)
        text += line
        if cells is CELLS and draw(st.integers(0, 9)) == 0:
            text += draw(st.one_of(others, st.just(f"#{line}")))
    return text


any_text = st.sampled_from(LAYOUTS).flatmap(
    lambda layout: texts(layout, CELLS).map(lambda text: (layout, text))
)
plain_text = st.sampled_from(LAYOUTS).flatmap(
    lambda layout: texts(layout, {**CELLS, **PLAIN}).map(lambda text: (layout, text))
)


@native
@PATIENT
@given(st.one_of(any_text, plain_text), st.binary(max_size=2), st.integers(1, 10**12))
def test_a_piece_says_the_same(case: tuple[Layout, str], noise: bytes, first_line: int) -> None:
    layout, text = case
    data = text.encode()
    if b"\n" not in noise and len(noise) == 2:
        data = data[:-1] + noise + b"\n"
    piece = piece_of(data, first_line)
    with without_core():
        expected = told(piece, layout)
    assert told(piece, layout) == expected


@native
@PATIENT
@given(plain_text)
def test_plain_lines_are_not_left_to_numpy(case: tuple[Layout, str]) -> None:
    layout, text = case
    piece = piece_of(text.encode())
    scanned = scan(piece.block, piece.lines, layout.columns, any_rank=layout.any_rank)
    overflow = "length" in layout.columns and "offset" in layout.columns
    assert scanned is not None or overflow
    if scanned is not None:
        assert len(scanned.documents) == piece.lines
        for groups in filter(None, (scanned.topics, scanned.tags)):
            assert groups.begins.tolist() == groups.of_rows(piece.lines).runs().tolist()
        for column in (scanned.documents, *scanned.paths):
            fresh = Identifiers(column.buffer, column.start, column.end)
            assert np.array_equal(column.keys(), fresh.keys())


@native
@pytest.mark.parametrize("place", [0, 1, 700, 1500, 1999, 2000])
@pytest.mark.parametrize(
    "doubt",
    [
        "\n",
        17 * " " + "\n",
        "\r\n",
        "topic 1\ndocument topic 1 document\n",
        "#topic 2 document\n",
        "# 1 2\n",
        "topic document\n",
        "t 1 d x\n",
    ]
    + ["topic 1 d topic 1 d\n", "topic\n1 document\n", "topic x document\n"],
)
def test_doubtful_lines_are_left_to_python_wherever_they_are(place: int, doubt: str) -> None:
    """Many lines of one shape: what is left from one tile must not pass for the next one."""
    lines = ["topic 12 document\n"] * 2000
    layout = Layout("x", ("topic", "rank", "document"))
    for several in (lines, [*lines[:place], doubt, *lines[place:]]):
        piece = piece_of("".join(several).encode())
        found = scan(piece.block, piece.lines, layout.columns, any_rank=False)
        assert (found is None) == (several is not lines)


@native
@pytest.mark.parametrize("columns", [1, 3, 6, 8])
@pytest.mark.parametrize("size", [1, 7, 8, 9, 63, 64, 65, 1024, 1025, 20_000, 70_000])
def test_long_names_and_long_lines(columns: int, size: int) -> None:
    """Lines that end before, at and after the borders of words, of 64 bytes and of tiles."""
    layout = Layout("names", ("document", "topic", *"abcdefgh")[: max(columns, 2)])
    rows = [[f"{number:x}".rjust(size, "d"), f"q{number // 9}"] for number in range(40)]
    text = "".join(" ".join([*row, *"abcdefgh"][: len(layout.columns)]) + "\n" for row in rows)
    piece = piece_of(text.encode())
    assert scan(piece.block, piece.lines, layout.columns, any_rank=False) is not None
    with without_core():
        expected = told(piece, layout)
    assert told(piece, layout) == expected


def test_overflowing_ranges_are_refused_by_both() -> None:
    rows = [(2**63 - 2, 1), (2**63 - 1, 1), (1, 2**63 - 1), (0, 2**63 - 1), (0, 0), (-1, 5)]
    text = "".join(f"q Q0 d 1 1 r {offset} {length}\n" for offset, length in rows).encode()
    assert sorted(fault.line for fault in told(piece_of(text), fol.LAYOUT)[1]) == [2, 3, 5, 6]
    for line, _ in enumerate(rows):
        one = piece_of(text.splitlines(keepends=True)[line])
        with without_core():
            expected = told(one, fol.LAYOUT)
        assert told(one, fol.LAYOUT) == expected


# -- where blocks are cut

short_lines = st.lists(
    st.one_of(
        st.builds("{} {} {}\n".format, st.sampled_from("ab"), st.just("d"), st.sampled_from("rs")),
        st.sampled_from(
            ["a d r\r\n", " \ta  d\tr \n", "# a b\n", "\n", " \n", "a d\n", "a d r x\n", "#\n"]
        ),
    ),
    min_size=1,
    max_size=12,
)


def slow_last_group(text: str, places: list[int]) -> int:
    """The place of the line at which the last group begins, from all lines."""
    found = position = 1
    before: list[str] | None = None
    for line in text.split("\n")[:-1]:
        cells = line.split()
        if len(cells) == 3 and not cells[0].startswith("#"):
            group = [cells[place] for place in places]
            found = position if group != before else found
            before = group
        position += len(line) + 1
    return position if before is None else found


@PATIENT
@given(short_lines, st.sampled_from([("topic", "Q0", "run"), ("x", "document", "topic")]))
def test_the_last_group_is_found_from_the_end(lines: list[str], columns: tuple[str, ...]) -> None:
    text, layout = "".join(lines), Layout("x", columns)
    places = [columns.index(name) for name in ("topic", "run") if name in columns]
    expected = slow_last_group(text, places)
    block = block_of(text.encode())
    assert column_runs._last_group(block, layout) == expected
    with without_core():
        assert column_runs._last_group(block, layout) == expected


def test_a_last_group_that_is_long() -> None:
    text = "".join(f"q{number // 20_000} d{number} r\n" for number in range(35_000))
    block = block_of(text.encode())
    layout = Layout("x", ("topic", "document", "run"))
    expected = 1 + text.index("q1 ")
    assert column_runs._last_group(block, layout) == expected
    with without_core():
        assert column_runs._last_group(block, layout) == expected


@given(st.binary(max_size=300).map(lambda data: data.replace(b"x", b"\n") + b"\n"))
def test_lines_are_counted(data: bytes) -> None:
    assert lines_in(block_of(data)) == data.count(b"\n")
    assert lines_in(block_of(100 * data)) == 100 * data.count(b"\n")


# -- threads


def test_pieces_can_be_decoded_in_any_order_and_at_once() -> None:
    text = "".join(
        f"q{number // 50} Q0 d{number} {number % 50 + 1} {number / 7} {'ab'[number > 2000]}\n"
        for number in range(5000)
    )
    source = Source("file", text.encode())
    with patch.object(Source, "blocks", lambda self: Blocks(self, 9000)):
        opened = RunPieces(source, trec.LAYOUT, Faults("file"), RunOptions())
        several = list(opened.pieces)
        expected = [said_by(run) for run in trec.read_run(source, Faults("file"), RunOptions())]
    assert len(several) > 5
    with ThreadPoolExecutor(4) as pool:
        decoded = list(pool.map(opened.decoded, reversed(several)))[::-1]
    for one in decoded:
        opened.settle(one)
    assert [said_by(run) for one in decoded for run in one.runs] == expected


# -- what must never reach the bytes


@native
def test_wrong_arguments_are_refused() -> None:
    assert core is not None
    block, rows = block_of(b"q d 1\n"), np.zeros(1, np.int64)
    good = (rows, rows.copy(), rows.copy())
    assert core.scan_lines(block, "g--", good) == (1, 0, (1, 0, 0))
    for kinds, columns in [
        ("g--", good[:2]),
        ("g--", (*good, rows)),
        ("x--", good),
        ("---", ()),
        ("", ()),
        ("-" * 65, ()),
        ("l--", (rows,)),
        ("g--", (rows, rows, np.zeros(2, np.int64))),
    ]:
        with pytest.raises(ValueError, match=r"columns|fields"):
            core.scan_lines(block, kinds, columns)
    with pytest.raises(TypeError):
        core.scan_lines(block, "d--", (rows, rows, rows, rows))
    for bad in (b"", b"\n", b"\n" + bytes(7), b"q d 1\n" + bytes(8), b"\nq d 1" + bytes(8)):
        with pytest.raises(ValueError, match="line feed"):
            core.scan_lines(np.frombuffer(bad, np.uint8), "g--", good)
        with pytest.raises(ValueError, match="line feed"):
            core.last_group(np.frombuffer(bad, np.uint8), 3, 0, 2)
    with pytest.raises(ValueError, match="no such column"):
        core.last_group(block, 3, 0, 3)
    for start, end in [(-1, 2), (3, 2), (0, len(block) + 1)]:
        with pytest.raises(ValueError, match=r"name|column"):
            core.strings(block, np.array([start]), np.array([end]))
    with pytest.raises(ValueError, match=r"name|column"):
        core.strings(block, np.array([1, 1]), np.array([2]))


@native
def test_more_lines_than_there_is_room_for_are_left_alone() -> None:
    assert core is not None
    rows = tuple(np.zeros(2, np.int64) for _ in range(3))
    assert core.scan_lines(block_of(b"q d 1\n" * 3), "g--", rows) is None


@given(st.lists(st.text(st.characters(exclude_characters="\0", codec="utf-8"), min_size=1)))
def test_names_are_decoded(several: list[str]) -> None:
    if core is not None:
        column = Identifiers.of(several)
        assert core.strings(column.buffer, column.start, column.end) == several


# -- numbers

DECIMAL = re.compile(rb"[+-]?((\d+\.?\d*|\.\d+)(e[+-]?\d+)?|inf|infinity)", re.IGNORECASE)
COLUMNS = ("topic", "document", "score")


def python_decimal(word: bytes) -> bytes | None:
    """The bits of what Python makes of it."""
    return struct.pack("<d", float(word)) if DECIMAL.fullmatch(word) else None


def check_decimals(words: list[bytes]) -> None:
    """Native, NumPy and Python agree about every word."""
    expected = [python_decimal(word) for word in words]
    block = block_of(b"".join(b"q d %b\n" % word for word in words))
    begin, end = split(block, 3, 1)._span(2)
    value, bad = decode_decimals(block, begin, end)
    raw = value.astype("<f8").tobytes()
    found = [None if no else raw[8 * row : 8 * row + 8] for row, no in enumerate(bad.tolist())]
    assert found == expected, next(
        w for w, a, b in zip(words, found, expected, strict=True) if a != b
    )
    if core is None:
        return
    numbers = [word for word, bits in zip(words, expected, strict=True) if bits is not None]
    block = block_of(b"".join(b"q d %b\n" % word for word in numbers))
    scanned = scan(block, len(numbers), COLUMNS, any_rank=False)
    assert scanned is not None
    assert scanned.score is not None
    raw = scanned.score.astype("<f8").tobytes()
    found = [raw[8 * row : 8 * row + 8] for row in range(len(numbers))]
    wanted = [bits for bits in expected if bits is not None]
    assert found == wanted, next(
        w for w, a, b in zip(numbers, found, wanted, strict=True) if a != b
    )


def check_refusals(words: list[bytes]) -> None:
    """A single word that is no number makes the scan give up."""
    for word in words:
        if core is not None and python_decimal(word) is None:
            assert scan(block_of(b"q d %b\n" % word), 1, COLUMNS, any_rank=False) is None, word


def between(draws: random.Random) -> str:
    """A number halfway between two doubles, or as near as so many digits come to it."""
    halfway = Fraction(2 * draws.randrange(2**52, 2**53) + 1, 2 ** draws.randint(0, 100))
    digits = draws.choice([17, 18, 19, 19, 19, 30, 60])
    fraction = digits - len(str(int(halfway)))
    if fraction <= 0:
        return str(int(halfway) + draws.randint(0, 1))
    written = str(int(halfway * 10**fraction) + draws.randint(0, 1)).rjust(fraction + 1, "0")
    return f"{written[:-fraction]}.{written[-fraction:]}"


def spelled(draws: random.Random) -> str:
    """A number in one of the many ways in which files write them."""
    kind = draws.randrange(14)
    sign = draws.choice(["", "", "-", "+"])

    def digits(most: int, least: int = 0) -> str:
        return "".join(draws.choices("0123456789", k=draws.randint(least, most)))

    if kind == 0:
        return f"{sign}{digits(20)}.{digits(20)}"
    if kind == 1:
        return sign + digits(25, 9)
    if kind == 2:
        return f"{sign}{digits(9)}.{digits(9)}e{draws.choice(['', '-', '+'])}{digits(3, 1)}"
    if kind == 3:
        return repr(struct.unpack("<d", draws.randbytes(8))[0])
    if kind == 4:
        return repr(float(np.float32(draws.uniform(-50, 50))))
    if kind == 5:
        return repr(draws.uniform(-1, 1))
    if kind == 6:
        return between(draws)
    if kind == 7:
        return f"{draws.uniform(-1e3, 1e3):.{draws.randint(0, 25)}f}"
    if kind == 8:
        return f"{sign}{draws.randint(2**53 - 9, 2**53 + 9) * 10 ** draws.randint(0, 3)}"
    if kind == 9:
        return f"{draws.randint(1, 99)}e-{draws.randint(300, 330)}"
    if kind == 10:
        return f"{sign}0.{'0' * draws.randint(0, 26)}{digits(19, 1)}"
    if kind == 11:
        power = 2 ** draws.randint(53, 64) + draws.randint(-3, 3)
        return f"{str(power)[: draws.randint(1, 20)]}.{str(power)[-draws.randint(1, 8) :]}"
    if kind == 12:
        return f"{draws.randint(1, 10**6)}e{draws.randint(290, 320)}"
    return "".join(draws.choices("0123456789.+-eE_inf", k=draws.randint(1, 12)))


STRANGE = [
    *("inf", "-INF", "+Infinity", "nan", "-nan", "infin", "+-inf", "1_000", "0x1f", "1,5", "high"),
    *(
        "-",
        "+",
        ".",
        "-.",
        "5.",
        "-.5",
        "--5",
        "+-5",
        "1.2.3",
        "1e5",
        "1e",
        "e5",
        "1e+",
        "1e-",
        ".",
    ),
    *("1e400", "-1e400", "1e-400", "0e999999999", "0.0e-5", "-0", "-0.0", "00012", "1e0000000005"),
    *("12345678", "123456789", "1234567.12345678", "12345678.1", "9007199254740993", "5e-324"),
    *(
        "2.4703282292062327e-324",
        "2.4703282292062328e-324",
        "1.7976931348623158e308",
        "1e22",
        "1e23",
    ),
    *("1.7976931348623159e308", "18446744073709551615", "18446744073709551616", "9" * 19, "9" * 20),
    *("0." + "0" * 26 + "1", "0." + "0" * 27 + "1", "9007199254740991.5", "0.9007199254740993"),
    *("1" * 5000, "0" * 5000, "0." + "0" * 400 + "1", "/", ":", "123/5678", "1234567:", "1e1.5"),
]


def fuzz(count: int, seed: int) -> None:
    draws = random.Random(seed)
    words = [word.encode() for word in (*STRANGE, *(spelled(draws) for _ in range(count))) if word]
    for begin in range(0, len(words), 20_000):
        check_decimals(words[begin : begin + 20_000])
    check_refusals(words[:20_000])


def test_decimals_have_the_bits_of_python_on_both_paths() -> None:
    fuzz(20_000, 1)


@pytest.mark.heavy
@pytest.mark.parametrize("seed", range(2, 12))
def test_many_decimals(seed: int) -> None:
    fuzz(50_000, seed)


@PATIENT
@given(
    st.lists(st.from_regex(rb"[+-]?[0-9.]{1,24}(e[+-]?[0-9]{1,3})?", fullmatch=True), min_size=1)
)
@example([word.encode() for word in STRANGE])
def test_decimals_of_any_shape(words: list[bytes]) -> None:
    check_decimals(words)
    check_refusals(words)


@native
def test_what_python_prints_is_decoded_natively() -> None:
    """Scores of 32 and of 64 bits must not go through Python, number by number."""
    draws = random.Random(5)
    numbers = [draws.uniform(-100, 100) * 10.0 ** draws.randint(-4, 6) for _ in range(2000)]
    texts = [repr(number) for number in numbers] + [repr(float(np.float32(n))) for n in numbers]
    block = block_of("".join(f"{text}\n" for text in texts).encode())
    rows = [np.zeros(len(texts), np.int64) for _ in range(3)]
    assert core is not None
    found = core.scan_lines(block, "d", (np.zeros(len(texts)), *rows))
    assert found == (len(texts), 0, (0,))


def python_integer(word: bytes) -> int | None:
    if not re.fullmatch(rb"[+-]?[0-9]{1,399}", word) or abs(int(word)) >= 2**63:
        return None
    return int(word)


@PATIENT
@given(
    st.lists(
        st.one_of(
            st.from_regex(rb"[+-]?[0-9]{1,24}", fullmatch=True),
            st.integers(-(2**65), 2**65).map(lambda number: b"%d" % number),
            st.sampled_from(
                [b"0" * 399, b"0" * 400, b"+" + b"0" * 399, b"12x", b"1234567890x", b"-", b"1.0"]
            ),
        ),
        min_size=1,
    )
)
def test_whole_numbers_are_those_of_python_on_both_paths(words: list[bytes]) -> None:
    expected = [python_integer(word) for word in words]
    block = block_of(b"".join(b"q d %b\n" % word for word in words))
    value, bad = decode_integers(block, *split(block, 3, 1)._span(2))
    pairs = zip(value.tolist(), bad.tolist(), strict=True)
    assert [None if refused else number for number, refused in pairs] == expected
    if core is not None:
        columns = ("topic", "document", "rank")
        scanned = scan(block, len(words), columns, any_rank=True)
        assert scanned is not None
        assert scanned.rank is not None
        assert scanned.rank.tolist() == [number or 0 for number in expected]
        strict = scan(block, len(words), columns, any_rank=False)
        assert (strict is None) == (None in expected)


@native
def test_a_layout_that_resolves_gets_all_rows() -> None:
    seen: list[list[str]] = []

    def keep(answers: Any, line: Any, faults: Faults) -> Any:
        seen.append([*answers.topics.strings(), *answers.tags.strings(), *map(str, line.tolist())])
        return answers

    layout = replace(trec.LAYOUT, resolve=keep)
    told(piece_of(b"q Q0 d 1 1 r\nq Q0 e 2 1 s\np Q0 d 1 1 s\n", 7), layout)
    assert seen == [["q", "q", "p", "r", "s", "s", "7", "8", "9"]]
