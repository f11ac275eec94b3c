"""Attributes of objects of other libraries, which may run code that fails."""

from __future__ import annotations

from typing import Any

from spanwise.errors import SpanwiseError

_ABSENT = object()


def attribute(answer: object, name: str, default: object = None) -> Any:
    """An attribute of an answer, or the default where it has none.

    >>> attribute("Peru", "page_content") is None
    True
    """
    try:
        return getattr(answer, name, default)
    except Exception as problem:
        raise _unreadable(answer, name, problem) from problem


def called(answer: object, name: str) -> Any:
    """What a method of an answer returns."""
    method = attribute(answer, name)
    try:
        return method()
    except Exception as problem:
        raise _unreadable(answer, name, problem) from problem


def has(answer: object, *names: str) -> bool:
    """Does an answer have all of these attributes?"""
    return all(attribute(answer, name, _ABSENT) is not _ABSENT for name in names)


def _unreadable(answer: object, name: str, problem: Exception) -> SpanwiseError:
    kind = type(problem).__name__
    return SpanwiseError(
        f"found an answer of type {type(answer).__name__} whose {name} cannot be read ({kind}:"
        f" {problem}), expected an object with its text; give it as a dictionary such as"
        " {'document': ..., 'text': ...}"
    )
