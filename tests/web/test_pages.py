"""The page of any output in a browser: quiet, offline, accessible."""

from __future__ import annotations

from pathlib import Path

import pytest

from spanwise.data.notes import Note
from spanwise.reporting.output import Cell, Column, Headline, Input, Lines, Output, Plot, Table
from spanwise.reporting.render.cells import Look
from spanwise.reporting.render.html import page

LONG = "a sentence that is long enough to need several lines on a phone. " * 4


def table(title: str, columns: int) -> Table:
    values = tuple(Cell(n / 10, "*", tone="better" if n % 2 else "worse") for n in range(columns))
    names = (Column("run", "text"), *(Column(f"measure {n}") for n in range(columns)))
    rows = (("bm25", *values), "A sentence across all columns.", ("שלום-עולם", *values))
    return Table(title, names, rows, legend=LONG, sortable=columns > 3)


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    output = Output(
        producer="check",
        parts=(
            Headline("Two runs were found."),
            LONG,
            table("", 2),
            table("", 12),
            Lines(("run.txt:3: found 2 columns, expected 6", "x" * 300)),
            Plot("Lines", "n", "score", (1.0, 2.0), (("a", (0.1, 0.2)), ("b", (0.3, 0.1)))),
        ),
        notes=(Note("remark", detail=LONG),),
        settings={"lenient": False},
        inputs=(Input("run", "run.txt", "0" * 64),),
    )
    written = tmp_path_factory.mktemp("pages") / "check.html"
    written.write_text(page(output, Look()), "utf-8")
    return written


@pytest.mark.parametrize("width", [360, 1280])
def test_quiet_offline_and_never_too_wide(opened, file, width):
    found = opened(file, width)
    assert found.page.evaluate("document.documentElement.scrollWidth") <= width
    assert found.errors == []
    assert found.requests == [file.as_uri()]


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [360, 1280])
def test_axe_finds_no_violation(opened, file, axe, width, scheme):
    page = opened(file, width, color_scheme=scheme, bypass_csp=True).page
    page.evaluate("document.querySelectorAll('details').forEach(part => part.open = true)")
    page.evaluate(axe)
    found = page.evaluate("axe.run(document, {resultTypes: ['violations']})")
    assert [(v["id"], v["nodes"][0]["html"]) for v in found["violations"]] == []


def test_another_script_or_style_is_not_obeyed(opened, file, tmp_path):
    hostile = "<script>window.broken=1</script><style>h1{color:red}</style><p style='color:red'>"
    changed = file.read_text("utf-8").replace("</main>", f"{hostile}</main>")
    (tmp_path / "changed.html").write_text(changed, "utf-8")
    page = opened(tmp_path / "changed.html").page
    assert page.evaluate("window.broken") is None
    red = "rgb(255, 0, 0)"
    assert page.evaluate("getComputedStyle(document.querySelector('h1')).color") != red
    assert page.evaluate("getComputedStyle(document.querySelector('main > p')).color") != red
    assert page.locator("footer button").first.is_visible(), "the own script runs"
