"""Stability under other assessors: recombined scores against runs that are scored again."""

from __future__ import annotations

import json
import math
import random
from itertools import product
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner, Result

from cases import FakeDocuments, Trees, tree_of
from spanwise.cli.main import command_line, main
from spanwise.data.assessments import Assessments
from spanwise.data.judgements import Judgements, merged
from spanwise.data.notes import Faults, Note
from spanwise.data.run import Run
from spanwise.errors import SpanwiseError
from spanwise.evaluation.evaluate import Evaluation
from spanwise.evaluation.policy import Policy
from spanwise.formats.memory import assessments_from
from spanwise.lab.assessment_sets import assessment_sets
from spanwise.lab.experiment import Step, finished
from spanwise.lab.other_assessors import AssessorStability, compare_assessors
from spanwise.lab.ranking_stability import ScopedMeasure, error_rate, stability, tau_with
from spanwise.measures.grammar import Asked, asked_for
from spanwise.records import replace
from spanwise.statistics.correlation import kendall

TOY = np.array([[0.5, 0.4, 0.39], [0.5, 0.41, 0.43], [0.3, 0.45, 0.44], [0.5, 0.4, 0.39]])
AGP = ScopedMeasure("AgP", "AgP(F(beta=1))", "higher", "all")
DOCUMENTS, LENGTH = 6, 1000


# -- assessment sets


def test_all_combinations_of_assessors() -> None:
    sets = assessment_sets([[0, 1], [0], [0, 1, 2]])
    assert sets.possible == len(sets) == 6
    assert not sets.sampled
    assert sets.chosen.tolist() == [list(one) for one in product((0, 1), (0,), (0, 1, 2))]
    assert sets.several.tolist() == [True, False, True]
    assert sets.official.tolist() == [True, *[False] * 5]


def test_twelve_topics_give_all_sets_and_thirteen_a_sample() -> None:
    twelve, thirteen = ([[0, 1]] * count + [[0]] * 3 for count in (12, 13))
    assert len(assessment_sets(twelve)) == 4096
    assert not assessment_sets(twelve).sampled
    sample = assessment_sets(thirteen)
    assert (len(sample), sample.possible, sample.sampled) == (1002, 8192, True)
    assert not sample.chosen[:, 13:].any()
    # Each assessor of a topic is as likely as the other.
    assert sample.chosen[:, :13].mean(axis=0) == pytest.approx(0.5, abs=0.06)


def test_the_sample_rests_on_its_seed() -> None:
    judges = [[0, 2], *[[0, 1, 2]] * 12]
    first, again, other = (assessment_sets(judges, seed).chosen for seed in (1, 1, 2))
    assert first.tolist() == again.tolist()
    assert first.tolist() != other.tolist()
    assert set(first[:, 0].tolist()) == {0, 2}
    assert set(first[:, 1].tolist()) == {0, 1, 2}


# -- error rate, ties, tau


def test_the_toy_of_the_definition() -> None:
    found = error_rate(TOY)
    assert found.error == pytest.approx(0.16666666666666666, abs=1e-9)
    assert found.ties == pytest.approx(0.3333333333333333, abs=1e-9)
    assert found.comparisons == 12


def test_runs_of_the_paper_and_its_sets_give_its_comparisons() -> None:
    means = np.random.default_rng(1).random((32, 69))
    assert error_rate(means).comparisons == 75_072


def test_errors_the_slow_way() -> None:
    means = np.random.default_rng(2).normal(0.4, 0.03, (50, 9))
    wrong = ties = 0
    for a in range(9):
        for b in range(a):
            pairs = list(zip(means[:, a], means[:, b], strict=True))
            equal = [abs(x - y) < 0.05 * max(x, y) for x, y in pairs]
            above = sum(x > y and not e for (x, y), e in zip(pairs, equal, strict=True))
            ties += sum(equal)
            wrong += min(above, len(pairs) - sum(equal) - above)
    found = error_rate(means)
    assert (found.error, found.ties) == (wrong / 1800, ties / 1800)
    assert 0 < found.error < found.ties


