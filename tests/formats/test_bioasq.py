"""BioASQ: snippets of articles as gold and as answers."""

from __future__ import annotations

import json

import pytest

from formats.made import faults_of, read_assessments, read_runs, written
from spanwise.data.notes import Faults
from spanwise.data.run import Run
from spanwise.errors import InputError
from spanwise.formats.builtin.json_documents import bioasq
from spanwise.formats.reading import recognise, role_of
from spanwise.formats.source import Source

PUBMED = "http://www.ncbi.nlm.nih.gov/pubmed/"


def snippet(begin, end, text=None, *, article="1", section="abstract", **other):
    found = {"document": f"{PUBMED}{article}", "text": text}
    found |= {"beginSection": section, "endSection": section}
    return found | {"offsetInBeginSection": begin, "offsetInEndSection": end} | other


def questions(*snippets, **other):
    return json.dumps({"questions": [{"id": "q1", "body": "b?", "snippets": snippets, **other}]})


def notes_of(content, role="assessments"):
    faults = Faults("file")
    source = Source("file", content.encode())
    if role == "run":
        list(bioasq.read_run(source, faults, None))
    else:
        bioasq.read_assessments(source, faults)
    return list(map(str, faults.notes))


def test_gold_has_the_ranges_of_sections():
    judged = read_assessments(
        bioasq,
        questions(
            snippet(100, 199), snippet(0, 4, "title", section="title"), snippet(3, 3, section="0")
        ),
    )
    assert judged.documents.strings() == ["1#abstract", "1#title"]
    assert judged.relevant.to_lists() == [[(3, 4), (100, 200)], [(0, 5)]]
    assert judged.passages.quotes == (None, "title", None)
    assert judged.queries == {"q1": "b?"}


def test_answers_are_ranked_as_they_are_listed():
    (run,) = read_runs(bioasq, questions(snippet(5, 8), snippet(0, 1), snippet(9, 9, article="2/")))
    assert (run.topics, run.order, run.rank.tolist()) == (("q1",), "rank", [1, 2, 3])
    assert run.documents.strings() == ["1#abstract", "1#abstract", "2#abstract"]
    assert (run.start.tolist(), run.end.tolist()) == ([5, 0, 9], [9, 2, 10])


@pytest.mark.parametrize(
    ("snippets", "ends", "notes"),
    [
        ([snippet(0, 4, "12345")], [5], ["inclusive: so read, 1 of 1 has"]),
        ([snippet(0, 5, "12345")], [5], ["exclusive: so read, 1 of 1 has"]),
        (
            [snippet(0, 4, "12345"), snippet(10, 15, "12345"), snippet(20, 22)],
            [5, 15, 23],
            ["inclusive: so read, 1 of 3", "exclusive: so read, 1 of 3", "read as inclusive"],
        ),
        (
            [snippet(10, 15, "12345"), snippet(20, 22)],
            [15, 22],
            ["exclusive: so read, 1 of 2", "read as exclusive"],
        ),
        ([snippet(0, 4, "t")], [5], ["the text of 1 of 1 snippets does not tell"]),
    ],
)
def test_the_length_of_the_text_tells_how_ends_are_meant(snippets, ends, notes):
    content = questions(*snippets)
    assert read_assessments(bioasq, content).passages.end.tolist() == ends
    said = notes_of(content)
    assert len(said) == len(notes)
    for part, note in zip(notes, said, strict=True):
        assert part in note


