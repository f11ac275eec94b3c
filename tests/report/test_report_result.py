"""``spanwise.report``: the report as the library gives it."""

from __future__ import annotations

from pathlib import Path

import pytest
from lxml import html

import spanwise
from spanwise.errors import OutputError, SpanwiseError
from spanwise.reporting.output import Headline, Output, Plot
from spanwise.reporting.report import ReportResult

JUDGED = {"q1": {"d1": [(0, 100)], "d2": [(10, 60)]}, "q2": {"d3": [(5, 25)]}}
RUNS = {
    "first": {"q1": [("d1", 0, 60, 3.0), ("d9", 0, 5, 2.0)], "q2": [("d3", 0, 30, 1.0)]},
    "second": {"q1": [("d2", 0, 60, 1.0)]},
}
TEXTS = {"d1": "one " * 50, "d2": "two " * 50, "d3": "three " * 10, "d9": "nine " * 10}


@pytest.fixture(scope="module")
def made() -> ReportResult:
    return spanwise.report(JUDGED, RUNS, ["AgP", "textR@5"], collection=TEXTS, resamples=200)


def page(file: Path) -> html.HtmlElement:
    return html.fromstring(file.read_bytes())


def texts(root: html.HtmlElement, selector: str) -> list[str]:
    return [found.text_content() for found in root.cssselect(selector)]


def test_objects_in_memory_have_a_report_with_documents_and_texts(made, tmp_path):
    made.save(tmp_path / "report.html")
    root = page(tmp_path / "report.html")
    assert texts(root, "head title") == ["2 runs on 2 topics"]
    [q1] = [
        topic for topic in root.cssselect(".topic") if topic.cssselect("h3 bdi")[0].text == "q1"
    ]
    assert {"first", "second"} <= {*texts(q1, "h4 bdi")}
    assert {"d1", "d2"} <= {*texts(q1, "bdi")}
    assert texts(root, ".sortable thead th") == ["run", "AgP", "textR@5"]


def test_messages_speak_python(tmp_path):
    judged = {**JUDGED, "q3": {"d4": [(1, 2)]}}
    run = {"q1": [("d1", 0, 60), ("d2", 0, 60)], "q2": [("d3", 0, 20)]}
    made = spanwise.report(judged, {"a": run}, ["AgP"])
    made.save(tmp_path / "report.html")
    assert "--" not in " ".join(texts(page(tmp_path / "report.html"), "#notes + ul"))
    with pytest.raises(SpanwiseError, match="leave out compat="):
        spanwise.report("qrels", "run", compat="inex_eval")


def test_it_shows_itself_as_its_verdict_and_means(made):
    said = str(made)
    assert "first has the best mean AgP" in said
    assert "second" in said
    assert "<table" in made._repr_html_()
    assert made.to_polars().columns == [
        *("run", "measure", "canonical", "mean", "low", "high", "topics"),
    ]


def test_charts_are_written_beside_the_page(made, tmp_path):
    made.save(tmp_path / "report.html", charts=tmp_path / "charts")
    names = sorted(file.name for file in (tmp_path / "charts").iterdir())
    assert names == [
        *("curve-1.svg", "curve-2.svg", "curve-3.svg", "forest.svg", "found-against-cost.svg"),
        *("matrix-1.svg", "matrix-2.svg"),
        *("topics-1-2.svg", "topics-2-2.svg"),
    ]


def test_other_endings_hold_the_means(made, tmp_path):
    made.save(tmp_path / "means.csv")
    assert (tmp_path / "means.csv").read_text().startswith("run,measure,canonical,mean,low")
    with pytest.raises(OutputError, match="charts belong to a page"):
        made.save(tmp_path / "means.csv", charts=tmp_path / "charts")


def test_no_input_is_replaced(tmp_path):
    (tmp_path / "run.html").write_text("q1 Q0 d1 1 1.0 tag\n")
    made = spanwise.report(JUDGED, tmp_path / "run.html", ["AP"], run_format="trec")
    with pytest.raises(OutputError, match="is read by this command"):
        made.save(tmp_path / "run.html")


def test_chapters_are_outputs(tmp_path):
    plot = Plot("Errors", "topics", "error", (1.0, 2.0), (("a", (0.1, 0.2)),))
    chapter = Output("lab topics", "Topics: enough?", (Headline("Yes."), plot), chapter=True)
    made = spanwise.report(JUDGED, RUNS, ["AgP"], chapters=[chapter], resamples=200)
    made.save(tmp_path / "report.html", charts=tmp_path / "charts")
    root = page(tmp_path / "report.html")
    assert texts(root, "section.chapter .verdict") == ["Yes."]
    assert (tmp_path / "charts" / "lab-topics-1.svg").exists()


@pytest.mark.parametrize("strips", [-1, 2.5, True])
def test_strips_are_a_whole_number(strips):
    with pytest.raises(SpanwiseError, match="strips must be a whole number"):
        spanwise.report(JUDGED, RUNS, strips=strips)


def test_every_setting_of_the_comparison_is_told(made):
    settings = made.output().settings
    assert (settings["test"], settings["tail"], settings["resamples"]) == (
        "randomisation",
        "two",
        200,
    )
    assert settings["measures"] == ["AgP", "textR@5"]
