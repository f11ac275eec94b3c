"""Chapters of experiments on a page: sentences, tables, charts, notes, settings."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import groupby

from spanwise.lab.chapter import Chapter, Column, Plot, Table, Value
from spanwise.reporting.chapters import shown
from spanwise.reporting.html.charts import Chart, line_chart
from spanwise.reporting.html.curves import Curve, Plan
from spanwise.reporting.html.escape import escaped
from spanwise.reporting.html.facts import facts
from spanwise.reporting.html.figures import curve_numbers, figure, legend
from spanwise.reporting.html.frame import Section, framed
from spanwise.reporting.html.tables import Field, HtmlTable

OPEN_SENTENCES, OPEN_TABLES, OPEN_PLOTS = 4, 3, 2
"""What a chapter shows at once; the rest opens on demand."""
MOST_ROWS, ALL_ROWS = 40, 60
"""Of one table that is shown at once, and of all of them together."""
LISTED = 3
"""More parts than this that open on demand are behind one summary."""
SHORT = 20
"""Characters of a link, about."""


def chapters_page(chapters: Sequence[Chapter], digits: int) -> str:
    """The whole file, a section for each chapter."""
    named = ", ".join(dict.fromkeys(_command(chapter) for chapter in chapters))
    title = f"The lab: {named}" if len(chapters) == 1 else "The lab"
    sections = list(chapter_sections(chapters, digits))
    return framed(title, "", sections, f"Skip to {sections[0].title}", "chapter")


def chapter_sections(chapters: Sequence[Chapter], digits: int) -> Iterator[Section]:
    """The chapters as sections of a page."""
    for name, chapter in _named(chapters):
        content = _content(name, chapter, digits)
        yield Section(name, chapter.title, content, "chapter", _link(chapter))


def chapter_charts(chapters: Sequence[Chapter]) -> Iterator[Chart]:
    """Every chart of the chapters."""
    for name, chapter in _named(chapters):
        yield from (_chart(plot, f"{name}-{count}") for count, plot in _drawable(chapter))


# -- names


def _command(chapter: Chapter) -> str:
    return chapter.experiment.removeprefix("lab ")


def _link(chapter: Chapter) -> str:
    """What stands before a colon in the title if that is short, else the command."""
    first, colon, _ = chapter.title.partition(":")
    return first if colon and len(first) <= SHORT else _command(chapter).capitalize()


def _named(chapters: Sequence[Chapter]) -> Iterator[tuple[str, Chapter]]:
    """Each chapter with its name in links; no two names, titles or captions are the same."""
    names, titles, tables, plots = (_Again() for _ in range(4))
    for chapter in chapters:
        name = re.sub(r"[^a-z0-9]+", "-", _command(chapter).lower()).strip("-")
        yield (
            names.called(f"lab-{name or 'chapter'}", "-{}"),
            replace(
                chapter,
                title=titles.called(chapter.title),
                tables=tuple(replace(t, title=tables.called(t.title)) for t in chapter.tables),
                plots=tuple(replace(p, title=plots.called(p.title)) for p in chapter.plots),
            ),
        )


class _Again:
    """Numbers what was there before: programs that read a page aloud tell parts by their names."""

    def __init__(self) -> None:
        self._seen: Counter[str] = Counter()

    def called(self, name: str, ending: str = " ({})") -> str:
        """The name, with a number if it is taken."""
        new = name
        while self._seen[new]:
            self._seen[name] += 1
            new = name + ending.format(self._seen[name])
        self._seen[new] += 1
        return new


# -- what a chapter shows


def _content(name: str, chapter: Chapter, digits: int) -> str:
    return (
        _sentences(chapter.verdict)
        + _tables(chapter.tables, digits)
        + _plots(name, chapter, digits)
        + _notes(chapter.notes)
        + (_on_demand("Settings", facts(chapter.settings)) if chapter.settings else "")
    )


def _on_demand(title: str, content: str, kind: str = "") -> str:
    name = f' class="{kind}"' if kind else ""
    return f"<details{name}><summary>{escaped(title)}</summary>{content}</details>"


def _listed(hidden: Sequence[str], what: str) -> str:
    """Parts that open on demand; a long list of them does, too."""
    parts = "".join(hidden)
    return (
        _on_demand(f"{len(hidden)} more {what}", parts, "more") if len(hidden) > LISTED else parts
    )


def _sentences(verdict: Sequence[str]) -> str:
    texts = [f"<p>{escaped(sentence)}</p>" for sentence in verdict]
    first = "".join(texts[:1]).replace("<p>", '<p class="verdict">', 1)
    others, hidden = texts[1:OPEN_SENTENCES], texts[OPEN_SENTENCES:]
    more = _on_demand(f"{len(hidden)} more findings", "".join(hidden), "more") if hidden else ""
    return first + "".join(others) + more


def _notes(notes: Sequence[str]) -> str:
    if not notes:
        return ""
    items = "".join(f"<li>{escaped(note)}</li>" for note in notes)
    return f"<h3>Notes</h3><ul>{items}</ul>"


# -- tables


def _tables(tables: Sequence[Table], digits: int) -> str:
    opened, hidden, rows = [], [], 0
    for count, table in enumerate(tables, 1):
        drawn = _html_table(table, digits).html()
        rows += len(table.rows)
        if count > OPEN_TABLES or len(table.rows) > MOST_ROWS or rows > ALL_ROWS:
            hidden.append(_on_demand(table.title, drawn, "more"))
        else:
            opened.append(drawn)
    return "".join(opened) + _listed(hidden, "tables")


def _html_table(table: Table, digits: int) -> HtmlTable:
    side, *columns = table.columns
    rows = [
        (
            shown(row[0], side, digits),
            [_field(value, column, digits) for value, column in zip(row[1:], columns, strict=True)],
        )
        for row in table.rows
    ]
    return HtmlTable(table.title, side.name, [column.name for column in columns], rows)


def _field(value: Value, column: Column, digits: int) -> Field:
    if value is None:
        return Field("–")
    text = shown(value, column, digits)
    if not isinstance(value, str) and text.startswith("-"):
        text = f"\N{MINUS SIGN}{text[1:]}"
    return Field(escaped(text))


# -- charts


def _drawable(chapter: Chapter) -> list[tuple[int, Plot]]:
    """The plots in which there is something to draw, numbered."""
    plots = [plot for plot in chapter.plots if plot.series and plot.places]
    return list(enumerate(plots, 1))


def _plots(name: str, chapter: Chapter, digits: int) -> str:
    plots = _drawable(chapter)
    opened = groupby(plots[:OPEN_PLOTS], lambda numbered: _series(numbered[1]))
    shown_at_once = [_group(name, list(group), digits) for _, group in opened]
    hidden = [
        _on_demand(plot.title, _group(name, [(count, plot)], digits), "more")
        for count, plot in plots[OPEN_PLOTS:]
    ]
    return "".join(shown_at_once) + _listed(hidden, "charts")


def _group(name: str, plots: Sequence[tuple[int, Plot]], digits: int) -> str:
    """Plots with the same series, in a section of their own, so that buttons act on them alone."""
    drawn = [
        figure(_chart(plot, f"{name}-{count}")) + curve_numbers(_curve(plot), "series", digits)
        for count, plot in plots
    ]
    return f"<section>{legend(_series(plots[0][1]))}{''.join(drawn)}</section>"


def _series(plot: Plot) -> dict[str, int]:
    return {name: number for number, (name, _) in enumerate(plot.series)}


def _curve(plot: Plot) -> Curve:
    plan = Plan(plot.title, plot.x_title, plot.y_title, plot.places, (), plot.ranks, "")
    return Curve(plan, plot.series)


def _chart(plot: Plot, name: str) -> Chart:
    return line_chart(_curve(plot), name, _series(plot))
