"""Native JSONL: what is written reads back, and every fault has its line."""

import gzip
import json

import pytest

from formats.made import (
    faults_of,
    read_assessments,
    read_runs,
    written,
)
from spanwise.data.judgements import Judgements
from spanwise.data.notes import Faults
from spanwise.data.run import Extent, Run
from spanwise.errors import InputError
from spanwise.formats.builtin.json_rows import jsonl
from spanwise.formats.chunks import ChunkTable
from spanwise.formats.registry import RunOptions
from spanwise.formats.source import Source

GOOD = '{"topic": "q1", "document": "d1", "start": 0, "end": 5, "score": 1}\n'
HEADER = '{"spanwise": 1, "kind": "%s", "unit": "codepoint"}\n'


def test_written_rows_begin_with_a_header_and_say_only_what_is_said():
    judgements = Judgements(Faults("made"))
    judgements.add_range("q", "d", 0, 5, aspects=["A"])
    judgements.add_range("q", "d", 7, 9, 2)
    judgements.judge("q", "e", 0)
    judgements.add_document("d", 50, "0" * 64)
    data, _ = written(jsonl, judgements.build())
    assert [json.loads(line) for line in data.decode().splitlines()] == [
        {"spanwise": 1, "kind": "assessments", "unit": "codepoint"},
        {"document": "d", "length": 50, "sha256": "0" * 64},
        {"topic": "q", "document": "d", "start": 0, "end": 5, "aspect": ["A"]},
        {"topic": "q", "document": "d", "start": 7, "end": 9, "grade": 2},
        {"topic": "q", "document": "e", "grade": 0},
    ]


def test_the_rows_of_the_documentation():
    rows = """\ufeff# a comment
{"topic": "q1", "document": "d9", "rank": 2, "run": "bm25", "other": "ignored"}\r

{"topic": "q1", "document": "d3", "parts": false, "rank": 3, "run": "bm25"}
{"topic": 7, "document": 12, "start": 100, "end": 250, "rank": 1, "run": "bm25"}"""
    (run,) = read_runs(jsonl, rows)
    assert run.topics == ("q1", "7")
    assert run.documents.strings() == ["d9", "d3", "12"]
    assert run.extent.tolist() == [Extent.WHOLE, Extent.NOTHING, Extent.RANGE]
    assert run.line.tolist() == [2, 4, 5]
    assert (run.name, run.order, run.rank.tolist(), run.score) == ("bm25", "rank", [2, 3, 1], None)


def test_topics_and_runs_that_are_not_together():
    rows = [("q1", "a"), ("q2", "b"), ("q1", "a"), ("q1", "b")]
    lines = [
        json.dumps({"topic": t, "document": f"d{n}", "run": r}) for n, (t, r) in enumerate(rows)
    ]
    first, second = read_runs(jsonl, "\n".join(lines))
    assert (first.name, first.topics, first.documents.strings()) == ("a", ("q1",), ["d0", "d2"])
    assert (second.name, second.topics, second.line.tolist()) == ("b", ("q2", "q1"), [2, 4])
    assert first.order == "file"


def test_the_name_of_the_file_is_the_name_of_a_run_without_one(tmp_path):
    path = tmp_path / "bm25.jsonl"
    path.write_text(GOOD)
    faults = Faults(str(path))
    (run,) = jsonl.read_run(Source.at(path), faults, RunOptions())
    assert (run.name, run.file) == ("bm25", str(path))


def test_compressed_content_is_read_by_what_it_is():
    (run,) = read_runs(jsonl, gzip.compress(GOOD.encode()))
    assert run.documents.strings() == ["d1"]


def test_rank_rules_over_score_and_infinity_is_a_score():
    row = '{"topic": "q", "document": "d", "rank": %d, "score": %s}\n'
    (run,) = read_runs(jsonl, row % (1, "Infinity") + row % (2, "-1e400"))
    assert run.order == "rank"
    assert run.score.tolist() == [float("inf"), float("-inf")]


