"""Functions that compare runs: compare, gate, report."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Unpack, cast, overload

from spanwise.data.notes import Note
from spanwise.errors import SpanwiseError, option
from spanwise.evaluation.diagnosis import ThresholdKeywords, Thresholds, threshold_names
from spanwise.evaluation.scores import Scores
from spanwise.formats.budget import chosen, spending
from spanwise.formats.reading import PathLike
from spanwise.formats.source import Source
from spanwise.formats.topics import read_groups
from spanwise.inputs.runs import AssessmentsInput, MeasuresInput, RunInput, RunsInput, own_table
from spanwise.inputs.scoring import runs_in
from spanwise.inputs.session import Progress, Session
from spanwise.inputs.settings import Settings, SettingsKeywords, given_inputs, setting_names
from spanwise.library.clock import date_of
from spanwise.library.scoring import DEFAULT_MEASURE, evaluate
from spanwise.measures.grammar import asked
from spanwise.records import must_be, refuse_unknown, replace, require_truth, whole_number
from spanwise.reporting.comparison import ComparisonResult, GroupsInput
from spanwise.reporting.gate import GateResult
from spanwise.reporting.output import Output
from spanwise.reporting.saved_results import SavedResult, is_saved_result, read_result
from spanwise.statistics.gate_rules import Rule, measures_in, rules_of
from spanwise.statistics.gates import try_rules
from spanwise.statistics.pairing import compare_groups, compare_scores
from spanwise.statistics.procedure import Procedure, ProcedureKeywords, procedure_names
from spanwise.text.sentences import enumerated

if TYPE_CHECKING:
    from spanwise.reporting.report import ReportResult


class ComparisonKeywords(SettingsKeywords, ProcedureKeywords, total=False):
    """Settings of inputs and of tests as keywords of functions."""


class ReportKeywords(ComparisonKeywords, ThresholdKeywords, total=False):
    """Settings of inputs, of tests and of diagnoses as keywords of functions."""


@overload
def compare(
    scores: Scores,
    /,
    *,
    baseline: str | None = None,
    groups: GroupsInput | None = None,
    power: bool = False,
    **procedure: Unpack[ProcedureKeywords],
) -> ComparisonResult: ...


@overload
def compare(
    assessments: AssessmentsInput,
    runs: RunsInput,
    measures: MeasuresInput = DEFAULT_MEASURE,
    *,
    baseline: str | None = None,
    groups: GroupsInput | None = None,
    power: bool = False,
    progress: Progress | None = None,
    **keywords: Unpack[ComparisonKeywords],
) -> ComparisonResult: ...


def compare(
    assessments: AssessmentsInput | Scores,
    runs: RunsInput | None = None,
    measures: MeasuresInput | None = None,
    *,
    baseline: str | None = None,
    groups: GroupsInput | None = None,
    power: bool = False,
    progress: Progress | None = None,
    **keywords: Unpack[ComparisonKeywords],
) -> ComparisonResult:
    """Test whether runs differ significantly.

    Give assessments and runs as to :func:`evaluate`, or scores that it returned. ``baseline`` is
    the name of the run to compare the others with; without one, all are compared with all.
    ``groups`` adds results for groups of topics, ``power`` how many topics each difference needs.
    The keywords of the test are those of :class:`Procedure`, all others those of
    :class:`Settings`.

    >>> judged = {f"q{n}": {"d7": [(100, 250)]} for n in range(6)}
    >>> short = {topic: {"d7": [(100, 200)]} for topic in judged}
    >>> result = compare(judged, {"short": short, "long": judged}, "textR")
    >>> [(pair.a, pair.b, pair.p) for pair in result.comparisons[0].pairs]
    [('short', 'long', 0.03125)]
    """
    require_truth("power", power)
    if not isinstance(baseline, (str, type(None))):
        raise must_be("baseline", "the name of a run", baseline)
    procedure, settings = _separated(keywords)
    group_of = _groups_in(groups)
    if isinstance(assessments, Scores):
        _refuse_beside_scores({"runs": runs, "measures": measures, **settings})
        scores = assessments
    elif runs is None:
        raise SpanwiseError("there is no run to compare; give runs, or scores of evaluate()")
    else:
        asked = DEFAULT_MEASURE if measures is None else measures
        scores = evaluate(assessments, runs, asked, progress=progress, **settings)
    comparisons = compare_scores(scores, procedure, baseline=baseline)
    found = compare_groups(scores, group_of, procedure, baseline=baseline) if group_of else []
    if group_of and not found:
        name = "groups" if isinstance(groups, Mapping) else groups
        raise SpanwiseError(f"{name}: none of its topics is among those compared")
    return ComparisonResult(scores, tuple(comparisons), tuple(found), group_of, groups, power)


def _separated(keywords: ComparisonKeywords) -> tuple[Procedure, SettingsKeywords]:
    """What belongs to the test, and what belongs to the inputs."""
    known = procedure_names()
    refuse_unknown(keywords, (*setting_names(), *known))
    tests = {name: value for name, value in keywords.items() if name in known}
    others = {name: value for name, value in keywords.items() if name not in known}
    return Procedure(**cast(ProcedureKeywords, tests)), cast(SettingsKeywords, others)


def _refuse_beside_scores(given: Mapping[str, object]) -> None:
    """What says how scores come about has no meaning once they are there."""
    names = [name for name, value in given.items() if value is not None]
    if names:
        raise SpanwiseError(
            f"{enumerated(names)} cannot be given with scores, which are evaluated already; give"
            " assessments and runs instead, or leave out what is not about the test"
        )


def _groups_in(given: GroupsInput | None) -> dict[str, str]:
    if given is None:
        return {}
    if isinstance(given, (str, os.PathLike)):
        return read_groups(Source.at(given))
    if not isinstance(given, Mapping) or not given:
        raise must_be("groups", "{topic: group} or the path of a file", given)
    for group in given.values():
        if not isinstance(group, (str, int)) or isinstance(group, bool):
            raise must_be("each of the groups", "a name", group)
    return {str(topic): str(group) for topic, group in given.items()}


# -- gate


def gate(
    assessments: AssessmentsInput,
    run: RunInput,
    *,
    baseline: RunInput | Scores | None = None,
    fail_if: Sequence[str] | str = (),
    require: Sequence[str] | str = (),
    progress: Progress | None = None,
    **keywords: Unpack[ComparisonKeywords],
) -> GateResult:
    """Try a run against rules: has it fallen below a baseline or a threshold?

    ``fail_if`` are rules such as ``"AgP < -0.01"`` (worse than the baseline by more than 0.01; of
    the run's own mean without a baseline, or as ``"mean AgP < 0.4"``) and ``"AgP significantly
    worse"``. ``require`` are rules of the run's own mean, such as ``"AgP >= 0.4"``. A difference is
    how much better the run is: negative is worse for every measure. ``baseline`` is a run, a result
    of :func:`evaluate`, or the JSON file that one was saved to with the values of all topics.

    >>> judged = {"q1": {"d7": [(100, 250)]}}
    >>> gate(judged, {"q1": {"d7": [(100, 200)]}}, require=["textR >= 0.9"]).passed
    False
    """
    rules = rules_of(_several(fail_if), _several(require), baseline=baseline is not None)
    procedure, settings = _separated(keywords)
    # What comes through a pipe can be read once.
    other = Source.at(baseline) if isinstance(baseline, (str, os.PathLike)) else baseline
    saved = _saved(other, rules)
    runs = [run] if other is None or isinstance(other, Scores) or saved else [run, other]
    # Run and baseline often have the same name: each is scored by itself.
    scores: list[Scores] = [
        evaluate(assessments, one, measures_in(rules), progress=progress, **own)
        for one, own in zip(runs, _with_own_chunks(settings, len(runs)), strict=True)
    ]
    found = Settings(**settings)
    given = [*given_inputs(assessments, [run], found), ("baseline", baseline)]
    if saved is not None:
        scores.append(replace(saved.scores, notes=(*saved.notes(found, given),)))
    outcome = try_rules(scores[0], scores[1] if len(scores) > 1 else None, rules, procedure)
    return GateResult(
        **{**vars(outcome), "notes": (*_notes_on_both(scores), *outcome.notes)},
        procedure=procedure,
        settings={**found.to_dict(), "rules": [str(rule) for rule in rules]},
        given=given,
    )


def _saved(baseline: object, rules: Sequence[Rule]) -> SavedResult | None:
    """The baseline as a result that was saved, or is at hand; None if it is a run."""
    wanted = [one for label in measures_in(rules) for one in asked(label)]
    if isinstance(baseline, Scores):
        return SavedResult.of(baseline, wanted)
    if isinstance(baseline, Source) and is_saved_result(baseline):
        return read_result(baseline, wanted)
    return None


def _several(texts: Sequence[str] | str) -> Sequence[str]:
    return [texts] if isinstance(texts, str) else texts


def _with_own_chunks(settings: SettingsKeywords, runs: int) -> Iterator[SettingsKeywords]:
    """The settings of each run, with its own chunk table if there is one for each."""
    tables = Settings(**settings).chunk_tables
    for number in range(runs):
        own: SettingsKeywords = {**settings, "chunks": own_table(tables, number, runs) or None}
        yield own


def _notes_on_both(scores: Sequence[Scores]) -> Iterator[Note]:
    """The notes on a run and its baseline; those on the assessments once."""
    yield from scores[0].all_notes()
    for baseline in scores[1:]:
        yield from (note for note in baseline.notes if note not in scores[0].notes)
        own = (note for run in baseline.runs for note in run.notes)
        yield from (replace(note, runs=("baseline",)) for note in own)


# -- report


def report(
    assessments: AssessmentsInput,
    runs: RunsInput,
    measures: MeasuresInput = DEFAULT_MEASURE,
    *,
    title: str | None = None,
    baseline: str | None = None,
    chapters: Sequence[Output | PathLike] = (),
    strips: int = 500,
    all_texts: bool = False,
    history: PathLike | None = None,
    date: str | None = None,
    progress: Progress | None = None,
    **keywords: Unpack[ReportKeywords],
) -> ReportResult:
    """One page about runs: the finding, failures, scores, tests, curves, topics, documents.

    The first of the measures gives the verdict. ``chapters`` are outputs of the lab, or JSON
    files that it wrote, shown after the runs; ``strips`` limits the documents that are shown,
    ``all_texts`` shows the texts and strips of all topics, not only those on which runs fail most;
    ``history`` is a file that ``spanwise evaluate --append`` has added to, shown as a trend;
    ``date`` is the day that the page names, by default that of ``SOURCE_DATE_EPOCH`` or today.
    ``cutoff``, ``late``, ``incomplete`` and ``noisy`` say from where on a list fails
    (:class:`spanwise.evaluation.diagnosis.Thresholds`). The keywords of the test are those of
    :class:`Procedure`, all others those of :class:`Settings`.

    >>> made = report({"q1": {"d7": [(100, 250)]}}, {"q1": {"d7": [(100, 200)]}}, ["textR"])
    >>> made.output().title
    '1 run on 1 topic'
    """
    from spanwise.reporting.history import read_history
    from spanwise.reporting.report import ReportResult, report_of
    from spanwise.reporting.report_failures import MOST_TEXT
    from spanwise.reporting.scored_runs import ScoredRuns

    most, day = whole_number("strips", strips, 0), date_of(date)
    require_truth("all_texts", all_texts)
    thresholds, others = _without_thresholds(keywords)
    procedure, settings = _separated(others)
    found = Settings(**settings)
    if found.compat is not None:
        raise SpanwiseError(f"report follows the default rules: leave out {option('compat')}")
    with spending(chosen(limits=found.limits)):
        past = [] if history is None else read_history(Source.at(history))
        if history is not None and not past:
            raise SpanwiseError(
                f"{os.fspath(history)} has no entries; add some with spanwise evaluate --append"
            )
        session = Session(found, progress)
        scored = ScoredRuns.of(session, assessments, runs, measures, thresholds)
    made = partial(
        report_of,
        scored,
        procedure,
        baseline=baseline,
        title=title,
        chapters=_chapters(chapters),
        history=past,
        settings={"date": day, **found.to_dict()},
    )
    # Without strips there are none of all topics either.
    whole = partial(made, strips=None if most else 0, most_text=None)
    shown = whole() if all_texts else made(strips=most, most_text=MOST_TEXT)
    given = given_inputs(assessments, [run for _, run in runs_in(runs, ())], found)
    past_file = [] if history is None else [("history", history)]
    return ReportResult(shown, [*given, *past_file], all_texts, whole)


def _without_thresholds(keywords: ReportKeywords) -> tuple[Thresholds, ComparisonKeywords]:
    """What belongs to diagnoses, and what belongs to inputs and tests."""
    known = threshold_names()
    refuse_unknown(keywords, (*setting_names(), *procedure_names(), *known))
    limits = {name: value for name, value in keywords.items() if name in known}
    others = {name: value for name, value in keywords.items() if name not in known}
    return Thresholds(**cast(ThresholdKeywords, limits)), cast(ComparisonKeywords, others)


def _chapters(given: Sequence[Output | PathLike]) -> list[Output]:
    """Outputs of the lab, those of files among them."""
    from spanwise.reporting.stored import stored_chapters

    if isinstance(given, (str, os.PathLike)) or not isinstance(given, Sequence):
        raise must_be("chapters", "a list of outputs or of files", given)
    found: list[Output] = []
    for one in given:
        if isinstance(one, Output):
            found.append(one)
        elif isinstance(one, (str, os.PathLike)):
            found += stored_chapters(Source.at(one))
        else:
            raise must_be("each of the chapters", "an output or a file", one)
    return found
