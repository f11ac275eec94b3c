"""What other assessors would do to the ranking of runs: sentences, tables and rows."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from spanwise.data.notes import Note
from spanwise.evaluation.scores import Scores
from spanwise.lab.assessment_sets import (
    OFFICIAL,
    AssessmentSets,
)
from spanwise.lab.assessor_agreement import Agreement, agreement_tables
from spanwise.lab.experiment import chapter
from spanwise.lab.phrases import percent, some_of, tau_text
from spanwise.lab.ranking_stability import (
    FUZZ,
    AssessorAlone,
    Errors,
    Stability,
    Tau,
    alone_rows,
    run_rows,
    summary_rows,
)
from spanwise.reporting.output import Column, Output, Plot, Row, Table, Value
from spanwise.text.sentences import counted

ALONE_SHOWN = 3
"""Of more other assessors the tables of runs do not show each one's scores."""
SPREAD = ("mean", "min", "max", "max - min")
"""Columns over all assessment sets."""
SOURCE = (
    "the procedure for mixtures is that of Kazai and Lalmas (XCG, tables III and IV), who had 69"
    " runs and 32 sets: MAep had tau 0.937 and an error rate of 0.40% with 34 topics, 0.733 and"
    " 7.64% with the 5 topics that two people had assessed"
)
MIXTURES = (
    "A mixture takes each topic from one of its assessors: with many topics mixtures lie near half"
    " and half, so their spread says little about how far the assessors disagree."
)


SHOWN_ONCE = "all topics were judged by several assessors: the tables show them once"
ALL_SETS = (
    "all sets include each assessor alone, the official one with tau 1; mixtures are the sets"
    " without these"
)


@dataclass(frozen=True, eq=False)
class AssessorStability:
    """What other assessors, alone and in mixtures, do to the scores and the ranking of runs."""

    assessors: tuple[str, ...]
    """The official one first."""
    runs: tuple[str, ...]
    topics: tuple[str, ...]
    """Topics with official relevant text."""
    sets: AssessmentSets
    seed: int
    measures: tuple[Stability, ...]
    """For each measure over all topics, then over those that several assessors judged."""
    agreements: tuple[Agreement, ...]
    notes: tuple[Note, ...]
    official: Scores
    """The scores by the official assessments."""

    @property
    def several(self) -> tuple[str, ...]:
        """The topics that several assessors judged."""
        pairs = zip(self.topics, self.sets.several.tolist(), strict=True)
        return tuple(topic for topic, several in pairs if several)

    def output(self) -> Output:
        """Assessor against assessor, then mixtures: sentences, tables and plots."""
        shown = [one for one in self.measures if one.scope == "all" or not _all_vary(self)]
        return chapter(
            "assessors",
            "Would another assessor change the ranking?",
            [
                *_identical(self.agreements),
                *(verdict(self.assessors, one) for one in shown),
                *_beside(self, shown),
            ],
            [
                *([_alone(self, shown), _rankings(shown), _errors(shown)] if shown else []),
                *(_runs(self, one) for one in shown),
                *agreement_tables(self.agreements),
                *(_plot(one) for one in shown),
            ],
            rows=list(_rows(self)),
            notes=[*self.notes, *_notes(self, shown), Note("remark", detail=SOURCE)],
            settings={
                "assessors": list(self.assessors),
                "assessment_sets": len(self.sets),
                "combinations": self.sets.possible,
                "seed": self.seed if self.sets.sampled else None,
                "equal_within": FUZZ,
            },
        )


def _all_vary(found: AssessorStability) -> bool:
    """Every topic was judged by several: there is only one thing to tell."""
    return len(found.several) == len(found.topics)


# -- sentences


def _identical(agreements: Sequence[Agreement]) -> Iterator[str]:
    """Two files with the same judgements are one assessor."""
    same = [f"{one.first} and {one.second}" for one in agreements if one.identical]
    if same:
        yield (
            f"The assessments of {some_of(same, '; ')} are identical: the rankings by them are the"
            " same, which says nothing about another assessor."
        )


def verdict(names: Sequence[str], one: Stability) -> str:
    """What the other assessors, each alone, would do to the ranking of the runs."""
    where = f"By {one.measure} over {_topics(one)}"
    if len(one.alone) == 1:
        return f"{where}, {_of_one(names, one, one.alone[0])}."
    return f"{where}, {_of_many(names, one)}."


