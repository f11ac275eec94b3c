"""Bad input: refused with file and line and nothing on standard output, or accepted and said."""

from __future__ import annotations

import gzip
import json
import os
import subprocess

import pytest

BEYOND_64_BITS = "100000000000000000000"

# What is added to a good file as its fourth line, and what the refusal says.
BAD_RUNS = {
    "five columns": ("t2 Q0 d9 2 0.5", "found 5 columns, expected 6"),
    "seven columns": ("t2 Q0 d9 2 0.5 whole x", "found 7 columns, expected 6"),
    "document again": ("t2 Q0 d3 2 0.5 whole", "found document d3 again for topic t2"),
    "NaN": ("t2 Q0 d9 2 nan whole", "found 'nan', expected a score"),
    "a word as score": ("t2 Q0 d9 2 high whole", "found 'high', expected a score"),
    "decimal comma": ("t2 Q0 d9 2 0,9 whole", "found '0,9', expected a score"),
    "not UTF-8": (b"t2 Q0 d\xff 2 0.5 whole", "found byte 0xff, expected UTF-8"),
    "NUL": (b"t2 Q0 d\0 2 0.5 whole", "found a NUL byte"),
    "a line that breaks off": ("t2 Q0 d9 2 0.", "found 5 columns, expected 6"),
}
BAD_JUDGEMENTS = {
    "disagreeing": ("t2 0 d3 0", "found grade 0 for topic t2, document d3, expected grade 2"),
    "a word": ("t2 0 d9 yes", "found 'yes', expected a relevance"),
    "a fraction": ("t2 0 d9 0.9", "found '0.9', expected a relevance"),
    "a decimal comma": ("t2 0 d9 0,9", "found '0,9', expected a relevance"),
    "too large": (f"t2 0 d9 {BEYOND_64_BITS}", f"found '{BEYOND_64_BITS}', expected a relevance"),
    "not UTF-8": (b"t2 0 d\xff 1", "found byte 0xff, expected UTF-8"),
}
BAD_RANGES = {
    "negative offset": ("t2 Q0 d9 2 0.1 first -5 10", "found '-5', expected an offset"),
    "offset beyond 64 bits": (f"t2 Q0 d9 2 0.1 first {BEYOND_64_BITS} 1", "expected an offset"),
    "end beyond 64 bits": ("t2 Q0 d9 2 0.1 first 9223372036854775800 100", "expected a length"),
    "empty range": ("t2 Q0 d9 2 0.1 first 5 0", "found '0', expected a length of 1 or more"),
    "beyond the document": ("t2 Q0 d3 2 0.1 first 490 20", "an end of at most 500"),
}
BAD_ASSESSMENTS = {
    "sizes contradict ranges": ("t2 Q0 d4 30 500 5 5:20", "found rsize 30, expected 20"),
    "a range beyond the document": ("t2 Q0 d4 20 500 5 490:20", "500"),
    "a negative range": ("t2 Q0 d4 20 500 5 -5:20", "-5:20"),
}
BAD_MEASURES = {
    "AgPP": "unknown measure 'AgPP': did you mean AgP?",
    "AgP(F(bta=2))": "unknown parameter 'bta': did you mean beta?",
    "AgP(aveChp)": "unknown item score 'aveChp': did you mean aveChP?",
    "gP@0": "gP@0: the cut-off must be a rank between 1 and 10,000,000",
    "gP@1.5": "gP@1.5: the cut-off must be a rank",
    "iP@2": "iP@2: the cut-off must be a recall point between 0 and 1",
    "iP@-1": "iP@-1: the cut-off must be a recall point",
    "gP": "needs a cut-off: write",
    "AiP@10": "takes no cut-off",
    "AgP(F(beta=-1))": "beta must be a number above 0, got -1",
    "F": "F is a document score: write AgP(F)",
    "AgP(": "AgP(",
    "": "unknown measure ''",
}


def _add(file, line):
    added = line if isinstance(line, bytes) else line.encode()
    file.write_bytes(file.read_bytes() + added)


def expect_refused(done, *parts):
    assert done.code == 2, done
    assert done.out == ""
    assert "Traceback" not in done.err
    assert len(done.err.splitlines()) == 1
    for part in parts:
        assert part in done.err


@pytest.mark.parametrize("name", BAD_RUNS)
def test_bad_runs(spanwise, files, name):
    line, message = BAD_RUNS[name]
    _add(files / "documents.txt", line)
    done = spanwise("evaluate", "judgements.txt", "documents.txt", "-m", "AP")
    expect_refused(done, "documents.txt:4: ", message)


