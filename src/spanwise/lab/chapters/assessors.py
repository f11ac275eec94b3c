"""The experiment on assessors, told to people and to programs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from spanwise.lab.assessment.agreement import Agreement, Level, Overlap
from spanwise.lab.assessment.alone import AssessorAlone
from spanwise.lab.assessment.sets import OFFICIAL
from spanwise.lab.assessment.stability import FUZZ, Errors, Stability, Tau
from spanwise.lab.assessors import AssessorStability
from spanwise.lab.chapter import Chapter, Column, Plot, Table, Value
from spanwise.lab.chapters.assessors_rows import rows_of, values_of
from spanwise.lab.chapters.wording import counted, percent, some_of, tau_text

Row = tuple[Value, ...]

ALONE_SHOWN = 3
"""Of more other assessors the tables of runs do not show each one's scores."""
SPREAD = ("mean", "min", "max", "max - min")
"""Columns over all assessment sets."""
PAIRS_SHOWN = 3
"""Of more pairs of assessors the table shows the mean."""
LEVELS: tuple[Level, ...] = ("documents", "elements", "characters")
SOURCE = (
    "the procedure for mixtures is that of Kazai and Lalmas (XCG, tables III and IV), who had 69"
    " runs and 32 sets: MAep had tau 0.937 and an error rate of 0.40% with 34 topics, 0.733 and"
    " 7.64% with the 5 topics that two people had assessed"
)
MIXTURES = (
    "A mixture takes each topic from one of its assessors: with many topics mixtures lie near half"
    " and half, so their spread says little about how far the assessors disagree."
)


def chapter_of(found: AssessorStability) -> Chapter:
    """Assessor against assessor, then mixtures: sentences, tables and a plot of each measure."""
    shown = [one for one in found.measures if one.scope == "all" or not _all_vary(found)]
    return Chapter(
        "assessors",
        "Would another assessor change the ranking?",
        (
            *_identical(found.agreements),
            *(verdict(found.assessors, one) for one in shown),
            *_beside(found, shown),
        ),
        (
            *((_alone(found, shown), _rankings(shown), _errors(shown)) if shown else ()),
            *(_runs(found, one) for one in shown),
            *_agreements(found.agreements),
        ),
        tuple(_plot(one) for one in shown),
        (*found.notes, *_notes(found, shown), SOURCE),
        tuple(rows_of(found)),
        {
            "assessors": list(found.assessors),
            "assessment_sets": len(found.sets),
            "combinations": found.sets.possible,
            "seed": found.seed if found.sets.sampled else None,
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


def _notes(found: AssessorStability, shown: Sequence[Stability]) -> Iterator[str]:
    if _all_vary(found):
        yield "all topics were judged by several assessors: the tables show them once"
    undefined = [one.measure for one in shown if one.tau.undefined]
    if undefined:
        yield f"tau is undefined where a ranking ties all runs: {', '.join(undefined)}"
    yield (
        "all sets include each assessor alone, the official one with tau 1; mixtures are the sets"
        " without these"
    )


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
    return Table(f"Each assessor alone against {found.assessors[OFFICIAL]}", columns, tuple(rows))


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
    return Table(title, columns, tuple(rows))


def _taus(tau: Tau) -> Row:
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
    return Table(title, columns, tuple(rows))


def _rates(errors: Errors) -> Row:
    return 100 * errors.error, 100 * errors.ties, errors.comparisons


def _runs(found: AssessorStability, one: Stability) -> Table:
    others = one.alone if len(one.alone) <= ALONE_SHOWN else ()
    names = ("official", *(found.assessors[other.assessor] for other in others))
    columns = (Column("run", "text"), *(Column(name) for name in (*names, *SPREAD)))
    rows: list[Row] = []
    for run in one.order:
        official, *spread = values_of(one, run)
        rows.append((one.runs[run], official, *(other.means[run] for other in others), *spread))
    return Table(f"{one.measure} over {_topics(one)}", columns, tuple(rows))


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


def _agreements(agreements: Sequence[Agreement]) -> Iterator[Table]:
    """A table for each pair of assessors, or one for all if there are many."""
    if len(agreements) > PAIRS_SHOWN:
        yield _agreement(f"mean of {len(agreements)} pairs of assessors", _means(agreements))
        return
    for one in agreements:
        yield _agreement(f"{one.first} and {one.second}", map(_overlap, one.overlaps))


def _agreement(who: str, rows: Iterable[Row]) -> Table:
    columns = (
        Column("overlap of", "text"),
        Column("topics", "count"),
        Column("mean"),
        Column("all together"),
    )
    return Table(f"Agreement, {who}", columns, tuple(rows))


def _overlap(overlap: Overlap) -> Row:
    level = overlap.level if overlap.tag is None else f"{overlap.level} {overlap.tag}"
    return level, len(overlap.topics), overlap.mean, overlap.pooled


def _means(agreements: Sequence[Agreement]) -> Iterator[Row]:
    for level in LEVELS:
        found = [overlap for one in agreements if (overlap := one.of(level)) is not None]
        if found:
            most = max(len(overlap.topics) for overlap in found)
            means = _mean([one.mean for one in found]), _mean([one.pooled for one in found])
            yield level, most, *means


def _mean(values: Sequence[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return sum(known) / len(known) if known else None
