"""What a report shows besides the parts of outputs: charts, strips of documents, downloads.

A report is a value, made in :mod:`spanwise.reporting.report`; the page is drawn from it by
:mod:`spanwise.reporting.render.html`, which decides nothing about what is in it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeAlias

from spanwise.data.notes import Note
from spanwise.records import replace
from spanwise.reporting.output import Input, Output, Part, Plot, Table

if TYPE_CHECKING:
    from spanwise.reporting.disagreement_items import Disagreements, ShareBars
    from spanwise.reporting.first_screen import Chips, TwoCharts, WeakTopics
    from spanwise.reporting.topic_failures import TopicFailures

Spans = tuple[tuple[int, int], ...]
"""Starts and ends of ranges."""
Texts = Callable[[str], str | None]
"""The text of a document, if it is known."""


@dataclass(frozen=True, slots=True)
class FinePrint:
    """A paragraph in small letters."""

    text: str


@dataclass(frozen=True, slots=True)
class OnDemand:
    """Items that open below a line which says what they are."""

    title: str
    items: tuple[Item, ...]
    printed: bool = True
    """Opened on paper."""


@dataclass(frozen=True, slots=True)
class Charts:
    """Plots whose lines are switched by one row of buttons."""

    plots: tuple[tuple[str, Plot], ...]
    """Each with the name of its file."""
    series: tuple[str, ...]
    """The lines of all plots; the place of a line here gives it its colour and dash."""
    corner: str = "series"
    """What the lines are."""
    numbers: bool = True
    """Each plot is followed by a table of its values."""


MOST_BARS = 250
"""More bars than this cannot be seen apart: of more topics an even sample is drawn."""


@dataclass(frozen=True, slots=True)
class Bars:
    """Differences from the largest gain to the largest loss; up is better."""

    name: str
    """Of its file."""
    title: str
    text: str
    """What the bars show, in words."""
    values: tuple[float, ...]
    reach: tuple[float, ...]
    """Values that the scale has room for."""
    lower: bool = False
    """Lower values are better."""


@dataclass(frozen=True, slots=True)
class BarCharts:
    """Bars side by side."""

    charts: tuple[Bars, ...]


@dataclass(frozen=True, slots=True)
class NoteList:
    """What was decided about doubtful cases."""

    notes: tuple[Note, ...]
    heading: bool = False


@dataclass(frozen=True, slots=True)
class Facts:
    """Names and values: settings, versions, files."""

    values: Mapping[str, object]
    heading: str = ""
    files: bool = False
    """Values are too long to be beside their names."""


@dataclass(frozen=True, slots=True)
class Download:
    """A file that the page carries along."""

    name: str
    formats: tuple[str, ...]
    output: Output | None = None
    """What it holds; None: the output of the whole report."""


@dataclass(frozen=True, slots=True)
class Downloads:
    """Files that belong together."""

    name: str
    files: tuple[Download, ...]


# -- strips: what is relevant in a document over what a run returned of it


@dataclass(frozen=True, slots=True)
class Strip:
    """One document of a ranked list."""

    document: str
    length: int
    """Characters of the document; if not known, up to the last one that matters."""
    length_known: bool
    judged: bool
    relevant: Spans
    retrieved: Spans
    """In the order of the list; they may overlap."""
    entry: int | None
    """The best entry point, where an assessor recorded one."""
    places_known: bool = True
    """False where elements are named whose places are not known."""


@dataclass(frozen=True, slots=True)
class SharedStrip:
    """One document, with what each of two assessors found relevant in it."""

    document: str
    length: int
    """Characters of the document; if not known, up to the last one that matters."""
    length_known: bool
    relevant: Spans
    """What either found."""
    first: Spans
    second: Spans


@dataclass(frozen=True, slots=True)
class Beside:
    """Items side by side where there is room."""

    items: tuple[Item, ...]


Item: TypeAlias = (
    "Part | FinePrint | OnDemand | Charts | BarCharts | NoteList | Facts | Downloads | Beside"
    " | Chips | TwoCharts | WeakTopics | TopicFailures | ShareBars | Disagreements"
)


@dataclass(frozen=True, slots=True)
class Section:
    """Items below a heading that can be linked to."""

    name: str
    """What a link says after the hash; no two sections of a page share one."""
    title: str
    items: tuple[Item, ...]
    link: str = ""
    """What links to it say, if not its title."""
    chapter: bool = False
    """The keys j and k stop here."""


@dataclass(frozen=True, slots=True)
class Report:
    """The results of an evaluation with all that explains them."""

    output: Output
    """Title, verdicts, means, rows; notes, settings, inputs and versions of the whole report."""
    lead: tuple[Item, ...]
    """What is read first."""
    sections: tuple[Section, ...]
    chapters: tuple[Output, ...] = ()
    """Experiments, shown after the runs."""
    pictures: Mapping[str, Table] = field(default_factory=dict)
    """Tables that become charts in files of their own, by the names of these."""
    skip: str = "the scores"
    """What the first link leads to, past the first screen."""
    stops: str = "topic"
    """Where the keys j and k stop; nothing if nowhere."""
    names: tuple[str, ...] = ()
    """Of runs or assessors, besides those of the rows: they are isolated inside sentences."""

    def with_inputs(self, inputs: tuple[Input, ...]) -> Report:
        """With the files that it comes from."""
        return replace(self, output=self.output.with_(inputs=inputs))

    def with_(
        self, notes: Sequence[Note] = (), settings: Mapping[str, object] | None = None
    ) -> Report:
        """With notes before its own, and with further settings."""
        return replace(self, output=self.output.with_(notes=notes, settings=settings))
