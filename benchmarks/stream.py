"""A run of any length, through a pipe: ``stream.py COUNT run|qrels QRELS RUN``.

Writes a block of topics COUNT times, with other topic names each time, so that a run of many
gigabytes needs no disk.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

_PLACE = b"########"


def main() -> None:
    """Write the run or the assessments to standard output."""
    count, what, qrels, run = sys.argv[1:]
    block = Path(run if what == "run" else qrels).read_bytes()
    template = re.sub(rb"^q(\d+) ", rb"q" + _PLACE + rb"-\1 ", block, flags=re.MULTILINE)
    for number in range(int(count)):
        sys.stdout.buffer.write(template.replace(_PLACE, b"%08d" % number))


if __name__ == "__main__":
    main()
