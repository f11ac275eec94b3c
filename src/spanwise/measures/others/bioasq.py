"""The snippet measures of BioASQ, as its program counts them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from spanwise.data.identifiers import Identifiers
from spanwise.measures.base import Family, ListScore
from spanwise.measures.documents.sets import f_score
from spanwise.measures.explaining import PLACE, Step, Steps, shown
from spanwise.measures.lists.text import quotient
from spanwise.measures.parameters import OneOf, parameter
from spanwise.measures.registry import measure
from spanwise.measures.views.listing import Listing
from spanwise.measures.views.pages import Rankings
from spanwise.measures.views.written import NONE, Written, running_count
from spanwise.records import Struct
from spanwise.text.overlaps import linked
from spanwise.text.ranges import (
    Booleans,
    Floats,
    Integers,
    left_to_right,
    offsets_of,
    share,
    sums_by_owner,
)

BIOASQ = "BioASQ, official program"
MOST = 10
"""Snippets that a submission may have for a question."""
SECTION = ord("#")
"""What is between a document and its section, in the names of sections."""


class Snippets(Struct, frozen=True, eq=False):
    """Answers that share characters merged into one, in the place of the first."""

    offsets: Integers
    """Where the snippets of each ranking begin."""
    answer: Integers
    """The first answer of each."""
    pair: Integers
    start: Integers
    end: Integers
    found: Integers
    """Relevant characters of each."""

    @classmethod
    def of(cls, written: Written) -> Snippets:
        """The snippets of many rankings."""
        rows = np.flatnonzero(written.size > 0)
        group = linked(written.page[rows], written.start[rows], written.end[rows])
        _, first, group = np.unique(group, return_index=True, return_inverse=True)
        start = np.full(len(first), np.iinfo(np.int64).max)
        end = np.zeros(len(first), np.int64)
        np.minimum.at(start, group, written.start[rows])
        np.maximum.at(end, group, written.end[rows])
        order = np.argsort(first)
        answer, start, end = rows[first[order]], start[order], end[order]
        pair = written.pair[answer]
        found = np.zeros(len(pair), np.int64)
        judged = np.flatnonzero(pair != NONE)
        found[judged] = written.relevant.covered(pair[judged], start[judged], end[judged])
        offsets = offsets_of(written.ranking[answer], len(written.offsets) - 1)
        return cls(offsets, answer, pair, start, end, found)

    @property
    def size(self) -> Integers:
        """Characters of each."""
        return self.end - self.start


def _gold_count(written: Written) -> Integers:
    """Relevant snippets of each topic, those that share characters merged into one."""
    gold = written.gold
    group = linked(gold.pair, gold.start, gold.end)
    return written.gold_by_topic((group == np.arange(len(group))).astype(np.int64))


@dataclass(frozen=True)
class _Snippets(ListScore):
    """What the four measures share."""

    family = Family.PEER_LISTS

    def counts(self, rankings: Rankings) -> tuple[Integers, Integers, Integers]:
        """Relevant characters returned, characters returned, and relevant characters."""
        written = rankings.written
        snippets = Snippets.of(written)
        return (
            sums_by_owner(snippets.found, snippets.offsets),
            sums_by_owner(snippets.size, snippets.offsets),
            written.by_topic(written.relevant.sizes()),
        )

    def steps(self, listing: Listing, result: str, *, adds: Floats | None = None) -> Steps:
        """The snippets one by one."""
        written = listing.rankings.written
        snippets = Snippets.of(written)
        names = written.documents.take(snippets.answer).strings()
        offsets = snippets.offsets
        columns = (
            *(names, snippets.start.tolist(), snippets.end.tolist(), snippets.found.tolist()),
            running_count(snippets.found, offsets).tolist(),
            running_count(snippets.size, offsets).tolist(),
            *(() if adds is None else (adds.tolist(),)),
        )
        steps = tuple(
            Step((rank, *cells), bool(found))
            for rank, (found, *cells) in enumerate(
                zip(snippets.found.tolist(), *columns, strict=True), start=1
            )
        )
        more = () if adds is None else ("adds",)
        return Steps(
            "answer",
            (*PLACE, "relevant", "found", "returned", *more),
            steps,
            "answers that share characters are one; found, returned = characters so far"
            + ("" if adds is None else "; adds = found / returned where the document has gold"),
            result,
            "nothing relevant",
        )


@measure(name="bioasq.P", source=BIOASQ, equation="snippet precision")
@dataclass(frozen=True)
class bioasq_P(_Snippets):
    r"""Precision of the snippets: the share of the text returned that is relevant.

    $$P = \frac{\sum_{s, g} |s \cap g|}{\sum_{s} |s|}$$

    where s are the snippets returned and g the relevant ones; on both sides, those of one document
    and section that share a character are merged first.

    Trap: it has no cut-off, so that a longer submission is hardly comparable with a shorter one.
    It is textP without a cut-off: use textP@10, or textP(budget=2000).

    Source: BioASQ, official program, snippets.

    >>> str(bioasq_P())
    'bioasq.P'
    """

    def score(self, rankings: Rankings) -> Floats:
        found, returned, _ = self.counts(rankings)
        return share(found, returned)

    def explain(self, listing: Listing) -> Steps:
        found, returned, _ = (int(count[0]) for count in self.counts(listing.rankings))
        value = shown(quotient(found, returned))
        return self.steps(listing, f"{found} found / {returned} returned = {value}")


@measure(name="bioasq.R", source=BIOASQ, equation="snippet recall")
@dataclass(frozen=True)
class bioasq_R(_Snippets):
    r"""Recall of the snippets: the share of the relevant text that was returned.

    $$R = \frac{\sum_{s, g} |s \cap g|}{\sum_{g} |g|}$$

    where s are the snippets returned and g the relevant ones; on both sides, those of one document
    and section that share a character are merged first.

    Trap: it has no cut-off: returning more never lowers it. It is textR without a cut-off: use
    textR@10, or textR(budget=2000).

    Source: BioASQ, official program, snippets.

    >>> str(bioasq_R())
    'bioasq.R'
    """

    def score(self, rankings: Rankings) -> Floats:
        found, _, relevant = self.counts(rankings)
        return share(found, relevant)

    def explain(self, listing: Listing) -> Steps:
        found, _, relevant = (int(count[0]) for count in self.counts(listing.rankings))
        value = shown(quotient(found, relevant))
        return self.steps(listing, f"{found} found / {relevant} relevant = {value}")


@measure(name="bioasq.F1", source=BIOASQ, equation="snippet F1")
@dataclass(frozen=True)
class bioasq_F1(_Snippets):
    r"""The harmonic mean of precision and recall of the snippets.

    $$F_1 = \frac{2 P R}{P + R}$$

    where P is ``bioasq.P`` and R is ``bioasq.R`` of the same topic.

    Trap: it sees a set, no order: the best snippet may come last. It is textF without a cut-off:
    use textF@10, or AiP, which rewards good answers at the top.

    Source: BioASQ, official program, snippets.

    >>> str(bioasq_F1())
    'bioasq.F1'
    """

    def score(self, rankings: Rankings) -> Floats:
        found, returned, relevant = self.counts(rankings)
        return f_score(share(found, returned), share(found, relevant), 1.0)

    def explain(self, listing: Listing) -> Steps:
        found, returned, relevant = (int(count[0]) for count in self.counts(listing.rankings))
        value = shown(float(self.score(listing.rankings)[0]))
        parts = f"{found} / {returned} and {found} / {relevant}"
        return self.steps(listing, f"harmonic mean of {parts} = {value}")


@measure(name="bioasq.AP", source=BIOASQ, equation="snippet AP", bounds=(0, None), perfect=None)
@dataclass(frozen=True)
class bioasq_AP(_Snippets):
    r"""Average precision of the snippets, with the text of all snippets so far.

    $$AP = \frac{1}{D} \sum_{r} P(r) \, rel_r$$

    where P(r) is ``bioasq.P`` of the first r snippets, rel_r is 1 if the document of the r-th has
    a relevant snippet anywhere, and D is the number of relevant snippets, at most 10
    (``version=8``, since 2020), 10 (``version=5`` and ``3``) or the number of relevant snippets
    (``version=2``). Snippets that share a character are merged first. Documents named ``1#title``
    and ``1#abstract`` are sections of document 1.

    Trap: any snippet from a document with gold counts as relevant, by a slip of the program, so
    that more snippets of the right document raise the value, beyond 1 if there are many of them.
    Relevant [0, 100): one exact answer scores 1.00, the same text in two halves 2.00. Use AiP,
    which is 1 for both.

    Trap: the program leaves out questions that a submission does not answer. To reproduce its
    means, score with ``missing=skip``; then a system gains by answering only what it is sure of.

    Source: BioASQ, official program, snippets.

    >>> str(bioasq_AP()), str(bioasq_AP(version=5))
    ('bioasq.AP', 'bioasq.AP(version=5)')
    """

    version: int = parameter(
        8, OneOf(8, 5, 3, 2), extra=True, meaning="the challenge whose divisor is used"
    )

    def score(self, rankings: Rankings) -> Floats:
        written = rankings.written
        snippets = Snippets.of(written)
        total = left_to_right(
            self._addends(written, snippets), written.ranking[snippets.answer], len(rankings)
        )
        return share(total, self._divisor(written))

    def _addends(self, written: Written, snippets: Snippets) -> Floats:
        found = running_count(snippets.found, snippets.offsets)
        read = running_count(snippets.size, snippets.offsets)
        return np.where(_in_gold_document(written, snippets), share(found, read), 0.0)

    def _divisor(self, written: Written) -> Integers:
        gold = _gold_count(written)
        if self.version in (3, 5):
            return np.full(len(gold), MOST)
        return np.minimum(gold, MOST) if self.version == 8 else gold

    def explain(self, listing: Listing) -> Steps:
        written = listing.rankings.written
        adds = self._addends(written, Snippets.of(written))
        divisor = int(self._divisor(written)[0])
        total = float(adds.sum())
        result = f"{shown(total)} added / {divisor} = {shown(total / divisor)}"
        return self.steps(listing, result, adds=adds)


def _in_gold_document(written: Written, snippets: Snippets) -> Booleans:
    """Which snippets are from a document with gold, in whatever section?"""
    found: Booleans = written.in_relevant[snippets.answer]
    if SECTION not in written.documents.buffer:
        return found
    return found | _in_section_of_gold(written, snippets)


def _in_section_of_gold(written: Written, snippets: Snippets) -> Booleans:
    topic = np.repeat(np.arange(len(written.offsets) - 1), np.diff(written.pair_offsets))
    relevant = np.flatnonzero(written.is_relevant)
    names = _whole_documents(written.pair_documents.take(relevant))
    gold = set(zip(topic[relevant].tolist(), names, strict=True))
    answered = _whole_documents(written.documents.take(snippets.answer))
    ranking = written.ranking[snippets.answer].tolist()
    return np.array([key in gold for key in zip(ranking, answered, strict=True)], np.bool_)


def _whole_documents(names: Identifiers) -> list[str]:
    """The documents that sections belong to."""
    return [name.rpartition(chr(SECTION))[0] or name for name in names.strings()]
