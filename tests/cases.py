"""Random topics and measures for the tests, as the slow twin and as spanwise take them.

A batch is a collection of documents with many topics about it. Everything that may go wrong is
likely in it: touching, nested, repeated, whole-document and part-less answers, ties, documents
that come back later, missing and irrelevant topics, unjudged documents, documents of one
character. It is drawn from a ``random.Random``: a seeded one, or one that hypothesis controls.
"""

from __future__ import annotations

import math
import random
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import Field, dataclass, field, fields
from functools import cached_property
from typing import Any

import numpy as np
from hypothesis import strategies as st

from oracles.slow import Answer, Case
from oracles.slow_gains import Line, Node, lines, path_of
from spanwise.collection.resolve_paths import run_with_ranges
from spanwise.data.assessments import Assessments
from spanwise.data.chunking import Chunking
from spanwise.data.elements import ROOT, Elements, Paths, Tree
from spanwise.data.identifiers import Identifiers
from spanwise.data.judgements import Judgements
from spanwise.data.notes import Faults
from spanwise.data.run import NO_PATH, Extent, Order, Run
from spanwise.errors import MeasureError
from spanwise.evaluation.evaluate import Evaluation
from spanwise.evaluation.policy import Policy
from spanwise.evaluation.scores import RunScores
from spanwise.measures.base import CutOff, ListScore, Score
from spanwise.measures.grammar import Asked
from spanwise.measures.parameters import domain_of, examples_of, is_extra, is_item
from spanwise.measures.registry import items, lists
from spanwise.records import replace

Span = tuple[int, int]
LENGTHS = (1, 1, 2, 3, 6, 12, 25, 40, 90, 160)
LONG_LENGTHS = (70, 300, 900, 2500)
WORDS = ("a", "Wort", "naïve", "七", "x1", ",", ".", "!?", " ", "  ", "\n", "\t")
OUTSIDE = "nowhere"
"""A document of every batch that no topic knows."""


@dataclass
class Row:
    """One answer, as a run file has it."""

    document: str
    start: int = 0
    end: int = 0
    extent: Extent = Extent.RANGE
    score: float = 0.0
    rank: int = 1
    path: str | None = None
    """Of an element, whose range is ``start`` and ``end``."""


@dataclass
class Judged:
    """What an assessor said about one document: ranges with grades, or a grade as a whole.

    Elements may have been graded besides, by exhaustivity and specificity.
    """

    ranges: list[tuple[int, int, int]] = field(default_factory=list)
    whole: int | None = None
    points: list[int] = field(default_factory=list)
    elements: dict[str, tuple[int, int]] = field(default_factory=dict)
    aspects: list[tuple[str, ...]] = field(default_factory=list)
    """Of each range; empty where nobody named any."""

    @property
    def relevant(self) -> list[tuple[Span, tuple[str, ...]]]:
        """The relevant ranges with their aspects."""
        aspects = self.aspects or [()] * len(self.ranges)
        pairs = zip(self.ranges, aspects, strict=True)
        return [((start, end), about) for (start, end, grade), about in pairs if grade > 0]

    @property
    def grade(self) -> int:
        """The judged grade, or the largest of the ranges, or 1 for a relevant element."""
        if self.whole is not None:
            return self.whole
        by_element = int(any(grade > 0 for grade, _ in self.elements.values()))
        return max((grade for _, _, grade in self.ranges), default=by_element)


@dataclass
class Topic:
    """The answers to a topic in the order of the file, and what was judged."""

    rows: list[Row]
    judged: dict[str, Judged]

    def ranked(self, order: Order) -> list[Row]:
        """The answers in the order that a format's rule gives them."""
        if order == "rank":
            return sorted(self.rows, key=lambda row: row.rank)
        if order == "score":
            return sorted(self.rows, key=lambda row: -row.score)
        if order == "score, then document":
            by_name = sorted(self.rows, key=lambda row: row.document.encode(), reverse=True)
            return sorted(by_name, key=lambda row: -row.score)
        return self.rows


