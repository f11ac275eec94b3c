"""How far assessors agree: pair by pair and all together, over documents, elements, characters."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from itertools import combinations
from typing import Literal, get_args

import numpy as np

from spanwise.assessing.common_judgements import CommonJudgements
from spanwise.assessing.compared_units import (
    ElementUnits,
    Rows,
    character_values,
    counted_characters,
    counted_documents,
    counted_elements,
    document_values,
    element_values,
)
from spanwise.data.assessments import UNKNOWN, Assessments
from spanwise.data.elements import Elements
from spanwise.data.notes import NAMED, Note
from spanwise.errors import NeedError, SpanwiseError, option
from spanwise.records import Struct, replace
from spanwise.statistics.agreement import COEFFICIENTS, PairCounts, Values, alpha
from spanwise.statistics.unitizing import Unitized, unitizing_alpha
from spanwise.text.ranges import Integers, Ranges

Level = Literal["document", "element", "character"]
LEVELS: tuple[Level, ...] = get_args(Level)
Statistic = Literal["kappa", "alpha", "alpha_u", "f1", "overlap"]
STATISTICS: tuple[Statistic, ...] = get_args(Statistic)
EVERYONE = "all"
"""In the place of both names: all assessors together. In the place of a topic: all topics."""


class Coefficient(Struct, frozen=True):
    """A statistic of one level, of all topics pooled and of each of them; NaN is undefined."""

    level: Level
    statistic: Statistic
    pooled: float
    by_topic: tuple[float, ...]


class TextPair(Struct, frozen=True, eq=False, dict=True):
    """The text that two assessors found relevant, in the documents that can be compared."""

    rows: Rows
    documents: tuple[str, ...]
    first: Ranges
    second: Ranges
    length: Integers

    @cached_property
    def unitized(self) -> Unitized:
        """For Krippendorff's alpha for unitizing; unknown lengths as short as they can be."""
        end = np.maximum(self.first.last_end(), self.second.last_end())
        length, groups = np.maximum(self.length, end), len(self.rows.topics)
        return Unitized(self.first, self.second, length, self.rows.group, groups)


class PairAgreement(Struct, frozen=True, eq=False, dict=True):
    """Two assessors, compared over the documents that both judged."""

    first: str
    second: str
    topics: tuple[str, ...]
    """With a document that both judged."""
    documents: int
    """How many documents both judged, counted for each topic."""
    counts: Mapping[Level, PairCounts]
    """A row for each topic; a level is missing where it cannot be compared."""
    text: TextPair | None
    notes: tuple[Note, ...] = ()

    @cached_property
    def coefficients(self) -> tuple[Coefficient, ...]:
        """All statistics of all levels, in the order of both."""
        found = [
            Coefficient(
                *(level, name, float(compute(counts.together())[0])),
                tuple(compute(counts).tolist()),
            )
            for level, counts in self.counts.items()
            for name, compute in COEFFICIENTS.items()
        ]
        unitized = [] if self.text is None else [_unitizing(self.text)]
        return tuple(
            sorted(
                [*found, *unitized],
                key=lambda one: (LEVELS.index(one.level), STATISTICS.index(one.statistic)),
            )
        )

    def of(self, level: Level, statistic: Statistic) -> Coefficient | None:
        """A statistic, None where its level cannot be compared."""
        wanted = (level, statistic)
        return next(
            (one for one in self.coefficients if (one.level, one.statistic) == wanted), None
        )

    def pooled(self, level: Level, statistic: Statistic) -> float | None:
        """A statistic over all topics, None where it is undefined."""
        found = self.of(level, statistic)
        return None if found is None or found.pooled != found.pooled else found.pooled


class JointAgreement(Struct, frozen=True, eq=False):
    """More than two assessors together: Krippendorff's alpha of each level."""

    topics: tuple[str, ...]
    coefficients: tuple[Coefficient, ...]
    documents: int
    """How many documents at least two assessors judged, counted for each topic."""


class Agreement(Struct, frozen=True, eq=False):
    """How far some assessors agree."""

    assessors: tuple[str, ...]
    pairs: tuple[PairAgreement, ...]
    joint: JointAgreement | None
    """Only of more than two assessors."""
    queries: Mapping[str, str]
    notes: tuple[Note, ...] = ()


