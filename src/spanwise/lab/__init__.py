"""The papers' experiments: does a measure measure what it should, can its verdicts be trusted?

Each is a function that takes what :func:`spanwise.evaluate` takes, and returns a result that shows
itself; ``found`` of the result holds every number.

>>> import spanwise.lab
>>> result = spanwise.lab.insertion(measures="AP", counts=[1])
>>> result.output().sentences[0]
'AP never gets better as irrelevant answers are inserted.'
"""

from __future__ import annotations

TYPE_CHECKING = False

if TYPE_CHECKING:
    from typing import Any

    from spanwise.lab.all_experiments import overview
    from spanwise.lab.fidelity_orderings import fidelity
    from spanwise.lab.inserted_answers import insertion
    from spanwise.lab.measure_agreement import correlation
    from spanwise.lab.other_assessors import assessors
    from spanwise.lab.separated_pairs import power
    from spanwise.lab.topic_samples import topics
    from spanwise.lab.whole_documents import baseline

_HOMES = {
    "assessors": "spanwise.lab.other_assessors",
    "baseline": "spanwise.lab.whole_documents",
    "correlation": "spanwise.lab.measure_agreement",
    "fidelity": "spanwise.lab.fidelity_orderings",
    "insertion": "spanwise.lab.inserted_answers",
    "overview": "spanwise.lab.all_experiments",
    "power": "spanwise.lab.separated_pairs",
    "topics": "spanwise.lab.topic_samples",
}
"""Where each experiment lives; it is imported when it is first used."""

__all__ = [
    "assessors",
    "baseline",
    "correlation",
    "fidelity",
    "insertion",
    "overview",
    "power",
    "topics",
]


def __getattr__(name: str) -> Any:
    from importlib import import_module

    if name in _HOMES:
        return getattr(import_module(_HOMES[name]), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted(__all__)
