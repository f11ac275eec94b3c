"""The slow twin itself, against the papers' numbers, worked examples and laws."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from oracles.slow import (
    Answer,
    BadNameError,
    Case,
    MissingError,
    Page,
    Ranking,
    RefusedError,
    UndefinedError,
    average_precision,
    document_score,
    effort_list_score,
    list_score,
    reading_order,
    score,
)
from oracles.twins import parse

PAPERS = Path(__file__).parent.parent / "papers" / "papers.json"
Worked = dict[str, Any]


def worked(kind: str, without: str = "-") -> list[Any]:
    """The worked cases of a kind, as pytest parameters named by their ids."""
    cases = json.loads(PAPERS.read_text(encoding="utf-8"))["cases"]
    mine = [case for case in cases if case["kind"] == kind and case["id"] != without]
    return [pytest.param(case, id=case["id"]) for case in mine]


def ranges(pairs: list[list[int]]) -> list[tuple[int, int]]:
    return [(start, end) for start, end in pairs]


# Numbers of papers.json


@pytest.mark.parametrize("case", worked("document_scores"))
def test_document_scores(case: Worked) -> None:
    given_page = case["input"]
    page = Page(
        length=given_page["length"],
        relevant=ranges(given_page["relevant"]),
        parts=[*ranges(given_page["returned"])],
    )
    for name, value in case["expected"].items():
        assert document_score(name, page) == pytest.approx(value, abs=case["tolerance"]), name


@pytest.mark.parametrize("case", worked("page_scores"))
def test_page_scores(case: Worked) -> None:
    given_list = case["input"]
    ranking = Ranking(
        scores=given_list["scores"],
        relevant=[bool(relevant) for relevant in given_list["relevant"]],
        relevant_sizes=given_list["relevant_size"],
        relevant_documents=given_list["relevant_documents"],
        relevant_text=given_list["relevant_text"],
    )
    for name, value in case["expected"].items():
        assert list_score(name, ranking) == pytest.approx(value, abs=case["tolerance"]), name


@pytest.mark.parametrize("case", worked("answers", without="flat-passages"))
def test_answers(case: Worked) -> None:
    documents = case["input"]["documents"]
    topic = Case(
        answers=[Answer(*answer) for answer in case["input"]["answers"]],
        relevant={name: ranges(document["relevant"]) for name, document in documents.items()},
        lengths={name: document["length"] for name, document in documents.items()},
        texts={name: document.get("text", "") for name, document in documents.items()},
    )
    for name, value in case["expected"].items():
        assert score(name, topic) == pytest.approx(value, abs=case["tolerance"]), name


@pytest.mark.parametrize("case", worked("bep"))
def test_best_entry_points(case: Worked) -> None:
    mean_length = case["input"].get("mean_document_length")
    pages = [
        Page(10_000, [(0, 1)], [(distance, distance + 1)], [0], mean_length)
        for distance in case["input"]["distances"]
    ]
    for name, values in case["expected"].items():
        found = [document_score(name, page) for page in pages]
        assert found == pytest.approx(values, abs=case["tolerance"]), name


@pytest.mark.parametrize("case", worked("efforts"))
def test_efforts(case: Worked) -> None:
    efforts, documents = case["input"]["efforts"], case["input"]["relevant_documents"]
    for name, value in case["expected"].items():
        found = effort_list_score(name, efforts, documents, case["input"]["nr"])
        assert found == pytest.approx(value, abs=case["tolerance"]), name


@pytest.mark.parametrize("case", worked("first_relevant_position"))
def test_first_relevant_position(case: Worked) -> None:
    positions = case["input"]["positions"]
    pages = [Page(position, [(position - 1, position)], []) for position in positions]
    for name, values in case["expected"].items():
        assert [document_score(name, page) for page in pages] == values, name


@pytest.mark.parametrize("case", worked("overlap"))
def test_overlap_of_elements(case: Worked) -> None:
    paths = case["input"]["run"]
    leaves = [path for path in paths if not any(other.startswith(path + "/") for other in paths)]

    def element(path: str) -> Answer:
        inside = [n for n, leaf in enumerate(leaves) if (leaf + "/").startswith(path + "/")]
        return Answer("d", min(inside), max(inside) + 1)

    topic = Case([element(path) for path in paths], {"d": [(0, 1)]})
    assert score("overlap", topic) == pytest.approx(case["expected"]["overlap"])


# Numbers that stand in the text of the definitions only


def test_mini_document_with_a_passage_penalty() -> None:
    page = Page(55, [(0, 27)], [(23, 45)])
    assert document_score("aveChP(passage_penalty=10)", page) == pytest.approx(0.325585, abs=5e-7)


def test_short_segments_by_hand() -> None:
    assert average_precision([True, False, True]) == pytest.approx((1 + 2 / 3) / 2)
    assert average_precision([False] * 999 + [True]) == pytest.approx(0.001)
    assert average_precision([False]) == 0


def test_perfect_retrieval_is_not_perfect_for_a_tolerant_reader() -> None:
    page = Page(1000, [(100, 150)], [(100, 150)])
    assert document_score("T2Iprec(tolerance=300)", page) == 50 / 350
    assert document_score("T2Irecall(tolerance=300)", page) == 1


def test_reading_stops_at_the_last_tolerated_character() -> None:
    page = Page(10, [(0, 2), (5, 9)], [])
    assert document_score("T2Iprec(tolerance=3)", page) == 2 / 5
    assert document_score("T2Irecall(tolerance=3)", page) == 2 / 6
    assert document_score("T2Irecall(tolerance=4)", page) == 1


def test_a_relevant_page_without_a_recorded_entry_point() -> None:
    page = Page(1000, [(300, 400), (200, 250)], [(100, 120), (200, 250)])
    assert document_score("BEP(n=500)", page) == 0.8
    page.entry_points = [900, 90]
    assert document_score("BEP(n=500)", page) == 490 / 500
    assert document_score("BEP(n=500)", Page(1000, [(50, 60)], [None, (50, 60)])) == 0.9


def test_lists_by_hand() -> None:
    answers = [Answer("x", 0, 5), Answer("a", 0, 10), Answer("b"), Answer("a", 10, 20)]
    topic = Case(
        answers,
        {"a": [(0, 10), (5, 20)], "c": [(0, 5)]},
        grades={"a": 2, "b": 1, "c": 1, "x": -1},
        lengths={"a": 40, "b": 10, "x": 10},
        whole_relevant={"b"},
    )
    assert score("AgP", topic) == pytest.approx((1 / 2 + 2 / 3) / 3)
    assert score("AgP(by=text)", topic) == pytest.approx((20 / 2 + 10 * 2 / 3) / 35)
    assert score("gP@10", topic) == 0.2
    assert score("AP", topic) == pytest.approx((1 / 2 + 2 / 3) / 3)
    assert score("AP@2", topic) == pytest.approx(1 / 6)
    assert score("RR", topic) == 0.5
    assert score("RR@1", topic) == 0
    assert score("Rprec", topic) == 2 / 3
    assert score("Success@1", topic) == 0
    assert score("nDCG@2", topic) == pytest.approx((2 / 1.584962500721156) / 2.6309297535714578)
    topic.grades = {}
    assert score("nDCG@1", topic) == 0
    assert score("nDCG@2", topic) == pytest.approx((1 / 1.584962500721156) / 1.6309297535714575)
    assert score("CE@4", topic) == 4 + 0 + 0 + 4
    assert score("NCE@4", topic) == 4
    assert score("ANCE@4", topic) == 4


# Reading order

RELEVANT = [(1, 2), (4, 5)]


def read(order: str) -> list[bool]:
    """Characters of a document of six, `-` being an inserted one, to relevant or not."""
    return [character in "14" for character in order]


@pytest.mark.parametrize(
    ("parts", "options", "order"),
    [
        ([(4, 6), (0, 2)], {}, "014523"),
        ([(4, 6), (0, 2)], {"within": "rank"}, "450123"),
        ([(3, 5), (2, 6)], {"within": "rank"}, "342501"),
        ([(3, 4)], {}, "301245"),
        ([(3, 4)], {"after": "worst"}, "302514"),
        ([(3, 4)], {"after": "best"}, "314025"),
        ([], {"after": "worst"}, "012345"),
        ([(3, 4), None], {"after": "worst"}, "012345"),
        ([(3, 4), None], {"within": "rank"}, "012345"),
        ([(3, 4), None], {"within": "rank", "passage_penalty": 1}, "-012345"),
        ([(3, 6), (0, 3)], {"after": "worst"}, "012345"),
        ([(3, 6), (0, 3)], {"within": "rank"}, "345012"),
        ([(3, 4), (0, 2)], {"start": "bep"}, "345012"),
        ([(3, 4)], {"start": "bep", "passage_penalty": 2}, "345012"),
        ([(0, 2), (2, 3), (5, 6)], {"passage_penalty": 1}, "-012-534"),
        ([(2, 3), (0, 3), (0, 1)], {"passage_penalty": 1, "within": "rank"}, "-2-01345"),
        ([(0, 3), (3, 6)], {"passage_penalty": 2}, "--012345"),
        ([None], {"passage_penalty": 2}, "--012345"),
        ([], {"passage_penalty": 2}, "012345"),
        ([(5, 6)], {"min_passage": 3}, "345012"),
        ([(2, 3)], {"min_passage": 3}, "234015"),
        ([(2, 3)], {"min_passage": 9}, "012345"),
        ([(4, 5), (1, 2)], {"min_passage": 2, "within": "rank"}, "451203"),
    ],
)
def test_reading_order(
    parts: list[tuple[int, int] | None], options: dict[str, Any], order: str
) -> None:
    assert reading_order(Page(6, RELEVANT, parts), **options) == read(order)


def test_inserted_characters_count_as_read() -> None:
    page = Page(6, RELEVANT, [(1, 2)])
    assert document_score("ChP(k=600,passage_penalty=4)", page) == 2 / 10
    assert document_score("ChR(k=4,passage_penalty=4)", page) == 0
    assert document_score("T2Irecall(tolerance=4,passage_penalty=4)", page) == 0
    assert document_score("T2Irecall(tolerance=5,passage_penalty=4)", page) == 1 / 2
    assert document_score("LE(screen=2,passage_penalty=4)", page) == 3
    assert document_score("LE(screen=1,passage_penalty=4,nr=4)", page) == 4


# Policies


def test_scores_of_a_page_that_is_not_relevant() -> None:
    page = Page(None, [], [None])
    assert document_score("aveChP", page) == document_score("F", page) == 0
    assert document_score("LE(nr=7)", page) == 7


def test_a_listed_document_occupies_a_rank() -> None:
    topic = Case([Answer("a", parts=False), Answer("b", 0, 4)], {"b": [(0, 4)]}, lengths={"b": 9})
    assert score("AgP", topic) == 0.5
    assert score("textP", topic) == 1
    assert score("textR@1", topic) == 0
    assert score("iP@0", topic) == 1
    assert score("overlap", topic) == 0


def test_a_relevant_document_without_parts() -> None:
    topic = Case([Answer("a", parts=False)], {"a": [(3, 4)]}, lengths={"a": 9})
    assert score("gP(F)@1", topic) == score("gP(R)@1", topic) == score("textR", topic) == 0
    assert score("gP(aveChP)@1", topic) == 1 / 4
    assert score("gP(BEP(n=10))@1", topic) == 0.7
    assert score("gR@1", topic) == score("AP", topic) == 1
    topic.answers.append(Answer("a", 3, 4))
    assert score("gP(BEP(n=10))@1", topic) == score("AgP(aveChP)", topic) == 1


def test_as_is_sums_literally() -> None:
    answers = [Answer("a", 0, 10), Answer("a", 5, 15)]
    topic = Case(answers, {"a": [(5, 10)]}, overlap="as-is")
    assert score("textP", topic) == 0.5
    assert score("textR", topic) == 2
    assert score("textP(budget=15)", topic) == 10 / 15
    assert score("gP(P)@1", topic) == 0.5
    assert score("gP(R)@1", topic) == 2
    topic.overlap = "union"
    assert score("textR", topic) == 1
    assert score("gP(P)@1", topic) == 5 / 15


@pytest.mark.parametrize("name", ["textIoU@5", "AgP(IoU)", "AgP(aveChP)", "gP(T2If)@5", "CE"])
def test_as_is_is_refused(name: str) -> None:
    with pytest.raises(RefusedError):
        score(name, Case([], {"a": [(0, 1)]}, overlap="as-is"))


def test_token_budgets() -> None:
    text = "one, two three"
    topic = Case(
        [Answer("a", 1, 3), Answer("a", 0, 14)],
        {"a": [(0, 3)]},
        texts={"a": text},
        lengths={"a": len(text)},
    )
    assert score("textP(budget=1,unit=tokens)", topic) == 1
    assert score("textR(budget=1,unit=tokens)", topic) == 1
    assert score("textP(budget=2,unit=tokens)", topic) == 3 / 5
    assert score("textP(budget=3,unit=tokens)", topic) == 3 / 9
    assert score("textR(budget=3,unit=tokens)@1", topic) == 2 / 3
    topic.overlap = "as-is"
    assert score("textR(budget=1,unit=tokens)", topic) == 2 / 3
    assert score("textR(budget=2,unit=tokens)", topic) == 5 / 3


def test_what_is_missing_is_never_guessed() -> None:
    topic = Case([Answer("a"), Answer("b")], {"a": [(0, 1)]})
    for name in ("textP", "AgP", "AgP(aveChP)", "AgP(BEPD)", "textP(budget=3,unit=tokens)"):
        with pytest.raises(MissingError):
            score(name, topic)
    assert score("AgP(rel)", topic) == score("AgP(BEP)", topic) == score("overlap", topic) + 1


def test_a_topic_without_relevant_text_is_undefined() -> None:
    with pytest.raises(UndefinedError):
        score("overlap", Case([Answer("a", 0, 1)], {}, grades={"a": 0}))


def test_an_empty_list() -> None:
    topic = Case([], {"a": [(0, 1)]})
    for name in ("AgP", "igP@0", "iP@0", "AiP", "textF", "nDCG", "AgP(by=found-text)", "overlap"):
        assert score(name, topic) == 0
    assert score("CE", topic) == 600 * 4


# Names


def test_names() -> None:
    name = parse("gP(aveChP(within=rank,after=worst),by=text)@10")
    assert (name.word, name.cutoff, name.parameters) == ("gP", "10", {"by": "text"})
    assert name.item == parse("aveChP(after=worst, within=rank)")


@pytest.mark.parametrize(
    "name",
    [
        *("F", "P", "gP", "AgP@5", "gP(F)(F)@5", "AgP(by=text,F)", "AgP(LE)", "CE(F)@5", "nope"),
        *("gR(F)@5", "AgP(F(gamma=1))", "AgP(aveChP(after=never))", "AgP(", "AgP(F@3)"),
    ],
)
def test_bad_names(name: str) -> None:
    with pytest.raises(BadNameError):
        score(name, Case([], {"a": [(0, 1)]}))


# Laws

PATIENT = settings(deadline=None)
LENGTH = 12
DOCUMENTS = "abcd"
spans = st.tuples(st.integers(0, LENGTH - 1), st.integers(1, LENGTH)).map(
    lambda pair: (min(pair), max(min(pair) + 1, pair[1]))
)
answers = st.builds(lambda name, span: Answer(name, *span), st.sampled_from(DOCUMENTS), spans)
topics = st.builds(
    lambda found, relevant: Case(found, relevant, lengths=dict.fromkeys(DOCUMENTS, LENGTH)),
    st.lists(answers, max_size=8),
    st.dictionaries(st.sampled_from(DOCUMENTS), st.lists(spans, min_size=1), min_size=1),
)
pages = st.builds(
    lambda relevant, parts: Page(LENGTH, relevant, parts),
    st.lists(spans, min_size=1),
    st.lists(st.one_of(spans, st.none()), max_size=4),
)


def same(one: float, two: float) -> bool:
    return one == pytest.approx(two, abs=1e-12)


@PATIENT
@given(topics)
def test_document_relevance_gives_the_plain_lists(topic: Case) -> None:
    assert same(score("AgP(rel)", topic), score("AP", topic))
    assert same(score("gP(rel)@3", topic), score("P@3", topic))
    assert same(score("gR@3", topic), score("R@3", topic))


@PATIENT
@given(topics)
def test_all_found_makes_the_averages_agree(topic: Case) -> None:
    topic.answers += [Answer(document, 0, 1) for document in topic.relevant]
    assert same(score("AgP(by=found-text)", topic), score("AgP", topic))


@PATIENT
@given(topics)
def test_intersection_over_union_follows_from_f(topic: Case) -> None:
    f = score("textF@3", topic)
    assert same(score("textIoU@3", topic), f / (2 - f))


@PATIENT
@given(topics)
def test_interpolated_precision_never_rises(topic: Case) -> None:
    values = [score(f"iP@{x}", topic) for x in ("0", "0.25", "0.5", "0.75", "1")]
    assert values == sorted(values, reverse=True)
    assert score("AiP", topic) <= values[0] + 1e-12


@PATIENT
@given(topics)
def test_duplicates_change_no_text_list(topic: Case) -> None:
    doubled = Case([*topic.answers, *topic.answers], topic.relevant, lengths=topic.lengths)
    for name in ("textP", "textR", "textF", "textIoU", "AiP", "textP(budget=7)", "AgP(aveChP)"):
        assert score(name, topic) == score(name, doubled)


@PATIENT
@given(pages)
def test_worst_natural_best(page: Page) -> None:
    worst, natural, best = (
        document_score(f"aveChP(after={after})", page) for after in ("worst", "natural", "best")
    )
    assert worst <= natural + 1e-12
    assert natural <= best + 1e-12
    assert worst > 0
    assert best <= 1


@PATIENT
@given(pages)
def test_a_patient_reader_reads_everything(page: Page) -> None:
    relevant = sum(reading_order(page))
    assert document_score(f"T2Iprec(tolerance={LENGTH})", page) == relevant / LENGTH
    assert document_score(f"T2Irecall(tolerance={LENGTH})", page) == 1
    recalls = [document_score(f"T2Irecall(tolerance={n})", page) for n in range(1, LENGTH)]
    assert recalls == sorted(recalls)


@PATIENT
@given(pages, st.randoms(use_true_random=False))
def test_splitting_and_shuffling_parts_changes_nothing(page: Page, random: Any) -> None:
    parts: list[tuple[int, int] | None] = []
    for part in page.parts:
        parts += [None] if part is None else [(n, n + 1) for n in range(*part)]
    random.shuffle(parts)
    other = Page(page.length, page.relevant, parts)
    for name in ("P", "R", "F", "IoU", "aveChP", "T2If(tolerance=3)", "ChP(k=4)"):
        assert document_score(name, page) == document_score(name, other)


@PATIENT
@given(st.lists(spans, min_size=1), st.lists(spans, min_size=1))
def test_f_is_symmetric(one: list[tuple[int, int]], two: list[tuple[int, int]]) -> None:
    forth = document_score("F(beta=1)", Page(LENGTH, one, [*two]))
    back = document_score("F(beta=1)", Page(LENGTH, two, [*one]))
    assert same(forth, back)
    assert document_score("F(beta=1)", Page(LENGTH, one, [*one])) == 1


@PATIENT
@given(st.lists(spans, min_size=1), st.lists(spans, max_size=3))
def test_text_after_the_last_relevant_character(
    relevant: list[tuple[int, int]], parts: list[tuple[int, int]]
) -> None:
    for name in ("aveChP", "aveChP(after=best)", "F(beta=0.25)", "IoU", "LE(screen=2)"):
        short = document_score(name, Page(LENGTH, relevant, [*parts]))
        assert document_score(name, Page(LENGTH + 5, relevant, [*parts])) == short


@PATIENT
@given(st.integers(1, 9), st.integers(1, 9))
def test_an_ideal_effort_list_costs_nothing(relevant_documents: int, cutoff: int) -> None:
    efforts = [1.0] * relevant_documents
    assert effort_list_score(f"NCE@{cutoff}", efforts, relevant_documents, 5) == 0


@PATIENT
@given(st.lists(st.tuples(spans, spans), min_size=2, max_size=4))
def test_a_swap_weighs_half_behind_a_miss(pairs: list[tuple[tuple[int, int], ...]]) -> None:
    relevant = {str(n): [pair[0]] for n, pair in enumerate(pairs)}
    ordered = [Answer(str(n), *pair[1]) for n, pair in enumerate(pairs)]
    swapped = [ordered[1], ordered[0], *ordered[2:]]
    miss = Answer("x", 0, 1)
    right, swap, late, late_swap = (
        score("AgP", Case(found, relevant))
        for found in (ordered, swapped, [miss, *ordered], [miss, *swapped])
    )
    assert same(late - late_swap, (right - swap) / 2)
