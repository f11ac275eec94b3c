"""How far an evaluation has come: shown on a terminal after a while."""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Sequence
from io import BufferedReader
from types import TracebackType
from typing import TYPE_CHECKING, Self

from spanwise.formats.run_folders import RunFolder
from spanwise.formats.source import Source
from spanwise.records import Struct, field, replace

if TYPE_CHECKING:
    from spanwise.lab.experiment import Step

PATIENCE = 2.0
"""Seconds before anything is shown."""
PAUSE = 0.25
"""Seconds between two looks."""
_ERASED = "\r\x1b[K"


class Meter(Struct):
    """The place in a file up to which it was read, compressed or not."""

    size: int
    stream: BufferedReader | None = None
    before: int = 0
    """Bytes that were read in vain, before it was read again."""
    later: int = 0
    """What is to be done after reading, as if it was so many bytes more."""
    worked: int = 0
    """How much of that is done."""

    @property
    def read(self) -> int:
        """Bytes read so far; a file that was closed was read to its end."""
        return self.before + self._place + self.worked

    @property
    def total(self) -> int:
        """Bytes to read."""
        return self.before + self.size + self.later

    @property
    def _place(self) -> int:
        if self.stream is None:
            return 0
        try:
            return self.stream.raw.tell()
        except ValueError:
            return self.size


class Watched(Source, frozen=True):
    """A source that lets its reading be watched."""

    meter: Meter = field(default_factory=lambda: Meter(0))

    @classmethod
    def of(cls, source: Source) -> Watched:
        """A file, or standard input."""
        content = source.content
        size = source.path.stat().st_size if content is None else len(content)
        return cls(source.name, content, source.place, called=source.called, meter=Meter(size))

    def _open_raw(self) -> BufferedReader:
        self.meter.stream = super()._open_raw()
        return self.meter.stream

    def starts_again(self) -> None:
        self.meter.before, self.meter.stream = self.meter.read, None
        self.meter.later = self.meter.size

    def has_done(self, share: float) -> None:
        self.meter.worked = int(share * self.meter.later)


def watched(sources: Sequence[Source]) -> tuple[list[Source], list[Meter]]:
    """Sources whose reading can be watched, the files of folders one by one."""
    found: list[Source] = []
    meters: list[Meter] = []
    for source in sources:
        files = source.files if isinstance(source, RunFolder) else (source,)
        own = tuple(map(Watched.of, files))
        meters += [file.meter for file in own]
        found.append(replace(source, files=own) if isinstance(source, RunFolder) else own[0])
    return found, meters


class Progress(Struct):
    """A line on standard error while a ``with`` block runs; nothing if that is not a terminal."""

    meters: list[Meter]
    answers: int = 0
    started: float = 0.0
    done: threading.Event = field(default_factory=threading.Event)
    thread: threading.Thread | None = None
    shown: bool = False

    def count(self, file: str, answers: int) -> None:
        """Told by the evaluation after every block."""
        self.answers += answers

    def __enter__(self) -> Self:
        self.started = time.monotonic()
        if sys.stderr.isatty():
            self.thread = threading.Thread(target=self._watch, daemon=True)
            self.thread.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        problem: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.done.set()
        if self.thread is not None:
            self.thread.join()
        if self.shown:
            sys.stderr.write(_ERASED)
            sys.stderr.flush()

    def _watch(self) -> None:
        if self.done.wait(PATIENCE):
            return
        self.shown = True
        while not self.done.wait(PAUSE):
            sys.stderr.write(f"{_ERASED}{self.line(time.monotonic() - self.started)}")
            sys.stderr.flush()

    def line(self, elapsed: float) -> str:
        """What is shown after a number of seconds."""
        read = [meter.read for meter in self.meters]
        finished = sum(n >= meter.total for n, meter in zip(read, self.meters, strict=True))
        total = sum(meter.total for meter in self.meters)
        parts = [
            f"{finished} of {len(self.meters)} files",
            f"{self.answers:,} answers",
            f"{elapsed:.0f} s",
        ]
        if sum(read) and total:
            parts.append(f"about {elapsed * (total / sum(read) - 1):.0f} s left")
        return ", ".join(parts)


class DocumentProgress(Progress):
    """The same for documents that are read one by one."""

    meters: list[Meter] = field(default_factory=list)
    what: str = "documents"
    documents: int = 0
    total: int = 0

    def tell(self, documents: int, total: int) -> None:
        """Told by the reader after every document."""
        self.documents, self.total = documents, total

    def line(self, elapsed: float) -> str:
        """What is shown after a number of seconds."""
        if not self.documents:
            return f"looking for {self.what}, {elapsed:.0f} s"
        left = elapsed * (self.total / self.documents - 1)
        done = f"{self.documents:,} of {self.total:,} {self.what}"
        return f"{done}, {elapsed:.0f} s, about {left:.0f} s left"


class TopicProgress(DocumentProgress):
    """The same for topics that are searched for one by one."""

    what: str = "topics"


class StepProgress(Progress):
    """The same for an experiment: first for the files that it reads, then for its steps."""

    meters: list[Meter] = field(default_factory=list)
    step: Step | None = None

    def tell(self, step: Step) -> None:
        """Told by the experiment."""
        self.step = step
        if not step.total:
            self.answers = step.done

    def line(self, elapsed: float) -> str:
        """What is shown after a number of seconds."""
        if self.meters and (self.step is None or not self.step.total):
            return super().line(elapsed)
        if self.step is None or not self.step.done or not self.step.total:
            return f"{elapsed:.0f} s"
        done, total = self.step.done, self.step.total
        left = elapsed * (total / done - 1)
        return f"{done:,} of {total:,} {self.step.what}, {elapsed:.0f} s, about {left:.0f} s left"
