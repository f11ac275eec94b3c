"""Where documents are found: folders, archives, tables and single files."""

import bz2
import gzip
import io
import json
import lzma
import os
import socket
import tarfile
import zipfile
from pathlib import Path, PurePosixPath

import polars as pl
import pytest
import zstandard

from spanwise.collection import document_rows
from spanwise.collection.build import build
from spanwise.collection.document_sources import source_documents
from spanwise.collection.document_text import parse
from spanwise.data.elements import Paths
from spanwise.errors import FaultyInput, InputError

NAMES = ["a.xml", "sub/b c.txt", "sub/d'e\"f[1].md", "süb/ж😀.html", "sub/deep/g"]
FILES = {name: f"{name}: content\r\n".encode() for name in NAMES}
SKIPPED = [".hidden.txt", "sub/.git/config", "__MACOSX/a.xml", "sub/.DS_Store"]


def contents(source):
    return {str(member.file): member.read() for member in source_documents(Path(source))}


def stamps(source):
    return {str(member.file): member.stamp for member in source_documents(Path(source))}


def refusal(source):
    with pytest.raises(InputError) as caught:
        list(source_documents(Path(source)))
    return str(caught.value)


@pytest.fixture
def folder(tmp_path):
    root = tmp_path / "docs"
    for name in [*NAMES, *SKIPPED]:
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(FILES.get(name, b"\xff"))
    return root


def zipped(path, files, **options):
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, **options) as archive:
        for name, data in files.items():
            archive.writestr(name, data)
    return path


def tarred(path, files, mode="w"):
    with tarfile.open(path, mode) as archive:
        for name, data in files.items():
            header = tarfile.TarInfo(name)
            header.size = len(data)
            archive.addfile(header, io.BytesIO(data))
    return path


# -- folders


def test_a_folder_gives_its_files_in_order(folder):
    found = list(source_documents(folder))
    assert [str(member.file) for member in found] == sorted(NAMES, key=lambda name: name.split("/"))
    assert {str(member.file): member.read() for member in found} == FILES
    assert found[0].place == str(folder / "a.xml")
    assert all(isinstance(member.file, PurePosixPath) for member in found)


def test_a_stamp_changes_with_the_file(folder):
    before = stamps(folder)
    assert stamps(folder) == before
    file = folder / "a.xml"
    file.write_bytes(b"longer than it was before\n")
    os.utime(folder / "sub/deep/g", ns=(1, 1))
    after = stamps(folder)
    assert {name for name in before if before[name] != after[name]} == {"a.xml", "sub/deep/g"}


def test_links_are_followed_once(folder, tmp_path):
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "x.txt").write_bytes(b"x")
    (outside / "back").symlink_to(folder)
    (folder / "again").symlink_to(folder / "sub")
    (folder / "loop").symlink_to(folder)
    (folder / "one.txt").symlink_to(folder / "a.xml")
    assert contents(folder) == {**FILES, "one.txt": FILES["a.xml"]}
    link = tmp_path / "link"
    link.symlink_to(folder)
    assert contents(link) == contents(folder)


@pytest.mark.parametrize("target", ["outside", "outside/x.txt", "outside/back"])
def test_what_is_behind_a_link_out_of_the_folder_is_refused(folder, tmp_path, target):
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "x.txt").write_bytes(b"x")
    (outside / "back").symlink_to(tmp_path)
    (folder / "more").symlink_to(tmp_path / target)
    with pytest.raises(InputError, match=f"more: found a link out of the folder, to {tmp_path}"):
        contents(folder)
    (folder / "a.xml").unlink()
    summary = build([folder], tmp_path / "docs.collection", lenient=True)
    assert (summary.documents, len(summary.faults)) == (len(FILES) - 1, 1)


@pytest.mark.parametrize("target", ["nowhere", "broken.txt"])
def test_a_broken_link_is_named(folder, target):
    (folder / "broken.txt").symlink_to(folder / target)
    assert refusal(folder).startswith(f"{folder / 'broken.txt'}: found a broken link")


