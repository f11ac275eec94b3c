"""The folder of an index: which version of it counts, and who may write.

Every build makes a folder of its own beside those that are there, and a small file, which is
replaced at once, says which of them counts. A build that is interrupted changes nothing, and the
next one removes what it left.
"""

from __future__ import annotations

import json
import os
import re
import shutil
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from spanwise.errors import Fault, InputError, OutputError, legible, option
from spanwise.formats.destination import WholeFile, refusals
from spanwise.formats.journal import journal
from spanwise.records import Struct
from spanwise.version import __version__

try:
    import fcntl
except ImportError:  # Elsewhere the lock file itself is the lock.
    fcntl = None  # type: ignore[assignment]

FORMAT = 2
"""Raised when anything in the folder or in the analysis of texts changes."""
MANIFEST = "spanwise-index.json"
_LOCK = ".lock"
_BUILD = re.compile(r"build-[0-9a-f]{16}")
REBUILD = "build it again with spanwise index SOURCE --to"


class Manifest(Struct, frozen=True):
    """What is known about an index before anything of it is opened."""

    build: str
    language: str | None
    documents: int
    characters: int
    tokens: int
    sentences: int
    blocks: int
    terms: int
    format: int = FORMAT
    spanwise: str = __version__


class IndexFolder:
    """The folder of an index, there already or not."""

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self.name = legible(os.fspath(path))
        self.path = Path(path)

    # -- reading

    def manifest(self) -> Manifest:
        """What the index says about itself; refused if this version cannot read it."""
        file = self.path / MANIFEST
        if not file.is_file():
            found = "no index in this folder" if self.path.is_dir() else "index not found"
            remedy = f"check the path, or {REBUILD} {self.name}"
            expected = "an index" if self.path.exists() else ""
            raise InputError(Fault(self.name, None, found, expected, remedy))
        try:
            values = json.loads(file.read_bytes())
            if values.get("format") != FORMAT:
                raise self._of_another_format(values)
            return _manifest_of(values)
        except (ValueError, TypeError, AttributeError, KeyError) as problem:
            raise self.damaged(f"{MANIFEST} cannot be read: {problem}") from None

    def _of_another_format(self, values: dict[str, Any]) -> InputError:
        found = f"an index of format {values.get('format')!r}"
        if isinstance(values.get("spanwise"), str):
            found += f", made by spanwise {values['spanwise']}"
        remedy = f"{REBUILD} {self.name}"
        return InputError(Fault(self.name, None, found, f"format {FORMAT}", remedy))

    def damaged(self, problem: str) -> InputError:
        """What to say about an index that is not as it was written."""
        found = f"a damaged index ({problem})"
        remedy = f"{REBUILD} {self.name} and {option('force', True)}"
        return InputError(Fault(self.name, None, found, "a complete one", remedy))

    def build(self, manifest: Manifest) -> Path:
        """The folder of the build that counts."""
        return self.path / manifest.build

    # -- writing

    @contextmanager
    def written(self) -> Iterator[None]:
        """The right to write, which one process has at a time; the folder is made if need be."""
        self._require_ours()
        with refusals(self.name):
            is_new = not self.path.exists()
            self.path.mkdir(exist_ok=True)
            with self._locked():
                self._remove_leftovers()
                try:
                    yield
                finally:
                    if is_new and not (self.path / MANIFEST).exists():
                        shutil.rmtree(self.path, ignore_errors=True)

    def _require_ours(self) -> None:
        if not self.name or not self.path.parent.is_dir():
            raise OutputError(f"{self.name!r}: folder not found: {self.path.parent}; create it")
        if not self.path.exists():
            return
        if not self.path.is_dir():
            raise OutputError(f"{self.name} is a file; name a folder for the index")
        names = [entry.name for entry in self.path.iterdir()]
        ours = all(name in (MANIFEST, _LOCK) or _BUILD.fullmatch(name) for name in names)
        if not (ours or MANIFEST in names):
            raise OutputError(
                f"{self.name} exists but is not an index; name a folder that is new or empty"
            )

    @contextmanager
    def _locked(self) -> Iterator[None]:
        """A lock that ends with the process, however that ends."""
        flags = os.O_RDWR | os.O_CREAT | (os.O_EXCL if fcntl is None else 0)
        try:
            descriptor = os.open(self.path / _LOCK, flags, 0o666)
        except FileExistsError:
            raise self._busy() from None
        try:
            self._lock(descriptor)
            yield
        finally:
            os.close(descriptor)
            if fcntl is None:
                (self.path / _LOCK).unlink()

    def _lock(self, descriptor: int) -> None:
        if fcntl is None:
            return
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise self._busy() from None

    def _busy(self) -> OutputError:
        return OutputError(
            f"{self.name} is being written by another process; try again when it has finished"
        )

    def _remove_leftovers(self) -> None:
        """Builds that do not count: those of interrupted processes, and replaced ones."""
        kept = ""
        with suppress(OSError, ValueError, AttributeError):
            kept = json.loads((self.path / MANIFEST).read_bytes()).get("build", "")
        for entry in list(self.path.iterdir()):
            if _BUILD.fullmatch(entry.name) and entry.name != kept:
                shutil.rmtree(entry, ignore_errors=True)

    @contextmanager
    def new_build(self) -> Iterator[Path]:
        """A folder to fill; removed if it is not made the one that counts."""
        place = self.path / f"build-{os.urandom(8).hex()}"
        journal.unfinished.add(str(place))
        try:
            place.mkdir()
            yield place
        finally:
            journal.unfinished.discard(str(place))
            self._remove_leftovers()

    def publish(self, manifest: Manifest) -> None:
        """Make a complete build the one that counts."""
        values = {name: getattr(manifest, name) for name in manifest.__struct_fields__}
        content = json.dumps(values, indent=1, sort_keys=True).encode() + b"\n"
        WholeFile.checked(self.path / MANIFEST).write(content)


def _manifest_of(values: dict[str, Any]) -> Manifest:
    counts = ("documents", "characters", "tokens", "sentences", "blocks", "terms")
    if not (
        all(isinstance(values[name], int) and values[name] >= 0 for name in counts)
        and isinstance(values["language"], (str, type(None)))
        and isinstance(values["build"], str)
        and _BUILD.fullmatch(values["build"])
    ):
        raise ValueError("wrong values")
    return Manifest(**{name: values[name] for name in Manifest.__struct_fields__})
