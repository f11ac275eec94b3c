"""Documents and archives that are broken or mean harm: refused with a name and a line, cheaply."""

import gzip
import io
import json
import os
import socket
import stat
import struct
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest
import zstandard

from spanwise.collection import document_checks
from spanwise.collection.document_sources import source_documents
from spanwise.collection.document_text import parse
from spanwise.data.elements import Paths
from spanwise.errors import InputError
from spanwise.formats.budget import UNLIMITED, Budget, spending

LARGEST_MEMORY = 500 << 20


def refused(data, suffix=".xml"):
    with pytest.raises(InputError) as caught:
        parse(f"bad{suffix}", suffix, data, Paths())
    fault = caught.value.fault
    assert fault.file == f"bad{suffix}"
    return fault.line, fault.found


def refusal(source):
    """What is said about a source when all of it is read."""
    with pytest.raises(InputError) as caught:
        [member.read() for member in source_documents(Path(source))]
    return str(caught.value)


# -- malformed XML


@pytest.mark.parametrize(
    ("data", "line", "found"),
    [
        (b"", 1, "broken XML (Document is empty)"),
        (b"\n\n", 3, "broken XML (Start tag expected, '<' not found)"),
        (b"text", 1, "broken XML (Start tag expected, '<' not found)"),
        (b"<a>\n<b>\n</a>", 3, "broken XML (Opening and ending tag mismatch: b line 2 and a)"),
        (b"<a>\n<b>\n", 3, "broken XML (Premature end of data in tag b line 2)"),
        (b"<a/>\n<b/>", 2, "broken XML (Extra content at the end of the document)"),
        (b"<a>\nx & y</a>", 2, "broken XML (xmlParseEntityRef: no name)"),
        (b"<a>\n&#0;</a>", 2, "broken XML (xmlParseCharRef: invalid xmlChar value 0)"),
        (b"<a>\n\n\xff</a>", 3, "broken XML (Invalid bytes in character encoding)"),
        (b"<a b='1'\nb='2'/>", 2, "broken XML (Attribute b redefined)"),
    ],
)
def test_malformed_xml_is_refused_with_its_line(data, line, found):
    assert refused(data) == (line, found)


def test_nul_characters_are_no_xml():
    line, found = refused(b"<a>\nx\0y</a>")
    assert line == 2
    assert found.startswith("broken XML")


def test_an_unfinished_document_type_is_refused():
    for data in (b"<!DOCTYPE a [", b"<!DOCTYPE a [<!-- ", b'<!DOCTYPE a SYSTEM "x', b"<!DOCTYPE"):
        assert refused(data + b"<a>&nbsp;</a>")[1].startswith("broken XML")


# -- entities


def laughs(depth, use):
    """Entities that are ten times the one before."""
    chain = "".join(f'<!ENTITY l{i} "{f"&l{i - 1};" * 10}">' for i in range(1, depth))
    return f'<!DOCTYPE a [<!ENTITY l0 "lol">{chain}]>\n{use.format(f"&l{depth - 1};")}'.encode()


MULTIPLIED = "entities that expand without limit"


@pytest.mark.parametrize("use", ["<a>{}</a>", "<a b='{}'/>", "<a><b>{0}{0}</b></a>"])
def test_entity_bombs_are_refused(use):
    assert refused(laughs(10, use)) == (None, MULTIPLIED)
    assert len(parse("a.xml", ".xml", laughs(4, use), Paths()).text) in (3000, 0, 6000)


def test_a_large_entity_used_often_is_refused():
    entity = b'<!DOCTYPE a [<!ENTITY x "' + b"x" * 100_000 + b'">]>\n'
    assert refused(entity + b"<a>" + b"&x;" * 10_000 + b"</a>") == (None, MULTIPLIED)


def test_an_entity_that_contains_itself_is_refused():
    data = b'<!DOCTYPE a [<!ENTITY x "<b>&y;</b>"><!ENTITY y "&x;">]>\n<a>\n&x;</a>'
    assert refused(data) == (None, MULTIPLIED)


def test_a_bomb_in_another_encoding_is_found():
    data = laughs(10, "<a>{}</a>").decode()
    assert refused(data.encode("utf-16")) == (None, MULTIPLIED)
    declared = f'<?xml version="1.0" encoding="UTF-7"?>{data}'.replace("<!", "+ADwAIQ-")
    assert refused(declared.encode()) == (1, "encoding UTF-7")


