"""Texts of documents on a terminal: they fit its width in any script."""

from __future__ import annotations

import pytest

from spanwise.reporting.output import Lines, Output
from spanwise.reporting.render.cells import Look, display_width
from spanwise.reporting.render.running_text import legible, wrapped
from spanwise.reporting.render.terminal import terminal_text

FAMILY = "\U0001f468\u200d\U0001f469\u200d\U0001f467"


@pytest.mark.parametrize(
    "text",
    [
        "  1. d7: The bell was cast in 1752, and it cracked twice before anybody rang it. " * 3,
        "  1. d7: 鐘は一七五二年に鋳造され、二度ひび割れた。誰も鳴らさない。" * 4,
        "  1. d7: ثم دق الجرس مرتين في اليوم قبل أن يتشقق " * 4,
        f"  1. d7: {FAMILY * 40}",
        "  1. d7: e\u0301te\u0301 et e\u0301coles " * 10,
    ],
)
@pytest.mark.parametrize("width", [40, 78, 118])
def test_lines_fit_and_hang(text, width):
    lines = list(wrapped(text, width, 5))
    assert len(lines) > 1
    assert lines[0].startswith("  1. d7:")
    assert all(display_width(line) <= width for line in lines)
    assert all(line.startswith("     ") and line[5] != " " for line in lines[1:])
    assert "".join("".join(lines).split()) == "".join(text.split())


def test_words_stay_whole_even_where_they_are_too_long():
    assert list(wrapped("a " + "b" * 30 + " c", 10, 2)) == ["a", "  " + "b" * 30, "  c"]


def test_what_could_be_obeyed_is_escaped():
    assert legible(f"{FAMILY}\u202e\x07") == f"{FAMILY}\\u202e\\x07"


def test_only_a_terminal_has_a_width():
    output = Output("explain", parts=(Lines(("word " * 40,), hanging=2),))
    assert terminal_text(output, Look(width=40)).count("\n") == 1
    on_terminal = terminal_text(output, Look(width=40, terminal=True)).splitlines()
    assert len(on_terminal) > 4
    assert max(map(len, on_terminal)) <= 38
