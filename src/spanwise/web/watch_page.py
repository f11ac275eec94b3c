"""A document watched while it is read: the reading order as a picture, as text and as numbers."""

from __future__ import annotations

import json
from collections.abc import Iterator

from markupsafe import Markup

from spanwise.measures.read_document import LAPTOP, PHONE, Moment, ReadDocument
from spanwise.records import Struct
from spanwise.reporting.output import ReadingPlot
from spanwise.reporting.reading_plots import reading_plot
from spanwise.reporting.render.html.reading_chart import (
    bottom_of,
    reading_chart,
    top_of,
    x_of,
    y_of,
)
from spanwise.reporting.render.html.shapes import Chart, place, share
from spanwise.reporting.render.html.strip_drawing import Bar, Number, bars, order_numbers
from spanwise.reporting.sections import Strip
from spanwise.text.sentences import counted
from spanwise.web.document_text import Highlight, Insertion, Marking, rendered_text
from spanwise.web.page_templates import part
from spanwise.web.shelf import LaidOut

TITLE, NAME = "The reading order, as the measures see it", "reading-order"


class WatchPage(Struct, frozen=True):
    """A relevant document of a run, read up to some place."""

    document: LaidOut
    reading: ReadDocument
    moment: Moment
    finding: str
    lead: str
    chips: tuple[tuple[str, str], ...]
    text: Markup
    picture: Markup
    stations: tuple[int, ...]
    """Where the reader may stop: at the ends of segments."""
    data: Markup
    """What the script plays."""
    bars: tuple[Bar, ...]
    numbers: tuple[Number, ...]

    @property
    def before(self) -> int:
        """The station before this moment."""
        return max((one for one in self.stations if one < self.moment.read), default=0)

    @property
    def after(self) -> int:
        """The next station."""
        later = (one for one in self.stations if one > self.moment.read)
        return min(later, default=self.reading.length)


def watch_page(document: LaidOut, found: ReadDocument, position: int) -> WatchPage:
    """The page at a position of the reading order."""
    moment = found.at(position)
    strip, plot = strip_of(found), reading_plot(found, TITLE)
    stations = tuple(one.after for one in found.segments)
    return WatchPage(
        document=document,
        reading=found,
        moment=moment,
        finding=_finding(found),
        lead=_lead(found),
        chips=tuple(_chips(found)),
        text=rendered_text(document.text, document.root, _marking(found, moment)),
        picture=part(
            "picture.html", picture=reading_chart(plot, NAME), cursor=Cursor(plot, moment)
        ),
        stations=stations,
        data=_data(found),
        bars=tuple(bars(strip)),
        numbers=tuple(order_numbers(strip)),
    )


def watched_chart(found: ReadDocument) -> Chart:
    """The picture of the page."""
    return reading_chart(reading_plot(found, TITLE), NAME)


class Cursor:
    """Where the reader is on the picture."""

    def __init__(self, plot: ReadingPlot, moment: Moment) -> None:
        self.x = share(x_of(plot, moment.read))
        self.found = place(y_of(plot, moment.found / plot.relevant))
        self.average = place(y_of(plot, moment.average))
        self.top, self.bottom = place(top_of(plot)), place(bottom_of(plot))
        self.end = place(bottom_of(plot) + 30)


def strip_of(found: ReadDocument) -> Strip:
    """The document in its own order."""
    return Strip(
        document=found.document,
        length=found.length,
        length_known=True,
        judged=True,
        relevant=found.spans,
        retrieved=found.parts,
        entry=found.entry,
    )


# -- words


def _finding(found: ReadDocument) -> str:
    stop = found.stop_of(PHONE)
    share = found.at(found.length if stop is None else stop).found / found.relevant
    if stop is None:
        return "The whole document is read before a reader gives up"
    if not share:
        return f"A reader who stops after {PHONE} irrelevant characters finds nothing"
    what = f"{share:.0%} of the relevant text"
    return f"A reader who stops after {PHONE} irrelevant characters finds {what}"


def _lead(found: ReadDocument) -> str:
    first = found.first_found
    share = found.at(found.returned).found / found.relevant
    before = "The first character that is read is relevant."
    if first > 1:
        comes = "comes" if first == 2 else "come"
        before = f"{counted(first - 1, 'character')} {comes} before the first relevant one."
    return (
        f"{before} What was returned holds {share:.0%} of the relevant text;"
        f" over the whole reading aveChP is {found.average:.2f}."
    )


def _chips(found: ReadDocument) -> Iterator[tuple[str, str]]:
    returned = [one for one in found.segments if one.returned]
    vain = sum(one.end - one.start for one in returned if not one.relevant)
    hit = sum(one.end - one.start for one in returned if one.relevant)
    yield "tested", f"{hit:,} of {hit + vain:,} returned characters are relevant"
    if found.without is not None:
        number, value = found.without
        yield "next", f"without passage {number}, aveChP would be {value:.2f}"
    missed = 1 - hit / found.relevant
    if missed > 0:
        yield "caution", f"{missed:.0%} of the relevant text was not returned"


# -- text


def _marking(found: ReadDocument, moment: Moment) -> Marking:
    """Every stretch of text in the order it is read; what was not read yet is grey."""
    pieces = sorted(_pieces(found, moment), key=lambda one: one.start)
    pins = [*_pins(found), *_here(found, moment)]
    insertions = sorted(pins, key=lambda one: one.place)
    return Marking(pieces, insertions)


def _pieces(found: ReadDocument, moment: Moment) -> Iterator[Highlight]:
    for number, one in enumerate(found.segments):
        kind = {(True, True): "f", (True, False): "m", (False, True): "v"}.get(
            (one.relevant, one.returned), "n"
        )
        read = min(max(moment.read - one.before, 0), one.end - one.start)
        if read:
            yield Highlight(one.start, one.start + read, f"{kind} read", f"s{number}", number)
        if one.start + read < one.end:
            yield Highlight(one.start + read, one.end, f"{kind} unread", f"s{number}", number)


def _pins(found: ReadDocument) -> Iterator[Insertion]:
    """Where measures stop or count, and where an assessor would begin."""
    if found.entry is not None:
        yield _pin(found.entry, "entry", "best entry point")
    first = found.first_found
    place = found.place_of(first)
    if place is not None:
        screen = found.at(first).screens
        yield _pin(place - 1, "first", f"LE({PHONE}): first relevant character, on screen {screen}")
    for tolerance in (PHONE, LAPTOP):
        stop = found.stop_of(tolerance)
        place = None if stop is None else found.place_of(stop)
        if place is not None:
            yield _pin(place, "stop", f"T2I({tolerance}) stops here", after=True)


def _here(found: ReadDocument, moment: Moment) -> Iterator[Insertion]:
    """Where the reader is, for links to this moment."""
    place = found.place_of(moment.read)
    if place is not None:
        yield Insertion(place, Markup('<span id="here" data-added></span>'))


def _pin(place: int, kind: str, words: str, *, after: bool = False) -> Insertion:
    return Insertion(place, part("pin.html", kind=kind, words=words), after)


# -- what the script plays


def _data(found: ReadDocument) -> Markup:
    """The segments in reading order; a script adds up precisions as the measure does."""
    rows = [
        [one.before, one.end - one.start, int(one.relevant), found.at(one.before).average]
        for one in found.segments
    ]
    played = {"relevant": found.relevant, "returned": found.returned, "segments": rows}
    return Markup(json.dumps(played, separators=(",", ":")))
