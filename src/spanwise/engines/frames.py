"""Answers in a frame of Spark or Dask, scored where they are.

Rows are brought together by run and topic and sorted by document and range, since such a frame has
no order of its own; columns mean what they mean in any frame. Only the scores come to the caller.
"""

from __future__ import annotations

import pickle
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import pyarrow as pa

from spanwise.data.notes import Faults
from spanwise.data.run import Run
from spanwise.engines.kernel import score_batch
from spanwise.engines.work import Given, Job, Outcome, Packed, joined, own_session, packed, portable
from spanwise.errors import FaultyInput, InputError, SpanwiseError, shown
from spanwise.evaluation.collector import Collector
from spanwise.evaluation.evaluate import Evaluation
from spanwise.evaluation.policy import PLACE
from spanwise.evaluation.scores import RunScores
from spanwise.extras import require_dask, require_spark
from spanwise.formats.budget import budget, spending
from spanwise.formats.row_columns import matched
from spanwise.inputs.scoring import Workers
from spanwise.records import Struct, replace

if TYPE_CHECKING:
    from spanwise.inputs.session import Session

ROWS = 1 << 20
"""About how many rows are scored together."""
_ORDERING = ("score", "rank", "distance")
_SORTED = ("run", "topic", "document", "start", "end", "length")
"""What rows are sorted by; the first two tell which are together."""
_BY_ROW = "document and range"


class FrameEngine(Struct, frozen=True):
    """Scores the runs in a frame; a :class:`spanwise.inputs.session.Session` calls it."""

    frame: Any

    def __call__(
        self, session: Session, evaluation: Evaluation
    ) -> Iterator[tuple[list[RunScores], Faults]]:
        """The scores of all runs in the frame."""
        session.require_texts()
        score = _scorer(self.frame)
        faults = Faults("run", lenient=session.settings.lenient)
        held = matched([*map(str, self.frame.columns)], "run", faults).held
        if "topic" not in held or not {*_ORDERING} & {*held}:
            wanted = "topic" if "topic" not in held else "score or rank"
            raise SpanwiseError(
                f"the frame has no column {wanted}, and rows of such frames have no order of their"
                f" own; found {', '.join(map(str, self.frame.columns))}"
            )
        [scoring] = session.scorings(evaluation, Workers(1), Workers(1))
        given = Given(scoring.evaluation, scoring.table, "run")
        job = packed(Job(own_session(session), (given,), (), budget(), 1))
        outcomes = list(score(self.frame, held, Packed(job)))
        failures = sorted((each.failure for each in outcomes if each.failure is not None), key=str)
        if failures:
            raise failures[0]
        yield _finished(evaluation, outcomes, faults), faults


def _finished(
    evaluation: Evaluation, outcomes: Iterable[Outcome], faults: Faults
) -> list[RunScores]:
    collectors: dict[str, Collector] = {}
    forms: dict[str, int] = {}
    for outcome in outcomes:
        for run, form in outcome.forms.items():
            if forms.setdefault(run, form) != form:
                raise SpanwiseError(
                    f"some answers of run {run} have a rank or a score and others do not, expected"
                    " the same for all; fill the column, or leave it out"
                )
        if outcome.faults is not None:
            faults.take_over(outcome.faults)
        for _, scored in outcome.scored:
            if scored.run not in collectors:
                collectors[scored.run] = evaluation.collector(scored.run)
            collectors[scored.run].take(scored)
    for name, collector in collectors.items():
        topics = sorted(collector.topics)
        twice = next((topic for topic, after in pairwise(topics) if topic == after), None)
        if twice is not None:
            raise SpanwiseError(
                f"found answers of run {name} to topic {shown(twice)} under two names, expected"
                " one; name all topics the same way"
            )
    if not collectors:
        collectors["run"] = evaluation.collector("run")
    for collector in collectors.values():
        collector.note_faults(faults)
    return [_without_places(collectors[name].finish()) for name in sorted(collectors)]


def _without_places(scores: RunScores) -> RunScores:
    """Scores whose notes say what decides about ties where rows have no places."""
    notes = (
        replace(note, detail=_BY_ROW) if note.detail == PLACE else note for note in scores.notes
    )
    return replace(scores, notes=tuple(notes))


