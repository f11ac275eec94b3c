"""``spanwise pool``: a table on standard output, a pool in a file, or the other way round."""

from __future__ import annotations

import json

import pytest

RUN = "q1 Q0 d1 1 3 {0}\nq1 Q0 d2 2 2 {0}\nq1 Q0 {1} 3 1 {0}\n"
TABLE = """\
The pool has 4 documents to assess for 1 topic

run  topics  documents  only  judged
------------------------------------
a         1          3     1       0
b         1          3     1       0
  documents: in the first 3 of each topic; only: brought by no other run; judged: before
"""


@pytest.fixture
def runs(tmp_path):
    (tmp_path / "a.trec").write_text(RUN.format("a", "d3"))
    (tmp_path / "b.trec").write_text(RUN.format("b", "d4"))
    (tmp_path / "qrels").write_text("q1 0 d1 1\nq1 0 d3 1\n")
    return tmp_path


def test_a_table_of_what_each_run_brought_and_the_pool_in_a_file(spanwise, runs):
    done = spanwise("pool", "a.trec", "b.trec", "--depth", 3, "--to", "pool.jsonl")
    assert (done.code, done.err) == (0, "")
    assert done.out == TABLE
    first, topic, *documents = map(json.loads, (runs / "pool.jsonl").read_text().splitlines())
    assert (first["kind"], first["depth"], first["runs"]) == ("pool", 3, ["a", "b"])
    assert topic == {"topic": "q1"}
    assert [row["document"] for row in documents] == ["d1", "d2", "d3", "d4"]


def test_the_pool_itself_on_standard_output(spanwise, runs):
    done = spanwise("pool", "a.trec", "--depth", 1, "--to", "-")
    assert [json.loads(line).get("document") for line in done.out.splitlines()] == [
        *(None, None, "d1")
    ]


def test_rows_for_programs(spanwise, runs):
    words = ("pool", "a.trec", "b.trec", "--assessments", "qrels", "-m", "P@1", "-o", "jsonl")
    rows = [json.loads(line) for line in spanwise(*words).out.splitlines()]
    assert rows[0] == {
        **{"kind": "contribution", "run": "a", "topics": 1},
        **{"documents": 3, "only": 1, "judged": 2},
    }
    assert rows[2] == {
        **{"kind": "left out", "run": "a", "measure": "P@1", "canonical": "P@1", "own": 1},
        **{"value": 1.0, "without": 1.0, "difference": 0.0, "topics_lost": 0},
    }


@pytest.mark.parametrize(
    ("words", "problem"),
    [
        (("a.trec", "-m", "P@1"), "-m scores runs: give --assessments, too"),
        (("a.trec", "--depth", "0"), "Invalid value for '--depth'"),
        (("none.trec",), "none.trec: file not found"),
        (("a.trec", "--to", "nowhere/pool.jsonl"), "folder not found"),
        (("a.trec", "--to", "a.trec"), "is read by this command"),
        (("a.trec", "--topics", "zzz"), "nothing pooled"),
    ],
)
def test_what_is_refused(spanwise, runs, words, problem):
    done = spanwise("pool", *words)
    if problem == "nothing pooled":
        assert done.code == 0
        assert "1 topic has no document to assess" in done.err
        return
    assert (done.code, done.out) == (2, "")
    assert problem in done.err
