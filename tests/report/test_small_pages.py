"""Small pages: what is left out, that it is said, and that no link is dead."""

from __future__ import annotations

import random
from functools import cache

import pytest
from lxml import html

import spanwise
from spanwise.records import replace
from spanwise.reporting.first_screen import WeakTopics
from spanwise.reporting.output import Column, Output, Table
from spanwise.reporting.render.cells import Look
from spanwise.reporting.render.html import report_page
from spanwise.reporting.render.html.isolated_names import IsolatedNames
from spanwise.reporting.render.html.small_pages import STEPS, limited
from spanwise.reporting.render.html.topic_drawing import MOST_LINKED
from spanwise.reporting.sections import OnDemand, Report, Section
from spanwise.reporting.topic_failures import TopicFailures

MEASURES = ["textF", "textP", "textR"]
TEXT = "The bell was cast in 1752. It cracked twice and was cast again. Nobody rings it. " * 40


@cache
def made(runs: int, topics: int) -> Report:
    """A report whose runs become worse and worse; it has texts."""
    draw = random.Random(7)
    names = [f"q{number:04}" for number in range(topics)]
    judged = {topic: {f"d{topic}": [(100, 400)]} for topic in names}
    answers = {
        f"run-{number:03}": {
            topic: [
                (f"d{topic}", 100 + draw.randrange(20 + 5 * number), 500 + draw.randrange(400)),
                (f"d{topic}", 2000, 2100 + draw.randrange(300)),
            ]
            for topic in names
        }
        for number in range(runs)
    }
    found = spanwise.report(
        judged, answers, MEASURES, resamples=100,
        collection={f"d{topic}": TEXT for topic in names},
    )  # fmt: skip
    return with_titles(found.whole())


def with_titles(report: Report) -> Report:
    """Topics are called by what is asked."""
    failures = failures_of(report)
    asked = [
        replace(topic, title=f"how was bell {topic.topic} cast, and who rings it today? " * 3)
        for topic in failures.topics
    ]
    failures = replace(failures, topics=asked)
    return replace(
        report, sections=(replace(report.sections[0], items=(failures,)), *report.sections[1:])
    )


def failures_of(report: Report) -> TopicFailures:
    return report.sections[0].items[0]


def drawn(report: Report, **more: bool) -> tuple[html.HtmlElement, int]:
    page = report_page(report, Look(), **more).encode()
    return html.fromstring(page), len(page)


def dead(page: html.HtmlElement) -> list[str]:
    present = {part.get("id") for part in page.cssselect("[id]")}
    links = [link.get("href")[1:] for link in page.cssselect("a[href^='#']")]
    return [link for link in links if link not in present]


@pytest.mark.parametrize(("runs", "topics"), [(2, 14), (60, 14), (2, 1500), (12, 700)])
def test_every_page_is_small_and_no_link_is_dead(runs, topics):
    page, size = drawn(made(runs, topics))
    assert size < 400_000
    assert dead(page) == []
    assert page.cssselect(".weak li a")
    for link in page.cssselect(".weak li a"):
        topic = page.get_element_by_id(link.get("href")[1:])
        assert topic.cssselect(".lists > section"), "what the first screen links to opens"


def test_names_of_topics_come_before_further_measures():
    report = made(12, 700)
    page, _ = drawn(report)
    assert len(page.cssselect(".topics > *")) > 600
    for name in ("pairs", "topics"):
        section = page.get_element_by_id(name).getparent()
        assert "2 further measures left out; --all-texts shows all." in section.text_content()
        assert "The same for" not in section.text_content()
    numbers = page.get_element_by_id("topics").getparent().cssselect("details table")
    assert [len(table.cssselect("tbody tr")) for table in numbers] == [30]
    whole, _ = drawn(report, all_texts=True)
    assert len(whole.cssselect(".topics > *")) == 700
    assert "further measures left out" not in whole.text_content()
    assert dead(whole) == []


def test_many_runs_are_limited_and_that_is_said():
    page, _ = drawn(made(60, 14))
    shown = {
        part.get("aria-labelledby"): part.text_content()
        for part in page.cssselect("main > section")
    }
    for matrix in page.get_element_by_id("pairs").getparent().cssselect("table"):
        assert [len(matrix.cssselect(one)) for one in ("tbody tr", "thead th")] == [10, 11]
    assert "The first 10 of 20 runs are shown here; --all-texts shows all." in shown["pairs"]
    (why,) = page.cssselect(".summary table")
    assert len(why.cssselect("thead th")) == 21
    assert "The first 20 of 60 runs are shown here; --all-texts shows all." in shown["failures"]
    assert "lists of the best 10 of 60 runs" in shown["failures"]
    assert len(page.cssselect(".forest > svg.wide circle")) == 20
    header = page.find(".//header").text_content()
    assert "40 more runs not drawn" in header
    assert "The best 20 of 60 runs are shown." in header
    assert len(page.cssselect("details.topic")[0].cssselect(".lists > section")) == 10
    assert len(page.cssselect("[name=left] option")) == 10
    whole, _ = drawn(made(60, 14), all_texts=True)
    assert len(whole.cssselect(".summary table thead th")) == 61
    assert len(whole.cssselect("details.topic")[0].cssselect(".lists > section")) == 60


