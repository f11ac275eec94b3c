"""Dictionaries of topics as columns: those that hold nothing but what they should.

Whatever else there is in a dictionary (other types, paths, wrong numbers or names) is left to
``memory.py``, which looks at each entry and tells what is wrong with it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import chain, compress
from operator import itemgetter
from typing import Any

import numpy as np

from spanwise.data.identifiers import Identifiers
from spanwise.data.run import Extent, Extents
from spanwise.formats.budget import budget
from spanwise.native import core
from spanwise.records import Struct
from spanwise.text.ranges import Booleans, Floats, Integers, sums_by_owner

_LISTS = frozenset((list, tuple))
_NUMBERS = frozenset((int, float))


class AnswerColumns(Struct, frozen=True, eq=False):
    """The answers of a run, topic by topic."""

    topics: list[str]
    offsets: Integers
    documents: Identifiers
    extent: Extents
    start: Integers
    end: Integers
    score: Floats | None


class JudgementColumns(Struct, frozen=True, eq=False):
    """Judged documents, topic by topic, and what was judged in them."""

    topics: list[str]
    offsets: Integers
    documents: Identifiers
    whole: Integers
    """Documents that were judged as a whole, by their number, and their grades."""
    whole_grade: Integers
    owner: Integers
    """The number of each range's document."""
    start: Integers
    end: Integers
    grade: Integers

    @property
    def names_of_topics(self) -> Identifiers:
        """The topic of each document."""
        names, counts = Identifiers.of(self.topics), np.diff(self.offsets)
        return names.take(np.repeat(np.arange(len(counts)), counts))


def answer_columns(topics: object) -> AnswerColumns | None:
    """The answers of a dictionary of topics, None if they have to be looked at one by one.

    >>> columns = answer_columns({"q1": [("d7", 100, 250, 3.25)], "q2": []})
    >>> columns.topics, columns.start.tolist(), columns.score.tolist()
    (['q1'], [100], [3.25])
    """
    if type(topics) is not dict:
        return None
    if core is None:
        return _gathered_answers(topics)
    found = core.answers(topics, budget().name)
    if found is None:
        return None
    names, offsets, text, edges, extent, start, end, score = found
    return AnswerColumns(
        names,
        np.frombuffer(offsets, np.int64),
        _identifiers(text, edges),
        np.frombuffer(extent, np.uint8),
        np.frombuffer(start, np.int64),
        np.frombuffer(end, np.int64),
        np.frombuffer(score, np.float64) if score else None,
    )


def judgement_columns(topics: object) -> JudgementColumns | None:
    """The judgements of a dictionary of topics, None if they have to be looked at one by one.

    >>> columns = judgement_columns({"q1": {"d7": [(100, 250)], "d9": []}})
    >>> columns.owner.tolist(), columns.whole.tolist(), columns.whole_grade.tolist()
    ([0], [1], [0])
    """
    if type(topics) is not dict:
        return None
    if core is None:
        return _gathered_judgements(topics)
    found = core.judgements(topics, budget().name)
    if found is None:
        return None
    names, offsets, text, edges, whole, whole_grade, owner, start, end, grade = found
    return JudgementColumns(
        names,
        np.frombuffer(offsets, np.int64),
        _identifiers(text, edges),
        np.frombuffer(whole, np.int64),
        np.frombuffer(whole_grade, np.int64),
        np.frombuffer(owner, np.int64),
        np.frombuffer(start, np.int64),
        np.frombuffer(end, np.int64),
        np.frombuffer(grade, np.int64),
    )


def _identifiers(text: bytearray, edges: bytearray) -> Identifiers:
    """Names one behind the other."""
    places = np.frombuffer(edges, np.int64)
    return Identifiers(np.frombuffer(text, np.uint8), places[:-1], places[1:])


# -- the same without the native core


def _gathered_answers(topics: dict[Any, Any]) -> AnswerColumns | None:
    several = list(topics.values())
    types = set(map(type, several))
    if types == {dict}:
        return _answers_by_document(topics, several)
    return _listed_answers(topics, several) if types <= _LISTS else None


def _listed_answers(topics: dict[Any, Any], several: list[Any]) -> AnswerColumns | None:
    """``{topic: [(document, start, end, score)]}`` and ``{topic: [document]}``."""
    answers = list(chain.from_iterable(several))
    counts = np.fromiter(map(len, several), np.int64, len(several))
    if set(map(type, answers)) == {str}:
        return _answers(topics, counts, _names(answers), Extent.WHOLE, None, None)
    columns = _transposed(answers, (3, 4))
    if columns is None:
        return None
    ranges = _ranges(*columns[1:3])
    score = _decimals(columns[3]) if len(columns) == 4 else None
    if ranges is None or (len(columns) == 4 and score is None):
        return None
    return _answers(topics, counts, _names(columns[0]), Extent.RANGE, ranges, score)


