"""The views of aligned answers that measures see: pages, rankings, the curve of answers.

Policy was applied before; here nothing is decided, and what a view cannot be made without is
refused with a ``NeedError``.
"""

from __future__ import annotations

import numpy as np

from spanwise.data import elements
from spanwise.data.assessments import UNKNOWN
from spanwise.data.joint_keys import joint_keys, pairs_of
from spanwise.data.run import Extent, Extents
from spanwise.errors import NeedError, option
from spanwise.evaluation.align import (
    ELEMENT,
    NOTHING,
    POINT,
    RANGE,
    WHOLE,
    Aligned,
    refuse_too_much,
)
from spanwise.evaluation.policy import rule_of
from spanwise.evaluation.returned import Returned
from spanwise.measures.base import Need
from spanwise.measures.views.answer_curve import AnswerCurve
from spanwise.measures.views.pages import (
    NO_LENGTH,
    NO_PLACES,
    ONLY_ELEMENTS,
    ONLY_ENTRY_POINTS,
    Pages,
    Parts,
    Rankings,
)
from spanwise.measures.views.ranked_answers import NamedElements, RankedAnswers
from spanwise.measures.views.recall_base import Ideal, RecallBase, recall_base
from spanwise.measures.views.written import NONE, Gold, Written, gold_of
from spanwise.records import Struct
from spanwise.text.ranges import Booleans, Integers, Ranges


def rankings_of(aligned: Aligned) -> Rankings:
    """One row for each topic; what only some measures need is made when they ask."""
    return AlignedViews(aligned).rankings()


