"""The files of a report: what may be written, what a page says about where it comes from."""

from __future__ import annotations

import json
import re
import shlex
import subprocess
import time
from pathlib import Path
from typing import Any

import pytest
from lxml import html

import spanwise
from spanwise.cli.main import command_line
from spanwise.errors import OutputError, SpanwiseError
from spanwise.reporting import paper
from spanwise.reporting.file_names import file_names, without_folders
from spanwise.reporting.output import Input, Output
from spanwise.reporting.sections import Report
from spanwise.reporting.topic_failures import TopicFailures

DATE = "2026-11-16"


def command(*words: object) -> None:
    given = ["report", *map(str, words), "--resamples", "200"]
    command_line.main(given, standalone_mode=False)


def settings(page: Path) -> dict[str, Any]:
    """The settings of the page as it tells them."""
    root = html.fromstring(page.read_bytes())
    [link] = root.xpath("//a[@download='scores.json']")
    from urllib.parse import unquote

    found: dict[str, Any] = json.loads(unquote(link.get("href").partition(",")[2]))["settings"]
    return found


# -- endings


@pytest.mark.parametrize("name", ["report.md", "report.json", "report", "report.docx"])
def test_a_report_is_a_page(files, name):
    with pytest.raises(OutputError) as refused:
        command("qrels.txt", "first.fol", "--to", name)
    assert "expected .html or .pdf" in refused.value.said("command line")
    assert not (files / name).exists()


def test_a_pdf_without_a_browser_is_refused_before_any_work(files, monkeypatch):
    monkeypatch.setattr(paper, "browser", lambda: None)
    with pytest.raises(OutputError) as refused:
        command("nothing.txt", "first.fol", "--to", "report.pdf")
    assert "install chromium" in refused.value.said("command line")
    made = spanwise.report("qrels.txt", "first.fol", run_format="fol", resamples=200)
    with pytest.raises(OutputError, match="install chromium"):
        made.save("report.pdf")
    assert not (files / "report.pdf").exists()


@pytest.mark.skipif(paper.browser() is None, reason="no Chromium")
def test_a_pdf_is_printed(files, capsys):
    command("qrels.txt", "first.fol", "second.fol", "--to", "report.pdf")
    assert (files / "report.pdf").read_bytes().startswith(b"%PDF")
    said = capsys.readouterr()
    assert re.search(r"^report\.pdf: \d+ kB; open it in a PDF reader$", said.err, re.MULTILINE)
    assert said.out == ""
    assert sorted(path.suffix for path in files.iterdir()) == [".fol", ".fol", ".pdf", ".txt"]


def script(folder: Path, content: str) -> str:
    """A program in place of a browser."""
    place = folder / "browser"
    place.write_text(f"#!/bin/sh\n{content}\n")
    place.chmod(0o755)
    return str(place)


@pytest.mark.parametrize(
    ("content", "said"),
    [("exit 1", "has printed no PDF"), ("sleep 60 & wait", "took more than 0.2 seconds")],
)
def test_a_browser_that_fails_leaves_what_was_there(files, monkeypatch, content, said):
    program = script(files, content)
    monkeypatch.setattr(paper, "browser", lambda: program)
    monkeypatch.setattr(paper, "SECONDS", 0.2)
    (files / "report.pdf").write_text("old")
    with pytest.raises(OutputError, match=said):
        command("qrels.txt", "first.fol", "--to", "report.pdf", "--quiet")
    assert (files / "report.pdf").read_text() == "old"


def test_a_browser_reads_a_file_and_reaches_nothing_else(files, monkeypatch):
    program = script(files, f'echo "$@" > {files}/words\nexit 1')
    monkeypatch.setattr(paper, "browser", lambda: program)
    with pytest.raises(OutputError):
        paper.printed(b"<p>", "report.pdf")
    words = (files / "words").read_text()
    assert "--host-resolver-rules=MAP * ~NOTFOUND" in words
    assert "--proxy-server=127.0.0.1:9" in words
    assert words.split()[-1].startswith("file:///")
    assert ("--no-sandbox" in words) == (paper.os.geteuid() == 0)


def test_a_browser_that_cannot_run(files, monkeypatch):
    (files / "broken").write_text("")
    monkeypatch.setattr(paper, "browser", lambda: str(files / "broken"))
    with pytest.raises(OutputError, match="cannot be run"):
        paper.printed(b"<p>", "report.pdf")


def test_browsers_of_playwright_are_found(tmp_path, monkeypatch):
    place = tmp_path / "chromium-1200" / "chrome-linux64" / "chrome"
    place.parent.mkdir(parents=True)
    place.write_text("")
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr(paper, "_APPLICATIONS", ())
    monkeypatch.setenv("PLAYWRIGHT_BROWSERS_PATH", str(tmp_path))
    assert paper.browser() == str(place)
    monkeypatch.setenv("PLAYWRIGHT_BROWSERS_PATH", str(tmp_path / "nothing"))
    assert paper.browser() is None


