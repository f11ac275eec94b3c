"""SQuAD with whole articles as documents; never recognised, as the files are the same."""

from __future__ import annotations

from functools import partial

from spanwise.formats.builtin.json_documents import squad
from spanwise.formats.registry import Format

FORMAT = Format(
    name="squad-joined",
    assessments_title=f"{squad.TITLE} about joined paragraphs",
    read_assessments=partial(squad.read_assessments, joined=True),
)
