"""Chroma's chunking evaluation: questions with references in a cell, as people have the file."""

from __future__ import annotations

import csv
import io
import json

import pandas as pd
import pytest

from command import run_command
from formats.made import faults_of, read_assessments
from spanwise.data.notes import Faults
from spanwise.errors import FaultyInput, InputError
from spanwise.formats.builtin.tables import chroma, chroma_numbered
from spanwise.formats.reading import recognise, role_of
from spanwise.formats.source import Source

TEXT = "The moon pulls the sea. Tides rise twice a day."
COLUMNS = ("question", "references", "corpus_id")


def reference(start, end, content=None):
    return {"content": content or TEXT[start:end], "start_index": start, "end_index": end}


def table(*rows, header=COLUMNS):
    """A file as pandas saves it: quotes only where they are needed."""
    stream = io.StringIO()
    writer = csv.writer(stream, lineterminator="\n")
    writer.writerow(header)
    writer.writerows(rows)
    return stream.getvalue()


def asked(question, *references, corpus="tides"):
    return question, json.dumps(references), corpus


GOLD = table(
    asked("What pulls, and what rises?", reference(0, 23), reference(24, 29)),
    asked("How often?", reference(35, 46)),
)


def by_number(content, lenient=False):
    faults = Faults("file", lenient=lenient)
    return chroma_numbered.FORMAT.read_assessments(Source("file", content.encode()), faults)


def test_the_question_is_the_topic_and_each_reference_a_range():
    judged = read_assessments(chroma, GOLD)
    assert judged.topics == ("How often?", "What pulls, and what rises?")
    assert judged.relevant.to_lists() == [[(35, 46)], [(0, 23), (24, 29)]]
    assert judged.documents.strings() == ["tides", "tides"]
    assert judged.queries == {topic: topic for topic in judged.topics}
    assert judged.passages.quotes == (TEXT[0:23], TEXT[24:29], TEXT[35:46])


def test_questions_may_be_numbered_by_their_rows():
    judged = by_number(GOLD)
    assert judged.topics == ("q000", "q001")
    assert judged.queries == {"q000": "What pulls, and what rises?", "q001": "How often?"}
    assert judged.relevant.to_lists() == [[(0, 23), (24, 29)], [(35, 46)]]


def test_a_question_that_comes_again_is_one_topic_but_two_numbers():
    again = table(asked("Who?", reference(0, 8)), asked("Who?", reference(24, 29), corpus="d2"))
    assert read_assessments(chroma, again).topics == ("Who?",)
    assert read_assessments(chroma, again).documents.strings() == ["d2", "tides"]
    assert by_number(again).topics == ("q000", "q001")


def test_numbers_are_never_those_of_other_rows():
    broken = GOLD.replace(",tides", ",tides,more", 1)
    for lenient in (False, True):
        with pytest.raises(FaultyInput, match="found 4 columns, expected 3"):
            by_number(broken, lenient)
    assert read_assessments(chroma, broken, lenient=True).topics == ("How often?",)


@pytest.mark.parametrize(
    "content",
    [
        GOLD,
        "\ufeff" + GOLD,
        GOLD.replace("\n", "\r\n"),
        pd.read_csv(io.StringIO(GOLD)).to_csv(),
        table(("tides", "[]", "q"), header=("corpus_id", "references", "question")),
    ],
)
def test_the_format_is_recognised(content):
    source = Source("file", content.encode())
    assert recognise(source, "assessments") == "chroma"
    assert role_of(source).role == "assessments"
    read_assessments(chroma, content)
    with pytest.raises(InputError, match="what looks like Chroma assessments"):
        recognise(source, "run")


@pytest.mark.parametrize(
    "header",
    ["question,references,document", "question,answers,corpus_id", "query,start,corpus_id"],
)
def test_other_questions_in_tables_are_csv(header):
    assert recognise(Source("file", f"{header}\nq,0,d\n".encode()), "assessments") == "csv"


def test_a_run_of_chunks_in_a_corpus_is_csv():
    content = b"question,corpus_id,start_index,end_index,score\nq,d,0,5,1\n"
    assert recognise(Source("file", content), "run") == "csv"


