"""Runs and assessments that name elements by path, resolved to ranges of characters."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from spanwise.data.assessments import Assessments
from spanwise.data.elements import UNKNOWN, Elements, Tree, each_once
from spanwise.data.grades import Pointed
from spanwise.data.judgements import Judgements
from spanwise.data.notes import NAMED, Faults, Note
from spanwise.data.relevant_elements import judged_numbers, lacking
from spanwise.data.run import Extent, Run
from spanwise.errors import option
from spanwise.records import replace
from spanwise.text.ranges import Booleans, Integers

_LENIENT = f"use {option('lenient', True)}"
_REMEDY = f"check {option('collection')} or {option('elements')}, or {_LENIENT}"
_ABSENT = ("element", "an element of the document", _REMEDY)
_REVERSED = ("range", "the second one after the first", f"swap the two paths or {_LENIENT}")
_POINT = re.compile(r"(.*?)(?:/text\(\)\[([1-9][0-9]*)\])?(?:\.([0-9]+))?")


# -- runs


def run_with_ranges(run: Run, elements: Elements, faults: Faults) -> Run:
    """The same answers with the characters of their elements; unknown elements are faults."""
    if run.paths is None:
        return run
    rows = np.flatnonzero(run.extent == Extent.ELEMENT)
    first, last = _element_ends(run, rows, elements)
    start, end = _ends(elements.columns, first, last)
    backwards = _backwards(elements.columns, first, last, start, end)
    good = (start != UNKNOWN) & ~backwards
    for place in np.flatnonzero(~good).tolist():
        row = int(rows[place])
        rule, *remedy = _REVERSED if backwards[place] else _ABSENT
        found = _found(run, row, elements, backwards=bool(backwards[place]))
        faults.add(rule, run.line_of(row), found, *remedy)
    faults.settle()
    rows, first, last = rows[good], first[good], last[good]
    changed = _placed(run, rows, start[good], end[good])
    element = np.full(len(run), UNKNOWN, np.int64)
    element[rows] = np.where(first == last, first, UNKNOWN)
    left = np.flatnonzero(changed.extent != Extent.ELEMENT)
    return replace(changed, element=element).take(left)


def _ends(columns: Tree, first: Integers, last: Integers) -> tuple[Integers, Integers]:
    """From the start of one element to the end of another; ``UNKNOWN`` if either is not known."""
    start, end = np.full(len(first), UNKNOWN, np.int64), np.full(len(first), UNKNOWN, np.int64)
    known = np.flatnonzero((first != UNKNOWN) & (last != UNKNOWN))
    first, last = first[known], last[known]
    placed = (columns.start[first] != UNKNOWN) & (columns.start[last] != UNKNOWN)
    known, first, last = known[placed], first[placed], last[placed]
    start[known], end[known] = columns.start[first], columns.start[last] + columns.size[last]
    return start, end


def _backwards(
    columns: Tree, first: Integers, last: Integers, start: Integers, end: Integers
) -> Booleans:
    """The answers from an element to one that ends before it begins."""
    found = np.zeros(len(start), np.bool_)
    placed = np.flatnonzero(start != UNKNOWN)
    earlier = columns.start[last[placed]] < start[placed]
    found[placed] = earlier & (end[placed] <= start[placed])
    return found


def _placed(run: Run, rows: Integers, start: Integers, end: Integers) -> Run:
    """Elements with their range; those without text stay in the list but return nothing."""
    extent, starts, ends = run.extent.copy(), run.start.copy(), run.end.copy()
    extent[rows] = np.where(end > start, Extent.RANGE, Extent.NOTHING)
    starts[rows], ends[rows] = start, end
    return replace(run, extent=extent, start=starts, end=ends)


def _element_ends(run: Run, rows: Integers, elements: Elements) -> tuple[Integers, Integers]:
    """The first and the last element of each answer; the same one for a single path."""
    assert run.paths is not None
    code, names = each_once(run.documents.take(rows))
    slot = elements.slots(names)[code]
    code, texts = each_once(run.paths.take(rows))
    both = [text.partition(" ") for text in texts]
    first = elements.find(slot, elements.paths.numbers([one for one, _, _ in both])[code])
    several = np.array([bool(blank) for _, blank, _ in both], np.bool_)[code]
    if not several.any():
        return first, first
    last = elements.find(slot, elements.paths.numbers([two or one for one, _, two in both])[code])
    return first, last


def _found(run: Run, row: int, elements: Elements, *, backwards: bool) -> str:
    assert run.paths is not None
    document, path = run.documents[row], run.paths[row]
    if backwards:
        return f"elements {path.replace(' ', ' to ')} of document {document}"
    if elements.tree(document) is None:
        return f"document {document}, which has no elements in the collection"
    return f"element {path}, which document {document} does not have"


# -- assessments


def assessments_with_ranges(
    assessments: Assessments, elements: Elements, faults: Faults
) -> Assessments:
    """The same judgements with passages in characters, without elements that do not exist."""
    assessments = _with_known_elements(assessments, elements, faults)
    if not assessments.pointed:
        return assessments
    judgements = Judgements(faults)
    judgements.add_all(assessments)
    for pointed in assessments.pointed:
        _add(judgements, pointed, elements)
    return replace(judgements.build(), pointed=(), file=assessments.file)


def _with_known_elements(
    assessments: Assessments, elements: Elements, faults: Faults
) -> Assessments:
    """Judged elements that their documents do not have are faults."""
    judged = assessments.elements
    number = judged_numbers(assessments, elements, np.arange(len(judged)))
    for row in np.flatnonzero(number == UNKNOWN).tolist():
        found, expected = lacking(assessments, elements, row)
        faults.add("element", int(judged.line[row]) or None, found, expected, _REMEDY)
    faults.settle()
    kept = np.flatnonzero(number != UNKNOWN)
    if len(kept) == len(judged):
        return assessments
    return replace(assessments, elements=judged.take(kept, judged.pair[kept]))


def _add(judgements: Judgements, pointed: Pointed, elements: Elements) -> None:
    start = place_of(pointed.document, pointed.start, elements, at_end=False)
    end = place_of(pointed.document, pointed.end or pointed.start, elements, at_end=True)
    line = pointed.line or None
    for point, place in ((pointed.start, start), (pointed.end, end)):
        if point is not None and isinstance(place, str):
            found = f"{place}, in document {pointed.document}"
            judgements.faults.add("place", line, found, "a place of the document", _REMEDY)
            return
    if pointed.end is None:
        judgements.add_entry_point(pointed.topic, pointed.document, int(start), line)
    else:
        judgements.add_range(pointed.topic, pointed.document, int(start), int(end), line=line)


def place_of(document: str, point: str, elements: Elements, *, at_end: bool) -> int | str:
    """The offset of a point, or what is wrong with it.

    A path means the start of its element, or its end at the end of a passage. ``.15`` goes fifteen
    characters into the element, or into its n-th text with ``/text()[n]``.
    """
    match = _POINT.fullmatch(point)
    tree = elements.tree(document)
    if tree is None:
        return "a document that has no elements in the collection"
    assert match is not None, "every part of a point may be missing"
    path, text, offset = match.groups()
    number = np.array([elements.paths.number(path)], np.int64)
    slot = elements.slots([document])
    element = int(elements.find(slot, number)[0])
    if element == UNKNOWN:
        return f"element {path}, which is not there"
    row = element - int(elements.first(slot)[0])
    return _inside(tree, row, text, offset, point, at_end=at_end)


def _inside(
    tree: Tree, row: int, text: str | None, offset: str | None, point: str, *, at_end: bool
) -> int | str:
    segments = [*texts_in(tree, row)] if text else [(int(tree.start[row]), int(tree.end[row]))]
    if tree.start[row] == UNKNOWN:
        return f"{point}, whose characters are not known"
    if text and int(text) > len(segments):
        return f"text {text} of an element that has {len(segments)}"
    start, end = segments[int(text) - 1 if text else 0]
    if offset is None:
        return end if at_end else start
    if start + int(offset) > end:
        return f"{point}, beyond the {end - start} characters there"
    return start + int(offset)


def texts_in(tree: Tree, row: int) -> Iterator[tuple[int, int]]:
    """The stretches of text directly inside an element, between its children."""
    before = int(tree.start[row])
    for child in np.flatnonzero(tree.parent == row).tolist():
        if tree.start[child] > before:
            yield before, int(tree.start[child])
        before = int(tree.end[child])
    if int(tree.end[row]) > before:
        yield before, int(tree.end[row])


# -- sizes


@dataclass(frozen=True, slots=True)
class SizeMismatch:
    """An element whose size in the assessments is not that in the collection."""

    document: str
    path: str
    judged: int
    actual: int
    line: int

    def __str__(self) -> str:
        return f"{self.document} {self.path}: {self.judged}, here {self.actual}"


def size_mismatches(assessments: Assessments, elements: Elements) -> list[SizeMismatch]:
    """Judged elements whose size in the assessments is not that in the collection."""
    judged = assessments.elements
    rows = np.flatnonzero(judged.size != UNKNOWN)
    element = judged_numbers(assessments, elements, rows)
    known = np.full(len(rows), UNKNOWN, np.int64)
    there = np.flatnonzero(element != UNKNOWN)
    known[there] = elements.columns.size[element[there]]
    wrong = np.flatnonzero((known != UNKNOWN) & (known != judged.size[rows]))
    return [
        SizeMismatch(
            assessments.documents[int(judged.pair[rows[place]])],
            judged.paths[int(rows[place])],
            int(judged.size[rows[place]]),
            int(known[place]),
            int(judged.line[rows[place]]),
        )
        for place in wrong.tolist()
    ]


def size_mismatch_note(mismatches: Sequence[SizeMismatch]) -> Note:
    """The mismatches, of which there must be some, as one note."""
    names = tuple(map(str, mismatches[: NAMED + 1]))
    return Note("size mismatch", len(mismatches), names=names)
