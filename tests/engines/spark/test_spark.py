"""Spark with Python workers of its own: the same bytes as in this process."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from pathlib import Path

import pytest

from command import run_command
from engines.engine_files import CASES, REFUSED, fol, judged, rows
from spanwise.engines import parts, spark_cluster

MEASURES = ("-m", "AgP", "-m", "textR@5", "-m", "xcg", "-q", "-o", "jsonl")

pytestmark = pytest.mark.heavy


@pytest.fixture(scope="module")
def _session(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """A session, which the engine then takes."""
    with spark_cluster.spark_session("local[2,4]", tmp_path_factory.mktemp("spark")):
        yield


@pytest.fixture(autouse=True)
def small_parts(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(parts, "BYTES", 2000)
    monkeypatch.setattr(parts, "ROWS", 100)
    judged(tmp_path)


@pytest.mark.usefixtures("_session")
@pytest.mark.parametrize("case", ["several files", "scattered", "skew", "compressed", "no answers"])
def test_a_session_gives_the_same_bytes(tmp_path: Path, case: str) -> None:
    words = ["evaluate", "qrels.fol", *CASES[case](tmp_path), *MEASURES]
    one = run_command(words, tmp_path)
    assert one.code == 0
    assert run_command([*words, "--engine", "spark"], tmp_path) == one


@pytest.mark.usefixtures("_session")
@pytest.mark.parametrize("case", ["faults", "a document twice", "broken Parquet"])
def test_faults_are_refused_in_the_same_words(tmp_path: Path, case: str) -> None:
    words = ["evaluate", "qrels.fol", *REFUSED[case](tmp_path)]
    one = run_command(words, tmp_path)
    assert one.code == 2
    assert run_command([*words, "--engine", "spark"], tmp_path) == one


@pytest.mark.usefixtures("_session")
def test_leniency(tmp_path: Path) -> None:
    words = ["evaluate", "qrels.fol", *REFUSED["faults"](tmp_path), "--lenient"]
    one = run_command(words, tmp_path)
    assert one.code == 0
    assert run_command([*words, "--engine", "spark"], tmp_path) == one


def test_no_master_is_said_clearly(tmp_path: Path) -> None:
    (tmp_path / "a.fol").write_text(fol(rows()))
    words = ["evaluate", "qrels.fol", "a.fol", "--engine"]
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        nobody = f"spark://127.0.0.1:{taken.getsockname()[1]}"
        found = run_command([*words, f"spark={nobody}"], tmp_path)
    assert (found.code, found.out) == (2, "")
    assert f"no Spark master answers at {nobody}" in found.err
    found = run_command([*words, "spark=nonsense"], tmp_path)
    assert (found.code, found.out) == (2, "")
    assert "found Spark master 'nonsense', expected local[N], spark://HOST:PORT" in found.err


@pytest.mark.parametrize("java", ["none", "old"])
def test_java_is_asked_for_before_spark_starts(tmp_path: Path, java: str) -> None:
    (tmp_path / "a.fol").write_text(fol(rows()))
    home = tmp_path / "java"
    if java == "old":
        (home / "bin").mkdir(parents=True)
        (home / "bin" / "java").write_text("#!/bin/sh\necho 'java version \"1.8.0_361\"' >&2\n")
        (home / "bin" / "java").chmod(0o755)
    words = ["evaluate", "qrels.fol", "a.fol", "--engine", "spark=local[1]"]
    found = run_command(words, tmp_path, variables={"JAVA_HOME": str(home)})
    assert (found.code, found.out) == (2, "")
    assert "Spark needs Java" in found.err
    assert found.err.count("\n") == 1
