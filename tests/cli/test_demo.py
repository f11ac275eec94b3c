"""``spanwise demo``: it works, it fits, and what it suggests works too."""

from __future__ import annotations

import re
import shlex

import pytest


def test_it_shows_a_table_and_says_what_is_seen(spanwise):
    done = spanwise("demo")
    assert (done.code, done.err) == (0, "")
    assert len(done.out.splitlines()) <= 40
    for name in ("sentences", "paragraphs", "sections", "chunks", "documents", "elements"):
        assert re.search(rf"^{name} +0\.", done.out, re.MULTILINE)
    assert "80% of the relevant text" in done.out
    assert "paragraphs is best by AgP (0.44, 95 % interval 0.36 to 0.51)" in " ".join(
        done.out.split()
    )
    assert "paragraphs come first (MAep 0.45)" in done.out


@pytest.mark.parametrize("width", ["60", "80", "120"])
def test_it_fits(spanwise, width):
    before = spanwise("demo", COLUMNS=width).out.partition("Try next")[0]
    assert max(map(len, before.splitlines())) <= int(width)


def test_what_it_suggests_works(spanwise, tmp_path):
    shown = spanwise("demo").out.partition("Try next")[2]
    commands = [line.strip() for line in shown.splitlines() if line.startswith("  spanwise ")]
    assert commands[0] == "spanwise demo --copy spanwise-demo"
    for command in commands:
        words = [file for word in shlex.split(command)[1:] for file in _expanded(word, tmp_path)]
        done = spanwise(*words)
        assert done.code == 0, (command, done.err)
        assert done.out or "--to" in words


def _expanded(word: str, folder) -> list[str]:
    found = sorted(str(path.relative_to(folder)) for path in folder.glob(word) if "*" in word)
    return found or [word]


def test_it_overwrites_nothing(spanwise, tmp_path):
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "file").write_text("precious")
    done = spanwise("demo", "--copy", "mine")
    assert (done.code, done.out) == (2, "")
    assert [path.name for path in (tmp_path / "mine").iterdir()] == ["file"]
