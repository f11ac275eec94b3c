"""Phrases that the sentences of several experiments share."""

from __future__ import annotations

from collections.abc import Sequence

NAMED = 8
"""How many things a sentence names before it counts the others."""


def some_of(names: Sequence[str], between: str = ", ") -> str:
    """The first few names, and how many more there are.

    >>> some_of("abc"), some_of("abcdefghij")
    ('a, b, c', 'a, b, c, d, e, f, g, h and 2 more')
    """
    more = f" and {len(names) - NAMED} more" if len(names) > NAMED else ""
    return between.join(names[:NAMED]) + more


def tau_text(tau: float) -> str:
    """Three digits; what is below 1 has as many as it needs not to be written as 1.

    >>> tau_text(1.0), tau_text(0.9998), tau_text(0.99996), tau_text(-1 / 3), tau_text(-0.0)
    ('1.000', '0.9998', '0.99996', '-0.333', '0.000')
    """
    digits = 3
    while tau < 1 and float(f"{tau:.{digits}f}") == 1:
        digits += 1
    return f"{tau + 0.0:.{digits}f}"


def percent(share: float, digits: int = 1) -> str:
    """A share in hundredths; only nothing is written as 0%, and only all as 100%.

    >>> percent(0.5), percent(0.0), percent(0.00001), percent(0.99999, 2), percent(1.0)
    ('50.0%', '0%', 'under 0.1%', 'over 99.99%', '100%')
    """
    smallest = 10**-digits
    if share in (0.0, 1.0):
        return f"{100 * share:.0f}%"
    if 100 * share < smallest:
        return f"under {smallest:g}%"
    if 100 * (1 - share) < smallest:
        return f"over {100 - smallest:g}%"
    return f"{100 * share:.{digits}f}%"
