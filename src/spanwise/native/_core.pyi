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

# -- pairs.c

# -- ranges.c

# -- objects.c

# -- gains.c

def element_gains(
    tree: tuple[object, ...],
    pairs: tuple[object, ...],
    nodes: tuple[object, ...],
    answers: tuple[object, ...],
    alpha: float,
    nothing: float,
    gain: object,
    drawn: object,
    /,
) -> None: ...
