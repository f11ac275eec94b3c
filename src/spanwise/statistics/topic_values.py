"""The values of all runs under one measure, topic by topic."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from spanwise.evaluation.scores import Scores
from spanwise.text.ranges import Floats


@dataclass(frozen=True, eq=False)
class TopicValues:
    """A row for each run, a column for each topic of any run, topics sorted; NaN is no value."""

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
