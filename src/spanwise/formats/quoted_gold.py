"""Gold as people have it: questions, each with the texts that answer it, quoted from documents.

``{"query": ..., "evidence": ["quoted text", ...], "document"?: ...}`` becomes one plain row for
each quote, ``{"topic", "query", "document"?, "text", ...}``. Answers of SQuAD as Hugging Face has
them, ``{"text": [...], "answer_start": [...]}``, are quotes from the row's ``context``. All doors
(JSONL, CSV, Parquet, frames, records) give such rows under our names, and all of them go through
here.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from spanwise.data.notes import NAMED, Note
from spanwise.formats.field_values import RowError, shown
from spanwise.formats.json_lines import json_value
from spanwise.formats.row_columns import Rows
from spanwise.formats.unfolded_rows import UnfoldedRows, is_nothing
from spanwise.formats.vocabulary import match
from spanwise.text.sentences import counted

_SHARED = ("document", "grade")
_SINGLE = ("start", "end", "length", "occurrence")
"""What a row says of its quotes: a list with one value for each, or one value: for all of them, or
for the only one."""
_OF_A_QUOTE = frozenset((*_SHARED, *_SINGLE, "text", "aspect"))
_START = "answer_start"
"""Where SQuAD has an answer begin, in the paragraph that is its context."""
_COLUMNS = (list, tuple, np.ndarray)
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
    return _Quotes(rows).rows() if "evidence" in rows.columns else rows


class _Quotes(UnfoldedRows):
    """Rows of questions as they become rows of quotes."""

    lists = "evidence"

    def __init__(self, rows: Rows) -> None:
        super().__init__(rows)
        self.unquoted: list[str] = []
        """Questions that nothing is quoted for."""
        self.contexts = self.columns.pop("context", None)

    def rows(self) -> Rows:
        found = super().rows()
        if self.unquoted:
            names = tuple(self.unquoted[: NAMED + 1])
            self.given.faults.note(Note("no quotes", len(self.unquoted), names=names))
        return found

    def parts(self, row: int) -> Iterator[dict[str, Any]]:
        value = self.columns["evidence"][row]
        quotes = None if is_nothing(value) else listed("evidence", value, flat=self.given.flat)
        if quotes:
            quotes = [each for several in quotes for each in _one_by_one(several)]
        if quotes:
            beside = list(self._beside(row, len(quotes)))
            yield from (
                {**others, **self._quote(quote, self._context(row))}
                for quote, others in zip(quotes, beside, strict=True)
            )
        elif self._judges(row):
            yield {}
        elif quotes == [] and not is_nothing(self._value("document", row)):
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

    def _context(self, row: int) -> str | None:
        """The text that the quotes of a row are from; anything else is none."""
        context = None if self.contexts is None else self.contexts[row]
        return context if isinstance(context, str) and context.strip() else None

    def _judges(self, row: int) -> bool:
        return any(not is_nothing(self._value(ours, row)) for ours in _JUDGES)

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
                raise RowError("evidence", found, f"a list with one {ours} for each quote")
            said[ours] = several
        return (dict(zip(said, values, strict=True)) for values in zip(*said.values(), strict=True))

    def _quote(self, quote: object, context: str | None) -> dict[str, Any]:
        """A quote: its text, or a dictionary that also says where it is."""
        own = {"text": quote}
        if isinstance(quote, Mapping):
            said = {name: value for name, value in quote.items() if name != _START}
            # Without a context the start is that in the document.
            start = "start" if context is None else "within"
            own = self._fields(said)
            own |= {start: quote[_START]} if _START in quote else {}
        own |= {} if context is None else {"context": context}
        text = own.get("text")
        if text is None and "start" in own:
            return own
        if not isinstance(text, str):
            raise RowError("evidence", f"the quote {shown(quote)}", "a text")
        if not text.strip():
            raise RowError("evidence", "an empty quote", "quoted text", "remove the quote")
        return own

    def _fields(self, quote: Mapping[Any, Any]) -> dict[str, Any]:
        given = {str(name): value for name, value in quote.items() if value is not None}
        name = next((name for name, value in given.items() if is_nothing(value)), None)
        if name is not None:
            raise RowError("type", f"NaN as {name} of a quote", "a value, or no such field")
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


def _one_by_one(quote: object) -> Iterator[object]:
    """The quotes of a dictionary of columns; anything else is one quote."""
    if not isinstance(quote, Mapping) or not isinstance(quote.get("text"), _COLUMNS):
        yield quote
        return
    sizes = {len(column) if isinstance(column, _COLUMNS) else -1 for column in quote.values()}
    if len(sizes) > 1:
        raise RowError("evidence", f"the quotes {shown(quote)}", "as many values of each field")
    for values in zip(*quote.values(), strict=True):
        yield dict(zip(quote, values, strict=True))


def listed(what: str, value: object, *, flat: bool) -> list[Any]:
    """The items of a list, which may be written inside a cell; one item alone is a list of it."""
    if flat and isinstance(value, str):
        value = quotes_in(value)
    if isinstance(value, (str, Mapping)):
        return [value]
    if isinstance(value, (list, tuple, np.ndarray)):
        return list(value)
    raise RowError(what, f"{what} {shown(value)}", "a list of texts")


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
