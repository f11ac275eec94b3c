"""What no test foresees: one sentence and exit code 70, so that a gate that broke did not fail."""

from __future__ import annotations

import polars
import pytest

from spanwise.cli.main import main
from spanwise.inputs.session import Session

GATE = ("gate", "qrels.txt", "first.fol", "--require", "AgP > 0.99", "--quiet")


@pytest.fixture
def command(files, monkeypatch, capfd):
    """Run a command in this process, in the folder of the files."""
    monkeypatch.chdir(files)

    def run(*words):
        with pytest.raises(SystemExit) as end:
            main(list(words))
        out, err = capfd.readouterr()
        return end.value.code, out, err

    return run


def break_with(monkeypatch, problem: BaseException) -> None:
    def broken(self, run, faults, chunks):
        raise problem

    monkeypatch.setattr(Session, "placed", broken)


PROBLEMS = [
    RecursionError("maximum recursion depth exceeded"),
    AssertionError(),
    KeyError("topic"),
    EOFError("no more"),
    StopIteration(),
    UnicodeEncodeError("utf-8", "\udcff", 0, 1, "surrogates not allowed"),
    polars.exceptions.PanicException("called `Option::unwrap()`\non a `None` value"),
    BaseException("of no kind"),
]


@pytest.mark.parametrize("problem", PROBLEMS, ids=lambda problem: type(problem).__name__)
def test_something_unforeseen_is_one_sentence(command, monkeypatch, problem):
    break_with(monkeypatch, problem)
    code, out, err = command(*GATE)
    assert (code, out) == (70, "")
    [line] = err.splitlines()
    # Python itself turns a StopIteration that leaves a generator into a RuntimeError.
    kind = "RuntimeError" if isinstance(problem, StopIteration) else type(problem).__name__
    assert line.startswith(f"spanwise: unexpected {kind}")
    assert "while reading first.fol in: spanwise gate qrels.txt first.fol --require" in line
    assert "please report this line in the project's issue tracker" in line
    assert "Traceback" not in err


def test_a_gate_that_fails_did_not_break(command):
    assert command(*GATE)[0] == 1


def test_a_traceback_for_those_who_ask(command, monkeypatch):
    break_with(monkeypatch, KeyError("topic"))
    monkeypatch.setenv("SPANWISE_TRACEBACK", "1")
    code, out, err = command(*GATE)
    assert (code, out) == (70, "")
    assert err.startswith("Traceback (most recent call last):")
    assert err.splitlines()[-1].startswith("spanwise: unexpected KeyError")


def test_too_little_memory_is_no_fault_of_ours(command, monkeypatch):
    break_with(monkeypatch, MemoryError())
    assert command(*GATE) == (2, "", "spanwise: not enough memory for this input\n")


def test_what_was_said_is_cut_and_harmless(command, monkeypatch):
    break_with(monkeypatch, ValueError("\x1b[2J\nline " + "x" * 10_000))
    code, _, err = command(*GATE)
    assert code == 70
    assert len(err) < 1000
    assert "\x1b" not in err
    assert "unexpected ValueError ([2J line xxx" in err
