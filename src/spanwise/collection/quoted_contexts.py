"""Quotes that come with the text around them, as answers in SQuAD do with their paragraph.

The context is located first. It says which document is meant, and which of the places of a quote
that is repeated; what is not clear even so is left to the rules for quotes without a context.
"""

from __future__ import annotations

from collections.abc import Mapping

from spanwise.collection.places import Place, Sought, as_places
from spanwise.collection.resolve_text import TextSearch
from spanwise.data.assessments import Assessments
from spanwise.data.quoted import Quoted
from spanwise.records import replace

_FOUND = ("exact", "folded")


def quoted_in_contexts(judged: Assessments, search: TextSearch) -> Assessments:
    """The same judgements, with the document and the occurrence of quotes whose context tells."""
    contexts = _places(judged, search)
    rows = [row for row, each in enumerate(judged.quoted) if _context_of(each) in contexts]
    places = [contexts[_context_of(judged.quoted[row])] for row in rows]
    found = search.locator.locate(
        [
            Sought(judged.quoted[row].text, place.document)
            for row, place in zip(rows, places, strict=True)
        ]
    )
    quoted, moved = [replace(each, context=None) for each in judged.quoted], 0
    for row, place, located in zip(rows, places, found, strict=True):
        there = as_places(located.places)
        inside = {
            number + 1: int(there.starts[number]) - place.start for number in there.inside(place)
        }
        if located.how not in _FOUND or not inside:
            continue
        own = quoted[row]
        meant = [number for number, start in inside.items() if start == own.within]
        moved += own.within is not None and not meant
        occurrence = (meant or list(inside))[0] if meant or len(inside) == 1 else own.occurrence
        quoted[row] = replace(own, document=place.document, occurrence=occurrence)
    search.count("context offsets", moved)
    return replace(judged, quoted=tuple(quoted))


def _context_of(quoted: Quoted) -> Sought:
    return Sought(quoted.context or "", quoted.document)


def _places(judged: Assessments, search: TextSearch) -> Mapping[Sought, Place]:
    """Where the contexts are that are word for word at one place alone."""
    contexts = [*dict.fromkeys(_context_of(each) for each in judged.quoted if each.context)]
    found = search.locator.locate(contexts)
    placed = {
        context: located.places[0]
        for context, located in zip(contexts, found, strict=True)
        if located.how in _FOUND and len(located.places) == 1
    }
    search.count("lost contexts", len(contexts) - len(placed))
    return placed
