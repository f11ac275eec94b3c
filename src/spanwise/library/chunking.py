"""The function that compares chunkings."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Unpack

from spanwise.collection.tokenizing import tokenizer_file
from spanwise.errors import SpanwiseError, option
from spanwise.evaluation.chunk_limits import (
    OMEGA,
    STRICT,
    budgets_up_to,
    ideal_run,
    limits_of,
    most_to_read,
    topics_of,
)
from spanwise.formats.budget import chosen, spending
from spanwise.inputs.chunkings import ChunkingsInput, chunkings_in, require_common_documents
from spanwise.inputs.runs import AssessmentsInput
from spanwise.inputs.session import Session
from spanwise.inputs.settings import Given, Settings, SettingsKeywords, setting_names
from spanwise.records import refuse_unknown
from spanwise.reporting.chunkings import ChunkingsResult, budgeted

if TYPE_CHECKING:
    pass


def chunks(
    assessments: AssessmentsInput,
    chunkings: ChunkingsInput,
    **settings: Unpack[SettingsKeywords],
) -> ChunkingsResult:
    """Compare chunkings before anything is retrieved: what can a retriever reach at best?

    ``chunkings`` are tables of chunks (files), or a dictionary from a name to a table, to its rows,
    or to a function that cuts a text: it gives texts, pairs of start and end, or objects with
    these, such as those of LangChain, LlamaIndex and chonkie. A function needs ``collection``.

    >>> gold = {"q1": {"d7": [(10, 20)]}}
    >>> halves = lambda text: [(0, len(text) // 2), (len(text) // 2, len(text))]
    >>> found = chunks(gold, {"halves": halves}, collection={"d7": "x" * 40})
    >>> found.limits[0].mean_bounds
    Bounds(recall=1.0, precision=0.5, full_precision=0.5, iou=0.5)
    """
    refuse_unknown(settings, (*setting_names(), "chunkings"))
    found = Settings(**settings)
    for name in ("compat", "chunks", "results", "overlap", "order", "missing", "unjudged"):
        if getattr(found, name) is not None:
            raise SpanwiseError(f"{option(name)} is about runs, and here are none: leave it out")
    with spending(chosen(limits=found.limits)):
        session = Session(found)
        named = chunkings_in(session, chunkings)
        wanted = session.measures([OMEGA, STRICT])
        evaluation = session.evaluation(assessments, wanted, named[0][1])
        notes = tuple(require_common_documents(evaluation.assessments, named))
        topics = [topics_of(evaluation.assessments, chunking) for _, chunking in named]
        ideal = [ideal_run(one, name) for one, (name, _) in zip(topics, named, strict=True)]
        budgets = budgets_up_to(max(map(most_to_read, ideal)))
        evaluation.measures = session.measures([OMEGA, STRICT, *map(budgeted, budgets)])
        limits = tuple(
            limits_of(evaluation, chunking, mine, run)
            for (_, chunking), mine, run in zip(named, topics, ideal, strict=True)
        )
    return ChunkingsResult(
        limits,
        budgets,
        (*session.notes, *evaluation.notes, *notes),
        found.to_dict(),
        list(_given(assessments, chunkings, found)),
    )


def _given(assessments: object, chunkings: ChunkingsInput, settings: Settings) -> Iterator[Given]:
    """Everything that has a part in the result."""
    yield "assessments", assessments
    several: list[object] = [chunkings]
    if isinstance(chunkings, dict):
        several = [*chunkings.values()]
    elif isinstance(chunkings, (list, tuple)):
        several = [*chunkings]
    yield from (("chunking", one) for one in several)
    yield "collection", settings.collection
    yield "tokenizer", tokenizer_file(settings.tokenizer)
