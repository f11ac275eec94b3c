"""Write docs/browse.png: a document of the demo with its passages, in a real browser.

python scripts/pictures.py
"""

from __future__ import annotations

import sys
from importlib import import_module
from pathlib import Path
from threading import Thread
from time import sleep

PROJECT = Path(__file__).parents[1]
DEMO = PROJECT / "src" / "spanwise" / "demo"
PAGE = "read?run=paragraphs&topic=t05&document=wading-birds"
WIDTH, HEIGHT = 1180, 640


def main() -> None:
    """Serve the demo, and take the picture."""
    import uvicorn
    from playwright.sync_api import sync_playwright

    from spanwise.cli.options import topics_of
    from spanwise.library.browsing import site_of_runs
    from spanwise.web.application import application
    from spanwise.web.serving import listening

    sys.path.insert(0, str(PROJECT / "tests"))
    conftest = import_module("web.conftest")

    site = site_of_runs(
        sorted((DEMO / "runs").iterdir()),
        collection=str(DEMO / "articles"),
        topics=topics_of(str(DEMO / "topics.jsonl")),
        name="The demo",
    )
    place = listening()
    server = uvicorn.Server(uvicorn.Config(application(site), log_level="error", lifespan="off"))
    thread = Thread(target=server.run, kwargs={"sockets": [place.socket]}, daemon=True)
    thread.start()
    while not server.started:
        sleep(0.01)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=conftest.browser_path(), args=list(conftest.ALONE)
        )
        page = browser.new_page(viewport={"width": WIDTH, "height": HEIGHT})
        page.goto(f"{place.address()}{PAGE}")
        page.screenshot(path=PROJECT / "docs" / "browse.png")
        browser.close()
    server.should_exit = True
    thread.join()


if __name__ == "__main__":
    main()
