"""W3C Web Annotation: a list, a collection or page of annotations, or one on each line.

The label is what the body says, that of tagging if there is one; the document is the source of the
target. A position is a range; a quote without a position is located in the collection, with the
text before and after it. A target without a selector is relevant as a whole.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, BinaryIO

from spanwise.data.assessments import Assessments
from spanwise.data.notes import Note
from spanwise.errors import shown
from spanwise.formats.annotations import (
    Mark,
    Reader,
    json_names,
    labelled,
    lost_beside_marks,
    marks,
    span_in,
)
from spanwise.formats.beginning import Beginning
from spanwise.formats.field_values import RowError
from spanwise.formats.json_items import (
    Entry,
    Item,
    JsonDocument,
    JsonList,
    Place,
    identifier_in,
    objects_in,
    text_in,
    write_list,
)
from spanwise.formats.json_lines import Repeated, json_object, json_rows
from spanwise.formats.registry import CERTAIN, NO, Format, Role
from spanwise.formats.source import Source

TITLE = "W3C annotations"
CONTEXT = "http://www.w3.org/ns/anno.jsonld"
_ITEMS, _FIRST, _NEXT = "items", "first", "next"
_POSITION, _QUOTE = "TextPositionSelector", "TextQuoteSelector"
_NEAR = 32
"""Characters before and after a quote that are written."""
_TAGGING = ("tagging", "classifying")


def recognises(beginning: Beginning, role: Role) -> int:
    """Annotations with targets, or a page or collection of them."""
    if role == "run":
        return NO
    names, outline = json_names(beginning), beginning.outline
    own = "target" in names and bool({"body", "type", "@context", "motivation"} & {*names})
    page = "target" in outline.get(_ITEMS, ()) or (
        ("@context" in names or "type" in names)
        and (_FIRST in names or _ITEMS in names)
        and '"Annotation' in beginning.head
    )
    return CERTAIN if own or page else NO


# -- reading


def entries(source: Source, reader: Reader) -> Iterator[Entry]:
    """What each annotation says of each of its targets, as rows."""
    pages = _Pages()
    for item in _items(source, reader):
        yield from _of_any(item, reader, pages)
    for place in pages.places_of_missing():
        expected = "all pages in the file (nothing outside it is read)"
        place.refuse(RowError("missing", "a next page elsewhere", expected), reader.faults)


class _Pages:
    """Which pages are in the file, and which others they say come next."""

    def __init__(self) -> None:
        self._here = set[Any]()
        self._following: dict[str, Place] = {}

    def add(self, page: Mapping[str, Any], place: Place) -> None:
        """A page of the file."""
        if isinstance(page.get("id"), str):
            self._here.add(page["id"])
        if page.get(_NEXT) is not None and not isinstance(page[_NEXT], dict):
            self._following.setdefault(str(page[_NEXT]), place)

    def places_of_missing(self) -> Iterator[Place]:
        """Where pages are named that are not here."""
        return (place for page, place in self._following.items() if page not in self._here)


def _items(source: Source, reader: Reader) -> Iterator[Item]:
    """Annotations, or pages and collections of them."""
    beginning = Beginning(source)
    if _ITEMS in beginning.outline:
        page = JsonDocument(source, (_ITEMS,), reader.faults)
        yield from page
        yield Item(Place(1, ""), {**page.members, _ITEMS: []})
    elif json_object(beginning.line) is not None:
        for line, value in json_rows(source, "assessments", reader.faults):
            yield Item(Place(line, ""), value)
    else:
        yield from JsonList(source, reader.faults)


def _of_any(item: Item, reader: Reader, pages: _Pages) -> Iterator[Entry]:
    """An annotation, or the annotations of a page or of a collection's pages."""
    if isinstance(item.value, Repeated):
        item.place.refuse(RowError("repetition", "a key twice", "each key once"), reader.faults)
    elif "target" in item.value:
        yield from _annotation(item, reader)
    elif _ITEMS in item.value:
        pages.add(item.value, item.place)
        for each in objects_in(item, _ITEMS, reader.faults):
            yield from _annotation(each, reader)
        if isinstance(item.value.get(_NEXT), dict):
            following = Item(item.place.inside(_NEXT), item.value[_NEXT])
            yield from _of_any(following, reader, pages)
    elif isinstance(item.value.get(_FIRST), dict):
        yield from _of_any(Item(item.place.inside(_FIRST), item.value[_FIRST]), reader, pages)
    else:
        found = "an address as the first page" if _FIRST in item.value else "no target"
        expected = "annotations in the file itself (nothing outside it is read)"
        item.place.refuse(RowError("missing", found, expected), reader.faults)


def _annotation(item: Item, reader: Reader) -> Iterator[Entry]:
    """A row for each label and target."""
    try:
        topics = reader.topics.topics(_labels(item.value), item.value)
    except RowError as refused:
        item.place.refuse(refused, reader.faults)
        return
    targets = item.value.get("target")
    several = targets if isinstance(targets, list) else [targets]
    for number, target in enumerate(several):
        place = item.place.inside(f"target[{number}]" if target is not targets else "target")
        try:
            row = _judged(target)
            yield from (Entry(place, {"topic": topic, **row}) for topic in topics)
        except RowError as refused:
            place.refuse(refused, reader.faults)


