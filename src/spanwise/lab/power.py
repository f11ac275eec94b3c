"""Power: how many pairs of runs does a measure separate, and what do cut-offs change?"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from spanwise.errors import SpanwiseError
from spanwise.evaluation.policy import left_out_lines
from spanwise.evaluation.scores import Scores
from spanwise.lab.chapter import Chapter
from spanwise.lab.correlation import agreement
from spanwise.lab.experiment import Experiment, Step
from spanwise.lab.run_values import RunValues, refuse_all, refuse_few_runs
from spanwise.measures.base import CutOff
from spanwise.measures.nicknames import Asked
from spanwise.statistics.comparison import Comparison
from spanwise.statistics.pairing import compare_scores
from spanwise.statistics.procedure import Procedure

UNCORRECTED = Procedure(test="bootstrap", correction="none")
"""Each pair is tested as if it were the only one, as Kamps et al. do."""
FEWEST = 2
"""Runs, and topics."""

Scored = Callable[[Sequence[str], int | None], Scores]
"""Scores the same runs with the measures of these names; with a number, only so many answers of
each topic."""


@dataclass(frozen=True, slots=True)
class Told:
    """How many pairs of runs a measure separates."""

    measure: str
    canonical: str
    told: int
    pairs: int

    @property
    def share(self) -> float:
        """From 0 to 1; there is at least one pair."""
        return self.told / self.pairs


@dataclass(frozen=True, slots=True)
class AtCutoff:
    """A measure with one of several cut-offs."""

    family: str
    """The name without its cut-off."""
    cutoff: int
    told: Told


@dataclass(frozen=True, slots=True)
class AtResults:
    """A measure that sees only the first answers of each topic."""

    results: int
    told: Told
    tau: float | None
    """Of the ranking of runs with the one by all answers."""


@dataclass(frozen=True, slots=True)
class PowerFound:
    """The power of each measure."""

    measures: tuple[Told, ...]
    cutoffs: tuple[AtCutoff, ...]
    results: tuple[AtResults, ...]
    runs: tuple[str, ...]
    procedure: Procedure
    notes: tuple[str, ...]

    def chapter(self) -> Chapter:
        """To be shown."""
        from spanwise.lab.chapters.power import chapter_of

        return chapter_of(self)


@dataclass(frozen=True, slots=True)
class Again:
    """What is scored once more, to see what cut-offs do."""

    scored: Scored
    cutoffs: tuple[int, ...] = ()
    """Of measures that have a rank as cut-off."""
    results: tuple[int, ...] = ()
    """How many answers of each topic are kept, for all measures."""

    def __post_init__(self) -> None:
        for number in (*self.cutoffs, *self.results):
            if number < 1:
                raise SpanwiseError(f"a cut-off is {number}; give whole numbers of 1 or more")


def power(
    scores: Scores, procedure: Procedure = UNCORRECTED, again: Again | None = None
) -> Experiment[PowerFound]:
    r"""The share of pairs of runs that each measure separates.

    $$power = \frac{\#\{p \le 0.05\}}{n(n-1)/2}$$

    where n is the number of runs and p that of a paired test over topics, by default not corrected
    for the number of pairs. ``again`` scores the same runs once more: measures that have a rank as
    cut-off at other ranks, and every measure with only the first answers of each topic, whose
    ranking of the runs is then correlated with the one by all answers.

    Source: Kamps et al. 2007, Evaluating relevant in context, tables 1 and 2.

    >>> from spanwise import evaluate
    >>> from spanwise.lab.experiment import finished
    >>> judged = {f"t{n}": {"d": [(0, 10)]} for n in range(8)}
    >>> runs = [
    ...     [{"topic": t, "document": "d", "start": 0, "end": end, "run": name} for t in judged]
    ...     for name, end in (("long", 40), ("short", 10))
    ... ]
    >>> [told] = finished(power(evaluate(judged, runs, ["AgP"]))).measures
    >>> told.told, told.pairs
    (1, 1)
    """
    refuse_few_runs(scores, FEWEST, "lab power")
    procedure = replace(procedure, resamples=procedure.resamples_for(1))
    compared = compare_scores(scores, procedure)
    left_out = {one.measure: _few(one) for one in compared if _shared_topics(one) < FEWEST}
    kept = [one for one in compared if one.measure not in left_out]
    if not kept:
        refuse_all("lab power", left_out)
    used = scores.only([one.measure for one in kept])
    at_cutoffs = yield from _at_cutoffs(used, procedure, again)
    at_results = yield from _at_results(used, procedure, again)
    return PowerFound(
        tuple(_told(one) for one in kept),
        at_cutoffs,
        at_results,
        tuple(run.run for run in scores.runs),
        procedure,
        (*left_out_lines(left_out), *(note for one in kept for note in one.notes)),
    )


def _shared_topics(compared: Comparison) -> int:
    return max(pair.topics for pair in compared.pairs)


def _few(compared: Comparison) -> str:
    found = _shared_topics(compared)
    return f"it needs at least {FEWEST} topics for which two runs have a value, found {found}"


def _told(compared: Comparison) -> Told:
    told = len(compared.significant())
    return Told(compared.measure, compared.canonical, told, len(compared.pairs))


# -- cut-offs


def _at_cutoffs(
    scores: Scores, procedure: Procedure, again: Again | None
) -> Experiment[tuple[AtCutoff, ...]]:
    names = {} if again is None else cutoff_names(scores.measures, again.cutoffs)
    if again is None or not names:
        return ()
    compared = compare_scores(again.scored(list(names), None), procedure)
    yield Step(1, 1 + len(again.results), "cut-offs")
    told = {one.measure: _told(one) for one in compared}
    return tuple(AtCutoff(*names[name], told[name]) for name in names)


def cutoff_names(measures: Sequence[Asked], cutoffs: Sequence[int]) -> dict[str, tuple[str, int]]:
    """Measures that have a rank as cut-off, at other ranks and their own: family and cut-off.

    >>> from spanwise.measures.nicknames import asked_for
    >>> cutoff_names([asked_for("gP@10"), asked_for("AgP")], [1, 5])
    {'gP@1': ('gP', 1), 'gP@5': ('gP', 5), 'gP@10': ('gP', 10)}
    """
    families: dict[str, set[int]] = {}
    for asked in measures:
        own = getattr(asked.measure, "cutoff", None)
        if own is not None and asked.measure.takes in (CutOff.RANK, CutOff.OPTIONAL_RANK):
            family = asked.label.rpartition("@")[0] or asked.label
            families.setdefault(family, set(cutoffs)).add(own)
    if not cutoffs:
        return {}
    return {
        f"{family}@{cutoff}": (family, cutoff)
        for family, chosen in families.items()
        for cutoff in sorted(chosen)
    }


def _at_results(
    scores: Scores, procedure: Procedure, again: Again | None
) -> Experiment[tuple[AtResults, ...]]:
    found: list[AtResults] = []
    if again is None:
        return ()
    labels = [asked.label for asked in scores.measures]
    for number in sorted(set(again.results)):
        cut = again.scored(labels, number)
        for place, compared in enumerate(compare_scores(cut, procedure)):
            tables = [RunValues.of(some, place) for some in (scores, cut)]
            tau = agreement(tables[0], tables[1], None).tau.coefficient
            found.append(AtResults(number, _told(compared), tau))
        yield Step(1 + len(found) // len(labels), 1 + len(again.results), "cut-offs")
    return tuple(found)
