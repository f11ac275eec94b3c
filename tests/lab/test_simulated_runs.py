"""Simulated runs: the five sets of parts and the four rankings, by hand and by a slow twin."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pytest

from spanwise.data.assessments import Assessments
from spanwise.data.elements import UNKNOWN, Paths, Tree
from spanwise.data.judgements import Judgements
from spanwise.data.notes import Faults, Note
from spanwise.data.run import Extent, Run
from spanwise.errors import NeedError, SpanwiseError
from spanwise.lab.simulated_parts import inner_elements
from spanwise.lab.simulated_runs import INVENTED, orderings, simulated_runs
from spanwise.lab.synthetic_collection import SyntheticDocuments, synthetic

Span = tuple[int, int]
Ranges = Mapping[str, Mapping[str, Sequence[Span]]]

ARTICLE = (
    ("/a[1]", 0, 100),
    ("/a[1]/sec[1]", 0, 40),
    ("/a[1]/sec[1]/p[1]", 0, 20),
    ("/a[1]/sec[1]/p[1]/i[1]", 5, 5),
    ("/a[1]/sec[1]/p[2]", 20, 20),
    ("/a[1]/sec[1]/p[2]/br[1]", 30, 0),
    ("/a[1]/sec[2]", 40, 60),
    ("/a[1]/sec[2]/p[1]", 40, 30),
    ("/a[1]/sec[2]/p[2]", 70, 30),
)


def assessed(
    ranges: Ranges, refused: Mapping[str, Sequence[str]] | None = None, length: int | None = None
) -> Assessments:
    judgements = Judgements(Faults("qrels"))
    for topic, documents in ranges.items():
        for document, spans in documents.items():
            for start, end in spans:
                judgements.add_range(topic, document, start, end)
            if length is not None:
                judgements.add_document(document, length)
    for topic, names in (refused or {}).items():
        for name in names:
            judgements.judge(topic, name, 0)
    return judgements.build()


def tree_of(paths: Paths, rows: Sequence[tuple[str, int, int]]) -> Tree:
    numbers = [paths.add_path(path) for path, _, _ in rows]
    parent = [
        numbers.index(paths.parent[number]) if paths.parent[number] in numbers else -1
        for number in numbers
    ]
    return Tree(
        np.array(numbers, np.int64),
        np.array(parent, np.int64),
        np.array([start for _, start, _ in rows], np.int64),
        np.array([size for _, _, size in rows], np.int64),
    )


def documents(**trees: Sequence[tuple[str, int, int]]) -> SyntheticDocuments:
    paths = Paths()
    return SyntheticDocuments(paths, {name: tree_of(paths, rows) for name, rows in trees.items()})


def answers(run: Run) -> dict[str, list[tuple[str, Any]]]:
    """Each topic's answers: the document, and its range, ``whole`` or ``nothing``."""
    found: dict[str, list[tuple[str, Any]]] = {}
    for row, topic in enumerate(run.topic.tolist()):
        extent = Extent(int(run.extent[row]))
        span = (int(run.start[row]), int(run.end[row]))
        part: Any = span if extent == Extent.RANGE else extent.name.lower()
        found.setdefault(run.topics[topic], []).append((run.documents[row], part))
    return found


def by_name(assessments: Assessments, known: Any = None) -> dict[str, dict[str, Any]]:
    return {run.name: answers(run) for run in simulated_runs(assessments, known).runs}


# -- the five sets


def parts_of(*spans: Span) -> dict[str, list[Any]]:
    """What each set returns of one article with these passages."""
    found = by_name(assessed({"q": {"d": spans}}, {"q": ["x"]}), documents(d=ARTICLE))
    return {name: [part for _, part in found[f"{name}R"]["q"]] for name in SETS}


SETS = ("S", "SL", "SLD", "SS", "SST")


def test_the_five_sets_by_hand() -> None:
    assert parts_of((0, 25)) == {
        "S": [(0, 25)],
        "SL": [(0, 40)],
        "SLD": ["whole"],
        "SS": [(0, 20)],
        "SST": [(5, 10)],
    }


def test_an_empty_element_makes_no_inner_node_and_is_no_part() -> None:
    found = parts_of((18, 45))
    assert found["SS"] == [(20, 40)]
    assert found["SST"] == [(20, 40)]


