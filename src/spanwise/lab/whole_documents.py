"""Do runs gain from returning parts of documents, compared with whole-document versions?"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from copy import copy
from dataclasses import dataclass
from typing import Unpack

import numpy as np

from spanwise.data.notes import Note
from spanwise.data.run import Run
from spanwise.errors import Fault, InputError, MeasureError
from spanwise.evaluation.evaluate import Evaluation
from spanwise.evaluation.policy import left_out
from spanwise.evaluation.scores import Scores
from spanwise.inputs.given_runs import GivenRuns
from spanwise.inputs.runs import AssessmentsInput, MeasuresInput, RunsInput
from spanwise.inputs.settings import SettingsKeywords
from spanwise.lab.document_versions import Gain, RankCurve, Twins, TwinScores, curves_of, plans_for
from spanwise.lab.experiment import (
    Experiment,
    LabResult,
    Progress,
    Step,
    chapter,
    finished,
    no_measure,
    study,
)
from spanwise.measures.grammar import Asked
from spanwise.records import replace
from spanwise.reporting.output import Column, Output, Table, Value
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
    curves: tuple[RankCurve, ...]

    @property
    def whole(self) -> tuple[str, ...]:
        """Runs that return whole documents already; they are in no count."""
        return self.twins.whole

    @property
    def focused(self) -> tuple[str, ...]:
        """Runs that return parts."""
        return tuple(run.run for run, _ in self.twins.focused)

    def output(self) -> Output:
        """How many runs gain under each measure, every run under each, and curves of a few."""
        return chapter(
            "baseline",
            "Do runs gain from returning parts rather than whole documents?",
            list(_sentences(self)),
            [
                _overview(self),
                *(_table(verdict) for verdict in self.verdicts),
                *(curve.plot() for curve in self.curves),
            ],
            rows=list(_rows(self)),
            notes=[*_notes(self), Note("remark", detail=PUBLISHED)],
            settings=_settings(self),
        )


def baseline(
    assessments: AssessmentsInput,
    runs: RunsInput,
    measures: MeasuresInput = MEASURES,
    *,
    progress: Progress | None = None,
    **settings: Unpack[SettingsKeywords],
) -> LabResult[Baseline]:
    """Do runs gain from returning parts of documents?

    Each run is compared with its own whole-document version: the same documents in the same order.
    The lengths of the documents must be known.
    """
    with study(assessments, runs, settings, progress) as given:
        given.refuse_compat("baseline")
        wanted = given.session.measures(measures)
        evaluation = given.session.evaluation(assessments, wanted)
        each = given.given_runs(evaluation.assessments.topics)
        found = finished(compare_with_documents(evaluation, each), progress)
        return given.result_of(found, _without_left_out(found.twins.scores))


def _without_left_out(scores: Scores) -> Scores:
    """What was found tells which measures are left out, for runs and their versions together."""
    runs = (
        replace(run, notes=tuple(note for note in run.notes if note.kind != "left out"))
        for run in scores.runs
    )
    return replace(scores, runs=tuple(runs))


def compare_with_documents(
    evaluation: Evaluation,
    runs: Sequence[Iterable[Run]] | GivenRuns,
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
    >>> found = finished(compare_with_documents(evaluation, [[run]]))
    >>> found.verdicts[0].gaining, len(found.focused)
    (1, 1)
    """
    evaluation = with_direction(evaluation)
    asked = [one.label for one in evaluation.measures]
    plans = plans_for(evaluation.measures)
    points = tuple(p for plan in plans for p in plan.points if p.label not in asked)
    scores = TwinScores(_widened(evaluation, points), {point.label for point in points})
    for number, blocks in enumerate(runs, 1):
        scores.add_all(blocks)
        yield Step(number, len(runs), "runs")
    every = scores.finish()
    _refuse_few(evaluation, every)
    twins = every.only(asked).possible()
    if not twins.scores.measures:
        raise no_measure(every.left_out, "no topic has a value for any run")
    curves = curves_of(plans, every)
    return Baseline(twins, procedure, tuple(_verdicts(twins, procedure)), curves)


def with_direction(evaluation: Evaluation) -> Evaluation:
    """Without measures that are neither better nor worse: nothing can gain by them."""
    if not evaluation.measures:
        raise no_measure(evaluation.notes, "none was asked for")
    reason = "neither high nor low values are better, so no run can gain by it"
    without = [a for a in evaluation.measures if a.measure.properties.better == "neither"]
    kept = tuple(asked for asked in evaluation.measures if asked not in without)
    refused = [asked.label for asked in without if not asked.optional]
    if refused or not kept:
        named = refused or [asked.label for asked in without]
        raise MeasureError(f"{', '.join(named)}: {reason}; ask for measures such as AgP")
    known = copy(evaluation)
    known.notes = [*evaluation.notes, *left_out({a.label: reason for a in without})]
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


PUBLISHED = (
    "published by Arvola et al. for INEX 2008 (70 topics): 19 of 25 focused runs gain by"
    " AgP(F(beta=0.25)), 21 by AgP(aveChP), 15 by AgP(T2If), 25 by effort"
)
NO_TAU = "tau needs at least two runs that do not all have the same mean"
COLUMNS = (
    *(Column("run", "text"), Column("parts"), Column("whole"), Column("gain", "signed")),
    *(Column("p", "p"), Column("p, Holm", "p"), Column("won/tied/lost", "text")),
)


