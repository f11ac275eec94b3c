"""The reading order as a picture: what is found along the way, and where measures stop."""

from __future__ import annotations

from collections.abc import Iterator

from spanwise.reporting.render.html.shapes import (
    Chart,
    Element,
    line,
    path,
    place,
    rectangle,
    share,
    stretched,
    words,
)
from spanwise.web.watching import LAPTOP, PHONE, Moment, Watched

LEFT, WIDTH = 7.0, 73.0
"""Of the picture, in hundredths: the rest is for labels."""
TOP, BOTTOM = 30.0, 210.0
STRIP = 222.0
HEIGHT = 286
_MOST_POINTS = 300
_APART = 14.0
"""Pixels between two labels at the end of lines."""
_NUMBER_APART = 3.0
_CROWDED = 18.0
"""Hundredths between the labels of two tolerances."""


def reading_picture(found: Watched) -> Chart:
    """The share of relevant text that was found, and aveChP so far, over what was read."""
    average = found.values[-1].value
    return Chart(
        name="reading-order",
        title="The reading order, as the measures see it",
        subtitle=f"Share of the {found.relevant:,} relevant characters found, and aveChP so far",
        description=(
            f"{found.length:,} characters are read; the {found.returned:,} that were returned come"
            f" first. aveChP is {average:.2f} in the end."
        ),
        height=HEIGHT,
        shapes=(*_axes(), *_curves(found), *_stops(found), *_labels(found), *_strip(found)),
    )


def x_of(found: Watched, position: int) -> float:
    """Where a position of the reading is, in hundredths of the picture."""
    return LEFT + WIDTH * position / max(found.length, 1)


def y_of(value: float) -> float:
    """Where a share is, in pixels."""
    return BOTTOM - (BOTTOM - TOP) * value


class Cursor:
    """Where the reader is on the picture."""

    def __init__(self, found: Watched, moment: Moment) -> None:
        self.x = share(x_of(found, moment.read))
        self.found = place(y_of(moment.found / found.relevant))
        self.average = place(y_of(moment.average))


def _axes() -> Iterator[Element]:
    for value, label in ((0.0, "0"), (0.5, "0.5"), (1.0, "1")):
        y = y_of(value)
        yield line("grid", share(LEFT), y, share(LEFT + WIDTH), y)
        yield words("axis", share(LEFT - 1.2), y + 4, label, text_anchor="end")


def _curves(found: Watched) -> Iterator[Element]:
    positions = _positions(found)
    moments = [found.at(position) for position in positions]
    height = BOTTOM - TOP
    lines = []
    for look, values in (
        ("line found", [one.found / found.relevant for one in moments]),
        ("line average", [one.average for one in moments]),
    ):
        points = " ".join(
            f"{1000 * position / max(found.length, 1):.1f},{height - height * value:.1f}"
            for position, value in zip(positions, values, strict=True)
        )
        lines.append(path(look, f"M{points}"))
    yield stretched(LEFT, TOP, WIDTH, height, *lines)


def _positions(found: Watched) -> list[int]:
    """Where the curves are drawn: at the ends of segments, and within those that are relevant."""
    relevant = sum(one.relevant for one in found.segments)
    within = min(max(_MOST_POINTS // max(relevant, 1), 1), 24)
    positions = {0}
    for one in found.segments:
        positions.add(one.after)
        if one.relevant:
            size = one.after - one.before
            positions |= {one.before + size * step // within for step in range(1, within)}
    return sorted(positions)


def _stops(found: Watched) -> Iterator[Element]:
    """Where readers of some tolerance give up."""
    before = -_CROWDED
    for tolerance in (PHONE, LAPTOP):
        stop = found.stop_of(tolerance)
        if stop is None:
            continue
        x = x_of(found, stop)
        yield line("stop", share(x), TOP - 8, share(x), BOTTOM + 8)
        label = x if x - before >= _CROWDED else before + _CROWDED
        before = label
        yield words("stop label", share(label), TOP - 14, f"T2I({tolerance})", text_anchor="middle")


def _labels(found: Watched) -> Iterator[Element]:
    """The names of the lines at their ends."""
    x, average = share(LEFT + WIDTH + 1), found.values[-1].value
    y = y_of(average) + 4
    if y - y_of(1.0) < _APART + 4:
        y = y_of(1.0) + 4 + _APART
    yield words("name found label", x, y_of(1.0) + 4, "found")
    yield words("name label", x, y, "aveChP")
    yield words("label", x, y + _APART, f"{average:.2f}")


def _strip(found: Watched) -> Iterator[Element]:
    """What is read, in its order: found, returned in vain, missed."""
    yield rectangle("ground", share(LEFT), STRIP, share(WIDTH), 16)
    for one in found.segments:
        x, wide = share(x_of(found, one.before)), share(_wide(found, one.after - one.before))
        if one.relevant:
            yield rectangle("hit" if one.returned else "missed", x, STRIP, wide, 16)
        elif one.returned:
            yield rectangle("vain", x, STRIP + 10, wide, 6)
    yield from _numbers(found)
    yield words("small label", share(LEFT), STRIP + 50, "0")
    total = f"{found.length:,} characters read"
    yield words("small label", share(LEFT + WIDTH), STRIP + 50, total, text_anchor="end")


def _wide(found: Watched, characters: int) -> float:
    return WIDTH * characters / max(found.length, 1)


def _numbers(found: Watched) -> Iterator[Element]:
    """The parts in the order of the document, and where the rest of it begins."""
    before, end, number = -_NUMBER_APART, -1, 0
    for one in found.segments:
        if not one.returned:
            break
        if one.start != end:
            number += 1
            x = x_of(found, one.before)
            if x - before >= _NUMBER_APART:
                before = x
                yield words("small label", share(x), STRIP + 30, str(number))
        end = one.end
    x = x_of(found, found.returned)
    if found.returned < found.length:
        yield line("zero", share(x), STRIP - 4, share(x), STRIP + 20)
    if x < LEFT + 0.7 * WIDTH:
        yield words("small label", share(x + 1), STRIP + 30, "then the rest")
