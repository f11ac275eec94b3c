"""INEX Best-in-Context runs: where to begin reading each document."""

from __future__ import annotations

from collections.abc import Iterable
from typing import BinaryIO

from spanwise.data.notes import Faults, Note
from spanwise.data.run import Extent, Run
from spanwise.formats.beginning import Beginning
from spanwise.formats.column_runs import RANGE, Layout, RunPieces
from spanwise.formats.column_writing import (
    places_in,
    ranked_rows,
    refuse_elements,
    refuse_run,
    scores_in,
    write_lines,
)
from spanwise.formats.registry import LIKELY, NO, Format, Role, RunOptions
from spanwise.formats.source import Source

TITLE = "INEX Best-in-Context run"
LAYOUT = Layout(TITLE, ("topic", "Q0", "document", "rank", "score", "run", "offset"))


def recognises(beginning: Beginning, role: Role) -> int:
    """The last column is neither a path nor a range."""
    columns = beginning.columns
    if columns[1] not in ("Q0", "q0"):
        return NO
    return NO if columns[6].startswith("/") or RANGE.fullmatch(columns[6]) else LIKELY


def read_run(source: Source, faults: Faults, options: RunOptions) -> Iterable[Run]:
    """Blocks of a run: ``topic Q0 document rank score run offset``."""
    return RunPieces(source, LAYOUT, faults, options)


def write_run(runs: Iterable[Run], stream: BinaryIO) -> list[Note]:
    """One line for each answer, in the order of the ranking: where it begins."""
    lost: list[Note] = []
    for run in runs:
        refuse_run(run, TITLE)
        refuse_elements(run, TITLE)
        rows = ranked_rows(run)
        values = {
            "rank": places_in(run, rows),
            "score": scores_in(run, rows),
            "offset": run.start[rows],
        }
        write_lines(run, rows, LAYOUT, values, stream)
        if (run.extent != Extent.POINT).any():
            lost.append(Note("ends lost", about=f"run {run.name}"))
    return lost


FORMAT = Format(
    name="entry-points",
    run_title=TITLE,
    run_columns=(7,),
    recognises=recognises,
    in_blocks=True,
    read_run=read_run,
    write_run=write_run,
    answers=frozenset((Extent.POINT,)),
    single_words=True,
)
