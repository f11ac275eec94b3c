"""Lists of answers that are read up to a rank, or until a budget is spent."""

from __future__ import annotations

from dataclasses import dataclass

from spanwise.errors import MeasureError, NeedError
from spanwise.measures.base import CutOff, Family, ListScore, Need
from spanwise.measures.parameters import OneOf, Whole, parameter
from spanwise.measures.views.pages import Rankings


@dataclass(frozen=True)
class BudgetedList(ListScore):
    """Read the answers in order, every character once, up to a rank or until a budget is spent."""

    family = Family.ANSWER_LISTS
    takes = CutOff.OPTIONAL_RANK
    budget: int | None = parameter(
        None,
        Whole(optional=True),
        examples=(None, 1, 2, 5, 17, 60),
        extra=True,
        meaning="characters or tokens that may be read",
    )
    unit: str | None = parameter(
        None, OneOf(None, "characters", "tokens"), extra=True, meaning="the unit of the budget"
    )
    cutoff: int | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.unit is not None and self.budget is None:
            raise MeasureError(f"{self.name}: unit={self.unit} needs a budget, as in budget=512")

    def needs(self) -> frozenset[Need]:
        return frozenset({Need.TEXT} if self.unit == "tokens" else ())

    @property
    def budget_unit(self) -> str:
        """What the budget counts."""
        return self.unit or "characters"

    def require_tokens(self, rankings: Rankings) -> None:
        """Refuse a budget of tokens where the texts are not known."""
        if self.unit == "tokens":
            require_tokens(self, rankings)


def require_tokens(measure: ListScore, rankings: Rankings) -> None:
    """Refuse to count tokens where the texts of the documents are not known."""
    if not rankings.curve.has_tokens:
        raise NeedError(f"{measure} needs {Need.TEXT.value}")
