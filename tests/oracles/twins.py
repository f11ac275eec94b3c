"""Slow twins by name: one function for each measure, in any file of this folder.

A twin has the name of its measure, with _ for a dot. Its first parameter is what it is computed
from, by its kind; the others are those of the measure, with types and defaults of their own, and
``cutoff``:

    @twin("document score")
    def damped(page: Page, c: float = 100) -> float: ...

    @twin("list over documents", item="F", mean="MAgP")
    def AgP(ranking: Ranking, by: Literal["", "text"] = "") -> float: ...

A parameter whose type is a dataclass takes all its fields. A parameter of type ``str`` gets
the text that was written, so that a threshold can be read as an exact decimal.
"""

from __future__ import annotations

import pkgutil
import re
from collections.abc import Callable
from dataclasses import dataclass, field, fields, is_dataclass
from functools import cache, cached_property
from importlib import import_module
from inspect import Parameter, signature
from typing import Any, Literal, get_args, get_origin, get_type_hints

ItemKind = Literal["document score", "effort score", "gain"]
ListKind = Literal[
    "list over documents",
    "list over efforts",
    "list over gains",
    "list over answers",
    "list over elements",
]
ITEM_KINDS: dict[str, str] = {
    "list over documents": "document score",
    "list over efforts": "effort score",
    "list over gains": "gain",
}
TAKES = {
    "document score": "page: Page",
    "effort score": "page: Page",
    "gain": "case: Case",
    "list over documents": "ranking: Ranking",
    "list over efforts": "spent: Efforts",
    "list over gains": "gained: Gained",
    "list over answers": "case: Case",
    "list over elements": "case: Case",
}
"""What the twins of each kind are computed from."""


class BadNameError(ValueError):
    """The name is not one the twin knows."""


@dataclass
class Name:
    """A parsed name: its word, its item, its parameters as written, its cut-off as written."""

    word: str
    item: Name | None = None
    parameters: dict[str, str] = field(default_factory=dict)
    cutoff: str | None = None


@dataclass
class Twin:
    """A slow measure."""

    function: Callable[..., Any]
    kind: ItemKind | ListKind
    item: str | None
    """What a list is over if its name does not say it."""
    mean: str | None
    union_only: bool
    """Is it refused where overlapping answers are kept as they are?"""

    @cached_property
    def _parameters(self) -> list[tuple[Parameter, Any]]:
        hints = get_type_hints(self.function)
        _, *others = signature(self.function).parameters.values()
        return [(parameter, hints[parameter.name]) for parameter in others]

    def __call__(self, data: Any, name: Name) -> Any:
        """The value, from what the twin is computed from and a name with parameters."""
        return self.function(data, **self.arguments(name))

    def arguments(self, name: Name) -> dict[str, Any]:
        """The parameters of a name; what does not fit is refused."""
        left, made = dict(name.parameters), {}
        for parameter, kind in self._parameters:
            if parameter.name == "cutoff":
                made["cutoff"] = _cutoff(name, parameter, kind)
            elif is_dataclass(kind):
                own, hints = [f.name for f in fields(kind)], get_type_hints(kind)
                given = {key: _read(key, left.pop(key), hints[key]) for key in own if key in left}
                made[parameter.name] = kind(**given)
            elif parameter.name in left:
                made[parameter.name] = _read(parameter.name, left.pop(parameter.name), kind)
        if left:
            raise BadNameError(f"{name.word} has no parameter {', '.join(left)}")
        if name.cutoff is not None and "cutoff" not in made:
            raise BadNameError(f"{name.word} takes no cut-off")
        return made


def _cutoff(name: Name, parameter: Parameter, kind: Any) -> Any:
    if name.cutoff is not None:
        return _read("cutoff", name.cutoff, kind)
    if parameter.default is Parameter.empty:
        raise BadNameError(f"{name.word} needs a cut-off")
    return parameter.default


def _read(key: str, text: str, kind: Any) -> Any:
    """A parameter of the type that the twin asks for."""
    if get_origin(kind) is Literal:
        if text not in get_args(kind):
            raise BadNameError(f"{key} cannot be {text}")
        return text
    numbers = [one for one in (int, float) if one is kind or one in get_args(kind)]
    return numbers[0](text) if numbers else text


# Collecting

_items: dict[str, Twin] = {}
_lists: dict[str, Twin] = {}
_gain_lists: dict[str, Twin] = {}
"""Lists over gains: nDCG is one, and a list over documents where it has no item."""
Function = Callable[..., Any]


