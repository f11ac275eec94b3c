"""Counts and lists as sentences have them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence


def counted(number: int, what: str) -> str:
    """A number and its noun.

    >>> counted(1, "topic"), counted(1200, "topic")
    ('1 topic', '1,200 topics')
    """
    return f"{number:,} {what}{'' if number == 1 else 's'}"


_SPELLED = (
    *("no", "one", "two", "three", "four", "five", "six"),
    *("seven", "eight", "nine", "ten", "eleven", "twelve"),
)


def spelled(number: int) -> str:
    """A number of things as a sentence has it.

    >>> spelled(4), spelled(0), spelled(1200)
    ('four', 'no', '1,200')
    """
    return _SPELLED[number] if number < len(_SPELLED) else f"{number:,}"


def enumerated(items: Iterable[object]) -> str:
    """A list as in a sentence.

    >>> enumerated(["a", "b", "c"]), enumerated([14])
    ('a, b and c', '14')
    """
    *others, last = map(str, items)
    return f"{', '.join(others)} and {last}" if others else last


def first_few(names: Sequence[str], most: int) -> list[str]:
    """The first names, ``most`` items in all; the others are counted.

    >>> first_few(["a", "b", "c", "d"], 3)
    ['a', 'b', '2 more']
    """
    if len(names) <= most:
        return list(names)
    return [*names[: most - 1], f"{len(names) - most + 1} more"]


def as_sentence(text: str) -> str:
    """A text as a sentence of its own.

    >>> as_sentence("with 5 topics")
    'With 5 topics.'
    """
    return f"{text[:1].upper()}{text[1:]}."


def on_one_line(text: str) -> str:
    r"""A text with single blanks as its only white space, and none around it.

    >>> on_one_line(" Who was\n first? ")
    'Who was first?'
    """
    return " ".join(text.split())
