"""Runs tried against the rules of a gate."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from spanwise.errors import SpanwiseError
from spanwise.evaluation.scores import RunScores, Scores
from spanwise.measures.nicknames import Asked
from spanwise.statistics.comparison import Better, Comparison, Pair, Procedure, compare
from spanwise.statistics.gate_rules import Rule
from spanwise.statistics.notes import on_few_topics, said_once

_NO_ANSWERS = {
    "run": "so there is nothing to judge",
    "baseline": "so nothing can be compared with it",
}


@dataclass(frozen=True, slots=True)
class Finding:
    """A rule, and whether it was kept."""

    rule: Rule
    broken: bool
    mean: float
    better: Better = "higher"
    baseline: float | None = None
    """The baseline's mean over the topics that both have; None where the rule needs none."""
    ahead: float | None = None
    """How much better the run is than the baseline."""
    p: float | None = None
    p_corrected: float | None = None
    """Corrected over all rules that ask for significance; None for other rules."""
    significant: bool = False
    doubt: str = ""
    """Why no difference could be significant, where that is so."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a gate found."""

    run: str
    baseline: str | None
    topics: int
    findings: tuple[Finding, ...]
    tested: tuple[Comparison, ...] = ()
    """A comparison for each way in which p was found: corrected or not."""
    notes: tuple[str, ...] = ()
    """What has to be known before the result is believed."""
    lenient: bool = False
    """Faulty input was dropped or cut to get here."""

    @property
    def broken(self) -> tuple[Finding, ...]:
        """The rules that were not kept."""
        return tuple(finding for finding in self.findings if finding.broken)

    @property
    def passed(self) -> bool:
        """Were all rules kept?"""
        return not self.broken


def judge(
    run: Scores, baseline: Scores | None, rules: Sequence[Rule], procedure: Procedure
) -> Verdict:
    """Try a run against rules; each evaluation has one run and the measures of the rules."""
    tried = _only_run(run, "run")
    if baseline is None:
        return replace(_judge_alone(run, tried, rules), lenient=tried.lenient)
    other = _only_run(baseline, "baseline")
    # A new version of a system often has the name of the old one.
    name = other.run if other.run != tried.run else f"{other.run} (baseline)"
    both = _together(run, baseline, name)
    verdict = _judge_against(both, _possible(both, rules), procedure)
    return replace(verdict, lenient=tried.lenient or other.lenient)


def _together(run: Scores, baseline: Scores, name: str) -> Scores:
    """Two evaluations as one; measures of a nickname may be possible in one of them only."""
    labels = [{one.label for one in scores.measures} for scores in (run, baseline)]
    both = [scores.only(labels[0] & labels[1]) for scores in (run, baseline)]
    return Scores(both[0].measures, (both[0].runs[0], replace(both[1].runs[0], run=name)))


def _possible(scores: Scores, rules: Sequence[Rule]) -> list[Rule]:
    """Without the members of a nickname that the evaluation left out; it has said so."""
    labels = {one.label for one in scores.measures}
    kept = [rule for rule in rules if rule.measure in labels]
    if not kept:
        raise SpanwiseError("none of the measures can be computed from these assessments")
    return kept


def _only_run(scores: Scores, what: str) -> RunScores:
    if len(scores.runs) != 1:
        names = ", ".join(run.run for run in scores.runs)
        raise SpanwiseError(f"the {what} must be one run, its file has {len(scores.runs)}: {names}")
    [run] = scores.runs
    # Documents are those of scored topics, answers may be of any.
    if not run.counts.documents:
        lenient = " left (faulty lines were dropped)" if run.lenient else ""
        where = " for the scored topics" if run.counts.answers else ""
        raise SpanwiseError(f"the {what} has no answers{where}{lenient}, {_NO_ANSWERS[what]}")
    return run


