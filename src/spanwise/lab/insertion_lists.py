"""Lists with irrelevant answers in them, and a small case on which every measure has values."""

from __future__ import annotations

from collections import ChainMap
from collections.abc import Mapping, MutableMapping, Sequence
from copy import copy
from dataclasses import dataclass
from functools import cached_property
from typing import Literal, cast, get_args

import numpy as np

from spanwise.data.assessments import Assessments
from spanwise.data.documents import Documents
from spanwise.data.elements import ROOT, Elements, Paths, Tree
from spanwise.data.identifiers import Identifiers
from spanwise.data.judgements import Judgements
from spanwise.data.notes import Faults
from spanwise.data.run import NO_PATH, Extent, Run
from spanwise.evaluation.evaluate import Evaluation
from spanwise.evaluation.policy import Notes, ranked
from spanwise.evaluation.scores import RunScores
from spanwise.measures.grammar import Asked
from spanwise.records import replace
from spanwise.text.ranges import Integers, offsets_of

NAME = "the built-in case"
TOPIC = "topic"
SECTION = 500
"""Characters of a section, of which every document has three; the second one is the answer."""
LENGTH = 3 * SECTION
ANSWER = (SECTION, 2 * SECTION)
RELEVANT = {"better": ANSWER, "half as good": (SECTION + SECTION // 2, 2 * SECTION)}
"""All of the first answer is relevant, half of the second one."""
GRADES = {"better": 3, "half as good": 2}
"""Exhaustivity and specificity: worth 1 and 0.5 under ``sog``, as in the paper's figure."""
WORD = 5
"""Characters of a word and the blank after it."""


def words_of(length: int) -> tuple[Integers, Integers]:
    """Where the words of a text start and end, if all are equally long."""
    start = np.arange(0, length, WORD, dtype=np.int64)
    return start, np.minimum(start + WORD - 1, length)


@dataclass(frozen=True)
class TwoDocuments(Documents):
    """Two documents of three sections each."""

    @cached_property
    def lengths(self) -> Mapping[str, int]:
        """Characters of each document."""
        return dict.fromkeys(RELEVANT, LENGTH)

    @property
    def has_tokens(self) -> bool:
        """Tokens are words of equal length."""
        return True

    @cached_property
    def elements(self) -> Elements:
        """An article with its sections."""
        paths = Paths()
        sections = [f"/article[1]/sec[{number}]" for number in (1, 2, 3)]
        columns = (
            [paths.add_path(path) for path in ("/article[1]", *sections)],
            (ROOT, 0, 0, 0),
            (0, *range(0, LENGTH, SECTION)),
            (LENGTH, *(SECTION for _ in sections)),
        )
        tree = Tree(*(np.array(column, np.int64) for column in columns))
        return Elements(paths, lambda name: tree if name in self.lengths else None)

    def tokens(self, document: str) -> tuple[Integers, Integers]:
        """Words of equal length."""
        return words_of(self.lengths[document])


def two_answers() -> Run:
    """The ideal list: the better answer, then the one that is half as good."""
    start, end = ANSWER
    size = len(RELEVANT)
    return Run.of(NAME, [TOPIC] * size, list(RELEVANT), start=[start] * size, end=[end] * size)


def two_judgements() -> Assessments:
    """What is relevant: ranges with a grade and an aspect, entry points, graded elements."""
    judgements = Judgements(Faults(NAME))
    for document, (start, end) in RELEVANT.items():
        grade = GRADES[document]
        judgements.add_range(TOPIC, document, start, end, grade - 1, aspects=(document,))
        judgements.add_entry_point(TOPIC, document, start)
        judgements.add_element(TOPIC, document, "/article[1]/sec[2]", grade, grade)
    return judgements.build()


def built_in_case(measures: Sequence[Asked]) -> tuple[Evaluation, Run]:
    """What to score with and what to score; a measure that is impossible is left out and named.

    >>> from spanwise.measures.grammar import asked
    >>> evaluation, run = built_in_case(asked("Q"))
    >>> evaluation.score([run], run.name).means
    (1.0,)
    """
    possible = tuple(replace(asked, optional=True) for asked in measures)
    return Evaluation(two_judgements(), possible, documents=TwoDocuments()), two_answers()


def with_further_documents(evaluation: Evaluation, lengths: dict[str, int]) -> Evaluation:
    """The same evaluation, which knows the lengths of some more documents."""
    knowing = copy(evaluation)
    known = cast(MutableMapping[str, int], evaluation.assessments.lengths)
    knowing.assessments = replace(evaluation.assessments, lengths=ChainMap(lengths, known))
    if evaluation.documents is not None:
        knowing.documents = WithFurther(evaluation.documents, lengths)
    return knowing


@dataclass(frozen=True, slots=True)
class WithFurther(Documents):
    """Documents, and others that do not exist."""

    documents: Documents
    further: dict[str, int]

    @property
    def lengths(self) -> Mapping[str, int]:
        """Characters of each document."""
        return ChainMap(self.further, cast(MutableMapping[str, int], self.documents.lengths))

    @property
    def elements(self) -> Elements | None:
        """What does not exist has no elements."""
        return self.documents.elements

    @property
    def has_tokens(self) -> bool:
        """Can tokens be had?"""
        return self.documents.has_tokens

    @cached_property
    def mean_length(self) -> float:
        """That of the documents that exist."""
        return self.documents.mean_length

    @property
    def has_text(self) -> bool:
        """Whether any document that exists has its text."""
        return self.documents.has_text

    def text(self, document: str) -> str:
        """The text of a document that exists."""
        return self.documents.text(document)

    def tokens(self, document: str) -> tuple[Integers, Integers]:
        """Words of equal length for what does not exist."""
        if document in self.further:
            return words_of(self.further[document])
        return self.documents.tokens(document)


Mode = Literal["insert", "precede"]
MODES: tuple[Mode, ...] = get_args(Mode)


@dataclass(frozen=True, slots=True)
class Inserting:
    """A run in its order, the answers that go into it, and what to score the result with."""

    evaluation: Evaluation
    run: Run
    """The answers of the run, and after them those that are inserted, which have no topic."""
    own: Integers
    """Where the own answers of each topic begin."""
    first: int
    """The first of the answers that are inserted."""

    @classmethod
    def into(cls, evaluation: Evaluation, run: Run, most: int) -> Inserting:
        """With as many answers to insert as will be needed."""
        run = ranked(run, evaluation.policy.order, Notes())
        inserted = Inserted.like(run, evaluation, most)
        knowing = with_further_documents(evaluation, inserted.lengths)
        return cls(knowing, inserted.after(run), run.offsets, len(run))

    def scores(self, mode: Mode, count: int) -> RunScores:
        """The scores of the run with this many answers inserted for each topic."""
        return self.evaluation.score([self.longer(mode, count)], self.run.name)

    def longer(self, mode: Mode, count: int) -> Run:
        """The run with the same answers inserted for each topic."""
        added = np.arange(self.first, self.first + count)
        parts = [self._rows(topic, mode, added) for topic in range(len(self.run.topics))]
        rows = np.concatenate([np.zeros(0, np.int64), *parts])
        topic = np.repeat(np.arange(len(parts)), [len(part) for part in parts])
        return _taken(self.run, rows, offsets_of(topic, len(parts)))

    def _rows(self, topic: int, mode: Mode, added: Integers) -> Integers:
        own = np.arange(self.own[topic], self.own[topic + 1])
        before = 1 if mode == "insert" else 0
        return np.concatenate([own[:before], added, own[before:]])


def _taken(run: Run, rows: Integers, offsets: Integers) -> Run:
    """Answers in the order given, some of them for several topics."""
    return replace(
        run,
        offsets=offsets,
        documents=run.documents.take(rows),
        extent=run.extent[rows],
        start=run.start[rows],
        end=run.end[rows],
        line=None if run.line is None else run.line[rows],
        paths=None if run.paths is None else run.paths.take(rows),
        element=None if run.element is None else run.element[rows],
        quotes=None,
    )


@dataclass(frozen=True, slots=True)
class Inserted:
    """Answers from unjudged documents."""

    names: tuple[str, ...]
    whole: bool
    size: int

    @classmethod
    def like(cls, run: Run, evaluation: Evaluation, most: int) -> Inserted:
        """Whole documents if the run returns such, else ranges of the usual size."""
        taken = {*run.documents.strings(), *evaluation.assessments.documents.strings()}
        prefix = "inserted"
        while any(name.startswith(prefix) for name in taken):
            prefix += "-"
        names = tuple(f"{prefix} {number}" for number in range(1, most + 1))
        ranges = run.extent == Extent.RANGE
        sizes = (run.end - run.start)[ranges]
        whole = len(run) > 0 and bool((run.extent == Extent.WHOLE).all())
        return cls(names, whole, int(np.median(sizes)) if len(sizes) else SECTION)

    @property
    def lengths(self) -> dict[str, int]:
        """Documents that hold the answer and nothing else."""
        return dict.fromkeys(self.names, self.size)

    def after(self, run: Run) -> Run:
        """These answers behind those of a run whose order is final."""
        many = len(self.names)
        extent = Extent.WHOLE if self.whole else Extent.RANGE
        paths = (
            None if run.paths is None else [*run.paths.strings(), *(NO_PATH for _ in self.names)]
        )
        return replace(
            run,
            documents=Identifiers.of([*run.documents.strings(), *self.names]),
            extent=np.concatenate([run.extent, np.full(many, extent, np.uint8)]),
            start=_longer(run.start, 0, many),
            end=_longer(run.end, 0 if self.whole else self.size, many),
            score=None,
            rank=None,
            order="file",
            line=None if run.line is None else _longer(run.line, 0, many),
            quotes=None,
            paths=None if paths is None else Identifiers.of(paths),
            element=None if run.element is None else _longer(run.element, -1, many),
        )


def _longer(column: Integers, value: int, many: int) -> Integers:
    return np.concatenate([column, np.full(many, value, np.int64)])
