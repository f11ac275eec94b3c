"""Built collections: the same as their sources, brought up to date, whole or not at all."""

from __future__ import annotations

import gc
import json
import os
import sqlite3
import tarfile
import threading
import zipfile
from hashlib import sha256

import numpy as np
import polars
import pytest
from hypothesis import given
from hypothesis import strategies as st

from spanwise.collection import build as building
from spanwise.collection.build import build
from spanwise.collection.collection import open_collection
from spanwise.collection.collection_file import CollectionFile
from spanwise.collection.packing import (
    DamageError,
    packed,
    packed_paths,
    packed_tree,
    paths_of,
    text_of,
    tree_of,
)
from spanwise.data.elements import Paths, Tree
from spanwise.errors import FaultyInput, InputError, OutputError

FILES = {
    "a.xml": "<article><title>T&#233;a</title><sec><p>One</p><p>Two</p></sec></article>",
    "sub/b.html": "<html><body><p>One</p><p>Two</p></body></html>",
    "sub/c.md": "# Title\n\nText.\n",
    "d e \"f\" 'g' [h] ä.txt": "\ufeffOne.\r\n\r\nTwo 😀.",
    "empty.txt": "",
}


@pytest.fixture
def folder(tmp_path):
    for name, content in FILES.items():
        path = tmp_path / "documents" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content.encode())
    return tmp_path / "documents"


@pytest.fixture
def target(tmp_path):
    return tmp_path / "my [new] 100%? 'collection' #1 ä"


@pytest.fixture
def read(monkeypatch):
    """The files that a build parses."""
    seen, parse = [], building.parse

    def watched(file, suffix, data, paths):
        seen.append(os.path.basename(file))  # noqa: PTH119
        return parse(file, suffix, data, paths)

    monkeypatch.setattr(building, "parse", watched)
    return seen


def trees(collection):
    """Path, parent, start and size of all elements of all documents, paths as texts."""
    found = {}
    for name in collection.lengths:
        tree = collection.elements.tree(name)
        paths = [collection.elements.paths.text(path) for path in tree.path.tolist()]
        found[name] = (paths, tree.parent.tolist(), tree.start.tolist(), tree.size.tolist())
    return found


def same(left, right):
    """Have two collections the same documents, texts and elements?"""
    assert dict(left.lengths) == dict(right.lengths)
    for name in left.lengths:
        assert left.text(name) == right.text(name)
        assert left.view(name) == right.view(name)
        assert left.sha256(name) == right.sha256(name)
    assert trees(left) == trees(right)


def touched(path, text):
    """A file with another content and another time, whatever the clock says."""
    path.write_text(text)
    os.utime(path, ns=(1, path.stat().st_mtime_ns + 1_000_000_000))


# -- reading


def test_a_built_collection_is_what_its_folder_is(folder, target):
    summary = build([folder], target)
    assert str(summary) == "5 documents: 5 new, 0 changed, 0 unchanged, 0 removed"
    built = open_collection(target)
    same(built, open_collection(folder))
    assert built.text("a") == "TéaOneTwo"
    assert built.sha256("a") == sha256("TéaOneTwo".encode()).hexdigest()
    assert [built.view(name) for name in ("a", "sub/b", "sub/c")] == ["xml", "html", "raw"]
    assert built.has_text
    assert built.elements.paths.number("/article[1]/sec[1]/p[2]") >= 0


@pytest.mark.parametrize("name", ["sub/b", "sub/b.html", "b.html", "b"])
def test_documents_are_found_under_their_names(folder, target, name):
    build([folder], target)
    built = open_collection(target)
    assert built.find(name) == "sub/b"
    assert built.lengths[name] == 6
    assert built.elements.tree(name) is not None


def test_what_is_not_there_is_not_found(folder, target):
    build([folder], target)
    built = open_collection(target)
    for name in ("x", "sub", "", "A", "a%", "a\udcff", "\0"):
        assert name not in built.lengths
        assert built.elements.tree(name) is None
        assert built.view(name) is None
        with pytest.raises(KeyError):
            built.lengths[name]


