"""The Python face: read and evaluate, from files or from objects."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from spanwise.data.assessments import Assessments
from spanwise.data.faults import Faults
from spanwise.data.run import Run
from spanwise.evaluation.scores import Scores
from spanwise.formats.budget import chosen, spending
from spanwise.formats.reading import PathLike
from spanwise.formats.reading import read_assessments as read_assessments_file
from spanwise.formats.reading import read_run as read_run_file
from spanwise.measures.base import ListScore
from spanwise.session import Progress, Session
from spanwise.settings import Settings, setting_names
from spanwise.validation import refuse_unknown


def read_assessments(
    path: PathLike, format: str | None = None, *, lenient: bool = False, limits: bool = True
) -> Assessments:
    """Assessments from a file or a folder of files; the format is recognised if not named."""
    name = str(path)
    with spending(chosen(limits=limits)):
        return read_assessments_file(path, format, faults=Faults(name, lenient=lenient))


def read_run(
    path: PathLike, format: str | None = None, *, lenient: bool = False, limits: bool = True
) -> list[Run]:
    """The runs of a file; the format is recognised if not named."""
    with spending(chosen(limits=limits)):
        return read_run_file(path, format, lenient=lenient)


def evaluate(
    assessments: Any,
    runs: Any,
    measures: Sequence[Any] | str | ListScore = ("AgP",),
    *,
    progress: Progress | None = None,
    **settings: Any,
) -> Scores:
    """Score runs against assessments.

    ``assessments`` and each run are a path, an object of this library, a dictionary, a list of
    records or a frame; several runs are a list, or a dictionary from name to run. ``measures`` are
    names, nicknames or values. Settings are those of :class:`Settings`.

    >>> scores = evaluate({"q1": {"d7": [(100, 250)]}}, {"q1": {"d7": [(100, 200)]}}, ["textR"])
    >>> scores.mean("textR")
    0.6666666666666666
    """
    refuse_unknown(settings, (*setting_names(), "measures", "progress"))
    chosen_settings = Settings(**settings)
    with spending(chosen(limits=chosen_settings.limits)):
        return Session(chosen_settings, progress).evaluate(assessments, runs, measures)
