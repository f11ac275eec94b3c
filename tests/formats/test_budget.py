"""One budget: compressed data, lines and names beyond it are refused, lenient or not."""

from __future__ import annotations

import bz2
import gzip
import lzma
import random
from collections import deque
from functools import partial

import numpy as np
import pytest
import zstandard

from spanwise import evaluate, read_assessments, read_run
from spanwise.data.identifiers import Identifiers
from spanwise.data.notes import Faults
from spanwise.errors import InputError
from spanwise.formats import reading
from spanwise.formats.beginning import first_line
from spanwise.formats.budget import STANDARD, UNLIMITED, budget, spending
from spanwise.formats.source import Source
from spanwise.records import replace

SMALL = replace(STANDARD, harmless=100_000, line=50_000)
LINE = b"q1 Q0 d1 1 0.5 run 0 100\n"
QREL = b"q1 Q0 d1 5 100 0 0:5\n"
PACKERS = {
    "gzip": gzip.compress,
    "zstd": zstandard.compress,
    "bzip2": bz2.compress,
    "xz": lzma.compress,
}
LONG = "n" * 10_001
SUBMISSION = (
    '<inex-submission run-id="{run}">\n<topic topic-id="{topic}">\n'
    "<result><file>{document}</file><path>{path}</path></result>\n</topic></inex-submission>"
)
ROW = (
    '{{"topic": "{topic}", "document": "{document}", "path": "{path}", "rank": 1, "run": "{run}"}}'
)
RUNS = {
    "trec": "{topic} Q0 {document} 1 0.5 {run}",
    "fol": "{topic} Q0 {document} 1 0.5 {run} 0 10",
    "entry-points": "{topic} Q0 {document} 1 0.5 {run} 0",
    "element": "{topic} Q0 {document} 1 0.5 {run} {path}",
    "inex": SUBMISSION,
    "jsonl": ROW,
    "csv": "topic,document,path,score,run\n{topic},{document},{path},1,{run}",
}
ASSESSMENTS = {
    "trec": "{topic} 0 {document} 1",
    "fol": "{topic} Q0 {document} 5 100 0 0:5",
    "inex": '<assessments topic="{topic}">\n<file name="{document}"><path path="{path}"'
    ' exhaustivity="2" specificity="2"/></file></assessments>',
    "jsonl": '{{"topic": "{topic}", "document": "{document}", "start": 0, "end": 5}}',
    "csv": "topic,document,start,end\n{topic},{document},0,5",
}
NAMES = {"topic": "q", "document": "d", "run": "r", "path": "/a[1]"}


def run_of(content: bytes, format: str | None = None, *, lenient: bool = False):
    return reading.read_run(Source("file", content), format, lenient=lenient)


def judged_by(content: bytes, format: str | None = None, *, lenient: bool = False):
    faults = Faults("file", lenient=lenient)
    return reading.read_assessments(Source("file", content), format, faults=faults)


# -- several compressed streams, one after the other


@pytest.mark.parametrize("pack", PACKERS.values(), ids=PACKERS)
def test_every_stream_is_read(pack):
    first, second = (LINE.replace(b"d1", name) * 9000 for name in (b"d2", b"d3"))
    padded = pack in (bz2.compress, lzma.compress)
    content = pack(first) + pack(second) + bytes(70_000 * padded)
    assert Source("file", content).read() == first + second


@pytest.mark.parametrize("pack", PACKERS.values(), ids=PACKERS)
@pytest.mark.parametrize("place", [0, 1])
def test_a_later_stream_that_is_damaged_is_refused(pack, place):
    first, second = pack(LINE), bytearray(pack(LINE))
    second[place] ^= 128
    with pytest.raises(InputError, match="damaged compressed data"):
        Source("file", first + bytes(second)).read()
    with pytest.raises(InputError, match="damaged compressed data"):
        Source("file", first + pack(LINE)[: place + 1]).read()


# -- expansion


@pytest.mark.parametrize("pack", PACKERS.values(), ids=PACKERS)
@pytest.mark.parametrize(
    ("read", "line"), [(run_of, LINE), (judged_by, QREL)], ids=["run", "assessments"]
)
@pytest.mark.parametrize("lenient", [False, True])
def test_what_expands_beyond_the_budget_is_refused(pack, read, line, lenient):
    bomb = pack(line * 20_000)
    assert 200 * len(bomb) < len(line) * 20_000
    with spending(SMALL), pytest.raises(InputError, match=r"at most 200 .*limits=False") as no:
        read(bomb, lenient=lenient)
    assert no.value.fault.rule == "limit"
    with spending(UNLIMITED):
        assert read(bomb)
    assert read(bomb), "ten times less than what may always be"


def test_little_data_may_expand_as_far_as_it_likes():
    packed = gzip.compress(LINE * 3000)
    with spending(replace(SMALL, expansion=1)):
        assert len(run_of(packed)[0]) == 3000


def test_the_bytes_of_an_expanding_file_are_never_held():
    """1.5 GB from 50 kB: refused after 100 MB, of which no more than a block is kept."""
    packer = zstandard.ZstdCompressor().compressobj()
    block = LINE * 40_000
    bomb = b"".join([*(packer.compress(block) for _ in range(1500)), packer.flush()])
    with Source("bomb", bomb).open() as stream, pytest.raises(InputError, match="expand to 100,"):
        deque(iter(partial(stream.read, 1 << 20), b""), maxlen=1)