def _judge_alone(scores: Scores, tried: RunScores, rules: Sequence[Rule]) -> Verdict:
    for rule in rules:
        if rule.kind == "significantly-worse":
            raise SpanwiseError(f"{rule} needs something to be worse than; give --baseline RUN")
        _refuse_certain(rule, _asked(scores, rule.measure))
    findings = [_about_mean(scores, tried.run, rule) for rule in rules]
    return Verdict(tried.run, None, len(tried.topics), tuple(findings))


def _refuse_certain(rule: Rule, asked: Asked) -> None:
    """A rule that no mean can break, as a limit below 0: somebody forgot the baseline."""
    bounds = [bound for bound in asked.measure.properties.bounds if bound is not None]
    if rule.kind == "fail-if" and bounds and not any(map(rule.is_broken_by, _tried(rule, bounds))):
        raise SpanwiseError(
            f"{rule}: no mean of {rule.measure} can break this rule; give --baseline RUN if it is"
            " about a difference"
        )


def _tried(rule: Rule, bounds: Sequence[float]) -> list[float]:
    """The ends of the scale, and where it has only one, a value far beyond the limit."""
    if len(bounds) > 1:
        return list(bounds)
    far = 1 + abs(rule.limit)
    return [*bounds, bounds[0] + far]


def _about_mean(scores: Scores, run: str, rule: Rule) -> Finding:
    mean = scores.mean(rule.measure, run)
    better = _asked(scores, rule.measure).measure.properties.better
    return Finding(rule, rule.is_broken_by(mean), mean, better)


def _asked(scores: Scores, label: str) -> Asked:
    return next(one for one in scores.measures if one.label == label)


def _judge_against(both: Scores, rules: Sequence[Rule], procedure: Procedure) -> Verdict:
    tried, other = both.runs
    compared = _compared(both, rules, procedure)
    findings = []
    for rule in rules:
        if rule.of_mean:
            findings.append(_about_mean(both, tried.run, rule))
        else:
            findings.append(_about_difference(compared[rule.measure], rule))
    topics = len(set(tried.topics) & set(other.topics))
    tested = {one.procedure: one for one in compared.values() if one.tested}
    notes = list(said_once([*compared.values()])) if compared else []
    return Verdict(
        tried.run, other.run, topics, tuple(findings), tuple(tested.values()), tuple(notes)
    )


def _compared(both: Scores, rules: Sequence[Rule], procedure: Procedure) -> dict[str, Comparison]:
    """The measures that must not be significantly worse, corrected together; others are not.

    The run takes the place of the baseline: one-tailed, a gate asks whether it is worse.
    """
    worse = {rule.measure for rule in rules if rule.kind == "significantly-worse"}
    others = {rule.measure for rule in rules if not rule.of_mean} - worse
    found: dict[str, Comparison] = {}
    for names, chosen in ((worse, procedure), (others, replace(procedure, correction="none"))):
        compared = compare(both.only(names), chosen, baseline=both.runs[0].run) if names else []
        found |= {one.measure: one for one in compared}
    return found


def _about_difference(comparison: Comparison, rule: Rule) -> Finding:
    pair = _with_topics(comparison.pairs[0].turned(), rule.measure)
    better = comparison.better
    ahead = 0.0 - pair.difference if better == "lower" else pair.difference
    found = Finding(rule, False, pair.mean_a, better, pair.mean_b, ahead, pair.p)
    if rule.kind != "significantly-worse":
        return replace(found, broken=rule.is_broken_by(ahead))
    significant = comparison.is_significant(pair)
    return replace(
        found,
        broken=ahead < 0 and significant,
        p_corrected=pair.p_corrected,
        significant=significant,
        doubt="" if comparison.too_few_topics is None else "".join(on_few_topics(comparison)),
    )


def _with_topics(pair: Pair, measure: str) -> Pair:
    if pair.topics:
        return pair
    raise SpanwiseError(
        f"{pair.a} and {pair.b} have no topic in common under {measure};"
        " a gate needs runs that answer the same topics"
    )