def _labels(annotation: Mapping[str, Any]) -> list[str]:
    """The texts of the bodies: those that tag, if any do."""
    body = annotation.get("body", annotation.get("bodyValue"))
    bodies = body if isinstance(body, list) else [body]
    told = [(_purpose(each), _value(each)) for each in bodies]
    tags = [value for purpose, value in told if purpose in _TAGGING and value is not None]
    others = [value for _, value in told if value is not None]
    return list(dict.fromkeys(tags or others))


def _purpose(body: Any) -> Any:
    purpose = body.get("purpose") if isinstance(body, dict) else None
    return purpose if isinstance(purpose, str) else None


def _value(body: Any) -> str | None:
    """The text of a body, or the address of what it is."""
    if not isinstance(body, dict):
        return body if isinstance(body, str) else None
    if isinstance(body, Repeated):
        raise RowError("repetition", "a key twice in the body", "each key once")
    return next((text_in(body, name) for name in ("value", "source", "id") if body.get(name)), None)


def _judged(target: Any) -> dict[str, Any]:
    """What a target says: a document, or a part of it."""
    if isinstance(target, str):
        return {"document": identifier_in({"target": target}, "target"), "grade": 1}
    if isinstance(target, Repeated):
        raise RowError("repetition", "a key twice in the target", "each key once")
    if not isinstance(target, dict):
        raise RowError("type", shown(target), "a target with a source and selectors")
    named = _named(target)
    if target.get("selector") is None:
        if not named:
            raise RowError("missing", "a target without a source", "the source, or a quote")
        return {**named, "grade": 1}
    selectors = _selectors(target)
    position, quote = selectors.get(_POSITION), selectors.get(_QUOTE)
    if position is None and quote is None:
        held = ", ".join(map(shown, selectors)) or "none"
        raise RowError("missing", f"no selector of text ({held})", f"{_POSITION} or {_QUOTE}")
    if position is None:
        return {**named, **_quoted(quote or {})}
    if not named:
        raise RowError("missing", "a position without a source", "the source: the document")
    text = None if quote is None else text_in(quote, "exact")
    return {**named, **span_in(position), "text": text}


def _named(target: Mapping[str, Any]) -> dict[str, str]:
    """The document, if it is said."""
    source = target.get("source")
    if isinstance(source, Repeated):
        raise RowError("repetition", "a key twice in the source", "each key once")
    if isinstance(source, dict):
        return {"document": identifier_in(source, "id")}
    name = "source" if source is not None or "selector" in target else "id"
    return {} if target.get(name) is None else {"document": identifier_in(target, name)}


def _selectors(target: Mapping[str, Any]) -> dict[str, dict[str, Any]]:
    """The selectors by their types; the first of each type."""
    given = target["selector"]
    found: dict[str, dict[str, Any]] = {}
    for each in given if isinstance(given, list) else [given]:
        if isinstance(each, Repeated):
            raise RowError("repetition", "a key twice in a selector", "each key once")
        if not isinstance(each, dict) or not isinstance(each.get("type"), str):
            raise RowError("type", f"the selector {shown(each)}", "an object with a type")
        # What refines another selection counts from its beginning.
        if each.get("refinedBy") is None:
            found.setdefault(each["type"], each)
    return found


def _quoted(selector: Mapping[str, Any]) -> dict[str, Any]:
    """A text that is to be located, with the text around it."""
    exact = text_in(selector, "exact")
    if not exact:
        raise RowError("missing", f"a {_QUOTE} without exact", "the quoted text")
    before, after = text_in(selector, "prefix") or "", text_in(selector, "suffix") or ""
    if not before and not after:
        return {"evidence": [exact]}
    quote = {"text": exact, "answer_start": len(before)}
    return {"evidence": [quote], "context": f"{before}{exact}{after}"}


# -- writing


def write_assessments(assessments: Assessments, stream: BinaryIO) -> list[Note]:
    """An annotation for each relevant range, with its position and its text."""
    found = marks(assessments)
    annotations = (
        _written(document, mark, assessments.texts.get(document))
        for document, own in found.items()
        for mark in own
    )
    write_list(stream, annotations)
    return lost_beside_marks(assessments, {})


def _written(document: str, mark: Mark, text: str | None) -> dict[str, Any]:
    selectors: list[dict[str, Any]] = [{"type": _POSITION, "start": mark.start, "end": mark.end}]
    if mark.text is not None:
        quote = {"type": _QUOTE, "exact": mark.text}
        if text is not None:
            quote["prefix"] = text[max(mark.start - _NEAR, 0) : mark.start]
            quote["suffix"] = text[mark.end : mark.end + _NEAR]
        selectors.append(quote)
    return {
        "@context": CONTEXT,
        "type": "Annotation",
        "body": {"type": "TextualBody", "value": mark.topic, "purpose": "tagging"},
        "target": {"source": document, "selector": selectors},
    }


read_assessments = labelled(entries)

FORMAT = Format(
    name="w3c",
    assessments_title=TITLE,
    assessments_sign="W3C Web Annotation",
    endings=(".jsonld",),
    recognises=recognises,
    read_assessments=read_assessments,
    read_labelled=read_assessments,
    write_assessments=write_assessments,
    writes_texts=True,
)
