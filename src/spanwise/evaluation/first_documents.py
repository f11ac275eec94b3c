"""The first documents of ranked lists, as policy orders them: what a report shows of a run."""

from __future__ import annotations

import numpy as np

from spanwise.data.run import Run
from spanwise.evaluation.aligned import Aligned


def first_documents(aligned: Aligned, most: int) -> Run:
    """The answers in the first documents of each list, in the order that policy gave them."""
    run = aligned.run
    first_page = np.searchsorted(aligned.page_ranking, np.arange(len(run.topics)))
    place = aligned.page - first_page[aligned.ranking]
    return run.take(np.flatnonzero(place < most)).copied()
