"""Plain text, code and whatever is not known: paragraphs between blank lines."""

from __future__ import annotations

from spanwise.collection.outline import Outline
from spanwise.collection.parsed import Parsed
from spanwise.collection.text_lines import lines_of
from spanwise.data.elements import ROOT, Paths


def parse_plain(file: str, text: str, paths: Paths) -> Parsed:
    """One ``document`` with a ``p`` for each paragraph."""
    outline = Outline(file, paths)
    document = outline.add(ROOT, "document", 0, len(text))
    row = document
    for line in lines_of(text):
        if line.follows:
            outline.end(row, line.end)
        else:
            row = outline.add(document, "p", line.start, line.end)
    return Parsed(text, "raw", outline.tree())
