"""The picture of a reading order: names at their lines, numbers apart, ticks that are told."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import pytest

from spanwise.records import replace
from spanwise.reporting.output import ReadingPlot, Stretch
from spanwise.reporting.render.html.reading_chart import LEFT, WIDTH, reading_chart
from spanwise.reporting.render.html.shapes import Element


def plot(
    length: int, stops: Sequence[tuple[str, int]] = (), parts: Sequence[int] = (0,)
) -> ReadingPlot:
    ends = [*parts[1:], length]
    stretches = tuple(
        Stretch(start, end - start, "vain", number)
        for number, (start, end) in enumerate(zip(parts, ends, strict=True), 1)
    )
    curve = ((0, 0, 0.0), (length, 10, 0.5))
    return ReadingPlot(
        *("Read", "In words.", length, 10, length, 0.5, stretches, curve, tuple(stops), 300)
    )


def texts(chart, look: str) -> list[tuple[float, float, str]]:
    """Where texts with these classes begin, in hundredths and pixels."""
    return [
        (float(it.attributes["x"].rstrip("%")), float(it.attributes["y"]), it.content[0])
        for it in chart.shapes
        if isinstance(it, Element) and it.tag == "text" and it.attributes["class"] == look
    ]


NEAR = [("T2I(300)", 8_000), ("T2I(2000)", 9_000), ("T2I(500)", 8_200), ("T2I(9000)", 30_000)]


def test_names_of_readers_stand_at_their_lines() -> None:
    chart = reading_chart(plot(34_000, NEAR), "read")
    lines = {
        it.attributes["x1"]: float(it.attributes["y1"])
        for it in chart.shapes
        if isinstance(it, Element) and it.attributes.get("class") == "stop"
    }
    placed = {name: (x, y) for x, y, name in texts(chart, "stop label")}
    assert set(placed) == {name for name, _ in NEAR}
    for name, position in NEAR:
        at = LEFT + WIDTH * position / 34_000
        assert abs(placed[name][0] - at - 1) < 0.1, "beside its own line"
    assert len({y for _, y in placed.values()}) == 3, "those that are near have rows of their own"
    for name, (x, y) in placed.items():
        crossing = [
            left
            for left, top in ((float(at.rstrip("%")), top) for at, top in lines.items())
            if x < left < x + 2 * len(name) and top < y
        ]
        assert crossing == [], "no line runs through a name"
    assert all(y > 0 for _, y in placed.values())


def test_numbers_of_parts_never_touch() -> None:
    chart = reading_chart(
        replace(plot(10_000, parts=(0, 900, 1000, 1100, 2000)), returned=2200), "read"
    )
    found = texts(chart, "small label")
    [*numbers, rest] = [(x, text) for x, y, text in found if y == min(y for _, y, _ in found)]
    assert [text for _, text in numbers] == ["1", "2–4", "5"], "none is missing"
    assert rest[1] == "then the rest"
    for (x, text), (after, _) in pairwise([*numbers, rest]):
        assert after - x >= 2.4 * len(text)


@pytest.mark.parametrize(
    ("length", "said", "ticks"),
    [
        (200, "aveChP so far", 0),
        (3_639, "; a tick for each screen of 300", 12),
        (34_000, "; a tick for each 10 screens of 300", 11),
        (400_000, "; a tick for each 100 screens of 300", 13),
    ],
)
def test_ticks_are_those_that_are_told(length: int, said: str, ticks: int) -> None:
    chart = reading_chart(plot(length), "read")
    assert chart.subtitle.endswith(said)
    drawn = [
        inner.attributes["d"]
        for it in chart.shapes
        if isinstance(it, Element)
        for inner in it.content
        if isinstance(inner, Element) and inner.attributes.get("class") == "ticks"
    ]
    assert sum(d.count("M") for d in drawn) == ticks
