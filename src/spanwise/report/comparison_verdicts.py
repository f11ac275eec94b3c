"""Which run is best, and is that more than luck: in one sentence."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from spanwise.report.comparison_texts import percent, probability_in_words, two_digits
from spanwise.report.grids import printable
from spanwise.statistics.comparison import Comparison, Mean, Pair

NAMED = 3
"""So many runs of a kind are named; the others are counted."""


def ranked(comparison: Comparison) -> list[Mean]:
    """The runs, best first; in the order given where neither high nor low is better."""
    if comparison.better == "neither":
        return list(comparison.means)
    sign = -1 if comparison.better == "higher" else 1
    # A run without any topic has no place among the others.
    return sorted(comparison.means, key=lambda mean: (not mean.topics, sign * mean.mean))


def reference(comparison: Comparison, baseline: str | None) -> str:
    """The run that all others are held against: the baseline, or the best one."""
    return ranked(comparison)[0].run if baseline is None else baseline


def against(comparison: Comparison, run: str) -> list[Pair]:
    """Every other run, best first, with this one second in the pair."""
    return [comparison.pair(other.run, run) for other in ranked(comparison) if other.run != run]


def verdict(comparison: Comparison, baseline: str | None = None) -> str:
    """What a comparison says, and how far it is to be believed."""
    said = _verdict(comparison, baseline)
    few = comparison.few_topics
    if few is None:
        return said
    return f"{said} With {few} topics the bootstrap test is too sure: try --test randomisation."


def _verdict(comparison: Comparison, baseline: str | None) -> str:
    first = _mean(comparison, reference(comparison, baseline))
    if not any(mean.topics for mean in comparison.means):
        return f"{printable(comparison.measure)} is not defined for any topic."
    if not first.topics:
        measure = printable(comparison.measure)
        return f"{printable(first.run)} has {measure} for no topic: nothing can be held against it."
    pairs = [pair for pair in against(comparison, first.run) if pair.topics]
    if not pairs:
        return f"{_beginning(comparison, first)}: {_alone(comparison)}."
    if baseline is not None:
        return _against_baseline(comparison, first, pairs)
    if comparison.better == "neither":
        return _unordered(comparison)
    said = [_best(comparison, first, pairs), *_ahead(comparison, pairs)]
    return f"{'; '.join(said)}."


def _alone(comparison: Comparison) -> str:
    if len(comparison.means) < 2:
        return "there is no run to compare it with"
    return "it cannot be compared, no other run has a topic in common with it"


def _mean(comparison: Comparison, run: str) -> Mean:
    return next(mean for mean in comparison.means if mean.run == run)


def _interval(comparison: Comparison, mean: Mean) -> str:
    low, high = two_digits(mean.low), two_digits(mean.high)
    return f"{two_digits(mean.mean)}, {percent(comparison.procedure)} interval {low} to {high}"


def _beginning(comparison: Comparison, mean: Mean) -> str:
    measure = printable(comparison.measure)
    return f"{printable(mean.run)} has {measure} {_interval(comparison, mean)}"


def _best(comparison: Comparison, first: Mean, pairs: Sequence[Pair]) -> str:
    lower = ", lower is better" if comparison.better == "lower" else ""
    about = f"by {printable(comparison.measure)} ({_interval(comparison, first)}{lower})"
    # Over the topics that both have two runs may be equal whose means are not.
    means = {mean.run: mean.mean for mean in comparison.means}
    equal = [
        pair.a for pair in pairs if not pair.difference and _is_near(means[pair.a], first.mean)
    ]
    if not equal:
        return f"{printable(first.run)} is best {about}"
    names = [printable(name) for name in (first.run, *equal)]
    return f"{_joined(_shortened(names))} share the first place {about}"


def _is_near(a: float, b: float) -> bool:
    """Equal, but for the last bits."""
    return abs(a - b) <= 1e-12 * max(abs(a), abs(b))


def _ahead(comparison: Comparison, pairs: Sequence[Pair]) -> Iterator[str]:
    """The best run is ahead: by luck of these, by more than luck of those."""
    luck, sure = _split(comparison, [pair for pair in pairs if _lead(comparison, pair) < 0])
    parts = []
    if luck:
        parts.append(f"of {_by(luck)}, which may be luck ({_values(luck)})")
    if sure:
        parts.append(f"of {_by(sure)}, which is more than luck")
    if parts:
        yield f"it is ahead {', and '.join(parts)}"
    # Means are over all topics of a run, differences over those that two runs have in common.
    luck, sure = _split(comparison, [pair for pair in pairs if _lead(comparison, pair) > 0])
    behind = "on the topics that both have it is behind"
    if luck:
        yield f"{behind} {_by(luck)}, which may be luck ({_values(luck)})"
    if sure:
        yield f"{behind} {_by(sure)}, which is more than luck"


def _lead(comparison: Comparison, pair: Pair) -> float:
    """How much better the first run of a pair is."""
    return 0.0 - pair.difference if comparison.better == "lower" else pair.difference


def _split(comparison: Comparison, pairs: Sequence[Pair]) -> tuple[list[Pair], list[Pair]]:
    """Pairs that may differ by luck alone, and the others."""
    level = comparison.procedure.level
    luck = [pair for pair in pairs if pair.p_corrected > level]
    return luck, [pair for pair in pairs if pair.p_corrected <= level]


def _by(pairs: Sequence[Pair]) -> str:
    """Runs and how far each is away."""
    if len(pairs) <= NAMED:
        return _joined([f"{printable(pair.a)} by {_size(pair)}" for pair in pairs])
    names = _shortened([printable(pair.a) for pair in pairs])
    return f"{_joined(names)} by {_range([abs(pair.difference) for pair in pairs], two_digits)}"


def _size(pair: Pair) -> str:
    return two_digits(abs(pair.difference))


def _values(pairs: Sequence[Pair]) -> str:
    return f"p = {_range([pair.p_corrected for pair in pairs], probability_in_words)}"


def _range(values: Sequence[float], text: Callable[[float], str]) -> str:
    low, high = text(min(values)), text(max(values))
    return low if low == high else f"{low} to {high}"


def _against_baseline(comparison: Comparison, first: Mean, pairs: Sequence[Pair]) -> str:
    luck, sure = _split(comparison, pairs)
    up, down = ("above", "below") if comparison.better == "neither" else ("ahead", "behind")
    sides = {
        f"{up} by more than luck": [pair for pair in sure if _lead(comparison, pair) > 0],
        f"{down} by more than luck": [pair for pair in sure if _lead(comparison, pair) < 0],
        f"{up}, perhaps by luck": [pair for pair in luck if _lead(comparison, pair) > 0],
        f"{down}, perhaps by luck": [pair for pair in luck if _lead(comparison, pair) < 0],
        "equal": [pair for pair in luck if not pair.difference],
    }
    parts = [_side(name, found, comparison) for name, found in sides.items() if found]
    lower = ", lower is better" if comparison.better == "lower" else ""
    about = f"{printable(comparison.measure)} {_interval(comparison, first)}{lower}"
    return f"Against the baseline {printable(first.run)} ({about}), {'; '.join(parts)}."


def _side(name: str, pairs: Sequence[Pair], comparison: Comparison) -> str:
    if name == "equal":
        return f"equal: {_joined(_shortened([printable(pair.a) for pair in pairs]))}"
    values = f" ({_values(pairs)})" if pairs[0].p_corrected > comparison.procedure.level else ""
    return f"{name}: {_by(pairs)}{values}"


def _unordered(comparison: Comparison) -> str:
    said = f"By {printable(comparison.measure)} no run is better or worse"
    sure, every = len(comparison.significant()), len(comparison.tested)
    if every > 1:
        return f"{said}; {sure} of {every} pairs differ by more than luck."
    more = "more than luck" if sure else f"what may be luck ({_values(comparison.tested)})"
    return f"{said}; the two differ by {more}."


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
