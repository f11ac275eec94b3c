"""Runs and assessments as the rows in which the native formats write them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np

from spanwise.data.assessments import UNKNOWN, Assessments
from spanwise.data.grades import TOO_SMALL, ElementJudgements
from spanwise.data.notes import Note
from spanwise.data.run import Extent, Run, taken
from spanwise.errors import OutputError, option
from spanwise.formats.element_paths import names_element
from spanwise.formats.field_values import TOO_SMALL_MARK
from spanwise.records import Struct, field
from spanwise.text.ranges import Booleans, Floats, Integers, owners_of

Column = list[Any]


class WrittenRun(Struct):
    """The columns of a run as they are written, None for what a row does not say."""

    columns: dict[str, Column]
    notes: list[Note] = field(default_factory=list)

    @classmethod
    def of(cls, run: Run) -> WrittenRun:
        """The columns of a run, in the order of its answers."""
        written = cls({})
        rank, score = written._order(run)
        rows = written._rows(run)
        written._note_elements(run)
        within = run.extent[rows] == Extent.RANGE
        topics = np.array(run.topics, object)[run.topic[rows]].tolist()
        written.columns = {
            "topic": topics,
            # A text that was not located may be in any document.
            "document": [name or None for name in run.documents.take(rows).strings()],
            "start": _where(within, run.start[rows]),
            "end": _where(within, run.end[rows]),
            "path": _paths(run, rows),
            "text": [None] * len(rows) if run.quotes is None else [*taken(run.quotes, rows)],
            "parts": [False if nothing else None for nothing in run.extent[rows] == Extent.NOTHING],
            "score": _scores(score, rows, given=run.order != "ascending"),
            "distance": _scores(score, rows, given=run.order == "ascending"),
            "rank": [None] * len(rows) if rank is None else rank[rows].tolist(),
            "run": [run.name] * len(rows),
        }
        return written

    def _rows(self, run: Run) -> Integers:
        """The answers that can be written: entry points cannot."""
        lost = run.extent == Extent.POINT
        if lost.any():
            note = Note("entry points left out", int(lost.sum()), about=f"run {run.name}")
            self.notes.append(note)
        return np.flatnonzero(~lost)

    def _note_elements(self, run: Run) -> None:
        """Elements around one another may have the same characters: the range tells one of them."""
        placed = names_element(run) & (run.extent == Extent.RANGE)
        if placed.any():
            count = int(placed.sum())
            self.notes.append(Note("elements as ranges", count, about=f"run {run.name}"))

    def _order(self, run: Run) -> tuple[Integers | None, Floats | None]:
        """Rank and score by which a reader ranks the answers as the run does."""
        if run.order == "rank" or (run.rank is None and run.order in ("score", "ascending")):
            return run.rank, run.score
        if run.order in ("score", "ascending"):
            self.notes.append(Note("ranks lost", about=f"run {run.name}"))
            return None, run.score
        if run.order == "file" and run.rank is None and run.score is None:
            return None, None
        places = places_of(run)
        if run.rank is None or not np.array_equal(run.rank, places):
            self.notes.append(Note("ranks replaced", detail=run.order, about=f"run {run.name}"))
        return places, run.score

    def rows(self) -> Iterator[dict[str, Any]]:
        """One dictionary for each answer, with what it says."""
        names = [name for name, column in self.columns.items() if any_given(column)]
        for values in zip(*(self.columns[name] for name in names), strict=True):
            yield {n: value for n, value in zip(names, values, strict=True) if value is not None}


def _scores(score: Floats | None, rows: Integers, *, given: bool) -> Column:
    return score[rows].tolist() if given and score is not None else [None] * len(rows)


def any_given(column: Iterable[object]) -> bool:
    """Does a column say anything?"""
    return any(value is not None for value in column)


def _where(rows: Booleans, values: Integers) -> Column:
    pairs = zip(rows.tolist(), values.tolist(), strict=True)
    return [value if given else None for given, value in pairs]


def _paths(run: Run, rows: Integers) -> Column:
    """The paths of elements whose characters are not known; of others there is the range."""
    named = run.extent[rows] == Extent.ELEMENT
    if run.paths is None or not named.any():
        return [None] * len(rows)
    texts = run.paths.take(rows).strings()
    return [text if given else None for given, text in zip(named.tolist(), texts, strict=True)]


def places_of(run: Run) -> Integers:
    """The place of each answer in its topic, from 1, by file or by score and id."""
    rows = np.arange(len(run))
    if run.order == "score, then document" and run.score is not None:
        names = run.ids.strings()
        by_name = {name: number for number, name in enumerate(sorted(set(names), reverse=True))}
        tied = np.array([by_name[name] for name in names], np.int64)
        rows = np.lexsort((tied, -run.score, run.topic))
    places = np.empty(len(run), np.int64)
    places[rows] = np.arange(len(run)) - run.offsets[run.topic] + 1
    return places


def only_run(runs: Iterable[Run], title: str) -> Run:
    """The run of a format whose files hold one; several are refused."""
    several = list(runs)
    if len(several) != 1:
        raise OutputError(
            f"a file holds one run, and here are {len(several)} ({title});"
            " write jsonl, csv or parquet, or convert them one by one"
        )
    return several[0]


# -- assessments


def assessment_rows(assessments: Assessments) -> Iterator[dict[str, Any]]:
    """Documents, ranges and elements as they were written, judgements, entry points.

    The first row of a topic also says what was asked.
    """
    queries = dict(assessments.queries)
    for row in _judgement_rows(assessments):
        query = queries.pop(row.get("topic", ""), None)
        yield row if query is None else {**row, "query": query}


def _judgement_rows(assessments: Assessments) -> Iterator[dict[str, Any]]:
    for document, length in assessments.lengths.items():
        digest = assessments.hashes.get(document)
        yield {"document": document, "length": length} | ({"sha256": digest} if digest else {})
    pairs = _pair_rows(assessments)
    passages = assessments.passages
    columns = (passages.pair, passages.start, passages.end, passages.grade)
    numbers = zip(*(column.tolist() for column in columns), strict=True)
    quotes = passages.quotes or (None,) * len(passages.start)
    for (pair, start, end, grade), aspects, quote in zip(
        numbers, passages.aspects, quotes, strict=True
    ):
        if start < end:
            row = {**pairs[pair], "start": start, "end": end}
            row |= {"grade": grade} if grade != 1 else {}
            row |= {"aspect": list(aspects)} if aspects else {}
            yield row if quote is None else {**row, "text": quote}
    yield from _element_rows(assessments.elements, pairs)
    for pair, grade in judged_grades(assessments).items():
        yield {**pairs[pair], "grade": grade}
    owner = owners_of(assessments.entry_offsets).tolist()
    for pair, point in zip(owner, assessments.entry_point.tolist(), strict=True):
        yield {**pairs[pair], "bep": point}


def _pair_rows(assessments: Assessments) -> list[dict[str, Any]]:
    topics = [assessments.topics[number] for number in assessments.topic.tolist()]
    pairs = zip(topics, assessments.documents.strings(), strict=True)
    return [{"topic": topic, "document": document} for topic, document in pairs]


def _element_rows(
    elements: ElementJudgements, pairs: list[dict[str, Any]]
) -> Iterator[dict[str, Any]]:
    judged = {
        "exhaustivity": elements.exhaustivity,
        "specificity": elements.specificity,
        "size": elements.size,
        "rsize": elements.relevant_size,
    }
    columns = (elements.pair, *judged.values())
    for path, (pair, *values) in zip(
        elements.paths.strings(), zip(*(c.tolist() for c in columns), strict=True), strict=True
    ):
        said = {name: value for name, value in zip(judged, values, strict=True) if value != UNKNOWN}
        if said.get("exhaustivity") == TOO_SMALL:
            said["exhaustivity"] = TOO_SMALL_MARK
        yield {**pairs[pair], "path": path, **said}


def further_columns(assessments: Assessments) -> Iterator[str]:
    """Columns of text that only some assessments have."""
    if assessments.queries:
        yield "query"
    if assessments.passages.quotes is not None:
        yield "text"


def unresolved(assessments: Assessments) -> list[Note]:
    """What to say of passages and entry points that no native row can hold."""
    count = len(assessments.pointed)
    what = "passages and entry points given by places in the tree"
    remedy = f"give {option('collection')}"
    return [Note("lost", count, detail=what, remedy=remedy)] if count else []


def pending_pairs(assessments: Assessments, *, passages: bool = False) -> set[int]:
    """The pairs with passages (or also with entry points) whose characters are not known yet."""
    wanted = {
        (each.topic, each.document)
        for each in assessments.pointed
        if each.end is not None or not passages
    }
    if not wanted:
        return set()
    topics = (assessments.topics[number] for number in assessments.topic.tolist())
    names = zip(topics, assessments.documents.strings(), strict=True)
    return {pair for pair, name in enumerate(names) if name in wanted}


def judged_grades(assessments: Assessments) -> dict[int, int]:
    """The grades of pairs that do not follow from their parts, by number of the pair.

    A pair whose ranges were all cut away by leniency is judged, and nothing of it is relevant.
    """
    passages = assessments.passages
    filled = passages.end > passages.start
    following: dict[int, int] = {}
    for pair, grade in zip(
        passages.pair[filled].tolist(), passages.grade[filled].tolist(), strict=True
    ):
        following[pair] = max(grade, following.get(pair, grade))
    emptied = set(passages.pair[~filled].tolist()) - set(following)
    elements = assessments.elements
    for pair, relevant in zip(elements.pair.tolist(), elements.relevant.tolist(), strict=True):
        following[pair] = max(following.get(pair, 0), 1) if relevant else following.get(pair, 0)
    for pair in pending_pairs(assessments, passages=True):
        following[pair] = max(following.get(pair, 0), 1)
    with_others = emptied & set(following)
    whole = set(np.flatnonzero(assessments.whole).tolist())
    grades = {
        pair: 0 if pair in emptied - whole else grade
        for pair, grade in enumerate(assessments.grade.tolist())
        if pair in whole or (following.get(pair) != grade and pair not in with_others)
    }
    # An entry point alone already says that the pair was looked at.
    entries = np.flatnonzero(np.diff(assessments.entry_offsets)).tolist()
    looked_at = {*entries, *pending_pairs(assessments)} - set(following)
    return {pair: grade for pair, grade in grades.items() if grade or pair not in looked_at}
