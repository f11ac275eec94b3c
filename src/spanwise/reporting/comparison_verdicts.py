"""Which run is best, and is its lead significant: in a sentence or two."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from spanwise.errors import clean
from spanwise.reporting.comparison_texts import (
    interval_of,
    name_of_p,
    percent,
    probability_in_words,
    sentence,
    two_digits,
)
from spanwise.statistics.comparison import Comparison, Mean, Pair
from spanwise.statistics.notes import on_few_topics

NAMED = 3
"""So many runs of a kind are named; the others are counted."""


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
    return " ".join([f"{_verdict(comparison)}.", *map(sentence, _doubts(comparison))])


def _doubts(comparison: Comparison) -> Iterator[str]:
    if comparison.too_few_topics is not None:
        yield from on_few_topics(comparison)
    elif comparison.few_for_bootstrap is not None and comparison.significant():
        yield f"with {comparison.few_for_bootstrap} topics the bootstrap test is anti-conservative"


def _verdict(comparison: Comparison) -> str:
    first, measure = _mean(comparison, reference_of(comparison)), clean(comparison.measure)
    if not any(mean.topics for mean in comparison.means):
        return f"{measure} is not defined for any topic"
    if not first.topics:
        return f"{clean(first.run)} has no {measure} values, so nothing can be compared with it"
    pairs = [pair for pair in against(comparison, first.run) if pair.topics]
    if not pairs:
        value = f"{two_digits(first.mean)} ({_interval(comparison, first)})"
        return f"{clean(first.run)} has {measure} {value}; {_alone(comparison)}"
    if comparison.baseline is not None:
        return _against_baseline(comparison, first, pairs)
    if comparison.better == "neither":
        return _described(comparison)
    said = [*_ahead(comparison, pairs), *_behind(comparison, pairs), *_level(comparison)]
    best = _best(comparison, first, pairs)
    return f"{best}: {'; '.join(said)}" if said else best


def _level(comparison: Comparison) -> Iterator[str]:
    """Whoever takes the direction that is seen must know it where the result is told."""
    if comparison.takes_observed_direction and comparison.tested:
        level = comparison.procedure.level
        yield f"one-tailed in the observed direction, so the real level is about {2 * level:g}"


def _alone(comparison: Comparison) -> str:
    if len(comparison.means) < 2:
        return "there is no run to compare it with"
    return "no other run has a topic in common with it, so it cannot be compared"


def _mean(comparison: Comparison, run: str) -> Mean:
    return next(mean for mean in comparison.means if mean.run == run)


def _interval(comparison: Comparison, mean: Mean) -> str:
    if mean.interval is None:
        return "1 topic" if mean.topics == 1 else "the same on every topic"
    return f"{percent(comparison.procedure)} CI {interval_of(mean, two_digits)}"


def _about(comparison: Comparison, mean: Mean) -> str:
    lower = "; lower is better" if comparison.better == "lower" else ""
    over = f" over {_topics(mean.topics)}" if _says_topics(comparison, mean) else ""
    return f"{two_digits(mean.mean)}{over}, {_interval(comparison, mean)}{lower}"


def _says_topics(comparison: Comparison, mean: Mean) -> bool:
    """A single topic is named in the place of the interval."""
    return comparison.has_different_topics and mean.topics > 1


def _topics(count: int) -> str:
    return f"{count:,} topic{'' if count == 1 else 's'}"


# -- the best run


def _best(comparison: Comparison, first: Mean, pairs: Sequence[Pair]) -> str:
    about = f"the best mean {clean(comparison.measure)} ({_about(comparison, first)})"
    # Over the topics that both have two runs may be equal whose means are not.
    means = {mean.run: mean.mean for mean in comparison.means}
    equal = [
        pair.a for pair in pairs if not pair.difference and _is_near(means[pair.a], first.mean)
    ]
    if comparison.has_different_topics:
        about += ", but means are over different topics; on the topics that both have"
    if not equal:
        return f"{clean(first.run)} has {about}"
    names = [clean(name) for name in (first.run, *equal)]
    return f"{_joined(_shortened(names))} share {about}"


def _is_near(a: float, b: float) -> bool:
    """Equal, but for the last bits."""
    return abs(a - b) <= 1e-12 * max(abs(a), abs(b))


def _ahead(comparison: Comparison, pairs: Sequence[Pair]) -> Iterator[str]:
    """How far the best run is ahead of which others, and is that significant?"""
    for some in _split(comparison, [pair for pair in pairs if _lead(comparison, pair) < 0]):
        yield f"{_far(comparison, some, 'ahead of')}{_significance(comparison, some)}"


def _behind(comparison: Comparison, pairs: Sequence[Pair]) -> Iterator[str]:
    """Means are over all topics of a run, differences over those that two runs have in common."""
    for some in _split(comparison, [pair for pair in pairs if _lead(comparison, pair) > 0]):
        yield f"{_far(comparison, some, 'behind')}{_significance(comparison, some)}"
    equal = [pair for pair in pairs if not pair.difference]
    if equal and comparison.has_different_topics:
        names = _joined(_shortened([clean(pair.a) for pair in equal]))
        yield f"equal to {names}"


def _far(comparison: Comparison, pairs: Sequence[Pair], side: str) -> str:
    """How far from which runs: each by itself, or a range for many."""
    if len(pairs) <= NAMED:
        return _joined(
            [f"{_size(pair)} {side} {clean(pair.a)}{_common(comparison, pair)}" for pair in pairs]
        )
    names = _joined(_shortened([clean(pair.a) for pair in pairs]))
    return f"{_sizes(pairs)} {side} {names}"


def _common(comparison: Comparison, pair: Pair) -> str:
    """The means that a difference rests on, where those of the runs are over other topics."""
    if not comparison.has_different_topics:
        return ""
    means = [two_digits(mean) for mean in (pair.mean_a, pair.mean_b)]
    if comparison.baseline is None:
        means.reverse()
    return f" ({' against '.join(means)}, {_topics(pair.topics)})"


def _lead(comparison: Comparison, pair: Pair) -> float:
    """How much better the first run of a pair is."""
    return 0.0 - pair.difference if comparison.better == "lower" else pair.difference


def _split(comparison: Comparison, pairs: Sequence[Pair]) -> list[list[Pair]]:
    """Pairs that differ significantly and pairs that do not, those that there are."""
    significant = [pair for pair in pairs if comparison.is_significant(pair)]
    others = [pair for pair in pairs if not comparison.is_significant(pair)]
    return [some for some in (significant, others) if some]


def _significance(comparison: Comparison, pairs: Sequence[Pair]) -> str:
    """What is the same for all of these pairs; nothing where it could not have been otherwise."""
    if comparison.too_few_topics is not None:
        return f" ({_values(comparison, pairs)})"
    word = "significant" if comparison.is_significant(pairs[0]) else "not significant"
    return f", {word} ({_values(comparison, pairs)})"


def _values(comparison: Comparison, pairs: Sequence[Pair]) -> str:
    """Their corrected p, as a range; what is only the smallest that draws can give is a limit."""
    values = [pair.p_corrected for pair in pairs if pair.p_corrected is not None]
    level = comparison.procedure.level
    low, high = (probability_in_words(p, level) for p in (min(values), max(values)))
    name = name_of_p(comparison.procedure) if comparison.tests > 1 else "p"
    if not high.startswith("<") and any(map(comparison.is_at_most, pairs)):
        return f"{name} at most {high}"
    equal = "" if low.startswith("<") else "= "
    return f"{name} {equal}{low if low == high else f'{low} to {high}'}"


def _size(pair: Pair) -> str:
    return two_digits(abs(pair.difference))


def _sizes(pairs: Sequence[Pair]) -> str:
    sizes = [abs(pair.difference) for pair in pairs]
    low, high = two_digits(min(sizes)), two_digits(max(sizes))
    return low if low == high else f"{low} to {high}"


# -- a baseline, a measure that only describes


def _against_baseline(comparison: Comparison, first: Mean, pairs: Sequence[Pair]) -> str:
    up, down = ("above", "below") if comparison.better == "neither" else ("ahead", "behind")
    parts = [
        *_sides(comparison, up, [pair for pair in pairs if _lead(comparison, pair) > 0]),
        *_sides(comparison, down, [pair for pair in pairs if _lead(comparison, pair) < 0]),
    ]
    equal = [clean(pair.a) for pair in pairs if not pair.difference]
    if equal:
        parts.append(f"equal: {_joined(_shortened(equal))}")
    about = f"{clean(comparison.measure)} {_about(comparison, first)}"
    over = ", on the topics that both have" if comparison.has_different_topics else ""
    return f"Against the baseline {clean(first.run)} ({about}){over}: {'; '.join(parts)}"


def _sides(comparison: Comparison, side: str, pairs: Sequence[Pair]) -> Iterator[str]:
    one_sided = comparison.procedure.tail == "one" and side == "behind"
    for some in _split(comparison, pairs):
        if comparison.better == "neither":
            said = ""
        elif one_sided:
            said = f"; the one-tailed test asks only for better runs ({_values(comparison, some)})"
        else:
            said = _significance(comparison, some)
        yield f"{_runs(comparison, some, side)}{said}"


def _runs(comparison: Comparison, pairs: Sequence[Pair], side: str) -> str:
    if len(pairs) <= NAMED:
        return _joined(
            [
                f"{clean(pair.a)} is {_size(pair)} {side}{_common(comparison, pair)}"
                for pair in pairs
            ]
        )
    names = _joined(_shortened([clean(pair.a) for pair in pairs]))
    return f"{names} are {_sizes(pairs)} {side}"


def _described(comparison: Comparison) -> str:
    known = [mean for mean in comparison.means if mean.topics]
    low, high = (choose(known, key=lambda mean: mean.mean) for choose in (min, max))
    between = (
        f"all runs have {two_digits(low.mean)}"
        if low.mean == high.mean
        else f"from {two_digits(low.mean)} ({clean(low.run)})"
        f" to {two_digits(high.mean)} ({clean(high.run)})"
    )
    measure = clean(comparison.measure)
    over = ", over different topics" if comparison.has_different_topics else ""
    return f"{measure} describes runs, neither high nor low is better: {between}{over}; not tested"


def _shortened(names: Sequence[str]) -> list[str]:
    """The first few names; the others are counted."""
    if len(names) <= NAMED:
        return list(names)
    return [*names[: NAMED - 1], f"{len(names) - NAMED + 1} more"]


def _joined(texts: Sequence[str]) -> str:
    """As in a sentence.

    >>> _joined(["a", "b", "c"])
    'a, b and c'
    """
    *others, last = texts
    return f"{', '.join(others)} and {last}" if others else last
