"""Topics with their failures, each with as much of it as a page has room for."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

from markupsafe import Markup

from spanwise.errors import option
from spanwise.records import replace
from spanwise.reporting.render.html.scales import number
from spanwise.reporting.topic_failures import FailedTopic, TopicFailures
from spanwise.text.sentences import counted, enumerated

Level = Literal["nothing", "head", "words", "strips", "texts"]
"""What is shown of a topic: its name, what each run did, with strips, with texts."""
Draw = Callable[[str, Mapping[str, object]], Markup]
"""Fill in a template."""

BEFORE_NAMES, AFTER_NAMES = 3, 10
"""First topics that have their texts before all topics have their names, and after that."""
MOST_LISTS = 10
"""Runs, the best ones, of which a small page says what they returned."""
MOST_LINKED = 5
"""Topics of a group that are linked to by their names."""
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
    present: frozenset[str] | None = None
    """The ids of topics that are in the page; None: all are."""
    most_lists: int | None = None
    """Runs of which topics have lists; None: all of them."""
    is_enough: bool = True
    """All topics have their names, the weakest and the first ones their texts."""

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

    @property
    def listed(self) -> list[str]:
        """The runs that can be shown beside each other."""
        return self.runs[: self.most_lists]

    @property
    def every(self) -> int:
        """The topics of the report, in the page or not."""
        return len(self.facts.given.topics)

    def has(self, topic: str) -> bool:
        """Is a topic in the page, so that it can be linked to?"""
        return self.present is None or topic in self.present

    def count(self, topics: Sequence[str]) -> int:
        """How many of these topics are in the page."""
        return sum(map(self.has, topics))

    def title(self, topic: str) -> str:
        """The query of a topic, by its id."""
        return self._titles.get(topic, topic)

    @cached_property
    def _titles(self) -> Mapping[str, str]:
        return {topic.topic: topic.title for topic in self.facts.given.topics}


def drawn_topics(
    given: TopicFailures, draw: Draw, room: int | None, weak: Sequence[str] = ()
) -> DrawnTopics:
    """As much of each topic as there are bytes for; everything without a limit.

    The weakest topics have their texts, those that are linked to their names; then the first
    topics their texts and as many as possible their names. What is left goes to what each run
    did, then to strips, then to texts of as many topics as possible.
    """
    facts = TopicFacts(given)
    most_lists = None if room is None else MOST_LISTS

    def one(topic: FailedTopic, level: Level) -> Markup:
        own = replace(topic, lists=topic.lists[:most_lists])
        values = {"topic": own, "level": level, "given": given, **facts.of(topic)}
        return draw("topic.html", values)

    if room is None:
        return DrawnTopics(facts, tuple(one(topic, "texts") for topic in given.topics))
    linked = [topic for group in given.groups for topic in group.topics[:MOST_LINKED]]
    filled = _Filled(given.topics, one, room, weak, linked)
    levels = [level for _, level in filled.parts]
    places = zip(given.topics, levels, strict=True)
    present = frozenset(topic.topic for topic, level in places if level != "nothing")
    shown = tuple(markup for markup, _ in filled.parts)
    said = left_out(levels, given)
    return DrawnTopics(facts, shown, said, present, most_lists, filled.is_enough)


class _Filled:
    """Topics that get more and more, as long as there is room."""

    def __init__(
        self,
        topics: Sequence[FailedTopic],
        draw: Callable[[FailedTopic, Level], Markup],
        room: int,
        weak: Sequence[str],
        linked: Sequence[str],
    ) -> None:
        self.parts: list[tuple[Markup, Level]] = [(Markup(""), "nothing") for _ in topics]
        self._topics, self._draw, self._room = topics, draw, room
        known = {topic.topic: place for place, topic in enumerate(topics)}
        asked, named = ([known[t] for t in ids if t in known] for ids in (weak, linked))
        every = range(len(topics))
        # A name for each link comes first: a text may be too long for what is left.
        steps: tuple[tuple[Level, Sequence[int]], ...] = (
            *(("head", [*asked, *named]), ("texts", asked), ("texts", every[:BEFORE_NAMES])),
            *(("head", every), ("texts", every[:AFTER_NAMES]), ("words", every[:MOST_AT_ONCE])),
            *((level, every) for level in LEVELS[2:]),
        )
        for level, places in steps:
            self._fill(level, places)
        first = [*asked, *every[:BEFORE_NAMES]]
        levels = [level for _, level in self.parts]
        self.is_enough = "nothing" not in levels and {levels[at] for at in first} <= {"texts"}

    def _fill(self, level: Level, places: Sequence[int]) -> None:
        """Topics in this order, until one of them finds no room."""
        for place in places:
            topic = self._topics[place]
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
    known = [(name, _reaching(level, levels)) for name, level, has in kinds if has]
    said = [_of_topics(known, len(levels)), _of_runs(given)]
    said = [one for one in said if one]
    if not said:
        return ""
    shows = option("all_texts", True)
    return f"To stay small this page has {enumerated(said)}; {shows} shows all."


def _reaching(level: Level, levels: Sequence[Level]) -> int:
    return sum(LEVELS.index(own) >= LEVELS.index(level) for own in levels)


def _of_topics(known: Sequence[tuple[str, int]], every: int) -> str:
    """What which number of topics has, and what none has."""
    found: dict[int, list[str]] = {}
    for name, count in known:
        if count < every:
            found.setdefault(count, []).append(name)
    without = found.pop(0, [])
    if len(without) == len(known):
        return "no topics"
    said = [f"{enumerated(names)} of {counted(n, 'topic')}" for n, names in found.items()]
    *others, last = without or [""]
    none = f"no {', '.join(others)} or {last}" if others else f"no {last}"
    return enumerated([*said, none] if without else said) if said or without else ""


def _of_runs(given: TopicFailures) -> str:
    runs = max((len(topic.lists) for topic in given.topics), default=0)
    return f"lists of the best {MOST_LISTS} of {runs:,} runs" if runs > MOST_LISTS else ""


def _has_texts(topic: FailedTopic) -> bool:
    answers = (answer for one in topic.lists for answer in one.answers)
    return bool(topic.relevant) or any(answer.pieces for answer in answers)
