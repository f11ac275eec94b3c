"""The Python face: every command of the command line as a function."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Unpack

from spanwise.data.assessments import Assessments
from spanwise.data.faults import Faults
from spanwise.data.notes import Note
from spanwise.data.run import Run
from spanwise.errors import SpanwiseError, option
from spanwise.evaluation.evaluate import Evaluation
from spanwise.evaluation.notes import Notes
from spanwise.formats.limits import chosen, spending
from spanwise.formats.reading import PathLike
from spanwise.formats.reading import read_assessments as read_assessments_file
from spanwise.formats.reading import read_run as read_run_file
from spanwise.formats.source import Source
from spanwise.inputs.files import given_inputs
from spanwise.inputs.runs import AssessmentsInput, MeasuresInput, RunInput, RunsInput, runs_in
from spanwise.inputs.session import Progress, Session
from spanwise.inputs.settings import CollectionInput, Settings, SettingsKeywords, setting_names
from spanwise.reporting.scores import ScoresResult
from spanwise.validation import refuse_unknown

if TYPE_CHECKING:
    from spanwise.formats.marks import Role
    from spanwise.reporting.check import CheckResult
    from spanwise.reporting.explanation import ExplanationResult
    from spanwise.text.units import Unit

__all__ = [
    "Evaluator",
    "ScoresResult",
    "check",
    "convert",
    "evaluate",
    "explain",
    "read_assessments",
    "read_run",
]

DEFAULT_MEASURE = "AgP"


# -- reading


def read_assessments(
    path: PathLike, format: str | None = None, *, lenient: bool = False, limits: bool = True
) -> Assessments:
    """Assessments from a file or a folder of files; the format is recognised if not named."""
    with spending(chosen(limits=limits)):
        return read_assessments_file(path, format, faults=Faults(str(path), lenient=lenient))


def read_run(
    path: PathLike, format: str | None = None, *, lenient: bool = False, limits: bool = True
) -> list[Run]:
    """The runs of a file; the format is recognised if not named."""
    with spending(chosen(limits=limits)):
        return read_run_file(path, format, lenient=lenient)


def _settings(given: SettingsKeywords, *others: str) -> Settings:
    """Checked settings; a misspelled keyword is refused with the nearest one of the function."""
    refuse_unknown(given, (*setting_names(), *others))
    return Settings(**given)


# -- evaluate


def evaluate(
    assessments: AssessmentsInput,
    runs: RunsInput,
    measures: MeasuresInput = DEFAULT_MEASURE,
    *,
    progress: Progress | None = None,
    **settings: Unpack[SettingsKeywords],
) -> ScoresResult:
    """Score runs against assessments.

    ``assessments`` and each run are a path, an object of this library, a dictionary, a list of
    records or a frame; several runs are a list, or a dictionary from name to run. ``measures`` are
    names, nicknames or values. Settings are those of :class:`Settings`.

    >>> scores = evaluate({"q1": {"d7": [(100, 250)]}}, {"q1": {"d7": [(100, 200)]}}, ["textR"])
    >>> scores.mean("textR")
    0.6666666666666666
    """
    found = _settings(settings, "measures", "progress")
    with spending(chosen(limits=found.limits)):
        session = Session(found, progress)
        scores = session.evaluate(assessments, runs, measures)
    given = given_inputs(assessments, [run for _, run in runs_in(runs, ())], found)
    return ScoresResult(scores.measures, scores.runs, scores.notes, found, given)


class Evaluator:
    """Assessments and measures that are prepared once, for many runs.

    >>> evaluator = Evaluator({"q1": {"d7": [(100, 250)]}}, ["textR"])
    >>> evaluator.score({"q1": {"d7": [(100, 200)]}}).mean("textR")
    0.6666666666666666
    """

    def __init__(
        self,
        assessments: AssessmentsInput,
        measures: MeasuresInput = DEFAULT_MEASURE,
        **settings: Unpack[SettingsKeywords],
    ) -> None:
        self.settings = _settings(settings, "measures")
        self._assessments = assessments
        with spending(chosen(limits=self.settings.limits)):
            self._session = Session(self.settings)
            wanted = self._session.measures(measures)
            self._evaluation: Evaluation = self._session.evaluation(assessments, wanted)
        # A part of a run may well share no document with the assessments.
        self._evaluation.strangers = "note"

    def score(self, run: RunsInput) -> ScoresResult:
        """Score one run, or several."""
        with spending(chosen(limits=self.settings.limits)):
            scores = self._session.score(self._evaluation, run)
        given = given_inputs(self._assessments, [one for _, one in runs_in(run, ())], self.settings)
        return ScoresResult(scores.measures, scores.runs, scores.notes, self.settings, given)

    def __repr__(self) -> str:
        names = ", ".join(asked.label for asked in self._evaluation.measures)
        judged = self._evaluation.assessments
        return f"Evaluator({len(judged.topics_with_relevant):,} topics; {names})"


# -- explain


def explain(
    assessments: AssessmentsInput,
    run: RunInput,
    topic: str,
    measures: MeasuresInput = DEFAULT_MEASURE,
    *,
    document: str | None = None,
    everything: bool = False,
    **settings: Unpack[SettingsKeywords],
) -> ExplanationResult:
    """How measures came to their values for one topic: rank by rank, answer by answer.

    With a document, only what is about it is shown, and what happens inside it.

    >>> found = explain({"q1": {"d7": [(0, 9)]}}, {"q1": [("d7", 0, 5, 1.0)]}, "q1", "textR@5")
    >>> found.explanations[0].value
    0.5555555555555556
    """
    from spanwise.evaluation.explain import explain as explained
    from spanwise.evaluation.explain import require_topic
    from spanwise.reporting.explanation import ExplanationResult

    chosen_settings = _settings(settings, "measures", "document", "everything")
    if chosen_settings.compat is not None:
        raise SpanwiseError(f"explain follows the default rules: leave out {option('compat')}")
    with spending(chosen(limits=chosen_settings.limits)):
        session = Session(chosen_settings)
        evaluation = session.evaluation(assessments, session.measures(measures))
        runs, answered = session.runs_of_topic(run, topic)
        require_topic(evaluation, topic, answered)
        found = []
        notes = [*session.notes, *evaluation.notes]
        for one in runs:
            own = Notes()
            found += explained(evaluation, one, topic, document, own)
            about = (one.name,) if len(runs) > 1 else ()
            notes += [replace(note, runs=about) for note in own.values()]
    return ExplanationResult(tuple(found), tuple(notes), everything)


# -- check


def check(
    *files: PathLike,
    role: Role | None = None,
    assessments: PathLike | None = None,
    task: str | None = None,
    results: int | None = None,
    characters: int | None = None,
    collection: CollectionInput | None = None,
    elements: PathLike | None = None,
    chunks: PathLike | Sequence[PathLike] | None = None,
    unit: Unit = "codepoint",
    run_format: str | None = None,
    assessments_format: str | None = None,
    limits: bool = True,
    most: int = 1000,
    quiet: bool = False,
) -> CheckResult:
    """Validate runs and assessments: every fault, and what else is worth a look.

    Runs may be compared with ``assessments`` (unknown topics, unjudged documents, lengths) and with
    the rules of an INEX ``task``, of which ``results`` and ``characters`` are limits.
    """
    from spanwise.evaluation.tasks import RESULTS, TASKS, Limits
    from spanwise.inputs.checking import CheckedFile, Checker, files_in
    from spanwise.reporting.check import CheckResult
    from spanwise.validation import require_one_of

    for name, value in (("results", results), ("characters", characters)):
        if value is not None and task is None:
            raise SpanwiseError(f"{option(name)} is a limit of a task: give {option('task')}, too")
    if task is not None:
        require_one_of("task", task, tuple(TASKS))
    settings = Settings(
        lenient=True,
        collection=collection,
        elements=elements,
        chunks=chunks,
        unit=unit,
        run_format=run_format,
        assessments_format=assessments_format,
        limits=limits,
    )
    names = [os.fspath(file) for file in files]
    judged = None if assessments is None else os.fspath(assessments)
    with spending(chosen(limits=limits)):
        checker = Checker(
            settings,
            role=role,
            assessments=judged,
            task=task,
            limits=Limits(results or RESULTS, characters),
        )
        found = [checker.check(file) for file in files_in(names)]
        checker.finish()
    if checker.given is not None and judged not in names:
        found.insert(0, CheckedFile(checker.given))
    return CheckResult(tuple(found), most, quiet)


# -- convert


def convert(
    given: PathLike | Source,
    out: PathLike,
    *,
    from_format: str | None = None,
    to_format: str | None = None,
    role: Role | None = None,
    ideal: str | None = None,
    collection: CollectionInput | None = None,
    elements: PathLike | None = None,
    chunks: PathLike | Sequence[PathLike] | None = None,
    unit: Unit = "codepoint",
    lenient: bool = False,
    limits: bool = True,
) -> tuple[Note, ...]:
    """Write a run, assessments or topics in another format; the notes say what got lost.

    The ending of ``out`` tells the format unless ``to_format`` names it. ``ideal`` writes the run
    that gains most by the given assessments, such as ``"passages"``.
    """
    from spanwise.formats.convert import Target
    from spanwise.formats.outputs import Outputs
    from spanwise.inputs.converting import Conversion, converted

    name = given.name if isinstance(given, Source) else os.fspath(given)
    destination = Outputs([name]).file(out)
    content, notes = converted(
        given,
        Target.of(os.fspath(out), to_format),
        Conversion(from_format, role, ideal),
        Settings(
            collection=collection,
            elements=elements,
            chunks=chunks,
            unit=unit,
            lenient=lenient,
            limits=limits,
        ),
    )
    destination.write(content)
    return notes
