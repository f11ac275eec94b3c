"""Numbers of the papers and of the definitions, through the code that is shipped."""

from __future__ import annotations

import json
import math
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from cases import (
    Batch,
    FakeDocuments,
    Judged,
    Row,
    Topic,
    Trees,
    assessments_of,
    documents_of,
    element_row,
    run_of,
    tree_of,
)
from oracles.slow_gains import expected_search_length, precall
from spanwise.data.chunking import Chunking
from spanwise.data.identifiers import Identifiers
from spanwise.data.run import Extent
from spanwise.evaluation.align import align
from spanwise.evaluation.evaluate import Evaluation
from spanwise.evaluation.policy import Notes, Policy
from spanwise.evaluation.views import rankings_of
from spanwise.measures.base import DocumentScore, EffortScore, GainScore, ListScore
from spanwise.measures.grammar import Asked, parse_measure
from spanwise.measures.lists.inex_eval import POINTS, precisions
from spanwise.measures.views.gains import Gains, Quantised
from spanwise.measures.views.pages import Pages
from spanwise.measures.views.ranked_answers import RankedAnswers
from spanwise.measures.views.reading import Reading
from spanwise.measures.views.recall_base import recall_base
from spanwise.measures.views.running_precision import average_precision
from spanwise.records import replace
from spanwise.statistics.correlation import kendall

Worked = dict[str, Any]
KINDS = {
    "document_scores": 4,
    "reading_segments": 2,
    "page_scores": 6,
    "answers": 5,
    "bep": 2,
    "efforts": 1,
    "first_relevant_position": 1,
    "overlap": 1,
    "gains": 24,
    "ideal_base": 1,
    "elements": 5,
    "overlap_value": 1,
    "quantised_list": 1,
    "tied_groups": 1,
    "kendall": 1,
    "genomics": 1,
    "chroma": 1,
    "chroma_omega": 1,
    "legalbench": 3,
    "bioasq": 1,
}
CASES = [
    case
    for case in json.loads((Path(__file__).parent / "papers.json").read_text("utf-8"))["cases"]
    if case["kind"] in KINDS
]


def test_all_cases_are_used() -> None:
    found = [case["kind"] for case in CASES]
    assert {kind: found.count(kind) for kind in KINDS} == KINDS


def worked(kind: str) -> Any:
    mine = [pytest.param(case, id=case["id"]) for case in CASES if case["kind"] == kind]
    return pytest.mark.parametrize("case", mine)


def values(batch: Batch, measures: list[ListScore], mean_length: float | None = None) -> np.ndarray:
    """The scores of each measure (a row) and topic (a column)."""
    asked = tuple(Asked(str(number), measure) for number, measure in enumerate(measures))
    documents = documents_of(batch) if batch.texts else None
    if mean_length is not None:
        documents = OfMeanLength(batch.texts, mean=mean_length)
    return (
        Evaluation(assessments_of(batch), asked, documents=documents)
        .score([run_of(batch)], "x")
        .values
    )


@dataclass
class OfMeanLength(FakeDocuments):
    """Documents whose collection has more of them than are here."""

    mean: float = 0.0

    @property
    def mean_length(self) -> float:
        return self.mean


def value(batch: Batch, name: str) -> float:
    return float(values(batch, [parse_measure(name)])[0, 0])


def check(case: Worked, found: dict[str, float]) -> None:
    """Every expected number within the tolerance of the case."""
    assert found.keys() == case["expected"].keys()
    for name, expected in case["expected"].items():
        assert found[name] == pytest.approx(expected, rel=0, abs=case["tolerance"]), name


def decimals(printed: float) -> int:
    """Digits after the point, as printed."""
    return len(str(printed).partition(".")[2])


def spans(pairs: list[list[int]]) -> list[tuple[int, int, int]]:
    return [(start, end, 1) for start, end in pairs]


def page(relevant: list[list[int]], returned: list[list[int]], length: int) -> Batch:
    """One topic with one document."""
    rows = [Row("d", start, end) for start, end in returned] or [Row("d", extent=Extent.NOTHING)]
    return Batch({"d": "x" * length}, {"q": Topic(rows, {"d": Judged(spans(relevant))})})


