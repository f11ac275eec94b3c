"""Chapters of experiments, written as JSON and read back; what is refused, and with which place."""

from __future__ import annotations

import json
from typing import Any

import pytest

from spanwise.data.notes import Note
from spanwise.errors import InputError, option
from spanwise.formats.source import Source
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
    Rows,
    Table,
)
from spanwise.reporting.render import rendered
from spanwise.reporting.stored import stored_chapters

COLUMNS = (Column("run", "text"), Column("value"), Column("95% CI", "interval"))
TABLE = Table(
    "Scores",
    COLUMNS,
    (
        ("a", Cell(0.5, mark="*", best=True), Cell(Interval(0.1, 0.9))),
        "a sentence across the columns",
        ("b", 0.25, None),
    ),
    transposed="",
)
PLOT = Plot(
    "Lines", "n", "score", (1.0, 2.0, 4.0), (("a", (0.1, 0.2, 0.3)), ("b", (0.3, 0.2, 0.1)))
)
HEADLINE, SENTENCE, TABLE_PART, PLOT_PART = range(4)


def chapter(**more: Any) -> Output:
    made = Output(
        producer="lab topics",
        title="Topics: how many?",
        parts=(Headline("Many."), "More than few.", TABLE, PLOT, Lines(("as it is",))),
        rows=Rows(items=[{"kind": "row", "value": 0.5, "none": None, "yes": True}]),
        notes=(Note("ties", 3, detail="document", runs=("a",)), Note("remark", detail="a note")),
        settings={"seed": 1, "procedure": {"test": "t", "level": 0.05}},
        inputs=(Input("run", "a.jsonl", "0" * 64),),
        versions={"spanwise": "0.1"},
        lenient="lenient: faulty input was dropped or cut, see the notes",
        chapter=True,
    )
    return replace(made, **more)


def stored(content: object) -> tuple[Output, ...]:
    text = content if isinstance(content, str) else json.dumps(content)
    return stored_chapters(Source("lab.json", text.encode()))


def as_written(output: Output) -> Any:
    return json.loads(rendered(output, "json"))


def test_a_chapter_is_read_as_it_was_written() -> None:
    assert stored(rendered(chapter(), "json").decode()) == (chapter(),)


def test_appendices_are_chapters_of_their_own() -> None:
    whole = chapter(appendices=(chapter(producer="lab power"),))
    assert stored(as_written(whole)) == (chapter(), chapter(producer="lab power"))


def test_settings_in_sentences_are_spelled_for_whom_they_are_written() -> None:
    said = chapter(parts=(f"draw more often with {option('trials')}",))
    [read] = stored(as_written(said))
    assert read.sentences == ("draw more often with --trials",)


def changed(path: tuple[str | int, ...], value: object) -> Any:
    whole = as_written(chapter())
    inner = whole["chapters"][0]
    for step in path[:-1]:
        inner = inner[step]
    inner[path[-1]] = value
    return whole


ROWS, COLUMN = ("parts", TABLE_PART, "rows"), ("parts", TABLE_PART, "columns", 0)


@pytest.mark.parametrize(
    ("path", "value", "place", "problem"),
    [
        (("title",), 3, ".title", "Expected `str`, got `int`"),
        (("parts",), "no list", ".parts", "Expected `array`, got `str`"),
        (("parts", SENTENCE), None, ".parts[1]", "got `null`"),
        (("parts", SENTENCE), [], ".parts[1]", "got `array`"),
        (("parts", SENTENCE), {"type": "pie"}, ".parts[1].type", "Invalid value 'pie'"),
        (("parts", HEADLINE), {"type": "headline"}, ".parts[0]", "missing required field `text`"),
        (("parts", HEADLINE, "colour"), "red", ".parts[0]", "unknown field `colour`"),
        (("notes",), {}, ".notes", "Expected `array`, got `object`"),
        (("notes", 0), "a sentence", ".notes[0]", "Expected `object`, got `str`"),
        (("notes", 0, "count"), "3", ".notes[0].count", "Expected `int`, got `str`"),
        (("settings",), [], ".settings", "Expected `object`, got `array`"),
        (("inputs", 0, "sha256"), None, ".inputs[0].sha256", "Expected `str`, got `null`"),
        (("rows", "items", 0), [], ".rows.items[0]", "Expected `object`, got `array`"),
        (("rows", "items", 0, "value"), [1], ".rows.items[0]", "got `array`"),
        ((*COLUMN, "kind"), "x", ".parts[2].columns[0].kind", "Invalid enum value 'x'"),
        ((*ROWS, 0), {}, ".parts[2].rows[0]", "got `object`"),
        ((*ROWS, 2, 1), {}, ".parts[2].rows[2][1]", "missing required field `value`"),
        ((*ROWS, 2, 1), [1, 2], ".parts[2].rows[2][1]", "got `array`"),
        (("parts", PLOT_PART, "places", 0), "1", ".parts[3].places[0]", "Expected `float`"),
        (("parts", PLOT_PART, "places", 0), True, ".parts[3].places[0]", "Expected `float`"),
        (("parts", PLOT_PART, "ranks"), 1, ".parts[3].ranks", "Expected `bool`, got `int`"),
        (("parts", PLOT_PART, "series", 0), ["a"], ".parts[3].series[0]", "of length 2"),
        (("chapter",), "yes", ".chapter", "Expected `bool`, got `str`"),
    ],
)
def test_another_type_is_refused_with_its_place(
    path: tuple[str | int, ...], value: object, place: str, problem: str
) -> None:
    with pytest.raises(InputError) as refused:
        stored(changed(path, value))
    fault = refused.value.fault
    assert fault.file == "lab.json"
    assert problem in fault.found
    assert f"`$.chapters[0]{place}" in fault.found
    assert fault.expected == "the chapters of an experiment, written by this version"
    assert fault.remedy == "write it again with spanwise lab NAME ... --to FILE.json"


