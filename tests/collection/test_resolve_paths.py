"""Elements named by paths become ranges, and places in a tree become characters."""

from __future__ import annotations

import numpy as np
import pytest

from spanwise.collection.resolve_paths import (
    assessments_with_ranges,
    place_of,
    run_with_ranges,
    size_mismatch_note,
    size_mismatches,
)
from spanwise.data.elements import UNKNOWN, Elements, Paths, Tree
from spanwise.data.grades import Pointed
from spanwise.data.judgements import Judgements
from spanwise.data.notes import Faults
from spanwise.data.run import Extent, Run
from spanwise.errors import FaultyInput

ROWS = {
    # <a>one<b>two</b><c/>three<b>four<c>five</c></b></a>
    "/a[1]": (0, 19),
    "/a[1]/b[1]": (3, 3),
    "/a[1]/c[1]": (6, 0),
    "/a[1]/b[2]": (11, 8),
    "/a[1]/b[2]/c[1]": (15, 4),
}


def elements_of(rows: dict[str, tuple[int, int]], document: str = "d 1") -> Elements:
    paths = Paths()
    numbers = [paths.add_path(path) for path in rows]
    place = {number: row for row, number in enumerate(numbers)}
    tree = Tree(
        np.array(numbers),
        np.array([place.get(paths.parent[number], UNKNOWN) for number in numbers]),
        np.array([start for start, _ in rows.values()]),
        np.array([size for _, size in rows.values()]),
    )
    return Elements(paths, lambda name: tree if name == document else None)


def run_of(*paths: str, document: str = "d 1") -> Run:
    count = len(paths)
    return Run.of(
        "r",
        ["q"] * count,
        [document] * count,
        extent=[Extent.ELEMENT] * count,
        paths=paths,
        line=list(range(1, count + 1)),
    )


def test_paths_become_ranges_and_keep_their_element() -> None:
    run = run_with_ranges(
        run_of("/a[1]/b[2]", "/a[1]", "/a[1]/b[2]/c[1]"), elements_of(ROWS), Faults("run")
    )
    assert run.extent.tolist() == [Extent.RANGE] * 3
    assert list(zip(run.start.tolist(), run.end.tolist(), strict=True)) == [
        (11, 19),
        (0, 19),
        (15, 19),
    ]
    assert run.element is not None
    assert run.element.tolist() == [3, 0, 4]


def test_a_path_without_positions_means_the_first() -> None:
    run = run_with_ranges(run_of("/a/b"), elements_of(ROWS), Faults("run"))
    assert (int(run.start[0]), int(run.end[0])) == (3, 6)


def test_two_paths_reach_from_the_first_to_the_second() -> None:
    run = run_with_ranges(run_of("/a[1]/b[1] /a[1]/b[2]"), elements_of(ROWS), Faults("run"))
    assert (int(run.start[0]), int(run.end[0])) == (3, 19)
    assert run.element is not None
    assert run.element.tolist() == [UNKNOWN]


@pytest.mark.parametrize("last", ["/a[1]/b[2]", "/a[1]/b[1]"])
def test_two_paths_must_not_go_backwards(last) -> None:
    rows = {**ROWS, "/a[1]": (0, 21), "/a[1]/d[1]": (19, 2)}
    with pytest.raises(FaultyInput, match="expected the second one after the first; swap"):
        run_with_ranges(run_of(f"/a[1]/d[1] {last}"), elements_of(rows), Faults("run"))
    faults = Faults("run", lenient=True)
    assert not len(run_with_ranges(run_of(f"/a[1]/d[1] {last}"), elements_of(rows), faults))
    assert faults.counts == {"range": 1}


def test_from_an_element_to_what_holds_it_is_a_range() -> None:
    run = run_with_ranges(run_of("/a[1]/b[2]/c[1] /a[1]/b[2]"), elements_of(ROWS), Faults("run"))
    assert (int(run.start[0]), int(run.end[0])) == (15, 19)


def test_an_element_without_text_is_listed_only() -> None:
    run = run_with_ranges(run_of("/a[1]/c[1]"), elements_of(ROWS), Faults("run"))
    assert run.extent.tolist() == [Extent.NOTHING]
    assert run.element is not None
    assert run.element.tolist() == [2]


