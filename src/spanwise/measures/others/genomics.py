"""The measures of the TREC Genomics track, as its program of 2007 counts them."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from spanwise.data.joint_keys import joint_keys
from spanwise.measures.base import Family, ListScore, Need
from spanwise.measures.explaining import Cell, Steps, shown, written_steps
from spanwise.measures.registry import measure
from spanwise.measures.views.first_read import first_read
from spanwise.measures.views.listing import Listing
from spanwise.measures.views.pages import Rankings
from spanwise.measures.views.reading import Reading
from spanwise.measures.views.running_precision import average_precision, precision_sums
from spanwise.measures.views.written import NONE, Written, running_count
from spanwise.text.ranges import (
    Booleans,
    Floats,
    Integers,
    Ranges,
    left_to_right,
    offsets_of,
    owners_of,
    share,
)

GENOMICS = "TREC Genomics 2007, official program"


@dataclass(frozen=True)
class _Genomics(ListScore):
    """Average precision over what counts: each measure says what adds, and what it is divided by.

    Answers of equal rank are in the order of their documents' names, offsets and lengths.
    """

    family = Family.PEER_LISTS

    def score(self, rankings: Rankings) -> Floats:
        written = self.ordered(rankings)
        adds, divisor = self.addends(written), self.divisor(written)
        total = left_to_right(adds, written.ranking, len(rankings))
        return share(total, divisor)

    def ordered(self, rankings: Rankings) -> Written:
        """The answers in the order of the official program."""
        return rankings.written.by_name_and_place

    @abstractmethod
    def addends(self, written: Written) -> Floats:
        """What each answer adds to the sum."""

    @abstractmethod
    def divisor(self, written: Written) -> Integers:
        """What the sum of each ranking is divided by."""

    def explain(self, listing: Listing) -> Steps:
        written = self.ordered(listing.rankings)
        adds, divisor = self.addends(written), int(self.divisor(written)[0])
        total = float(adds.sum())
        value = total / divisor if divisor else 0.0
        return written_steps(
            written,
            {**self.columns(written), "adds": adds.tolist()},
            adds > 0,
            legend=self.legend,
            result=f"{shown(total)} added / {divisor} {self.divided_by} = {shown(value)}",
            others="adds nothing",
        )

    legend = ""
    """What the columns mean."""
    divided_by = ""
    """The divisor in words."""

    @abstractmethod
    def columns(self, written: Written) -> Mapping[str, list[Cell]]:
        """Where the addends come from."""


@measure(name="genomics.document", source=GENOMICS, equation="document MAP", mean_name=None)
@dataclass(frozen=True)
class genomics_document(_Genomics):
    r"""Average precision of the documents that the answers come from.

    $$\frac{1}{N_{rel}} \sum_{r} rel_r \, \frac{\sum_{q \le r} rel_q}{r}$$

    where r runs over the different documents in the order of their first answers, rel_r is 1 if
    the r-th is relevant, else 0, and N_rel is the number of relevant documents. Answers of equal
    rank are ordered by document, as text, then by offset and length.

    Trap: it does not see which text was returned: any passage of a relevant document is as good
    as the right one. Use AgP, which is this measure with the text of each document scored; AP is
    the same with ties as in trec_eval.

    Source: TREC Genomics 2007, official program, DOCUMENT.

    >>> str(genomics_document())
    'genomics.document'
    """

    legend = (
        "new = the first answer of its document, found / listed = relevant documents among"
        " those so far; adds = found / listed where the document is new and relevant"
    )
    divided_by = "relevant documents"

    def ordered(self, rankings: Rankings) -> Written:
        # Where in its document an answer begins and ends need not be known.
        return rankings.written.by_name

    def addends(self, written: Written) -> Floats:
        found, listed, counted = self._counts(written)
        return np.where(counted, share(found, listed), 0.0)

    def _counts(self, written: Written) -> tuple[Integers, Integers, Booleans]:
        """Relevant documents and all documents so far, and which answers bring a relevant one."""
        new = np.zeros(len(written.page), np.bool_)
        new[np.unique(written.page, return_index=True)[1]] = True
        counted = new & written.in_relevant
        found = running_count(counted.astype(np.int64), written.offsets)
        return found, running_count(new.astype(np.int64), written.offsets), counted

    def divisor(self, written: Written) -> Integers:
        return written.by_topic(written.is_relevant.astype(np.int64))

    def columns(self, written: Written) -> Mapping[str, list[Cell]]:
        found, listed, _ = self._counts(written)
        return {"found": found.tolist(), "listed": listed.tolist()}


@measure(name="genomics.passage", source=GENOMICS, equation="passage MAP", perfect=None)
@dataclass(frozen=True)
class genomics_passage(_Genomics):
    r"""Average character precision after each answer that meets a relevant passage.

    $$\frac{1}{m + u} \sum_{r} hit_r \, \frac{\sum_{q \le r} |a_q \cap g(a_q)|}{\sum_{q \le r}
    |a_q|}$$

    where a_r is the r-th answer, g(a) the first relevant passage, in the order of the file, that
    it shares a character with, hit_r is 1 if there is one, m is the number of such answers and u
    that of relevant passages that were the first one of no answer.

    Trap: answers that return the same text again are rewarded again. Relevant [0, 100) and
    [200, 300): the first of them returned once gives 0.50, returned five times 0.83. It also
    grows when one answer is cut into many. Use textR and textP, or AiP, which count text once.

    Source: TREC Genomics 2007, official program, PASSAGE.

    >>> str(genomics_passage())
    'genomics.passage'
    """

    rewards_repetition = True
    legend = (
        "common = characters shared with the first relevant passage that it meets, found / read ="
        " these and all characters returned so far; adds = found / read where it meets one"
    )
    divided_by = "answers that meet a passage, and passages met by none"

    def addends(self, written: Written) -> Floats:
        _, found, read = self._counts(written)
        return np.where(written.match != NONE, share(found, read), 0.0)

    def _counts(self, written: Written) -> tuple[Integers, Integers, Integers]:
        """Characters shared with the first passage met, these so far, and all so far."""
        gold, match = written.gold, written.match
        common = np.zeros(len(match), np.int64)
        rows = np.flatnonzero(match != NONE)
        end = np.minimum(written.end[rows], gold.end[match[rows]])
        common[rows] = end - np.maximum(written.start[rows], gold.start[match[rows]])
        found = running_count(common, written.offsets)
        return common, found, running_count(written.size, written.offsets)

    def divisor(self, written: Written) -> Integers:
        hits = written.by_ranking((written.match != NONE).astype(np.int64))
        unmet = np.ones(len(written.gold.start), np.int64)
        unmet[written.match[written.match != NONE]] = 0
        return hits + written.gold_by_topic(unmet)

    def columns(self, written: Written) -> Mapping[str, list[Cell]]:
        common, found, read = self._counts(written)
        return {"common": common.tolist(), "found": found.tolist(), "read": read.tolist()}


@measure(name="genomics.passage2", source=GENOMICS, equation="passage2 MAP")
@dataclass(frozen=True)
class genomics_passage2(_Genomics):
    r"""Average character precision at every relevant character that is returned first.

    $$\frac{1}{T_{rel}} \sum_{p} new_p \, \frac{\sum_{q \le p} new_q}{\sum_{q \le p} (new_q +
    other_q)}$$

    where p runs over the characters of all answers in order, new_p is 1 for a relevant character
    that comes for the first time, other_p is 1 for one that is not relevant, also if it comes
    again, and T_rel is the number of relevant characters. A relevant character that comes again is
    skipped.

    Trap: the order of characters inside an answer counts, so that a passage with its relevant
    text at the end scores less than the same text cut in two; and one large document outweighs
    all the others. Use AgP(aveChP), which reads document by document, or AiP.

    Source: TREC Genomics 2007, official program, PASSAGE2.

    >>> str(genomics_passage2())
    'genomics.passage2'
    """

    legend = (
        "new = relevant characters not returned before, other = characters that are not relevant;"
        " adds = the precision at each new character, added up"
    )
    divided_by = "relevant characters"

    def score(self, rankings: Rankings) -> Floats:
        written = self.ordered(rankings)
        answer, reading = _segments(written)
        by_ranking = Reading(
            offsets_of(written.ranking[answer], len(rankings)), reading.length, reading.relevant
        )
        return average_precision(by_ranking, self.divisor(written))

    def addends(self, written: Written) -> Floats:
        answer, reading = _segments(written)
        relevant = np.flatnonzero(reading.relevant)
        by_ranking = Reading(
            offsets_of(written.ranking[answer], len(written.offsets) - 1),
            reading.length,
            reading.relevant,
        )
        sums = precision_sums(by_ranking, relevant)
        return left_to_right(sums, answer[relevant], len(written.page))

    def divisor(self, written: Written) -> Integers:
        return written.by_topic(written.relevant.sizes())

    def columns(self, written: Written) -> Mapping[str, list[Cell]]:
        answer, reading = _segments(written)
        size = len(written.page)
        new, other = (
            left_to_right(np.where(reading.relevant == is_new, reading.length, 0), answer, size)
            for is_new in (True, False)
        )
        return {"new": new.astype(int).tolist(), "other": other.astype(int).tolist()}


def _segments(written: Written) -> tuple[Integers, Reading]:
    """What is read, in order, without relevant text that was read before; the answer of each."""
    judged = np.flatnonzero((written.pair != NONE) & (written.size > 0))
    places = written.pair[judged], written.start[judged], written.end[judged]
    row, number = written.relevant.meetings(*places)
    answer, relevant = judged[row], written.relevant
    start = np.maximum(written.start[answer], relevant.start[number])
    end = np.minimum(written.end[answer], relevant.end[number])
    new = first_read(written.pair[answer], start, end, len(relevant))
    others = Ranges(offsets_of(answer, len(written.page)), start, end)
    gaps = others.gaps(written.start, written.end)
    owner = np.concatenate((answer[new.row], gaps.owner))
    order = np.lexsort((np.concatenate((new.start, gaps.start)), owner))
    length = np.concatenate((new.end - new.start, gaps.end - gaps.start))[order]
    is_new = np.concatenate((np.ones(len(new.row), np.bool_), np.zeros(len(gaps.start), np.bool_)))
    return owner[order], Reading(np.array([0, len(order)]), length, is_new[order])


@measure(name="genomics.aspect", source=GENOMICS, equation="aspect MAP", perfect=None)
@dataclass(frozen=True)
class genomics_aspect(_Genomics):
    r"""Average precision of answers that bring new aspects of the topic.

    $$\frac{1}{|A|} \sum_{r} n_r \, \frac{\sum_{q \le r} [n_q > 0]}{\sum_{q \le r} ([n_q > 0] +
    miss_q)}$$

    where n_r is the number of aspects of the first relevant passage that the r-th answer meets
    and that no earlier answer brought, miss_r is 1 if it meets none, and A are the aspects of the
    topic. Answers that bring nothing new are skipped. A topic without aspects has no value.

    Trap: an answer that meets a relevant passage in a single character brings all its aspects,
    however much else it returns, and answers that repeat what is known cost nothing. Look at
    textP and textR beside it.

    Source: TREC Genomics 2007, official program, ASPECT.

    >>> str(genomics_aspect())
    'genomics.aspect'
    """

    legend = (
        "new = aspects of the first relevant passage that it meets that no answer brought before,"
        " found / counted = answers with new aspects, and these with those that meet no passage;"
        " adds = new · found / counted"
    )
    divided_by = "aspects"

    def needs(self) -> frozenset[Need]:
        return frozenset({Need.ASPECTS})

    def score(self, rankings: Rankings) -> Floats:
        value = super().score(rankings)
        value[self.divisor(rankings.written) == 0] = np.nan
        return value

    def addends(self, written: Written) -> Floats:
        new, found, counted = self._counts(written)
        return new * share(found, counted)

    def _counts(self, written: Written) -> tuple[Integers, Integers, Integers]:
        """New aspects of each answer, answers with new ones so far, and answers that count."""
        offsets, aspect = written.gold.aspect_numbers
        rows = np.flatnonzero(written.match != NONE)
        match = written.match[rows]
        several = Ranges(offsets, aspect, aspect).take(match)
        answer = rows[owners_of(several.offsets)]
        keys = joint_keys(written.ranking[answer], several.start)
        first = np.unique(keys, return_index=True)[1]
        new = np.bincount(answer[first], minlength=len(written.page))
        missed = written.match == NONE
        found = running_count((new > 0).astype(np.int64), written.offsets)
        counted = running_count(((new > 0) | missed).astype(np.int64), written.offsets)
        return new, found, counted

    def divisor(self, written: Written) -> Integers:
        offsets, aspect = written.gold.aspect_numbers
        topic = owners_of(written.gold_offsets)[owners_of(offsets)]
        each = np.unique(joint_keys(topic, aspect))
        return np.bincount(each >> 32, minlength=len(written.offsets) - 1)

    def columns(self, written: Written) -> Mapping[str, list[Cell]]:
        new, found, counted = self._counts(written)
        return {"new": new.tolist(), "found": found.tolist(), "counted": counted.tolist()}
