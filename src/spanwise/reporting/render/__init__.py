"""Renderers: one for each kind of output, none of which knows who made the output."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from pathlib import Path

from spanwise.data.notes import Note, grouped
from spanwise.errors import OutputError, encoded, legible, option, spoken
from spanwise.reporting.output import Output
from spanwise.reporting.render.cells import Look

FORMATS = ("table", "tsv", "csv", "jsonl", "json", "markdown", "latex")
"""What standard output can have; files can be Parquet and HTML too."""
ENDINGS: Mapping[str, str] = {
    ".txt": "table",
    ".tsv": "tsv",
    ".csv": "csv",
    ".jsonl": "jsonl",
    ".json": "json",
    ".md": "markdown",
    ".tex": "latex",
    ".parquet": "parquet",
    ".html": "html",
}
"""The format that a file's ending asks for."""
DOCUMENTED = ("json", "html")
"""Formats with a place for the hashes of the inputs."""


def rendered(output: Output, format: str, look: Look | None = None) -> bytes:
    """An output in one of the formats."""
    return _RENDERERS[format](output, look or Look())


def format_of(file: str, endings: Mapping[str, str] = ENDINGS) -> str | None:
    """The format that a file's ending asks for; None for a file without one."""
    name = legible(file)
    ending = Path(name).suffix.lower()
    if not ending:
        return None
    if ending not in endings:
        raise OutputError(
            f"{name}: found the ending {ending}, expected one of {', '.join(endings)}; or use"
            f" {option('output')}"
        )
    return endings[ending]


def note_lines(notes: Iterable[Note], look: Look) -> list[str]:
    """Notes as sentences, those of one kind about several runs as one."""
    shown = list(dict.fromkeys(notes)) if look.every_note else grouped(dict.fromkeys(notes))
    return [look.sentence(note.said(look.dialect)) for note in shown]


def _terminal(output: Output, look: Look) -> bytes:
    from spanwise.reporting.render.terminal import terminal_text

    return encoded(terminal_text(output, look))


def _markdown(output: Output, look: Look) -> bytes:
    from spanwise.reporting.render.markup import markdown

    return encoded(markdown(output, look))


def _latex(output: Output, look: Look) -> bytes:
    from spanwise.reporting.render.markup import latex

    return encoded(latex(output, look))


def _for_programs(name: str) -> Callable[[Output, Look], bytes]:
    def render(output: Output, look: Look) -> bytes:
        from spanwise.reporting.render import rows

        text: str = getattr(rows, name)(output)
        return encoded(spoken(text, look.dialect))

    return render


def _junit(output: Output, look: Look) -> bytes:
    from spanwise.reporting.render.junit import junit

    return junit(output, look)


def _parquet(output: Output, look: Look) -> bytes:
    from spanwise.reporting.render.rows import parquet

    return parquet(output)


def _html(output: Output, look: Look) -> bytes:
    from spanwise.reporting.render.html import page

    return encoded(page(output, look))


_RENDERERS: Mapping[str, Callable[[Output, Look], bytes]] = {
    "table": _terminal,
    "markdown": _markdown,
    "latex": _latex,
    "tsv": _for_programs("tsv"),
    "csv": _for_programs("comma_separated"),
    "jsonl": _for_programs("json_lines"),
    "json": _for_programs("json_object"),
    "parquet": _parquet,
    "html": _html,
    "junit": _junit,
}
