"""How topics are shown to people: by their name, and by what they ask."""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Iterable, Mapping

LONGEST = 60
"""Characters of a query that are shown beside the name of its topic."""
LONGEST_QUERY = 300
"""The same in a heading."""
_ELLIPSIS = "..."


def topic_name(topic: str, queries: Mapping[str, str], longest: int = LONGEST) -> str:
    r"""The name of a topic and the beginning of its query, if it has another one than its name.

    >>> print(topic_name("q1", {"q1": "Who was\nfirst?"}), topic_name("q2", {}))
    q1 "Who was first?" q2
    >>> topic_name("Who was the first?", {"Who was the first?": "Who was the first?"}, 15)
    'Who was the ...'
    """
    query = queries.get(topic)
    if query is None or not _plain(query):
        return topic
    short = shortened(query, longest)
    return short if query == topic else f'{topic} "{short}"'


def topic_names(topics: Iterable[str], queries: Mapping[str, str]) -> dict[str, str]:
    """The same for many topics: those that would look alike are shown in full."""
    names = {topic: topic_name(topic, queries) for topic in topics}
    counts = Counter(names.values())
    return {topic: name if counts[name] == 1 else topic for topic, name in names.items()}


def shortened(text: str, longest: int) -> str:
    """A text on one line, no longer than this, cut between words.

    >>> shortened("one two three", 13), shortened("one two three", 12)
    ('one two three', 'one two ...')
    """
    plain = _plain(text)
    if len(plain) <= longest:
        return plain
    room = longest - len(_ELLIPSIS)
    end = plain.rfind(" ", 0, room)
    if end > 0:
        return f"{plain[:end]} {_ELLIPSIS}"
    # One word, or a script without blanks: no accent is torn from its letter.
    while room > 1 and unicodedata.combining(plain[room]):
        room -= 1
    return plain[:room] + _ELLIPSIS


def _plain(text: str) -> str:
    """Without line ends, and without what cannot be printed and could be obeyed."""
    return "".join(sign for sign in " ".join(text.split()) if sign.isprintable())