@dataclass
class Trees:
    """The elements of documents, as the twin and as spanwise take them."""

    roots: dict[str, Node] = field(default_factory=dict)
    _named: dict[str, dict[str, Line]] = field(default_factory=dict)

    def named(self, document: str) -> dict[str, Line]:
        """The elements of a document by path, each with those around it."""
        if document not in self._named:
            self._named[document] = {path_of(line): line for line in lines(self.roots[document])}
        return self._named[document]

    @cached_property
    def elements(self) -> Elements | None:
        """The same trees as columns; answers that are resolved refer to these."""
        return Elements(self._paths, self._columns) if self.roots else None

    @cached_property
    def _paths(self) -> Paths:
        return Paths()

    def _columns(self, document: str) -> Tree | None:
        if document not in self.roots:
            return None
        named = self.named(document)
        place = {line[-1]: number for number, line in enumerate(named.values())}
        columns = (
            [self._paths.add_path(path) for path in named],
            [place[line[-2]] if len(line) > 1 else ROOT for line in named.values()],
            [line[-1].start for line in named.values()],
            [line[-1].size for line in named.values()],
        )
        return Tree(*(np.array(column, np.int64) for column in columns))


@dataclass
class Batch:
    """Documents, and topics about them."""

    texts: dict[str, str]
    topics: dict[str, Topic]
    order: Order = "file"
    lengths_judged: bool = True
    """Do the assessments tell the lengths, or only the documents?"""
    trees: Trees = field(default_factory=Trees)

    @property
    def lengths(self) -> dict[str, int]:
        """Characters of each document."""
        return {name: len(text) for name, text in self.texts.items()}

    @property
    def mean_length(self) -> float:
        """Characters of the documents on average."""
        return sum(self.lengths.values()) / len(self.texts)

    def with_rows(self, change: Callable[[Topic], list[Row]]) -> Batch:
        """The same topics with other answers."""
        topics = {name: Topic(change(topic), topic.judged) for name, topic in self.topics.items()}
        return replace(self, topics=topics)

    def in_file_order(self) -> Batch:
        """The same rankings, given by the order of the file."""
        return replace(self.with_rows(lambda topic: topic.ranked(self.order)), order="file")


@dataclass
class FakeDocuments:
    """A collection in memory."""

    texts: dict[str, str]
    has_text: bool = False
    has_tokens: bool = True
    elements: Elements | None = None

    @property
    def lengths(self) -> dict[str, int]:
        """Characters of each document."""
        return {name: len(text) for name, text in self.texts.items()}

    @property
    def mean_length(self) -> float:
        """Characters of the documents on average."""
        return sum(map(len, self.texts.values())) / len(self.texts)

    def tokens(self, document: str) -> tuple[np.ndarray, np.ndarray]:
        """Where each token starts and ends."""
        found = list(re.finditer(r"\w+|[^\w\s]", self.texts[document]))
        starts = np.array([token.start() for token in found], np.int64)
        return starts, np.array([token.end() for token in found], np.int64)


# -- drawing


def random_batch(
    source: random.Random,
    topics: int = 4,
    documents: int = 9,
    lengths: Sequence[int] = LENGTHS,
    order: Order | None = None,
) -> Batch:
    """A batch of topics; the more topics, the more documents are worth having."""
    texts = {_name(source, n): _text(source, source.choice(lengths)) for n in range(documents)}
    names = list(texts)
    texts[OUTSIDE] = "Nothing, of interest."
    trees = Trees({name: _tree(source, "article", 0, len(text)) for name, text in texts.items()})
    orders: tuple[Order, ...] = ("file", "rank", "score", "score, then document")
    drawn = {
        f"t{source.randrange(10)}-{number}": _topic(source, trees, names)
        for number in range(topics)
    }
    _grade_one(drawn)
    return Batch(texts, drawn, order or source.choice(orders), source.random() < 0.5, trees)


def _name(source: random.Random, number: int) -> str:
    """Short names, names of more than one and of more than two words of memory, other scripts."""
    return source.choice(("d", "doc-", "Ärztekammer/", "a-rather-long-name-of/")) + str(number)


