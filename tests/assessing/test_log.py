"""The log: nothing is lost, nothing is changed, nothing is applied twice."""

from __future__ import annotations

import os
import pickle
import sqlite3
import threading

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assessing.operations import ASPECTS, GRADES, LENGTH, drawn_operations
from spanwise.assessing.judgement import Refused, as_json
from spanwise.assessing.log import ChangedDocument, Conflict, Held, Key, Log
from spanwise.assessing.operations import Scale
from spanwise.errors import InputError, SpanwiseError

NOW = "2024-05-01T12:00:00.000Z"
TEXT = "abcdefghijkl"
ME = ("ann", "t1", "d1")


@pytest.fixture
def path(tmp_path):
    return tmp_path / "pool [1] ä%20?.judgements"


@pytest.fixture
def log(path):
    with Log.open(path) as log:
        log.add_document("d1", TEXT)
        yield log


def highlight(start, end, id=None):
    return {"id": id or f"{start}-{end}", "kind": "highlight", "start": start, "end": end}


def step(kind, id=None):
    return {"id": id or kind, "kind": kind}


def add(log, version, *operations, key=ME):
    return log.append(*key, version, operations, NOW)


def test_what_was_added_is_there_after_opening_again(log, path):
    held = add(log, 0, step("opened"), highlight(1, 4), step("done"))
    assert held.version == 2
    assert as_json(held.judgement) == {
        "passages": [{"start": 1, "end": 4}],
        "entry": None,
        "status": "relevant",
    }
    log.close()
    with Log.open(path, read_only=True) as again:
        assert again.state(*ME) == held
        assert again.overview("ann", "t1") == {"d1": ("relevant", 2, 1)}
        assert again.overview("ann", "t2") == {}
        assert again.assessors() == ["ann"]
        assert [(each.sequence, each.version, each.id, each.at) for each in again.events()] == [
            (1, 0, "opened", NOW),
            (2, 1, "1-4", NOW),
            (3, 2, "done", NOW),
        ]
    assert list(path.parent.iterdir()) == [path]


def test_a_judgement_that_was_never_opened_is_empty(log):
    assert log.state(*ME) == Held()
    assert Held().as_json() == {
        "version": 0,
        "state": {"passages": [], "entry": None, "status": "open"},
        "can_undo": False,
        "can_redo": False,
    }


def test_judgements_of_others_are_others(log):
    add(log, 0, highlight(1, 4))
    assert add(log, 0, highlight(1, 4), key=("ben", "t1", "d1")).version == 1
    assert log.state("ann", "t2", "d1") == Held()
    assert log.assessors() == ["ann", "ben"]
    assert [event.assessor for event in log.events("ben")] == ["ben"]


def test_an_operation_that_is_sent_again_is_applied_once(log):
    first = add(log, 0, highlight(1, 4), step("done"))
    assert add(log, 0, highlight(1, 4), step("done")) == first
    third = add(log, 0, highlight(1, 4), step("done"), step("reopen"))
    assert third.version == 3
    assert add(log, 3, step("undo", "a"), step("undo", "a")).version == 4
    assert len(list(log.events())) == 4


def test_an_id_stands_for_one_operation(log):
    add(log, 0, highlight(1, 4, "a"))
    with pytest.raises(Refused, match="id a was used for another operation"):
        add(log, 0, highlight(1, 5, "a"))
    with pytest.raises(Refused, match="id b stands for two operations"):
        add(log, 1, highlight(5, 6, "b"), highlight(7, 8, "b"))
    assert log.state(*ME).version == 1


def test_an_id_of_another_judgement_is_refused(log):
    add(log, 0, highlight(1, 4))
    with pytest.raises(Refused, match="id 1-4 was used for document d1 of topic t1"):
        add(log, 0, highlight(1, 4), key=("ann", "t2", "d1"))


def test_a_judgement_that_was_changed_elsewhere_is_a_conflict(log):
    held = add(log, 0, highlight(1, 4))
    for version in (0, 2, -1):
        with pytest.raises(Conflict, match="changed elsewhere") as caught:
            add(log, version, highlight(5, 6, "mine"))
        assert caught.value.held == held
        assert pickle.loads(pickle.dumps(caught.value)).held == held
    with pytest.raises(Conflict):
        add(log, 5, highlight(1, 4), highlight(5, 6, "mine"))
    assert log.state(*ME) == held


def test_coming_and_going_needs_no_version_and_makes_none(log):
    add(log, 0, highlight(1, 4))
    assert add(log, 0, step("opened"), step("left")).version == 1


def test_one_wrong_operation_leaves_nothing_of_its_call(log):
    for wrong in (highlight(5, 50), step("done"), step("erase"), {"kind": "undo"}, {}, None):
        first = step("not relevant") if wrong == step("done") else highlight(1, 4)
        with pytest.raises(Refused):
            add(log, 0, first, wrong)
    assert log.state(*ME) == Held()
    assert list(log.events()) == []


