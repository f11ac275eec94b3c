"""The formats that spanwise reads and writes: one format, one module, one record.

The formats of spanwise itself are the modules of ``spanwise.formats.builtin``, in a folder for each
shape of files; a module is named after its format. Other packages add formats through the
entry-point group ``spanwise.formats``. Those are loaded only when a name or a file is not
recognised, or when formats are listed.

Nothing is imported here that takes time: the command line asks for names before it reads anything.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Collection, Iterable, Sequence
from difflib import get_close_matches
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, BinaryIO, Literal, Protocol

from spanwise.errors import SpanwiseError, option
from spanwise.records import Struct

if TYPE_CHECKING:
    from spanwise.data.assessments import Assessments
    from spanwise.data.notes import Faults, Note
    from spanwise.data.run import Extent, Run
    from spanwise.errors import Fault
    from spanwise.formats.beginning import Beginning
    from spanwise.formats.chunks import ChunkTable
    from spanwise.formats.source import Source
    from spanwise.formats.topic_from import TopicFrom

Role = Literal["run", "assessments"]
"""What a file is for."""
ROLES: tuple[Role, ...] = ("run", "assessments")

Shape = Literal["columns", "tables", "json_rows", "json_documents", "markup", "binary"]
"""How a file begins, which tells the folder of ``builtin`` that its format is in."""
SHAPES: tuple[Shape, ...] = (
    *("columns", "tables", "json_rows", "json_documents", "markup", "binary"),
)

Part = Literal["document", "topic"]
"""What some formats have a file of its own for."""

Fields = tuple[Role | None, Sequence[str]]
"""The role that only these fields have, if one has them alone, and the names of the fields."""

ENTRY_POINTS = "spanwise.formats"
"""The group of entry points, each of which is a ``Format``."""

NO, GUESS, POSSIBLE, LIKELY, CERTAIN = range(5)
"""How sure a format is that a file is its own; the surest one reads the file.

