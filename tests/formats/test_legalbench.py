"""LegalBench-RAG: spans of files that answer queries, and what was retrieved for them."""

from __future__ import annotations

import json

import pytest

from formats.made import faults_of, read_assessments, read_runs, written
from spanwise.data.judgements import Judgements
from spanwise.data.notes import Faults
from spanwise.data.run import Run
from spanwise.errors import InputError
from spanwise.formats.builtin.json_documents import legalbench
from spanwise.formats.reading import recognise, role_of
from spanwise.formats.source import Source
from spanwise.formats.topics import read_groups


def snippet(start, end, file="cuad/a.txt", **other):
    return {"file_path": file, "span": [start, end], **other}


def gathered(*tests):
    return json.dumps({"tests": tests}, indent=1)


GOLD = gathered(
    {"query": "who?", "snippets": [snippet(100, 200, answer="x" * 100)], "tags": ["cuad"]},
    {"query": "why?", "snippets": [snippet(0, 5), snippet(7, 9, "b.txt")], "tags": ["a", "b"]},
)
RUN = gathered({"query": "who?", "retrieved_snippets": [snippet(5, 9), snippet(0, 2)]})
RESULTS = json.dumps(
    {
        "qa_result_list": [
            {
                "qa_gt": {"query": "who?", "snippets": [snippet(0, 1)]},
                "retrieved_snippets": [snippet(5, 9, score=0.5), snippet(0, 2, score=0.25)],
                "precision": 0.0,
            }
        ],
        "weights": [1.0],
    }
)


def test_gold_has_the_spans_of_each_query():
    judged = read_assessments(legalbench, GOLD)
    assert (judged.topics, judged.queries) == (
        ("who?", "why?"),
        {"who?": "who?", "why?": "why?"},
    )
    assert judged.documents.strings() == ["cuad/a.txt", "b.txt", "cuad/a.txt"]
    assert judged.relevant.to_lists() == [[(100, 200)], [(7, 9)], [(0, 5)]]
    assert judged.passages.quotes[0] == "x" * 100


@pytest.mark.parametrize("content", [RUN, RESULTS])
def test_what_was_retrieved_is_ranked_as_it_is_listed(content):
    (run,) = read_runs(legalbench, content)
    assert (run.topics, run.order, run.rank.tolist()) == (("who?",), "rank", [1, 2])
    assert (run.start.tolist(), run.end.tolist()) == ([5, 0], [9, 2])


def test_a_query_that_comes_again_is_one_topic():
    faults = Faults("file")
    content = GOLD.replace("why?", "who?")
    judged = legalbench.read_assessments(Source("file", content.encode()), faults)
    assert judged.topics == ("who?",)
    assert [*map(str, faults.notes)] == [
        "1 query comes more than once; its snippets are joined (who?)"
    ]


@pytest.mark.parametrize(
    ("content", "role"), [(GOLD, "assessments"), (RUN, "run"), (RESULTS, "run")]
)
def test_format_and_role_are_recognised(content, role):
    source = Source("file", content.encode())
    assert recognise(source, role) == "legalbench"
    assert role_of(source).role == role
    other = "run" if role == "assessments" else "assessments"
    with pytest.raises(InputError, match=r"what looks like .*LegalBench-RAG.*swap the two files"):
        recognise(source, other)


@pytest.mark.parametrize(
    ("wrong", "found"),
    [
        (snippet(5, 5), "range [5, 5)"),
        (snippet(-4, 5), "range [-4, 5)"),
        (snippet(0, 2**63), "end 9223372036854775808"),
        (snippet(0, "5"), "end '5'"),
        (snippet(0, 5.0), "end 5.0"),
        (snippet(0, None), "span [0, None]"),
        ({"file_path": "a", "span": [1, 2, 3]}, "span [1, 2, 3]"),
        ({"file_path": "a", "span": "12"}, "span '12'"),
        ({"file_path": "a"}, "no span"),
        (snippet(0, 5, None), "no file_path"),
        (snippet(0, 5, ""), "file_path ''"),
        (snippet(0, 5, answer=7), "answer 7"),
        ([], "[]"),
    ],
)
def test_a_faulty_snippet_is_told_with_its_place(wrong, found):
    content = gathered({"query": "q", "snippets": [snippet(0, 1), wrong]})
    (fault,) = faults_of(read_assessments, legalbench, content)
    assert (fault.line, fault.found) == (3, f"{found} in tests[0].snippets[1]")
    assert len(read_assessments(legalbench, content, lenient=True).passages.start) == 1


@pytest.mark.parametrize("score", [float("nan"), "high", True, 10**400])
def test_a_score_that_is_none_is_told(score):
    content = gathered({"query": "q", "retrieved_snippets": [snippet(0, 1, score=score)]})
    (fault,) = faults_of(read_runs, legalbench, content)
    assert fault.found.endswith("in tests[0].retrieved_snippets[0]")


@pytest.mark.parametrize("test", [{"snippets": []}, {"query": 1.5}, {"qa_gt": 7}, 7])
def test_a_test_without_a_query_is_told(test):
    (fault,) = faults_of(read_assessments, legalbench, gathered(test))
    assert fault.found.endswith("in tests[0]")


def test_tags_are_groups():
    source = Source("file", GOLD.encode())
    assert read_groups(source) == {"who?": "cuad", "why?": "a, b"}
    with pytest.raises(InputError, match="found no topics"):
        read_groups(Source("file", gathered({"query": "q", "snippets": []}).encode()))


def test_gold_is_written_disjoint_and_what_is_lost_is_said():
    judgements = Judgements(Faults("made"))
    for start, end, grade in ((0, 5, 1), (5, 9, 1), (7, 12, 2), (20, 30, 0)):
        judgements.add_range("q", "d", start, end, grade)
    judgements.judge("q", "e", 0)
    judgements.add_document("d", 100)
    judgements.add_query("q", "who?")
    data, notes = written(legalbench, judgements.build())
    assert json.loads(data) == {"tests": [{"query": "q", "snippets": [snippet(0, 12, "d")]}]}
    assert notes == [
        "grades other than relevant or not are lost (1)",
        "ranges judged not relevant are lost (1)",
        "documents judged not relevant are lost (1)",
        "lengths of documents are lost (1)",
        "query texts beside the names of topics are lost (1)",
        "2 ranges overlap or touch another and are written with it as one",
    ]


def test_runs_are_written_in_the_order_of_their_ranking():
    run = Run.of("r", ["q", "q"], ["d", "e"], start=[0, 3], end=[5, 9], score=[1, 2], order="score")
    data, notes = written(legalbench, (run,))
    assert notes == []
    assert json.loads(data) == {
        "tests": [
            {
                "query": "q",
                "retrieved_snippets": [
                    snippet(3, 9, "e", score=2.0),
                    snippet(0, 5, "d", score=1.0),
                ],
            }
        ]
    }
