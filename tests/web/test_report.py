"""The report in a browser: quiet, offline, usable by mouse, keyboard and phone."""

from __future__ import annotations

import itertools
import json
from pathlib import Path

import pytest
from lxml import etree
from playwright.sync_api import Page

from .conftest import report

WIDTHS = (360, 1280)
RUNS = ["chunks", "documents", "elements", "paragraphs", "sections", "sentences"]
BEST_FIRST = ["paragraphs", "sections", "chunks", "elements", "documents", "sentences"]
HOSTILE = """<script>window.broken=1</script>"'&"""
TEXT = HOSTILE * 3


def names(page: Page) -> list[str]:
    return page.locator(".sortable tbody th").all_inner_texts()


def column(page: Page, number: int) -> list[float]:
    cells = page.locator(f".sortable tbody td:nth-child({number})")
    return [float(cell.get_attribute("data-v")) for cell in cells.all()]


def open_everything(page: Page) -> None:
    page.evaluate("document.querySelectorAll('details').forEach(part => part.open = true)")


@pytest.mark.parametrize("width", WIDTHS)
def test_nothing_goes_wrong_and_nothing_is_fetched(opened, demo, width):
    found = opened(demo, width)
    open_everything(found.page)
    assert found.errors == []
    assert found.requests == [demo.as_uri()]


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("everything", [False, True])
def test_the_page_does_not_scroll_sideways(opened, demo, width, everything):
    page = opened(demo, width).page
    if everything:
        open_everything(page)
    assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_wide_tables_scroll_in_a_box_that_the_keyboard_reaches(opened, demo):
    page = opened(demo, 360).page
    box = page.get_by_role("region", name="AgP: row minus column")
    assert box.evaluate("box => box.scrollWidth > box.clientWidth")
    box.focus()
    page.keyboard.press("ArrowRight")
    page.wait_for_function("box => box.scrollLeft > 0", arg=box.element_handle())


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", WIDTHS)
def test_axe_finds_no_violation(opened, demo, axe, width, scheme):
    page = opened(demo, width, color_scheme=scheme, bypass_csp=True).page
    open_everything(page)
    page.evaluate(axe)
    found = page.evaluate("axe.run(document, {resultTypes: ['violations']})")
    said = [(v["id"], v["nodes"][0]["html"], v["nodes"][0]["any"]) for v in found["violations"]]
    assert said == []


@pytest.mark.parametrize("by", ["mouse", "keyboard"])
def test_buttons_hide_and_show_a_run_in_all_curves(opened, demo, by):
    page = opened(demo).page
    button = page.get_by_role("button", name="paragraphs", exact=True)
    lines, others = page.locator("figure path.s0"), page.locator("figure path.s1")
    count = lines.count()
    assert count == others.count() > 3

    def press() -> None:
        if by == "mouse":
            button.click()
        else:
            button.focus()
            page.keyboard.press("Space")

    press()
    assert button.get_attribute("aria-pressed") == "false"
    assert not any(line.is_visible() for line in lines.all())
    assert not any(label.is_visible() for label in page.locator("text.s0").all())
    assert others.first.is_visible()
    press()
    assert button.get_attribute("aria-pressed") == "true"
    assert lines.first.is_visible()


@pytest.mark.parametrize("by", ["mouse", "keyboard"])
def test_the_table_is_sorted_by_any_column(opened, demo, by):
    page = opened(demo).page
    headers = page.locator(".sortable thead th")

    def press(number: int) -> None:
        button = headers.nth(number).get_by_role("button")
        if by == "mouse":
            button.click()
        else:
            button.focus()
            page.keyboard.press("Enter")

    assert names(page) == BEST_FIRST
    assert headers.nth(1).get_attribute("aria-sort") == "descending"
    press(1)
    assert column(page, 2) == sorted(column(page, 2))
    assert names(page) == BEST_FIRST[::-1]
    assert headers.nth(1).get_attribute("aria-sort") == "ascending"
    press(1)
    assert names(page) == BEST_FIRST
    press(2)
    assert column(page, 3) == sorted(column(page, 3), reverse=True)
    press(0)
    assert names(page) == RUNS
    assert headers.nth(1).get_attribute("aria-sort") is None
    press(0)
    assert names(page) == RUNS[::-1]


def test_fingers_find_their_targets(opened, demo):
    page = opened(demo, 360).page
    targets = page.locator("button:visible, summary:visible, nav a, .downloads a")
    small = [
        (target.inner_text(), box)
        for target in targets.all()
        if (box := target.bounding_box()) is None or box["height"] < 44 or box["width"] < 44
    ]
    assert targets.count() > 20
    assert small == []


def test_the_keyboard_starts_at_the_skip_link_and_shows_where_it_is(opened, demo):
    page = opened(demo).page
    page.keyboard.press("Tab")
    focused = page.locator(":focus")
    assert focused.inner_text() == "Skip to the scores"
    assert focused.evaluate("link => getComputedStyle(link).outlineStyle") == "solid"
    assert focused.bounding_box()["x"] >= 0


def test_headings_go_down_one_step_at_a_time(opened, demo):
    levels = opened(demo).page.evaluate(
        "[...document.querySelectorAll('h1,h2,h3,h4')].map(h => Number(h.tagName[1]))"
    )
    assert levels[0] == 1
    assert levels.count(1) == 1
    assert all(after <= before + 1 for before, after in itertools.pairwise(levels))


