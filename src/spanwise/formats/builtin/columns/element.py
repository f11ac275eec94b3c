"""INEX runs of elements: a path, or everything from one path to another."""

from __future__ import annotations

from collections.abc import Iterable
from typing import BinaryIO

from spanwise.data.notes import Faults, Note
from spanwise.data.run import Extent, Run
from spanwise.formats.beginning import Beginning, first_line
from spanwise.formats.column_runs import Layout, RunPieces
from spanwise.formats.column_writing import (
    ranked_rows,
    ranks_in,
    refuse_run,
    scores_in,
    write_lines,
)
from spanwise.formats.element_paths import names_element
from spanwise.formats.registry import CERTAIN, NO, Format, Role, RunOptions
from spanwise.formats.source import Source

TITLE = "INEX element run"
ONE_PATH = Layout(TITLE, ("topic", "Q0", "document", "rank", "score", "run", "xpath"))
TWO_PATHS = Layout(TITLE, (*ONE_PATH.columns, "last_xpath"))


def recognises(beginning: Beginning, role: Role) -> int:
    """Paths behind the sixth column."""
    paths = beginning.columns[6:]
    return CERTAIN if all(path.startswith("/") for path in paths) else NO


def read_run(source: Source, faults: Faults, options: RunOptions) -> Iterable[Run]:
    """Blocks of a run: ``topic Q0 document rank score run xpath [xpath]``."""
    first = first_line(source)
    several = first is not None and len(first[1].split()) > len(ONE_PATH.columns)
    return RunPieces(source, TWO_PATHS if several else ONE_PATH, faults, options)


def write_run(runs: Iterable[Run], stream: BinaryIO) -> list[Note]:
    """One line for each answer that names an element, in the order of the ranking."""
    several, lost = list(runs), list[Note]()
    wide = any(_has_pairs(run) for run in several)
    for run in several:
        refuse_run(run, TITLE)
        rows = ranked_rows(run)
        rows = rows[names_element(run)[rows]]
        if len(rows) < len(run):
            lost.append(Note("not elements", len(run) - len(rows), about=f"run {run.name}"))
        paths = [] if run.paths is None else run.paths.take(rows).strings()
        if wide:
            paths = [path if " " in path else f"{path} {path}" for path in paths]
        rank = ranks_in(run, rows, lost)
        values = {"rank": rank, "score": scores_in(run, rows), "xpath": paths}
        write_lines(run, rows, ONE_PATH, values, stream)
    return lost


def _has_pairs(run: Run) -> bool:
    return run.paths is not None and any(" " in path for path in run.paths.strings())


FORMAT = Format(
    name="element",
    run_title=TITLE,
    endings=(".element",),
    run_columns=(7, 8),
    recognises=recognises,
    in_blocks=True,
    read_run=read_run,
    write_run=write_run,
    answers=frozenset((Extent.ELEMENT,)),
    single_words=True,
)
