"""What an explanation is made of: a table of steps, and the sentence that ends it."""

from __future__ import annotations

from dataclasses import asdict, dataclass, replace
from typing import Any, Literal

Cell = str | int | float | bool | None
Unit = Literal["rank", "answer", "segment", "element"]
"""What the steps of a table are, one by one."""


@dataclass(frozen=True, slots=True)
class Step:
    """One line: a document, an answer or a segment of text; or several that are all alike."""

    cells: tuple[Cell, ...]
    relevant: bool | None = False
    """None: nobody judged it."""
    through: int | None = None
    """The last of several alike, the first of which stands in the first cell."""


@dataclass(frozen=True, slots=True)
class Undrawn:
    """A unit of the ideal list that no answer drew from."""

    document: str
    unit: str
    """The path of an element, or a range of characters."""
    value: float


@dataclass(frozen=True, slots=True)
class Table:
    """Steps in the order in which they are counted.

    >>> table = Table("rank", ("rank", "S"), (Step((1, 0.5), relevant=True),), "", "0.5000 / 1")
    >>> table.rows()
    [{'rank': 1, 'S': 0.5}]
    """

    unit: Unit
    columns: tuple[str, ...]
    steps: tuple[Step, ...]
    legend: str = ""
    """What the columns mean that do not say it themselves."""
    result: str = ""
    """How the value follows from the steps."""
    others: str = "not relevant"
    """What the steps have in common that are not worth a line of their own."""
    undrawn: tuple[Undrawn, ...] | None = None
    """Of a measure that counts them: the ideal units that no answer drew from."""

    def rows(self) -> list[dict[str, Cell]]:
        """The steps as dictionaries; one that stands for several has its last in ``through``."""
        return [
            dict(zip(self.columns, step.cells, strict=True))
            | ({} if step.through is None else {"through": step.through})
            for step in self.steps
        ]

    def only(self, document: str) -> Table:
        """The steps about one document."""
        place = self.columns.index("document")
        steps = tuple(step for step in self.steps if step.cells[place] == document)
        units = self.undrawn
        mine = None if units is None else tuple(u for u in units if u.document == document)
        return replace(self, steps=steps, undrawn=mine)


@dataclass(frozen=True, slots=True)
class Missed:
    """A relevant document that the run did not return."""

    document: str
    characters: int | None
    """Its relevant text; None where only the length, which is not known, would tell."""


@dataclass(frozen=True, slots=True)
class Totals:
    """What the topic and its list hold."""

    documents: int
    answers: int
    relevant_documents: int
    relevant_characters: int | None
    missed: tuple[Missed, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """Names and numbers."""
        missed = [{"document": m.document, "characters": m.characters} for m in self.missed]
        return {
            "documents": self.documents,
            "answers": self.answers,
            "relevant_documents": self.relevant_documents,
            "relevant_characters": self.relevant_characters,
            "not_retrieved": missed,
        }


@dataclass(frozen=True, slots=True)
class Explanation:
    """How one measure came to its value for one topic of one run."""

    run: str
    topic: str
    measure: str
    """As it was asked for."""
    canonical: str
    value: float | None
    """None where the measure is not defined for the topic."""
    table: Table
    totals: Totals
    document: str | None = None
    score: float | None = None
    """What the item score of the document is, if it is in the list."""
    detail: Table | None = None
    """What happens inside the document."""

    def to_dict(self) -> dict[str, Any]:
        """Everything, for JSON."""
        about = {"run": self.run, "measure": self.measure, "canonical": self.canonical}
        found: dict[str, Any] = {**about, "topic": self.topic, "value": self.value}
        found |= {"result": self.table.result, "totals": self.totals.to_dict()}
        if self.document is not None:
            found |= {"document": self.document, "score": self.score}
        found |= {"rows": self.table.rows()}
        if self.table.undrawn is not None:
            found |= {"undrawn": [asdict(unit) for unit in self.table.undrawn]}
        if self.detail is not None:
            found |= {"document_result": self.detail.result, "segments": self.detail.rows()}
        return found


def shown(value: float) -> str:
    """A number as the sentences have it."""
    return f"{value:.4f}"
