"""Topics: INEX topics in XML and native topics."""

from __future__ import annotations

import gzip
import io
import json

import pytest

from formats.made import faults_of
from spanwise.data.notes import Faults
from spanwise.errors import FaultyInput, InputError
from spanwise.formats.file_check import check_topics
from spanwise.formats.source import Source
from spanwise.formats.topics import Topic, is_topics, read_topics, write_topics

DECLARED = '<!ENTITY lt "less than"><!ENTITY gt "greater than"><!ENTITY amp "and">'
MANY = f"""<?xml version="1.0"?>
<!DOCTYPE inex-topic-file [
<!ELEMENT inex-topic-file (topic+)>
{DECLARED}
]>
<inex-topic-file>
 <topic id=" 2009001 " ct_no="186">
  <title>Nobel
     prize</title><castitle>//article[about(., Nobel prize) and .//year &gt;= 1901]</castitle>
  <phrasetitle>"Nobel prize"</phrasetitle>
  <description>R&amp;D, 1 &lt; 2</description><narrative>one<p>two</p></narrative>
 </topic>
 <topic id="2009002"><title/></topic>
</inex-topic-file>
"""
ALONE = """<inex_topic topic_id="177" query_type="CO" ct_no="76">
<title>XML</title><keywords>a, b</keywords><keywords>c</keywords>
</inex_topic>
"""
NATIVE = """# comment
{"topic": "q1", "query": "what?", "narrative": "ä", "weight": 3}
{"topic": 2, "query": ""}
"""


def topics(content, faults=None):
    data = content.encode() if isinstance(content, str) else content
    return read_topics(Source("file", data), faults)


def test_topics_of_one_file():
    first, second = topics(MANY)
    assert (first.id, first.query) == ("2009001", "Nobel prize")
    assert first.fields == {
        "title": "Nobel prize",
        "castitle": "//article[about(., Nobel prize) and .//year >= 1901]",
        "phrasetitle": '"Nobel prize"',
        "description": "R&D, 1 < 2",
        "narrative": "onetwo",
    }
    assert second == Topic("2009002", {"title": ""})


def test_a_topic_alone():
    (topic,) = topics(ALONE)
    assert topic == Topic("177", {"title": "XML", "keywords": "a, b c"})


def test_native_topics():
    first, second = topics(NATIVE)
    assert first == Topic("q1", {"query": "what?", "narrative": "ä"})
    assert (second.id, second.query) == ("2", "")


@pytest.mark.parametrize("content", [MANY, ALONE, NATIVE])
def test_the_same_topics_however_they_are_written(content):
    expected = topics(content)
    for other in (
        content.replace("\n", "\r\n").encode(),
        ("\ufeff" + content).encode(),
        gzip.compress(content.encode(), mtime=0),
    ):
        assert topics(other) == expected


def test_a_folder_of_topics(tmp_path):
    for number in (178, 177):
        (tmp_path / f"{number}.xml").write_text(ALONE.replace("177", str(number)))
    assert is_topics(tmp_path)
    assert [topic.id for topic in read_topics(tmp_path)] == ["177", "178"]
    (tmp_path / "again.xml").write_text(ALONE)
    with pytest.raises(FaultyInput, match=r"again\.xml:1: found topic 177 again.*177\.xml:1"):
        read_topics(tmp_path)


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        (MANY, True),
        (ALONE, True),
        (NATIVE, True),
        ("<assessments topic='1'/>", False),
        ("<inex-submission/>", False),
        ("<inex-topic-fil", False),
        ("", False),
        ("q1\nq2\n", False),
        ("t1 Q0 d1 1 2.0 first 0 100\n", False),
        ('{"topic": "q1", "document": "d", "query": "x"}', False),
        ('{"topic": "q1", "grade": 1}', False),
        ('{"spanwise": 1}', False),
        ("{broken", False),
        ('{"topic": "q1", "title": "who was first"}', True),
        ('{"qid": "q1", "question": "who was first"}', True),
        ('{"query": "who was first", "doc_id": "d1"}', False),
        ("q1\twho was first\nq2\twhere\n", True),
        ("qid\tquery\nq1\twho was first\n", True),
        ("q1\tQ0 d1 1 0.5 run\n", False),
        ("q1\t0 d1 1\n", False),
        ("d1\t500\n", False),
    ],
)
def test_topics_are_recognised(content, expected):
    assert is_topics(Source("file", content.encode())) is expected


