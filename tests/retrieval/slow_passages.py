"""The twin of passage scoring: slow, in plain Python, from the definition."""

from __future__ import annotations

import math
import re
from collections import Counter


def words(text: str) -> list[str]:
    return re.findall(r"[a-z0-9]+", text.lower())


def slow_scores(
    texts: dict[str, str], units: list[str], every_unit: list[str], query: str
) -> list[float]:
    """BM25 of each unit: weights of words from whole documents, lengths from all units."""
    mean = sum(len(words(unit)) for unit in every_unit) / len(every_unit)
    total = []
    for unit in units:
        counts, score = Counter(words(unit)), 0.0
        share = max(len(words(unit)) / mean, 0.5)
        for word in words(query):
            having = sum(word in words(text) for text in texts.values())
            if having:
                weight = math.log(1 + (len(texts) - having + 0.5) / (having + 0.5))
                count = counts[word]
                score += weight * count * 2.2 / (count + 1.2 * (0.25 + 0.75 * share))
        total.append(score)
    return total