def _of_one(names: Sequence[str], one: Stability, other: AssessorAlone) -> str:
    official, name, runs = names[OFFICIAL], names[other.assessor], len(one.runs)
    if other.tau is None:
        return (
            f"the rankings of {runs} runs by {official} and by {name} cannot be compared: one of"
            " them ties all runs"
        )
    tau = f"Kendall's tau is {tau_text(other.tau)}"
    if other.same:
        return f"{name} alone would rank the {runs} runs as {official} does: {tau}"
    if not other.swapped:
        return (
            f"{name} alone would swap no two of the {runs} runs, but ties change: {tau}, as"
            f" {_pairs(other.tied, other)} tied by only one of the two assessors"
        )
    swapped = some_of([_named(one, pair) for pair in other.swapped], "; ")
    verb = "swaps" if len(other.swapped) == 1 else "swap"
    return (
        f"{name} alone would change the ranking of the {runs} runs by {official}: {tau}, and"
        f" {len(other.swapped)} of {counted(other.pairs, 'pair')} {verb} ({swapped})"
    )


def _pairs(number: int, other: AssessorAlone) -> str:
    return f"{number} of {counted(other.pairs, 'pair')} {'is' if number == 1 else 'are'}"


def _named(one: Stability, pair: tuple[int, int]) -> str:
    return f"{one.runs[pair[0]]} and {one.runs[pair[1]]}"


def _of_many(names: Sequence[str], one: Stability) -> str:
    others, taus = len(one.alone), sorted(a.tau for a in one.alone if a.tau is not None)
    rankings = (
        f"the rankings of {len(one.runs)} runs by {names[OFFICIAL]} and by each of"
        f" {others} other assessors alone"
    )
    if not taus:
        return f"{rankings} cannot be compared: they tie all runs"
    ends = dict.fromkeys(map(tau_text, (taus[0], taus[-1])))
    undefined = others - len(taus)
    lacking = f" (undefined for {undefined} of them, as all runs are tied)" if undefined else ""
    return f"{rankings} have a Kendall's tau of {' to '.join(ends)}{lacking}; {_swaps(one)}"


def _swaps(one: Stability) -> str:
    """How many of the other assessors swap runs, and which ones."""
    swapping = [other for other in one.alone if other.swapped]
    if not swapping:
        return f"none of the {len(one.alone)} swaps a pair of runs"
    pairs = Counter(_named(one, pair) for other in swapping for pair in other.swapped)
    named = [f"{pair} by {number}" for pair, number in pairs.most_common()]
    verb = "swaps" if len(swapping) == 1 else "swap"
    return f"{len(swapping)} of the {len(one.alone)} {verb} pairs of runs ({some_of(named, '; ')})"


def _beside(found: AssessorStability, shown: Sequence[Stability]) -> Iterator[str]:
    yield _compared(found)
    yield from (_mixed(one) for one in shown)
    if any(one.mixtures for one in shown):
        yield MIXTURES


def _mixed(one: Stability) -> str:
    """The rows of mixtures in a sentence."""
    where = f"Mixtures, by {one.measure} over {_topics(one)}"
    if one.mixtures is None:
        return f"{where}: there are none, each assessment set is one assessor's alone."
    tau, rates = one.mixtures.tau, one.mixtures.errors
    errors = (
        f"the error rate is {percent(rates.error, 2)}, and {percent(rates.ties, 2)} of"
        " comparisons are ties"
    )
    if tau.mean is None or tau.minimum is None:
        return f"{where}: tau with the official ranking is undefined; {errors}."
    lacking = f" (undefined in {counted(tau.undefined, 'set')})" if tau.undefined else ""
    return (
        f"{where}: tau with the official ranking is {tau_text(tau.mean)} on average and"
        f" {tau_text(tau.minimum)} at least{lacking}; {errors}."
    )


def _topics(one: Stability) -> str:
    which = "all " if one.scope == "all" and one.topics > 1 else "the "
    ending = " that several assessors judged" if one.scope != "all" else ""
    return f"{which}{counted(one.topics, 'topic')}{ending}"


def _compared(found: AssessorStability) -> str:
    several, sets = len(found.several), found.sets
    drawn = (
        f": each assessor alone, and mixtures sampled from {_many(sets.possible)}"
        f" (seed {found.seed})"
        if sets.sampled
        else ": each assessor alone, and all mixtures"
    )
    verb = "was" if several == 1 else "were"
    return (
        f"{len(found.assessors)} assessors; {several} of {counted(len(found.topics), 'topic')}"
        f" {verb} judged by several, which gives {counted(len(sets), 'assessment set')}{drawn}."
        f" The official judgements are those of {found.assessors[OFFICIAL]}."
    )


def _many(number: int) -> str:
    return f"{number:,}" if number < 10**9 else f"about 10^{len(str(number)) - 1}"


