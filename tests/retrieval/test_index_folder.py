"""Indexes are built completely or not at all, kept up to date, and refused when they are not."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

import spanwise
from command import SOURCE, run_command
from spanwise.errors import InputError, OutputError, SpanwiseError
from spanwise.retrieval import building
from spanwise.retrieval.folder import MANIFEST
from spanwise.retrieval.index import Index

SLOW = """
import sys, time
from spanwise.retrieval import inverted, building
write = building.write_inverted
def slow(*given):
    write(*given)
    print("writing", flush=True)
    time.sleep(60)
building.write_inverted = slow
building.build_index(sys.argv[1], sys.argv[2])
"""


@pytest.fixture
def docs(tmp_path: Path) -> Path:
    folder = tmp_path / "docs"
    folder.mkdir()
    for number in range(6):
        (folder / f"d{number}.md").write_text(f"# Title {number}\n\nThe fog of day {number}.\n")
    return folder


def found(index: Path, query: str) -> list[tuple[str, float]]:
    return Index.open(index).fetch(query, 20)


@contextmanager
def writer(docs: Path, index: Path) -> Iterator[None]:
    """A process that is in the middle of writing an index, and is killed in the end."""
    command = [sys.executable, "-c", SLOW, str(docs), str(index)]
    path = {**os.environ, "PYTHONPATH": str(SOURCE)}
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=path) as process:
        try:
            assert process.stdout is not None
            assert process.stdout.readline() == "writing\n"
            yield
        finally:
            process.send_signal(signal.SIGKILL)


def test_an_update_finds_and_scores_what_a_new_index_does(docs: Path, tmp_path: Path) -> None:
    spanwise.index(docs, tmp_path / "index")
    (docs / "d1.md").write_text("# Rain\n\nThe rain of day 1, no fog.\n")
    (docs / "d2.md").unlink()
    (docs / "d9.md").write_text("# New\n\nThe fog, the fog.\n")
    summary = spanwise.index(docs, tmp_path / "index")
    assert str(summary) == "6 documents: 1 new, 1 changed, 4 unchanged, 1 removed"
    spanwise.index(docs, tmp_path / "new")
    for query in ("fog", "rain", "day 2 title"):
        assert found(tmp_path / "index", query) == found(tmp_path / "new", query)
    old, new = Index.open(tmp_path / "index"), Index.open(tmp_path / "new")
    assert old.search("fog", 9) == new.search("fog", 9)


def test_unchanged_documents_are_not_analysed_again(
    docs: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    spanwise.index(docs, tmp_path / "index")
    analysed = []
    original = building._Build._analysed
    monkeypatch.setattr(
        building._Build,
        "_analysed",
        lambda self, name: analysed.append(name) or original(self, name),
    )
    build = Index.open(tmp_path / "index").manifest.build
    assert spanwise.index(docs, tmp_path / "index").unchanged == 6
    assert Index.open(tmp_path / "index").manifest.build == build
    (docs / "d3.md").write_text("other")
    os.utime(docs / "d4.md", (1, 1))  # Another time, the same text.
    spanwise.index(docs, tmp_path / "index")
    assert analysed == ["d3"]
    assert len([entry for entry in (tmp_path / "index").iterdir() if entry.is_dir()]) == 1


def test_other_tags_of_the_same_text_are_seen(tmp_path: Path) -> None:
    docs = tmp_path / "docs"
    docs.mkdir()
    for tag in "pq":
        (docs / "a.xml").write_text(f"<a><{tag}>The fog.</{tag}></a>")
        os.utime(docs / "a.xml", (ord(tag), ord(tag)))
        spanwise.index(docs, tmp_path / "index")
        result = spanwise.search(tmp_path / "index", "fog", "element")
        assert result.documents[0].passages[0].path == f"/a[1]/{tag}[1]"


def test_a_table_of_elements_replaces_those_of_the_documents(tmp_path: Path) -> None:
    texts, table = {"a": "The fog. The sea."}, tmp_path / "elements.tsv"
    for tag in "xyy":
        table.write_text(f"a\t/d[1]\t0\t17\na\t/d[1]/{tag}[1]\t0\t8\na\t/d[1]/{tag}[2]\t9\t8\n")
        spanwise.index(texts, tmp_path / "index", elements=table)
        result = spanwise.search(tmp_path / "index", "fog", "element")
        assert result.documents[0].passages[0].path == f"/d[1]/{tag}[1]"
    spanwise.index(texts, tmp_path / "index")
    result = spanwise.search(tmp_path / "index", "fog", "element")
    assert result.documents[0].passages[0].path == "/document[1]/p[1]"


def test_another_language_analyses_again(docs: Path, tmp_path: Path) -> None:
    spanwise.index(docs, tmp_path / "index")
    assert not found(tmp_path / "index", "titles")
    spanwise.index(docs, tmp_path / "index", language="english")
    assert len(found(tmp_path / "index", "titles")) == 6


def test_an_update_keeps_the_language(docs: Path, tmp_path: Path) -> None:
    index = tmp_path / "index"
    assert spanwise.index(docs, index, language="english").remark == ""
    build = Index.open(index).manifest.build
    summary = spanwise.index(docs, index)
    assert str(summary).endswith("removed; words are stemmed in English, as before")
    assert Index.open(index).manifest.build == build
    spanwise.index({"a": "titles"}, index, force=True)
    assert found(index, "title")
    summary = spanwise.index(docs, index, language="german")
    assert str(summary).endswith(
        "words are stemmed in German now (they were stemmed in English): every document was"
        " analysed again"
    )
    summary = spanwise.index(docs, index, language="none")
    assert "words are not stemmed now (they were stemmed in German)" in str(summary)
    assert Index.open(index).language is None
    assert spanwise.index(docs, index).remark == ""
    with pytest.raises(SpanwiseError, match="did you mean 'english'"):
        spanwise.index(docs, index, language="englsh")  # type: ignore[arg-type]


def test_an_index_of_another_version_keeps_its_language(docs: Path, tmp_path: Path) -> None:
    index = tmp_path / "index"
    spanwise.index(docs, index, language="english")
    values = json.loads((index / MANIFEST).read_text())
    (index / MANIFEST).write_text(json.dumps({**values, "format": 0}))
    assert "English, as before" in str(spanwise.index(docs, index))
    assert Index.open(index).language == "english"


def test_texts_in_memory_and_built_collections_are_sources(docs: Path, tmp_path: Path) -> None:
    from spanwise.collection.build import build

    texts = {"a": "The fog.", "b": "The sea."}
    assert spanwise.index(texts, tmp_path / "one").new == 2
    assert spanwise.index({**texts, "b": "A sea."}, tmp_path / "one").changed == 1
    assert spanwise.index({**texts, "b": "A sea."}, tmp_path / "one").unchanged == 2
    build([docs], tmp_path / "docs.collection")
    spanwise.index(tmp_path / "docs.collection", tmp_path / "two")
    assert len(found(tmp_path / "two", "fog")) == 6
    assert spanwise.index(tmp_path / "docs.collection", tmp_path / "two").unchanged == 6
    with pytest.raises(SpanwiseError, match="give it alone"):
        spanwise.index([docs, tmp_path / "docs.collection"], tmp_path / "two")


def test_a_killed_writer_leaves_the_old_index(docs: Path, tmp_path: Path) -> None:
    index = tmp_path / "index"
    spanwise.index(docs, index)
    before = found(index, "fog")
    (docs / "d1.md").write_text("fog " * 50)
    with writer(docs, index):
        pass
    assert found(index, "fog") == before
    assert len(list(index.iterdir())) == 4  # The lock, the manifest, and what was left.
    spanwise.index(docs, index)
    assert found(index, "fog")[0][0] == "d1"
    assert len(list(index.iterdir())) == 3


def test_a_second_writer_is_refused_while_readers_go_on(docs: Path, tmp_path: Path) -> None:
    index = tmp_path / "index"
    spanwise.index(docs, index)
    (docs / "d7.md").write_text("fog")
    with writer(docs, index):
        with pytest.raises(OutputError, match="is being written by another process; try again"):
            spanwise.index(docs, index)
        assert len(found(index, "fog")) == 6


def test_an_open_index_outlives_its_replacement(docs: Path, tmp_path: Path) -> None:
    spanwise.index(docs, tmp_path / "index")
    index = Index.open(tmp_path / "index")
    (docs / "d1.md").unlink()
    spanwise.index(docs, tmp_path / "index")
    assert len(index.search("fog", 9)) == 6
    assert len(found(tmp_path / "index", "fog")) == 5


def test_an_index_is_no_document(docs: Path, tmp_path: Path) -> None:
    spanwise.index(docs, tmp_path / "index")
    with pytest.raises(InputError, match="index: found an index, expected documents; give the doc"):
        spanwise.index(tmp_path / "index", tmp_path / "other")
    assert spanwise.index(tmp_path, tmp_path / ".all").documents == 6


def test_a_failed_build_leaves_nothing(tmp_path: Path) -> None:
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "bad.xml").write_text("<a><b></a>")
    with pytest.raises(InputError):
        spanwise.index(tmp_path / "docs", tmp_path / "index")
    assert not (tmp_path / "index").exists()


# -- what is not an index, or not one of ours


def test_a_missing_index(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="index not found; check the path, or build one with"):
        spanwise.search(tmp_path / "nowhere", "fog")
    with pytest.raises(InputError, match="found no index in this folder, expected an index"):
        spanwise.search(tmp_path, "fog")
    (tmp_path / "file").touch()
    with pytest.raises(InputError, match="file: found a file, expected the folder of an index"):
        spanwise.search(tmp_path / "file", "fog")
    with pytest.raises(SpanwiseError, match="found an empty path"):
        spanwise.search("", "fog")


def test_an_index_of_another_version_says_how_to_rebuild(docs: Path, tmp_path: Path) -> None:
    index = tmp_path / "index"
    spanwise.index(docs, index)
    values = json.loads((index / MANIFEST).read_text())
    (index / MANIFEST).write_text(json.dumps({**values, "format": 0, "spanwise": "0.0.9"}))
    with pytest.raises(
        InputError, match=r"made by spanwise 0.0.9, expected format 4; build it again"
    ):
        spanwise.search(index, "fog")
    spanwise.index(docs, index)
    assert len(found(index, "fog")) == 6


def spoil(file: Path, how: str) -> None:
    content = bytearray(file.read_bytes())
    file.unlink()
    if how == "flipped":
        content[len(content) // 2] ^= 4
    if how != "missing":
        file.write_bytes(content[: len(content) // 2] if how == "half" else content)


def files_of(index: Path) -> list[Path]:
    """The manifest, and all files of the build but its locks."""
    place = index / json.loads((index / MANIFEST).read_text())["build"]
    files = (path for path in place.rglob("*") if path.is_file())
    return [index / MANIFEST, *sorted(path for path in files if path.suffix != ".lock")]


@pytest.mark.parametrize("how", ["missing", "half", "flipped"])
def test_nothing_of_a_damaged_index_is_used(docs: Path, tmp_path: Path, how: str) -> None:
    index = tmp_path / "index"
    spanwise.index(docs, index)
    files = files_of(index)
    assert {path.parent.name for path in files} >= {"columns", "inverted", "index"}
    for file in files:
        content = file.read_bytes()
        spoil(file, how)
        said = "not completed" if (file, how) == (files[0], "missing") else "a damaged index"
        with pytest.raises(InputError, match=f"index: found .*{said}.*; build it .*--to .*index"):
            Index.open(index)
        file.unlink(missing_ok=True)
        file.write_bytes(content)
    assert len(found(index, "fog")) == 6


@pytest.mark.parametrize("how", ["missing", "half", "flipped"])
@pytest.mark.parametrize("force", [False, True])
def test_a_damaged_index_is_built_anew(
    docs: Path, tmp_path: Path, how: str, *, force: bool
) -> None:
    index = tmp_path / "index"
    spanwise.index(docs, index)
    for number in range(len(files_of(index))):
        spoil(files_of(index)[number], how)
        spanwise.index(docs, index, force=force)
        assert len(found(index, "fog")) == 6
    for file in files_of(index):
        spoil(file, how)
    spanwise.index(docs, index, force=force)
    assert len(found(index, "fog")) == 6


def test_a_panic_of_rust_is_damage(docs: Path, tmp_path: Path) -> None:
    class PanicException(BaseException):
        """As extensions written in Rust have it."""

    class Panics:
        def __getattr__(self, name: str) -> object:
            raise PanicException("index out of bounds:\nthe len is 3")

    spanwise.index(docs, tmp_path / "index")
    index = Index.open(tmp_path / "index")
    index._inverted._searcher = Panics()
    with pytest.raises(InputError, match="index out of bounds: the len is 3"):
        index.search("fog")


def test_others_may_read_an_index(docs: Path, tmp_path: Path) -> None:
    spanwise.index(docs, tmp_path / "index")
    modes = {file.stat().st_mode for file in files_of(tmp_path / "index")}
    assert len(modes) == 1


def test_places_that_are_no_index_are_left_alone(docs: Path, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    for to, said in (
        (tmp_path / "file", "is a file"),
        (docs, "is inside|is not an index"),
        (docs / "index", "which is indexed; name a folder elsewhere"),
        (tmp_path / "no" / "where", "folder not found"),
    ):
        with pytest.raises(SpanwiseError, match=said):
            spanwise.index(docs, to)
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "mine.txt").write_text("x")
    with pytest.raises(OutputError, match="is not an index"):
        spanwise.index(docs, tmp_path / "full")
    assert spanwise.index(docs, docs / ".index").documents == 6
    assert spanwise.index(docs, docs / ".index").documents == 6


def test_a_missing_package_is_named(
    docs: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "tantivy", None)
    for call in (
        lambda: spanwise.index(docs, tmp_path / "index"),
        lambda: spanwise.search(tmp_path / "index", "fog"),
    ):
        with pytest.raises(SpanwiseError, match=r"needs tantivy; install it with: pip install"):
            call()


# -- the command line


def test_from_documents_to_scores(tmp_path: Path) -> None:
    from retrieval.conftest import DEMO

    articles = str(DEMO / "articles")
    done = run_command(["index", articles, "--to", "sea", "--language", "english"], tmp_path)
    assert (done.code, done.err) == (0, "")
    assert done.out == "26 documents: 26 new, 0 changed, 0 unchanged, 0 removed\n"
    done = run_command(["search", "sea", "spring tides", "-k", "1"], tmp_path)
    assert done.code == 0
    assert "1  tides" in done.out
    done = run_command(["search", "sea", "spring tides", "-k", "1", "-o", "jsonl"], tmp_path)
    rows = [json.loads(line) for line in done.out.splitlines()]
    assert rows[0]["document"] == "tides"
    topics = ["--topics", str(DEMO / "topics.jsonl")]
    started = time.perf_counter()
    for mode, run in (("paragraph", "p.fol"), ("element", "e.jsonl"), ("document", "d.trec")):
        done = run_command(["search", "sea", *topics, "--mode", mode, "--to", run], tmp_path)
        assert done.code == 0, done.err
        assert done.out == ""
    assert time.perf_counter() - started < 10
    judged = str(DEMO / "assessments.first.jsonl")
    done = run_command(["evaluate", judged, "p.fol", "e.jsonl", "-m", "AgP", "--quiet"], tmp_path)
    assert done.code == 0
    assert {"paragraph", "element"} <= set(done.out.split())


def test_wrong_calls_are_refused(docs: Path, tmp_path: Path) -> None:
    run_command(["index", "docs", "--to", "sea"], tmp_path)
    for arguments, said in (
        (["search", "sea"], "either a QUERY or --topics"),
        (["search", "sea", "fog", "--topics", "t"], "either a QUERY or --topics"),
        (["search", "sea", "+-"], "expected words to search for"),
        (["search", "sea", ""], "found an empty query"),
        (["search", "nowhere", "fog"], "nowhere: index not found"),
        (["search", "sea", "fog", "--to", "run.xyz"], "found the ending .xyz"),
        (["search", "sea", "fog", "--to", "run.xyz"], "or name the format with --to-format"),
        (["search", "sea", "fog", "--to-format", "fol"], "--to-format is the format of --to FILE"),
        (["search", "sea", "fog", "--to", "run.fol", "-o", "jsonl"], "leave one out"),
        (["index", "docs", "--to", "docs/index"], "which is indexed"),
        (["index", "nowhere", "--to", "other"], "no such file"),
    ):
        done = run_command(arguments, tmp_path)
        assert (done.code, done.out) == (2, ""), arguments
        assert said in done.err
    assert not (tmp_path / "other").exists()


def test_faulty_documents_are_listed(docs: Path, tmp_path: Path) -> None:
    (docs / "bad.xml").write_text("<a>")
    done = run_command(["index", "docs", "--to", "sea"], tmp_path)
    assert done.code == 2
    assert "bad.xml" in done.err
    assert "sea was not written" in done.err
    done = run_command(["index", "docs", "--to", "sea", "--lenient"], tmp_path)
    assert done.code == 0
    assert "1 faulty, left out" in done.out
