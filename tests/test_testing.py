"""``spanwise.testing``: the gate inside a test suite."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

from spanwise import SpanwiseError, evaluate
from spanwise.testing import assert_no_regression, assert_scores

TOPICS = [f"q{number}" for number in range(8)]
ASSESSMENTS = {topic: {"d": [(0, 100)]} for topic in TOPICS}


def answers(*sizes: int) -> dict[str, dict[str, list[tuple[int, int]]]]:
    """A run that returns these numbers of characters, for the topics in turn."""
    return {topic: {"d": [(0, sizes[n % len(sizes)])]} for n, topic in enumerate(TOPICS)}


OLD, NEW = answers(200, 125), answers(250, 160)


def test_a_run_that_is_good_enough_passes():
    assert_no_regression(ASSESSMENTS, NEW, OLD, ["textP < -0.2", "textR < -0.01"])
    assert_no_regression(ASSESSMENTS, OLD, NEW, ["textP < 0", "textP significantly worse"])
    assert_scores(ASSESSMENTS, NEW, {"textP": 0.5, "textR": 1.0})


def test_a_regression_fails_with_its_reason():
    with pytest.raises(AssertionError) as failure:
        assert_no_regression(ASSESSMENTS, NEW, OLD, ["textP < -0.1", "textR < -0.1"])
    lines = str(failure.value).splitlines()
    assert lines[0].startswith("FAIL: ")
    assert lines[0].endswith("8 topics, 1 of 2 rules is broken")
    assert lines[1].startswith("  FAIL  fail-if textP < -0.1: textP is 0.1375 worse than the base")
    assert lines[2].startswith("  pass  fail-if textR < -0.1")


def test_only_a_significant_loss_fails():
    with pytest.raises(AssertionError, match="fail-if textP significantly worse"):
        assert_no_regression(ASSESSMENTS, NEW, OLD, "textP significantly worse")
    few = {"topics": TOPICS[:2], "test": "t"}
    assert_no_regression(ASSESSMENTS, NEW, OLD, "textP significantly worse", **few)


def test_settings_of_the_test_are_used():
    with pytest.raises(AssertionError, match=r"p = 0\.1695"):
        assert_no_regression(ASSESSMENTS, NEW, OLD, "textP < 0", test="t", topics=TOPICS[:2])
    with pytest.raises(
        SpanwiseError, match="resamples must be a whole number between 1 and 10,000,000, got 0"
    ):
        assert_no_regression(ASSESSMENTS, NEW, OLD, "textP < 0", resamples=0)


def test_scores_below_their_limit_fail():
    with pytest.raises(AssertionError) as failure:
        assert_scores(ASSESSMENTS, NEW, {"textP": 0.6, "textR": 0.6})
    assert "FAIL  require mean textP >= 0.6: textP is 0.5125" in str(failure.value)
    assert "pass  require mean textR >= 0.6: textR is 1.0000" in str(failure.value)


def test_a_limit_is_the_highest_where_lower_is_better(tmp_path: Path):
    (tmp_path / "qrels").write_text("q Q0 d 100 1000 0 0:100\n")
    (tmp_path / "run").write_text("q Q0 d 1 1.0 tag 0 200\n")
    files = (tmp_path / "qrels", tmp_path / "run")
    effort = evaluate(*files, ["ANCE@5"]).mean("ANCE@5")
    assert_scores(*files, {"ANCE@5": effort})
    with pytest.raises(AssertionError, match="lower is better"):
        assert_scores(*files, {"ANCE@5": effort - 0.1})


def test_where_neither_is_better_a_rule_is_needed():
    assert_scores(ASSESSMENTS, NEW, ["overlap <= 0"])
    with pytest.raises(SpanwiseError, match="neither"):
        assert_scores(ASSESSMENTS, NEW, {"overlap": 0.1})


def test_files_and_settings(tmp_path: Path):
    (tmp_path / "qrels").write_text("".join(f"{topic} 0 d 1\n" for topic in TOPICS))
    (tmp_path / "run").write_text("".join(f"{topic} Q0 d 1 1.0 tag\n" for topic in TOPICS[:4]))
    files = (tmp_path / "qrels", tmp_path / "run")
    assert_scores(*files, {"AP": 1.0}, missing="skip")
    with pytest.raises(AssertionError, match=r"AP is 0\.5000"):
        assert_scores(*files, {"AP": 1.0})


def test_a_rule_against_the_direction_of_its_measure_is_refused():
    with pytest.raises(SpanwiseError, match=r"did you mean 'textP < -0\.01'"):
        assert_no_regression(ASSESSMENTS, NEW, OLD, "textP > -0.01")
    with pytest.raises(SpanwiseError, match=r"did you mean 'mean textP >= 0\.5'"):
        assert_scores(ASSESSMENTS, NEW, ["textP <= 0.5"])


def test_a_run_without_answers_is_no_pass():
    with pytest.raises(SpanwiseError, match="the baseline has no answers, so nothing can be"):
        assert_no_regression(ASSESSMENTS, NEW, {}, "textP < -0.01")
    with pytest.raises(SpanwiseError, match="the run has no answers"):
        assert_no_regression(ASSESSMENTS, {}, OLD, "textP < -2")
    with pytest.raises(SpanwiseError, match="the run has no answers"):
        assert_scores(ASSESSMENTS, {}, {"textP": 0.0})


@pytest.mark.parametrize("rules", [[], ["textP"], ["rag < 0"], ["textQ < 0"]])
def test_what_is_no_rule_is_no_failure_of_the_run(rules):
    with pytest.raises(SpanwiseError):
        assert_no_regression(ASSESSMENTS, NEW, OLD, rules)


def test_an_unknown_setting_is_refused():
    with pytest.raises(SpanwiseError, match="unknown setting 'overlapp'; did you mean 'overlap'"):
        assert_scores(ASSESSMENTS, NEW, {"textP": 0.1}, overlapp="union")
    with pytest.raises(SpanwiseError, match="unknown setting 'tset'; did you mean 'test'"):
        assert_no_regression(ASSESSMENTS, NEW, OLD, "textP < -0.2", tset="t")


def test_limits_may_be_any_number() -> None:
    assert_scores(ASSESSMENTS, OLD, {"textP": np.float64(0.1), "textR": Fraction(1, 10)})


def test_run_and_baseline_may_have_a_chunk_table_each(tmp_path: Path) -> None:
    for name, end in (("small", 50), ("large", 200)):
        row = f'{{"chunk": "1", "document": "d", "start": 0, "end": {end}}}\n'
        (tmp_path / name).write_text(row)
    run = [{"topic": topic, "chunk": "1"} for topic in TOPICS]
    small, large = tmp_path / "small", tmp_path / "large"
    assert_no_regression(ASSESSMENTS, run, run, "textP < 0.4", chunks=[small, large])
    with pytest.raises(AssertionError):
        assert_no_regression(ASSESSMENTS, run, run, "textP < 0.4", chunks=[large, small])
    with pytest.raises(SpanwiseError, match="found 3 chunk tables for 2 runs"):
        assert_no_regression(ASSESSMENTS, run, run, "textP < 0", chunks=[small, large, small])
