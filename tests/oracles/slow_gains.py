"""Gains by walking over trees and sets of characters, and the lists over them, for one topic.

A tree is nodes inside nodes; what was returned is a list that is searched again and again.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import pairwise
from typing import Literal

from oracles.twins import twin

LITTLE = 1e-12
Quant = Literal["strict", "gen", "sog", "spec", "binary"]
Rule = Literal["ratio", "linear"]
Divisor = Literal["retrieved", "larger", "ideal"]
GRADES = [(3, 3), (2, 3), (1, 3), (3, 2), (2, 2), (1, 2), (3, 1), (2, 1), (1, 1)]
TABLES = {
    "strict": [1, 0, 0, 0, 0, 0, 0, 0, 0],
    "gen": [1, 0.75, 0.5, 0.75, 0.5, 0.25, 0.75, 0.5, 0.25],
    "sog": [1, 0.9, 0.75, 0.75, 0.5, 0.25, 0.25, 0.1, 0.1],
}


@dataclass(eq=False)
class Node:
    """An element of a document: its characters, and the elements directly inside it."""

    tag: str
    start: int
    end: int
    children: list[Node] = field(default_factory=list)

    @property
    def size(self) -> int:
        return self.end - self.start

    def characters(self) -> set[int]:
        return set(range(self.start, self.end))


Line = list[Node]  # from the root to an element


def lines(root: Node, above: Line | None = None) -> Iterator[Line]:
    """The line of every element, in document order."""
    line = [*(above or []), root]
    yield line
    for child in root.children:
        yield from lines(child, line)


def path_of(line: Line) -> str:
    """The steps to an element, each with its place among the siblings of its tag."""
    path = f"/{line[0].tag}[1]"
    for parent, node in pairwise(line):
        same = [child for child in parent.children if child.tag == node.tag]
        path += f"/{node.tag}[{same.index(node) + 1}]"
    return path


def holds(outer: Node, inner: Node) -> bool:
    """Whether one element lies inside another one, or is the same."""
    return any(node is inner for line in lines(outer) for node in line)


@dataclass
class Returned:
    """What an answer names: a range, an element by its path, the whole document, or nothing."""

    document: str
    start: int | None = None
    end: int | None = None
    path: str | None = None
    parts: bool = True


@dataclass
class Assessed:
    """One topic: trees, grades of elements by path, and relevant characters, by document."""

    trees: dict[str, Node]
    grades: dict[str, dict[str, tuple[int, int]]]
    highlighted: dict[str, set[int]]


def element_of(returned: Returned, trees: dict[str, Node]) -> Node | None:
    """The element that an answer is; the deepest with exactly its range if it names none."""
    if returned.document not in trees:
        return None
    root = trees[returned.document]
    if returned.path is not None:
        return next(line[-1] for line in lines(root) if path_of(line) == returned.path)
    if not returned.parts:
        return None
    if returned.start is None:
        return root
    span = returned.start, returned.end
    exact = [line for line in lines(root) if (line[-1].start, line[-1].end) == span]
    return max(exact, key=len)[-1] if exact else None


# Values


@dataclass
class Valued:
    """A document's elements, what each is worth, and which of them are relevant."""

    root: Node
    values: dict[Node, float]
    relevant: list[Line]


def valued(assessed: Assessed, quant: str) -> dict[str, Valued]:
    """All documents with a tree, as a quantisation sees them."""
    return {
        document: value_document(assessed, document, quant) for document in sorted(assessed.trees)
    }


def value_document(assessed: Assessed, document: str, quant: str) -> Valued:
    result = Valued(assessed.trees[document], {}, [])
    grades = assessed.grades.get(document, {})
    marked = assessed.highlighted.get(document, set())
    for line in lines(result.root):
        node = line[-1]
        if quant in TABLES:
            grade = grades.get(path_of(line), (0, 0))
            is_relevant = grade[0] > 0 and grade[1] > 0
            value = TABLES[quant][GRADES.index(grade)] if is_relevant else 0
        else:
            found = len(node.characters() & marked)
            is_relevant = found > 0
            value = {"spec": found / node.size if found else 0, "binary": int(found > 0)}[quant]
        result.values[node] = float(value)
        if is_relevant:
            result.relevant.append(line)
    return result