@worked("document_scores")
def test_document_scores(case: Worked) -> None:
    given = case["input"]
    batch = page(given["relevant"], given["returned"], given["length"])
    check(case, {name: value(batch, f"gP({name})@1") for name in case["expected"]})
    check(case, {name: value(batch, f"AgP({name})") for name in case["expected"]})
    for name, printed in case.get("printed", {}).items():
        assert round(value(batch, f"gP({name})@1"), decimals(printed)) == printed


@worked("reading_segments")
def test_reading_segments(case: Worked) -> None:
    segments = [(length, relevant) for length, relevant in case["input"]["segments"]]
    relevant = sum(length for length, relevant in segments if relevant)
    reading = Reading.of_segments([segments])
    (found,) = average_precision(reading, np.array([relevant])).tolist()
    check(case, {"aveChP": found})


@worked("reading_segments")
def test_reading_segments_of_a_document(case: Worked) -> None:
    """The same text as a document that is read from beginning to end."""
    relevant, place = [], 0
    for length, is_relevant in case["input"]["segments"]:
        relevant += [[place, place + length]] * is_relevant
        place += length
    batch = page(relevant, [], place)
    check(case, {"aveChP": value(batch, "gP(aveChP)@1")})


@dataclass(frozen=True)
class GivenScores(DocumentScore):
    """Scores that are known beforehand, one for each relevant page."""

    scores: tuple[float, ...] = ()

    def score(self, pages: Pages) -> np.ndarray:
        return np.array(self.scores)


@dataclass(frozen=True)
class GivenEfforts(EffortScore):
    """Efforts that are known beforehand, one for each relevant page."""

    nr: int = 5
    efforts: tuple[float, ...] = ()

    def score(self, pages: Pages) -> np.ndarray:
        return np.array(self.efforts)


def listed(relevant: list[bool], sizes: list[int], documents: int, text: int) -> Batch:
    """Pages in order; what was not retrieved of the topic's text is in further documents."""
    names = [f"d{number}" for number in range(len(relevant))]
    judged = {
        name: Judged([(0, size, 1)])
        for name, is_relevant, size in zip(names, relevant, sizes, strict=True)
        if is_relevant
    }
    missing, rest = documents - len(judged), text - sum(sizes)
    for number in range(missing):
        size = rest // missing + (rest % missing if number == 0 else 0)
        judged[f"missing{number}"] = Judged([(0, size, 1)])
    return Batch(
        {},
        {"q": Topic([Row(name, extent=Extent.NOTHING) for name in names], judged)},
        lengths_judged=False,
    )


def standing_on(name: str, item: DocumentScore | EffortScore | GainScore) -> ListScore:
    measure = parse_measure(name)
    return replace(measure, item=item) if hasattr(measure, "item") else measure  # type: ignore[call-arg]


@worked("page_scores")
def test_page_scores(case: Worked) -> None:
    given = case["input"]
    relevant = [bool(found) for found in given["relevant"]]
    item = GivenScores(
        tuple(s for s, found in zip(given["scores"], relevant, strict=True) if found)
    )
    batch = listed(
        relevant, given["relevant_size"], given["relevant_documents"], given["relevant_text"]
    )
    measures = [standing_on(name, item) for name in case["expected"]]
    check(case, dict(zip(case["expected"], values(batch, measures)[:, 0].tolist(), strict=True)))


def test_one_bad_document_on_top_in_closed_form() -> None:
    for count in (1, 2, 5, 10, 24, 300):
        batch = listed([False, *[True] * count], [0, *[10] * count], count, 10 * count)
        harmonic = math.fsum(1 / n for n in range(1, count + 2))
        measure = standing_on("AgP", GivenScores((1.0,) * count))
        found = values(batch, [measure])[0, 0]
        assert found == pytest.approx(1 - (harmonic - 1) / count, abs=1e-12)


@worked("efforts")
def test_efforts(case: Worked) -> None:
    given = case["input"]
    relevant = [effort < given["nr"] for effort in given["efforts"]]
    item = GivenEfforts(given["nr"], tuple(e for e in given["efforts"] if e < given["nr"]))
    batch = listed(relevant, [10 * found for found in relevant], given["relevant_documents"], 100)
    measures = [standing_on(name, item) for name in case["expected"]]
    found = dict(zip(case["expected"], values(batch, measures)[:, 0].tolist(), strict=True))
    check(case, found)
    for name, printed in case["printed"].items():
        curve = [found[f"{name}@{rank}"] for rank in range(1, len(printed) + 1)]
        assert [round(v, decimals(p)) for v, p in zip(curve, printed, strict=True)] == printed


