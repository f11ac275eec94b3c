"""MS MARCO runs: a ranking of whole documents in three columns, without scores and names."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import BinaryIO

from spanwise.data.notes import Faults, Note
from spanwise.data.run import Extent, Run
from spanwise.formats.beginning import Beginning
from spanwise.formats.chunks import chunks_named_in
from spanwise.formats.column_runs import Layout, RunPieces
from spanwise.formats.column_writing import (
    first_answers,
    lost_ranges,
    places_in,
    refuse_run,
    write_lines,
)
from spanwise.formats.registry import GUESS, NO, Format, Role, RunOptions
from spanwise.formats.row_writing import only_run
from spanwise.formats.source import Source
from spanwise.records import replace

TITLE = "MS MARCO run"
LAYOUT = Layout(TITLE, ("topic", "document", "rank"), order="rank", several_per_document=False)


ENDING = ".msmarco"


def recognises(beginning: Beginning, role: Role) -> int:
    """The last column is a rank, in the first line and in most others.

    Never more than a guess: other formats that lack columns look the same.
    """
    if not _is_answer(beginning.columns):
        return NO
    answers = [columns for line in beginning.lines if _is_answer(columns := line.split())]
    if 2 * len(answers) <= len(beginning.lines):
        return NO
    return GUESS if _has_ending(beginning.source.name) or _are_ranks(answers) else NO


def _has_ending(file: str) -> bool:
    """Does the name of a file, compressed or not, say what it is?"""
    return ENDING in Path(file).suffixes


def _are_ranks(answers: list[list[str]]) -> bool:
    """Whole numbers that are scores or grades do not begin with 1, or come again in a topic."""
    first = [int(rank) for topic, _, rank in answers if topic == answers[0][0]]
    return 1 in first and 0 not in first and len({*first}) == len(first)


def _is_answer(columns: list[str]) -> bool:
    return len(columns) == 3 and columns[2].isascii() and columns[2].isdigit()


def read_run(source: Source, faults: Faults, options: RunOptions) -> Iterable[Run]:
    """Blocks of a run: ``topic document rank``; the documents may be chunks."""
    layout = replace(LAYOUT, resolve=chunks_named_in(options.chunks))
    return RunPieces(source, layout, faults, options)


def write_run(runs: Iterable[Run], stream: BinaryIO) -> list[Note]:
    """The derived document ranking: each document of a topic once; returns what is lost."""
    run = only_run(runs, TITLE)
    refuse_run(run, TITLE, tagged=False)
    rows = first_answers(run)
    write_lines(run, rows, LAYOUT, {"rank": places_in(run, rows)}, stream)
    lost = list(lost_ranges(run, rows))
    return lost if run.score is None else [*lost, Note("scores lost", about=f"run {run.name}")]


FORMAT = Format(
    name="msmarco",
    run_title=TITLE,
    run_sign="3 columns with a rank (MS MARCO)",
    endings=(ENDING,),
    run_columns=(3,),
    recognises=recognises,
    in_blocks=True,
    read_run=read_run,
    cut_at="lines",
    write_run=write_run,
    answers=frozenset((Extent.WHOLE,)),
    single_words=True,
    one_run=True,
    tagged=False,
)