def agreement_of(
    names: Sequence[str], judged: Sequence[Assessments], elements: Elements | None = None
) -> Agreement:
    """Compare two or more assessors, each by a name of its own.

    Two assessors are compared over the documents that both judged for a topic, relevant or not;
    documents of one of them alone are counted in a note.

    >>> from spanwise.formats.memory import assessments_from
    >>> one = assessments_from({"q1": {"d1": [(0, 60)], "d2": [(5, 9)]}})
    >>> other = assessments_from({"q1": {"d1": [(30, 90)], "d2": [(5, 9)]}})
    >>> found = agreement_of(["one", "other"], [one, other])
    >>> found.pairs[0].pooled("character", "overlap")
    0.3617021276595745
    """
    common = CommonJudgements.of(judged)
    pairs = tuple(
        _pair(common, (names[one], names[other]), one, other, elements)
        for one, other in combinations(range(len(names)), 2)
    )
    if not any(pair.documents for pair in pairs):
        raise nothing_common(names, judged)
    joint = _joint(common, elements) if len(names) > 2 else None
    queries = {topic: query for one in reversed(judged) for topic, query in one.queries.items()}
    return Agreement(tuple(names), pairs, joint, queries, tuple(_notes(pairs)))


# -- what cannot be compared


def refuse_other_texts(names: Sequence[str], judged: Sequence[Assessments]) -> None:
    """The assessors must have read the same texts, as far as lengths and hashes tell."""
    lengths = [_known_lengths(one) for one in judged]
    for what, facts in (("characters", lengths), ("SHA-256", [one.hashes for one in judged])):
        seen: dict[str, tuple[object, str]] = {}
        for name, own in zip(names, facts, strict=True):
            for document, value in own.items():
                before, other = seen.setdefault(document, (value, name))
                if before != value:
                    raise SpanwiseError(
                        f"document {document}: found {what} {before} in {other} and {value} in"
                        f" {name}, expected the same text; compare assessments of one version of"
                        " the documents"
                    )


def refuse_beyond_lengths(names: Sequence[str], judged: Sequence[Assessments]) -> None:
    """What one assessor marked must be inside the length that another one has recorded."""
    lengths = {
        document: (length, name)
        for name, one in zip(names, judged, strict=True)
        for document, length in _known_lengths(one).items()
    }
    for name, one in zip(names, judged, strict=True):
        ends = one.relevant.last_end().tolist()
        for document, end in zip(one.documents.strings(), ends, strict=True):
            length, other = lengths.get(document, (end, name))
            if end > length:
                raise SpanwiseError(
                    f"document {document}: found relevant text up to {end} in {name} and"
                    f" {length} characters in {other}, expected the same text; compare assessments"
                    " of one version of the documents"
                )


def _known_lengths(judged: Assessments) -> dict[str, int]:
    known = np.flatnonzero(judged.length != UNKNOWN)
    names = judged.documents.take(known).strings()
    return dict(zip(names, judged.length[known].tolist(), strict=True))


def nothing_common(names: Sequence[str], judged: Sequence[Assessments]) -> SpanwiseError:
    """Why there is nothing to compare, with an example of each spelling."""
    shared = set(judged[0].topics).intersection(*(one.topics for one in judged[1:]))
    what = "document of the same topic" if shared else "topic"
    examples = ", ".join(
        f"{name} has {_example(one, shared)}" for name, one in zip(names, judged, strict=True)
    )
    return SpanwiseError(
        f"found no {what} that two assessors judged, expected at least one ({examples}); check that"
        " the files are about the same topics and documents"
    )


def _example(judged: Assessments, shared: set[str]) -> str:
    if not shared:
        return f"topic {judged.topics[0]}" if judged.topics else "no topic"
    topic = min(shared)
    pair = int(judged.offsets[judged.numbers[topic]])
    return f"document {judged.documents[pair]} for topic {topic}"


# -- two assessors


def _pair(
    common: CommonJudgements,
    names: tuple[str, str],
    one: int,
    other: int,
    elements: Elements | None,
) -> PairAgreement:
    rows = Rows.of(common, np.flatnonzero(common.judged(one) & common.judged(other)))
    counts: dict[Level, PairCounts] = {"document": counted_documents(common, rows, one, other)}
    notes = [*_alone(common, one, other), *_listed_only(counts["document"], len(rows))]
    try:
        units = _units(common, rows, elements)
        found = [units.found_by(common, n, rows, elements) for n in (one, other) if elements]
        counts["element"] = counted_elements(units, found[0], found[1], rows)
    except NeedError as problem:
        notes.append(Note("no agreement on elements", detail=problem.message))
    bare = (common.without_text(one) | common.without_text(other))[rows.pairs]
    if bare.any():
        notes.append(Note("compared without text", int(bare.sum())))
    text = _text_of(common, rows.only(~bare), one, other)
    if len(text.rows):
        counts["character"] = counted_characters(text.first, text.second, text.length, text.rows)
        if unknown := int((text.length == UNKNOWN).sum()):
            notes.append(Note("no lengths to compare", unknown, len(text.rows)))
    shown = text if len(text.rows) else None
    return PairAgreement(*names, rows.topics, len(rows), counts, shown, tuple(notes))


