"""Assessments: what is relevant to each topic, in which documents, and where inside them."""

from __future__ import annotations

from collections import ChainMap
from collections.abc import Collection, Hashable, Iterator, Mapping, MutableMapping, Sequence
from functools import cached_property
from itertools import compress
from typing import Any, cast

import numpy as np

from spanwise.data.abridged import MOST, as_html, first_rows, short
from spanwise.data.grades import NO_ELEMENTS, ElementJudgements, Pointed
from spanwise.data.identifiers import Identifiers
from spanwise.data.notes import Note
from spanwise.data.pairs import PairIndex
from spanwise.data.quoted import Quoted
from spanwise.records import Struct, field, replace
from spanwise.text.ranges import (
    Booleans,
    Integers,
    Ranges,
    offsets_of,
    owners_of,
    sums_by_owner,
)
from spanwise.text.sentences import counted

UNKNOWN = -1
"""A length or entry point that is not recorded."""


class Passages(Struct, frozen=True, eq=False):
    """The assessor's ranges as they were written, in the order of the file."""

    pair: Integers
    start: Integers
    end: Integers
    grade: Integers
    aspects: tuple[tuple[str, ...], ...]
    quotes: tuple[str | None, ...] | None = None
    """The text that each range says it holds, None where it says nothing; None if none does."""
    line: Integers | None = None
    """The line of each range, 0 where it has none."""

    def take(self, rows: Integers, pair: Integers) -> Passages:
        """Some of the ranges, of these pairs."""
        chosen = rows.tolist()
        return Passages(
            pair,
            self.start[rows],
            self.end[rows],
            self.grade[rows],
            tuple(self.aspects[row] for row in chosen),
            None if self.quotes is None else tuple(self.quotes[row] for row in chosen),
            None if self.line is None else self.line[rows],
        )


class DocumentLengths(Mapping[str, int]):
    """The length of each document; names become strings only when one is asked for.

    >>> import numpy as np
    >>> lengths = DocumentLengths(Identifiers.of(["d7", "d9"]), np.array([250, 9]))
    >>> lengths["d9"], len(lengths), "d8" in lengths
    (9, 2, False)
    """

    def __init__(self, documents: Identifiers, length: Integers) -> None:
        self.documents = documents
        """All different."""
        self.length = length

    @cached_property
    def index(self) -> PairIndex:
        """Finds documents by their names."""
        return PairIndex.of_names(self.documents)

    @cached_property
    def with_unknown(self) -> Integers:
        """The lengths, and ``UNKNOWN`` as the last, where what is not found has its place."""
        return np.append(self.length, UNKNOWN)

    @cached_property
    def _by_name(self) -> dict[str, int]:
        return dict(zip(self.documents.strings(), self.length.tolist(), strict=True))

    def __getitem__(self, document: str) -> int:
        return self._by_name[document]

    def __contains__(self, document: object) -> bool:
        return document in self._by_name

    def __iter__(self) -> Iterator[str]:
        return iter(self._by_name)

    def __len__(self) -> int:
        return len(self.length)

    def __repr__(self) -> str:
        return repr(self._by_name)


