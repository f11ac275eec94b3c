"""Chroma's questions by number, ``q000`` ...; never recognised, as the files are the same."""

from __future__ import annotations

from functools import partial

from spanwise.formats.builtin.tables import chroma
from spanwise.formats.registry import Format

FORMAT = Format(
    name="chroma-numbered",
    assessments_title=f"{chroma.TITLE} by number",
    read_assessments=partial(chroma.read_assessments, numbered=True),
)
