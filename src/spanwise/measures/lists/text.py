"""Text lists: precision and recall of all that the first answers return, over all documents."""

from __future__ import annotations

from dataclasses import dataclass

from spanwise.errors import MeasureError, NeedError
from spanwise.measures.base import CutOff, Family, ListScore, Need
from spanwise.measures.documents.sets import f_score, ratio
from spanwise.measures.parameters import OneOf, Whole, parameter
from spanwise.measures.registry import measure
from spanwise.measures.views.rankings import Rankings
from spanwise.text.ranges import Floats, Integers

OURS = "our choice, after the INEX Focused task"


@dataclass(frozen=True)
class _TextList(ListScore):
    """Read the answers in order, every character once, up to a rank or until a budget is spent."""

    family = Family.ANSWER_LISTS
    takes = CutOff.OPTIONAL_RANK
    budget: int | None = parameter(
        None, Whole(optional=True), examples=(None, 1, 2, 5, 17, 60), extra=True
    )
    unit: str | None = parameter(None, OneOf(None, "characters", "tokens"), extra=True)
    cutoff: int | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.unit is not None and self.budget is None:
            raise MeasureError(f"{self.name}: unit={self.unit} needs a budget, as in budget=512")

    def needs(self) -> frozenset[Need]:
        return frozenset({Need.TEXT} if self.unit == "tokens" else ())

    def counts(self, rankings: Rankings) -> tuple[Integers, Integers]:
        """Characters read and found."""
        curve = rankings.curve
        if self.budget is None:
            return curve.after(self.cutoff)
        if self.unit == "tokens" and not curve.has_tokens:
            raise NeedError(f"{self} needs {Need.TEXT.value}")
        return curve.within(self.budget, self.unit or "characters", self.cutoff)

    def precision(self, rankings: Rankings) -> Floats:
        """Of what was read."""
        read, found = self.counts(rankings)
        return ratio(found, read)

    def recall(self, rankings: Rankings) -> Floats:
        """Of what is relevant."""
        return ratio(self.counts(rankings)[1], rankings.relevant_text)


@measure(source=OURS, equation="text precision", perfect=None)
@dataclass(frozen=True)
class textP(_TextList):
    r"""Text precision: the share of the text read that is relevant.

    $$textP@k = \frac{|U_k \cap rel|}{|U_k|}$$

    where U_k is the union of the first k answers over all documents (all answers without k) and
    rel the relevant text of the topic. With a budget, U is what can be read for it: new characters
    cost 1 each (or tokens, with ``unit=tokens``).

    Source: our choice, after the INEX Focused task; char_prec of the INEX 2010 evaluator.

    >>> str(textP(budget=2000)), str(textP @ 5)
    ('textP(budget=2000)', 'textP@5')
    """

    def score(self, rankings: Rankings) -> Floats:
        return self.precision(rankings)


@measure(source=OURS, equation="text recall", perfect=None)
@dataclass(frozen=True)
class textR(_TextList):
    r"""Text recall: the share of the relevant text that was read.

    $$textR@k = \frac{|U_k \cap rel|}{Trel}$$

    where U_k is the union of the first k answers (or what a budget allows to read of them), rel
    the relevant text of the topic and Trel its size.

    Source: our choice, after the INEX Focused task; char_rec of the INEX 2010 evaluator.

    >>> str(textR(budget=512, unit="tokens"))
    'textR(budget=512,unit=tokens)'
    """

    def score(self, rankings: Rankings) -> Floats:
        return self.recall(rankings)


@measure(source=OURS, equation="text F", perfect=None)
@dataclass(frozen=True)
class textF(_TextList):
    r"""The harmonic mean of text precision and text recall.

    $$textF@k = \frac{2\, textP@k\, textR@k}{textP@k + textR@k}$$

    where textP and textR are those of the same k or budget.

    Source: our choice, after the INEX Focused task; char_f1 of the INEX 2010 evaluator.

    >>> str(textF())
    'textF'
    """

    def score(self, rankings: Rankings) -> Floats:
        return f_score(self.precision(rankings), self.recall(rankings), 1.0)


@measure(source=OURS, equation="text IoU", perfect=None)
@dataclass(frozen=True)
class textIoU(_TextList):
    r"""Intersection over union of the text read and the relevant text.

    $$textIoU@k = \frac{|U_k \cap rel|}{|U_k \cup rel|}$$

    where U_k is the union of the first k answers (or what a budget allows to read of them) and rel
    the relevant text of the topic.

    Source: our choice.

    >>> str(textIoU @ 5)
    'textIoU@5'
    """

    literal = False

    def score(self, rankings: Rankings) -> Floats:
        read, found = self.counts(rankings)
        return ratio(found, read + rankings.relevant_text - found)
