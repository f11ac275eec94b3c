"""All measures, found by looking: a new file in one of the folders is all that a measure needs."""

from __future__ import annotations

import pkgutil
from collections.abc import Callable
from functools import cache
from importlib import import_module
from importlib.metadata import entry_points
from typing import Literal, TypeVar

from spanwise.measures.base import ListScore, Properties, Score

FOLDERS = ("documents", "effort", "gains", "lists")
ENTRY_POINTS = "spanwise.measures"

Class = TypeVar("Class", bound=type[Score])
_registered: dict[tuple[str, str], type[Score]] = {}


def measure(
    *,
    source: str,
    equation: str,
    better: Literal["higher", "lower", "neither"] = "higher",
    bounds: tuple[float | None, float | None] = (0, 1),
    perfect: float | None = 1.0,
    name: str | None = None,
) -> Callable[[Class], Class]:
    """Register a measure with its properties."""

    def register(kind: Class) -> Class:
        kind.properties = Properties(source, equation, better, bounds, perfect)
        kind.name = name or kind.__name__
        shelf = "list" if issubclass(kind, ListScore) else "item"
        _registered[shelf, kind.name] = kind
        return kind

    return register


@cache
def discover() -> None:
    """Import every file in which measures may be defined."""
    for folder in FOLDERS:
        package = import_module(f"spanwise.measures.{folder}")
        for module in pkgutil.iter_modules(package.__path__):
            import_module(f"{package.__name__}.{module.name}")
    for point in entry_points(group=ENTRY_POINTS):
        point.load()


def lists() -> dict[str, type[Score]]:
    """List scores by name."""
    discover()
    return {name: kind for (shelf, name), kind in sorted(_registered.items()) if shelf == "list"}


def items() -> dict[str, type[Score]]:
    """Document scores, effort scores and gains by name."""
    discover()
    return {name: kind for (shelf, name), kind in sorted(_registered.items()) if shelf == "item"}