# -- what is said when it is there


def test_success_is_one_line(files, capsys):
    command("qrels.txt", "first.fol", "second.fol", "--to", "./report.html", "-m", "AgP")
    said = capsys.readouterr()
    size = round((files / "report.html").stat().st_size / 1000)
    assert said.err.splitlines()[-1] == f"./report.html: {size} kB; open it in a browser"
    assert said.out == ""
    command("qrels.txt", "first.fol", "--to", "report.html", "--quiet")
    assert capsys.readouterr().err == ""


# -- names of files


def test_no_folder_is_told(files, tmp_path_factory):
    other = tmp_path_factory.mktemp("elsewhere")
    for name in ("qrels.txt", "second.fol"):
        (other / name).write_bytes((files / name).read_bytes())
    lengths = [{"document": f"d{n}", "length": 5000} for n in range(10)]
    (other / "docs.jsonl").write_text("".join(json.dumps(row) + "\n" for row in lengths))
    chapter = Output(
        *("lab topics", "Topics"),
        parts=("Yes.",),
        settings={"collection": str(other / "docs.jsonl")},
        inputs=(Input("run", str(other / "second.fol"), "0" * 64),),
        chapter=True,
    )
    collection = other / "docs.jsonl"
    words = ("--collection", collection, "--charts", other / "charts", "--date", DATE)
    command(other / "qrels.txt", files / "first.fol", other / "second.fol", *words,
            "--to", other / "report.html")  # fmt: skip
    made = spanwise.report(
        other / "qrels.txt", [files / "first.fol", other / "second.fol"],
        collection=collection, chapters=[chapter], resamples=200,
    )  # fmt: skip
    made.save(other / "made.html")
    for page in ("report.html", "made.html"):
        content = (other / page).read_text()
        assert str(files) not in content
        assert str(other) not in content
        assert "second.fol" in content
        assert "docs.jsonl" in content


def test_files_of_one_name_are_told_apart(files):
    for folder in ("old", "new"):
        (files / folder).mkdir()
        (files / folder / "run.fol").write_text((files / "first.fol").read_text())
    made = spanwise.report(
        "qrels.txt", {"old": files / "old" / "run.fol", "new": files / "new" / "run.fol"},
        run_format="fol", resamples=200,
    )  # fmt: skip
    names = [one.file for one in made.whole().output.inputs]
    assert names == ["qrels.txt", "old/run.fol", "new/run.fol"]


def test_names_with_as_many_folders_as_needed():
    assert file_names([]) == {}
    assert file_names(["/a/x/r.txt", "b/x/r.txt", "../q.txt"]) == {
        "/a/x/r.txt": "a/x/r.txt",
        "b/x/r.txt": "b/x/r.txt",
        "../q.txt": "q.txt",
    }
    assert file_names(["/r.txt", "r.txt"]) == {"/r.txt": "r.txt", "r.txt": "r.txt"}


def test_settings_and_notes_name_files_without_their_folders():
    from spanwise.data.notes import Note

    output = Output(
        "report",
        settings={"chunks": ["/home/me/small.jsonl"], "groups": {"file": "/home/me/g.txt"}},
        notes=(Note("remark", detail="/home/me/small.jsonl: 3 chunks", about="/home/me/q.txt"),),
    )
    found = without_folders(output, ["/home/me/q.txt"])
    assert found.settings == {"chunks": ["small.jsonl"], "groups": {"file": "g.txt"}}
    assert str(found.notes[0]) == "q.txt: small.jsonl: 3 chunks"


# -- what is needed to repeat it


def test_the_command_is_told_and_can_be_repeated(files):
    (files / "my run.fol").write_bytes((files / "first.fol").read_bytes())
    (files / "measures.txt").write_text("AgP\n")
    command(
        *("qrels.txt", files / "my run.fol", "second.fol", "-m", f"@{files}/measures.txt"),
        *("-m", "textR@5", "--title", "a/b c", "--to", files / "report.html", "--date", DATE),
        *("--no-limits", "--lenient"),
    )
    told = settings(files / "report.html")["command"]
    assert told == (
        "spanwise report qrels.txt 'my run.fol' second.fol --measure @measures.txt --measure"
        " textR@5 --to report.html --title 'a/b c' --resamples 200 --date 2026-11-16 --lenient"
        " --no-limits"
    )
    first = (files / "report.html").read_bytes()
    command_line.main(shlex.split(told)[1:], standalone_mode=False)
    again = (files / "report.html").read_bytes()
    assert again == first


