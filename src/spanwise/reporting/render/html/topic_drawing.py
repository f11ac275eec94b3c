"""Topics with their failures, each with as much of it as a page has room for."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

from markupsafe import Markup

from spanwise.errors import option
from spanwise.reporting.render.html.scales import number
from spanwise.reporting.topic_failures import FailedTopic, TopicFailures
from spanwise.text.sentences import counted, enumerated

Level = Literal["nothing", "head", "words", "strips", "texts"]
"""What is shown of a topic: its name, what each run did, with strips, with texts."""
Draw = Callable[[str, Mapping[str, object]], Markup]
"""Fill in a template."""

FIRST = 10
"""Topics that have their texts before all topics have their names."""
MOST_AT_ONCE = 100
"""Topics that say what each run did before further ones have texts."""
DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz"


@dataclass(frozen=True)
class TopicFacts:
    """What filters ask for: numbers of groups, runs and diagnoses, values."""

    given: TopicFailures

    @cached_property
    def diagnoses(self) -> list[str]:
        """In the order of the table, which has them all."""
        named = [str(row[0].value) for row in self.given.why.cells()]
        found = dict.fromkeys(
            one.diagnosis for topic in self.given.topics for one in topic.lists if one.diagnosis
        )
        return [*(name for name in named if name in found), *(n for n in found if n not in named)]

    @cached_property
    def runs(self) -> list[str]:
        """The best one first."""
        lists = (one.run for topic in self.given.topics for one in topic.lists)
        return list(dict.fromkeys(lists))

    @property
    def groups(self) -> list[str]:
        """The names of lists of topics."""
        return [group.name for group in self.given.groups]

    @cached_property
    def _groups_of(self) -> Mapping[str, list[str]]:
        found: dict[str, list[str]] = {}
        for place, group in enumerate(self.given.groups):
            for topic in group.topics:
                found.setdefault(topic, []).append(str(place))
        return found

    def of(self, topic: FailedTopic) -> dict[str, object]:
        """For the markup of a topic; the diagnosis of each run is one character."""
        own = {one.run: one.diagnosis for one in topic.lists}
        values = [one.value for one in topic.lists if one.value is not None]
        first = topic.lists[0].value if topic.lists else None
        return {
            "groups": " ".join(self._groups_of.get(topic.topic, ())),
            "codes": "".join(self._code(own.get(run, "")) for run in self.runs).rstrip("-"),
            "value": None if first is None else number(round(first, 3)),
            "spread": number(round(max(values, default=0) - min(values, default=0), 3)),
        }

    def _code(self, diagnosis: str) -> str:
        return DIGITS[self.diagnoses.index(diagnosis)] if diagnosis else "-"


@dataclass(frozen=True)
class DrawnTopics:
    """The markup of all topics, and what was left out of it."""

    facts: TopicFacts
    topics: tuple[Markup, ...] = ()
    left_out: str = ""

    @property
    def groups(self) -> list[str]:
        """The lists of topics that can be chosen."""
        return self.facts.groups

    @property
    def diagnoses(self) -> list[str]:
        """The diagnoses that can be chosen."""
        return self.facts.diagnoses

    @property
    def runs(self) -> list[str]:
        """The runs that can be chosen."""
        return self.facts.runs

    def title(self, topic: str) -> str:
        """The query of a topic, by its id."""
        return self._titles.get(topic, topic)

    @cached_property
    def _titles(self) -> Mapping[str, str]:
        return {topic.topic: topic.title for topic in self.facts.given.topics}


def drawn_topics(given: TopicFailures, draw: Draw, room: int | None) -> DrawnTopics:
    """As much of each topic as there are bytes for; everything without a limit.

    The first topics have their texts, as many as possible their names; what is left goes to what
    each run did, then to strips, then to texts of as many topics as possible.
    """
    facts = TopicFacts(given)

    def one(topic: FailedTopic, level: Level) -> Markup:
        values = {"topic": topic, "level": level, "measure": given.measure, **facts.of(topic)}
        return draw("topic.html", values)

    if room is None:
        return DrawnTopics(facts, tuple(one(topic, "texts") for topic in given.topics))
    filled = _Filled(given.topics, one, room)
    shown = tuple(markup for markup, _ in filled.parts)
    return DrawnTopics(facts, shown, left_out([level for _, level in filled.parts], given))


class _Filled:
    """Topics that get more and more, as long as there is room."""

    def __init__(
        self,
        topics: Sequence[FailedTopic],
        draw: Callable[[FailedTopic, Level], Markup],
        room: int,
    ) -> None:
        self.parts: list[tuple[Markup, Level]] = [(Markup(""), "nothing") for _ in topics]
        self._topics, self._draw, self._room = topics, draw, room
        steps: tuple[tuple[Level, int], ...] = (
            *(("texts", FIRST), ("head", len(topics)), ("words", MOST_AT_ONCE)),
            *((level, len(topics)) for level in LEVELS[2:]),
        )
        for level, most in steps:
            self._fill(level, most)

    def _fill(self, level: Level, most: int) -> None:
        """The first topics, until one of them finds no room."""
        for place, topic in enumerate(self._topics[:most]):
            before, old = self.parts[place]
            if LEVELS.index(old) >= LEVELS.index(level):
                continue
            markup = self._draw(topic, level)
            needed = _bytes(markup) - _bytes(before)
            if needed > self._room:
                return
            self._room -= needed
            self.parts[place] = (markup, level)


LEVELS: tuple[Level, ...] = ("nothing", "head", "words", "strips", "texts")


def _bytes(markup: str) -> int:
    return len(markup.encode("utf-8", "replace"))


def left_out(levels: Sequence[Level], given: TopicFailures) -> str:
    """What there was no room for, in words; nothing if there was room for everything."""
    kinds: tuple[tuple[str, Level, bool], ...] = (
        ("texts", "texts", any(_has_texts(topic) for topic in given.topics)),
        ("strips", "strips", any(one.strips for topic in given.topics for one in topic.lists)),
        ("results of each run", "words", True),
        ("names", "head", True),
    )
    found: dict[int, list[str]] = {}
    for name, level, known in kinds:
        count = sum(LEVELS.index(own) >= LEVELS.index(level) for own in levels)
        if known and count < len(levels):
            found.setdefault(count, []).append(name)
    if not found:
        return ""
    said = (f"{enumerated(names)} of {_first(count)}" for count, names in found.items())
    return f"To stay small this page has {enumerated(said)}; {option('all_texts', True)} shows all."


def _first(count: int) -> str:
    return f"the first {counted(count, 'topic')}" if count > 1 else f"{count or 'no'} topic"


def _has_texts(topic: FailedTopic) -> bool:
    answers = (answer for one in topic.lists for answer in one.answers)
    return bool(topic.relevant) or any(answer.pieces for answer in answers)
