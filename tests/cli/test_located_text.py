"""Text instead of offsets, and offsets that are wrong: located, counted, explained or refused."""

from __future__ import annotations

import csv
import hashlib
import io
import json
from pathlib import Path

import pytest

from spanwise import SpanwiseError, check, evaluate

LETTER = "the 😀 sailor’s letter was found on the beach after seven years at sea"
TEXTS = {
    "tides": "Tides rise twice a day. The moon pulls the sea. Harbours keep tables of the tides.",
    "moon": "The moon has no water. The moon pulls the sea.\r\nThe moon is far.\r\nIt shines.",
    "letter": f"In spring, {LETTER}. Nobody had expected it.",
}
GOLD = [
    {"topic": "q1", "document": "tides", "text": "The moon pulls the sea."},
    {"topic": "q2", "text": "seven years"},
]
RUN = [
    {"topic": "q1", "document": "tides", "text": "The moon pulls the sea. ", "score": 2.0},
    {"topic": "q1", "document": "moon", "text": "has no water", "score": 1.0},
    {"topic": "q2", "text": "after seven years at sea", "score": 1.0},
]
OFFSETS = [
    {"topic": "q1", "document": "tides", "start": 24, "end": 48, "score": 2.0},
    {"topic": "q1", "document": "moon", "start": 9, "end": 21, "score": 1.0},
    {"topic": "q2", "document": "letter", "start": 56, "end": 80, "score": 1.0},
]
"""The same as ranges."""
COLLECTION = ("--collection", "documents")


def lines(rows):
    return "".join(json.dumps(row) + "\n" for row in rows)


@pytest.fixture
def put(tmp_path: Path):
    (tmp_path / "documents").mkdir()
    for name, text in TEXTS.items():
        (tmp_path / "documents" / f"{name}.txt").write_bytes(text.encode())

    def write(**files):
        for name, rows in {"gold": GOLD, "run": RUN, **files}.items():
            (tmp_path / f"{name}.jsonl").write_text(lines(rows))

    write()
    return write


@pytest.fixture
def scored(spanwise):
    """What a command says when all is well: values by topic, and notes."""

    def run(*arguments):
        command = ("evaluate", "gold.jsonl", "run.jsonl", *COLLECTION, "-m", "textR", "-m", "textP")
        done = spanwise(*command, "--per-topic", "-o", "jsonl", *arguments)
        assert done.code == 0, done.err
        rows = map(json.loads, done.out.splitlines())
        return {(row["measure"], row["topic"]): row["value"] for row in rows}, done.err

    return run


@pytest.fixture
def refused(spanwise):
    """The message of a command that is refused, and what check says of the same."""

    def run(*arguments, checked="run.jsonl", role="run"):
        done = spanwise("evaluate", "gold.jsonl", "run.jsonl", *COLLECTION, *arguments)
        assert (done.code, done.out) == (2, ""), (done.out, done.err)
        found = spanwise("check", checked, "--as", role, *COLLECTION, *arguments)
        assert found.code == 2, found.out
        assert done.err.removeprefix("spanwise: ").strip() in found.out
        return done.err

    return run


def in_python(gold=GOLD, run=RUN, **settings):
    return evaluate(gold, run, ["textR", "textP"], collection=TEXTS, **settings)


def python_refuses(**given):
    with pytest.raises(SpanwiseError) as problem:
        in_python(**given)
    return str(problem.value)


# -- text alone


def test_text_alone_scores_as_its_range_does(put, scored):
    values, notes = scored()
    put(run=OFFSETS)
    assert scored()[0] == values
    assert values["textR", "q1"] == 1.0
    assert "run.jsonl: 3 answers had no usable offsets and were located by their text" in notes
    assert "gold.jsonl: 2 quoted texts were located in the documents" in notes
    scores = in_python()
    assert scores.per_topic("textP")["q1"] == values["textP", "q1"]
    assert "3 answers had no usable offsets" in str(scores.notes)


@pytest.mark.parametrize("command", ["compare", "gate", "report", "explain", "convert"])
def test_every_command_that_reads_locates(put, spanwise, command, tmp_path):
    put(other=RUN[:2])
    more = {
        "compare": ("gold.jsonl", "run.jsonl", "other.jsonl", "-m", "textR"),
        "gate": (
            *("gold.jsonl", "run.jsonl", "--baseline", "other.jsonl"),
            *("--require", "textR >= 0"),
        ),
        "report": ("gold.jsonl", "run.jsonl", "other.jsonl", "--to", "report.html"),
        "explain": ("gold.jsonl", "run.jsonl", "--topic", "q1", "-m", "textR"),
        "convert": ("run.jsonl", "written.jsonl"),
    }[command]
    done = spanwise(command, *more, *COLLECTION)
    assert "3 answers had no usable offsets" in done.err, done.err
    if command == "convert":
        written = [*map(json.loads, (tmp_path / "written.jsonl").read_text().splitlines())][1:]
        assert [(row["document"], row["start"], row["end"]) for row in written] == [
            (row["document"], row["start"], row["end"]) for row in OFFSETS
        ]


