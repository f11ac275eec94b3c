"""KILT: pages or paragraphs that support answers, and predictions of them."""

from __future__ import annotations

import json

import pytest

from command import run_command
from formats.made import faults_of
from spanwise.data.notes import Faults
from spanwise.errors import InputError
from spanwise.formats.builtin.json_rows import kilt, kilt_paragraphs
from spanwise.formats.reading import recognise, role_of
from spanwise.formats.registry import RunOptions
from spanwise.formats.source import Source


def passage(page="30", first=None, start=None, last=None, end=None, **other):
    places = zip(kilt._PLACES, (first, start, last, end), strict=True)
    return {"wikipedia_id": page, **{name: n for name, n in places if n is not None}, **other}


def asked(number, *provenance, **other):
    output = [{"answer": "a", "provenance": [each]} for each in provenance]
    return {"id": number, "input": f"{number}?", "output": output, **other}


def lines(*records):
    return "".join(json.dumps(record) + "\n" for record in records)


def read(content, module=kilt, lenient=False):
    """The assessments, and the notes on them."""
    faults = Faults("file", lenient=lenient)
    judged = module.FORMAT.read_assessments(Source("file", content.encode()), faults)
    faults.settle()
    return judged, [*map(str, faults.notes)]


def read_run(content, module=kilt, lenient=False):
    faults = Faults("file", lenient=lenient)
    source = Source("sys.jsonl", content.encode())
    (run,) = module.FORMAT.read_run(source, faults, RunOptions())
    return run, [*map(str, faults.notes)]


def paragraphs(*provenance):
    """What paragraphs are relevant, with their ranges; None for the whole of them."""
    judged, notes = read(lines(asked("q", *provenance)), kilt_paragraphs)
    ranges = zip(judged.whole.tolist(), judged.relevant.to_lists(), strict=True)
    found = (None if whole else listed for whole, listed in ranges)
    return dict(zip(judged.documents.strings(), found, strict=True)), notes


GOLD = lines(
    asked("5", passage("30", 2, 4, 2, 12, title="Moon", bleu_score=1.0, meta={"x": [1]})),
    asked("6", passage("31"), passage("32")),
)


# -- pages


def test_a_document_is_a_whole_page_and_the_offsets_are_noted():
    judged, notes = read(GOLD)
    assert (judged.topics, judged.queries) == (("5", "6"), {"5": "5?", "6": "6?"})
    assert judged.documents.strings() == ["30", "31", "32"]
    assert judged.whole.tolist() == [True, True, True]
    assert notes == [
        "1 passage is given inside paragraphs; read as a whole page; use"
        " assessments_format='kilt-paragraphs' with their texts"
    ]


def test_the_provenance_of_all_answers_is_united():
    judged, _ = read(lines(asked("q", passage("30"), passage("31"), passage("30"))))
    assert judged.documents.strings() == ["30", "31"]


@pytest.mark.parametrize(
    "silent",
    [
        {"id": "t", "input": "?"},
        {"id": "t", "input": "?", "output": None},
        {"id": "t", "input": "?", "output": []},
        {"id": "t", "input": "?", "output": [{"answer": "a"}, {"answer": "b", "provenance": None}]},
        {"id": "t", "input": "?", "output": [{"provenance": []}]},
    ],
)
def test_questions_without_provenance_are_noted(silent):
    judged, notes = read(lines(asked(7, passage(30)), silent))
    assert (judged.topics, judged.documents.strings()) == (("7",), ["30"])
    assert notes == ["1 question has no provenance; left out"]


# -- paragraphs


def test_a_document_is_a_paragraph_with_ranges():
    found, notes = paragraphs(passage("30", 2, 4, 2, 12), passage("30", 2, 20, 2, 25))
    assert (found, notes) == ({"30#2": [(4, 12), (20, 25)]}, [])


def test_a_passage_over_several_paragraphs_is_split():
    found, notes = paragraphs(passage("30", 2, 0, 4, 12))
    assert (found, notes) == ({"30#2": None, "30#3": None, "30#4": [(0, 12)]}, [])
    found, notes = paragraphs(passage("30", 2, 7, 3, 0))
    assert found == {"30#2": None}
    assert notes == [
        "1 passage goes on in the next paragraph; the paragraph it begins in counts as a whole"
    ]


