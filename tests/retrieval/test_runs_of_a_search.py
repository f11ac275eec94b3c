"""What a search prints or writes, in every mode and format, is a run that can be scored."""

from __future__ import annotations

from pathlib import Path

import pytest

import spanwise
from command import run_command
from retrieval.conftest import DEMO
from spanwise.data.run import Run
from spanwise.errors import SpanwiseError
from spanwise.evaluation.policy import Notes, ranked
from spanwise.formats.conversion import Target
from spanwise.formats.registry import names_for
from spanwise.records import replace
from spanwise.retrieval.index import Index
from spanwise.retrieval.modes import By
from spanwise.retrieval.passages import MODES, Mode

TOPICS = DEMO / "topics.jsonl"
GOLD = DEMO / "assessments.first.jsonl"
FORMATS = [name for name in names_for("run", written=True) if name != "bioasq"]
"""BioASQ names sections, which these documents do not have; the command says so."""


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("form", ["csv", "tsv", "json", "jsonl"])
def test_what_is_printed_is_a_run(demo_index: Index, tmp_path: Path, mode: Mode, form: str) -> None:
    found = spanwise.search(demo_index, TOPICS, mode, k=5)
    run = tmp_path / f"run.{form}"
    printed = run_command(
        ["search", demo_index.name, "--topics", str(TOPICS), "--mode", mode, "-k", "5", "-o", form],
        tmp_path,
    )
    run.write_text(printed.out, newline="")
    checked = run_command(["check", run.name, "--collection", str(DEMO / "articles")], tmp_path)
    assert (checked.code, checked.err) == (0, "")
    scores = spanwise.evaluate(
        GOLD, [found.run, run], ["AgP", "AiP", "textP@5"], collection=DEMO / "articles"
    )
    for measure in ("AgP", "AiP", "textP@5"):
        assert scores.mean(measure, "run") == scores.mean(measure, mode)


def answers_of(run: Run) -> list[tuple[str, str, int, int]]:
    """In their order, as scoring takes them."""
    ordered = ranked(run, None, Notes())
    topics = [ordered.topics[number] for number in ordered.topic.tolist()]
    places = ordered.start.tolist(), ordered.end.tolist()
    return list(zip(topics, ordered.documents.strings(), *places, strict=True))


@pytest.mark.parametrize("form", ["fol", "jsonl", "csv", "trec"])
@pytest.mark.parametrize("by", ["documents", "passages"])
@pytest.mark.parametrize("mode", ["document", "paragraph"])
def test_scores_are_written_where_the_order_is_theirs(
    demo_index: Index, tmp_path: Path, mode: Mode, by: By, form: str
) -> None:
    topics = {"fog": "fog signals", "tides": "tides and the Moon", "tied": "the"}
    found = spanwise.search(demo_index, topics, mode, k=9, by=by, share=0)
    target = Target.of(str(tmp_path / "run"), form)
    (tmp_path / "run").write_bytes(found.content(target)[0])
    [read] = spanwise.read_run(tmp_path / "run", form)
    real = mode == "document" or by == "passages"
    assert (found.run.score is not None) == real
    kept = answers_of(replace(found.run, score=None))
    if form == "trec":  # A ranking of documents, which are not named again.
        kept = [*{one[:2]: (*one[:2], 0, 0) for one in kept}.values()]
    else:
        assert (read.score is not None and bool((read.score > 0).all())) == real
    assert answers_of(read) == kept


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("form", FORMATS)
def test_what_is_written_is_a_run(demo_index: Index, tmp_path: Path, mode: Mode, form: str) -> None:
    found = spanwise.search(demo_index, TOPICS, mode, k=5)
    target = Target.of(str(tmp_path / "run"), form)
    if form == "element" and mode != "element":
        with pytest.raises(SpanwiseError, match="no passage is one; use mode='element'"):
            found.content(target)
        return
    (tmp_path / "run").write_bytes(found.content(target)[0])
    checked = run_command(["check", "run", "--collection", str(DEMO / "articles")], tmp_path)
    assert (checked.code, checked.err) == (0, "")
    measure = "AgP(BEP)" if form == "entry-points" else "AgP"
    scores = spanwise.evaluate(
        GOLD, tmp_path / "run", measure, run_format=form, collection=DEMO / "articles"
    )
    assert scores.mean(measure) > 0
