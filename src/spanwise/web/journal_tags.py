"""What tags of journal articles (JATS) stand for by where they stand.

A ``name`` is the title of an encyclopedia's article, but an author in a list of references. Only
pages ask: which elements are compared or returned depends on their tags alone.
"""

from __future__ import annotations

from collections.abc import Mapping

from spanwise.collection.tag_roles import Role
from spanwise.records import Struct

_LINES: Mapping[str, Role] = {
    **{"journal-meta": "subtitle", "article-categories": "subtitle", "pub-date": "subtitle"},
    **{"contrib-group": "paragraph", "history": "subtitle"},
    **{"element-citation": "inline", "mixed-citation": "inline", "nlm-citation": "inline"},
}
"""What is one line, with the small parts that it is made of."""
_ABOUT = frozenset(("journal-meta", "article-categories", "pub-date", "history"))
_NUMBERS = ("article-id", "volume", "issue", "issue-id", "fpage", "lpage", "elocation-id")
_PLACED: Mapping[str, Role] = {
    **{f"article-meta/{tag}": "small" for tag in _NUMBERS},
    **{f"back/{tag}": "section" for tag in ("ref-list", "ack", "app-group", "fn-group", "notes")},
    **{"article-meta/kwd-group": "section", "kwd-group/kwd": "inline"},
    **{"ref-list/ref": "paragraph", "ref/label": "inline", "aff/label": "inline"},
    **{"ref/citation": "inline", "caption/title": "bold"},
}
_KEEPING = frozenset(("section", "paragraph", "list", "numbered", "item", "table", "quote"))
"""What is more than a small part, wherever it stands."""


class Place(Struct, frozen=True):
    """What an element is because of where it stands."""

    role: Role
    is_part: bool = False
    """One of the small parts of a line: nothing but its tags may keep it from the next one."""
    is_about: bool = False
    """Says where the document appeared, and comes before its title."""
    is_line: bool = False
    """What stands inside of it are the parts of one line."""


def place_of(tag: str, parent: str, around: Place | None, role: Role | None) -> Place | None:
    """What an element is by where it stands; None if that is for its tag to say.

    >>> place_of("name", "contrib", Place("paragraph", is_line=True), "title").role
    'inline'
    >>> place_of("name", "article", None, "title")
    """
    if around is not None and around.is_line and role not in _KEEPING:
        return Place("inline", is_part=True, is_about=around.is_about, is_line=True)
    if tag in _LINES:
        return Place(_LINES[tag], is_about=tag in _ABOUT, is_line=True)
    found = _PLACED.get(f"{parent}/{tag}")
    if found is None:
        return None
    is_small = found in ("small", "inline")
    is_number = parent == "article-meta" and tag in _NUMBERS
    return Place(found, is_small, is_number, is_line=f"{parent}/{tag}" == "ref/citation")
