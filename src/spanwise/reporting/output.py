"""The output model: what every command produces, and what every renderer takes.

A command puts what it found into one :class:`Output`. A renderer turns any output into a terminal
text, Markdown, LaTeX, rows, JSON or a page, and does not know who made it.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping, Sequence
from typing import Literal, NamedTuple

from spanwise.data.notes import Note
from spanwise.records import Struct, field, replace
from spanwise.version import __version__

Value = str | int | float | bool | None
Kind = Literal["text", "count", "value", "signed", "percent", "p", "interval"]
"""How the values of a column are written: ``value`` with the digits asked for, ``signed`` with its
sign too, ``percent`` as hundredths with one digit, ``p`` never as 0, ``interval`` as two ends."""

Tone = Literal["", "better", "worse"]


class Interval(NamedTuple):
    """The two ends of an interval."""

    low: float
    high: float


class Joined(Struct, frozen=True, forbid_unknown_fields=True):
    """Several values in one cell, each written in its own way."""

    values: tuple[tuple[Value, Kind], ...]
    between: str = " "


class Cell(Struct, frozen=True, forbid_unknown_fields=True):
    """A value that needs more than its column's style."""

    value: Value | Interval | Joined
    mark: str = ""
    """Stars of significance, written after the value; blanks keep decimal points aligned."""
    best: bool = False
    """The best value of its measure, in bold where there is bold type."""
    interval: Interval | None = None
    """Around the value: below it on a page, in brackets elsewhere."""
    remark: str = ""
    """A few words about the value, such as its p: below it on a page, in brackets elsewhere."""
    tone: Tone = ""
    """What a page colours the cell for."""


class Column(Struct, frozen=True, forbid_unknown_fields=True):
    """A column of a table."""

    name: str
    kind: Kind = "value"
    clips: bool = False
    """Holds names that lose their middle where the table is too wide."""


Row = tuple[Value | Cell, ...] | str
"""The cells of a row, or a sentence across all columns."""


class Table(Struct, frozen=True, forbid_unknown_fields=True, tag="table"):
    """Rows that have the same columns; the first column names the row. None is undefined."""

    title: str
    columns: tuple[Column, ...]
    rows: tuple[Row, ...]
    legend: str = ""
    """What the columns mean that do not say it themselves."""
    transposed: str = "run"
    """The heading of the first column where rows and columns are exchanged to fit a width."""
    sortable: bool = False
    """A page lets its readers sort the rows by any column."""

    @property
    def sentences(self) -> tuple[str, ...]:
        """The rows that are sentences."""
        return tuple(row for row in self.rows if isinstance(row, str))

    def cells(self) -> Iterator[tuple[Cell, ...]]:
        """The rows that have cells, each value as a cell."""
        for row in self.rows:
            if not isinstance(row, str):
                yield tuple(value if isinstance(value, Cell) else Cell(value) for value in row)


class Plot(Struct, frozen=True, forbid_unknown_fields=True, tag="plot"):
    """Lines over one axis."""

    title: str
    x_title: str
    y_title: str
    places: tuple[float, ...]
    series: tuple[tuple[str, tuple[float, ...]], ...]
    ranks: bool = False
    """Places grow by factors: the first ones have most of the room."""
    values: str = ""
    """What the values are, such as means over topics, for people who do not see the lines."""
    marked: bool = False
    """Single values are marked, and a line may lack some of them: these are NaN."""


ReadAs = Literal["found", "missed", "vain", "rest"]
"""Returned and relevant; relevant, not returned; returned in vain; neither."""


class Stretch(NamedTuple):
    """Text that is read in one go."""

    before: int
    """Characters read before it."""
    length: int
    read_as: ReadAs
    part: int = 0
    """The returned part that begins with it, by its place in the reading; 0 if none does."""


class ReadingPlot(Struct, frozen=True, forbid_unknown_fields=True, tag="reading order"):
    """A document in the order it is read: what is found along the way, where readers give up."""

    title: str
    text: str
    """The same in sentences."""
    length: int
    relevant: int
    returned: int
    """Characters that were returned: they are read first."""
    average: float
    """aveChP."""
    stretches: tuple[Stretch, ...]
    curve: tuple[tuple[int, int, float], ...]
    """Characters read, relevant ones found, aveChP so far."""
    stops: tuple[tuple[str, int], ...]
    """Where readers give up, by their names."""
    screen: int
    """Characters that a screen holds."""


