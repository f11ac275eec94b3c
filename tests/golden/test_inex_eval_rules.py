"""What ``--compat inex_eval`` refuses, leaves out and says, beyond what the packs hold."""

from __future__ import annotations

import math
import re
from typing import Any

import pytest

from spanwise.compat.inex_eval.evaluator import OfficialEvaluation
from spanwise.compat.inex_eval.files import read_official_assessments, read_official_runs
from spanwise.data.notes import Faults
from spanwise.errors import InputError, MeasureError, PolicyError
from spanwise.evaluation.scores import RunScores
from spanwise.formats.source import Source
from spanwise.measures.grammar import Asked, parse_measure

JUDGED = "1 Q0 A 10 100 0 0:10\n2 Q0 B 0 50\n"
ANSWERS = "1 Q0 A 1 1 s 0 20\n2 Q0 B 1 1 s 0 20\n"


def score(qrels: str, run: str, measures: tuple[Asked, ...], **policy: Any) -> RunScores:
    assessments = read_official_assessments(Source("qrels", qrels.encode()), Faults("qrels"))
    (found,) = read_official_runs(Source("run", run.encode()), Faults("run"))
    return OfficialEvaluation(assessments, measures, **policy).score(found)


def asked_for(*names: str, optional: bool = False) -> tuple[Asked, ...]:
    return tuple(Asked(name, parse_measure(name), optional) for name in names)


def test_topics_without_relevant_text_are_named() -> None:
    scores = score(JUDGED, ANSWERS, asked_for("textR", "textP"))
    assert scores.means == (1.0, 0.25)
    assert math.isnan(scores.values[0, 1])
    assert [str(note) for note in scores.notes] == [
        "1 topic has no relevant text (2); no rows for textR, left out of the mean",
        "1 topic has no relevant text (2); textP 0 there, and counted in the mean",
    ]


def test_means_over_no_topic_have_no_row() -> None:
    scores = score(JUDGED, "9 Q0 A 1 1 s 0 20\n", asked_for("textR", "textP"))
    assert (scores.topics, scores.means) == ((), (None, None))


def test_counts() -> None:
    counts = score(JUDGED, ANSWERS, asked_for("AiP")).counts
    assert (counts.topics, counts.answers, counts.documents) == (2, 2, 2)
    assert (counts.relevant_documents, counts.relevant_found) == (1, 1)
    assert (counts.relevant_characters, counts.characters_found) == (10, 10)


def test_lines_of_a_topic_stand_together() -> None:
    run = ANSWERS + "1 Q0 B 3 1 s 0 20\n"
    with pytest.raises(PolicyError, match=r"^run:3: found topic 1 again after another topic, "):
        score(JUDGED, run, asked_for("AiP"))


@pytest.mark.parametrize("second", ["5 0", "0 1", "15 30"])
def test_overlap_is_refused_unless_united(second: str) -> None:
    run = f"1 Q0 A 1 1 s 0 20\n1 Q0 A 2 1 s {second}\n"
    with pytest.raises(PolicyError, match=r"^run:2: found an answer in document A that overlaps"):
        score(JUDGED, run, asked_for("gR@1"))
    assert score(JUDGED, run, asked_for("gR@1"), overlap="union").means == (1.0,)


@pytest.mark.parametrize("second", ["0 0", "20 0", "20 5", "X 5", "-1 5"])
def test_ranges_that_only_touch_are_no_overlap(second: str) -> None:
    run = f"1 Q0 A 1 1 s 0 20\n1 Q0 A 2 1 s {second}\n"
    assert score(JUDGED, run, asked_for("textR")).means == (1.0,)


def test_refused_members_of_a_nickname_are_left_out() -> None:
    run = "1 Q0 A 1 1 s 0 10\n1 Q0 A 2 1 s 10 10\n"
    members = asked_for("AgP(BEP(n=500))", "AgP(aveChP)", optional=True)
    assessments = read_official_assessments(Source("qrels", JUDGED.encode()), Faults("qrels"))
    evaluation = OfficialEvaluation(assessments, (*members, *asked_for("textP")))
    (read,) = read_official_runs(Source("run", run.encode()), Faults("run"))
    scores = evaluation.score(read)
    assert [one.label for one in evaluation.measures] == ["AgP(BEP(n=500))", "textP"]
    assert scores.means == (None, 0.5)
    assert any("AgP(BEP(n=500)) is left out: run:2: found a second" in str(n) for n in scores.notes)


@pytest.mark.parametrize(
    "name",
    ["iP@0.005", "igP@0.25", "textP@5", "textF(budget=9)", "textIoU", "gR(by=text)@5", "AP"]
    + ["AgP(by=text)", "AgP(P)", "AgP(T2Iprec(after=worst))", "gP(T2If)@5", "nDCG"],
)
def test_other_measures_do_not_exist(name: str) -> None:
    measure = re.escape(str(parse_measure(name)))
    with pytest.raises(MeasureError, match=f"^{measure} does not exist in compat='inex_eval': "):
        score(JUDGED, ANSWERS, asked_for(name))


def test_overlap_as_is_does_not_exist() -> None:
    with pytest.raises(PolicyError, match="overlap='as-is' does not exist in compat='inex_eval'"):
        score(JUDGED, ANSWERS, asked_for("AiP"), overlap="as-is")


@pytest.mark.parametrize(
    "line",
    ["1 Q0 A 1 2.5 s", '{"topic": "1", "document": "A", "start": 0, "end": 5}']
    + ["1 Q0 A 1 1 s -2 5", "1 Q0 A 1 1 s 0 -5", "1 Q0 A 1 1 s 0 five", "PAR1"],
)
def test_other_runs_are_refused(line: str) -> None:
    with pytest.raises(InputError, match="inex_eval reads INEX FOL files and no others"):
        score(JUDGED, line, asked_for("AiP"))


@pytest.mark.parametrize(
    "line", ["301 0 F 1", '{"topic": "1", "document": "A", "ranges": []}', "1 Q0 A 1 9 0 0-1"]
)
def test_other_assessments_are_refused(line: str) -> None:
    with pytest.raises(InputError, match=r"^qrels:3: found .* reads INEX FOL files and no others"):
        score(JUDGED + line, ANSWERS, asked_for("AiP"))


def test_tags_are_runs() -> None:
    lines = b"1 Q0 A 1 1 b 0 20\n1 Q0 A 1 1 a 0 5\n2 Q0 B 1 1 b X 5\n"
    runs = read_official_runs(Source("run", lines), Faults("run"))
    assert [(run.name, [answer.line for answer in run.answers]) for run in runs] == [
        ("b", [1, 3]),
        ("a", [2]),
    ]
