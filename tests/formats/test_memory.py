"""What people have in memory: frames, records, dictionaries."""

from datetime import date
from types import SimpleNamespace

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given, settings

from formats.made import assessment_facts, faults_of, run_facts, runs
from spanwise.data.grades import TOO_SMALL, UNKNOWN
from spanwise.data.notes import Faults
from spanwise.data.run import Extent, Run
from spanwise.errors import FaultyInput, InputError
from spanwise.formats.chunks import ChunkTable
from spanwise.formats.memory import assessments_from, run_from
from spanwise.formats.vocabulary import ALIASES

COLUMNS = {
    "topic": ["q1", "q2", "q1"],
    "document": ["d1", "d2", "ä"],
    "start": [0, 5, None],
    "end": [5, 9, None],
    "score": [0.5, 0.25, 1.0],
}


def as_records(columns):
    return [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]


class Streamed:
    """Something that gives an Arrow stream and is nothing else."""

    def __init__(self, columns):
        self.table = pa.table(columns)

    def __arrow_c_stream__(self, requested_schema=None):
        return self.table.__arrow_c_stream__(requested_schema)


FRAMES = pytest.mark.parametrize(
    "frame",
    [
        pl.DataFrame,
        pl.LazyFrame,
        pd.DataFrame,
        lambda columns: pd.DataFrame(columns).convert_dtypes(),
        lambda columns: pd.DataFrame(columns).astype(object),
        pa.table,
        lambda columns: pa.RecordBatch.from_pydict(columns),
        Streamed,
        as_records,
    ],
    ids=["polars", "lazy", "pandas", "nullable", "objects", "arrow", "batch", "stream", "records"],
)


@FRAMES
def test_every_frame_is_the_same_run(frame):
    (run,) = run_from(frame(COLUMNS), "bm25")
    assert run_facts(run) == {
        "name": "bm25",
        "topics": ("q1", "q2"),
        "offsets": [0, 2, 3],
        "documents": ["d1", "ä", "d2"],
        "extent": [Extent.RANGE, Extent.WHOLE, Extent.RANGE],
        "start": [0, 0, 5],
        "end": [5, 0, 9],
        "score": [0.5, 1.0, 0.25],
        "rank": None,
        "order": "score",
        "paths": None,
    }
    assert run.line.tolist() == [1, 3, 2]


@FRAMES
def test_every_frame_is_the_same_assessments(frame):
    columns = {
        "qid": ["q", "q", "q", "q", None],
        "docid": ["d1", "d1", "d2", "d3", "d1"],
        "start": [0, 7, None, None, None],
        "end": [5, 9, None, None, None],
        "rel": [2, None, 0, 1, None],
        "length": [None, None, None, None, 90],
        "aspects": [["A", "B"], None, None, None, None],
    }
    made = assessments_from(frame(columns))
    assert assessment_facts(made) == {
        "topics": ("q",),
        "offsets": [0, 3],
        "documents": ["d1", "d2", "d3"],
        "grade": [2, 0, 1],
        "whole": [False, False, True],
        "relevant": [[(0, 5), (7, 9)], [], []],
        "length": [90, -1, -1],
        "entries": [[0, 0, 0, 0], []],
        "passages": [[0, 0, 5, 2], [0, 7, 9, 1]],
        "aspects": (("A", "B"), ()),
        "elements": [],
        "lengths": {"d1": 90},
        "hashes": {},
    }


@settings(deadline=None)
@given(runs("made"))
def test_a_run_survives_becoming_a_frame(made):
    columns = {
        "topic": [made.topics[number] for number in made.topic],
        "document": made.documents.strings(),
        "start": [
            s if e == 0 else None for s, e in zip(made.start.tolist(), made.extent, strict=True)
        ],
        "end": [s if e == 0 else None for s, e in zip(made.end.tolist(), made.extent, strict=True)],
        "parts": [None if e != Extent.NOTHING else False for e in made.extent],
        **({} if made.score is None else {"score": made.score.tolist()}),
        **({} if made.rank is None else {"rank": made.rank.tolist()}),
    }
    (as_frame,) = run_from(pl.DataFrame(columns, strict=False), "made")
    (as_rows,) = run_from(as_records(columns), "made")
    assert run_facts(as_frame) == run_facts(as_rows) == run_facts(made)


# -- names of columns


@pytest.mark.parametrize(
    ("ours", "alias"),
    [(ours, name) for ours in ("topic", "document", "start", "end") for name in ALIASES[ours]],
)
def test_every_alias_in_any_spelling(ours, alias):
    held = {name: values[:1] for name, values in COLUMNS.items() if name != ours}
    spelled = alias.upper().replace("_", "-")
    (run,) = run_from(pl.DataFrame({**held, spelled: COLUMNS[ours][:1]}))
    assert (run.topics, run.documents.strings()) == (("q1",), ["d1"])
    assert (run.start.tolist(), run.end.tolist()) == ([0], [5])


