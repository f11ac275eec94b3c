"""What assessors are called: after their files, as briefly as they can be distinguished."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from spanwise.errors import SpanwiseError, legible, option, shown
from spanwise.inputs.runs import AssessmentsInput, names_of

LONGEST = 100


def require_assessor(name: str) -> None:
    """Refuse names that pages and files cannot show: blank, long, or with control characters."""
    if not name or not name.strip():
        raise SpanwiseError(f"name who judges: {option('assessor')}")
    if len(name) > LONGEST or not name.isprintable():
        raise SpanwiseError(
            f"the name of an assessor must be at most {LONGEST} characters that can be printed, got"
            f" {shown(name)}; give another {option('assessor')}"
        )


def assessor_names(given: Sequence[AssessmentsInput]) -> list[str]:
    """Those of their files, as short as they can be distinguished; others are numbered.

    >>> assessor_names(["a/first.jsonl", "a/second.jsonl"])
    ['first', 'second']
    """
    files = [
        next(iter(names_of([("assessor", one)])), f"assessor {number}")
        for number, one in enumerate(given, start=1)
    ]
    stems = [legible(Path(file).stem) for file in files]
    return stems if len(set(stems)) == len(stems) else [legible(file) for file in files]


def without_common_parts(names: Sequence[str]) -> list[str]:
    """Names without the parts between dots with which all of them begin.

    >>> without_common_parts(["assessments.first", "assessments.second"])
    ['first', 'second']
    >>> without_common_parts(["a.b", "a"]), without_common_parts(["one", "other"])
    (['a.b', 'a'], ['one', 'other'])
    """
    parts = [name.split(".") for name in names]
    same = 0
    while all(len(own) > same + 1 and own[same] == parts[0][same] for own in parts):
        same += 1
    return [".".join(own[same:]) for own in parts]
