"""The commands that are measured."""

from __future__ import annotations

import sys
from pathlib import Path

from measure import Contender, Role
from workloads import Case

PYTHON = sys.executable
SPANWISE = (PYTHON, "-m", "spanwise")
HERE = Path(__file__).parent
_PEERS = (PYTHON, str(HERE / "peers.py"))


LOOPS = {
    "loop_over_unions": "loop per query, united ranges, 2 measures",
    "loop_over_pairs": "loop per query, pairs of spans, 2 measures",
}
IN_MEMORY = {
    "spanwise_in_memory": "spanwise, 2 measures",
    "spanwise_in_memory_four": "spanwise, 4 measures",
}
ASSESSED = (
    *("MAep", "Q", "Rmeasure", "MAnxCG@1500", "iMAep"),
    *("nxCG@10", "nxCG@100", "nxCG@1000"),
)
"""The measures of the XCG paper's table of error rates."""


def lines(case: Case) -> Contender:
    """What sees every byte once."""
    return Contender("wc -l", "limit", ("wc", "-l", *map(str, case.counted)))


def spanwise(case: Case) -> Contender:
    """All runs of a case from their files."""
    measures = [part for name in case.measures for part in ("-m", name)]
    files = map(str, (case.qrels, *case.run_files))
    collection = ("--collection", str(case.collection)) if case.articles else ()
    options = (*measures, *collection, "-o", "jsonl", "--quiet")
    return Contender("spanwise", "ours", (*SPANWISE, "evaluate", *files, *options))


def peer(case: Case, name: str, title: str, role: Role) -> Contender:
    """One of ``peers.py`` on the same files."""
    files = map(str, (case.qrels, *case.run_files))
    return Contender(title, role, (*_PEERS, name, *files))


def ranx_on_one_run(case: Case) -> tuple[str, ...]:
    """The command that lets ranx compile what it needs for a case, which it keeps for later."""
    return (*_PEERS, "ranx", str(case.qrels), str(case.run(0)))


# -- elements


def building(case: Case, built: Path) -> Contender:
    """Builds a collection from nothing, each time anew."""
    anew = 'rm -f "$0" && exec "$@"'
    build = (*SPANWISE, "collection", "build", str(case.documents), "-o", str(built))
    return Contender("spanwise", "ours", ("sh", "-c", anew, str(built), *build))


def parsing(case: Case) -> Contender:
    """Parses every document and throws the result away: the floor of what uses lxml."""
    command = (*_PEERS, "lxml_parsing", str(case.documents))
    return Contender("lxml, parsing alone", "floor", command)


def in_memory_elements(case: Case) -> Contender:
    """The runs of elements, scored when everything has been read."""
    files = map(str, (case.qrels, case.collection, *case.run_files))
    command = (*_PEERS, "spanwise_elements", *files)
    return Contender("spanwise, all runs in memory", "ours", command)


# -- comparisons


def comparing(name: str, role: Role) -> Contender:
    """All pairs of 20 runs."""
    return Contender(name, role, (PYTHON, str(HERE / "comparing.py"), name))


def assessors(case: Case, second: Path) -> Contender:
    """All runs of elements under the combinations of two assessors."""
    files = map(str, (case.qrels, *case.run_files))
    measures = [part for name in ASSESSED for part in ("-m", name)]
    options = ("--other", str(second), "--collection", str(case.collection), "--quiet")
    command = (*SPANWISE, "lab", "assessors", *files, *measures, *options)
    return Contender("lab assessors", "ours", command)
