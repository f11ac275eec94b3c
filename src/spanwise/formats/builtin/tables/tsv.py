"""TSV: CSV with TAB between the cells, read by the same rules."""

from __future__ import annotations

from functools import partial

from spanwise.formats.builtin.tables import csv
from spanwise.formats.registry import Format


def _is_plain(text: str) -> bool:
    """Does a cell read back as it is without quotes?"""
    unambiguous = text == text.strip() and not text.startswith("#") and text.isprintable()
    return unambiguous and '"' not in text


_TABS = csv.Dialect("\t", _is_plain)

FORMAT = Format(
    name="tsv",
    run_title="TSV run with a header",
    assessments_title="TSV assessments with a header",
    endings=(".tsv",),
    recognises=partial(csv.recognises, tabs=True),
    fields=csv.fields,
    read_run=csv.read_run,
    write_run=partial(csv.write_run, dialect=_TABS),
    read_assessments=csv.read_assessments,
    write_assessments=partial(csv.write_assessments, dialect=_TABS),
)
