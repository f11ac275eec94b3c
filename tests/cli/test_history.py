"""``evaluate --append`` and ``report --history``: means that are kept, and their trend."""

from __future__ import annotations

import gzip
import json
import os
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from lxml import html

from spanwise.errors import InputError, OutputError
from spanwise.formats import destination
from spanwise.formats.outputs import Outputs
from spanwise.formats.source import Source
from spanwise.measures.grammar import asked
from spanwise.reporting.history import Entry, history_lines, read_history
from spanwise.reporting.render.html.charts import line_chart
from spanwise.reporting.report_trend import trend_items

EVALUATE = ("evaluate", "qrels.txt", "first.fol", "second.fol", "-m", "textP", "-m", "textR")
APPEND = (*EVALUATE, "--append", "history.jsonl")
DAY = 86_400


def entry(day: int, run: str = "a", value: float = 0.5, **more: object) -> Entry:
    made = {"measure": "textP", "canonical": "textP", "topics": 2, **more}
    return Entry(time=f"2026-01-{day:02}T00:00:00Z", run=run, value=value, **made)


def test_each_run_and_measure_is_a_line(spanwise, files):
    done = spanwise(*APPEND, "--label", "v1", "--quiet", SOURCE_DATE_EPOCH="0")
    assert (done.code, done.err) == (0, "")
    lines = [json.loads(line) for line in (files / "history.jsonl").read_text().splitlines()]
    assert [(line["run"], line["measure"]) for line in lines] == [
        (run, measure) for run in ("first", "second") for measure in ("textP", "textR")
    ]
    first = lines[0]
    assert (first["time"], first["label"], first["topics"]) == ("1970-01-01T00:00:00Z", "v1", 2)
    assert len(first["assessments"]) == 64
    means = spanwise(*EVALUATE, "-o", "jsonl", "--quiet").out.splitlines()
    assert [line["value"] for line in lines] == [json.loads(mean)["value"] for mean in means]


def test_lines_are_added_to_those_before(spanwise, files):
    before = None
    for time in (0, DAY):
        assert spanwise(*APPEND, SOURCE_DATE_EPOCH=str(time)).code == 0
        found = (files / "history.jsonl").read_bytes()
        assert before is None or found.startswith(before)
        before = found
    assert len(read_history(Source.at(files / "history.jsonl"))) == 8


def test_the_time_is_that_of_now_in_utc(spanwise, files):
    assert spanwise(*APPEND).code == 0
    [time] = {one.time for one in read_history(Source.at(files / "history.jsonl"))}
    assert (time[0], time[-1]) == ("2", "Z")


@pytest.mark.parametrize(
    ("damage", "line"),
    [
        (b"{\n", 5),
        (b'{"time": "2026-01-01T00:00:00Z"}\n', 5),
        (b"[]\n", 5),
        (b'{"time', 5),
        (history_lines([entry(1)]).replace(b"2026-01-01", b"2026-13-01"), 5),
        (history_lines([entry(1)]).replace(b"0.5", b"1e301"), 5),
        (history_lines([entry(1)]).replace(b'"run"', b'"ran"'), 5),
        (history_lines([entry(1)])[:-1], 5),
        (b"\xff\n", 5),
    ],
)
def test_a_damaged_history_is_refused_and_stays(spanwise, files, damage, line):
    assert spanwise(*APPEND).code == 0
    history = files / "history.jsonl"
    history.write_bytes(history.read_bytes() + damage)
    before = history.read_bytes()
    done = spanwise(*APPEND)
    assert (done.code, done.out) == (2, "")
    assert done.err.startswith(f"history.jsonl:{line}: ")
    assert history.read_bytes() == before
    with pytest.raises(InputError):
        read_history(Source.at(history))


def test_a_compressed_history_is_refused(spanwise, files):
    (files / "history.jsonl").write_bytes(gzip.compress(history_lines([entry(1)])))
    assert "found a compressed file" in spanwise(*APPEND).err


def test_nothing_is_added_by_an_evaluation_that_fails(spanwise, files):
    done = spanwise(*APPEND, "--to", "no/where.json")
    assert done.code == 2
    assert not (files / "history.jsonl").exists()
    (files / "first.fol").write_text("damaged")
    assert spanwise(*APPEND).code == 2
    assert not (files / "history.jsonl").exists()


def test_results_and_history_are_written_together(spanwise, files):
    assert spanwise(*APPEND, "--to", "scores.json").code == 0
    assert {"history.jsonl", "scores.json"} <= {file.name for file in files.iterdir()}
    done = spanwise(*EVALUATE, "--append", "scores.json", "--to", "scores.json")
    assert "cannot hold two outputs" in done.err
    done = spanwise(*EVALUATE, "--append", "first.fol")
    assert "first.fol is read by this command" in done.err


def test_a_label_needs_a_history(spanwise, files):
    done = spanwise(*EVALUATE, "--label", "v1")
    assert done.code == 2
    assert "give --append, too" in done.err


def test_several_writers_lose_nothing(tmp_path):
    lines = [history_lines([entry(1, run=f"run {number}")]) for number in range(40)]

    def add(line: bytes) -> None:
        Outputs([]).end_of(tmp_path / "history.jsonl").write(line)

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(add, lines))
    found = read_history(Source.at(tmp_path / "history.jsonl"))
    assert sorted(one.run for one in found) == sorted(f"run {number}" for number in range(40))


