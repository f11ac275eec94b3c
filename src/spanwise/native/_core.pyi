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
    block: object,
    begin: int,
    end: int,
    first_line: int,
    longest_name: int,
    room: int,
    fields: tuple[tuple[bytes, int, tuple[object, ...]], ...],
    present: object,
    given: object,
    line: object,
    position: object,
    /,
) -> tuple[int, int, int, bool]: ...

# -- pairs.c

# -- ranges.c

# -- objects.c

# -- gains.c
