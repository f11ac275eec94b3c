"""Alignment: a run meets the assessments. The one place where policy is decided.

Order, documents that come back, overlap, unjudged documents, ranges beyond the text: every
doubtful case of the data is settled here and reported in the notes. What comes out are
:class:`Rankings`; no measure ever sees a run or a file.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from spanwise.data.answer_curve import AnswerCurve
from spanwise.data.assessments import UNKNOWN, Assessments
from spanwise.data.documents import Documents
from spanwise.data.pages import Pages, Parts
from spanwise.data.rankings import Rankings
from spanwise.data.run import Extent, Run
from spanwise.errors import Fault, InputError, NeedError, PolicyError
from spanwise.evaluation.order import ranked
from spanwise.evaluation.policy import Notes, Policy
from spanwise.text.ranges import Booleans, Integers, Ranges, offsets_of, sums_by_owner

BEYOND = np.iinfo(np.int64).max
"""Where a whole document ends while its length does not matter."""


def align(
    run: Run,
    assessments: Assessments,
    policy: Policy,
    notes: Notes,
    documents: Documents | None = None,
) -> Rankings:
    """The rankings of a run's topics that have relevant text, in the order of the run."""
    run = ranked(_assessed(run, assessments, notes), policy.order, notes)
    aligned = _Aligned(run, assessments, documents, policy)
    aligned = aligned.within_documents(notes)
    aligned.refuse_repetitions()
    aligned.settle_overlap(notes)
    aligned.note_unjudged(notes)
    return aligned.rankings()


def _assessed(run: Run, assessments: Assessments, notes: Notes) -> Run:
    """The topics that can be scored; the others are reported."""
    unknown = [topic for topic in run.topics if topic not in assessments.numbers]
    notes.add("not assessed", len(unknown), detail=some_names(unknown))
    nrel = assessments.relevant_documents
    scored = [t for t in run.topics if t in assessments.numbers and nrel[assessments.numbers[t]]]
    return run if len(scored) == len(run.topics) else run.only(set(scored))


def some_names(names: list[str], most: int = 5) -> str:
    """The first few names of many."""
    return ", ".join(names[:most]) + (", ..." if len(names) > most else "")


