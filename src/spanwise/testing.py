"""Gates for test suites: a run that got worse fails a test, with the reason.

>>> assessments = {"q1": {"d7": [(100, 250)]}, "q2": {"d3": [(0, 80)]}}
>>> old = {"q1": {"d7": [(100, 250)]}, "q2": {"d3": [(0, 80)]}}
>>> new = {"q1": {"d7": [(100, 200)]}, "q2": {"d3": [(0, 80)]}}
>>> assert_no_regression(assessments, new, old, ["textR < -0.2"])
>>> assert_scores(assessments, new, {"textR": 0.8, "textP": 1.0})
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Unpack

from spanwise.errors import SpanwiseError
from spanwise.inputs.runs import AssessmentsInput, RunInput
from spanwise.inputs.settings import SettingsKeywords, setting_names
from spanwise.library.comparing import ComparisonKeywords, gate
from spanwise.measures.grammar import asked
from spanwise.records import refuse_unknown
from spanwise.reporting.gate import GateResult
from spanwise.reporting.render import rendered
from spanwise.reporting.render.cells import Look

__all__ = ["assert_no_regression", "assert_scores"]


def assert_no_regression(
    assessments: AssessmentsInput,
    run: RunInput,
    baseline: RunInput,
    rules: Sequence[str] | str,
    **keywords: Unpack[ComparisonKeywords],
) -> None:
    """Fail if a run breaks a rule, such as ``"AgP < -0.01"``: worse than the baseline by 0.01.

    ``"AgP significantly worse"`` is a rule too: significantly worse than the baseline. Keywords
    are those of :class:`spanwise.Settings` and of :class:`spanwise.Procedure`. Everything else is
    as in ``spanwise gate``.
    """
    __tracebackhide__ = True
    _require_pass(gate(assessments, run, baseline=baseline, fail_if=rules, **keywords))


def assert_scores(
    assessments: AssessmentsInput,
    run: RunInput,
    thresholds: Mapping[str, float] | Sequence[str] | str,
    **settings: Unpack[SettingsKeywords],
) -> None:
    """Fail if a mean is worse than its threshold: ``{"AgP": 0.4}`` or ``["AgP >= 0.4"]``.

    A threshold is the lowest mean that is good enough, or the highest where lower is better.
    """
    __tracebackhide__ = True
    refuse_unknown(settings, setting_names())
    rules = _rules_of(thresholds) if isinstance(thresholds, Mapping) else thresholds
    _require_pass(gate(assessments, run, require=rules, **settings))


def _rules_of(thresholds: Mapping[str, float]) -> list[str]:
    return [f"{name} {_operator(name)} {float(limit)!r}" for name, limit in thresholds.items()]


def _operator(name: str) -> str:
    better = asked(name)[0].measure.properties.better
    if better == "neither":
        raise SpanwiseError(f"{name} is neither better high nor low; write a rule: '{name} <= 0.5'")
    return ">=" if better == "higher" else "<="


def _require_pass(result: GateResult) -> None:
    __tracebackhide__ = True
    if not result.passed:
        text = rendered(result.output(), "table", Look(dialect="python"))
        raise AssertionError(text.decode().rstrip("\n"))
