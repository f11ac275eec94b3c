"""Strings among answers: the names of documents, or texts.

``{"q1": ["d7", "d9"]}`` are documents, ``{"q1": ["Peru joined in 1945 and ..."]}`` are texts. All
strings of a run are taken for the same:

- If one of them is a document of the assessments or the collection, all are documents. One that is
  not known and looks like text is then refused.
- If none is, they are texts where texts can be located and one of them looks like text.
- Otherwise they are documents that nobody knows, about which the guards of runs complain.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal

from spanwise.errors import SpanwiseError, shown
from spanwise.formats.answer_objects import Known

Strings = Literal["document", "text"]
"""The field that strings are."""

_LONGEST_NAME = 100
"""Longer strings look like text even without white space, as Chinese and Japanese are written."""


def strings_are(strings: Iterable[str], known: Known) -> Strings:
    """What the strings among the answers of a run are.

    >>> strings_are(["Peru joined in 1945"], Known(texts=True)), strings_are(["d7"], Known())
    ('text', 'document')
    """
    distinct = list(dict.fromkeys(strings)) if known.texts else []
    texts = [each for each in distinct if _looks_like_text(each)]
    if not texts:
        return "document"
    document = next((each for each in distinct if known.document(each) is not None), None)
    if document is None:
        return "text"
    strange = next((each for each in texts if known.document(each) is None), None)
    if strange is not None:
        raise SpanwiseError(
            f"found the answers {shown(document)}, which is a document, and {shown(strange)}, which"
            " is none, expected documents or texts; write {'document': ...} or {'text': ...}"
            " instead of strings"
        )
    return "document"


def _looks_like_text(string: str) -> bool:
    return len(string) > _LONGEST_NAME or any(map(str.isspace, string))
