"""Collections: folders, texts in one file, tables of lengths and tokens."""

import gzip
import json
import subprocess
import sys
from hashlib import sha256
from types import MappingProxyType

import polars as pl
import pytest
import zstandard

from spanwise.collection.build import build
from spanwise.collection.collection import open_collection
from spanwise.data.documents import Documents
from spanwise.errors import InputError, NeedError, SpanwiseError

TEXTS = {"a": "Japan and Peru.\r\n", "sub/b.v1": "\ufeffä😀\r\n\n", "sub/c": ""}


@pytest.fixture
def folder(tmp_path):
    root = tmp_path / "texts"
    for name, text in TEXTS.items():
        path = root / f"{name}.txt"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text.encode())
    (root / ".hidden").write_bytes(b"\xff")
    return root


def test_a_folder_is_read_character_for_character(folder):
    collection = open_collection(folder)
    assert collection.has_text
    assert {name: collection.text(name) for name in collection.lengths} == TEXTS
    assert dict(collection.lengths) == {name: len(text) for name, text in TEXTS.items()}
    assert collection.mean_length == (17 + 6 + 0) / 3


@pytest.mark.parametrize("name", ["sub/b.v1", "sub/b.v1.txt", "b.v1.txt", "b.v1"])
def test_a_file_may_be_called_by_its_path_or_its_name(folder, name):
    collection = open_collection(folder)
    assert name in collection.lengths
    assert (collection.lengths[name], collection.text(name)) == (6, TEXTS["sub/b.v1"])
    assert collection.lengths_of([name, "x"]) == {name: 6}


def test_names_that_two_files_have_are_not_taken(folder):
    (folder / "other").mkdir()
    (folder / "other" / "b.v1.txt").write_text("12345")
    (folder / "other" / "b.v1.md").write_text("1234")
    (folder / "other" / "a.txt").write_text("123")
    collection = open_collection(folder)
    assert "b.v1" not in collection.lengths
    assert "other/b.v1" not in collection.lengths
    assert collection.lengths["other/b.v1.txt"] == 5
    assert collection.lengths["b.v1.md"] == 4
    assert collection.lengths["a"] == 17
    assert collection.lengths["a.txt"] == 17
    assert set(collection.lengths) == {
        *TEXTS,
        "other/a",
        "other/b.v1.md",
        "other/b.v1.txt",
    }


def test_texts_are_read_when_asked_for(folder):
    collection = open_collection(folder)
    (folder / "bad.txt").write_bytes(b"ok\n\xff")
    (folder / "a.txt").write_text("changed")
    assert collection.text("a") == "changed"
    assert "bad" not in collection.lengths
    with pytest.raises(InputError, match=r"bad.txt:2: found byte 0xff"):
        open_collection(folder).text("bad")


def test_what_is_not_there_is_said(folder, tmp_path):
    collection = open_collection(folder)
    with pytest.raises(NeedError, match="document zzz has no text"):
        collection.text("zzz")
    with pytest.raises(KeyError):
        collection.lengths["zzz"]
    assert collection.lengths.get("zzz") is None
    with pytest.raises(InputError, match="file not found"):
        open_collection(tmp_path / "nowhere")
    (tmp_path / "empty").mkdir()
    with pytest.raises(InputError, match="found no documents"):
        open_collection(tmp_path / "empty")


def test_a_folder_of_all_kinds(tmp_path):
    files = {
        "a.xml": "<?xml version='1.0'?><a>Caf&#233; <b>&amp;</b><!-- no --> bar</a>",
        "sub/b.html": "<html><body><p>One</p><p>Two</p></body></html>",
        "sub/c.md": "# Title\n\nText &amp; more.\n",
        "d.txt": "One.\r\n\r\nTwo.",
    }
    for name, content in files.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_bytes(content.encode())
    collection = open_collection(tmp_path)
    assert {name: collection.view(name) for name in collection.lengths} == {
        "a": "xml",
        "d": "raw",
        "sub/b": "html",
        "sub/c": "raw",
    }
    assert (collection.text("a"), collection.lengths["a"]) == ("Café & bar", 10)
    assert collection.text("sub/c") == files["sub/c.md"]
    assert collection.sha256("d") == sha256(files["d.txt"].encode()).hexdigest()
    assert collection.sha256("a") == sha256("Café & bar".encode()).hexdigest()
    assert paths(collection, "a.xml") == {"/a[1]": (0, 10), "/a[1]/b[1]": (5, 6)}
    assert paths(collection, "sub/c")["/document[1]/sec[1]/title[1]"] == (0, 7)
    assert paths(collection, "d")["/document[1]/p[2]"] == (8, 12)
    assert collection.elements.tree("x") is None
    assert collection.view("x") is None


