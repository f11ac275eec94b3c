"""Chapters of experiments on pages, and read back from their files."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
from lxml import etree, html

from spanwise.cli.main import command_line
from spanwise.errors import InputError
from spanwise.formats.source import Source
from spanwise.lab.chapter import Chapter, Column, Plot, Table
from spanwise.reporting.chapters import json_object
from spanwise.reporting.html.chapters import (
    ALL_ROWS,
    LISTED,
    MOST_ROWS,
    OPEN_PLOTS,
    OPEN_SENTENCES,
    OPEN_TABLES,
    chapter_charts,
    chapters_page,
)
from spanwise.reporting.html.facts import worded
from spanwise.reporting.html.scales import by_rank, linear, number
from spanwise.reporting.stored_chapters import stored_chapters

HOSTILE = """<script>x</script>"'&\x00"""
SHOWN = """<script>x</script>"'&\N{REPLACEMENT CHARACTER}"""


def table(title: str = "Scores", rows: int = 3) -> Table:
    columns = (Column("run", "text"), Column("value"), Column("change", "signed"))
    return Table(title, columns, tuple((f"r{n}", n / 10, -n / 10) for n in range(rows)))


def plot(title: str = "Lines", names: tuple[str, ...] = ("a", "b"), **more: object) -> Plot:
    places = (1.0, 2.0, 4.0)
    series = tuple((name, (0.1, 0.2, n / 10)) for n, name in enumerate(names))
    return replace(Plot(title, "n", "score", places, series), **more)


def chapter(**more: object) -> Chapter:
    made = Chapter(
        experiment="topics",
        title="Topics: how many?",
        verdict=("Many.", "More than few."),
        tables=(table(),),
        plots=(plot(),),
        notes=("a note",),
        rows=({"kind": "row", "value": 0.5, "none": None, "yes": True},),
        settings={"seed": 1, "procedure": {"test": "t", "level": 0.05}},
    )
    return replace(made, **more)


def page(*chapters: Chapter) -> html.HtmlElement:
    return html.fromstring(chapters_page(chapters, 4).encode())


def texts(root: html.HtmlElement, selector: str) -> list[str]:
    return [found.text_content() for found in root.cssselect(selector)]


# -- the page


def test_a_chapter_is_a_section_with_everything():
    root = page(chapter())
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
    root = page(chapter())
    [policy] = root.cssselect("meta[http-equiv]")
    assert policy.get("content").startswith("default-src 'none'")
    [skip] = root.cssselect("a.skip")
    assert root.cssselect(skip.get("href")), "it leads somewhere"
    assert texts(root, "dialog p")[0] == "j next chapter"
    assert not root.cssselect("[src], link[rel=stylesheet]")


def test_links_are_short_and_lead_to_all_chapters():
    root = page(chapter(), chapter(title="A long question that ends?", experiment="lab power"))
    links = root.cssselect("nav a")
    assert [link.text_content() for link in links] == ["Topics", "Power"]
    assert [link.get("href") for link in links] == ["#lab-topics", "#lab-power"]
    assert texts(root, "h1") == ["The lab"]


def test_the_same_chapter_twice_has_its_own_names():
    root = page(chapter(), chapter(), chapter(experiment="日本"), chapter(experiment="topics-2"))
    names = [found.get("id") for found in root.cssselect("[id]")]
    assert len(names) == len(set(names))
    labels = [found.get("aria-label") for found in root.cssselect("[role=region]")]
    assert len(labels) == len(set(labels)) == 8
    assert texts(root, "h2")[:2] == ["Topics: how many?", "Topics: how many? (2)"]


def test_long_and_many_parts_open_on_demand():
    assert page(chapter(tables=(table(rows=MOST_ROWS),))).cssselect("section > .box")
    long = page(chapter(tables=(table(rows=MOST_ROWS + 1),)))
    assert not long.cssselect("section > .box")
    assert texts(long, "details.more > summary") == ["Scores"]
    tall = page(chapter(tables=(table("a", 35), table("b", ALL_ROWS - 34))))
    assert texts(tall, "section > .box caption") == ["a"]
    many = page(
        chapter(
            verdict=tuple(f"s{n}" for n in range(OPEN_SENTENCES + 2)),
            tables=tuple(table(f"t{n}") for n in range(OPEN_TABLES + LISTED + 1)),
            plots=tuple(plot(f"p{n}") for n in range(OPEN_PLOTS + 2)),
        )
    )
    top = "section.chapter > details.more > summary"
    assert texts(many, top) == ["2 more findings", "4 more tables", "p2", "p3"]
    assert len(many.cssselect("section > .box")) == OPEN_TABLES
    assert len(many.cssselect("figure")) == OPEN_PLOTS + 2, "nothing is lost"
    assert len(many.cssselect("section details.more .box table caption")) > LISTED


