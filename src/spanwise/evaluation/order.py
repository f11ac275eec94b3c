"""The order of a topic's answers, and where rank and score contradict it (part of alignment)."""

from __future__ import annotations

import numpy as np

from spanwise.data.run import Order, Run
from spanwise.evaluation.policy import Notes, OrderChoice
from spanwise.text.ranges import Booleans, Floats, Integers


def ranked(run: Run, choice: OrderChoice | None, notes: Notes) -> Run:
    """The run with the answers of each topic in their order; untouched where they already are."""
    _note_rule(run, choice, notes)
    order = rule_of(run, choice)
    same_topic = same_topic_as_before(run)
    ascending = "ascending" in (order, run.order)
    result = _in_order(run, order, same_topic)
    if order in TIES and result.score is not None:
        _note_ties(result.score, same_topic, notes, "ties", TIES[order])
    if order == "rank" and result.rank is not None:
        _note_ties(result.rank, same_topic, notes, "tied ranks", "place in the file")
    _note_contradictions(result, same_topic, notes, DECIDES[order], ascending=ascending)
    return result


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


def _in_order(run: Run, order: Order, same_topic: Booleans) -> Run:
    if order == "file":
        return run
    if order == "rank":
        assert run.rank is not None
        return _sorted(run, run.rank, run.rank[1:] >= run.rank[:-1], same_topic)
    assert run.score is not None
    if order == "ascending":
        return _sorted(run, run.score, run.score[1:] >= run.score[:-1], same_topic)
    if order == "score":
        return _sorted(run, -run.score, run.score[1:] <= run.score[:-1], same_topic)
    return _sorted_as_trec(run, run.score[1:] < run.score[:-1], same_topic)


def same_topic_as_before(run: Run) -> Booleans:
    """For each answer but the first: does it belong to the topic of the answer before it?"""
    same = np.ones(max(len(run) - 1, 0), np.bool_)
    begins = run.offsets[1:-1]
    same[begins[(begins > 0) & (begins < len(run))] - 1] = False
    return same


def _sorted(run: Run, key: Floats | Integers, fine: Booleans, same_topic: Booleans) -> Run:
    """Sorted by an ascending key, ties in the order of the file."""
    if (fine | ~same_topic).all():
        return run
    return run.take(np.lexsort((key, run.topic)))


def _sorted_as_trec(run: Run, fine: Booleans, same_topic: Booleans) -> Run:
    """Score descending, then id descending, byte by byte; only topics that need it."""
    disorder = np.flatnonzero(~fine & same_topic) + 1
    if not len(disorder) or run.score is None:
        return run
    topic = run.topic
    needy = np.zeros(len(run.topics), np.bool_)
    needy[topic[disorder]] = True
    rows = np.flatnonzero(needy[topic])
    names = run.ids.take(rows)
    words = [~names.word(number).byteswap() for number in reversed(range(names.word_count()))]
    order = np.arange(len(run))
    order[rows] = rows[np.lexsort((*words, -run.score[rows], topic[rows]))]
    return run.take(order)


def _note_ties(
    key: Floats | Integers, same_topic: Booleans, notes: Notes, kind: str, decided: str
) -> None:
    """Answers whose key is that of another one of their topic."""
    tied = (key[1:] == key[:-1]) & same_topic
    if tied.any():
        both = np.zeros(len(key), np.bool_)
        both[1:] |= tied
        both[:-1] |= tied
        notes.add(kind, int(both.sum()), detail=decided)


def _note_contradictions(
    run: Run, same_topic: Booleans, notes: Notes, decides: str, *, ascending: bool
) -> None:
    """Answers that their rank or their score would put before the answer that they follow."""
    wrong = np.zeros(len(same_topic), np.bool_)
    if run.rank is not None:
        wrong |= run.rank[1:] < run.rank[:-1]
    if run.score is not None:
        before, after = run.score[:-1], run.score[1:]
        wrong |= after < before if ascending else after > before
    notes.add("contradiction", int((wrong & same_topic).sum()), detail=decides)
