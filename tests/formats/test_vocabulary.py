"""One closed vocabulary of fields: every door reads names alike, and loses none in silence."""

import io
import json
from pathlib import Path

import pandas as pd
import polars as pl
import pytest

from formats.made import faults_of
from spanwise.data.notes import Faults
from spanwise.data.run import Extent
from spanwise.errors import InputError
from spanwise.formats.builtin.binary import parquet
from spanwise.formats.builtin.json_rows import jsonl
from spanwise.formats.builtin.tables import csv
from spanwise.formats.memory import assessments_from, run_from
from spanwise.formats.registry import RunOptions
from spanwise.formats.source import Source
from spanwise.formats.vocabulary import ALIASES, FIELDS, match


def json_lines(rows):
    return "".join(json.dumps(row) + "\n" for row in rows).encode()


def comma_separated(rows):
    names = list(dict.fromkeys(name for row in rows for name in row))
    lines = [names, *([row.get(name) for name in names] for row in rows)]
    return "\n".join(",".join("" if c is None else str(c) for c in line) for line in lines).encode()


def columns(rows):
    names = list(dict.fromkeys(name for row in rows for name in row))
    return {name: [row.get(name) for row in rows] for name in names}


def stored(rows):
    stream = io.BytesIO()
    pl.DataFrame(columns(rows)).write_parquet(stream)
    return stream.getvalue()


def _file(module, content):
    def run(rows, faults, chunks=None):
        source = Source("file", content(rows))
        return list(module.read_run(source, faults, RunOptions(chunks=chunks)))

    def judged(rows, faults):
        return module.read_assessments(Source("file", content(rows)), faults)

    return run, judged


def _object(made):
    def run(rows, faults, chunks=None):
        return run_from(made(rows), faults=faults, chunks=chunks)

    def judged(rows, faults):
        return assessments_from(made(rows), faults=faults)

    return run, judged


DOORS = {
    "jsonl": _file(jsonl, json_lines),
    "csv": _file(csv, comma_separated),
    "parquet": _file(parquet, stored),
    "records": _object(list),
    "polars": _object(lambda rows: pl.DataFrame(columns(rows))),
    "pandas": _object(lambda rows: pd.DataFrame(columns(rows))),
}
EVERY_DOOR = pytest.mark.parametrize("door", DOORS.values(), ids=DOORS)


def answers(door, *rows, lenient=False, chunks=None):
    faults = Faults("file", lenient=lenient)
    (run,) = door[0](rows, faults, chunks)
    return run, faults


def judgements(door, *rows):
    faults = Faults("file")
    return door[1](rows, faults), faults


def refused(read, *arguments):
    with pytest.raises(InputError) as problem:
        read(*arguments)
    return problem.value.fault


# -- names that are known


def _spelled(ours, alias, kind):
    row = {"topic": "q", "document": "d", "start": 3, "length": 4}
    if ours == "end":
        del row["length"]
    if ours == "length":
        del row["length"]
    row.pop(ours, None)
    values = {"start": 3, "end": 7, "length": 4, "topic": "q", "document": "d"}
    values |= {"score": 0.5, "rank": 1, "run": "r", "distance": 0.5, "grade": 2}
    return {**row, alias: values[ours]}


RANGED = ("topic", "document", "start", "end", "length")
OF_RUNS = [(ours, alias) for ours in (*RANGED, "score", "rank", "run") for alias in ALIASES[ours]]


@EVERY_DOOR
@pytest.mark.parametrize(("ours", "alias"), OF_RUNS)
def test_every_alias_is_read_by_every_door_of_runs(door, ours, alias):
    run, faults = answers(door, _spelled(ours, alias, "run"))
    assert (run.topics, run.documents.strings()) == (("q",), ["d"])
    assert (run.extent.tolist(), run.start.tolist(), run.end.tolist()) == ([Extent.RANGE], [3], [7])
    assert run.score is None or run.score.tolist() == [0.5]
    assert (run.score is not None) == (ours == "score")
    assert [*map(str, faults.notes)] == []


