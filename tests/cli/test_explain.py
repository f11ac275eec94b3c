"""``spanwise explain``: the value that evaluate prints, and the steps to it."""

from __future__ import annotations

import json

import pytest

ONE = ("explain", "qrels.txt", "first.fol")
MANY_ANSWERS = "".join(f"t1 Q0 n{n:02} {n} {-n} long 0 10\n" for n in range(1, 31))


def explained(spanwise, *arguments):
    done = spanwise(*arguments, "-o", "json")
    assert done.code == 0, done.err
    return json.loads(done.out)["explanations"]


@pytest.mark.parametrize("measure", ["MAgP", "AP", "AiP", "textF(budget=120)", "ANCE@5", "trec"])
def test_the_value_is_that_of_evaluate(spanwise, files, measure):
    rows = spanwise("evaluate", *ONE[1:], "-m", measure, "-q", "-o", "jsonl").out.splitlines()
    scores = {(row["measure"], row["topic"]): row["value"] for row in map(json.loads, rows)}
    for topic in ("t1", "t2"):
        for found in explained(spanwise, *ONE, "--topic", topic, "-m", measure):
            assert found["value"] == scores[found["measure"], topic]


def test_a_list_of_documents_is_shown_rank_by_rank(spanwise, files):
    done = spanwise(*ONE, "--topic", "t1", "-m", "AgP")
    assert done.code == 0
    assert done.out == (
        "AgP, that is AgP(F(beta=1)): run first, topic t1\n"
        "\n"
        "rank  document  answers  returned  relevant  common       S     sum      gP    adds\n"
        "-----------------------------------------------------------------------------------\n"
        "   1  d1              1       100       100     100  1.0000  1.0000  1.0000  0.5000\n"
        "   2  d2              1       100        50      50  0.6667  1.6667  0.8333  0.4167\n"
        "  S = F(beta=1), sum = S so far, gP = sum / rank,"
        " adds = gP / 2 where the document is relevant\n"
        "\n"
        "the topic has 2 relevant documents with 150 relevant characters;"
        " 2 of them among the 2 documents (2 answers) of the list\n"
        "gP at the relevant ranks 1.8333 / 2 relevant documents = 0.9167\n"
        "AgP = 0.9167\n"
    )


def test_a_document_is_shown_as_it_is_read(spanwise, files):
    (found,) = explained(
        *(spanwise, *ONE, "--topic", "t2", "--document", "d3"), "-m", "AgP(aveChP)"
    )
    segments = [(s["start"], s["end"], s["relevant"], s["read"]) for s in found["segments"]]
    assert segments == [
        (0, 5, False, 5),
        (5, 25, True, 25),
        (25, 40, False, 40),
        (40, 500, False, 500),
    ]
    assert found["score"] == pytest.approx(sum(k / (5 + k) for k in range(1, 21)) / 20, abs=1e-12)
    assert sum(s["adds"] or 0 for s in found["segments"]) == pytest.approx(found["score"])


READ = (*ONE, "--topic", "t2", "--document", "d3")


def test_what_is_read_is_said_in_words(spanwise, files):
    said = " ".join(
        spanwise(*READ, "-m", "AgP(T2If(tolerance=10))", "-m", "AgP(ChP(k=7))").out.split()
    )
    assert said.count("d3 is read as") == 1, "once for both measures"
    assert "The first relevant character is number 6, on screen 1." in said
    assert "T2I(300) stops after 320 characters, on screen 2: 100% found" in said
    assert "T2I(10) stops after 30 characters" in said
    assert "ChP(7) stops after 7 characters, on screen 1: 10% found" in said
    assert "is read as" not in spanwise(*READ, "-m", "AgP").out


