"""Transcripts: commands and what they print, kept as plain text and compared to the letter.

A line ``$ spanwise ...`` is run in the folder of the transcript; what follows up to the next one is
what it prints, notes first. ``[exit 2]`` ends the output of a command that fails. With the
environment variable UPDATE_GOLDEN the transcripts are written anew, to be looked at with a diff.
"""

from __future__ import annotations

import os
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
    played = "".join(_played(spanwise, command) for command in commands)
    if "UPDATE_GOLDEN" in os.environ:
        file.write_text(played, encoding="utf-8")
    else:
        assert played == expected


def _played(spanwise, command):
    done = spanwise(*shlex.split(command.removeprefix(PROMPT)), folder=FOLDER)
    end = f"[exit {done.code}]\n" if done.code else ""
    return f"{command}\n{done.err}{done.out}{end}\n"
