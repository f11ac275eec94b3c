"""What an explanation says in words is so in its numbers."""

from __future__ import annotations

import pytest

from spanwise import explain
from spanwise.reporting.output import Headline

JUDGED = {
    "q1": {"d1": [(0, 100)], "d2": [(50, 150)], "d3": [(0, 20)]},
    "q2": {"d1": [(0, 10)]},
    "q3": {"d1": [(0, 10)], "d2": [(0, 10)]},
}
RUN = {
    "q1": [("d1", 0, 50, 3.0), ("d9", 0, 10, 2.0), ("d2", 0, 40, 1.0)],
    "q2": [("d1", 0, 10, 1.0)],
    "q3": [("d8", 0, 10, 1.0)],
}
TEXTS = {f"d{n}": "Low tide. " * 50 for n in range(1, 10)}


def said(topic: str, measures: object = "AgP", document: str | None = None) -> list[str]:
    found = explain(JUDGED, RUN, topic, measures, document=document, collection=TEXTS)
    lead = found.output().lead
    assert isinstance(lead[0], Headline)
    return [lead[0].text, *(part for part in lead[1:] if isinstance(part, str))]


@pytest.mark.parametrize(
    ("topic", "words"),
    [
        ("q1", "2 of the 3 relevant documents are in the list"),
        ("q2", "the only relevant document is in the list"),
        ("q3", "none of the 2 relevant documents is in the list"),
    ],
)
def test_the_headline_counts_relevant_documents(topic: str, words: str) -> None:
    headline, *more = said(topic, ["AP", "AgP"])
    values = explain(JUDGED, RUN, topic, ["AP", "AgP"], collection=TEXTS).explanations
    shown = " and ".join(f"{one.measure} is {one.value:.2f}" for one in values)
    assert headline == f"{shown}: {words}"
    assert more == [f"{values[0].table.result}."]


def test_many_measures_are_counted() -> None:
    assert "2 more below: " in said("q1", ["AP", "AgP", "textR@5", "textP@5"])[0]


@pytest.mark.parametrize(
    ("document", "measure", "words"),
    [
        ("d1", "AgP(aveChP)", ": 50% of its relevant text was returned"),
        ("d2", "AgP(aveChP)", ": nothing of its relevant text was returned"),
        ("d1", "AgP", "d1 scores 0.67 inside AgP"),
        ("d9", "AgP", "d9 scores 0.00 inside AgP"),
        ("d3", "AgP(aveChP)", "d3 is relevant, but not in the list: AgP(aveChP) is 0."),
        ("d1", "AP", "; below is what d1 has to do with it"),
    ],
)
def test_what_a_document_made(document: str, measure: str, words: str) -> None:
    headline, second, *_ = said("q1", measure, document)
    assert words in headline
    assert headline.endswith("of its relevant text was returned") == (
        document in ("d1", "d2") and measure == "AgP(aveChP)"
    )
    assert "2 of the 3 relevant documents are in the list." in second
