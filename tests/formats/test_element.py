"""INEX runs of elements: a path for each answer, or two."""

from __future__ import annotations

import gzip
import random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from formats.made import PATHS, faults_of, read_runs, written
from spanwise.data.elements import steps_of
from spanwise.data.identifiers import Identifiers
from spanwise.data.run import NO_PATH, Extent, Run
from spanwise.errors import InputError, OutputError
from spanwise.formats.builtin.columns import element, entry_points, fol, trec
from spanwise.formats.element_paths import PathCheck, is_path
from spanwise.formats.reading import RunFile, read_run
from spanwise.formats.source import BLOCK, Source
from spanwise.records import replace

GOOD = "q1 Q0 d1 1 0.9 run /article[1]/bdy[1]/sec[2]\n"
WIDE = "q1 Q0 d1 1 0.9 run /article[1]/p[2] /article[1]/p[4]\n"


def test_the_answers_of_a_run():
    lines = GOOD + "q1 Q0 d2 2 0.8 run /article\nq2 Q0 d1 1 7 run /article[1]\n"
    (run,) = read_runs(element, lines)
    assert (run.name, run.topics, run.order) == ("run", ("q1", "q2"), "file")
    assert run.paths.strings() == ["/article[1]/bdy[1]/sec[2]", "/article", "/article[1]"]
    assert run.extent.tolist() == [Extent.ELEMENT] * 3
    assert run.start.tolist() == run.end.tolist() == [0, 0, 0]
    assert (run.rank.tolist(), run.score.tolist()) == ([1, 2, 1], [0.9, 0.8, 7.0])
    assert run.line.tolist() == [1, 2, 3]
    assert run.documents.strings() == ["d1", "d2", "d1"]


@pytest.mark.parametrize("between", [" ", "  ", "\t", " \t "])
def test_from_one_element_to_another(between):
    lines = WIDE.replace("/p[2] ", f"/p[2]{between}") + WIDE.replace("d1 1", "d2 2")
    (run,) = read_runs(element, lines)
    assert run.paths.strings() == ["/article[1]/p[2] /article[1]/p[4]"] * 2


@pytest.mark.parametrize(
    "content",
    [
        GOOD.encode(),
        b"\xef\xbb\xbf" + GOOD.encode(),
        GOOD.replace("\n", "\r\n").encode(),
        GOOD.rstrip("\n").encode(),
        b"# a comment\n\n" + GOOD.replace(" ", "\t  ").encode(),
        gzip.compress(GOOD.encode(), mtime=0),
    ],
)
def test_the_same_run_however_it_is_written(content):
    (run,) = read_run(Source("file", content))
    assert run.paths.strings() == ["/article[1]/bdy[1]/sec[2]"]


BAD = [
    ("q1 Q0 d2 2 0.8 run article[1]", "path", "'article[1]'"),
    ("q1 Q0 d2 2 0.8 run /article[0]", "path", "'/article[0]'"),
    ("q1 Q0 d2 2 0.8 run /article[1]/", "path", "'/article[1]/'"),
    ("q1 Q0 d2 2 0.8 run /", "path", "'/'"),
    ("q1 Q0 d2 2 0.8 run -", "path", "'-'"),
    ("q1 Q0 d2 2 0.8 run /a[1]b", "path", "'/a[1]b'"),
    ("q1 Q0 d2 2 0.8 run /a[1", "path", "'/a[1'"),
    ("q1 Q0 d2 2 high run /a[1]", "score", "'high'"),
    ("q1 Q0 d2 first 0.8 run /a[1]", "rank", "'first'"),
    ("q1 Q0 d2 2 0.8 run", "columns", "6 columns"),
    ("q1 Q0 d2 2 0.8 run /a[1] /a[2]", "columns", "8 columns"),
    ("q1 Q0 d2 2 0.8 run /a[1] /a[2] /a[3]", "columns", "9 columns"),
]


@pytest.mark.parametrize(("line", "rule", "found"), BAD)
def test_a_bad_line_is_refused_with_its_number(line, rule, found):
    (fault,) = faults_of(read_runs, element, f"{GOOD}{line}\n{GOOD}")
    assert (fault.line, fault.rule, fault.found) == (2, rule, found)
    (run,) = read_runs(element, f"{GOOD}{line}\n{GOOD}", lenient=True)
    assert run.line.tolist() == [1, 3]


def test_the_bad_one_of_two_paths_is_shown():
    lines = WIDE + WIDE.replace("/article[1]/p[4]", "p[4]") + WIDE.replace("/article[1]/p[2]", "x")
    first, second = faults_of(read_runs, element, lines)
    assert (first.line, first.found) == (2, "'p[4]'")
    assert (second.line, second.found) == (3, "'x'")
    assert "a path such as /article[1]/sec[2]" in first.expected