@pytest.mark.parametrize(
    ("path", "document", "found"),
    [
        ("/a[1]/b[3]", "d 1", "element /a[1]/b[3], which document d 1 does not have"),
        ("/x[1]", "d 1", "element /x[1], which document d 1 does not have"),
        ("/a[1]/b[2] /a[1]/b[1]", "d 1", "/a[1]/b[2] to /a[1]/b[1] of document d 1, expected"),
        ("/a[1]", "d 2", "document d 2, which has no elements"),
    ],
)
def test_what_the_document_lacks_is_named_with_its_line(path, document, found) -> None:
    run = run_of("/a[1]", path, document=document)
    faults = Faults("run.txt")
    if document == "d 1":
        run = run_of("/a[1]", path)
    with pytest.raises(FaultyInput) as refused:
        run_with_ranges(run, elements_of(ROWS), faults)
    assert found in str(refused.value)
    assert "run.txt:" in str(refused.value)


def test_leniently_what_is_lacking_is_dropped() -> None:
    faults = Faults("run.txt", lenient=True)
    run = run_with_ranges(run_of("/a[1]/b[9]", "/a[1]"), elements_of(ROWS), faults)
    assert len(run) == 1
    assert faults.counts == {"element": 1}
    assert run.element is not None
    assert run.element.tolist() == [0]


def test_an_element_that_is_only_implied_has_no_range() -> None:
    rows = {**ROWS, "/a[1]": (UNKNOWN, UNKNOWN)}
    with pytest.raises(FaultyInput, match=r"element /a\[1\]"):
        run_with_ranges(run_of("/a[1]"), elements_of(rows), Faults("run"))


# -- points


@pytest.mark.parametrize(
    ("point", "start", "end"),
    [
        ("/a[1]/b[1]", 3, 6),
        ("/a[1]/b[1].2", 5, 5),
        ("/a[1]/text()[1]", 0, 3),
        ("/a[1]/text()[1].2", 2, 2),
        ("/a[1]/text()[2].0", 6, 6),
        ("/a[1]/text()[2]", 6, 11),
        ("/a[1]/b[2]/text()[1].4", 15, 15),
        ("/a[1]/b[2]/c[1]/text()[1].1", 16, 16),
    ],
)
def test_points_stand_before_a_character(point, start, end) -> None:
    elements = elements_of(ROWS)
    assert place_of("d 1", point, elements, at_end=False) == start
    assert place_of("d 1", point, elements, at_end=True) == end


@pytest.mark.parametrize(
    ("point", "problem"),
    [
        ("/a[1]/b[1].4", "beyond the 3 characters"),
        ("/a[1]/text()[3]", "text 3 of an element that has 2"),
        ("/a[1]/z[1]/text()[1].0", "element /a[1]/z[1], which is not there"),
        ("", "which is not there"),
    ],
)
def test_points_that_are_nowhere(point, problem) -> None:
    assert problem in str(place_of("d 1", point, elements_of(ROWS), at_end=False))


def judged(*pointed: Pointed) -> Judgements:
    judgements = Judgements(Faults("qrels.xml"))
    for each in pointed:
        judgements.add_pointed(each)
    return judgements


def test_passages_and_entry_points_become_characters() -> None:
    made = judged(
        Pointed("q", "d 1", "/a[1]/text()[1].1", "/a[1]/b[1]", line=4),
        Pointed("q", "d 1", "/a[1]/b[2]", None, line=5),
    ).build()
    assert made.is_relevant.all()
    assert made.without_text.all()
    placed = assessments_with_ranges(made, elements_of(ROWS), Faults("qrels.xml"))
    assert placed.relevant.to_lists() == [[(1, 6)]]
    assert placed.entry_point.tolist() == [11]
    assert placed.pointed == ()
    assert placed.is_relevant.all()


def test_a_passage_that_is_nowhere_is_named() -> None:
    made = judged(Pointed("q", "d 1", "/a[1]/b[7]", "/a[1]", line=4)).build()
    with pytest.raises(FaultyInput, match=r"qrels\.xml:4: found element /a\[1\]/b\[7\]"):
        assessments_with_ranges(made, elements_of(ROWS), Faults("qrels.xml"))


def test_sizes_that_disagree_are_listed() -> None:
    judgements = Judgements(Faults("qrels.xml"))
    judgements.add_element("q", "d 1", "/a[1]", 2, size=19, relevant_size=3, line=3)
    judgements.add_element("q", "d 1", "/a[1]/b[1]", 1, size=5, relevant_size=3, line=4)
    (mismatch,) = size_mismatches(judgements.build(), elements_of(ROWS))
    assert str(mismatch) == "d 1 /a[1]/b[1]: 5, here 3"
    assert mismatch.line == 4
    note = size_mismatch_note([mismatch])
    assert (note.kind, note.count, note.names) == ("size mismatch", 1, (str(mismatch),))
