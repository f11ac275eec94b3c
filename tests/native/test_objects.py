"""Judgements, files of assessments and objects as columns: native, NumPy and row by row agree."""

from __future__ import annotations

import resource
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from types import ModuleType
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from spanwise.data.assessments import Assessments
from spanwise.data.grades import ElementJudgements
from spanwise.data.identifiers import Identifiers
from spanwise.data.judgements import Judgements
from spanwise.data.notes import Faults
from spanwise.data.pairs import _rows_in_order, rows_in_order, sorted_pairs
from spanwise.data.run import Run
from spanwise.errors import SpanwiseError
from spanwise.formats import (
    column_scan,
    frame_columns,
    memory,
    memory_columns,
    row_columns,
)
from spanwise.formats.builtin.columns import fol, trec
from spanwise.formats.column_scan import fol_columns, qrels_columns
from spanwise.formats.memory import assessments_from, run_from
from spanwise.formats.source import Source
from spanwise.inputs import runs
from spanwise.inputs.scoring import runs_in
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


# -- dictionaries

ODD = st.sampled_from(
    [None, True, "", "a\0b", "\ud800", "/a[1]", -5, 2**63, 2**70, -(2**63), 10**400]
    + [float("nan"), np.int64(3), np.float64(0.5), (), [], {}, object, b"d7"]
)
NAME = st.one_of(NAMES, st.integers(0, 3), st.sampled_from(["1", "2"]))
SCORE = st.one_of(st.floats(allow_nan=False), st.integers(-(2**70), 2**70))
START = st.integers(0, 5)
RANGE = st.tuples(START, st.integers(6, 9))


def spoilt(draw: st.DrawFn, data: Any) -> Any:
    """The same with an odd value somewhere, or without one of its values."""
    if isinstance(data, dict) and data and draw(st.integers(0, 9)):
        key = draw(st.sampled_from(list(data)))
        return {**data, key: spoilt(draw, data[key])}
    if isinstance(data, (list, tuple)) and data and draw(st.integers(0, 9)):
        place = draw(st.integers(0, len(data) - 1))
        several = [*data[:place], spoilt(draw, data[place]), *data[place + 1 :]]
        if not draw(st.integers(0, 3)):
            del several[place]
        return type(data)(several)
    return draw(ODD)


def structures(answers: list[st.SearchStrategy[Any]]) -> st.SearchStrategy[Any]:
    """Dictionaries of topics that hold answers of one kind, sometimes spoilt."""

    @st.composite
    def structure(draw: st.DrawFn) -> Any:
        data = draw(st.dictionaries(NAME, draw(st.sampled_from(answers)), max_size=4))
        return spoilt(draw, data) if draw(st.booleans()) else data

    return structure()


RUNS = structures(
    [
        st.lists(st.builds(lambda d, r: (d, *r), NAME, RANGE), max_size=4),
        st.lists(st.builds(lambda d, r, s: [d, *r, s], NAME, RANGE, SCORE), max_size=4),
        st.lists(NAME, max_size=3),
        st.dictionaries(NAME, SCORE, max_size=4),
        st.dictionaries(NAME, st.lists(RANGE, min_size=1, max_size=3), max_size=3),
        st.dictionaries(NAME, st.lists(RANGE, max_size=2), max_size=3),
        st.dictionaries(NAME, st.lists(st.tuples(START, st.just(9), SCORE), min_size=1)),
    ]
)
JUDGED = structures(
    [
        st.dictionaries(NAME, st.integers(-2, 3), max_size=4),
        st.dictionaries(NAME, st.lists(RANGE, max_size=3), max_size=4),
        st.dictionaries(NAME, st.lists(st.tuples(START, st.just(9), st.integers(-1, 2)))),
        st.dictionaries(NAME, st.one_of(st.integers(0, 1), st.lists(RANGE, max_size=2))),
    ]
)


def run_values(run: Run) -> list[Any]:
    arrays = (run.offsets, run.extent, run.start, run.end, run.score, run.rank, run.line)
    return [
        *((each if each is None else (str(each.dtype), each.tolist())) for each in arrays),
        *(run.name, run.topics, run.documents.strings(), run.order, run.file),
        *(None if run.paths is None else run.paths.strings(), run.quotes, run.several_per_document),
    ]


