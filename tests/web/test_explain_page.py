"""The page of an explanation: what was found, the reading order, texts with their marks."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import expect

import spanwise
from spanwise.cli.main import command_line

from .conftest import DEMO, Opened

Open = Callable[..., Opened]
JUDGED = DEMO / "assessments.first.jsonl"


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    folder = tmp_path_factory.mktemp("explained")
    run = next((DEMO / "runs").glob("paragraphs.*"))
    words = [*map(str, ("explain", JUDGED, run)), "--topic", "t05", "-m", "AgP(aveChP)"]
    texts = ["--collection", str(DEMO / "articles"), "--quiet"]
    made = {"list": [], "document": ["--document", "wading-birds"]}
    for name, more in made.items():
        file = str(folder / f"{name}.html")
        command_line.main([*words, *texts, *more, "--to", file], standalone_mode=False)
    return {name: folder / f"{name}.html" for name in made}


@pytest.mark.parametrize("name", ["list", "document"])
def test_axe_finds_no_violation(opened: Open, axe: str, pages: dict[str, Path], name: str) -> None:
    for width, scheme in ((360, "light"), (1280, "light"), (1280, "dark")):
        found = opened(pages[name], width, color_scheme=scheme, bypass_csp=True)
        assert found.page.evaluate("document.documentElement.scrollWidth") <= width
        found.page.evaluate(axe)
        violations = found.page.evaluate("axe.run(document, {resultTypes: ['violations']})")
        assert [one["id"] for one in violations["violations"]] == []
        assert found.errors == []


def test_the_headline_is_what_was_found(opened: Open, pages: dict[str, Path]) -> None:
    page = opened(pages["list"]).page
    expect(page.locator("h1")).to_have_text(
        "AgP(aveChP) is 0.30: 3 of the 6 relevant documents are in the list"
    )
    expect(page).to_have_title("run paragraphs, topic t05")
    page = opened(pages["document"]).page
    expect(page.locator("h1")).to_have_text(
        "wading-birds scores 0.52 inside AgP(aveChP): 67% of its relevant text was returned"
    )
    assert page.locator("header .reading-order svg.chart").count() == 1


@pytest.mark.parametrize("name", ["list", "document"])
def test_texts_have_the_marks_of_the_report(
    opened: Open, pages: dict[str, Path], name: str
) -> None:
    page = opened(pages[name]).page
    said = page.locator("header").inner_text()
    assert all(sign not in said for sign in ("[+", "[-", "[~"))
    colours = {
        mark: page.locator(f"mark.{mark}").first.evaluate(
            "it => { const s = getComputedStyle(it);"
            " return [s.textDecorationLine, s.textDecorationColor, s.outlineStyle]; }"
        )
        for mark in "fmv"
    }
    assert colours["f"] == ["underline", "rgb(0, 121, 90)", "none"]
    assert colours["m"][2] == "solid"
    assert colours["v"][:2] == ["underline", "rgb(196, 70, 1)"]
    expect(page.get_by_role("heading", name="Relevant text", exact=True)).to_be_visible()
    if name == "list":
        expect(page.get_by_role("heading", name="First 5 of 11 answers")).to_be_visible()
        expect(page.locator(".of-list ol > li")).to_have_count(5)


def test_elsewhere_marks_are_brackets() -> None:
    run = next((DEMO / "runs").glob("paragraphs.*"))
    found = spanwise.explain(JUDGED, run, "t05", "AgP", collection=str(DEMO / "articles"))
    for text in (str(found), found._repr_html_()):
        assert "[+relevant, in the first 5 answers+]" in text
        assert "[~What the records do show" in text
