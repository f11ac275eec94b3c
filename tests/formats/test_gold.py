"""Questions with quoted answers: every shape that people have, through every door, as one."""

import io
import json

import numpy as np
import pandas as pd
import polars as pl
import pytest

from formats.test_vocabulary import DOORS, EVERY_DOOR
from spanwise.data.notes import Faults
from spanwise.data.quoted import Quoted
from spanwise.errors import InputError
from spanwise.formats.builtin.json_rows import jsonl
from spanwise.formats.builtin.tables import csv
from spanwise.formats.memory import assessments_from
from spanwise.formats.quoted_gold import quotes_in
from spanwise.formats.reading import read_assessments, recognise
from spanwise.formats.source import Source


def judged(door, *rows, lenient=False):
    """The assessments of rows, and the notes on them."""
    faults = Faults("file", lenient=lenient)
    return door[1](list(rows), faults), [str(note) for note in faults.notes]


def cells(rows):
    """Rows for doors that have single values only: lists as JSON."""
    return [
        {name: json.dumps(v) if isinstance(v, (list, dict)) else v for name, v in row.items()}
        for row in rows
    ]


def quoted(assessments):
    return [(one.topic, one.document, one.text) for one in assessments.quoted]


def from_csv(text, lenient=False):
    faults = Faults("gold.csv", lenient=lenient)
    return csv.read_assessments(Source("gold.csv", text.encode()), faults), faults


def records(*rows, lenient=False):
    faults = Faults("gold", lenient=lenient)
    return assessments_from(list(rows), faults=faults), faults


def refused(*rows):
    with pytest.raises(InputError) as problem:
        records(*rows)
    return problem.value.fault


# -- shapes


LISTS = {name: door for name, door in DOORS.items() if name != "csv"}


@pytest.mark.parametrize("door", LISTS.values(), ids=LISTS)
@pytest.mark.parametrize("evidence", ["evidence", "answers", "contexts", "Reference-Contexts"])
def test_a_question_has_a_row_for_each_quote(door, evidence):
    found, notes = judged(
        door,
        {"question": "Who?", evidence: ["Anna", "Bert"], "document": "d1"},
        {"question": "When?", evidence: ["in May"], "document": "d2"},
    )
    assert quoted(found) == [
        ("Who?", "d1", "Anna"),
        ("Who?", "d1", "Bert"),
        ("When?", "d2", "in May"),
    ]
    assert found.queries == {"Who?": "Who?", "When?": "When?"}
    assert notes == []


@EVERY_DOOR
def test_a_single_text_is_a_quote(door):
    found, _ = judged(door, {"query": "Who?", "answers": "Anna", "document": "d1"})
    assert found.quoted == (Quoted("Who?", "d1", "Anna", line=found.quoted[0].line),)


@pytest.mark.parametrize("door", [DOORS[name] for name in ("parquet", "polars", "pandas")])
def test_lists_in_cells_are_json(door):
    rows = [{"query": "Who?", "evidence": ["An", "Bo"], "document": ["d1", "d2"]}]
    found, _ = judged(door, *cells(rows))
    assert quoted(found) == [("Who?", "d1", "An"), ("Who?", "d2", "Bo")]


def test_text_in_records_is_never_a_list():
    found, _ = records({"query": "Which list?", "evidence": '["a", "b"]', "document": "d"})
    assert quoted(found) == [("Which list?", "d", '["a", "b"]')]


@pytest.mark.parametrize("topic", ["id", "topic", "query_id", "qid"])
@EVERY_DOOR
def test_the_topic_is_the_id_if_there_is_one(door, topic):
    rows = {topic: "q1", "question": "Who?", "evidence": "Anna"}
    found, notes = judged(door, rows)
    assert quoted(found) == [("q1", None, "Anna")]
    assert (found.queries, notes) == ({"q1": "Who?"}, [])


def test_an_id_is_a_topic_only_beside_quotes():
    found, notes = judged(
        DOORS["records"], {"id": 5, "query": "q", "document": "d", "start": 0, "end": 4}
    )
    assert (found.topics, notes) == (("q",), ["field 'id' is unknown and ignored"])


