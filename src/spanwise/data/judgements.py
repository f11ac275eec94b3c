"""Where assessments come into being: judgements in rows or columns, checked and put together."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from itertools import chain

import numpy as np

from spanwise.data.assessments import (
    UNKNOWN,
    Assessments,
    DocumentLengths,
    Passages,
    with_whole_documents,
)
from spanwise.data.grades import (
    NO_ELEMENTS,
    ElementJudgements,
    Pointed,
    Said,
    wrong_judgement,
    wrong_rows,
)
from spanwise.data.identifiers import Identifiers
from spanwise.data.notes import Faults, Note
from spanwise.data.pairs import PairNames, SortedPairs
from spanwise.data.quoted import Quoted
from spanwise.errors import Fault, InputError, option, shown
from spanwise.records import replace
from spanwise.text.ranges import Booleans, Integers, Ranges, offsets_of

LARGEST = 2**63 - 1
LENIENT = option("lenient", True)
_LEAST = -(2**63)
_COLUMNS = 5
"""Of ranges: pair, start, end, grade, line."""


class Judgements:
    """Collects judgements of one file and builds :class:`Assessments` from them.

    >>> judgements = Judgements(Faults("qrels"))
    >>> judgements.add_range("q1", "d7", 100, 250)
    >>> judgements.judge("q1", "d9", 0)
    >>> assessments = judgements.build()
    >>> assessments.relevant.to_lists()
    [[(100, 250)], []]
    """

    def __init__(self, faults: Faults, told: Mapping[str, int] | None = None) -> None:
        self.faults = faults
        self._told = told or {}
        """Lengths of documents that were told first, before any of these judgements."""
        self._pairs = PairNames()
        self._judged: dict[int, tuple[int, int | None]] = {}
        self._judged_columns: tuple[Integers, Integers, Integers] | None = None
        """Pairs, grades and lines, as long as nothing else was judged."""
        self._ranges: list[tuple[int, int, int, int, int]] = []
        self._range_blocks: list[Integers] = []
        """Ranges that came as columns, and those that came before them."""
        self._aspects: dict[int, tuple[str, ...]] = {}
        """The aspects of ranges that have any, by the number of the range."""
        self._quotes: dict[int, str] = {}
        self._points: list[tuple[int, int]] = []
        self._point_blocks: list[Integers] = []
        """Entry points that came as columns: pairs, then points."""
        self._elements: dict[tuple[int, str], tuple[int, int, int, int, int]] = {}
        self._element_columns: ElementJudgements | None = None
        """Judged elements, as long as none was judged by itself."""
        self._pointed: list[Pointed] = []
        self._quoted: list[Quoted] = []
        self._lengths: dict[str, int] = {}
        self._length_columns: tuple[DocumentLengths, Integers, Integers] | None = None
        """Lengths of documents, then pairs with their lengths; no other lengths were told."""
        self._hashes: dict[str, str] = {}
        self._queries: dict[str, str] = {}

    # -- one row at a time

    def add_range(
        self,
        topic: str,
        document: str,
        start: int,
        end: int,
        grade: int = 1,
        aspects: Sequence[str] = (),
        line: int | None = None,
        quote: str | None = None,
    ) -> None:
        """A range the assessor looked at: relevant with grade 1 or more, else not."""
        if not 0 <= start < end <= LARGEST:
            self._refuse_range(start, end, line)
            return
        if aspects:
            self._aspects[self._count()] = tuple(aspects)
        if quote is not None:
            self._quotes[self._count()] = quote
        self._ranges.append((self._pairs.number(topic, document), start, end, grade, line or 0))

    def _refuse_range(self, start: int, end: int, line: int | None) -> None:
        found, expected = f"range [{start}, {end})", "0 <= start < end < 2^63"
        self.faults.add("range", line, found, expected, f"fix the offsets or use {LENIENT}")

    def _count(self) -> int:
        """How many ranges there are."""
        return len(self._ranges) + sum(len(block[0]) for block in self._range_blocks)

    def judge(self, topic: str, document: str, grade: int, line: int | None = None) -> None:
        """The document as a whole: relevant with grade 1 or more, else not."""
        if self._judged_columns is not None:
            pairs, grades, lines = (column.tolist() for column in self._judged_columns)
            places = (place or None for place in lines)
            self._judged = dict(zip(pairs, zip(grades, places, strict=True), strict=True))
            self._judged_columns = None
        number = self._pairs.number(topic, document)
        before, place = self._judged.setdefault(number, (grade, line))
        if before != grade:
            self._refuse_grade(topic, document, grade, line, before, place)

    def _refuse_grade(
        self,
        topic: str,
        document: str,
        grade: int,
        line: int | None,
        before: int,
        place: int | None,
    ) -> None:
        self.faults.add(
            "contradiction",
            line,
            f"grade {grade} for topic {topic}, document {document}",
            f"grade {before} as in line {place}",
            "keep one of the two judgements",
        )

    def add_entry_point(
        self, topic: str, document: str, point: int, line: int | None = None
    ) -> None:
        """A best entry point."""
        if not 0 <= point <= LARGEST:
            self._refuse_point(point, line)
            return
        self._points.append((self._pairs.number(topic, document), point))

    def _refuse_point(self, point: int, line: int | None) -> None:
        remedy = f"fix the offset or use {LENIENT}"
        self.faults.add("range", line, f"entry point {point}", "0 <= bep < 2^63", remedy)

    def add_element(
        self,
        topic: str,
        document: str,
        path: str,
        exhaustivity: int = UNKNOWN,
        specificity: int = UNKNOWN,
        size: int = UNKNOWN,
        relevant_size: int = UNKNOWN,
        line: int | None = None,
    ) -> None:
        """An element by itself: two grades from 0 to 3, or how much of it is highlighted."""
        said = (exhaustivity, specificity, size, relevant_size)
        if wrong_judgement(path, *said) is not None:
            self._refuse_element(path, said, line)
            return
        self._spell_elements()
        key = (self._pairs.number(topic, document), path)
        *before, place = self._elements.setdefault(key, (*said, line or 0))
        if tuple(before) != said:
            self._refuse_other_element(topic, document, path, line, place)

    def _refuse_element(self, path: str, said: Said, line: int | None) -> None:
        wrong = wrong_judgement(path, *said)
        assert wrong is not None, "only wrong judgements are refused"
        self.faults.add("grade", line, *wrong, f"fix the judgement or use {LENIENT}")

    def _refuse_other_element(
        self, topic: str, document: str, path: str, line: int | None, place: int
    ) -> None:
        found = f"another judgement of {path} in document {document} for topic {topic}"
        expected = f"the one of line {place}" if place else "one judgement of each element"
        self.faults.add("contradiction", line, found, expected, "keep one of the two judgements")

    def _spell_elements(self) -> None:
        """The judged elements by themselves, also those of columns."""
        judged = self._element_columns
        if judged is not None:
            keys = zip(judged.pair.tolist(), judged.paths.strings(), strict=True)
            columns = (judged.exhaustivity, judged.specificity, judged.size, judged.relevant_size)
            said = zip(*(column.tolist() for column in (*columns, judged.line)), strict=True)
            self._elements = dict(zip(keys, said, strict=True))
            self._element_columns = None

    def add_pointed(self, pointed: Pointed) -> None:
        """A passage or an entry point given by places in the tree."""
        self._pairs.number(pointed.topic, pointed.document)
        self._pointed.append(pointed)

    def add_quoted(self, quoted: Quoted) -> None:
        """Text that was judged and whose place is not known yet."""
        self._quoted.append(quoted)

    def add_document(
        self, document: str, length: int, sha256: str | None = None, line: int | None = None
    ) -> None:
        """The length of a document."""
        if self._length_columns is not None:
            self._lengths, self._length_columns = dict(self._length_columns[0]), None
        known = self._lengths.setdefault(document, self._told.get(document, length))
        if not 0 <= length <= LARGEST or known != length:
            expected = f"{known} as said before" if known != length else "0 <= length < 2^63"
            found = f"length {length} of document {document}"
            self.faults.add("length", line, found, expected, f"fix the length or use {LENIENT}")
        if sha256 is not None:
            self._hashes[document] = sha256

    def add_query(self, topic: str, query: str, line: int | None = None) -> None:
        """What a topic asks; rows of one topic say the same."""
        before = self._queries.setdefault(topic, query)
        if before != query:
            found = f"the query {shown(query)} for topic {topic}"
            remedy = "give each question a topic of its own"
            self.faults.add("contradiction", line, found, f"{shown(before)} as before", remedy)

    # -- whole columns; faults are searched for together, and told row by row

    def numbers(self, topics: Identifiers, documents: Identifiers) -> Integers:
        """A number for the pair in each row, under which the other columns are about it."""
        return self._pairs.numbers(topics, documents)

    def add_ranges(
        self,
        pairs: Integers,
        start: Integers,
        end: Integers,
        grade: Integers | None = None,
        line: Integers | None = None,
        aspects: Mapping[int, Sequence[str]] | None = None,
        quotes: Mapping[int, str] | None = None,
    ) -> None:
        """Many ranges: grades of 1 and no lines if not given, aspects and quotes by row."""
        size = len(pairs)
        grade = np.ones(size, np.int64) if grade is None else grade
        line = np.zeros(size, np.int64) if line is None else line
        table = np.array((pairs, start, end, grade, line), np.int64).reshape(_COLUMNS, size)
        good = (start >= 0) & (start < end)
        for row in np.flatnonzero(~good).tolist():
            self._refuse_range(int(start[row]), int(end[row]), int(line[row]) or None)
        place = np.cumsum(good) - 1 + self._count()
        for row, about in (aspects or {}).items():
            if good[row] and about:
                self._aspects[int(place[row])] = tuple(about)
        for row, quote in (quotes or {}).items():
            if good[row]:
                self._quotes[int(place[row])] = quote
        self._range_blocks += (self._range_columns(), table if good.all() else table[:, good])
        self._ranges = []

    def _range_columns(self) -> Integers:
        """The ranges that came row by row, as columns."""
        numbers = chain.from_iterable(self._ranges)
        count = _COLUMNS * len(self._ranges)
        return np.fromiter(numbers, np.int64, count).reshape(-1, _COLUMNS).T

    def judge_all(self, pairs: Integers, grade: Integers, line: Integers | None = None) -> None:
        """Many documents as wholes."""
        line = np.zeros(len(pairs), np.int64) if line is None else line
        if self._judged or self._judged_columns is not None:
            for number, said, place in zip(*_lists(pairs, grade, line), strict=True):
                self.judge(*self._pairs.name(number), said, place or None)
            return
        if not len(pairs):
            return
        first = _first_of_same(pairs, len(self._pairs))
        for row in np.flatnonzero(grade[first] != grade).tolist():
            before = int(first[row])
            self._refuse_grade(
                *self._pairs.name(int(pairs[row])),
                int(grade[row]),
                int(line[row]) or None,
                int(grade[before]),
                int(line[before]) or None,
            )
        kept = first == np.arange(len(first))
        self._judged_columns = pairs[kept], grade[kept], line[kept]

    def add_entry_points(self, pairs: Integers, point: Integers, line: Integers) -> None:
        """Many best entry points."""
        for row in np.flatnonzero(point < 0).tolist():
            self._refuse_point(int(point[row]), int(line[row]) or None)
        good = point >= 0
        table = np.array((pairs, point), np.int64).reshape(2, len(pairs))
        self._point_blocks += (self._point_columns(), table if good.all() else table[:, good])
        self._points = []

    def _point_columns(self) -> Integers:
        """The entry points that came one by one, as columns."""
        return np.array(self._points, np.int64).reshape(-1, 2).T

    def judge_elements(self, judged: ElementJudgements) -> None:
        """Many elements; their pairs are those of ``numbers``."""
        if self._elements or self._element_columns is not None:
            for row in range(len(judged)):
                pair, place = self._pairs.name(int(judged.pair[row])), int(judged.line[row])
                self.add_element(*pair, judged.paths[row], *judged.said(row), place or None)
            return
        wrong, first = wrong_rows(judged), np.arange(len(judged))
        good = np.flatnonzero(~wrong)
        codes = judged.paths.take(good).codes(judged.pair[good])
        first[good] = good[_first_of_same(codes, len(codes))]
        for row in np.flatnonzero(wrong | judged.differs(first)).tolist():
            line, path = int(judged.line[row]) or None, judged.paths[row]
            if wrong[row]:
                self._refuse_element(path, judged.said(row), line)
            else:
                pair = self._pairs.name(int(judged.pair[row]))
                self._refuse_other_element(*pair, path, line, int(judged.line[first[row]]))
        kept = np.flatnonzero(~wrong & (first == np.arange(len(first))))
        if len(kept):
            self._element_columns = judged.take(kept, judged.pair[kept])

    def add_documents(self, pairs: Integers, documents: Identifiers, length: Integers) -> bool:
        """The documents of many pairs and their lengths, unless these are wrong or not alone."""
        if self._lengths or self._length_columns is not None or not len(pairs):
            return not len(pairs)
        codes = documents.codes()
        first = _first_of_same(codes, len(codes))
        if (length < 0).any() or (length[first] != length).any():
            return False
        if self._told and not self._told.keys().isdisjoint(documents.strings()):
            return False
        kept = np.flatnonzero(first == np.arange(len(first)))
        known = DocumentLengths(documents.take(kept), length[kept])
        self._length_columns = known, pairs, length
        return True

    # -- all together

    def build(self) -> Assessments:
        """The assessments; raises if there are faults and leniency was not asked for."""
        pairs, place = self._sorted_pairs()
        blocks = [*self._range_blocks, self._range_columns()]
        table = np.concatenate(blocks, axis=1)
        table[0] = place[table[0]]
        length = self._length_of(pairs, place)
        judged, was_judged = self._judgements(place, len(pairs))
        self._refuse_contradictions(table, pairs, was_judged & (judged <= 0))
        self._note_contradicting_ranges(table)
        self._refuse_relevant_elements(place, pairs, was_judged & (judged <= 0))
        self._cut_at_lengths(table, pairs, length)
        self.faults.settle()
        return self._columns(pairs, place, table, length, judged, was_judged)

    def _sorted_pairs(self) -> tuple[SortedPairs, Integers]:
        """The pairs of which anything is said, and the place of each number among them."""
        pairs, place = self._pairs.sorted()
        if not self._pairs.from_columns:
            return pairs, place
        used = np.zeros(len(place), np.bool_)
        for block in (*self._range_blocks, *self._point_blocks):
            used[block[0]] = True
        if self._judged_columns is not None:
            used[self._judged_columns[0]] = True
        if self._element_columns is not None:
            used[self._element_columns.pair] = True
        if used.all():
            return pairs, place
        one_by_one = chain(
            (number for number, *_ in self._ranges),
            self._judged,
            (number for number, _ in self._points),
            (number for number, _ in self._elements),
            (self._pairs.number(each.topic, each.document) for each in self._pointed),
        )
        used[np.fromiter(one_by_one, np.int64)] = True
        if used.all():
            return pairs, place
        kept = np.zeros(len(pairs), np.bool_)
        kept[place[used]] = True
        return pairs.only(kept), (np.cumsum(kept) - 1)[place]

    def _length_of(self, pairs: SortedPairs, place: Integers) -> Integers:
        """The length of each pair's document."""
        length = np.full(len(pairs), UNKNOWN, np.int64)
        known = self._lengths
        if self._length_columns is not None:
            lengths, numbers, told = self._length_columns
            length[place[numbers]] = told
            if not (length == UNKNOWN).any():
                return length
            known = dict(lengths)
        if known:
            length[:] = [known.get(name, UNKNOWN) for name in pairs.documents.strings()]
        return length

    def _columns(
        self,
        pairs: SortedPairs,
        place: Integers,
        table: Integers,
        length: Integers,
        judged: Integers,
        was_judged: Booleans,
    ) -> Assessments:
        pair, start, end, grade, line = table
        passages = Passages(pair, start, end, grade, *self._said_of_ranges(len(pair)), line)
        good = np.flatnonzero((grade > 0) & (end > start))
        if len(good) < len(pair):
            pair, start, end = pair[good], start[good], end[good]
        ranges = Ranges.union_of(pair, start, end, len(pairs))
        whole = was_judged & (judged > 0)
        pointed, point = np.concatenate((*self._point_blocks, self._point_columns()), axis=1)
        order = np.argsort(place[pointed], kind="stable")
        elements = self._judged_elements(place)
        known = self._length_columns
        return Assessments(
            topics=pairs.topics,
            offsets=offsets_of(pairs.topic, len(pairs.topics)),
            documents=pairs.documents,
            grade=np.where(was_judged, judged, self._grades(passages, elements, place, len(pairs))),
            whole=whole,
            relevant=with_whole_documents(ranges, whole, length) if whole.any() else ranges,
            length=length,
            entry_offsets=offsets_of(place[pointed], len(pairs)),
            entry_point=point[order],
            passages=passages,
            elements=elements,
            pointed=tuple(self._pointed),
            quoted=tuple(self._quoted),
            lengths=self._lengths if known is None else known[0],
            hashes=self._hashes,
            file=self.faults.file,
            queries=self._queries,
        )

    def _said_of_ranges(
        self, count: int
    ) -> tuple[tuple[tuple[str, ...], ...], tuple[str | None, ...] | None]:
        """The aspects of each range, and its text if any range has one."""
        aspects: tuple[tuple[str, ...], ...] = ((),) * count
        if self._aspects:
            aspects = tuple(self._aspects.get(row, ()) for row in range(count))
        quotes = tuple(map(self._quotes.get, range(count))) if self._quotes else None
        return aspects, quotes

    def _judged_elements(self, place: Integers) -> ElementJudgements:
        judged = self._element_columns
        if judged is not None:
            return judged.take(np.arange(len(judged)), place[judged.pair])
        if not self._elements:
            return NO_ELEMENTS
        table = np.array(list(self._elements.values()), np.int64).reshape(-1, _COLUMNS)
        pair = place[np.array([pair for pair, _ in self._elements], np.int64)]
        paths = Identifiers.of(path for _, path in self._elements)
        return ElementJudgements(pair, paths, *table.T.copy())

    def _grades(
        self, passages: Passages, elements: ElementJudgements, place: Integers, pairs: int
    ) -> Integers:
        """The largest grade of each pair's ranges, 1 at least where anything else is relevant."""
        largest = _largest_grade(passages, pairs)
        pending = [
            self._pairs.number(pointed.topic, pointed.document)
            for pointed in self._pointed
            if pointed.end is not None
        ]
        valued = place[np.array(pending, np.int64)]
        if elements is not NO_ELEMENTS:
            valued = np.append(elements.pair[elements.relevant], valued)
        largest[valued] = np.maximum(largest[valued], 1)
        return largest

    def _judgements(self, place: Integers, pairs: int) -> tuple[Integers, Booleans]:
        """The judged grade of each pair as a whole, and which pairs have one."""
        grade, known = np.zeros(pairs, np.int64), np.zeros(pairs, np.bool_)
        if self._judged_columns is not None:
            rows, grades = place[self._judged_columns[0]], self._judged_columns[1]
        else:
            rows = place[np.array(list(self._judged), np.int64)]
            grades = np.array([judged for judged, _ in self._judged.values()], np.int64)
        grade[rows] = grades
        known[rows] = True
        return grade, known

    def _refuse_contradictions(
        self, table: Integers, pairs: SortedPairs, refused: Booleans
    ) -> None:
        """A document judged not relevant cannot have relevant ranges; leniently they are not."""
        pair, _, _, grade, line = table
        for row in np.flatnonzero(refused[pair] & (grade > 0)).tolist():
            topic, document = pairs.name(int(pair[row]))
            self.faults.add(
                "contradiction",
                int(line[row]) or None,
                f"a relevant range in document {document} for topic {topic}",
                "none: the document is judged not relevant",
                "remove one of the two judgements",
            )
            grade[row] = 0

    def _note_contradicting_ranges(self, table: Integers) -> None:
        """A range may be relevant to one reading and not to another; nothing is lost, but said."""
        pair, start, end, grade, _ = table
        denied = grade <= 0
        if not denied.any():
            return
        order = np.lexsort((end, start, pair))
        differs = np.ones(len(order), np.bool_)
        places = table[:3, order]
        differs[1:] = (places[:, 1:] != places[:, :-1]).any(axis=0)
        first = np.flatnonzero(differs)
        some = np.logical_or.reduceat(denied[order], first)
        others = np.logical_or.reduceat(~denied[order], first)
        both = int(np.count_nonzero(some & others))
        if both:
            self.faults.note(Note("judged both ways", both))

    def _refuse_relevant_elements(
        self, place: Integers, pairs: SortedPairs, refused: Booleans
    ) -> None:
        """A document judged not relevant cannot have relevant elements; leniently it has none."""
        elements = self._judged_elements(place)
        if elements is NO_ELEMENTS:
            return
        wrong = np.flatnonzero(refused[elements.pair] & elements.relevant).tolist()
        if not wrong:
            return
        self._spell_elements()
        keys = list(self._elements)
        for row in wrong:
            topic, document = pairs.name(int(elements.pair[row]))
            self.faults.add(
                "contradiction",
                int(elements.line[row]) or None,
                f"relevant element {elements.paths[row]} in document {document} for topic {topic}",
                "none: the document is judged not relevant",
                "remove one of the two judgements",
            )
            del self._elements[keys[row]]

    def _cut_at_lengths(self, table: Integers, pairs: SortedPairs, length: Integers) -> None:
        """A range must end inside its document; leniently it is cut."""
        limit = length[table[0]]
        for row in np.flatnonzero((limit != UNKNOWN) & (table[2] > limit)).tolist():
            pair, start, end, _, line = table[:, row].tolist()
            self.faults.add(
                "range",
                line or None,
                f"range [{start}, {end})",
                f"an end of at most {limit[row]}, the length of document {pairs.name(pair)[1]}",
                f"fix the offsets or use {LENIENT}",
            )
            table[2, row] = max(start, limit[row])

    # -- from assessments that exist already

    def add_all(self, assessments: Assessments, without: Collection[int] = ()) -> None:
        """Everything that other assessments say, but for some of their passages."""
        documents = assessments.documents.strings()
        names = [assessments.topics[number] for number in assessments.topic.tolist()]
        for document, length in assessments.lengths.items():
            self.add_document(document, length, assessments.hashes.get(document))
        for topic, query in assessments.queries.items():
            self.add_query(topic, query)
        passages = assessments.passages
        line = np.zeros(len(passages.pair), np.int64) if passages.line is None else passages.line
        columns = (passages.pair, passages.start, passages.end, passages.grade, line)
        quotes = passages.quotes or (None,) * len(passages.aspects)
        rows = zip(*(column.tolist() for column in columns), passages.aspects, quotes, strict=True)
        for row, (pair, start, end, grade, number, aspects, quote) in enumerate(rows):
            if row not in without:
                said = (start, end, grade, aspects, number or None, quote)
                self.add_range(names[pair], documents[pair], *said)
        described = set(passages.pair.tolist())
        points = assessments.entry_points.to_lists()
        self.add_elements(assessments)
        described.update(assessments.elements.pair.tolist())
        pending = {(pointed.topic, pointed.document) for pointed in assessments.pointed}
        for pair, (topic, document) in enumerate(zip(names, documents, strict=True)):
            for point, _ in points[pair]:
                self.add_entry_point(topic, document, point)
            held = pair in described or points[pair] or (topic, document) in pending
            if assessments.whole[pair] or not held:
                self.judge(topic, document, int(assessments.grade[pair]))

    def add_elements(self, assessments: Assessments) -> None:
        """Judged elements, places and quoted text of other assessments, which no unit changes."""
        judged, names = assessments.elements, assessments.documents.strings()
        topics = [assessments.topics[number] for number in assessments.topic.tolist()]
        columns = (judged.exhaustivity, judged.specificity, judged.size, judged.relevant_size)
        rows = zip(*(column.tolist() for column in (*columns, judged.line)), strict=True)
        pairs = zip(judged.pair.tolist(), judged.paths.strings(), rows, strict=True)
        for pair, path, row in pairs:
            self.add_element(topics[pair], names[pair], path, *row)
        for pointed in assessments.pointed:
            self.add_pointed(pointed)
        for quoted in assessments.quoted:
            self.add_quoted(quoted)


