"""The first screen of a report: legible at every width, whatever the runs are called."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.sync_api import Page

from spanwise.records import replace
from spanwise.reporting.first_screen import TwoCharts
from spanwise.reporting.render.cells import Look
from spanwise.reporting.render.html import report_page

from .first_screens import MEANS, STRANGE, report_value

WIDTHS = (360, 768, 1280)
MANY = [f"run-{number}" for number in range(200)]
SHAPES = {
    "six": {},
    "one": {"runs": ["paragraphs"], "topics": 1, "with_texts": 1},
    "two": {"runs": ["paragraphs", "sections"], "topics": 2, "with_texts": 2},
    "many": {"runs": MANY, "topics": 30, "with_texts": 30, "left_out": 160},
    "thousands": {"topics": 1190, "with_texts": 60},
    "strange": {"runs": STRANGE, "topics": 8, "with_texts": 8},
}


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    folder = tmp_path_factory.mktemp("first")
    found = {}
    for name, given in SHAPES.items():
        found[name] = folder / f"{name}.html"
        found[name].write_text(report_page(report_value(**given), Look()), "utf-8")
    return found


def open_some(page: Page) -> None:
    """What opens, but for most topics."""
    page.evaluate(
        """const some = [...document.querySelectorAll("details.topic")].slice(0, 5);
        for (const it of [...document.querySelectorAll("details:not(.topic)"), ...some]) {
            it.open = true;
        }"""
    )


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("name", SHAPES)
def test_quiet_offline_and_never_too_wide(opened, pages, name, width):
    found = opened(pages[name], width)
    scrolled = "document.documentElement.scrollWidth"
    assert found.page.evaluate(scrolled) <= width
    open_some(found.page)
    assert found.page.evaluate(scrolled) <= width
    assert found.errors == []
    assert found.requests == [pages[name].as_uri()]
    assert found.page.evaluate("window.broken") is None


@pytest.mark.parametrize("name", SHAPES)
def test_pages_are_small(pages, name):
    assert pages[name].stat().st_size < 400_000


# What axe leaves undecided: text of charts, and what is beside something else.
FAINT = """() => {
    const light = ([r, g, b]) => [r, g, b].map(c => c / 255)
        .map(c => c <= 0.03928 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4)
        .reduce((sum, c, n) => sum + c * [0.2126, 0.7152, 0.0722][n], 0);
    const numbers = colour => colour.match(/[\\d.]+/g).map(Number);
    const ground = it => {
        for (; it; it = it.parentElement) {
            const colour = numbers(getComputedStyle(it).backgroundColor);
            if (colour[3] !== 0) return colour;
        }
    };
    const own = it => [...it.childNodes].some(node => node.nodeType === 3 && node.data.trim());
    return [...document.body.querySelectorAll("*:not(script, option, title, desc)")]
        .filter(it => own(it) && it.checkVisibility()).flatMap(it => {
            const style = getComputedStyle(it);
            const text = it instanceof SVGElement ? style.fill : style.color;
            const [low, high] = [light(numbers(text)), light(ground(it))].sort((a, b) => a - b);
            const contrast = (high + 0.05) / (low + 0.05);
            return contrast < 4.5 ? [[it.outerHTML.slice(0, 80), contrast]] : [];
        });
}"""


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize(("name", "width"), [("six", 360), ("six", 1280), ("strange", 768)])
def test_axe_finds_nothing_and_every_contrast_is_enough(opened, pages, axe, name, width, scheme):
    page = opened(pages[name], width, color_scheme=scheme, bypass_csp=True).page
    open_some(page)
    page.evaluate(axe)
    found = page.evaluate("axe.run(document, {resultTypes: ['violations', 'incomplete']})")
    said = [(v["id"], v["nodes"][0]["html"], v["nodes"][0]["any"]) for v in found["violations"]]
    assert said == []
    assert {each["id"] for each in found["incomplete"]} <= {"color-contrast"}
    assert page.evaluate(FAINT) == []


def test_fingers_find_their_targets(opened, pages):
    page = opened(pages["six"], 360).page
    open_some(page)
    boxes = page.evaluate(
        """[...document.querySelectorAll("button, summary, select, input, nav a")]
            .filter(it => it.checkVisibility())
            .map(it => it.getBoundingClientRect()).map(box => [box.width, box.height])"""
    )
    assert len(boxes) > 30
    assert all(width >= 44 and height >= 44 for width, height in boxes)


@pytest.mark.parametrize("width", WIDTHS)
def test_text_of_charts_has_twelve_pixels(opened, pages, width):
    page = opened(pages["six"], width).page
    open_some(page)
    sizes = page.evaluate(
        """[...document.querySelectorAll("svg text")].filter(it => it.checkVisibility()).map(it => {
            const scale = it.getScreenCTM();
            return parseFloat(getComputedStyle(it).fontSize) * Math.min(scale.a, scale.d);
        })"""
    )
    assert len(sizes) > 40
    assert min(sizes) >= 12


OVERLAPS = """figure => {
    const boxes = [...figure.querySelectorAll(":scope > svg text.name, :scope > svg text.label")]
        .filter(it => it.checkVisibility()).map(it => it.getBoundingClientRect());
    return boxes.filter((a, n) => boxes.some((b, m) => m > n && a.left < b.right - 1
        && b.left < a.right - 1 && a.top < b.bottom - 3 && b.top < a.bottom - 3)).length;
}"""


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("name", ["six", "two", "many", "strange"])
def test_names_in_charts_do_not_touch_and_stay_inside(opened, pages, name, width):
    page = opened(pages[name], width).page
    for figure in page.locator("figure").all():
        assert figure.evaluate(OVERLAPS) == 0
        outside = figure.evaluate(
            """figure => [...figure.querySelectorAll("svg text")].filter(it => it.checkVisibility())
                .map(it => it.getBoundingClientRect())
                .filter(box => box.left < -1 || box.right > innerWidth + 1).length"""
        )
        assert outside == 0


def test_the_forest_plot_says_best_close_and_worse(opened, pages):
    page = opened(pages["six"]).page
    drawn = page.locator(".forest > svg.wide")
    assert drawn.locator("text.name").all_text_contents() == list(MEANS)
    looks = [mean.get_attribute("class") for mean in drawn.locator("circle").all()]
    assert looks == ["mean best", *["mean close"] * 3, *["mean worse"] * 2]
    heights = [mean.bounding_box()["y"] for mean in drawn.locator("circle").all()]
    border = drawn.locator(".border").bounding_box()["y"]
    assert heights[3] < border < heights[4]
    assert not page.locator(".forest > svg.narrow").is_visible()
    narrow = opened(pages["six"], 360).page
    assert narrow.locator(".forest > svg.narrow").is_visible()
    assert not narrow.locator(".forest > svg.wide").is_visible()


def test_runs_that_are_not_drawn_are_counted(opened, pages):
    assert "160 more runs not drawn" in opened(pages["many"]).page.locator("header").inner_text()


def test_the_first_screen_leads_to_the_topics(opened, pages):
    page = opened(pages["six"]).page
    page.locator(".weak a").nth(1).click()
    topic = page.locator("details.topic[open]")
    assert topic.get_attribute("id") == "topic=t01"
    page.wait_for_function("scrollY > 500")
    assert page.url.endswith("#topic=t01")


STRIPS = """[...document.querySelectorAll(".weak .strip svg")].map(svg => {
    const ground = svg.getBoundingClientRect();
    const marks = [...svg.querySelectorAll("rect:not(.e)")]
        .map(it => [it.getAttribute("class"), it.getBoundingClientRect()]);
    return marks.map(([kind, box]) => [
        Math.max(...marks.filter(([other, same]) => other === kind
            && Math.abs(same.left - box.left) < 4).map(([_, same]) => same.width)),
        box.left >= ground.left - 1 && box.right <= ground.right + 1]);
})"""


@pytest.mark.parametrize("width", WIDTHS)
def test_marks_of_strips_are_wide_enough_and_inside(opened, pages, width):
    strips = opened(pages["six"], width).page.evaluate(STRIPS)
    assert len(strips) == 6
    assert all(wide >= 4 and inside for marks in strips for wide, inside in marks)


def test_paper_has_the_finding_first_and_the_failures_second(opened, pages):
    page = opened(pages["six"], color_scheme="dark").page
    page.emulate_media(media="print", color_scheme="dark")
    assert page.locator("header").evaluate("it => getComputedStyle(it).breakAfter") == "page"
    assert page.locator(".summary").evaluate("it => getComputedStyle(it).breakAfter") == "page"
    assert page.locator("body").evaluate("it => getComputedStyle(it).printColorAdjust") == "exact"
    ground = page.evaluate("getComputedStyle(document.documentElement).backgroundColor")
    assert ground == "rgb(255, 255, 255)", "paper is white, whatever the screen is"
    assert not page.locator(".filters").is_visible()
    assert not page.locator(".tools").first.is_visible()


def test_a_chart_is_copied_and_saved(opened, pages):
    page = opened(pages["six"], accept_downloads=True).page
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.get_by_role("button", name="Copy numbers as Markdown: Which is best").click()
    page.wait_for_function("document.querySelector('.said').textContent === 'Copied'")
    copied = page.evaluate("navigator.clipboard.readText()").splitlines()
    assert copied[0] == "| run | mean | interval | difference | state |"
    assert copied[1] == "| --- | ---: | ---: | ---: | ---: |"
    assert copied[2] == "| paragraphs | 0.4400 | 0.3600–0.5100 | – | best |"
    assert copied[3] == "| sections | 0.4290 | 0.3690–0.4890 | −0.0110 | not significant |"
    assert len(copied) == 8
    for kind in ("SVG", "PNG"):
        with page.expect_download() as waiting:
            page.get_by_role("button", name=f"Save as {kind}: Which is best").click()
        assert waiting.value.suggested_filename == f"means.{kind.lower()}"
        assert waiting.value.path().stat().st_size > 2000


def test_a_saved_chart_keeps_the_fill_of_its_names(opened, pages):
    page = opened(pages["six"], accept_downloads=True).page
    with page.expect_download() as waiting:
        page.get_by_role("button", name="Save as SVG: documents finds most").click()
    saved = waiting.value.path().read_text("utf-8")
    names = re.findall(r'<text class="name"[^>]*style="([^"]*)"', saved)
    assert len(names) >= 4
    assert all("paint-order: stroke" in style for style in names)


@pytest.mark.parametrize("name", ["שלום-עולם", "نص عربي"])
def test_names_turn_no_sentence_and_no_number(opened, tmp_path, name):
    value = report_value([name, "chunks"])
    said = f"{name} leads by 0.12 (0.44 and 0.32), tested"
    first, *others = value.lead
    lead = (replace(first, text=said), said, *others[1:])
    forest = replace(others[2].charts[0], title=f"{name} scores 0.44, chunks 0.32")
    lead = (*lead[:3], TwoCharts((forest,)), *lead[4:])
    file = tmp_path / "report.html"
    file.write_text(report_page(replace(value, lead=lead), Look()), "utf-8")
    page = opened(file).page
    left = """(part) => {
        const node = [...part.childNodes].find((one) => one.textContent.includes("0.44"));
        const range = document.createRange(), at = node.textContent.indexOf("0.44");
        range.setStart(node, at);
        range.setEnd(node, at + 4);
        return [part.querySelector("bdi").getBoundingClientRect().left,
            range.getBoundingClientRect().left, getComputedStyle(part).direction];
    }"""
    for selector in ("h1", "header > p:not(.about)", ".forest figcaption"):
        one, number, direction = page.locator(selector).first.evaluate(left)
        assert one < number, selector
        assert direction == "ltr"


def test_headings_are_seen_where_links_lead(opened, pages):
    page = opened(pages["thousands"], 360).page
    for link in page.locator("nav a").all():
        page.evaluate("scrollTo({top: 0, behavior: 'instant'})")
        link.click()
        name = link.get_attribute("href").removeprefix("#")
        page.wait_for_timeout(300)
        top, end = page.evaluate(
            """name => [document.getElementById(name).getBoundingClientRect().top,
                scrollY + innerHeight >= document.documentElement.scrollHeight - 1]""",
            name,
        )
        assert end or 0 <= top < 60, name


def test_a_table_of_six_runs_is_not_cut_off(opened, demo):
    box = opened(demo).page.locator("section[aria-labelledby=pairs] .box").first
    assert box.evaluate("it => it.scrollWidth <= it.clientWidth")


def test_the_mark_of_the_page_is_no_request(opened, pages):
    page = opened(pages["six"]).page
    icon = page.locator("link[rel=icon]").get_attribute("href")
    assert icon.startswith("data:image/svg+xml,")
    size = page.evaluate(
        """async icon => { const image = new Image(); image.src = icon; await image.decode();
            return image.width; }""",
        icon,
    )
    assert size > 0


# -- labels of curves

FAR = """() => [...document.querySelectorAll(".curves figure > svg")].flatMap(chart => {
    const lines = new Map([...chart.querySelectorAll("path.line")].map(line => {
        const end = line.getPointAtLength(line.getTotalLength());
        const place = new DOMPoint(end.x, end.y).matrixTransform(line.getScreenCTM());
        return [[...line.classList].find(it => /^s\\d/.test(it)), place];
    }));
    return [...chart.querySelectorAll("svg.end")].filter(it => it.checkVisibility()).map(it => {
        const name = [...it.classList].find(it => /^s\\d/.test(it)), place = lines.get(name);
        const lead = it.querySelector("path.lead"), to = it.querySelector("text");
        const point = at => lead.getPointAtLength(at).matrixTransform(lead.getScreenCTM());
        const first = point(0), last = point(lead.getTotalLength());
        const box = to.getBoundingClientRect();
        return Math.max(Math.hypot(first.x - place.x, first.y - place.y),
            Math.abs(last.y - (box.top + box.bottom) / 2), Math.abs(box.left - last.x));
    });
})"""


@pytest.mark.parametrize("width", WIDTHS)
def test_labels_are_led_to_the_ends_of_their_lines(opened, pages, width):
    page = opened(pages["six"], width).page
    far = page.evaluate(FAR)
    assert len(far) == 12
    assert max(far) <= 4


def test_labels_find_new_places_when_lines_are_hidden(opened, pages):
    page = opened(pages["six"]).page
    place = "text => text.getBoundingClientRect().top"
    last = page.locator(".curves svg.end.s5 text").first
    before = last.evaluate(place)
    for name in ("sections", "chunks", "elements", "documents"):
        page.locator(".legend").get_by_role("button", name=name, exact=True).click()
    assert last.evaluate(place) != before
    assert page.locator(".curves svg.end.s1").first.is_hidden()
    far = page.evaluate(FAR)
    assert len(far) == 4
    assert max(far) <= 4
    assert page.locator(".curves figure").first.evaluate(OVERLAPS) == 0


def test_a_run_has_the_same_colour_everywhere(opened, pages):
    page = opened(pages["six"]).page
    for number in range(6):
        stroke = "it => getComputedStyle(it).stroke"
        lines = page.locator(f"path.line.s{number}").all()
        button = page.locator(f".legend button[data-series='{number}'] path")
        assert {line.evaluate(stroke) for line in lines} == {button.evaluate(stroke)}
