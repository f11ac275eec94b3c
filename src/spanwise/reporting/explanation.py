"""The output of an explanation: a table of steps, totals, and the sentence that ends it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from spanwise.data.notes import Note
from spanwise.errors import option
from spanwise.evaluation.explain import Explanation, Totals
from spanwise.measures.explaining import Step, Steps
from spanwise.records import replace
from spanwise.reporting.explained_finding import finding, sentences, title_of
from spanwise.reporting.explained_lists import ExplainedList, list_parts
from spanwise.reporting.output import (
    Column,
    Headline,
    Kind,
    Lines,
    Output,
    Part,
    ReadingPlot,
    Row,
    Rows,
    Table,
    Value,
    versions,
)
from spanwise.reporting.reading_plots import reading_plot
from spanwise.reporting.render.cells import text_of
from spanwise.reporting.results import Result
from spanwise.reporting.topic_names import LONGEST_QUERY, topic_name
from spanwise.text.sentences import counted

FIRST = 10
"""This many steps are always shown, whatever is in them."""
NAMED = 10
"""How many documents that were not retrieved are named, and how many ideal units."""
_NAMES = ("document", "element", "gained")
"""Columns that hold names, which may be long."""
_BLANK = ("i", "adds", "counts")
"""Columns in which nothing is shown where there is no value."""


@dataclass(frozen=True, eq=False, repr=False)
class ExplanationResult(Result):
    """How measures came to their values for one topic."""

    explanations: tuple[Explanation, ...]
    notes: tuple[Note, ...] = ()
    everything: bool = False
    """Show all ranks, not only the first ones and those that are relevant."""
    read: tuple[str, ...] = ()
    """The files it comes from."""
    lists: tuple[ExplainedList, ...] = ()
    """What is wrong with the list of each run, with its texts."""

    def files_read(self) -> Sequence[str]:
        return self.read

    def output(self, *, hashed_inputs: bool = False) -> Output:
        """One table after the other, each with its result."""
        plots = _reading_plots(self.explanations)
        parts = [
            part
            for place, explanation in enumerate(self.explanations)
            for part in _parts(explanation, plots.get(place), everything=self.everything)
        ]
        several = len(self.lists) > 1
        of_lists = [part for one in self.lists for part in list_parts(one, named=several)]
        texts = [one.texts() for one in self.lists if one.has_texts]
        record: dict[str, object] = {"explanations": [one.to_dict() for one in self.explanations]}
        record |= {"diagnoses": [one.to_dict() for one in self.lists]}
        return Output(
            producer="explain",
            title=title_of(self.explanations) if self.explanations else "",
            parts=(*parts, *of_lists),
            lead=tuple(self._lead(plots.values(), of_lists)),
            rows=Rows(items=[row for one in self.explanations for row in _rows(one)]),
            notes=self.notes,
            versions=versions(),
            record={**record, "texts": texts} if texts else record,
        )

    def _lead(self, plots: Iterable[ReadingPlot], of_lists: Sequence[Part]) -> Iterator[Part]:
        """What was found, the reading order, and the texts."""
        if self.explanations:
            yield Headline(finding(self.explanations))
            yield from sentences(self.explanations)
        yield from plots
        yield from of_lists


def _reading_plots(explanations: Sequence[Explanation]) -> dict[int, ReadingPlot]:
    """Each reading order once, with the readers of all measures that follow it.

    By the first of the explanations that it belongs to.
    """
    found: dict[tuple[object, ...], list[int]] = {}
    for place, one in enumerate(explanations):
        if one.reading is not None:
            found.setdefault((one.run, one.reading.segments), []).append(place)
    several = len({run for run, _ in found}) > 1
    return {
        places[0]: _reading_plot([explanations[place] for place in places], named=several)
        for places in found.values()
    }


def _reading_plot(explanations: Sequence[Explanation], *, named: bool) -> ReadingPlot:
    readings = [one.reading for one in explanations if one.reading is not None]
    stops = dict.fromkeys(stop for one in readings for stop in one.stops)
    about = f"{explanations[0].run}: " if named else ""
    title = f"{about}{readings[0].document} as the measures see it being read"
    return reading_plot(replace(readings[0], stops=tuple(stops)), title)


def _rows(explanation: Explanation) -> Iterator[dict[str, Value]]:
    """The steps, each with what it is a step of."""
    about = {name: getattr(explanation, name) for name in ("run", "measure", "topic")}
    yield from ({**about, **row} for row in explanation.table.rows())


def _parts(
    explanation: Explanation, reading: ReadingPlot | None, *, everything: bool
) -> Iterator[Part]:
    yield Lines((_heading(explanation),), wraps=True)
    for steps in (explanation.table, explanation.detail):
        if steps is not None and steps.steps:
            yield steps_table(steps, everything=everything)
    if reading is not None:
        yield reading
    lines = [
        *_totals(explanation.totals, everything=everything),
        *_undrawn(explanation.table, everything=everything),
        *_results(explanation),
    ]
    yield Lines(tuple(lines), wraps=True)


def _heading(explanation: Explanation) -> str:
    name, canonical = explanation.measure, explanation.canonical
    about = f"{name}, that is {canonical}" if name != canonical else name
    document = "" if explanation.document is None else f", document {explanation.document}"
    queries = {explanation.topic: explanation.query} if explanation.query else {}
    topic = topic_name(explanation.topic, queries, LONGEST_QUERY)
    return f"{about}: run {explanation.run}, topic {topic}{document}"


def _results(explanation: Explanation) -> Iterator[str]:
    if explanation.detail is not None and explanation.detail.result:
        yield f"{explanation.document}: {explanation.detail.result}"
    if explanation.table.result:
        yield explanation.table.result
    value = "not defined" if explanation.value is None else text_of(explanation.value, "value")
    yield f"{explanation.measure} = {value}"


def _totals(totals: Totals, *, everything: bool) -> Iterator[str]:
    text = totals.relevant_characters
    characters = "" if text is None else f" with {counted(text, 'relevant character')}"
    found = totals.relevant_documents - len(totals.missed)
    yield (
        f"the topic has {counted(totals.relevant_documents, 'relevant document')}{characters};"
        f" {found:,} of them among the {counted(totals.documents, 'document')}"
        f" ({counted(totals.answers, 'answer')}) of the list"
    )
    missed = [_missed(m.document, m.characters) for m in totals.missed]
    if missed:
        yield f"not retrieved: {_named(missed, everything=everything)}"


def _undrawn(steps: Steps, *, everything: bool) -> Iterator[str]:
    """The units that no answer drew from, each with its value."""
    units = [f"{unit.document} {unit.unit} ({unit.value:.4f})" for unit in steps.undrawn or ()]
    if units:
        yield f"{steps.undrawn_title}: {_named(units, everything=everything)}"


def _named(names: Sequence[str], *, everything: bool) -> str:
    """The first names, or all of them."""
    most = len(names) if everything else NAMED
    rest = len(names) - most
    return ", ".join(names[:most]) + (
        f" and {rest} more ({option('everything', True)} names them)" if rest > 0 else ""
    )


def _missed(document: str, characters: int | None) -> str:
    return document if characters is None else f"{document} ({characters})"


# -- tables


def steps_table(steps: Steps, *, everything: bool) -> Table:
    """The steps as a table; stretches of steps without interest are one line."""
    columns = tuple(_column(name, steps) for name in steps.columns)
    rows = tuple(
        step if isinstance(step, str) else _row(steps, step)
        for step in _shown(steps, everything=everything)
    )
    return Table("", columns, rows, legend=_legend(steps))


def _column(name: str, steps: Steps) -> Column:
    place = steps.columns.index(name)
    values = [step.cells[place] for step in steps.steps]
    kind: Kind = "value" if any(isinstance(value, float) for value in values) else "count"
    if name in _NAMES or any(isinstance(value, str) for value in values):
        return Column(name, "text", clips=name in _NAMES)
    return Column(name, kind)


def _legend(steps: Steps) -> str:
    """What the columns mean; a dash is explained where there is one."""
    shown = [place for place, name in enumerate(steps.columns) if name not in _BLANK]
    unjudged = steps.unit == "rank" and any(
        step.relevant is None and any(step.cells[place] is None for place in shown)
        for step in steps.steps
    )
    return "; ".join(filter(None, (steps.legend, "- = unjudged" if unjudged else "")))


def _row(steps: Steps, step: Step) -> Row:
    """The cells of a step; one that stands for several ranks shows the first and the last."""
    cells: list[Value] = [
        "" if cell is None and name in _BLANK else cell
        for name, cell in zip(steps.columns, step.cells, strict=True)
    ]
    if steps.unit == "element":
        return (_branch(str(cells[0])), *cells[1:])
    if step.through is None:
        return tuple(cells)
    first = cells[0] if step.through == step.cells[0] else f"{cells[0]}-{step.through}"
    return (first, "(end of list)", *cells[2:])


def _branch(path: str) -> str:
    """A path as a branch of a tree: as far to the right as it is deep.

    >>> _branch("/article[1]/bdy[1]/sec[2]")
    '    sec[2]'
    """
    *above, step = path.removeprefix("/").split("/")
    return "  " * len(above) + step


def _shown(steps: Steps, *, everything: bool) -> Iterator[Step | str]:
    """The first steps and those that are relevant; the others as sentences."""
    hidden: list[Step] = []
    for number, step in enumerate(steps.steps):
        if everything or number < FIRST or step.relevant or step.through is not None:
            yield from _collapsed(steps, hidden)
            hidden = []
            yield step
        else:
            hidden.append(step)
    yield from _collapsed(steps, hidden)


def _collapsed(steps: Steps, hidden: Sequence[Step]) -> Iterator[Step | str]:
    if len(hidden) < 2:
        yield from hidden
        return
    unjudged = sum(step.relevant is None for step in hidden)
    more = f" ({unjudged} of them unjudged)" if unjudged else ""
    yield f"{steps.unit}s {hidden[0].cells[0]}-{hidden[-1].cells[0]}: {steps.others}{more}"
