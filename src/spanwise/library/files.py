"""Functions over files: check, convert and locate."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Unpack, get_args

from spanwise.collection.fitted_elements import Fit
from spanwise.collection.tokenizing import TokenizerInput
from spanwise.data.assessments import Assessments
from spanwise.data.notes import Note
from spanwise.data.quoted import Repeats
from spanwise.data.run import Run
from spanwise.errors import SpanwiseError, option
from spanwise.evaluation.tasks import RESULTS, TASKS, Limits
from spanwise.formats.budget import chosen, spending
from spanwise.formats.conversion import Target
from spanwise.formats.destination import is_folder
from spanwise.formats.outputs import Outputs
from spanwise.formats.reading import PathLike
from spanwise.formats.registry import Role
from spanwise.formats.source import Source
from spanwise.inputs.checking import CheckedFile, Checker, files_in
from spanwise.inputs.converting import Conversion, chosen_fit, converted
from spanwise.inputs.locating import TextRole, located
from spanwise.inputs.runs import AssessmentsInput, RunInput, names_of
from spanwise.inputs.settings import (
    ChunksInput,
    CollectionInput,
    ReadingKeywords,
    Settings,
    given_inputs,
)
from spanwise.records import refuse_unknown, replace, require_one_of, require_truth, whole_number
from spanwise.reporting.check import MOST, CheckResult
from spanwise.reporting.locations import LocationsResult
from spanwise.text.units import Unit


def check(
    *files: PathLike,
    role: Role | None = None,
    assessments: PathLike | None = None,
    task: str | None = None,
    results: int | None = None,
    characters: int | None = None,
    pool: int | None = None,
    collection: CollectionInput | None = None,
    tokenizer: TokenizerInput | None = None,
    elements: PathLike | None = None,
    chunks: ChunksInput | None = None,
    most: int = MOST,
    quiet: bool = False,
    **reading: Unpack[ReadingKeywords],
) -> CheckResult:
    """Validate runs and assessments: every fault, and what else is worth a look.

    Runs may be compared with ``assessments`` (unknown topics, unjudged documents, lengths) and with
    the rules of an INEX ``task``, of which ``results`` and ``characters`` are limits. ``pool`` asks
    how much of the first so many documents and answers of each topic is unjudged.
    """
    for name, value in (("results", results), ("characters", characters)):
        if value is not None and task is None:
            raise SpanwiseError(f"{option(name)} is a limit of a task: give {option('task')}, too")
    if pool is not None and assessments is None:
        need = option("assessments")
        raise SpanwiseError(f"{option('pool')} asks what is unjudged: give {need}, too")
    if task is not None:
        require_one_of("task", task, tuple(TASKS))
    refuse_unknown(reading, ReadingKeywords.__annotations__)
    settings = Settings(
        lenient=True,
        collection=collection,
        tokenizer=tokenizer,
        elements=elements,
        chunks=chunks,
        **reading,
    )
    names = [os.fspath(file) for file in files]
    judged = None if assessments is None else os.fspath(assessments)
    with spending(chosen(limits=settings.limits)):
        checker = Checker(
            settings,
            role=role,
            assessments=judged,
            task=task,
            limits=Limits(results or RESULTS, characters),
            depth=None if pool is None else whole_number("pool", pool, 1),
        )
        found = [checker.check(file) for file in files_in(names)]
        found += checker.finish()
    if checker.given is not None and judged not in names:
        found.insert(0, CheckedFile(checker.given))
    read = [("file", file) for file in (*names, *([] if judged is None else [judged]))]
    given = (*read, *given_inputs(None, (), settings))
    return CheckResult(tuple(found), most, quiet, tuple(names_of(given, str(Path.cwd()))))


def convert(
    given: PathLike | Source | Assessments | Run | Sequence[Run] | Sequence[PathLike],
    out: PathLike,
    *,
    from_format: str | None = None,
    to_format: str | None = None,
    role: Role | None = None,
    ideal: str | None = None,
    as_elements: bool = False,
    fit: Fit | None = None,
    collection: CollectionInput | None = None,
    tokenizer: TokenizerInput | None = None,
    elements: PathLike | None = None,
    chunks: ChunksInput | None = None,
    unit: Unit = "codepoint",
    repair: bool = False,
    repeats: Repeats = "error",
    topic_from: str | None = None,
    lenient: bool = False,
    limits: bool = True,
) -> tuple[Note, ...]:
    """Write a run, assessments or topics in another format; the notes say what got lost.

    ``given`` is a file, or runs or assessments of this library, such as :func:`gold` returns.
    The ending of ``out`` tells the format unless ``to_format`` names it. ``ideal`` writes the run
    that gains most by the given assessments, such as ``"passages"``. ``as_elements`` turns the
    ranges of a run into elements: the ``"smallest"`` one around each, the largest ones ``"inside"``
    it, or the one that fits ``"best"`` (the default: the largest F over characters).

    Files of runs of any size, folders of them, and lists of both are written as a folder of Parquet
    for lakes if ``out`` is a folder and ``to_format`` is ``"parquet"``.
    """
    require_one_of("fit", fit, (*get_args(Fit), None))
    require_truth("as_elements", as_elements)
    reading = Settings(
        collection=collection,
        tokenizer=tokenizer,
        elements=elements,
        chunks=chunks,
        unit=unit,
        repair=repair,
        repeats=repeats,
        topic_from=topic_from,
        lenient=lenient,
        limits=limits,
    )
    files = _files(given)
    if files and is_folder(out) and to_format == "parquet" and role != "assessments":
        from spanwise.engines.lake import write_lake

        if ideal is not None or as_elements:
            other = option("as_elements", True) if as_elements else option("ideal")
            raise SpanwiseError(f"{other} writes one file: name a file instead of {out}")
        folder = Outputs(names_of(("file", file) for file in files)).folder(out)
        return write_lake(files, folder, replace(reading, run_format=from_format))
    read = names_of([("file", given)])
    destination = Outputs(read).place(out)
    content, notes = converted(
        given,
        Target.of(os.fspath(out), to_format),
        Conversion(from_format, role, ideal, chosen_fit(fit, as_elements=as_elements)),
        reading,
    )
    destination.write(content)
    return notes


def _files(given: object) -> list[PathLike | Source]:
    """Files, if only these were given."""
    several = given if isinstance(given, (list, tuple)) else [given]
    found = [file for file in several if isinstance(file, (str, os.PathLike, Source))]
    return found if len(found) == len(several) else []


def locate(
    given: PathLike | Source | AssessmentsInput | RunInput | ChunksInput,
    to: PathLike | None = None,
    *,
    collection: CollectionInput,
    role: TextRole | None = None,
    to_format: str | None = None,
    lenient: bool = False,
    **reading: Unpack[ReadingKeywords],
) -> LocationsResult:
    """Find texts in the documents: where each is, and whether it is there word for word.

    ``given`` is a file of a run, of assessments (quoted answers to questions among them) or of
    chunks, told by its rows unless ``role`` says; or chunks in memory, such as a list of texts.
    With ``to`` the rows are written with their ranges and the documents' own text, and a text that
    is not found, or not at one place alone, is refused; without, the result says so, row by row.

    >>> documents = {"d7": "Tides rise twice a day."}
    >>> [where] = locate(["rise  twice"], collection=documents).placements
    >>> where.located.how, where.place
    ('folded', Place(document='d7', start=6, end=16))
    """
    refuse_unknown(reading, ReadingKeywords.__annotations__)
    settings = Settings(lenient=lenient or to is None, collection=collection, **reading)
    file = Source.at(given) if isinstance(given, (str, os.PathLike)) else given
    inputs = [("file", file), *given_inputs(None, (), settings)]
    target = None if to is None else Target.of(os.fspath(to), to_format)
    destination = None if to is None else Outputs(names_of(inputs)).file(to)
    found = located(file, role, target, settings)
    if destination is not None:
        destination.write(found.content)
    return LocationsResult(found.placements, found.notes, inputs)
