"""Where two assessors disagree: document by document, and whether ranges differ or passages."""

from __future__ import annotations

import numpy as np

from spanwise.assessing.agreement import TextPair
from spanwise.data.assessments import UNKNOWN
from spanwise.records import Struct
from spanwise.text.ranges import Ranges

Spans = tuple[tuple[int, int], ...]


class Disagreement(Struct, frozen=True):
    """A document of a topic of which two assessors highlighted different text."""

    topic: str
    document: str
    length: int
    """Characters of the document, up to the last highlighted one if it is not known."""
    length_known: bool
    both: int
    """Characters that both highlighted."""
    first_only: int
    second_only: int
    first: Spans
    second: Spans


def disagreements(text: TextPair) -> list[Disagreement]:
    """Documents with different highlights, the most different characters first.

    >>> from spanwise.assessing.agreement import agreement_of
    >>> from spanwise.formats.memory import assessments_from
    >>> one = assessments_from({"q1": {"d1": [(0, 60)], "d2": [(5, 9)]}})
    >>> other = assessments_from({"q1": {"d1": [(30, 90)], "d2": [(5, 9)]}})
    >>> found = agreement_of(["one", "other"], [one, other]).pairs[0].text
    >>> [(each.document, each.first_only, each.second_only) for each in disagreements(found)]
    [('d1', 30, 30)]
    """
    both = text.first.overlap_sizes(text.second)
    first, second = text.first.sizes() - both, text.second.sizes() - both
    # The rows are sorted by topic and document, which decides between equal ones.
    order = np.argsort(-(first + second), kind="stable")
    rows = order[(first + second)[order] > 0]
    lengths = text.unitized.length.tolist()
    spans = [tuple(ranges.take(rows).to_lists()) for ranges in (text.first, text.second)]
    return [
        Disagreement(
            topic=text.rows.topics[text.rows.group[row]],
            document=text.documents[row],
            length=lengths[row],
            length_known=bool(text.length[row] != UNKNOWN),
            both=int(both[row]),
            first_only=int(first[row]),
            second_only=int(second[row]),
            first=tuple(spans[0][place]),
            second=tuple(spans[1][place]),
        )
        for place, row in enumerate(rows.tolist())
    ]


class Extended(Struct, frozen=True):
    """Text that only one assessor highlighted: around passages of both, or in passages apart."""

    only: int
    """Characters that the other one did not highlight."""
    beside: int
    """Those of them in ranges of which the other one highlighted a part."""


def extended(mine: Ranges, other: Ranges) -> Extended:
    """How much of one assessor's own text extends passages that the other one has too.

    >>> extended(Ranges.of([[(0, 10), (20, 25)]]), Ranges.of([[(4, 8)]]))
    Extended(only=11, beside=6)
    """
    shared = other.covered(mine.owner, mine.start, mine.end)
    own = mine.end - mine.start - shared
    return Extended(int(own.sum()), int(own[shared > 0].sum()))
