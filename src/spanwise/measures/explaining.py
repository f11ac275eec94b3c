"""What an explanation is made of: steps that lead to a value, and the tables that measures share.

A measure explains itself with ``explain``: it turns the listing of one topic into ``Steps``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal

import numpy as np

from spanwise.data.run import NO_PATH, Extent
from spanwise.measures.views.listing import ListedPage, Listing, Span
from spanwise.measures.views.written import Written
from spanwise.records import Struct, replace
from spanwise.text.ranges import Booleans, Integers, Ranges

Cell = str | int | float | bool | None
Unit = Literal["rank", "answer", "segment", "element"]
"""What the steps are, one by one."""


class Step(Struct, frozen=True):
    """One line: a document, an answer or a segment of text; or several that are alike."""

    cells: tuple[Cell, ...]
    relevant: bool | None = False
    """None: not judged."""
    through: int | None = None
    """The last of several that are alike; the first one is in the first cell."""


class Undrawn(Struct, frozen=True):
    """A unit that no answer drew from, or not enough."""

    document: str
    unit: str
    """The path of an element, or a range of characters."""
    value: float
    """What it is worth; or the share of it that was drawn."""


class Steps(Struct, frozen=True):
    """Steps in the order in which they are counted, as a table.

    >>> steps = Steps("rank", ("rank", "S"), (Step((1, 0.5), relevant=True),), "", "0.5000 / 1")
    >>> steps.rows()
    [{'rank': 1, 'S': 0.5}]
    """

    unit: Unit
    columns: tuple[str, ...]
    steps: tuple[Step, ...]
    legend: str = ""
    """What the columns mean whose names do not say it."""
    result: str = ""
    """How the value follows from the steps."""
    others: str = "not relevant"
    """What the steps have in common that are not worth a line of their own."""
    undrawn: tuple[Undrawn, ...] | None = None
    """Of a measure that counts them: the units that no answer drew from, or not enough."""
    undrawn_title: str = "ideal units that no answer drew from"

    def rows(self) -> list[dict[str, Cell]]:
        """The steps as dictionaries; one for several has the last of them in ``through``."""
        return [
            dict(zip(self.columns, step.cells, strict=True))
            | ({} if step.through is None else {"through": step.through})
            for step in self.steps
        ]

    def only(self, document: str) -> Steps:
        """The steps about one document."""
        place = self.columns.index("document")
        steps = tuple(step for step in self.steps if step.cells[place] == document)
        units = self.undrawn
        mine = None if units is None else tuple(u for u in units if u.document == document)
        return replace(self, steps=steps, undrawn=mine)


def shown(value: float) -> str:
    """A number as the sentences have it."""
    return f"{value:.4f}"


# -- pages

PAGE = ("rank", "document", "answers", "returned", "relevant", "common")


def page_cells(page: ListedPage) -> tuple[Cell, ...]:
    """What every list over documents shows of a page."""
    return (
        page.rank,
        page.document,
        page.answers,
        page.returned,
        None if page.relevant is None else page.relevant_size,
        page.common,
    )


def page_steps(listing: Listing) -> Steps:
    """The pages of the list, for a measure that does not explain itself."""
    steps = tuple(Step(page_cells(page), page.relevant) for page in listing.pages)
    return Steps("rank", PAGE, steps)


# -- what happens inside a document


def returned_steps(listing: Listing, page: ListedPage, result: str) -> Steps:
    """A page in the order of its text: what was returned, and what is relevant."""
    spans = listing.spans()[page.rank - 1]
    pair = int(listing.pair[listing.first_answer[page.rank - 1]])
    if spans is None:
        result += " (the document's length is not known)"
    return _span_steps(spans or [], listing.relevant_spans(pair), result)


def missed_steps(listing: Listing, document: str) -> Steps:
    """A relevant document that is not in the list."""
    spans = listing.relevant_spans(listing.pair_of(document))
    return _span_steps([], spans, "the document is not in the list: it adds nothing")


def _span_steps(returned: Sequence[Span], relevant: Sequence[Span], result: str) -> Steps:
    """The document in its own order, as far as it was returned or is relevant."""
    both = Ranges.of([returned, relevant])
    cuts = np.unique(np.concatenate((both.start, both.end)))
    steps: list[Step] = []
    for start, end in zip(cuts[:-1].tolist(), cuts[1:].tolist(), strict=True):
        place = np.array([start]), np.array([end])
        held = [bool(both.covered(np.array([owner]), *place)[0]) for owner in (0, 1)]
        if any(held):
            cells = (len(steps) + 1, start, end, end - start, *held)
            steps.append(Step(cells, held[1]))
    columns = ("segment", "start", "end", "length", "returned", "relevant")
    return Steps("segment", columns, tuple(steps), "in the order of the document", result)


# -- answers


def answer_places(listing: Listing, paths: Mapping[int, str] | None = None) -> list[str]:
    """What each answer returns: a range, an element, or the whole document.

    ``paths`` are those of the elements that answers were found to name, for measures of elements;
    such a measure shows the path of an answer even where its range is known.
    """
    run, found = listing.run, list[str]()
    for row in range(len(run)):
        text = None if paths is None else paths.get(row)
        if text is None and run.paths is not None and run.paths[row] != NO_PATH:
            by_path = paths is not None or run.extent[row] == Extent.ELEMENT
            text = run.paths[row] if by_path else None
        if text is None and run.extent[row] == Extent.RANGE:
            text = f"{run.start[row]}-{run.end[row]}"
        found.append(text or ("whole document" if run.extent[row] == Extent.WHOLE else "-"))
    return found


PLACE = ("rank", "document", "start", "end")


def written_steps(
    written: Written,
    columns: Mapping[str, Sequence[Cell]],
    counts: Booleans,
    *,
    legend: str,
    result: str,
    others: str,
    rows: Integers | None = None,
) -> Steps:
    """Answers one by one, in the order in which they are counted; ``rows`` are those that are."""
    chosen = np.arange(len(written.page)) if rows is None else rows
    names = written.documents.take(chosen).strings()
    places = zip(written.start[chosen].tolist(), written.end[chosen].tolist(), strict=True)
    steps = tuple(
        Step(
            (number + 1, names[number], *(place if place[1] > place[0] else (None, None)), *cells),
            hit,
        )
        for number, (place, hit, *cells) in enumerate(
            zip(places, counts.tolist(), *columns.values(), strict=True)
        )
    )
    return Steps("answer", (*PLACE, *columns), steps, legend, result, others)
