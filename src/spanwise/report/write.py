"""Where an output goes: its format by the file's ending, the file whole or not at all."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from spanwise.errors import OutputError
from spanwise.report import exact, markup
from spanwise.report.outcome import Outcome
from spanwise.report.tables import Layout, table

TEXTS: dict[str, Callable[[Outcome], str]] = {
    "tsv": exact.tsv,
    "csv": exact.comma_separated,
    "jsonl": exact.json_lines,
    "json": exact.json_object,
    "markdown": markup.markdown,
    "latex": markup.latex,
}
OUTPUTS = ("table", *TEXTS)
ENDINGS = {
    ".txt": "table",
    ".tsv": "tsv",
    ".csv": "csv",
    ".jsonl": "jsonl",
    ".json": "json",
    ".md": "markdown",
    ".tex": "latex",
    ".parquet": "parquet",
}


def rendered(outcome: Outcome, output: str, layout: Layout | None = None) -> bytes:
    """An outcome in one of the formats."""
    if output == "parquet":
        return exact.parquet(outcome)
    text = table(outcome, layout or Layout()) if output == "table" else TEXTS[output](outcome)
    # Names of files that are not UTF-8 go out as the bytes they came in as.
    return text.encode("utf-8", "surrogateescape")


@dataclass(frozen=True, slots=True)
class Destination:
    """A file that can be written, as far as that can be known before."""

    path: Path
    output: str

    @classmethod
    def checked(
        cls, file: str, output: str | None = None, endings: Mapping[str, str] = ENDINGS
    ) -> Destination:
        """The place for a file; refused at once if nothing can be written there."""
        path = Path(file).resolve()
        output = output or _output_of(file, endings)
        if not path.parent.is_dir():
            raise OutputError(f"{file}: there is no directory {path.parent}; make it first")
        if path.exists() and not path.is_file():
            raise OutputError(f"{file} is not a regular file; name another one")
        with _refusals(file), _beside(path).open("xb"):
            pass
        _beside(path).unlink()
        return cls(path, output)

    def write(self, content: bytes) -> None:
        """Beside its place first, then renamed: nobody ever sees half a file."""
        beside = _beside(self.path)
        try:
            with _refusals(str(self.path)):
                beside.write_bytes(content)
                beside.replace(self.path)
        finally:
            beside.unlink(missing_ok=True)


def _output_of(file: str, endings: Mapping[str, str]) -> str:
    ending = Path(file).suffix.lower()
    if ending not in endings:
        found = f"the ending {ending}" if ending else "no ending"
        raise OutputError(f"{file}: found {found}, expected one of {', '.join(endings)}; or use -o")
    return endings[ending]


def _beside(path: Path) -> Path:
    return path.with_name(f".{path.name}.{os.getpid()}.part")


@contextmanager
def _refusals(file: str) -> Iterator[None]:
    """Turn what the system refuses into an error that names the file."""
    try:
        yield
    except OSError as problem:
        raise OutputError(f"{file} cannot be written: {problem.strerror}") from None
