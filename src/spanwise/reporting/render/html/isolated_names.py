"""Names of runs inside sentences: a name in another script turns nothing around it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from functools import cached_property

from markupsafe import Markup, escape


class IsolatedNames:
    """Marks known names in texts as parts with a direction of their own."""

    def __init__(self, names: Iterable[str], shown: Callable[[str], str]) -> None:
        self._names, self._shown = names, shown

    def __call__(self, text: str) -> Markup:
        """A text as it is shown, escaped, each known name in it isolated."""
        text = self._shown(text)
        if self._pattern is None:
            return escape(text)
        # Names are at odd places: what a pattern with one group splits by.
        parts = enumerate(self._pattern.split(text))
        return Markup("").join(
            Markup("<bdi>{}</bdi>").format(part) if place % 2 else escape(part)
            for place, part in parts
        )

    @cached_property
    def _pattern(self) -> re.Pattern[str] | None:
        """Whole words only; of two names that begin alike the longer one."""
        known = sorted({self._shown(name) for name in self._names} - {""}, key=len, reverse=True)
        if not known:
            return None
        return re.compile(rf"(?<!\w)({'|'.join(map(re.escape, known))})(?!\w)")
