"""One document of a folder, an archive or a table, before it is read."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import PurePosixPath

_WITHOUT_TEXT = frozenset(
    f".{ending}"
    for ending in (  # noqa: SIM905 (sixty lines of one word each are no easier to read)
        "png jpg jpeg gif bmp tif tiff webp ico psd"
        " mp3 mp4 wav ogg oga ogv flac avi mov webm"
        " ttf otf woff woff2 eot"
        " pdf ps djvu doc docx odt xls xlsx ods ppt pptx odp epub"
        " zip tar 7z rar jar gz bz2 xz zst"
        " exe dll so o a class pyc bin db sqlite parquet spanwise"
    ).split()
)


@dataclass(frozen=True, slots=True)
class Member:
    """One document of a source, not read yet."""

    name: PurePosixPath
    """Inside its source, with an ending that tells the kind of document."""
    place: str
    """For messages: ``docs/a.xml``, ``docs.zip: a.xml``, ``docs.parquet: row 7``."""
    stamp: str
    """Another one whenever the bytes may have changed."""
    read: Callable[[], bytes]
    """The bytes; members in their order are read fastest."""
    document: str | None = None
    """What a table calls the document, since not every name survives as a path."""


def is_hidden(name: PurePosixPath) -> bool:
    """Whether a file is not meant to be seen, or is what a Mac leaves in archives."""
    return any(part.startswith(".") or part == "__MACOSX" for part in name.parts)


def holds_text(name: PurePosixPath) -> bool:
    """Whether a file may be a document; folders of documents hold pictures and fonts as well."""
    return name.suffix.lower() not in _WITHOUT_TEXT
