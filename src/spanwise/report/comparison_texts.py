"""Numbers and marks of comparisons as people read them."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from spanwise.statistics.comparison import Comparison, Pair
from spanwise.statistics.intervals import MANY
from spanwise.statistics.notes import on_bootstrap, on_direction
from spanwise.statistics.procedure import EXACT_TOPICS, Procedure

DIGITS = 4
UNTESTED = "-"
STRICTER = 5
"""Two marks stand for a p so many times smaller than the level: 0.01 for 0.05."""
_TESTS = {
    "bootstrap": "paired bootstrap test",
    "randomisation": "paired randomisation test",
    "t": "paired t test",
    "wilcoxon": "Wilcoxon signed-rank test",
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


def legend(comparison: Comparison) -> str:
    """What the marks mean and where p and intervals come from."""
    level = comparison.procedure.level
    told = [how_tested(comparison), intervals_by(comparison)]
    if comparison.tested and comparison.too_few_topics is None:
        what = "p" if comparison.procedure.correction == "none" else "corrected p"
        told = [f"* {what} at most {level:g}, ** at most {level / STRICTER:g}.", *told]
    notes = [*on_bootstrap(comparison), *on_direction(comparison)] if comparison.tested else []
    return " ".join([*filter(None, told), *map(sentence, notes)])


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


def intervals_by(comparison: Comparison) -> str:
    """How the intervals were found, in a sentence; they are not corrected."""
    procedure, topics = comparison.procedure, {mean.topics for mean in comparison.means} - {0}
    if not topics:
        return ""
    few = "bootstrap-t (Wilson if all values are 0 or 1)"
    methods = {"BCa" if count >= MANY else few for count in topics}
    drawn = f"{procedure.interval_resamples:,} resamples, seed {procedure.seed}"
    return f"{percent(procedure)} CI: {' or '.join(sorted(methods))}, {drawn}, uncorrected."


def percent(procedure: Procedure) -> str:
    """How sure an interval is.

    >>> percent(Procedure())
    '95%'
    """
    return f"{100 * (1 - procedure.level):.10g}%"
