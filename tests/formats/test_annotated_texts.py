"""Annotations and the texts of their documents: units, topics, what is not marked, writing."""

from __future__ import annotations

import json
from functools import partial

import pytest
from hypothesis import given
from hypothesis import strategies as st

from command import run_command
from formats.annotated import (
    BRAT,
    TEXT,
    annotation,
    at,
    converted,
    doccano,
    ranges,
    result,
    studio,
    task,
)
from formats.made import CHARACTERS
from spanwise.collection.own_texts import OwnTexts
from spanwise.data.assessments import Assessments
from spanwise.data.judgements import Judgements
from spanwise.data.notes import Faults
from spanwise.formats.conversion import Target
from spanwise.formats.reading import read_assessments
from spanwise.formats.source import Source
from spanwise.inputs.placing import Placing
from spanwise.records import replace

WIDE = "😀 Japan é Peru"
HARD = "\ufeff😀 Japan\r\nand  Pe\u0301ru\tשלום עולם 🇵🇪 end "
FORMATS = ("brat", "doccano", "label-studio", "w3c")


def units(text, unit):
    """The number of units before each character, and at the end."""
    encoding, size = {"utf16": ("utf-16-le", 2), "byte": ("utf-8", 1)}[unit]
    return [len(text[:place].encode(encoding)) // size for place in range(len(text) + 1)]


def in_units(unit, *spans):
    """The same ranges of the wide text in another unit, with their text."""
    before = units(WIDE, unit)
    return [(before[start], before[end], WIDE[start:end]) for start, end in spans]


def as_file(format, marks):
    """A file that quotes the wide text, or has it."""
    if format == "brat":
        lines = [f"T{n}\tq1 {s} {e}\t{quote}\n" for n, (s, e, quote) in enumerate(marks)]
        return "d.ann", "".join(lines), {"d.txt": WIDE}
    if format == "label-studio":
        return "d.json", studio(task([result(*mark) for mark in marks], text=WIDE)), {}
    selected = [
        at(
            {"type": "TextPositionSelector", "start": start, "end": end},
            {"type": "TextQuoteSelector", "exact": quote},
            source="d",
        )
        for start, end, quote in marks
    ]
    docs = {"docs.jsonl": json.dumps({"document": "d", "text": WIDE})}
    return "d.jsonld", json.dumps([annotation(each) for each in selected]), docs


QUOTING = [("brat", ()), ("label-studio", ()), ("w3c", ("--collection", "docs.jsonl"))]


@pytest.fixture
def convert(tmp_path):
    return partial(converted, tmp_path)


# -- units


@pytest.mark.parametrize("unit", ["utf16", "byte"])
@pytest.mark.parametrize(("format", "options"), QUOTING)
def test_offsets_of_another_unit_are_recognised_and_never_moved(convert, format, options, unit):
    name, content, beside = as_file(format, in_units(unit, (2, 7), (10, 14)))
    rows, said = convert(name, content, *options, beside=beside)
    assert rows == []
    assert f"2 of 2 quotes match with {unit}: use --unit {unit}" in said
    rows, _ = convert(name, content, *options, "--unit", unit)
    assert [span[2:] for span in ranges(rows)] == [(2, 7), (10, 14)]


@pytest.mark.parametrize(("format", "options"), QUOTING)
def test_what_still_does_not_match_is_listed(tmp_path, format, options):
    wrong = [(3, 8, "Chile"), (5, 9, "Oslo")]
    name, content, beside = as_file(format, [*in_units("utf16", (2, 7)), *wrong])
    for file, text in {**beside, name: content}.items():
        (tmp_path / file).write_text(text)
    alone = run_command(["check", name, *options, "--as", "assessments"], tmp_path)
    assert "1 of 3 quotes matches with utf16: use --unit utf16" in alone.out
    told = run_command(
        ["check", name, *options, "--as", "assessments", "--unit", "utf16"], tmp_path
    )
    assert told.code == 2
    assert "the text 'Japan'" not in told.out
    assert told.out.count("found the text") == len(wrong)
    assert all(repr(quote) in told.out for _, _, quote in wrong)


def test_without_quotes_the_ranges_that_fit_decide(convert):
    spans = [[*span, "q1"] for span in ((4, 8), (12, 15))]
    rows, said = convert("d.jsonl", doccano(spans, text="😀😀😀 Japan Peru"))
    assert rows == []
    assert "found range [12, 15) of document 1, expected an end of at most 14" in said
    assert "2 of 2 ranges are inside their texts with utf16: use --unit utf16" in said


def test_wide_characters_before_ranges_without_quotes_are_noted(convert):
    rows, said = convert("d.jsonl", doccano([[3, 8, "q1"]], text=WIDE))
    assert ranges(rows) == [("q1", "1", 3, 8)]
    assert "1 text has characters beyond U+FFFF before the end of ranges (1)" in said
    assert "if its ranges are shifted, use --unit utf16" in said
    rows, _ = convert("d.jsonl", doccano([[3, 8, "q1"]], text=WIDE), "--unit", "utf16")
    assert rows[1]["text"] == "Japan"


def test_an_offset_inside_a_character_is_refused(convert):
    rows, said = convert("d.jsonl", doccano([[1, 8, "q1"]], text=WIDE), "--unit", "utf16")
    assert rows == []
    assert said.startswith("d.jsonl:1: found offset 1 inside the character at code point 0")


def test_discontinuous_quotes_of_brat_in_other_units(convert):
    (first, end, _), (start, last, _) = in_units("utf16", (2, 7), (10, 14))
    line = f"T1\tq1 {first} {end};{start} {last}\tJapan Peru\n"
    rows, _ = convert("d.ann", line, "--unit", "utf16", beside={"d.txt": WIDE})
    assert [row["text"] for row in rows[1:]] == ["Japan", "Peru"]


# -- topics


def test_the_topic_may_be_the_same_for_all(convert):
    for name, content in (("d.ann", BRAT), ("d.jsonl", doccano([[0, 5, "person"]]))):
        rows, _ = convert(name, content, "--topic-from", "constant:q7")
        assert {row["topic"] for row in rows if "start" in row} == {"q7"}


def test_a_label_is_not_needed_where_the_topic_is_known(convert):
    given = studio(task([result(0, 5, labels=())]))
    rows, _ = convert("d.json", given, "--topic-from", "constant:q7")
    assert ranges(rows) == [("q7", "1", 0, 5)]


@pytest.mark.parametrize(
    ("name", "content", "field"),
    [
        ("d.jsonl", doccano([[0, 5, "x"]], query="Which?"), "query"),
        ("d.jsonl", doccano([[0, 5, "x"]], meta={"document": "1", "asked": "Which?"}), "asked"),
        ("d.json", studio({**task([result(0, 5)]), "data": {"text": TEXT, "q": "Which?"}}), "q"),
        ("d.jsonld", json.dumps(annotation("1", creator="Which?")), "creator"),
        ("d.ann", "T1\tx 0 5\tJapan\nA1\tQuery T1 Which?\nA2\tSure T1\n", "Query"),
    ],
)
def test_the_topic_may_be_a_field(convert, name, content, field):
    rows, _ = convert(name, content, "--topic-from", f"field:{field}")
    assert [row["topic"] for row in rows if "topic" in row] == ["Which?"]
    rows, said = convert(name, content, "--topic-from", "field:nothing")
    assert rows == []
    assert "found no nothing" in said
    assert "expected nothing, which has the topic" in said


def test_other_formats_have_topics_of_their_own(convert):
    row = json.dumps({"topic": "q1", "document": "d", "start": 0, "end": 5})
    rows, said = convert("gold.jsonl", row, "--topic-from", "label", "--from", "jsonl")
    assert rows == []
    named = "brat, doccano, label-studio, w3c"
    assert f"--topic-from is for annotations ({named}), and files of the format jsonl" in said
    _, said = convert("gold.jsonl", row, "--topic-from", "labels")
    assert "topic_from must be label, field:NAME or constant:ID, got 'labels'" in said


# -- nothing is marked

UNMARKED = [
    ("d.ann", "", "brat"),
    ("d.jsonl", doccano(), "doccano"),
    ("d.json", studio(task([])), "label-studio"),
]


@pytest.mark.parametrize(("name", "content", "format"), UNMARKED)
def test_an_unmarked_document_says_nothing_about_labels(convert, name, content, format):
    rows, _ = convert(name, content, "--from", format, beside={"d.txt": TEXT})
    assert [*map(len, rows)] == [2]
    assert rows[0]["length"] == len(TEXT)


@pytest.mark.parametrize(("name", "content", "format"), UNMARKED)
def test_an_unmarked_document_is_not_relevant_to_its_topic(convert, name, content, format):
    words = ("--from", format, "--topic-from", "constant:q7")
    rows, _ = convert(name, content, *words, beside={"d.txt": TEXT})
    assert [(row["topic"], row["grade"]) for row in rows[1:]] == [("q7", 0)]


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("d.ann", "T1\tx\n"),
        ("d.jsonl", doccano([["a", 5, "x"]])),
        ("d.json", studio(task([result("a", 5)]))),
        ("d.json", studio(task([{"type": "hypertextlabels", "value": {}}]))),
        ("d.json", studio(task())),
        ("d.json", studio({**task(), "annotations": [{"result": [], "was_cancelled": True}]})),
    ],
)
def test_marks_that_cannot_be_read_are_no_judgement(convert, name, content):
    words = ("--lenient", "--topic-from", "constant:q7", "--from")
    own = {"ann": "brat", "jsonl": "doccano", "json": "label-studio"}[name.partition(".")[2]]
    rows, _ = convert(name, content, *words, own, beside={"d.txt": TEXT})
    assert [row for row in rows if "topic" in row] == []


