"""The package is built with a compiler, without one, and with one that fails."""

from __future__ import annotations

import os
import subprocess
import sys
import zipfile
from importlib.metadata import version
from pathlib import Path
from shutil import which

import pytest

from native.building import (
    INCLUDE,
    LIMITED,
    PROJECT,
    compiler,
    completed,
    copy_sources,
    leave_out,
    python,
)
from spanwise.native import core

EXTENSION = "spanwise/native/_core.abi3.so"
STRICT = ("-std=c11", "-O2", "-Wall", "-Wextra", "-Werror", "-Wno-unused-function")
WHICH = "from spanwise.native import core; print(core)"
SCORE = """
import spanwise
print(spanwise.evaluate({"q": {"d": [(0, 10)]}}, {"q": [("d", 5, 15, 1.0)]}, "textP").mean("textP"))
"""


@pytest.fixture
def modern_setuptools(request: pytest.FixtureRequest) -> None:
    if int(version("setuptools").split(".")[0]) < 77:
        leave_out(request, "builds need setuptools 77 or later")


def built(folder: Path, **changes: str) -> subprocess.CompletedProcess[str]:
    """Build a wheel into a folder, with nothing from the network."""
    pip = (sys.executable, "-m", "pip", "wheel", "--quiet", "--disable-pip-version-check")
    options = ("--no-deps", "--no-build-isolation", "--no-cache-dir", "--no-index")
    clean = copy_sources(folder / "sources")
    return completed(*pip, *options, "--wheel-dir", folder, clean, **changes)


def unpacked(folder: Path) -> tuple[str, Path]:
    """The name of the wheel in a folder, and the package that was in it."""
    [wheel] = folder.glob("*.whl")
    with zipfile.ZipFile(wheel) as opened:
        opened.extractall(folder / "package")
    return wheel.name, folder / "package"


@pytest.mark.usefixtures("modern_setuptools")
class TestWheels:
    def test_a_compiler_that_fails_does_no_harm(self, tmp_path: Path) -> None:
        result = built(tmp_path, SPANWISE_BUILD="", CC="false")
        assert result.returncode == 0, result.stderr
        _, package = unpacked(tmp_path)
        assert not (package / EXTENSION).exists()
        assert python(WHICH, package, SPANWISE_NATIVE="").stdout == "None\n"
        assert python(SCORE, package, SPANWISE_NATIVE="").stdout == "0.5\n"
        forced = python(WHICH, package, SPANWISE_NATIVE="1")
        assert forced.returncode == 1
        assert "asks for the native core, which is not installed" in forced.stderr

    def test_a_release_needs_its_compiler(self, tmp_path: Path) -> None:
        result = built(tmp_path, SPANWISE_BUILD="native", CC="false")
        assert result.returncode != 0
        assert not list(tmp_path.glob("*.whl"))

    def test_a_pure_wheel_is_for_every_platform(self, tmp_path: Path) -> None:
        result = built(tmp_path, SPANWISE_BUILD="pure", CC="false")
        assert result.returncode == 0, result.stderr
        name, package = unpacked(tmp_path)
        assert name.endswith("-py3-none-any.whl")
        assert not (package / EXTENSION).exists()

    def test_a_native_wheel_is_for_every_later_python(
        self, tmp_path: Path, request: pytest.FixtureRequest
    ) -> None:
        result = built(tmp_path, SPANWISE_BUILD="native", CC=compiler("gcc", request))
        assert result.returncode == 0, result.stderr
        name, package = unpacked(tmp_path)
        assert "-cp311-abi3-" in name
        assert "_core.abi3.so" in python(WHICH, package, SPANWISE_NATIVE="1").stdout
        assert python(SCORE, package, SPANWISE_NATIVE="1").stdout == "0.5\n"

    def test_other_kinds_of_build_are_refused(self, tmp_path: Path) -> None:
        result = built(tmp_path, SPANWISE_BUILD="fast")
        assert result.returncode != 0
        assert "SPANWISE_BUILD must be native or pure, got 'fast'" in result.stderr


def test_gcc_compiles_the_core_without_warnings(request: pytest.FixtureRequest) -> None:
    compile_strictly(compiler("gcc", request))


@pytest.mark.skipif(not which("clang"), reason="there is no clang")
def test_clang_compiles_the_core_without_warnings(request: pytest.FixtureRequest) -> None:
    compile_strictly(compiler("clang", request))


def compile_strictly(name: str) -> None:
    source = PROJECT / "src" / "spanwise" / "native" / "core.c"
    command = (name, *STRICT, LIMITED, "-I", INCLUDE, "-fPIC", "-c", source)
    result = completed(*command, "-o", "/dev/null")
    assert result.returncode == 0, result.stderr


def test_the_native_core_is_there_where_it_can_be() -> None:
    """Otherwise all tests of native code would be left out, and nobody would notice."""
    if os.environ.get("SPANWISE_NATIVE") == "0" or which("cc") is None:
        pytest.skip("no compiler, or NumPy was asked for")
    assert core is not None, "build it: make demo"
