"""Do runs gain from returning parts of documents, compared with whole-document versions?"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from copy import copy
from dataclasses import dataclass, replace

import numpy as np

from spanwise.data.run import Run
from spanwise.errors import Fault, InputError, MeasureError, NeedError
from spanwise.evaluation.evaluate import Evaluation
from spanwise.evaluation.policy import left_out_lines
from spanwise.lab.baseline_curves import Curve, curves_of, plans_for
from spanwise.lab.baseline_scores import Twins, TwinScores
from spanwise.lab.experiment import Experiment, Step
from spanwise.measures.nicknames import Asked
from spanwise.statistics.comparison import Pair
from spanwise.statistics.correlation import kendall
from spanwise.statistics.pairing import Pairing
from spanwise.statistics.procedure import Procedure
from spanwise.statistics.topic_values import TopicValues

MEASURES = (
    *("AgP(F(beta=1))", "AgP(F(beta=0.25))", "AgP(aveChP)"),
    *("AgP(T2If(tolerance=300))", "AgP(T2If(tolerance=2000))"),
    *("ANCE(LE(screen=300))@600", "ANCE(LE(screen=2000))@600"),
)
"""Those of the paper, and the plain AgP."""
PROCEDURE = Procedure(test="t", tail="two", correction="holm")
LEAST_TOPICS = 2


@dataclass(frozen=True, slots=True)
class Gain:
    """One run against its whole-document version under one measure."""

    run: str
    pair: Pair
    lower: bool
    """Lower values are better."""
    level: float

    @property
    def gain(self) -> float:
        """The mean difference; above 0 the parts are better, whatever better means."""
        return 0.0 - self.pair.difference if self.lower else self.pair.difference

    @property
    def gains(self) -> bool:
        """Is the run better than its whole-document version?"""
        return self.gain > 0

    @property
    def significant(self) -> bool:
        """Is the difference significant in either direction, corrected for the number of runs?"""
        p = self.pair.p_corrected
        return self.gain != 0 and p is not None and p <= self.level


@dataclass(frozen=True, slots=True)
class Verdict:
    """All focused runs under one measure."""

    measure: Asked
    gains: tuple[Gain, ...]
    """Of runs that have a value for some topic, as their whole-document version has."""
    tau: float | None
    """Of the ranking of all runs with the ranking of their whole-document versions."""

    @property
    def gaining(self) -> int:
        """Runs that gain from returning parts."""
        return sum(gain.gains for gain in self.gains)

    @property
    def significantly(self) -> int:
        """Runs that gain significantly."""
        return sum(gain.gains and gain.significant for gain in self.gains)

    @property
    def losing(self) -> int:
        """Runs that lose significantly."""
        return sum(gain.significant and not gain.gains for gain in self.gains)


@dataclass(frozen=True, slots=True)
class Baseline:
    """What was found about every run."""

    twins: Twins
    """The scores of the runs and of their whole-document versions."""
    procedure: Procedure
    verdicts: tuple[Verdict, ...]
    """One for each measure."""
    curves: tuple[Curve, ...]

    @property
    def whole(self) -> tuple[str, ...]:
        """Runs that return whole documents already; they are in no count."""
        return self.twins.whole

    @property
    def focused(self) -> tuple[str, ...]:
        """Runs that return parts."""
        return tuple(run.run for run, _ in self.twins.focused)


def baseline(
    evaluation: Evaluation,
    runs: Sequence[Iterable[Run]],
    procedure: Procedure = PROCEDURE,
) -> Experiment[Baseline]:
    """Score each run and its whole-document version, and test the difference.

    Each of ``runs`` gives the blocks of one or more runs; blocks of one name belong together. The
    test is the paired t test over topics unless another procedure is given.

    Source: Arvola et al., Expected reading effort in focused retrieval evaluation, section 5.

    >>> from spanwise.inputs.session import Session
    >>> from spanwise.inputs.settings import Settings
    >>> from spanwise.lab.experiment import finished
    >>> session = Session(Settings())
    >>> judged = [{"topic": t, "document": "d", "start": 0, "end": 9} for t in ("q1", "q2")]
    >>> lengths = [{"document": "d", "length": 90}]
    >>> evaluation = session.evaluation(judged + lengths, session.measures("AgP"))
    >>> run = Run.of("chunks", ["q1", "q2"], ["d", "d"], start=[0, 0], end=[9, 18])
    >>> found = finished(baseline(evaluation, [[run]]))
    >>> found.verdicts[0].gaining, len(found.focused)
    (1, 1)
    """
    evaluation = with_direction(evaluation)
    plans = plans_for(evaluation.measures)
    points = tuple(point for plan in plans for point in plan.points)
    scores = TwinScores(_widened(evaluation, points), {point.label for point in points})
    for number, blocks in enumerate(runs, 1):
        scores.add_all(blocks)
        yield Step(number, len(runs), "runs")
    every, asked = scores.finish(), len(evaluation.measures)
    _refuse_few(evaluation, every)
    twins = every.only(range(asked)).possible()
    if not twins.scores.measures:
        why = "; ".join(every.left_out) or "no topic has a value for any run"
        raise NeedError(f"no measure can be computed: {why}")
    curves = curves_of(plans, every.only(range(asked, asked + len(points))))
    return Baseline(twins, procedure, tuple(_verdicts(twins, procedure)), curves)


def with_direction(evaluation: Evaluation) -> Evaluation:
    """Without measures that are neither better nor worse: nothing can gain by them."""
    if not evaluation.measures:
        raise NeedError(f"no measure can be computed: {'; '.join(evaluation.notes)}")
    reason = "neither high nor low values are better, so no run can gain by it"
    without = [a for a in evaluation.measures if a.measure.properties.better == "neither"]
    kept = tuple(asked for asked in evaluation.measures if asked not in without)
    refused = [asked.label for asked in without if not asked.optional]
    if refused or not kept:
        named = refused or [asked.label for asked in without]
        raise MeasureError(f"{', '.join(named)}: {reason}; ask for measures such as AgP")
    known = copy(evaluation)
    known.notes = [*evaluation.notes, *left_out_lines({a.label: reason for a in without})]
    known.measures = kept
    return known


def _widened(evaluation: Evaluation, points: tuple[Asked, ...]) -> Evaluation:
    """With the measures of the curves after those that were asked for."""
    wide = copy(evaluation)
    wide.measures = (*evaluation.measures, *points)
    return wide


# -- what it means


def _refuse_few(evaluation: Evaluation, twins: Twins) -> None:
    if not twins.focused:
        found = f"whole documents only ({', '.join(twins.whole) or 'no run'})"
        expected, remedy = "a run that returns parts of documents", "give one"
        raise InputError(Fault("runs", None, found, expected, remedy))
    topics = {topic for run in twins.scores.runs for topic in run.topics}
    if len(topics) < LEAST_TOPICS:
        found = f"{len(topics)} topic with relevant text"
        expected = f"at least {LEAST_TOPICS}, as the paired test needs"
        file = evaluation.assessments.file
        raise InputError(Fault(file, None, found, expected, "assess more topics"))


def _verdicts(twins: Twins, procedure: Procedure) -> Iterator[Verdict]:
    pairing, size = Pairing(procedure), len(twins.focused)
    own, whole = zip(*twins.focused, strict=True)
    both = replace(twins.scores, runs=(*own, *whole))
    chosen = [(place, place + size) for place in range(size)]
    for number, asked in enumerate(twins.scores.measures):
        better = asked.measure.properties.better
        pairs = pairing.pairs(TopicValues.of(both, number), chosen, better)
        known = [pair for pair in pairs if pair.topics]
        gains = tuple(Gain(pair.a, pair, better == "lower", procedure.level) for pair in known)
        yield Verdict(asked, gains, _tau(twins, number))


def _tau(twins: Twins, number: int) -> float | None:
    """Where lower is better both rankings are reversed, which changes nothing."""
    pairs = zip(twins.scores.runs, twins.documents.runs, strict=True)
    means = [(own.means[number], whole.means[number]) for own, whole in pairs]
    known = np.array([pair for pair in means if None not in pair], np.float64).reshape(-1, 2)
    return kendall(known[:, 0], known[:, 1])
