"""Some lines of a file, which keep the numbers that they have in it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import numpy as np

from spanwise.formats.source import Source
from spanwise.records import field
from spanwise.text.ranges import Integers


class SomeLines(Source, frozen=True, eq=False):
    r"""Lines that were checked already, in the order of their file.

    >>> some = SomeLines("qrels", b"q1 0 d7 1\nq1 0 d9 0\n", numbers=np.array([3, 8]))
    >>> list(some.lines())
    [(3, 'q1 0 d7 1'), (8, 'q1 0 d9 0')]
    """

    numbers: Integers = field(default_factory=lambda: np.zeros(0, np.int64))
    told: Mapping[str, int] = field(default_factory=dict)

    def text(self) -> str:
        assert self.content is not None, "lines are kept as bytes"
        return self.content.decode()

    def lines(self) -> Iterator[tuple[int, str]]:
        for place, line in Source.lines(self):
            yield int(self.numbers[place - 1]), line

    def column_lines(self) -> Iterator[tuple[int, list[str]]]:
        for place, fields in Source.column_lines(self):
            yield int(self.numbers[place - 1]), fields

    def line_numbers(self, lines: Integers) -> Integers:
        return self.numbers[lines - 1]

    @property
    def told_lengths(self) -> Mapping[str, int]:
        return self.told
