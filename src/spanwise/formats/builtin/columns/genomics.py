"""TREC Genomics 2006 and 2007: passages as offset and length, gold ones with their aspects.

Offsets count the bytes of the track's HTML files; without these texts, gold and runs can only be
compared with each other. The aspects of a gold passage may have blanks: only TAB separates there.
"""

from __future__ import annotations

from collections.abc import Iterable

from spanwise.data.assessments import Assessments
from spanwise.data.judgements import LARGEST, Judgements
from spanwise.data.notes import Faults, Note
from spanwise.data.run import Run
from spanwise.errors import option, shown
from spanwise.formats.beginning import Beginning
from spanwise.formats.column_runs import Layout, RunPieces
from spanwise.formats.field_values import FIX, RowError, name_of
from spanwise.formats.registry import LIKELY, NO, Format, Role, RunOptions
from spanwise.formats.source import Source
from spanwise.text.sentences import counted

RUN_TITLE = "TREC Genomics run"
ASSESSMENTS_TITLE = "TREC Genomics gold passages"
LAYOUT = Layout(
    RUN_TITLE, ("topic", "document", "rank", "score", "offset", "length", "run"), order="rank"
)
_GOLD = ("topic", "document", "offset", "length", "aspects")
_MOST_DIGITS = 19


def recognises(beginning: Beginning, role: Role) -> int:
    """Offset and length as numbers, no Q0; gold is separated by TAB."""
    cells = beginning.columns if role == "run" else beginning.line.split("\t")
    if len(cells) != (7 if role == "run" else 5) or cells[1] in ("Q0", "q0"):
        return NO
    numbers = (cells[2], *cells[4:6]) if role == "run" else cells[2:4]
    return LIKELY if all(map(_is_number, numbers)) else NO


def _is_number(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) <= _MOST_DIGITS


def read_run(source: Source, faults: Faults, options: RunOptions) -> Iterable[Run]:
    """Blocks of a run: ``topic document rank score offset length tag``."""
    return RunPieces(source, LAYOUT, faults, options)


def read_assessments(source: Source, faults: Faults) -> Assessments:
    """Gold passages: ``topic document offset length aspects``, each a relevant range."""
    judgements = Judgements(faults)
    for line, text in _in_utf8(source, faults).lines():
        try:
            _judge(judgements, text.split("\t"), line)
        except RowError as refused:
            refused.note(faults, line)
    return judgements.build()


def _in_utf8(source: Source, faults: Faults) -> Source:
    """The same file in UTF-8; the gold of 2006 and 2007 is in Latin-1."""
    data = source.read()
    try:
        data.decode()
    except UnicodeDecodeError as problem:
        line, found = 1 + data.count(b"\n", 0, problem.start), f"byte 0x{data[problem.start]:02x}"
        remedy = f"use {option('lenient', True)} to read it as Latin-1, or convert it to UTF-8"
        faults.add("encoding", line, found, "UTF-8 text", remedy)
        faults.note(Note("latin-1"))
        return Source(source.name, data.decode("latin-1").encode())
    return source


def _judge(judgements: Judgements, cells: list[str], line: int) -> None:
    """The passage of one line."""
    if len(cells) not in (len(_GOLD), len(_GOLD) - 1):
        found = counted(len(cells), "column")
        expected = f"{len(_GOLD)} with TAB between them ({' '.join(_GOLD)})"
        remedy = f"fix the line, or name the format with {option('assessments_format')}"
        raise RowError("columns", found, expected, remedy)
    topic, document, *numbers = (cell.strip() for cell in cells[:4])
    for name, text in zip(_GOLD[2:4], numbers, strict=True):
        if not _is_number(text):
            raise RowError("range", f"{name} {shown(text)}", "a whole number of 0 or more", FIX)
    offset, length = map(int, numbers)
    if not 0 < length <= LARGEST - offset:
        expected = "a length of 1 or more with an end before 2^63"
        raise RowError("range", f"offset {offset} and length {length}", expected)
    names = name_of("topic", topic), name_of("document", document)
    judgements.add_range(*names, offset, offset + length, aspects=_aspects(cells[4:]), line=line)


def _aspects(cells: list[str]) -> list[str]:
    """Each aspect once, in their order."""
    names = (name.strip() for cell in cells for name in cell.split("|"))
    return list(dict.fromkeys(filter(None, names)))


FORMAT = Format(
    name="genomics",
    run_title=RUN_TITLE,
    assessments_title=ASSESSMENTS_TITLE,
    run_sign="7 columns without Q0 (TREC Genomics)",
    assessments_sign="5 columns with TAB (TREC Genomics)",
    run_columns=(7,),
    recognises=recognises,
    in_blocks=True,
    read_run=read_run,
    read_assessments=read_assessments,
)
