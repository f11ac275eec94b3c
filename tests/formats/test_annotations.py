"""Files of annotation tools: what is read from them, and what is refused with its place."""

from __future__ import annotations

import json
from functools import partial

import pytest

from command import run_command
from formats.annotated import (
    BRAT,
    DOCCANO,
    LABEL_STUDIO,
    POSITION,
    QUOTE,
    TAG,
    TEXT,
    W3C,
    annotation,
    at,
    converted,
    doccano,
    ranges,
    result,
    studio,
    task,
)


@pytest.fixture
def convert(tmp_path):
    return partial(converted, tmp_path)


# -- as the formats are described


def test_brat(convert):
    rows, said = convert("d7.ann", BRAT, beside={"d7.txt": TEXT})
    assert rows[0] == {"document": "d7", "length": 14}
    assert ranges(rows) == [("q1", "d7", 0, 5), ("q1", "d7", 0, 5), ("q1", "d7", 10, 14)]
    assert [row["text"] for row in rows[1:]] == ["Japan", "Japan", "Peru"]
    assert said == ""


def test_doccano(convert):
    rows, said = convert("texts.jsonl", DOCCANO)
    assert rows == [
        {"document": "1", "length": 14},
        {"topic": "q1", "document": "1", "start": 0, "end": 5, "text": "Japan"},
    ]
    assert said == ""


def test_label_studio(convert):
    rows, said = convert("export.json", LABEL_STUDIO)
    assert rows == [
        {"document": "1", "length": 14},
        {"topic": "q1", "document": "1", "start": 10, "end": 14, "text": "Peru"},
    ]
    assert said == ""


def test_w3c(convert):
    texts = json.dumps({"document": "doc7", "text": TEXT})
    rows, said = convert(
        "notes.jsonld", W3C, "--collection", "docs.jsonl", beside={"docs.jsonl": texts}
    )
    assert ranges(rows) == [("q1", "doc7", 10, 14)]
    assert said == ""


# -- brat


def test_other_lines_of_brat_are_skipped_and_counted(convert):
    more = "R1\tRel Arg1:T1 Arg2:T2\n*\tEquiv T1 T2\nE1\tq1:T1\nA1\tSure T1\nN1\tRef T1 x:1\ty\n"
    rows, said = convert("d.ann", BRAT + more + "#1\tAnnotatorNotes T1\twhy\n")
    assert len(ranges(rows)) == 3
    kinds = "attributes, events, normalisations, relations"
    assert f"5 annotations are not of text ({kinds}); skipped" in said


def test_a_line_that_only_begins_like_another_kind_is_refused(convert):
    _, said = convert("d.ann", BRAT + "Remark without a number\n")
    assert said.startswith("d.ann:3: found 'Remark without a number', expected T1, TAB, label")


def test_names_of_brat_files_are_names_of_documents(convert):
    rows, _ = convert("an%2F1995%2Fa1.ann", BRAT, beside={"an%2F1995%2Fa1.txt": TEXT})
    assert rows[0] == {"document": "an/1995/a1", "length": 14}


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("T1\tq1 5 0\tJapan", "found range [5, 0), expected 0 <= start < end"),
        ("T1\tq1 0 0\t", "found range [0, 0), expected 0 <= start < end"),
        ("T1\tq1 -1 4\tJapan", "found 'T1\\tq1 -1 4\\tJapan', expected T1, TAB"),
        ("T1 q1 0 5 Japan", "found 'T1 q1 0 5 Japan', expected T1, TAB"),
        ("T1\tq1 zero 5\tJapan", "expected T1, TAB"),
        ("T1\tq1 0 99999999999999999999\tJ", "expected offsets below 2^63"),
        ("T1\tq1 0 5;10 15\tJapan Peru", "found the text 'Japan Peru' for ranges of 5 and 5"),
        ("T1\tq1 10 15\tPeru", "found range [10, 15) of document d, expected an end of at most 14"),
        ("T1\tq1 9 13\tPeru", "found the text 'Peru' for [9, 13) of document d, expected ' Per'"),
    ],
)
def test_refusals_of_brat(convert, line, said):
    rows, message = convert("d.ann", f"# first\n{line}\n", "--from", "brat", beside={"d.txt": TEXT})
    assert rows == []
    assert message.startswith("d.ann:2: ")
    assert said in message


def test_the_text_beside_brat_must_be_text(convert):
    _, said = convert("d.ann", BRAT, beside={"d.txt": b"Jap\xe9n"})
    assert said.startswith("d.txt:1: found byte 0xe9, expected UTF-8 text")


