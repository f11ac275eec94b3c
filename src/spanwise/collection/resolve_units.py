"""Runs and assessments whose offsets count other units, converted to code points."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from spanwise.data.assessments import Assessments
from spanwise.data.documents import Documents
from spanwise.data.identifiers import Identifiers
from spanwise.data.judgements import Judgements
from spanwise.data.notes import Faults
from spanwise.data.run import Extent, Run
from spanwise.errors import NeedError, option
from spanwise.formats.row_writing import judged_grades
from spanwise.records import replace
from spanwise.text.ranges import Integers, owners_of
from spanwise.text.units import Characters, Unit

_REMEDY = f"check {option('unit')} and {option('collection')}, or use {option('lenient', True)}"


def run_in_codepoints(run: Run, unit: Unit, collection: Documents, faults: Faults) -> Run:
    """The same answers with offsets in code points; those that cannot be converted are faults."""
    if unit == "codepoint":
        return run
    rows = np.flatnonzero((run.extent == Extent.RANGE) | (run.extent == Extent.POINT))
    offsets = np.stack((run.start[rows], run.end[rows]), axis=1)
    converted = _converted(run.documents.take(rows), offsets, unit, collection)
    for number, problem in converted.problems.items():
        line = None if run.line is None else int(run.line[rows[number]])
        faults.add("unit", line, problem, f"{unit} offsets of the document's text", _REMEDY)
    faults.settle()
    start, end = run.start.copy(), run.end.copy()
    start[rows], end[rows] = converted.places.T
    kept = np.setdiff1d(np.arange(len(run)), rows[list(converted.problems)])
    return replace(run, start=start, end=end).take(kept)


def assessments_in_codepoints(
    assessments: Assessments, unit: Unit, collection: Documents, faults: Faults
) -> Assessments:
    """The same judgements with offsets and lengths in code points."""
    if unit == "codepoint":
        return assessments
    judgements = Judgements(faults)
    _add_documents(judgements, assessments, collection)
    _add_passages(judgements, assessments, unit, collection)
    _add_entry_points(judgements, assessments, unit, collection)
    names = _pair_names(assessments)
    for pair, grade in judged_grades(assessments).items():
        judgements.judge(*names[pair], grade)
    judgements.add_elements(assessments)
    return replace(judgements.build(), file=assessments.file, queries=assessments.queries)


def _add_documents(judgements: Judgements, assessments: Assessments, collection: Documents) -> None:
    for document in assessments.lengths:
        length = collection.lengths.get(document)
        if length is None:
            found = f"document {document}, which has no text in the collection {collection.name}"
            judgements.faults.add("unit", None, found, "a document of the collection", _REMEDY)
        else:
            judgements.add_document(document, length, assessments.hashes.get(document))


def _add_passages(
    judgements: Judgements, assessments: Assessments, unit: Unit, collection: Documents
) -> None:
    passages, names = assessments.passages, _pair_names(assessments)
    # Lenient reading leaves empty ranges beyond the end of a document: nothing to convert.
    filled = np.flatnonzero(passages.end > passages.start)
    offsets = np.stack((passages.start[filled], passages.end[filled]), axis=1)
    documents = assessments.documents.take(passages.pair[filled])
    converted = _converted(documents, offsets, unit, collection)
    lines = np.zeros(len(passages.pair), np.int64) if passages.line is None else passages.line
    converted.note(judgements.faults, unit, lines[filled])
    for number, (start, end) in converted.good():
        row = int(filled[number])
        grade, aspects = int(passages.grade[row]), passages.aspects[row]
        line = int(lines[row]) or None
        quote = None if passages.quotes is None else passages.quotes[row]
        pair = names[int(passages.pair[row])]
        judgements.add_range(*pair, start, end, grade, aspects, line, quote)


def _add_entry_points(
    judgements: Judgements, assessments: Assessments, unit: Unit, collection: Documents
) -> None:
    pairs, names = owners_of(assessments.entry_offsets), _pair_names(assessments)
    documents = assessments.documents.take(pairs)
    converted = _converted(documents, assessments.entry_point[:, None], unit, collection)
    converted.note(judgements.faults, unit)
    for row, (point,) in converted.good():
        judgements.add_entry_point(*names[int(pairs[row])], point)


def _pair_names(assessments: Assessments) -> list[tuple[str, str]]:
    topics = (assessments.topics[number] for number in assessments.topic.tolist())
    return list(zip(topics, assessments.documents.strings(), strict=True))


@dataclass(frozen=True, slots=True, eq=False)
class _Converted:
    """Code points in the shape of the offsets, and what is wrong with some rows."""

    places: Integers
    problems: dict[int, str]

    def note(self, faults: Faults, unit: Unit, lines: Integers | None = None) -> None:
        """Add the problems to the faults, with the lines of rows where these are known."""
        for row, problem in self.problems.items():
            line = None if lines is None else int(lines[row]) or None
            faults.add("unit", line, problem, f"{unit} offsets of the document's text", _REMEDY)

    def good(self) -> Iterator[tuple[int, list[int]]]:
        """Number and code points of the rows that could be converted."""
        rows = enumerate(self.places.tolist())
        return ((row, places) for row, places in rows if row not in self.problems)


def _converted(
    documents: Identifiers, offsets: Integers, unit: Unit, collection: Documents
) -> _Converted:
    """Convert all rows, document by document, so that each text is read once."""
    places, problems = np.zeros_like(offsets), dict[int, str]()
    codes = documents.codes()
    order = np.argsort(codes, kind="stable")
    for rows in np.split(order, np.flatnonzero(np.diff(codes[order])) + 1) if len(order) else ():
        name = documents[int(rows[0])]
        try:
            characters = Characters.of(collection.text(name), unit)
        except NeedError as problem:
            problems.update(dict.fromkeys(rows.tolist(), problem.message))
            continue
        places[rows], wrong = characters.codepoints(offsets[rows])
        for row, column in zip(*np.nonzero(wrong), strict=True):
            offset = int(offsets[rows[row], column])
            text = f"{characters.problem(offset)}, in document {name}"
            problems.setdefault(int(rows[row]), text)
    return _Converted(places, problems)
