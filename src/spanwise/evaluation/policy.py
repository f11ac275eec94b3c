"""The policies a user may choose, notes on how often they were applied, and the first: order."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Literal, NamedTuple

import numpy as np

from spanwise.data.notes import NAMED, WORDS, Note
from spanwise.data.run import Order, Run
from spanwise.errors import SpanwiseError
from spanwise.native import core
from spanwise.records import Struct, field
from spanwise.text.ranges import Booleans, Floats, Integers

Overlap = Literal["union", "error", "as-is"]
Missing = Literal["zero", "skip"]
Unjudged = Literal["irrelevant", "drop", "relevant"]
"""What becomes of unjudged documents. As relevant they are counted only to find out how
high a score could be."""
OrderChoice = Literal["score", "rank", "file", "ascending"]


Strangers = Literal["error", "note"]
"""What a run is that shares no topic or no document with the assessments."""


class Policy(Struct, frozen=True):
    """How doubtful cases are decided; the defaults are those of the documentation."""

    order: OrderChoice | None = None
    """None: the rule of the run's own format."""
    overlap: Overlap = "union"
    missing: Missing = "zero"
    lenient: bool = False
    results: int | None = None
    """How many answers of each topic are scored; None: all of them."""
    unjudged: Unjudged = "irrelevant"


# -- notes


SHARES = {"rising": 0.9, "rising ranks": 0.9}
"""Notes that are given only if they hold for such a share of what was looked at."""
SAYS_MORE = {"contradiction": "rising ranks"}
"""Notes that another one explains; where that is given, they are not."""


ONCE = frozenset(("no rank", "no score", "no order", "distances"))
"""Notes about a run as a whole, however many blocks it was read in."""


Example = tuple[str, str]
"""The topic that a text is from, nothing if it holds for all of them, and the text."""


class Notes(Struct):
    """Which policies were applied, and how often.

    Notes of the parts of a run add up in any order to the same: examples are those of the topic
    whose name comes first.
    """

    counts: Counter[str] = field(default_factory=Counter)
    totals: Counter[str] = field(default_factory=Counter)
    details: dict[str, Example] = field(default_factory=dict)
    names: dict[str, list[str]] = field(default_factory=dict)
    """The first few names of each kind, sorted."""
    left_out: dict[str, Example] = field(default_factory=dict)
    """Why measures that a nickname asked for have no values."""
    undefined: dict[str, dict[str, None]] = field(default_factory=dict)
    """By measure or gain, the topics for which it is not defined."""

    def add(self, kind: str, count: int, *, of: int = 0, detail: str = "", topic: str = "") -> None:
        """A policy was applied this many times; the detail may be an example from a topic."""
        self.totals[kind] += of
        if count:
            self.counts[kind] += count
            _keep_first(self.details, kind, (topic, detail))

    def add_names(self, kind: str, names: list[str], detail: str = "") -> None:
        """A policy was applied to each of these; the first few will be named."""
        if names:
            self._keep_names(kind, names)
            self.add(kind, len(names), detail=detail)

    def take(self, other: Notes) -> None:
        """Add the notes of a further part of the run."""
        self.counts.update(other.counts)
        self.totals.update(other.totals)
        for kind, detail in other.details.items():
            _keep_first(self.details, kind, detail)
        for kind, names in other.names.items():
            self._keep_names(kind, names)
        for label, reason in other.left_out.items():
            _keep_first(self.left_out, label, reason)
        for what, topics in other.undefined.items():
            self.add_undefined(what, topics)

    def _keep_names(self, kind: str, names: list[str]) -> None:
        self.names[kind] = sorted({*self.names.get(kind, ()), *names})[: NAMED + 1]

    def leave_out(self, label: str, problem: SpanwiseError, topic: str = "") -> None:
        """A measure that a nickname asked for cannot be computed."""
        _keep_first(self.left_out, label, (topic, problem.message))

    def add_undefined(self, what: str, topics: Iterable[str]) -> None:
        """There is nothing to gain for these topics."""
        self.undefined.setdefault(what, {}).update(dict.fromkeys(topics))

    @property
    def is_lenient(self) -> bool:
        """Was anything dropped or cut?"""
        return bool(self.counts["dropped"] or self.counts["cut"])

    def values(self) -> tuple[Note, ...]:
        """One note for each policy that was applied, in the order of ``WORDS``."""
        applied = (self._note(kind) for kind in WORDS if self._holds(kind))
        reasons = {label: reason for label, (_, reason) in self.left_out.items()}
        return (*applied, *self._undefined(), *left_out(reasons))

    def _note(self, kind: str) -> Note:
        return Note(
            kind,
            1 if kind in ONCE else self.counts[kind],
            self.totals[kind],
            self.details[kind][1],
            tuple(self.names.get(kind, ())),
        )

    def _holds(self, kind: str) -> bool:
        """Is there anything to say, and does it hold for enough of what was looked at?"""
        if kind in SAYS_MORE and self._holds(SAYS_MORE[kind]):
            return False
        count = self.counts[kind]
        return count > 0 and count >= SHARES.get(kind, 0) * self.totals[kind]

    def _undefined(self) -> Iterable[Note]:
        for what, topics in self.undefined.items():
            names = tuple(sorted(topics))
            yield Note("nothing to gain", len(names), detail=what, names=names[: NAMED + 1])