# -- doccano


@pytest.mark.parametrize(
    "row",
    [
        {"label": [[0, 5, "q1"]]},
        {"labels": [[0, 5, "q1"]]},
        {"entities": [{"id": 3, "label": "q1", "start_offset": 0, "end_offset": 5}]},
        {"entities": [{"label": "q1", "start_offset": 0, "end_offset": 5}], "relations": []},
    ],
)
def test_variants_of_doccano(convert, row):
    rows, _ = convert("texts.jsonl", json.dumps({"id": 1, "text": TEXT, **row}))
    assert ranges(rows) == [("q1", "1", 0, 5)]


def test_documents_of_doccano_may_be_among_the_metadata(convert):
    rows, _ = convert("texts.jsonl", doccano([[0, 5, "q1"]], meta={"document": "d7"}))
    assert ranges(rows) == [("q1", "d7", 0, 5)]


@pytest.mark.parametrize(
    ("row", "said"),
    [
        (doccano([[-1, 5, "q1"]]), "found start -1 in label[0], expected start from 0"),
        (doccano([[5, 0, "q1"]]), "found range [5, 0) in label[0], expected 0 <= start < end"),
        (doccano([["0", 5, "q1"]]), "found start '0' in label[0], expected start as a whole"),
        (doccano([[0.5, 5, "q1"]]), "found start 0.5 in label[0], expected start as a whole"),
        (doccano([[True, 5, "q1"]]), "found start True in label[0]"),
        (doccano([[0, 5]]), "found [0, 5] in label[0], expected [start, end, label]"),
        (doccano(["good"]), "found 'good' in label[0], expected [start, end, label]"),
        (doccano([[0, 5, None]]), "found an annotation without a label in label[0]"),
        (doccano([[0, 5, ["a"]]]), "found label ['a'] in label[0]"),
        (doccano([[0, 50, "q1"]]), "found range [0, 50) of document 1, expected an end of at most"),
        (doccano(text=None), "found no text, expected the text of the document"),
        (doccano(text=5), "found text 5, expected text as text"),
        ('{"id": 1, "text": "a\\ud800", "label": []}', "found text with half of a surrogate pair"),
        ('{"id": 1, "text": "a"}', "found no label, expected label as a list"),
        ('{"text": "a", "label": []}', "found no id, expected id as text"),
        ('{"id": 1, "id": 2, "text": "a", "label": []}', "found a key twice in one object"),
        (doccano(meta=5), "found meta 5, expected meta as an object"),
        ('{"id": 1, "text": "a", "label": [], "meta": {"a": 1, "a": 2}}', "a key twice in meta"),
        ('{"id": 1, "text": "a", "entities": [{"label": 1, "label": 2}]}', "twice in entities[0]"),
        ('{"id": 1, "text": "a", "label": [', "found broken JSON"),
    ],
)
def test_refusals_of_doccano(convert, row, said):
    good = doccano([[0, 5, "q1"]], id=0)
    rows, message = convert("texts.jsonl", f"{good}\n{row}\n", "--from", "doccano")
    assert rows == []
    assert message.startswith("texts.jsonl:2: ")
    assert said in message


def test_one_document_has_one_text(convert):
    _, said = convert("texts.jsonl", f"{doccano()}\n{doccano(text='Peru')}\n")
    assert said.startswith("texts.jsonl:2: found another text of document 1, expected the one of")


def test_files_of_a_folder_have_the_same_text_of_a_document(convert, tmp_path):
    (tmp_path / "both").mkdir()
    (tmp_path / "both" / "a.jsonl").write_text(doccano([[0, 5, "q1"]]))
    convert("both/b.jsonl", doccano([[0, 5, "q1"]], text="Peru and Japan"))
    done = run_command(["convert", "both", "-", "--to", "jsonl"], tmp_path)
    assert (done.code, done.out) == (2, "")
    assert done.err.startswith("both: found two texts of document 1, expected the same text")


# -- Label Studio


def test_the_document_is_the_id_of_the_data_or_of_the_task(convert):
    named = {"id": 2, "data": {"id": "d7", "text": TEXT}, "annotations": []}
    named["annotations"] = [{"result": [result(0, 5)]}]
    rows, _ = convert("export.json", studio(task([result(10, 14)]), named))
    assert ranges(rows) == [("q1", "1", 10, 14), ("q1", "d7", 0, 5)]


