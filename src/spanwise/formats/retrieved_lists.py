"""Runs as evaluations of answers keep them: questions, each with the list of what was retrieved.

``{"user_input": ..., "retrieved_contexts": ["text", ...]}`` becomes one plain row for each text,
``{"topic", "text", "rank"}``: the list is the ranking.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from spanwise.formats.answer_objects import flat, row_of
from spanwise.formats.field_values import RowError, shown
from spanwise.formats.quoted_gold import listed
from spanwise.formats.row_columns import Rows
from spanwise.formats.unfolded_rows import UnfoldedRows, is_nothing
from spanwise.formats.vocabulary import recognised

_PLACE = ("document", "start", "end", "length", "chunk", "text")
_ELSE = ("document", "chunk", "text", "path")
"""With one of these a row is an answer even without a list."""


def one_row_an_answer(rows: Rows) -> Rows:
    """The same answers, with a row of its own for each of a list.

    >>> from spanwise.data.notes import Faults
    >>> from spanwise.formats.row_columns import rows_of_records
    >>> run = [{"question": "Where?", "retrieved_contexts": ["in Rome", "in Ostia"]}]
    >>> rows = one_row_an_answer(rows_of_records(enumerate(run, 1), "run", Faults("run")))
    >>> rows.columns["text"], rows.columns["rank"]
    (['in Rome', 'in Ostia'], [1, 2])
    """
    return _Answers(rows).rows() if "retrieved_contexts" in rows.columns else rows


class _Answers(UnfoldedRows):
    """Rows of questions as they become rows of answers."""

    lists = "retrieved_contexts"

    def parts(self, row: int) -> Iterator[dict[str, Any]]:
        value = self.columns["retrieved_contexts"][row]
        if not is_nothing(value):
            answers = listed("contexts", value, flat=self.given.flat)
            for rank, answer in enumerate(answers, start=1):
                yield {**_answer(answer), "rank": rank}
        elif any(not is_nothing(self.columns[ours][row]) for ours in _ELSE if ours in self.columns):
            yield {}


def _answer(answer: object) -> dict[str, Any]:
    if isinstance(answer, str):
        return {"text": answer}
    row = flat(answer) if isinstance(answer, Mapping) else row_of(answer)
    held = recognised([] if row is None else [str(name) for name in row], _PLACE)
    if row is None or not held:
        raise RowError("contexts", f"the context {shown(answer)}", "a text")
    return {ours: row[theirs] for ours, theirs in held.items()}
