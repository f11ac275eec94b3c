"""The folder of an index: which version of it counts, and who may write.

Every build makes a folder of its own beside those that are there, and a small file, which is
replaced at once, says which of them counts. A build that is interrupted changes nothing, and the
next one removes what it left.
"""

from __future__ import annotations

import json
import os
import shutil
import zlib
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from spanwise.collection.document_sources import INDEX_BUILD, INDEX_MANIFEST
from spanwise.errors import Fault, InputError, OutputError, SpanwiseError, legible
from spanwise.formats.destination import WholeFile, refusals
from spanwise.formats.journal import journal
from spanwise.records import Struct, asdict
from spanwise.retrieval.checksums import require_unchanged
from spanwise.retrieval.languages import LANGUAGES
from spanwise.version import __version__

try:
    import fcntl
except ImportError:  # Elsewhere the lock file itself is the lock.
    fcntl = None  # type: ignore[assignment]

FORMAT = 4
"""Raised when anything in the folder or in the analysis of texts changes."""
MANIFEST = INDEX_MANIFEST
_LOCK = ".lock"
_BUILD = INDEX_BUILD
_BUILT = "with spanwise index SOURCE --to"


class Manifest(Struct, frozen=True):
    """What is known about an index before anything of it is opened."""

    build: str
    language: str | None
    documents: int
    characters: int
    tokens: int
    text_tokens: int
    """Those in sentences and blocks: not in titles."""
    sentences: int
    blocks: int
    terms: int
    checksums: dict[str, int]
    """Of every file of the build."""
    format: int = FORMAT
    spanwise: str = __version__


class IndexFolder:
    """The folder of an index, there already or not."""

    def __init__(self, path: str | os.PathLike[str]) -> None:
        if not os.fspath(path):
            raise SpanwiseError("found an empty path, expected the folder of an index; name one")
        self.name = legible(os.fspath(path))
        self.path = Path(path)

    # -- reading

    def manifest(self) -> Manifest:
        """What the index says about itself; refused if this version cannot read it."""
        file = self.path / MANIFEST
        if not file.is_file():
            raise self._missing()
        try:
            values = json.loads(file.read_bytes())
            if values.get("format") != FORMAT:
                raise self._of_another_format(values)
            return _manifest_of(values)
        except (ValueError, TypeError, AttributeError, KeyError, RecursionError):
            raise self.damaged(f"{MANIFEST} is not as it was written") from None

    def written_as(self) -> tuple[int, ...]:
        """What changes when another build is published, without reading anything."""
        with suppress(OSError):
            state = (self.path / MANIFEST).stat()
            return state.st_ino, state.st_mtime_ns, state.st_size
        return ()

    @property
    def is_built(self) -> bool:
        """Is there an index, of whatever version?"""
        return (self.path / MANIFEST).is_file()

    def language(self) -> str | None:
        """The language of the index, also of one that another version made; None without one."""
        with suppress(OSError, ValueError, AttributeError, RecursionError):
            language = json.loads((self.path / MANIFEST).read_bytes()).get("language")
            return language if language in LANGUAGES else None
        return None

    def _missing(self) -> InputError:
        remedy = f"check the path, or build one {_BUILT} {self.name}"
        found, expected = "index not found", ""
        if self.path.is_file():
            found, expected = "a file", "the folder of an index"
            remedy = f"check the path, or build an index {_BUILT} INDEX"
        elif self.path.is_dir():
            found, expected = "no index in this folder", "an index"
            if any(_BUILD.fullmatch(entry.name) for entry in self.path.iterdir()):
                found, expected = "an index that was not completed", "a complete one"
                remedy = f"build it {_BUILT} {self.name}"
        return InputError(Fault(self.name, None, found, expected, remedy))

    def _of_another_format(self, values: dict[str, Any]) -> InputError:
        found = f"an index of format {values.get('format')!r}"
        if isinstance(values.get("spanwise"), str):
            found += f", made by spanwise {values['spanwise']}"
        remedy = f"build it again {_BUILT} {self.name}"
        return InputError(Fault(self.name, None, found, f"format {FORMAT}", remedy))

    def damaged(self, problem: str) -> InputError:
        """What to say about an index that is not as it was written."""
        found = f"a damaged index ({problem})"
        remedy = f"build it again {_BUILT} {self.name} --force"
        return InputError(Fault(self.name, None, found, "a complete one", remedy))

    def build(self, manifest: Manifest) -> Path:
        """The folder of the build that counts; its files are as they were written.

        Raises ``OSError`` or ``ValueError`` otherwise.
        """
        place = self.path / manifest.build
        require_unchanged(place, manifest.checksums)
        return place

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
        if not self.path.parent.is_dir():
            raise OutputError(f"{self.name}: folder not found: {self.path.parent}; create it")
        if not self.path.exists():
            return
        if not self.path.is_dir():
            raise OutputError(f"{self.name} is a file; name a folder for the index")
        names = [entry.name for entry in self.path.iterdir()]
        ours = all(name in (MANIFEST, _LOCK) or _BUILD.fullmatch(name) for name in names)
        # A lock is there before any build: without one, a folder with such a name is the user's.
        if not (MANIFEST in names or (ours and (_LOCK in names or not names))):
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
        with suppress(OSError, ValueError, AttributeError, RecursionError):
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
        values = asdict(manifest)
        content = _json({**values, "checksum": zlib.crc32(_json(values))})
        WholeFile.checked(self.path / MANIFEST).write(content)


def _json(values: dict[str, Any]) -> bytes:
    return json.dumps(values, indent=1, sort_keys=True).encode() + b"\n"


def _manifest_of(values: dict[str, Any]) -> Manifest:
    """What was published; ``ValueError`` and the like if it is not the same any more."""
    checksum = values.pop("checksum")
    if zlib.crc32(_json(values)) != checksum or not _BUILD.fullmatch(values["build"]):
        raise ValueError
    return Manifest(**values)
