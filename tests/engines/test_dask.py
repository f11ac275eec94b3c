"""Dask with worker processes of its own: the same bytes as in this process."""

from __future__ import annotations

import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from threading import Thread

import pytest
from distributed import LocalCluster

from command import environment, run_command
from engines.engine_files import CASES, REFUSED, fol, judged, rows
from spanwise import evaluate
from spanwise.engines import dask_cluster, parts

MEASURES = ("-m", "AgP", "-m", "textR@5", "-m", "xcg", "-q", "-o", "jsonl")


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    """A scheduler with two worker processes."""
    with LocalCluster(  # type: ignore[no-untyped-call]
        n_workers=2, threads_per_worker=1, processes=True, dashboard_address=":0"
    ) as cluster:
        yield cluster.scheduler_address


@pytest.fixture(autouse=True)
def small_parts(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(parts, "BYTES", 2000)
    monkeypatch.setattr(parts, "ROWS", 100)
    judged(tmp_path)


@pytest.mark.parametrize("case", ["several files", "scattered", "skew", "compressed"])
def test_a_scheduler_gives_the_same_bytes(tmp_path: Path, address: str, case: str) -> None:
    words = ["evaluate", "qrels.fol", *CASES[case](tmp_path), *MEASURES]
    one = run_command(words, tmp_path)
    assert one.code == 0
    assert run_command([*words, "--engine", f"dask={address}"], tmp_path) == one


def test_faults_are_refused_in_the_same_words(tmp_path: Path, address: str) -> None:
    words = ["evaluate", "qrels.fol", *REFUSED["faults"](tmp_path)]
    one = run_command(words, tmp_path)
    assert one.code == 2
    assert run_command([*words, "--engine", f"dask={address}"], tmp_path) == one
    lenient = run_command([*words, "--lenient"], tmp_path)
    assert lenient.code == 0
    assert run_command([*words, "--lenient", "--engine", f"dask={address}"], tmp_path) == lenient


def test_a_script_may_start_workers_of_this_machine(tmp_path: Path) -> None:
    runs = CASES["many runs"](tmp_path)
    (tmp_path / "script.py").write_text(
        "import spanwise\n"
        f"print(spanwise.evaluate('qrels.fol', {runs}, 'AgP', engine='dask', jobs=1))\n"
    )
    done = subprocess.run(
        [sys.executable, "script.py"],
        cwd=tmp_path,
        env=environment(),
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == f"{evaluate(tmp_path / 'qrels.fol', tmp_path / runs[0], 'AgP')}\n"


def answered(listening: socket.socket) -> None:
    """Say what is no message of Dask, as a server of web pages does."""
    with listening.accept()[0] as caller:
        caller.sendall(b"HTTP/1.1 400 Bad Request\r\n" * 9)
        caller.recv(1000)


def test_no_scheduler_and_no_workers_are_said_clearly(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(dask_cluster, "PATIENCE", 1)
    (tmp_path / "a.fol").write_text(fol(rows()))
    words = ["evaluate", "qrels.fol", "a.fol", "--engine"]
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        nobody = f"tcp://127.0.0.1:{taken.getsockname()[1]}"
        found = run_command([*words, f"dask={nobody}"], tmp_path)
    assert (found.code, found.out) == (2, "")
    assert f"no Dask scheduler answers at {nobody}" in found.err
    with LocalCluster(n_workers=0, dashboard_address=":0") as empty:  # type: ignore[no-untyped-call]
        address = empty.scheduler_address
        found = run_command([*words, f"dask={address}"], tmp_path)
    assert (found.code, found.out) == (2, "")
    assert f"the Dask scheduler at {address} has no workers" in found.err
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        Thread(target=answered, args=(other,), daemon=True).start()
        somebody = f"tcp://127.0.0.1:{other.getsockname()[1]}"
        found = run_command([*words, f"dask={somebody}"], tmp_path)
    assert (found.code, found.out) == (2, "")
    assert f"no Dask scheduler answers at {somebody}" in found.err
    found = run_command([*words, "dask=nonsense://x"], tmp_path)
    assert (found.code, found.out) == (2, "")
