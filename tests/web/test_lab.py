"""The lab's page in a browser, by itself and inside a report."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Page

from spanwise.lab.all_experiments import run_all, synthetic_subject
from spanwise.lab.experiment import finished
from spanwise.reporting.render import rendered

from .conftest import DEMO, report

WIDTHS = (360, 1280)
MEASURES = ("AgP(by=text)", "AP", "nxCG@10", "ANCE@10")


@pytest.fixture(scope="session")
def lab(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Every experiment with a few measures, on a few topics."""
    folder = tmp_path_factory.mktemp("lab")
    output = finished(run_all(synthetic_subject(topics=10), MEASURES)).output()
    for ending in ("html", "json"):
        (folder / f"lab.{ending}").write_bytes(rendered(output, ending))
    return folder / "lab.html"


@pytest.fixture(scope="session")
def reported(lab: Path) -> Path:
    """A report with the same chapters."""
    file = lab.with_name("report.html")
    runs = sorted((DEMO / "runs").iterdir())[:3]
    chapters = ("--chapter", lab.with_name("lab.json"), "--strips", 30)
    documents = ("--collection", DEMO / "articles")
    judged = DEMO / "assessments.first.jsonl"
    report(judged, *runs, "-m", "AgP", *documents, *chapters, "--to", file)
    return file


def open_everything(page: Page) -> None:
    page.evaluate("document.querySelectorAll('details').forEach(part => part.open = true)")


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("name", ["lab", "reported"])
def test_quiet_offline_and_never_too_wide(opened, request, name, width):
    file = request.getfixturevalue(name)
    found = opened(file, width)
    scrolled = "document.documentElement.scrollWidth"
    assert found.page.evaluate(scrolled) <= width
    open_everything(found.page)
    assert found.page.evaluate(scrolled) <= width
    assert found.errors == []
    assert found.requests == [file.as_uri()]


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", WIDTHS)
def test_axe_finds_no_violation(opened, lab, axe, width, scheme):
    page = opened(lab, width, color_scheme=scheme, bypass_csp=True).page
    open_everything(page)
    page.evaluate(axe)
    found = page.evaluate("axe.run(document, {resultTypes: ['violations']})")
    said = [(v["id"], v["nodes"][0]["html"], v["nodes"][0]["any"]) for v in found["violations"]]
    assert said == []


def test_axe_finds_no_violation_in_a_report_with_chapters(opened, reported, axe):
    page = opened(reported, bypass_csp=True).page
    page.evaluate(axe)
    found = page.evaluate("axe.run(document, {resultTypes: ['violations']})")
    assert [(v["id"], v["nodes"][0]["html"]) for v in found["violations"]] == []


@pytest.mark.parametrize("by", ["mouse", "keyboard"])
def test_buttons_act_on_the_figures_of_their_section_alone(opened, reported, by):
    page = opened(reported).page
    open_everything(page)
    group = page.locator("section:has(> #lab-insertion) section").first
    button = group.locator(".legend button").first
    own, others = group.locator("figure path.s0"), page.locator("#curves ~ section figure path.s0")
    elsewhere = page.locator("section:has(> #lab-baseline) figure path.s0")
    assert own.count() == 1
    assert others.count() > 1
    assert elsewhere.count() > 1
    if by == "mouse":
        button.click()
    else:
        button.focus()
        page.keyboard.press("Space")
    assert button.get_attribute("aria-pressed") == "false"
    assert not own.first.is_visible()
    assert not group.locator("figure text.s0").first.is_visible()
    assert group.locator("figure path.s1").first.is_visible()
    assert all(line.is_visible() for line in [*others.all(), *elsewhere.all()])
    button.press("Enter")
    assert own.first.is_visible()
    page.locator("#curves ~ section .legend button").first.click()
    assert not others.first.is_visible()
    assert own.first.is_visible()


def test_plots_with_the_same_series_are_switched_together(opened, lab):
    page = opened(lab).page
    open_everything(page)
    group = page.locator("section:has(> #lab-assessors) section").first
    assert group.locator("figure").count() == 2
    group.get_by_role("button", name="official", exact=True).click()
    assert not any(line.is_visible() for line in group.locator("figure path.s0").all())


