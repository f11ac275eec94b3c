"""Files that ``assess`` takes in and leaves behind."""

from __future__ import annotations

import json

import pytest

from spanwise.assessing.log import Log
from spanwise.errors import InputError
from spanwise.library.assessing import open_assessment

POOL = "".join(
    json.dumps(row) + "\n"
    for row in (
        {"spanwise": 1, "kind": "pool", "depth": 10},
        {"topic": "q1", "query": "Which countries?"},
        {"topic": "q1", "document": "d1"},
        {"topic": "q1", "document": "d2"},
    )
)
TEXTS = "".join(
    json.dumps({"document": name, "text": text}) + "\n"
    for name, text in (("d1", "Japan and Peru"), ("d2", "Nothing here"))
)
START = ("assess", "pool.jsonl", "--collection", "docs.jsonl", "--assessor", "ann", "--import")
DEEP = {"exhaustivity": 2, "specificity": 3}
EXPORT = ("assess", "pool.jsonl", "--export", "-")


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "pool.jsonl").write_text(POOL)
    (tmp_path / "docs.jsonl").write_text(TEXTS)
    return tmp_path


def rows(done):
    assert done.code == 0, done.err
    return [json.loads(line) for line in done.out.splitlines()]


def judged(folder, *records):
    lines = [json.dumps({"topic": "q1", **record}) + "\n" for record in records]
    (folder / "judged.jsonl").write_text("".join(lines))


def test_a_folder_of_assessments_is_imported(folder, spanwise):
    (folder / "brat").mkdir()
    (folder / "brat" / "d1.ann").write_text("T1\tcountry 0 5\tJapan\nT2\tcountry 10 14\tPeru\n")
    (folder / "brat" / "d1.txt").write_text("Japan and Peru")
    refused = spanwise(*START, "brat")
    assert "2 judgements" not in refused.out
    done = spanwise(*START, "brat", "--topic-from", "constant:q1")
    assert done.code == 0, done.err
    ranges = [(row["start"], row["end"]) for row in rows(spanwise(*EXPORT)) if "start" in row]
    assert ranges == [(0, 5), (10, 14)]


def test_entry_points_outside_their_document_are_left_out_and_counted(folder, spanwise):
    judged(folder, {"document": "d1", "start": 0, "end": 5}, {"document": "d1", "bep": 14})
    done = spanwise(*START, "judged.jsonl")
    assert done.code == 0, done.err
    assert "1 document has a best entry point that is not inside it; left out" in done.err
    assert not any("bep" in row for row in rows(spanwise(*EXPORT)))


def test_ranges_of_another_text_are_refused_with_their_document(folder, spanwise):
    judged(folder, {"document": "d2", "grade": 0}, {"document": "d1", "start": 9, "end": 15})
    done = spanwise(*START, "judged.jsonl")
    assert (done.code, done.out) == (2, "")
    assert done.err == (
        "judged.jsonl: found range [9, 15) in document d1 of topic q1, expected an end of at most"
        " 14, the length of the document; give the collection that was assessed\n"
    )
    assert not (folder / "pool.judgements").exists()
    judged(folder, {"document": "d2", "grade": 0})
    assert spanwise(*START, "judged.jsonl").code == 0
    judged(folder, {"document": "d1", "start": 9, "end": 15})
    assert spanwise(*START, "judged.jsonl").code == 2
    assert [row["document"] for row in rows(spanwise(*EXPORT)) if "topic" in row] == ["d2"]


def test_an_entry_point_alone_stays_and_its_judgement_is_open(folder, spanwise):
    judged(folder, {"document": "d1", "bep": 4}, {"document": "d2", "grade": 0})
    done = spanwise(*START, "judged.jsonl")
    assert (done.code, done.out) == (0, "2 operations on 2 judgements added for ann\n")
    assert (
        "1 document has a best entry point and no relevant text; its judgement is open" in done.err
    )
    with Log.open(folder / "pool.judgements", read_only=True) as log:
        begun = log.state("ann", "q1", "d1").judgement
    assert (begun.entry, begun.status) == (4, "open")


def test_text_of_several_aspects_keeps_all_of_them(folder, spanwise):
    judged(
        folder,
        {"document": "d1", "start": 0, "end": 8, "aspect": ["A"]},
        {"document": "d1", "start": 4, "end": 12, "aspect": ["B"]},
        {"document": "d1", "start": 2, "end": 3, "grade": 0, "aspect": ["C"]},
    )
    done = spanwise(*START, "judged.jsonl")
    assert done.code == 0, done.err
    found = [
        (row["start"], row["end"], row["aspect"])
        for row in rows(spanwise(*EXPORT))
        if "start" in row
    ]
    assert found == [(0, 4, ["A"]), (4, 8, ["A", "B"]), (8, 12, ["B"])]


