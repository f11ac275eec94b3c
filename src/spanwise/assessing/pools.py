"""A pool: which documents of each topic are to be assessed, in which order, and its file.

The first line of the file says how the pool came about; a line for each topic, which may say what
it asks, and one for each of its documents follow.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, BinaryIO, Literal, get_args

from spanwise.data.notes import Faults
from spanwise.errors import Fault, InputError, shown
from spanwise.formats.field_values import FIX, RowError, name_in, whole_number
from spanwise.formats.json_lines import check_header, header, is_header, json_objects, write_row
from spanwise.formats.source import Source
from spanwise.records import Struct, field

KIND = "pool"
Order = Literal["returned", "shuffled"]
"""Documents that most runs returned come first, or they are in an order drawn by lot."""


class PooledDocument(Struct, frozen=True):
    """A document to be assessed for a topic."""

    document: str
    runs: int = 0
    """How many runs returned it within the depth; 0 if that is not known."""
    best_rank: int = 0
    """Its best rank in any of them, from 1; 0 if that is not known."""
    ranges: tuple[tuple[int, int], ...] = ()
    """The text that runs returned of it, united; nothing if they returned it as a whole."""


class PooledTopic(Struct, frozen=True):
    """A topic and its documents, in the order in which they are to be assessed."""

    topic: str
    query: str = ""
    narrative: str = ""
    documents: tuple[PooledDocument, ...] = ()


class Pool(Struct, frozen=True):
    """What is to be assessed.

    >>> pool = Pool((PooledTopic("q1", documents=(PooledDocument("d7"),)),), depth=10)
    >>> len(pool), pool.topic("q1").documents[0].document
    (1, 'd7')
    """

    topics: tuple[PooledTopic, ...]
    depth: int | None = None
    """How many documents of each run and topic were taken; None if that is not known."""
    order: Order = "returned"
    runs: tuple[str, ...] = ()
    """The names of the runs that were pooled."""

    def __len__(self) -> int:
        """How many documents there are to assess, over all topics."""
        return sum(len(topic.documents) for topic in self.topics)

    def topic(self, name: str) -> PooledTopic:
        """The topic of this name; ``KeyError`` if there is none."""
        return {topic.topic: topic for topic in self.topics}[name]


# -- writing


def write_pool(pool: Pool, stream: BinaryIO) -> None:
    """The pool as JSON lines."""
    depth = {} if pool.depth is None else {"depth": pool.depth}
    made = {"order": pool.order, "runs": list(pool.runs)}
    write_row(stream, {**header(KIND), **depth, **made})
    for topic in pool.topics:
        asked = {"query": topic.query, "narrative": topic.narrative}
        write_row(stream, {"topic": topic.topic, **_known(asked)})
        for document in topic.documents:
            names = {"topic": topic.topic, "document": document.document}
            numbers = {"runs": document.runs, "best_rank": document.best_rank}
            write_row(stream, {**names, **_known(numbers), "ranges": document.ranges})


def _known(fields: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in fields.items() if value}


# -- reading


def read_pool(source: Source) -> Pool:
    r"""The pool in a file; everything that is wrong with it is refused together.

    >>> first = b'{"spanwise": 1, "kind": "pool", "depth": 5}\n'
    >>> pool = read_pool(Source("pool.jsonl", first + b'{"topic": "q1", "document": "d7"}\n'))
    >>> pool.depth, pool.topics[0].documents
    (5, (PooledDocument(document='d7', runs=0, best_rank=0, ranges=()),))
    """
    faults = Faults(source.name)
    reader = _Reader(faults)
    rows = json_objects(source, faults)
    for line, record in rows:
        reader.take(line, record)
    faults.settle()
    if reader.first is None:
        raise source.refused("nothing", f"a pool, which begins with {_FIRST}")
    return reader.pool(reader.first)


_FIRST = '{"spanwise": 1, "kind": "pool", ...}'
_FIX = "fix the line"


class _Made(Struct, frozen=True):
    """What the first line says."""

    depth: int | None
    order: Order
    runs: tuple[str, ...]


class _Gathered(Struct):
    """What is known about a topic so far."""

    query: str = ""
    narrative: str = ""
    line: int | None = None
    """That of its own row."""
    documents: dict[str, tuple[PooledDocument, int]] = field(default_factory=dict)
    """Each with its line."""


class _Reader:
    """Gathers the rows of a pool."""

    def __init__(self, faults: Faults) -> None:
        self.faults = faults
        self.first: _Made | None = None
        self.topics: dict[str, _Gathered] = {}

    def take(self, line: int, record: dict[str, Any]) -> None:
        """Add a row, or note what is wrong with it."""
        try:
            if is_header(record):
                check_header(record, KIND, self.faults, line)
                self.first = self.first or _made(record)
            elif self.first is None:
                raise self._without_first_line(line)
            elif "document" in record:
                self._add_document(line, record)
            else:
                self._add_topic(line, record)
        except RowError as refused:
            if refused.remedy == FIX:  # A pool is read whole or not at all.
                refused.remedy = _FIX
            refused.note(self.faults, line)

    def pool(self, made: _Made) -> Pool:
        """Everything that was read."""
        topics = (
            PooledTopic(name, it.query, it.narrative, tuple(d for d, _ in it.documents.values()))
            for name, it in self.topics.items()
        )
        return Pool(tuple(topics), made.depth, made.order, made.runs)

    def _without_first_line(self, line: int) -> InputError:
        found = "a row before the line that names the contents"
        remedy = "give a file that spanwise pool wrote"
        return InputError(Fault(self.faults.file, line, found, f"{_FIRST} first", remedy))

    def _add_topic(self, line: int, record: dict[str, Any]) -> None:
        name = name_in(record, "topic")
        topic = self.topics.setdefault(name, _Gathered())
        if topic.line is not None:
            raise _repeated(f"topic {name} again", f"each topic once (it is at line {topic.line}")
        topic.line = line
        topic.query, topic.narrative = (_text_in(record, key) for key in ("query", "narrative"))

    def _add_document(self, line: int, record: dict[str, Any]) -> None:
        name, document = name_in(record, "topic"), _document(record)
        held = self.topics.setdefault(name, _Gathered()).documents
        if document.document in held:
            found = f"document {document.document} of topic {name} again"
            before = held[document.document][1]
            raise _repeated(found, f"each document of a topic once (it is at line {before}")
        held[document.document] = (document, line)


def _repeated(found: str, expected: str) -> RowError:
    return RowError("repetition", found, f"{expected} already)", "remove one of them")


def _made(record: dict[str, Any]) -> _Made:
    depth = _count_in(record, "depth") or None
    order = record.get("order", "returned")
    if order not in get_args(Order):
        raise RowError("type", f"order {shown(order)}", "returned or shuffled")
    runs = record.get("runs", [])
    if not isinstance(runs, list) or not all(isinstance(run, str) for run in runs):
        raise RowError("type", f"runs {shown(runs)}", "runs as a list of names")
    return _Made(depth, order, tuple(runs))


def _document(record: dict[str, Any]) -> PooledDocument:
    return PooledDocument(
        name_in(record, "document"),
        _count_in(record, "runs"),
        _count_in(record, "best_rank"),
        tuple(_ranges_in(record)),
    )


def _count_in(record: dict[str, Any], key: str) -> int:
    """A number of things, 0 where the row does not say."""
    number = whole_number(key, record.get(key, 0))
    if number < 0 or (number == 0 and key in record):
        raise RowError(key, f"{key} {number}", f"{key} of 1 or more")
    return number


def _text_in(record: dict[str, Any], key: str) -> str:
    text = record.get(key, "")
    if not isinstance(text, str):
        raise RowError("type", f"{key} {shown(text)}", f"{key} that is text")
    return text


def _ranges_in(record: dict[str, Any]) -> Iterator[tuple[int, int]]:
    """Ranges in their order, each after the one before."""
    ranges, before = record.get("ranges", []), 0
    if not isinstance(ranges, list):
        raise RowError("type", f"ranges {shown(ranges)}", "ranges as a list of [start, end]")
    for each in ranges:
        if not isinstance(each, list) or len(each) != 2:
            raise RowError("type", f"the range {shown(each)}", "[start, end]")
        start, end = whole_number("start", each[0]), whole_number("end", each[1])
        if not before <= start < end:
            expected = f"a start from {before} on, and an end after it"
            raise RowError("range", f"the range {shown(each)}", expected)
        yield start, end
        before = end