def test_hidden_broken_links_and_special_files_are_skipped(folder):
    (folder / ".#lock").symlink_to("nowhere")
    with socket.socket(socket.AF_UNIX) as listener:
        place = Path.cwd()
        os.chdir(folder)
        try:
            listener.bind("socket")
        finally:
            os.chdir(place)
        assert contents(folder) == FILES


def test_a_file_that_is_gone_is_said(folder):
    found = list(source_documents(folder))
    (folder / "a.xml").unlink()
    with pytest.raises(InputError, match=r"a.xml: found No such file or directory"):
        found[0].read()


def test_sources_without_documents_are_refused(tmp_path):
    empty = tmp_path / "empty"
    (empty / ".hidden").mkdir(parents=True)
    assert "found no documents" in refusal(empty)
    assert "found no documents" in refusal(zipped(tmp_path / "a.zip", {}))
    assert "found no documents" in refusal(zipped(tmp_path / "b.zip", {".x": b"", "d/": b""}))
    assert "found no documents" in refusal(tarred(tmp_path / "a.tar", {}))
    assert "found no such file" in refusal(tmp_path / "nowhere")
    assert "found a special file" in refusal("/dev/null")


# -- archives

TAR_MODES = {
    "a.tar": "w",
    "a.tar.gz": "w:gz",
    "a.tgz": "w:gz",
    "a.tbz": "w:bz2",
    "a.tar.xz": "w:xz",
}


@pytest.fixture(params=["a.zip", "no-ending", *TAR_MODES, "a.tar.zst"])
def archive(request, tmp_path):
    path = tmp_path / request.param
    files = {**FILES, **dict.fromkeys(SKIPPED, b"\xff")}
    if request.param in TAR_MODES:
        return tarred(path, files, TAR_MODES[request.param])
    if request.param == "a.tar.zst":
        data = tarred(tmp_path / "plain.tar", files).read_bytes()
        # Two frames, as parallel compressors write them.
        compress = zstandard.ZstdCompressor().compress
        path.write_bytes(compress(data[:5000]) + compress(data[5000:]))
        return path
    return zipped(path, files)


def test_an_archive_gives_its_files(archive):
    found = list(source_documents(archive))
    assert {str(member.file): member.read() for member in found} == FILES
    assert found[0].place == f"{archive}: a.xml"


def test_members_are_read_in_any_order_and_again(archive):
    found = list(source_documents(archive))
    order = [*reversed(found), found[2], found[0], found[2]]
    assert [member.read() for member in order] == [FILES[str(member.file)] for member in order]


def test_stamps_of_members_are_those_of_their_content(tmp_path):
    files = {"a": b"same size", "b": b"other one"}
    for write, name in ((zipped, "x.zip"), (tarred, "x.tar")):
        before = stamps(write(tmp_path / name, files))
        after = stamps(write(tmp_path / name, {**files, "b": b"otherwise"}))
        assert before["a"] == after["a"]
        assert before["b"] != after["b"]


def test_members_of_a_tar_keep_their_order(tmp_path):
    path = tarred(tmp_path / "a.tar", {"./b/": b"", "./b/2.txt": b"2", "a/1.txt": b"1"})
    assert list(contents(path)) == ["b", "b/2.txt", "a/1.txt"]
    with tarfile.open(path, "w") as archive:
        for name, kind in (("d", tarfile.DIRTYPE), ("d/" + "long" * 100, tarfile.REGTYPE)):
            header = tarfile.TarInfo(name)
            header.type = kind
            archive.addfile(header)
    assert contents(path) == {"d/" + "long" * 100: b""}


