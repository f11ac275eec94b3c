"""How much of a list repeats itself."""

from __future__ import annotations

from dataclasses import dataclass

from spanwise.data.run import Extent
from spanwise.measures.base import Family, ListScore
from spanwise.measures.explaining import PLACE, Step, Steps, shown
from spanwise.measures.gains.elements import KAZAI
from spanwise.measures.lists.text import quotient
from spanwise.measures.registry import measure
from spanwise.measures.views.listing import Listing
from spanwise.measures.views.pages import Rankings
from spanwise.text.ranges import Floats, share


@measure(
    source=KAZAI,
    equation="overlap",
    better="neither",
    perfect=None,
)
@dataclass(frozen=True)
class overlap(ListScore):
    r"""The share of the answers that share a character with another answer of their document.

    $$overlap = \frac{|\{i : \exists j \neq i,\ a_i \cap a_j \neq \emptyset\}|}{N}$$

    where a_1 .. a_N are the answers to a topic; 0 for an empty list. It describes a run and is
    neither good nor bad.

    Source: Kazai and Lalmas, eXtended Cumulated Gain measures, set overlap.

    >>> str(overlap())
    'overlap'
    """

    family = Family.OLD_LISTS

    def score(self, rankings: Rankings) -> Floats:
        answers, meeting = rankings.overlapping
        return share(meeting, answers)

    def explain(self, listing: Listing) -> Steps:
        run, shares = listing.run, listing.sharing
        names, ranged = run.documents.strings(), (run.extent == Extent.RANGE).tolist()
        steps = tuple(
            Step(
                (
                    *(row + 1, names[row]),
                    *((int(run.start[row]), int(run.end[row])) if ranged[row] else (None, None)),
                    row in shares,
                ),
                row in shares,
            )
            for row in range(len(run))
        )
        return Steps(
            "answer",
            (*PLACE, "shares"),
            steps,
            "shares = has a character in common with another answer of its document",
            f"{len(shares)} of {len(run)} answers = {shown(quotient(len(shares), len(run)))}",
            "no character in common with another",
        )