def test_the_table_can_be_saved(opened, demo, tmp_path):
    page = opened(demo, accept_downloads=True).page
    saved = {}
    for name, ending in (("CSV", "csv"), ("LaTeX", "tex"), ("Markdown", "md"), ("JSON", "json")):
        with page.expect_download() as waiting:
            page.get_by_role("link", name=f"Save scores as {name}").click()
        assert waiting.value.suggested_filename == f"scores.{ending}"
        waiting.value.save_as(tmp_path / ending)
        saved[ending] = (tmp_path / ending).read_text("utf-8")
    assert saved["csv"].splitlines()[0] == "run,measure,canonical,mean,low,high,topics"
    assert len(saved["csv"].splitlines()) == 1 + 6 * 4
    assert "\\toprule" in saved["tex"]
    assert saved["md"].startswith("| run | AgP |")
    found = json.loads(saved["json"])
    assert len(found["pairs"]) == 15 * 4
    assert found["rows"][0]["mean"] == column(page, 2)[0]


def test_a_chart_can_be_saved(opened, demo, tmp_path):
    page = opened(demo, accept_downloads=True).page
    with page.expect_download() as waiting:
        page.locator("section[aria-labelledby=curves] figure .save").first.click()
    assert waiting.value.suggested_filename == "curve-1.svg"
    waiting.value.save_as(tmp_path / "chart.svg")
    root = etree.parse(tmp_path / "chart.svg").getroot()
    assert root.tag == "{http://www.w3.org/2000/svg}svg"
    [line] = [path for path in root.iter("{*}path") if path.get("class", "").startswith("line s0")]
    assert "stroke: rgb(" in line.get("style"), "it has its colours without the page"


def test_keys_walk_through_the_topics_and_are_listed(opened, demo):
    page = opened(demo).page
    topics = page.locator("details.topic")
    page.keyboard.press("j")
    page.keyboard.press("j")
    assert topics.nth(1).locator("> summary").evaluate("it => it === document.activeElement")
    page.keyboard.press("k")
    assert topics.nth(0).locator("> summary").evaluate("it => it === document.activeElement")
    page.keyboard.press("?")
    assert page.get_by_role("dialog", name="Keys").is_visible()
    page.keyboard.press("Escape")
    assert not page.get_by_role("dialog", name="Keys").is_visible()
    page.get_by_role("button", name="Keys").click()
    page.get_by_role("button", name="Close").click()
    assert not page.get_by_role("dialog", name="Keys").is_visible()


def test_without_scripts_everything_is_there_to_read(opened, demo):
    page = opened(demo, java_script_enabled=False).page
    assert page.locator(".verdict").is_visible()
    assert page.locator("figure svg").first.is_visible()
    page.locator("details.topic > summary").nth(1).click()
    assert page.locator("details.topic").nth(1).locator("ol").first.is_visible()


def test_paper_and_calm_readers(opened, demo):
    page = opened(demo, reduced_motion="reduce").page
    scrolling = "getComputedStyle(document.documentElement).scrollBehavior"
    assert page.evaluate(scrolling) == "auto"
    # Smooth scrolling misses its aim among topics that are drawn when they are seen.
    assert opened(demo, reduced_motion="no-preference").page.evaluate(scrolling) == "auto"
    page.emulate_media(media="print")
    assert not page.locator("nav").is_visible()
    assert page.locator(".verdict").is_visible()


def test_dark_is_dark(opened, demo):
    ground = "getComputedStyle(document.documentElement).backgroundColor"
    assert opened(demo, color_scheme="dark").page.evaluate(ground) == "rgb(21, 22, 26)"
    assert opened(demo, color_scheme="light").page.evaluate(ground) == "rgb(255, 255, 255)"


def write(file: Path, rows: list[dict[str, object]]) -> None:
    file.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")


def hostile_report(folder: Path) -> Path:
    judged = [
        {"topic": HOSTILE, "document": HOSTILE, "start": 0, "end": 20},
        {"topic": "q2", "document": "d2", "start": 5, "end": 9},
    ]
    write(folder / "qrels.jsonl", judged)
    write(folder / "docs.jsonl", [{"document": row["document"], "text": TEXT} for row in judged])
    for number in (1, 2):
        answer = {"run": f"{HOSTILE}{number}", "start": number, "end": 30, "score": 1.0}
        write(folder / f"run{number}.jsonl", [{**row, **answer} for row in judged])
    file = folder / "report.html"
    report(
        *(folder / "qrels.jsonl", folder / "run1.jsonl", folder / "run2.jsonl"),
        *("-m", "AgP", "-m", "textR@5", "--title", HOSTILE, "--to", file),
        *("--collection", folder / "docs.jsonl"),
    )
    return file


def test_names_are_only_names(opened, tmp_path):
    found = opened(hostile_report(tmp_path))
    page = found.page
    open_everything(page)
    assert found.errors == []
    assert page.evaluate("window.broken") is None
    assert page.locator("script").count() == 1
    assert page.title() == HOSTILE
    assert page.locator(".about").inner_text().startswith(HOSTILE)
    assert names(page) == [f"{HOSTILE}1", f"{HOSTILE}2"]
    assert HOSTILE in page.locator(".topic bdi").all_text_contents()
