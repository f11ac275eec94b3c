"""A run in its final order, joined with the assessments answer by answer."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from spanwise.data.assessments import UNKNOWN, Assessments
from spanwise.data.documents import Documents
from spanwise.data.run import Extent, Run
from spanwise.evaluation.policy import Policy
from spanwise.evaluation.returned import PathPlaces
from spanwise.text.overlaps import sharing
from spanwise.text.ranges import Booleans, Integers


@dataclass
class Aligned:
    """A run in its final order, and for each of its answers the judged pair it belongs to."""

    run: Run
    assessments: Assessments
    documents: Documents | None
    policy: Policy

    @cached_property
    def topic(self) -> Integers:
        """The number, in the assessments, of each ranking's topic."""
        return np.array([self.assessments.numbers[name] for name in self.run.topics], np.int64)

    @cached_property
    def ranking(self) -> Integers:
        """The ranking of each answer."""
        return self.run.topic

    @cached_property
    def topic_of_answer(self) -> Integers:
        """The number, in the assessments, of each answer's topic."""
        return self.topic[self.ranking]

    @cached_property
    def pair(self) -> Integers:
        """The judged (topic, document) pair of each answer, -1 if not judged."""
        return self.assessments.index.find(self.topic_of_answer, self.run.documents)

    @cached_property
    def page(self) -> Integers:
        """The page of each answer; pages are numbered by their first answer."""
        if not self.run.several_per_document:
            return np.arange(len(self.run))
        return self.run.documents.codes(self.ranking)

    @cached_property
    def first_answer(self) -> Integers:
        """The first answer of each page."""
        if not self.run.several_per_document:
            return self.page
        opens = np.ones(len(self.page), np.bool_)
        opens[1:] = self.page[1:] > np.maximum.accumulate(self.page)[:-1]
        return np.flatnonzero(opens)

    @cached_property
    def page_pair(self) -> Integers:
        """The judged pair of each page, -1 if not judged."""
        return self.pair[self.first_answer] if self.run.several_per_document else self.pair

    @cached_property
    def page_ranking(self) -> Integers:
        """The ranking of each page."""
        return self.ranking[self.first_answer] if self.run.several_per_document else self.ranking

    @cached_property
    def relevant_pages(self) -> Integers:
        """The pages whose document is relevant."""
        return self._relevant(self.page_pair)

    @cached_property
    def relevant_answers(self) -> Integers:
        """The answers in relevant documents."""
        return self._relevant(self.pair)

    def _relevant(self, pair: Integers) -> Integers:
        judged = np.flatnonzero(pair >= 0)
        return judged[self.assessments.is_relevant[pair[judged]]]

    def first_documents(self, most: int) -> Run:
        """The answers in the first documents of each ranking, in its order."""
        first_page = np.searchsorted(self.page_ranking, np.arange(len(self.run.topics)))
        place = self.page - first_page[self.ranking]
        return self.run.take(np.flatnonzero(place < most)).copied()

    # -- what can be asked about answers

    def name(self, answer: int) -> str:
        """What to call an answer's document in messages."""
        topic = self.run.topics[self.ranking[answer]]
        return f"document {self.run.documents[answer]} (topic {topic})"

    @property
    def placed(self) -> Integers:
        """The answers that are ranges or entry points."""
        extent = self.run.extent
        return np.flatnonzero((extent == Extent.RANGE) | (extent == Extent.POINT))

    def known_lengths(self) -> tuple[Integers, Integers]:
        """Ranges and entry points in documents whose length is known, and these lengths."""
        rows = self.placed
        length = self.lengths(rows)
        known = length != UNKNOWN
        return rows[known], length[known]

    def lengths(self, rows: Integers) -> Integers:
        """The length of the document of each of these answers, judged or not, or ``UNKNOWN``."""
        every = len(rows) == len(self.run)
        names = self.run.documents if every else self.run.documents.take(rows)
        if self.documents is None:
            return self.assessments.lengths_of(names)
        codes = names.codes()
        first = np.unique(codes, return_index=True)[1]
        known = self.assessments.lengths
        found = [known.get(name, UNKNOWN) for name in names.take(first).strings()]
        return np.array(found, np.int64)[codes]

    def returning(self, rows: Integers | None = None) -> Integers:
        """Those of the answers (of all) that return a range, an element or the whole document."""
        rows = np.arange(len(self.run)) if rows is None else rows
        extent = self.run.extent[rows]
        chosen: Integers = rows[(extent <= Extent.WHOLE) | (extent == Extent.ELEMENT)]
        return chosen

    def meets_another(self, rows: Integers) -> Booleans:
        """Which of these answers share a character with another one of the same document?

        Elements whose characters are not known meet their ancestors and descendants; a root is
        the whole document, and meets everything in it. What only the documents could tell is not
        said here.
        """
        run = self.run
        if len(rows) < 2 or not run.several_per_document:
            return np.zeros(len(rows), np.bool_)
        named, whole = run.extent[rows] == Extent.ELEMENT, run.extent[rows] == Extent.WHOLE
        if not named.any():
            return self._meet(rows, run.start[rows], run.end[rows], whole)
        places = PathPlaces.of(run.paths, len(run))
        whole = whole | (named & places.is_root[rows])
        result = np.zeros(len(rows), np.bool_)
        for some, start, end in (
            (named | whole, places.first, places.after),
            (named | whole, places.last, places.last_after),
            (~named | whole, run.start, run.end),
        ):
            chosen = rows[some]
            result[some] |= self._meet(chosen, start[chosen], end[chosen], whole[some])
        return result

    def _meet(self, rows: Integers, start: Integers, end: Integers, whole: Booleans) -> Booleans:
        """Which ranges share a character; the whole of a document shares with all of them."""
        beyond = max(int(end.max(initial=0)), 1)
        return sharing(self.page[rows], np.where(whole, 0, start), np.where(whole, beyond, end))
