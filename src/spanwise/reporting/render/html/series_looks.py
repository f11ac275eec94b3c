"""The look of each series: its colour and dash follow from its name, wherever it is drawn."""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Mapping
from typing import NamedTuple

COLOURS, DASHES = 8, 5
"""Colours and dashes have no common divisor: forty series are all different."""


class SeriesLook(NamedTuple):
    """A colour of the palette and a way to dash."""

    colour: int
    dash: int

    @property
    def classes(self) -> str:
        """In the style sheet."""
        return f"c{self.colour} d{self.dash}"


def looks_of(names: Iterable[str]) -> Mapping[str, SeriesLook]:
    """A look for each name, whatever order they come in; colours repeat as late as possible."""
    found: dict[str, SeriesLook] = {}
    taken: set[int] = set()
    for number, name in enumerate(sorted(set(names))):
        if number % COLOURS == 0:
            taken = set()
        own = zlib.crc32(name.encode("utf-8", "replace"))
        colour = next(c % COLOURS for c in range(own, own + COLOURS) if c % COLOURS not in taken)
        taken.add(colour)
        found[name] = SeriesLook(colour, (colour + number // COLOURS) % DASHES)
    return found