BAD_ANSWERS = [
    ('{"topic": "q1", "document": "d1", "start": "100", "end": 200}', "type", "start '100'"),
    ('{"topic": "q1", "document": "d1", "start": true, "end": 200}', "type", "start True"),
    ('{"topic": "q1", "document": "d1", "start": 100.0, "end": 200}', "type", "start 100.0"),
    ('{"topic": "q1", "document": "d1", "start": 5, "end": 5}', "range", "[5, 5)"),
    ('{"topic": "q1", "document": "d1", "start": 6, "end": 5}', "range", "[6, 5)"),
    ('{"topic": "q1", "document": "d1", "start": -1, "end": 5}', "range", "start -1"),
    ('{"topic": "q1", "document": "d1", "start": 0, "end": 9223372036854775808}', "range", "end"),
    ('{"topic": "q1", "document": "d1", "start": 0}', "range", "start without end"),
    ('{"topic": "q1", "document": "d1", "end": 5}', "range", "end without start"),
    ('{"topic": "q1", "document": "d1", "start": 0, "end": 5, "parts": false}', "range", "parts"),
    ('{"topic": "q1", "document": "d1", "parts": 0}', "type", "parts 0"),
    ('{"topic": "q1", "document": "d1", "score": NaN}', "score", "NaN"),
    ('{"topic": "q1", "document": "d1", "score": "high"}', "type", "'high'"),
    ('{"topic": "q1", "document": "d1", "score": false}', "type", "False"),
    ('{"topic": "q1", "document": "d1", "score": 1%s}' % ("0" * 400), "score", "score 1000"),
    ('{"topic": "q1", "document": "d1", "score": 1, "rank": 1.5}', "type", "rank 1.5"),
    ('{"document": "d1", "score": 1}', "missing", "no topic"),
    ('{"topic": null, "document": "d1", "score": 1}', "missing", "no topic"),
    ('{"topic": "q1", "score": 1}', "missing", "no document"),
    ('{"topic": "q1", "document": "", "score": 1}', "identifier", "document ''"),
    ('{"topic": "q1", "document": "a\\u0000", "score": 1}', "identifier", "document"),
    ('{"topic": "q1", "document": "\\ud800", "score": 1}', "identifier", "document"),
    ('{"topic": "q1", "document": 1.5, "score": 1}', "identifier", "document 1.5"),
    ('{"topic": true, "document": "d1", "score": 1}', "identifier", "topic True"),
    ('{"topic": "q1", "document": ["d1"], "score": 1}', "identifier", "document ['d1']"),
    ('{"topic": "q1", "document": "d1", "score": 1, "run": ""}', "identifier", "run ''"),
    ('{"topic": "q1", "document": "d1", "path": "a[1]", "score": 1}', "path", "path 'a[1]'"),
    ('{"topic": "q1", "document": "d1", "path": "/a[0]", "score": 1}', "path", "path '/a[0]'"),
    ('{"topic": "q1", "document": "d1", "path": "/a /b /c", "score": 1}', "path", "'/a /b /c'"),
    ('{"topic": "q1", "document": "d1", "path": 7, "score": 1}', "path", "path '7'"),
    ('{"topic": "q1", "path": "/a[1]", "score": 1}', "missing", "no document"),
    (
        '{"topic": "q1", "document": "d1", "path": "/a", "start": 0, "score": 1}',
        "path",
        "and start",
    ),
    ('{"topic": "q1", "document": "d1", "path": "/a", "chunk": "c"}', "path", "path and chunk"),
    ('{"topic": "q1", "document": "d1", "path": "/a", "parts": false}', "range", "a path and"),
    ('{"topic": "q1", "chunk": "c1", "score": 1}', "chunk", "chunk 'c1'"),
    ('{"topic": "q1", "document": "d1", "grade": 1}', "kind", "a row of assessments"),
    ('{"topic": "q1", "document": "d1"', "malformed", "broken JSON"),
    ("[" * 100_000, "malformed", "broken JSON"),
    ('["q1", "d1"]', "malformed", "['q1', 'd1']"),
    ('{"topic": "q1", "document": "d1"}', "mixed", "no score"),
]


@pytest.mark.parametrize(("row", "rule", "found"), BAD_ANSWERS)
def test_a_bad_answer_is_refused_with_its_line(row, rule, found):
    content = GOOD + "# comment\n" + row + "\n" + GOOD
    (fault,) = faults_of(read_runs, jsonl, content)
    assert (fault.line, fault.rule) == (3, rule)
    assert found in fault.found
    assert fault.expected
    assert fault.remedy
    (run,) = read_runs(jsonl, content, lenient=True)
    assert run.line.tolist() == [1, 4]


