"""Processes of Spark that are killed at work: the same bytes in the end, or none at all.

Locally Spark has Python workers of its own; with ``local-cluster`` it also has executors in
processes of their own, as on a cluster.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from command import Finished
from engines.kills import command_of, finished, killed_while_reading, made, parent, started

pytestmark = pytest.mark.heavy


def require_same(found: Finished, one: Finished) -> None:
    assert found.code in (0, 70), found.err
    assert found.out == ("" if found.code else one.out)
    if found.code:
        assert found.err.startswith("spanwise: Spark failed, and nothing was written: ")
        assert found.err.count("\n") == 1
    else:
        assert found.err == one.err


def executor_of(pid: int) -> int:
    """The Java process that a Python worker works for."""
    while "java" not in command_of(pid):
        pid = parent(pid)
    return pid


@pytest.mark.parametrize("trial", range(5))
def test_the_work_of_a_killed_python_worker_is_done_again(tmp_path: Path, trial: int) -> None:
    words = made(tmp_path)
    one = finished(started(words, tmp_path, None))
    assert one.code == 0, one.err
    found = killed_while_reading([*words, "--engine", "spark", "--jobs", "2"], tmp_path, trial)
    require_same(found, one)


@pytest.mark.parametrize("trial", range(3))
def test_the_work_of_a_killed_executor_is_done_again(tmp_path: Path, trial: int) -> None:
    words = made(tmp_path)
    one = finished(started(words, tmp_path, None))
    words += ["--engine", "spark=local-cluster[2,1,1024]"]
    require_same(killed_while_reading(words, tmp_path, trial, executor_of), one)


def test_without_its_driver_it_ends_with_70_and_no_output(tmp_path: Path) -> None:
    words = [*made(tmp_path), "--engine", "spark", "--to", "scores.parquet"]
    found = killed_while_reading(words, tmp_path, 2, executor_of)
    assert (found.code, found.out) == (70, "")
    assert found.err.startswith("spanwise: Spark failed, and nothing was written: ")
    assert not (tmp_path / "scores.parquet").exists()
