"""The page of any output, and what a notebook shows of it."""

from __future__ import annotations

import base64
import hashlib
import re
import subprocess
import sys
from pathlib import Path

import pytest
from lxml import etree, html

from spanwise import evaluate
from spanwise.data.notes import Note
from spanwise.errors import option
from spanwise.records import replace
from spanwise.reporting.output import (
    Cell,
    Column,
    Headline,
    Input,
    Interval,
    Lines,
    Output,
    Plot,
    Table,
)
from spanwise.reporting.render.cells import Look
from spanwise.reporting.render.html import fragment, page, report_charts
from spanwise.reporting.render.html.drawing import setting_text
from spanwise.reporting.render.html.output_sections import (
    ALL_ROWS,
    MOST_ROWS,
    MOST_SUMMARIES,
    OPEN_PLOTS,
    OPEN_SENTENCES,
    OPEN_TABLES,
)
from spanwise.reporting.render.html.scales import by_rank, linear, number
from spanwise.reporting.sections import Report

HOSTILE = """<script>x</script>"'&\x00\u202e"""
SHOWN = """<script>x</script>"'&\N{REPLACEMENT CHARACTER}\N{REPLACEMENT CHARACTER}"""
SAID = """<script>x</script>"'&\\x00\\u202e"""


def table(title: str = "Scores", rows: int = 3) -> Table:
    columns = (Column("run", "text"), Column("value"), Column("change", "signed"))
    return Table(title, columns, tuple((f"r{n}", n / 10, -n / 10) for n in range(rows)))


def plot(title: str = "Lines", names: tuple[str, ...] = ("a", "b"), **more: object) -> Plot:
    places = (1.0, 2.0, 4.0)
    series = tuple((name, (0.1, 0.2, n / 10)) for n, name in enumerate(names))
    return replace(Plot(title, "n", "score", places, series), **more)


def chapter(*parts: object, **more: object) -> Output:
    made = Output(
        producer="lab topics",
        title="Topics: how many?",
        parts=parts or (Headline("Many."), "More than few.", table(), plot()),
        notes=(Note("remark", detail="a note"),),
        settings={"seed": 1, "procedure": {"test": "t", "level": 0.05}},
        chapter=True,
    )
    return replace(made, **more)


def shown(output: Output, *others: Output) -> html.HtmlElement:
    whole = replace(output, appendices=others)
    return html.fromstring(page(whole, Look()).encode())


def texts(root: html.HtmlElement, selector: str) -> list[str]:
    return [found.text_content() for found in root.cssselect(selector)]


# -- any output


def result(**more: object) -> Output:
    made = Output(
        producer="check",
        parts=("Two files.", table(), Lines(("run.txt:3: found 2 columns",)), "Fix the line."),
        notes=(Note("ties", 3, detail="file"),),
        settings={"lenient": False},
        inputs=(Input("run", "run.txt", "abc"),),
        versions={"spanwise": "1"},
    )
    return replace(made, **more)


def test_any_output_has_a_page_with_everything_in_order():
    root = shown(result())
    assert texts(root, "h1") == texts(root, "head title") == ["spanwise check"]
    assert texts(root, "nav a") == texts(root, "h2") == ["Results", "Notes", "Settings and files"]
    [results] = root.cssselect("section[aria-labelledby=results]")
    kinds = [child.get("class") or child.tag for child in results]
    assert kinds == ["h2", "p", "box", "lines", "p"]
    assert "3 answers have tied scores" in texts(root, "#notes + ul")[0]
    assert texts(root, "h3") == ["Settings", "Versions", "Files"]
    assert texts(root, ".files dt") == ["run run.txt"]


def test_the_page_of_an_evaluation():
    judged = {"q1": {"d1": [(0, 10)]}, "q2": {"d2": [(5, 9)]}}
    runs = {"first": {"q1": [("d1", 0, 5, 1.0)]}, "second": {"q2": [("d2", 0, 9, 1.0)]}}
    scores = evaluate(judged, runs, ["textR@5"])
    root = shown(scores.output())
    labels = [region.get("aria-label") for region in root.cssselect("[role=region]")]
    assert labels == ["Table", "Table (2)"], "regions without a title have a name too"
    assert texts(root, "td b") == ["0.5000"]
    assert not root.cssselect("dialog p:contains(next)"), "there is nothing to walk through"