def test_old_exports_have_completions(convert):
    rows, _ = convert("export.json", studio(task([result(10, 14)], name="completions")))
    assert ranges(rows) == [("q1", "1", 10, 14)]


def test_annotators_are_united_and_predictions_are_not_taken(convert):
    guess = [{"result": [result(0, 14, labels=("guess",))]}]
    given = task([result(0, 5)], [result(0, 5), result(10, 14)], predictions=guess)
    rows, said = convert("export.json", studio(given))
    assert ranges(rows) == [("q1", "1", 0, 5), ("q1", "1", 0, 5), ("q1", "1", 10, 14)]
    assert "1 document has annotations of several annotators, which are united" in said


def test_other_results_are_skipped_and_counted(convert):
    other = [{"type": "choices", "value": {"choices": ["x"]}}, {"type": "relation"}]
    rows, said = convert("export.json", studio(task([*other, result(0, 5)])))
    assert ranges(rows) == [("q1", "1", 0, 5)]
    assert "2 annotations are not of text (choices, relation); skipped" in said


def test_a_range_may_have_several_labels(convert):
    rows, _ = convert("export.json", studio(task([result(0, 5, labels=("q1", "q2"))])))
    assert ranges(rows) == [("q1", "1", 0, 5), ("q2", "1", 0, 5)]


def test_the_address_of_a_text_is_no_text(convert):
    given = studio(task([result(0, 5, "Japan")], text="https://example.org/a.txt"))
    rows, said = convert("export.json", given)
    assert ranges(rows) == [("q1", "1", 0, 5)]
    assert "1 text beside ranges was not compared with the documents" in said


PLACE = "[0].annotations[0].result[0]"


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (studio(task([result(5, 0)])), f"found range [5, 0) in {PLACE}"),
        (studio(task([result(-1, 3, "Peru")])), f"found start -1 in {PLACE}, expected start from"),
        (studio(task([result("0", 3)])), f"found start '0' in {PLACE}"),
        (studio(task([result(None, 3)])), f"found no start in {PLACE}"),
        (
            studio(task([result(0, 3, labels=())])),
            f"found an annotation without a label in {PLACE}",
        ),
        (studio(task([result(0, 3, 5)])), f"found text 5 in {PLACE}"),
        (studio(task([result(0, 99)])), "found range [0, 99) of document 1"),
        (studio(task([result(0, 4, "Peru")])), "found the text 'Peru' for [0, 4) of document 1"),
        (studio(task([5])), f"found 5 in {PLACE}, expected an object"),
        (studio({"id": 1, "annotations": []}), "found no data in [0], expected data as an object"),
        (studio({"id": 1, "data": {}}), "found no annotations in [0]"),
        (studio({"data": {"text": ""}, "annotations": []}), "found no id in [0]"),
        (LABEL_STUDIO.replace('"text":', '"text": "", "text":'), "found 'text' twice in [0]"),
        (LABEL_STUDIO[:-3], "found broken JSON"),
        ("", "found the end of the file, expected a JSON list or object"),
        ("[5]", "found 5 in [0], expected an object"),
    ],
)
def test_refusals_of_label_studio(convert, given, said):
    rows, message = convert("export.json", given, "--from", "label-studio")
    assert rows == []
    assert message.startswith("export.json:1: ")
    assert said in message


# -- W3C


@pytest.mark.parametrize(
    "given",
    [
        annotation(at(POSITION)),
        [annotation(at(POSITION))],
        {"@context": "x", "type": "AnnotationPage", "items": [annotation(at(POSITION))]},
        {"type": "AnnotationCollection", "first": {"items": [annotation(at(POSITION))]}},
        annotation(at(POSITION), "q1"),
        annotation(at(POSITION), None, bodyValue="q1"),
        annotation(at(POSITION), {"id": "q1"}),
        annotation(at(POSITION), {"source": "q1", "purpose": "classifying"}),
        annotation(at(POSITION), [{"value": "why", "purpose": "commenting"}, TAG]),
        annotation(at(POSITION, {"type": "CssSelector", "value": "p"})),
        annotation(at(POSITION, source={"id": "doc7"})),
    ],
)
def test_variants_of_w3c(convert, given):
    rows, _ = convert("notes.jsonld", json.dumps(given))
    assert ranges(rows) == [("q1", "doc7", 10, 14)]


