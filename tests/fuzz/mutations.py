"""Ways to spoil a file: bytes, lines, fields, numbers, names, encodings and wrappers."""

from __future__ import annotations

import gzip
import json
import random
import re
from collections.abc import Callable

from fuzz.written import compressed

Mutation = Callable[[random.Random, bytes], bytes]

NUMBERS = (
    *("-1", "0", "-0", "1", "-0.0", "0.5", "1e308", "1e309", "1e-400", "NaN", "nan", "inf", "-inf"),
    *("Infinity", "2147483648", "4294967296", "9007199254740993", "9223372036854775807"),
    *("9223372036854775808", "-9223372036854775809", "18446744073709551616", "1" + "0" * 400),
    *(
        "9" * 4400,
        "0x10",
        "1_000",
        "1,5",
        "+3",
        "01",
        "1.",
        ".5",
        "٣",
        "1e5",
        "high",
        "null",
        "true",
    ),
)
NAMES = (
    *(
        "\u202eevil",
        "a\u200bb",
        "\x1b[31mred",
        "d\x07",
        "..",
        "/",
        "../../x",
        "x" * 300,
        "ä",
        "e\u0301",
    ),
    *("#d1", '"', "'", "<b>", "&amp;", "a,b", "a;b", "d1\u00a0", "\u2028", "😀", "NaN", "0", "-"),
    *("true", "null", "\ufeffd", "D1", "{}", "%s", "\\", "\x7f", "nul\x00nul", "x" * 12_000),
)
KEYS = (
    *(
        "from",
        "to",
        "judgement",
        "offset",
        "length",
        "start_index",
        "Start",
        "begin",
        "stop",
        "sim",
    ),
    *("doc_id", "qid", "rel", "comment", "distance", "text", "chunk", "grade", "score", "end"),
    *("strat", "query", "size", "bep", "path", "parts", "aspect", "topic", "document", ""),
)
VALUES = (
    *("null", "true", "false", "[]", "{}", '""', '"x"', "[1]", '{"a": 1}', "NaN", "Infinity"),
    *('"\\ud800"', '"\\u0000"', '"5"', "5.0", "1e3", "-1", "0", "1e400", "12345678901234567890"),
)


# -- bytes


def flip_bytes(source: random.Random, data: bytes) -> bytes:
    changed = bytearray(data)
    for _ in range(source.choice((1, 1, 1, 2, 8))):
        if changed:
            changed[source.randrange(len(changed))] ^= 1 << source.randrange(8)
    return bytes(changed)


def replace_bytes(source: random.Random, data: bytes) -> bytes:
    place = source.randrange(len(data) + 1)
    size = source.choice((0, 1, 4))
    new = source.choice(
        (b"\0", b"\xff", b"\xc3", b"\r", b"\n", b"\t", b" ", b'"', b"<", b"{", b"\x85")
    )
    return data[:place] + new + data[place + size :]


def truncate(source: random.Random, data: bytes) -> bytes:
    return data[: source.randrange(len(data) + 1)]


def drop_bytes(source: random.Random, data: bytes) -> bytes:
    place = source.randrange(len(data) + 1)
    return data[:place] + data[place + source.choice((1, 2, 10, 100)) :]


def append_bytes(source: random.Random, data: bytes) -> bytes:
    return data + source.choice((b"\0", b"x", b"\n\n", b"{", b"# end", b"\xef\xbb\xbf", data[:50]))


# -- lines


def _lines(data: bytes) -> list[bytes]:
    return data.splitlines(keepends=True) or [b""]


def duplicate_line(source: random.Random, data: bytes) -> bytes:
    lines = _lines(data)
    line = source.choice(lines)
    lines.insert(source.randrange(len(lines) + 1), line)
    return b"".join(lines)


def drop_line(source: random.Random, data: bytes) -> bytes:
    lines = _lines(data)
    del lines[source.randrange(len(lines))]
    return b"".join(lines)


def shuffle_lines(source: random.Random, data: bytes) -> bytes:
    lines = _lines(data)
    source.shuffle(lines)
    return b"".join(lines)