def test_where_grades_overlap_the_highest_holds_and_below_0_is_0(folder, spanwise):
    judged(
        folder,
        {"document": "d1", "start": 0, "end": 8, "grade": 1},
        {"document": "d1", "start": 4, "end": 6, "grade": 2},
        {"document": "d1", "start": 7, "end": 12, "grade": -2},
    )
    done = spanwise(*START, "judged.jsonl")
    assert done.code == 0, done.err
    found = [
        (row["start"], row["end"], row.get("grade", 1))
        for row in rows(spanwise(*EXPORT))
        if "start" in row
    ]
    assert found == [(0, 4, 1), (4, 6, 2), (6, 8, 1), (8, 12, 0)]


def test_an_empty_document_cannot_be_relevant_as_a_whole(folder, spanwise):
    (folder / "docs.jsonl").write_text(TEXTS.replace("Nothing here", ""))
    (folder / "judged.trec").write_text("q1 0 d2 1\n")
    done = spanwise(*START, "judged.trec")
    assert (done.code, done.out) == (2, "")
    assert "d2" in done.err
    assert "reload" not in done.err


def test_judged_elements_are_refused_since_they_have_no_text(folder, spanwise):
    articles = folder / "articles"
    articles.mkdir()
    for name in ("d1", "d2"):
        (articles / f"{name}.xml").write_text("<article><p>Japan and Peru</p></article>")
    judged(folder, {"document": "d1", "path": "/article[1]/p[1]", **DEEP})
    words = ("--collection", "articles", "--assessor", "ann", "--import", "judged.jsonl")
    message = "judged.jsonl: found only elements judged in document d1 of topic q1"
    done = spanwise("assess", "pool.jsonl", *words)
    assert (done.code, done.out) == (2, "")
    assert message in done.err
    assert not (folder / "pool.judgements").exists()
    (folder / "other.jsonl").write_text('{"topic": "q1", "document": "d1", "start": 0, "end": 5}\n')
    files = [folder / name for name in ("judged.jsonl", "other.jsonl")]
    opened = open_assessment(folder / "pool.jsonl", articles, ["gold"], adjudicate=files)
    with pytest.raises(InputError, match="only elements judged"), opened:
        pass


def test_a_refused_import_leaves_the_log_with_its_pool(folder, spanwise):
    judged(folder, {"document": "d1", "start": 0, "end": 5})
    assert spanwise(*START, "judged.jsonl").code == 0
    before = (folder / "pool.judgements").read_bytes()
    (folder / "pool.jsonl").write_text(POOL + '{"topic": "q1", "document": "d3"}\n')
    (folder / "docs.jsonl").write_text(TEXTS + '{"document": "d3", "text": "Peru"}\n')
    judged(folder, {"document": "d3", "start": 0, "end": 5})
    assert spanwise(*START, "judged.jsonl").code == 2
    assert (folder / "pool.judgements").read_bytes() == before


def test_nothing_is_left_beside_a_log_that_cannot_be_recovered(folder, spanwise):
    judged(folder, {"document": "elsewhere", "grade": 0})
    assert spanwise(*START, "judged.jsonl").code == 0
    before = sorted(folder.iterdir())
    done = spanwise("assess", "pool.jsonl", "--recover", "new.judgements")
    assert (done.code, done.out) == (2, "")
    assert "found nothing that can be read" in done.err
    assert sorted(folder.iterdir()) == before


def test_a_recovered_log_has_what_the_damaged_one_had(folder, spanwise):
    judged(folder, {"document": "d1", "start": 0, "end": 5}, {"document": "d2", "grade": 0})
    assert spanwise(*START, "judged.jsonl").code == 0
    before = rows(spanwise(*EXPORT))
    assert spanwise("assess", "pool.jsonl", "--recover", "new.judgements").code == 0
    assert rows(spanwise(*EXPORT, "--log", "new.judgements")) == before
    assert {path.name for path in folder.iterdir()} == {
        *("pool.jsonl", "docs.jsonl", "judged.jsonl", "pool.judgements", "new.judgements")
    }


def test_annotators_agree_about_one_topic(folder, spanwise):
    for name, end in (("ann", 5), ("bob", 9)):
        row = {"id": 1, "text": "Japan and Peru", "label": [[0, end, name]]}
        (folder / f"{name}.jsonl").write_text(json.dumps(row) + "\n")
    words = ("agree", "ann.jsonl", "bob.jsonl", "--resamples", "20", "-o", "jsonl")
    alone = spanwise(*words)
    assert alone.code == 2, "two labels are two topics"
    found = rows(spanwise(*words, "--topic-from", "constant:q1"))
    overlap = [row for row in found if (row["level"], row["statistic"]) == ("character", "overlap")]
    assert [row["value"] for row in overlap] == [5 / 9, 5 / 9]
