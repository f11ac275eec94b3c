"""Pools: which documents are in them, in which order, and what each run brought."""

from __future__ import annotations

import json
import random

import pytest

import spanwise
from spanwise.assessing.pools import read_pool
from spanwise.errors import InputError, SpanwiseError
from spanwise.formats.source import Source

FIRST = {"q1": [("d1", 0, 10, 3.0), ("d2", 5, 9, 2.0), ("d1", 20, 30, 1.0), ("d3", 0, 4, 0.5)]}
SECOND = {"q1": [("d2", 8, 12, 9.0), ("d4", 0, 7, 8.0)], "q2": [("d9", 0, 3, 1.0)]}
RUNS = {"a": FIRST, "b": SECOND}
TOPICS = ["q1", "q2"]
JUDGED = {"q1": {"d1": [(0, 10)], "d4": [(0, 7)], "d2": [(6, 9)]}, "q2": {"d9": [(0, 2)]}}


def documents(found, topic="q1"):
    return [one.document for one in found.pool.topic(topic).documents]


def test_the_first_documents_of_each_run_those_of_most_runs_first():
    found = spanwise.pool(RUNS, depth=2, topics=TOPICS)
    assert documents(found) == ["d2", "d1", "d4"]
    assert documents(found, "q2") == ["d9"]
    first = found.pool.topic("q1").documents[0]
    assert (first.runs, first.best_rank, first.ranges) == (2, 1, ((5, 12),))


def test_depth_counts_documents_and_all_answers_in_them_are_known():
    found = spanwise.pool({"a": FIRST}, depth=3, topics=["q1"])
    assert documents(found) == ["d1", "d2", "d3"]
    assert found.pool.topics[0].documents[0].ranges == ((0, 10), (20, 30))


def test_the_order_of_answers_is_that_of_the_policies():
    assert documents(spanwise.pool({"a": FIRST}, depth=1, topics=["q1"])) == ["d1"]
    last = spanwise.pool({"a": FIRST}, depth=1, topics=["q1"], order="ascending")
    assert documents(last) == ["d3"]


def test_a_budget_keeps_the_documents_of_most_runs_and_a_seed_changes_only_their_order():
    runs = {n: {"q1": [f"d{k}" for k in range(40) if k % n == 0]} for n in (1, 2, 5)}
    runs = {str(name): run for name, run in runs.items()}
    best = spanwise.pool(runs, depth=40, documents=10, topics=["q1"])
    drawn = spanwise.pool(runs, depth=40, documents=10, topics=["q1"], shuffle=1)
    other = spanwise.pool(runs, depth=40, documents=10, topics=["q1"], shuffle=2)
    assert len(documents(best)) == 10
    assert sorted(documents(best)) == sorted(documents(drawn)) == sorted(documents(other))
    assert len({tuple(map(tuple, (documents(x),))) for x in (best, drawn, other)}) == 3
    assert (best.pool.order, drawn.pool.order) == ("returned", "shuffled")
    again = spanwise.pool(runs, depth=40, documents=10, topics=["q1"], shuffle=1)
    assert documents(again) == documents(drawn)


def test_what_is_judged_is_left_out_and_counted():
    found = spanwise.pool(RUNS, depth=9, topics=TOPICS, assessments=JUDGED)
    assert [(topic.topic, len(topic.documents)) for topic in found.pool.topics] == [("q1", 1)]
    assert documents(found) == ["d3"]
    rows = [row for row in found.output().rows.items if row["kind"] == "contribution"]
    assert [(row["run"], row["documents"], row["only"], row["judged"]) for row in rows] == [
        ("a", 3, 2, 2),
        ("b", 3, 2, 3),
    ]
    assert [note.kind for note in found.notes] == ["nothing pooled"]


def test_a_pool_of_random_runs_is_that_of_sets():
    source = random.Random(4)
    runs = {
        name: {
            topic: source.sample([f"d{n}" for n in range(12)], source.randint(0, 12))
            for topic in TOPICS
        }
        for name in "abcde"
    }
    runs = {name: {t: found for t, found in run.items() if found} for name, run in runs.items()}
    for depth in (1, 3, 12):
        found = spanwise.pool(runs, depth=depth, topics=TOPICS)
        for topic in found.pool.topics:
            firsts = {name: run.get(topic.topic, [])[:depth] for name, run in runs.items()}
            expected = {
                document: (
                    -sum(document in first for first in firsts.values()),
                    min(f.index(document) + 1 for f in firsts.values() if document in f),
                    document,
                )
                for document in set().union(*firsts.values())
            }
            order = sorted(expected, key=expected.__getitem__)
            assert [one.document for one in topic.documents] == order
            assert [(-o.runs, o.best_rank) for o in topic.documents] == [
                expected[document][:2] for document in order
            ]
        for run in found.made.contributions:
            others = [runs[name] for name in runs if name != run.run]
            own = {(t, d) for t in TOPICS for d in runs[run.run].get(t, [])[:depth]}
            theirs = {(t, d) for t in TOPICS for other in others for d in other.get(t, [])[:depth]}
            assert (run.documents, run.only) == (len(own), len(own - theirs))