class AlignedViews(Struct, frozen=True, eq=False):
    """Makes the views of aligned answers; a ``ViewSource``."""

    aligned: Aligned

    def rankings(self) -> Rankings:
        """What every list score takes."""
        aligned = self.aligned
        ideal = aligned.assessments.ideal_grades.take(aligned.topic)
        return Rankings(
            topics=aligned.run.topics,
            length=aligned.matched.offsets[1:] - aligned.matched.offsets[:-1],
            relevant_documents=aligned.assessments.relevant_documents[aligned.topic],
            pages=self.pages(),
            ideal_offsets=ideal.offsets,
            ideal_grade=ideal.start,
            source=self,
        )

    def pages(self) -> Pages:
        """The relevant documents that were retrieved."""
        aligned, run, assessments = self.aligned, self.aligned.run, self.aligned.assessments
        chosen, found = aligned.relevant_pages, aligned.matched
        ranking = np.searchsorted(found.offsets, chosen, "right") - 1
        answer = chosen if found.first is None else found.first[chosen]
        pair = found.pair[assessments.is_relevant[found.pair]]
        rows = aligned.relevant_answers
        page = _places(rows if found.page is None else found.page[rows], chosen)
        extent = run.extent[rows]
        counts = _counts(page, extent, len(chosen))
        parts = np.flatnonzero(extent == RANGE)
        entries = assessments.entry_points.take(pair)
        return Pages(
            ranking=ranking,
            rank=chosen - found.offsets[ranking] + 1,
            grade=assessments.grade[pair],
            relevant=assessments.relevant.take(pair),
            length=assessments.length[pair],
            parts=Parts(page[parts], run.start[rows][parts], run.end[rows][parts]),
            whole_answers=counts[WHOLE],
            point=counts[POINT] > 0,
            ranged=counts[RANGE] > 0,
            entry=self._entries(page, rows, len(chosen)),
            entry_offsets=entries.offsets,
            best_entry=entries.start,
            judged_whole=assessments.whole[pair],
            without_text=assessments.without_text[pair],
            unplaced=counts[ELEMENT] > 0,
            first_answer=answer,
            source=self,
            documents=aligned.documents,
            literal=aligned.policy.overlap == "as-is",
        )

    def _entries(self, page: Integers, rows: Integers, pages: int) -> Integers:
        """Where the first answer of each page that returns anything starts; 0 if none does."""
        run = self.aligned.run
        returning = np.flatnonzero(run.extent[rows] != NOTHING)[::-1]
        entry = np.zeros(pages, np.int64)
        entry[page[returning]] = run.start[rows][returning]
        return entry

    def document_name(self, answer: int) -> str:
        """What messages call the document of an answer: with its topic."""
        return self.aligned.name(answer)

    # -- text

    def relevant_text(self) -> Integers:
        """Relevant characters of each ranking's topic."""
        assessments, topic = self.aligned.assessments, self.aligned.topic
        if not assessments.has_all_sizes or assessments.without_text.any():
            self._require_sizes(np.flatnonzero(np.isin(assessments.topic, topic)))
        return assessments.relevant_text[topic]

    def curve(self) -> AnswerCurve:
        """All answers in order, and what is relevant in the documents they come from."""
        aligned, documents = self.aligned, self.aligned.documents
        self._refuse_points()
        pair = aligned.page_pair
        self._require_sizes(aligned.matched.pair)
        return AnswerCurve(
            offsets=aligned.run.offsets,
            document=aligned.page,
            start=aligned.run.start,
            end=self._ends(),
            pair=pair,
            judged=aligned.assessments.relevant,
            source=self,
            literal=aligned.policy.overlap == "as-is",
            has_tokens=documents is not None and documents.has_tokens,
        )

    def tokens(self, page: int) -> tuple[Integers, Integers]:
        """Starts and ends of the tokens of a page's document."""
        documents = self.aligned.documents
        assert documents is not None, "token budgets are checked for text before they are used"
        return documents.tokens(self.aligned.run.documents[int(self.aligned.first_answer[page])])

    def places(self) -> tuple[Integers, Integers]:
        """Where each answer starts and ends, if that and the relevant text are known."""
        self._refuse_points()
        self.relevant_text()
        return self.aligned.run.start, self._ends()

    def _relevant_in_pages(self) -> Ranges:
        """The relevant ranges of every page, relevant or not."""
        return self.aligned.assessments.relevant.take_or_none(self.aligned.page_pair)

    def _ends(self) -> Integers:
        """Where each answer ends; whole documents end with their length, which must be known."""
        aligned, run = self.aligned, self.aligned.run
        unplaced = np.flatnonzero(run.extent == ELEMENT)
        if len(unplaced):
            name = aligned.name(int(unplaced[0]))
            raise NeedError(f"where the elements of {name} begin and end {NO_PLACES}")
        whole = np.flatnonzero(run.extent == WHOLE)
        if not len(whole):
            return run.end
        length = aligned.lengths(whole)
        unknown = np.flatnonzero(length == UNKNOWN)
        if len(unknown):
            name = aligned.name(int(whole[unknown[0]]))
            raise NeedError(f"the length of {name} is needed (it is returned whole) {NO_LENGTH}")
        end = run.end.copy()
        end[whole] = length
        refuse_too_much(run, end - run.start)
        return end

    def _refuse_points(self) -> None:
        if (self.aligned.run.extent == POINT).any():
            raise NeedError(ONLY_ENTRY_POINTS)

    def _require_sizes(self, pairs: Integers) -> None:
        """The lengths of documents that are relevant as a whole must be known."""
        assessments = self.aligned.assessments
        unmarked = pairs[assessments.without_text[pairs]]
        if len(unmarked):
            name = assessments.documents[int(unmarked[0])]
            raise NeedError(f"the relevant text of document {name} {ONLY_ELEMENTS}")
        whole = assessments.is_relevant[pairs] & assessments.whole[pairs]
        unknown = pairs[whole & (assessments.length[pairs] == UNKNOWN)]
        if len(unknown):
            raise NeedError(
                f"the length of document {assessments.documents[int(unknown[0])]} is needed (it is"
                f" judged relevant as a whole) {NO_LENGTH}"
            )

    # -- overlap

    def overlapping(self) -> tuple[Integers, Integers]:
        """Answers of each topic, and how many of them share a character with another one."""
        aligned = self.aligned
        rows = aligned.returning()
        meeting = aligned.meets_another(rows)
        self._refuse_undecided(rows[~meeting])
        meets, topics = rows[meeting], len(aligned.run.topics)
        return (
            np.bincount(aligned.ranking, minlength=topics),
            np.bincount(aligned.ranking[meets], minlength=topics),
        )

    def _refuse_undecided(self, alone: Integers) -> None:
        """Answers that share no text, as far as paths tell, must not share it unseen."""
        aligned = self.aligned
        if not len(alone) or not (aligned.run.extent == ELEMENT).any():
            return
        undecided = Returned(aligned.run).undecided()
        doubtful = alone[np.isin(aligned.page[alone], aligned.page[undecided])]
        if len(doubtful):
            name = aligned.name(int(doubtful[0]))
            raise NeedError(f"whether the answers of {name} overlap {NO_PLACES}")

    # -- gains

    def answers(self) -> RankedAnswers:
        """The answers of all rankings for measures of gain."""
        aligned, assessments, topic = self.aligned, self.aligned.assessments, self.aligned.topic
        # Judged pairs are sorted by topic, and so are their ranges.
        units = assessments.relevant.offsets[assessments.offsets]
        first = assessments.relevant.offsets[aligned.page_pair]
        return RankedAnswers(
            offsets=aligned.run.offsets,
            document=aligned.page,
            relevant=self._relevant_in_pages(),
            units=np.diff(units)[topic],
            first_unit=first - units[topic][aligned.page_ranking],
            topic=topic,
            pair=aligned.pair,
            source=self,
        )

    # -- ranges one by one

    def written(self) -> Written:
        """The answers and the judged documents, for measures that count ranges."""
        aligned, run, judged = self.aligned, self.aligned.run, self.aligned.assessments
        offsets, pairs = self._judged_pairs()
        shift = offsets[:-1] - judged.offsets[aligned.topic]
        rank = np.arange(len(run))
        if rule_of(run, aligned.policy.order) == "rank" and run.rank is not None:
            rank = run.rank
        return Written(
            offsets=run.offsets,
            rank=rank,
            documents=run.documents,
            page=aligned.page,
            pair=np.where(aligned.pair < 0, NONE, aligned.pair + shift[aligned.ranking]),
            pair_offsets=offsets,
            pair_documents=judged.documents.take(pairs),
            is_relevant=judged.is_relevant[pairs],
            source=self,
        )

    def _judged_pairs(self) -> tuple[Integers, Integers]:
        """The judged pairs of all rankings' topics, and where those of each ranking begin."""
        begins, topic = self.aligned.assessments.offsets, self.aligned.topic
        first, counts = begins[topic], begins[topic + 1] - begins[topic]
        offsets = np.concatenate((np.zeros(1, np.int64), np.cumsum(counts)))
        return offsets, np.arange(offsets[-1]) + np.repeat(first - offsets[:-1], counts)

    def gold(self) -> Gold:
        """The relevant ranges of the judged documents, as they were written."""
        self.relevant_text()
        return gold_of(self.aligned.assessments).take(self._judged_pairs()[1])

    def touched(self, *, strict: bool) -> tuple[Ranges, Integers]:
        """The chunks that touch the gold: their text in each judged document, and their number."""
        chunking, judged = self.aligned.chunking, self.aligned.assessments
        if chunking is None:
            raise NeedError(f"what documents were cut into is not known; give {Need.CHUNKS.value}")
        gold, pairs = self.gold(), self._judged_pairs()[1]
        number = chunking.numbers(judged.documents.take(pairs))
        row, chunk = chunking.touching(number[gold.pair], gold.start, gold.end, strict=strict)
        pair, chunk = pairs_of(np.unique(joint_keys(gold.pair[row], chunk)))
        text = Ranges.union_of(pair, chunking.start[chunk], chunking.end[chunk], len(pairs))
        return text, np.bincount(pair, minlength=len(pairs))

    def recall_base(self, quant: str, ideal: Ideal) -> RecallBase:
        """What elements are worth, and which are ideal."""
        documents = self.aligned.documents
        trees = None if documents is None else documents.elements
        return recall_base(self.aligned.assessments, trees, quant, ideal)

    def named_elements(self, base: RecallBase) -> NamedElements:
        """The elements of answers in documents where anything is worth something."""
        aligned, run = self.aligned, self.aligned.run
        rows = _in_base(aligned, base)
        element = np.full(len(rows), elements.UNKNOWN, np.int64)
        if run.element is not None:
            element = run.element[rows].copy()
        inside = np.zeros(len(rows), np.bool_)
        extent = np.where(element == elements.UNKNOWN, run.extent[rows], NOTHING)
        ranged = np.flatnonzero(extent <= WHOLE)
        element[ranged] = _by_range(aligned, base, rows[ranged])
        pathed = np.flatnonzero(extent == ELEMENT)
        element[pathed], inside[pathed] = _by_path(aligned, base, rows[pathed])
        known = element != elements.UNKNOWN
        unmatched = int((~known & (run.extent[rows] != NOTHING)).sum())
        return NamedElements(rows[known], element[known], inside[known], unmatched)


