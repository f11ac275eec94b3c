"""Runs that lack relevant documents: what measures must see, and what is said about them."""

from __future__ import annotations

from typing import Any

import pytest

from spanwise.data.assessments import Assessments
from spanwise.data.judgements import Judgements
from spanwise.data.notes import Faults, Note
from spanwise.evaluation.policy import Policy
from spanwise.lab.expected_orderings import MissingDocuments, Ordering, missing_sentences
from spanwise.lab.experiment import finished
from spanwise.lab.fidelity_orderings import Fidelity, check_orderings
from spanwise.lab.simulated_runs import DELAY, LATE, MISSING, NEVER, simulated_runs
from spanwise.records import replace

SIZES = {"q1": {"a": 60, "b": 30, "c": 10}, "q2": {"a": 50, "b": 50}}


def judged(sizes: dict[str, dict[str, int]] = SIZES) -> Assessments:
    judgements = Judgements(Faults("qrels"))
    for topic, documents in sizes.items():
        for name, size in documents.items():
            judgements.add_range(topic, name, 0, size)
            judgements.add_document(name, 200)
    return judgements.build()


def found_for(*measures: str, sizes: Any = SIZES, **options: Any) -> Fidelity:
    return finished(check_orderings(judged(sizes), measures, **options))


def under(measure: str, **options: Any) -> MissingDocuments:
    one = found_for(measure, **options).missing_under(measure)
    assert one is not None
    return one


# -- the runs


def listed(name: str, sizes: Any = SIZES) -> dict[str, list[str]]:
    runs = {run.name: run for run in simulated_runs(judged(sizes)).partial.runs}
    run = runs[name]
    names = run.documents.strings()
    return {
        topic: names[run.offsets[place] : run.offsets[place + 1]]
        for place, topic in enumerate(run.topics)
    }


def test_documents_are_left_out_of_the_best_ranking() -> None:
    last, first, half = (listed(name) for name in MISSING)
    assert last == {"q1": ["a", "b"], "q2": ["a"]}
    assert first == {"q1": ["b", "c"], "q2": ["b"]}
    assert half == {"q1": ["a", "b"], "q2": ["a"]}
    four = {"q": {"a": 4, "b": 3, "c": 2, "d": 1}}
    assert listed(MISSING[2], four) == {"q": ["a", "b"]}


def test_the_last_document_comes_after_many_irrelevant_ones_or_never() -> None:
    late, never = listed(LATE), listed(NEVER)
    for topic, before, end in (("q1", ["a", "b"], "c"), ("q2", ["a"], "b")):
        assert never[topic][: len(before)] == before
        assert len(never[topic]) == len(before) + DELAY
        assert late[topic] == [*never[topic], end]
        assert not {"a", "b", "c"} & set(never[topic][len(before) :])


def test_invented_names_are_not_those_of_documents() -> None:
    taken = {"q1": {"document-that-is-not-relevant-7": 9, "a": 3}}
    names = simulated_runs(judged(taken)).partial.invented
    assert len(names) == DELAY
    assert "document-that-is-not-relevant-7" not in names


# -- what measures make of them


def test_scores_worked_by_hand() -> None:
    agp = under("AgP")
    assert agp.means[:4] == pytest.approx((1.0, (2 / 3 + 1 / 2) / 2, (2 / 3 + 1 / 2) / 2, 7 / 12))
    late = ((2 + 3 / 53) / 3 + (1 + 2 / 52) / 2) / 2
    assert agp.means[4:] == pytest.approx((late, 7 / 12))
    assert agp.passes
    assert (agp.changed, agp.several) == (2, 2)


def test_agp_by_found_text_punishes_one_more_relevant_document() -> None:
    """It keeps all orderings of runs that find everything, as it is AgP there."""
    found = found_for("AgP(by=found-text)")
    assert found.broken("AgP(by=found-text)") == ()
    one = found.missing_under("AgP(by=found-text)")
    assert one is not None
    assert all(ordering.holds for ordering in one.orderings)
    assert not one.late.holds
    mean = ((2 + 3 / 53) / 3 + (1 + 2 / 52) / 2) / 2
    assert one.means[4:] == pytest.approx((mean, (0.9 + 0.5) / 2))
    assert not one.passes


@pytest.mark.parametrize("measure", ["gP@1", "RR", "textP@5", "iP@0.01", "gR@1"])
def test_measures_of_the_top_do_not_see_missing_documents(measure: str) -> None:
    one = under(measure)
    assert one.sees is False
    assert not one.passes