What is only a guess is not taken from a single line of a broken file, and what is not likely is
not a reason to say that a run and assessments were swapped.
"""


class RunOptions(Struct, frozen=True):
    """How a run file is to be read."""

    whole: bool = False
    """Read everything as one block (needed when a topic's lines are not together)."""
    scattered: bool = False
    """Blocks may hold parts of topics, which whoever reads them puts together."""
    chunks: ChunkTable | None = None
    """The ranges of the chunks that a run names."""
    rows: int | None = None
    """The most rows that are looked at together where a format has no blocks of its own size."""
    most_whole: int | None = None
    """Bytes that a file may have which can only be read whole; None: any number."""

    def require_small(self, source: Source, title: str) -> None:
        """Refuse a large file that can only be read whole, if there is a limit."""
        if self.most_whole is not None and not source.is_at_most(self.most_whole):
            found = f"{title} of more than {self.most_whole // 10**6:,} MB, which is read whole"
            expected = f"one that takes less of {option('memory')}"
            remedy = (
                "write FOL, TREC, or JSONL or Parquet with ranges alone, which are read in blocks,"
                f" or give more {option('memory')}"
            )
            raise source.refused(found, expected, remedy=remedy)


def _unrecognised(beginning: Beginning, role: Role) -> int:
    return NO


class ReadLabelled(Protocol):
    """Reads annotations, with their topics from where the user says."""

    def __call__(self, source: Source, faults: Faults, topics: TopicFrom = ...) -> Assessments:
        """The assessments of a file."""


class Format(Struct, frozen=True, kw_only=True):
    """All that spanwise has to know about a format.

    A reader of runs yields blocks, each with all answers of its topics, so that a file of any size
    is evaluated without being held in memory; it calls ``faults.settle()`` before it yields. A
    reader of assessments returns everything at once. A writer returns a note for each thing that
    the format cannot hold.
    """

    name: str
    """What users call it, in small letters."""
    run_title: str = ""
    """What messages call such a run: ``TREC run``."""
    assessments_title: str = ""
    run_sign: str = ""
    """What such a run looks like, for a message about a file that was not recognised."""
    assessments_sign: str = ""
    endings: tuple[str, ...] = ()
    """Endings of files that are to be written in this format."""
    magic: bytes = b""
    """The first bytes of every file of the format, if they are always the same (at most 8)."""
    run_columns: Collection[int] | None = None
    """How many columns such a run may have; None: any number, or it has no columns."""
    assessments_columns: Collection[int] | None = None
    recognises: Callable[[Beginning, Role], int] = _unrecognised
    """How sure it is that a file that begins so is of this format, in this role."""
    complains: Callable[[Beginning, Role], Fault | None] | None = None
    """What is wrong with a file that nearly is of this format, if no format recognises it."""
    read_run: Callable[[Source, Faults, RunOptions], Iterable[Run]] | None = None
    write_run: Callable[[Iterable[Run], BinaryIO], list[Note]] | None = None
    read_assessments: Callable[[Source, Faults], Assessments] | None = None
    read_labelled: ReadLabelled | None = None
    """The same for annotations, which have labels, and topics only if that is what labels are."""
    write_assessments: Callable[[Assessments, BinaryIO], list[Note]] | None = None
    answers: frozenset[Extent] | None = None
    """The kinds of answers that a run of this format can hold; None: all but entry points."""
    fields: Callable[[Beginning], Fields] | None = None
    """For rows that name their fields (JSONL, CSV): these names, and the role that they tell."""
    in_blocks: bool = False
    """Large runs are read in blocks of topics, unless the reader says that it cannot."""
    single_words: bool = False
    """Names of topics, documents and runs cannot have blanks."""
    one_run: bool = False
    """A file holds only one run."""
    cut_at: Literal["lines", "rows"] | None = None
    """Where a file of runs may be cut: each part (``Source.span``) can be read by itself."""
    by_topic: bool = False
    """Each line of assessments begins with its topic, and says nothing of other topics but how
    long its document is: lines of some topics can be read by themselves."""
    tagged: bool = True
    """A file holds the names of its runs; without them a run is named after its file."""
    file_for: Part | None = None
    """A file holds the judgements of one document or topic; those of several are a folder."""
    text_ending: str = ""
    """The ending of a file with a document's text, beside the judgements of the document."""
    companions: tuple[str, ...] = ()
    """Endings of all files that may be beside those of this format and are no judgements."""
    writes_texts: bool = False
    """Assessments are written with the texts of their documents, or with parts of these."""
    writes_points: bool = False
    """Assessments are written as elements and places in trees."""

    def reads(self, role: Role) -> bool:
        """Can it read files of this role?"""
        return (self.read_run if role == "run" else self.read_assessments) is not None

    def claims(self, beginning: Beginning, role: Role) -> int:
        """How sure it is of a file, after a look at the number of its columns."""
        possible = self._columns(role)
        fits = possible is None or len(beginning.columns) in possible
        return self.recognises(beginning, role) if fits and self.reads(role) else NO

    def breadth(self, role: Role) -> int:
        """How many numbers of columns files of this role may have."""
        possible = self._columns(role)
        return sys.maxsize if possible is None else len(possible)

    def _columns(self, role: Role) -> Collection[int] | None:
        return self.run_columns if role == "run" else self.assessments_columns

    def writes(self, role: Role) -> bool:
        """Can it write files of this role?"""
        return (self.write_run if role == "run" else self.write_assessments) is not None

    def title(self, role: Role) -> str:
        """What messages call a file of this role."""
        return self.run_title if role == "run" else self.assessments_title

    def sign(self, role: Role) -> str:
        """What a file of this role looks like."""
        return self.run_sign if role == "run" else self.assessments_sign


@cache
def _shapes() -> dict[str, Shape]:
    """The shape of each of spanwise's own formats, without loading any of them."""
    from pkgutil import iter_modules

    from spanwise.formats import builtin

    found = {
        module.name.replace("_", "-"): shape
        for shape in SHAPES
        for module in iter_modules([f"{builtin.__path__[0]}/{shape}"])
    }
    return dict(sorted(found.items()))


def builtin_names() -> tuple[str, ...]:
    """The names of spanwise's own formats."""
    return tuple(_shapes())


@cache
def _builtin(name: str) -> Format:
    place = f"{_shapes()[name]}.{name.replace('-', '_')}"
    declared = import_module(f"spanwise.formats.builtin.{place}").FORMAT
    assert isinstance(declared, Format)
    return declared


def builtin_formats(shape: Shape | None = None) -> tuple[Format, ...]:
    """Spanwise's own formats, or those for files of one shape."""
    return tuple(_builtin(name) for name, own in _shapes().items() if shape in (None, own))


@cache
def further_formats() -> tuple[Format, ...]:
    """The formats of other packages; a name of spanwise's own cannot be taken."""
    from importlib.metadata import entry_points

    found: dict[str, Format] = {}
    for point in sorted(entry_points(group=ENTRY_POINTS), key=lambda point: point.name):
        declared = _loaded(point.name, point.load)
        if declared.name in builtin_names() or declared.name in found:
            raise SpanwiseError(
                f"the format {declared.name!r} of the entry point {point.name!r} exists already;"
                " uninstall one of the packages that declare it"
            )
        found[declared.name] = declared
    return tuple(found.values())


def _loaded(name: str, load: Callable[[], object]) -> Format:
    """The format of an entry point; an error there is reported with the entry point's name."""
    remedy = "fix or uninstall its package"
    try:
        declared = load()
    except Exception as problem:
        raise SpanwiseError(
            f"the entry point {name!r} of {ENTRY_POINTS} cannot be loaded ({problem}); {remedy}"
        ) from problem
    if not isinstance(declared, Format):
        raise SpanwiseError(f"the entry point {name!r} of {ENTRY_POINTS} is not a Format; {remedy}")
    return declared


def all_formats() -> tuple[Format, ...]:
    """Every format there is."""
    return builtin_formats() + further_formats()


def names_for(role: Role, *, written: bool = False) -> tuple[str, ...]:
    """The formats that read (or write) files of a role, those of other packages last."""
    return tuple(each.name for each in all_formats() if _has(each, role, written))


def is_known(name: str, role: Role, *, written: bool = False) -> bool:
    """Is there a format of this name that reads (or writes) files of a role?"""
    found = _named(name)
    return found is not None and _has(found, role, written)


def _has(form: Format, role: Role, written: bool) -> bool:
    return form.writes(role) if written else form.reads(role)


def find(name: str, role: Role) -> Format:
    """The format of this name that reads files of a role; an unknown name gets a suggestion."""
    found = _named(name)
    if found is None or not found.reads(role):
        raise _unknown(f"{role} format", name, names_for(role))
    return found


def find_any(name: str) -> Format:
    """The format of this name, whatever it reads and writes."""
    found = _named(name)
    if found is None:
        raise _unknown("format", name, tuple(each.name for each in all_formats()))
    return found


def _named(name: str) -> Format | None:
    if name in builtin_names():
        return _builtin(name)
    return next((each for each in further_formats() if each.name == name), None)


def _unknown(what: str, name: str, known: Sequence[str]) -> SpanwiseError:
    close = get_close_matches(name, known, n=1)
    hint = f"did you mean {close[0]}?" if close else f"one of {', '.join(known)}"
    return SpanwiseError(f"unknown {what} {name!r}: {hint}")


def by_ending(ending: str) -> str | None:
    """The name of the format that files with this ending are written in."""
    own = _endings(builtin_formats()).get(ending)
    return own or _endings(further_formats()).get(ending)


def endings() -> tuple[str, ...]:
    """The endings that tell a format."""
    return tuple(_endings(all_formats()))


def _endings(formats: Iterable[Format]) -> dict[str, str]:
    return {ending: each.name for each in formats for ending in each.endings}
