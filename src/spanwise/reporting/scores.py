"""The output of an evaluation: means, topics, counts, and what is said under them."""

from __future__ import annotations

import math
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from spanwise.data.notes import Note
from spanwise.evaluation.scores import ALL, RunScores, Scores
from spanwise.inputs.runs import hashed, names_of
from spanwise.inputs.settings import Given, Settings
from spanwise.measures.grammar import Asked
from spanwise.records import whole_number
from spanwise.reporting.output import (
    Cell,
    Column,
    Field,
    Input,
    Output,
    Part,
    Row,
    Rows,
    Table,
    Value,
    versions,
)
from spanwise.reporting.render.cells import DIGITS
from spanwise.reporting.render.rows import pandas_frame, polars_frame
from spanwise.reporting.results import Result
from spanwise.reporting.score_bounds import FIELDS as BOUNDS
from spanwise.reporting.score_bounds import bounded_rows, bounds_tables
from spanwise.reporting.topic_names import topic_names
from spanwise.reporting.worst_topics import WorstTopics

if TYPE_CHECKING:
    import pandas
    import polars

FIELDS = (
    Field("run"),
    Field("measure"),
    Field("canonical", in_tables=False),
    Field("topic"),
    Field("value", "number"),
)


def scores_output(
    scores: Scores,
    *,
    per_topic: bool = False,
    highest: Scores | None = None,
    settings: Mapping[str, object] | None = None,
    inputs: Sequence[Input] = (),
) -> Output:
    """Means or all topics, the counts of each run, and rows for programs."""
    if highest is not None:
        tables = bounds_tables(scores, highest, per_topic=per_topic)
    else:
        tables = _topic_tables(scores) if per_topic else [means_table(scores)]
    return Output(
        producer="evaluate",
        parts=(*tables, counts_table(scores.runs), *about_measures(scores.measures)),
        rows=rows_of_scores(scores, highest, per_topic=per_topic),
        notes=scores.all_notes(),
        settings=settings or {},
        inputs=tuple(inputs),
        versions=versions(),
        lenient=lenient_mark(scores),
        record={"runs": run_records(scores), **query_record(scores)},
    )


def rows_of_scores(scores: Scores, highest: Scores | None, *, per_topic: bool) -> Rows:
    """The rows for programs, with bounds if there are any."""
    rows = score_rows(scores, per_topic=per_topic)
    if highest is None:
        return Rows(FIELDS, rows)
    return Rows((*FIELDS, *BOUNDS), bounded_rows(rows, highest, per_topic=per_topic))


def query_record(scores: Scores) -> dict[str, object]:
    """What the topics ask, for JSON; nothing where that is not known."""
    topics = {topic for run in scores.runs for topic in run.topics}
    known = {topic: query for topic, query in scores.queries.items() if topic in topics}
    return {"queries": known} if known else {}


def score_rows(scores: Scores, *, per_topic: bool) -> list[dict[str, Value]]:
    """The rows that were asked for, each marked if its run is a lenient one."""
    lenient = {run.run for run in scores.runs if run.lenient}
    return [
        {**row, "lenient": True} if row["run"] in lenient else row
        for row in scores.rows(per_topic=per_topic)
    ]


def lenient_mark(scores: Scores) -> str:
    """What marks the output of a lenient evaluation; nothing where nothing was dropped."""
    return lenient_text([run.run for run in scores.runs if run.lenient])


def lenient_text(runs: Sequence[str]) -> str:
    """What marks results for which input of these runs was dropped or cut."""
    return f"lenient: faulty input was dropped or cut for {', '.join(runs)}" if runs else ""


def run_records(scores: Scores) -> list[dict[str, object]]:
    """Counts and notes of each run, for JSON."""
    return [
        {
            "run": run.run,
            "lenient": run.lenient,
            "counts": run.counts.to_dict(),
            "notes": [note.to_dict() for note in run.notes],
        }
        for run in scores.runs
    ]


# -- tables