def test_check_counts_what_is_located(put, spanwise):
    done = spanwise("check", "gold.jsonl", "--as", "assessments", *COLLECTION)
    assert (done.code, "2 ranges" in done.out) == (0, True)
    assert "2 quoted texts were located" in done.out
    done = spanwise("check", "run.jsonl", "--as", "run", *COLLECTION)
    assert (done.code, "3 answers (3 ranges)" in done.out) == (0, True)


def test_without_documents_text_is_refused_leniently_too(put, spanwise):
    for options in ((), ("--lenient",)):
        done = spanwise("evaluate", "gold.jsonl", "run.jsonl", *options)
        assert (done.code, done.out) == (2, "")
        assert "gold.jsonl:1: found text without a range (2 judgements), expected" in done.err
        assert "give --collection with the texts" in done.err
    put(gold=[{"topic": "q1", "document": "tides", "start": 0, "end": 9}])
    done = spanwise("evaluate", "gold.jsonl", "run.jsonl")
    assert "run.jsonl:1: found text without a range (3 answers), expected" in done.err
    done = spanwise("convert", "run.jsonl", "out.txt", "--to", "fol")
    assert (done.code, "give --collection" in done.err) == (2, True)
    with pytest.raises(SpanwiseError, match=r"run:1: found text .* give collection=\.\.\. with"):
        evaluate({"q1": {"tides": [(0, 9)]}}, RUN, "textR")


def test_documents_without_texts_cannot_locate(put, spanwise, tmp_path):
    (tmp_path / "lengths.csv").write_text("document,length\ntides,82\n")
    done = spanwise("evaluate", "gold.jsonl", "run.jsonl", "--collection", "lengths.csv")
    assert (done.code, "found text without a range" in done.err) == (2, True)


def test_tables_without_documents(put, spanwise, scored, tmp_path):
    expected, _ = scored()
    out = io.StringIO()
    writer = csv.writer(out)
    writer.writerow(("qid", "page_content", "score"))
    writer.writerows((row["topic"], row["text"], row["score"]) for row in (RUN[0], *RUN[2:]))
    (tmp_path / "run.csv").write_text(out.getvalue())
    measures = ("-m", "textR", "-o", "json", "--per-topic")
    done = spanwise("evaluate", "gold.jsonl", "run.csv", *COLLECTION, *measures)
    rows = json.loads(done.out)["rows"]
    assert {row["topic"]: row["value"] for row in rows}["q2"] == expected["textR", "q2"]


# -- -1 and missing offsets


def test_minus_one_is_located_and_said(put, scored):
    put(run=[{**RUN[0], "start": -1}, {**RUN[1], "start_index": -1}, RUN[2]])
    values, notes = scored()
    assert values["textR", "q1"] == 1.0
    assert (
        "3 answers had no usable offsets (2 of them with -1, which LangChain writes for a chunk"
        " that it did not find) and were located by their text" in notes
    )
    put(run=[{**row, "start": -1, "end": 5} for row in RUN])
    assert "3 answers had no usable offsets (-1, which LangChain writes" in scored()[1]


def test_minus_one_without_text_is_refused(put, refused):
    put(run=[{**OFFSETS[0], "start": -1}])
    assert "run.jsonl:1: found start -1, which text splitters" in refused()
    assert "add the text" in python_refuses(run=[{**OFFSETS[0], "start": -1}])


# -- nowhere, and at several places


def test_text_that_is_nowhere_is_refused_with_the_nearest_place(put, refused):
    near = "Tides rise once a day. The sun pulls the sea. Ports keep no tables of the tide at all."
    put(run=[{**RUN[0], "text": near}])
    message = refused()
    assert "run.jsonl:1: found the text 'Tides rise once" in message
    assert "which is not in document tides (nearest: tides [0, " in message
    assert "similarity 0.81, below 0.9), expected text" in message
    assert "not in any document" in python_refuses(run=[{**RUN[2], "text": "a comet"}])
    message = python_refuses(run=[RUN[1], {**RUN[0], "document": "sun"}])
    assert "found text of document sun, expected it in the collection" in message
    assert "it is in document tides; fix the name" in message


def test_names_that_are_not_of_the_collection_are_passed_over_if_none_is():
    done = in_python(run=[{**RUN[0], "document": "5f1c"}])
    assert done.mean("textR") == 0.5
    assert "none of 1 answers with a text names a document of the collection (such as 5f1c)" in str(
        done
    )


