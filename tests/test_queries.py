"""Query texts: they travel with the assessments and are shown beside every topic."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from lxml import html

import spanwise
from command import run_command
from spanwise.reporting.topic_names import shortened, topic_name, topic_names

RANGES = [
    {"topic": "q1", "query": "Who was\nfirst?", "document": "d1", "start": 0, "end": 10},
    {"topic": "q1", "query": "Who was\nfirst?", "document": "d2", "start": 5, "end": 10},
    {"topic": "q2", "query": "When, and why then?", "document": "d1", "start": 20, "end": 40},
    {"topic": "q3", "document": "d1", "start": 20, "end": 40},
]
QUERIES = {"q1": "Who was\nfirst?", "q2": "When, and why then?"}
GOOD = {"q1": {"d1": [(0, 10)]}, "q2": {"d1": [(20, 40)]}, "q3": {"d1": [(20, 30)]}}
BAD = {"q1": {"d1": [(8, 18)]}, "q2": {"d1": [(30, 60)]}, "q3": {"d1": [(20, 40)]}}
RUNS = {"good": GOOD, "bad": BAD}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "qrels.jsonl").write_text("".join(json.dumps(row) + "\n" for row in RANGES))
    for name, run in RUNS.items():
        rows = (
            {"topic": topic, "document": document, "start": start, "end": end, "rank": 1}
            for topic, documents in run.items()
            for document, [(start, end)] in documents.items()
        )
        (tmp_path / f"{name}.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    return tmp_path


# -- how a topic is named


def test_a_topic_has_its_query_beside_it():
    assert topic_name("q1", QUERIES) == 'q1 "Who was first?"'
    assert topic_name("q3", QUERIES) == "q3"
    assert topic_name("q1", {"q1": " \n"}) == "q1"
    assert topic_name("Who?", {"Who?": "Who?"}) == "Who?"


@pytest.mark.parametrize("longest", range(8, 40))
def test_queries_are_cut_between_words(longest):
    text = "one three fourteen two twenty-five"
    found = shortened(text, longest)
    assert len(found) <= longest
    if longest >= len(text):
        assert found == text
    else:
        *words, dots = found.split(" ")
        assert dots == "..."
        assert text.split(" ")[: len(words)] == words


def test_text_without_blanks_is_cut_between_letters():
    assert shortened("x" * 100, 20) == "x" * 17 + "..."
    assert shortened("e\u0301" * 50, 20) == "e\u0301" * 8 + "..."


def test_nothing_in_a_query_is_obeyed():
    assert topic_name("q1", {"q1": "a\x1b[2Jb\u202ec\x00"}) == 'q1 "a[2Jbc"'


def test_topics_that_would_look_alike_are_shown_in_full():
    long = "what is it that " * 10
    topics = [long + "A", long + "B", "short"]
    names = topic_names(topics, {topic: topic for topic in topics})
    assert names[topics[0]] == topics[0]
    assert names["short"] == "short"
    other = topic_names([topics[0]], {topics[0]: topics[0]})
    assert len(other[topics[0]]) <= 60


# -- where queries come from


def test_queries_are_kept_with_the_assessments():
    judged = spanwise.gold(RANGES)
    assert judged.queries == QUERIES
    assert judged.only({"q2"}).queries == {"q2": QUERIES["q2"]}


@pytest.mark.parametrize("ending", ["jsonl", "csv", "tsv", "parquet", "jsonl.gz"])
def test_queries_survive_being_written(tmp_path, ending):
    file, again = tmp_path / f"gold.{ending}", tmp_path / f"again.{ending}"
    assert spanwise.convert(spanwise.gold(RANGES), file) == ()
    judged = spanwise.read_assessments(file)
    assert judged.queries == QUERIES
    assert judged.relevant.to_lists() == spanwise.gold(RANGES).relevant.to_lists()
    assert spanwise.convert(file, again) == ()
    assert again.read_bytes() == file.read_bytes()


def test_each_query_is_written_once(tmp_path):
    spanwise.convert(spanwise.gold(RANGES), tmp_path / "gold.jsonl")
    rows = [json.loads(line) for line in (tmp_path / "gold.jsonl").read_text().splitlines()]
    asked = [(row["document"], row["query"]) for row in rows if "query" in row]
    assert asked == [("d1", QUERIES["q1"]), ("d1", QUERIES["q2"])]


def test_formats_without_queries_say_that_they_are_lost(tmp_path):
    rows = [{**row, "grade": 1} for row in RANGES]
    notes = spanwise.convert(spanwise.gold(rows), tmp_path / "gold.trec")
    assert "queries are lost (2)" in map(str, notes)


def test_runs_in_memory_are_written(tmp_path):
    spanwise.convert(
        spanwise.read_run(_file(tmp_path, '{"topic": "q", "document": "d", "rank": 1}\n')),
        tmp_path / "run.trec",
    )
    assert (tmp_path / "run.trec").read_text() == "q Q0 d 1 1.0 given\n"
    with pytest.raises(spanwise.SpanwiseError, match="what is converted must be a file"):
        spanwise.convert(5, tmp_path / "out.jsonl")


def _file(folder, text):
    (folder / "given.jsonl").write_text(text)
    return folder / "given.jsonl"


def test_several_files_of_one_folder(tmp_path):
    (tmp_path / "gold").mkdir()
    for number, row in enumerate(RANGES[2:]):
        (tmp_path / "gold" / f"{number}.jsonl").write_text(json.dumps(row) + "\n")
    assert spanwise.read_assessments(tmp_path / "gold").queries == {"q2": QUERIES["q2"]}


DOCUMENTS = {"d1": "Cards are fine. Cash is not.", "d2": "Ten days."}


def test_a_dictionary_of_questions_has_quoted_answers():
    quotes = {"How to pay?": ["Cards are fine."], "How long?": ("Ten days.",), "Why?": []}
    found = spanwise.gold(quotes, collection=DOCUMENTS)
    records = [{"question": topic, "answers": list(given)} for topic, given in quotes.items()]
    same = spanwise.gold(records, collection=DOCUMENTS)
    assert found.relevant.to_lists() == same.relevant.to_lists() == [[(0, 9)], [(0, 15)]]
    assert found.queries == same.queries
    assert "no quotes" in {note.kind for note in found.notes}


def test_texts_and_ranges_are_judgements_beside_each_other():
    judged = {"How to pay?": ["Cards are fine."], "How long?": {"d2": [(0, 3)]}}
    assert spanwise.gold(judged, collection=DOCUMENTS).relevant.to_lists() == [[(0, 3)], [(0, 15)]]


def test_a_text_that_is_no_list_of_quotes_is_refused():
    with pytest.raises(spanwise.SpanwiseError, match="a list of quoted texts"):
        spanwise.gold({"How long?": "Ten days."}, collection=DOCUMENTS)


def test_a_list_of_texts_is_its_ranking():
    quotes = {"How long?": ["Ten days."]}
    run = {"How long?": ["Cash is not.", "Ten days."]}
    scores = spanwise.evaluate(quotes, run, "hitRR", collection=DOCUMENTS)
    assert scores.mean("hitRR") == 0.5
    assert "no order" not in {note.kind for note in scores.all_notes()}


def test_other_units_keep_queries():
    row = {"topic": "q1", "query": "Who?", "document": "d1", "start": 0, "end": 5}
    judged = spanwise.gold([row], unit="byte", collection={"d1": "über alle"})
    assert (judged.queries, judged.relevant.to_lists()) == ({"q1": "Who?"}, [[(0, 4)]])


# -- topics files


TOPICS = '{"topic": "q1", "query": "First?"}\n{"topic": "q9", "query": "Ninth?"}\n'
XML = '<inex-topic-file><topic id="q1"><title>First?</title></topic></inex-topic-file>'


def test_a_topics_file_tells_queries(folder):
    (folder / "topics.jsonl").write_text(TOPICS)
    given = ("evaluate", "qrels.jsonl", "good.jsonl", "-m", "textR", "-q", "--topics")
    done = run_command([*given, "topics.jsonl"], folder)
    assert 'q1 "First?"' in done.out
    assert "q2" not in done.out
    assert "note: 1 topic of the topics file is not in the assessments; ignored (q9)" in done.err
    (folder / "topics.xml").write_text(XML)
    assert 'q1 "First?"' in run_command([*given, "topics.xml"], folder).out


def test_topics_with_queries_in_python(folder):
    (folder / "topics.jsonl").write_text(TOPICS)
    topics = spanwise.read_topics(folder / "topics.jsonl")
    assert topics == {"q1": "First?", "q9": "Ninth?"}
    scores = spanwise.evaluate(RANGES, GOOD, "textR", topics=topics)
    assert (scores.queries, scores.runs[0].topics) == ({"q1": "First?"}, ("q1",))
    assert scores.settings.to_dict()["topics"] == ["q1", "q9"]
    with pytest.raises(spanwise.SpanwiseError, match="topic q9 is not in the assessments"):
        spanwise.evaluate(RANGES, GOOD, "textR", topics={"q9": "Ninth?"})
    with pytest.raises(spanwise.SpanwiseError, match="each of the queries of topics must be text"):
        spanwise.evaluate(RANGES, GOOD, "textR", topics={"q1": 5})


# -- where queries are shown


def test_tables_of_topics_show_queries():
    one = spanwise.evaluate(RANGES, GOOD, "textR").output(per_topic=True).tables[0]
    assert [row[0] for row in one.rows] == [
        *('q1 "Who was first?"', 'q2 "When, and why then?"', "q3", "all")
    ]
    several = spanwise.evaluate(RANGES, RUNS, "textR").output(per_topic=True).tables[0]
    assert [row[0] for row in several.rows] == [row[0] for row in one.rows]


def test_rows_for_programs_have_topics_alone(folder):
    scores = spanwise.evaluate(RANGES, GOOD, "textR")
    assert {tuple(row) for row in scores.rows()} == {
        ("run", "measure", "canonical", "topic", "value")
    }
    scores.save(folder / "scores.json", per_topic=True)
    found = json.loads((folder / "scores.json").read_text())
    assert found["queries"] == QUERIES
    assert {row["topic"] for row in found["rows"]} == {"q1", "q2", "q3", "all"}
    spanwise.evaluate(RANGES[3:], GOOD, "textR").save(folder / "none.json")
    assert "queries" not in json.loads((folder / "none.json").read_text())


def test_explanations_name_the_query(folder):
    done = run_command(
        ["explain", "qrels.jsonl", "good.jsonl", "--topic", "q1", "-m", "textR"], folder
    )
    assert 'topic q1 "Who was first?"' in " ".join(done.out.split())
    found = spanwise.explain(RANGES, GOOD, "q1", "textR")
    assert found.explanations[0].to_dict()["query"] == QUERIES["q1"]


def test_reports_name_queries(tmp_path):
    hostile = [{**row, "query": "<b>Who & when?"} if "query" in row else row for row in RANGES]
    spanwise.report(hostile, RUNS, ["textR"]).save(tmp_path / "report.html")
    page = html.fromstring((tmp_path / "report.html").read_text())
    text = page.text_content()
    assert "<b>Who & when?" in [link.text_content() for link in page.iter("bdi")]
    assert 'Loses most on q1 "<b>Who & when?"' in " ".join(text.split())
    assert 'q2 "<b>Who & when?"' in [cell.text_content() for cell in page.iter("th")]


# -- the object itself


def test_assessments_of_the_library_bring_their_notes(folder):
    rows = [*RANGES, {"query": "Nothing?", "evidence": []}]
    judged = spanwise.gold(rows)
    assert [note.kind for note in judged.notes] == ["no quotes"]
    assert "no quotes" in [note.kind for note in spanwise.evaluate(judged, GOOD).notes]


def test_queries_that_only_the_run_knows_are_shown():
    asked = {"q1": "Who was first?", "q2": "When?"}
    run = spanwise.collect(lambda query: [("d1", 0, 10)], asked)
    judged = {"q1": {"d1": [(0, 10)]}, "q2": {"d1": [(50, 60)]}}
    scores = spanwise.evaluate(judged, run, "hitRR")
    assert scores.queries == asked
    assert 'q2 "When?"' in str(scores.worst())
    known = [{"topic": "q2", "query": "Why?", "document": "d1", "start": 50, "end": 60}]
    assert spanwise.evaluate(known, run, "hitRR").queries["q2"] == "Why?"
