"""What there is to know about each measure, from its class and its docstring alone."""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator
from dataclasses import Field, dataclass, fields
from typing import Any

from spanwise.errors import MeasureError
from spanwise.measures.base import CutOff, ListScore, Score
from spanwise.measures.nicknames import EVERYTHING, NICKNAMES, members
from spanwise.measures.parameters import spelled
from spanwise.measures.registry import items, lists
from spanwise.reporting.formula import readable

FAMILIES = {
    "generalised": "lists over documents",
    "plain": "plain document lists",
    "effort": "effort lists",
    "interpolated": "lists over answers",
    "text": "lists over answers",
    "gains": "gain lists",
    "effort_precision": "gain lists",
    "graded": "gain lists",
    "inex_eval": "old official lists",
    "overlap": "old official lists",
}
"""Lists by the file they live in; others, and those of third parties, are simply other lists."""

GROUPS = {
    "document scores": "how good a retrieved document is; use them in a list, as AgP(P)",
    "effort scores": "what a retrieved document costs to read; use them in a list, as ANCE(LE)",
    "gains": "what each answer gains beside an ideal list; use them in a list, as MAep(passages)",
    "lists over documents": "ranked documents, each with a document score",
    "plain document lists": "ranked whole documents, equal to trec_eval",
    "effort lists": "ranked documents, each with an effort score",
    "lists over answers": "ranked ranges of text",
    "gain lists": "ranked answers, each with a gain: of elements where these are graded, else of"
    " passages",
    "old official lists": "what INEX reported in its first years",
    "other lists": "further measures of ranked lists",
}
_IMPOSSIBLE = -(10**9)
_CUTOFFS = {
    CutOff.RANK: "@k",
    CutOff.OPTIONAL_RANK: "[@k]",
    CutOff.RECALL: "@x",
    CutOff.RECALL_ABOVE_ZERO: "@x",
}
LISTS_OVER = {"document score": "AgP", "effort score": "ANCE", "gain": "MAep"}
"""A list for each kind of item that needs no cut-off."""


@dataclass(frozen=True, slots=True)
class Parameter:
    """One parameter of a measure."""

    name: str
    default: str
    values: str

    @classmethod
    def of(cls, definition: Field[Any]) -> Parameter:
        """What a field says about itself."""
        default = "none" if definition.default is None else spelled(definition.default)
        return cls(definition.name, default, _values(definition))


def _values(definition: Field[Any]) -> str:
    """What a check accepts is what it says when it refuses something."""
    try:
        definition.metadata["check"](definition.name, _IMPOSSIBLE)
    except MeasureError as refusal:
        return re.split("not possible: |known are ", str(refusal))[-1]
    return "any"


@dataclass(frozen=True, slots=True)
class Entry:
    """A measure with its parameters; the default ones, if it was asked for by name."""

    score: Score

    @property
    def canonical(self) -> str:
        """The name with every parameter spelled out."""
        return str(self.score)

    @property
    def pattern(self) -> str:
        """The canonical name with what may stand after the @."""
        if not isinstance(self.score, ListScore):
            return self.canonical
        return self.canonical.partition("@")[0] + _CUTOFFS.get(self.score.takes, "")

    @property
    def group(self) -> str:
        """Where it stands in the list of all measures."""
        if isinstance(self.score, ListScore):
            home = type(self.score).__module__.rpartition(".")
            family = FAMILIES.get(home[2], "") if home[0] == "spanwise.measures.lists" else ""
            return family or "other lists"
        return f"{self.score.kind}s"

    @property
    def _paragraphs(self) -> list[str]:
        text = inspect.cleandoc(type(self.score).__doc__ or "")
        return [" ".join(part.split()) for part in text.split("\n\n")]

    @property
    def title(self) -> str:
        """What it is, in one line."""
        return self._paragraphs[0]

    @property
    def latex(self) -> str:
        """The formula as it stands in the docstring."""
        found = re.search(r"\$\$(.*?)\$\$", type(self.score).__doc__ or "", re.DOTALL)
        return " ".join(found[1].split()) if found else ""

    @property
    def formula(self) -> str:
        """The formula as plain text."""
        return readable(self.latex)

    @property
    def where(self) -> str:
        """What the symbols of the formula mean."""
        marked = ("$$", "Source:", "Trap:", ">>>")
        plain = [part for part in self._paragraphs[1:] if not part.startswith(marked)]
        return "\n".join(plain).replace("``", "")

    @property
    def traps(self) -> list[str]:
        """How its values may mislead."""
        found = [part for part in self._paragraphs if part.startswith("Trap:")]
        return [part.removeprefix("Trap:").strip().replace("``", "") for part in found]

    @property
    def source(self) -> str:
        """Where it comes from."""
        found = [part for part in self._paragraphs if part.startswith("Source:")]
        return found[0].removeprefix("Source:").strip() if found else self.score.properties.source

    @property
    def parameters(self) -> list[Parameter]:
        """Everything that can be set by name."""
        definitions = [d for d in fields(self.score) if "check" in d.metadata]
        return [Parameter.of(definition) for definition in definitions]

    @property
    def needs(self) -> list[str]:
        """What it cannot do without."""
        return sorted(need.value for need in self.score.needs())

    @property
    def stands_on(self) -> str:
        """The kind of item score that goes into it."""
        kinds = [str(d.metadata["item"]) for d in fields(self.score) if "item" in d.metadata]
        return kinds[0] if kinds else ""

    @property
    def cutoff(self) -> str:
        """What may stand after the @."""
        if not isinstance(self.score, ListScore) or self.score.takes is CutOff.NONE:
            return ""
        # What has a default needs none: an effort list without one goes to its default rank.
        default = getattr(type(self.score)(), "cutoff", None)
        return str(self.score.takes.value) + (f" [default: {default}]" if default else "")

    @property
    def bounds(self) -> str:
        """Least and greatest value."""
        low, high = self.score.properties.bounds
        least = "no least" if low is None else spelled(low)
        return f"{least} to {'no greatest' if high is None else spelled(high)}"

    @property
    def example(self) -> str:
        """A measure as it can be asked for."""
        if not isinstance(self.score, ListScore):
            return f"{LISTS_OVER[self.score.kind]}({self.canonical})"
        if "@" in self.canonical:
            return self.canonical
        return self.canonical + self.score.takes.example


def entries() -> Iterator[Entry]:
    """Every measure, with default parameters, group by group."""
    found = [Entry(kind()) for kind in (*items().values(), *lists().values())]
    order = list(GROUPS)
    groups = [*order, *sorted({entry.group for entry in found} - set(order))]
    yield from sorted(found, key=lambda entry: groups.index(entry.group))


def nicknames() -> dict[str, tuple[str, ...]]:
    """The measures behind each nickname."""
    return {**NICKNAMES, EVERYTHING: members(EVERYTHING)}