def test_a_stronger_topic_than_the_id():
    found, notes = judged(DOORS["records"], {"id": 5, "qid": "q", "query": "?", "answers": "x"})
    assert (quoted(found), notes) == ([("q", None, "x")], ["field 'id' is unknown and ignored"])


def test_csv_with_lists_and_with_a_quote_in_each_row():
    found, _ = from_csv(
        'id,question,answers,document\n1,Who?,"[""An, or"", ""Bo""]","[""d1"", ""d2""]"\n'
        "2,Why?,[sic] he said,d1\n2,Why?,'twas so,d2\n"
    )
    assert quoted(found) == [
        ("1", "d1", "An, or"),
        ("1", "d2", "Bo"),
        ("2", "d1", "[sic] he said"),
        ("2", "d2", "'twas so"),
    ]
    assert [one.line for one in found.quoted] == [2, 2, 3, 4]
    assert found.queries == {"1": "Who?", "2": "Why?"}


def test_frames_saved_as_csv_write_lists_as_python_does():
    rows = [{"question": "Who?", "contexts": ["it's Anna", 'or "Bo"'], "document": "d"}]
    found, _ = from_csv(pd.DataFrame(rows).to_csv(index=False))
    assert [one.text for one in found.quoted] == rows[0]["contexts"]


def test_frames_with_arrays():
    frame = pd.DataFrame({"question": ["Who?"], "contexts": [np.array(["An", "Bo"])]})
    assert quoted(assessments_from(frame)) == [("Who?", None, "An"), ("Who?", None, "Bo")]
    stream = io.BytesIO()
    pl.DataFrame({"question": ["Who?"], "contexts": [["An", "Bo"]]}).write_parquet(stream)
    frame = pd.read_parquet(io.BytesIO(stream.getvalue()))
    assert quoted(assessments_from(frame)) == [("Who?", None, "An"), ("Who?", None, "Bo")]


def test_quotes_may_say_where_they_are():
    found, _ = records(
        {
            "id": "q",
            "query": "Who?",
            "document": "d1",
            "evidence": [
                {"text": "Anna", "occurrence": 2},
                {"content": "Bo", "start_index": 10, "end_index": 12},
                {"quote": "Cy", "document": "d2", "start": None},
                {"document": "d3", "start": 1, "end": 5},
            ],
        }
    )
    assert [(q.document, q.text, q.occurrence) for q in found.quoted] == [
        ("d1", "Anna", 2),
        ("d2", "Cy", None),
    ]
    pairs = zip(found.documents.strings(), found.relevant.to_lists(), strict=True)
    assert dict(pairs) == {"d1": [(10, 12)], "d3": [(1, 5)]}
    assert found.passages.quotes == ("Bo", None)


def test_a_single_dictionary_is_a_quote():
    found, _ = records({"query": "Who?", "answers": {"text": "Anna"}})
    assert quoted(found) == [("Who?", None, "Anna")]


def test_lists_beside_quotes_have_a_value_for_each():
    found, _ = records(
        {
            "query": "Who?",
            "document": ["d1"],
            "answers": ["An", "Bo"],
            "start": [0, 7],
            "end": [2, 9],
            "grade": [1, 2],
        }
    )
    assert found.passages.grade.tolist() == [1, 2]
    assert found.relevant.to_lists() == [[(0, 2), (7, 9)]]
    found, _ = records({"query": "Who?", "document": "d1", "answers": ["An"], "occurrence": 3})
    assert found.quoted[0].occurrence == 3


# -- repeated questions


def test_rows_of_one_topic_add_up():
    found, _ = records(
        {"id": "q", "query": "Who?", "answers": ["An"]},
        {"id": "q", "query": "Who?", "answers": ["Bo"]},
        {"id": "r", "query": "Who?", "answers": ["Cy"]},
    )
    assert quoted(found) == [("q", None, "An"), ("q", None, "Bo"), ("r", None, "Cy")]
    assert found.queries == {"q": "Who?", "r": "Who?"}


def test_two_questions_under_one_topic_are_refused():
    rows = (
        {"id": "q", "query": "Who?", "answers": ["An"]},
        {"id": "q", "query": "When?", "answers": ["May"]},
    )
    fault = refused(*rows)
    assert (fault.rule, fault.line, fault.found) == (
        *("contradiction", 2),
        "the query 'When?' for topic q",
    )
    found, _ = records(*rows, lenient=True)
    assert found.queries == {"q": "Who?"}


