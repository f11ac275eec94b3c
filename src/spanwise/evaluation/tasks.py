"""The INEX ad hoc tasks, and what a run breaks of their rules.

This is our reading of the campaigns of 2005 to 2010. A task asks for a shape of the lists of
results; whether they are any good is not asked here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field

import numpy as np

from spanwise.data.assessments import UNKNOWN
from spanwise.data.notes import KEPT, Faults
from spanwise.data.run import Run
from spanwise.evaluation.policy import Notes, ranked
from spanwise.evaluation.returned import Returned
from spanwise.text.ranges import Integers

RESULTS, CHARACTERS = 1500, 1000
Words = tuple[str, str, str]
"""What was found, what was expected, what to do."""


@dataclass(frozen=True, slots=True)
class Limits:
    """How much a topic may hold."""

    results: int = RESULTS
    characters: int | None = None
    """None: what the task says, if it says anything."""


@dataclass(frozen=True, slots=True, eq=False)
class Broken:
    """Answers that break a rule; words are made only for those that are listed."""

    rule: str
    rows: Integers
    tell: Callable[[int], Words]


Rule = Callable[[Returned, Limits], Iterator[Broken]]


def undecided(rule: str) -> str:
    """What is counted where a rule cannot be decided for want of lengths or ranges."""
    return f"{rule} undecided"


# -- how many


def _results(returned: Returned, limits: Limits) -> Iterator[Broken]:
    """The number of results of a topic is limited."""
    most, offsets = limits.results, returned.run.offsets
    over = offsets[:-1][np.diff(offsets) > most]

    def tell(row: int) -> Words:
        topic = int(returned.topic[row])
        count = int(offsets[topic + 1] - offsets[topic])
        found = f"{count} results for topic {returned.run.topics[topic]}"
        expected = f"at most {most} (this one is number {most + 1} in the ranking)"
        return found, expected, f"leave out the last {count - most}"

    yield Broken("results", over + most, tell)


def _one_per_document(returned: Returned, limits: Limits) -> Iterator[Broken]:
    """A document comes once in a topic, with one element or entry point."""
    first = returned.first_of_page

    def tell(row: int) -> Words:
        found = f"another result, {returned.text(row)}"
        expected = f"one for each document ({returned.example(int(first[row]))})"
        return found, expected, "keep the better one"

    yield Broken("one per document", np.flatnonzero(first != np.arange(len(first))), tell)


def _characters(returned: Returned, limits: Limits) -> Iterator[Broken]:
    """The number of characters that the results of a topic return is limited."""
    most = CHARACTERS if limits.characters is None else limits.characters
    sizes, offsets = returned.sizes, returned.run.offsets
    known = np.clip(sizes, 0, most + 1)  # enough to tell, and sums cannot overflow
    total = np.concatenate(([0], np.cumsum(known)))
    before = total[offsets[:-1]]
    over = np.flatnonzero(total[offsets[1:]] - before > most)

    def tell(row: int) -> Words:
        topic = int(returned.topic[row])
        every = sizes[offsets[topic] : offsets[topic + 1]]
        count = sum(every[every > 0].tolist())
        found = f"{count} characters for topic {returned.run.topics[topic]}"
        expected = f"at most {most} (there are more with {returned.part(row)})"
        return found, expected, "cut this result, and leave out all after it"

    rows = np.searchsorted(total, before[over] + most, "right") - 1
    yield Broken("characters", rows, tell)
    yield from _uncounted(returned, over)


def _uncounted(returned: Returned, over: Integers) -> Iterator[Broken]:
    """Topics whose characters cannot be added up, unless those that are known are too many."""
    rows = np.flatnonzero(returned.sizes == UNKNOWN)
    topics, first = np.unique(returned.topic[rows], return_index=True)
    count = np.bincount(returned.topic[rows], minlength=1)

    def tell(row: int) -> Words:
        found = f"{returned.text(row)}, of unknown size"
        expected = f"sizes that can be added up ({count[returned.topic[row]]} are unknown)"
        return found, expected, "give the documents with --collection"

    yield Broken(undecided("characters"), rows[first[~np.isin(topics, over)]], tell)


# -- the same text twice


def _repetition(returned: Returned, limits: Limits) -> Iterator[Broken]:
    """No element comes twice in a topic."""
    first = returned.first_equal()

    def tell(row: int) -> Words:
        found = f"{returned.text(row)} again"
        return found, f"it once ({returned.example(int(first[row]))})", "remove one of the two"

    yield Broken("repetition", np.flatnonzero(first != np.arange(len(first))), tell)


def _overlap(returned: Returned, limits: Limits) -> Iterator[Broken]:
    """No two results of a topic share a character, and no element lies inside another."""
    first = returned.first_overlapping()
    alone = first == np.arange(len(first))

    def tell(row: int) -> Words:
        return returned.overlap(row, int(first[row]))

    def tell_undecided(row: int) -> Words:
        expected = "ranges of characters, to tell whether it overlaps other results there"
        return returned.text(row), expected, "give the documents with --collection"

    yield Broken("overlap", np.flatnonzero(~alone), tell)
    rows = np.flatnonzero(returned.undecided() & alone)
    yield Broken(undecided("overlap"), rows, tell_undecided)


# -- the order of documents


def _interleaving(returned: Returned, limits: Limits) -> Iterator[Broken]:
    """The results of a document stand together."""
    page = returned.page
    begins = np.flatnonzero(np.concatenate(([True], page[1:] != page[:-1])))
    back = np.flatnonzero(returned.first_of_page[begins] != begins)
    order = np.argsort(page[begins], kind="stable")
    visit = np.empty(len(begins), np.int64)
    visit[order] = np.arange(len(begins))
    before = order[visit[back] - 1]
    last = dict(zip(begins[back].tolist(), (begins[before + 1] - 1).tolist(), strict=True))

    def tell(row: int) -> Words:
        found = f"{returned.text(row)}, after results of other documents"
        together = f"the results of a document together ({returned.example(last[row])})"
        return found, together, "move it there"

    yield Broken("interleaving", begins[back], tell)


RULES: dict[str, Rule] = {
    "results": _results,
    "repetition": _repetition,
    "overlap": _overlap,
    "interleaving": _interleaving,
    "one per document": _one_per_document,
    "characters": _characters,
}
"""Every rule by the name under which its breaches are listed."""


# -- tasks

TASKS: dict[str, tuple[str, ...]] = {
    "thorough": ("results", "repetition"),
    "focused": ("results", "overlap"),
    "relevant-in-context": ("results", "overlap", "interleaving"),
    "best-in-context": ("results", "one per document"),
    "restricted": ("results", "overlap", "characters"),
}
"""The rules of each task."""


@dataclass
class TaskCheck:
    """Gathers what breaks the rules of a task while the blocks of a run come in."""

    task: str
    breaches: Faults
    limits: Limits = field(default_factory=Limits)
    lengths: Mapping[str, int] = field(default_factory=dict)
    """Characters of documents, for answers that return them whole."""

    @property
    def rules(self) -> tuple[str, ...]:
        """The rules of the task, and a limit of characters if one was asked for besides."""
        asked = () if self.limits.characters is None else ("characters",)
        return tuple(dict.fromkeys((*TASKS[self.task], *asked)))

    def look(self, block: Run) -> None:
        """One block, which holds all answers of its topics."""
        if not len(block):
            return
        returned = Returned(ranked(block, None, Notes()), self.lengths)
        for rule in self.rules:
            for broken in RULES[rule](returned, self.limits):
                self._add(returned.run, broken)

    def _add(self, run: Run, broken: Broken) -> None:
        listed = max(KEPT - len(self.breaches.kept), 0)
        for row in broken.rows[:listed].tolist():
            self.breaches.add(broken.rule, run.line_of(row), *broken.tell(row))
        if len(broken.rows) > listed:
            self.breaches.counts[broken.rule] += len(broken.rows) - listed

    def summary(self) -> str:
        """Which rules hold, and how often the others are broken."""
        counts = self.breaches.counts
        kept = [rule for rule in self.rules if not counts[rule] + counts[undecided(rule)]]
        total = f"{counts.total()} breach{'' if counts.total() == 1 else 'es'}"
        said = f"{total} ({self.breaches.by_rule()})" if counts else "no breaches"
        return f"task {self.task}, {said}" + (f"; kept: {', '.join(kept)}" if kept else "")