def test_readers_and_moments_are_in_the_json(spanwise, files):
    (found,) = explained(spanwise, *READ, "-m", "AgP(aveChP)")
    reading = found["reading"]
    assert (reading["read"], reading["relevant"], reading["first_relevant"]) == (500, 20, 6)
    assert reading["aveChP"] == found["score"]
    assert [(stop["reader"], stop["read"]) for stop in reading["stops"]] == [("T2I(300)", 320)]
    (other,) = explained(spanwise, *READ, "-m", "AgP(aveChP(passage_penalty=9))")
    assert "reading" not in other, "a penalty is not text"


def test_a_page_draws_the_reading_order(spanwise, files):
    done = spanwise(*READ, "-m", "AgP(aveChP)", "-m", "ANCE(LE)", "--to", "read.html")
    assert done.code == 0
    assert done.out == ""
    page = (files / "read.html").read_text("utf-8")
    assert page.count('<figure class="reading-order">') == 1
    assert ">T2I(300)</text>" in page
    assert "d3 is read as 2 screens" in page
    done = spanwise(*READ, "-m", "AgP(aveChP)", "--to", "read.md")
    assert "d3 is read as 2 screens" in (files / "read.md").read_text("utf-8")


def test_relevant_documents_that_were_not_retrieved_are_named(spanwise, files):
    done = spanwise("explain", "qrels.txt", "second.fol", "--topic", "t1", "-m", "AgP")
    assert "not retrieved: d1 (100)\n" in done.out
    assert "note: 1 of 2 retrieved documents (50%) is unjudged" in done.err
    (found,) = explained(
        *(spanwise, "explain", "qrels.txt", "second.fol"),
        *("--topic", "t1", "-m", "AgP", "--document", "d1"),
    )
    assert found["rows"] == []
    assert found["document_result"] == "the document is not in the list: it adds nothing"


def test_stretches_that_are_not_relevant_are_one_line(spanwise, files):
    rows = "".join(f"t2 Q0 d3 {n} {-n} long {100 + 4 * n} 2\n" for n in range(1, 15))
    (files / "long.fol").write_text(rows)
    done = spanwise(
        *("explain", "qrels.txt", "long.fol", "--topic", "t2", "--document", "d3"),
        *("-m", "AgP(aveChP)", "--to", "long.md"),
    )
    assert done.code == 0, done.err
    lines = (files / "long.md").read_text("utf-8").splitlines()
    assert "segments 11-15: not relevant" in lines
    shown = spanwise(
        *("explain", "qrels.txt", "long.fol", "--topic", "t2", "--document", "d3"),
        *("-m", "AgP(aveChP)"),
    )
    assert "\n  segments 11-15: not relevant\n" in shown.out


def test_what_is_not_relevant_is_one_line(spanwise, files):
    run = MANY_ANSWERS + "t1 Q0 d1 31 -31 long 0 100\n"
    (files / "long.fol").write_text(run)
    short = spanwise("explain", "qrels.txt", "long.fol", "--topic", "t1", "-m", "AP").out
    assert "  ranks 11-30: not relevant (20 of them unjudged)\n  31  d1" in short
    everything = spanwise("explain", "qrels.txt", "long.fol", "--topic", "t1", "-m", "AP", "--all")
    assert "n20" not in short
    assert "n20" in everything.out


def test_a_topic_that_the_run_lacks_is_an_empty_answer(spanwise, files):
    (files / "half.fol").write_text("t1 Q0 d1 1 2.0 half 0 100\n")
    arguments = ("explain", "qrels.txt", "half.fol", "--topic", "t2", "-m", "AgP")
    done = spanwise(*arguments)
    assert done.out.endswith(
        "AgP = 0.0000\n\ndiagnosis: no answer: the run returned nothing for this topic\n"
    )
    assert "run half, topic t2" in done.out
    assert "1 topic is missing from the run; scored 0 (t2)" in done.err
    assert spanwise(*arguments, "--missing", "skip").code == 2


