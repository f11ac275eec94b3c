"""How long assessors looked at documents, from when their operations were logged."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime

from spanwise.assessing.log import Event, Key
from spanwise.assessing.operations import Left

LONGEST = 300.0
"""Seconds after which an assessor who does nothing is taken to be elsewhere."""


def seconds_spent(events: Iterable[Event]) -> dict[Key, float]:
    """The seconds that each judgement took.

    After each operation an assessor goes on with the same document until the next one, wherever
    that is: for at most ``LONGEST`` seconds, and not at all after leaving the document.
    """
    spent: dict[Key, float] = {}
    last: dict[str, Event] = {}
    for event in sorted(events, key=lambda each: (each.assessor, each.at, each.sequence)):
        before = last.get(event.assessor)
        spent.setdefault(event.key, 0.0)
        if before is not None and not isinstance(before.operation, Left):
            pause = _moment(event) - _moment(before)
            spent[before.key] += min(pause.total_seconds(), LONGEST)
        last[event.assessor] = event
    return spent


def _moment(event: Event) -> datetime:
    return datetime.fromisoformat(event.at)
