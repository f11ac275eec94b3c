"""The numbers that the official program of TREC Genomics 2007 prints."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from spanwise.data.assessments import Assessments
from spanwise.data.judgements import Judgements
from spanwise.data.notes import Faults
from spanwise.data.run import Extent, Run
from spanwise.evaluation.evaluate import Evaluation
from spanwise.measures.grammar import Asked, parse_measure
from spanwise.records import replace

CASES = json.loads((Path(__file__).parent / "genomics_hand.json").read_text("utf-8"))
MEASURES = tuple(
    Asked(name.upper(), parse_measure(f"genomics.{name}"))
    for name in ("document", "passage", "passage2", "aspect")
)


def cells(text: str) -> list[list[str]]:
    return [line.split("\t") for line in text.splitlines()]


def gold_of(text: str) -> Assessments:
    judgements = Judgements(Faults("gold"))
    for topic, document, offset, length, aspects in cells(text):
        end = int(offset) + int(length)
        judgements.add_range(topic, document, int(offset), end, aspects=aspects.split("|"))
    return judgements.build()


def run_of(text: str) -> Run:
    topics, documents, rank, _, offset, length, _ = zip(*cells(text), strict=True)
    start, size = [int(cell) for cell in offset], [int(cell) for cell in length]
    return Run.of(
        "t",
        topics,
        documents,
        start=start,
        end=[first + count for first, count in zip(start, size, strict=True)],
        # A passage without a character is listed, but returns nothing.
        extent=[Extent.RANGE if count else Extent.NOTHING for count in size],
        rank=[int(cell) for cell in rank],
        order="rank",
    )


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["case"])
def test_printed_numbers(case: dict[str, Any]) -> None:
    scores = Evaluation(gold_of(case["gold"]), MEASURES).score([run_of(case["run"])], "t")
    for number, asked in enumerate(MEASURES):
        printed = case["printed"][asked.label]
        found = dict(zip(scores.topics, scores.values[number].tolist(), strict=True))
        found["MAP"] = scores.means[number]
        assert {name: f"{value:.8f}" for name, value in found.items()} == printed, asked.label


def test_answers_of_equal_rank_are_ordered_by_name_offset_and_length() -> None:
    """As text: 10 comes before 9. The order of the file does not matter."""
    gold = gold_of("1\t10\t0\t10\tA\n1\t9\t40\t10\tB\n")
    rows = [("9", 40, 10), ("9", 30, 40), ("9", 30, 20), ("10", 5, 10), ("10", 0, 5)]
    lines = [f"1\t{name}\t1\t0\t{offset}\t{size}\tt" for name, offset, size in rows]
    ordered = [
        f"1\t{row[0]}\t{place}\t0\t{row[1]}\t{row[2]}\tt"
        for place, row in enumerate([rows[4], rows[3], rows[2], rows[1], rows[0]], start=1)
    ]
    evaluation = Evaluation(gold, MEASURES)
    expected = evaluation.score([run_of("\n".join(ordered))], "t").values
    for tied in (lines, lines[::-1], [*lines[2:], *lines[:2]]):
        found = evaluation.score([run_of("\n".join(tied))], "t").values
        assert found.tobytes() == expected.tobytes()
    by_file = replace(run_of("\n".join(lines)), order="file")
    assert evaluation.score([by_file], "t").values.tobytes() != expected.tobytes()
