"""Make a finding small: fewer files, lines and bytes, with the same problem."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator

from fuzz.contract import Problem
from fuzz.invocations import Invocation
from spanwise.records import replace

Check = Callable[[Invocation], list[Problem]]
_LARGEST = 20_000
"""Longer files are only cut at lines."""
_BINARY = (b"PAR1", b"PK")
"""Files that are nothing any more when a piece is cut out of them."""


def minimised(
    invocation: Invocation, check: Check, rule: str, seconds: float = 20, *, words: bool = False
) -> Invocation:
    """The smallest invocation found in time whose check still gives a problem of this rule.

    ``words`` says that options may go as well: no check but the contract can do without them.
    """
    until = time.monotonic() + seconds

    def still(smaller: Invocation) -> bool:
        if time.monotonic() > until:
            return False
        try:
            return any(problem.rule == rule for problem in check(smaller))
        except Exception:  # a check may need what was cut away
            return False

    progress = True
    while progress and time.monotonic() < until:
        progress = False
        for smaller in _smaller(invocation, words=words):
            if still(smaller):
                invocation, progress = smaller, True
                break
    return invocation


def _smaller(invocation: Invocation, *, words: bool) -> Iterator[Invocation]:
    """Everything that is a little less, the largest steps first."""
    for name in invocation.files:
        rest = {other: data for other, data in invocation.files.items() if other != name}
        yield replace(invocation, files=rest)
    texts = {n: data for n, data in invocation.files.items() if not data.startswith(_BINARY)}
    for name, data in texts.items():
        for less in _less(data.splitlines(keepends=True)):
            yield invocation.with_file(name, b"".join(less))
    start, *options = _groups(invocation.arguments)
    for less in _less(options if words else []):
        yield replace(invocation, arguments=sum(less, start))
    for name, data in texts.items():
        if len(data) < _LARGEST:
            for rest_of in _less([data[n : n + 1] for n in range(len(data))], smallest=4):
                yield invocation.with_file(name, b"".join(rest_of))


def _less(parts: list, smallest: int = 1) -> Iterator[list]:  # type: ignore[type-arg]
    """The parts without a half, a quarter, an eighth ... of them."""
    size = len(parts) // 2
    while size >= smallest:
        for start in range(0, len(parts), size):
            yield parts[:start] + parts[start + size :]
        size //= 2


def _groups(arguments: tuple[str, ...]) -> list[tuple[str, ...]]:
    """The command and its inputs stay together; each option goes with its value."""
    groups: list[tuple[str, ...]] = []
    for word in arguments:
        if word.startswith("-") and len(word) > 1:
            groups.append((word,))
        elif groups and len(groups[-1]) == 1 and groups[-1][0].startswith("-"):
            groups[-1] = (*groups[-1], word)
        elif groups:
            groups[0] = (*groups[0], word)
        else:
            groups.append((word,))
    return groups
