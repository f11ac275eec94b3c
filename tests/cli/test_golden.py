"""Transcripts: commands and what they print, kept as plain text and compared to the letter.

A line ``$ spanwise ...`` is run in the folder of the transcript; what follows up to the next one is
what it prints, notes first. ``[exit 2]`` ends the output of a command that fails.
"""

from __future__ import annotations

import shlex
from pathlib import Path

import pytest

FOLDER = Path(__file__).parents[1] / "golden" / "small"
TRANSCRIPTS = sorted(FOLDER.glob("*.txt"))
PROMPT = "$ spanwise "


def test_there_are_some():
    assert TRANSCRIPTS


@pytest.mark.parametrize("file", TRANSCRIPTS, ids=lambda file: file.stem)
def test_transcript(spanwise, file):
    expected = file.read_text(encoding="utf-8")
    commands = [line for line in expected.splitlines() if line.startswith(PROMPT)]
    assert commands
    assert "".join(_played(spanwise, command) for command in commands) == expected


def _played(spanwise, command):
    done = spanwise(*shlex.split(command.removeprefix(PROMPT)), folder=FOLDER)
    end = f"[exit {done.code}]\n" if done.code else ""
    return f"{command}\n{done.err}{done.out}{end}\n"
