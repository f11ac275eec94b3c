"""Files that are written: whole or not at all, and never harming what is there."""

from __future__ import annotations

import os
import resource
import signal
import stat
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from spanwise.errors import OutputError
from spanwise.formats.destination import Destination, NewFolder, Stream, write_together
from spanwise.formats.journal import Journal, journal

fcntl = pytest.importorskip("fcntl")

HEX = "0123456789abcdef"


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


@pytest.fixture
def full_disk():
    """No file may be larger than 1,000 bytes."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1000, before[1]))
    yield
    resource.setrlimit(resource.RLIMIT_FSIZE, before)


# -- regular files


def test_a_new_file_has_the_mode_of_the_mask(tmp_path):
    before = os.umask(0o027)
    try:
        Destination.checked(tmp_path / "new").write(b"content")
    finally:
        os.umask(before)
    assert (tmp_path / "new").read_bytes() == b"content"
    assert stat.S_IMODE((tmp_path / "new").stat().st_mode) == 0o640
    assert names(tmp_path) == ["new"]


@pytest.mark.parametrize("mode", [0o600, 0o664, 0o755])
def test_a_replaced_file_keeps_its_mode(tmp_path, mode):
    file = tmp_path / "file"
    file.write_text("old")
    file.chmod(mode)
    Destination.checked(file).write(b"new")
    assert file.read_bytes() == b"new"
    assert stat.S_IMODE(file.stat().st_mode) == mode


@pytest.mark.skipif(os.geteuid() != 0, reason="only root may give files away")
def test_a_replaced_file_keeps_its_owner(tmp_path):
    file = tmp_path / "file"
    file.write_text("old")
    os.chown(file, 12345, 23456)
    Destination.checked(file).write(b"new")
    assert (file.stat().st_uid, file.stat().st_gid) == (12345, 23456)


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_read_only_file_is_refused(tmp_path):
    file = tmp_path / "file"
    file.write_text("old")
    file.chmod(0o444)
    with pytest.raises(OutputError, match="file cannot be written: it is read-only"):
        Destination.checked(file)


@pytest.mark.parametrize("there", [True, False])
def test_a_link_stays_and_its_target_is_written(tmp_path, there):
    (tmp_path / "folder").mkdir()
    target, link = tmp_path / "folder" / "target", tmp_path / "link"
    if there:
        target.write_text("old")
    link.symlink_to("folder/target")
    Destination.checked(link).write(b"new")
    assert link.is_symlink()
    assert target.read_bytes() == b"new"
    assert names(tmp_path) == ["folder", "link"]


def test_a_name_as_long_as_names_may_be(tmp_path):
    Destination.checked(tmp_path / ("x" * 255)).write(b"content")
    assert names(tmp_path) == ["x" * 255]


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("nowhere/file", "nowhere/file: folder not found: .*nowhere; create it first"),
        ("file/inside", "file/inside: folder not found"),
        ("folder", "folder is a folder; name another file"),
        ("new/", "new/ is a folder; name another file"),
        ("", "'' is not the name of a file"),
        ("a\0b", "is not the name of a file"),
        ("x" * 300, "x cannot be written: File name too long"),
        ("loop", "loop cannot be written: Too many levels of symbolic links"),
    ],
)
def test_places_that_are_refused(tmp_path, monkeypatch, name, message):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "folder").mkdir()
    (tmp_path / "file").write_text("old")
    (tmp_path / "loop").symlink_to("loop")
    with pytest.raises(OutputError, match=message):
        Destination.checked(name)
    assert names(tmp_path) == ["file", "folder", "loop"]


def test_on_a_full_disk_the_old_file_stays(tmp_path, full_disk):
    file = tmp_path / "file"
    file.write_text("old")
    place = Destination.checked(file)
    with pytest.raises(OutputError, match="file cannot be written: File too large; name another"):
        place.write(b"x" * 2000)
    assert file.read_text() == "old"
    assert names(tmp_path) == ["file"]


def test_of_several_files_all_or_none_are_written(tmp_path, full_disk):
    places = [Destination.checked(tmp_path / name) for name in ("a", "b", "c")]
    with pytest.raises(OutputError, match="b cannot be written"):
        write_together(list(zip(places, (b"a", b"b" * 2000, b"c"), strict=True)))
    assert names(tmp_path) == []
    write_together(list(zip(places, (b"a", b"b", b"c"), strict=True)))
    assert [(tmp_path / name).read_bytes() for name in ("a", "b", "c")] == [b"a", b"b", b"c"]


# -- devices, pipes, what is open already


def test_a_named_pipe_is_written_to(tmp_path):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    read: list[bytes] = []
    reader = threading.Thread(target=lambda: read.append(pipe.read_bytes()))
    reader.start()
    Destination.checked(pipe).write(b"x" * 100_000)
    reader.join()
    assert read == [b"x" * 100_000]
    assert stat.S_ISFIFO(pipe.stat().st_mode)


def test_a_reader_who_has_read_enough(tmp_path):
    reading, writing = os.pipe()
    os.close(reading)
    try:
        Destination.checked(f"/dev/fd/{writing}").write(b"content")
    finally:
        os.close(writing)


def test_a_device_that_is_full(tmp_path):
    (tmp_path / "link").symlink_to("/dev/full")
    with pytest.raises(OutputError, match="link cannot be written: No space left on device"):
        Destination.checked(tmp_path / "link").write(b"content")
    Destination.checked("/dev/null").write(b"content")


def test_what_is_open_already_is_written_to_where_it_is(tmp_path):
    """Opened once more it would begin at the start, and replaced it would be another file."""
    with (tmp_path / "file").open("wb", buffering=0) as stream:
        stream.write(b"first ")
        (tmp_path / "link").symlink_to(f"/dev/fd/{stream.fileno()}")
        place = Destination.checked(tmp_path / "link")
        assert isinstance(place, Stream)
        place.write(b"second ")
        stream.write(b"third")
    assert (tmp_path / "file").read_bytes() == b"first second third"


def test_a_descriptor_that_is_not_open():
    with pytest.raises(OutputError, match="/dev/fd/987 cannot be written: Bad file descriptor"):
        Destination.checked("/dev/fd/987")


# -- new folders


@pytest.mark.parametrize("there", [True, False])
def test_a_new_folder_is_there_as_a_whole(tmp_path, there):
    if there:
        (tmp_path / "new").mkdir()
    with NewFolder.checked(tmp_path / "new").made() as place:
        (place / "inner").mkdir()
        (place / "inner" / "file").write_text("content")
        (place / "other").write_text("content")
        assert not (tmp_path / "new" / "other").exists()
    assert names(tmp_path) == ["new"]
    assert names(tmp_path / "new") == ["inner", "other"]


@pytest.mark.parametrize("there", [True, False])
def test_on_a_full_disk_there_is_no_new_folder(tmp_path, full_disk, there):
    if there:
        (tmp_path / "new").mkdir()

    def fill():
        with NewFolder.checked(tmp_path / "new").made() as place:
            (place / "small").write_text("content")
            (place / "large").write_bytes(b"x" * 2000)

    with pytest.raises(OutputError, match="new cannot be written: File too large"):
        fill()
    assert names(tmp_path) == (["new"] if there else [])
    assert not there or names(tmp_path / "new") == []


def test_a_folder_that_is_not_empty_is_refused(tmp_path):
    (tmp_path / "file").write_text("precious")
    for taken in (tmp_path, tmp_path / "file"):
        with pytest.raises(OutputError, match="exists already; name a folder that is new or empty"):
            NewFolder.checked(taken)
    assert (tmp_path / "file").read_text() == "precious"


# -- what killed processes left


def left(folder: Path, process: int, letter: str) -> Path:
    path = folder / f".spanwise-{process}-{letter * 16}.part"
    path.write_text("half")
    return path


@pytest.fixture
def dead() -> int:
    """The number of a process that has ended."""
    process = subprocess.Popen([sys.executable, "-c", ""])
    process.wait()
    return process.pid


def test_left_overs_of_dead_processes_are_removed(tmp_path, dead):
    left(tmp_path, dead, "a")
    folder = tmp_path / f".spanwise-{dead}-{HEX}.part"
    folder.mkdir()
    (folder / "inside").write_text("half")
    Destination.checked(tmp_path / "file").write(b"content")
    assert names(tmp_path) == ["file"]


def test_files_of_others_are_left_alone(tmp_path, dead):
    """Those that look different, those that are new, and old ones that somebody still holds."""
    other = tmp_path / f".spanwise-{dead}-short.part"
    other.write_text("of value")
    pipe = tmp_path / f".spanwise-{os.getpid()}-{HEX}.part"
    os.mkfifo(pipe)
    fresh = left(tmp_path, os.getpid(), "b")
    held, free = left(tmp_path, os.getpid(), "c"), left(tmp_path, os.getpid(), "d")
    for old in (held, free):
        os.utime(old, (0, 0))
    with held.open() as stream:
        fcntl.flock(stream, fcntl.LOCK_EX)
        Destination.checked(tmp_path / "file").write(b"content")
    assert names(tmp_path) == sorted(["file", *(path.name for path in (other, pipe, fresh, held))])


KILLED = """
import os, signal, sys
from spanwise.formats.destination import WholeFile
with WholeFile.checked(sys.argv[1]).replaced() as beside:
    beside.write_text("half")
    os.kill(os.getpid(), signal.SIGKILL)
"""


def test_a_killed_process_does_no_harm(tmp_path):
    file = tmp_path / "file"
    file.write_text("old")
    done = subprocess.run([sys.executable, "-c", KILLED, str(file)], check=False)
    assert done.returncode == -signal.SIGKILL
    assert file.read_text() == "old"
    assert len(names(tmp_path)) == 2
    Destination.checked(file).write(b"new")
    assert names(tmp_path) == ["file"]


# -- the journal


def test_an_interruption_waits_for_a_step():
    done, own = list[str](), Journal()
    with own.step():
        own.between_steps(lambda: done.append("ended"))
        assert done == []
    assert done == ["ended"]


def test_the_journal_knows_what_was_written(tmp_path):
    before = len(journal.written)
    with pytest.raises(KeyError), NewFolder.checked(tmp_path / "failed").made():
        raise KeyError
    Destination.checked(tmp_path / "file").write(b"content")
    assert journal.written[before:] == [str(tmp_path / "file")]
    assert journal.unfinished == set()
