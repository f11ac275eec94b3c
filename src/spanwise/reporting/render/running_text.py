"""Texts of documents on a terminal: safe to show, and broken at its width in any script."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator

from spanwise.errors import clean
from spanwise.reporting.render.cells import display_width
from spanwise.text.passages import is_between_signs

_JOINERS = "\u200c\u200d"
"""They have no width, and hold together what people see as one sign."""
_INVISIBLE = "\u00ad\ufeff"
"""Marks where a word may be broken, and where a file begins."""


def legible(text: str) -> str:
    r"""A text in which nothing is obeyed or unseen; emoji that are joined stay joined.

    >>> print(legible("\x1b[2J soft\u00adly \u202e"))
    \x1b[2J softly \u202e
    """
    if text.isprintable():
        return text
    kept = (sign if sign in _JOINERS else clean(sign) for sign in text if sign not in _INVISIBLE)
    return "".join(kept)


def wrapped(text: str, width: int | None, hanging: int) -> Iterator[str]:
    """The lines of a text; no width: one line.

    >>> list(wrapped("  1. one two three", 12, 5)), list(wrapped("日本語です", 7, 1))
    (['  1. one two', '     three'], ['日本語', ' です'])
    """
    text = legible(text)
    if width is None:
        yield text
        return
    indent = len(text) - len(text.lstrip(" "))
    line, used, blank = text[:indent], indent, False
    begins = True
    for word, ends in _units(text[indent:]):
        size = display_width(word)
        if not begins and used + blank + size > width:
            yield line
            line, used, blank = " " * hanging, hanging, False
        line += f"{' ' if blank else ''}{word}"
        used += blank + size
        blank, begins = ends, False
    yield line


def _units(text: str) -> Iterator[tuple[str, bool]]:
    """What is not broken: words, or signs where these are wide; and whether a blank follows."""
    for word in text.split(" "):
        *first, last = _signs(word) if _is_wide(word) else [word]
        yield from ((sign, False) for sign in first)
        yield last, True


def _is_wide(word: str) -> bool:
    return not word.isascii() and any(unicodedata.east_asian_width(s) in "WF" for s in word)


def _signs(word: str) -> list[str]:
    """The wide signs of a word one by one, all that is narrow between them in one piece."""
    parts: list[str] = []
    for place, sign in enumerate(word):
        wide = unicodedata.east_asian_width(sign) in "WF"
        before = place > 0 and unicodedata.east_asian_width(word[place - 1]) in "WF"
        if place and (not is_between_signs(word, place) or not (wide or before)):
            parts[-1] += sign
        else:
            parts.append(sign)
    return parts