@FRAMES
def test_a_weaker_name_beside_a_stronger_one_is_ignored_and_noted(frame):
    faults = Faults("run")
    columns = {"query": ["Why?"], "source": ["x"], "query_id": ["q1"], "docid": ["d1"]}
    noun = "field" if frame is as_records else "column"
    (run,) = run_from(frame(columns), faults=faults)
    assert (run.topics, run.documents.strings()) == (("q1",), ["d1"])
    assert [*map(str, faults.notes)] == [
        f"{noun} 'query' is ignored: 'query_id' is the topic",
        f"{noun} 'source' is ignored: 'docid' is the document",
    ]


@FRAMES
def test_end_and_length_must_agree(frame):
    columns = {
        "topic": ["q", "q", "q"],
        "document": ["a", "b", "c"],
        "offset": [10, 20, 30],
        "length": [5, 5, 5],
        "end": [15, None, 36],
    }
    (fault,) = faults_of(run_from, frame(columns))
    assert (fault.line, fault.rule) == (3, "length")
    (run,) = run_from(frame(columns), faults=Faults("x", lenient=True))
    assert run.end.tolist() == [15, 25]


def test_the_runs_of_a_frame_keep_their_names_and_one_run_takes_the_name_given():
    frame = pl.DataFrame({"topic": ["q"] * 3, "document": ["a", "b", "c"], "tag": ["x", "y", None]})
    assert [run.name for run in run_from(frame, "mine")] == ["x", "y", "mine"]
    assert [run.name for run in run_from(frame.head(1), "mine")] == ["mine"]
    assert [run.name for run in run_from(frame.head(1))] == ["x"]


@FRAMES
def test_a_frame_without_rows_is_a_run_without_answers(frame):
    (run,) = run_from(frame({name: [] for name in COLUMNS}), "none")
    assert (run.name, len(run), run.topics) == ("none", 0, ())


def test_columns_that_are_not_ours_may_hold_anything():
    frame = pd.DataFrame({"topic": ["q"], "document": [7], "metadata": [object()]})
    assert run_from(frame)[0].documents.strings() == ["7"]


def test_identifiers_of_which_some_are_numbers():
    frame = pd.DataFrame({"topic": ["q", "q"], "document": [7, "d"]})
    assert run_from(frame)[0].documents.strings() == ["7", "d"]


@pytest.mark.parametrize(
    "frame",
    [
        pd.DataFrame({"topic": ["q"], "document": [date(2020, 1, 1)]}),
        pd.DataFrame({"topic": ["q"], "document": ["d"], "start": ["0"], "end": [5]}),
        pd.DataFrame({"topic": ["q", "q"], "document": ["d", 1.5]}),
        pd.DataFrame({"topic": ["q"]}),
        pd.Series(["q"]),
        pl.Series(["q"]),
        pl.DataFrame({"topic": ["q"], "document": ["d"], "start": [True], "end": [True]}),
        SimpleNamespace(topic="q"),
        [1, 2],
        "q1 d1",
        None,
    ],
)
def test_what_is_no_run_is_refused(frame):
    with pytest.raises(InputError) as problem:
        run_from(frame, "mine")
    assert str(problem.value).startswith("mine")


@pytest.mark.parametrize(
    ("change", "found"),
    [
        ({"start": -1}, "start -1"),
        ({"start": 2.5}, "start 2.5"),
        ({"score": float("nan")}, "nan"),
        ({"document": ""}, "document ''"),
        ({"topic": None}, "no topic"),
        ({"end": 2.0**63}, "end"),
    ],
)
@pytest.mark.parametrize("frame", [pl.DataFrame, pd.DataFrame, as_records])
def test_a_bad_row_is_refused_with_its_number(frame, change, found):
    good = {"topic": "q", "document": "d", "start": 0, "end": 5, "score": 1.0}
    rows = [good, {**good, **change}]
    columns = {name: [row[name] for row in rows] for name in good}
    made = frame(columns, strict=False) if frame is pl.DataFrame else frame(columns)
    (fault,) = faults_of(run_from, made)
    assert fault.line == 2
    assert found.lower() in fault.found.lower()


def test_records_with_numbers_of_numpy_and_nan_for_nothing():
    record = {"topic": np.int64(1), "document": "d", "start": np.int32(3), "end": np.int64(5)}
    (run,) = run_from(
        [
            {**record, "score": np.float32(0.5)},
            {**record, "start": np.nan, "end": np.nan, "score": np.int64(1)},
        ]
    )
    assert (run.topics, run.start.tolist(), run.score.tolist()) == (("1",), [3, 0], [0.5, 1.0])
    assert run.extent.tolist() == [Extent.RANGE, Extent.WHOLE]


