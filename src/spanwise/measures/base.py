"""What a measure is: a list score over an item score, a value with a name.

Score
├── PageScore            pages -> one number for each page
│   ├── DocumentScore    how good it is, 0..1
│   └── EffortScore      what reading it costs, 1..nr
├── GainScore            answers -> what each answer gains, and what an ideal list would gain
└── ListScore            rankings -> one number for each topic: the only kind that is evaluated

Each of them explains its values: a listing of one topic -> steps.
"""

from __future__ import annotations

import math
from abc import ABCMeta, abstractmethod
from dataclasses import dataclass, fields
from enum import Enum
from typing import Any, ClassVar, Literal, Self

from spanwise.errors import MeasureError, option
from spanwise.measures.explaining import Steps, answer_places, page_steps, returned_steps, shown
from spanwise.measures.parameters import (
    DEEPEST,
    domain_of,
    is_extra,
    is_item,
    is_written,
    shortened,
    spelled,
)
from spanwise.measures.views.gains import Gains
from spanwise.measures.views.listing import ListedPage, Listing
from spanwise.measures.views.pages import Pages, Rankings
from spanwise.measures.views.ranked_answers import RankedAnswers
from spanwise.records import replace
from spanwise.text.ranges import Floats

Kind = Literal["document score", "effort score", "gain", "list score"]


class Need(Enum):
    """What a measure cannot do without, beyond assessments with ranges."""

    LENGTHS = "the lengths of relevant documents"
    ENTRY_POINTS = "best entry points (where none is recorded, the first relevant character)"
    MEAN_LENGTH = f"the mean length of the collection's documents (give {option('collection')})"
    TEXT = f"the text of the documents (give {option('collection')})"
    ELEMENTS = f"the documents' elements (give {option('collection')} or {option('elements')})"
    ASPECTS = "the aspects of relevant ranges, in the assessments"
    CHUNKS = f"the table of all chunks (give {option('chunks')})"


class Family(Enum):
    """Measures that are listed together, in this order: a title and a description."""

    DOCUMENT_SCORES = (
        "document scores",
        "how good a retrieved document is; use them in a list, as AgP(P)",
    )
    EFFORT_SCORES = (
        "effort scores",
        "what a retrieved document costs to read; use them in a list, as ANCE(LE)",
    )
    GAINS = (
        "gains",
        "what each answer gains beside an ideal list; use them in a list, as nxCG(passages)@10",
    )
    DOCUMENT_LISTS = "lists over documents", "ranked documents, each with a document score"
    PLAIN_LISTS = "plain document lists", "ranked whole documents, equal to trec_eval"
    EFFORT_LISTS = "effort lists", "ranked documents, each with an effort score"
    ANSWER_LISTS = "lists over answers", "ranked ranges of text"
    GAIN_LISTS = (
        "gain lists",
        "ranked answers, each with a gain: of elements where these are graded, else of passages",
    )
    OLD_LISTS = "old official lists", "what INEX reported in its first years"
    PEER_LISTS = (
        "measures of other tools",
        "under their own names, as their programs count; each says where it misleads",
    )
    OTHER_LISTS = "other lists", "further measures of ranked lists"

    @property
    def title(self) -> str:
        """What the group is called."""
        return self.value[0]

    @property
    def description(self) -> str:
        """What its measures have in common."""
        return self.value[1]


class CutOff(Enum):
    """What may follow the @ of a measure's name."""

    NONE = "no cut-off"
    RANK = "a rank, 1 or more"
    OPTIONAL_RANK = "a rank, 1 or more, or none"
    RECALL = "a recall point between 0 and 1"
    RECALL_ABOVE_ZERO = "a recall point above 0, up to 1"

    @property
    def example(self) -> str:
        """A cut-off to write where one is required; nothing where it is not."""
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
    """What a perfect run scores; None where that is not a constant."""
    mean_name: str | None = None
    """What the mean over topics is called, as MAP is the mean of AP; it names the same measure."""


class _ScoreType(ABCMeta):
    """Lets a class represent its default value: ``gP @ 10`` is ``gP() @ 10``."""

    def __matmul__(cls, cutoff: float) -> ListScore:
        result: ListScore = cls() @ cutoff
        return result


@dataclass(frozen=True)
class Score(metaclass=_ScoreType):
    """A named function with parameters; two with the same parameters are equal."""

    properties: ClassVar[Properties]
    kind: ClassVar[Kind]
    name: ClassVar[str]
    family: ClassVar[Family]
    used_in: ClassVar[tuple[str, ...]] = ()
    """Measures that an item score is used in, with {} in its place."""
    in_all: ClassVar[str] = ""
    """How the nickname ``all`` asks for it, with {} in its place; empty if it does not."""
    literal: ClassVar[bool] = True
    """Can it work with ``overlap="as-is"``?"""

    def __post_init__(self) -> None:
        for definition in fields(self):
            value, domain = getattr(self, definition.name), domain_of(definition)
            if is_item(definition):
                value = self._fitting_item(definition.metadata["item"], value)
            elif domain is not None:
                value = domain.check(definition.name, value)
            object.__setattr__(self, definition.name, value)

    def _fitting_item(self, kind: str, value: Any) -> Score | None:
        item = value() if isinstance(value, type) else value
        # What a gain list is over by default depends on the assessments.
        if item is None and kind == GainScore.kind:
            return None
        if not isinstance(item, Score) or item.kind != kind:
            raise MeasureError(f"{self.name} is a list over {with_article(kind)}, not over {value}")
        return item

    def __matmul__(self, cutoff: float) -> ListScore:
        raise MeasureError(f"{self.name} is {with_article(self.kind)}: it takes no cut-off")

    def __str__(self) -> str:
        """The canonical name, which parses back to an equal measure."""
        inside = []
        written = [d for d in fields(self) if is_written(d, getattr(self, d.name))]
        for definition in sorted(written, key=is_extra):
            value = getattr(self, definition.name)
            item = is_item(definition)
            inside.append(str(value) if item else f"{definition.name}={spelled(value)}")
        return self.name + (f"({','.join(inside)})" if inside else "")

    def needs(self) -> frozenset[Need]:
        """What this measure, with these parameters, cannot do without."""
        item = getattr(self, "item", None)
        return item.needs() if isinstance(item, Score) else frozenset()


