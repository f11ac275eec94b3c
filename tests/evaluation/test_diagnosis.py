"""Diagnoses: each of them worked out by hand, their precedence, and their sentences."""

from __future__ import annotations

import pytest

from spanwise.data.assessments import UNKNOWN
from spanwise.errors import SpanwiseError
from spanwise.evaluation.diagnosis import (
    KINDS,
    Diagnosis,
    Evidence,
    Thresholds,
    diagnosis_of,
    share_in_words,
)
from spanwise.evaluation.evaluate import Evaluation
from spanwise.inputs.session import Session
from spanwise.inputs.settings import Settings

FINE = Evidence(
    answers=5,
    relevant_documents=1,
    listed=1,
    hit=1,
    doubtful=0,
    ranges=1,
    complete=1,
    cut=0,
    pieces=0,
    relevant=50,
    found=50,
    returned=100,
)
ONE_RANGE = {"q1": {"d1": [(100, 150)]}}
THREE_RANGES = {"q1": {"d1": [(0, 30), (50, 80), (100, 140)], "d2": []}}
FAR = [("d9", n * 10, n * 10 + 10) for n in range(8)]


def diagnosed(judged, answers, *, thresholds=None, **settings) -> Diagnosis:
    """The diagnosis of one list, from inputs as users give them."""
    limits = thresholds or Thresholds()
    session = Session(Settings(**settings))
    evaluation = session.evaluation(judged, session.measures("AP"))
    evaluation.diagnosed_answers = limits.cutoff
    listed = [(*answer, 100.0 - rank) for rank, answer in enumerate(answers)]
    session.score(evaluation, {"run": {"q1": listed}} if answers else {"run": {"q1": []}})
    (counts,) = counted(evaluation).values()
    return diagnosis_of(counts, limits)


def counted(evaluation: Evaluation) -> dict[str, Evidence]:
    """What was counted of the list of each topic."""
    return dict(pair for block in evaluation.evidence["run"] for pair in block.items())


@pytest.mark.parametrize(
    ("judged", "answers", "words"),
    [
        (ONE_RANGE, [], "no answer: the run returned nothing for this topic"),
        (ONE_RANGE, FAR, "wrong document: the relevant document is not in the list"),
        (
            {"q1": {"d1": [(0, 5)], "d2": [(0, 5)]}},
            FAR,
            "wrong document: none of the 2 relevant documents is in the list",
        ),
        (
            ONE_RANGE,
            [*FAR, ("d1", 0, 100)],
            "wrong place: a relevant document is in the list, none of its relevant text is"
            " returned",
        ),
        (
            {"q1": {"d1": [(0, 5)], "d2": [(0, 5)]}},
            [("d1", 5, 9), ("d2", 7, 9)],
            "wrong place: 2 relevant documents are in the list, none of their relevant text is"
            " returned",
        ),
        (ONE_RANGE, [*FAR, ("d1", 100, 150)], "late: first hit at rank 9"),
        (
            THREE_RANGES,
            [("d1", 0, 34)],
            "incomplete: 1 of 3 ranges, 30% of the relevant text in the first 5 answers",
        ),
        (
            ONE_RANGE,
            [("d1", 100, 101), *FAR[:5], ("d1", 100, 150)],
            "incomplete: 0 of 1 range, 2% of the relevant text in the first 5 answers",
        ),
        (
            ONE_RANGE,
            [("d1", 90, 120), ("d1", 120, 160)],
            "cut: 1 of 1 range is split between two answers",
        ),
        (
            THREE_RANGES,
            [("d1", 0, 15), ("d1", 10, 90), ("d1", 90, 120), ("d1", 120, 140)],
            "cut: 2 of 3 ranges are split between two answers",
        ),
        (
            ONE_RANGE,
            [("d1", 100, 120), ("d1", 120, 121), ("d1", 121, 150)],
            "cut: 1 of 1 range is split between three answers",
        ),
        (
            ONE_RANGE,
            [("d1", 0, 1250)],
            "noisy: 4% of what was returned is relevant",
        ),
        (ONE_RANGE, [("d1", 0, 500)], ""),
        (ONE_RANGE, [*FAR[:4], ("d1", 100, 150)], ""),
        (ONE_RANGE, [("d1", 100, 125)], ""),
    ],
)
def test_diagnoses_worked_out_by_hand(judged, answers, words):
    found = diagnosed(judged, answers)
    assert found.words == words
    assert found.kind == words.partition(":")[0]


def test_a_range_that_an_answer_has_by_itself_is_not_cut():
    answers = [("d1", 90, 120), ("d1", 120, 160), ("d1", 100, 150)]
    assert diagnosed(ONE_RANGE, answers).kind == ""


def test_the_first_that_holds_is_the_diagnosis():
    wrong = {
        "no answer": {"answers": 0},
        "wrong document": {"listed": 0},
        "wrong place": {"hit": 0},
        "late": {"hit": 6},
        "incomplete": {"complete": 0, "found": 1},
        "cut": {"cut": 1, "pieces": 2},
        "noisy": {"returned": 1000},
    }
    assert [*wrong, "not known"] == list(KINDS)
    assert diagnosis_of(FINE, Thresholds()) == ("", "")
    while wrong:
        changes = {}
        for own in reversed(wrong.values()):
            changes |= own
        kind = next(iter(wrong))
        assert diagnosis_of(FINE._replace(**changes), Thresholds()).kind == kind
        del wrong[kind]


