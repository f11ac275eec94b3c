"""Results in notebooks: as HTML, and the topics to look at first."""

from __future__ import annotations

import json

import pytest
from lxml import html

import spanwise
from spanwise.reporting.results import Result

HOSTILE = "<script>alert('x')</script> & \u202e"
JUDGED = [
    {"topic": f"q{n}", "query": f"{HOSTILE} {n}?", "document": "d", "start": 0, "end": 100}
    for n in range(8)
]
GOOD = {f"q{n}": {"d": [(0, 100)]} for n in range(8)}
BAD = {f"q{n}": {"d": [(0, 10 * n + 10)]} for n in range(8)}
RUNS = {f"good {HOSTILE}": GOOD, "bad": BAD}


def results() -> dict[str, Result]:
    scores = spanwise.evaluate(JUDGED, RUNS, ["textR", "textP"])
    return {
        "scores": scores,
        "comparison": spanwise.compare(scores),
        "explanation": spanwise.explain(JUDGED, BAD, "q1", ["AgP", "textR"]),
        "worst": scores.worst(3),
        "gate": spanwise.gate(JUDGED, BAD, baseline=GOOD, fail_if="textR < 0"),
    }


@pytest.mark.parametrize("name", ["scores", "comparison", "explanation", "worst", "gate"])
def test_results_display_as_html(name):
    shown = results()[name]._repr_html_()
    found = html.fragment_fromstring(shown)
    assert found.get("class") == "spanwise"
    assert len(list(found.iter("table"))) >= 1
    assert not list(found.iter("script"))
    assert "\u202e" not in shown


@pytest.mark.parametrize("name", ["scores", "comparison", "explanation", "worst", "gate"])
def test_colours_are_left_to_the_notebook(name):
    """A dark theme has light letters: a colour or a ground of ours would hide one of the two."""
    found = html.fragment_fromstring(results()[name]._repr_html_())
    style = found.find("style").text
    assert "color:" not in style.replace("border-color:", "")
    assert "background" not in style
    assert not found.xpath(".//@style")


def test_the_worst_topics_come_first():
    scores = spanwise.evaluate(JUDGED, BAD, ["textR", "textP"])
    worst = scores.worst(2)
    assert [one.topic for one in worst.topics] == ["q0", "q1"]
    assert worst.topics[0].values == {"run": 0.1}
    assert worst.topics[0].query == f"{HOSTILE} 0?"
    assert len(scores.worst(100).topics) == 8
    assert 'q0 "<script>' in str(worst)
    assert str(worst).count("q") >= 2


def test_several_runs_are_ranked_by_their_mean():
    first = {"q0": {"d": [(0, 90)]}, "q1": {"d": [(0, 10)]}, "q2": {"d": [(0, 50)]}}
    second = {"q0": {"d": [(0, 10)]}, "q1": {"d": [(0, 20)]}}
    scores = spanwise.evaluate(JUDGED[:3], {"a": first, "b": second}, "textR")
    assert [one.topic for one in scores.worst().topics] == ["q1", "q2", "q0"]
    rows = scores.worst(1).to_polars().to_dicts()
    assert [(row["topic"], row["run"], row["value"]) for row in rows] == [
        ("q1", "a", 0.1),
        ("q1", "b", 0.2),
    ]


def test_the_worst_by_another_measure():
    scores = spanwise.evaluate(JUDGED, BAD, ["textR", "ANCE@5"], collection={"d": "x" * 500})
    costs = scores.per_topic("ANCE@5")
    found = scores.worst(1, "ANCE@5").topics[0].topic
    assert costs[found] == max(costs.values())
    with pytest.raises(spanwise.SpanwiseError, match="was not asked for"):
        scores.worst(1, "AP")
    with pytest.raises(spanwise.SpanwiseError, match="n must be"):
        scores.worst(0)


def test_topics_that_a_run_lacks_have_no_value(tmp_path):
    scores = spanwise.evaluate(
        JUDGED[:2], {"a": {"q0": {"d": [(0, 9)]}}, "b": GOOD}, "textR", missing="skip"
    )
    worst = scores.worst()
    assert worst.topics[1].values == {"b": 1.0}
    worst.save(tmp_path / "worst.json")
    assert len(json.loads((tmp_path / "worst.json").read_text())["rows"]) == 3
