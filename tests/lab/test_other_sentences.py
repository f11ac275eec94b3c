"""Sentences of insertion, power and baseline, each with the table that would make it false."""

from __future__ import annotations

from typing import Any

import pytest

from spanwise.evaluation.scores import Scores
from spanwise.lab.document_versions import Gain, Twins
from spanwise.lab.inserted_answers import Insertion
from spanwise.lab.separated_pairs import PowerFound, Separated
from spanwise.lab.whole_documents import Baseline, Verdict
from spanwise.lab.whole_documents import _sentences as baseline_sentences
from spanwise.measures.grammar import asked_for
from spanwise.statistics.comparison import Pair
from spanwise.statistics.procedure import Procedure

# -- insertion


def inserted(*rows: tuple[str, list[float | None], list[float | None]]) -> tuple[str, ...]:
    """Each measure with its scores at n = 0, 1, 2: inserted after the first answer, before it."""
    measures = tuple(asked_for(name) for name, _, _ in rows)
    values: Any = {
        "insert": tuple(tuple(after) for _, after, _ in rows),
        "precede": tuple(tuple(before) for _, _, before in rows),
    }
    return Insertion("list", 1, (0, 1, 2), measures, values, ()).output().sentences


FALLS, FALLS_MORE = [1.0, 0.8, 0.7], [1.0, 0.5, 0.4]


def test_a_measure_that_never_gets_better_is_named_alone() -> None:
    assert inserted(("AP", FALLS, FALLS_MORE)) == (
        "AP never gets better as irrelevant answers are inserted.",
        "An irrelevant answer before the first answer costs more than after it: AP by 37.50%.",
    )


@pytest.mark.parametrize(
    "rises", [([1.0, 0.8, 0.9], FALLS_MORE), (FALLS, [1.0, 0.5, 0.6]), ([0.5, 0.6, 0.4], FALLS)]
)
def test_a_rise_anywhere_is_told(rises: tuple[list[float], list[float]]) -> None:
    said = inserted(("AP", *rises), ("RR", FALLS, FALLS_MORE))
    assert (
        said[0] == "1 of 2 measures gets better somewhere as irrelevant answers are inserted: AP."
    )


def test_where_lower_is_better_a_fall_is_a_gain() -> None:
    said = inserted(("ANCE@10", FALLS, FALLS_MORE))
    assert said[0].startswith("1 of 1 measure gets better somewhere")
    assert said[1] == (
        "An irrelevant answer before the first answer costs less than after it: ANCE@10."
    )
    rises = [0.0, 1.0, 2.0]
    assert inserted(("ANCE@10", rises, rises))[0].startswith("ANCE@10 never gets better")


def test_no_measure_with_a_direction_makes_no_count() -> None:
    assert inserted(("overlap", FALLS, FALLS_MORE)) == (
        "Not judged, as neither high nor low values are better: overlap.",
    )


def test_the_same_place_and_undefined_values_are_told_apart() -> None:
    said = inserted(("AP", FALLS, FALLS), ("RR", [1.0, None, None], FALLS))
    assert said[1:] == (
        "An irrelevant answer before the first answer has the same effect as after it: AP.",
        "Undefined there: RR.",
    )


def test_a_cost_too_small_for_its_digits_is_not_written_as_0() -> None:
    said = inserted(("AP", [1.0, 0.8, 0.8], [1.0, 0.8 - 1e-7, 0.7]))
    assert "AP by under 0.01%" in said[1]


# -- power


def separated(*numbers: int, pairs: int = 10) -> str:
    names = ("AgP", "AP", "AiP", "RR")
    told = [
        Separated(name, name, number, pairs) for name, number in zip(names, numbers, strict=False)
    ]
    return PowerFound(tuple(told), (), (), (), Procedure(), ()).output().sentences[0]


@pytest.mark.parametrize(
    ("numbers", "sentence"),
    [
        ((5,), "AgP separates 5 of 10 pairs of runs (50.0%)."),
        ((0,), "AgP separates 0 of 10 pairs of runs (0%)."),
        ((5, 5), "AgP and AP separate 5 of 10 pairs of runs (50.0%)."),
        (
            (5, 5, 2),
            "AgP and AP separate 5 of 10 pairs of runs (50.0%), the most of 3 measures; AiP"
            " separates 2 of 10 pairs of runs (20.0%), the fewest.",
        ),
        (
            (2, 9, 2, 3),
            "AP separates 9 of 10 pairs of runs (90.0%), the most of 4 measures; AgP and AiP"
            " separate 2 of 10 pairs of runs (20.0%), the fewest.",
        ),
    ],
)
def test_measures_with_equal_counts_share_a_place(numbers: tuple[int, ...], sentence: str) -> None:
    assert separated(*numbers) == sentence


def test_one_pair_of_runs() -> None:
    assert separated(1, pairs=1) == "AgP separates 1 of 1 pair of runs (100%)."


# -- baseline


def pair(run: str, difference: float, p: float, corrected: float) -> Any:
    """A pair, of which only what the sentences use is known."""
    made = object.__new__(Pair)
    for name, value in (("a", run), ("difference", difference), ("p", p)):
        object.__setattr__(made, name, value)
    object.__setattr__(made, "p_corrected", corrected)
    return made


def gained(name: str, *pairs: Any, whole: tuple[str, ...] = ()) -> list[str]:
    lower = name.startswith("ANCE")
    gains = tuple(Gain(one.a, one, lower, 0.05) for one in pairs)
    twins = Twins(Scores((), ()), Scores((), ()), whole, 1)
    procedure = Procedure(test="t", tail="two", correction="holm")
    found = Baseline(twins, procedure, (Verdict(asked_for(name), gains, None),), ())
    return list(baseline_sentences(found))


def test_a_gain_is_significant_only_after_the_correction() -> None:
    said = gained("AgP", pair("a", 0.2, 0.03, 0.06), pair("b", 0.1, 0.01, 0.02))
    assert said[0].endswith("2 of 2 by AgP.")
    assert said[1] == "Significant gains: 1 by AgP."


def test_equal_runs_neither_gain_nor_lose() -> None:
    said = gained("AgP", pair("a", 0.0, 0.0, 0.0))
    assert said[0].endswith("0 of 1 by AgP.")
    assert said[1] == "Significant gains: 0 by AgP."
    assert not any("losses" in sentence for sentence in said)


def test_where_lower_is_better_a_negative_difference_is_a_gain() -> None:
    said = gained("ANCE@10", pair("a", -0.2, 0.001, 0.002), pair("b", 0.2, 0.001, 0.002))
    assert said[0].endswith("1 of 2 by ANCE@10.")
    assert said[1:3] == ["Significant gains: 1 by ANCE@10.", "Significant losses: 1 by ANCE@10."]


def test_runs_of_whole_documents_are_named() -> None:
    said = gained("AgP", pair("a", 0.1, 0.2, 0.2), whole=("d",))
    assert said[-1] == "Left out, as they return whole documents already: d."
