"""TREC Genomics: gold passages with aspects, and runs."""

from __future__ import annotations

import pytest

from formats.made import faults_of, read_assessments, read_runs
from spanwise.data.notes import Faults
from spanwise.errors import InputError
from spanwise.formats.builtin.columns import genomics
from spanwise.formats.reading import recognise, role_of
from spanwise.formats.source import Source

GOLD = "1\t11\t100\t200\tA|B\n1\t11\t500\t100\tprion proteins|B\n2\t33\t1000\t10\t\n"
RUN = "1\t11\t2\t9.0\t50\t150\tsys\n1\t22\t1\t8.0\t0\t100\tsys\n"


def test_gold_passages_with_their_aspects():
    judged = read_assessments(genomics, GOLD)
    assert judged.topics == ("1", "2")
    assert judged.relevant.to_lists() == [[(100, 300), (500, 600)], [(1000, 1010)]]
    assert judged.passages.aspects == (("A", "B"), ("prion proteins", "B"), ())
    assert judged.passages.line.tolist() == [1, 2, 3]


def test_runs_are_ranked_by_rank():
    (run,) = read_runs(genomics, RUN)
    assert (run.name, run.order, run.rank.tolist()) == ("sys", "rank", [2, 1])
    assert (run.start.tolist(), run.end.tolist()) == ([50, 0], [200, 100])


@pytest.mark.parametrize(
    ("content", "role"),
    [(GOLD, "assessments"), (RUN, "run"), (RUN.replace("\t", " "), "run"), ("#\n" + GOLD, None)],
)
def test_they_are_recognised(content, role):
    source, role = Source("file", content.encode()), role or "assessments"
    assert recognise(source, role) == "genomics"
    assert role_of(source).role == role


def test_aspects_with_blanks_do_not_make_a_run_of_gold():
    source = Source("file", b"1\t11\t100\t200\tprion proteins\n")
    assert role_of(source).role == "assessments"


@pytest.mark.parametrize("content", ["1 11 100 200 A\n", "1\tQ0\t100\t200\tA\n", "1\ta\tb\tc\td\n"])
def test_other_five_columns_are_not_gold(content):
    with pytest.raises(InputError):
        recognise(Source("file", content.encode()), "assessments")


def test_latin_1_is_read_leniently_and_said():
    data = GOLD.replace("prion", "Gr\u00fcn").encode("latin-1")
    (fault,) = faults_of(read_assessments, genomics, data)
    assert (fault.line, fault.found, fault.rule) == (2, "byte 0xfc", "encoding")
    faults = Faults("file", lenient=True)
    judged = genomics.read_assessments(Source("file", data), faults)
    assert judged.passages.aspects[1] == ("Gr\u00fcn proteins", "B")
    assert [str(note) for note in faults.notes] == ["it is not UTF-8 and was read as Latin-1"]


@pytest.mark.parametrize(
    ("line", "found"),
    [
        ("1\t11\t100\n", "3 columns"),
        ("1\t11\t100\t0\tA\n", "offset 100 and length 0"),
        ("1\t11\t-1\t5\tA\n", "offset '-1'"),
        ("1\t11\t1\tx\tA\n", "length 'x'"),
        ("1\t11\t9223372036854775807\t1\tA\n", "offset 9223372036854775807 and length 1"),
        (f"1\t11\t{'9' * 5000}\t1\tA\n", "offset '999"),
        ("1\t \t1\t1\tA\n", "document ''"),
    ],
)
def test_a_faulty_line_is_told(line, found):
    (fault,) = faults_of(read_assessments, genomics, GOLD + line)
    assert (fault.line, fault.found[: len(found)]) == (4, found)
    assert len(read_assessments(genomics, GOLD + line, lenient=True).passages.start) == 3
