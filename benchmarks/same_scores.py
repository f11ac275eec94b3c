"""Speed does not count unless the scores are right."""

from __future__ import annotations

import json
import math
import sys

from measure import Usage
from workloads import DOCUMENT_MEASURES, Case

CLOSE = 1e-6


def means_in(output: str) -> list[dict[str, float]]:
    """The means that spanwise printed, run by run."""
    runs: dict[str, dict[str, float]] = {}
    for row in map(json.loads, output.splitlines()):
        if row["topic"] == "all":
            runs.setdefault(row["run"], {})[row["measure"]] = row["value"]
    return list(runs.values())


def require_same_document_scores(case: Case, usages: dict[str, Usage]) -> None:
    """Speed does not count unless the scores are those of pytrec_eval."""
    theirs = list(json.loads(usages["pytrec_eval"].output).values())
    ours = means_in(usages["spanwise"].output)
    if len(ours) != len(theirs):
        sys.exit(f"{case.name}: spanwise scored {len(ours)} runs, pytrec_eval {len(theirs)}")
    for number, (mine, other) in enumerate(zip(ours, theirs, strict=True)):
        for name in DOCUMENT_MEASURES:
            _require_close(f"{case.name}, run {number}, {name}", mine[name], other[name])


def require_same_text_scores(found: Usage, loop: Usage) -> None:
    """The loop that unites ranges must find what spanwise finds."""
    theirs = json.loads(loop.output)["means"]
    ours = means_in(found.output)[0]
    for name, value in theirs.items():
        _require_close(f"B2, {name}", ours[name], value)


def require_same_means(ours: list[dict[str, float]], inside: list[dict[str, float]]) -> None:
    """In memory as from files, to the last bit."""
    if ours != inside:
        sys.exit("C2: the scores in memory differ from those of the files; the benchmark stops")


def _require_close(what: str, ours: float, theirs: float) -> None:
    if not math.isclose(ours, theirs, rel_tol=0, abs_tol=CLOSE):
        sys.exit(f"{what}: spanwise finds {ours}, its peer {theirs}; the benchmark stops here")
