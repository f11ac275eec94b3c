"""What a document calls itself."""

from __future__ import annotations

from spanwise.data.elements import UNKNOWN, Paths, Tree

_TITLES = ("title", "article-title", "h1", "head", "h2")
_LONGEST = 120
_SEARCHED = 5000
"""Elements, and characters, among which a title is looked for."""


def title_of(text: str, tree: Tree | None, paths: Paths) -> str:
    """The first title element, else the first line that is not blank; on one line, clipped."""
    start, end = 0, min(len(text), _SEARCHED)
    if tree is not None:
        tags = [paths.tag[path] for path in tree.path[:_SEARCHED].tolist()]
        for row in (tags.index(tag) for tag in _TITLES if tag in tags):
            if tree.start[row] != UNKNOWN and tree.size[row] > 0:
                start, end = int(tree.start[row]), int(tree.end[row])
                break
    lines = text[start:end].lstrip("\ufeff").strip().splitlines()
    title = " ".join((lines[0] if lines else "").lstrip("#").split())
    return title if len(title) <= _LONGEST else f"{title[: _LONGEST - 1]}…"
