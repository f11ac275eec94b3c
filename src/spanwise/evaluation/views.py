"""The views of aligned answers that measures stand on: pages, rankings, the curve of answers."""

from __future__ import annotations

import numpy as np

from spanwise.data.assessments import UNKNOWN
from spanwise.data.run import Extent
from spanwise.errors import NeedError
from spanwise.evaluation.aligned import Aligned
from spanwise.evaluation.named_elements import named_elements
from spanwise.evaluation.returned import Returned
from spanwise.measures.views.answer_curve import AnswerCurve
from spanwise.measures.views.pages import NO_PLACES, ONLY_ELEMENTS, Pages, Parts
from spanwise.measures.views.ranked_answers import RankedAnswers
from spanwise.measures.views.rankings import Rankings
from spanwise.measures.views.recall_base import recall_base
from spanwise.text.ranges import Booleans, Integers, Ranges


def rankings_of(aligned: Aligned) -> Rankings:
    """One row for each topic; what only some measures need is made when they ask."""
    topics = len(aligned.run.topics)
    page_ranking = aligned.page_ranking
    ideal = aligned.assessments.ideal_grades.take(aligned.topic)
    return Rankings(
        topics=aligned.run.topics,
        length=np.bincount(page_ranking, minlength=topics),
        relevant_documents=aligned.assessments.relevant_documents[aligned.topic],
        pages=_pages(aligned, page_ranking),
        ideal_offsets=ideal.offsets,
        ideal_grade=ideal.start,
        make_relevant_text=lambda: _relevant_text(aligned),
        make_curve=lambda: _curve(aligned),
        make_overlapping=lambda: _overlapping(aligned),
        make_answers=lambda: _answers(aligned),
    )


def _answers(aligned: Aligned) -> RankedAnswers:
    """The answers of all rankings for measures of gain."""
    assessments, topic, documents = aligned.assessments, aligned.topic, aligned.documents
    # Judged pairs are sorted by topic, and so are their ranges.
    units = assessments.relevant.offsets[assessments.offsets]
    first_unit = (
        assessments.relevant.offsets[aligned.page_pair] - units[topic][aligned.page_ranking]
    )
    return RankedAnswers(
        offsets=aligned.run.offsets,
        document=aligned.page,
        relevant=_relevant_in_pages(aligned),
        units=np.diff(units)[topic],
        first_unit=first_unit,
        make_places=lambda: _places(aligned),
        topic=topic,
        pair=aligned.pair,
        make_base=lambda quant, ideal: recall_base(
            assessments, None if documents is None else documents.elements, quant, ideal
        ),
        make_named=lambda base: named_elements(aligned, base),
    )


def _places(aligned: Aligned) -> tuple[Integers, Integers]:
    """Where each answer starts and ends, if that and the relevant text are known."""
    _refuse_points(aligned)
    _relevant_text(aligned)
    return aligned.run.start, _ends(aligned)


def _refuse_points(aligned: Aligned) -> None:
    if (aligned.run.extent == Extent.POINT).any():
        raise NeedError("a run of entry points has no text: only BEP and BEPD can score it")


def _relevant_in_pages(aligned: Aligned) -> Ranges:
    """The relevant ranges of every page, relevant or not."""
    relevant, pair = aligned.assessments.relevant, aligned.page_pair
    nothing = len(relevant)
    known = Ranges(np.append(relevant.offsets, relevant.offsets[-1]), relevant.start, relevant.end)
    return known.take(np.where(pair < 0, nothing, pair))


def _pages(aligned: Aligned, page_ranking: Integers) -> Pages:
    run, assessments = aligned.run, aligned.assessments
    chosen = aligned.relevant_pages
    ranking = page_ranking[chosen]
    first_page = np.searchsorted(page_ranking, np.arange(len(run.topics)))
    answer = aligned.first_answer[chosen]
    pair = aligned.pair[answer]
    rows = aligned.relevant_answers
    place = np.full(len(aligned.first_answer), -1, np.int64)
    place[chosen] = np.arange(len(chosen))
    page, extent = place[aligned.page[rows]], run.extent[rows]
    parts = np.flatnonzero(extent == Extent.RANGE)
    entries = assessments.entry_points.take(pair)
    return Pages(
        ranking=ranking,
        rank=chosen - first_page[ranking] + 1,
        grade=assessments.grade[pair],
        relevant=assessments.relevant.take(pair),
        length=assessments.length[pair],
        parts=Parts(page[parts], run.start[rows][parts], run.end[rows][parts]),
        whole_answers=_count(page, extent == Extent.WHOLE, len(chosen)),
        point=_count(page, extent == Extent.POINT, len(chosen)) > 0,
        ranged=_count(page, extent == Extent.RANGE, len(chosen)) > 0,
        entry=_entries(aligned, page, rows, len(chosen)),
        entry_offsets=entries.offsets,
        best_entry=entries.start,
        judged_whole=assessments.whole[pair],
        without_text=assessments.without_text[pair],
        unplaced=_count(page, extent == Extent.ELEMENT, len(chosen)) > 0,
        name=lambda number: aligned.name(int(answer[number])),
        documents=aligned.documents,
        literal=aligned.policy.overlap == "as-is",
    )


