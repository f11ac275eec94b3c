"""The function that compares assessors."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from pathlib import Path
from typing import Unpack

from spanwise.assessing.agreement import (
    EVERYONE,
    agreement_of,
    refuse_beyond_lengths,
    refuse_other_texts,
)
from spanwise.assessing.assessor_names import assessor_names, without_common_parts
from spanwise.data.assessments import Assessments
from spanwise.errors import SpanwiseError, legible, option
from spanwise.evaluation.assessed import settled_assessments
from spanwise.formats.budget import chosen, spending
from spanwise.formats.source import Source
from spanwise.inputs.runs import AssessmentsInput
from spanwise.inputs.session import Session
from spanwise.inputs.settings import Settings, SettingsKeywords, given_inputs, setting_names
from spanwise.records import must_be, refuse_unknown, replace
from spanwise.reporting.agreement import AgreementResult
from spanwise.statistics.procedure import Procedure
from spanwise.text.sentences import spelled


def agree(
    *assessors: AssessmentsInput,
    names: Sequence[str] | None = None,
    resamples: int | None = None,
    seed: int = 1,
    **settings: Unpack[SettingsKeywords],
) -> AgreementResult:
    """How far do assessors agree about documents, elements and characters?

    Give the assessments of two or more assessors, who are called after their files or by
    ``names``. Two of them are compared over the documents that both judged: kappa, alpha, alpha for
    unitizing, F1 and overlap, for each topic and over all. ``collection`` has the lengths of
    documents, as far as the assessments do not, and their elements. ``resamples`` and ``seed`` are
    those of the intervals.

    >>> first = {"q1": {"d7": [(100, 250)], "d8": [(0, 10)]}}
    >>> second = {"q1": {"d7": [(100, 200)], "d8": [(0, 10)]}}
    >>> found = agree(first, second, names=["first", "second"])
    >>> found.pairs[0].pooled("character", "overlap")
    0.6875
    """
    refuse_unknown(settings, setting_names())
    found = Settings(**settings)
    _refuse_about_runs(found)
    procedure = Procedure(resamples=resamples, seed=seed)
    _refuse_twice(assessors)
    with spending(chosen(limits=found.limits)):
        session = Session(found)
        everyone = [one for given in assessors for one in _assessors_in(session, given)]
        called = _named(assessors, [name for name, _ in everyone], names)
        judged = _chosen([own for _, own in everyone], found)
        refuse_other_texts(called, judged)
        settled = list(_settled(session, called, judged))
        refuse_beyond_lengths(called, settled)
    elements = None if session.collection is None else session.collection.elements
    return AgreementResult(
        agreement_of(called, settled, elements),
        procedure,
        tuple(session.notes),
        {"assessors": called, **_settings(found)},
        [*(("assessments", one) for one in assessors), *given_inputs(None, (), found)[1:]],
        session.dropped,
    )


def _settled(
    session: Session, names: Sequence[str], judged: Sequence[Assessments]
) -> Iterator[Assessments]:
    """With the lengths of the collection; what documents cannot hold is refused or cut."""
    for name, one in zip(names, judged, strict=True):
        lenient = session.settings.lenient
        settled, notes = settled_assessments(one, session.collection, lenient=lenient)
        found = notes.values()
        session.dropped |= any(note.kind == "judged cut" for note in found)
        session.notes += [replace(note, about=note.about or name) for note in found]
        yield settled


READING = (
    *("collection", "elements", "topics", "unit", "repair", "repeats", "lenient", "limits"),
    *("assessments_format", "topic_from"),
)
"""Settings that have a meaning for assessments."""


def _settings(found: Settings) -> dict[str, object]:
    every = found.to_dict()
    return {name: every[name] for name in READING}


# -- what was given


def _refuse_about_runs(settings: Settings) -> None:
    for name in ("compat", "chunks", "results", "overlap", "order", "missing"):
        if getattr(settings, name) is not None:
            raise SpanwiseError(f"{option(name)} is about runs, and here are none: leave it out")


def _refuse_twice(assessors: Sequence[AssessmentsInput]) -> None:
    for one, other in combinations(assessors, 2):
        if one is other or _is_same_file(one, other):
            name = legible(_file(one)) or "the same object"
            raise SpanwiseError(
                f"found {name} twice, expected the assessments of two assessors; give another file"
            )


def _file(given: AssessmentsInput) -> str:
    if isinstance(given, Source):
        return given.name
    return os.fspath(given) if isinstance(given, (str, os.PathLike)) else ""


def _is_same_file(one: AssessmentsInput, other: AssessmentsInput) -> bool:
    names = _file(one), _file(other)
    return all(names) and Path(names[0]).resolve() == Path(names[1]).resolve()


def _named(
    assessors: Sequence[AssessmentsInput],
    own: Sequence[str | None],
    names: Sequence[str] | None,
) -> list[str]:
    """A name for each assessor, all different; ``own`` are those that inputs tell."""
    if len(own) < 2:
        raise SpanwiseError(
            f"found {spelled(len(own))} assessor{'s' * (len(own) != 1)}, expected two or more; give"
            " the assessments of each of them"
        )
    if names is None and None not in own:
        return [name for name in own if name is not None]
    if names is None:
        stems = assessor_names(assessors)
        short = without_common_parts(stems)
        return short if EVERYONE not in short else stems
    if isinstance(names, str) or not all(isinstance(name, str) and name for name in names):
        raise must_be("names", "a list with a name for each assessor", names)
    if len(names) != len(own) or len(set(names)) < len(names) or EVERYONE in names:
        expected = f"{len(own)} different names, none of them {EVERYONE!r}"
        raise must_be("names", expected, list(names))
    return list(names)


def _assessors_in(
    session: Session, given: AssessmentsInput
) -> list[tuple[str | None, Assessments]]:
    """Who judged, as far as an input tells, and what.

    Files of assessments are of one assessor, whom they do not name; what holds the judgements of
    several has an entry here for each of them.
    """
    return [(None, _judged(session, given))]


def _judged(session: Session, given: AssessmentsInput) -> Assessments:
    """What one assessor judged."""
    topics = session.settings.topics
    # An assessor who judged only some of the topics has not all that were asked for.
    wanted = topics if isinstance(topics, Mapping) else None
    reading = Session(
        replace(
            session.settings,
            topics=wanted,
            collection=session.collection,
            elements=None,
            tokenizer=None,
        )
    )
    judged = reading.assessments(given)
    session.notes += [note for note in reading.notes if note not in session.notes]
    session.dropped |= reading.dropped
    return judged


def _chosen(judged: Sequence[Assessments], settings: Settings) -> list[Assessments]:
    """The topics that were asked for; each must be one of some assessor."""
    wanted = settings.topics
    if wanted is None or isinstance(wanted, Mapping):
        return list(judged)
    unknown = sorted(set(wanted).difference(*(one.topics for one in judged)))
    if unknown:
        raise SpanwiseError(
            f"topic {unknown[0]} is not in the assessments of any assessor; name one that is"
        )
    return [one.only(set(wanted)) for one in judged]
