"""Pairs of runs of which one should score at least as much, and whether it does."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from spanwise.evaluation.scores import Scores, exact_mean
from spanwise.lab.simulated_runs import DELAY, LATE, MISSING, NEVER, WHOLE
from spanwise.reporting.output import Column, Row, Table, Value
from spanwise.statistics.paired_tests import t_test
from spanwise.statistics.pairing import wins_ties_losses
from spanwise.statistics.topic_values import TopicValues, difference_slack, differences_on_grid
from spanwise.text.ranges import Floats
from spanwise.text.sentences import counted, enumerated


@dataclass(frozen=True, slots=True)
class Ordering:
    """Two runs under one measure: the first should score at least as much as the second."""

    measure: str
    better: str
    worse: str
    difference: float
    """The mean of the better run minus that of the worse one; negated where lower is better."""
    more: int
    """Topics on which the better run scores better; then equally, then worse."""
    equal: int
    fewer: int
    p: float | None
    """Of the paired two-sided t test; None where no topic differs, or there is only one."""
    holds: bool

    def counts(self) -> dict[str, Value]:
        """How the topics are ordered, for programs."""
        names = ("difference", "more", "equal", "fewer", "p", "holds")
        return {name: getattr(self, name) for name in names}

    @property
    def is_flat(self) -> bool:
        """The two runs score the same on every topic."""
        return not (self.more or self.fewer)

    def __str__(self) -> str:
        return f"{self.better} over {self.worse}"


def kind_of(ordering: Ordering) -> str:
    """Which parts, or which rankings of the same parts, are compared.

    >>> kind_of(Ordering("AgP", "SLRI", "SLRSI", 0.0, 0, 1, 0, None, True))
    'RI>RSI'
    >>> kind_of(Ordering("AgP", "SLRI", "SLDRI", 0.0, 0, 1, 0, None, True))
    'SL>SLD'
    """
    # No set of parts has an R in its name, all rankings begin with one.
    better, worse = (name.partition("R") for name in (ordering.better, ordering.worse))
    if better[0] == worse[0]:
        return f"R{better[2]}>R{worse[2]}"
    return f"{better[0]}>{worse[0]}"


def orderings_under(
    scores: Scores, number: int, pairs: Sequence[tuple[str, str]]
) -> Iterator[Ordering]:
    """All pairs under one measure, over the topics for which every run has a value."""
    one, table = scores.measures[number], TopicValues.of(scores, number)
    better = one.measure.properties.better
    values = table.values[:, table.defined.all(axis=0)]
    if better == "neither" or not values.shape[1]:
        return
    place = {name: row for row, name in enumerate(table.runs)}
    first, second = (values[[place[pair[side]] for pair in pairs]] for side in (0, 1))
    if better == "lower":
        first, second = -first, -second
    differences = differences_on_grid(first.T, second.T)
    slack = difference_slack(first.T, second.T)
    p = t_probabilities(differences)
    for row, (upper, lower) in enumerate(pairs):
        x = differences[:, row]
        total = float(x.sum())
        total = 0.0 if abs(total) <= slack[row] else total
        mean = (exact_mean(first[row]) or 0.0) - (exact_mean(second[row]) or 0.0)
        counted = wins_ties_losses(x, "higher")
        # Equal means may differ in their last bit, which would look like a difference.
        difference = mean if total else 0.0
        yield Ordering(one.label, upper, lower, difference, *counted, p[row], total >= 0)


def t_probabilities(differences: Floats) -> list[float | None]:
    """The p of the paired two-sided t test for each column; None where it is not defined.

    Differences that are all equal but not 0 make t infinite: p is then 0.

    >>> t_probabilities(np.array([[0.0, 1.0, 1.0], [0.0, 1.0, 2.0], [0.0, 1.0, 3.0]]))[:2]
    [None, 0.0]
    """
    topics, columns = differences.shape
    found: list[float | None] = [None] * columns
    varies = np.flatnonzero(np.ptp(differences, axis=0) > 0).tolist()
    tested = t_test(differences[:, varies], "two").tolist() if varies else []
    for column in np.flatnonzero(differences.any(axis=0)).tolist() if topics > 1 else []:
        found[column] = 0.0
    for column, value in zip(varies, tested, strict=True):
        found[column] = value
    return found


@dataclass(frozen=True, slots=True)
class MissingDocuments:
    """What one measure makes of runs with perfect parts that lack relevant documents."""

    measure: str
    means: tuple[float, ...]
    """Of the run with all documents, of the three with some, of the two with the last one late."""
    orderings: tuple[Ordering, ...]
    """All documents over some of them: without the last, the first, half."""
    late: Ordering
    """One more relevant document after many irrelevant ones, over not finding it."""
    changed: int
    """Topics with two or more relevant documents whose score changes in any of the three."""
    several: int
    """All such topics."""

    @property
    def sees(self) -> bool | None:
        """Does the score ever change? None if no topic has two relevant documents."""
        return bool(self.changed) if self.several else None

    @property
    def broken(self) -> tuple[Ordering, ...]:
        """Orderings that it reverses: it rewards missing documents, or punishes a late one."""
        return tuple(one for one in (*self.orderings, self.late) if not one.holds)

    @property
    def passes(self) -> bool:
        """Does it keep all orderings, and not because it sees none of them?"""
        return not self.broken and self.sees is not False


def missing_documents(
    scores: Scores, number: int, several: Collection[str]
) -> MissingDocuments | None:
    """One measure, from the scores of the run with all documents and of those with some.

    None for a measure without a direction, or without a value for any topic.
    """
    pairs = [(WHOLE, other) for other in MISSING]
    found = tuple(orderings_under(scores, number, [*pairs, (LATE, NEVER)]))
    if not found:
        return None
    means = {run.run: run.means[number] for run in scores.runs}
    names = (WHOLE, *MISSING, LATE, NEVER)
    counted = _changed(scores, number, several)
    label = scores.measures[number].label
    return MissingDocuments(
        label, tuple(means[name] or 0.0 for name in names), found[:-1], found[-1], *counted
    )


def _changed(scores: Scores, number: int, several: Collection[str]) -> tuple[int, int]:
    """On how many of these topics some score changes, and how many there are.

    Where the only relevant document is missing the list is empty, which every measure sees.
    """
    table = TopicValues.of(scores, number)
    kept = table.defined.all(axis=0) & np.array([topic in several for topic in table.topics])
    place = {name: row for row, name in enumerate(table.runs)}
    values = table.values[:, kept]
    whole, some = values[[place[WHOLE]] * len(MISSING)], values[[place[name] for name in MISSING]]
    changed = (differences_on_grid(whole.T, some.T) != 0).any(axis=1)
    return int(changed.sum()), int(kept.sum())


SEVERAL = "two or more relevant documents"


def missing_sentences(found: Sequence[MissingDocuments]) -> Iterator[str]:
    """How many measures pass, and what is wrong with the others."""
    if not found:
        return
    tested, passed = [one for one in found if one.several], [one for one in found if one.passes]
    if not tested:
        yield f"Missing documents are not tested: no topic has {SEVERAL}."
    elif len(found) == 1 and passed:
        yield (
            f"{found[0].measure} sees missing documents, never rewards them, and does not punish"
            f" finding one late, on {_topics(found[0])}."
        )
    elif len(found) > 1:
        verb = "sees" if len(passed) == 1 else "see"
        yield (
            f"{len(passed)} of {len(found)} measures {verb} missing documents without rewarding"
            " them, and without punishing a document that is found late."
        )
    yield from (f"{one.measure} {missing_fault(one)}." for one in found if not one.passes)


def _topics(one: MissingDocuments) -> str:
    return f"{counted(one.several, 'topic')} with {SEVERAL}"


def missing_fault(one: MissingDocuments) -> str:
    """What is wrong with a measure that does not see missing documents as it should."""
    faults = []
    if one.sees is False:
        faults.append(f"does not see missing documents (its score never changes on {_topics(one)})")
    rewarded = [ordering.worse for ordering in one.orderings if not ordering.holds]
    if rewarded:
        faults.append(
            f"scores higher where relevant documents are missing ({enumerated(rewarded)})"
        )
    if not one.late.holds:
        late, never = one.means[-2:]
        faults.append(
            "scores lower when one more relevant document is found late"
            f" ({late:.4f} rather than {never:.4f})"
        )
    return enumerated(faults)


def missing_tables(found: Sequence[MissingDocuments]) -> Iterator[Table]:
    """Documents left out of a run with perfect parts; one document found late."""
    if not found:
        return
    names = ("SR", "without last", "without first", "without half")
    yield Table(
        "Missing documents (S, perfect parts)",
        (
            *(Column("measure", "text"), *(Column(name) for name in names)),
            *(Column("holds", "text"), Column("topics changed", "text")),
        ),
        tuple(_missing_row(one) for one in found),
        transposed="",
    )
    yield Table(
        f"The last relevant document after {DELAY} irrelevant ones (S, perfect parts)",
        (
            *(Column("measure", "text"), Column("found late"), Column("missing")),
            *(Column(name, "count") for name in ("more", "equal", "fewer")),
            *(Column("p", "p"), Column("holds", "text")),
        ),
        tuple(_late_row(one) for one in found),
        transposed="",
    )


def _missing_row(one: MissingDocuments) -> Row:
    kept = sum(ordering.holds for ordering in one.orderings)
    changed = f"{one.changed} of {one.several}"
    return (one.measure, *one.means[:4], f"{kept} of {len(one.orderings)}", changed)


def _late_row(one: MissingDocuments) -> Row:
    late = one.late
    counts = (late.more, late.equal, late.fewer)
    return (one.measure, *one.means[4:], *counts, late.p, late.holds)


def missing_rows(found: Sequence[MissingDocuments]) -> Iterator[dict[str, Value]]:
    """Rows of the kinds missing and late, with the means of both runs."""
    for one in found:
        whole, *some, late, never = one.means
        for ordering, mean in zip(one.orderings, some, strict=True):
            seen: dict[str, Value] = {"changed": one.changed, "several": one.several}
            yield {"kind": "missing", **_ordering_row(ordering, whole, mean), **seen}
        yield {"kind": "late", **_ordering_row(one.late, late, never)}


def _ordering_row(ordering: Ordering, better: float, worse: float) -> dict[str, Value]:
    return {
        "measure": ordering.measure,
        "better": ordering.better,
        "worse": ordering.worse,
        "better_value": better,
        "worse_value": worse,
        **ordering.counts(),
    }
