"""What can still be read of a damaged log, as a new one."""

from __future__ import annotations

import os
import shutil
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import msgspec

from spanwise.assessing.log import POOL, Key, Log
from spanwise.assessing.operations import History, applied, is_counted, logged_operation
from spanwise.errors import Fault, InputError, SpanwiseError
from spanwise.records import Struct

_COLUMNS = {
    "events": ("sequence", "assessor", "topic", "document", "version", "id", "operation", "at"),
    "documents": ("number", "document", "sha256", "length", "text"),
}
_PATIENCE = 10_000
"""Rows in a row that cannot be read, after which no further ones are expected."""


class Recovered(Struct, frozen=True):
    """What was saved of a damaged log."""

    events: int
    lost: int
    """Events that could not be read, or that follow such ones in the same judgement."""
    judgements: int
    cut: int
    """Judgements of which only the beginning could be saved."""


def recover(log: str | os.PathLike[str], new: str | os.PathLike[str]) -> Recovered:
    """Copy to a new log what can be read of a damaged one, each judgement up to the first gap.

    The documents that cannot be read are known again when they are next opened.
    """
    name = os.fspath(log)
    if not Path(name).is_file():
        raise InputError(Fault(name, None, "log of judgements not found", "", "check the path"))
    with _copied(name) as copy, closing(sqlite3.connect(copy, isolation_level=None)) as damaged:
        # Without it SQLite reads nothing of a file that was cut short.
        damaged.execute("PRAGMA writable_schema = on")
        documents = list(_rows(damaged, "documents"))
        events = list(_rows(damaged, "events"))
        pool = _pool(damaged)
    if not events:
        expected = "a log of judgements, damaged perhaps"
        raise InputError(Fault(name, None, "nothing that can be read", expected, "use a copy"))
    kept, cut = _sound(events)
    with Log.open(new) as saved:
        saved.fill(documents, kept)
        if pool:
            saved.remember(POOL, pool)
    judged = {row[1:4] for row in kept}
    return Recovered(len(kept), events[-1][0] - len(kept), len(judged), len(cut))


@contextmanager
def _copied(name: str) -> Iterator[str]:
    """The log and what a killed writer left beside it, elsewhere: SQLite changes what it reads."""
    with TemporaryDirectory(prefix="spanwise-", ignore_cleanup_errors=True) as folder:
        copy = os.fspath(Path(folder) / "log")
        for ending in ("", "-wal"):
            if Path(f"{name}{ending}").is_file():
                shutil.copyfile(f"{name}{ending}", f"{copy}{ending}")
        yield copy


def _rows(damaged: sqlite3.Connection, table: str) -> Iterator[Sequence[Any]]:
    """The rows of a table one by one, by their numbers: damage to some hides no others."""
    columns = _COLUMNS[table]
    question = f"SELECT {', '.join(columns)} FROM {table} NOT INDEXED WHERE {columns[0]} = ?"
    number, missing = 0, 0
    while missing < _PATIENCE:
        number += 1
        try:
            row = damaged.execute(question, (number,)).fetchone()
        except (sqlite3.Error, UnicodeError):
            row = None
        missing = missing + 1 if row is None else 0
        if row is not None:
            yield row


def _pool(damaged: sqlite3.Connection) -> str:
    """The hash of the pool, if it can be read."""
    try:
        row = damaged.execute("SELECT value FROM meta WHERE key = ?", (POOL,)).fetchone()
    except (sqlite3.Error, UnicodeError):
        row = None
    return str(row[0]) if row else ""


def _sound(events: Sequence[Sequence[Any]]) -> tuple[list[Sequence[Any]], set[Key]]:
    """The events of each judgement up to the first that is missing or wrong, and which are cut."""
    held: dict[Key, tuple[int, History]] = {}
    cut, kept = set[Key](), []
    for row in events:
        key, version = Key(*row[1:4]), row[4]
        before, history = held.get(key, (0, History()))
        try:
            operation = logged_operation(row[6])
            if key in cut or version != before + is_counted(operation):
                raise SpanwiseError("an event is missing")
            held[key] = version, applied(history, operation)
        except (SpanwiseError, msgspec.MsgspecError, TypeError):
            cut.add(key)
            continue
        kept.append(row)
    return kept, cut