def test_names_in_zip_files_are_decoded(tmp_path):
    path = zipped(tmp_path / "a.zip", {"ABC.txt": b"1", "DEFG.txt": b"2"})
    data = path.read_bytes()
    assert data.count(b"ABC.txt") == data.count(b"DEFG.txt") == 2
    # Old names are in the code page of the first PC; some tools write UTF-8 without saying so.
    path.write_bytes(data.replace(b"ABC", b"A\x82C").replace(b"DEFG", "DéG".encode()))
    assert contents(path) == {"AéC.txt": b"1", "DéG.txt": b"2"}


@pytest.mark.parametrize("name", ["a.xml", "a.txt.gz", "b.XML.zst", "c.html.bz2", "noend.xz"])
def test_one_document_may_be_compressed(tmp_path, name):
    data = b"<a>x</a>" * 1000
    pack = {
        ".gz": gzip.compress,
        ".bz2": bz2.compress,
        ".xz": lzma.compress,
        ".zst": zstandard.ZstdCompressor().compress,
    }
    path = tmp_path / name
    path.write_bytes(pack.get(path.suffix, bytes)(data))
    [member] = source_documents(path)
    assert str(member.file) == (path.stem if path.suffix in pack else name)
    assert (member.place, member.read()) == (str(path), data)


# -- tables

ROWS = [
    {"document": "d1", "text": "Ünï\r\n<?xml"},
    {"document": "http://example.org//d/2.x", "text": "<a>é&nbsp;</a>", "format": "xml"},
    {"document": "3", "text": "", "format": None},
    {
        "document": "d 4",
        "text": "<?xml version='1.0' encoding='latin-1'?><a>é</a>",
        "format": "XML",
    },
    {"document": "d5", "text": "<meta charset=latin-1><p>é", "format": ".html"},
    {"document": "d6", "text": "# é", "format": "markdown"},
]
VIEWS = ["raw", "xml", "raw", "xml", "html", "raw"]
TEXTS = ["Ünï\r\n<?xml", "é\xa0", "", "é", "é", "# é"]


def json_lines(rows):
    return b"".join(json.dumps(row).encode() + b"\n" for row in rows)


@pytest.fixture(params=["a.jsonl", "a.ndjson.gz", "a.json", "noend", "a.parquet", "other.pq"])
def table(request, tmp_path, monkeypatch):
    path = tmp_path / request.param
    if path.suffix in (".parquet", ".pq"):
        monkeypatch.setattr(document_rows, "_BATCH", 20)
        pl.DataFrame(ROWS, schema_overrides={"format": pl.Categorical}).write_parquet(path)
    elif path.suffix == ".gz":
        path.write_bytes(gzip.compress(json_lines(ROWS)))
    else:
        path.write_bytes(json_lines(ROWS))
    return path


def test_rows_are_documents(table):
    found = list(source_documents(table))
    assert [member.name for member in found] == [row["document"] for row in ROWS]
    assert [str(member.file.with_suffix("")) for member in found][::2] == ["d1", "3", "d5"]
    paths = Paths()
    for member, view, text in reversed(list(zip(found, VIEWS, TEXTS, strict=True))):
        parsed = parse(member.place, member.file.suffix, member.read(), paths)
        assert (parsed.view, parsed.text) == (view, text)


def test_rows_are_named_in_messages(tmp_path):
    path = tmp_path / "a.jsonl"
    path.write_bytes(b'\xef\xbb\xbf{"spanwise": 1}\n# comment\n\n' + json_lines(ROWS[:1]))
    assert [member.place for member in source_documents(path)] == [f"{path}: line 4"]
    pl.DataFrame(ROWS).write_parquet(tmp_path / "a.parquet")
    assert [member.place for member in source_documents(tmp_path / "a.parquet")][1].endswith(
        ": row 2"
    )


def test_rows_may_be_long(tmp_path):
    rows = [{"document": str(size), "text": "ü" * size} for size in (100_000, 7, 11_000)]
    path = tmp_path / "a.jsonl"
    path.write_text("\n".join(json.dumps(row, ensure_ascii=False) for row in rows))
    found = [member.read().decode() for member in source_documents(path)]
    assert found == [row["text"] for row in rows]