@pytest.mark.parametrize(
    ("name", "content", "format"),
    [("d.ann", "", "brat"), ("d.jsonl", "\n", "doccano"), ("d.json", "[]", "label-studio")]
    + [("d.jsonld", "[ ]\n", "w3c")],
)
def test_empty_files_hold_nothing(convert, name, content, format):
    rows, said = convert(name, content, "--from", format)
    assert (rows, said) == ([], "")


# -- writing


def judged(texts, *marks):
    """Relevant ranges as assessments with the texts of their documents."""
    judgements = Judgements(Faults("made"))
    for topic, document, start, end in marks:
        judgements.add_range(topic, document, start, end, 1, ())
    return replace(judgements.build(), texts=texts)


def again(form: str, made: Assessments) -> Assessments:
    """What is read from the file that is written."""
    content, _ = Target(form).content(made)
    faults = Faults("file")
    name = next(iter(made.texts)) if form == "brat" else "file"
    found = read_assessments(Source(f"{name}.ann", content, called=name), form, faults=faults)
    documents = OwnTexts(made.texts)
    return Placing(documents).assessments(replace(found, texts=found.texts or made.texts), faults)


def facts(made: Assessments) -> list[tuple[str, str, int, int, str | None]]:
    topics = [made.topics[number] for number in made.topic.tolist()]
    documents = made.documents.strings()
    passages = made.passages
    quotes = passages.quotes or (None,) * len(passages.pair)
    rows = zip(passages.pair.tolist(), passages.start, passages.end, quotes, strict=True)
    return [(topics[p], documents[p], int(s), int(e), quote) for p, s, e, quote in rows]


