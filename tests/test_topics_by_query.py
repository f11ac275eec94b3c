"""Topics that are named by what they ask, in runs and in assessments."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import spanwise
from command import run_command

DOCUMENTS = {"d1": "Cards are fine. Cash is not.", "d2": "Ten days. Ask again."}
GOLD = [
    {"id": "a", "question": "How to  pay? ", "evidence": ["Cards are fine."]},
    {"id": "b", "question": "How long?", "evidence": ["Ten days."]},
]


def evaluated(gold: list[dict[str, object]], run: object) -> spanwise.Scores:
    return spanwise.evaluate(gold, run, "hitRR", collection=DOCUMENTS)


@pytest.mark.parametrize("asked", ["How to  pay? ", "How to pay?", " How to\npay?"])
def test_white_space_in_questions_does_not_matter(asked):
    run = {asked: ["Cash is not.", "Cards are fine."], "How long?": ["Ten days."]}
    assert evaluated(GOLD, run).per_topic("hitRR") == {"a": 0.5, "b": 1.0}


@pytest.mark.parametrize("again", ["How long?", "How long? ", "How  long?"])
def test_a_question_of_several_topics_is_refused(again):
    gold = [*GOLD, {"id": "c", "question": again, "evidence": ["Ask again."]}]
    with pytest.raises(spanwise.SpanwiseError) as refused:
        evaluated(gold, {"How to pay?": ["Cards are fine."], "How long?": ["Ten days."]})
    expected = "question 'How long?' belongs to topics b and c: key the run by topic id"
    assert str(refused.value) == expected
    by_id = evaluated(gold, {"a": ["Cards are fine."], "b": ["Ten days."], "c": ["Ask again."]})
    assert by_id.mean("hitRR") == 1.0
    others = evaluated(gold, {"How to pay?": ["Cards are fine."]})
    assert others.per_topic("hitRR") == {"a": 1.0, "b": 0.0, "c": 0.0}


# -- topics files with ids for questions

ROWS = [
    ("How to pay?", "Cards are fine.", 0, 15, "d1"),
    ("How long?", "Ten days.", 0, 9, "d2"),
]
RUN = "q000 Q0 d1 1 2.0 sys 0 15\nq001 Q0 d2 1 2.0 sys 10 10\n" + "".join(
    f"q002 Q0 d2 {rank} 1.0 sys {rank} 5\n" for rank in range(1, 21)
)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    lines = ["question,references,corpus_id"]
    for question, text, start, end, document in ROWS:
        reference = [{"content": text, "start_index": start, "end_index": end}]
        cell = json.dumps(reference).replace('"', '""')
        lines.append(f'{question},"{cell}",{document}')
    (tmp_path / "questions.csv").write_text("\n".join(lines) + "\n")
    (tmp_path / "run.fol").write_text(RUN)
    topics = [("q000", "How to  pay? "), ("q001", "How long?"), ("q002", "Why?")]
    rows = (json.dumps({"topic": topic, "query": query}) for topic, query in topics)
    (tmp_path / "topics.jsonl").write_text("\n".join(rows) + "\n")
    return tmp_path


def test_a_topics_file_joins_questions_and_ids(folder):
    words = ["evaluate", "questions.csv", "run.fol", "-m", "hit", "--topics", "topics.jsonl"]
    found = run_command([*words, "-q", "-o", "tsv"], folder)
    assert found.code == 0, found.err
    assert [line.split("\t")[2:] for line in found.out.splitlines()[1:]] == [
        *(["q000", "1.0"], ["q001", "0.0"], ["all", "0.5"])
    ]
    assert "2 topics were found by their question in the topics file" in found.err
    assert "(q000, q001)" in found.err
    assert 'q001 "How long?"' in run_command([*words, "-q"], folder).out


def test_ids_are_the_same_as_those_of_numbered_rows(folder):
    scores = [
        spanwise.evaluate(folder / "questions.csv", folder / "run.fol", ["textF", "hit"], **each)
        for each in (
            {"topics": {"q000": "How to pay?", "q001": "How long?"}},
            {"assessments_format": "chroma-numbered"},
        )
    ]
    assert scores[0].per_topic("textF") == scores[1].per_topic("textF")


def test_the_order_of_ids_need_not_be_that_of_questions():
    gold = {question: [text] for question, text, *_ in ROWS}
    topics = {"x1": "How to pay?", "x2": "How long?", "x3": "Why?"}
    run = {"x1": ["Cards are fine."], "x2": ["Cash is not.", "Ten days."]}
    scores = spanwise.evaluate(gold, run, "hitRR", collection=DOCUMENTS, topics=topics)
    assert scores.per_topic("hitRR") == {"x1": 1.0, "x2": 0.5}


def test_a_question_with_two_ids_is_refused():
    gold = {"How long?": ["Ten days."]}
    topics = {"x1": "How long?", "x2": "How  long?"}
    message = "belongs to topics x1 and x2: give assessments with topic ids"
    with pytest.raises(spanwise.SpanwiseError, match=message):
        spanwise.evaluate(gold, {}, "hitRR", collection=DOCUMENTS, topics=topics)


def test_two_questions_with_one_id_are_refused():
    gold = {"How long?": ["Ten days."], "How long? ": ["Ask again."]}
    with pytest.raises(spanwise.SpanwiseError, match="belongs to topics 'How long\\?' and"):
        spanwise.evaluate(gold, {}, "hitRR", collection=DOCUMENTS, topics={"x1": "How long?"})


def test_ids_without_their_questions_say_what_joins_them(folder):
    found = run_command(["evaluate", "questions.csv", "run.fol", "-m", "hit"], folder)
    assert found.code == 2
    assert "--assessments-format chroma-numbered if this is Chroma's CSV" in found.err
    assert "with --topics" in found.err
    (folder / "run.fol").write_text(RUN.replace("q00", "t"))
    found = run_command(["evaluate", "questions.csv", "run.fol", "-m", "hit"], folder)
    assert "chroma-numbered" not in found.err
    assert "give a file with the id and the query of each topic with --topics" in found.err
