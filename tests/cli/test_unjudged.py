"""Unjudged documents on the command line and in Python: left out, or as bounds of scores."""

from __future__ import annotations

import json

import pytest

import spanwise as library
from spanwise.errors import MeasureError, SpanwiseError

JUDGED = {"q1": {"d1": [(0, 10)]}, "q2": {"d1": [(0, 10)]}}
RUN = {"q1": [("d9", 0, 30), ("d1", 0, 10)], "q2": [("d1", 5, 15), ("d8", 0, 10)]}
QRELS = "q1 0 d1 1\nq1 0 d2 0\nq2 0 d1 1\n"
TREC = "q1 Q0 d9 1 3 s\nq1 Q0 d2 2 2 s\nq1 Q0 d1 3 1 s\nq2 Q0 d1 1 2 s\nq2 Q0 d8 2 1 s\n"
LEGEND = (
    "  from the score itself to what it would be if all text of unjudged documents was relevant"
)


@pytest.fixture
def two(tmp_path):
    (tmp_path / "qrels").write_text(QRELS)
    (tmp_path / "s.trec").write_text(TREC)
    return tmp_path


def test_bounds_of_means(spanwise, two):
    done = spanwise("evaluate", "qrels", "s.trec", "-m", "P@2", "-m", "RR", "--bounds", "--quiet")
    assert done.code == 0
    assert done.out.partition("\n\n")[0].splitlines() == [
        "run            P@2             RR",
        "---------------------------------",
        "s    0.2500–0.7500  0.6667–1.0000",
        LEGEND,
    ]


def test_bounds_of_topics(spanwise, two):
    done = spanwise("evaluate", "qrels", "s.trec", "-m", "P@2", "--bounds", "-q", "--quiet")
    assert done.out.partition("\n\n")[0].splitlines() == [
        "s",
        "topic            P@2",
        "--------------------",
        "q1     0.0000–0.5000",
        "q2     0.5000–1.0000",
        "all    0.2500–0.7500",
        LEGEND,
    ]


def test_rows_have_both_ends(spanwise, two):
    words = ("evaluate", "qrels", "s.trec", "-m", "P@2", "--bounds", "--quiet")
    assert [json.loads(line) for line in spanwise(*words, "-o", "jsonl").out.splitlines()] == [
        {
            **{"run": "s", "measure": "P@2", "canonical": "P@2", "topic": "all"},
            **{"value": 0.25, "low": 0.25, "high": 0.75},
        }
    ]
    assert spanwise(*words, "-o", "tsv").out.splitlines() == [
        "run\tmeasure\ttopic\tvalue\tlow\thigh",
        "s\tP@2\tall\t0.25\t0.25\t0.75",
    ]
    settings = json.loads(spanwise(*words, "-o", "json").out)["settings"]
    assert (settings["bounds"], settings["unjudged"]) == (True, "irrelevant")
    assert "low" not in spanwise(*words[:-2], "-o", "tsv").out


def test_bounds_in_python():
    found = library.evaluate(JUDGED, RUN, ["textP@1", "hit@1"], bounds=True)
    assert found.highest is not None
    assert found.per_topic("textP@1") == {"q1": 0.0, "q2": 0.5}
    assert found.highest.per_topic("textP@1") == {"q1": 1.0, "q2": 0.5}
    assert (found.mean("hit@1"), found.highest.mean("hit@1")) == (0.5, 1.0)
    assert found.to_polars().columns[-2:] == ["low", "high"]
    assert library.evaluate(JUDGED, RUN, "hit@1").highest is None


def test_several_runs_keep_their_own_bounds():
    other = {"q1": [("d1", 0, 10)], "q2": [("d1", 0, 10)]}
    found = library.evaluate(JUDGED, {"a": RUN, "b": other}, "hit@1", bounds=True)
    ends = [(row["run"], row["low"], row["high"]) for row in found.output().rows.items]
    assert ends == [("a", 0.5, 1.0), ("b", 1.0, 1.0)]


