"""Which file of a folder an answer is from, when answers of several files are put together.

The answers of one run name one file. Those of a folder name the folder, and their lines also tell
the number of their file; messages are told the file itself.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from spanwise.data.notes import Note
from spanwise.data.run import Run
from spanwise.errors import Fault, FaultyInput, InputError, SpanwiseError
from spanwise.evaluation.scores import RunScores
from spanwise.records import replace
from spanwise.text.ranges import Integers

_LINES = 1 << 40
"""More lines than a file has."""


class Places:
    """The files of a folder in their order; or a single file, whose lines are as they are."""

    def __init__(self, folder: str, files: Sequence[str]) -> None:
        self._folder, self._files = folder, files
        self._single = list(files) == [folder]
        self._place = re.compile(f"{re.escape(folder)}:([0-9]+)")

    def numbered(self, run: Run, number: int) -> Run:
        """The answers of one of the files, as answers of the folder."""
        if self._single:
            return run
        line = None if run.line is None else self.lines(run.line, number)
        return replace(run, file=self._folder, line=line)

    @staticmethod
    def lines(line: Integers, number: Integers | int) -> Integers:
        """Lines of these files, as lines of the folder."""
        return line + (number + 1) * _LINES

    def error(self, problem: SpanwiseError) -> SpanwiseError:
        """The same problem with the file of each place."""
        if self._single:
            return problem
        if isinstance(problem, FaultyInput):
            return FaultyInput([self._fault(fault) for fault in problem.faults])
        if isinstance(problem, InputError):
            return type(problem)(self._fault(problem.fault))
        return type(problem)(self._text(problem.message))

    def _fault(self, fault: Fault) -> Fault:
        texts = {name: self._text(getattr(fault, name)) for name in ("found", "expected", "remedy")}
        if fault.file != self._folder or fault.line is None or fault.line < _LINES:
            return replace(fault, **texts)
        file, line = self._at(fault.line)
        return replace(fault, file=file, line=line, **texts)

    def told(self, scores: RunScores) -> RunScores:
        """Scores whose notes name the files."""
        return replace(scores, notes=tuple(map(self._note, scores.notes)))

    def _note(self, note: Note) -> Note:
        return replace(note, detail=self._text(note.detail))

    def _text(self, text: str) -> str:
        return self._place.sub(self._spelled, text)

    def _spelled(self, found: re.Match[str]) -> str:
        line = int(found[1])
        return found[0] if line < _LINES else "{}:{}".format(*self._at(line))

    def _at(self, line: int) -> tuple[str, int]:
        return self._files[line // _LINES - 1], line % _LINES

    @staticmethod
    def line_in(problem: SpanwiseError, file: str) -> int | None:
        """The line that a problem names."""
        if isinstance(problem, InputError) and problem.fault.line is not None:
            return problem.fault.line
        found = re.match(f"{re.escape(file)}:([0-9]+)", problem.message)
        return None if found is None else int(found[1])
