"""Outputs for programs: every digit, nothing undefined, rows in a fixed order."""

from __future__ import annotations

import io
import platform
from typing import Any

from spanwise.extras import require_polars
from spanwise.reporting import rows
from spanwise.reporting.outcome import Outcome
from spanwise.reporting.rows import dumped, encodable
from spanwise.version import __version__

COLUMNS = ("run", "measure", "topic", "value")


def tsv(outcome: Outcome) -> str:
    """Columns with a header, separated by tabs."""
    return rows.tsv(COLUMNS, outcome.rows(), outcome.lenient_mark)


def comma_separated(outcome: Outcome) -> str:
    """The same columns, quoted where a comma makes it necessary."""
    return rows.comma_separated(COLUMNS, outcome.rows(), outcome.lenient_mark)


def json_lines(outcome: Outcome) -> str:
    """One object for each row."""
    return rows.json_lines(outcome.rows())


def json_object(outcome: Outcome) -> str:
    """One object: rows, and everything needed to understand and repeat them."""
    head = {
        "versions": versions(),
        "settings": dict(outcome.settings),
        "lenient": bool(outcome.lenient_runs),
        "notes": list(outcome.scores.notes),
    }
    lines = [f"{dumped(key)}: {dumped(value)}" for key, value in head.items()]
    lines.append(listed("inputs", [given.to_dict() for given in outcome.inputs]))
    lines.append(listed("runs", described_runs(outcome)))
    lines.append(listed("rows", list(outcome.rows())))
    return "{\n" + ",\n".join(f"  {line}" for line in lines) + "\n}\n"


def described_runs(outcome: Outcome) -> list[dict[str, Any]]:
    """Counts and notes of each run."""
    return [
        {
            "run": run.run,
            "lenient": run.lenient,
            "counts": run.counts.to_dict(),
            "notes": list(run.notes),
        }
        for run in outcome.scores.runs
    ]


def listed(key: str, items: list[dict[str, Any]]) -> str:
    """A list with one item on each line: long enough to read, short enough to diff."""
    inside = ",\n".join(f"    {dumped(item)}" for item in items)
    return f"{dumped(key)}: [\n{inside}\n  ]" if items else f"{dumped(key)}: []"


def versions(*more: str) -> dict[str, str]:
    """What computed the scores, and more packages if they had a part in it."""
    from importlib.metadata import version

    import numpy

    return {
        "spanwise": __version__,
        "python": platform.python_version(),
        "numpy": numpy.__version__,
        **{name: version(name) for name in more},
    }


def parquet(outcome: Outcome) -> bytes:
    """The rows as a Parquet file; a column ``lenient`` only where something was dropped."""
    require_polars("writing Parquet")
    import polars

    names = ("run", "measure", "canonical", "topic", "value")
    schema: dict[str, Any] = {
        name: polars.Float64 if name == "value" else polars.String for name in names
    }
    if outcome.lenient_runs:
        schema["lenient"] = polars.Boolean
    stream = io.BytesIO()
    polars.DataFrame([*map(encodable, outcome.rows())], schema=schema).write_parquet(stream)
    return stream.getvalue()
