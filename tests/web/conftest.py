"""Pages are opened in a real browser, from files.

Where there is no browser these tests are left out, which the last line of a test run says; with
the environment variable CI they fail.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
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
NO_BROWSER = "there is no Chromium: run make browser"


@cache
def browser_path() -> str | None:
    """The browser of the system, or the one that Playwright downloaded."""
    found = next(filter(None, map(shutil.which, BROWSERS)), None)
    if found is not None:
        return found
    with sync_playwright() as playwright:
        own = playwright.chromium.executable_path
    try:
        subprocess.run([own, "--version"], check=True, capture_output=True)
    except (OSError, subprocess.CalledProcessError):
        return None
    return own


def pytest_runtest_setup(item: pytest.Item) -> None:
    if browser_path() is None:
        if os.environ.get("CI"):
            pytest.fail(NO_BROWSER)
        item.user_properties.append(("left out", NO_BROWSER))
        pytest.skip(NO_BROWSER)


def report(*arguments: object) -> None:
    words = ["report", *map(str, arguments), "--resamples", "500", "--quiet"]
    command_line.main(words, standalone_mode=False)


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=browser_path(), args=ALONE)
        yield started
        started.close()


@pytest.fixture(scope="session")
def axe() -> str:
    return (files("axe_playwright_python") / "axe.min.js").read_text("utf-8")


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
