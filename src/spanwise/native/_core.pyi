# What the native core offers; each part of the C code has its section.

# -- scan.c

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