def test_annotations_on_lines(convert):
    lines = [json.dumps(annotation(at(POSITION), label)) for label in ("q1", "q2")]
    rows, _ = convert("notes.jsonl", "\n".join(lines))
    assert ranges(rows) == [("q1", "doc7", 10, 14), ("q2", "doc7", 10, 14)]


def test_a_target_without_selector_is_a_whole_document(convert):
    rows, _ = convert("notes.jsonld", json.dumps(annotation(["doc7", at(POSITION, source="d")])))
    assert ranges(rows) == [("q1", "d", 10, 14)]
    assert rows[-1] == {"topic": "q1", "document": "doc7", "grade": 1}


def test_a_quote_alone_is_located(convert):
    texts = {"docs.jsonl": json.dumps({"document": "doc7", "text": "Peru, Japan and Peru"})}
    known = ("--collection", "docs.jsonl")
    rows, said = convert("notes.jsonld", json.dumps(annotation(at(QUOTE))), *known, beside=texts)
    assert ranges(rows) == [("q1", "doc7", 16, 20)]
    assert "1 quoted text was located" in said
    alone = {"type": "TextQuoteSelector", "exact": "Peru"}
    _, said = convert("notes.jsonld", json.dumps(annotation(at(alone))), *known)
    assert "found the text 'Peru' at 2 places" in said
    _, said = convert("notes.jsonld", json.dumps(annotation(at(QUOTE))))
    assert "found text without a range" in said


def test_pages_follow_each_other_in_the_file(convert):
    first = {"type": "AnnotationPage", "id": "p1", "items": [annotation(at(POSITION))]}
    second = {"type": "AnnotationPage", "id": "p2", "items": [annotation(at(POSITION), "q2")]}
    for given in ([{**first, "next": "p2"}, second], {**first, "next": second}):
        rows, _ = convert("notes.jsonld", json.dumps(given))
        assert [row["topic"] for row in rows] == ["q1", "q2"]
    cut = {**first, "next": "p2"}
    for given in (cut, [cut], {"type": "AnnotationCollection", "first": cut}):
        _, said = convert("notes.jsonld", json.dumps(given), "--from", "w3c")
        assert "found a next page elsewhere" in said
        assert "expected all pages in the file (nothing outside it is read)" in said


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (
            annotation(at({**POSITION, "start": -1})),
            "found start -1 in target, expected start from",
        ),
        (annotation(at({**POSITION, "start": -1}, QUOTE)), "found start -1 in target"),
        (annotation(at({**POSITION, "start": 20})), "found range [20, 14) in target"),
        (annotation(at({**POSITION, "start": "1"})), "found start '1' in target"),
        (annotation(at({**POSITION, "end": None})), "found no end in target"),
        (annotation(at({"type": "FragmentSelector"})), "found no selector of text"),
        (annotation(at(5)), "found the selector 5 in target"),
        (annotation(at({"type": "TextQuoteSelector"})), "TextQuoteSelector without exact"),
        (annotation(at(POSITION), None), "found an annotation without a label"),
        (annotation(at(POSITION), 5), "found an annotation without a label"),
        (annotation(5), "found 5 in target, expected a target"),
        (annotation({"selector": POSITION}), "found a position without a source in target"),
        (annotation({"other": 5}), "found a target without a source"),
        ({"type": "AnnotationCollection", "first": "http://x"}, "found an address as the first"),
        ({"type": "Annotation"}, "found no target"),
    ],
)
def test_refusals_of_w3c(convert, given, said):
    rows, message = convert("notes.jsonld", json.dumps(given), "--from", "w3c")
    assert rows == []
    assert message.startswith("notes.jsonld:1: ")
    assert said in message


def test_a_key_that_comes_twice_in_a_page_is_refused(convert):
    page = json.dumps({"items": [annotation(at(POSITION))]})
    given = f'{{"type": "AnnotationCollection", "first": {page[:-1]}, "items": []}}}}'
    _, said = convert("notes.jsonld", given, "--from", "w3c")
    assert said.startswith("notes.jsonld:1: found a key twice in first, expected each key once")


@pytest.mark.parametrize("key", ["source", "selector", "value", "exact", "target"])
def test_a_key_that_comes_twice_is_refused_wherever_it_is(convert, key):
    twice = W3C.replace("\n", "").replace(f'"{key}":', f'"{key}": "x", "{key}":')
    for given in (twice, f"[{twice}]"):
        _, said = convert("notes.jsonld", given, "--from", "w3c")
        assert said.startswith("notes.jsonld:1: ")
        assert "twice" in said
