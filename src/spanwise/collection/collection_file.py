"""A collection file: texts, lengths, hashes and elements of all documents in one file.

The file is an SQLite database rather than Parquet because one document is read without the others,
a rebuild keeps what has not changed, the standard library reads it everywhere, and a transaction
is written completely or not at all. Names and lengths are apart from the texts, so that looking
through them reads little.

``FORMAT`` is raised when tables, packing or text views change: a file of another format is never
read by mistake.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cached_property
from pathlib import Path
from threading import Lock
from types import TracebackType
from typing import TYPE_CHECKING, Any, NamedTuple, Self, get_args
from weakref import finalize

from spanwise.collection.document_store import StoreAtPath
from spanwise.collection.document_text import View
from spanwise.collection.packing import DamageError, packed_paths, paths_of, text_of, tree_of
from spanwise.data.elements import Paths, Tree
from spanwise.errors import Fault, InputError, option, shown
from spanwise.formats.destination import refused

if TYPE_CHECKING:
    import sqlite3

_APPLICATION = int.from_bytes(b"span", "big")
FORMAT = 1
_SCHEMA = """
CREATE TABLE about (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE documents (
    number INTEGER PRIMARY KEY, name TEXT NOT NULL, source TEXT NOT NULL, file TEXT NOT NULL,
    stamp TEXT NOT NULL, view TEXT NOT NULL, length INTEGER NOT NULL, sha256 TEXT NOT NULL,
    elements INTEGER NOT NULL
);
CREATE TABLE contents (number INTEGER PRIMARY KEY, text BLOB NOT NULL, tree BLOB NOT NULL);
CREATE TABLE calls (call TEXT PRIMARY KEY, number INTEGER NOT NULL) WITHOUT ROWID;
CREATE TABLE paths (count INTEGER NOT NULL, columns BLOB NOT NULL);
CREATE TABLE tags (number INTEGER PRIMARY KEY, tag TEXT NOT NULL);
"""
_UNREACHABLE = "a document that is not found by its own name"
_REACHABLE = """
SELECT count(*) FROM documents AS listed CROSS JOIN calls ON call = listed.name
CROSS JOIN documents AS found ON found.number = calls.number WHERE found.name = listed.name
"""
_MAGIC = b"SQLite format 3\0"
_HEADER = 100
_PAGE = 8192
"""Bytes of a page: each text is on pages of its own and wastes half a page on average."""
_REMEDY = f"run spanwise collection build again with {option('force', True)}"
_BATCH = 256
# The file is not visible before it is complete, so nothing of it need ever be rolled back.
_SETTINGS = f"""
PRAGMA page_size = {_PAGE};
PRAGMA journal_mode = off;
PRAGMA synchronous = off;
PRAGMA locking_mode = exclusive;
PRAGMA application_id = {_APPLICATION};
PRAGMA user_version = {FORMAT};
"""


class DocumentRecord(NamedTuple):
    """What is stored about a document besides its text and its elements."""

    number: int
    name: str
    source: str
    file: str
    stamp: str
    view: View
    length: int
    sha256: str
    elements: int


def is_database(start: bytes) -> bool:
    """Whether a file that begins with these bytes is an SQLite database."""
    return start.startswith(_MAGIC)


def is_collection(path: Path) -> bool:
    """Whether a file is a collection file, of any format and in any state."""
    with path.open("rb") as stream:
        head = stream.read(_HEADER)
    return is_database(head) and _number(head, 68) == _APPLICATION


class CollectionFile(StoreAtPath):
    """The documents of a collection file, read one by one."""

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self.name = os.fspath(path)
        _require_whole(self.name)
        self._connection = _connected(self.name)
        finalize(self, self._connection.close)
        self._one_at_a_time = Lock()
        self._records: dict[str, DocumentRecord] = {}

    @property
    def has_text(self) -> bool:
        """Always: it was built from texts."""
        return True

    def names(self) -> Sequence[str]:
        """All documents in the order of their sources."""
        return self._names

    @cached_property
    def _names(self) -> list[str]:
        names = [record.name for record in self.records()]
        if self._rows(_REACHABLE) != [(len(names),)]:
            raise self._damaged(_UNREACHABLE)
        return names

    def find(self, document: str) -> str | None:
        """The document with this name."""
        record = self._record(document)
        return None if record is None else record.name

    def length(self, name: str) -> int:
        """The recorded length."""
        self.require_lengths()
        return self._known(name).length

    def text(self, name: str) -> str:
        """The text view."""
        record = self._known(name)
        with self._damage(record):
            return text_of(self._content("text", record), record.length)

    def view(self, name: str) -> View:
        """How the text was extracted from the file."""
        return self._known(name).view

    def sha256(self, name: str) -> str:
        """The hash of the text in UTF-8."""
        return self._known(name).sha256

    @property
    def paths(self) -> Paths:
        """The paths of all elements, loaded at once since most documents share them."""
        return self._paths

    @cached_property
    def _paths(self) -> Paths:
        tags = [tag for (tag,) in self._rows("SELECT tag FROM tags ORDER BY number")]
        with self._damage():
            for count, columns in self._rows("SELECT count, columns FROM paths"):
                if not isinstance(count, int) or not all(isinstance(tag, str) for tag in tags):
                    raise DamageError("a table of paths with wrong types")
                return paths_of(columns, count, tags)
            raise DamageError("no table of paths")

    def tree(self, document: str) -> Tree | None:
        """The elements of a document."""
        record = self._record(document)
        if record is None:
            return None
        with self._damage(record):
            tree = tree_of(self._content("tree", record), record.elements)
            if (tree.path >= len(self.paths)).any() or (tree.end > record.length).any():
                raise DamageError("elements beyond the end of the document")
            return tree

    # -- lengths

    def require_lengths(self) -> None:
        """Refuse lengths that are not those of the texts.

        Counting the characters of all texts takes long; comparing the sum of the lengths with
        the one recorded when the file was built does not.
        """
        if not self._lengths_add_up:
            self._refuse_length()

    @cached_property
    def _lengths_add_up(self) -> bool:
        (total,) = self._rows("SELECT CAST(total(length) AS INTEGER) FROM documents")[0]
        return self.about().get("characters") == str(total)

    def _refuse_length(self) -> None:
        """Find the document whose length is wrong."""
        for record in self.records():
            self.text(record.name)
        raise self._damaged("lengths that do not add up")

    # -- rows

    def records(self) -> Iterator[DocumentRecord]:
        """All documents in the order of their sources."""
        rows = self._rows("SELECT * FROM documents ORDER BY number")
        return map(self._recorded, rows)

    def contents(self, record: DocumentRecord) -> tuple[bytes, bytes]:
        """Text and tree in their packed form."""
        return self._content("text", record), self._content("tree", record)

    def about(self) -> dict[str, str]:
        """Facts about the whole file."""
        return dict(self._rows("SELECT key, value FROM about"))

    def _record(self, document: str) -> DocumentRecord | None:
        """The record of a document; names of none are not kept, as anybody may ask a server."""
        record = self._records.get(document)
        if record is None and _is_text(document):
            question = "SELECT documents.* FROM calls JOIN documents USING (number) WHERE call = ?"
            record = next(map(self._recorded, self._rows(question, document)), None)
            if record is not None:
                self._records[document] = record
        return record

    def _recorded(self, row: Sequence[Any]) -> DocumentRecord:
        """A row of the right types: SQLite holds anything in any column."""
        record = DocumentRecord(*row)
        counts = (record.number, record.length, record.elements)
        texts = (record.name, record.source, record.file, record.stamp, record.sha256)
        if not (
            all(isinstance(count, int) and count >= 0 for count in counts)
            and all(isinstance(text, str) for text in texts)
            and record.view in get_args(View)
        ):
            raise self._damaged(f"document {shown(record.name)} with wrong types")
        return record

    def _known(self, name: str) -> DocumentRecord:
        record = self._record(name)
        if record is None:
            raise self._damaged(_UNREACHABLE)
        return record

    def _content(self, column: str, record: DocumentRecord) -> bytes:
        rows = self._rows(f"SELECT {column} FROM contents WHERE number = ?", record.number)
        content: bytes = next((blob for (blob,) in rows), b"")
        return content

    def _rows(self, question: str, *values: Any) -> list[Any]:
        import sqlite3

        try:
            with self._one_at_a_time:
                return self._connection.execute(question, values).fetchall()
        except (sqlite3.Error, UnicodeError, OverflowError) as problem:
            raise self._damaged(str(problem)) from None

    @contextmanager
    def _damage(self, record: DocumentRecord | None = None) -> Iterator[None]:
        try:
            yield
        except DamageError as problem:
            place = "" if record is None else f", document {record.name}"
            raise self._damaged(f"{problem}{place}") from None

    def _damaged(self, problem: str) -> InputError:
        found = f"a damaged collection file ({problem})"
        return InputError(Fault(self.name, None, found, "a complete one", _REMEDY))


def _is_text(name: str) -> bool:
    """SQLite stores Unicode text only: no other name can be in a collection."""
    try:
        name.encode()
    except UnicodeEncodeError:
        return False
    return True


def _connected(name: str) -> sqlite3.Connection:
    """For reading only: a finished file is never written to, so no locks are needed."""
    import sqlite3

    address = f"{Path(name).absolute().as_uri()}?mode=ro&immutable=1"
    # Any thread may close it, when the last one who used it is gone.
    return sqlite3.connect(address, uri=True, isolation_level=None, check_same_thread=False)


def _require_whole(name: str) -> None:
    """Refuse what is not a collection file, has another format, or is truncated."""
    with Path(name).open("rb") as stream:
        head, size = stream.read(_HEADER), stream.seek(0, os.SEEK_END)
    expected, remedy = "a collection file", _REMEDY
    if len(head) < _HEADER or size < _number(head, 28) * _number(head, 16, 2):
        found, expected = "a truncated collection file", "a complete one"
    elif _number(head, 68) != _APPLICATION:
        found, remedy = "an SQLite file of another program", "check the path"
    elif _number(head, 60) != FORMAT:
        found, expected = f"a collection of format {_number(head, 60)}", f"format {FORMAT}"
        if _number(head, 60) > FORMAT:
            remedy = f"read it with a later spanwise, or {_REMEDY}"
    else:
        return
    raise InputError(Fault(name, None, found, expected, remedy))


def _number(head: bytes, place: int, width: int = 4) -> int:
    return int.from_bytes(head[place : place + width], "big")


# -- writing


class CollectionFileWriter:
    """Writes all rows in one transaction; ``name`` is the final name of the file, for messages."""

    def __init__(self, path: Path, name: str) -> None:
        import sqlite3

        self._name = name
        with self._refusals():
            self._connection = sqlite3.connect(path, isolation_level=None)
            self._connection.executescript(_SETTINGS + _SCHEMA)
            self._connection.execute("BEGIN")
        self._records: list[DocumentRecord] = []
        self._contents: list[tuple[int, bytes, bytes]] = []

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        problem: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._connection.close()

    def add(self, record: DocumentRecord, text: bytes, tree: bytes) -> None:
        """One document with its packed text and tree."""
        self._records.append(record)
        self._contents.append((record.number, text, tree))
        if len(self._records) >= _BATCH:
            self._flush()

    def finish(self, paths: Paths, numbers: Mapping[str, int], about: Mapping[str, str]) -> None:
        """Write what is known only after the last document, and commit."""
        self._flush()
        columns, tags = packed_paths(paths)
        self._insert("paths", [(len(paths), columns)])
        self._insert("tags", list(enumerate(tags)))
        self._insert("calls", sorted(numbers.items()))
        self._insert("about", sorted(about.items()))
        with self._refusals():
            self._connection.execute("COMMIT")

    def _flush(self) -> None:
        self._insert("documents", self._records)
        self._insert("contents", self._contents)
        self._records, self._contents = [], []

    def _insert(self, table: str, rows: Sequence[tuple[object, ...]]) -> None:
        if rows:
            places = ", ".join("?" * len(rows[0]))
            with self._refusals():
                self._connection.executemany(f"INSERT INTO {table} VALUES ({places})", rows)

    @contextmanager
    def _refusals(self) -> Iterator[None]:
        import sqlite3

        try:
            yield
        except sqlite3.Error as problem:
            raise refused(self._name, str(problem)) from None