def test_what_was_dropped_is_said_first():
    root = shown(result(lenient="lenient: faulty input was dropped"))
    assert texts(root, "header b") == ["lenient: faulty input was dropped"]


def test_settings_in_sentences_are_spelled_for_the_reader():
    output = result(parts=(f"Use {option('lenient', True)}.",))
    assert "Use --lenient." in page(output, Look())
    assert "Use lenient=True." in page(output, Look(dialect="python"))


def test_cells_have_intervals_remarks_and_colours():
    cell = Cell(-0.25, "*", interval=Interval(-0.5, 0.1), remark="p 0.010", tone="worse")
    columns = (Column("run", "text"), Column("a", "signed"), Column("said", "text"))
    root = shown(result(parts=(Table("t", columns, (("r", cell, "words"), "A sentence.")),)))
    [value, said, across] = root.cssselect("td")
    assert value.get("class") == "less h3"
    assert value.text == "−0.2500*"
    assert texts(value, "small") == ["−0.5000 to 0.1000", "p 0.010"]
    assert (said.get("class"), across.get("colspan")) == ("t", "3")


@pytest.mark.parametrize(
    ("values", "order"),
    [([0.3, 0.2, None], "descending"), ([1, 2, 2], "ascending"), ([1, 3, 2], None), ([1], None)],
)
def test_a_sortable_table_says_how_it_is_sorted(values, order):
    rows = tuple((str(n), value) for n, value in enumerate(values))
    made = Table("t", (Column("run", "text"), Column("a")), rows, sortable=True)
    root = shown(result(parts=(made,)))
    assert root.cssselect("thead th")[1].get("aria-sort") == order
    known = [repr(value) for value in values if value is not None]
    assert [cell.get("data-v") for cell in root.cssselect("td[data-v]")] == known


def test_names_are_isolated_from_the_text_around_them():
    root = shown(result(parts=(table(), plot())))
    assert texts(root, "th bdi")[:4] == ["run", "value", "change", "r0"]
    assert texts(root, ".legend bdi") == ["a", "b"]


# -- what a page may do


def test_the_policy_allows_the_own_style_and_script_alone():
    root = shown(chapter())
    [policy] = root.cssselect("meta[http-equiv]")
    said = policy.get("content")
    assert said.startswith("default-src 'none'")
    assert "unsafe" not in said
    for kind in ("style", "script"):
        [element] = root.cssselect(kind)
        digest = base64.b64encode(hashlib.sha256(element.text.encode()).digest()).decode()
        assert f"{kind}-src 'sha256-{digest}'" in said
    assert not root.xpath("//@style")
    assert not root.xpath("//@*[starts-with(name(), 'on')]")
    assert not root.cssselect("[src], link[rel=stylesheet]")


def test_what_others_wrote_stays_text():
    columns = (Column(HOSTILE, "text"), Column(HOSTILE))
    strange = chapter(
        Headline(HOSTILE),
        Table(HOSTILE, columns, ((HOSTILE, HOSTILE),), legend=HOSTILE),
        plot(HOSTILE, (HOSTILE,), x_title=HOSTILE, y_title=HOSTILE),
        producer=HOSTILE,
        title=HOSTILE,
        notes=(Note("remark", detail=HOSTILE),),
        settings={HOSTILE: HOSTILE},
    )
    root = shown(strange)
    assert len(root.cssselect("script")) == 1, "the page's own"
    assert texts(root, ".verdict") == [SAID]
    assert texts(root, "h2") == [SHOWN]
    assert texts(root, "td")[0] == SHOWN
    assert texts(root, "text.axis") == [SHOWN, SHOWN]
    assert texts(root, "dd") == [SHOWN]


