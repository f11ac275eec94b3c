"""Gains: what each answer of a list gains, beside an ideal list (Kazai and Lalmas, XCG)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from spanwise.text.ranges import Booleans, Floats, Integers


@dataclass(eq=False)
class Gains:
    """The vectors xG and xI of many rankings."""

    offsets: Integers
    """``gain[offsets[r]:offsets[r + 1]]`` are the gains of ranking r, in its order."""
    gain: Floats
    ideal_offsets: Integers
    ideal: Floats
    """What the ideal list of each ranking gains: descending, without zeros."""

    @property
    def defined(self) -> Booleans:
        """Which rankings have anything to gain; the others are undefined for every gain list."""
        result: Booleans = np.diff(self.ideal_offsets) > 0
        return result


@dataclass(frozen=True, eq=False)
class Quantised:
    """Values of the elements that were returned, for measures that know no overlap."""

    offsets: Integers
    value: Floats
    """Of each answer; 0 for an exact repetition."""
    total: Floats
    """Of all assessed elements of each ranking's topic."""
