"""The order of a topic's answers, and where rank and score contradict it (part of alignment)."""

from __future__ import annotations

import numpy as np

from spanwise.data.run import Order, Run
from spanwise.evaluation.policy import Notes, OrderChoice
from spanwise.text.ranges import Booleans, Floats, Integers


def ranked(run: Run, choice: OrderChoice | None, notes: Notes) -> Run:
    """The run with the answers of each topic in their order; untouched where they already are."""
    order = _rule(run, choice)
    same_topic = _same_topic(run)
    if order == "file":
        _note_contradictions(run, same_topic, notes, decides="the order of the file")
        return run
    if order == "rank":
        assert run.rank is not None
        result = _sorted(run, run.rank, run.rank[1:] >= run.rank[:-1], same_topic)
        _note_contradictions(result, same_topic, notes, decides="the rank")
        return result
    assert run.score is not None
    tied = (run.score[1:] == run.score[:-1]) & same_topic
    if order == "score":
        result = _sorted(run, -run.score, run.score[1:] <= run.score[:-1], same_topic)
        _note_ties(result, same_topic, notes, "their place in the file")
    else:
        result = _sorted_as_trec(run, (run.score[1:] < run.score[:-1]) & ~tied, same_topic)
        _note_ties(result, same_topic, notes, "document id, descending, as trec_eval does")
    _note_contradictions(result, same_topic, notes, decides="the score")
    return result


def _rule(run: Run, choice: OrderChoice | None) -> Order:
    """What was asked for, else the rule of the format, as far as the run has what it needs."""
    if choice == "score" and run.order == "score, then document":
        return run.order
    wanted: Order = choice or run.order
    if (wanted == "rank" and run.rank is None) or (wanted == "score" and run.score is None):
        return "file"
    return wanted


def _same_topic(run: Run) -> Booleans:
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


def _note_ties(run: Run, same_topic: Booleans, notes: Notes, decided: str) -> None:
    assert run.score is not None
    tied = (run.score[1:] == run.score[:-1]) & same_topic
    if tied.any():
        both = np.zeros(len(run), np.bool_)
        both[1:] |= tied
        both[:-1] |= tied
        notes.add("ties", int(both.sum()), detail=decided)


def _note_contradictions(run: Run, same_topic: Booleans, notes: Notes, *, decides: str) -> None:
    """Answers that their rank or their score would put before the answer that they follow."""
    wrong = np.zeros(len(same_topic), np.bool_)
    if run.rank is not None:
        wrong |= run.rank[1:] < run.rank[:-1]
    if run.score is not None:
        wrong |= run.score[1:] > run.score[:-1]
    notes.add("contradiction", int((wrong & same_topic).sum()), detail=decides)
