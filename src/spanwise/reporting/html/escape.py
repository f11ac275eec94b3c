"""Names and texts of other people, made safe for HTML and SVG."""

from __future__ import annotations

import html
import re

from spanwise.text.names import legible

# What XML 1.0 does not allow, even escaped: most control characters. And what would turn the
# direction of the text after it.
_FORBIDDEN = re.compile(
    "[^\t\n\r\x20-\x7e\x85\xa0-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]"
    "|[\u202a-\u202e\u2066-\u2069]"
)


def escaped(text: str) -> str:
    r"""A text that is a text, whatever stands in it, between tags and in quoted attributes.

    >>> escaped("<b>\x00&'")
    '&lt;b&gt;\ufffd&amp;&#x27;'
    """
    return html.escape(_FORBIDDEN.sub("\N{REPLACEMENT CHARACTER}", legible(text)))


def shortened(text: str, most: int) -> str:
    """A name with an ellipsis in its middle if it is too long.

    >>> shortened("a-very-long-name", 8)
    'a-ve…ame'
    """
    if len(text) <= most:
        return text
    after = (most - 1) // 2
    return f"{text[: most - 1 - after]}…{text[-after:]}"
