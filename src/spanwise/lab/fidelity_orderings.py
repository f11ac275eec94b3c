"""Fidelity: does a measure order runs of known quality as it should?"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from copy import copy
from dataclasses import dataclass
from typing import Unpack

import numpy as np

from spanwise.data.assessments import UNKNOWN, Assessments
from spanwise.data.documents import Documents
from spanwise.data.notes import Note
from spanwise.errors import SpanwiseError
from spanwise.evaluation.evaluate import Evaluation
from spanwise.evaluation.policy import Policy
from spanwise.evaluation.scores import RunScores, Scores, same_names
from spanwise.inputs.runs import AssessmentsInput, MeasureInput, MeasuresInput
from spanwise.inputs.settings import SettingsKeywords
from spanwise.lab.expected_orderings import (
    MissingDocuments,
    Ordering,
    missing_documents,
    missing_rows,
    missing_sentences,
    missing_tables,
    orderings_under,
)
from spanwise.lab.experiment import Experiment, LabResult, Progress, Step, chapter, study
from spanwise.lab.insertion_lists import with_further_documents
from spanwise.lab.phrases import some_of
from spanwise.lab.simulated_runs import WHOLE, SimulatedRuns, orderings, simulated_runs
from spanwise.measures.grammar import Asked, asked, asked_for
from spanwise.records import replace
from spanwise.reporting.output import Column, Output, Plot, Row, Table, Value
from spanwise.text.sentences import counted

MEASURES = (
    *("gP@1", "gP@2", "gP@10", "gR@1", "gR@2", "gR@10", "AgP"),
    *("gR(by=text)@1", "gR(by=text)@2", "gR(by=text)@10", "AgP(by=text)", "AP"),
)
"""The columns of the paper's Table 1."""
POINTS = tuple(tenth / 10 for tenth in range(11))
"""The recall points of the paper's Figure 4."""

TITLE = "Fidelity: do measures order runs of known quality as they should?"
TOLERANCE = (
    "an ordering holds if the mean difference is not negative; differences below 2^-40 (about"
    " 1e-12) of the larger score count as none"
)


@dataclass(frozen=True, eq=False)
class Fidelity:
    """The scores of the simulated runs, and which orderings each measure keeps."""

    scores: Scores
    orderings: tuple[Ordering, ...]
    expected: int
    """Orderings for each measure: 36, or 12 without elements."""
    missing: tuple[MissingDocuments, ...]
    """What each measure makes of runs that lack relevant documents."""
    curves: tuple[tuple[str, tuple[float, ...]], ...]
    """igP at 11 points of recall, for the runs with the ranking R."""
    simulated: SimulatedRuns
    notes: tuple[Note, ...]

    def of(self, measure: str) -> tuple[Ordering, ...]:
        """The orderings under one measure, as it was asked for."""
        return tuple(ordering for ordering in self.orderings if ordering.measure == measure)

    def broken(self, measure: str) -> tuple[Ordering, ...]:
        """The orderings that a measure reverses."""
        return tuple(ordering for ordering in self.of(measure) if not ordering.holds)

    def missing_under(self, measure: str) -> MissingDocuments | None:
        """What one measure makes of missing documents; None if it cannot be judged."""
        return next((one for one in self.missing if one.measure == measure), None)

    def output(self) -> Output:
        """Verdicts, Table 1's form, Table 2's form, Figure 4."""
        return chapter(
            "fidelity",
            TITLE,
            list(verdicts(self)),
            [
                _scores_table(self),
                *missing_tables(self.missing),
                *_orderings(self),
                *([_graph(self)] if self.curves else []),
            ],
            rows=[*_rows(self), *missing_rows(self.missing)],
            notes=[*self.notes, Note("remark", detail=TOLERANCE)],
            settings={
                "measures": [one.label for one in self.scores.measures],
                "part_sets": list(self.simulated.part_sets),
                "topics": len(self.scores.runs[0].topics),
            },
        )


def fidelity(
    assessments: AssessmentsInput,
    measures: MeasuresInput = MEASURES,
    *,
    progress: Progress | None = None,
    **settings: Unpack[SettingsKeywords],
) -> LabResult[Fidelity]:
    """Do measures order runs of known quality as they should?

    The runs are simulated from the assessments; ``found.simulated.runs`` holds them. Elements come
    from ``collection`` or ``elements``.

    >>> result = fidelity({"q1": {"d1": [(0, 9)]}, "q2": {"d2": [(5, 9)]}}, ["AP"])
    >>> result.found.expected, result.found.broken("AP")
    (12, ())
    """
    with study(assessments, None, settings, progress) as given:
        given.refuse_compat("fidelity")
        session = given.session
        wanted, judged = session.measures(measures), session.assessments(assessments)
        policy = session.settings.policy()
        return given.result(check_orderings(judged, wanted, session.collection, policy))