def _text(source: random.Random, length: int) -> str:
    text = ""
    while len(text) < length:
        text += source.choice(WORDS)
    return text[:length]


def _tree(source: random.Random, tag: str, start: int, end: int, depth: int = 0) -> Node:
    """An element with others in it: one that is as large, empty ones, with text between or not."""
    node = Node(tag, start, end)
    if depth == 4 or source.random() < 0.28 * depth:
        return node
    if source.random() < 0.1:
        spans = [(start, end)]
    else:
        cuts = sorted(source.randint(start, end) for _ in range(2 * source.randint(0, 3)))
        spans = list(zip(cuts[::2], cuts[1::2], strict=True))
        if source.random() < 0.3:  # one after the other, without text between them
            spans = list(zip([start, *cuts], [*cuts, end], strict=True))
    for left, right in spans:
        child = _tree(source, source.choice("abp"), left, right, depth + 1)
        node.children.append(child)
    return node


def tree_of(sizes: dict[str, int]) -> Node:
    """The tree of some paths: children lie one after the other from the start of their parent.

    Siblings that the positions of others ask for are there too, without any text.
    """
    nodes: dict[str, Node] = {}
    reached: dict[str, int] = {}
    for path, size in sizes.items():
        above, _, step = path.rpartition("/")
        tag, _, position = step.rstrip("]").partition("[")
        start = reached.get(above, nodes[above].start if above else 0)
        siblings = nodes[above].children if above else []
        while sum(node.tag == tag for node in siblings) < int(position) - 1:
            siblings.append(Node(tag, start, start))
        nodes[path] = Node(tag, start, start + size)
        siblings.append(nodes[path])
        reached[above] = start + size
    return nodes[next(iter(sizes))]


def _topic(source: random.Random, trees: Trees, names: list[str]) -> Topic:
    pool = source.sample(names, min(source.randint(1, 6), len(names)))
    judged = {}
    for name in pool:
        found = _judged(source, trees.roots[name].end)
        if found is not None:
            judged[name] = found
            if found.grade > 0:
                found.elements = _graded(source, trees.named(name))
    count = 0 if source.random() < 0.06 else source.randint(1, 10)
    rows: list[Row] = []
    for _ in range(count):
        rows.append(_row(source, source.choice(pool), trees, rows))
    return Topic(rows, judged)


def _grade_one(topics: dict[str, Topic]) -> None:
    """Where anything is relevant some element is, and has an aspect: all measures are possible."""
    relevant = [
        judged for topic in topics.values() for judged in topic.judged.values() if judged.grade > 0
    ]
    if not any(grades > (0, 0) for judged in relevant for grades in judged.elements.values()):
        for judged in relevant[:1]:
            judged.elements[next(iter(judged.elements))] = (2, 1)
    if not any(about for judged in relevant for _, about in judged.relevant):
        for judged in relevant[:1]:
            judged.aspects = [("A",)] * len(judged.ranges)


def _graded(source: random.Random, named: dict[str, Line]) -> dict[str, tuple[int, int]]:
    """Grades of some elements: of any, or as assessors give them, from the inside out."""
    paths = list(named)
    grades: dict[str, tuple[int, int]] = {paths[0]: (0, 0)}
    for path in source.sample(paths, min(len(paths), source.randint(0, 5))):
        grades[path] = source.randint(1, 3), source.randint(1, 3)
        if source.random() < 0.1:
            grades[path] = (0, 0)
    if source.random() < 0.5:
        return grades
    for path, (exhaustivity, specificity) in list(grades.items()):
        above = path.rpartition("/")[0]
        while above and exhaustivity:
            most = max(exhaustivity, grades.get(above, (0, 0))[0])
            grades[above] = most, source.randint(1, specificity)
            above = above.rpartition("/")[0]
    return grades