def test_names_that_two_documents_have_are_not_taken(folder, target):
    (folder / "sub" / "a.xml").write_text("<a/>")
    build([folder], target)
    built = open_collection(target)
    assert built.lengths["a"] == 9
    assert built.find("a.xml") == "a"
    assert built.find("sub/a") == "sub/a"


def test_what_the_file_says_of_itself(folder, target):
    build([folder], target)
    about = CollectionFile(target).about()
    assert json.loads(about["sources"]) == [str(folder)]
    assert about["documents"] == "5"
    assert int(about["characters"]) == sum(open_collection(folder).lengths.values())
    with sqlite3.connect(target) as connection:
        assert connection.execute("PRAGMA application_id").fetchone() == (0x7370616E,)
        assert connection.execute("PRAGMA user_version").fetchone() == (1,)
    connection.close()


def zipped(folder, to):
    with zipfile.ZipFile(to, "w", zipfile.ZIP_DEFLATED) as archive:
        for name in FILES:
            archive.write(folder / name, name)


def tarred(folder, to):
    with tarfile.open(to, "w:xz") as archive:
        for name in sorted(FILES):
            archive.add(folder / name, name)


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
@pytest.mark.parametrize("pack", [zipped, tarred])
def test_archives_are_what_their_folder_is(folder, tmp_path, target, read, pack):
    archive = tmp_path / "an archive"
    pack(folder, archive)
    same(sorted_by_name(open_collection(archive)), sorted_by_name(open_collection(folder)))
    build([archive], target)
    same(sorted_by_name(open_collection(target)), sorted_by_name(open_collection(folder)))
    read.clear()
    pack(folder, archive)
    assert build([archive], target).unchanged == 5
    assert read == []


def sorted_by_name(collection):
    """The order of documents in archives is theirs."""
    collection._lengths = {name: collection.lengths[name] for name in sorted(collection.lengths)}
    return collection


ROWS = {
    "d.7": ("plain <text>", "text", "plain <text>"),
    "http://example.org//a?b=c#d": ("<a>x</a>", "xml", "x"),
    '../up "and" [äway]': ("# T", None, "# T"),
    "d": ("<p>one</p>", "html", None),
}


@pytest.mark.parametrize("kind", ["jsonl", "parquet"])
def test_tables_of_documents_keep_their_names(tmp_path, target, read, kind):
    source = tmp_path / f"documents.{kind}"
    rows = [{"document": d, "text": t, "format": f} for d, (t, f, _) in ROWS.items()]
    if kind == "parquet":
        polars.DataFrame(rows).write_parquet(source)
    else:
        source.write_text("".join(f"{json.dumps(row)}\n" for row in rows))
    summary = build([source], target)
    assert summary.new == 4
    for collection in (open_collection(target), open_collection(source)):
        assert list(collection.lengths) == list(ROWS)
        for name, (_, _, text) in ROWS.items():
            assert text is None or collection.text(name) == text
        assert collection.find("d.7.txt") is None
        assert collection.find("a?b=c#d") is None
        xml = collection.elements.tree("http://example.org//a?b=c#d")
        assert [collection.elements.paths.text(int(path)) for path in xml.path] == ["/a[1]"]
    read.clear()
    assert str(build([source], target)).startswith("4 documents: 0 new, 0 changed, 4 unchanged")
    assert read == []


# -- up to date


def test_nothing_changed_nothing_written(folder, target, read):
    build([folder], target)
    before, count = target.stat(), len(read)
    summary = build([folder], target)
    assert str(summary) == "5 documents: 0 new, 0 changed, 5 unchanged, 0 removed"
    assert (target.stat().st_ino, target.stat().st_mtime_ns) == (before.st_ino, before.st_mtime_ns)
    assert len(read) == count == 5