def runs_from(data: Any, *, lenient: bool) -> tuple[Any, ...]:
    faults = Faults("f", lenient=lenient)
    try:
        found: Any = [run_values(run) for run in run_from(data, faults=faults)]
    except SpanwiseError as refused:
        found = str(refused)
    return found, faults.kept, faults.counts, faults.notes


def judged_from(data: Any, *, lenient: bool) -> tuple[Any, ...]:
    faults = Faults("f", lenient=lenient)
    try:
        found: Any = columns_of(assessments_from(data, faults=faults))
    except SpanwiseError as refused:
        found = str(refused)
    return found, faults.kept, faults.counts, faults.notes


def one_by_one(read: Callable[..., tuple[Any, ...]], data: Any, lenient: bool) -> tuple[Any, ...]:
    """What comes out where every entry is looked at."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(memory, "answer_columns", lambda data: None)
        patch.setattr(memory, "judgement_columns", lambda data: None)
        return read(data, lenient=lenient)


def gathered(read: Callable[..., tuple[Any, ...]], data: Any, lenient: bool) -> tuple[Any, ...]:
    """What comes out without the native core."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(memory_columns, "core", None)
        return read(data, lenient=lenient)


@settings(deadline=None)
@given(RUNS, st.booleans())
def test_answers_of_dictionaries(data: Any, lenient: bool) -> None:
    expected = one_by_one(runs_from, data, lenient)
    assert runs_from(data, lenient=lenient) == expected
    assert gathered(runs_from, data, lenient) == expected


@settings(deadline=None)
@given(JUDGED, st.booleans())
def test_judgements_of_dictionaries(data: Any, lenient: bool) -> None:
    expected = one_by_one(judged_from, data, lenient)
    assert judged_from(data, lenient=lenient) == expected
    assert gathered(judged_from, data, lenient) == expected


@pytest.mark.parametrize(
    "data",
    [
        {"q1": [("d7", 0, 5, 1.5), ("d9", 1, 2, 1)], "q2": []},
        {"q1": {"d7": [(0, 5)], "ä": [(2, 3), (0, 1)]}, "q2": {"d7": [(1, 2)]}},
        {"q1": {"d7": 2.5, "d9": 1}},
        {"q1": ["d7", "d9"]},
    ],
)
def test_plain_answers_are_read_as_columns(data: Any) -> None:
    assert memory_columns.answer_columns(data) is not None
    assert memory_columns._gathered_answers(data) is not None


@pytest.mark.parametrize(
    "data", [{"q1": {"d7": [(0, 5)], "d9": []}}, {"q1": {"d7": 1}}, {"q1": {"d7": [(0, 5, 2)]}}]
)
def test_plain_judgements_are_read_as_columns(data: Any) -> None:
    assert memory_columns.judgement_columns(data) is not None
    assert memory_columns._gathered_judgements(data) is not None


@native
def test_names_that_are_too_long_are_left_to_the_careful_reader() -> None:
    assert core is not None
    assert core.answers({"q": ["d" * 11]}, 10) is None
    assert core.answers({"q" * 11: ["d"]}, 10) is None
    assert core.judgements({"q": {"d" * 11: 1}}, 10) is None
    assert core.judgements({"q": {"d" * 10: 1}}, 10) is not None


@native
def test_memory_does_not_grow() -> None:
    run = {f"q{n}": [(f"d{n}", 0, 5, 1.0), ("ä", 1, 2, 2.0)] for n in range(50)}
    wrong = {**run, "x": [("d", 5, 5, 1.0)]}
    gold = {f"q{n}": {f"d{n}": [(0, 9)], n: 1} for n in range(50)}
    text = np.frombuffer(b"\nq Q0 d 5 9 0 0:5\nq Q0 e 0 9\n" + bytes(8), np.uint8)
    names = Identifiers.of(f"n{n}" for n in range(100))
    columns = (names.buffer, names.start, names.end)
    assert core is not None

    def work(times: int) -> None:
        for _ in range(times):
            core.answers(run, 100)
            core.answers(wrong, 100)
            core.judgements(gold, 100)
            core.judgements(run, 100)
            core.scan_fol(text)
            core.scan_qrels(text)
            core.sort_pairs(*columns, *columns)

    work(200)
    blocks, most = sys.getallocatedblocks(), resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    work(2000)
    assert sys.getallocatedblocks() - blocks < 200
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - most < 8_000


