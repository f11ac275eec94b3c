"""A JSON object with the answers as ``rows``, as ``spanwise search -o json`` prints it."""

from __future__ import annotations

from collections.abc import Iterator

from spanwise.data.notes import Faults
from spanwise.data.run import Run
from spanwise.formats.beginning import Beginning
from spanwise.formats.json_items import Entry, JsonDocument, rows_of_entries
from spanwise.formats.registry import CERTAIN, NO, Format, Role, RunOptions
from spanwise.formats.row_meaning import runs_of
from spanwise.formats.source import Source
from spanwise.formats.vocabulary import recognised

ROWS = "rows"


def recognises(beginning: Beginning, role: Role) -> int:
    """Rows that name topics and documents, ranked."""
    held = recognised(beginning.outline.get(ROWS, ()), ("topic", "document", "rank", "score"))
    is_run = {"topic", "document"} <= held.keys() and len(held) > 2
    return CERTAIN if is_run and role == "run" else NO


def read_run(source: Source, faults: Faults, options: RunOptions) -> Iterator[Run]:
    """The rows as those of native JSON lines."""
    entries = [Entry(item.place, item.value) for item in JsonDocument(source, (ROWS,), faults)]
    runs = runs_of(rows_of_entries(entries, "run", faults), source.stem, options.chunks)
    faults.settle()
    yield from runs


FORMAT = Format(
    name="rows",
    run_title="JSON with rows",
    run_sign="JSON of spanwise search",
    recognises=recognises,
    read_run=read_run,
)
