# What the native core offers; each part of the C code has its section.

from typing import Any

import numpy as np
import numpy.typing as npt

Bytes = npt.NDArray[np.uint8]
Integers = npt.NDArray[np.int64]

# -- scan.c

def scan_lines(
    block: Bytes, kinds: str, columns: tuple[npt.NDArray[Any], ...], /
) -> tuple[int, int, tuple[int, ...]] | None: ...
def last_group(block: Bytes, columns: int, first: int, second: int, /) -> int: ...
def count_lines(text: Bytes, /) -> int: ...
def decode_names(block: Bytes, start: Integers, end: Integers, /) -> list[str]: ...

# -- jsonl.c

def scan_json(
    block: Bytes,
    decodes: bool,
    begin: int,
    end: int,
    first_line: int,
    longest_name: int,
    room: int,
    fields: tuple[tuple[bytes, int, tuple[npt.NDArray[Any], ...]], ...],
    present: npt.NDArray[np.uint64],
    given: npt.NDArray[np.uint64],
    line: Integers,
    position: Integers,
    /,
) -> tuple[int, int, int, bool]: ...

# -- pairs.c

# -- ranges.c

# -- objects.c
def answers(data: object, longest: int, /) -> tuple[list[str], *tuple[bytearray, ...]] | None: ...
def judgements(
    data: object, longest: int, /
) -> tuple[list[str], *tuple[bytearray, ...]] | None: ...
def scan_qrels(text: npt.NDArray[np.uint8], /) -> tuple[bytearray, ...] | None: ...
def scan_fol(text: npt.NDArray[np.uint8], /) -> tuple[bytearray, ...] | None: ...
def sort_pairs(
    topics: npt.NDArray[np.uint8],
    topic_start: npt.NDArray[np.int64],
    topic_end: npt.NDArray[np.int64],
    documents: npt.NDArray[np.uint8],
    document_start: npt.NDArray[np.int64],
    document_end: npt.NDArray[np.int64],
    /,
) -> bytearray: ...

# -- gains.c