def test_a_passage_that_is_an_element_is_itself() -> None:
    found = parts_of((40, 70))
    assert (found["SL"], found["SS"], found["SST"]) == ([(40, 70)], [(40, 70)], [(40, 70)])


def test_nested_elements_are_united_and_separate_ones_stay() -> None:
    found = parts_of((2, 4), (12, 24), (42, 50), (71, 72))
    assert found["SL"] == [(0, 40), (40, 70), (70, 100)]


def test_a_passage_smaller_than_any_element_leaves_the_document_without_parts() -> None:
    found = parts_of((1, 3))
    assert (found["SS"], found["SST"]) == (["nothing"], ["nothing"])
    notes = simulated_runs(assessed({"q": {"d": [(1, 3)]}}), documents(d=ARTICLE)).notes
    assert "SS finds no element inside a passage in 1 of 1 relevant documents" in str(notes[0])


def test_a_passage_over_two_roots_is_in_the_whole_document_only() -> None:
    two = documents(d=(("/a[1]", 0, 50), ("/b[1]", 50, 50)))
    found = by_name(assessed({"q": {"d": [(10, 20), (40, 60)]}}, {"q": ["x"]}), two)
    assert found["SLR"]["q"] == [("d", "whole")]


def test_overlapping_siblings_both_count() -> None:
    rows = (("/a[1]", 0, 100), ("/a[1]/p[1]", 10, 30), ("/a[1]/p[2]", 35, 20))
    found = by_name(assessed({"q": {"d": [(36, 52), (12, 16)]}}, {"q": ["x"]}), documents(d=rows))
    assert found["SLR"]["q"] == [("d", (10, 40)), ("d", (35, 55))]
    found = by_name(assessed({"q": {"d": [(5, 60)]}}, {"q": ["x"]}), documents(d=rows))
    assert found["SSR"]["q"] == [("d", (10, 40)), ("d", (35, 55))]


def test_elements_that_are_only_implied_have_no_place_but_lead_upwards() -> None:
    rows = (("/a[1]", 0, 100), ("/a[1]/sec[1]", UNKNOWN, UNKNOWN), ("/a[1]/sec[1]/p[1]", 10, 20))
    made = documents(d=rows)
    assert inner_elements(made.trees["d"]).tolist() == [True, True, False]
    found = by_name(assessed({"q": {"d": [(5, 50)]}}, {"q": ["x"]}), made)
    assert found["SLR"]["q"] == [("d", (0, 100))]
    assert found["SSTR"]["q"] == [("d", (10, 30))]


def test_a_document_without_elements_stands_for_its_only_element() -> None:
    judged = assessed({"q": {"d": [(0, 25)], "e": [(0, 9)]}}, {"q": ["x"]})
    made = simulated_runs(judged, documents(d=ARTICLE))
    assert answers(made.runs[4])["q"] == [("d", (0, 40)), ("e", "whole")]
    assert any(
        "1 judged document with relevant text has no elements (such as e)" in str(note)
        for note in made.notes
    )


# -- the slow twin


def slow_parts(tree: Tree, passages: Sequence[Span]) -> dict[str, set[Any]]:
    """Element by element and passage by passage."""
    spans = list(zip(tree.start.tolist(), tree.end.tolist(), strict=True))
    parents = set(tree.parent.tolist())
    around, inside, leaves = set(), set(), set()
    for low, high in passages:
        holding = [span for span in spans if span[0] <= low and high <= span[1]]
        around.add(min(holding, key=lambda span: span[1] - span[0]))
        held = [n for n, span in enumerate(spans) if low <= span[0] and span[1] <= high]
        leaves |= {spans[n] for n in held if n not in parents}
        inside |= {spans[n] for n in held if int(tree.parent[n]) not in held}
    outer = {a for a in around if not any(b != a and b[0] <= a[0] and a[1] <= b[1] for b in around)}
    return {"SL": outer, "SS": inside or {"nothing"}, "SST": leaves or {"nothing"}}


def test_the_sets_equal_those_of_the_slow_twin() -> None:
    made = synthetic(5, topics=12, documents=60)
    judged, found = made.assessments, by_name(made.assessments, made.documents)
    compared = 0
    for pair in np.flatnonzero(judged.is_relevant).tolist():
        topic, name = judged.topics[judged.topic[pair]], judged.documents[pair]
        expected = slow_parts(made.documents.trees[name], judged.relevant.to_lists()[pair])
        for set_name, parts in expected.items():
            got = [part for document, part in found[f"{set_name}R"][topic] if document == name]
            assert sorted(got, key=str) == sorted(parts, key=str)
            compared += 1
    assert compared > 100


