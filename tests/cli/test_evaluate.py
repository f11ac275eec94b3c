"""``spanwise evaluate``: outputs, options, and what goes where."""

from __future__ import annotations

import csv
import gzip
import hashlib
import io
import json
import os
import subprocess
import sys
from pathlib import Path

import polars
import pytest

from spanwise.cli.options import FORMATS
from spanwise.reporting.render import FORMATS as RENDERED

TWO = ("evaluate", "qrels.txt", "first.fol", "second.fol")
ONE = ("evaluate", "qrels.txt", "first.fol")
# t1 of the first run: F of d1 is 1, of d2 2/3; t2: 2/3.
AGP = ((1 + 5 / 6) / 2 + 2 / 3) / 2


def test_rows_have_every_digit(spanwise, files):
    done = spanwise(*ONE, "-m", "MAgP", "-o", "jsonl")
    row = json.loads(done.out)
    assert list(row) == ["run", "measure", "canonical", "topic", "value"]
    assert row["value"] == pytest.approx(AGP, abs=1e-15)
    del row["value"]
    assert row == {
        "run": "first",
        "measure": "MAgP",
        "canonical": "AgP(F(beta=1))",
        "topic": "all",
    }


def test_per_topic_rows_come_before_their_mean(spanwise, files):
    done = spanwise(*TWO, "-q", "-o", "tsv", "-m", "AP", "-m", "textR")
    lines = [line.split("\t") for line in done.out.splitlines()]
    assert lines[0] == ["run", "measure", "topic", "value"]
    assert [line[:3] for line in lines[1:4]] == [
        ["first", "AP", "t1"],
        ["first", "AP", "t2"],
        ["first", "AP", "all"],
    ]
    assert len(lines) == 1 + 2 * 2 * 3


def test_csv_and_tsv_agree(spanwise, files):
    measure = "AgP(F(beta=0.25),by=text)"
    tsv = spanwise(*TWO, "-o", "tsv", "-m", measure).out
    comma = spanwise(*TWO, "-o", "csv", "-m", measure).out
    assert list(csv.reader(io.StringIO(comma))) == [line.split("\t") for line in tsv.splitlines()]


def test_json_tells_everything(spanwise, files):
    done = spanwise(*TWO, "-o", "json", "-m", "AgP")
    found = json.loads(done.out)
    assert set(found["versions"]) == {"spanwise", "python", "numpy"}
    assert found["settings"]["overlap"] == "union"
    assert found["settings"]["measures"] == ["AgP"]
    assert [given["role"] for given in found["inputs"]] == ["assessments", "run", "run"]
    digest = hashlib.sha256((files / "qrels.txt").read_bytes()).hexdigest()
    assert found["inputs"][0] == {"role": "assessments", "file": "qrels.txt", "sha256": digest}
    assert [run["counts"]["answers"] for run in found["runs"]] == [3, 3]
    assert found["lenient"] is False
    assert len(found["rows"]) == 2


def test_the_table_ends_with_counts(spanwise, files):
    done = spanwise(*TWO, "-m", "AgP", "--quiet")
    assert done.code == 0
    assert done.err == ""
    assert "relevant documents" in done.out
    assert "3 of 3" in done.out
    assert "170 of 170" in done.out
    assert "70 of 170" in done.out


def test_digits_are_for_people_only(spanwise, files):
    assert "0.79\n" in spanwise(*ONE, "-m", "AgP", "--digits", 2).out
    assert "0.791" in spanwise(*ONE, "-m", "AgP", "--digits", 2, "-o", "tsv").out


def test_a_narrow_terminal_turns_the_table(spanwise, files):
    measures = [word for name in ("AgP", "AP", "textP", "textR", "textF") for word in ("-m", name)]
    wide = spanwise(*TWO, *measures, "--quiet", COLUMNS="80").out.splitlines()
    narrow = spanwise(*TWO, *measures, "--quiet", COLUMNS="30").out.splitlines()
    assert wide[0].split() == ["run", "AgP", "AP", "textP", "textR", "textF"]
    assert narrow[0].split() == ["measure", "first", "second"]
    scores = narrow[: narrow.index("")]
    assert max(map(len, scores)) <= 30


