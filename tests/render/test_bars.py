"""Small bars beside the values of tables, where colours are on."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from spanwise.reporting.output import Cell, Column, Interval, Output, Table
from spanwise.reporting.render import rendered
from spanwise.reporting.render.cells import Look, display_width
from spanwise.reporting.render.text_tables import BAR, TextTable, bar, shares

BLOCKS = re.compile("[\u2588-\u258f]")


def text_of(table: Table, width: int, *, bars: bool) -> str:
    look = Look(width=width, bars=bars, bold=bars, terminal=bars)
    return rendered(Output("x", parts=(table,)), "table", look).decode()


def table_of(values: list[list[float | None]], names: list[str]) -> Table:
    columns = tuple(Column(f"M{n}") for n in range(len(values[0])))
    rows = tuple((name, *row) for name, row in zip(names, values, strict=True))
    return Table("means", (Column("run", "text"), *columns), rows)


def test_a_bar_is_as_long_as_its_value():
    assert [bar(share) for share in (0.0, 0.25, 0.5, 1.0)] == [
        "      ",
        "█▌    ",
        "███   ",
        "█" * 6,
    ]
    assert {len(bar(n / 100)) for n in range(101)} == {BAR}
    lengths = [bar(n / 100).rstrip() for n in range(101)]
    assert lengths == sorted(lengths, key=len), "never shorter for more"


@pytest.mark.parametrize(
    ("kind", "values", "found"),
    [
        ("value", [0.5, None, 0.25], [0.5, None, 0.25]),
        ("value", [4.0, 2.0], [1.0, 0.5]),
        ("value", [-0.5, 0.5], [None, None]),
        ("signed", [0.5], [None]),
        ("count", [3], [None]),
        ("value", [float("inf"), 1.0], [None, None]),
    ],
)
def test_only_values_that_are_shares_of_something_have_one(kind, values, found):
    assert shares([Cell(value) for value in values], Column("M", kind)) == found


def test_pipes_and_plain_terminals_have_none():
    table = table_of([[0.5], [0.25]], ["a", "b"])
    assert not BLOCKS.search(text_of(table, 80, bars=False))
    assert "0.5000 ███" in text_of(table, 80, bars=True)


@given(
    st.integers(80, 200),
    st.integers(1, 30).flatmap(
        lambda columns: st.lists(
            st.lists(st.one_of(st.none(), st.floats(0, 1)), min_size=columns, max_size=columns),
            min_size=1,
            max_size=4,
        )
    ),
)
def test_no_line_is_wider_than_the_terminal(width, values):
    names = [f"run-{n}" for n in range(len(values))]
    table = table_of(values, names)
    lines = re.sub("\x1b\\[[0-9]*m", "", text_of(table, width, bars=True)).splitlines()
    assert max(map(display_width, lines)) <= width
    plain = text_of(table, width, bars=False).splitlines()
    assert len(lines) == len(plain), "bars never break a table into more bands"
    for line, own in zip(lines, plain, strict=True):
        assert re.findall(r"\d\.\d{4}", line) == re.findall(r"\d\.\d{4}", own)


def test_values_and_headings_stay_aligned():
    values = [[0.5, 1200.25], [1.0, None]]
    lines = text_of(table_of(values, ["a", "long name"]), 100, bars=True).splitlines()
    heading, rule, first, second = (re.sub("\x1b\\[[0-9]*m", "", line) for line in lines[1:])
    assert heading.index("M0") + 2 == first.index("0.5") + 6 == second.index("1.0") + 6
    assert first.index("1,200.2") + 7 == heading.index("M1") + 2
    assert len(rule) >= max(map(len, (heading, first, second)))


def test_marks_and_intervals_are_inside_the_value():
    cell = Cell(0.5, "*", interval=Interval(0.25, 0.75))
    table = Table("", (Column("run", "text"), Column("M")), (("a", cell), ("b", 0.25)))
    wide = TextTable.of(table, 2).with_bars()
    assert wide.cells[0][0].text == "0.50* [0.25–0.75] ███   "
    assert wide.cells[1][0].text == "             0.25 █▌    "
