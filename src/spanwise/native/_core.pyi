# What the native core offers; each part of the C code has its section.

import numpy as np
import numpy.typing as npt

# -- scan.c

# -- jsonl.c

# -- pairs.c

# -- ranges.c

# -- objects.c
_Seven = tuple[bytearray, bytearray, bytearray, bytearray, bytearray, bytearray, bytearray]

def answers(data: object, longest: int, /) -> tuple[list[str], *_Seven] | None: ...
def judgements(
    data: object, longest: int, /
) -> tuple[list[str], *_Seven, bytearray, bytearray] | None: ...
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
