"""What operations make of a judgement: the rules, and the laws of undo and redo."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assessing.operations import ASPECTS, GRADES, LENGTH, SlowJudgement, drawn_operations
from spanwise.assessing.judgement import Judgement, Refused, as_json
from spanwise.assessing.operations import (
    History,
    Reanchor,
    Redo,
    Scale,
    Undo,
    applied,
    operation_of,
    require_possible,
)

SCALE = Scale(GRADES, ASPECTS)


def played(operations, history=History()):  # noqa: B008
    """The history after those operations that are not refused."""
    for each in operations:
        try:
            history = applied(history, operation_of(each))
        except Refused:
            continue
    return history


def state(*operations):
    return as_json(played(operations).judgement)


def highlight(start, end, **label):
    return {"kind": "highlight", "start": start, "end": end, **label}


@given(st.lists(drawn_operations(), max_size=30))
def test_states_are_those_of_the_slow_twin(operations):
    history, slow = History(), SlowJudgement()
    for each in operations:
        try:
            slow.apply(each)
        except Refused:
            with pytest.raises(Refused):
                applied(history, operation_of(each))
            continue
        history = applied(history, operation_of(each))
        assert as_json(history.judgement) == slow.as_json()
        assert bool(history.before) == (slow.place > 0)
        assert bool(history.undone) == (slow.place < len(slow.states) - 1)


@given(st.lists(drawn_operations(), max_size=30))
def test_passages_are_sorted_disjoint_and_inside_the_document(operations):
    for each in operations:
        require_possible(operation_of(each), LENGTH, SCALE)
    passages = played(operations).judgement.passages
    edges = [edge for passage in passages for edge in (passage.start, passage.end)]
    assert edges == sorted(edges)
    assert all(passage.start < passage.end for passage in passages)
    assert not edges or 0 <= edges[0] <= edges[-1] <= LENGTH
    for left, right in pairwise(passages):
        assert left.end < right.start or not left.is_labelled_like(right)


@given(st.lists(drawn_operations(), max_size=20), drawn_operations(timing=False))
def test_undo_restores_what_was_there_and_redo_what_was_undone(operations, last):
    before = played(operations)
    after = played([last], before)
    if last["kind"] in ("undo", "redo") or after == before:
        return
    assert applied(after, Undo()).judgement == before.judgement
    assert applied(applied(after, Undo()), Redo()) == after
    assert after.undone == ()


@given(st.lists(drawn_operations(), max_size=20), st.lists(drawn_operations(), max_size=20))
def test_the_same_operations_make_the_same_history_in_one_go_or_in_two(first, second):
    assert played(second, played(first)) == played([*first, *second])


@given(st.lists(drawn_operations(), max_size=20))
def test_undoing_everything_leads_back_to_nothing(operations):
    history = played(operations)
    for _ in operations:
        history = applied(history, Undo())
    assert history.judgement == Judgement()
    assert history.before == ()


def test_what_is_highlighted_again_with_the_same_label_is_one_passage():
    assert state(highlight(0, 3), highlight(6, 9), highlight(3, 6))["passages"] == [
        {"start": 0, "end": 9}
    ]


def test_another_label_is_cut_out_of_what_was_there():
    assert state(highlight(0, 9, grade=1), highlight(3, 6, grade=2, aspects=["b", "a", "b"]))[
        "passages"
    ] == [
        {"start": 0, "end": 3, "grade": 1},
        {"start": 3, "end": 6, "grade": 2, "aspects": ["a", "b"]},
        {"start": 6, "end": 9, "grade": 1},
    ]


def test_an_entry_point_stays_when_its_text_is_no_longer_highlighted():
    kept = state(
        highlight(0, 5), {"kind": "entry", "at": 2}, {"kind": "remove", "start": 1, "end": 4}
    )
    assert kept == {
        "passages": [{"start": 0, "end": 1}, {"start": 4, "end": 5}],
        "entry": 2,
        "status": "open",
    }


def test_not_relevant_removes_passages_and_entry_and_highlighting_opens_again():
    refused = [highlight(0, 5), {"kind": "entry", "at": 2}, {"kind": "not relevant"}]
    assert state(*refused) == {"passages": [], "entry": None, "status": "not relevant"}
    assert state(*refused, highlight(1, 2))["status"] == "open"
    assert state(highlight(0, 5), {"kind": "done"}, highlight(7, 8))["status"] == "relevant"


@pytest.mark.parametrize("passages", [[], [highlight(0, 5, grade=0)]])
def test_done_needs_something_relevant(passages):
    with pytest.raises(Refused, match="highlight something, or choose not relevant"):
        applied(played(passages), operation_of({"kind": "done"}))


@pytest.mark.parametrize(
    "last", [{"kind": "remove", "start": 0, "end": 9}, highlight(0, 9, grade=0)]
)
def test_what_was_relevant_is_open_again_when_nothing_relevant_is_left(last):
    finished = [highlight(0, 5, grade=1), {"kind": "done"}]
    assert state(*finished, last)["status"] == "open"
    assert state(*finished, last, {"kind": "undo"}) == state(*finished)
    assert state(*finished, {"kind": "remove", "start": 1, "end": 9})["status"] == "relevant"


def test_what_changes_nothing_cannot_be_undone_and_keeps_what_can_be_redone():
    history = played([highlight(0, 5), highlight(6, 8), {"kind": "undo"}, highlight(1, 3)])
    assert len(history.before) == len(history.undone) == 1


def test_a_reanchored_judgement_has_no_earlier_states():
    moved = Judgement(status="not relevant")
    assert applied(played([highlight(0, 5)]), Reanchor(moved)) == History(moved)


@pytest.mark.parametrize(
    ("operation", "message"),
    [
        ({"kind": "highlight", "start": True, "end": 3}, "Expected `int`, got `bool`"),
        ({"kind": "highlight", "start": 1.0, "end": 3}, "Expected `int`, got `float`"),
        ({"kind": "highlight", "start": "1", "end": 3}, "Expected `int`, got `str`"),
        ({"kind": "highlight", "start": 1}, "missing required field `end`"),
        ({"kind": "highlight", "start": 1, "end": 2, "colour": 1}, "unknown field `colour`"),
        ({"kind": "entry"}, "missing required field `at`"),
        ({"kind": "reanchor", "state": {}}, "Invalid value 'reanchor'"),
        ({"kind": "erase"}, "Invalid value 'erase'"),
        ({"start": 1, "end": 2}, "missing required field `kind`"),
        (["highlight", 1, 2], "Expected `object`"),
        (None, "Expected `object`"),
    ],
)
def test_what_is_no_operation_is_refused(operation, message):
    with pytest.raises(Refused, match=message):
        operation_of(operation)


@pytest.mark.parametrize(
    ("operation", "message"),
    [
        (highlight(3, 3, grade=1), r"range \[3, 3\) is not inside the document of 12 characters"),
        (highlight(5, 3, grade=1), r"range \[5, 3\)"),
        (highlight(-1, 3, grade=1), r"range \[-1, 3\)"),
        (highlight(3, 13, grade=1), r"range \[3, 13\)"),
        (highlight(3, 2**70, grade=1), r"range \[3, 11805"),
        ({"kind": "remove", "start": 3, "end": 13}, r"range \[3, 13\)"),
        ({"kind": "entry", "at": 12}, "entry point 12 is not inside"),
        ({"kind": "entry", "at": -1}, "entry point -1"),
        (highlight(1, 2), "grade None is none of 0, 1, 2"),
        (highlight(1, 2, grade=3), "grade 3 is none of 0, 1, 2"),
        (highlight(1, 2, grade=1, aspects=["a", "c"]), "aspect 'c' is none of b, a"),
    ],
)
def test_what_the_document_or_the_scale_does_not_allow_is_refused(operation, message):
    with pytest.raises(Refused, match=message):
        require_possible(operation_of(operation), LENGTH, SCALE)


def test_without_a_scale_there_are_no_grades_and_no_aspects():
    require_possible(operation_of(highlight(1, 2)), LENGTH, Scale())
    with pytest.raises(Refused, match="there is no scale of grades"):
        require_possible(operation_of(highlight(1, 2, grade=1)), LENGTH, Scale())
    with pytest.raises(Refused, match="there is no scale of aspects"):
        require_possible(operation_of(highlight(1, 2, aspects=["a"])), LENGTH, Scale())
