"""Comparisons for programs: every digit, nothing undefined, rows in a fixed order."""

from __future__ import annotations

import csv
import io
from dataclasses import asdict
from typing import Any

from spanwise.report.compared import Compared, pair_row
from spanwise.report.comparison_verdicts import verdict
from spanwise.report.exact import ESCAPES, described_runs, dumped, encodable, listed, versions
from spanwise.report.outcome import Outcome
from spanwise.statistics.comparison import Comparison

NAMES = ("measure", "a", "b")
NUMBERS = ("mean_a", "mean_b", "difference", "low", "high", "p", "p_corrected")
COUNTS = ("wins", "ties", "losses", "topics")


def columns(compared: Compared) -> tuple[str, ...]:
    """The columns of every row; some are there only if they were asked for."""
    needed = ("topics_needed",) if compared.power else ()
    return (*NAMES, *NUMBERS, *COUNTS, *needed, *(("group",) if compared.groups else ()))


def json_lines(compared: Compared) -> str:
    """One object for each pair and measure."""
    return "".join(dumped(row) + "\n" for row in compared.rows())


def tsv(compared: Compared) -> str:
    """Columns with a header, separated by tabs; a name's own tabs and line ends are escaped."""
    lines = ["\t".join(cell.translate(ESCAPES) for cell in cells) for cells in _cells(compared)]
    return _comment(compared) + "".join(f"{line}\n" for line in lines)


def comma_separated(compared: Compared) -> str:
    """The same columns, quoted where a comma makes it necessary."""
    stream = io.StringIO()
    stream.write(_comment(compared))
    csv.writer(stream, lineterminator="\n").writerows(_cells(compared))
    return stream.getvalue()


def _comment(compared: Compared) -> str:
    mark = compared.lenient_mark
    return f"# {' '.join(mark.split())}\n" if mark else ""


def _cells(compared: Compared) -> list[list[str]]:
    names = columns(compared)
    return [[*names], *([_cell(row.get(name)) for name in names] for row in compared.rows())]


def _cell(value: Any) -> str:
    """``repr`` of a float is the shortest decimal that reads back to it."""
    if value is None:
        return ""
    return value if isinstance(value, str) else repr(value)


def parquet(compared: Compared) -> bytes:
    """The rows as a Parquet file; a column ``lenient`` only where something was dropped."""
    import polars

    kinds: dict[str, Any] = dict.fromkeys(columns(compared), polars.Int64)
    kinds |= dict.fromkeys(NAMES, polars.String) | dict.fromkeys(NUMBERS, polars.Float64)
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
    lines.append(listed("comparisons", [_described(c, compared) for c in compared.comparisons]))
    lines.append(listed("groups", [*_groups(compared)]))
    lines.append(listed("rows", list(compared.rows())))
    return "{\n" + ",\n".join(f"  {line}" for line in lines) + "\n}\n"


def _groups(compared: Compared) -> list[dict[str, Any]]:
    return [
        {
            "group": group.name,
            "topics": group.topics,
            "comparisons": [_described(c, compared) for c in group.comparisons],
        }
        for group in compared.groups
    ]


def _described(comparison: Comparison, compared: Compared) -> dict[str, Any]:
    return {
        "measure": comparison.measure,
        "canonical": comparison.canonical,
        "better": comparison.better,
        "reference": compared.reference(comparison),
        "verdict": verdict(comparison, compared.baseline),
        "significant": len(comparison.significant()),
        "means": [asdict(mean) for mean in comparison.means],
        "pairs": [{**pair_row(pair), "effect": pair.effect} for pair in comparison.pairs],
        "notes": list(comparison.notes),
    }