def paths(collection, document):
    """Start and end of each element."""
    tree, text = collection.elements.tree(document), collection.elements.paths.text
    rows = zip(tree.path.tolist(), tree.start.tolist(), tree.end.tolist(), strict=True)
    return {text(path): (start, end) for path, start, end in rows}


def test_elements_are_read_once_and_when_asked_for(tmp_path):
    (tmp_path / "a.xml").write_text("<a><b>x</b></a>")
    (tmp_path / "b.xml").write_text("<a><broken")
    collection = open_collection(tmp_path)
    assert collection.lengths["a"] == 1
    (tmp_path / "a.xml").unlink()
    assert paths(collection, "a") == {"/a[1]": (0, 1), "/a[1]/b[1]": (0, 1)}
    with pytest.raises(InputError, match=r"b.xml:1: found"):
        collection.elements.tree("b")


# -- one file


def written(path, rows, pack=bytes):
    path.write_bytes(pack("".join(json.dumps(row) + "\n" for row in rows).encode()))
    return path


def test_texts_in_one_file(tmp_path):
    rows = [{"spanwise": 1, "kind": "collection"}]
    rows += [{"document": name, "text": text, "title": "x"} for name, text in TEXTS.items()]
    collection = open_collection(written(tmp_path / "texts.jsonl", rows))
    assert collection.has_text
    assert {name: collection.text(name) for name in collection.lengths} == TEXTS


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
@pytest.mark.parametrize("pack", [gzip.compress, zstandard.ZstdCompressor().compress])
def test_texts_in_one_packed_file(tmp_path, pack):
    rows = [{"document": name, "text": text} for name, text in TEXTS.items()]
    collection = open_collection(written(tmp_path / "texts", rows, pack))
    assert {name: collection.text(name) for name in collection.lengths} == TEXTS


