"""``spanwise collection``: build, and look inside."""

from __future__ import annotations

import hashlib
import json
import random
import signal
import subprocess
import time

import pytest

from spanwise.cli.progress import DocumentProgress

ARTICLE = """\
<?xml version="1.0"?>
<article><title>Tides</title>
<sec><p>The sea rises &amp; falls.</p><p>Twice <i>a day</i>.</p></sec>
<sec/></article>
"""
NOTES = "# Notes\r\n\r\nÄ line 😀.\r\n"
ODD = "d e \"f\" 'g' [h] ä"


@pytest.fixture
def documents(tmp_path):
    folder = tmp_path / "documents"
    folder.mkdir()
    (folder / "tides.xml").write_text(ARTICLE)
    (folder / "notes.md").write_bytes(NOTES.encode())
    (folder / f"{ODD}.txt").write_text("One.\n\nTwo.\n")
    return folder


@pytest.fixture
def built(spanwise, documents, tmp_path):
    done = spanwise("collection", "build", "documents", "-o", "my sea.collection")
    assert done.out == "3 documents: 3 new, 0 changed, 0 unchanged, 0 removed\n"
    assert (done.code, done.err) == (0, "")
    return tmp_path / "my sea.collection"


# -- build


def test_a_collection_is_brought_up_to_date(spanwise, built, documents):
    (documents / "new.txt").write_text("new")
    (documents / "notes.md").unlink()
    done = spanwise("collection", "build", "documents", "-o", built)
    assert done.out == "3 documents: 1 new, 0 changed, 2 unchanged, 1 removed\n"
    done = spanwise("collection", "build", "documents", "-o", built, "--force")
    assert done.out == "3 documents: 3 new, 0 changed, 0 unchanged, 0 removed\n"


def test_every_faulty_document_is_named(spanwise, documents, tmp_path):
    for number in range(25):
        (documents / f"bad{number:02}.xml").write_text("<a>\n<b></a>")
    done = spanwise("collection", "build", "documents", "-o", "sea")
    assert (done.code, done.out) == (2, "")
    lines = done.err.splitlines()
    assert len(lines) == 22
    assert lines[0].startswith("documents/bad00.xml:2: found")
    assert lines[19].startswith("documents/bad19.xml:2: found")
    assert lines[20] == "5 more faulty documents are not listed"
    assert lines[21] == "sea was not written; leave faulty documents out with --lenient"
    assert [path.name for path in tmp_path.iterdir()] == ["documents"]
    done = spanwise("collection", "build", "documents", "-o", "sea", "--lenient")
    assert done.code == 0
    assert done.out.endswith("3 new, 0 changed, 0 unchanged, 0 removed; 25 faulty, left out\n")
    assert len(done.err.splitlines()) == 21


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("documents",), "Missing option '-o'"),
        (("-o", "sea"), "Missing argument 'SOURCE...'"),
        (("nowhere", "-o", "sea"), "nowhere: found "),
        (("documents", "documents", "-o", "sea"), "again, expected a name of its own"),
        (("documents", "-o", "nowhere/sea"), "folder not found"),
        (("documents", "-o", "documents"), "is a folder"),
        (("documents", "-o", "documents/tides.xml"), "exists but is not a collection"),
    ],
)
def test_what_cannot_be_built(spanwise, documents, tmp_path, words, message):
    done = spanwise("collection", "build", *words)
    assert (done.code, done.out) == (2, "")
    assert message in done.err
    assert "Traceback" not in done.err
    assert (documents / "tides.xml").read_text() == ARTICLE
    assert not (tmp_path / "sea").exists()


def size_of(path):
    """Of a file that may be gone at any moment."""
    try:
        return path.stat().st_size
    except FileNotFoundError:
        return 0


def test_an_interrupted_build_leaves_nothing(start, documents, tmp_path):
    text = tmp_path / "documents" / "text.txt"
    text.write_text(random.Random(1).randbytes(50_000).hex())
    for number in range(3000):
        (documents / f"{number}.txt").hardlink_to(text)
    words = ("collection", "build", "documents", "-o", "sea")
    process = start(*words, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    # Only after some of the documents were written is it certain that work is going on.
    while not any(size_of(part) > 1_000_000 for part in tmp_path.glob(".spanwise-*.part")):
        assert process.poll() is None, "it was over before it could be interrupted"
        time.sleep(0.005)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=60)
    assert (process.returncode, out) == (130, b"")
    assert err == b"spanwise: interrupted; no file was written\n"
    assert [path.name for path in tmp_path.iterdir()] == ["documents"]


