"""Alignment: a run meets the assessments. The one place where policy is decided.

Order, documents that come back, overlap, unjudged documents, ranges beyond the text: every
doubtful case of the data is settled here and reported in the notes. What comes out are
:class:`Rankings`; no measure ever sees a run or a file.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from spanwise.data.assessments import Assessments
from spanwise.data.documents import Documents
from spanwise.data.run import Run
from spanwise.errors import Fault, InputError, PolicyError, option
from spanwise.evaluation.aligned import Aligned
from spanwise.evaluation.notes import Notes
from spanwise.evaluation.order import ranked
from spanwise.evaluation.policy import Policy
from spanwise.evaluation.returned import Returned
from spanwise.evaluation.views import rankings_of
from spanwise.measures.views.rankings import Rankings
from spanwise.text.ranges import Integers


def align(
    run: Run,
    assessments: Assessments,
    policy: Policy,
    notes: Notes,
    documents: Documents | None = None,
) -> Rankings:
    """The rankings of a run's topics that have relevant text, in the order of the run."""
    return rankings_of(settled(run, assessments, policy, notes, documents))


def settled(
    run: Run,
    assessments: Assessments,
    policy: Policy,
    notes: Notes,
    documents: Documents | None = None,
) -> Aligned:
    """The answers that rankings are made of, after every policy was applied to them."""
    run = _first_results(
        ranked(_assessed(run, assessments, notes), policy.order, notes), policy, notes
    )
    aligned = _within_documents(Aligned(run, assessments, documents, policy), notes)
    _refuse_repetitions(aligned)
    _settle_overlap(aligned, notes)
    _note_unjudged(aligned, notes)
    return aligned


def _assessed(run: Run, assessments: Assessments, notes: Notes) -> Run:
    """The topics that can be scored; the others are reported."""
    unknown = [topic for topic in run.topics if topic not in assessments.numbers]
    notes.add_names("not assessed", unknown)
    relevant = assessments.topics_with_relevant
    if relevant.issuperset(run.topics):
        return run
    return run.only(relevant)


def _first_results(run: Run, policy: Policy, notes: Notes) -> Run:
    """The first answers of each topic, if the number of answers is limited."""
    if policy.results is None:
        return run
    number = np.arange(len(run)) - run.offsets[run.topic]
    kept = np.flatnonzero(number < policy.results)
    notes.add("results", len(run) - len(kept), detail=str(policy.results))
    return run if len(kept) == len(run) else run.take(kept)


def _within_documents(aligned: Aligned, notes: Notes) -> Aligned:
    """Ranges and entry points must be inside their document, as far as its length is known."""
    run = aligned.run
    if not run.several_per_document:
        return aligned
    rows, length = aligned.known_lengths()
    _note_unknown_documents(aligned, rows, notes)
    outside = run.reach[rows] > length
    if not outside.any():
        return aligned
    rows, length = rows[outside], length[outside]
    if not aligned.policy.lenient:
        raise _beyond(aligned, int(rows[0]), int(length[0]))
    notes.add("cut", len(rows), detail=run.file)
    end = run.end.copy()
    end[rows] = length
    empty = np.zeros(len(run), np.bool_)
    empty[rows] = run.start[rows] >= length
    return replace(aligned, run=replace(run, end=end).take(np.flatnonzero(~empty)))


def _note_unknown_documents(aligned: Aligned, known: Integers, notes: Notes) -> None:
    """Answers in documents that a collection does not have: often they are spelled differently."""
    placed = aligned.placed
    if aligned.documents is None or len(known) == len(placed):
        notes.add("unknown documents", 0, of=len(placed))
        return
    unknown = np.setdiff1d(placed, known, assume_unique=True)
    example = aligned.run.documents[int(unknown[0])]
    notes.add("unknown documents", len(unknown), of=len(placed), detail=example)


def _beyond(aligned: Aligned, row: int, length: int) -> InputError:
    run = aligned.run
    return InputError(Fault(run.file, run.line_of(row), *run.beyond(row, length), "range"))


def _refuse_repetitions(aligned: Aligned) -> None:
    """A whole-document format names each document of a topic once."""
    run = aligned.run
    if run.several_per_document or not run.documents.may_repeat(aligned.topic_of_answer):
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
        notes.add("joined", int((aligned.page < np.maximum.accumulate(aligned.page)).sum()))


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


def _note_unjudged(aligned: Aligned, notes: Notes) -> None:
    """Unjudged documents count as not relevant."""
    pair = aligned.page_pair
    notes.add("unjudged", int(np.count_nonzero(pair < 0)), of=len(pair))