def test_text_of_another_document_is_told(put, refused):
    put(run=[RUN[1], {**RUN[0], "document": "letter", "text": "Harbours keep tables"}])
    assert "run.jsonl:2" in refused()
    assert "it is in document tides; fix the name" in refused()


def test_leniently_what_is_nowhere_is_dropped_and_counted(put, scored):
    put(run=[*RUN, {**RUN[0], "text": "a comet"}], gold=[*GOLD, {**GOLD[0], "text": "a comet"}])
    values, notes = scored("--lenient")
    assert values["textR", "q1"] == 1.0
    assert "1 faulty line of run.jsonl (text 1) was dropped" in notes
    assert "gold.jsonl: faulty lines were dropped or cut, by rule: text 1" in notes


REPEATED = [{"topic": "q1", "document": "moon", "text": "The moon"}, *GOLD[1:]]


def test_repeated_gold_must_say_which(put, refused, scored):
    put(gold=REPEATED)
    message = refused(checked="gold.jsonl", role="assessments")
    assert (
        "gold.jsonl:1: found the text 'The moon' at 3 places: moon [0, 8), moon [23, 31), moon"
        " [48, 56), expected one place (1 of 2 texts); add its start or its occurrence (1 is the"
        " first) to the row, or use --repeats first or --repeats all" in message
    )
    assert "use repeats='first' or repeats='all'" in python_refuses(gold=REPEATED)


def test_refused_repeats_are_not_counted_as_located(put, spanwise):
    put(gold=REPEATED)
    done = spanwise("check", "gold.jsonl", "--as", "assessments", *COLLECTION)
    assert "1 quoted text was located" in done.out


def test_repeated_gold_by_occurrence_first_or_all(put, scored, spanwise):
    answer = [{"topic": "q1", "document": "moon", "start": 23, "end": 31, "score": 1}]
    put(gold=[{**REPEATED[0], "occurrence": 2}, GOLD[1]], run=answer)
    values, notes = scored()
    assert (values["textR", "q1"], "several places" in notes) == (1.0, False)
    put(gold=REPEATED, run=answer)
    values, notes = scored("--repeats", "first")
    assert values["textR", "q1"] == 0.0
    assert "gold.jsonl: 1 quoted text is at several places; the first place is used" in notes
    values, notes = scored("--repeats", "all")
    assert values["textR", "q1"] == 1 / 3
    assert "1 quoted text is at several places; all places are relevant" in notes
    assert in_python(REPEATED, answer, repeats="all").per_topic("textR")["q1"] == 1 / 3
    done = spanwise("convert", "gold.jsonl", "-", "--to", "tsv", "--repeats", "all", *COLLECTION)
    assert done.out.count("q1\tmoon") == 3


def test_repeated_gold_with_its_start_is_clear(put, scored):
    answer = [{"topic": "q1", "document": "moon", "start": 23, "end": 31, "score": 1}]
    put(gold=[{**REPEATED[0], "start": 23}, GOLD[1]], run=answer)
    assert scored()[0]["textR", "q1"] == 1.0


def test_refusals_of_texts_say_how_many_there_are(put, refused):
    put(run=[{**RUN[0], "text": text} for text in ("a comet", "a planet", "The moon")])
    assert "expected text of the collection documents (2 of 3 texts)" in refused()


def test_an_occurrence_that_is_not_there(put, refused):
    put(gold=[{**REPEATED[0], "occurrence": 4}])
    message = refused(checked="gold.jsonl", role="assessments")
    assert (
        "gold.jsonl:1: found occurrence 4 of the text 'The moon', which occurs 3 times, expected"
        " 1 to 3; give" in message
    )


def test_repeated_answers_are_at_their_first_place_and_counted(put, scored):
    put(run=[{**RUN[1], "text": "The moon"}])
    _, notes = scored()
    assert "1 answer has text that is at several places; the first places are used" in notes


def test_gold_that_overlaps_itself_must_say_which(put, refused, scored, tmp_path):
    (tmp_path / "documents" / "laugh.txt").write_text("ha ha ha")
    gold = {"topic": "q1", "document": "laugh", "text": "ha ha"}
    answer = {"topic": "q1", "document": "laugh", "start": 3, "end": 8, "score": 1}
    put(gold=[gold, GOLD[1]], run=[answer])
    message = refused(checked="gold.jsonl", role="assessments")
    assert "the text 'ha ha' at 2 places: laugh [0, 5), laugh [3, 8)" in message
    put(gold=[{**gold, "occurrence": 2}, GOLD[1]], run=[answer])
    assert scored()[0]["textP", "q1"] == 1.0
    put(gold=[gold, GOLD[1]], run=[answer])
    assert scored("--repeats", "all")[0]["textR", "q1"] == 5 / 8


