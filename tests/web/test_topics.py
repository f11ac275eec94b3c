"""Topics in a browser: addresses, filters, keys, two runs side by side."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Page

from spanwise.reporting.render.cells import Look
from spanwise.reporting.render.html import report_page

from .first_screens import MEANS, report_value

RUNS = list(MEANS)


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    written = tmp_path_factory.mktemp("topics") / "report.html"
    written.write_text(report_page(report_value(), Look()), "utf-8")
    return written


def shown(page: Page) -> list[str]:
    return page.evaluate(
        "[...document.querySelectorAll('.topics > *')].filter(it => !it.hidden).map(it => it.id)"
    )


def focused(page: Page) -> str:
    return page.evaluate("document.activeElement.closest('.topics > *')?.id")


def test_a_topic_has_an_address(opened, file):
    page = opened(file).page
    page.goto(f"{file.as_uri()}#topic=t09")
    page.wait_for_function("document.getElementById('topic=t09').open")
    page.reload()
    topic = page.locator("[id='topic=t09']")
    assert topic.get_attribute("open") is not None
    assert focused(page) == "topic=t09"
    top = topic.evaluate("it => it.getBoundingClientRect().top")
    assert -1 <= top < 400


def test_keys_move_and_write_the_address(opened, file):
    page = opened(file).page
    page.keyboard.press("j")
    assert page.url.endswith("#topic=t00")
    page.keyboard.press("j")
    assert (focused(page), page.url.rpartition("#")[2]) == ("topic=t01", "topic=t01")
    page.keyboard.press("Enter")
    assert page.locator("[id='topic=t01']").get_attribute("open") is not None
    page.keyboard.press("k")
    assert focused(page) == "topic=t00"
    page.keyboard.press("?")
    listed = page.get_by_role("dialog", name="Keys").inner_text()
    for said in ("search the topics", "next topic", "open or close"):
        assert said in listed


def test_words_are_searched(opened, file):
    found = opened(file)
    page = found.page
    page.keyboard.press("/")
    page.keyboard.type("FOG way")
    assert shown(page) == ["topic=t01", "topic=t05", "topic=t09"]
    assert page.locator(".filters [role=status]").inner_text() == "3 of 14 topics"
    page.keyboard.press("Escape")
    page.keyboard.press("j")
    page.keyboard.press("j")
    assert focused(page) == "topic=t05", "keys pass over what is hidden"
    assert found.errors == []


def test_topics_are_filtered_by_list_reason_and_run(opened, file):
    page = opened(file).page
    failures = report_value().sections[0].items[0]
    page.locator("[name=group]").select_option("found by no run")
    assert shown(page) == [f"topic={topic}" for topic in failures.groups[0].topics]
    page.locator("[name=group]").select_option("all topics")
    page.locator("[name=diagnosis]").select_option("late")
    page.get_by_label("Run that fails").select_option("chunks")
    wanted = [t.topic for t in failures.topics if t.lists[2].diagnosis == "late"]
    assert 0 < len(wanted) < 14
    assert shown(page) == [f"topic={topic}" for topic in wanted]
    page.locator("[name=diagnosis]").select_option("any reason")
    assert len(shown(page)) == sum(bool(t.lists[2].diagnosis) for t in failures.topics)


def test_topics_are_sorted(opened, file):
    page = opened(file).page
    failures = report_value().sections[0].items[0]
    page.get_by_label("Order").select_option("lowest AgP of the best run")
    lowest = sorted(failures.topics, key=lambda topic: topic.lists[0].value)
    assert shown(page) == [f"topic={topic.topic}" for topic in lowest]
    page.get_by_label("Order").select_option("failures first")
    assert shown(page) == [f"topic={topic.topic}" for topic in failures.topics]


def test_a_link_shows_a_whole_list(opened, file):
    page = opened(file).page
    page.get_by_role("link", name="Show all 7 topics").click()
    page.wait_for_function("document.querySelector('.filters select').value === '1'")
    assert len(shown(page)) == 7


def test_an_address_of_a_hidden_topic_shows_it(opened, file):
    page = opened(file).page
    page.get_by_label("Words").fill("fog")
    page.evaluate("location.hash = '#topic=t00'")
    page.wait_for_function("document.getElementById('topic=t00').open")
    assert len(shown(page)) == 14


def test_two_runs_are_side_by_side(opened, file):
    page = opened(file).page
    page.locator("details.topic > summary").first.click()
    lists = page.locator("details.topic").first.locator(".lists > section")
    seen = [part for part in lists.all() if part.is_visible()]
    assert [part.locator("h4 bdi").inner_text() for part in seen] == RUNS[:2]
    boxes = [part.bounding_box() for part in seen]
    assert boxes[0]["y"] == boxes[1]["y"]
    assert boxes[0]["x"] + boxes[0]["width"] <= boxes[1]["x"]
    page.get_by_label("Left").select_option("sentences")
    page.get_by_label("Right").select_option("documents")
    seen = sorted(
        (part for part in lists.all() if part.is_visible()), key=lambda it: it.bounding_box()["x"]
    )
    assert [part.locator("h4 bdi").inner_text() for part in seen] == ["sentences", "documents"]


def test_a_topic_has_its_texts_with_marks(opened, file):
    page = opened(file).page
    page.locator("details.topic > summary").first.click()
    topic = page.locator("details.topic").first
    assert (
        topic.locator("h3").inner_text() == "causes of coastal erosion and loss of land to the sea"
    )
    assert topic.locator(".relevant mark.m").first.is_visible()
    assert topic.locator(".lists mark.v").first.is_visible()
    assert "characters left out" in topic.locator(".gap").first.inner_text()
    assert topic.locator(".lists li").first.get_attribute("value") == "1"
    assert topic.locator(".strip").first.get_attribute("aria-label").startswith("3,")


def test_without_scripts_every_run_can_be_read(opened, file):
    page = opened(file, java_script_enabled=False).page
    assert not page.locator(".filters").is_visible()
    page.locator("details.topic > summary").first.click()
    lists = page.locator("details.topic").first.locator(".lists > section")
    assert lists.count() == 6
    assert all(part.is_visible() for part in lists.all())


def test_texts_are_left_out_by_a_rule_that_is_said(opened, tmp_path):
    report = report_value(topics=120, with_texts=120)
    small, whole = tmp_path / "small.html", tmp_path / "whole.html"
    small.write_text(report_page(report, Look()), "utf-8")
    whole.write_text(report_page(report, Look(), all_texts=True), "utf-8")
    assert small.stat().st_size < 400_000 < whole.stat().st_size
    page = opened(small).page
    assert "--all-texts shows all" in page.locator("section:has(> #topics)").inner_text()
    with_texts = ".topics > :has(.relevant)"
    first = page.locator(".topics > *").first
    assert first.locator(".relevant").count() == 1
    assert 0 < page.locator(with_texts).count() < 120
    assert page.locator(".topics > *").count() == 120
    page = opened(whole).page
    assert page.locator(with_texts).count() == 120
    assert "--all-texts" not in page.content()


def test_the_count_says_how_many_topics_are_in_the_page(opened, tmp_path):
    file = tmp_path / "report.html"
    file.write_text(report_page(report_value(topics=2500, with_texts=20), Look()), "utf-8")
    page = opened(file).page
    inside = page.locator(".topics > *").count()
    assert 100 < inside < 2500
    part = f"{inside:,} of 2,500 topics are in this page"
    status = page.locator(".filters [role=status]")
    assert status.inner_text() == part
    page.get_by_label("Words").fill("fog way")
    found = sum("fog" in title for title in page.locator(".topics h3").all_text_contents())
    assert status.inner_text() == f"{found:,} of {inside:,} topics; {part}"
    page.get_by_label("Words").fill("")
    assert status.inner_text() == part


def test_a_topic_among_a_thousand_has_its_address(opened, tmp_path):
    whole = tmp_path / "report.html"
    value = report_value(topics=1190, with_texts=60)
    whole.write_text(report_page(value, Look(), all_texts=True), "utf-8")
    page = opened(whole).page
    page.goto(f"{whole.as_uri()}#topic=t1100")
    page.wait_for_function(
        "() => document.activeElement.closest('.topics > *')?.id === 'topic=t1100'"
    )