def test_turning_the_scale_round_changes_nothing() -> None:
    means = np.random.default_rng(3).random((20, 5))
    assert error_rate(-means) == error_rate(means)


def test_two_runs_that_found_nothing_are_tied() -> None:
    found = error_rate(np.zeros((4, 2)))
    assert (found.error, found.ties) == (0.0, 1.0)


def test_a_difference_of_five_percent_is_no_tie() -> None:
    assert error_rate(np.array([[1.0, 0.95]]), fuzz=0.05).ties == 0.0
    assert error_rate(np.array([[1.0, 0.9501]]), fuzz=0.05).ties == 1.0


def test_one_run_has_no_errors() -> None:
    assert error_rate(np.ones((3, 1))).comparisons == 0


def test_tau_without_the_official_set() -> None:
    official = np.array([3.0, 2.0, 1.0])
    means = np.array([[3.0, 2.0, 1.0], [2.0, 3.0, 1.0], [1.0, 2.0, 3.0]])
    tau = tau_with(official, means, np.array([True, False, False]))
    assert tau.mean == pytest.approx((1 + 1 / 3 - 1) / 3)
    assert (tau.maximum, tau.minimum) == (1.0, -1.0)
    assert tau.mean_of_others == pytest.approx(-1 / 3)
    assert tau.maximum_of_others == pytest.approx(1 / 3)


def test_tau_is_not_defined_if_all_runs_are_equal() -> None:
    tau = tau_with(np.ones(3), np.random.default_rng(1).random((4, 3)), np.zeros(4, bool))
    assert (tau.mean, tau.maximum, tau.minimum, tau.maximum_of_others) == (None,) * 4


# -- recombination of given scores


def random_values(seed: int, assessors: int = 2, runs: int = 69, topics: int = 34) -> np.ndarray:
    random = np.random.default_rng(seed)
    quality = random.random((1, runs, 1))
    return np.clip(quality + random.normal(0, 0.2, (assessors, runs, topics)), 0, 1)


def test_a_matrix_of_the_papers_size_the_slow_way() -> None:
    values, judges = random_values(1), [[0, 1]] * 5 + [[0]] * 29
    sets = assessment_sets(judges)
    for scope, count in (("all", 34), ("several", 5)):
        found = stability(replace(AGP, scope=scope), tuple(map(str, range(69))), values, sets)
        assert found is not None
        assert (found.topics, found.sets, found.errors.comparisons) == (count, 32, 75_072)
        means = np.array(
            [
                [
                    np.mean([values[a, run, t] for t, a in enumerate(one[:count])])
                    for run in range(69)
                ]
                for one in sets.chosen.tolist()
            ]
        )
        assert found.official == pytest.approx(values[0][:, :count].mean(axis=1), abs=1e-11)
        assert found.mean == pytest.approx(means.mean(axis=0), abs=1e-11)
        assert found.minimum == pytest.approx(means.min(axis=0), abs=1e-11)
        assert found.maximum == pytest.approx(means.max(axis=0), abs=1e-11)
        taus = [kendall(means[0], row) for row in means]
        assert found.tau.mean == pytest.approx(np.mean(taus))
        assert (found.tau.maximum, found.tau.minimum) == (1.0, pytest.approx(min(taus)))
        assert found.tau.maximum_of_others == pytest.approx(max(taus[1:]))
        assert found.errors.error == pytest.approx(error_rate(means).error)
        assert found.average_range == pytest.approx(np.ptp(means, axis=0).mean())
        shares = np.ptp(means, axis=0) / means.mean(axis=0)
        assert found.relative_range == pytest.approx(shares.mean())
        best = means[:, int(np.argmax(means[0]))] == means.max(axis=1)
        assert found.best_stays == best.mean()


