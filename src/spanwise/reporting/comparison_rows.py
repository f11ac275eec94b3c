"""Comparisons for programs: every digit, nothing undefined, rows in a fixed order."""

from __future__ import annotations

import io
from dataclasses import asdict
from typing import Any

from spanwise.extras import require_polars
from spanwise.reporting import rows
from spanwise.reporting.compared import TEST_COLUMNS, Compared, pair_row
from spanwise.reporting.comparison_texts import legend
from spanwise.reporting.comparison_verdicts import reference_of, verdict
from spanwise.reporting.exact import described_runs, listed, versions
from spanwise.reporting.outcome import Outcome
from spanwise.reporting.rows import dumped, encodable
from spanwise.statistics.comparison import Comparison

NAMES = ("measure", "a", "b")
NUMBERS = ("mean_a", "mean_b", "difference", "low", "high", "p", "p_corrected")
COUNTS = ("wins", "ties", "losses", "topics")


def columns(compared: Compared) -> tuple[str, ...]:
    """The columns of every row; some are there only if they were asked for."""
    needed = ("topics_needed",) if compared.power else ()
    groups = ("group",) if compared.groups else ()
    return (*NAMES, *NUMBERS, *COUNTS, *TEST_COLUMNS, *needed, *groups)


def json_lines(compared: Compared) -> str:
    """One object for each pair and measure."""
    return rows.json_lines(compared.rows())


def tsv(compared: Compared) -> str:
    """Columns with a header, separated by tabs."""
    return rows.tsv(columns(compared), compared.rows(), compared.lenient_mark)


def comma_separated(compared: Compared) -> str:
    """The same columns, quoted where a comma makes it necessary."""
    return rows.comma_separated(columns(compared), compared.rows(), compared.lenient_mark)


def parquet(compared: Compared) -> bytes:
    """The rows as a Parquet file; a column ``lenient`` only where something was dropped."""
    require_polars("writing Parquet")
    import polars

    kinds: dict[str, Any] = dict.fromkeys(columns(compared), polars.Int64)
    kinds |= dict.fromkeys((*NAMES, *TEST_COLUMNS[:3]), polars.String)
    kinds |= dict.fromkeys(NUMBERS, polars.Float64)
    if compared.groups:
        kinds["group"] = polars.String
    if compared.lenient_mark:
        kinds["lenient"] = polars.Boolean
    stream = io.BytesIO()
    polars.DataFrame([*map(encodable, compared.rows())], schema=kinds).write_parquet(stream)
    return stream.getvalue()


def json_object(compared: Compared) -> str:
    """One object: all comparisons, and everything needed to understand and repeat them."""
    head = {
        "versions": versions("scipy"),
        "settings": dict(compared.settings),
        "lenient": compared.lenient_mark is not None,
        "notes": list(compared.scores.notes),
    }
    lines = [f"{dumped(key)}: {dumped(value)}" for key, value in head.items()]
    lines.append(listed("inputs", [given.to_dict() for given in compared.inputs]))
    lines.append(listed("runs", described_runs(Outcome(compared.scores))))
    lines.append(listed("comparisons", [_described(c) for c in compared.comparisons]))
    lines.append(listed("groups", [*_groups(compared)]))
    lines.append(listed("rows", list(compared.rows())))
    return "{\n" + ",\n".join(f"  {line}" for line in lines) + "\n}\n"


def _groups(compared: Compared) -> list[dict[str, Any]]:
    return [
        {
            "group": group.name,
            "topics": group.topics,
            "comparisons": [_described(c) for c in group.comparisons],
        }
        for group in compared.groups
    ]


def _described(comparison: Comparison) -> dict[str, Any]:
    return {
        "measure": comparison.measure,
        "canonical": comparison.canonical,
        "better": comparison.better,
        "reference": reference_of(comparison),
        "verdict": verdict(comparison),
        "procedure": legend(comparison),
        "tests": comparison.tests,
        "significant": len(comparison.significant()),
        "means": [asdict(mean) for mean in comparison.means],
        "pairs": [{**pair_row(pair), "effect": pair.effect} for pair in comparison.pairs],
        "notes": list(comparison.notes),
    }
