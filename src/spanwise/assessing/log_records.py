"""What the log says: events, judgements, documents; and the words that it refuses with."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any, NamedTuple

from spanwise.assessing.judgement import Judgement, Refused, Status, as_json
from spanwise.assessing.operations import History, Operation, operation_of
from spanwise.errors import SpanwiseError, shown
from spanwise.records import Struct

_ID = re.compile("[!-~]{1,100}")


class ChangedDocument(SpanwiseError):
    """A document is no longer what was judged."""


class Held(Struct, frozen=True):
    """What the log holds about one judgement."""

    version: int = 0
    """How many operations made it what it is."""
    judgement: Judgement = Judgement()
    can_undo: bool = False
    can_redo: bool = False

    @classmethod
    def of(cls, version: int, history: History) -> Held:
        """A judgement with what can be undone and redone."""
        return cls(version, history.judgement, bool(history.before), bool(history.undone))

    def as_json(self) -> dict[str, Any]:
        """What the server answers."""
        state = as_json(self.judgement)
        undo, redo = self.can_undo, self.can_redo
        return {"version": self.version, "state": state, "can_undo": undo, "can_redo": redo}


class Conflict(SpanwiseError):
    """A judgement was changed elsewhere since it was read; nothing was written."""

    def __init__(self, held: Held) -> None:
        super().__init__("this judgement was changed elsewhere; reload the page to see it")
        self.held = held

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.held,)


class Key(NamedTuple):
    """What makes a judgement one."""

    assessor: str
    topic: str
    document: str


class Event(NamedTuple):
    """One operation as it was logged."""

    sequence: int
    assessor: str
    topic: str
    document: str
    version: int
    id: str
    operation: Operation
    at: str

    @property
    def key(self) -> Key:
        """The judgement that it is about."""
        return Key(self.assessor, self.topic, self.document)


class Progress(NamedTuple):
    """How far one judgement is."""

    status: Status
    version: int
    passages: int


class JudgedDocument(NamedTuple):
    """A document as it was when its passages were highlighted."""

    sha256: str
    length: int


def utc(at: object) -> str:
    """A moment in UTC, to the millisecond; refused if it is none.

    >>> utc("2024-05-01T14:00:00.1234+02:00")
    '2024-05-01T12:00:00.123Z'
    """
    try:
        moment = datetime.fromisoformat(at) if isinstance(at, str) else None
        moment = None if moment is None or moment.tzinfo is None else moment.astimezone(UTC)
    except (ValueError, OverflowError):
        moment = None
    if moment is None:
        raise Refused(f"{shown(at)} is not a moment such as 2024-05-01T12:00:00Z")
    text = moment.isoformat(timespec="milliseconds")
    return text.replace("+00:00", "Z")


def identified(given: Mapping[str, Any]) -> tuple[str, Operation]:
    """The id of an operation, from JSON, and the operation itself."""
    name = given.get("id") if isinstance(given, Mapping) else None
    if not isinstance(name, str) or not _ID.fullmatch(name):
        raise Refused(
            f"the id of an operation must be 1 to 100 ASCII characters, got {shown(name)}"
        )
    return name, operation_of({field: value for field, value in given.items() if field != "id"})
