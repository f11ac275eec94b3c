"""Power: how many pairs of runs does a measure separate, and what do cut-offs change?"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Unpack

from spanwise.data.notes import Note
from spanwise.errors import SpanwiseError, option
from spanwise.evaluation.policy import left_out
from spanwise.evaluation.scores import Scores
from spanwise.inputs.runs import AssessmentsInput, MeasuresInput, RunsInput
from spanwise.inputs.settings import Settings, SettingsKeywords
from spanwise.lab.experiment import Experiment, LabResult, Progress, Step, chapter, study
from spanwise.lab.measure_agreement import measure_pair
from spanwise.lab.phrases import percent
from spanwise.lab.run_values import RunValues, refuse_all, refuse_few_runs
from spanwise.measures.base import CutOff
from spanwise.measures.grammar import Asked
from spanwise.records import asdict, replace
from spanwise.reporting.output import Column, Output, Plot, Table, Value
from spanwise.statistics.comparison import Comparison
from spanwise.statistics.pairing import compare_scores
from spanwise.statistics.procedure import Procedure
from spanwise.text.sentences import counted, enumerated

MEASURES = ("AgP", "AP")
CUTOFFS, RESULTS = (1, 5, 10, 20, 50), (10, 100)
UNCORRECTED = Procedure(test="bootstrap", correction="none")
"""Each pair is tested as if it were the only one, as Kamps et al. do."""
FEWEST = 2
"""Runs, and topics."""

Scored = Callable[[Sequence[str], int | None], Scores]
"""Scores the same runs with the measures of these names; with a number, only this many answers of
each topic."""


@dataclass(frozen=True, slots=True)
class Separated:
    """How many pairs of runs a measure separates."""

    measure: str
    canonical: str
    separated: int
    pairs: int

    @property
    def share(self) -> float:
        """From 0 to 1; there is at least one pair."""
        return self.separated / self.pairs


@dataclass(frozen=True, slots=True)
class AtCutoff:
    """A measure with one of several cut-offs."""

    family: str
    """The name without its cut-off."""
    cutoff: int
    found: Separated


@dataclass(frozen=True, slots=True)
class AtResults:
    """A measure that sees only the first answers of each topic."""

    results: int
    found: Separated
    tau: float | None
    """Of the ranking of runs with the one by all answers."""


@dataclass(frozen=True, slots=True)
class PowerFound:
    """The power of each measure."""

    measures: tuple[Separated, ...]
    cutoffs: tuple[AtCutoff, ...]
    results: tuple[AtResults, ...]
    runs: tuple[str, ...]
    procedure: Procedure
    notes: tuple[Note, ...]

    def output(self) -> Output:
        """The counts, what cut-offs do to them, and every number as rows."""
        return chapter(
            "power",
            "How many pairs of runs does a measure separate?",
            list(_verdict(self)),
            [*_tables(self), *_plots(self)],
            rows=list(_rows(self)),
            notes=self.notes,
            settings=asdict(self.procedure),
        )


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
    assessments: AssessmentsInput,
    runs: RunsInput,
    measures: MeasuresInput = MEASURES,
    *,
    cutoffs: Sequence[int] | None = CUTOFFS,
    results_cutoffs: Sequence[int] | None = None,
    procedure: Procedure | None = None,
    progress: Progress | None = None,
    **settings: Unpack[SettingsKeywords],
) -> LabResult[PowerFound]:
    """How many pairs of runs does a measure separate, and how do cut-offs change that?

    ``cutoffs`` are further ranks for measures that have a rank as cut-off; ``results_cutoffs``
    score only the first answers of each topic, 10 and 100 if not given. Runs are compared by the
    bootstrap test without a correction unless another procedure is given.
    """
    with study(assessments, runs, settings, progress) as given:
        numbers = _fewer_results(results_cutoffs, given.settings)
        scores = given.scores(measures)
        again = Again(given.scores_again, tuple(cutoffs or ()), numbers)
        return given.result(count_separated(scores, procedure or UNCORRECTED, again), scores)


def _fewer_results(given: Sequence[int] | None, settings: Settings) -> tuple[int, ...]:
    """Fewer answers than are scored anyway; an official tool scores all of them."""
    if settings.compat is None:
        limit, numbers = settings.results, RESULTS if given is None else given
        return tuple(number for number in numbers if limit is None or number < limit)
    if given:
        asked, compat = option("results_cutoffs"), option("compat")
        raise SpanwiseError(f"{asked} has no meaning with {compat}: leave it out")
    return ()


def count_separated(
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
    >>> [one] = finished(count_separated(evaluate(judged, runs, ["AgP"]))).measures
    >>> one.separated, one.pairs
    (1, 1)
    """
    refuse_few_runs(scores, FEWEST, "lab power")
    procedure = replace(procedure, resamples=procedure.resamples_for(1))
    compared = compare_scores(scores, procedure)
    unused = {one.measure: _few(one) for one in compared if _shared_topics(one) < FEWEST}
    kept = [one for one in compared if one.measure not in unused]
    if not kept:
        refuse_all("lab power", unused)
    used = scores.only([one.measure for one in kept])
    at_cutoffs = yield from _at_cutoffs(used, procedure, again)
    at_results = yield from _at_results(used, procedure, again)
    return PowerFound(
        tuple(_separated(one) for one in kept),
        at_cutoffs,
        at_results,
        tuple(run.run for run in scores.runs),
        procedure,
        (*left_out(unused), *(note for one in kept for note in one.notes)),
    )


