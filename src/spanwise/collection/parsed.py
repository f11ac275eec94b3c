"""A document after reading: its canonical text and its elements."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from spanwise.data.elements import Tree

View = Literal["raw", "xml", "html"]


@dataclass(frozen=True, slots=True, eq=False)
class Parsed:
    """The canonical text of a document and its elements."""

    text: str
    view: View
    tree: Tree
    """In document order; the root is first and there is only one."""
