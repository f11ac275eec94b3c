"""Names of (topic, document) pairs, sorted and numbered: from columns of names, or one by one."""

from __future__ import annotations

import numpy as np

from spanwise.data.identifiers import Identifiers
from spanwise.native import core
from spanwise.records import Struct
from spanwise.text.ranges import Booleans, Integers


class SortedPairs(Struct, frozen=True, eq=False):
    """Different pairs, sorted by topic and document."""

    topics: tuple[str, ...]
    topic: Integers
    """The number of each pair's topic."""
    documents: Identifiers

    def __len__(self) -> int:
        return len(self.topic)

    def name(self, pair: int) -> tuple[str, str]:
        """Topic and document of a pair."""
        return self.topics[self.topic[pair]], self.documents[pair]

    def names(self) -> list[tuple[str, str]]:
        """Topic and document of every pair."""
        topics = map(self.topics.__getitem__, self.topic.tolist())
        return list(zip(topics, self.documents.strings(), strict=True))

    def only(self, kept: Booleans) -> SortedPairs:
        """Some of the pairs."""
        topics, topic = np.unique(self.topic[kept], return_inverse=True)
        names = tuple(self.topics[number] for number in topics.tolist())
        return SortedPairs(names, topic, self.documents.take(kept))


def sorted_pairs(topics: Identifiers, documents: Identifiers) -> tuple[SortedPairs, Integers]:
    """The different pairs among these rows, and the pair of each row.

    >>> names = (["q2", "q1", "q2"], ["a", "b", "a"])
    >>> pairs, number = sorted_pairs(*map(Identifiers.of, names))
    >>> pairs.names(), number.tolist()
    ([('q1', 'b'), ('q2', 'a')], [1, 0, 1])
    """
    order = rows_in_order(topics, documents)
    begins_topic = np.zeros(len(order), np.bool_)
    begins_topic[topics.take(order).runs()] = True
    begins_pair = begins_topic.copy()
    begins_pair[documents.take(order).runs()] = True
    number = np.empty(len(order), np.int64)
    number[order] = np.cumsum(begins_pair) - 1
    first = order[begins_pair]
    names = tuple(topics.take(order[begins_topic]).strings())
    topic = np.cumsum(begins_topic)[begins_pair] - 1
    return SortedPairs(names, topic, documents.take(first)), number


def rows_in_order(topics: Identifiers, documents: Identifiers) -> Integers:
    """The rows sorted by topic, then document, then row; bytes sort as their characters do."""
    if core is None:
        return _rows_in_order(topics, documents)
    order = core.sort_pairs(
        topics.buffer,
        np.ascontiguousarray(topics.start),
        np.ascontiguousarray(topics.end),
        documents.buffer,
        np.ascontiguousarray(documents.start),
        np.ascontiguousarray(documents.end),
    )
    return np.frombuffer(order, np.int64)


def _rows_in_order(topics: Identifiers, documents: Identifiers) -> Integers:
    if _has_rest(topics) or _has_rest(documents):
        names = list(zip(topics.strings(), documents.strings(), strict=True))
        return np.array(sorted(range(len(names)), key=names.__getitem__), np.int64)
    # The first byte of a name counts most, and what is shorter comes first: NUL fills it up.
    words = [
        column.word(number).byteswap()
        for column in (documents, topics)
        for number in reversed(range(column.word_count()))
    ]
    return np.lexsort(words) if words else np.zeros(0, np.int64)


def _has_rest(names: Identifiers) -> bool:
    """Is a name longer than its words?"""
    return int((names.end - names.start).max(initial=0)) > 8 * names.word_count()


class PairNames:
    """Numbers of pairs, the same for the same names: columns first, then one by one.

    >>> pairs = PairNames()
    >>> pairs.number("q1", "d7"), pairs.number("q1", "d9"), pairs.number("q1", "d7")
    (0, 1, 0)
    """

    def __init__(self) -> None:
        self._columns: SortedPairs | None = None
        """The pairs of columns, as long as no other ones were named."""
        self._named: dict[tuple[str, str], int] = {}
        self._names: list[tuple[str, str]] = []
        """The same names in the order of their numbers, as far as they were asked for."""
        self.from_columns = False
        """Columns may name pairs of which nothing is said in the end."""

    def __len__(self) -> int:
        return len(self._named) if self._columns is None else len(self._columns)

    def number(self, topic: str, document: str) -> int:
        """The number of one pair."""
        return self._spelled().setdefault((topic, document), len(self._named))

    def numbers(self, topics: Identifiers, documents: Identifiers) -> Integers:
        """The number of the pair in each row."""
        self.from_columns = True
        if not len(self):
            self._columns, numbers = sorted_pairs(topics, documents)
            return numbers
        names = zip(topics.strings(), documents.strings(), strict=True)
        return np.array([self.number(*name) for name in names], np.int64)

    def name(self, number: int) -> tuple[str, str]:
        """Topic and document of a pair."""
        if self._columns is not None:
            return self._columns.name(number)
        if number >= len(self._names):
            self._names = list(self._named)
        return self._names[number]

    def sorted(self) -> tuple[SortedPairs, Integers]:
        """The pairs in their order, and the place of each number in it."""
        if self._columns is not None:
            return self._columns, np.arange(len(self._columns))
        topics, documents = zip(*self._named, strict=True) if self._named else ((), ())
        return sorted_pairs(Identifiers.of(topics), Identifiers.of(documents))

    def _spelled(self) -> dict[tuple[str, str], int]:
        """The numbers by names, also those of columns."""
        if self._columns is not None:
            self._named = {name: number for number, name in enumerate(self._columns.names())}
            self._columns = None
        return self._named
