"""Every format as a target: what was written once can be written again without a loss."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from formats.made import SEVERAL_RUNS, SEVERAL_WITH_ELEMENTS, assessments
from spanwise.data.faults import Faults
from spanwise.data.identifiers import Identifiers
from spanwise.data.run import Extent, Run
from spanwise.formats.column_lines import ranked_rows
from spanwise.formats.convert import TARGETS, Target, with_ranges
from spanwise.formats.reading import read_assessments, read_run
from spanwise.formats.role import role_of
from spanwise.formats.source import Source

JUDGED = [name for name in TARGETS if name not in ("entry-points", "element", "inex")]
COLUMNS = ("fol", "element", "inex", "trec", "entry-points")
ONLY_RANGES = ("fol", "entry-points")


def word(number, name):
    """A name that can stand in a column, different for each number and in the same order."""
    return f"{number:03}" + "".join(c for c in name if c > " " and not c.isspace())


def words(names):
    return {name: word(number, name) for number, name in enumerate(sorted(set(names)))}


def run_in_words(run):
    topics = tuple(word(number, name) for number, name in enumerate(run.topics))
    names = run.documents.strings()
    documents = Identifiers.of(map(words(names).__getitem__, names))
    return replace(run, topics=topics, documents=documents)


def runs_in_words(runs):
    """The same runs with other names."""
    return [replace(run_in_words(run), name=word(n, run.name)) for n, run in enumerate(runs)]


def judged_in_words(made):
    """The same assessments with other names."""
    topics = tuple(word(number, name) for number, name in enumerate(made.topics))
    known = words([*made.documents.strings(), *made.lengths])
    return replace(
        made,
        topics=topics,
        documents=Identifiers.of(known[name] for name in made.documents.strings()),
        lengths={known[name]: length for name, length in made.lengths.items()},
        hashes={known[name]: digest for name, digest in made.hashes.items()},
    )


def format_of(target):
    return "csv" if target.format == "tsv" else target.format


@pytest.mark.parametrize("name", TARGETS)
@given(st.data())
def test_runs_written_twice_are_the_same(name, data):
    made = data.draw(SEVERAL_RUNS if name in ONLY_RANGES else SEVERAL_WITH_ELEMENTS)
    target = Target(name)
    made = runs_in_words(made) if name in COLUMNS else made
    data, _ = target.content(made[:1] if name == "inex" else made)
    again = read_run(Source("file", data), format_of(target))
    assert target.content(again) == (data, [])


@pytest.mark.parametrize("name", JUDGED)
@given(assessments(aspects=st.sampled_from(["A", "B", "ä b"])))
def test_assessments_written_twice_are_the_same(name, made):
    target = Target(name)
    data, _ = target.content(judged_in_words(made) if name in COLUMNS else made)
    again = read_assessments(Source("file", data), format_of(target), faults=Faults("file"))
    assert target.content(again) == (data, [])


@pytest.mark.parametrize("compression", ["gzip", "zstd"])
def test_compressed_files_hold_the_same(compression):
    run = Run.of("r", ["q", "q"], ["d", "e"], start=[0, 2], end=[5, 9], score=[2.0, 1.0])
    target = Target("fol", compression)
    data, _ = target.content([run])
    assert data == target.content([run])[0]
    assert Source("file", data).read() == Target("fol").content([run])[0]


@given(SEVERAL_RUNS)
def test_the_ranking_of_ranges_survives_columns(made):
    made = runs_in_words(made)
    data, _ = Target("fol").content(made)
    for run, back in zip(made, read_run(Source("file", data), "fol"), strict=False):
        rows = ranked_rows(run)
        rows = rows[run.extent[rows] == Extent.RANGE]
        if run.name == back.name:
            assert back.documents.strings() == run.documents.take(rows).strings()
            assert back.start.tolist() == run.start[rows].tolist()
            assert back.end.tolist() == run.end[rows].tolist()


@pytest.mark.parametrize("name", [name for name in TARGETS if name != "entry-points"])
def test_the_kind_of_what_is_written_is_recognised(name):
    run = Run.of("r", ["q", "q"], ["d", "e"], start=[0, 2], end=[5, 9], score=[2.0, 1.0])
    run = replace(run, paths=Identifiers.of(["/a[1]", "/a[1]/b[2]"]))
    data, _ = Target(name).content([run])
    assert role_of(Source("file", data)).role == "run"


def test_whole_documents_get_their_ranges():
    run = Run.of("r", ["q", "q", "q"], ["d", "e", "f"])
    made = with_ranges(run, {"d": 7, "f": 0})
    assert made.extent.tolist() == [Extent.RANGE, Extent.WHOLE, Extent.WHOLE]
    assert made.end.tolist() == [7, 0, 0]
    assert np.array_equal(run.extent, [Extent.WHOLE] * 3)