class Assessments(Struct, frozen=True, eq=False, dict=True):
    """Judged (topic, document) pairs, sorted by topic and document, and what is relevant in them.

    ``relevant`` holds, for each pair, the union of its relevant ranges. A pair whose document was
    judged relevant as a whole has ``whole`` set; its range is known once its length is.
    """

    topics: tuple[str, ...]
    offsets: Integers
    documents: Identifiers
    grade: Integers
    """Of each pair: the judged grade, or the largest of its ranges; 0 or less: not relevant."""
    whole: Booleans
    relevant: Ranges
    length: Integers
    """Length of each pair's document, ``UNKNOWN`` where not recorded."""
    entry_offsets: Integers
    entry_point: Integers
    """Best entry points, ``entry_point[entry_offsets[p]:entry_offsets[p + 1]]`` for pair p."""
    passages: Passages
    elements: ElementJudgements = NO_ELEMENTS
    """Elements that were judged by themselves."""
    pointed: tuple[Pointed, ...] = ()
    """Passages and entry points whose characters are not known before the documents are."""
    quoted: tuple[Quoted, ...] = ()
    """Relevant text that is quoted; it belongs to no pair before it is located in the documents."""
    lengths: Mapping[str, int] = field(default_factory=dict)
    hashes: Mapping[str, str] = field(default_factory=dict)
    file: str = "assessments"
    queries: Mapping[str, str] = field(default_factory=dict)
    """What was asked, by topic; people see it beside the topic."""
    texts: Mapping[str, str] = field(default_factory=dict)
    """The texts of documents, where the file holds them itself or the one to be written does."""
    judged_elsewhere: PairIndex | None = None
    """Documents of the assessments that these are a part of."""
    notes: tuple[Note, ...] = ()
    """What is to be said wherever they are used: how quoted text was found, for one."""

    def __repr__(self) -> str:
        said = [counted(len(self.topics), "topic"), counted(len(self.documents), "judgement")]
        said += [counted(len(self.quoted), "quote") + " to be located"] if self.quoted else []
        title = f"Assessments {short(self.file)}: {', '.join(said)}"
        pairs = [self._shown_row(pair) for pair in range(min(len(self.documents), MOST))]
        quotes = [
            (short(each.topic), short(each.document or ""), f'"{short(each.text)}"')
            for each in self.quoted[: MOST - len(pairs)]
        ]
        return first_rows(title, [*pairs, *quotes], len(self.documents) + len(self.quoted))

    def _repr_html_(self) -> str:
        return as_html(repr(self))

    def _shown_row(self, pair: int) -> tuple[str, ...]:
        """Topic, document and relevant ranges of a pair."""
        topic = self.topics[int(np.searchsorted(self.offsets, pair, "right")) - 1]
        ranges = self.relevant.take(np.array([pair]))
        places = zip(ranges.start[:MOST].tolist(), ranges.end[:MOST].tolist(), strict=True)
        marks = [f"[{start}, {end})" for start, end in places]
        marks += ["..."] if len(ranges.start) > MOST else []
        whole = "whole document" if self.whole[pair] else ""
        judged = " ".join(marks) or whole if self.is_relevant[pair] else "not relevant"
        return short(topic), short(self.documents[pair]), judged

    @property
    def is_placed(self) -> bool:
        """Whether ranges are all that was said: no quotes, paths, hashes or texts of documents."""
        unplaced = self.pointed or self.quoted or self.hashes or self.texts
        plain = self.passages.quotes is None and self.elements is NO_ELEMENTS
        return plain and not unplaced

    @cached_property
    def topic(self) -> Integers:
        """The number of each pair's topic."""
        return owners_of(self.offsets)

    @cached_property
    def kept(self) -> dict[Hashable, Any]:
        """What was derived from these assessments and is asked for again with every run."""
        return {}

    @cached_property
    def numbers(self) -> dict[str, int]:
        """Topic name to topic number."""
        return dict(zip(self.topics, range(len(self.topics)), strict=True))

    def numbers_of(self, topics: tuple[str, ...]) -> Integers:
        """The number of each of these topics, -1 where it is not assessed; the last are kept."""
        kept = self.kept.get("numbers")
        if kept is None or kept[0] is not topics:
            found = list(map(self.numbers.get, topics))
            if None in found:
                found = [-1 if number is None else number for number in found]
            kept = self.kept["numbers"] = (topics, np.array(found, np.int64))
        numbers: Integers = kept[1]
        return numbers

    @cached_property
    def is_relevant(self) -> Booleans:
        """Which pairs are relevant."""
        known = self.whole | (self.relevant.sizes() > 0) | self.has_relevant_elements
        relevant: Booleans = (self.grade > 0) & known
        return relevant

    @cached_property
    def has_relevant_elements(self) -> Booleans:
        """In which pairs elements, or passages at places not known yet, were judged relevant."""
        result = np.zeros(len(self.documents), np.bool_)
        if self.elements is not NO_ELEMENTS:
            result[self.elements.pair[self.elements.relevant]] = True
        passages = [pointed for pointed in self.pointed if pointed.end is not None]
        if passages:
            topic = np.array([self.numbers[pointed.topic] for pointed in passages], np.int64)
            names = Identifiers.of(pointed.document for pointed in passages)
            result[self.index.find(topic, names)] = True
        return result

    @cached_property
    def without_text(self) -> Booleans:
        """Relevant pairs of which only elements are known to be relevant, but no text is."""
        unmarked: Booleans = ~self.whole & (self.relevant.sizes() == 0)
        return self.is_relevant & unmarked

    @cached_property
    def relevant_documents(self) -> Integers:
        """Nrel of each topic."""
        return np.bincount(self.topic[self.is_relevant], minlength=len(self.topics))

    @cached_property
    def topics_with_relevant(self) -> frozenset[str]:
        """The topics that can be scored."""
        return frozenset(compress(self.topics, self.relevant_documents.tolist()))

    @cached_property
    def has_all_sizes(self) -> bool:
        """Is the length of every document known that is relevant as a whole?"""
        return not bool((self.is_relevant & self.whole & (self.length == UNKNOWN)).any())

    @cached_property
    def relevant_text(self) -> Integers:
        """Trel of each topic, as far as lengths are known."""
        sizes = np.where(self.is_relevant, self.relevant.sizes(), 0)
        return sums_by_owner(sizes, self.offsets)

    @cached_property
    def ideal_grades(self) -> Ranges:
        """The grades of each topic's relevant documents, best first, as the starts of ranges."""
        pairs = np.flatnonzero(self.is_relevant)
        topic = self.topic[pairs]
        grade = self.grade[pairs][np.lexsort((-self.grade[pairs], topic))]
        return Ranges(offsets_of(topic, len(self.topics)), grade, grade)

    @property
    def entry_points(self) -> Ranges:
        """The best entry points of each pair, as the starts of ranges."""
        return Ranges(self.entry_offsets, self.entry_point, self.entry_point)

    @cached_property
    def _length_index(self) -> tuple[PairIndex, Integers]:
        known = self.lengths
        if not isinstance(known, DocumentLengths):
            length = np.array([*known.values()], np.int64)
            known = DocumentLengths(Identifiers.of(known), length)
        return known.index, known.with_unknown

    def lengths_of(self, documents: Identifiers) -> Integers:
        """The length of each document, judged or not, ``UNKNOWN`` where it is not recorded."""
        index, length = self._length_index
        return length[index.find(None, documents)]

    @cached_property
    def _judged_names(self) -> PairIndex:
        return PairIndex.of_names(self.documents.take(self.documents.distinct()))

    def knows(self, documents: Identifiers) -> Booleans:
        """Which of these documents are judged for any topic, or have a length."""
        known = self._judged_names.find(None, documents) >= 0
        if self.judged_elsewhere is not None:
            known |= self.judged_elsewhere.find(None, documents) >= 0
        if isinstance(self.lengths, DocumentLengths):
            known |= self._length_index[0].find(None, documents) >= 0
        elif self.lengths:
            for row in np.flatnonzero(~known).tolist():
                known[row] = documents[row] in self.lengths
        return known

    def judged_names(self) -> list[str]:
        """The judged documents, each of them once."""
        return self._judged_names.documents.strings()

    @cached_property
    def index(self) -> PairIndex:
        """Finds pairs by topic number and document name."""
        return PairIndex.over(self.topic, self.documents)

    def in_file_order(self) -> Assessments:
        """The same with ranges that were located among those that were written, by their lines."""
        if self.passages.line is None:
            return self
        order = np.argsort(self.passages.line, kind="stable")
        return replace(self, passages=self.passages.take(order, self.passages.pair[order]))

    def with_lengths(self, lengths: Mapping[str, int]) -> Assessments:
        """The same assessments with documents' lengths from elsewhere, which take precedence."""
        known = ChainMap(cast(MutableMapping[str, int], lengths), dict(self.lengths))
        names = self.documents.strings()
        length = np.array([known.get(name, UNKNOWN) for name in names], np.int64)
        whole = self.whole & (self.grade > 0)
        relevant = with_whole_documents(self.relevant, whole, length)
        return replace(self, lengths=known, length=length, relevant=relevant)

    def clipped(self) -> Assessments:
        """The same assessments with ranges cut at the end of their documents."""
        limit = np.where(self.length == UNKNOWN, np.iinfo(np.int64).max, self.length)
        ranges = self.relevant
        end = np.minimum(ranges.end, limit[ranges.owner])
        cut = Ranges.union_of(ranges.owner, ranges.start, end, len(ranges))
        passages = self.passages
        inside = np.flatnonzero(passages.start < limit[passages.pair])
        passages = passages.take(inside, passages.pair[inside])
        passages = replace(passages, end=np.minimum(passages.end, limit[passages.pair]))
        return replace(self, relevant=cut, passages=passages)

    def only(self, topics: Collection[str]) -> Assessments:
        """The judgements of these topics."""
        kept = [number for number, name in enumerate(self.topics) if name in topics]
        return replace(
            self._in_order(kept),
            pointed=tuple(pointed for pointed in self.pointed if pointed.topic in topics),
            quoted=tuple(quoted for quoted in self.quoted if quoted.topic in topics),
            queries={topic: query for topic, query in self.queries.items() if topic in topics},
        )

    def only_documents(self, documents: Collection[str]) -> Assessments:
        """The judgements of these documents, and the topics that have any."""
        kept = np.array([name in documents for name in self.documents.strings()], np.bool_)
        found = self._in_order(np.unique(self.topic[kept]).tolist(), kept)
        return replace(
            found,
            pointed=tuple(each for each in self.pointed if each.document in documents),
            quoted=tuple(each for each in self.quoted if each.document in documents),
            queries={name: self.queries[name] for name in found.topics if name in self.queries},
            lengths={name: size for name, size in self.lengths.items() if name in documents},
            hashes={name: digest for name, digest in self.hashes.items() if name in documents},
            texts={name: text for name, text in self.texts.items() if name in documents},
        )

    def renamed(self, names: Mapping[str, str]) -> Assessments:
        """The same judgements of topics with other names, all different; others keep theirs."""

        def name_of(topic: str) -> str:
            return names.get(topic, topic)

        order = sorted(range(len(self.topics)), key=lambda number: name_of(self.topics[number]))
        found = self._in_order(order)
        return replace(
            found,
            topics=tuple(map(name_of, found.topics)),
            pointed=tuple(replace(each, topic=name_of(each.topic)) for each in self.pointed),
            quoted=tuple(replace(each, topic=name_of(each.topic)) for each in self.quoted),
            queries={name_of(topic): query for topic, query in self.queries.items()},
        )

    def without(self, pairs: Integers) -> Assessments:
        """The same judgements but those of some pairs; every topic stays, judged or not."""
        kept = np.ones(len(self.documents), np.bool_)
        kept[pairs] = False
        left = np.flatnonzero(kept)
        topics = (self.topics[number] for number in self.topic[pairs].tolist())
        gone = set(zip(topics, self.documents.take(pairs).strings(), strict=True))
        pointed = (each for each in self.pointed if (each.topic, each.document) not in gone)
        found = self._of_pairs(left, self.topic[left], range(len(self.topics)))
        return replace(found, pointed=tuple(pointed))

    def with_relevant(self, topic: Integers, documents: Identifiers, end: Integers) -> Assessments:
        """The same, and further pairs whose document is relevant from its start to an end."""
        further = np.arange(len(topic))

        def longer(column: Any, value: Any) -> Any:
            return np.concatenate((column, np.full(len(topic), value, column.dtype)))

        ranges = self.relevant
        appended = replace(
            self,
            documents=Identifiers.of([*self.documents.strings(), *documents.strings()]),
            grade=longer(self.grade, 1),
            whole=longer(self.whole, value=False),
            relevant=Ranges(
                np.concatenate((ranges.offsets, ranges.offsets[-1] + further + 1)),
                longer(ranges.start, 0),
                np.concatenate((ranges.end, end)),
            ),
            length=longer(self.length, UNKNOWN),
            entry_offsets=longer(self.entry_offsets, self.entry_offsets[-1]),
        )
        topics = np.concatenate((self.topic, topic))
        order = np.argsort(topics, kind="stable")
        return appended._of_pairs(order, topics[order], range(len(self.topics)))

    def _in_order(self, numbers: Sequence[int], kept: Booleans | None = None) -> Assessments:
        """The judgements of the topics with these numbers, in this order; of ``kept`` pairs."""
        rank = np.full(len(self.topics), len(numbers), np.int64)
        rank[numbers] = np.arange(len(numbers))
        topic = rank[self.topic]
        if kept is not None:
            topic = np.where(kept, topic, len(numbers))
        pairs = np.argsort(topic, kind="stable")[: int(np.count_nonzero(topic < len(numbers)))]
        return self._of_pairs(pairs, topic[pairs], numbers)

    def _of_pairs(self, pairs: Integers, topic: Integers, numbers: Sequence[int]) -> Assessments:
        """The judgements of some pairs, each of the topic at this place among these numbers."""
        place = np.full(len(self.documents) + 1, -1, np.int64)
        place[pairs] = np.arange(len(pairs))
        written = np.flatnonzero(place[self.passages.pair] >= 0)
        judged = _by_place(place[self.elements.pair])
        entry_pair = place[owners_of(self.entry_offsets)]
        entries = _by_place(entry_pair)
        return replace(
            self,
            topics=tuple(self.topics[number] for number in numbers),
            offsets=offsets_of(topic, len(numbers)),
            documents=self.documents.take(pairs),
            grade=self.grade[pairs],
            whole=self.whole[pairs],
            relevant=self.relevant.take(pairs),
            length=self.length[pairs],
            entry_offsets=offsets_of(entry_pair[entries], len(pairs)),
            entry_point=self.entry_point[entries],
            passages=self.passages.take(written, place[self.passages.pair[written]]),
            elements=self.elements.take(judged, place[self.elements.pair[judged]]),
        )


def _by_place(places: Integers) -> Integers:
    """The rows that have a place, by place."""
    rows = np.argsort(places, kind="stable")
    return rows[np.count_nonzero(places < 0) :]


def with_whole_documents(relevant: Ranges, whole: Booleans, length: Integers) -> Ranges:
    """Give each pair that is relevant as a whole its range, where the length is known."""
    known = np.flatnonzero(whole & (length >= 0))
    others = np.flatnonzero(~np.isin(relevant.owner, known))
    owner = np.concatenate((relevant.owner[others], known))
    start = np.concatenate((relevant.start[others], np.zeros(len(known), np.int64)))
    end = np.concatenate((relevant.end[others], length[known]))
    return Ranges.union_of(owner, start, end, len(relevant))