def check_orderings(
    assessments: Assessments,
    measures: Iterable[MeasureInput] = MEASURES,
    documents: Documents | None = None,
    policy: Policy | None = None,
) -> Experiment[Fidelity]:
    """Score simulated runs of known quality and compare their order with the expected one.

    From the assessments 20 runs are built (:mod:`spanwise.lab.simulated_runs`), from the
    relevant passages in the best order down to leaves behind an irrelevant document. Of
    36 pairs it is known which run should score at least as much. An ordering holds if the mean
    over topics of the difference is not negative; differences below 2^-40 of the larger score
    count as none. Without elements 8 runs and 12 orderings remain.

    Each of the 20 runs finds all relevant documents. So runs with perfect parts are added that
    miss some of them: the score must fall somewhere
    and never rise when documents are missing, and not fall when one more is found late.

    Source: Pehcevski et al., Evaluating focused retrieval tasks, figures 2 to 4, tables 1 and 2;
    missing documents are our choice.

    >>> from spanwise.lab.experiment import finished
    >>> from spanwise.lab.synthetic_collection import synthetic
    >>> made = synthetic(topics=3, documents=40)
    >>> found = finished(check_orderings(made.assessments, ["AP"], made.documents))
    >>> len(found.scores.runs), len(found.orderings), found.broken("AP")
    (20, 36, ())
    """
    wanted = same_names([one for given in measures for one in _asked(given)])
    if not wanted:
        raise SpanwiseError("no measure was asked for; name one, such as AgP")
    evaluation = Evaluation(assessments, wanted, policy or Policy(), documents)
    simulated = simulated_runs(evaluation.assessments, documents)
    evaluation = _knowing(evaluation, simulated.invented)
    scored = []
    for done, run in enumerate(simulated.runs):
        yield Step(done, len(simulated.runs), "runs")
        scored.append(evaluation.score([run], run.name))
    scores = _complete(Scores(evaluation.measures, tuple(scored), tuple(evaluation.notes)))
    curves, lacking = _curves(evaluation, simulated)
    pairs = simulated.orderings
    found = [o for n in range(len(scores.measures)) for o in orderings_under(scores, n, pairs)]
    missing = _missing(evaluation, simulated, scores)
    said = (*simulated.notes, *scores.notes, *_shared_notes(scored), *lacking)
    yield Step(len(simulated.runs), len(simulated.runs), "runs")
    return Fidelity(scores, tuple(found), len(pairs), missing, curves, simulated, said)


def _knowing(evaluation: Evaluation, invented: frozenset[str]) -> Evaluation:
    """A document that was invented is as long as documents are."""
    judged, documents = evaluation.assessments, evaluation.documents
    lengths = judged.lengths if documents is None else documents.lengths
    known = [*lengths.values()] or judged.length[judged.length != UNKNOWN].tolist()
    if not invented or not known:
        return evaluation
    return with_further_documents(evaluation, dict.fromkeys(invented, int(np.median(known))))


def _missing(
    evaluation: Evaluation, simulated: SimulatedRuns, scores: Scores
) -> tuple[MissingDocuments, ...]:
    """Runs that miss relevant documents beside the one that finds all with the same parts."""
    partial = simulated.partial
    knowing = copy(_knowing(evaluation, partial.invented | simulated.invented))
    # A run that has lost its only document has an empty list, whatever else a missing topic means.
    knowing.policy = replace(evaluation.policy, missing="zero")
    knowing.measures = scores.measures
    whole = next(run for run in simulated.runs if run.name == WHOLE)
    scored = [knowing.score([run], run.name) for run in (whole, *partial.runs)]
    both = Scores(scores.measures, tuple(scored))
    found = [missing_documents(both, n, partial.several) for n in range(len(both.measures))]
    return tuple(one for one in found if one is not None)


def _asked(given: MeasureInput) -> Sequence[Asked]:
    if isinstance(given, Asked):
        return [given]
    return asked(given) if isinstance(given, str) else [asked_for(given)]


def _complete(scores: Scores) -> Scores:
    """Without those members of nicknames that could not be computed for every run."""
    kept = [
        one.label
        for number, one in enumerate(scores.measures)
        if not one.optional or all(run.means[number] is not None for run in scores.runs)
    ]
    return scores.only(kept)


def _shared_notes(scored: Sequence[RunScores]) -> Iterator[Note]:
    """Notes on every run, on measures that were left out, and on parts that match no element.

    The rest is about what was simulated on purpose, such as unjudged documents.
    """
    said = dict.fromkeys(note for run in scored for note in run.notes)
    for note in said:
        if note.kind == "left out" or all(note in run.notes for run in scored):
            yield note
    for run in scored:
        # The other rankings of a set have the same parts.
        strangers = [note for note in run.notes if note.kind == "no element"]
        yield from (replace(n, runs=(run.run,)) for n in strangers if run.run.endswith("R"))


# -- the graph


