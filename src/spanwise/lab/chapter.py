"""What an experiment found, ready to be shown: sentences, tables, plots, rows for programs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

Value = str | int | float | bool | None
Kind = Literal["text", "count", "value", "signed", "percent", "p"]
"""How the values of a column are written: ``value`` with the digits asked for, ``signed`` with its
sign too, ``percent`` as hundredths with one digit, ``p`` never as 0."""


@dataclass(frozen=True, slots=True)
class Column:
    """A column of a table."""

    name: str
    kind: Kind = "value"


@dataclass(frozen=True, slots=True)
class Table:
    """Rows that all have the same columns; the first column names the row."""

    title: str
    columns: tuple[Column, ...]
    rows: tuple[tuple[Value, ...], ...]
    """None stands for what is not defined."""


@dataclass(frozen=True, slots=True)
class Plot:
    """Lines over one axis."""

    title: str
    x_title: str
    y_title: str
    places: tuple[float, ...]
    series: tuple[tuple[str, tuple[float, ...]], ...]
    ranks: bool = False
    """Places grow by factors: the first ones have most of the room."""


@dataclass(frozen=True, slots=True)
class Chapter:
    """One experiment, told from its beginning to its end."""

    experiment: str
    """The command that runs it."""
    title: str
    verdict: tuple[str, ...]
    """What was found, in sentences; the first one is the one to take home."""
    tables: tuple[Table, ...] = ()
    plots: tuple[Plot, ...] = ()
    notes: tuple[str, ...] = ()
    """What was decided about doubtful cases, and what to compare the numbers with."""
    rows: tuple[dict[str, Value], ...] = ()
    """Everything, for programs: one object a line in JSONL; ``kind`` tells rows apart where there
    are several kinds."""
    settings: Mapping[str, Any] = field(default_factory=dict)
