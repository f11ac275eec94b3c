"""Outputs in every format but HTML: rows for programs, texts for people."""

from __future__ import annotations

import csv
import io
import json

import polars
import pytest

from spanwise.reporting.output import (
    Cell,
    Column,
    Field,
    Headline,
    Interval,
    Lines,
    Output,
    Rows,
    Table,
)
from spanwise.reporting.render import rendered
from spanwise.reporting.render.cells import Look
from spanwise.reporting.render.markup import latex_table, markdown_text
from spanwise.reporting.render.text_tables import TextCell, TextTable

FIELDS = (Field("run"), Field("value", "number"), Field("kept", "truth"))
ROWS = [
    {"run": "a\tb\nc", "value": 0.1, "kept": True},
    {"run": 'with, comma and "quote"', "value": 1 / 3},
]
OUTPUT = Output("evaluate", rows=Rows(FIELDS, ROWS))
SCORES = Table("Scores", (Column("run", "text"), Column("AgP")), (("bm25", Cell(0.5, best=True)),))


def text(output: Output, format: str, look: Look | None = None) -> str:
    return rendered(output, format, look).decode()


# -- for programs


def test_tabs_and_line_ends_of_a_name_do_not_make_cells():
    assert text(OUTPUT, "tsv").splitlines() == [
        "run\tvalue\tkept",
        r"a\tb\nc" + "\t0.1\tTrue",
        'with, comma and "quote"\t0.3333333333333333\t',
    ]


def test_commas_are_quoted_and_read_back():
    assert list(csv.reader(io.StringIO(text(OUTPUT, "csv")))) == [
        ["run", "value", "kept"],
        ["a\tb\nc", "0.1", "True"],
        ['with, comma and "quote"', "0.3333333333333333", ""],
    ]


@pytest.mark.parametrize("format", ["tsv", "csv"])
def test_the_mark_of_a_lenient_output_is_a_comment_above_the_header(format):
    lenient = Output("evaluate", rows=OUTPUT.rows, lenient="lenient: some\nlines")
    first, second, *_ = text(lenient, format).splitlines()
    assert first == "# lenient: some lines"
    assert second[:3] == "run"
    assert not text(OUTPUT, format).startswith("#")


def test_an_object_a_line_and_nothing_that_is_not_a_number():
    assert [json.loads(line) for line in text(OUTPUT, "jsonl").splitlines()] == ROWS
    with pytest.raises(ValueError, match="JSON"):
        text(Output("evaluate", rows=Rows(items=[{"value": float("nan")}])), "jsonl")


def test_a_name_that_is_not_utf8_can_be_a_parquet():
    output = Output("evaluate", rows=Rows(FIELDS[:1], [{"run": "bad\udcff"}]))
    content = rendered(output, "parquet")
    assert polars.read_parquet(io.BytesIO(content))["run"].to_list() == [r"bad\xff"]


# -- for people


def test_sentences_are_wrapped_and_lose_what_a_terminal_would_obey():
    shown = text(Output("evaluate", parts=("one two three\x1b[2J", SCORES)), "table", Look(8))
    assert shown.startswith("one two\nthree\\x1b[2J\n\nScores\n")


def test_sentences_are_texts_in_markdown_and_comments_in_latex():
    output = Output("evaluate", parts=("a*b", SCORES))
    assert text(output, "markdown").startswith("a\\*b\n\n**Scores**\n\n| run | AgP |\n")
    lines = text(Output("evaluate", parts=("50 %\nof it", SCORES)), "latex").splitlines()
    assert [line for line in lines if line][:2] == [
        r"% Needs \usepackage{booktabs}.",
        "% 50 % of it",
    ]
    assert r"bm25 & \textbf{0.5000} \\" in lines


def test_headlines_and_lines():
    output = Output("check", parts=(Headline("Found."), Lines(("run.txt:3: bad",))))
    assert text(output, "table") == "Found.\n\nrun.txt:3: bad\n"
    assert text(output, "markdown") == "**Found.**\n\n- run.txt:3: bad\n"


@pytest.mark.parametrize("format", ["table", "markdown", "latex"])
def test_intervals_and_remarks_are_in_brackets(format):
    cell = Cell(0.25, "*", interval=Interval(0.125, 0.5), remark="p 0.01")
    table = Table("", (Column("run", "text"), Column("AgP")), (("a", cell),))
    shown = text(Output("report", parts=(table,)), format, Look(digits=2)).replace("\\", "")
    dash = "--" if format == "latex" else "–"
    assert f"0.25* [0.12{dash}0.50] (p 0.01)" in shown


@pytest.mark.parametrize("name", ["![i](http://x/y.png)", "[a](b)", "&amp;", "<b>", "a|b", "*x*"])
def test_a_name_is_not_markup(name):
    escaped = markdown_text(name)
    signs = [place for place, sign in enumerate(escaped) if sign in "![]&<>|*"]
    assert signs
    assert all(escaped[place - 1] == "\\" for place in signs)


@pytest.mark.parametrize("name", ["[2]", "*best"])
def test_a_row_that_begins_with_a_bracket_is_not_an_argument_of_the_row_before(name):
    table = TextTable("", "run", ("AgP",), ("a", name), ((TextCell("1"),), (TextCell("2"),)))
    assert rf"{{}}{name} & 2" in latex_table(table)
