"""Tables to be pasted into a text: Markdown and LaTeX."""

from __future__ import annotations

import re

from spanwise.errors import clean
from spanwise.reporting.grids import Cell, Grid, marked
from spanwise.reporting.outcome import Outcome
from spanwise.reporting.score_grids import grids_of, remarks

_LATEX = {
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    **{sign: f"\\{sign}" for sign in "&%$#_{}"},
}


def markdown(outcome: Outcome) -> str:
    """Tables with pipes, the best values in bold."""
    mark = outcome.lenient_mark
    above = [f"> {markdown_text(mark)}\n"] if mark else []
    below = [f"{markdown_text(line)}\n" for line in remarks(outcome)]
    return "\n".join([*above, *(markdown_grid(grid) for grid in grids_of(outcome)), *below])


def markdown_grid(grid: Grid) -> str:
    """A grid as a table with pipes."""
    header, *rows = marked(grid, _markdown_cell)
    rule = ["---", *["---:"] * len(grid.columns)]
    title = f"**{markdown_text(grid.title)}**\n\n" if grid.title else ""
    return title + "".join(f"| {' | '.join(line)} |\n" for line in [header, rule, *rows])


def _markdown_cell(cell: Cell) -> str:
    text = markdown_text(cell.text)
    return f"**{text}**" if cell.best else text


def markdown_text(text: str) -> str:
    """What would mean something to Markdown is escaped."""
    return re.sub(r"([\\|*_<>`\[\]!&])", r"\\\1", clean(" ".join(text.split())))


def latex(outcome: Outcome) -> str:
    """Tables of the booktabs package, the best values in bold."""
    mark = outcome.lenient_mark
    comments = [r"Needs \usepackage{booktabs}.", *remarks(outcome)]
    head = "".join(f"% {clean(' '.join(line.split()))}\n" for line in comments)
    note = [f"\\emph{{{_escaped(mark)}}}\n"] if mark else []
    return head + "\n".join([*note, *(latex_grid(grid) for grid in grids_of(outcome))])


def latex_grid(grid: Grid) -> str:
    """A grid as a table of the booktabs package."""
    header, *rows = marked(grid, _latex_cell)
    title = f"\\textbf{{{_escaped(grid.title)}}}\n\n" if grid.title else ""
    lines = [
        f"\\begin{{tabular}}{{l{'r' * len(grid.columns)}}}",
        "\\toprule",
        " & ".join(header) + r" \\",
        "\\midrule",
        *(" & ".join(row) + r" \\" for row in rows),
        "\\bottomrule",
        "\\end{tabular}",
    ]
    return title + "".join(f"{line}\n" for line in lines)


def _latex_cell(cell: Cell) -> str:
    text = _escaped(cell.text)
    if text.startswith(("[", "*")):
        # After the end of a row these would belong to it.
        text = f"{{}}{text}"
    return f"\\textbf{{{text}}}" if cell.best else text


def _escaped(text: str) -> str:
    r"""What would mean something to LaTeX is escaped.

    >>> print(_escaped("bm25_k1 & 50%"))
    bm25\_k1 \& 50\%
    """
    return "".join(_LATEX.get(character, character) for character in clean(" ".join(text.split())))
