"""Formats with elements and formats in XML are told from their content, in the right role."""

from __future__ import annotations

import gzip

import pytest

from spanwise.errors import InputError
from spanwise.formats.beginning import first_line
from spanwise.formats.reading import recognise, role_of
from spanwise.formats.source import Source

SUBMISSION = (
    '<?xml version="1.0"?>\n<!-- x > y -->\n<inex-submission run-id="r">\n</inex-submission>'
)
ASSESSMENTS = '<assessments topic="1"><file name="d"/></assessments>'
TOPICS = "<inex-topic-file/>"
ELEMENTS = "# run\nq Q0 d 1 0.5 r /a[1]/b[2]\n"
RANGES = "q Q0 d 1 0.5 r /a[1]/b[2]\t/a[1]/b[3]\n"
NATIVE_RUN = '{"topic": "q", "document": "d", "path": "/a", "score": 1}\n'
NATIVE_SIZES = '{"topic": "q", "document": "d", "path": "/a", "size": 9, "rsize": 3}\n'
CSV_RUN = "topic,document,xpath,score\nq,d,/a,1\n"
CSV_GRADES = "topic,document,element,exhaustiveness,specificity\nq,d,/a,2,3\n"


def source(content):
    return Source("file", content.encode())


@pytest.mark.parametrize(
    ("content", "role", "name"),
    [
        (SUBMISSION, "run", "inex"),
        (ELEMENTS, "run", "element"),
        (RANGES, "run", "element"),
        (ASSESSMENTS, "assessments", "inex"),
        (NATIVE_RUN, "run", "jsonl"),
        (NATIVE_SIZES, "assessments", "jsonl"),
        (CSV_RUN, "run", "csv"),
        (CSV_GRADES, "assessments", "csv"),
    ],
)
def test_format_and_role(content, role, name):
    for variant in (content.encode(), b"\xef\xbb\xbf" + content.encode()):
        for data in (variant, variant.replace(b"\n", b"\r\n"), gzip.compress(variant)):
            assert recognise(Source("file", data), role) == name
            assert role_of(Source("file", data)).role == role


def test_seven_and_eight_columns_that_are_no_paths():
    assert recognise(source("q Q0 d 1 0.5 r 17\n"), "run") == "entry-points"
    assert recognise(source("q Q0 d 1 0.5 r 17 /a\n"), "run") == "fol"
    assert recognise(source("q Q0 d 1 0.5 r /a 17\n"), "run") == "fol"


@pytest.mark.parametrize(
    ("content", "role", "title"),
    [
        (SUBMISSION, "assessments", "an INEX submission"),
        (ASSESSMENTS, "run", "INEX assessments"),
        (ELEMENTS, "assessments", "an INEX element run"),
        (RANGES, "assessments", "an INEX element run"),
    ],
)
def test_a_file_in_the_other_role_is_recognised(content, role, title):
    with pytest.raises(InputError, match=f"what looks like {title}.*swap the two files"):
        recognise(source(content), role)


@pytest.mark.parametrize("role", ["run", "assessments"])
@pytest.mark.parametrize(
    ("content", "message"),
    [
        (TOPICS, "found what looks like topics, .*give it with topics=..."),
        ("\n<html/>", r"file:2: found XML with the root <html>"),
        ("<?xml version='1.0'?>\n<a", r"file:2: found broken XML"),
        ("<!DOCTYPE x [<!ENTITY x '<y/>'>]><x/>", "with markup in it"),
        ("<", "file:1: found broken XML"),
    ],
)
def test_other_xml_is_refused(content, message, role):
    with pytest.raises(InputError, match=message):
        recognise(source(content), role)


@pytest.mark.parametrize("content", [TOPICS, "<html/>", "<a", "<a>\nq Q0 d 1 0.5 r\n</a>"])
def test_xml_is_never_taken_for_columns(content):
    with pytest.raises(InputError):
        role_of(source(content))


def test_xml_on_one_line_is_recognised_by_its_beginning():
    content = SUBMISSION.replace("\n", " ").replace("</inex", f"{'<topic/>' * 100_000}</inex")
    number, line = first_line(source(content))
    assert (number, content.startswith(line)) == (1, True)
    assert len(line) < 10_000
    assert recognise(source(content), "run") == "inex"


