"""What a report says about runs that were compared: verdicts, means, differences of pairs."""

from __future__ import annotations

from dataclasses import dataclass

from spanwise.data.notes import Note
from spanwise.evaluation.scores import Scores
from spanwise.records import asdict, replace
from spanwise.reporting.comparison import ComparisonResult, procedure_settings
from spanwise.reporting.legends import (
    DIFFERENT_TOPICS,
    interval_name,
    intervals_by,
    legend,
    stars,
)
from spanwise.reporting.output import (
    Cell,
    Column,
    Field,
    Interval,
    Output,
    Row,
    Rows,
    Table,
    Value,
)
from spanwise.reporting.sections import Item, OnDemand
from spanwise.reporting.verdicts import ranked, reference_of
from spanwise.statistics.caveats import shared_caveats
from spanwise.statistics.comparison import Comparison, Mean, Pair
from spanwise.statistics.pairing import compare_scores
from spanwise.statistics.procedure import Procedure

DETAILED = 3
"""Measures with a matrix and with differences by topic; the others are in the table of means."""
MOST_RUNS = 20
"""Runs that are shown pair by pair and topic by topic: the best ones, and the baseline."""
MOST_PAIRS = 1000
"""In the JSON that a page carries; ``spanwise compare`` gives all."""
FIELDS = (
    *(Field("run"), Field("measure"), Field("canonical")),
    *(Field("mean", "number"), Field("low", "number"), Field("high", "number")),
    Field("topics", "count"),
)


@dataclass(frozen=True, slots=True)
class ComparedRuns:
    """Scores, and a comparison of all runs for each measure."""

    scores: Scores
    comparisons: tuple[Comparison, ...]

    @classmethod
    def of(cls, scores: Scores, procedure: Procedure, baseline: str | None) -> ComparedRuns:
        """All runs against each other, or against the baseline."""
        return cls(scores, tuple(compare_scores(scores, procedure, baseline=baseline)))

    @property
    def runs(self) -> list[str]:
        """The names of the runs."""
        return [run.run for run in self.scores.runs]

    @property
    def shown(self) -> list[str]:
        """Those that are shown in detail."""
        first = self.runs[:MOST_RUNS]
        return first if self.baseline in (None, *first) else [*first[:-1], str(self.baseline)]

    @property
    def topics(self) -> int:
        """How many topics any run was scored on."""
        return len({topic for run in self.scores.runs for topic in run.topics})

    @property
    def baseline(self) -> str | None:
        """The run that all others are compared with, if one was named."""
        return self.comparisons[0].baseline

    @property
    def detailed(self) -> tuple[Comparison, ...]:
        """Those that are shown pair by pair."""
        return self.comparisons[:DETAILED]

    def notes(self) -> list[Note]:
        """What a reader must know before believing the numbers."""
        return shared_caveats(self.comparisons)

    def settings(self) -> dict[str, object]:
        """How runs were compared, with the numbers of draws that were used."""
        return procedure_settings(self.comparisons[0])


def same_for(comparison: Comparison, *items: Item) -> OnDemand:
    """What is shown for another measure on demand."""
    return OnDemand(f"The same for {comparison.measure}", items, printed=False)


# -- means


def means_table(compared: ComparedRuns, title: str = "") -> Table:
    """A row for each run: mean, interval and mark under every measure."""
    columns = [Column(comparison.measure) for comparison in compared.comparisons]
    known = [{mean.run: mean for mean in c.means} for c in compared.comparisons]
    several = len(compared.runs) > 1
    rows: list[Row] = [
        (
            run,
            *(
                _mean_cell(comparison, means.get(run), several=several)
                for comparison, means in zip(compared.comparisons, known, strict=True)
            ),
        )
        for run in compared.runs
    ]
    return Table(title, (Column("run", "text"), *columns), tuple(rows), sortable=True)


def means_title(compared: ComparedRuns) -> str:
    """The caption of the means."""
    if not _has_intervals(compared):
        return "Means over topics"
    return f"Means over topics, with {interval_name(compared.comparisons[0].procedure)}"


def _has_intervals(compared: ComparedRuns) -> bool:
    """With one topic no mean has an interval."""
    means = (mean for comparison in compared.comparisons for mean in comparison.means)
    return any(mean.interval is not None for mean in means)


