"""Columns separated by blanks against Python, however the bytes come; TREC and FOL files."""

from __future__ import annotations

import gzip
import io
import re
import struct
from collections.abc import Iterator
from itertools import groupby, pairwise
from typing import Any

import numpy as np
import pytest
import zstandard
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from cases import Batch, assessments_of, batches, has_relevant, run_of
from spanwise.data.assessments import Assessments
from spanwise.data.identifiers import PADDING
from spanwise.data.notes import Faults
from spanwise.data.run import Extent, Run
from spanwise.errors import InputError
from spanwise.evaluation.policy import Notes, ranked
from spanwise.formats.builtin.columns import entry_points, fol, trec
from spanwise.formats.column_runs import Scattered
from spanwise.formats.column_text import Fields, decode_decimals, decode_integers, split
from spanwise.formats.registry import RunOptions
from spanwise.formats.source import Blocks, Source

PATIENT = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
BOM = b"\xef\xbb\xbf"
SIZES = (16, 17, 40, 100, 1000, 1 << 20)


class Sized(Source):
    """A source whose blocks have another size."""

    size = 16

    def blocks(self, size: int = 0) -> Blocks:
        return Blocks(self, self.size)


def sized(data: bytes, size: int) -> Source:
    kind = type("Sized", (Sized,), {"size": size})
    source: Source = kind("x", data)
    return source


# Numbers


