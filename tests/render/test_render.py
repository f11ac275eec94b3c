"""Renderers: any output in every format, whoever made it."""

from __future__ import annotations

import csv
import io
import json

import polars
import pytest

from spanwise.data.notes import Note
from spanwise.errors import OutputError, option
from spanwise.reporting.output import (
    Cell,
    Column,
    Field,
    Headline,
    Interval,
    Lines,
    Output,
    Plot,
    Rows,
    Table,
)
from spanwise.reporting.render import format_of, note_lines, rendered
from spanwise.reporting.render.cells import Look, display_width, text_of

TABLE = Table(
    "AgP",
    (
        Column("run", "text"),
        Column("mean"),
        Column("95% CI", "interval"),
        Column("difference", "signed"),
        Column("p", "p"),
    ),
    (
        ("a_b", Cell(0.5, best=True), Interval(0.25, 0.75), None, None),
        ("c", 0.25, Interval(-0.1, 0.5), Cell(-0.25, mark="* "), 0.00001),
    ),
    legend="* p at most 0.05",
)
OUTPUT = Output(
    "compare",
    parts=(
        Headline("a_b leads by <5%."),
        f"Use {option('order', 'file')}.",
        TABLE,
        Plot("curve", "rank", "gP", (1.0, 2.0), (("a_b", (0.1, 0.2)),)),
        Lines(("run.txt:3: as it is",)),
    ),
    rows=Rows(
        (Field("run"), Field("canonical", in_tables=False), Field("value", "number")),
        [{"run": "a,b\t", "canonical": "AgP(F)", "value": 1 / 3}, {"run": "c", "value": None}],
    ),
    notes=(Note("empty", runs=("c",)),),
    record={"runs": [{"run": "c"}]},
    lenient="lenient: faulty input was dropped or cut for c",
)


def text(format: str, output: Output = OUTPUT, **look: object) -> str:
    return rendered(output, format, Look(**look)).decode()  # type: ignore[arg-type]


def test_a_terminal_shows_everything_in_order() -> None:
    shown = text("table")
    begins = ["lenient: faulty", "a_b leads", "Use --order file.", "AgP\n", "run.txt:3: as it is"]
    places = [shown.index(each) for each in begins]
    assert places == sorted(places)
    assert "curve" not in shown


def test_numbers_are_written_in_one_place() -> None:
    assert text_of(Interval(-0.1, 0.5), "interval", 2) == "-0.10 to 0.50"
    assert text_of(-0.00001, "signed", 2) == "+0.00"
    assert text_of(0.00001, "p") == "<0.0001"
    assert text_of(0.123, "percent") == "12.3%"
    assert (text_of(True, "text"), text_of(None, "value")) == ("yes", "-")


def test_lines_of_a_table_are_aligned_and_marks_are_kept() -> None:
    shown = text("table").splitlines()
    start = shown.index("AgP")
    head, rule, first, second = shown[start + 1 : start + 5]
    assert head.split() == ["run", "mean", "95%", "CI", "difference", "p"]
    assert len(rule) >= len(second)
    assert first.startswith("a_b  0.5000")
    assert second.split()[-2:] == ["-0.2500*", "<0.0001"]
    assert shown[start + 5] == "  * p at most 0.05"
    assert shown[-1] == "run.txt:3: as it is"


def test_python_gets_keywords() -> None:
    assert "Use order='file'." in text("table", dialect="python")


def test_bold_is_for_the_best_on_a_terminal_alone() -> None:
    assert "\x1b[1m0.5000\x1b[0m" in text("table", bold=True, terminal=True)
    assert "\x1b" not in text("table")


@pytest.mark.parametrize("width", [20, 34, 60])
def test_a_wide_table_is_turned_or_cut_so_that_it_fits(width: int) -> None:
    columns = (Column("run", "text"), *(Column(f"measure{n}") for n in range(6)))
    rows = (("a", *[0.1] * 6), ("b", *[0.2] * 6))
    table = Table("", columns, rows, transposed="measure")
    shown = text("table", Output("x", parts=(table,)), width=width)
    assert max(map(display_width, shown.splitlines())) <= width
    assert shown.count("0.1000") == 6


