"""Input that is odd but not malformed: nothing is lost or guessed without a word."""

import json
import os
import subprocess

import pytest

from spanwise import SpanwiseError, evaluate

SUBMISSION = """<inex-submission run-id="r">
<topic topic-id="t1">
<result><file>d1</file><fol offset="0" length="100"/></result>
<{0}><file>d2</file><fol offset="10" length="50"/></{0}>
</topic>
</inex-submission>
"""


def refused(done):
    assert (done.code, done.out) == (2, ""), (done.out, done.err)
    return done.err


@pytest.mark.parametrize("name", ["reslt", "Result", "file"])
def test_a_misspelled_result_is_not_lost(spanwise, files, name):
    (files / "run.xml").write_text(SUBMISSION.format("result"))
    assert spanwise("evaluate", "qrels.txt", "run.xml").code == 0
    (files / "run.xml").write_text(SUBMISSION.format(name))
    assert f"<{name}> in a topic, expected <result>" in refused(
        spanwise("evaluate", "qrels.txt", "run.xml")
    )
    (files / "run.xml").write_text(SUBMISSION.format(name).replace("result>", f"{name}>"))
    assert "in a topic" in refused(spanwise("evaluate", "qrels.txt", "run.xml"))


def test_a_row_whose_range_is_not_that_of_its_chunk_is_refused(spanwise, files):
    row = {"topic": "t1", "document": "d1", "chunk": "c", "start": 0, "end": 5, "rank": 1}
    (files / "run.jsonl").write_text(json.dumps(row))
    chunk = {"document": "d1", "chunk": "c", "start": 0, "end": 5}
    (files / "chunks.jsonl").write_text(json.dumps(chunk))
    words = ("evaluate", "qrels.txt", "run.jsonl", "--chunks", "chunks.jsonl")
    assert spanwise(*words).code == 0
    (files / "chunks.jsonl").write_text(json.dumps({**chunk, "end": 9}))
    assert "the range that the table of chunks has for it" in refused(spanwise(*words))


def test_a_range_that_is_relevant_and_not_relevant_is_noted(spanwise, files):
    row = {"topic": "t1", "document": "d1", "start": 0, "end": 5}
    rows = [{**row, "grade": 0}, {**row, "grade": 1}]
    (files / "gold.jsonl").write_text("\n".join(map(json.dumps, rows)))
    said = "1 range is judged relevant and not relevant; counted as relevant"
    assert said in spanwise("evaluate", "gold.jsonl", "first.fol").err
    assert said in spanwise("check", "gold.jsonl").out


def test_entry_points_beyond_their_documents_are_noted(spanwise, files):
    (files / "gold.txt").write_text("t1 Q0 d1 100 1000 5000 0:100\n")
    done = spanwise("evaluate", "gold.txt", "first.fol", "-m", "AgP")
    assert done.code == 0
    assert "1 best entry point is beyond the end of its document (such as 5000 in" in done.err
    assert "beyond the end of its document" in spanwise("check", "gold.txt").out


@pytest.mark.parametrize("names", [("-", "/dev/stdin"), ("/dev/stdin", "/dev/fd/0")])
def test_standard_input_is_read_once_under_whatever_name(spanwise, files, names):
    done = spanwise("evaluate", *names, stdin="t1 Q0 d1 100 1000 0 0:100\n")
    assert "can be read only once" in refused(done)


@pytest.mark.parametrize(
    "measure",
    ["AgP(F(beta=1e308))", "textR@99999999999999999999", "textR(budget=1e30)", "ANCE@1e20"],
)
def test_parameters_beyond_reason_are_refused(spanwise, files, measure):
    assert " must be " in refused(spanwise("evaluate", "qrels.txt", "first.fol", "-m", measure))


def test_an_empty_file_is_not_a_collection(spanwise, files):
    (files / "none").write_bytes(b"")
    done = spanwise("evaluate", "qrels.txt", "first.fol", "--collection", "none")
    assert "none: found an empty file, expected documents" in refused(done)


def test_blank_lines_without_end_are_refused(spanwise, files):
    (files / "blank").write_bytes(b"\n" * 1_000_002)
    done = spanwise("evaluate", "qrels.txt", "blank")
    assert "more than 1,000,000 blank lines" in refused(done)


def test_an_empty_run_is_a_run_beside_assessments(spanwise, files):
    (files / "empty.jsonl").write_bytes(b"")
    done = spanwise("check", "empty.jsonl", "--assessments", "qrels.txt")
    assert done.code == 0
    assert "the run has no answers" in done.out


@pytest.mark.parametrize("measures", [None, 5, object()])
def test_measures_that_are_none(measures):
    with pytest.raises(SpanwiseError, match="measures must be a name or a list of names"):
        evaluate({"q": {"d": [(0, 5)]}}, {"q": {"d": [(0, 5)]}}, measures)


def test_thousands_of_unknown_fields_are_counted(spanwise, files):
    row = {"topic": "t1", "document": "d1", "rank": 1, "x" * 10**6: 1}
    row |= {f"field{number}": 1 for number in range(100)}
    (files / "run.jsonl").write_text(json.dumps(row))
    done = spanwise("evaluate", "qrels.txt", "run.jsonl", "-m", "AP")
    assert done.code == 0
    assert len(done.err) < 5000
    assert "81 further fields are ignored" in done.err


# -- files


def test_a_pipe_that_is_read_is_not_written_to(spanwise, files):
    os.mkfifo(files / "pipe")
    with subprocess.Popen(["sh", "-c", "cat first.fol > pipe"], cwd=files) as writer:
        done = spanwise("evaluate", "qrels.txt", "pipe", "--to", "pipe")
        writer.kill()
    assert "pipe is read by this command" in refused(done)


def test_nothing_is_written_if_a_device_refuses(spanwise, files):
    rule = ("--require", "textP >= 0", "--summary", "s.md", "--junit", "/dev/full")
    refused(spanwise("gate", "qrels.txt", "first.fol", *rule))
    assert not (files / "s.md").exists()


@pytest.mark.parametrize("charts", ["", "n.html"])
def test_charts_need_a_folder_of_their_own(spanwise, files, charts):
    words = ("report", "qrels.txt", "first.fol", "second.fol", "--to", "n.html")
    assert "--charts" in refused(spanwise(*words, "--charts", charts))
    assert not (files / "n.html").exists()
