"""What the tests of the build share: clean sources, compilers, commands."""

from __future__ import annotations

import os
import runpy
import shutil
import subprocess
import sys
import sysconfig
from functools import cache
from pathlib import Path

import pytest

PROJECT = Path(__file__).parents[2]
INCLUDE = sysconfig.get_paths()["include"]
LIMITED = "-DPy_LIMITED_API=0x030B0000"


@cache
def has_headers() -> bool:
    return (Path(INCLUDE) / "Python.h").exists()


def copy_sources(clean: Path) -> Path:
    """The project as the wheels are built from it: without what earlier builds left behind."""
    runpy.run_path(str(PROJECT / "scripts" / "wheels.py"))["copy_sources"](clean)
    return clean


def completed(
    *words: str | Path, folder: Path | None = None, **changes: str
) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, **changes}
    return subprocess.run(
        words, cwd=folder, env=environment, capture_output=True, text=True, check=False
    )


def python(code: str, package: Path, **changes: str) -> subprocess.CompletedProcess[str]:
    """Run some code with the package in a folder."""
    return completed(sys.executable, "-c", code, PYTHONPATH=str(package), **changes)


def compiler(name: str, request: pytest.FixtureRequest) -> str:
    """A compiler; without it the test is left out, which the last line of the test run says."""
    if shutil.which(name) is None:
        leave_out(request, f"there is no {name}")
    if not has_headers():
        leave_out(request, "there is no Python.h")
    return name


def leave_out(request: pytest.FixtureRequest, reason: str) -> None:
    request.node.user_properties.append(("left out", reason))
    pytest.skip(reason)