def twin(
    kind: ItemKind | ListKind,
    *,
    item: str | None = None,
    mean: str | None = None,
    union_only: bool = False,
) -> Callable[[Function], Function]:
    """Register a function as the twin of the measure that it is named after."""

    def register(function: Function) -> Function:
        shelf = _lists if kind.startswith("list") else _items
        if kind == "list over gains":
            shelf = _gain_lists
        # pytest imports the files once more, under another name, to look for doctests.
        if function.__module__.startswith("oracles."):
            shelf[function.__name__] = Twin(function, kind, item, mean, union_only)
        return function

    return register


@cache
def collect() -> None:
    """Import every file in which twins may be defined."""
    import oracles

    for module in pkgutil.iter_modules(oracles.__path__):
        if not module.name.startswith("test_"):
            import_module(f"oracles.{module.name}")


def item_twin(word: str) -> Twin | None:
    """The twin of a document score, effort score or gain."""
    collect()
    return _items.get(word)


def list_twin(word: str, item: Name | None = None) -> Twin | None:
    """The twin of a list score with its item, also by the name of its mean."""
    collect()
    if item is not None and word in _gain_lists:
        return _gain_lists[word]
    by_mean = next((t for t in _lists.values() if t.mean == word), None)
    return _lists.get(word.replace(".", "_")) or by_mean or _gain_lists.get(word)


def missing(kind: str, word: str, parameters: dict[str, Any]) -> str:
    """What to write where a measure has no twin."""
    options = [f"{key}: {type(value).__name__} = {value!r}" for key, value in parameters.items()]
    kinds = [kind] if kind in TAKES else [one for one in TAKES if one.startswith("list")]
    heads = [
        f'@twin("{one}") def {word}({", ".join([TAKES[one], *options])}) -> float' for one in kinds
    ]
    return (
        f"{word} has no slow twin to be compared with: write a function {' or '.join(heads)}"
        " in a new file of tests/oracles/ (see tests/oracles/twins.py)"
    )


# Names


def parse(text: str) -> Name:
    """The parsed name, as written, without defaults."""
    name, rest = _parse_name(text.replace(" ", ""))
    if rest:
        raise BadNameError(f"{text}: cannot read {rest!r}")
    return name


def _parse_name(text: str) -> tuple[Name, str]:
    word, rest = _take(r"[A-Za-z][A-Za-z0-9_.]*", text)
    name = Name(word)
    if rest.startswith("("):
        rest = _parse_arguments(name, rest[1:])
    if rest.startswith("@"):
        name.cutoff, rest = _take(r"[0-9.eE+-]+", rest[1:])
    return name, rest


def _parse_arguments(name: Name, text: str) -> str:
    rest = text
    while True:
        if re.match(r"[A-Za-z_]+=", rest):
            key, rest = _take(r"[A-Za-z_]+", rest)
            value, rest = _take(r"[^,()@]+(\([^()]*\))?", rest[1:])
            if key in name.parameters:
                raise BadNameError(f"{key} is given twice")
            name.parameters[key] = value
        elif name.item is None and not name.parameters:
            name.item, rest = _parse_name(rest)
        else:
            raise BadNameError(f"only the first argument may be an item: {rest!r}")
        if rest.startswith(")"):
            return rest[1:]
        _, rest = _take(",", rest)


def _take(pattern: str, text: str) -> tuple[str, str]:
    found = re.match(pattern, text)
    if found is None:
        raise BadNameError(f"found {text!r}, expected {pattern}")
    return found.group(), text[found.end() :]


def parse_item(text: str) -> Name:
    """A document score, effort score or gain that has a twin."""
    return _checked_item(parse(text))


def _checked_item(name: Name) -> Name:
    found = item_twin(name.word)
    if found is None or name.item is not None or name.cutoff is not None:
        raise BadNameError(f"{name.word} is not a document score, effort score or gain")
    found.arguments(name)
    return name


def parse_list(text: str) -> Name:
    """A list score that has a twin, with its item."""
    name = parse(text)
    found = list_twin(name.word, name.item)
    if found is None:
        raise BadNameError(f"{name.word} is not a list score")
    found.arguments(name)
    word = found.function.__name__
    return Name(word, _item_of(word, found, name.item), name.parameters, name.cutoff)


def _item_of(word: str, found: Twin, item: Name | None) -> Name | None:
    wanted = ITEM_KINDS.get(found.kind)
    if wanted is None or (wanted == "document score" and found.item is None):
        if item is not None:
            raise BadNameError(f"{word} has no item")
        return None
    if item is None and found.item is None:
        raise BadNameError(f"{word} needs an item: which gain depends on the assessments")
    item = _checked_item(item or Name(found.item or ""))
    kept = item_twin(item.word)
    assert kept is not None
    if kept.kind != wanted:
        raise BadNameError(f"{word} cannot be over {item.word}")
    return item
