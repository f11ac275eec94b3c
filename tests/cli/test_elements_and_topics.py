"""Runs of elements, INEX XML and topics on the command line: check, convert, --topics."""

from __future__ import annotations

import gzip

import pytest

SUBMISSION = """<inex-submission run-id="xml">
<topic topic-id="t1">
  <result><file>d1</file><path>/a[1]/p[1]</path><rank>1</rank></result>
  <result><file>d2</file><fol offset="10" length="50"/><rank>2</rank></result>
</topic>
</inex-submission>
"""
JUDGED = """<assessments topic="t1">
<file name="d1"><element path="/a[1]/p[1]" exhaustivity="2" size="100" rsize="100"/></file>
<file name="d2"/>
</assessments>
"""
ELEMENTS = "t1 Q0 d1 1 2.0 run /a[1]/p[1]\nt1 Q0 d2 2 1.0 run /a[1]\n"
TOPICS = """<inex-topic-file>
<topic id="t1"><title>One &amp; two</title></topic>
</inex-topic-file>
"""
TITLES = {
    "run.element": "INEX element run, 2 answers (2 elements), 1 topic, no faults",
    "run.xml": "INEX submission (XML), 2 answers (1 range, 1 element), 1 topic, no faults",
    "judged.xml": "INEX assessments (XML), 2 judged documents (1 not relevant, 1 element),"
    " 1 topic, no faults",
    "topics.xml": "INEX topics (XML), 1 topic, no faults",
}


@pytest.fixture
def inex(files):
    (files / "run.element").write_text(ELEMENTS)
    (files / "run.xml").write_text(SUBMISSION)
    (files / "judged.xml").write_text(JUDGED)
    (files / "topics.xml").write_text(TOPICS)
    return files


def refused(done, *parts):
    """Refused, in one line that says all of this."""
    assert (done.code, done.out) == (2, "")
    assert len(done.err.splitlines()) == 1
    return all(part in done.err for part in parts)


def test_every_file_is_told_from_its_content(spanwise, inex):
    done = spanwise("check", *TITLES, "--quiet")
    assert done.out.splitlines() == [f"{name}: {title}" for name, title in TITLES.items()]
    assert done.code == 0


def test_standard_input_and_compressed_files(spanwise, inex):
    done = spanwise("check", "-", stdin=gzip.compress(SUBMISSION.encode()))
    assert done.out == f"standard input: {TITLES['run.xml']}\n"


@pytest.mark.parametrize("name", ["run.element", "run.xml"])
@pytest.mark.parametrize("ending", ["xml", "jsonl", "csv", "parquet", "tsv.gz"])
def test_elements_survive_where_they_can(spanwise, inex, name, ending):
    for given, out in ((name, f"a.{ending}"), (f"a.{ending}", "b.jsonl"), (name, "c.jsonl")):
        done = spanwise("convert", given, out)
        assert (done.code, done.err) == (0, "")
    assert (inex / "b.jsonl").read_bytes() == (inex / "c.jsonl").read_bytes()
    assert b'"path": "/a[1]/p[1]"' in (inex / "b.jsonl").read_bytes()


def test_an_element_run_stays_as_it_is(spanwise, inex):
    assert spanwise("convert", "run.element", "again.element").err == ""
    assert (inex / "again.element").read_text() == ELEMENTS
    done = spanwise("convert", "run.xml", "-", "--to", "element")
    assert done.out == "t1 Q0 d1 1 -1.0 xml /a[1]/p[1]\n"
    assert done.err == "note: run xml: 1 answer does not name an element; left out\n"


@pytest.mark.parametrize("name", ["run.element", "run.xml"])
def test_characters_of_elements_must_be_known(spanwise, inex, name):
    assert refused(spanwise("convert", name, "out.fol"), "give --collection or --elements")
    assert not (inex / "out.fol").exists()


@pytest.mark.parametrize(
    ("given", "out", "message"),
    [
        ("judged.xml", "out.xml", "give --collection or --elements with their elements"),
        ("topics.xml", "out.fol", "topics cannot be written as fol; write jsonl"),
        ("both.fol", "out.xml", "a file holds one run, and here are 2"),
        ("cut.xml", "out.jsonl", "cut.xml:3: found broken XML"),
        ("bomb.xml", "out.jsonl", "bomb.xml:2: found entities that grow without measure"),
    ],
)
def test_refusals_write_nothing(spanwise, inex, given, out, message):
    (inex / "both.fol").write_text("q Q0 d 1 1 a 0 5\nq Q0 d 1 1 b 0 5\n")
    (inex / "cut.xml").write_text(SUBMISSION[:100])
    grown = "".join(f'<!ENTITY a{n} "{f"&a{n - 1};" * 10}">' for n in range(1, 12))
    bomb = f'<!DOCTYPE inex-submission [<!ENTITY a0 "lol">{grown}]>\n'
    (inex / "bomb.xml").write_text(bomb + SUBMISSION.replace('"xml"', '"&a11;"'))
    before = sorted(inex.iterdir())
    assert refused(spanwise("convert", given, out), message)
    assert sorted(inex.iterdir()) == before


def test_exchanged_files_are_recognised(spanwise, inex):
    done = spanwise("evaluate", "run.xml", "judged.xml", "-m", "AP")
    assert refused(
        done, "run.xml:1: found what looks like an INEX submission", "swap the two files"
    )
    done = spanwise("evaluate", "judged.xml", "topics.xml", "-m", "AP")
    assert refused(done, "topics.xml:1: found what looks like topics")


def test_documents_of_elements_are_scored_without_a_collection(spanwise, inex):
    done = spanwise(
        *("evaluate", "judged.xml", "run.element", "run.xml", "-m", "AP", "-o", "tsv", "--quiet")
    )
    assert done.out.splitlines()[1:] == ["run\tAP\tall\t1.0", "xml\tAP\tall\t1.0"]


def test_topics_are_converted_and_chosen_by(spanwise, inex):
    assert spanwise("convert", "topics.xml", "topics.jsonl").err == ""
    assert (inex / "topics.jsonl").read_text() == '{"topic": "t1", "query": "One & two"}\n'
    (inex / "folder").mkdir()
    (inex / "folder" / "1.xml").write_text(
        '<inex_topic topic_id="t1"><title>x</title></inex_topic>'
    )
    (inex / "names.txt").write_text("# some\nt1\n")
    expected = spanwise("evaluate", "qrels.txt", "first.fol", "-q", "-o", "tsv", "--topics", "t1")
    assert (expected.code, len(expected.out.splitlines())) == (0, 3)
    for given in ("topics.xml", "topics.jsonl", "folder", "names.txt"):
        done = spanwise("evaluate", "qrels.txt", "first.fol", "-q", "-o", "tsv", "--topics", given)
        assert (done.code, done.out) == (0, expected.out)


def test_a_long_list_of_topics_is_no_name_of_a_file(spanwise, inex):
    many = ",".join(f"2009{number:03}" for number in range(500))
    assert refused(
        spanwise("evaluate", "qrels.txt", "first.fol", "--topics", many), "topic 2009000 is not"
    )
