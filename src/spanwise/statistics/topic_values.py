"""The values of runs topic by topic, and values rounded so that their sums are exact."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from spanwise.evaluation.scores import Scores
from spanwise.text.ranges import Floats

# Differences that are equal on paper differ by some 1e-16 of the values in floating point.
_FINEST_BITS = 40
# A double holds 53 bits. Two of these are for the sign of a difference and for doubling a sum.
_EXACT_BITS = 51
_SMALLEST_EXPONENT = -900


@dataclass(frozen=True, eq=False)
class TopicValues:
    """The values of all runs under one measure.

    A row for each run, a column for each topic of any run, topics sorted; NaN where a run has no
    value for a topic.
    """

    runs: tuple[str, ...]
    topics: tuple[str, ...]
    values: Floats

    @classmethod
    def of(cls, scores: Scores, number: int) -> TopicValues:
        """The values under one of the measures of an evaluation."""
        topics = tuple(sorted({topic for run in scores.runs for topic in run.topics}))
        place = {topic: column for column, topic in enumerate(topics)}
        values = np.full((len(scores.runs), len(topics)), np.nan)
        for row, run in enumerate(scores.runs):
            values[row, [place[topic] for topic in run.topics]] = run.values[number]
        return cls(tuple(run.run for run in scores.runs), topics, values)

    @property
    def defined(self) -> npt.NDArray[np.bool_]:
        """Where there is a value."""
        return ~np.isnan(self.values)

    def together(
        self, members: Sequence[tuple[int, ...]]
    ) -> Iterator[tuple[list[int], npt.NDArray[np.intp]]]:
        """Groups of runs or pairs that share their topics: places in ``members``, and topics."""
        groups: dict[bytes, list[int]] = {}
        defined = self.defined
        masks = [defined[list(member)].all(axis=0) for member in members]
        for place, mask in enumerate(masks):
            groups.setdefault(mask.tobytes(), []).append(place)
        for places in groups.values():
            yield places, np.flatnonzero(masks[places[0]])


Differences = list[tuple[str, float]]
"""Topics with the difference of two runs, the largest first."""


def differences_of(scores: Scores, measure: str, run: str, reference: str) -> Differences:
    """Topics that both runs have, with the difference of their values, the largest first."""
    own, other = scores.per_topic(measure, run), scores.per_topic(measure, reference)
    topics = [topic for topic in own if topic in other]
    values = [np.array([[known[topic]] for topic in topics]) for known in (own, other)]
    found = differences_on_grid(*values)[:, 0].tolist() if topics else []
    return sorted(zip(topics, found, strict=True), key=lambda pair: (-pair[1], pair[0]))


# -- a grid on which sums are exact


def on_grid(values: Floats, scale: Floats) -> Floats:
    r"""Values (a row for each topic) as multiples of a power of two, one for each column.

    $$g(x) = s\,\mathrm{round}(x / s), \quad s = 2^{e-b}$$

    where e is the exponent of ``scale``, the largest value behind the column, and b is 40 bits,
    fewer if there are more than 2048 topics. Every sum over topics, resampled or with changed
    signs, is then free of rounding error: it is the same in any order and in any partition of a
    matrix product, and a column does not depend on its neighbours. Sums that are equal on paper
    may be some steps apart, since each of their terms was rounded: see :func:`difference_slack`.

    Source: our choice.

    >>> found = on_grid(np.array([[0.3 - 0.2], [0.2 - 0.1]]), np.array([0.3]))
    >>> bool(found[0, 0] == found[1, 0]), bool(0.3 - 0.2 == 0.2 - 0.1)
    (True, False)
    """
    step = _step(len(values), scale)
    rounded: Floats = np.rint(values / step) * step
    return rounded


def _step(topics: int, scale: Floats) -> Floats:
    bits = min(_FINEST_BITS, _EXACT_BITS - int(np.ceil(np.log2(max(topics, 1)))))
    exponent = np.maximum(np.frexp(scale)[1], _SMALLEST_EXPONENT)
    step: Floats = np.ldexp(1.0, exponent - bits)
    return step


def differences_on_grid(a: Floats, b: Floats) -> Floats:
    """The differences of two tables (a row for each topic), rounded to the grid of their values."""
    return on_grid(a - b, _scale(a, b))


def difference_slack(a: Floats, b: Floats) -> Floats:
    """How far apart sums of such differences may be and still count as equal, for each column.

    Each term is at most half a step off. A sum over as many terms as there are topics, compared
    with twice another one, is then off by less than two steps for each topic.

    >>> a, b = np.array([[0.2], [0.2], [0.4]]), np.zeros((3, 1))
    >>> x = differences_on_grid(a, b)[:, 0]
    >>> bool(x[0] + x[1] == x[2]), bool(abs(x[0] + x[1] - x[2]) <= difference_slack(a, b)[0])
    (False, True)
    """
    return 2 * len(a) * _step(len(a), _scale(a, b))


def _scale(a: Floats, b: Floats) -> Floats:
    scale: Floats = np.maximum(np.abs(a), np.abs(b)).max(axis=0, initial=0.0)
    return scale


def values_on_grid(values: Floats) -> Floats:
    """A table (a row for each topic), rounded to the grid of its values."""
    return on_grid(values, _scale(values, values))
