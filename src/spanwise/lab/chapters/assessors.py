"""The experiment on assessors, told to people and to programs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from spanwise.lab.assessment.agreement import Agreement, Level, Overlap
from spanwise.lab.assessment.sets import OFFICIAL
from spanwise.lab.assessment.stability import FUZZ, Stability
from spanwise.lab.assessors import AssessorStability
from spanwise.lab.chapter import Chapter, Column, Plot, Table, Value
from spanwise.lab.chapters.assessors_rows import rows_of, values_of

Row = tuple[Value, ...]

ALIKE, NOTICEABLE = 0.9, 0.8
"""Rankings with tau above the first are as good as the same, below the second noticeably not."""
PAIRS_SHOWN = 3
"""Of more pairs of assessors the table shows the mean."""
LEVELS: tuple[Level, ...] = ("documents", "elements", "characters")
SOURCE = (
    "the procedure is that of Kazai and Lalmas (XCG, tables III and IV), who had 69 runs and 32"
    " sets: MAep had tau 0.937 and an error rate of 0.40 % with 34 topics, 0.733 and 7.64 % with"
    " the 5 topics that two people had assessed"
)


def chapter_of(found: AssessorStability) -> Chapter:
    """Sentences, tables of rankings, errors, runs and agreement, a plot of each measure's runs."""
    shown = [one for one in found.measures if one.scope == "all" or not _all_vary(found)]
    return Chapter(
        "assessors",
        "Does the ranking of runs stand if somebody else had assessed?",
        (*(_verdict(one) for one in shown), _compared(found)),
        (
            *((_rankings(shown), _errors(shown)) if shown else ()),
            *(_runs(one) for one in shown),
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


def _verdict(one: Stability) -> str:
    where = f"By {one.measure} over {_topics(one)}"
    errors = (
        f"the error rate is {100 * one.errors.error:.2f} %, and {100 * one.errors.ties:.2f} % of"
        " comparisons are ties"
    )
    tau = one.tau
    if tau.mean is None:
        return f"{where} the ranking of the runs cannot be compared (all are equal); {errors}."
    word = _word(tau.mean, tau.mean if tau.minimum is None else tau.minimum)
    return (
        f"{where} the ranking of {len(one.runs)} runs {word}: Kendall's tau with the official"
        f" ranking is {tau.mean:.2f} on average and {tau.minimum:.2f} at least; {errors}."
    )


def _word(mean: float, least: float) -> str:
    if least >= ALIKE:
        return "stands, whoever assessed"
    return "mostly stands" if mean >= NOTICEABLE else "depends on who assessed"


def _topics(one: Stability) -> str:
    number = f"{one.topics} topic{'' if one.topics == 1 else 's'}"
    which = "all " if one.scope == "all" else "the "
    return f"{which}{number}" + (" that several assessors judged" if one.scope != "all" else "")


def _compared(found: AssessorStability) -> str:
    several, sets = len(found.several), found.sets
    drawn = f", drawn from {_many(sets.possible)} (seed {found.seed})" if sets.sampled else ""
    return (
        f"{len(found.assessors)} assessors; {several} of {len(found.topics)} topics were judged by"
        f" several, which gives {len(sets):,} assessment sets{drawn}. Official are the judgements"
        f" of {found.assessors[OFFICIAL]}."
    )


def _many(number: int) -> str:
    return f"{number:,}" if number < 10**9 else f"about 10^{len(str(number)) - 1}"


def _notes(found: AssessorStability, shown: Sequence[Stability]) -> Iterator[str]:
    if _all_vary(found):
        yield "all topics were judged by several assessors: the tables show them once"
    undefined = [one.measure for one in shown if one.tau.mean is None]
    if undefined:
        yield f"tau is not defined where a ranking ties all runs: {', '.join(undefined)}"
    if any(found.sets.official):
        yield (
            "the official assessments are one of the sets, with tau 1 by themselves: the table has"
            " the largest tau of the others, too"
        )


# -- tables and plots


def _label(one: Stability) -> tuple[str, int]:
    return one.measure, one.topics


def _rankings(shown: Sequence[Stability]) -> Table:
    columns = (
        Column("measure", "text"),
        Column("topics", "count"),
        Column("mean tau"),
        Column("max"),
        Column("max of others"),
        Column("min"),
        Column("best stays", "percent"),
    )
    rows: list[Row] = [
        (
            *_label(one),
            one.tau.mean,
            one.tau.maximum,
            one.tau.maximum_of_others,
            one.tau.minimum,
            one.best_stays,
        )
        for one in shown
    ]
    return Table("Rankings against the official one (Kendall's tau)", columns, tuple(rows))


def _errors(shown: Sequence[Stability]) -> Table:
    columns = (
        Column("measure", "text"),
        Column("topics", "count"),
        Column("error %"),
        Column("ties %"),
        Column("comparisons", "count"),
        Column("max - min"),
        Column("relative", "percent"),
    )
    rows: list[Row] = [
        (
            *_label(one),
            100 * one.errors.error,
            100 * one.errors.ties,
            one.errors.comparisons,
            one.average_range,
            one.relative_range,
        )
        for one in shown
    ]
    return Table("Errors, ties, and the average spread of a run", columns, tuple(rows))


def _runs(one: Stability) -> Table:
    names = ("official", "mean", "min", "max", "max - min")
    columns = (Column("run", "text"), *(Column(name) for name in names))
    rows: list[Row] = [(one.runs[run], *values_of(one, run)) for run in one.order]
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