def _largest_grade(passages: Passages, pairs: int) -> Integers:
    """The largest grade of each pair's ranges, 0 without any."""
    largest = np.full(pairs, _LEAST, np.int64)
    np.maximum.at(largest, passages.pair, passages.grade)
    return np.where(largest == _LEAST, 0, largest)


def _lists(*columns: Integers) -> list[list[int]]:
    return [column.tolist() for column in columns]


def _first_of_same(numbers: Integers, count: int) -> Integers:
    """For each row the first row with the same number, all of them below ``count``."""
    first = np.full(count, len(numbers), np.int64)
    np.minimum.at(first, numbers, np.arange(len(numbers)))
    return first[numbers]


def merged(parts: Sequence[Assessments], faults: Faults) -> Assessments:
    """Several assessments as one; what contradicts is a fault."""
    judgements = Judgements(faults)
    for part in parts:
        # Lines are those of other files.
        quoted = tuple(replace(each, line=None) for each in part.quoted)
        passages = replace(part.passages, line=None)
        judgements.add_all(replace(part, quoted=quoted, passages=passages))
    texts: dict[str, str] = {}
    for name, text in (each for part in parts for each in part.texts.items()):
        if texts.setdefault(name, text) != text:
            found, expected = f"two texts of document {name}", "the same text in all files"
            remedy = "give documents with other texts other names"
            raise InputError(Fault(faults.file, None, found, expected, remedy, "repetition"))
    return replace(judgements.build(), texts=texts)