# -- lines


@pytest.mark.parametrize("whole", [False, True])
@pytest.mark.parametrize("before", [0, 1, 7000])
def test_a_line_beyond_the_budget_is_refused_with_its_number(before, whole):
    content = LINE * before + b"q1 Q0 " + b"d" * 60_000 + b" 2 0.4 run 0 10\n" + LINE * 9000
    with spending(SMALL), pytest.raises(InputError, match=f"file:{before + 1}: found a line of"):
        list(reading.RunFile(Source("file", content), "fol").blocks(whole=whole))


def test_lines_of_the_largest_size_are_read_in_blocks_of_any_size():
    longest = b"q1 Q0 " + b"d" * (50_000 - 20) + b" 1 0.5 r 0 5 \n"
    assert len(longest) <= SMALL.line < len(longest) + 10
    for size in (100, 3000, 1 << 20):
        with spending(SMALL):
            blocks = Source("file", longest * 5).blocks(size)
            assert sum(int((block[1:] == 10).sum()) for block in blocks) == 5


@pytest.mark.parametrize("format", ["trec", "fol", "jsonl", "csv"])
def test_long_lines_of_assessments_are_refused(format):
    row = ASSESSMENTS[format].format(**NAMES)
    content = f"{row}\n# {'x' * 60_000}\n".encode()
    with spending(SMALL), pytest.raises(InputError, match=r"file:\d: found a line of more than"):
        judged_by(content, format, lenient=True)
    assert judged_by(content, format).topics == ("q",)


def test_a_first_line_without_an_end_is_not_read_whole():
    with spending(SMALL), pytest.raises(InputError, match="file:2: found a line"):
        first_line(Source("file", b"#\n" + b"x" * 60_000))
    with spending(SMALL):
        assert first_line(Source("file", b"<a>" + b"x" * 60_000))[1].startswith("<a>xx")


# -- names


def named(shape: str, what: str) -> bytes:
    long = f"/{LONG[1:]}" if what == "path" else LONG
    return shape.format(**{**NAMES, what: long}).encode()


def names_in(formats: dict[str, str]) -> list[tuple[str, str]]:
    """Every format with every name that it has."""
    return [(name, what) for name in formats for what in NAMES if f"{{{what}}}" in formats[name]]


@pytest.mark.parametrize("lenient", [False, True])
@pytest.mark.parametrize(("format", "what"), names_in(RUNS))
def test_long_names_of_runs_are_refused(format, what, lenient):
    content = named(RUNS[format], what)
    told = rf"file:\d: found {what} .* of 10,001 characters, expected at most 10,000"
    with pytest.raises(InputError, match=told):
        run_of(content, format, lenient=lenient)
    with spending(UNLIMITED):
        [run] = run_of(content, format)
    assert LONG[1:] in repr((run.name, run.topics, run.documents[0], run.paths and run.paths[0]))


@pytest.mark.parametrize("lenient", [False, True])
@pytest.mark.parametrize(("format", "what"), names_in(ASSESSMENTS))
def test_long_names_of_assessments_are_refused(format, what, lenient):
    content = named(ASSESSMENTS[format], what)
    with pytest.raises(InputError, match=rf"file:\d: found {what} .* of 10,001 characters"):
        judged_by(content, format, lenient=lenient)
    with spending(UNLIMITED):
        assert len(judged_by(content, format).documents) == 1


def test_characters_are_counted_and_not_bytes():
    name = "ä" * 10_000
    assert run_of(f"q Q0 {name} 1 0.5 r".encode())[0].documents[0] == name


def test_limits_are_lifted_from_python(tmp_path):
    run, qrels = tmp_path / "run.txt", tmp_path / "qrels.txt"
    run.write_text(f"q Q0 {LONG} 1 0.5 r\n")
    qrels.write_text(f"q 0 {LONG} 1\n")
    for read, path in ((read_run, run), (read_assessments, qrels)):
        with pytest.raises(InputError, match="limits=False"):
            read(path)
        assert read(path, limits=False)
    with pytest.raises(InputError):
        evaluate(qrels, run, ["AP"])
    assert evaluate(qrels, run, ["AP"], limits=False).mean("AP") == 1.0
    assert budget() is STANDARD


def test_names_of_any_length_are_told_apart():
    """By their bytes beyond the first thousand, too; names of one megabyte take no minutes."""
    chosen = random.Random(5)
    stems = ["", "x" * 1000, "x" * 1024, "x" * 1030, "y" * 3000, "z" * 10**6]
    names = [f"{chosen.choice(stems)}{chosen.choice('ab')}" for _ in range(60)]
    column = Identifiers.of(names)
    seen: dict[str, int] = {}
    assert column.codes().tolist() == [seen.setdefault(name, len(seen)) for name in names]
    begins = [row for row in range(60) if row == 0 or names[row] != names[row - 1]]
    assert column.runs().tolist() == begins
    order = np.array(chosen.sample(range(60), 60))
    same = [names[row] == names[other] for row, other in enumerate(order.tolist())]
    assert column.equals(column.take(order)).tolist() == same
