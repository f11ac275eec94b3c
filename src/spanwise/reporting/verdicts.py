"""Which run is best, and is its lead significant: in a sentence or two."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from spanwise.data.notes import Note
from spanwise.reporting.legends import interval_name, name_of_p, sentence_of
from spanwise.reporting.render.cells import (
    interval_text,
    probability_in_words,
    told_apart,
    two_digits,
)
from spanwise.statistics.caveats import doubted_bootstrap, on_few_topics
from spanwise.statistics.comparison import Comparison, Mean, Pair
from spanwise.text.sentences import counted, enumerated, first_few

NAMED = 3
"""How many runs of a kind are named; the others are counted."""


def ranked(comparison: Comparison) -> list[Mean]:
    """The runs, best first; in the order given where neither high nor low is better."""
    if comparison.better == "neither":
        return list(comparison.means)
    sign = -1 if comparison.better == "higher" else 1
    # A run without any topic has no place among the others.
    return sorted(comparison.means, key=lambda mean: (not mean.topics, sign * mean.mean))


def reference_of(comparison: Comparison) -> str:
    """The run that all others are compared with: the baseline, or the best one."""
    return ranked(comparison)[0].run if comparison.baseline is None else comparison.baseline


def against(comparison: Comparison, run: str) -> list[Pair]:
    """Every other run, best first, with this one second in the pair."""
    return [comparison.pair(other.run, run) for other in ranked(comparison) if other.run != run]


def verdict(comparison: Comparison) -> str:
    """What a comparison says, and how far it is to be believed."""
    doubt = _doubt(comparison)
    doubts = [] if doubt is None else [sentence_of(doubt)]
    return " ".join([f"{_result(comparison)}.", *doubts])


def _doubt(comparison: Comparison) -> Note | None:
    if comparison.too_few_topics is not None:
        return on_few_topics(comparison)
    return doubted_bootstrap(comparison) if comparison.significant() else None


def _result(comparison: Comparison) -> str:
    measure, reference = comparison.measure, reference_of(comparison)
    first = next(mean for mean in comparison.means if mean.run == reference)
    if not any(mean.topics for mean in comparison.means):
        return f"{measure} is not defined for any topic"
    if not first.topics:
        return f"{first.run} has no {measure} values, so nothing can be compared with it"
    pairs = [pair for pair in against(comparison, first.run) if pair.topics]
    if not pairs:
        value = f"{two_digits(first.mean)} ({_interval(comparison, first)})"
        return f"{first.run} has {measure} {value}; {_alone(comparison)}"
    if comparison.baseline is not None:
        return _against_baseline(comparison, first, pairs)
    if comparison.better == "neither":
        return _described(comparison)
    leads = [*_leads(comparison, pairs), *_real_level(comparison)]
    best = _best(comparison, first, pairs)
    return f"{best}: {'; '.join(leads)}" if leads else best


def _alone(comparison: Comparison) -> str:
    if len(comparison.means) < 2:
        return "there is no run to compare it with"
    return "no other run has a topic in common with it, so it cannot be compared"


def significant_count(comparison: Comparison) -> str:
    """How many of the pairs differ significantly."""
    significant, tested = len(comparison.significant()), len(comparison.tested)
    about, what = f"by {comparison.measure}", "pair"
    if comparison.baseline is not None:
        about, what = f"from {comparison.baseline} {about}", "run"
    if tested == 1:
        differs = "differs" if significant else "does not differ"
        return f"The {what} {differs} significantly {about}."
    differ = "differs" if significant == 1 else "differ"
    return f"{significant:,} of {tested:,} {what}s {differ} significantly {about}."


# -- means


def _interval(comparison: Comparison, mean: Mean) -> str:
    if mean.interval is None:
        return "1 topic" if mean.topics == 1 else "the same on every topic"
    ends = dict(zip((mean.low, mean.high), told_apart(mean.low, mean.high), strict=True))
    between = interval_text(mean.low, mean.high, ends.__getitem__)
    return f"{interval_name(comparison.procedure)} {between}"


def _about(comparison: Comparison, mean: Mean) -> str:
    lower = "; lower is better" if comparison.better == "lower" else ""
    # A single topic is named in the place of the interval.
    says_topics = comparison.has_different_topics and mean.topics > 1
    over = f" over {counted(mean.topics, 'topic')}" if says_topics else ""
    return f"{two_digits(mean.mean)}{over}, {_interval(comparison, mean)}{lower}"


# -- the best run


def _best(comparison: Comparison, first: Mean, pairs: Sequence[Pair]) -> str:
    about = f"the best mean {comparison.measure} ({_about(comparison, first)})"
    # Over the topics that both have two runs may be equal whose means are not.
    means = {mean.run: mean.mean for mean in comparison.means}
    equal = [
        pair.a for pair in pairs if not pair.difference and _is_near(means[pair.a], first.mean)
    ]
    if comparison.has_different_topics:
        about += ", but means are over different topics; on the topics that both have"
    if not equal:
        return f"{first.run} has {about}"
    return f"{named([first.run, *equal])} share {about}"


def _is_near(a: float, b: float) -> bool:
    """Equal, but for the last bits."""
    return abs(a - b) <= 1e-12 * max(abs(a), abs(b))


def _leads(comparison: Comparison, pairs: Sequence[Pair]) -> Iterator[str]:
    """How far the best run is ahead of which others, and is that significant?

    It may be behind: means are over all topics of a run, differences over the common topics.
    """
    for side, sign in (("ahead of", -1), ("behind", 1)):
        those = [pair for pair in pairs if sign * lead_of(comparison, pair) > 0]
        for some in _by_significance(comparison, those):
            yield f"{_distances(comparison, some, side)}{_significance(comparison, some)}"
    equal = [pair.a for pair in pairs if not pair.difference]
    if equal and comparison.has_different_topics:
        yield f"equal to {named(equal)}"


def _real_level(comparison: Comparison) -> Iterator[str]:
    """A direction that is chosen by looking doubles the level: said where the result is."""
    if comparison.takes_observed_direction and comparison.tested:
        level = comparison.procedure.level
        yield f"one-tailed in the observed direction, so the real level is about {2 * level:g}"


def _distances(comparison: Comparison, pairs: Sequence[Pair], side: str) -> str:
    """How far from which runs: each by itself, or a range for many."""
    if len(pairs) <= NAMED:
        return enumerated(
            f"{_size(pair)} {side} {pair.a}{_on_common(comparison, pair)}" for pair in pairs
        )
    return f"{_sizes(pairs)} {side} {named([pair.a for pair in pairs])}"


def _on_common(comparison: Comparison, pair: Pair) -> str:
    """The means that a difference rests on, where those of the runs are over other topics."""
    if not comparison.has_different_topics:
        return ""
    means = told_apart(pair.mean_a, pair.mean_b)
    if comparison.baseline is None:
        means.reverse()
    return f" ({' against '.join(means)}, {counted(pair.topics, 'topic')})"


def lead_of(comparison: Comparison, pair: Pair) -> float:
    """How much better the first run of a pair is."""
    return 0.0 - pair.difference if comparison.better == "lower" else pair.difference


def _by_significance(comparison: Comparison, pairs: Sequence[Pair]) -> list[list[Pair]]:
    """Pairs that differ significantly and pairs that do not, if there are such."""
    significant = [pair for pair in pairs if comparison.is_significant(pair)]
    others = [pair for pair in pairs if not comparison.is_significant(pair)]
    return [some for some in (significant, others) if some]


def _significance(comparison: Comparison, pairs: Sequence[Pair]) -> str:
    """What is the same for all of these pairs; no word where nothing could be significant."""
    if comparison.too_few_topics is not None:
        return f" ({p_values(comparison, pairs)})"
    word = "significant" if comparison.is_significant(pairs[0]) else "not significant"
    return f", {word} ({p_values(comparison, pairs)})"


def p_values(comparison: Comparison, pairs: Sequence[Pair]) -> str:
    """Their corrected p, as a range; the smallest that the draws can give is called a limit."""
    values = [pair.p_corrected for pair in pairs if pair.p_corrected is not None]
    level = comparison.procedure.level
    low, high = (probability_in_words(p, level) for p in (min(values), max(values)))
    name = name_of_p(comparison.procedure) if comparison.tests > 1 else "p"
    if not high.startswith("<") and any(map(comparison.has_smallest_p, pairs)):
        return f"{name} at most {high}"
    equal = "" if low.startswith("<") else "= "
    return f"{name} {equal}{low if low == high else f'{low} to {high}'}"


def _size(pair: Pair) -> str:
    return two_digits(abs(pair.difference))


def _sizes(pairs: Sequence[Pair]) -> str:
    sizes = [abs(pair.difference) for pair in pairs]
    low, high = two_digits(min(sizes)), two_digits(max(sizes))
    return low if low == high else f"{low} to {high}"


def named(names: Sequence[str]) -> str:
    """The first names; the others are counted."""
    return enumerated(first_few(names, NAMED))


# -- a baseline, a measure that only describes


def _against_baseline(comparison: Comparison, first: Mean, pairs: Sequence[Pair]) -> str:
    up, down = ("above", "below") if comparison.better == "neither" else ("ahead", "behind")
    parts = [
        *_sides(comparison, up, [pair for pair in pairs if lead_of(comparison, pair) > 0]),
        *_sides(comparison, down, [pair for pair in pairs if lead_of(comparison, pair) < 0]),
    ]
    equal = [pair.a for pair in pairs if not pair.difference]
    if equal:
        parts.append(f"equal: {named(equal)}")
    about = f"{comparison.measure} {_about(comparison, first)}"
    over = ", on the topics that both have" if comparison.has_different_topics else ""
    return f"Against the baseline {first.run} ({about}){over}: {'; '.join(parts)}"


def _sides(comparison: Comparison, side: str, pairs: Sequence[Pair]) -> Iterator[str]:
    one_sided = comparison.procedure.tail == "one" and side == "behind"
    for some in _by_significance(comparison, pairs):
        if comparison.better == "neither":
            tested = ""
        elif one_sided:
            values = p_values(comparison, some)
            tested = f"; the one-tailed test asks only for better runs ({values})"
        else:
            tested = _significance(comparison, some)
        yield f"{_runs(comparison, some, side)}{tested}"


def _runs(comparison: Comparison, pairs: Sequence[Pair], side: str) -> str:
    if len(pairs) <= NAMED:
        return enumerated(
            f"{pair.a} is {_size(pair)} {side}{_on_common(comparison, pair)}" for pair in pairs
        )
    return f"{named([pair.a for pair in pairs])} are {_sizes(pairs)} {side}"


def _described(comparison: Comparison) -> str:
    known = [mean for mean in comparison.means if mean.topics]
    low, high = (choose(known, key=lambda mean: mean.mean) for choose in (min, max))
    least, most = told_apart(low.mean, high.mean)
    between = (
        f"all runs have {least}"
        if low.mean == high.mean
        else f"from {least} ({low.run}) to {most} ({high.run})"
    )
    over = ", over different topics" if comparison.has_different_topics else ""
    about = "describes runs, neither high nor low is better"
    return f"{comparison.measure} {about}: {between}{over}; not tested"
