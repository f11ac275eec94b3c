"""How much memory an evaluation may take, and how it is shared out."""

from __future__ import annotations

import re
import sys
from pathlib import Path

from spanwise.errors import SpanwiseError, option, shown
from spanwise.records import Struct, must_be

LEAST = 200_000_000
"""Less than what Python, NumPy and one block take is not promised."""
USUAL = 1_000_000_000
"""Shared out where nothing is said and something has to wait until it is complete."""
_BLOCKS = 30_000_000
"""What blocks take while they are read, whatever room there is for answers that wait."""
_ROOM = 20_000_000
"""What must be left for these, beside the program and the assessments."""
_UNITS = {"MB": 10**6, "GB": 10**9, "TB": 10**12, "MIB": 2**20, "GIB": 2**30, "TIB": 2**40}
_SIZE = re.compile(r"([0-9]{1,9}(?:\.[0-9]+)?) ?([A-Za-z]+)")

POLARS = 50_000_000
"""What the package that reads Parquet takes by itself."""
ROW = 700
"""Bytes that an answer takes while it is put together with others and scored."""
TABLE_ROW = 1_000
"""The same while it is decoded from a table, such as Parquet."""
WHOLE = 20
"""Bytes of memory that each byte of a file takes that is read whole."""


def bytes_in(size: str | int) -> int:
    """How many bytes a size means.

    >>> bytes_in("1.5GB"), bytes_in("1GiB"), bytes_in("500 MB")
    (1500000000, 1073741824, 500000000)
    """
    if isinstance(size, bool) or not isinstance(size, (str, int)):
        raise must_be("memory", "a size such as '1GB'", size)
    found = _SIZE.fullmatch(size.strip()) if isinstance(size, str) else None
    unit = _UNITS.get(found[2].upper()) if found else None
    if isinstance(size, str) and (found is None or unit is None):
        raise SpanwiseError(
            f"{option('memory')} must be a size such as 500MB, 1GB or 1.5GiB, got {shown(size)}"
        )
    count = size if isinstance(size, int) else int(float(found[1]) * (unit or 0)) if found else 0
    if count < LEAST:
        least = f"{LEAST // 10**6}MB"
        raise SpanwiseError(
            f"{option('memory')} must be at least {least}, got {size}: so much is taken by the"
            " program itself and the blocks that it reads"
        )
    return count


class Shares(Struct, frozen=True):
    """What one of several files that are scored side by side may take, in bytes."""

    room: int
    workers: int
    """Threads that score partitions of it at the same time."""

    @property
    def waiting(self) -> int:
        """Answers that wait to be written; they are copied once on the way."""
        return self.room // 4

    @property
    def rows(self) -> int:
        """Rows of a table that are decoded together; some blocks are under way at once."""
        return max(self.room // (TABLE_ROW * (self.workers + 1)), 1000)

    @property
    def partition(self) -> int:
        """Bytes on disk of topics that are scored together."""
        return max(int(self.room * 0.75 / self.workers * _DISK_ROW / ROW), 1)

    @property
    def whole(self) -> int:
        """Bytes of a file that may be read whole."""
        return self.room // WHOLE


def assessed_share(limit: int) -> int:
    """What assessments may take; larger ones are read part by part, each as large as this."""
    return limit // 3


_DISK_ROW = 80
"""Bytes that an answer has on disk, about."""


def shares(limit: int | None, taken: int, files: int, workers: int) -> Shares:
    """The shares of files that are scored side by side, after what is taken already.

    Without a limit there is nothing that the caller could exceed, whatever is taken.
    """
    if limit is None:
        return Shares(USUAL // max(files, 1), max(workers, 1))
    room = limit - taken - _BLOCKS * max(files, workers)
    if room < _ROOM:
        need = (limit - room + _ROOM) // 10**6 + 1
        raise SpanwiseError(
            f"{option('memory')}: the program and the assessments take {taken // 10**6:,} MB, which"
            f" leaves too little of {limit // 10**6:,} MB for runs; give at least {need}MB"
        )
    return Shares(room // max(files, 1), max(workers, 1))


def most_jobs(limit: int, taken: int) -> int:
    """How many threads there is room for; there is always one."""
    return max((limit - taken) // (_BLOCKS + _ROOM), 1)


def taken_now() -> int:
    """The bytes of this process that are in memory."""
    try:
        pages = int(Path("/proc/self/statm").read_text().split()[1])
    except (OSError, ValueError, IndexError):
        return _most_taken()
    import resource

    return pages * resource.getpagesize()


def _most_taken() -> int:
    """The most that it has taken, where the system does not tell what it takes now."""
    if sys.platform == "win32":
        return LEAST // 2
    import resource

    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return most if sys.platform == "darwin" else most * 1024