def block_of(words: list[str]) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Words as a block has them: one in each line."""
    data = "".join(f"\n{word}" for word in words).encode()
    ends = np.cumsum([len(word.encode()) + 1 for word in words], dtype=np.int64)
    sizes = np.array([len(word.encode()) for word in words], np.int64)
    block = np.frombuffer(data + b"\n" + bytes(PADDING), np.uint8)
    return block, ends - sizes, ends


def bits(value: float) -> bytes:
    return struct.pack("<d", value)


DECIMAL = re.compile(r"[+-]?((\d+\.?\d*|\.\d+)(e[+-]?\d+)?|inf|infinity)", re.ASCII | re.IGNORECASE)
INTEGER = re.compile(r"[+-]?\d+", re.ASCII)

digits = st.text("0123456789", max_size=20)
spelled_numbers = st.one_of(
    st.builds("{}{}.{}".format, st.sampled_from(["", "-", "+"]), digits, digits),
    st.builds("{}{}".format, st.sampled_from(["", "-", "+"]), digits),
    st.floats(allow_nan=False).map(repr),
    st.floats(-1e6, 1e6).map("{:.6f}".format),
    st.floats(-1e6, 1e6).map("{:g}".format),
    st.integers(-(2**70), 2**70).map(str),
)
strange = [
    *("inf", "-INF", "+Infinity", "nan", "NaN", "-nan", "infin", "+-inf", "1_000", "0x1f", "1,5"),
    *("high", "-", "+", ".", "-.", "5.", "-.5", "--5", "+-5", "1.2.3", "1e5", "1e", "e5", "1e400"),
    *("-0", "-0.0", "00012", "12345678", "123456789", "1234567.12345678", "12345678.1", "٣", "1٣"),
    *("9007199254740993", "0.1", "0.30000000000000004", "123456.789012345", "1.00000001", "½", "é"),
    *("9223372036854775807", "-9223372036854775807", "9223372036854775808", "9" * 30, "1" * 5000),
    *("/", ":", "12:4", "123/5678", "1234567:", "000000000000000000000007"),
]
words = st.one_of(
    spelled_numbers.filter(bool),
    st.sampled_from(strange),
    st.text("0123456789+-.eEinfa:/ü", min_size=1, max_size=14),
)


@PATIENT
@given(st.lists(words, max_size=12))
@example(strange)
def test_decimals_have_the_bits_of_python(column: list[str]) -> None:
    value, bad = decode_decimals(*block_of(column))
    for word, number, refused in zip(column, value.tolist(), bad.tolist(), strict=True):
        assert refused == (DECIMAL.fullmatch(word) is None), word
        assert refused or bits(number) == bits(float(word)), word


@PATIENT
@given(st.lists(words, max_size=12))
@example(strange)
def test_integers_are_those_of_python(column: list[str]) -> None:
    value, bad = decode_integers(*block_of(column))
    for word, number, refused in zip(column, value.tolist(), bad.tolist(), strict=True):
        is_number = INTEGER.fullmatch(word) is not None and len(word) < 100
        assert refused == (not is_number or abs(int(word)) >= 2**63), word
        assert refused or number == int(word), word


# Lines and columns

blanks = st.sampled_from([" ", "\t", "  ", " \t "])
ends = st.sampled_from(["\n", "\r\n", " \n", "\t\r\n"])
cells = st.one_of(st.sampled_from(["a", "q1", "#", "1#", "Ä", "a-long-name-of-a-document"]), words)


@st.composite
def lines(draw: st.DrawFn, columns: int = 3) -> str:
    """A line: mostly with the right number of columns, or blank, or a comment."""
    kind = draw(st.integers(0, 9))
    end = draw(ends)
    if kind == 0:
        return draw(st.sampled_from(["", " ", "\t "])) + end
    if kind == 1:
        return draw(st.sampled_from(["#", " # a b", "#a b", "\t#\t1 2 3"])) + end
    count = columns if kind > 2 else draw(st.integers(1, 6))
    first = draw(cells.filter(lambda cell: not cell.startswith("#")))
    rest = [draw(blanks) + draw(cells) for _ in range(count - 1)]
    return draw(st.sampled_from(["", " "])) + first + "".join(rest) + end


def slow_rows(text: str, columns: int) -> tuple[list[Any], list[Any]]:
    """Rows with the right number of columns and the wrong ones, each with its line number."""
    right, wrong = [], []
    for number, line in enumerate(text.split("\n"), start=1):
        fields = re.split(r"[ \t\r]+", line.strip(" \t\r"))
        if fields == [""] or fields[0].startswith("#"):
            continue
        if len(fields) == columns:
            right.append((number, fields))
        else:
            wrong.append((number, len(fields)))
    return right, wrong


def rows_of(fields: Fields, columns: int) -> list[Any]:
    texts = [fields.text(column).strings() for column in range(columns)]
    cells_of_rows = [list(row) for row in zip(*texts, strict=True)]
    return list(zip(fields.line.tolist(), cells_of_rows, strict=True))


def split_all(data: bytes, size: int, columns: int) -> tuple[list[Any], list[Any], int]:
    right, wrong, line = [], [], 1
    for block in Source("x", data).blocks(size):
        fields = split(block, columns, line)
        line = fields.next_line
        right += rows_of(fields, columns)
        wrong += zip(fields.wrong_lines.tolist(), fields.wrong_counts.tolist(), strict=True)
    return right, wrong, line


@PATIENT
@given(st.lists(lines(), max_size=12), st.booleans(), st.booleans(), st.sampled_from(SIZES))
def test_lines_are_split_as_python_does(
    written: list[str], mark: bool, cut: bool, size: int
) -> None:
    text = "".join(written)
    text = text.rstrip("\r\n") if cut else text
    right, wrong, line = split_all(BOM * mark + text.encode(), size, 3)
    assert (right, wrong) == slow_rows(text, 3)
    assert line == 1 + text.count("\n") + (not text.endswith("\n") and bool(text))


@pytest.mark.parametrize("size", SIZES)
def test_plain_lines_in_blocks_of_any_size(size: int) -> None:
    text = "".join(f"q{n % 7} document-{n} {n * n}\n" for n in range(300))
    right, wrong, line = split_all(text.encode(), size, 3)
    assert (right, wrong) == slow_rows(text, 3)
    assert (len(right), line) == (300, 301)


@given(st.lists(lines(), max_size=9), st.sampled_from(SIZES))
def test_blocks_hold_whole_lines_and_lose_nothing(written: list[str], size: int) -> None:
    data = "".join(written).encode()
    found = b""
    for block in Source("x", data).blocks(size):
        content = block[:-PADDING].tobytes()
        assert content[:1] == content[-1:] == b"\n"
        found += content[1:]
    assert found == data


def test_what_is_kept_comes_again() -> None:
    blocks = Source("x", b"a\nb\nc\nd\ne\nf\ng\nh\ni\nj\n").blocks(16)
    seen = []
    for block in blocks:
        seen.append(block[1:-PADDING].tobytes())
        if not blocks.is_last:
            blocks.keep_from(len(block) - PADDING - 2)
    assert len(seen) > 1
    assert all(two.startswith(one[-2:]) for one, two in pairwise(seen))


# Runs


def answers_of(runs: Iterator[Run]) -> list[tuple[Any, ...]]:
    """Everything that runs say, read at once: their memory is used again for the next block."""
    result: list[tuple[Any, ...]] = []
    for run in runs:
        assert len(set(run.topics)) == len(run.topics)
        columns = (run.start, run.end, run.score, run.rank, run.line)
        numbers = zip(*(column.tolist() for column in columns), strict=True)
        topics = [run.topics[number] for number in run.topic.tolist()]
        named = zip(topics, run.documents.strings(), numbers, strict=True)
        result += [(run.name, topic, document, *row) for topic, document, row in named]
    return result


def read_fol(source: Source, *, whole: bool = False, lenient: bool = False) -> list[Any]:
    faults = Faults("x", lenient=lenient)
    return answers_of(fol.read_run(source, faults, RunOptions(whole=whole)))


def fol_text(rows: list[tuple[str, str, str]]) -> tuple[str, list[Any]]:
    """A FOL run of (topic, document, tag) rows, and what it says."""
    text, said = "", []
    for number, (topic, document, tag) in enumerate(rows):
        score, start, length = number / 4 - 3, number % 9, number % 5 + 1
        text += f"{topic} Q0 {document} {number + 1} {score} {tag} {start} {length}\n"
        answer = (start, start + length, score, number + 1, number + 1)
        said.append((tag, topic, document, *answer))
    return text, said


def in_groups(said: list[Any]) -> list[Any]:
    """By run and topic, inside of these as they stand in the file."""
    return sorted(said, key=lambda answer: answer[:2])


run_rows = st.lists(
    st.tuples(
        st.sampled_from(["q1", "q2", "q10", "topic-with-a-long-name"]),
        st.sampled_from(["d1", "d2", "Ärzte/17", "a-document-with-a-long-name"]),
        st.sampled_from(["sys", "sys2", "another-run-tag"]),
    ),
    max_size=25,
)


@PATIENT
@given(run_rows, st.sampled_from(SIZES))
def test_a_run_read_whole_says_what_it_says(rows: list[tuple[str, str, str]], size: int) -> None:
    text, said = fol_text(rows)
    found = read_fol(sized(text.encode(), size), whole=True)
    assert in_groups(found) == in_groups(said)


def is_scattered(rows: list[tuple[str, str, str]]) -> bool:
    """Does a topic of a run come back after another one?"""
    groups = [key for key, _ in groupby((row[2], row[0]) for row in rows)]
    return len(set(groups)) < len(groups)


@PATIENT
@given(run_rows, st.sampled_from(SIZES), st.booleans())
def test_a_run_in_blocks_says_the_same_or_asks_to_be_read_whole(
    rows: list[tuple[str, str, str]], size: int, ordered: bool
) -> None:
    rows = sorted(rows, key=lambda row: (row[2], row[0])) if ordered else rows
    text, said = fol_text(rows)
    try:
        found = read_fol(sized(text.encode(), size))
    except Scattered:
        assert is_scattered(rows)
        return
    assert in_groups(found) == in_groups(said)


def test_scattered_topics_are_noticed() -> None:
    rows = [(f"q{number % 3}", f"d{number}", "sys") for number in range(60)]
    text, said = fol_text(rows)
    with pytest.raises(Scattered):
        read_fol(sized(text.encode(), 100))
    assert in_groups(read_fol(sized(text.encode(), 100), whole=True)) == in_groups(said)
    assert in_groups(read_fol(Source("x", text.encode()))) == in_groups(said)


@pytest.mark.parametrize("size", SIZES)
def test_topics_cross_the_borders_of_blocks(size: int) -> None:
    rows = [(f"q{number // 17}", f"d{number}", "sys") for number in range(400)]
    text, said = fol_text(rows)
    assert read_fol(sized(text.encode(), size)) == said
    commented = text.replace("\n", "\n# comment\n\n")
    found = read_fol(sized(BOM + commented.replace("\n", "\r\n").encode(), size))
    assert found == [(*row[:-1], 3 * row[-1] - 2) for row in said]


def test_each_block_has_all_answers_of_its_topics() -> None:
    rows = [(f"q{number // 9}", f"d{number}", f"sys{number // 90}") for number in range(270)]
    text, _ = fol_text(rows)
    seen: list[tuple[str, str]] = []
    count = 0
    for run in fol.read_run(sized(text.encode(), 300), Faults("x"), RunOptions()):
        seen += [(run.name, topic) for topic in run.topics]
        assert np.diff(run.offsets).tolist() == [9] * len(run.topics)
        count += 1
    assert len(seen) == len(set(seen)) == 30
    assert count > 5


def test_several_runs_in_one_file() -> None:
    rows = [(topic, "d1", tag) for topic in ("q1", "q2") for tag in ("a", "b")]
    text, said = fol_text(rows)
    runs = list(fol.read_run(Source("x", text.encode()), Faults("x"), RunOptions()))
    assert [(run.name, run.topics) for run in runs] == [("a", ("q1", "q2")), ("b", ("q1", "q2"))]
    assert in_groups(read_fol(Source("x", text.encode()))) == in_groups(said)


# Compressed files and broken bytes

SOME_ROWS = [(f"q{number // 40}", f"d{number}", "sys") for number in range(4000)]


def zstd(data: bytes) -> bytes:
    return zstandard.ZstdCompressor().compress(data)


@pytest.mark.parametrize(
    "pack",
    [
        gzip.compress,
        zstd,
        lambda data: gzip.compress(data[:5000]) + gzip.compress(data[5000:]),
        lambda data: zstd(data[:5000]) + zstd(data[5000:]),
        lambda data: gzip.compress(BOM + data),
    ],
    ids=["gzip", "zstd", "two of gzip", "two of zstd", "gzip with a byte order mark"],
)
@pytest.mark.parametrize("size", [100, 1 << 20])
def test_compressed_files(pack: Any, size: int) -> None:
    text, said = fol_text(SOME_ROWS)
    assert read_fol(sized(pack(text.encode()), size)) == said
    assert Source("x", pack(text.encode())).text() == text


@pytest.mark.parametrize("pack", [gzip.compress, zstd], ids=["gzip", "zstd"])
@pytest.mark.parametrize("kept", [0.1, 0.5, 0.99])
def test_compressed_files_that_break_off(pack: Any, kept: float) -> None:
    text, _ = fol_text(SOME_ROWS)
    data = pack(text.encode())
    data = data[: int(len(data) * kept)]
    with pytest.raises(InputError, match="damaged compressed data"):
        read_fol(Source("x", data))
    with pytest.raises(InputError, match="damaged compressed data"):
        Source("x", data).text()


def test_a_gzip_file_with_a_wrong_byte() -> None:
    text, _ = fol_text(SOME_ROWS)
    data = bytearray(gzip.compress(text.encode()))
    data[len(data) // 2] ^= 0xFF
    with pytest.raises(InputError):
        read_fol(Source("x", bytes(data)))


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("line", [1, 2, 57, 300])
@pytest.mark.parametrize(
    ("wrong", "found"), [(b"\0", "a NUL byte"), (b"\xff", "byte 0xff"), (b"\xc3 ", "byte 0xc3")]
)
def test_bytes_that_are_no_text(size: int, line: int, wrong: bytes, found: str) -> None:
    text, _ = fol_text([(f"q{number // 9}", f"d{number}", "sys") for number in range(300)])
    written = text.encode().split(b"\n")
    written[line - 1] = written[line - 1].replace(b"Q0", b"Q" + wrong)
    with pytest.raises(InputError) as refused:
        read_fol(sized(b"\n".join(written), size))
    assert refused.value.fault.line == line
    assert refused.value.fault.found == found
    assert str(refused.value).startswith(f"x:{line}: found {found}, expected UTF-8 text; ")


GOOD = "q1 Q0 d1 1 2.5 sys 0 9"
WRONG = [
    ("q1 Q0 d1 1 2.5 sys 0", "7 columns", "columns"),
    ("q1 Q0 d1 1 2.5 sys 0 9 more", "9 columns", "columns"),
    ("q1", "1 columns", "columns"),
    ("q1 Q0 d1 1 high sys 0 9", "'high'", "score"),
    ("q1 Q0 d1 1 nan sys 0 9", "'nan'", "score"),
    ("q1 Q0 d1 1 2,5 sys 0 9", "'2,5'", "score"),
    ("q1 Q0 d1 first 2.5 sys 0 9", "'first'", "rank"),
    ("q1 Q0 d1 1 2.5 sys -1 9", "'-1'", "range"),
    ("q1 Q0 d1 1 2.5 sys X 9", "'X'", "range"),
    ("q1 Q0 d1 1 2.5 sys 0 0", "'0'", "range"),
    ("q1 Q0 d1 1 2.5 sys 0 -9", "'-9'", "range"),
    ("q1 Q0 d1 1 2.5 sys 9223372036854775807 1", "'1'", "range"),
    ("q1 Q0 d1 1 2.5 sys 99999999999999999999 1", "'99999999999999999999'", "range"),
]


@pytest.mark.parametrize(("line", "found", "rule"), WRONG, ids=[line for line, _, _ in WRONG])
@pytest.mark.parametrize("size", [16, 1 << 20])
def test_lines_that_cannot_be_read(line: str, found: str, rule: str, size: int) -> None:
    text = "\n".join(["# comment", "", *[GOOD] * 4, line, *[GOOD] * 4, "q2" + GOOD[2:], line])
    with pytest.raises(InputError) as refused:
        read_fol(sized(text.encode(), size))
    fault = refused.value.fault
    assert (fault.file, fault.line, fault.found, fault.rule) == ("x", 7, found, rule)
    assert fault.expected
    assert fault.remedy
    kept = read_fol(sized(text.encode(), size), lenient=True)
    assert [answer[-1] for answer in kept] == [3, 4, 5, 6, 8, 9, 10, 11, 12]


@pytest.mark.parametrize("size", SIZES)
def test_every_wrong_line_is_named_once(size: int) -> None:
    """Also where a line stands between topics, or in a topic that two blocks share."""
    rows = [(f"q{number // 9}", f"d{number}", "sys") for number in range(300)]
    text, said = fol_text(rows)
    written = text.splitlines()
    wrong = [1, 2, 9, 10, 55, 118, 119, 299, 300]
    for line in wrong:
        written[line - 1] = "too few columns"
    faults = Faults("x", lenient=True)
    source = sized("\n".join(written).encode(), size)
    found = answers_of(fol.read_run(source, faults, RunOptions()))
    assert found == [row for row in said if row[-1] not in wrong]
    assert [fault.line for fault in faults.kept] == wrong
    assert faults.counts == {"columns": len(wrong)}


def test_a_last_line_that_breaks_off() -> None:
    with pytest.raises(InputError, match=r"^x:2: found 5 columns"):
        read_fol(Source("x", f"{GOOD}\nq1 Q0 d1 1 2.".encode()))


def test_infinite_scores_are_scores() -> None:
    rows = [GOOD.replace("2.5", score) for score in ("inf", "-inf", "1e3", "-Infinity")]
    found = read_fol(Source("x", "\n".join(rows).encode()))
    assert [answer[5] for answer in found] == [np.inf, -np.inf, 1000.0, -np.inf]


def test_an_empty_file_is_an_empty_run() -> None:
    for data in (b"", b"\n", BOM, b"# nothing\n", gzip.compress(b""), zstd(b"")):
        assert read_fol(Source("x", data)) == []


# TREC and FOL


def read_trec(data: bytes) -> list[Run]:
    return list(trec.read_run(Source("x", data), Faults("x"), RunOptions()))


def test_a_trec_run() -> None:
    (run,) = read_trec(
        b"301 Q0 FBIS3-1 1 2.73 sys\r\n301\tQ0  FR94-9 x -1e-3 sys\n302 Q0 d 1 0 sys"
    )
    assert (run.name, run.topics, run.offsets.tolist()) == ("sys", ("301", "302"), [0, 2, 3])
    assert run.documents.strings() == ["FBIS3-1", "FR94-9", "d"]
    assert run.score is not None
    assert run.score.tolist() == [2.73, -0.001, 0.0]
    assert set(run.extent.tolist()) == {Extent.WHOLE}
    assert (run.order, run.several_per_document) == ("score, then document", False)


def test_trec_judgements() -> None:
    text = b"\xef\xbb\xbf301 0 b 1\r\n# no\n\n301\t0  a 0\n301 0 c -2\n302 0 a +3\n301 0 b 1\n"
    found = trec.read_assessments(Source("x", text), Faults("x"))
    assert found.topics == ("301", "302")
    assert found.documents.strings() == ["a", "b", "c", "a"]
    assert found.grade.tolist() == [0, 1, -2, 3]
    assert found.is_relevant.tolist() == [False, True, False, True]


@pytest.mark.parametrize(
    ("line", "found"),
    [
        ("301 0 a", "3 columns"),
        ("301 0 a 1 2", "5 columns"),
        ("301 0 a yes", "'yes'"),
        ("301 0 a 0.9", "'0.9'"),
        ("301 0 a 100000000000000000000", "'100000000000000000000'"),
        ("301 0 b 2", "grade 2 for topic 301, document b"),
    ],
)
def test_trec_judgements_that_cannot_be_read(line: str, found: str) -> None:
    with pytest.raises(InputError) as refused:
        trec.read_assessments(Source("x", f"301 0 b 1\n\n{line}\n".encode()), Faults("x"))
    assert (refused.value.fault.line, refused.value.fault.found) == (3, found)


FOL_TEXT = """2009001 Q0 851 7300 10656 100 1205:3431 4643:720 5521:3149
1 Q0 A 10 100 -1 0:5 5:5
1 Q0 C 0 800
"""


def test_fol_assessments() -> None:
    found = fol.read_assessments(Source("x", FOL_TEXT.replace("\n", "\r\n").encode()), Faults("x"))
    assert found.topics == ("1", "2009001")
    assert found.documents.strings() == ["A", "C", "851"]
    ranges = [(1205, 4636), (4643, 5363), (5521, 8670)]
    assert found.relevant.to_lists() == [[(0, 10)], [], ranges]
    assert found.length.tolist() == [100, 800, 10656]
    assert (found.entry_offsets.tolist(), found.entry_point.tolist()) == ([0, 0, 0, 1], [100])
    assert found.relevant_documents.tolist() == [1, 1]


@pytest.mark.parametrize(
    ("line", "found"),
    [
        ("1 Q0 B 10", "4 columns"),
        ("1 Q0 B ten 100", "'ten'"),
        ("1 Q0 B 10 100 0 5-15", "'5-15'"),
        ("1 Q0 B 11 100 0 5:10", "rsize 11"),
        ("1 Q0 B 10 100 0 95:10", "range [95, 105)"),
        ("1 Q0 B 0 100 0 5:0", "range [5, 5)"),
        ("1 Q0 A 10 100 -1 0:10", "a second line for topic 1, document A"),
        ("2 Q0 A 0 90", "length 90 of document A"),
        ("1 Q0 B 10 100 -7 5:10", "entry point -7"),
    ],
)
def test_fol_assessments_that_cannot_be_read(line: str, found: str) -> None:
    with pytest.raises(InputError) as refused:
        fol.read_assessments(Source("x", f"{FOL_TEXT}# next\n{line}\n".encode()), Faults("x"))
    assert (refused.value.fault.line, refused.value.fault.found) == (5, found)


@pytest.mark.parametrize("document", ["a\u00a0b", "a\u2003b", "全角\u3000", "a\x85b", "a\u2028b"])
def test_only_blanks_and_tabs_separate(document: str) -> None:
    """A document has the same name in a run and in assessments, whatever is in it."""
    (run,) = read_trec(f"q Q0 {document} 1 1 sys\n".encode())
    judged = trec.read_assessments(Source("x", f"q 0 {document} 1\n".encode()), Faults("x"))
    marked = fol.read_assessments(Source("x", f"q Q0 {document} 1 9 0 0:1".encode()), Faults("x"))
    assert run.documents.strings() == [document]
    assert judged.documents.strings() == marked.documents.strings() == [document]


# Written and read again


def written(write: Any, content: Any) -> bytes:
    stream = io.BytesIO()
    write(content, stream)
    return stream.getvalue()


def ranking_of(run: Run) -> list[tuple[str, str]]:
    """Topics and documents, each document once, as the run ranks them."""
    run = ranked(run, None, Notes())
    topics = [run.topics[number] for number in run.topic.tolist()]
    return sorted(
        dict.fromkeys(zip(topics, run.documents.strings(), strict=True)), key=lambda pair: pair[0]
    )


def said_by(assessments: Assessments) -> tuple[Any, ...]:
    return (
        assessments.topics,
        assessments.documents.strings(),
        assessments.offsets.tolist(),
        assessments.is_relevant.tolist(),
    )


@PATIENT
@given(batches(order="file"))
def test_a_fol_run_reads_back(batch: Batch) -> None:
    for topic in batch.topics.values():
        topic.rows = [row for row in topic.rows if row.extent == Extent.RANGE]
    run = run_of(batch)
    found = answers_of(
        fol.read_run(Source("x", written(fol.write_run, [run])), Faults("x"), RunOptions())
    )
    topics = [run.topics[number] for number in run.topic.tolist()]
    assert run.score is not None
    assert run.rank is not None
    columns = (run.start, run.end, run.score, run.rank)
    numbers = zip(*(column.tolist() for column in columns), strict=True)
    rows = zip(topics, run.documents.strings(), numbers, strict=True)
    said = [("x", topic, document, *row, n) for n, (topic, document, row) in enumerate(rows, 1)]
    assert found == said


@PATIENT
@given(batches())
def test_a_written_run_keeps_its_ranking(batch: Batch) -> None:
    """Whatever rule the run was ranked by: file order in FOL, scores in TREC."""
    for topic in batch.topics.values():
        topic.rows = [row for row in topic.rows if row.extent == Extent.RANGE]
    run = run_of(batch)
    for read, write in ((fol.read_run, fol.write_run), (trec.read_run, trec.write_run)):
        source = Source("x", written(write, [run]))
        again = list(read(source, Faults("x"), RunOptions()))
        assert [pair for found in again for pair in ranking_of(found)] == ranking_of(run)


@PATIENT
@given(batches().filter(has_relevant))
def test_trec_judgements_read_back(batch: Batch) -> None:
    assessments = assessments_of(batch)
    data = written(trec.write_assessments, assessments)
    found = trec.read_assessments(Source("x", data), Faults("x"))
    assert said_by(found) == said_by(assessments)
    assert found.grade.tolist() == assessments.grade.tolist()
    assert written(trec.write_assessments, found) == data


@PATIENT
@given(batches().filter(has_relevant))
def test_fol_assessments_read_back(batch: Batch) -> None:
    batch.lengths_judged = True
    assessments = assessments_of(batch)
    data = written(fol.write_assessments, assessments)
    found = fol.read_assessments(Source("x", data), Faults("x"))
    assert said_by(found) == said_by(assessments)
    assert found.relevant.to_lists() == assessments.relevant.to_lists()
    assert found.length.tolist() == assessments.length.tolist()
    assert written(fol.write_assessments, found) == data


def test_entry_points_read_back() -> None:
    text = b"q1 Q0 d1 1 2.5 sys 77\nq1 Q0 d2 2 1.5 sys 0\nq2 Q0 d1 1 0.5 sys 5\n"
    (run,) = entry_points.read_run(Source("x", text), Faults("x"), RunOptions())
    assert set(run.extent.tolist()) == {Extent.POINT}
    data = written(entry_points.write_run, [run])
    (again,) = entry_points.read_run(Source("x", data), Faults("x"), RunOptions())
    assert again.start.tolist() == run.start.tolist() == [77, 0, 5]
    assert ranking_of(again) == ranking_of(run)
    assert set(again.extent.tolist()) == {Extent.POINT}