def test_parameter_entities_of_the_document_are_refused():
    declared = b"<!ENTITY % p '<!ENTITY nbsp \"mine\">'>"
    data = b"<!DOCTYPE a [" + declared + b" %p;]><a>&nbsp;</a>"
    assert refused(data) == (None, "parameter entity %p;")
    unused = b"<!DOCTYPE a [" + declared + b" <!-- %p; -->]><a>&nbsp;</a>"
    assert parse("a.xml", ".xml", unused, Paths()).text == "\xa0"


# -- nothing from outside


@pytest.fixture
def secret(tmp_path):
    path = tmp_path / "secret.dtd"
    path.write_text('<!ENTITY eacute "SECRET"><!ENTITY foo "SECRET">')
    return path


@pytest.fixture
def listener():
    with socket.create_server(("127.0.0.1", 0)) as server:
        server.settimeout(0)
        yield server
        with pytest.raises(BlockingIOError):
            server.accept()


def outside_places(secret, listener):
    port = listener.getsockname()[1]
    return [str(secret), secret.as_uri(), secret.name, f"http://127.0.0.1:{port}/secret.dtd"]


DOCTYPES = [
    "<!DOCTYPE a SYSTEM '{}'>",
    "<!DOCTYPE a PUBLIC '-//x' '{}' [<!ELEMENT a ANY>]>",
    "<!DOCTYPE a [<!ENTITY % p SYSTEM '{}'> %p;]>",
    "<!DOCTYPE a SYSTEM 'x.dtd' [<!ENTITY % p PUBLIC 'p' '{}'>\n%p;\n]>",
]


@pytest.mark.parametrize("doctype", DOCTYPES)
def test_no_dtd_is_loaded(doctype, secret, listener, monkeypatch):
    monkeypatch.chdir(secret.parent)
    for place in outside_places(secret, listener):
        prolog = doctype.format(place)
        data = f"{prolog}<a>&eacute;</a>".encode()
        assert parse("a.xml", ".xml", data, Paths()).text == "é"
        data = f"{prolog}<a>\n&foo;</a>".encode()
        assert refused(data) == (2 + prolog.count("\n"), "undefined entity &foo;")


def test_no_external_entity_is_loaded(secret, listener, monkeypatch):
    monkeypatch.chdir(secret.parent)
    for place in outside_places(secret, listener):
        for how in (f"SYSTEM '{place}'", f"PUBLIC 'x' '{place}'"):
            data = f"<!DOCTYPE a [<!ENTITY foo {how}>]>\n<a>\n&foo;</a>".encode()
            assert refused(data) == (3, "external entity &foo;")


def test_no_inclusion_is_followed(secret):
    namespace = "http://www.w3.org/2001/XInclude"
    include = f'<i:include xmlns:i="{namespace}" href="{secret.as_uri()}" parse="text"/>'
    assert parse("a.xml", ".xml", f"<a>{include}</a>".encode(), Paths()).text == ""


# -- depth and size


def test_256_levels_are_accepted_and_no_more():
    assert len(parse("a.xml", ".xml", b"<a>" * 256 + b"</a>" * 256, Paths()).tree) == 256
    deep = "elements nested deeper than 256 levels"
    assert refused(b"<a>\n" * 257 + b"</a>" * 257) == (257, deep)
    entities = b'<!DOCTYPE a [<!ENTITY x "y">]>\n'
    assert refused(entities + b"<a>\n" * 257 + b"</a>" * 257) == (258, deep)
    line, found = refused(b"<a>\n" * 100_000 + b"</a>" * 100_000)
    assert (line is not None and line >= 257, found) == (True, deep)
    assert parse("a.html", ".html", b"<div>" * 254 + b"x", Paths()).text == "x"
    assert refused(b"<div>" * 255, ".html")[1] == deep
    assert refused(b"<div>" * 100_000, ".html")[1] == deep


def test_a_text_of_many_megabytes_is_accepted():
    data = b"<a>" + b"x&amp;" * 3_000_000 + b"</a>"
    assert len(parse("a.xml", ".xml", data, Paths()).text) == 6_000_000
    long = b"<a>" + b"x" * 11_000_000 + b"</a>"
    assert len(parse("a.xml", ".xml", long, Paths()).text) == 11_000_000
    assert refused(b'<!DOCTYPE a [<!ENTITY x "y">]>' + long)[1].startswith("an oversized part")


