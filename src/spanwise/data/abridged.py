"""Runs and judgements as a prompt or a notebook shows them: a line about all, and the first rows.

A run may have millions of answers; nothing here looks at more of them than it shows.
"""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from spanwise.errors import clean

MOST = 3
"""Rows that are shown."""
_LONGEST = 40
"""Characters of a name or a text that are shown."""


def first_rows(title: str, rows: Sequence[Sequence[str]], total: int) -> str:
    """A title, the first rows below it, and how many more there are.

    >>> print(first_rows("Run bm25: 1 topic", [("q1", "d7", "[0, 5)")], 3))
    Run bm25: 1 topic
      q1  d7  [0, 5)
      and 2 more
    """
    lines = [title, *(f"  {'  '.join(filter(None, row))}" for row in rows)]
    return "\n".join(lines if total == len(rows) else [*lines, f"  and {total - len(rows):,} more"])


def short(text: str) -> str:
    """The beginning of a name or a text, on one line."""
    begin = clean(" ".join(text[: 4 * _LONGEST].split()))
    return begin if len(begin) <= _LONGEST else f"{begin[: _LONGEST - 3]}..."


def as_html(text: str) -> str:
    """The same lines for a notebook."""
    return f"<pre>{escape(text)}</pre>"