@st.composite
def marked_texts(draw):
    text = draw(st.one_of(st.just(HARD), st.text(CHARACTERS, min_size=1, max_size=30)))
    places = st.integers(0, len(text) - 1)
    marks = []
    for topic in draw(st.lists(st.sampled_from(["q1", "q2", "ß-3"]), min_size=1, max_size=5)):
        start = draw(places)
        marks.append((topic, "d", start, draw(st.integers(start + 1, len(text)))))
    return text, marks


@pytest.mark.parametrize("form", FORMATS)
@given(marked_texts())
def test_what_is_written_is_read_again(form, drawn):
    text, marks = drawn
    made = judged({"d": text}, *marks)
    expected = [(topic, name, s, e, text[s:e]) for topic, name, s, e in sorted(marks)]
    assert sorted(facts(again(form, made))) == sorted(expected)


@pytest.mark.parametrize("form", FORMATS)
def test_files_are_written_and_read_by_the_command_line(tmp_path, form):
    texts = [{"document": "a/b", "text": HARD}, {"document": "plain", "text": TEXT}]
    gold = [
        {"topic": "q1", "document": "a/b", "start": 3, "end": 14},
        {"topic": "q1", "document": "plain", "grade": 1},
        {"topic": "q2", "document": "a/b", "start": 0, "end": len(HARD)},
        {"topic": "q2", "document": "plain", "grade": 0},
    ]
    for name, rows in (("texts.jsonl", texts), ("gold.jsonl", gold)):
        (tmp_path / name).write_text("".join(json.dumps(row) + "\n" for row in rows))
    known = ("--collection", "texts.jsonl")
    out = "out/" if form == "brat" else "out"
    done = run_command(["convert", "gold.jsonl", out, "--to", form, *known], tmp_path)
    assert (done.code, "documents judged not relevant are lost (1)" in done.err) == (0, True)
    done = run_command(["convert", "out", "-", "--to", "jsonl", "--from", form], tmp_path)
    assert done.code == 0
    found = [json.loads(line) for line in done.out.splitlines()[1:]]
    spans = [("q1", "a/b", 3, 14), ("q1", "plain", 0, 14), ("q2", "a/b", 0, len(HARD))]
    assert sorted(ranges(found)) == spans
    assert {row["text"] for row in found if "text" in row} == {HARD[3:14], TEXT, HARD}
    lengths = [row["length"] for row in found if "length" in row]
    assert lengths == ([] if form == "w3c" else [len(HARD), len(TEXT)])