def insert_line(source: random.Random, data: bytes) -> bytes:
    lines = _lines(data)
    new = source.choice(
        (b"# comment\n", b"\n", b"   \t\n", b"#\n", b"x\n", b"{}\n", b"[]\n", b"<x/>\n", b"null\n")
    )
    lines.insert(source.randrange(len(lines) + 1), new)
    return b"".join(lines)


# -- fields: of columns, of JSON, of XML


_TOKEN = re.compile(rb'[^\s,:{}\[\]<>="/]+')
_NUMBER = re.compile(rb"-?\d+(\.\d+)?")


def _replace_match(
    source: random.Random, data: bytes, pattern: re.Pattern[bytes], new: bytes
) -> bytes:
    found = list(pattern.finditer(data))
    if not found:
        return data
    place = source.choice(found)
    return data[: place.start()] + new + data[place.end() :]


def change_number(source: random.Random, data: bytes) -> bytes:
    return _replace_match(source, data, _NUMBER, source.choice(NUMBERS).encode())


def nudge_number(source: random.Random, data: bytes) -> bytes:
    """A number that is only a little wrong, or still right: only a twin can tell."""
    found = [match for match in _NUMBER.finditer(data) if match.group().isdigit()]
    if not found:
        return data
    place = source.choice(found)
    number = int(place.group()) + source.choice((-2, -1, 1, 2, 10))
    return data[: place.start()] + str(number).encode() + data[place.end() :]


def change_name(source: random.Random, data: bytes) -> bytes:
    new = source.choice(NAMES).encode("utf-8", "surrogatepass")
    return _replace_match(source, data, _TOKEN, new)


def swap_tokens(source: random.Random, data: bytes) -> bytes:
    """Two fields exchanged, which may be valid and mean something else."""
    lines = _lines(data)
    number = source.randrange(len(lines))
    found = list(_TOKEN.finditer(lines[number]))
    if len(found) < 2:
        return data
    first, second = sorted(source.sample(found, 2), key=lambda match: match.start())
    line = lines[number]
    lines[number] = (
        line[: first.start()]
        + second.group()
        + line[first.end() : second.start()]
        + first.group()
        + line[second.end() :]
    )
    return b"".join(lines)


def copy_token(source: random.Random, data: bytes) -> bytes:
    """A field of another place: other topics, documents and paths that do exist."""
    found = list(_TOKEN.finditer(data))
    return _replace_match(source, data, _TOKEN, source.choice(found).group()) if found else data


def change_key(source: random.Random, data: bytes) -> bytes:
    """A field of one JSON line, or of a header, renamed."""
    key = source.choice(KEYS).encode()
    pattern = re.compile(rb'(?<=")\w+(?="\s*:)')
    if pattern.search(data):
        found = [match.group() for match in pattern.finditer(data)]
        if source.random() < 0.5:  # everywhere, as another tool would write it
            old = b'"' + source.choice(found) + b'":'
            return data.replace(old, b'"' + key + b'":')
        return _replace_match(source, data, pattern, key)
    header, newline, rest = data.partition(b"\n")
    return _replace_match(source, header, re.compile(rb"[^,\t]+"), key) + newline + rest


def change_value(source: random.Random, data: bytes) -> bytes:
    """The value of a JSON field."""
    pattern = re.compile(rb'(?<=": )("[^"]*"|[-\d.]+|true|false)')
    return _replace_match(source, data, pattern, source.choice(VALUES).encode())


def drop_field(source: random.Random, data: bytes) -> bytes:
    """A JSON field, an XML attribute or a column gone."""
    # Bounded: what is searched may be a single word of a megabyte.
    patterns = (
        rb'"\w{1,99}": ("[^"]{0,999}"|[-\d.]{1,99}),? ?',
        rb' [\w-]{1,99}="[^"]{0,999}"',
        rb"[^\s,]{1,99}[ \t,]",
    )
    for pattern in patterns:
        if re.search(pattern, data):
            return _replace_match(source, data, re.compile(pattern), b"")
    return data