def test_gold_with_places_that_differ_in_white_space_is_counted(put, scored, tmp_path):
    (tmp_path / "documents" / "peru.txt").write_text("Peru\njoined. then Peru joined.")
    gold = {"topic": "q1", "document": "peru", "text": "Peru joined"}
    answer = {"topic": "q1", "document": "peru", "start": 0, "end": 11, "score": 1}
    put(gold=[gold, GOLD[1]], run=[answer])
    values, notes = scored()
    assert values["textR", "q1"] == 0.0
    assert (
        "gold.jsonl: 1 quoted text is also at other places with other white space or other Unicode"
        " forms; the exact place is used: give its occurrence, or the start of another place"
        in notes
    )
    values, notes = scored("--repeats", "all")
    assert (values["textR", "q1"], "also at other places" in notes) == (0.5, False)
    assert "1 quoted text is at several places; all places are relevant" in notes
    put(gold=[{**gold, "start": 0}, GOLD[1]], run=[answer])
    values, notes = scored()
    assert (values["textR", "q1"], "also at other places" in notes) == (1.0, False)
    put(gold=[{**gold, "occurrence": 1}, GOLD[1]], run=[answer])
    values, notes = scored()
    assert (values["textR", "q1"], "also at other places" in notes) == (0.0, False)


def test_gold_that_is_similar_to_two_places_must_say_which(put, refused, scored, tmp_path):
    sentence = "The tide comes in twice a day, and nobody has ever been able to stop it."
    (tmp_path / "documents" / "twice.txt").write_text(f"{sentence} {sentence}")
    gold = {"topic": "q1", "document": "twice", "text": sentence.replace("nobody", "noboby")}
    start = len(sentence) + 1
    answer = {"topic": "q1", "document": "twice", "start": start, "end": 2 * start - 1, "score": 1}
    put(gold=[gold, GOLD[1]], run=[answer])
    message = refused(checked="gold.jsonl", role="assessments")
    assert f"about equally similar to 2 places: twice [0, 72), twice [{start}, " in message
    put(gold=[{**gold, "occurrence": 2}, GOLD[1]], run=[answer])
    values, notes = scored()
    assert (values["textR", "q1"], "similarity 0.98" in notes) == (1.0, True)
    put(gold=GOLD, run=[{**gold, "score": 1}])
    _, notes = scored()
    assert "similarity 0.98, as 1 other place)" in notes
    assert "1 answer has text that is at several places; the first places are used" in notes


@pytest.mark.parametrize("document", [{}, {"document": "5f1c"}])
def test_offsets_beside_text_choose_among_its_places(put, scored, document):
    row = {"topic": "q1", "start": 23, "end": 31, "text": "The moon", "score": 1}
    gold = [{"topic": "q1", "document": "moon", "start": 23, "end": 31}]
    put(gold=gold, run=[row | document])
    values, notes = scored()
    assert (values["textR", "q1"], "several places" in notes) == (1.0, False)
    put(gold=gold, run=[row | document | {"start": 25, "end": 33}])
    values, notes = scored()
    assert (values["textR", "q1"], "several places" in notes) == (0.0, True)


def test_offsets_beside_gold_without_a_document_choose_among_its_places(put, scored):
    gold = {"topic": "q1", "start": 23, "end": 31, "text": "The moon"}
    answer = {"topic": "q1", "document": "moon", "start": 23, "end": 31, "score": 1}
    put(gold=[gold, GOLD[1]], run=[answer])
    assert scored()[0]["textR", "q1"] == 1.0


def test_offsets_beside_chunks_without_a_document_choose_among_their_places(spanwise, tmp_path):
    (tmp_path / "a.jsonl").write_text('{"document": "a", "text": "same. two. same."}\n')
    chunks = [{"start": 11, "end": 16, "text": "same."}, {"start": 0, "end": 5, "text": "same."}]
    (tmp_path / "chunks.jsonl").write_text(lines(chunks))
    done = spanwise("locate", "chunks.jsonl", "--collection", "a.jsonl", "-o", "jsonl")
    assert [json.loads(line)["start"] for line in done.out.splitlines()] == [11, 0], done.err


# -- how text was found


def test_white_space_and_punctuation_forms_are_folded_and_counted(put, scored):
    text = "the 😀 sailor's letter  was found\non the beach"
    put(run=[RUN[0], {"topic": "q2", "text": text, "score": 1.0}])
    _, notes = scored()
    assert "1 text was found ignoring white space and punctuation forms" in notes


SIMILAR = [
    {"topic": "q2", "text": LETTER.replace("beach", "bench").replace("seven", f"{word}ven")}
    for word in ("sa", "se", "so", "si", "sy", "su", "sq")
]