def _curves(
    evaluation: Evaluation, simulated: SimulatedRuns
) -> tuple[tuple[tuple[str, tuple[float, ...]], ...], Sequence[Note]]:
    """igP of the runs with the best ranking, or why it cannot be had."""
    points = [asked(f"igP@{point}")[0] for point in POINTS]
    wanted = tuple(replace(point, optional=True) for point in points)
    graph = Evaluation(evaluation.assessments, wanted, evaluation.policy, evaluation.documents)
    best = [run for run in simulated.runs if run.name in {f"{s}R" for s in simulated.part_sets}]
    scored = [graph.score([run], run.name) for run in best]
    curves = [(run.run, tuple(mean for mean in run.means if mean is not None)) for run in scored]
    if all(len(curve) == len(POINTS) for _, curve in curves):
        return tuple(curves), []
    reasons = [note.detail for run in scored for note in run.notes if note.kind == "left out"]
    reason = reasons[0] if reasons else "igP has no values"
    return (), [Note("graph left out", detail=reason)]


# -- sentences


def verdicts(found: Fidelity) -> Iterator[str]:
    """A sentence for each measure, and before several of them one for all."""
    labels = [asked.label for asked in found.scores.measures]
    tested = [label for label in labels if found.of(label)]
    if len(tested) > 1:
        yield _summary(found, tested)
    yield from (verdict(found, label) for label in labels)
    yield from missing_sentences(found.missing)
    if found.expected < len(orderings()):
        built = " and ".join(found.simulated.part_sets)
        yield (
            f"Without elements only {built} are built: {found.expected} of the"
            f" {len(orderings())} orderings."
        )


def _summary(found: Fidelity, tested: list[str]) -> str:
    broken = {label: len(found.broken(label)) for label in tested}
    faithful = sum(not count for count in broken.values())
    topics = counted(len(found.scores.runs[0].topics), "topic")
    runs = f"{len(found.scores.runs)} simulated runs ({topics})"
    failed = ", ".join(f"{label} breaks {count}" for label, count in broken.items() if count)
    verb = "keeps" if faithful == 1 else "keep"
    kept = f"{faithful} of {len(tested)} measures {verb} all {found.expected} orderings of {runs}"
    return f"{kept}; {failed}." if failed else f"{kept}."


def verdict(found: Fidelity, measure: str) -> str:
    """What a measure does with the orderings."""
    tested, broken = found.of(measure), found.broken(measure)
    if not tested:
        return _untested(found, measure)
    flat = sum(ordering.is_flat for ordering in tested)
    seen = f"; in {flat} of them no topic shows a difference" if flat else ""
    if flat == len(tested):
        return f"{measure} shows no difference in any of the {found.expected} orderings."
    if not broken:
        return f"{measure} keeps all {found.expected} orderings{seen}."
    names = some_of([str(ordering) for ordering in broken])
    return f"{measure} breaks {len(broken)} of {found.expected} orderings: {names}."


def _untested(found: Fidelity, measure: str) -> str:
    asked = next(one for one in found.scores.measures if one.label == measure)
    if asked.measure.properties.better == "neither":
        return f"{measure} is not checked: neither high nor low values are better."
    return f"{measure} is not checked: it is undefined for every topic."


# -- tables


def _scores_table(found: Fidelity) -> Table:
    labels = [asked.label for asked in found.scores.measures]
    return Table(
        title="Scores of the simulated runs",
        columns=(Column("run", "text"), *(Column(label) for label in labels)),
        rows=tuple((run.run, *run.means) for run in found.scores.runs),
        transposed="measure",
    )


def _orderings(found: Fidelity) -> Iterator[Table]:
    columns = (
        Column("ordering", "text"),
        Column("100 x difference", "signed"),
        *(Column(name, "count") for name in ("more", "equal", "fewer")),
        Column("p", "p"),
        Column("holds", "text"),
    )
    for one in found.scores.measures:
        rows = tuple(_ordering_row(ordering) for ordering in found.of(one.label))
        if rows:
            yield Table(f"Orderings under {one.label}", columns, rows, transposed="")


def _ordering_row(ordering: Ordering) -> Row:
    counted = (ordering.more, ordering.equal, ordering.fewer)
    return (str(ordering), 100 * ordering.difference, *counted, ordering.p, ordering.holds)


def _graph(found: Fidelity) -> Plot:
    return Plot(
        title="Precision at points of recall, runs with the ranking R",
        x_title="recall of documents (gR)",
        y_title="igP",
        places=POINTS,
        series=found.curves,
    )


# -- rows


def _rows(found: Fidelity) -> Iterator[dict[str, Value]]:
    for run in found.scores.runs:
        for one, mean in zip(found.scores.measures, run.means, strict=True):
            yield {"kind": "score", "run": run.run, "measure": one.label, "value": mean}
    for ordering in found.orderings:
        yield {
            "kind": "edge",
            "measure": ordering.measure,
            "better": ordering.better,
            "worse": ordering.worse,
            **ordering.counts(),
        }
