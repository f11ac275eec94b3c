"""Judged ranges as INEX kept them: places in the trees of documents, and how much of each element.

The reverse of ``resolve_paths.py``: what is written here is read there as the same characters.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from spanwise.collection.resolve_paths import texts_in
from spanwise.data.assessments import Assessments
from spanwise.data.elements import UNKNOWN, Elements, Paths, Tree
from spanwise.data.grades import ElementJudgements, Pointed
from spanwise.data.identifiers import Identifiers
from spanwise.formats.range_writing import written_ranges
from spanwise.records import replace
from spanwise.text.ranges import Integers, Ranges

Judged = tuple[int, str, int, int]
"""Pair, path, size and relevant size of an element."""


def in_trees(judged: Assessments, elements: Elements) -> Assessments:
    """The same judgements with points instead of characters, as far as there are trees.

    A document with relevant text gets a judgement of each element that has some of it, unless its
    elements were judged themselves.
    """
    documents = judged.documents.strings()
    topics = [judged.topics[number] for number in judged.topic.tolist()]
    points = judged.entry_points.to_lists()
    own, pointed, rows = set(judged.elements.pair.tolist()), list(judged.pointed), list[Judged]()
    placed = np.zeros(len(documents), np.bool_)
    for pair, spans in enumerate(written_ranges(judged)):
        tree = elements.tree(documents[pair]) if spans or points[pair] else None
        if tree is None:
            continue
        placer = _Placer(tree, elements.paths)
        entries = [placer.point(at, at_end=False) for at, _ in points[pair]]
        ranges = [(placer.point(a, at_end=False), placer.point(b, at_end=True)) for a, b in spans]
        if None in entries or any(None in ends for ends in ranges):
            continue
        placed[pair] = True
        name = topics[pair], documents[pair]
        pointed += [Pointed(*name, point, None) for point in entries if point is not None]
        for (start, end), (first, last) in zip(spans, ranges, strict=True):
            pointed.append(Pointed(*name, first or "", last, end - start))
        if pair not in own:
            rows += placer.judged(pair, judged.relevant.take(np.array([pair])))
    return _with_points(judged, placed, pointed, rows)


class _Placer:
    """Finds places of one tree."""

    def __init__(self, tree: Tree, paths: Paths) -> None:
        self.tree, self.paths = tree, paths

    def point(self, offset: int, *, at_end: bool) -> str | None:
        """The text node that an offset is in, and how far; None outside of all elements.

        An end is in the text that it ends, and so is a place at the end of the document.
        """
        row = UNKNOWN if at_end else self._deepest(offset)
        row = self._deepest(offset - 1) if row == UNKNOWN else row
        if row == UNKNOWN:
            return None
        path = self.paths.text(int(self.tree.path[row]))
        before = at_end or self._deepest(offset) == UNKNOWN
        at = offset - 1 if before else offset
        for number, (start, end) in enumerate(texts_in(self.tree, row), start=1):
            if start <= at < end:
                return f"{path}/text()[{number}].{offset - start}"
        return f"{path}.{offset - int(self.tree.start[row])}"

    def _deepest(self, at: int) -> int:
        """The innermost element around a character; in document order it is the last one."""
        tree = self.tree
        around = np.flatnonzero((tree.start >= 0) & (tree.start <= at) & (at < tree.end))
        return int(around[-1]) if len(around) else UNKNOWN

    def judged(self, pair: int, relevant: Ranges) -> Iterator[Judged]:
        """How much of each element is relevant, of those that have any."""
        tree = self.tree
        known = np.flatnonzero(tree.start >= 0)
        inside = _inside(tree.start[known], tree.end[known], relevant)
        for row, size in zip(known.tolist(), inside.tolist(), strict=True):
            if size:
                yield pair, self.paths.text(int(tree.path[row])), int(tree.size[row]), size


def _inside(start: Integers, end: Integers, relevant: Ranges) -> Integers:
    """How many characters of disjoint ranges are in each of these stretches."""
    before = np.append(0, np.cumsum(relevant.end - relevant.start))

    def up_to(place: Integers) -> Integers:
        number = np.searchsorted(relevant.start, place)
        last = np.maximum(number - 1, 0)
        beyond = np.maximum(relevant.end[last] - place, 0) if len(relevant.end) else 0
        counted: Integers = np.where(number > 0, before[number] - beyond, 0)
        return counted

    return up_to(end) - up_to(start)


def _with_points(
    judged: Assessments,
    placed: np.ndarray[tuple[int], np.dtype[np.bool_]],
    pointed: list[Pointed],
    rows: list[Judged],
) -> Assessments:
    passages, elements = judged.passages, judged.elements
    left = np.flatnonzero(~(placed[passages.pair] & (passages.grade > 0)))
    kept = np.repeat(~placed, np.diff(judged.entry_offsets))
    offsets = np.append(0, np.cumsum(np.where(placed, 0, np.diff(judged.entry_offsets))))
    return replace(
        judged,
        pointed=tuple(pointed),
        passages=passages.take(left, passages.pair[left]),
        whole=judged.whole & ~placed,
        entry_offsets=offsets,
        entry_point=judged.entry_point[kept],
        elements=_with_rows(elements, rows),
    )


def _with_rows(elements: ElementJudgements, rows: list[Judged]) -> ElementJudgements:
    if not rows:
        return elements
    pair, paths, size, relevant = zip(*rows, strict=True)
    unknown = np.full(len(rows), UNKNOWN, np.int64)
    numbers = ((pair, elements.pair), (size, elements.size), (relevant, elements.relevant_size))
    pairs, sizes, relevants = (np.append(np.array(new, np.int64), old) for new, old in numbers)
    return ElementJudgements(
        pairs,
        Identifiers.of([*paths, *elements.paths.strings()]),
        np.append(unknown, elements.exhaustivity),
        np.append(unknown, elements.specificity),
        sizes,
        relevants,
        np.append(np.zeros(len(rows), np.int64), elements.line),
    )
