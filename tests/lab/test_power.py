"""The power of measures: counts, cut-offs of measures and of results, bad input."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

from lab.scored import DEMO, command, on_demo, scores_of, synthetic
from spanwise.errors import SpanwiseError
from spanwise.evaluation.scores import Scores
from spanwise.lab.experiment import Step, finished
from spanwise.lab.separated_pairs import (
    UNCORRECTED,
    Again,
    PowerFound,
    count_separated,
    cutoff_names,
)
from spanwise.measures.grammar import asked_for
from spanwise.reporting.render import rendered
from spanwise.statistics.pairing import compare_scores
from spanwise.statistics.procedure import Procedure

QUICK = Procedure(test="t", correction="none")


def found_for(
    runs: dict[str, Any], measures: tuple[str, ...] = ("AgP",), procedure: Procedure = QUICK
) -> PowerFound:
    return finished(count_separated(scores_of(runs, measures), procedure))


def test_the_pairs_with_p_at_most_5_percent_are_counted() -> None:
    scores = scores_of(synthetic(20, 12, step=0.02))
    (told,) = finished(count_separated(scores, QUICK)).measures
    (compared,) = compare_scores(scores, QUICK)
    assert told.pairs == 190
    assert told.separated == sum(pair.p <= 0.05 for pair in compared.pairs)
    assert 0 < told.separated < 190
    assert told.share == told.separated / 190


def test_p_is_not_corrected_unless_that_is_asked_for() -> None:
    scores = scores_of(synthetic(20, 12, step=0.02))
    plain, corrected = (
        finished(count_separated(scores, procedure)).measures[0].separated
        for procedure in (QUICK, Procedure(test="t", correction="holm"))
    )
    assert UNCORRECTED.correction == "none"
    assert corrected < plain


def test_a_measure_with_less_noise_tells_more_pairs_apart() -> None:
    runs = synthetic(10, 15, step=0.02)
    mixed = {
        name: np.stack([values, values.mean() + 0.1 * (values - values.mean())])
        for name, values in runs.items()
    }
    noisy, calm = found_for(mixed, ("AP", "AgP")).measures
    assert noisy.separated < calm.separated


def test_effort_counts_like_any_measure() -> None:
    runs = synthetic(8, 12, step=0.03)
    turned = {name: 5 - values for name, values in runs.items()}
    assert (
        found_for(runs).measures[0].separated
        == found_for(turned, ("ANCE@10",)).measures[0].separated
    )


def test_runs_that_are_all_equal_are_never_told_apart_and_that_is_said() -> None:
    found = found_for({name: [0.5, 0.3, 0.1] for name in "abc"})
    assert (found.measures[0].separated, found.measures[0].pairs) == (0, 3)
    assert any("equal on every topic (a and b" in str(note) for note in found.notes)
    assert found.output().sentences[0] == "AgP separates 0 of 3 pairs of runs (0%)."


# -- cut-offs of measures


def test_names_at_other_cutoffs() -> None:
    names = ("gP@10", "gP(P)@10", "iP@0.1", "AP", "ANCE", "gP@25", "textP(budget=200)", "nDCG@5")
    found = cutoff_names([asked_for(name) for name in names], (5, 10))
    assert list(found) == [
        *("gP@5", "gP@10", "gP@25"),
        *("gP(P)@5", "gP(P)@10"),
        *("ANCE@5", "ANCE@10", "ANCE@600"),
        *("nDCG@5", "nDCG@10"),
    ]
    assert found["gP(P)@5"] == ("gP(P)", 5)


def test_no_cutoffs_no_names() -> None:
    assert cutoff_names([asked_for("gP@10")], ()) == {}


class Scorer:
    """Scores by rule: 3 answers turn the ranking round, at a cut-off of 1 all runs are equal.

    What was asked of it is kept.
    """

    def __init__(self, runs: dict[str, Any]) -> None:
        self.runs = runs
        self.asked: list[tuple[tuple[str, ...], int | None]] = []

    def __call__(self, names: Sequence[str], results: int | None) -> Scores:
        self.asked.append((tuple(names), results))
        rows = {
            run: [seen(values, name, results) for name in names]
            for run, values in self.runs.items()
        }
        return scores_of(rows, tuple(names))


def seen(values: Any, measure: str, results: int | None) -> Any:
    if measure.endswith("@1"):
        return np.full(len(values), 0.5)
    return 1 - values if results == 3 else values


def test_measures_are_scored_at_every_cutoff() -> None:
    runs = synthetic(5, 10, step=0.05)
    scorer = Scorer(runs)
    scores = scorer(("gP@10", "AgP"), None)
    found = finished(count_separated(scores, QUICK, Again(scorer, cutoffs=(1, 5))))
    assert scorer.asked[1:] == [(("gP@1", "gP@5", "gP@10"), None)]
    assert [(at.family, at.cutoff) for at in found.cutoffs] == [("gP", 1), ("gP", 5), ("gP", 10)]
    shares = [at.found.separated for at in found.cutoffs]
    assert shares == [0, found.measures[0].separated, found.measures[0].separated]
    assert shares[1] > 0
    table = found.output().tables[1]
    assert [column.name for column in table.columns] == ["measure", "@1", "@5", "@10"]
    assert table.rows == (("gP", 0.0, shares[1] / 10, shares[2] / 10),)
    (plot,) = found.output().plots
    assert (plot.places, plot.series[0][0]) == ((1.0, 5.0, 10.0), "gP")


def test_families_with_their_own_cutoffs_leave_gaps() -> None:
    scorer = Scorer(synthetic(4, 8))
    scores = scorer(("gP@10", "nDCG@20"), None)
    found = finished(count_separated(scores, QUICK, Again(scorer, cutoffs=(5,))))
    rows = found.output().tables[1].rows
    assert [[value is None for value in row[1:]] for row in rows] == [
        [False, False, True],
        [False, True, False],
    ]
    assert found.output().plots == ()


# -- cut-offs of results


def test_every_measure_is_scored_with_fewer_answers() -> None:
    scorer = Scorer(synthetic(5, 10, step=0.05))
    scores = scorer(("AgP", "AP"), None)
    found = finished(count_separated(scores, QUICK, Again(scorer, results=(7, 3, 7))))
    assert scorer.asked[1:] == [(("AgP", "AP"), 3), (("AgP", "AP"), 7)]
    assert [(cut.results, cut.found.measure, cut.tau) for cut in found.results] == [
        (3, "AgP", -1.0),
        (3, "AP", -1.0),
        (7, "AgP", 1.0),
        (7, "AP", 1.0),
    ]
    shares, taus = found.output().tables[1:]
    assert [column.name for column in shares.columns] == [
        "measure",
        "first 3",
        "first 7",
        "all scored",
    ]
    assert taus.rows == (("AgP", -1.0, 1.0), ("AP", -1.0, 1.0))


def test_a_ranking_of_equal_runs_has_no_tau() -> None:
    runs = {name: np.array([0.5, 0.3]) for name in "abc"}
    scorer = Scorer(runs)
    found = finished(count_separated(scorer(("AgP",), None), QUICK, Again(scorer, results=(7,))))
    assert found.results[0].tau is None
    assert b'"tau": null' in rendered(found.output(), "jsonl")


def test_progress_is_told_for_each_cutoff() -> None:
    scorer = Scorer(synthetic(3, 4))
    told: list[Step] = []
    again = Again(scorer, cutoffs=(1,), results=(3, 7))
    finished(count_separated(scorer(("gP@10", "AP"), None), QUICK, again), told.append)
    assert [(step.done, step.total) for step in told] == [(1, 3), (2, 3), (3, 3)]


# -- what cannot be done


@pytest.mark.parametrize(
    ("runs", "sentence"),
    [
        ({"a": [0.1, 0.2]}, "lab power needs at least 2 runs, found 1 run"),
        ({"a": [0.1], "b": [0.2]}, "AgP: it needs at least 2 topics .* found 1"),
        (
            {"a": [0.1, float("nan")], "b": [float("nan"), 0.2]},
            "AgP: it needs at least 2 topics for which two runs have a value, found 0",
        ),
    ],
)
def test_what_is_needed_is_said(runs: dict[str, Any], sentence: str) -> None:
    with pytest.raises(SpanwiseError, match=sentence):
        found_for(runs)


def test_a_measure_without_values_is_named_and_the_others_go_on() -> None:
    nothing = [float("nan")] * 4
    runs = {"a": [[0.1, 0.4, 0.2, 0.3], nothing], "b": [[0.3, 0.2, 0.1, 0.1], nothing]}
    found = found_for(runs, ("AgP", "AP"))
    assert [told.measure for told in found.measures] == ["AgP"]
    assert "AP is left out: it needs at least 2 topics" in str(found.notes[0])


@pytest.mark.parametrize("wrong", [{"cutoffs": (0,)}, {"results": (5, -1)}])
def test_cutoffs_below_1_are_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises(SpanwiseError, match="give whole numbers of 1 or more"):
        Again(Scorer({}), **wrong)


# -- the chapter


def test_the_verdict_has_the_published_form() -> None:
    runs = {
        name: np.stack([values, np.full(12, 0.5)])
        for name, values in synthetic(20, 12, step=0.02).items()
    }
    found = found_for(runs, ("AgP", "AP"))
    told = found.measures[0].separated
    verdict = found.output().sentences
    assert verdict[0] == (
        f"AgP separates {told} of 190 pairs of runs ({100 * told / 190:.1f}%), the most of 2"
        " measures; AP separates 0 of 190 pairs of runs (0%), the fewest."
    )
    assert "p is not corrected for the number of pairs, as in Kamps et al. 2007" in verdict[1]
    assert found.output().tables[0].rows[1] == ("AP", "0 of 190", 0.0)


def test_measures_that_are_alike_are_told_together() -> None:
    runs = {name: np.stack([v, v]) for name, v in synthetic(3, 6).items()}
    verdict = found_for(runs, ("AgP", "AP")).output().sentences[0]
    assert verdict.startswith("AgP and AP separate ")


@pytest.mark.parametrize(
    ("procedure", "words"),
    [
        (
            Procedure(test="bootstrap", tail="two", correction="holm", resamples=1000),
            "two-tailed paired bootstrap test (shifted), 1,000 resamples; multiple-comparison"
            " correction by Holm",
        ),
        (Procedure(test="wilcoxon", tail="one"), "one-tailed Wilcoxon signed-rank test; multiple"),
        (Procedure(correction="bh"), "correction by Benjamini and Hochberg"),
    ],
)
def test_the_test_is_named(procedure: Procedure, words: str) -> None:
    found = found_for({"a": [0.1, 0.4, 0.2], "b": [0.3, 0.2, 0.1]}, procedure=procedure)
    assert words in found.output().sentences[1]


# -- the command


def test_the_command_counts_and_fits_80_columns() -> None:
    words = ("-m", "AgP", "-m", "AP", "-m", "gP@10", "--resamples", "1000", "--quiet")
    code, out, err = on_demo("power", *words)
    assert (code, err) == (0, "")
    assert max(map(len, out.splitlines())) <= 80
    assert re.search(r"AgP separates \d+ of 15 pairs of runs", out)
    assert "Share separated, by cut-off" in out
    assert "first 10  first 100" in out


def test_cutoffs_and_results_of_the_command() -> None:
    words = ("-m", "gP@10", "--cutoffs", "2, 3", "--results-cutoffs", "1", "--test", "t")
    code, out, _ = on_demo("power", *words, "-o", "jsonl", "--quiet")
    assert code == 0
    rows = [json.loads(line) for line in out.splitlines()]
    assert [(row["kind"], row["measure"]) for row in rows] == [
        ("power", "gP@10"),
        ("cutoff", "gP@2"),
        ("cutoff", "gP@3"),
        ("cutoff", "gP@10"),
        ("results", "gP@10"),
    ]
    assert rows[0]["told_apart"] == rows[3]["told_apart"]
    assert rows[-1]["results"] == 1
    assert rows[-1]["tau"] < 1


def test_results_are_those_of_evaluate() -> None:
    """The first 10 answers, scored here and by ``--results 10``."""
    words = ("-m", "AgP", "--test", "t", "--cutoffs", "none", "-o", "jsonl", "--quiet")
    _, cut, _ = on_demo("power", *words, "--results-cutoffs", "10")
    _, from_the_start, _ = on_demo("power", *words, "--results", "10", "--results-cutoffs", "5,50")
    whole, ten = (json.loads(line)["told_apart"] for line in cut.splitlines())
    first, five = (json.loads(line) for line in from_the_start.splitlines())
    assert whole != ten
    assert first["told_apart"] == ten
    assert five["results"] == 5, "of 10 answers nobody can keep 50"


def test_nothing_is_scored_again_if_nobody_wants_it() -> None:
    words = ("--cutoffs", "none", "--results-cutoffs", "none", "-o", "jsonl", "--quiet")
    code, out, _ = on_demo("power", *words)
    assert code == 0
    assert [json.loads(line)["measure"] for line in out.splitlines()] == ["AgP", "AP"]


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("--cutoffs", "0"), "--cutoffs: found '0', expected whole numbers of 1 or more"),
        (("--cutoffs", "5,"), "--cutoffs: found '5,'"),
        (("--results-cutoffs", "ten"), "--results-cutoffs: found 'ten'"),
        (("--topics", "t01"), "AgP: it needs at least 2 topics"),
    ],
)
def test_the_command_refuses(words: tuple[str, ...], sentence: str) -> None:
    code, out, err = on_demo("power", *words)
    assert (code, out) == (2, "")
    assert sentence in err
    assert "Traceback" not in err


def test_an_official_tool_knows_no_cutoff_of_results() -> None:
    runs = DEMO / "runs"
    files = (
        "lab",
        "power",
        DEMO / "assessments.first.jsonl",
        runs / "chunks.fol",
        runs / "sections.fol",
    )
    code, out, err = command(*files, "--compat", "inex_eval", "--results-cutoffs", "5")
    assert (code, out) == (2, "")
    assert "--results-cutoffs has no meaning with --compat" in err
