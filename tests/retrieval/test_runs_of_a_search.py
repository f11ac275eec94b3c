"""What a search prints or writes, in every mode and format, is a run that can be scored."""

from __future__ import annotations

from pathlib import Path

import pytest

import spanwise
from command import run_command
from retrieval.conftest import DEMO
from spanwise.errors import SpanwiseError
from spanwise.formats.conversion import Target
from spanwise.formats.registry import names_for
from spanwise.retrieval.index import Index
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