def test_similar_text_is_listed_row_by_row(put, scored, spanwise):
    put(run=[{**row, "score": 1.0} for row in SIMILAR])
    _, notes = scored()
    assert "warning: 7 texts are not in the documents word for word; the most similar" in notes
    assert notes.count("similarity 0.9") == 5
    _, notes = scored("--notes", "all")
    assert notes.count("warning: 1 text is not in the documents word for word") == 7
    assert "(line 7: 'the 😀 sailor" in notes
    assert f"at letter [11, {11 + len(LETTER)}), similarity 0.9" in notes
    done = spanwise("evaluate", "gold.jsonl", "run.jsonl", *COLLECTION, "-m", "textR", "-o", "json")
    noted = [note for note in json.loads(done.out)["notes"] if note["kind"] == "similar"]
    assert len(noted) == 7


def test_text_that_begins_inside_a_character_is_never_the_same(put, scored, spanwise, tmp_path):
    rest = "ﬂoor of the harbour was sold to a man with seven ships"
    (tmp_path / "documents" / "harbour.txt").write_text(f"the ﬁrst {rest}")
    put(run=[{"topic": "q1", "text": f"irst {rest}", "score": 1}])
    _, notes = scored()
    assert "at harbour [4, 63), similarity 0.99)" in notes
    done = spanwise("locate", "run.jsonl", *COLLECTION, "-o", "jsonl")
    assert json.loads(done.out)["similarity"] == 0.99


# -- wrong offsets


def shifted(by):
    return [
        {**row, "start": row["start"] + by, "end": row["end"] + by, "text": other["text"]}
        for row, other in zip(OFFSETS, RUN, strict=True)
    ]


def test_wrong_offsets_are_refused_and_repaired_on_request(put, refused, scored):
    expected, _ = scored()
    put(run=[*shifted(3)[:1], *shifted(0)[1:]])
    message = refused()
    assert "run.jsonl:1: found the text 'The moon pulls" in message
    assert "1 of 3 quotes disagrees" in message
    assert "use --repair to locate the texts" in message
    values, notes = scored("--repair")
    assert values == expected
    assert "run.jsonl: 1 text was not at its offsets and was located instead (repair)" in notes
    scores = in_python(run=shifted(3), repair=True)
    assert scores.per_topic("textP")["q1"] == expected["textP", "q1"]


def test_what_is_repaired_takes_the_nearest_place(put, scored):
    row = {"topic": "q1", "document": "moon", "start": 48, "end": 56}
    put(gold=[row], run=[{**row, "start": 50, "end": 58, "text": "The moon", "score": 1}])
    values, notes = scored("--repair")
    assert values["textR", "q1"] == 1.0
    assert "1 text is at several places; the places nearest to the offsets are used" in notes


def test_a_repair_that_is_a_tie_is_said_to_be(put, scored, tmp_path):
    (tmp_path / "documents" / "twin.txt").write_text("same xxxxxsame")
    row = {"topic": "q1", "document": "twin", "start": 5, "end": 9, "text": "same", "score": 1}
    put(run=[row])
    _, notes = scored("--repair")
    assert (
        "1 text is at several places; the places nearest to the offsets are used; the first of two"
        " that are equally near for 1 of them" in notes
    )


def test_gold_is_repaired_too(put, scored, refused):
    put(gold=[{**GOLD[0], "start": 20, "end": 43}, {**GOLD[1], "start": -1}], run=OFFSETS)
    message = refused(checked="gold.jsonl", role="assessments")
    assert "gold.jsonl:1: found the text 'The moon pulls the sea.'" in message
    values, notes = scored("--repair")
    assert values["textR", "q1"] == 1.0
    assert "gold.jsonl: 1 text was not at its offsets and was located instead" in notes


def test_what_cannot_be_repaired_is_a_fault(put, refused):
    put(run=[{**OFFSETS[0], "text": "a comet"}])
    assert "which is not in document tides" in refused("--repair")


SEA = "The moon pulls the sea."
TIDES = f"Tides rise twice a day. {SEA}"


def test_a_heading_before_a_text_moves_nothing_when_it_is_repaired(put, refused, scored):
    row = {"topic": "q1", "document": "tides", "start": 0, "end": 47, "score": 1}
    put(run=[row])
    expected, _ = scored()
    put(run=[{**row, "text": f"Title: x\n{TIDES}"}, {**row, "text": f"# Moon\n{TIDES}"}])
    assert (
        "2 of 2 quotes contain what is at the offsets, and more: use --repair, which keeps these"
        " offsets" in refused()
    )
    values, notes = scored("--repair")
    assert values == expected
    assert "2 texts contain what is at their offsets, and more; the offsets are kept" in notes
    assert "located instead" not in notes


