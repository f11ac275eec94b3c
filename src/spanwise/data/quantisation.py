"""Quantisation: one value between 0 and 1 from what an assessor said about an element."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from difflib import get_close_matches
from typing import Literal

import numpy as np

from spanwise.data.grades import LARGEST_GRADE, TOO_SMALL, UNKNOWN
from spanwise.errors import MeasureError
from spanwise.records import Struct
from spanwise.text.ranges import Floats, Integers

Basis = Literal["grades", "text"]
GradeValues = Mapping[tuple[int, int], float]
"""Exhaustivity and specificity to value; pairs that are missing are worth 0."""
TextValue = Callable[[int | None, float], float]
"""Exhaustivity (None if not recorded, 0 for ``?``) and share of relevant text to value."""


class Quantisation(Struct, frozen=True, eq=False):
    """A way to value elements, by grades or by their share of relevant text."""

    name: str
    basis: Basis
    values: Callable[[Integers, Integers, Floats], Floats]
    """From exhaustivity, specificity and share of relevant text of many elements."""


def _from_table(name: str, table: GradeValues) -> Quantisation:
    grid = np.zeros((LARGEST_GRADE + 1, LARGEST_GRADE + 1))
    for (exhaustivity, specificity), value in table.items():
        if not 0 <= exhaustivity <= LARGEST_GRADE or not 0 <= specificity <= LARGEST_GRADE:
            raise MeasureError(f"quantisation {name}: grades are 0 to {LARGEST_GRADE}")
        grid[exhaustivity, specificity] = _value(name, value)

    def values(exhaustivity: Integers, specificity: Integers, _: Floats) -> Floats:
        return grid[exhaustivity, specificity]

    return Quantisation(name, "grades", values)


def _from_function(name: str, function: TextValue) -> Quantisation:
    def values(exhaustivity: Integers, _: Integers, share: Floats) -> Floats:
        said = ({UNKNOWN: None, TOO_SMALL: 0}.get(grade, grade) for grade in exhaustivity.tolist())
        pairs = zip(said, share.tolist(), strict=True)
        return np.array([_value(name, function(*pair)) for pair in pairs], np.float64)

    return Quantisation(name, "text", values)


def _value(name: str, value: float) -> float:
    if not (math.isfinite(value) and 0 <= value <= 1):
        raise MeasureError(f"quantisation {name}: found the value {value}, expected 0 to 1")
    return float(value)


_SOG = {
    **{(3, 3): 1, (2, 3): 0.9, (1, 3): 0.75},
    **{(3, 2): 0.75, (2, 2): 0.5, (1, 2): 0.25},
    **{(3, 1): 0.25, (2, 1): 0.1, (1, 1): 0.1},
}
_GEN = {
    **{(3, 3): 1, (2, 3): 0.75, (1, 3): 0.5},
    **{(3, 2): 0.75, (2, 2): 0.5, (1, 2): 0.25},
    **{(3, 1): 0.75, (2, 1): 0.5, (1, 1): 0.25},
}
_KNOWN: dict[str, Quantisation] = {
    "sog": _from_table("sog", _SOG),
    "gen": _from_table("gen", _GEN),
    "strict": _from_table("strict", {(3, 3): 1}),
    "spec": Quantisation("spec", "text", lambda _, __, share: share),
    "binary": Quantisation("binary", "text", lambda _, __, share: (share > 0).astype(np.float64)),
}
_BUILT_IN = frozenset(_KNOWN)


def quantisation(name: str) -> Quantisation:
    """The quantisation of a name.

    >>> quantisation("sog").basis, quantisation("spec").basis
    ('grades', 'text')
    """
    if name not in _KNOWN:
        close = get_close_matches(name, _KNOWN, n=1)
        hint = f"did you mean {close[0]}?" if close else f"known are {', '.join(_KNOWN)}"
        raise MeasureError(f"unknown quantisation {name!r}: {hint}")
    return _KNOWN[name]


def quantisation_names() -> tuple[str, ...]:
    """Every quantisation, ours first."""
    return tuple(_KNOWN)


def register_quantisation(name: str, values: GradeValues | TextValue) -> None:
    """Make a quantisation of your own known under a name: ``elements(quant=name)``.

    A table gives the value of each pair of grades (exhaustivity, specificity); a function gives it
    from exhaustivity and the share of relevant text.

    >>> register_quantisation("exhaustive", {(3, 3): 1, (3, 2): 1, (3, 1): 1})
    >>> quantisation("exhaustive").basis
    'grades'
    """
    if name in _BUILT_IN or not name.isidentifier():
        raise MeasureError(f"a quantisation cannot be named {name!r}: choose another word")
    made = _from_function(name, values) if callable(values) else _from_table(name, values)
    _KNOWN[name] = made
