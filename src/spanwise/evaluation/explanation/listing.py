"""The whole list of one topic: every page, relevant or not, with what was returned of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from spanwise.data.assessments import UNKNOWN
from spanwise.data.run import Extent
from spanwise.errors import NeedError
from spanwise.evaluation.aligned import Aligned
from spanwise.evaluation.explanation.steps import Missed, Totals
from spanwise.measures.views.rankings import Rankings
from spanwise.text.ranges import Ranges, sums_by_owner

Span = tuple[int, int]


@dataclass(frozen=True, slots=True)
class PageRow:
    """One document of the list."""

    rank: int
    document: str
    answers: int
    relevant: bool | None
    """None: nobody judged it."""
    grade: int
    relevant_size: int | None
    returned: int | None
    """Characters; None where the document's length would have to be known."""
    common: int | None
    number: int | None
    """Which of the relevant pages it is, as measures count them."""


@dataclass
class Listing:
    """One topic of one run, aligned."""

    aligned: Aligned
    rankings: Rankings

    @property
    def relevant_documents(self) -> int:
        """Nrel."""
        return int(self.rankings.relevant_documents[0])

    @property
    def relevant_text(self) -> int:
        """Trel."""
        return int(self.rankings.relevant_text[0])

    @cached_property
    def pages(self) -> tuple[PageRow, ...]:
        """Every page of the list, in order."""
        aligned, assessments = self.aligned, self.aligned.assessments
        returned, common = self._sizes()
        counts = np.bincount(aligned.page, minlength=len(aligned.first_answer)).tolist()
        numbers = {page: number for number, page in enumerate(aligned.relevant_pages.tolist())}
        documents = aligned.run.documents.take(aligned.first_answer).strings()
        pairs = aligned.pair[aligned.first_answer].tolist()
        return tuple(
            PageRow(
                rank=page + 1,
                document=documents[page],
                answers=counts[page],
                relevant=None if pair < 0 else bool(assessments.is_relevant[pair]),
                grade=int(assessments.grade[pair]) if page in numbers else 0,
                relevant_size=self.relevant_size(pair),
                returned=returned[page],
                common=common[page],
                number=numbers.get(page),
            )
            for page, pair in enumerate(pairs)
        )

    def relevant_size(self, pair: int) -> int | None:
        """The relevant characters of a judged pair; None where that is not known."""
        assessments = self.aligned.assessments
        if pair < 0 or not assessments.is_relevant[pair]:
            return 0
        unknown = assessments.whole[pair] and assessments.length[pair] == UNKNOWN
        if unknown or assessments.without_text[pair]:
            return None
        return sum(end - start for start, end in self.relevant_spans(pair))

    def spans(self) -> list[list[Span] | None]:
        """What was returned of each page, answer by answer; None where a length is missing."""
        run, found = self.aligned.run, list[list[Span] | None]()
        found += [[] for _ in self.aligned.first_answer]
        lengths = self.aligned.lengths(np.arange(len(run))).tolist() if len(run) else []
        for row, page in enumerate(self.aligned.page.tolist()):
            spans = found[page]
            if spans is None or run.extent[row] > Extent.WHOLE:
                continue
            if run.extent[row] == Extent.RANGE:
                spans.append((int(run.start[row]), int(run.end[row])))
            elif lengths[row] == UNKNOWN:
                found[page] = None
            else:
                spans.append((0, lengths[row]))
        return found

    def relevant_ranges(self) -> Ranges:
        """The relevant text of each page."""
        pairs = self.aligned.pair[self.aligned.first_answer]
        known = [self.relevant_spans(pair) for pair in pairs.tolist()]
        return Ranges.of(known)

    def relevant_spans(self, pair: int) -> list[Span]:
        """The relevant text of a judged pair."""
        if pair < 0 or not self.aligned.assessments.is_relevant[pair]:
            return []
        return self.aligned.assessments.relevant.take(np.array([pair])).to_lists()[0]

    def _sizes(self) -> tuple[list[int | None], list[int | None]]:
        """Characters returned of each page, and the relevant ones among them."""
        spans, relevant = self.spans(), self.relevant_ranges()
        rows = [(page, *span) for page, found in enumerate(spans) for span in found or ()]
        table = np.array(rows, np.int64).reshape(-1, 3)
        if self.aligned.policy.overlap == "as-is":
            page, start, end = table.T
            offsets = np.searchsorted(page, np.arange(len(spans) + 1))
            returned = sums_by_owner(end - start, offsets)
            common = sums_by_owner(relevant.covered(page, start, end), offsets)
        else:
            union = Ranges.union_of(table[:, 0], table[:, 1], table[:, 2], len(spans))
            returned, common = union.sizes(), union.overlap_sizes(relevant)
        return _where(spans, returned.tolist()), _where(spans, common.tolist())

    def totals(self) -> Totals:
        """What the list and the topic hold."""
        try:
            text: int | None = self.relevant_text
        except NeedError:
            text = None
        return Totals(
            documents=int(self.rankings.length[0]),
            answers=len(self.aligned.run),
            relevant_documents=self.relevant_documents,
            relevant_characters=text,
            missed=self._missed(),
        )

    def _missed(self) -> tuple[Missed, ...]:
        assessments, topic = self.aligned.assessments, int(self.aligned.topic[0])
        pairs = range(*assessments.offsets[topic : topic + 2].tolist())
        found = set(self.aligned.pair.tolist())
        return tuple(
            Missed(assessments.documents[pair], self.relevant_size(pair))
            for pair in pairs
            if assessments.is_relevant[pair] and pair not in found
        )

    def pair_of(self, document: str) -> int:
        """The judged pair of a document, retrieved or not; -1 if nobody judged it."""
        assessments, topic = self.aligned.assessments, int(self.aligned.topic[0])
        first, last = assessments.offsets[topic : topic + 2].tolist()
        names = assessments.documents.take(slice(first, last)).strings()
        return first + names.index(document) if document in names else -1


def _where(spans: Sequence[list[Span] | None], sizes: list[int]) -> list[int | None]:
    return [None if found is None else size for found, size in zip(spans, sizes, strict=True)]