def test_offsets_of_less_than_half_of_a_text_are_repaired(put, scored):
    row = {"topic": "q1", "document": "tides", "start": 0, "end": 20, "score": 1}
    put(run=[{**row, "text": f"Title: x\n{TIDES}"}])
    values, notes = scored("--repair")
    assert values["textR", "q1"] == 1.0
    assert "1 text was not at its offsets and was located instead (repair)" in notes


def test_offsets_that_cut_a_text_of_the_document_are_repaired(put, scored):
    row = {"topic": "q1", "document": "tides", "start": 0, "end": 46, "score": 1}
    put(run=[{**row, "text": TIDES}])
    assert "1 text was not at its offsets and was located instead" in scored("--repair")[1]


def test_offsets_that_cut_texts_in_several_ways_are_not_called_right(put, refused):
    row = {"topic": "q1", "document": "tides", "text": TIDES, "score": 1}
    put(run=[{**row, "start": start, "end": end} for start, end in ((0, 40), (5, 47), (7, 45))])
    assert "check that the offsets were computed on these documents" in refused()


def test_offsets_beyond_a_document_are_not_kept(put, scored, spanwise):
    row = {"topic": "q1", "document": "tides", "start": 0, "end": 99, "score": 1}
    put(run=[{**row, "text": f"Title: {TEXTS['tides']}"}])
    _, notes = scored("--repair")
    assert "1 text was not at its offsets and was located instead (repair)" in notes


def test_gold_with_a_heading_keeps_its_offsets(put, scored):
    put(
        gold=[{**GOLD[0], "start": 0, "end": 47, "text": f"Title: x\n{TIDES}"}, GOLD[1]],
        run=[{"topic": "q1", "document": "tides", "start": 0, "end": 47, "score": 1}],
    )
    values, notes = scored("--repair")
    assert (values["textR", "q1"], values["textP", "q1"]) == (1.0, 1.0)
    assert "gold.jsonl: 1 text contains what is at its offsets, and more" in notes


def test_texts_with_the_letters_of_their_ranges_agree(put, scored):
    put(run=OFFSETS)
    expected, _ = scored()
    texts = ("The moon  pulls\nthe sea.", " has no water", "after seven years at sea")
    put(run=[{**row, "text": text} for row, text in zip(OFFSETS, texts, strict=True)])
    values, notes = scored()
    assert values == expected
    assert (
        "run.jsonl: 2 texts agree with their ranges when white space and punctuation forms are"
        " ignored" in notes
    )
    sailor = {"topic": "q2", "document": "letter", "start": 17, "end": 25, "score": 1}
    put(run=[{**sailor, "text": "sailor's"}])
    assert "1 text agrees with its range when" in scored()[1]


def test_repair_needs_documents(put, spanwise):
    done = spanwise("evaluate", "gold.jsonl", "run.jsonl", "--repair")
    assert (done.code, "--repair needs the texts: give --collection" in done.err) == (2, True)
    assert "repair=True needs the texts" in python_refuses_without()


def python_refuses_without():
    with pytest.raises(SpanwiseError) as problem:
        evaluate(GOLD, RUN, "textR", repair=True)
    return str(problem.value)


@pytest.mark.parametrize("unit", ["utf16", "byte"])
def test_wrong_units_are_recognised_and_named(put, refused, scored, unit):
    def counted(place):
        before = TEXTS["letter"][:place]
        return len(before.encode("utf-16-le")) // 2 if unit == "utf16" else len(before.encode())

    words = ["sailor", "letter was", "seven years", "at sea"]
    places = [(TEXTS["letter"].index(word), word) for word in words]
    put(
        run=[
            {
                **{"topic": "q2", "document": "letter", "text": word, "score": 1},
                **{"start": counted(place), "end": counted(place + len(word))},
            }
            for place, word in places
        ]
    )
    assert (
        f"4 of 4 quotes match with {unit}: use --unit {unit} if all files count so; if only this"
        f" one does, convert it first (spanwise convert with --unit {unit}), or use --repair"
        in refused()
    )
    values, _ = scored("--unit", unit)
    assert values["textR", "q2"] == 1.0
    assert scored("--repair")[0] == values


@pytest.mark.parametrize(
    ("start", "end", "advice"),
    [
        (1, 1, "if moved by -1 (they count from 1): move the offsets, or use --repair"),
        (-5, -5, "if moved by +5: move the offsets, or use --repair"),
        (0, -1, "if 1 is added to the end (inclusive ends): add it, or use --repair"),
        (2, 1, "if the start is moved by -2 and the end by -1: move the offsets, or use"),
    ],
)
def test_offsets_that_are_all_moved_alike(put, refused, scored, start, end, advice):
    words = ["rise twice", "day. The", "pulls the", "tables of"]
    places = [TEXTS["tides"].index(word) for word in words]
    row = {"topic": "q1", "document": "tides", "score": 1}
    put(
        run=[
            {**row, "text": word, "start": place + start, "end": place + len(word) + end}
            for word, place in zip(words, places, strict=True)
        ]
    )
    assert f"4 of 4 quotes match {advice}" in refused()
    moved, _ = scored("--repair")
    put(
        run=[
            {**row, "start": place, "end": place + len(word)}
            for word, place in zip(words, places, strict=True)
        ]
    )
    assert scored()[0] == moved


