"""Sentences and grids one under the other: for a terminal, as Markdown, as LaTeX."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable

from spanwise.errors import clean
from spanwise.reporting.grids import Grid
from spanwise.reporting.markup import latex_grid, markdown_grid, markdown_text
from spanwise.reporting.tables import Layout, drawn

Part = str | Grid


def table(parts: Iterable[Part], layout: Layout) -> str:
    """As wide as the terminal is."""
    wrapper = textwrap.TextWrapper(layout.width, break_long_words=False, break_on_hyphens=False)
    return "\n".join(
        drawn([part], layout) if isinstance(part, Grid) else f"{wrapper.fill(clean(part))}\n"
        for part in parts
    )


def markdown(parts: Iterable[Part]) -> str:
    """Tables with pipes."""
    return "\n".join(
        markdown_grid(part) if isinstance(part, Grid) else f"{markdown_text(part)}\n"
        for part in parts
    )


def latex(parts: Iterable[Part]) -> str:
    """Tables of the booktabs package; sentences are comments."""
    texts = (
        latex_grid(part) if isinstance(part, Grid) else f"% {clean(' '.join(part.split()))}\n"
        for part in parts
    )
    return "\n".join(["% Needs \\usepackage{booktabs}.\n", *texts])
