"""Chapters of the lab in the page of a report."""

from __future__ import annotations

from pathlib import Path

import pytest
from lxml import html

from spanwise.cli.main import command_line
from spanwise.errors import InputError
from spanwise.reporting.output import Column, Headline, Output, Plot, Table
from spanwise.reporting.render import rendered


def table(title: str = "Scores", rows: int = 3) -> Table:
    cells = tuple((f"run {number}", number / 7) for number in range(rows))
    return Table(title, (Column("run", "text"), Column("value")), cells)


def chapter(producer: str = "lab topics", tables: tuple[Table, ...] = (table(),)) -> bytes:
    plot = Plot("Lines", "x", "y", (1.0, 2.0), (("a", (0.1, 0.2)), ("b", (0.2, 0.1))))
    parts = (Headline("It is so."), *tables, plot)
    return rendered(Output(producer, title="How?", parts=parts, chapter=True), "json")


def texts(root: html.HtmlElement, selector: str) -> list[str]:
    return [found.text_content() for found in root.cssselect(selector)]


def test_a_report_takes_chapters_in(report, files: Path):
    words = ("qrels.txt", "first.fol", "second.fol", "--to", "topics.json", "--quiet")
    command_line.main(["lab", "topics", *words], standalone_mode=False)
    (files / "topics2.json").write_bytes(chapter())
    (files / "power.json").write_bytes(chapter("lab power"))
    given = [
        word for name in ("topics", "topics2", "power") for word in ("--chapter", f"{name}.json")
    ]
    root = report(*given)
    links = [link.get("href") for link in root.cssselect("nav a")]
    place = links.index("#topics")
    assert links[place + 1 : place + 4] == ["#lab-topics", "#lab-topics-2", "#lab-power"]
    assert "j next topic or chapter" in texts(root, "dialog p")
    assert [text for text in texts(root, ".files dt") if "chapter" in text] == [
        "chapter topics.json",
        "chapter topics2.json",
        "chapter power.json",
    ]


def test_charts_of_chapters_become_files(report, files: Path):
    (files / "own.json").write_bytes(chapter())
    report("--chapter", "own.json", "--charts", "charts")
    assert (files / "charts" / "lab-topics-1.svg").exists()


def test_a_bad_chapter_is_refused_before_any_work(report, files: Path):
    (files / "own.json").write_text("{}")
    with pytest.raises(InputError, match=r"own\.json: found"):
        report("--chapter", "own.json")
    assert not (files / "report.html").exists()
    with pytest.raises(InputError, match=r"missing\.json: file not found"):
        report("--chapter", "missing.json")