@pytest.mark.parametrize("name", BAD_JUDGEMENTS)
def test_bad_judgements(spanwise, files, name):
    line, message = BAD_JUDGEMENTS[name]
    _add(files / "judgements.txt", line)
    done = spanwise("evaluate", "judgements.txt", "documents.txt", "-m", "AP")
    expect_refused(done, "judgements.txt:4: ", message)


@pytest.mark.parametrize("name", BAD_RANGES)
def test_bad_ranges(spanwise, files, name):
    line, message = BAD_RANGES[name]
    _add(files / "first.fol", line)
    expect_refused(spanwise("evaluate", "qrels.txt", "first.fol"), "first.fol:4: ", message)


@pytest.mark.parametrize("name", BAD_ASSESSMENTS)
def test_bad_assessments(spanwise, files, name):
    line, message = BAD_ASSESSMENTS[name]
    _add(files / "qrels.txt", line)
    expect_refused(spanwise("evaluate", "qrels.txt", "first.fol"), "qrels.txt:4: ", message)


@pytest.mark.parametrize("name", BAD_MEASURES)
def test_bad_measures(spanwise, files, name):
    expect_refused(spanwise("evaluate", "qrels.txt", "first.fol", "-m", name), BAD_MEASURES[name])


def test_a_bad_measure_in_a_file_has_its_line(spanwise, files):
    (files / "measures.txt").write_text("AgP\n\nAgPP\n")
    done = spanwise("evaluate", "qrels.txt", "first.fol", "-m", "@measures.txt")
    expect_refused(done, "measures.txt:3: unknown measure 'AgPP'")