@EVERY_DOOR
@pytest.mark.parametrize("alias", [*ALIASES["grade"], "Grade", "RELEVANCE"])
def test_every_alias_of_the_grade_is_read_by_every_door(door, alias):
    made, faults = judgements(door, {"qid": "q", "doc": "d", "Start": 3, "End": 7, alias: 2})
    assert (made.grade.tolist(), made.relevant.to_lists()) == ([2], [[(3, 7)]])
    assert [*map(str, faults.notes)] == []


@EVERY_DOOR
def test_offset_and_length_are_a_range_everywhere(door):
    made, _ = judgements(door, {"topic": "q", "document": "d", "offset": 10, "length": 5})
    assert made.relevant.to_lists() == [[(10, 15)]]


@EVERY_DOOR
def test_distances_order_ascending(door):
    rows = ({"topic": "q", "document": d, "distance": x} for d, x in (("a", 0.2), ("b", 0.1)))
    run, _ = answers(door, *rows)
    assert (run.order, run.score.tolist()) == ("ascending", [0.2, 0.1])


@EVERY_DOOR
def test_a_score_beside_a_distance_rules_and_a_rank_makes_distances_needless(door):
    row = {"topic": "q", "document": "d", "distance": 0.5}
    run, faults = answers(door, {**row, "score": 2.0})
    assert (run.order, run.score.tolist()) == ("score", [2.0])
    assert any(
        "'distance' is ignored: 'score' is the score" in each for each in [*map(str, faults.notes)]
    )
    run, _ = answers(door, {**row, "rank": 1})
    assert (run.order, run.score) == ("rank", None)


# -- names that are not


@EVERY_DOOR
def test_an_unknown_name_is_noted(door):
    run, faults = answers(door, {"topic": "q", "document": "d", "rank": 1, "colour": "red"})
    assert len(run) == 1
    (note,) = [*map(str, faults.notes)]
    assert "'colour' is unknown and ignored" in note


@EVERY_DOOR
def test_an_unknown_name_that_may_be_the_score_is_noted_as_such(door):
    _, faults = answers(door, {"topic": "q", "document": "d", "bm25_score": 1.5})
    assert "rename it if it is the score" in next(map(str, faults.notes))


@EVERY_DOOR
@pytest.mark.parametrize(
    ("names", "meant"),
    [
        (("from", "to"), "start"),
        (("char_start", "char_end"), "start"),
        (("startOffset", "endOffset"), "start"),
        (("span",), "start"),
        (("offsetInEndSection",), "end"),
    ],
)
def test_names_that_may_be_a_range_are_refused_with_the_nearest_known_one(door, names, meant):
    row = {"topic": "q", "document": "d", **dict.fromkeys(names, 5)}
    for read, more in ((door[0], {"score": 1.0}), (door[1], {"grade": 1})):
        fault = refused(read, [{**row, **more}], Faults("file"))
        assert fault.rule == "field"
        assert f"{names[0]!r}, which may be the {meant}" in fault.found
        assert f"rename it to {meant!r}" in fault.remedy


@EVERY_DOOR
def test_a_start_with_an_unknown_end_is_refused_by_the_unknown_name(door):
    fault = refused(door[0], [{"topic": "q", "document": "d", "start": 0, "to": 5}], Faults("file"))
    assert "'to', which may be the end" in fault.found


@EVERY_DOOR
@pytest.mark.parametrize("name", ["judgement", "judgment", "label", "is_relevant", "Relevancy"])
def test_names_that_may_be_a_grade_are_refused(door, name):
    row = {"topic": "q", "document": "d", "start": 0, "end": 5, name: 0}
    fault = refused(door[1], [row], Faults("file"))
    assert (fault.rule, "which may be the grade" in fault.found) == ("field", True)


@EVERY_DOOR
def test_beside_a_whole_range_nothing_is_lost_with_such_a_name(door):
    row = {"topic": "q", "document": "d", "start": 0, "end": 5, "start_page": 3, "grade": 1}
    made, faults = judgements(door, {**row, "label": "x"})
    assert made.relevant.to_lists() == [[(0, 5)]]
    assert len([*map(str, faults.notes)]) == 2