def test_stamps_of_rows_are_those_of_their_content(tmp_path):
    changed = [*ROWS[:2], {**ROWS[2], "text": "now"}, *ROWS[3:]]
    path = tmp_path / "a.jsonl"
    path.write_bytes(json_lines(ROWS))
    before = stamps(path)
    path.write_bytes(json_lines(changed))
    after = stamps(path)
    assert {name for name in before if before[name] != after[name]} == {"3.txt"}
    table = tmp_path / "a.parquet"
    pl.DataFrame(ROWS).write_parquet(table)
    before = stamps(table)
    pl.DataFrame(changed).write_parquet(table)
    after = stamps(table)
    assert {name for name in before if before[name] != after[name]} == {"3.txt"}


BAD_ROWS = [
    ("missing", {"text": "x"}),
    ("text", {"document": "d"}),
    ("document", {"document": "d1", "text": "x"}),
    ("format", {"document": "e", "text": "x", "format": "pdf"}),
    ("identifier", {"document": "", "text": "x"}),
]


def test_every_bad_row_is_named(tmp_path):
    rows = [ROWS[0], *(row for _, row in BAD_ROWS)]
    rules = [rule for rule, _ in BAD_ROWS]
    lines = json_lines(rows) + b'{"document": "f", "text": "\\ud800"}\n[1]\n{"document": \n'
    lines += b'{"document": "g", "text": 1}\n{"document": "\xff"}\n'
    (tmp_path / "a.jsonl").write_bytes(lines)
    with pytest.raises(FaultyInput) as caught:
        list(source_documents(tmp_path / "a.jsonl"))
    expected = [*rules, "text", "malformed", "malformed", "text", "malformed"]
    assert [(fault.line, fault.rule) for fault in caught.value.faults] == list(
        enumerate(expected, start=2)
    )
    pl.DataFrame(rows, infer_schema_length=None).write_parquet(tmp_path / "a.parquet")
    with pytest.raises(FaultyInput) as caught:
        list(source_documents(tmp_path / "a.parquet"))
    assert [(fault.line, fault.rule) for fault in caught.value.faults] == list(
        enumerate(rules, start=2)
    )


def test_a_parquet_has_the_columns_and_is_whole(tmp_path):
    path = tmp_path / "a.parquet"
    pl.DataFrame({"document": ["d"], "length": [1]}).write_parquet(path)
    assert "found columns document, length, expected document and text" in refusal(path)
    pl.DataFrame({"document": ["d"], "text": [1]}).write_parquet(path)
    assert "found columns document, text" in refusal(path)
    pl.DataFrame({"document": ["d"], "text": ["x" * 1000]}).write_parquet(path)
    path.write_bytes(path.read_bytes()[:-10])
    assert "found a Parquet file that breaks off" in refusal(path)


# -- files that are no documents


def test_pictures_among_documents_are_passed_over(tmp_path: Path) -> None:
    (tmp_path / "a.xml").write_text("<a>one</a>")
    (tmp_path / "figure.PNG").write_bytes(b"\x89PNG")
    passed_over: list[str] = []
    found = list(source_documents(tmp_path, passed_over))
    assert [str(member.file) for member in found] == ["a.xml"]
    assert passed_over == [str(tmp_path / "figure.PNG")]


def test_a_folder_of_pictures_has_no_documents(tmp_path: Path) -> None:
    (tmp_path / "figure.png").write_bytes(b"\x89PNG")
    with pytest.raises(InputError, match="no documents"):
        list(source_documents(tmp_path))


def test_compressed_documents_in_a_folder_are_unpacked(tmp_path: Path) -> None:
    (tmp_path / "a.xml.gz").write_bytes(gzip.compress(b"<a>one</a>"))
    (member,) = source_documents(tmp_path)
    assert str(member.file) == "a.xml"
    assert member.read() == b"<a>one</a>"