def test_plots_with_the_same_series_share_their_buttons():
    alike = page(chapter(plots=(plot("a"), plot("b"))))
    assert len(alike.cssselect(".legend")) == 1
    other = page(chapter(plots=(plot("a"), plot("b", ("x", "y", "z")))))
    assert [len(group.cssselect("button")) for group in other.cssselect(".legend")] == [2, 3]
    sections = other.cssselect("section section")
    assert [len(section.cssselect("figure")) for section in sections] == [1, 1]


def test_very_many_series_are_all_drawn_and_some_labelled():
    names = tuple(f"series {n}" for n in range(30))
    root = page(chapter(plots=(plot(names=names),)))
    assert len(root.cssselect("figure path.line")) == 30
    assert 12 < len(root.cssselect("figure text.label")) < 30
    looks = {path.get("class").split(" ", 2)[2] for path in root.cssselect("figure path.line")}
    assert len(looks) == 30


@pytest.mark.parametrize("empty", [{"series": ()}, {"places": (), "series": (("a", ()),)}])
def test_a_plot_without_anything_to_draw_is_passed_over(empty):
    root = page(chapter(plots=(plot(**empty), plot("there"))))
    assert texts(root, "figcaption") == ["there"]


def test_chapters_may_have_little():
    root = page(Chapter("power", "Power", ()))
    assert texts(root, "h2") == ["Power"]
    assert not root.cssselect("section details, section h3")


def test_what_others_wrote_stays_text():
    strange = chapter(
        experiment=HOSTILE,
        title=HOSTILE,
        verdict=(HOSTILE,),
        tables=(Table(HOSTILE, (Column(HOSTILE, "text"), Column(HOSTILE)), ((HOSTILE, HOSTILE),)),),
        plots=(plot(HOSTILE, (HOSTILE,), x_title=HOSTILE, y_title=HOSTILE),),
        notes=(HOSTILE,),
        settings={HOSTILE: HOSTILE},
    )
    root = page(strange)
    assert len(root.cssselect("script")) == 1, "the page's own"
    assert texts(root, ".verdict") == [SHOWN]
    assert texts(root, "td")[0] == SHOWN
    assert texts(root, "text.axis") == [SHOWN, SHOWN]


def test_what_is_not_defined_is_a_dash():
    columns = (Column("run", "text"), Column("p", "p"), Column("told", "text"))
    root = page(chapter(tables=(Table("t", columns, ((None, None, False),)),), plots=()))
    assert texts(root, "tbody tr > *") == ["-", "–", "no"]


def test_every_chart_is_drawn_for_a_file_too():
    charts = list(chapter_charts([chapter(), chapter(plots=(plot(), plot("b")))]))
    assert [chart.name for chart in charts] == ["lab-topics-1", "lab-topics-2-1", "lab-topics-2-2"]
    assert "means over topics" not in charts[0].description
    for chart in charts:
        etree.fromstring(chart.svg("c"))


def test_values_are_worded():
    assert worded([1, None, True]) == "1, none, yes"
    assert worded({}) == "none"


# -- scales that chapters need


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


# -- stored chapters


def stored(content: object) -> tuple[Chapter, ...]:
    text = content if isinstance(content, str) else json.dumps(content)
    return stored_chapters(Source("lab.json", text.encode()))


def as_written(*chapters: Chapter) -> dict:
    return json.loads(json_object(chapters))


def test_a_chapter_is_read_as_it_was_written():
    assert stored(json_object([chapter()])) == (chapter(),)


def changed(path: tuple[str | int, ...], value: object) -> dict:
    whole = as_written(chapter())
    inner = whole["chapters"][0]
    for step in path[:-1]:
        inner = inner[step]
    inner[path[-1]] = value
    return whole


@pytest.mark.parametrize(
    ("path", "value", "place", "expected"),
    [
        (("title",), 3, "title: 3", "a text"),
        (("verdict",), "no list", "verdict: 'no list'", "a list"),
        (("verdict", 0), None, "verdict[0]: None", "a text"),
        (("notes",), {}, "notes: {}", "a list"),
        (("settings",), [], "settings: []", "an object"),
        (("rows", 0), [], "rows[0]: []", "an object"),
        (("rows", 0, "value"), [1], "rows[0].value: [1]", "a text, a number, true, false or null"),
        (("tables", 0), [], "tables[0]: []", "an object with the keys title, columns, rows"),
        (("tables", 0, "columns"), [], "tables[0].columns: []", "at least one column"),
        (("tables", 0, "columns", 0, "kind"), "x", "tables[0].columns[0].kind: 'x'", "one of text"),
        (("tables", 0, "rows", 1), ["r", 1], "tables[0].rows[1]: ['r', 1]", "a list of 3"),
        (("tables", 0, "rows", 1, 1), {}, "tables[0].rows[1][1]: {}", "a text, a number"),
        (("tables", 0, "rows", 1, 1), 10**301, "tables[0].rows[1][1]: 1000", "at most 1e+300"),
        (("plots", 0, "places", 0), "1", "plots[0].places[0]: '1'", "a number"),
        (("plots", 0, "places", 0), True, "plots[0].places[0]: True", "a number"),
        (("plots", 0, "ranks"), 1, "plots[0].ranks: 1", "true or false"),
        (("plots", 0, "series", 0), ["a"], "plots[0].series[0]: ['a']", "a list of 2"),
        (("plots", 0, "series", 0, 1), [1], "plots[0].series[0][1]: [1]", "a list of 3"),
        (("plots", 0, "series", 1, 0), "a", "plots[0].series: ", "a name of its own"),
    ],
)
def test_a_fault_is_refused_with_its_place(path, value, place, expected):
    with pytest.raises(InputError) as refused:
        stored(changed(path, value))
    fault = refused.value.fault
    assert fault.file == "lab.json"
    assert fault.found.startswith(f"chapters[0].{place}")
    assert expected in fault.expected
    assert fault.remedy == "write it again with spanwise lab NAME ... --to FILE.json"


