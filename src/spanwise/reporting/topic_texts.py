"""Texts of a topic: what is relevant, and what was returned, in whole sentences with marks."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from spanwise.data.assessments import UNKNOWN, Assessments
from spanwise.data.run import Run
from spanwise.evaluation.diagnosis import Thresholds
from spanwise.evaluation.evaluate import Evaluation
from spanwise.evaluation.explain import diagnosed_list
from spanwise.evaluation.list_evidence import FirstAnswer
from spanwise.records import replace
from spanwise.reporting.explained_lists import ExplainedList
from spanwise.reporting.scored_runs import relevant_pairs, relevant_spans, texts_of
from spanwise.reporting.sections import Spans, Texts
from spanwise.reporting.topic_failures import Mark, Piece, RelevantText, ShownAnswer
from spanwise.text.passages import Passages, Span, chosen

LONGEST_ANSWER = 320
"""Characters of an answer that are shown."""
LONGEST_RELEVANT = 900
"""Characters of a topic's relevant text that are shown."""
_KEPT = 256
"""Documents whose sentences are remembered."""
_EVERYTHING: Spans = ((0, 2**62),)
"""Relevant in a document of unknown length that is relevant as a whole."""

Answers = Sequence[FirstAnswer]
Relevant = Mapping[str, Spans]


def relevant_texts(assessments: Assessments, topic: str) -> dict[str, Spans]:
    """The relevant text of each relevant document, those with most of it first."""
    found = {}
    for pair in relevant_pairs(assessments, topic):
        everything = assessments.whole[pair] and assessments.length[pair] == UNKNOWN
        spans = _EVERYTHING if everything else relevant_spans(assessments, pair)
        if spans:
            found[assessments.documents[pair]] = spans
    return found


@dataclass
class TopicTexts:
    """Makes the texts of topics from those of their documents."""

    texts: Texts
    longest_answer: int = LONGEST_ANSWER
    longest_relevant: int = LONGEST_RELEVANT
    _kept: dict[str, Passages | None] = field(default_factory=dict)

    def passages(self, document: str) -> Passages | None:
        """The sentences of a document; None if its text is not known."""
        if document not in self._kept:
            if len(self._kept) >= _KEPT:
                del self._kept[next(iter(self._kept))]
            text = self.texts(document)
            self._kept[document] = None if text is None else Passages(text)
        return self._kept[document]

    def relevant(
        self, relevant: Relevant, lists: Iterable[Answers]
    ) -> tuple[tuple[RelevantText, ...], int]:
        """The relevant text, and how many characters of it are left out.

        It is found where any of the lists returns it, else it is missed.
        """
        returned = [answer for answers in lists for answer in answers]
        shown: list[RelevantText] = []
        room, left_out = self.longest_relevant, 0
        for document, spans in relevant.items():
            passages = self.passages(document)
            if passages is None:
                continue
            wanted = _within(spans, 0, len(passages.text))
            size = sum(end - start for start, end in wanted)
            holding = _holding(passages, wanted)
            taken = chosen(holding, wanted, room) if room > 0 else []
            room -= sum(end - start for start, end in taken)
            left_out += size - sum(_size(_within(wanted, *span)) for span in taken)
            found = _places(returned, document, len(passages.text))
            mark = _mark_relevant(wanted, found)
            if taken:
                pieces = _pieces(passages.text, taken, [*wanted, *found], mark)
                shown.append(RelevantText(document, tuple(pieces)))
        return tuple(shown), left_out

    def answers(self, relevant: Relevant, answers: Answers) -> tuple[ShownAnswer, ...]:
        """The answers of a list with their texts."""
        return tuple(
            ShownAnswer(
                *(answer.rank, answer.document, answer.start, answer.end, answer.found),
                pieces=tuple(self._answer(relevant, answer, answers)),
            )
            for answer in answers
        )

    def _answer(self, relevant: Relevant, answer: FirstAnswer, answers: Answers) -> Iterator[Piece]:
        passages = self.passages(answer.document)
        place = None if passages is None else _place(answer, len(passages.text))
        if passages is None or place is None:
            return
        start, end = place
        spans = _within(relevant.get(answer.document, ()), 0, len(passages.text))
        own = _within(spans, start, end)
        taken = chosen(passages.of(start, end), own, self.longest_answer)
        if taken and taken[0][0] > start:
            yield Piece("", gap=taken[0][0] - start)
        read = _places(answers, answer.document, len(passages.text))
        mark = _mark_answer(spans, place, read)
        yield from _pieces(passages.text, taken, [*spans, place, *read], mark)
        if taken and taken[-1][1] < end:
            yield Piece("", gap=end - taken[-1][1])


