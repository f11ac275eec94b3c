"""The rows of a collection file, written in one transaction (see ``built.py``)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType
from typing import Self

from spanwise.collection.built import APPLICATION, FORMAT, PAGE, SCHEMA, Record
from spanwise.collection.packing import packed_paths
from spanwise.data.elements import Paths
from spanwise.formats.destination import refused

_BATCH = 256
# Nobody sees the file before it is whole, so that nothing of it need ever be rolled back.
_SETTINGS = f"""
PRAGMA page_size = {PAGE};
PRAGMA journal_mode = off;
PRAGMA synchronous = off;
PRAGMA locking_mode = exclusive;
PRAGMA application_id = {APPLICATION};
PRAGMA user_version = {FORMAT};
"""


class Writer:
    """The rows of an empty file; messages call it by its later name."""

    def __init__(self, path: Path, name: str) -> None:
        import sqlite3

        self._name = name
        with self._refusals():
            self._connection = sqlite3.connect(path, isolation_level=None)
            self._connection.executescript(_SETTINGS + SCHEMA)
            self._connection.execute("BEGIN")
        self._records: list[Record] = []
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

    def add(self, record: Record, text: bytes, tree: bytes) -> None:
        """One document with its packed text and tree."""
        self._records.append(record)
        self._contents.append((record.number, text, tree))
        if len(self._records) >= _BATCH:
            self._flush()

    def finish(self, paths: Paths, calls: Mapping[str, int], about: Mapping[str, str]) -> None:
        """Everything that is known only after the last document."""
        self._flush()
        columns, tags = packed_paths(paths)
        self._insert("paths", [(len(paths), columns)])
        self._insert("tags", list(enumerate(tags)))
        self._insert("calls", sorted(calls.items()))
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