def _settings(found: Baseline) -> dict[str, object]:
    procedure = found.procedure
    return {
        "measures": [asked.label for asked in found.twins.scores.measures],
        **{name: getattr(procedure, name) for name in ("test", "tail", "correction", "level")},
    }


def _notes(found: Baseline) -> Iterator[Note]:
    yield from found.twins.left_out
    for verdict in found.verdicts:
        pairs = [gain.pair for gain in verdict.gains]
        alike = [pair.a for pair in pairs if pair.effect is None and pair.ties < pair.topics]
        if alike:
            yield _note("equal differences", alike, verdict)
        without = [run for run in found.focused if run not in [pair.a for pair in pairs]]
        if without:
            yield _note("no values of both", without, verdict)
    if any(verdict.tau is None for verdict in found.verdicts):
        yield Note("remark", detail=NO_TAU)


def _note(kind: str, runs: Sequence[str], verdict: Verdict) -> Note:
    return Note(kind, len(runs), names=tuple(runs), about=verdict.measure.label)


# -- sentences


def _sentences(found: Baseline) -> Iterator[str]:
    verdicts = found.verdicts
    gaining = _counted(verdicts, lambda v: f"{v.gaining} of {len(v.gains)}")
    yield f"Runs that gain from returning parts rather than whole documents: {gaining}."
    yield f"Significant gains: {_counted(verdicts, lambda v: str(v.significantly))}."
    losing = [verdict for verdict in verdicts if verdict.losing]
    if losing:
        yield f"Significant losses: {_counted(losing, lambda v: str(v.losing))}."
    yield _test(found.procedure)
    if found.whole:
        yield f"Left out, as they return whole documents already: {', '.join(found.whole)}."


def _test(procedure: Procedure) -> str:
    corrections = {
        "none": "not corrected for the number of runs",
        "holm": "corrected for the number of runs by Holm",
        "bh": "corrected for the number of runs by Benjamini and Hochberg",
    }
    return (
        f"Significant: {procedure.tail}-tailed paired {procedure.test} test, p at most"
        f" {procedure.level:g}, {corrections[procedure.correction]}."
    )


def _counted(verdicts: Sequence[Verdict], count: Callable[[Verdict], str]) -> str:
    """Measures with the same count together."""
    together: dict[str, list[str]] = {}
    for verdict in verdicts:
        together.setdefault(count(verdict), []).append(verdict.measure.label)
    return "; ".join(f"{count} by {', '.join(labels)}" for count, labels in together.items())


# -- tables and rows


def _overview(found: Baseline) -> Table:
    columns = (
        *(Column("measure", "text"), Column("runs", "count"), Column("gain", "count")),
        *(Column("significantly", "count"), Column("lose significantly", "count")),
        *(Column("mean gain", "signed"), Column("tau with _doc")),
    )
    return Table(
        "Runs that gain from returning parts",
        columns,
        tuple(
            (
                *(v.measure.label, len(v.gains), v.gaining, v.significantly, v.losing),
                *(sum(gain.gain for gain in v.gains) / len(v.gains), v.tau),
            )
            for v in found.verdicts
        ),
        transposed="",
    )


def _table(verdict: Verdict) -> Table:
    better = ", lower is better" if verdict.measure.measure.properties.better == "lower" else ""
    rows = tuple(
        (
            *(gain.run, gain.pair.mean_a, gain.pair.mean_b, gain.gain),
            *(gain.pair.p, gain.pair.p_corrected, _record(gain)),
        )
        for gain in verdict.gains
    )
    return Table(f"{verdict.measure.label}{better}", COLUMNS, rows, transposed="")


def _record(gain: Gain) -> str:
    return f"{gain.pair.wins}/{gain.pair.ties}/{gain.pair.losses}"


def _rows(found: Baseline) -> Iterator[dict[str, Value]]:
    for verdict in found.verdicts:
        named: dict[str, Value] = {
            "measure": verdict.measure.label,
            "canonical": str(verdict.measure.measure),
        }
        yield from (_gain_row(named, gain) for gain in verdict.gains)
        yield {
            **{"kind": "measure", **named},
            **{"runs": len(verdict.gains), "gain": verdict.gaining},
            **{"gain_significantly": verdict.significantly},
            **{"lose_significantly": verdict.losing, "tau": verdict.tau},
        }
    for run in found.whole:
        yield {"kind": "whole", "run": run}
    yield from _curve_rows(found)


def _curve_rows(found: Baseline) -> Iterator[dict[str, Value]]:
    for curve in found.curves:
        for run, values in curve.runs:
            at: dict[str, Value] = {"kind": "curve", "measure": curve.measure, "run": run}
            for rank, value in zip(curve.ranks, values, strict=True):
                yield {**at, "rank": rank, "value": value}


def _gain_row(named: dict[str, Value], gain: Gain) -> dict[str, Value]:
    pair = gain.pair
    return {
        **{"kind": "run", **named, "run": gain.run, "parts": pair.mean_a, "whole": pair.mean_b},
        **{"gain": gain.gain, "wins": pair.wins, "ties": pair.ties, "losses": pair.losses},
        **{"topics": pair.topics, "p": pair.p, "p_corrected": pair.p_corrected},
        **{"gains": gain.gains, "significant": gain.significant},
    }
