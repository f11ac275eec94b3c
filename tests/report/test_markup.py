"""Names of other people in Markdown, LaTeX and Parquet."""

from __future__ import annotations

import io

import numpy as np
import polars
import pytest

from spanwise import RunScores, Scores
from spanwise.measures.nicknames import asked
from spanwise.reporting import exact
from spanwise.reporting.grids import Cell, Grid
from spanwise.reporting.markup import latex_grid, markdown_text
from spanwise.reporting.outcome import Outcome


@pytest.mark.parametrize("name", ["![i](http://x/y.png)", "[a](b)", "&amp;", "<b>", "a|b", "*x*"])
def test_a_name_is_no_markup(name):
    text = markdown_text(name)
    signs = [place for place, sign in enumerate(text) if sign in "![]&<>|*"]
    assert signs
    assert all(text[place - 1] == "\\" for place in signs)


@pytest.mark.parametrize("name", ["[2]", "*best"])
def test_a_row_that_begins_with_a_bracket_is_no_argument_of_the_row_before(name):
    grid = Grid("run", "", ("a", name), ("AgP",), ((Cell("1"),), (Cell("2"),)))
    assert rf"{{}}{name} & 2" in latex_grid(grid)


def test_a_name_that_is_not_utf8_can_be_a_parquet():
    run = RunScores("bad\udcff", ("t1",), np.array([[0.5]]), (0.5,))
    content = exact.parquet(Outcome(Scores(tuple(asked("AgP", [])), (run,))))
    assert polars.read_parquet(io.BytesIO(content))["run"].to_list() == [r"bad\xff"]
