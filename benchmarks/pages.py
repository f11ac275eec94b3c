"""How fast pages come: on the server, and in a browser the first paint of a very long document.

python benchmarks/pages.py [characters]
"""

from __future__ import annotations

import json
import sys
import tempfile
from pathlib import Path
from time import perf_counter

TESTS = Path(__file__).parents[1] / "tests"
PAINTED = """() => new Promise(done => new PerformanceObserver(list => {
    const found = list.getEntriesByName("first-contentful-paint");
    if (found.length) done(found[0].startTime);
}).observe({type: "paint", buffered: true}))"""


def main(characters: int) -> None:
    """Print milliseconds."""
    sys.path.insert(0, str(TESTS))
    from playwright.sync_api import sync_playwright

    from web.conftest import ALONE, browser_path
    from web.served_pages import served, site_of

    sentence = "The tide rises twice a day over the flats. "
    paragraphs = [sentence * 20 for _ in range(characters // (20 * len(sentence)) + 1)]
    text = "\n\n".join(paragraphs)[:characters]
    places = [("long", n, n + 400) for n in range(0, characters - 400, characters // 20)]
    with tempfile.TemporaryDirectory() as folder:
        site = site_of({"long.txt": text}, {"q": places}, Path(folder))
        with served(site) as address, sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=browser_path(), args=ALONE)
            for name, path in (
                ("results", "/search?topic=q"),
                ("document, first time", "/read?topic=q&document=long"),
                ("document, again", "/read?topic=q&document=long"),
                ("results, again", "/search?topic=q"),
            ):
                page = browser.new_page()
                begun = perf_counter()
                page.goto(address + path, wait_until="commit")
                answered = 1000 * (perf_counter() - begun)
                painted = page.evaluate(PAINTED)
                page.wait_for_load_state("load")
                loaded = 1000 * (perf_counter() - begun)
                row = {"page": name, "answer": answered, "first paint": painted, "loaded": loaded}
                print(json.dumps({k: v if k == "page" else round(v) for k, v in row.items()}))
                page.close()
            browser.close()


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 1_000_000)
