"""The optional native core: ``core`` is the extension, or None where the NumPy code runs.

Both give the same results, bit by bit. ``SPANWISE_NATIVE=0`` chooses the NumPy code, ``1`` refuses
to run without the extension.
"""

from __future__ import annotations

import os
from types import ModuleType
from typing import TYPE_CHECKING

from spanwise.errors import SpanwiseError

if TYPE_CHECKING:
    from spanwise.native import _core as core
else:

    def _chosen() -> ModuleType | None:
        choice = os.environ.get("SPANWISE_NATIVE", "")
        if choice not in ("", "0", "1"):
            raise SpanwiseError(f"SPANWISE_NATIVE must be 0 or 1, got {choice!r}")
        if choice == "0":
            return None
        try:
            from spanwise.native import _core
        except ImportError:
            if choice == "1":
                raise SpanwiseError(
                    "SPANWISE_NATIVE=1 asks for the native core, which is not installed; install a"
                    " wheel that has it, or build with a C compiler"
                ) from None
            return None
        return _core

    core = _chosen()


def path() -> str:
    """Which code does the work, in words."""
    return "NumPy code" if core is None else "native core"
