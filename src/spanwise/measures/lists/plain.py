"""Plain document lists, equal to trec_eval on the ranking of documents that the pages give."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from spanwise.data.sums import left_to_right
from spanwise.measures.base import CutOff, Family, ListScore
from spanwise.measures.registry import measure
from spanwise.measures.views.rankings import Rankings
from spanwise.text.ranges import Floats, Integers

TREC = "trec_eval, the standard of the Text REtrieval Conference"


@dataclass(frozen=True)
class _PlainList(ListScore):
    """A list over whole documents."""

    family = Family.PLAIN_LISTS


def _found_so_far(rankings: Rankings) -> Integers:
    """How many relevant documents there are up to each relevant one."""
    return np.arange(len(rankings.pages)) - rankings.offsets[rankings.pages.ranking] + 1


@measure(source=TREC, equation="map", perfect=1.0, mean_name="MAP")
@dataclass(frozen=True)
class AP(_PlainList):
    r"""Average precision of whole documents.

    $$AP = \frac{1}{Nrel} \sum_{j:\, rel(d_j)} \frac{|\{i \le j : rel(d_i)\}|}{j}$$

    where Nrel is the number of relevant documents and d_j the document at rank j; with a cut-off
    only ranks up to it count. Its mean over topics is MAP.

    Source: trec_eval, map and map_cut.

    >>> str(AP())
    'AP'
    """

    takes = CutOff.OPTIONAL_RANK
    cutoff: int | None = None

    def score(self, rankings: Rankings) -> Floats:
        pages = rankings.in_first(self.cutoff)
        precision = _found_so_far(rankings)[pages] / rankings.pages.rank[pages]
        total = left_to_right(precision, rankings.pages.ranking[pages], len(rankings))
        return rankings.share(total, rankings.relevant_documents)


@measure(source=TREC, equation="P", perfect=None, name="P")
@dataclass(frozen=True)
class PrecisionAt(_PlainList):
    r"""Precision of the first k documents.

    $$P@k = \frac{|\{j \le k : rel(d_j)\}|}{k}$$

    where d_j is the document at rank j; missing ranks count as not relevant.

    Source: trec_eval, P.

    >>> str(PrecisionAt() @ 10)
    'P@10'
    """

    takes = CutOff.RANK
    cutoff: int | None = None

    def score(self, rankings: Rankings) -> Floats:
        return rankings.count(rankings.in_first(self.cutoff)) / np.float64(self.cutoff or 1)


@measure(source=TREC, equation="recall", perfect=None, name="R")
@dataclass(frozen=True)
class RecallAt(_PlainList):
    r"""Recall of the first k documents.

    $$R@k = \frac{|\{j \le k : rel(d_j)\}|}{Nrel}$$

    where d_j is the document at rank j and Nrel the number of relevant documents.

    Source: trec_eval, recall.

    >>> str(RecallAt() @ 100)
    'R@100'
    """

    takes = CutOff.RANK
    cutoff: int | None = None

    def score(self, rankings: Rankings) -> Floats:
        found = rankings.count(rankings.in_first(self.cutoff))
        return rankings.share(found, rankings.relevant_documents)


@measure(source=TREC, equation="recip_rank", perfect=1.0, mean_name="MRR")
@dataclass(frozen=True)
class RR(_PlainList):
    r"""Reciprocal rank of the first relevant document.

    $$RR = \frac{1}{\min \{ j : rel(d_j) \}}$$

    where d_j is the document at rank j; 0 if none is relevant (or none up to the cut-off). Its
    mean over topics is MRR.

    Source: trec_eval, recip_rank.

    >>> str(RR())
    'RR'
    """

    takes = CutOff.OPTIONAL_RANK
    cutoff: int | None = None

    def score(self, rankings: Rankings) -> Floats:
        result = np.zeros(len(rankings))
        filled = rankings.offsets[1:] > rankings.offsets[:-1]
        first = rankings.pages.rank[rankings.offsets[:-1][filled]]
        result[filled] = 1 / first
        if self.cutoff is not None:
            result[filled] *= first <= self.cutoff
        return result


@measure(source=TREC, equation="Rprec", perfect=1.0)
@dataclass(frozen=True)
class Rprec(_PlainList):
    r"""Precision at the rank at which a perfect list would end.

    $$Rprec = \frac{|\{j \le Nrel : rel(d_j)\}|}{Nrel}$$

    where d_j is the document at rank j and Nrel the number of relevant documents.

    Source: trec_eval, Rprec.

    >>> str(Rprec())
    'Rprec'
    """

    def score(self, rankings: Rankings) -> Floats:
        limit = rankings.relevant_documents[rankings.pages.ranking]
        found = rankings.count(np.flatnonzero(rankings.pages.rank <= limit))
        return rankings.share(found, rankings.relevant_documents)


@measure(source=TREC, equation="ndcg, ndcg_cut", perfect=1.0)
@dataclass(frozen=True)
class nDCG(_PlainList):
    r"""Normalised discounted cumulated gain with the judged grades as gains.

    $$nDCG@k = \frac{\sum_{j \le k} g(d_j) / \log_2(j+1)}{\sum_{j \le k} g^*_j / \log_2(j+1)}$$

    where g(d) is the grade of document d (0 if not relevant or not judged) and g* are the judged
    grades in descending order; without a cut-off the sums run over the whole lists.

    Source: trec_eval, ndcg and ndcg_cut.

    >>> str(nDCG @ 10)
    'nDCG@10'
    """

    takes = CutOff.OPTIONAL_RANK
    cutoff: int | None = None

    def score(self, rankings: Rankings) -> Floats:
        pages = rankings.in_first(self.cutoff)
        gain = rankings.pages.grade[pages] / np.log2(rankings.pages.rank[pages] + 1)
        total = left_to_right(gain, rankings.pages.ranking[pages], len(rankings))
        return rankings.share(total, self._ideal(rankings))

    def _ideal(self, rankings: Rankings) -> Floats:
        counts = np.diff(rankings.ideal_offsets)
        owner = np.repeat(np.arange(len(rankings)), counts)
        rank = np.arange(len(owner)) - np.repeat(rankings.ideal_offsets[:-1], counts) + 1
        first = np.flatnonzero(rank <= (self.cutoff or rank.max(initial=0)))
        gain = rankings.ideal_grade[first] / np.log2(rank[first] + 1)
        return left_to_right(gain, owner[first], len(rankings))


@measure(source=TREC, equation="success", perfect=1.0)
@dataclass(frozen=True)
class Success(_PlainList):
    r"""Is there a relevant document among the first k? 1 or 0.

    $$Success@k = [\,\exists j \le k : rel(d_j)\,]$$

    where d_j is the document at rank j.

    Source: trec_eval, success.

    >>> str(Success @ 5)
    'Success@5'
    """

    takes = CutOff.RANK
    cutoff: int | None = None

    def score(self, rankings: Rankings) -> Floats:
        return (rankings.count(rankings.in_first(self.cutoff)) > 0).astype(np.float64)
