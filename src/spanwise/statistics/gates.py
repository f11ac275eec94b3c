"""Gates: runs tried against rules, and what became of each rule."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from spanwise.data.notes import Note
from spanwise.errors import SpanwiseError, option
from spanwise.evaluation.scores import RunScores, Scores
from spanwise.measures.grammar import Asked
from spanwise.records import Struct, replace
from spanwise.statistics.caveats import on_few_topics, shared_caveats
from spanwise.statistics.comparison import Better, Comparison, Pair
from spanwise.statistics.gate_rules import Rule
from spanwise.statistics.pairing import compare_scores
from spanwise.statistics.procedure import Procedure
from spanwise.statistics.topic_values import differences_of

_NO_ANSWERS = {
    "run": "so there is nothing to judge",
    "baseline": "so nothing can be compared with it",
}


@dataclass(frozen=True, slots=True)
class RuleOutcome:
    """What became of a rule: was it broken, and by which numbers?"""

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
    doubt: Note | None = None
    """Why no difference could be significant, where that is so."""


class Drop(Struct, frozen=True):
    """A topic on which a run is worse than the baseline."""

    topic: str
    value: float
    baseline: float
    ahead: float
    """How much better the run is: less than 0."""


@dataclass(frozen=True)
class GateOutcome:
    """What became of all rules of a gate."""

    run: str
    baseline: str | None
    topics: int
    outcomes: tuple[RuleOutcome, ...]
    tested: tuple[Comparison, ...] = ()
    """A comparison for each way in which p was found: corrected or not."""
    notes: tuple[Note, ...] = ()
    """What has to be known before the result is believed."""
    lenient: tuple[str, ...] = ()
    """The runs for which faulty input was dropped or cut."""
    drops: Mapping[str, tuple[Drop, ...]] = field(default_factory=dict)
    """The topics that got worse, the largest drop first, by measure that is compared."""
    queries: Mapping[str, str] = field(default_factory=dict)
    """What topics ask, where that is known."""

    @property
    def broken(self) -> tuple[RuleOutcome, ...]:
        """The rules that were not kept."""
        return tuple(outcome for outcome in self.outcomes if outcome.broken)

    @property
    def passed(self) -> bool:
        """Were all rules kept?"""
        return not self.broken


def try_rules(
    run: Scores, baseline: Scores | None, rules: Sequence[Rule], procedure: Procedure
) -> GateOutcome:
    """Try a run against rules; each evaluation has one run and the measures of the rules."""
    tried = _only_run(run, "run")
    if baseline is None:
        return _tried_alone(run, tried, rules)
    other = _only_run(baseline, "baseline")
    queries = {**baseline.queries, **run.queries}
    # A new version of a system often has the name of the old one.
    name = other.run if other.run != tried.run else f"{other.run} (baseline)"
    both = _together(run, baseline, name)
    return replace(_tried_against(both, _possible(both, rules), procedure), queries=queries)


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


def _tried_alone(scores: Scores, tried: RunScores, rules: Sequence[Rule]) -> GateOutcome:
    for rule in rules:
        if rule.kind == "significantly-worse":
            needed = f"needs something to be worse than; give {option('baseline')}"
            raise SpanwiseError(f"{rule} {needed}")
        _refuse_certain(rule, _asked(scores, rule.measure))
    outcomes = [_about_mean(scores, tried.run, rule) for rule in rules]
    return GateOutcome(
        tried.run, None, len(tried.topics), tuple(outcomes), lenient=_lenient([tried])
    )


def _lenient(runs: Iterable[RunScores]) -> tuple[str, ...]:
    return tuple(run.run for run in runs if run.lenient)


def _refuse_certain(rule: Rule, asked: Asked) -> None:
    """A rule that no mean can break, as a limit below 0: the baseline was probably forgotten."""
    bounds = [bound for bound in asked.measure.properties.bounds if bound is not None]
    if (
        rule.kind == "fail-if"
        and bounds
        and not any(map(rule.is_broken_by, _extremes(rule, bounds)))
    ):
        raise SpanwiseError(
            f"{rule}: no mean of {rule.measure} can break this rule; give {option('baseline')} if"
            " it is about a difference"
        )


def _extremes(rule: Rule, bounds: Sequence[float]) -> list[float]:
    """The ends of the scale, and where it has only one, a value far beyond the limit."""
    if len(bounds) > 1:
        return list(bounds)
    far = 1 + abs(rule.limit)
    return [*bounds, bounds[0] + far]


def _about_mean(scores: Scores, run: str, rule: Rule) -> RuleOutcome:
    mean = scores.mean(rule.measure, run)
    better = _asked(scores, rule.measure).measure.properties.better
    return RuleOutcome(rule, rule.is_broken_by(mean), mean, better)


def _asked(scores: Scores, label: str) -> Asked:
    return next(one for one in scores.measures if one.label == label)


def _tried_against(both: Scores, rules: Sequence[Rule], procedure: Procedure) -> GateOutcome:
    tried, other = both.runs
    compared = _compared(both, rules, procedure)
    outcomes = [
        _about_mean(both, tried.run, rule)
        if rule.of_mean
        else _about_difference(compared[rule.measure], rule)
        for rule in rules
    ]
    return GateOutcome(
        tried.run,
        other.run,
        topics=len(set(tried.topics) & set(other.topics)),
        outcomes=tuple(outcomes),
        tested=tuple({one.procedure: one for one in compared.values() if one.tested}.values()),
        notes=tuple(shared_caveats([*compared.values()])) if compared else (),
        lenient=_lenient(both.runs),
        drops={label: tuple(_drops(both, one)) for label, one in compared.items()},
    )


def _drops(both: Scores, comparison: Comparison) -> Iterator[Drop]:
    """The topics that got worse; those with the same drop in the order of their names."""
    measure, (run, baseline) = comparison.measure, (one.run for one in both.runs)
    if comparison.better == "neither":
        return
    better, worse = (baseline, run) if comparison.better == "higher" else (run, baseline)
    own, other = both.per_topic(measure, run), both.per_topic(measure, baseline)
    for topic, drop in differences_of(both, measure, better, worse):
        if drop > 0:
            yield Drop(topic, own[topic], other[topic], -drop)


def _compared(both: Scores, rules: Sequence[Rule], procedure: Procedure) -> dict[str, Comparison]:
    """The measures that must not be significantly worse, corrected together; others are not.

    The run takes the place of the baseline: one-tailed, a gate asks whether it is worse.
    """
    worse = {rule.measure for rule in rules if rule.kind == "significantly-worse"}
    others = {rule.measure for rule in rules if not rule.of_mean} - worse
    found: dict[str, Comparison] = {}
    for names, chosen in ((worse, procedure), (others, replace(procedure, correction="none"))):
        compared = (
            compare_scores(both.only(names), chosen, baseline=both.runs[0].run) if names else []
        )
        found |= {one.measure: one for one in compared}
    return found


def _about_difference(comparison: Comparison, rule: Rule) -> RuleOutcome:
    pair = _with_topics(comparison.pairs[0].swapped(), rule.measure)
    better = comparison.better
    ahead = 0.0 - pair.difference if better == "lower" else pair.difference
    found = RuleOutcome(rule, False, pair.mean_a, better, pair.mean_b, ahead, pair.p)
    if rule.kind != "significantly-worse":
        return replace(found, broken=rule.is_broken_by(ahead))
    significant = comparison.is_significant(pair)
    return replace(
        found,
        broken=ahead < 0 and significant,
        p_corrected=pair.p_corrected,
        significant=significant,
        doubt=None if comparison.too_few_topics is None else on_few_topics(comparison),
    )


def _with_topics(pair: Pair, measure: str) -> Pair:
    if pair.topics:
        return pair
    raise SpanwiseError(
        f"{pair.a} and {pair.b} have no topic in common under {measure};"
        " a gate needs runs that answer the same topics"
    )
