"""The Python face: every command of the command line as a function."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Unpack

from spanwise.data.assessments import Assessments
from spanwise.data.faults import Faults
from spanwise.data.run import Run
from spanwise.evaluation.evaluate import Evaluation
from spanwise.formats.limits import chosen, spending
from spanwise.formats.reading import PathLike
from spanwise.formats.reading import read_assessments as read_assessments_file
from spanwise.formats.reading import read_run as read_run_file
from spanwise.inputs.files import given_inputs
from spanwise.inputs.runs import AssessmentsInput, MeasuresInput, RunsInput, runs_in
from spanwise.inputs.session import Progress, Session
from spanwise.inputs.settings import Settings, SettingsKeywords
from spanwise.reporting.output import Output
from spanwise.reporting.scores import ScoresResult
from spanwise.validation import whole_number

if TYPE_CHECKING:
    from spanwise.reporting.report import ReportResult
    from spanwise.statistics.procedure import Correction, Method, Tail, Test

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
    found = Settings(**settings)
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
        self.settings = Settings(**settings)
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


# -- report


def report(
    assessments: AssessmentsInput,
    runs: RunsInput,
    measures: MeasuresInput = DEFAULT_MEASURE,
    *,
    title: str | None = None,
    baseline: str | None = None,
    chapters: Sequence[Output] = (),
    strips: int = 500,
    test: Test = "randomisation",
    tail: Tail = "two",
    correction: Correction = "holm",
    resamples: int | None = None,
    seed: int = 1,
    method: Method = "shifted",
    progress: Progress | None = None,
    **settings: Unpack[SettingsKeywords],
) -> ReportResult:
    """One page about runs: verdict, scores, curves, tests, topics, documents.

    The first of the measures gives the verdict. ``chapters`` are outputs of the lab, shown after
    the runs; ``strips`` limits the documents that are shown. Further keywords choose the test, as
    in :class:`Procedure`, or are those of :class:`Settings`.

    >>> made = report({"q1": {"d7": [(100, 250)]}}, {"q1": {"d7": [(100, 200)]}}, ["textR"])
    >>> made.output().title
    '1 run on 1 topic'
    """
    from spanwise.reporting.report import ReportResult, report_of
    from spanwise.reporting.scored_runs import ScoredRuns
    from spanwise.statistics.procedure import Procedure

    most = whole_number("strips", strips, 0)
    procedure = Procedure(test, tail, correction, resamples, seed, method)
    found = Settings(**settings)
    with spending(chosen(limits=found.limits)):
        scored = ScoredRuns.of(Session(found, progress), assessments, runs, measures)
    made = report_of(
        scored,
        procedure,
        baseline=baseline,
        title=title,
        chapters=chapters,
        strips=most,
        settings=found.to_dict(),
    )
    given = given_inputs(assessments, [run for _, run in runs_in(runs, ())], found)
    return ReportResult(made, given)
