"""Articles as XML files (case C1)."""

from __future__ import annotations

from pathlib import Path

from articles import TAGS, Articles, articles
from drawing import Integers, generator
from workloads import Case

_WORDS = (
    *("the", "of", "and", "a", "in", "to", "is", "for", "that", "with", "by", "from", "which"),
    *("data", "system", "results", "method", "figure", "process", "design", "memory", "node"),
    *("network", "performance", "evaluation", "parallel", "architecture", "naïve", "Müller", "&"),
    *("retrieval—based", "R&D", "α", "structured", "1999", "implementation", "environment"),
)
_LENGTH = 200_000
_LONGEST = 200
"""No stretch of text in an article is longer."""


def make_c1(case: Case, folder: Path) -> None:
    """A folder of XML files, with entities, and letters of more than one byte."""
    rng = generator(case)
    text = " ".join(rng.choice(_WORDS, _LENGTH // 5))
    for some in articles(rng, case.articles):
        places = rng.integers(0, len(text) - _LONGEST, (2, len(some.tag)))
        for number, name in enumerate(some.names):
            path = folder / "documents" / f"{name}.xml"
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(_xml(some, number, text, places), encoding="utf-8")


def _xml(some: Articles, number: int, text: str, places: Integers) -> str:
    """One article."""
    rows = slice(*some.offsets[number : number + 2].tolist())
    parent, tag = some.parent[rows].tolist(), [TAGS[tag] for tag in some.tag[rows].tolist()]
    leads, tails = (
        [text[start : start + size] for start, size in zip(column.tolist(), sizes, strict=True)]
        for column, sizes in (
            (places[0, rows], some.lead[rows].tolist()),
            (places[1, rows], some.tail[rows].tolist()),
        )
    )
    parts, inside = list[str](), list[int]()
    for row, above in enumerate([*parent, -1]):
        while inside and inside[-1] != above:
            closed = inside.pop()
            parts.append(f"</{tag[closed]}>{tails[closed]}")
        if row < len(tag):
            inside.append(row)
            parts.append(f"<{tag[row]}>{leads[row]}")
    escaped = "".join(parts).replace("&", "&amp;").replace("—", "&#8212;")
    return f'<?xml version="1.0" encoding="utf-8"?>\n{escaped}\n'
