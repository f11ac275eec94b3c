"""Documents that people have in memory: records, frames, and objects of loaders."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from spanwise.errors import Fault, InputError, shown
from spanwise.formats.answer_objects import flat, id_of, row_of
from spanwise.formats.field_values import Cells
from spanwise.formats.memory import columns_of, is_frame
from spanwise.formats.vocabulary import recognised

_FILE = "collection"
_EXPECTED = "documents with a name and a text"
_FIX = "give {document: text}, or records such as {'document': ..., 'text': ...}"
_ONCE = "name each document once, with all of its text"


def texts_of(given: object) -> Mapping[str, str]:
    """The texts of documents by name.

    >>> texts_of([{"document": "d7", "text": "Peru"}, {"id": "d9", "page_content": "Japan"}])
    {'d7': 'Peru', 'd9': 'Japan'}
    """
    if isinstance(given, Mapping):
        return given
    rows = _rows_of_frame(given) if is_frame(given) else _rows(given)
    texts: dict[str, str] = {}
    for number, (name, text) in enumerate(rows, start=1):
        if not (isinstance(name, str) and name and isinstance(text, str)):
            what = "name" if not isinstance(name, str) or not name else "text"
            raise _refused(number, f"a document without a {what}", _EXPECTED, _FIX)
        if name in texts:
            raise _refused(number, f"document {shown(name)} again", "each document once", _ONCE)
        texts[name] = text
    return texts


def _rows(given: object) -> Iterator[tuple[object, object]]:
    assert isinstance(given, Sequence), "settings let nothing else through"
    for each in given:
        row = flat(each) if isinstance(each, Mapping) else row_of(each) or {}
        held = recognised([str(name) for name in row], ("document", "text"))
        own = row.get("id") if isinstance(each, Mapping) else id_of(each)
        name = row[held["document"]] if "document" in held else own
        yield _name(name), row[held["text"]] if "text" in held else None


def _name(value: object) -> object:
    return str(value) if isinstance(value, int) and not isinstance(value, bool) else value


def _rows_of_frame(given: Any) -> Iterator[tuple[object, object]]:
    frame = columns_of(given, _FILE)
    held = recognised(frame.names, ("document", "text"))
    if "id" in frame.names:
        held.setdefault("document", "id")
    if len(held) < len(("document", "text")):
        found = f"columns {', '.join(frame.names)}"
        raise InputError(Fault(_FILE, None, found, "columns document and text", _FIX, "columns"))
    names, texts = (_listed(frame.column(held[ours], ours)) for ours in ("document", "text"))
    yield from zip(map(_name, names), texts, strict=True)


def _listed(column: list[Any] | Cells) -> list[Any]:
    return column.listed() if isinstance(column, Cells) else column


def _refused(number: int, found: str, expected: str, remedy: str) -> InputError:
    return InputError(Fault(_FILE, number, found, expected, remedy, "document"))