def _keep_first(examples: dict[str, Example], kind: str, example: Example) -> None:
    """Keep the example of the topic whose name comes first."""
    known = examples.get(kind)
    if known is None or example < known:
        examples[kind] = example


def left_out(reasons: Mapping[str, str]) -> list[Note]:
    """One note for all measures that are left out for the same reason.

    >>> [str(note) for note in left_out({"Q": "no gain", "AP": "no run", "MAep": "no gain"})]
    ['Q, MAep are left out: no gain', 'AP is left out: no run']
    """
    together: dict[str, list[str]] = {}
    for label, reason in reasons.items():
        together.setdefault(reason, []).append(label)
    return [
        Note("left out", len(labels), detail=reason, names=tuple(labels))
        for reason, labels in together.items()
    ]


# -- the order of a topic's answers, and where rank and score contradict it


def ranked(run: Run, choice: OrderChoice | None, notes: Notes) -> Run:
    """The run with the answers of each topic in their order; untouched where they already are."""
    _note_rule(run, choice, notes)
    order = rule_of(run, choice)
    facts = order_facts(run)
    result = run if facts.are_in(order) else _sorted(run, order)
    if result is not run:
        facts = order_facts(result)
    if order in TIES:
        notes.add("ties", facts.score_tied, detail=TIES[order])
    if order == "rank":
        notes.add("tied ranks", facts.rank_tied, detail=PLACE)
    ascending = "ascending" in (order, run.order)
    wrong = facts.against_ascending if ascending else facts.against_descending
    notes.add("contradiction", wrong, detail=DECIDES[order])
    if order == "rank" and not ascending:
        notes.add("rising ranks", facts.rising, of=facts.long_enough)
    return result


class OrderFacts(NamedTuple):
    """How ranks and scores of neighbours compare: answers that follow one of their topic."""

    neighbours: int
    score_up: int
    score_down: int
    score_equal: int
    score_tied: int
    """Answers whose score is that of a neighbour, on either side."""
    rank_up: int
    rank_equal: int
    rank_tied: int
    against_descending: int
    """Answers that rank or score would put before the one they follow, the best score first."""
    against_ascending: int
    """The same with the smallest score first."""
    rising: int
    """Topics whose scores never fall and somewhere rise, of those with ``FEWEST`` answers."""
    long_enough: int
    """Topics with so many."""

    def are_in(self, order: Order) -> bool:
        """Are the answers of every topic in this order already?"""
        fine = {
            "file": self.neighbours,
            "rank": self.rank_up + self.rank_equal,
            "score": self.score_down + self.score_equal,
            "ascending": self.score_up + self.score_equal,
            "score, then document": self.score_down,
        }
        return fine[order] == self.neighbours


FEWEST = 3
"""Scores of fewer answers rise by chance."""


def order_facts(run: Run) -> OrderFacts:
    """What ranks and scores tell about the order of a run."""
    if core is None:
        return _facts_by_column(run)
    columns = (
        None if column is None else np.ascontiguousarray(column)
        for column in (run.offsets, run.score, run.rank)
    )
    return OrderFacts(*core.order_facts(*columns))  # type: ignore[arg-type]


