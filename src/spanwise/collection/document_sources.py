"""Where documents are found: folders, zip and tar files, tables, single files."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path, PurePosixPath

from spanwise.collection.archives import is_tar, is_zip, tar_documents, zip_documents
from spanwise.collection.document_checks import refuse_large
from spanwise.collection.document_rows import is_parquet, json_documents, parquet_documents
from spanwise.collection.source_document import (
    SourceDocument,
    SourceFile,
    is_hidden,
    may_hold_text,
    read_document,
)
from spanwise.errors import Fault, InputError
from spanwise.formats.budget import ENDINGS

INDEX_MANIFEST = "spanwise-index.json"
INDEX_BUILD = re.compile(r"build-[0-9a-f]{16}")
"""The file and the folder that make a folder an index of documents, which is none of them."""
_HEAD = 1 << 10
_JSON_LINES = frozenset((".jsonl", ".ndjson"))
_PERHAPS_JSON_LINES = frozenset((".json", ""))


def source_documents(source: Path, skipped: list[str] | None = None) -> Iterator[SourceDocument]:
    """The documents of a source, not read yet; hidden files are ignored.

    Files whose extension says that they hold no text, such as pictures, are skipped: their places
    are added to ``skipped``.

    A source is a folder (its files in order, those in folders below included), a zip or tar file,
    a JSONL or Parquet with ``document`` and ``text``, or one document. Files may be compressed;
    the content of a file decides its kind. Links are followed as long as they stay in the folder,
    and each folder is visited once; what lies behind other links is refused when it is read.
    """
    count = 0
    try:
        for document in _all_documents(source):
            if may_hold_text(document.file):
                yield document
                count += 1
            elif skipped is not None:
                skipped.append(document.place)
    except OSError as problem:
        raise _unreadable(problem, source) from None
    if not count:
        expected = "documents that are not hidden"
        raise InputError(Fault(str(source), None, "no documents", expected, "check the path"))


def _all_documents(source: Path) -> Iterator[SourceDocument]:
    if source.is_dir():
        _refuse_index(source)
        return _documents_in_folder(source)
    if not source.is_file():
        found = "a special file" if source.exists() else "no such file"
        expected = "a folder, an archive or a document"
        raise InputError(Fault(str(source), None, found, expected, "check the path"))
    return _documents_in_file(source)


# -- folders


def _refuse_index(folder: Path) -> None:
    if _is_index(list(folder.iterdir())):
        remedy = "give the documents that it was built from"
        raise InputError(Fault(str(folder), None, "an index", "documents", remedy))


def _is_index(entries: Sequence[Path]) -> bool:
    """Is it the folder of an index? A file of this name alone may be anything."""
    names = [path.name for path in entries]
    return INDEX_MANIFEST in names and any(map(INDEX_BUILD.fullmatch, names))


def _documents_in_folder(root: Path) -> Iterator[SourceDocument]:
    inside = root.resolve()
    for file in sorted(_files(root, inside)):
        path, unpacked = root / file, _decompressed_file(file)
        read = partial(_read, path, unpack=unpacked != file)
        if _leads_out(path, inside):
            read = partial(_refuse_link, path)
        yield SourceDocument(unpacked, str(path), _stamp(path), read)


def _files(root: Path, inside: Path) -> Iterator[PurePosixPath]:
    """The files below a folder; linked folders come last, unless they were visited already.

    Indexes are left out. A link to a folder elsewhere is not followed and stands for what is there.
    """
    folders, linked, visited = [root], list[Path](), set[tuple[int, int]]()
    while folders or linked:
        folder = (folders or linked).pop()
        about = folder.stat()
        if (about.st_dev, about.st_ino) in visited:
            continue
        visited.add((about.st_dev, about.st_ino))
        found = sorted(folder.iterdir(), reverse=True)
        if _is_index(found):
            continue
        for path in found:
            if is_hidden(PurePosixPath(path.name)):
                continue
            if path.is_dir() and not _leads_out(path, inside):
                (linked if path.is_symlink() else folders).append(path)
            elif path.is_dir() or path.is_file():
                yield PurePosixPath(path.relative_to(root).as_posix())
            elif path.is_symlink():
                expected = "links to existing files"
                fault = Fault(str(path), None, "a broken link", expected, "fix or remove it")
                raise InputError(fault)


def _leads_out(path: Path, inside: Path) -> bool:
    """Is it a link to what is not in the folder?"""
    return path.is_symlink() and not path.resolve().is_relative_to(inside)


def _refuse_link(path: Path) -> bytes:
    found, expected = f"a link out of the folder, to {path.resolve()}", "files in the folder"
    remedy = "copy it there, or give it as a source of its own"
    raise InputError(Fault(str(path), None, found, expected, remedy))


# -- files


def _documents_in_file(path: Path) -> Iterator[SourceDocument]:
    """The documents of an archive or a table, or the file itself."""
    with path.open("rb") as raw:
        start = raw.read(_HEAD)
    if is_zip(start):
        return zip_documents(path)
    if is_parquet(start):
        return parquet_documents(path)
    with SourceFile(path).open() as stream:
        start = stream.read(_HEAD)
    if is_tar(start):
        return tar_documents(path)
    file = _decompressed_file(PurePosixPath(path.name))
    if _is_json_lines(file, start):
        return json_documents(path)
    read = partial(_read, path, unpack=True)
    return iter([SourceDocument(file, str(path), _stamp(path), read)])


def _decompressed_file(file: PurePosixPath) -> PurePosixPath:
    """The name of a file without the extension of its compression."""
    return file.with_suffix("") if file.suffix.lower() in ENDINGS else file


def _is_json_lines(file: PurePosixPath, start: bytes) -> bool:
    suffix = file.suffix.lower()
    if suffix in _JSON_LINES:
        return True
    return suffix in _PERHAPS_JSON_LINES and start.lstrip().startswith(b"{")


def _read(path: Path, *, unpack: bool = False) -> bytes:
    """The bytes of one document; a document that is too large is refused before it is read."""
    try:
        refuse_large(str(path), path.stat().st_size)
        if not unpack:
            return path.read_bytes()
        with SourceFile(path).open() as stream:
            return read_document(stream, str(path))
    except OSError as problem:
        raise _unreadable(problem, path) from None


def _stamp(path: Path) -> str:
    about = path.stat()
    return f"{about.st_size}-{about.st_mtime_ns}"


def _unreadable(problem: OSError, path: Path) -> InputError:
    place, found = str(problem.filename or path), problem.strerror or str(problem)
    return InputError(Fault(place, None, found, "a file that can be read", "check the path"))