def _notes(found: AssessorStability, shown: Sequence[Stability]) -> Iterator[Note]:
    if _all_vary(found):
        yield Note("remark", detail=SHOWN_ONCE)
    undefined = [one.measure for one in shown if one.tau.undefined]
    if undefined:
        said = f"tau is undefined where a ranking ties all runs: {', '.join(undefined)}"
        yield Note("remark", detail=said)
    yield Note("remark", detail=ALL_SETS)


# -- tables and plots


def _label(one: Stability) -> tuple[str, int]:
    return one.measure, one.topics


def _alone(found: AssessorStability, shown: Sequence[Stability]) -> Table:
    columns = (
        *(Column("measure", "text"), Column("topics", "count"), Column("assessor", "text")),
        *(Column("tau"), Column("swapped", "count"), Column("tied by one", "count")),
        Column("pairs", "count"),
    )
    rows: list[Row] = [
        (
            *(*_label(one), found.assessors[other.assessor]),
            *(other.tau, len(other.swapped), other.tied, other.pairs),
        )
        for one in shown
        for other in one.alone
    ]
    title = f"Each assessor alone against {found.assessors[OFFICIAL]}"
    return Table(title, columns, tuple(rows), transposed="")


def _rankings(shown: Sequence[Stability]) -> Table:
    columns = (
        Column("measure", "text"),
        Column("topics", "count"),
        Column("over", "text"),
        Column("sets", "count"),
        Column("mean tau"),
        Column("max"),
        Column("min"),
        Column("best stays", "percent"),
    )
    rows: list[Row] = []
    for one in shown:
        rows.append((*_label(one), "all sets", one.sets, *_taus(one.tau), one.best_stays))
        if (mixed := one.mixtures) is not None:
            taus = _taus(mixed.tau)
            rows.append((*_label(one), "mixtures", mixed.sets, *taus, mixed.best_stays))
    title = "Assessment sets: rankings against the official one (Kendall's tau)"
    return Table(title, columns, tuple(rows), transposed="")


def _taus(tau: Tau) -> tuple[Value, ...]:
    return tau.mean, tau.maximum, tau.minimum


def _errors(shown: Sequence[Stability]) -> Table:
    columns = (
        Column("measure", "text"),
        Column("topics", "count"),
        Column("over", "text"),
        Column("error %"),
        Column("ties %"),
        Column("comparisons", "count"),
        Column("max - min"),
        Column("relative", "percent"),
    )
    rows: list[Row] = []
    for one in shown:
        spread = one.average_range, one.relative_range
        rows.append((*_label(one), "all sets", *_rates(one.errors), *spread))
        if one.mixtures is not None:
            rows.append((*_label(one), "mixtures", *_rates(one.mixtures.errors), None, None))
    title = "Assessment sets: errors, ties, and the average spread of a run"
    return Table(title, columns, tuple(rows), transposed="")


def _rates(errors: Errors) -> tuple[Value, ...]:
    return 100 * errors.error, 100 * errors.ties, errors.comparisons


def _runs(found: AssessorStability, one: Stability) -> Table:
    others = one.alone if len(one.alone) <= ALONE_SHOWN else ()
    names = ("official", *(found.assessors[other.assessor] for other in others))
    columns = (Column("run", "text"), *(Column(name) for name in (*names, *SPREAD)))
    rows: list[Row] = []
    for run in one.order:
        official, *spread = one.values_of(run)
        rows.append((one.runs[run], official, *(other.means[run] for other in others), *spread))
    title = f"{one.measure} over {_topics(one)}"
    return Table(title, columns, tuple(rows), transposed="score")


def _plot(one: Stability) -> Plot:
    series = (
        ("official", one.official),
        ("mean", one.mean),
        ("min", one.minimum),
        ("max", one.maximum),
    )
    return Plot(
        f"{one.measure} over {_topics(one)}, by assessment sets",
        "rank by the official assessments",
        one.measure,
        tuple(float(rank) for rank in range(1, len(one.runs) + 1)),
        tuple((name, tuple(values[one.order].tolist())) for name, values in series),
    )


# -- rows


def _rows(found: AssessorStability) -> Iterator[dict[str, Value]]:
    """Rows of the kinds alone, swap, run, spread, tau, errors, mixtures and agreement."""
    for one in found.measures:
        yield from alone_rows(one, found.assessors)
    for one in found.measures:
        yield from run_rows(one)
    for one in found.measures:
        yield from summary_rows(one)
    for agreement in found.agreements:
        yield from agreement.rows()
