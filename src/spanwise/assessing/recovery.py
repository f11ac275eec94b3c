"""What can still be read of a damaged log, as a new one."""

from __future__ import annotations

import os
import shutil
import sqlite3
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager, suppress
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


class Saved(Struct, frozen=True):
    """What was saved of an assessor's work, and what the log still tells of the rest."""

    assessor: str
    events: int
    lost: int
    """Events that are known to be missing."""
    judgements: int
    lost_judgements: int
    """Judgements of which nothing was saved."""


class Recovered(Struct, frozen=True):
    """What was saved of a damaged log."""

    events: int
    lost: int
    """Events that are known to be missing, or that follow such ones in the same judgement."""
    judgements: int
    cut: int
    """Judgements of which only the beginning could be saved."""
    saved: tuple[Saved, ...]
    """For each assessor of whom something could be read."""
    size: int
    """Bytes of the file."""
    expected: int
    """Bytes that it should have by its own header; 0 if that cannot be read."""


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
        known, pool = _versions(damaged), _pool(damaged)
    if not events:
        expected = "a log of judgements, damaged perhaps"
        raise InputError(Fault(name, None, "nothing that can be read", expected, "use a copy"))
    kept, cut = _sound(events)
    with Log.open(new) as saved:
        saved.fill(documents, kept)
        if pool:
            saved.remember(POOL, pool)
    people = tuple(_saved_of(kept, known))
    judged = sum(each.judgements for each in people)
    lost = max(events[-1][0] - len(kept), sum(each.lost for each in people))
    sizes = Path(name).stat().st_size, _expected_size(name)
    return Recovered(len(kept), lost, judged, len(cut), people, *sizes)


def _versions(damaged: sqlite3.Connection) -> dict[Key, int]:
    """How many operations made each judgement, by what can be read of the table of judgements.

    It is read from both ends, up to the damage.
    """
    order = ("assessor", "topic", "document")
    found: dict[Key, int] = {}
    for way in ("ASC", "DESC"):
        by = ", ".join(f"{name} {way}" for name in order)
        with suppress(sqlite3.Error, UnicodeError, TypeError):
            for *key, version in damaged.execute(
                f"SELECT {', '.join(order)}, version FROM judgements ORDER BY {by}"
            ):
                found[Key(*key)] = int(version)
    return found


def _saved_of(events: Sequence[Sequence[Any]], known: Mapping[Key, int]) -> Iterator[Saved]:
    """Each assessor of whom anything is known."""
    versions: dict[Key, int] = {}
    for row in events:
        versions[Key(*row[1:4])] = row[4]
    operations = Counter(row[1] for row in events)
    for name in sorted({key.assessor for key in (*versions, *known)}):
        own = {key for key in versions if key.assessor == name}
        told = {key: count for key, count in known.items() if key.assessor == name and count}
        missing = sum(max(count - versions.get(key, 0), 0) for key, count in told.items())
        yield Saved(name, operations[name], missing, len(own), len(told.keys() - own))


def _expected_size(name: str) -> int:
    """The size of a file by its header; what stands beside it may have the rest.

    Bytes 16 and 17 are the size of a page, 28 to 31 how many there are, by the format of SQLite.
    """
    beside = Path(f"{name}-wal")
    if beside.is_file() and beside.stat().st_size:
        return 0
    with Path(name).open("rb") as stream:
        header = stream.read(32)
    page = int.from_bytes(header[16:18])
    return (65536 if page == 1 else page) * int.from_bytes(header[28:32])


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
