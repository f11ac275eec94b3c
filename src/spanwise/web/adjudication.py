"""Two assessments that a third person makes one of: where they agree, and where they differ."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from functools import cached_property
from typing import Any

import msgspec

from spanwise.assessing.judgement import Judgement, Passage
from spanwise.assessing.operations import Scale
from spanwise.assessing.pools import PooledDocument, PooledTopic
from spanwise.errors import SpanwiseError, option
from spanwise.records import Struct, replace
from spanwise.text.ranges import Ranges

SIDES = ("first", "second")
_UNGRADED = 1
"""What a highlight without a grade is worth, here and in what is exported."""

Spans = tuple[tuple[int, int], ...]
Judged = Mapping[tuple[str, str], Judgement]
"""What an assessor decided, by topic and document."""


class Both(Struct, frozen=True):
    """What two assessors made of one document; None for one who did not judge it."""

    first: Judgement | None
    second: Judgement | None

    @property
    def judgements(self) -> tuple[Judgement, Judgement]:
        """Those of both; an empty one for who did not judge it."""
        return self.first or Judgement(), self.second or Judgement()

    @property
    def spans(self) -> tuple[Ranges, Ranges]:
        """What each highlighted; text of grade 0 is not relevant."""
        first, second = (
            _spans(one for one in own.passages if one.grade != 0) for own in self.judgements
        )
        return first, second

    @property
    def common(self) -> tuple[Passage, ...]:
        """What both highlighted with the same grade and aspects."""
        first, second = (_by_label(own) for own in self.judgements)
        found = (
            replace(label, start=start, end=end)
            for label in first.keys() & second.keys()
            for start, end in first[label].intersection(second[label]).to_lists()[0]
        )
        return tuple(sorted(found, key=lambda one: one.start))

    @property
    def alike(self) -> Ranges:
        """What both highlighted as relevant in the same way."""
        return _spans(one for one in self.common if one.grade != 0)

    @property
    def _relabelled(self) -> Ranges:
        first, second = self.spans
        return first.intersection(second).difference(self.alike)

    @property
    def differences(self) -> Spans:
        """What only one of them highlighted, or each in another way, in the order of the text."""
        first, second = self.spans
        only = first.difference(second), second.difference(first), self._relabelled
        return tuple(sorted(span for each in only for span in each.to_lists()[0]))

    @property
    def only_first(self) -> int:
        """Characters that only the first one highlighted."""
        first, second = self.spans
        return _size(first.difference(second))

    @property
    def only_second(self) -> int:
        """Characters that only the second one highlighted."""
        first, second = self.spans
        return _size(second.difference(first))

    @property
    def relabelled(self) -> int:
        """Characters that both highlighted, with different grades or aspects."""
        return _size(self._relabelled)

    @property
    def size(self) -> int:
        """Characters about which they differ."""
        return self.only_first + self.only_second + self.relabelled

    @property
    def has_two_entries(self) -> bool:
        """Did each set a best entry point of their own?"""
        return len(self._entries) == 2

    @property
    def _entries(self) -> set[int]:
        return {own.entry for own in self.judgements if own.entry is not None}

    @property
    def is_same(self) -> bool:
        """Do both say the same? A best entry point that only one of them set is no difference."""
        judged = self.first is not None and self.second is not None
        return judged and not self.size and not self.has_two_entries

    @property
    def entry(self) -> int | None:
        """The best entry point of both; where they agree on the text, that of one is enough."""
        first, second = (own.entry for own in self.judgements)
        return (first if second is None else second) if first == second or self.is_same else None

    @property
    def operations(self) -> list[dict[str, Any]]:
        """What an assessor would do who agrees with both."""
        if all(one.grade == 0 for one in self.common):
            return [{"kind": "not relevant"}]
        found = [{"kind": "highlight", **_as_json(one)} for one in self.common]
        if self.entry is not None:
            found.append({"kind": "entry", "at": self.entry})
        return [*found, {"kind": "done"}]


def _as_json(passage: Passage) -> dict[str, Any]:
    return dict(msgspec.to_builtins(passage))


def _spans(passages: Iterable[Passage]) -> Ranges:
    return Ranges.of([[(one.start, one.end) for one in passages]])


def _size(ranges: Ranges) -> int:
    return int(ranges.sizes()[0])


def _by_label(judgement: Judgement) -> dict[Passage, Ranges]:
    """The ranges of each grade and aspects, which a passage at no place stands for."""
    found: dict[Passage, list[Passage]] = {}
    for one in judgement.passages:
        found.setdefault(replace(one, start=0, end=0), []).append(one)
    return {label: _spans(passages) for label, passages in found.items()}


class Adjudication(Struct, frozen=True, eq=False, dict=True):
    """All documents that one of two assessors judged."""

    names: tuple[str, str]
    judged: Mapping[tuple[str, str], Both]
    """By topic and document."""

    scale: Scale = Scale()
    """The grades and aspects of what both highlighted, or those that were asked for."""

    @classmethod
    def of(
        cls,
        names: tuple[str, str],
        first: Judged,
        second: Judged,
        asked: Scale = Scale(),  # noqa: B008 (it is frozen)
    ) -> Adjudication:
        """All documents that either of them judged; where any has a grade, each highlight has."""
        scale = _scale([*first.values(), *second.values()], asked)
        one, other = (
            {key: _graded(judgement, scale) for key, judgement in judged.items()}
            for judged in (first, second)
        )
        keys = sorted({*one, *other})
        return cls(names, {key: Both(one.get(key), other.get(key)) for key in keys}, scale)

    def both(self, topic: str, document: str) -> Both:
        """What the two made of a document."""
        return self.judged.get((topic, document), Both(None, None))

    @cached_property
    def differing(self) -> list[tuple[str, str]]:
        """The topics and documents about which they differ, the largest difference first."""
        found = [key for key, both in self.judged.items() if not both.is_same]
        return sorted(found, key=lambda key: (-self.size(*key), key))

    def ordered(self, topic: PooledTopic) -> PooledTopic:
        """The documents that either judged, the largest disagreement first."""
        known = {one.document: one for one in topic.documents}
        own = [document for name, document in self.judged if name == topic.topic]
        ordered = sorted(own, key=lambda one: (-self.size(topic.topic, one), one))
        found = tuple(known.get(one, PooledDocument(one)) for one in ordered)
        return replace(topic, documents=found)

    def size(self, topic: str, document: str) -> int:
        """Characters about which they differ."""
        return self.both(topic, document).size

    def marks(self, topic: str, document: str) -> list[dict[str, Any]]:
        """What each highlighted, for a script."""
        both = self.both(topic, document)
        return [
            {
                "side": side,
                "name": name,
                "passages": list(map(_as_json, own.passages)),
                "entry": own.entry,
            }
            for side, name, own in zip(SIDES, self.names, both.judgements, strict=True)
        ]


def _scale(judged: Iterable[Judgement], asked: Scale) -> Scale:
    """What was asked for, if it has all that was found; otherwise that."""
    passages = [one for each in judged for one in each.passages]
    grades = {_UNGRADED if one.grade is None else one.grade for one in passages}
    aspects = {aspect for one in passages for aspect in one.aspects}
    if asked.grades:
        _require_all("grades", grades - {*asked.grades}, asked.grades)
    if asked.aspects:
        _require_all("aspects", aspects - {*asked.aspects}, asked.aspects)
    found = tuple(sorted(grades)) if grades - {_UNGRADED} else ()
    return Scale(asked.grades or found, asked.aspects or tuple(sorted(aspects)))


def _require_all(what: str, missing: Collection[object], asked: Collection[object]) -> None:
    if missing:
        some = ", ".join(map(str, sorted(missing, key=str)))
        there = option(what, ",".join(map(str, asked)))
        ungraded = f"; {_UNGRADED} is that of highlights without a grade" * (_UNGRADED in missing)
        raise SpanwiseError(
            f"the highlights to adjudicate have {what} {some}, which {there} does not"
            f" have{ungraded}; add them, or leave out {option(what)} to take all that there are"
        )


def _graded(judgement: Judgement, scale: Scale) -> Judgement:
    """With a grade for each passage, or for none."""
    passages = (
        replace(
            one, grade=(_UNGRADED if one.grade is None else one.grade) if scale.grades else None
        )
        for one in judgement.passages
    )
    return replace(judgement, passages=tuple(passages))