def test_every_fault_is_kept():
    content = "".join(row + "\n" for row, rule, _ in BAD_ANSWERS if rule != "mixed")
    assert [fault.line for fault in faults_of(read_runs, jsonl, content)] == list(
        range(1, len(BAD_ANSWERS))
    )


def test_half_an_order_is_refused_field_by_field():
    rows = (
        '{"topic": "q", "document": "d", "rank": 1}\n{"topic": "q", "document": "e", "score": 2}\n'
    )
    (fault,) = faults_of(read_runs, jsonl, rows)
    assert (fault.line, fault.found) == (2, "no rank")
    assert "line 1" in fault.expected


def test_of_an_element_and_its_characters_these_count():
    rows = [
        {"document": "d7", "path": "/a[1]", "start": 5, "end": 9},
        {"document": "d7", "path": "/a[1]", "start": 5, "length": 4},
        {"document": "d8", "path": "/a[1]"},
    ]
    content = "\n".join(json.dumps({"topic": "q", **row}) for row in rows)
    faults = Faults("run.jsonl")
    (run,) = jsonl.read_run(Source("run.jsonl", content.encode()), faults, RunOptions())
    assert run.extent.tolist() == [Extent.RANGE, Extent.RANGE, Extent.ELEMENT]
    assert (run.start[:2].tolist(), run.end[:2].tolist()) == ([5, 5], [9, 9])
    assert [(note.kind, note.count) for note in faults.notes] == [("path and range", 2)]


def test_chunks_stand_for_documents_and_ranges():
    chunks = ChunkTable.of([("d7", 0, 100, "c1"), ("d8", 5, 50, "c2")])
    rows = [
        {"chunk": "c2"},
        {"chunk": "c1", "document": "d7"},
        {"chunk": "x", "document": "d", "start": 1, "end": 2},
    ]
    content = "\n".join(json.dumps({"topic": "q", **row}) for row in rows)
    (run,) = read_runs(jsonl, content, chunks=chunks)
    assert run.documents.strings() == ["d8", "d7", "d"]
    assert run.start.tolist() == [5, 0, 1]
    assert run.end.tolist() == [50, 100, 2]


@pytest.mark.parametrize("row", [{"chunk": "c9"}, {"chunk": "c1", "document": "other"}])
def test_a_chunk_that_cannot_be_is_refused(row):
    content = GOOD + json.dumps({"topic": "q", "score": 1, **row})
    chunks = ChunkTable.of([("d7", 0, 100, "c1")])
    (fault,) = faults_of(read_runs, jsonl, content, chunks=chunks)
    assert (fault.line, fault.rule) == (2, "chunk")


# -- the header


@pytest.mark.parametrize("value", ["[]", "{}", "5", "[1]"])
@pytest.mark.parametrize("name", ["kind", "unit", "spanwise"])
def test_a_first_line_with_values_of_other_types_is_refused(name, value):
    first = json.dumps({**json.loads(HEADER % "run"), name: json.loads(value)}) + "\n"
    (fault,) = faults_of(read_runs, jsonl, first + GOOD)
    assert (fault.line, value in fault.found) == (1, True)


def test_a_file_of_the_other_kind_is_said_to_be_one():
    (fault,) = faults_of(read_assessments, jsonl, HEADER % "run" + GOOD)
    assert (fault.line, fault.rule) == (1, "kind")
    assert "as a run" in fault.remedy
    with pytest.raises(InputError):
        read_runs(jsonl, HEADER % "assessments" + GOOD, lenient=True)


def test_another_unit_is_refused_and_the_way_out_is_said():
    content = '{"spanwise": 1, "kind": "run", "unit": "utf16"}\n' + GOOD
    (fault,) = faults_of(read_runs, jsonl, content)
    assert (fault.line, fault.found) == (1, "unit 'utf16'")
    assert "--unit utf16" in fault.said("command line")


def test_a_later_version_is_refused():
    (fault,) = faults_of(read_runs, jsonl, '{"spanwise": 2, "kind": "run"}\n')
    assert fault.rule == "header"


def test_a_header_in_the_middle_is_what_concatenated_files_have():
    (run,) = read_runs(jsonl, 2 * (HEADER % "run" + GOOD))
    assert run.line.tolist() == [2, 4]


def test_a_run_without_header_is_not_taken_for_assessments():
    (fault,) = faults_of(read_assessments, jsonl, GOOD)
    assert (fault.line, fault.found) == (1, "a row of a run")