def _scorer(frame: Any) -> Any:
    """What scores such a frame."""
    room = type(frame).__module__.partition(".")[0]
    if room == "pyspark":
        require_spark("a frame of Spark")
        return _spark_outcomes
    if room == "dask" or hasattr(frame, "__dask_graph__"):
        require_dask("a frame of Dask")
        return _dask_outcomes
    raise SpanwiseError(
        f"found {type(frame).__name__}, expected a frame of Spark or Dask; give any other frame to"
        " evaluate"
    )


# -- on workers


def score_rows(job: Job, table: pa.Table) -> Outcome:
    """The scores of rows that hold whole topics."""
    outcome = Outcome()
    try:
        with spending(job.budget):
            _score(job, table, outcome)
    except InputError as refused:
        # The number of a row says nothing here.
        faults = [replace(fault, line=None) for fault in refused.faults]
        return Outcome(failure=FaultyInput(faults))
    except Exception as problem:
        return Outcome(failure=portable(problem))
    return outcome


def _score(job: Job, table: pa.Table, outcome: Outcome) -> None:
    [given] = job.givens
    scored = []
    for run, faults in job.session.in_memory(table, None, given.table):
        outcome.faults = faults
        chosen: Run = job.session.chosen(run)
        if len(chosen):
            outcome.forms[run.name] = 2 * (run.score is None) + (run.rank is None)
            scored += score_batch(given.evaluation, [chosen])
    outcome.scored = [(0, each) for each in joined(scored)]


def whole_topics(tables: Iterable[pa.Table], keys: Sequence[str]) -> Iterator[pa.Table]:
    """Sorted rows in tables of whole topics, each of about as many rows."""
    waiting: list[pa.Table] = []
    size = 0
    for table in tables:
        waiting.append(table)
        size += len(table)
        if size >= ROWS:
            together = pa.concat_tables(waiting)
            last = _last_topic(together, keys)
            if last:
                yield together.slice(0, last)
            waiting, size = [together.slice(last)], len(together) - last
    if size:
        yield pa.concat_tables(waiting)


def _last_topic(table: pa.Table, keys: Sequence[str]) -> int:
    """The row at which the last topic begins."""
    same = pa.array([True] * len(table))
    for key in keys:
        column = table.column(key)
        equal = pa.compute.equal(column, column[-1]).fill_null(False)
        missing = column.is_null() if not column[-1].is_valid else None
        same = pa.compute.and_(same, equal if missing is None else missing)
    return int(pa.compute.index(same, True).as_py())


# -- Spark


def _spark_outcomes(frame: Any, held: dict[str, str], job: Packed) -> Iterator[Outcome]:
    from spanwise.engines.spark_cluster import losses, without_warnings

    names = [held[ours] for ours in _SORTED if ours in held]
    keys = [held[ours] for ours in _SORTED[:2] if ours in held]

    def score(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        tables = (pa.Table.from_batches([batch]) for batch in batches)
        for table in whole_topics(tables, keys):
            content = pickle.dumps(score_rows(job.job, table))
            yield pa.record_batch([pa.array([content], pa.binary())], ["outcome"])

    together = frame.select(*map(_quoted, held.values())).repartition(*map(_quoted, keys))
    rows = together.sortWithinPartitions(*map(_quoted, names))
    with without_warnings(), losses():
        done = rows.mapInArrow(score, "outcome binary").collect()
    for row in done:
        yield pickle.loads(row["outcome"])


def _quoted(name: str) -> str:
    """A name as it is: dots would mean fields."""
    doubled = name.replace("`", "``")
    return f"`{doubled}`"


# -- Dask


def _dask_outcomes(frame: Any, held: dict[str, str], job: Packed) -> Iterator[Outcome]:
    import dask

    keys = [held[ours] for ours in _SORTED[:2] if ours in held]
    names = [held[ours] for ours in _SORTED if ours in held]
    shuffled = frame[list(held.values())].shuffle(on=keys)
    score = dask.delayed(_score_pandas, pure=False)
    parts = [score(part, names, job) for part in shuffled.to_delayed()]
    for outcomes in dask.compute(*parts):
        yield from outcomes


def _score_pandas(frame: Any, names: list[str], job: Packed) -> list[Outcome]:
    if not len(frame):
        return []
    sorted_rows = frame.sort_values(names, kind="stable")
    return [score_rows(job.job, pa.Table.from_pandas(sorted_rows, preserve_index=False))]
