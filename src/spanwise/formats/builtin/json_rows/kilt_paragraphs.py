"""KILT with paragraphs as documents; never recognised, as the files are the same."""

from __future__ import annotations

from functools import partial

from spanwise.formats.builtin.json_rows import kilt
from spanwise.formats.registry import Format

FORMAT = Format(
    name="kilt-paragraphs",
    run_title=f"{kilt.RUN_TITLE} of paragraphs",
    assessments_title=f"{kilt.ASSESSMENTS_TITLE} of paragraphs",
    read_run=partial(kilt.read_run, paragraphs=True),
    read_assessments=partial(kilt.read_assessments, paragraphs=True),
    tagged=False,
    one_run=True,
)
