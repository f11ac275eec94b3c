"""Where assessments come into being: judgements row by row, checked, then turned into columns."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from spanwise.data.assessments import UNKNOWN, Assessments, Passages, with_whole_documents
from spanwise.data.faults import Faults
from spanwise.data.identifiers import Identifiers
from spanwise.text.ranges import Ranges, offsets_of

LARGEST = 2**63 - 1


@dataclass(slots=True)
class _Pair:
    """What was said about one document for one topic."""

    judged: int | None = None
    line: int | None = None
    ranges: list[int] = field(default_factory=list)
    entry_points: list[int] = field(default_factory=list)


@dataclass(slots=True)
class _Range:
    pair: tuple[str, str]
    start: int
    end: int
    grade: int
    aspects: tuple[str, ...]
    line: int | None


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
        self._pairs: dict[tuple[str, str], _Pair] = {}
        self._ranges: list[_Range] = []
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
    ) -> None:
        """A range the assessor looked at: relevant with grade 1 or more, else not."""
        if not 0 <= start < end <= LARGEST:
            found, expected = f"range [{start}, {end})", "0 <= start < end < 2^63"
            self.faults.add("range", line, found, expected, "mend the offsets or use --lenient")
            return
        self._pair(topic, document, line).ranges.append(len(self._ranges))
        self._ranges.append(_Range((topic, document), start, end, grade, tuple(aspects), line))

    def judge(self, topic: str, document: str, grade: int, line: int | None = None) -> None:
        """The document as a whole: relevant with grade 1 or more, else not."""
        pair = self._pair(topic, document, line)
        if pair.judged is not None and pair.judged != grade:
            self.faults.add(
                "contradiction",
                line,
                f"grade {grade} for topic {topic}, document {document}",
                f"grade {pair.judged} as in line {pair.line}",
                "keep one of the two judgements",
            )
            return
        pair.judged = grade

    def add_entry_point(
        self, topic: str, document: str, point: int, line: int | None = None
    ) -> None:
        """A best entry point."""
        if not 0 <= point <= LARGEST:
            remedy = "mend the offset or use --lenient"
            self.faults.add("range", line, f"entry point {point}", "0 <= bep < 2^63", remedy)
            return
        self._pair(topic, document, line).entry_points.append(point)

    def add_document(
        self, document: str, length: int, sha256: str | None = None, line: int | None = None
    ) -> None:
        """The length of a document."""
        known = self._lengths.setdefault(document, length)
        if not 0 <= length <= LARGEST or known != length:
            expected = f"{known} as said before" if known != length else "0 <= length < 2^63"
            found = f"length {length} of document {document}"
            self.faults.add("length", line, found, expected, "mend the length or use --lenient")
        if sha256 is not None:
            self._hashes[document] = sha256

    def has(self, topic: str, document: str) -> bool:
        """Was anything said about this pair?"""
        return (topic, document) in self._pairs

    def _pair(self, topic: str, document: str, line: int | None) -> _Pair:
        found = self._pairs.get((topic, document))
        if found is None:
            found = self._pairs[topic, document] = _Pair(line=line)
        return found

    # -- all together

    def build(self) -> Assessments:
        """The assessments; raises if there are faults and leniency was not asked for."""
        self._refuse_contradictions()
        self._clip_to_lengths()
        self.faults.settle()
        names = sorted(self._pairs)
        place = {pair: number for number, pair in enumerate(names)}
        topics = sorted({topic for topic, _ in names})
        number = {topic: index for index, topic in enumerate(topics)}
        pairs = [self._pairs[name] for name in names]
        passages = self._passages(place)
        length = np.array([self._lengths.get(name, UNKNOWN) for _, name in names], np.int64)
        relevant = np.flatnonzero(passages.grade > 0)
        ranges = Ranges.union_of(
            passages.pair[relevant], passages.start[relevant], passages.end[relevant], len(names)
        )
        grade = np.array([self._grade(pair) for pair in pairs], np.int64)
        whole = np.array([(pair.judged or 0) > 0 for pair in pairs], np.bool_)
        entries = [len(pair.entry_points) for pair in pairs]
        return Assessments(
            topics=tuple(topics),
            offsets=offsets_of(np.array([number[t] for t, _ in names], np.int64), len(topics)),
            documents=Identifiers.of(document for _, document in names),
            grade=grade,
            whole=whole,
            relevant=with_whole_documents(ranges, whole, length),
            length=length,
            entry_offsets=np.concatenate(([0], np.cumsum(entries, dtype=np.int64))),
            entry_point=np.array([p for pair in pairs for p in pair.entry_points], np.int64),
            passages=passages,
            lengths=self._lengths,
            hashes=self._hashes,
            file=self.faults.file,
        )

    def _grade(self, pair: _Pair) -> int:
        """measures.md 4: the judged grade, or the largest of the ranges, or 1 if there are any."""
        if pair.judged is not None:
            return pair.judged
        return max((self._ranges[row].grade for row in pair.ranges), default=0)

    def _passages(self, place: dict[tuple[str, str], int]) -> Passages:
        rows = self._ranges
        return Passages(
            pair=np.array([place[row.pair] for row in rows], np.int64),
            start=np.array([row.start for row in rows], np.int64),
            end=np.array([row.end for row in rows], np.int64),
            grade=np.array([row.grade for row in rows], np.int64),
            aspects=tuple(row.aspects for row in rows),
        )

    def _refuse_contradictions(self) -> None:
        """A document judged not relevant cannot have relevant ranges."""
        for (topic, document), pair in self._pairs.items():
            if pair.judged is None or pair.judged > 0:
                continue
            for row in [self._ranges[number] for number in pair.ranges]:
                if row.grade > 0:
                    self.faults.add(
                        "contradiction",
                        row.line,
                        f"a relevant range in document {document} for topic {topic}",
                        "none: the document is judged not relevant",
                        "remove one of the two judgements",
                    )
                    pair.judged = None

    def _clip_to_lengths(self) -> None:
        """A range must end inside its document; leniently it is cut, or dropped if nothing is left."""
        for row in self._ranges:
            length = self._lengths.get(row.pair[1])
            if length is not None and row.end > length:
                self.faults.add(
                    "range",
                    row.line,
                    f"range [{row.start}, {row.end})",
                    f"an end of at most {length}, the length of document {row.pair[1]}",
                    "mend the offsets or use --lenient",
                )
                row.end = max(row.start, length)

    # -- from assessments that exist already

    def add_all(self, assessments: Assessments) -> None:
        """Everything that other assessments say."""
        documents = assessments.documents.strings()
        names = [assessments.topics[number] for number in assessments.topic.tolist()]
        for document, length in assessments.lengths.items():
            self.add_document(document, length, assessments.hashes.get(document))
        passages = assessments.passages
        for row, pair in enumerate(passages.pair.tolist()):
            start, end, grade = (
                int(c[row]) for c in (passages.start, passages.end, passages.grade)
            )
            self.add_range(names[pair], documents[pair], start, end, grade, passages.aspects[row])
        for pair, (topic, document) in enumerate(zip(names, documents, strict=True)):
            if assessments.whole[pair] or not self._pair(topic, document, None).ranges:
                self.judge(topic, document, int(assessments.grade[pair]))
            for point in assessments.entry_point[
                slice(*assessments.entry_offsets[pair : pair + 2])
            ]:
                self.add_entry_point(topic, document, int(point))


def merged(parts: Sequence[Assessments], faults: Faults) -> Assessments:
    """Several assessments as one; what contradicts is a fault."""
    judgements = Judgements(faults)
    for part in parts:
        judgements.add_all(part)
    return judgements.build()
