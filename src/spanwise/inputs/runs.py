"""What people may give as runs, assessments and measures: what it is, and which files are in it."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import islice
from numbers import Number
from pathlib import Path
from typing import Any, Literal, TypeVar

from spanwise.data.assessments import Assessments
from spanwise.data.run import Run
from spanwise.errors import SpanwiseError, encoded, legible, option
from spanwise.formats.answer_lists import is_answers, response_in
from spanwise.formats.answer_objects import row_of
from spanwise.formats.memory import Frame, is_frame
from spanwise.formats.reading import PathLike
from spanwise.formats.run_folders import RunFolder
from spanwise.formats.source import Source
from spanwise.formats.vocabulary import recognised
from spanwise.inputs.settings import Given
from spanwise.measures.base import ListScore
from spanwise.measures.grammar import Asked
from spanwise.reporting.output import Input

Table = TypeVar("Table")


Keys = Literal["topics", "names"]

AssessmentsInput = (
    PathLike | Source | Assessments | Mapping[str, object] | Sequence[Mapping[str, object]] | Frame
)
"""A file or folder, an object of this library, a dictionary, records or a frame."""
RunInput = PathLike | Source | Run | Mapping[str, object] | Sequence[object] | Frame
"""A file, an object of this library, a dictionary, records or a frame.

