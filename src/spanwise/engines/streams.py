"""Standard input and pipes give their bytes once; they are kept in a file, not in memory."""

from __future__ import annotations

import shutil
import sys
import tempfile
from contextlib import ExitStack
from pathlib import Path
from types import TracebackType
from typing import Self

from spanwise.engines.spill import no_room
from spanwise.errors import Fault, InputError
from spanwise.formats.source import Source, complaints
from spanwise.formats.temporary_files import temporary_folder


class KeptStreams:
    """Keeps streams in temporary files as long as a ``with`` block runs."""

    def __init__(self) -> None:
        self._stack = ExitStack()
        self._folder: Path | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        problem: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._stack.close()

    def source(self, name: str) -> Source:
        """A stream whose bytes are in a file by now; ``-`` is standard input."""
        if name != "-" and not Path(name).exists():
            raise InputError(Fault(name, None, "file not found", "", "check the path"))
        title = "standard input" if name == "-" else name
        if self._folder is None:
            folder = temporary_folder(Path(tempfile.gettempdir()))
            self._folder = self._stack.enter_context(folder)
        place = self._folder / f"stream{len(list(self._folder.iterdir()))}"
        source = Source(title, place=str(place), called="run")
        if name == "-" and sys.stdin is None:
            raise source.refused("nothing: it is closed", "a file or a pipe")
        with place.open("wb") as kept, complaints(source), ExitStack() as stack:
            opened = sys.stdin.buffer if name == "-" else stack.enter_context(Path(name).open("rb"))
            try:
                shutil.copyfileobj(opened, kept, 1 << 20)
            except OSError as problem:
                raise no_room(self._folder, problem) from None
        return source
