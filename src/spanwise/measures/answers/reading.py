"""How much there is to read."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import accumulate

import numpy as np

from spanwise.measures.answers.hits import OURS
from spanwise.measures.base import CutOff, Family, ListScore, Need
from spanwise.measures.budgeted import require_tokens
from spanwise.measures.explaining import PLACE, Step, Steps, shown
from spanwise.measures.lists.text import answer_ranges
from spanwise.measures.parameters import OneOf, parameter
from spanwise.measures.registry import measure
from spanwise.measures.views.listing import Listing
from spanwise.measures.views.pages import Rankings
from spanwise.text.ranges import Floats, sums_by_owner


@measure(source=OURS, equation="text to read", better="neither", bounds=(0, None), perfect=None)
@dataclass(frozen=True)
class read(ListScore):
    r"""What a reader, or a language model, has to read: the text of the first k answers.

    $$read@k = |U_k|$$

    where U_k is the union of the first k answers (all answers without k), in characters; with
    ``unit=tokens`` the number of tokens of which a character is read. It describes a run and is
    neither good nor bad; a gate can limit it, as in ``read@5 <= 4000``.

    Source: our choice.

    >>> str(read @ 5), str(read(unit="tokens") @ 5)
    ('read@5', 'read(unit=tokens)@5')
    """

    family = Family.ANSWER_LISTS
    takes = CutOff.OPTIONAL_RANK
    literal = False
    unit: str = parameter(
        "characters", OneOf("characters", "tokens"), extra=True, meaning="what is counted"
    )
    cutoff: int | None = None

    def needs(self) -> frozenset[Need]:
        return frozenset({Need.TEXT} if self.unit == "tokens" else ())

    def score(self, rankings: Rankings) -> Floats:
        curve = rankings.curve
        if self.unit == "characters":
            return curve.after(self.cutoff)[0].astype(np.float64)
        require_tokens(self, rankings)
        return sums_by_owner(curve.tokens_begun(self.cutoff), curve.offsets).astype(np.float64)

    def explain(self, listing: Listing) -> Steps:
        curve, places = listing.rankings.curve, answer_ranges(listing)[: self.cutoff]
        if self.unit == "characters":
            after = curve.read.tolist()[: self.cutoff]
        else:
            after = list(accumulate(curve.tokens_begun(self.cutoff).tolist()))[: self.cutoff]
        before = [0, *after]
        steps = tuple(
            Step((*place, after[row] - before[row], after[row]), after[row] > before[row])
            for row, place in enumerate(places)
        )
        return Steps(
            "answer",
            (*PLACE, "new", "read"),
            steps,
            f"new = {self.unit} not read before, read = added up",
            f"{before[-1]:,} {self.unit} of the first {len(steps)} answers = {shown(before[-1])}",
            "nothing new",
        )
