"""What an assessor does to a judgement, step by step.

A judgement is never stored by itself. It is what its operations make of an empty one, in their
order; ``applied`` takes one of them further. The script of the page has the same rules: what both
make of the same operations is equal.
"""

from __future__ import annotations

from collections.abc import Collection

import msgspec

from spanwise.assessing.judgement import Judgement, Passage, Refused
from spanwise.errors import legible, shown
from spanwise.records import Struct, replace

HIGHEST_GRADE = 2**53 - 1
"""Browsers keep larger whole numbers as others."""


class Scale(Struct, frozen=True):
    """The grades and aspects that a highlight may have; one of the grades if there are any."""

    grades: tuple[int, ...] = ()
    aspects: tuple[str, ...] = ()
    is_open: bool = False
    """Any grades and aspects will do."""


ANY_SCALE = Scale(is_open=True)
"""For judgements that were made elsewhere, under a scale that is not known here."""


class Operation(Struct, frozen=True, tag_field="kind", forbid_unknown_fields=True):
    """What an assessor did."""

    def applied_to(self, judgement: Judgement) -> Judgement:
        """The judgement afterwards."""
        return judgement

    def problem(self, length: int, scale: Scale) -> str:
        """What is wrong with it in a document of this length, or nothing."""
        return ""


class _OnRange(Operation, frozen=True, omit_defaults=True):
    start: int
    end: int

    def problem(self, length: int, scale: Scale) -> str:
        if 0 <= self.start < self.end <= length:
            return ""
        return f"range [{self.start}, {self.end}) is not inside the document of {length} characters"


class Highlight(_OnRange, frozen=True, omit_defaults=True, tag="highlight"):
    """A range is relevant; with a scale, with this grade and for these aspects."""

    grade: int | None = None
    aspects: tuple[str, ...] = ()

    def applied_to(self, judgement: Judgement) -> Judgement:
        aspects = tuple(sorted(set(self.aspects)))
        return judgement.highlighted(Passage(self.start, self.end, self.grade, aspects))

    def problem(self, length: int, scale: Scale) -> str:
        wrong = super().problem(length, scale)
        if not wrong and self.grade is not None and not 0 <= self.grade <= HIGHEST_GRADE:
            return f"grade {shown(self.grade)} is not from 0 to 2^53 - 1"
        broken = (each for each in self.aspects if legible(each) != each)
        wrong = wrong or next((f"aspect {shown(each)} is not text" for each in broken), "")
        return wrong or ("" if scale.is_open else self._wrong_label(scale))

    def _wrong_label(self, scale: Scale) -> str:
        grades: Collection[int | None] = scale.grades or (None,)
        if self.grade not in grades:
            return _not_among("grade", self.grade, scale.grades)
        wrong = (each for each in self.aspects if each not in scale.aspects)
        return next((_not_among("aspect", each, scale.aspects) for each in wrong), "")


class Remove(_OnRange, frozen=True, tag="remove"):
    """A range is no longer highlighted."""

    def applied_to(self, judgement: Judgement) -> Judgement:
        return judgement.cut(self.start, self.end)


class Entry(Operation, frozen=True, tag="entry"):
    """The best entry point, or that there is none."""

    at: int | None

    def applied_to(self, judgement: Judgement) -> Judgement:
        return replace(judgement, entry=self.at)

    def problem(self, length: int, scale: Scale) -> str:
        if self.at is None or 0 <= self.at < length:
            return ""
        return f"entry point {self.at} is not inside the document of {length} characters"


class NotRelevant(Operation, frozen=True, tag="not relevant"):
    """Nothing of the document is relevant."""

    def applied_to(self, judgement: Judgement) -> Judgement:
        return Judgement(status="not relevant")


class Done(Operation, frozen=True, tag="done"):
    """Everything relevant is highlighted."""

    def applied_to(self, judgement: Judgement) -> Judgement:
        return judgement.finished()


class Reopen(Operation, frozen=True, tag="reopen"):
    """The assessor goes on with it."""

    def applied_to(self, judgement: Judgement) -> Judgement:
        return replace(judgement, status="open")


class Undo(Operation, frozen=True, tag="undo"):
    """Back to the state before the last change."""


class Redo(Operation, frozen=True, tag="redo"):
    """Back to the state before the last undo."""


class Opened(Operation, frozen=True, tag="opened"):
    """The document came into view."""


class Left(Operation, frozen=True, tag="left"):
    """The document went out of view."""


class Reanchor(Operation, frozen=True, tag="reanchor"):
    """The document has changed: its passages at their new places. Earlier states are out of reach.

    Made by spanwise alone, never by a page.
    """

    state: Judgement


AnyOperation = (
    Highlight | Remove | Entry | NotRelevant | Done | Reopen | Undo | Redo | Opened | Left
)
"""What an assessor can do."""
_LOGGED: msgspec.json.Decoder[Operation] = msgspec.json.Decoder(AnyOperation | Reanchor)


def operation_of(given: object) -> Operation:
    """What an assessor did, from JSON; refused if that is none of the operations.

    >>> operation_of({"kind": "highlight", "start": 3, "end": 9})
    Highlight(start=3, end=9, grade=None, aspects=())
    """
    try:
        operation: Operation = msgspec.convert(given, AnyOperation)
    except (msgspec.ValidationError, RecursionError) as problem:
        raise Refused(f"the operation {shown(given)} cannot be read: {problem}") from None
    return operation


def logged_operation(given: str | bytes) -> Operation:
    """An operation as the log has it, those of spanwise itself among them."""
    operation: Operation = _LOGGED.decode(given)
    return operation


def is_counted(operation: Operation) -> bool:
    """Whether an operation is one of those that the version of a judgement counts."""
    return not isinstance(operation, (Opened, Left))


def _not_among(what: str, value: object, possible: Collection[object]) -> str:
    if not possible:
        return f"{what} {shown(value)}, but there is no scale of {what}s"
    return f"{what} {shown(value)} is none of {', '.join(map(str, possible))}"


def require_possible(operation: Operation, length: int, scale: Scale) -> None:
    """Refuse an operation that a document of this length, or the scale, does not allow."""
    problem = operation.problem(length, scale)
    if problem:
        raise Refused(f"{problem}; reload the page")


# -- the history of a judgement


class History(Struct, frozen=True):
    """A judgement with the states that undo and redo lead to, the nearest last."""

    judgement: Judgement = Judgement()
    before: tuple[Judgement, ...] = ()
    undone: tuple[Judgement, ...] = ()


def applied(history: History, operation: Operation) -> History:
    """The history after one more operation; one that changes nothing leaves it as it is.

    >>> history = applied(History(), Highlight(0, 5))
    >>> applied(history, Undo()).judgement
    Judgement(passages=(), entry=None, status='open')
    """
    now, before, undone = history.judgement, history.before, history.undone
    match operation:
        case Undo() if before:
            return History(before[-1], before[:-1], (*undone, now))
        case Redo() if undone:
            return History(undone[-1], (*before, now), undone[:-1])
        case Reanchor():
            return History(operation.state)
    changed = operation.applied_to(now)
    return history if changed == now else History(changed, (*before, now))