@native
def test_threads_may_convert_at_once() -> None:
    data = {f"q{n}": {f"d{n % 7}-{m}": [(m, m + 5)] for m in range(20)} for n in range(200)}
    answers = {topic: [(name, 0, 5) for name in names] for topic, names in data.items()}
    expected = judged_from(data, lenient=False), runs_from(answers, lenient=False)
    with ThreadPoolExecutor(4) as pool:
        found = list(
            pool.map(
                lambda _: (judged_from(data, lenient=False), runs_from(answers, lenient=False)),
                range(12),
            )
        )
    assert all(each == expected for each in found)


# -- frames

COLUMN = {
    "topic": st.one_of(NAMES, st.sampled_from(["", "a\0b", None])),
    "document": st.one_of(NAMES, st.just("x" * 10_001)),
    "start": st.one_of(st.integers(-1, 5), st.none(), st.just(-(2**63))),
    "end": st.integers(4, 9),
    "score": st.one_of(st.floats(), st.none()),
}


@settings(deadline=None)
@given(st.data(), st.sampled_from(["polars", "pandas", "pyarrow"]), st.booleans())
def test_columns_of_frames(data: st.DataObject, library: str, lenient: bool) -> None:
    made = pytest.importorskip(library)
    rows = st.fixed_dictionaries(COLUMN)
    plain = st.fixed_dictionaries(
        {**COLUMN, "topic": NAMES, "document": NAMES, "start": START, "score": st.floats(0, 1)}
    ).map(lambda row: {**row, "end": 9})
    records = data.draw(st.one_of(st.lists(rows, max_size=4), st.lists(plain, max_size=4)))
    if library == "polars":
        types = {"topic": made.String, "document": made.String, "score": made.Float64}
        schema = {name: types.get(name, made.Int64) for name in COLUMN}
        frame = made.DataFrame(records, schema=schema)
    elif library == "pandas":
        frame = made.DataFrame(records, columns=list(COLUMN))
    else:
        of_columns = {name: [row[name] for row in records] for name in COLUMN}
        frame = made.table(of_columns)
    found = runs_from(frame, lenient=lenient)
    with pytest.MonkeyPatch.context() as patch:
        for name in ("_names", "_numbers", "_arrow_names"):
            patch.setattr(frame_columns, name, lambda *given: None)
        assert runs_from(frame, lenient=lenient) == found


@settings(deadline=None)
@given(st.lists(st.fixed_dictionaries(COLUMN), max_size=5), st.booleans(), st.booleans())
def test_records_with_the_same_names(
    records: list[dict[str, Any]], other: bool, lenient: bool
) -> None:
    if other and records:
        records[-1] = {**dict(reversed(records[-1].items())), "tag": "a"}
    found = runs_from(records, lenient=lenient)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(row_columns.Records, "_add_same", lambda self, records: False)
        assert runs_from(records, lenient=lenient) == found


# -- files

FIELD = st.one_of(
    st.sampled_from(["q1", "Q0", "d7", "0", "5", "9", "-1", "-2", "+3", "0:5", "2:3", "0:0"]),
    st.sampled_from(["1:", ":1", "1:2:3", "#", "9" * 18 + ":1", "9" * 19, "ä", "007", "5 ", "é"]),
)
GOOD_FOL = st.builds(
    lambda topic, document, ranges, point: (
        [topic, "Q0", document, str(5 * len(ranges)), "90"]
        + ([point, *ranges] if ranges or point != "-1" else [])
    ),
    st.sampled_from(["q1", "q2", "ö"]),
    st.sampled_from(["d1", "d2", "d3", "d4"]),
    st.lists(st.sampled_from(["0:5", "10:5", "20:5"]), unique=True, max_size=3),
    st.sampled_from(["-1", "3"]),
)
GOOD_QRELS = st.tuples(NAMES, st.just("0"), NAMES, st.sampled_from(["0", "1", "-1", "+2"]))
BLANKS = st.sampled_from([" ", "\t", "  ", " \x0b"])
ENDS = st.sampled_from(["\n", "\r\n", " \n", "\n\n", "\n# a b c d e\n"])


