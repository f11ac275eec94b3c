"""Judgements, files of assessments and objects as columns: native, NumPy and row by row agree."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from spanwise.data.assessments import Assessments
from spanwise.data.faults import Faults
from spanwise.data.grades import ElementJudgements
from spanwise.data.identifiers import Identifiers
from spanwise.data.judgements import Judgements
from spanwise.data.pair_names import _rows_in_order, rows_in_order, sorted_pairs
from spanwise.errors import SpanwiseError
from spanwise.native import core

native = pytest.mark.skipif(core is None, reason="the native core is not built or not chosen")

NAMES = st.one_of(
    st.sampled_from(["q1", "q2", "d7", "d70", "document-of-16-b", "document-of-16-c"]),
    st.text(st.characters(exclude_categories=("Cs", "Cc"), exclude_characters=" "), min_size=1),
    st.sampled_from(["x" * 1030, "x" * 1030 + "y", "ä" * 700, "\U0001f600\ue000"]),
)
NUMBERS = st.one_of(st.integers(-1, 9), st.sampled_from([2**63 - 1, 2**62]))


def columns_of(judged: Assessments) -> list[Any]:
    """Everything that assessments hold, as values that compare."""
    passages, elements = judged.passages, judged.elements
    arrays = (
        *(judged.offsets, judged.grade, judged.whole, judged.length),
        *(judged.relevant.offsets, judged.relevant.start, judged.relevant.end),
        *(judged.entry_offsets, judged.entry_point),
        *(passages.pair, passages.start, passages.end, passages.grade, passages.line),
        *(elements.pair, elements.exhaustivity, elements.specificity, elements.size),
        *(elements.relevant_size, elements.line),
    )
    assert all(isinstance(each, np.ndarray) for each in arrays)
    return [
        *((str(each.dtype), each.tolist()) for each in arrays if each is not None),
        *(judged.topics, judged.documents.strings(), elements.paths.strings()),
        *(passages.aspects, passages.quotes, judged.pointed, judged.file),
        *(list(judged.lengths.items()), dict(judged.hashes)),
    ]


def outcome(judgements: Judgements) -> tuple[Any, ...]:
    """What comes out, or how it is refused; and all faults and notes."""
    faults = judgements.faults
    try:
        built: Any = columns_of(judgements.build())
    except SpanwiseError as refused:
        built = str(refused)
    return built, list(faults.kept), faults.counts, faults.notes


# -- judgements


@st.composite
def rows_of_judgements(draw: st.DrawFn) -> dict[str, list[Any]]:
    names = draw(st.lists(NAMES, min_size=1, max_size=3))
    name, line = st.sampled_from(names), st.integers(0, 3)
    grade, short = st.integers(-1, 2), st.integers(-2, 4)
    path = st.sampled_from(["/a[1]", "/a[1]/b[2]", "no path", "/a[0]"])
    aspects = st.sampled_from([(), ("a",), ("a", "b")])
    quote = st.sampled_from([None, "text"])
    kinds = {
        "range": st.tuples(name, name, NUMBERS, NUMBERS, grade, aspects, line, quote),
        "grade": st.tuples(name, name, grade, line),
        "element": st.tuples(name, name, path, short, short, short, short, line),
        "point": st.tuples(name, name, NUMBERS, line),
    }
    rows = {kind: draw(st.lists(rows, max_size=6)) for kind, rows in kinds.items()}
    rows["length"] = draw(st.lists(st.tuples(name, NUMBERS), max_size=2))
    return rows


def row_by_row(rows: dict[str, list[Any]], faults: Faults) -> Judgements:
    judgements = Judgements(faults)
    for row in rows["length"]:
        judgements.add_document(*row)
    for *row, line, quote in rows["range"]:
        judgements.add_range(*row, line=line or None, quote=quote)
    for *row, line in rows["grade"]:
        judgements.judge(*row, line or None)
    for *row, line in rows["element"]:
        judgements.add_element(*row, line or None)
    for *row, line in rows["point"]:
        judgements.add_entry_point(*row, line or None)
    return judgements


def by_columns(rows: dict[str, list[Any]], faults: Faults) -> Judgements:
    judgements = Judgements(faults)
    for row in rows["length"]:
        judgements.add_document(*row)
    kinds = ("range", "grade", "element", "point")
    every = [row for kind in kinds for row in rows[kind]]
    topics, documents = (Identifiers.of(row[place] for row in every) for place in (0, 1))
    numbers = judgements.numbers(topics, documents)
    ends = np.cumsum([len(rows[kind]) for kind in kinds])
    pairs = dict(zip(kinds, np.split(numbers, ends[:-1]), strict=True))

    def column(kind: str, place: int) -> Any:
        return np.array([row[place] for row in rows[kind]], np.int64)

    judgements.add_ranges(
        pairs["range"],
        *(column("range", place) for place in (2, 3, 4, 6)),
        {place: row[5] for place, row in enumerate(rows["range"])},
        {place: row[7] for place, row in enumerate(rows["range"]) if row[7] is not None},
    )
    judgements.judge_all(pairs["grade"], column("grade", 2), column("grade", 3))
    paths = Identifiers.of(row[2] for row in rows["element"])
    of_elements = (column("element", place) for place in range(3, 8))
    judgements.judge_elements(ElementJudgements(pairs["element"], paths, *of_elements))
    judgements.add_entry_points(pairs["point"], column("point", 2), column("point", 3))
    return judgements


@settings(deadline=None)
@given(rows_of_judgements(), st.booleans())
def test_judgements_by_columns_are_those_row_by_row(
    rows: dict[str, list[Any]], lenient: bool
) -> None:
    one = outcome(row_by_row(rows, Faults("f", lenient=lenient)))
    assert outcome(by_columns(rows, Faults("f", lenient=lenient))) == one


@settings(deadline=None)
@given(rows_of_judgements(), rows_of_judgements())
def test_columns_and_rows_may_be_mixed(
    some: dict[str, list[Any]], others: dict[str, list[Any]]
) -> None:
    faults, expected = Faults("f", lenient=True), Faults("f", lenient=True)
    judgements, twin = by_columns(some, faults), row_by_row(some, expected)
    for each in (judgements, twin):
        for *row, line, quote in others["range"]:
            each.add_range(*row, line=line or None, quote=quote)
        for *row, line in others["grade"]:
            each.judge(*row, line or None)
        for *row, line in others["element"]:
            each.add_element(*row, line or None)
        for *row, line in others["point"]:
            each.add_entry_point(*row, line or None)
        for row in others["length"]:
            each.add_document(*row)
    assert outcome(judgements) == outcome(twin)


# -- the order of pairs


@settings(deadline=None)
@given(st.lists(st.tuples(NAMES, NAMES), max_size=40))
def test_pairs_are_sorted_as_python_sorts_them(names: list[tuple[str, str]]) -> None:
    topics, documents = (Identifiers.of(name[place] for name in names) for place in (0, 1))
    order = sorted(range(len(names)), key=names.__getitem__)
    assert rows_in_order(topics, documents).tolist() == order
    assert _rows_in_order(topics, documents).tolist() == order
    pairs, number = sorted_pairs(topics, documents)
    assert pairs.names() == sorted(set(names))
    assert [pairs.name(each) for each in number.tolist()] == names


@native
def test_many_pairs_are_sorted() -> None:
    drawn = np.random.default_rng(1).integers(0, 3000, (20_000, 2)).tolist()
    topics, documents = (Identifiers.of(f"name-{row[place]}" for row in drawn) for place in (0, 1))
    order = rows_in_order(topics, documents)
    assert np.array_equal(order, _rows_in_order(topics, documents))


@native
def test_spans_that_do_not_fit_are_refused() -> None:
    assert core is not None
    names = Identifiers.of(["a", "b"])
    good = (names.buffer, names.start, names.end)
    for wrong in (
        (names.buffer, names.start[:1], names.end),
        (names.buffer, names.start - 1, names.end),
        (names.buffer, names.end, names.start),
        (names.buffer, names.start, names.end + 100),
    ):
        with pytest.raises(ValueError, match="do not fit"):
            core.sort_pairs(*good, *wrong)
        with pytest.raises(ValueError, match="do not fit"):
            core.sort_pairs(*wrong, *good)
    with pytest.raises(TypeError):
        core.sort_pairs(*good, names.start, names.start, names.end)  # type: ignore[arg-type]
