"""Write the pictures of the documentation, in a real browser, from the demo.

docs/report.png is the first screen of a report, docs/browse.png a document with its passages,
docs/assess.png a document that is judged.
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
from spanwise.library.assessing import open_assessment
from spanwise.library.browsing import site_of_runs
from spanwise.library.judgements import import_judgements
from spanwise.web.application import application
from spanwise.web.assess_application import assess_application
from spanwise.web.guard import Guard
from spanwise.web.serving import listening

PROJECT = Path(__file__).parents[1]
DOCS = PROJECT / "docs"
DEMO = PROJECT / "src" / "spanwise" / "demo"
RUNS = sorted((DEMO / "runs").iterdir())
ARTICLES = str(DEMO / "articles")
JUDGED = "assess?topic=t03&document=chronometers"
PAGE = "read?run=paragraphs&topic=t05&document=wading-birds"


def main() -> None:
    """All pictures."""
    os.environ.setdefault("SOURCE_DATE_EPOCH", "1767225600")
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder) / "report.html"
        topics = spanwise.read_topics(DEMO / "topics.jsonl")
        spanwise.report(
            DEMO / "assessments.first.jsonl",
            [str(run) for run in RUNS],
            ["AgP"],
            topics=topics,
            collection=ARTICLES,
            title="The demo",
        ).save(report)
        take(report.as_uri(), DOCS / "report.png", (1240, 1130))
    site = site_of_runs(RUNS, collection=ARTICLES, topics=topics, name="The demo")
    with served(application(site)) as address:
        take(f"{address}{PAGE}", DOCS / "browse.png", (1180, 640))
    with judged() as guard, served(guard) as address:
        take(f"{address}{JUDGED}", DOCS / "assess.png", (1180, 760), "u")


@contextmanager
def judged() -> Iterator[Guard]:
    """The pages of an assessment of the demo that is under way."""
    with tempfile.TemporaryDirectory() as folder:
        pool = Path(folder) / "The demo"
        spanwise.pool([str(run) for run in RUNS], depth=5, topics=DEMO / "topics.jsonl", to=pool)
        given = DEMO / "assessments.first.jsonl"
        import_judgements(pool, given, collection=ARTICLES, assessor="ann")
        with open_assessment(pool, ARTICLES, ["ann"]) as site:
            yield assess_application(site)


@contextmanager
def served(app: Guard) -> Iterator[str]:
    """The address of pages."""
    place = listening()
    server = uvicorn.Server(uvicorn.Config(app, log_level="error", lifespan="off"))
    thread = Thread(target=server.run, kwargs={"sockets": [place.socket]}, daemon=True)
    thread.start()
    while not server.started:
        sleep(0.01)
    yield place.address()
    server.should_exit = True
    thread.join()


def take(address: str, picture: Path, size: tuple[int, int], key: str = "") -> None:
    """A picture of what is seen first, or after a key."""
    with sync_playwright() as playwright:
        options = ["--no-sandbox"] if os.geteuid() == 0 else []
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=options)
        page = browser.new_page(viewport={"width": size[0], "height": size[1]})
        page.goto(address)
        if key:
            page.keyboard.press(key)
            page.wait_for_timeout(500)
        page.screenshot(path=picture)
        browser.close()


if __name__ == "__main__":
    main()
