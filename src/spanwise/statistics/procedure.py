"""How runs are compared: the test and its direction, the correction, the random draws."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Literal, TypedDict, get_args

from spanwise.records import require_between, require_one_of, whole_number

Test = Literal["randomisation", "bootstrap", "t", "wilcoxon"]
Tail = Literal["one", "two"]
Correction = Literal["none", "holm", "bh"]
Method = Literal["shifted", "percentile"]

RESAMPLES, RESAMPLES_PER_TEST = 10_000, 100
MOST_RESAMPLES = 10_000_000
EXACT_TOPICS = 16
"""Up to this many topics with a difference, all their 2^16 sign flips are tried."""
BOOTSTRAP_TOPICS = 100
"""With fewer topics the bootstrap test is anti-conservative: resamples vary less than topics do."""


@dataclass(frozen=True, slots=True)
class Procedure:
    """How runs are compared.

    >>> Procedure(tail="both")
    Traceback (most recent call last):
    spanwise.errors.SpanwiseError: tail must be 'one' or 'two', got 'both'
    """

    test: Test = "randomisation"
    """The paired test."""
    tail: Tail = "two"
    """Two: do the runs differ? One: is the run better than the baseline?"""
    correction: Correction = "holm"
    """Multiple-comparison correction: Holm, or Benjamini and Hochberg."""
    resamples: int | None = None
    """Number of resamples of tests and intervals; None: 10,000, and for tests 100 for each of them
    if that is more."""
    seed: int = 1
    """The same seed gives the same numbers."""
    method: Method = "shifted"
    """Variant of the bootstrap test."""
    level: float = 0.05
    """The level of the tests, and what an interval leaves out: 0.05 gives a 95% CI."""

    def __post_init__(self) -> None:
        require_one_of("test", self.test, get_args(Test))
        require_one_of("tail", self.tail, get_args(Tail))
        require_one_of("correction", self.correction, get_args(Correction))
        require_one_of("method", self.method, get_args(Method))
        if self.resamples is not None:
            resamples = whole_number("resamples", self.resamples, 1, MOST_RESAMPLES)
            object.__setattr__(self, "resamples", resamples)
        object.__setattr__(self, "seed", whole_number("seed", self.seed, 0))
        require_between("level", self.level, 0, 1)

    def resamples_for(self, tests: int) -> int:
        """The draws of each test if this many are made together.

        >>> Procedure().resamples_for(15), Procedure().resamples_for(190)
        (10000, 19000)
        """
        return self.resamples or max(RESAMPLES, RESAMPLES_PER_TEST * tests)

    @property
    def interval_resamples(self) -> int:
        """The resamples of an interval, which do not depend on how much else is compared."""
        return self.resamples_for(1)

    def smallest_exact(self, topics: int, tests: int = 1) -> float:
        r"""The smallest corrected p that an exact test of this many topics can reach.

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


class ProcedureKeywords(TypedDict, total=False):
    """A procedure as keywords of functions; :class:`Procedure` tells what they mean."""

    test: Test
    tail: Tail
    correction: Correction
    resamples: int | None
    seed: int
    method: Method
    level: float


def procedure_names() -> list[str]:
    """The names of everything that a procedure is made of."""
    return [definition.name for definition in fields(Procedure)]
