"""All measures by name.

Ours are found by looking into the folders of this package: a new file is all that a measure needs.
A name is looked up in the text of these files, so that only the ones that define it are loaded.
Those of other packages come from the entry-point group ``spanwise.measures``. Asking for entry
points is slow, so that is done only for a name that is not ours, and to list all measures.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache
from importlib import import_module
from pkgutil import iter_modules
from typing import Literal, TypeVar

from spanwise.errors import MeasureError
from spanwise.measures.base import ListScore, Properties, Score

FOLDERS = ("answers", "documents", "effort", "gains", "lists", "others")
ENTRY_POINTS = "spanwise.measures"

_DEFINED = re.compile(r'^class (\w+)\(|\b(?:mean_)?name="([\w.]+)"', re.MULTILINE)
"""Where a module gives a measure its name."""

Class = TypeVar("Class", bound=type[Score])
_lists: dict[str, type[ListScore]] = {}
_items: dict[str, type[Score]] = {}


def measure(
    *,
    source: str,
    equation: str,
    better: Literal["higher", "lower", "neither"] = "higher",
    bounds: tuple[float | None, float | None] = (0, 1),
    perfect: float | None = 1.0,
    name: str | None = None,
    mean_name: str | None = None,
) -> Callable[[Class], Class]:
    """Register a measure with its properties."""

    def register(kind: Class) -> Class:
        kind.properties = Properties(source, equation, better, bounds, perfect, mean_name)
        kind.name = name or kind.__name__
        if issubclass(kind, ListScore):
            _lists[kind.name] = kind
        else:
            _items[kind.name] = kind
        return kind

    return register


@cache
def _modules() -> dict[str, frozenset[str] | None]:
    """The modules of this package in which measures may be defined, and the names in each.

    None where the text of a module cannot be read: it is loaded whatever is asked for.
    """
    found: dict[str, frozenset[str] | None] = {}
    for folder in FOLDERS:
        package = import_module(f"spanwise.measures.{folder}")
        for info in iter_modules(package.__path__, f"{package.__name__}."):
            spec = info.module_finder.find_spec(info.name, None)
            text = getattr(spec and spec.loader, "get_source", lambda name: None)(info.name)
            names = (name for pair in _DEFINED.findall(text or "") for name in pair if name)
            found[info.name] = None if text is None else frozenset(names)
    return found


@cache
def _discover(name: str | None = None) -> None:
    """Import the modules that define a name, or all of them."""
    for module, names in _modules().items():
        if name is None or names is None or name in names:
            import_module(module)


@cache
def _discover_others() -> None:
    """Import the measures of other packages; ours keep their names."""
    from importlib.metadata import entry_points

    _discover()
    ours = {**_lists}, {**_items}
    for point in entry_points(group=ENTRY_POINTS):
        try:
            point.load()
        except Exception as problem:
            raise MeasureError(
                f"the measures of {point.value} cannot be loaded: {problem}; repair or remove the"
                " package that offers them"
            ) from problem
    _lists.update(ours[0])
    _items.update(ours[1])


def lists() -> dict[str, type[ListScore]]:
    """Every list score by name."""
    _discover_others()
    return dict(sorted(_lists.items()))


def items() -> dict[str, type[Score]]:
    """Every document score, effort score and gain by name."""
    _discover_others()
    return dict(sorted(_items.items()))


def list_score(name: str) -> type[ListScore] | None:
    """The list score of a name, or of the name of its mean."""
    _discover_name(name)
    return _lists.get(name) or _means().get(name)


def item_score(name: str) -> type[Score] | None:
    """The document score, effort score or gain of a name."""
    _discover_name(name)
    return _items.get(name)


def _discover_name(name: str) -> None:
    """Look for the measure of a name, elsewhere only if it is not ours."""
    _discover(name)
    if not any(name in ours for ours in (_lists, _items, _means())):
        _discover_others()


def means() -> dict[str, str]:
    """Names of means over topics, and the measures that they are means of."""
    _discover_others()
    return {mean: kind.name for mean, kind in sorted(_means().items())}


def _means() -> dict[str, type[ListScore]]:
    named = ((kind.properties.mean_name, kind) for kind in _lists.values())
    return {mean: kind for mean, kind in named if mean is not None}
