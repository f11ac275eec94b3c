"""MS MARCO runs: three columns, in the order of ranks, named after their file."""

from __future__ import annotations

import gzip

import pytest

from formats.made import faults_of, read_runs, written
from spanwise.data.notes import Faults
from spanwise.data.run import Extent, Run
from spanwise.errors import InputError, OutputError
from spanwise.formats.builtin.columns import msmarco
from spanwise.formats.chunks import ChunkTable
from spanwise.formats.column_runs import Layout, RunPieces
from spanwise.formats.reading import read_run, recognise, role_of
from spanwise.formats.registry import RunOptions
from spanwise.formats.source import Blocks, Source

RUN = "q1\td7\t2\nq1\td9\t1\nq2\td7\t1\n"


def test_whole_documents_in_the_order_of_ranks():
    (run,) = read_runs(msmarco, RUN)
    assert (run.order, run.several_per_document, run.score) == ("rank", False, None)
    assert set(run.extent.tolist()) == {Extent.WHOLE}
    assert (run.topics, run.documents.strings()) == (("q1", "q2"), ["d7", "d9", "d7"])
    assert (run.rank.tolist(), run.line.tolist()) == ([2, 1, 1], [1, 2, 3])


def test_the_run_is_named_after_its_file(tmp_path):
    (tmp_path / "bm25.tsv.gz").write_bytes(gzip.compress(RUN.encode()))
    (run,) = read_run(tmp_path / "bm25.tsv.gz")
    assert run.name == "bm25"


@pytest.mark.parametrize("content", [RUN, RUN.replace("\t", " "), f"# by us\n\n{RUN}"])
def test_it_is_recognised(content):
    source = Source("file", content.encode())
    assert recognise(source, "run") == "msmarco"
    assert role_of(source).role == "run"


@pytest.mark.parametrize(
    "content",
    [
        "q1 d7 first\n",
        "q1 d7 1.5\n",
        "q1 d7 -1\n",
        "q1 d7 1\nq1 Q0 d7 1 2.0 sys\n",
        "q1 d7 1\nq1 d8\n",
        "q1\td7 1\n",
    ],
)
def test_what_only_begins_like_it_is_not(content):
    with pytest.raises(InputError):
        recognise(Source("file", content.encode()), "run")


def test_three_columns_are_never_assessments():
    with pytest.raises(InputError, match="found 3 columns, expected assessments"):
        recognise(Source("file", RUN.encode()), "assessments")


@pytest.mark.parametrize(
    ("line", "rule", "found"),
    [
        ("q1 d8 x", "rank", "'x'"),
        ("q1 d8", "columns", "2 columns"),
        ("q1 Q0 d8 1 2.0 sys", "columns", "6 columns"),
    ],
)
def test_faults_have_their_lines(line, rule, found):
    (fault,) = faults_of(read_runs, msmarco, f"q1 d7 1\n{line}\nq1 d9 2\n")
    assert (fault.line, fault.rule, fault.found) == (2, rule, found)
    (run,) = read_runs(msmarco, f"q1 d7 1\n{line}\nq1 d9 2\n", lenient=True)
    assert run.documents.strings() == ["d7", "d9"]


def test_the_documents_may_be_chunks():
    table = ChunkTable.of([("d", 0, 100, "d7"), ("d", 100, 250, "d9")])
    (run,) = read_runs(msmarco, RUN, chunks=table)
    assert (run.documents.strings(), run.start.tolist()) == (["d", "d", "d"], [0, 100, 0])


def test_the_ranking_of_documents_is_written():
    run = Run.of("r", ["q"] * 3, ["a", "b", "a"], start=[0, 1, 5], end=[5, 9, 9], score=[1, 3, 2])
    data, notes = written(msmarco, (Run.of("r", ["q", "q"], ["b", "a"]),))
    assert (data, notes) == (b"q b 1\nq a 2\n", [])
    data, notes = written(msmarco, (run,))
    assert data == b"q a 1\nq b 2\n"
    assert notes == [
        "run r: ranges are lost; documents are in the order of their first answers",
        "run r: scores are lost",
    ]
    with pytest.raises(OutputError, match="one run, and here are 2"):
        written(msmarco, (run, run))


@pytest.mark.parametrize("size", [64, 1 << 20])
def test_blocks_hold_whole_topics(monkeypatch, size):
    monkeypatch.setattr(Source, "blocks", lambda self: Blocks(self, size))
    lines = [f"t{topic} d{rank} {rank}\n" for topic in range(9) for rank in range(1, 30)]
    source = Source("file", "".join(lines).encode())
    runs = list(msmarco.read_run(source, Faults("file"), RunOptions()))
    assert sum(map(len, runs)) == len(lines)
    assert [topic for run in runs for topic in run.topics] == [f"t{n}" for n in range(9)]
    assert {run.name for run in runs} == {"run"}


@pytest.mark.parametrize(
    ("columns", "line", "facts"),
    [
        ("document topic", "d7 q", (Extent.WHOLE, 0, 0, None, None)),
        ("score document topic", "2.5 d7 q", (Extent.WHOLE, 0, 0, 2.5, None)),
        ("topic offset length document", "q 3 4 d7", (Extent.RANGE, 3, 7, None, None)),
        ("length rank x offset document topic", "4 1 ? 3 d7 q", (Extent.RANGE, 3, 7, None, 1)),
        ("offset document topic", "3 d7 q", (Extent.POINT, 3, 3, None, None)),
        ("xpath document topic", "/a[1] d7 q", (Extent.ELEMENT, 0, 0, None, None)),
    ],
)
def test_a_layout_may_have_any_columns_in_any_order(columns, line, facts):
    layout = Layout("test", tuple(columns.split()))
    source = Source("file", f"{line}\n".encode())
    (run,) = RunPieces(source, layout, Faults("file"), RunOptions())
    score = None if run.score is None else run.score[0]
    rank = None if run.rank is None else run.rank[0]
    assert (run.extent[0], run.start[0], run.end[0], score, rank) == facts
    assert (run.name, run.topics, run.documents.strings()) == ("run", ("q",), ["d7"])


@pytest.mark.parametrize(
    "content",
    [
        "q1\tgood\t97\nq1\tbad1\t55\nq1\tbad2\t12\n",
        "q1\tbad\t0\nq1\tgood\t1\n",
        "q1\ta\t1\nq1\tb\t1\nq2\ta\t1\n",
    ],
    ids=["scores", "grades with 0", "grades"],
)
def test_whole_numbers_that_are_scores_or_grades_are_not_taken_for_ranks(content: str) -> None:
    with pytest.raises(InputError, match="3 columns with a rank"):
        recognise(Source("run.tsv", content.encode()), "run")


def test_the_ending_of_a_file_tells_too() -> None:
    assert recognise(Source("run.msmarco.gz", b"q1\tgood\t97\n"), "run") == "msmarco"