def _answers_by_document(
    topics: dict[Any, Any], several: list[dict[Any, Any]]
) -> AnswerColumns | None:
    """``{topic: {document: ranges}}`` and ``{topic: {document: score}}``."""
    counts = np.fromiter(map(len, several), np.int64, len(several))
    documents = _names(list(chain.from_iterable(several)))
    parts = list(chain.from_iterable(map(dict.values, several)))
    types = set(map(type, parts))
    if types <= _NUMBERS:
        score = _decimals(parts)
        if score is None:
            return None
        return _answers(topics, counts, documents, Extent.WHOLE, None, score)
    if not types <= _LISTS or documents is None:
        return None
    columns = _transposed(list(chain.from_iterable(parts)), (2, 3))
    sizes = np.fromiter(map(len, parts), np.int64, len(parts))
    if columns is None or not sizes.all():
        return None
    ranges = _ranges(*columns[:2])
    score = _decimals(columns[2]) if len(columns) == 3 else None
    if ranges is None or (len(columns) == 3 and score is None):
        return None
    named = documents.take(np.repeat(np.arange(len(parts)), sizes))
    answers = sums_by_owner(sizes, np.append(0, np.cumsum(counts)))
    return _answers(topics, answers, named, Extent.RANGE, ranges, score)


def _answers(
    topics: dict[Any, Any],
    counts: Integers,
    documents: Identifiers | None,
    extent: Extent,
    ranges: tuple[Integers, Integers] | None,
    score: Floats | None,
) -> AnswerColumns | None:
    """Columns with the topics that have answers."""
    names = _topics(topics, counts > 0)
    if documents is None or names is None:
        return None
    size = len(documents)
    start, end = ranges or (np.zeros(size, np.int64), np.zeros(size, np.int64))
    extents = np.full(size, extent, np.uint8)
    return AnswerColumns(names, _offsets(counts), documents, extents, start, end, score)


def _gathered_judgements(topics: dict[Any, Any]) -> JudgementColumns | None:
    several = list(topics.values())
    if set(map(type, several)) != {dict}:
        return None
    counts = np.fromiter(map(len, several), np.int64, len(several))
    names = _topics(topics, counts > 0)
    documents = _names(list(chain.from_iterable(several)))
    said = list(chain.from_iterable(map(dict.values, several)))
    types = set(map(type, said))
    if names is None or documents is None or not types <= {int, list, tuple}:
        return None
    graded = np.zeros(len(said), np.bool_)
    if int in types:
        graded = np.fromiter((type(each) is int for each in said), np.bool_, len(said))
    grades = _integers(list(compress(said, graded.tolist())))
    lists = said if not graded.any() else list(compress(said, (~graded).tolist()))
    sizes = np.zeros(len(said), np.int64)
    sizes[~graded] = np.fromiter(map(len, lists), np.int64, len(lists))
    ranges = _judged_ranges(list(chain.from_iterable(lists)))
    if grades is None or ranges is None:
        return None
    grade = np.zeros(len(said), np.int64)
    grade[graded] = grades
    whole = np.flatnonzero(sizes == 0)
    owner = np.repeat(np.arange(len(said)), sizes)
    return JudgementColumns(names, _offsets(counts), documents, whole, grade[whole], owner, *ranges)


def _judged_ranges(parts: list[Any]) -> tuple[Integers, Integers, Integers] | None:
    """Start, end and grade of ``(start, end)`` or ``(start, end, grade)``."""
    if not parts:
        nothing = np.zeros(0, np.int64)
        return nothing, nothing, nothing
    columns = _transposed(parts, (2, 3))
    if columns is None:
        return None
    ranges = _ranges(*columns[:2])
    grade = _integers(columns[2]) if len(columns) == 3 else np.ones(len(parts), np.int64)
    return None if ranges is None or grade is None else (*ranges, grade)


def _offsets(counts: Integers) -> Integers:
    """Where the rows of each topic that has any begin."""
    return np.append(0, np.cumsum(counts[counts > 0]))


def _topics(topics: dict[Any, Any], used: Booleans) -> list[str] | None:
    """The names of the topics that are used."""
    names = list(topics if used.all() else compress(topics, used.tolist()))
    return None if _names(names) is None else names


def _names(values: Sequence[Any]) -> Identifiers | None:
    """Names that are text without NUL, none of them empty or too long."""
    if set(map(type, values)) != {str} or not all(values):
        return None
    together = "".join(values)
    if "\0" in together or max(map(len, values)) > budget().name:
        return None
    try:
        return Identifiers.of(values)
    except UnicodeEncodeError:
        return None


def _transposed(rows: list[Any], sizes: Iterable[int]) -> list[Sequence[Any]] | None:
    """The columns of lists and tuples that all have one of these sizes."""
    if not rows or not set(map(type, rows)) <= _LISTS:
        return None
    found = set(map(len, rows))
    if len(found) > 1 or not found <= {*sizes}:
        return None
    return [list(map(itemgetter(place), rows)) for place in range(found.pop())]


def _integers(values: Sequence[Any]) -> Integers | None:
    if not set(map(type, values)) <= {int}:
        return None
    try:
        numbers = np.array(values, np.int64)
    except OverflowError:
        return None
    return None if (numbers == np.iinfo(np.int64).min).any() else numbers


def _ranges(start: Sequence[Any], end: Sequence[Any]) -> tuple[Integers, Integers] | None:
    """Ranges with ``0 <= start < end``."""
    begins, ends = _integers(start), _integers(end)
    if begins is None or ends is None or not ((begins >= 0) & (begins < ends)).all():
        return None
    return begins, ends


def _decimals(values: Sequence[Any]) -> Floats | None:
    if not set(map(type, values)) <= _NUMBERS:
        return None
    try:
        numbers = np.array(values, np.float64)
    except OverflowError:
        return None
    return None if np.isnan(numbers).any() else numbers