# -- runs that were not pooled


def test_a_run_is_scored_as_if_it_had_not_been_pooled():
    measures = ["P@2", "textP"]
    found = spanwise.pool(RUNS, depth=2, topics=TOPICS, assessments=JUDGED, measures=measures)
    only = {"a": ("q1", "d1"), "b": ("q1", "d4")}
    for one in found.made.left_out:
        topic, document = only[one.run]
        without = {t: dict(judged) for t, judged in JUDGED.items()}
        del without[topic][document]
        run = RUNS[one.run]
        topics = TOPICS if one.run == "a" else ["q1"]  # only b brought what is relevant to q2
        if one.run == "b":
            del without["q2"]
        mean = [
            spanwise.evaluate(judged, [run], one.asked.label, topics=topics).mean(one.asked.label)
            for judged in (JUDGED, without)
        ]
        assert (one.value, one.without) == tuple(mean)
        assert one.lost == (one.run == "b")
        assert one.difference == mean[1] - mean[0]


def test_measures_need_assessments():
    with pytest.raises(SpanwiseError, match=r"measures=.* scores runs: give assessments=.*, too"):
        spanwise.pool(RUNS, measures=["P@2"])


def test_without_any_relevant_text_of_others_there_is_nothing_to_compare():
    judged = {"q1": {"d3": [(0, 4)]}}
    runs = {"a": FIRST, "b": {"q1": SECOND["q1"]}}
    found = spanwise.pool(runs, depth=9, topics=["q1"], assessments=judged, measures="P@1")
    first, second = found.made.left_out
    assert (first.value, first.without, first.difference, first.lost) == (None, None, None, 1)
    assert (second.value, second.without, second.documents) == (0.0, 0.0, 0)
    assert "changes by +0.0000" in str(found)


# -- files


@pytest.fixture
def files(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    rows = [
        {"topic": t, "document": d, "start": s, "end": e, "score": x, "run": name}
        for name, run in RUNS.items()
        for t, answers in run.items()
        for d, s, e, x in answers
    ]
    (tmp_path / "runs.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    topics = (
        {"topic": "q1", "query": "how old?", "narrative": "In years."},
        {"topic": "q7", "query": "nobody answers"},
    )
    (tmp_path / "topics.jsonl").write_text("".join(json.dumps(row) + "\n" for row in topics))
    return tmp_path


@pytest.mark.parametrize("name", ["pool.jsonl", "pool.jsonl.gz", "pool.jsonl.zst", "pool"])
def test_topics_are_pinned_in_the_file(files, name):
    found = spanwise.pool("runs.jsonl", depth=2, topics="topics.jsonl", to=name)
    pool = read_pool(Source.at(files / name))
    assert pool == found.pool
    assert [(t.topic, t.query, t.narrative) for t in pool.topics] == [
        ("q1", "how old?", "In years.")
    ]
    assert (pool.depth, pool.runs) == (2, ("a", "b"))
    assert [(note.kind, note.names) for note in found.notes][-1] == ("nothing pooled", ("q7",))


def test_the_pool_is_not_written_over_an_input(files):
    for name in ("runs.jsonl", "topics.jsonl"):
        with pytest.raises(SpanwiseError, match="is read by this command"):
            spanwise.pool("runs.jsonl", topics="topics.jsonl", to=name)


def test_runs_of_one_name_and_ranges_beyond_their_document_are_refused(files):
    with pytest.raises(InputError, match="two runs named a"):
        spanwise.pool(["runs.jsonl", "runs.jsonl"], depth=2)
    with pytest.raises(InputError, match=r"runs.jsonl:1: found range \[0, 10\), expected an end"):
        spanwise.pool("runs.jsonl", depth=2, collection={"d1": "short"})
    kept = spanwise.pool("runs.jsonl", depth=2, collection={"d1": "short"}, lenient=True)
    assert kept.pool.topic("q1").documents[1].ranges == ((0, 5),)