def _mean_cell(comparison: Comparison, mean: Mean | None, *, several: bool) -> Cell:
    if mean is None or not mean.topics:
        return Cell("not defined")
    best = several and _is_best(comparison, mean)
    return Cell(mean.mean, _mark_of(comparison, mean.run), best, interval_of(mean))


def interval_of(found: Mean | Pair) -> Interval | None:
    """The interval of a mean or a difference, if it has one."""
    return None if found.interval is None else Interval(found.low, found.high)


def _is_best(comparison: Comparison, mean: Mean) -> bool:
    """Does no run have a better mean, over the same topics?"""
    comparable = comparison.better != "neither" and not comparison.has_different_topics
    return comparable and mean.mean == ranked(comparison)[0].mean


def _mark_of(comparison: Comparison, run: str) -> str:
    """Stars where a run differs significantly from the one that all are compared with."""
    reference = reference_of(comparison)
    return "" if run == reference else stars(comparison.pair(run, reference), comparison)


def means_words(compared: ComparedRuns) -> str:
    """What the marks mean, which way is up, and the full names of measures."""
    comparisons = compared.comparisons
    lower = [c.measure for c in comparisons if c.better == "lower"]
    full = [f"{c.measure} is {c.canonical}" for c in comparisons if c.measure != c.canonical]
    said = [_marks(compared)]
    said += [f"Lower is better: {', '.join(lower)}."] if lower else []
    said += [f"In full: {'; '.join(full)}."] if full else []
    return " ".join(said)


def _marks(compared: ComparedRuns) -> str:
    comparisons = compared.comparisons
    if len(compared.runs) < 2:
        below = "Below each mean: its interval. " if _has_intervals(compared) else ""
        return f"{below}{intervals_by(comparisons)}"
    against = f"the baseline {compared.baseline}" if compared.baseline else "the best run"
    # The tests of the first measure that was tested are those of all.
    first = next((comparison for comparison in comparisons if comparison.tested), comparisons[0])
    starred = first.tested and first.too_few_topics is None
    stars = f" Stars: a significant difference from {against}." if starred else ""
    below = " Below each mean: its interval." if _has_intervals(compared) else ""
    bold = f"Bold: the best mean of a measure.{below}"
    topics = dict.fromkeys(DIFFERENT_TOPICS for one in comparisons if one.has_different_topics)
    return " ".join([f"{bold}{stars}", *topics, legend(*comparisons)])


def mean_rows(compared: ComparedRuns) -> Rows:
    """The means with every digit; a mean over no topic is left out."""
    items: list[dict[str, Value]] = [
        {
            **{"run": mean.run, "measure": c.measure, "canonical": c.canonical},
            **{"mean": mean.mean, "low": mean.low, "high": mean.high, "topics": mean.topics},
        }
        for c in compared.comparisons
        for mean in c.means
        if mean.topics
    ]
    return Rows(FIELDS, items)


def means_output(compared: ComparedRuns, lenient: str) -> Output:
    """The table of means, to be saved."""
    parts = (means_table(compared), legend(*compared.comparisons))
    return Output("report", parts=parts, rows=mean_rows(compared), lenient=lenient)


def pair_records(compared: ComparedRuns) -> list[dict[str, object]]:
    """The pairs of the first measures; a page cannot carry any number of them."""
    kept, pairs = [compared.comparisons[0]], len(compared.comparisons[0].pairs)
    for comparison in compared.comparisons[1:]:
        pairs += len(comparison.pairs)
        if pairs <= MOST_PAIRS:
            kept.append(comparison)
    records = [{"measure": c.measure, **asdict(pair)} for c in kept for pair in c.pairs]
    return records[:MOST_PAIRS]


def pairs_output(compared: ComparedRuns) -> Output:
    """The comparison under the first measures, to be saved."""
    shown = {*compared.shown}
    comparisons = (
        replace(
            comparison,
            means=tuple(mean for mean in comparison.means if mean.run in shown),
            pairs=tuple(pair for pair in comparison.pairs if {pair.a, pair.b} <= shown),
        )
        for comparison in compared.detailed
    )
    return ComparisonResult(compared.scores, tuple(comparisons)).output()


def shown_words(compared: ComparedRuns) -> str:
    """Which runs are shown in detail, if not all of them."""
    if len(compared.shown) == len(compared.runs):
        return ""
    which = "best" if compared.baseline is None else f"best and {compared.baseline}"
    return (
        f"{len(compared.shown)} of {len(compared.runs):,} runs are shown here: the {which}."
        " spanwise compare shows all."
    )
