"""Runs of texts are written as they are where a format has room for texts."""

from __future__ import annotations

from pathlib import Path

import pytest

import spanwise

DOCUMENTS = {"d1": "Cards are fine. Cash is not.", "d2": "Ten days. Ask again."}
GOLD = {"q1": ["Cards are fine."], "q2": ["Ask again."]}
ANSWERS = {"How to pay?": ["Cash is not.", "Cards are fine."], "Again?": ["Ask  again."]}


@pytest.fixture
def run():
    return spanwise.collect(ANSWERS.get, {"q1": "How to pay?", "q2": "Again?"}, name="asked")


@pytest.mark.parametrize("ending", ["jsonl", "csv", "tsv", "parquet", "jsonl.gz"])
def test_what_collect_returns_survives_being_saved(run, tmp_path: Path, ending):
    file = tmp_path / f"run.{ending}"
    (note,) = spanwise.convert(run, file)
    assert (note.kind, note.count) == ("texts kept", 3)
    scores = [spanwise.evaluate(GOLD, each, "hitRR", collection=DOCUMENTS) for each in (run, file)]
    assert scores[0].per_topic("hitRR") == scores[1].per_topic("hitRR") == {"q1": 0.5, "q2": 1.0}
    assert [each.run for each in scores[1].runs] == ["asked"]


def test_files_of_texts_are_converted_too(run, tmp_path: Path):
    spanwise.convert(run, tmp_path / "run.jsonl")
    (note,) = spanwise.convert(tmp_path / "run.jsonl", tmp_path / "run.csv")
    assert note.kind == "texts kept"
    scores = spanwise.evaluate(GOLD, tmp_path / "run.csv", "hitRR", collection=DOCUMENTS)
    assert scores.mean("hitRR") == 0.75


def test_with_documents_texts_get_their_ranges(run, tmp_path: Path):
    spanwise.convert(run, tmp_path / "run.jsonl", collection=DOCUMENTS)
    assert '"document": "d1", "start": 16, "end": 28' in (tmp_path / "run.jsonl").read_text()


@pytest.mark.parametrize("format", ["fol", "trec", "inex"])
def test_formats_without_texts_need_the_documents(run, tmp_path: Path, format):
    with pytest.raises(spanwise.SpanwiseError, match=r"found text without a range \(3 answers\)"):
        spanwise.convert(run, tmp_path / "run", to_format=format)
    assert not (tmp_path / "run").exists()


def test_scores_still_need_the_documents(run):
    with pytest.raises(spanwise.SpanwiseError, match="found text without a range"):
        spanwise.evaluate({"q1": {"d1": [(0, 5)]}}, run, "hitRR")
