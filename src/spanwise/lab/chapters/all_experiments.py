"""How measures perform in all experiments, told to people and to programs."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from spanwise.lab.all_experiments import AllFound
from spanwise.lab.assessors import AssessorStability
from spanwise.lab.chapter import Chapter, Column, Table, Value
from spanwise.lab.chapters import baseline as baseline_chapter
from spanwise.lab.chapters import insertion as insertion_chapter
from spanwise.lab.chapters import missing_documents
from spanwise.lab.chapters.wording import counted, listed, some_of
from spanwise.lab.correlation import CorrelationFound
from spanwise.lab.experiment import Found
from spanwise.lab.fidelity import Fidelity
from spanwise.lab.measure_summary import LEVEL, MeasureSummary, kind_of, measure_summaries
from spanwise.lab.power import PowerFound
from spanwise.lab.topics import TopicsFound

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


def chapters_of(found: AllFound) -> tuple[Chapter, ...]:
    """The overview, then every experiment that could be run, each under its own name."""
    told = {
        "fidelity": _told(found.fidelity, Fidelity.chapter),
        "insertion": _told(found.insertion, insertion_chapter.chapter_of),
        "assessors": _told(found.assessors, AssessorStability.chapter),
        "topics": _told(found.topics, TopicsFound.chapter),
        "correlation": _told(found.correlation, CorrelationFound.chapter),
        "baseline": _told(found.baseline, baseline_chapter.chapter_of),
        "power": _told(found.power, PowerFound.chapter),
    }
    others = [replace(one, experiment=name) for name, one in told.items() if one is not None]
    return (_overview(found), *others)


def _told(found: Found | None, chapter: Callable[[Found], Chapter]) -> Chapter | None:
    return None if found is None else chapter(found)


def _overview(found: AllFound) -> Chapter:
    summaries = tuple(measure_summaries(found))
    subject = found.subject
    return Chapter(
        experiment="all",
        title=subject.title,
        verdict=tuple(_verdict(found, summaries)),
        tables=(Table("All measures", COLUMNS, tuple(_cells(one) for one in summaries)),),
        notes=found.notes,
        rows=tuple(_row(one) for one in summaries),
        settings={
            "collection": subject.name,
            "topics": _topics(found),
            "runs": len(subject.runs),
            "assessors": 1 + len(subject.others),
            "seed": found.seed,
        },
    )


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
    others = f"; {listed(failed)} {'fails' if len(failed) == 1 else 'fail'}" if failed else ""
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
        yield f"Not judged, as neither high nor low values are better: {listed(neither)}."
    if others:
        yield f"Not judged, as fidelity or insertion has no result: {listed(others)}."


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
        faults.append(f"it {missing_documents.fault(one.missing)}")
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