@pytest.mark.parametrize(
    "unknown", [(2, None, 2, None), (2, -1, 2, -1), (2, 5, 2, None), (2, None, None, None)]
)
def test_a_paragraph_without_offsets_counts_as_a_whole(unknown):
    assert paragraphs(passage("30", *unknown)) == ({"30#2": None}, [])


def test_a_paragraph_that_counts_as_a_whole_needs_no_ranges():
    found, _ = paragraphs(passage("30", 2, 4, 2, 12), passage("30", 2), passage("31", 2, 4, 2, 5))
    assert found == {"30#2": None, "31#2": [(4, 5)]}


@pytest.mark.parametrize("page", [passage("31"), passage("31", -1, -1, -1, -1)])
def test_a_page_without_a_paragraph_is_left_out(page):
    found, notes = paragraphs(passage("30", 1), page)
    assert found == {"30#1": None}
    assert notes == ["1 page is given without a paragraph; left out"]


# -- predictions


def test_predictions_are_ranked_as_they_are_listed():
    predicted = [passage("31"), passage("30", 2, 4, 2, 12), passage("31"), passage("29")]
    content = lines({"id": "q", "output": [{"answer": "a", "provenance": predicted}]})
    run, notes = read_run(content)
    assert (run.name, run.topics, run.order) == ("run", ("q",), "rank")
    assert (run.documents.strings(), run.rank.tolist()) == (["31", "30", "29"], [1, 2, 3])
    assert "run_format='kilt-paragraphs'" in notes[0]
    run, notes = read_run(content, kilt_paragraphs)
    assert (run.documents.strings(), run.start.tolist()) == (["30#2"], [4])
    assert notes == ["3 pages are given without a paragraph; left out"]


def test_predictions_are_scored(tmp_path):
    (tmp_path / "gold.jsonl").write_text(GOLD)
    (tmp_path / "guess.jsonl").write_text(lines(asked("6", passage("30"), passage("32"))))
    command = ["evaluate", "gold.jsonl", "guess.jsonl", "-m", "AP", "-o", "tsv", "--per-topic"]
    done = run_command(command, tmp_path)
    assert "guess\tAP\t6\t0.25\n" in done.out


# -- recognition


@pytest.mark.parametrize("content", [GOLD, "\ufeff" + GOLD, GOLD.replace("\n", "\r\n")])
def test_the_format_is_recognised(content):
    source = Source("file", content.encode())
    assert recognise(source, "assessments") == "kilt"
    assert recognise(source, "run") == "kilt"
    assert role_of(source).role == "assessments"


def test_predictions_are_recognised_without_the_input():
    source = Source("file", lines({"id": 1, "output": [{"provenance": []}]}).encode())
    assert recognise(source, "run") == "kilt"
    assert role_of(source).role == "run"


@pytest.mark.parametrize(
    "record",
    [
        {"topic": "q", "document": "d", "start": 0, "end": 5},
        {"id": "q", "query": "q?", "answers": ["text"], "output": "text"},
        {"id": "q", "question": "q?", "evidence": [{"text": "t"}], "input": "x"},
    ],
)
def test_native_rows_are_never_taken_for_it(record):
    assert recognise(Source("file", lines(record).encode()), "assessments") == "jsonl"


def test_check_says_what_a_file_is(tmp_path):
    (tmp_path / "nq-dev-kilt.jsonl").write_text(GOLD)
    done = run_command(["check", "nq-dev-kilt.jsonl"], tmp_path)
    assert done.code == 0
    assert done.out.startswith("nq-dev-kilt.jsonl: KILT assessments, 3 judged documents (3 whole")


# -- faults


INSIDE = "output[0].provenance[0]"


