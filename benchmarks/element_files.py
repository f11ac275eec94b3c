"""Graded elements and runs of elements over made-up articles (case C2)."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import polars as pl
from articles import TAGS, articles
from drawing import Generator, Integers, descending, generator
from shelf import Column, Shelf, write_collection
from workloads import Case

_P = TAGS.index("p")
_INLINE = tuple(TAGS.index(tag) for tag in ("it", "b", "ref"))
_HIGHEST = 3


def make_c2(case: Case, folder: Path) -> None:
    """The collection, then what assessors and systems say about it."""
    rng = generator(case)
    shelf = write_collection(folder / case.collection.name, articles(rng, case.articles))
    topics = [_Topic(str(101 + number), rng, shelf) for number in range(case.topics)]
    with (folder / case.qrels.name).open("w") as stream:
        for topic in topics:
            stream.writelines(topic.assessments(shelf))
    for number in range(case.runs):
        own = generator(case, number)
        rows = np.concatenate([topic.answers(own, shelf, case.depth, number) for topic in topics])
        _write_run(folder / f"run{number:03}.txt", own, topics, rows, shelf, f"system{number}")


# -- topics


class _Topic:
    """Relevant articles, and how relevant their elements are."""

    def __init__(self, name: str, rng: Generator, shelf: Shelf) -> None:
        self.name = name
        most = len(shelf.names)
        relevant = min(int(rng.integers(30, 81)), most // 2)
        chosen = rng.choice(most, min(relevant + 100, most), replace=False)
        self.relevant, self.others = chosen[:relevant], chosen[relevant:]
        graded = [_graded(rng, shelf, int(article)) for article in self.relevant]
        self.row, self.exhaustivity, self.specificity = (
            np.concatenate(column) for column in zip(*graded, strict=True)
        )

    def assessments(self, shelf: Shelf) -> Iterator[str]:
        """Rows of native JSONL; articles that were looked at in vain are rows as well."""
        roots = shelf.offsets[self.others]
        rows = np.concatenate((self.row, roots))
        document = np.searchsorted(shelf.offsets, rows, "right") - 1
        nothing = np.zeros(len(roots), np.int64)
        columns = (
            shelf.names.gather(document).to_list(),
            shelf.paths.gather(shelf.path[rows]).to_list(),
            np.concatenate((self.exhaustivity, nothing)).tolist(),
            np.concatenate((self.specificity, nothing)).tolist(),
        )
        for name, path, exhaustivity, specificity in zip(*columns, strict=True):
            row = {"topic": self.name, "document": name, "path": path}
            grades = {"exhaustivity": exhaustivity, "specificity": specificity}
            yield json.dumps({**row, **grades}) + "\n"

    def answers(self, rng: Generator, shelf: Shelf, depth: int, run: int) -> Integers:
        """What a system returns: a third from relevant articles, and these rather early."""
        spare = depth // 5
        third, rest = (depth + spare) // 3, (depth + spare) - (depth + spare) // 3
        graded = rng.choice(self.row, third // 2 if run % 3 else third // 4)
        near = _some_of(rng, shelf, rng.choice(self.relevant, third - len(graded)))
        far = rng.choice(shelf.likely, rest - rest // 10)
        anything = rng.integers(0, len(shelf.tag), rest // 10)
        rows = np.concatenate((graded, near, far, anything))
        late = rng.random(len(rows))
        late[:third] **= 3
        ranked = rows[np.argsort(late)]
        _, first = np.unique(ranked, return_index=True)
        return ranked[np.sort(first)[:depth]]


def _some_of(rng: Generator, shelf: Shelf, articles: Integers) -> Integers:
    """An element of each article."""
    first, after = shelf.offsets[articles], shelf.offsets[articles + 1]
    rows: Integers = rng.integers(first, after)
    return rows


def _graded(rng: Generator, shelf: Shelf, article: int) -> tuple[Integers, Integers, Integers]:
    """Rows and grades of the relevant elements of an article: some paragraphs, all above them.

    An element is at least as exhaustive as what it holds, and at most as specific.
    """
    rows = shelf.article(article)
    tag, parent = shelf.tag[rows], shelf.parent[rows].tolist()
    exhaustivity, specificity = _paragraphs(rng, tag, shelf.parent[rows])
    lower = (rng.random(len(parent)) < 0.5).tolist()
    seeds = set(exhaustivity)
    for row in range(len(parent) - 1, 0, -1):
        if row in exhaustivity:
            above = parent[row]
            if above not in seeds:
                exhaustivity[above] = max(exhaustivity.get(above, 0), exhaustivity[row])
                least = max(specificity[row] - lower[above], 1)
                specificity[above] = min(specificity.get(above, _HIGHEST), least)
    found = sorted(exhaustivity)
    return (
        np.array(found, np.int64) + rows.start,
        np.array([exhaustivity[row] for row in found], np.int64),
        np.array([specificity[row] for row in found], np.int64),
    )


def _paragraphs(
    rng: Generator, tag: Column, parent: Column
) -> tuple[dict[int, int], dict[int, int]]:
    """Grades of some neighbouring paragraphs, and of every second element inside them."""
    paragraphs = np.flatnonzero(tag == _P)
    first, count = rng.integers(0, len(paragraphs)), rng.integers(2, 31)
    seeds = paragraphs[first : first + count]
    exhaustivity = dict(zip(seeds.tolist(), rng.integers(1, 4, len(seeds)).tolist(), strict=True))
    specificity = dict(zip(seeds.tolist(), rng.integers(2, 4, len(seeds)).tolist(), strict=True))
    inside = np.flatnonzero(np.isin(tag, _INLINE) & np.isin(parent, seeds))[::2]
    for row, above in zip(inside.tolist(), parent[inside].tolist(), strict=True):
        exhaustivity[row] = min(exhaustivity[above], 1 + row % 2)
        specificity[row] = _HIGHEST
    return exhaustivity, specificity


def _write_run(
    path: Path, rng: Generator, topics: list[_Topic], rows: Integers, shelf: Shelf, tag: str
) -> None:
    depth = len(rows) // len(topics)
    document = np.searchsorted(shelf.offsets, rows, "right") - 1
    frame = pl.DataFrame(
        {
            "topic": pl.Series([topic.name for topic in topics]).gather(
                np.repeat(np.arange(len(topics)), depth)
            ),
            "q0": pl.repeat("Q0", len(rows), eager=True),
            "document": shelf.names.gather(document),
            "rank": np.tile(np.arange(1, depth + 1), len(topics)),
            "score": descending(rng, len(topics), depth, 500).ravel(),
            "tag": pl.repeat(tag, len(rows), eager=True),
            "path": shelf.paths.gather(shelf.path[rows]),
        }
    )
    frame.write_csv(path, separator=" ", include_header=False, float_precision=6)