def test_the_official_set_has_the_official_means_to_the_last_bit() -> None:
    values = random_values(5, runs=200, topics=11) ** 9
    sets = assessment_sets([[0, 1]] * 3 + [[0]] * 8)
    means = sets.means(values, np.ones(11, np.bool_))
    assert means[0].tolist() == [math.fsum(row) / 11 for row in values[0].tolist()]


def test_fewer_topics_vary_more() -> None:
    sets = assessment_sets([[0, 1]] * 5 + [[0]] * 29)
    names = tuple(map(str, range(69)))
    every, few = (
        stability(replace(AGP, scope=scope), names, random_values(7), sets)
        for scope in ("all", "several")
    )
    assert every is not None
    assert few is not None
    assert few.average_range > every.average_range
    assert few.tau.mean < every.tau.mean
    assert few.errors.error > every.errors.error


def test_equal_runs_stay_equal_to_the_last_bit() -> None:
    values = random_values(3, runs=3, topics=9)
    values[:, 1] = values[:, 0]
    found = stability(AGP, ("a", "b", "c"), values, assessment_sets([[0, 1]] * 9))
    assert found is not None
    assert found.tau.maximum == 1.0
    assert found.official[0] == found.official[1]
    assert found.maximum[0] == found.maximum[1]


def test_means_that_are_equal_on_paper_are_tied() -> None:
    values = np.array([[[0.1, 0.2], [0.3, 0.0], [0.0, 0.1]]] * 2)
    assert 0.1 + 0.2 != 0.3
    found = stability(AGP, ("a", "b", "c"), values, assessment_sets([[0, 1], [0]]))
    assert found is not None
    assert found.tau.minimum == found.tau.maximum == 1.0
    assert found.best_stays == 1.0


def test_runs_without_scores_are_left_out() -> None:
    values = random_values(4, runs=3, topics=3)
    values[:, 1] = np.nan
    values[:, 2, 1:] = np.nan
    sets = assessment_sets([[0, 1], [0], [0]])
    found = stability(AGP, ("a", "b", "c"), values, sets)
    assert found is not None
    assert found.runs == ("a", "c")
    assert found.official.tolist() == pytest.approx([values[0, 0].mean(), values[0, 2, 0]])
    values[:, 2] = np.nan
    assert stability(AGP, ("a", "b", "c"), values, sets) is None


def test_the_best_run_by_effort_is_the_one_with_the_least() -> None:
    values = np.array([[[1.0], [2.0], [3.0]], [[3.0], [2.0], [4.0]]])
    named = replace(AGP, better="lower")
    found = stability(named, ("a", "b", "c"), values, assessment_sets([[0, 1]]))
    assert found is not None
    assert found.order == [0, 1, 2]
    assert found.best_stays == 0.5
    neither = stability(
        replace(AGP, better="neither"), ("a", "b", "c"), values, assessment_sets([[0, 1]])
    )
    assert neither is not None
    assert neither.best_stays is None


# -- from assessments and runs


def random_assessor(source: random.Random, topics: range) -> Assessments:
    judgements = Judgements(Faults("qrels"))
    for topic in topics:
        for document in source.sample(range(DOCUMENTS), 3):
            start = source.randrange(LENGTH - 1)
            end = source.randint(start + 1, LENGTH)
            judgements.add_range(f"t{topic}", f"d{document}", start, end)
    for document in range(DOCUMENTS):
        judgements.add_document(f"d{document}", LENGTH)
    return judgements.build()


def random_run(source: random.Random, name: str, topics: range) -> Run:
    rows = [
        (
            f"t{topic}",
            f"d{document}",
            start := source.randrange(LENGTH - 1),
            source.randint(start + 1, LENGTH),
        )
        for topic in topics
        for document in source.sample(range(DOCUMENTS), 4)
    ]
    columns = list(zip(*rows, strict=True))
    return Run.of(name, columns[0], columns[1], start=columns[2], end=columns[3])


def measures(*names: str) -> list[Asked]:
    return [asked_for(name) for name in names]


