"""A column of identifiers (topics, documents) as slices of one byte buffer.

A run of seven million lines names seven million documents, and nearly none of them is judged. So
the names stay where they were read; what the alignment needs, "which of these are the same", is
answered from 64-bit keys and confirmed byte by byte, and only the few names that are shown to
somebody ever become Python strings.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from functools import cached_property
from hashlib import blake2b

import numpy as np
import numpy.typing as npt

from spanwise.native import core
from spanwise.records import Struct
from spanwise.text.ranges import Booleans, Integers

Bytes = npt.NDArray[np.uint8]
Keys = npt.NDArray[np.uint64]

PADDING = 8
"""Bytes that must follow the last identifier in its buffer, so that words can be read whole."""

_TOGETHER = 1 << 16
"""Names that are copied together, so that memory does not grow with their number."""

_MASKS = np.array([0] + [(1 << (8 * size)) - 1 for size in range(1, 9)], np.uint64)
_LONGEST = 1 << 10
"""Bytes of a name that are compared eight at a time; further ones as a whole, name by name."""


def _settled_mix() -> np.uint64:
    """A random odd number of this process: nobody can write names that share keys without it."""
    wanted = int.from_bytes(os.urandom(8), "little") | 1
    return np.uint64(wanted if core is None else core.settle_mix(wanted))


_MIX = _settled_mix()
_GROUP_MIX = np.uint64(0xD6E8FEB86659FD93)
_HALF = np.uint64(32)


def words_at(buffer: Bytes, position: Integers) -> Keys:
    """The eight bytes that begin at each position, as little-endian numbers."""
    windows = np.ndarray((len(buffer) - 7,), "<u8", buffer.data, 0, (1,))
    words: Keys = windows[position]
    return words


class Identifiers(Struct, frozen=True, eq=False, dict=True):
    """Names as ``buffer[start:end]``, UTF-8, without NUL bytes and never empty.

    >>> column = Identifiers.of(["d7", "d9", "d7"])
    >>> column.codes().tolist()
    [0, 1, 0]
    """

    buffer: Bytes
    start: Integers
    end: Integers

    @classmethod
    def of(cls, names: Iterable[str]) -> Identifiers:
        """A column from Python strings."""
        several = list(names)
        text = "".join(several)
        if text.isascii():
            sizes = np.fromiter(map(len, several), np.int64, len(several))
        else:
            sizes = np.array([len(name.encode()) for name in several], np.int64)
        end = np.cumsum(sizes)
        buffer = np.frombuffer(text.encode() + bytes(PADDING), np.uint8)
        return cls(buffer, end - sizes, end)

    @classmethod
    def joined(cls, columns: Sequence[Identifiers]) -> Identifiers:
        """The names of several columns, one after the other."""
        packed = [column.packed() for column in columns]
        texts = [names.buffer[:-PADDING] for names in packed]
        end = np.cumsum(np.concatenate([names.end - names.start for names in packed]))
        size = np.diff(end, prepend=0)
        buffer = np.concatenate([*texts, np.zeros(PADDING, np.uint8)])
        return cls(buffer, end - size, end)

    def __len__(self) -> int:
        return len(self.start)

    def __getitem__(self, row: int) -> str:
        return self.buffer[self.start[row] : self.end[row]].tobytes().decode()

    def take(self, rows: Integers | Booleans | slice) -> Identifiers:
        """Some of the rows, in the given order; the buffer is shared."""
        return Identifiers(self.buffer, self.start[rows], self.end[rows])

    def copied(self) -> Identifiers:
        """The same names in a buffer of their own."""
        return Identifiers.of(self.strings())

    def packed(self) -> Identifiers:
        """The same names side by side, in a buffer that holds nothing else."""
        size = self.end - self.start
        end = np.cumsum(size)
        buffer = np.zeros(int(size.sum()) + PADDING, np.uint8)
        for first in range(0, len(size), _TOGETHER):
            rows = slice(first, first + _TOGETHER)
            before = int(end[first] - size[first])
            shift = np.repeat(self.start[rows] - end[rows] + size[rows], size[rows])
            shift += np.arange(before, before + len(shift))
            buffer[before : before + len(shift)] = self.buffer[shift]
        return Identifiers(buffer, end - size, end)

    def __reduce__(self) -> tuple[type[Identifiers], tuple[Bytes, Integers, Integers]]:
        """Names alone travel: neither what else is in the buffer, nor keys of this process."""
        names = self.packed()
        return Identifiers, (names.buffer, names.start, names.end)

    def strings(self) -> list[str]:
        """All names as Python strings."""
        if core is not None:
            return core.strings(*self.columns)
        data = self.buffer.tobytes()
        spans = zip(self.start.tolist(), self.end.tolist(), strict=True)
        return [data[start:end].decode() for start, end in spans]

    def word(self, number: int) -> Keys:
        """Bytes ``8·number`` to ``8·number + 8`` of every name, zero beyond its end."""
        length = self.end - self.start
        longest, shortest = int(length.max(initial=0)), int(length.min(initial=0))
        position = self.start + 8 * number if number else self.start
        if shortest < 8 * number:
            position = np.minimum(position, len(self.buffer) - 8)
        word = words_at(self.buffer, position)
        if shortest == longest:
            word &= _MASKS[min(max(longest - 8 * number, 0), 8)]
        elif shortest < 8 * number + 8:
            word &= _MASKS[np.clip(length - 8 * number, 0, 8)]
        return word

    def word_count(self) -> int:
        """How many words the longest name takes; what is longer than ``_LONGEST`` has rests."""
        return (min(int((self.end - self.start).max(initial=0)), _LONGEST) + 7) // 8

    def _with_rest(self) -> Integers:
        """The rows whose names are longer than their words."""
        return np.flatnonzero(self.end - self.start > _LONGEST)

    def _rest(self, row: int) -> bytes:
        return self.buffer[self.start[row] + _LONGEST : self.end[row]].tobytes()

    def keys(self) -> Keys:
        """A 64-bit key for each name; equal names have equal keys, up to 8 bytes only they."""
        return self._keys

    @cached_property
    def _keys(self) -> Keys:
        if core is None:
            return self._keys_by_words()
        key = np.empty(len(self), np.uint64)
        core.keys(*self.columns, key)
        return key

    def with_keys(self, key: Keys) -> Identifiers:
        """The same names, with keys that were made for them already."""
        names = Identifiers(self.buffer, self.start, self.end)
        names.__dict__["_keys"] = key
        return names

    @property
    def columns(self) -> tuple[Bytes, Integers, Integers]:
        """What the native core takes."""
        return self.buffer, np.ascontiguousarray(self.start), np.ascontiguousarray(self.end)

    def _keys_by_words(self) -> Keys:
        """The same as the native core makes, but for names longer than ``_LONGEST``."""
        key = self.word(0)
        length = self.end - self.start
        for number in range(1, self.word_count()):
            longer = length > 8 * number
            if 2 * np.count_nonzero(longer) > len(self):
                key = np.where(longer, _mixed(key) + self.word(number), key)
            else:
                rows = np.flatnonzero(longer)
                key[rows] = _mixed(key[rows]) + self.take(rows).word(number)
        for row in self._with_rest().tolist():
            digest = blake2b(self._rest(row), digest_size=8, key=_MIX.tobytes()).digest()
            key[row] = _mixed(key[row : row + 1])[0] ^ np.uint64(int.from_bytes(digest, "little"))
        return key

    def equals(self, other: Identifiers) -> Booleans:
        """Row by row: is it the same name?"""
        if core is None:
            return self._equals_by_words(other)
        same = np.empty(len(self), np.bool_)
        core.equals(*self.columns, *other.columns, same)
        return same

    def _equals_by_words(self, other: Identifiers) -> Booleans:
        same: Booleans = (self.end - self.start) == (other.end - other.start)
        for number in range(min(self.word_count(), other.word_count())):
            same &= self.word(number) == other.word(number)
        for row in self._with_rest()[same[self._with_rest()]].tolist():
            same[row] = self._rest(row) == other._rest(row)
        return same

    def runs(self) -> Integers:
        """The rows at which a name differs from the one before it, the first row included."""
        if core is None:
            return self._runs_by_words()
        begins = np.empty(len(self), np.int64)
        return begins[: core.name_runs(*self.columns, begins)].copy()

    def _runs_by_words(self) -> Integers:
        if not len(self):
            return np.zeros(0, np.int64)
        begins = np.zeros(len(self), np.bool_)
        begins[0] = True
        # Names hold no NUL and words are padded with it, so equal words mean equal names.
        for number in range(self.word_count()):
            word = self.word(number)
            begins[1:] |= word[1:] != word[:-1]
        for row in self._with_rest().tolist():
            begins[row] |= self._rest(row) != self._rest(row - 1)
            if row + 1 < len(self):
                begins[row + 1] |= self._rest(row) != self._rest(row + 1)
        return np.flatnonzero(begins)

    def codes(self, group: Integers | None = None) -> Integers:
        """Whole numbers from 0, one for each different (group, name), in order of appearance."""
        if core is None:
            return self._codes_by_key(group)
        codes = np.empty(len(self), np.int64)
        core.codes(*self.columns, self.keys(), _whole(group), codes)
        return codes

    def _codes_by_key(self, group: Integers | None) -> Integers:
        if not len(self):
            return np.zeros(0, np.int64)
        key = grouped_keys(self.keys(), group)
        order = np.argsort(key)
        begins = np.ones(len(self), np.bool_)
        begins[1:] = key[order[1:]] != key[order[:-1]]
        if not self._confirmed(order, begins, group):
            return self._codes_by_name(group)
        blocks = np.flatnonzero(begins)
        label = np.empty(len(blocks), np.int64)
        label[np.argsort(np.minimum.reduceat(order, blocks))] = np.arange(len(blocks))
        codes = np.empty(len(self), np.int64)
        codes[order] = np.repeat(label, np.diff(np.append(blocks, len(self))))
        return codes

    def distinct(self) -> Integers:
        """The rows at which a name comes for the first time."""
        return first_places(self.codes())

    def may_repeat(self, group: Integers) -> bool:
        """May a name come twice in one group? Never a wrong no; ``codes`` tells for certain."""
        if core is not None:
            return core.codes(*self.columns, self.keys(), _whole(group), None) < len(self)
        key = np.sort(self.grouped(group))
        return bool((key[1:] == key[:-1]).any())

    def grouped(self, group: Integers) -> Keys:
        """Keys that also tell groups apart; those of the last group asked for are kept."""
        kept = self._grouped.get(id(group))
        if kept is None or kept[0] is not group:
            self._grouped.clear()
            kept = self._grouped[id(group)] = (group, grouped_keys(self.keys(), group))
        return kept[1]

    @cached_property
    def _grouped(self) -> dict[int, tuple[Integers, Keys]]:
        return {}

    def _confirmed(self, order: Integers, begins: Booleans, group: Integers | None) -> bool:
        """Are neighbours with equal keys really equal?"""
        later = np.flatnonzero(~begins)
        left, right = order[later - 1], order[later]
        if self.word_count() == 1:
            same: Booleans = self.word(0)[left] == self.word(0)[right]
        else:
            same = self.take(left).equals(self.take(right))
        if group is not None:
            same &= group[left] == group[right]
        return bool(same.all())

    def _codes_by_name(self, group: Integers | None) -> Integers:
        """The codes from a dictionary, for the day on which two names share a key."""
        groups: Sequence[int] = [0] * len(self) if group is None else group.tolist()
        seen: dict[tuple[int, str], int] = {}
        pairs = zip(groups, self.strings(), strict=True)
        return np.array([seen.setdefault(pair, len(seen)) for pair in pairs], np.int64)


def first_places(codes: Integers) -> Integers:
    """The first row of each code, of codes that are numbered in order of appearance.

    >>> first_places(np.array([0, 0, 1, 0, 2])).tolist()
    [0, 2, 4]
    """
    opens = np.ones(len(codes), np.bool_)
    opens[1:] = codes[1:] > np.maximum.accumulate(codes)[:-1]
    return np.flatnonzero(opens)


def _whole(group: Integers | None) -> Integers | None:
    """Groups as the native core takes them."""
    return None if group is None else np.ascontiguousarray(group, np.int64)


def _mixed(key: Keys) -> Keys:
    """Spread the bits of keys; different keys stay different.

    A multiplication carries differences upwards only, so those of high bits are folded down
    between two of them: without that, names that differ in the last bytes of two words would
    share keys whatever the number is.
    """
    spread = key * _MIX
    spread ^= spread >> _HALF
    spread *= _MIX
    return spread


def grouped_keys(key: Keys, group: Integers | None) -> Keys:
    """Keys that also tell groups apart."""
    if group is None:
        return key
    return (_mixed(key) ^ (group.astype(np.uint64) * _GROUP_MIX)) * _MIX
