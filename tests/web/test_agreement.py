"""The page of ``spanwise agree``: opened from a file, at every width, without a violation."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

import spanwise

from .conftest import DEMO, Opened
from .test_assess_pages import EVIL

Open = Callable[..., Opened]


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The two assessors of the demo."""
    file = tmp_path_factory.mktemp("agreement") / "agreement.html"
    two = [DEMO / f"assessments.{name}.jsonl" for name in ("first", "second")]
    found = spanwise.agree(*two, collection=str(DEMO / "articles"), resamples=200)
    found.save(file)
    return file


def test_quiet_alone_and_never_too_wide(opened: Open, page: Path) -> None:
    for width in (360, 768, 1280):
        found = opened(page, width)
        assert found.page.evaluate("document.documentElement.scrollWidth") <= width
        assert found.errors == []
        assert found.requests == [page.as_uri()]


def test_axe_finds_no_violation(opened: Open, page: Path, axe: str) -> None:
    for width, scheme in ((360, "light"), (1280, "light"), (1280, "dark")):
        shown = opened(page, width, color_scheme=scheme, bypass_csp=True).page
        shown.evaluate(axe)
        found = shown.evaluate("axe.run(document, {resultTypes: ['violations']})")
        violations = [(v["id"], v["nodes"][0]["html"][:200]) for v in found["violations"]]
        assert violations == [], (width, scheme)


def test_names_are_only_text(opened: Open, tmp_path: Path) -> None:
    for name, end in (("ann", 20), ("bob", 30)):
        row = {"topic": EVIL, "document": EVIL, "start": 10, "end": end, "query": EVIL}
        about = {"document": EVIL, "length": 100}
        lines = f"{json.dumps(about)}\n{json.dumps(row)}\n"
        (tmp_path / f"{name}.jsonl").write_text(lines)
    files = [tmp_path / f"{name}.jsonl" for name in ("ann", "bob")]
    spanwise.agree(*files, names=[EVIL, "{{7*7}}"], resamples=100).save(tmp_path / "x.html")
    found = opened(tmp_path / "x.html")
    assert found.page.evaluate("window.broken") is None
    assert found.page.locator("img, main script").count() == 0
    assert "<script>window.broken" in found.page.locator("body").inner_text()
    assert found.errors == []
    assert found.page.evaluate("document.documentElement.scrollWidth") <= 1280