@pytest.mark.parametrize("id", ["", " ", "ä", "x" * 101, 7, None, True])
def test_ids_are_short_and_printable(log, id):
    with pytest.raises(Refused, match="the id of an operation must be"):
        log.append(*ME, 0, [{"id": id, "kind": "undo"}], NOW)


@pytest.mark.parametrize("at", ["", "yesterday", "2024-05-01", "2024-05-01T12:00:00", None, 7])
def test_moments_have_a_time_zone(log, at):
    with pytest.raises(Refused, match="is not a moment such as"):
        log.append(*ME, 0, [step("undo")], at)


def test_a_document_must_be_known(log):
    with pytest.raises(Refused, match="document d2 has not been opened"):
        add(log, 0, highlight(1, 4), key=("ann", "t1", "d2"))


def test_documents_are_kept_as_they_were_judged(log):
    log.add_document("d1", TEXT)
    log.add_document("d2", "\ufeffä😀")
    assert log.text("d2") == "\ufeffä😀"
    assert {name: about.length for name, about in log.documents().items()} == {"d1": 12, "d2": 3}
    with pytest.raises(ChangedDocument, match="document d1 has changed since it was judged"):
        log.add_document("d1", TEXT + ".")
    with pytest.raises(SpanwiseError, match="document d3 is not in the log"):
        log.text("d3")


def test_facts_are_remembered(log):
    log.remember("pool", "1")
    log.remember("pool", "2")
    assert log.about()["pool"] == "2"


@settings(max_examples=25)
@given(st.lists(st.tuples(st.sampled_from("ab"), drawn_operations()), max_size=12))
def test_the_view_is_what_the_operations_say(tmp_path_factory, drawn):
    path = tmp_path_factory.mktemp("log") / "log"
    with Log.open(path, scale=Scale(GRADES, ASPECTS)) as log:
        log.add_document("d1", "x" * LENGTH)
        for number, (topic, operation) in enumerate(drawn):
            version = log.state("ann", topic, "d1").version
            try:
                log.append("ann", topic, "d1", version, [{"id": f"{number}", **operation}], NOW)
            except Refused:
                continue
        for (_, topic, _), (version, history) in log.histories().items():
            judgement = history.judgement
            said = (judgement.status, version, len(judgement.passages))
            assert log.overview("ann", topic) == {"d1": said}
            assert log.state("ann", topic, "d1") == Held.of(version, history)


def test_a_wrong_view_is_made_anew(log, path):
    held = add(log, 0, highlight(1, 4))
    log.close()
    with sqlite3.connect(path) as connection:
        connection.execute("UPDATE judgements SET state = '{}', version = 7")
        connection.execute("INSERT INTO judgements VALUES ('ann', 't1', 'd2', 1, '{}')")
    connection.close()
    with Log.open(path) as again:
        assert again.overview("ann", "t1") == {"d1": ("open", 1, 1)}
        assert again.state(*ME) == held


@pytest.mark.parametrize("table", ["events", "documents"])
@pytest.mark.parametrize("change", ["UPDATE {} SET document = 'x'", "DELETE FROM {}"])
def test_what_is_logged_cannot_be_changed(log, path, table, change):
    add(log, 0, highlight(1, 4))
    log.close()
    connection = sqlite3.connect(path)
    with pytest.raises(sqlite3.IntegrityError, match=f"{table} are only added to"):
        connection.execute(change.format(table))
    connection.close()


def test_readers_write_nothing_and_see_what_is_written_meanwhile(log, path):
    with Log.open(path, read_only=True) as reader:
        held = add(log, 0, highlight(1, 4))
        assert reader.state(*ME) == held
        with pytest.raises(SpanwiseError, match="attempt to write a readonly database"):
            add(reader, 1, step("done"))
    assert log.state(*ME) == held


def test_a_log_that_may_not_be_written_can_be_read(log, path, monkeypatch):
    held = add(log, 0, highlight(1, 4))
    log.close()
    # Root may write everything: what the system would say is said here.
    monkeypatch.setattr(os, "access", lambda place, mode: mode != os.W_OK)
    with Log.open(path, read_only=True) as reader:
        assert reader.state(*ME) == held
        assert list(path.parent.iterdir()) == [path]


def test_threads_of_one_server_get_versions_of_their_own(log):
    finished, conflicts = [], []

    def judge(name):
        for number in range(10):
            while True:
                version = log.state(*ME).version
                try:
                    operation = {"id": f"{name}{number}", "kind": "entry", "at": number}
                    finished.append(add(log, version, operation).version)
                    break
                except Conflict:
                    conflicts.append(name)

    threads = [threading.Thread(target=judge, args=(name,)) for name in "abcd"]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(finished) == list(range(1, 41))
    assert log.histories()[Key(*ME)][0] == 40


def test_a_log_is_found_where_it_should_be(tmp_path):
    with pytest.raises(InputError, match="log of judgements not found; start one with"):
        Log.open(tmp_path / "no.judgements", read_only=True)
    with pytest.raises(InputError, match="found a folder"):
        Log.open(tmp_path)
    with pytest.raises(InputError, match="folder not found"):
        Log.open(tmp_path / "no" / "x.judgements")
    assert list(tmp_path.iterdir()) == []