@worked("answers")
def test_answers(case: Worked) -> None:
    documents = case["input"]["documents"]
    answers = case["input"]["answers"]
    texts = {name: "x" * 1000 for name, _, _ in answers}
    for name, found in documents.items():
        texts[name] = found.get("text", "x" * found["length"])
    judged = {name: Judged(spans(found["relevant"])) for name, found in documents.items()}
    batch = Batch(texts, {"q": Topic([Row(*answer) for answer in answers], judged)})
    for name, expected in case["expected"].items():
        found = found_gains(batch, name) if name.startswith("gains(") else value(batch, name)
        assert found == pytest.approx(expected, rel=0, abs=case["tolerance"]), name


@worked("bep")
def test_best_entry_points(case: Worked) -> None:
    distances, mean_length = case["input"]["distances"], case["input"].get("mean_document_length")
    topics = {
        f"q{number}": Topic(
            [Row("d", distance, distance + 1)], {"d": Judged([(9000, 9001, 1)], points=[0])}
        )
        for number, distance in enumerate(distances)
    }
    batch = Batch({"d": "x" * 10_000}, topics)
    for name, expected in case["expected"].items():
        found = values(batch, [parse_measure(f"gP({name})@1")], mean_length)[0]
        assert found.tolist() == pytest.approx(expected, rel=0, abs=case["tolerance"]), name


@worked("first_relevant_position")
def test_first_relevant_position(case: Worked) -> None:
    for name, expected in case["expected"].items():
        found = [
            value(page([[position - 1, position]], [], position), f"CE({name})@1") + 1
            for position in case["input"]["positions"]
        ]
        assert found == expected, name


@worked("overlap")
def test_overlap_of_elements(case: Worked) -> None:
    """Elements as the ranges of the leaves that they hold."""
    paths = case["input"]["run"]
    leaves = [path for path in paths if not any(other.startswith(path + "/") for other in paths)]
    returned = []
    for path in paths:
        held = [n for n, leaf in enumerate(leaves) if f"{leaf}/".startswith(f"{path}/")]
        returned.append([min(held), max(held) + 1])
    check(case, {"overlap": value(page([[0, 1]], returned, len(leaves)), "overlap")})


# Gains


def vectors(batch: Batch, item: str) -> Gains:
    """What the answers to the only topic gain."""
    assessments = assessments_of(batch).with_lengths(batch.lengths)
    rankings = rankings_of(
        align(run_of(batch), assessments, Policy(), Notes(), documents_of(batch))
    )
    return rankings.gains(parse_measure(f"nxCG({item})@1").item)  # type: ignore[attr-defined]


def found_gains(batch: Batch, name: str) -> list[float]:
    return vectors(batch, name.removeprefix("gains(").removesuffix(")")).gain.tolist()


@dataclass(frozen=True)
class GivenGains(GainScore):
    """Gains that are known beforehand."""

    gained: tuple[float, ...] = ()
    ideal: tuple[float, ...] = ()

    def gains(self, answers: RankedAnswers) -> Gains:
        ends = np.array([0, len(self.ideal)])
        return Gains(
            answers.offsets, np.array(self.gained, float), ends, np.array(self.ideal, float)
        )


def gain_batch(gains: list[float], ideal: list[float]) -> tuple[Batch, GivenGains]:
    rows = [Row("d", extent=Extent.NOTHING) for _ in gains]
    batch = Batch({}, {"q": Topic(rows, {"d": Judged([(0, 1, 1)])})}, lengths_judged=False)
    return batch, GivenGains(tuple(gains), tuple(ideal))


@worked("gains")
def test_gains(case: Worked) -> None:
    given = case["input"]
    batch, item = gain_batch(given["gains"], [gain for gain in given["ideal"] if gain])
    measures = [standing_on(name, item) for name in case["expected"]]
    check(case, dict(zip(case["expected"], values(batch, measures)[:, 0].tolist(), strict=True)))


def written_out(path: str) -> str:
    """Every step with its position."""
    return re.sub(r"/([^/\[]+)(?=/|$)", r"/\1[1]", path)


