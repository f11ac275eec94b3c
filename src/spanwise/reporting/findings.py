"""The finding of a comparison in one sentence, and how each run stands beside the best one."""

from __future__ import annotations

from collections.abc import Sequence

from spanwise.reporting.first_screen import Status
from spanwise.reporting.render.cells import told_apart, two_digits
from spanwise.reporting.verdicts import against, lead_of, named, reference_of
from spanwise.statistics.comparison import Comparison, Mean, Pair
from spanwise.text.sentences import counted, spelled


def finding(comparison: Comparison) -> str:
    """What a reader takes home: which run is best, and whether the others are behind."""
    measure, reference = comparison.measure, reference_of(comparison)
    first = next(mean for mean in comparison.means if mean.run == reference)
    if not any(mean.topics for mean in comparison.means):
        return f"{measure} is not defined for any topic"
    if not first.topics:
        return f"{first.run} has no {measure} values, so nothing can be compared with it"
    rivals = rivals_of(comparison)
    if not rivals:
        alone = ", on topics that no other run has" if _are_others(comparison, first) else ""
        return f"{first.run} scores {two_digits(first.mean)} by {measure}{alone}"
    if comparison.better == "neither":
        return _described(comparison)
    if comparison.baseline is not None:
        return _around_baseline(comparison, rivals)
    if comparison.has_different_topics:
        return _on_different_topics(comparison, first)
    return _race(comparison, first, rivals)


def rivals_of(comparison: Comparison) -> list[Pair]:
    """The runs that have topics in common with the one that all are compared with, best first."""
    pairs = against(comparison, reference_of(comparison)) if comparison.pairs else []
    return [pair for pair in pairs if pair.topics]


def _are_others(comparison: Comparison, first: Mean) -> bool:
    return any(mean.topics and mean.run != first.run for mean in comparison.means)


def _described(comparison: Comparison) -> str:
    known = [mean for mean in comparison.means if mean.topics]
    low, high = (choose(known, key=lambda mean: mean.mean) for choose in (min, max))
    about = f"by {comparison.measure}, where neither high nor low is better"
    if low.mean == high.mean:
        return f"all runs have {two_digits(low.mean)} {about}"
    least, most = told_apart(low.mean, high.mean)
    between = f"{least} ({low.run}) to {most} ({high.run})"
    return f"runs have {between} {about}"


def _on_different_topics(comparison: Comparison, first: Mean) -> str:
    best = [mean.run for mean in comparison.means if mean.topics and mean.mean == first.mean]
    has = "has" if len(best) == 1 else "share"
    return f"{named(best)} {has} the best mean, but the runs have different topics"


# -- the best run and the others


def _race(comparison: Comparison, first: Mean, rivals: Sequence[Pair]) -> str:
    """All runs are on the same topics, so that the best mean is ahead of all others."""
    tied = [pair.a for pair in rivals if not pair.difference]
    runs, leaders = 1 + len(rivals), [first.run, *tied]
    if len(leaders) == runs:
        who = named(leaders) if runs == 2 else f"the {spelled(runs)} runs"
        return f"{who} are tied at {two_digits(first.mean)}"
    lead = f"{named(leaders)} {'leads' if not tied else 'share the lead'}"
    if comparison.too_few_topics is not None:
        return f"{lead}, but {_too_few(comparison.too_few_topics)}"
    behind = [pair for pair in rivals if pair.difference and comparison.is_significant(pair)]
    contenders = runs - len(behind)
    if contenders > len(leaders):
        return f"{lead}, but {_contenders(contenders, runs)} are too close to call"
    if tied:
        is_ = "is" if len(behind) == 1 else "are"
        return f"{lead}; {_others(behind)} {is_} significantly behind {first.run}"
    return f"{first.run} is best, significantly ahead of {_others(behind)}"


def _contenders(contenders: int, runs: int) -> str:
    if contenders == runs:
        return f"{'the' if runs == 2 else 'all'} {spelled(runs)} runs"
    return f"{spelled(contenders)} of the {spelled(runs)} runs"


