"""A world as the files of a folder, and the measures that these files can be scored by."""

from __future__ import annotations

import random
from dataclasses import dataclass

from cases import every_pair, random_measure
from fuzz.worlds import World
from fuzz.written import assessments_files, collection_files, run_file
from spanwise.measures.base import ListScore, Need


@dataclass(frozen=True)
class Made:
    """The files of a world and how to name them."""

    world: World
    assessments: str
    run: str
    documents: tuple[str, ...]
    files: dict[str, bytes]


def made(source: random.Random, world: World, *, documents: bool | None = None) -> Made:
    """A world as files, with its documents where they are needed or wanted."""
    path, files = assessments_files(world)
    name, content = run_file(world)
    files = {**files, name: content}
    options: list[str] = []
    if needs_documents(world) or (source.random() < 0.4 if documents is None else documents):
        options, more = collection_files(source, world.batch)
        files |= more
    return Made(world, path, name, tuple(options), files)


def needs_documents(world: World) -> bool:
    """Are there elements, whose places only the documents tell?"""
    rows = (row for topic in world.batch.topics.values() for row in topic.rows)
    return world.assessments_format == "inex" or any(row.path is not None for row in rows)


def measures_for(source: random.Random, found: Made, count: int) -> list[ListScore]:
    """Measures that these files can be scored by."""
    chosen: list[ListScore] = []
    while len(chosen) < count:
        measure = random_measure(source, *source.choice(every_pair()))
        if _is_possible(measure, found):
            chosen.append(measure)
    return chosen


def _is_possible(measure: ListScore, found: Made) -> bool:
    name, world = str(measure), found.world
    needs = measure.needs()
    if needs & {Need.ASPECTS, Need.CHUNKS}:
        return False
    if world.run_format == "entry-points" and "BEP" not in name:
        return False
    if (world.assessments_format == "inex") != (Need.ELEMENTS in needs):
        return False
    if world.assessments_format == "trec" and not found.documents:
        return name.startswith(("AP", "P@", "R@", "RR", "Rprec", "nDCG", "Success"))
    return bool(found.documents) or not needs & {Need.MEAN_LENGTH, Need.TEXT, Need.ELEMENTS}
