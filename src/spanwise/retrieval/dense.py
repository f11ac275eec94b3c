"""Dense scoring with a user's own embedding: no model is part of spanwise."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from spanwise.errors import SpanwiseError
from spanwise.records import must_be, replace
from spanwise.retrieval.browsing import in_reading_order
from spanwise.retrieval.passages import Browsing, Passage

Embed = Callable[[list[str]], Any]
"""From texts to vectors: an array with a row for each text."""


def cosines(embed: Embed, query: str, texts: Sequence[str]) -> list[float]:
    """The cosine of each text's vector with that of the query; 0 for a vector of zeros.

    >>> cosines(lambda texts: [[len(text), 1.0] for text in texts], "ab", ["cd"])
    [1.0]
    """
    if not callable(embed):
        raise must_be("embed", "a function from a list of texts to an array", embed)
    if not texts:
        return []
    given = [query, *texts]
    try:
        vectors = np.asarray(embed(given), np.float64)
    except Exception as problem:
        what = f"{type(problem).__name__}: {problem}"
        raise SpanwiseError(f"the embedding function failed: {what}") from problem
    if vectors.ndim != 2 or len(vectors) != len(given) or not np.isfinite(vectors).all():
        raise SpanwiseError(
            f"the embedding function returned an array of shape {vectors.shape}, expected"
            f" {len(given)} rows of finite numbers, one for each text"
        )
    norms = np.linalg.norm(vectors, axis=1)
    products = (vectors[1:] * vectors[0]).sum(axis=1)
    scale = norms[1:] * norms[0]
    found = np.divide(products, scale, out=np.zeros(len(texts)), where=scale > 0)
    return [round(value, 12) for value in found.tolist()]


def reranked(passages: Sequence[Passage], how: Browsing) -> tuple[Passage, ...]:
    """The best of these passages by their new scores, with new ranks, in reading order."""
    best = sorted(passages, key=lambda each: (-each.score, each.start))[: how.passages]
    least = how.share * best[0].score if best else 0.0
    kept = [each for each in best if each.score >= least]
    return in_reading_order([replace(each, rank=n) for n, each in enumerate(kept, start=1)])