def test_more_tables_and_charts_open_on_demand(opened, lab):
    page = opened(lab).page
    chapter = page.locator("section:has(> #lab-topics)")
    chapter.locator("> details.more > summary").click()
    summary = chapter.locator("> details.more > details.more > summary", has_text="more tables")
    inner = chapter.locator("> details.more > details.more details.more").first
    assert not inner.is_visible()
    summary.press("Enter")
    inner.locator("> summary").click()
    assert inner.get_by_role("table").is_visible()
    assert page.locator("section:has(> #lab-topics) figure").count() == len(MEASURES)


def test_keys_walk_through_the_chapters(opened, lab):
    page = opened(lab).page
    focused = "document.activeElement.id"
    page.keyboard.press("j")
    assert page.evaluate(focused) == "lab-all"
    page.keyboard.press("j")
    assert page.evaluate(focused) == "lab-fidelity"
    page.keyboard.press("k")
    assert page.evaluate(focused) == "lab-all"
    page.keyboard.press("?")
    dialog = page.get_by_role("dialog", name="Keys")
    assert "next chapter" in dialog.inner_text()


def test_keys_go_on_from_topics_to_chapters(opened, reported):
    page = opened(reported).page
    for _ in range(page.locator("details.topic").count() + 1):
        page.keyboard.press("j")
    assert page.evaluate("document.activeElement.id") == "lab-all"


def test_the_keyboard_starts_at_the_skip_link(opened, lab):
    page = opened(lab).page
    page.keyboard.press("Tab")
    assert page.locator(":focus").inner_text().startswith("Skip to How our own measures perform")


def test_fingers_find_their_targets(opened, lab):
    page = opened(lab, 360).page
    open_everything(page)
    boxes = page.evaluate(
        """[...document.querySelectorAll('button, summary, nav a')]
            .filter(it => it.checkVisibility())
            .map(it => it.getBoundingClientRect())
            .map(box => [box.width, box.height])"""
    )
    assert len(boxes) > 50
    assert all(width >= 44 and height >= 44 for width, height in boxes)


def test_labels_of_charts_stay_inside(opened, lab):
    page = opened(lab, 360).page
    open_everything(page)
    outside = page.evaluate(
        """[...document.querySelectorAll('figure > svg')].flatMap(svg => {
            const edge = svg.getBoundingClientRect().right + 1;
            return [...svg.querySelectorAll('text.label')].filter(
                label => label.getBoundingClientRect().right > edge
            ).map(label => label.textContent);
        })"""
    )
    assert outside == []


def test_a_chart_can_be_saved(opened, lab):
    page = opened(lab, accept_downloads=True).page
    open_everything(page)
    with page.expect_download() as waiting:
        page.locator("section:has(> #lab-fidelity) .save").first.click()
    assert waiting.value.suggested_filename == "lab-fidelity-1.svg"


def test_paper_shows_what_opens_on_demand(opened, lab):
    page = opened(lab).page
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    assert page.evaluate("[...document.querySelectorAll('details.more')].every(it => it.open)")


def test_without_scripts_everything_is_there_to_read(opened, lab):
    page = opened(lab, java_script_enabled=False).page
    assert page.locator(".verdict").first.is_visible()
    chapter = page.locator("section:has(> #lab-fidelity)")
    chapter.locator("> details > summary").click()
    assert chapter.locator("figure > svg").first.is_visible()


def test_all_experiments_begin_with_the_table_of_verdicts_and_fold(opened, lab):
    page = opened(lab).page
    kinds = page.evaluate(
        "[...document.querySelector('section.chapter').children].slice(0, 3)"
        ".map(it => it.className || it.tagName)"
    )
    assert kinds == ["H2", "verdict", "box"]
    others = page.locator("section.chapter").all()[1:]
    assert all(each.locator("> .verdict").is_visible() for each in others)
    assert not any(each.locator("> details").evaluate("it => it.open") for each in others)
