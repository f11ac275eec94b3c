"""Multiple-comparison corrections of p values."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from spanwise.text.ranges import Floats

if TYPE_CHECKING:
    from spanwise.statistics.procedure import Correction


def corrected(p: Floats, correction: Correction) -> Floats:
    """The p values of all pairs, corrected for their number."""
    if correction == "holm":
        return holm(p)
    return benjamini_hochberg(p) if correction == "bh" else p


def holm(p: Floats) -> Floats:
    r"""Holm's step-down correction: the chance of a single false alarm stays below the level.

    $$\tilde p_{(i)} = \min\bigl(1, \max_{j \le i} (m - j + 1)\, p_{(j)}\bigr)$$

    where $p_{(1)} \le \dots \le p_{(m)}$ are the m values in order.

    Source: Holm 1979.

    >>> holm(np.array([0.25, 0.125, 0.5])).tolist()
    [0.5, 0.375, 0.5]
    """
    order = np.argsort(p, kind="stable")
    stepped = np.maximum.accumulate(p[order] * np.arange(len(p), 0, -1))
    return _put_back(np.minimum(stepped, 1.0), order)


def benjamini_hochberg(p: Floats) -> Floats:
    r"""The Benjamini-Hochberg correction: the share of false alarms stays below the level.

    $$\tilde p_{(i)} = \min_{j \ge i} \frac{m}{j}\, p_{(j)}$$

    where $p_{(1)} \le \dots \le p_{(m)}$ are the m values in order.

    Source: Benjamini & Hochberg 1995.

    >>> benjamini_hochberg(np.array([0.25, 0.125, 0.5])).tolist()
    [0.375, 0.375, 0.5]
    """
    order = np.argsort(p, kind="stable")
    stepped = p[order] * (len(p) / np.arange(1, len(p) + 1))
    return _put_back(np.minimum.accumulate(stepped[::-1])[::-1], order)


def _put_back(values: Floats, order: np.ndarray) -> Floats:
    found = np.empty_like(values)
    found[order] = values
    return found