def _count(page: Integers, marked: Booleans, pages: int) -> Integers:
    """How many marked answers each page has."""
    return np.bincount(page[marked], minlength=pages)


def _entries(aligned: Aligned, page: Integers, rows: Integers, pages: int) -> Integers:
    """Where the first answer of each page that returns anything starts; 0 if none does."""
    returning = np.flatnonzero(aligned.run.extent[rows] != Extent.NOTHING)[::-1]
    entry = np.zeros(pages, np.int64)
    entry[page[returning]] = aligned.run.start[rows][returning]
    return entry


def _relevant_text(aligned: Aligned) -> Integers:
    assessments = aligned.assessments
    if not assessments.has_all_sizes or assessments.without_text.any():
        _require_sizes(aligned, np.flatnonzero(np.isin(assessments.topic, aligned.topic)))
    return assessments.relevant_text[aligned.topic]


def _require_sizes(aligned: Aligned, pairs: Integers) -> None:
    """The lengths of documents that are relevant as a whole must be known."""
    assessments = aligned.assessments
    unmarked = pairs[assessments.without_text[pairs]]
    if len(unmarked):
        raise NeedError(
            f"the relevant text of document {assessments.documents[int(unmarked[0])]}"
            f" {ONLY_ELEMENTS}"
        )
    whole = assessments.is_relevant[pairs] & assessments.whole[pairs]
    unknown = pairs[whole & (assessments.length[pairs] == UNKNOWN)]
    if len(unknown):
        raise NeedError(
            f"the length of document {assessments.documents[int(unknown[0])]} is needed (it is"
            " judged relevant as a whole) but not known; give --collection or document lengths"
        )


def _curve(aligned: Aligned) -> AnswerCurve:
    """All answers in order, and what is relevant in the documents they come from."""
    run, documents = aligned.run, aligned.documents
    _refuse_points(aligned)
    pair = aligned.page_pair
    _require_sizes(aligned, pair[pair >= 0])
    return AnswerCurve(
        offsets=run.offsets,
        document=aligned.page,
        start=run.start,
        end=_ends(aligned),
        relevant=_relevant_in_pages(aligned),
        literal=aligned.policy.overlap == "as-is",
        tokens=None
        if documents is None or not documents.has_tokens
        else lambda page: documents.tokens(run.documents[int(aligned.first_answer[page])]),
    )


def _ends(aligned: Aligned) -> Integers:
    """Where each answer ends; whole documents end with their length, which must be known."""
    end, unplaced = aligned.run.end, np.flatnonzero(aligned.run.extent == Extent.ELEMENT)
    if len(unplaced):
        raise NeedError(
            f"where the elements of {aligned.name(int(unplaced[0]))} begin and end {NO_PLACES}"
        )
    whole = np.flatnonzero(aligned.run.extent == Extent.WHOLE)
    if not len(whole):
        return end
    length = aligned.lengths(whole)
    unknown = np.flatnonzero(length == UNKNOWN)
    if len(unknown):
        raise NeedError(
            f"the length of {aligned.name(int(whole[unknown[0]]))} is needed (it is returned whole)"
            " but not known; give --collection or document lengths"
        )
    end = end.copy()
    end[whole] = length
    return end


def _overlapping(aligned: Aligned) -> tuple[Integers, Integers]:
    """Answers of each topic, and how many of them share a character with another one."""
    rows = aligned.returning()
    meeting = aligned.meets_another(rows)
    _refuse_undecided(aligned, rows[~meeting])
    meets, topics = rows[meeting], len(aligned.run.topics)
    return (
        np.bincount(aligned.ranking, minlength=topics),
        np.bincount(aligned.ranking[meets], minlength=topics),
    )


def _refuse_undecided(aligned: Aligned, alone: Integers) -> None:
    """Answers that meet no other one, as far as paths tell, must not meet one unseen."""
    if not len(alone) or not (aligned.run.extent == Extent.ELEMENT).any():
        return
    undecided = Returned(aligned.run).undecided()
    doubtful = alone[np.isin(aligned.page[alone], aligned.page[undecided])]
    if len(doubtful):
        raise NeedError(
            f"whether the answers of {aligned.name(int(doubtful[0]))} overlap {NO_PLACES}"
        )