@pytest.mark.parametrize("measure", ["AP", "AgP(by=text)", "gP@10", "MAep", "textR@5", "ANCE@10"])
def test_other_measures_do(measure: str) -> None:
    one = under(measure)
    assert one.sees
    assert one.passes
    assert all(ordering.difference >= 0 for ordering in one.orderings)


def test_an_empty_list_scores_0_and_is_no_proof_of_seeing() -> None:
    sizes = {**SIZES, "q3": {"a": 10}}
    one = under("RR", sizes=sizes)
    assert one.means[:2] == (1.0, pytest.approx(2 / 3))
    assert (one.changed, one.several, one.sees) == (0, 2, False)
    said = found_for("RR", sizes=sizes).notes
    assert Note("nothing left", 1) in said


def test_an_empty_list_scores_0_also_where_missing_topics_are_skipped() -> None:
    sizes = {**SIZES, "q3": {"a": 10}}
    one = under("AP", sizes=sizes, policy=Policy(missing="skip"))
    assert one.orderings[0].more == 3
    effort = under("ANCE@10", sizes=sizes, policy=Policy(missing="skip"))
    assert effort.means[1] > effort.means[0]


def test_single_documents_only_leave_seeing_untested() -> None:
    found = found_for("RR", sizes={"q1": {"a": 10}, "q2": {"a": 10}})
    (one,) = found.missing
    assert one.sees is None
    assert one.passes
    assert list(missing_sentences(found.missing)) == [
        "Missing documents are not tested: no topic has two or more relevant documents."
    ]


def test_measures_without_a_direction_are_not_judged() -> None:
    assert found_for("overlap").missing == ()
    assert list(missing_sentences(())) == []


# -- missing_sentences, each with what would make it false


def made(measure: str, rises: bool = False, late: bool = True, changed: int = 4) -> Any:
    some = [Ordering(measure, "SR", name, 0.1, 3, 1, 0, 0.1, not rises) for name in MISSING]
    end = Ordering(measure, LATE, NEVER, 0.1, 3, 1, 0, 0.1, late)
    return MissingDocuments(measure, (1.0, 0.9, 0.8, 0.7, 0.5, 0.9), tuple(some), end, changed, 4)


def test_one_measure_that_passes() -> None:
    assert list(missing_sentences([made("AgP")])) == [
        "AgP sees missing documents, never rewards them, and does not punish finding one late, on 4"
        " topics with two or more relevant documents."
    ]


@pytest.mark.parametrize(
    ("one", "sentence"),
    [
        (
            made("m", changed=0),
            "m does not see missing documents (its score never changes on 4 topics with two or more"
            " relevant documents).",
        ),
        (
            made("m", rises=True),
            "m scores higher where relevant documents are missing (SR-without-last,"
            " SR-without-first and SR-without-half).",
        ),
        (
            made("m", late=False),
            "m scores lower when one more relevant document is found late (0.5000 rather than"
            " 0.9000).",
        ),
    ],
)
def test_each_fault_is_told(one: MissingDocuments, sentence: str) -> None:
    assert list(missing_sentences([one])) == [sentence]
    assert list(missing_sentences([made("AgP"), one])) == [
        "1 of 2 measures sees missing documents without rewarding them, and without punishing a"
        " document that is found late.",
        sentence,
    ]


# -- missing_sentences about the orderings


def test_a_measure_that_sees_no_ordering_does_not_keep_them_all() -> None:
    found = found_for("AP")
    flat = [replace(o, more=0, fewer=0, difference=0.0, p=None) for o in found.orderings]
    said = replace(found, orderings=tuple(flat)).output().sentences[0]
    assert said == "AP shows no difference in any of the 12 orderings."


def test_one_broken_ordering_is_not_all_kept() -> None:
    found = found_for("AP", "RR")
    first, *others = found.orderings
    said = replace(found, orderings=(replace(first, holds=False), *others)).output().sentences
    assert said[0] == (
        "1 of 2 measures keeps all 12 orderings of 8 simulated runs (2 topics); AP breaks 1."
    )
    assert said[1] == "AP breaks 1 of 12 orderings: SR over SLDR."


def test_an_undefined_measure_is_not_checked() -> None:
    found = found_for("AP")
    assert replace(found, orderings=()).output().sentences[0] == (
        "AP is not checked: it is undefined for every topic."
    )