def test_truncated_compression(spanwise, files):
    packed = gzip.compress((files / "first.fol").read_bytes())
    (files / "run.gz").write_bytes(packed[: len(packed) // 2])
    expect_refused(
        spanwise("evaluate", "qrels.txt", "run.gz"), "run.gz: found damaged compressed data"
    )


def test_paths_that_are_no_files(spanwise, files):
    (files / "empty").mkdir()
    missing = "file not found"
    expect_refused(spanwise("evaluate", "nowhere.txt", "first.fol"), "nowhere.txt: ", missing)
    expect_refused(spanwise("evaluate", "qrels.txt", "first.fol", "nowhere"), "nowhere: ", missing)
    expect_refused(spanwise("evaluate", "qrels.txt", "empty"), "empty: found an empty folder")
    expect_refused(spanwise("evaluate", "empty", "first.fol"), "empty: found an empty folder")
    expect_refused(spanwise("evaluate", "qrels.txt", "first.fol", "-m", "@nowhere"), missing)
    expect_refused(spanwise("evaluate", "-", "-"), "only once")


@pytest.mark.parametrize(
    ("target", "message"),
    [
        ("nowhere/scores.tsv", "folder not found"),
        ("scores.xyz", "found the ending .xyz, expected one of"),
        ("scores", "found no ending"),
        ("folder.tsv", "is a folder"),
    ],
)
def test_outputs_that_cannot_be_written(spanwise, files, target, message):
    """They are refused before any work: the missing run is not even looked for."""
    (files / "folder.tsv").mkdir()
    expect_refused(
        spanwise("evaluate", "qrels.txt", "missing.fol", "--to", target), target, message
    )


def test_files_that_were_swapped(spanwise, files):
    expect_refused(
        spanwise("evaluate", "first.fol", "qrels.txt"), "first.fol:1: ", "swap the two files"
    )


def test_a_first_line_that_breaks_off_is_not_taken_for_assessments(spanwise, files):
    (files / "short.trec").write_text("t1 Q0 d1 1 2.5\n")
    (files / "whole.trec").write_text("t1 Q0 d1 1 2\n")
    for name in ("short.trec", "whole.trec"):
        expect_refused(spanwise("evaluate", "qrels.txt", name), f"{name}:1: found 5 columns")


def test_assessments_without_anything(spanwise, files):
    (files / "none.txt").write_text("")
    expect_refused(spanwise("evaluate", "none.txt", "first.fol"), "none.txt: found nothing")
    (files / "zero.txt").write_text("t1 0 d1 0\n")
    expect_refused(
        spanwise("evaluate", "zero.txt", "documents.txt"), "zero.txt", "no topic has relevant"
    )


def test_wrong_usage(spanwise, files):
    for words in (["evaluate"], ["evaluate", "qrels.txt"], ["evalute"], ["evaluate", "--nope"]):
        done = spanwise(*words)
        assert (done.code, done.out) == (2, "")
        assert "Traceback" not in done.err


# -- hostile files

DIGITS = "1" * 4301
HOSTILE = {
    "small.xml": (b"<x/>", "small.xml:1: found XML with the root <x>"),
    "deep.jsonl": (b"[" * 1000 + b"]" * 1000, "deep.jsonl:1: found "),
    "digits.jsonl": (b'{"topic": "t1", "rank": %s}' % DIGITS.encode(), "300 digits"),
    "utf16.txt": ("t1 Q0 d1 1 2.0 x".encode("utf-16"), "utf16.txt:1: found UTF-16 text"),
    "long.txt": (b"t1 Q0 d1 " + b"1" * 17_000_000, "long.txt:1: found a line of more than 16 MB"),
    "cut.parquet": (b"PAR1" + bytes(100), "cut.parquet: found a Parquet file that breaks off"),
    "topics.tsv": (b"t1\twho was first\n", "topics.tsv:1: found what looks like topics"),
}
COMMANDS = (
    ("evaluate", "qrels.txt", "{}"),
    ("evaluate", "{}", "first.fol"),
    ("compare", "qrels.txt", "first.fol", "{}"),
    ("explain", "qrels.txt", "{}", "--topic", "t1", "-m", "AgP"),
    ("convert", "{}", "out.jsonl"),
    ("gate", "qrels.txt", "{}", "--require", "AgP >= 0.1"),
    ("report", "qrels.txt", "{}", "--to", "out.html"),
    ("lab", "correlation", "qrels.txt", "first.fol", "second.fol", "{}"),
)


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_files(spanwise, files, name):
    content, message = HOSTILE[name]
    (files / name).write_bytes(content)
    for lenient in ([], ["--lenient"]):
        expect_refused(spanwise("evaluate", "qrels.txt", name, *lenient), message)
    checked = spanwise("check", name, "--as", "run")
    assert (checked.code, checked.err) == (2, "")
    assert message in checked.out


@pytest.mark.parametrize("words", COMMANDS, ids=" ".join)
def test_the_smallest_xml_in_every_command(spanwise, files, words):
    (files / "small.xml").write_bytes(b"<x/>")
    done = spanwise(*(word.format("small.xml") for word in words))
    expect_refused(done, "small.xml:1: found XML with the root <x>")


def test_limits_are_lifted_on_the_command_line(spanwise, files):
    name = "d" * 20_000
    (files / "long.txt").write_text(f"t1 Q0 {name} 1 2.0 long\nt2 Q0 d3 1 1.0 long\n")
    words = ("evaluate", "judgements.txt", "long.txt", "-m", "RR", "-o", "jsonl")
    expect_refused(spanwise(*words), "long.txt:1: found document 'ddd", "--no-limits")
    lifted = spanwise(*words, "--no-limits")
    assert (lifted.code, json.loads(lifted.out)["value"]) == (0, 0.5)
    assert spanwise("check", "long.txt", "--no-limits").code == 0


def test_hostile_names_are_escaped_but_in_data(spanwise, files):
    """What a terminal would obey and what would turn the text round is shown, never sent."""
    names = {"topic": "t\u202e1", "document": "d\x1b[2J7", "run": "r\u200b\x07"}
    row = {**names, "start": 0, "end": 5}
    judged = {key: row[key] for key in ("topic", "document", "start", "end")}
    (files / "run.jsonl").write_text(json.dumps({**row, "score": 1.0}))
    (files / "gold.jsonl").write_text(json.dumps(judged))
    evaluate = ("evaluate", "gold.jsonl", "run.jsonl", "-q")
    shown = [spanwise(*evaluate, "-o", output) for output in ("table", "markdown", "latex")]
    explain = ("explain", "gold.jsonl", "run.jsonl", "-m", "AgP", "--topic", names["topic"])
    shown.append(spanwise(*explain))
    shown.append(spanwise("check", "run.jsonl", "--assessments", "gold.jsonl"))
    (files / "run.jsonl").write_text(json.dumps({**row, "score": "\u202e"}))
    shown.append(spanwise("evaluate", "gold.jsonl", "run.jsonl"))
    for done in shown:
        assert all(line.isprintable() for line in (done.out + done.err).splitlines()), done
    assert "\\u202e" in shown[0].out
    assert "\\x1b[2J7" in shown[3].out
    (files / "run.jsonl").write_text(json.dumps({**row, "score": 1.0}))
    for output in ("jsonl", "json", "csv", "tsv"):
        exact = spanwise(*evaluate, "-o", output).out
        assert names["topic"] in exact or json.dumps(names["topic"])[1:-1] in exact


def test_a_pipe_is_read_and_a_folder_of_pipes_is_not_waited_for(spanwise, files):
    os.mkfifo(files / "pipe")
    with subprocess.Popen(["sh", "-c", "cat first.fol > pipe"], cwd=files):
        done = spanwise("evaluate", "qrels.txt", "pipe", "-o", "jsonl")
    assert (done.code, json.loads(done.out)["run"]) == (0, "first")
    expect_refused(
        spanwise("evaluate", "qrels.txt", "first.fol", "--collection", "a" * 300), "a" * 200
    )


# -- lenient


def test_lenient_runs_are_counted_and_marked(spanwise, files):
    _add(files / "first.fol", "t2 Q0 d9 2 0.1 first -5 10\nt2 Q0 d3 3 0.1 first 490 20\n")
    lenient = ("evaluate", "qrels.txt", "first.fol", "second.fol", "-m", "AgP", "--lenient")
    done = spanwise(*lenient, "-o", "jsonl")
    rows = {row["run"]: row for row in map(json.loads, done.out.splitlines())}
    assert rows["first"]["lenient"] is True
    assert "lenient" not in rows["second"]
    assert "note: first: 1 faulty line of first.fol (range 1) was dropped" in done.err
    mark = "lenient: faulty input was dropped or cut for first"
    assert spanwise(*lenient, "-o", "tsv").out.startswith(f"# {mark}\nrun\t")
    assert spanwise(*lenient, "-o", "csv").out.startswith(f"# {mark}\nrun,")
    assert spanwise(*lenient).out.startswith(f"{mark}\n")
    assert spanwise(*lenient, "-o", "markdown").out.startswith(f"> {mark}\n")
    assert f"\\emph{{{mark}}}" in spanwise(*lenient, "-o", "latex").out
    found = json.loads(spanwise(*lenient, "-o", "json").out)
    assert found["lenient"] is True
    assert [run["lenient"] for run in found["runs"]] == [True, False]


def test_lenient_assessments_mark_every_run(spanwise, files):
    _add(files / "qrels.txt", "t2 Q0 d4 30 500 5 5:20\n")
    done = spanwise("evaluate", "qrels.txt", "first.fol", "--lenient", "-o", "jsonl")
    assert json.loads(done.out)["lenient"] is True
    assert "qrels.txt: faulty lines were dropped or cut, by rule: rsize 1" in done.err


def test_lenience_that_was_not_needed_leaves_no_mark(spanwise, files):
    done = spanwise("evaluate", "qrels.txt", "first.fol", "--lenient", "-o", "jsonl")
    assert "lenient" not in done.out


# -- accepted


def _documents(spanwise, run, judgements="judgements.txt"):
    done = spanwise("evaluate", judgements, run, "-m", "RR", "-o", "tsv", "-q")
    assert done.code == 0, done.err
    values = {line.split("\t")[2]: line.split("\t")[3] for line in done.out.splitlines()[1:]}
    return values, done.err


def test_a_byte_order_mark_and_other_harmless_things(spanwise, files):
    for name in ("documents.txt", "judgements.txt"):
        text = (files / name).read_text().replace("\n", "\r\n").replace(" ", " \t ")
        (files / f"odd-{name}").write_bytes(b"\xef\xbb\xbf# a comment\r\n\r\n" + text.encode())
    values, notes = _documents(spanwise, "odd-documents.txt", "odd-judgements.txt")
    assert values == {"t1": "1.0", "t2": "1.0", "all": "1.0"}
    assert notes == ""


def test_infinite_scores_have_their_place(spanwise, files):
    _add(files / "documents.txt", "t1 Q0 d8 9 inf whole\nt2 Q0 d8 9 -inf whole\n")
    values, _ = _documents(spanwise, "documents.txt")
    assert values == {"t1": "0.5", "t2": "1.0", "all": "0.75"}


def test_an_empty_run_scores_nothing(spanwise, files):
    (files / "empty.txt").write_text("")
    values, notes = _documents(spanwise, "empty.txt")
    assert values == {"t1": "0.0", "t2": "0.0", "all": "0.0"}
    assert "the run has no answers" in notes


def test_missing_and_unknown_topics(spanwise, files):
    (files / "some.txt").write_text("t1 Q0 d1 1 2.0 some\nt9 Q0 d1 1 2.0 some\n")
    values, notes = _documents(spanwise, "some.txt")
    assert values == {"t1": "1.0", "t2": "0.0", "all": "0.5"}
    assert "1 topic is missing from the run; scored 0 (t2)" in notes
    assert "1 topic of the run is not in the assessments; ignored (t9)" in notes


def test_rank_against_score(spanwise, files):
    (files / "odd.txt").write_text("t1 Q0 d1 2 2.0 odd\nt1 Q0 d2 1 1.0 odd\nt2 Q0 d3 1 1 odd\n")
    values, notes = _documents(spanwise, "odd.txt")
    assert values["t1"] == "1.0"
    assert "1 answer has a rank or score that contradicts the order; the score" in notes