def test_the_date_is_the_one_that_was_given(files, monkeypatch):
    words = ("qrels.txt", "first.fol", "--to", "report.html", "--quiet")
    command(*words, "--date", DATE)
    assert settings(files / "report.html")["date"] == DATE
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1700000000")
    command(*words)
    assert settings(files / "report.html")["date"] == "2023-11-14"
    command(*words, "--date", DATE)
    assert settings(files / "report.html")["date"] == DATE
    with pytest.raises(SpanwiseError, match=r"date must be a day such as 2026-11-16, got '1\.2'"):
        command(*words, "--date", "1.2")


# -- texts and thresholds


@pytest.mark.parametrize("given", [True, False])
def test_all_texts_are_asked_for(files, monkeypatch, given):
    asked = []

    def page(report: object, look: object, *, all_texts: bool = False) -> str:
        asked.append(all_texts)
        return "<!doctype html>"

    monkeypatch.setattr("spanwise.reporting.render.html.report_page", page)
    words = ["--all-texts"] if given else []
    command("qrels.txt", "first.fol", "--to", "report.html", *words)
    made = spanwise.report("qrels.txt", "first.fol", run_format="fol", all_texts=given)
    made.save("report.html")
    spanwise.report("qrels.txt", "first.fol", run_format="fol").save("r.html", all_texts=given)
    assert asked == [given] * 3


def test_thresholds_are_settings(files):
    words = ("--cutoff", 3, "--late", 4, "--incomplete", 0.25, "--noisy", 0.2)
    command("qrels.txt", "first.fol", "--to", "report.html", *words)
    found = settings(files / "report.html")["thresholds"]
    assert [found[name] for name in ("cutoff", "late", "incomplete", "noisy")] == [3, 4, 0.25, 0.2]
    with pytest.raises(SpanwiseError, match="late must be a whole number between 1 and 1,000"):
        spanwise.report("qrels.txt", "first.fol", run_format="fol", late=0)
    with pytest.raises(SpanwiseError, match="noisy must be between 0 and 1, got 2"):
        spanwise.report("qrels.txt", "first.fol", run_format="fol", noisy=2)


def test_the_command_has_the_thresholds_of_the_library(files):
    from spanwise.evaluation.diagnosis import Thresholds
    from spanwise.records import asdict

    command("qrels.txt", "first.fol", "--to", "report.html")
    found = settings(files / "report.html")
    assert found["thresholds"] == asdict(Thresholds())


def test_nothing_of_a_timed_out_browser_stays(files, monkeypatch):
    program = script(files, f"sleep 7654 & echo $! > {files}/child; wait")
    monkeypatch.setattr(paper, "browser", lambda: program)
    monkeypatch.setattr(paper, "SECONDS", 0.5)
    with pytest.raises(OutputError, match="took more than"):
        paper.printed(b"<p>", "report.pdf")
    child = (files / "child").read_text().strip()
    for _ in range(100):
        listed = ["ps", "-o", "stat=", "-p", child]
        state = subprocess.run(listed, capture_output=True, text=True, check=False).stdout.strip()
        if not state or state.startswith("Z"):
            return
        time.sleep(0.1)
    pytest.fail(f"a process of the browser goes on: {state}")


@pytest.mark.parametrize("given", [True, False])
def test_all_texts_and_strips_are_made(files, monkeypatch, given):
    """By the command, by the function, and by a page that is saved with them later."""
    made = []

    def page(report: Report, look: object, *, all_texts: bool = False) -> str:
        (failures,) = report.sections[0].items
        assert isinstance(failures, TopicFailures)
        drawn = sum(any(one.strips for one in topic.lists) for topic in failures.topics)
        made.append((failures.with_texts, drawn, failures.left_out == ""))
        return "<!doctype html>"

    monkeypatch.setattr("spanwise.reporting.render.html.report_page", page)
    monkeypatch.setattr("spanwise.reporting.report_failures.MOST_TEXT", 1)
    (files / "docs").mkdir()
    for name in ("d1", "d2", "d3", "d4"):
        (files / "docs" / f"{name}.txt").write_text("A bell was cast here. " * 50)
    words = ("qrels.txt", "first.fol", "--collection", "docs", "--strips", "4")
    command(*words, "--to", "report.html", *(["--all-texts"] if given else []))
    settings = {"run_format": "fol", "collection": "docs", "strips": 4}
    spanwise.report("qrels.txt", "first.fol", **settings, all_texts=given).save("r.html")
    spanwise.report("qrels.txt", "first.fol", **settings).save("r.html", all_texts=given)
    assert made == [(3, 3, True) if given else (1, 1, False)] * 3
