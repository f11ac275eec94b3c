"""The log of an assessment: every operation of every assessor, in the order in which they came.

Nothing in it is ever changed. What holds now is what the operations make of it; the table of
judgements only saves the time to work that out, and is made anew where it disagrees.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from hashlib import sha256
from types import TracebackType
from typing import Any, Self

import msgspec

from spanwise.assessing.judgement import Judgement, Refused
from spanwise.assessing.log_file import LogFile
from spanwise.assessing.log_records import (
    ChangedDocument,
    Conflict,
    Event,
    Held,
    JudgedDocument,
    Key,
    Progress,
    identified,
    utc,
)
from spanwise.assessing.operations import (
    History,
    Operation,
    Reanchor,
    Scale,
    applied,
    is_counted,
    logged_operation,
    require_possible,
)
from spanwise.collection.packing import DamageError, packed, text_of
from spanwise.errors import SpanwiseError, shown

__all__ = ["ChangedDocument", "Conflict", "Event", "Held", "Key", "Log", "Refused", "utc"]

POOL = "pool"
"""Under which the log remembers the hash of its pool."""
_VIEW = "INSERT OR REPLACE INTO judgements VALUES (?, ?, ?, ?, ?)"
_EVENT = (
    "INSERT INTO events (assessor, topic, document, version, id, operation, at)"
    " VALUES (?, ?, ?, ?, ?, ?, ?)"
)


class Log:
    """Judgements of any number of assessors, kept in one file."""

    def __init__(self, file: LogFile, scale: Scale) -> None:
        self._file = file
        self.scale = scale

    @classmethod
    def open(
        cls,
        path: str | os.PathLike[str],
        *,
        read_only: bool = False,
        scale: Scale = Scale(),  # noqa: B008 (it is frozen)
    ) -> Self:
        """The log in a file, which is made if it is not there."""
        log = cls(LogFile(path, read_only=read_only), scale)
        try:
            log._require_continuous()
            if not read_only:
                log._correct_view()
        except BaseException:
            log.close()
            raise
        return log

    @property
    def name(self) -> str:
        """The file as the user calls it."""
        return self._file.name

    def close(self) -> None:
        """Leave one complete file behind."""
        self._file.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        problem: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    # -- reading

    def state(self, assessor: str, topic: str, document: str) -> Held:
        """What one judgement is now."""
        return Held.of(*self._folded(Key(assessor, topic, document)))

    def overview(self, assessor: str, topic: str) -> dict[str, Progress]:
        """How far an assessor is with each document of a topic that was opened."""
        question = (
            "SELECT document, version, state FROM judgements WHERE assessor = ? AND topic = ?"
        )
        found = {}
        for document, version, state in self._file.rows(question, assessor, topic):
            judgement = msgspec.json.decode(state, type=Judgement)
            found[document] = Progress(judgement.status, version, len(judgement.passages))
        return found

    def assessors(self) -> list[str]:
        """Those who have judged, in the order of their names."""
        return [
            name
            for (name,) in self._file.rows("SELECT DISTINCT assessor FROM events ORDER BY assessor")
        ]

    def events(self, assessor: str | None = None) -> Iterator[Event]:
        """All operations, or those of one assessor, in the order in which they came."""
        of_one = "" if assessor is None else "WHERE assessor = ?"
        values = () if assessor is None else (assessor,)
        question = f"SELECT * FROM events {of_one} ORDER BY sequence"
        for *said, operation, at in self._file.rows(question, *values):
            yield Event._make((*said, self._operation(operation), at))

    def histories(self, assessor: str | None = None) -> dict[Key, tuple[int, History]]:
        """Every judgement with its version, made of all operations."""
        found: dict[Key, tuple[int, History]] = {}
        for event in self.events(assessor):
            history = found[event.key][1] if event.key in found else History()
            found[event.key] = (event.version, applied(history, event.operation))
        return found

    def _folded(self, key: Key) -> tuple[int, History]:
        question = (
            "SELECT version, operation FROM events"
            " WHERE assessor = ? AND topic = ? AND document = ? ORDER BY sequence"
        )
        now, history = 0, History()
        for version, operation in self._file.rows(question, *key):
            now, history = version, applied(history, self._operation(operation))
        return now, history

    def _operation(self, text: str) -> Operation:
        try:
            return logged_operation(text)
        except msgspec.MsgspecError as problem:
            raise self._file.damaged(f"{problem} in {shown(text)}") from None

    # -- adding operations

    def append(
        self,
        assessor: str,
        topic: str,
        document: str,
        version: int,
        operations: Sequence[Mapping[str, Any]],
        at: str,
    ) -> Held:
        """Add operations to a judgement of this version: all of them, on the disk, or none.

        An operation whose id is logged already is not applied twice, so that a page may send again
        what it got no answer to.
        """
        key = Key(assessor, topic, document)
        given = _each_once(map(identified, operations))
        moment = utc(at)
        with self._file.writing() as connection:
            now, history = self._folded(key)
            logged = self._logged(key, given)
            new = {name: each for name, each in given.items() if name not in logged}
            expected = version + sum(map(is_counted, logged.values()))
            if expected != now and any(map(is_counted, new.values())):
                raise Conflict(Held.of(now, history))
            length = self._length(document) if new else 0
            for name, operation in new.items():
                require_possible(operation, length, self.scale)
                history, now = applied(history, operation), now + is_counted(operation)
                connection.execute(_EVENT, (*key, now, name, _text(operation), moment))
            if new:
                connection.execute(_VIEW, (*key, now, _text(history.judgement)))
        return Held.of(now, history)

    def _logged(self, key: Key, given: Mapping[str, Operation]) -> dict[str, Operation]:
        """Operations of these ids that were logged before, for the same judgement."""
        question = "SELECT topic, document, operation FROM events WHERE assessor = ? AND id = ?"
        found = {}
        for name in given:
            for topic, document, operation in self._file.rows(question, key.assessor, name):
                if (topic, document) != (key.topic, key.document):
                    raise Refused(f"id {name} was used for document {document} of topic {topic}")
                found[name] = self._operation(operation)
                if found[name] != given[name]:
                    raise Refused(f"id {name} was used for another operation; reload the page")
        return found

    @contextmanager
    def together(self) -> Iterator[None]:
        """``with`` it: everything that is added inside is kept, or nothing of it."""
        with self._file.writing():
            yield

    # -- documents

    def add_document(self, document: str, text: str) -> None:
        """Keep the text of a document that is to be judged; refused if another one was judged."""
        content = text.encode()
        digest = sha256(content).hexdigest()
        known = self._document(document)
        if known is None:
            with self._file.writing() as connection:
                if self._document(document) is None:
                    self._insert_document(connection, document, text)
            known = self._document(document)
        if known is not None and known.sha256 != digest:
            raise ChangedDocument(f"document {document} has changed since it was judged")

    def reanchor(self, document: str, text: str, states: Mapping[Key, Judgement], at: str) -> None:
        """Keep the new text of a document, and its judgements with their passages moved to it."""
        moment = utc(at)
        with self._file.writing() as connection:
            number = self._insert_document(connection, document, text)
            for key, state in states.items():
                version = self._folded(key)[0] + 1
                name = f"reanchor:{number}:{key.topic}"
                row = (*key, version, name, _text(Reanchor(state)), moment)
                connection.execute(_EVENT, row)
                connection.execute(_VIEW, (*key, version, _text(state)))

    def documents(self) -> dict[str, JudgedDocument]:
        """The documents that were opened, as they were last."""
        question = "SELECT document, sha256, length FROM documents ORDER BY number"
        return {name: JudgedDocument(*about) for name, *about in self._file.rows(question)}

    def text(self, document: str) -> str:
        """The text that was judged."""
        question = "SELECT text, length FROM documents WHERE document = ? ORDER BY number DESC"
        for blob, length in self._file.rows(f"{question} LIMIT 1", document):
            try:
                return text_of(blob, length)
            except DamageError as problem:
                raise self._file.damaged(f"{problem}, document {document}") from None
        raise SpanwiseError(f"document {document} is not in the log")

    def _document(self, document: str) -> JudgedDocument | None:
        question = "SELECT sha256, length FROM documents WHERE document = ? ORDER BY number DESC"
        rows = self._file.rows(f"{question} LIMIT 1", document)
        return JudgedDocument(*rows[0]) if rows else None

    def _length(self, document: str) -> int:
        known = self._document(document)
        if known is None:
            raise Refused(f"document {document} has not been opened; reload the page")
        return known.length

    def _insert_document(self, connection: sqlite3.Connection, document: str, text: str) -> int:
        content = text.encode()
        row = (document, sha256(content).hexdigest(), len(text), packed(content))
        done = connection.execute(
            "INSERT INTO documents (document, sha256, length, text) VALUES (?, ?, ?, ?)", row
        )
        return done.lastrowid or 0

    # -- what is known about all of it

    def about(self) -> dict[str, str]:
        """Facts about the whole log, such as the hash of its pool."""
        return dict(self._file.rows("SELECT key, value FROM meta"))

    def remember(self, key: str, value: str) -> None:
        """Keep a fact about the whole log."""
        with self._file.writing() as connection:
            connection.execute("INSERT OR REPLACE INTO meta VALUES (?, ?)", (key, value))

    def fill(self, documents: Sequence[Sequence[Any]], events: Sequence[Sequence[Any]]) -> None:
        """Take over the rows of another log into this one, which must be empty."""
        with self._file.writing() as connection:
            if self._file.rows("SELECT 1 FROM events LIMIT 1"):
                raise SpanwiseError(f"{self.name} has judgements already; name a new file")
            connection.executemany("INSERT INTO documents VALUES (?, ?, ?, ?, ?)", documents)
            # What was lost leaves no gap behind: gaps are damage.
            numbered = [(number, *row[1:]) for number, row in enumerate(events, start=1)]
            connection.executemany("INSERT INTO events VALUES (?, ?, ?, ?, ?, ?, ?, ?)", numbered)
            self._correct_view()

    def _require_continuous(self) -> None:
        """Refuse a log in which operations are missing: numbers and versions have no gaps."""
        before, versions = 0, dict[Key, int]()
        for event in self.events():
            version = versions.get(event.key, 0) + is_counted(event.operation)
            if event.sequence != before + 1 or event.version != version:
                about = f"document {event.document} of topic {event.topic}"
                raise self._file.damaged(f"operations are missing before {event.id} on {about}")
            before, versions[event.key] = event.sequence, version

    def _correct_view(self) -> None:
        """Make the table of judgements anew if it is not what the operations say."""
        with self._file.writing() as connection:
            right = {
                (*key, version, _text(history.judgement))
                for key, (version, history) in self.histories().items()
            }
            if set(self._file.rows("SELECT * FROM judgements")) != right:
                connection.execute("DELETE FROM judgements")
                connection.executemany(_VIEW, sorted(right))


def _each_once(given: Iterable[tuple[str, Operation]]) -> dict[str, Operation]:
    """Operations by their ids; refused if one stands for two of them."""
    found: dict[str, Operation] = {}
    for name, operation in given:
        if found.setdefault(name, operation) != operation:
            raise Refused(f"id {name} stands for two operations; each has one of its own")
    return found


def _text(value: Operation | Judgement) -> str:
    return msgspec.json.encode(value).decode()
