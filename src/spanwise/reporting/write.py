"""Scores in every format, and which format a file's ending asks for."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

from spanwise.errors import OutputError
from spanwise.formats.destination import Destination, Stream
from spanwise.reporting import exact, markup
from spanwise.reporting.outcome import Outcome
from spanwise.reporting.tables import Layout, table
from spanwise.text.names import encoded, legible

TEXTS: dict[str, Callable[[Outcome], str]] = {
    "tsv": exact.tsv,
    "csv": exact.comma_separated,
    "jsonl": exact.json_lines,
    "json": exact.json_object,
    "markdown": markup.markdown,
    "latex": markup.latex,
}
OUTPUTS = ("table", *TEXTS)
ENDINGS = {
    ".txt": "table",
    ".tsv": "tsv",
    ".csv": "csv",
    ".jsonl": "jsonl",
    ".json": "json",
    ".md": "markdown",
    ".tex": "latex",
    ".parquet": "parquet",
}


def rendered(outcome: Outcome, output: str, layout: Layout | None = None) -> bytes:
    """An outcome in one of the formats."""
    if output == "parquet":
        return exact.parquet(outcome)
    text = table(outcome, layout or Layout()) if output == "table" else TEXTS[output](outcome)
    return encoded(text)


def by_ending(destination: Destination, endings: Mapping[str, str] = ENDINGS) -> str:
    """The format that a file's ending asks for; a device or a pipe without one gets a table."""
    file = legible(destination.file)
    ending = Path(file).suffix.lower()
    if not ending and isinstance(destination, Stream):
        return "table"
    if ending not in endings:
        found = f"the ending {ending}" if ending else "no ending"
        raise OutputError(f"{file}: found {found}, expected one of {', '.join(endings)}; or use -o")
    return endings[ending]
