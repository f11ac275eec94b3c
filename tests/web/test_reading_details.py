"""Reading and watching in a browser: what is counted, where links lead, what keys do."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from fake_engine import FakeEngine
from spanwise.library.browsing import site_of_runs
from spanwise.web.application import Site
from spanwise.web.engine_answers import EngineSource

from .conftest import DEMO
from .served_pages import served, site_of

ASKED = "run=paragraphs&topic=t05"
READ = f"/read?{ASKED}&document=wading-birds"
WATCH = f"/watch?{ASKED}&document=wading-birds"
LONG = "/read?run=documents&topic=t01&document=fog-signals"


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    site = site_of_runs(
        sorted((DEMO / "runs").iterdir()),
        assessments=DEMO / "assessments.first.jsonl",
        collection=str(DEMO / "articles"),
    )
    with served(site) as found:
        yield found


@pytest.fixture
def visit(browser: Browser, address: str) -> Iterator[Callable[..., Page]]:
    contexts = []

    def show(path: str, width: int = 1280, height: int = 800, **options: object) -> Page:
        size = {"width": width, "height": height}
        contexts.append(browser.new_context(viewport=size, **options))
        contexts[-1].set_default_timeout(5000)
        page = contexts[-1].new_page()
        page.goto(address + path)
        return page

    yield show
    for context in contexts:
        context.close()


def read_so_far(page: Page) -> int:
    return int(page.locator(".so-far .read").inner_text().replace(",", ""))


# -- reading


def test_of_a_long_passage_only_what_was_seen_is_read(visit):
    page = visit(LONG)
    at_top = read_so_far(page)
    assert 500 < at_top < 2500
    page.evaluate("scrollBy(0, 700)")
    page.wait_for_function(
        "before => Number(document.querySelector('.so-far .read').textContent.replace(',', ''))"
        " > before",
        arg=at_top,
    )
    page.evaluate("scrollTo(0, 1e6)")
    expect(page.locator(".so-far .read")).to_have_text("4,458")
    expect(page.locator(".screens .phone")).to_have_text("15")


@pytest.mark.parametrize("width", [1152, 1280, 1600])
@pytest.mark.parametrize("path", [READ, LONG])
def test_the_footer_is_one_row(visit, path, width):
    page = visit(path, width)
    parts = page.locator("footer .inside > :is(p, button):visible").all()
    middles = [box["y"] + box["height"] / 2 for box in (it.bounding_box() for it in parts)]
    assert len(middles) >= 4
    assert max(middles) - min(middles) < 6
    assert page.locator("footer").bounding_box()["height"] < 64


def test_at_the_last_passage_a_phone_points_up(visit):
    page = visit(READ, 360, 740)
    onwards, arrows = page.locator(".onwards"), page.locator(".onwards .icon:visible path")
    expect(arrows).to_have_count(1)
    down = arrows.get_attribute("d")
    for number in range(2, 6):
        onwards.click()
        page.wait_for_url(f"**#p{number}")
    expect(onwards).to_have_text("Beginning")
    expect(arrows).to_have_count(1)
    assert arrows.get_attribute("d") != down


def test_the_footer_says_what_the_slash_does(visit, browser):
    page = visit(f"/search?{ASKED}")
    assert "search" not in page.locator(".hints").inner_text()
    page.keyboard.press("?")
    expect(page.get_by_role("dialog")).to_contain_text("/ topics")
    with served(Site(EngineSource(FakeEngine()), "sea.index")) as address:
        page = browser.new_page()
        page.goto(f"{address}/search?words=tides")
        assert "/ search" in " ".join(page.locator(".hints").inner_text().split())
        page.close()


@pytest.mark.parametrize("width", [360, 1280])
@pytest.mark.parametrize("path", [WATCH, READ, f"/search?{ASKED}"])
def test_without_javascript_nothing_dead_is_shown(visit, path, width):
    page = visit(path, width, java_script_enabled=False)
    for dead in page.locator("button:not(form button), .hints, .search kbd, [hidden]").all():
        expect(dead).to_be_hidden()


# -- watching


def here(page: Page) -> float:
    return page.evaluate("document.getElementById('here').getBoundingClientRect().top")


@pytest.mark.parametrize("options", [{}, {"java_script_enabled": False}])
@pytest.mark.parametrize("width", [360, 1280])
def test_a_link_to_a_moment_shows_it(visit, width, options):
    page = visit(WATCH, width, 600, **options)
    page.get_by_role("link", name="character 3,550").click()
    page.wait_for_url("**at=3550#here")
    assert page.evaluate("scrollY") > 300
    assert 0 < here(page) < 500


def test_a_copied_link_shows_the_moment(visit, address):
    page = visit(WATCH, 1280, 600)
    page.keyboard.press("j")
    page.keyboard.press("j")
    page.wait_for_url("**at=979**")
    copied = page.url.removeprefix(address)
    again = visit(copied, 1280, 600)
    assert 0 < here(again) < 500
    expect(again.locator(".figures-now .read")).to_have_text("979")


@pytest.mark.parametrize("width", [360, 768, 1280])
def test_what_a_cap_says_finds_room(browser, tmp_path, width):
    text = " ".join(f"Sentence {n:04} here." for n in range(150))
    judged = [{"topic": "q", "document": "one", "start": 1743, "end": 1760}]
    with served(site_of({"one.txt": text}, {"q": [("one", 0, 2999)]}, tmp_path, judged)) as address:
        page = browser.new_page(viewport={"width": width, "height": 800})
        page.goto(f"{address}/watch?topic=q&document=one")
        expect(page.locator(".values")).to_contain_text("5 screens (at most nr=5)")
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        page.close()


def test_the_way_back_from_watching_leads_to_the_row(visit):
    page = visit(f"/watch?{ASKED}&document=estuaries")
    page.keyboard.press("h")
    page.wait_for_url("**/search?**#d2")


def test_the_speed_is_changed(visit):
    page = visit(WATCH)
    speed = page.locator(".speed output")
    expect(speed).to_have_text("1×")
    page.keyboard.press("+")
    expect(speed).to_have_text("2×")
    for _ in range(3):
        page.keyboard.press("-")
    expect(speed).to_have_text("0.25×")
    page.keyboard.press("-")
    expect(speed).to_have_text("0.25×")
    page.get_by_role("button", name="faster").click()
    expect(speed).to_have_text("0.5×")


PLAYED = """() => {
    // Time is told frame by frame: 16 ms each.
    const frames = [];
    let now = 0;
    performance.now = () => now;
    window.requestAnimationFrame = (step) => { frames.push(step); return frames.length; };
    window.cancelAnimationFrame = () => {};
    document.querySelector(".play").click();
    const shown = document.querySelector(".figures-now .read");
    const read = () => Number(shown.textContent.replace(",", ""));
    const places = [];
    while (frames.length) { now += 16; frames.shift()(now); places.push(read()); }
    return places;
}"""


def test_what_was_returned_passes_slowly_and_the_rest_quickly(visit):
    places = visit(WATCH).evaluate(PLAYED)
    assert places[-1] == 3639
    returned = sum(place <= 1790 for place in places)
    rest = len(places) - returned
    assert 6 < returned * 0.016 < 9, "250 characters in a second"
    assert 4 < rest * 0.016 < 8, "all the rest in about six seconds"
