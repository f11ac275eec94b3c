"""Speed does not count unless the scores are right."""

from __future__ import annotations

import json
import math
import sys

from measure import Usage

CLOSE = 1e-6
Means = list[dict[str, float]]


def means_in(output: str) -> Means:
    """The means that spanwise printed, run by run."""
    runs: dict[str, dict[str, float]] = {}
    for row in map(json.loads, output.splitlines()):
        if row["topic"] == "all":
            runs.setdefault(row["run"], {})[row["measure"]] = row["value"]
    return list(runs.values())


def require_same_paths(what: str, usages: dict[str, Usage], names: tuple[str, str]) -> None:
    """The native core and the NumPy code print the same bytes."""
    if all(name in usages for name in names):
        native, other = (usages[name].output for name in names)
        if native != other:
            sys.exit(f"{what}: the native core and the NumPy code differ; the benchmark stops here")


def require_close(what: str, ours: Means, theirs: Means, tolerance: float = CLOSE) -> None:
    """Every mean that a peer found is what spanwise found."""
    if len(ours) != len(theirs):
        sys.exit(f"{what}: spanwise scored {len(ours)} runs, its peer {len(theirs)}")
    for number, (mine, other) in enumerate(zip(ours, theirs, strict=True)):
        for name, value in other.items():
            if not math.isclose(mine[name], value, rel_tol=0, abs_tol=tolerance):
                sys.exit(
                    f"{what}, run {number}, {name}: spanwise finds {mine[name]}, its peer {value};"
                    " the benchmark stops here"
                )
