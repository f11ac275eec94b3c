"""spanwise scores systems that answer with ranges of text inside documents.

>>> import spanwise
>>> assessments = {"q1": {"guide.md": [(120, 340)]}}
>>> run = {"q1": [("guide.md", 100, 300, 2.5), ("faq.md", 0, 200, 1.1)]}
>>> scores = spanwise.evaluate(assessments, run, ["AgP", "textP@1", "textR@2"])
>>> round(scores.mean("textR@2"), 4)
0.8182
"""

from __future__ import annotations

from spanwise.version import __version__

TYPE_CHECKING = False
"""For those who check types, as ``typing`` has it, which takes long to import."""

if TYPE_CHECKING:
    from typing import Any

    from spanwise.api import evaluate, read_assessments, read_run
    from spanwise.collection.documents import open_collection
    from spanwise.data.assessments import Assessments
    from spanwise.data.quantisation import register_quantisation
    from spanwise.data.run import Run
    from spanwise.errors import SpanwiseError
    from spanwise.evaluation.scores import RunScores, Scores
    from spanwise.measures.gains.credit import near_miss
    from spanwise.measures.grammar import parse_measure
    from spanwise.settings import Settings
    from spanwise.statistics.comparison import Comparison, Procedure, compare

_HOMES = {
    "Assessments": "spanwise.data.assessments",
    "Comparison": "spanwise.statistics.comparison",
    "Procedure": "spanwise.statistics.comparison",
    "Run": "spanwise.data.run",
    "RunScores": "spanwise.evaluation.scores",
    "Scores": "spanwise.evaluation.scores",
    "Settings": "spanwise.settings",
    "SpanwiseError": "spanwise.errors",
    "compare": "spanwise.statistics.comparison",
    "evaluate": "spanwise.api",
    "near_miss": "spanwise.measures.gains.credit",
    "open_collection": "spanwise.collection.documents",
    "parse_measure": "spanwise.measures.grammar",
    "read_assessments": "spanwise.api",
    "read_run": "spanwise.api",
    "register_quantisation": "spanwise.data.quantisation",
}
"""Where each public name lives; it is imported when it is first used, so that starting is quick."""

__all__ = [
    "Assessments",
    "Comparison",
    "Procedure",
    "Run",
    "RunScores",
    "Scores",
    "Settings",
    "SpanwiseError",
    "__version__",
    "compare",
    "evaluate",
    "near_miss",
    "open_collection",
    "parse_measure",
    "read_assessments",
    "read_run",
    "register_quantisation",
]


def __getattr__(name: str) -> Any:
    from importlib import import_module

    if name in _HOMES:
        return getattr(import_module(_HOMES[name]), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
