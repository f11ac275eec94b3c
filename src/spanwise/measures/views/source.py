"""Where views come from: alignment hands over an object that makes each of them when asked."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from spanwise.text.ranges import Integers, Ranges

if TYPE_CHECKING:
    from spanwise.measures.views.answer_curve import AnswerCurve
    from spanwise.measures.views.ranked_answers import NamedElements, RankedAnswers
    from spanwise.measures.views.recall_base import Ideal, RecallBase
    from spanwise.measures.views.written import Gold, Written


class ViewSource(Protocol):
    """Makes what only some measures need; a view asks once and keeps the answer.

    Each method refuses with a ``NeedError`` where the data do not have what it takes.
    """

    def relevant_text(self) -> Integers:
        """Relevant characters of each ranking's topic."""

    def curve(self) -> AnswerCurve:
        """What is read and found after each answer."""

    def overlapping(self) -> tuple[Integers, Integers]:
        """Answers of each ranking, and how many share a character with another one."""

    def answers(self) -> RankedAnswers:
        """The answers in order, for measures of gain."""

    def places(self) -> tuple[Integers, Integers]:
        """Start and end of each answer."""

    def recall_base(self, quant: str, ideal: Ideal) -> RecallBase:
        """What elements are worth, and which are ideal."""

    def named_elements(self, base: RecallBase) -> NamedElements:
        """The elements that the answers name."""

    def tokens(self, page: int) -> tuple[Integers, Integers]:
        """Starts and ends of the tokens of a page's document."""

    def written(self) -> Written:
        """The answers and the judged documents, for measures that count ranges."""

    def gold(self) -> Gold:
        """The relevant ranges of the judged documents, as they were written."""

    def touched(self, *, strict: bool) -> tuple[Ranges, Integers]:
        """The chunks that touch the gold: their text in each judged document, and their number."""

    def document_name(self, answer: int) -> str:
        """What messages call the document of an answer: with its topic."""