@pytest.mark.parametrize(
    ("path", "value", "found", "expected"),
    [
        (("notes", 0, "kind"), "x", "'x' at $.chapters[0].notes[0].kind", "kinds of notes"),
        ((*ROWS, 2, 1), 10**301, ".parts[2].rows[2][1]", "a number of at most 1e+300"),
        ((*ROWS, 2, 1), -1e301, "-1e+301 at $.chapters[0].parts[2].rows[2][1]", "at most 1e+300"),
        (("settings", "seed"), 1e301, "1e+301 at $.chapters[0].settings.seed", "at most 1e+300"),
        ((*COLUMN[:3],), [], "no column at $.chapters[0].parts[2].columns", "at least one"),
        ((*ROWS, 2), ["b", 1], "2 cells at $.chapters[0].parts[2].rows[2]", "each of 3 columns"),
        (("parts", PLOT_PART, "series", 0, 1), [1], "1 values at", "each of 3 places"),
        (("parts", PLOT_PART, "series", 1, 0), "a", "two series of one name at", "its own"),
    ],
)
def test_what_types_cannot_say_is_refused_too(
    path: tuple[str | int, ...], value: object, found: str, expected: str
) -> None:
    with pytest.raises(InputError) as refused:
        stored(changed(path, value))
    assert found in refused.value.fault.found
    assert expected in refused.value.fault.expected
    assert refused.value.fault.remedy == "write it again with spanwise lab NAME ... --to FILE.json"


def test_ranks_below_0_are_refused() -> None:
    below = replace(PLOT, ranks=True, places=(-1.0, 0.0, 1.0))
    with pytest.raises(InputError, match=r"found -1 at .*places, expected no rank below 0"):
        stored(as_written(chapter(parts=(below,))))
    [read] = stored(as_written(chapter(parts=(replace(below, ranks=False),))))
    assert read.plots[0].places[0] == -1


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("", "found a fault (Input data was truncated)"),
        ('{"kind": 1}\n{"kind": 2}\n', "found a fault (Object contains unknown field `kind`)"),
        ('{"versions": {}, "chapters": []}\n{}', "found a fault (JSON is malformed"),
        ("[1, 2]", "found a fault (Expected `object`, got `array`)"),
        ('{"scores": []}', "found a fault (Object contains unknown field `scores`)"),
        ("{}", "found a fault (Object missing required field `versions`)"),
        ('{"versions": {}, "chapters": []}', "found no chapter, expected at least one"),
        ('{"versions": {}, "chapters": [NaN]}', "found a fault (JSON is malformed"),
        ('{"versions": {}, "chapters": [1e999]}', "Number out of range"),
        ('{"versions": {}, "chapters": [{}]}', "missing required field `producer`"),
        ('{"versions": {"spanwise": 1}, "chapters": []}', "`$.versions[...]`"),
        ("[" * 100_000, "found a fault (Expected `object`, got `array`)"),
        ("9" * 5000, "found a fault (Number out of range)"),
    ],
)
def test_other_files_are_refused(content: str, said: str) -> None:
    with pytest.raises(InputError) as refused:
        stored(content)
    assert str(refused.value).startswith("lab.json: found ")
    assert said in str(refused.value)
    assert "; write it again with spanwise lab" in str(refused.value)


def test_very_deep_settings_are_refused() -> None:
    deep = '{"a": ' * 100_000 + "1" + "}" * 100_000
    text = f'{{"versions": {{}}, "chapters": [{{"producer": "x", "settings": {deep}}}]}}'
    with pytest.raises(InputError, match="recursion"):
        stored(text)


def test_the_scores_of_an_evaluation_are_not_a_chapter() -> None:
    scores = replace(chapter(), chapter=False)
    with pytest.raises(InputError, match="unknown field `settings`"):
        stored(rendered(scores, "json").decode())


def test_keys_of_another_version_are_refused() -> None:
    whole = as_written(chapter())
    whole["chapters"][0]["pictures"] = []
    with pytest.raises(InputError, match=r"unknown field `pictures` - at `\$\.chapters\[0\]`"):
        stored(whole)
