"""The parts of a report by themselves: curves, scales, labels, passages, names."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from lxml import etree

from spanwise import RunScores, Scores, evaluate
from spanwise.data.notes import Note
from spanwise.errors import legible
from spanwise.evaluation.curve_points import (
    MOST,
    RECALLS,
    PlannedCurve,
    planned_curves,
    with_points,
    without_points,
)
from spanwise.measures.grammar import Asked, asked
from spanwise.reporting.output import Cell, Column, Interval, Plot, Table
from spanwise.reporting.render.cells import Look
from spanwise.reporting.render.html.charts import (
    HEIGHT,
    difference_chart,
    evenly,
    line_chart,
)
from spanwise.reporting.render.html.drawing import View, chart_file, drawn
from spanwise.reporting.render.html.label_places import LABEL_HEIGHT, spread
from spanwise.reporting.render.html.scales import by_rank, linear
from spanwise.reporting.render.html.shapes import Chart
from spanwise.reporting.render.html.table_pictures import table_chart
from spanwise.reporting.report_matrix import tone_of
from spanwise.reporting.report_topics import _extremes, differences_of
from spanwise.reporting.sections import MOST_BARS, Bars, Section
from spanwise.statistics.pairing import compare_scores

JUDGED = {"q1": {"d1": [(0, 100)], "d2": [(10, 60)]}, "q2": {"d3": [(5, 25)]}}
GENERALISED = ["Generalised precision over recall, F(beta=1)", "gP@r, F(beta=1)"]
RUN = {"q1": [("d1", 0, 60, 3.0), ("d9", 0, 5, 2.0), ("d2", 0, 60, 1.0)], "q2": []}


def measures(*names: str) -> list[Asked]:
    return [found for name in names for found in asked(name)]


def curves(*names: str) -> list[tuple[str, PlannedCurve, dict[str, tuple[float, ...]]]]:
    """Titles, plans and values of the curves of some measures."""
    given = measures(*names)
    plans = planned_curves(given)
    scores = evaluate(JUDGED, RUN, with_points(given, plans))
    return [(plan.full_title(scores), plan, dict(plan.series(scores))) for plan in plans]


def svg(chart: Chart) -> etree._Element:
    root = etree.fromstring(chart_file(chart).encode())
    for part in root.iter():
        part.tag = etree.QName(part).localname
    return root


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
    assert [title for title, _, series in curves(*names) if series] == titles


def test_there_are_never_too_many_curves():
    assert len(planned_curves(measures("all"))) == MOST


def test_points_of_curves_are_the_measures_themselves():
    (_, _, recall), (_, plan, ranks) = curves("AgP")
    scores = evaluate(JUDGED, RUN, [f"igP@{point}" for point in RECALLS] + ["gP@1", "gP@50"])
    [values] = recall.values()
    assert values == tuple(scores.mean(f"igP@{point}") for point in RECALLS)
    [values] = ranks.values()
    assert (values[0], values[-1]) == (scores.mean("gP@1"), scores.mean("gP@50"))
    assert plan.places[-1] == 50


def test_a_report_says_nothing_about_points_that_could_not_be_computed():
    given = measures("AgP")
    notes = (
        Note("left out", 2, detail="no trees", names=("MAep", "AgP")),
        Note("left out", 1, detail="no trees", names=("gP@1",)),
        Note("ties", 3, detail="file"),
    )
    run = RunScores("a", ("t1",), np.array([[0.5], [0.1]]), (0.5, 0.1), notes=notes)
    kept = without_points(Scores((*given, *measures("gP@1")), (run,), notes[:1]), given)
    assert [asked.label for asked in kept.measures] == ["AgP"]
    assert kept.runs[0].means == (0.5,)
    assert kept.notes == (Note("left out", 1, detail="no trees", names=("AgP",)),)
    assert kept.runs[0].notes == (*kept.notes, notes[2])


def test_a_deeper_measure_makes_a_longer_curve():
    [_, ranks] = planned_curves(measures("gP@5", "gP@300"))
    assert ranks.places[-1] == 300
    [effort] = planned_curves(measures("ANCE"))
    assert effort.places[-1] == 600


def test_gain_and_effort_curves_have_numbers():
    (_, gain, values), (_, precision, _), (_, _, effort) = curves("nxCG@10", "NCE@5")
    assert len(values["run"]) == len(gain.places)
    assert precision.places == RECALLS[1:]
    assert effort["run"][0] >= 0


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
        moved = spread(ends, HEIGHT)
        gaps = [after - before for before, after in itertools.pairwise(moved)]
        assert all(gap >= LABEL_HEIGHT for gap in gaps)
        assert all(place <= HEIGHT for place in moved)


def test_forty_runs_look_different():
    series = tuple((f"run {n}", (n / 40, n / 50)) for n in range(40))
    plot = Plot("t", "x", "y", (0.0, 1.0), series)
    root = svg(line_chart(plot, "c", [name for name, _ in series]))
    lines = [
        path.get("class") for path in root.iter("path") if path.get("class").startswith("line")
    ]
    looks = {line.split(" ", 2)[2] for line in lines}
    assert len(looks) == len(lines) == 40
    labels = [end for end in root.iter("svg") if end.get("class", "").startswith("end")]
    shown = [end for end in labels if not end.get("class").endswith(" out")]
    assert 0 < len(shown) < len(labels) == 40, "only as many labels as find room"


def test_bars_without_any_difference():
    root = svg(difference_chart(Bars("b", "t", "d", (0.0, 0.0), (0.0,))))
    assert [line.get("class") for line in root.iter("line")].count("zero") == 1
    assert not root.findall(".//path[@class='more']")


def test_of_very_many_topics_some_are_drawn():
    values = tuple(n / 1000 for n in range(-500, 700))
    paths = svg(difference_chart(Bars("b", "t", "d", values, values))).findall(
        ".//path[@stroke-width]"
    )
    assert sum(path.get("d").count("M") for path in paths) <= MOST_BARS
    assert evenly([3.0, 2.0, 1.0], 3) == [3.0, 2.0, 1.0]


def page_with(chart: Chart) -> dict[str, object]:
    """What the template of a page needs."""
    section = Section(chart.name, chart.title, (chart.description,))
    return {
        **dict.fromkeys(
            (
                "policy",
                "style",
                "script",
                "lenient",
                "stops",
                "version",
                "finding",
                "icon",
                "searched",
            ),
            "",
        ),
        **{"title": chart.title, "skip": chart.title, "lead": (), "sections": [section]},
        "view": View(Look()),
    }


@pytest.mark.parametrize("name", ["<b>", "a\"b'c", "\x00\x1b", "\ud800", "日本", "&amp;"])
def test_names_survive_as_attributes_and_as_texts(name):
    chart = Chart(name, name, name, 10, ())
    root = etree.fromstring(drawn("page.html", **page_with(chart)).encode(), etree.HTMLParser())
    clean = "".join(c if c.isprintable() else "\N{REPLACEMENT CHARACTER}" for c in legible(name))
    assert root.findtext(".//h1") == clean
    assert root.find(".//h2").get("id") == clean
    assert svg(chart).findtext("title") == clean


def test_a_table_is_a_picture_with_the_same_texts():
    cell = Cell(-0.25, "*", interval=Interval(-0.5, 0.1), remark="p 0.010", tone="worse")
    columns = (Column("run", "text"), Column("bm25", "signed"))
    table = Table("a: row minus column", columns, (("dense", cell), ("bm25", None)), "How to read")
    root = svg(table_chart(table, "m", Look(digits=2)))
    assert [text.text for text in root.iter("text")] == [
        *("bm25", "dense", "−0.25*", "−0.50 to 0.10", "p 0.010", "bm25"),
    ]
    assert [box.get("class") for box in root.iter("rect")] == [None, "cell less h3"]
    assert root.findtext("desc") == "How to read"


@pytest.mark.parametrize(
    ("measure", "tones"),
    [("AP", ("better", "worse")), ("ANCE@5", ("worse", "better")), ("overlap", ("", ""))],
)
def test_colours_follow_the_direction_of_the_measure(measure, tones):
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
    assert (tone_of(pair, found), tone_of(pair.swapped(), found)) == tones


def test_topics_that_are_equal_on_paper_are_ties():
    values = [0.01814897011318038, 0.01814897011318386]
    runs = tuple(
        RunScores(name, ("t1", "t2"), np.array([[value, 0.5]]), (0.25,))
        for name, value in zip("ab", values, strict=True)
    )
    scores = Scores(tuple(measures("AgP")), runs)
    assert differences_of(scores, "AgP", "a", "b") == [("t1", 0.0), ("t2", 0.0)]


def test_one_topic_is_not_topics():
    said = _extremes((("q1", -0.5), ("q2", 0.25), ("q3", 0.25)), {}, lower=False)
    assert said.startswith("Better on 2, equal on 0, worse on 1 topic.")
    many = tuple((f"q{n}", 0.5) for n in range(1057))
    assert _extremes(many, {}, lower=False).startswith("Better on 1,057, equal on 0, worse on 0 ")
