"""Where the parts of charts, strips and topics go."""

from __future__ import annotations

import itertools

import pytest
from markupsafe import Markup

from spanwise.errors import spoken
from spanwise.reporting.first_screen import CostPoint, Forest, ForestRow, FoundAgainstCost
from spanwise.reporting.output import Cell, Column, Interval, Table
from spanwise.reporting.render.html.cost_plot import cost_chart, cost_numbers
from spanwise.reporting.render.html.forest_plot import forest_chart, forest_numbers
from spanwise.reporting.render.html.heat import heat_of, is_matrix
from spanwise.reporting.render.html.label_places import Box, beside_points
from spanwise.reporting.render.html.scales import snug
from spanwise.reporting.render.html.series_looks import COLOURS, looks_of
from spanwise.reporting.render.html.shapes import Element, fitting, label_width
from spanwise.reporting.render.html.strip_drawing import bars, order_numbers, window_bar, window_of
from spanwise.reporting.render.html.topic_drawing import TopicFacts, drawn_topics, left_out
from spanwise.reporting.sections import Strip
from spanwise.reporting.topic_failures import FailedList, FailedTopic, Group, TopicFailures

ROOM = Box(0, 0, 300, 200)


def label_boxes(points, widths):
    for (x, y), width, found in zip(
        points, widths, beside_points(points, widths, ROOM), strict=True
    ):
        if found is not None:
            left = x + 10 if found.right else x - 10 - width
            yield Box(left, y + found.down - 7, left + width, y + found.down + 7)


@pytest.mark.parametrize(
    "points",
    [
        [(100, 100), (104, 102), (102, 98), (106, 104)],
        [(290, 10), (295, 190), (5, 5), (150, 100)],
        [(100 + n, 100) for n in range(12)],
    ],
)
def test_labels_of_points_do_not_touch_and_stay_inside(points):
    boxes = list(label_boxes(points, [60.0] * len(points)))
    assert len(boxes) >= min(len(points), 4)
    assert all(box.inside(ROOM) for box in boxes)
    assert not any(a.touches(b) for a, b in itertools.combinations(boxes, 2))


def test_a_label_stays_beside_its_point_where_it_can():
    [one] = beside_points([(50, 50)], [60], ROOM)
    assert (one.right, one.down) == (True, 0)
    [one] = beside_points([(280, 50)], [60], ROOM)
    assert (one.right, one.down) == (False, 0)


def test_the_first_point_has_its_label_among_any_number():
    crowd = [
        (150.0, 100.0),
        *((float(x), float(y)) for x in range(0, 300, 9) for y in range(0, 200, 9)),
    ]
    places = beside_points(crowd, [60.0] * len(crowd), ROOM)
    assert places[0] is not None
    assert places.count(None) > 100


# -- names and colours


def test_looks_follow_from_names_alone():
    names = [f"run {number}" for number in range(8)]
    looks = looks_of(names)
    assert looks == looks_of(names[::-1])
    assert len({look.colour for look in looks.values()}) == COLOURS
    assert len(set(looks_of(f"run {n}" for n in range(40)).values())) == 40


def test_a_name_keeps_its_colour_when_others_come_later():
    few, more = looks_of(["a", "b"]), looks_of(["a", "b", "z"])
    assert {name: more[name] for name in few} == few


@pytest.mark.parametrize("name", ["x" * 300, "検索" * 40, "ABC" * 50, "short", ""])
def test_names_are_clipped_to_their_room(name):
    assert label_width(fitting(name, 90)) <= 90
    assert fitting("short", 90) == "short"


# -- the charts of the first screen


def row(run: str, mean: float, status: str = "close", width: float = 0.1) -> ForestRow:
    ends = None if not width else Interval(mean - width, mean + width)
    return ForestRow(run, mean, ends, None if status == "best" else mean - 0.5, status)


def forest(*rows: ForestRow) -> Forest:
    return Forest("means", "Which?", "AgP", rows)


def svg_text(element: Element | str) -> str:
    return element if isinstance(element, str) else "".join(map(svg_text, element.content))


def texts(shapes: tuple[Element, ...], look: str) -> list[str]:
    return [svg_text(shape) for shape in shapes if shape.tag == "text" and shape.look == look]


