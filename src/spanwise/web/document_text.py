"""A document as markup: its structure and its text, with passages marked and things put between.

The text nodes of the article, those in ``[data-added]`` left out, are the characters of the text in
their order and nothing else: an offset in the one is an offset in the other. ``data-start`` of a
box is where it begins. This renderer serves reading and assessing alike.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence

from markupsafe import Markup

from spanwise.collection.tag_roles import Role
from spanwise.records import Struct, field
from spanwise.web.document_elements import element_of, is_well_formed
from spanwise.web.document_layout import Box

_UNSAFE = re.compile("[&<>\"'\r\0\ud800-\udfff]")
_HOLDING, _CELLS = ("table", "code"), ("cell", "heading-cell")
_REFERENCES = {
    **{"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&#34;", "'": "&#39;"},
    # A browser would read a line end of two characters as one, and drop what is no character.
    "\r": "&#13;",
}


def escaped(text: str) -> str:
    r"""The text as markup of the same number of characters.

    >>> escaped("a<b>\r\n")
    'a&lt;b&gt;&#13;\n'
    """
    return _UNSAFE.sub(lambda found: _REFERENCES.get(found[0], "\N{REPLACEMENT CHARACTER}"), text)


class Highlight(Struct, frozen=True):
    """A stretch of text that looks different; those of a document never overlap."""

    start: int
    end: int
    classes: str
    anchor: str = ""
    """The address of its first character."""
    number: int | None = None
    """Written on each of its pieces."""


class Insertion(Struct, frozen=True):
    """Markup at a place of the text that is not part of it."""

    place: int
    markup: Markup
    after: bool = True
    """It belongs to the text before it, not to that after it."""


class Marking(Struct, frozen=True, eq=False):
    """All that is marked in a document, each in the order of its places."""

    highlights: Sequence[Highlight] = ()
    insertions: Sequence[Insertion] = ()
    terms: Sequence[tuple[int, int]] = ()
    """Words that stand out inside highlights or outside of them."""
    cuts: frozenset[int] = field(default_factory=frozenset)


PLAIN = Marking()
"""Nothing is marked."""


def rendered_text(text: str, root: Box, marking: Marking = PLAIN) -> Markup:
    """The whole document as markup."""
    writer = _Writer(text, marking)
    writer.box(root, None)
    writer.insert(len(text), also_before=True)
    return Markup("".join(writer.parts))


class _Writer:
    """Writes boxes; highlights are opened and closed inside the elements that they meet."""

    def __init__(self, text: str, marking: Marking) -> None:
        self.text = text
        self.parts: list[str] = []
        self._highlights = list(marking.highlights)
        self._ends = [one.end for one in self._highlights]
        self._insertions = sorted(marking.insertions, key=lambda one: (one.place, not one.after))
        self._terms = list(marking.terms)
        self._term_ends = [end for _, end in self._terms]
        self._cuts = sorted({one.place for one in self._insertions} | marking.cuts)
        self._inserted = 0
        self._held: Role | None = None
        """What is open in which nothing can be put between: code, or a table around its cells."""
        self._in_table = False
        """Inside of a table that can be announced as one."""
        self._anchored: set[str] = set()

    # -- boxes

    def box(self, box: Box, parent: Box | None) -> None:
        """A box with all that is in it."""
        if box.is_break:
            self._break(box, parent)
            return
        outside = self._in_table
        if box.role == "table":
            self._in_table = is_well_formed(box, self.text)
        tag, attributes = element_of(box, parent, self.text, in_table=self._in_table)
        held = self._held
        self._held = self._held_in(box)
        self.parts.append(f"<{tag}{attributes}>")
        if tag == "pre" and self.text[box.start : box.start + 1] == "\n":
            self.parts.append("\n")  # The parser drops the first line end of this element.
        self.flow(box)
        self.parts.append(f"</{tag}>")
        self._held = held
        self._in_table = outside
        if not held and box.role in _HOLDING:
            self.insert(box.end)

    def _held_in(self, box: Box) -> Role | None:
        if box.role == "code" or self._held == "code":
            return "code"
        if box.role == "table":
            return "table"
        return None if box.role in _CELLS else self._held

    def _break(self, box: Box, parent: Box | None) -> None:
        """Ends a line, unless a line end that is shown does so."""
        kept = parent is not None and (parent.kept_lines or parent.role == "code")
        if not (kept and self.text[box.start : box.start + 1] == "\n"):
            self.parts.append("<br data-added>")

    def flow(self, box: Box) -> None:
        """The text of a box and the boxes in it, with highlights as wide as they can be here."""
        opened: Highlight | None = None
        place = box.start
        for child in (*box.children, None):
            stop = box.end if child is None else child.start
            for start, end, found in self._pieces(place, stop):
                if self._must_insert(start) or found is not opened:
                    self._close(opened)
                    self.insert(start, also_before=True)
                    opened = self._open(found, start)
                self._write(start, end)
                if self._must_insert(end, also_before=False):
                    self._close(opened)
                    opened = None
                    self.insert(end)
            if child is not None:
                opened = self._child(child, box, opened)
                place = child.end
        self._close(opened)

    def _child(self, child: Box, box: Box, opened: Highlight | None) -> Highlight | None:
        """A box inside another one; what highlights it is open before, and stays open."""
        around = self._around(child) if child.is_inline else None
        if around is not opened:
            self._close(opened)
            opened = self._open(around, child.start) if around else None
        if around is None:
            self.box(child, box)
            return None
        self._plain(child)
        if self._must_insert(child.end, also_before=False):
            self._close(opened)
            self.insert(child.end)
            return None
        return opened

    def _plain(self, box: Box) -> None:
        """A box inside lines of text that is highlighted from its beginning to its end."""
        if box.is_break:
            self._break(box, None)
            return
        tag, attributes = element_of(box, None, self.text, in_table=False)
        self.parts.append(f"<{tag}{attributes}>")
        place = box.start
        for child in box.children:
            self._write(place, child.start)
            self._plain(child)
            place = child.end
        self._write(place, box.end)
        self.parts.append(f"</{tag}>")

    def _around(self, box: Box) -> Highlight | None:
        """The highlight that holds all of a box, if nothing is put into the middle of it."""
        if box.start == box.end:
            return None
        row = bisect_right(self._ends, box.start)
        if row == len(self._highlights):
            return None
        found = self._highlights[row]
        if found.start > box.start or found.end < box.end:
            return None
        cut = bisect_right(self._cuts, box.start)
        between = cut < len(self._cuts) and self._cuts[cut] < box.end
        return None if between or self._must_insert(box.start) else found

    # -- text

    def _pieces(self, start: int, end: int) -> Iterator[tuple[int, int, Highlight | None]]:
        """Stretches of text with what highlights them, cut where something is put between."""
        row = bisect_right(self._ends, start)
        while start < end:
            found = self._highlights[row] if row < len(self._highlights) else None
            if found is not None and start >= found.start:
                stop = min(found.end, end)
                row += stop == found.end
            else:
                stop = end if found is None else min(found.start, end)
                found = None
            yield from ((a, b, found) for a, b in self._cut(start, stop))
            start = stop

    def _cut(self, start: int, end: int) -> Iterator[tuple[int, int]]:
        cut = bisect_right(self._cuts, start)
        while cut < len(self._cuts) and self._cuts[cut] < end:
            yield start, self._cuts[cut]
            start = self._cuts[cut]
            cut += 1
        yield start, end

    def _write(self, start: int, end: int) -> None:
        """Text, with the words that stand out."""
        row = bisect_right(self._term_ends, start)
        while row < len(self._terms) and self._terms[row][0] < end:
            first, last = max(self._terms[row][0], start), min(self._terms[row][1], end)
            self.parts.append(escaped(self.text[start:first]))
            self.parts.append(f'<b class="term">{escaped(self.text[first:last])}</b>')
            start = last
            row += 1
        self.parts.append(escaped(self.text[start:end]))

    def _open(self, found: Highlight | None, start: int) -> Highlight | None:
        if found is not None:
            anchor = f' id="{escaped(found.anchor)}"' if self._is_new(found) else ""
            number = "" if found.number is None else f" data-n={found.number}"
            self.parts.append(f'<mark{anchor} class="{found.classes}"{number} data-start={start}>')
        return found

    def _is_new(self, found: Highlight) -> bool:
        if not found.anchor or found.anchor in self._anchored:
            return False
        self._anchored.add(found.anchor)
        return True

    def _close(self, opened: Highlight | None) -> None:
        if opened is not None:
            self.parts.append("</mark>")

    # -- what is put between

    def insert(self, place: int, *, also_before: bool = False) -> None:
        """What belongs here and was not put in yet."""
        while self._must_insert(place, also_before=also_before):
            self.parts.append(self._insertions[self._inserted].markup)
            self._inserted += 1

    def _must_insert(self, place: int, *, also_before: bool = True) -> bool:
        if self._held or self._inserted == len(self._insertions):
            return False
        one = self._insertions[self._inserted]
        return one.place < place or (one.place == place and (one.after or also_before))
