"""How fast pages come: on the server, and the first paint in a browser.

The pages are those of a document with a million characters, the same one while it is judged (900
highlights; from a key to what it paints), a pool of 100 topics with 500 documents each, and a
report on 1,190 topics.

python benchmarks/pages.py [characters]
"""

from __future__ import annotations

import json
import sys
import tempfile
from itertools import product
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

TESTS = Path(__file__).parents[1] / "tests"
PAINTED = """() => new Promise(done => new PerformanceObserver(list => {
    const found = list.getEntriesByName("first-contentful-paint");
    if (found.length) done(found[0].startTime);
}).observe({type: "paint", buffered: true}))"""


HIGHLIGHTED = """() => new Promise(done => {
    addEventListener("keydown", event => {
        const pressed = event.timeStamp;
        requestAnimationFrame(() => {
            const { port1, port2 } = new MessageChannel();
            port1.onmessage = () => done(performance.now() - pressed);
            port2.postMessage(null);  // After the frame was drawn.
        });
    }, { once: true });
})"""
SENTENCE = "The tide rises twice a day over the flats. "
AT = "2024-05-01T12:00:00Z"


def main(characters: int) -> None:
    """Print milliseconds."""
    sys.path.insert(0, str(TESTS))
    from playwright.sync_api import sync_playwright

    from web.conftest import ALONE, browser_path

    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=browser_path(), args=ALONE)
        read(browser, Path(folder), characters)
        judge(browser, Path(folder), characters)
        choose(browser, Path(folder))
        opened(browser, "report on 1,190 topics", report(Path(folder)).as_uri())
        browser.close()


def opened(browser: Browser, name: str, address: str) -> None:
    """Open a page and print how long it took."""
    page, row = timed(browser, address)
    told(name, row)
    page.close()


def timed(browser: Browser, address: str) -> tuple[Page, dict[str, float]]:
    """An open page, and how long it took."""
    page = browser.new_page()
    begun = perf_counter()
    page.goto(address, wait_until="commit")
    answered = 1000 * (perf_counter() - begun)
    painted = page.evaluate(PAINTED)
    page.wait_for_load_state("load")
    loaded = 1000 * (perf_counter() - begun)
    return page, {"answer": answered, "first paint": painted, "loaded": loaded}


def told(name: str, row: dict[str, float]) -> None:
    """Print a row."""
    print(json.dumps({"page": name, **{key: round(value) for key, value in row.items()}}))


def text_of(characters: int) -> str:
    """Paragraphs of sentences."""
    paragraphs = [SENTENCE * 20 for _ in range(characters // (20 * len(SENTENCE)) + 1)]
    return "\n\n".join(paragraphs)[:characters]


def read(browser: Browser, folder: Path, characters: int) -> None:
    """The pages that runs are read on."""
    from web.served_pages import served, site_of

    places = [("long", n, n + 400) for n in range(0, characters - 400, characters // 20)]
    site = site_of({"long.txt": text_of(characters)}, {"q": places}, folder / "read")
    with served(site) as address:
        for name, path in (
            ("results", "/search?topic=q"),
            ("document, first time", "/read?topic=q&document=long"),
            ("document, again", "/read?topic=q&document=long"),
            ("results, again", "/search?topic=q"),
        ):
            opened(browser, name, address + path)


def judge(browser: Browser, folder: Path, characters: int, highlights: int = 900) -> None:
    """A long document that has many highlights already, and what one more takes."""
    from spanwise.web.assess_application import assess_application
    from web.assessed_pages import assessment_of, desk_of
    from web.served_pages import running

    site = assessment_of(folder / "judge", {"long": text_of(characters)})
    site.document("q1", "long")
    apart = characters // highlights
    sentences = [n - n % len(SENTENCE) for n in range(0, characters - apart, apart)][:highlights]
    operations = [
        {"id": f"{n}", "kind": "highlight", "start": start, "end": start + len(SENTENCE) - 1}
        for n, start in enumerate(sentences)
    ]
    site.log.append("ann", "q1", "long", 0, operations, AT)
    with running(assess_application(site)) as address:
        for name in ("first time", "again"):
            page, row = timed(browser, address + desk_of("q1", "long"))
            if name == "again":
                row |= {key: median(pressed(page, key)) for key in ("Enter", "j", "u")}
            told(f"{highlights} highlights, {name}", row)
            page.close()
    site.log.close()


def pressed(page: Page, key: str, times: int = 9) -> list[float]:
    """From a key to what it paints, in milliseconds; a sentence without a highlight comes first."""
    found = []
    for _ in range(times):
        for _ in range(3):
            page.keyboard.press("k")
        page.wait_for_function("() => !desk.store.pending.length && !desk.store.sending")
        waiting = page.evaluate_handle(f"() => {{ window.painted = ({HIGHLIGHTED})(); }}")
        page.keyboard.press(key)
        found.append(page.evaluate("() => window.painted"))
        waiting.dispose()
    return found


def choose(browser: Browser, folder: Path, topics: int = 100, documents: int = 500) -> None:
    """The lists of a large pool, a fifth of which is judged."""
    from spanwise.web.assess_application import assess_application
    from web.assessed_pages import assessment_of
    from web.served_pages import running

    texts = {f"document-{n:03}": f"{n}. {SENTENCE}" for n in range(documents)}
    queries = {f"q{n:03}": f"What happened at place {n}?" for n in range(topics)}
    site = assessment_of(folder / "choose", texts, topics=queries)
    with site.log.together():
        for name, text in texts.items():
            site.log.add_document(name, text)
        for number, (topic, name) in enumerate(product(queries, [*texts][: documents // 5])):
            start = {"kind": "highlight", "start": 0, "end": 9} if number % 2 else {}
            sent = [start, {"kind": "done"}] if start else [{"kind": "not relevant"}]
            named = [{"id": f"{number}-{n}", **each} for n, each in enumerate(sent)]
            site.log.append("ann", topic, name, 0, named, AT)
    with running(assess_application(site)) as address:
        for name, path in (
            (f"{topics} topics of {documents} documents", "/"),
            (f"{topics} topics, again", "/"),
            (f"queue of {documents} documents", "/assess?topic=q050"),
            ("document of the queue", "/assess?topic=q050&document=document-250"),
        ):
            opened(browser, name, address + path)
    site.log.close()


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
