"""Runs against their own whole-document versions."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from spanwise import evaluate
from spanwise.cli.main import main
from spanwise.data.run import Extent, Run
from spanwise.errors import InputError, MeasureError, NeedError
from spanwise.evaluation.evaluate import Evaluation
from spanwise.evaluation.policy import Policy
from spanwise.formats.memory import assessments_from
from spanwise.lab.document_versions import RANKS
from spanwise.lab.experiment import Step, finished
from spanwise.lab.whole_documents import MEASURES, Baseline, compare_with_documents
from spanwise.measures.grammar import asked
from spanwise.statistics.paired_tests import t_test

LENGTH = 9000
TOPICS = [f"q{number}" for number in range(6)]
WANTED = {topic: (4000, 4100 + 10 * place) for place, topic in enumerate(TOPICS)}
JUDGED = {topic: {"d": [span]} for topic, span in WANTED.items()}
LENGTHS = {"d": LENGTH, "e": LENGTH}


def judged(
    *measures: str, lengths: dict[str, int] = LENGTHS, policy: Policy | None = None
) -> Evaluation:
    wanted = tuple(one for name in measures for one in asked(name))
    known = assessments_from(JUDGED).with_lengths(lengths)
    return Evaluation(known, wanted, policy or Policy())


def returning(name: str, start: int, end: int, topics: list[str] = TOPICS) -> Run:
    size = len(topics)
    return Run.of(name, topics, ["d"] * size, start=[start] * size, end=[end] * size)


EXACT = returning("exact", 4000, 4120)
WRONG = returning("wrong", 0, 100)
WHOLE = Run.of("documents", TOPICS, ["d"] * len(TOPICS))


def found_for(*runs: Run, measures: tuple[str, ...] = MEASURES) -> Baseline:
    return finished(compare_with_documents(judged(*measures), [[run] for run in runs]))


def twin_values(run: Run, measure: str) -> tuple[Any, Any]:
    """The same two runs through the front door."""
    known = assessments_from(JUDGED).with_lengths(LENGTHS)
    whole = Run.of("whole", list(run.topics), ["d"] * len(run.topics))
    scores = [evaluate(known, one, [measure]).per_topic(measure) for one in (run, whole)]
    return tuple(np.array([one[topic] for topic in run.topics]) for one in scores)


# -- one run under one measure


@pytest.mark.parametrize("measure", [*MEASURES, "AP", "AgP(P)", "AgP(R)", "textF"])
@pytest.mark.parametrize("run", [EXACT, WRONG], ids=lambda run: run.name)
def test_means_gain_and_p_are_those_of_the_two_runs(measure: str, run: Run) -> None:
    own, whole = twin_values(run, measure)
    [verdict] = found_for(run, measures=(measure,)).verdicts
    [gain] = verdict.gains
    assert gain.pair.mean_a == pytest.approx(own.mean())
    assert gain.pair.mean_b == pytest.approx(whole.mean())
    sign = -1 if measure.startswith("ANCE") else 1
    assert gain.gain == pytest.approx(sign * (own.mean() - whole.mean()))
    assert gain.pair.wins == np.count_nonzero(sign * (own - whole) > 0)
    assert gain.pair.losses == np.count_nonzero(sign * (own - whole) < 0)
    differences = (own - whole)[:, None]
    if np.ptp(differences) > 1e-12:
        assert gain.pair.p == pytest.approx(float(t_test(differences, "two")[0]), rel=1e-6)


def test_a_run_that_finds_the_place_gains_by_every_measure() -> None:
    found = found_for(EXACT)
    assert [verdict.gaining for verdict in found.verdicts] == [1] * len(MEASURES)
    assert found.verdicts[0].significantly == 1


def test_a_run_that_misses_the_place_loses() -> None:
    verdicts = {one.measure.label: one for one in found_for(WRONG).verdicts}
    assert verdicts["AgP(F(beta=1))"].gaining == 0
    assert verdicts["AgP(F(beta=1))"].losing == 1
    # Who begins with the first characters reads the document as it is.
    assert verdicts["ANCE(LE(screen=2000))@600"].gains[0].gain == 0
    assert not verdicts["ANCE(LE(screen=2000))@600"].gains[0].significant


def test_lower_is_better_for_effort() -> None:
    effort = found_for(EXACT, measures=("ANCE(LE(screen=300))@600",)).verdicts[0].gains[0]
    assert effort.pair.mean_a < effort.pair.mean_b
    assert effort.gain > 0
    assert (effort.pair.wins, effort.pair.ties, effort.pair.losses) == (6, 0, 0)


# -- all runs together


def test_runs_are_counted() -> None:
    [verdict] = found_for(EXACT, WRONG, returning("wide", 3900, 4700), measures=("AgP",)).verdicts
    assert [gain.run for gain in verdict.gains] == ["exact", "wrong", "wide"]
    assert [gain.gains for gain in verdict.gains] == [True, False, True]
    assert (verdict.gaining, verdict.significantly, verdict.losing) == (2, 2, 1)


def test_runs_of_whole_documents_are_left_out_of_the_count() -> None:
    complete = returning("complete", 0, LENGTH)
    found = found_for(EXACT, WHOLE, complete, measures=("AgP",))
    assert found.whole == ("documents", "complete")
    assert found.focused == ("exact",)
    assert len(found.verdicts[0].gains) == 1
    assert "whole documents already: documents, complete." in found.output().sentences[-1]


def test_tau_is_over_all_runs_and_their_versions() -> None:
    """Whole-document versions differ only in the documents they list: here, one comes later."""
    later = Run.of(
        "later",
        [topic for topic in TOPICS for _ in "ed"],
        ["e", "d"] * len(TOPICS),
        start=[4000] * 12,
        end=[4120] * 12,
    )
    whole = Run.of("documents", TOPICS, ["d"] * len(TOPICS))
    [verdict] = found_for(EXACT, later, whole, measures=("AgP",)).verdicts
    # By parts: exact, later, documents. Whole: exact = documents, later; 1 of 3 pairs turned.
    assert verdict.tau == pytest.approx((1 - 1) / math.sqrt(3 * 2))
    [alone] = found_for(EXACT, measures=("AgP",)).verdicts
    assert alone.tau is None


def test_p_is_corrected_over_the_runs() -> None:
    [verdict] = found_for(EXACT, returning("wide", 3900, 4700), measures=("AgP",)).verdicts
    p = sorted(gain.pair.p for gain in verdict.gains)
    corrected = sorted(gain.pair.p_corrected for gain in verdict.gains)
    assert corrected[0] == pytest.approx(min(1, 2 * p[0]))
    assert corrected[1] == pytest.approx(max(2 * p[0], p[1]))


def test_blocks_of_one_name_are_one_run() -> None:
    parts = [returning("exact", 4000, 4120, [topic]) for topic in TOPICS]
    whole = found_for(EXACT, measures=("AgP",))
    pieces = finished(compare_with_documents(judged("AgP"), [parts]))
    assert pieces.verdicts[0].gains == whole.verdicts[0].gains


def test_limits_on_results_hold_for_both_versions() -> None:
    """With one result the document at the second rank is in neither."""
    run = Run.of("x", ["q0"] * 2 + ["q1"] * 2, ["e", "d"] * 2, start=[4000] * 4, end=[4100] * 4)
    found = finished(compare_with_documents(judged("AgP", policy=Policy(results=1)), [[run]]))
    assert found.verdicts[0].gains[0].pair.mean_b == 0


def test_an_empty_run_neither_gains_nor_counts_as_whole() -> None:
    found = found_for(EXACT, Run.of("silent", [], [], start=[], end=[]), measures=("AgP",))
    assert found.focused == ("exact", "silent")
    assert [gain.gain for gain in found.verdicts[0].gains][1] == 0


def test_a_run_without_values_is_left_out_of_the_count() -> None:
    silent = Run.of("silent", [], [], start=[], end=[])
    setting = judged("AgP", policy=Policy(missing="skip"))
    found = finished(compare_with_documents(setting, [[EXACT], [silent]]))
    [verdict] = found.verdicts
    assert [gain.run for gain in verdict.gains] == ["exact"]
    assert "both versions of silent; left out of its count" in str(found.output().notes[0])
    assert "1 of 1 by AgP" in found.output().sentences[0]


def test_the_order_of_runs_changes_nothing() -> None:
    one, two = found_for(EXACT, WRONG), found_for(WRONG, EXACT)
    for first, second in zip(one.verdicts, two.verdicts, strict=True):
        assert first.gains[0].pair.p == second.gains[1].pair.p
        assert first.tau == second.tau


def test_steps_count_the_runs() -> None:
    steps: list[Step] = []
    finished(compare_with_documents(judged("AgP"), [[EXACT], [WRONG]]), steps.append)
    assert steps == [Step(1, 2, "runs"), Step(2, 2, "runs")]


# -- curves


def test_curves_of_gp_and_nce() -> None:
    found = found_for(EXACT, WRONG, WHOLE)
    names = [curve.measure for curve in found.curves]
    assert names == [
        *("gP(F(beta=1))", "gP(F(beta=0.25))", "gP(aveChP(after=natural,within=document))"),
        *("gP(T2If(tolerance=300,beta=1))", "gP(T2If(tolerance=2000,beta=1))"),
        *("NCE(LE(screen=300))", "NCE(LE(screen=2000))"),
    ]
    curve = found.curves[0]
    assert [run for run, _ in curve.runs] == ["exact", "exact_doc", "wrong", "wrong_doc"]
    assert curve.ranks == RANKS[:2], "no list is longer than one document"
    exact = curve.runs[0][1]
    assert exact[1] == pytest.approx(exact[0] / 2)


def test_only_the_best_runs_are_drawn() -> None:
    runs = [returning(f"r{width}", 4000 - width, 4120 + width) for width in (0, 50, 100, 200)]
    curve, *_ = found_for(*runs[::-1], measures=("AgP",)).curves
    assert [run for run, _ in curve.runs] == ["r0", "r0_doc", "r50", "r50_doc", "r100", "r100_doc"]
    effort, *_ = found_for(*runs[::-1], measures=("NCE(LE(screen=20))@5",)).curves
    assert effort.lower
    assert effort.runs[0][0] == "r0"


def test_measures_without_curves_have_no_plots() -> None:
    assert found_for(EXACT, measures=("textF",)).curves == ()


# -- what is refused


def test_only_whole_documents_cannot_be_compared() -> None:
    with pytest.raises(InputError, match=r"found whole documents only .documents., expected a run"):
        found_for(WHOLE)


def test_one_topic_is_too_few() -> None:
    known = assessments_from({"q0": JUDGED["q0"]}).with_lengths(LENGTHS)
    run = returning("x", 4000, 4100, ["q0"])
    with pytest.raises(InputError, match="found 1 topic with relevant text, expected at least 2"):
        finished(compare_with_documents(Evaluation(known, tuple(asked("AgP"))), [[run]]))


@pytest.mark.parametrize("measure", ["AgP", "AgP(T2If)", "textF"])
def test_lengths_must_be_known(measure: str) -> None:
    with pytest.raises(NeedError, match=r"the length of document d .* is needed .* but not known"):
        finished(compare_with_documents(judged(measure, lengths={}), [[EXACT]]))


def test_members_of_a_nickname_that_need_lengths_are_left_out() -> None:
    """Average precision and effort need only the end of the relevant text."""
    found = finished(compare_with_documents(judged("arvola", lengths={}), [[EXACT]]))
    assert [one.measure.label for one in found.verdicts] == [
        "AgP(aveChP)",
        "ANCE(LE(screen=300))@600",
        "ANCE(LE(screen=2000))@600",
    ]
    left_out = " ".join(str(n) for n in found.output().notes if n.kind == "left out")
    assert "AgP(T2If(tolerance=300))" in left_out
    assert "AgP(F(beta=0.25))" in left_out
    assert "gP(F(beta=0.25))@1" not in left_out, "nobody asked for the points of curves"


def test_a_measure_without_direction_is_refused() -> None:
    with pytest.raises(MeasureError, match="overlap: neither high nor low values are better"):
        found_for(EXACT, measures=("AgP", "overlap"))


def test_what_every_measure_needs_is_said() -> None:
    [bepd] = [one for one in asked("inex2006") if "BEPD" in one.label]
    known = assessments_from(JUDGED).with_lengths(LENGTHS)
    with pytest.raises(NeedError, match=r"no measure can be computed: .* needs the mean length"):
        finished(compare_with_documents(Evaluation(known, (bepd,)), [[EXACT]]))


def test_a_member_of_a_nickname_without_direction_is_left_out() -> None:
    found = found_for(EXACT, measures=("rag",))
    assert not {"read@5", "overlap"} & {one.measure.label for one in found.verdicts}
    assert any("read@5, overlap are left out" in str(note) for note in found.twins.scores.notes)


def test_two_runs_of_one_name_are_refused() -> None:
    with pytest.raises(InputError, match="two runs named exact"):
        found_for(EXACT, EXACT)


# -- the chapter


def test_rows_for_programs() -> None:
    chapter = found_for(EXACT, WRONG, WHOLE, measures=("AgP", "ANCE")).output()
    kinds = [row["kind"] for row in chapter.rows.items]
    assert [kinds.count(kind) for kind in ("run", "measure", "whole")] == [4, 2, 1]
    run = chapter.rows.items[0]
    assert list(run) == [
        *("kind", "measure", "canonical", "run", "parts", "whole", "gain", "wins", "ties"),
        *("losses", "topics", "p", "p_corrected", "gains", "significant"),
    ]
    assert (run["run"], run["topics"], run["gains"]) == ("exact", 6, True)
    counted = next(row for row in chapter.rows.items if row["kind"] == "measure")
    assert (counted["runs"], counted["gain"], counted["gain_significantly"]) == (2, 1, 1)
    values = [value for row in chapter.rows.items for value in row.values()]
    assert not any(isinstance(value, float) and not math.isfinite(value) for value in values)


def test_the_sentences_count() -> None:
    told = found_for(EXACT, WRONG, measures=("AgP", "textR")).output().sentences
    assert "1 of 2 by AgP; 0 of 2 by textR" in told[0]
    assert told[1] == "Significant gains: 1 by AgP; 0 by textR."
    assert told[2] == "Significant losses: 1 by AgP.", "textR loses before the correction only"
    assert told[3] == (
        "Significant: two-tailed paired t test, p at most 0.05, corrected for the number of runs by"
        " Holm."
    )


def test_a_gain_on_one_topic_is_no_significant_gain() -> None:
    once = returning("once", 4000, 4120, ["q0"])
    found = found_for(EXACT, once, measures=("AgP",))
    [verdict] = found.verdicts
    assert (verdict.gaining, verdict.significantly, verdict.losing) == (2, 1, 0)
    first, second, _ = found.output().sentences
    assert "2 of 2 by AgP" in first
    assert second == "Significant gains: 1 by AgP."
    assert found.output().tables[0].rows[0][:5] == ("AgP", 2, 2, 1, 0)


def test_a_difference_that_never_varies_is_said() -> None:
    chapter = found_for(WRONG, measures=("AgP(R)",)).output()
    assert "AgP(R): the difference is the same on every topic for wrong" in str(chapter.notes[0])


def test_places_of_plots_are_ranks() -> None:
    for plot in found_for(EXACT).output().plots:
        assert plot.ranks
        assert plot.places[0] == 1


# -- the command

Output = pytest.CaptureFixture[str]


def command(capfd: Output, *words: object) -> tuple[int, str, str]:
    with pytest.raises(SystemExit) as end:
        main(["lab", "baseline", *map(str, words)])
    return int(end.value.code or 0), *capfd.readouterr()


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Assessments that know the lengths, and some that do not."""
    monkeypatch.chdir(tmp_path)
    spans = {topic: f"{start}:{end - start}" for topic, (start, end) in WANTED.items()}
    lines = [f"{t} Q0 d {WANTED[t][1] - 4000} {LENGTH} 4000 {spans[t]}" for t in TOPICS]
    (tmp_path / "qrels.txt").write_text("\n".join(lines) + "\n")
    rows = [{"topic": t, "document": "d", "start": a, "end": b} for t, (a, b) in WANTED.items()]
    (tmp_path / "qrels.jsonl").write_text("".join(f"{json.dumps(row)}\n" for row in rows))
    for name, start, size in (("exact", 4000, 120), ("wrong", 0, 100)):
        text = "".join(f"{topic} Q0 d 1 2.0 {name} {start} {size}\n" for topic in TOPICS)
        (tmp_path / f"{name}.fol").write_text(text)
    whole = "".join(f"{topic} Q0 d 1 2.0 whole\n" for topic in TOPICS)
    (tmp_path / "whole.trec").write_text(whole)
    return tmp_path