@pytest.mark.parametrize("module", [kilt, kilt_paragraphs])
@pytest.mark.parametrize("action", [read, read_run])
@pytest.mark.parametrize(
    ("wrong", "found", "place"),
    [
        (asked(None, passage()), "no id", ""),
        (asked(1.5, passage()), "id 1.5", ""),
        (asked("", passage()), "id ''", ""),
        (asked(float("nan"), passage()), "id nan", ""),
        (asked("good", passage("9", 1)), "id good again", ""),
        (asked("q") | {"input": 7}, "input 7", ""),
        (asked("q") | {"output": {}}, "output {}", ""),
        (asked("q") | {"output": ["x"]}, "'x'", "output[0]"),
        (asked("q") | {"output": [{"provenance": "x"}]}, "provenance 'x'", "output[0]"),
        (asked("q", 7), "7", INSIDE),
        (asked("q", []), "[]", INSIDE),
        (asked("q", passage(None)), "no wikipedia_id", INSIDE),
        (asked("q", passage("")), "wikipedia_id ''", INSIDE),
        (asked("q", passage([])), "wikipedia_id []", INSIDE),
        (asked("q", passage("a\0b")), r"wikipedia_id 'a\x00b'", INSIDE),
        (asked("q", passage("\ud800")), r"wikipedia_id '\ud800'", INSIDE),
        (asked("q", passage("1", "2")), "start_paragraph_id '2'", INSIDE),
        (asked("q", passage("1", 2.0)), "start_paragraph_id 2.0", INSIDE),
        (asked("q", passage("1", True)), "start_paragraph_id True", INSIDE),
        (asked("q", passage("1", -2)), "start_paragraph_id -2", INSIDE),
        (asked("q", passage("1", 2, float("nan"))), "start_character nan", INSIDE),
        (asked("q", passage("1", 2, 0, 2, [])), "end_character []", INSIDE),
        (asked("q", passage("1", 2, 0, 2, 2**70)), f"end_character {2**70}", INSIDE),
    ],
)
def test_a_fault_is_told_with_its_line_and_place(module, action, wrong, found, place):
    content = "\n" + lines(asked("good", passage("9", 1)), wrong)
    (fault,) = faults_of(action, content, module)
    assert (fault.line, fault.found) == (3, f"{found} in {place}" if place else found)
    assert all((fault.expected, fault.remedy))
    kept, _ = action(content, module, lenient=True)
    assert kept.topics == ("good",)


@pytest.mark.parametrize(
    ("wrong", "found"),
    [
        (passage("1", 2, 5, 2, 5), "range [5, 5)"),
        (passage("1", 2, 5, 2, 3), "range [5, 3)"),
        (passage("1", 2, 5, 1, 9), "a passage from paragraph 2 to 1"),
        (passage("1", 0, 5, 2**62, 9), f"a passage from paragraph 0 to {2**62}"),
        (passage("1", 0, 5, 100, 9), "a passage from paragraph 0 to 100"),
    ],
)
def test_a_faulty_range_of_paragraphs_is_told(wrong, found):
    (fault,) = faults_of(read, lines(asked("q", wrong)), kilt_paragraphs)
    assert (fault.line, fault.found) == (1, f"{found} in {INSIDE}")


@pytest.mark.parametrize(
    ("line", "found"),
    [
        ("7", "7"),
        ("[]", "[]"),
        ('{"id": "q"', "broken JSON"),
        ('{"id": "q", "id": "r"}', "a key twice in one object"),
        ('{"id": "q", "output": [{"answer": 1, "answer": 2}]}', "a key twice in output[0]"),
        ('{"id": "q", "output": ' + "[" * 100_000, "broken JSON (it is nested too deeply)"),
        ('{"id": "q", "n": ' + "9" * 5000 + "}", "broken JSON (it holds a number of more than"),
    ],
)
def test_a_line_that_is_no_question_is_told(line, found):
    (fault,) = faults_of(read, GOLD + line + "\n")
    assert fault.line == 3
    assert fault.found.startswith(found)


def test_a_first_line_nested_too_deeply_is_refused():
    content = '{"id": 1, "input": "x", "output": ' + "[" * 100_000 + "\n"
    with pytest.raises(InputError, match="nested too deeply"):
        recognise(Source("file", content.encode()), "assessments")


def test_the_words_of_a_fault(tmp_path):
    (tmp_path / "gold.jsonl").write_text(lines(asked("q", passage("1", "2"))))
    done = run_command(["evaluate", "gold.jsonl", "gold.jsonl", "-m", "AP"], tmp_path)
    assert (done.code, done.out) == (2, "")
    assert done.err.startswith(
        f"gold.jsonl:1: found start_paragraph_id '2' in {INSIDE}, expected start_paragraph_id as"
        " a whole number"
    )
