"""Functions that score: read, evaluate, explain; and the list of measures."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Unpack, cast

from spanwise.data.assessments import Assessments
from spanwise.data.notes import Faults
from spanwise.data.run import Run
from spanwise.errors import SpanwiseError, option
from spanwise.evaluation.evaluate import Evaluation
from spanwise.evaluation.policy import Notes
from spanwise.formats.budget import chosen, spending
from spanwise.formats.reading import PathLike
from spanwise.formats.reading import read_assessments as read_assessments_file
from spanwise.formats.reading import read_run as read_run_file
from spanwise.formats.run_folders import RunFolder, is_read_in
from spanwise.formats.topic_from import TopicFrom
from spanwise.formats.topics import read_topics as read_topics_file
from spanwise.inputs.runs import AssessmentsInput, MeasuresInput, RunInput, RunsInput, names_of
from spanwise.inputs.session import Engine, Progress, Session
from spanwise.inputs.settings import Settings, SettingsKeywords, given_inputs, setting_names
from spanwise.records import must_be, refuse_unknown, replace, require_truth
from spanwise.reporting.scores import ScoresResult

if TYPE_CHECKING:
    from spanwise.engines.checkpoints import Checkpoints
    from spanwise.engines.in_process import InProcess
    from spanwise.reporting.explanation import ExplanationResult
    from spanwise.reporting.measure_pages import MeasureList

DEFAULT_MEASURE = "AgP"


# -- reading


def read_assessments(
    path: PathLike,
    format: str | None = None,
    *,
    topic_from: str | None = None,
    lenient: bool = False,
    limits: bool = True,
) -> Assessments:
    """Assessments from a file or a folder of files; the format is recognised if not named.

    ``topic_from`` says where annotations have their topic: ``"label"`` (unless said otherwise),
    ``"field:NAME"`` or ``"constant:ID"``.
    """
    labels, faults = topic_from and TopicFrom.named(topic_from), Faults(str(path), lenient=lenient)
    with spending(chosen(limits=limits)):
        return read_assessments_file(path, format, faults=faults, topic_from=labels or None)


def read_run(
    path: PathLike, format: str | None = None, *, lenient: bool = False, limits: bool = True
) -> list[Run]:
    """The runs of a file; the format is recognised if not named."""
    with spending(chosen(limits=limits)):
        return read_run_file(path, format, lenient=lenient)


def read_topics(path: PathLike, *, limits: bool = True) -> dict[str, str]:
    """What each topic of a topics file asks: INEX topics, native JSONL, or two columns.

    Give it as ``topics`` to score these topics alone and to see their queries in results.
    """
    with spending(chosen(limits=limits)):
        return {topic.id: topic.query for topic in read_topics_file(Path(path))}


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
    bounds: bool = False,
    engine: str | None = None,
    memory: str | int | None = None,
    resume: PathLike | None = None,
    progress: Progress | None = None,
    **settings: Unpack[SettingsKeywords],
) -> ScoresResult:
    """Score runs against assessments.

    ``assessments`` and each run are a path, an object of this library, a dictionary, a list of
    records or a frame; several runs are a list, or a dictionary from name to run. ``measures`` are
    names, nicknames or values. Settings are those of :class:`Settings`. With ``bounds`` the result
    has in ``highest`` what the scores would be if all text of unjudged documents was relevant.
    ``engine`` is ``"dask"`` or ``"spark"``, or such a name with an address behind an equals sign:
    then workers read the runs, which are files or folders, with the same scores.

    A run may also be a folder of run files. ``memory``, such as ``"1GB"``, is the most that the
    process may take, however large run files are; the scores are the same. ``resume`` is a folder
    that keeps the results of finished run files, for a second start after an interruption.

    >>> scores = evaluate({"q1": {"d7": [(100, 250)]}}, {"q1": {"d7": [(100, 200)]}}, ["textR"])
    >>> scores.mean("textR")
    0.6666666666666666
    """
    asked = ("measures", "progress", "bounds", "engine", "memory", "resume")
    found = _settings(settings, *asked)
    require_truth("bounds", bounds)
    workers = None if engine is None else _workers(engine, found, memory=memory, resume=resume)
    if bounds:
        _refuse_beside_bounds(found)
    highest = None
    with spending(chosen(limits=found.limits)), ExitStack() as stack:
        kept = None
        if resume is not None:
            kept = _checkpoints(resume, assessments, runs, found, bounds=bounds)
        here = _in_process(runs, found, memory, kept) if engine is None else None
        session = Session(found, progress, here or workers)
        if here is not None:
            session.in_parts = here.assessed
            stack.callback(here.close)
        if bounds:
            scores, highest = session.bounds(assessments, runs, measures)
        else:
            scores = session.evaluate(assessments, runs, measures)
    given = given_inputs(assessments, [run for _, run in session.given], found)
    resumed = () if kept is None else kept.notes
    return ScoresResult(
        **vars(scores), settings=found, given=given, highest=highest, resumed=resumed
    )


def _checkpoints(
    folder: PathLike,
    assessments: AssessmentsInput,
    runs: RunsInput,
    settings: Settings,
    *,
    bounds: bool,
) -> Checkpoints:
    """The folder of results of finished run files."""
    from spanwise.engines.checkpoints import Checkpoints

    if not isinstance(folder, (str, os.PathLike)) or not os.fspath(folder):
        raise must_be("resume", "a folder", folder)
    for other, is_given in ((option("bounds", True), bounds), (option("compat"), settings.compat)):
        if is_given:
            raise SpanwiseError(f"{option('resume')} has no meaning with {other}: leave it out")
    for run in filter(_is_folder, _each(runs)):
        name = run.name if isinstance(run, RunFolder) else os.fspath(cast(PathLike, run))
        if is_read_in(Path(folder), Path(name)):
            raise SpanwiseError(
                f"{option('resume')}: {os.fspath(folder)} is in {name}, whose files are all read as"
                " parts of a run; name a folder elsewhere"
            )
    return Checkpoints(os.fspath(folder), settings, given_inputs(assessments, (), settings))


def _in_process(
    runs: RunsInput,
    settings: Settings,
    memory: str | int | None,
    checkpoints: Checkpoints | None,
) -> InProcess | None:
    """What reads files that may be larger than memory, and folders."""
    if memory is None and checkpoints is None and not any(map(_is_folder, _each(runs))):
        return None
    from spanwise.engines.in_process import InProcess
    from spanwise.engines.memory import bytes_in

    if settings.compat is not None:
        asked = "a folder as a run" if memory is None else option("memory")
        raise SpanwiseError(f"{asked} has no meaning with {option('compat', settings.compat)}")
    return InProcess(None if memory is None else bytes_in(memory), checkpoints)


def _each(runs: RunsInput) -> Iterable[object]:
    if isinstance(runs, Mapping):
        return runs.values()
    return runs if isinstance(runs, (list, tuple)) else [runs]


def _is_folder(run: object) -> bool:
    if isinstance(run, (str, os.PathLike)):
        return os.fspath(run) != "-" and Path(run).is_dir()
    return isinstance(run, RunFolder)


def _workers(name: str, settings: Settings, **of_this_process: object) -> Engine:
    """The engine of this name; what is about this process is refused beside it."""
    from spanwise.engines.choice import EngineChoice

    choice = EngineChoice.named(name)
    for other, given in of_this_process.items():
        if given is not None:
            raise SpanwiseError(
                f"{option(other)} is about one process: leave it out, or"
                f" {option('engine', choice.name)}"
            )
    choice.refuse(settings)
    return choice.engine()


def _refuse_beside_bounds(settings: Settings) -> None:
    """Bounds are those of unjudged documents under our own rules."""
    if settings.compat is not None or settings.unjudged == "drop":
        other = option("compat") if settings.compat else option("unjudged", settings.unjudged)
        raise SpanwiseError(
            f"{option('bounds', True)} asks what unjudged documents could add, which has no meaning"
            f" with {other}: leave out one of the two"
        )


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
        session = self._session.again()
        with spending(chosen(limits=self.settings.limits)):
            scores = session.score(self._evaluation, run)
        given = given_inputs(self._assessments, [one for _, one in session.given], self.settings)
        return ScoresResult(**vars(scores), settings=self.settings, given=given)

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

    With a document, only what is about it is shown, and what happens inside it. With a collection
    of texts, the relevant text and the first answers are shown as text.

    >>> found = explain({"q1": {"d7": [(0, 9)]}}, {"q1": [("d7", 0, 5, 1.0)]}, "q1", "textR@5")
    >>> found.explanations[0].value
    0.5555555555555556
    """
    from spanwise.evaluation.explain import explain as explained
    from spanwise.evaluation.explain import require_topic
    from spanwise.reporting.explanation import ExplanationResult
    from spanwise.reporting.topic_texts import explained_list

    chosen_settings = _settings(settings, "measures", "document", "everything")
    for name, value in (("topic", topic), ("document", document)):
        if not isinstance(value, (str, type(None))) or (name == "topic" and value is None):
            raise must_be(name, "a name", value)
    if chosen_settings.compat is not None:
        raise SpanwiseError(f"explain follows the default rules: leave out {option('compat')}")
    with spending(chosen(limits=chosen_settings.limits)):
        session = Session(chosen_settings)
        evaluation = session.evaluation(assessments, session.measures(measures))
        runs, answered = session.runs_of_topic(run, topic)
        require_topic(evaluation, topic, answered)
        found, lists = [], []
        notes = [*session.notes, *evaluation.notes]
        for one in runs:
            own = Notes()
            found += explained(evaluation, one, topic, document, own)
            about_list = explained_list(evaluation, one, topic, everything=everything)
            lists.append(about_list.about(document))
            about = (one.name,) if len(runs) > 1 else ()
            notes += [replace(note, runs=about) for note in own.values()]
    read = names_of(given_inputs(assessments, [run], chosen_settings), str(Path.cwd()))
    return ExplanationResult(tuple(found), tuple(notes), everything, tuple(read), tuple(lists))


# -- measures


def list_measures(name: str | None = None) -> MeasureList:
    """All measures, or those of a name: two where an item score and a list share it.

    >>> [entry.canonical for entry in list_measures("IoU")]
    ['IoU']
    """
    from spanwise.reporting.catalogue import entries, find
    from spanwise.reporting.measure_pages import MeasureList

    return MeasureList(tuple(entries() if name is None else find(name)))
