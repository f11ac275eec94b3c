"""The traps that measures document: every number printed there, computed."""

from __future__ import annotations

import re

import pytest

import spanwise
from spanwise.measures.base import Family
from spanwise.measures.grammar import parse_measure
from spanwise.measures.registry import lists
from spanwise.reporting.catalogue import Entry

Ranges = list[tuple[int, int]]
Answers = list[tuple[str, int, int]]


def scored(name: str, relevant: dict[str, Ranges], answers: Answers) -> float:
    """The value of a measure for one topic."""
    run = [(*answer, float(-rank)) for rank, answer in enumerate(answers)]
    value = spanwise.evaluate({"q": relevant}, {"q": run}, [name]).mean(name)
    assert value is not None
    return value


TWO_PASSAGES = {"d": [(0, 50), (100, 150)]}
EXACT: Answers = [("d", 0, 50)]
ONE_BY_ONE: Answers = [("d", place, place + 1) for place in range(50)]
TWO_DOCUMENTS = {"a": [(0, 50)], "b": [(0, 50)]}
TEN_PASSAGES = {"d": [(place, place + 10) for place in range(0, 1000, 100)]}
WHOLE: Answers = [("d", 0, 1000)]
UNEQUAL = {"a": [(0, 900)], "b": [(0, 100)]}
HALF: Ranges = [(0, 100)]
PASSAGES = {"d": [(0, 100), (200, 300)]}


def at_rank(rank: int, document: str) -> Answers:
    """The right text of a document, after answers of documents that are not relevant."""
    return [*((f"x{number}", 0, 100) for number in range(2, rank)), (document, 0, 100)]


@pytest.mark.parametrize(
    ("name", "relevant", "answers", "printed"),
    [
        ("Q(passages)", TWO_PASSAGES, EXACT, "0.50"),
        ("Q(passages)", TWO_PASSAGES, ONE_BY_ONE, "0.88"),
        ("MAep(passages)", TWO_PASSAGES, EXACT, "0.50"),
        ("MAep(passages)", TWO_PASSAGES, [*EXACT, ("d", 120, 121)], "0.88"),
        ("Q(passages)", TEN_PASSAGES, WHOLE, "0.55"),
        ("Q(passages,divisor=larger)", TEN_PASSAGES, WHOLE, "0.06"),
        ("MAep(passages)", TEN_PASSAGES, WHOLE, "0.10"),
        ("MAep(passages,divisor=larger)", TEN_PASSAGES, WHOLE, "0.01"),
        ("AgP", TWO_DOCUMENTS, [("a", 0, 50)], "0.50"),
        ("AgP", TWO_DOCUMENTS, [("a", 0, 50), ("b", 900, 950)], "0.75"),
        ("AgP(by=found-text)", UNEQUAL, [("a", 0, 900)], "0.90"),
        ("AgP(by=found-text)", UNEQUAL, [("a", 0, 900), *at_rank(100, "b")], "0.51"),
        ("hitP@5", {"d": HALF}, [("d", place, place + 20) for place in range(0, 100, 20)], "1"),
        ("hitP@5", {"d": HALF}, [("d", 0, 100)], "0.2"),
        ("AiP", {"d": HALF}, [("d", 0, 200)], "0.50"),
        ("AiP", {"d": HALF}, [("d", 0, 100), ("d", 100, 200)], "1"),
        ("genomics.passage", PASSAGES, [("d", 0, 100)], "0.50"),
        ("genomics.passage", PASSAGES, [("d", 0, 100)] * 5, "0.83"),
        ("bioasq.AP", {"d": HALF}, [("d", 0, 100)], "1.00"),
        ("bioasq.AP", {"d": HALF}, [("d", 0, 50), ("d", 50, 100)], "2.00"),
        ("chroma.recall", {"d": [*HALF, *HALF]}, [("d", 0, 100)], "0.50"),
        ("chroma.precision", {"d": HALF}, [("d", 0, 100)] * 2, "0.50"),
        ("chroma.iou", {"d": HALF}, [("d", 0, 100)] * 2, "0.50"),
        ("legalbench.precision", {"d": HALF}, [("d", 0, 100), ("d", 500, 600)], "0.50"),
        ("legalbench.precision", {"d": HALF}, [*[("d", 0, 100)] * 3, ("d", 500, 600)], "0.75"),
        ("legalbench.recall", {"d": [(100, 200)]}, [("d", 80, 220), ("d", 90, 230)], "2.0"),
    ],
)
def test_the_numbers_of_a_trap(name, relevant, answers, printed):
    digits = len(printed.partition(".")[2])
    assert f"{scored(name, relevant, answers):.{digits}f}" == printed
    assert re.search(rf"\b{printed}\b", " ".join(Entry(parse_measure(name)).traps))


@pytest.mark.parametrize(("name", "one", "ten"), [("NCE", "4", "40"), ("ANCE", "4", "39.7")])
def test_the_range_of_effort_depends_on_the_relevant_documents(name, one, ten):
    (trap,) = Entry(parse_measure(name)).traps
    for count, printed in ((1, one), (10, ten)):
        relevant = {f"d{number}": HALF for number in range(count)}
        digits = len(printed.partition(".")[2])
        assert f"{scored(name, relevant, [('x', 0, 1)]):.{digits}f}" == printed
        assert re.search(rf"\b{printed}\b", trap)


def test_aip_does_not_depend_on_how_an_exact_answer_is_cut():
    """As the trap of bioasq.AP says."""
    for answers in ([("d", 0, 100)], [("d", 0, 50), ("d", 50, 100)]):
        assert scored("AiP", {"d": HALF}, answers) == 1


@pytest.mark.parametrize(
    "name", [name for name, kind in lists().items() if kind.family is Family.PEER_LISTS]
)
def test_measures_of_other_tools_say_what_to_use_instead(name):
    traps = " ".join(Entry(lists()[name]()).traps)
    named = re.findall(r"(?:[Uu]se|Look at) (spanwise chunks|[\w()@=]+)", traps)
    assert named
    for other in named:
        assert other == "spanwise chunks" or parse_measure(other).family is not Family.PEER_LISTS


def test_single_characters_do_not_pay_by_effort_precision():
    """Why MAep has an example of its own."""
    assert scored("MAep(passages)", TWO_PASSAGES, ONE_BY_ONE) == pytest.approx(1 / 51)


@pytest.mark.parametrize("name", ["MAep(passages)", "Q(passages)"])
def test_cutting_before_a_late_fragment_raises_the_mean(name):
    relevant = {"d": [(0, 50)]}
    whole: Answers = [("d", 0, 25), *((f"x{n}", 0, 9) for n in range(98)), ("d", 25, 50)]
    assert scored(name, relevant, whole[:1]) > scored(name, relevant, whole)
    assert any("a late one lowers the mean" in trap for trap in Entry(parse_measure(name)).traps)


@pytest.mark.parametrize("nickname", ["all", "xcg"])
def test_no_nickname_asks_for_what_rewards_fragments_over_passages(nickname):
    scores = spanwise.evaluate({"q": {"d": [(0, 10)]}}, {"q": {"d": [(0, 5)]}}, nickname)
    asked = {measure.label for measure in scores.measures}
    assert {"MAep", "Q"}.isdisjoint(asked)
    assert any(str(note).startswith("MAep, Q") for note in scores.notes)
