"""Explanations as plain text that fits a terminal."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from textwrap import wrap

from spanwise.errors import clean
from spanwise.evaluation.explain import Explanation, Totals
from spanwise.measures.explaining import Cell, Step, Steps
from spanwise.reporting.grids import display_width, padded

FIRST = 10
"""So many steps are always shown, whatever is in them."""
NAMED = 10
"""So many documents that were not retrieved are named, and so many ideal units."""
_NARROWEST = 8


def explanation_lines(
    explanation: Explanation, width: int | None = None, *, everything: bool = False
) -> Iterator[str]:
    """An explanation line by line; ``width`` None: as wide as its content."""
    yield from wrapped(_heading(explanation), width)
    yield ""
    for table in (explanation.table, explanation.detail):
        if table is not None and table.steps:
            yield from table_lines(table, width, everything=everything)
            yield from (f"  {line}" for line in wrapped(_legend(table), width))
            yield ""
    yield from _totals(explanation.totals, width, everything=everything)
    yield from _undrawn(explanation.table, width, everything=everything)
    yield from _results(explanation, width)


def _heading(explanation: Explanation) -> str:
    name, canonical = explanation.measure, explanation.canonical
    about = f"{name}, that is {canonical}" if name != canonical else name
    document = "" if explanation.document is None else f", document {explanation.document}"
    return f"{about}: run {explanation.run}, topic {explanation.topic}{document}"


def _legend(table: Steps) -> str:
    """What the columns mean; a dash is explained where there is one."""
    unjudged = table.unit == "rank" and any(step.relevant is None for step in table.steps)
    return "; ".join(filter(None, (table.legend, "- = not judged" if unjudged else "")))


def _results(explanation: Explanation, width: int | None) -> Iterator[str]:
    if explanation.detail is not None and explanation.detail.result:
        yield from wrapped(f"{explanation.document}: {explanation.detail.result}", width)
    if explanation.table.result:
        yield from wrapped(explanation.table.result, width)
    value = "not defined" if explanation.value is None else f"{explanation.value:.4f}"
    yield clean(f"{explanation.measure} = {value}")


def _totals(totals: Totals, width: int | None, *, everything: bool) -> Iterator[str]:
    text = totals.relevant_characters
    characters = "" if text is None else f" with {_count(text, 'relevant character')}"
    found = totals.relevant_documents - len(totals.missed)
    yield from wrapped(
        f"the topic has {_count(totals.relevant_documents, 'relevant document')}{characters};"
        f" {found} of them among the {_count(totals.documents, 'document')}"
        f" ({_count(totals.answers, 'answer')}) of the list",
        width,
    )
    missed = [_missed(m.document, m.characters) for m in totals.missed]
    if missed:
        yield from wrapped(f"not retrieved: {_named(missed, everything=everything)}", width)


def _undrawn(table: Steps, width: int | None, *, everything: bool) -> Iterator[str]:
    """The ideal units that no answer drew from, each with its value."""
    units = [f"{unit.document} {unit.unit} ({unit.value:.4f})" for unit in table.undrawn or ()]
    if units:
        named = _named(units, everything=everything)
        yield from wrapped(f"ideal units that no answer drew from: {named}", width)


def _named(names: Sequence[str], *, everything: bool) -> str:
    """The first names, or all of them."""
    most = len(names) if everything else NAMED
    rest = len(names) - most
    return ", ".join(names[:most]) + (f" and {rest} more (--all names them)" if rest > 0 else "")


def _missed(document: str, characters: int | None) -> str:
    return document if characters is None else f"{document} ({characters})"


def _count(number: int, what: str) -> str:
    return f"{number} {what}{'' if number == 1 else 's'}"


def wrapped(text: str, width: int | None) -> list[str]:
    """A sentence on as many lines as it takes."""
    text = clean(text)
    if width is None:
        return [text] if text else []
    return wrap(text, width - 2, break_long_words=False, break_on_hyphens=False)


# -- tables


def table_lines(table: Steps, width: int | None, *, everything: bool = False) -> Iterator[str]:
    """A table with right-aligned numbers; stretches of steps without interest are one line."""
    steps = [*_shown(table, everything=everything)]
    rows = [step if isinstance(step, str) else _row(table, step) for step in steps]
    layout = _Layout.of(table.columns, [row for row in rows if not isinstance(row, str)], width)
    yield layout.line(table.columns)
    yield from (f"  {row}" if isinstance(row, str) else layout.line(row) for row in rows)


def _row(table: Steps, step: Step) -> list[str]:
    """The texts of a step; one that stands for several ranks shows the first and the last."""
    row = [_text(name, cell) for name, cell in zip(table.columns, step.cells, strict=True)]
    if table.unit == "element":
        return [_branch(row[0]), *row[1:]]
    if step.through is None:
        return row
    first = row[0] if step.through == step.cells[0] else f"{row[0]}-{step.through}"
    return [first, "(end of list)", *row[2:]]


def _branch(path: str) -> str:
    """A path as a branch of a tree: as far to the right as it is deep.

    >>> _branch("/article[1]/bdy[1]/sec[2]")
    '    sec[2]'
    """
    *above, step = path.removeprefix("/").split("/")
    return "  " * len(above) + step


def _shown(table: Steps, *, everything: bool) -> Iterator[Step | str]:
    """The first steps and those that are relevant; the others as sentences."""
    hidden: list[Step] = []
    for number, step in enumerate(table.steps):
        if everything or number < FIRST or step.relevant or step.through is not None:
            yield from _collapsed(table, hidden)
            hidden = []
            yield step
        else:
            hidden.append(step)
    yield from _collapsed(table, hidden)


def _collapsed(table: Steps, hidden: Sequence[Step]) -> Iterator[Step | str]:
    if len(hidden) < 2:
        yield from hidden
        return
    unjudged = sum(step.relevant is None for step in hidden)
    more = f" ({unjudged} of them not judged)" if unjudged else ""
    yield f"{table.unit}s {hidden[0].cells[0]}-{hidden[-1].cells[0]}: {table.others}{more}"


def _text(name: str, cell: Cell) -> str:
    if cell is None:
        return "" if name in ("i", "adds", "counts") else "-"
    if isinstance(cell, bool):
        return "yes" if cell else "no"
    return f"{cell:.4f}" if isinstance(cell, float) else clean(str(cell))


@dataclass(frozen=True, slots=True)
class _Layout:
    """How wide each column is; names of documents give way when the line gets too long."""

    names: tuple[bool, ...]
    widths: tuple[int, ...]
    gap: str

    @classmethod
    def of(
        cls, columns: Sequence[str], rows: Sequence[Sequence[str]], width: int | None
    ) -> _Layout:
        widths = [max(map(display_width, cells)) for cells in zip(columns, *rows, strict=True)]
        names = tuple(name in ("document", "element", "gained") for name in columns)
        room = None if width is None else width - 1
        gap = "  " if room is None or sum(widths) + 2 * (len(widths) - 1) <= room else " "
        excess = 0 if room is None else sum(widths) + len(gap) * (len(widths) - 1) - room
        for _ in range(excess):
            place = max(range(len(widths)), key=lambda n: widths[n] if names[n] else -1)
            widths[place] -= names[place] and widths[place] > _NARROWEST
        return cls(names, tuple(widths), gap)

    def line(self, cells: Sequence[str]) -> str:
        """One line of the table."""
        parts = zip(cells, self.widths, self.names, strict=True)
        texts = (
            padded(shortened(text, width) if name else text, width, right=not name)
            for text, width, name in parts
        )
        return self.gap.join(texts).rstrip()


def shortened(text: str, width: int) -> str:
    """A long name without its middle: beginning and end tell names apart.

    >>> shortened("corpora/articles/lighthouses.md", 16)
    'corpora...ses.md'
    """
    if display_width(text) <= width:
        return text
    for kept in range(len(text) - 1, 1, -1):
        short = text[: (kept + 1) // 2] + "..." + text[len(text) - kept // 2 :]
        if display_width(short) <= width:
            return short
    return text[:1]
