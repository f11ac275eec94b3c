"""The parts of a report by themselves: curves, scales, labels, passages, names."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from lxml import etree

from spanwise import RunScores, Scores, evaluate
from spanwise.measures.nicknames import Asked, asked
from spanwise.reporting.html.charts import (
    HEIGHT,
    LABEL_HEIGHT,
    MOST_BARS,
    difference_chart,
    evenly,
    line_chart,
    spread,
)
from spanwise.reporting.html.curves import MOST, POINTS, Curve, Plan, curves_of, plans_of, points_of
from spanwise.reporting.html.differences import differences_of
from spanwise.reporting.html.escape import escaped, shortened
from spanwise.reporting.html.findings import kind_of
from spanwise.reporting.html.passages import passages
from spanwise.reporting.html.scales import by_rank, linear
from spanwise.statistics.pairing import compare_scores
from spanwise.text.names import legible

JUDGED = {"q1": {"d1": [(0, 100)], "d2": [(10, 60)]}, "q2": {"d3": [(5, 25)]}}
GENERALISED = ["Generalised precision over recall, F(beta=1)", "gP@r, F(beta=1)"]
RUN = {"q1": [("d1", 0, 60, 3.0), ("d9", 0, 5, 2.0), ("d2", 0, 60, 1.0)], "q2": []}


def measures(*names: str) -> list[Asked]:
    return [found for name in names for found in asked(name, [])]


def drawn(*names: str) -> list[Curve]:
    plans = plans_of(measures(*names))
    points = [point.measure for point in points_of(plans)]
    return curves_of(plans, evaluate(JUDGED, RUN, points)) if points else []


@pytest.mark.parametrize(
    ("names", "titles"),
    [
        (["AgP"], GENERALISED),
        (["gR@5"], GENERALISED),
        (["AgP", "gP@10", "igP@0.1", "gR@5"], GENERALISED),
        (
            ["MAep"],
            ["nxCG@k, passages(alpha=1)", "Effort-precision over gain-recall, passages(alpha=1)"],
        ),
        (["ANCE"], ["NCE@k (lower is better), LE(screen=300)"]),
        (["AiP"], ["Interpolated precision over recall of text"]),
        (["textP@5", "textR(budget=2000)"], ["textR@k"]),
        (["AP", "overlap"], []),
    ],
)
def test_which_curves_there_are(names, titles):
    assert [curve.plan.title for curve in drawn(*names)] == titles


def test_there_are_never_too_many_curves():
    assert len(plans_of(measures("all"))) == MOST


def test_points_of_curves_are_the_measures_themselves():
    recall, ranks = drawn("AgP")
    scores = evaluate(JUDGED, RUN, [f"igP@{point}" for point in POINTS] + ["gP@1", "gP@50"])
    [(_, values)] = recall.series
    assert values == tuple(scores.mean(f"igP@{point}") for point in POINTS)
    [(_, values)] = ranks.series
    assert (values[0], values[-1]) == (scores.mean("gP@1"), scores.mean("gP@50"))
    assert ranks.plan.places[-1] == 50


def test_a_deeper_measure_makes_a_longer_curve():
    [_, ranks] = plans_of(measures("gP@5", "gP@300"))
    assert ranks.places[-1] == 300
    [effort] = plans_of(measures("ANCE"))
    assert effort.places[-1] == 600


def test_gain_and_effort_curves_have_numbers():
    gain, precision, effort = drawn("nxCG@10", "NCE@5")
    assert len(gain.series[0][1]) == len(gain.plan.places)
    assert precision.plan.places == POINTS[1:]
    assert effort.series[0][1][0] >= 0


def test_scales_are_round_and_hold_everything():
    scale = linear([-3.2, 11.0], 200, 10)
    assert scale.ticks[0] <= -3.2
    assert scale.ticks[-1] >= 11.0
    assert 0.0 in scale.ticks
    assert (scale(scale.low), scale(scale.high)) == (200, 10)
    assert linear([0.0, 0.0], 0, 1).ticks == (0.0, 0.2, 0.4, 0.6, 0.8, 1.0)


def test_ranks_take_less_room_the_later_they_come():
    scale = by_rank([1, 50], 0, 100)
    assert scale(1) == 0
    assert scale(50) == 100
    assert scale(2) - scale(1) == pytest.approx(scale(20) - scale(10))
    assert by_rank([1], 0, 100)(1) == 0


def test_labels_do_not_touch():
    for ends in ([100.0] * 10, [10.0, 215.0, 215.0, 216.0], [], [5.0]):
        moved = spread(ends)
        gaps = [after - before for before, after in itertools.pairwise(moved)]
        assert all(gap >= LABEL_HEIGHT for gap in gaps)
        assert all(place <= HEIGHT for place in moved)


def test_forty_runs_look_different():
    plan = Plan("t", "x", "y", (0.0, 1.0), ())
    series = tuple((f"run {n}", (n / 40, n / 50)) for n in range(40))
    chart = line_chart(Curve(plan, series), "c", {name: n for n, (name, _) in enumerate(series)})
    root = etree.fromstring(chart.svg("c"))
    lines = [path.get("class") for path in root.iter("path") if "line" in path.get("class")]
    looks = {line.split(" ", 2)[2] for line in lines}
    assert len(looks) == len(lines) == 40
    labels = [text for text in root.iter("text") if "label" in text.get("class", "")]
    assert 0 < len(labels) < 40, "only as many labels as find room"


def test_bars_without_any_difference():
    chart = difference_chart([0.0, 0.0], "b", "t", "d", [0.0], lower=False)
    root = etree.fromstring(chart.svg("b"))
    assert [path.get("class") for path in root.iter("path")].count("zero") == 1
    assert not root.findall("path[@class='more']")


def test_of_very_many_topics_some_are_drawn():
    values = [n / 1000 for n in range(-500, 700)]
    chart = difference_chart(values, "b", "t", "d", values, lower=False)
    paths = etree.fromstring(chart.svg("b")).findall("path[@stroke-width]")
    assert sum(path.get("d").count("M") for path in paths) <= MOST_BARS
    assert evenly([3.0, 2.0, 1.0], 3) == [3.0, 2.0, 1.0]


@pytest.mark.parametrize("name", ["<b>", "a\"b'c", "\x00\x1b", "\ud800", "日本", "&amp;"])
def test_names_survive_as_attributes_and_as_texts(name):
    safe = escaped(name)
    root = etree.fromstring(f'<a b="{safe}">{safe}</a>')
    clean = "".join(c if c.isprintable() else "\N{REPLACEMENT CHARACTER}" for c in legible(name))
    assert root.text == root.get("b") == clean


def test_long_names_lose_their_middle():
    assert shortened("abc", 3) == "abc"
    assert len(shortened("a" * 50, 14)) == 14


TEXT = "".join(f"{n:04d} " for n in range(400))


def test_passages_show_what_is_around_ranges():
    shown = passages(TEXT, [(100, 110)], [(105, 120)], 1000)
    assert TEXT[60:100] in shown
    assert f'<mark class="rel">{TEXT[100:105]}</mark>' in shown
    assert f'<mark class="rel ret">{TEXT[105:110]}</mark>' in shown
    assert f'<mark class="ret">{TEXT[110:120]}</mark>' in shown
    assert TEXT[120:160] in shown
    assert TEXT[200:210] not in shown


@pytest.mark.parametrize("room", [100, 400, 2000])
def test_passages_keep_to_their_room(room):
    spans = [(start, start + 50) for start in range(0, 1900, 100)]
    shown = passages(TEXT, spans, [(0, 2000)], room)
    text = "".join(etree.fromstring(f"<p>{shown}</p>").itertext())
    assert len(text) <= room + 120


def test_passages_at_the_ends_of_a_text():
    assert passages("abc", [(0, 3)], [], 100) == '<mark class="rel">abc</mark>'
    assert passages("abc", [], [(1, 99)], 100) == 'a<mark class="ret">bc</mark>'
    assert passages("abc", [], [], 100) == ""
    assert passages("<&>", [(0, 3)], [], 100) == '<mark class="rel">&lt;&amp;&gt;</mark>'


def test_relevant_text_comes_first_where_room_is_short():
    retrieved = [(start, start + 60) for start in range(0, 1000, 100)]
    shown = passages(TEXT, [(1500, 1520)], retrieved, 100)
    assert f'<mark class="rel">{TEXT[1500:1520]}</mark>' in shown
    assert shown.startswith('<mark class="ret">')


@pytest.mark.parametrize(
    ("measure", "kinds"),
    [("AP", ("more", "less")), ("ANCE@5", ("less", "more")), ("overlap", ("", ""))],
)
def test_colours_follow_the_direction_of_the_measure(measure, kinds):
    topics = tuple(f"t{number:02}" for number in range(20))
    runs = tuple(
        RunScores(name, topics, np.array([values]), (float(np.mean(values)),))
        for name, values in (
            ("high", [0.5 + number / 100 for number in range(20)]),
            ("low", [0.1 + number / 90 for number in range(20)]),
        )
    )
    [found] = compare_scores(Scores(tuple(measures(measure)), runs))
    pair = found.pair("high", "low")
    assert (kind_of(pair, found), kind_of(pair.swapped(), found)) == kinds


def test_topics_that_are_equal_on_paper_are_ties():
    values = [0.01814897011318038, 0.01814897011318386]
    runs = tuple(
        RunScores(name, ("t1", "t2"), np.array([[value, 0.5]]), (0.25,))
        for name, value in zip("ab", values, strict=True)
    )
    scores = Scores(tuple(measures("AgP")), runs)
    assert differences_of(scores, "AgP", "a", "b") == [("t1", 0.0), ("t2", 0.0)]