def test_only_what_changed_is_read_again(folder, target, read):
    build([folder], target)
    read.clear()
    touched(folder / "a.xml", "<article><sec><p>Three</p></sec><new/></article>")
    (folder / "new.txt").write_text("new")
    (folder / "sub" / "b.html").unlink()
    summary = build([folder], target)
    assert str(summary) == "5 documents: 1 new, 1 changed, 3 unchanged, 1 removed"
    assert sorted(read) == ["a.xml", "new.txt"]
    same(open_collection(target), open_collection(folder))


def test_a_document_that_is_only_renamed_by_its_neighbours(folder, target, read):
    build([folder], target)
    read.clear()
    (folder / "a.txt").write_text("the same name without its ending")
    summary = build([folder], target)
    assert str(summary) == "6 documents: 2 new, 0 changed, 4 unchanged, 1 removed"
    assert read == ["a.txt"]
    built = open_collection(target)
    assert built.find("a") is None
    same(built, open_collection(folder))


def test_force_reads_everything_again(folder, target, read):
    build([folder], target)
    summary = build([folder], target, force=True)
    assert str(summary) == "5 documents: 5 new, 0 changed, 0 unchanged, 0 removed"
    assert len(read) == 10


def test_several_sources(folder, tmp_path, target, read):
    other = tmp_path / "other"
    other.mkdir()
    (other / "x.xml").write_text("<x>1</x>")
    build([folder], target)
    summary = build([other, folder], target)
    assert str(summary) == "6 documents: 1 new, 0 changed, 5 unchanged, 0 removed"
    assert next(iter(open_collection(target).lengths)) == "x"
    assert str(build([other], target)) == "1 document: 0 new, 0 changed, 1 unchanged, 5 removed"
    assert read.count("x.xml") == 1
    same(open_collection(target), open_collection(other))


def test_the_collection_itself_is_no_document(folder, read):
    target = folder / "all.collection"
    build([folder], target)
    touched(folder / "a.xml", "<a>changed</a>")
    summary = build([folder], target)
    assert str(summary) == "5 documents: 0 new, 1 changed, 4 unchanged, 0 removed"
    assert "all.collection" not in read


def test_progress_is_told(folder, target):
    told = []
    build([folder], target, progress=lambda done, total: told.append((done, total)))
    assert told == [(number, 5) for number in range(1, 6)]


# -- refusals


def leftovers(target):
    return [path.name for path in target.parent.iterdir() if ".part" in path.name]


def test_two_documents_of_one_name(folder, tmp_path, target):
    (tmp_path / "other" / "sub").mkdir(parents=True)
    (tmp_path / "other" / "sub" / "b.txt").write_text("x")
    with pytest.raises(InputError) as caught:
        build([folder, tmp_path / "other"], target)
    message = str(caught.value)
    assert "found document sub/b again" in message
    assert str(tmp_path / "other" / "sub" / "b.txt") in message
    assert str(folder / "sub" / "b.html") in message
    with pytest.raises(InputError, match="found document a again"):
        build([folder, folder], target)
    assert not target.exists()


def test_every_faulty_document_is_named_and_nothing_is_written(folder, target):
    build([folder], target)
    before = target.read_bytes()
    touched(folder / "a.xml", "<a>\n<b></a>")
    (folder / "bad.txt").write_bytes(b"fine\n\xff")
    with pytest.raises(FaultyInput) as caught:
        build([folder], target)
    faults = caught.value.faults
    assert [os.path.basename(fault.file) for fault in faults] == ["a.xml", "bad.txt"]  # noqa: PTH119
    assert [fault.line for fault in faults] == [2, 2]
    assert target.read_bytes() == before
    assert leftovers(target) == []


