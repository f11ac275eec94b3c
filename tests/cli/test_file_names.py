"""A file name that is not UTF-8 is legal: it is read, written, and shown escaped."""

from __future__ import annotations

import io
import json
import os

import polars
import pytest

from spanwise.cli.main import main

BAD = os.fsdecode(b"caf\xe9.fol")
SHOWN = r"caf\xe9"


@pytest.fixture
def command(files, monkeypatch, capfdbinary):
    """Run a command in this process; what it says is UTF-8."""
    monkeypatch.chdir(files)
    (files / BAD).write_bytes((files / "first.fol").read_bytes())

    def run(*words):
        with pytest.raises(SystemExit) as end:
            main(list(words))
        out, err = capfdbinary.readouterr()
        return end.value.code, out.decode(), err.decode()

    return run


EVALUATE = ("evaluate", "qrels.txt", BAD, "-m", "AgP", "--run-name", "file", "--quiet")
WRITTEN = {
    "table": SHOWN,
    "tsv": SHOWN,
    "csv": SHOWN,
    "jsonl": r"caf\\xe9",
    "json": r"caf\\xe9.fol",
    "markdown": r"caf\\xe9",
    "latex": r"caf\textbackslash{}xe9",
}


@pytest.mark.parametrize(("output", "shown"), WRITTEN.items(), ids=WRITTEN)
def test_the_name_of_a_run(command, output, shown):
    code, out, err = command(*EVALUATE, "-o", output)
    assert (code, err) == (0, "")
    assert shown in out
    if output == "json":
        assert json.loads(out)["rows"][0]["run"] == SHOWN


def test_the_name_of_a_run_in_files(command, files):
    assert command(*EVALUATE, "--to", "scores.parquet")[0] == 0
    content = io.BytesIO((files / "scores.parquet").read_bytes())
    assert polars.read_parquet(content)["run"].to_list() == [SHOWN]
    words = ("report", "qrels.txt", BAD, "--run-name", "file", "--to", "report.html", "--quiet")
    assert command(*words) == (0, "", "")
    page = (files / "report.html").read_text()
    assert page.count(SHOWN) > 1
    assert rf"{SHOWN}.fol" in page
    assert "\N{REPLACEMENT CHARACTER}" not in page


def test_the_name_of_an_output(command, files):
    to = os.fsdecode(b"scores\xff.csv")
    assert command(*EVALUATE, "--to", to) == (0, "", "")
    assert SHOWN in (files / to).read_text()
    copy = os.fsdecode(b"demo\xff")
    code, out, err = command("demo", "--copy", copy)
    assert (code, err) == (0, "")
    assert r"files are in demo\xff." in out
    assert (files / copy / "topics.jsonl").exists()


@pytest.mark.parametrize("ending", ["jsonl", "csv", "parquet", "trec.gz"])
def test_every_format_is_read(command, files, ending):
    name = os.fsdecode(b"\xff.") + ending
    code, _, err = command("convert", "first.fol", name, "--quiet")
    assert code == 0, err
    code, out, err = command("check", name)
    assert code == 0, err
    assert out.startswith(rf"\xff.{ending}")


def test_messages(command, files):
    missing = os.fsdecode(b"no\xff")
    code, out, err = command("evaluate", "qrels.txt", missing)
    assert (code, out) == (2, "")
    assert err.startswith(r"no\xff: ")
    code, _, err = command("evaluate", "qrels.txt", "first.fol", "--to", f"{missing}/x.csv")
    assert (code, r"no\xff/x.csv: folder not found" in err) == (2, True)
    (files / missing).write_text("t1 Q0 d1 1 2.0\n")
    assert r"no\xff:1: found 5 columns" in command("evaluate", "qrels.txt", missing)[2]


def test_documents(command, files):
    folder = files / os.fsdecode(b"docs\xff")
    folder.mkdir()
    (folder / os.fsdecode(b"\xe9.txt")).write_text("text")
    built = os.fsdecode(b"built\xff")
    assert command("collection", "build", folder.name, "-o", built)[0] == 0
    for collection in (folder.name, built):
        assert command("collection", "text", collection, r"\xe9") == (0, "text", "")
        code, out, _ = command("collection", "info", collection, "-o", "json")
        assert (code, json.loads(out)["documents"]) == (0, 1)
    polars.DataFrame({"document": ["d"], "text": ["text"]}).write_parquet(files / "docs.parquet")
    table = (files / "docs.parquet").rename(files / os.fsdecode(b"\xff.parquet"))
    assert command("collection", "text", table.name, "d") == (0, "text", "")