@pytest.mark.parametrize(
    "content",
    [
        '{"document": "d1", "length": 10}\n{"document": "ä", "length": 20}\n',
        "d1\t10\n\n# comment\nä   20\n",
        "document length\nd1 10\nä 20\n",
        "docid,len\nd1,10\nä,20\n",
        "size;doc\n10;d1\n20;ä\n",
        "\ufeffdoc\tsize\r\nd1\t10\r\nä\t20\r\n",
    ],
)
def test_tables_of_lengths(tmp_path, content):
    path = tmp_path / "lengths"
    path.write_bytes(content.encode())
    collection = open_collection(path)
    assert dict(collection.lengths) == {"d1": 10, "ä": 20}
    assert (collection.has_text, collection.mean_length) == (False, 15.0)
    assert not collection.has_tokens
    with pytest.raises(NeedError, match="no text"):
        collection.text("d1")


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("d1 10\nd2 x\n", ":2: found 'x', expected a length"),
        ("d1 10\nd2\n", ":2: found 1 columns, expected 2"),
        ("d1 10\nd1 11\n", ":2: found length 11 of document d1, expected 10"),
        ("d1 10\nd2 9223372036854775808\n", ":2: found length 9223372036854775808"),
        ("document,length\nd1,10\nd2,x\n", ":3: found length 'x'"),
        ("document,length\nd1,10\nd2,-1\n", ":3: found length -1"),
        ("document,length\nd1,10\nd2,\n", ":3: found no length"),
        ('{"document": "d", "length": 1}\n{"document": "e"}\n', ":2: found only a document"),
        ('{"document": "d", "length": 1}\n{"length": 1}\n', ":2: found no document"),
        (
            '{"document": "d", "text": "a"}\n{"document": "d", "text": "a"}',
            ":2: found document d ag",
        ),
        ('{"document": "d", "text": "a"}\n{"document": "d", "length": 2}', ":2: found length 2"),
        ('{"document": "d", "text": "a"}\n{"document": "e", "text": 1}', ":2: found text 1"),
        ('{"document": "d", "text": "a"}\n{"document"', ":2: found broken JSON"),
        ('{"document": "d", "text": "a"}\n["e"]', r":2: found \['e'\]"),
        (
            '{"document": "d", "length": 9}\n{"document": "d", "tokens": [[5, 2]]}',
            ":2: found tokens",
        ),
        (
            '{"document": "d", "length": 9}\n{"document": "d", "tokens": [[5, 9], [0, 2]]}',
            ":2: found tokens .* in ascending order",
        ),
        (
            '{"document": "d", "length": 9}\n{"document": "d", "tokens": [[0.5, 2]]}',
            ":2: found tok",
        ),
        (
            '{"document": "d", "text": "a", "format": "pdf"}',
            ":1: found format 'pdf', expected text",
        ),
        ('{"document": "d", "text": "a", "format": ["xml"]}', ":1: found format"),
        (
            '{"document": "d", "text": "a"}\n{"document": "e", "text": "<a>", "format": "xml"}',
            ":2: found .* in line 1 of document e",
        ),
        ('{"document": "d", "text": "\\ud800", "format": "md"}', ":1: found half of a surrogate"),
        ("<a/>", "found an XML file.*spanwise collection build"),
    ],
)
def test_what_is_wrong_with_a_file_is_said_with_its_line(tmp_path, content, message):
    path = tmp_path / "file"
    path.write_text(content)
    with pytest.raises(InputError, match=message):
        open_collection(path)


def test_markup_in_one_file(tmp_path):
    rows = [
        {"document": "x", "text": "<a>1<b>23</b></a>", "format": "xml"},
        {"document": "m", "text": "# T\n\np", "format": "markdown"},
        {"document": "t", "text": "<a>plain</a>", "format": "text"},
        {"document": "n", "length": 7},
    ]
    collection = open_collection(written(tmp_path / "texts.jsonl", rows))
    assert dict(collection.lengths) == {"x": 3, "m": 6, "t": 12, "n": 7}
    assert [collection.view(name) for name in "xmtn"] == ["xml", "raw", "raw", None]
    assert [collection.text(name) for name in "xmt"] == ["123", "# T\n\np", "<a>plain</a>"]
    assert paths(collection, "x") == {"/a[1]": (0, 3), "/a[1]/b[1]": (1, 3)}
    assert "/document[1]/sec[1]/p[1]" in paths(collection, "m")
    assert collection.elements.tree("t") is None
    plain = open_collection(written(tmp_path / "plain.jsonl", rows[2:]))
    assert plain.elements is None


def test_a_compressed_collection_file_is_refused(tmp_path):
    import sqlite3

    sqlite3.connect(tmp_path / "other").execute("CREATE TABLE t (x)").connection.close()
    packed = tmp_path / "packed"
    packed.write_bytes(gzip.compress((tmp_path / "other").read_bytes()))
    with pytest.raises(InputError, match="found a compressed collection file"):
        open_collection(packed)
    with pytest.raises(InputError, match="found an SQLite file of another program"):
        open_collection(tmp_path / "other")


# -- tokens


def pairs(tokens):
    return list(zip(*(column.tolist() for column in tokens), strict=True))


def test_tokens_are_words_and_marks(folder):
    collection = open_collection(folder)
    assert pairs(collection.tokens("a")) == [(0, 5), (6, 9), (10, 14), (14, 15)]
    assert pairs(collection.tokens("sub/b.v1")) == [(0, 1), (1, 2), (2, 3)]
    assert pairs(collection.tokens("sub/c")) == []