def test_measures_without_bounds_are_refused_and_those_of_a_nickname_left_out():
    only = "bounds are known only for P@k, Success@k, RR, hit@k, hitRR, hitP@k and textP@k"
    for measure in ("AgP", "textR@5", "judged@5", "nDCG@5"):
        with pytest.raises(MeasureError, match=f"{measure} has no bounds: .*; {only}"):
            library.evaluate(JUDGED, RUN, ["P@1", measure], bounds=True)
    with pytest.raises(MeasureError, match="how long relevant ranges of unjudged documents would"):
        library.evaluate(JUDGED, RUN, "hit(share=0.5)@5", bounds=True)
    with pytest.raises(MeasureError, match="none of the measures has bounds"):
        library.evaluate(JUDGED, RUN, "xcg", bounds=True)
    found = library.evaluate(JUDGED, RUN, "rag", bounds=True)
    assert [asked.label for asked in found.measures] == [
        *("hit@5", "hitRR", "textP@5", "textP(budget=2000)")
    ]
    assert [note.names[0] for note in found.notes if note.kind == "left out"] == ["rangeR@5"]


@pytest.mark.parametrize("other", [{"unjudged": "drop"}, {"compat": "inex_eval"}])
def test_bounds_have_no_meaning_beside_these(other):
    with pytest.raises(SpanwiseError, match=r"which has no meaning with .*: leave out one"):
        library.evaluate(JUDGED, RUN, "P@1", bounds=True, **other)


def test_bounds_must_be_a_truth():
    with pytest.raises(SpanwiseError, match="bounds must be True or False, got 'yes'"):
        library.evaluate(JUDGED, RUN, "P@1", bounds="yes")


# -- condensed lists


def test_answers_in_unjudged_documents_are_dropped_and_counted(spanwise, two):
    words = ("qrels", "s.trec", "-m", "P@2", "-m", "RR", "-m", "judged", "--unjudged", "drop")
    done = spanwise("evaluate", *words, "-o", "jsonl")
    assert [json.loads(line)["value"] for line in done.out.splitlines()] == [0.5, 0.75, 1.0]
    assert done.err == (
        "note: 2 of 5 answers (40%) are in unjudged documents; left out before scoring\n"
    )


def test_an_explanation_has_the_same_list(spanwise, two):
    words = ("explain", "qrels", "s.trec", "--topic", "q1", "-m", "RR", "--unjudged", "drop")
    done = spanwise(*words)
    assert done.code == 0
    assert "1 / rank 2 = 0.5000" in done.out
    assert "d9" not in done.out


@pytest.mark.parametrize("command", ["compare", "report", "gate"])
def test_other_commands_score_so_too(spanwise, two, command):
    (two / "t.trec").write_text(TREC.replace(" s\n", " t\n"))
    words = {
        "compare": ("qrels", "s.trec", "t.trec", "-m", "RR"),
        "report": ("qrels", "s.trec", "t.trec", "-m", "RR", "--to", "report.html"),
        "gate": ("qrels", "s.trec", "--require", "RR >= 0.7"),
    }[command]
    without = spanwise(command, *words)
    done = spanwise(command, *words, "--unjudged", "drop")
    assert done.code == 0
    assert without.code == (1 if command == "gate" else 0)
    assert "in unjudged documents; left out before scoring" in done.err + done.out


def test_the_official_tool_knows_no_condensed_lists(spanwise, two):
    words = ("qrels", "s.trec", "-m", "P@2", "--unjudged", "drop", "--compat", "inex_eval")
    done = spanwise("evaluate", *words)
    assert (done.code, done.out) == (2, "")
    assert "--unjudged drop has no meaning with --compat inex_eval" in done.err


def test_topics_without_relevant_text_are_said_to_be_outside_the_bounds(spanwise, tmp_path):
    (tmp_path / "qrels").write_text("q1 0 a 1\nq2 0 a 0\n")
    (tmp_path / "s.trec").write_text("q1 Q0 a 1 2 s\nq2 Q0 b 1 2 s\n")
    words = ("evaluate", "qrels", "s.trec", "-m", "P@2")
    said = "1 topic has no relevant text yet; what is found in it may move means beyond"
    assert said in spanwise(*words, "--bounds").err
    assert said not in spanwise(*words).err
