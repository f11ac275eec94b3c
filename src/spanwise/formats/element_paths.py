"""The paths of elements that answers name: are they written as paths are?"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

import numpy as np

from spanwise.data.identifiers import Identifiers, Keys
from spanwise.data.run import Extent, Run
from spanwise.records import replace
from spanwise.text.ranges import Booleans, Integers

PATH = "a path such as /article[1]/sec[2]"

# What ``steps_of`` accepts, in one look and without a step back.
_STEPS = re.compile(r"(?:/[^/\[\]\s]++(?:\[[1-9][0-9]{0,8}+\])?+)++")
_SLASH = ord("/")
_BITS = 20
_MIX = np.uint64(0x9E3779B97F4A7C15)


def is_path(text: str) -> bool:
    """Is it one path, or two with a blank between them?

    >>> is_path("/a[1]/p[2]"), is_path("/a[1]/p[2] /a[1]/p[4]"), is_path("p[2]")
    (True, True, False)
    """
    first, _, last = text.partition(" ")
    return bool(_STEPS.fullmatch(first) and (first == text or _STEPS.fullmatch(last)))


@dataclass(frozen=True, slots=True, eq=False)
class PathCheck:
    """Tells bad paths from good ones in millions of answers, which name few different elements.

    The keys of good paths stay in a table; a path whose key is there is not looked at again.
    """

    good: Keys = field(default_factory=lambda: np.zeros(1 << _BITS, np.uint64))

    def wrong(self, paths: Identifiers) -> Booleans:
        """Which of them are not paths?"""
        key = paths.keys()
        slot = ((key * _MIX) >> np.uint64(64 - _BITS)).astype(np.int64)
        wrong: Booleans = self.good[slot] != key
        fresh = np.flatnonzero(wrong)
        if len(fresh):
            _, first, which = np.unique(key[fresh], return_index=True, return_inverse=True)
            bad = _bad(paths, fresh[first])
            self.good[slot[fresh[first[~bad]]]] = key[fresh[first[~bad]]]
            wrong[fresh] = bad[which]
        return wrong


def _bad(paths: Identifiers, rows: Integers) -> Booleans:
    texts = paths.take(rows).strings()
    # Each begins with a slash and no step holds one: together they are a path if all of them are.
    together = all(text.startswith("/") for text in texts) and _STEPS.fullmatch("".join(texts))
    if together:
        return np.zeros(len(rows), np.bool_)
    return np.array([not _STEPS.fullmatch(text) for text in texts], np.bool_)


def names_element(run: Run) -> Booleans:
    """Which answers name an element, whether or not its characters are known?"""
    if run.paths is None:
        return np.zeros(len(run), np.bool_)
    named: Booleans = run.paths.buffer[run.paths.start] == _SLASH
    return named


def as_elements(run: Run) -> Run:
    """The same run for formats with paths: what names an element is that element, resolved or not.

    Others write the characters of an element as soon as they are known.
    """
    return replace(run, extent=np.where(names_element(run), np.uint8(Extent.ELEMENT), run.extent))


def joined(first: Identifiers, last: Identifiers) -> Identifiers:
    """Both paths of each answer with a blank between them."""
    pairs = zip(first.strings(), last.strings(), strict=True)
    return Identifiers.of(f"{one} {two}" for one, two in pairs)