def test_many_blocks_and_many_paths():
    chance = random.Random(7)
    paths = [
        "".join(f"/{chance.choice('abc')}[{chance.randint(1, 99)}]" for _ in range(6))
        for _ in range(80_000)
    ]
    lines = [
        f"q{number // 100:04} Q0 d{number} {number} 1 r {path}\n"
        for number, path in enumerate(paths)
    ]
    lines[40_000] = "q0400 Q0 d 1 1 r /a[1]//b[1]\n"
    content = "".join(lines).encode()
    assert len(content) > 2 * BLOCK
    file = RunFile(Source("file", content), lenient=True)
    found = [path for run in file.blocks() for path in run.paths.strings()]
    assert found == paths[:40_000] + paths[40_001:]
    assert [(fault.line, fault.rule) for fault in file.faults.kept] == [(40_001, "path")]


# -- what is a path?

TEXTS = st.one_of(PATHS, st.text(st.sampled_from("/[]0123 ab.-\u00a0"), max_size=12))


@given(TEXTS)
def test_a_path_is_what_has_steps(text):
    parts = text.split(" ")
    assert is_path(text) == (len(parts) <= 2 and all(steps_of(part) for part in parts))


@given(st.lists(TEXTS.filter(bool), min_size=1), st.lists(TEXTS.filter(bool), min_size=1))
def test_many_paths_are_told_as_one_by_one(first, second):
    check = PathCheck()
    for texts in (first, second, first):
        wrong = check.wrong(Identifiers.of(texts))
        assert wrong.tolist() == [steps_of(text) is None for text in texts]


# -- writing


def resolved(run):
    """The same answers, after somebody looked up where the elements are."""
    extent = np.full(len(run), Extent.RANGE, np.uint8)
    return replace(run, extent=extent, end=np.arange(len(run)) + 5)


def test_a_run_is_written_as_it_was_read():
    lines = GOOD + "q1 Q0 d2 2 0.8 run /article\nq2 Q0 d1 1 7.0 run /article[1]\n"
    (run,) = read_runs(element, lines)
    assert written(element, (run,)) == (lines.encode(), [])
    assert written(element, (resolved(run),)) == (lines.encode(), [])


def test_one_answer_with_two_paths_makes_all_lines_wide():
    paths = ["/a[1]", "/a[1]/p[2] /a[1]/p[4]"]
    run = Run.of("r", ["q", "q"], ["d", "e"], extent=[Extent.ELEMENT] * 2, paths=paths)
    data, notes = written(element, (run,))
    assert data.decode().splitlines() == [
        "q Q0 d 1 -1.0 r /a[1] /a[1]",
        "q Q0 e 2 -2.0 r /a[1]/p[2] /a[1]/p[4]",
    ]
    assert notes == []
    assert len(read_run(Source("file", data))[0]) == 2


def test_answers_that_name_no_element_are_left_out_and_counted():
    extent = [Extent.WHOLE, Extent.ELEMENT, Extent.RANGE]
    run = Run.of(
        "r", ["q"] * 3, list("abc"), end=[0, 0, 5], extent=extent, paths=["-", "/a[1]", "-"]
    )
    data, notes = written(element, (run,))
    assert data == b"q Q0 b 1 -1.0 r /a[1]\n"
    assert notes == ["run r: 2 answers do not name an element; left out"]
    assert written(element, (Run.of("r", ["q"], ["d"]),))[0] == b""


def test_the_order_of_scores_is_written_as_the_order_of_the_file():
    run = Run.of(
        "r",
        ["q"] * 3,
        list("abc"),
        extent=[Extent.ELEMENT] * 3,
        paths=["/a[1]"] * 3,
        score=[1, 3, 2],
        rank=[1, 2, 3],
        order="score",
    )
    data, notes = written(element, (run,))
    assert [line.split()[2] for line in data.decode().splitlines()] == ["b", "c", "a"]
    assert notes == ["run r: new ranks are written, because the order is by score"]


@pytest.mark.parametrize("format", [fol, entry_points])
def test_formats_of_characters_need_to_know_them(format):
    (run,) = read_runs(element, GOOD)
    with pytest.raises(OutputError, match=r"give collection=\.\.\. or elements=\.\.\."):
        written(format, (run,))
    assert len(written(format, (resolved(run),))[0].splitlines()) == 1


def test_documents_of_elements_have_a_ranking():
    lines = GOOD + GOOD.replace("0.9", "0.8").replace("sec[2]", "sec[3]")
    (run,) = read_runs(element, lines)
    data, notes = written(trec, (run,))
    assert data == b"q1 Q0 d1 1 0.9 run\n"
    assert len(notes) == 1


def test_names_with_blanks_are_refused():
    run = Run.of("r", ["q"], ["a b"], extent=[Extent.ELEMENT], paths=["/a[1]"])
    with pytest.raises(OutputError, match="'a b' has blanks"):
        written(element, (run,))


def test_a_file_that_breaks_off_in_a_path():
    with pytest.raises(InputError, match=r"file:2: found '/article\[1'"):
        read_run(Source("file", (GOOD + GOOD[:29]).encode()))


def test_no_path_is_never_taken_for_one():
    assert not is_path(NO_PATH)
