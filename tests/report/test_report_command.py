"""``spanwise report``: what the page says, and what is refused."""

from __future__ import annotations

import hashlib
import json
import random
import re
from pathlib import Path
from urllib.parse import unquote

import pytest
from lxml import etree, html

from spanwise import evaluate
from spanwise.cli.main import command_line
from spanwise.errors import OutputError, SpanwiseError

RUNS = ("first", "second")
MEANS = "Means over topics, with 95% CI"
SVG = "{http://www.w3.org/2000/svg}"


def text(page: html.HtmlElement, path: str) -> str:
    return " ".join(" ".join(part.text_content() for part in page.cssselect(path)).split())


def cells(page: html.HtmlElement, table: str) -> list[list[str]]:
    rows = page.xpath(f"//div[@aria-label='{table}']//tbody/tr")
    return [[cell.text_content() for cell in row] for row in rows]


def test_the_finding_and_the_verdict_name_the_best_run(report):
    page = report("-m", "AgP")
    assert text(page, ".verdict") == (
        "first leads, but 3 topics are too few for a significant difference"
    )
    assert "first has the best mean AgP (0.86, 95% CI" in text(page, ".verdict + p")
    assert text(page, "head title") == "2 runs on 3 topics"
    assert text(page, ".about").startswith("2 runs on 3 topics · spanwise ")


def test_the_table_has_the_means_of_an_evaluation(report, files):
    page = report("-m", "AgP", "-m", "ANCE@5")
    scores = evaluate("qrels.txt", ["first.fol", "second.fol"], ["AgP", "ANCE@5"])
    [table] = page.xpath(f"//div[@aria-label='{MEANS}']//tbody")
    found = [float(cell.get("data-v")) for cell in table.xpath(".//td")]
    assert found == [scores.mean(m, run) for run in RUNS for m in ("AgP", "ANCE@5")]
    bold = [cell.text_content() for cell in table.xpath(".//td[b]/b")]
    assert bold == [f"{scores.mean(m, 'first'):.4f}" for m in ("AgP", "ANCE@5")]
    assert "Lower is better: ANCE@5." in text(page, "section small")


def test_the_matrix_is_row_minus_column(report, files):
    page = report("-m", "AgP")
    scores = evaluate("qrels.txt", ["first.fol", "second.fol"], ["AgP"])
    difference = scores.mean("AgP", "first") - scores.mean("AgP", "second")
    rows = cells(page, "AgP: row minus column")
    assert rows[0][1] == rows[1][2] == "–"
    assert rows[0][2].startswith(f"+{difference:.4f}")
    assert rows[1][1].startswith(f"−{difference:.4f}")
    assert "With 3 topics no difference can be significant" in text(page, "#pairs + p")
    assert rows[0][2].endswith("p 0.500, corrected 0.500")
    assert "uncorrected 95% CI" in text(page, "#pairs + p")
    assert "Stars" not in page.text_content(), "3 topics are too few for any"


def test_a_baseline_is_what_all_are_held_against(report):
    page = report("-m", "AgP", "--baseline", "second")
    assert text(page, ".verdict").startswith("first is ahead of second, but 3 topics")
    assert "Against the baseline second" in text(page, ".verdict + p")
    [matrix] = page.xpath("//div[@aria-label='AgP: row minus column']//thead")
    assert matrix.text_content().endswith("second")
    captions = [caption.text_content() for caption in page.cssselect("figure.bars figcaption")]
    assert captions == ["first minus second, AgP, topic by topic"]


def test_topics_are_sorted_from_gain_to_loss(report, files):
    page = report("-m", "AgP")
    said = text(page, ".pair small")
    assert said == (
        "Better on 1, equal on 0, worse on 2 topics. Gains most on t2 (+0.33)."
        " Loses most on t3 (−1.00), t1 (−0.42)."
    )


def test_the_largest_gains_are_named_first(report):
    said = text(report("-m", "AgP", "--baseline", "second"), ".pair small")
    assert "Gains most on t3 (+1.00), t1 (+0.42). Loses most on t2 (−0.33)." in said