def test_the_command_says_what_the_experiment_found(capfd: Output, files: Path) -> None:
    words = ("qrels.txt", "exact.fol", "wrong.fol", "whole.trec")
    code, out, err = command(capfd, *words)
    assert code == 0, err
    assert "documents already: whole." in " ".join(out.split())
    assert "note: published by Arvola et al." in err
    _, lines, _ = command(capfd, *words, "-o", "jsonl")
    expected = found_for(EXACT, WRONG, WHOLE).output().rows.items
    found = [json.loads(line) for line in lines.splitlines()]
    assert [row for row in found if row["kind"] != "whole"] == [
        row for row in expected if row["kind"] != "whole"
    ]


@pytest.mark.parametrize("output", ["table", "tsv", "csv", "jsonl", "json", "markdown", "latex"])
def test_every_format(capfd: Output, files: Path, output: str) -> None:
    code, out, _ = command(capfd, "qrels.txt", "exact.fol", "-m", "AgP", "-o", output)
    assert code == 0
    assert "exact" in out
    assert "nan" not in out.lower()


def test_runs_may_be_named_after_their_files(capfd: Output, files: Path) -> None:
    (files / "again.fol").write_bytes((files / "exact.fol").read_bytes())
    words = ("qrels.txt", "exact.fol", "again.fol", "-m", "AgP")
    code, _, err = command(capfd, *words)
    assert code == 2
    assert "two runs named exact" in err
    code, out, _ = command(capfd, *words, "--run-name", "file")
    assert code == 0
    assert "again" in out


