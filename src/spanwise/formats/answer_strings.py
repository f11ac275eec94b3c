"""Strings among answers: the names of documents, or texts.

``{"q1": ["d7", "d9"]}`` are documents, ``{"q1": ["Peru joined in 1945 and ..."]}`` are texts. Where
texts can be located:

- A string that is a document of the assessments or the collection is that document.
- All others are texts if one of them looks like text, or is in a document of the collection.
- Otherwise they are documents that nobody knows, about which the guards of runs complain.

Where texts cannot be located all strings are documents.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable
from itertools import islice

from spanwise.data.notes import Faults, Note
from spanwise.errors import shown
from spanwise.formats.answer_objects import Known

_LONGEST_NAME = 100
"""Longer strings look like text even without white space, as Chinese and Japanese are written."""
_MARK = re.compile(
    r"[.!?\u2026][\"')\]\u2019\u201d\u00bb]*$|[\u3001\u3002\uff01\uff0c\uff1b\uff1f]"
)
"""What ends a sentence, or stands in one of Chinese or Japanese."""
_SOUGHT = 5
"""Strings that are looked for in the documents where nothing else tells what they are."""


def texts_among(
    strings: Iterable[str], known: Known, faults: Faults | None = None
) -> Collection[str]:
    """Those of the strings among the answers of a run that are texts.

    >>> texts_among(["Peru joined in 1945"], Known(texts=True)), texts_among(["d7"], Known())
    ({'Peru joined in 1945'}, set())
    """
    distinct = list(dict.fromkeys(strings)) if known.texts else []
    others = [each for each in distinct if known.document(each) is None]
    if not any(map(_looks_like_text, others)) and not _are_found(others, known):
        return set()
    if faults is not None and len(others) < len(distinct):
        texts = set(others)
        documents = [each for each in distinct if each not in texts]
        detail = f"{shown(documents[0])}; {shown(others[0])} is text"
        faults.note(Note("named and quoted", len(documents), of=len(distinct), detail=detail))
    return set(others)


def _are_found(strings: Iterable[str], known: Known) -> bool:
    found = known.found
    return found is not None and any(map(found, islice(strings, _SOUGHT)))


def _looks_like_text(string: str) -> bool:
    long = len(string) > _LONGEST_NAME or any(map(str.isspace, string))
    return long or _MARK.search(string) is not None
