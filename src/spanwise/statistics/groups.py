"""The same comparison for each group of topics: who is good at what."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from spanwise.evaluation.scores import RunScores, Scores, exact_mean
from spanwise.statistics.comparison import Comparison, Procedure, compare
from spanwise.statistics.pairing import corrected_pairs


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

    The correction of a measure is over all pairs of all groups: whoever looks at many groups finds
    a difference somewhere. Groups without any topic of the evaluation are left out.
    """
    known = {topic for run in scores.runs for topic in run.topics}
    topics: dict[str, set[str]] = {}
    for topic, name in group_of.items():
        if topic in known:
            topics.setdefault(name, set()).add(topic)
    found = [
        Group(name, len(own), tuple(compare(only(scores, own), procedure, baseline=baseline)))
        for name, own in topics.items()
    ]
    return _corrected(found, procedure)


def only(scores: Scores, topics: set[str]) -> Scores:
    """The scores for some topics, with their means."""
    return replace(scores, runs=tuple(_only(run, topics) for run in scores.runs))


def _only(run: RunScores, topics: set[str]) -> RunScores:
    kept = [place for place, topic in enumerate(run.topics) if topic in topics]
    values = run.values[:, kept]
    names = tuple(run.topics[place] for place in kept)
    return replace(run, topics=names, values=values, means=tuple(map(exact_mean, values)))


def _corrected(groups: list[Group], procedure: Procedure) -> list[Group]:
    by_measure = zip(*(group.comparisons for group in groups), strict=True)
    anew = [_corrected_together(comparisons, procedure) for comparisons in by_measure]
    return [
        replace(group, comparisons=tuple(comparisons[place] for comparisons in anew))
        for place, group in enumerate(groups)
    ]


def _corrected_together(
    comparisons: tuple[Comparison, ...], procedure: Procedure
) -> list[Comparison]:
    pairs = [pair for comparison in comparisons for pair in comparison.pairs]
    anew = iter(corrected_pairs(pairs, procedure.correction))
    return [replace(one, pairs=tuple(next(anew) for _ in one.pairs)) for one in comparisons]
