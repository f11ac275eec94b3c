"""Runs in frames of Spark and Dask, scored where they are."""

from __future__ import annotations

from typing import Any, Unpack

from spanwise.errors import SpanwiseError, option
from spanwise.formats.budget import chosen, spending
from spanwise.inputs.runs import AssessmentsInput, MeasuresInput
from spanwise.inputs.session import Session
from spanwise.inputs.settings import Settings, SettingsKeywords, given_inputs, setting_names
from spanwise.library.scoring import DEFAULT_MEASURE
from spanwise.records import refuse_unknown
from spanwise.reporting.scores import ScoresResult


def evaluate_frame(
    assessments: AssessmentsInput,
    frame: Any,
    measures: MeasuresInput = DEFAULT_MEASURE,
    **settings: Unpack[SettingsKeywords],
) -> ScoresResult:
    """Score the runs in a frame of Spark or Dask on its own workers.

    Columns are named as in any other frame: topic, document, start, end, score or rank, run. Rows
    of such frames have no order, so ties are ordered by document and range. The workers need
    spanwise with the extra ``spark`` or ``dask``; only scores of topics come back from them.
    """
    refuse_unknown(settings, (*setting_names(), "measures"))
    found = Settings(**settings)
    if found.compat is not None:
        raise SpanwiseError(
            f"{option('compat', found.compat)} works in one process: leave it out for frames"
        )
    from spanwise.engines.frames import FrameEngine

    with spending(chosen(limits=found.limits)):
        session = Session(found, engine=FrameEngine(frame))
        scores = session.evaluate(assessments, [frame], measures)
    given = given_inputs(assessments, [run for _, run in session.given], found)
    return ScoresResult(**vars(scores), settings=found, given=given)