def with_article(kind: str) -> str:
    """A kind of score in a sentence.

    >>> with_article("effort score"), with_article("gain")
    ('an effort score', 'a gain')
    """
    return f"{'an' if kind[0] in 'aeiou' else 'a'} {kind}"


@dataclass(frozen=True)
class PageScore(Score):
    """A number for a page."""

    @abstractmethod
    def score(self, pages: Pages) -> Floats:
        """One number for each page."""

    @property
    def irrelevant(self) -> float:
        """What a page counts that is not relevant."""
        return 0.0

    def explain(self, listing: Listing, page: ListedPage, score: float) -> Steps:
        """What happens inside a relevant page: what was returned of it, and what is relevant."""
        sizes = f"returned {page.returned}, relevant {page.relevant_size}, common {page.common}"
        return returned_steps(listing, page, f"{sizes}: {self} = {shown(score)}")


@dataclass(frozen=True)
class DocumentScore(PageScore):
    """How good a page is: 0 to 1."""

    kind = "document score"
    family = Family.DOCUMENT_SCORES
    used_in = ("AgP({})", "gP({})@10")
    in_all = "AgP({})"


@dataclass(frozen=True)
class EffortScore(PageScore):
    """What it costs to find something on a page: at least 1, and ``nr`` if nothing is there."""

    kind = "effort score"
    family = Family.EFFORT_SCORES
    used_in = ("ANCE({})@600",)
    nr: int

    @property
    def irrelevant(self) -> float:
        """What a page costs that is not relevant."""
        return float(self.nr)


@dataclass(frozen=True)
class GainScore(Score):
    """What each answer of a list gains, beside what an ideal list would gain."""

    kind = "gain"
    family = Family.GAINS
    used_in = ("nxCG({})@10",)
    in_all = "nxCG({})@10"
    literal = False

    @abstractmethod
    def gains(self, answers: RankedAnswers) -> Gains:
        """The gains of all rankings."""

    def answer_places(self, listing: Listing) -> list[str]:
        """What each answer returns, as this gain sees it."""
        return answer_places(listing)

    def ideal_places(self, listing: Listing) -> list[tuple[str, str]] | None:
        """Document and place of what the ideal list returns, in its order; None if not known."""
        return None

    def explain(self, listing: Listing, document: str) -> Steps | None:
        """What can be gained in a document, and what was; None if there is nothing to say."""
        return None


@dataclass(frozen=True)
class ListScore(Score):
    """A measure of ranked lists."""

    kind = "list score"
    family = Family.OTHER_LISTS
    in_all = "{}"
    takes: ClassVar[CutOff] = CutOff.NONE
    describes_chunking: ClassVar[bool] = False
    """Is it the same for every run over the same chunks, even for an empty one?"""
    rewards_repetition: ClassVar[bool] = False
    """May it rise when an answer is returned once more?"""

    @abstractmethod
    def score(self, rankings: Rankings) -> Floats:
        """One number for each ranking."""

    def explain(self, listing: Listing) -> Steps:
        """How the value of the one ranking of a listing comes about."""
        return page_steps(listing)

    @property
    def has_bounds(self) -> bool:
        """Is it highest if all text of unjudged documents is relevant, and known for that case?"""
        return False

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

    @property
    def lacks_item(self) -> bool:
        """Does it depend on the assessments what this is a list over?"""
        return getattr(self, "item", self) is None

    def standing_on(self, item: Score) -> Self:
        """The measure over this item, if it lacks one."""
        return replace(self, **{"item": item}) if self.lacks_item else self


def _cutoff(name: str, takes: CutOff, value: Any) -> float:
    usable = isinstance(value, (int, float)) and not isinstance(value, bool)
    number = value if usable and math.isfinite(value) else -1
    wanted = f"{name}@{shortened(value)}: the cut-off must be"
    if takes in (CutOff.RECALL, CutOff.RECALL_ABOVE_ZERO):
        if not 0 <= number <= 1 or (takes is CutOff.RECALL_ABOVE_ZERO and not number):
            raise MeasureError(f"{wanted} {takes.value}")
        return float(number)
    if not 1 <= number <= DEEPEST or int(number) != number:
        raise MeasureError(f"{wanted} a rank between 1 and {DEEPEST:,}")
    return int(number)