@EVERY_DOOR
def test_the_score_of_judgements_is_not_taken_for_nothing(door):
    """Some collections call their grades scores."""
    fault = refused(door[1], [{"query-id": "q", "corpus-id": "d", "score": 1}], Faults("file"))
    assert (fault.rule, fault.found) == ("kind", "a row of a run")
    assert "rename 'score' if it is the grade" in fault.remedy
    row = {"topic": "q", "document": "d", "bep": 3, "score": 0}
    assert "which may be the grade" in refused(door[1], [row], Faults("file")).found


# -- names twice


@pytest.mark.parametrize("kind", ["run", "assessments"])
def test_a_key_twice_is_refused(kind):
    line = b'{"topic": "q", "document": "d", "start": 0, "end": 5, "end": 9, "rank": 1}\n'
    (fault,) = _faults(kind, line)
    assert (fault.line, fault.rule) == (1, "repetition")


def _faults(kind, content):
    read = jsonl.read_run if kind == "run" else jsonl.read_assessments
    more = (RunOptions(),) if kind == "run" else ()
    return faults_of(lambda: list(read(Source("file", content), Faults("file"), *more)))


@EVERY_DOOR
def test_a_name_twice_in_other_letters_is_refused(door):
    row = {"topic": "q", "document": "d", "start": 0, "Start": 3, "end": 5, "rank": 1}
    fault = refused(door[0], [row], Faults("file"))
    assert (fault.rule, "twice" in fault.found) == ("repetition", True)


def test_a_column_twice_is_refused():
    content = b"topic,document,start,end,start\nq,d,0,5,3\n"
    with pytest.raises(InputError, match="the column 'start' twice"):
        list(csv.read_run(Source("file", content), Faults("file"), RunOptions()))
    frame = pd.DataFrame([["q", "d", "e"]], columns=["topic", "document", "document"])
    with pytest.raises(InputError, match="the column 'document' twice"):
        run_from(frame)


# -- rows that say nothing, or half of something


@EVERY_DOOR
def test_null_is_absent_and_a_judgement_that_says_nothing_is_refused(door):
    full = {"topic": "q", "document": "d", "start": 0, "end": 5, "grade": 1}
    nothing = {**full, "start": None, "end": None, "grade": None}
    (fault,) = faults_of(door[1], [full, nothing], Faults("file"))
    assert (fault.line in (2, 3), fault.rule, fault.found) == (True, "missing", "no judgement")


@EVERY_DOOR
def test_text_without_a_range_is_to_be_located(door):
    row = {"topic": "q", "document": "d", "page_content": "some text", "score": 1.0}
    run, _ = answers(door, row)
    assert (run.extent[0], run.quotes, run.documents[0]) == (Extent.TEXT, ("some text",), "d")
    judged, _ = judgements(
        door, {"topic": "q", "document": "d", "text": "some text", "grade": 2, "occurrence": 3}
    )
    (quoted,) = judged.quoted
    assert (quoted.topic, quoted.document, quoted.text) == ("q", "d", "some text")
    assert (quoted.grade, quoted.occurrence) == (2, 3)


@EVERY_DOOR
def test_text_needs_no_document(door):
    run, _ = answers(door, {"topic": "q", "text": "some text", "score": 1.0})
    assert (run.extent[0], run.documents[0]) == (Extent.TEXT, "")
    judged, _ = judgements(door, {"topic": "q", "quote": "some text", "aspect": "A"})
    (quoted,) = judged.quoted
    assert (quoted.document, quoted.aspects, quoted.occurrence) == (None, ("A",), None)


@EVERY_DOOR
@pytest.mark.parametrize("said", [{"start": -1}, {"start": -1, "end": 8}, {"end": 8}, {"len": 9}])
def test_offsets_that_are_not_usable_beside_text(door, said):
    row = {"topic": "q", "document": "d", "text": "some text", "score": 1.0, **said}
    run, _ = answers(door, row)
    start = -1 if "start" in said else 0
    assert (run.extent[0], run.start[0], run.end[0]) == (Extent.TEXT, start, 0)


@EVERY_DOOR
def test_a_start_beside_text_is_enough(door):
    row = {"topic": "q", "document": "d", "start_index": 7, "text": "some text", "score": 1.0}
    run, _ = answers(door, row)
    assert (run.extent[0], run.start[0], run.end[0]) == (Extent.RANGE, 7, 16)


