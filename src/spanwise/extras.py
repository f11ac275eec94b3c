"""Packages that only some inputs and outputs need: asked for when one of these is used."""

from __future__ import annotations

from importlib.util import find_spec

from spanwise.errors import SpanwiseError


def require_polars(what: str) -> None:
    """Refuse what needs polars where it is not installed, and say how to install it."""
    try:
        found = find_spec("polars")
    except ValueError:  # A module that was set to nothing cannot be imported either.
        found = None
    if found is None:
        raise SpanwiseError(f"{what} needs polars; install it with: pip install 'spanwise[frames]'")
