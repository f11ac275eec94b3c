"""Element tables: what they say, what may be wrong with them, and documents beside them."""

from __future__ import annotations

import gzip
import random

import pytest
import zstandard

from spanwise.collection.collection import open_collection
from spanwise.collection.element_table import open_elements
from spanwise.data.elements import ROOT, UNKNOWN
from spanwise.errors import FaultyInput, InputError, NeedError, SpanwiseError

TABLE = """\
d1\t/article[1]\t0\t100
d1\t/article[1]/sec[1]\t0\t40
d1\t/article[1]/sec[1]/p[1]\t5\t35
d1\t/article[1]/sec[2]\t40\t60
a b "c" [d] ä\t/article[1]\t0\t7
"""


def written(tmp_path, text, name="elements.tsv"):
    path = tmp_path / name
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path


def listed(table, document):
    """Path, start, size and path of the parent of each element."""
    tree = table.tree(document)
    text = table.paths.text
    parents = [None if row == ROOT else text(int(tree.path[row])) for row in tree.parent.tolist()]
    columns = (map(text, tree.path.tolist()), tree.start.tolist(), tree.size.tolist(), parents)
    return list(zip(*columns, strict=True))


def test_elements_and_lengths_of_documents(tmp_path):
    table = open_elements(written(tmp_path, TABLE))
    assert listed(table, "d1") == [
        ("/article[1]", 0, 100, None),
        ("/article[1]/sec[1]", 0, 40, "/article[1]"),
        ("/article[1]/sec[1]/p[1]", 5, 35, "/article[1]/sec[1]"),
        ("/article[1]/sec[2]", 40, 60, "/article[1]"),
    ]
    assert listed(table, 'a b "c" [d] ä') == [("/article[1]", 0, 7, None)]
    assert table.tree("d2") is None
    assert list(table.documents) == ["d1", 'a b "c" [d] ä']
    assert {name: table.length(name) for name in table.names()} == {"d1": 100, 'a b "c" [d] ä': 7}
    assert [*map(str, table.notes)] == []


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
@pytest.mark.parametrize(
    "change",
    [
        lambda text: "document\txpath\toffset\tlength\n" + text,
        lambda text: "# a comment\n\nDocument\tXPath\toffset\tlength\n" + text,
        lambda text: text.replace("\n", "\r\n"),
        lambda text: "\ufeff" + text.rstrip("\n"),
        lambda text: text.replace("\n", "\n#\tx\ty\tz\n\n   \n"),
        lambda text: "".join(reversed(text.splitlines(keepends=True))),
        lambda text: text.replace("[1]", ""),
        lambda text: gzip.compress(text.encode()),
        lambda text: zstandard.ZstdCompressor().compress(text.encode()),
    ],
)
def test_ways_to_write_the_same(tmp_path, change):
    table = open_elements(written(tmp_path, change(TABLE)))
    expected = open_elements(written(tmp_path, TABLE, "other.tsv"))
    for document in expected.documents:
        assert listed(table, document) == listed(expected, document)


def test_ancestors_that_are_not_listed_are_implied(tmp_path):
    rows = "d\t/a[1]/b[2]/c[1]\t10\t5\nd\t/a[1]/b[1]/c[3]\t2\t4\nd\t/a[1]/e[1]\t6\t0\n"
    table = open_elements(written(tmp_path, rows))
    assert listed(table, "d") == [
        ("/a[1]", UNKNOWN, UNKNOWN, None),
        ("/a[1]/b[1]", UNKNOWN, UNKNOWN, "/a[1]"),
        ("/a[1]/b[1]/c[3]", 2, 4, "/a[1]/b[1]"),
        ("/a[1]/e[1]", 6, 0, "/a[1]"),
        ("/a[1]/b[2]", UNKNOWN, UNKNOWN, "/a[1]"),
        ("/a[1]/b[2]/c[1]", 10, 5, "/a[1]/b[2]"),
    ]
    assert list(table.names()) == []
    assert table.find("d") is None


def test_several_roots_end_where_the_last_ends(tmp_path):
    table = open_elements(written(tmp_path, "d\t/b[1]\t4\t6\nd\t/a[1]\t0\t4\n"))
    assert [row[0] for row in listed(table, "d")] == ["/a[1]", "/b[1]"]
    assert table.length("d") == 10


def test_an_empty_table_has_nothing(tmp_path):
    table = open_elements(written(tmp_path, "# nothing\n"))
    assert list(table.documents) == list(table.names()) == []


