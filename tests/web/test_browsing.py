"""Search, reading and watching in a real browser, over the demo."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from fake_engine import FINDS_NOTHING, FakeEngine
from spanwise.formats.topics import read_topics
from spanwise.library.browsing import site_of_runs
from spanwise.web.application import Site
from spanwise.web.both_answers import BothSources
from spanwise.web.engine_answers import EngineSource
from spanwise.web.run_answers import RunSource

from .conftest import DEMO, Opened
from .served_pages import MARKED_TEXT, SHOWN_TEXT, served

ASKED = "run=paragraphs&topic=t05"
READ = f"/read?{ASKED}&document=wading-birds"
WATCH = f"/watch?{ASKED}&document=wading-birds"
PAGES = {"home": "/", "results": f"/search?{ASKED}", "read": READ, "watch": f"{WATCH}&at=742"}


@pytest.fixture(scope="module")
def site() -> Site:
    topics = {topic.id: topic.query for topic in read_topics(DEMO / "topics.jsonl")}
    return site_of_runs(
        sorted((DEMO / "runs").iterdir()),
        assessments=DEMO / "assessments.first.jsonl",
        collection=str(DEMO / "articles"),
        topics=topics,
        name="The demo",
    )


@pytest.fixture(scope="module")
def address(site: Site) -> Iterator[str]:
    with served(site) as found:
        yield found


@pytest.fixture
def visit(browser: Browser, address: str) -> Iterator[Callable[..., Opened]]:
    contexts = []

    def show(path: str, width: int = 1280, height: int = 800, **options: object) -> Opened:
        context = browser.new_context(viewport={"width": width, "height": height}, **options)
        context.set_default_timeout(5000)
        contexts.append(context)
        found = Opened(context.new_page())
        found.page.on("pageerror", lambda problem: found.errors.append(str(problem)))
        found.page.on("console", lambda said: found.errors.append(said.text))
        found.page.on("request", lambda request: found.requests.append(request.url))
        found.page.goto(address + path)
        return found

    yield show
    for context in contexts:
        context.close()


def top_of(page: Page, selector: str) -> float:
    return page.evaluate("it => document.querySelector(it).getBoundingClientRect().top", selector)


# -- every page


@pytest.mark.parametrize("name", PAGES)
def test_quiet_alone_and_never_too_wide(visit, address, name):
    for width in (360, 768, 1280):
        found = visit(PAGES[name], width)
        assert found.page.evaluate("document.documentElement.scrollWidth") <= width
        assert found.errors == [], "nothing breaks, and the policy allows all that is there"
        assert found.requests == [address + PAGES[name]], "all is in the page"


@pytest.mark.parametrize("name", PAGES)
def test_axe_finds_no_violation(visit, axe, name):
    for width, scheme in ((360, "light"), (1280, "light"), (1280, "dark")):
        page = visit(PAGES[name], width, color_scheme=scheme, bypass_csp=True).page
        page.evaluate(axe)
        found = page.evaluate("axe.run(document, {resultTypes: ['violations']})")
        violations = [(v["id"], v["nodes"][0]["html"][:200]) for v in found["violations"]]
        assert violations == [], (width, scheme)


# -- the chain of passages


def test_arrows_lead_through_the_passages_and_back(visit):
    page = visit(f"/search?{ASKED}").page
    expect(page.locator(".row").first.locator("h2")).to_have_text("Wading Birds")
    page.locator(".row h2 a").first.click()
    expect(page.locator("h1")).to_have_text("Wading Birds")
    assert page.evaluate("scrollY") == 0, "a document opens at its beginning"
    arrows = page.locator(".arrows")
    expect(arrows).to_have_count(5)
    expect(arrows.locator(".of b")).to_have_text([f"{n} of 5" for n in range(1, 6)])
    page.get_by_role("link", name="first passage").click()
    assert page.url.endswith("#p1")
    for number in range(2, 6):
        arrows.nth(number - 2).get_by_role("link", name=f"passage {number}").click()
        assert page.url.endswith(f"#p{number}")
        assert 0 <= top_of(page, f"#p{number}") < 800
    last = arrows.nth(4).get_by_role("link")
    assert last.evaluate_all("all => all.map(it => it.ariaLabel)") == ["results", "beginning"]
    arrows.nth(4).get_by_role("link", name="beginning").click()
    page.wait_for_function("() => scrollY === 0")
    assert page.evaluate("scrollY") == 0
    arrows.nth(0).get_by_role("link", name="results").click()
    page.wait_for_url("**/search?**#d1")
    assert page.evaluate("document.activeElement.textContent") == "Wading Birds"


def test_arrows_stand_outside_of_the_text(visit):
    page = visit(READ).page
    text = page.evaluate("document.querySelector('#p1').closest('p').getBoundingClientRect().right")
    arrows = page.locator(".arrows").first.bounding_box()
    assert arrows["x"] >= text
    assert arrows["height"] >= 44
    last = page.evaluate(
        "[...document.querySelectorAll('mark[data-n=\"1\"]')].at(-1).getBoundingClientRect().bottom"
    )
    assert abs(arrows["y"] + arrows["height"] / 2 - last) < 30, "beside the last line"


def test_back_restores_the_place(visit):
    page = visit(READ).page
    page.locator(".arrow[href='#p1']").click()
    page.keyboard.press("j")
    page.wait_for_url("**#p2")
    place = page.evaluate("scrollY")
    page.keyboard.press("j")
    page.wait_for_url("**#p3")
    page.go_back()
    page.wait_for_url("**#p2")
    page.wait_for_function("place => Math.abs(scrollY - place) < 2", arg=place)
    expect(page.locator(".so-far .read")).to_have_text("979")


def test_keys(visit):
    page = visit(READ).page
    total = page.locator(".so-far")
    expect(total).to_contain_text("of 1,790 characters")
    for number, read in enumerate(("979", "1,130", "1,508", "1,790"), 2):
        page.keyboard.press("j")
        page.wait_for_url(f"**#p{number}")
        expect(total.locator(".read")).to_have_text(read)
    expect(page.locator(".screens .phone")).to_have_text("6")
    page.keyboard.press("k")
    page.wait_for_url("**#p4")
    page.keyboard.press("g")
    page.wait_for_function("() => scrollY === 0")
    page.keyboard.press("b")
    page.wait_for_url("**#entry")
    expect(total.locator(".read")).to_have_text("1,508")
    assert 0 <= top_of(page, "#p4") < 200, "the best passage is the fourth"
    page.keyboard.press("m")
    page.wait_for_url("**marks=off**")
    clear = "getComputedStyle(document.querySelector('#p4')).backgroundColor"
    assert page.evaluate(clear) == "rgba(0, 0, 0, 0)"
    page.reload()
    assert page.evaluate(clear) == "rgba(0, 0, 0, 0)", "it is in the address"
    page.keyboard.press("m")
    page.wait_for_url(lambda url: "marks" not in url)
    page.keyboard.press("?")
    expect(page.locator("dialog")).to_be_visible()
    page.keyboard.press("Escape")
    page.keyboard.press("h")
    page.wait_for_url("**/search?**")


def test_keys_of_results(visit):
    page = visit(f"/search?{ASKED}").page
    focused = "document.activeElement.textContent"
    assert page.evaluate(focused) == "Wading Birds"
    page.keyboard.press("j")
    assert page.evaluate(focused) == "Estuaries"
    page.keyboard.press("k")
    page.keyboard.press("j")
    page.keyboard.press("Enter")
    page.wait_for_url("**/read?**document=estuaries")
    page.go_back()
    page.wait_for_url("**#d2")
    page.wait_for_function(f"() => {focused} === 'Estuaries'")
    page.keyboard.press("/")
    assert page.evaluate("document.activeElement.name") == "topic"
    page.keyboard.press("Escape")
    page.keyboard.press("?")
    listed = page.get_by_role("dialog", name="Keys").inner_text()
    assert all(f"{key} " in listed for key in ("/", "j", "k", "Enter", "?"))


def test_the_arrow_keys_scroll(visit):
    page = visit(READ).page
    page.keyboard.press("ArrowDown")
    page.wait_for_function("() => 0 < scrollY && scrollY < 200")
    assert "#" not in page.url


def test_an_assessors_entry_point_is_not_that_of_the_system(visit):
    page = visit(READ).page
    page.keyboard.press("b")
    page.wait_for_url("**#entry")
    assert 0 <= top_of(page, "#p4") < 200, "the best passage: nothing is told of assessments"


@pytest.mark.parametrize("width", [360, 1280])
def test_what_is_said_covers_no_control(visit, width):
    for path in (READ, WATCH):
        page = visit(path, width, 740).page
        page.keyboard.press("m")
        expect(page.locator(".said")).to_have_text("Marks off")
        said = page.locator(".said").bounding_box()
        assert said["y"] + said["height"] <= 740
        for control in page.locator("footer a, footer button, .player a, .player button").all():
            box = control.bounding_box()
            if box is not None:
                apart = (
                    said["y"] + said["height"] <= box["y"] or box["y"] + box["height"] <= said["y"]
                )
                beside = (
                    said["x"] + said["width"] <= box["x"] or box["x"] + box["width"] <= said["x"]
                )
                assert apart or beside, (path, control.inner_text())


def test_watching_on_a_phone(visit):
    page = visit(READ, 360, 740).page
    page.get_by_role("link", name="Watch it being read").click()
    page.wait_for_url("**/watch?**")
    play = page.get_by_role("button", name="play")
    for _ in range(3):
        box = play.bounding_box()
        assert box["y"] + box["height"] <= 740, "it stays where the thumb is"
        page.mouse.wheel(0, 900)
        page.wait_for_timeout(50)
    page.get_by_role("link", name="next stretch").click()
    expect(page.locator(".figures-now .read")).to_have_text("468")
    page.evaluate("scrollTo(0, 1e6)")
    end = page.get_by_role("button", name="Keys").bounding_box()
    assert end["y"] + end["height"] <= page.locator(".player").bounding_box()["y"]


def test_the_bar_of_heat_jumps(visit):
    page = visit(READ).page
    page.locator(".heat-bar rect[data-n='5']").click()
    page.wait_for_url("**#p5")
    steps = page.evaluate(
        "[...document.querySelectorAll('.heat-bar a rect')].map(it => it.getAttribute('class'))"
    )
    assert steps == ["h2", "h1", "h3", "h4", "h3"], "quarters of the 11 passages of the topic"


def test_on_a_phone(visit):
    page = visit(READ, 360, 740).page
    bar = page.locator(".chain")
    expect(bar).to_be_visible()
    box = bar.bounding_box()
    assert box["y"] + box["height"] <= 740, "it stays at the bottom"
    page.wait_for_function("() => document.querySelector('.chain .count').textContent === '1/5'")
    for number in range(2, 6):
        bar.locator(".onwards").click()
        page.wait_for_url(f"**#p{number}")
        expect(bar.locator(".count")).to_have_text(f"{number}/5")
    expect(bar.locator(".onwards")).to_have_text("Beginning")
    expect(page.locator(".arrows .arrow").first).to_be_hidden()
    for link in bar.locator("a").all():
        size = link.bounding_box()
        assert size["height"] >= 44
        assert size["width"] >= 44
    bar.get_by_role("link", name="Results").click()
    page.wait_for_url("**/search?**")


@pytest.mark.parametrize("width", [360, 1280])
def test_without_javascript(visit, width):
    page = visit("/", width, java_script_enabled=False).page
    page.locator(".topic-list a").nth(4).click()
    page.goto(page.url.replace("run=chunks", "run=paragraphs"))
    page.locator(".row h2 a").first.click()
    page.locator(".onwards" if width < 768 else ".arrow[href='#p1']").click()
    for number in range(2, 6):
        page.locator(f".arrows a[href='#p{number}']").click()
        assert page.url.endswith(f"#p{number}")
    page.locator(".arrows a[href='#top']").click()
    assert page.url.endswith("#top")
    assert page.evaluate("scrollY") == 0
    page.locator(".arrows a[data-to=results]").first.click()
    assert page.url.endswith("#d1")


def test_readers_of_screens_have_a_list(visit):
    page = visit(READ).page
    links = page.get_by_role("navigation", name="Passages").get_by_role("link")
    expect(links).to_have_count(5)
    expect(links.nth(1)).to_contain_text("Passage 2 of 5: The knot swallows")


def test_the_text_is_that_of_the_document(visit, site):
    page = visit(READ).page
    text = site.source.documents.text("wading-birds")
    assert page.evaluate(SHOWN_TEXT) == text
    assert page.evaluate(MARKED_TEXT, 3) == text[1554:1705]


# -- watching


def test_a_reading_order_is_played(visit):
    page = visit(f"{WATCH}&at=742").page
    now = page.locator(".figures-now")
    expect(now.locator(".read")).to_have_text("742")
    expect(now.locator(".found")).to_have_text("274")
    expect(now.locator(".average")).to_have_text("0.04")
    expect(now.locator(".screens")).to_have_text("3")
    page.keyboard.press("j")
    expect(now.locator(".read")).to_have_text("979")
    page.wait_for_url("**at=979**")
    page.keyboard.press("k")
    page.keyboard.press("k")
    page.keyboard.press("k")
    expect(now.locator(".read")).to_have_text("0")
    page.keyboard.press(" ")
    page.wait_for_function("() => document.querySelector('.figures-now .read').textContent !== '0'")
    page.keyboard.press(" ")
    expect(page.get_by_role("button", name="play")).to_have_attribute("aria-pressed", "false")


def test_the_script_counts_as_the_server_does(visit):
    with_script, without = [], []
    for position in (300, 742, 2000, 3639):
        page = visit(f"{WATCH}&at={position}").page
        with_script.append(page.locator(".figures-now").inner_text())
        page = visit(f"{WATCH}&at={position}", java_script_enabled=False).page
        without.append(page.locator(".figures-now").inner_text())
    assert with_script == without


def test_watching_without_javascript(visit):
    page = visit(WATCH, java_script_enabled=False).page
    page.get_by_role("link", name="next stretch").click()
    expect(page.locator(".figures-now .read")).to_have_text("468")
    expect(page.locator("mark.read").first).to_contain_text("Waders do not keep our hours")
    page.get_by_role("link", name="character 3,550").click()
    expect(page.locator(".figures-now .read")).to_have_text("3,550")


def test_pins_say_where_measures_stop(visit):
    page = visit(WATCH).page
    expect(page.locator(".pin")).to_have_text(
        [
            "T2I(300) stops here",
            "best entry point",
            "LE(300): first relevant character, on screen 2",
            "T2I(2000) stops here",
        ]
    )


def test_a_document_that_is_not_relevant_cannot_be_watched(visit):
    page = visit(f"/watch?{ASKED}&document=kelp").page
    expect(page.locator("h1")).to_have_text("There is nothing to watch here")


# -- an engine


def test_search(browser: Browser):
    source = EngineSource(FakeEngine())
    with served(Site(source, "sea.index", search_command=["spanwise", "search"])) as address:
        page = browser.new_page()
        page.set_default_timeout(5000)
        page.goto(address)
        assert "/somewhere" not in page.content(), "no page tells where files are"
        page.keyboard.press("/")
        page.keyboard.type("tides <b>")
        page.keyboard.press("Enter")
        page.wait_for_url("**/search?words=tides**")
        expect(page.get_by_role("searchbox")).to_have_value("tides <b>")
        expect(page.locator(".row")).to_have_count(2)
        expect(page.locator(".row .term").first).to_have_text("Tides")
        expect(page.locator(".command code")).to_have_text("spanwise search 'tides <b>'")
        page.keyboard.press("j")
        page.keyboard.press("Enter")
        page.wait_for_url("**document=d2")
        expect(page.locator("mark")).to_have_text("Tides turn.")
        page.keyboard.press("h")
        page.wait_for_url("**#d2")
        page.goto(f"{address}/search?words=")
        expect(page.locator("h1")).to_have_text("There is nothing to search for")
        page.goto(f"{address}/search?words={FINDS_NOTHING}")
        expect(page.locator("h1")).to_have_text("No document answers this")
        page.close()


def test_an_engine_beside_runs(browser: Browser, site: Site):
    assert isinstance(site.source, RunSource)
    both = BothSources(site.source, EngineSource(FakeEngine()))
    with served(Site(both, "Both")) as address:
        page = browser.new_page()
        page.set_default_timeout(5000)
        page.goto(address)
        page.get_by_role("button", name="Show").click()
        page.wait_for_url("**/search?topic=t01&run=chunks")
        expect(page.locator(".row").first).to_contain_text("passage")
        page.get_by_role("searchbox").fill("tides")
        page.keyboard.press("Enter")
        page.wait_for_url("**/search?words=tides")
        expect(page.locator(".row")).to_have_count(2)
        page.goto(address + READ)
        expect(page.get_by_role("link", name="Watch it being read")).to_be_visible()
        page.close()
