"""Locating text by trying every range of every document."""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping

Range = tuple[str, int, int]

QUOTES = {"'": "‘’‚‛′ʼ´`‹›'", '"': '“”„‟″«»"', "-": "‐‑‒–—―−⁃-"}
INVISIBLE = "\u00ad\u200b\u200c\u200d\u200e\u200f\u2060\ufeff\ufe0f"
ENOUGH = 32


def letters_of(character: str) -> str:
    for plain, forms in QUOTES.items():
        if character in forms:
            return plain
    parts = unicodedata.normalize("NFKD", character)
    kept = (part for part in parts if not part.isspace() and part not in INVISIBLE)
    return "".join(part if part == character else letters_of(part) for part in kept)


def slow_fold(text: str) -> str:
    """Letters in canonical order with one blank where there is white space between them."""
    words = [""]
    for character in text:
        if character.isspace():
            words.append("")
        else:
            words[-1] += letters_of(character)
    # Accents are put into order as if there was no white space before them.
    letters = unicodedata.normalize("NFD", "".join(words))
    blanks, place = [], 0
    for word in words:
        place += len(word)
        blanks.append(place)
    gaps = {place for place in blanks[:-1] if 0 < place < len(letters)}
    return "".join(" " * (place in gaps) + letter for place, letter in enumerate(letters))


def is_accent(text: str) -> bool:
    return bool(text) and unicodedata.combining(text[0]) != 0


def is_whole(text: str, start: int, end: int) -> bool:
    """Does a range begin and end with letters, and cut no accent off?"""
    first, last, rest = letters_of(text[start]), letters_of(text[end - 1]), slow_fold(text[end:])
    return bool(first and last) and not is_accent(first) and not is_accent(rest)


def shortest(ranges: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """One range for each start: what follows without letters (soft hyphens) is left out."""
    ends: dict[int, int] = {}
    for start, end in sorted(ranges, reverse=True):
        ends[start] = end
    return sorted(ends.items())


def exact_ranges(text: str, sought: str) -> list[tuple[int, int]]:
    size = len(sought)
    starts = (start for start in range(len(text)) if text[start : start + size] == sought)
    return [(start, start + size) for start in starts]


def folded_ranges(text: str, sought: str, *, blanks: bool) -> list[tuple[int, int]]:
    def same(one: str) -> str:
        folded = slow_fold(one)
        return folded if blanks else folded.replace(" ", "")

    wanted = same(sought)
    every = ((start, end) for start in range(len(text)) for end in range(start + 1, len(text) + 1))
    return [
        (start, end)
        for start, end in every
        if is_whole(text, start, end) and same(text[start:end]) == wanted
    ]


def slow_locate(documents: Mapping[str, str], sought: str) -> tuple[str, list[Range]]:
    """How a text is found, exact or folded, and all its places."""
    ways = [("exact", lambda text: exact_ranges(text, sought))]
    ways += [("folded", lambda text: folded_ranges(text, sought, blanks=True))]
    if len(slow_fold(sought).replace(" ", "")) >= ENOUGH:
        ways += [("folded", lambda text: folded_ranges(text, sought, blanks=False))]
    for how, ranges in ways:
        found = [
            (name, *each) for name, text in documents.items() for each in shortest(ranges(text))
        ]
        if found:
            return how, found
    return "nowhere", []


# -- similar


def slow_similarity(one: str, other: str) -> float:
    """1 less the share of letters to change, to add or to leave out (Levenshtein)."""
    row = list(range(len(other) + 1))
    for number, letter in enumerate(one, start=1):
        before, row = row, [number]
        for place, there in enumerate(other):
            changed = before[place] + (letter != there)
            row.append(min(changed, before[place + 1] + 1, row[place] + 1))
    return 1 - row[-1] / max(len(one), len(other), 1)


def is_explained(outside: str, added: str) -> bool:
    """Is all but two letters before a quote like the end of what was added to the quote?"""
    ends = [added[place:] for place in range(len(added) + 1)]
    return any(slow_similarity(outside[typo:], end) >= 0.5 for typo in range(3) for end in ends)