def _units(common: CommonJudgements, rows: Rows, elements: Elements | None) -> ElementUnits:
    if elements is None:
        documents, table = option("collection"), option("elements")
        raise NeedError(f"it needs the documents' elements: give {documents} or {table}")
    units = ElementUnits.of(common, rows, elements)
    if not len(units.keys):
        raise NeedError("the documents have no elements")
    return units


def _text_of(common: CommonJudgements, rows: Rows, one: int, other: int) -> TextPair:
    names = tuple(common.pairs.documents.take(rows.pairs).strings())
    first, second = (common.text(n).take(rows.pairs) for n in (one, other))
    return TextPair(rows, names, first, second, common.lengths()[rows.pairs])


def _unitizing(text: TextPair) -> Coefficient:
    unknown = text.rows.sums(text.length == UNKNOWN) > 0
    by_topic = np.where(unknown, np.nan, unitizing_alpha(text.unitized))
    pooled = np.nan if unknown.any() else float(unitizing_alpha(text.unitized.together())[0])
    return Coefficient("character", "alpha_u", pooled, tuple(by_topic.tolist()))


def _alone(common: CommonJudgements, one: int, other: int) -> Iterator[Note]:
    """Documents that only one of the two judged."""
    mine, theirs = common.judged(one), common.judged(other)
    apart = np.flatnonzero(mine ^ theirs)
    if len(apart):
        yield Note("judged by one assessor", len(apart), int((mine | theirs).sum()))


def _listed_only(counts: PairCounts, documents: int) -> Iterator[Note]:
    """Where only relevant documents are listed, nobody knows what else was read."""
    if documents and _lists_only(counts):
        yield Note("no document judged not relevant", documents)


def _lists_only(counts: PairCounts) -> bool:
    return not np.sum(counts.first + counts.second + counts.neither)


# -- several assessors


def _joint(common: CommonJudgements, elements: Elements | None) -> JointAgreement:
    """Over what at least two assessors judged."""
    several = range(len(common.assessors))
    judges = np.sum([common.judged(n) for n in several], axis=0)
    rows = Rows.of(common, np.flatnonzero(judges > 1))
    bare = np.any([common.without_text(n) for n in several], axis=0)[rows.pairs]
    values: dict[Level, Values] = {"document": document_values(common, rows)}
    try:
        units = _units(common, rows, elements)
        found = [units.found_by(common, n, rows, elements) for n in several if elements]
        values["element"] = element_values(common, rows, units, found)
    except NeedError:
        pass  # Every pair of assessors has a note about it.
    texts = rows.only(~bare)
    if len(texts):
        values["character"] = character_values(common, texts, common.lengths()[texts.pairs])
    found_alpha = tuple(
        Coefficient(*(level, "alpha", float(alpha(own.together())[0])), tuple(alpha(own).tolist()))
        for level, own in values.items()
    )
    return JointAgreement(rows.topics, found_alpha, len(rows))


# -- notes


def _notes(pairs: Sequence[PairAgreement]) -> Iterator[Note]:
    """What holds for every pair is said once; then what is undefined."""
    several = len(pairs) > 1
    every = [set(pair.notes) for pair in pairs]
    shared = set.intersection(*every)
    for pair in pairs:
        about = f"{pair.first} and {pair.second}" if several else ""
        for note in pair.notes:
            if note not in shared:
                yield _about(note, about)
        yield from (_about(note, about) for note in _undefined(pair))
    yield from (note for note in pairs[0].notes if note in shared)


def _about(note: Note, about: str) -> Note:
    return replace(note, about=about)


def _undefined(pair: PairAgreement) -> Iterator[Note]:
    """Topics for which a statistic has no value, and so no row."""
    for level in pair.counts:
        own = [one for one in pair.coefficients if one.level == level]
        missing: dict[tuple[str, ...], list[str]] = {}
        for one in own:
            values = zip(pair.topics, one.by_topic, strict=True)
            topics = tuple(topic for topic, value in values if value != value)
            if topics and not (level == "document" and _lists_only(pair.counts[level])):
                missing.setdefault(topics, []).append(one.statistic)
        for topics, statistics in missing.items():
            said = f"{' or '.join(statistics)} over {level}s"
            yield Note(
                "undefined agreement", len(topics), len(pair.topics), said, topics[: NAMED + 1]
            )
