"""Correlation of measures: do they rank the same runs alike?"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Literal, Unpack

from spanwise.data.notes import Note
from spanwise.errors import SpanwiseError, option
from spanwise.evaluation.scores import Scores
from spanwise.inputs.runs import AssessmentsInput, MeasuresInput, RunsInput
from spanwise.inputs.settings import SettingsKeywords
from spanwise.lab.experiment import Experiment, LabResult, Progress, Step, chapter, study
from spanwise.lab.overlap_table import (
    PUBLISHED,
    OverlapTable,
    needed_for_table,
    overlap_correlations,
)
from spanwise.lab.phrases import some_of, tau_text
from spanwise.lab.run_values import RunValues, refuse_few_runs
from spanwise.records import asdict
from spanwise.reporting.output import Cell, Column, Interval, Output, Row, Table, Value
from spanwise.reporting.render.cells import interval_text
from spanwise.statistics.correlation import (
    Correlation,
    ap_correlation,
    correlation_of,
    kendall,
)
from spanwise.statistics.procedure import Procedure
from spanwise.text.sentences import counted

MEASURES = ("AgP", "AgP(F(beta=0.25))", "AiP", "AP")
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
class MeasurePair:
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
    pairs: tuple[MeasurePair, ...]
    procedure: Procedure | None
    overlap: OverlapTable | None
    notes: tuple[Note, ...]

    def output(self) -> Output:
        """A sentence, the matrices, the pairs, and every number as rows."""
        further = [] if self.overlap is None else [self.overlap]
        return chapter(
            "correlation",
            "Do measures rank runs alike?",
            [*_sentences(self), *(table.verdict() for table in further)],
            [*_tables(self), *(table.table() for table in further)],
            rows=[*_rows(self), *(row for table in further for row in table.rows())],
            notes=[*self.notes, *_notes(self), *(table.note() for table in further)],
            settings={"procedure": None if self.procedure is None else asdict(self.procedure)},
        )


def default_measures(*, overlap_table: bool) -> tuple[str, ...]:
    """The measures that are compared if none are named: those of the published table, or ours."""
    return PUBLISHED if overlap_table else MEASURES


def correlation(
    assessments: AssessmentsInput,
    runs: RunsInput,
    measures: MeasuresInput | None = None,
    *,
    overlap_table: bool = False,
    resamples: int = 1000,
    seed: int = 1,
    progress: Progress | None = None,
    **settings: Unpack[SettingsKeywords],
) -> LabResult[CorrelationFound]:
    """Do measures rank the same runs alike?

    ``overlap_table`` adds gain measures with overlap ignored and considered, beside inex_eval and
    overlap; it needs elements. With ``resamples=0`` there are no intervals, and no verdicts.
    """
    procedure = Procedure(resamples=resamples, seed=seed) if resamples else None
    with study(assessments, runs, settings, progress) as given:
        asked = default_measures(overlap_table=overlap_table) if measures is None else measures
        wanted = given.session.measures(asked)
        more = needed_for_table(given, wanted) if overlap_table else ()
        scores = given.scores([*wanted, *more])
        own = scores.only({one.label for one in wanted})
        further = scores.only({str(measure) for measure in more}) if more else None
        return given.result(correlate(own, procedure, overlap=further), scores)


def correlate(
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
    >>> finished(correlate(scores)).pairs[0].tau.coefficient
    -1.0
    """
    refuse_few_runs(scores, FEWEST, "lab correlation")
    if len(scores.measures) < FEWEST and overlap is None:
        names = ", ".join(asked.label for asked in scores.measures) or "none"
        raise SpanwiseError(
            f"lab correlation needs at least {FEWEST} measures, found {names}; name more with"
            f" {option('measures')}"
        )
    tables = [RunValues.of(scores, number) for number in range(len(scores.measures))]
    chosen, pairs = list(combinations(tables, 2)), []
    for done, (first, second) in enumerate(chosen, start=1):
        pairs.append(measure_pair(first, second, procedure))
        yield Step(done, len(chosen), "pairs of measures")
    return CorrelationFound(
        tuple(values.measure for values in tables),
        tuple(values.canonical for values in tables),
        tuple(run.run for run in scores.runs),
        tuple(pairs),
        procedure,
        None if overlap is None else overlap_correlations(overlap),
        tuple(note for values in tables for note in _notes_on(values)),
    )


