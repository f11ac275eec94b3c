"""How much of the first documents and answers of a run is unjudged."""

from __future__ import annotations

import numpy as np

from spanwise.evaluation.align import Aligned
from spanwise.records import Struct
from spanwise.text.ranges import Booleans, Integers


class UnjudgedShare(Struct):
    """Documents and answers at the first ranks of all topics of one run, and how many are unjudged.

    Documents are those of the first ``depth`` ranks of the list of documents, answers those of the
    first ``depth`` ranks of the list of answers.
    """

    run: str
    depth: int
    topics: int = 0
    documents: int = 0
    unjudged_documents: int = 0
    answers: int = 0
    unjudged_answers: int = 0

    def look(self, aligned: Aligned) -> None:
        """Add the topics of a block."""
        self.topics += len(aligned.run.topics)
        pages, answers = aligned.matched.offsets, aligned.run.offsets
        found = _counted(pages, aligned.page_pair < 0, self.depth)
        self.documents += found[0]
        self.unjudged_documents += found[1]
        found = _counted(answers, aligned.pair < 0, self.depth)
        self.answers += found[0]
        self.unjudged_answers += found[1]


def _counted(offsets: Integers, unjudged: Booleans, depth: int) -> tuple[int, int]:
    """How many rows stand among the first of their list, and how many of these are unjudged."""
    rank = np.arange(len(unjudged)) - np.repeat(offsets[:-1], np.diff(offsets))
    first = rank < depth
    return int(first.sum()), int((first & unjudged).sum())
