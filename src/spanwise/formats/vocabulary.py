"""The names of fields: one closed vocabulary for JSONL, records, CSV, Parquet and frames.

Every name in a row is accounted for: it is one of ours, it is noted, or, where a range
or a grade would be lost with it, the rows are refused.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from difflib import get_close_matches
from functools import cache
from typing import Literal

from spanwise.data.notes import Note
from spanwise.errors import Fault, InputError, shown
from spanwise.records import Struct

Kind = Literal["run", "assessments", "chunks", "lengths"]

ALIASES: dict[str, tuple[str, ...]] = {
    "topic": (
        *("topic", "query_id", "qid", "q_id", "topic_id", "question_id", "query", "question"),
        "user_input",
    ),
    "query": ("query", "question", "user_input"),
    "document": (
        *("document", "doc", "doc_id", "docid", "document_id", "docno", "file", "file_path"),
        *("source", "ref_doc_id", "corpus_id", "pmid", "source_id", "file_name"),
    ),
    "start": (
        *("start", "begin", "offset", "start_index", "start_char_idx", "split_idx_start"),
        *("offsetInBeginSection",),
    ),
    "end": ("end", "stop", "end_index", "end_char_idx"),
    "length": ("length", "len", "size"),
    "score": ("score", "rsv", "sim", "similarity"),
    "distance": ("distance",),
    "rank": ("rank",),
    "run": ("run", "run_id", "tag", "system"),
    "grade": ("grade", "relevance", "rel"),
    "chunk": ("chunk", "chunk_id"),
    "parts": ("parts",),
    "path": ("path", "xpath", "element"),
    "exhaustivity": ("exhaustivity", "exhaustiveness"),
    "specificity": ("specificity",),
    "size": ("size",),
    "rsize": ("rsize", "relevant_size"),
    "bep": ("bep",),
    "aspect": ("aspect", "aspects"),
    "sha256": ("sha256",),
    "text": ("text", "page_content", "content", "quote"),
    "evidence": (
        *("evidence", "reference_contexts", "ground_truth_contexts", "answers", "quotes"),
        *("contexts", "references"),
    ),
    "occurrence": ("occurrence",),
    "context": ("context",),
    "retrieved_contexts": ("retrieved_contexts", "contexts"),
}
"""Our name, and the names taken for it, the strongest first."""

_RUN = (
    *("topic", "document", "start", "end", "length", "score", "distance", "rank", "run"),
    *("chunk", "parts", "path", "text", "retrieved_contexts"),
)
_ASSESSMENTS = (
    *("topic", "document", "start", "end", "length", "grade", "aspect", "bep", "sha256"),
    *("path", "exhaustivity", "specificity", "size", "rsize", "text", "query", "evidence"),
    *("occurrence", "context"),
)
FIELDS: dict[Kind, tuple[str, ...]] = {
    "run": _RUN,
    "assessments": _ASSESSMENTS,
    "chunks": ("document", "start", "end", "length", "chunk", "text"),
    "lengths": ("document", "length"),
}
"""What the rows of each kind of file may say."""
ONLY_IN: dict[Kind, frozenset[str]] = {
    "run": frozenset(("score", "distance", "rank", "run", "parts", "retrieved_contexts")),
    "assessments": frozenset(
        (
            *("grade", "bep", "aspect", "exhaustivity", "specificity", "rsize", "sha256"),
            *("occurrence", "evidence"),
        )
    ),
}
"""What rows of one kind say and rows of the other never do."""

_TITLES: dict[Kind, str] = {
    "run": "a run",
    "assessments": "assessments",
    "chunks": "a table of chunks",
    "lengths": "a table of lengths",
}
_OF_RANGES = frozenset(
    (
        *("start", "starts", "begin", "begins", "end", "ends", "stop", "from", "to", "offset"),
        *("offsets", "span", "spans", "range", "ranges", "pos", "position", "positions", "char"),
        *("chars",),
        *("startoffset", "endoffset", "startchar", "endchar"),
    )
)
"""Words that a name for the place of a text may have."""
_OF_GRADES = frozenset(
    (
        *("grade", "grades", "judgement", "judgment", "judged", "label", "relevance", "relevant"),
        *("relevancy", "rel", "qrel", "score"),
    )
)
"""Words that a name for a grade may have."""
_OF_ENDS = frozenset(("to", "end", "ends", "stop", "endoffset", "endchar"))
_WRITTEN_ANSWERS = frozenset(
    (
        *("answer", "response", "reference", "groundtruth", "groundtruths", "expectedoutput"),
        *("expectedanswer", "goldanswer", "referenceanswer", "idealanswer"),
    )
)
"""Folded names of what somebody wrote to answer a question: no text of a document."""
_JUDGING = frozenset(
    ("start", "end", "text", "evidence", "grade", "path", "bep", "length", "exhaustivity")
)
"""Fields that tell what is relevant, or are about documents."""
_LISTS = frozenset(("evidence", "retrieved_contexts"))
"""Fields that hold several texts."""
_WORD = re.compile(r"[A-Z]?[a-z]+|[A-Z]+|[0-9]+")


MOST = 20
"""How many names that are not used are noted one by one."""


def folded(name: str) -> str:
    """A name without case, ``_`` and ``-``.

    >>> folded("Query-ID") == folded("query_id")
    True
    """
    return name.strip().casefold().replace("_", "").replace("-", "")


@cache
def _strength(ours: str) -> dict[str, int]:
    """Folded alias to its place among the aliases of a field."""
    return {folded(alias): place for place, alias in reversed([*enumerate(ALIASES[ours])])}


@cache
def _fields_of(name: str) -> tuple[str, ...]:
    """The fields, of any kind, that a folded name may mean."""
    return tuple(ours for ours in ALIASES if name in _strength(ours))


class Match(Struct, frozen=True):
    """What the names of a row or a table mean."""

    held: Mapping[str, str]
    """Our name to the name that holds it."""
    notes: tuple[Note, ...] = ()
    """One for each name that is not used."""
    problem: tuple[str, str, str, str] | None = None
    """Why such rows cannot be used: rule, found, expected, remedy."""


def match(names: Sequence[str], kind: Kind, noun: str = "column") -> Match:
    """What these names mean in rows of a kind.

    >>> match(["qid", "docno", "Offset", "len", "sim"], "run").held
    {'topic': 'qid', 'document': 'docno', 'start': 'Offset', 'length': 'len', 'score': 'sim'}
    >>> match(["qid", "docno", "from", "to"], "run").problem[1]
    "the column 'from', which may be the start"
    """
    twice = _twice(names)
    if twice is not None:
        expected = f"each {noun} once"
        return Match({}, (), ("repetition", f"the {noun} {twice!r} twice", expected, "remove one"))
    held = _held(names, kind)
    others = [name for name in names if name not in held.values()]
    lost = next((name for name in others if _may_be_lost(name, held, kind)), None)
    if lost is not None:
        return Match(held, (), _lost(lost, noun))
    problem = _unquoted(others, held, kind, noun) or _other_kind(names, held, kind)
    return Match(held, tuple(_notes(others, held, kind, noun)), problem)


def recognised(names: Sequence[str], wanted: Iterable[str]) -> dict[str, str]:
    """Our name to the name that holds it, for the wanted fields alone.

    >>> recognised(["qid", "query", "docno"], ["topic", "document"])
    {'topic': 'qid', 'document': 'docno'}
    """
    found = {ours: _strongest(names, ours) for ours in wanted}
    return {ours: name for ours, name in found.items() if name is not None}


def refuse(found: Match, file: str, line: int | None = None) -> None:
    """Raise what is wrong with the names of a table."""
    if found.problem is not None:
        rule, what, expected, remedy = found.problem
        raise InputError(Fault(file, line, what, expected, remedy, rule))


SHOWN = 40
"""Columns that a message lists, and characters of each."""


def missing_column(columns: Collection[str], ours: str) -> tuple[str, str, str]:
    """What to say when a table has no column that could be ours: found, expected, remedy."""
    names = [f"{name[:SHOWN]}..." if len(name) > SHOWN else name for name in columns]
    listed = ", ".join(names[:SHOWN]) + (", ..." if len(names) > SHOWN else "")
    found = f"columns {listed}" if names else "no columns"
    expected = f"a column for the {ours} ({', '.join(ALIASES[ours])})"
    return found, expected, f"rename the column that holds the {ours}"


# -- which name holds which field


def _twice(names: Sequence[str]) -> str | None:
    seen: set[str] = set()
    for name in map(folded, names):
        if name in seen:
            return next(each for each in names if folded(each) == name)
        seen.add(name)
    return None


def _strongest(names: Iterable[str], ours: str) -> str | None:
    strength = _strength(ours)
    known = [name for name in names if folded(name) in strength]
    return min(known, key=lambda name: strength[folded(name)], default=None)


def _held(names: Sequence[str], kind: Kind) -> dict[str, str]:
    """The strongest name of each field; some fields are only there beside, or without, another."""
    held = recognised(names, FIELDS[kind])
    if "score" in held:
        held.pop("distance", None)
    if "evidence" in held or "retrieved_contexts" in held:
        # Each item of the list has a text of its own; and rows with lists are questions.
        held.pop("text", None)
        own = next((name for name in names if folded(name) == "id"), None)
        if own is not None and held.get("topic") in (None, _strongest(names, "query")):
            held["topic"] = own
    if "evidence" not in held:
        # The text around quotes: of nothing else.
        held.pop("context", None)
    if "size" in held:
        # The size of an element; without a path it is the length of a range or a document.
        unneeded = "length" if "path" in held else "size"
        if held.get(unneeded) == held["size"]:
            del held[unneeded]
    return held


# -- names that are not used


def _notes(others: Sequence[str], held: Mapping[str, str], kind: Kind, noun: str) -> Iterator[Note]:
    for name in others[:MOST]:
        fields = _fields_of(folded(name))
        stronger = next((ours for ours in fields if ours in held), None)
        if kind == "assessments" and folded(name) in _WRITTEN_ANSWERS:
            detail = f"{noun} {name!r} is ignored: a written answer is not a quotation"
            yield Note("ignored name", detail=detail)
        elif fields == ("text",) and not _LISTS.isdisjoint(held):
            ours = "evidence" if "evidence" in held else "retrieved_contexts"
            what = "the quoted text" if ours == "evidence" else "the texts"
            detail = f"{noun} {name!r} is ignored: {held[ours]!r} holds {what}"
            yield Note("ignored name", detail=detail)
        elif stronger is not None:
            yield Note(
                "ignored name",
                detail=f"{noun} {name!r} is ignored: {held[stronger]!r} is the {stronger}",
            )
        elif "distance" in fields and "score" in held:
            yield Note(
                "ignored name", detail=f"{noun} {name!r} is ignored: {held['score']!r} is the score"
            )
        elif fields:
            yield Note(
                "ignored name",
                detail=f"{noun} {name!r} is ignored: {_TITLES[kind]} does not use it",
            )
        else:
            yield Note(
                "unknown name", detail=f"{noun} {shown(name)}", remedy=_meant(name, kind, held)
            )
    if len(others) > MOST:
        yield Note("further names", len(others) - MOST, detail=noun)


def _meant(name: str, kind: Kind, held: Collection[str]) -> str:
    """The field that an unknown name may be meant for, if rows do not say it yet."""
    known = {folded(alias): alias for ours in FIELDS[kind] for alias in ALIASES[ours]}
    words = [word for word in _words(name) if word in known]
    close = get_close_matches(folded(name), known, n=1, cutoff=0.8) or words[-1:]
    missing = [near for near in close if not any(ours in held for ours in _fields_of(near))]
    return f"rename it if it is the {known[missing[0]]}" if missing else ""


def _words(name: str) -> list[str]:
    """The words of a name, in small letters: ``startOffset``, ``start_offset``."""
    return [word.casefold() for word in _WORD.findall(name)]


def _may_be_lost(name: str, held: Collection[str], kind: Kind) -> bool:
    """May a name that is not used carry the range or the grade that the rows do not have?"""
    fields, words = _fields_of(folded(name)), {*_words(name), folded(name)}
    if kind == "lengths":
        return False
    placed = "path" in held or "chunk" in held or "start" in held
    if not fields and not words.isdisjoint(_OF_RANGES):
        return not placed or ("start" in held and not {"end", "length"} & set(held))
    # Beside other marks of assessments a score may be the grade; alone it marks a run.
    graded = kind == "assessments" and not {"grade", "exhaustivity", "specificity"} & set(held)
    unknown = not fields or (fields == ("score",) and not ONLY_IN["assessments"].isdisjoint(held))
    return graded and unknown and not words.isdisjoint(_OF_GRADES)


def _lost(name: str, noun: str) -> tuple[str, str, str, str]:
    words = {*_words(name), folded(name)}
    near = "grade"
    if not words.isdisjoint(_OF_RANGES):
        near = "start" if words.isdisjoint(_OF_ENDS) else "end"
    expected = f"a name for the {near} that spanwise knows ({', '.join(ALIASES[near])})"
    remedy = f"rename it to {near!r}, or remove it if it is something else"
    return "field", f"the {noun} {name!r}, which may be the {near}", expected, remedy


def _unquoted(
    others: Iterable[str], held: Collection[str], kind: Kind, noun: str
) -> tuple[str, str, str, str] | None:
    """Questions with written answers, which cannot be found in documents, and nothing else."""
    written = next((name for name in others if folded(name) in _WRITTEN_ANSWERS), None)
    if kind != "assessments" or written is None or not _JUDGING.isdisjoint(held):
        return None
    found = f"the {noun} {written!r}, a written answer and not a quotation"
    expected = f"text quoted from the documents ({', '.join(ALIASES['evidence'][:4])})"
    return "evidence", found, expected, f"rename {written!r} to 'evidence' if it is quoted text"


def _other_kind(
    names: Iterable[str], held: Collection[str], kind: Kind
) -> tuple[str, str, str, str] | None:
    """A row with fields that only the other kind of file has: a run taken for assessments."""
    if kind not in ONLY_IN or not ONLY_IN[kind].isdisjoint(held):
        return None
    other: Kind = "run" if kind == "assessments" else "assessments"
    mark = next((name for name in names if ONLY_IN[other] & {*_fields_of(folded(name))}), None)
    if mark is None:
        return None
    ours = "grade" if kind == "assessments" else "score"
    remedy = (
        f"check that run and assessments are not exchanged, or rename {mark!r} if it is the {ours}"
    )
    return "kind", f"a row of {_TITLES[other]}", f"a row of {_TITLES[kind]}", remedy