def test_worse_runs_are_below_the_line():
    chart = forest_chart(forest(row("a", 0.5, "best"), row("w", 0.45, "worse"), row("b", 0.4)))
    assert texts(chart.shapes, "name") == ["a", "b", "w"]
    [border] = [shape for shape in chart.shapes if shape.look == "border"]
    assert border.attributes["y1"] == "72"
    assert chart.narrow is not None
    assert texts(chart.narrow.shapes, "name") == ["a", "b", "w"]


@pytest.mark.parametrize("rows", [[row("a", 0.5, "best")], [row("a", 0.5, "best", 0.0)]])
def test_a_single_run_has_a_chart(rows):
    chart = forest_chart(forest(*rows))
    assert not [shape for shape in chart.shapes if shape.look in ("border", "reach")]
    assert "nan" not in repr(chart)
    table = forest_numbers(forest(*rows))
    interval = ["interval"] if rows[0].interval else []
    assert [column.name for column in table.columns] == ["run", "mean", *interval]


def test_everything_of_a_forest_plot_is_inside():
    rows = [row(f"run {n}", 0.5 - n / 9, "best" if not n else "worse") for n in range(40)]
    chart = forest_chart(forest(*rows))
    for shape in (*chart.shapes, *chart.narrow.shapes):
        for side in ("x", "x1", "x2", "cx"):
            assert 0 <= float(shape.attributes.get(side, "0%").rstrip("%")) <= 100


def test_equal_means_have_a_scale():
    assert snug([0.5, 0.5], 0, 100).low < 0.5 < snug([0.5, 0.5], 0, 100).high
    assert snug([0.0], 0, 100)(0.0) == 50
    assert snug([], 0, 100).ticks


def test_points_say_what_they_are():
    points = (CostPoint("all", 0.8, 0.14, "worse"), CostPoint("best", 0.4, 0.6, "best"))
    chart = cost_chart(FoundAgainstCost("cost", "t", "s", points))
    shown = [shape for shape in chart.shapes if shape.look == "point"]
    assert [svg_text(shape.content[-1]) for shape in shown] == ["all", "best"], "the best is on top"
    assert "all: 80% of the relevant text, 14% of what it returns is relevant" in chart.description
    assert cost_numbers(FoundAgainstCost("cost", "t", "s", points)).rows[0] == ("all", 0.8, 0.14)


def test_small_shares_have_a_scale_of_their_own():
    points = (CostPoint("a", 0.7, 0.003, "best"), CostPoint("b", 0.3, 0.02, "close"))
    chart = cost_chart(FoundAgainstCost("cost", "t", "s", points))
    places = [float(s.attributes["x"].rstrip("%")) for s in chart.shapes if s.look == "point"]
    assert places[0] - places[1] > 40
    assert "2%" in texts(chart.shapes, "axis")


# -- heat


def test_heat_is_tone_by_significance_and_strength_by_size():
    cells = (Cell(0.3, tone="better"), Cell(-0.05, tone="worse"), Cell(0.02), Cell(None))
    columns = (Column("run", "text"), *(Column(name, "signed") for name in "abcd"))
    heat = heat_of(Table("t", columns, (("r", *cells),)))
    assert [heat(cell) for cell in cells] == ["more h3", "less h1", "", ""]


def test_a_matrix_without_a_direction_has_strength_alone():
    columns = (Column("measure", "text"), Column("a"), Column("b"))
    table = Table("tau", columns, (("a", 1.0, 0.2), ("b", 0.2, 1.0)))
    assert is_matrix(table)
    assert [heat_of(table)(cell) for cell in next(table.cells())[1:]] == ["near h3", "near h1"]
    assert not is_matrix(replace_rows(table, ("a", "c")))


def replace_rows(table: Table, names: tuple[str, ...]) -> Table:
    return Table(table.title, table.columns, tuple((name, 1.0, 0.0) for name in names))


# -- strips


def strip(relevant, retrieved, length=1000, entry=None) -> Strip:
    return Strip("d", length, True, True, tuple(relevant), tuple(retrieved), entry)


def test_a_strip_has_what_was_missed_found_and_returned_in_vain():
    marks = list(bars(strip([(100, 300)], [(200, 500)], entry=100)))
    assert [tuple(mark) for mark in marks] == [
        ("m", "10%", "10%"), ("f", "20%", "10%"), ("v", "30%", "20%"), ("e", "10%", "2"),
    ]  # fmt: skip


