"""Pages are opened in a real browser, from files; what is missing makes the tests fail."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, sync_playwright

from spanwise.cli.main import command_line

PROJECT = Path(__file__).parents[2]
DEMO = PROJECT / "src" / "spanwise" / "demo"
BROWSERS = ("chromium", "chromium-browser", "google-chrome")
# Pages come from files: a browser that is only tested has nobody to call.
ALONE = (
    *("--no-sandbox", "--no-first-run", "--disable-background-networking"),
    *("--disable-component-update", "--disable-sync", "--disable-quic"),
)
AXE = Path(sys.prefix) / "axe" / "package" / "axe.min.js"


def report(*arguments: object) -> None:
    words = ["report", *map(str, arguments), "--resamples", "500", "--quiet"]
    command_line.main(words, standalone_mode=False)


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    found = next(filter(None, map(shutil.which, BROWSERS)), None)
    if found is None:
        pytest.fail("these tests need Chromium: run make browser")
    with sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=found, args=ALONE)
        yield started
        started.close()


@pytest.fixture(scope="session")
def axe() -> str:
    if not AXE.exists():
        pytest.fail("these tests need axe-core: run make browser")
    return AXE.read_text("utf-8")


@dataclass
class Opened:
    """A page, and what happened while it was open."""

    page: Page
    errors: list[str] = field(default_factory=list)
    requests: list[str] = field(default_factory=list)


@pytest.fixture
def opened(browser: Browser) -> Iterator[Callable[..., Opened]]:
    """Open a file; every error and every request is written down."""
    contexts = []

    def show(file: Path, width: int = 1280, **options: Any) -> Opened:
        context = browser.new_context(viewport={"width": width, "height": 800}, **options)
        contexts.append(context)
        found = Opened(context.new_page())
        found.page.on("pageerror", lambda problem: found.errors.append(str(problem)))
        found.page.on("console", lambda said: found.errors.append(said.text))
        found.page.on("request", lambda request: found.requests.append(request.url))
        found.page.goto(file.as_uri())
        return found

    yield show
    for context in contexts:
        context.close()


@pytest.fixture(scope="session")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The report of the demo, with everything that a report can have."""
    file = tmp_path_factory.mktemp("demo") / "report.html"
    measures = ("-m", "AgP", "-m", "ANCE@50", "-m", "nxCG@10", "-m", "AP")
    documents = ("--collection", DEMO / "articles", "--strips", 90)
    runs = sorted((DEMO / "runs").iterdir())
    report(DEMO / "assessments.first.jsonl", *runs, *measures, *documents, "--to", file)
    return file
