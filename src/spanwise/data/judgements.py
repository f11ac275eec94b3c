"""Where assessments come into being: judgements row by row, checked, then turned into columns."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from itertools import chain, count

import numpy as np

from spanwise.data.assessments import UNKNOWN, Assessments, Passages, with_whole_documents
from spanwise.data.faults import Faults
from spanwise.data.grades import ElementJudgements, Pointed, wrong_judgement
from spanwise.data.identifiers import Identifiers
from spanwise.data.notes import Note
from spanwise.errors import option
from spanwise.text.ranges import Booleans, Integers, Ranges, offsets_of

LARGEST = 2**63 - 1
LENIENT = option("lenient", True)
_LEAST = -(2**63)


class Judgements:
    """Collects judgements of one file and builds :class:`Assessments` from them.

    >>> judgements = Judgements(Faults("qrels"))
    >>> judgements.add_range("q1", "d7", 100, 250)
    >>> judgements.judge("q1", "d9", 0)
    >>> assessments = judgements.build()
    >>> assessments.relevant.to_lists()
    [[(100, 250)], []]
    """

    def __init__(self, faults: Faults) -> None:
        self.faults = faults
        self._pairs: dict[tuple[str, str], int] = {}
        self._judged: dict[int, tuple[int, int | None]] = {}
        self._ranges: list[tuple[int, int, int, int, int]] = []
        self._aspects: list[tuple[str, ...]] = []
        self._quotes: list[str | None] = []
        self._points: list[tuple[int, int]] = []
        self._elements: dict[tuple[int, str], tuple[int, int, int, int, int]] = {}
        self._pointed: list[Pointed] = []
        self._lengths: dict[str, int] = {}
        self._hashes: dict[str, str] = {}

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
            found, expected = f"range [{start}, {end})", "0 <= start < end < 2^63"
            self.faults.add("range", line, found, expected, f"fix the offsets or use {LENIENT}")
            return
        self._ranges.append((self._pair(topic, document), start, end, grade, line or 0))
        self._aspects.append(tuple(aspects))
        self._quotes.append(quote)

    def add_ranges(
        self,
        pairs: Sequence[tuple[str, str]],
        places: Sequence[tuple[int, int, int, int]],
        aspects: Iterable[Sequence[str]],
        quotes: Iterable[str | None],
    ) -> None:
        """Many ranges at once: topic and document, then start, end, grade and line (0: none)."""
        if not all(0 <= start < end <= LARGEST for start, end, _, _ in places):
            rows = zip(pairs, places, aspects, quotes, strict=True)
            for (topic, document), (start, end, grade, line), about, quote in rows:
                place = (start, end, grade, about)
                self.add_range(topic, document, *place, line or None, quote)
            return
        codes = self._codes(pairs)
        self._ranges += [(code, *place) for code, place in zip(codes, places, strict=True)]
        self._aspects += map(tuple, aspects)
        self._quotes += quotes

    def judge_all(
        self, pairs: Sequence[tuple[str, str]], grades: Sequence[int], lines: Sequence[int]
    ) -> None:
        """Many documents as wholes: topic and document, then grade and line (0: none)."""
        codes = self._codes(pairs)
        fresh = dict(zip(codes, zip(grades, lines, strict=True), strict=True))
        if len(fresh) == len(codes) and self._judged.keys().isdisjoint(fresh):
            self._judged.update(
                (code, (grade, line or None)) for code, (grade, line) in fresh.items()
            )
            return
        for (topic, document), grade, line in zip(pairs, grades, lines, strict=True):
            self.judge(topic, document, grade, line or None)

    def judge(self, topic: str, document: str, grade: int, line: int | None = None) -> None:
        """The document as a whole: relevant with grade 1 or more, else not."""
        before, place = self._judged.setdefault(self._pair(topic, document), (grade, line))
        if before != grade:
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
            remedy = f"fix the offset or use {LENIENT}"
            self.faults.add("range", line, f"entry point {point}", "0 <= bep < 2^63", remedy)
            return
        self._points.append((self._pair(topic, document), point))

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
        wrong = wrong_judgement(path, exhaustivity, specificity, size, relevant_size)
        if wrong is not None:
            self.faults.add("grade", line, *wrong, f"fix the judgement or use {LENIENT}")
            return
        said = (exhaustivity, specificity, size, relevant_size)
        key = (self._pair(topic, document), path)
        *before, place = self._elements.setdefault(key, (*said, line or 0))
        if tuple(before) != said:
            found = f"another judgement of {path} in document {document} for topic {topic}"
            expected = f"the one of line {place}" if place else "one judgement of each element"
            self.faults.add(
                "contradiction", line, found, expected, "keep one of the two judgements"
            )

    def add_pointed(self, pointed: Pointed) -> None:
        """A passage or an entry point given by places in the tree."""
        self._pair(pointed.topic, pointed.document)
        self._pointed.append(pointed)

    def add_document(
        self, document: str, length: int, sha256: str | None = None, line: int | None = None
    ) -> None:
        """The length of a document."""
        known = self._lengths.setdefault(document, length)
        if not 0 <= length <= LARGEST or known != length:
            expected = f"{known} as said before" if known != length else "0 <= length < 2^63"
            found = f"length {length} of document {document}"
            self.faults.add("length", line, found, expected, f"fix the length or use {LENIENT}")
        if sha256 is not None:
            self._hashes[document] = sha256

    def _pair(self, topic: str, document: str) -> int:
        return self._pairs.setdefault((topic, document), len(self._pairs))

    def _codes(self, pairs: Iterable[tuple[str, str]]) -> list[int]:
        """The number of each pair; new pairs get the next ones."""
        several = list(pairs)
        known = self._pairs
        new = [pair for pair in dict.fromkeys(several) if pair not in known]
        known.update(zip(new, count(len(known)), strict=False))
        return list(map(known.__getitem__, several))

    # -- all together

    def build(self) -> Assessments:
        """The assessments; raises if there are faults and leniency was not asked for."""
        names = sorted(self._pairs)
        place = np.empty(len(names), np.int64)
        place[list(map(self._pairs.__getitem__, names))] = np.arange(len(names))
        numbers = chain.from_iterable(self._ranges)
        table = np.fromiter(numbers, np.int64, 5 * len(self._ranges)).reshape(-1, 5)
        table[:, 0] = place[table[:, 0]]
        length = np.full(len(names), UNKNOWN, np.int64)
        if self._lengths:
            length[:] = [self._lengths.get(name, UNKNOWN) for _, name in names]
        judged, was_judged = self._judgements(place)
        self._refuse_contradictions(table, names, was_judged & (judged <= 0))
        self._note_contradicting_ranges(table)
        self._refuse_relevant_elements(place, names, was_judged & (judged <= 0))
        self._cut_at_lengths(table, names, length)
        self.faults.settle()
        return self._columns(names, place, table, length, judged, was_judged)

    def _columns(
        self,
        names: list[tuple[str, str]],
        place: Integers,
        table: Integers,
        length: Integers,
        judged: Integers,
        was_judged: Booleans,
    ) -> Assessments:
        pair, start, end, grade, line = table.T.copy()
        quotes = tuple(self._quotes) if any(quote is not None for quote in self._quotes) else None
        passages = Passages(pair, start, end, grade, tuple(self._aspects), quotes, line)
        good = np.flatnonzero((passages.grade > 0) & (passages.end > passages.start))
        ranges = Ranges.union_of(
            passages.pair[good], passages.start[good], passages.end[good], len(names)
        )
        topic_names, document_names = zip(*names, strict=True) if names else ((), ())
        topics = sorted(set(topic_names))
        number = {topic: index for index, topic in enumerate(topics)}
        topic = np.array(list(map(number.__getitem__, topic_names)), np.int64)
        whole = was_judged & (judged > 0)
        points = np.array(self._points, np.int64).reshape(-1, 2)
        points[:, 0] = place[points[:, 0]]
        points = points[np.argsort(points[:, 0], kind="stable")]
        elements = self._judged_elements(place)
        return Assessments(
            topics=tuple(topics),
            offsets=offsets_of(topic, len(topics)),
            documents=Identifiers.of(document_names),
            grade=np.where(was_judged, judged, self._grades(passages, elements, place)),
            whole=whole,
            relevant=with_whole_documents(ranges, whole, length),
            length=length,
            entry_offsets=offsets_of(points[:, 0], len(names)),
            entry_point=points[:, 1].copy(),
            passages=passages,
            elements=elements,
            pointed=tuple(self._pointed),
            lengths=self._lengths,
            hashes=self._hashes,
            file=self.faults.file,
        )

    def _judged_elements(self, place: Integers) -> ElementJudgements:
        table = np.array(list(self._elements.values()), np.int64).reshape(-1, 5)
        pair = place[np.array([pair for pair, _ in self._elements], np.int64)]
        paths = Identifiers.of(path for _, path in self._elements)
        return ElementJudgements(pair, paths, *table.T.copy())

    def _grades(self, passages: Passages, elements: ElementJudgements, place: Integers) -> Integers:
        """The largest grade of each pair's ranges, 1 at least where anything else is relevant."""
        largest = _largest_grade(passages, len(place))
        pending = [
            self._pairs[pointed.topic, pointed.document]
            for pointed in self._pointed
            if pointed.end is not None
        ]
        valued = np.append(elements.pair[elements.relevant], place[np.array(pending, np.int64)])
        largest[valued] = np.maximum(largest[valued], 1)
        return largest

    def _judgements(self, place: Integers) -> tuple[Integers, Booleans]:
        """The judged grade of each pair as a whole, and which pairs have one."""
        grade, known = np.zeros(len(place), np.int64), np.zeros(len(place), np.bool_)
        rows = place[np.array(list(self._judged), np.int64)]
        grade[rows] = [judged for judged, _ in self._judged.values()]
        known[rows] = True
        return grade, known

    def _refuse_contradictions(
        self, table: Integers, names: list[tuple[str, str]], refused: Booleans
    ) -> None:
        """A document judged not relevant cannot have relevant ranges; leniently they are not."""
        for row in np.flatnonzero(refused[table[:, 0]] & (table[:, 3] > 0)).tolist():
            topic, document = names[table[row, 0]]
            self.faults.add(
                "contradiction",
                int(table[row, 4]) or None,
                f"a relevant range in document {document} for topic {topic}",
                "none: the document is judged not relevant",
                "remove one of the two judgements",
            )
            table[row, 3] = 0

    def _note_contradicting_ranges(self, table: Integers) -> None:
        """A range may be relevant to one reading and not to another; nothing is lost, but said."""
        denied = {tuple(row) for row in table[table[:, 3] <= 0, :3].tolist()}
        both = (
            denied.intersection(map(tuple, table[table[:, 3] > 0, :3].tolist())) if denied else ()
        )
        if both:
            self.faults.note(Note("judged both ways", len(both)))

    def _refuse_relevant_elements(
        self, place: Integers, names: list[tuple[str, str]], refused: Booleans
    ) -> None:
        """A document judged not relevant cannot have relevant elements; leniently it has none."""
        elements, keys = self._judged_elements(place), list(self._elements)
        for row in np.flatnonzero(refused[elements.pair] & elements.relevant).tolist():
            topic, document = names[elements.pair[row]]
            self.faults.add(
                "contradiction",
                int(elements.line[row]) or None,
                f"relevant element {elements.paths[row]} in document {document} for topic {topic}",
                "none: the document is judged not relevant",
                "remove one of the two judgements",
            )
            del self._elements[keys[row]]

    def _cut_at_lengths(
        self, table: Integers, names: list[tuple[str, str]], length: Integers
    ) -> None:
        """A range must end inside its document; leniently it is cut."""
        limit = length[table[:, 0]]
        for row in np.flatnonzero((limit != UNKNOWN) & (table[:, 2] > limit)).tolist():
            pair, start, end, _, line = table[row].tolist()
            self.faults.add(
                "range",
                line or None,
                f"range [{start}, {end})",
                f"an end of at most {limit[row]}, the length of document {names[pair][1]}",
                f"fix the offsets or use {LENIENT}",
            )
            table[row, 2] = max(start, limit[row])

    # -- from assessments that exist already

    def add_all(self, assessments: Assessments, without: Collection[int] = ()) -> None:
        """Everything that other assessments say, but for some of their passages."""
        documents = assessments.documents.strings()
        names = [assessments.topics[number] for number in assessments.topic.tolist()]
        for document, length in assessments.lengths.items():
            self.add_document(document, length, assessments.hashes.get(document))
        passages = assessments.passages
        columns = (passages.pair, passages.start, passages.end, passages.grade)
        quotes = passages.quotes or (None,) * len(passages.aspects)
        rows = zip(*(column.tolist() for column in columns), passages.aspects, quotes, strict=True)
        for row, (pair, start, end, grade, aspects, quote) in enumerate(rows):
            if row not in without:
                name, document = names[pair], documents[pair]
                self.add_range(name, document, start, end, grade, aspects, quote=quote)
        described = set(passages.pair.tolist())
        points = assessments.entry_points.to_lists()
        self.add_elements(assessments)
        described.update(assessments.elements.pair.tolist())
        pending = {(pointed.topic, pointed.document) for pointed in assessments.pointed}
        for pair, (topic, document) in enumerate(zip(names, documents, strict=True)):
            for point, _ in points[pair]:
                self.add_entry_point(topic, document, point)
            said = pair in described or points[pair] or (topic, document) in pending
            if assessments.whole[pair] or not said:
                self.judge(topic, document, int(assessments.grade[pair]))

    def add_elements(self, assessments: Assessments) -> None:
        """The judged elements and places of other assessments, which no unit changes."""
        judged, names = assessments.elements, assessments.documents.strings()
        topics = [assessments.topics[number] for number in assessments.topic.tolist()]
        columns = (judged.exhaustivity, judged.specificity, judged.size, judged.relevant_size)
        rows = zip(*(column.tolist() for column in (*columns, judged.line)), strict=True)
        pairs = zip(judged.pair.tolist(), judged.paths.strings(), rows, strict=True)
        for pair, path, row in pairs:
            self.add_element(topics[pair], names[pair], path, *row)
        for pointed in assessments.pointed:
            self.add_pointed(pointed)


def _largest_grade(passages: Passages, pairs: int) -> Integers:
    """The largest grade of each pair's ranges, 0 without any."""
    largest = np.full(pairs, _LEAST, np.int64)
    np.maximum.at(largest, passages.pair, passages.grade)
    return np.where(largest == _LEAST, 0, largest)


def merged(parts: Sequence[Assessments], faults: Faults) -> Assessments:
    """Several assessments as one; what contradicts is a fault."""
    judgements = Judgements(faults)
    for part in parts:
        judgements.add_all(part)
    return judgements.build()