def test_nothing_is_bold_in_a_pipe(spanwise, files):
    assert "\x1b" not in spanwise(*TWO, "-m", "AgP").out


def test_the_best_value_is_marked(spanwise, files):
    markdown = spanwise(*TWO, "-o", "markdown", "-m", "AP", "-m", "ANCE@10", "-m", "overlap").out
    first = next(line for line in markdown.splitlines() if line.startswith("| first"))
    assert first.count("**") == 4, "AP is highest, ANCE lowest, overlap neither good nor bad"
    latex = spanwise(*TWO, "-o", "latex", "-m", "AP").out
    assert "first & \\textbf{1.0000}" in latex
    assert "\\toprule" in latex


def test_markup_escapes_names(spanwise, files):
    (files / "a_b.fol").write_text((files / "first.fol").read_text().replace("first", "a_b|c%"))
    assert r"a\_b\|c%" in spanwise("evaluate", "qrels.txt", "a_b.fol", "-o", "markdown").out
    assert r"a\_b|c\%" in spanwise("evaluate", "qrels.txt", "a_b.fol", "-o", "latex").out


def test_the_default_measure_is_said(spanwise, files):
    done = spanwise(*ONE, "-o", "tsv")
    assert "\tAgP\t" in done.out
    assert "no measure was given: AgP" in done.err
    assert spanwise(*ONE, "-o", "tsv", "--quiet").err == ""


def test_notes_name_their_run_where_there_are_several(spanwise, files):
    unjudged = "1 of 3 retrieved documents (33%) is unjudged"
    assert f"note: second: {unjudged}" in spanwise(*TWO, "-m", "AgP").err
    single = spanwise("evaluate", "qrels.txt", "second.fol", "-m", "AgP").err
    assert f"note: {unjudged}" in single


def test_measures_from_a_file(spanwise, files):
    (files / "measures.txt").write_text("# mine\nAgP  # the usual one\n\nrag\n")
    done = spanwise(*ONE, "-m", "@measures.txt", "-m", "AP", "-o", "jsonl")
    labels = [json.loads(line)["measure"] for line in done.out.splitlines()]
    assert labels[0] == "AgP"
    assert labels[-1] == "AP"
    assert "textR(budget=2000)" in labels


def test_a_measure_asked_under_two_names_has_two_rows(spanwise, files):
    done = spanwise(*ONE, "-m", "MAP", "-m", "AP", "-m", "AP", "-o", "tsv")
    assert [line.split("\t")[1] for line in done.out.splitlines()[1:]] == ["MAP", "AP"]


def test_standard_input_and_compression(spanwise, files):
    plain = spanwise(*ONE, "-o", "tsv", "-m", "AgP").out
    run = (files / "first.fol").read_bytes()
    assert spanwise("evaluate", "qrels.txt", "-", "-o", "tsv", "-m", "AgP", stdin=run).out == plain
    (files / "run.gz").write_bytes(gzip.compress(run))
    assert spanwise("evaluate", "qrels.txt", "run.gz", "-o", "tsv", "-m", "AgP").out == plain


def test_a_folder_of_assessments(spanwise, files):
    (files / "judged").mkdir()
    for topic in ("t1", "t2"):
        lines = (files / "qrels.txt").read_text().splitlines(keepends=True)
        own = "".join(line for line in lines if line.startswith(topic))
        (files / "judged" / topic).write_text(own)
    parts = spanwise("evaluate", "judged", "first.fol", "-o", "json", "-m", "AgP")
    whole = spanwise(*ONE, "-o", "json", "-m", "AgP")
    assert json.loads(parts.out)["rows"] == json.loads(whole.out)["rows"]
    assert len(json.loads(parts.out)["inputs"]) == 3


