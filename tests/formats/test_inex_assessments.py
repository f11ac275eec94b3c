"""INEX assessments in XML: graded elements of 2004, highlights of 2005 to 2007."""

from __future__ import annotations

import gzip
import io

import pytest

from formats.made import assessment_facts, element_facts, faults_of, read_assessments
from spanwise.data.grades import TOO_SMALL, UNKNOWN, Pointed
from spanwise.data.notes import Faults
from spanwise.errors import FaultyInput, InputError
from spanwise.formats import inex_assessments
from spanwise.formats.builtin.binary import parquet
from spanwise.formats.builtin.columns import fol, trec
from spanwise.formats.builtin.json_rows import jsonl
from spanwise.formats.builtin.tables import csv
from spanwise.formats.conversion import Target
from spanwise.formats.reading import read_assessments as read_any
from spanwise.formats.source import Source

GRADED = """<?xml version="1.0"?>
<assessments pool='12' topic=' 177 '>
  <file file='an/1995/a1003'>
    <path path='/article[1]/bdy[1]' exhaustiveness='2' specificity='3' inferred='true'/>
    <path path='/article[1]/bdy[1]/sec[1]' exhaustivity='0' specificity='0' inpool='true'/>
    <path path='/article[1]/bdy[1]/sec[2]' relevance='1' specificity='1'/>
    <path path='/article[1]/bdy[1]/sec[3]' exhaustiveness='2'/>
    <path path='/article[1]/bdy[1]/sec[4]'/>
  </file>
  <file file='an/1995/a1004'>
    <path path='/article[1]' exhaustiveness='0' specificity='0'/>
  </file>
  <file file='an/1995/a1005'><path path='/article[1]'/></file>
  <file file='an/1995/a1006'/>
</assessments>
"""
HIGHLIGHTED = """<assessments pool="1" topic="289" version="2" whitespace-text-node="keep">
 <file collection="wikipedia" name="12345">
   <best-entry-point path="/article[1]/body[1]/p[2]/text()[1].15"/>
   <passage start="/article[1]/body[1]/p[2]/text()[1].15" end="/article[1]/body[1]/p[3]" size="32"/>
   <element path="/article[1]" exhaustivity="2" size="1234" rsize="321"/>
   <element path="/article[1]/body[1]/p[2]" exhaustivity="?" size="40" rsize="20"/>
   <element path="/article[1]/body[1]/p[3]" size="12" rsize="12"/>
 </file>
 <file collection="wikipedia" name="67890"/>
</assessments>
"""


def facts(made):
    return {path: said for path, _, *said in element_facts(made)}


def test_grades_of_elements():
    made = read_assessments(inex_assessments, GRADED)
    assert made.topics == ("177",)
    assert made.documents.strings() == ["an/1995/a1003", "an/1995/a1004", "an/1995/a1006"]
    assert made.grade.tolist() == [1, 0, 0]
    assert made.is_relevant.tolist() == [True, False, False]
    assert facts(made) == {
        "/article[1]/bdy[1]": [2, 3, UNKNOWN, UNKNOWN],
        "/article[1]/bdy[1]/sec[1]": [0, 0, UNKNOWN, UNKNOWN],
        "/article[1]/bdy[1]/sec[2]": [1, 1, UNKNOWN, UNKNOWN],
        "/article[1]": [0, 0, UNKNOWN, UNKNOWN],
    }
    assert made.elements.line.tolist() == [4, 5, 6, 11]


def test_what_was_not_assessed_is_said():
    faults = Faults("file")
    inex_assessments.read_assessments(Source("file", GRADED.encode()), faults)
    assert [*map(str, faults.notes)] == ["elements without both grades were not assessed; left out"]


def test_highlights_in_elements_and_places_in_the_tree():
    made = read_assessments(inex_assessments, HIGHLIGHTED)
    assert made.documents.strings() == ["12345", "67890"]
    assert made.is_relevant.tolist() == [True, False]
    assert facts(made) == {
        "/article[1]": [2, UNKNOWN, 1234, 321],
        "/article[1]/body[1]/p[2]": [TOO_SMALL, UNKNOWN, 40, 20],
        "/article[1]/body[1]/p[3]": [UNKNOWN, UNKNOWN, 12, 12],
    }
    point = "/article[1]/body[1]/p[2]/text()[1].15"
    assert made.pointed == (
        Pointed("289", "12345", point, None, UNKNOWN, 3),
        Pointed("289", "12345", point, "/article[1]/body[1]/p[3]", 32, 4),
    )


