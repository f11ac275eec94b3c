"""Tables of the page: headers that say what they head, in a box that scrolls by itself."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from spanwise.reporting.html.escape import escaped


@dataclass(frozen=True, slots=True)
class Field:
    """A cell: markup that is safe already, and what it is sorted by."""

    markup: str
    value: float | None = None
    kind: str = ""

    def html(self) -> str:
        """The cell."""
        value = "" if self.value is None else f' data-v="{self.value!r}"'
        kind = f' class="{self.kind}"' if self.kind else ""
        return f"<td{kind}{value}>{self.markup}</td>"


@dataclass(frozen=True, slots=True)
class HtmlTable:
    """Rows with names, under columns with names."""

    caption: str
    corner: str
    columns: Sequence[str]
    rows: Sequence[tuple[str, Sequence[Field]]]
    sortable: bool = False
    order: str = ""
    """``ascending`` or ``descending`` if rows stand in the order of the first column of cells."""

    def html(self) -> str:
        """The table in its box; a box that scrolls can be reached with the keyboard."""
        kind = ' class="sortable"' if self.sortable else ""
        names = enumerate((self.corner, *self.columns))
        head = "".join(self._header(number, name) for number, name in names)
        body = "".join(
            f'<tr><th scope="row">{escaped(name)}</th>{"".join(cell.html() for cell in cells)}</tr>'
            for name, cells in self.rows
        )
        return (
            f'<div class="box" tabindex="0" role="region" aria-label="{escaped(self.caption)}">'
            f"<table{kind}><caption>{escaped(self.caption)}</caption>"
            f"<thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></div>"
        )

    def _header(self, number: int, name: str) -> str:
        text = f'<button type="button">{escaped(name)}</button>' if self.sortable else escaped(name)
        order = f' aria-sort="{self.order}"' if number == 1 and self.order else ""
        return f'<th scope="col"{order}>{text}</th>'


def numbers_table(
    caption: str, corner: str, columns: Sequence[str], rows: Iterable[tuple[str, Sequence[str]]]
) -> str:
    """A plain table behind a summary, for whoever wants the numbers of a picture."""
    fields = [(name, [Field(cell) for cell in cells]) for name, cells in rows]
    table = HtmlTable(caption, corner, columns, fields).html()
    return f"<details><summary>The numbers</summary>{table}</details>"
