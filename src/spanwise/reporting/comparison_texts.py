"""Numbers and marks of comparisons as people read them."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence

from spanwise.statistics.comparison import Comparison, Mean, Pair
from spanwise.statistics.intervals import MANY, IntervalMethod
from spanwise.statistics.notes import on_bootstrap, on_direction
from spanwise.statistics.procedure import EXACT_TOPICS, Procedure

DIGITS = 4
UNTESTED = "-"
NO_INTERVAL = "-"
STRICTER = 5
"""Two marks stand for a p so many times smaller than the level: 0.01 for 0.05."""
_TESTS = {
    "bootstrap": "paired bootstrap test",
    "randomisation": "paired randomisation test",
    "t": "paired t test",
    "wilcoxon": "Wilcoxon signed-rank test",
}
_INTERVALS: dict[IntervalMethod, str] = {
    "BCa": "BCa",
    "bootstrap-t": "bootstrap-t",
    "Student": "Student's t (where too few resamples vary)",
    "Wilson": "Wilson (where all values are 0 or 1)",
}
_CORRECTIONS = {"holm": "Holm", "bh": "Benjamini and Hochberg"}


def decimal(value: float, digits: int = DIGITS) -> str:
    """A number with so many digits, with more if only zeros would be left of it.

    >>> decimal(0.4387), decimal(0.00000123), decimal(0.0)
    ('0.4387', '0.0000012', '0.0000')
    """
    text = f"{value:.{digits}f}"
    if value and not float(text):
        return f"{value:.{_first_digit(value) + 1}f}"
    return text


def _first_digit(value: float) -> int:
    """The place after the point at which the first digit other than 0 stands."""
    return -int(f"{value:e}".partition("e")[2])


def two_digits(value: float) -> str:
    """As in a sentence; one digit where two would be zeros.

    >>> two_digits(0.1268), two_digits(0.0031)
    ('0.13', '0.003')
    """
    text = f"{value:.2f}"
    return f"{value:.{_first_digit(value)}f}" if value and not float(text) else text


def probability_in_words(p: float, level: float) -> str:
    """A p in a sentence: with as many digits as it takes not to look like the level.

    >>> [probability_in_words(p, 0.05) for p in (0.412, 0.0544, 0.05004, 0.0004)]
    ['0.41', '0.054', '0.05004', '< 0.001']
    """
    if p < 0.001:
        return "< 0.001"
    digits = 3 if p < 0.1 else 2
    while p != level and digits < 12 and float(f"{p:.{digits}f}") == level:
        digits += 1
    return f"{p:.{digits}f}"


def interval(low: float, high: float, text: Callable[[float], str]) -> str:
    """Two ends of an interval; a dash could be taken for the sign of a negative end.

    >>> interval(0.36, 0.51, two_digits), interval(-0.02, 0.51, two_digits)
    ('0.36–0.51', '-0.02 to 0.51')
    """
    between = " to " if low < 0 or high < 0 else "–"
    return f"{text(low)}{between}{text(high)}"


def probability(p: float, digits: int = DIGITS) -> str:
    """A p in a sentence.

    >>> probability(0.0312), probability(0.0)
    ('p = 0.0312', 'p < 0.0001')
    """
    text = probability_cell(p, digits)
    return f"p {text.replace('<', '< ')}" if text.startswith("<") else f"p = {text}"


def probability_cell(p: float | None, digits: int = DIGITS) -> str:
    """A p in a table: never 0, since no number of resamples can show that."""
    if p is None:
        return UNTESTED
    places = max(digits, 1)
    return f"{p:.{places}f}" if p >= 10**-places else f"<{10**-places:.{places}f}"


def mark(pair: Pair, comparison: Comparison) -> str:
    """Stars where a difference is significant after correction."""
    if not comparison.is_significant(pair) or pair.p_corrected is None:
        return ""
    return "**" if pair.p_corrected <= comparison.procedure.level / STRICTER else "*"


# -- the legend: everything that is needed to read the numbers


def legend(*comparisons: Comparison) -> str:
    """What the marks mean and where p and intervals come from; what measures share, once."""
    tested = [one for one in comparisons if one.tested]
    notes = [note for one in tested for note in (*on_bootstrap(one), *on_direction(one))]
    told = [*_marks(tested), *map(how_tested, tested), intervals_by(comparisons)]
    return " ".join(dict.fromkeys([*filter(None, told), *map(sentence, notes)]))


def _marks(tested: Sequence[Comparison]) -> Iterator[str]:
    for one in tested:
        if one.too_few_topics is None:
            what, level = name_of_p(one.procedure), one.procedure.level
            yield f"* {what} at most {level:g}, ** at most {level / STRICTER:g}."


def name_of_p(procedure: Procedure) -> str:
    """What the p is called that decides what is significant."""
    return "p" if procedure.correction == "none" else "corrected p"


def sentence(note: str) -> str:
    """A note as a sentence of its own.

    >>> sentence("with 5 topics")
    'With 5 topics.'
    """
    return f"{note[:1].upper()}{note[1:]}."


def how_tested(comparison: Comparison, question: str | None = None) -> str:
    """The test with all its settings, in a sentence; ``question`` is that of a one-tailed one."""
    procedure, pairs = comparison.procedure, comparison.tested
    if not pairs:
        return ""
    asked = question or f"is the run better than {comparison.baseline}?"
    parts = [
        f"{procedure.tail}-tailed {_TESTS[procedure.test]}{_method(procedure)}",
        *([f"one-tailed question: {asked}"] if _is_directed(comparison) else []),
        *(["in the observed direction"] if comparison.takes_observed_direction else []),
        *_draws(comparison),
        _corrected(comparison),
        _topics(pairs),
    ]
    return f"Test: {', '.join(parts)}."


def _is_directed(comparison: Comparison) -> bool:
    return comparison.procedure.tail == "one" and not comparison.takes_observed_direction


def _draws(comparison: Comparison) -> list[str]:
    """Of the randomisation and the bootstrap test."""
    procedure, drawn = comparison.procedure, f"{comparison.resamples:,}"
    if procedure.test == "bootstrap":
        return [f"{drawn} resamples, seed {procedure.seed}"]
    if procedure.test != "randomisation":
        return []
    random = [comparison.drawn(pair) is not None for pair in comparison.tested]
    if not any(random):
        return ["exact (all sign flips)"]
    exact = "" if all(random) else f", exact where at most {EXACT_TOPICS} topics differ"
    return [f"{drawn} random sign flips, seed {procedure.seed}{exact}"]


def _method(procedure: Procedure) -> str:
    return f" ({procedure.method})" if procedure.test == "bootstrap" else ""


def _corrected(comparison: Comparison) -> str:
    if comparison.procedure.correction == "none":
        return "p not corrected"
    tests = f"{comparison.tests:,} test{'' if comparison.tests == 1 else 's'}"
    return f"{_CORRECTIONS[comparison.procedure.correction]} correction over {tests}"


def _topics(pairs: Sequence[Pair]) -> str:
    counts = sorted({pair.topics for pair in pairs})
    most = counts[-1]
    text = f"{most:,}" if len(counts) == 1 else f"{counts[0]:,} to {most:,}"
    return f"{text} topic{'' if most == 1 else 's'}"


def intervals_by(comparisons: Sequence[Comparison]) -> str:
    """How the intervals of these measures were found, in a sentence; they are not corrected."""
    means = [mean for one in comparisons for mean in one.means if mean.topics]
    if not means:
        return ""
    procedure, own = comparisons[0].procedure, {mean.interval for mean in means}
    others = {pair.interval for one in comparisons for pair in one.pairs} - {None}
    parts = [_methods(own)] if own - {None} else []
    parts += [f"of differences {_methods(others)}"] if others - own else []
    if (own | others) & {"bootstrap-t", "BCa"}:
        parts.append(f"{procedure.interval_resamples:,} resamples, seed {procedure.seed}")
    parts += ["uncorrected"] if parts else []
    return f"{percent(procedure)} CI: {'; '.join(filter(None, [', '.join(parts), _none(means)]))}."


def _methods(found: Collection[IntervalMethod | None]) -> str:
    conditions = {"bootstrap-t": f" (below {MANY} topics)"} if "BCa" in found else {}
    return " or ".join(
        f"{name}{conditions.get(method, '')}"
        for method, name in _INTERVALS.items()
        if method in found
    )


def _none(means: Sequence[Mean]) -> str:
    """Which means have no interval, if there are such."""
    without = [mean.topics for mean in means if mean.interval is None]
    reasons = ["1 topic"] if 1 in without else []
    reasons += ["equal values on all topics"] if any(count > 1 for count in without) else []
    return f"not given for a run with {' or '.join(reasons)}" if reasons else ""


def interval_of(found: Mean | Pair, text: Callable[[float], str]) -> str:
    """The interval of a mean or of a difference, where there is one."""
    return NO_INTERVAL if found.interval is None else interval(found.low, found.high, text)


def on_topics(comparison: Comparison) -> Iterator[str]:
    """Means and differences are over different topics where runs do not have the same ones."""
    if comparison.has_different_topics:
        yield (
            "Runs have different topics. Each mean is over the topics of its run; differences and"
            " tests are over the common topics, which both runs have."
        )


def percent(procedure: Procedure) -> str:
    """How sure an interval is.

    >>> percent(Procedure())
    '95%'
    """
    return f"{100 * (1 - procedure.level):.10g}%"
