"""Comparisons in every format: tables for people, rows for programs."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from spanwise.reporting import comparison_rows, parts
from spanwise.reporting.compared import Compared
from spanwise.reporting.comparison_grids import parts_of
from spanwise.reporting.tables import Layout
from spanwise.text.names import encoded


def rendered(compared: Compared, output: str, layout: Layout | None = None) -> bytes:
    """A comparison in one of the formats."""
    if output == "parquet":
        return comparison_rows.parquet(compared)
    if output == "table":
        text = parts.table(_marked_parts(compared), layout or Layout())
    else:
        text = TEXTS[output](compared)
    return encoded(text)


def _marked_parts(compared: Compared) -> Iterator[parts.Part]:
    if compared.lenient_mark:
        yield compared.lenient_mark
    yield from parts_of(compared)


def markdown(compared: Compared) -> str:
    """Tables with pipes, the best means in bold."""
    return parts.markdown(_marked_parts(compared))


def latex(compared: Compared) -> str:
    """Tables of the booktabs package; sentences are comments."""
    return parts.latex(_marked_parts(compared))


TEXTS: Mapping[str, Callable[[Compared], str]] = {
    "tsv": comparison_rows.tsv,
    "csv": comparison_rows.comma_separated,
    "jsonl": comparison_rows.json_lines,
    "json": comparison_rows.json_object,
    "markdown": markdown,
    "latex": latex,
}