@pytest.mark.parametrize("name", ["AgP", "textF@2", "ANCE@3", "MAep(passages)"])
def test_recombined_scores_are_those_of_runs_scored_again(name: str) -> None:
    source = random.Random(name)
    ranges = (range(5), range(1, 4), range(2, 7))
    judged = [random_assessor(source, topics) for topics in ranges]
    runs = [random_run(source, f"run{number}", range(5)) for number in range(4)]
    found = finished(compare_assessors(judged, runs, measures(name), names=("a", "b", "c")))
    assert found.topics == ("t0", "t1", "t2", "t3", "t4")
    assert found.several == ("t1", "t2", "t3", "t4")
    judges = [(0,), (0, 1), (0, 1, 2), (0, 1, 2), (0, 2)]
    assert len(found.sets) == 36
    for one, topics in zip(found.measures, (found.topics, found.several), strict=True):
        means = np.array(
            [
                mixed_means(
                    judged, dict(zip(found.topics, chosen, strict=True)), topics, runs, name
                )
                for chosen in product(*judges)
            ]
        )
        assert one.official == pytest.approx(means[0], abs=1e-11)
        assert one.minimum == pytest.approx(means.min(axis=0), abs=1e-11)
        assert one.maximum == pytest.approx(means.max(axis=0), abs=1e-11)
        assert one.mean == pytest.approx(means.mean(axis=0), abs=1e-11)
        # Means that are equal on paper may differ in their last bits when computed one by one.
        means = means.round(10)
        taus = [kendall(means[0], row) for row in means]
        assert one.tau.mean == pytest.approx(np.mean(taus))
        assert one.errors == error_rate(means)


def mixed_means(
    judged: list[Assessments],
    chosen: dict[str, int],
    topics: tuple[str, ...],
    runs: list[Run],
    name: str,
) -> list[float]:
    """Assessments that are really put together from several assessors, and runs scored by them."""
    parts = [judged[chosen[topic]].only({topic}) for topic in topics]
    evaluation = Evaluation(merged(parts, Faults("mixed")), tuple(measures(name)))
    means = [evaluation.score([run], run.name).means[0] for run in runs]
    return [mean for mean in means if mean is not None]


FIRST = {"q1": {"a": [(0, 100)]}, "q2": {"a": [(0, 10)]}, "q3": {"a": [(0, 10)]}}
SECOND = {"q1": {"a": [(0, 50)]}, "q4": {"a": [(0, 10)]}}


def two_runs(*topics: str) -> list[Run]:
    return [
        Run.of(name, topics, ["a"] * len(topics), start=[0] * len(topics), end=[end] * len(topics))
        for name, end in (("wide", 100), ("narrow", 50))
    ]


def tried(first: object, second: object, runs: list[Run], **options: object) -> AssessorStability:
    judged = [assessments_from(one) for one in (first, second)]
    names = ("one", "two")
    return finished(
        compare_assessors(judged, runs, measures("AgP(P)"), names=names, **options)  # type: ignore[arg-type]
    )


def test_topics_that_not_every_assessor_judged() -> None:
    second = {**SECOND, "q2": {"a": 0}}
    found = tried(FIRST, second, two_runs("q1", "q2", "q3", "q4"))
    assert found.several == ("q1",)
    assert len(found.sets) == 2
    assert [str(note) for note in found.notes[:3]] == [
        "two: 1 topic was judged without finding relevant text; the judgements of one are used"
        " (q2)",
        "two: 1 topic was not judged; the judgements of one are used (q3)",
        "two: 1 topic has relevant text here but not by one; left out (q4)",
    ]
    every, several = found.measures
    assert (every.topics, several.topics) == (3, 1)
    # For q1 the wide run has precision 1 by one, 1/2 by two; for q2 and q3 it has 1/10.
    assert every.official.tolist() == pytest.approx([1.2 / 3, 1.4 / 3])
    assert every.minimum.tolist() == pytest.approx([0.7 / 3, 1.4 / 3])
    assert several.maximum.tolist() == [1.0, 1.0]