def graded(given: Worked, more: dict[str, tuple[int, int]] | None = None) -> Batch:
    """One document with graded elements, and a run of elements.

    ``more`` are further elements, without text.
    """
    sizes = {written_out(element["path"]): element["size"] for element in given["elements"]}
    grades = {
        written_out(element["path"]): (element["exhaustivity"], element["specificity"])
        for element in given["elements"]
    }
    root = tree_of(sizes | dict.fromkeys(more or {}, 0))
    trees = Trees({"d": root})
    rows = [
        element_row("d", path, trees.named("d")[path])
        for path in map(written_out, given.get("run", []))
    ]
    topic = Topic(rows, {"d": Judged(elements=grades | (more or {}))})
    return Batch({"d": "x" * root.end}, {"q": topic}, trees=trees)


@worked("elements")
def test_elements(case: Worked) -> None:
    batch, item = graded(case["input"]), case["input"]["item"]
    found: dict[str, Any] = {}
    gains = vectors(batch, item)
    for name in case["expected"]:
        over = f"({item})@".join(name.split("@")) if "@" in name else f"{name}({item})"
        if name in ("gains", "ideal"):
            found[name] = getattr(gains, name.removesuffix("s")).tolist()
        else:
            found[name] = value(batch, over)
            assert value(batch, name) == found[name], "it is the default"
    check(case, found)
    for name, printed in case.get("printed", {}).items():
        assert round(found[name], decimals(printed)) == printed, name


@worked("ideal_base")
def test_ideal_base(case: Worked) -> None:
    batch = graded(case["input"])
    paths = list(batch.trees.named("d"))
    for quant, expected in case["expected"].items():
        base = recall_base(assessments_of(batch), batch.trees.elements, quant, "shortest")
        (document,) = base.documents.values()
        ideal = sorted(document.ideal, key=lambda element: -document.value[element])
        assert [paths[element] for element in ideal] == expected, quant


@worked("overlap_value")
def test_overlap_value(case: Worked) -> None:
    """An ideal element without text has credit for the section, but adds nothing to its value."""
    batch = graded(case["input"], more={"/s[1]/note[1]": (3, 3)})
    for alpha, expected in case["expected"].items():
        found = vectors(batch, f"elements(quant={case['input']['quant']},{alpha})").gain
        assert found == pytest.approx(expected, rel=0, abs=case["tolerance"]), alpha


@worked("quantised_list")
def test_quantised_list(case: Worked) -> None:
    given = case["input"]
    ends = np.array([0, len(given["values"])])
    quantised = Quantised(ends, np.array(given["values"]), np.array([given["recall_base"]]))
    points = [name for name in case["expected"] if name != "inex_eval"]
    (found,) = precisions(quantised, tuple(float(name[2:-1]) for name in points)).tolist()
    mean = float(precisions(quantised, POINTS).mean())
    check(case, {**dict(zip(points, found, strict=True)), "inex_eval": mean})


@worked("tied_groups")
def test_tied_groups(case: Worked) -> None:
    groups = [(good, bad) for good, bad in case["input"]["groups"]]
    relevant = range(1, sum(good for good, _ in groups) + 1)
    found = {
        "esl": [expected_search_length(groups, number) for number in relevant],
        "precall": [precall(groups, number) for number in relevant],
    }
    for name, expected in case["expected"].items():
        assert found[name] == pytest.approx(expected, rel=0, abs=case["tolerance"])


@worked("kendall")
def test_kendall(case: Worked) -> None:
    """Two orders of the same runs; the first of an order has the highest value."""
    orders = [case["input"][name] for name in ("order_a", "order_b")]
    a, b = (np.array([-order.index(run) for run in sorted(order)], float) for order in orders)
    found = kendall(a, b)
    assert found is not None
    check(case, {"tau": found})
    assert round(found, decimals(case["printed"])) == case["printed"]


# Measures of other tools


@worked("genomics")
def test_genomics(case: Worked) -> None:
    gold, answers = case["input"]["gold"], case["input"]["answers"]
    judged = {name: Judged(spans(ranges)) for name, ranges in gold.items()}
    batch = Batch({}, {"q": Topic([Row(*answer) for answer in answers], judged)})
    check(case, {name: value(batch, name) for name in case["expected"]})


@worked("chroma")
def test_chroma(case: Worked) -> None:
    batch = page(case["input"]["excerpts"], case["input"]["chunks"], 400)
    check(case, {name: value(batch, name) for name in case["expected"]})


