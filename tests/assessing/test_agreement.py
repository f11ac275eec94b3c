"""Assessors compared: the demo's figures, sets of characters, and what must hold of any two."""

from __future__ import annotations

import math
from importlib.resources import files
from pathlib import Path

import krippendorff
import pytest
from hypothesis import given
from hypothesis import strategies as st

import spanwise
from cases import Trees, tree_of
from spanwise.assessing.agreement import Agreement, PairAgreement, agreement_of
from spanwise.assessing.compared_units import at_least
from spanwise.assessing.disagreements import disagreements
from spanwise.data.assessments import Assessments
from spanwise.data.judgements import Judgements
from spanwise.data.notes import Faults
from spanwise.text.ranges import Ranges

DEMO = Path(str(files("spanwise"))) / "demo"
Spans = tuple[tuple[int, int], ...]
Judged = dict[tuple[str, str], Spans]
"""By topic and document; nothing: judged and not relevant."""
LENGTH = 30
TREE = {
    "/article[1]": 30,
    "/article[1]/sec[1]": 20,
    "/article[1]/sec[1]/p[1]": 12,
    "/article[1]/sec[1]/p[1]/b[1]": 5,
    "/article[1]/sec[1]/p[2]": 8,
    "/article[1]/sec[2]": 10,
}
BLOCKS = ((0, 30), (0, 20), (0, 12), (12, 20), (20, 30))
"""The elements of the tree but for the bold word."""


def judged(given: Judged, *, lengths: bool = True) -> Assessments:
    judgements = Judgements(Faults("qrels"))
    for (topic, document), spans in given.items():
        for start, end in spans:
            judgements.add_range(topic, document, start, end)
        if not spans:
            judgements.judge(topic, document, 0)
    built = judgements.build()
    names = {document: LENGTH for _, document in given}
    return built.with_lengths(names) if lengths else built


def compared(first: Judged, second: Judged, *, elements: bool = True) -> PairAgreement:
    return agreed(first, second, elements=elements).pairs[0]


def agreed(*several: Judged, elements: bool = True) -> Agreement:
    names = {document for one in several for _, document in one}
    trees = Trees({name: tree_of(TREE) for name in names}).elements if elements else None
    called = [f"assessor {number}" for number in range(len(several))]
    return agreement_of(called, [judged(one) for one in several], trees)


# -- the demo


@pytest.fixture(scope="module")
def demo() -> PairAgreement:
    both = (DEMO / f"assessments.{name}.jsonl" for name in ("first", "second"))
    return spanwise.agree(*both, collection=DEMO / "articles").pairs[0]


def test_the_demo_has_the_figures_of_its_drawing(demo: PairAgreement) -> None:
    expected = {
        "document": (0.7590, 0.7569, 0.9106, 0.8358),
        "element": (0.8613, 0.8610, 0.8780, 0.7825),
        "character": (0.7145, 0.7125, 0.7416, 0.5893),
    }
    found = {
        level: tuple(
            round(demo.pooled(level, name), 4)  # type: ignore[arg-type]
            for name in ("kappa", "alpha", "f1", "overlap")
        )
        for level in expected
    }
    assert found == expected
    assert (demo.documents, len(demo.topics)) == (97, 14)


def test_the_demo_has_the_counts_of_its_drawing(demo: PairAgreement) -> None:
    whole = {level: counts.together() for level, counts in demo.counts.items()}
    shared = {level: (int(one.both[0]), int(one.either[0])) for level, one in whole.items()}
    assert shared == {
        "document": (56, 67),
        "element": (223, 285),
        "character": (27_468, 46_612),
    }
    assert demo.text is not None
    assert len(disagreements(demo.text)) == 61


# -- characters, elements and documents as sets


def slow_counts(first: set[object], second: set[object], every: set[object]) -> list[int]:
    sets = (first & second, first - second, second - first, every - first - second)
    return [len(one) for one in sets]


