"""What is explained is what is evaluated: for every registered measure, on random topics."""

from __future__ import annotations

import math
import random

import pytest

from cases import (
    assessments_of,
    case_of,
    chunking_of,
    documents_of,
    every_pair,
    has_relevant,
    pair_name,
    random_batch,
    random_measure,
    run_of,
)
from oracles.slow import assessed, gained, places_of
from oracles.slow_gains import ideal_elements, lines, maximal_runs, path_of, valued
from oracles.twins import parse_item
from spanwise.errors import SpanwiseError
from spanwise.evaluation.evaluate import Evaluation
from spanwise.evaluation.explain import explain
from spanwise.evaluation.policy import Policy
from spanwise.measures.base import ListScore
from spanwise.measures.grammar import Asked, parse_measure
from spanwise.measures.lists.generalised import AgP
from spanwise.measures.registry import lists
from spanwise.reporting.explanation import ExplanationResult
from spanwise.reporting.reading_plots import reading_plot
from spanwise.reporting.render import rendered
from spanwise.reporting.render.cells import Look
from spanwise.reporting.render.html.reading_chart import reading_chart

ROUNDED = 5.001e-5
ADDED = ("AgP", "gP", "gR", "AP", "P", "R", "RR", "Rprec", "Success", "CE", "NCE")
"""The measures that are the sum of what their steps add."""


class Explained:
    """A batch, and how its measures come to their values."""

    def __init__(self, batch, measures, policy=None):
        asked = tuple(Asked(str(measure), measure) for measure in measures)
        policy = policy or Policy()
        self.evaluation = Evaluation(
            assessments_of(batch), asked, policy, documents_of(batch), chunking_of(batch)
        )
        self.run = run_of(batch)
        scores = self.evaluation.score([self.run], "x")
        defined = [[defined_or_none(v) for v in row] for row in scores.values.T.tolist()]
        self.values = dict(zip(scores.topics, defined, strict=True))

    def __call__(self, topic, document=None):
        return explain(self.evaluation, self.run, topic, document)


def defined_or_none(value):
    """A value as an explanation has it."""
    return None if math.isnan(value) else value


def some_batches(seed, count=4):
    source = random.Random(seed)
    batches = (random_batch(source) for _ in range(10 * count))
    return source, [batch for batch in batches if has_relevant(batch)][:count]


@pytest.mark.parametrize("kind", lists().values(), ids=lists())
def test_every_measure_explains_itself(kind):
    """Without that an explanation is only the list of pages."""
    assert kind.explain is not ListScore.explain, f"{kind.name}: write its method explain"


@pytest.mark.parametrize("pair", every_pair(), ids=pair_name)
def test_the_value_explained_is_the_value_evaluated(pair):
    source, batches = some_batches(7)
    for batch in batches:
        measures = list(dict.fromkeys(random_measure(source, *pair) for _ in range(3)))
        explained = Explained(batch, measures)
        for topic, values in explained.values.items():
            explanations = explained(topic)
            assert [explanation.value for explanation in explanations] == values
            for explanation in explanations:
                if explanation.value is not None:
                    check_steps(explanation)


def check_steps(explanation):
    """The steps lead to the value, by themselves."""
    value, table = explanation.value, explanation.table
    assert abs(float(table.result.rpartition("= ")[2]) - value) <= ROUNDED
    rows = table.rows()
    kind = explanation.canonical.partition("(")[0].partition("@")[0]
    if kind in ADDED and "found-text" not in explanation.canonical:
        added = sum(row["adds"] or 0 for row in rows)
        assert added == pytest.approx(value, abs=1e-9)
    if kind in ("MAep", "Q"):
        assert sum(row["adds"] or 0 for row in rows) == pytest.approx(value, abs=1e-9)
        counts = "divisor=" not in explanation.canonical
        assert (table.undrawn is not None) == counts
        if counts:
            gaining = sum(row["xG"] > 0 for row in rows)
            assert f"Z = {gaining} (ranks that gain) + {len(table.undrawn)} (of " in table.result
    if kind == "MAep":
        check_ideal_ranks(rows, "linear" if "rule=linear" in explanation.canonical else "ratio")
    if kind in ("CE", "NCE", "ANCE"):
        assert rows[-1]["mean" if kind == "ANCE" else kind] == pytest.approx(value, abs=1e-9)


def check_ideal_ranks(rows, rule):
    """Every i follows from the columns xCG and xCI by the rule, and every addend from i."""
    ideal = [0.0, *(row["xCI"] for row in rows)]
    divisors = set()
    for row in rows:
        if row["i"] is None:
            assert row["adds"] is None
            continue
        divisors.add(round(row["i"] / row["rank"] / row["adds"], 9))
        gained = row["xCG"]
        k = next((k for k, value in enumerate(ideal) if value >= gained - 1e-12), None)
        if k is not None:
            before = ideal[k - 1] if rule == "linear" else 0.0
            expected = (k - 1) + (gained - before) / (ideal[k] - before)
            assert row["i"] == pytest.approx(expected, abs=1e-9)
    assert len(divisors) <= 1
    assert all(divisor.is_integer() for divisor in divisors)