def test_up_is_better_where_less_is_better(report):
    page = report("-m", "ANCE@5")
    [chart] = page.cssselect("figure.bars > svg")
    assert "Up is better, a lower value." in text(page, "#topics + p")
    ticks = [float(tick.text.strip()) for tick in chart.xpath(".//text")]
    assert ticks == sorted(ticks, reverse=True), "from below upwards the values fall"
    assert chart.xpath(".//path[@class='less']")
    assert not chart.xpath(".//path[@class='more']")


def test_topics_of_failures_show_documents_as_strips(report):
    page = report("-m", "AgP")
    topics = page.cssselect("#failures ~ * .topic, #failures ~ .topic")
    assert sorted(topic.get("id") for topic in topics) == ["topic=t1", "topic=t2", "topic=t3"]
    labels = {bar.get("aria-label") for topic in topics for bar in topic.cssselect(".strip")}
    assert {
        "1,000 characters; relevant 0–100; returned 0–100; best entry point 20",
        "1,000 characters; relevant 10–60; returned 10–110; best entry point 10",
    } <= labels


@pytest.mark.parametrize(("most", "shown"), [(500, 8), (3, 2), (2, 2), (1, 0), (0, 0)])
def test_no_more_strips_than_asked_for(report, most, shown):
    page = report("-m", "AgP", "--strips", most)
    strips = page.cssselect(".topic .strip")
    assert len(strips) == shown
    assert page.cssselect("#failures")


def test_settings_versions_and_hashes_are_told(report, files):
    page = report("-m", "AgP", "--seed", 7)
    said = text(page, "section[aria-labelledby=settings]")
    digest = hashlib.sha256((files / "first.fol").read_bytes()).hexdigest()
    assert f"run first.fol SHA-256 {digest}" in re.sub(r"\s*SHA", " SHA", said)
    assert "seed7" in said.replace(" ", "")
    assert "numpy" in said


def test_the_same_inputs_give_the_same_bytes(report, files):
    report("-m", "AgP")
    once = (files / "report.html").read_bytes()
    report("-m", "AgP")
    assert (files / "report.html").read_bytes() == once


def test_downloads_hold_the_table(report):
    page = report("-m", "AgP")
    links = {link.get("download"): link.get("href") for link in page.cssselect(".downloads a")}
    contents = {name: unquote(href.partition(",")[2]) for name, href in links.items()}
    means = ["scores.csv", "scores.tex", "scores.md", "scores.json"]
    assert list(contents) == [
        "verdict.md",
        *means,
        "pairs.csv",
        "pairs.tex",
        "pairs.md",
        "topics.csv",
    ]
    found = json.loads(contents["scores.json"])
    assert [mean["run"] for mean in found["rows"]] == ["first", "second"]
    assert (found["pairs"][0]["a"], found["pairs"][0]["topics"]) == ("first", 3)
    assert "\\begin{tabular}{lr}" in contents["scores.tex"]
    assert contents["scores.md"].startswith("| run | AgP |")
    assert contents["verdict.md"].startswith("**first leads, but 3 topics are too few")
    assert "- too few topics for a significant difference: 3\n" in contents["verdict.md"]
    assert contents["pairs.csv"].startswith("measure,a,b,mean_a,mean_b,difference,")
    header, *topics = contents["topics.csv"].splitlines()
    assert header == "topic,first,second"
    assert [line.partition(",")[0] for line in topics] == ["t1", "t2", "t3"]


def test_charts_are_files_of_their_own(report, files):
    report("-m", "AgP", "--charts", "charts/inside")
    names = sorted(path.name for path in (files / "charts" / "inside").iterdir())
    first = ["forest.svg", "found-against-cost.svg"]
    assert names == ["curve-1.svg", "curve-2.svg", *first, "matrix-1.svg", "topics-1-2.svg"]
    for name in names:
        content = (files / "charts" / "inside" / name).read_bytes()
        root = etree.fromstring(content)
        assert root.tag == f"{SVG}svg"
        assert root.find(f"{SVG}title").text
        assert root.find(f"{SVG}desc").text
        assert b"var(" not in content, "colours are spelled out: there is no page around it"