# -- assessments


def test_each_kind_of_row_by_the_fields_it_has():
    rows = """\
{"document": "d7", "length": 5000, "sha256": "%s"}
{"topic": "q1", "document": "d7", "start": 100, "end": 250}
{"topic": "q1", "document": "d7", "start": 400, "end": 450, "grade": 2, "aspect": ["A", "B"]}
{"topic": "q1", "document": "d7", "start": 900, "end": 950, "grade": 0}
{"topic": "q1", "document": "d7", "bep": 100, "note": "ignored"}
{"topic": "q1", "document": "d7", "bep": 90}
{"topic": "q1", "document": "d9", "grade": 0}
{"topic": "q1", "document": "d4", "grade": 3}
{"topic": "q1", "document": "d5", "start": 1, "end": 2, "aspect": "A"}
""" % ("0" * 64)
    made = read_assessments(jsonl, rows)
    assert made.documents.strings() == ["d4", "d5", "d7", "d9"]
    assert made.grade.tolist() == [3, 1, 2, 0]
    assert made.whole.tolist() == [True, False, False, False]
    assert made.relevant.to_lists() == [[], [(1, 2)], [(100, 250), (400, 450)], []]
    assert made.passages.grade.tolist() == [1, 2, 0, 1]
    assert made.passages.aspects == ((), ("A", "B"), (), ("A",))
    assert made.entry_point.tolist() == [100, 90]
    assert made.lengths == {"d7": 5000}
    assert made.hashes == {"d7": "0" * 64}


JUDGED = '{"topic": "q1", "document": "d1", "start": 0, "end": 5}\n'
BAD_JUDGEMENTS = [
    ('{"topic": "q1", "document": "d2"}', "missing", "no judgement"),
    ('{"document": "d2", "grade": 1}', "missing", "no topic"),
    ('{"topic": "q1", "grade": 1}', "missing", "no document"),
    ('{"topic": "q1", "document": "d2", "grade": 0.9}', "type", "grade 0.9"),
    ('{"topic": "q1", "document": "d2", "grade": "yes"}', "type", "grade 'yes'"),
    ('{"topic": "q1", "document": "d2", "grade": 1%s}' % ("0" * 20), "range", "grade 1"),
    ('{"topic": "q1", "document": "d2", "start": "1", "end": 2}', "type", "start '1'"),
    ('{"topic": "q1", "document": "d2", "start": 2, "end": 2}', "range", "[2, 2)"),
    ('{"topic": "q1", "document": "d2", "bep": -1}', "range", "entry point -1"),
    ('{"topic": "q1", "document": "d2", "bep": 1.5}', "type", "bep 1.5"),
    ('{"topic": "q1", "document": "d2", "start": 1, "end": 2, "aspect": [1]}', "type", "aspect"),
    ('{"topic": "q1", "document": "d1", "grade": 0}', "contradiction", "a relevant range"),
    ('{"document": "d1", "length": 4}', "range", "[0, 5)"),
    ('{"document": "d2", "length": -4}', "length", "length -4"),
    ('{"document": "d2", "length": "4"}', "type", "length '4'"),
    ('{"document": "d2", "length": 4, "sha256": "00"}', "type", "sha256 '00'"),
    ('{"topic": "q1", "document": "d2", "path": "/a[1]", "exhaustivity": 2}', "missing", "half"),
    ('{"topic": "q1", "document": "d2", "path": "/a[1]", "specificity": 2}', "missing", "half"),
    ('{"topic": "q1", "document": "d2", "path": "/a[1]", "size": 2}', "missing", "half"),
    ('{"topic": "q1", "document": "d2", "path": "/a[1]", "rsize": 2}', "missing", "half"),
    (
        '{"topic": "q1", "document": "d2", "path": "/a", "exhaustivity": 4, "specificity": 1}',
        *("grade", "exhaustivity 4"),
    ),
    (
        '{"topic": "q1", "document": "d2", "path": "/a", "exhaustivity": 0, "specificity": 1}',
        *("grade", "exhaustivity 0 and specificity 1"),
    ),
    (
        '{"topic": "q1", "document": "d2", "path": "/a", "exhaustivity": -2, "specificity": 1}',
        *("grade", "exhaustivity -2"),
    ),
    (
        '{"topic": "q1", "document": "d2", "path": "/a", "exhaustivity": "x", "specificity": 1}',
        *("type", "exhaustivity 'x'"),
    ),
    (
        '{"topic": "q1", "document": "d2", "path": "/a", "size": 2, "rsize": 3}',
        *("grade", "size 2 and rsize 3"),
    ),
    (
        '{"topic": "q1", "document": "d2", "path": "/a", "size": 2, "rsize": -1}',
        *("grade", "rsize -1"),
    ),
    (
        '{"topic": "q1", "document": "d2", "path": "/a", "size": 2, "rsize": 1, "grade": 1}',
        *("path", "path and grade"),
    ),
    (
        '{"topic": "q1", "document": "d2", "path": "a", "exhaustivity": 2, "specificity": 1}',
        *("path", "path 'a'"),
    ),
    ('{"topic": "q1", "document": "d2", "path": "/a", "start": 1, "end": 2}', "path", "start"),
    ('{"topic": "q1", "document": "d2", "score": 1}', "kind", "a row of a run"),
    ("nothing", "malformed", "broken JSON"),
]


