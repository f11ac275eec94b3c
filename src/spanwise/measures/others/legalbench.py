"""The measures of LegalBench-RAG, as its program counts them."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass

from spanwise.measures.base import Family, ListScore
from spanwise.measures.explaining import Steps, shown, written_steps
from spanwise.measures.lists.text import quotient
from spanwise.measures.registry import measure
from spanwise.measures.views.listing import Listing
from spanwise.measures.views.pages import Rankings
from spanwise.measures.views.written import Written
from spanwise.text.ranges import Floats, Integers, share

LEGALBENCH = "LegalBench-RAG, official program"


@dataclass(frozen=True)
class _LegalBench(ListScore):
    """The overlap of every answer with every relevant range, over something."""

    family = Family.PEER_LISTS
    rewards_repetition = True
    divided_by = ""
    """The divisor in words."""

    def score(self, rankings: Rankings) -> Floats:
        written = rankings.written
        return share(written.by_ranking(written.common), self.whole(written))

    @abstractmethod
    def whole(self, written: Written) -> Integers:
        """What the overlap is divided by."""

    def explain(self, listing: Listing) -> Steps:
        written = listing.rankings.written
        found, whole = int(written.common.sum()), int(self.whole(written)[0])
        return written_steps(
            written,
            {"length": written.size.tolist(), "common": written.common.tolist()},
            written.common > 0,
            legend="common = characters shared with each relevant range, added up",
            result=f"{found} common / {whole} {self.divided_by} = {shown(quotient(found, whole))}",
            others="nothing relevant",
        )


@measure(
    name="legalbench.precision",
    source=LEGALBENCH,
    equation="precision",
    bounds=(0, None),
    perfect=None,
)
@dataclass(frozen=True)
class legalbench_precision(_LegalBench):
    r"""The overlap of all answers with all relevant ranges, over the lengths of the answers.

    $$precision = \frac{\sum_{i, g} |a_i \cap g|}{\sum_i |a_i|}$$

    where a_1, a_2 ... are the answers and g are the topic's relevant ranges as they were written.

    Trap: relevant ranges that overlap count twice, so that it may exceed 1, and an answer that is
    repeated weighs twice: relevant [0, 100), answers [0, 100) and [500, 600) give 0.50, with the
    first of them returned three times 0.75. Use textP, which counts text once.

    Source: LegalBench-RAG, official program. Its four parts weigh the same in its means.

    >>> str(legalbench_precision())
    'legalbench.precision'
    """

    divided_by = "characters of the answers"

    def whole(self, written: Written) -> Integers:
        return written.by_ranking(written.size)


@measure(
    name="legalbench.recall", source=LEGALBENCH, equation="recall", bounds=(0, None), perfect=None
)
@dataclass(frozen=True)
class legalbench_recall(_LegalBench):
    r"""The overlap of all answers with all relevant ranges, over the lengths of these ranges.

    $$recall = \frac{\sum_{i, g} |a_i \cap g|}{\sum_g |g|}$$

    where a_1, a_2 ... are the answers and g are the topic's relevant ranges as they were written.

    Trap: text that chunks share counts every time, so that overlapping chunks are rewarded and
    recall exceeds 1: relevant [100, 200), answers [80, 220) and [90, 230) give 2.0. Use textR,
    which counts text once.

    Source: LegalBench-RAG, official program. Its four parts weigh the same in its means.

    >>> str(legalbench_recall())
    'legalbench.recall'
    """

    divided_by = "characters of the relevant ranges"

    def whole(self, written: Written) -> Integers:
        return written.gold_by_topic(written.gold.size)
