"""Outputs to be pasted into a text: Markdown and LaTeX."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from spanwise.errors import clean
from spanwise.reporting.output import Headline, Lines, Output, Part, Plot, Table
from spanwise.reporting.render import note_lines
from spanwise.reporting.render.cells import Look
from spanwise.reporting.render.text_tables import TextCell, TextTable

_MINUS = re.compile(r"(?<![\w$])-(?=[0-9])")
_LATEX = {
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    **{sign: f"\\{sign}" for sign in "&%$#_{}"},
}


def markdown(output: Output, look: Look) -> str:
    """Paragraphs, and tables with pipes; the best values are bold."""
    heading = [_heading(output)] if look.document else []
    mark = [f"> {markdown_text(output.lenient)}\n"] if output.lenient else []
    parts = filter(None, (_markdown_part(part, look) for part in output.parts))
    return "\n".join([*heading, *mark, *parts, *(_notes(output, look) if look.document else [])])


def _heading(output: Output) -> str:
    title = f": {markdown_text(output.title)}" if output.title else ""
    return f"## spanwise {output.producer}{title}\n"


def _notes(output: Output, look: Look) -> list[str]:
    lines = "".join(f"- {markdown_text(line)}\n" for line in note_lines(output.notes, look))
    return ["### Notes\n", lines] if lines else []


def _markdown_part(part: Part, look: Look) -> str:
    if isinstance(part, Plot):
        return ""
    if isinstance(part, Table):
        said = filter(None, (*part.sentences, part.legend))
        legend = "".join(f"\n{markdown_text(look.sentence(line))}\n" for line in said)
        left = [column.clips for column in part.columns[1:]]
        return markdown_table(TextTable.of(part, look.digits), left) + legend
    if isinstance(part, Lines):
        return "".join(f"- {markdown_text(look.sentence(line))}\n" for line in part.lines)
    if isinstance(part, Headline):
        return f"**{markdown_text(look.sentence(part.text))}**\n"
    return f"{markdown_text(look.sentence(part if isinstance(part, str) else part.text))}\n"


def markdown_table(table: TextTable, left: Sequence[bool] = ()) -> str:
    """A table with pipes; columns of names are aligned to the left."""
    header, *rows = ([_markdown_cell(cell) for cell in line] for line in table.lines())
    aligned = left or [False] * len(table.columns)
    rule = ["---", *("---" if each else "---:" for each in aligned)]
    title = f"**{markdown_text(table.title)}**\n\n" if table.title else ""
    return title + "".join(f"| {' | '.join(line)} |\n" for line in [header, rule, *rows])


def _markdown_cell(cell: TextCell) -> str:
    text = markdown_text(cell.text)
    return f"**{text}**" if cell.best else text


def markdown_text(text: str) -> str:
    """What would mean something to Markdown is escaped."""
    return re.sub(r"([\\|*_<>`\[\]!&])", r"\\\1", clean(" ".join(text.split())))


def latex(output: Output, look: Look) -> str:
    """Tables of the booktabs package, the best values in bold; sentences are comments."""
    mark = [f"\\emph{{{latex_text(output.lenient)}}}\n"] if output.lenient else []
    head = [r"% Needs \usepackage{booktabs}." + "\n"]
    body = (text for part in output.parts for text in _latex(part, look))
    return "\n".join([*head, *mark, *body])


def _latex(part: Part, look: Look) -> Iterator[str]:
    if isinstance(part, Table):
        yield latex_table(TextTable.of(part, look.digits)) + _comments(
            [*part.sentences, part.legend], look
        )
    elif isinstance(part, Lines):
        yield _comments(part.lines, look)
    elif not isinstance(part, Plot):
        yield _comments([part if isinstance(part, str) else part.text], look)


def _comments(lines: Sequence[str], look: Look) -> str:
    said = (look.sentence(" ".join(line.split())) for line in lines if line)
    return "".join(f"% {line}\n" for line in said)


def latex_table(table: TextTable) -> str:
    """A table of the booktabs package."""
    header, *rows = ([_latex_cell(cell) for cell in line] for line in table.lines())
    title = f"\\textbf{{{latex_text(table.title)}}}\n\n" if table.title else ""
    lines = [
        f"\\begin{{tabular}}{{l{'r' * len(table.columns)}}}",
        "\\toprule",
        " & ".join(header) + r" \\",
        "\\midrule",
        *(" & ".join(row) + r" \\" for row in rows),
        "\\bottomrule",
        "\\end{tabular}",
    ]
    return title + "".join(f"{line}\n" for line in lines)


def _latex_cell(cell: TextCell) -> str:
    text = _MINUS.sub("$-$", latex_text(cell.text)).replace("–", "--")
    if text.startswith(("[", "*")):
        # After the end of a row these would belong to it.
        text = f"{{}}{text}"
    return f"\\textbf{{{text}}}" if cell.best else text


def latex_text(text: str) -> str:
    r"""What would mean something to LaTeX is escaped.

    >>> print(latex_text("bm25_k1 & 50%"))
    bm25\_k1 \& 50\%
    """
    return "".join(_LATEX.get(character, character) for character in clean(" ".join(text.split())))
