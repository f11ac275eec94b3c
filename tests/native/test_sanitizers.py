"""The native core reads bad input without touching memory that is not its own.

It is compiled with the address and undefined-behaviour sanitizers, which end the process at the
first bad access, and the tests that feed it most of its input run on top of it.
"""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

import pytest

from native.building import INCLUDE, LIMITED, PROJECT, compiler, completed, leave_out, python

pytestmark = pytest.mark.heavy

SANITIZED = (
    *("-std=c11", "-O1", "-g", "-fPIC", "-shared", "-fno-omit-frame-pointer"),
    *("-fsanitize=address,undefined", "-fno-sanitize-recover=all"),
)
TESTS = (
    "tests/native",
    "tests/fuzz/test_corpus.py",
    "tests/cli/test_bad_input.py",
    "tests/cli/test_odd_input.py",
    "tests/formats",
)
BUILDS = ("tests/native/test_build.py", "tests/native/test_sanitizers.py")
"""They build on their own."""
WHERE = "from spanwise.native import _core; print(_core.__file__)"


@pytest.fixture(scope="module")
def package(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the package, for an extension of its own."""
    folder = tmp_path_factory.mktemp("sanitized")
    shutil.copytree(
        PROJECT / "src" / "spanwise",
        folder / "spanwise",
        ignore=shutil.ignore_patterns("__pycache__", "*.so"),
    )
    return folder


def runtime(name: str, request: pytest.FixtureRequest) -> str:
    """A library of the compiler; gcc gives the bare name back if it has none."""
    found = completed("gcc", f"-print-file-name={name}").stdout.strip()
    if not Path(found).is_absolute():
        leave_out(request, f"gcc has no {name}")
    return found


def test_bad_input_touches_no_memory_of_others(
    package: Path, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    native = package / "spanwise" / "native"
    extension = native / "_core.abi3.so"
    gcc = compiler("gcc", request)
    # The C++ runtime comes along because packages that raise C++ exceptions are imported later.
    preloaded = " ".join(runtime(name, request) for name in ("libasan.so", "libstdc++.so.6"))
    command = (gcc, *SANITIZED, LIMITED, "-I", INCLUDE, native / "core.c", "-o", extension)
    result = completed(*command)
    assert result.returncode == 0, result.stderr
    # Findings go to a file, as pytest captures standard error. Mismatched deallocation is a fault
    # of pytrec_eval, whose C++ code some of the tests call.
    findings = tmp_path / "finding"
    options = ("detect_leaks=0", "alloc_dealloc_mismatch=0", f"log_path={findings}")
    checked = {
        "LD_PRELOAD": preloaded,
        "ASAN_OPTIONS": ":".join(options),
        "UBSAN_OPTIONS": f"print_stacktrace=1:log_path={findings}",
        "SPANWISE_NATIVE": "1",
    }
    assert python(WHERE, package, **checked).stdout == f"{extension}\n"
    refused = python(WHERE, package, SPANWISE_NATIVE="1")
    assert "ASan runtime does not come first" in refused.stderr, "it has no sanitizer in it"
    pytest_command = (sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider")
    left = [f"--ignore={test}" for test in BUILDS]
    result = completed(
        *pytest_command, *left, *TESTS, folder=PROJECT, PYTHONPATH=str(package), **checked
    )
    found = "".join(path.read_text() for path in sorted(tmp_path.glob("finding*")))
    assert result.returncode == 0, result.stdout[-5000:] + result.stderr[-5000:] + found[:5000]
    assert not found