def undrawn_units(item):
    """Random topics, and the ideal units of each that are said not to be drawn from."""
    for batch in some_batches(11, 12)[1]:
        explained = Explained(batch, [parse_measure(f"MAep({item})")])
        for topic in explained.values:
            (explanation,) = explained(topic)
            units = {(unit.document, unit.unit): unit.value for unit in explanation.table.undrawn}
            assert len(units) == len(explanation.table.undrawn)
            yield case_of(batch, topic), units


def test_passages_that_are_not_drawn_from_are_those_that_no_answer_meets():
    named = 0
    for case, units in undrawn_units("passages"):
        places = [{*places_of(case, answer)} for answer in case.answers]
        untouched = {
            (document, f"{min(unit)}-{max(unit) + 1}"): 1.0
            for document, text in assessed(case).highlighted.items()
            for unit in maximal_runs(text)
            if not any((document, place) in found for found in places for place in unit)
        }
        assert units == untouched
        named += len(units)
    assert named > 20


def test_elements_that_are_not_drawn_from_are_ideal():
    named = 0
    for case, units in undrawn_units("elements(quant=spec)"):
        ideal = {
            (document, path_of(line)): held.values[line[-1]]
            for document, held in valued(assessed(case), "spec").items()
            for line in lines(held.root)
            if line[-1] in ideal_elements(held, "shortest")
        }
        assert units.items() <= ideal.items()
        assert len(units) == gained(case, parse_item("elements(quant=spec)")).undrawn
        named += len(units)
    assert named > 20


@pytest.mark.parametrize("pair", every_pair(), ids=pair_name)
def test_every_document_can_be_explained(pair):
    source, batches = some_batches(8, 2)
    for batch in batches:
        explained = Explained(batch, [random_measure(source, *pair)])
        for topic in explained.values:
            judged, rows = batch.topics[topic].judged, batch.topics[topic].rows
            for document in {*judged, *(row.document for row in rows)}:
                (explanation,) = explained(topic, document)
                assert all(row["document"] == document for row in explanation.table.rows())
                check_detail(explanation)
                check_lines(explanation)


def check_detail(explanation):
    """What happens inside a document leads to its score."""
    detail = explanation.detail
    if detail is None or explanation.score is None:
        return
    assert abs(float(detail.result.split("= ")[-1].split(" ")[0]) - explanation.score) <= ROUNDED
    if "adds" in detail.columns:
        added = sum(row["adds"] or 0 for row in detail.rows())
        assert added == pytest.approx(explanation.score, abs=1e-12)

    if explanation.reading is not None:
        check_reading(explanation)


def check_reading(explanation):
    """Character by character: what was found, aveChP so far, where readers give up."""
    found = explanation.reading
    rows = explanation.detail.rows()
    order = [row["relevant"] for row in rows for _ in range(row["length"])]
    moments, hits, total = [(0, 0.0)], 0, 0.0
    for position, relevant in enumerate(order, 1):
        hits += relevant
        total += hits / position if relevant else 0.0
        moments.append((hits, total / found.relevant))
    assert (found.length, found.relevant) == (len(order), hits)
    for row in rows:
        assert (row["found"], row["aveChP"]) == pytest.approx(moments[row["read"]], abs=1e-9)
    plot = reading_plot(found, "read")
    for read, count, average in plot.curve:
        assert (count, average) == pytest.approx(moments[read], abs=1e-9)
    assert [read for read, _, _ in plot.curve][:: len(plot.curve) - 1] == [0, found.length]
    for tolerance in (1, 7, 300):
        stop, misses = found.stop_of(tolerance), [not relevant for relevant in order]
        assert sum(misses[:stop]) == min(tolerance, sum(misses))
        assert stop is None or (misses[stop - 1] and sum(misses[: stop - 1]) == tolerance - 1)
    assert sum(one.length for one in plot.stretches) == found.length
    assert sum(one.length for one in plot.stretches if one.read_as in ("found", "missed")) == hits
    assert reading_chart(plot, "read").shapes


def check_lines(explanation):
    """It can be shown, and ends in the value."""
    output = ExplanationResult((explanation,), everything=True).output()
    for look in (Look(), Look(width=80, terminal=True)):
        text = " ".join(rendered(output, "table", look).decode().split())
        value = explanation.value
        number = "" if value is None else f"{value:,.1f}" if value >= 1000 else f"{value:.4f}"
        shown = number or "not defined"
        assert text.endswith(f" {explanation.measure} = {shown}")


def test_literal_overlap_is_explained_as_it_is_counted():
    _, batches = some_batches(9)
    for batch in batches:
        explained = Explained(batch, [AgP()], Policy(overlap="as-is"))
        for topic, values in explained.values.items():
            (explanation,) = explained(topic)
            assert [explanation.value] == values
            for row in explanation.table.rows():
                if row["common"]:
                    precision, recall = (row["common"] / row[of] for of in ("returned", "relevant"))
                    mean = 2 * precision * recall / (precision + recall)
                    assert row["S"] == pytest.approx(mean, abs=1e-12)


def test_what_is_not_there_is_refused_with_what_may_be_meant():
    _, (batch, *_) = some_batches(10)
    explained = Explained(batch, [AgP()])
    topic = next(iter(explained.values))
    with pytest.raises(SpanwiseError, match=f"did you mean .*{topic}"):
        explained(topic + "x")
    with pytest.raises(SpanwiseError, match="neither in the run nor judged"):
        explained(topic, "elsewhere")
