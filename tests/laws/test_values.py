"""What elements are worth: quantisations, near misses, and the runs that gain most."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pytest

from spanwise import near_miss, register_quantisation
from spanwise.data.elements import ROOT, Elements, Paths, Tree
from spanwise.data.judgements import Judgements
from spanwise.data.notes import Faults
from spanwise.data.quantisation import quantisation
from spanwise.data.run import Extent, Run
from spanwise.errors import MeasureError, NeedError
from spanwise.evaluation.evaluate import Evaluation
from spanwise.evaluation.ideal_run import ideal_run
from spanwise.evaluation.policy import Policy
from spanwise.measures.gains.credit import distance, ratio
from spanwise.measures.gains.elements import elements
from spanwise.measures.gains.passages import passages
from spanwise.measures.grammar import Asked, parse_gain, parse_measure
from spanwise.measures.views.recall_base import recall_base

GRADES = [(3, 3), (2, 3), (1, 3), (3, 2), (2, 2), (1, 2), (3, 1), (2, 1), (1, 1), (0, 0)]
TABLES = {
    "strict": [1, 0, 0, 0, 0, 0, 0, 0, 0, 0],
    "gen": [1, 0.75, 0.5, 0.75, 0.5, 0.25, 0.75, 0.5, 0.25, 0],
    "sog": [1, 0.9, 0.75, 0.75, 0.5, 0.25, 0.25, 0.1, 0.1, 0],
}


class Documents:
    """Three paragraphs of ten characters in a section of a document."""

    has_text, has_tokens, mean_length, lengths = False, False, 1.0, {"d": 50}

    def __init__(self) -> None:
        paths = Paths()
        rows = {"/d": (0, 50), "/d/s": (10, 30), "/d/s/p[1]": (10, 10), "/d/s/p[2]": (20, 10)}
        rows["/d/s/p[3]"] = (30, 10)
        numbers = [paths.add_path(path) for path in rows]
        parent = [ROOT, 0, 1, 1, 1]
        start, size = zip(*rows.values(), strict=True)
        tree = Tree(*(np.array(column) for column in (numbers, parent, start, size)))
        self.elements = Elements(paths, lambda name: tree if name == "d" else None)


def highlighted(*ranges: tuple[int, int]) -> Judgements:
    judgements = Judgements(Faults("a"))
    for start, end in ranges:
        judgements.add_range("q", "d", start, end)
    return judgements


def scored(measure: str, judgements: Judgements, run: Run, policy: Policy | None = None) -> float:
    asked = (Asked(measure, parse_measure(measure)),)
    evaluation = Evaluation(judgements.build(), asked, policy or Policy(), Documents())
    mean = evaluation.score([run], "r").means[0]
    assert mean is not None
    return mean


def named(*paths: str) -> Run:
    count = len(paths)
    return Run.of("r", ["q"] * count, ["d"] * count, extent=[Extent.ELEMENT] * count, paths=paths)


# -- quantisation


@pytest.mark.parametrize("name", TABLES)
def test_the_tables_of_the_paper(name: str) -> None:
    exhaustivity, specificity = np.array(GRADES).T
    values = quantisation(name).values(exhaustivity, specificity, np.zeros(10))
    assert values.tolist() == TABLES[name]


def test_highlighted_text_is_valued_by_its_share() -> None:
    grades, share = np.full(3, -1), np.array([0.0, 0.25, 1.0])
    assert quantisation("spec").values(grades, grades, share).tolist() == [0, 0.25, 1]
    assert quantisation("binary").values(grades, grades, share).tolist() == [0, 1, 1]


def test_a_function_of_ones_own() -> None:
    seen = list[tuple[int | None, float]]()

    def half(exhaustivity: int | None, share: float) -> float:
        seen.append((exhaustivity, share))
        return 1.0 if share > 0.5 else 0.0

    register_quantisation("half", half)
    judgements = highlighted((10, 20), (20, 26))
    assert scored("nxCG(elements(quant=half))@2", judgements, named("/d/s/p[1]", "/d/s/p[2]")) == 1
    assert (None, 0.6) in seen


def test_a_name_registered_anew_is_valued_anew() -> None:
    assessments, trees = highlighted((10, 16)).build(), Documents().elements
    for value in (1.0, 0.25):
        register_quantisation("anew", lambda _, share, value=value: value * (share == 0.6))
        base = recall_base(assessments, trees, "anew", "shortest")
        assert base.value.tolist() == [value]
        assert recall_base(assessments, trees, "anew", "shortest") is base


def test_other_trees_are_valued_for_themselves() -> None:
    assessments, trees = highlighted((10, 16)).build(), [Documents().elements for _ in range(2)]
    first, second = (recall_base(assessments, tree, "spec", "shortest") for tree in trees)
    assert first.elements is trees[0]
    assert second.elements is trees[1]


def test_exhaustivity_reaches_a_function() -> None:
    told = dict[float, int | None]()

    def remember(exhaustivity: int | None, share: float) -> float:
        told[share] = exhaustivity
        return share

    register_quantisation("remember", remember)
    judgements = highlighted((10, 20), (20, 26))
    judgements.add_element("q", "d", "/d[1]/s[1]/p[1]", -2, size=10, relevant_size=10)
    judgements.add_element("q", "d", "/d[1]/s[1]/p[2]", 2, size=10, relevant_size=6)
    scored("nxCG(elements(quant=remember))@1", judgements, named("/d/s/p[1]"))
    assert (told[1.0], told[0.6], told[0.32]) == (0, 2, None)


@pytest.mark.parametrize(
    ("name", "values", "problem"),
    [
        ("sog", {(3, 3): 1}, "cannot be named 'sog'"),
        ("two words", {(3, 3): 1}, "cannot be named"),
        ("mine", {(4, 3): 1}, "grades are 0 to 3"),
        ("mine", {(3, 3): 1.5}, "expected 0 to 1"),
        ("mine", {(3, 3): float("nan")}, "expected 0 to 1"),
    ],
)
def test_quantisations_that_are_none(name, values, problem) -> None:
    with pytest.raises(MeasureError, match=problem):
        register_quantisation(name, values)


def test_a_function_that_leaves_the_scale_is_refused() -> None:
    register_quantisation("wild", lambda _, share: 2 * share)
    with pytest.raises(MeasureError, match="expected 0 to 1"):
        scored("nxCG(elements(quant=wild))@1", highlighted((10, 20)), named("/d/s/p[1]"))


def test_an_unknown_quantisation_is_named() -> None:
    with pytest.raises(MeasureError, match="unknown quantisation 'sogg': did you mean sog"):
        parse_measure("nxCG(elements(quant=sogg))@10")


def test_grades_cannot_be_had_from_highlights() -> None:
    with pytest.raises(NeedError, match=r"quant=sog needs graded elements.*use quant=spec"):
        scored("nxCG(elements)@1", highlighted((10, 20)), named("/d"))


def test_shares_cannot_be_had_from_grades() -> None:
    judgements = Judgements(Faults("a"))
    judgements.add_element("q", "d", "/d[1]", 3, 1)
    with pytest.raises(NeedError, match=r"quant=spec needs relevant text.*use quant=sog"):
        scored("nxCG(elements(quant=spec))@1", judgements, named("/d"))


# -- near misses


def test_names_of_rules_read_back() -> None:
    for gain in (elements(near="ratio"), elements(near=distance(reach=7)), elements(near="none")):
        assert parse_gain(str(gain)) == gain
    assert str(elements(near=distance())) == "elements(quant=sog,alpha=1,near=distance(reach=1000))"


@pytest.mark.parametrize(
    "name",
    [
        "elements(near=far)",
        "elements(near=distance(reach=0))",
        "elements(near=distance(width=3))",
        "elements(near=3)",
    ],
)
def test_rules_that_are_none(name: str) -> None:
    with pytest.raises(MeasureError):
        parse_gain(name)


def test_a_paragraph_beside_the_relevant_one() -> None:
    judgements = highlighted((10, 20))
    near = "nxCG(elements(quant=spec,near={}))@1"
    assert scored(near.format("distance(reach=20)"), judgements, named("/d/s/p[2]")) == 0.5
    assert scored(near.format("distance(reach=20)"), judgements, named("/d/s/p[3]")) == 0.25
    assert scored(near.format("distance(reach=10)"), judgements, named("/d/s/p[3]")) == 0
    assert scored(near.format("ratio"), judgements, named("/d/s/p[2]")) == 0
    assert scored("nxCG(elements(quant=spec))@1", judgements, named("/d/s/p[2]")) == 0


def test_common_text_against_the_larger() -> None:
    assert ratio().share((0, 10), (5, 25)) == 0.25
    assert ratio().share((0, 10), (10, 25)) == 0
    assert ratio().share((3, 3), (3, 3)) == 0


def test_a_rule_of_ones_own() -> None:
    @near_miss
    @dataclass(frozen=True)
    class tenth:
        """A tenth for anything in the document."""

        def share(self, answer: tuple[int, int], ideal: tuple[int, int]) -> float:
            return 0.1

    judgements = highlighted((10, 20))
    measure = "nxCG(elements(quant=spec,near=tenth))@1"
    assert scored(measure, judgements, named("/d/s/p[3]")) == pytest.approx(0.1)
    assert str(elements(near=tenth())) == "elements(quant=sog,alpha=1,near=tenth)"


# -- ideal runs, and where lists are cut


@pytest.mark.parametrize("gain", [elements(quant="spec"), elements("spec", 0), passages()])
def test_the_ideal_run_is_ideal(gain) -> None:
    judgements = highlighted((10, 20), (25, 30), (45, 50))
    run = ideal_run(judgements.build(), gain, Documents().elements)
    for name in ("nxCG({})@1", "nxCG({})@9", "MAep({})", "Q({})", "Rmeasure({})", "ep({})@1"):
        assert scored(name.format(gain), judgements, run) == pytest.approx(1)


def test_the_ideal_run_names_elements_best_first() -> None:
    run = ideal_run(
        highlighted((10, 20), (25, 30)).build(), elements(quant="spec"), Documents().elements
    )
    assert run.paths is not None
    assert run.paths.strings() == ["/d[1]/s[1]/p[1]", "/d[1]/s[1]/p[2]"]


def test_only_so_many_results() -> None:
    judgements, run = highlighted((10, 20)), named("/d/s/p[3]", "/d/s/p[2]", "/d/s/p[1]")
    measure = "nxCG(elements(quant=spec))@9"
    assert scored(measure, judgements, run) == 1
    assert scored(measure, judgements, run, Policy(results=2)) == 0


def test_a_topic_without_value_is_left_out_and_named() -> None:
    judgements = Judgements(Faults("a"))
    judgements.add_element("q", "d", "/d[1]", 3, 3)
    judgements.add_element("p", "d", "/d[1]", 1, 1)
    asked = (Asked("MAep", parse_measure("MAep(elements(quant=strict))")),)
    evaluation = Evaluation(judgements.build(), asked, Policy(), Documents())
    scores = evaluation.score([named("/d")], "r")
    assert scores.means == (1.0,)
    assert any("nothing to gain" in str(note) and "(p)" in str(note) for note in scores.notes)


def test_ranges_that_are_no_element_gain_nothing_and_are_counted() -> None:
    run = Run.of("r", ["q"] * 2, ["d"] * 2, start=[11, 10], end=[20, 20])
    asked = (Asked("nxCG", parse_measure("nxCG(elements(quant=spec))@2")),)
    evaluation = Evaluation(highlighted((10, 20)).build(), asked, Policy(), Documents())
    scores = evaluation.score([run], "r")
    assert scores.means == (1.0,)
    assert any(
        "1 answer in relevant documents does not match an element" in str(note)
        for note in scores.notes
    )


def test_leniently_a_document_that_is_not_relevant_has_nothing_relevant() -> None:
    judgements = Judgements(Faults("a", lenient=True))
    judgements.judge("q", "d", 0)
    judgements.add_range("q", "d", 10, 20)
    judgements.add_element("q", "d", "/d[1]/s[1]", 3, 3)
    judgements.add_element("q", "d", "/d[1]/s[1]/p[1]", 0, 0)
    judgements.add_range("q", "other", 0, 5)
    assessments = judgements.build()
    assert judgements.faults.counts == {"contradiction": 2}
    assert assessments.relevant.to_lists() == [[], [(0, 5)]]
    assert assessments.elements.paths.strings() == ["/d[1]/s[1]/p[1]"]
    assert assessments.relevant_documents.tolist() == [1]
