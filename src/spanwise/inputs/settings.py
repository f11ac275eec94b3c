"""How inputs are read and doubtful cases decided."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any, Literal, Self, TypedDict, get_args

from spanwise.collection.tokenizing import (
    TokenizerInput,
    is_loaded,
    tokenizer_file,
    tokenizer_name,
)
from spanwise.data.documents import Documents
from spanwise.data.quoted import Repeats
from spanwise.errors import SpanwiseError, option
from spanwise.evaluation.policy import Missing, OrderChoice, Overlap, Policy
from spanwise.formats.chunks import ChunkTable
from spanwise.formats.memory import Frame, is_frame
from spanwise.formats.reading import PathLike
from spanwise.formats.registry import ROLES, is_known, names_for
from spanwise.formats.topic_from import TopicFrom
from spanwise.records import (
    must_be,
    refuse_unknown,
    require_one_of,
    require_truth,
    whole_number,
)
from spanwise.text.units import Unit

ChunksInput = PathLike | ChunkTable | Frame | Mapping[str, Sequence[object]] | Sequence[object]
"""A table of chunks: a path, chunks, chunks by document, a frame; or a list of tables."""
CollectionInput = PathLike | Mapping[str, str] | Documents | Sequence[object] | Frame
"""Documents: a path, a dictionary from document to text, records, a frame, documents of loaders, or
an opened collection."""
RunName = Literal["tag", "file"]
UnjudgedChoice = Literal["irrelevant", "drop"]
Compat = Literal["inex_eval"]

MOST_JOBS = 1024

POSSIBLE: Mapping[str, tuple[str | None, ...]] = {
    "order": (*get_args(OrderChoice), None),
    "overlap": (*get_args(Overlap), None),
    "missing": (*get_args(Missing), None),
    "unjudged": (*get_args(UnjudgedChoice), None),
    "unit": get_args(Unit),
    "repeats": get_args(Repeats),
    "run_name": get_args(RunName),
    "compat": (*get_args(Compat), None),
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
    overlap: Overlap | None = None
    """What happens to answers of one document that overlap; None: union, or the tool's own rule."""
    missing: Missing | None = None
    """How to score topics missing from the run; None: zero, or the tool's own rule."""
    unjudged: UnjudgedChoice | None = None
    """What becomes of answers in documents that were not judged for the topic: they count as not
    relevant (None: irrelevant), or they are left out before anything is scored."""
    results: int | None = None
    """Score only this many answers of each topic; None: all of them."""
    lenient: bool = False
    """Drop or cut what is faulty, count it, and mark the scores."""
    unit: Unit = "codepoint"
    """What offsets count; anything but code points needs the texts of the collection."""
    repair: bool = False
    """Locate text whose offsets are wrong by the text itself, instead of refusing it."""
    repeats: Repeats = "error"
    """Which places quoted assessments mean whose text is in several places."""
    collection: CollectionInput | None = None
    """The documents: a path, a dictionary from document to text, records or a frame with document
    and text, documents of loaders, or an opened collection."""
    tokenizer: TokenizerInput | None = None
    """What cuts documents into tokens, for measures that count them: the path of a tokenizer.json,
    ``tiktoken:NAME``, a ``tokenizers.Tokenizer``, or a function from text to (start, end) pairs;
    None: words and marks, or the tokens that the collection lists."""
    elements: PathLike | None = None
    """A table of elements, for documents that are not at hand or have no structure."""
    chunks: ChunksInput | None = None
    """What the chunk ids of runs mean: one table for all runs, or a list of one per run."""
    topics: Collection[str] | Mapping[str, str] | None = None
    """Keep only these topics, a dictionary also tells what each asks; None: all of them."""
    run_name: RunName = "tag"
    """Name runs by their tag or their file."""
    run_format: str | None = None
    """Overrides format detection."""
    assessments_format: str | None = None
    """Overrides format detection."""
    topic_from: str | None = None
    """Where annotations have their topic: ``label``, ``field:NAME`` or ``constant:ID``; None: the
    label. Other files have topics of their own."""
    limits: bool = True
    """Refuse lines, names and compressed data beyond what honest files need."""
    compat: Compat | None = None
    """Reproduce an official tool to the last digit, with its own rules."""
    jobs: int | None = None
    """Threads that read and score; None: as many as there are cores. No score depends on it."""

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
        if self.topic_from is not None:
            TopicFrom.named(self.topic_from)
        require_truth("lenient", self.lenient)
        require_truth("limits", self.limits)
        require_truth("repair", self.repair)
        if self.results is not None:
            object.__setattr__(self, "results", whole_number("results", self.results, 1))
        if self.jobs is not None:
            object.__setattr__(self, "jobs", whole_number("jobs", self.jobs, 1, MOST_JOBS))
        object.__setattr__(self, "topics", topic_names(self.topics))
        object.__setattr__(self, "chunks", _chunk_tables(self.chunks))
        if not (self.elements is None or _is_path(self.elements)):
            raise must_be("elements", "the path of a table of elements", self.elements)
        _require_collection(self.collection)
        _require_tokenizer(self.tokenizer)
        self._refuse_without_texts()
        if self.compat is not None:
            self._refuse_beside_compat()

    def _refuse_without_texts(self) -> None:
        """These work on the texts of documents."""
        needing = [option("repair", True)] if self.repair else []
        if self.tokenizer is not None:
            needing.append(option("tokenizer"))
        if needing and self.collection is None:
            raise SpanwiseError(f"{needing[0]} needs the texts: give {option('collection')}")

    def _refuse_beside_compat(self) -> None:
        """The official evaluator leaves no choice about these."""
        for name, possible in FIXED.items():
            value = getattr(self, name)
            if value not in possible:
                asked = option(name, " ".join(value) if isinstance(value, tuple) else value)
                mode = option("compat", self.compat)
                raise SpanwiseError(f"{asked} has no meaning with {mode}: leave it out")

    def policy(self) -> Policy:
        """The part that alignment decides by."""
        overlap, missing = self.overlap or "union", self.missing or "zero"
        unjudged = self.unjudged or "irrelevant"
        return Policy(self.order, overlap, missing, self.lenient, self.results, unjudged)

    def to_dict(self) -> dict[str, object]:
        """Every setting as it was used, for those who want to repeat it."""
        found = {name: getattr(self, name) for name in setting_names() if name != "jobs"}
        official = self.compat is not None
        found["overlap"] = self.overlap or ("error" if official else "union")
        found["missing"] = self.missing or ("skip" if official else "zero")
        found["unjudged"] = self.unjudged or "irrelevant"
        found["order"] = "file" if official else self.order
        for name in ("collection", "elements", "chunks"):
            found[name] = shown_input(found[name])
        if self.tokenizer is not None:
            found["tokenizer"] = tokenizer_name(self.tokenizer)
        several = (tuple, dict)
        return {name: list(v) if isinstance(v, several) else v for name, v in found.items()}

    @property
    def labels(self) -> TopicFrom | None:
        """Where annotations have their topic, if that is said."""
        return None if self.topic_from is None else TopicFrom.named(self.topic_from)

    @property
    def chunk_tables(self) -> tuple[ChunksInput, ...]:
        """The chunk tables: none, one for all runs, or one for each run."""
        return self.chunks if isinstance(self.chunks, tuple) else ()