def slow_units(given: Judged, pairs: set[tuple[str, str]], level: str) -> set[object]:
    """What an assessor found relevant among these pairs."""
    found: set[object] = set()
    for pair in pairs:
        inside = {place for start, end in given[pair] for place in range(start, end)}
        if level == "character":
            found |= {(pair, place) for place in inside}
        elif level == "element":
            found |= {(pair, own) for own in BLOCKS if inside & set(range(*own))}
        elif inside:
            found.add(pair)
    return found


def every_unit(pairs: set[tuple[str, str]], level: str) -> set[object]:
    if level == "character":
        return {(pair, place) for pair in pairs for place in range(LENGTH)}
    if level == "element":
        return {(pair, own) for pair in pairs for own in BLOCKS}
    return {*pairs}


spans = st.lists(
    st.tuples(st.integers(0, LENGTH - 1), st.integers(1, 9)).map(
        lambda one: (one[0], min(sum(one), LENGTH))
    ),
    max_size=3,
).map(tuple)
judgements = st.dictionaries(
    st.tuples(st.sampled_from(["q1", "q2"]), st.sampled_from(["d1", "d2", "d3"])),
    spans,
    min_size=1,
)


def with_something_common(one: Judged, other: Judged) -> tuple[Judged, Judged]:
    return {("q1", "d1"): ((3, 9),), **one}, {("q1", "d1"): ((5, 12),), **other}


pairs_of_judgements = st.builds(with_something_common, judgements, judgements)


@given(pairs_of_judgements)
def test_counts_are_those_of_sets(both: tuple[Judged, Judged]) -> None:
    first, second = both
    found = compared(first, second)
    for level, counts in found.counts.items():
        for place, topic in enumerate(found.topics):
            pairs = {pair for pair in first.keys() & second.keys() if pair[0] == topic}
            own = (slow_units(one, pairs, level) for one in both)
            expected = slow_counts(*own, every_unit(pairs, level))
            assert counts.table()[:, place].tolist() == expected, (level, topic)


@given(pairs_of_judgements, judgements)
def test_alpha_of_three_is_that_of_the_krippendorff_package(
    both: tuple[Judged, Judged], third: Judged
) -> None:
    several = (*both, third)
    joint = agreed(*several).joint
    assert joint is not None
    for coefficient in joint.coefficients:
        rows = [*slow_table(several, coefficient.level)]
        known = {value for row in rows for value in row if not math.isnan(value)}
        if len(known) < 2:
            assert math.isnan(coefficient.pooled)
        else:
            expected = krippendorff.alpha([*zip(*rows, strict=True)], value_domain=[0.0, 1.0])
            assert coefficient.pooled == pytest.approx(expected, abs=1e-9)


def slow_table(several: tuple[Judged, ...], level: str) -> list[list[float]]:
    """A row for each unit that two assessors judged, a column for each assessor."""
    rows = []
    for pair in sorted({pair for one in several for pair in one}):
        if sum(pair in one for one in several) < 2:
            continue
        found = [slow_units(one, {pair}, level) if pair in one else None for one in several]
        for unit in sorted(every_unit({pair}, level), key=str):
            rows.append([math.nan if own is None else float(unit in own) for own in found])
    return rows


@given(st.lists(spans, min_size=1, max_size=4))
def test_depths_are_those_of_sets(several: list[Spans]) -> None:
    found = at_least([Ranges.of([own]) for own in several])
    inside = [{place for start, end in own for place in range(start, end)} for own in several]
    for depth, ranges in enumerate(found, 1):
        expected = [p for p in range(LENGTH) if sum(p in own for own in inside) >= depth]
        assert [p for start, end in ranges.to_lists()[0] for p in range(start, end)] == expected


# -- laws


def values(found: PairAgreement) -> dict[tuple[str, str, str], float]:
    return {
        (one.level, one.statistic, topic): value
        for one in found.coefficients
        for topic, value in zip(("all", *found.topics), (one.pooled, *one.by_topic), strict=True)
        if value == value
    }


@given(pairs_of_judgements)
def test_an_assessor_agrees_with_a_copy(both: tuple[Judged, Judged]) -> None:
    one = {**both[0], ("q1", "d9"): ((0, 1),)}
    found = values(compared(one, dict(one)))
    assert found
    assert set(found.values()) == {1.0}