def means_table(scores: Scores) -> Table:
    """A row for each run, a column for each measure."""
    columns = [
        _cells([run.means[number] for run in scores.runs], asked)
        for number, asked in enumerate(scores.measures)
    ]
    rows: list[Row] = [
        (run.run, *(cells[place] for cells in columns)) for place, run in enumerate(scores.runs)
    ]
    names = tuple(Column(asked.label) for asked in scores.measures)
    return Table("", (Column("run", "text"), *names), tuple(rows), transposed="measure")


def _topic_tables(scores: Scores) -> list[Table]:
    """One run: topics by measures. Several: a table of topics by runs for each measure."""
    if len(scores.runs) == 1:
        return [_topics_of_run(scores, scores.runs[0])]
    return [_topics_of_measure(scores, number) for number in range(len(scores.measures))]


def _topics_of_run(scores: Scores, run: RunScores) -> Table:
    by_measure = [_by_topic(run, number) for number in range(len(scores.measures))]
    shown = topic_names(run.topics, scores.queries)
    rows: list[Row] = [
        (shown.get(topic, topic), *(values.get(topic) for values in by_measure))
        for topic in (*run.topics, ALL)
    ]
    names = tuple(Column(asked.label) for asked in scores.measures)
    return Table(run.run, (Column("topic", "text"), *names), tuple(rows), transposed="measure")


def _topics_of_measure(scores: Scores, number: int) -> Table:
    asked, by_run = scores.measures[number], [_by_topic(run, number) for run in scores.runs]
    topics = (*sorted({topic for run in scores.runs for topic in run.topics}), ALL)
    shown = topic_names(topics[:-1], scores.queries)
    rows: list[Row] = [
        (shown.get(topic, topic), *_cells([values.get(topic) for values in by_run], asked))
        for topic in topics
    ]
    names = tuple(Column(run.run) for run in scores.runs)
    return Table(asked.label, (Column("topic", "text"), *names), tuple(rows), transposed="run")


def _by_topic(run: RunScores, number: int) -> dict[str, float | None]:
    pairs = zip(run.topics, run.values[number].tolist(), strict=True)
    values = {topic: None if math.isnan(value) else value for topic, value in pairs}
    return {**values, ALL: run.means[number]}


def _cells(values: Sequence[float | None], asked: Asked) -> tuple[Cell, ...]:
    """The values of several runs, the best one marked if there is something to be better than."""
    best = best_of(values, asked.measure.properties.better)
    return tuple(Cell(value, best=best is not None and value == best) for value in values)


def best_of(values: Sequence[float | None], better: str) -> float | None:
    """The best of several values; None where none is better than another.

    >>> best_of([0.2, None, 0.4], "higher"), best_of([0.2, 0.2], "higher")
    (0.4, None)
    """
    known = [value for value in values if value is not None]
    if len(values) < 2 or not known or better == "neither" or min(known) == max(known):
        return None
    return max(known) if better == "higher" else min(known)


def counts_table(runs: Sequence[RunScores]) -> Table:
    """What every table ends with: how much there was, and how much of it was found."""
    columns = (
        *(Column("run", "text"), Column("topics", "count"), Column("answers", "count")),
        *(Column("relevant documents", "text"), Column("relevant characters", "text")),
    )
    return Table("", columns, tuple(_counted(run) for run in runs), transposed="count")


def _counted(run: RunScores) -> tuple[Value, ...]:
    counts = run.counts
    documents = _found_of(counts.relevant_found, counts.relevant_documents)
    characters = _found_of(counts.characters_found, counts.relevant_characters)
    return (run.run, counts.topics, counts.answers, documents, characters)


def _found_of(found: int | None, every: int | None) -> str | None:
    return None if found is None or every is None else f"{found:,} of {every:,}"


# -- sentences


def about_measures(measures: Sequence[Asked]) -> tuple[Part, ...]:
    """What a reader has to know about the measures: their full names, and which way is up."""
    full = _in_full(measures)
    lower = [asked.label for asked in measures if asked.measure.properties.better == "lower"]
    said = [f"In full: {'; '.join(full)}."] if full else []
    said += [f"Lower is better: {', '.join(lower)}."] if lower else []
    return (" ".join(said),) if said else ()


