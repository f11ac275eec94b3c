"""How runs are compared: the test and its direction, the correction, the random draws."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from numbers import Integral, Real
from typing import Any, Literal, get_args

from spanwise.errors import SpanwiseError

Test = Literal["randomisation", "bootstrap", "t", "wilcoxon"]
Tail = Literal["one", "two"]
Correction = Literal["none", "holm", "bh"]
Method = Literal["shifted", "percentile"]

RESAMPLES, RESAMPLES_PER_TEST = 10_000, 100
MOST_RESAMPLES = 10_000_000
EXACT_TOPICS = 16
"""Up to so many topics with a difference, all their 2^16 sign flips are tried."""
ENOUGH = 100
"""With fewer topics the bootstrap test is anti-conservative: resamples vary less than topics do."""


@dataclass(frozen=True, slots=True)
class Procedure:
    """How runs are compared.

    ``resamples`` are those of the tests and of the intervals; None stands for 10,000, and for
    tests 100 for each of them if that is more. ``method`` is that of the bootstrap test.
    ``level`` is that of the tests, and what an interval leaves out: 0.05 gives a 95% CI.

    >>> Procedure(tail="both")
    Traceback (most recent call last):
    spanwise.errors.SpanwiseError: tail must be 'one' or 'two', got 'both'
    """

    test: Test = "randomisation"
    tail: Tail = "two"
    correction: Correction = "holm"
    resamples: int | None = None
    seed: int = 1
    method: Method = "shifted"
    level: float = 0.05

    def __post_init__(self) -> None:
        _check_choice("test", self.test, get_args(Test))
        _check_choice("tail", self.tail, get_args(Tail))
        _check_choice("correction", self.correction, get_args(Correction))
        _check_choice("method", self.method, get_args(Method))
        if self.resamples is not None:
            _check_whole("resamples", self.resamples, 1, MOST_RESAMPLES)
        _check_whole("seed", self.seed, 0, None)
        _check_level(self.level)

    def resamples_for(self, tests: int) -> int:
        """The draws of each of so many tests.

        >>> Procedure().resamples_for(15), Procedure().resamples_for(190)
        (10000, 19000)
        """
        return self.resamples or max(RESAMPLES, RESAMPLES_PER_TEST * tests)

    @property
    def interval_resamples(self) -> int:
        """The resamples of an interval, which do not depend on how much else is compared."""
        return self.resamples_for(1)

    def smallest_exact(self, topics: int, tests: int = 1) -> float:
        r"""The smallest corrected p that an exact test of so many topics can reach.

        $$\min(1,\; m\, 2^{1-n})$$

        where n is the number of topics and m that of the tests (1 unless Holm corrects);
        one-tailed it is half as large. All sign flips of n differences are equally likely if
        nothing differs, and the most extreme one has a twin in the other direction.

        >>> Procedure().smallest_exact(5), Procedure().smallest_exact(14, tests=6)
        (0.0625, 0.000732421875)
        """
        if topics < 2:
            return 1.0
        factor = tests if self.correction == "holm" else 1
        return min(1.0, factor * 0.5 ** (topics - (1 if self.tail == "two" else 0)))


def _check_choice(name: str, value: Any, known: Sequence[str]) -> None:
    if value not in known:
        raise SpanwiseError(f"{name} must be {_either(known)}, got {value!r}")


def _either(names: Sequence[str]) -> str:
    *others, last = (repr(name) for name in names)
    return f"{', '.join(others)} or {last}"


def _check_whole(name: str, value: Any, least: int, most: int | None) -> None:
    whole = isinstance(value, Integral) and not isinstance(value, bool)
    if not whole or value < least or (most is not None and value > most):
        limits = f"of at least {least}" if most is None else f"between {least:,} and {most:,}"
        raise SpanwiseError(f"{name} must be a whole number {limits}, got {value!r}")


def _check_level(level: Any) -> None:
    real = isinstance(level, Real) and not isinstance(level, bool) and math.isfinite(level)
    if not real or not 0 < level < 1:
        raise SpanwiseError(f"level must be between 0 and 1, got {level!r}")
