"""``--chunks``: one table for all runs, or one for each run."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from spanwise import SpanwiseError, evaluate

GOLD = "".join(
    json.dumps({"topic": topic, "document": "d", "start": 0, "end": 100}) + "\n"
    for topic in ("q1", "q2", "q3")
)
SMALL, LARGE = (
    json.dumps({"chunk": "1", "document": "d", "start": 0, "end": end}) + "\n" for end in (50, 200)
)
"""The same id in two tables, as two chunkers number their chunks."""


def run(tag: str) -> str:
    return "".join(f"{topic} Q0 1 1 1.0 {tag}\n" for topic in ("q1", "q2", "q3"))


@pytest.fixture
def files(tmp_path: Path) -> Path:
    names = {"gold": GOLD, "small": SMALL, "large": LARGE, "a": run("a"), "b": run("b")}
    for name, content in names.items():
        suffix = "trec" if name in "ab" else "jsonl"
        (tmp_path / f"{name}.{suffix}").write_text(content)
    return tmp_path


BOTH = ("--chunks", "small.jsonl", "--chunks", "large.jsonl")
RUNS = ("gold.jsonl", "a.trec", "b.trec")


def values(out: str) -> dict[str, float]:
    rows = [line.split("\t") for line in out.splitlines()[1:]]
    return {row[0]: float(row[-1]) for row in rows}


def test_one_table_holds_for_all_runs(spanwise, files):
    done = spanwise(
        "evaluate", *RUNS, "--chunks", "large.jsonl", "-m", "textP", "-o", "tsv", "--quiet"
    )
    assert values(done.out) == {"a": 0.5, "b": 0.5}


def test_each_run_has_its_own_table(spanwise, files):
    done = spanwise("evaluate", *RUNS, *BOTH, "-m", "textP", "-o", "tsv", "--quiet")
    assert values(done.out) == {"a": 1.0, "b": 0.5}


@pytest.mark.parametrize(
    "command",
    [
        ("evaluate", "gold.jsonl", "a.trec"),
        ("evaluate", *RUNS, "--chunks", "small.jsonl"),
        ("compare", *RUNS, "--chunks", "small.jsonl"),
        ("report", *RUNS, "--to", "out.html", "--chunks", "small.jsonl"),
        ("gate", "gold.jsonl", "a.trec", "--require", "textP > 0"),
        ("explain", "gold.jsonl", "a.trec", "--topic", "q1", "-m", "textP"),
        ("convert", "a.trec", "out.jsonl"),
        ("check", "a.trec"),
        ("check", "a.trec", "b.trec", "a.trec"),
        ("lab", "baseline", "gold.jsonl", "a.trec"),
    ],
)
def test_any_other_number_of_tables_is_refused(spanwise, files, command):
    before = sorted(files.iterdir())
    done = spanwise(*command, *BOTH)
    assert (done.code, done.out) == (2, "")
    assert "expected one for all runs or one for each" in done.err
    assert sorted(files.iterdir()) == before


def test_every_command_gives_each_run_its_own_table(spanwise, files):
    compared = spanwise("compare", *RUNS, *BOTH, "-m", "textP", "-o", "json", "--quiet")
    found = json.loads(compared.out)
    assert '"large.jsonl"' in compared.out
    assert found["settings"]["chunks"] == ["small.jsonl", "large.jsonl"]
    assert {one["file"] for one in found["inputs"]} >= {"small.jsonl", "large.jsonl"}
    gate = ("gate", "gold.jsonl", "a.trec", "--baseline", "b.trec")
    passed = spanwise(
        *gate, *BOTH, "--fail-if", "textP < 0.4", "--require", "textP >= 1", "--quiet"
    )
    assert passed.code == 0, passed.out + passed.err
    checked = spanwise("check", "a.trec", "b.trec", *BOTH)
    assert (checked.code, checked.out.count("TREC run, 3 answers")) == (0, 2)
    shown = spanwise("report", *RUNS, *BOTH, "-m", "textP", "--to", "out.html", "--quiet")
    assert shown.code == 0, shown.err
    page = (files / "out.html").read_text()
    assert "1.0000" in page
    assert "0.5000" in page


def test_lists_of_tables_in_python(files):
    runs = [files / "a.trec", files / "b.trec"]
    tables = [files / "small.jsonl", files / "large.jsonl"]
    gold = files / "gold.jsonl"
    scores = evaluate(gold, runs, "textP", chunks=tables)
    assert [scores.mean("textP", run=name) for name in "ab"] == [1.0, 0.5]
    named = evaluate(gold, dict(zip("xy", runs, strict=True)), "textP", chunks=tables)
    assert [named.mean("textP", run=name) for name in "xy"] == [1.0, 0.5]
    records = [[{"topic": "q1", "chunk": "1", "run": name}] for name in "ab"]
    rows = evaluate(gold, records, "textP", chunks=tables, missing="skip")
    assert [rows.mean("textP", run=name) for name in "ab"] == [1.0, 0.5]
    with pytest.raises(SpanwiseError, match="found 2 chunk tables for 3 runs"):
        evaluate(gold, [*runs, runs[0]], "textP", chunks=tables)


def test_what_is_dropped_from_a_table_is_noted(spanwise, files):
    (files / "faulty.jsonl").write_text(SMALL + '{"chunk": "2", "document": "d"}\n')
    command = ("evaluate", "gold.jsonl", "a.trec", "--chunks", "faulty.jsonl", "-m", "textP")
    assert "faulty.jsonl:2: found no range" in spanwise(*command).err
    lenient = spanwise(*command, "--lenient", "-o", "jsonl")
    assert "faulty.jsonl: faulty lines were dropped or cut" in lenient.err
    assert json.loads(lenient.out)["lenient"] is True


def test_official_evaluation_knows_no_chunks(spanwise, files):
    done = spanwise("evaluate", *RUNS, *BOTH, "--compat", "inex_eval")
    assert done.code == 2
    assert "--chunks small.jsonl large.jsonl has no meaning with --compat" in done.err


@pytest.mark.parametrize("topics", [",", "empty.txt"])
def test_no_topic_is_refused_in_words_of_the_command_line(spanwise, files, topics):
    (files / "empty.txt").write_text("# nothing\n")
    done = spanwise("evaluate", *RUNS, "--topics", topics)
    assert (done.code, done.out) == (2, "")
    assert f"--topics {topics} names no topic" in done.err


# -- measures of the chunks themselves


def test_omega_is_that_of_each_run_s_own_table(spanwise, files):
    done = spanwise("evaluate", *RUNS, *BOTH, "-m", "chroma.omega", "-o", "tsv", "--quiet")
    assert values(done.out) == {"a": 0.5, "b": 0.5}
    (files / "gold.jsonl").write_text(GOLD.replace("100}", "50}"))
    done = spanwise("evaluate", *RUNS, *BOTH, "-m", "chroma.omega", "-o", "tsv", "--quiet")
    assert values(done.out) == {"a": 1.0, "b": 0.25}


def test_omega_of_topics_that_the_run_lacks_is_the_same(spanwise, files):
    (files / "a.trec").write_text(run("a").splitlines(keepends=True)[0])
    done = spanwise(
        "evaluate", "gold.jsonl", "a.trec", "--chunks", "large.jsonl", "-m", "chroma.omega", "-q"
    )
    assert [line.split()[-1] for line in done.out.splitlines() if line.startswith("q")] == [
        "0.5000"
    ] * 3


def test_omega_is_refused_without_a_table(spanwise, files):
    done = spanwise("evaluate", *RUNS, "-m", "chroma.omega")
    assert (done.code, done.out) == (2, "")
    assert "chroma.omega needs the table of all chunks (give --chunks)" in done.err
    done = spanwise("evaluate", *RUNS, "-m", "all", "-o", "tsv")
    assert "chroma.omega" not in done.out
    assert "chroma.omega is left out" in done.err


def test_omega_is_explained_by_the_chunks_that_touch(spanwise, files):
    done = spanwise(
        *("explain", "gold.jsonl", "a.trec", "--topic", "q1", "-m", "chroma.omega"),
        *("--chunks", "large.jsonl"),
    )
    assert "100 common / 200 touching or relevant = 0.5000" in done.out


def test_omega_counts_in_the_unit_that_is_asked_for(files):
    """Two UTF-16 units are one character: the second chunk is both letters, and nothing else."""
    rows = [{"document": "d", "start": start, "end": start + 2} for start in (0, 2)]
    (files / "pairs.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    answer = [{"topic": "q", "document": "d", "start": 2, "end": 4}]
    found = evaluate(
        answer,
        answer,
        "chroma.omega(touching=strict)",
        collection={"d": "\U0001f600ab"},
        unit="utf16",
        chunks=files / "pairs.jsonl",
    )
    assert found.mean("chroma.omega(touching=strict)") == 1