def ideal_elements(document: Valued, filtering: str) -> list[Node]:
    """The best element of each relevant path, without nesting, in document order."""
    kept: list[Node] = []
    for line in document.relevant:
        if any(line[-1] in other[:-1] for other in document.relevant):
            continue  # something relevant lies further down
        best = max(line, key=lambda node: (document.values[node], line.index(node)))
        if document.values[best] > 0 and best not in kept:
            kept.append(best)
    others = {node: [other for other in kept if other is not node] for node in kept}
    if filtering == "shortest":
        left = [node for node in kept if not any(holds(other, node) for other in others[node])]
    else:
        left = [node for node in kept if not any(holds(node, other) for other in others[node])]
    order = [line[-1] for line in lines(document.root)]
    return sorted(left, key=order.index)


def full_values(assessed: Assessed, quant: str) -> list[float]:
    """The full recall-base: every element that is worth anything."""
    documents = valued(assessed, quant).values()
    found = [value for document in documents for value in document.values.values() if value > 0]
    return sorted(found, reverse=True)


# Gains of elements


@dataclass
class Reader:
    """What has been returned of one document, and what is left to be gained in it."""

    document: Valued
    alpha: float
    ideal: list[Node]
    near: str
    returned: list[Node] = field(default_factory=list)
    credit: dict[Node, float] = field(default_factory=dict)
    drawn: list[Node] = field(default_factory=list)
    """Elements that something was paid for; without regard to overlap, those returned."""

    def __post_init__(self) -> None:
        self.credit = {node: self.document.values[node] for node in self.ideal}

    def read(self, node: Node) -> float:
        gain = self.gain(node)
        self.returned.append(node)
        return gain if gain > LITTLE else 0.0

    def gain(self, node: Node) -> float:
        value = self.document.values[node]
        if self.alpha == 0 and node in self.returned:
            return 0.0
        if self.alpha == 0 and value > 0:
            self.drawn.append(node)
        if value == 0:
            return self.near_miss(node)
        if self.alpha > 0:
            group = [one for one in self.ideal if holds(one, node) or holds(node, one)]
            return self.granted(self.value_left(node), group)
        if self.near != "none" and node in self.ideal:
            return self.granted(value, [node])
        return value

    def is_seen(self, node: Node) -> bool:
        """Whether it or an element around it was returned."""
        return any(holds(one, node) for one in self.returned)

    def value_left(self, node: Node) -> float:
        """rv: what the element is worth after all that was returned."""
        value = self.document.values[node]
        if self.is_seen(node):
            return (1 - self.alpha) * value
        if not any(holds(node, one) for one in self.returned):
            return value
        inside = sum(self.value_left(child) * child.size for child in node.children)
        share = inside / node.size if node.size else 0.0
        return min(value, self.alpha * share + (1 - self.alpha) * value)

    def granted(self, wanted: float, group: list[Node]) -> float:
        """As much as the group's credits allow, taken from the largest first."""
        gain = min(wanted, sum(self.credit[one] for one in group))
        missing = gain
        for one in sorted(group, key=lambda one: -self.credit[one]):
            taken = min(missing, self.credit[one])
            missing -= taken
            if taken > LITTLE:
                self.drawn.append(one)
            left = self.credit[one] - taken
            self.credit[one] = left if left > LITTLE else 0.0
        return gain

    def near_miss(self, node: Node) -> float:
        """For an element worth nothing: a part of the value of the ideal one nearest to it."""
        best, chosen = 0.0, None
        for one in self.ideal:
            value = self.document.values[one] * nearness(self.near, node, one)
            if value > best:
                best, chosen = value, one
        if chosen is None:
            return 0.0
        return self.granted((1 - self.alpha) * best if self.is_seen(node) else best, [chosen])


