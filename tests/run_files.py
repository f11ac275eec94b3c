"""Run files in several formats, drawn at random, and engines that work on very small parts."""

from __future__ import annotations

import random
from collections.abc import Sequence
from pathlib import Path

import pytest

from spanwise.engines import in_process
from spanwise.engines.memory import Shares
from spanwise.formats import json_runs
from spanwise.formats.builtin.binary import parquet
from spanwise.formats.source import Blocks, Source

JUDGED = {
    f"t{n}": {f"d{m}é": [(10 * m, 10 * m + 30)] if m % 2 else [] for m in range(1 + n % 7)}
    for n in range(45)
}
MEASURES = ["textP", "textR", "AgP(aveChP)", "nDCG@3", "AP", "rag"]
ENDINGS = (".jsonl", ".fol", ".parquet")

Row = tuple[str, str, str, int, int, float]


def drawn(seed: int, topics: int = 40, *, runs: Sequence[str] = ("a", "b")) -> list[Row]:
    source, rows = random.Random(seed), []
    for run in runs:
        for topic in source.sample(range(topics), topics):
            for place in range(source.randint(1, 9)):
                start = source.randint(0, 90)
                rows.append((run, f"t{topic}", f"d{place}é", start, start + 5, 9.0 - place))
    return rows


def written(rows: Sequence[Row], file: Path, *, tagged: bool = True) -> Path:
    """The rows in the order in which they are given, in the format of the ending."""
    if file.suffix == ".jsonl":
        fields = ("run", "topic", "document", "start", "end", "score")
        lines = (
            "{"
            + ", ".join(
                f'"{n}": {v!r}'.replace("'", '"')
                for n, v in zip(fields, row, strict=True)
                if tagged or n != "run"
            )
            + "}"
            for row in rows
        )
        file.write_text("\n".join(lines) + "\n", encoding="utf-8")
    elif file.suffix == ".fol":
        lines = (
            f"{t} Q0 {d} {n + 1} {x} {r} {s} {e - s}" for n, (r, t, d, s, e, x) in enumerate(rows)
        )
        file.write_text("\n".join(lines) + "\n", encoding="utf-8")
    else:
        import polars as pl

        names = ("run", "topic", "document", "start", "end", "score")
        frame = pl.DataFrame(rows, schema=names, orient="row")
        frame.write_parquet(file, row_group_size=7)
    return file


class SmallShares(Shares, frozen=True):
    """So little that a few answers fill it."""

    waiting = 2000
    rows = 16
    partition = 1500
    whole = 10**6


def in_small_blocks(source: Source) -> Blocks:
    """About three lines together."""
    return Blocks(source, 300)


def make_everything_small(patch: pytest.MonkeyPatch) -> None:
    """Let small files be read in many blocks, which have little room."""
    patch.setattr(json_runs, "RUN_BLOCK", 700)
    patch.setattr(parquet, "ROWS", 16)
    patch.setattr(Source, "blocks", lambda source, size=300: Blocks(source, min(size, 700)))
    patch.setattr(in_process, "shares", lambda *_: SmallShares(0, 2))
