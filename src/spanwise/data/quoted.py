"""Relevant text that is quoted, and whose place in its document is not known yet."""

from __future__ import annotations

from typing import Literal

from spanwise.records import Struct

Repeats = Literal["error", "first", "all"]
"""What to do with quoted text at several places: refuse it, take the first, or take them all."""


class Quoted(Struct, frozen=True):
    """A judgement of text that the assessor quoted instead of giving its range.

    >>> Quoted("q1", None, "Japan and Peru").grade
    1
    """

    topic: str
    document: str | None
    """None: any document of the collection."""
    text: str
    grade: int = 1
    aspects: tuple[str, ...] = ()
    occurrence: int | None = None
    """Which of its places is meant where the text is repeated, from 1."""
    line: int | None = None
    context: str | None = None
    """The text around it, such as a paragraph, if it was quoted from one."""
    within: int | None = None
    """Where in its context it begins, if that is said."""
    start: int | None = None
    """Where it begins, if that is said without a document."""
