"""Numbers as sentences have them."""

from __future__ import annotations

from spanwise.reporting.render import DIGITS, LARGE, probability_text, text_of


def decimal(value: float, digits: int = DIGITS) -> str:
    """A number with some digits, with more if only zeros would be left of it.

    >>> decimal(0.4387), decimal(0.00000123), decimal(0.0), decimal(4000.25)
    ('0.4387', '0.0000012', '0.0000', '4,000.2')
    """
    text = text_of(value, "value", digits)
    if value and abs(value) < LARGE and not float(text):
        return f"{value:.{_first_digit(value) + 1}f}"
    return text


def _first_digit(value: float) -> int:
    """The place after the point of the first digit that is not 0."""
    return -int(f"{value:e}".partition("e")[2])


def two_digits(value: float) -> str:
    """A number as in a sentence; one digit where two would be zeros.

    >>> two_digits(0.1268), two_digits(0.0031), two_digits(2709.0714)
    ('0.13', '0.003', '2,709')
    """
    if abs(value) >= LARGE:
        return f"{value:,.0f}"
    text = f"{value:.2f}"
    return f"{value:.{_first_digit(value)}f}" if value and not float(text) else text


def percent_text(share: float) -> str:
    """A share as a percentage, with as many digits as it has.

    >>> percent_text(0.95)
    '95%'
    """
    return f"{100 * share:.10g}%"


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


def probability_equation(p: float) -> str:
    """A p with its name.

    >>> probability_equation(0.0312), probability_equation(0.0)
    ('p = 0.0312', 'p < 0.0001')
    """
    text = probability_text(p)
    return f"p < {text[1:]}" if text.startswith("<") else f"p = {text}"
