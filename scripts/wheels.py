"""Build the source archive and both wheels into dist/, and try them: ``wheels.py [FOLDER]``.

One wheel has the C extension and is for this platform and Python 3.11 or later; the other is pure
Python and is for every platform. Both are built from the source archive, so that nothing of an
earlier build gets into them, and both are installed into fresh virtual environments.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tarfile
import tempfile
import zipfile
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

PROJECT = Path(__file__).parents[1]
PACKAGE = PROJECT / "src" / "spanwise"
EXTENSION = "spanwise/native/_core.abi3.so"
LARGEST = 150_000
"""Bytes of the extension."""
DATA = ("py.typed", "*.pyi", "demo/**/*", "**/static/*", "**/templates/*")
"""What the package holds besides Python."""
NOT_INSTALLED = "SPANWISE_NATIVE=1 asks for the native core, which is not installed"


@dataclass(frozen=True)
class Kind:
    """A kind of wheel: how it is asked for, and what it must be."""

    build: str
    tag: str
    extension: bool


KINDS = (Kind("native", "cp311-abi3-", True), Kind("pure", "py3-none-any", False))


def main() -> None:
    """Build, look inside, install."""
    folder = Path(sys.argv[1] if len(sys.argv) > 1 else PROJECT / "dist")
    source = source_archive(folder)
    check_source(source)
    for kind in KINDS:
        wheel = wheel_of(kind, source, folder)
        check_wheel(kind, wheel)
        with tempfile.TemporaryDirectory() as place:
            try_wheel(kind, wheel, Path(place))
        sys.stdout.write(f"{wheel.name}: {wheel.stat().st_size:,} bytes, installed and tried\n")


def done(
    *words: str | Path, folder: Path | None = None, **changes: str
) -> subprocess.CompletedProcess[str]:
    """Run a command in a folder, with changes to the environment."""
    environment = {**os.environ, **changes}
    return subprocess.run(
        words, cwd=folder, env=environment, capture_output=True, text=True, check=False
    )


def required(*words: str | Path, folder: Path | None = None, **changes: str) -> str:
    """Run a command that must work, and return what it printed."""
    result = done(*words, folder=folder, **changes)
    if result.returncode:
        sys.exit(f"{' '.join(map(str, words))} failed:\n{result.stdout}{result.stderr}")
    return result.stdout


def require(holds: bool, otherwise: str) -> None:
    """Stop unless something holds."""
    if not holds:
        sys.exit(otherwise)


# -- building


def source_archive(folder: Path) -> Path:
    """The archive of the sources, built where nothing else lies."""
    with tempfile.TemporaryDirectory() as place:
        clean = Path(place) / "spanwise"
        copy_sources(clean)
        make = "import sys; from setuptools import build_meta; build_meta.build_sdist(sys.argv[1])"
        required(sys.executable, "-c", make, place, folder=clean)
        [archive] = Path(place).glob("*.tar.gz")
        folder.mkdir(exist_ok=True)
        return Path(shutil.copy(archive, folder))


def copy_sources(clean: Path) -> None:
    """What a build needs, without what earlier builds left behind."""
    left = shutil.ignore_patterns("__pycache__", "*.egg-info", "*.so", "*.pyd")
    shutil.copytree(PROJECT / "src", clean / "src", ignore=left)
    for path in PROJECT.iterdir():
        if path.is_file() and not path.name.startswith("."):
            shutil.copy(path, clean)


def wheel_of(kind: Kind, source: Path, folder: Path) -> Path:
    """The wheel of a kind, built from the source archive."""
    with tempfile.TemporaryDirectory() as place:
        pip = (sys.executable, "-m", "pip", "wheel", "--quiet", "--disable-pip-version-check")
        options = ("--no-deps", "--no-build-isolation", "--no-cache-dir")
        required(*pip, *options, "--wheel-dir", place, source, SPANWISE_BUILD=kind.build)
        [wheel] = Path(place).glob("*.whl")
        return Path(shutil.copy(wheel, folder))


# -- looking inside


def check_source(archive: Path) -> None:
    """The archive has everything: Python, data, C."""
    with tarfile.open(archive) as opened:
        names = {name.partition("/")[2] for name in opened.getnames()}
    wanted = [f"src/spanwise/{name}" for name in package_files("**/*.py", "**/*.[ch]", *DATA)]
    check_names(archive, names, [*wanted, "setup.py", "pyproject.toml", "LICENSE"])


def check_wheel(kind: Kind, wheel: Path) -> None:
    """The wheel has its tag, all data, and the extension or not."""
    require(kind.tag in wheel.name, f"{wheel.name}: expected the tag {kind.tag}")
    with zipfile.ZipFile(wheel) as opened:
        sizes = {info.filename: info.file_size for info in opened.infolist()}
    check_names(wheel, sizes, [f"spanwise/{name}" for name in package_files("**/*.py", *DATA)])
    native = [name for name in sizes if name.endswith((".so", ".pyd", ".c", ".h"))]
    expected = [EXTENSION] if kind.extension else []
    require(native == expected, f"{wheel.name}: found {native}, expected {expected}")
    for name in native:
        size = sizes[name]
        require(size < LARGEST, f"{name}: {size:,} bytes, expected fewer than {LARGEST:,}")


def package_files(*patterns: str) -> list[str]:
    """Files of the package, relative to it."""
    found = {path for pattern in patterns for path in PACKAGE.glob(pattern) if path.is_file()}
    names = (path.relative_to(PACKAGE).as_posix() for path in found)
    return sorted(name for name in names if "__pycache__" not in name)


def check_names(archive: Path, names: Iterable[str], wanted: Iterable[str]) -> None:
    """Nothing is missing."""
    missing = sorted(set(wanted) - set(names))
    require(not missing, f"{archive.name} lacks {', '.join(missing)}")


# -- trying


def try_wheel(kind: Kind, wheel: Path, place: Path) -> None:
    """Install a wheel into a fresh virtual environment and see which path runs."""
    required(sys.executable, "-m", "venv", place)
    python = place / "bin" / "python"
    required(python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", wheel)
    ask = (python, "-c", "from spanwise.native import core; print(core is not None)")
    forced = done(*ask, SPANWISE_NATIVE="1", PYTHONPATH="")
    if kind.extension:
        require(forced.stdout == "True\n", f"{wheel.name}: no extension:\n{forced.stderr}")
    else:
        refused = forced.returncode != 0 and NOT_INSTALLED in forced.stderr
        require(refused, f"{wheel.name}: expected to be refused with: {NOT_INSTALLED}")
    chosen = required(*ask, SPANWISE_NATIVE="", PYTHONPATH="")
    require(chosen == f"{kind.extension}\n", f"{wheel.name}: the other path runs")
    required(place / "bin" / "spanwise", "demo", SPANWISE_NATIVE="", PYTHONPATH="")


if __name__ == "__main__":
    main()
