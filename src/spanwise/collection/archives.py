"""Documents in zip and tar files. Nothing is ever unpacked to disk.

An archive that could do harm is refused as a whole, even if reading its documents would not.
"""

from __future__ import annotations

import lzma
import re
import stat
import struct
import tarfile
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path, PurePosixPath
from typing import IO, NoReturn, Self

from spanwise.collection.document_checks import refuse_expansion, refuse_large
from spanwise.collection.source_document import SourceDocument, SourceFile, is_hidden
from spanwise.errors import Fault, InputError

_ZIP_STARTS = (b"PK\x03\x04", b"PK\x05\x06")
_SEPARATOR = re.compile(r"[/\\]")
_ROOTED = re.compile(r"[/\\]|[A-Za-z]:")
_ENCRYPTED, _UTF8 = 0x1, 0x800
_BLOCK = 1 << 16
_LARGEST_HEADER = 1 << 20
_LONG_HEADERS = (
    tarfile.GNUTYPE_LONGNAME,
    tarfile.GNUTYPE_LONGLINK,
    tarfile.XHDTYPE,
    tarfile.XGLTYPE,
    tarfile.SOLARIS_XHDTYPE,
)
_DAMAGE = (
    zipfile.BadZipFile,
    tarfile.TarError,
    zlib.error,
    lzma.LZMAError,
    struct.error,
    EOFError,
    OSError,
    NotImplementedError,
    ValueError,
)


def is_zip(start: bytes) -> bool:
    """Whether a file that begins with these bytes is a zip file."""
    return start.startswith(_ZIP_STARTS)


def is_tar(start: bytes) -> bool:
    """Whether a file whose decompressed content begins with these bytes is a tar file."""
    block = start[: tarfile.BLOCKSIZE]
    try:
        tarfile.TarInfo.frombuf(block, "utf-8", "surrogateescape")
    except tarfile.HeaderError:
        return len(block) == tarfile.BLOCKSIZE and not any(block)
    return True


# -- names


class _Names:
    """The names of the members of one archive, each checked."""

    def __init__(self, archive: Path) -> None:
        self._archive = archive
        self._taken: set[PurePosixPath] = set()

    def checked(self, name: str) -> PurePosixPath:
        """The name as a path inside the archive."""
        if _ROOTED.match(name) or ".." in _SEPARATOR.split(name):
            self.refuse(f"a member named {name!r}", "names inside the archive")
        if not name.isprintable() and not _is_unicode(name):
            self.refuse(f"a member named {name!r}", "names of Unicode text")
        return PurePosixPath(name)

    def place(self, name: PurePosixPath) -> str:
        """The place of a member, for messages."""
        return f"{self._archive}: {name}"

    def take(self, name: PurePosixPath) -> PurePosixPath:
        """Use a name for a document; a second document of that name is refused."""
        if name in self._taken:
            self.refuse(f"member {str(name)!r} twice", "each name once")
        self._taken.add(name)
        return name

    def refuse(self, found: str, expected: str) -> NoReturn:
        """Refuse the archive because of one of its members."""
        remedy = "pack the archive again, or do not trust it"
        raise InputError(Fault(str(self._archive), None, found, expected, remedy, "archive"))


def _is_unicode(name: str) -> bool:
    return not any("\ud800" <= sign <= "\udfff" for sign in name)


@contextmanager
def _damage_at(place: str) -> Iterator[None]:
    """Errors of a damaged archive become input errors that name the place."""
    try:
        yield
    except _DAMAGE as problem:
        # What the system or a codec reports would only repeat that it is damaged.
        ours = isinstance(problem, OSError | UnicodeError)
        found = "a damaged archive" if ours else f"a damaged archive ({problem})"
        remedy = "download or copy it again"
        raise InputError(Fault(place, None, found, "a complete archive", remedy)) from None


# -- zip


def zip_documents(path: Path) -> Iterator[SourceDocument]:
    """The documents of a zip file, in the order of its directory."""
    with _damage_at(str(path)):
        archive = zipfile.ZipFile(path)
    entries = archive.infolist()
    refuse_expansion(str(path), sum(entry.file_size for entry in entries), path.stat().st_size)
    names = _Names(path)
    kept = [(_zip_name(names, entry), entry) for entry in entries]
    for name, entry in kept:
        if not (entry.is_dir() or is_hidden(name)):
            place, stamp = names.place(name), f"{entry.CRC:08x}-{entry.file_size}"
            read = partial(_read_zipped, archive, entry, place)
            yield SourceDocument(names.take(name), place, stamp, read)


