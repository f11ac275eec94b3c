"""What a pool may miss: each run scored as if it had not been part of the pool.

A run that was pooled had all its first documents judged; a new one has not. Taking away the
judgements of the documents that only one run brought shows what that run would have lost.

Source: Zobel, How reliable are the results of large-scale information retrieval experiments?
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterator
from copy import copy

import numpy as np

from spanwise.assessing.pooling import Pair
from spanwise.data.run import Run
from spanwise.evaluation.evaluate import Evaluation
from spanwise.evaluation.scores import exact_mean
from spanwise.measures.grammar import Asked
from spanwise.records import Struct
from spanwise.text.ranges import Integers


class LeftOut(Struct, frozen=True):
    """One run under one measure, with and without the documents that only it brought."""

    run: str
    asked: Asked
    value: float | None
    """The mean as it is, over the topics that both have; None if there is no such topic."""
    without: float | None
    """The mean without the judgements of these documents."""
    documents: int
    """How many of its documents were judged and brought by no other run."""
    lost: int
    """Topics that have relevant text in these documents only: they are in neither mean."""

    @property
    def difference(self) -> float | None:
        """What the run would lose (less than 0) or win."""
        if self.value is None or self.without is None:
            return None
        return self.without - self.value


def left_out(evaluation: Evaluation, run: Run, pairs: Collection[Pair]) -> Iterator[LeftOut]:
    """A run under every measure of an evaluation, these documents judged and unjudged."""
    judged = evaluation.assessments
    gone = _numbers(evaluation, pairs)
    other = copy(evaluation)
    other.assessments = judged.without(gone)
    common = other.assessments.topics_with_relevant
    lost = len(judged.topics_with_relevant - common)
    rows: list[tuple[float | None, ...]] = [(None,) * len(evaluation.measures)] * 2
    if common:
        rows = [_means(each, run.only(common), common) for each in (evaluation, other)]
    for asked, value, without in zip(evaluation.measures, *rows, strict=True):
        yield LeftOut(run.name, asked, value, without, len(gone), lost)


def _numbers(evaluation: Evaluation, pairs: Collection[Pair]) -> Integers:
    """The judged ones of these pairs."""
    judged = evaluation.assessments
    topics = np.array(judged.topics, object)[judged.topic].tolist()
    names = zip(topics, judged.documents.strings(), strict=True)
    return np.flatnonzero([pair in pairs for pair in names])


def _means(evaluation: Evaluation, run: Run, topics: Collection[str]) -> tuple[float | None, ...]:
    """The mean of each measure over these topics."""
    scores = evaluation.score([run], run.name)
    rows = np.flatnonzero([topic in topics for topic in scores.topics])
    means = (exact_mean(values[rows]) for values in scores.values)
    return tuple(None if mean is None or math.isnan(mean) else mean for mean in means)