def measure_pair(first: RunValues, second: RunValues, procedure: Procedure | None) -> MeasurePair:
    """Of two measures over the topics that they share."""
    a, b = first.over(second.topics), second.over(first.topics)
    runs, topics = a.values.shape
    # One topic drawn again and again is the same topic, which gives no interval.
    if procedure is None or topics < FEWEST:
        tau = Correlation(kendall(a.sums, b.sums), None, None, runs, topics)
    else:
        tau = correlation_of(a.values, b.values, procedure, "kendall")
    ap, turned = ap_correlation(a.sums, b.sums), ap_correlation(b.sums, a.sums)
    return MeasurePair(first.measure, second.measure, tau, ap, turned)


def _notes_on(values: RunValues) -> list[Note]:
    if not values.topics:
        return [Note("ranks no runs", about=values.measure)]
    alike = len(set(values.sums.tolist())) == 1
    return [*values.notes(), *([Note("equal means", about=values.measure)] if alike else [])]


PAIRS_SHOWN = 45
LEAST_SHOWN = 20
MEASURES_SHOWN = 24
GUIDES = (
    f"Two measures are equivalent where the whole interval of tau is above {EQUIVALENT:g} and"
    f" noticeably different where it is below {NOTICEABLE:g}; otherwise the pair is undecided."
)
LONGEST_PAIR = 34
REFERENCE = (
    "tau is tau-b; the AP correlation has the measure of the row, or named first, as its reference"
)


# -- sentences


def _sentences(found: CorrelationFound) -> Iterator[str]:
    if not found.pairs:
        return
    known = _by_tau(found)
    if known:
        yield _one(found, known[0]) if len(found.pairs) == 1 else _all(found, known)
    undefined = [_named(pair) for pair in found.pairs if pair.tau.coefficient is None]
    if undefined:
        yield (
            f"Tau is undefined for {len(undefined)} of {counted(len(found.pairs), 'pair')} of"
            f" measures ({some_of(undefined, '; ')}): a measure gives all runs the same mean, or"
            " no topic has values under both."
        )
    if known:
        yield _rule(found)


def _rule(found: CorrelationFound) -> str:
    if len(found.runs) < FEWEST_FOR_VERDICT:
        return (
            f"No verdict: at least {FEWEST_FOR_VERDICT} runs are needed, and there are"
            f" {len(found.runs)}."
        )
    if found.procedure is None:
        return "No verdict: it needs intervals of tau, and no topics were resampled."
    return GUIDES


def _one(found: CorrelationFound, pair: MeasurePair) -> str:
    verdicts: dict[Verdict, str] = {
        "equivalent": ": they are equivalent",
        "noticeably different": ": they are noticeably different",
    }
    tau = f"{_named(pair)} rank {len(found.runs)} runs with a tau of {_tau(found, pair)}"
    return f"{tau}{verdicts.get(pair.verdict, '')}."


def _all(found: CorrelationFound, known: Sequence[MeasurePair]) -> str:
    over = f"Over {len(found.runs)} runs"
    if len(found.runs) >= FEWEST_FOR_VERDICT and found.procedure is not None:
        alike, unlike, open_ = (
            sum(pair.verdict == verdict for pair in known)
            for verdict in ("equivalent", "noticeably different", "undecided")
        )
        pairs = counted(len(found.pairs), "pair")
        return (
            f"{over}, {alike} of {pairs} of measures are equivalent, {unlike} noticeably different"
            f" and {open_} undecided; {_lowest(found, known)}."
        )
    return f"{over}, {_lowest(found, known)}."


def _lowest(found: CorrelationFound, known: Sequence[MeasurePair]) -> str:
    """Which pair is least alike, if one is."""
    if len(known) == 1:
        return f"the only tau that is defined is {_tau(found, known[0])}, of {_named(known[0])}"
    least = known[0].tau.coefficient
    same = [pair for pair in known if pair.tau.coefficient == least]
    if len(same) == len(known):
        return f"every tau that is defined is {tau_text(least or 0.0)}"
    others = f", as for {counted(len(same) - 1, 'other pair')}" if len(same) > 1 else ""
    return f"the lowest tau is {_tau(found, known[0])}, of {_named(known[0])}{others}"


def _by_tau(found: CorrelationFound) -> list[MeasurePair]:
    known = [pair for pair in found.pairs if pair.tau.coefficient is not None]
    return sorted(known, key=lambda pair: pair.tau.coefficient or 0.0)


def _named(pair: MeasurePair) -> str:
    return f"{pair.first} and {pair.second}"


