"""Outputs as sections of a page: what is shown at once, what opens on demand, and names."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import groupby

from spanwise.reporting.output import Headline, Input, Output, Part, Plot, Table
from spanwise.reporting.sections import Charts, Facts, Item, NoteList, OnDemand, Section

OPEN_SENTENCES, OPEN_TABLES, OPEN_PLOTS = 4, 3, 2
"""What a chapter shows at once; the rest opens on demand."""
MOST_ROWS, ALL_ROWS = 40, 60
"""Of one table that is shown at once, and of all of them together."""
MOST_SUMMARIES = 3
"""More parts than this that open on demand are behind one summary."""
SHORT = 20
"""Characters of a link, about."""


class Unique:
    """Numbers what was there before: programs that read a page aloud tell parts by their names."""

    def __init__(self) -> None:
        self._seen: Counter[str] = Counter()

    def __call__(self, name: str, ending: str = " ({})") -> str:
        """The name, with a number if it is taken."""
        new = name
        while self._seen[new]:
            self._seen[name] += 1
            new = name + ending.format(self._seen[name])
        self._seen[new] += 1
        return new


# -- a page for any output


def title_of(output: Output) -> str:
    """What the page of an output is called."""
    if not output.chapter:
        return output.title or f"spanwise {output.producer}"
    return "The lab" if output.appendices else f"The lab: {_command(output)}"


def output_sections(output: Output) -> list[Section]:
    """The sections of the page of an output: its chapters, or its parts and what explains them."""
    if output.chapter:
        return list(chapter_sections([output, *output.appendices]))
    shown = [output, *output.appendices]
    items = (item for place, one in enumerate(shown) for item in _in_order(f"chart{place}", one))
    return [Section("results", "Results", tuple(items)), *about_sections(output)]


def about_sections(output: Output) -> Iterator[Section]:
    """What was decided about doubtful cases, and what is needed to repeat the results."""
    if output.notes:
        yield Section("notes", "Notes", (NoteList(output.notes),))
    facts = [Facts(output.settings, "Settings"), Facts(output.versions, "Versions")]
    facts += [Facts(_hashes(output.inputs), "Files", files=True)] if output.inputs else []
    known = tuple(fact for fact in facts if fact.values)
    if known:
        yield Section("settings", "Settings and files", known)


def _hashes(inputs: Sequence[Input]) -> dict[str, str]:
    return {f"{given.role} {given.file}": f"SHA-256 {given.sha256}" for given in inputs}


# -- chapters


def chapter_sections(chapters: Sequence[Output]) -> Iterator[Section]:
    """Chapters as sections of a page; no two have the same name or title."""
    names, titles = Unique(), Unique()
    for chapter in chapters:
        slug = re.sub(r"[^a-z0-9]+", "-", _command(chapter).lower()).strip("-")
        name, title = names(f"lab-{slug or 'chapter'}", "-{}"), titles(chapter.title)
        items = tuple(_chapter_items(name, chapter, folded=len(chapters) > 1))
        yield Section(name, title, items, _link(chapter), chapter=True)


def _command(chapter: Output) -> str:
    return chapter.producer.removeprefix("lab ")


def _link(chapter: Output) -> str:
    """What comes before a colon in the title if that is short, else the command."""
    first, colon, _ = chapter.title.partition(":")
    return first if colon and len(first) <= SHORT else _command(chapter).capitalize()


OVERVIEW = "lab all"
"""The chapter before all others; its table says what they found."""


def _chapter_items(name: str, chapter: Output, *, folded: bool) -> Iterator[Item]:
    """An experiment among others shows its headline; all else opens on demand."""
    if chapter.producer == OVERVIEW:
        yield from (part for part in chapter.parts if isinstance(part, Headline))
        yield from _tables(chapter.tables)
        yield from (part for part in chapter.parts if isinstance(part, str))
        yield from _charts_and_notes(name, chapter)
        return
    items = [*_sentences(chapter), *_tables(chapter.tables), *_charts_and_notes(name, chapter)]
    if not folded or len(items) < 2 or not isinstance(items[0], Headline):
        yield from items
        return
    yield items[0]
    yield OnDemand("The experiment", tuple(items[1:]))


def _charts_and_notes(name: str, chapter: Output) -> Iterator[Item]:
    plots = _drawable(chapter.plots)
    yield from _charts(name, plots[:OPEN_PLOTS], 1)
    hidden = [
        OnDemand(plot.title, tuple(_charts(name, [plot], number)))
        for number, plot in enumerate(plots[OPEN_PLOTS:], OPEN_PLOTS + 1)
    ]
    yield from _summarised(hidden, "charts")
    if chapter.notes:
        yield NoteList(chapter.notes, heading=True)
    if chapter.settings:
        yield OnDemand("Settings", (Facts(chapter.settings),), printed=False)


def _sentences(chapter: Output) -> Iterator[Item]:
    said: list[Part] = [part for part in chapter.parts if isinstance(part, (str, Headline))]
    yield from said[:OPEN_SENTENCES]
    hidden = tuple(said[OPEN_SENTENCES:])
    if hidden:
        yield OnDemand(f"{len(hidden)} more findings", hidden)


def _tables(tables: Sequence[Table]) -> Iterator[Item]:
    hidden, rows = [], 0
    for count, table in enumerate(tables, 1):
        rows += len(table.rows)
        if count > OPEN_TABLES or len(table.rows) > MOST_ROWS or rows > ALL_ROWS:
            hidden.append(OnDemand(table.title, (table,)))
        else:
            yield table
    yield from _summarised(hidden, "tables")


def _summarised(hidden: Sequence[OnDemand], what: str) -> Iterator[OnDemand]:
    """Parts that open on demand; a long list of them does, too."""
    if len(hidden) > MOST_SUMMARIES:
        yield OnDemand(f"{len(hidden)} more {what}", tuple(hidden))
    else:
        yield from hidden


def _drawable(plots: Sequence[Plot]) -> list[Plot]:
    """The plots in which there is something to draw."""
    return [plot for plot in plots if plot.series and plot.places]


def _charts(name: str, plots: Sequence[Plot], first: int) -> Iterator[Charts]:
    """Plots that follow each other and have the same series share their buttons."""
    numbered = enumerate(plots, first)
    for series, group in groupby(numbered, lambda each: [line for line, _ in each[1].series]):
        named = tuple((f"{name}-{number}", plot) for number, plot in group)
        yield Charts(named, tuple(series))


def _in_order(name: str, output: Output) -> Iterator[Item]:
    """Everything that an output has, one under the other."""
    number, before = 0, {id(part) for part in output.lead}
    for part in output.parts:
        if id(part) in before:
            continue
        if not isinstance(part, Plot):
            yield part
        elif _drawable([part]):
            number += 1
            yield from _charts(name, [part], number)


def flattened(items: Sequence[Item]) -> Iterator[Item]:
    """The items, and those that open on demand."""
    for item in items:
        if isinstance(item, OnDemand):
            yield from flattened(item.items)
        else:
            yield item
