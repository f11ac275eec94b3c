"""Between which values a score lies, whatever the unjudged documents turn out to be.

The lowest value is the score itself, which counts all text of unjudged documents as not relevant.
The highest counts all of it as relevant: runs are scored once more under that policy. That says
something only for measures that look at the answers alone; what counts relevant text that was not
returned has no highest value that could be known.
"""

from __future__ import annotations

from collections.abc import Iterable
from copy import copy

from spanwise.data.notes import Note
from spanwise.errors import MeasureError
from spanwise.evaluation.evaluate import Evaluation
from spanwise.evaluation.policy import left_out
from spanwise.measures.grammar import Asked
from spanwise.records import replace
from spanwise.text.sentences import enumerated

BOUNDED = ("P@k", "Success@k", "RR", "hit@k", "hitRR", "hitP@k", "textP@k")
"""The measures that have bounds, as messages name them; the last ones without a share."""
_INSTEAD = f"bounds are known only for {enumerated(BOUNDED)}"


def with_bounds(measures: Iterable[Asked]) -> tuple[tuple[Asked, ...], list[Note]]:
    """The measures that have bounds; others are refused, members of a nickname left out."""
    kept, reasons = list[Asked](), dict[str, str]()
    for asked in measures:
        if asked.measure.has_bounds:
            kept.append(asked)
        elif asked.optional:
            reasons[asked.label] = _INSTEAD
        else:
            raise _unbounded(asked)
    if not kept:
        raise MeasureError(f"none of the measures has bounds; {_INSTEAD}")
    return tuple(kept), left_out(reasons)


def _unbounded(asked: Asked) -> MeasureError:
    if getattr(asked.measure, "share", 0):
        return MeasureError(
            f"{asked.label} has no bounds: how long relevant ranges of unjudged documents would be"
            " is not known; leave out share"
        )
    return MeasureError(
        f"{asked.label} has no bounds: how high unjudged documents could make it is not known;"
        f" {_INSTEAD}"
    )


def highest(evaluation: Evaluation) -> Evaluation:
    """The same with all text of unjudged documents relevant."""
    other = copy(evaluation)
    other.policy = replace(evaluation.policy, unjudged="relevant")
    other.notes = []
    return other
