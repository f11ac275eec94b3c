"""Whether a pool, its documents and a log fit together: looked at before anybody judges."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

from spanwise.assessing.importing import pairs_of
from spanwise.assessing.log import POOL, Log
from spanwise.assessing.pools import Pool
from spanwise.assessing.reanchoring import changed_documents
from spanwise.data.documents import Documents
from spanwise.data.notes import NAMED
from spanwise.errors import NeedError, SpanwiseError, option
from spanwise.text.sentences import counted, first_few

ENDING = ".judgements"
_PACKED = (".gz", ".zst")


def log_of(pool: str | os.PathLike[str]) -> str:
    """The log that belongs to a pool unless another one is named: beside it.

    >>> log_of("sea/pool.jsonl.gz")
    'sea/pool.judgements'
    """
    path = Path(pool)
    if path.suffix in _PACKED:
        path = path.with_suffix("")
    return os.fspath(path.with_suffix(ENDING))


def require_pooled_documents(pool: Pool, documents: Documents | None) -> Documents:
    """The documents, if they are there with their texts; refused by their names otherwise."""
    if documents is None or not documents.has_text:
        raise NeedError(f"judging needs the texts of documents: give {option('collection')}")
    names = dict.fromkeys(one.document for topic in pool.topics for one in topic.documents)
    if not names:
        raise SpanwiseError("the pool has no documents, so there is nothing to judge; pool runs")
    missing = [name for name in names if name not in documents.lengths]
    if missing:
        raise SpanwiseError(
            f"{_some(missing, len(names))} of the pool {_are(missing)} not in the collection; give"
            f" the {option('collection')} that the pooled runs are about"
        )
    _refuse_beyond(pool, documents)
    return documents


def _refuse_beyond(pool: Pool, documents: Documents) -> None:
    """Ranges beyond the end of a document were returned from another text."""
    for topic in pool.topics:
        for one in topic.documents:
            length = documents.lengths[one.document]
            end = one.ranges[-1][1] if one.ranges else 0
            if end > length:
                raise SpanwiseError(
                    f"document {one.document} of topic {topic.topic} has {length} characters, and"
                    f" the pool a range that ends at {end}; give the {option('collection')} that"
                    " the pooled runs are about"
                )


def require_unchanged(log: Log, documents: Documents) -> None:
    """Refuse documents that are no longer what was judged: offsets would be wrong."""
    changed = changed_documents(log, documents)
    if changed:
        raise SpanwiseError(
            f"{_some(changed, len(log.documents()))} have changed since they were judged, or are"
            f" not in the collection; give the documents that were judged, or see with"
            f" {option('reanchor', True)} where the passages are now"
        )


def take_pool(log: Log, pool: Pool, pool_hash: str) -> None:
    """Let a log belong to a pool; another one may take its place if it has all that was judged."""
    require_pool(log, pool, pool_hash)
    if log.about().get(POOL) != pool_hash:
        log.remember(POOL, pool_hash)


def require_pool(log: Log, pool: Pool, pool_hash: str) -> None:
    """Refuse a log that belongs to another pool, which lacks some of what was judged."""
    if log.about().get(POOL) == pool_hash:
        return
    pooled = pairs_of(pool)
    judged = [key for key, (version, _) in sorted(log.histories().items()) if version]
    pairs = dict.fromkeys((key.topic, key.document) for key in judged)
    missing = [f"{document} of topic {topic}" for topic, document in pairs.keys() - pooled]
    if missing:
        raise SpanwiseError(
            f"{log.name} belongs to another pool: {_some(sorted(missing), len(pairs))} judged there"
            f" {_are(missing)} not in this one; give that pool, or {option('log')} another file"
        )


def _some(names: Sequence[str], of: int) -> str:
    return f"{len(names):,} of {counted(of, 'document')} ({', '.join(first_few(names, NAMED))})"


def _are(names: Sequence[str]) -> str:
    return "is" if len(names) == 1 else "are"
