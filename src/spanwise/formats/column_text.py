"""Columns separated by runs of blanks and tabs, split and decoded for millions of lines at once.

A block of whole lines comes in as bytes; a table of edges (where text begins and ends) goes out.
Identifiers are then slices of the block, numbers are decoded eight digits at a time. Every line is
checked for its number of columns, every number for its spelling: what does not fit becomes a fault
with its line.
"""

from __future__ import annotations

import sys
from functools import cache

import numpy as np

from spanwise.data.identifiers import PADDING, Bytes, Identifiers, Keys, words_at
from spanwise.data.notes import Faults
from spanwise.errors import shown
from spanwise.formats.source import lines_in
from spanwise.records import Struct, field, replace
from spanwise.text.ranges import Booleans, Floats, Integers

_NEWLINE, _BLANK, _COMMENT = 10, 32, ord("#")
_SHORT = 8
_ENDLESS = 400
"""Digits beyond which a number is too large, whatever it is."""
_LITTLE = sys.byteorder == "little"
_MOST_DIGITS = 19
"""Any number of so many digits has 64 bits."""
_EXACT_POWERS = 22
"""The largest power of ten that is a double."""
_EXACT_WHOLE = np.uint64(1 << 53)
_POWERS = np.array([10**power for power in range(_MOST_DIGITS + 1)], np.uint64)
_TENS = np.array([10.0**power for power in range(_EXACT_POWERS + 1)], np.float64)
_MASKS = np.array([0] + [(1 << (8 * size)) - 1 for size in range(1, 9)], np.uint64)


def _repeated(byte: int) -> np.uint64:
    return np.uint64(int.from_bytes(bytes([byte]) * 8, "little"))


_ZEROS, _DOTS, _ONES, _TOPS = _repeated(0x30), _repeated(0x2E), _repeated(0x01), _repeated(0x80)
_LOW, _HIGH, _SIXES = _repeated(0x0F), _repeated(0xF0), _repeated(0x06)


class Fields(Struct, frozen=True, eq=False):
    """The fields of a block's lines that have the right number of columns.

    ``before[row, c]`` is the last blank before column c, ``after[row, c]`` the first one after it.
    """

    block: Bytes
    before: Integers
    after: Integers
    line: Integers
    wrong_lines: Integers
    """Lines with another number of columns, and in ``wrong_counts`` how many each has."""
    wrong_counts: Integers
    first_line: int
    lines: int
    """All lines of the block, also blank ones and comments."""
    _spans: dict[int, tuple[Integers, Integers]] = field(default_factory=dict)

    def __len__(self) -> int:
        return len(self.before)

    def rows(self, some: slice) -> Fields:
        """Some of the rows."""
        before, after, line = self.before[some], self.after[some], self.line[some]
        return replace(self, before=before, after=after, line=line, _spans={})

    def text(self, column: int) -> Identifiers:
        """A column as it is written in the file."""
        start, end = self._span(column)
        return Identifiers(self.block, start, end)

    def integers(self, column: int) -> tuple[Integers, Booleans]:
        """A column of whole numbers of 64 bits, and which rows are something else."""
        start, end = self._span(column)
        return decode_integers(self.block, start, end)

    def decimals(self, column: int) -> tuple[Floats, Booleans]:
        """A column of numbers as doubles (correctly rounded), and which rows are something else."""
        start, end = self._span(column)
        return decode_decimals(self.block, start, end)

    def note(self, faults: Faults, rule: str, column: int, rows: Booleans, expected: str) -> None:
        """Note a fault for each of the rows, showing what is in the column."""
        text = self.text(column)
        for row in np.flatnonzero(rows).tolist():
            faults.add(rule, int(self.line[row]), shown(text[row]), expected, "fix the line")

    def _span(self, column: int) -> tuple[Integers, Integers]:
        if column not in self._spans:
            self._spans[column] = self.before[:, column] + 1, self.after[:, column].copy()
        return self._spans[column]

    @property
    def next_line(self) -> int:
        """The number of the line after the block."""
        return self.first_line + self.lines


