"""How much of a list was judged."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from spanwise.data.run import Extent
from spanwise.measures.answers.hits import OURS
from spanwise.measures.base import CutOff, Family, ListScore
from spanwise.measures.explaining import PLACE, Step, Steps, shown
from spanwise.measures.lists.text import quotient
from spanwise.measures.registry import measure
from spanwise.measures.views.listing import Listing
from spanwise.measures.views.pages import Rankings
from spanwise.text.ranges import Floats, share


@measure(source=OURS, equation="judged answers", better="neither", perfect=None)
@dataclass(frozen=True)
class judged(ListScore):
    r"""The share of the first k answers whose document was judged for the topic.

    $$judged@k = \frac{|\{ j \le \min(k, N) :\ d_j \text{ is judged} \}|}{\min(k, N)}$$

    where d_j is the document of the answer at rank j and N the number of answers; without k all
    answers count, and an empty list has 0. A document is judged if the assessments say anything
    about it for the topic, relevant or not. It describes how far the other measures can be
    trusted, which count unjudged documents as not relevant; it is neither good nor bad.

    Source: our choice, after Judged@k of ir_measures (which divides by k in any case).

    >>> str(judged @ 10)
    'judged@10'
    """

    family = Family.ANSWER_LISTS
    takes = CutOff.OPTIONAL_RANK
    cutoff: int | None = None

    def score(self, rankings: Rankings) -> Floats:
        answers = rankings.answers
        counts = np.diff(answers.offsets)
        first = counts if self.cutoff is None else np.minimum(counts, self.cutoff)
        place = np.arange(len(answers.pair)) - answers.offsets[answers.ranking]
        chosen = (place < first[answers.ranking]) & (answers.pair >= 0)
        found = np.bincount(answers.ranking[chosen], minlength=len(rankings))
        return share(found, first)

    def explain(self, listing: Listing) -> Steps:
        run, known = listing.run, (listing.pair >= 0).tolist()[: self.cutoff]
        names, ranged = run.documents.strings(), (run.extent == Extent.RANGE).tolist()
        starts, ends = run.start.tolist(), run.end.tolist()
        steps = []
        for row, is_judged in enumerate(known):
            span = (starts[row], ends[row]) if ranged[row] else (None, None)
            steps.append(Step((row + 1, names[row], *span, is_judged), not is_judged))
        found = sum(known)
        return Steps(
            "answer",
            (*PLACE, "judged"),
            tuple(steps),
            "judged = the assessments say something about the document for this topic",
            f"{found} of {len(known)} answers = {shown(quotient(found, len(known)))}",
            "judged",
        )
