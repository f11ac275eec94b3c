"""The cost of irrelevant answers, between the answers of a list or before all of them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Unpack

from spanwise.data.notes import Note, some_names
from spanwise.data.run import Run
from spanwise.errors import Fault, InputError, SpanwiseError, option
from spanwise.evaluation.evaluate import Evaluation
from spanwise.evaluation.scores import RunScores
from spanwise.inputs.runs import AssessmentsInput, MeasuresInput, RunInput, names_of
from spanwise.inputs.session import Session
from spanwise.inputs.settings import Settings, SettingsKeywords
from spanwise.lab.experiment import (
    Experiment,
    LabResult,
    Progress,
    Step,
    Study,
    chapter,
    finished,
    no_measure,
    study,
)
from spanwise.lab.insertion_lists import MODES, NAME, Inserting, Mode, built_in_case
from spanwise.lab.phrases import percent
from spanwise.measures.grammar import Asked
from spanwise.records import replace
from spanwise.reporting.output import Column, Output, Plot, Table, Value
from spanwise.text.sentences import counted

COUNTS = (0, 1, 2, 3, 4, 5, 10, 50, 100, 500, 1000)
MOST = 100_000
"""Answers that can be inserted."""
MEASURES = (
    *("ep@0.1", "ep@1", "iMAep", "MAep", "Q", "Rmeasure", "MAnxCG@1500", "nxCG@3", "nxCG@5"),
)
"""Those of the figure."""

Values = tuple[float | None, ...]


@dataclass(frozen=True, slots=True)
class Insertion:
    """Scores of one list with more and more irrelevant answers in it."""

    run: str
    topics: int
    counts: tuple[int, ...]
    measures: tuple[Asked, ...]
    values: Mapping[Mode, tuple[Values, ...]]
    """For each mode and measure the mean after each count; None where it is not defined."""
    notes: tuple[Note, ...]

    @property
    def is_built_in(self) -> bool:
        """Is it the case of the paper?"""
        return self.run == NAME

    def output(self) -> Output:
        """Scores under both modes, the difference that the place makes, and a plot of each mode."""
        return chapter(
            "insertion",
            "The cost of irrelevant answers",
            list(_verdict(self)),
            [
                *(_table(self, mode) for mode in MODES),
                _drop_table(self),
                *(plot for mode in MODES for plot in _plots(self, mode)),
            ],
            rows=list(_rows(self)),
            notes=[*self.notes, *_published(self)],
            settings={
                "case": self.run,
                "counts": list(self.counts),
                "measures": [asked.label for asked in self.measures],
            },
        )


def insertion(
    assessments: AssessmentsInput | None = None,
    run: RunInput | None = None,
    measures: MeasuresInput = MEASURES,
    *,
    counts: Iterable[int] = COUNTS,
    progress: Progress | None = None,
    **settings: Unpack[SettingsKeywords],
) -> LabResult[Insertion]:
    """What do irrelevant answers cost, by where they come?

    Without assessments and a run the list is the paper's: two relevant answers, the second half as
    good as the first.

    >>> [row] = insertion(measures="MAep", counts=[1]).found.values["precede"]
    >>> [round(value, 4) for value in row]
    [1.0, 0.5833]
    """
    wanted = checked_counts(counts)
    if assessments is None and run is None:
        for name in settings:
            raise SpanwiseError(
                f"{option(name)} is about files: give assessments and a run, or leave it out"
            )
        case = built_in_case(Session(Settings()).measures(measures))
        return LabResult(finished(insert_answers(*case, wanted), progress))
    if assessments is None or run is None:
        [name] = names_of([("assessments", assessments)]) or ["one input"]
        raise SpanwiseError(
            f"found {name} alone, expected assessments and a run; give both, or neither for the"
            " built-in case"
        )
    with study(assessments, [run], settings, progress) as given:
        given.refuse_compat("insertion")
        # A measure that is impossible is left out, with the reason.
        possible = tuple(replace(one, optional=True) for one in given.session.measures(measures))
        evaluation = given.session.evaluation(assessments, possible)
        only = _only_run(given, evaluation)
        return given.result(insert_answers(evaluation, only, wanted))


def _only_run(given: Study, evaluation: Evaluation) -> Run:
    [runs] = given.given_runs(evaluation.assessments.topics)
    if len(runs) > 1:
        found = f"{len(runs)} runs ({some_names([run.name for run in runs])})"
        file = runs[0].file or "run"
        raise InputError(Fault(file, None, found, "one run", "put it in a file of its own"))
    return runs[0]


def insert_answers(
    evaluation: Evaluation, run: Run, counts: Iterable[int] = COUNTS
) -> Experiment[Insertion]:
    """Insert n irrelevant answers after the first answer, or before it, and score.

    The scores at n = 0 are always among those found. Inserted answers come from unjudged
    documents, one from each, and are as long as the run's own are in the median.

    Source: Kazai and Lalmas, eXtended Cumulated Gain measures, figure 6.

    >>> from spanwise.lab.experiment import finished
    >>> from spanwise.lab.insertion_lists import built_in_case
    >>> from spanwise.measures.grammar import asked
    >>> found = finished(insert_answers(*built_in_case(asked("MAep")), counts=[1]))
    >>> [round(value, 4) for value in found.values["precede"][0]]
    [1.0, 0.5833]
    """
    wanted = checked_counts(counts)
    inserting = Inserting.into(evaluation, run, max(wanted))
    total = len(wanted) * len(MODES)
    scored: dict[Mode, list[RunScores]] = {mode: [] for mode in MODES}
    for mode in MODES:
        for count in wanted:
            scored[mode].append(inserting.scores(mode, count))
            yield Step(sum(map(len, scored.values())), total, "lists")
    return _found(evaluation, wanted, scored)


def checked_counts(counts: Iterable[int]) -> tuple[int, ...]:
    """Each count once, 0 first.

    >>> checked_counts([5, 1, 5])
    (0, 1, 5)
    """
    wanted = tuple(sorted({0, *counts}))
    if wanted[0] < 0 or wanted[-1] > MOST or len(wanted) < 2:
        given = ", ".join(map(str, counts)) or "none"
        raise SpanwiseError(
            f"counts of inserted answers: found {given}, expected whole numbers from 0 to {MOST},"
            " one of them above 0, such as 0,1,2,5,10"
        )
    return wanted


def _found(
    evaluation: Evaluation, counts: tuple[int, ...], scored: Mapping[Mode, Sequence[RunScores]]
) -> Insertion:
    plain = scored["insert"][0]
    kept = [number for number, mean in enumerate(plain.means) if mean is not None]
    if not kept:
        raise no_measure((*evaluation.notes, *plain.notes), "no topic has a value")
    values = {
        mode: tuple(tuple(scores.means[number] for scores in lists) for number in kept)
        for mode, lists in scored.items()
    }
    measures = tuple(evaluation.measures[number] for number in kept)
    notes = (*evaluation.notes, *plain.notes)
    return Insertion(plain.run, len(plain.topics), counts, measures, values, notes)


TITLES: dict[Mode, str] = {
    "insert": "insert: n irrelevant answers after the first answer",
    "precede": "precede: n irrelevant answers before the first answer",
}
TOLERANCE = 1e-12
"""Sums may differ in their last bits, which does not count as a change."""
PUBLISHED = (
    "printed by Kazai and Lalmas for one answer (figure 6, from two-decimal values): Q drops by"
    " 25%, MAep by 30%, iMAep by 48% from insert to precede"
)


@dataclass(frozen=True, slots=True)
class Drop:
    """How much worse inserted answers are before the first answer than after it."""

    measure: Asked
    count: int
    insert: float | None
    precede: float | None

    @property
    def worse(self) -> float | None:
        """By how much precede is worse, whatever worse means for the measure."""
        if self.insert is None or self.precede is None:
            return None
        rise = self.precede - self.insert
        return rise if _direction(self.measure) < 0 else 0.0 - rise

    @property
    def share(self) -> float | None:
        """The same as a share of the value that it drops from; None where that is 0."""
        if self.worse is None or not self.insert:
            return None
        return self.worse / abs(self.insert)


def _published(found: Insertion) -> Iterator[Note]:
    labels = {asked.label for asked in found.measures}
    if found.is_built_in and labels & {"Q", "MAep", "iMAep"}:
        yield Note("remark", detail=PUBLISHED)


def drops(found: Insertion) -> tuple[Drop, ...]:
    """From insert to precede, at the smallest count above 0."""
    count, (insert, precede) = found.counts[1], (found.values[mode] for mode in MODES)
    rows = zip(found.measures, insert, precede, strict=True)
    return tuple(Drop(asked, count, one[1], other[1]) for asked, one, other in rows)


def rewarding(found: Insertion) -> tuple[str, ...]:
    """The measures that get better somewhere as more irrelevant answers are inserted."""
    return tuple(
        asked.label
        for number, asked in enumerate(found.measures)
        if any(_gets_better(asked, found.values[mode][number]) for mode in MODES)
    )


def _direction(asked: Asked) -> int:
    return {"higher": 1, "lower": -1, "neither": 0}[asked.measure.properties.better]


def _gets_better(asked: Asked, values: Values) -> bool:
    known = [value for value in values if value is not None]
    changes = (_direction(asked) * (later - before) for before, later in pairwise(known))
    return any(change > TOLERANCE for change in changes)


# -- sentences


def _verdict(found: Insertion) -> Iterator[str]:
    judged = [asked.label for asked in found.measures if _direction(asked)]
    if judged:
        yield _rewarding_sentence(rewarding(found), judged)
    yield from _drop_sentences([drop for drop in drops(found) if _direction(drop.measure)])
    neither = [asked.label for asked in found.measures if not _direction(asked)]
    if neither:
        yield f"Not judged, as neither high nor low values are better: {', '.join(neither)}."


def _rewarding_sentence(rewarding: tuple[str, ...], judged: list[str]) -> str:
    what = "as irrelevant answers are inserted"
    if rewarding:
        verb = "gets" if len(rewarding) == 1 else "get"
        return (
            f"{len(rewarding)} of {counted(len(judged), 'measure')} {verb} better somewhere {what}:"
            f" {', '.join(rewarding)}."
        )
    if len(judged) == 1:
        return f"{judged[0]} never gets better {what}."
    return f"None of {len(judged)} measures gets better {what}."


def _drop_sentences(drops: list[Drop]) -> Iterator[str]:
    if not drops:
        return
    known = [(drop, drop.worse) for drop in drops if drop.worse is not None]
    one = drops[0].count == 1
    answers = "An irrelevant answer" if one else f"{drops[0].count:,} irrelevant answers"
    costing = [f"{drop.measure.label} by {_cost(drop)}" for drop, w in known if w > TOLERANCE]
    helping = [drop.measure.label for drop, worse in known if worse < -TOLERANCE]
    same = [drop.measure.label for drop, worse in known if abs(worse) <= TOLERANCE]
    unknown = [drop.measure.label for drop in drops if drop.worse is None]
    before = f"{answers} before the first answer"
    if costing:
        cost = "costs" if one else "cost"
        yield f"{before} {cost} more than after it: {', '.join(costing)}."
    if helping:
        yield f"{before} {'costs' if one else 'cost'} less than after it: {', '.join(helping)}."
    if same:
        does = "has" if one else "have"
        yield f"{before} {does} the same effect as after it: {', '.join(same)}."
    if unknown:
        yield f"Undefined there: {', '.join(unknown)}."


def _cost(drop: Drop) -> str:
    return f"{drop.worse:.4f} (from 0)" if drop.share is None else percent(drop.share, 2)


# -- tables, plots, rows


def _table(found: Insertion, mode: Mode) -> Table:
    values = found.values[mode]
    return Table(
        TITLES[mode],
        (Column("n", "count"), *(Column(asked.label) for asked in found.measures)),
        tuple((count, *(row[place] for row in values)) for place, count in enumerate(found.counts)),
        transposed="measure",
    )


def _drop_table(found: Insertion) -> Table:
    measured = drops(found)
    columns = (
        *(Column("measure", "text"), Column("better", "text")),
        *(Column("insert"), Column("precede"), Column("worse by", "percent")),
    )
    return Table(
        f"From insert to precede, n = {found.counts[1]}",
        columns,
        tuple(
            (
                *(drop.measure.label, drop.measure.measure.properties.better),
                *(drop.insert, drop.precede, drop.share if _direction(drop.measure) else None),
            )
            for drop in measured
        ),
        transposed="",
    )


def _plots(found: Insertion, mode: Mode) -> Iterator[Plot]:
    """Measures that can exceed 1 have a plot of their own: beside them others would be flat."""
    small = [asked.measure.properties.bounds[1] == 1 for asked in found.measures]
    for chosen, ending in ((True, ""), (False, ", measures that can exceed 1")):
        if chosen in small:
            numbers = [number for number, one in enumerate(small) if one == chosen]
            yield _plot(found, mode, numbers, TITLES[mode] + ending)


def _plot(found: Insertion, mode: Mode, numbers: list[int], title: str) -> Plot:
    """Over n from 1 on, as 0 has no place where places grow by factors."""
    series = []
    for number in numbers:
        values = found.values[mode][number]
        known = tuple(value for value in values[1:] if value is not None)
        if len(known) == len(values) - 1:
            series.append((found.measures[number].label, known))
    places = tuple(float(count) for count in found.counts[1:])
    return Plot(title, "n", "score", places, tuple(series), ranks=True)


def _rows(found: Insertion) -> Iterator[dict[str, Value]]:
    for mode in MODES:
        for asked, values in zip(found.measures, found.values[mode], strict=True):
            named: dict[str, Value] = {"kind": "score", "mode": mode, "measure": asked.label}
            for count, value in zip(found.counts, values, strict=True):
                yield {**named, "canonical": str(asked.measure), "inserted": count, "value": value}
    for drop in drops(found):
        yield {
            "kind": "drop",
            "measure": drop.measure.label,
            "canonical": str(drop.measure.measure),
            "inserted": drop.count,
            "insert": drop.insert,
            "precede": drop.precede,
            "drop": drop.share if _direction(drop.measure) else None,
        }
