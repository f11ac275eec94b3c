"""Sentences about correlation, each with the table that would make it false."""

from __future__ import annotations

from itertools import combinations
from typing import Any

import numpy as np
import pytest

from lab.scored import scores_of, synthetic
from spanwise.lab.experiment import finished
from spanwise.lab.measure_agreement import GUIDES, CorrelationFound, MeasurePair, correlate
from spanwise.lab.overlap_table import OverlapRow, OverlapTable
from spanwise.statistics.correlation import Correlation
from spanwise.statistics.procedure import Procedure

QUICK = Procedure(resamples=200)


def told(runs: dict[str, Any], *measures: str, procedure: Procedure | None = QUICK) -> str:
    found = finished(correlate(scores_of(runs, measures), procedure))
    return " ".join(found.output().sentences)


def found_with(*taus: Correlation, procedure: Procedure | None = QUICK) -> CorrelationFound:
    """Three measures, or two, with these coefficients."""
    names = ("AgP", "AP", "AiP")[: 2 if len(taus) == 1 else 3]
    pairs = [
        MeasurePair(first, second, tau, None, None)
        for (first, second), tau in zip(combinations(names, 2), taus, strict=True)
    ]
    runs = tuple(f"r{n}" for n in range(taus[0].runs))
    return CorrelationFound(names, names, runs, tuple(pairs), procedure, None, ())


def tau(value: float | None, low: float | None, high: float | None, runs: int = 20) -> Correlation:
    return Correlation(value, low, high, runs, 30)


@pytest.mark.parametrize(
    ("coefficient", "verdict"),
    [
        (tau(0.95, 0.91, 0.98), "equivalent"),
        (tau(0.95, 0.9, 0.98), "undecided"),
        (tau(0.95, 0.7, 0.98), "undecided"),
        (tau(0.5, 0.3, 0.79), "noticeably different"),
        (tau(0.5, 0.3, 0.8), "undecided"),
        (tau(0.5, 0.3, 0.95), "undecided"),
        (tau(0.85, 0.81, 0.89), "undecided"),
        (tau(0.95, None, None), "undecided"),
        (tau(1.0, 1.0, 1.0, runs=9), "too few runs"),
        (tau(0.1, 0.0, 0.2, runs=9), "too few runs"),
        (tau(1.0, 1.0, 1.0, runs=10), "equivalent"),
        (tau(None, None, None), "undefined"),
        (tau(None, None, None, runs=2), "undefined"),
    ],
)
def test_a_verdict_needs_the_whole_interval_and_ten_runs(
    coefficient: Correlation, verdict: str
) -> None:
    assert MeasurePair("AgP", "AP", coefficient, None, None).verdict == verdict


@pytest.mark.parametrize("runs", [2, 3, 9])
def test_few_runs_get_no_verdict_however_clear_tau_is(runs: int) -> None:
    values = {name: np.stack([v, v]) for name, v in synthetic(runs, 12).items()}
    said = told(values, "AgP", "AP")
    assert f"AgP and AP rank {runs} runs with a tau of 1.000 (95% CI 1.000–1.000)." in said
    assert f"No verdict: at least 10 runs are needed, and there are {runs}." in said
    assert "equivalent" not in said


def test_one_topic_gives_no_interval_and_no_verdict() -> None:
    values = {f"r{n}": [[n / 20], [n / 20]] for n in range(12)}
    said = told(values, "AgP", "AP")
    assert said.startswith("AgP and AP rank 12 runs with a tau of 1.000.")
    assert "they are" not in said


def test_without_resamples_there_is_no_verdict() -> None:
    values = {name: np.stack([v, v]) for name, v in synthetic(12, 8).items()}
    said = told(values, "AgP", "AP", procedure=None)
    assert "equivalent" not in said
    assert "No verdict: it needs intervals of tau, and no topics were resampled." in said


def test_equal_taus_leave_no_pair_least_alike() -> None:
    values = {name: np.stack([v, v, v]) for name, v in synthetic(12, 8).items()}
    said = told(values, "AgP", "AP", "AiP")
    assert said == (
        "Over 12 runs, 3 of 3 pairs of measures are equivalent, 0 noticeably different and 0"
        f" undecided; every tau that is defined is 1.000. {GUIDES}"
    )
    assert "lowest" not in said


def test_the_lowest_tau_is_named_with_how_many_share_it() -> None:
    low, high = tau(0.2, 0.1, 0.3), tau(0.95, 0.92, 1.0)
    (said, guides) = found_with(low, high, low).output().sentences
    assert said == (
        "Over 20 runs, 1 of 3 pairs of measures are equivalent, 2 noticeably different and 0"
        " undecided; the lowest tau is 0.200 (95% CI 0.100–0.300), of AgP and AP, as for 1 other"
        " pair."
    )
    assert guides == GUIDES


def test_undefined_pairs_are_named_and_in_no_count() -> None:
    undefined, known = tau(None, None, None), tau(0.95, 0.92, 1.0)
    said = " ".join(found_with(undefined, known, undefined).output().sentences)
    assert "1 of 3 pairs of measures are equivalent, 0 noticeably different and 0 undecided" in said
    assert "the only tau that is defined is 0.950 (95% CI 0.920–1.000), of AgP and AiP" in said
    assert "Tau is undefined for 2 of 3 pairs of measures (AgP and AP; AP and AiP)" in said


def test_all_pairs_undefined_give_one_sentence() -> None:
    undefined = tau(None, None, None)
    (said,) = found_with(undefined, undefined, undefined).output().sentences
    assert said.startswith("Tau is undefined for 3 of 3 pairs of measures")


def test_a_tau_just_below_1_is_not_written_as_1() -> None:
    nearly = tau(0.99999, 0.9999, 0.99999)
    assert "tau of 0.99999 (95% CI 0.9999–0.99999)" in found_with(nearly).output().sentences[0]


def test_lower_is_better_counts_as_agreement() -> None:
    values = {name: np.stack([v, 1 - v]) for name, v in synthetic(12, 8).items()}
    assert "AgP and ANCE@10 rank 12 runs with a tau of 1.000" in told(values, "AgP", "ANCE@10")


# -- overlap ignored and considered


def overlap(ignored: tuple[float | None, ...], considered: tuple[float | None, ...]) -> str:
    rows = [
        OverlapRow(alpha, "inex_eval", (*taus, 1.0, 0.0))
        for alpha, taus in ((0.0, ignored), (1.0, considered))
    ]
    names = ("MAep", "Q", "inex_eval", "overlap")
    return OverlapTable(names, tuple(rows), "sog", 4, ("MAep", "Q")).verdict()


def test_undefined_taus_of_the_overlap_table_are_counted() -> None:
    assert overlap((1.0, None), (None, None)) == (
        "Tau with inex_eval is 1.000 (undefined for 1 of 2 measures) where overlap is ignored and"
        " undefined where it is considered (4 runs)."
    )
    assert overlap((0.5, 0.5), (-1.0, 0.2)).startswith(
        "Tau with inex_eval is 0.500 where overlap is ignored and -1.000 to 0.200 where"
    )