@pytest.mark.parametrize("suffix", [".xml", ".html", ".txt", ".md"])
def test_documents_beyond_the_limits_are_refused(suffix, monkeypatch):
    monkeypatch.setattr(document_checks, "LARGEST_DOCUMENT", 100)
    assert refused(b"<a>" + b"x" * 94 + b"</a>", suffix) == (None, "101 bytes")
    monkeypatch.setattr(document_checks, "MOST_ELEMENTS", 10)
    many = b"<a>" + b"<b/>" * 10 + b"</a>" if suffix in (".xml", ".html") else b"a\n\n" * 10
    assert refused(many, suffix)[1].endswith(" elements")


def test_texts_that_grow_beyond_the_limit_are_refused(monkeypatch):
    monkeypatch.setattr(document_checks, "LARGEST_DOCUMENT", 100)
    data = b'<!DOCTYPE a [<!ENTITY x "' + b"x" * 30 + b'">]><a>&x;&x;&x;&x;</a>'
    assert refused(data) == (None, "120 characters")


def sparse(path, size):
    """A file that is large but takes no room."""
    with path.open("wb") as stream:
        stream.write(b"<a>")
        stream.truncate(size)
    return path


def test_a_text_of_a_gigabyte_is_refused_unread(tmp_path):
    path = sparse(tmp_path / "huge.xml", 1 << 30)
    assert refusal(path).startswith(f"{path}: found 1073741824 bytes, expected a document of at")
    assert refusal(tmp_path).startswith(f"{path}: found 1073741824 bytes")


# -- archives


def zipped(path, **members_):
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in members_.items():
            archive.writestr(name, data)
    return path


def tarred(path, *headers, mode="w"):
    with tarfile.open(path, mode) as archive:
        for header in headers:
            archive.addfile(header, io.BytesIO(bytes(header.size)))
    return path


def header(name, kind=tarfile.REGTYPE, size=0, **values):
    made = tarfile.TarInfo(name)
    made.type, made.size = kind, size
    for key, value in values.items():
        setattr(made, key, value)
    return made


OUTSIDE = ["/etc/x", "../x", "a/../../x", "..", "C:\\x", "c:/x", "a\\..\\x", "\\x", "a/.."]


@pytest.mark.parametrize("name", OUTSIDE)
def test_names_outside_the_archive_are_refused(tmp_path, name):
    expected = f"found a member named {name!r}, expected names inside the archive"
    path = zipped(tmp_path / "a.zip", **{"good.txt": b"x", name: b"x"})
    assert refusal(path).startswith(f"{path}: {expected}")
    path = tarred(tmp_path / "a.tar", header("good.txt"), header(name))
    assert refusal(path).startswith(f"{path}: {expected}")
    assert sorted(file.name for file in tmp_path.iterdir()) == ["a.tar", "a.zip"]


@pytest.mark.parametrize(
    ("kind", "found"),
    [
        (tarfile.SYMTYPE, "link 'b'"),
        (tarfile.LNKTYPE, "link 'b'"),
        (tarfile.CHRTYPE, "special file 'b'"),
        (tarfile.BLKTYPE, "special file 'b'"),
        (tarfile.FIFOTYPE, "special file 'b'"),
    ],
)
def test_links_and_devices_in_tar_files_are_refused(tmp_path, kind, found):
    path = tarred(tmp_path / "a.tar", header("a"), header("b", kind, linkname="a"))
    assert refusal(path).startswith(f"{path}: found {found}, expected only files and folders")


def test_links_in_zip_files_are_refused(tmp_path):
    entry = zipfile.ZipInfo("b")
    entry.external_attr = (stat.S_IFLNK | 0o777) << 16
    with zipfile.ZipFile(tmp_path / "a.zip", "w") as archive:
        archive.writestr(entry, "/etc/passwd")
    assert "found symbolic link 'b'" in refusal(tmp_path / "a.zip")


