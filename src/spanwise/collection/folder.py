"""A folder of plain text files, one document each (formats.md 16)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path, PurePosixPath

from spanwise.collection.store import Tokens
from spanwise.errors import Fault, InputError

_MARKUP = frozenset((".xml", ".xhtml"))


class Folder:
    """Text files, read byte for byte.

    A document is called by its path inside the folder, without or with extension; also by its file
    name or the stem of that name, where only one file has it.
    """

    def __init__(self, path: Path) -> None:
        self.name = str(path)
        self._root = path
        files = _files(path)
        self._file_called = _calls(files)
        self._name_of = {file: _own_name(file, self._file_called) for file in files}
        self._file_of = {name: file for file, name in self._name_of.items()}

    @property
    def has_text(self) -> bool:
        """Always: the files are the texts."""
        return True

    @property
    def has_tokens(self) -> bool:
        """Never: a file is only a text."""
        return False

    def names(self) -> Sequence[str]:
        """The path of each file, without extension where that tells it from the others."""
        return list(self._file_of)

    def find(self, document: str) -> str | None:
        """The document that somebody calls so."""
        file = self._file_called.get(document)
        return None if file is None else self._name_of[file]

    def length(self, name: str) -> int:
        """How many code points the file has."""
        return len(self.text(name))

    def text(self, name: str) -> str:
        """The characters of the file: no newline translated, no mark dropped, none composed."""
        path = self._root / self._file_of[name]
        data = path.read_bytes()
        try:
            return data.decode()
        except UnicodeDecodeError as problem:
            line = 1 + data.count(b"\n", 0, problem.start)
            found, remedy = f"byte 0x{data[problem.start]:02x}", "convert the file to UTF-8"
            raise InputError(Fault(str(path), line, found, "UTF-8 text", remedy)) from None

    def tokens(self, document: str) -> Tokens | None:
        """None: files have no recorded tokens."""
        return None


def _files(root: Path) -> list[PurePosixPath]:
    """All files below a folder that are not hidden, in order."""
    paths = sorted(path.relative_to(root) for path in root.rglob("*") if path.is_file())
    files = [PurePosixPath(path.as_posix()) for path in paths if not _is_hidden(path)]
    for file in files:
        if file.suffix.lower() in _MARKUP:
            remedy = "convert the documents to text (this version reads no XML collections)"
            raise InputError(Fault(str(root / file), None, "an XML file", "plain text", remedy))
    if not files:
        found, expected = "a folder without files", "a folder of text files"
        raise InputError(Fault(str(root), None, found, expected, "check the path"))
    return files


def _is_hidden(path: Path) -> bool:
    return any(part.startswith(".") for part in path.parts)


def _calls(files: Sequence[PurePosixPath]) -> dict[str, PurePosixPath]:
    """What each file may be called; the longer way of naming wins over the shorter."""
    calls: dict[str, PurePosixPath] = {}
    for ways in (
        [(str(file), file) for file in files],
        [(str(file.with_suffix("")), file) for file in files],
        [(file.name, file) for file in files],
        [(file.stem, file) for file in files],
    ):
        count = Counter(name for name, _ in ways)
        for name, file in ways:
            if count[name] == 1:
                calls.setdefault(name, file)
    return calls


def _own_name(file: PurePosixPath, calls: dict[str, PurePosixPath]) -> str:
    short = str(file.with_suffix(""))
    return short if calls.get(short) == file else str(file)