@pytest.mark.parametrize(
    ("content", "line", "found", "left"),
    [
        (MANY.replace('id=" 2009001 "', ""), 7, "a topic without an id", ["2009002"]),
        (MANY.replace("2009002", "2009001"), 13, "topic 2009001 again", ["2009001"]),
        (ALONE.replace("topic_id", "number"), 1, "a topic without an id", []),
        (NATIVE.replace('"query": ""', '"text": "x"'), 3, "no query", ["q1"]),
        (NATIVE.replace('"query": ""', '"query": 7'), 3, "query 7", ["q1"]),
        (NATIVE.replace('"topic": 2', '"topic": ""'), 3, "topic ''", ["q1"]),
        (NATIVE.replace('"topic": 2', '"topic": "q1"'), 3, "topic q1 again", ["q1"]),
        (NATIVE + "{broken", 4, "broken JSON", ["q1", "2"]),
    ],
)
def test_a_bad_topic_is_refused_with_its_line(content, line, found, left):
    (fault,) = faults_of(topics, content)
    assert fault.line == line
    assert found in fault.found
    kept = topics(content, Faults("file", lenient=True))
    assert [topic.id for topic in kept] == left


@pytest.mark.parametrize(
    ("content", "found"),
    [
        ("", "nothing"),
        ("<assessments topic='1'/>", "the root <assessments>"),
        (MANY[:-30], "broken XML"),
        (MANY.replace("Nobel", "&nobel;", 1), "entity 'nobel'"),
        (MANY.replace(DECLARED, "<!ENTITY n SYSTEM 'file:///n'>").replace("ze<", "&n;<"), "'n'"),
    ],
)
def test_what_is_no_file_of_topics_is_refused(content, found):
    with pytest.raises(InputError) as problem:
        topics(content)
    assert found in problem.value.fault.found


def test_topics_are_written_as_native_ones():
    stream = io.BytesIO()
    write_topics([*topics(MANY), *topics(NATIVE)], stream)
    first, second, third, _ = map(json.loads, stream.getvalue().decode().splitlines())
    assert list(first)[:3] == ["topic", "query", "castitle"]
    assert (first["query"], first["description"]) == ("Nobel prize", "R&D, 1 < 2")
    assert second == {"topic": "2009002", "query": ""}
    assert third == {"topic": "q1", "query": "what?", "narrative": "ä"}
    again = topics(stream.getvalue())
    written = io.BytesIO()
    write_topics(again, written)
    assert written.getvalue() == stream.getvalue()


@pytest.mark.parametrize(
    ("content", "summary"),
    [
        (MANY, "file: INEX topics (XML), 2 topics, no faults"),
        (NATIVE, "file: native topics, 2 topics, no faults"),
        (
            MANY.replace('id="2009002"', ""),
            "file: INEX topics (XML), 1 topic, 1 fault (missing 1)",
        ),
        (MANY[:-30], "file: INEX topics (XML), 1 fault (malformed 1)"),
    ],
)
def test_topics_are_checked(content, summary):
    assert check_topics(Source("file", content.encode())).summary() == summary


@pytest.mark.parametrize(
    "row",
    [
        {"topic": "q1", "query": "who?"},
        {"id": "q1", "question": "who?", "answers": ["Bell"]},
        {"question_id": "q1", "question": "who?"},
        {"qid": "q1", "title": "who?"},
        {"id": 1, "topic": "q1", "user_input": "who?"},
    ],
)
def test_rows_name_topic_and_query_as_other_tools_do(row):
    [topic] = read_topics(Source("t.jsonl", json.dumps(row).encode()))
    assert (topic.id, topic.query) == ("q1", "who?")


def test_rows_without_a_known_name_are_told_the_names():
    for row, said in (
        (
            {"name": "q1", "query": "who?"},
            "expected a topic (topic, query_id, qid, q_id, topic_id,",
        ),
        ({"topic": "q1", "asked": "who?"}, "found no query, expected a query that is text (query,"),
    ):
        with pytest.raises(FaultyInput) as refused:
            read_topics(Source("t.jsonl", json.dumps(row).encode()))
        assert said in str(refused.value.faults[0].message)