def test_ranks_below_0_are_refused():
    whole = as_written(chapter(plots=(plot(ranks=True, places=(-1.0, 0.0, 1.0)),)))
    with pytest.raises(InputError, match=r"places.*expected no rank below 0"):
        stored(whole)


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("", "lab.json:1: found broken JSON (Expecting value"),
        ('{"kind": 1}\n{"kind": 2}\n', "lab.json:2: found broken JSON (Extra data"),
        ("[1, 2]", "lab.json: found [1, 2], expected an object with the keys versions, chapters"),
        ('{"scores": []}', "lab.json: found the keys scores, expected versions, chapters"),
        ('{"versions": {}, "chapters": []}', "chapters: [], expected at least one chapter"),
        ('{"versions": {}, "chapters": [NaN]}', "NaN is not a number"),
        ('{"versions": {}, "chapters": [1e999]}', "chapters[0]: inf, expected an object"),
        ("[" * 100_000, "broken JSON (maximum recursion depth"),
        ("9" * 5000, "broken JSON (Exceeds the limit"),
    ],
)
def test_other_files_are_refused(content, said):
    with pytest.raises(InputError) as refused:
        stored(content)
    assert said in str(refused.value)
    assert "; write it again with spanwise lab" in str(refused.value)


@pytest.mark.parametrize("change", ["more", "fewer"])
def test_another_version_of_the_structure_is_refused(change):
    whole = as_written(chapter())
    if change == "more":
        whole["chapters"][0]["pictures"] = []
    else:
        del whole["chapters"][0]["plots"]
    with pytest.raises(InputError, match=r"chapters\[0\]: the keys .* another version wrote it"):
        stored(whole)


# -- in a report


def test_a_report_takes_chapters_in(report, files: Path):
    words = ("qrels.txt", "first.fol", "second.fol", "--to", "topics.json", "--quiet")
    command_line.main(["lab", "topics", *words], standalone_mode=False)
    (files / "own.json").write_text(json_object([chapter(), chapter(experiment="power")]))
    root = report("--chapter", "topics.json", "--chapter", "own.json")
    links = [link.get("href") for link in root.cssselect("nav a")]
    place = links.index("#documents")
    assert links[place + 1 : place + 4] == ["#lab-topics", "#lab-topics-2", "#lab-power"]
    assert texts(root, "dialog p")[0] == "j next topic or chapter"
    assert [text for text in texts(root, ".files dt") if "chapter" in text] == [
        "chapter topics.json",
        "chapter own.json",
    ]


def test_charts_of_chapters_become_files(report, files: Path):
    (files / "own.json").write_text(json_object([chapter()]))
    report("--chapter", "own.json", "--charts", "charts")
    assert (files / "charts" / "lab-topics-1.svg").exists()


def test_texts_keep_their_room_beside_chapters(report, files: Path):
    docs = [{"document": f"d{n}", "text": "sea weed " * 112} for n in range(1, 5)]
    (files / "docs.jsonl").write_text("".join(json.dumps(one) + "\n" for one in docs))
    large = chapter(tables=tuple(table(f"t{n}", 2000) for n in range(4)))
    (files / "own.json").write_text(json_object([large]))
    root = report("--collection", "docs.jsonl", "--lenient", "--chapter", "own.json")
    assert len((files / "report.html").read_bytes()) > 400_000
    assert root.cssselect(".topic li details p")


def test_a_bad_chapter_is_refused_before_any_work(report, files: Path):
    (files / "own.json").write_text("{}")
    with pytest.raises(InputError, match=r"own\.json: found no keys, expected versions"):
        report("--chapter", "own.json")
    assert not (files / "report.html").exists()
    with pytest.raises(InputError, match=r"missing\.json: file not found"):
        report("--chapter", "missing.json")
