"""Checksums of the files of a build: one that is not as it was written is never used."""

from __future__ import annotations

import zlib
from collections.abc import Mapping
from pathlib import Path

_PIECE = 1 << 20
_LOCKS = ".lock"


def checksums_of(folder: Path) -> dict[str, int]:
    """The checksum of each file below a folder, by its path there; locks hold nothing."""
    files = sorted(path for path in folder.rglob("*") if path.is_file())
    return {
        path.relative_to(folder).as_posix(): checksum(path)
        for path in files
        if path.suffix != _LOCKS
    }


def require_unchanged(folder: Path, checksums: Mapping[str, int]) -> None:
    """Raise ``FileNotFoundError`` or ``ValueError`` about a file that is not as it was written."""
    for name, expected in checksums.items():
        if checksum(folder / name) != expected:
            raise ValueError(f"{name} is not as it was written")


def checksum(path: Path) -> int:
    """The CRC-32 of a file."""
    found = 0
    with path.open("rb") as stream:
        while piece := stream.read(_PIECE):
            found = zlib.crc32(piece, found)
    return found
