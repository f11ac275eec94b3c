"""The files of further assessors, and what to call all of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from spanwise.text.names import legible

if TYPE_CHECKING:
    from spanwise.data.assessments import Assessments
    from spanwise.inputs.session import Session


other_option = click.option(
    *("--other", "others"),
    multiple=True,
    metavar="FILE",
    help="The judgements of another assessor. Repeatable.",
)


def further_assessments(session: Session, files: Sequence[str]) -> list[Assessments]:
    """The judgements of each file, about the topics that were asked for."""
    from spanwise.cli.inputs import Inputs
    from spanwise.inputs.session import Session

    opened = [Inputs.opened(file, ()) for file in files]
    # An assessor who judged only some of the topics has not all that were asked for.
    settings = replace(session.settings, topics=None, collection=session.collection, elements=None)
    reading = Session(settings, notes=session.notes)
    judged = [reading.assessments(one.assessments) for one in opened]
    session.dropped |= reading.dropped
    chosen = session.settings.topics
    return judged if chosen is None else [one.only(set(chosen)) for one in judged]


def assessor_names(files: Sequence[str]) -> list[str]:
    """Those of their files, as short as they can be told apart.

    >>> assessor_names(["a/first.jsonl", "a/second.jsonl"])
    ['first', 'second']
    """
    stems = [legible(Path(file).stem) for file in files]
    return stems if len(set(stems)) == len(stems) else [legible(file) for file in files]
