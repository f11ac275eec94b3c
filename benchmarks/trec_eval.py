"""NIST's trec_eval, built from its source where the environment variable names the folder."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

from measure import Contender, say
from workloads import DATA, Case

NAME = "trec_eval -O3"
VARIABLE = "TREC_EVAL_SOURCE"
_BUILD = DATA / "trec_eval"
_FLAGS = '-O3 -I. -DVERSIONID=\\"bench\\"'
_MEASURES = {"map": "AP", "ndcg_cut_10": "nDCG@10", "P_10": "P@10", "recip_rank": "RR"}
_ASKED = ("-m", "map", "-m", "ndcg_cut.10", "-m", "P.10", "-m", "recip_rank")
DIGITS = 5e-5
"""It prints four decimals."""


def built() -> Path | None:
    """The program, built with -O3 in a copy of the source; None without a source."""
    source = os.environ.get(VARIABLE)
    if not source:
        say(f"{VARIABLE} is not set: pytrec_eval is the peer for documents, trec_eval is left out")
        return None
    if not (Path(source) / "trec_eval.c").exists():
        sys.exit(f"{VARIABLE}={source}: there is no trec_eval.c in this folder")
    shutil.rmtree(_BUILD, ignore_errors=True)
    shutil.copytree(source, _BUILD)
    for left in (*_BUILD.glob("*.o"), *_BUILD.glob("*.a"), _BUILD / "trec_eval"):
        left.unlink(missing_ok=True)
    say("building trec_eval")
    command = ("make", "trec_eval", f"CFLAGS={_FLAGS}")
    result = subprocess.run(command, cwd=_BUILD, capture_output=True, text=True, check=False)
    if result.returncode:
        sys.exit(f"trec_eval cannot be built:\n{result.stderr}")
    return _BUILD / "trec_eval"


def contender(case: Case, program: Path) -> Contender:
    """All runs of a case, one process for each, as trec_eval has it."""
    each = 'program=$0 qrels=$1; shift; for run; do "$program" ' + " ".join(_ASKED)
    script = each + ' "$qrels" "$run" || exit; done'
    files = map(str, (program, case.qrels, *case.run_files))
    return Contender(NAME, "peer", ("sh", "-c", script, *files))


def means_in(output: str) -> list[dict[str, float]]:
    """The means that it printed, run by run."""
    rows = [line.split() for line in output.splitlines()]
    values = [(_MEASURES[name], float(value)) for name, _, value in rows]
    size = len(_MEASURES)
    return [dict(values[first : first + size]) for first in range(0, len(values), size)]
