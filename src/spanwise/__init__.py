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
"""For type checkers, as in ``typing``, which takes long to import."""

if TYPE_CHECKING:
    from spanwise.collection.collection import open_collection
    from spanwise.data.assessments import Assessments
    from spanwise.data.notes import Note
    from spanwise.data.quantisation import register_quantisation
    from spanwise.data.run import Run
    from spanwise.errors import SpanwiseError
    from spanwise.evaluation.scores import RunScores, Scores
    from spanwise.inputs.settings import Settings
    from spanwise.library.agreeing import agree
    from spanwise.library.assessing import assess
    from spanwise.library.browsing import browse
    from spanwise.library.chunking import chunks
    from spanwise.library.collecting import collect
    from spanwise.library.comparing import compare, gate, report
    from spanwise.library.files import check, convert, locate
    from spanwise.library.frames import evaluate_frame
    from spanwise.library.judgements import (
        export_judgements,
        import_judgements,
        judging_progress,
        reanchor_judgements,
        recover_judgements,
    )
    from spanwise.library.making import gold
    from spanwise.library.pooling import pool
    from spanwise.library.scoring import (
        Evaluator,
        evaluate,
        explain,
        list_measures,
        read_assessments,
        read_run,
        read_topics,
    )
    from spanwise.library.searching import index, search
    from spanwise.measures.gains.credit import near_miss
    from spanwise.measures.grammar import parse_measure
    from spanwise.statistics.comparison import Comparison
    from spanwise.statistics.procedure import Procedure

_HOMES = {
    "Assessments": "spanwise.data.assessments",
    "Comparison": "spanwise.statistics.comparison",
    "Evaluator": "spanwise.library.scoring",
    "Note": "spanwise.data.notes",
    "Procedure": "spanwise.statistics.procedure",
    "Run": "spanwise.data.run",
    "RunScores": "spanwise.evaluation.scores",
    "Scores": "spanwise.evaluation.scores",
    "Settings": "spanwise.inputs.settings",
    "SpanwiseError": "spanwise.errors",
    "agree": "spanwise.library.agreeing",
    "assess": "spanwise.library.assessing",
    "browse": "spanwise.library.browsing",
    "check": "spanwise.library.files",
    "chunks": "spanwise.library.chunking",
    "collect": "spanwise.library.collecting",
    "compare": "spanwise.library.comparing",
    "convert": "spanwise.library.files",
    "evaluate": "spanwise.library.scoring",
    "evaluate_frame": "spanwise.library.frames",
    "explain": "spanwise.library.scoring",
    "export_judgements": "spanwise.library.judgements",
    "gate": "spanwise.library.comparing",
    "gold": "spanwise.library.making",
    "import_judgements": "spanwise.library.judgements",
    "index": "spanwise.library.searching",
    "judging_progress": "spanwise.library.judgements",
    "list_measures": "spanwise.library.scoring",
    "locate": "spanwise.library.files",
    "near_miss": "spanwise.measures.gains.credit",
    "open_collection": "spanwise.collection.collection",
    "parse_measure": "spanwise.measures.grammar",
    "pool": "spanwise.library.pooling",
    "read_assessments": "spanwise.library.scoring",
    "read_run": "spanwise.library.scoring",
    "read_topics": "spanwise.library.scoring",
    "reanchor_judgements": "spanwise.library.judgements",
    "recover_judgements": "spanwise.library.judgements",
    "register_quantisation": "spanwise.data.quantisation",
    "report": "spanwise.library.comparing",
    "search": "spanwise.library.searching",
}
"""Where each public name lives; it is imported when it is first used, so that starting is quick."""

_ROOMS = ("lab", "measures", "testing")
"""Packages that need no import of their own."""

__all__ = [
    "Assessments",
    "Comparison",
    "Evaluator",
    "Note",
    "Procedure",
    "Run",
    "RunScores",
    "Scores",
    "Settings",
    "SpanwiseError",
    "__version__",
    "agree",
    "assess",
    "browse",
    "check",
    "chunks",
    "collect",
    "compare",
    "convert",
    "evaluate",
    "evaluate_frame",
    "explain",
    "export_judgements",
    "gate",
    "gold",
    "import_judgements",
    "index",
    "judging_progress",
    "list_measures",
    "locate",
    "near_miss",
    "open_collection",
    "parse_measure",
    "pool",
    "read_assessments",
    "read_run",
    "read_topics",
    "reanchor_judgements",
    "recover_judgements",
    "register_quantisation",
    "report",
    "search",
]


def __getattr__(name: str) -> object:
    from importlib import import_module

    if name in _HOMES:
        return getattr(import_module(_HOMES[name]), name)
    if name in _ROOMS:
        return import_module(f"spanwise.{name}")
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*__all__, *_ROOMS})