def test_names_that_come_twice_are_refused(tmp_path):
    with zipfile.ZipFile(tmp_path / "a.zip", "w") as archive:
        archive.writestr("a/b", b"1")
        archive.writestr("a//b", b"2")
    assert "found member 'a/b' twice" in refusal(tmp_path / "a.zip")
    path = tarred(tmp_path / "a.tar", header("a"), header("./a"))
    assert "found member 'a' twice" in refusal(path)


def test_names_that_are_no_text_are_refused(tmp_path):
    path = tarred(tmp_path / "a.tar", header("\udcff.txt"))
    path.write_bytes(path.read_bytes())
    assert "expected names of Unicode text" in refusal(path)


def patched(path, place, value):
    """A zip file with another number in its only directory entry."""
    data = bytearray(path.read_bytes())
    entry = data.index(b"PK\x01\x02")
    struct.pack_into("<" + ("H" if value < 1 << 16 else "I"), data, entry + place, value)
    path.write_bytes(data)
    return path


def test_zip_files_that_cannot_be_read_are_refused(tmp_path):
    path = tmp_path / "a.zip"

    def fresh():
        return zipped(path, **{"a.txt": b"some text " * 20})

    assert "found encrypted member 'a.txt'" in refusal(patched(fresh(), 8, 1))
    assert f"{path}: a.txt: found a damaged archive" in refusal(patched(fresh(), 10, 93))
    assert "Bad CRC-32" in refusal(patched(fresh(), 16, 0xDEADBEEF))
    # It says that it is smaller than it is.
    assert "Bad CRC-32" in refusal(patched(fresh(), 24, 10))
    data = fresh().read_bytes()
    for end in (5, 50, len(data) - 30, len(data) - 1):
        path.write_bytes(data[:end])
        assert "found a damaged archive" in refusal(path)


