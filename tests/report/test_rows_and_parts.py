"""Rows for programs and parts for people, whatever they are about."""

from __future__ import annotations

import csv
import io
import json

import pytest

from spanwise.reporting import parts, rows
from spanwise.reporting.grids import Cell, Grid
from spanwise.reporting.tables import Layout

NAMES = ("run", "value", "kept")
ROWS = [
    {"run": "a\tb\nc", "value": 0.1, "kept": True},
    {"run": 'with, comma and "quote"', "value": 1 / 3},
]
GRID = Grid("run", "", ("bm25",), ("AgP",), ((Cell("0.5", best=True),),), "Scores")


def test_tabs_and_line_ends_of_a_name_do_not_make_cells():
    assert rows.tsv(NAMES, ROWS).splitlines() == [
        "run\tvalue\tkept",
        r"a\tb\nc" + "\t0.1\tTrue",
        'with, comma and "quote"\t0.3333333333333333\t',
    ]


def test_commas_are_quoted_and_read_back():
    read = list(csv.reader(io.StringIO(rows.comma_separated(NAMES, ROWS))))
    assert read == [
        [*NAMES],
        ["a\tb\nc", "0.1", "True"],
        ['with, comma and "quote"', "0.3333333333333333", ""],
    ]


@pytest.mark.parametrize("write", [rows.tsv, rows.comma_separated])
def test_a_mark_stands_above_the_header_as_a_comment(write):
    first, second, *_ = write(NAMES, ROWS, "lenient: some\nlines").splitlines()
    assert first == "# lenient: some lines"
    assert second[:3] == "run"
    assert not write(NAMES, ROWS).startswith("#")


def test_an_object_a_line_and_nothing_that_is_no_number():
    assert [json.loads(line) for line in rows.json_lines(ROWS).splitlines()] == ROWS
    with pytest.raises(ValueError, match="JSON"):
        rows.json_lines([{"value": float("nan")}])


def test_sentences_are_wrapped_and_lose_what_a_terminal_would_obey():
    shown = parts.table(["one two three\x1b[2J", GRID], Layout(8))
    assert shown.startswith("one two\nthree\\x1b[2J\n\nScores\n")


def test_sentences_are_texts_in_markdown_and_comments_in_latex():
    assert parts.markdown(["a*b", GRID]).startswith("a\\*b\n\n**Scores**\n\n| run | AgP |\n")
    lines = parts.latex(["50 %\nof it", GRID]).splitlines()
    assert lines[:3] == [r"% Needs \usepackage{booktabs}.", "", "% 50 % of it"]
    assert r"bm25 & \textbf{0.5} \\" in lines