def _in_full(measures: Sequence[Asked]) -> list[str]:
    """Full names where they differ from what was typed; one for all that lack the same item."""
    short = [asked for asked in measures if asked.label != str(asked.measure)]
    by_item: dict[str, list[str]] = {}
    for asked in short:
        item = str(getattr(asked.measure, "item", ""))
        if str(asked.measure).replace(f"({item})", "", 1) == asked.label:
            by_item.setdefault(item, []).append(asked.label)
    shared = {item: labels for item, labels in by_item.items() if len(labels) > 1}
    together = {label for labels in shared.values() for label in labels}
    return [
        *(f"{asked.label} is {asked.measure}" for asked in short if asked.label not in together),
        *(f"{', '.join(labels)} are scored over {item}" for item, labels in shared.items()),
    ]


# -- the result of the library


@dataclass(frozen=True, eq=False, repr=False)
class ScoresResult(Result, Scores):
    """The scores of an evaluation, which print, save and convert themselves.

    >>> from spanwise import evaluate
    >>> scores = evaluate({"q1": {"d1": [(0, 10)]}}, {"q1": [("d1", 0, 5, 1.0)]}, ["textR@5"])
    >>> scores
    run  textR@5
    ------------
    run   0.5000
    <BLANKLINE>
    run  topics  answers  relevant documents  relevant characters
    -------------------------------------------------------------
    run       1        1              1 of 1              5 of 10
    """

    settings: Settings = field(default_factory=Settings)
    given: Sequence[Given] = ()
    """The inputs: what each is for, and what was given."""
    folder: str = field(default_factory=lambda: str(Path.cwd()))
    """Where names of files begin."""
    highest: Scores | None = None
    """What the scores would be if all text of unjudged documents was relevant, if asked for."""
    resumed: tuple[Note, ...] = ()
    """What was taken from the results of an earlier start. No output has it: outputs are equal."""

    def output(self, *, hashed_inputs: bool = False, per_topic: bool = False) -> Output:
        """Means, or all topics; counts; rows."""
        asked = {"measures": [asked.label for asked in self.measures], "per_topic": per_topic}
        if self.highest is not None:
            asked["bounds"] = True
        return scores_output(
            self,
            per_topic=per_topic,
            highest=self.highest,
            settings={**self.settings.to_dict(), **asked},
            inputs=hashed(self.given) if hashed_inputs else (),
        )

    def to_polars(self, *, per_topic: bool = True) -> polars.DataFrame:
        """The rows as a Polars frame, topics included unless that is not wanted."""
        return polars_frame(self._rows(per_topic=per_topic), "to_polars")

    def to_pandas(self, *, per_topic: bool = True) -> pandas.DataFrame:
        """The rows as a pandas frame, topics included unless that is not wanted."""
        return pandas_frame(self._rows(per_topic=per_topic))

    def save(
        self, path: str | os.PathLike[str], *, digits: int = DIGITS, per_topic: bool = False
    ) -> None:
        """Write a file in the format of its ending: the means, or the values of all topics."""
        self.write(
            path, digits, lambda hashed: self.output(hashed_inputs=hashed, per_topic=per_topic)
        )

    def worst(self, n: int = 10, measure: str | None = None) -> WorstTopics:
        """The n topics with the lowest values, by default under the first measure.

        Those of several runs are ranked by the mean of the runs' values. Where lower is better, the
        highest values are the worst.
        """
        label = self.measures[0].label if measure is None else measure
        return WorstTopics(self, self.number_of(label), whole_number("n", n, 1))

    def pivot(self) -> polars.DataFrame:
        """The means as a Polars frame: a row for each run, a column for each measure."""
        labels = [asked.label for asked in self.measures]
        fields = (Field("run"), *(Field(label, "number") for label in labels))
        items = [{"run": run.run, **dict(zip(labels, run.means, strict=True))} for run in self.runs]
        return polars_frame(Rows(fields, items), "pivot")

    def _rows(self, *, per_topic: bool) -> Rows:
        return rows_of_scores(self, self.highest, per_topic=per_topic)

    def files_read(self) -> Sequence[str]:
        return names_of(self.given, self.folder)