def test_official_scores_are_those_of_an_evaluation() -> None:
    source = random.Random(5)
    judged = [random_assessor(source, range(4)) for _ in range(2)]
    runs = [random_run(source, f"run{number}", range(4)) for number in range(3)]
    found = finished(compare_assessors(judged, runs, measures("AgP")))
    evaluation = Evaluation(judged[0], tuple(measures("AgP")))
    means = [evaluation.score([run], run.name).means[0] for run in runs]
    assert found.measures[0].official.tolist() == means
    assert [run.means[0] for run in found.official.runs] == means
    assert found.assessors == ("assessor 1", "assessor 2")


def test_a_measure_without_a_value_by_one_assessor_does_not_vary_there() -> None:
    """By the second assessor no element is worth anything for q2: its gain is not defined."""
    judged = []
    for grades in ({"q1": (3, 3), "q2": (2, 2)}, {"q1": (1, 1), "q2": (0, 0)}):
        judgements = Judgements(Faults("graded"))
        for topic, (exhaustivity, specificity) in grades.items():
            judgements.add_element(topic, "a", "/article[1]", exhaustivity, specificity)
            judgements.add_range(topic, "b", 0, 10)
        judged.append(judgements.build())
    trees = Trees({name: tree_of({"/article[1]": 100}) for name in "ab"})
    documents = FakeDocuments({"a": "x" * 100, "b": "x" * 100}, elements=trees.elements)
    runs = two_runs("q1", "q2")
    found = finished(
        compare_assessors(
            judged, runs, measures("MAep(elements(quant=strict))"), documents=documents
        )
    )
    assert any("not scored by both" in str(note) for note in found.notes)
    for one in found.measures:
        assert not np.isnan(one.maximum).any()


def test_measures_that_stand_on_something_else_are_left_out() -> None:
    judgements = Judgements(Faults("graded"))
    judgements.add_element("q1", "a", "/article[1]", 2, 2)
    judgements.add_range("q1", "a", 0, 20)
    trees = Trees({"a": tree_of({"/article[1]": 100})})
    documents = FakeDocuments({"a": "x" * 100}, elements=trees.elements)
    judged = [judgements.build(), assessments_from({"q1": {"a": [(0, 10)]}})]
    experiment = compare_assessors(
        judged, two_runs("q1"), measures("Q", "AgP"), names=("one", "two"), documents=documents
    )
    found = finished(experiment)
    assert [one.measure for one in found.measures] == ["AgP", "AgP"]
    (note,) = [note for note in found.notes if str(note).startswith("Q is left out")]
    assert "by one it is Q(elements(" in str(note)
    assert "by two Q(passages(" in str(note)
    with pytest.raises(SpanwiseError, match="no measure can be computed with every assessor"):
        finished(compare_assessors(judged, two_runs("q1"), measures("Q"), documents=documents))


def test_topics_that_a_run_lacks_can_be_skipped() -> None:
    runs = [*two_runs("q1", "q2", "q3"), replace(two_runs("q2")[0], name="short")]
    found = tried(FIRST, SECOND, runs, policy=Policy(missing="skip"))
    every, several = found.measures
    assert every.runs == ("wide", "narrow", "short")
    assert every.official.tolist() == pytest.approx([1.2 / 3, 1.4 / 3, 0.1])
    assert several.runs == ("wide", "narrow")
    assert Note("runs without scores", 1, 1, names=("short",), about="AgP(P)") in found.notes


def test_steps_tell_how_far_it_is() -> None:
    steps: list[Step] = []
    judged = [assessments_from(FIRST), assessments_from(SECOND)]
    finished(compare_assessors(judged, two_runs("q1"), measures("AgP"), total=2), steps.append)
    assert steps == [Step(1, 2, "runs"), Step(2, 2, "runs")]


