"""A synthetic collection: documents, topics and assessments, drawn from a seed, in memory.

It has what real collections have: topics with few and with many relevant documents, documents that
are relevant as a whole and documents with one relevant sentence, passages that follow elements and
passages that do not.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from spanwise.data.assessments import Assessments
from spanwise.data.documents import Documents
from spanwise.data.elements import ROOT, Elements, Paths, Tree
from spanwise.data.judgements import Judgements
from spanwise.data.notes import Faults
from spanwise.errors import NeedError, SpanwiseError
from spanwise.text.ranges import Integers

TOKEN = 6
"""Characters from the beginning of one token to that of the next."""
_GAP = 2
"""Characters between one block of text and the next."""


@dataclass(frozen=True, eq=False)
class SyntheticDocuments(Documents):
    """Documents by name, as evaluations ask for them."""

    paths: Paths
    trees: Mapping[str, Tree]

    @cached_property
    def lengths(self) -> Mapping[str, int]:
        """Characters of each document: those of its root."""
        return {name: int(tree.size[0]) for name, tree in self.trees.items()}

    @cached_property
    def elements(self) -> Elements:
        """The trees of the documents."""
        return Elements(self.paths, self.trees.get)

    @property
    def has_tokens(self) -> bool:
        """Tokens can be had, of equal length."""
        return True

    def tokens(self, document: str) -> tuple[Integers, Integers]:
        """Where each token of a document starts and ends."""
        if document not in self.lengths:
            raise NeedError(f"there is no synthetic document {document}")
        start = np.arange(0, self.lengths[document], TOKEN, dtype=np.int64)
        return start, np.minimum(start + TOKEN - 1, self.lengths[document])


def synthetic_documents(generator: np.random.Generator, count: int) -> SyntheticDocuments:
    """Articles with a title and sections of paragraphs, in which there are links.

    >>> made = synthetic_documents(np.random.default_rng(1), 3)
    >>> list(made.lengths), made.paths.text(0)
    (['d00000', 'd00001', 'd00002'], '/article[1]')
    """
    paths = Paths()
    trees = {f"d{number:05}": _Writer(paths, generator).article() for number in range(count)}
    return SyntheticDocuments(paths, trees)


class _Writer:
    """Writes one document: elements in document order, while the text grows."""

    def __init__(self, paths: Paths, generator: np.random.Generator) -> None:
        self.paths, self.draw = paths, generator
        self.rows: list[list[int]] = []
        self.length = 0

    def article(self) -> Tree:
        root = self._open(ROOT, "article", 1)
        self._leaf(root, "title", 1, int(self.draw.integers(10, 60)))
        sections = int(self.draw.integers(3, 10))
        for number in range(sections):
            self._section(root, number + 1, apart=180 // sections)
        self._close(root)
        path, parent, start, size = (
            np.array(column, np.int64) for column in zip(*self.rows, strict=True)
        )
        return Tree(path, parent, start, size)

    def _section(self, root: int, number: int, apart: int) -> None:
        section = self._open(root, "sec", number)
        self._leaf(section, "title", 1, int(self.draw.integers(8, 40)))
        for paragraph in range(int(self.draw.integers(1, 7))):
            self._paragraph(section, paragraph + 1, apart)
        self._close(section)

    def _paragraph(self, section: int, number: int, apart: int) -> None:
        """Links all along, this many characters apart: in long documents they are closer."""
        paragraph = self._open(section, "p", number)
        end = self.length + int(self.draw.lognormal(6.0, 0.6)) + 40
        gaps = self.draw.integers(apart, apart + 20, 99).tolist()
        sizes = self.draw.integers(20, 40, len(gaps)).tolist()
        for link, (gap, size) in enumerate(zip(gaps, sizes, strict=True)):
            if self.length + gap + size > end:
                break
            self.length += gap
            self._leaf(paragraph, "link", link + 1, size, gap=0)
        self.length = end
        self._close(paragraph)
        self.length += _GAP

    def _leaf(self, parent: int, tag: str, number: int, size: int, gap: int = _GAP) -> None:
        row = self._open(parent, tag, number)
        self.length += size
        self._close(row)
        self.length += gap

    def _open(self, parent: int, tag: str, number: int) -> int:
        above = ROOT if parent == ROOT else self.rows[parent][0]
        self.rows.append([self.paths.add(above, tag, number), parent, self.length, 0])
        return len(self.rows) - 1

    def _close(self, row: int) -> None:
        self.rows[row][3] = self.length - self.rows[row][2]


TOPICS = 114
"""As many as the taxonomy paper had."""
DOCUMENTS = 600
FEWEST_DOCUMENTS = 20
_MOST_RELEVANT = 0.15
"""Of the documents, for one topic."""
_MAIN_SHARE = 0.5
"""Of the topics: their longest relevant document is about nothing else."""
_REFUSED = 12
"""Documents judged not relevant to each topic."""

Span = tuple[int, int]


@dataclass(frozen=True, eq=False)
class Synthetic:
    """Documents and what is relevant in them."""

    assessments: Assessments
    documents: SyntheticDocuments
    seed: int


def synthetic(seed: int = 1, *, topics: int = TOPICS, documents: int = DOCUMENTS) -> Synthetic:
    """A collection; the same numbers give the same one.

    Source: our choice.

    >>> made = synthetic(topics=2, documents=30)
    >>> made.assessments.topics, len(made.documents.lengths)
    (('t000', 't001'), 30)
    """
    if topics < 1 or documents < FEWEST_DOCUMENTS:
        raise SpanwiseError(
            f"{topics} topics and {documents} documents; give at least 1 topic and"
            f" {FEWEST_DOCUMENTS} documents"
        )
    generator = np.random.default_rng(seed)
    made = synthetic_documents(generator, documents)
    judgements = Judgements(Faults("synthetic assessments"))
    for name, length in made.lengths.items():
        judgements.add_document(name, length)
    for topic in range(topics):
        _assess(f"t{topic:03}", made, judgements, generator)
    return Synthetic(judgements.build(), made, seed)


def second_assessor(collection: Synthetic, seed: int = 2) -> Assessments:
    """Another assessor's judgements of the same topics.

    Of the first assessor's passages one in seven is not relevant to the second, the ends of the
    others lie up to a sixth of their length elsewhere, and one in twelve of the documents that the
    first refused holds a passage. Every topic keeps something relevant.

    Source: our choice.

    >>> made = synthetic(topics=2, documents=30)
    >>> second_assessor(made).topics == made.assessments.topics
    True
    """
    first, generator = collection.assessments, np.random.default_rng(seed)
    judgements = Judgements(Faults("second synthetic assessments"))
    for name, length in first.lengths.items():
        judgements.add_document(name, length)
    names, ranges = first.documents.strings(), first.relevant.to_lists()
    for topic, begin, after in zip(
        first.topics, first.offsets[:-1].tolist(), first.offsets[1:].tolist(), strict=True
    ):
        kept = {
            names[pair]: _second_look(ranges[pair], int(first.length[pair]), generator)
            for pair in range(begin, after)
        }
        if not any(kept.values()):
            pair = next(pair for pair in range(begin, after) if ranges[pair])
            kept[names[pair]] = ranges[pair]
        _judge(topic, kept, judgements)
    return judgements.build()


def _second_look(found: list[Span], length: int, generator: np.random.Generator) -> list[Span]:
    """What a second assessor highlights in a document."""
    if not found:
        if generator.random() >= 1 / 12:
            return []
        start = int(generator.integers(0, length // 2))
        return [(start, start + length // 4)]
    return [_shifted(span, length, generator) for span in found if generator.random() >= 1 / 7]


def _shifted(span: Span, length: int, generator: np.random.Generator) -> Span:
    reach = (span[1] - span[0]) // 6
    left, right = generator.integers(-reach, reach + 1, 2).tolist()
    return max(span[0] + left, 0), min(span[1] + right, length)


# -- assessments


def _assess(
    topic: str, made: SyntheticDocuments, judgements: Judgements, generator: np.random.Generator
) -> None:
    """Relevant documents with their passages, and others that were judged too."""
    names = list(made.trees)
    most = max(2, int(_MOST_RELEVANT * len(names)))
    relevant = int(np.clip(generator.lognormal(2.7, 0.9), 1, most))
    chosen = [names[n] for n in generator.permutation(len(names))[: relevant + _REFUSED].tolist()]
    main = max(chosen[:relevant], key=made.lengths.__getitem__)
    whole = main if generator.random() < _MAIN_SHARE else None
    found: dict[str, list[Span]] = {name: [] for name in chosen}
    for name in chosen[:relevant]:
        length = made.lengths[name]
        found[name] = [(0, length)] if name == whole else list(_passages(made, name, generator))
    _judge(topic, found, judgements)


def _judge(topic: str, found: dict[str, list[Span]], judgements: Judgements) -> None:
    """Passages with the first of them as the best entry point; a document without is refused."""
    for name, spans in found.items():
        for start, end in spans:
            judgements.add_range(topic, name, start, end)
        if spans:
            judgements.add_entry_point(topic, name, min(start for start, _ in spans))
        else:
            judgements.judge(topic, name, 0)


def _passages(
    made: SyntheticDocuments, name: str, generator: np.random.Generator
) -> Iterator[Span]:
    """A passage in each of some sections, in most documents in one."""
    tree = made.trees[name]
    tag = np.array([made.paths.tag[path] for path in tree.path.tolist()])
    sections = np.flatnonzero(tag == "sec")
    count = min(len(sections), 1 + int(generator.poisson(0.6)))
    for section in generator.permutation(sections)[:count].tolist():
        paragraphs = np.flatnonzero((tag == "p") & (tree.parent == section))
        yield _passage(tree, section, paragraphs, generator)


def _passage(
    tree: Tree, section: int, paragraphs: Integers, generator: np.random.Generator
) -> Span:
    """A section, some of its paragraphs, or such paragraphs without their margins."""
    kind = generator.random()
    if kind < 0.35:
        return int(tree.start[section]), int(tree.end[section])
    first, last = np.sort(generator.integers(0, len(paragraphs), 2)).tolist()
    left, right = int(tree.start[paragraphs[first]]), int(tree.end[paragraphs[last]])
    if kind < 0.75:
        return left, right
    cut = generator.integers(0, min(200, (right - left) // 3) + 1, 2).tolist()
    return left + cut[0], right - cut[1]
