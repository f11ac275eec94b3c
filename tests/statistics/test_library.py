"""``spanwise.compare`` and ``spanwise.gate``: the commands as functions."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import spanwise
from spanwise.errors import SpanwiseError
from spanwise.statistics.caveats import shared_caveats

TOPICS = [f"q{number}" for number in range(8)]
JUDGED = {topic: {"d": [(0, 100)]} for topic in TOPICS}


def answers(*sizes: int) -> dict[str, dict[str, list[tuple[int, int]]]]:
    """A run that returns these numbers of characters, for the topics in turn."""
    return {topic: {"d": [(0, sizes[n % len(sizes)])]} for n, topic in enumerate(TOPICS)}


OLD, NEW = answers(200, 125), answers(250, 160)
BOTH = {"old": OLD, "new": NEW}
GROUPS = {topic: "even" if n % 2 == 0 else "odd" for n, topic in enumerate(TOPICS)}


def test_scores_or_what_they_are_made_of() -> None:
    scores = spanwise.evaluate(JUDGED, BOTH, ["textP", "textR"])
    first = spanwise.compare(scores, test="t", baseline="old")
    second = spanwise.compare(JUDGED, BOTH, ["textP", "textR"], test="t", baseline="old")
    assert first.comparisons == second.comparisons
    assert [one.measure for one in first.comparisons] == ["textP", "textR"]
    assert first.comparisons[0].procedure.test == "t"
    assert str(first) == str(second)


def test_a_result_shows_and_converts_itself() -> None:
    result = spanwise.compare(JUDGED, BOTH, "textP", power=True, groups=GROUPS)
    assert "\nnote: group even: with 4 topics no difference can be significant:" in str(result)
    assert "old has the best mean textP (0.65" in str(result)
    assert repr(result).startswith("old has the best mean textP (0.65")
    frame = result.to_polars()
    assert frame.columns[:3] == ["measure", "a", "b"]
    assert frame.columns[-2:] == ["topics_needed", "group"]
    assert frame["group"].to_list() == [None, "even", "odd"]
    assert [group.name for group in result.groups] == ["even", "odd"]


def test_json_documents_settings_and_inputs(tmp_path: Path) -> None:
    (tmp_path / "qrels").write_text("q1 0 a 1\nq2 0 b 1\n")
    for name in ("x", "y"):
        (tmp_path / name).write_text(f"q1 Q0 a 1 1.0 {name}\nq2 Q0 b 1 1.0 {name}\n")
    (tmp_path / "groups").write_text("q1 one\nq2 two\n")
    files = [tmp_path / "x", tmp_path / "y"]
    result = spanwise.compare(
        tmp_path / "qrels", files, "AP", groups=tmp_path / "groups", missing="skip", seed=3
    )
    result.save(tmp_path / "found.json")
    found = json.loads((tmp_path / "found.json").read_text())
    assert [given["role"] for given in found["inputs"]] == ["assessments", "run", "run", "groups"]
    settings = found["settings"]
    assert (settings["missing"], settings["seed"], settings["measures"]) == ("skip", 3, ["AP"])
    assert settings["groups"] == str(tmp_path / "groups")
    assert [row["topics"] for row in found["rows"]] == [2, 1, 1]


@pytest.mark.parametrize(
    ("keywords", "message"),
    [
        ({"tset": "t"}, "unknown setting 'tset'; did you mean 'test'"),
        ({"test": "T"}, "test must be 'randomisation', 'bootstrap', 't' or 'wilcoxon', got 'T'"),
        ({"baseline": "olt"}, "no run is named olt; did you mean 'old'"),
        ({"baseline": 5}, "baseline must be the name of a run, got 5"),
        ({"power": "yes"}, "power must be True or False"),
        ({"groups": {"q99": "x"}}, "groups: none of its topics is among those compared"),
        ({"groups": []}, "groups must be {topic: group} or the path of a file"),
    ],
)
def test_what_cannot_be_compared(keywords: dict[str, Any], message: str) -> None:
    with pytest.raises(SpanwiseError, match=message):
        spanwise.compare(JUDGED, BOTH, "textP", **keywords)


def test_scores_take_nothing_that_says_how_they_come_about() -> None:
    scores = spanwise.evaluate(JUDGED, BOTH, "textP")
    compare: Any = spanwise.compare
    with pytest.raises(SpanwiseError, match="runs cannot be given with scores"):
        compare(scores, BOTH)
    with pytest.raises(SpanwiseError, match="measures and missing cannot be given with scores"):
        compare(scores, measures="AP", missing="skip")
    with pytest.raises(SpanwiseError, match="there is no run to compare"):
        compare(JUDGED)


def test_what_holds_under_every_measure_is_said_once() -> None:
    few = {"topics": TOPICS[:3]}
    result = spanwise.compare(JUDGED, BOTH, ["textP", "textR"], **few)
    notes = [str(note) for note in shared_caveats(result.comparisons)]
    shared = "with 3 topics no difference can be significant: the smallest exact p is 0.25"
    assert [note for note in notes if shared in note] == [
        f"{shared}, 0.5 after correction for 2 tests"
    ]
    assert "textR: 1 pair is equal on every topic (old and new); p is 1" in notes


def test_a_gate_passes_or_not() -> None:
    result = spanwise.gate(JUDGED, NEW, baseline=OLD, fail_if="textP < -0.1", require=["textR > 0"])
    assert not result.passed
    assert [outcome.rule.measure for outcome in result.broken] == ["textP"]
    assert repr(result).splitlines()[0] == (
        "FAIL: run against run (baseline), 8 topics, 1 of 2 rules is broken"
    )
    frame = result.to_polars()
    assert frame["failed"].to_list() == [True, False]
    assert frame["ahead"].to_list() == [pytest.approx(-0.1375), None]
    assert spanwise.gate(JUDGED, OLD, baseline=NEW, fail_if="textP < -0.1").passed


def test_a_gate_that_cannot_be_tried() -> None:
    with pytest.raises(SpanwiseError, match="a gate needs a rule; give fail_if="):
        spanwise.gate(JUDGED, NEW)
    with pytest.raises(SpanwiseError, match="to be worse than; give baseline="):
        spanwise.gate(JUDGED, NEW, fail_if="textP significantly worse")
