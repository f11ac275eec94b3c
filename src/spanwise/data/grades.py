"""Judgements of elements: grades of exhaustivity and specificity, or sizes."""

from __future__ import annotations

import numpy as np

from spanwise.data.elements import DEEPEST, steps_of
from spanwise.data.identifiers import Identifiers
from spanwise.records import Struct
from spanwise.text.ranges import Booleans, Integers

UNKNOWN = -1
TOO_SMALL = -2
"""The exhaustivity ``?`` of INEX 2005 to 2007: too small to be judged by itself."""
LARGEST_GRADE = 3
Said = tuple[int, int, int, int]
"""Exhaustivity, specificity, size and relevant size."""


class ElementJudgements(Struct, frozen=True, eq=False):
    """Judged elements, in the order of the file.

    Either ``specificity`` holds a grade (2004), or ``size`` and ``relevant_size`` say how much of
    the element is highlighted (2005 to 2007); what is not recorded is ``UNKNOWN``.
    """

    pair: Integers
    """The judged (topic, document) pair."""
    paths: Identifiers
    exhaustivity: Integers
    specificity: Integers
    size: Integers
    relevant_size: Integers
    line: Integers
    """Where it was read, 0 if that is not known."""

    def __len__(self) -> int:
        return len(self.pair)

    def take(self, rows: Integers, pair: Integers) -> ElementJudgements:
        """Some of the judgements, of pairs that are renumbered."""
        return ElementJudgements(
            pair,
            self.paths.take(rows),
            self.exhaustivity[rows],
            self.specificity[rows],
            self.size[rows],
            self.relevant_size[rows],
            self.line[rows],
        )

    def said(self, row: int) -> Said:
        """Exhaustivity, specificity, size and relevant size of one element."""
        return (
            int(self.exhaustivity[row]),
            int(self.specificity[row]),
            int(self.size[row]),
            int(self.relevant_size[row]),
        )

    def differs(self, other: Integers) -> Booleans:
        """Which judgements say something else than those in other rows?"""
        result: Booleans = (self.exhaustivity != self.exhaustivity[other]) | (
            self.specificity != self.specificity[other]
        )
        result |= self.size != self.size[other]
        result |= self.relevant_size != self.relevant_size[other]
        return result

    @property
    def graded(self) -> Booleans:
        """Which judgements are grades (and not sizes)?"""
        graded: Booleans = self.specificity != UNKNOWN
        return graded

    @property
    def relevant(self) -> Booleans:
        """Which elements are relevant: both grades above 0, or highlighted text inside."""
        by_grade = self.graded & (self.specificity > 0) & (self.exhaustivity > 0)
        result: Booleans = by_grade | (~self.graded & (self.relevant_size > 0))
        return result


_NOTHING = np.zeros(0, np.int64)
NO_ELEMENTS = ElementJudgements(
    _NOTHING, Identifiers.of([]), _NOTHING, _NOTHING, _NOTHING, _NOTHING, _NOTHING
)


class Pointed(Struct, frozen=True):
    """A passage or a best entry point given by places in the tree, not yet by characters.

    A place is a path, or a path and an offset: ``/article[1]/p[2]/text()[1].15``.
    """

    topic: str
    document: str
    start: str
    end: str | None
    """None: an entry point."""
    size: int = UNKNOWN
    """What the file says; counted with white space merged, so it only roughly agrees."""
    line: int = 0


_LONGEST = 60
"""Characters of a path that a message shows."""
Wrong = tuple[str, str] | None
"""What was found and what was expected, if something is wrong."""


def wrong_judgement(
    path: str, exhaustivity: int, specificity: int, size: int, relevant_size: int
) -> Wrong:
    """What is wrong with the judgement of an element, by grades or by sizes."""
    return _wrong_path(path) or (
        _wrong_grades(exhaustivity, specificity)
        if specificity != UNKNOWN
        else _wrong_sizes(exhaustivity, size, relevant_size)
    )


def wrong_rows(judged: ElementJudgements) -> Booleans:
    """Which judgements are wrong: those for which ``wrong_judgement`` says what."""
    exhaustivity, specificity = judged.exhaustivity, judged.specificity
    inside = (exhaustivity >= 0) & (exhaustivity <= LARGEST_GRADE)
    graded = inside & (specificity >= 0) & (specificity <= LARGEST_GRADE)
    graded &= (exhaustivity > 0) == (specificity > 0)
    sized = inside | (exhaustivity == UNKNOWN) | (exhaustivity == TOO_SMALL)
    sized &= (judged.relevant_size >= 0) & (judged.relevant_size <= judged.size)
    wrong: Booleans = ~np.where(judged.graded, graded, sized)
    paths = judged.paths.strings()
    good = {path: steps_of(path) is not None for path in set(paths)}
    if not all(good.values()):
        wrong |= np.array([not good[path] for path in paths], np.bool_)
    return wrong


def _wrong_path(path: str) -> Wrong:
    if steps_of(path) is None:
        long = len(path) > _LONGEST
        limit = f" of at most {DEEPEST} steps" if long else ""
        expected = f"a path such as /article[1]/sec[2]{limit}"
        return f"path {path[:_LONGEST]!r}{'...' if long else ''}", expected
    return None


def _wrong_grades(exhaustivity: int, specificity: int) -> Wrong:
    grades = (exhaustivity, specificity)
    inside = all(0 <= grade <= LARGEST_GRADE for grade in grades)
    if inside and (exhaustivity > 0) == (specificity > 0):
        return None
    expected = f"both 0, or both from 1 to {LARGEST_GRADE}"
    grade = "?" if exhaustivity == TOO_SMALL else exhaustivity
    return f"exhaustivity {grade} and specificity {specificity}", expected


def _wrong_sizes(exhaustivity: int, size: int, relevant_size: int) -> Wrong:
    if not (exhaustivity in (UNKNOWN, TOO_SMALL) or 0 <= exhaustivity <= LARGEST_GRADE):
        return f"exhaustivity {exhaustivity}", f"0 to {LARGEST_GRADE}, or ?"
    if not 0 <= relevant_size <= size < 2**63:
        return f"size {size} and rsize {relevant_size}", "0 <= rsize <= size"
    return None
