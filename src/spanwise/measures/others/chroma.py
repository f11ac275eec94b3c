"""The measures of Chroma's chunking_evaluation, as its program counts them."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass

from spanwise.measures.base import CutOff, Family, ListScore, Need
from spanwise.measures.explaining import Step, Steps, shown, written_steps
from spanwise.measures.lists.text import quotient
from spanwise.measures.parameters import OneOf, parameter
from spanwise.measures.registry import measure
from spanwise.measures.views.listing import Listing
from spanwise.measures.views.pages import Rankings
from spanwise.measures.views.written import Written, running_count
from spanwise.records import Struct
from spanwise.text.ranges import Floats, Integers, share, sums_by_owner

CHROMA = "Chroma, chunking_evaluation"
FIRST = 5
"""Answers that are looked at, unless another number is asked for."""


class Counts(Struct, frozen=True, eq=False):
    """Characters of each ranking's first answers and of its topic's excerpts."""

    found: Integers
    """Excerpt text among the answers, once."""
    returned: Integers
    """The lengths of the answers, added up."""
    excerpts: Integers
    """The lengths of the excerpts, added up."""
    missed: Integers
    """What the answers do not have of each excerpt, added up."""

    @classmethod
    def of(cls, written: Written, cutoff: int) -> Counts:
        """The counts of many rankings."""
        first, gold = written.first(cutoff), written.gold
        text = written.text_of(first)
        size = written.size.copy()
        size[written.number >= cutoff] = 0
        here = text.covered(gold.pair, gold.start, gold.end)
        return cls(
            written.by_topic(text.overlap_sizes(written.relevant)),
            written.by_ranking(size),
            written.gold_by_topic(gold.size),
            written.gold_by_topic(gold.size - here),
        )


@dataclass(frozen=True)
class _Chroma(ListScore):
    """What the three measures of answers share."""

    family = Family.PEER_LISTS
    takes = CutOff.OPTIONAL_RANK
    cutoff: int = FIRST

    def score(self, rankings: Rankings) -> Floats:
        counts = Counts.of(rankings.written, self.cutoff)
        return share(counts.found, self.whole(counts))

    @abstractmethod
    def whole(self, counts: Counts) -> Integers:
        """What the text found is divided by."""

    divided_by = ""
    """The divisor in words."""

    def explain(self, listing: Listing) -> Steps:
        written = listing.rankings.written
        counts, rows = Counts.of(written, self.cutoff), written.first(self.cutoff)
        found, whole = int(counts.found[0]), int(self.whole(counts)[0])
        after = [int(Counts.of(written, k).found[0]) for k in range(len(rows) + 1)]
        new = [after[k + 1] - after[k] for k in range(len(rows))]
        returned = running_count(written.size, written.offsets)[rows]
        return written_steps(
            written,
            {"new": new, "found": after[1:], "returned": returned.tolist()},
            written.in_relevant[rows],
            rows=rows,
            legend="new = excerpt text that no answer before it has, found = this so far; returned"
            " = the lengths of the answers so far, whatever they repeat",
            result=f"{found} found / {whole} {self.divided_by} = {shown(quotient(found, whole))}",
            others="nothing of an excerpt",
        )


@measure(name="chroma.recall", source=CHROMA, equation="recall", perfect=None)
@dataclass(frozen=True)
class chroma_recall(_Chroma):
    r"""The share of the excerpts' text that the first k answers hold.

    $$recall@k = \frac{|U_k \cap \bigcup_e e|}{\sum_e |e|}$$

    where U_k is the text of the first k answers (5 without k) and e are the topic's excerpts, its
    relevant ranges as they were written.

    Trap: excerpts that overlap count twice below and once above, so that finding everything does
    not give 1: excerpts [0, 100) and [0, 100) give 0.50. Use textR@5, which counts text once.

    Source: Chroma, chunking_evaluation.

    >>> str(chroma_recall()), str(chroma_recall() @ 10)
    ('chroma.recall@5', 'chroma.recall@10')
    """

    divided_by = "characters of the excerpts"

    def whole(self, counts: Counts) -> Integers:
        return counts.excerpts


@measure(name="chroma.precision", source=CHROMA, equation="precision", perfect=None)
@dataclass(frozen=True)
class chroma_precision(_Chroma):
    r"""The excerpts' text among the first k answers, over the lengths of these answers.

    $$precision@k = \frac{|U_k \cap \bigcup_e e|}{\sum_{i \le k} |a_i|}$$

    where a_1, a_2 ... are the answers, U_k is the text of the first k of them (5 without k) and e
    are the topic's excerpts, its relevant ranges as they were written.

    Trap: text that chunks share counts once above and every time below, so that overlapping
    chunks look worse than the text a reader gets: relevant [0, 100), answers [0, 100) and
    [0, 100) give 0.50. Use textP@5, which counts text once.

    Source: Chroma, chunking_evaluation.

    >>> str(chroma_precision())
    'chroma.precision@5'
    """

    divided_by = "characters of the answers"

    def whole(self, counts: Counts) -> Integers:
        return counts.returned


@measure(name="chroma.iou", source=CHROMA, equation="IoU", perfect=None)
@dataclass(frozen=True)
class chroma_iou(_Chroma):
    r"""The excerpts' text among the first k answers, over all answers and what they lack of it.

    $$iou@k = \frac{|U_k \cap \bigcup_e e|}{\sum_{i \le k} |a_i| + \sum_e |e \setminus U_k|}$$

    where a_1, a_2 ... are the answers, U_k is the text of the first k of them (5 without k) and e
    are the topic's excerpts, its relevant ranges as they were written.

    Trap: it is not the intersection over the union, since text that chunks share is added each
    time: relevant [0, 100), answers [0, 100) and [0, 100) give 0.50, where the union is 100
    characters. With k answers and one short excerpt it cannot come near 1, whatever the
    retriever. Use textIoU@5.

    Source: Chroma, chunking_evaluation.

    >>> str(chroma_iou())
    'chroma.iou@5'
    """

    divided_by = "characters of the answers and of excerpts not found"

    def whole(self, counts: Counts) -> Integers:
        return counts.returned + counts.missed


@measure(name="chroma.omega", source=CHROMA, equation="precision omega", perfect=None)
@dataclass(frozen=True)
class chroma_omega(ListScore):
    r"""Intersection over union of the excerpts with all chunks that touch one of them.

    $$\Omega = \frac{|\bigcup T \cap \bigcup_e e|}{|\bigcup T \cup \bigcup_e e|}$$

    where e are the topic's excerpts, its relevant ranges as they were written, and T are all
    chunks of the chunking, retrieved or not, that touch one. By the published rule a chunk that
    only abuts an excerpt touches it; with ``touching=strict`` it must share a character.

    Trap: it says nothing about the run: it is the same for every retriever over these chunks. It
    is not a limit for textIoU either: a retriever that leaves out a chunk with one relevant
    character may do better. And by the published rule a border in the right place costs a whole
    chunk: excerpts [100, 200) and [300, 350), chunks of 100 characters, give 0.375; strictly it
    is 0.75. For what no retriever can beat, use ``spanwise chunks``.

    Source: Chroma, chunking_evaluation, Precision Omega.

    >>> str(chroma_omega()), str(chroma_omega(touching="strict"))
    ('chroma.omega', 'chroma.omega(touching=strict)')
    """

    family = Family.PEER_LISTS
    describes_chunking = True
    touching: str = parameter("published", OneOf("published", "strict"), extra=True)

    def needs(self) -> frozenset[Need]:
        return frozenset({Need.CHUNKS})

    def score(self, rankings: Rankings) -> Floats:
        return share(*self._sizes(rankings.written, rankings.written.pair_offsets))

    def _sizes(self, written: Written, offsets: Integers) -> tuple[Integers, Integers]:
        """Intersection and union, added up over judged documents."""
        text, _ = written.source.touched(strict=self.touching == "strict")
        common = text.overlap_sizes(written.relevant)
        union = text.sizes() + written.relevant.sizes() - common
        return sums_by_owner(common, offsets), sums_by_owner(union, offsets)

    def explain(self, listing: Listing) -> Steps:
        written = listing.rankings.written
        text, count = written.source.touched(strict=self.touching == "strict")
        columns = (
            *(count, text.sizes(), written.relevant.sizes()),
            text.overlap_sizes(written.relevant),
        )
        names = written.pair_documents.strings()
        found = zip(names, *(column.tolist() for column in columns), strict=True)
        steps = tuple(
            Step((number, *cells), True)
            for number, cells in enumerate((row for row in found if row[3]), start=1)
        )
        common, union = (int(sizes[0]) for sizes in self._sizes(written, written.pair_offsets))
        return Steps(
            "answer",
            ("number", "document", "chunks", "touching", "relevant", "common"),
            steps,
            "chunks = that touch an excerpt, touching = their characters",
            f"{common} common / {union} touching or relevant = {shown(quotient(common, union))}",
        )
