"""Assessments that are read part by part: what holds for all of them, and each part when it is due.

A part has whole topics. In memory are the names of topics, and the names of documents with their
lengths, which any topic may ask for.
"""

from __future__ import annotations

import os
from collections.abc import Collection, Iterable, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from spanwise.data.assessments import Assessments, DocumentLengths, Passages
from spanwise.data.identifiers import Identifiers
from spanwise.data.notes import KEPT, Faults
from spanwise.data.pairs import PairIndex
from spanwise.engines.judged_lines import JudgedLines
from spanwise.engines.memory import WHOLE, assessed_share, shares, taken_now
from spanwise.evaluation.assessed import Remarks, settled_assessments
from spanwise.evaluation.guards import MOST
from spanwise.formats.reading import long_names, recognise, refuse_long_name
from spanwise.formats.registry import Format, find
from spanwise.formats.source import Source, without_garbage
from spanwise.inputs.session import Session
from spanwise.measures.base import Need
from spanwise.measures.grammar import Asked
from spanwise.records import replace
from spanwise.text.ranges import Booleans, Integers, Ranges

_DOCUMENT = 64
"""Bytes of a document beside its name: two edges, a key, a length, its places in an index."""
_TOPIC = 300
"""The same of a topic: its name is in several lists."""


class Outline(Assessments, frozen=True, eq=False, dict=True):
    """The topics of assessments whose judgements are elsewhere."""

    @property
    def index(self) -> PairIndex:
        """A judgement that is looked for here would not be found."""
        raise AssertionError("an outline has no judgements")

    @classmethod
    def of(cls, file: str, topics: list[str]) -> Outline:
        """Assessments with these topics, which are sorted."""
        none, names = np.zeros(0, np.int64), Identifiers.of([])
        return cls(
            topics=tuple(topics),
            offsets=np.zeros(len(topics) + 1, np.int64),
            documents=names,
            grade=none,
            whole=np.zeros(0, np.bool_),
            relevant=Ranges(np.zeros(1, np.int64), none, none),
            length=none,
            entry_offsets=np.zeros(1, np.int64),
            entry_point=none,
            passages=Passages(none, none, none, none, ()),
            file=file,
        )


class Table:
    """Documents with their lengths, each of them once; further ones come part by part."""

    def __init__(self) -> None:
        self._tables: list[DocumentLengths] = []
        """Each less than half as large as the one before it."""

    def add(self, documents: Identifiers, length: Integers) -> Identifiers:
        """Further documents, all different; gives those of which another length is known."""
        known, before = self._find(documents)
        new = np.flatnonzero(~known)
        if len(new):
            self._tables.append(DocumentLengths(documents.take(new).packed(), length[new]))
        while len(self._tables) > 1 and len(self._tables[-2]) < 2 * len(self._tables[-1]):
            self._join()
        return documents.take(np.flatnonzero(known & (before != length)))

    def _find(self, documents: Identifiers) -> tuple[Booleans, Integers]:
        known = np.zeros(len(documents), np.bool_)
        length = np.zeros(len(documents), np.int64)
        for table in self._tables:
            place = table.index.find(None, documents)
            found = place >= 0
            length[found] = table.length[place[found]]
            known |= found
        return known, length

    def _join(self) -> None:
        last, before = self._tables.pop(), self._tables.pop()
        names = Identifiers.joined([before.documents, last.documents]).packed()
        self._tables.append(DocumentLengths(names, np.append(before.length, last.length)))

    @property
    def size(self) -> int:
        """About how many bytes it takes."""
        return sum(
            len(table.documents.buffer) + _DOCUMENT * len(table.documents) for table in self._tables
        )

    def together(self) -> DocumentLengths:
        """All of them."""
        while len(self._tables) > 1:
            self._join()
        none = DocumentLengths(Identifiers.of([]), np.zeros(0, np.int64))
        return self._tables[0] if self._tables else none


def parts_of(
    session: Session, given: Any, measures: Iterable[Asked], memory: int | None
) -> AssessedParts | None:
    """The parts of assessments that are too large to be read whole; None if they are not.

    What else is read with all assessments in mind, such as documents, is not read by parts.
    """
    settings = session.settings
    beside = settings.chunk_tables or settings.topic_from or settings.unit != "codepoint"
    if memory is None or session.collection is not None or beside:
        return None
    if any(Need.ELEMENTS in asked.measure.needs() for asked in measures):
        return None
    if isinstance(given, (str, os.PathLike)) and Path(given).is_file():
        given = Source.at(given)
    most = assessed_share(memory) // WHOLE
    if not isinstance(given, Source) or given.is_at_most(most):
        return None
    name = settings.assessments_format or recognise(given, "assessments")
    form = None if name is None else find(name, "assessments")
    if form is None or not form.by_topic:
        return None
    lines = JudgedLines(given, most)
    return AssessedParts(lines, form, memory, lenient=settings.lenient)


def outlined(session: Session, parts: AssessedParts) -> tuple[Assessments, Remarks] | None:
    """The topics of all parts, of those that are asked for; refused as if they were read whole."""
    outline = parts.read()
    wanted = session.settings.topics
    if isinstance(wanted, Mapping) and outline.numbers.keys().isdisjoint(wanted):
        # Topics by their questions have other names, in another order.
        return None
    parts.faults.settle()
    for what, name in parts.too_long.items():
        refuse_long_name(parts.source, what, name)
    session.note_dropped(parts.faults)
    chosen = session.chosen_topics(outline)
    return chosen, parts.remark(chosen)