@pytest.mark.parametrize(
    ("changes", "kind"),
    [
        ({"hit": 0, "doubtful": 3}, "not known"),
        ({"hit": 9, "doubtful": 7}, "not known"),
        ({"hit": 7, "doubtful": 9}, "late"),
        ({"hit": 2, "doubtful": 1}, ""),
        ({"complete": 0, "found": UNKNOWN}, "not known"),
        ({"complete": 0, "relevant": UNKNOWN}, "not known"),
        ({"relevant": UNKNOWN}, ""),
        ({"found": UNKNOWN}, "not known"),
        ({"returned": UNKNOWN}, "not known"),
        ({"returned": UNKNOWN, "cut": 1, "pieces": 2}, "cut"),
        ({"returned": UNKNOWN, "listed": 0}, "wrong document"),
    ],
)
def test_what_is_not_known_decides_nothing(changes, kind):
    assert diagnosis_of(FINE._replace(**changes), Thresholds()).kind == kind


def test_listed_documents_return_nothing():
    found = diagnosed(ONE_RANGE, [("d1", None, None)])
    assert found.kind == "not known"
    session = Session(Settings())
    evaluation = session.evaluation(ONE_RANGE, session.measures("AP"))
    evaluation.diagnosed_answers = 5
    session.score(evaluation, [{"topic": "q1", "document": "d1", "parts": False, "score": 1.0}])
    (counts,) = counted(evaluation).values()
    assert diagnosis_of(counts, Thresholds()).kind == "wrong place"


def test_whole_documents_need_their_lengths():
    answers = [("d1", None, None)]
    assert diagnosed(ONE_RANGE, answers).kind == "not known"
    assert diagnosed(ONE_RANGE, answers, collection={"d1": "x" * 400}).kind == ""
    assert diagnosed(ONE_RANGE, answers, collection={"d1": "x" * 4000}).words == (
        "noisy: 1% of what was returned is relevant"
    )


def test_whole_documents_are_wrong_or_late_without_any_length():
    judged = {"q1": {"d1": 1}}
    assert diagnosed(judged, [("d9", None, None)]).kind == "wrong document"
    late = [(f"n{number}", None, None) for number in range(6)]
    assert diagnosed(judged, [*late, ("d1", None, None)]).words == "late: first hit at rank 7"


def test_topics_that_are_missing_have_no_answer():
    session = Session(Settings())
    evaluation = session.evaluation({**ONE_RANGE, "q2": ONE_RANGE["q1"]}, session.measures("AP"))
    evaluation.diagnosed_answers = 5
    session.score(evaluation, {"q2": [("d1", 100, 150, 1.0)]})
    found = counted(evaluation).items()
    kinds = {topic: diagnosis_of(counts, Thresholds()).kind for topic, counts in found}
    assert kinds == {"q1": "no answer", "q2": ""}


def test_overlap_counted_as_it_is_changes_no_diagnosis():
    answers = [("d1", 0, 400)] * 3
    assert diagnosed(ONE_RANGE, answers, overlap="as-is") == diagnosed(ONE_RANGE, answers)


@pytest.mark.parametrize(
    ("thresholds", "answers", "kind"),
    [
        ({"late": 9}, [*FAR, ("d1", 100, 150)], "incomplete"),
        ({"late": 9, "cutoff": 9}, [*FAR, ("d1", 100, 150)], ""),
        ({"incomplete": 0.51}, [("d1", 100, 125)], "incomplete"),
        ({"incomplete": 0}, [("d1", 100, 101)], ""),
        ({"noisy": 0}, [("d1", 0, 100_000)], ""),
        ({"noisy": 0.6}, [("d1", 50, 150)], "noisy"),
        ({"cutoff": 1}, [("d1", 90, 120), ("d1", 120, 160)], "incomplete"),
    ],
)
def test_thresholds_move_the_limits(thresholds, answers, kind):
    assert diagnosed(ONE_RANGE, answers, thresholds=Thresholds(**thresholds)).kind == kind


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"cutoff": 0}, "cutoff must be a whole number between 1 and 1,000, got 0"),
        ({"late": 2.5}, "late must be a whole number between 1 and 1,000, got 2.5"),
        ({"incomplete": 50}, "incomplete must be between 0 and 1, got 50"),
        ({"noisy": True}, "noisy must be between 0 and 1, got True"),
        ({"noisy": float("nan")}, "noisy must be between 0 and 1, got nan"),
    ],
)
def test_impossible_thresholds_are_refused(given, message):
    with pytest.raises(SpanwiseError) as refused:
        Thresholds(**given)
    assert str(refused.value) == message


def test_exactly_the_limit_is_enough():
    """0.1 times 30 is more than 3 in floating point."""
    for number in range(1, 200):
        counts = FINE._replace(found=number, relevant=number, returned=10 * number)
        assert diagnosis_of(counts, Thresholds()).kind == ""


@pytest.mark.parametrize(
    ("part", "whole", "limit", "words"),
    [(1, 3, 0.5, "33%"), (499, 1000, 0.5, "49.9%"), (5, 1000, 0.1, "0.5%"), (7, 7, 1.0, "100.0%")],
)
def test_shares_are_not_rounded_to_their_limit(part, whole, limit, words):
    assert share_in_words(part, whole, limit) == words


def test_the_sentence_names_one_answer():
    assert diagnosed(ONE_RANGE, [("d1", 100, 110)], thresholds=Thresholds(cutoff=1)).words.endswith(
        "in the first answer"
    )