def _facts_by_column(run: Run) -> OrderFacts:
    same_topic = _same_topic_as_before(run)
    counts = np.diff(run.offsets)
    nothing = np.zeros(len(same_topic), np.bool_)
    up, down, equal = (
        (nothing, nothing, nothing) if run.score is None else _compared(run.score, same_topic)
    )
    rank_up, rank_down, rank_equal = (
        (nothing, nothing, nothing) if run.rank is None else _compared(run.rank, same_topic)
    )
    enough, rising = counts >= FEWEST, 0
    if up.any():
        topic = run.topic[1:]
        rises = np.bincount(topic[up], minlength=len(counts))
        falls = np.bincount(topic[down], minlength=len(counts))
        rising = int((enough & (rises > 0) & (falls == 0)).sum())
    return OrderFacts(
        int(same_topic.sum()),
        int(up.sum()),
        int(down.sum()),
        int(equal.sum()),
        _tied(equal),
        int(rank_up.sum()),
        int(rank_equal.sum()),
        _tied(rank_equal),
        int((rank_down | up).sum()),
        int((rank_down | down).sum()),
        rising,
        int(enough.sum()),
    )


def _compared(
    column: Floats | Integers, same_topic: Booleans
) -> tuple[Booleans, Booleans, Booleans]:
    """Which neighbours rise, fall and are equal."""
    before, after = column[:-1], column[1:]
    return (
        (after > before) & same_topic,
        (after < before) & same_topic,
        (after == before) & same_topic,
    )


def _tied(equal: Booleans) -> int:
    """How many answers are equal to a neighbour, on either side."""
    if not equal.any():
        return 0
    both = np.zeros(len(equal) + 1, np.bool_)
    both[1:] |= equal
    both[:-1] |= equal
    return int(both.sum())


PLACE = "place in the file"
TIES: dict[Order, str] = {
    "score": PLACE,
    "ascending": PLACE,
    "score, then document": "document id, descending, as in trec_eval",
}
"""What decides between answers of equal score."""

DECIDES: dict[Order, str] = {
    "file": "the order of the file",
    "rank": "the rank",
    "score": "the score",
    "ascending": "the score",
    "score, then document": "the score",
}


def rule_of(run: Run, choice: OrderChoice | None) -> Order:
    """What was asked for, else the rule of the format, as far as the run has what it needs."""
    wanted = _wanted(run, choice)
    return "file" if _lacking(run, wanted) else wanted


def _wanted(run: Run, choice: OrderChoice | None) -> Order:
    """By score means what it means in the run's format: distances stay distances."""
    if choice == "score" and run.order in TIES:
        return run.order
    return choice or run.order


def _lacking(run: Run, order: Order) -> str | None:
    """The column that an order needs and the run does not have."""
    column = "rank" if order == "rank" else "score"
    return column if order != "file" and getattr(run, column) is None else None


def _note_rule(run: Run, choice: OrderChoice | None, notes: Notes) -> None:
    wanted = _wanted(run, choice)
    if lacking := _lacking(run, wanted):
        notes.add(f"no {lacking}", int(len(run) > 0))
    elif wanted == "ascending" and choice != "ascending":
        notes.add("distances", int(len(run) > 0))


def _sorted(run: Run, order: Order) -> Run:
    """The answers of each topic in an order other than that of the file."""
    if order == "rank":
        assert run.rank is not None
        return run.take(np.lexsort((run.rank, run.topic)))
    assert run.score is not None
    if order == "ascending":
        return run.take(np.lexsort((run.score, run.topic)))
    if order == "score":
        return run.take(np.lexsort((-run.score, run.topic)))
    return _sorted_as_trec(run, run.score)


def _same_topic_as_before(run: Run) -> Booleans:
    """For each answer but the first: does it belong to the topic of the answer before it?"""
    same = np.ones(max(len(run) - 1, 0), np.bool_)
    begins = run.offsets[1:-1]
    same[begins[(begins > 0) & (begins < len(run))] - 1] = False
    return same


def _sorted_as_trec(run: Run, score: Floats) -> Run:
    """Score descending, then id descending, byte by byte; only topics that need it."""
    topic = run.topic
    disorder = np.flatnonzero(~(score[1:] < score[:-1]) & (topic[1:] == topic[:-1])) + 1
    needy = np.zeros(len(run.topics), np.bool_)
    needy[topic[disorder]] = True
    rows = np.flatnonzero(needy[topic])
    names = run.ids.take(rows)
    words = [~names.word(number).byteswap() for number in reversed(range(names.word_count()))]
    order = np.arange(len(run))
    order[rows] = rows[np.lexsort((*words, -score[rows], topic[rows]))]
    return run.take(order)
