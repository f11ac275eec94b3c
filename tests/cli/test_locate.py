"""``spanwise locate``: text to ranges, row by row and as files."""

from __future__ import annotations

import json

import pytest

import spanwise

MOON = "The moon pulls the sea.\nTides rise twice a day. The moon pulls the sea."
TWICE = "The moon pulls the sea."
LOST = "Nothing of this sort was ever written in any document here."


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "documents").mkdir()
    (tmp_path / "documents" / "moon.md").write_text(MOON)
    return tmp_path


def written(path, *rows):
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path.name


def rows_of(text):
    return [json.loads(line) for line in text.splitlines()]


def located(spanwise, *arguments):
    return spanwise("locate", *arguments, "--collection", "documents", "--quiet")


def test_every_text_is_listed_with_its_place_and_how_it_was_found(spanwise, folder):
    questions = {"question": "Why?", "answers": ["moon  pulls", "Tides rise", TWICE, LOST]}
    done = located(spanwise, written(folder / "gold.jsonl", questions), "-o", "jsonl")
    assert done.code == 2
    found = [(row["found"], row["start"], row["end"]) for row in rows_of(done.out)]
    assert found[1:3] == [("exact", 24, 34), ("at several places", 0, 23)]
    assert found[3][0] == "nowhere"
    assert found[0] == ("at several places", 4, 14)
    assert [row["places"] for row in rows_of(done.out)] == [2, 1, 2, 0]


def test_all_texts_with_a_place_end_with_0(spanwise, folder):
    done = located(spanwise, written(folder / "gold.jsonl", {"query": "q", "answers": ["Tides"]}))
    assert (done.code, done.err) == (0, "")
    assert "1 of 1 text located." in done.out


def test_gold_becomes_ranges_with_the_documents_own_text(spanwise, folder):
    gold = written(folder / "gold.jsonl", {"query": "q", "answers": ["sea.  Tides   rise"]})
    done = located(spanwise, gold, "--to", "located.jsonl")
    assert (done.code, done.out) == (0, "")
    rows = rows_of((folder / "located.jsonl").read_text())
    [judged] = [row for row in rows if "start" in row]
    assert (judged["start"], judged["end"]) == (19, 34)
    assert judged["text"] == MOON[19:34]
    assert judged["query"] == "q"
    # What was written is verified when it is read again.
    assert located(spanwise, "located.jsonl").code == 0


def test_runs_and_chunks_become_ranges(spanwise, folder):
    run = written(folder / "run.jsonl", {"topic": "q", "text": "Tides rise", "score": 2})
    assert located(spanwise, run, "--to", "run.fol").code == 0
    assert (folder / "run.fol").read_text() == "q Q0 moon 1 2.0 run 24 10\n"
    chunks = written(folder / "chunks.jsonl", {"document": "moon", "text": "Tides", "chunk": "c1"})
    assert located(spanwise, chunks, "--to", "table.jsonl").code == 0
    assert rows_of((folder / "table.jsonl").read_text())[1:] == [
        {"chunk": "c1", "document": "moon", "start": 24, "end": 29, "text": "Tides"}
    ]


def test_texts_without_a_place_are_all_refused_and_nothing_is_written(spanwise, folder):
    gold = written(folder / "gold.jsonl", {"query": "q", "answers": [LOST, TWICE]})
    done = located(spanwise, gold, "--to", "located.jsonl")
    assert (done.code, done.out) == (2, "")
    first, second = done.err.splitlines()
    assert first.startswith("gold.jsonl:1: found the text 'Nothing of this sort")
    assert "at 2 places: moon [0, 23), moon [48, 71)" in second
    assert "--repeats first" in second
    assert not (folder / "located.jsonl").exists()


def test_repeated_gold_is_settled_on_request(spanwise, folder):
    gold = written(folder / "gold.jsonl", {"query": "q", "answers": [TWICE]})
    assert located(spanwise, gold, "--to", "all.jsonl", "--repeats", "all").code == 0
    starts = [row["start"] for row in rows_of((folder / "all.jsonl").read_text()) if "end" in row]
    assert starts == [0, 48]


@pytest.mark.parametrize("ending", ["jsonl", "csv", "tsv", "parquet"])
def test_texts_survive_in_formats_with_names(spanwise, folder, ending):
    given = written(folder / "given.jsonl", {"topic": "q", "text": "sea.  Tides", "score": 2})
    assert located(spanwise, given, "--to", f"run.{ending}").code == 0
    found = spanwise("convert", f"run.{ending}", "-", "--to", "jsonl", "--collection", "documents")
    assert rows_of(found.out)[1]["text"] == "sea.\nTides"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("gold.jsonl",), "give --collection"),
        (("gold.jsonl", "--collection", "documents", "--to", "gold.jsonl"), "gold.jsonl"),
        (("chunks.jsonl", "--collection", "documents", "--to", "c.fol"), "write jsonl"),
        (("none.jsonl", "--collection", "documents"), "file not found"),
    ],
)
def test_refusals(spanwise, folder, arguments, message):
    written(folder / "gold.jsonl", {"query": "q", "answers": ["Tides"]})
    written(folder / "chunks.jsonl", {"document": "moon", "text": "Tides"})
    before = (folder / "gold.jsonl").read_bytes()
    done = spanwise("locate", *arguments)
    assert (done.code, done.out) == (2, "")
    assert message in done.err
    assert (folder / "gold.jsonl").read_bytes() == before


# -- in Python


def test_texts_in_memory():
    found = spanwise.locate(["Tides rise", LOST], collection={"moon": MOON})
    assert [each.place and each.place.start for each in found.placements] == [24, None]
    assert not found.passed
    assert "nowhere" in repr(found)
    assert found.to_polars()["found"].to_list() == ["exact", "nowhere"]


def test_gold_in_memory_is_written(tmp_path):
    gold = {"When?": ["twice a day"]}
    file = tmp_path / "gold.jsonl"
    found = spanwise.locate(gold, file, collection={"moon": MOON}, role="assessments")
    assert found.passed
    scores = spanwise.evaluate(file, {"When?": [("moon", 35, 46)]}, "textR")
    assert scores.mean("textR") == 1.0


def test_a_wrong_role_is_refused():
    with pytest.raises(spanwise.SpanwiseError, match="role"):
        spanwise.locate(["x"], collection={"d": "x"}, role="gold")


def test_chunks_are_written_with_the_documents_own_text(spanwise, folder):
    chunks = written(folder / "chunks.jsonl", {"document": "moon", "text": "sea.  Tides"})
    assert located(spanwise, chunks, "--to", "table.jsonl").code == 0
    assert rows_of((folder / "table.jsonl").read_text())[1]["text"] == "sea.\nTides"
