"""Assessments that tell the sizes of elements themselves score as the documents would."""

from __future__ import annotations

import random

import numpy as np
import pytest

from spanwise.data.elements import ROOT, Elements, Paths, Tree
from spanwise.data.judgements import Judgements
from spanwise.data.notes import Faults
from spanwise.data.run import Extent, Run
from spanwise.errors import NeedError
from spanwise.evaluation.evaluate import Evaluation
from spanwise.measures.grammar import Asked, parse_measure

GAINS = ("quant=spec", "quant=spec,alpha=0.5", "quant=spec,alpha=0", "quant=binary,ideal=longest")
LISTS = ("nxCG({})@3", "MAep({})", "Q({})", "ep({})@0.5")
MEASURES = [name.format(f"elements({gain})") for gain in GAINS for name in LISTS]


class Documents:
    """Trees in memory."""

    has_text, has_tokens, mean_length = False, False, 1.0

    def __init__(self, elements: Elements) -> None:
        self.elements, self.lengths = elements, {}


def random_tree(source: random.Random, paths: Paths) -> Tree:
    rows: list[tuple[int, int, int, int]] = []

    def grow(parent: int, path: int, start: int, size: int, depth: int) -> None:
        row, place, before = len(rows), start, {"a": 0, "b": 0}
        rows.append((path, parent, start, size))
        while depth < 4 and place < start + size and source.random() < 0.7:
            tag = source.choice("ab")
            before[tag] += 1
            place += source.randrange(0, 3)
            inside = source.randrange(0, max(start + size - place, 0) + 1)
            number = paths.add(path, tag, before[tag])
            grow(row, number, place, inside, depth + 1)
            place += inside

    grow(ROOT, paths.add(ROOT, "d", 1), 0, source.randrange(5, 60), 1)
    return Tree(*(np.array(column, np.int64) for column in zip(*rows, strict=True)))


def batch(source: random.Random) -> tuple[Documents, Judgements, Judgements, Run]:
    """The same topic twice: highlighted, and as a list of elements with their sizes."""
    paths = Paths()
    trees = {name: random_tree(source, paths) for name in "xyz"}
    highlighted, measured = Judgements(Faults("a")), Judgements(Faults("b"))
    for name, tree in trees.items():
        relevant = set[int]()
        for _ in range(source.randrange(0, 3)):
            start = source.randrange(int(tree.size[0]))
            end = min(start + source.randrange(1, 12), int(tree.size[0]))
            highlighted.add_range("q", name, start, end)
            relevant.update(range(start, end))
        for path, start, size in zip(tree.path, tree.start, tree.size, strict=True):
            held = len(relevant & set(range(start, start + size)))
            if held:
                measured.add_element("q", name, paths.text(path), 1, size=size, relevant_size=held)
    names = source.choices("xyz", k=12)
    chosen = [paths.text(source.choice(trees[name].path.tolist())) for name in names]
    run = Run.of("r", ["q"] * 12, names, extent=[Extent.ELEMENT] * 12, paths=chosen)
    return Documents(Elements(paths, trees.get)), highlighted, measured, run


def values(judgements: Judgements, run: Run, documents: Documents | None) -> list[float | None]:
    asked = tuple(Asked(name, parse_measure(name)) for name in MEASURES)
    return list(Evaluation(judgements.build(), asked, documents=documents).score([run], "r").means)


def test_sizes_in_the_assessments_serve_as_well_as_documents() -> None:
    source, compared = random.Random(3), 0
    for _ in range(300):
        documents, highlighted, measured, run = batch(source)
        if not highlighted.build().relevant_documents.any():
            continue
        assert values(measured, run, None) == pytest.approx(
            values(highlighted, run, documents), abs=1e-12
        )
        compared += 1
    assert compared > 200


@pytest.mark.parametrize("path", ["/d[1]", "/d[1]/p[1]/b[1]"])
def test_near_misses_need_places(path: str) -> None:
    judgements = Judgements(Faults("a"))
    judgements.add_element("q", "x", "/d[1]", 1, size=20, relevant_size=0)
    judgements.add_element("q", "x", "/d[1]/p[1]", 1, size=10, relevant_size=10)
    run = Run.of("r", ["q"], ["x"], extent=[Extent.ELEMENT], paths=[path])
    name = "nxCG(elements(quant=spec,near=ratio))@1"
    with pytest.raises(NeedError, match=r"near=ratio needs .* give collection=.* or elements="):
        Evaluation(judgements.build(), (Asked(name, parse_measure(name)),)).score([run], "r")


def test_grades_without_sizes_are_not_enough() -> None:
    judgements = Judgements(Faults("a"))
    judgements.add_element("q", "x", "/d[1]", 3, 3)
    run = Run.of("r", ["q"], ["x"], extent=[Extent.ELEMENT], paths=["/d[1]"])
    asked = (Asked("nxCG@1", parse_measure("nxCG@1")),)
    with pytest.raises(NeedError, match=r"give collection=.* or elements="):
        Evaluation(judgements.build(), asked).score([run], "r")
