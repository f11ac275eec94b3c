"""Ranges as elements: the twin looks at every element with sets of characters."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import spanwise
from command import run_command
from spanwise.collection.collection import Collection, open_collection
from spanwise.collection.fitted_elements import Fit, run_of_elements
from spanwise.data.run import Run
from spanwise.errors import SpanwiseError

XML = "<a><t>Sea</t><s><p>One two.</p><p>Three <i>four</i>.</p></s><s><p>Five.</p></s></a>"
LENGTH = len("SeaOne two.Three four.Five.")


@pytest.fixture(scope="module")
def collection(tmp_path_factory: pytest.TempPathFactory) -> Collection:
    folder = tmp_path_factory.mktemp("documents")
    (folder / "d.xml").write_text(XML)
    (folder / "e.xml").write_text(XML)
    return open_collection(folder)


def fitted(collection: Collection, ranges: list[tuple[int, int]], fit: Fit) -> list[str]:
    assert collection.elements is not None
    run = Run.of(
        "r",
        ["q"] * len(ranges),
        ["d"] * len(ranges),
        start=[a for a, _ in ranges],
        end=[b for _, b in ranges],
    )
    found, _ = run_of_elements(run, collection.elements, fit)
    assert found.paths is not None
    return list(found.paths.strings())


def slow(collection: Collection, start: int, end: int, fit: Fit) -> list[str]:
    assert collection.elements is not None
    tree = collection.elements.tree("d")
    assert tree is not None
    wanted = set(range(start, end))
    sets = {
        collection.elements.paths.text(int(tree.path[row])): set(
            range(int(tree.start[row]), int(tree.end[row]))
        )
        for row in range(len(tree))
    }
    around = [path for path in sets if sets[path] >= wanted]
    smallest = [min(around, key=lambda path: (len(sets[path]), -path.count("/")))]
    if fit == "smallest":
        return smallest
    if fit == "inside":
        blocks = [path for path in sets if sets[path] <= wanted and "/i[" not in path]
        words = [path for path in sets if sets[path] <= wanted and "/i[" in path]
        inside = blocks or [path for path in words if 2 * len(sets[path]) > len(wanted)]
        deepest = [p for p in inside if not any(sets[p] == sets[o] and o > p for o in inside)]
        top = [p for p in deepest if not any(sets[p] < sets[o] for o in inside)]
        return top or smallest
    score = {path: 2 * len(sets[path] & wanted) / (len(sets[path]) + len(wanted)) for path in sets}
    best = [path for path in sets if score[path] == max(score.values())]
    same = [path for path in best if sets[path] == sets[best[0]]]
    return [max(same, key=lambda path: path.count("/"))]


@given(
    st.integers(0, LENGTH - 1),
    st.integers(1, LENGTH),
    st.sampled_from(["smallest", "inside", "best"]),
)
def test_the_twin_finds_the_same(collection: Collection, start: int, size: int, fit: Fit) -> None:
    end = min(start + size, LENGTH)
    assert fitted(collection, [(start, end)], fit) == slow(collection, start, end, fit)


REAL = (
    "<a><s><p>Long before <x>one</x>, <b>two</b> and <x>three</x> it was said.</p></s>"
    "<s><t>Then</t><p>More of <i>it</i>.</p></s><p><i>All slanted.</i></p></a>"
).replace("x>", "xref>")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("before one, two and three it", ["/a[1]/s[1]/p[1]"]),
        ("one, two and three it was said.Then", ["/a[1]/s[2]/t[1]"]),
        ("said.ThenMore of it.", ["/a[1]/s[2]"]),
        ("two", ["/a[1]/s[1]/p[1]/b[1]"]),
        (" two ", ["/a[1]/s[1]/p[1]/b[1]"]),
        ("it.All slanted.", ["/a[1]/p[1]"]),
        ("All slanted.", ["/a[1]/p[1]"]),
    ],
)
def test_words_inside_a_line_are_no_shreds(tmp_path: Path, text: str, expected: list[str]) -> None:
    (tmp_path / "d.xml").write_text(REAL)
    collection = open_collection(tmp_path)
    start = collection.text("d").index(text)
    assert fitted(collection, [(start, start + len(text))], "inside") == expected


def test_what_becomes_of_the_text_is_told(collection: Collection) -> None:
    assert collection.elements is not None
    run = Run.of("r", ["q", "q"], ["d", "d"], start=[1, 21], end=[13, 26])
    _, notes = run_of_elements(run, collection.elements, "inside")
    assert [str(note) for note in notes] == [
        "r: 2 answers were turned into elements, 2 in all",
        "r: 4 of 17 characters of these answers (24%) are in none of the elements",
        "r: 1 answer contains no element; the smallest one around it is used",
    ]


def test_an_element_is_named_once_in_a_topic(collection: Collection) -> None:
    assert collection.elements is not None
    run = Run.of(
        "r", ["q", "q", "p"], ["d", "d", "d"], start=[3, 4, 3], end=[6, 7, 6], rank=[1, 2, 1]
    )
    found, notes = run_of_elements(run, collection.elements, "smallest")
    assert found.topics == ("q", "p")
    assert found.offsets.tolist() == [0, 1, 2]
    assert {note.kind: note.count for note in notes} == {"fitted": 3, "fitted again": 1}


def test_what_is_no_range_or_has_no_elements_stays(collection: Collection) -> None:
    assert collection.elements is not None
    run = Run.of("r", ["q"] * 3, ["x", "d", "d"], start=[0, 0, 0], end=[5, 0, 9], extent=[0, 2, 1])
    found, notes = run_of_elements(run, collection.elements, "best")
    assert found.paths is not None
    assert found.paths.strings() == ["-", "-", "/a[1]"]
    assert {note.kind: note.count for note in notes} == {"fitted": 1, "fitted without tree": 1}


def test_from_the_command_line_and_python(tmp_path: Path) -> None:
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "d.xml").write_text(XML)
    (tmp_path / "run.fol").write_text(
        "q Q0 d 1 2.0 r 4 5\nq Q0 d 2 1.0 r 5 3\nq Q0 d 3 0.5 r 12 9\n"
    )
    options = ["--as-elements", "--collection", "docs"]
    done = run_command(["convert", "run.fol", "run.element", *options], tmp_path)
    assert (done.code, done.out) == (0, "")
    assert "3 answers were turned into elements" in done.err
    assert "1 element was named before in its topic; left out" in done.err
    paths = [line.split()[-1] for line in (tmp_path / "run.element").read_text().splitlines()]
    assert paths == ["/a[1]/s[1]/p[1]", "/a[1]/s[1]/p[2]"]
    notes = spanwise.convert(
        tmp_path / "run.fol",
        tmp_path / "inside.element",
        as_elements=True,
        fit="inside",
        collection=tmp_path / "docs",
    )
    assert "fitted around" in {note.kind for note in notes}
    found = spanwise.evaluate(
        {"q": {"d": [(3, 11)]}}, tmp_path / "run.element", "AgP", collection=tmp_path / "docs"
    )
    assert found.mean("AgP") > 0


def test_a_run_about_other_documents_is_refused(tmp_path: Path) -> None:
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "d.xml").write_text(XML)
    (tmp_path / "run.fol").write_text("q Q0 x/d.txt 1 2.0 r 4 5\nq Q0 y 2 1.0 r 4 5\n")
    options = ["--as-elements", "--collection", "docs"]
    done = run_command(["convert", "run.fol", "run.element", *options], tmp_path)
    assert (done.code, done.out) == (2, "")
    assert done.err == (
        "run.fol: found no document of the collection in 2 answers, expected documents of the"
        " collection (run: x/d.txt, collection: d); drop the folders and the extension from the"
        " names in the run\n"
    )
    assert not (tmp_path / "run.element").exists()
    (tmp_path / "run.fol").write_text("q Q0 d 1 2.0 r 4 5\nq Q0 y 2 1.0 r 4 5\n")
    done = run_command(["convert", "run.fol", "run.element", *options], tmp_path)
    assert done.code == 0
    assert "1 answer is in a document without elements" in done.err


def test_wrong_calls_are_refused(tmp_path: Path) -> None:
    (tmp_path / "run.fol").write_text("q Q0 d 1 2.0 r 4 5\n")
    (tmp_path / "qrels.fol").write_text("q Q0 d 5 9 0 0:5\n")
    done = run_command(["convert", "run.fol", "run.element", "--as-elements"], tmp_path)
    assert done.code == 2
    assert "--as-elements needs the elements of the documents: give --collection" in done.err
    done = run_command(
        ["convert", "qrels.fol", "q.jsonl", "--as", "assessments", "--as-elements"], tmp_path
    )
    assert done.code == 2
    assert "is for runs, and these are assessments" in done.err
    done = run_command(["convert", "run.fol", "run.jsonl", "--fit", "inside"], tmp_path)
    assert (done.code, done.out) == (2, "")
    assert "--fit inside says which elements ranges become, and they stay ranges" in done.err
    assert not (tmp_path / "run.jsonl").exists()
    with pytest.raises(SpanwiseError, match="add as_elements=True"):
        spanwise.convert(tmp_path / "run.fol", tmp_path / "run.jsonl", fit="best")
    done = run_command(["convert", "run.fol", "run.xyz"], tmp_path)
    assert "or name the format with --to\n" in done.err
    with pytest.raises(SpanwiseError, match="or name the format with to_format="):
        spanwise.convert(tmp_path / "run.fol", tmp_path / "run.xyz")
    with pytest.raises(SpanwiseError, match="fit must be"):
        spanwise.convert(tmp_path / "run.fol", tmp_path / "x.element", fit="worst")  # type: ignore[arg-type]
    assert not (tmp_path / "run.element").exists()
