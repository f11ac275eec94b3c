"""How inputs are read and doubtful cases decided."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any, Literal, Self, get_args

from spanwise.errors import SpanwiseError
from spanwise.evaluation.policy import Missing, OrderChoice, Overlap, Policy
from spanwise.formats.reading import PathLike
from spanwise.formats.registry import ROLES, is_known, names_for
from spanwise.text.units import Unit
from spanwise.validation import (
    must_be,
    refuse_unknown,
    require_one_of,
    require_truth,
    whole_number,
)

RunName = Literal["tag", "file"]

POSSIBLE: Mapping[str, tuple[str | None, ...]] = {
    "order": (*get_args(OrderChoice), None),
    "overlap": get_args(Overlap),
    "missing": get_args(Missing),
    "unit": get_args(Unit),
    "run_name": get_args(RunName),
}
"""The values of every setting that has only a few."""


@dataclass(frozen=True, kw_only=True)
class Settings:
    """How inputs are read and doubtful cases decided; what every command shares.

    >>> Settings(topics=["q1"], results=10).topics
    ('q1',)
    """

    order: OrderChoice | None = None
    """How answers are ranked; None: by the rule of the run's format."""
    overlap: Overlap = "union"
    """What happens to answers of one document that overlap."""
    missing: Missing = "zero"
    """How to score topics missing from the run."""
    results: int | None = None
    """Score only this many answers of each topic; None: all of them."""
    lenient: bool = False
    """Drop or cut what is faulty, count it, and mark the scores."""
    unit: Unit = "codepoint"
    """What offsets count; anything but code points needs the texts of the collection."""
    collection: Any = None
    """The documents: a path, a dictionary from document to text, or an opened collection."""
    elements: PathLike | None = None
    """A table of elements, for documents that are not at hand or have no structure."""
    chunks: PathLike | Sequence[PathLike] | None = None
    """What the chunk ids of runs stand for: one table for all runs, or a list of one per run."""
    topics: Collection[str] | None = None
    """Keep only these topics; None: all of them."""
    run_name: RunName = "tag"
    """Name runs by their tag or their file."""
    run_format: str | None = None
    """Overrides format detection."""
    assessments_format: str | None = None
    """Overrides format detection."""
    limits: bool = True
    """Refuse lines, names and compressed data beyond what honest files need."""

    def __new__(cls, **given: Any) -> Self:
        """A misspelled name is refused with the nearest one."""
        refuse_unknown(given, setting_names())
        return super().__new__(cls)

    def __post_init__(self) -> None:
        for name, possible in POSSIBLE.items():
            require_one_of(name, getattr(self, name), possible)
        for role in ROLES:
            named = getattr(self, f"{role}_format")
            if named is not None and not (isinstance(named, str) and is_known(named, role)):
                require_one_of(f"{role}_format", named, (*names_for(role), None))
        require_truth("lenient", self.lenient)
        require_truth("limits", self.limits)
        if self.results is not None:
            object.__setattr__(self, "results", whole_number("results", self.results, 1))
        object.__setattr__(self, "topics", topic_names(self.topics))
        object.__setattr__(self, "chunks", _chunk_files(self.chunks))
        if not (self.elements is None or _is_path(self.elements)):
            raise must_be("elements", "the path of a table of elements", self.elements)
        _require_collection(self.collection)

    def policy(self) -> Policy:
        """The part that alignment decides by."""
        return Policy(self.order, self.overlap, self.missing, self.lenient, self.results)

    @property
    def chunk_files(self) -> tuple[PathLike, ...]:
        """The chunk tables: none, one for all runs, or one for each run."""
        return self.chunks if isinstance(self.chunks, tuple) else ()


def setting_names() -> list[str]:
    """The names of all settings."""
    return [definition.name for definition in fields(Settings)]


def topic_names(given: Any) -> tuple[str, ...] | None:
    """The topics to keep, each once; whole numbers are written out, as in records."""
    if given is None:
        return None
    if isinstance(given, str):
        raise SpanwiseError(f"topics must be a list of names, got a string; write [{given!r}]")
    if isinstance(given, bytes) or not isinstance(given, Iterable):
        raise must_be("topics", "a list of names", given)
    names = tuple(dict.fromkeys(_topic_name(topic) for topic in given))
    if not names:
        raise SpanwiseError("topics is empty; name at least one topic, or leave it out")
    return names


def _topic_name(topic: Any) -> str:
    if isinstance(topic, bool) or not isinstance(topic, (str, int)):
        raise must_be("each of the topics", "a name", topic)
    return str(topic)


def _chunk_files(given: Any) -> tuple[PathLike, ...] | None:
    if given is None:
        return None
    several = (given,) if _is_path(given) else given
    if not isinstance(several, Sequence) or not several or not all(map(_is_path, several)):
        raise must_be("chunks", "the path of a chunk table, or a list of paths", given)
    return tuple(several)


def _require_collection(given: Any) -> None:
    """Documents are at a path, in a dictionary, or whatever knows the lengths of documents."""
    if given is None or _is_path(given) or _knows_lengths(given):
        return
    if not isinstance(given, Mapping):
        raise must_be("collection", "a path, {document: text} or an opened collection", given)
    for document, text in given.items():
        if not (isinstance(document, str) and isinstance(text, str)):
            raise must_be("collection", "{document: text}, both strings", {document: text})


def _knows_lengths(given: Any) -> bool:
    return isinstance(getattr(given, "lengths", None), Mapping)


def _is_path(given: object) -> bool:
    return isinstance(given, (str, os.PathLike))
