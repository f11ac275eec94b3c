"""What happens around a command: closed pipes, interruptions, terminals."""

from __future__ import annotations

import os
import resource
import shlex
import signal
import subprocess
import sys
import time

import pytest

from command import environment
from spanwise.cli.progress import Meter, Progress, Watched
from spanwise.formats.source import Source

from .conftest import command_line


def _many_topics(files):
    lines = [f"t{number} Q0 d1 10 100 0 0:10\n" for number in range(20_000)]
    (files / "many.txt").write_text("".join(lines))


def test_a_closed_pipe_is_quiet(start, files):
    _many_topics(files)
    words = ("evaluate", "many.txt", "first.fol", "-q", "-o", "jsonl", "--quiet")
    process = start(*words, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert process.stdout.read(10)
    process.stdout.close()
    assert process.stderr.read() == b""
    process.stderr.close()
    assert process.wait(60) == 0


def test_an_output_that_cannot_be_written_is_an_error(start, files):
    with (files / "qrels.txt").open("rb") as unwritable:
        words = ("evaluate", "qrels.txt", "first.fol", "--quiet")
        process = start(*words, stdout=unwritable, stderr=subprocess.PIPE)
        message = process.communicate(timeout=60)[1]
    assert process.returncode == 2
    assert b"Bad file descriptor" in message
    assert b"Traceback" not in message


@pytest.mark.parametrize(("sent", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_an_interruption_has_its_exit_code(start, files, sent, code):
    (files / "scores.csv").write_text("old")
    process = start(
        *("evaluate", "qrels.txt", "-", "--to", "scores.csv"),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    process.stdin.write(b"t1 Q0 d1 1 2.0 first 0 100\n")
    process.stdin.flush()
    _wait_until_reading(process.pid)
    process.send_signal(sent)
    out, err = process.communicate(timeout=60)
    assert (process.returncode, out) == (code, b"")
    assert err == b"spanwise: interrupted; no file was written\n"
    assert (files / "scores.csv").read_text() == "old"
    assert _left(files) == []


def _left(folder):
    return [path.name for path in folder.rglob(".*")]


TAKEN_OVER = """
import os, signal, sys
from spanwise.cli.process import take_over
take_over()
from spanwise.formats.destination import Destination, NewFolder, WholeFile
from spanwise.formats.journal import journal
end = lambda: os.kill(os.getpid(), signal.SIGTERM)
"""
INTERRUPTED = {
    "after a file": ("Destination.checked('a').write(b'a'); end()", "a was written before"),
    "after two": (
        "[Destination.checked(file).write(b'x') for file in ('a', os.fsdecode(b'\\xff'))]; end()",
        r"a and \xff were written before",
    ),
    "while writing": (
        "with WholeFile.checked('a').replaced() as beside: beside.write_text('x'); end()",
        "no file was written",
    ),
    "while filling a folder": (
        "with NewFolder.checked('a').made() as place: (place / 'b').write_text('x'); end()",
        "no file was written",
    ),
    "in a step": (
        "with journal.step(): end(); Destination.checked('a').write(b'a')",
        "a was written before",
    ),
    "where exceptions are lost": (
        "class Lost:\n    def __del__(self): end()\nLost(); print('went on')",
        "no file was written",
    ),
    "where everything is caught": (
        "try: end(); print('went on')\nexcept BaseException: print('went on')",
        "no file was written",
    ),
}


@pytest.mark.parametrize(("code", "message"), INTERRUPTED.values(), ids=INTERRUPTED)
def test_an_interruption_says_what_was_kept(files, code, message):
    done = _python(files, TAKEN_OVER + code)
    assert (done.returncode, done.stdout) == (143, b"")
    [line] = done.stderr.decode().splitlines()
    assert line.startswith(f"spanwise: interrupted; {message}")
    assert _left(files) == []
    assert (files / "a").exists() == ("no file" not in message)


def _python(folder, code, **options):
    return subprocess.run(
        [sys.executable, "-c", code],
        cwd=folder,
        env=environment(),
        capture_output=True,
        timeout=60,
        check=False,
        **options,
    )


WHEN = {
    "importing click": ("click", "--version", 130),
    "importing a command": ("spanwise.cli.evaluate", "evaluate", 130),
    "leaving": ("", "--version", 0),
}


@pytest.mark.parametrize(("module", "word", "code"), WHEN.values(), ids=WHEN)
def test_no_interruption_is_a_traceback(files, module, word, code):
    """Not while modules are loaded; after the work it does not even count."""
    done = _python(
        files,
        f"""
import atexit, os, signal, sys
class Finder:
    def find_spec(self, name, *_):
        if name == {module!r}:
            os.kill(os.getpid(), signal.SIGINT)
sys.meta_path.insert(0, Finder())
if not {module!r}:
    atexit.register(os.kill, os.getpid(), signal.SIGINT)
sys.argv = ["spanwise", {word!r}]
from spanwise.cli.process import start
start()
""",
    )
    assert done.returncode == code
    expected = b"spanwise: interrupted; no file was written\n" if code else b""
    assert done.stderr == expected


def test_an_interruption_that_was_switched_off_stays_off(files):
    """As for commands that a shell starts in the background."""
    ignored = "import signal; signal.signal(signal.SIGINT, signal.SIG_IGN)"
    done = _python(files, ignored + TAKEN_OVER + "os.kill(os.getpid(), signal.SIGINT); print('on')")
    assert (done.returncode, done.stdout, done.stderr) == (0, b"on\n", b"")


# -- closed and full streams

GATE = "gate qrels.txt first.fol --require 'AgP > 0.99'"
STREAMS = {
    "no standard error": ("evaluate qrels.txt first.fol -o tsv 2>&-", 0),
    "a refusal without standard error": ("evaluate qrels.txt missing 2>&-", 2),
    "usage without standard error": ("evaluate 2>&-", 2),
    "a gate without standard error": (f"{GATE} 2>&-", 1),
    "a full standard error": ("evaluate qrels.txt first.fol -o tsv 2>/dev/full", 0),
    "a refusal on a full standard error": ("evaluate qrels.txt missing 2>/dev/full", 2),
    "no standard output": ("evaluate qrels.txt first.fol --quiet >&-", 0),
    "a gate without standard output": (f"{GATE} --quiet >&-", 1),
    "neither": ("evaluate qrels.txt first.fol --to scores.tsv >&- 2>&-", 0),
    "none at all": ("evaluate qrels.txt first.fol --to scores.tsv <&- >&- 2>&-", 0),
}


@pytest.mark.parametrize(("words", "code"), STREAMS.values(), ids=STREAMS)
def test_closed_and_full_streams_change_nothing_else(files, words, code):
    command = f"{shlex.quote(sys.executable)} -m spanwise {words}"
    done = subprocess.run(
        command, shell=True, cwd=files, env=environment(), capture_output=True, check=False
    )
    assert (done.returncode, done.stderr) == (code, b"")
    table = b"run\tmeasure\ttopic\tvalue\nfirst\tAgP\tall\t0.7916666666666666\n"
    if "-o tsv" in words:
        assert done.stdout == table
    if "--to" in words:
        assert (files / "scores.tsv").read_bytes() == table


def test_a_closed_standard_input(files):
    command = f"{shlex.quote(sys.executable)} -m spanwise evaluate qrels.txt - <&-"
    done = subprocess.run(
        command, shell=True, cwd=files, env=environment(), capture_output=True, check=False
    )
    assert (done.returncode, done.stdout) == (2, b"")
    assert done.stderr.startswith(b"standard input: found nothing: it is closed")


def test_a_full_standard_output_is_an_error(start, files):
    with open("/dev/full", "wb") as full:  # noqa: PTH123
        words = ("evaluate", "qrels.txt", "first.fol", "--quiet")
        process = start(*words, stdout=full, stderr=subprocess.PIPE)
        message = process.communicate(timeout=60)[1]
    assert process.returncode == 2
    expected = b"spanwise: standard output cannot be written: No space left on device"
    assert message.startswith(expected)
    assert len(message.splitlines()) == 1


def test_a_reader_who_leaves_does_not_change_the_exit_code(start, files):
    (files / "bad.fol").write_text("t1 Q0 d1 1 2.0\n" * 20_000)
    words = ("check", "bad.fol", "--as", "run", "--run-format", "fol", "--most", "20000")
    process = start(*words, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert process.stdout.read(10)
    process.stdout.close()
    assert process.stderr.read() == b""
    process.stderr.close()
    assert process.wait(60) == 2


def test_standard_output_as_a_file_keeps_the_order(files):
    """What was there stays, and what comes after comes after."""
    python = f"{shlex.quote(sys.executable)} -m spanwise"
    command = (
        f"(echo before; {python} evaluate qrels.txt first.fol -o tsv --to /dev/stdout --quiet;"
        " echo after) > out.txt"
    )
    subprocess.run(command, shell=True, cwd=files, env=environment(), check=True)
    lines = (files / "out.txt").read_text().splitlines()
    assert [line.partition("\t")[0] for line in lines] == ["before", "run", "first", "after"]


# -- full disks


def _small_files():
    resource.setrlimit(resource.RLIMIT_FSIZE, (2000, 2000))


FULL = {
    "evaluate": ("evaluate", "many.txt", "first.fol", "-q", "--to", "out"),
    "convert": ("convert", "many.txt", "out"),
    "report": ("report", "qrels.txt", "first.fol", "--to", "out.html", "--charts", "new/charts"),
    "demo": ("demo", "--copy", "demo"),
    "build": ("collection", "build", "documents", "-o", "out", "--force"),
}


@pytest.mark.parametrize("words", FULL.values(), ids=FULL)
def test_on_a_full_disk_what_was_there_survives(start, files, words):
    _many_topics(files)
    (files / "documents").mkdir()
    (files / "documents" / "a.txt").write_text("text " * 10_000)
    place = files / ("out.html" if "out.html" in words else "out")
    place.write_text("old")
    wanted = {"evaluate": ["-o", "jsonl"], "convert": ["--to", "jsonl"]}.get(words[0], [])
    before = sorted(files.rglob("*"))
    process = subprocess.Popen(
        command_line(*words, *wanted),
        cwd=files,
        # Python would store half of its compiled modules.
        env=environment(PYTHONDONTWRITEBYTECODE="1"),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        preexec_fn=_small_files,
    )
    out, err = process.communicate(timeout=60)
    assert (process.returncode, out) == (2, b"")
    assert b" cannot be written: " in err.splitlines()[-1]
    assert place.read_text() == "old"
    assert sorted(files.rglob("*")) == before


def _wait_until_reading(pid):
    """Until it sleeps in a read; where that cannot be seen, long enough."""
    for _ in range(100):
        time.sleep(0.05)
        try:
            with open(f"/proc/{pid}/wchan") as file:  # noqa: PTH123
                if "pipe" in file.read():
                    return
        except OSError:
            time.sleep(2)
            return


def _on_terminal(start, *words):
    """What a command shows on a terminal."""
    import pty

    leader, follower = pty.openpty()
    process = start(*words, stdout=follower, stderr=follower)
    os.close(follower)
    shown = b""
    while True:
        try:
            piece = os.read(leader, 65536)
        except OSError:
            break
        if not piece:
            break
        shown += piece
    os.close(leader)
    assert process.wait(60) == 0
    return shown.decode()


def test_the_best_value_is_bold_on_a_terminal(start, files):
    shown = _on_terminal(
        start, "evaluate", "qrels.txt", "first.fol", "second.fol", "-m", "AP", "--quiet"
    )
    assert "\x1b[1m1.0000 \u2588\u2588\u2588\u2588\u2588\u2588\x1b[0m" in shown
    assert "\x1b[1m0.7500" not in shown


def test_short_work_shows_no_progress(start, files):
    shown = _on_terminal(start, "evaluate", "qrels.txt", "first.fol", "-m", "AP", "--quiet")
    assert "left" not in shown


def test_progress_tells_how_far_and_how_long(files):
    source = Watched.of(Source.at(files / "first.fol"))
    progress = Progress([source.meter, Meter(1000)])
    progress.count("first.fol", 1234)
    assert progress.line(1.0) == "0 of 2 files, 1,234 answers, 1 s"
    source.read()
    size = (files / "first.fol").stat().st_size
    left = 10 * 1000 / size
    assert progress.line(10.0) == f"1 of 2 files, 1,234 answers, 10 s, about {left:.0f} s left"
