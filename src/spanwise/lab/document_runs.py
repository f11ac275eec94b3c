"""A run's whole-document version: the same documents in the same order, without parts."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from spanwise.data.run import Extent, Run
from spanwise.evaluation.align import settled
from spanwise.evaluation.aligned import Aligned
from spanwise.evaluation.evaluate import Evaluation
from spanwise.evaluation.policy import Notes

SUFFIX = "_doc"


@dataclass(frozen=True, slots=True)
class DocumentVersion:
    """What becomes of a run if it returns whole documents."""

    run: Run
    parts: int
    """Answers of the run itself that return less than their document."""

    @property
    def longest(self) -> int:
        """Documents of the longest list."""
        return int(np.diff(self.run.offsets).max(initial=0))


def document_version(run: Run, evaluation: Evaluation) -> DocumentVersion:
    """Each document of a topic once, whole, at the rank of its first answer.

    Order, number of results and everything else that is a matter of policy are decided before, as
    for the run itself, so that both versions list the same documents. Topics without relevant text
    are left out.

    Source: Arvola et al., Expected reading effort in focused retrieval evaluation, section 5.

    >>> from spanwise.data.faults import Faults
    >>> from spanwise.data.judgements import Judgements
    >>> judgements = Judgements(Faults("qrels"))
    >>> judgements.add_range("q1", "d7", 100, 250)
    >>> run = Run.of("bm25", ["q1"] * 3, ["d7", "d9", "d7"], start=[90, 0, 300], end=[200, 9, 400])
    >>> version = document_version(run, Evaluation(judgements.build(), ()))
    >>> version.run.name, version.run.documents.strings(), version.parts
    ('bm25_doc', ['d7', 'd9'], 3)
    """
    setting = evaluation
    aligned = settled(run, setting.assessments, setting.policy, Notes(), setting.documents)
    first = aligned.run.take(aligned.first_answer)
    nothing = np.zeros(len(first), np.int64)
    return DocumentVersion(
        replace(
            first,
            name=run.name + SUFFIX,
            extent=np.full(len(first), Extent.WHOLE, np.uint8),
            start=nothing,
            end=nothing,
            score=None,
            rank=None,
            order="file",
            paths=None,
            element=None,
            several_per_document=False,
        ),
        _parts(aligned),
    )


def _parts(aligned: Aligned) -> int:
    """Answers that are no whole documents; a range may be one, if it has all the characters.

    Where the lengths of some documents are not known, the others tell what a run is like.
    """
    run = aligned.run
    rows, length = aligned.known_lengths()
    ranged = run.extent[rows] == Extent.RANGE
    rows, length = rows[ranged], length[ranged]
    partly = (run.start[rows] > 0) | (run.end[rows] < length)
    ranges = int(np.count_nonzero(run.extent == Extent.RANGE))
    others = len(run) - ranges - int(np.count_nonzero(run.extent == Extent.WHOLE))
    return others + (int(np.count_nonzero(partly)) if len(rows) else ranges)
