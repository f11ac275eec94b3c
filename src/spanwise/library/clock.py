"""The time of a run, which the environment can fix: the same inputs then give the same bytes."""

from __future__ import annotations

import os
from datetime import UTC, date, datetime

from spanwise.errors import SpanwiseError, shown


def now() -> datetime:
    """The time that ``SOURCE_DATE_EPOCH`` gives, as builds set it, or that of the clock."""
    told = os.environ.get("SOURCE_DATE_EPOCH", "")
    return datetime.fromtimestamp(int(told), UTC) if told.isdecimal() else datetime.now(UTC)


def date_of(given: str | None) -> str:
    """The date that was given, or that of now.

    >>> date_of("2026-11-16")
    '2026-11-16'
    """
    if given is None:
        return now().date().isoformat()
    try:
        return date.fromisoformat(given).isoformat()
    except (TypeError, ValueError):
        raise SpanwiseError(f"date must be a day such as 2026-11-16, got {shown(given)}") from None
