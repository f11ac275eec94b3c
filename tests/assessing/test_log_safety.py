"""What may happen to a log: killed writers, several writers, damage, files of other kinds."""

from __future__ import annotations

import os
import random
import sqlite3
import subprocess
import sys
import time
from contextlib import closing
from pathlib import Path

import pytest

from spanwise.assessing.log import Log
from spanwise.assessing.log_lock import only_writer
from spanwise.assessing.recovery import recover
from spanwise.errors import InputError, OutputError, SpanwiseError

WRITER = Path(__file__).with_name("killed_writer.py")
NOW = "2024-05-01T12:00:00Z"
MANY = 10**9


def started(path, name, count=MANY):
    """A process that writes to the log, when it is about to open it."""
    command = [sys.executable, str(WRITER), str(path), name, str(count)]
    writer = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    # A buffered read may take the lines after this one, too, which communicate() then lacks.
    ready = b"ready\n"
    assert os.read(writer.stdout.fileno(), len(ready)) == ready
    return writer


def saved(output):
    """The ids that a writer said were saved; a line it was killed in does not count."""
    lines = [line.split() for line in output.splitlines(keepends=True) if line.endswith("\n")]
    return {line[1] for line in lines if line[0] == "saved"}


def require_whole(path, acknowledged):
    """Everything that was acknowledged is there, and the view is what the operations say."""
    with Log.open(path, read_only=True) as log:
        events = list(log.events())
        assert acknowledged <= {event.id for event in events}
        for key, (version, history) in log.histories().items():
            judgement = history.judgement
            said = (judgement.status, version, len(judgement.passages))
            assert log.overview(key.assessor, key.topic)[key.document] == said
            own = [event.version for event in events if event.key == key]
            assert own == list(range(1, version + 1))


def kill_again_and_again(path, kills, chance):
    """Kill a writer at random moments, from before it makes the log to in the midst of writing."""
    acknowledged = set()
    for number in range(kills):
        writer = started(path, f"w{number}")
        time.sleep(chance.choice((0.02, 0.3)) * chance.random())
        writer.kill()
        output, errors = writer.communicate()
        assert errors == ""
        acknowledged |= saved(output)
        if path.exists() and acknowledged:
            require_whole(path, acknowledged)
    with Log.open(path) as log:
        assert acknowledged <= {event.id for event in log.events()}
    return acknowledged


def test_what_was_acknowledged_survives_killed_writers(tmp_path):
    assert kill_again_and_again(tmp_path / "log", 5, random.Random(1))


@pytest.mark.heavy
def test_what_was_acknowledged_survives_many_killed_writers(tmp_path):
    assert len(kill_again_and_again(tmp_path / "log", 50, random.Random(2))) > 50


def test_two_processes_lose_nothing_of_each_other(tmp_path):
    path = tmp_path / "log"
    writers = [started(path, name, 40) for name in "ab"]
    outputs = [writer.communicate() for writer in writers]
    assert [errors for _, errors in outputs] == ["", ""]
    ids = [saved(output) for output, _ in outputs]
    require_whole(path, set.union(*ids))
    with Log.open(path, read_only=True) as log:
        assert {event.id for event in log.events()} == set.union(*ids)
        assert {event.id.split("-")[1] for event in log.events()} == set(map(str, range(40)))


# -- one writer at a time


def test_a_second_writer_is_refused_and_named(tmp_path):
    path = tmp_path / "log"
    with only_writer(path):
        message = rf"log is open in another spanwise assess \(process {os.getpid()}\); end that one"
        with pytest.raises(OutputError, match=message), only_writer(path):
            pass
        with pytest.raises(OutputError, match=message), only_writer(path):
            pass
    with only_writer(path):
        pass
    assert list(tmp_path.iterdir()) == []


def test_a_link_to_a_log_is_the_same_log(tmp_path):
    (tmp_path / "log").touch()
    (tmp_path / "link").symlink_to(tmp_path / "log")
    with (
        only_writer(tmp_path / "log"),
        pytest.raises(OutputError, match="is open in another spanwise assess"),
        only_writer(tmp_path / "link"),
    ):
        pass


@pytest.mark.parametrize("replaced", [False, True])
def test_nothing_is_written_to_a_log_that_is_gone(tmp_path, replaced):
    path = tmp_path / "log"
    with Log.open(path) as log:
        log.add_document("d1", "text")
        path.rename(tmp_path / "moved")
        if replaced:
            path.write_bytes((tmp_path / "moved").read_bytes())
        with pytest.raises(OutputError, match="was moved, removed or replaced"):
            log.append("ann", "t1", "d1", 0, [{"id": "a", "kind": "done"}][:0], NOW)


def test_what_is_beside_a_log_stays_small(tmp_path):
    with Log.open(tmp_path / "log") as log:
        log.add_document("d1", "text" * 100)
        for number in range(100):
            operation = {"id": f"{number}", "kind": "entry", "at": number}
            log.append("ann", "t1", "d1", number, [operation], NOW)
        assert (tmp_path / "log-wal").stat().st_size < 40 * 4096


