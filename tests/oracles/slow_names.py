"""Measure names for the slow twin: a tiny recursive parser and the table of defaults.

A name is `Name`, `Name(item)`, `Name(item,key=value)`, each optionally followed by `@cutoff`.
Every value stays the text that was written, so that a threshold can be read as an exact decimal.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

READING = {
    "after": "natural",
    "within": "document",
    "start": "parts",
    "passage_penalty": "0",
    "min_passage": "0",
}
DOCUMENT_SCORES: dict[str, dict[str, str]] = {
    "P": {},
    "R": {},
    "F": {"beta": "1"},
    "IoU": {},
    "rel": {},
    "aveChP": READING,
    "ChP": {"k": "600", **READING},
    "ChR": {"k": "600", **READING},
    "T2Iprec": {"tolerance": "300", **READING},
    "T2Irecall": {"tolerance": "300", **READING},
    "T2If": {"tolerance": "300", "beta": "1", **READING},
    "BEP": {"n": "500"},
    "BEPD": {"A": "0.1"},
}
EFFORT_SCORES: dict[str, dict[str, str]] = {"LE": {"screen": "300", "nr": "5", **READING}}
GAINS: dict[str, dict[str, str]] = {
    "elements": {"quant": "sog", "alpha": "1", "ideal": "shortest", "near": "none"},
    "passages": {"alpha": "1"},
}
SHELVES = (DOCUMENT_SCORES, EFFORT_SCORES, GAINS)
ITEMS = DOCUMENT_SCORES | EFFORT_SCORES | GAINS

BY = {"by": ""}
BUDGET = {"budget": "", "unit": "characters"}
RULE = {"rule": "ratio"}
DIVISOR = {"divisor": "retrieved"}
GAIN_LISTS: dict[str, dict[str, str]] = {
    "xCG": {},
    "nxCG": {},
    "MAnxCG": {},
    "gr": {},
    "ep": RULE,
    "iMAep": RULE,
    "MAep": RULE | DIVISOR,
    "Q": DIVISOR,
    "Rmeasure": {},
}
LISTS: dict[str, dict[str, str]] = {
    "gP": {},
    "gR": BY,
    "AgP": BY,
    "igP": {},
    "AP": {},
    "P": {},
    "R": {},
    "RR": {},
    "Rprec": {},
    "nDCG": {},
    "Success": {},
    "CE": {},
    "NCE": {},
    "ANCE": {},
    "iP": {},
    "AiP": {},
    "textP": BUDGET,
    "textR": BUDGET,
    "textF": BUDGET,
    "textIoU": BUDGET,
    "overlap": {},
    "inex_eval": {"quant": "strict"},
    **GAIN_LISTS,
}
DEFAULT_ITEMS = {
    "gP": "F",
    "AgP": "F",
    "igP": "F",
    "CE": "LE",
    "NCE": "LE",
    "ANCE": "LE",
}
UNION_ONLY = (
    *("IoU", "aveChP", "ChP", "ChR", "T2Iprec", "T2Irecall", "T2If", "LE", "textIoU"),
    *GAINS,
)
CHOICES = {
    "by": ("text", "found-text"),
    "after": ("natural", "worst", "best"),
    "within": ("document", "rank"),
    "start": ("parts", "bep"),
    "unit": ("characters", "tokens"),
    "quant": ("strict", "gen", "sog", "spec", "binary"),
    "ideal": ("shortest", "longest"),
    "rule": ("ratio", "linear"),
    "divisor": ("retrieved", "larger", "ideal"),
}
CUTOFF_REQUIRED = (
    *("gP", "gR", "igP", "P", "R", "Success", "iP"),
    *("xCG", "nxCG", "gr", "ep"),
)
CUTOFF_OPTIONAL = ("AP", "RR", "nDCG", "textP", "textR", "textF", "textIoU")
CUTOFF_DEFAULT = {"CE": "600", "NCE": "600", "ANCE": "600", "MAnxCG": "1500"}
MEANS = {"MAgP": "AgP", "MAP": "AP", "MAiP": "AiP", "MANCE": "ANCE", "MRR": "RR"}


class BadNameError(ValueError):
    """The name is not one the twin knows."""


@dataclass
class Name:
    """A parsed name: its word, its item, its parameters as written, its cut-off as written."""

    word: str
    item: Name | None = None
    parameters: dict[str, str] = field(default_factory=dict)
    cutoff: str | None = None


def parse(text: str) -> Name:
    """The parsed name, as written, without defaults."""
    name, rest = _parse_name(text.replace(" ", ""))
    if rest:
        raise BadNameError(f"{text}: cannot read {rest!r}")
    return name


def _parse_name(text: str) -> tuple[Name, str]:
    word, rest = _take(r"[A-Za-z][A-Za-z0-9_]*", text)
    name = Name(word)
    if rest.startswith("("):
        rest = _parse_arguments(name, rest[1:])
    if rest.startswith("@"):
        name.cutoff, rest = _take(r"[0-9.eE+-]+", rest[1:])
    return name, rest


def _parse_arguments(name: Name, text: str) -> str:
    rest = text
    while True:
        if re.match(r"[A-Za-z_]+=", rest):
            key, rest = _take(r"[A-Za-z_]+", rest)
            value, rest = _take(r"[^,()@]+(\([^()]*\))?", rest[1:])
            if key in name.parameters:
                raise BadNameError(f"{key} is given twice")
            name.parameters[key] = value
        elif name.item is None and not name.parameters:
            name.item, rest = _parse_name(rest)
        else:
            raise BadNameError(f"only the first argument may be an item: {rest!r}")
        if rest.startswith(")"):
            return rest[1:]
        _, rest = _take(",", rest)


def _take(pattern: str, text: str) -> tuple[str, str]:
    found = re.match(pattern, text)
    if found is None:
        raise BadNameError(f"found {text!r}, expected {pattern}")
    return found.group(), text[found.end() :]


def parse_item(text: str) -> Name:
    """A document score, effort score or gain with every parameter filled in."""
    return complete_item(parse(text))


def parse_list(text: str) -> Name:
    """A list score with its item, its parameters and its cut-off filled in."""
    name = parse(text)
    word = MEANS.get(name.word, name.word)
    if word not in LISTS:
        raise BadNameError(f"{name.word} is no list score")
    cutoff = _complete_cutoff(word, name.cutoff)
    return Name(word, _complete_list_item(word, name.item), _complete(name, LISTS[word]), cutoff)


def complete_item(name: Name) -> Name:
    if name.word not in ITEMS or name.item is not None or name.cutoff is not None:
        raise BadNameError(f"{name.word} is no document score, effort score or gain")
    return Name(name.word, None, _complete(name, ITEMS[name.word]))


def _complete_list_item(word: str, item: Name | None) -> Name | None:
    default = DEFAULT_ITEMS.get(word)
    if default is None and word not in GAIN_LISTS:
        if item is not None:
            raise BadNameError(f"{word} has no item")
        return None
    if default is None and item is None:
        raise BadNameError(f"{word} needs an item: which gain depends on the assessments")
    item = complete_item(item or Name(default or ""))
    shelf = GAINS if word in GAIN_LISTS else next(one for one in SHELVES if default in one)
    if item.word not in shelf:
        raise BadNameError(f"{word} cannot stand on {item.word}")
    return item


def _complete(name: Name, defaults: dict[str, str]) -> dict[str, str]:
    for key, value in name.parameters.items():
        if key not in defaults:
            raise BadNameError(f"{name.word} has no parameter {key}")
        if value not in CHOICES.get(key, (value,)):
            raise BadNameError(f"{key} cannot be {value}")
    return defaults | name.parameters


def _complete_cutoff(word: str, cutoff: str | None) -> str | None:
    if cutoff is None and word in CUTOFF_REQUIRED:
        raise BadNameError(f"{word} needs a cut-off")
    if cutoff is None or word in (*CUTOFF_REQUIRED, *CUTOFF_OPTIONAL, *CUTOFF_DEFAULT):
        return cutoff or CUTOFF_DEFAULT.get(word)
    raise BadNameError(f"{word} takes no cut-off")
