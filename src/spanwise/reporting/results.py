"""What library functions return: results that show and save themselves."""

from __future__ import annotations

import os
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from spanwise.errors import OutputError
from spanwise.formats.outputs import Outputs
from spanwise.reporting.output import Output
from spanwise.reporting.render import DOCUMENTED, format_of, note_lines, rendered
from spanwise.reporting.render.cells import DIGITS, Look

if TYPE_CHECKING:
    import pandas
    import polars

WIDTH = 100
"""Columns of a printed result."""
_FEW_ROWS = 20
"""How much of a result its ``repr`` shows."""


class Result(ABC):
    """Something that a function of the library found.

    It prints as the tables that the command line shows, is a table in a notebook, and becomes a
    Polars or pandas frame or a file.
    """

    @abstractmethod
    def output(self, *, hashed_inputs: bool = False) -> Output:
        """What was found in the form that every renderer takes; hashing reads all files again."""

    def text(self, *, digits: int = DIGITS, width: int = WIDTH) -> str:
        """What the command line prints, notes at the end."""
        look = Look(width=width, digits=digits, dialect="python")
        output = self.output()
        notes = "".join(f"note: {line}\n" for line in note_lines(output.notes, look))
        return rendered(output, "table", look).decode() + notes

    def __str__(self) -> str:
        return self.text().rstrip("\n")

    def __repr__(self) -> str:
        lines = (
            rendered(self.output(), "table", Look(width=WIDTH, dialect="python"))
            .decode()
            .splitlines()
        )
        more = [f"... {len(lines) - _FEW_ROWS} more lines"] if len(lines) > _FEW_ROWS else []
        return "\n".join([*lines[:_FEW_ROWS], *more])

    def _repr_html_(self) -> str:
        from spanwise.reporting.render.html import fragment

        return fragment(self.output(), Look(dialect="python"))

    def to_polars(self) -> polars.DataFrame:
        """The rows as a Polars frame."""
        from spanwise.reporting.render.rows import polars_frame, rows_of

        output = self.output()
        return polars_frame(rows_of(output), "to_polars", lenient=bool(output.lenient))

    def to_pandas(self) -> pandas.DataFrame:
        """The rows as a pandas frame."""
        from spanwise.reporting.render.rows import pandas_frame, rows_of

        return pandas_frame(rows_of(self.output()))

    def save(self, path: str | os.PathLike[str], *, digits: int = DIGITS) -> None:
        """Write a file in the format of its ending, whole or not at all."""
        self.write(path, digits, lambda hashed: self.output(hashed_inputs=hashed))

    def write(
        self, path: str | os.PathLike[str], digits: int, made: Callable[[bool], Output]
    ) -> None:
        """Write what ``made`` gives; it is told whether the format has a place for hashes."""
        file = os.fspath(path)
        kind = format_of(file)
        if kind is None:
            raise OutputError(f"{file}: found no ending, expected one such as .json or .html")
        content = rendered(made(kind in DOCUMENTED), kind, Look(digits=digits, dialect="python"))
        Outputs(self.files_read()).file(file).write(content)

    def files_read(self) -> Sequence[str]:
        """The files that the result comes from: none of them is written over."""
        return ()