def test_every_picture_has_words(report):
    page = report("-m", "AgP", "-m", "ANCE@5", "-m", "nxCG@5")
    pictures = page.cssselect("figure > svg")
    assert len(pictures) >= 7
    for picture in pictures:
        named = picture.get("aria-labelledby").split()
        words = [picture.xpath(f".//*[@id='{name}']")[0].text for name in named]
        assert all(words), named
    identifiers = page.xpath("//@id")
    assert len(identifiers) == len(set(identifiers))


@pytest.mark.parametrize(
    ("runs", "measure"),
    [
        (["first.fol"], "AgP"),
        (["first.fol", "empty.fol"], "AgP"),
        (["first.fol", "copy.fol"], "overlap"),
        (["first.fol", "copy.fol"], "ANCE@5"),
        (["only-t1.fol", "only-t2.fol"], "AgP"),
    ],
)
def test_poor_inputs_have_a_report_too(report, files, runs, measure):
    first = (files / "first.fol").read_text()
    (files / "empty.fol").write_text("")
    (files / "copy.fol").write_text(first.replace("first", "copy"))
    for topic in ("t1", "t2"):
        own = [line for line in first.splitlines(keepends=True) if line.startswith(topic)]
        (files / f"only-{topic}.fol").write_text("".join(own).replace("first", topic))
    page = report("qrels.txt", *runs, "-m", measure, "--run-format", "fol", "--missing", "skip")
    assert text(page, ".verdict")
    assert text(page, ".verdict + p").endswith(".")
    shown = text(page, "header, section:not([aria-labelledby=settings])")
    assert not re.search(r"\b(nan|inf|none)\b", shown, re.IGNORECASE)
    assert "NaN" not in (files / "report.html").read_text("utf-8")


def test_means_over_different_topics(report, files):
    """No mean is called the best one where runs have different topics."""
    first = (files / "first.fol").read_text()
    few = "".join(line for line in first.splitlines(keepends=True) if line.startswith("t1"))
    (files / "few.fol").write_text(few.replace("first", "few"))
    words = ("qrels.txt", "few.fol", "second.fol", "-m", "AgP", "--run-format", "fol")
    page = report(*words, "--missing", "skip")
    said = "Runs have different topics. Each mean is over the topics of its run;"
    assert text(page, ".verdict") == "few has the best mean, but the runs have different topics"
    assert "but means are over different topics" in text(page, ".verdict + p")
    assert said in text(page, "main")
    bold = f"//div[@aria-label='{MEANS}']//td/b"
    assert not page.xpath(bold)
    page = report(*words)
    assert page.xpath(bold)
    assert said not in text(page, "main")


def test_one_topic(report):
    page = report("-m", "AgP", "--topics", "t1")
    assert text(page, "head title") == "2 runs on 1 topic"
    assert text(page, ".verdict") == (
        "first leads, but 1 topic is too few for a significant difference"
    )
    assert "With 1 topic no difference can be significant" in text(page, ".verdict + p")


def test_whole_documents_and_runs_named_after_files(report, files):
    (files / "judged.txt").write_text("t1 0 d1 1\nt1 0 d2 0\nt2 0 d3 2\n")
    (files / "whole.fol").write_text("t1 Q0 d1 1 2.0 tag\nt1 Q0 d2 2 1.0 tag\nt2 Q0 d3 1 1.0 tag\n")
    page = report("judged.txt", "whole.fol", "-m", "AP", "--run-name", "file")
    assert cells(page, MEANS)[0][0] == "whole"
    strips = page.cssselect(".topic .strip")
    assert strips[0].get("aria-label").startswith("length not known; relevant 0–1")


def command(*words: str) -> None:
    command_line.main(["report", *words], standalone_mode=False)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--to", "nowhere/report.html"], "folder not found"),
        (["--to", "r.html", "--charts", "qrels.txt"], "is not a folder"),
        (["--to", "r.html", "--baseline", "third"], "no run is named third"),
        (["--to", "r.html", "-m", "AgQ"], "did you mean"),
    ],
)
def test_what_cannot_be_done_is_said_and_nothing_is_written(files, words, said):
    before = sorted(path.name for path in files.iterdir())
    with pytest.raises((SpanwiseError, OutputError)) as refused:
        command("qrels.txt", "first.fol", "second.fol", *words)
    assert said in refused.value.said("command line")
    assert sorted(path.name for path in files.iterdir()) == before