def test_both_selectors_are_written(tmp_path):
    made = judged({"doc7": TEXT}, ("q1", "doc7", 10, 14))
    content, _ = Target("w3c").content(made)
    (written,) = json.loads(content)
    assert written["target"]["selector"] == [
        {"type": "TextPositionSelector", "start": 10, "end": 14},
        {"type": "TextQuoteSelector", "exact": "Peru", "prefix": "Japan and ", "suffix": ""},
    ]
    assert written["body"] == {"type": "TextualBody", "value": "q1", "purpose": "tagging"}


@pytest.mark.parametrize(
    ("form", "made", "said"),
    [
        ("brat", judged({"d": TEXT}, ("q 1", "d", 0, 5)), "topic 'q 1' has blanks"),
        ("brat", judged({}, ("q1", "d", 0, 5)), "brat annotations hold the text of each range"),
        (
            "brat",
            judged({"d": TEXT, "e": TEXT}, ("q1", "d", 0, 5), ("q1", "e", 0, 5)),
            "a file of brat annotations is about one document, and here are 2; name a folder",
        ),
        ("doccano", judged({}, ("q1", "d", 0, 5)), "hold the text of document d: give"),
        ("label-studio", judged({}, ("q1", "d", 0, 5)), "hold the text of document d: give"),
        ("w3c", judged({"d": TEXT}, ("q1", "d", 0, 99)), r"range \[0, 99\) ends beyond document d"),
    ],
)
def test_what_cannot_be_written_is_refused(form, made, said):
    with pytest.raises(Exception, match=said) as refused:
        Target(form).content(made)
    assert type(refused.value).__name__ == "OutputError"
