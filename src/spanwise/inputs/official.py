"""Evaluation by the rules of official tools: what ``compat`` chooses instead of alignment."""

from __future__ import annotations

from collections.abc import Sequence

from spanwise.compat.inex_eval.evaluator import OfficialEvaluation
from spanwise.compat.inex_eval.files import read_official_assessments, read_official_runs
from spanwise.data.notes import Faults, Note
from spanwise.evaluation.scores import RunScores
from spanwise.formats.source import Source
from spanwise.inputs.runs import refuse_unknown_topics
from spanwise.inputs.scoring import named_after
from spanwise.inputs.settings import Settings
from spanwise.measures.grammar import Asked
from spanwise.records import replace


def official_evaluation(
    assessments: Source, measures: tuple[Asked, ...], settings: Settings, faults: Faults
) -> OfficialEvaluation:
    """What the runs are scored with, by the rules of the INEX 2010 evaluator."""
    judged = read_official_assessments(assessments, faults)
    if settings.topics is not None:
        refuse_unknown_topics(settings.topics, tuple(judged.topics))
        judged = judged.only(settings.topics)
    return OfficialEvaluation(
        judged, measures, settings.overlap or "error", settings.missing or "skip"
    )


def official_scores(
    evaluation: OfficialEvaluation, runs: Sequence[Source], settings: Settings
) -> list[RunScores]:
    """The scores of INEX FOL runs."""
    return [run for source in runs for run in _scored(evaluation, source, settings)]


def _scored(evaluation: OfficialEvaluation, source: Source, settings: Settings) -> list[RunScores]:
    faults = Faults(source.name, lenient=settings.lenient)
    runs = read_official_runs(source, faults)
    scored = [_marked(evaluation.score(run), faults) for run in runs]
    if settings.run_name == "tag":
        return scored
    return [replace(run, run=named_after(source.stem, run.run, len(runs))) for run in scored]


def _marked(run: RunScores, faults: Faults) -> RunScores:
    if not faults.counts:
        return run
    detail = f"{faults.file} ({faults.by_rule()})"
    note = Note("dropped", faults.counts.total(), detail=detail)
    return replace(run, lenient=True, notes=(*run.notes, note))
