"""Write the pictures of the documentation: the first screen of the report of the demo.

Needs Chromium (make browser). Run it after a change of the report: python scripts/pictures.py
"""

from __future__ import annotations

import os
import shutil
import tempfile
from importlib.resources import files
from pathlib import Path

from playwright.sync_api import sync_playwright

import spanwise

DEMO = Path(str(files("spanwise") / "demo"))
DOCS = Path(__file__).parent.parent / "docs"
WIDTH, HEIGHT = 1240, 1130


def main() -> None:
    """The report as it opens on a screen."""
    os.environ.setdefault("SOURCE_DATE_EPOCH", "1767225600")
    with tempfile.TemporaryDirectory() as folder:
        page = Path(folder) / "report.html"
        made = spanwise.report(
            DEMO / "assessments.first.jsonl",
            sorted(map(str, (DEMO / "runs").iterdir())),
            ["AgP"],
            topics=spanwise.read_topics(DEMO / "topics.jsonl"),
            collection=str(DEMO / "articles"),
            title="The demo",
        )
        made.save(page)
        take(page, DOCS / "report.png")


def take(page: Path, picture: Path) -> None:
    """A picture of what is seen first."""
    with sync_playwright() as playwright:
        path = shutil.which("chromium")
        options = ["--no-sandbox"] if os.geteuid() == 0 else []
        browser = playwright.chromium.launch(executable_path=path, args=options)
        window = browser.new_page(viewport={"width": WIDTH, "height": HEIGHT})
        window.goto(page.as_uri())
        window.screenshot(path=str(picture))
        browser.close()


if __name__ == "__main__":
    main()
