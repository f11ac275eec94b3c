"""What all experiments say about each measure, and which measures pass."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from spanwise.data.notes import Note
from spanwise.evaluation.scores import Scores
from spanwise.lab.assessor_verdicts import AssessorStability
from spanwise.lab.expected_orderings import MissingDocuments, Ordering, kind_of, missing_fault
from spanwise.lab.experiment import chapter
from spanwise.lab.fidelity_orderings import Fidelity
from spanwise.lab.inserted_answers import TOLERANCE, Insertion, rewarding
from spanwise.lab.insertion_lists import MODES
from spanwise.lab.measure_agreement import CorrelationFound
from spanwise.lab.phrases import some_of
from spanwise.lab.separated_pairs import PowerFound
from spanwise.lab.topic_samples import TopicsFound
from spanwise.lab.whole_documents import Baseline
from spanwise.measures.grammar import Asked
from spanwise.records import replace
from spanwise.reporting.output import Column, Output, Table, Value
from spanwise.text.sentences import counted, enumerated

if TYPE_CHECKING:
    from spanwise.lab.all_experiments import Subject

LEVEL = 0.05


@dataclass(frozen=True, slots=True)
class MeasureSummary:
    """One measure; None where no experiment has a result."""

    measure: str
    canonical: str
    orderings: tuple[Ordering, ...]
    """Those that fidelity expects; none for a measure without a direction."""
    missing: MissingDocuments | None
    """What it makes of runs that lack relevant documents."""
    gains: bool | None
    """Does it get better where irrelevant answers are inserted?"""
    earlier: bool | None
    """Are such answers at least as bad before the first answer as after it?"""
    tau: float | None
    """Of the rankings by two assessors; the smallest, if there are several pairs."""
    error: float | None
    """The error rate of mixtures of assessors."""
    needed: float | None
    """The difference that other topics reverse in at most 5% of cases, with all topics."""
    power: float | None
    """The share of pairs of runs that it separates."""

    @property
    def broken(self) -> tuple[Ordering, ...]:
        """The orderings that it reverses."""
        return tuple(ordering for ordering in self.orderings if not ordering.holds)

    @property
    def significantly_broken(self) -> int:
        """How many of them are significant."""
        return sum(one.p is not None and one.p <= LEVEL for one in self.broken)

    @property
    def seen(self) -> int:
        """Orderings of runs whose scores differ on some topic."""
        return sum(not ordering.is_flat for ordering in self.orderings)

    @property
    def is_blind(self) -> bool:
        """Do all sets of parts score the same?"""
        by_parts = [one for one in self.orderings if ">R" not in kind_of(one)]
        return bool(by_parts) and all(ordering.is_flat for ordering in by_parts)

    @property
    def insertion_holds(self) -> bool | None:
        """Does it never gain, and lose at least as much the earlier such answers come?"""
        if self.gains is None or self.earlier is None:
            return None
        return self.earlier and not self.gains

    @property
    def passes(self) -> bool | None:
        """Does it keep all orderings, see missing documents, and does insertion hold?"""
        if not self.orderings or self.insertion_holds is None:
            return None
        sees = self.missing is None or self.missing.passes
        return self.insertion_holds and not self.broken and sees


@dataclass(frozen=True, eq=False)
class AllFound:
    """What every experiment found; None where one could not be run."""

    subject: Subject
    scores: Scores
    fidelity: Fidelity | None
    insertion: Insertion | None
    assessors: AssessorStability | None
    topics: TopicsFound | None
    correlation: CorrelationFound | None
    baseline: Baseline | None
    power: PowerFound | None
    seed: int
    notes: tuple[Note, ...]
    """Which experiments could not be run, and why."""

    def output(self) -> Output:
        """The overview of all measures; every experiment that could be run is an appendix."""
        summaries, subject = tuple(measure_summaries(self)), self.subject
        found = (
            *(self.fidelity, self.insertion, self.assessors, self.topics),
            *(self.correlation, self.baseline, self.power),
        )
        rows = tuple(_cells(one) for one in summaries)
        overview = chapter(
            "all",
            subject.title,
            list(_verdict(self, summaries)),
            [Table("All measures", COLUMNS, rows, transposed="")],
            rows=[_row(one) for one in summaries],
            notes=self.notes,
            settings={
                "collection": subject.name,
                "topics": _topics(self),
                "runs": len(subject.runs),
                "assessors": 1 + len(subject.others),
                "seed": self.seed,
            },
        )
        appendices = tuple(one.output() for one in found if one is not None)
        return replace(overview, appendices=appendices)


def measure_summaries(found: AllFound) -> Iterator[MeasureSummary]:
    """All measures, in the order in which they were asked for."""
    for asked in found.scores.measures:
        label = asked.label
        gains, earlier = _inserted(found.insertion, asked)
        tau, error = _assessed(found, label)
        yield MeasureSummary(
            measure=label,
            canonical=str(asked.measure),
            orderings=_orderings(found.fidelity, label),
            missing=found.fidelity.missing_under(label) if found.fidelity else None,
            gains=gains,
            earlier=earlier,
            tau=tau,
            error=error,
            needed=_needed(found, label),
            power=_power(found, label),
        )


def _orderings(found: Fidelity | None, label: str) -> tuple[Ordering, ...]:
    return () if found is None else found.of(label)


def _inserted(found: Insertion | None, asked: Asked) -> tuple[bool | None, bool | None]:
    """Does it gain, and is earlier at least as bad?"""
    labels = [] if found is None else [one.label for one in found.measures]
    better = asked.measure.properties.better
    if found is None or asked.label not in labels or better == "neither":
        return None, None
    number, sign = labels.index(asked.label), 1 if better == "higher" else -1
    after, before = (found.values[mode][number] for mode in MODES)
    rises = [
        sign * (one - other)
        for one, other in zip(before, after, strict=True)
        if one is not None and other is not None
    ]
    return asked.label in rewarding(found), all(rise <= TOLERANCE for rise in rises)


def _assessed(found: AllFound, label: str) -> tuple[float | None, float | None]:
    for one in found.assessors.measures if found.assessors else ():
        if one.measure == label and one.scope == "all":
            taus = [other.tau for other in one.alone if other.tau is not None]
            return min(taus, default=None), one.errors.error
    return None, None


def _needed(found: AllFound, label: str) -> float | None:
    for one in found.topics.measures if found.topics else ():
        safe = one.needed(one.verdict_size).safe
        if one.measure == label and safe is not None:
            return safe.low * one.unit
    return None


def _power(found: AllFound, label: str) -> float | None:
    counted_pairs = found.power.measures if found.power else ()
    return next((one.share for one in counted_pairs if one.measure == label), None)


CRITERIA = (
    "A measure passes if it reverses none of the orderings of simulated runs, sees missing"
    " documents without rewarding them or punishing a late one (fidelity), never gains where"
    " irrelevant answers are inserted, and loses at least as much if these come before the first"
    " answer as after it (insertion)."
)
DESCRIPTION = (
    "The other columns are descriptive: the orderings in which its scores differ on some topic,"
    " Kendall's tau between the rankings of runs by two assessors (the smallest, if there are"
    " several), the error rate of mixtures of assessors in percent, the difference between two runs"
    " that other topics reverse in at most 5% of cases, and the share of pairs of runs that it"
    " separates."
)
COLUMNS = (
    *(Column("measure", "text"), Column("orderings", "text"), Column("seen", "count")),
    *(Column("missing", "text"), Column("insertion", "text"), Column("tau"), Column("error %")),
    *(Column("needed", "text"), Column("power", "percent"), Column("verdict", "text")),
)
_RANKINGS = frozenset({"R>RS", "RI>RSI"})
REASONS: dict[str, tuple[frozenset[str], str]] = {
    "AgP(by=text)": (
        frozenset({"RI>RSI"}),
        "its recall counts characters, so that behind an irrelevant document it wants the largest"
        " relevant one at the lower of two ranks, as Pehcevski et al. found",
    ),
    "textP@5": (
        _RANKINGS,
        "precision does not ask which document holds more relevant text, so that exchanging two of"
        " them can go either way",
    ),
    "textR@5": (
        frozenset({"S>SL", "SL>SLD"}),
        "recall alone can only grow with what is returned, so that larger parts win",
    ),
    "textF@5": (
        frozenset({"SL>SLD"}),
        "five answers are five parts however large they are, so that whole documents get further",
    ),
    "nxCG@10": (
        _RANKINGS,
        "every passage is worth the same, so that the leaves of a short one gain faster than those"
        " of a long one",
    ),
    "MAep": (
        _RANKINGS,
        "every passage is worth the same, so that the leaves of a short one gain faster than those"
        " of a long one",
    ),
    "Q": (
        _RANKINGS | {"SS>SST"},
        "each answer that gains at all counts, however little it gains, so that many leaves beat"
        " few elements, and every passage is worth the same",
    ),
}
"""Which kinds of orderings a measure breaks by its nature, and why."""


# -- sentences


def _verdict(found: AllFound, summaries: Sequence[MeasureSummary]) -> Iterator[str]:
    judged = [one for one in summaries if one.passes is not None]
    passed = [one for one in judged if one.passes]
    if judged:
        yield _passing(found, passed, [one.measure for one in judged if not one.passes])
        yield CRITERIA
    else:
        yield f"No measure can be judged on {_where(found)}."
    yield DESCRIPTION
    yield from (failure(one) for one in judged if not one.passes)
    yield from (_blindness(one) for one in passed if one.is_blind)
    yield from _unjudged(found, [one.measure for one in summaries if one.passes is None])


def _passing(found: AllFound, passed: Sequence[MeasureSummary], failed: list[str]) -> str:
    total = counted(len(passed) + len(failed), "measure")
    verb = "passes" if len(passed) == 1 else "pass"
    others = f"; {enumerated(failed)} {'fails' if len(failed) == 1 else 'fail'}" if failed else ""
    return f"{len(passed)} of {total} {verb} on {_where(found)}{others}."


def _where(found: AllFound) -> str:
    runs = counted(len(found.subject.runs), "run")
    return f"{found.subject.name} with {counted(_topics(found), 'topic')} and {runs}"


def _unjudged(found: AllFound, labels: list[str]) -> Iterator[str]:
    """Measures without a direction, and others for which an experiment is missing."""
    better = {one.label: one.measure.properties.better for one in found.scores.measures}
    neither = [label for label in labels if better[label] == "neither"]
    others = [label for label in labels if label not in neither]
    if neither:
        yield f"Not judged, as neither high nor low values are better: {enumerated(neither)}."
    if others:
        yield f"Not judged, as fidelity or insertion has no result: {enumerated(others)}."


def _topics(found: AllFound) -> int:
    """With a value for any run."""
    return len({topic for run in found.scores.runs for topic in run.topics})


def failure(one: MeasureSummary) -> str:
    """Why a measure fails, and whether that was to be expected."""
    faults = []
    if one.broken:
        faults.append(_breaks(one))
    kinds, reason = REASONS.get(one.measure, (frozenset(), ""))
    if one.broken and one.insertion_holds and {kind_of(o) for o in one.broken} <= kinds:
        faults.append(f"that is expected: {reason}")
    if one.missing is not None and not one.missing.passes:
        faults.append(f"it {missing_fault(one.missing)}")
    if one.gains:
        faults.append("it gains where irrelevant answers are inserted")
    if one.earlier is False:
        faults.append("it loses less if such answers come earlier")
    return f"{one.measure} fails: {'; '.join(faults)}."


def _breaks(one: MeasureSummary) -> str:
    names = some_of([str(ordering) for ordering in one.broken])
    broken = f"it breaks {len(one.broken)} of {len(one.orderings)} orderings ({names})"
    return f"{broken}, {_significance(one)}"


def _significance(one: MeasureSummary) -> str:
    test = f"at the {LEVEL:g} level (t test, not corrected)"
    if not one.significantly_broken:
        return f"{'none of them' if len(one.broken) > 1 else 'not'} significantly {test}"
    if one.significantly_broken == len(one.broken):
        return f"{'all ' if len(one.broken) > 1 else ''}significantly {test}"
    return f"{one.significantly_broken} of them significantly {test}"


def _blindness(one: MeasureSummary) -> str:
    return (
        f"{one.measure} passes only because it ignores parts: any two sets of parts score the same"
        f" here, so only {one.seen} of {len(one.orderings)} orderings test it."
    )


# -- the table and the rows


def _cells(one: MeasureSummary) -> tuple[Value, ...]:
    total = len(one.orderings)
    kept = f"{total - len(one.broken)} of {total}" if total else None
    error = None if one.error is None else 100 * one.error
    needed = None if one.needed is None else f"{one.needed:.3g}"
    return (
        *(one.measure, kept, one.seen if total else None, _missing(one), _insertion(one)),
        *(one.tau, error, needed, one.power, _passes(one)),
    )


def _missing(one: MeasureSummary) -> str | None:
    if one.missing is None:
        return None
    if one.missing.broken:
        return "breaks"
    words = {True: "holds", False: "unseen", None: "untested"}
    return words[one.missing.sees]


def _insertion(one: MeasureSummary) -> str | None:
    if one.insertion_holds is None:
        return None
    if one.gains:
        return "gains"
    return "holds" if one.earlier else "late is worse"


def _passes(one: MeasureSummary) -> str | None:
    if one.passes is None:
        return None
    return "passes" if one.passes else "fails"


def _row(one: MeasureSummary) -> dict[str, Value]:
    total = len(one.orderings)
    return {
        "kind": "measure",
        "measure": one.measure,
        "canonical": one.canonical,
        "orderings": total,
        "kept": total - len(one.broken),
        "seen": one.seen,
        "sees_parts": not one.is_blind if total else None,
        "sees_missing": None if one.missing is None else one.missing.sees,
        "missing_broken": None if one.missing is None else len(one.missing.broken),
        "gains_from_insertion": one.gains,
        "earlier_is_worse": one.earlier,
        "tau": one.tau,
        "error_rate": one.error,
        "difference_needed": one.needed,
        "power": one.power,
        "passes": one.passes,
    }
