"""Every figure that the official INEX 2010 evaluator printed, as the same double."""

from __future__ import annotations

import gzip
import json
import math
import re
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from spanwise.compat.inex_eval.evaluator import OfficialEvaluation
from spanwise.compat.inex_eval.files import read_official_assessments, read_official_runs
from spanwise.data.notes import Faults
from spanwise.errors import PolicyError
from spanwise.evaluation.scores import ALL, RunScores
from spanwise.formats.source import Source
from spanwise.measures.grammar import Asked, parse_measure

HERE = Path(__file__).parent
COMPARABLE = 58_698
"""How many values both packs hold, undefined ones left aside."""
EVALUATIONS, REFUSED = 83 + 576, 13

ITEMS = {"-r": "F(beta={})", "-b": "BEP(n={})", "-i": "T2Iprec(tolerance={})"}
DEFAULTS = {"-r": ("-beta", "0.25"), "-b": ("-n", "500"), "-i": ("-irr", "300")}
TEXT_FIGURES = {
    "AiP": "AiP",
    "MAiP": "AiP",
    "char_prec": "textP",
    "char_rec": "textR",
    "char_f1": "textF",
}
SKIPPED = re.compile(r"num_.*|.*_size|art_.*")
Evaluated = dict[str, Any]


def packed() -> list[Evaluated]:
    """The evaluations of both packs, each with its files."""
    hand: list[Evaluated] = json.loads((HERE / "inex_eval_hand.json").read_text(encoding="utf-8"))
    with gzip.open(HERE / "inex_eval_random_a.json.gz", "rt", encoding="utf-8") as stream:
        pack = json.load(stream)
    random = [
        {**one, "qrels": pack["qrels"][one["group"]], "run": pack["runs"][one["run_file"]]}
        for one in pack["evaluations"]
    ]
    return hand + random


PACKED = packed()


def named(evaluations: list[Evaluated]) -> list[Any]:
    return [
        pytest.param(one, id=f"{one['case']} {one['run_file']} {''.join(one['options'])}")
        for one in evaluations
    ]


def mode_of(evaluation: Evaluated) -> str:
    (mode,) = {"-f", "-t", "-r", "-b", "-i"} & set(evaluation["options"])
    return mode


def item_of(evaluation: Evaluated) -> str:
    """The document score of an evaluation in one of the modes for document lists."""
    options, mode = evaluation["options"], mode_of(evaluation)
    option, value = DEFAULTS[mode]
    if option in options:
        value = options[options.index(option) + 1]
    return ITEMS[mode].format(value)


def measure_of(figure: str, evaluation: Evaluated) -> str | None:
    """The measure behind a printed name; None for counts and document sets."""
    if SKIPPED.fullmatch(figure):
        return None
    name, cutoff = (re.findall(r"^\w+?(?=\[|\.|$)|[\d.]+(?=\]?$)", figure) + [""])[:2]
    cutoff = cutoff.lstrip(".") if name == "ircl_prn" else cutoff
    if mode_of(evaluation) in ("-f", "-t"):
        return TEXT_FIGURES.get(name) or f"iP@{cutoff}"
    item = item_of(evaluation)
    lists = {
        "gP": f"gP({item})@{cutoff}",
        "gR": f"gR@{cutoff}",
        "ircl_prn": f"igP({item})@{cutoff}",
    }
    return lists.get(name, f"AgP({item})")


def figures(evaluation: Evaluated) -> list[tuple[str, str, str]]:
    """(measure, topic, what was printed) for everything that has a measure."""
    return [
        (measure, topic, text)
        for figure, row in evaluation["printed"].items()
        if (measure := measure_of(figure, evaluation)) is not None
        for topic, text in row.items()
    ]


def compared(evaluation: Evaluated) -> list[tuple[str, str, str]]:
    """The figures that are numbers."""
    if "error" in evaluation["printed"]:
        return []
    return [one for one in figures(evaluation) if one[2] != "NaN"]


def scored(evaluation: Evaluated, measures: list[str]) -> RunScores:
    qrels, run = evaluation["qrels"].encode(), evaluation["run"].encode()
    assessments = read_official_assessments(Source("qrels", qrels), Faults("qrels"))
    (found,) = read_official_runs(Source("run", run), Faults("run"))
    return OfficialEvaluation(
        assessments,
        tuple(parsed(name) for name in measures),
        overlap="union" if mode_of(evaluation) == "-t" else "error",
        missing="zero" if "-c" in evaluation["options"] else "skip",
    ).score(found)


@cache
def parsed(name: str) -> Asked:
    return Asked(name, parse_measure(name))


def rows_of(scores: RunScores, measures: list[str]) -> dict[tuple[str, str], float]:
    """What spanwise prints: no row for what is undefined."""
    rows: dict[tuple[str, str], float] = {}
    for name, values, mean in zip(measures, scores.values.tolist(), scores.means, strict=True):
        pairs = zip(scores.topics, values, strict=True)
        rows |= {(name, topic): value for topic, value in pairs if not math.isnan(value)}
        rows |= {} if mean is None else {(name, ALL): mean}
    return rows


def test_packs_are_whole() -> None:
    assert len(PACKED) == EVALUATIONS
    assert sum("error" in one["printed"] for one in PACKED) == REFUSED
    assert sum(len(compared(one)) for one in PACKED) == COMPARABLE


@pytest.mark.parametrize("evaluation", named([e for e in PACKED if "error" not in e["printed"]]))
def test_printed_figures(evaluation: Evaluated) -> None:
    expected = figures(evaluation)
    measures = list(dict.fromkeys(measure for measure, _, _ in expected))
    rows = rows_of(scored(evaluation, measures), measures)
    found = [(name, topic, rows.get((name, topic))) for name, topic, _ in compared(evaluation)]
    assert found == [(name, topic, float(text)) for name, topic, text in compared(evaluation)]
    undefined = {(name, topic) for name, topic, text in expected if text == "NaN"}
    assert all(topic == ALL for _, topic in undefined & rows.keys())


@pytest.mark.parametrize("evaluation", named([e for e in PACKED if "error" in e["printed"]]))
def test_refused_runs(evaluation: Evaluated) -> None:
    measure = "AiP" if mode_of(evaluation) == "-f" else f"AgP({item_of(evaluation)})"
    words = {"multiple": "a second answer", "overlaps": "overlaps", "interleaved": "again after"}
    (said,) = {said for word, said in words.items() if word in evaluation["printed"]["error"]}
    with pytest.raises(PolicyError, match=rf"^run:[23]: found .*{said}.*, expected .*; "):
        scored(evaluation, [measure])
