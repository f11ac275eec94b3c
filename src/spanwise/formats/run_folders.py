"""Folders of run files: one file for each part of a run, and perhaps one folder for each run.

Lakes call folders by what all rows in them have in common: ``run=bm25/part-0.parquet`` holds a part
of the run ``bm25``.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from urllib.parse import quote, unquote

from spanwise.errors import Fault, InputError, legible
from spanwise.formats.source import Source

_COLUMN = "run="
_NOT_DATA = (".", "_")
"""Files such as ``_SUCCESS`` and ``.part-0.crc`` tell how a folder was written."""


class RunFolder(Source, frozen=True):
    """A folder of run files, given as one run."""

    files: tuple[Source, ...] = ()

    @classmethod
    def at(cls, path: str | os.PathLike[str]) -> RunFolder:
        """The folder at a path; one without any file is refused."""
        name = os.fspath(path)
        files = tuple(sources_in(Path(name)))
        return cls(name, called=common_stem(files, Path(name)), files=files)


def folder_of(run: str) -> str:
    """The name of the folder of a run.

    >>> folder_of("bm25/k1=1.2"), folder_of("bm25")
    ('run=bm25%2Fk1%3D1.2', 'run=bm25')
    """
    return _COLUMN + quote(run, safe="")


def is_read_in(place: Path, folder: Path) -> bool:
    """Would files at this place, which need not be there yet, be files of the run in a folder?

    >>> is_read_in(Path("runs/kept"), Path("runs")), is_read_in(Path("runs/_kept"), Path("runs"))
    (True, False)
    """
    place, folder = place.resolve(), folder.resolve()
    if not place.is_relative_to(folder):
        return False
    return not any(part.startswith(_NOT_DATA) for part in place.relative_to(folder).parts)


def sources_in(folder: Path) -> list[Source]:
    """The files of a folder in the order of their paths; a folder without any is refused."""
    files = sorted(_files(folder), key=lambda file: file.relative_to(folder).parts)
    if not files:
        remedy = "check the path"
        raise InputError(Fault(str(folder), None, "an empty folder", "files of a run", remedy))
    return [Source(str(file), called=_run_of(file, folder)) for file in files]


def common_stem(files: Sequence[Source], folder: Path) -> str:
    """What the run of a folder without answers is called: like that of all its files, if it is one.

    >>> common_stem([Source("runs/run=a/p0", called="a")], Path("runs"))
    'a'
    """
    stems = {file.stem for file in files}
    return stems.pop() if len(stems) == 1 else _stem_of(folder)


def _files(root: Path) -> Iterator[Path]:
    """The files below a folder; linked folders come last, unless they were visited already."""
    folders, linked, visited = [root], list[Path](), set[tuple[int, int]]()
    while folders or linked:
        folder = (folders or linked).pop()
        about = folder.stat()
        if (about.st_dev, about.st_ino) in visited:
            continue
        visited.add((about.st_dev, about.st_ino))
        for path in sorted(folder.iterdir(), reverse=True):
            if path.name.startswith(_NOT_DATA):
                continue
            if path.is_dir():
                (linked if path.is_symlink() else folders).append(path)
            elif path.is_file():
                yield path


def _run_of(file: Path, folder: Path) -> str:
    """The run that a folder on the way to a file is called after, else the outermost folder."""
    for part in reversed(file.relative_to(folder.parent).parts[:-1]):
        if _names_run(part):
            return unquote(part.removeprefix(_COLUMN))
    return _stem_of(folder)


def _names_run(part: str) -> bool:
    return part.startswith(_COLUMN) and part != _COLUMN


def _stem_of(folder: Path) -> str:
    return legible(folder.resolve().name)


def file_stem(file: Source) -> str:
    """What a file of a folder is called by itself: like its run, if its folder names one.

    >>> file_stem(Source("runs/run=bm25/part-0.parquet", called="bm25")), file_stem(Source("a.fol"))
    ('bm25', 'a')
    """
    if any(map(_names_run, Path(file.name).parts[:-1])):
        return file.stem
    return Source(file.name).stem