def test_leniency_leaves_faulty_documents_out(folder, target):
    (folder / "bad.txt").write_bytes(b"\xff")
    summary = build([folder], target, lenient=True)
    expected = "5 documents: 5 new, 0 changed, 0 unchanged, 0 removed; 1 faulty, left out"
    assert str(summary) == expected
    assert "bad" not in open_collection(target).lengths
    assert len(open_collection(target).lengths) == 5


def test_nothing_but_faulty_documents_is_refused_even_so(tmp_path, target):
    (tmp_path / "bad").mkdir()
    (tmp_path / "bad" / "x.txt").write_bytes(b"\xff")
    with pytest.raises(FaultyInput, match=r"x.txt:1"):
        build([tmp_path / "bad"], target, lenient=True)
    assert not target.exists()


def test_a_file_that_cannot_be_read_is_faulty(folder, target, monkeypatch):
    def refuse(*_):
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(building, "parse", refuse)
    with pytest.raises(FaultyInput, match="found Permission denied, expected a file that can"):
        build([folder], target)


def test_a_name_that_is_not_utf8_is_escaped(tmp_path, target):
    folder = tmp_path / "documents\udcfe"
    folder.mkdir()
    (folder / "caf\udce9.txt").write_text("text")
    for _ in range(2):
        summary = build([folder], target)
        same(open_collection(target), open_collection(folder))
    assert (summary.documents, summary.unchanged) == (1, 1)
    assert open_collection(target).text(r"caf\xe9") == "text"


@pytest.mark.parametrize("problem", [KeyboardInterrupt, MemoryError])
def test_an_interruption_leaves_what_was_there(folder, target, monkeypatch, problem):
    build([folder], target)
    before = target.read_bytes()

    def interrupt(*_):
        raise problem

    monkeypatch.setattr(building, "parse", interrupt)
    with pytest.raises(problem):
        build([folder], target, force=True)
    assert target.read_bytes() == before
    assert leftovers(target) == []


def test_where_nothing_can_be_written(folder, tmp_path):
    with pytest.raises(OutputError, match="folder not found"):
        build([folder], tmp_path / "nowhere" / "x")
    with pytest.raises(OutputError, match="is a folder"):
        build([folder], tmp_path)
    with pytest.raises(OutputError, match="x cannot be written: File name too long"):
        build([folder], tmp_path / ("x" * 300))
    notes = tmp_path / "notes.txt"
    notes.write_text("of value")
    with pytest.raises(OutputError, match="exists but is not a collection"):
        build([folder], notes)
    assert notes.read_text() == "of value"
    build([folder], notes, force=True)
    same(open_collection(notes), open_collection(folder))


def test_an_empty_file_may_be_replaced(folder, target):
    target.touch()
    build([folder], target)
    assert len(open_collection(target).lengths) == 5


def test_no_documents_no_collection(tmp_path, target):
    (tmp_path / "empty").mkdir()
    with pytest.raises(InputError, match="found"):
        build([tmp_path / "empty"], target)
    with pytest.raises(InputError, match="no such"):
        build([tmp_path / "nowhere"], target)
    assert not target.exists()


# -- damage


def changed(target, statement, *values):
    connection = sqlite3.connect(target)
    with connection:
        connection.execute(statement, values)
    connection.close()


def test_other_formats_and_programs(folder, target):
    build([folder], target)
    changed(target, "PRAGMA user_version = 2")
    with pytest.raises(InputError, match=r"found a collection of format 2.*with a later spanwise"):
        open_collection(target)
    changed(target, "PRAGMA user_version = 0")
    with pytest.raises(InputError, match=r"found a collection of format 0.*collection build again"):
        open_collection(target)
    changed(target, "PRAGMA application_id = 7")
    with pytest.raises(InputError, match="found an SQLite file of another program"):
        open_collection(target)


@pytest.mark.parametrize("size", [20, 99, 4096, -1])
def test_a_file_that_breaks_off(folder, target, size):
    build([folder], target)
    target.write_bytes(target.read_bytes()[:size])
    with pytest.raises(InputError, match="found a truncated collection file"):
        open_collection(target)
    if size > 99:
        build([folder], target)
        same(open_collection(target), open_collection(folder))


