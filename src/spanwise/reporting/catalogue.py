"""What there is to know about each measure, from its class and its docstring alone.

Measures are found by what a user types: with or without parameters, items as well as lists.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator
from dataclasses import Field, dataclass, fields
from typing import Any

from spanwise.errors import MeasureError, spoken
from spanwise.measures.base import CutOff, Family, ListScore, Score
from spanwise.measures.grammar import parse_item, parse_measure
from spanwise.measures.nicknames import EVERYTHING, NICKNAMES, members
from spanwise.measures.other_names import alike, instead
from spanwise.measures.parameters import domain_of, is_item, spelled
from spanwise.measures.registry import item_score, items, list_score, lists, means
from spanwise.records import replace
from spanwise.reporting.formula import readable

_CUTOFFS = {
    CutOff.RANK: "@k",
    CutOff.OPTIONAL_RANK: "[@k]",
    CutOff.RECALL: "@x",
    CutOff.RECALL_ABOVE_ZERO: "@x",
}


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
        meaning, values = definition.metadata.get("meaning"), str(domain_of(definition))
        return cls(definition.name, default, f"{meaning}: {values}" if meaning else values)


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
        """The canonical name with what may follow the @."""
        if not isinstance(self.score, ListScore):
            return self.canonical
        return self.canonical.partition("@")[0] + _CUTOFFS.get(self.score.takes, "")

    @property
    def family(self) -> Family:
        """The group in which it is listed."""
        return self.score.family

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
        """The formula as the docstring has it."""
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
        return (
            found[0].removeprefix("Source:").strip().replace("``", "")
            if found
            else self.score.properties.source
        )

    @property
    def parameters(self) -> list[Parameter]:
        """Everything that can be set by name."""
        return [Parameter.of(d) for d in fields(self.score) if domain_of(d) is not None]

    @property
    def needs(self) -> list[str]:
        """What it cannot do without."""
        return sorted(spoken(need.value, "command line") for need in self.score.needs())

    @property
    def item_kind(self) -> str:
        """The kind of item score that it is a list over."""
        kinds = [str(d.metadata["item"]) for d in fields(self.score) if is_item(d)]
        return kinds[0] if kinds else ""

    @property
    def cutoff(self) -> str:
        """What may follow the @."""
        if not isinstance(self.score, ListScore) or self.score.takes is CutOff.NONE:
            return ""
        # An effort list without a cut-off goes to its default rank.
        default = getattr(type(self.score)(), "cutoff", None)
        return str(self.score.takes.value) + (f" [default: {default}]" if default else "")

    @property
    def bounds(self) -> str:
        """The least and the greatest value."""
        low, high = self.score.properties.bounds
        if high is None:
            return "unbounded" if low is None else f"{spelled(low)} or more"
        return f"at most {spelled(high)}" if low is None else f"{spelled(low)} to {spelled(high)}"

    @property
    def example(self) -> str:
        """A measure as it can be asked for."""
        if not isinstance(self.score, ListScore):
            return self.score.used_in[0].format(self.canonical)
        if "@" in self.canonical:
            return self.canonical
        return self.canonical + self.score.takes.example


def entries() -> Iterator[Entry]:
    """Every measure, with default parameters, family by family."""
    found = [Entry(kind()) for kind in (*items().values(), *lists().values())]
    order = list(Family)
    yield from sorted(found, key=lambda entry: order.index(entry.family))


def nicknames() -> dict[str, tuple[str, ...]]:
    """The measures behind each nickname."""
    return {**NICKNAMES, EVERYTHING: members(EVERYTHING)}


def find(text: str) -> list[Entry]:
    """The measures of a name: two where an item score and a list share it, as P and R do."""
    name = re.split(r"[(@\s]", text, maxsplit=1)[0]
    kinds = [kind for kind in (item_score(name), list_score(name)) if kind is not None]
    if not kinds:
        raise MeasureError(_unknown(text, name))
    if text == name:
        return [Entry(kind()) for kind in kinds]
    return [Entry(score) for score in _with_parameters(text, kinds)]


def _with_parameters(text: str, kinds: list[type[Score]]) -> list[Score]:
    found, problems = [], []
    for kind in kinds:
        try:
            found.append(_parsed(text, kind))
        except MeasureError as problem:
            problems.append(problem)
    if not found:
        raise problems[-1]
    return found


def _parsed(text: str, kind: type[Score]) -> Score:
    if not issubclass(kind, ListScore):
        return parse_item(text)
    try:
        return parse_measure(text)
    except MeasureError:
        if "@" in text:
            raise
    # The only thing that may still be missing is the cut-off; here none is needed.
    return replace(parse_measure(f"{text}@1"), cutoff=None)


def _unknown(text: str, name: str) -> str:
    close = alike(name, dict.fromkeys([*lists(), *items(), *means(), *nicknames()]))
    hint = f"did you mean {close}?" if close else "spanwise measures lists them all"
    return f"unknown measure {text!r}: {instead(text) or hint}"