# -- questions without quotes


@pytest.mark.parametrize("door", LISTS.values(), ids=LISTS)
def test_questions_without_quotes_are_noted(door):
    found, notes = judged(
        door,
        {"query": "Who?", "answers": ["An"]},
        {"query": "When?", "answers": []},
        {"query": "Why?", "answers": None},
    )
    assert quoted(found) == [("Who?", None, "An")]
    assert found.queries == {"Who?": "Who?"}
    assert notes == ["2 questions have no quoted text; not scored (When?, Why?)"]


def test_empty_cells_have_no_quotes():
    _, faults = from_csv("query,answers\nWho?,An\nWhen?,\nWhy?,[]\n")
    assert [*map(str, faults.notes)] == [
        "2 questions have no quoted text; not scored (When?, Why?)"
    ]


def test_an_empty_list_for_a_document_judges_it():
    found, faults = records(
        {"query": "Who?", "answers": [], "document": "d1"},
        {"query": "Who?", "answers": [], "document": ["d2", "d3"]},
    )
    assert (found.topics, found.documents.strings()) == (("Who?",), ["d1", "d2", "d3"])
    assert (found.grade.tolist(), faults.notes) == ([0, 0, 0], [])


def test_rows_that_judge_otherwise_need_no_quotes():
    found, faults = records(
        {"query": "Who?", "answers": None, "document": "d1", "grade": 1},
        {"query": "Who?", "answers": float("nan"), "document": "d2", "start": 1, "end": 4},
    )
    assert (found.documents.strings(), faults.notes) == (["d1", "d2"], [])


# -- what is not a quote


@EVERY_DOOR
def test_written_answers_beside_quotes_are_noted(door):
    rows = {"question": "Who?", "evidence": "Anna", "ground_truth": "It was she.", "answer": "She"}
    found, notes = judged(door, rows)
    assert quoted(found) == [("Who?", None, "Anna")]
    what = "field" if door in (DOORS["jsonl"], DOORS["records"]) else "column"
    assert notes == [
        f"{what} 'ground_truth' is ignored: a written answer is not a quotation",
        f"{what} 'answer' is ignored: a written answer is not a quotation",
    ]


@EVERY_DOOR
@pytest.mark.parametrize("name", ["ground_truth", "answer", "reference", "expected_output"])
def test_written_answers_alone_are_refused(door, name):
    with pytest.raises(InputError) as problem:
        judged(door, {"question": "Who?", name: "It was she.", "document": "d"})
    fault = problem.value.fault
    assert f"{name!r}, a written answer and not a quotation" in fault.found
    assert "text quoted from the documents (evidence, " in fault.expected
    assert fault.remedy == f"rename {name!r} to 'evidence' if it is quoted text"


def test_retrieved_contexts_do_not_replace_those_of_the_reference():
    found, faults = records(
        {"user_input": "Who?", "contexts": ["noise"], "reference_contexts": ["Anna"]}
    )
    assert quoted(found) == [("Who?", None, "Anna")]
    assert [*map(str, faults.notes)] == [
        "field 'contexts' is ignored: 'reference_contexts' is the evidence"
    ]


def test_text_beside_quotes_is_not_a_quote():
    found, faults = records({"query": "Who?", "answers": ["Anna"], "content": "the document"})
    assert quoted(found) == [("Who?", None, "Anna")]
    assert [*map(str, faults.notes)] == [
        "field 'content' is ignored: 'answers' holds the quoted text"
    ]


