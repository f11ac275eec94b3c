"""A history of evaluations: a line of JSON for each run and measure, added to with every one.

It holds means only, the time and a label such as a commit, and the hash of the assessments, by
which entries that cannot be compared are told apart.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from datetime import UTC, datetime
from typing import Annotated

import msgspec

from spanwise.errors import Fault, InputError, option
from spanwise.formats.source import Source
from spanwise.inputs.runs import hashed
from spanwise.reporting.render.rows import dumped
from spanwise.reporting.scores import ScoresResult

LARGEST = 1e300
"""Numbers beyond this cannot be put on a scale."""
_EXPECTED = "an entry of a history"
_REMEDY = f"remove the line, or name another file for {option('append')}"
_TIME = "%Y-%m-%dT%H:%M:%SZ"


class Entry(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """The mean of a measure for a run, and when it was found."""

    time: str
    run: str
    measure: str
    canonical: str
    topics: Annotated[int, msgspec.Meta(ge=0)]
    value: Annotated[float, msgspec.Meta(ge=-LARGEST, le=LARGEST)]
    label: str = ""
    assessments: str = ""
    """The hash of the assessments; none where they were in memory."""
    lenient: bool = False

    @property
    def evaluation(self) -> tuple[str, str]:
        """What entries of one evaluation have in common."""
        return self.time, self.label


def entries_of(scores: ScoresResult, time: str, label: str = "") -> list[Entry]:
    """The entries of an evaluation, none for means that are undefined."""
    inputs = [one.sha256 for one in hashed(scores.given) if one.role == "assessments"]
    several = hashlib.sha256("\n".join(inputs).encode()).hexdigest() if len(inputs) > 1 else ""
    return [
        Entry(
            time=time,
            run=run.run,
            measure=asked.label,
            canonical=str(asked.measure),
            topics=len(scores.per_topic(asked.label, run.run)),
            value=mean,
            label=label,
            assessments=several or "".join(inputs),
            lenient=run.lenient,
        )
        for run in scores.runs
        for asked, mean in zip(scores.measures, run.means, strict=True)
        if mean is not None
    ]


def history_lines(entries: Iterable[Entry]) -> bytes:
    """Entries as lines of a file."""
    return "".join(f"{dumped(msgspec.to_builtins(entry))}\n" for entry in entries).encode()


def read_history(source: Source) -> list[Entry]:
    """The entries of a file; one that is damaged is refused with its line."""
    text, found = source.text(), list[Entry]()
    for number, line in source.numbered(text.split("\n")):
        try:
            entry = msgspec.json.decode(line, type=Entry)
            moment(entry.time)
        except (ValueError, RecursionError) as problem:  # msgspec's own errors are ValueErrors.
            fault = Fault(source.name, number, f"a fault ({problem})", _EXPECTED, _REMEDY)
            raise InputError(fault) from None
        found.append(entry)
    if text and not text.endswith("\n"):
        last = text.count("\n") + 1
        raise InputError(Fault(source.name, last, "half a line", "whole lines", _REMEDY))
    return found


def moment(time: str) -> datetime:
    """The time of an entry.

    >>> moment("2026-03-01T12:00:00Z").isoformat()
    '2026-03-01T12:00:00+00:00'
    """
    return datetime.strptime(time, _TIME).replace(tzinfo=UTC)


def written_time(time: datetime) -> str:
    """A time as entries have it."""
    return time.astimezone(UTC).strftime(_TIME)
