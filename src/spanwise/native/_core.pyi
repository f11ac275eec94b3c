# What the native core offers; each part of the C code has its section.

from typing import Any

import numpy as np
import numpy.typing as npt

_Bytes = npt.NDArray[np.uint8]
_Booleans = npt.NDArray[np.bool_]
_Integers = npt.NDArray[np.int64]
_Keys = npt.NDArray[np.uint64]
_Floats = npt.NDArray[np.float64]

# -- scan.c

def scan_lines(
    block: _Bytes, kinds: str, columns: tuple[npt.NDArray[Any], ...], /
) -> tuple[int, int, tuple[int, ...]] | None: ...
def last_group(block: _Bytes, columns: int, first: int, second: int, /) -> int: ...
def count_lines(text: _Bytes, /) -> int: ...

# -- jsonl.c

def scan_json(
    block: _Bytes,
    decodes: bool,
    begin: int,
    end: int,
    first_line: int,
    longest_name: int,
    room: int,
    fields: tuple[tuple[bytes, int, tuple[npt.NDArray[Any], ...]], ...],
    present: npt.NDArray[np.uint64],
    given: npt.NDArray[np.uint64],
    line: _Integers,
    position: _Integers,
    /,
) -> tuple[int, int, int, bool]: ...

# -- pairs.c
# Names are three columns: buffer, start, end. Columns marked out are written.

def settle_mix(wanted: int, /) -> int: ...
def keys(buffer: _Bytes, start: _Integers, end: _Integers, out: _Keys, /) -> None: ...
def equals(
    buffer: _Bytes,
    start: _Integers,
    end: _Integers,
    other_buffer: _Bytes,
    other_start: _Integers,
    other_end: _Integers,
    out: _Booleans,
    /,
) -> None: ...
def strings(buffer: _Bytes, start: _Integers, end: _Integers, /) -> list[str]: ...
def name_runs(buffer: _Bytes, start: _Integers, end: _Integers, out: _Integers, /) -> int: ...
def codes(
    buffer: _Bytes,
    start: _Integers,
    end: _Integers,
    key: _Keys,
    group: _Integers | None,
    out: _Integers | None,
    /,
) -> int: ...
def slots_for(rows: int, /) -> int: ...
def index_pairs(
    buffer: _Bytes,
    start: _Integers,
    end: _Integers,
    topic: _Integers,
    out_slots: _Keys,
    key: _Keys,
    /,
) -> None: ...
def find_pairs(
    index_buffer: _Bytes,
    index_start: _Integers,
    index_end: _Integers,
    index_topic: _Integers,
    index_slots: _Keys,
    buffer: _Bytes,
    start: _Integers,
    end: _Integers,
    key: _Keys,
    topic: _Integers | None,
    out: _Integers,
    /,
) -> None: ...
def pages(*columns: Any) -> tuple[int, int, int]: ...
def order_facts(
    offsets: _Integers, score: _Floats | None, rank: _Integers | None, /
) -> tuple[int, int, int, int, int, int, int, int, int, int, int, int]: ...

# -- ranges.c
# Ranges of owners are three columns: owner, start, end; sorted ones: offsets, start, end.

def union_ranges(*columns: _Integers) -> int: ...
def sharing(owners: int, columns: tuple[Any, ...], /) -> None: ...
def covered(*columns: _Integers) -> None: ...
def overlap_sizes(*columns: _Integers) -> None: ...
def take_ranges(*columns: _Integers | None) -> int: ...
def first_read(owners: int, columns: tuple[_Integers, ...], /) -> int: ...
def answer_curve(*columns: _Integers) -> None: ...
def reading(comes_last: int, penalty: int, by_place: bool, columns: tuple[Any, ...], /) -> int: ...

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
def find_elements(
    slot: object,
    path: object,
    offsets: object,
    keys: object,
    element: object,
    found: object,
    /,
) -> None: ...
