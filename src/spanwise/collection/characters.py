"""From bytes to characters, without a guess: what cannot be decoded is refused."""

from __future__ import annotations

import codecs

from spanwise.errors import Fault, InputError

_ASCII = "".join(map(chr, range(32, 127)))
_REMEDY = "convert the file to UTF-8"


def characters(file: str, data: bytes, encoding: str = "utf-8") -> str:
    """Every character of a document, none translated."""
    try:
        return data.decode(encoding)
    except UnicodeDecodeError as problem:
        line = 1 + data[: problem.start].decode(encoding, "replace").count("\n")
        found, expected = f"byte 0x{data[problem.start]:02x}", f"{encoding.upper()} text"
        raise InputError(Fault(file, line, found, expected, _REMEDY)) from None


def declared_encoding(file: str, line: int, name: str) -> str:
    """The codec for an encoding that a document declares in characters of ASCII.

    It has to agree with ASCII, or the document could not be read up to its declaration.
    """
    try:
        codec = codecs.lookup(name).name
        if _ASCII.encode().decode(codec) == _ASCII:
            return codec
    except (LookupError, UnicodeError):
        pass
    found, expected = f"encoding {name}", "the encoding that the file is in"
    raise InputError(Fault(file, line, found, expected, _REMEDY, "encoding"))