def _tau(found: CorrelationFound, pair: MeasurePair) -> str:
    interval = _interval(pair)
    ci = f" ({_percent(found)} CI {interval_text(*interval, tau_text)})" if interval else ""
    return f"{tau_text(pair.tau.coefficient or 0.0)}{ci}"


def _notes(found: CorrelationFound) -> Iterator[Note]:
    for pair in found.pairs:
        if not pair.tau.topics:
            yield Note("no shared topic", detail=_named(pair))
    if found.pairs and found.procedure is not None:
        resamples = found.procedure.interval_resamples
        drawn = f"{resamples:,} resamples of topics, seed {found.procedure.seed}"
        ends = f"intervals of tau: {_percent(found)} CI, {drawn}; the runs are not resampled"
        yield Note("remark", detail=ends)
    if found.pairs:
        yield Note("remark", detail=REFERENCE)


def _percent(found: CorrelationFound) -> str:
    level = 0.05 if found.procedure is None else found.procedure.level
    return f"{100 * (1 - level):g}%"


# -- tables


def _tables(found: CorrelationFound) -> Iterator[Table]:
    if 3 <= len(found.measures) <= MEASURES_SHOWN:
        taus = {(p.first, p.second): p.tau.coefficient for p in found.pairs}
        turned = {(b, a): tau for (a, b), tau in taus.items()}
        yield _matrix(found, "tau", {**taus, **turned})
        ap = {(p.first, p.second): p.ap for p in found.pairs}
        other = {(p.second, p.first): p.ap_turned for p in found.pairs}
        yield _matrix(found, "AP correlation (the row is the reference)", {**ap, **other})
    if found.pairs:
        yield _pairs(found)


def _pairs(found: CorrelationFound) -> Table:
    columns = [
        Column("measures", "text"),
        Column("tau"),
        *([Column(f"{_percent(found)} CI", "interval")] if found.procedure else []),
        Column("tau AP"),
        Column("verdict", "text"),
    ]
    many = len(found.pairs) > PAIRS_SHOWN
    shown = _by_tau(found)[:LEAST_SHOWN] if many else list(found.pairs)
    title = f"The {len(shown)} pairs with the lowest tau" if many else "Pairs of measures"
    names = _pair_names(found)
    rows: list[Row] = [
        (f"{names[pair.first]} - {names[pair.second]}", *_values(found, pair)) for pair in shown
    ]
    return Table(title, tuple(columns), tuple(rows), transposed="")


def _pair_names(found: CorrelationFound) -> dict[str, str]:
    """Measures with long names go by their number in the matrix."""
    numbers = {name: f"{number}" for number, name in enumerate(found.measures, start=1)}
    longest = sum(sorted(map(len, found.measures))[-2:])
    matrix = 3 <= len(numbers) <= MEASURES_SHOWN
    return numbers if matrix and longest > LONGEST_PAIR else {name: name for name in numbers}


def _values(found: CorrelationFound, pair: MeasurePair) -> tuple[Value | Cell, ...]:
    interval = [Cell(_interval(pair))] if found.procedure else []
    return (pair.tau.coefficient, *interval, pair.ap, pair.verdict)


def _interval(pair: MeasurePair) -> Interval | None:
    if pair.tau.low is None or pair.tau.high is None:
        return None
    return Interval(pair.tau.low, pair.tau.high)


def _matrix(
    found: CorrelationFound, title: str, values: dict[tuple[str, str], float | None]
) -> Table:
    names = found.measures
    columns = [Column(f"{number}") for number, _ in enumerate(names, start=1)]
    rows = [
        (f"{number} {row}", *(values.get((row, other)) for other in names))
        for number, row in enumerate(names, start=1)
    ]
    return Table(title, (Column("measure", "text"), *columns), tuple(rows), transposed="measure")


# -- rows


def _rows(found: CorrelationFound) -> Iterator[dict[str, Value]]:
    canonical = dict(zip(found.measures, found.canonical, strict=True))
    for pair in found.pairs:
        yield {
            "kind": "pair",
            "first": pair.first,
            "second": pair.second,
            "first_canonical": canonical[pair.first],
            "second_canonical": canonical[pair.second],
            "tau": pair.tau.coefficient,
            "low": pair.tau.low,
            "high": pair.tau.high,
            "tau_ap": pair.ap,
            "tau_ap_turned": pair.ap_turned,
            "verdict": pair.verdict,
            "runs": pair.tau.runs,
            "topics": pair.tau.topics,
        }