def _places(page: Integers, chosen: Integers) -> Integers:
    """Where each of these pages, all of them chosen, is among the chosen ones."""
    return np.searchsorted(chosen, page)


def _counts(page: Integers, extent: Extents, pages: int) -> Integers:
    """How many answers of each extent each page has: a row for each extent."""
    cells = len(Extent) * pages
    return np.bincount(extent * np.int64(pages) + page, minlength=cells).reshape(len(Extent), pages)


def _in_base(aligned: Aligned, base: RecallBase) -> Integers:
    """The answers in documents with a recall-base."""
    # What is beyond the last pair stands for documents that are not judged, which are -1.
    based: Booleans = np.append(base.slot != elements.UNKNOWN, False)
    return np.flatnonzero(based[aligned.pair])


def _by_range(aligned: Aligned, base: RecallBase, rows: Integers) -> Integers:
    """The deepest elements with exactly the ranges of answers; a whole document is the root."""
    run, pair = aligned.run, aligned.pair[rows]
    if not len(rows):
        return rows
    found = base.ranges.find(base.slot[pair], run.start[rows], run.end[rows])
    return np.where(run.extent[rows] == WHOLE, base.bounds[0][pair], found)


def _by_path(aligned: Aligned, base: RecallBase, rows: Integers) -> tuple[Integers, Booleans]:
    """The elements of paths, or the nearest known ones above them, and whether they are that."""
    run, found = aligned.run, np.full(len(rows), elements.UNKNOWN, np.int64)
    inside = np.zeros(len(rows), np.bool_)
    if not len(rows):
        return found, inside
    assert run.paths is not None, "an answer of this extent names a path"
    code, texts = elements.each_once(run.paths.take(rows))
    several = np.array([" " in text for text in texts], np.bool_)[code]
    if several.any():
        raise NeedError(
            f"{run.place_of(int(rows[np.argmax(several)]))}: the range from one element to another"
            f" is not known; give {option('collection')} or {option('elements')}"
        )
    slot, open_ = base.slot[aligned.pair[rows]], np.arange(len(rows))
    while len(open_):
        number = base.elements.paths.numbers(texts)
        found[open_] = base.elements.find(slot[open_], number[code[open_]])
        texts = [text.rpartition("/")[0] for text in texts]
        absent = found[open_] == elements.UNKNOWN
        inside[open_[absent]] = True
        named = np.array([bool(text) for text in texts], np.bool_)
        open_ = open_[absent & named[code[open_]]]
    return found, inside & (found != elements.UNKNOWN)
