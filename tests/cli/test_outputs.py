"""No output takes the place of an input, or of another output of the same call."""

from __future__ import annotations

import os

import pytest

from spanwise.cli.main import main


@pytest.fixture
def command(files, monkeypatch, capfd):
    """Run a command in this process, in the folder of the files."""
    monkeypatch.chdir(files)

    def run(*words):
        with pytest.raises(SystemExit) as end:
            main([str(word) for word in words])
        out, err = capfd.readouterr()
        return end.value.code, out, err

    return run


@pytest.fixture
def inputs(files):
    """Something of every kind that a command reads."""
    (files / "docs").mkdir()
    for name in ("d1", "d2", "d3"):
        (files / "docs" / f"{name}.txt").write_text("x" * 1000)
    (files / "measures.txt").write_text("AgP\n")
    (files / "topics.txt").write_text("t1\nt2\n")
    (files / "chunks.jsonl").write_text("")
    (files / "groups.txt").write_text("t1 a\nt2 b\n")
    os.link(files / "qrels.txt", files / "hard.csv")
    (files / "link.csv").symlink_to("first.fol")
    (files / "linked").symlink_to("docs")
    return files


EVALUATE = ("evaluate", "qrels.txt", "first.fol", "-o", "csv")
REPLACING = {
    "the assessments": (*EVALUATE, "--to", "qrels.txt"),
    "another spelling": (*EVALUATE, "--to", "./docs/../qrels.txt"),
    "a hard link": (*EVALUATE, "--to", "hard.csv"),
    "a symbolic link": (*EVALUATE, "--to", "link.csv"),
    "a list of measures": (*EVALUATE, "-m", "@measures.txt", "--to", "measures.txt"),
    "a list of topics": (*EVALUATE, "--topics", "topics.txt", "--to", "topics.txt"),
    "a table of chunks": (*EVALUATE, "--chunks", "chunks.jsonl", "--to", "chunks.jsonl"),
    "a document": (*EVALUATE, "--collection", "docs", "--to", "docs/d1.txt"),
    "a document behind a link": (*EVALUATE, "--collection", "linked", "--to", "docs/d1.txt"),
    "a collection in a folder": (*EVALUATE, "--collection", ".", "--to", "measures.txt"),
    "compare": ("compare", *EVALUATE[1:], "--groups", "groups.txt", "--to", "groups.txt"),
    "convert": ("convert", "first.fol", "first.fol"),
    "convert with documents": ("convert", "first.fol", "docs/d1.txt", "--to", "jsonl")
    + ("--collection", "docs"),
    "report": ("report", "qrels.txt", "first.fol", "--to", "first.fol"),
    "summary": ("gate", "qrels.txt", "first.fol", "--require", "AgP > 0", "--summary", "first.fol"),
    "junit": ("gate", "qrels.txt", "first.fol", "--baseline", "second.fol")
    + ("--fail-if", "AgP < 0", "--junit", "second.fol"),
    "lab": ("lab", "assessors", "qrels.txt", "first.fol", "second.fol", "--other", "hard.csv")
    + ("--to", "hard.csv"),
    "build": ("collection", "build", "docs/d1.txt", "-o", "docs/d1.txt", "--force"),
    "build in a folder": ("collection", "build", "docs", "-o", "docs/d1.txt", "--force"),
    "build through a link": ("collection", "build", "linked", "-o", "docs/d1.txt", "--force"),
}


@pytest.mark.parametrize("words", REPLACING.values(), ids=REPLACING)
def test_no_input_is_replaced(command, inputs, words):
    before = {path: path.read_bytes() for path in inputs.rglob("*") if path.is_file()}
    code, out, err = command(*words)
    assert (code, out) == (2, "")
    assert "read" in err
    assert "; name " in err
    assert {path: path.read_bytes() for path in inputs.rglob("*") if path.is_file()} == before


def test_charts_replace_no_input(command, inputs):
    """The names of charts are known late, but all before the first is written."""
    words = ("report", "qrels.txt", "first.fol", "second.fol", "--to", "report.html")
    assert command(*words, "--charts", "charts")[0] == 0
    drawn = sorted((inputs / "charts").iterdir())
    assert len(drawn) > 1
    content = (inputs / "second.fol").read_bytes()
    drawn[-1].unlink()
    os.link(inputs / "second.fol", drawn[-1])
    for path in (*drawn[:-1], inputs / "report.html"):
        path.write_text("old")
    code, _, err = command(*words, "--charts", "charts")
    assert code == 2
    assert f"{drawn[-1].name} is read by this command under the name second.fol" in err
    assert drawn[-1].read_bytes() == content
    assert {path.read_text() for path in (*drawn[:-1], inputs / "report.html")} == {"old"}


def test_standard_input_is_an_input_too(start, files):
    import subprocess

    with (files / "first.fol").open("rb") as stream:
        words = ("convert", "-", "first.fol")
        process = start(*words, stdin=stream, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        out, err = process.communicate(timeout=60)
    assert (process.returncode, out) == (2, b"")
    assert b"first.fol is read by this command under the name -" in err


TWICE = {
    "one name": ("gate.txt", "gate.txt"),
    "two spellings": ("gate.txt", "./gate.txt"),
    "a link": ("gate.txt", "link.txt"),
    "a hard link": ("old.txt", "hard.txt"),
}


@pytest.mark.parametrize("names", TWICE.values(), ids=TWICE)
def test_two_outputs_are_two_files(command, files, names):
    (files / "link.txt").symlink_to("gate.txt")
    (files / "old.txt").write_text("old")
    os.link(files / "old.txt", files / "hard.txt")
    words = ("gate", "qrels.txt", "first.fol", "--require", "AgP > 0")
    code, out, err = command(*words, "--summary", names[0], "--junit", names[1])
    assert (code, out) == (2, "")
    assert "cannot hold two outputs" in err
    assert not (files / "gate.txt").exists()
    assert (files / "old.txt").read_text() == "old"
    assert command(*words, "--summary", "/dev/null", "--junit", "/dev/null")[0] == 0


def test_what_is_no_input_may_be_replaced(command, inputs):
    """An older output, a new file in a folder that is read, a title that is the name of a file."""
    (inputs / "old.csv").write_text("old")
    assert command(*EVALUATE, "--to", "old.csv")[0] == 0
    assert "first,AgP" in (inputs / "old.csv").read_text()
    assert command(*EVALUATE, "--collection", "docs", "--to", "docs/new.csv")[0] == 0
    words = ("report", "qrels.txt", "first.fol", "--to", "report.html", "--title", "report.html")
    assert [command(*words)[0] for _ in range(2)] == [0, 0]


def test_a_collection_may_lie_among_its_documents(command, inputs):
    words = ("collection", "build", "docs", "-o", "docs/all.collection")
    assert [command(*words)[0] for _ in range(2)] == [0, 0]
    assert command(*words, "--force")[0] == 0


def test_folders_of_charts(command, inputs):
    words = ("report", "qrels.txt", "first.fol", "--to", "report.html", "--charts")
    for charts in ("first.fol", "first.fol/charts"):
        assert f"{charts} is not a folder" in command(*words, charts)[2]
    assert not (inputs / "report.html").exists()
