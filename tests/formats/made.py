"""Runs and assessments that hypothesis makes up, and what it means for two of them to be equal."""

from __future__ import annotations

import io
from types import ModuleType

import numpy as np
from hypothesis import strategies as st

from spanwise.data.assessments import Assessments
from spanwise.data.grades import TOO_SMALL, UNKNOWN
from spanwise.data.judgements import Judgements
from spanwise.data.notes import Faults
from spanwise.data.run import NO_PATH, Extent, Run
from spanwise.errors import FaultyInput
from spanwise.formats.registry import RunOptions
from spanwise.formats.source import Source

CHARACTERS = st.characters(exclude_categories=["Cs"], exclude_characters="\0")
NAMES = st.one_of(
    st.sampled_from(["d1", "d2", "#d", ' "d"', "7", ",", "ä😀", "a,b\tc|d", "x\ny\r"]),
    st.text(CHARACTERS, min_size=1, max_size=20),
)
SCORES = st.one_of(st.sampled_from([0.0, 1.0, 0.1]), st.floats(allow_nan=False))
RANKS = st.integers(-2, 2**40)
PATHS = st.one_of(
    st.sampled_from(["/article[1]", "/a/b", "/a[1]/ü:p[2]/-", "/a[1]/p[2] /a[1]/p[4]"]),
    st.lists(st.tuples(st.sampled_from(["sec", "p"]), st.integers(1, 3)), min_size=1).map(
        lambda steps: "".join(f"/{tag}[{position}]" for tag, position in steps)
    ),
)


@st.composite
def answers(draw, elements=False):
    """Extent, start, end and path: few places, so that ranges touch, nest and repeat."""
    extents = [Extent.RANGE, Extent.RANGE, Extent.WHOLE, Extent.NOTHING]
    extent = draw(st.sampled_from(extents + elements * [Extent.ELEMENT, Extent.ELEMENT]))
    if extent == Extent.ELEMENT:
        return extent, 0, 0, draw(PATHS)
    if extent != Extent.RANGE:
        return extent, 0, 0, NO_PATH
    start = draw(st.one_of(st.integers(0, 5), st.integers(0, 2**63 - 2)))
    end = draw(st.one_of(st.just(start + 1), st.integers(start + 1, 2**63 - 1)))
    return extent, start, end, NO_PATH


@st.composite
def runs(draw, name="run", elements=False):
    """A run with few topics and documents, ordered by rank, score or file."""
    topics = draw(st.lists(NAMES, min_size=1, max_size=3, unique=True))
    documents = draw(st.lists(NAMES, min_size=1, max_size=4, unique=True))
    row = st.tuples(
        st.sampled_from(topics), st.sampled_from(documents), answers(elements), SCORES, RANKS
    )
    rows = draw(st.lists(row, min_size=1, max_size=12))
    topic, document, answer, score, rank = zip(*rows, strict=True)
    extent, start, end, paths = zip(*answer, strict=True)
    order = draw(st.sampled_from(["rank", "rank and score", "score", "file"]))
    return Run.of(
        name,
        topic,
        document,
        extent=extent,
        start=start,
        end=end,
        score=score if "score" in order else None,
        rank=rank if "rank" in order else None,
        order="rank" if "rank" in order else order,
        paths=paths if set(paths) != {NO_PATH} else None,
    )


def several_runs(*, elements):
    """One to three runs with names of their own."""
    names = st.lists(NAMES, min_size=1, max_size=3, unique=True)
    return names.flatmap(lambda names: st.tuples(*(runs(name, elements) for name in names)))


SEVERAL_RUNS = several_runs(elements=False)
SEVERAL_WITH_ELEMENTS = several_runs(elements=True)
ELEMENT_GRADES = st.one_of(st.tuples(st.integers(1, 3), st.integers(1, 3)), st.just((0, 0))).map(
    lambda grades: (*grades, UNKNOWN, UNKNOWN)
)
ELEMENT_SIZES = st.tuples(
    st.sampled_from([UNKNOWN, TOO_SMALL, 0, 2]), st.integers(0, 9), st.integers(9, 2**62)
).map(lambda sizes: (sizes[0], UNKNOWN, sizes[2], sizes[1]))


