"""The portrait of measures, told to people and to programs."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from spanwise.lab.assessors import AssessorStability
from spanwise.lab.chapter import Chapter, Column, Table, Value
from spanwise.lab.chapters import baseline as baseline_chapter
from spanwise.lab.chapters import insertion as insertion_chapter
from spanwise.lab.correlation import CorrelationFound
from spanwise.lab.experiment import Found
from spanwise.lab.fidelity import Fidelity
from spanwise.lab.likeness import LEVEL, Likeness, kind_of, likenesses
from spanwise.lab.portrait import Portrait
from spanwise.lab.power import PowerFound
from spanwise.lab.topics import TopicsFound

NAMED = 8
"""How many broken orderings a sentence names."""
CRITERIA = (
    "A measure passes if it turns round none of the orderings of simulated runs (fidelity), never"
    " gains where answers that are not relevant come in, and loses at least as much if these come"
    " before the first answer as after it (insertion)."
)
DESCRIPTION = (
    "The other columns describe and do not judge: the orderings in which it sees a difference on"
    " some topic, Kendall's tau of rankings under other assessments with the official one (mean)"
    " and the error rate in hundredths, the difference between two runs that other topics turn"
    " round in at most 5 % of cases, and the share of pairs of runs told apart."
)
COLUMNS = (
    *(Column("measure", "text"), Column("orderings", "text"), Column("seen", "count")),
    *(Column("insertion", "text"), Column("tau"), Column("error %"), Column("needed", "text")),
    *(Column("power", "percent"), Column("verdict", "text")),
)
_RANKINGS = frozenset({"R>RS", "RI>RSI"})
REASONS: dict[str, tuple[frozenset[str], str]] = {
    "AgP(by=text)": (
        frozenset({"RI>RSI"}),
        "its recall counts characters, so that behind a document that is not relevant it wants the"
        " largest relevant one at the lower of two ranks, as Pehcevski et al. found",
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


def chapters_of(found: Portrait) -> tuple[Chapter, ...]:
    """The portrait, then every experiment that could be run, each under its own name."""
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
    return (_portrait(found), *others)


def _told(found: Found | None, chapter: Callable[[Found], Chapter]) -> Chapter | None:
    return None if found is None else chapter(found)


def _portrait(found: Portrait) -> Chapter:
    drawn = tuple(likenesses(found))
    subject = found.subject
    return Chapter(
        experiment="all",
        title=subject.title,
        verdict=tuple(_verdict(found, drawn)),
        tables=(Table("All measures", COLUMNS, tuple(_cells(one) for one in drawn)),),
        notes=found.notes,
        rows=tuple(_row(one) for one in drawn),
        settings={
            "collection": subject.name,
            "topics": _topics(found),
            "runs": len(subject.runs),
            "assessors": 1 + len(subject.others),
            "seed": found.seed,
        },
    )


# -- sentences


def _verdict(found: Portrait, drawn: Sequence[Likeness]) -> Iterator[str]:
    judged = [one for one in drawn if one.passes is not None]
    passed = [one for one in judged if one.passes]
    failed = [one.measure for one in judged if not one.passes]
    others = f"; {', '.join(failed)} {'does' if len(failed) == 1 else 'do'} not" if failed else ""
    topics = _topics(found)
    where = f"on {found.subject.name} with {_count(topics, 'topic')}"
    runs = _count(len(found.subject.runs), "run")
    yield f"{len(passed)} of {len(judged)} measures pass {where} and {runs}{others}."
    yield CRITERIA
    yield DESCRIPTION
    yield from (failure(one) for one in judged if not one.passes)
    yield from (_blindness(one) for one in passed if one.is_blind)
    unjudged = [one.measure for one in drawn if one.passes is None]
    if unjudged:
        why = "they are neither better nor worse, or an experiment could not be run"
        yield f"Not judged, as {why}: {', '.join(unjudged)}."


def _topics(found: Portrait) -> int:
    """With a value for any run."""
    return len({topic for run in found.scores.runs for topic in run.topics})


def _count(number: int, what: str) -> str:
    return f"{number} {what}" if number == 1 else f"{number} {what}s"


def failure(one: Likeness) -> str:
    """Why a measure does not pass, and whether that was to be expected."""
    faults = []
    if one.broken:
        faults.append(_breaks(one))
    if one.gains:
        faults.append("it gains where answers that are not relevant come in")
    if one.earlier is False:
        faults.append("it loses less if such answers come earlier")
    kinds, reason = REASONS.get(one.measure, (frozenset(), ""))
    if one.broken and one.insertion_holds and {kind_of(o) for o in one.broken} <= kinds:
        faults.append(f"that is expected: {reason}")
    return f"{one.measure} does not pass: {'; '.join(faults)}."


def _breaks(one: Likeness) -> str:
    names = ", ".join(str(ordering) for ordering in one.broken[:NAMED])
    more = f" and {len(one.broken) - NAMED} more" if len(one.broken) > NAMED else ""
    broken = f"it breaks {len(one.broken)} of {len(one.orderings)} orderings ({names}{more})"
    return f"{broken}, {_luck(one)}"


def _luck(one: Likeness) -> str:
    if not one.surely_broken:
        return f"within luck (p above {LEVEL:g})"
    which = "" if one.surely_broken == len(one.broken) else f"{one.surely_broken} of them "
    return f"{which}by more than luck (p at most {LEVEL:g})"


def _blindness(one: Likeness) -> str:
    return (
        f"{one.measure} passes by what it does not see: any two sets of parts are the same to it"
        f" here, and so only {one.seen} of {len(one.orderings)} orderings are a test."
    )


# -- the table and the rows


def _cells(one: Likeness) -> tuple[Value, ...]:
    total = len(one.orderings)
    kept = f"{total - len(one.broken)} of {total}" if total else None
    error = None if one.error is None else 100 * one.error
    needed = None if one.needed is None else f"{one.needed:.3g}"
    return (
        *(one.measure, kept, one.seen if total else None, _insertion(one)),
        *(one.tau, error, needed, one.power, _passes(one)),
    )


def _insertion(one: Likeness) -> str | None:
    if one.insertion_holds is None:
        return None
    if one.gains:
        return "gains"
    return "holds" if one.earlier else "late is worse"


def _passes(one: Likeness) -> str | None:
    if one.passes is None:
        return None
    return "passes" if one.passes else "does not pass"


def _row(one: Likeness) -> dict[str, Value]:
    total = len(one.orderings)
    return {
        "kind": "portrait",
        "measure": one.measure,
        "canonical": one.canonical,
        "orderings": total,
        "kept": total - len(one.broken),
        "seen": one.seen,
        "sees_parts": not one.is_blind if total else None,
        "gains_from_insertion": one.gains,
        "earlier_is_worse": one.earlier,
        "tau": one.tau,
        "error_rate": one.error,
        "difference_needed": one.needed,
        "power": one.power,
        "passes": one.passes,
    }
