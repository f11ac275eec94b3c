"""Errors: what they show of hostile values, and that they survive a way between processes."""

from __future__ import annotations

import pickle
import sys
import unicodedata

import pytest

import spanwise.formats.column_runs  # noqa: F401  (it has an error of its own)
from spanwise.errors import Fault, FaultyInput, InputError, SpanwiseError, clean, shown

FAULTS = (
    Fault("a\u202e.txt", 3, "x" * 5000, "two\nlines", "fix it", "columns"),
    Fault("b.txt", None, "6 columns", "8 columns", "fix it"),
)


def every_error() -> list[type[SpanwiseError]]:
    found, waiting = list[type[SpanwiseError]](), [SpanwiseError]
    while waiting:
        found.append(waiting.pop())
        waiting += found[-1].__subclasses__()
    return found


def made(kind: type[SpanwiseError]) -> SpanwiseError:
    if issubclass(kind, FaultyInput):
        return kind(FAULTS)
    return kind(FAULTS[0]) if issubclass(kind, InputError) else kind(f"d\x1b[2J{'d' * 9000} is new")


@pytest.mark.parametrize("kind", every_error(), ids=lambda kind: kind.__name__)
def test_every_error_is_pickled_whole(kind):
    error = made(kind)
    back = pickle.loads(pickle.dumps(error))
    assert type(back) is kind
    assert str(back) == str(error)
    assert getattr(back, "faults", None) == getattr(error, "faults", None)


@pytest.mark.parametrize("kind", every_error(), ids=lambda kind: kind.__name__)
def test_no_error_shows_what_a_terminal_would_obey(kind):
    assert str(made(kind)).isprintable()
    assert len(str(made(kind))) < 500


def test_nothing_invisible_is_left():
    every = (chr(code) for code in range(sys.maxunicode + 1))
    kinds = ("Cc", "Cf", "Cs", "Zl", "Zp")
    hidden = [sign for sign in every if unicodedata.category(sign) in kinds]
    assert len(hidden) > 200
    assert clean("".join(hidden)).isascii()
    assert clean("\x1b\u202e\u200b") == "\\x1b\\u202e\\u200b"
    assert clean("実験 ä e\u0301") == "実験 ä e\u0301"


def test_the_place_stays_whole_and_long_words_are_cut():
    long = "folder/" * 100
    message = str(Fault(f"{long}run.txt", 17, f"document {'d' * 10_000} again", "once", "fix it"))
    assert message.startswith(f"{long}run.txt:17: found document dddd")
    assert message.endswith("ddd... again, expected once; fix it")


@pytest.mark.parametrize(
    "value",
    ["x" * 10**6, 10**5000, [[[[[[[[[1]]]]]]]]] * 99, dict.fromkeys(range(10**5), "x")],
    ids=["text", "number", "list", "dictionary"],
)
def test_values_are_shown_on_part_of_a_line(value):
    assert 0 < len(shown(value)) <= 60


def test_values_nested_without_end_are_shown():
    deep: object = 1
    for _ in range(100_000):
        deep = [deep]
    assert len(shown(deep)) <= 60


def test_ordinary_values_are_shown_as_python_writes_them():
    for value in ("d7", 12, -0.5, None, True, ["a", 1], {"b": 2, "a": [1]}, ()):
        assert shown(value) == repr(value)