def split(block: Bytes, columns: int, first_line: int, lines: int | None = None) -> Fields:
    """Split a block (see ``Source.blocks``) into fields; ``lines``, if known, is their number."""
    content = block[: len(block) - PADDING]
    is_blank = content <= _BLANK
    blank = np.flatnonzero(is_blank)
    lines = lines_in(block) if lines is None else lines
    single = len(blank) == columns * lines + 1 and not (is_blank[1:] & is_blank[:-1]).any()
    if not (single and _is_plain(content, blank[::columns])):
        return _split_with_care(block, content, columns, first_line)
    nothing = np.zeros(0, np.int64)
    return Fields(
        block,
        before=blank[:-1].reshape(lines, columns),
        after=blank[1:].reshape(lines, columns),
        line=np.arange(first_line, first_line + lines),
        wrong_lines=nothing,
        wrong_counts=nothing,
        first_line=first_line,
        lines=lines,
    )


def _is_plain(content: Bytes, ends: Integers) -> bool:
    """Do lines end where they should if each has all its columns, and is none a comment?"""
    comments = content[ends[:-1] + 1] == _COMMENT
    return bool((content[ends] == _NEWLINE).all() and not comments.any())


def _split_with_care(block: Bytes, content: Bytes, columns: int, first_line: int) -> Fields:
    """The same for runs of blanks, CR, blank lines, comments, and wrong numbers of columns."""
    blank = content <= _BLANK
    edges = np.flatnonzero(blank[1:] != blank[:-1])
    before, after = edges[::2], edges[1::2] + 1
    newline = np.flatnonzero(content == _NEWLINE)
    first = np.searchsorted(before, newline[:-1], "left")
    counts = np.searchsorted(before, newline[1:], "left") - first
    used = counts > 0
    used[used] = content[before[first[used]] + 1] != _COMMENT
    right = np.flatnonzero(used & (counts == columns))
    wrong = np.flatnonzero(used & (counts != columns))
    fields = first[right, None] + np.arange(columns)
    return Fields(
        block,
        before=before[fields],
        after=after[fields],
        line=right + first_line,
        wrong_lines=wrong + first_line,
        wrong_counts=counts[wrong],
        first_line=first_line,
        lines=len(newline) - 1,
    )


# -- numbers


def _digits(word: Keys, size: Integers) -> tuple[Keys, Booleans]:
    """The value of the ``size`` first characters of each word, and whether all are digits."""
    least, most = int(size.min(initial=_SHORT)), int(size.max(initial=0))
    if least == most:
        word = word << np.uint64(8 * (_SHORT - least)) if least else np.zeros_like(word)
        word |= _ZEROS & _MASKS[_SHORT - least]
    else:
        unused = (_SHORT - size).astype(np.uint64)
        word = word << (unused << np.uint64(3))
        word |= _ZEROS & _MASKS[unused]
    good = ((word & _HIGH) == _ZEROS) & (((word + _SIXES) & _HIGH) == _ZEROS)
    # Eight digits become four pairs, two fours, one eight: three multiplications.
    word &= _LOW
    word *= np.uint64(2561)
    word >>= np.uint64(8)
    word &= np.uint64(0x00FF00FF00FF00FF)
    word *= np.uint64(6553601)
    word >>= np.uint64(16)
    word &= np.uint64(0x0000FFFF0000FFFF)
    word *= np.uint64(42949672960001)
    word >>= np.uint64(32)
    return word, good


def _after_sign(block: Bytes, start: Integers) -> tuple[Keys, Integers, Booleans]:
    """The first word after an optional sign, where it begins, and whether the sign is a minus."""
    word = words_at(block, start)
    first = word.view(np.uint8)[::8] if _LITTLE else block[start]
    negative = first == ord("-")
    signed = negative | (first == ord("+"))
    if not signed.any():
        return word, start, negative
    begin = start + signed
    return words_at(block, begin), begin, negative


def decode_integers(block: Bytes, start: Integers, end: Integers) -> tuple[Integers, Booleans]:
    """Whole numbers; the second result marks what is none, or takes more than 64 bits."""
    word, begin, negative = _after_sign(block, start)
    size = end - begin
    value, good = _digits(word, np.minimum(size, _SHORT))
    result = value.view(np.int64)
    np.negative(result, out=result, where=negative)
    bad = ~good | (size == 0)
    rest = np.flatnonzero(good & (size > _SHORT))
    if len(rest):
        number, bad[rest] = _long_integers(block, begin[rest], end[rest])
        result[rest] = np.where(negative[rest], -number, number)
    return result, bad