# -- the four rankings

THREE: Ranges = {"q": {"b": [(0, 10)], "c": [(0, 10)], "a": [(0, 5)]}, "r": {"z": [(3, 4)]}}


def order(run: dict[str, Any], topic: str) -> list[str]:
    return [document for document, _ in run[topic]]


def test_rankings_go_by_relevant_text_then_by_name() -> None:
    found = by_name(assessed(THREE, {"q": ["n", "m"], "r": ["o"]}))
    assert order(found["SR"], "q") == ["b", "c", "a"]
    assert order(found["SRS"], "q") == ["c", "b", "a"]
    assert order(found["SRI"], "q") == ["m", "b", "c", "a"]
    assert order(found["SLDRSI"], "q") == ["m", "c", "b", "a"]
    assert found["SRI"]["q"][0] == ("m", "whole")


def test_with_one_relevant_document_there_is_nothing_to_exchange() -> None:
    made = simulated_runs(assessed(THREE, {"r": ["o"]}))
    found = {run.name: answers(run)["r"] for run in made.runs}
    assert found["SRS"] == found["SR"] == [("z", (3, 4))]
    assert found["SRSI"] == found["SRI"] == [("o", "whole"), ("z", (3, 4))]
    assert Note("same ranking", 1) in made.notes


def test_a_document_that_is_not_relevant_comes_from_wherever_there_is_one() -> None:
    judged = assessed(THREE)
    assert order(by_name(judged)["SRI"], "q")[0] == "z"
    assert order(by_name(judged, documents(c=ARTICLE, k=ARTICLE))["SRI"], "q")[0] == "k"
    alone = assessed({"q": {"b": [(0, 1)], INVENTED: [(0, 1)]}})
    assert order(by_name(alone)["SRI"], "q")[0] == f"{INVENTED}-"
    assert any("an invented one precedes it in RI" in str(n) for n in simulated_runs(alone).notes)


def test_topics_without_relevant_text_are_left_out() -> None:
    assert list(by_name(assessed(THREE, {"nothing": ["n"]}))["SR"]) == ["q", "r"]


def test_the_runs_and_their_orderings() -> None:
    made = synthetic(1, topics=3, documents=30)
    found = simulated_runs(made.assessments, made.documents)
    assert found.names[:5] == ("SR", "SRS", "SRI", "SRSI", "SLR")
    assert len(set(found.names)) == 20
    assert len(set(found.orderings)) == 36
    assert {name for pair in found.orderings for name in pair} == set(found.names)
    assert ("SSRI", "SSTRI") in found.orderings
    assert ("SLDRS", "SLDRSI") in found.orderings


@pytest.mark.parametrize("known", [None, documents(other=ARTICLE)])
def test_without_elements_there_are_passages_and_whole_documents(known: Any) -> None:
    found = simulated_runs(assessed(THREE), known)
    assert found.part_sets == ("S", "SLD")
    assert len(found.runs) == 8
    assert found.orderings == orderings(("S", "SLD"))
    assert len(found.orderings) == 12
    assert ("SRI", "SLDRI") in found.orderings
    assert "only S and SLD are built (12" in str(found.notes[0])


# -- what is missing


def test_no_relevant_text_at_all_is_refused() -> None:
    with pytest.raises(SpanwiseError, match="no topic has relevant text"):
        simulated_runs(assessed({}, {"q": ["n"]}))


def test_a_whole_document_of_unknown_length_is_refused_by_name() -> None:
    judgements = Judgements(Faults("qrels"))
    judgements.judge("q", "d", 1)
    with pytest.raises(NeedError, match="document d is relevant as a whole and its length"):
        simulated_runs(judgements.build())


def test_a_whole_document_of_known_length_is_one_passage() -> None:
    judgements = Judgements(Faults("qrels"))
    judgements.judge("q", "d", 1)
    judgements.add_document("d", 70)
    assert by_name(judgements.build())["SR"]["q"] == [("d", (0, 70))]


def test_judged_elements_without_text_are_refused() -> None:
    judgements = Judgements(Faults("qrels"))
    judgements.add_element("q", "d", "/a[1]", 2, 2)
    with pytest.raises(NeedError, match="which text of document d is relevant is not known"):
        simulated_runs(judgements.build())