@given(pairs_of_judgements)
def test_who_is_first_does_not_matter(both: tuple[Judged, Judged]) -> None:
    one, other = values(compared(*both)), values(compared(*both[::-1]))
    assert one == pytest.approx(other, rel=1e-12)


@given(pairs_of_judgements)
def test_names_of_topics_do_not_matter(both: tuple[Judged, Judged]) -> None:
    names = {"q1": "z", "q2": "a"}
    renamed = [{(names[t], d): own for (t, d), own in one.items()} for one in both]
    found = {
        (level, name, names.get(topic, topic)): value
        for (level, name, topic), value in values(compared(*both)).items()
    }
    assert values(compared(*renamed)) == pytest.approx(found, rel=1e-12)


@given(pairs_of_judgements)
def test_what_only_one_judged_changes_nothing(both: tuple[Judged, Judged]) -> None:
    more = {**both[0], ("q1", "d9"): ((0, 30),), ("q9", "d1"): ((0, 5),)}
    assert values(compared(more, both[1])) == values(compared(*both))


@given(pairs_of_judgements)
def test_disagreements_are_all_and_the_largest_first(both: tuple[Judged, Judged]) -> None:
    text = compared(*both).text
    assert text is not None
    found = disagreements(text)
    sizes = [one.first_only + one.second_only for one in found]
    assert sizes == sorted(sizes, reverse=True)
    assert {(one.topic, one.document) for one in found} == {
        pair
        for pair in both[0].keys() & both[1].keys()
        if slow_units(both[0], {pair}, "character") != slow_units(both[1], {pair}, "character")
    }


# -- what is not known


def test_without_lengths_only_shares_of_relevant_text_are_known() -> None:
    one, other = {("q1", "d1"): ((0, 9),)}, {("q1", "d1"): ((3, 9),)}
    both = [judged(own, lengths=False) for own in (one, other)]
    found = agreement_of(["one", "other"], both).pairs[0]
    assert found.pooled("character", "overlap") == 6 / 9
    for statistic in ("kappa", "alpha", "alpha_u"):
        assert found.pooled("character", statistic) is None
    kinds = {note.kind for note in found.notes}
    assert kinds == {
        "no lengths to compare",
        "no agreement on elements",
        "no document judged not relevant",
    }


def test_documents_of_one_assessor_are_counted_and_left_out() -> None:
    found = compared(
        {("q1", "d1"): ((0, 9),), ("q1", "d2"): ()}, {("q1", "d1"): (), ("q1", "d3"): ()}
    )
    note = next(note for note in found.notes if note.kind == "judged by one assessor")
    assert (note.count, note.of, found.documents) == (2, 3, 1)


def test_a_document_that_is_relevant_without_text_is_not_compared_by_characters() -> None:
    judgements = Judgements(Faults("qrels"))
    judgements.judge("q1", "d1", 1)
    judgements.judge("q1", "d2", 0)
    whole = judgements.build()
    other = judged({("q1", "d1"): ((0, 9),), ("q1", "d2"): ()}, lengths=False)
    found = agreement_of(["one", "other"], [whole, other]).pairs[0]
    assert found.pooled("document", "kappa") == 1.0
    assert found.text is not None
    assert found.text.documents == ("d2",)
    assert "compared without text" in {note.kind for note in found.notes}


def test_a_million_characters_are_counted_and_not_listed() -> None:
    length = 10**12
    one = judged({("q1", "d1"): ((0, 10**9),)}, lengths=False).with_lengths({"d1": length})
    other = judged({("q1", "d1"): ((5, 10**9),)}, lengths=False).with_lengths({"d1": length})
    found = agreement_of(["one", "other"], [one, other]).pairs[0]
    counts = found.counts["character"].table()[:, 0].tolist()
    assert counts == [10**9 - 5, 5, 0, length - 10**9]
    assert found.pooled("character", "alpha_u") == pytest.approx(1)