@pytest.mark.parametrize(
    ("first", "second", "runs", "message"),
    [
        (FIRST, {"q9": {"a": [(0, 1)]}}, two_runs("q1"), "no topic with relevant text both by one"),
        (FIRST, {"q1": {"a": 0}, "q2": {"a": [(0, 1)]}}, two_runs("q1")[:1], "one run at most"),
        (FIRST, SECOND, two_runs("q1") * 2, "two runs named wide"),
        (FIRST, {"q1": {"a": 0}}, two_runs("q1"), "no topic with relevant text both by one"),
    ],
)
def test_what_is_refused(first: object, second: object, runs: list[Run], message: str) -> None:
    with pytest.raises(SpanwiseError, match=message):
        tried(first, second, runs)


def test_one_assessor_is_refused() -> None:
    with pytest.raises(SpanwiseError, match=r"found one assessor.*others=.*simulate=10"):
        finished(compare_assessors([assessments_from(FIRST)], two_runs("q1"), measures("AgP")))


# -- the chapter


def test_the_chapter_tells_both_kinds_of_topics_and_every_pair() -> None:
    chapter = tried(FIRST, SECOND, two_runs("q1", "q2", "q3")).output()
    assert chapter.producer == "lab assessors"
    assert "over all 3 topics" in chapter.sentences[0]
    assert "over the 1 topic that several assessors judged" in chapter.sentences[1]
    titles = [table.title for table in chapter.tables]
    assert titles[3:] == [
        "AgP(P) over all 3 topics",
        "AgP(P) over the 1 topic that several assessors judged",
        "Agreement, one and two",
    ]
    kinds = [row["kind"] for row in chapter.rows.items]
    alone = ["alone"] * 2
    assert kinds == alone + ["run"] * 4 + ["spread", "tau", "errors"] * 2 + ["agreement"] * 2
    assert {row["scope"] for row in chapter.rows.items if "scope" in row} == {"all", "several"}
    assert all("measure" in row for row in chapter.rows.items if row["kind"] != "agreement")
    assert len(chapter.plots) == 2


def test_runs_are_shown_best_first_and_once_if_all_topics_vary() -> None:
    chapter = tried({"q1": FIRST["q1"]}, {"q1": SECOND["q1"]}, two_runs("q1")).output()
    assert len(chapter.plots) == 1
    assert len(chapter.tables) == 5
    assert [row["scope"] for row in chapter.rows.items if row["kind"] == "tau"] == [
        "all",
        "several",
    ]
    assert any("the tables show them once" in str(note) for note in chapter.notes)
    # By the official assessor both runs have precision 1: no ranking, no tau.
    assert "cannot be compared" in chapter.sentences[0]
    tau = next(row for row in chapter.rows.items if row["kind"] == "tau")
    assert (tau["mean"], tau["best"], tau["best_stays"]) == (None, None, None)


def test_identical_assessments_are_called_so() -> None:
    same = tried(FIRST, dict(reversed(FIRST.items())), two_runs("q1", "q2", "q3")).output()
    assert same.sentences[0] == (
        "The assessments of one and two are identical: the rankings by them are the same, which"
        " says nothing about another assessor."
    )
    other = tried(FIRST, SECOND, two_runs("q1", "q2", "q3")).output()
    assert not any("identical" in sentence for sentence in other.sentences)


def test_the_tables_have_all_sets_and_mixtures() -> None:
    source = random.Random(8)
    judged = [random_assessor(source, range(3)) for _ in range(2)]
    runs = [random_run(source, f"run{number}", range(3)) for number in range(3)]
    chapter = finished(compare_assessors(judged, runs, measures("AgP"))).output()
    rankings, errors = chapter.tables[1:3]
    assert [row[2:4] for row in rankings.rows] == [("all sets", 8), ("mixtures", 6)]
    assert [row[5] for row in errors.rows] == [8 * 3, 6 * 3]
    mixtures = next(row for row in chapter.rows.items if row["kind"] == "mixtures")
    assert (mixtures["sets"], mixtures["comparisons"]) == (6, 18)
    assert mixtures["minimum"] == rankings.rows[1][6]


