"""Names and values as a list: settings, versions, files."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from spanwise.reporting.html.escape import escaped


def facts(values: Mapping[str, Any], kind: str = "") -> str:
    """A list of names, each with its value."""
    pairs = "".join(
        f"<dt>{escaped(str(name))}</dt><dd><code>{escaped(worded(value))}</code></dd>"
        for name, value in values.items()
    )
    name = f' class="{kind}"' if kind else ""
    return f"<dl{name}>{pairs}</dl>"


def worded(value: Any) -> str:
    """A value as people read it.

    >>> worded({"test": "t", "levels": [0.05, 0.01], "seed": None})
    'test: t; levels: 0.05, 0.01; seed: none'
    """
    if isinstance(value, Mapping):
        return "; ".join(f"{name}: {worded(inner)}" for name, inner in value.items()) or "none"
    if isinstance(value, (list, tuple)):
        return ", ".join(map(worded, value))
    if isinstance(value, bool):
        return "yes" if value else "no"
    return "none" if value is None else str(value)
