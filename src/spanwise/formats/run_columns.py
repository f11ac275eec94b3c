"""Answers of one or several runs as columns, on their way to becoming runs."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from spanwise.data.faults import Faults
from spanwise.data.identifiers import Identifiers
from spanwise.data.run import Extent, Extents, Order, Run, taken
from spanwise.text.ranges import Booleans, Floats, Integers


@dataclass(frozen=True, slots=True, eq=False)
class RunColumns:
    """Answers that are right one by one; the rows of a run may be anywhere."""

    names: Identifiers
    """The run of each answer."""
    topics: Identifiers
    documents: Identifiers
    extent: Extents
    start: Integers
    end: Integers
    score: Floats
    """NaN where none is given."""
    rank: Integers
    ranked: Booleans
    line: Integers | None
    paths: Identifiers | None = None
    """The elements that answers name; None if none does."""
    quotes: tuple[str | None, ...] | None = None
    """The text that answers say they return; None if none does."""
    ascending: bool = False
    """Scores are distances: the smallest comes first."""

    def __len__(self) -> int:
        return len(self.start)

    def take(self, rows: Integers) -> RunColumns:
        """Some of the answers, in this order."""
        return RunColumns(
            self.names.take(rows),
            self.topics.take(rows),
            self.documents.take(rows),
            self.extent[rows],
            self.start[rows],
            self.end[rows],
            self.score[rows],
            self.rank[rows],
            self.ranked[rows],
            None if self.line is None else self.line[rows],
            None if self.paths is None else self.paths.take(rows),
            None if self.quotes is None else taken(self.quotes, rows),
            self.ascending,
        )

    def runs(self, file: str, faults: Faults) -> list[Run]:
        """One run for each name, in order of appearance."""
        if len(self.names.runs()) <= 1:
            return [_run(self, file, faults)] if len(self) else []
        codes = self.names.codes()
        each = (np.flatnonzero(codes == code) for code in range(int(codes.max()) + 1))
        return [_run(self.take(rows), file, faults) for rows in each]


def _run(columns: RunColumns, file: str, faults: Faults) -> Run:
    """The run of all these rows, grouped by topic."""
    columns = _complete(columns, columns.ranked, "rank", faults)
    score = "distance" if columns.ascending else "score"
    columns = _complete(columns, ~np.isnan(columns.score), score, faults)
    begins = columns.topics.runs()
    names = [columns.topics[row] for row in begins.tolist()]
    if len(set(names)) < len(names):
        together = columns.take(np.argsort(columns.topics.codes(), kind="stable"))
        return _run(together, file, faults)
    ranked = bool(columns.ranked.any())
    # Distances beside ranks say nothing more: as scores they would contradict them.
    scored = not np.isnan(columns.score).any() and not (ranked and columns.ascending)
    by_score: Order = "ascending" if columns.ascending else "score"
    order: Order = "rank" if ranked else by_score if scored else "file"
    return Run(
        name=columns.names[0],
        topics=tuple(names),
        offsets=np.append(begins, len(columns)),
        documents=columns.documents,
        extent=columns.extent,
        start=columns.start,
        end=columns.end,
        score=columns.score if scored else None,
        rank=columns.rank if ranked else None,
        order=order,
        file=file,
        line=columns.line,
        paths=columns.paths if (columns.extent == Extent.ELEMENT).any() else None,
        quotes=columns.quotes,
    )


def _complete(columns: RunColumns, present: Booleans, field: str, faults: Faults) -> RunColumns:
    """Only the rows with a field, if any row of the run has it: half an order is none."""
    if present.all() or not present.any():
        return columns
    rows, first = np.flatnonzero(~present), int(np.argmax(present))
    example = "" if columns.line is None else f", as line {columns.line[first]} has"
    expected = f"a {field} for every answer of run {columns.names[0]}{example}"
    for row in rows.tolist():
        line = None if columns.line is None else int(columns.line[row])
        faults.add("mixed", line, f"no {field}", expected, f"give all answers a {field}, or none")
    return columns.take(np.flatnonzero(present))
