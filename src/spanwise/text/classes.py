"""What each character is to words and sentences: letter, mark, blank, or none of these."""

from __future__ import annotations

import unicodedata
from functools import cache

import numpy as np
import numpy.typing as npt

Classes = npt.NDArray[np.uint8]

OTHER, WORD, MARK, DENSE, BLANK = range(5)
"""``WORD`` is a letter or digit, ``MARK`` belongs to the character before it, ``DENSE`` is written
without blanks between words (Chinese, Japanese, Korean, Thai and their neighbours)."""

_TABLE_END = 0x20000
_IDEOGRAPHS_END = 0x40000
_SELECTORS = (0xE0100, 0xE01F0)
_DENSE = (
    *((0x0E00, 0x0F00), (0x1000, 0x10A0), (0x1780, 0x1800), (0x2E80, 0x2FE0), (0x3005, 0x3008)),
    *((0x3031, 0x3036), (0x3040, 0x3100), (0x31F0, 0x3200), (0x3400, 0xA000), (0xAC00, 0xD7B0)),
    *((0xF900, 0xFB00), (0xFF66, 0xFFA0), (0x1B000, 0x1B170)),
)
"""Thai and Lao, Burmese, Khmer, radicals, kana, ideographs, Hangul: ranges of code points."""
_JOINERS = (0x00AD, 0x200C, 0x200D)
"""Soft hyphen and joiners stand inside words."""


def code_points(text: str) -> npt.NDArray[np.uint32]:
    """The number of each character."""
    if text.isascii():
        return np.frombuffer(text.encode("ascii"), np.uint8).astype(np.uint32)
    return np.frombuffer(text.encode("utf-32-le", "surrogatepass"), np.uint32)


def classes_of(text: str) -> Classes:
    """The class of each character.

    >>> classes_of("a\u0301 水.").tolist()
    [1, 2, 4, 3, 0]
    """
    code = code_points(text)
    found = _table()[np.minimum(code, _TABLE_END)]
    high = np.flatnonzero(code >= _TABLE_END)
    if len(high):
        code = code[high]
        selector = (code >= _SELECTORS[0]) & (code < _SELECTORS[1])
        found[high] = np.where(code < _IDEOGRAPHS_END, DENSE, np.where(selector, MARK, OTHER))
    return found


@cache
def _table() -> Classes:
    """Planes 0 and 1; above them are ideographs and hardly anything else."""
    table = np.zeros(_TABLE_END + 1, np.uint8)
    category = unicodedata.category
    kinds = {"L": WORD, "N": WORD, "M": MARK, "Z": BLANK}
    table[:_TABLE_END] = [kinds.get(category(chr(n))[0], OTHER) for n in range(_TABLE_END)]
    table[[n for n in range(_TABLE_END) if chr(n).isspace()]] = BLANK
    for first, end in _DENSE:
        dense = table[first:end]
        dense[dense == WORD] = DENSE
    table[list(_JOINERS)] = MARK
    return table
