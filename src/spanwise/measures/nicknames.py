"""Nicknames: one name for the measures that a campaign or a kind of user looks at."""

from __future__ import annotations

from spanwise.measures.registry import items, lists


def _at(name: str, *cutoffs: str) -> tuple[str, ...]:
    return tuple(f"{name}@{cutoff}" for cutoff in cutoffs)


_RANKS = ("5", "10", "25", "50")
_POINTS = ("0.00", "0.01", "0.05", "0.10")

ELEMENTS = "(elements)"
"""Ends members that are left out where there are no elements: over passages they reward fragments.

It is not part of their label.
"""

NICKNAMES: dict[str, tuple[str, ...]] = {
    "inex2006": (
        *_at("nxCG", *_RANKS),
        f"MAep{ELEMENTS}",
        *_at("gP", *_RANKS),
        "AgP",
        "AgP(BEPD(A=0.1))",
    ),
    "inex2008": (
        *_at("iP", *_POINTS),
        "AiP",
        *_at("gP(F(beta=0.25))", *_RANKS),
        "AgP(F(beta=0.25))",
        "AgP(BEP(n=500))",
    ),
    "inex2010": (
        *_at("iP", *_POINTS),
        "AiP",
        *_at("gP(T2Iprec(tolerance=300))", *_RANKS),
        "AgP(T2Iprec(tolerance=300))",
        "AgP(F(beta=0.25))",
        "AgP(BEP(n=500))",
    ),
    "xcg": (
        *_at("nxCG", *map(str, (1, 2, 3, 4, 5, 10, 15, 25, 50, 100, 500, 1000, 1500))),
        "MAnxCG@1500",
        *_at("ep", *(f"0.{tenth}" for tenth in range(1, 10)), "1.0"),
        *("iMAep", f"MAep{ELEMENTS}", f"Q{ELEMENTS}", "Rmeasure", "overlap"),
    ),
    "arvola": (
        "AgP(F(beta=0.25))",
        "AgP(aveChP)",
        "AgP(T2If(tolerance=300))",
        "AgP(T2If(tolerance=2000))",
        "ANCE(LE(screen=300))@600",
        "ANCE(LE(screen=2000))@600",
    ),
    "rag": (
        *("hit@5", "hitRR", "rangeR@5", "complete@5", "textR@5", "textP@5"),
        *("textR(budget=2000)", "textP(budget=2000)", "read@5", "overlap"),
    ),
    "trec": (
        *("AP", "P@5", "P@10", "P@20", "R@100", "R@1000", "RR", "Rprec"),
        *("nDCG@10", "Success@1", "Success@5", "Success@10"),
    ),
}
EVERYTHING = "all"
NAMES = (*NICKNAMES, EVERYTHING)


def members(name: str) -> tuple[str, ...]:
    """The measures behind a nickname."""
    return _everything() if name == EVERYTHING else NICKNAMES[name]


def _everything() -> tuple[str, ...]:
    """Every measure as it asks to be included, with default parameters."""
    every = [kind.in_all.format(name) + kind.takes.example for name, kind in lists().items()]
    scores = [kind.in_all.format(name) for name, kind in items().items()]
    return tuple(name for name in (*every, *scores) if name)
