"""``spanwise agree``: a table, rows for programs, a page, and what cannot be compared."""

from __future__ import annotations

import json
from itertools import product

import pytest

FIRST = """\
{"spanwise": 1, "kind": "assessments"}
{"document": "d1", "length": 100}
{"document": "d2", "length": 50}
{"topic": "t1", "document": "d1", "start": 0, "end": 50}
{"topic": "t1", "document": "d2", "grade": 0}
{"topic": "t2", "document": "d1", "start": 10, "end": 20}
"""
SECOND = FIRST.replace('"start": 0, "end": 50', '"start": 25, "end": 75')
OTHER = '{"topic": "t9", "document": "d7", "start": 0, "end": 5}\n'
LEVELS = ("document", "character")
STATISTICS = ("kappa", "alpha", "f1", "overlap")


@pytest.fixture
def agree(spanwise, tmp_path):
    (tmp_path / "ann.jsonl").write_text(FIRST)
    (tmp_path / "bob.jsonl").write_text(SECOND)
    (tmp_path / "other.jsonl").write_text(OTHER)
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "d1.xml").write_text(f"<doc><p>{'x' * 60}</p><p>{'y' * 40}</p></doc>")
    (tmp_path / "docs" / "d2.xml").write_text(f"<doc><p>{'z' * 50}</p></doc>")
    return lambda *words: spanwise("agree", *words)


def rows_of(done):
    assert done.code == 0, done.err
    rows = [json.loads(line) for line in done.out.splitlines()]
    assert all(list(row) == ["a", "b", "level", "statistic", "topic", "value"] for row in rows)
    keys = [(row["a"], row["b"], row["level"], row["statistic"], row["topic"]) for row in rows]
    assert len(set(keys)) == len(keys)
    return {key[2:]: row["value"] for key, row in zip(keys, rows, strict=True)}


def test_rows_for_programs(agree):
    done = agree("ann.jsonl", "bob.jsonl", "-o", "jsonl")
    assert "agreement on elements is not shown" in done.err
    found = rows_of(done)
    wanted = {*product(LEVELS, STATISTICS, ("all", "t1", "t2"))}
    wanted |= {("character", "alpha_u", topic) for topic in ("all", "t1", "t2")}
    wanted -= {("document", name, "t2") for name in ("kappa", "alpha")}
    assert {*found} == wanted
    assert "no kappa or alpha over documents for 1 of 2 topics (t2)" in done.err
    of_t1 = {key[:2]: value for key, value in found.items() if key[2] == "t1"}
    assert of_t1["character", "overlap"] == 25 / 75
    assert of_t1["character", "f1"] == 0.5
    # 100 of 150 characters are equal; each marks 50 of 150.
    assert of_t1["character", "kappa"] == pytest.approx((100 / 150 - 5 / 9) / (1 - 5 / 9))
    chance = 2 * 100 * 200 / (300 * 299)
    assert of_t1["character", "alpha"] == pytest.approx(1 - (50 / 150) / chance)
    assert of_t1["document", "overlap"] == of_t1["document", "kappa"] == 1
    assert found["character", "overlap", "t2"] == found["character", "kappa", "t2"] == 1
    assert found["character", "overlap", "all"] == 35 / 85


def test_elements_need_a_collection(agree):
    found = rows_of(agree("ann.jsonl", "bob.jsonl", "-o", "jsonl", "--collection", "docs"))
    assert found["element", "overlap", "t1"] == 2 / 3
    assert found["element", "f1", "t1"] == 0.8
    assert len(found) == 3 * (3 * 4 + 1) - 2


def test_every_pair_of_three(agree, tmp_path):
    (tmp_path / "cleo.jsonl").write_text(FIRST)
    done = agree("ann.jsonl", "bob.jsonl", "cleo.jsonl", "-o", "jsonl")
    pairs = [(row["a"], row["b"]) for row in map(json.loads, done.out.splitlines())]
    assert {*pairs} >= {("ann", "bob"), ("ann", "cleo"), ("bob", "cleo")}
    values = {
        (row["b"], row["statistic"]): row["value"]
        for row in map(json.loads, done.out.splitlines())
        if (row["a"], row["level"], row["topic"]) == ("ann", "character", "all")
    }
    assert values["cleo", "kappa"] == values["cleo", "overlap"] == 1
    assert values["bob", "kappa"] < 1


def test_a_table(agree):
    done = agree("ann.jsonl", "bob.jsonl")
    assert done.code == 0
    lines = done.out.splitlines()
    assert "ann highlights as much as bob" in lines[0] or lines[0].startswith("ann ")
    rows = {line.split()[0]: line.split() for line in lines if line}
    assert rows["characters"][-2:] == ["0.5833", "0.4118"]
    assert rows["d1"][-3:] == ["25", "25", "25"]
    assert rows["t1"][1] == "0.3333"


