"""Reports of small collections, made as users make them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from lxml import html

from spanwise.cli.main import command_line

ASSESSMENTS = """\
t1 Q0 d1 100 1000 20 0:100
t1 Q0 d2 50 1000 10 10:50
t2 Q0 d3 20 500 5 5:20
t3 Q0 d4 30 400 0 100:30
"""
RUNS = {
    "first": "t1 Q0 d1 1 2.0 first 0 100\nt1 Q0 d2 2 1.0 first 10 100\nt2 Q0 d3 1 1.0 first 0 40\n"
    "t3 Q0 d4 1 1.0 first 100 30\n",
    "second": "t1 Q0 d2 1 2.0 second 10 50\nt1 Q0 d9 2 1.0 second 0 100\n"
    "t2 Q0 d3 1 1.0 second 5 20\nt3 Q0 d8 1 1.0 second 0 30\n",
}

Report = Callable[..., html.HtmlElement]


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with assessments and runs; commands run in it."""
    (tmp_path / "qrels.txt").write_text(ASSESSMENTS)
    for name, content in RUNS.items():
        (tmp_path / f"{name}.fol").write_text(content)
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def report(files: Path) -> Report:
    """Make a report and read it."""

    def make(*arguments: object) -> html.HtmlElement:
        given = list(map(str, arguments))
        if not any(word.endswith(".fol") for word in given):
            given = ["qrels.txt", "first.fol", "second.fol", *given]
        words = ["report", *given, "--to", "report.html", "--resamples", "200", "--quiet"]
        command_line.main(words, standalone_mode=False)
        return html.fromstring((files / "report.html").read_bytes())

    return make
