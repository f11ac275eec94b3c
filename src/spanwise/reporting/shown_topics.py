"""The first answers of all runs to the first topics, with their texts while there is room."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from spanwise.evaluation.align import Aligned
from spanwise.evaluation.list_evidence import FirstAnswer, first_answers
from spanwise.reporting.scored_runs import ScoredRuns, texts_of
from spanwise.reporting.topic_failures import RelevantText, ShownAnswer
from spanwise.reporting.topic_texts import TopicTexts, relevant_texts, size_of

_TOGETHER = 32
"""Topics whose answers are looked up together at first; then twice as many, and so on."""


@dataclass(frozen=True)
class ShownTopic:
    """What is shown of a topic."""

    relevant: tuple[RelevantText, ...] = ()
    left_out: int = 0
    """Characters of relevant text."""
    answers: Mapping[str, tuple[ShownAnswer, ...]] = field(default_factory=dict)
    """By run."""

    @property
    def size(self) -> int:
        """Characters of its texts."""
        lists = (answer.pieces for answers in self.answers.values() for answer in answers)
        return sum(map(size_of, (*(text.pieces for text in self.relevant), *lists)))


def shown_topics(
    scored: ScoredRuns, topics: Sequence[str], least: int, most_text: int | None
) -> tuple[dict[str, ShownTopic], int]:
    """Topics in their order: at least so many of them, and all for whose texts there is room.

    The second value is the number of those with texts.
    """
    known = texts_of(scored.evaluation.documents)
    texts = None if known is None else TopicTexts(known)
    shown: dict[str, ShownTopic] = {}
    room, with_texts = most_text, 0
    for topic, lists in _first_lists(scored, topics):
        if texts is not None:
            made = shown_topic(texts, scored, topic, lists)
            if room is None or made.size <= room or not shown:
                shown[topic], with_texts = made, with_texts + 1
                room = None if room is None else room - made.size
                continue
            texts = None
        if len(shown) >= least:
            break
        shown[topic] = ShownTopic(answers={run: _plain(found) for run, found in lists.items()})
    return shown, with_texts


def shown_topic(
    texts: TopicTexts, scored: ScoredRuns, topic: str, lists: Mapping[str, list[FirstAnswer]]
) -> ShownTopic:
    """The texts of one topic."""
    relevant = relevant_texts(scored.evaluation.assessments, topic)
    return ShownTopic(
        *texts.relevant(relevant, lists.values()),
        {run: texts.answers(relevant, found) for run, found in lists.items()},
    )


def _plain(answers: Sequence[FirstAnswer]) -> tuple[ShownAnswer, ...]:
    """Answers without their texts."""
    return tuple(
        ShownAnswer(answer.rank, answer.document, answer.start, answer.end, answer.found)
        for answer in answers
    )


def _first_lists(
    scored: ScoredRuns, topics: Sequence[str]
) -> Iterator[tuple[str, dict[str, list[FirstAnswer]]]]:
    """Each topic with the first answers of each run, looked up as far as anyone asks."""
    begin, size = 0, _TOGETHER
    while begin < len(topics):
        some = topics[begin : begin + size]
        found = {run.run: _answers(scored, run.run, set(some)) for run in scored.scores.runs}
        for topic in some:
            yield topic, {run: lists.get(topic, []) for run, lists in found.items()}
        begin, size = begin + size, 2 * size


def _answers(scored: ScoredRuns, run: str, topics: set[str]) -> dict[str, list[FirstAnswer]]:
    evaluation = scored.evaluation
    judged, documents, policy = evaluation.assessments, evaluation.documents, evaluation.policy
    found: dict[str, list[FirstAnswer]] = {}
    for block in evaluation.first_documents.get(run, ()):
        aligned = Aligned(block.only(topics), judged, documents, policy)
        found |= first_answers(aligned, scored.thresholds.cutoff)
    return found
