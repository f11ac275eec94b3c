"""What retrievers and chunkers return, one by one, as rows under our names.

Objects are known by their attributes, so that nobody's library is imported:

- LangChain ``Document``: ``page_content`` and ``metadata``, which may have ``start_index``
- LlamaIndex nodes, also inside ``NodeWithScore``: ``ref_doc_id``, ``start_char_idx``, the text
- Haystack ``Document``: ``content`` and ``meta``, which may have ``split_idx_start``
- chonkie chunks: ``text``, ``start_index``, ``end_index``
- points of Qdrant and matches of Pinecone: ``payload`` or ``metadata`` beside an id and a score

Their scores are told apart from them: the same name holds similarities in one store and distances
in another, and the list that a retriever returns is its ranking.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import chain
from numbers import Real
from typing import Any, TypeGuard

from spanwise.formats.answer_attributes import attribute, called, has
from spanwise.formats.vocabulary import ALIASES, folded, recognised
from spanwise.records import Struct

Row = dict[str, Any]

_GENERATED = re.compile(
    r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}|[0-9a-f]{32}|[0-9a-f]{40}|[0-9a-f]{64}"
)
"""Names that libraries make up for documents without one: random ids and hashes."""
_PLACE = ("document", "start", "end", "chunk", "text")
"""What nested parts of rows may say."""
_NESTED = ("metadata", "meta", "node", "payload")
"""Where rows have nested parts."""
_PLAIN = (str, bytes, int, float, type(None))


class Known(Struct, frozen=True):
    """The names that are known before answers are read; by itself, none."""

    document: Callable[[str], str | None] = lambda name: None
    """The document that a name stands for, None if it is not known."""
    chunk: Callable[[str], bool] = lambda name: False
    """Is it the id of a chunk in the table of chunks?"""
    texts: bool = False
    """Answers that are text alone can be located."""
    found: Callable[[str], bool] | None = None
    """Is it in the text of a document? None where there are no documents yet."""


NOTHING_KNOWN = Known()


class Returned(Struct, frozen=True):
    """An answer that was taken out of a response: its row, and the score it had there."""

    row: Row
    score: float | None = None


def id_of(answer: object) -> str | None:
    """The id that its library gave an object."""
    inner = attribute(answer, "node", answer)
    found = attribute(inner, "node_id", attribute(inner, "id"))
    return found if isinstance(found, str) and found else None


def row_of(answer: object, known: Known = NOTHING_KNOWN) -> Row | None:
    """The row of an object, alone or beside its score; None for anything that is not one of these.

    >>> from types import SimpleNamespace
    >>> row_of(SimpleNamespace(page_content="Peru", metadata={"source": "d7", "start_index": 10}))
    {'document': 'd7', 'start': 10, 'text': 'Peru'}
    """
    if isinstance(answer, Returned):
        return answer.row
    if is_scored(answer):
        return None if isinstance(answer[0], tuple) else row_of(answer[0], known)
    if isinstance(answer, (*_PLAIN, Mapping, tuple, list)):
        return None
    return next(filter(None, (read(answer, known) for read in _READERS)), None)


def is_scored(answer: object) -> TypeGuard[Sequence[Any]]:
    """Is it something beside its score, as vector stores of LangChain return documents?"""
    if not isinstance(answer, (tuple, list)) or len(answer) != 2:
        return False
    return isinstance(answer[1], (Real, type(None)))


def score_of(answer: object) -> float | None:
    """The score beside an answer, or its own; None if it has none.

    >>> score_of(("Peru joined.", 0.5)), score_of({"text": "Peru joined.", "score": 0.5})
    (0.5, None)
    """
    if is_scored(answer):
        return number_in(answer[1])
    return None if isinstance(answer, Mapping) else number_in(attribute(answer, "score"))


def number_in(score: object) -> float | None:
    """A score, None where there is none. NaN is one, which is refused with the other values."""
    return None if isinstance(score, bool) or not isinstance(score, Real) else float(score)


# -- one function for each library


def _langchain(answer: Any, known: Known) -> Row | None:
    text, said = attribute(answer, "page_content", _ABSENT), attribute(answer, "metadata")
    if text is _ABSENT or not isinstance(said, Mapping):
        return None
    names = (said.get("source"), *names_in(said))
    return _row(text, names, _place_in(said), id_of(answer), known)


def _llamaindex(answer: Any, known: Known) -> Row | None:
    node = attribute(answer, "node") if has(answer, "node", "score") else answer
    if not has(node, "ref_doc_id"):
        return None
    said = _mapping(node, "metadata")
    text = called(node, "get_content") if has(node, "get_content") else attribute(node, "text")
    names = (attribute(node, "ref_doc_id"), *names_in(said), attribute(node, "doc_id"))
    place = attribute(node, "start_char_idx"), attribute(node, "end_char_idx")
    return _row(text, names, place, id_of(node), known)


def _haystack(answer: Any, known: Known) -> Row | None:
    text, said = attribute(answer, "content", _ABSENT), attribute(answer, "meta")
    if text is _ABSENT or not isinstance(said, Mapping):
        return None
    names = (said.get("source_id"), *names_in(said))
    return _row(text, names, _place_in(said), id_of(answer), known)


def _chonkie(answer: Any, known: Known) -> Row | None:
    if not has(answer, "text", "start_index", "end_index"):
        return None
    names = names_in(_mapping(answer, "metadata"))
    place = attribute(answer, "start_index"), attribute(answer, "end_index")
    return _row(attribute(answer, "text"), names, place, id_of(answer), known)


def _point(answer: Any, known: Known) -> Row | None:
    held = attribute(answer, "payload", attribute(answer, "metadata"))
    if not (has(answer, "id", "score") and isinstance(held, Mapping)):
        return None
    return point_row(attribute(answer, "id"), held, known)


_READERS = (_langchain, _llamaindex, _haystack, _chonkie, _point)


_ABSENT = object()


def _mapping(answer: object, name: str) -> Mapping[Any, Any]:
    """What an object says beside its text; anything but a dictionary says nothing."""
    found = attribute(answer, name)
    return found if isinstance(found, Mapping) else {}


# -- what they have in common


def point_row(identity: object, held: Mapping[Any, Any], known: Known) -> Row:
    """The row of a point in a vector store, by what is stored with it."""
    told = dict(flat({"payload": held}))
    place = told.get("start"), told.get("end")
    own = told.get("chunk", identity)
    names = (told.get("document"), *([] if "text" in told else [identity]))
    return _row(told.get("text"), names, place, own if isinstance(own, str) else None, known)


def identified(document: str | None, identity: object, known: Known) -> Row:
    """The document of a text: the one that is named, or what its id stands for."""
    if document is None and isinstance(identity, str):
        if known.chunk(identity):
            return {"chunk": identity}
        document = known.document(identity)
    return {} if document is None else {"document": document}


def _row(
    text: str | None,
    names: Iterable[object],
    place: tuple[object, object],
    identity: str | None,
    known: Known,
) -> Row:
    start, end = map(_whole, place)
    row = {"document": named(names, known), "start": start, "end": end, "text": text or None}
    if start is None and identity is not None and known.chunk(identity):
        row = {"chunk": identity, "text": text or None}
    return {name: value for name, value in row.items() if value is not None}


def _whole(value: object) -> object:
    """Some stores keep every number as a float."""
    return int(value) if isinstance(value, float) and value.is_integer() else value


def _place_in(said: Mapping[Any, Any]) -> tuple[object, object]:
    """Start and end, as the metadata of an answer have them."""
    held = recognised([name for name in said if isinstance(name, str)], ("start", "end"))
    start, end = (said[held[ours]] if ours in held else None for ours in ("start", "end"))
    return start, end


def names_in(said: Mapping[Any, Any]) -> Iterator[object]:
    """What may be the name of the document in the metadata of an answer, the strongest first."""
    by_name = {folded(name): value for name, value in said.items() if isinstance(name, str)}
    yield from (by_name.get(folded(alias)) for alias in ALIASES["document"])


def named(names: Iterable[object], known: Known) -> str | None:
    """The first of these names that is known; else the first that nobody made up, if there is one.

    >>> named([None, "5eb63bbbe01eeed093cb22bb8f5acdc3", "docs/a.md"], NOTHING_KNOWN)
    'docs/a.md'
    """
    given = [str(name) for name in names if _may_be_name(name)]
    spelled = chain(given, chain.from_iterable(map(without_folders, given)))
    found = next(filter(None, map(known.document, spelled)), None)
    if found is not None:
        return found
    return next((name for name in given if not _GENERATED.fullmatch(name)), (*given, None)[0])


def without_folders(name: str) -> tuple[str, str]:
    """The name of a file without its folders, and without its ending, too.

    >>> without_folders("/data/docs/a.md")
    ('a.md', 'a')
    """
    file = name.replace("\\", "/").rsplit("/", 1)[-1]
    return file, file.rsplit(".", 1)[0]


def _may_be_name(name: object) -> bool:
    if isinstance(name, bool) or not isinstance(name, (str, int, os.PathLike)):
        return False
    return name != ""


# -- rows with nested parts


def flat(record: Mapping[str, Any]) -> Mapping[str, Any]:
    """A row with what its nested parts (``metadata``) say about its place, as its own fields.

    What the row says itself rules. Other entries of metadata have no meaning here.

    >>> flat({"page_content": "Peru", "metadata": {"source": "d7", "start_index": 10, "page": 3}})
    {'page_content': 'Peru', 'document': 'd7', 'start': 10}
    """
    parts = [name for name in _NESTED if isinstance(record.get(name), Mapping)]
    if not parts:
        return record
    row = {n: value for n, value in record.items() if n not in parts and value is not None}
    for part in parts:
        told = _told(flat(record[part]))
        row |= {ours: told[ours] for ours in told if not recognised(list(row), (ours,))}
    return row


def _told(part: Mapping[Any, Any]) -> Row:
    """What a nested part says about the place of an answer, under our names."""
    held = recognised([name for name in part if isinstance(name, str)], _PLACE)
    told = {ours: _whole(part[theirs]) for ours, theirs in held.items()}
    told["document"] = named((*names_in(part), _source_of(part)), NOTHING_KNOWN)
    return {ours: value for ours, value in told.items() if value is not None}


def _source_of(node: Mapping[Any, Any]) -> object:
    """The document of a node that LlamaIndex wrote as JSON."""
    related = node.get("relationships")
    source = related.get("1") if isinstance(related, Mapping) else None
    return source.get("node_id") if isinstance(source, Mapping) else None