The answers to a topic of a dictionary may be what a retriever returned."""
RunsInput = RunInput | Mapping[str, RunInput]
"""One run, a list of runs, or a dictionary from name to run."""
MeasureInput = str | ListScore | type[ListScore] | Asked
MeasuresInput = MeasureInput | Sequence[MeasureInput]
"""Names, nicknames or values."""


def source_of(given: object, what: str) -> Source:
    """A file that an official tool can read."""
    if isinstance(given, Source):
        return given
    if isinstance(given, (str, os.PathLike)):
        return Source.at(given)
    raise SpanwiseError(f"{what} must be a file with {option('compat', 'inex_eval')}")


def own_table(tables: Sequence[Table], number: int, runs: int) -> Sequence[Table]:
    """The chunk table of one of several runs: that of all runs, or its own; it may be none.

    >>> own_table(["small.jsonl", "large.jsonl"], 1, 2), own_table([], 1, 2)
    (['large.jsonl'], [])
    """
    refuse_other_number(len(tables), runs)
    return tables[number : number + 1] if len(tables) > 1 else tables


def refuse_other_number(tables: int, runs: int) -> None:
    """One chunk table holds for all runs; several must be as many as there are runs."""
    if tables > 1 and tables != runs:
        raise SpanwiseError(
            f"found {tables} chunk tables for {runs} run{'s' * (runs != 1)}, expected one for all"
            " runs or one for each; give as many tables as runs, in the same order"
        )


def is_by_name(given: Mapping[Any, Any], topics: Collection[str]) -> bool:
    """Are the keys names of runs? What lies under them tells, else which keys are topics."""
    if response_in(given) is not None:
        return False
    outer = _has_topic(given, topics)
    told = _plainly_told(given.values()) or set(filter(None, map(_keys_above, given.values())))
    if len(told) == 1:
        return told == {"names"} and not outer
    inner = any(_has_topic(v, topics) for v in given.values() if isinstance(v, Mapping))
    if outer and inner:
        raise SpanwiseError(
            "the runs are a dictionary that may be one run by topic or several runs by name:"
            f" {next(iter(given))!r} is a topic, and so are keys below it; give a list of"
            " runs, or give every answer as (document, start, end)"
        )
    return inner


def _has_topic(keys: Iterable[Any], topics: Collection[str]) -> bool:
    return any(str(key) in topics for key in keys)


_LISTS = frozenset((list, tuple))
LOOKED_AT = 1000
"""Topics of a plain dictionary whose types are looked at; readers look at all of them."""


def _plainly_told(values: Collection[Any]) -> set[Keys]:
    """What the first values tell by types alone; nothing where these are not enough."""
    values = list(islice(values, LOOKED_AT))
    types = set(map(type, values))
    if types <= _LISTS:
        first = {type(value[0]) for value in values if value}
        return {"topics"} if first and first <= {list, tuple, str} else set()
    if types != {dict}:
        return set()
    below = set(map(type, map(next, map(iter, map(dict.values, filter(None, values))))))
    return {"topics"} if below and below <= {int, float} else set()


def _keys_above(value: Any) -> Keys | None:
    """Which keys lead to such a value: topics to answers, names to whole runs?"""
    if is_answers(value):
        return "topics"
    if isinstance(value, Mapping):
        return next(filter(None, map(_keys_two_above, value.values())), None)
    if isinstance(value, (list, tuple)):
        return _keys_above_list(value)
    is_run = isinstance(value, (Run, Source, str, os.PathLike)) or is_frame(value)
    return "names" if is_run else None


def _keys_above_list(values: Sequence[Any]) -> Keys | None:
    if not values:
        return None
    # Rows of a run name their topics; what a retriever returned for a topic does not.
    rows = isinstance(values[0], Mapping) and recognised([*map(str, values[0])], ("topic",))
    return "names" if rows else "topics"


def _keys_two_above(value: Any) -> Keys | None:
    """Below a topic there are documents with ranges or scores, below a name topics with answers."""
    if isinstance(value, Mapping) or is_answers(value):
        return "names"
    if isinstance(value, (list, tuple)):
        first = value[0] if value else None
        if isinstance(first, Mapping) or row_of(first) is not None:
            return "names"
        value = first[0] if isinstance(first, (list, tuple)) and first else first
    if isinstance(value, Number):
        return "topics"
    # The path of an element and the name of a document may look alike.
    return "names" if isinstance(value, str) and not value.startswith("/") else None


def refuse_unknown_topics(wanted: Collection[str], known: Sequence[str]) -> None:
    """Only topics that are in the assessments can be asked for."""
    unknown = sorted(set(wanted).difference(known))
    if unknown:
        some = ", ".join(known[:5])
        raise SpanwiseError(f"topic {unknown[0]} is not in the assessments, which have {some}, ...")


# -- the files that results come from, with the hashes of their bytes


def hashed(given: Iterable[Given]) -> tuple[Input, ...]:
    """Every file with the hash of its bytes; a folder of documents has one for all of them.

    What was given in memory has neither name nor hash, and is left out.
    """
    found = [(role, name, code) for role, what in given for name, code in _hashes(role, what)]
    return tuple(Input(role, legible(name), code) for role, name, code in found)


def names_of(given: Iterable[Given], folder: str = "") -> list[str]:
    """The files among the inputs, which no output may replace; seen from a folder."""
    found = (what.name if isinstance(what, Source) else what for _, what in given)
    names = (os.fspath(what) for what in found if isinstance(what, (str, os.PathLike)))
    return [os.fspath(Path(folder, name)) for name in names]


def _hashes(role: str, given: object) -> Iterator[tuple[str, str]]:
    if isinstance(given, RunFolder):
        yield given.name, _hash_of(Path(given.name))
    elif isinstance(given, Source):
        yield given.name, given.sha256()
    elif isinstance(given, (str, os.PathLike)) and os.fspath(given) != "-":
        path = Path(given)
        if role == "assessments" and path.is_dir():
            yield from ((str(file), Source(str(file)).sha256()) for file in _files(path))
        else:
            yield os.fspath(given), _hash_of(path)


def _files(folder: Path) -> Sequence[Path]:
    return sorted(p for p in folder.rglob("*") if p.is_file() and not p.name.startswith("."))


def _hash_of(path: Path) -> str:
    """Of a file: its bytes. Of a folder: the names and hashes of its files, in order."""
    if path.is_file():
        return Source(str(path)).sha256()
    digest = hashlib.sha256()
    for file in _files(path):
        digest.update(encoded(f"{file.relative_to(path)} {Source(str(file)).sha256()}\n"))
    return digest.hexdigest()