def test_some_topics(spanwise, files):
    (files / "topics.txt").write_text("t2\n")
    for given in ("t2", "topics.txt"):
        done = spanwise(*ONE, "-m", "textP", "-o", "tsv", "-q", "--topics", given)
        assert [line.split("\t")[2:] for line in done.out.splitlines()[1:]] == [
            ["t2", "0.5"],
            ["all", "0.5"],
        ]


@pytest.mark.parametrize("ending", ["txt", "tsv", "csv", "jsonl", "json", "md", "tex", "parquet"])
def test_to_a_file(spanwise, files, ending):
    done = spanwise(*TWO, "-m", "AgP", "--to", f"scores.{ending}")
    assert (done.code, done.out) == (0, "")
    names = {path.name for path in files.iterdir()}
    assert f"scores.{ending}" in names
    assert not [name for name in names if name.endswith(".part")]
    assert b"first" in (files / f"scores.{ending}").read_bytes()


def test_parquet_has_the_rows(spanwise, files):
    spanwise(*TWO, "-m", "AgP", "-q", "--to", "scores.parquet")
    frame = polars.read_parquet(files / "scores.parquet")
    assert frame.columns == ["run", "measure", "canonical", "topic", "value"]
    assert len(frame) == 6


def test_an_old_file_stays_if_the_evaluation_fails(spanwise, files):
    (files / "scores.tsv").write_text("old")
    done = spanwise("evaluate", "qrels.txt", "missing.fol", "--to", "scores.tsv")
    assert done.code == 2
    assert (files / "scores.tsv").read_text() == "old"


def test_two_runs_of_one_name(spanwise, files):
    (files / "copy.fol").write_text((files / "first.fol").read_text())
    both = ("evaluate", "qrels.txt", "first.fol", "copy.fol", "-m", "AgP", "-o", "tsv")
    assert "--run-name file" in spanwise(*both).err
    done = spanwise(*both, "--run-name", "file")
    assert [line.split("\t")[0] for line in done.out.splitlines()[1:]] == ["first", "copy"]


def test_as_the_official_evaluator(spanwise, files):
    official = ("--compat", "inex_eval", "-o", "json")
    found = json.loads(spanwise(*ONE, *official, "-m", "AgP").out)
    assert found["settings"]["missing"] == "skip"
    assert found["settings"]["overlap"] == "error"
    assert found["rows"][0]["value"] == pytest.approx(AGP)
    assert "does not exist" in spanwise(*ONE, *official, "-m", "AP").err
    assert "no meaning" in spanwise(*ONE, *official, "--order", "score").err


def test_polars_and_rich_are_not_needed(spanwise, files, tmp_path):
    blocked = tmp_path / "blocked"
    blocked.mkdir()
    for name in ("polars", "rich"):
        (blocked / f"{name}.py").write_text("raise AssertionError('imported')")
    source = Path(__file__).parents[2] / "src"
    done = spanwise(*TWO, "-m", "rag", PYTHONPATH=f"{blocked}:{source}")
    assert done.code == 0, done.err


def test_the_formats_are_those_that_can_be_written():
    assert FORMATS == RENDERED


def test_help_is_quick_and_has_examples(spanwise, tmp_path):
    (tmp_path / "numpy.py").write_text("raise AssertionError('imported')")
    source = Path(__file__).parents[2] / "src"
    for words in (["--help"], ["evaluate", "--help"], ["measures", "--help"], ["--version"]):
        done = spanwise(*words, PYTHONPATH=f"{tmp_path}:{source}")
        assert done.code == 0, done.err
    assert "Examples:" in spanwise("evaluate", "--help").out


@pytest.mark.parametrize(
    ("choice", "said"),
    [("0", "(NumPy code)"), ("", "("), ("no", "SPANWISE_NATIVE must be 0 or 1, got 'no'")],
)
def test_the_version_tells_which_code_runs(choice, said):
    done = subprocess.run(
        [sys.executable, "-m", "spanwise", "--version"],
        env={**os.environ, "SPANWISE_NATIVE": choice},
        capture_output=True,
        text=True,
        check=False,
    )
    assert said in done.stdout + done.stderr
    assert done.returncode == (2 if choice == "no" else 0)
