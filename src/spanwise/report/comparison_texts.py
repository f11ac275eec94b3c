"""Numbers and marks of comparisons as people read them."""

from __future__ import annotations

from collections.abc import Sequence

from spanwise.statistics.comparison import Comparison, Pair, Procedure

DIGITS = 4
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


def probability_in_words(p: float) -> str:
    """A p that may be luck: three digits where two could look like the level.

    >>> probability_in_words(0.412), probability_in_words(0.0544)
    ('0.41', '0.054')
    """
    return f"{p:.{3 if p < 0.1 else 2}f}"


def probability(p: float, digits: int = DIGITS) -> str:
    """A p in a sentence.

    >>> probability(0.0312), probability(0.0)
    ('p = 0.0312', 'p < 0.0001')
    """
    text = probability_cell(p, digits)
    return f"p {text.replace('<', '< ')}" if text.startswith("<") else f"p = {text}"


def probability_cell(p: float, digits: int = DIGITS) -> str:
    """A p in a table: never 0, since no number of resamples can show that."""
    places = max(digits, 1)
    return f"{p:.{places}f}" if p >= 10**-places else f"<{10**-places:.{places}f}"


def mark(pair: Pair, procedure: Procedure) -> str:
    """Stars where a difference is more than luck."""
    if pair.p_corrected > procedure.level:
        return ""
    return "**" if pair.p_corrected <= procedure.level / STRICTER else "*"


def legend(comparison: Comparison) -> str:
    """What the marks mean and where p and intervals come from."""
    procedure, level = comparison.procedure, comparison.procedure.level
    marks = f"* p at most {level:g}, ** at most {level / STRICTER:g}"
    parts = [
        f"{procedure.tail}-tailed {_TESTS[procedure.test]}{_method(procedure)}",
        *_corrected(procedure, len(comparison.tested)),
        _topics(comparison.tested),
    ]
    return f"{marks}: {', '.join(parts)}. {_resamples(procedure)}."


def _resamples(procedure: Procedure) -> str:
    drawn = f"{procedure.resamples:,} resamples, seed {procedure.seed}"
    if procedure.test in ("bootstrap", "randomisation"):
        return f"Test and intervals ({percent(procedure)}, bootstrap): {drawn}"
    return f"Intervals ({percent(procedure)}, bootstrap): {drawn}"


def percent(procedure: Procedure) -> str:
    """How sure an interval is.

    >>> percent(Procedure())
    '95 %'
    """
    return f"{100 * (1 - procedure.level):g} %"


def _method(procedure: Procedure) -> str:
    return f" ({procedure.method})" if procedure.test == "bootstrap" else ""


def _corrected(procedure: Procedure, pairs: int) -> list[str]:
    if pairs < 2:
        return []
    if procedure.correction == "none":
        return ["p not corrected"]
    return [f"p corrected after {_CORRECTIONS[procedure.correction]} over {pairs} pairs"]


def _topics(pairs: Sequence[Pair]) -> str:
    counts = sorted({pair.topics for pair in pairs}) or [0]
    most = counts[-1]
    text = f"{most}" if len(counts) == 1 else f"{counts[0]} to {most}"
    return f"{text} topic{'' if most == 1 else 's'}"
