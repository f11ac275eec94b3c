"""The formats spanwise reads and writes: one format, one file, one entry in ``names.py``.

A run format yields blocks: each holds all answers of its topics, so that a file of any size is
evaluated without being held in memory. An assessments format gives everything at once.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from importlib import import_module
from typing import TYPE_CHECKING, BinaryIO, Generic, Protocol, TypeVar, cast

from spanwise.data.assessments import Assessments
from spanwise.data.faults import Faults
from spanwise.data.run import Run
from spanwise.errors import SpanwiseError
from spanwise.formats.names import ASSESSMENTS_MODULES, RUN_MODULES
from spanwise.formats.source import Source

if TYPE_CHECKING:
    from spanwise.formats.chunks import ChunkTable


@dataclass(frozen=True, slots=True)
class RunOptions:
    """How a run file is to be read."""

    whole: bool = False
    """Read everything as one block (needed when a topic's lines are not together)."""
    chunks: ChunkTable | None = None
    """What the chunk ids of a run stand for."""


class RunFormat(Protocol):
    """A module that reads and writes runs."""

    RUN_TITLE: str

    def read_run(self, source: Source, faults: Faults, options: RunOptions) -> Iterator[Run]:
        """Blocks of whole topics. Calls ``faults.settle()`` before it yields."""

    def write_run(self, runs: Iterable[Run], stream: BinaryIO) -> list[str]:
        """Write runs; returns a sentence for each thing that the format cannot hold."""


class AssessmentsFormat(Protocol):
    """A module that reads and writes assessments."""

    ASSESSMENTS_TITLE: str

    def read_assessments(self, source: Source, faults: Faults) -> Assessments:
        """All judgements. Calls ``faults.settle()`` before it returns."""

    def write_assessments(self, assessments: Assessments, stream: BinaryIO) -> list[str]:
        """Write assessments; returns a sentence for each thing that the format cannot hold."""


Format = TypeVar("Format", RunFormat, AssessmentsFormat)


@dataclass(frozen=True, slots=True)
class Shelf(Generic[Format]):
    """Formats of one role, loaded when asked for."""

    role: str
    modules: dict[str, str]

    @property
    def names(self) -> Sequence[str]:
        """The names users may give."""
        return tuple(self.modules)

    def get(self, name: str) -> Format:
        """The format of this name; an unknown name gets a suggestion."""
        if name not in self.modules:
            close = get_close_matches(name, self.modules, n=1)
            hint = f"did you mean {close[0]}?" if close else f"one of {', '.join(self.modules)}"
            raise SpanwiseError(f"unknown {self.role} format {name!r}: {hint}")
        return cast(Format, import_module(self.modules[name]))


RUNS: Shelf[RunFormat] = Shelf("run", RUN_MODULES)
ASSESSMENTS: Shelf[AssessmentsFormat] = Shelf("assessments", ASSESSMENTS_MODULES)