@st.composite
def assessments(draw, aspects=NAMES):
    """Judgements of every kind."""
    judgements = Judgements(Faults("made"))
    names = st.lists(NAMES, min_size=1, max_size=3, unique=True)
    topics, documents = draw(names), draw(names)
    judged = {}
    for _ in range(draw(st.integers(0, 12))):
        pair = draw(st.sampled_from(topics)), draw(st.sampled_from(documents))
        kind = judged.setdefault(pair, draw(st.sampled_from(["range", "range", "grade"])))
        what = draw(st.sampled_from([kind, kind, "bep", "element" if kind == "range" else kind]))
        if what == "element":
            path = draw(PATHS.filter(lambda path: " " not in path))
            said = draw(st.one_of(ELEMENT_GRADES, ELEMENT_SIZES))
            judgements.add_element(*pair, path, *judged.setdefault((pair, path), said))
        elif what == "bep":
            judgements.add_entry_point(*pair, draw(st.integers(0, 20)))
        elif what == "grade":
            grade = judged.setdefault((pair, "grade"), draw(st.integers(-1, 3)))
            judgements.judge(*pair, grade)
        else:
            start = draw(st.integers(0, 8))
            end, grade = draw(st.integers(start + 1, 10)), draw(st.integers(0, 3))
            about = tuple(draw(st.lists(aspects, max_size=2)))
            judgements.add_range(*pair, start, end, grade, about)
    for document in documents:
        if draw(st.booleans()):
            digest = draw(st.sampled_from([None, "0" * 64, "aF" * 32]))
            judgements.add_document(document, draw(st.integers(10, 99)), digest)
    return judgements.build()


def written(module: ModuleType, what: tuple[Run, ...] | Assessments) -> tuple[bytes, list[str]]:
    """What a format writes, and the notes it gives."""
    stream = io.BytesIO()
    write = module.write_assessments if isinstance(what, Assessments) else module.write_run
    notes = write(what, stream)
    return stream.getvalue(), [*map(str, notes)]


def read_runs(module: ModuleType, data: bytes | str, *, lenient=False, chunks=None) -> list[Run]:
    """The runs of a file's content."""
    content = data.encode() if isinstance(data, str) else data
    faults = Faults("file", lenient=lenient)
    return list(module.read_run(Source("file", content), faults, RunOptions(chunks=chunks)))


def read_assessments(module: ModuleType, data: bytes | str, *, lenient=False) -> Assessments:
    """The assessments of a file's content."""
    content = data.encode() if isinstance(data, str) else data
    return module.read_assessments(Source("file", content), Faults("file", lenient=lenient))


def faults_of(action, *arguments, **options):
    """The faults that an action is refused for."""
    try:
        action(*arguments, **options)
    except FaultyInput as problem:
        return list(problem.faults)
    raise AssertionError("nothing was refused")


def run_facts(run: Run) -> dict[str, object]:
    """All of a run that a format has to keep."""
    return {
        "name": run.name,
        "topics": run.topics,
        "offsets": run.offsets.tolist(),
        "documents": run.documents.strings(),
        "extent": run.extent.tolist(),
        "start": run.start.tolist(),
        "end": run.end.tolist(),
        "score": None if run.score is None else run.score.tolist(),
        "rank": None if run.rank is None else run.rank.tolist(),
        "order": run.order,
        "paths": None if run.paths is None else run.paths.strings(),
    }


def assessment_facts(made: Assessments) -> dict[str, object]:
    """All of the assessments that a format has to keep."""
    passages = made.passages
    return {
        "topics": made.topics,
        "offsets": made.offsets.tolist(),
        "documents": made.documents.strings(),
        "grade": made.grade.tolist(),
        "whole": made.whole.tolist(),
        "relevant": made.relevant.to_lists(),
        "length": made.length.tolist(),
        "entries": [made.entry_offsets.tolist(), made.entry_point.tolist()],
        "passages": np.stack(
            (passages.pair, passages.start, passages.end, passages.grade), axis=1
        ).tolist(),
        "aspects": passages.aspects,
        "elements": element_facts(made),
        "lengths": dict(made.lengths),
        "hashes": dict(made.hashes),
    }


def element_facts(made: Assessments) -> list[tuple[object, ...]]:
    """What was said about elements."""
    judged = made.elements
    columns = (
        *(judged.pair, judged.exhaustivity, judged.specificity),
        *(judged.size, judged.relevant_size),
    )
    return list(zip(judged.paths.strings(), *(column.tolist() for column in columns), strict=True))