@worked("chroma_omega")
def test_chroma_omega(case: Worked) -> None:
    given = case["input"]
    start, end = np.array(given["all_chunks"]).T
    chunking = Chunking(Identifiers.of(["d"] * len(start)), start, end)
    batch = page(given["excerpts"], [[0, 1]], 400)
    names = {"chroma.omega": "chroma.omega", "strict_overlap_would_be": "(touching=strict)"}
    found = {}
    for name, rule in names.items():
        measure = parse_measure("chroma.omega" + rule.removeprefix("chroma.omega"))
        asked = (Asked(name, measure),)
        evaluation = Evaluation(assessments_of(batch), asked, chunking=chunking)
        found[name] = float(evaluation.score([run_of(batch)], "x").values[0, 0])
    check(case, found)


@worked("legalbench")
def test_legalbench(case: Worked) -> None:
    batch = page(case["input"]["gold"], case["input"]["returned"], 400)
    check(case, {name: value(batch, name) for name in case["expected"]})


@worked("bioasq")
def test_bioasq(case: Worked) -> None:
    """Ends are inclusive there."""
    given = case["input"]
    gold, returned = (
        [[start, end + 1] for start, end in given[name]]
        for name in ("gold_inclusive", "returned_inclusive")
    )
    batch = page(gold, returned, 400)
    check(case, {name: value(batch, name) for name in case["expected"]})


# Numbers that stand in the text of the definitions only


@pytest.mark.parametrize(
    ("gains", "name", "expected"),
    [
        ([0.5, 1], "ep(rule=linear)@0.4", 0.5455),
        ([0.9, 0.1, 0, 0.5, 0, 0], "MAep(divisor=ideal)", 0.95),
        ([0.9, 0.1, 0, 0.5, 0, 0], "Q(divisor=ideal)", 1.3127),
    ],
)
def test_the_rules_that_do_not_reproduce_the_table(
    gains: list[float], name: str, expected: float
) -> None:
    batch, item = gain_batch(gains, [1, 0.5])
    found = values(batch, [standing_on(name, item)])[0, 0]
    assert found == pytest.approx(expected, rel=0, abs=5e-5)


LEAVES = next(case for case in CASES if case["id"] == "xcg-table2-rel_leaves")["input"]


@pytest.mark.parametrize(
    ("divisor", "whole", "cut"),
    [
        ("retrieved", (0.6333, 0.8751), (0.467, 0.602)),
        ("larger", (0.6333, 0.8751), (0.7, 0.904)),
        ("ideal", (0.95, 1.3127), (0.7, 0.904)),
    ],
)
def test_a_list_cut_short_by_each_divisor(
    divisor: str, whole: tuple[float, float], cut: tuple[float, float]
) -> None:
    """After rank 2 of rel_leaves one of the two ideal elements has not been drawn from."""
    names = [f"{name}(divisor={divisor})" for name in ("MAep", "Q")]
    for run, expected in ((LEAVES["run"], whole), (LEAVES["run"][:2], cut)):
        batch = graded(LEAVES | {"run": run})
        found = [value(batch, name) for name in names]
        assert found == pytest.approx(expected, rel=0, abs=5e-4)
        if divisor == "retrieved":
            assert [value(batch, name) for name in ("MAep", "Q")] == found, "it is the default"


@pytest.mark.parametrize(
    ("returned", "name", "expected"),
    [
        ([[23, 45]], "aveChP(passage_penalty=10)", 0.325585),
        ([[23, 45]], "T2Iprec(tolerance=10)", 0.285714),
        ([[0, 27]], "T2Iprec(tolerance=10)", 27 / 37),
        ([[0, 27]], "T2Iprec(tolerance=300)", 27 / 55),
        ([[32, 55]], "aveChP", 1 - 23 / 27 * sum(1 / n for n in range(24, 51))),
        ([[23, 45]], "aveChP", (27 - 18 * sum(1 / n for n in range(23, 46))) / 27),
    ],
)
def test_the_mini_document(returned: list[list[int]], name: str, expected: float) -> None:
    found = value(page([[0, 27]], returned, 55), f"gP({name})@1")
    assert found == pytest.approx(expected, rel=0, abs=5e-7)


def test_the_text_of_the_mini_document() -> None:
    texts = {case["input"]["text"] for case in CASES if case["kind"] == "document_scores"}
    (text,) = texts
    assert len(text) == 55
    assert re.search("relevant content is in bold", text).span() == (0, 27)  # type: ignore[union-attr]
