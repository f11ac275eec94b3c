"""The reading order of a document as a part of an output: its curve, its stretches, its words."""

from __future__ import annotations

from collections.abc import Iterator

from spanwise.measures.read_document import PHONE, ReadDocument
from spanwise.reporting.output import ReadAs, ReadingPlot, Stretch

MOST_POINTS, FEW_POINTS = 300, 48
"""Points of a curve: of a picture by itself, and of one among many."""
MOST_WITHIN = 24
"""Points inside one relevant stretch."""


def reading_plot(found: ReadDocument, title: str, points: int = MOST_POINTS) -> ReadingPlot:
    """What is read and found of a document, stretch by stretch."""
    moments = [found.at(position) for position in _positions(found, points)]
    return ReadingPlot(
        title=title,
        text=reading_words(found),
        length=found.length,
        relevant=found.relevant,
        returned=found.returned,
        average=found.average,
        stretches=tuple(_stretches(found)),
        curve=tuple((one.read, one.found, one.average) for one in moments),
        stops=found.stops,
        screen=PHONE,
    )


def reading_words(found: ReadDocument) -> str:
    """The numbers of the picture in sentences."""
    last = found.at(found.length).screens
    first = found.at(found.first_found)
    returned = found.at(found.returned)
    return " ".join(
        (
            f"{found.document} is read as {last:,} screens of {PHONE} characters,"
            f" {found.length:,} in all; the {found.returned:,} that were returned come first"
            f" and hold {returned.found:,} of {found.relevant:,} relevant characters.",
            f"The first relevant character is number {first.read:,}, on screen {first.screens:,}.",
            *_stop_words(found),
            f"At the end aveChP is {found.average:.4f}.",
        )
    )


def _stop_words(found: ReadDocument) -> Iterator[str]:
    for name, place in found.stops:
        moment = found.at(place)
        yield (
            f"{name} stops after {place:,} characters, on screen {moment.screens:,}:"
            f" {moment.share_words}, aveChP so far {moment.average:.4f}."
        )


def _positions(found: ReadDocument, most: int) -> list[int]:
    """Where curves are drawn: at the ends of segments, and within those that are relevant."""
    relevant = sum(one.relevant for one in found.segments)
    within = min(max(most // max(relevant, 1), 1), MOST_WITHIN)
    positions = {0}
    for one in found.segments:
        positions.add(one.after)
        if one.relevant:
            size = one.after - one.before
            positions |= {one.before + size * step // within for step in range(1, within)}
    return sorted(positions)


def _stretches(found: ReadDocument) -> Iterator[Stretch]:
    """Segments that touch in the document and look alike are one."""
    end, part, open_now = -1, 0, Stretch(0, 0, "rest")
    for one in found.segments:
        begins = one.returned and one.start != end
        part += begins
        read_as = _READ_AS[one.relevant, one.returned]
        size = one.end - one.start
        if begins or read_as != open_now.read_as or not open_now.length:
            if open_now.length:
                yield open_now
            open_now = Stretch(one.before, size, read_as, part if begins else 0)
        else:
            open_now = open_now._replace(length=open_now.length + size)
        end = one.end
    yield open_now


_READ_AS: dict[tuple[bool, bool], ReadAs] = {
    (True, True): "found",
    (True, False): "missed",
    (False, True): "vain",
    (False, False): "rest",
}