def test_many_assessors_agree_on_average() -> None:
    source = random.Random(8)
    judged = [random_assessor(source, range(3)) for _ in range(4)]
    runs = [random_run(source, f"run{number}", range(3)) for number in range(3)]
    chapter = finished(compare_assessors(judged, runs, measures("AgP"))).output()
    table = chapter.tables[-1]
    assert table.title == "Agreement, mean of 6 pairs of assessors"
    rows = [row for row in chapter.rows.items if row["kind"] == "agreement"]
    assert len(rows) == 12
    documents = [row["mean"] for row in rows if row["level"] == "documents"]
    assert table.rows[0][2] == pytest.approx(np.mean(documents))


# -- the command


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Two assessors, of whom the second judged two of the three topics, and three runs."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("OPENBLAS_NUM_THREADS", "1")
    text = "".join(f"t{n} Q0 d{n} 100 1000 0 0:100\n" for n in range(3))
    (tmp_path / "first.txt").write_text(text)
    text = "".join(f"t{n} Q0 d{n} 40 1000 0 0:40\n" for n in range(2))
    (tmp_path / "second.txt").write_text(text)
    for name, size in (("wide", 200), ("exact", 100), ("narrow", 40)):
        rows = "".join(f"t{n} Q0 d{n} 1 1.0 {name} 0 {size}\n" for n in range(3))
        (tmp_path / f"{name}.fol").write_text(rows)
    return tmp_path


RUNS = ("wide.fol", "exact.fol", "narrow.fol")
TWO = ("first.txt", *RUNS, "--other", "second.txt")


def run(*arguments: str) -> Result:
    return CliRunner().invoke(command_line, ["lab", "assessors", *arguments])


