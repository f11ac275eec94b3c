"""Pairs of topic and document: their names are sorted, numbered, and found again.

Those that are judged are numbered from columns of names or one by one; the answers of a run then
meet them.
"""

from __future__ import annotations

from functools import cached_property

import numpy as np

from spanwise.data.identifiers import Bytes, Identifiers, Keys, first_places, grouped_keys
from spanwise.data.run import Run
from spanwise.native import core
from spanwise.records import Struct
from spanwise.text.ranges import Booleans, Integers, offsets_of


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


# -- pairs are found by their names


class PairIndex(Struct, frozen=True, eq=False, dict=True):
    """Finds (topic, document) pairs by their keys, confirmed by their names."""

    topic: Integers
    documents: Identifiers

    @classmethod
    def over(cls, topic: Integers, documents: Identifiers) -> PairIndex:
        """The index of pairs that are all different."""
        return cls(np.ascontiguousarray(topic, np.int64), documents)

    @classmethod
    def of_names(cls, documents: Identifiers) -> PairIndex:
        """The index of names that are all different, whatever the topic."""
        return cls.over(np.zeros(len(documents), np.int64), documents)

    def find(self, topic: Integers | None, documents: Identifiers) -> Integers:
        """The pair of each row, or -1; rows with a negative topic have none. None: topic 0."""
        if core is None:
            topic = np.zeros(len(documents), np.int64) if topic is None else topic
            return self._buckets.find(topic, documents)
        pair = np.empty(len(documents), np.int64)
        whole = None if topic is None else np.ascontiguousarray(topic, np.int64)
        core.find_pairs(*self.columns, *documents.columns, documents.keys(), whole, pair)
        return pair

    @cached_property
    def columns(self) -> tuple[Bytes, Integers, Integers, Integers, Keys]:
        """What the native core searches: names, topics, and a table of hashes and pairs."""
        assert core is not None, "only the native core has use for them"
        slots = np.empty(core.slots_for(len(self.documents)), np.uint64)
        columns = (*self.documents.columns, self.topic, slots)
        core.index_pairs(*columns, self.documents.keys())
        return columns

    @cached_property
    def _buckets(self) -> _Buckets:
        return _Buckets.over(self.topic, self.documents)


class _Buckets(Struct, frozen=True, eq=False):
    """The same in NumPy: a table of bits rules out most, buckets hold the rest."""

    topic: Integers
    documents: Identifiers
    order: Integers
    """Pairs, sorted by bucket; ``first`` tells where each bucket begins."""
    key: Keys
    first: Integers
    sieve: Booleans
    shift: np.uint64
    deepest: int
    """Pairs in the fullest bucket."""

    @classmethod
    def over(cls, topic: Integers, documents: Identifiers) -> _Buckets:
        """The index of pairs that are all different."""
        key = grouped_keys(documents.keys(), topic)
        bits = max(4, (8 * len(key)).bit_length())
        # The high bits: a multiplication mixes upwards only.
        shift = np.uint64(64 - bits)
        bucket = (key >> shift).astype(np.int64)
        order = np.argsort(bucket, kind="stable")
        first = offsets_of(bucket, 1 << bits)
        depth = np.diff(first)
        return cls(topic, documents, order, key[order], first, depth > 0, shift, int(depth.max()))

    def find(self, topic: Integers, documents: Identifiers) -> Integers:
        """The pair of each row, or -1; rows with a negative topic have none."""
        pair = np.full(len(topic), -1, np.int64)
        key = documents.grouped(topic)
        bucket = (key >> self.shift).view(np.int64)
        rows = np.flatnonzero(self.sieve[bucket])
        place, limit = self.first[bucket[rows]], self.first[bucket[rows] + 1]
        for _ in range(self.deepest):
            hit = self.key[place] == key[rows]
            self._settle(pair, topic, documents, rows[hit], self.order[place[hit]])
            place += 1
            left = np.flatnonzero((place < limit) & (pair[rows] < 0))
            rows, place, limit = rows[left], place[left], limit[left]
        return pair

    def _settle(
        self,
        pair: Integers,
        topic: Integers,
        documents: Identifiers,
        rows: Integers,
        found: Integers,
    ) -> None:
        """Take over what was found where not only the keys but the names are equal."""
        same = self.documents.take(found).equals(documents.take(rows))
        same &= self.topic[found] == topic[rows]
        pair[rows[same]] = found[same]


# -- the pages of a run's rankings, and which of them are judged


class Matched(Struct, frozen=True, eq=False):
    """One page for each document of each ranking, in the order of their first answers."""

    offsets: Integers
    """Where the pages of each ranking begin; one entry more than rankings."""
    judged: Integers
    """The judged pages, in order, and their judged (topic, document) pairs."""
    pair: Integers
    page: Integers | None
    """The page of each answer; None where every answer is a page of its own."""
    first: Integers | None
    """The first answer of each page; None where every answer is one."""
    names: Identifiers
    """The document of each page."""
    later: int
    """Answers that return to a document after answers of other ones."""
    may_repeat: bool
    """May a document be named twice in a ranking? Never a wrong no."""

    def __len__(self) -> int:
        return int(self.offsets[-1])


def matched(run: Run, topic: Integers, index: PairIndex) -> Matched:
    """The pages of a run; ``topic`` has the number of each ranking's topic in the index."""
    if core is None:
        several = run.several_per_document
        return _several_by_key(run, topic, index) if several else _one_by_key(run, topic, index)
    return _natively(run, topic, index)


def _natively(run: Run, topic: Integers, index: PairIndex) -> Matched:
    assert core is not None
    rows, documents = len(run), run.documents
    page, first = (np.empty(rows, np.int64) if run.several_per_document else None for _ in range(2))
    offsets = np.empty(len(topic) + 1, np.int64)
    judged, pair = np.empty(rows, np.int64), np.empty(rows, np.int64)
    pages, later, count = core.pages(
        *documents.columns,
        documents.keys(),
        np.ascontiguousarray(run.offsets),
        topic,
        *index.columns,
        page,
        first,
        offsets,
        judged,
        pair,
    )
    if first is None and pages < rows:
        return _one_by_key(run, topic, index)  # A fault, which alignment refuses.
    if first is not None:
        first = first[:pages]
        documents = documents.take(first).with_keys(documents.keys()[first])
    # Few pages are judged: the rest of these columns was never touched, and is given back.
    judged, pair = judged[:count].copy(), pair[:count].copy()
    return Matched(offsets, judged, pair, page, first, documents, later, pages < rows)


def _several_by_key(run: Run, topic: Integers, index: PairIndex) -> Matched:
    ranking = run.topic
    page = run.documents.codes(ranking)
    first = first_places(page)
    stretch = np.cumsum(np.diff(page, prepend=-1) != 0)
    later = int(np.count_nonzero(stretch != stretch[first][page]))
    names = run.documents.take(first)
    found = index.find(topic[ranking[first]], names)
    judged = np.flatnonzero(found >= 0)
    offsets = np.searchsorted(first, run.offsets)
    repeated = len(first) < len(page)
    return Matched(offsets, judged, found[judged], page, first, names, later, repeated)


def _one_by_key(run: Run, topic: Integers, index: PairIndex) -> Matched:
    topic_of_answer = topic[run.topic]
    found = index.find(topic_of_answer, run.documents)
    judged = np.flatnonzero(found >= 0)
    repeated = run.documents.may_repeat(topic_of_answer)
    return Matched(run.offsets, judged, found[judged], None, None, run.documents, 0, repeated)
