"""People see the verdict, the table, then the notes; pipes get results alone."""

from __future__ import annotations

import os
import subprocess

import pytest

from command import environment

QRELS = "q1 Q0 d1 100 1000 0 0:100\nq2 Q0 d2 100 1000 0 0:100\n"
RUN = "q1 Q0 d1 1 2.0 {} 0 50\nq1 Q0 d9 2 1.0 {} 0 50\nq2 Q0 d2 1 1.0 {} 0 {}\n"
COMMANDS = {
    "evaluate": ("evaluate", "qrels.txt", "a.fol", "b.fol", "-m", "textP"),
    "compare": ("compare", "qrels.txt", "a.fol", "b.fol", "-m", "textP"),
    "gate": ("gate", "qrels.txt", "a.fol", "--require", "textP >= 0.1"),
}
FIRST = {"evaluate": "run ", "compare": "a ", "gate": "PASSED"}


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "qrels.txt").write_text(QRELS)
    for name, end in (("a", 50), ("b", 400)):
        (tmp_path / f"{name}.fol").write_text(RUN.format(name, name, name, end))
    return tmp_path


def shown(start, *words, **variables):
    """What a command shows on a terminal of some width, both streams together."""
    import pty

    leader, follower = pty.openpty()
    process = start(*words, stdout=follower, stderr=follower, env=environment(**variables))
    os.close(follower)
    found = b""
    while True:
        try:
            piece = os.read(leader, 65536)
        except OSError:
            break
        if not piece:
            break
        found += piece
    os.close(leader)
    assert process.wait(60) == 0
    return found.decode().replace("\r\n", "\n")


@pytest.fixture
def start(folder):
    from sys import executable

    def started(*words, **keywords):
        return subprocess.Popen([executable, "-m", "spanwise", *words], cwd=folder, **keywords)

    return started


@pytest.mark.parametrize("words", COMMANDS.values(), ids=COMMANDS)
@pytest.mark.parametrize("width", [80, 200])
def test_notes_come_last_on_a_terminal(start, words, width):
    lines = shown(start, *words, COLUMNS=str(width), TERM="xterm").splitlines()
    first = next(n for n, line in enumerate(lines) if line.startswith("note: "))
    assert first > 1
    assert all(line.startswith(("note: ", "      ")) for line in lines[first:])
    assert max(map(len, lines[first:])) <= width


@pytest.mark.parametrize("words", COMMANDS.values(), ids=COMMANDS)
def test_pipes_get_results_alone(folder, start, words):
    process = start(
        *words, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env=environment(TERM="xterm")
    )
    out = process.communicate(timeout=60)[0].decode()
    assert "note:" not in out
    assert "\x1b" not in out
    assert "\u2588" not in out
    together = (
        start(*words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, env=environment())
        .communicate(timeout=60)[0]
        .decode()
    )
    assert together.startswith(out)
    assert together[len(out) :].startswith("note: ")


def test_bars_follow_the_colours(start):
    words = COMMANDS["evaluate"]
    assert "\u2588" in shown(start, *words, TERM="xterm")
    for plain in ({"NO_COLOR": "1", "TERM": "xterm"}, {"TERM": "dumb"}):
        assert "\u2588" not in shown(start, *words, **plain)
