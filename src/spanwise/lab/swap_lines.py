"""What larger sets of topics would do: errors smoothed, and followed along a line."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from spanwise.text.ranges import Floats


@dataclass(frozen=True, slots=True)
class Line:
    """The logarithm of the error of a bin over the number of topics."""

    intercept: float
    slope: float
    flat: bool = False
    """It would have risen: more topics do no harm, so it was held level."""

    def at(self, size: int) -> float:
        """The error with so many topics; a share cannot pass 1."""
        return math.exp(min(0.0, self.intercept + self.slope * size))


def lines_of(errors: Floats) -> tuple[Line | None, ...]:
    """One for each bin; errors have a row for each number of topics, a column for each bin."""
    return tuple(fitted(column) for column in errors.T)


def fitted(errors: Floats) -> Line | None:
    """The line through the logarithms of smoothed errors of 1, 2, 3, ... topics.

    Sizes without an error have no logarithm and are left out. A line that would rise is level, at
    the mean of the logarithms: of all lines that do not rise it is the nearest.

    >>> fitted(np.array([0.5, 0.25, 0.125])).slope < 0
    True
    """
    smooth = smoothed(errors)
    places = np.flatnonzero(np.nan_to_num(smooth) > 0)
    if len(places) < 2:
        return None
    x, y = places + 1.0, np.log(smooth[places])
    spread = x - x.mean()
    slope = float((spread * (y - y.mean())).sum() / (spread**2).sum())
    kept = min(slope, 0.0)
    return Line(float(y.mean()) - kept * float(x.mean()), kept, slope > 0)


def smoothed(errors: Floats) -> Floats:
    """Each error averaged with its two neighbours, as far as there are any; NaN stays NaN.

    >>> smoothed(np.array([0.5, 0.25, 0.0, 0.25])).round(4).tolist()
    [0.375, 0.25, 0.1667, 0.125]
    """
    windows = np.lib.stride_tricks.sliding_window_view(np.pad(errors, 1, constant_values=np.nan), 3)
    known = ~np.isnan(windows)
    counts = np.where(np.isnan(errors), 1, known.sum(axis=1))
    found: Floats = np.where(known, windows, 0.0).sum(axis=1) / counts
    return np.where(np.isnan(errors), np.nan, found)
