"""The names under which other people's tables hold our columns."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from functools import cache

ALIASES: dict[str, tuple[str, ...]] = {
    "topic": ("topic", "query_id", "qid", "q_id", "topic_id", "query"),
    "document": (
        *("document", "doc", "doc_id", "docid", "docno", "file", "file_path", "source"),
        *("ref_doc_id", "corpus_id", "pmid"),
    ),
    "start": ("start", "begin", "offset", "start_index", "start_char_idx", "offsetInBeginSection"),
    "end": ("end", "stop", "end_index", "end_char_idx"),
    "length": ("length", "len", "size"),
    "score": ("score", "rsv", "sim"),
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
    "text": ("text",),
}
"""Our name, and the names taken for it, the strongest first."""

RUN_COLUMNS = (
    *("topic", "document", "start", "end", "length", "score", "rank", "run"),
    *("chunk", "parts", "path"),
)
ASSESSMENT_COLUMNS = (
    *("topic", "document", "start", "end", "length", "grade", "aspect", "bep"),
    *("sha256", "path", "exhaustivity", "specificity", "size", "rsize"),
)
CHUNK_COLUMNS = ("document", "start", "end", "length", "chunk")


def folded(name: str) -> str:
    """A column's name without case, ``_`` and ``-``.

    >>> folded("Query-ID") == folded("query_id")
    True
    """
    return name.strip().casefold().replace("_", "").replace("-", "")


@cache
def _strength(ours: str) -> dict[str, int]:
    """Folded alias to its place among the aliases of a column."""
    return {folded(alias): place for place, alias in reversed([*enumerate(ALIASES[ours])])}


def recognised(columns: Sequence[str], wanted: Iterable[str]) -> tuple[dict[str, str], list[str]]:
    """Our name to the column that holds it, and a note for each column that a stronger one hides.

    >>> recognised(["qid", "query", "docno"], ["topic", "document"])
    ({'topic': 'qid', 'document': 'docno'}, ["column 'query' is ignored: 'qid' is the topic"])
    """
    held: dict[str, str] = {}
    hidden: dict[str, str] = {}
    for ours in wanted:
        strength = _strength(ours)
        found = [name for name in columns if folded(name) in strength]
        found.sort(key=lambda name: strength[folded(name)])
        if found:
            held[ours] = found[0]
            hidden |= dict.fromkeys(found[1:], f"{found[0]!r} is the {ours}")
    used = set(held.values())
    notes = (f"column {name!r} is ignored: {why}" for name, why in hidden.items())
    return held, [note for name, note in zip(hidden, notes, strict=True) if name not in used]


def missing_column(columns: Collection[str], ours: str) -> tuple[str, str, str]:
    """What to say when a table has no column that could be ours: found, expected, remedy."""
    found = f"columns {', '.join(columns)}" if columns else "no columns"
    expected = f"a column for the {ours} ({', '.join(ALIASES[ours])})"
    return found, expected, f"rename the column that holds the {ours}"
