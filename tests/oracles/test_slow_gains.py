"""The slow twin of the gains, against the papers' numbers and cases worked by hand."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from oracles.slow import Answer, Case, NothingToGainError, gained, score
from oracles.slow_gains import (
    Assessed,
    Gained,
    Node,
    Reader,
    Returned,
    element_of,
    ideal_elements,
    lines,
    mean_precall,
    path_of,
    precision_at,
    valued,
)
from oracles.slow_lists import value_of
from oracles.twins import BadNameError, Name, parse_item, parse_list

PAPERS = Path(__file__).parent.parent / "papers" / "papers.json"
Worked = dict[str, Any]


def worked(kind: str, only: str = "") -> Any:
    cases = json.loads(PAPERS.read_text(encoding="utf-8"))["cases"]
    mine = [case for case in cases if case["kind"] == kind and case["id"].startswith(only)]
    return pytest.mark.parametrize("case", [pytest.param(case, id=case["id"]) for case in mine])


def tree(elements: list[Worked]) -> Node:
    """Children one after the other; siblings that positions ask for are there without text."""
    nodes: dict[str, Node] = {}
    for element in elements:
        path = steps(element["path"])
        above, _, step = path.rpartition("/")
        tag, position = re.fullmatch(r"(\w+)\[(\d+)\]", step).groups()  # type: ignore[union-attr]
        parent = nodes.get(above, Node("", 0, 0))
        start = parent.children[-1].end if parent.children else parent.start
        while len([one for one in parent.children if one.tag == tag]) < int(position) - 1:
            parent.children.append(Node(tag, start, start))
        nodes[path] = Node(tag, start, start + element["size"])
        parent.children.append(nodes[path])
    return nodes[steps(elements[0]["path"])]


def steps(path: str) -> str:
    return "".join(f"/{s}" if "[" in s else f"/{s}[1]" for s in path.strip("/").split("/"))


def assessed(given: Worked) -> Assessed:
    grades = {steps(e["path"]): (e["exhaustivity"], e["specificity"]) for e in given["elements"]}
    return Assessed({"d": tree(given["elements"])}, {"d": grades}, {})


def measure(name: str, item: str = "passages") -> Name:
    """The measure of a name that leaves out its item."""
    word, at, cutoff = name.partition("@")
    return parse_list(f"{word}({item}){at}{cutoff}")


# Numbers of papers.json


@worked("gains")
def test_gains(case: Worked) -> None:
    gains, ideal = (list(map(float, case["input"][name])) for name in ("gains", "ideal"))
    ideal = [gain for gain in ideal if gain]
    for name, expected in case["expected"].items():
        found = value_of(measure(name), Gained(gains, ideal))
        assert found == pytest.approx(expected, abs=case["tolerance"]), name


@worked("elements")
def test_elements(case: Worked) -> None:
    given = case["input"]
    topic = assessed(given)
    answers = [Answer("d", path=steps(path)) for path in given["run"]]
    whole = Case(answers, {}, trees=topic.trees, element_grades=topic.grades)
    gains = gained(whole, parse_item(given["item"]))
    for name, expected in case["expected"].items():
        if name in ("gains", "ideal"):
            found: Any = getattr(gains, name)
        else:
            found = value_of(measure(name), gains)
        assert found == pytest.approx(expected, abs=case["tolerance"]), name


@worked("ideal_base")
def test_ideal_base(case: Worked) -> None:
    topic = assessed(case["input"])
    paths = {line[-1]: path_of(line) for line in lines(topic.trees["d"])}
    for quant, expected in case["expected"].items():
        document = valued(topic, quant)["d"]
        found = ideal_elements(document, "shortest")
        found.sort(key=lambda node: -document.values[node])
        assert [paths[node] for node in found] == expected


@worked("overlap_value")
def test_overlap_value(case: Worked) -> None:
    given = case["input"]
    topic = assessed(given)
    document = valued(topic, given["quant"])["d"]
    for alpha, expected in case["expected"].items():
        reader = Reader(document, float(alpha.removeprefix("alpha=")), [], "none")
        found = []
        for path in given["run"]:
            node = element_of(Returned("d", path=steps(path)), topic.trees)
            assert node is not None
            found.append(reader.value_left(node))
            reader.returned.append(node)
        assert found == pytest.approx(expected, abs=case["tolerance"]), alpha


@worked("answers", only="flat-passages")
def test_flat_passages(case: Worked) -> None:
    documents = case["input"]["documents"]
    relevant = {name: [(a, b) for a, b in found["relevant"]] for name, found in documents.items()}
    topic = Case([Answer(*answer) for answer in case["input"]["answers"]], relevant)
    for name, expected in case["expected"].items():
        if name.startswith("gains"):
            found: Any = gained(topic, parse_item("passages(alpha=1)")).gains
        else:
            found = score(name, topic)
        assert found == pytest.approx(expected, abs=case["tolerance"]), name


@worked("quantised_list")
def test_quantised_list(case: Worked) -> None:
    values, total = case["input"]["values"], case["input"]["recall_base"]
    for name, expected in case["expected"].items():
        if name == "inex_eval":
            found = mean_precall(values, total)
        else:
            found = precision_at(values, total, name[2:-1])
        assert found == pytest.approx(expected, abs=case["tolerance"]), name


# By hand


def small() -> Node:
    """/a holds /a/b of 40 characters with two parts, an empty /a/c and, after a gap, /a/d."""
    parts = [Node("p", 0, 10), Node("p", 10, 40)]
    return Node("a", 0, 100, [Node("b", 0, 40, parts), Node("c", 40, 40), Node("d", 60, 90)])


def found_of(run: list[Any], item: str, relevant: list[tuple[int, int]]) -> Gained:
    """The gains of a run of paths, ranges and whole documents."""
    answers = [
        Answer("d", path=one) if isinstance(one, str) else Answer("d", *(one or ())) for one in run
    ]
    topic = Case(answers, {"d": relevant}, lengths={"d": 100}, trees={"d": small()})
    return gained(topic, parse_item(item))


B, P1, P2, D = "/a[1]/b[1]", "/a[1]/b[1]/p[1]", "/a[1]/b[1]/p[2]", "/a[1]/d[1]"


@pytest.mark.parametrize(
    ("run", "item", "expected"),
    [
        # Only p[1] is relevant, and is ideal: b is worth a quarter, a a tenth.
        ([P1, B], "elements(quant=spec)", [1, 0]),
        ([B, P1], "elements(quant=spec)", [0.25, 0]),
        ([B, P1], "elements(quant=spec,alpha=0.5)", [0.25, 0.5]),
        ([B, B, P1], "elements(quant=spec,alpha=0.5)", [0.25, 0.125, 0.5]),
        ([P2, B], "elements(quant=spec)", [0, 0.25]),
        ([P1, B, B, P1], "elements(quant=spec,alpha=0)", [1, 0.25, 0, 0]),
        ([P1, B, B, None], "elements(quant=binary,alpha=0)", [1, 1, 0, 1]),
        # A range is the element with exactly these characters; the whole document is the root.
        ([(0, 10), (0, 11), None], "elements(quant=spec,alpha=0)", [1, 0, 0.1]),
        # Near misses: p[2] touches p[1], d is 50 characters away from it.
        ([P2], "elements(quant=spec,near=ratio)", [0]),
        ([P2, D], "elements(quant=spec,near=distance(reach=100))", [0.5, 0.25]),
        ([D, D, D], "elements(quant=spec,near=distance(reach=100))", [0.25, 0, 0]),
        (
            [D, D, D],
            "elements(quant=spec,alpha=0.5,near=distance(reach=100))",
            [0.25, 0.125, 0.125],
        ),
        (
            [D, D, P1, P1],
            "elements(quant=spec,alpha=0,near=distance(reach=100))",
            [0.25, 0, 0.75, 0],
        ),
        ([P2, D, P1], "elements(quant=spec,near=distance(reach=100))", [0.5, 0.25, 0.25]),
        ([D], "elements(quant=spec,near=distance(reach=50))", [0]),
        # Passages.
        ([(0, 10), (0, 10)], "passages", [1, 0]),
        ([(5, 15), (0, 10)], "passages", [0.5, 0.5]),
        ([(5, 15), (0, 10)], "passages(alpha=0.5)", [0.5, 0.5]),
        ([(5, 10), (0, 10)], "passages(alpha=0)", [0.5, 0.5]),
        ([None, (0, 10)], "passages(alpha=0.25)", [0.1, 0]),
    ],
)
def test_by_hand(run: list[Any], item: str, expected: list[float]) -> None:
    assert found_of(run, item, [(0, 10)]).gains == pytest.approx(expected, abs=1e-6)


@pytest.mark.parametrize(
    ("run", "item", "expected"),
    [
        # p[1] and d are ideal; b is worth a quarter, a two fifths.
        ([], "elements(quant=spec)", 2),
        ([P1], "elements(quant=spec)", 1),
        ([B, P1], "elements(quant=spec)", 1),
        ([P2], "elements(quant=spec)", 2),
        # Around both, what is gained is taken from the first of two equal credits.
        (["/a[1]"], "elements(quant=spec)", 1),
        (["/a[1]", D], "elements(quant=spec,alpha=0.5)", 0),
        # The full recall-base has four elements: a, b, p[1], d.
        (["/a[1]", "/a[1]"], "elements(quant=spec,alpha=0)", 3),
        ([P2, P1], "elements(quant=spec,alpha=0,near=distance(reach=100))", 3),
        ([P2], "elements(quant=spec,near=distance(reach=100))", 1),
        ([(9, 11)], "passages", 1),
        ([(9, 11), (0, 10), (10, 60)], "passages(alpha=0.5)", 1),
        ([None], "passages", 0),
    ],
)
def test_units_that_nothing_was_drawn_from(run: list[Any], item: str, expected: int) -> None:
    assert found_of(run, item, [(0, 10), (60, 90)]).undrawn == expected


def test_ratio_is_the_common_text_of_both() -> None:
    """Graded, the element around the ideal one may be worth nothing, and still be near."""
    grades = {"d": {P1: (3, 3)}}
    answers = [Answer("d", path=B), Answer("d"), Answer("d", path=P1)]
    topic = Case(answers, {}, trees={"d": small()}, element_grades=grades)
    found = gained(topic, parse_item("elements(quant=sog,near=ratio)"))
    assert found.gains == pytest.approx([0.25, 0.1, 0])
    assert found.ideal == [1]


def test_shortest_and_longest() -> None:
    """One path has its best at p[1], the other one at b: they are nested."""
    grades = {"d": {B: (3, 2), P1: (2, 3), P2: (1, 1)}}
    for filtering, expected in (("shortest", [0.75]), ("longest", [0.9])):
        topic = Case([], {}, trees={"d": small()}, element_grades=grades)
        item = parse_item(f"elements(quant=sog,ideal={filtering})")
        assert gained(topic, item) == Gained([], expected, 1)
    full = gained(topic, parse_item("elements(quant=sog,alpha=0)")).ideal
    assert full == [0.9, 0.75, 0.1]


def test_credit_is_taken_from_the_largest() -> None:
    grades = {"d": {"/a[1]": (3, 2), B: (3, 3), D: (2, 3)}}
    run = ["/a[1]", D, B]
    answers = [Answer("d", path=path) for path in run]
    topic = Case(answers, {}, trees={"d": small()}, element_grades=grades)
    # The root takes 0.75 of the credit of b; seen after it, both are worth half.
    gains = gained(topic, parse_item("elements(quant=sog,alpha=0.5)")).gains
    assert gains == pytest.approx([0.75, 0.45, 0.25])


def test_nothing_to_gain_is_undefined() -> None:
    grades = {"d": {B: (2, 3)}}
    topic = Case([Answer("d", 0, 100)], {}, trees={"d": small()}, element_grades=grades)
    assert score("nxCG(elements(quant=sog))@1", topic) == 0
    for name in ("nxCG(elements(quant=strict))@1", "inex_eval", "Q(passages)"):
        with pytest.raises(NothingToGainError):
            score(name, topic)


@pytest.mark.parametrize(
    "name", ["nxCG@3", "nxCG(F)@3", "AgP(passages)", "ep(passages)", "Q(elements(quant=nice))"]
)
def test_names_that_the_twin_does_not_take(name: str) -> None:
    with pytest.raises(BadNameError):
        parse_list(name)
