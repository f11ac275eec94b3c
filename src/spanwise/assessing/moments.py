"""How long assessors looked at documents, from when their operations were logged."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime

from spanwise.assessing.log import Event, Key
from spanwise.assessing.operations import Left
from spanwise.assessing.starting import STARTED

LONGEST = 300.0
"""Seconds after which an assessor who does nothing is taken to be elsewhere."""


def seconds_spent(events: Iterable[Event]) -> dict[Key, float]:
    """The seconds that each judgement took.

    After each operation an assessor goes on with the same document until the next one, wherever
    that is: for at most ``LONGEST`` seconds, and not at all after leaving the document. What began
    with existing assessments, and nobody opened, has no time.
    """
    spent: dict[Key, float] = {}
    last: dict[str, Event] = {}
    done = (event for event in events if not event.id.startswith(STARTED))
    for event in sorted(done, key=lambda each: (each.assessor, each.at, each.sequence)):
        before = last.get(event.assessor)
        spent.setdefault(event.key, 0.0)
        if before is not None and not isinstance(before.operation, Left):
            pause = _moment(event) - _moment(before)
            spent[before.key] += min(pause.total_seconds(), LONGEST)
        last[event.assessor] = event
    return spent


def _moment(event: Event) -> datetime:
    return datetime.fromisoformat(event.at)
