"""What a search or an index cannot use is refused with its file and line, or noted."""

from __future__ import annotations

from pathlib import Path

import pytest

import spanwise
from command import Finished, run_command
from spanwise.errors import SpanwiseError
from spanwise.retrieval.passages import Browsing


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "d.xml").write_text("<a><p>one two</p><p>six</p></a>")
    done = run_command(["index", "docs", "--to", "docs.index"], tmp_path)
    assert done.code == 0, done.err
    return tmp_path


def searched(folder: Path, topics: str) -> Finished:
    (folder / "topics.jsonl").write_text(topics)
    return run_command(["search", "docs.index", "--topics", "topics.jsonl"], folder)


@pytest.mark.parametrize("query", ["", "  ", "?!"])
def test_queries_without_words_are_noted(folder: Path, query: str) -> None:
    row = '{{"topic": "{}", "query": "{}"}}\n'
    done = searched(folder, row.format("t1", query) + row.format("t2", "one"))
    assert done.code == 0
    assert done.err == (
        "note: 1 query has no word to search for; nothing is found for its topic (t1)\n"
    )
    assert "one two" in done.out


def test_retrievers_are_not_asked_empty_queries() -> None:
    with pytest.raises(SpanwiseError, match="topic 't1' has an empty query"):
        spanwise.collect(lambda query: [], {"t1": ""})


@pytest.mark.parametrize("row", ['{"topic": "t1"}', '{"topic": ["t1"], "query": "x"}', "{broken"])
def test_faults_of_topics_name_no_option_that_search_lacks(folder: Path, row: str) -> None:
    done = searched(folder, f'{row}\n{{"topic": "t2", "query": "one"}}\n')
    assert (done.code, done.out) == (2, "")
    assert done.err.startswith("topics.jsonl:1: found ")
    assert done.err.endswith("; fix the line\n")


HEADER = "document\txpath\toffset\tlength\n"


@pytest.mark.parametrize(
    ("rows", "fault"),
    [
        ("", ": found elements of no indexed document (none), expected documents of the index"),
        ("x\t/a\t0\t3\n", ": found elements of no indexed document (such as x), expected"),
        ("d\t/a[1]\t0\t90\n", ":2: found /a[1] of document d up to character 90, expected at most"),
    ],
)
def test_elements_of_other_documents_are_refused(folder: Path, rows: str, fault: str) -> None:
    (folder / "table.tsv").write_text(HEADER + rows)
    for to in ("docs.index", "new.index"):
        done = run_command(["index", "docs", "--to", to, "--elements", "table.tsv"], folder)
        assert (done.code, done.out) == (2, "")
        assert done.err.startswith(f"table.tsv{fault}")
        assert "build-" not in done.err
    assert not (folder / "new.index").exists()
    assert spanwise.search(folder / "docs.index", "one", "element").documents


@pytest.mark.parametrize("linked", [False, True])
def test_an_index_has_a_copy_of_the_collection_of_the_user(folder: Path, linked: bool) -> None:
    done = run_command(["collection", "build", "docs", "-o", "docs.collection"], folder)
    assert done.code == 0, done.err
    given = folder / "docs.collection"
    if linked:
        given = folder / "link.collection"
        given.symlink_to("docs.collection")
    build = ["index", given.name, "--to", "copy.index"]
    for _ in range(2):
        done = run_command(build, folder)
        assert (done.code, done.err) == (0, "")
    [kept] = (folder / "copy.index").glob("build-*/documents.collection")
    assert not kept.is_symlink()
    with (folder / "docs.collection").open("r+b") as stream:
        stream.write(b"overwritten")
    assert spanwise.search(folder / "copy.index", "one").documents


def test_an_unchanged_collection_makes_no_new_build(folder: Path) -> None:
    run_command(["collection", "build", "docs", "-o", "docs.collection"], folder)
    builds = []
    for _ in range(2):
        done = run_command(["index", "docs.collection", "--to", "copy.index"], folder)
        assert done.code == 0, done.err
        builds.append([each.name for each in (folder / "copy.index").glob("build-*")])
    assert builds[0] == builds[1]
    assert done.out == "1 document: 0 new, 0 changed, 1 unchanged, 0 removed\n"


def test_a_folder_is_an_index_by_its_builds(folder: Path) -> None:
    (folder / "docs" / "sub").mkdir()
    (folder / "docs" / "sub" / "spanwise-index.json").write_text("{}")
    (folder / "docs" / "sub" / "e.txt").write_text("seven")
    (folder / "docs.index").rename(folder / "docs" / "old.index")
    done = run_command(["index", "docs", "--to", "new.index", "--lenient"], folder)
    assert done.code == 0, done.err
    assert [each.document for each in spanwise.search(folder / "new.index", "seven").documents] == [
        "sub/e"
    ]


def test_folders_of_others_with_the_name_of_a_build_stay(folder: Path) -> None:
    kept = folder / "mine" / "build-0123456789abcdef" / "notes.txt"
    kept.parent.mkdir(parents=True)
    kept.write_text("mine")
    done = run_command(["index", "docs", "--to", "mine"], folder)
    assert (done.code, done.out) == (2, "")
    assert "mine exists but is not an index" in done.err
    assert kept.read_text() == "mine"


@pytest.mark.parametrize("force", [(), ("--force",)])
def test_a_manifest_that_is_nested_too_deeply_is_written_anew(
    folder: Path, force: tuple[str, ...]
) -> None:
    (folder / "docs.index" / "spanwise-index.json").write_text("[" * 100_000)
    done = run_command(["index", "docs", "--to", "docs.index", *force], folder)
    assert done.code == 0, done.err
    assert spanwise.search(folder / "docs.index", "one").documents


@pytest.mark.parametrize("window", [2**63 - 1, 2**63, 10**30])
def test_windows_of_any_length_are_refused_or_used(folder: Path, window: int) -> None:
    options = ["--mode", "window", "--window", str(window)]
    done = run_command(["search", "docs.index", "one", *options], folder)
    assert (done.code, done.out) == (2, "")
    assert "window must be a whole number between 1 and 1,000,000,000" in done.err


@pytest.mark.parametrize("share", [float("nan"), -0.1, 1.1])
def test_shares_are_refused_in_plain_words(share: float) -> None:
    with pytest.raises(SpanwiseError, match="share must be between 0 and 1, got"):
        Browsing(share=share)


@pytest.mark.parametrize("encoding", ["utf-16-be", "utf-16-le"])
def test_utf16_without_a_mark_is_refused(folder: Path, encoding: str) -> None:
    (folder / "docs" / "e.txt").write_bytes("High water. H\u00f6her.".encode(encoding))
    done = run_command(["index", "docs", "--to", "docs.index"], folder)
    assert (done.code, done.out) == (2, "")
    assert "docs/e.txt:1: found UTF-16 text, expected UTF-8 text" in done.err
