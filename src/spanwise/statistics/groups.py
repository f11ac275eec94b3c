"""The same comparison for each group of topics: who is good at what."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from spanwise.evaluation.scores import RunScores, Scores, exact_mean
from spanwise.statistics.comparison import Comparison, Procedure
from spanwise.statistics.pairing import compare_together


@dataclass(frozen=True, slots=True)
class Group:
    """The comparisons over the topics of one group, one for each measure."""

    name: str
    topics: int
    comparisons: tuple[Comparison, ...]


def compare_groups(
    scores: Scores,
    group_of: Mapping[str, str],
    procedure: Procedure,
    *,
    baseline: str | None = None,
) -> list[Group]:
    """A comparison of all runs in each group, groups in the order of ``group_of``.

    p is corrected for all pairs of all measures in all groups: whoever looks at many groups finds a
    difference somewhere. Groups without any topic of the evaluation are left out.
    """
    known = {topic for run in scores.runs for topic in run.topics}
    topics: dict[str, set[str]] = {}
    for topic, name in group_of.items():
        if topic in known:
            topics.setdefault(name, set()).add(topic)
    evaluations = [only(scores, own) for own in topics.values()]
    found = compare_together(evaluations, procedure, baseline)
    return [
        Group(name, len(own), tuple(comparisons))
        for (name, own), comparisons in zip(topics.items(), found, strict=True)
    ]


def only(scores: Scores, topics: set[str]) -> Scores:
    """The scores for some topics, with their means."""
    return replace(scores, runs=tuple(_only(run, topics) for run in scores.runs))


def _only(run: RunScores, topics: set[str]) -> RunScores:
    kept = [place for place, topic in enumerate(run.topics) if topic in topics]
    values = run.values[:, kept]
    names = tuple(run.topics[place] for place in kept)
    return replace(run, topics=names, values=values, means=tuple(map(exact_mean, values)))