FIXED: Mapping[str, tuple[object, ...]] = {
    "order": (None, "file"),
    "unit": ("codepoint",),
    "repair": (False,),
    "repeats": ("error",),
    "collection": (None,),
    "elements": (None,),
    "results": (None,),
    "unjudged": (None, "irrelevant"),
    "chunks": (None,),
    "assessments_format": (None, "fol"),
    "topic_from": (None,),
    "run_format": (None, "fol"),
}
"""What may be said beside ``compat``."""


class ReadingKeywords(TypedDict, total=False):
    """How a file is read, as keywords of functions; :class:`Settings` tells what they mean."""

    unit: Unit
    repair: bool
    repeats: Repeats
    run_format: str | None
    assessments_format: str | None
    topic_from: str | None
    limits: bool


class SettingsKeywords(ReadingKeywords, total=False):
    """All settings as keywords of functions."""

    order: OrderChoice | None
    overlap: Overlap | None
    missing: Missing | None
    unjudged: UnjudgedChoice | None
    results: int | None
    lenient: bool
    collection: CollectionInput | None
    tokenizer: TokenizerInput | None
    elements: PathLike | None
    chunks: ChunksInput | None
    topics: Collection[str] | Mapping[str, str] | None
    run_name: RunName
    compat: Compat | None
    jobs: int | None