def test_a_tokenizer_of_ones_own(folder):
    collection = open_collection(folder)
    halves = collection.with_tokenizer(lambda text: [(0, 8), (8, len(text))])
    assert pairs(halves.tokens("a")) == [(0, 8), (8, 17)]
    assert pairs(collection.tokens("a")) != pairs(halves.tokens("a"))
    beyond = collection.with_tokenizer(lambda text: [(0, len(text) + 1)])
    with pytest.raises(SpanwiseError, match=r"token \(0, 18\) outside the text of document a"):
        beyond.tokens("a")


def test_tokens_without_texts(tmp_path):
    row = {"document": "d7", "length": 9, "tokens": [[0, 5], [6, 9]]}
    collection = open_collection(written(tmp_path / "tokens", [row]))
    assert (collection.has_text, collection.has_tokens) == (False, True)
    assert pairs(collection.tokens("d7")) == [(0, 5), (6, 9)]


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
def test_a_broken_archive_is_refused(tmp_path):
    path = written(tmp_path / "texts", [{"document": "d", "text": "t" * 99}], gzip.compress)
    path.write_bytes(path.read_bytes()[:-9])
    with pytest.raises(InputError, match="damaged compressed data"):
        open_collection(path)


def test_a_table_of_tokens(tmp_path):
    rows = [{"document": "d7", "tokens": [[0, 5], [6, 9]]}, {"document": "d8", "text": "a b"}]
    collection = open_collection(written(tmp_path / "tokens", rows))
    assert pairs(collection.tokens("d7")) == [(0, 5), (6, 9)]
    assert pairs(collection.tokens("d8")) == [(0, 1), (2, 3)]
    assert dict(collection.lengths) == {"d8": 3}
    own = collection.with_tokenizer(lambda text: [(0, len(text))])
    assert pairs(own.tokens("d8")) == [(0, 3)]


# -- what a collection says about itself


def test_a_collection_shows_what_it_has(tmp_path):
    assert repr(open_collection({"d": "x"})) == (
        "<Collection in memory: 1 document with lengths, text, tokens>"
    )
    (tmp_path / "lengths").write_text("d1 10\nd2 1200\n")
    (tmp_path / "elements").write_text("d1\t/a[1]\t0\t10\n")
    lengths, elements = tmp_path / "lengths", tmp_path / "elements"
    assert repr(open_collection(lengths)) == f"<Collection {lengths}: 2 documents with lengths>"
    assert repr(open_collection(lengths, elements)) == (
        f"<Collection {lengths}: 2 documents with lengths, elements from {elements}>"
    )


def test_documents_that_know_only_lengths_say_so():
    class Sizes(Documents):
        lengths = MappingProxyType({"d": 7})

    known = Sizes()
    assert (known.has_text, known.has_tokens, known.elements, known.notes) == (
        False, False, None, ()
    )  # fmt: skip
    for ask in (known.text, known.tokens, known.sha256):
        with pytest.raises(NeedError, match=r"document d has no t.* in the collection in memory"):
            ask("d")


# -- without polars

WITHOUT_POLARS = """
import sys
sys.modules["polars"] = None
from spanwise import SpanwiseError, open_collection
for place in sys.argv[1:]:
    try:
        opened = open_collection(place)
        print(sorted(opened.lengths.items()))
    except SpanwiseError as problem:
        print(problem)
"""


def test_only_parquet_needs_polars(folder, tmp_path):
    rows = [{"document": "d", "text": "seven"}]
    pl.DataFrame(rows).write_parquet(tmp_path / "a.parquet")
    (tmp_path / "a.jsonl").write_text(json.dumps(rows[0]))
    (tmp_path / "a.csv").write_text("document,length\nd,5\n")
    build([folder], tmp_path / "built")
    places = [tmp_path / "a.parquet", tmp_path / "a.jsonl", tmp_path / "a.csv", tmp_path / "built"]
    command = [sys.executable, "-c", WITHOUT_POLARS, *map(str, places), str(folder)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    lines = done.stdout.splitlines()
    assert lines[0] == (
        "reading Parquet needs polars; install it with: pip install 'spanwise[frames]'"
    )
    assert lines[1:3] == ["[('d', 5)]"] * 2
    assert lines[3] == lines[4] == str(sorted((name, len(text)) for name, text in TEXTS.items()))
