"""Text without what copying changes: white space, forms of quotes and dashes, forms of characters.

The letters of a text are what is left when each character is written in its compatible form (NFKD
of Unicode, with accents in their canonical order), quotes and dashes are written as in ASCII, and
white space and invisible characters are left out. Two texts with the same letters look alike but
for white space; where white space is, ``gaps`` tells. ``origin`` leads back to the characters.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Sequence
from threading import Lock

import numpy as np
import numpy.typing as npt

from spanwise.records import Struct
from spanwise.text.ranges import Booleans, Integers

Letters = npt.NDArray[np.uint32]

SEPARATOR = "\0"
"""Between texts that are folded together, so that accents do not cross from one to the other."""
_MARKS = {
    **dict.fromkeys("‘’‚‛′ʼ´`‹›", "'"),
    **dict.fromkeys("“”„‟″«»", '"'),
    **dict.fromkeys("‐‑‒–—―−⁃", "-"),
}
_INVISIBLE = (
    *((0x00AD, 0x00AD), (0x034F, 0x034F), (0x061C, 0x061C), (0x115F, 0x1160), (0x17B4, 0x17B5)),
    *((0x180B, 0x180F), (0x200B, 0x200F), (0x202A, 0x202E), (0x2060, 0x206F), (0x3164, 0x3164)),
    *((0xFE00, 0xFE0F), (0xFEFF, 0xFEFF), (0xFFA0, 0xFFA0), (0xFFF0, 0xFFF8)),
    *((0x1BCA0, 0x1BCA3), (0x1D173, 0x1D17A), (0xE0000, 0xE0FFF)),
)
"""The code points that Unicode calls default ignorable: soft hyphens, zero-width characters ..."""
_PAGE = 256
_PAGES = 0x110000 // _PAGE


class Folded(Struct, frozen=True, eq=False):
    r"""The letters of a text, and the way back.

    >>> folded = fold("“A\u00a0\nﬁne”")
    >>> folded.text, folded.origin.tolist(), folded.gaps
    ('"Afine"', [0, 1, 4, 4, 5, 6, 7], b'\x00\x00\x01\x00\x00\x00\x00')
    """

    text: str
    letters: Letters
    """The code points of ``text``."""
    origin: Integers
    """The character that each letter comes from."""
    opens: Booleans
    """Whether a range may begin at a letter, or end before it: not inside ﬁ, not before an accent.
    """
    gaps: bytes
    """1 where white space comes between a letter and the one before it."""
    reordered: bool = False
    """Whether accents were not in their canonical order."""

    def __len__(self) -> int:
        return len(self.letters)

    def range_of(self, start: int, end: int) -> tuple[int, int]:
        """The characters from the first to the last of some letters."""
        return int(self.origin[start]), int(self.origin[end - 1]) + 1

    def is_whole(self, start: int, end: int) -> bool:
        """Whether letters are those of whole characters with all their accents."""
        return bool(self.opens[start]) and (end == len(self) or bool(self.opens[end]))

    def widened(self, start: int, end: int) -> tuple[int, int]:
        """The fewest letters around some letters that are those of whole characters."""
        while start > 0 and not self.opens[start]:
            start -= 1
        while end < len(self) and not self.opens[end]:
            end += 1
        return start, end


def fold(text: str) -> Folded:
    """The letters of one text."""
    codes = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), np.uint32)
    alphabet.learn(codes, plain=text.isascii())
    counts = alphabet.counts[codes]
    origin = np.repeat(np.arange(len(codes)), counts)
    place = alphabet.starts[codes[origin]]
    first = np.ones(len(origin), np.bool_)
    np.not_equal(origin[1:], origin[:-1], out=first[1:])
    if not first.all():
        place = place + _within(first)
    letters, accents = alphabet.letters[place], alphabet.accents[place]
    reordered = _reorder(letters, accents)
    return Folded(
        letters.tobytes().decode("utf-32-le", "surrogatepass"),
        letters,
        origin,
        first & (accents == 0),
        _gaps(alphabet.spaces[codes], origin),
        reordered,
    )


def letters_of(text: str) -> str:
    r"""The letters of one text, without the way back.

    >>> letters_of("“A\u00a0ﬁne” `day`")
    '"Afine"\'day\''
    """
    if not text.isascii():
        return fold(text).text
    return "".join(text.split()).replace("`", "'")


def _within(first: Booleans) -> Integers:
    """The place of each letter among those of its character."""
    numbers = np.arange(len(first))
    return numbers - np.maximum.accumulate(np.where(first, numbers, 0))


def _gaps(spaces: Booleans, origin: Integers) -> bytes:
    passed = np.cumsum(spaces)[origin]
    gaps = np.zeros(len(origin), np.uint8)
    gaps[1:] = passed[1:] != passed[:-1]
    return gaps.tobytes()


def _reorder(letters: Letters, accents: npt.NDArray[np.uint8]) -> bool:
    """Put accents after one another into the canonical order, in place; were there any to move?"""
    wrong = np.flatnonzero((accents[1:] > 0) & (accents[1:] < accents[:-1]))
    done = 0
    for place in wrong.tolist():
        if place < done:
            continue
        begin = end = place
        while begin > 0 and accents[begin - 1]:
            begin -= 1
        while end < len(accents) and accents[end]:
            end += 1
        order = begin + np.argsort(accents[begin:end], kind="stable")
        letters[begin:end], accents[begin:end] = letters[order], accents[order]
        done = end
    return len(wrong) > 0


# -- many texts at once


class FoldedTexts(Struct, frozen=True, eq=False):
    """Texts folded as one: where the letters of each begin and end."""

    folded: Folded
    begin: Integers
    end: Integers
    lead: Integers
    """The characters of each text before its first letter."""

    def accented(self) -> Booleans:
        """Texts that begin or end with an accent, or with a character of several letters."""
        if not len(self.folded):
            return np.zeros(len(self.begin), np.bool_)
        last = len(self.folded) - 1
        ends = np.minimum(self.begin, last), np.clip(self.end - 1, 0, last)
        whole = self.folded.opens[ends[0]] & self.folded.opens[ends[1]]
        return (self.begin < self.end) & ~whole


def fold_all(texts: Sequence[str]) -> FoldedTexts:
    """The letters of texts, which is faster than folding one after the other.

    >>> both = fold_all([" to be", "or not"])
    >>> both.folded.text[both.begin[0] : both.end[0]], both.lead.tolist()
    ('tobe', [1, 0])
    """
    folded = fold(SEPARATOR.join(texts))
    sizes = np.fromiter(map(len, texts), np.int64, len(texts))
    ends = np.cumsum(sizes + 1) - 1
    begin, end = (np.searchsorted(folded.origin, each) for each in (ends - sizes, ends))
    first = folded.origin[np.minimum(begin, len(folded) - 1)] if len(folded) else begin
    return FoldedTexts(folded, begin, end, np.where(begin < end, first - (ends - sizes), 0))


def batches(texts: Sequence[str], characters: int) -> Iterator[range]:
    """The numbers of texts that have about so many characters together, batch by batch."""
    begin = size = 0
    for number, text in enumerate(texts):
        size += len(text)
        if size >= characters:
            yield range(begin, number + 1)
            begin, size = number + 1, 0
    if begin < len(texts):
        yield range(begin, len(texts))


# -- what each character is folded to


class _Alphabet:
    """Tables over all code points, filled page by page as texts need them."""

    def __init__(self) -> None:
        self.counts = np.zeros(_PAGES * _PAGE, np.uint8)
        """How many letters a character has."""
        self.starts = np.zeros(_PAGES * _PAGE, np.int64)
        """Where they begin in ``letters``."""
        self.spaces = np.zeros(_PAGES * _PAGE, np.bool_)
        self.letters: Letters = np.zeros(0, np.uint32)
        self.accents = np.zeros(0, np.uint8)
        """The canonical combining class of each of them."""
        self._known = np.zeros(_PAGES, np.bool_)
        self._lock = Lock()

    def learn(self, codes: Letters, *, plain: bool) -> None:
        """Fill in the pages of these code points."""
        if plain and self._known[0]:
            return
        seen = np.bincount(codes >> 8, minlength=1).astype(np.bool_)
        for page in np.flatnonzero(seen & ~self._known[: len(seen)]).tolist():
            with self._lock:
                self._learn_page(page)

    def _learn_page(self, page: int) -> None:
        codes = range(page * _PAGE, (page + 1) * _PAGE)
        folded = [_folded_character(chr(code)) for code in codes]
        counts = np.array([len(each) for each in folded], np.uint8)
        letters = "".join(folded)
        begin = len(self.letters)
        own = np.array([ord(letter) for letter in letters], np.uint32)
        accents = np.array([unicodedata.combining(letter) for letter in letters], np.uint8)
        self.letters = np.concatenate((self.letters, own))
        self.accents = np.concatenate((self.accents, accents))
        inside = slice(codes.start, codes.stop)
        self.starts[inside] = begin + np.cumsum(counts) - counts
        self.spaces[inside] = [chr(code).isspace() for code in codes]
        self.counts[inside] = counts
        self._known[page] = True


def _folded_character(sign: str) -> str:
    """What is left of one character."""
    if sign in _MARKS:
        return _MARKS[sign]
    parts = unicodedata.normalize("NFKD", sign)
    return "".join(_MARKS.get(part, part) for part in parts if not _is_nothing(part))


def _is_nothing(sign: str) -> bool:
    return sign.isspace() or any(low <= ord(sign) <= high for low, high in _INVISIBLE)


alphabet = _Alphabet()
