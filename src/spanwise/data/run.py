"""A run: the ranked answers of one system, as columns."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from enum import IntEnum
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from spanwise.data.abridged import MOST, as_html, first_rows, short
from spanwise.data.identifiers import Identifiers
from spanwise.errors import option
from spanwise.records import Struct, field, replace
from spanwise.text.ranges import Booleans, Floats, Integers, offsets_of, owners_of
from spanwise.text.sentences import counted

Extents = npt.NDArray[np.uint8]
Order = Literal["file", "rank", "score", "score, then document", "ascending"]
"""How the answers of a topic are ranked; ``evaluation.align`` decides. ``ascending``: by score, the
smallest first, as distances are."""


NOT_FOUND = -1
"""The start that LangChain gives a chunk that it could not find in its document."""
NO_PATH = "-"
"""The path of an answer that names no element."""


_COLUMNS = ("extent", "start", "end", "score", "rank", "line", "element")
_NAMES = ("documents", "paths", "chunks")


def taken(quotes: tuple[str | None, ...], rows: Integers) -> tuple[str | None, ...]:
    """Some of the quotes, in this order."""
    return tuple(quotes[row] for row in rows.tolist())


class Extent(IntEnum):
    """What an answer returns of its document."""

    RANGE = 0
    """The characters ``[start, end)``."""
    WHOLE = 1
    """The whole document."""
    NOTHING = 2
    """The document is listed, nothing of it is returned."""
    POINT = 3
    """An entry point only: reading is to begin at ``start``."""
    ELEMENT = 4
    """An element, named by ``path``, whose characters are not known yet."""
    TEXT = 5
    """Its own text alone is known, in ``quotes``: neither its characters nor, where its name is
    empty, its document. ``start`` is -1 where a text splitter did not find it. Where a start is
    claimed without a document that is known, it is ``start``, and ``end`` is more than 0; else both
    are 0."""


_PLACES = {Extent.NOTHING: "nothing of it", Extent.TEXT: "not located yet"}
"""How answers without a range are shown; whole documents are their names."""


class Run(Struct, frozen=True, eq=False):
    """The answers of one system, grouped by topic; inside a topic in the order of the file.

    ``rows[offsets[t]:offsets[t + 1]]`` of every column belong to ``topics[t]``. ``order`` is the
    rule of the format the run came in; nothing is sorted before alignment.

    >>> run = Run.of("bm25", ["q1", "q1"], ["d7", "d9"], start=[100, 0], end=[250, 9])
    >>> run.topics, len(run)
    (('q1',), 2)
    """

    name: str
    topics: tuple[str, ...]
    offsets: Integers
    documents: Identifiers
    extent: Extents
    start: Integers
    end: Integers
    score: Floats | None = None
    rank: Integers | None = None
    order: Order = "file"
    file: str = "run"
    line: Integers | None = None
    paths: Identifiers | None = None
    """What each answer names: the path of an element, two paths with a blank between them for all
    from the first to the second, or a hyphen where it names none."""
    element: Integers | None = None
    """The number of each answer's element in the collection's ``Elements``, -1 where it is none;
    None before paths are resolved."""
    several_per_document: bool = True
    """False for formats that list each document of a topic once (TREC): twice is a fault."""
    quotes: tuple[str | None, ...] | None = None
    """The text that each answer says it returns, None where it says nothing; None if none does."""
    chunks: Identifiers | None = None
    """The chunk that each answer names where a file of whole documents (TREC) names chunks."""
    queries: Mapping[str, str] = field(default_factory=dict)
    """What was asked, by topic, where the maker of the run knew it; shown with the topic."""

    @classmethod
    def of(
        cls,
        name: str,
        topics: Sequence[str],
        documents: Sequence[str],
        *,
        start: Sequence[int] | Integers | None = None,
        end: Sequence[int] | Integers | None = None,
        extent: Sequence[int] | Extents | None = None,
        score: Sequence[float] | Floats | None = None,
        rank: Sequence[int] | Integers | None = None,
        order: Order = "file",
        file: str = "run",
        line: Sequence[int] | Integers | None = None,
        paths: Sequence[str] | None = None,
    ) -> Run:
        """A run from rows in any order; without start and end the answers are whole documents."""
        size = len(topics)
        default = Extent.WHOLE if start is None else Extent.RANGE
        zeros = np.zeros(size, np.int64)
        codes = Identifiers.of(topics).codes()
        places = np.argsort(codes, kind="stable")
        names = dict(zip(codes.tolist(), topics, strict=True))
        return cls(
            name=name,
            topics=tuple(names[code] for code in range(len(names))),
            offsets=offsets_of(codes, len(names)),
            documents=Identifiers.of(documents).take(places),
            extent=(
                np.full(size, default, np.uint8) if extent is None else np.asarray(extent, np.uint8)
            )[places],
            start=(zeros if start is None else np.asarray(start, np.int64))[places],
            end=(zeros if end is None else np.asarray(end, np.int64))[places],
            score=None if score is None else np.asarray(score, np.float64)[places],
            rank=None if rank is None else np.asarray(rank, np.int64)[places],
            order=order,
            file=file,
            line=None if line is None else np.asarray(line, np.int64)[places],
            paths=None if paths is None else Identifiers.of(paths).take(places),
        )

    def __len__(self) -> int:
        return len(self.documents)

    def __repr__(self) -> str:
        topics, answers = counted(len(self.topics), "topic"), counted(len(self), "answer")
        title = f"Run {short(self.name)}: {topics}, {answers}, ordered by {self.order}"
        rows = [self._shown_row(row) for row in range(min(len(self), MOST))]
        return first_rows(title, rows, len(self))

    def _repr_html_(self) -> str:
        return as_html(repr(self))

    def _shown_row(self, row: int) -> tuple[str, ...]:
        """Topic, document, place, score and text of an answer."""
        topic = self.topics[int(np.searchsorted(self.offsets, row, "right")) - 1]
        quote = None if self.quotes is None else self.quotes[row]
        return (
            short(topic),
            short(self.documents[row]),
            self._shown_place(row),
            "" if self.score is None else f"{self.score[row]:g}",
            "" if quote is None else f'"{short(quote)}"',
        )

    def _shown_place(self, row: int) -> str:
        extent = Extent(int(self.extent[row]))
        if extent == Extent.RANGE:
            return f"[{self.start[row]}, {self.end[row]})"
        if extent == Extent.ELEMENT and self.paths is not None:
            return short(self.paths[row])
        return _PLACES.get(extent, "")

    @property
    def topic(self) -> Integers:
        """The number of each answer's topic."""
        return owners_of(self.offsets)

    @property
    def ids(self) -> Identifiers:
        """What the file names for each answer: its chunk, else its document."""
        return self.documents if self.chunks is None else self.chunks

    def line_of(self, row: int) -> int | None:
        """The line in which an answer was read."""
        return None if self.line is None else int(self.line[row])

    def place_of(self, row: int) -> str:
        """Where an answer was read, for messages."""
        return self.file if self.line is None else f"{self.file}:{self.line[row]}"

    @property
    def is_placed(self) -> bool:
        """Whether ranges are all that answers name: no path and no text."""
        return self.quotes is None and self.paths is None

    @property
    def reach(self) -> Integers:
        """Where each answer ends; that of an entry point is the character that it names."""
        reach: Integers = self.end + (self.extent == Extent.POINT)
        return reach

    def beyond(self, row: int, length: int) -> tuple[str, str, str]:
        """What to say of an answer beyond the end of its document: found, expected, remedy."""
        found = f"range [{self.start[row]}, {self.end[row]})", f"an end of at most {length}"
        if self.extent[row] == Extent.POINT:
            found = f"entry point {self.start[row]}", f"one before {length}"
        return (
            found[0],
            f"{found[1]}, the length of document {self.documents[row]}",
            f"fix the offsets (is it another {option('unit')}?) or use {option('lenient', True)}",
        )

    def named_again(self, row: int, before: int) -> tuple[str, str, str]:
        """What to say of a document that its topic has named before: found, expected, remedy."""
        topic = self.topics[int(np.searchsorted(self.offsets, row, "right")) - 1]
        return (
            f"document {self.documents[row]} again for topic {topic}",
            f"it once (it is at {self.place_of(before)} already)",
            "remove one of the two lines",
        )

    @classmethod
    def joined(cls, parts: Sequence[Run]) -> Run:
        """Parts of one run, in their order; what they say about a topic comes together."""
        first, *others = parts
        if not others:
            return first
        numbers: dict[str, int] = {}
        topics = [numbers.setdefault(name, len(numbers)) for part in parts for name in part.topics]
        sizes = np.concatenate([np.diff(part.offsets) for part in parts])
        topic = np.repeat(np.array(topics, np.int64), sizes)
        order = np.argsort(topic, kind="stable")

        def column(name: str) -> Any:
            columns = [getattr(part, name) for part in parts]
            return None if columns[0] is None else np.concatenate(columns)[order]

        def names(name: str) -> Any:
            columns = [getattr(part, name) for part in parts]
            return None if columns[0] is None else Identifiers.joined(columns).take(order)

        return replace(
            first,
            topics=tuple(numbers),
            offsets=offsets_of(topic, len(numbers)),
            **{name: column(name) for name in _COLUMNS},
            **{name: names(name) for name in _NAMES},
            quotes=None
            if first.quotes is None
            else taken(tuple(text for part in parts for text in part.quotes or ()), order),
        )

    def packed(self) -> Run:
        """The same answers in memory that holds nothing else."""
        columns = {name: getattr(self, name) for name in (*_COLUMNS, *_NAMES)}
        return replace(
            self,
            **{
                name: None
                if column is None
                else column.packed()
                if isinstance(column, Identifiers)
                else column.copy()
                for name, column in columns.items()
            },
        )

    def take(self, rows: Integers) -> Run:
        """Some of the answers; their topics must stay in the same order."""
        kept, topic = np.unique(self.topic[rows], return_inverse=True)
        return replace(
            self,
            topics=tuple(self.topics[number] for number in kept.tolist()),
            offsets=offsets_of(topic, len(kept)),
            documents=self.documents.take(rows),
            extent=self.extent[rows],
            start=self.start[rows],
            end=self.end[rows],
            score=None if self.score is None else self.score[rows],
            rank=None if self.rank is None else self.rank[rows],
            line=None if self.line is None else self.line[rows],
            paths=None if self.paths is None else self.paths.take(rows),
            element=None if self.element is None else self.element[rows],
            quotes=None if self.quotes is None else taken(self.quotes, rows),
            chunks=None if self.chunks is None else self.chunks.take(rows),
        )

    def without(self, rows: Booleans) -> Run:
        """The run without some answers; a topic that loses all of them stays, with none."""
        kept = np.flatnonzero(~rows)
        offsets = offsets_of(self.topic[kept], len(self.topics))
        return replace(self.take(kept), topics=self.topics, offsets=offsets)

    def copied(self) -> Run:
        """The same answers with names of their own: the bytes of their block can then be freed."""
        return replace(
            self,
            documents=self.documents.copied(),
            paths=None if self.paths is None else self.paths.copied(),
            chunks=None if self.chunks is None else self.chunks.copied(),
        )

    def only(self, topics: Collection[str]) -> Run:
        """The answers to these topics."""
        wanted = np.array([topic in topics for topic in self.topics], np.bool_)
        return self.take(np.flatnonzero(np.repeat(wanted, np.diff(self.offsets))))
