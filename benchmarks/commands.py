"""The commands that are measured."""

from __future__ import annotations

import sys
from dataclasses import replace
from functools import cache
from pathlib import Path

from measure import Contender, Role, measured
from workloads import Case

PYTHON = sys.executable
HERE = Path(__file__).parent
_SPANWISE = (PYTHON, "-m", "spanwise")
_PEERS = (PYTHON, str(HERE / "peers.py"))
_IN_MEMORY = (PYTHON, str(HERE / "in_memory.py"))

OURS = "spanwise"
NUMPY = "spanwise, NumPy"
LINES = "wc -l"
PYTREC_EVAL = "pytrec_eval"
UNIONS, PAIRS = "loop over unions", "loop over pairs"
SCIPY = "scipy, intervals only"
PASS, IMPORTS = "python -c pass", 'python -c "import numpy, click"'
ASSESSED = (
    *("MAep", "Q", "Rmeasure", "MAnxCG@1500", "iMAep"),
    *("nxCG@10", "nxCG@100", "nxCG@1000"),
)
"""The measures of the XCG paper's table of error rates."""


@cache
def native_is_built() -> bool:
    """Is there a native core to measure? Asked in a process of its own: the runner stays small."""
    asking = starting("from spanwise.native import core; print(core is not None)")
    return measured(asking).output == "True\n"


@cache
def has_jobs() -> bool:
    """Can runs be scored on several cores?"""
    asking = Contender("help", "ours", (*_SPANWISE, "evaluate", "--help"))
    return "--jobs" in measured(asking).output


def both(contender: Contender) -> list[Contender]:
    """Both paths of spanwise: with the native core, if it is built, and with NumPy alone."""
    numpy = replace(
        contender,
        name=contender.name.replace(OURS, NUMPY, 1),
        environment={"SPANWISE_NATIVE": "0"},
    )
    native = replace(contender, environment={"SPANWISE_NATIVE": "1"})
    return [native, numpy] if native_is_built() else [numpy]


# -- from files


def lines(case: Case) -> Contender:
    """What sees every byte once."""
    return Contender(LINES, "limit", ("wc", "-l", *map(str, case.counted)))


def spanwise(case: Case, *options: str) -> Contender:
    """All runs of a case from their files."""
    measures = [part for name in case.measures for part in ("-m", name)]
    files = map(str, (case.qrels, *case.run_files))
    collection = ("--collection", str(case.collection)) if case.articles else ()
    quietly = ("-o", "jsonl", "--quiet")
    command = (*_SPANWISE, "evaluate", *files, *measures, *collection, *quietly, *options)
    return Contender(OURS, "ours", command)


def peer(case: Case, name: str, title: str) -> Contender:
    """One of ``peers.py`` on the same files."""
    return Contender(title, "peer", (*_PEERS, name, *map(str, (case.qrels, *case.run_files))))


def ranx_on_one_run(case: Case) -> Contender:
    """Lets ranx compile what it needs for a case, which it keeps for later."""
    return Contender("ranx", "peer", (*_PEERS, "ranx", str(case.qrels), str(case.run(0))))


def loops(case: Case) -> list[Contender]:
    """The loops of RAG harnesses."""
    return [peer(case, "loop_over_unions", UNIONS), peer(case, "loop_over_pairs", PAIRS)]


def piped(block: Case, qrels: Path, count: int) -> Contender:
    """A block of answers, repeated so often, through a pipe."""
    measures = [part for name in block.measures for part in ("-m", name)]
    command = (*_SPANWISE, "evaluate", str(qrels), "-", *measures, "-o", "jsonl", "--quiet")
    return Contender(OURS, "ours", command, feed=stream(block, count, "run"))


def stream(block: Case, count: int, what: str) -> tuple[str, ...]:
    """What writes a block so often."""
    files = (str(block.qrels), str(block.run(0)))
    return (PYTHON, str(HERE / "stream.py"), str(count), what, *files)


def building(case: Case, built: Path) -> Contender:
    """Builds a collection from nothing, each time anew."""
    anew = 'rm -f "$0" && exec "$@"'
    build = (*_SPANWISE, "collection", "build", str(case.documents), "-o", str(built))
    return Contender(OURS, "ours", ("sh", "-c", anew, str(built), *build))


def parsing(case: Case) -> Contender:
    """Parses every document and throws the result away: the floor of what uses lxml."""
    command = (*_PEERS, "lxml_parsing", str(case.documents))
    return Contender("lxml, parsing alone", "peer", command)


def assessors(case: Case, second: Path) -> Contender:
    """All runs of elements under the combinations of two assessors."""
    files = map(str, (case.qrels, *case.run_files))
    measures = [part for name in ASSESSED for part in ("-m", name)]
    options = ("--other", str(second), "--collection", str(case.collection), "--quiet")
    return Contender(OURS, "ours", (*_SPANWISE, "lab", "assessors", *files, *measures, *options))


# -- in memory


def in_memory(title: str, role: Role, job: str, *arguments: object) -> Contender:
    """One of ``in_memory.py``."""
    return Contender(title, role, (*_IN_MEMORY, job, *map(str, arguments)), inside=True)


# -- start-up


def starting(code: str, role: Role = "peer") -> Contender:
    """Python, with some code."""
    title = f"python -c {code}" if code == "pass" else f'python -c "{code}"'
    return Contender(title, role, (PYTHON, "-c", code))


def helping() -> Contender:
    """The help of spanwise."""
    return Contender(f"{OURS} --help", "ours", (*_SPANWISE, "--help"))


def evaluating(qrels: Path, run: Path) -> Contender:
    """A small evaluation."""
    return Contender(f"{OURS} evaluate", "ours", (*_SPANWISE, "evaluate", str(qrels), str(run)))