def test_the_right_to_write_ends_with_a_killed_process(tmp_path):
    path = tmp_path / "log"
    script = (
        "import sys, time\nfrom spanwise.assessing.log_lock import only_writer\n"
        "with only_writer(sys.argv[1]):\n    print('locked', flush=True)\n    time.sleep(600)\n"
    )
    command = [sys.executable, "-c", script, str(path)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as holder:
        assert holder.stdout.readline() == "locked\n"
        with pytest.raises(OutputError, match=f"process {holder.pid}"), only_writer(path):
            pass
        holder.kill()
    with only_writer(path):
        pass


# -- files that are no logs, or not whole


@pytest.fixture
def filled(tmp_path):
    path = tmp_path / "log"
    with Log.open(path) as log:
        log.add_document("d1", "".join(map(str, range(20_000))))
        for number in range(200):
            operation = {"id": f"{number}", "kind": "entry", "at": number}
            log.append("ann", "t1", "d1", number, [operation], NOW)
    return path


@pytest.mark.parametrize("read_only", [True, False])
@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"topic Q0 document 1\n" * 100, "found a file of another kind, expected a log of judgem"),
        (b"SQLite format 3\0" + b"\0" * 200, r"found a (file of another kind|damaged log)"),
    ],
)
def test_files_of_other_kinds_are_refused(tmp_path, content, message, read_only):
    path = tmp_path / "log"
    path.write_bytes(content)
    with pytest.raises(InputError, match=message):
        Log.open(path, read_only=read_only)
    assert path.read_bytes() == content


@pytest.mark.parametrize("read_only", [True, False])
def test_databases_of_other_programs_are_refused(tmp_path, read_only):
    path = tmp_path / "log"
    connection = sqlite3.connect(path)
    connection.execute("CREATE TABLE events (a)")
    connection.close()
    with pytest.raises(InputError, match="found an SQLite file of another program"):
        Log.open(path, read_only=read_only)


def test_an_empty_file_becomes_a_log_when_it_is_written_to(tmp_path):
    path = tmp_path / "log"
    path.touch()
    with pytest.raises(InputError, match="found an empty file, expected a log of judgements"):
        Log.open(path, read_only=True)
    with Log.open(path) as log:
        log.add_document("d1", "text")


@pytest.mark.parametrize("read_only", [True, False])
def test_logs_of_other_formats_are_refused(filled, read_only):
    connection = sqlite3.connect(filled)
    connection.execute("PRAGMA user_version = 2")
    connection.close()
    with pytest.raises(InputError, match="found a log of format 2, expected format 1; read it"):
        Log.open(filled, read_only=read_only)


@pytest.mark.parametrize("read_only", [True, False])
@pytest.mark.parametrize("share", [0.05, 0.3, 0.6, 0.95])
def test_a_log_cut_short_is_refused(filled, share, read_only):
    content = filled.read_bytes()
    filled.write_bytes(content[: int(len(content) * share)])
    with pytest.raises(InputError, match=r"found a (damaged log|file of another kind)"):
        Log.open(filled, read_only=read_only)


def test_a_log_that_another_program_has_locked(filled, monkeypatch):
    monkeypatch.setattr("spanwise.assessing.log_file._BUSY", 0.01)
    with Log.open(filled) as log, closing(sqlite3.connect(filled, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(InputError, match="another program has locked; end the other program"):
            log.remember("a", "b")


@pytest.mark.parametrize("read_only", [True, False])
def test_an_index_that_lacks_an_operation_is_refused(filled, read_only):
    name = b"annt1d1"
    with closing(sqlite3.connect(filled)) as connection:
        [(root,)] = connection.execute("SELECT rootpage FROM sqlite_master WHERE name = 'judged'")
        [(size,)] = connection.execute("PRAGMA page_size")
    content = bytearray(filled.read_bytes())
    place = content.index(name, (root - 1) * size)
    content[place + 2] ^= 1
    filled.write_bytes(content)
    with pytest.raises(InputError, match="found a damaged log of judgements"):
        Log.open(filled, read_only=read_only)


@pytest.mark.parametrize("lost", ["sequence = 7", "sequence > 1 AND sequence < 9"])
def test_a_log_that_lacks_operations_is_refused(filled, lost):
    with closing(sqlite3.connect(filled, isolation_level=None)) as connection:
        connection.execute("DROP TRIGGER events_DELETE")
        connection.execute(f"DELETE FROM events WHERE {lost}")
    with pytest.raises(InputError, match="operations are missing before"):
        Log.open(filled, read_only=True)


def test_a_recovered_log_has_no_gaps(filled, tmp_path):
    with Log.open(filled) as log:
        for number, kind in enumerate(("not relevant", "reopen")):
            log.append("bob", "t1", "d1", number, [{"id": f"b{number}", "kind": kind}], NOW)
    with closing(sqlite3.connect(filled, isolation_level=None)) as connection:
        connection.execute("DROP TRIGGER events_DELETE")
        connection.execute("DELETE FROM events WHERE sequence = 100")
    recover(filled, tmp_path / "new")
    with Log.open(tmp_path / "new", read_only=True) as log:
        assert [event.sequence for event in log.events()] == [*range(1, 102)]
        assert log.state("bob", "t1", "d1").version == 2


def test_flipped_bytes_end_in_a_refusal_that_names_the_log_or_do_no_harm(filled, tmp_path):
    content, chance, refused = filled.read_bytes(), random.Random(3), []
    with Log.open(filled, read_only=True) as log:
        text = log.text("d1")
    for number in range(120):
        spoilt = bytearray(content)
        first = chance.randrange(len(spoilt) - 64)
        length = chance.choice((1, 64))
        spoilt[first : first + length] = chance.randbytes(length)
        path = tmp_path / f"spoilt{number}"
        path.write_bytes(spoilt)
        try:
            with Log.open(path, read_only=number % 2 == 0) as log:
                log.overview("ann", "t1"), log.assessors(), log.about(), log.histories()
                assert log.text("d1") == text
        except SpanwiseError as problem:
            refused.append(str(problem))
    assert len(refused) > 20
    assert all("spoilt" in problem or "document d1" in problem for problem in refused)
