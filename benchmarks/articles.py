"""Made-up XML articles: trees of elements with sizes of text, as columns.

They have the shape of journal articles (front matter, sections of up to three levels, paragraphs
with inline elements, a bibliography), about 670 elements and 60 kB of XML each.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from drawing import Generator, Integers

TAGS = (
    *("article", "fm", "ti", "au", "abs", "bdy", "sec", "st", "ss1", "ss2", "p"),
    *("it", "b", "ref", "bm", "bib", "bb", "yr"),
)
_NUMBER = {tag: number for number, tag in enumerate(TAGS)}

# What each element holds: the tags of its children in document order, and how many at least and at
# most. The few that come after each other in any order are the inline elements of paragraphs.
_CHILDREN: dict[str, tuple[tuple[str, int, int], ...]] = {
    "article": (("fm", 1, 1), ("bdy", 1, 1), ("bm", 1, 1)),
    "fm": (("ti", 1, 1), ("au", 1, 4), ("abs", 1, 1)),
    "abs": (("p", 1, 2),),
    "bdy": (("sec", 3, 9),),
    "sec": (("st", 1, 1), ("p", 1, 6), ("ss1", 0, 4)),
    "ss1": (("st", 1, 1), ("p", 1, 5), ("ss2", 0, 2)),
    "ss2": (("st", 1, 1), ("p", 1, 4)),
    "p": (("it", 0, 4), ("b", 0, 2), ("ref", 0, 2)),
    "it": (("b", -3, 1),),
    "bm": (("bib", 1, 1),),
    "bib": (("bb", 8, 42),),
    "bb": (("au", 1, 3), ("ti", 1, 1), ("yr", 1, 1)),
}
_MIXED = _NUMBER["p"]
# Characters after the start tag, and after the end tag; each at least and at most.
_TEXT: dict[str, tuple[int, int, int, int]] = {
    **dict.fromkeys(TAGS, (1, 1, 1, 1)),
    "ti": (15, 60, 1, 1),
    "au": (8, 20, 2, 2),
    "st": (8, 40, 1, 1),
    "p": (60, 180, 1, 1),
    "it": (4, 24, 30, 150),
    "b": (3, 16, 30, 150),
    "ref": (2, 4, 30, 150),
    "yr": (4, 4, 1, 1),
}
_JOURNALS = ("an", "cg", "co", "cs", "dt", "ex", "ic", "it", "mi", "so", "tc", "td", "tg", "tk")
AT_ONCE = 1000
"""Articles that are made at once: enough to be quick, few enough to be small."""


@dataclass(frozen=True, slots=True, eq=False)
class Articles:
    """Some articles, one after the other, their elements in document order."""

    names: list[str]
    offsets: Integers
    """Where the elements of each article begin."""
    parent: Integers
    """Row of the parent within the article, -1 for the root."""
    depth: Integers
    tag: Integers
    position: Integers
    """Among the siblings of the same tag, from 1."""
    start: Integers
    size: Integers
    lead: Integers
    """Characters between the start tag and the first child."""
    tail: Integers
    """Characters between the end tag and the next sibling."""

    def __len__(self) -> int:
        return len(self.names)


def name_of(number: int) -> str:
    """What an article is called; journals and years are folders."""
    journal = _JOURNALS[number % len(_JOURNALS)]
    return f"{journal}/{1995 + number // len(_JOURNALS) % 10}/{journal}{number:05}"


def articles(rng: Generator, count: int) -> Iterator[Articles]:
    """So many articles, some at a time."""
    for first in range(0, count, AT_ONCE):
        names = [name_of(number) for number in range(first, min(first + AT_ONCE, count))]
        yield _articles(rng, names)


@dataclass(frozen=True, slots=True, eq=False)
class _Level:
    """All elements of one depth, siblings together."""

    parent: Integers
    """Place in the level above."""
    tag: Integers
    position: Integers

    def __len__(self) -> int:
        return len(self.tag)


def _articles(rng: Generator, names: list[str]) -> Articles:
    levels = list(_levels(rng, len(names)))
    place = _places(levels)
    tag = _in_order(place, [level.tag for level in levels])
    lead, tail = (_sizes(rng, tag, column) for column in (0, 2))
    tail[tag == 0] = 0
    size = _contained(levels, place, lead, tail)
    above = [levels[0].parent] + [
        place[depth - 1][level.parent] for depth, level in enumerate(levels[1:], 1)
    ]
    roots = place[0]
    offsets = np.append(roots, len(tag))
    first = np.repeat(roots, np.diff(offsets))
    parent = _in_order(place, above)
    end = _in_order(place, [own + count for own, count in zip(place, _counts(levels), strict=True)])
    before = np.cumsum(lead) - lead + np.cumsum(np.bincount(end, tail, len(tag) + 1))[:-1]
    start = before.astype(np.int64)
    return Articles(
        names,
        offsets,
        np.where(parent < 0, -1, parent - first),
        _in_order(place, [np.full(len(level), depth) for depth, level in enumerate(levels)]),
        tag,
        _in_order(place, [level.position for level in levels]),
        start - start[first],
        size,
        lead,
        tail,
    )


def _levels(rng: Generator, count: int) -> Iterator[_Level]:
    """The elements depth by depth, beginning with the roots."""
    none = np.full(count, -1, np.int64)
    level = _Level(none, np.zeros(count, np.int64), np.ones(count, np.int64))
    while len(level):
        yield level
        level = _below(rng, level.tag)


def _below(rng: Generator, above: Integers) -> _Level:
    """The children of all elements of a level."""
    parents: list[Integers] = []
    tags: list[Integers] = []
    for holder, kinds in _CHILDREN.items():
        rows = np.flatnonzero(above == _NUMBER[holder])
        for kind, least, most in kinds:
            count = np.maximum(rng.integers(least, most + 1, len(rows)), 0)
            parents.append(np.repeat(rows, count))
            tags.append(np.full(len(parents[-1]), _NUMBER[kind], np.int64))
    parent, tag = np.concatenate(parents), np.concatenate(tags)
    order = np.arange(len(parent), dtype=np.float64)
    mixed = above[parent] == _MIXED
    order[mixed] = rng.random(int(mixed.sum()))
    rows = np.lexsort((order, parent))
    parent, tag = parent[rows], tag[rows]
    return _Level(parent, tag, _positions(parent, tag))


def _positions(parent: Integers, tag: Integers) -> Integers:
    """The number of each element among its siblings of the same tag."""
    kind = parent * len(TAGS) + tag
    order = np.argsort(kind, kind="stable")
    begins = np.flatnonzero(np.diff(kind[order], prepend=-1))
    position = np.empty(len(kind), np.int64)
    sizes = np.diff(np.append(begins, len(kind)))
    position[order] = np.arange(len(kind)) - np.repeat(begins, sizes) + 1
    return position


def _counts(levels: list[_Level]) -> list[Integers]:
    """How many elements each one holds, itself included."""
    counts = [np.ones(len(level), np.int64) for level in levels]
    for depth in range(len(levels) - 1, 0, -1):
        below = np.bincount(levels[depth].parent, counts[depth], len(levels[depth - 1]))
        counts[depth - 1] += below.astype(np.int64)
    return counts


def _places(levels: list[_Level]) -> list[Integers]:
    """The row of each element in document order."""
    places: list[Integers] = []
    for level, count in zip(levels, _counts(levels), strict=True):
        before = np.cumsum(count) - count
        if not places:
            places.append(before)
            continue
        eldest = np.flatnonzero(np.diff(level.parent, prepend=-1))
        family = np.cumsum(np.diff(level.parent, prepend=-1) != 0) - 1
        places.append(places[-1][level.parent] + 1 + before - before[eldest][family])
    return places


def _in_order(places: list[Integers], columns: list[Integers]) -> Integers:
    """A column of all levels as one, in document order."""
    column = np.empty(sum(map(len, places)), np.int64)
    column[np.concatenate(places)] = np.concatenate(columns)
    return column


def _sizes(rng: Generator, tag: Integers, column: int) -> Integers:
    bounds = np.array([_TEXT[name] for name in TAGS], np.int64)
    sizes: Integers = rng.integers(bounds[tag, column], bounds[tag, column + 1] + 1)
    return sizes


def _contained(
    levels: list[_Level], places: list[Integers], lead: Integers, tail: Integers
) -> Integers:
    """The characters of each element: its own, and those of its children and after them."""
    size = lead.copy()
    for depth in range(len(levels) - 1, 0, -1):
        rows = places[depth]
        above = places[depth - 1][levels[depth].parent]
        held = np.bincount(above, size[rows] + tail[rows], len(size))
        size += held.astype(np.int64)
    return size