def test_progress_tells_how_far_and_how_long():
    progress = DocumentProgress()
    assert progress.line(3.0) == "looking for documents, 3 s"
    progress.tell(1500, 6000)
    assert progress.line(10.0) == "1,500 of 6,000 documents, 10 s, about 30 s left"


# -- look inside


def test_info(spanwise, built):
    done = spanwise("collection", "info", built.name, folder=built.parent)
    assert done.code == 0
    facts = dict(line.split(maxsplit=1) for line in done.out.splitlines())
    assert facts["documents"] == "3"
    assert facts["views"] == "raw 2, xml 1"
    assert facts["elements"] == "14"
    assert facts["tags"] == "p 5, sec 3, document 2, title 2, article 1, i 1"
    assert facts["characters"] == "74"
    assert facts["largest"] == "tides, 41 characters"
    assert facts["deepest"] == "4 levels, /article[1]/sec[1]/p[2]/i[1] of tides"
    assert len(facts["sha256"]) == 64


def test_info_is_the_same_however_documents_are_kept(spanwise, built, documents):
    one, other = (
        json.loads(spanwise("collection", "info", path, "-o", "json").out)
        for path in (built, documents)
    )
    assert (one.pop("collection"), other.pop("collection")) == (str(built), str(documents))
    assert one == other
    assert one["characters"] == 41 + len(NOTES) + 11
    path = "/article[1]/sec[1]/p[2]/i[1]"
    assert one["deepest"] == {"levels": 4, "document": "tides", "path": path}
    hashes = [
        f"{hashlib.sha256(text.encode()).hexdigest()} {view} {name}\n"
        for name, view, text in sorted(
            [
                ("tides", "xml", "Tides\nThe sea rises & falls.Twice a day.\n"),
                ("notes", "raw", NOTES),
                (ODD, "raw", "One.\n\nTwo.\n"),
            ]
        )
    ]
    assert one["sha256"] == hashlib.sha256("".join(hashes).encode()).hexdigest()


def test_info_of_lengths(spanwise, tmp_path):
    (tmp_path / "lengths").write_text("d1 10\nd2 20\n")
    done = spanwise("collection", "info", "lengths")
    assert done.code == 0
    assert "characters  30\n" in done.out
    assert "only lengths are known" in done.out
    assert "sha256" not in done.out


def test_show(spanwise, built):
    done = spanwise("collection", "show", built, "notes.md")
    text = hashlib.sha256(NOTES.encode()).hexdigest()
    assert done.out == (
        "document  notes\n"
        "view      raw\n"
        f"length    {len(NOTES)}\n"
        f"sha256    {text}\n"
        "elements  4\n"
        "text      # Notes Ä line 😀.\n"
    )
    shown = json.loads(spanwise("collection", "show", built, "notes", "-o", "json").out)
    assert shown["text"] == NOTES


ELEMENTS = """\
order  depth  start  end  size  tag      path
    1      1      0   41    41  article  /article[1]
    2      2      0    5     5  title    /article[1]/title[1]
    3      2      6   40    34  sec      /article[1]/sec[1]
    4      3      6   28    22  p        /article[1]/sec[1]/p[1]
    5      3     28   40    12  p        /article[1]/sec[1]/p[2]
    6      4     34   39     5  i        /article[1]/sec[1]/p[2]/i[1]
    7      2     41   41     0  sec      /article[1]/sec[2]
"""


def test_elements(spanwise, built, documents):
    done = spanwise("collection", "elements", built, "tides")
    assert (done.code, done.out, done.err) == (0, ELEMENTS, "")
    assert spanwise("collection", "elements", documents, "tides.xml").out == ELEMENTS
    short = spanwise("collection", "elements", built, "tides", "--depth", "2").out
    assert [line.split()[0] for line in short.splitlines()] == ["order", "1", "2", "3", "7"]


