"""Where runs fail: topics with what was found and missed, failures first, and why."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from spanwise.errors import option
from spanwise.evaluation.diagnosis import (
    KINDS,
    Diagnosis,
    Evidence,
    Thresholds,
    diagnosis_of,
)
from spanwise.records import replace
from spanwise.reporting.failure_groups import RankedTopics
from spanwise.reporting.output import Column, Part, Row, Table
from spanwise.reporting.render.cells import percent_text
from spanwise.reporting.scored_runs import ScoredRuns, StripsByRun, strips_by_run
from spanwise.reporting.shown_topics import ShownTopic, shown_topics
from spanwise.reporting.topic_failures import (
    FailedList,
    FailedTopic,
    Group,
    TopicFailures,
)
from spanwise.reporting.topic_names import LONGEST_QUERY, shortened, topic_names
from spanwise.reporting.topic_readings import topic_readings
from spanwise.text.sentences import counted

MOST_TEXT = 100_000
"""Characters of texts in a report, unless all are asked for."""
MOST_NAMED = 5
"""Topics of a group that are named in a sentence."""
MOST_READINGS = 12
"""Topics whose reading order is drawn, unless all texts are asked for."""
NO_FAILURE, TOPICS = "no failure", "topics"
_ABSENT = Diagnosis("no answer", "no answer: the run returned nothing for this topic")
_RARE = frozenset(("no answer", "not known"))
"""Kinds that have a row only where they occur."""


def report_failures(
    scored: ScoredRuns, *, strips: int | None = 500, most_text: int | None = MOST_TEXT
) -> TopicFailures:
    """The topics of a report, failures first.

    Strips and texts are shown for the first topics: no more strips in total than asked for, and
    texts until they have so many characters together (None: those of all topics).
    """
    return _Failures(scored, strips, most_text).made()


def failure_parts(failures: TopicFailures) -> tuple[Part, ...]:
    """Why runs fail, for outputs without pictures: the table, and a sentence for each group."""
    titles = {topic.topic: topic.title for topic in failures.topics}
    return (failures.why, *(_said(group, titles) for group in failures.groups))


def failure_record(failures: TopicFailures) -> dict[str, object]:
    """The same for programs; lists one by one would outweigh everything else in a page."""
    names = [column.name for column in failures.why.columns[1:]]
    counts = ((str(row[0].value), row[1:]) for row in failures.why.cells())
    return {
        "why": [
            {"diagnosis": kind, "topics": dict(zip(names, (n.value for n in cells), strict=True))}
            for kind, cells in counts
            if kind != TOPICS
        ],
        "groups": [group._asdict() for group in failures.groups],
    }


def _said(group: Group, titles: Mapping[str, str]) -> str:
    """The sentence about a group, and the names of its first topics."""
    if not group.topics:
        return group.words
    first = group.topics[:MOST_NAMED]
    asked = {topic: titles[topic] for topic in first if titles[topic] != topic}
    names = topic_names(first, asked)
    more = len(group.topics) - len(first)
    rest = f" and {more:,} more" if more else ""
    return f"{group.words.removesuffix('.')}: {', '.join(names[topic] for topic in first)}{rest}."


@dataclass(frozen=True, eq=False)
class _Failures:
    scored: ScoredRuns
    strips: int | None
    most_text: int | None

    def made(self) -> TopicFailures:
        """Everything together."""
        groups = tuple(self.ranked.groups())
        of_topic: dict[str, list[str]] = {}
        for group in groups:
            for topic in group.topics:
                of_topic.setdefault(topic, []).append(group.name)
        order = self.ranked.order
        stripped, strips = strips_by_run(self.scored, order, self.strips)
        shown, with_texts = shown_topics(self.scored, order, len(stripped), self.most_text)
        nothing = ShownTopic()
        readings = topic_readings(self.scored, order[: self._most_readings])
        found = (
            self._topic(topic, tuple(of_topic.get(topic, ())), shown.get(topic, nothing), strips)
            for topic in order
        )
        topics = tuple(replace(one, reading=readings.get(one.topic)) for one in found)
        return TopicFailures(
            measure=self.scored.scores.measures[0].label,
            cutoff=self.scored.thresholds.cutoff,
            why=self._why(),
            groups=groups,
            topics=topics,
            with_texts=with_texts,
            left_out=self._left_out(with_texts, len(stripped)),
        )

    @property
    def _most_readings(self) -> int | None:
        return MOST_READINGS if self.most_text is not None else None

    @cached_property
    def ranked(self) -> RankedTopics:
        """The topics in their order."""
        return RankedTopics(self.scored.scores, self.diagnoses)

    @cached_property
    def evidence(self) -> dict[str, dict[str, Evidence]]:
        """What was counted of each list, by run and topic."""
        kept = self.scored.evaluation.evidence
        return {
            run.run: {t: found for block in kept.get(run.run, ()) for t, found in block.items()}
            for run in self.scored.scores.runs
        }

    @cached_property
    def diagnoses(self) -> dict[str, dict[str, Diagnosis]]:
        """What is wrong with each list, by run and topic."""
        limits = self.scored.thresholds
        return {
            run: {topic: diagnosis_of(counts, limits) for topic, counts in found.items()}
            for run, found in self.evidence.items()
        }

    def _topic(
        self, topic: str, groups: tuple[str, ...], shown: ShownTopic, strips: StripsByRun
    ) -> FailedTopic:
        queries = self.scored.scores.queries
        lists = tuple(
            self._list(topic, number, run.run, shown, strips)
            for number, run in enumerate(self.scored.scores.runs)
        )
        title = shortened(queries.get(topic, ""), LONGEST_QUERY) or topic
        return FailedTopic(topic, title, groups, shown.relevant, shown.left_out, lists)

    def _list(
        self, topic: str, number: int, run: str, shown: ShownTopic, strips: StripsByRun
    ) -> FailedList:
        diagnosis = self.diagnoses[run].get(topic, _ABSENT)
        counts = self.evidence[run].get(topic)
        answers = shown.answers.get(run, ())
        value = float(self.ranked.values[number, self._places[topic]])
        return FailedList(
            run=run,
            value=None if value != value else value,
            diagnosis=diagnosis.kind,
            words=diagnosis.words,
            answers=answers,
            strips=strips.get(run, {}).get(topic, ()),
            more=(counts.answers if counts else 0) - len(answers),
        )

    @cached_property
    def _places(self) -> dict[str, int]:
        return {topic: place for place, topic in enumerate(self.ranked.topics)}

    # -- why runs fail

    def _why(self) -> Table:
        """Each list counts once: under its diagnosis."""
        runs = [run.run for run in self.scored.scores.runs]
        topics = self.ranked.topics
        counts = {
            run: Counter(self.diagnoses[run].get(topic, _ABSENT).kind for topic in topics)
            for run in runs
        }
        occurring = set().union(*counts.values())
        rows: list[Row] = [
            (kind, *(counts[run][kind] for run in runs))
            for kind in KINDS
            if kind not in _RARE or kind in occurring
        ]
        rows.append((NO_FAILURE, *(counts[run][""] for run in runs)))
        rows.append((TOPICS, *(len(topics) for _ in runs)))
        columns = (Column("diagnosis", "text"), *(Column(run, "count") for run in runs))
        legend = why_legend(self.scored.thresholds)
        return Table("Why runs fail", columns, tuple(rows), legend, transposed="run")

    def _left_out(self, with_texts: int, with_strips: int) -> str:
        """What is not shown, and why."""
        every = counted(len(self.ranked.topics), "topic")
        said = []
        if 0 < with_texts < len(self.ranked.topics):
            said.append(
                f"Texts are shown for the first {with_texts:,} of {every}, up to"
                f" {self.most_text:,} characters; {option('all_texts', True)} shows them all."
            )
        if with_strips < len(self.ranked.topics):
            said.append(
                f"Documents are drawn for the first {with_strips:,} of {every};"
                f" {option('strips')} draws more."
            )
        return " ".join(said)


def why_legend(limits: Thresholds) -> str:
    """What the diagnoses mean, with the thresholds that were used."""
    first = "answer" if limits.cutoff == 1 else f"{limits.cutoff:,} answers"
    return (
        "topics, each under the first diagnosis that holds;"
        " wrong document = no relevant document in the list;"
        " wrong place = no relevant text returned;"
        f" late = first hit after rank {limits.late:,};"
        f" incomplete = under {percent_text(limits.incomplete)} of the relevant text in the first"
        f" {first}; cut = a relevant range that only several answers return together;"
        f" noisy = under {percent_text(limits.noisy)} of what the first {first} return"
        f"{'s' if limits.cutoff == 1 else ''} is relevant"
    )