def test_an_old_report_stays_if_the_new_one_fails(files: Path):
    (files / "report.html").write_text("old")
    (files / "bad.fol").write_text("t1 Q0 d1\n")
    with pytest.raises(SpanwiseError):
        command("qrels.txt", "bad.fol", "--to", "report.html", "--run-format", "fol")
    assert (files / "report.html").read_text() == "old"


@pytest.fixture
def many(files: Path) -> list[str]:
    """Eight runs with long lists, and the texts of their documents."""
    draw = random.Random(4)
    texts = [
        {"document": f"d{n}", "text": f"{n} sea weed gathered by night. " * 250} for n in range(20)
    ]
    (files / "docs.jsonl").write_text("".join(json.dumps(text) + "\n" for text in texts))
    judged, answers = [], {number: list[str]() for number in range(8)}
    for topic in range(60):
        for document in range(6):
            start = draw.randrange(4000)
            judged.append(f"t{topic} Q0 d{document} 300 5000 {start} {start}:300\n")
        for number, lines in answers.items():
            for rank in range(30):
                place = f"{draw.randrange(4000)} {draw.randrange(50, 900)}"
                document = f"d{draw.randrange(20)}"
                lines.append(f"t{topic} Q0 {document} {rank} {30 - rank} s{number} {place}\n")
    (files / "many.txt").write_text("".join(judged))
    for number, lines in answers.items():
        (files / f"s{number}.fol").write_text("".join(lines))
    return ["many.txt", *(f"s{number}.fol" for number in answers)]


def test_eight_runs_and_five_hundred_strips_stay_small(files, many):
    command(*many, "-m", "AgP", "--to", "report.html", "--quiet")
    content = (files / "report.html").read_bytes()
    assert 300 < len(re.findall(rb'class="strip[ "]', content)) <= 510
    assert len(content) < 400_000


def test_pairs_without_a_common_topic(report, files):
    for name, topic in (("early", "t1"), ("late", "t2")):
        lines = [
            line.replace("first", name)
            for line in (files / "first.fol").read_text().splitlines(keepends=True)
            if line.startswith(topic)
        ]
        (files / f"{name}.fol").write_text("".join(lines))
    page = report("qrels.txt", "early.fol", "late.fol", "-m", "AgP", "--missing", "skip")
    assert text(page, "head title") == "2 runs on 2 topics"
    [matrix] = page.xpath("//div[@aria-label='AgP: row minus column']//tbody")
    assert matrix.text_content().count("no common topic") == 2
    assert text(page, "#pairs + p").startswith("AgP was not tested.")


def test_parts_are_numbered_in_the_order_of_the_list(report, files):
    run = "t1 Q0 d1 1 2.0 both 0 1000\nt1 Q0 d1 2 1.0 both 700 100\n"
    (files / "both.fol").write_text(run)
    page = report("qrels.txt", "both.fol", "-m", "AgP")
    labels = [strip.get("aria-label") for strip in page.cssselect(".topic .strip")]
    assert any("returned 0–1000, 700–800" in label for label in labels)


def test_what_was_dropped_marks_the_report(report, files):
    (files / "bad.fol").write_text((files / "first.fol").read_text() + "nothing\n")
    page = report("qrels.txt", "bad.fol", "--lenient", "-m", "AgP")
    assert "lenient: faulty input was dropped or cut for first" in text(page, "header b")
    links = {link.get("download"): link.get("href") for link in page.cssselect(".downloads a")}
    contents = {name: unquote(href.partition(",")[2]) for name, href in links.items()}
    assert contents["scores.csv"].startswith("# lenient: ")
    assert json.loads(contents["scores.json"])["lenient"] is True
    assert "lenient: " in contents["scores.md"]
    assert "lenient: " in contents["scores.tex"]