@pytest.mark.parametrize("size", range(4080, 4100))
def test_the_first_line_is_whole_wherever_the_look_ends(size):
    run = "q Q0 d 1 0.5 r /a[1]/b[2]"
    content = f"#{'x' * size}\n{run}\n{run}\n"
    assert first_line(source(content)) == (2, run)


QRELS_ROW = '{"topic": "q", "document": "d", "start": 0, "end": 5}\n'


@pytest.mark.parametrize(
    ("content", "role", "title"),
    [
        (NATIVE_RUN, "assessments", "a native JSONL run"),
        (NATIVE_SIZES, "run", "native JSONL assessments"),
        (
            QRELS_ROW + '{"topic": "q", "document": "e", "relevance": 1}\n',
            "run",
            "native JSONL assessments",
        ),
        (
            '{"qid": "q", "docno": "e", "rel": 1, "score": null}\n',
            "run",
            "native JSONL assessments",
        ),
        (CSV_RUN, "assessments", "a CSV run with a header"),
        (CSV_GRADES, "run", "CSV assessments with a header"),
    ],
)
def test_rows_in_the_other_role_are_recognised(content, role, title):
    with pytest.raises(InputError, match=f"what looks like {title}, .*swap the two files"):
        recognise(source(content), role)


@pytest.mark.parametrize("role", ["run", "assessments"])
@pytest.mark.parametrize("content", [QRELS_ROW, "topic,document,start,end\nq,d,0,5\n"])
def test_rows_that_may_be_either_are_taken_as_what_they_are_given_for(content, role):
    assert recognise(source(content), role) in ("jsonl", "csv")


@pytest.mark.parametrize("role", ["run", "assessments"])
@pytest.mark.parametrize(
    "content",
    [
        '<inex_topic topic_id="1"><title>x</title></inex_topic>',
        '{"topic": "q1", "query": "who was first"}\n',
        '{"topic": "q1", "title": "who was first"}\n',
        "q1\twho was first\nq2\twhere\n",
        "# topics\nq1\twhat\n",
        "q1\twhat is the best way to travel\n",
    ],
)
def test_topics_are_recognised_whatever_they_are_given_for(content, role):
    told = r"file:\d: found what looks like topics, .*; give it with topics=..."
    with pytest.raises(InputError, match=told):
        recognise(source(content), role)


@pytest.mark.parametrize("role", ["run", "assessments"])
@pytest.mark.parametrize("content", ["<x/>", "<x/>\n", "<x></x>", "<a\n/>"])
def test_the_smallest_xml_has_a_root(content, role):
    with pytest.raises(InputError, match=r"file:\d: found XML with the root <[xa]>"):
        recognise(source(content), role)


@pytest.mark.parametrize("role", ["run", "assessments"])
@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ("[" * 1000 + "]" * 1000, "native JSON lines|nested too deeply"),
        ('{"topic": ' + "[" * 100_000 + "]" * 100_000 + "}", "nested too deeply"),
        ('{"topic": "q", "document": "d", "start": ' + "1" * 4301 + "}", "more than 4,300 digits"),
        ('{"topic"', "broken JSON"),
    ],
)
def test_json_that_python_would_stumble_over_is_refused(line, problem, role):
    with pytest.raises(InputError, match=problem) as refused:
        recognise(source(f"\n{line}\n"), role)
    assert refused.value.fault.line == 2
    assert len(str(refused.value)) < 500
    with pytest.raises(InputError):
        role_of(source(line))


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-be"])
def test_text_in_utf16_is_told_from_xml_in_utf16(encoding):
    mark = "\ufeff" if encoding == "utf-16-be" else ""
    text = Source("file", f"{mark}q Q0 d 1 0.5 r\n".encode(encoding))
    with pytest.raises(InputError, match="file:1: found UTF-16 text, expected UTF-8"):
        recognise(text, "run")
    declared = SUBMISSION.replace("?>", ' encoding="UTF-16"?>', 1)
    assert recognise(Source("file", f"{mark}{declared}".encode(encoding)), "run") == "inex"