class Headline(Struct, frozen=True, forbid_unknown_fields=True, tag="headline"):
    """What was found, in one sentence: the first thing that people read."""

    text: str


class Lines(Struct, frozen=True, forbid_unknown_fields=True, tag="lines"):
    """Lines that are shown as they are, such as faults with their places."""

    lines: tuple[str, ...]
    wraps: bool = False
    """Long lines are broken at the width of a terminal."""
    hanging: int | None = None
    """Lines of documents' texts, in any script: they go on below so many blanks."""


Part = str | Headline | Table | Plot | ReadingPlot | Lines
"""A string is a paragraph."""


class Field(Struct, frozen=True, forbid_unknown_fields=True):
    """A column of rows for programs."""

    name: str
    type: Literal["text", "number", "count", "truth"] = "text"
    in_tables: bool = True
    """Written to CSV and TSV too; JSON and Parquet have every field."""


class Rows(Struct, frozen=True, forbid_unknown_fields=True):
    """What was found, for programs: every digit, nothing undefined but None."""

    fields: tuple[Field, ...] = ()
    """None: rows of several kinds, each with the keys that it has."""
    items: Sequence[Mapping[str, Value]] = ()

    def names(self) -> list[str]:
        """The columns of CSV and TSV."""
        if self.fields:
            return [field.name for field in self.fields if field.in_tables]
        return list(dict.fromkeys(name for row in self.items for name in row))


class Input(Struct, frozen=True, forbid_unknown_fields=True):
    """A file that the results come from, with the hash of its bytes."""

    role: str
    file: str
    sha256: str


class Output(Struct, frozen=True, forbid_unknown_fields=True):
    """Everything that a command found, in the order in which people read it."""

    producer: str
    """The command, such as ``evaluate`` or ``lab topics``."""
    title: str = ""
    parts: tuple[Part, ...] = ()
    rows: Rows = field(default_factory=Rows)
    notes: tuple[Note, ...] = ()
    settings: Mapping[str, object] = field(default_factory=dict)
    inputs: tuple[Input, ...] = ()
    versions: Mapping[str, str] = field(default_factory=dict)
    lenient: str = ""
    """What marks results for which faulty input was dropped or cut; nothing if none was."""
    record: Mapping[str, object] = field(default_factory=dict)
    """What the JSON object holds besides rows, notes, settings, inputs and versions."""
    chapter: bool = False
    """A report can take it in as a chapter: its JSON keeps the parts."""
    lead: tuple[Part, ...] = ()
    """What a page begins with: the finding, and those of the parts that show it."""
    appendices: tuple[Output, ...] = ()
    """Further outputs for programs and pages; people who read text see the first one alone."""

    @property
    def tables(self) -> tuple[Table, ...]:
        """The tables among the parts."""
        return tuple(part for part in self.parts if isinstance(part, Table))

    @property
    def plots(self) -> tuple[Plot, ...]:
        """The plots among the parts."""
        return tuple(part for part in self.parts if isinstance(part, Plot))

    @property
    def sentences(self) -> tuple[str, ...]:
        """The headline and the paragraphs."""
        said = (part.text if isinstance(part, Headline) else part for part in self.parts)
        return tuple(text for text in said if isinstance(text, str))

    def with_(
        self,
        *,
        notes: Sequence[Note] = (),
        settings: Mapping[str, object] | None = None,
        inputs: Sequence[Input] = (),
    ) -> Output:
        """With notes before its own, and with settings and inputs added."""
        return replace(
            self,
            notes=tuple(dict.fromkeys((*notes, *self.notes))),
            settings={**(settings or {}), **self.settings},
            inputs=(*self.inputs, *inputs),
        )


def versions(*packages: str) -> dict[str, str]:
    """What computed the results, and further packages if they had a part in it."""
    import numpy

    found = {"spanwise": __version__, "python": sys.version.split()[0], "numpy": numpy.__version__}
    if packages:
        from importlib.metadata import version

        found |= {name: version(name) for name in packages}
    return found
