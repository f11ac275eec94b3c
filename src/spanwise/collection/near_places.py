"""Places that may hold a text in other words: those that share shingles with it.

A text and its place in a document agree in most shingles, and all of these lie equally far from the
place where the text begins. So shingles in common are counted by where the text would begin.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from spanwise.collection.shingles import Filter, Hashes, Rolling, expanded, portions
from spanwise.collection.text_folding import Letters, batches, fold_all
from spanwise.records import Struct
from spanwise.text.ranges import Integers

_SHORT, _LONG, _LONG_TEXT = 8, 16, 128
"""Letters of a shingle in shorter and longer texts, and from which letters on a text is longer."""
_SHINGLES = 64
"""How many shingles of a text are looked for, at equal distances."""
_AGAIN = 16
"""How often one shingle counts in one document."""
_TRIED = 3
"""How many places of a text are compared."""
_WIDTHS = (32, 512)
"""Letters between which a text may begin for its shingles to be counted together."""
_BATCH = 1 << 21
_KEPT = 1 << 20
"""Places that are kept before the worse ones are forgotten."""


class NearPlace(Struct, frozen=True):
    """A text, the number of a document, and the letters between which the text may begin."""

    row: int
    document: int
    low: int
    high: int


class _Shingled(Struct, frozen=True, eq=False):
    """Shingles of one length: the texts that have them, and where."""

    length: int
    filter: Filter
    offsets: Integers
    rows: Integers
    places: Integers

    @classmethod
    def of(cls, length: int, found: Sequence[tuple[Hashes, Integers, Integers]]) -> _Shingled:
        hashes, rows, places = (np.concatenate(column) for column in zip(*found, strict=True))
        order = np.argsort(hashes, kind="stable")
        keys, begin = np.unique(hashes[order], return_index=True)
        offsets = np.append(begin, len(order))
        return cls(length, Filter.of(keys), offsets, rows[order], places[order])


class NearPlaces:
    """Counts the shingles that documents have in common with texts."""

    def __init__(self, texts: Sequence[str], owner: Integers) -> None:
        self._owner = owner
        """The document of each text, negative for any."""
        self._sizes = np.zeros(len(texts), np.int64)
        found: dict[int, list[tuple[Hashes, Integers, Integers]]] = {_SHORT: [], _LONG: []}
        for batch in batches(texts, _BATCH):
            several = fold_all(texts[batch.start : batch.stop])
            rolling = Rolling(several.folded.letters)
            sizes = self._sizes[batch.start : batch.stop] = several.end - several.begin
            for length, columns in found.items():
                chosen = np.flatnonzero((sizes >= _LONG_TEXT) == (length == _LONG))
                number, place = _spread(sizes[chosen], length)
                start = several.begin[chosen[number]] + place
                hashes = rolling.of(start, start + length)
                columns.append((hashes, batch.start + chosen[number], place))
        self._shingled = [
            _Shingled.of(length, columns)
            for length, columns in found.items()
            if any(len(hashes) for hashes, _, _ in columns)
        ]
        self._kept: list[Integers] = []
        """Columns: text, document, where the text may begin, shingles in common."""

    def read(self, document: int, letters: Letters) -> None:
        """Count the shingles in common with a document."""
        rolling = Rolling(letters)
        found = [each for part in self._shingled for each in self._begins(part, rolling, document)]
        if not found:
            return
        row, inside, begin = np.concatenate(found, axis=1)
        if not len(row):
            return
        bucket = begin // self._widths(row)
        lowest, buckets = int(bucket.min()), int(np.ptp(bucket)) + 1
        # A shingle that the document repeats counts once.
        pairs = row * buckets + bucket - lowest
        single = np.unique(pairs * (int(inside.max()) + 1) + inside) // (int(inside.max()) + 1)
        pairs, count = np.unique(single, return_counts=True)
        rows, bucket = pairs // buckets, pairs % buckets + lowest
        self._kept.append(np.stack((rows, np.full(len(rows), document), bucket, count)))
        if sum(each.shape[1] for each in self._kept) > _KEPT:
            self._kept = [self._best()]

    def _begins(self, part: _Shingled, rolling: Rolling, document: int) -> Iterator[Integers]:
        """Texts, places in them, and where the texts would begin for these to match."""
        place, key = part.filter.find(rolling.everywhere(part.length))
        order = np.argsort(key, kind="stable")
        place, key = place[order], key[order]
        rare = np.arange(len(key)) - np.searchsorted(key, key) < _AGAIN
        place, key = place[rare], key[rare]
        counts = part.offsets[key + 1] - part.offsets[key]
        for begin, end in portions(counts):
            number = expanded(part.offsets[key[begin:end]], counts[begin:end])
            rows, inside = part.rows[number], part.places[number]
            start = np.repeat(place[begin:end], counts[begin:end]) - inside
            mine = (self._owner[rows] < 0) | (self._owner[rows] == document)
            yield np.stack((rows, inside, start))[:, mine]

    def _widths(self, row: Integers) -> Integers:
        return np.clip(self._sizes[row] // 4, *_WIDTHS)

    def _best(self) -> Integers:
        """The places with most shingles in common, a few for each text."""
        columns = np.concatenate(self._kept, axis=1)
        row, document, bucket, count = columns
        columns = columns[:, np.lexsort((bucket, document, -count, row))]
        first = np.searchsorted(columns[0], columns[0])
        return columns[:, np.arange(columns.shape[1]) - first < _TRIED]

    def places(self) -> list[NearPlace]:
        """The places that are worth a comparison, by document."""
        if not self._kept:
            return []
        row, document, bucket, _ = self._best()
        width = self._widths(row)
        columns = (row, document, (bucket - 1) * width, (bucket + 2) * width)
        order = np.lexsort((bucket, row, document))
        listed = zip(*(column[order].tolist() for column in columns), strict=True)
        return [NearPlace(*each) for each in listed]


def _spread(sizes: Integers, length: int) -> tuple[Integers, Integers]:
    """Numbers of texts and places of their shingles, at equal distances."""
    there = np.maximum(sizes - length + 1, 0)
    counts = np.minimum(there, _SHINGLES)
    number = np.repeat(np.arange(len(sizes)), counts)
    within = expanded(np.zeros(len(sizes), np.int64), counts)
    return number, within * there[number] // np.maximum(counts[number], 1)