@EVERY_DOOR
def test_text_that_cannot_be_located_is_refused(door):
    rows = [{"topic": "q", "document": "d", "start": 0, "end": 3, "text": "any"}]
    several = {**rows[0], "start": None, "end": None, "text": "any", "occurrence": 0}
    (fault,) = faults_of(door[1], [{**rows[0], "occurrence": 1}, several], Faults("file"))
    assert (fault.rule, fault.found) == ("occurrence", "occurrence 0")


@EVERY_DOOR
def test_what_says_otherwise_where_it_is_needs_no_range(door):
    row = {"topic": "q", "document": "d", "text": "some text", "rank": 1}
    assert answers(door, {**row, "path": "/a[1]"})[0].extent[0] == Extent.ELEMENT
    assert answers(door, {**row, "parts": False})[0].extent[0] == Extent.NOTHING
    judged, _ = judgements(door, {"topic": "q", "document": "d", "text": "some", "bep": 3})
    assert (judged.quoted, judged.entry_point.tolist()) == ((), [3])


@EVERY_DOOR
def test_text_beside_a_range_is_kept(door):
    row = {"topic": "q", "document": "d", "start": 0, "end": 4, "quote": "text"}
    assert answers(door, {**row, "rank": 1})[0].quotes == ("text",)
    assert judgements(door, row)[0].passages.quotes == ("text",)


@EVERY_DOOR
def test_a_chunk_that_its_splitter_did_not_find_has_a_sentence_of_its_own(door):
    row = {"topic": "q", "document": "d", "start_index": -1, "end": 90, "score": 1.0}
    (fault,) = faults_of(door[0], [row], Faults("file"))
    assert "could not find in its document" in fault.found
    assert "--lenient" not in str(fault)


@EVERY_DOOR
def test_a_length_without_a_start_is_refused(door):
    (fault,) = faults_of(
        door[0], [{"topic": "q", "document": "d", "len": 5, "rank": 1}], Faults("file")
    )
    assert fault.found == "length without start"


# -- the vocabulary itself


def test_no_name_stands_for_two_fields_but_size_contexts_and_queries():
    folded = [alias for ours in ALIASES for alias in ALIASES[ours]]
    twice = sorted({alias for alias in folded if folded.count(alias) > 1})
    assert twice == ["contexts", "query", "question", "size", "user_input"]


def test_every_field_of_a_kind_has_names():
    assert {ours for fields in FIELDS.values() for ours in fields} <= set(ALIASES)


def test_the_size_of_an_element_is_not_the_length_of_a_range():
    with_path = match(["topic", "document", "path", "size", "rsize"], "assessments").held
    assert ("size" in with_path, "length" in with_path) == (True, False)
    without = match(["topic", "document", "offset", "size"], "assessments").held
    assert ("size" in without, "length" in without) == (False, True)


def test_the_documentation_lists_every_name():
    text = (Path(__file__).parents[2] / "docs" / "formats.md").read_text()
    for ours, names in ALIASES.items():
        if len(names) > 1:
            assert f"| `{ours}` | {', '.join(f'`{name}`' for name in names[1:])} |" in text


@pytest.mark.parametrize("door", [DOORS["parquet"], DOORS["polars"], DOORS["jsonl"]])
@pytest.mark.parametrize("name", ["document", "topic", "run", "chunk"])
def test_a_name_that_is_too_long_is_refused_lenient_or_not(door, name):
    good = {"topic": "q", "document": "d", "rank": 1, "run": "r", "chunk": "c"}
    long = {**good, "rank": 2, name: "x" * 10_001}
    for lenient in (False, True):
        fault = refused(
            door[0], [{**good, "start": 0, "end": 5}, long], Faults("f", lenient=lenient)
        )
        assert (fault.line, fault.rule) == (2, "limit")
        assert "of 10,001 characters" in fault.found


@pytest.mark.parametrize("door", [DOORS["jsonl"], DOORS["records"]])
def test_names_may_be_whole_numbers_of_any_size_that_can_be_written(door):
    run, _ = answers(door, {"topic": 7, "document": 12345678901234567890, "rank": 1})
    assert (run.topics, run.documents.strings()) == (("7",), ["12345678901234567890"])
