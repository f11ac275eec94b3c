"""The file that holds a log of judgements: an SQLite database that is only ever added to.

``synchronous = FULL`` with a write-ahead log: what is committed is on the disk, whatever happens to
the process or to the machine afterwards. ``FORMAT`` is raised when the tables change: a log of
another format is never read by mistake.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import RLock
from typing import Any

from spanwise.errors import Fault, InputError, OutputError
from spanwise.formats.destination import refused
from spanwise.version import __version__

FORMAT = 1
_APPLICATION = int.from_bytes(b"spjg", "big")
_PAGES = 16
"""Pages beside the file after which they are put into it."""
_BUSY = 30.0
"""Seconds in which another process may finish what it is writing."""
_SCHEMA = """
CREATE TABLE IF NOT EXISTS meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS events (
    sequence INTEGER PRIMARY KEY, assessor TEXT NOT NULL, topic TEXT NOT NULL,
    document TEXT NOT NULL, version INTEGER NOT NULL, id TEXT NOT NULL, operation TEXT NOT NULL,
    at TEXT NOT NULL, UNIQUE (assessor, id)
);
CREATE INDEX IF NOT EXISTS judged ON events (assessor, topic, document, sequence);
CREATE TABLE IF NOT EXISTS judgements (
    assessor TEXT NOT NULL, topic TEXT NOT NULL, document TEXT NOT NULL, version INTEGER NOT NULL,
    state TEXT NOT NULL, PRIMARY KEY (assessor, topic, document)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS documents (
    number INTEGER PRIMARY KEY, document TEXT NOT NULL, sha256 TEXT NOT NULL,
    length INTEGER NOT NULL, text BLOB NOT NULL
);
CREATE INDEX IF NOT EXISTS known ON documents (document, number);
"""
_NEVER = """
CREATE TRIGGER IF NOT EXISTS {table}_{action} BEFORE {action} ON {table}
BEGIN SELECT RAISE(ABORT, '{table} are only added to'); END;
"""
_TRIGGERS = "".join(
    _NEVER.format(table=table, action=action)
    for table in ("events", "documents")
    for action in ("UPDATE", "DELETE")
)
_DAMAGED = "restore a copy of the log, or save what can be read: spanwise assess POOL --recover NEW"
_START = "start one with spanwise assess POOL --collection DOCUMENTS --assessor NAME"


class LogFile:
    """A connection to a log that threads can share; what SQLite refuses is said in words."""

    def __init__(self, path: str | os.PathLike[str], *, read_only: bool = False) -> None:
        self.name = os.fspath(path)
        self._one_at_a_time = RLock()
        self._require_place(read_only)
        self._identity: object = None
        """Of the file that is written to; it is made by the first connection."""
        with self._faults(read_only):
            self._connection = sqlite3.connect(
                self._address(read_only),
                uri=True,
                timeout=_BUSY,
                isolation_level=None,
                check_same_thread=False,
            )
            try:
                self._prepare(read_only)
            except BaseException:
                self._connection.close()
                raise

    def close(self) -> None:
        """Leave one complete file behind if nobody else reads or writes it."""
        with self._one_at_a_time, suppress(sqlite3.Error):
            self._connection.close()

    def rows(self, question: str, *values: Any) -> list[Any]:
        """The rows that answer a question."""
        with self._one_at_a_time, self._faults(reading=True):
            return self._connection.execute(question, values).fetchall()

    @contextmanager
    def writing(self) -> Iterator[sqlite3.Connection]:
        """All that is written inside, or nothing; on the disk on leaving the outermost of them."""
        with self._one_at_a_time, self._faults(reading=False):
            if self._connection.in_transaction:
                yield self._connection
                return
            self._connection.execute("BEGIN IMMEDIATE")
            try:
                yield self._connection
                self._require_same_file()
                self._connection.execute("COMMIT")
            except BaseException:
                with suppress(sqlite3.Error):
                    self._connection.execute("ROLLBACK")
                raise

    def _require_same_file(self) -> None:
        """What is written to a file that was removed or replaced is lost with it."""
        if self._identity and self._identity != _identity(self.name):
            raise OutputError(
                f"{self.name} was moved, removed or replaced while it was written to; nothing was"
                " saved; put it back and start again"
            )

    # -- opening

    def _require_place(self, read_only: bool) -> None:
        path = Path(self.name)
        if path.is_dir():
            raise self._fault("a folder", "a log of judgements", "check the path")
        if read_only and not path.exists():
            raise InputError(Fault(self.name, None, "log of judgements not found", "", _START))
        if not path.parent.is_dir():
            reason = f"folder not found: {path.parent}; create it first"
            raise InputError(Fault(self.name, None, reason, "", "or name another place"))

    def _address(self, read_only: bool) -> str:
        """A reader may put back into the file what a killed writer left beside it."""
        path = Path(self.name).absolute()
        if not read_only:
            mode = "mode=rwc"
        elif os.access(path, os.W_OK) and os.access(path.parent, os.W_OK):
            mode = "mode=rw"
        else:
            mode = "mode=ro" if Path(f"{path}-wal").exists() else "mode=ro&immutable=1"
        return f"{path.as_uri()}?{mode}"

    def _prepare(self, read_only: bool) -> None:
        tables = self._value("SELECT count(*) FROM sqlite_master")
        application = self._value("PRAGMA application_id")
        if application != _APPLICATION:
            if tables or application or read_only:
                found = "an SQLite file of another program" if tables else "an empty file"
                raise self._fault(found, "a log of judgements", "check the path")
            self._create()
        found = self._value("PRAGMA user_version")
        if found != FORMAT:
            remedy = "read it with the spanwise that wrote it, or a later one"
            raise self._fault(f"a log of format {found}", f"format {FORMAT}", remedy)
        self._require_undamaged()
        if read_only:
            self._connection.execute("PRAGMA query_only = on")
        else:
            self._connection.execute("PRAGMA synchronous = full")
            # Every moment but the last few is in the file itself, should what is beside it be lost.
            self._connection.execute(f"PRAGMA wal_autocheckpoint = {_PAGES}")
            self._identity = _identity(self.name)
            # A copy may lack the table of judgements, which is made anew from the operations.
            self._make_tables()

    def _create(self) -> None:
        # Two processes may do this at the same time: the second finds it done.
        self._connection.execute("PRAGMA journal_mode = wal")
        self._connection.execute("PRAGMA synchronous = full")
        with self.writing() as connection:
            self._make_tables()
            connection.execute("INSERT OR IGNORE INTO meta VALUES ('spanwise', ?)", (__version__,))
            connection.execute(f"PRAGMA user_version = {FORMAT}")
            connection.execute(f"PRAGMA application_id = {_APPLICATION}")

    def _make_tables(self) -> None:
        """All that are not there."""
        with self.writing() as connection:
            for statement in _statements(_SCHEMA + _TRIGGERS):
                connection.execute(statement)

    def _require_undamaged(self) -> None:
        # A quick check leaves out whether indexes say what their tables do.
        problem = self._value("PRAGMA integrity_check(1)")
        if problem != "ok":
            raise self.damaged(str(problem).splitlines()[-1])

    def _value(self, question: str) -> Any:
        return self._connection.execute(question).fetchone()[0]

    # -- refusals

    @contextmanager
    def _faults(self, reading: bool) -> Iterator[None]:
        try:
            yield
        except sqlite3.OperationalError as problem:
            if _is_locked(problem):
                remedy = "end the other program, or try again"
                raise self._fault("a log that another program has locked", "", remedy) from None
            if reading and not _is_damage(problem):
                raise self._fault(str(problem), "", "try again, or check its permissions") from None
            raise self._refused(problem) from None
        except sqlite3.DatabaseError as problem:
            raise self._refused(problem) from None

    def _refused(self, problem: sqlite3.DatabaseError) -> Exception:
        if getattr(problem, "sqlite_errorcode", 0) == sqlite3.SQLITE_NOTADB:
            return self._fault("a file of another kind", "a log of judgements", "check the path")
        if _is_damage(problem):
            return self.damaged(str(problem))
        return refused(self.name, str(problem))

    def damaged(self, problem: str) -> InputError:
        """What to say about a log whose contents cannot be right."""
        return self._fault(f"a damaged log of judgements ({problem})", "a complete one", _DAMAGED)

    def _fault(self, found: str, expected: str, remedy: str) -> InputError:
        return InputError(Fault(self.name, None, found, expected, remedy))


def _identity(name: str) -> tuple[int, int] | None:
    """What makes a name this file and no other; None if there is none."""
    try:
        about = Path(name).stat()
    except OSError:
        return None
    return about.st_dev, about.st_ino


def _is_damage(problem: sqlite3.Error) -> bool:
    return getattr(problem, "sqlite_errorcode", 0) & 0xFF == sqlite3.SQLITE_CORRUPT


def _is_locked(problem: sqlite3.Error) -> bool:
    code = getattr(problem, "sqlite_errorcode", 0) & 0xFF
    return code in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)


def _statements(script: str) -> Sequence[str]:
    """The statements of a script, each by itself: together they would end a transaction."""
    found, rest = [], ""
    for line in script.splitlines():
        rest += f"{line}\n"
        if sqlite3.complete_statement(rest):
            found.append(rest)
            rest = ""
    return found