def test_chunks_of_records_and_frames():
    chunks = ChunkTable.of([("d7", 0, 100, "c1")])
    columns = {"topic": ["q"], "chunk_id": ["c1"]}
    for data in (as_records(columns), pl.DataFrame(columns)):
        (run,) = run_from(data, chunks=chunks)
        assert (run.documents.strings(), run.end.tolist()) == (["d7"], [100])


# -- dictionaries


def test_answers_with_and_without_scores():
    (scored,) = run_from({"q1": [("d7", 100, 250, 3.25), ("d7", 0, 5, 1)], "q2": []}, "r")
    assert (scored.topics, scored.order, scored.score.tolist()) == (("q1",), "score", [3.25, 1.0])
    (listed,) = run_from({"q1": [("d7", 100, 250), "d9", ("d3", None, None)]})
    assert (listed.order, listed.score, listed.line) == ("file", None, None)
    assert listed.extent.tolist() == [Extent.RANGE, Extent.WHOLE, Extent.WHOLE]


def test_documents_with_their_ranges():
    (run,) = run_from({"q1": {"d7": [(100, 250), [0, 5]], "d9": []}, 2: {"d7": [(1, 2)]}})
    assert run.topics == ("q1", "2")
    assert run.documents.strings() == ["d7", "d7", "d9", "d7"]
    assert run.extent.tolist() == [Extent.RANGE, Extent.RANGE, Extent.NOTHING, Extent.RANGE]
    assert run.start.tolist() == [100, 0, 0, 1]


def test_documents_with_scores_are_whole():
    (run,) = run_from({"q1": {"d7": 0.5, "d9": np.float64(2)}})
    assert (run.extent.tolist(), run.score.tolist()) == ([Extent.WHOLE] * 2, [0.5, 2.0])


@pytest.mark.parametrize(
    "data",
    [
        {"q1": [("d7", 100)]},
        {"q1": [("d7", 100, 250, 1.0, 2)]},
        {"q1": [7]},
        {"q1": "d7"},
        {"q1": {"d7": "x"}},
        {"q1": {"d7": (100, 250)}},
        {"q1": {"d7": True}},
        {"q1": {"d7": [(5, 5)]}},
        {"q1": [("d7", 0, 5), ("d7", 0, 5, 1.0)]},
        {"q1": [("d7", 0, 5, float("nan"))]},
        {"q1": [("d7", 0.0, 5)]},
        {None: ["d7"]},
    ],
)
def test_a_bad_dictionary_is_refused(data):
    with pytest.raises(FaultyInput) as problem:
        run_from(data)
    assert len(problem.value.faults) == (2 if data == {"q1": {"d7": (100, 250)}} else 1)


def test_judgements_by_ranges_and_grades():
    made = assessments_from({"q1": {"d7": [(100, 250), (3, 4, 2)], "d9": [], "d3": 2, "d4": 0}})
    assert made.documents.strings() == ["d3", "d4", "d7", "d9"]
    assert made.grade.tolist() == [2, 0, 2, 0]
    assert made.whole.tolist() == [True, False, False, False]
    assert made.relevant.to_lists()[2] == [(3, 4), (100, 250)]


@pytest.mark.parametrize(
    "data",
    [
        {"q1": [("d7", 100, 250)]},
        {"q1": {"d7": "x"}},
        {"q1": {"d7": 0.9}},
        {"q1": {"d7": [(5, 5)]}},
        {"q1": {"d7": [5]}},
        {"q1": {"d7": [(0, 5, "A")]}},
    ],
)
def test_bad_judgements_are_refused(data):
    (fault,) = faults_of(assessments_from, data)
    assert fault.expected


# -- elements


def test_elements_in_dictionaries_of_answers():
    (run,) = run_from({"q1": [("d7", "/a[1]/p[2]", 3.25), ("d7", 0, 5, 1), ("d9", "/a[1]", 0.5)]})
    assert run.paths.strings() == ["/a[1]/p[2]", "-", "/a[1]"]
    assert run.extent.tolist() == [Extent.ELEMENT, Extent.RANGE, Extent.ELEMENT]
    assert (run.order, run.score.tolist()) == ("score", [3.25, 1.0, 0.5])
    (run,) = run_from({"q1": {"d7": ["/a[1]", (0, 5), ["/a[1]/b[1]"]]}, "q2": [("d", "/a")]})
    assert run.paths.strings() == ["/a[1]", "-", "/a[1]/b[1]", "/a"]
    assert run.topics == ("q1", "q2")