def _shared_topics(compared: Comparison) -> int:
    return max(pair.topics for pair in compared.pairs)


def _few(compared: Comparison) -> str:
    found = _shared_topics(compared)
    return f"it needs at least {FEWEST} topics for which two runs have a value, found {found}"


def _separated(compared: Comparison) -> Separated:
    count = len(compared.significant())
    return Separated(compared.measure, compared.canonical, count, len(compared.pairs))


# -- cut-offs


def _at_cutoffs(
    scores: Scores, procedure: Procedure, again: Again | None
) -> Experiment[tuple[AtCutoff, ...]]:
    names = {} if again is None else cutoff_names(scores.measures, again.cutoffs)
    if again is None or not names:
        return ()
    compared = compare_scores(again.scored(list(names), None), procedure)
    yield Step(1, 1 + len(again.results), "cut-offs")
    counts = {one.measure: _separated(one) for one in compared}
    return tuple(AtCutoff(*names[name], counts[name]) for name in names)


def cutoff_names(measures: Sequence[Asked], cutoffs: Sequence[int]) -> dict[str, tuple[str, int]]:
    """Measures that have a rank as cut-off, at other ranks and their own: family and cut-off.

    >>> from spanwise.measures.grammar import asked_for
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
            tau = measure_pair(tables[0], tables[1], None).tau.coefficient
            found.append(AtResults(number, _separated(compared), tau))
        yield Step(1 + len(found) // len(labels), 1 + len(again.results), "cut-offs")
    return tuple(found)


_TESTS = {
    "bootstrap": "paired bootstrap test",
    "randomisation": "paired randomisation test",
    "t": "paired t test",
    "wilcoxon": "Wilcoxon signed-rank test",
}
_CORRECTIONS = {
    "none": "p is not corrected for the number of pairs, as in Kamps et al. 2007",
    "holm": "multiple-comparison correction by Holm",
    "bh": "multiple-comparison correction by Benjamini and Hochberg",
}


# -- sentences


def _verdict(found: PowerFound) -> Iterator[str]:
    most = max(one.share for one in found.measures)
    fewest = min(one.share for one in found.measures)
    best, worst = (
        [one for one in found.measures if one.share == share] for share in (most, fewest)
    )
    total = len(found.measures)
    if most > fewest:
        which = f"the most of {total} measures"
        yield f"{_separating(best)}, {which}; {_separating(worst)}, the fewest."
    else:
        yield f"{_separating(best)}."
    yield _procedure(found)


def _separating(measures: Sequence[Separated]) -> str:
    """Measures that separate equally many pairs."""
    first, names = measures[0], enumerated([one.measure for one in measures])
    verb = "separates" if len(measures) == 1 else "separate"
    pairs = f"{first.separated} of {counted(first.pairs, 'pair')} of runs"
    return f"{names} {verb} {pairs} ({percent(first.share)})"


def _procedure(found: PowerFound) -> str:
    asked = found.procedure
    drawn = (
        f", {asked.resamples_for(1):,} resamples"
        if asked.test in ("bootstrap", "randomisation")
        else ""
    )
    method = f" ({asked.method})" if asked.test == "bootstrap" else ""
    return (
        f"Separated means significantly different: p at most {asked.level:g}, {asked.tail}-tailed"
        f" {_TESTS[asked.test]}{method}{drawn}; {_CORRECTIONS[asked.correction]}."
    )


# -- tables and plots


def _tables(found: PowerFound) -> Iterator[Table]:
    columns = (Column("measure", "text"), Column("separated", "text"), Column("share", "percent"))
    rows = tuple((m.measure, f"{m.separated} of {m.pairs}", m.share) for m in found.measures)
    yield Table("Pairs of runs separated", columns, rows, transposed="")
    if found.cutoffs:
        yield _cutoff_table(found)
    if found.results:
        yield _result_table(found, "Separated by the first answers of each topic", shares=True)
        title = "Tau of the ranking by the first answers with that by all"
        yield _result_table(found, title, shares=False)


def _families(found: PowerFound) -> dict[str, dict[int, AtCutoff]]:
    families: dict[str, dict[int, AtCutoff]] = {}
    for one in found.cutoffs:
        families.setdefault(one.family, {})[one.cutoff] = one
    return families


def _cutoff_table(found: PowerFound) -> Table:
    cutoffs = sorted({one.cutoff for one in found.cutoffs})
    rows = [
        (family, *(at[cutoff].found.share if cutoff in at else None for cutoff in cutoffs))
        for family, at in _families(found).items()
    ]
    columns = (Column("measure", "text"), *(Column(f"@{c}", "percent") for c in cutoffs))
    return Table("Share separated, by cut-off", columns, tuple(rows), transposed="cut-off")


def _result_table(found: PowerFound, title: str, *, shares: bool) -> Table:
    numbers = sorted({one.results for one in found.results})
    at = {(one.found.measure, one.results): one for one in found.results}
    rows = [
        (
            one.measure,
            *(
                cut.found.share if shares else cut.tau
                for cut in (at[one.measure, n] for n in numbers)
            ),
            *([one.share] if shares else []),
        )
        for one in found.measures
    ]
    names = [*(f"first {number}" for number in numbers), *(["all scored"] if shares else [])]
    columns = [Column(name, "percent" if shares else "value") for name in names]
    return Table(title, (Column("measure", "text"), *columns), tuple(rows), transposed="answers")


def _plots(found: PowerFound) -> Iterator[Plot]:
    cutoffs = sorted({one.cutoff for one in found.cutoffs})
    series = [
        (family, tuple(at[cutoff].found.share for cutoff in cutoffs))
        for family, at in _families(found).items()
        if len(at) == len(cutoffs)
    ]
    if len(cutoffs) > 1 and series:
        places = tuple(map(float, cutoffs))
        title, side = "Pairs separated, by cut-off", "share of pairs"
        yield Plot(title, "cut-off", side, places, tuple(series), ranks=True)


# -- rows


def _rows(found: PowerFound) -> Iterator[dict[str, Value]]:
    for one in found.measures:
        yield {"kind": "power", **_numbers(one)}
    for at in found.cutoffs:
        yield {"kind": "cutoff", "family": at.family, "cutoff": at.cutoff, **_numbers(at.found)}
    for cut in found.results:
        yield {"kind": "results", "results": cut.results, "tau": cut.tau, **_numbers(cut.found)}


def _numbers(one: Separated) -> dict[str, Value]:
    return {
        "measure": one.measure,
        "canonical": one.canonical,
        "told_apart": one.separated,
        "pairs": one.pairs,
        "share": one.share,
    }
