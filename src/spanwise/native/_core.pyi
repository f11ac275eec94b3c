# What the native core offers; each part of the C code has its section.

from typing_extensions import Buffer

# -- scan.c

def scan_lines(
    block: Buffer, kinds: str, columns: tuple[Buffer, ...], /
) -> tuple[int, int, int, tuple[int, ...]] | None: ...
def last_group(block: Buffer, columns: int, first: int, second: int, /) -> int: ...
def count_lines(text: Buffer, /) -> int: ...
def decode_names(block: Buffer, start: Buffer, end: Buffer, /) -> list[str]: ...

# -- jsonl.c

# -- pairs.c

# -- ranges.c

# -- objects.c

# -- gains.c
