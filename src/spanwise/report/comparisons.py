"""Comparisons in every format: tables for people, rows for programs."""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Iterator, Mapping

from spanwise.report import comparison_rows
from spanwise.report.compared import Compared
from spanwise.report.comparison_grids import Part, parts_of
from spanwise.report.grids import Grid, printable
from spanwise.report.markup import latex_grid, markdown_grid, markdown_text
from spanwise.report.tables import Layout, drawn


def rendered(compared: Compared, output: str, layout: Layout | None = None) -> bytes:
    """A comparison in one of the formats."""
    if output == "parquet":
        return comparison_rows.parquet(compared)
    text = table(compared, layout or Layout()) if output == "table" else TEXTS[output](compared)
    return text.encode("utf-8", "surrogateescape")


def table(compared: Compared, layout: Layout) -> str:
    """Sentences and tables, one under the other."""
    texts = [
        drawn([part], layout) if isinstance(part, Grid) else _filled(part, layout.width)
        for part in _marked_parts(compared)
    ]
    return "\n".join(texts)


def _filled(sentence: str, width: int) -> str:
    wrapper = textwrap.TextWrapper(width, break_long_words=False, break_on_hyphens=False)
    return f"{wrapper.fill(printable(sentence))}\n"


def _marked_parts(compared: Compared) -> Iterator[Part]:
    if compared.lenient_mark:
        yield compared.lenient_mark
    yield from parts_of(compared)


def markdown(compared: Compared) -> str:
    """Tables with pipes, the best means in bold."""
    texts = [
        markdown_grid(part) if isinstance(part, Grid) else f"{markdown_text(part)}\n"
        for part in _marked_parts(compared)
    ]
    return "\n".join(texts)


def latex(compared: Compared) -> str:
    """Tables of the booktabs package; sentences are comments."""
    texts = ["% Needs \\usepackage{booktabs}.\n"]
    for part in _marked_parts(compared):
        comment = "" if isinstance(part, Grid) else f"% {' '.join(part.split())}\n"
        texts.append(latex_grid(part) if isinstance(part, Grid) else comment)
    return "\n".join(texts)


TEXTS: Mapping[str, Callable[[Compared], str]] = {
    "tsv": comparison_rows.tsv,
    "csv": comparison_rows.comma_separated,
    "jsonl": comparison_rows.json_lines,
    "json": comparison_rows.json_object,
    "markdown": markdown,
    "latex": latex,
}