@pytest.mark.parametrize(
    ("references", "found"),
    [
        ('[{"content": "The moon"', "a broken list"),
        ("[" * 100_000, "a broken list"),
        ("[7]", "references [7]"),
        ("[null]", "references [None]"),
        ("[[]]", "references [[]]"),
        ("The moon", "references 'The moon'"),
        (json.dumps(reference(0, 8)), "references '{"),
        (json.dumps([{"content": " "}]), "an empty quote"),
        (json.dumps([{"content": 5, "start_index": 0}]), "the quote {"),
        (json.dumps([{"bep": 1, "content": "x"}]), "the field 'bep' in a quote"),
        (json.dumps([reference(8, 8, content="x")]), "range [8, 8)"),
        (json.dumps([reference(5, 2, content="x")]), "range [5, 2)"),
        (json.dumps([reference(-7, 2, content="x")]), "range [-7, 2)"),
        (json.dumps([reference(0, 8) | {"start_index": "0"}]), "start '0'"),
        (json.dumps([reference(0, 8) | {"start_index": 0.5}]), "start 0.5"),
        (json.dumps([reference(0, 8) | {"end_index": True}]), "end True"),
        (json.dumps([reference(0, 8) | {"end_index": 2**70}]), "end 1180591620717411303424"),
        (json.dumps([reference(0, 8) | {"end_index": float("inf")}]), "end inf"),
        (f'[{{"content": "x", "start_index": {"9" * 5000}}}]', "a broken list"),
    ],
)
def test_a_faulty_reference_is_told_with_its_line(references, found):
    content = table(asked("Good?", reference(0, 8)), ("Bad?", references, "tides"))
    (fault,) = faults_of(lambda: settled(content))
    assert fault.line == 3
    assert fault.found.startswith(found)
    assert fault.expected
    assert read_assessments(chroma, content, lenient=True).topics == ("Good?",)


def settled(content):
    faults = Faults("file")
    chroma.read_assessments(Source("file", content.encode()), faults)
    faults.settle()


@pytest.mark.parametrize("name", COLUMNS)
def test_a_table_without_one_of_the_columns_is_refused(name):
    with pytest.raises(InputError, match=f"found no column {name}, expected question, references"):
        read_assessments(chroma, GOLD.replace(name, "other", 1))


def test_lists_as_frames_write_them():
    references = [reference(0, 8)]
    judged = read_assessments(chroma, table(("Who?", str(references), "tides")))
    assert judged.relevant.to_lists() == [[(0, 8)]]


def test_a_faulty_reference_keeps_the_numbers_of_the_others():
    content = table(("Bad?", "[7]", "tides"), asked("Good?", reference(0, 8)))
    assert by_number(content, lenient=True).queries == {"q001": "Good?"}


def test_a_question_without_references():
    faults = Faults("file")
    content = table(asked("Who?", reference(0, 8)), ("Why?", "", "tides"), asked("When?"))
    judged = chroma.read_assessments(Source("file", content.encode()), faults)
    assert [*map(str, faults.notes)] == ["1 question has no quoted text; not scored (Why?)"]
    assert dict(zip(judged.topics, judged.grade.tolist(), strict=True))["When?"] == 0


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "questions_df.csv").write_text(GOLD, "utf-8")
    (tmp_path / "corpora").mkdir()
    (tmp_path / "corpora" / "tides.txt").write_text(TEXT, "utf-8")
    return tmp_path


@pytest.mark.parametrize(
    ("topic", "options"),
    [("How often?", ()), ("q001", ("--assessments-format", "chroma-numbered"))],
)
def test_the_file_evaluates_as_it_is(folder, topic, options):
    answer = {"topic": topic, "document": "tides", "start": 30, "end": 46, "score": 1}
    (folder / "run.jsonl").write_text(json.dumps(answer), "utf-8")
    command = ["evaluate", "questions_df.csv", "run.jsonl", "--collection", "corpora"]
    done = run_command([*command, "-m", "textP", "-m", "textR", "-o", "tsv", *options], folder)
    assert done.out.splitlines()[1:] == ["run\ttextP\tall\t0.34375", "run\ttextR\tall\t0.5"]


def test_references_are_compared_with_the_corpus(folder):
    (folder / "questions_df.csv").write_text(GOLD.replace("35", "34").replace("46", "45"), "utf-8")
    (folder / "run.jsonl").write_text('{"topic": "How often?", "document": "tides", "rank": 1}')
    command = ["evaluate", "questions_df.csv", "run.jsonl", "--collection", "corpora"]
    done = run_command([*command, "-m", "textP"], folder)
    assert (done.code, done.out) == (2, "")
    assert done.err.startswith("questions_df.csv:3: found ")