@dataclass
class _Aligned:
    """A run in its final order, and for each of its answers the judged pair it belongs to."""

    run: Run
    assessments: Assessments
    documents: Documents | None
    policy: Policy

    # -- who belongs where

    @cached_property
    def topic(self) -> Integers:
        """The number, in the assessments, of each ranking's topic."""
        return np.array([self.assessments.numbers[name] for name in self.run.topics], np.int64)

    @cached_property
    def ranking(self) -> Integers:
        """The ranking of each answer."""
        return self.run.topic

    @cached_property
    def pair(self) -> Integers:
        """The judged (topic, document) pair of each answer, -1 if not judged."""
        return self.assessments.index.find(self.topic[self.ranking], self.run.documents)

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
    def relevant_pages(self) -> Integers:
        """The pages whose document is relevant."""
        pair = self.pair[self.first_answer]
        return np.flatnonzero((pair >= 0) & self.assessments.is_relevant[pair])

    @cached_property
    def relevant_answers(self) -> Integers:
        """The answers in relevant documents."""
        return np.flatnonzero((self.pair >= 0) & self.assessments.is_relevant[self.pair])

    # -- policies

    def refuse_repetitions(self) -> None:
        """A whole-document format names each document of a topic once."""
        run = self.run
        if run.several_per_document or not run.documents.has_repetition(self.ranking):
            return
        codes = run.documents.codes(self.ranking)
        order = np.argsort(codes, kind="stable")
        again = np.flatnonzero(codes[order][1:] == codes[order][:-1])
        if not len(again):
            return
        first, second = sorted((int(order[again[0]]), int(order[again[0] + 1])))
        if run.line is not None and run.line[second] < run.line[first]:
            first, second = second, first
        raise InputError(
            Fault(
                run.file,
                None if run.line is None else int(run.line[second]),
                f"document {run.documents[second]} again for topic {run.topics[self.ranking[second]]}",
                f"it once (it is at {run.place_of(first)} already)",
                "remove one of the two lines",
                "repetition",
            )
        )

    def within_documents(self, notes: Notes) -> _Aligned:
        """Ranges must end inside their document, as far as its length is known."""
        rows, length = self._known_lengths()
        beyond = rows[(self.run.end[rows] > length) & (self.run.extent[rows] == Extent.RANGE)]
        if not len(beyond):
            return self
        known = np.zeros(len(self.run), np.int64)
        known[rows] = length
        if not self.policy.lenient:
            row = int(beyond[0])
            raise InputError(
                Fault(
                    self.run.file,
                    None if self.run.line is None else int(self.run.line[row]),
                    f"range [{self.run.start[row]}, {self.run.end[row]})",
                    f"an end of at most {known[row]}, the length of {self.run.documents[row]}",
                    "mend the offsets (is it another --unit?) or use --lenient",
                    "range",
                )
            )
        notes.add("dropped", len(beyond), detail=f"{self.run.file} beyond the end of a document")
        end = self.run.end.copy()
        end[beyond] = known[beyond]
        cut = replace(self.run, end=end)
        outside = np.zeros(len(cut), np.bool_)
        outside[beyond] = cut.start[beyond] >= end[beyond]
        kept = cut.take(np.flatnonzero(~outside))
        return _Aligned(kept, self.assessments, self.documents, self.policy)

    def _known_lengths(self) -> tuple[Integers, Integers]:
        """Answers in documents of known length, and these lengths."""
        if self.documents is not None:
            length = self._lengths(np.arange(len(self.run)))
        else:
            length = np.where(self.pair >= 0, self.assessments.length[self.pair], UNKNOWN) \
                if len(self.assessments.length) else np.full(len(self.pair), UNKNOWN)
        rows = np.flatnonzero(length != UNKNOWN)
        return rows, length[rows]

    def _lengths(self, rows: Integers) -> Integers:
        """The length of the document of each of these answers, judged or not."""
        names = self.run.documents.take(rows)
        codes = names.codes()
        first = np.unique(codes, return_index=True)[1]
        known = dict(self.assessments.lengths)
        lengths = self.documents.lengths if self.documents is not None else {}
        found = [
            lengths.get(name, known.get(name, UNKNOWN)) for name in names.take(first).strings()
        ]
        return np.array(found, np.int64)[codes]

    def settle_overlap(self, notes: Notes) -> None:
        """Overlapping answers are united; or refused, or counted as they are, if that was asked."""
        everything = self.policy.overlap == "error"
        rows = np.arange(len(self.run)) if everything else self.relevant_answers
        rows = rows[self.run.extent[rows] <= Extent.WHOLE]
        meets = self._meets_another(rows)
        if everything and meets.any():
            row = int(rows[np.flatnonzero(meets)[0]])
            raise PolicyError(
                f"{self.run.place_of(row)}: an answer in document {self.run.documents[row]} overlaps"
                f" another one of topic {self.run.topics[self.ranking[row]]}, expected none"
                " (--overlap error); remove it or use --overlap union"
            )
        notes.add("as-is" if self.policy.overlap == "as-is" else "merged", int(meets.sum()))
        if self.run.several_per_document:
            back = self.page < np.maximum.accumulate(self.page)
            notes.add("joined", int(back.sum()))

    def _meets_another(self, rows: Integers) -> Booleans:
        """Which of these answers share a character with another one of the same document?"""
        run, page = self.run, self.page[rows]
        end = np.where(run.extent[rows] == Extent.WHOLE, BEYOND, run.end[rows])
        order = np.lexsort((run.start[rows], page))
        page, start, end = page[order], run.start[rows][order], end[order]
        together = page[1:] == page[:-1]
        touches = np.zeros(len(rows), np.bool_)
        reach = _reach(page, end)
        touches[1:] |= together & (start[1:] < reach[:-1])
        touches[:-1] |= together & (start[1:] < end[:-1])
        result = np.zeros(len(rows), np.bool_)
        result[order] = touches
        return result

    def note_unjudged(self, notes: Notes) -> None:
        """Documents nobody judged count as not relevant."""
        pair = self.pair[self.first_answer]
        notes.add("unjudged", int((pair < 0).sum()), of=len(pair))

    # -- what comes out

    def rankings(self) -> Rankings:
        """The batch of rankings."""
        page_ranking = self.ranking[self.first_answer]
        grades, offsets = self._ideal_grades()
        return Rankings(
            topics=self.run.topics,
            length=np.bincount(page_ranking, minlength=len(self.run.topics)),
            relevant_documents=self.assessments.relevant_documents[self.topic],
            pages=self._pages(page_ranking),
            ideal_offsets=offsets,
            ideal_grade=grades,
            make_relevant_text=self._relevant_text,
            make_curve=self._curve,
            make_overlapping=self._overlapping,
        )

    def _pages(self, page_ranking: Integers) -> Pages:
        chosen = self.relevant_pages
        ranking = page_ranking[chosen]
        first_page = np.searchsorted(page_ranking, np.arange(len(self.run.topics)))
        answer = self.first_answer[chosen]
        pair = self.pair[answer]
        rows = self.relevant_answers
        place = np.full(len(self.first_answer) + 1, -1, np.int64)
        place[chosen] = np.arange(len(chosen))
        page, extent = place[self.page[rows]], self.run.extent[rows]
        parts = np.flatnonzero(extent == Extent.RANGE)
        entries = Ranges(self.assessments.entry_offsets, *[self.assessments.entry_point] * 2)
        entries = entries.take(pair)
        return Pages(
            ranking=ranking,
            rank=chosen - first_page[ranking] + 1,
            grade=self.assessments.grade[pair],
            relevant=self.assessments.relevant.take(pair),
            length=self.assessments.length[pair],
            parts=Parts(page[parts], self.run.start[rows][parts], self.run.end[rows][parts]),
            whole_answers=_count(page, extent == Extent.WHOLE, len(chosen)),
            point=_count(page, extent == Extent.POINT, len(chosen)) > 0,
            ranged=_count(page, extent == Extent.RANGE, len(chosen)) > 0,
            entry=self._entries(page, rows, len(chosen)),
            entry_offsets=entries.offsets,
            best_entry=entries.start,
            judged_whole=self.assessments.whole[pair],
            name=lambda number: self._name(int(answer[number])),
            mean_length=None if self.documents is None else self.documents.mean_length,
            literal=self.policy.overlap == "as-is",
        )

    def _entries(self, page: Integers, rows: Integers, pages: int) -> Integers:
        """Where the first answer of each page that returns anything starts; 0 if none does."""
        returning = np.flatnonzero(self.run.extent[rows] != Extent.NOTHING)[::-1]
        entry = np.zeros(pages, np.int64)
        entry[page[returning]] = self.run.start[rows][returning]
        return entry

    def _name(self, answer: int) -> str:
        topic = self.run.topics[self.ranking[answer]]
        return f"document {self.run.documents[answer]} (topic {topic})"

    def _ideal_grades(self) -> tuple[Integers, Integers]:
        """The grades of each topic's relevant documents, best first."""
        assessments = self.assessments
        pairs = np.flatnonzero(assessments.is_relevant)
        order = np.lexsort((-assessments.grade[pairs], assessments.topic[pairs]))
        ranges = Ranges(
            offsets_of(assessments.topic[pairs], len(assessments.topics)),
            *[assessments.grade[pairs][order]] * 2,
        ).take(self.topic)
        return ranges.start, ranges.offsets

    def _relevant_text(self) -> Integers:
        assessments = self.assessments
        unknown = assessments.is_relevant & assessments.whole & (assessments.length == UNKNOWN)
        wanted = np.flatnonzero(unknown & np.isin(assessments.topic, self.topic))
        if len(wanted):
            raise NeedError(
                f"the length of document {assessments.documents[int(wanted[0])]} is needed (it is"
                " judged relevant as a whole) but not known; give --collection or document lengths"
            )
        sizes = np.where(assessments.is_relevant, assessments.relevant.sizes(), 0)
        return sums_by_owner(sizes, assessments.offsets)[self.topic]

    def _curve(self) -> AnswerCurve:
        """All answers with text, in order, and what is relevant in the documents they come from."""
        run = self.run
        if (run.extent == Extent.POINT).any():
            raise NeedError("a run of entry points has no text: only BEP and BEPD can score it")
        end = run.end.copy()
        whole = np.flatnonzero(run.extent == Extent.WHOLE)
        if len(whole):
            end[whole] = self._lengths_of_whole(whole)
        relevant = self.assessments.relevant
        pair = self.pair[self.first_answer]
        none = len(relevant)
        known = Ranges(np.append(relevant.offsets, relevant.offsets[-1]), relevant.start, relevant.end)
        return AnswerCurve(
            offsets=run.offsets,
            document=self.page,
            start=run.start,
            end=end,
            relevant=known.take(np.where(pair < 0, none, pair)),
            literal=self.policy.overlap == "as-is",
            tokens=self._tokens if self.documents is not None and self.documents.has_text else None,
        )

    def _lengths_of_whole(self, rows: Integers) -> Integers:
        length = self._lengths(rows)
        unknown = np.flatnonzero(length == UNKNOWN)
        if len(unknown):
            raise NeedError(
                f"the length of {self._name(int(rows[unknown[0]]))} is needed (it is returned whole)"
                " but not known; give --collection or document lengths"
            )
        return length

    def _tokens(self, page: int) -> tuple[Integers, Integers]:
        assert self.documents is not None
        return self.documents.tokens(self.run.documents[int(self.first_answer[page])])

    def _overlapping(self) -> tuple[Integers, Integers]:
        rows = np.flatnonzero(self.run.extent <= Extent.WHOLE)
        meets = rows[self._meets_another(rows)]
        topics = len(self.run.topics)
        return (
            np.bincount(self.ranking, minlength=topics),
            np.bincount(self.ranking[meets], minlength=topics),
        )


def _count(page: Integers, marked: Booleans, pages: int) -> Integers:
    """How many marked answers each page has."""
    return np.bincount(page[marked], minlength=pages)


def _reach(owner: Integers, end: Integers) -> Integers:
    """The furthest end so far within each owner's rows, which are together."""
    codes = np.unique(end, return_inverse=True)
    step = len(codes[0]) + 1
    return codes[0][np.maximum.accumulate(owner * step + codes[1]) - owner * step]
