"""Which runs the official INEX 2010 evaluator refuses, and for which measures."""

from __future__ import annotations

from bisect import bisect_left, insort
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from spanwise.compat.inex_eval.records import OfficialAnswer, OfficialRun
from spanwise.errors import Fault, PolicyError
from spanwise.measures.base import ListScore
from spanwise.measures.documents.entry_point import BEP
from spanwise.measures.lists.generalised import AgP, gP, gR, igP

Answers: TypeAlias = Sequence[OfficialAnswer]


@dataclass(frozen=True, slots=True)
class Rule:
    """Something that the answers of one topic must not do."""

    name: str
    broken_by: Callable[[Answers], OfficialAnswer | None]
    """The first answer that does it."""
    found: str
    expected: str
    remedy: str

    def fault(self, answer: OfficialAnswer, file: str) -> Fault:
        """Say what is wrong with an answer."""
        found = self.found.format(document=answer.document, topic=answer.topic)
        return Fault(file, answer.line, found, self.expected, self.remedy, self.name)


def _interleaved(answers: Answers) -> OfficialAnswer | None:
    seen: set[str] = set()
    before = ""
    for answer in answers:
        if answer.document in seen and answer.document != before:
            return answer
        before = answer.document
        seen.add(before)
    return None


def _repeated(answers: Answers) -> OfficialAnswer | None:
    seen: set[str] = set()
    for answer in answers:
        if answer.document in seen:
            return answer
        seen.add(answer.document)
    return None


def _overlapping(answers: Answers) -> OfficialAnswer | None:
    """Find an overlap; an empty answer strictly inside another one counts as well."""
    earlier: dict[str, list[tuple[int, int]]] = defaultdict(list)
    for answer in answers:
        ranges = earlier[answer.document]
        # As none of the earlier ranges overlap, the last that starts before the end ends last.
        place = bisect_left(ranges, (answer.end,))
        if place and ranges[place - 1][1] > answer.start:
            return answer
        if answer.is_located:
            insort(ranges, (answer.start, answer.end))
    return None


INTERLEAVED = Rule(
    "interleaved",
    _interleaved,
    "document {document} of topic {topic} again after another document",
    "the answers of a document together",
    "move the line to the document's other answers",
)
REPEATED = Rule(
    "several answers",
    _repeated,
    "a second answer in document {document} of topic {topic}",
    "one answer for each document (BEP)",
    "remove one of them",
)
OVERLAPPING = Rule(
    "overlap",
    _overlapping,
    "an answer in document {document} that overlaps an earlier one of topic {topic}",
    "none (--overlap error)",
    "remove it or use --overlap union",
)


def rules_for(measure: ListScore, *, united: bool) -> list[Rule]:
    """List the rules that a run has to keep for a measure."""
    rules = [INTERLEAVED] if isinstance(measure, (gP, gR, AgP, igP)) else []
    if isinstance(getattr(measure, "item", None), BEP):
        return [*rules, REPEATED]
    return rules if united else [*rules, OVERLAPPING]


def find_faults(topics: Iterable[Answers], file: str) -> dict[Rule, Fault]:
    """Find the first answer of a run that breaks each rule, for the rules that are broken."""
    faults: dict[Rule, Fault] = {}
    for answers in topics:
        for rule in (INTERLEAVED, REPEATED, OVERLAPPING):
            broken = rule.broken_by(answers)
            if broken is not None:
                faults.setdefault(rule, rule.fault(broken, file))
    return faults


def answers_by_topic(run: OfficialRun, assessed: set[str]) -> dict[str, list[OfficialAnswer]]:
    """Group the answers of the assessed topics; other topics are not looked at."""
    topics: dict[str, list[OfficialAnswer]] = {}
    before = None
    for answer in run.answers:
        if answer.topic in topics and answer.topic != before:
            raise PolicyError(str(_scattered(answer, run.file)))
        before = answer.topic
        if before in assessed:
            topics.setdefault(before, []).append(answer)
    return topics


def _scattered(answer: OfficialAnswer, file: str) -> Fault:
    found = f"topic {answer.topic} again after another topic"
    expected = "the lines of a topic together (--compat inex_eval)"
    remedy = "move the line to the topic's other lines"
    return Fault(file, answer.line, found, expected, remedy, "scattered")