def _others(pairs: Sequence[Pair]) -> str:
    return pairs[0].a if len(pairs) == 1 else f"the other {spelled(len(pairs))} runs"


def _too_few(topics: int) -> str:
    return f"{counted(topics, 'topic')} {_are(topics)} too few for a significant difference"


def _are(number: int) -> str:
    return "is" if number < 2 else "are"


# -- a baseline


def _around_baseline(comparison: Comparison, rivals: Sequence[Pair]) -> str:
    if len(rivals) == 1:
        return _beside_baseline(comparison, rivals[0])
    base, every = comparison.baseline, len(rivals)
    if comparison.too_few_topics is not None:
        ahead = sum(lead_of(comparison, pair) > 0 for pair in rivals)
        few = _too_few(comparison.too_few_topics)
        return f"{_share(ahead, every)} {_are(ahead)} ahead of {base}, but {few}"
    better, worse = (_significant(comparison, rivals, sign) for sign in (1, -1))
    if better:
        also = f", {spelled(worse)} {_are(worse)} significantly behind" if worse else ""
        return f"{_share(better, every)} {_are(better)} significantly ahead of {base}{also}"
    if worse:
        behind = f"{_share(worse, every)} {_are(worse)} significantly behind"
        return f"{behind} and none significantly ahead of {base}"
    if comparison.procedure.tail == "one":
        return f"{_share(0, every)} is significantly ahead of {base}"
    return f"{_share(0, every)} differs significantly from {base}"


def _share(some: int, every: int) -> str:
    if some == every:
        return "both runs" if every == 2 else f"all {spelled(every)} runs"
    none = "neither" if every == 2 else "none"
    return f"{spelled(some) if some else none} of the {spelled(every)} runs"


def _significant(comparison: Comparison, pairs: Sequence[Pair], sign: int) -> int:
    return sum(
        comparison.is_significant(pair) and sign * lead_of(comparison, pair) > 0 for pair in pairs
    )


def _beside_baseline(comparison: Comparison, pair: Pair) -> str:
    base, lead = pair.b, lead_of(comparison, pair)
    if not lead:
        return f"{pair.a} and {base} are tied at {two_digits(pair.mean_a)}"
    side = "ahead of" if lead > 0 else "behind"
    if comparison.too_few_topics is not None:
        return f"{pair.a} is {side} {base}, but {_too_few(comparison.too_few_topics)}"
    if comparison.is_significant(pair):
        return f"{pair.a} is significantly {side} {base}"
    if lead < 0 and comparison.procedure.tail == "one":
        return f"{pair.a} is behind {base}; the one-tailed test asks only for better runs"
    return f"{pair.a} is {side} {base}, but not significantly"


# -- how each run stands


def statuses(comparison: Comparison) -> dict[str, Status]:
    """Of every run with values, by the corrected test."""
    reference = reference_of(comparison)
    pairs = {pair.a: pair for pair in rivals_of(comparison)}
    # With a baseline, or over different topics, no run is the best one by itself.
    beside = comparison.baseline is not None or comparison.has_different_topics
    return {
        mean.run: _own_status(comparison, beside=beside)
        if mean.run == reference
        else _status(comparison, pairs.get(mean.run), beside=beside)
        for mean in comparison.means
        if mean.topics
    }


def _own_status(comparison: Comparison, *, beside: bool) -> Status:
    if comparison.better == "neither":
        return "untested"
    return "close" if beside else "best"


def _status(comparison: Comparison, pair: Pair | None, *, beside: bool) -> Status:
    if pair is None or comparison.better == "neither":
        return "untested"
    if not pair.difference and not beside:
        return "best"
    if pair.p is None or comparison.too_few_topics is not None:
        return "untested"
    if not pair.difference or not comparison.is_significant(pair):
        return "close"
    return "worse" if lead_of(comparison, pair) < 0 else "best"