def test_a_page(agree, tmp_path):
    done = agree("ann.jsonl", "bob.jsonl", "--collection", "docs", "--to", "x.html")
    assert (done.code, done.out) == (0, "")
    assert "x.html: " in done.err
    page = (tmp_path / "x.html").read_text()
    assert page.startswith("<!doctype html>")
    assert "Content-Security-Policy" in page
    assert str(tmp_path) not in page, "names of files, no absolute paths"
    first = agree("ann.jsonl", "bob.jsonl", "--collection", "docs", "--to", "y.html")
    assert first.code == 0
    named = (tmp_path / "y.html").read_text().replace("y.html", "x.html")
    assert named == page, "the same input gives the same page"


def test_rows_in_a_file(agree, tmp_path):
    done = agree("ann.jsonl", "bob.jsonl", "--to", "x.jsonl", "--quiet")
    assert (done.code, done.out, done.err) == (0, "", "")
    assert (tmp_path / "x.jsonl").read_text() == agree("ann.jsonl", "bob.jsonl", "-o", "jsonl").out


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("ann.jsonl",), "found one assessor, expected two or more"),
        (("ann.jsonl", "ann.jsonl"), "found ann.jsonl twice, expected the assessments of two"),
        (("ann.jsonl", "./ann.jsonl"), "ann.jsonl twice"),
        (("ann.jsonl", "other.jsonl"), "found no topic that two assessors judged"),
        (("ann.jsonl", "none.jsonl"), "none.jsonl: file not found"),
        (("ann.jsonl", "bad.jsonl"), "bad.jsonl:1: "),
        (("ann.jsonl", "empty.jsonl"), "empty.jsonl"),
        (("ann.jsonl", "long.jsonl", "--collection", "docs"), "d1"),
        (("ann.jsonl", "hashed.jsonl", "--collection", "docs"), "d1"),
        (("ann.jsonl", "bob.jsonl", "--topics", "t7"), "topic t7 is not in the assessments of any"),
        (("ann.jsonl", "bob.jsonl", "--to", "x.pdf"), "x.pdf: found the ending .pdf"),
        (("ann.jsonl", "bob.jsonl", "--to", "ann.jsonl"), "ann.jsonl is read by this command"),
        (("ann.jsonl", "bob.jsonl", "--resamples", "x"), "--resamples"),
        ((), "Missing argument"),
    ],
)
def test_what_cannot_be_compared(agree, tmp_path, words, message):
    (tmp_path / "bad.jsonl").write_text('{"topic": "t1", "document": "d1", "start": 9, "end": 5}\n')
    (tmp_path / "empty.jsonl").write_text("")
    (tmp_path / "long.jsonl").write_text(
        '{"topic": "t1", "document": "d1", "start": 90, "end": 150}\n'
    )
    (tmp_path / "hashed.jsonl").write_text(FIRST.replace("100}", f'100, "sha256": "{"0" * 64}"}}'))
    done = agree(*words)
    assert (done.code, done.out) == (2, "")
    assert message in done.err
    assert "Traceback" not in done.err


@pytest.mark.parametrize("names", [("short.jsonl", "far.jsonl"), ("far.jsonl", "short.jsonl")])
def test_text_beyond_the_length_that_another_assessor_has_is_refused(agree, tmp_path, names):
    short = (
        '{"document": "d1", "length": 20}\n{"topic": "t1", "document": "d1", "start": 0, "end": 10}'
    )
    (tmp_path / "short.jsonl").write_text(f"{short}\n")
    (tmp_path / "far.jsonl").write_text(
        '{"topic": "t1", "document": "d1", "start": 0, "end": 50}\n'
    )
    done = agree(*names)
    assert (done.code, done.out) == (2, "")
    assert "document d1: found relevant text up to 50 in far and 20 characters in short" in done.err


def test_other_topics_do_not_count(agree, tmp_path):
    (tmp_path / "more.jsonl").write_text(SECOND + OTHER)
    assert rows_of(agree("ann.jsonl", "more.jsonl", "-o", "jsonl")) == rows_of(
        agree("ann.jsonl", "bob.jsonl", "-o", "jsonl")
    )


def test_one_topic(agree):
    found = rows_of(agree("ann.jsonl", "bob.jsonl", "--topics", "t1", "-o", "jsonl"))
    assert {topic for _, _, topic in found} == {"all", "t1"}
    assert found["character", "overlap", "all"] == found["character", "overlap", "t1"] == 25 / 75
