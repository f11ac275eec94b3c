"""The documents of a source as pages show them: laid out once, with their chains of passages."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property, lru_cache
from threading import Lock

from spanwise.collection.tag_roles import KNOWN, Role
from spanwise.data.documents import Documents
from spanwise.records import Struct
from spanwise.web.answers import Passage, RankedDocument
from spanwise.web.document_layout import (
    Box,
    Heading,
    breaks_of,
    flows_of,
    headings_of,
    layout_of,
    title_of,
    words_of,
)
from spanwise.web.reading_chain import Chain, Flows, chain_of

_KEPT_CHAINS = 4
_KEPT_CHARACTERS = 20_000_000


class LaidOut(Struct, frozen=True, eq=False, dict=True):
    """A document: its text and its structure."""

    name: str
    text: str
    title: str
    root: Box
    headings: tuple[Heading, ...]
    flows: Flows
    breaks: Sequence[int] = ()
    """Where lines are broken without a character for it."""

    def words(self, start: int, end: int) -> str:
        """Text for one line."""
        return words_of(self.text, start, end, self.breaks)

    @property
    def has_title(self) -> bool:
        """Does the text itself begin with a title of the first level?"""
        return bool(self.headings) and self.headings[0].level == 1

    def chain(self, answer: RankedDocument | None, steps: Mapping[int, int]) -> Chain:
        """The passages that answer a question."""
        passages: tuple[Passage, ...] = () if answer is None else answer.passages
        return self._chains(passages, tuple(steps[one.rank] for one in passages))

    @cached_property
    def _chains(self) -> Callable[[tuple[Passage, ...], tuple[int, ...]], Chain]:
        """The chains of the last questions are kept: every page of an answer shows them."""

        def chain(passages: tuple[Passage, ...], steps: tuple[int, ...]) -> Chain:
            heat = {one.rank: step for one, step in zip(passages, steps, strict=True)}
            return chain_of(self.text, self.flows, passages, heat)

        return lru_cache(_KEPT_CHAINS)(chain)

    def heading_at(self, place: int) -> str:
        """The title of the section of a character."""
        before = [one.text for one in self.headings if one.start <= place]
        return before[-1] if before else ""


class Shelf:
    """Documents that were laid out, the last ones kept. Several threads may ask at once."""

    def __init__(self, documents: Documents, roles: Mapping[str, Role] = KNOWN) -> None:
        self.documents = documents
        self._roles = roles
        self._kept: OrderedDict[str, LaidOut] = OrderedDict()
        self._lock = Lock()

    def find(self, name: str) -> LaidOut | None:
        """The document with this name, None if there is none: a name is a key, never a path."""
        known = self.documents.find(name)
        if known is None:
            return None
        with self._lock:
            found = self._kept.get(known)
            if found is None:
                found = self._kept[known] = self._laid_out(known)
            self._kept.move_to_end(known)
            while len(self._kept) > 1 and self._size() > _KEPT_CHARACTERS:
                self._kept.popitem(last=False)
        return found

    def _size(self) -> int:
        return sum(len(one.text) for one in self._kept.values())

    def _laid_out(self, name: str) -> LaidOut:
        documents = self.documents
        text = documents.text(name)
        # Only a collection knows how a text was extracted.
        view = getattr(documents, "view", lambda _: None)(name)
        elements = documents.elements
        tree = None if elements is None else elements.tree(name)
        root = layout_of(
            text, tree, None if elements is None else elements.paths, view, self._roles
        )
        headings = tuple(headings_of(root, text))
        title, flows, breaks = title_of(root, text, name), flows_of(root), breaks_of(root)
        return LaidOut(name, text, title, root, headings, flows, breaks)
