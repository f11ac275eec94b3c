"""Browse: the best passages inside one document, in its own order."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from spanwise.data.elements import ROOT, UNKNOWN, Tree
from spanwise.records import Struct, replace
from spanwise.retrieval.blocks import NO_ELEMENT
from spanwise.retrieval.columns import DocumentColumns
from spanwise.retrieval.passages import (
    Browsing,
    Passage,
    QueryTerms,
    Units,
    best_apart,
    bm25,
    counted,
    cut,
    windows,
)
from spanwise.text.ranges import Booleans, Floats, Integers

SPREAD = 0.75
"""An element's score is the sum over its children, divided by their number to this power: it beats
its best child only if several of its children match."""


class MeanLengths(Struct, frozen=True):
    """Terms of a sentence, a block, a character in the mean over the whole index."""

    sentence: float
    block: float
    character: float


class Candidates(Struct, frozen=True, eq=False):
    """Ranges with scores, which may overlap; ``element`` is their row in the tree, or -1."""

    start: Integers
    end: Integers
    score: Floats
    element: Integers


class Browser(Struct, frozen=True):
    """Finds the passages of one document."""

    columns: DocumentColumns
    length: int
    tree: Tree | None
    means: MeanLengths
    text: Callable[[], str]
    """Read only where sentences are cut."""

    def candidates(self, terms: QueryTerms, how: Browsing) -> Candidates:
        """Everything that could be a passage, in document order.

        Titles are searched only where nothing below them matches.
        """
        found = self._candidates(terms, how)
        if found.score.any():
            return found
        return replace(self, columns=self.columns.with_titles)._candidates(terms, how)

    def _candidates(self, terms: QueryTerms, how: Browsing) -> Candidates:
        if how.mode == "element":
            return self._elements(terms)
        units, mean = self._units(terms, how)
        score = bm25(units.counts, units.length, terms.weight, mean)
        return Candidates(units.start, units.end, score, np.full(len(score), NO_ELEMENT))

    def _units(self, terms: QueryTerms, how: Browsing) -> tuple[Units, float]:
        columns, means = self.columns, self.means
        if how.mode == "paragraph":
            return self._blocks(terms), means.block
        if how.mode == "document":
            whole = np.array([0]), np.array([self.length])
            return counted(columns, terms, *whole), self.length * means.character
        if how.mode == "sentence":
            found = counted(columns, terms, columns.sentence_start, columns.sentence_end)
            return found, means.sentence
        found = counted(columns, terms, *cut(columns, how.window, self.text))
        return windows(found, how.window), max(how.window * means.character, means.sentence)

    def _blocks(self, terms: QueryTerms) -> Units:
        columns = self.columns
        return counted(columns, terms, columns.block_start, columns.block_end)

    # -- elements

    def _elements(self, terms: QueryTerms) -> Candidates:
        """Scores of blocks, propagated up the tree."""
        units, tree = self._blocks(terms), self.tree
        score = bm25(units.counts, units.length, terms.weight, self.means.block)
        if tree is None or not len(tree):
            return Candidates(units.start, units.end, score, np.full(len(score), NO_ELEMENT))
        own = self.columns.block_element
        inside = own != NO_ELEMENT
        total = np.zeros(len(tree))
        np.maximum.at(total, own[inside], score[inside])
        filled = np.zeros(len(tree), np.bool_)
        filled[own[inside]] = True
        _propagate(tree.parent, total, filled)
        kept = np.flatnonzero((total > 0) & (tree.start != UNKNOWN) & (tree.size > 0))
        # Text outside the elements of all blocks is found too, as a passage without an element.
        outside = np.flatnonzero(~inside & (score > 0))
        return Candidates(
            np.concatenate((tree.start[kept], units.start[outside])),
            np.concatenate((tree.end[kept], units.end[outside])),
            np.concatenate((total[kept], score[outside])),
            np.concatenate((kept, np.full(len(outside), NO_ELEMENT))),
        )


def _propagate(parent: Integers, total: Floats, filled: Booleans) -> None:
    """Each element's score from those of its children, the deepest first."""
    above, scores, has_text = parent.tolist(), total.tolist(), filled.tolist()
    children: dict[int, int] = {}
    sums: dict[int, float] = {}
    for row in range(len(above) - 1, -1, -1):
        if row in children and sums[row]:
            scores[row] = max(scores[row], sums[row] / children[row] ** SPREAD)
        if (has_text[row] or row in children) and above[row] != ROOT:
            children[above[row]] = children.get(above[row], 0) + 1
            sums[above[row]] = sums.get(above[row], 0.0) + scores[row]
    total[:] = scores


# -- from candidates to passages

Path = Callable[[int], str | None]


def chosen(
    candidates: Candidates, how: Browsing, path: Path, score: Floats | None = None
) -> tuple[Passage, ...]:
    """The best passages, in document order; ``score`` replaces those of the candidates."""
    scores = candidates.score if score is None else score
    if not len(scores):
        return ()
    least = how.share * float(scores.max())
    rows = best_apart(candidates.start, candidates.end, scores, how.passages, least)
    passages = [
        Passage(
            int(candidates.start[row]),
            int(candidates.end[row]),
            float(scores[row]),
            rank,
            path(int(candidates.element[row])),
        )
        for rank, row in enumerate(rows, start=1)
    ]
    return in_reading_order(passages)


def in_reading_order(passages: Sequence[Passage]) -> tuple[Passage, ...]:
    """As the document has them."""
    return tuple(sorted(passages, key=lambda passage: passage.start))
