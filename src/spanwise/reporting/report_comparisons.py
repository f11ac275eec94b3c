"""What a report says about runs that were compared: verdicts, means, differences of pairs."""

from __future__ import annotations

from dataclasses import dataclass

from spanwise.data.notes import Note
from spanwise.evaluation.scores import Scores
from spanwise.records import asdict
from spanwise.reporting.comparison import ComparisonResult, procedure_settings
from spanwise.reporting.legends import (
    DIFFERENT_TOPICS,
    interval_name,
    intervals_by,
    legend,
    sentence_of,
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
    Tone,
    Value,
)
from spanwise.reporting.render.cells import text_of
from spanwise.reporting.sections import Item, OnDemand
from spanwise.reporting.verdicts import ranked, reference_of, significant_count
from spanwise.statistics.caveats import on_few_topics, shared_caveats
from spanwise.statistics.comparison import Comparison, Mean, Pair
from spanwise.statistics.pairing import compare_scores
from spanwise.statistics.procedure import Procedure
from spanwise.text.sentences import counted, enumerated

DETAILED = 3
"""Measures with a matrix and with differences by topic; the others are in the table of means."""
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
    return f"Means over topics, with {interval_name(compared.comparisons[0].procedure)}"


def _mean_cell(comparison: Comparison, mean: Mean | None, *, several: bool) -> Cell:
    if mean is None or not mean.topics:
        return Cell("not defined")
    best = several and _is_best(comparison, mean)
    return Cell(mean.mean, _mark_of(comparison, mean.run), best, _interval(mean))


def _interval(found: Mean | Pair) -> Interval | None:
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
        return f"Below each mean: its interval. {intervals_by(comparisons)}"
    against = f"the baseline {compared.baseline}" if compared.baseline else "the best run"
    # The tests of the first measure that was tested are those of all.
    first = next((comparison for comparison in comparisons if comparison.tested), comparisons[0])
    starred = first.tested and first.too_few_topics is None
    stars = f" Stars: a significant difference from {against}." if starred else ""
    bold = "Bold: the best mean of a measure. Below each mean: its interval."
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
    return [{"measure": c.measure, **asdict(pair)} for c in kept for pair in c.pairs]


# -- the matrix


def matrix_table(compared: ComparedRuns, comparison: Comparison, legend: str = "") -> Table:
    """Row minus column, with its interval, p and corrected p; with a baseline, minus that one."""
    names = [compared.baseline] if compared.baseline else compared.runs
    rows: list[Row] = [
        (row, *(_matrix_cell(comparison, row, column) for column in names)) for row in compared.runs
    ]
    columns = (Column("run", "text"), *(Column(name, "signed") for name in names))
    return Table(f"{comparison.measure}: row minus column", columns, tuple(rows), legend)


def _matrix_cell(comparison: Comparison, row: str, column: str) -> Cell:
    if row == column:
        return Cell(None)
    pair = comparison.pair(row, column)
    if not pair.topics:
        return Cell("no common topic")
    return Cell(
        pair.difference,
        stars(pair, comparison),
        interval=_interval(pair),
        remark=_probabilities(pair),
        tone=tone_of(pair, comparison),
    )


def _probabilities(pair: Pair) -> str:
    if pair.p is None:
        return "not tested"
    return f"p {text_of(pair.p, 'p', 3)}, corrected {text_of(pair.p_corrected, 'p', 3)}"


def tone_of(pair: Pair, comparison: Comparison) -> Tone:
    """Is a significantly better or worse than b?"""
    if comparison.better == "neither" or not stars(pair, comparison):
        return ""
    better = pair.difference < 0 if comparison.better == "lower" else pair.difference > 0
    return "better" if better else "worse"


def matrix_words(comparison: Comparison) -> str:
    """What the matrix says, in a sentence, and how to read it."""
    better, worse = ("less", "more") if comparison.better == "lower" else ("more", "less")
    cell = (
        "Each cell shows the mean of its row minus the mean of its column and the uncorrected"
        f" {interval_name(comparison.procedure)} of that difference"
    )
    if not comparison.tested:
        return f"{comparison.measure} was not tested. {cell}."
    if comparison.too_few_topics is not None:
        few = on_few_topics(comparison)
        said = "" if few is None else f"{sentence_of(few)} "
        return f"{said}{cell}, p and corrected p."
    return (
        f"{significant_count(comparison)} {cell}, p and corrected p. Stars and a coloured"
        f" background: significant; blue: the row is better ({better}), orange: it is worse"
        f" ({worse}).{_disagreement(comparison)}"
    )


def _disagreement(comparison: Comparison) -> str:
    """Where intervals and tests seem to contradict each other, and which of them decides."""
    known = [pair for pair in comparison.tested if pair.interval is not None]
    without = [pair for pair in known if pair.low > 0 or pair.high < 0]
    outside = sum(not comparison.is_significant(pair) for pair in without)
    inside = sum(comparison.is_significant(pair) for pair in known) - len(without) + outside
    found = {
        "not significant though the interval excludes 0": outside,
        "significant though the interval includes 0": inside,
    }
    said = [f"{_differences(number)} {what}" for what, number in found.items() if number]
    return f" Tests decide: {enumerated(said)}." if said else ""


def _differences(number: int) -> str:
    return f"{counted(number, 'difference')} {'is' if number == 1 else 'are'}"


def pairs_output(compared: ComparedRuns) -> Output:
    """The comparison under the first measures, to be saved."""
    return ComparisonResult(compared.scores, compared.detailed).output()