def test_every_run_of_a_file_is_explained(spanwise, files):
    both = (files / "first.fol").read_text() + (files / "second.fol").read_text()
    (files / "both.fol").write_text(both)
    found = explained(spanwise, "explain", "qrels.txt", "both.fol", "--topic", "t1", "-m", "AP")
    assert [(one["run"], one["value"]) for one in found] == [("first", 1.0), ("second", 0.5)]


def test_standard_input_and_file_names(spanwise, files):
    run = (files / "first.fol").read_bytes()
    done = spanwise("explain", "qrels.txt", "-", "--topic", "t1", "-m", "RR", stdin=run)
    assert done.out.endswith("RR = 1.0000\n")
    named = spanwise(*ONE, "--topic", "t1", "-m", "RR", "--run-name", "file", "--quiet")
    assert "run first, topic t1" in named.out
    assert named.err == ""


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--topic", "t11"), "no topic t11: did you mean t1"),
        (("--topic", "t1", "--document", "d11"), "no document d11 for this topic"),
        (("--topic", "t1", "--compat", "inex_eval"), "No such option '--compat'"),
        (("--topic", "t1", "-m", "AgPP"), "did you mean AgP?"),
    ],
)
def test_refusals_say_what_may_be_meant(spanwise, files, arguments, message):
    done = spanwise(*ONE, "-m", "AgP", *arguments)
    assert (done.code, done.out) == (2, "")
    assert message in done.err


def test_ideal_units_that_no_answer_drew_from_are_named(spanwise, files):
    run = "t1 Q0 d1 1 9 r 0 100\nt1 Q0 x 2 8 r 0 10\n"
    (files / "one.fol").write_text(run)
    command = ("explain", "qrels.txt", "one.fol", "--topic", "t1")
    done = spanwise(*command, "-m", "MAep")
    assert "\nideal units that no answer drew from: d2 10-60 (1.0000)\n" in done.out
    assert (
        "\nZ = 1 (ranks that gain) + 1 (of 2 ideal units, not drawn from);"
        " what the ranks add = 0.5000\n" in done.out
    )
    larger = spanwise(*command, "-m", "Q(divisor=larger)").out
    assert "drew from" not in larger
    assert "Z = 2, the larger of 2 (ideal units) and 1 (ranks that gain)" in larger
    assert "Z = 2 (ideal units)" in spanwise(*command, "-m", "Q(divisor=ideal)").out
    (found,) = explained(spanwise, *command, "-m", "Q")
    assert found["undrawn"] == [{"document": "d2", "unit": "10-60", "value": 1.0}]
    (found,) = explained(spanwise, *command, "-m", "Q", "--document", "d1")
    assert found["undrawn"] == []


# -- what is wrong with the list, and its texts

TEXT = "The bell was cast in 1752. It cracked twice.\x1b[2J It weighs 900 kg. Nobody rings it."
BELL = json.dumps({"topic": "q1", "document": "bell", "start": 27, "end": 44, "query": "Cracks?"})


def bell(spanwise, tmp_path, *arguments, start=40, end=66, text=TEXT, judged=BELL):
    (tmp_path / "docs.jsonl").write_text(json.dumps({"document": "bell", "text": text}) + "\n")
    (tmp_path / "gold.jsonl").write_text(judged + "\n")
    answer = {"topic": "q1", "document": "bell", "start": start, "end": end, "score": 1.0}
    (tmp_path / "run.jsonl").write_text(json.dumps(answer) + "\n")
    given = ("explain", "gold.jsonl", "run.jsonl", "--topic", "q1", "-m", "textR@5", *arguments)
    done = spanwise(*given)
    assert done.code == 0, done.err
    return done.out