def _zip_name(names: _Names, entry: zipfile.ZipInfo) -> PurePosixPath:
    """The name of a member; links, encrypted members and zip bombs are refused."""
    if not entry.filename:
        names.refuse("a member without a name", "a name for every member")
    name = names.checked(_decoded(entry))
    if stat.S_ISLNK(entry.external_attr >> 16):
        names.refuse(f"symbolic link {str(name)!r}", "only files and folders")
    if entry.flag_bits & _ENCRYPTED:
        names.refuse(f"encrypted member {str(name)!r}", "members that can be read")
    refuse_expansion(names.place(name), entry.file_size, entry.compress_size)
    return name


def _decoded(entry: zipfile.ZipInfo) -> str:
    """The name of a member: some tools write UTF-8 without declaring it."""
    if entry.flag_bits & _UTF8:
        return entry.filename
    try:
        return entry.filename.encode("cp437").decode()
    except UnicodeError:
        return entry.filename


def _read_zipped(archive: zipfile.ZipFile, entry: zipfile.ZipInfo, place: str) -> bytes:
    refuse_large(place, entry.file_size)
    with _damage_at(place):
        return archive.read(entry)


# -- tar


class _Header(tarfile.TarInfo):
    """A header that is refused if it is damaged or huge; the library would stop silently."""

    @classmethod
    def frombuf(cls, buf: bytes | bytearray, encoding: str, errors: str) -> Self:
        try:
            header = super().frombuf(buf, encoding, errors)
        except tarfile.HeaderError as problem:
            if len(buf) == tarfile.BLOCKSIZE and not any(buf):
                raise
            raise tarfile.ReadError(str(problem)) from None
        if header.type in _LONG_HEADERS and header.size > _LARGEST_HEADER:
            raise tarfile.ReadError(f"a header of {header.size} bytes")
        return header


def tar_documents(path: Path) -> Iterator[SourceDocument]:
    """The documents of a tar file, compressed or not, in their order."""
    file = SourceFile(path)
    with _damage_at(str(path)), file.open() as stream:
        found = list(_tarred(path, stream))
        while stream.read(_BLOCK):
            # Damage after the last member is damage too.
            pass
    for name, offset, size, checksum in found:
        place, stamp = f"{path}: {name}", f"{checksum:08x}-{size}"
        read = partial(_read_tarred, file, offset, size, checksum, place)
        yield SourceDocument(name, place, stamp, read)


def _tarred(path: Path, stream: IO[bytes]) -> Iterator[tuple[PurePosixPath, int, int, int]]:
    """Name, offset, size and checksum of each document."""
    names = _Names(path)
    with tarfile.open(
        fileobj=stream, mode="r|", tarinfo=_Header, encoding="utf-8", bufsize=_BLOCK
    ) as archive:
        while (header := archive.next()) is not None:
            name = _tar_name(names, header)
            if header.isfile() and not is_hidden(name):
                refuse_large(names.place(name), header.size)
                checksum = _checksum(archive.extractfile(header))
                yield names.take(name), header.offset_data, header.size, checksum
            # The library would keep every header in memory.
            archive.members.clear()  # type: ignore[attr-defined]


def _tar_name(names: _Names, header: tarfile.TarInfo) -> PurePosixPath:
    """The name of a member; only plain files and folders are accepted."""
    name = names.checked(header.name)
    if header.issym() or header.islnk():
        names.refuse(f"link {str(name)!r}", "only files and folders")
    if not (header.isfile() or header.isdir()) or header.issparse():
        names.refuse(f"special file {str(name)!r}", "only files and folders")
    return name


def _checksum(stream: IO[bytes] | None) -> int:
    checksum = 0
    while stream is not None and (block := stream.read(_BLOCK)):
        checksum = zlib.crc32(block, checksum)
    return checksum


def _read_tarred(file: SourceFile, offset: int, size: int, checksum: int, place: str) -> bytes:
    refuse_large(place, size)
    data = file.read_at(offset, size)
    if zlib.crc32(data) != checksum:
        found, expected = "an archive that changed while it was read", "an unchanged one"
        raise InputError(Fault(place, None, found, expected, "try again"))
    return data
