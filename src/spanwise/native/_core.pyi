# What the native core offers; each part of the C code has its section.

# -- scan.c

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
