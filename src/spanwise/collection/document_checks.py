"""What a document may be: its size, number and depth of elements, and encoding."""

from __future__ import annotations

import codecs
from typing import NoReturn

from spanwise.data.elements import DEEPEST
from spanwise.errors import Fault, InputError
from spanwise.formats.budget import LIFT, RULE, UNLIMITED, budget
from spanwise.formats.source import UTF16_MARKS

LARGEST_DOCUMENT = 128 << 20
"""Bytes of a document as it is read, and characters of its text."""
MOST_ELEMENTS = 1 << 22
_SMALLEST_ELEMENT = len("<a>")

LARGEST_ARCHIVE = 64 << 30
"""Bytes of all members of an archive together."""

_ASCII = "".join(map(chr, range(32, 127)))
_TO_UTF8 = "convert the file to UTF-8"


# -- size


def refuse_large(place: str, size: int, unit: str = "bytes") -> None:
    """Refuse a document for its size; called before the document is read, where possible."""
    if size > LARGEST_DOCUMENT:
        found, expected = f"{size} {unit}", f"a document of at most {LARGEST_DOCUMENT} {unit}"
        raise InputError(Fault(place, None, found, expected, "split the document", "size"))


def refuse_dense(place: str, count: int) -> None:
    """Refuse a document for the number of its elements."""
    if count > MOST_ELEMENTS:
        expected = f"at most {MOST_ELEMENTS} in a document"
        raise InputError(
            Fault(place, None, f"{count} elements", expected, "split the document", "size")
        )


def refuse_tags(place: str, markup: bytes) -> None:
    """Refuse markup that has too many elements, before it is parsed."""
    if len(markup) > _SMALLEST_ELEMENT * MOST_ELEMENTS:
        refuse_dense(place, markup.count(b"<") - markup.count(b"</"))


def refuse_deep(place: str, line: int | None) -> NoReturn:
    """Refuse a document for the depth of its elements."""
    found, expected = f"elements nested deeper than {DEEPEST} levels", f"at most {DEEPEST}"
    raise InputError(Fault(place, line, found, expected, "flatten the document", "depth"))


def refuse_expansion(place: str, size: int, packed: int) -> None:
    """Refuse an archive that expands far more than documents do."""
    budget().refuse_expansion(place, packed, size)
    if size > LARGEST_ARCHIVE and budget() is not UNLIMITED:
        found, expected = f"{size} bytes or more", f"at most {LARGEST_ARCHIVE} in one archive"
        raise InputError(Fault(place, None, found, expected, f"split it, or {LIFT}", RULE))


# -- encoding

_LOOKED_AT, _LEAST_TEXT = 4096, 8
"""Bytes that tell UTF-16, at most and at least."""


def decoded(file: str, data: bytes, encoding: str = "utf-8") -> str:
    """Every character of a document, none translated; what cannot be decoded is refused."""
    try:
        return data.decode(encoding)
    except UnicodeDecodeError as problem:
        if encoding == "utf-8" and data.startswith(UTF16_MARKS):
            raise InputError(Fault(file, 1, "UTF-16 text", "UTF-8 text", _TO_UTF8)) from None
        line = 1 + data[: problem.start].decode(encoding, "replace").count("\n")
        found, expected = f"byte 0x{data[problem.start]:02x}", f"{encoding.upper()} text"
        raise InputError(Fault(file, line, found, expected, _TO_UTF8)) from None


def refuse_utf16(file: str, data: bytes) -> None:
    """Refuse UTF-16 without a mark, in which most characters of most languages have a NUL byte."""
    head = data[:_LOOKED_AT]
    zeros = head[::2].count(0), head[1::2].count(0)
    if len(head) >= _LEAST_TEXT and max(zeros) > len(head) / 4 > 8 * min(zeros):
        raise InputError(Fault(file, 1, "UTF-16 text", "UTF-8 text", _TO_UTF8))


def declared_encoding(file: str, line: int, name: str) -> str:
    """The codec for an encoding that a document declares in ASCII characters.

    It has to agree with ASCII, or the document could not be read up to its declaration.
    """
    try:
        codec = codecs.lookup(name).name
        if _ASCII.encode().decode(codec) == _ASCII:
            return codec
    except (LookupError, UnicodeError):
        pass
    found, expected = f"encoding {name}", "the encoding that the file is in"
    raise InputError(Fault(file, line, found, expected, _TO_UTF8, "encoding"))
