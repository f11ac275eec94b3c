"""How fast pages come: on the server, and the first paint in a browser.

The pages are those of a document with a million characters, and a report on 1,190 topics.

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
                ("results", f"{address}/search?topic=q"),
                ("document, first time", f"{address}/read?topic=q&document=long"),
                ("document, again", f"{address}/read?topic=q&document=long"),
                ("results, again", f"{address}/search?topic=q"),
                ("report on 1,190 topics", report(Path(folder)).as_uri()),
            ):
                page = browser.new_page()
                begun = perf_counter()
                page.goto(path, wait_until="commit")
                answered = 1000 * (perf_counter() - begun)
                painted = page.evaluate(PAINTED)
                page.wait_for_load_state("load")
                loaded = 1000 * (perf_counter() - begun)
                row = {"page": name, "answer": answered, "first paint": painted, "loaded": loaded}
                print(json.dumps({k: v if k == "page" else round(v) for k, v in row.items()}))
                page.close()
            browser.close()


def report(folder: Path, topics: int = 1190, runs: int = 7) -> Path:
    """A report on as many topics as a large question set has, each with its query."""
    import spanwise

    gold = {
        f"q{n:04}": {f"d{n % 50}": [(100 * (n % 30), 100 * (n % 30) + 80)]} for n in range(topics)
    }
    answers = {
        f"run-{run}": {
            topic: [(document, start + 10 * ((run + int(topic[1:])) % 7), end + 40 * run)]
            for topic, own in gold.items()
            for document, [(start, end)] in own.items()
        }
        for run in range(runs)
    }
    queries = {topic: f"What happened at the place with the number {topic[1:]}?" for topic in gold}
    page = folder / "report.html"
    spanwise.report(gold, answers, "textF", topics=queries, resamples=1000).save(page)
    return page


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 1_000_000)