def _long_integers(block: Bytes, begin: Integers, end: Integers) -> tuple[Integers, Booleans]:
    """The same for more than eight digits and no sign."""
    size = end - begin
    value, good = _long_digits(block, begin, np.minimum(size, _MOST_DIGITS))
    bad = ~good | (value >= np.uint64(1 << 63))
    for row in np.flatnonzero(size > _MOST_DIGITS).tolist():
        text = block[begin[row] : end[row]].tobytes()
        number = int(text) if text.isdigit() and len(text) < _ENDLESS else 2**63
        bad[row] = number >= 2**63
        value[row] = 0 if bad[row] else number
    value[bad] = 0
    return value.view(np.int64), bad


def _long_digits(block: Bytes, begin: Integers, size: Integers) -> tuple[Keys, Booleans]:
    """The value of ``size`` digits (19 at most), eight at a time, and whether all are digits."""
    last = len(block) - 8
    value, good = _digits(words_at(block, np.minimum(begin, last)), np.minimum(size, _SHORT))
    for place in range(_SHORT, int(size.max(initial=0)), _SHORT):
        count = np.clip(size - place, 0, _SHORT)
        part, fine = _digits(words_at(block, np.minimum(begin + place, last)), count)
        value = value * _POWERS[count] + part
        good &= fine
    return value, good


def decode_decimals(block: Bytes, start: Integers, end: Integers) -> tuple[Floats, Booleans]:
    """Doubles; the second result marks what is not a number (NaN is marked, infinity is not)."""
    word, begin, negative = _after_sign(block, start)
    size = end - begin
    dot = np.minimum(_first_dot(word), size)
    fraction = np.maximum(size - dot - 1, 0)
    digits = np.minimum(fraction, _SHORT)
    whole, good = _digits(word, dot)
    part, fine = _digits(words_at(block, np.minimum(begin + dot + 1, len(block) - 8)), digits)
    scale = _POWERS[digits]
    # Up to 15 digits over a power of ten: one division of two exact doubles, correctly rounded.
    value = (whole * scale + part).astype(np.float64) / scale.astype(np.float64)
    np.negative(value, out=value, where=negative)
    good &= fine & (fraction <= _SHORT) & ((dot > 0) | (fraction > 0))
    good &= (dot < _SHORT) | (size <= _SHORT)
    bad = np.zeros(len(value), np.bool_)
    if not good.all():
        rest = np.flatnonzero(~good)
        longer = rest[_may_be_long(block, begin[rest], end[rest])]
        if len(longer):
            number, good[longer] = _long_decimals(block, begin[longer], end[longer])
            value[longer] = np.where(negative[longer], -number, number)
        rest = np.flatnonzero(~good)
        value[rest], bad[rest] = decode_one_by_one(block, start[rest], end[rest])
    return value, bad


def _may_be_long(block: Bytes, begin: Integers, end: Integers) -> Booleans:
    """May these be numbers with many digits, and without an exponent as Python writes it?"""
    size = end - begin
    exponent = (block[np.maximum(end - 4, 0)] | 0x20) == ord("e")
    may: Booleans = (size > _SHORT) & (size <= _MOST_DIGITS + 1) & ~exponent
    return may


def _long_decimals(block: Bytes, begin: Integers, end: Integers) -> tuple[Floats, Booleans]:
    """Digits with a dot, 19 at most and without a sign; the second result marks such numbers."""
    size, last = end - begin, len(block) - 8
    dot = _first_dot(words_at(block, begin))
    for place in range(_SHORT, 3 * _SHORT, _SHORT):
        rows = np.flatnonzero((dot == place) & (size > place))
        dot[rows] += _first_dot(words_at(block, np.minimum(begin[rows] + place, last)))
    dot = np.minimum(dot, size)
    fraction = np.maximum(size - dot - 1, 0)
    digits = np.minimum(fraction, _MOST_DIGITS)
    whole, good = _long_digits(block, begin, np.minimum(dot, _MOST_DIGITS))
    part, fine = _long_digits(block, begin + dot + 1, digits)
    good &= fine & (dot + fraction <= _MOST_DIGITS) & (dot + fraction > 0)
    mantissa = np.where(good, whole * _POWERS[digits] + part, np.uint64(0))
    value = mantissa.astype(np.float64) / _TENS[digits]
    large = np.flatnonzero(mantissa >= _EXACT_WHOLE)
    value[large] = _divided(mantissa[large], digits[large])
    return value, good


