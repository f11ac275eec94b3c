"""A title alone answers nothing: passages are the text below it, or both together."""

from __future__ import annotations

from pathlib import Path

import pytest

import spanwise
from spanwise.retrieval.headings import LONGEST
from spanwise.retrieval.index import Index
from spanwise.retrieval.passages import Browsing, Mode

TEXT = "Horns warn ships. Old ones were fired by hand, and nobody heard the signal of such a gun."
PAGE = (
    "<article><title>Fog signals</title><sec><title>Fog <b>signals</b> of old</title>"
    f"<p>{TEXT}</p><p>Bells were rung.</p></sec><sec><title>Lenses</title><p>Glass.</p></sec>"
    "<title>The end</title></article>"
)
ANSWERS: list[Mode] = ["window", "sentence", "paragraph", "element"]


def index_of(content: str, folder: Path, name: str = "page.xml") -> Index:
    (folder / name).write_text(content)
    spanwise.index(str(folder / name), folder / "index")
    return Index.open(folder / "index")


def found(index: Index, query: str, mode: Mode) -> list[str]:
    [document] = index.search(query, 1, Browsing(mode, window=120))
    text = index.text("page")
    return [text[one.start : one.end] for one in document.passages]


@pytest.mark.parametrize("mode", ANSWERS)
@pytest.mark.parametrize("name", ["page.xml", "page.md", "page.html"])
def test_the_text_is_found_and_not_its_title(tmp_path: Path, mode: Mode, name: str) -> None:
    content = {
        "page.xml": PAGE,
        "page.md": f"# Fog signals\n\n## Fog signals of old\n\n{TEXT}\n\nBells were rung.\n",
        "page.html": f"<h1>Fog signals</h1><h2>Fog signals of old</h2><p>{TEXT}</p><p>Bells.</p>",
    }[name]
    passages = found(index_of(content, tmp_path, name), "fog signal", mode)
    assert passages
    assert all("the signal of such a gun" in passage for passage in passages)


@pytest.mark.parametrize(
    ("mode", "expected"),
    [
        ("window", "Bells were rung.LensesGlass.The end"),
        ("sentence", "LensesGlass."),
        ("paragraph", "LensesGlass."),
        ("element", "LensesGlass."),
    ],
)
def test_titles_that_alone_match_are_shown_with_their_text(
    tmp_path: Path, mode: Mode, expected: str
) -> None:
    assert found(index_of(PAGE, tmp_path), "lenses", mode) == [expected]


@pytest.mark.parametrize("mode", ANSWERS)
def test_a_title_with_nothing_below_it_is_text(tmp_path: Path, mode: Mode) -> None:
    assert found(index_of(PAGE, tmp_path), "end", mode)[0].endswith("The end")


def test_titles_in_a_row_go_with_the_text_below_them(tmp_path: Path) -> None:
    index = index_of(PAGE, tmp_path)
    assert found(index, "fog", "paragraph") == [f"Fog signalsFog signals of old{TEXT}"]
    assert found(index, "fog", "sentence") == ["Fog signalsFog signals of oldHorns warn ships."]


def test_a_page_of_titles_is_not_one_passage(tmp_path: Path) -> None:
    page = "".join(f"<h4>The {n}th question about fog</h4>" for n in range(100))
    for passage in found(index_of(page, tmp_path, "page.html"), "fog", "paragraph"):
        assert len(passage) <= LONGEST + 40


def test_lengths_are_compared_with_those_of_texts_alone(tmp_path: Path) -> None:
    manifest = index_of(PAGE, tmp_path).manifest
    assert (manifest.tokens - manifest.text_tokens, manifest.blocks) == (7, 4)