EXPLAINED_ANSWER, EXPLAINED_RELEVANT = 600, 2_000
"""The same limits where a single list is explained."""


def explained_list(
    evaluation: Evaluation, run: Run, topic: str, *, everything: bool = False
) -> ExplainedList:
    """What is wrong with one list, and its texts where they are known."""
    found = diagnosed_list(evaluation, run, topic, Thresholds())
    query = evaluation.assessments.queries.get(topic, "")
    bare = ExplainedList(run.name, topic, query, found.diagnosis, every=found.every)
    known = texts_of(evaluation.documents)
    if known is None:
        return bare
    limits = (sys.maxsize, sys.maxsize) if everything else (EXPLAINED_ANSWER, EXPLAINED_RELEVANT)
    texts = TopicTexts(known, *limits)
    relevant = relevant_texts(evaluation.assessments, topic)
    shown, left_out = texts.relevant(relevant, [found.answers])
    answers = texts.answers(relevant, found.answers)
    return replace(bare, relevant=shown, relevant_left_out=left_out, answers=answers)


def size_of(pieces: Iterable[Piece]) -> int:
    """Characters of text."""
    return sum(len(piece.text) for piece in pieces)


# -- places


def _place(answer: FirstAnswer, length: int) -> Span | None:
    """What an answer returns of a document with this length."""
    if answer.whole:
        return 0, length
    if answer.start is None or answer.end is None or answer.start >= length:
        return None
    return answer.start, min(answer.end, length)


def _places(answers: Iterable[FirstAnswer], document: str, length: int) -> list[Span]:
    own = (_place(answer, length) for answer in answers if answer.document == document)
    return [place for place in own if place is not None]


def _within(spans: Iterable[Span], start: int, end: int) -> list[Span]:
    """The parts of ranges that lie in another one."""
    return [(max(a, start), min(b, end)) for a, b in spans if a < end and b > start]


def _size(spans: Iterable[Span]) -> int:
    return sum(end - start for start, end in spans)


def _holding(passages: Passages, spans: Iterable[Span]) -> list[Span]:
    """The passages that hold any of these ranges, each of them once."""
    return sorted({passage for span in spans for passage in passages.of(*span)})


# -- marks


def _holds(spans: Iterable[Span], place: int) -> bool:
    return any(start <= place < end for start, end in spans)


def _mark_relevant(wanted: Sequence[Span], found: Sequence[Span]) -> Callable[[int], Mark]:
    def mark(place: int) -> Mark:
        if not _holds(wanted, place):
            return ""
        return "found" if _holds(found, place) else "missed"

    return mark


def _mark_answer(
    relevant: Sequence[Span], own: Span, read: Sequence[Span]
) -> Callable[[int], Mark]:
    """Around an answer stand the rests of its sentences: what was missed there is marked too."""

    def mark(place: int) -> Mark:
        is_relevant = _holds(relevant, place)
        if _holds([own], place):
            return "found" if is_relevant else "vain"
        return "missed" if is_relevant and not _holds(read, place) else ""

    return mark


def _pieces(
    text: str, taken: Sequence[Span], spans: Sequence[Span], mark: Callable[[int], Mark]
) -> Iterator[Piece]:
    """Passages cut where their mark changes, with gaps between those that do not touch."""
    begin, end = taken[0] if taken else (0, 0)
    for start, after in taken[1:]:
        if start > end:
            yield from _marked(text, begin, end, spans, mark)
            yield Piece("", gap=start - end)
            begin = start
        end = after
    if taken:
        yield from _marked(text, begin, end, spans, mark)


def _marked(
    text: str, start: int, end: int, spans: Sequence[Span], mark: Callable[[int], Mark]
) -> Iterator[Piece]:
    edges = {edge for span in spans for edge in span if start < edge < end}
    places = [start, *sorted(edges)]
    marks = [mark(place) for place in places]
    begin = start
    for number, place in enumerate(places[1:], 1):
        if marks[number] != marks[number - 1]:
            yield Piece(text[begin:place], marks[number - 1])
            begin = place
    yield Piece(text[begin:end], marks[-1])