def _divided(mantissa: Keys, fraction: Integers) -> Floats:
    """mantissa / 10^fraction for a mantissa of 2^53 or more, correctly rounded.

    A division with remainder by the power of five, as Möller and Granlund do it ("Improved division
    by invariant integers", algorithm 4), gives 63 bits and whether anything follows: rounded once.
    """
    divisors, reciprocals, exponents = _powers_of_five()
    divisor = divisors[fraction]
    # A double tells how many bits are used, if none of its bits is rounded away.
    lead = 53 - np.frexp((mantissa >> np.uint64(11)).astype(np.float64))[1]
    mantissa = mantissa << lead.astype(np.uint64)
    upper, lower = mantissa >> np.uint64(1), mantissa << np.uint64(63)
    quotient, low = _product(reciprocals[fraction], upper)
    low += lower
    quotient += upper + (low < lower) + np.uint64(1)
    rest = lower - quotient * divisor
    over = rest > low
    quotient -= over
    rest += np.where(over, divisor, np.uint64(0))
    over = rest >= divisor
    quotient += over
    rest -= np.where(over, divisor, np.uint64(0))
    quotient = (quotient >> np.uint64(1)) | (quotient & np.uint64(1)) | (rest != 0)
    value: Floats = np.ldexp(quotient.astype(np.float64), exponents[fraction] - lead)
    return value


@cache
def _powers_of_five() -> tuple[Keys, Keys, Integers]:
    """5^k with its top bit moved up to bit 63, the reciprocal of that, and the exponent."""
    powers = [5**power for power in range(_MOST_DIGITS + 1)]
    leads = [64 - power.bit_length() for power in powers]
    divisors = [power << lead for power, lead in zip(powers, leads, strict=True)]
    reciprocals = [(2**128 - 1) // divisor - 2**64 for divisor in divisors]
    exponents = [lead - power - 62 for power, lead in enumerate(leads)]
    return (
        np.array(divisors, np.uint64),
        np.array(reciprocals, np.uint64),
        np.array(exponents, np.int64),
    )


def _product(left: Keys, right: Keys) -> tuple[Keys, Keys]:
    """The upper and the lower half of products."""
    half, low = np.uint64(32), np.uint64((1 << 32) - 1)
    small_left, large_left, small_right, large_right = (
        left & low,
        left >> half,
        right & low,
        right >> half,
    )
    middle = large_left * small_right + (small_left * small_right >> half)
    other = small_left * large_right + (middle & low)
    return large_left * large_right + (middle >> half) + (other >> half), left * right


def _first_dot(word: Keys) -> Integers:
    """Which of its eight characters is the first dot; 8 if none is."""
    other = word ^ _DOTS
    marks = (other - _ONES) & ~other & _TOPS
    below = (marks - np.uint64(1)) & ~marks
    return (np.bitwise_count(below) >> 3).astype(np.int64)


_DIGITS = b"0123456789+-.eE"
_NUMBER = frozenset(_DIGITS)


def decode_one_by_one(block: Bytes, start: Integers, end: Integers) -> tuple[Floats, Booleans]:
    """The same for any spelling, number by number."""
    data = block.tobytes()
    texts = [data[left:right] for left, right in zip(start.tolist(), end.tolist(), strict=True)]
    try:
        if not b"".join(texts).translate(None, _DIGITS):
            return np.array(list(map(float, texts)), np.float64), np.zeros(len(texts), np.bool_)
    except ValueError:
        pass  # One of them is not a number after all: find out which.
    numbers = [decimal_of(text) for text in texts]
    bad = np.array([number is None for number in numbers], np.bool_)
    return np.array([0.0 if n is None else n for n in numbers], np.float64), bad


def decimal_of(text: bytes) -> float | None:
    """One number, or None; infinity is a number, NaN is not.

    >>> decimal_of(b"1e-3"), decimal_of(b"-inf"), decimal_of(b"nan"), decimal_of(b"1_0")
    (0.001, -inf, None, None)
    """
    if not _NUMBER.issuperset(text) and text.lower().lstrip(b"+-") not in (b"inf", b"infinity"):
        return None
    try:
        return float(text)
    except ValueError:
        return None