def test_the_texts_are_shown_with_marks_that_need_no_colour(spanwise, tmp_path):
    out = bell(spanwise, tmp_path, "--collection", "docs.jsonl")
    _, _, texts = out.partition("textR@5 = 0.2353\n\n")
    assert texts == (
        "diagnosis: incomplete: 0 of 1 range, 24% of the relevant text in the first 5 answers\n"
        "\n"
        'q1 "Cracks?"\n'
        "[+relevant, returned+] [-relevant, not returned-] [~returned, not relevant~]\n"
        "\n"
        "relevant text\n"
        "  bell: [-It cracked tw-][+ice.+]\\x1b[2J It weighs 900 kg.\n"
        "\n"
        "1 answer\n"
        "  1. bell 40-66, 4 new relevant characters: [-It cracked tw-][+ice.+][~\\x1b[2J It weighs"
        " 900 kg.~]\n"
    )


def test_without_texts_the_diagnosis_is_a_line(spanwise, tmp_path):
    out = bell(spanwise, tmp_path)
    assert out.endswith(
        "textR@5 = 0.2353\n\n"
        "diagnosis: incomplete: 0 of 1 range, 24% of the relevant text in the first 5 answers\n"
    )
    assert bell(spanwise, tmp_path, start=27, end=44).endswith("textR@5 = 1.0000\n")
    shown = bell(spanwise, tmp_path, "--collection", "docs.jsonl", start=27, end=44)
    assert "\ndiagnosis: no failure\n" in shown


def test_json_has_the_diagnosis_and_the_texts(spanwise, tmp_path):
    found = json.loads(bell(spanwise, tmp_path, "-o", "json", "--collection", "docs.jsonl"))
    words = "incomplete: 0 of 1 range, 24% of the relevant text in the first 5 answers"
    assert found["diagnoses"] == [
        {"run": "run", "topic": "q1", "diagnosis": "incomplete", "words": words}
    ]
    (texts,) = found["texts"]
    assert texts["query"] == "Cracks?"
    assert texts["relevant"][0]["pieces"][:2] == [
        {"text": "It cracked tw", "mark": "missed"},
        {"text": "ice.", "mark": "found"},
    ]
    (answer,) = texts["answers"]
    assert (answer["rank"], answer["start"], answer["end"], answer["found"]) == (1, 40, 66, 4)
    bare = json.loads(bell(spanwise, tmp_path, "-o", "json"))
    assert "texts" not in bare
    assert bare["diagnoses"] == found["diagnoses"]


def test_a_document_has_its_own_texts_only(spanwise, tmp_path):
    judged = BELL + "\n" + BELL.replace('"bell"', '"other"')
    arguments = ("--collection", "docs.jsonl", "--document", "other")
    out = bell(spanwise, tmp_path, *arguments, judged=judged)
    assert "no relevant text is shown" in out
    assert "bell" not in out.partition("diagnosis")[2]


def test_everything_leaves_nothing_out(spanwise, tmp_path):
    text = "".join(f"Sentence {number:03} stands here. " for number in range(100))
    given = {"start": 0, "end": len(text), "text": text}
    short = bell(spanwise, tmp_path, "--collection", "docs.jsonl", **given)
    assert "characters left out)" in short
    assert "Sentence 099" not in short
    whole = bell(spanwise, tmp_path, "--collection", "docs.jsonl", "--all", **given)
    assert "characters left out)" not in whole
    assert "Sentence 099 stands here." in whole


def test_marks_are_about_the_first_answers(spanwise, tmp_path):
    """A list with more answers than are looked at does not call the others not returned."""
    bell(spanwise, tmp_path, "--collection", "docs.jsonl")
    command = ("explain", "gold.jsonl", "run.jsonl", "--topic", "q1", "-m", "textR@5")
    for answers, first in ((3, "returned"), (9, "in the first 5 answers")):
        rows = [
            {"topic": "q1", "document": "bell", "start": n, "end": n + 1, "score": 9 - n}
            for n in range(answers)
        ]
        (tmp_path / "run.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
        done = spanwise(*command, "--collection", "docs.jsonl")
        assert f"[+relevant, {first}+] [-relevant, not {first}-]" in done.out, done.err