def test_one_moved_text_is_not_enough_to_call_offsets_shifted(put, refused):
    put(run=shifted(3)[:1])
    assert "1 of 1 quote disagrees); check that the offsets" in refused()


def test_offsets_that_are_moved_differently_are_not_called_shifted(put, refused):
    row = {"topic": "q1", "document": "tides", "score": 1}
    words = ["rise twice", "pulls the", "tables of"]
    put(
        run=[
            {**row, "text": word, "start": start, "end": start + len(word)}
            for word, start in zip(words, (8, 36, 61), strict=True)
        ]
    )
    assert "check that the offsets were computed on these documents" in refused()


def test_line_ends_that_were_translated(put, refused, scored):
    translated = TEXTS["moon"].replace("\r\n", "\n")
    words = ["The moon is far.", "It shines."]
    rows = [
        {
            **{"topic": "q1", "document": "moon", "text": word, "score": 1},
            "start": translated.index(word),
        }
        for word in words
    ]
    put(run=rows)
    message = refused()
    assert "2 of 2 quotes match if CRLF is read as LF" in message
    assert "shifted by the number of line ends before them" in message
    assert "newline translation" in message
    assert "2 texts were not at their offsets" in scored("--repair")[1]


def test_text_that_nothing_was_compared_with_is_said(put, spanwise):
    gold = [{"topic": "q1", "document": "tides", "start": 24, "end": 47}]
    put(gold=gold, run=shifted(0))
    done = spanwise("evaluate", "gold.jsonl", "run.jsonl", "-m", "textR")
    assert done.code == 0
    assert "3 texts beside ranges were not compared with the documents; give --collection" in (
        done.err
    )


def test_hashes_in_a_file_of_assessments(put, refused, scored):
    digest = hashlib.sha256(TEXTS["tides"].encode()).hexdigest()
    row = {"document": "tides", "length": len(TEXTS["tides"]), "sha256": digest}
    put(gold=[*GOLD, row])
    scored()
    put(gold=[*GOLD, {**row, "sha256": "0" * 64}])
    message = refused(checked="gold.jsonl", role="assessments")
    assert "gold.jsonl: found sha256 000000000000... of document tides" in message


# -- tables of chunks

CHUNKS = [
    {"chunk": "c1", "document": "moon", "text": "The moon has no water. "},
    {"chunk": "c2", "document": "moon", "text": "The moon"},
    {"chunk": "c3", "document": "moon", "text": " pulls the sea."},
    {"chunk": "c4", "document": "moon", "start": -1, "text": "The moon"},
    {"chunk": "c5", "text": "Harbours keep tables"},
]
TABLE = (*COLLECTION, "--chunks", "chunks.jsonl")


def converted(spanwise, *options):
    done = spanwise("convert", "run.jsonl", "-", "--to", "jsonl", *TABLE, *options)
    rows = [json.loads(line) for line in done.out.splitlines()[1:]]
    return [(row["document"], row["start"], row["end"]) for row in rows], done.err


def test_chunks_are_located_by_their_order(put, spanwise):
    named = [{"topic": "q1", "chunk": f"c{n}", "rank": n} for n in range(1, 6)]
    put(chunks=CHUNKS, run=named)
    places, notes = converted(spanwise)
    assert places == [
        ("moon", 0, 23),
        ("moon", 23, 31),
        ("moon", 31, 46),
        ("moon", 48, 56),
        ("tides", 48, 68),
    ]
    assert "chunks.jsonl: 5 chunks had no usable offsets (1 of them with -1, which" in notes
    assert "2 chunks have text that is at several places; the order of chunks in their" in notes


def test_repeated_answers_are_where_the_table_lists_them(put, spanwise):
    run = [{"topic": "q1", "text": "The moon", "rank": n} for n in (1, 2)]
    put(chunks=CHUNKS[:1], run=run)
    places, notes = converted(spanwise)
    assert places == [("moon", 0, 8), ("moon", 23, 31)]
    put(chunks=CHUNKS, run=run)
    places, notes = converted(spanwise)
    assert places == [("moon", 23, 31), ("moon", 48, 56)]
    assert "2 answers have text that is at several places; the table of chunks decides" in notes