def test_faulty_lines_are_dropped_if_asked_and_named(capfd: Output, files: Path) -> None:
    with (files / "exact.fol").open("a") as file:
        file.write("q1 Q0 d 2 1.0 exact 5 x\n")
    assert command(capfd, "qrels.txt", "exact.fol")[0] == 2
    code, _, err = command(capfd, "qrels.txt", "exact.fol", "--lenient", "-m", "AgP")
    assert code == 0
    assert "exact.fol: faulty lines were dropped" in err


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["qrels.jsonl", "exact.fol"], "the length of document d"),
        (["qrels.txt", "whole.trec"], "found whole documents only (whole)"),
        (["qrels.txt", "exact.fol", "--topics", "q1"], "found 1 topic with relevant text"),
        (["qrels.txt", "exact.fol", "-m", "overlap"], "neither high nor low values are better"),
        (["qrels.txt", "exact.fol", "-m", "MAep(elements)"], "needs"),
        (["qrels.txt", "exact.fol", "--compat", "inex_eval"], "No such option '--compat'"),
        (["qrels.txt", "nowhere.fol"], "nowhere.fol: file not found"),
        (["qrels.txt", "exact.fol", "-m", "AgQ"], "unknown measure"),
        (["qrels.txt", "exact.fol", "--to", "x.pdf"], "x.pdf"),
    ],
)
def test_bad_input_is_refused_in_a_sentence(
    capfd: Output, files: Path, words: list[str], message: str
) -> None:
    code, out, err = command(capfd, *words)
    assert code == 2
    assert out == ""
    assert message in err
    assert "Traceback" not in err


def test_elements_are_whole_documents_too(capfd: Output) -> None:
    """Extents that only later get a place are parts until then."""
    run = Run.of("x", ["q0"], ["d"], extent=[Extent.ELEMENT], paths=["/article[1]/p[1]"])
    with pytest.raises(NeedError, match="where the elements"):
        finished(compare_with_documents(judged("AgP"), [[run]]))
