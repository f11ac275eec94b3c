"""The order of a topic's answers, and where rank and score contradict it (part of alignment)."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from spanwise.data.run import Order, Run
from spanwise.evaluation.policy import Notes, OrderChoice
from spanwise.native import core
from spanwise.text.ranges import Booleans, Floats, Integers


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
        notes.add("tied ranks", facts.rank_tied, detail="place in the file")
    ascending = "ascending" in (order, run.order)
    wrong = facts.against_ascending if ascending else facts.against_descending
    notes.add("contradiction", wrong, detail=DECIDES[order])
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


TIES: dict[Order, str] = {
    "score": "place in the file",
    "ascending": "place in the file",
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
