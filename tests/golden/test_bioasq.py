"""The numbers that the official program of BioASQ prints for snippets."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import spanwise

PACK = json.loads((Path(__file__).parent / "bioasq_hand.json").read_text("utf-8"))
NAMES = {"MPrec": "bioasq.P", "MRec": "bioasq.R", "MF1": "bioasq.F1", "MAP": "bioasq.AP"}


def rows_of(pack: dict[str, Any]) -> list[dict[str, Any]]:
    """Sections are documents, ends are inclusive, the order is the ranking."""
    return [
        {
            "topic": question["id"],
            "document": f"{snippet['document'].rpartition('/')[2]}#{snippet['beginSection']}",
            "start": snippet["offsetInBeginSection"],
            "end": snippet["offsetInEndSection"] + 1,
        }
        for question in pack["questions"]
        for snippet in question["snippets"]
    ]


def run_of(pack: dict[str, Any]) -> list[dict[str, Any]]:
    return [{**row, "rank": rank} for rank, row in enumerate(rows_of(pack), start=1)]


@pytest.mark.parametrize("version", PACK["printed"])
def test_printed_numbers(version: str) -> None:
    parameter = "" if version in ("8", "9") else f"(version={version})"
    names = {**NAMES, "MAP": f"bioasq.AP{parameter}"}
    scores = spanwise.evaluate(rows_of(PACK["gold"]), run_of(PACK["system"]), [*names.values()])
    for printed, name in names.items():
        expected = float(PACK["printed"][version][printed])
        assert scores.mean(name) == pytest.approx(expected, rel=0, abs=1e-12), printed


def snippets(*rows: tuple[str, int, int]) -> list[dict[str, Any]]:
    return [
        {"topic": "q", "document": document, "start": start, "end": end, "rank": rank}
        for rank, (document, start, end) in enumerate(rows, start=1)
    ]


def average_precision(gold: list[dict[str, Any]], run: list[dict[str, Any]]) -> float | None:
    unranked = [{key: row[key] for key in row if key != "rank"} for row in gold]
    return spanwise.evaluate(unranked, run, "bioasq.AP").mean("bioasq.AP")


def test_a_snippet_of_another_section_counts_but_finds_nothing() -> None:
    """By the slip of the program: the document has gold."""
    gold = snippets(("1#abstract", 0, 10))
    run = snippets(("1#abstract", 0, 10), ("1#title", 0, 10), ("2#abstract", 0, 10))
    assert average_precision(gold, run) == 1 + 10 / 20
    assert average_precision(gold, run[2:]) == 0


def test_snippets_are_merged_through_others_into_the_place_of_the_first() -> None:
    gold = snippets(("1#a", 0, 30), ("1#a", 20, 40), ("1#a", 40, 50))
    run = snippets(("1#a", 0, 10), ("1#a", 20, 30), ("2#a", 0, 10), ("1#a", 5, 25))
    # One snippet of 30 characters, then one that is not relevant; two relevant ones.
    assert average_precision(gold, run) == 1 / 2
    touching = snippets(("1#a", 0, 10), ("1#a", 10, 20))
    assert average_precision(gold, touching) == 2 / 2


def test_at_most_ten_relevant_snippets_divide() -> None:
    gold = snippets(*(("1#a", 10 * place, 10 * place + 5) for place in range(12)))
    assert average_precision(gold, gold[:1]) == 1 / 10
