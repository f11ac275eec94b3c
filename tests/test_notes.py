"""Notes are values: their words are chosen once, for the command line or for Python."""

from __future__ import annotations

import string

import pytest

from spanwise import evaluate
from spanwise.data.notes import WORDS, Note, grouped

JUDGED = {"q1": {"d1": [(0, 10)]}, "q2": {"d1": [(0, 10)]}}
RUNS = {
    "first": {"q1": [("d1", 0, 10, 2.0), ("d2", 0, 10, 1.0)]},
    "second": {"q1": [("d1", 0, 10, 2.0), ("d8", 0, 9, 1.5), ("d9", 0, 9, 1.5)]},
}


@pytest.mark.parametrize("kind", WORDS)
@pytest.mark.parametrize("count", [1, 2])
def test_every_kind_has_words_for_one_and_for_several(kind: str, count: int) -> None:
    note = Note(kind, count, of=4, detail="x", names=("a", "b"))
    text = note.said("command line")
    assert text
    assert not set("[]{}|") & set(text)
    assert "--" not in note.said("python")


@pytest.mark.parametrize("kind", WORDS)
def test_words_use_only_what_a_note_holds(kind: str) -> None:
    fields = {name for _, name, _, _ in string.Formatter().parse(WORDS[kind]) if name}
    assert fields <= {"n", "of", "share", "detail", "names", "every"}


def test_settings_are_flags_on_the_command_line_and_keywords_in_python() -> None:
    note = Note("unverified", 2)
    assert note.said("command line").endswith("give --collection")
    assert note.said("python").endswith("give collection=...")


def test_notes_of_one_kind_are_one_note_with_the_sums_of_several_runs() -> None:
    scores = evaluate(JUDGED, RUNS, ["AP"])
    unjudged = [note for note in scores.all_notes() if note.kind == "unjudged"]
    assert [(note.count, note.of, note.runs) for note in unjudged] == [
        (1, 2, ("first",)),
        (2, 3, ("second",)),
    ]
    together = {note.kind: note for note in grouped(scores.all_notes())}
    assert str(together["unjudged"]) == (
        "2 runs: 3 of 5 retrieved documents (60%) are unjudged; counted as not relevant"
    )
    assert str(together["ties"]).startswith("second: 2 answers have tied scores")


def test_what_the_assessments_lack_is_not_added_up_over_runs() -> None:
    judged = {**JUDGED, "q3": {"d1": []}}
    scores = evaluate(judged, RUNS, ["AP"])
    assert [note.count for note in scores.all_notes() if note.kind == "no relevant text"] == [1]


def test_one_run_is_not_named() -> None:
    scores = evaluate(JUDGED, RUNS["first"], ["AP"])
    assert all(note.runs == () for note in scores.all_notes())


def test_kinds_that_runs_share_are_not_added_up() -> None:
    left = [Note("left out", 1, detail="why", names=("AP",), runs=(run,)) for run in "ab"]
    [both] = grouped(left)
    assert (both.count, both.names, both.runs) == (1, ("AP",), ("a", "b"))


def test_json_has_every_figure_and_the_sentence() -> None:
    note = Note("unjudged", 1, of=4, runs=("first",))
    assert note.to_dict() == {
        "kind": "unjudged",
        "count": 1,
        "of": 4,
        "runs": ["first"],
        "text": "first: 1 of 4 retrieved documents (25%) is unjudged; counted as not relevant",
    }


def test_topics_that_several_runs_lack_are_not_added_up() -> None:
    runs = {"first": {"q1": [("d1", 0, 10, 2.0)]}, "second": {"q1": [("d1", 0, 5, 2.0)]}}
    [missing] = grouped(evaluate(JUDGED, runs, ["AP"]).all_notes())
    assert str(missing) == "each of 2 runs: 1 topic is missing from the run; scored 0 (q2)"