def test_elements_for_programs(spanwise, built):
    lines = spanwise("collection", "elements", built, "tides", "-o", "tsv").out.splitlines()
    assert lines[0] == "order\tpath\ttag\tdepth\tstart\tend\tsize"
    assert lines[6] == "6\t/article[1]/sec[1]/p[2]/i[1]\ti\t4\t34\t39\t5"
    rows = spanwise("collection", "elements", built, ODD, "-o", "jsonl").out.splitlines()
    assert json.loads(rows[2]) == {
        "document": ODD,
        "order": 3,
        "path": "/document[1]/p[2]",
        "tag": "p",
        "depth": 2,
        "start": 6,
        "end": 10,
        "size": 4,
    }


def test_an_element_table_gives_the_same_elements_back(spanwise, built, tmp_path):
    one = spanwise("collection", "elements", built, "tides", "-o", "elements").out
    assert one.splitlines()[5] == "tides\t/article[1]/sec[1]/p[2]/i[1]\t34\t5"
    everything = spanwise("collection", "elements", built, "-o", "elements").out
    assert one in everything
    (tmp_path / "elements.tsv").write_text(everything)
    for name in ("tides", "notes", ODD):
        expected = spanwise("collection", "elements", built, name, "-o", "jsonl").out
        found = spanwise("collection", "elements", "elements.tsv", name, "-o", "jsonl")
        assert (found.out, found.err) == (expected, "")
    done = spanwise("collection", "info", "elements.tsv")
    assert "elements    14\n" in done.out


def test_elements_whose_place_is_not_known(spanwise, tmp_path):
    (tmp_path / "elements.tsv").write_text("d\t/a[1]\t0\t9\nd\t/a[1]/b[1]/c[1]\t0\t5\n")
    words = ("collection", "elements", "elements.tsv", "d")
    assert spanwise(*words).out.splitlines()[2].split() == [
        "2",
        "2",
        "-",
        "-",
        "-",
        "b",
        "/a[1]/b[1]",
    ]
    assert spanwise(*words, "-o", "tsv").out.splitlines()[2] == "2\t/a[1]/b[1]\tb\t2\t\t\t"
    row = json.loads(spanwise(*words, "-o", "jsonl").out.splitlines()[1])
    assert (row["start"], row["end"], row["size"]) == (None, None, None)
    assert spanwise(*words, "-o", "elements").out == (tmp_path / "elements.tsv").read_text()


def test_texts_are_printed_as_they_are(start, built):
    def printed(*words):
        process = start("collection", "text", built, *words, stdout=subprocess.PIPE)
        out = process.communicate(timeout=60)[0]
        assert process.returncode == 0
        return out

    assert printed("notes") == NOTES.encode()
    assert printed("notes", "--range", "11:19") == "Ä line 😀".encode()
    assert printed("notes", "--range", "22:22") == b""
    assert printed(ODD) == b"One.\n\nTwo.\n"
    assert printed("tides", "--path", "/article[1]/sec[1]/p[2]") == b"Twice a day."
    assert printed("tides", "--path", "/article/sec") == b"The sea rises & falls.Twice a day."


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("show", "tide"), "document tide is not in the collection {}; did you mean tides?"),
        (("elements", "qqqq"), "document qqqq is not in the collection {}; it has "),
        (("text", "tide"), "did you mean tides?"),
        (
            ("text", "tides", "--path", "/article[1]/sec[9]/p[1]"),
            "document tides has no element /article[1]/sec[9]/p[1]; the nearest that exists is"
            " /article[1]",
        ),
        (
            ("text", "tides", "--path", "/book[1]/x[1]"),
            "has no element /book[1]/x[1]; its root is /article[1]",
        ),
        (("text", "tides", "--path", "sec[1]"), "found 'sec[1]', expected a path such as"),
        (
            ("text", "tides", "--range", "40:42"),
            "found the range 40:42, expected START <= END <= 41",
        ),
        (("text", "tides", "--range", "9:8"), "found the range 9:8"),
        (("text", "tides", "--range", "-1:8"), "'-1:8' is not START:END"),
        (("text", "tides", "--range", "7"), "'7' is not START:END"),
        (("text", "tides", "--range", "0:1", "--path", "/a"), "cannot be used together"),
        (("elements",), "-o table is for one document"),
        (("elements", "tides", "--depth", "0"), "0 is not in the range x>=1"),
    ],
)
def test_what_is_not_there_is_said(spanwise, built, words, message):
    done = spanwise("collection", words[0], built, *words[1:])
    assert (done.code, done.out) == (2, "")
    assert message.format(built) in done.err
    assert "Traceback" not in done.err