class AssessedParts:
    """The parts of one file of assessments."""

    def __init__(self, lines: JudgedLines, form: Format, memory: int, *, lenient: bool) -> None:
        assert form.read_assessments is not None, "formats of assessments are read"
        self._lines, self._read_lines, self._lenient = lines, form.read_assessments, lenient
        self.faults = Faults(lines.source.name, lenient=lenient)
        self.too_long: dict[str, str] = {}
        """The first name of each kind that is longer than the budget allows."""
        self._told: Mapping[str, int] = {}
        """Lengths of documents that later lines tell otherwise."""
        self._wanted: Collection[str] | None = None
        """The topics that are asked for, if these are not all."""
        self._topics = 0
        self._lengths = DocumentLengths(Identifiers.of([]), np.zeros(0, np.int64))
        self._judged: PairIndex | None = None
        self._memory = memory
        self._before = taken_now()
        self.size = 0
        """Bytes that stay in memory beside a part."""

    def __len__(self) -> int:
        return len(self._lines)

    def close(self) -> None:
        """The lines are not needed any more."""
        self._lines.close()

    @property
    def source(self) -> Source:
        """The file."""
        return self._lines.source

    def part_of(self, topic: str) -> int:
        """The part that a topic is in, or would be."""
        return self._lines.part_of(topic)

    # -- all of them, one after the other

    def read(self) -> Outline:
        """Read every part; what is wrong is in ``faults`` then."""
        topics, lengths, disputed = self._looked_over()
        if disputed:
            names = frozenset(disputed)
            some = self._lines.some(lambda fields: len(fields) > 2 and fields[2] in names)
            first = self._read_lines(some, Faults(some.name, lenient=True)).lengths
            self._told = {name: first[name] for name in names}
            topics, lengths, _ = self._looked_over()
        self._lengths, self._topics = lengths, len(topics)
        return Outline.of(self.source.name, topics)

    def _looked_over(self) -> tuple[list[str], DocumentLengths, dict[str, None]]:
        """The topics of all parts, documents with lengths, those that have several lengths."""
        self.faults = Faults(self.source.name, lenient=self._lenient)
        topics: list[str] = []
        disputed: dict[str, None] = {}
        table = Table()
        for number in range(len(self)):
            faults = Faults(self.source.name, lenient=True)
            judged = self._read(number, faults)
            self._take_faults(faults)
            for what, name in long_names(judged).items():
                self.too_long.setdefault(what, name)
            topics += judged.topics
            known = _as_columns(judged.lengths)
            others = table.add(known.documents, known.length)
            disputed.update(dict.fromkeys(others.strings()))
            self.size = table.size + _TOPIC * len(topics)
            self._require_room()
        return topics, table.together(), disputed

    @property
    def taken(self) -> int:
        """Bytes that are taken before anything of a run is read."""
        return self._before + self.size + assessed_share(self._memory)

    def _require_room(self) -> None:
        """Refuse to go on when what stays in memory leaves no room for runs."""
        shares(self._memory, self.taken, 1, 1)

    def _take_faults(self, faults: Faults) -> None:
        """Those of one file are told by their lines, so many of them."""
        self.faults.counts.update(faults.counts)
        kept = sorted([*self.faults.kept, *faults.kept], key=lambda fault: fault.line or 0)
        self.faults.kept = kept[:KEPT]
        for note in faults.notes:
            self.faults.tally(note)

    def remark(self, outline: Assessments) -> Remarks:
        """What is to be said of the topics of an outline, which then knows what parts say."""
        if self._topics != len(outline.topics):
            self._wanted = frozenset(outline.topics)
        remarks, table, examples = Remarks(), Table(), dict[str, None]()
        before = self.size
        relevant: list[Integers] = [np.zeros(0, np.int64)]
        for number in range(len(self)):
            judged, part = self._settled(number)
            remarks.take(part)
            relevant.append(judged.relevant_documents)
            names = judged.documents.take(judged.documents.distinct())
            if not len(self._lengths):
                table.add(names, np.zeros(len(names), np.int64))
            if len(examples) < MOST:
                examples.update(dict.fromkeys(names.strings()))
            self.size = before + table.size
            self._require_room()
        # Documents with lengths are known by these.
        self._judged = None if len(self._lengths) else table.together().index
        outline.__dict__["relevant_documents"] = np.concatenate(relevant)
        outline.__dict__["_judged_names"] = PairIndex.of_names(Identifiers.of([*examples][:MOST]))
        return remarks

    # -- one of them

    def judged(self, number: int) -> Assessments:
        """The judgements of a part; what holds for all parts is known to it."""
        judged, _ = self._settled(number)
        return replace(judged, judged_elsewhere=self._judged)

    def _settled(self, number: int) -> tuple[Assessments, Remarks]:
        judged = self._read(number, Faults(self.source.name, lenient=True))
        if self._wanted is not None:
            judged = judged.only(self._wanted)
        if len(self._lengths):
            judged = replace(judged, lengths=self._lengths)
        settled, notes = settled_assessments(judged, None, lenient=self._lenient)
        return settled, Remarks.of(settled, notes)

    def _read(self, number: int, faults: Faults) -> Assessments:
        with without_garbage():
            return self._read_lines(self._lines.part(number, self._told), faults)


def _as_columns(lengths: Mapping[str, int]) -> DocumentLengths:
    if isinstance(lengths, DocumentLengths):
        return lengths
    return DocumentLengths(Identifiers.of(lengths), np.array([*lengths.values()], np.int64))