DEEP = "/a" * 257


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        ("d /a[1] 0 5", ":2: found 1 column, expected 4 separated by TAB"),
        ("d\t/a[1]\t0", ":2: found 3 columns, expected 4"),
        ("d\t/a[1]\t0\t5\t", ":2: found 5 columns, expected 4"),
        ("d\ta[1]\t0\t5", r":2: found 'a\[1\]', expected a path"),
        ("d\t/a[0]\t0\t5", r":2: found '/a\[0\]', expected a path"),
        ("d\t/a[1]/ b\t0\t5", ":2: found .* expected a path"),
        ("d\t\t0\t5", ":2: found '', expected a path"),
        (f"d\t{DEEP}\t0\t5", "of at most 256 steps"),
        ("\t/a[1]\t0\t5", ":2: found '', expected the name of a document"),
        ("d\t/a[1]\t-1\t5", ":2: found '-1', expected an offset of 0 or more"),
        ("d\t/a[1]\t0\t-5", ":2: found '-5', expected a length of 0 or more"),
        ("d\t/a[1]\t\t5", ":2: found '', expected an offset"),
        ("d\t/a[1]\t0\t5.0", ":2: found '5.0', expected a length"),
        ("d\t/a[1]\t0\t٣", ":2: found '٣', expected a length"),
        ("d\t/a[1]\t0\t1000000000000000000", ":2: found '10*', expected a length"),
        ("d\t/a[1]\t0\t5\nd\t/a\t0\t5", r":3: found /a\[1\] again, in document d.*line 2"),
        (
            "d\t/a[1]\t1\t5\nd\t/a[1]/b[1]\t0\t2",
            r":3: found /a\[1\]/b\[1\] at \[0, 2\) of document d, expected a place inside its"
            r" ancestor /a\[1\] at \[1, 6\)",
        ),
        ("d\t/a[1]\t0\t5\nd\t/a[1]/b[1]\t2\t4", r":3: .* inside its ancestor /a\[1\]"),
        ("d\t/a[1]\t0\t5\nd\t/a[1]/b[1]/c[1]\t2\t4", r":3: .* inside its ancestor /a\[1\]"),
        ("d\t/a[1]\t0\t5\nd\t/a[1]/b[1]\t6\t0", r":3: .* inside its ancestor /a\[1\]"),
    ],
)
def test_what_is_wrong_is_said_with_its_line(tmp_path, rows, message):
    path = written(tmp_path, f"x\t/a[1]\t0\t5\n{rows}\n")
    with pytest.raises(FaultyInput, match=message):
        open_elements(path)


def test_every_fault_is_kept(tmp_path):
    path = written(tmp_path, "d\t/a[1]\t0\t5\nd\tx\t0\t5\nd\t/b[1]\tx\t5\nd\n")
    with pytest.raises(FaultyInput) as caught:
        open_elements(path)
    assert [(fault.line, fault.rule) for fault in caught.value.faults] == [
        (2, "path"),
        (3, "offset"),
        (4, "columns"),
    ]


def test_bytes_that_are_no_text_are_refused(tmp_path):
    with pytest.raises(InputError, match=":2: found byte 0xff"):
        open_elements(written(tmp_path, b"d\t/a[1]\t0\t5\nd\xff\t/a[1]\t0\t5\n"))
    with pytest.raises(InputError, match=":1: found a NUL byte"):
        open_elements(written(tmp_path, b"d\0\t/a[1]\t0\t5\n"))


def test_siblings_that_overlap_are_noted(tmp_path):
    rows = "d\t/a[1]\t0\t9\nd\t/a[1]/b[1]\t0\t5\nd\t/a[1]/c[1]\t4\t2\nd\t/a[1]/b[2]\t5\t0\n"
    table = open_elements(written(tmp_path, rows))
    (note,) = table.notes
    assert (note.kind, note.count) == ("overlapping siblings", 1)
    remark = str(note)
    assert "elements.tsv:3: 1 element overlaps the sibling before it" in remark
    assert "/a[1]/c[1] at [4, 6) after /a[1]/b[1] at [0, 5) in document d" in remark
    assert open_collection(None, tmp_path / "elements.tsv").notes == table.notes


# -- against trees that are made first


def random_tree(source, depth=0, start=0, path="/a[1]"):
    """Path, start and size of each element in document order, all inside ``path``."""
    place, counts, rows = start, {}, []
    for _ in range(source.randrange(4) if depth < 5 else 0):
        place += source.randrange(3)
        tag = source.choice("bcd")
        counts[tag] = counts.get(tag, 0) + 1
        inside = random_tree(source, depth + 1, place, f"{path}/{tag}[{counts[tag]}]")
        place = inside[0][1] + inside[0][2]
        rows += inside
    place += source.randrange(3)
    return [(path, start, place - start), *rows]