@pytest.mark.parametrize(
    "content",
    [
        HIGHLIGHTED.replace("\n", "\r\n").encode(),
        ("\ufeff" + HIGHLIGHTED).encode(),
        gzip.compress(HIGHLIGHTED.encode()),
        ("<!DOCTYPE assessments SYSTEM 'a.dtd'>" + HIGHLIGHTED).encode(),
    ],
)
def test_the_same_assessments_however_they_are_written(content):
    made, expected = read_any(Source("f", content)), read_any(Source("f", HIGHLIGHTED.encode()))
    assert assessment_facts(made) == assessment_facts(expected)
    assert made.pointed == expected.pointed


def test_a_folder_has_a_file_for_each_topic(tmp_path):
    for topic in (289, 290, 291):
        content = HIGHLIGHTED.replace("289", str(topic))
        (tmp_path / f"{topic}.xml").write_text(content)
    (tmp_path / "177.xml.gz").write_bytes(gzip.compress(GRADED.encode()))
    (tmp_path / "178.xml").write_text(GRADED.replace("177", "178"))
    faults = Faults(str(tmp_path))
    made = read_any(tmp_path, faults=faults)
    assert made.topics == ("177", "178", "289", "290", "291")
    assert (len(made.elements), len(made.pointed)) == (4 + 4 + 9, 6)
    assert made.relevant_documents.tolist() == [1] * 5
    assert [*map(str, faults.notes)] == ["elements without both grades were not assessed; left out"]


def test_a_faulty_file_of_a_folder_is_named(tmp_path):
    (tmp_path / "1.xml").write_text(HIGHLIGHTED)
    (tmp_path / "2.xml").write_text(HIGHLIGHTED.replace("289", "2").replace('"321"', '"5000"'))
    with pytest.raises(FaultyInput, match=r"2\.xml:5: found size 1234 and rsize 5000"):
        read_any(tmp_path)


def judged(inside):
    head = '<assessments topic="q">\n<file name="d">\n'
    return f'{head}{inside}\n</file>\n<file name="e"/>\n</assessments>'


PLACE = "/article[1]/p[2]/text()[1].15"
BAD = [
    ('<path path="/a" exhaustivity="4" specificity="1"/>', "grade", "exhaustivity 4"),
    ('<path path="/a" exhaustivity="3" specificity="4"/>', "grade", "specificity 4"),
    ('<path path="/a" exhaustivity="0" specificity="1"/>', "grade", "exhaustivity 0"),
    ('<path path="/a" exhaustivity="-1" specificity="1"/>', "grade", "exhaustivity -1"),
    ('<path path="/a" exhaustivity="?" specificity="1"/>', "type", "exhaustivity '?'"),
    ('<path path="/a" exhaustivity="1" specificity="high"/>', "type", "specificity 'high'"),
    ('<path exhaustivity="1" specificity="1"/>', "missing", "<path> without path"),
    ('<path path="a" exhaustivity="1" specificity="1"/>', "grade", "path 'a'"),
    ('<element path="/a" exhaustivity="4" size="9" rsize="1"/>', "grade", "exhaustivity 4"),
    ('<element path="/a" exhaustivity="!" size="9" rsize="1"/>', "type", "exhaustivity '!'"),
    ('<element path="/a" size="9"/>', "missing", "no rsize"),
    ('<element path="/a" rsize="9"/>', "missing", "no size"),
    ('<element path="/a" size="9" rsize="10"/>', "grade", "size 9 and rsize 10"),
    ('<element path="/a" size="9" rsize="-1"/>', "grade", "rsize -1"),
    (f'<element path="/a" size="{2**63}" rsize="1"/>', "type", "size"),
    ('<element size="9" rsize="1"/>', "missing", "<element> without path"),
    (f'<passage start="{PLACE}"/>', "missing", "<passage> without end"),
    (f'<passage start="{PLACE}" end="p[2]"/>', "path", "end 'p[2]'"),
    (f'<passage start="{PLACE}x" end="{PLACE}"/>', "path", "start"),
    (f'<passage start="{PLACE}" end="{PLACE}" size="x"/>', "type", "size 'x'"),
    ("<best-entry-point/>", "missing", "<best-entry-point> without path"),
    ('<best-entry-point path="here"/>', "path", "path 'here'"),
    ("<relevant/>", "structure", "<relevant> in a file"),
]


@pytest.mark.parametrize(("wrong", "rule", "found"), BAD)
def test_a_bad_judgement_is_refused_with_its_line(wrong, rule, found):
    (fault,) = faults_of(read_assessments, inex_assessments, judged(wrong))
    assert (fault.line, fault.rule) == (3, rule)
    assert found in fault.found
    made = read_assessments(inex_assessments, judged(wrong), lenient=True)
    assert made.documents.strings() == ["e"]


