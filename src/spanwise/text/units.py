"""Offsets that count something else than code points, converted at the door."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import numpy as np

from spanwise.records import Struct
from spanwise.text.ranges import Booleans, Integers

Unit = Literal["codepoint", "utf16", "byte"]
UNITS: tuple[Unit, ...] = ("codepoint", "utf16", "byte")


class Characters(Struct, frozen=True, eq=False):
    """Where the characters of one text begin, counted in some unit, and where the text ends.

    >>> Characters.of("a😀b", "utf16").edges.tolist()
    [0, 1, 3, 4]
    """

    edges: Integers

    @classmethod
    def of(cls, text: str, unit: Unit) -> Characters:
        """The characters of a text in a unit."""
        if unit == "codepoint" or text.isascii():
            return cls(np.arange(len(text) + 1))
        if unit == "utf16":
            units = np.frombuffer(text.encode("utf-16-le"), "<u2")
            begins = np.flatnonzero((units & 0xFC00) != 0xDC00)
        elif unit == "byte":
            units = np.frombuffer(text.encode(), np.uint8)
            begins = np.flatnonzero((units & 0xC0) != 0x80)
        else:
            raise ValueError(f"unknown unit {unit!r}: one of {', '.join(UNITS)}")
        return cls(np.append(begins, len(units)))

    def codepoints(self, offsets: Integers) -> tuple[Integers, Booleans]:
        """The code point at which each offset stands, and which offsets stand at none."""
        place = np.searchsorted(self.edges, offsets)
        place = np.minimum(place, len(self.edges) - 1)
        return place, self.edges[place] != offsets

    def problem(self, offset: int) -> str:
        """Why an offset stands at no code point."""
        last = int(self.edges[-1])
        if not 0 <= offset <= last:
            return f"offset {offset} outside the text, which has {last} units"
        character = int(np.searchsorted(self.edges, offset)) - 1
        return f"offset {offset} inside the character at code point {character}"


def codepoints_from(text: str, offsets: Integers | Sequence[int], unit: Unit) -> Integers:
    """Offsets into a text that count another unit, in code points.

    >>> codepoints_from("a😀b", [0, 1, 3], "utf16").tolist()
    [0, 1, 2]
    >>> codepoints_from("a😀b", [0, 1, 5], "byte").tolist()
    [0, 1, 2]
    """
    wanted = np.asarray(offsets, np.int64)
    characters = Characters.of(text, unit)
    converted, wrong = characters.codepoints(wanted)
    if wrong.any():
        row = int(np.argmax(wrong))
        raise ValueError(f"{characters.problem(int(wanted[row]))} (position {row} of the offsets)")
    return converted