@pytest.mark.parametrize(
    ("wrong", "found"),
    [
        (snippet(5, 3), "range [5, 4)"),
        (snippet(-1, 3), "offsetInBeginSection -1"),
        (snippet(2**63, 2**63 + 5), "offsetInBeginSection 9223372036854775808"),
        (snippet(0, 2**63 - 1), "offsetInEndSection 9223372036854775807"),
        (snippet(1.5, 3), "offsetInBeginSection 1.5"),
        (snippet(True, 3), "offsetInBeginSection True"),
        (snippet(float("nan"), 3), "offsetInBeginSection nan"),
        (snippet(None, 3), "no offsetInBeginSection"),
        (snippet(0, 3, 7), "text 7"),
        (snippet(0, 3, "\ud800"), "text with half of a surrogate pair"),
        (snippet(0, 3, endSection="title"), "a snippet from 'abstract' to 'title'"),
        (snippet(0, 3, document="//"), "document"),
        (snippet(0, 3, document=None), "no document"),
        (snippet(0, 3, article="\0"), "document"),
        (snippet(0, 3, section=[1]), "beginSection [1]"),
        (7, "7"),
    ],
)
@pytest.mark.parametrize("read", [read_assessments, read_runs])
def test_a_faulty_snippet_is_told_with_its_place(wrong, found, read):
    content = questions(snippet(0, 1), wrong)
    (fault,) = faults_of(read, bioasq, content)
    assert fault.line == 1
    assert fault.found.startswith(found)
    assert " in questions[0].snippets[1]" in fault.found
    left = read(bioasq, content, lenient=True)
    rows = left.passages.start if read is read_assessments else left[0].start
    assert rows.tolist() == [0]


@pytest.mark.parametrize(
    ("question", "found"),
    [
        ({}, "no id in questions[1]"),
        ({"id": ""}, "id '' in questions[1]"),
        ({"id": "q1"}, "question q1 again in questions[1]"),
        ({"id": "q2", "snippets": 7}, "snippets 7 in questions[1]"),
        ({"id": "q2", "body": 7}, "body 7 in questions[1]"),
    ],
)
def test_a_faulty_question_is_told_with_its_place(question, found):
    first = {"id": "q1", "snippets": [snippet(0, 1)]}
    content = json.dumps({"questions": [first, question]}, indent=1)
    (fault,) = faults_of(read_assessments, bioasq, content)
    assert fault.found.startswith(found)
    assert content.split("\n")[fault.line - 1] == "  {" if question else "  {}"


def test_a_name_beyond_the_limits_is_refused_leniently_too():
    with pytest.raises(InputError, match=r"20,000 characters in questions\[0\]"):
        read_assessments(bioasq, json.dumps({"questions": [{"id": "x" * 20_000}]}), lenient=True)


def test_what_has_no_snippet_is_noted():
    content = questions(documents=[f"{PUBMED}1", f"{PUBMED}2"])
    assert notes_of(content) == [
        "1 question has no snippets; left out",
        "2 articles are listed without a snippet; not read",
    ]
    assert notes_of(content, "run") == ["1 question has no snippets; left out"]


def test_it_is_recognised():
    source = Source("file", questions(snippet(0, 1)).encode())
    assert (recognise(source, "run"), recognise(source, "assessments")) == ("bioasq", "bioasq")
    with pytest.raises(InputError, match="found BioASQ JSON that may be either"):
        role_of(source)


def test_answers_keep_the_name_of_their_system():
    run = Run.of("sys 1", ["q", "q"], ["7#title", "8#abstract"], start=[0, 3], end=[5, 9])
    data, notes = written(bioasq, (run,))
    assert notes == []
    assert role_of(Source("file", data)).role == "run"
    with pytest.raises(InputError, match="what looks like a BioASQ run"):
        recognise(Source("file", data), "assessments")
    (back,) = read_runs(bioasq, data)
    assert (back.name, back.documents.strings()) == ("sys 1", ["7#title", "8#abstract"])
    assert (back.start.tolist(), back.end.tolist()) == ([0, 3], [5, 9])


def test_what_is_lost_is_said():
    run = Run.of("r", ["q"], ["d/7"], start=[0], end=[5], score=[1.0], order="score")
    data, notes = written(bioasq, (run,))
    assert notes == [
        "1 range is in documents without a section; written as abstract and read again as"
        " DOCUMENT#abstract",
        "run r: scores are lost",
    ]
    assert read_runs(bioasq, data)[0].documents.strings() == ["d/7#abstract"]


def test_texts_are_written_where_they_tell_no_other_end():
    rows = [snippet(0, 4, "12345"), snippet(10, 19, "12345"), snippet(30, 35)]
    judged = read_assessments(bioasq, questions(*rows))
    data, notes = written(bioasq, judged)
    assert notes == ["texts of another length than their ranges are lost (1)"]
    again = read_assessments(bioasq, data)
    assert again.relevant.to_lists() == judged.relevant.to_lists()
    assert again.queries == {"q1": "b?"}
    assert again.passages.quotes == ("12345", None, None)