def test_names_lose_their_middle_on_a_narrow_terminal() -> None:
    columns = (Column("rank", "count"), Column("document", "text", clips=True), Column("S"))
    table = Table("", columns, ((1, "corpora/articles/lighthouses.md", 0.5), "ranks 2-9: none"))
    shown = text("table", Output("x", parts=(table,)), width=30, terminal=True)
    assert max(map(len, shown.splitlines())) < 30
    assert "..." in shown
    assert "  ranks 2-9: none\n" in shown
    assert "lighthouses.md" in text("table", Output("x", parts=(table,)), width=30)


def test_markdown_escapes_and_marks() -> None:
    shown = text("markdown")
    assert shown.startswith("> lenient: faulty")
    assert "**a\\_b leads by \\<5%.**" in shown
    assert "| a\\_b | **0.5000** |" in shown


def test_latex_escapes_and_comments_sentences() -> None:
    shown = text("latex")
    assert r"\emph{lenient: faulty input was dropped or cut for c}" in shown
    assert r"a\_b & \textbf{0.5000}" in shown
    assert "% a_b leads by <5%.\n" in shown


def test_rows_have_every_digit_and_only_the_columns_of_tables() -> None:
    lines = text("csv").splitlines()
    assert lines[0].startswith("# lenient")
    read = list(csv.DictReader(io.StringIO("\n".join(lines[1:]))))
    assert read[0] == {"run": "a,b\t", "value": repr(1 / 3)}
    assert text("tsv").splitlines()[1:] == ["run\tvalue", f"a,b\\t\t{1 / 3!r}", "c\t"]
    assert json.loads(text("jsonl").splitlines()[0])["canonical"] == "AgP(F)"


def test_json_has_notes_as_values_and_the_record() -> None:
    found = json.loads(text("json"))
    assert list(found) == [
        *("versions", "settings", "lenient", "notes", "inputs", "runs", "rows"),
    ]
    assert found["notes"][0]["kind"] == "empty"
    assert found["lenient"] is True


def test_parquet_has_typed_columns() -> None:
    frame = polars.read_parquet(io.BytesIO(rendered(OUTPUT, "parquet")))
    assert frame.schema["value"] == polars.Float64
    assert "lenient" in frame.columns


def test_appendices_are_for_programs() -> None:
    more = Output("lab topics", rows=Rows(items=[{"kind": "bin", "value": 1}]))
    both = Output("lab all", rows=Rows(items=[{"kind": "measure"}]), appendices=(more,))
    rows = [json.loads(line) for line in text("jsonl", both).splitlines()]
    assert [row["experiment"] for row in rows] == ["all", "topics"]
    assert text("table", both) == ""


def test_the_ending_of_a_file_tells_its_format() -> None:
    assert (format_of("a/b.JSON"), format_of("scores")) == ("json", None)
    with pytest.raises(OutputError) as refused:
        format_of("scores.xls")
    assert refused.value.said("command line") == (
        "scores.xls: found the ending .xls, expected one of .txt, .tsv, .csv, .jsonl, .json, .md,"
        " .tex, .parquet, .html; or use --output"
    )


def test_notes_are_grouped_unless_all_are_wanted() -> None:
    notes = [Note("merged", 2, runs=(run,)) for run in ("a", "b")]
    assert len(note_lines(notes, Look())) == 1
    assert len(note_lines(notes, Look(every_note=True))) == 2


def test_latex_has_real_minus_signs_and_dashes() -> None:
    shown = text("latex")
    assert "$-$0.2500*" in shown
    assert "0.2500--0.7500" in shown


def test_json_spells_settings_for_its_reader() -> None:
    output = Output("evaluate", notes=(Note("default measures", names=("AgP",)),))
    said = json.loads(text("json", output))["notes"][0]["text"]
    assert said.endswith("choose with -m")
    said = json.loads(text("json", output, dialect="python"))["notes"][0]["text"]
    assert said.endswith("choose with measures=...")


def test_invisible_characters_do_not_make_names_look_equal_on_a_page() -> None:
    names = [f"bm25{mark}" for mark in "\u200b\u2028\ufeff\u202e\U000e0041"]
    table = Table("", (Column("run", "text"),), tuple((name,) for name in names))
    page = text("html", Output("evaluate", parts=(table,)))
    assert not {*"\u200b\u2028\ufeff\u202e\U000e0041"} & {*page}
    assert page.count("bm25\N{REPLACEMENT CHARACTER}") == len(names)