def test_every_fault_is_kept_with_its_line():
    content = judged("\n".join(wrong for wrong, _, _ in BAD))
    faults = faults_of(read_assessments, inex_assessments, content)
    assert [fault.line for fault in faults] == list(range(3, 3 + len(BAD)))


@pytest.mark.parametrize(
    ("content", "line", "found"),
    [
        ('<assessments topic="q">\n<file/>\n</assessments>', 2, "a file without a name"),
        ('<assessments topic="q">\n<path path="/a"/>\n</assessments>', 2, "<path> outside of"),
        (
            judged('<element path="/a" size="9" rsize="1"/>').replace('"e"', '"d"'),
            *(3, "relevant element /a in document d for topic q"),
        ),
        (
            judged(
                '<element path="/a" size="9" rsize="1"/>\n<element path="/a" size="9" rsize="2"/>'
            ),
            *(4, "another judgement of /a"),
        ),
    ],
)
def test_structure_and_contradictions(content, line, found):
    (fault,) = faults_of(read_assessments, inex_assessments, content)
    assert fault.line == line
    assert found in fault.found


@pytest.mark.parametrize(
    ("content", "line", "found"),
    [
        ("\n<inex-submission/>", 2, "the root <inex-submission>"),
        ("<assessments pool='1'/>", 1, "assessments without a topic"),
        ("<assessments topic=' '/>", 1, "assessments without a topic"),
        (HIGHLIGHTED[:400], 6, "broken XML"),
    ],
)
def test_what_is_no_assessments_is_refused_lenient_or_not(content, line, found):
    for lenient in (False, True):
        with pytest.raises(InputError) as problem:
            read_assessments(inex_assessments, content, lenient=lenient)
        assert problem.value.fault.line == line
        assert found in problem.value.fault.found


# -- in other formats


def written(format, made):
    stream = io.BytesIO()
    notes = format.write_assessments(made, stream)
    return stream.getvalue(), [*map(str, notes)]


@pytest.mark.parametrize("format", [jsonl, csv, parquet])
def test_judged_elements_survive_native_formats(format):
    made = read_assessments(inex_assessments, GRADED)
    data, notes = written(format, made)
    assert notes == []
    assert assessment_facts(read_assessments(format, data)) == assessment_facts(made)


@pytest.mark.parametrize("format", [jsonl, csv, parquet])
def test_places_in_the_tree_are_lost_and_counted(format):
    made = read_assessments(inex_assessments, HIGHLIGHTED)
    data, notes = written(format, made)
    assert len(notes) == 1
    assert "places in the tree" in notes[0]
    assert "are lost (2)" in notes[0]
    assert assessment_facts(read_assessments(format, data)) == assessment_facts(made)


def test_a_document_with_passages_not_yet_found_is_not_written_as_irrelevant():
    passage = f'<passage start="{PLACE}" end="{PLACE}"/>'
    made = read_assessments(inex_assessments, judged(passage))
    data, notes = written(jsonl, made)
    assert read_assessments(jsonl, data).documents.strings() == ["e"]
    assert len(notes) == 1
    assert written(trec, made)[0] == b"q 0 d 1\nq 0 e 0\n"


def test_relevant_elements_without_characters_are_not_written_as_irrelevant():
    rows = (
        '{"document": "d", "length": 50}\n{"document": "e", "length": 60}\n'
        '{"topic": "q", "document": "d", "path": "/a[1]", "size": 50, "rsize": 5}\n'
        '{"topic": "q", "document": "e", "path": "/a[1]", "exhaustivity": 0, "specificity": 0}\n'
    )
    data, notes = written(fol, read_assessments(jsonl, rows))
    assert data == b"q Q0 e 0 60\n"
    assert "relevant documents without ranges are lost (1); give collection=..." in notes
    assert "judgements of elements are lost (2)" in notes


def test_documents_of_relevant_elements_are_relevant():
    data, notes = written(trec, read_assessments(inex_assessments, GRADED))
    assert data == b"177 0 an/1995/a1003 1\n177 0 an/1995/a1004 0\n177 0 an/1995/a1006 0\n"
    assert notes == ["judgements of elements are lost (4)"]


def test_graded_elements_are_written_as_they_were_read():
    data, lost = Target("inex").content(read_assessments(inex_assessments, GRADED))
    again = read_assessments(inex_assessments, data)
    assert assessment_facts(again) == assessment_facts(read_assessments(inex_assessments, GRADED))
    assert lost == []
