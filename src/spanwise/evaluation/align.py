"""Alignment: a run meets the assessments. The one place where policy is decided.

Order, documents that come back, overlap, unjudged documents, ranges beyond the text: every
doubtful case of the data is settled here and reported in the notes. What comes out is
:class:`Aligned`, of which ``views`` makes rankings; no measure ever sees a run or a file.
"""

from __future__ import annotations

from functools import cached_property

import numpy as np

from spanwise.data.assessments import UNKNOWN, Assessments
from spanwise.data.chunking import Chunking
from spanwise.data.documents import Documents
from spanwise.data.identifiers import Identifiers, first_places
from spanwise.data.pairs import Matched, matched
from spanwise.data.run import Extent, Run
from spanwise.errors import Fault, InputError, NeedError, PolicyError, option
from spanwise.evaluation.document_ends import within_lengths
from spanwise.evaluation.policy import Notes, Policy, ranked
from spanwise.evaluation.returned import PathPlaces, Returned
from spanwise.records import Struct, replace
from spanwise.text.ranges import MOST_TEXT, Booleans, Integers, owners_of, sharing

# Members of an enumeration are slow to look up, and slow to compare columns with.
RANGE, WHOLE, NOTHING, POINT, ELEMENT, TEXT = (int(extent) for extent in Extent)


class Aligned(Struct, dict=True):
    """A run in its final order, and for each of its answers the judged pair it belongs to."""

    run: Run
    assessments: Assessments
    documents: Documents | None
    policy: Policy
    chunking: Chunking | None = None
    """Everything that the answers were chosen from, if that is known."""

    @cached_property
    def topic(self) -> Integers:
        """The number, in the assessments, of each ranking's topic."""
        return self.assessments.numbers_of(self.run.topics)

    @cached_property
    def ranking(self) -> Integers:
        """The ranking of each answer."""
        return self.run.topic

    @cached_property
    def matched(self) -> Matched:
        """The pages, and which of them are judged."""
        return matched(self.run, self.topic, self.assessments.index)

    @cached_property
    def pair(self) -> Integers:
        """The judged (topic, document) pair of each answer, -1 if not judged."""
        page = self.matched.page
        return self.page_pair if page is None else self.page_pair[page]

    @cached_property
    def page(self) -> Integers:
        """The page of each answer; pages are numbered by their first answer."""
        page = self.matched.page
        return np.arange(len(self.run)) if page is None else page

    @cached_property
    def first_answer(self) -> Integers:
        """The first answer of each page."""
        first = self.matched.first
        return self.page if first is None else first

    @cached_property
    def page_pair(self) -> Integers:
        """The judged pair of each page, -1 if not judged."""
        pair = np.full(len(self.matched), -1, np.int64)
        pair[self.matched.judged] = self.matched.pair
        return pair

    @cached_property
    def page_ranking(self) -> Integers:
        """The ranking of each page."""
        return owners_of(self.matched.offsets)

    @cached_property
    def relevant_pages(self) -> Integers:
        """The pages whose document is relevant."""
        found = self.matched
        return found.judged[self.assessments.is_relevant[found.pair]]

    @cached_property
    def relevant_answers(self) -> Integers:
        """The answers in relevant documents."""
        page = self.matched.page
        if page is None:
            return self.relevant_pages
        relevant = np.zeros(len(self.matched), np.bool_)
        relevant[self.relevant_pages] = True
        return np.flatnonzero(relevant[page])

    def first_documents(self, most: int) -> Run:
        """The answers in the first documents of each ranking, in its order."""
        place = self.page - self.matched.offsets[:-1][self.ranking]
        return self.run.take(np.flatnonzero(place < most)).copied()

    def with_unjudged_relevant(self) -> Aligned:
        """The same if all text of the unjudged documents was relevant, as far as it is known."""
        judged = self.assessments.only(set(self.run.topics))
        pages = np.flatnonzero(self.page_pair < 0)
        topic = judged.numbers_of(self.run.topics)[self.page_ranking[pages]]
        reach = np.ones(len(self.matched), np.int64)
        np.maximum.at(reach, self.page, self.run.reach)
        end = np.where(self.page_length == UNKNOWN, reach, self.page_length)[pages]
        names = self.matched.names.take(pages)
        return replace(self, assessments=judged.with_relevant(topic, names, np.maximum(end, 1)))

    # -- what can be asked about answers

    def name(self, answer: int) -> str:
        """What to call an answer's document in messages."""
        topic = self.run.topics[self.ranking[answer]]
        return f"document {self.run.documents[answer]} (topic {topic})"

    @property
    def placed(self) -> Integers:
        """The answers that are ranges or entry points."""
        extent = self.run.extent
        return np.flatnonzero((extent == RANGE) | (extent == POINT))

    def known_lengths(self) -> tuple[Integers, Integers]:
        """Ranges and entry points in documents whose length is known, and these lengths."""
        rows = self.placed
        length = self.page_length[self.page[rows]]
        known = length != UNKNOWN
        return rows[known], length[known]

    @cached_property
    def page_length(self) -> Integers:
        """The length of each page's document, judged or not, or ``UNKNOWN``."""
        return self._lengths_of(self.matched.names)

    def lengths(self, rows: Integers) -> Integers:
        """The length of the document of each of these answers, judged or not, or ``UNKNOWN``."""
        return self._lengths_of(self.run.documents.take(rows))

    def _lengths_of(self, names: Identifiers) -> Integers:
        if self.documents is None:
            return self.assessments.lengths_of(names)
        codes = names.codes()
        first = first_places(codes)
        known = self.assessments.lengths
        found = [known.get(name, UNKNOWN) for name in names.take(first).strings()]
        return np.array(found, np.int64)[codes]

    def may_lie_outside(self) -> bool:
        """May an answer end after its document does? Never a wrong no."""
        if not self.assessments.lengths:
            return False
        limit = np.where(self.page_length == UNKNOWN, np.iinfo(np.int64).max, self.page_length)
        return bool((self.run.end >= limit[self.page]).any())

    def returning(self, rows: Integers | None = None) -> Integers:
        """Those of the answers (of all) that return a range, an element or the whole document."""
        rows = np.arange(len(self.run)) if rows is None else rows
        extent = self.run.extent[rows]
        chosen: Integers = rows[(extent <= WHOLE) | (extent == ELEMENT)]
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
        named, whole = run.extent[rows] == ELEMENT, run.extent[rows] == WHOLE
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


