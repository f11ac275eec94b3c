"""Measures as values: ``from spanwise.measures import AgP, F``; ``gP(F(beta=0.25)) @ 10``.

Every registered measure can be imported from here. ``P`` and ``R`` are document scores, which a
cut-off turns into the measures of whole documents: ``P @ 10``. A dot in a name is written ``_``:
``chroma_iou @ 5`` is ``chroma.iou@5``.
"""

from __future__ import annotations

from typing import Any


def __getattr__(name: str) -> Any:
    from spanwise.measures.registry import item_score, list_score

    if not name.startswith("__"):
        found = item_score(name) or list_score(name) or list_score(name.replace("_", ".", 1))
        if found is not None:
            return found
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    from spanwise.measures.registry import items, lists

    return sorted({*items(), *(name.replace(".", "_") for name in lists())})