def shown_input(given: object) -> object:
    """Paths are shown, what was given in memory is described."""
    if given is None or isinstance(given, tuple):
        return None if given is None else tuple(map(shown_input, given))
    return os.fspath(given) if isinstance(given, (str, os.PathLike)) else "in memory"


Given = tuple[str, object]
"""What an input is for, and what was given: a path, a source, or anything in memory."""


def given_inputs(assessments: object, runs: Iterable[object], settings: Settings) -> list[Given]:
    """Everything that has a part in the scores."""
    others = (
        ("collection", settings.collection),
        ("tokenizer", settings.tokenizer and tokenizer_file(settings.tokenizer)),
        ("elements", settings.elements),
        *(("chunks", file) for file in settings.chunk_tables),
    )
    return [("assessments", assessments), *(("run", run) for run in runs), *others]


def setting_names() -> list[str]:
    """The names of all settings."""
    return [definition.name for definition in fields(Settings)]


def topic_names(given: Any) -> tuple[str, ...] | dict[str, str] | None:
    """The topics to keep, each once; whole numbers are written out, as in records.

    A dictionary, such as :func:`read_topics` gives, stays one: it has the queries, too.
    """
    if given is None:
        return None
    if isinstance(given, str):
        raise SpanwiseError(f"topics must be a list of names, got a string; write [{given!r}]")
    if isinstance(given, bytes) or not isinstance(given, Iterable):
        raise must_be("topics", "a list of names", given)
    names = tuple(dict.fromkeys(_topic_name(topic) for topic in given))
    if not names:
        raise SpanwiseError("topics is empty; name at least one topic, or leave it out")
    if not isinstance(given, Mapping):
        return names
    for query in given.values():
        if not isinstance(query, str):
            raise must_be("each of the queries of topics", "text", query)
    return {str(topic): query for topic, query in given.items()}


def _topic_name(topic: Any) -> str:
    if isinstance(topic, bool) or not isinstance(topic, (str, int)):
        raise must_be("each of the topics", "a name", topic)
    return str(topic)


def _chunk_tables(given: Any) -> tuple[ChunksInput, ...] | None:
    """Each of the tables; a list of chunks is one table, a list of tables is several."""
    if given is None:
        return None
    if _is_table(given):
        return (given,)
    if not isinstance(given, (list, tuple)) or not given:
        expected = "a chunk table (a path, chunks, {document: chunks}), or a list of them"
        raise must_be("chunks", expected, given)
    return tuple(given) if all(map(_is_table, given)) else (given,)


def _is_table(given: Any) -> bool:
    """Is this all of a table, and not one of its rows or a list of tables?"""
    if isinstance(given, Mapping):
        return bool(given) and all(isinstance(chunks, (list, tuple)) for chunks in given.values())
    if isinstance(given, list):
        return bool(given) and not (isinstance(given[0], str) or _is_table(given[0]))
    return _is_path(given) or isinstance(given, ChunkTable) or is_frame(given)


def _require_collection(given: Any) -> None:
    """Documents are at a path, in a dictionary, or opened already."""
    if given is None or _is_path(given) or isinstance(given, Documents) or is_frame(given):
        return
    if isinstance(given, (list, tuple)) and given and not isinstance(given[0], _PLAIN):
        return
    if not isinstance(given, Mapping):
        expected = "a path, {document: text}, records or an opened collection"
        raise must_be("collection", expected, given)
    for document, text in given.items():
        if not (isinstance(document, str) and isinstance(text, str)):
            raise must_be("collection", "{document: text}, both strings", {document: text})


def _require_tokenizer(given: object) -> None:
    """A tokenizer is in a file, has a name, or is a function."""
    if given is None or callable(given) or (_is_path(given) and given) or is_loaded(given):
        return
    expected = (
        "the path of a tokenizer.json, 'tiktoken:NAME', a tokenizers.Tokenizer or a function from"
        " text to pairs"
    )
    raise must_be("tokenizer", expected, given)


_PLAIN = (str, bytes, int, float)


def _is_path(given: object) -> bool:
    return isinstance(given, (str, os.PathLike))
