"""Many texts looked for at once: hashes of shingles, which are runs of letters.

The texts that are sought are indexed, not the documents: each document is hashed once, at every
letter, and is then forgotten. Memory grows with what is sought and with the longest document, never
with the collection. A hash only proposes; who asks compares the letters.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
import numpy.typing as npt

from spanwise.collection.text_folding import Letters, batches, fold_all
from spanwise.records import Struct
from spanwise.text.ranges import Booleans, Integers

Hashes = npt.NDArray[np.uint64]

LONGEST = 256
"""Letters of the longest shingle."""
_BATCH = 1 << 21
"""Characters that are folded at once."""
_PAIRS = 1 << 21
"""Places and texts that are compared at once."""
_BASE = 0x9E3779B97F4A7C15
_INVERSE = pow(_BASE, -1, 2**64)
_SCALE = 0xD6E8FEB86659FD93
_SLOTS_PER_KEY = 16
_MOST_BITS = 24


class _Weights:
    """Powers of the base and of its inverse modulo 2**64, as far as they were needed."""

    def __init__(self) -> None:
        self.falling = self.rising = np.zeros(0, np.uint64)

    def upto(self, length: int) -> tuple[Hashes, Hashes]:
        """The weight of each letter, and what undoes the weight of a hash's first letter."""
        falling, rising = self.falling, self.rising
        if len(falling) < length:
            size = max(length, 2 * len(falling), 1 << 16)
            falling, rising = _powers(_SCALE, _INVERSE, size), _powers(1, _BASE, size)
            self.falling, self.rising = falling, rising
        return falling[:length], rising[:length]


def _powers(first: int, factor: int, count: int) -> Hashes:
    values = np.full(count, factor, np.uint64)
    values[0] = first
    return np.multiply.accumulate(values)


_weights = _Weights()


class Rolling:
    """The hash of any run of letters, from sums of weighted letters modulo 2**64.

    >>> rolling = Rolling(np.array([1, 2, 3, 1, 2], np.uint32))
    >>> hashes = rolling.everywhere(2)
    >>> len(hashes), hashes[0] == hashes[3], hashes[0] == hashes[1]
    (4, np.True_, np.False_)
    """

    def __init__(self, letters: Letters) -> None:
        falling, self._rising = _weights.upto(len(letters) + 1)
        self._sums = np.zeros(len(letters) + 1, np.uint64)
        np.cumsum(letters * falling[:-1], out=self._sums[1:])

    def everywhere(self, length: int) -> Hashes:
        """The hashes of all shingles of a length."""
        count = max(len(self._sums) - length, 0)
        hashes: Hashes = self._sums[length:] - self._sums[:count] if count else self._sums[:0]
        return hashes * self._rising[:count]

    def of(self, start: Integers, end: Integers) -> Hashes:
        """The hashes of runs of letters."""
        hashes: Hashes = (self._sums[end] - self._sums[start]) * self._rising[start]
        return hashes


class Filter(Struct, frozen=True, eq=False):
    """Tells most hashes that are not among the keys, fast, and then all."""

    keys: Hashes
    """Sorted, all different."""
    slots: Booleans
    shift: np.uint64

    @classmethod
    def of(cls, keys: Hashes) -> Filter:
        """A filter for sorted keys."""
        bits = min(max((len(keys) * _SLOTS_PER_KEY).bit_length(), 10), _MOST_BITS)
        shift = np.uint64(64 - bits)
        slots = np.zeros(1 << bits, np.bool_)
        slots[keys >> shift] = True
        return cls(keys, slots, shift)

    def find(self, hashes: Hashes) -> tuple[Integers, Integers]:
        """Where the hashes are keys, and which keys they are."""
        place = np.flatnonzero(self.slots[hashes >> self.shift])
        key = np.searchsorted(self.keys, hashes[place])
        same = self.keys[np.minimum(key, len(self.keys) - 1)] == hashes[place]
        return place[same], key[same]


