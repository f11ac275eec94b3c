"""Write the pictures of the documentation, in a real browser, from the demo.

docs/report.png is the first screen of a report, docs/browse.png a document with its passages.
Needs Chromium (make browser); run it after a change of the pages: python scripts/pictures.py
"""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Thread
from time import sleep

import uvicorn
from playwright.sync_api import sync_playwright

import spanwise
from spanwise.library.browsing import site_of_runs
from spanwise.web.application import application
from spanwise.web.serving import listening

PROJECT = Path(__file__).parents[1]
DOCS = PROJECT / "docs"
DEMO = PROJECT / "src" / "spanwise" / "demo"
RUNS = sorted((DEMO / "runs").iterdir())
PAGE = "read?run=paragraphs&topic=t05&document=wading-birds"


def main() -> None:
    """Both pictures."""
    os.environ.setdefault("SOURCE_DATE_EPOCH", "1767225600")
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder) / "report.html"
        topics = spanwise.read_topics(DEMO / "topics.jsonl")
        spanwise.report(
            DEMO / "assessments.first.jsonl",
            [str(run) for run in RUNS],
            ["AgP"],
            topics=topics,
            collection=str(DEMO / "articles"),
            title="The demo",
        ).save(report)
        take(report.as_uri(), DOCS / "report.png", (1240, 1130))
    with served(topics) as address:
        take(f"{address}{PAGE}", DOCS / "browse.png", (1180, 640))


@contextmanager
def served(topics: dict[str, str]) -> Iterator[str]:
    """The address of the demo's pages."""
    site = site_of_runs(RUNS, collection=str(DEMO / "articles"), topics=topics, name="The demo")
    place = listening()
    server = uvicorn.Server(uvicorn.Config(application(site), log_level="error", lifespan="off"))
    thread = Thread(target=server.run, kwargs={"sockets": [place.socket]}, daemon=True)
    thread.start()
    while not server.started:
        sleep(0.01)
    yield place.address()
    server.should_exit = True
    thread.join()


def take(address: str, picture: Path, size: tuple[int, int]) -> None:
    """A picture of what is seen first."""
    with sync_playwright() as playwright:
        options = ["--no-sandbox"] if os.geteuid() == 0 else []
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=options)
        page = browser.new_page(viewport={"width": size[0], "height": size[1]})
        page.goto(address)
        page.screenshot(path=picture)
        browser.close()


if __name__ == "__main__":
    main()