def test_any_order_of_lines_gives_the_same_trees(tmp_path):
    source = random.Random(7)
    trees = {f"d {number}": random_tree(source) for number in range(60)}
    lines = [
        f"{name}\t{path}\t{start}\t{size}\n"
        for name, rows in trees.items()
        for path, start, size in rows
        # Empty siblings at one place have no order but that of their lines.
        if size or path == "/a[1]"
    ]
    source.shuffle(lines)
    table = open_elements(written(tmp_path, "".join(lines)))
    for name, rows in trees.items():
        found = [row for row in listed(table, name) if row[2] != UNKNOWN]
        assert [row[:3] for row in found] == [row for row in rows if row[2] or row[0] == "/a[1]"]
        assert all(parent == path.rpartition("/")[0] for path, _, _, parent in found[1:])


def test_empty_siblings_stay_in_the_order_of_their_lines(tmp_path):
    source = random.Random(8)
    for number in range(40):
        rows = random_tree(source)
        lines = "".join(f"d\t{path}\t{start}\t{size}\n" for path, start, size in rows)
        table = open_elements(written(tmp_path, lines, f"{number}.tsv"))
        assert [row[:3] for row in listed(table, "d")] == rows


def test_many_lines_are_read_in_blocks(tmp_path, monkeypatch):
    monkeypatch.setattr("spanwise.collection.element_table._BLOCK", 100)
    rows = [f"d{n // 10}\t/a[1]/b[{n % 10 + 1}]\t{n % 10 * 5}\t5\n" for n in range(500)]
    rows[250:250] = ["# comment\n", "d25\t/a[1]\t0\t50\n"]
    table = open_elements(written(tmp_path, "".join(rows)))
    assert len(list(table.documents)) == 50
    assert listed(table, "d49")[-1] == ("/a[1]/b[10]", 45, 5, "/a[1]")
    rows[400] = "d39\t/a[1]/b[99]\t0\tx\n"
    with pytest.raises(FaultyInput, match=":401: found 'x'"):
        open_elements(written(tmp_path, "".join(rows)))


# -- collections


def test_a_table_alone_is_a_collection_of_lengths_and_elements(tmp_path):
    path = written(tmp_path, TABLE)
    for collection in (open_collection(None, path), open_collection(path)):
        assert dict(collection.lengths) == {"d1": 100, 'a b "c" [d] ä': 7}
        assert not collection.has_text
        assert not collection.has_tokens
        assert len(collection.elements.tree("d1")) == 4
        assert collection.elements.tree("x") is None
        assert collection.view("d1") is None
        with pytest.raises(NeedError, match="document d1 has no text"):
            collection.sha256("d1")
    with pytest.raises(SpanwiseError, match="neither documents nor elements"):
        open_collection(None)


def test_texts_of_a_collection_with_elements_of_a_table(tmp_path):
    (tmp_path / "texts" / "sub").mkdir(parents=True)
    (tmp_path / "texts" / "sub" / "d1.txt").write_text("x" * 100)
    (tmp_path / "texts" / "d2.txt").write_text("y")
    texts, path = tmp_path / "texts", written(tmp_path, TABLE)
    collection = open_collection(texts, path)
    assert dict(collection.lengths) == {"d2": 1, "sub/d1": 100}
    for name in ("d1", "sub/d1", "d1.txt"):
        assert len(collection.elements.tree(name)) == 4
    assert collection.elements.tree("d2") is None
    assert len(collection.elements.tree('a b "c" [d] ä')) == 1
    assert collection.text("d1") == "x" * 100
    words = collection.with_tokenizer(lambda text: [(0, len(text))])
    assert len(words.elements.tree("d1")) == 4
    again = open_collection(open_collection(texts), path)
    assert len(again.elements.tree("d1")) == 4


def test_elements_that_do_not_fit_the_text_are_refused(tmp_path):
    texts = written(tmp_path, '{"document": "d1", "text": "short"}\n', "texts.jsonl")
    collection = open_collection(texts, written(tmp_path, TABLE))
    with pytest.raises(InputError, match=r"found /article\[1\] of document d1 up to character 100"):
        collection.elements.tree("d1")


def test_one_document_under_two_names_is_refused(tmp_path):
    (tmp_path / "texts").mkdir()
    (tmp_path / "texts" / "d.txt").write_text("text")
    rows = "d\t/a[1]\t0\t4\nd.txt\t/a[1]\t0\t4\n"
    collection = open_collection(tmp_path / "texts", written(tmp_path, rows))
    with pytest.raises(InputError, match=r"elements of d.txt and of d, which are the same"):
        collection.elements.tree("d")
