"""What the tags of documents stand for on a page; people add those of their own documents."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, get_args

from spanwise.errors import Fault, InputError
from spanwise.formats.source import Source

Role = Literal[
    "section",
    "title",
    "subtitle",
    "paragraph",
    "list",
    "numbered",
    "item",
    "quote",
    "code",
    "table",
    "rows",
    "row",
    "heading-cell",
    "cell",
    "caption",
    "figure",
    "block",
    "bold",
    "italic",
    "fixed",
    "small",
    "raised",
    "lowered",
    "inline",
    "line",
    "break",
]
ROLES: tuple[str, ...] = get_args(Role)

INLINE = frozenset(("bold", "italic", "fixed", "small", "raised", "lowered", "inline"))
"""Roles of what stands inside a line of text."""

_TAGS: Mapping[Role, str] = {
    "section": "article book body bdy bm fm chapter part sec section ss ss1 ss2 ss3 ss4 div div1"
    " div2 div3 front back appendix abstract main header footer aside nav document",
    "title": "title st h1 h2 h3 h4 h5 h6 head atl article-title name heading",
    "subtitle": "subtitle",
    "paragraph": "p para ip ip1 simpara dt dd figcaption address tip note",
    "list": "ul list normallist itemizedlist simplelist l1 l2 menu",
    "numbered": "ol numberlist orderedlist",
    "item": "li item listitem entry-item",
    "quote": "blockquote quote-block disp-quote",
    "code": "pre code-block programlisting screen literallayout verbatim",
    "table": "table tabular",
    "rows": "thead tbody tfoot tgroup",
    "row": "tr row",
    "heading-cell": "th",
    "cell": "td entry cell",
    "caption": "caption",
    "figure": "figure fig",
    "bold": "b strong bold emphasis-strong",
    "italic": "i em it emph emph1 emph2 emph3 emphasis italic cite dfn",
    "fixed": "code tt kbd samp var monospace literal",
    "small": "small",
    "raised": "sup superscript",
    "lowered": "sub subscript",
    "inline": "a span link collectionlink unknownlink weblink outsidelink xref ref abbr acronym q"
    " mark u s del ins bdi bdo label font time date ext-link named-content",
    "line": "line l verse",
    "break": "br lb break",
}
KNOWN: Mapping[str, Role] = {tag: role for role, tags in _TAGS.items() for tag in tags.split()}
"""The role of each tag, in small letters and without its namespace."""


def role_of(tag: str, known: Mapping[str, Role] = KNOWN) -> Role | None:
    """The role of a tag; None if nothing is known about it.

    >>> role_of("P"), role_of("{http://www.tei-c.org/ns/1.0}head"), role_of("speech")
    ('paragraph', 'title', None)
    """
    return known.get(tag.rpartition("}")[2].rpartition(":")[2].lower())


def read_roles(source: Source) -> dict[str, Role]:
    r"""Tags and their roles from a file of two columns, added to those that are known.

    >>> read_roles(Source("roles.tsv", b"# a play\nspeaker bold\n"))["speaker"]
    'bold'
    """
    roles = dict(KNOWN)
    for number, line in source.lines():
        words = line.split()
        if not words or line.lstrip().startswith("#"):
            continue
        if len(words) != 2 or words[1] not in ROLES:
            expected = f"a tag and its role ({', '.join(ROLES)})"
            raise InputError(Fault(source.name, number, line.strip(), expected, "fix the line"))
        roles[words[0].lower()] = words[1]  # type: ignore[assignment]
    return roles
