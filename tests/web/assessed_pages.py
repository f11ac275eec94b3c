"""Assessments that tests make: documents, a pool of them, and a log."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from spanwise.assessing.log import Log
from spanwise.assessing.operations import Scale
from spanwise.assessing.pools import Pool, PooledDocument, PooledTopic
from spanwise.collection.collection import open_collection
from spanwise.web.assessment import Assessment

SEA = (
    "The tide rises twice a day. The moon pulls the sea.\n\n"
    "Fog comes with warm air. Ships sound their horns in fog. Bells ring on buoys.\n\n"
    "Herring swim in shoals. Nets catch them at night."
)
DOCUMENTS = {"sea": SEA, "fog": "Fog hides the coast. A horn sounds.", "fish": "Cod is salted."}
NARRATIVE = "How ships find their way in fog. How fog forms is not relevant."


def pool_of(documents: Sequence[str], topics: Mapping[str, str] | None = None) -> Pool:
    """The same documents for each topic, in this order; half of each was returned."""
    asked = {"q1": "finding the way in fog"} if topics is None else topics
    own = tuple(PooledDocument(name, 2, 1, ((0, 10),)) for name in documents)
    found = (PooledTopic(topic, query, NARRATIVE, own) for topic, query in asked.items())
    return Pool(tuple(found), 10, "shuffled", ("a", "b"))


def assessment_of(
    folder: Path,
    documents: Mapping[str, str | bytes] = DOCUMENTS,
    *,
    assessors: Sequence[str] = ("ann",),
    scale: Scale = Scale(),  # noqa: B008
    topics: Mapping[str, str] | None = None,
    **options: Any,
) -> Assessment:
    """An assessment of documents; names without an ending are those of plain text."""
    texts = folder / "texts"
    texts.mkdir(parents=True, exist_ok=True)
    for name, text in documents.items():
        file = texts / (name if "." in name else f"{name}.txt")
        file.write_bytes(text if isinstance(text, bytes) else text.encode("utf-8"))
    names = [name.partition(".")[0] for name in documents]
    log = Log.open(folder / "pool.judgements", scale=scale)
    pool = options.pop("pool", None) or pool_of(names, topics)
    collection = open_collection(str(texts), None, None)
    return Assessment(pool, "0" * 64, collection, log, tuple(assessors), "The pool", **options)


def desk_of(topic: str, document: str) -> str:
    """The address of a document."""
    return f"/assess?topic={topic}&document={document}"
