"""Every renderer on small outputs: hostile names, odd values, notes."""

from __future__ import annotations

import csv
import io
import json
from xml.etree import ElementTree

import msgspec
import numpy as np
import polars
import pytest

from spanwise import RunScores, Scores
from spanwise.data.notes import Note
from spanwise.errors import option
from spanwise.measures.grammar import asked
from spanwise.reporting.output import (
    Cell,
    Column,
    Field,
    Headline,
    Interval,
    Joined,
    Output,
    Rows,
    Table,
)
from spanwise.reporting.render import rendered
from spanwise.reporting.render.cells import Look
from spanwise.reporting.render.markup import markdown_text
from spanwise.reporting.scores import scores_output

ROWS = Rows(
    (Field("run"), Field("value", "number"), Field("kept", "truth")),
    [
        {"run": "a\tb\nc", "value": 0.1, "kept": True},
        {"run": 'with, comma and "quote"', "value": 1 / 3},
    ],
)
TABLE = Table("Scores", (Column("run", "text"), Column("AgP")), (("bm25", Cell(0.5, best=True)),))


def shown(output: Output, format: str, look: Look | None = None) -> str:
    return rendered(output, format, look).decode()


# -- rows


def test_tabs_and_line_ends_of_a_name_do_not_make_cells():
    assert shown(Output("x", rows=ROWS), "tsv").splitlines() == [
        "run\tvalue\tkept",
        r"a\tb\nc" + "\t0.1\tTrue",
        'with, comma and "quote"\t0.3333333333333333\t',
    ]


def test_commas_are_quoted_and_read_back():
    read = list(csv.reader(io.StringIO(shown(Output("x", rows=ROWS), "csv"))))
    assert read == [
        ["run", "value", "kept"],
        ["a\tb\nc", "0.1", "True"],
        ['with, comma and "quote"', "0.3333333333333333", ""],
    ]


@pytest.mark.parametrize("format", ["tsv", "csv"])
def test_a_lenient_output_begins_with_a_comment(format):
    marked = Output("x", rows=ROWS, lenient="lenient: some\nlines")
    first, second, *_ = shown(marked, format).splitlines()
    assert first == "# lenient: some lines"
    assert second[:3] == "run"
    assert not shown(Output("x", rows=ROWS), format).startswith("#")


def test_an_object_on_each_line_and_only_finite_numbers():
    lines = shown(Output("x", rows=ROWS), "jsonl").splitlines()
    assert [json.loads(line) for line in lines] == ROWS.items
    with pytest.raises(ValueError, match="JSON"):
        shown(Output("x", rows=Rows(items=[{"value": float("nan")}])), "jsonl")


def test_a_name_that_is_not_utf8_can_be_in_a_parquet_file():
    run = RunScores("bad\udcff", ("t1",), np.array([[0.5]]), (0.5,))
    output = scores_output(Scores(tuple(asked("AgP")), (run,)))
    content = rendered(output, "parquet")
    assert polars.read_parquet(io.BytesIO(content))["run"].to_list() == [r"bad\xff"]


# -- text


def test_sentences_are_wrapped_and_lose_what_a_terminal_would_obey():
    text = shown(Output("x", parts=("one two three\x1b[2J", TABLE)), "table", Look(width=8))
    assert text.startswith("one two\nthree\\x1b[2J\n\nScores\n")


def test_several_values_in_one_cell():
    both = Joined(((0.5, "value"), (-0.25, "signed")))
    cells = ("bm25", Cell(both, "*"), Cell(Interval(0.1, 0.9)))
    columns = (Column("run", "text"), Column("mean"), Column("95% CI", "interval"))
    table = Table("", columns, (cells,))
    text = shown(Output("x", parts=(table,)), "table", Look(digits=2))
    assert "bm25  0.50 -0.25*  0.10–0.90" in text
    stored = msgspec.json.encode(table)
    assert msgspec.json.decode(stored, type=Table) == table


def test_sentences_are_texts_in_markdown_and_comments_in_latex():
    text = shown(Output("x", parts=("a*b", TABLE)), "markdown")
    assert text.startswith("a\\*b\n\n**Scores**\n\n| run | AgP |\n")
    lines = shown(Output("x", parts=("50 % of it\n", TABLE)), "latex").splitlines()
    assert lines[:3] == [r"% Needs \usepackage{booktabs}.", "", r"% 50 % of it"]
    assert r"bm25 & \textbf{0.5000} \\" in lines


@pytest.mark.parametrize("name", ["![i](http://x/y.png)", "[a](b)", "&amp;", "<b>", "a|b", "*x*"])
def test_a_name_is_not_markup(name):
    text = markdown_text(name)
    signs = [place for place, sign in enumerate(text) if sign in "![]&<>|*"]
    assert signs
    assert all(text[place - 1] == "\\" for place in signs)


@pytest.mark.parametrize("name", ["[2]", "*best"])
def test_a_row_that_begins_with_a_bracket_is_not_an_argument_of_the_row_before(name):
    table = Table("", (Column("run", "text"), Column("AgP")), (("a", 1.0), (name, 2.0)))
    assert rf"{{}}{name} & 2.0000" in shown(Output("x", parts=(table,)), "latex")


def test_a_document_has_a_heading_and_its_notes():
    note = Note("remark", detail=f"give {option('collection')}")
    output = Output("gate", "a_b", (Headline("done"),), notes=(note,))
    assert shown(output, "markdown") == "**done**\n"
    assert shown(output, "markdown", Look(document=True)) == (
        "## spanwise gate: a\\_b\n\n**done**\n\n### Notes\n\n- give --collection\n"
    )


def test_checks_as_junit():
    rows = [
        {"rule": "AgP < 0", "failed": True, "reason": "AgP is <low>", "kind": "fail-if"},
        {"rule": "AP > 0", "failed": False, "reason": "AP is 1", "kind": "require"},
    ]
    output = Output("gate", "a", ("How it was tested.",), Rows(items=rows), lenient="lenient: a")
    suite = ElementTree.fromstring(rendered(output, "junit")).find("testsuite")
    assert suite is not None
    assert (suite.get("tests"), suite.get("failures")) == ("2", "1")
    assert suite.get("name") == "spanwise gate: a"
    properties = [(p.get("name"), p.get("value")) for p in suite.iter("property")]
    assert properties == [("lenient", "true"), ("test", "How it was tested.")]
    [failure] = suite.iter("failure")
    assert (failure.get("message"), failure.get("type")) == ("AgP is <low>", "fail-if")
    assert suite.find("system-out") is None, "there are no notes"
