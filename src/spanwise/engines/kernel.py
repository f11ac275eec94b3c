"""The kernel of every engine: whole (run, topic) groups in; scores of topics and a tally out.

It is a pure function of its arguments: no files, no clock, nothing global. Engines cut runs into
batches, call it for each batch wherever they like, and put the results together in any order. All
formulas, policies and notes are those of :mod:`spanwise.evaluation`.
"""

from __future__ import annotations

from collections.abc import Iterable

from spanwise.data.run import Run
from spanwise.evaluation.collector import BlockScores, Collector
from spanwise.evaluation.evaluate import Evaluation
from spanwise.evaluation.scores import RunScores


def score_batch(context: Evaluation, batch: Iterable[Run]) -> list[BlockScores]:
    """The scores of a batch of runs, or of parts of them, one result for each.

    ``context`` holds assessments, measures, policy and documents, and can be pickled. A part of a
    run has all answers of each of its topics, in the order of the file.

    >>> from spanwise.inputs.session import Session
    >>> from spanwise.inputs.settings import Settings
    >>> session = Session(Settings())
    >>> judged = {"q1": {"d7": [(100, 250)]}, "q2": {"d9": [(0, 10)]}}
    >>> context = session.evaluation(judged, session.measures(["textR"]))
    >>> part = Run.of("bm25", ["q2"], ["d9"], start=[0], end=[5])
    >>> [found] = score_batch(context, [part])
    >>> found.run, found.topics, found.table.tolist()
    ('bm25', ('q2',), [[0.5]])
    >>> gathered(context, [found])[0].means
    (0.25,)
    """
    return [context.score_block(part, guarded=True) for part in batch]


def gathered(context: Evaluation, parts: Iterable[BlockScores]) -> list[RunScores]:
    """The scores of whole runs from those of all their parts, in any order; runs by name.

    Parts of equal runs give equal bits and equal notes, however the runs were cut.
    """
    collectors: dict[str, Collector] = {}
    for part in parts:
        if part.run not in collectors:
            collectors[part.run] = context.collector(part.run)
        collectors[part.run].take(part)
    return [collectors[name].finish() for name in sorted(collectors)]