def test_short_marks_have_pixels():
    marks = list(bars(strip([], [(999, 1000)])))
    assert [mark.width for mark in marks] == ["4"]
    assert float(marks[0].x.rstrip("%")) <= 98
    assert [mark.width for mark in bars(strip([], [(0, 10)]))] == ["4", "1%"], "whichever is wider"


def test_numbers_never_touch():
    spans = [(10, 20), (15, 30), (500, 510), (990, 1000)]
    numbers = order_numbers(strip([], spans))
    assert [number.text for number in numbers] == ["1,2", "3", "4"]
    assert order_numbers(strip([], spans[:1])) == []
    [together] = order_numbers(strip([], [(n, n + 1) for n in range(30)]))
    assert together.text == "1–9", "of many parts the first ones are numbered"
    fragments = [(n * 30, n * 30 + 5) for n in range(30)]
    assert "9" in "".join(number.text for number in order_numbers(strip([], fragments)))


def test_a_window_has_numbers_of_its_own():
    spans = [(50_000, 50_050), (90_000, 90_010), (50_090, 50_200)]
    small = strip([(50_000, 50_100)], spans, length=100_000)
    assert [number.text for number in order_numbers(small)] == ["1,3", "2"]
    assert [number.text for number in order_numbers(small, window_of(small))] == ["1", "3"]


def test_very_little_relevant_text_has_a_window():
    small = strip([(50_000, 50_100)], [(50_050, 50_200)], length=100_000)
    window = window_of(small)
    assert window is not None
    assert window.start < 50_000 < 50_100 < window.end
    inside = {mark.kind: float(mark.width.rstrip("%")) for mark in bars(small, window)}
    assert inside["f"] > 5
    assert window_bar(small, window).kind == "w"
    assert window_of(strip([(0, 500)], [])) is None
    assert window_of(strip([(0, 5), (90_000, 90_005)], [], 100_000)) is None, "too far apart"


# -- topics


def failures(count: int) -> TopicFailures:
    lists = (FailedList("a", 0.25, "late", "late: rank 9"), FailedList("b", 0.75, "", ""))
    topics = [FailedTopic(f"t{n}", f"query {n}", ("hard",), (), 0, lists) for n in range(count)]
    why = Table("Why", (Column("why", "text"), Column("a", "count")), (("late", count),))
    return TopicFailures("AgP", 5, why, (Group("hard", ("t0",), "One."),), topics, 0)


def test_facts_are_codes():
    given = failures(2)
    facts = TopicFacts(given)
    assert (facts.runs, facts.diagnoses, facts.groups) == (["a", "b"], ["late"], ["hard"])
    first, second = map(facts.of, given.topics)
    assert first == {"groups": "0", "codes": "0", "value": "0.25", "spread": "0.5"}
    assert second["groups"] == ""


SIZES = {"head": 10, "words": 30, "strips": 100, "texts": 400}


def draw(template, values):
    return Markup("x" * SIZES[values["level"]])


def sizes(count: int, room: int | None) -> list[int]:
    return [len(topic) for topic in drawn_topics(failures(count), draw, room).topics]


def test_topics_fill_their_room_first_ones_first():
    assert sizes(3, None) == [400, 400, 400]
    assert sizes(3, 1200) == [400, 400, 400]
    assert sizes(3, 25) == [10, 10, 0]
    found = sizes(40, 10 * 400 + 30 * 30 + 10 * 70)
    assert found == [400] * 10 + [100] * 10 + [30] * 20, "texts of the first, then strips"
    for room in (0, 50, 500, 5000, 50_000):
        shown = sizes(40, room)
        assert sum(shown) <= room
        assert shown == sorted(shown, reverse=True), "what is left out is at the end"


def test_what_is_left_out_is_said():
    given = failures(3)
    assert left_out(["texts"] * 3, given) == ""
    said = left_out(["words", "words", "head"], given)
    assert "has results of each run of 2 topics;" in said
    assert spoken(said, "command line").endswith("; --all-texts shows all.")
    nothing = left_out(["words", "head", "nothing"], given)
    assert "results of each run of 1 topic and names of 2 topics;" in nothing
    heads = left_out(["head", "nothing", "nothing"], given)
    assert "this page has names of 1 topic and no results of each run;" in heads
    assert "this page has no topics;" in left_out(["nothing"] * 3, given)