def test_texts_of_chunks_are_verified(put, spanwise, refused):
    good = {"chunk": "c1", "document": "tides", "start": 24, "end": 47}
    named = [{"topic": "q1", "chunk": "c1", "rank": 1}]
    put(chunks=[{**good, "text": "Tides rise"}], run=named)
    assert "chunks.jsonl:1: found the text 'Tides rise' for [24, 47)" in refused(*TABLE[2:])
    places, notes = converted(spanwise, "--repair")
    assert places == [("tides", 0, 10)]
    assert "chunks.jsonl: 1 text was not at its offsets and was located instead" in notes


def test_chunks_with_a_heading_keep_their_offsets(put, spanwise, refused):
    heads = [
        {"chunk": "c1", "document": "tides", "start": 24, "end": 47, "text": f"Tides: {SEA}"},
        {"chunk": "c2", "document": "tides", "start": 0, "end": 9, "text": SEA},
    ]
    put(chunks=heads, run=[{"topic": "q1", "chunk": name, "rank": 1} for name in ("c1", "c2")])
    assert "2 of 2 quotes disagree" in refused(*TABLE[2:])
    places, notes = converted(spanwise, "--repair")
    assert places == [("tides", 24, 47), ("tides", 24, 47)]
    assert "chunks.jsonl: 1 text contains what is at its offsets, and more" in notes
    assert "chunks.jsonl: 1 text was not at its offsets and was located instead" in notes


def test_units_of_tables_with_text(put, spanwise):
    table = [
        {"chunk": "a", "document": "letter", "text": "sailor"},
        {"chunk": "b", "document": "letter", "start": 57, "end": 62, "text": "after"},
    ]
    put(chunks=table, run=[{"topic": "q2", "chunk": name, "rank": 1} for name in "ab"])
    place = TEXTS["letter"].index("sailor")
    places, _ = converted(spanwise, "--unit", "utf16")
    assert places == [("letter", place, place + 6), ("letter", 56, 61)]


def test_chunks_by_text_need_documents(put, spanwise):
    gold = [{"topic": "q1", "document": "moon", "start": 0, "end": 9}]
    put(chunks=CHUNKS, run=[{"topic": "q1", "chunk": "c1", "rank": 1}], gold=gold)
    done = spanwise("evaluate", "gold.jsonl", "run.jsonl", "--chunks", "chunks.jsonl")
    assert done.code == 2
    assert "chunks.jsonl:1: found text without a range (5 chunks), expected" in done.err


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ({"document": "tides", "text": ""}, "found an empty text without a range"),
        ({"document": "tides", "start": 5, "end": 5, "text": ""}, "found range [5, 5)"),
        ({"document": "moon", "text": 4 * TEXTS["moon"]}, "which is not in document moon"),
        ({"document": "tides", "start": 0, "end": 999}, "an end of at most 82"),
        ({"text": "the", "from": 3}, "the field 'from', which may be the start"),
    ],
)
def test_chunks_that_no_document_can_have(put, refused, row, message):
    put(run=[{"topic": "q1", **row, "score": 1}])
    assert message in refused()


def test_repeated_chunks_of_a_table_are_refused(put, refused):
    put(chunks=[*CHUNKS, CHUNKS[0]], run=[{"topic": "q1", "chunk": "c1", "rank": 1}])
    assert "chunks.jsonl:6: found chunk 'c1' again" in refused(*TABLE[2:])


def test_overlapping_chunks_count_once(put, scored):
    put(run=[RUN[0], {**RUN[0], "text": "moon pulls the sea. Harbours"}])
    values, notes = scored()
    assert "2 answers overlap another in a relevant document" in notes
    assert values["textP", "q1"] == pytest.approx(23 / 32)


def test_an_id_without_a_table_is_located_by_its_text(put, scored):
    put(run=[{**row, "chunk_id": f"c{n}"} for n, row in enumerate(RUN)])
    assert "3 answers had no usable offsets" in scored()[1]


def test_distances_beside_text(put, scored, tmp_path):
    rows = [{**row, "distance": row["score"]} for row in RUN]
    put(run=[{name: value for name, value in row.items() if name != "score"} for row in rows])
    _, notes = scored()
    assert "scores are distances: smallest first" in notes


def test_ranges_and_texts_may_be_mixed(put, scored):
    expected, _ = scored()
    put(run=[OFFSETS[0], RUN[1], {**RUN[2], "title": "?"}])
    values, notes = scored()
    assert values == expected
    assert "2 answers had no usable offsets" in notes
    assert "field 'title' is unknown and ignored" in notes


def test_check_in_python(put, tmp_path):
    found = check(tmp_path / "run.jsonl", role="run", collection=TEXTS)
    assert found.passed
    assert "3 answers had no usable offsets" in str(found)
