"""Tables with names that are wider than the terminal."""

from __future__ import annotations

import pytest

from spanwise.reporting.output import Cell, Column, Table
from spanwise.reporting.render.cells import Look, display_width
from spanwise.reporting.render.terminal import table_text

LONG = ["first" * 60, "second" * 50]
BY_RUN = Table(
    "means",
    (Column("run", "text"), Column("AgP"), Column("textR")),
    tuple((name, Cell(0.5), Cell(0.25)) for name in LONG),
)
BY_COLUMN = Table(
    "pairs",
    (Column("", "text"), *(Column(name, "signed") for name in LONG)),
    (("row", Cell(0.5), Cell(0.25)),),
    transposed="",
)


@pytest.mark.parametrize("table", [BY_RUN, BY_COLUMN])
def test_long_names_lose_their_middle_on_a_terminal(table):
    shown = table_text(table, Look(width=80, terminal=True))
    assert max(map(display_width, shown.splitlines())) <= 80
    assert "firstfirstfi...tfirstfirst" in shown
    assert "secondsecond...econdsecond" in shown
    whole = table_text(table, Look(width=80))
    assert all(name in whole for name in LONG), "a pipe gets every letter"


def test_names_that_fit_are_whole():
    table = Table("", (Column("run", "text"), Column("AgP")), (("n" * 60, Cell(0.5)),))
    assert "n" * 60 in table_text(table, Look(width=80, terminal=True))
