# What the native core offers; each part of the C code has its section.

# -- scan.c

# -- jsonl.c

# -- pairs.c

# -- ranges.c

# -- objects.c

# -- gains.c
