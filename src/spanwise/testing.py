"""Gates for test suites: a run that got worse fails a test, with the reason.

>>> assessments = {"q1": {"d7": [(100, 250)]}, "q2": {"d3": [(0, 80)]}}
>>> old = {"q1": {"d7": [(100, 250)]}, "q2": {"d3": [(0, 80)]}}
>>> new = {"q1": {"d7": [(100, 200)]}, "q2": {"d3": [(0, 80)]}}
>>> assert_no_regression(assessments, new, old, ["textR < -0.2"])
>>> assert_scores(assessments, new, {"textR": 0.8, "textP": 1.0})
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import fields
from typing import Any

from spanwise.errors import SpanwiseError
from spanwise.evaluation.scores import Scores
from spanwise.inputs.runs import own_table
from spanwise.inputs.settings import Settings, setting_names
from spanwise.library import evaluate
from spanwise.measures.nicknames import asked
from spanwise.reporting.gate_findings import verdict_lines
from spanwise.statistics.gate import Verdict, judge
from spanwise.statistics.gate_rules import measures_in, rules_of
from spanwise.statistics.procedure import Procedure
from spanwise.validation import refuse_unknown

__all__ = ["assert_no_regression", "assert_scores"]


def assert_no_regression(
    assessments: Any,
    run: Any,
    baseline: Any,
    rules: Sequence[str] | str,
    **settings: Any,
) -> None:
    """Fail if a run breaks a rule, such as ``"AgP < -0.01"``: worse than the baseline by 0.01.

    ``"AgP significantly worse"`` is a rule too: significantly worse than the baseline.
    Settings are those of :class:`spanwise.Settings` and of the test (``test``, ``tail``,
    ``correction``, ``resamples``, ``seed``, ``method``, ``level``). Everything else is as in
    ``spanwise gate``.
    """
    __tracebackhide__ = True
    wanted = rules_of(_several(rules), (), baseline=True)
    refuse_unknown(settings, (*setting_names(), *_procedure_names()))
    procedure = _procedure(settings)
    scores = [
        evaluate(assessments, one, measures_in(wanted), **own)
        for one, own in zip((run, baseline), _apart(settings), strict=True)
    ]
    _settle(judge(scores[0], scores[1], wanted, procedure))


def assert_scores(
    assessments: Any, run: Any, limits: Mapping[str, float] | Sequence[str], **settings: Any
) -> None:
    """Fail if a mean is worse than its limit: ``{"AgP": 0.4}`` or ``["AgP >= 0.4"]``.

    A limit is the lowest mean that is good enough, or the highest where lower is better.
    """
    __tracebackhide__ = True
    refuse_unknown(settings, setting_names())
    texts = _rules_of(limits) if isinstance(limits, Mapping) else _several(limits)
    rules = rules_of((), texts, baseline=False)
    scores: Scores = evaluate(assessments, run, measures_in(rules), **settings)
    _settle(judge(scores, None, rules, Procedure()))


def _apart(settings: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Settings of run and baseline, which may have a chunk table each."""
    tables = Settings(**settings).chunk_files
    for number in range(2):
        yield {**settings, "chunks": own_table(tables, number, 2) or None}


def _several(texts: Sequence[str] | str) -> Sequence[str]:
    return [texts] if isinstance(texts, str) else texts


def _rules_of(limits: Mapping[str, float]) -> list[str]:
    return [f"{name} {_operator(name)} {float(limit)!r}" for name, limit in limits.items()]


def _operator(name: str) -> str:
    better = asked(name, [])[0].measure.properties.better
    if better == "neither":
        raise SpanwiseError(f"{name} is neither better high nor low; write a rule: '{name} <= 0.5'")
    return ">=" if better == "higher" else "<="


def _procedure(settings: dict[str, Any]) -> Procedure:
    """Takes what belongs to the test out of the settings."""
    names = [name for name in _procedure_names() if name in settings]
    return Procedure(**{name: settings.pop(name) for name in names})


def _procedure_names() -> list[str]:
    """The names of the settings of the test."""
    return [definition.name for definition in fields(Procedure)]


def _settle(verdict: Verdict) -> None:
    __tracebackhide__ = True
    if not verdict.passed:
        raise AssertionError("\n".join(verdict_lines(verdict)))