def test_collections_without_text_or_elements(spanwise, tmp_path):
    (tmp_path / "lengths").write_text("d1 10\n")
    assert "has no text" in spanwise("collection", "text", "lengths", "d1").err
    assert "has no elements" in spanwise("collection", "elements", "lengths", "d1").err
    shown = spanwise("collection", "show", "lengths", "d1")
    assert (shown.code, "only the length is known" in shown.out) == (0, True)


@pytest.mark.parametrize(
    "content", [b"", b"\x89PNG\r\n", b"SQLite format 3\0", b"<a/>", b"a b c\n"]
)
def test_files_that_are_no_collections(spanwise, tmp_path, content):
    (tmp_path / "file").write_bytes(content)
    done = spanwise("collection", "show", "file", "d")
    assert (done.code, done.out) == (2, "")
    assert "Traceback" not in done.err
    assert "file" in done.err


def test_a_mistyped_command(spanwise):
    done = spanwise("collection", "bild")
    assert done.code == 2
    assert "No such command 'bild'. Did you mean build?" in done.err


def test_a_closed_pipe_is_quiet(start, built, documents):
    (documents / "long.txt").write_text("word\n\n" * 50_000)
    words = ("collection", "elements", "documents", "long")
    process = start(*words, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert process.stdout.read(10)
    process.stdout.close()
    assert process.stderr.read() == b""
    process.stderr.close()
    assert process.wait(60) == 0


def test_shell_completion_knows_the_commands(spanwise):
    words = {"COMP_WORDS": "spanwise collection ", "COMP_CWORD": "2"}
    done = spanwise(_SPANWISE_COMPLETE="bash_complete", **words)
    names = [line.split(",")[1] for line in done.out.splitlines()]
    assert names == ["build", "info", "show", "elements", "text"]


def test_evaluation_with_a_built_collection(spanwise, built, tmp_path):
    (tmp_path / "qrels.jsonl").write_text('{"topic": "t", "document": "tides", "grade": 1}\n')
    (tmp_path / "run.jsonl").write_text('{"topic": "t", "document": "tides", "rank": 1}\n')
    for extra in (("--collection", built), ("--elements", "elements.tsv")):
        table = spanwise("collection", "elements", built, "-o", "elements").out
        (tmp_path / "elements.tsv").write_text(table)
        words = ("evaluate", "qrels.jsonl", "run.jsonl", "-m", "textP", "-o", "tsv", *extra)
        done = spanwise(*words)
        assert done.out.splitlines()[1] == "run\ttextP\tall\t1.0"


# -- nothing half


@pytest.mark.parametrize("form", ["jsonl", "elements"])
def test_a_list_of_all_elements_is_printed_whole_or_not_at_all(spanwise, documents, form):
    (documents / "zz.xml").write_text("<a>\n<b></a>")
    done = spanwise("collection", "elements", "documents", "-o", form)
    assert (done.code, done.out) == (2, "")
    assert "zz.xml:2: found broken XML" in done.err
    (documents / "zz.xml").unlink()
    whole = spanwise("collection", "elements", "documents", "-o", form).out.splitlines()
    alone = spanwise("collection", "elements", "documents", "tides", "-o", form).out.splitlines()
    assert whole[-len(alone) :] == alone
    assert len(whole) > len(alone)


def test_a_name_that_an_element_table_cannot_hold_stops_it_before_it_begins(spanwise, documents):
    (documents / "z\ttab.txt").write_text("text")
    done = spanwise("collection", "elements", "documents", "-o", "elements")
    assert (done.code, done.out) == (2, "")
    assert "'z\\ttab' holds a tab" in done.err


@pytest.mark.parametrize(
    "words", [("info", ""), ("build", "", "-o", "x"), ("build", "documents", "-o", "")]
)
def test_an_empty_path_is_not_the_folder_one_is_in(spanwise, documents, tmp_path, words):
    before = sorted(tmp_path.iterdir())
    done = spanwise("collection", *words)
    assert (done.code, done.out) == (2, "")
    assert "found an empty path" in done.err
    assert sorted(tmp_path.iterdir()) == before
