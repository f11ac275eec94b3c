"""Every format as a target: what was written once can be written again without a loss."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given

from formats.laws import JUDGEMENTS, RUNS, assessments_law, run_in_words, run_law
from formats.made import SEVERAL_RUNS, read_assessments
from spanwise.data.identifiers import Identifiers
from spanwise.data.run import Extent, Run
from spanwise.errors import OutputError
from spanwise.formats.builtin.columns import trec
from spanwise.formats.column_writing import ranked_rows
from spanwise.formats.conversion import Target, with_ranges
from spanwise.formats.reading import read_run, role_of
from spanwise.formats.registry import builtin_formats
from spanwise.formats.source import Source
from spanwise.records import replace

FORMATS = {form.name: form for form in builtin_formats()}
WRITTEN_RUNS = [form for form in FORMATS.values() if form.writes("run")]
WRITTEN_ASSESSMENTS = [form for form in FORMATS.values() if form.writes("assessments")]
RUN = Run.of("r", ["q", "q"], ["d", "e"], start=[0, 2], end=[5, 9], score=[2.0, 1.0])


def by_name(form):
    return form.name


@pytest.mark.parametrize("form", WRITTEN_RUNS, ids=by_name)
@given(made=RUNS)
def test_runs_written_twice_are_the_same(form, made):
    made = [replace(run, name=f"{number}{run.name}") for number, run in enumerate(made)]
    run_law(form, made)


@pytest.mark.parametrize("form", WRITTEN_ASSESSMENTS, ids=by_name)
@given(made=JUDGEMENTS)
def test_assessments_written_twice_are_the_same(form, made):
    assessments_law(form, made)


@pytest.mark.parametrize("compression", ["gzip", "zstd"])
def test_compressed_files_hold_the_same(compression):
    target = Target("fol", compression)
    data, _ = target.content([RUN])
    assert data == target.content([RUN])[0]
    assert Source("file", data).read() == Target("fol").content([RUN])[0]


@given(SEVERAL_RUNS)
def test_the_ranking_of_ranges_survives_columns(made):
    made = [replace(run_in_words(run), name=f"{number}") for number, run in enumerate(made)]
    data, _ = Target("fol").content(made)
    for run, back in zip(made, read_run(Source("file", data), "fol"), strict=False):
        rows = ranked_rows(run)
        rows = rows[run.extent[rows] == Extent.RANGE]
        if run.name == back.name:
            assert back.documents.strings() == run.documents.take(rows).strings()
            assert back.start.tolist() == run.start[rows].tolist()
            assert back.end.tolist() == run.end[rows].tolist()


@pytest.mark.parametrize("form", WRITTEN_RUNS, ids=by_name)
def test_the_kind_of_what_is_written_is_recognised(form):
    run = replace(RUN, paths=Identifiers.of(["/a[1]", "/a[1]/b[2]"]))
    data, _ = Target(form.name).content([run])
    assert role_of(Source("file", data)).role == "run"


@pytest.mark.parametrize("form", [form for form in WRITTEN_RUNS if form.one_run], ids=by_name)
def test_several_runs_are_refused_by_formats_that_hold_one(form):
    with pytest.raises(OutputError, match=r"a file holds one run, and here are 2"):
        Target(form.name).content([RUN, replace(RUN, name="other")])


@pytest.mark.parametrize("name", ["squad", "element", "msmarco"])
def test_formats_that_do_not_write_assessments_say_so(name):
    with pytest.raises(OutputError, match=r"(are only read|cannot be written); write one of bio"):
        Target(name).content(read_assessments(trec, "q 0 d 1\n"))


def test_a_run_that_loses_its_name_is_noted():
    _, lost = Target("msmarco").content([RUN])
    assert "run r: its name is lost; the name of the file takes its place" in map(str, lost)


def test_whole_documents_get_their_ranges():
    run = Run.of("r", ["q", "q", "q"], ["d", "e", "f"])
    made = with_ranges(run, {"d": 7, "f": 0})
    assert made.extent.tolist() == [Extent.RANGE, Extent.WHOLE, Extent.WHOLE]
    assert made.end.tolist() == [7, 0, 0]
    assert np.array_equal(run.extent, [Extent.WHOLE] * 3)
