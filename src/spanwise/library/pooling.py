"""Pools: what of the answers of runs is to be assessed."""

from __future__ import annotations

import os
from collections.abc import Collection, Mapping
from pathlib import Path

from spanwise.assessing.pool_making import PoolMaker
from spanwise.assessing.pooling import Choice
from spanwise.collection.tokenizing import TokenizerInput
from spanwise.errors import SpanwiseError, option
from spanwise.evaluation.policy import Missing, OrderChoice, Overlap
from spanwise.formats.budget import chosen, spending
from spanwise.formats.outputs import Outputs
from spanwise.formats.reading import PathLike
from spanwise.formats.topics import Topic, read_topics
from spanwise.inputs.runs import AssessmentsInput, MeasuresInput, RunsInput, names_of
from spanwise.inputs.scoring import runs_in
from spanwise.inputs.session import Session
from spanwise.inputs.settings import (
    ChunksInput,
    CollectionInput,
    RunName,
    Settings,
    UnjudgedChoice,
    given_inputs,
    topic_names,
)
from spanwise.records import whole_number
from spanwise.reporting.pooled import PoolResult
from spanwise.text.units import Unit

DEPTH = 100
TopicsInput = PathLike | Collection[str] | Mapping[str, str]
"""A topics file, the names of topics, or what each of them asks."""


def pool(
    runs: RunsInput,
    *,
    depth: int = DEPTH,
    documents: int | None = None,
    shuffle: int | None = None,
    topics: TopicsInput | None = None,
    assessments: AssessmentsInput | None = None,
    measures: MeasuresInput = (),
    to: PathLike | None = None,
    order: OrderChoice | None = None,
    overlap: Overlap | None = None,
    missing: Missing | None = None,
    unjudged: UnjudgedChoice | None = None,
    results: int | None = None,
    lenient: bool = False,
    unit: Unit = "codepoint",
    repair: bool = False,
    collection: CollectionInput | None = None,
    tokenizer: TokenizerInput | None = None,
    elements: PathLike | None = None,
    chunks: ChunksInput | None = None,
    run_name: RunName = "tag",
    run_format: str | None = None,
    assessments_format: str | None = None,
    topic_from: str | None = None,
    limits: bool = True,
) -> PoolResult:
    """Pool the first ``depth`` documents of each run and topic, to be assessed.

    A topic's documents are in the order of how many runs returned them, or in an order that the
    seed ``shuffle`` decides; ``documents`` is how many of them a topic has at most. A topics file
    gives each topic its query and narrative. With ``assessments``, documents that are judged
    already are left out; with ``measures`` too, each run is also scored as if it had not been
    pooled. ``to`` is the file of the pool.

    >>> found = pool({"a": {"q1": ["d1", "d2"]}, "b": {"q1": ["d2", "d3"]}}, depth=2, topics=["q1"])
    >>> [(one.document, one.runs) for one in found.pool.topics[0].documents]
    [('d2', 2), ('d1', 1), ('d3', 1)]
    """
    choice = Choice(
        whole_number("depth", depth, 1),
        None if documents is None else whole_number("documents", documents, 1),
        None if shuffle is None else whole_number("shuffle", shuffle, 0),
    )
    settings = Settings(
        order=order,
        overlap=overlap,
        missing=missing,
        unjudged=unjudged,
        results=results,
        lenient=lenient,
        unit=unit,
        repair=repair,
        collection=collection,
        tokenizer=tokenizer,
        elements=elements,
        chunks=chunks,
        run_name=run_name,
        run_format=run_format,
        assessments_format=assessments_format,
        topic_from=topic_from,
        limits=limits,
    )
    if measures and assessments is None:
        raise SpanwiseError(f"{option('measures')} scores runs: give {option('assessments')}, too")
    with spending(chosen(limits=limits)):
        known = None if topics is None else _topics(topics)
        given = [each for _, each in runs_in(runs, known or ())]
        inputs = given_inputs(assessments, given, settings)
        if isinstance(topics, (str, os.PathLike)):
            inputs.append(("topics", topics))
        destination = None if to is None else Outputs(names_of(inputs)).file(to)
        maker = PoolMaker(Session(settings), choice, runs, known)
        if assessments is not None and measures:
            made = maker.scored(assessments, measures)
        else:
            made = maker.made(assessments)
    found = PoolResult(made, choice, settings, inputs)
    if to is not None and destination is not None:
        destination.write(found.content(to))
    return found


def _topics(given: TopicsInput) -> dict[str, Topic]:
    """What is known about each of the topics that are wanted."""
    if isinstance(given, (str, os.PathLike)):
        return {topic.id: topic for topic in read_topics(Path(given))}
    names = topic_names(given) or ()
    queries = names if isinstance(names, Mapping) else dict.fromkeys(names, "")
    return {name: Topic(name, {"query": query}) for name, query in queries.items()}
