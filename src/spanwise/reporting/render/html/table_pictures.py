"""Tables as pictures, for files of their own."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from spanwise.reporting.output import Cell, Table
from spanwise.reporting.render.cells import Look, cell_lines
from spanwise.reporting.render.html.heat import heat_of
from spanwise.reporting.render.html.shapes import (
    LETTER,
    Chart,
    Element,
    fitting,
    label_width,
    rectangle,
    words,
)

LINE_HEIGHT, MARGIN = 15, 8
NAME_ROOM = 150


def table_chart(table: Table, name: str, look: Look) -> Chart:
    """A table for a file of its own: the lines of each cell, coloured as on the page."""
    rows, heat = list(table.cells()), heat_of(table)
    texts = [_texts(row, table, look) for row in rows]
    names = [fitting(first[0], NAME_ROOM) for first, *_ in texts]
    heads = [fitting(column.name, NAME_ROOM) for column in table.columns[1:]]
    lines = [line for _, *cells in texts for cell in cells for line in cell]
    widest = max([LETTER * len(line) for line in lines], default=0.0)
    width = round(max(widest, *map(label_width, heads)) + MARGIN)
    height = LINE_HEIGHT * max(len(cell) for _, *cells in texts for cell in cells) + MARGIN
    left = 12 + round(max(map(label_width, names)))
    shapes = [
        words("", str(left + width * x + width // 2), 20, head, text_anchor="middle")
        for x, head in enumerate(heads)
    ]
    for y, (row, (_, *cells)) in enumerate(zip(rows, texts, strict=True)):
        top = 30 + y * height
        shapes.append(words("", "6", top + LINE_HEIGHT, names[y]))
        for x, (cell, said) in enumerate(zip(row[1:], cells, strict=True)):
            if cell.value is not None:
                kind = f"cell {heat(cell)}".strip()
                shapes.append(_ground(kind, left + x * width, top, width - 2, height - 2))
                shapes += _written(said, left + x * width + width // 2, top)
    wide, high = left + width * len(heads) + 6, 36 + height * len(rows)
    description = look.sentence(table.legend)
    return Chart(name, table.title, description, high, tuple(shapes), width=wide)


def _ground(kind: str, left: int, top: int, width: int, height: int) -> Element:
    return rectangle(kind, str(left), top, str(width), height)


def _texts(row: Sequence[Cell], table: Table, look: Look) -> list[list[str]]:
    pairs = zip(row, table.columns, strict=True)
    return [cell_lines(cell, column, look.digits) for cell, column in pairs]


def _written(lines: Sequence[str], middle: int, top: int) -> Iterator[Element]:
    for number_of_line, line in enumerate(lines):
        y = top + LINE_HEIGHT * (number_of_line + 1)
        look = "small" if number_of_line else ""
        yield words(look, str(middle), y, line, text_anchor="middle")
