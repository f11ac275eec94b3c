"""Worker processes of Dask that are killed at work: the same bytes in the end, or none at all."""

from __future__ import annotations

import signal
from pathlib import Path

import pytest

from engines.kills import finished, killed_while_reading, made, started

pytestmark = pytest.mark.heavy


@pytest.mark.parametrize("trial", range(5))
def test_the_work_of_a_killed_worker_is_done_again(tmp_path: Path, trial: int) -> None:
    words = made(tmp_path)
    one = finished(started(words, tmp_path, None))
    assert one.code == 0, one.err
    found = killed_while_reading([*words, "--engine", "dask", "--jobs", "2"], tmp_path, trial)
    assert found.code in (0, 70)
    assert found.out == ("" if found.code else one.out)
    if not found.code:
        assert found.err == one.err


def test_workers_that_always_die_end_it_with_70_and_no_output(tmp_path: Path) -> None:
    words = made(tmp_path)
    package = tmp_path / "package" / "slow.py"
    own = package.read_text().replace("time.sleep(0.5)", f"os.kill(os.getpid(), {signal.SIGKILL})")
    package.write_text(own)
    readers = tmp_path / "readers"
    readers.mkdir()
    words += ["--engine", "dask", "--jobs", "2", "--to", "scores.parquet"]
    found = finished(started(words, tmp_path, readers))
    assert (found.code, found.out) == (70, "")
    assert found.err.startswith("spanwise: Dask lost its workers again and again")
    assert found.err.count("\n") == 1
    assert not (tmp_path / "scores.parquet").exists()
