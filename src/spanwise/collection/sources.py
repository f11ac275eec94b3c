"""Where documents are found: folders, zip and tar files, tables, single files."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from pathlib import Path, PurePosixPath

from spanwise.collection.content import Content, whole
from spanwise.collection.limits import refuse_large
from spanwise.collection.member import Member, holds_text, is_hidden
from spanwise.errors import Fault, InputError
from spanwise.formats.decompression import ENDINGS

__all__ = ["Member", "members"]

_HEAD = 1 << 10
_PARQUET = b"PAR1"
_JSON_LINES = frozenset((".jsonl", ".ndjson"))
_PERHAPS_JSON_LINES = frozenset((".json", ""))


def members(source: Path, passed_over: list[str] | None = None) -> Iterator[Member]:
    """The documents of a source, not read yet; hidden files are skipped.

    So are files whose ending says that they hold no text, such as pictures: their places are added
    to ``passed_over``.

    A source is a folder (its files in order, those in folders below included), a zip or tar file,
    a JSONL or Parquet with ``document`` and ``text``, or one document. Files may be compressed;
    what they are is told by their content. Links are followed, each folder is visited once.
    """
    count = 0
    try:
        for member in _members(source):
            if holds_text(member.name):
                yield member
                count += 1
            elif passed_over is not None:
                passed_over.append(member.place)
    except OSError as problem:
        raise _unreadable(problem, source) from None
    if not count:
        expected = "documents that are not hidden"
        raise InputError(Fault(str(source), None, "no documents", expected, "check the path"))


def _members(source: Path) -> Iterator[Member]:
    if source.is_dir():
        return _folder_members(source)
    if not source.is_file():
        found = "a special file" if source.exists() else "no such file"
        expected = "a folder, an archive or a document"
        raise InputError(Fault(str(source), None, found, expected, "check the path"))
    return _file_members(source)


# -- folders


def _folder_members(root: Path) -> Iterator[Member]:
    for name in sorted(_files(root)):
        path = root / name
        packed = name.suffix.lower() in ENDINGS
        inside = name.with_suffix("") if packed else name
        yield Member(inside, str(path), _stamp(path), partial(_read, path, unpack=packed))


def _files(root: Path) -> Iterator[PurePosixPath]:
    """The files below a folder; linked folders come last, unless they were visited already."""
    folders, linked, visited = [root], list[Path](), set[tuple[int, int]]()
    while folders or linked:
        folder = (folders or linked).pop()
        about = folder.stat()
        if (about.st_dev, about.st_ino) in visited:
            continue
        visited.add((about.st_dev, about.st_ino))
        for path in sorted(folder.iterdir(), reverse=True):
            if is_hidden(PurePosixPath(path.name)):
                continue
            if path.is_dir():
                (linked if path.is_symlink() else folders).append(path)
            elif path.is_file():
                yield PurePosixPath(path.relative_to(root).as_posix())
            elif path.is_symlink():
                expected = "links to something"
                fault = Fault(str(path), None, "a broken link", expected, "fix or remove it")
                raise InputError(fault)


# -- files


def _file_members(path: Path) -> Iterator[Member]:
    """The documents of an archive or a table, or the file itself."""
    with path.open("rb") as raw:
        start = raw.read(_HEAD)
    from spanwise.collection.archives import is_tar, is_zip, tar_members, zip_members

    if is_zip(start):
        return zip_members(path)
    if start.startswith(_PARQUET):
        from spanwise.collection.document_tables import parquet_members

        return parquet_members(path)
    with Content(path).open() as stream:
        start = stream.read(_HEAD)
    if is_tar(start):
        return tar_members(path)
    name = _unpacked_name(path)
    if _is_json_lines(name, start):
        from spanwise.collection.document_tables import json_members

        return json_members(path)
    return iter([Member(name, str(path), _stamp(path), partial(_read, path, unpack=True))])


def _unpacked_name(path: Path) -> PurePosixPath:
    name = PurePosixPath(path.name)
    return name.with_suffix("") if name.suffix.lower() in ENDINGS else name


def _is_json_lines(name: PurePosixPath, start: bytes) -> bool:
    suffix = name.suffix.lower()
    if suffix in _JSON_LINES:
        return True
    return suffix in _PERHAPS_JSON_LINES and start.lstrip().startswith(b"{")


def _read(path: Path, *, unpack: bool = False) -> bytes:
    """The bytes of one document; too many are refused before they are read."""
    try:
        refuse_large(str(path), path.stat().st_size)
        if not unpack:
            return path.read_bytes()
        with Content(path).open() as stream:
            return whole(stream, str(path))
    except OSError as problem:
        raise _unreadable(problem, path) from None


def _stamp(path: Path) -> str:
    about = path.stat()
    return f"{about.st_size}-{about.st_mtime_ns}"


def _unreadable(problem: OSError, path: Path) -> InputError:
    place, found = str(problem.filename or path), problem.strerror or str(problem)
    return InputError(Fault(place, None, found, "a file that can be read", "check the path"))
