"""What a measure is: a list score standing on an item score, a value with a name.

Score
├── DocumentScore        pages -> one number for each page, 0..1
├── EffortScore          pages -> what reading each page costs, 1..nr
├── GainScore            answers -> what each answer gains, and what an ideal list would
└── ListScore            rankings -> one number for each topic: the only kind that is evaluated
"""

from __future__ import annotations

import math
from abc import ABCMeta, abstractmethod
from dataclasses import dataclass, fields, replace
from enum import Enum
from typing import Any, ClassVar, Literal, Self

from spanwise.errors import MeasureError
from spanwise.measures.parameters import DEEPEST, is_shown, shortened, spelled
from spanwise.measures.views.gains import Gains
from spanwise.measures.views.pages import Pages
from spanwise.measures.views.ranked_answers import RankedAnswers
from spanwise.measures.views.rankings import Rankings
from spanwise.text.ranges import Floats

Kind = Literal["document score", "effort score", "gain", "list score"]


class Need(Enum):
    """What a measure cannot do without, beyond assessments with ranges."""

    LENGTHS = "the lengths of relevant documents"
    ENTRY_POINTS = "best entry points (the first relevant character stands in where there is none)"
    MEAN_LENGTH = "the mean length of the collection's documents (give --collection)"
    TEXT = "the text of the documents (give --collection)"
    ELEMENTS = "the documents' elements (give --collection or --elements)"


class CutOff(Enum):
    """What may stand after the @ of a measure's name."""

    NONE = "no cut-off"
    RANK = "a rank, 1 or more"
    OPTIONAL_RANK = "a rank, 1 or more, or nothing"
    RECALL = "a recall point from 0 to 1"
    RECALL_ABOVE_ZERO = "a recall point above 0, up to 1"

    @property
    def example(self) -> str:
        """One to be written where one is needed; nothing where the name stands without."""
        return _EXAMPLES.get(self.name, "")


_EXAMPLES = {"RANK": "@10", "RECALL": "@0.1", "RECALL_ABOVE_ZERO": "@0.1"}


@dataclass(frozen=True, slots=True)
class Properties:
    """What is known of a measure before anything is computed; the laws in the tests rest on it."""

    source: str
    equation: str
    better: Literal["higher", "lower", "neither"]
    bounds: tuple[float | None, float | None]
    perfect: float | None
    """What a perfect run scores; None where that is no constant."""


class _ScoreType(ABCMeta):
    """Lets a class stand for its default value: ``gP @ 10`` is ``gP() @ 10``."""

    def __matmul__(cls, cutoff: float) -> ListScore:
        result: ListScore = cls() @ cutoff
        return result


@dataclass(frozen=True)
class Score(metaclass=_ScoreType):
    """A named function with parameters; two with the same parameters are equal."""

    properties: ClassVar[Properties]
    kind: ClassVar[Kind]
    name: ClassVar[str]
    literal: ClassVar[bool] = True
    """Can it work with ``overlap="as-is"``?"""

    def __post_init__(self) -> None:
        for definition in fields(self):
            value = getattr(self, definition.name)
            if "item" in definition.metadata:
                value = self._fitting_item(definition.metadata["item"], value)
            elif "check" in definition.metadata:
                value = definition.metadata["check"](definition.name, value)
            object.__setattr__(self, definition.name, value)

    def _fitting_item(self, kind: str, value: Any) -> Score | None:
        item = value() if isinstance(value, type) else value
        # What a gain list stands on by default depends on the assessments.
        if item is None and kind == GainScore.kind:
            return None
        if not isinstance(item, Score) or item.kind != kind:
            article = "an" if kind[0] in "aeiou" else "a"
            raise MeasureError(f"{self.name} stands on {article} {kind}, not on {value}")
        return item

    def __matmul__(self, cutoff: float) -> ListScore:
        raise MeasureError(f"{self.name} is a {self.kind}: it takes no cut-off")

    def __str__(self) -> str:
        """The canonical name, which parses back to an equal measure."""
        inside = []
        shown = [d for d in fields(self) if is_shown(d, getattr(self, d.name))]
        for definition in sorted(shown, key=lambda d: d.metadata.get("extra", False)):
            value = getattr(self, definition.name)
            item = "item" in definition.metadata
            inside.append(str(value) if item else f"{definition.name}={spelled(value)}")
        return self.name + (f"({','.join(inside)})" if inside else "")

    def needs(self) -> frozenset[Need]:
        """What this measure, with these parameters, cannot do without."""
        item = getattr(self, "item", None)
        return item.needs() if isinstance(item, Score) else frozenset()


@dataclass(frozen=True)
class DocumentScore(Score):
    """How good a page is: 0 to 1."""

    kind = "document score"

    @abstractmethod
    def score(self, pages: Pages) -> Floats:
        """One number for each page."""


@dataclass(frozen=True)
class EffortScore(Score):
    """What it costs to find something on a page: 1 at the least, ``nr`` if nothing is there."""

    kind = "effort score"
    nr: int

    @abstractmethod
    def score(self, pages: Pages) -> Floats:
        """One number for each page."""


@dataclass(frozen=True)
class GainScore(Score):
    """What each answer of a list gains, beside what an ideal list would gain."""

    kind = "gain"
    literal = False

    @abstractmethod
    def gains(self, answers: RankedAnswers) -> Gains:
        """The gains of all rankings."""


@dataclass(frozen=True)
class ListScore(Score):
    """A measure of ranked lists."""

    kind = "list score"
    takes: ClassVar[CutOff] = CutOff.NONE
    default_cutoff: ClassVar[int | None] = None

    @abstractmethod
    def score(self, rankings: Rankings) -> Floats:
        """One number for each ranking."""

    def __matmul__(self, cutoff: float) -> Self:
        if self.takes is CutOff.NONE:
            raise MeasureError(f"{self.name} takes no cut-off")
        return replace(self, **{"cutoff": _cutoff(self.name, self.takes, cutoff)})

    def __str__(self) -> str:
        cutoff = getattr(self, "cutoff", None)
        return super().__str__() + ("" if cutoff is None else f"@{spelled(cutoff)}")

    def require_cutoff(self) -> Self:
        """The measure itself, or an error that says how to write the missing cut-off."""
        if self.takes.example and getattr(self, "cutoff", None) is None:
            raise MeasureError(f"{self} needs a cut-off: write {self}{self.takes.example}")
        return self

    def standing_on(self, item: Score) -> Self:
        """The measure over this item, or itself where it has one or needs none."""
        missing = [d for d in fields(self) if "item" in d.metadata and not getattr(self, d.name)]
        return replace(self, **{d.name: item for d in missing}) if missing else self


def _cutoff(name: str, takes: CutOff, value: Any) -> float:
    usable = isinstance(value, (int, float)) and not isinstance(value, bool)
    number = value if usable and math.isfinite(value) else -1
    if takes in (CutOff.RECALL, CutOff.RECALL_ABOVE_ZERO):
        if not 0 <= number <= 1 or (takes is CutOff.RECALL_ABOVE_ZERO and not number):
            raise MeasureError(f"{name}@{value} is not possible: {name} takes {takes.value}")
        return float(number)
    if not 1 <= number <= DEEPEST or int(number) != number:
        possible = f"{name} takes a rank, 1 or more and at most {DEEPEST:,}"
        raise MeasureError(f"{name}@{shortened(value)} is not possible: {possible}")
    return int(number)