# -- policies


def align(
    run: Run,
    assessments: Assessments,
    policy: Policy,
    notes: Notes,
    documents: Documents | None = None,
    chunking: Chunking | None = None,
) -> Aligned:
    """The answers that rankings are made of, after every policy was applied to them."""
    run = _assessed(run, assessments, notes)
    aligned = in_order(run, assessments, policy, notes, documents, chunking)
    aligned = _settle_unjudged(aligned, notes)
    _settle_overlap(aligned, notes)
    return aligned


def in_order(
    run: Run,
    assessments: Assessments,
    policy: Policy,
    notes: Notes,
    documents: Documents | None = None,
    chunking: Chunking | None = None,
) -> Aligned:
    """The answers to all topics of a run, assessed or not, in their order."""
    _refuse_text(run)
    run = _first_results(ranked(run, policy.order, notes), policy, notes)
    refuse_too_much(run, run.end - run.start)
    aligned = _within_documents(Aligned(run, assessments, documents, policy, chunking), notes)
    _refuse_repetitions(aligned)
    return aligned


def _refuse_text(run: Run) -> None:
    """Text alone would count as nothing."""
    if run.quotes is not None and (run.extent == TEXT).any():
        row = int(np.argmax(run.extent == TEXT))
        raise NeedError(
            f"{run.place_of(row)}: text without a range has to be located first; evaluate it with"
            f" {option('collection')}"
        )


def _assessed(run: Run, assessments: Assessments, notes: Notes) -> Run:
    """The topics that can be scored; the others are reported."""
    number = assessments.numbers_of(run.topics)
    if (number < 0).any():
        unknown = [run.topics[topic] for topic in np.flatnonzero(number < 0).tolist()]
        notes.add_names("not assessed", unknown)
    elif assessments.relevant_documents[number].all():
        return run
    return run.only(assessments.topics_with_relevant)


def _first_results(run: Run, policy: Policy, notes: Notes) -> Run:
    """The first answers of each topic, if the number of answers is limited."""
    if policy.results is None:
        return run
    number = np.arange(len(run)) - run.offsets[run.topic]
    kept = np.flatnonzero(number < policy.results)
    notes.add("results", len(run) - len(kept), detail=str(policy.results))
    return run if len(kept) == len(run) else run.take(kept)


