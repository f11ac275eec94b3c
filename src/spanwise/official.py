"""Evaluation as official tools do it: what ``--compat`` chooses instead of ``spanwise.session``."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from spanwise.compat.inex_eval.evaluator import OfficialEvaluation
from spanwise.compat.inex_eval.files import read_official_assessments, read_official_runs
from spanwise.compat.inex_eval.records import OfficialAssessments
from spanwise.data.faults import Faults
from spanwise.errors import SpanwiseError
from spanwise.evaluation.policy import Missing, Overlap
from spanwise.evaluation.scores import RunScores, Scores
from spanwise.formats.source import Source
from spanwise.run_inputs import named_after
from spanwise.session import (
    Session,
    refuse_same_names,
    refuse_unknown_topics,
)
from spanwise.settings import POSSIBLE, RunName, Settings, topic_names
from spanwise.validation import require_one_of, require_truth

FIXED: Mapping[str, tuple[Any, ...]] = {
    "order": (None, "file"),
    "unit": ("codepoint",),
    "collection": (None,),
    "elements": (None,),
    "results": (None,),
    "chunks": ((),),
    "assessments_format": (None, "fol"),
    "run_format": (None, "fol"),
}
"""What the official evaluator of INEX leaves no choice about."""


@dataclass(frozen=True, slots=True)
class OfficialSettings:
    """The choices that are left in ``--compat inex_eval``, with the defaults of that tool."""

    overlap: Overlap = "error"
    missing: Missing = "skip"
    lenient: bool = False
    topics: Collection[str] | None = None
    run_name: RunName = "tag"

    def __post_init__(self) -> None:
        for name in ("overlap", "missing", "run_name"):
            require_one_of(name, getattr(self, name), POSSIBLE[name])
        require_truth("lenient", self.lenient)
        object.__setattr__(self, "topics", topic_names(self.topics))

    @classmethod
    def of(cls, options: Mapping[str, Any], topics: Collection[str] | None) -> OfficialSettings:
        """The settings among a command's options; what has no meaning here is refused."""
        for name, possible in FIXED.items():
            if options[name] not in possible:
                option = f"--{name.replace('_', '-')}"
                raise SpanwiseError(
                    f"{option} {_shown(options[name])} has no meaning with --compat inex_eval:"
                    " leave it out"
                )
        return cls(
            options["overlap"] or cls().overlap,
            options["missing"] or cls().missing,
            options["lenient"],
            topics,
            options["run_name"],
        )


def _shown(value: Any) -> str:
    return " ".join(value) if isinstance(value, tuple) else str(value)


def evaluate_officially(
    assessments: Source, runs: Sequence[Source], measures: Any, settings: OfficialSettings
) -> Scores:
    """Score INEX FOL runs as the official INEX 2010 evaluator does."""
    session = Session(Settings())
    wanted = session.measures(measures)
    faults = Faults(assessments.name, lenient=settings.lenient)
    judged = _kept(read_official_assessments(assessments, faults), settings)
    session.note_dropped(faults)
    evaluation = OfficialEvaluation(judged, wanted, settings.overlap, settings.missing)
    scored = [run for source in runs for run in _score(evaluation, source, settings)]
    refuse_same_names(scored)
    marked = [replace(run, lenient=run.lenient or bool(faults.counts)) for run in scored]
    return Scores(evaluation.measures, tuple(marked), (*session.notes, *evaluation.notes))


def _kept(judged: OfficialAssessments, settings: OfficialSettings) -> OfficialAssessments:
    if settings.topics is None:
        return judged
    refuse_unknown_topics(settings.topics, tuple(judged.topics))
    return judged.only(settings.topics)


def _score(
    evaluation: OfficialEvaluation, source: Source, settings: OfficialSettings
) -> list[RunScores]:
    faults = Faults(source.name, lenient=settings.lenient)
    runs = read_official_runs(source, faults)
    scored = [evaluation.score(run) for run in runs]
    return [_named(_marked(run, faults), source, settings, len(runs)) for run in scored]


def _marked(run: RunScores, faults: Faults) -> RunScores:
    if not faults.counts:
        return run
    rules = ", ".join(f"{rule} {count}" for rule, count in sorted(faults.counts.items()))
    note = f"{faults.counts.total()} faulty lines of {faults.file} ({rules}): dropped (lenient)"
    return replace(run, lenient=True, notes=(*run.notes, note))


def _named(run: RunScores, source: Source, settings: OfficialSettings, several: int) -> RunScores:
    if settings.run_name == "tag":
        return run
    return replace(run, run=named_after(source.stem, run.run, several))