def test_the_rows_that_differ_most_are_kept():
    rows = tuple((f"q{n}", 0.5, 0.5 + (n % 40) / 100) for n in range(100))
    table = Table("AgP of every topic", (Column("topic", "text"), Column("a"), Column("b")), rows)
    report = Report(Output("report"), (), (Section("topics", "T", (OnDemand("N", (table,)),)),))
    [section] = limited(report, STEPS[1]).sections
    [kept] = section.items[0].items
    assert kept.title == "AgP of the 30 topics with the largest differences"
    assert len(kept.rows) == 30
    assert {row[0] for row in kept.rows} >= {"q39", "q38", "q79", "q78"}
    assert "q0" not in {row[0] for row in kept.rows}
    assert limited(report, STEPS[0]) == report


# -- links


def test_a_topic_that_is_left_out_is_no_link():
    report = made(2, 14)
    topics = failures_of(report).topics
    gone = {topics[0].topic, topics[1].topic}
    kept = replace(failures_of(report), topics=[t for t in topics if t.topic not in gone])
    weak = next(item for item in report.lead if isinstance(item, WeakTopics))
    own = tuple(replace(one, topic=topics[0].topic) for one in weak.topics[:1])
    lead = (replace(weak, topics=own),)
    sections = (replace(report.sections[0], items=(kept,)),)
    page, _ = drawn(replace(report, lead=lead, sections=sections))
    assert dead(page) == []
    assert not page.cssselect(".weak a")
    assert page.cssselect(".weak b bdi")[0].text_content() == weak.topics[0].title


def test_a_group_says_how_many_of_it_are_in_the_page():
    report = made(2, 1500)
    groups = {group.name: group for group in failures_of(report).groups}
    page, _ = drawn(report)
    present = {part.get("id").removeprefix("topic=") for part in page.cssselect(".topics > *")}
    assert len(present) < 1500
    for group in groups.values():
        assert set(group.topics[:MOST_LINKED]) <= present
    said = [link.text_content() for link in page.cssselect("a[href^='#group=']")]
    partly = [group for group in groups.values() if not set(group.topics) <= present]
    assert partly
    for group in partly:
        inside, every = len(present.intersection(group.topics)), len(group.topics)
        assert f"Show the {inside:,} of {every:,} topics that are in this page" in said


# -- lists and texts


def page_of(report: Report, **changes: object) -> html.HtmlElement:
    failures = failures_of(report)
    first = failures.topics[0]
    lists = tuple(replace(one, **changes) for one in first.lists)
    changed = replace(failures, topics=[replace(first, lists=lists)])
    return drawn(replace(report, lead=(), sections=(Section("failures", "F", (changed,)),)))[0]


def test_no_answers_are_told_from_answers_that_are_not_shown():
    report = made(2, 14)
    (said, _) = page_of(report, answers=(), strips=(), more=3).cssselect(".lists > section")
    assert "3 answers not shown." in said.text_content()
    assert "No answers" not in said.text_content()
    (said, _) = page_of(report, answers=(), strips=(), more=0).cssselect(".lists > section")
    assert "No answers." in said.text_content()
    (said, _) = page_of(report, more=0).cssselect(".lists > section")
    assert "nswers not shown" not in said.text_content()


def test_what_green_means_is_said():
    page, _ = drawn(made(2, 14))
    heading = page.cssselect(".relevant h4")[0].text_content()
    assert "green: returned by any run in its first 5 answers; outlined: by none" in heading


def test_document_names_that_may_be_clipped_have_a_title():
    page, _ = drawn(made(2, 14))
    failures = failures_of(made(2, 14))
    lists = tuple(
        replace(one, strips=tuple(replace(s, document="a-rather-long.txt") for s in one.strips))
        for one in failures.topics[0].lists
    )
    changed = replace(failures, topics=[replace(failures.topics[0], lists=lists)])
    report = replace(made(2, 14), lead=(), sections=(Section("failures", "F", (changed,)),))
    page, _ = drawn(report)
    titles = [name.get("title") for name in page.cssselect(".lists .named bdi")]
    assert titles
    assert set(titles) == {"a-rather-long.txt"}


# -- names


def test_known_names_are_isolated_longest_first():
    shown = IsolatedNames(["run", "run b", "שלום", ""], str)
    assert shown("run b beats run by 0.1; שלום 0.2, running") == (
        "<bdi>run b</bdi> beats <bdi>run</bdi> by 0.1; <bdi>שלום</bdi> 0.2, running"
    )
    assert IsolatedNames(["<b>"], str)("<b> & c") == "<bdi>&lt;b&gt;</bdi> &amp; c"
    assert IsolatedNames([], str)("<") == "&lt;"


def test_sentences_of_a_report_isolate_the_names_of_runs():
    page, _ = drawn(made(2, 14))
    [headline] = page.cssselect("h1")
    assert headline.get("dir") == "ltr"
    names = {"run-000", "run-001"}
    for part in ("h1", "header > p[dir]", ".forest figcaption", ".weak h2"):
        assert {name.text_content() for name in page.cssselect(f"{part} > bdi")} & names, part