def nearness(rule: str, node: Node, ideal: Node) -> float:
    if rule == "none":
        return 0.0
    if rule == "ratio":
        common = len(node.characters() & ideal.characters())
        return common / max(node.size, ideal.size) if common else 0.0
    reach = int(rule.removeprefix("distance(reach=").removesuffix(")"))
    if node.end <= ideal.start:
        gap = ideal.start - node.end
    elif ideal.end <= node.start:
        gap = node.start - ideal.end
    else:
        return 0.0
    return 0.5 * (1 - gap / reach) if gap < reach else 0.0


@dataclass
class Gained:
    """xG, xI, and how many units of the ideal list no answer drew from (None: not known)."""

    gains: list[float]
    ideal: list[float]
    undrawn: int | None = None


def element_gains(
    assessed: Assessed,
    answers: list[Returned],
    quant: str,
    alpha: float,
    ideal: str,
    near: str,
) -> Gained:
    readers = {
        name: Reader(document, alpha, ideal_elements(document, ideal), near)
        for name, document in valued(assessed, quant).items()
    }
    gains = []
    for answer in answers:
        node = element_of(answer, assessed.trees)
        gains.append(0.0 if node is None else readers[answer.document].read(node))
    units = {
        name: reader.ideal
        if alpha
        else [node for node, value in reader.document.values.items() if value > 0]
        for name, reader in readers.items()
    }
    worth = [readers[name].document.values[node] for name in units for node in units[name]]
    left = [node for name in units for node in units[name] if node not in readers[name].drawn]
    return Gained(gains, sorted(worth, reverse=True), len(left))


# Gains of passages


def passage_gains(
    relevant: dict[str, set[int]], answers: list[tuple[str, set[int]]], alpha: float
) -> Gained:
    """Answers are documents and characters; relevant text falls into runs of characters."""
    units = [(name, unit) for name, text in relevant.items() for unit in maximal_runs(text)]
    left = [1.0] * len(units)
    drawn: set[int] = set()
    seen: dict[str, set[int]] = {}
    gains = []
    for name, text in answers:
        old = text & seen.setdefault(name, set())
        new = text - old
        seen[name] |= text
        received = 0.0
        for number, (document, unit) in enumerate(units):
            if document == name:
                claim = (len(new & unit) + (1 - alpha) * len(old & unit)) / len(unit)
                granted = min(left[number], claim)
                left[number] -= granted
                if granted > LITTLE:
                    drawn.add(number)
                received += granted
        found = relevant.get(name, set())
        share = (len(new & found) + (1 - alpha) * len(old & found)) / max(len(text), 1)
        gain = min(share, received)
        gains.append(gain if gain > LITTLE else 0.0)
    return Gained(gains, [1.0] * len(units), len(units) - len(drawn))


def maximal_runs(text: set[int]) -> list[set[int]]:
    runs: list[set[int]] = []
    for position in sorted(text):
        if position - 1 not in text:
            runs.append(set())
        runs[-1].add(position)
    return runs


# Lists over gains


def cumulated(gains: list[float], rank: int) -> float:
    total = 0.0
    for gain in gains[:rank]:
        total += gain
    return total


@twin("list over gains", union_only=True)
def xCG(gained: Gained, cutoff: int) -> float:
    return cumulated(gained.gains, cutoff)


@twin("list over gains", union_only=True)
def nxCG(gained: Gained, cutoff: int) -> float:
    return cumulated(gained.gains, cutoff) / cumulated(gained.ideal, cutoff)


@twin("list over gains", union_only=True)
def MAnxCG(gained: Gained, cutoff: int = 1500) -> float:
    return sum(nxCG(gained, j) for j in range(1, cutoff + 1)) / cutoff


@twin("list over gains", union_only=True)
def gr(gained: Gained, cutoff: int) -> float:
    return cumulated(gained.gains, cutoff) / cumulated(gained.ideal, len(gained.ideal))


