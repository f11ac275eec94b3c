"""The ranked documents of a question, each with its best passage and a strip of all of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from time import perf_counter

from markupsafe import Markup

from spanwise.records import Struct, replace
from spanwise.reporting.render.html.strip_drawing import Bar, Number, Window, bars_of, numbers_at
from spanwise.reporting.sections import Spans
from spanwise.text.passages import Passages
from spanwise.text.ranges import Ranges
from spanwise.text.sentences import counted
from spanwise.web.addresses import PAGE, Address
from spanwise.web.answers import Answers, RankedDocument, Source
from spanwise.web.document_text import escaped
from spanwise.web.reading_chain import Chain
from spanwise.web.run_answers import JudgedTopic
from spanwise.web.shelf import LaidOut, Shelf

LONGEST = 220
"""Characters of a passage that are shown."""
MOST_NUMBERED = 9

Places = Sequence[tuple[int, int]]


class Row(Struct, frozen=True):
    """A document of the list."""

    place: int
    title: str
    name: str
    address: str
    length: int
    passages: int
    best: int = 0
    """The number of the best passage; 0 if there is none."""
    heading: str = ""
    snippet: Markup = Markup("")
    step: int = 1
    bars: tuple[Bar, ...] = ()
    numbers: tuple[Number, ...] = ()
    spans: Spans = ()
    """The passages, in order."""
    known: bool = True
    """Its text is here."""
    relevance: str = ""
    """Whether it was judged relevant, if that is known."""
    relevant: int = 0
    """Characters of it that are."""
    relevant_in_passages: int = 0


class ResultsPage(Struct, frozen=True):
    """A page of results."""

    answers: Answers
    rows: tuple[Row, ...]
    finding: str
    lead: str
    first: int
    """The place before that of the first row."""
    judged: bool = False
    """It is known which documents are relevant."""

    @property
    def earlier(self) -> int | None:
        """Where the page before this one begins."""
        return max(self.first - PAGE, 0) if self.first else None

    @property
    def later(self) -> int | None:
        """Where the next page begins."""
        after = self.first + PAGE
        return after if after < len(self.answers.documents) else None


def results_page(
    source: Source,
    shelf: Shelf,
    address: Address,
    first: int = 0,
    judged: JudgedTopic | None = None,
) -> ResultsPage:
    """The answer to a question."""
    begun = perf_counter()
    answers = source.answers(address.question)
    spent = perf_counter() - begun
    first = min(max(first, 0), max(len(answers.documents) - 1, 0) // PAGE * PAGE)
    chosen = answers.documents[first : first + PAGE]
    rows = tuple(_rows(source, shelf, address, answers, chosen, first))
    if judged is not None:
        rows = tuple(_judged(row, judged, shelf) for row in rows)
    every = len(source.documents.lengths)
    lead = (
        f"{len(answers.documents):,} of {counted(every, 'document')}, {answers.how}"
        f"{'' if address.topic else f', in {1000 * spent:.0f} ms'}."
    )
    if judged is not None and answers.documents:
        lead = f"{lead} {_relevances(answers, judged)}"
    return ResultsPage(answers, rows, _finding(answers, shelf), lead, first, judged is not None)


def _finding(answers: Answers, shelf: Shelf) -> str:
    if not answers.documents:
        return "There is nothing to search for" if answers.why else "No document answers this"
    first = answers.documents[0]
    found = shelf.find(first.document)
    title = first.document if found is None else found.title
    own, every = len(first.passages), answers.passages
    if len(answers.documents) == 1 or every <= len(answers.documents):
        return f"{title} ranks first of {counted(len(answers.documents), 'document')}"
    return (
        f"{title} ranks first: {own} of the {every:,} passages {'is' if own == 1 else 'are'} in it"
    )


def _rows(
    source: Source,
    shelf: Shelf,
    address: Address,
    answers: Answers,
    chosen: Sequence[RankedDocument],
    first: int,
) -> Iterator[Row]:
    steps = answers.steps()
    for place, answer in enumerate(chosen, first + 1):
        own = replace(address, document=answer.document).reading
        found = shelf.find(answer.document)
        if found is None:
            yield Row(
                place, answer.document, answer.document, own, 0, len(answer.passages), known=False
            )
            continue
        chain = found.chain(answer, steps)
        row = Row(place, found.title, answer.document, own, len(found.text), len(chain.stops))
        terms = source.terms(address.question, answer.document)
        yield _with_best(row, found, chain, terms)


def _with_best(row: Row, found: LaidOut, chain: Chain, terms: Places) -> Row:
    best = chain.best
    if best is None:
        return row
    start, end = _shown(found.text, best.start, best.end, terms)
    starts = [stop.start for stop in chain.stops] if len(chain.stops) <= MOST_NUMBERED else []
    return replace(
        row,
        best=best.number,
        heading=found.heading_at(best.start),
        snippet=snippet(found, start, end, (best.start, best.end), terms),
        step=best.step,
        bars=tuple(strip_bars(chain, len(found.text))),
        spans=tuple((stop.start, stop.end) for stop in chain.stops),
        numbers=tuple(numbers_at(starts, len(found.text))),
    )


# -- what is relevant


def _relevances(answers: Answers, judged: JudgedTopic) -> str:
    counts = Counter(_relevance(judged.relevant(one.document)) for one in answers.documents)
    return f"{'; '.join(f'{name}: {counts[name]:,}' for name in _RELEVANCES)}.".capitalize()


_RELEVANCES = _RELEVANT, _IRRELEVANT, _UNJUDGED = "relevant", "judged not relevant", "unjudged"


def _relevance(spans: Spans | None) -> str:
    if spans is None:
        return _UNJUDGED
    return _RELEVANT if spans else _IRRELEVANT


def _judged(row: Row, judged: JudgedTopic, shelf: Shelf) -> Row:
    """The same with what is relevant of it, inside of its passages and outside."""
    spans = judged.relevant(row.name)
    wanted, shown = Ranges.of([spans or ()]), Ranges.of([row.spans])
    kinds = ("u", wanted.intersection(shown)), ("m", wanted.difference(shown))
    found, whole = shelf.find(row.name), Window(0, row.length)
    bars = [
        bar
        for kind, ranges in kinds
        for start, end in ranges.to_lists()[0]
        if found is not None and found.text[start:end].strip()
        for bar in bars_of(kind, start, end, whole)
    ]
    return replace(
        row,
        relevance=_relevance(spans),
        relevant=int(wanted.sizes()[0]),
        relevant_in_passages=int(kinds[0][1].sizes()[0]),
        bars=(*row.bars, *bars),
    )


# -- what is shown of passages


def strip_bars(chain: Chain, length: int) -> Iterator[Bar]:
    """The passages of a document as marks of a strip."""
    for one in chain.heat:
        yield from bars_of(f"h{one.step}", one.start, one.end, Window(0, length))


def _shown(text: str, start: int, end: int, terms: Places) -> tuple[int, int]:
    """The sentences of a passage that are shown: from the first one with most of the words on."""
    if end - start <= LONGEST:
        return start, end
    sentences = Passages(text[start:end], LONGEST).of(0, end - start)
    own = [(a - start, b - start) for a, b in terms if start <= a < end]
    counts = [sum(a <= place < b for place, _ in own) for a, b in sentences]
    begin = start + sentences[counts.index(max(counts))][0]
    if end - begin <= LONGEST:
        return begin, end
    blank = text.rfind(" ", begin + LONGEST // 2, begin + LONGEST)
    return begin, blank if blank > 0 else begin + LONGEST


def snippet(found: LaidOut, start: int, end: int, whole: tuple[int, int], terms: Places) -> Markup:
    """A part of a passage with the words of the question, and signs where it was cut."""
    parts = ["… "] if start > whole[0] else []
    place = start
    for first, last in terms:
        if place <= first and last <= end:
            parts += [
                escaped(found.words(place, first)),
                # A break beside a word is part of neither side.
                " " if first in found.breaks and first > start else "",
                f'<b class="term">{escaped(found.words(first, last))}</b>',
                " " if last in found.breaks and last < end else "",
            ]
            place = last
    parts.append(escaped(found.words(place, end).rstrip()))
    parts.append(" …" if end < whole[1] else "")
    return Markup("".join(parts))
