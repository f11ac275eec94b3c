"""INEX Best-in-Context runs: where to begin reading each document."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import BinaryIO

from spanwise.data.faults import Faults
from spanwise.data.run import Extent, Run
from spanwise.formats.answers import (
    Answers,
    Layout,
    read_offset,
    read_rank_and_score,
    run_blocks,
)
from spanwise.formats.column_lines import (
    places_in,
    ranked_rows,
    refuse_elements,
    refuse_run,
    scores_in,
)
from spanwise.formats.fields import Fields
from spanwise.formats.registry import RunOptions
from spanwise.formats.source import Source

RUN_TITLE = "INEX Best-in-Context run"


def _decode(fields: Fields, faults: Faults) -> Answers:
    rank, score, unordered = read_rank_and_score(fields, faults)
    offset, no_offset = read_offset(fields, faults)
    return Answers.of(fields, Extent.POINT, offset, offset, rank, score, unordered | no_offset)


LAYOUT = Layout(
    columns=7,
    description=f"{RUN_TITLE}: topic Q0 document rank score run offset",
    decode=_decode,
)


def read_run(source: Source, faults: Faults, options: RunOptions) -> Iterator[Run]:
    """Blocks of a run: ``topic Q0 document rank score run offset``."""
    return run_blocks(source, LAYOUT, faults, whole=options.whole)


def write_run(runs: Iterable[Run], stream: BinaryIO) -> list[str]:
    """One line for each answer, in the order of the ranking: where it begins."""
    lost: dict[str, None] = {}
    for run in runs:
        refuse_run(run, RUN_TITLE)
        refuse_elements(run, RUN_TITLE)
        rows = ranked_rows(run)
        place = places_in(run, rows)
        topics = (run.topics[number] for number in run.topic[rows].tolist())
        columns = (column.tolist() for column in (place, scores_in(run, rows), run.start[rows]))
        for topic, document, rank, value, start in zip(
            topics, run.documents.take(rows).strings(), *columns, strict=True
        ):
            line = f"{topic} Q0 {document} {rank} {value} {run.name} {start}\n"
            stream.write(line.encode())
        if (run.extent != Extent.POINT).any():
            lost[f"run {run.name}: where answers end is lost"] = None
    return list(lost)
