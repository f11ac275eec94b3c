"""Two assessments that a third person makes one of: where they agree, and where they differ."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from spanwise.assessing.judgement import Judgement, Passage, Status
from spanwise.assessing.pools import PooledDocument, PooledTopic
from spanwise.data.assessments import Assessments
from spanwise.records import Struct, replace
from spanwise.reporting.scored_runs import entry_of, relevant_spans
from spanwise.text.ranges import Ranges

SIDES = ("first", "second")

Spans = tuple[tuple[int, int], ...]
Judged = Mapping[tuple[str, str], Judgement]
"""What an assessor decided, by topic and document."""


def judged_in(assessments: Assessments, lengths: Mapping[str, int]) -> Judged:
    """The judgements of a file; a document that is relevant as a whole is one passage."""
    found = {}
    for topic, number in assessments.numbers.items():
        for pair in range(*assessments.offsets[number : number + 2].tolist()):
            document = assessments.documents[pair]
            spans = relevant_spans(assessments, pair)
            if assessments.whole[pair] and assessments.is_relevant[pair]:
                spans = ((0, lengths[document]),) if document in lengths else ()
            passages = tuple(Passage(start, end) for start, end in spans)
            entry = entry_of(assessments, pair) if passages else None
            status: Status = "relevant" if passages else "not relevant"
            found[topic, document] = Judgement(passages, entry, status)
    return found


class Both(Struct, frozen=True):
    """What two assessors made of one document; None for one who did not judge it."""

    first: Judgement | None
    second: Judgement | None

    @property
    def spans(self) -> tuple[Spans, Spans]:
        """What each highlighted; text of grade 0 is not relevant."""
        return _spans(self.first), _spans(self.second)

    @property
    def common(self) -> Spans:
        """What both highlighted."""
        first, second = (Ranges.of([own]) for own in self.spans)
        return tuple(first.intersection(second).to_lists()[0])

    @property
    def differences(self) -> Spans:
        """What only one of them highlighted, in the order of the text."""
        first, second = (Ranges.of([own]) for own in self.spans)
        only = [*first.difference(second).to_lists()[0], *second.difference(first).to_lists()[0]]
        return tuple(sorted(only))

    @property
    def only_first(self) -> int:
        """Characters that only the first one highlighted."""
        return self._only(0)

    @property
    def only_second(self) -> int:
        """Characters that only the second one highlighted."""
        return self._only(1)

    def _only(self, side: int) -> int:
        own, other = Ranges.of([self.spans[side]]), Ranges.of([self.spans[1 - side]])
        return int(own.difference(other).sizes()[0])

    @property
    def is_same(self) -> bool:
        """Do both say the same about the text? Best entry points may differ."""
        judged = self.first is not None and self.second is not None
        return judged and not self.only_first and not self.only_second

    @property
    def operations(self) -> list[dict[str, Any]]:
        """What an assessor would do who agrees with both."""
        if not self.common:
            return [{"kind": "not relevant"}]
        found: list[dict[str, Any]] = [
            {"kind": "highlight", "start": start, "end": end} for start, end in self.common
        ]
        entries = {one.entry for one in (self.first, self.second) if one is not None}
        if len(entries) == 1 and (entry := entries.pop()) is not None:
            found.append({"kind": "entry", "at": entry})
        return [*found, {"kind": "done"}]


def _spans(judgement: Judgement | None) -> Spans:
    passages = () if judgement is None else judgement.passages
    return tuple((one.start, one.end) for one in passages if one.grade != 0)


class Adjudication(Struct, frozen=True, eq=False):
    """All documents that one of two assessors judged."""

    names: tuple[str, str]
    judged: Mapping[tuple[str, str], Both]
    """By topic and document."""

    @classmethod
    def of(cls, names: tuple[str, str], first: Judged, second: Judged) -> Adjudication:
        """All documents that either of them judged."""
        keys = sorted({*first, *second})
        return cls(names, {key: Both(first.get(key), second.get(key)) for key in keys})

    def both(self, topic: str, document: str) -> Both:
        """What the two made of a document."""
        return self.judged.get((topic, document), Both(None, None))

    def ordered(self, topic: PooledTopic) -> PooledTopic:
        """The documents that either judged, the largest disagreement first."""
        known = {one.document: one for one in topic.documents}
        own = [document for name, document in self.judged if name == topic.topic]
        ordered = sorted(own, key=lambda one: (-self.size(topic.topic, one), one))
        found = tuple(known.get(one, PooledDocument(one)) for one in ordered)
        return replace(topic, documents=found)

    def size(self, topic: str, document: str) -> int:
        """Characters that only one of them highlighted."""
        both = self.both(topic, document)
        return both.only_first + both.only_second

    def marks(self, topic: str, document: str) -> list[dict[str, Any]]:
        """What each highlighted, for a script."""
        both = self.both(topic, document)
        return [
            {
                "side": side,
                "name": name,
                "passages": [{"start": start, "end": end} for start, end in spans],
            }
            for side, name, spans in zip(SIDES, self.names, both.spans, strict=True)
        ]