def _judged(source: random.Random, length: int) -> Judged | None:
    kind = source.random()
    if kind < 0.2:
        return None
    points = [source.randint(0, length) for _ in range(source.choice((0, 0, 1, 1, 2, 3)))]
    if kind < 0.35:
        return Judged(whole=source.choice((0, 0, -1, -2)), points=points)
    if kind < 0.4:
        return Judged(ranges=[(*_span(source, length, []), source.choice((0, -1)))], points=points)
    if kind < 0.45:
        return Judged(points=points) if points else None
    spans: list[Span] = []
    for _ in range(source.randint(1, 3)):
        spans.append(_span(source, length, spans))
    ranges = [(*span, source.choice((1, 1, 1, 2, 3, 0))) for span in spans]
    if kind < 0.55:
        return Judged(ranges[:1], source.choice((1, 2, 3)), points)
    return Judged(ranges, None, points, aspects=[_aspects(*each) for each in ranges])


def _aspects(start: int, end: int, grade: int) -> tuple[str, ...]:
    """Some of three aspects, or none: settled by the range, so that drawing goes on as before."""
    chosen = 5 * start + 3 * end + grade
    return tuple(name for bit, name in enumerate("ABC") if chosen >> bit & 1)


def _span(source: random.Random, length: int, others: list[Span]) -> Span:
    """A range: anywhere, or nested in, touching, crossing or repeating one that is there."""
    kind = source.random()
    start = source.randrange(length)
    end = source.randint(start + 1, length)
    if others and kind < 0.6:
        left, right = source.choice(others)
        if kind < 0.15:
            return left, right
        if kind < 0.3 and right < length:
            return right, source.randint(right + 1, length)
        if kind < 0.45 and left > 0:
            return source.randrange(left), left
        inside = source.randrange(left, right)
        return inside, source.randint(inside + 1, right)
    return (0, length) if kind > 0.95 else (start, end)


def _row(source: random.Random, name: str, trees: Trees, rows: list[Row]) -> Row:
    kind = source.random()
    score = source.choice((0.0, 0.25, 1.0, 1.0, 2.5, -3.0, 1e-3, float("inf")))
    rank = source.randint(1, 8)
    if kind < 0.1:
        return Row(name, extent=Extent.WHOLE, score=score, rank=rank)
    if kind < 0.2:
        return Row(name, extent=Extent.NOTHING, score=score, rank=rank)
    if kind < 0.6:
        row = element_row(name, *source.choice(list(trees.named(name).items())))
        if kind < 0.3 and row.end > row.start:
            row = Row(name, row.start, row.end)
        return replace(row, score=score, rank=rank)
    others = [(row.start, row.end) for row in rows if row.document == name and row.end > row.start]
    start, end = _span(source, trees.roots[name].end, others)
    return Row(name, start, end, score=score, rank=rank)


def element_row(document: str, path: str, line: Line) -> Row:
    """An answer that names an element by its path."""
    return Row(document, line[-1].start, line[-1].end, Extent.ELEMENT, path=path)


def batches(**choices: Any) -> st.SearchStrategy[Batch]:
    """Batches for hypothesis; the choices are those of ``random_batch``."""
    return st.randoms(use_true_random=False).map(lambda source: random_batch(source, **choices))