@pytest.mark.parametrize(("row", "rule", "found"), BAD_JUDGEMENTS)
def test_a_bad_judgement_is_refused_with_its_line(row, rule, found):
    (fault,) = faults_of(read_assessments, jsonl, JUDGED + "\n" + row)
    # The range that contradicts what comes later is what the message points at.
    about_first = rule == "contradiction" or found == "[0, 5)"
    assert (fault.line, fault.rule) == (1 if about_first else 3, rule)
    assert found in fault.found
    assert read_assessments(jsonl, JUDGED + row, lenient=True).topics == ("q1",)


def test_a_second_grade_that_disagrees_is_refused():
    row = '{"topic": "q1", "document": "d2", "grade": %d}\n'
    (fault,) = faults_of(read_assessments, jsonl, row % 1 + row % 1 + row % 2)
    assert (fault.line, fault.rule) == (3, "contradiction")


@pytest.mark.parametrize("content", [b"\xff\n", b'{"topic": "a\0"}\n'])
def test_what_is_no_text_is_refused_with_its_line(content):
    with pytest.raises(InputError, match="file:2: found"):
        read_runs(jsonl, GOOD.encode() + content)


# -- what cannot be written as it is


def test_the_order_of_the_file_is_written_as_ranks():
    made = Run.of("r", ["q", "p", "q"], ["a", "b", "c"], score=[1, 2, 3], rank=[9, 9, 9])
    data, notes = written(jsonl, (made,))
    (run,) = read_runs(jsonl, data)
    assert (run.order, run.rank.tolist(), run.score.tolist()) == ("rank", [1, 2, 1], [1, 3, 2])
    assert len(notes) == 1


def test_the_order_of_trec_is_written_as_ranks():
    made = Run.of(
        "r", ["q"] * 4, ["a", "b", "c", "d"], score=[1, 2, 2, 3], order="score, then document"
    )
    data, notes = written(jsonl, (made,))
    (run,) = read_runs(jsonl, data)
    assert run.rank.tolist() == [4, 3, 2, 1]
    assert len(notes) == 1


def test_ranks_that_do_not_count_are_left_out():
    made = Run.of("r", ["q", "q"], ["a", "b"], score=[1, 2], rank=[1, 2], order="score")
    data, notes = written(jsonl, (made,))
    (run,) = read_runs(jsonl, data)
    assert (run.order, run.rank) == ("score", None)
    assert len(notes) == 1


def test_entry_points_are_left_out_and_counted():
    extent = [Extent.POINT, Extent.RANGE, Extent.POINT]
    made = Run.of("r", ["q"] * 3, list("abc"), start=[4, 0, 0], end=[4, 5, 0], extent=extent)
    data, notes = written(jsonl, (made,))
    assert read_runs(jsonl, data)[0].documents.strings() == ["b"]
    assert notes[0] == "run r: 2 entry points are not ranges; left out"


def test_ranges_that_leniency_cut_away_leave_a_judged_document():
    rows = JUDGED.replace('"start": 0', '"start": 4') + '{"document": "d1", "length": 4}\n'
    made = read_assessments(jsonl, rows, lenient=True)
    data, _ = written(jsonl, made)
    again = read_assessments(jsonl, data)
    assert again.grade.tolist() == [0]
    assert again.is_relevant.tolist() == made.is_relevant.tolist() == [False]
