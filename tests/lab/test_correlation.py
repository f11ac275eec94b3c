"""Correlation of measures: the published anchor, directions, guides, the overlap table."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest

from lab.scored import DEMO, command, on_demo, scores_of, synthetic
from spanwise.data.notes import Note
from spanwise.errors import SpanwiseError
from spanwise.lab.experiment import Step, finished
from spanwise.lab.measure_agreement import GUIDES, CorrelationFound, correlate
from spanwise.lab.overlap_table import (
    PUBLISHED,
    OverlapTable,
    overlap_correlations,
    overlap_measures,
    with_alpha,
)
from spanwise.measures.grammar import parse_measure
from spanwise.measures.lists.gains import GainList
from spanwise.reporting.render import rendered
from spanwise.reporting.render.cells import Look
from spanwise.statistics.correlation import ap_correlation, kendall
from spanwise.statistics.procedure import Procedure

QUICK = Procedure(resamples=200)
MAP_ORDER = (5, 1, 2, 3, 6, 20, 4, 13, 8, 9, 7, 10, 11, 12, 14, 17, 16, 15, 19, 18)
"""Runs of Kamps et al. 2007, table 2, in the order of AP; by the other measure they are 1..20."""


def found_for(
    runs: dict[str, Any], measures: tuple[str, ...], procedure: Procedure | None = QUICK
) -> CorrelationFound:
    return finished(correlate(scores_of(runs, measures), procedure))


def ranked(*orders: tuple[int, ...]) -> dict[str, Any]:
    """Runs that each measure puts into one of the orders, on every one of three topics."""
    names = sorted(orders[0])
    return {f"r{n}": [[1 - order.index(n) / 100] * 3 for order in orders] for n in names}


def test_the_published_anchor() -> None:
    found = found_for(ranked(tuple(range(1, 21)), MAP_ORDER), ("AgP", "AP"))
    (pair,) = found.pairs
    assert pair.tau.coefficient == pytest.approx(0.673684, abs=5e-7)
    assert round(0.673684, 3) == 0.674
    assert pair.verdict == "noticeably different"
    assert found.output().sentences == (
        "AgP and AP rank 20 runs with a tau of 0.674 (95% CI 0.674–0.674): they are noticeably"
        " different.",
        GUIDES,
    )


def test_every_pair_is_there_with_both_coefficients() -> None:
    runs = {name: np.stack([v, v**2, 1 - v, v]) for name, v in synthetic(7, 9).items()}
    found = found_for(runs, ("AgP", "AP", "AiP", "ANCE@10"))
    assert [(pair.first, pair.second) for pair in found.pairs] == [
        *(("AgP", other) for other in ("AP", "AiP", "ANCE@10")),
        *(("AP", other) for other in ("AiP", "ANCE@10")),
        ("AiP", "ANCE@10"),
    ]
    means = {name: values.mean(axis=1) for name, values in runs.items()}
    table = np.array(list(means.values())).T
    first = found.pairs[0]
    assert first.tau.coefficient == kendall(table[0], table[1])
    assert first.ap == pytest.approx(ap_correlation(table[0], table[1]), abs=1e-12)
    assert first.ap_turned == pytest.approx(ap_correlation(table[1], table[0]), abs=1e-12)


def test_the_reference_of_the_ap_correlation_is_the_first_measure() -> None:
    (pair,) = found_for(ranked((1, 2, 3, 4), (3, 1, 2, 4)), ("AgP", "AP")).pairs
    assert pair.ap == pytest.approx(2 / 3 * (0 + 1 / 2 + 1) - 1)
    assert pair.ap_turned == pytest.approx(2 / 3 * (1 + 0 + 1) - 1)


def test_measures_of_effort_are_turned_round() -> None:
    runs = {name: np.stack([v, 1 - v, v]) for name, v in synthetic(6, 8).items()}
    found = found_for(runs, ("AgP", "ANCE@10", "overlap"))
    assert [pair.tau.coefficient for pair in found.pairs] == [1.0, 1.0, 1.0]
    assert [pair.ap for pair in found.pairs] == pytest.approx([1.0, 1.0, 1.0])


def test_an_interval_encloses_its_tau_and_0_resamples_give_none() -> None:
    runs = {name: np.stack([v, np.sqrt(v)]) for name, v in synthetic(8, 12).items()}
    (with_interval,) = found_for(runs, ("AgP", "AP")).pairs
    (without,) = found_for(runs, ("AgP", "AP"), None).pairs
    low, tau, high = (with_interval.tau.low, with_interval.tau.coefficient, with_interval.tau.high)
    assert low is not None
    assert tau is not None
    assert high is not None
    assert low <= tau <= high
    assert low < high
    assert without.tau.coefficient == tau
    assert without.tau.low is None
    chapter = found_for(runs, ("AgP", "AP"), None).output()
    assert not any("CI" in column.name for column in chapter.tables[0].columns)


def test_a_measure_that_ties_all_runs_has_no_tau_and_says_so() -> None:
    runs = {name: np.stack([v, np.ones(5), v]) for name, v in synthetic(4, 5).items()}
    found = found_for(runs, ("AgP", "Success@5", "AP"))
    assert [pair.tau.coefficient for pair in found.pairs] == [None, 1.0, None]
    assert [pair.verdict for pair in found.pairs] == ["undefined", "too few runs", "undefined"]
    assert Note("equal means", about="Success@5") in found.notes
    text = rendered(found.output(), "jsonl").decode()
    assert '"tau": null' in text
    assert "NaN" not in text


def test_no_pair_at_all_is_told() -> None:
    runs = {name: np.ones((2, 5)) for name in "abc"}
    verdict = found_for(runs, ("AgP", "AP")).output().sentences
    assert verdict == (
        "Tau is undefined for 1 of 1 pair of measures (AgP and AP): a measure gives all runs the"
        " same mean, or no topic has values under both.",
    )


def test_topics_count_that_both_measures_have() -> None:
    nothing = float("nan")
    runs = {
        "a": [[0.5, 0.1, 0.3], [0.4, nothing, 0.4]],
        "b": [[0.3, 0.9, 0.2], [0.2, nothing, 0.2]],
    }
    (pair,) = found_for(runs, ("AgP", "AP")).pairs
    assert (pair.tau.coefficient, pair.tau.topics) == (1.0, 2)


def test_measures_without_a_common_topic() -> None:
    nothing = float("nan")
    runs = {"a": [[0.5, nothing], [nothing, 0.4]], "b": [[0.3, nothing], [nothing, 0.2]]}
    found = found_for(runs, ("AgP", "AP"))
    assert (found.pairs[0].tau.coefficient, found.pairs[0].ap) == (None, None)
    assert Note("no shared topic", detail="AgP and AP") in found.output().notes


def test_a_topic_that_some_run_lacks_is_named() -> None:
    nothing = float("nan")
    runs = {"a": [[0.5, 0.2], [0.1, 0.4]], "b": [[0.3, nothing], [0.3, 0.1]]}
    found = found_for(runs, ("AgP", "AP"))
    [note] = found.notes
    assert str(note) == "AgP: 1 topic has no value in some run; left out (q001)"
    assert found.pairs[0].tau.topics == 1


@pytest.mark.parametrize(
    ("runs", "measures", "sentence"),
    [
        ({"a": [[0.1], [0.2]]}, ("AgP", "AP"), "needs at least 2 runs, found 1 run"),
        ({"a": [0.1], "b": [0.2]}, ("AgP",), "needs at least 2 measures, found AgP"),
    ],
)
def test_what_is_needed_is_said(
    runs: dict[str, Any], measures: tuple[str, ...], sentence: str
) -> None:
    with pytest.raises(SpanwiseError, match=sentence):
        found_for(runs, measures)


# -- the chapter


def test_matrices_for_three_measures_and_more() -> None:
    runs = {name: np.stack([v, v**2, 1 - v]) for name, v in synthetic(7, 9).items()}
    found = found_for(runs, ("AgP", "AP", "ANCE@10"))
    tau, ap, pairs = found.output().tables
    assert [row[0] for row in tau.rows] == ["1 AgP", "2 AP", "3 ANCE@10"]
    assert tau.rows[0][2] == tau.rows[1][1] == found.pairs[0].tau.coefficient
    assert tau.rows[0][1] is None
    assert (ap.rows[0][2], ap.rows[1][1]) == (found.pairs[0].ap, found.pairs[0].ap_turned)
    assert [row[0] for row in pairs.rows] == ["AgP - AP", "AgP - ANCE@10", "AP - ANCE@10"]


def test_long_names_go_by_their_number() -> None:
    names = ("gP(T2Iprec(tolerance=300))@5", "gP(T2Iprec(tolerance=300))@10", "AP")
    runs = {name: np.stack([v, v**2, 1 - v]) for name, v in synthetic(7, 9).items()}
    chapter = found_for(runs, names).output()
    assert [row[0] for row in chapter.tables[-1].rows] == ["1 - 2", "1 - 3", "2 - 3"]
    text = rendered(chapter, "table", Look()).decode()
    assert max(map(len, text.splitlines())) <= 80


def test_of_many_pairs_the_least_alike_are_shown_and_all_are_rows() -> None:
    names = tuple(f"P@{n}" for n in range(1, 12))
    generator = np.random.default_rng(1)
    runs = {f"r{n}": generator.random((11, 6)) for n in range(6)}
    chapter = found_for(runs, names, None).output()
    assert len(chapter.rows.items) == 55
    taus = [row[1] for row in chapter.tables[-1].rows]
    known = sorted(row["tau"] for row in chapter.rows.items if isinstance(row["tau"], float))
    assert taus == known[:20]


def test_rows() -> None:
    runs = {name: np.stack([v, 1 - v]) for name, v in synthetic(5, 6).items()}
    text = rendered(found_for(runs, ("AgP", "ANCE@10")).output(), "jsonl")
    (row,) = [json.loads(line) for line in text.splitlines()]
    assert row["kind"] == "pair"
    assert (row["first"], row["second"]) == ("AgP", "ANCE@10")
    assert row["first_canonical"] == "AgP(F(beta=1))"
    assert (row["tau"], row["runs"], row["topics"]) == (1.0, 5, 6)
    assert row["tau_ap"] == pytest.approx(1.0)
    assert row["verdict"] == "too few runs"


def test_progress_is_told_pair_by_pair() -> None:
    told: list[Step] = []
    runs = {name: np.stack([v, v, v]) for name, v in synthetic(3, 4).items()}
    finished(correlate(scores_of(runs, ("AgP", "AP", "AiP")), QUICK), told.append)
    assert [(step.done, step.total) for step in told] == [(1, 3), (2, 3), (3, 3)]


# -- the overlap table


def test_each_gain_measure_is_scored_twice() -> None:
    measures = [parse_measure(name) for name in ("MAep", "AgP", "nxCG(elements(quant=gen))@5")]
    assert [str(measure) for measure in overlap_measures(measures, "spec")] == [
        "MAep(elements(quant=spec,alpha=0))",
        "MAep(elements(quant=spec,alpha=1))",
        "nxCG(elements(quant=gen,alpha=0))@5",
        "nxCG(elements(quant=gen,alpha=1))@5",
        "inex_eval(quant=spec)",
        "overlap",
    ]


def test_the_quantisation_of_inex_eval_is_that_of_the_measures() -> None:
    measures = overlap_measures([parse_measure("Q(elements(quant=gen))")], "sog")
    assert str(measures[-2]) == "inex_eval(quant=gen)"


def test_a_table_without_gain_measures_is_refused() -> None:
    with pytest.raises(SpanwiseError, match="needs gain measures, such as MAep, Q, Rmeasure"):
        overlap_measures([parse_measure("AgP")], "spec")


def made_table(columns: dict[str, list[float]]) -> OverlapTable:
    """From the means of runs under each measure of the table."""
    names = list(columns)
    runs = {f"r{n}": [[columns[name][n]] for name in names] for n in range(4)}
    return overlap_correlations(scores_of(runs, tuple(names)))


def test_the_form_of_the_published_table() -> None:
    table = made_table(
        {
            "MAep(elements(alpha=0))": [0.1, 0.2, 0.3, 0.4],
            "MAep(elements(alpha=1))": [0.4, 0.3, 0.2, 0.1],
            "MAnxCG(elements(alpha=0))": [0.1, 0.2, 0.4, 0.3],
            "MAnxCG(elements(alpha=1))": [0.4, 0.3, 0.1, 0.2],
            "inex_eval(quant=sog)": [0.2, 0.3, 0.4, 0.5],
            "overlap": [0.9, 0.8, 0.7, 0.6],
        }
    )
    assert table.columns == ("MAep", "MAnxCG", "inex_eval", "overlap")
    third = pytest.approx(2 / 3)
    assert [(row.alpha, row.reference, row.taus) for row in table.lines] == [
        (0.0, "inex_eval", (1.0, third, 1.0, -1.0)),
        (0.0, "overlap", (-1.0, pytest.approx(-2 / 3), -1.0, 1.0)),
        (1.0, "inex_eval", (-1.0, pytest.approx(-2 / 3), 1.0, -1.0)),
        (1.0, "overlap", (1.0, third, -1.0, 1.0)),
    ]
    assert table.verdict() == (
        "Tau with inex_eval is 0.667 to 1.000 where overlap is ignored and -1.000 to -0.667 where"
        " it is considered (4 runs)."
    )
    assert [row[0] for row in table.table().rows] == [
        "ignored, inex_eval",
        "ignored, overlap",
        "considered, inex_eval",
        "considered, overlap",
    ]


def test_measures_that_differ_in_their_item_keep_their_whole_name() -> None:
    names = [
        f"Q(elements(quant={quant},alpha={alpha}))" for quant in ("sog", "gen") for alpha in (0, 1)
    ]
    table = made_table(
        {name: [0.1, 0.2, 0.3, 0.4] for name in (*names, "inex_eval(quant=sog)", "overlap")}
    )
    assert table.columns[:2] == (
        "Q(elements(quant=sog,alpha=0))",
        "Q(elements(quant=gen,alpha=0))",
    )


def test_runs_that_never_overlap_leave_a_gap_and_no_number() -> None:
    table = made_table(
        {
            "Q(elements(alpha=0))": [0.1, 0.2, 0.3, 0.4],
            "Q(elements(alpha=1))": [0.1, 0.2, 0.3, 0.4],
            "inex_eval(quant=sog)": [0.2, 0.3, 0.4, 0.5],
            "overlap": [0.0] * 4,
        }
    )
    assert table.lines[1].taus == (None, None, None)


def test_considering_overlap_leads_away_from_inex_eval() -> None:
    """As published: gain measures that ignore overlap rank runs as inex_eval does."""
    code, out, err = on_demo("correlation", "--overlap-table", "-o", "jsonl", "--quiet")
    assert (code, err) == (0, "")
    rows = [json.loads(line) for line in out.splitlines()]
    taus = {
        alpha: [
            row["tau"]
            for row in rows
            if row["kind"] == "overlap" and (row["alpha"], row["reference"]) == (alpha, "inex_eval")
        ][:4]
        for alpha in (0, 1)
    }
    assert min(taus[0]) > 0.9
    assert max(taus[1]) < 0.9


def test_members_of_a_nickname_stand_on_what_the_data_have() -> None:
    """The nickname all has nxCG over graded elements, which the demo does not have."""
    words = ("-m", "all", "--overlap-table", "--resamples", "0", "-o", "jsonl", "--quiet")
    code, out, err = on_demo("correlation", *words)
    assert (code, err) == (0, "")
    rows = [json.loads(line) for line in out.splitlines()]
    assert {"MAep", "nxCG@10", "Q"} < {row["measure"] for row in rows if row["kind"] == "overlap"}


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("-m", "AgP", "--overlap-table"), "the overlap table needs gain measures"),
        (("-m", "AgP"), "lab correlation needs at least 2 measures, found AgP"),
        (("-m", "AgPP"), "unknown measure 'AgPP': did you mean AgP?"),
        (("--to", "nowhere/found.txt"), "nowhere"),
    ],
)
def test_the_command_refuses(words: tuple[str, ...], sentence: str) -> None:
    code, out, err = on_demo("correlation", *words)
    assert (code, out) == (2, "")
    assert sentence in err
    assert "Traceback" not in err


def test_the_overlap_table_needs_elements() -> None:
    runs = DEMO / "runs"
    judged = DEMO / "assessments.first.jsonl"
    files = (judged, runs / "chunks.fol", runs / "sections.fol")
    code, out, err = command("lab", "correlation", *files, "--overlap-table")
    assert (code, out) == (2, "")
    assert "needs the documents' elements: give --collection or --elements" in err


def test_the_command_shows_its_default_measures_and_says_so() -> None:
    code, out, err = on_demo("correlation", "--resamples", "0")
    assert code == 0
    assert "1 AgP  " in out
    assert " CI" not in out
    assert "no measure was given: AgP, AgP(F(beta=0.25)), AiP, AP are shown" in err


def test_with_alpha_keeps_everything_else() -> None:
    measure = parse_measure("nxCG(elements(quant=gen,near=ratio))@7")
    assert isinstance(measure, GainList)
    assert str(with_alpha(measure, 0)) == "nxCG(elements(quant=gen,alpha=0,near=ratio))@7"


def test_a_measure_that_says_nothing_of_overlap_is_refused() -> None:
    measure = parse_measure("Q")
    assert isinstance(measure, GainList)
    with pytest.raises(SpanwiseError, match="items that ignore overlap"):
        with_alpha(measure, 0)


def test_the_table_stands_in_the_chapter() -> None:
    names = [str(m) for m in overlap_measures([parse_measure(p) for p in PUBLISHED], "sog")]
    generator = np.random.default_rng(2)
    runs = {f"r{n}": generator.random((len(names), 4)) for n in range(5)}
    scores = scores_of(runs, tuple(names))
    found = finished(correlate(scores.only(names[:1]), QUICK, overlap=scores))
    chapter = found.output()
    assert len(chapter.tables) == 1
    assert [row["kind"] for row in chapter.rows.items] == ["overlap"] * 24
    assert chapter.sentences[0].startswith("Tau with inex_eval is")
    text = rendered(chapter, "table", Look()).decode()
    assert text.split("\n")[4].split()[1:] == [*PUBLISHED, "inex_eval", "overlap"]
    assert max(map(len, text.splitlines())) <= 80