def test_elements_in_dictionaries_of_judgements():
    made = assessments_from({"q1": {"d7": [("/a[1]", 2, 3), (5, 9), ("/a[1]/b[1]", 0, 0)]}})
    assert made.elements.paths.strings() == ["/a[1]", "/a[1]/b[1]"]
    assert made.elements.exhaustivity.tolist() == [2, 0]
    assert made.elements.specificity.tolist() == [3, 0]
    assert made.relevant.to_lists() == [[(5, 9)]]


@pytest.mark.parametrize(
    ("read", "data", "rule"),
    [
        (run_from, {"q1": [("d7", "/a[0]")]}, "path"),
        (run_from, {"q1": [("d7", "a[1]", 0.5)]}, "type"),
        (run_from, {"q1": [("d7", "/a[1]", 0.5, 1)]}, "shape"),
        (run_from, {"q1": {"d7": [("/a[1]", 0.5, 2)]}}, "type"),
        (assessments_from, {"q1": {"d7": ["/a[1]"]}}, "missing"),
        (assessments_from, {"q1": {"d7": [("/a[1]", 2)]}}, "missing"),
        (assessments_from, {"q1": {"d7": [("/a[1]", 2, 4)]}}, "grade"),
        (assessments_from, {"q1": {"d7": [("/a[1]", 2, 3, 4)]}}, "shape"),
    ],
)
def test_bad_elements_in_dictionaries_are_refused(read, data, rule):
    (fault,) = faults_of(read, data)
    assert fault.rule == rule


@pytest.mark.parametrize("name", ["path", "xpath", "XPath", "element"])
def test_elements_in_frames_and_records(name):
    columns = {"qid": ["q", "q"], "docno": ["d", "e"], name: ["/a[1]", None]}
    for data in (as_records(columns), pl.DataFrame(columns)):
        (run,) = run_from(data)
        assert run.paths.strings() == ["/a[1]", "-"]
        assert run.extent.tolist() == [Extent.ELEMENT, Extent.WHOLE]


def test_judged_elements_in_frames_and_records():
    columns = {
        "topic": ["q"] * 4,
        "document": ["d"] * 4,
        "xpath": ["/a[1]", "/a[1]/b[1]", "/a[1]/b[2]", None],
        "exhaustiveness": ["2", "?", None, None],
        "specificity": [3, None, None, None],
        "size": [None, 10, 20, None],
        "relevant_size": [None, 5, 20, None],
        "start": [None, None, None, 7],
        "len": [None, None, None, 2],
    }
    for data in (pl.DataFrame(columns), pl.DataFrame(columns).to_pandas()):
        faults = Faults("frame")
        made = assessments_from(data, faults=faults)
        assert made.elements.exhaustivity.tolist() == [2, TOO_SMALL, UNKNOWN]
        assert made.elements.specificity.tolist() == [3, UNKNOWN, UNKNOWN]
        assert made.elements.size.tolist() == [UNKNOWN, 10, 20]
        assert made.elements.relevant_size.tolist() == [UNKNOWN, 5, 20]
        assert made.relevant.to_lists() == [[(7, 9)]]
        assert [*map(str, faults.notes)] == []


# -- what is a run already


def test_runs_and_assessments_pass_through():
    run = Run.of("a", ["q"], ["d"])
    assert run_from(run) == [run]
    assert run_from([run, run]) == [run, run]
    assert run_from(run, "b")[0].name == "b"
    made = assessments_from({"q": {"d": 1}})
    assert assessments_from(made) is made


MISSING_NAMES = {
    "topic": ["q1", "q1"],
    "document": ["d1", "d2"],
    "path": [float("nan"), float("nan")],
    "start": [0.0, 5.0],
    "end": [5.0, 9.0],
}


@FRAMES
def test_nan_in_a_column_of_names_means_absent(frame):
    (run,) = run_from(frame(MISSING_NAMES if frame is not as_records else _whole(MISSING_NAMES)))
    assert run.extent.tolist() == [Extent.RANGE, Extent.RANGE]
    assert run.paths is None


def _whole(columns):
    return {**columns, "start": [0, 5], "end": [5, 9]}


@FRAMES
def test_numbers_that_are_not_names_are_refused(frame):
    columns = {**MISSING_NAMES, "path": [float("nan"), 1.5]}
    with pytest.raises(InputError, match=r"path 1\.5"):
        run_from(frame(columns if frame is not as_records else _whole(columns)))


def test_nan_for_a_document_is_a_missing_document():
    frame = pd.DataFrame({**MISSING_NAMES, "document": ["d1", float("nan")]})
    with pytest.raises(InputError, match="no document"):
        run_from(frame)
