"""Names that are not ours: those of other tools, and misspelled ones. What may be meant by them."""

from __future__ import annotations

import re
from collections.abc import Iterable

CHARACTERS = "counts characters"
CHUNKS = "counts answers (chunks)"
RANGES = "counts relevant ranges"
DOCUMENTS = "counts documents"

_OTHER_TOOLS: tuple[tuple[str, tuple[tuple[str, str], ...]], ...] = (
    (
        "recall contextrecall setrecall tokenrecall coverage documentrecall recallsinglehit",
        (("textR@k", CHARACTERS), ("rangeR@k", RANGES), ("R@k", DOCUMENTS)),
    ),
    (
        "evidencerecall rangerecall recallmultihit",
        (("rangeR@k", RANGES), ("textR@k", CHARACTERS)),
    ),
    (
        "precision contextprecision setprecision setp tokenprecision",
        (("textP@k", CHARACTERS), ("hitP@k", CHUNKS), ("P@k", DOCUMENTS)),
    ),
    (
        "f1 f1score fscore fmeasure setf",
        (("textF@k", CHARACTERS), ("AgP(F(beta=1))", "scores document by document")),
    ),
    (
        "iou jaccard contextiou",
        (("textIoU@k", CHARACTERS), ("AgP(IoU)", "scores document by document")),
    ),
    (
        "hits hitrate hitratio hr accuracy topkaccuracy",
        (("hit[@k]", CHUNKS), ("Success@k", DOCUMENTS)),
    ),
    (
        "mrr meanreciprocalrank reciprocalrank reciprank documentmrr",
        (("hitRR[@k]", CHUNKS), ("RR[@k]", f"(MRR) {DOCUMENTS}")),
    ),
    (
        "map meanaverageprecision averageprecision documentmap",
        (("AP[@k]", f"(MAP) {DOCUMENTS}"), ("AgP", "scores the text returned of them")),
    ),
    (
        "ndcg dcg meanndcg documentndcg",
        (("nDCG(passages)[@k]", CHUNKS), ("nDCG[@k]", DOCUMENTS)),
    ),
    (
        "rprecision",
        (("Rprec", DOCUMENTS),),
    ),
    (
        "contextlength contextsize contexttokens tokens charactersread tokensread",
        (("read[@k]", CHARACTERS), ("read(unit=tokens)[@k]", "counts tokens")),
    ),
)
"""Names of other tools, and the measures that may be meant, each with what it does.

Names are written without capitals and punctuation. k is the cut-off that was given; in brackets
it is optional.
"""
OTHER_NAMES = {name: meant for names, meant in _OTHER_TOOLS for name in names.split()}
OTHER_ITEMS = {"precision": "P", "recall": "R", "f1": "F", "fmeasure": "F", "jaccard": "IoU"}
"""The same for document scores."""

_WRITTEN_OUT = re.compile(r"[-_ ](?:(?:at|cut)[-_ ])?(\d+|k)$", re.IGNORECASE)


def instead(text: str) -> str:
    """How another tool's measure is written here, with its cut-off; nothing if none is known.

    >>> instead("Recall@5")
    'textR@5 counts characters, rangeR@5 counts relevant ranges, R@5 counts documents'
    >>> instead("mrr"), instead("R-precision")
    ('hitRR counts answers (chunks), RR (MRR) counts documents', 'Rprec counts documents')
    """
    before, _, cutoff = text.partition("@")
    name = before.partition("(")[0].strip()
    if written := _WRITTEN_OUT.search(name):
        name, cutoff = name[: written.start()], written[1]
    meant = OTHER_NAMES.get(plain(name), ())
    return ", ".join(f"{_cut_off(measure, cutoff.strip())} {does}" for measure, does in meant)


def plain(name: str) -> str:
    """Without capitals and punctuation."""
    return re.sub(r"[\W_]", "", name).lower()


def _cut_off(measure: str, cutoff: str) -> str:
    """A measure of the table with the cut-off that was given, if that is a rank."""
    if not re.fullmatch(r"0*[1-9]\d*", cutoff, re.ASCII):
        return measure.replace("[@k]", "")
    return re.sub(r"\[?@k\]?", f"@{int(cutoff)}", measure)


def alike(name: str, known: Iterable[str], cutoff: float = 0.5) -> str | None:
    """The known name that differs in capitals only, or the most similar one.

    >>> alike("agp", ["gP", "AgP"]), alike("AgPP", ["gP", "AgP"]), alike("x", ["AgP"])
    ('AgP', 'AgP', None)
    """
    from difflib import get_close_matches

    names = list(known)
    same = [word for word in names if word.lower() == name.lower()]
    found = same or get_close_matches(name, names, n=1, cutoff=cutoff)
    return found[0] if found else None