@pytest.mark.parametrize(
    ("row", "found"),
    [
        ({"answers": 5}, "evidence 5"),
        ({"answers": ["An", 5]}, "the quote 5"),
        ({"answers": ["An", ""]}, "an empty quote"),
        ({"answers": [{"text": " \n"}]}, "an empty quote"),
        ({"answers": [{"document": "d"}]}, "the quote {'document': 'd'}"),
        ({"answers": [["An"]]}, "the quote ['An']"),
        ({"answers": [{"text": "An", "query": "?"}]}, "the field 'query' in a quote"),
        ({"answers": [{"text": "An", "from": 3}]}, "the field 'from', which may be the start"),
        ({"answers": ["An", "Bo"], "start": 3, "end": 5}, "1 value of start for 2 quotes"),
        (
            {"answers": ["An", "Bo"], "document": ["a", "b", "c"]},
            "3 values of document for 2 quotes",
        ),
        ({"answers": ["An"], "document": ["a", "b"]}, "2 values of document for 1 quote"),
    ],
)
def test_what_is_not_a_quote_is_refused_with_its_row(row, found):
    good = {"query": "Good?", "answers": ["yes"]}
    fault = refused(good, {"query": "Who?", **row})
    assert (fault.line, fault.found) == (2, found)
    kept, faults = records(good, {"query": "Who?", **row}, lenient=True)
    assert (quoted(kept), faults.counts.total()) == ([("Good?", None, "yes")], 1)


def test_several_values_are_asked_for_without_an_article():
    fault = refused({"query": "Who?", "answers": ["An", "Bo"], "occurrence": 1})
    assert fault.expected == "a list with one occurrence for each quote"


@pytest.mark.parametrize("cell", ['["An", "Bo"', "['An' 'Bo']", '{"text": "An"', "['An', f()]"])
def test_broken_lists_in_cells_are_refused(cell):
    quoted_cell = '"' + cell.replace('"', '""') + '"'
    with pytest.raises(InputError) as problem:
        from_csv(f"query,answers\nGood?,yes\nWho?,{quoted_cell}\n")
    assert problem.value.fault.line == 3
    assert problem.value.fault.found.startswith("a broken list")


@pytest.mark.parametrize("cell", ["[1] Cato", "[sic]", "(a)", "{x}", "['", "x ['a']"])
def test_other_text_with_brackets_is_text(cell):
    if cell == "['":
        with pytest.raises(Exception, match="a broken list"):
            quotes_in(cell)
    else:
        assert quotes_in(cell) == cell


# -- files


GOLD = {"query_id": "q1", "question": "Who?", "answers": ["Anna"]}


@pytest.mark.parametrize(
    ("text", "name"),
    [
        (json.dumps(GOLD), "jsonl"),
        (json.dumps({"question": "Who?", "contexts": ["Anna"], "document": "d"}), "jsonl"),
        (json.dumps({"topic": "q", "query": "Who?", "text": "Anna"}), "jsonl"),
        ("question,answers\nWho?,Anna", "csv"),
        ("id;question;evidence\n1;Who?;Anna", "csv"),
        ("qid\tquery\tcontexts\n1\tWho?\tAnna", "tsv"),
    ],
)
def test_files_are_recognised(text, name):
    source = Source("gold", text.encode())
    assert recognise(source, "assessments") == name
    assert len(read_assessments(source).quoted) == 1
    if '"text"' not in text and "contexts" not in text:
        with pytest.raises(InputError):
            recognise(source, "run")


def test_topics_stay_topics():
    text = b'{"topic": "q1", "query": "Who?"}\n'
    with pytest.raises(InputError, match="what looks like topics"):
        recognise(Source("topics", text), "assessments")


@EVERY_DOOR
def test_queries_beside_ranges(door):
    found, notes = judged(
        door, {"topic": "q1", "query": "Who?", "document": "d", "start": 0, "end": 4}
    )
    assert (found.queries, notes) == ({"q1": "Who?"}, [])


def test_a_query_is_text():
    row = {"topic": "q1", "document": "d", "start": 0, "end": 4}
    for query in (["Who?"], "half \ud800", 2.5):
        assert "query" in refused({**row, "query": query}).found
    assert records({**row, "query": 1984})[0].queries == {"q1": "1984"}


def test_unusual_lines_are_read_alike():
    rows = b'{"query": "Who?", "answers": ["An: a", "Bo"]}\n' * 200
    found = jsonl.read_assessments(Source("gold", rows), Faults("gold"))
    assert len(found.quoted) == 400


@pytest.mark.parametrize("name", ["context", "expected"])
def test_questions_without_quotes_say_what_is_missing(name):
    fault = refused({"question": "Who?", name: "Anna went home."})
    assert fault.found == f"questions without quoted text (columns 'question', {name!r})"
    assert fault.expected.startswith("text quoted from the documents (evidence, reference_context")
    assert fault.remedy == "rename what holds the quoted text to 'evidence'"
