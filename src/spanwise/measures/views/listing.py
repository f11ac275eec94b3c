"""The whole list of one topic: every page, relevant or not, with what was returned of it."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

import numpy as np

from spanwise.data.assessments import UNKNOWN, Assessments
from spanwise.data.elements import Elements
from spanwise.data.run import Extent, Run
from spanwise.measures.views.pages import Rankings
from spanwise.records import Struct
from spanwise.text.ranges import Integers, Ranges, sums_by_owner

Span = tuple[int, int]


class ListedPage(Struct, frozen=True):
    """One document of the list."""

    rank: int
    document: str
    answers: int
    relevant: bool | None
    """None: not judged."""
    grade: int
    relevant_size: int | None
    returned: int | None
    """Characters; None where the document's length would have to be known."""
    common: int | None
    number: int | None
    """Which of the relevant pages it is, as measures count them."""


class Listing(Struct, eq=False, dict=True):
    """One topic of one run in its final order, as explanations see it."""

    run: Run
    assessments: Assessments
    elements: Elements | None
    """The trees of the documents."""
    rankings: Rankings
    topic: int
    """The number of the topic in the assessments."""
    pair: Integers
    """The judged pair of each answer, -1 if not judged."""
    page: Integers
    """The page of each answer."""
    first_answer: Integers
    """The first answer of each page."""
    relevant_pages: Integers
    document_length: Integers
    """The length of each answer's document, or ``UNKNOWN``."""
    sharing: frozenset[int]
    """The answers that share a character with another one of their document."""
    literal: bool = False
    """``overlap="as-is"``: repeated characters count every time they are returned."""

    @property
    def relevant_documents(self) -> int:
        """Nrel."""
        return int(self.rankings.relevant_documents[0])

    @property
    def relevant_text(self) -> int:
        """Trel."""
        return int(self.rankings.relevant_text[0])

    @cached_property
    def pages(self) -> tuple[ListedPage, ...]:
        """Every page of the list, in order."""
        returned, common = self._sizes()
        counts = np.bincount(self.page, minlength=len(self.first_answer)).tolist()
        numbers = {page: number for number, page in enumerate(self.relevant_pages.tolist())}
        documents = self.run.documents.take(self.first_answer).strings()
        judged = self.assessments
        return tuple(
            ListedPage(
                rank=page + 1,
                document=documents[page],
                answers=counts[page],
                relevant=None if pair < 0 else bool(judged.is_relevant[pair]),
                grade=int(judged.grade[pair]) if page in numbers else 0,
                relevant_size=self.relevant_size(pair),
                returned=returned[page],
                common=common[page],
                number=numbers.get(page),
            )
            for page, pair in enumerate(self.pair[self.first_answer].tolist())
        )

    # -- relevant text

    @property
    def judged_pairs(self) -> range:
        """The judged pairs of the topic."""
        return range(*self.assessments.offsets[self.topic : self.topic + 2].tolist())

    def pair_of(self, document: str) -> int:
        """The judged pair of a document, retrieved or not; -1 if it is not judged."""
        first = self.judged_pairs.start
        names = self.assessments.documents.take(slice(first, self.judged_pairs.stop)).strings()
        return first + names.index(document) if document in names else -1

    def relevant_size(self, pair: int) -> int | None:
        """The relevant characters of a judged pair; None where that is not known."""
        judged = self.assessments
        if pair < 0 or not judged.is_relevant[pair]:
            return 0
        unknown = judged.whole[pair] and judged.length[pair] == UNKNOWN
        if unknown or judged.without_text[pair]:
            return None
        return sum(end - start for start, end in self.relevant_spans(pair))

    def relevant_spans(self, pair: int) -> list[Span]:
        """The relevant text of a judged pair."""
        if pair < 0 or not self.assessments.is_relevant[pair]:
            return []
        return self.assessments.relevant.take(np.array([pair])).to_lists()[0]

    def units(self) -> list[tuple[str, int, int]]:
        """Document, start and end of each maximal run of relevant characters of the topic."""
        pairs = np.array(self.judged_pairs, np.int64)
        names = self.assessments.documents.take(pairs).strings()
        spans = self.assessments.relevant.take(pairs).to_lists()
        return [
            (name, start, end)
            for name, found in zip(names, spans, strict=True)
            for start, end in found
        ]

    # -- returned text

    def spans(self) -> list[list[Span] | None]:
        """What was returned of each page, answer by answer; None where a length is missing."""
        run, found = self.run, list[list[Span] | None]()
        found += [[] for _ in self.first_answer]
        lengths = self.document_length.tolist()
        for row, page in enumerate(self.page.tolist()):
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

    def _sizes(self) -> tuple[list[int | None], list[int | None]]:
        """Characters returned of each page, and the relevant ones among them."""
        spans = self.spans()
        pairs = self.pair[self.first_answer].tolist()
        relevant = Ranges.of([self.relevant_spans(pair) for pair in pairs])
        rows = [(page, *span) for page, found in enumerate(spans) for span in found or ()]
        page, start, end = np.array(rows, np.int64).reshape(-1, 3).T
        if self.literal:
            offsets = np.searchsorted(page, np.arange(len(spans) + 1))
            returned = sums_by_owner(end - start, offsets)
            common = sums_by_owner(relevant.covered(page, start, end), offsets)
        else:
            union = Ranges.union_of(page, start, end, len(spans))
            returned, common = union.sizes(), union.overlap_sizes(relevant)
        return _where_known(spans, returned.tolist()), _where_known(spans, common.tolist())


def _where_known(spans: Sequence[list[Span] | None], sizes: list[int]) -> list[int | None]:
    return [None if found is None else size for found, size in zip(spans, sizes, strict=True)]