@pytest.mark.parametrize("mode", ["w", "w:gz", "w:bz2", "w:xz"])
def test_damaged_tar_files_are_refused(tmp_path, mode):
    path = tarred(tmp_path / "a.tar", header("a", size=3000), header("b", size=3000), mode=mode)
    data = path.read_bytes()
    cuts = (700, 4000, 4700, 7500) if mode == "w" else (len(data) // 2, len(data) - 3)
    for end in cuts:
        path.write_bytes(data[:end])
        assert "damaged" in refusal(path)


def test_a_damaged_header_does_not_end_a_tar_file(tmp_path):
    path = tarred(tmp_path / "a.tar", header("a", size=3000), header("b", size=3000))
    data = bytearray(path.read_bytes())
    data[512 + 3072 + 5] = ord("x")
    path.write_bytes(data)
    assert "found a damaged archive (bad checksum)" in refusal(path)


def test_a_wrong_checksum_of_gzip_is_found(tmp_path):
    path = tarred(tmp_path / "a.tgz", header("a", size=3000), mode="w:gz")
    data = bytearray(path.read_bytes())
    data[-6] ^= 1
    path.write_bytes(data)
    assert "found damaged compressed data (CRC check failed" in refusal(path)


def test_cut_off_zstd_is_found(tmp_path):
    path = tmp_path / "a.txt.zst"
    data = zstandard.ZstdCompressor().compress(os.urandom(5000))
    path.write_bytes(data[:3000])
    assert "found damaged compressed data (a zstd frame has no end)" in refusal(path)
    path.write_bytes(data[:100] + b"\xff" * 100 + data[200:] + b"garbage")
    assert "found damaged compressed data" in refusal(path)


def test_an_archive_that_changes_under_the_reader_is_refused(tmp_path):
    path = tarred(tmp_path / "a.tar", header("a", size=100))
    [member] = source_documents(path)
    path.write_bytes(path.read_bytes().replace(bytes(100), b"x" * 100))
    with pytest.raises(InputError, match=r"a.tar: a: found an archive that changed"):
        member.read()


def test_what_expands_without_measure_is_refused(tmp_path, monkeypatch):
    bomb, size = bytes(1 << 20), 1 << 20
    told = "expected at most 200 times as much"
    with spending(Budget(harmless=1 << 18)):
        assert told in refusal(zipped(tmp_path / "a.zip", a=bomb))
        assert told in refusal(zipped(tmp_path / "b.zip", **{"a": bomb, "b": os.urandom(10_000)}))
        for mode in ("gz", "bz2", "xz"):
            path = tarred(tmp_path / f"a.{mode}", header(".hidden", size=size), mode=f"w:{mode}")
            assert told in refusal(path)
        packed = tmp_path / "a.xml.gz"
        packed.write_bytes(gzip.compress(b"<a>" + bomb))
        assert told in refusal(packed)
        lines = tmp_path / "a.jsonl.zst"
        line = json.dumps({"document": "d", "text": "x" * size}).encode()
        lines.write_bytes(zstandard.ZstdCompressor().compress(line))
        assert told in refusal(lines)
    assert [member.read() for member in source_documents(tmp_path / "a.zip")] == [bomb]
    monkeypatch.setattr(document_checks, "LARGEST_ARCHIVE", size - 1)
    assert "expected at most 1048575 in one archive" in refusal(tmp_path / "a.zip")
    with spending(UNLIMITED):
        assert [member.read() for member in source_documents(tmp_path / "a.zip")] == [bomb]


def test_special_headers_and_files_cannot_fill_the_memory(tmp_path):
    for kind in (tarfile.GNUTYPE_LONGNAME, tarfile.XHDTYPE, tarfile.XGLTYPE):
        path = tmp_path / "long.tar"
        path.write_bytes(header("x", kind, 1 << 30).tobuf())
        os.truncate(path, 1 << 30)
        assert "found a damaged archive (a header of 1073741824 bytes)" in refusal(path)
    path = tmp_path / "large.tar"
    path.write_bytes(header("a.xml", size=1 << 30).tobuf())
    os.truncate(path, 1 << 30)
    assert f"{path}: a.xml: found 1073741824 bytes" in refusal(path)


# -- all of it in little memory

ATTACK = """
import json, re, sys
from pathlib import Path
from spanwise.collection.document_sources import source_documents
from spanwise.collection.document_text import parse
from spanwise.data.elements import Paths
from spanwise.errors import InputError

said = {}
for place in sys.argv[1:]:
    try:
        for member in source_documents(Path(place)):
            parse(member.place, member.file.suffix.lower(), member.read(), Paths())
    except InputError as problem:
        said[Path(place).name] = str(problem)
peak = re.search(r"VmHWM:\\s*(\\d+) kB", Path("/proc/self/status").read_text())[1]
print(json.dumps([said, int(peak) << 10]))
"""


def test_attacks_end_in_little_memory(tmp_path):
    bomb = b"<a>" + bytes(80 << 20)
    written = {
        "laughs.xml": laughs(12, "<a>{}</a>"),
        "attribute.xml": laughs(12, "<a b='{}'/>"),
        "deep.xml": b"<a>" * 100_000,
        "bomb.xml.gz": gzip.compress(bomb, 1),
        "bomb.xml.zst": zstandard.ZstdCompressor().compress(bomb),
    }
    for name, data in written.items():
        (tmp_path / name).write_bytes(data)
    zipped(tmp_path / "bomb.zip", **{"a.xml": bomb})
    sparse(tmp_path / "huge.xml", 1 << 30)
    sparse(tmp_path / "huge.jsonl", 1 << 30)
    names = [*written, "bomb.zip", "huge.xml", "huge.jsonl"]
    places = [str(tmp_path / name) for name in names]
    command = [sys.executable, "-c", ATTACK, *places]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    said, peak = json.loads(done.stdout)
    assert list(said) == names
    assert all(str(tmp_path / name) in message for name, message in said.items())
    assert peak < LARGEST_MEMORY


def test_a_member_of_a_zip_file_without_a_name_is_refused(tmp_path):
    path = tmp_path / "docs.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("x", "text")
    packed = path.read_bytes()
    # The name has one byte in the member's header and one in the directory: both become empty.
    local, directory = packed.index(b"PK\x03\x04"), packed.index(b"PK\x01\x02")
    header = bytearray(packed[local : local + 30])
    header[26:28] = b"\0\0"
    entry = bytearray(packed[directory : directory + 46])
    entry[28:30] = b"\0\0"
    end = bytearray(packed[packed.index(b"PK\x05\x06") :])
    body = bytes(header) + packed[local + 31 : directory]
    end[12:16] = (46).to_bytes(4, "little")
    end[16:20] = len(body).to_bytes(4, "little")
    path.write_bytes(body + bytes(entry) + bytes(end))
    assert "found a member without a name" in refusal(path)
