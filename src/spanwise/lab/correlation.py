"""Correlation of measures: do they rank the same runs alike?"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations
from typing import Literal

from spanwise.errors import SpanwiseError
from spanwise.evaluation.scores import Scores
from spanwise.lab.chapter import Chapter
from spanwise.lab.experiment import Experiment, Step
from spanwise.lab.overlap_table import OverlapTable, overlap_table
from spanwise.lab.run_values import RunValues, refuse_few_runs
from spanwise.statistics.correlation import (
    Correlation,
    ap_correlation,
    correlation_of,
    kendall,
)
from spanwise.statistics.procedure import Procedure

INTERVALS = Procedure(resamples=1000)
"""How intervals are found: by drawing topics with replacement."""
EQUIVALENT, NOTICEABLE = 0.9, 0.8
"""Two measures are equivalent where the interval of tau lies above the first, and noticeably
different where it lies below the second."""
FEWEST = 2
"""Runs, measures, and topics of an interval."""
FEWEST_FOR_VERDICT = 10
"""Runs: with fewer, one pair of runs moves tau by 0.05 and more."""

Verdict = Literal["equivalent", "noticeably different", "undecided", "too few runs", "undefined"]


@dataclass(frozen=True, slots=True)
class Agreement:
    """Two measures, over the topics for which every run has a value under both."""

    first: str
    second: str
    tau: Correlation
    ap: float | None
    """The AP correlation with the first measure as the reference."""
    ap_turned: float | None
    """With the second measure as the reference."""

    @property
    def verdict(self) -> Verdict:
        """Only where the whole interval of tau lies on one side of a guide."""
        tau = self.tau
        if tau.coefficient is None:
            return "undefined"
        if tau.runs < FEWEST_FOR_VERDICT:
            return "too few runs"
        if tau.low is None or tau.high is None:
            return "undecided"
        if tau.low > EQUIVALENT:
            return "equivalent"
        return "noticeably different" if tau.high < NOTICEABLE else "undecided"


@dataclass(frozen=True, slots=True)
class CorrelationFound:
    """Every pair of measures."""

    measures: tuple[str, ...]
    canonical: tuple[str, ...]
    runs: tuple[str, ...]
    pairs: tuple[Agreement, ...]
    procedure: Procedure | None
    overlap: OverlapTable | None
    notes: tuple[str, ...]

    def chapter(self) -> Chapter:
        """To be shown."""
        from spanwise.lab.chapters.correlation import chapter_of

        return chapter_of(self)


def correlation(
    scores: Scores, procedure: Procedure | None = INTERVALS, *, overlap: Scores | None = None
) -> Experiment[CorrelationFound]:
    r"""Kendall's tau of each pair of measures over the runs, the AP correlation beside it.

    $$\tau = 1 - \frac{4D}{n(n-1)}$$

    where D counts the pairs of n runs that two measures rank in opposite order (tau-b where runs
    are tied). Runs are ranked by their means; values of which lower ones are better change their
    sign. Intervals are over topics; without a procedure there are none. With ``overlap``, the
    scores of :func:`~spanwise.lab.overlap_table.overlap_measures`, the table of gain measures with
    overlap ignored and considered is added.

    Source: Kamps et al. 2007, Evaluating relevant in context; Kazai and Lalmas, eXtended Cumulated
    Gain measures, table V; Yilmaz et al. 2008 for the AP correlation.

    >>> from spanwise import evaluate
    >>> from spanwise.lab.experiment import finished
    >>> runs = [
    ...     [{"topic": "t", "document": "d", "start": 0, "end": end, "run": name}]
    ...     for name, end in (("a", 20), ("b", 35), ("c", 60))
    ... ]
    >>> scores = evaluate({"t": {"d": [(0, 20), (30, 40)]}}, runs, ["textP", "textR"])
    >>> finished(correlation(scores)).pairs[0].tau.coefficient
    -1.0
    """
    refuse_few_runs(scores, FEWEST, "lab correlation")
    if len(scores.measures) < FEWEST and overlap is None:
        names = ", ".join(asked.label for asked in scores.measures) or "none"
        raise SpanwiseError(
            f"lab correlation needs at least {FEWEST} measures, found {names}; name more with -m"
        )
    tables = [RunValues.of(scores, number) for number in range(len(scores.measures))]
    chosen, pairs = list(combinations(tables, 2)), []
    for done, (first, second) in enumerate(chosen, start=1):
        pairs.append(agreement(first, second, procedure))
        yield Step(done, len(chosen), "pairs of measures")
    return CorrelationFound(
        tuple(values.measure for values in tables),
        tuple(values.canonical for values in tables),
        tuple(run.run for run in scores.runs),
        tuple(pairs),
        procedure,
        None if overlap is None else overlap_table(overlap),
        tuple(note for values in tables for note in _notes(values)),
    )


def agreement(first: RunValues, second: RunValues, procedure: Procedure | None) -> Agreement:
    """Of two measures over the topics that they share."""
    a, b = first.over(second.topics), second.over(first.topics)
    runs, topics = a.values.shape
    # One topic drawn again and again is the same topic, which gives no interval.
    if procedure is None or topics < FEWEST:
        tau = Correlation(kendall(a.sums, b.sums), None, None, runs, topics)
    else:
        tau = correlation_of(a.values, b.values, procedure, "kendall")
    ap, turned = ap_correlation(a.sums, b.sums), ap_correlation(b.sums, a.sums)
    return Agreement(first.measure, second.measure, tau, ap, turned)


def _notes(values: RunValues) -> list[str]:
    if not values.topics:
        return [f"{values.measure}: no topic has a value in every run, so it ranks no runs"]
    if len(set(values.sums.tolist())) == 1:
        return [*values.notes(), f"{values.measure}: all runs have the same mean, so it ranks none"]
    return list(values.notes())
