"""The gain of elements in a tree, where no text is paid for twice."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from spanwise.data.quantisation import Quantisation, quantisation, quantisation_names
from spanwise.data.relevant_elements import relevant_elements
from spanwise.measures.base import GainScore, Need
from spanwise.measures.explaining import Cell, Step, Steps, answer_places, shown
from spanwise.measures.gains.credit import NearMiss, NearRule, distance, ratio
from spanwise.measures.gains.ledger import CreditRule, Readings
from spanwise.measures.parameters import Between, OneOf, parameter
from spanwise.measures.registry import measure
from spanwise.measures.views.gains import Gains
from spanwise.measures.views.listing import Listing
from spanwise.measures.views.ranked_answers import RankedAnswers
from spanwise.measures.views.recall_base import Ideal, IdealUnits, RecallBase
from spanwise.text.ranges import Booleans, Floats, Integers

KAZAI = "Kazai and Lalmas, eXtended Cumulated Gain measures"
QUANTISATIONS = ("strict", "gen", "sog", "spec", "binary")
"""Ours, for the tests."""


@dataclass(frozen=True, slots=True)
class QuantisationName:
    """The values of the parameter ``quant``: names of quantisations."""

    def __str__(self) -> str:
        return f"one of {', '.join(quantisation_names())}"

    def examples(self) -> tuple[Any, ...]:
        return ()

    def check(self, name: str, value: Any) -> str:
        return quantisation(str(value)).name


@measure(source=KAZAI, equation="8, with the credit rule", perfect=None)
@dataclass(frozen=True)
class elements(GainScore):
    r"""What each element gains, given what was returned before it.

    $$xG[i] = \min\left(rv(c_i),\ \sum_{I \in G(c_i)} credit(I)\right)$$

    where c_i is the element at rank i and rv(c) its value: quant(c) if nothing of it was seen,
    (1 - alpha) quant(c) if it or an ancestor was returned earlier, and if only descendants were,
    alpha times the values of its children weighted by size, plus (1 - alpha) quant(c), at most
    quant(c). G(c) are the ideal elements that are c, contain it or lie inside it; credit(I) is
    quant(I) less what was already paid for I. alpha=0 ignores overlap: every element gains its
    quant once, and the ideal list is the full recall-base.

    Source: Kazai and Lalmas, eXtended Cumulated Gain measures, equation 8; the credits are fitted
    to the paper's printed table.

    >>> str(elements())
    'elements(quant=sog,alpha=1)'
    """

    quant: str = parameter("sog", QuantisationName(), examples=QUANTISATIONS)
    alpha: float = parameter(1.0, Between(0, 1), examples=(1, 0, 0.25, 0.5))
    ideal: Ideal = parameter("shortest", OneOf("shortest", "longest"), extra=True)
    near: NearMiss | None = parameter(
        None, NearRule(), examples=(None, ratio(), distance(3), distance(20)), extra=True
    )

    def needs(self) -> frozenset[Need]:
        return frozenset({Need.ELEMENTS})

    def gains(self, answers: RankedAnswers) -> Gains:
        base = answers.recall_base(self.quant, self.ideal)
        units = self.units(base)
        ends, ideal = answers.by_ranking(units.offsets, units.value)
        drawn = np.zeros(len(ideal), np.bool_)
        plain = self.alpha == 0 and self.near is None
        gain = (_once if plain else self._with_overlap)(answers, base, ends, drawn)
        return Gains(answers.offsets, gain, ends, ideal, drawn)

    def units(self, base: RecallBase) -> IdealUnits:
        """What the ideal lists return."""
        return base.full if self.alpha == 0 else base.ideal

    def answer_places(self, listing: Listing) -> list[str]:
        answers = listing.rankings.answers
        base = answers.recall_base(self.quant, self.ideal)
        named, trees = answers.named(base), base.elements
        path = trees.columns.path
        columns = (named.row.tolist(), named.element.tolist(), named.inside.tolist())
        paths = {
            row: trees.paths.text(int(path[element]))
            for row, element, inside in zip(*columns, strict=True)
            if not inside
        }
        return answer_places(listing, paths)

    def ideal_places(self, listing: Listing) -> list[tuple[str, str]]:
        base = listing.rankings.answers.recall_base(self.quant, self.ideal)
        units, trees = self.units(base), base.elements
        chosen = slice(*units.offsets[listing.topic : listing.topic + 2].tolist())
        names = listing.assessments.documents.take(units.pair[chosen]).strings()
        paths = trees.columns.path[units.element[chosen]].tolist()
        return [(name, trees.paths.text(path)) for name, path in zip(names, paths, strict=True)]

    def explain(self, listing: Listing, document: str) -> Steps | None:
        """The relevant and the returned elements of a document with their ancestors, as a tree."""
        pair = listing.pair_of(document)
        base = listing.rankings.answers.recall_base(self.quant, self.ideal)
        if pair not in base.documents:
            return None
        grades = ElementGrades.of(quantisation(self.quant), listing, base, pair)
        return _tree_steps(self, base, pair, grades, self._answer_gains(listing, base, pair))

    def _answer_gains(self, listing: Listing, base: RecallBase, pair: int) -> AnswerGains:
        answers = listing.rankings.answers
        named, gain = answers.named(base), listing.rankings.gains(self).gain
        first, found = base.documents[pair].first, AnswerGains()
        for row, element in zip(named.row.tolist(), named.element.tolist(), strict=True):
            if answers.pair[row] == pair:
                found.setdefault(element - first, []).append((row + 1, float(gain[row])))
        return found

    def _with_overlap(
        self, answers: RankedAnswers, base: RecallBase, ends: Integers, drawn: Booleans
    ) -> Floats:
        """What was seen of a document decides what is left."""
        named, gain = answers.named(base), np.zeros(len(answers.ranking))
        rule = CreditRule(base, self.units(base), self.alpha, self.near)
        rows = named.row
        gain[rows] = rule.gains(
            Readings(
                answers.document[rows],
                answers.pair[rows],
                named.element,
                named.inside,
                ends[answers.ranking[rows]],
            ),
            drawn,
        )
        return gain


def _once(answers: RankedAnswers, base: RecallBase, ends: Integers, drawn: Booleans) -> Floats:
    """Every element gains its value once, whatever overlaps it."""
    gain, named = answers.first_values(base), answers.named(base)
    gaining = ~named.inside & (gain[named.row] > 0)
    row, element = named.row[gaining], named.element[gaining]
    place = base.full.place[base.rows_of(answers.pair[row], element)]
    drawn[ends[answers.ranking[row]] + place] = True
    return gain


# -- the tree of a document

AnswerGains = dict[int, list[tuple[int, float]]]
"""By element, numbered from the root: rank and gain of the answers that name it."""


@dataclass(frozen=True)
class ElementGrades:
    """What was assessed about the relevant elements of a document, numbered from its root."""

    columns: tuple[str, ...]
    legend: str
    cells: dict[int, tuple[Cell, ...]]

    @classmethod
    def of(
        cls, quant: Quantisation, listing: Listing, base: RecallBase, pair: int
    ) -> ElementGrades:
        """Grades or shares of text, whichever the quantisation uses."""
        _, relevant = relevant_elements(listing.assessments, listing.elements, quant)
        graded, first = quant.basis == "grades", base.documents[pair].first
        cells: dict[int, tuple[Cell, ...]] = {}
        for row in np.flatnonzero(relevant.pair == pair).tolist():
            grades = (int(relevant.exhaustivity[row]), int(relevant.specificity[row]))
            share = (float(relevant.share[row]),)
            cells[int(relevant.element[row]) - first] = grades if graded else share
        if graded:
            return cls(("e", "s"), "e = exhaustivity, s = specificity", cells)
        return cls(("share",), "share = relevant text / size", cells)


def _tree_steps(
    item: elements, base: RecallBase, pair: int, grades: ElementGrades, gains: AnswerGains
) -> Steps:
    document, trees = base.documents[pair], base.elements
    named = {*grades.cells, *gains}
    above = {up for element in named for up in document.ancestors(element)}
    steps = []
    for element in sorted(named | above):
        size = document.size[element]
        cells = (
            trees.paths.text(int(trees.columns.path[document.first + element])),
            *grades.cells.get(element, (None,) * len(grades.columns)),
            document.value.get(element, 0.0),
            size if size >= 0 else None,
            "ideal" if element in document.ideal else "",
            ", ".join(f"{rank}: {shown(gain)}" for rank, gain in gains.get(element, ())),
        )
        steps.append(Step(cells, relevant=True))
    value = sum(document.value[element] for element in document.ideal)
    gained = sum(gain for answers in gains.values() for _, gain in answers)
    return Steps(
        "element",
        ("element", *grades.columns, "quant", "size", "ideal", "gained"),
        tuple(steps),
        f"{grades.legend}; quant = value by {item.quant}, ideal = an ideal list returns it;"
        " gained = rank of an answer: what it gained",
        f"the ideal elements are worth {shown(value)}, the answers gained {shown(gained)}",
    )
