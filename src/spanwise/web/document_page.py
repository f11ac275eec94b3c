"""A document to read: its text with passages, arrows from one to the next, and a bar of heat."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence

from markupsafe import Markup

from spanwise.records import Struct
from spanwise.reporting.render.html.scales import number
from spanwise.reporting.render.html.strip_drawing import together
from spanwise.reporting.sections import Spans
from spanwise.text.ranges import Ranges
from spanwise.web.addresses import Address
from spanwise.web.answers import Source
from spanwise.web.document_text import Highlight, Insertion, Marking, rendered_text
from spanwise.web.page_templates import part
from spanwise.web.reading_chain import Chain, Stop
from spanwise.web.shelf import LaidOut, Shelf

LONG = 100_000
"""A document of more characters is drawn piece by piece, as it is scrolled into view."""
_LEAST = 0.6
"""Hundredths of the bar that a passage fills at least."""
_APART = 3.4
"""Hundredths of the bar between two titles, and between two numbers."""
_MOST_NUMBERED = 40
"""Of more passages the bar has no numbers."""
_NAMED = 90
"""Characters of a passage in the list of passages."""


_NOWHERE = 2**62, 2**62
"""After every document."""


class BarMark(Struct, frozen=True):
    """Text of a passage on the bar."""

    step: int
    number: int
    """Of the passage."""
    y: str
    height: str


class BarNumber(Struct, frozen=True):
    """The numbers of passages that begin at about one place of the bar."""

    text: str
    y: str
    first: int
    last: int


class BarTitle(Struct, frozen=True):
    """A title beside the bar."""

    text: str
    y: str


class DocumentPage(Struct, frozen=True):
    """A document as an answer to a question."""

    document: LaidOut
    chain: Chain
    place: int | None
    """Among the ranked documents, from 1."""
    results: str
    """The address of its row among the results."""
    every: int
    """How many there are."""
    words: str
    text: Markup
    marks: tuple[BarMark, ...]
    numbers: tuple[BarNumber, ...]
    titles: tuple[BarTitle, ...]
    beginnings: tuple[str, ...]
    """The first words of each passage."""
    judged: bool
    """It is known which of its text is relevant."""

    @property
    def is_long(self) -> bool:
        """Is it drawn piece by piece?"""
        return len(self.document.text) > LONG


def document_page(
    source: Source, shelf: Shelf, address: Address, relevant: Spans | None
) -> DocumentPage | None:
    """The page of a document; None if there is no such document."""
    found = shelf.find(address.document)
    if found is None:
        return None
    answers = source.answers(address.question)
    own = answers.document(address.document) or answers.document(found.name)
    chain = found.chain(own[1] if own else None, answers.steps())
    terms = _within(chain, source.terms(address.question, found.name)) if chain.stops else ()
    entry = own[1].entry if own else None
    results = _results(address, own[0] if own else None)
    marking = Marking(
        tuple(_highlights(found.text, chain, relevant or ())),
        _insertions(chain, results, entry),
        terms,
    )
    length = max(len(found.text), 1)
    return DocumentPage(
        document=found,
        chain=chain,
        place=own[0] if own else None,
        results=results,
        every=len(answers.documents),
        words=answers.question.words,
        text=rendered_text(found.text, found.root, marking),
        marks=tuple(_bar_marks(chain, length)),
        numbers=tuple(_bar_numbers(chain, length)),
        titles=tuple(_bar_titles(found, length)),
        beginnings=tuple(_beginning(found, stop) for stop in chain.stops),
        judged=relevant is not None,
    )


def _results(address: Address, place: int | None) -> str:
    """The row of a document among the results of its question."""
    if not (address.words or address.topic):
        return address.home
    return address.results if place is None else address.row(place)


# -- what is marked


def _within(chain: Chain, terms: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """Words of the question that are in a passage."""
    spans = Ranges.of([[(stop.start, stop.end) for stop in chain.stops]])
    return Ranges.of([terms]).intersection(spans).to_lists()[0]


def _highlights(text: str, chain: Chain, relevant: Spans) -> Iterator[Highlight]:
    """Passages in the colour of their heat, and relevant text inside and outside of them."""
    stops = iter(chain.stops)
    stop = next(stops, None)
    for step, first, last, is_relevant in _pieces(chain, relevant):
        while stop is not None and stop.end <= first:
            stop = next(stops, None)
        if step and stop is not None:
            classes = f"h h{step}{' f' if is_relevant else ''}"
            yield Highlight(first, last, classes, f"p{stop.number}", stop.number)
        elif is_relevant and text[first:last].strip():
            yield Highlight(first, last, "m")


def _pieces(chain: Chain, relevant: Spans) -> Iterator[tuple[int, int, int, bool]]:
    """The stretches of the text, cut where relevant text begins and ends."""
    wanted = iter(Ranges.of([relevant]).to_lists()[0])
    begin, end = next(wanted, _NOWHERE)
    for step, place, last in _stretches(chain):
        while place < last:
            if end <= place:
                begin, end = next(wanted, _NOWHERE)
                continue
            is_relevant = begin <= place
            border = min(end if is_relevant else begin, last)
            yield step, place, border, is_relevant
            place = border


def _stretches(chain: Chain) -> Iterator[tuple[int, int, int]]:
    """The whole text, cut where its heat changes; 0 is between passages."""
    place = 0
    for one in chain.heat:
        yield 0, place, one.start
        yield one.step, one.start, one.end
        place = one.end
    yield 0, place, _NOWHERE[0]


def _insertions(chain: Chain, results: str, entry: int | None) -> list[Insertion]:
    """Arrows after each passage, and the place where reading should begin: else the best text."""
    last = len(chain.stops)
    found = [
        Insertion(stop.end, part("arrows.html", stop=stop, last=last, results=results))
        for stop in chain.stops
    ]
    if entry is None and chain.hottest is not None:
        entry = chain.hottest.start
    if entry is not None:
        found.append(Insertion(entry, Markup("<span id=entry data-added></span>"), after=False))
    return found


# -- the bar


def _bar_marks(chain: Chain, length: int) -> Iterator[BarMark]:
    starts = [stop.start for stop in chain.stops]
    for one in chain.heat:
        number = bisect_right(starts, one.start)
        height = max(100 * (one.end - one.start) / length, _LEAST)
        top = min(100 * one.start / length, 100 - height)
        yield BarMark(one.step, number, percent(top), percent(height))


def _bar_numbers(chain: Chain, length: int) -> Iterator[BarNumber]:
    """Numbers that would touch are one; of very many passages there are none."""
    if len(chain.stops) > _MOST_NUMBERED:
        return
    groups: list[tuple[float, list[int]]] = []
    for stop in chain.stops:
        top = min(100 * stop.start / length, 100 - _APART)
        if groups and top - groups[-1][0] < _APART:
            groups[-1][1].append(stop.number)
        else:
            groups.append((top, [stop.number]))
    for top, numbers in groups:
        yield BarNumber(together(numbers), percent(top), numbers[0], numbers[-1])


def _bar_titles(found: LaidOut, length: int) -> Iterator[BarTitle]:
    """As many titles as find room, those of the document itself left out."""
    below = -_APART
    for one in found.headings:
        top = 100 * one.start / length
        if one.level <= 3 and one.text != found.title and top - below >= _APART:
            below = top
            yield BarTitle(one.text, percent(top))


def percent(value: float) -> str:
    """A place on the bar."""
    return f"{number(round(value, 2))}%"


def _beginning(found: LaidOut, stop: Stop) -> str:
    words = " ".join(found.words(stop.start, min(stop.end, stop.start + 2 * _NAMED)).split())
    return words if len(words) <= _NAMED else f"{words[:_NAMED].rstrip()} …"
