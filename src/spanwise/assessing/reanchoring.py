"""Documents that have changed since they were judged: where their passages are now.

The log has the text that was judged. Each passage is looked for in the new text as quotes are: as
it is, with other white space, as something similar. What is or was at several places is where the
text around it is the same; otherwise it counts as not found, and the judgement is open again. What
was whole sentences stays whole sentences where the text is only similar.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import Literal

from spanwise.assessing.judgement import Judgement, Passage
from spanwise.assessing.log import Key, Log
from spanwise.collection.collection import open_collection
from spanwise.collection.locate import How, Located, Locator
from spanwise.collection.places import Place, Sought
from spanwise.data.documents import Documents
from spanwise.records import Struct, replace
from spanwise.text.sentence_ranges import sentence_ranges

AROUND = 100
"""Characters before and after a text that tell its places apart."""
AFTER_ENTRY = 80
"""Characters after an entry point by which it is found again."""

What = Literal["passage", "entry point"]


class Moved(Struct, frozen=True):
    """A passage or an entry point of one judgement, in the old text and in the new one."""

    key: Key
    what: What
    start: int
    end: int
    text: str
    place: Place | None
    """None: it was not found, or at several places."""
    how: How
    similarity: float = 1.0
    found: str = ""
    """What is at the new place."""


class Reanchored(Struct, frozen=True):
    """A judgement of a changed document with its passages at their new places."""

    key: Key
    judgement: Judgement
    moved: tuple[Moved, ...]

    @property
    def is_opened(self) -> bool:
        """Is it open because a passage was not found?"""
        return any(each.place is None and each.what == "passage" for each in self.moved)


class Changed(Struct, frozen=True):
    """A document that is not what was judged."""

    document: str
    text: str
    """As it is now."""
    judgements: tuple[Reanchored, ...]


def changed_documents(log: Log, documents: Documents) -> list[str]:
    """The judged documents whose text is another now, or that are not there."""
    return [
        name
        for name, judged in sorted(log.documents().items())
        if name not in documents.lengths or documents.sha256(name) != judged.sha256
    ]


def reanchored(log: Log, documents: Documents) -> list[Changed]:
    """Every changed document that is still there, with its judgements at their new places."""
    held: dict[str, list[tuple[Key, Judgement]]] = {}
    for key, (version, history) in sorted(log.histories().items()):
        if version:
            held.setdefault(key.document, []).append((key, history.judgement))
    return [
        _changed(name, log.text(name), documents.text(name), held.get(name, ()))
        for name in changed_documents(log, documents)
        if name in documents.lengths
    ]


def _changed(name: str, old: str, new: str, judgements: Sequence[tuple[Key, Judgement]]) -> Changed:
    finder = _Finder(name, old, new)
    return Changed(
        name, new, tuple(_moved(key, judgement, finder) for key, judgement in judgements)
    )


def _moved(key: Key, judgement: Judgement, finder: _Finder) -> Reanchored:
    """Its passages where they are now; open if one of them is lost."""
    result = replace(judgement, passages=(), entry=None)
    found = list(_found(key, judgement, finder))
    for passage, moved in zip(judgement.passages, found, strict=False):
        if moved.place is not None:
            place = replace(passage, start=moved.place.start, end=moved.place.end)
            result = result.highlighted(place)
    if judgement.entry is not None and found[-1].place is not None:
        result = replace(result, entry=found[-1].place.start)
    if any(each.what == "passage" and each.place is None for each in found):
        result = replace(result, status="open")
    return Reanchored(key, result, tuple(found))


def _found(key: Key, judgement: Judgement, finder: _Finder) -> Iterator[Moved]:
    """Each passage, then the entry point."""
    begins: dict[int, Moved] = {}
    for passage in judgement.passages:
        moved = begins[passage.start] = finder.moved(key, "passage", passage)
        yield moved
    if judgement.entry is not None:
        end = min(judgement.entry + AFTER_ENTRY, len(finder.old))
        moved = finder.moved(key, "entry point", Passage(judgement.entry, end))
        yield _with_passage(moved, begins.get(judgement.entry))


def _with_passage(entry: Moved, passage: Moved | None) -> Moved:
    """An entry point that is not there word for word goes with the passage that it began."""
    if entry.how in ("exact", "folded") or passage is None or passage.place is None:
        return entry
    place, similarity = passage.place, passage.similarity
    return replace(entry, place=place, how=passage.how, similarity=similarity, found=passage.found)


class _Finder:
    """Finds parts of an old text in a new one."""

    def __init__(self, document: str, old: str, new: str) -> None:
        self.document, self.old, self.new = document, old, new
        self._before, self._now = (
            Locator(open_collection({document: text})) for text in (old, new)
        )

    def moved(self, key: Key, what: What, passage: Passage) -> Moved:
        """Where a part of the old text is in the new one."""
        text = self.old[passage.start : passage.end]
        found = self._located(self._now, text)
        place = self._place(passage, text, found)
        how = found.how if place is not None else "nowhere"
        if place is not None and how == "similar":
            place = self._in_sentences(passage, place)
        new = "" if place is None else self.new[place.start : place.end]
        about = (key, what, passage.start, passage.end, text)
        return Moved(*about, place, how, found.similarity, new)

    def _in_sentences(self, passage: Passage, place: Place) -> Place:
        """A place that begins and ends with sentences if the passage did."""
        old, new = self._sentences
        start, end = place.start, place.end
        if (first := old.beginning(passage.start)) is not None:
            start = new.begin(start, first)
        if (last := old.ending(passage.end)) is not None:
            end = new.end(end, last)
        return replace(place, start=start, end=end) if start < end else place

    @cached_property
    def _sentences(self) -> tuple[_Sentences, _Sentences]:
        return _Sentences.of(self.old), _Sentences.of(self.new)

    def _located(self, locator: Locator, text: str) -> Located:
        [found] = locator.locate([Sought(text, self.document)])
        return found

    def _place(self, passage: Passage, text: str, found: Located) -> Place | None:
        before = self._located(self._before, text).places
        if len(before) <= 1 and len(found.places) <= 1:
            return next(iter(found.places), None)
        around = self._by_context(passage, found, AROUND, AROUND)
        if around is not None:
            return around
        sides = [self._by_context(passage, found, *each) for each in ((AROUND, 0), (0, AROUND))]
        places = {each.start: each for each in sides if each is not None}
        return next(iter(places.values())) if len(places) == 1 else None

    def _by_context(
        self, passage: Passage, found: Located, before: int, after: int
    ) -> Place | None:
        """The place among several that has the same text around it, word for word."""
        first = max(passage.start - before, 0)
        context = self.old[first : passage.end + after]
        then, now = (self._located(each, context) for each in (self._before, self._now))
        if now.how not in ("exact", "folded") or len(then.places) != len(now.places):
            return None
        own = [number for number, place in enumerate(then.places) if place.start == first]
        if not own:
            return None
        around = now.places[own[0]]
        inside = [found.places[number] for number in found_inside(found, around)]
        if now.how == "exact":
            at = around.start + passage.start - first
            inside = [place for place in inside if place.start == at]
        return inside[0] if len(inside) == 1 else None


class _Sentences(Struct, frozen=True):
    """Where the sentences of a text begin and end."""

    starts: list[int]
    ends: list[int]

    @classmethod
    def of(cls, text: str) -> _Sentences:
        """Those of a text."""
        starts, ends = sentence_ranges(text)
        return cls(starts.tolist(), ends.tolist())

    def beginning(self, place: int) -> int | None:
        """The length of the sentence that begins here; None if there is none."""
        number = bisect_left(self.starts, place)
        return self.ends[number] - place if place in self.starts[number : number + 1] else None

    def ending(self, place: int) -> int | None:
        """The length of the sentence that ends here; None if there is none."""
        number = bisect_left(self.ends, place)
        return place - self.starts[number] if place in self.ends[number : number + 1] else None

    def begin(self, place: int, length: int) -> int:
        """Where to begin for a place: before its sentence if most of one of this length is there.

        Otherwise after the sentence, of which only an end was taken in.
        """
        number = bisect_right(self.ends, place)
        if number == len(self.ends) or place <= self.starts[number]:
            return self.starts[number] if number < len(self.starts) else place
        start, end = self.starts[number], self.ends[number]
        is_most = 2 * (end - place) >= min(end - start, length)
        return start if is_most or number + 1 == len(self.starts) else self.starts[number + 1]

    def end(self, place: int, length: int) -> int:
        """Where to end, in the same way."""
        number = bisect_left(self.starts, place) - 1
        if number < 0 or place >= self.ends[number]:
            return self.ends[number] if number >= 0 else place
        start, end = self.starts[number], self.ends[number]
        is_most = 2 * (place - start) >= min(end - start, length)
        return end if is_most or not number else self.ends[number - 1]


def found_inside(found: Located, around: Place) -> list[int]:
    """The numbers of the places that are inside another one."""
    return [
        number
        for number, place in enumerate(found.places)
        if around.start <= place.start and place.end <= around.end
    ]


def write_reanchored(log: Log, changed: Sequence[Changed], at: str) -> int:
    """Log the new texts and the judgements at their new places; gives how many these are."""
    with log.together():
        for each in changed:
            states: Mapping[Key, Judgement] = {one.key: one.judgement for one in each.judgements}
            log.reanchor(each.document, each.text, states, at)
    return sum(len(each.judgements) for each in changed)