def repeat_key(source: random.Random, data: bytes) -> bytes:
    """A JSON field that stands there twice."""
    pattern = re.compile(rb'"\w+": ("[^"]*"|[-\d.]+)')
    found = list(pattern.finditer(data))
    if not found:
        return data
    place = source.choice(found)
    return data[: place.end()] + b", " + place.group() + data[place.end() :]


def nest(source: random.Random, data: bytes) -> bytes:
    """Deep nesting instead of a line."""
    depth = source.choice((10, 300, 1100, 100_000))
    new = source.choice(
        (b"[" * depth + b"]" * depth, b'{"a":' * depth + b"1" + b"}" * depth, b"<a>" * depth)
    )
    lines = _lines(data)
    lines[source.randrange(len(lines))] = new + b"\n"
    return b"".join(lines)


# -- encodings and wrappers


def reencode(source: random.Random, data: bytes) -> bytes:
    text = data.decode("utf-8", "replace")
    encoding = source.choice(("utf-8-sig", "utf-16", "latin-1", "cp1252", "utf-32"))
    return text.encode(encoding, "replace")


def mark(source: random.Random, data: bytes) -> bytes:
    """A byte order mark, which is no part of the text."""
    return b"\xef\xbb\xbf" + data


def line_ends(source: random.Random, data: bytes) -> bytes:
    return data.replace(b"\n", source.choice((b"\r\n", b"\r", b"\n\n", b" \n", b"\t\r\n")))


def blanks(source: random.Random, data: bytes) -> bytes:
    return data.replace(b" ", source.choice((b"\t", b"  ", b" \t ", b"\xc2\xa0", b"\x0b")))


def wrap(source: random.Random, data: bytes) -> bytes:
    packed = compressed(data, source.choice(("gz", "zst")))
    return packed if source.random() < 0.5 else truncate(source, packed)


def bomb(source: random.Random, data: bytes) -> bytes:
    """Few bytes that become many."""
    return gzip.compress(data + b"\n" * source.choice((10**5, 3 * 10**6)), mtime=0)


def from_nothing(source: random.Random, data: bytes) -> bytes:
    """Another file altogether."""
    return source.choice(
        (
            *(b"", b"\n", b"<x/>", b"<", b"{}", b"[]", b"null", b"PAR1", b"PAR1PAR1", b"\x1f\x8b"),
            *(b"\x28\xb5\x2f\xfd", b"PK\x03\x04", b"%PDF-1.4", b"#", b"\xef\xbb\xbf", b"\0" * 64),
            b'{"topic": "t", "query": "what?"}\n',
            b'[{"topic": "t", "document": "d"}]',
            b'<!DOCTYPE a [<!ENTITY b "b"><!ENTITY c "&b;&b;">]><a>&c;</a>',
            b'<!DOCTYPE a SYSTEM "file:///etc/hostname"><a>&x;</a>',
            b"a" * 100_000,
            json.dumps({"questions": [{"id": "q", "snippets": []}]}).encode(),
        )
    )


BYTES: tuple[Mutation, ...] = (flip_bytes, replace_bytes, truncate, drop_bytes, append_bytes)
LINES: tuple[Mutation, ...] = (duplicate_line, drop_line, shuffle_lines, insert_line)
FIELDS: tuple[Mutation, ...] = (
    *(change_number, change_number, nudge_number, nudge_number, change_name, swap_tokens),
    *(copy_token, change_key, change_key, change_value, drop_field, repeat_key),
)
WHOLE: tuple[Mutation, ...] = (reencode, line_ends, blanks, wrap, bomb, from_nothing, nest)
GENTLE: tuple[Mutation, ...] = (*LINES, nudge_number, copy_token, line_ends, swap_tokens, mark)
"""Those that often leave a valid file with another meaning."""


def mutated(source: random.Random, data: bytes) -> bytes:
    """A file that was spoilt once or a few times."""
    for _ in range(source.choice((1, 1, 1, 2, 3))):
        group = source.choice((BYTES, LINES, FIELDS, FIELDS, FIELDS, GENTLE, WHOLE))
        data = source.choice(group)(source, data)
    return data