class _OfLength(Struct, frozen=True, eq=False):
    """The texts whose first shingle has one length, by its hash."""

    length: int
    filter: Filter
    offsets: Integers
    """Where the texts of each key begin in ``rows``."""
    rows: Integers


class Fingerprints(Struct, frozen=True, eq=False):
    """Texts by the hash of their first letters and that of all their letters."""

    sizes: Integers
    """The letters of each text."""
    lead: Integers
    """The characters of each text before its first letter."""
    accented: Booleans
    """Texts whose first or last letter may change its place with accents before or after it."""
    whole: Hashes
    lengths: tuple[_OfLength, ...]

    @classmethod
    def of(cls, texts: Sequence[str]) -> Fingerprints:
        """The fingerprints of texts; those without letters are never found."""
        sizes, lead = np.zeros(len(texts), np.int64), np.zeros(len(texts), np.int64)
        whole, first = np.zeros(len(texts), np.uint64), np.zeros(len(texts), np.uint64)
        length, accented = np.zeros(len(texts), np.int64), np.zeros(len(texts), np.bool_)
        for batch in batches(texts, _BATCH):
            rows = slice(batch.start, batch.stop)
            several = fold_all(texts[rows])
            rolling = Rolling(several.folded.letters)
            sizes[rows], lead[rows] = several.end - several.begin, several.lead
            length[rows] = shingle_lengths(sizes[rows])
            accented[rows] = several.accented()
            whole[rows] = rolling.of(several.begin, several.end)
            first[rows] = rolling.of(several.begin, several.begin + length[rows])
        groups = (
            _of_length(int(each), np.flatnonzero(length == each), first)
            for each in np.unique(length[length > 0])
        )
        return cls(sizes, lead, accented, whole, tuple(groups))

    def places(self, letters: Letters) -> Iterator[tuple[Integers, Integers]]:
        """Texts and the letters of a document where they seem to begin, by ascending letter.

        All places of a text come in their order, but there is no order of texts.
        """
        rolling = Rolling(letters)
        for group in self.lengths:
            place, key = group.filter.find(rolling.everywhere(group.length))
            counts = group.offsets[key + 1] - group.offsets[key]
            for begin, end in portions(counts):
                row = group.rows[expanded(group.offsets[key[begin:end]], counts[begin:end])]
                start = np.repeat(place[begin:end], counts[begin:end])
                inside = start + self.sizes[row] <= len(letters)
                row, start = row[inside], start[inside]
                same = rolling.of(start, start + self.sizes[row]) == self.whole[row]
                yield row[same], start[same]


def shingle_lengths(sizes: Integers) -> Integers:
    """The longest power of two that is not longer than each text."""
    powers = 1 << np.arange(LONGEST.bit_length())
    return np.where(sizes > 0, powers[np.searchsorted(powers, sizes, "right") - 1], 0)


def _of_length(length: int, rows: Integers, first: Hashes) -> _OfLength:
    rows = rows[np.argsort(first[rows], kind="stable")]
    keys, begin = np.unique(first[rows], return_index=True)
    return _OfLength(length, Filter.of(keys), np.append(begin, len(rows)), rows)


def portions(counts: Integers) -> Iterator[tuple[int, int]]:
    """Cut places so that the texts to compare there are not too many at once."""
    total, begin = np.cumsum(counts), 0
    while begin < len(counts):
        before = int(total[begin - 1]) if begin else 0
        end = max(int(np.searchsorted(total, before + _PAIRS, "right")), begin + 1)
        yield begin, end
        begin = end


def expanded(begin: Integers, counts: Integers) -> Integers:
    """Consecutive numbers from each begin, as many as its count.

    >>> expanded(np.array([7, 3]), np.array([2, 3])).tolist()
    [7, 8, 3, 4, 5]
    """
    ends = np.cumsum(counts)
    total = int(ends[-1]) if len(ends) else 0
    return np.arange(total) - np.repeat(ends - counts - begin, counts)