def test_half_a_write_is_taken_back(tmp_path, monkeypatch):
    file = tmp_path / "history.jsonl"
    file.write_bytes(b"before\n")
    real = os.write
    monkeypatch.setattr(destination.os, "write", lambda fd, data: real(fd, data[:3]))
    with pytest.raises(OutputError, match="No space left"):
        Outputs([]).end_of(file).write(b"after\n")
    assert file.read_bytes() == b"before\n"
    with pytest.raises(OutputError):
        Outputs([]).end_of(tmp_path / "new").write(b"after\n")
    assert not (tmp_path / "new").exists()


def test_devices_take_what_they_are_given(spanwise, files):
    assert spanwise(*EVALUATE, "--append", "/dev/null").code == 0


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("-", "--append adds to a file, not to standard output"),
        ("h.csv", "h.csv: found another ending than .jsonl"),
        ("h.jsonl.gz", "h.jsonl.gz: found another ending than .jsonl"),
        ("history", "history: found another ending than .jsonl"),
    ],
)
def test_a_history_is_named_as_lines_of_json(spanwise, files, name, words):
    done = spanwise(*EVALUATE, "--append", name)
    assert done.code == 2
    assert words in done.err
    assert not (files / name).exists()
    assert spanwise(*EVALUATE, "--append", "h.NDJSON").code == 0


# -- the trend


def page(folder: Path) -> html.HtmlElement:
    return html.fromstring((folder / "report.html").read_text())


REPORT = ("report", "qrels.txt", "first.fol", "second.fol", "-m", "textP", "--to", "report.html")


def test_a_report_shows_the_trend(spanwise, files):
    for time in (0, DAY, 3 * DAY):
        assert spanwise(*APPEND, "--label", f"v{time}", SOURCE_DATE_EPOCH=str(time)).code == 0
    done = spanwise(*REPORT, "--history", "history.jsonl", "--charts", "charts")
    assert done.code == 0, done.err
    found = page(files)
    [section] = found.xpath("//section[.//h2[contains(., 'Trend')]]")
    text = " ".join(section.text_content().split())
    assert "Means of 3 evaluations from 1970-01-01 to 1970-01-04." in text
    [table] = section.xpath(".//table")
    assert [cell.text_content() for cell in table.iter("th")][:5] == [
        *("time", "label", "first", "second", "topics")
    ]
    assert len(table.xpath(".//tbody/tr")) == 3
    assert "v259200" in table.xpath(".//tbody/tr")[0].text_content(), "newest first"
    assert len(section.xpath(".//*[contains(@class, 'dot')]")) == 2
    assert (files / "charts" / "trend-1.svg").exists()
    assert "history.jsonl" in found.text_content()


def test_without_a_history_there_is_no_trend(spanwise, files):
    assert spanwise(*REPORT).code == 0
    assert "Trend" not in page(files).text_content()


def test_histories_that_cannot_be_shown(spanwise, files):
    (files / "empty.jsonl").write_text("")
    assert "has no entries" in spanwise(*REPORT, "--history", "empty.jsonl").err
    (files / "other.jsonl").write_bytes(history_lines([entry(1, measure="AP", canonical="AP")]))
    done = spanwise(*REPORT, "--history", "other.jsonl")
    assert "the history has no entry of textP, only of AP" in done.err
    assert "file not found" in spanwise(*REPORT, "--history", "none.jsonl").err
    (files / "bad.jsonl").write_text("{}\n")
    assert "bad.jsonl:1: " in spanwise(*REPORT, "--history", "bad.jsonl").err
    assert not (files / "report.html").exists()


def test_other_assessments_are_said():
    entries = [entry(1, assessments="a" * 64), entry(2, assessments="b" * 64)]
    said, _, numbers = trend_items(entries, asked("textP"), ["a"])
    assert "The assessments changed in between" in said
    [table] = numbers.items
    assert [row[-1] for row in table.rows] == ["b" * 8, "a" * 8]


def test_runs_that_come_and_go():
    entries = [entry(1), entry(1, "b", 0.25), entry(3, "b", 0.75), entry(2, value=1.0)]
    _, charts, numbers = trend_items(entries, asked("textP"), ["b"])
    [(name, plot)] = charts.plots
    assert (name, charts.series, plot.places) == ("trend-1", ("b", "a"), (0.0, 1.0, 2.0))
    drawn = line_chart(plot, name, charts.series)
    assert "nan" not in repr(drawn)
    assert drawn.description.endswith("At 0: a 0.500, b 0.250. At 2: b 0.750.")
    [table] = numbers.items
    assert [row[1:3] for row in table.rows] == [(None, 0.75), (1.0, None), (0.5, 0.25)]


def test_a_single_evaluation_is_a_dot():
    _, charts, _ = trend_items([entry(1)], asked("textP"), ["a"])
    [(name, plot)] = charts.plots
    window = line_chart(plot, name, charts.series).shapes
    [dot] = [
        one for shape in window for one in shape.content if getattr(one, "look", "")[:3] == "dot"
    ]
    assert dot.attributes["d"].endswith("h0")