def test_damage_inside(folder, target):
    build([folder], target)
    text = sqlite3.connect(target)
    (blob,) = text.execute("SELECT text FROM contents WHERE number = 0").fetchone()
    text.close()
    wrong = bytes([*blob[:-1], blob[-1] ^ 1])
    for content in (wrong, blob[:-3], b"", b"junk", packed(b"12345678"), packed(b"x" * 99)):
        changed(target, "UPDATE contents SET text = ?, tree = ? WHERE number = 0", content, content)
        built = open_collection(target)
        with pytest.raises(InputError, match=r"damaged collection file .*document a\).*force=True"):
            built.text("a")
        with pytest.raises(InputError, match="damaged collection file"):
            built.elements.tree("a")
        assert built.text("sub/c") == FILES["sub/c.md"]


def test_missing_tables_and_pages(folder, target):
    build([folder], target)
    whole = target.read_bytes()
    changed(target, "DELETE FROM paths")
    with pytest.raises(InputError, match="no table of paths"):
        open_collection(target).elements  # noqa: B018
    changed(target, "DROP TABLE calls")
    with pytest.raises(InputError, match=r"damaged collection file .no such table"):
        open_collection(target).find("a")
    page = 8192
    target.write_bytes(whole[:page] + b"\xff" * (len(whole) - page))
    with pytest.raises(InputError, match="damaged collection file"):
        open_collection(target).find("a")


# -- packing

NUMBERS = st.integers(0, 2**31 - 1)


@given(st.lists(st.tuples(NUMBERS, NUMBERS, NUMBERS, NUMBERS)))
def test_any_tree_comes_back(rows):
    columns = np.array(rows, np.int64).reshape(-1, 4).T
    columns[1] = np.minimum(columns[1], np.arange(-1, columns.shape[1] - 1))
    tree = Tree(*columns)
    back = tree_of(packed_tree(tree), len(tree))
    for name in ("path", "parent", "start", "size"):
        assert getattr(back, name).tolist() == getattr(tree, name).tolist()
        assert getattr(back, name).dtype == np.int64


@given(st.text())
def test_any_text_comes_back(text):
    assert text_of(packed(text.encode()), len(text)) == text
    with pytest.raises(DamageError):
        text_of(packed(text.encode()), len(text) + 1)


def test_paths_come_back():
    paths = Paths()
    for text in ("/a[1]/b[2]/c[1]", "/a[1]/é[7]", "/x:y[1]"):
        paths.add_path(text)
    columns, tags = packed_paths(paths)
    back = paths_of(columns, len(paths), tags)
    assert [back.text(number) for number in range(len(back))] == [
        paths.text(number) for number in range(len(paths))
    ]
    assert back.number("/a[1]/é[7]") == paths.number("/a[1]/é[7]")
    with pytest.raises(DamageError):
        paths_of(columns, len(paths), tags[:-1])


def test_a_collection_may_be_used_and_dropped_in_another_thread(tmp_path):
    (tmp_path / "a.txt").write_text("some text", encoding="utf-8")
    build([tmp_path / "a.txt"], tmp_path / "built")
    opened = [open_collection(tmp_path / "built")]
    failed: list[object] = []

    def use_and_drop() -> None:
        try:
            assert opened.pop().text("a") == "some text"
        except Exception as problem:
            failed.append(problem)

    thread = threading.Thread(target=use_and_drop)
    thread.start()
    thread.join()
    gc.collect()
    assert not failed
    assert not opened


def test_names_of_no_document_are_not_kept(folder, target):
    build([folder], target)
    documents = CollectionFile(target)
    assert [documents.find(f"{number}" * 1000) for number in range(9)] == [None] * 9
    assert documents.find("a") == "a"
    assert list(documents._records) == ["a"]