def seeded_batch(seed: int, topics: int, **choices: Any) -> Batch:
    """A large batch, quickly."""
    return random_batch(random.Random(seed), topics, max(9, topics // 20), **choices)


# -- converting


def run_of(batch: Batch, name: str = "x") -> Run:
    """The run of a batch: rows of all topics, as they stand in the file, elements resolved."""
    rows = [(topic, row) for topic, found in batch.topics.items() for row in found.rows]
    run = Run.of(
        name,
        [topic for topic, _ in rows],
        [row.document for _, row in rows],
        start=[row.start for _, row in rows],
        end=[row.end for _, row in rows],
        extent=[row.extent for _, row in rows],
        score=[row.score for _, row in rows],
        rank=[row.rank for _, row in rows],
        order=batch.order,
        paths=[row.path or NO_PATH for _, row in rows],
    )
    elements = batch.trees.elements
    return run if elements is None else run_with_ranges(run, elements, Faults("x"))


def assessments_of(batch: Batch) -> Assessments:
    """The assessments of a batch, through the door that all formats use."""
    judgements = Judgements(Faults("x"))
    for topic, found in batch.topics.items():
        for document, judged in found.judged.items():
            aspects = judged.aspects or [()] * len(judged.ranges)
            for (start, end, grade), about in zip(judged.ranges, aspects, strict=True):
                judgements.add_range(topic, document, start, end, grade, about)
            if judged.whole is not None:
                judgements.judge(topic, document, judged.whole)
            for point in judged.points:
                judgements.add_entry_point(topic, document, point)
            for path, grades in judged.elements.items():
                judgements.add_element(topic, document, path, *grades)
    if batch.lengths_judged:
        for document, length in batch.lengths.items():
            judgements.add_document(document, length)
    return judgements.build()


def documents_of(batch: Batch) -> FakeDocuments:
    """The documents of a batch."""
    return FakeDocuments(batch.texts, elements=batch.trees.elements)


def case_of(batch: Batch, topic: str, overlap: str = "union") -> Case:
    """A topic as the slow twin takes it."""
    found = batch.topics[topic]
    relevant = {document: judged.relevant for document, judged in found.judged.items()}
    return Case(
        [_answer(row, batch.order) for row in found.ranked(batch.order)],
        {document: [span for span, _ in ranges] for document, ranges in relevant.items()},
        grades={document: judged.grade for document, judged in found.judged.items()},
        entry_points={document: judged.points for document, judged in found.judged.items()},
        lengths=batch.lengths,
        texts=batch.texts,
        mean_length=batch.mean_length,
        whole_relevant={d for d, judged in found.judged.items() if (judged.whole or 0) > 0},
        overlap=overlap,
        trees=batch.trees.roots,
        element_grades={d: judged.elements for d, judged in found.judged.items()},
        aspects={d: [about for _, about in ranges] for d, ranges in relevant.items()},
        chunks={document: chunks_of(len(text)) for document, text in batch.texts.items()},
    )


def _answer(row: Row, order: Order) -> Answer:
    rank = row.rank if order == "rank" else None
    if row.extent in (Extent.RANGE, Extent.ELEMENT) and row.end > row.start:
        return Answer(row.document, row.start, row.end, path=row.path, rank=rank)
    if row.extent == Extent.ELEMENT:
        return Answer(row.document, parts=False, path=row.path, rank=rank)
    return Answer(row.document, parts=row.extent == Extent.WHOLE, rank=rank)


def chunks_of(length: int) -> list[Span]:
    """A document cut into chunks: touching, overlapping, nested, with text left out."""
    spans = []
    for start in range(0, length, 12):
        for place, size in ((0, 3), (3, 4), (5, 4), (6, 1)):
            if start + place < length:
                spans.append((start + place, min(start + place + size, length)))
    return spans


def chunking_of(batch: Batch) -> Chunking:
    """The documents of a batch cut into chunks."""
    rows = [(d, *span) for d, text in batch.texts.items() for span in chunks_of(len(text))]
    documents, start, end = zip(*rows, strict=True) if rows else ((), (), ())
    return Chunking(Identifiers.of(documents), np.array(start, int), np.array(end, int))


def has_relevant(batch: Batch) -> bool:
    """Has any topic something relevant? Without that there is nothing to evaluate."""
    return any(
        judged.grade > 0 for topic in batch.topics.values() for judged in topic.judged.values()
    )


def scored(
    batch: Batch,
    measures: Sequence[ListScore],
    policy: Policy | None = None,
    blocks: Callable[[Run], list[Run]] = lambda run: [run],
) -> RunScores:
    """The scores of a batch."""
    evaluation = Evaluation(
        assessments_of(batch),
        tuple(Asked(str(measure), measure) for measure in measures),
        policy or Policy(),
        documents_of(batch),
        chunking_of(batch),
    )
    return evaluation.score(blocks(run_of(batch)), "x")


Values = dict[tuple[str, str], float]


def values_of(batch: Batch, measures: Sequence[ListScore], **how: Any) -> Values:
    """The score of each measure and topic for which it has one."""
    found = scored(batch, measures, **how)
    return {
        (str(measure), topic): value
        for measure, row in zip(measures, found.values.tolist(), strict=True)
        for topic, value in zip(found.topics, row, strict=True)
        if not math.isnan(value)
    }


# -- measures

CUTOFFS: dict[CutOff, tuple[Any, ...]] = {
    CutOff.NONE: (None,),
    CutOff.RANK: (1, 2, 3, 5, 10, 700),
    CutOff.OPTIONAL_RANK: (None, 1, 2, 3, 5, 10, 700),
    CutOff.RECALL: (0, 0.01, 0.1, 0.25, 0.29, 0.3, 0.5, 0.57, 2 / 3, 0.75, 1),
    CutOff.RECALL_ABOVE_ZERO: (0.01, 0.1, 0.25, 0.29, 0.3, 0.5, 0.57, 2 / 3, 0.75, 1),
}


def fitting_items(kind: type[Score]) -> list[type[Score] | None]:
    """The items that a list score can be over; None if it takes none, or does without."""
    wanted = [d.metadata["item"] for d in fields(kind) if is_item(d)]
    if not wanted:
        return [None]
    fitting: list[type[Score] | None] = [i for i in items().values() if i.kind == wanted[0]]
    default = kind()
    alone = isinstance(default, ListScore) and not default.lacks_item and default.item is None
    return [None, *fitting] if alone else fitting


def every_pair() -> list[tuple[type[Score], type[Score] | None]]:
    """Every registered list score with every item that fits."""
    return [(kind, item) for kind in lists().values() for item in fitting_items(kind)]


def pair_name(pair: tuple[type[Score], type[Score] | None]) -> str:
    """What to call such a pair."""
    kind, item = pair
    return kind.name if item is None else f"{kind.name}({item.name})"


def random_score(source: random.Random, kind: type[Score], item: Score | None = None) -> Score:
    """A measure with parameters drawn from what its fields allow."""
    chosen = {d.name: _value(source, d) for d in fields(kind) if domain_of(d) is not None}
    try:
        return kind(**chosen) if item is None else kind(item, **chosen)  # type: ignore[arg-type]
    except MeasureError:  # parameters that do not go together
        return random_score(source, kind, item)


def _value(source: random.Random, definition: Field[Any]) -> Any:
    """A value to try; extra parameters are mostly left at their defaults."""
    if is_extra(definition) and source.random() < 0.5:
        return definition.default
    return source.choice(examples_of(definition))


def random_measure(source: random.Random, kind: type[Score], item: type[Score] | None) -> ListScore:
    """A list score over an item, both with random parameters, and a random cut-off."""
    score = random_score(source, kind, None if item is None else random_score(source, item))
    assert isinstance(score, ListScore)
    cutoff = source.choice(CUTOFFS[score.takes])
    return score if cutoff is None else score @ cutoff


def plain_measures(rank: int = 3, recall: float = 0.3) -> Iterator[ListScore]:
    """Every list over every item with default parameters, cut off only where it must be."""
    cutoff = {CutOff.RANK: rank, CutOff.RECALL: recall, CutOff.RECALL_ABOVE_ZERO: recall}
    for kind, item in every_pair():
        score = kind() if item is None else kind(item())  # type: ignore[call-arg]
        assert isinstance(score, ListScore)
        yield score @ cutoff[score.takes] if score.takes in cutoff else score


def varied_measures(seed: int, each: int = 2) -> list[ListScore]:
    """Every list over every item: with defaults, and some times with random parameters."""
    source = random.Random(seed)
    drawn = [
        random_measure(source, *pair)
        for pair in every_pair()
        # There are many lists over gains, and a gain is dear.
        for _ in range(1 if pair[1] and pair[1].kind == "gain" else each)
    ]
    return list(dict.fromkeys([*plain_measures(), *drawn]))
