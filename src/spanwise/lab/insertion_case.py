"""The smallest case on which every measure has a value: two relevant answers, one half as good."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from spanwise.data.assessments import Assessments
from spanwise.data.documents import Documents
from spanwise.data.elements import ROOT, Elements, Paths, Tree
from spanwise.data.faults import Faults
from spanwise.data.judgements import Judgements
from spanwise.data.run import Run
from spanwise.evaluation.evaluate import Evaluation
from spanwise.measures.nicknames import Asked
from spanwise.text.ranges import Integers

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
    """What is relevant: ranges with a grade, entry points, and a graded element in each."""
    judgements = Judgements(Faults(NAME))
    for document, (start, end) in RELEVANT.items():
        grade = GRADES[document]
        judgements.add_range(TOPIC, document, start, end, grade - 1)
        judgements.add_entry_point(TOPIC, document, start)
        judgements.add_element(TOPIC, document, "/article[1]/sec[2]", grade, grade)
    return judgements.build()


def built_in_case(measures: Sequence[Asked]) -> tuple[Evaluation, Run]:
    """What to score with and what to score; a measure that is impossible is left out and named.

    >>> from spanwise.measures.nicknames import asked
    >>> evaluation, run = built_in_case(asked("Q", []))
    >>> evaluation.score([run], run.name).means
    (1.0,)
    """
    possible = tuple(replace(asked, optional=True) for asked in measures)
    return Evaluation(two_judgements(), possible, documents=TwoDocuments()), two_answers()