def refusal(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    """What is said by a command that does nothing else."""
    with pytest.raises(SystemExit) as end:
        main(["lab", "assessors", *arguments])
    assert end.value.code == 2
    said = capsys.readouterr()
    assert said.out == ""
    return said.err


def rows_of(result: Result) -> list[dict[str, object]]:
    assert result.exit_code == 0, result.output
    return [json.loads(line) for line in result.stdout.splitlines()]


@pytest.mark.usefixtures("files")
def test_the_command_gives_rows() -> None:
    rows = rows_of(run(*TWO, "-m", "AgP", "-m", "AgP(P)", "-o", "jsonl"))
    kinds = {"alone", "swap", "run", "spread", "tau", "errors", "mixtures", "agreement"}
    assert {row["kind"] for row in rows} == kinds
    (exact,) = [
        row
        for row in rows
        if (row["kind"], row.get("run"), row.get("scope"), row.get("measure"))
        == ("run", "exact", "all", "AgP(P)")
    ]
    assert exact["official"] == 1.0
    assert exact["minimum"] == pytest.approx((0.4 + 0.4 + 1) / 3)
    assert exact["mean"] == pytest.approx((0.7 + 0.7 + 1) / 3)
    assert (exact["topics"], exact["sets"]) == (3, 4)
    errors = [row for row in rows if row["kind"] == "errors" and row["measure"] == "AgP"]
    assert [row["comparisons"] for row in errors] == [12, 12]
    characters = next(row for row in rows if row.get("level") == "characters")
    assert (characters["first"], characters["second"]) == ("first", "second")
    assert characters["mean"] == pytest.approx(0.4)


@pytest.mark.usefixtures("files")
@pytest.mark.parametrize("output", ["table", "tsv", "csv", "json", "markdown", "latex"])
def test_every_format_has_something_to_show(output: str) -> None:
    result = run(*TWO, "-o", output, "--quiet")
    assert result.exit_code == 0, result.output
    assert "exact" in result.stdout
    assert result.stderr == ""
    assert "nan" not in result.stdout.lower()


@pytest.mark.usefixtures("files")
def test_some_topics_may_be_asked_for_that_the_other_did_not_judge() -> None:
    rows = rows_of(run(*TWO, "--topics", "t1,t2", "-o", "jsonl"))
    assert {row["topics"] for row in rows if row.get("scope") == "all"} == {2}
    assert {row["topics"] for row in rows if row.get("scope") == "several"} == {1}


@pytest.mark.usefixtures("files")
def test_simulated_assessors_rest_on_the_seed() -> None:
    simulated = ("first.txt", *RUNS, "--simulate", "3", "--jitter", "0.8", "-o", "jsonl")
    first, again, other = (run(*simulated, "--seed", seed) for seed in ("1", "1", "2"))
    assert first.stdout == again.stdout
    assert first.stdout != other.stdout
    rows = rows_of(first)
    names = {str(row["second"]) for row in rows if row["kind"] == "agreement"}
    assert names == {"varied 1", "varied 2", "varied 3"}
    assert {row["sets"] for row in rows if row["kind"] == "tau"} == {64}


@pytest.mark.usefixtures("files")
def test_a_varied_assessor_who_varies_nothing_changes_nothing() -> None:
    probabilities = ("--jitter", "0", "--drop", "0", "--join", "0")
    rows = rows_of(run("first.txt", *RUNS, "--simulate", "1", *probabilities, "-o", "jsonl"))
    assert {row["range"] for row in rows if row["kind"] == "run"} == {0.0}
    assert {row["mean"] for row in rows if row["kind"] in ("tau", "agreement")} == {1.0}
    assert {row["error"] for row in rows if row["kind"] == "errors"} == {0.0}


@pytest.mark.usefixtures("files")
def test_files_of_one_name_are_told_apart(files: Path) -> None:
    (files / "again").mkdir()
    (files / "again" / "first.txt").write_bytes((files / "second.txt").read_bytes())
    rows = rows_of(run("first.txt", *RUNS, "--other", "again/first.txt", "-o", "jsonl"))
    agreement = next(row for row in rows if row["kind"] == "agreement")
    assert (agreement["first"], agreement["second"]) == ("first.txt", "again/first.txt")


def test_leniency_is_marked(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with (files / "second.txt").open("a") as file:
        file.write("t0 Q0 d9 broken\n")
    assert "second.txt:3: found" in refusal(capsys, *TWO)
    rows = rows_of(run(*TWO, "--lenient", "-o", "jsonl"))
    assert all(row["lenient"] is True for row in rows)


@pytest.mark.usefixtures("files")
@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("first.txt", *RUNS), "found one assessor, expected two or more; give another assessor"),
        (("first.txt", "wide.fol", "--other", "second.txt"), "found one run at most"),
        ((*TWO, "--simulate", "3"), "--simulate takes the place of other assessors"),
        ((*TWO, "--drop", "0.3"), "--drop needs assessors to vary: give --simulate"),
        ((*TWO, "--compat", "inex_eval"), "No such option '--compat'"),
        (("first.txt", *RUNS, "--other", "nowhere.txt"), "nowhere.txt: file not found"),
        (("-", *RUNS, "--other", "-"), "standard input (-) can be read only once"),
        ((*TWO, "-m", "AgP(nothing)"), "nothing"),
        ((*TWO, "--topics", "t9"), "topic t9 is not in the assessments"),
        ((*TWO, "--topics", "t2"), "found no topic with relevant text both by first and by second"),
        ((*TWO, "--to", "results.pdf"), "results.pdf"),
    ],
)
def test_what_the_command_refuses(
    arguments: tuple[str, ...], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert message in refusal(capsys, *arguments)


@pytest.mark.usefixtures("files")
def test_notes_say_what_was_decided() -> None:
    result = run(*TWO)
    assert "second: 1 topic was not judged; the judgements of first are used (t2)" in result.stderr
    assert "no measure was given: AgP is shown" in result.stderr
    assert "agreement on elements is not shown" in result.stderr


def test_official_assessments_without_relevant_text_are_named() -> None:
    judged = [assessments_from({"q1": {"a": 0}}), assessments_from(SECOND)]
    with pytest.raises(SpanwiseError, match="no topic has relevant text, expected at least one"):
        finished(compare_assessors(judged, two_runs("q1"), measures("AgP")))
