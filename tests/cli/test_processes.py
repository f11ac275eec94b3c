"""What happens around a command: closed pipes, interruptions, terminals."""

from __future__ import annotations

import os
import signal
import subprocess
import time

from spanwise.cli.progress import Meter, Progress, Watched


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


def test_an_interruption_exits_with_130(start, files):
    process = start(
        *("evaluate", "qrels.txt", "-"),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    process.stdin.write(b"t1 Q0 d1 1 2.0 first 0 100\n")
    process.stdin.flush()
    _wait_until_reading(process.pid)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=60)
    assert process.returncode == 130
    assert out == b""
    assert b"Traceback" not in err


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
    assert "\x1b[1m1.0000\x1b[0m" in shown
    assert "\x1b[1m0.7500" not in shown


def test_short_work_shows_no_progress(start, files):
    shown = _on_terminal(start, "evaluate", "qrels.txt", "first.fol", "-m", "AP", "--quiet")
    assert "left" not in shown


def test_progress_tells_how_far_and_how_long(files):
    source = Watched.at(files / "first.fol")
    progress = Progress([source.meter, Meter(1000)])
    progress.count("first.fol", 1234)
    assert progress.line(1.0) == "0 of 2 files, 1,234 answers, 1 s"
    source.read()
    size = (files / "first.fol").stat().st_size
    left = 10 * 1000 / size
    assert progress.line(10.0) == f"1 of 2 files, 1,234 answers, 10 s, about {left:.0f} s left"