def place_of(gains: list[float], wanted: float, rule: str) -> float | None:
    """Where between two ranks a list has gained as much, None if it never has."""
    for rank in range(1, len(gains) + 1):
        reached = cumulated(gains, rank)
        if reached >= wanted - LITTLE:
            if rule == "ratio":
                return rank - 1 + wanted / reached
            before = cumulated(gains, rank - 1)
            return rank - 1 + (wanted - before) / (reached - before)
    return None


@twin("list over gains", union_only=True)
def ep(gained: Gained, cutoff: str, rule: Rule = "ratio") -> float:
    wanted = float(Fraction(cutoff)) * cumulated(gained.ideal, len(gained.ideal))
    mine, best = place_of(gained.gains, wanted, rule), place_of(gained.ideal, wanted, rule)
    return 0.0 if mine is None or best is None else best / mine


@twin("list over gains", union_only=True)
def iMAep(gained: Gained, rule: Rule = "ratio") -> float:
    return sum(ep(gained, f"{tenth}/10", rule) for tenth in range(1, 11)) / 10


def ranks_averaged(gained: Gained, divisor: str) -> int:
    units, gaining = len(gained.ideal), sum(gain > 0 for gain in gained.gains)
    if divisor == "ideal":
        return units
    if divisor == "larger" or gained.undrawn is None:
        return max(units, gaining)
    return gaining + gained.undrawn


@twin("list over gains", union_only=True)
def MAep(gained: Gained, rule: Rule = "ratio", divisor: Divisor = "retrieved") -> float:
    total = 0.0
    for rank, gain in enumerate(gained.gains, start=1):
        if gain > 0:
            reached = cumulated(gained.gains, rank)
            total += (place_of(gained.ideal, reached, rule) or 0.0) / rank
    return total / ranks_averaged(gained, divisor)


def blended(gains: list[float], rank: int) -> float:
    return sum(gain + 1 for gain in gains[:rank] if gain > 0)


@twin("list over gains", union_only=True)
def Q(gained: Gained, divisor: Divisor = "retrieved") -> float:
    total = 0.0
    for rank, gain in enumerate(gained.gains, start=1):
        if gain > 0:
            total += blended(gained.gains, rank) / (cumulated(gained.ideal, rank) + rank)
    return total / ranks_averaged(gained, divisor)


@twin("list over gains", union_only=True)
def Rmeasure(gained: Gained) -> float:
    gains, ideal = gained.gains, gained.ideal
    return blended(gains, len(ideal)) / (cumulated(ideal, len(ideal)) + len(ideal))


# inex_eval


def quantised_list(assessed: Assessed, answers: list[Returned], quant: str) -> list[float]:
    """The value of each answer's element, nothing for one that comes again."""
    documents = valued(assessed, quant)
    seen: list[Node] = []
    values = []
    for answer in answers:
        node = element_of(answer, assessed.trees)
        again = node is None or node in seen
        values.append(0.0 if again or node is None else documents[answer.document].values[node])
        if node is not None:
            seen.append(node)
    return values


def precision_at(values: list[float], total: float, x: str) -> float:
    """P(x): wanted value over wanted value and what else has to be looked at."""
    wanted = float(Fraction(x)) * total
    for rank, value in enumerate(values, start=1):
        if value > 0 and cumulated(values, rank) >= wanted - LITTLE:
            useless = sum(1 - before for before in values[: rank - 1])
            missing = wanted - cumulated(values, rank - 1)
            return wanted / (wanted + useless + missing * (1 - value) / (value + 1))
    return 0.0


def mean_precall(values: list[float], total: float) -> float:
    return sum(precision_at(values, total, f"{point}/100") for point in range(1, 101)) / 100


def expected_search_length(groups: list[tuple[int, int]], relevant: int) -> float:
    """Results that are not relevant and come before so many relevant ones, ties at random."""
    before = 0
    for good, bad in groups:
        if relevant <= good:
            return before + relevant * bad / (good + 1)
        relevant -= good
        before += bad
    raise ValueError("there are not so many relevant results")


def precall(groups: list[tuple[int, int]], relevant: int) -> float:
    return relevant / (relevant + expected_search_length(groups, relevant))