@st.composite
def files(draw: st.DrawFn, good: st.SearchStrategy[Any]) -> bytes:
    lines = draw(st.lists(good, max_size=5))
    if draw(st.integers(0, 2)) == 0:
        lines.insert(0, draw(st.lists(FIELD, max_size=9)))
    text = "".join(draw(BLANKS).join(line) + draw(ENDS) for line in lines)
    return text.removesuffix("\n").encode() if draw(st.booleans()) else text.encode()


def read_with(
    module: ModuleType, content: bytes, lenient: bool, patches: dict[str, Any]
) -> tuple[Any, ...]:
    faults = Faults("f", lenient=lenient)
    with pytest.MonkeyPatch.context() as patch:
        for name, value in patches.items():
            patch.setattr(column_scan if name == "core" else module, name, value)
        try:
            judged = module.read_assessments(Source("f", content), faults)
        except SpanwiseError as refused:
            return str(refused), faults.kept, faults.counts, faults.notes
    return columns_of(judged), faults.kept, faults.counts, faults.notes


@settings(deadline=None)
@given(files(GOOD_FOL), st.booleans())
def test_fol_assessments(content: bytes, lenient: bool) -> None:
    by_line = read_with(fol, content, lenient, {"fol_columns": lambda source: None})
    assert read_with(fol, content, lenient, {}) == by_line
    assert read_with(fol, content, lenient, {"core": None}) == by_line


@settings(deadline=None)
@given(files(GOOD_QRELS), st.booleans())
def test_trec_judgements(content: bytes, lenient: bool) -> None:
    by_line = read_with(trec, content, lenient, {"qrels_columns": lambda source: None})
    assert read_with(trec, content, lenient, {}) == by_line
    assert read_with(trec, content, lenient, {"core": None}) == by_line


@native
@settings(deadline=None)
@given(st.one_of(files(GOOD_FOL), files(GOOD_QRELS)))
def test_native_scans_give_up_where_numpy_does(content: bytes) -> None:
    for read in (fol_columns, qrels_columns):
        found = read(Source("f", content))
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(column_scan, "core", None)
            twin = read(Source("f", content))
        assert (found is None) == (twin is None)
        if found is not None and twin is not None:
            assert scanned_values(found) == scanned_values(twin)


def scanned_values(columns: Any) -> list[Any]:
    values = (getattr(columns, name) for name in columns.__struct_fields__)
    return [
        each.strings() if isinstance(each, Identifiers) else (str(each.dtype), each.tolist())
        for each in values
    ]


def test_plain_files_are_read_as_columns() -> None:
    text = b"q1 Q0 d7 5 90 0 0:5\n\n# c\nq1\tQ0 d9 0 8\r\nq2 Q0 d7 0 90 3"
    columns = fol_columns(Source("f", text))
    assert columns is not None
    assert columns.line.tolist() == [1, 4, 5]
    assert columns.entry_point.tolist() == [0, -1, 3]
    judged = qrels_columns(Source("f", b"q1 0 d7 1\nq1 0 d9 -1\n"))
    assert judged is not None
    assert judged.grade.tolist() == [1, -1]


# -- which dictionaries are runs

LEAF = st.one_of(st.integers(0, 3), st.floats(0, 1), st.sampled_from(["d", "/p"]), st.none())
PARTS = st.one_of(LEAF, st.lists(st.one_of(LEAF, st.tuples(LEAF, LEAF)), max_size=2))
INNER = st.dictionaries(st.sampled_from("abc"), PARTS, max_size=2)
VALUES = st.one_of(
    *(INNER, st.lists(st.one_of(PARTS, INNER), max_size=2)),
    st.dictionaries(st.sampled_from("abc"), INNER, max_size=2),
)


@settings(deadline=None)
@given(
    st.dictionaries(st.sampled_from("abq"), VALUES, max_size=3),
    st.sampled_from([(), ("a",), ("q",)]),
)
def test_types_tell_what_values_tell(data: Any, topics: tuple[str, ...]) -> None:
    def found() -> Any:
        try:
            return runs_in(data, topics)
        except SpanwiseError as refused:
            return str(refused)

    by_types = found()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(runs, "_plainly_told", lambda values: set())
        assert found() == by_types