def test_nothing_but_pages_needs_the_templates():
    code = (
        "import sys\n"
        "from spanwise import evaluate\n"
        "made = evaluate({'q': {'d': [(0, 9)]}}, {'q': [('d', 0, 5, 1.0)]}, ['textR@5'])\n"
        "made.text()\n"
        "assert 'jinja2' not in sys.modules\n"
        "made._repr_html_()\n"
        "assert 'jinja2' in sys.modules\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


# -- chapters


def test_a_chapter_is_a_section_with_everything():
    root = shown(chapter())
    assert texts(root, "h1") == ["The lab: topics"]
    assert texts(root, "section.chapter > h2") == ["Topics: how many?"]
    assert texts(root, ".verdict") == ["Many."]
    assert texts(root, "section.chapter > p:not(.verdict)") == ["More than few."]
    assert texts(root, "caption")[0] == "Scores"
    assert texts(root, "tbody tr:nth-child(2) > *")[:3] == ["r1", "0.1000", "−0.1000"]
    assert texts(root, "figcaption") == ["Lines"]
    assert texts(root, ".legend button") == ["a", "b"]
    assert texts(root, "ul li")[-1] == "a note"
    assert texts(root, "dd") == ["1", "test: t; level: 0.05"]
    assert root.cssselect("details > summary")[0].text_content() == "The numbers"


def test_one_frame_for_all_pages():
    root = shown(chapter())
    [skip] = root.cssselect("a.skip")
    assert root.cssselect(skip.get("href")), "it leads somewhere"
    assert texts(root, "dialog p")[0] == "j next chapter"


def test_links_are_short_and_lead_to_all_chapters():
    root = shown(chapter(), chapter(title="A long question that ends?", producer="lab power"))
    links = root.cssselect("nav a")
    assert [link.text_content() for link in links] == ["Topics", "Power"]
    assert [link.get("href") for link in links] == ["#lab-topics", "#lab-power"]
    assert texts(root, "h1") == ["The lab"]


def test_the_same_chapter_twice_has_its_own_names():
    root = shown(chapter(), chapter(), chapter(producer="日本"), chapter(producer="lab topics-2"))
    names = [found.get("id") for found in root.cssselect("[id]")]
    assert len(names) == len(set(names))
    labels = [found.get("aria-label") for found in root.cssselect("[role=region]")]
    assert len(labels) == len(set(labels)) == 8
    assert texts(root, "h2")[:2] == ["Topics: how many?", "Topics: how many? (2)"]


def test_long_and_many_parts_open_on_demand():
    assert shown(chapter(table(rows=MOST_ROWS))).cssselect("section > .box")
    long = shown(chapter(table(rows=MOST_ROWS + 1)))
    assert not long.cssselect("section > .box")
    assert texts(long, "details.more > summary") == ["Scores"]
    tall = shown(chapter(table("a", 35), table("b", ALL_ROWS - 34)))
    assert texts(tall, "section > .box caption") == ["a"]
    many = shown(
        chapter(
            *(f"s{n}" for n in range(OPEN_SENTENCES + 2)),
            *(table(f"t{n}") for n in range(OPEN_TABLES + MOST_SUMMARIES + 1)),
            *(plot(f"p{n}") for n in range(OPEN_PLOTS + 2)),
        )
    )
    top = "section.chapter > details.more > summary"
    assert texts(many, top) == ["2 more findings", "4 more tables", "p2", "p3"]
    assert len(many.cssselect("section > .box")) == OPEN_TABLES
    assert len(many.cssselect("figure")) == OPEN_PLOTS + 2, "nothing is lost"
    assert len(many.cssselect("section details.more .box table caption")) > MOST_SUMMARIES


def test_plots_with_the_same_series_share_their_buttons():
    alike = shown(chapter(plot("a"), plot("b")))
    assert len(alike.cssselect(".legend")) == 1
    other = shown(chapter(plot("a"), plot("b", ("x", "y", "z"))))
    assert [len(group.cssselect("button")) for group in other.cssselect(".legend")] == [2, 3]
    sections = other.cssselect("section section")
    assert [len(section.cssselect("figure")) for section in sections] == [1, 1]


def test_very_many_series_are_all_drawn_and_some_labelled():
    names = tuple(f"series {n}" for n in range(30))
    root = shown(chapter(plot(names=names)))
    assert len(root.cssselect("figure path.line")) == 30
    assert 12 < len(root.cssselect("figure svg.end:not(.out)")) < 30
    looks = {path.get("class").split(" ", 2)[2] for path in root.cssselect("figure path.line")}
    assert len(looks) == 30


@pytest.mark.parametrize("empty", [{"series": ()}, {"places": (), "series": (("a", ()),)}])
def test_a_plot_without_anything_to_draw_is_passed_over(empty):
    root = shown(chapter(plot(**empty), plot("there")))
    assert texts(root, "figcaption") == ["there"]
    assert texts(shown(result(parts=(plot(**empty), plot("there")))), "figcaption") == ["there"]


def test_chapters_may_have_little():
    root = shown(Output("lab power", "Power", chapter=True))
    assert texts(root, "h2") == ["Power"]
    assert not root.cssselect("section details, section h3")


def test_what_is_not_defined_is_a_dash():
    columns = (Column("run", "text"), Column("p", "p"), Column("told", "text"))
    root = shown(chapter(Table("t", columns, ((None, None, False),))))
    assert texts(root, "tbody tr > *") == ["–", "–", "no"]


def test_every_chart_is_drawn_for_a_file_too():
    chapters = (chapter(), chapter(plot(), plot("b")))
    files = report_charts(Report(Output("report"), (), (), chapters), Look())
    assert list(files) == ["lab-topics-1.svg", "lab-topics-2-1.svg", "lab-topics-2-2.svg"]
    assert "means over topics" not in files["lab-topics-1.svg"]
    for content in files.values():
        etree.fromstring(content.encode())


def test_settings_are_worded():
    assert setting_text([1, None, True]) == "1, none, yes"
    assert setting_text({}) == "none"


# -- notebooks


def test_a_fragment_is_one_element_without_a_script():
    output = result(parts=(Headline("Found."), replace(table(), sortable=True), plot()))
    root = html.fragment_fromstring(fragment(output, Look()))
    assert (root.tag, root.get("class")) == ("div", "spanwise")
    assert texts(root, ".verdict") == ["Found."]
    assert texts(root, "tbody th") == ["r0", "r1", "r2"]
    assert texts(root, "summary") == ["1 note"]
    assert not root.cssselect("script, button, svg, [id]")


def test_results_show_themselves_in_notebooks():
    scores = evaluate({"q": {"<d>": [(0, 9)]}}, {"q": [("<d>", 0, 5, 1.0)]}, ["textR@5"])
    assert "<table>" in scores._repr_html_()


def test_a_result_saves_itself_as_a_page(tmp_path: Path):
    scores = evaluate({"q": {"d": [(0, 9)]}}, {"q": [("d", 0, 5, 1.0)]}, ["textR@5"])
    scores.save(tmp_path / "scores.html")
    content = (tmp_path / "scores.html").read_text("utf-8")
    assert re.match("<!doctype html>", content)
    assert texts(html.fromstring(content), "h1") == ["spanwise evaluate"]


# -- scales


def test_ranks_may_begin_with_0():
    scale = by_rank([0, 1, 10, 1000], 0, 300)
    assert (scale(0), scale(1000)) == (0, 300)
    assert 0 < scale(1) < scale(10) < 300
    assert scale.ticks[:2] == (0.0, 1.0)


def test_ticks_of_ranks_do_not_touch():
    assert by_rank([1, 50], 0, 300).ticks == (1, 2, 5, 10, 20, 50)
    assert by_rank([1, 1000], 0, 200).ticks == (1, 10, 100, 1000)
    assert by_rank([1, 100_000], 0, 300).ticks[-1] == 100_000


@pytest.mark.parametrize("largest", [1e-13, 3e-7, 1e7, 1e300])
def test_very_small_and_very_large_numbers_have_a_scale(largest):
    scale = linear([0, largest], 0, 100)
    assert 50 < scale(largest) <= 100
    assert len(scale.ticks) == len({number(tick) for tick in scale.ticks})
