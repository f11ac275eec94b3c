"""The tree of one document: what was assessed, what it is worth, what the answers gained."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from spanwise.data.quantisation import quantisation
from spanwise.data.relevant_elements import RelevantElements, relevant_elements
from spanwise.evaluation.explanation.listing import Listing
from spanwise.evaluation.explanation.steps import Cell, Step, Table, shown
from spanwise.measures.gains.elements import elements
from spanwise.measures.views.recall_base import DocumentBase, RecallBase

Grades = dict[int, tuple[Cell, ...]]


def tree_of(item: elements, listing: Listing, document: str) -> Table | None:
    """The relevant and the returned elements of a document with their ancestors, as a tree."""
    pair = listing.pair_of(document)
    base = listing.rankings.answers.recall_base(item.quant, item.ideal)
    if pair not in base.documents:
        return None
    drawn = _Drawn.of(item, listing, base, pair)
    steps = tuple(drawn.step(element) for element in drawn.shown())
    value = sum(drawn.base.value[element] for element in drawn.base.ideal)
    gained = sum(gain for gains in drawn.gains.values() for _, gain in gains)
    columns = ("element", *drawn.grade_names, "quant", "size", "ideal", "gained")
    return Table(
        "element",
        columns,
        steps,
        f"{drawn.legend}; quant = value by {item.quant}, ideal = an ideal list returns it;"
        " gained = rank of an answer: what it gained",
        f"the ideal elements are worth {shown(value)}, the answers gained {shown(gained)}",
    )


@dataclass
class _Drawn:
    """What there is to say about the elements of a document, numbered from its root."""

    base: DocumentBase
    paths: list[str]
    grades: Grades
    grade_names: tuple[str, ...]
    legend: str
    gains: dict[int, list[tuple[int, float]]]
    """By element, rank and gain of the answers that name it."""

    @classmethod
    def of(cls, item: elements, listing: Listing, base: RecallBase, pair: int) -> _Drawn:
        document = base.documents[pair]
        trees = base.elements
        first = document.first
        path = trees.columns.path[first : first + len(document.parent)].tolist()
        chosen = quantisation(item.quant)
        known = listing.aligned.documents
        _, relevant = relevant_elements(
            listing.aligned.assessments, None if known is None else known.elements, chosen
        )
        graded = chosen.basis == "grades"
        return cls(
            document,
            [trees.paths.text(number) for number in path],
            _grades(relevant, pair, first, graded=graded),
            ("e", "s") if graded else ("share",),
            "e = exhaustivity, s = specificity" if graded else "share = relevant text / size",
            _gains(item, listing, base, pair, first),
        )

    def shown(self) -> list[int]:
        """The elements that are relevant or were returned, and their ancestors, in order."""
        named = {*self.grades, *self.gains}
        above = {up for element in named for up in self.base.ancestors(element)}
        return sorted(named | above)

    def step(self, element: int) -> Step:
        """One line of the tree."""
        gains = ", ".join(f"{rank}: {shown(gain)}" for rank, gain in self.gains.get(element, ()))
        size = self.base.size[element]
        cells = (
            self.paths[element],
            *self.grades.get(element, (None,) * len(self.grade_names)),
            self.base.value.get(element, 0.0),
            size if size >= 0 else None,
            "ideal" if element in self.base.ideal else "",
            gains,
        )
        return Step(cells, relevant=True)


def _grades(relevant: RelevantElements, pair: int, first: int, *, graded: bool) -> Grades:
    """What was said of each relevant element."""
    rows = np.flatnonzero(relevant.pair == pair).tolist()
    said: Grades = {}
    for row in rows:
        grades = (int(relevant.exhaustivity[row]), int(relevant.specificity[row]))
        said[int(relevant.element[row]) - first] = (
            grades if graded else (float(relevant.share[row]),)
        )
    return said


def _gains(
    item: elements, listing: Listing, base: RecallBase, pair: int, first: int
) -> dict[int, list[tuple[int, float]]]:
    answers = listing.rankings.answers
    named, gain = answers.named(base), listing.rankings.gains(item).gain
    found: dict[int, list[tuple[int, float]]] = {}
    for row, element in zip(named.row.tolist(), named.element.tolist(), strict=True):
        if answers.pair[row] == pair:
            found.setdefault(element - first, []).append((row + 1, float(gain[row])))
    return found
