"""A built collection: texts, lengths, hashes and elements of all documents in one file.

The file is an SQLite database, and no Parquet, because one document is read without the others,
because a rebuild takes over what has not changed, because the standard library reads it
everywhere, and because a transaction is there as a whole or not at all. Names and lengths stand
apart from the texts, so that looking through them reads little.

``FORMAT`` is raised when tables, packing or text views change: a file of another format is never
read as if nothing had happened.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, cast, get_args
from weakref import finalize

from spanwise.collection.packing import DamageError, paths_of, text_of, tree_of
from spanwise.collection.parsed import View
from spanwise.collection.store import Documents
from spanwise.data.elements import Paths, Tree
from spanwise.errors import Fault, InputError, shown

if TYPE_CHECKING:
    import sqlite3

APPLICATION = int.from_bytes(b"span", "big")
FORMAT = 1
SCHEMA = """
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
_REACHABLE = """
SELECT count(*) FROM documents AS listed CROSS JOIN calls ON call = listed.name
CROSS JOIN documents AS found ON found.number = calls.number WHERE found.name = listed.name
"""
_MAGIC = b"SQLite format 3\0"
_HEADER = 100
PAGE = 8192
"""Bytes of a page: texts lie on pages of their own, and half a page is lost with each."""
_REMEDY = "build it again with spanwise collection build --force"


class Record(NamedTuple):
    """What is known of a document besides its text and its elements."""

    number: int
    name: str
    source: str
    file: str
    stamp: str
    view: View
    length: int
    sha256: str
    elements: int


def is_collection(path: Path) -> bool:
    """Is it a database that was built here, in whatever format and state?"""
    with path.open("rb") as stream:
        head = stream.read(_HEADER)
    return head.startswith(_MAGIC) and _number(head, 68) == APPLICATION


class Built(Documents):
    """The documents of a built collection, read one by one."""

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self.name = os.fspath(path)
        _require_whole(self.name)
        self._connection = _connected(self.name)
        finalize(self, self._connection.close)
        self._records: dict[str, Record | None] = {}

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
            raise self._damaged("a document that its own name does not lead to")
        return names

    def find(self, document: str) -> str | None:
        """The document that is called so."""
        record = self._record(document)
        return None if record is None else record.name

    def length(self, name: str) -> int:
        """As it was counted."""
        self.require_lengths()
        return self._known(name).length

    def text(self, name: str) -> str:
        """The text view."""
        record = self._known(name)
        with self._damage(record):
            return text_of(self._content("text", record), record.length)

    def view(self, name: str) -> View:
        """How the text was had from the file."""
        return self._known(name).view

    def sha256(self, name: str) -> str:
        """Of the text in UTF-8."""
        return self._known(name).sha256

    @property
    def paths(self) -> Paths:
        """Of all elements; loaded as a whole, since most documents share them."""
        return self._paths

    @cached_property
    def _paths(self) -> Paths:
        tags = [tag for (tag,) in self._rows("SELECT tag FROM tags ORDER BY number")]
        with self._damage():
            for count, columns in self._rows("SELECT count, columns FROM paths"):
                if not isinstance(count, int) or not all(isinstance(tag, str) for tag in tags):
                    raise DamageError("a table of paths of other types")
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
                raise DamageError("elements that are not in the document")
            return tree

    # -- lengths

    def require_lengths(self) -> None:
        """Refuse lengths that are not those of the texts.

        To count the characters of all texts takes long; that the lengths add up to what was
        counted when the file was built is seen at once.
        """
        if not self._sound:
            self._refuse_length()

    @cached_property
    def _sound(self) -> bool:
        (total,) = self._rows("SELECT CAST(total(length) AS INTEGER) FROM documents")[0]
        return self.about().get("characters") == str(total)

    def _refuse_length(self) -> None:
        """Find the document whose length is wrong."""
        for record in self.records():
            if not isinstance(record.length, int) or record.length < 0:
                raise self._damaged(f"length {record.length!r}, document {record.name}")
            self.text(record.name)
        raise self._damaged("lengths that do not add up")

    # -- rows

    def records(self) -> Iterator[Record]:
        """All documents in the order of their sources."""
        rows = self._rows("SELECT * FROM documents ORDER BY number")
        return map(self._recorded, rows)

    def contents(self, record: Record) -> tuple[bytes, bytes]:
        """Text and tree as they are stored."""
        return self._content("text", record), self._content("tree", record)

    def about(self) -> dict[str, str]:
        """What the file says of itself."""
        return dict(self._rows("SELECT key, value FROM about"))

    def _record(self, document: str) -> Record | None:
        if document not in self._records:
            question = "SELECT documents.* FROM calls JOIN documents USING (number) WHERE call = ?"
            rows = self._rows(question, document) if _is_text(document) else []
            self._records[document] = next(map(self._recorded, rows), None)
        return self._records[document]

    def _recorded(self, row: Sequence[Any]) -> Record:
        """A row of the right types: SQLite holds anything in any column."""
        record = Record(*row)
        counts = (record.number, record.length, record.elements)
        texts = (record.name, record.source, record.file, record.stamp, record.sha256)
        if not (
            all(isinstance(count, int) and count >= 0 for count in counts)
            and all(isinstance(text, str) for text in texts)
            and record.view in get_args(View)
        ):
            raise self._damaged(f"document {shown(record.name)} of other types")
        return record

    def _known(self, name: str) -> Record:
        record = self._record(name)
        if record is None:
            raise KeyError(name)
        return record

    def _content(self, column: str, record: Record) -> bytes:
        rows = self._rows(f"SELECT {column} FROM contents WHERE number = ?", record.number)
        return cast(bytes, next((blob for (blob,) in rows), b""))

    def _rows(self, question: str, *values: Any) -> list[Any]:
        import sqlite3

        try:
            return self._connection.execute(question, values).fetchall()
        except (sqlite3.Error, UnicodeError, OverflowError) as problem:
            raise self._damaged(str(problem)) from None

    @contextmanager
    def _damage(self, record: Record | None = None) -> Iterator[None]:
        try:
            yield
        except DamageError as problem:
            place = "" if record is None else f", document {record.name}"
            raise self._damaged(f"{problem}{place}") from None

    def _damaged(self, problem: str) -> InputError:
        found = f"a damaged collection file ({problem})"
        return InputError(Fault(self.name, None, found, "a whole one", _REMEDY))


def _is_text(name: str) -> bool:
    """SQLite holds Unicode text only: no other name can be among those of a collection."""
    try:
        name.encode()
    except UnicodeEncodeError:
        return False
    return True


def _connected(name: str) -> sqlite3.Connection:
    """For reading only: nobody writes to a built file, so that no locks are needed."""
    import sqlite3

    address = f"{Path(name).absolute().as_uri()}?mode=ro&immutable=1"
    return sqlite3.connect(address, uri=True, isolation_level=None)


def _require_whole(name: str) -> None:
    """Refuse what is no collection, is of a later format, or breaks off."""
    with Path(name).open("rb") as stream:
        head, size = stream.read(_HEADER), stream.seek(0, os.SEEK_END)
    expected, remedy = "a collection file", _REMEDY
    if len(head) < _HEADER or size < _number(head, 28) * _number(head, 16, 2):
        found, expected = "a collection file that breaks off", "a whole one"
    elif _number(head, 68) != APPLICATION:
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
