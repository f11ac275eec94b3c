"""Gold as people have it: questions, each with the texts that answer it, quoted from documents.

``{"query": ..., "evidence": ["quoted text", ...], "document"?: ...}`` becomes one plain row for
each quote, ``{"topic", "query", "document"?, "text", ...}``. All doors (JSONL, CSV, Parquet,
frames, records) give such rows under our names, and all of them go through here.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from spanwise.data.notes import NAMED, Note
from spanwise.formats.field_values import Cells, RowError, shown
from spanwise.formats.json_lines import json_value
from spanwise.formats.row_columns import Rows
from spanwise.formats.vocabulary import match
from spanwise.records import replace
from spanwise.text.sentences import counted

_SHARED = ("document", "grade")
_SINGLE = ("start", "end", "length", "occurrence")
"""What a row says of its quotes: a list with one value for each, or one value: for all of them, or
for the only one."""
_OF_A_QUOTE = frozenset((*_SHARED, *_SINGLE, "text", "aspect"))
_JUDGES = ("start", "grade", "bep", "path", "length")
"""With one of these a row says something even without a quote."""
_LISTS = ('["', "['", "[{", "[]", '{"', "{'")
"""How lists and single objects begin where a cell can hold text only."""


def one_row_a_quote(rows: Rows) -> Rows:
    """The same judgements, with a row of its own for each quoted text.

    >>> from spanwise.data.notes import Faults
    >>> from spanwise.formats.row_columns import rows_of_records
    >>> gold = [{"question": "Where?", "evidence": ["in Rome", "in Ostia"], "document": "d7"}]
    >>> rows = rows_of_records(enumerate(gold, 1), "assessments", Faults("gold"))
    >>> one_row_a_quote(rows).columns["text"]
    ['in Rome', 'in Ostia']
    """
    return _Unfolded(rows).rows() if "evidence" in rows.columns else rows


class _Unfolded:
    """Rows as they are taken apart."""

    def __init__(self, rows: Rows) -> None:
        self.given = rows
        self.columns = {
            ours: column.listed() if isinstance(column, Cells) else column
            for ours, column in rows.columns.items()
        }
        self.source: list[int] = []
        """The row that each new row comes from."""
        self.own: list[dict[str, Any]] = []
        """What a new row says instead of it."""
        self.unquoted: list[str] = []
        """Questions that nothing is quoted for."""

    def rows(self) -> Rows:
        given = self.given
        for row in range(len(given)):
            try:
                parts = [{}] if given.faulty[row] else list(self._parts(row))
            except RowError as problem:
                problem.note(given.faults, given.line_of(row))
                given.faulty[row], parts = True, [{}]
            self.source += [row] * len(parts)
            self.own += parts
        if self.unquoted:
            names = tuple(self.unquoted[: NAMED + 1])
            given.faults.note(Note("no quotes", len(self.unquoted), names=names))
        return self._together()

    def _together(self) -> Rows:
        given, source = self.given, np.array(self.source, np.int64)
        names = dict.fromkeys((*self.columns, *(name for own in self.own for name in own)))
        names.pop("evidence")
        return replace(
            given,
            columns={ours: self._column(ours) for ours in names},
            line=None if given.line is None else given.line[source],
            faulty=given.faulty[source],
        )

    def _column(self, ours: str) -> list[Any]:
        if ours not in self.columns:
            return [own.get(ours) for own in self.own]
        values = self.columns[ours]
        pairs = zip(self.source, self.own, strict=True)
        return [own[ours] if ours in own else values[row] for row, own in pairs]

    def _parts(self, row: int) -> Iterator[dict[str, Any]]:
        """What the rows that one row becomes say by themselves."""
        value = self.columns["evidence"][row]
        quotes = None if _is_nothing(value) else _listed(value, flat=self.given.flat)
        if quotes:
            beside = list(self._beside(row, len(quotes)))
            yield from (
                {**others, **self._quote(quote)}
                for quote, others in zip(quotes, beside, strict=True)
            )
        elif self._judges(row):
            yield {}
        elif quotes == [] and not _is_nothing(self._value("document", row)):
            documents = self._value("document", row)
            several = documents if isinstance(documents, list) else [documents]
            yield from ({"document": document, "grade": 0} for document in several)
        else:
            self.unquoted.append(str(self._value("topic", row)))

    def _value(self, ours: str, row: int) -> Any:
        value = self.columns[ours][row] if ours in self.columns else None
        if isinstance(value, (np.ndarray, tuple)):
            return list(value)
        if self.given.flat and isinstance(value, str):
            return quotes_in(value, _LISTS if ours == "document" else ("[",))
        return value

    def _judges(self, row: int) -> bool:
        return any(not _is_nothing(self._value(ours, row)) for ours in _JUDGES)

    def _beside(self, row: int, count: int) -> Iterator[dict[str, Any]]:
        """What the fields beside the quotes say of each of them."""
        said: dict[str, list[Any]] = {}
        for ours in (*_SHARED, *_SINGLE):
            value = self._value(ours, row)
            several = value if isinstance(value, list) else [value]
            if len(several) == 1 and (ours in _SHARED or value is None):
                several = several * count
            if len(several) != count:
                found = f"{counted(len(several), 'value')} of {ours} for {counted(count, 'quote')}"
                raise RowError("evidence", found, f"a list with a {ours} for each quote")
            said[ours] = several
        return (dict(zip(said, values, strict=True)) for values in zip(*said.values(), strict=True))

    def _quote(self, quote: object) -> dict[str, Any]:
        """A quote: its text, or a dictionary that also says where it is."""
        own = self._fields(quote) if isinstance(quote, Mapping) else {"text": quote}
        text = own.get("text")
        if text is None and "start" in own:
            return own
        if not isinstance(text, str):
            raise RowError("evidence", f"the quote {shown(quote)}", "a text")
        if not text.strip():
            raise RowError("evidence", "an empty quote", "quoted text", "remove the quote")
        return own

    def _fields(self, quote: Mapping[Any, Any]) -> dict[str, Any]:
        given = {str(name): value for name, value in quote.items() if not _is_nothing(value)}
        found = match(list(given), "assessments", "field")
        if found.problem is not None:
            raise RowError(*found.problem)
        for ours, theirs in found.held.items():
            if ours not in _OF_A_QUOTE:
                known = "text, document, start, end and occurrence"
                raise RowError("field", f"the field {theirs!r} in a quote", f"only {known}")
        for note in found.notes:
            self.given.faults.note(note)
        return {ours: given[theirs] for ours, theirs in found.held.items()}


def _is_nothing(value: object) -> bool:
    """Frames write NaN where nothing is given."""
    return value is None or (isinstance(value, float) and value != value)


def _listed(value: object, *, flat: bool) -> list[Any]:
    if flat and isinstance(value, str):
        value = quotes_in(value)
    if isinstance(value, (str, Mapping)):
        return [value]
    if isinstance(value, (list, tuple, np.ndarray)):
        return list(value)
    raise RowError("evidence", f"evidence {shown(value)}", "a list of quoted texts")


# -- lists inside cells


def quotes_in(cell: str, begins: tuple[str, ...] = _LISTS) -> object:
    """What a cell holds: a list in JSON, or as Python writes it; any other text is itself.

    >>> quotes_in('["in Rome", "in Ostia"]'), quotes_in("['in Rome']"), quotes_in("[1] Cato")
    (['in Rome', 'in Ostia'], ['in Rome'], '[1] Cato')
    """
    text = cell.strip()
    if not text.startswith(begins):
        return cell
    try:
        return json_value(text)
    except ValueError as problem:
        found = _python_list(text)
        if found is None:
            remedy = "write a JSON list, or put other text in quotation marks"
            broken = f"a broken list ({problem})"
            raise RowError("evidence", broken, "a JSON list of quoted texts", remedy) from None
        return found


def _python_list(text: str) -> object | None:
    """The list that Python's repr writes, as frames do when they are saved as CSV.

    A list that reads back otherwise is none: where commas are missing, as in those of NumPy, Python
    would join neighbours to one text.
    """
    try:
        found = ast.literal_eval(text)
    except (ValueError, SyntaxError, MemoryError, RecursionError):
        return None
    return found if repr(found) == text else None
