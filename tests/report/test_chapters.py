"""Chapters of experiments read back from their files, and in reports."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
from lxml import html

from spanwise.cli.main import command_line
from spanwise.errors import InputError
from spanwise.formats.source import Source
from spanwise.lab.chapter import Chapter, Column, Plot, Table
from spanwise.reporting.chapters import json_object
from spanwise.reporting.stored_chapters import stored_chapters


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


def texts(root: html.HtmlElement, selector: str) -> list[str]:
    return [found.text_content() for found in root.cssselect(selector)]


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
    with pytest.raises(InputError, match=r"missing\.json: found no such file"):
        report("--chapter", "missing.json")
