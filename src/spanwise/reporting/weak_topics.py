"""The weakest topics of the best run, with its largest relevant documents."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from spanwise.data.assessments import UNKNOWN
from spanwise.evaluation.evaluate import Evaluation
from spanwise.evaluation.scores import Scores
from spanwise.measures.base import Properties
from spanwise.reporting.first_screen import WeakTopic, WeakTopics
from spanwise.reporting.render.cells import told_apart, two_digits
from spanwise.reporting.scored_runs import (
    ScoredRuns,
    entry_of,
    first_strips,
    relevant_documents,
    relevant_spans,
)
from spanwise.reporting.sections import Strip
from spanwise.reporting.topic_names import LONGEST_QUERY, shortened
from spanwise.reporting.verdicts import named, ranked
from spanwise.statistics.comparison import Comparison
from spanwise.text.sentences import counted, spelled

MOST_TOPICS, MOST_DOCUMENTS = 3, 2
NEARLY = 1e-12


def weak_topics(scored: ScoredRuns, comparison: Comparison) -> WeakTopics | None:
    """Where the best run fails; nothing where no run can be called the best one."""
    best = ranked(comparison)[0]
    if comparison.better == "neither" or not best.topics:
        return None
    values = scored.scores.per_topic(comparison.measure, best.run)
    asked = scored.scores.measures[scored.scores.number_of(comparison.measure)]
    failed = imperfect(values, asked.measure.properties)
    title = f"Where does {best.run} fail?"
    if not failed:
        every = "the only topic" if len(values) == 1 else f"all {len(values):,} topics"
        return WeakTopics(title, f"Nowhere: its {comparison.measure} is perfect on {every}.", ())
    chosen = failed[:MOST_TOPICS]
    answered = scored.answered(chosen)
    strips = largest_strips(scored, best.run, chosen)
    topics = tuple(
        WeakTopic(
            topic,
            shortened(scored.scores.queries.get(topic, ""), LONGEST_QUERY) or topic,
            words_on(
                *(topic, values[topic], scored.scores, comparison, best.run),
                answered=topic in answered,
            ),
            strips[topic],
        )
        for topic in chosen
    )
    subtitle = _subtitle(failed, values, comparison, topics, scored.thresholds.cutoff)
    return WeakTopics(title, subtitle, topics)


def imperfect(values: Mapping[str, float], properties: Properties) -> list[str]:
    """Topics that are not perfect, the weakest first."""
    sign = -1 if properties.better == "lower" else 1
    least, most = properties.bounds
    # What a perfect run scores is not constant for all measures, but nothing beats a bound.
    perfect = {properties.perfect, least if sign < 0 else most} - {None}
    kept = [t for t, value in values.items() if not any(_is_near(value, one) for one in perfect)]
    return sorted(kept, key=lambda topic: (sign * values[topic], topic))


def _is_near(value: float, other: float | None) -> bool:
    return other is not None and abs(value - other) <= NEARLY


def _subtitle(
    failed: Sequence[str],
    values: Mapping[str, float],
    comparison: Comparison,
    shown: Sequence[WeakTopic],
    cutoff: int,
) -> str:
    """Which topics these are, ties and perfect ones told."""
    said = f"{_which(len(failed), len(values), len(shown))}, by {comparison.measure}"
    if any(topic.strips for topic in shown):
        said += (
            ", with the largest relevant documents and what its"
            f" {'first answer returns' if cutoff == 1 else f'first {cutoff:,} answers return'}"
            " of them"
        )
    return f"{said}.{_ties(failed, values, shown)}"


def _which(failed: int, every: int, some: int) -> str:
    """Topics that are not perfect, of all topics, of which some are shown."""
    if some < failed:
        return f"Its {spelled(some)} weakest topics"
    if failed == every:
        return "Its only topic" if every == 1 else f"Its {spelled(every)} topics, the weakest first"
    topics = "topic" if some == 1 else f"{spelled(some)} topics"
    return f"The only {topics} of {every:,} on which it is not perfect"


def _ties(failed: Sequence[str], values: Mapping[str, float], shown: Sequence[WeakTopic]) -> str:
    """Topics that might as well be shown, as they have the same value as the last one."""
    last = values[shown[-1].topic]
    tied = [topic for topic in failed if _is_near(values[topic], last)]
    drawn = sum(topic.topic in tied for topic in shown)
    if len(tied) == drawn:
        return ""
    are = "is" if drawn == 1 else "are"
    return f" {counted(len(tied), 'topic')} are tied at {two_digits(last)}; {drawn} {are} shown."


def words_on(
    topic: str,
    value: float,
    scores: Scores,
    comparison: Comparison,
    best: str,
    *,
    answered: bool = True,
) -> str:
    """The value of the best run on a topic, and which run does better there."""
    others = {
        run.run: own[topic]
        for run in scores.runs
        if run.run != best and topic in (own := scores.per_topic(comparison.measure, run.run))
    }
    if not answered:
        return f"{two_digits(value)}; {'no run answered it' if others else 'it is not answered'}"
    if not others:
        return two_digits(value)
    choose = min if comparison.better == "lower" else max
    top = choose(others.values())
    if choose(top, value) == value or _is_near(value, top):
        return f"{two_digits(value)}; no run does better"
    who = [run for run, other in others.items() if other == top]
    gets = "gets" if len(who) == 1 else "get"
    shown = told_apart(value, top)
    return f"{shown[0]}; {named(who)} {gets} {shown[1]}"


# -- strips


def largest_strips(
    scored: ScoredRuns, run: str, topics: Sequence[str]
) -> dict[str, tuple[Strip, ...]]:
    """The largest relevant documents of topics, with what the first answers return of them."""
    found = first_strips(scored, run, topics)
    return {topic: _largest(scored.evaluation, topic, found.get(topic, ())) for topic in topics}


def _largest(evaluation: Evaluation, topic: str, found: Sequence[Strip]) -> tuple[Strip, ...]:
    by_name = {strip.document: strip for strip in found}
    return tuple(
        by_name.get(document) or _missed(evaluation, topic, document)
        for document in relevant_documents(evaluation.assessments, topic)[:MOST_DOCUMENTS]
    )


def _missed(evaluation: Evaluation, topic: str, document: str) -> Strip:
    """A relevant document of which nothing is returned."""
    judged = evaluation.assessments
    first, after = judged.offsets[judged.numbers[topic] :][:2].tolist()
    pair = next(pair for pair in range(first, after) if judged.documents[pair] == document)
    spans, length = relevant_spans(judged, pair), int(judged.length[pair])
    if length == UNKNOWN:
        known = judged.lengths if evaluation.documents is None else evaluation.documents.lengths
        length = known.get(document, UNKNOWN)
    shown = max([1, *(end for _, end in spans)]) if length == UNKNOWN else length
    if judged.whole[pair]:
        spans = ((0, shown),)
    return Strip(
        *(document, shown, length != UNKNOWN, True, spans, ()), entry=entry_of(judged, pair)
    )