def refuse_too_much(run: Run, size: Integers) -> None:
    """Refuse answers of a topic with so much text that sums of it would not be exact."""
    if float(size.sum(dtype=np.float64)) <= MOST_TEXT:
        return
    together = np.bincount(run.topic, weights=size, minlength=len(run.topics))
    for topic in np.flatnonzero(together > MOST_TEXT).tolist():
        row = int(run.offsets[topic]) + int(
            size[run.offsets[topic] : run.offsets[topic + 1]].argmax()
        )
        found = f"answers of topic {run.topics[topic]} with more than 2^56 characters together"
        expected, remedy = "ranges of real documents", "fix the offsets"
        raise InputError(Fault(run.file, run.line_of(row), found, expected, remedy, "range"))


def _within_documents(aligned: Aligned, notes: Notes) -> Aligned:
    """Ranges and entry points must be inside their document, as far as its length is known."""
    run = aligned.run
    if not run.several_per_document:
        return aligned
    _note_unknown_documents(aligned, notes)
    if not aligned.may_lie_outside():
        return aligned
    lenient = aligned.policy.lenient
    inside = within_lengths(run, *aligned.known_lengths(), notes, lenient=lenient)
    return aligned if inside is run else replace(aligned, run=inside)


def _note_unknown_documents(aligned: Aligned, notes: Notes) -> None:
    """Answers in documents that a collection does not have: often they are spelled differently."""
    extent = aligned.run.extent
    placed = np.count_nonzero(extent == RANGE) + np.count_nonzero(extent == POINT)
    unknown = aligned.placed[:0]
    if aligned.documents is not None:
        unknown = np.setdiff1d(aligned.placed, aligned.known_lengths()[0], assume_unique=True)
    note_unknown_documents(aligned.run, unknown, int(placed), notes)


def note_unknown_documents(run: Run, unknown: Integers, of: int, notes: Notes) -> None:
    """Answers in documents that a collection does not have: often they are spelled differently."""
    example = topic = ""
    if len(unknown):
        owners = run.topic[unknown]
        first = min(np.unique(owners).tolist(), key=run.topics.__getitem__)
        topic, example = run.topics[first], run.documents[int(unknown[owners == first][0])]
    notes.add("unknown documents", len(unknown), of=of, detail=example, topic=topic)


def _refuse_repetitions(aligned: Aligned) -> None:
    """A whole-document format names each document of a topic once."""
    run = aligned.run
    if run.several_per_document or not aligned.matched.may_repeat:
        return
    codes = run.documents.codes(aligned.ranking)
    order = np.argsort(codes, kind="stable")
    again = np.flatnonzero(codes[order][1:] == codes[order][:-1])
    if not len(again):
        return
    pair = int(order[again[0]]), int(order[again[0] + 1])
    first, second = sorted(pair, key=lambda row: run.line_of(row) or row)
    said = run.named_again(second, first)
    raise InputError(Fault(run.file, run.line_of(second), *said, "repetition"))


def _settle_overlap(aligned: Aligned, notes: Notes) -> None:
    """Overlapping answers are united; or refused, or counted as they are, if that was asked."""
    run, overlap = aligned.run, aligned.policy.overlap
    if overlap == "error":
        _refuse_overlap(aligned)
    rows = aligned.returning(aligned.relevant_answers)
    meets = aligned.meets_another(rows)
    notes.add("as-is" if overlap == "as-is" else "merged", int(meets.sum()))
    if run.several_per_document:
        notes.add("joined", aligned.matched.later)


def _refuse_overlap(aligned: Aligned) -> None:
    """Of two answers that overlap, the lower-ranked one is refused, as by the rules of tasks."""
    run, rows = aligned.run, aligned.returning()
    returned = Returned(run)
    first = returned.first_overlapping()
    wrong = rows[first[rows] < rows]
    if not len(wrong):
        return
    row = int(min(wrong.tolist(), key=lambda answer: run.line_of(answer) or answer))
    found, expected, remedy = returned.overlap(row, int(first[row]))
    asked, instead = option("overlap", "error"), option("overlap", "union")
    raise PolicyError(
        f"{run.place_of(row)}: found {found}, expected {expected} ({asked}); {remedy}, or use"
        f" {instead}"
    )


def _settle_unjudged(aligned: Aligned, notes: Notes) -> Aligned:
    """Unjudged documents count as not relevant; or their answers are left out, if so asked."""
    run, found, choice = aligned.run, aligned.matched, aligned.policy.unjudged
    if choice == "drop":
        unjudged = aligned.pair < 0
        notes.add("unjudged dropped", int(unjudged.sum()), of=len(run))
        return replace(aligned, run=run.without(unjudged)) if unjudged.any() else aligned
    notes.add("unjudged", len(found) - len(found.judged), of=len(found))
    return aligned.with_unjudged_relevant() if choice == "relevant" else aligned
