"""What all experiments say about one measure."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from spanwise.lab.all_experiments import AllFound
from spanwise.lab.chapters.insertion import TOLERANCE, rewarding
from spanwise.lab.fidelity import Fidelity
from spanwise.lab.inserted_answers import MODES
from spanwise.lab.insertion import Insertion
from spanwise.lab.missing_documents import MissingDocuments
from spanwise.lab.orderings import Ordering
from spanwise.measures.nicknames import Asked

LEVEL = 0.05


@dataclass(frozen=True, slots=True)
class MeasureSummary:
    """One measure; None stands for what no experiment could tell."""

    measure: str
    canonical: str
    orderings: tuple[Ordering, ...]
    """Those that fidelity expects; none for a measure without a direction."""
    missing: MissingDocuments | None
    """What it makes of runs that lack relevant documents."""
    gains: bool | None
    """Does it get better where irrelevant answers are inserted?"""
    earlier: bool | None
    """Are such answers at least as bad before the first answer as after it?"""
    tau: float | None
    """Of the rankings by two assessors; the smallest, if there are several pairs."""
    error: float | None
    """The error rate of mixtures of assessors."""
    needed: float | None
    """The difference that other topics reverse in at most 5% of cases, with all topics."""
    power: float | None
    """The share of pairs of runs that it separates."""

    @property
    def broken(self) -> tuple[Ordering, ...]:
        """The orderings that it reverses."""
        return tuple(ordering for ordering in self.orderings if not ordering.holds)

    @property
    def significantly_broken(self) -> int:
        """How many of them are significant."""
        return sum(one.p is not None and one.p <= LEVEL for one in self.broken)

    @property
    def seen(self) -> int:
        """Orderings of runs whose scores differ on some topic."""
        return sum(not ordering.is_flat for ordering in self.orderings)

    @property
    def is_blind(self) -> bool:
        """Do all sets of parts score the same?"""
        by_parts = [one for one in self.orderings if ">R" not in kind_of(one)]
        return bool(by_parts) and all(ordering.is_flat for ordering in by_parts)

    @property
    def insertion_holds(self) -> bool | None:
        """Does it never gain, and lose at least as much the earlier such answers come?"""
        if self.gains is None or self.earlier is None:
            return None
        return self.earlier and not self.gains

    @property
    def passes(self) -> bool | None:
        """Does it keep all orderings, see missing documents, and does insertion hold?"""
        if not self.orderings or self.insertion_holds is None:
            return None
        sees = self.missing is None or self.missing.passes
        return self.insertion_holds and not self.broken and sees


def kind_of(ordering: Ordering) -> str:
    """Which parts, or which rankings of the same parts, are compared.

    >>> kind_of(Ordering("AgP", "SLRI", "SLRSI", 0.0, 0, 1, 0, None, True))
    'RI>RSI'
    >>> kind_of(Ordering("AgP", "SLRI", "SLDRI", 0.0, 0, 1, 0, None, True))
    'SL>SLD'
    """
    # No set of parts has an R in its name, all rankings begin with one.
    better, worse = (name.partition("R") for name in (ordering.better, ordering.worse))
    if better[0] == worse[0]:
        return f"R{better[2]}>R{worse[2]}"
    return f"{better[0]}>{worse[0]}"


def measure_summaries(found: AllFound) -> Iterator[MeasureSummary]:
    """All measures, in the order in which they were asked for."""
    for asked in found.scores.measures:
        label = asked.label
        gains, earlier = _inserted(found.insertion, asked)
        tau, error = _assessed(found, label)
        yield MeasureSummary(
            measure=label,
            canonical=str(asked.measure),
            orderings=_orderings(found.fidelity, label),
            missing=found.fidelity.missing_under(label) if found.fidelity else None,
            gains=gains,
            earlier=earlier,
            tau=tau,
            error=error,
            needed=_needed(found, label),
            power=_power(found, label),
        )


def _orderings(found: Fidelity | None, label: str) -> tuple[Ordering, ...]:
    return () if found is None else found.of(label)


def _inserted(found: Insertion | None, asked: Asked) -> tuple[bool | None, bool | None]:
    """Does it gain, and is earlier at least as bad?"""
    labels = [] if found is None else [one.label for one in found.measures]
    better = asked.measure.properties.better
    if found is None or asked.label not in labels or better == "neither":
        return None, None
    number, sign = labels.index(asked.label), 1 if better == "higher" else -1
    after, before = (found.values[mode][number] for mode in MODES)
    rises = [
        sign * (one - other)
        for one, other in zip(before, after, strict=True)
        if one is not None and other is not None
    ]
    return asked.label in rewarding(found), all(rise <= TOLERANCE for rise in rises)


def _assessed(found: AllFound, label: str) -> tuple[float | None, float | None]:
    for one in found.assessors.measures if found.assessors else ():
        if one.measure == label and one.scope == "all":
            taus = [other.tau for other in one.alone if other.tau is not None]
            return min(taus, default=None), one.errors.error
    return None, None


def _needed(found: AllFound, label: str) -> float | None:
    for one in found.topics.measures if found.topics else ():
        safe = one.needed(one.told_at).safe
        if one.measure == label and safe is not None:
            return safe.low * one.unit
    return None


def _power(found: AllFound, label: str) -> float | None:
    told = found.power.measures if found.power else ()
    return next((one.share for one in told if one.measure == label), None)
