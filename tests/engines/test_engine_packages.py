"""What is said where a package or Java is missing."""

from __future__ import annotations

from pathlib import Path

import pytest

from command import run_command
from engines.engine_files import fol, judged, rows
from spanwise import SpanwiseError
from spanwise.engines import spark_cluster
from spanwise.engines.java import require_java


@pytest.mark.parametrize(
    ("engine", "package"),
    [("dask", "distributed"), ("dask=tcp://x:1", "pyarrow"), ("spark", "pyspark")],
)
def test_missing_packages_are_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, engine: str, package: str
) -> None:
    judged(tmp_path)
    (tmp_path / "a.fol").write_text(fol(rows()))
    monkeypatch.setattr("spanwise.extras.is_installed", lambda name: name != package)
    found = run_command(["evaluate", "qrels.fol", "a.fol", "--engine", engine], tmp_path)
    name = engine.partition("=")[0]
    expected = f"the engine {name} needs {package}; install it with: pip install 'spanwise[{name}]'"
    assert (found.code, found.out, found.err) == (2, "", f"spanwise: {expected}\n")


def java(folder: Path, says: str) -> Path:
    """A home of Java that says its version."""
    (folder / "bin").mkdir(parents=True)
    program = folder / "bin" / "java"
    program.write_text(f"#!/bin/sh\n{says}\n")
    program.chmod(0o755)
    return folder


def test_java_is_found_by_its_home_or_on_the_path(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    new = java(tmp_path / "new", "echo 'openjdk version \"21.0.1\"' >&2")
    old = java(tmp_path / "old", "echo 'java version \"1.8.0_361\"' >&2")
    broken = java(tmp_path / "broken", "exit 3")
    monkeypatch.setenv("JAVA_HOME", str(new))
    require_java()
    for home, message in (
        (old, r"Spark needs Java 17 or later, .*old/bin/java is 8: install Java 17 or later"),
        (broken, r"broken/bin/java does not run \(.*broken is JAVA_HOME\): install Java 17"),
        (tmp_path / "nothing", r"nothing/bin/java does not run"),
    ):
        monkeypatch.setenv("JAVA_HOME", str(home))
        with pytest.raises(SpanwiseError, match=message):
            require_java()
    monkeypatch.delenv("JAVA_HOME")
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(SpanwiseError, match="Spark needs Java and there is none on the PATH"):
        require_java()
    monkeypatch.setenv("PATH", f"{new / 'bin'}:/bin")
    require_java()


@pytest.mark.parametrize(
    "said",
    [
        "Traceback:\n  File worker.py\nModuleNotFoundError: No module named 'pyarrow'\n\tat org.x",
        "PySparkImportError: [PACKAGE_NOT_INSTALLED] pyarrow >= 15.0.0 must be installed; however",
    ],
)
def test_a_package_that_workers_lack_is_named(said: str) -> None:
    told = str(spark_cluster._failed(f"An exception was thrown from the Python worker.\n{said}"))
    assert told == "the workers' Python lacks pyarrow; set PYSPARK_PYTHON to one that has it"
