"""Krippendorff's alpha for unitizing: do two assessors mark the same ranges of a text?"""

from __future__ import annotations

import numpy as np

from spanwise.records import Struct
from spanwise.text.ranges import Floats, Integers, Ranges, left_to_right


class Unitized(Struct, frozen=True, eq=False):
    """The same texts, divided into units and gaps by two assessors."""

    first: Ranges
    second: Ranges
    length: Integers
    """Of each text, which is one owner of the ranges."""
    group: Integers
    """The group (topic) of each text, in ascending order."""
    groups: int

    def together(self) -> Unitized:
        """All texts as one group."""
        return Unitized(self.first, self.second, self.length, np.zeros_like(self.group), 1)


def unitizing_alpha(given: Unitized) -> Floats:
    r"""Krippendorff's alpha for unitizing, of each group of texts; NaN where nothing is marked.

    $${}_u\alpha = 1 - \frac{D_o}{D_e}, \quad
      D_o = \frac{1}{L^2} \sum \delta^2, \quad
      D_e = \frac{\frac{2}{L} \sum_g \Bigl[ \frac{N - 1}{3} (2 l_g^3 - 3 l_g^2 + l_g)
      + l_g^2 \sum_{h:\, l_h \ge l_g} (l_h - l_g + 1) \Bigr]}
      {2L(2L - 1) - \sum_g l_g (l_g - 1)}$$

    where L is the length of the texts together, N the number of units (marked ranges) of both
    assessors, g runs over these and $l_g$ is the length of one, h over the gaps of both assessors
    between units. $\delta^2$ is, of two units that share characters, $(b_1 - b_2)^2 + (e_1 -
    e_2)^2$ with their beginnings b and ends e, and of a unit that lies in a gap of the other
    assessor the square of its length. Differences are squared: a long range that one of them
    lacks counts more than many short ones, and whether a text was marked in one piece matters.

    Several texts are laid end to end; no unit and no gap goes beyond its text, which is our
    choice. It is the version of 1995 with the expected disagreement as printed in 2004, not the
    one of 2016 (Krippendorff, Mathet, Bouvry and Widlöcher), which counts shared characters.

    Source: Krippendorff 1995; Krippendorff 2004, section 11.6.

    >>> first = Ranges.of([[(75, 145), (220, 250)]])
    >>> second = Ranges.of([[(70, 150), (205, 225), (250, 270)]])
    >>> texts = Unitized(first, second, np.array([300]), np.array([0]), 1)
    >>> unitizing_alpha(texts).round(4).tolist()
    [0.7286]
    """
    observed = _observed(given)
    expected = _expected(given)
    size = _sums(given.length.astype(np.float64), given.group, given.groups)
    result = np.full(given.groups, np.nan)
    np.divide(observed, expected * size**2, out=result, where=expected > 0)
    found: Floats = 1 - result
    return found


def _sums(values: Floats, group: Integers, groups: int) -> Floats:
    return left_to_right(values, group, groups)


def _observed(given: Unitized) -> Floats:
    """The squared differences of each group, added up."""
    first, second, total = given.first, given.second, np.zeros(given.groups)
    mine, other = second.meetings(first.owner, first.start, first.end)
    begins, ends = first.start[mine] - second.start[other], first.end[mine] - second.end[other]
    apart = begins.astype(np.float64) ** 2 + ends.astype(np.float64) ** 2
    total += _sums(apart, given.group[first.owner[mine]], given.groups)
    for ranges, met in ((first, mine), (second, other)):
        alone = np.ones(len(ranges.start), np.bool_)
        alone[met] = False
        squares = (ranges.end - ranges.start)[alone].astype(np.float64) ** 2
        total += _sums(squares, given.group[ranges.owner[alone]], given.groups)
    return total


def _expected(given: Unitized) -> Floats:
    """The expected disagreement of each group."""
    units, unit_group = _sizes((given.first, given.second), given.group)
    whole = (given.first.complement(given.length), given.second.complement(given.length))
    gaps, gap_group = _sizes(whole, given.group)
    length, count = units.astype(np.float64), np.bincount(unit_group, minlength=given.groups)
    among_units = (count[unit_group] - 1) / 3 * (2 * length**3 - 3 * length**2 + length)
    among_gaps = length**2 * _room(units, unit_group, gaps, gap_group)
    size = _sums(given.length.astype(np.float64), given.group, given.groups)
    places = 2 * size * (2 * size - 1) - _sums(length * (length - 1), unit_group, given.groups)
    both = _sums(among_units + among_gaps, unit_group, given.groups)
    known = (size > 0) & (places > 0)
    result = np.zeros(given.groups)
    np.divide(2 * both, size * places, out=result, where=known)
    return result


def _sizes(several: tuple[Ranges, Ranges], group: Integers) -> tuple[Integers, Integers]:
    """The length of every range, and its group."""
    lengths = np.concatenate([ranges.end - ranges.start for ranges in several])
    return lengths, np.concatenate([group[ranges.owner] for ranges in several])


def _room(units: Integers, unit_group: Integers, gaps: Integers, gap_group: Integers) -> Floats:
    """In how many places of the gaps of its group each unit has room."""
    order = np.lexsort((gaps, gap_group))
    gaps, gap_group = gaps[order], gap_group[order]
    groups = int(max(unit_group.max(initial=-1), gap_group.max(initial=-1))) + 1
    after = np.searchsorted(gap_group, np.arange(groups), "right")[unit_group]
    first = _first_as_long(units, unit_group, gaps, gap_group)
    sizes = np.concatenate(([0], np.cumsum(gaps)))
    room: Integers = sizes[after] - sizes[first] - (after - first) * (units - 1)
    return room.astype(np.float64)


def _first_as_long(
    units: Integers, unit_group: Integers, gaps: Integers, gap_group: Integers
) -> Integers:
    """The first of the sorted gaps of its group in which each unit has room."""
    lengths = np.unique(np.concatenate((units, gaps)))
    stride = len(lengths) + 1
    places = gap_group * stride + np.searchsorted(lengths, gaps)
    return np.searchsorted(places, unit_group * stride + np.searchsorted(lengths, units), "left")
