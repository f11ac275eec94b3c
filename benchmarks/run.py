"""The benchmark: spanwise beside its peers, on the same files, in one run.

Every contender is a process of its own; what counts is its processor time (user and system, from
the operating system) and its peak memory, with the files in the page cache.
"""

from __future__ import annotations

import argparse
import json
import math
import sys
import tempfile
from dataclasses import dataclass, field
from pathlib import Path

from measure import Contender, Role, Usage, contest, measured, say
from report import Results, Table, publish
from workloads import CASES, DOCUMENT_MEASURES, Case

HERE = Path(__file__).parent
PYTHON = sys.executable
SPANWISE = (PYTHON, "-m", "spanwise")
DOCUMENT_TOOLS = ("pytrec_eval", "ir_measures", "ranx")
LOOPS = {
    "loop_over_unions": "loop per query, united ranges, 2 measures",
    "loop_over_pairs": "loop per query, pairs of spans, 2 measures",
}
IN_MEMORY = {
    "spanwise_in_memory": "spanwise, 2 measures",
    "spanwise_in_memory_four": "spanwise, 4 measures",
}
GROWTH = (0.25, 0.5, 1.0)
START_UPS = 20
CLOSE = 1e-6


def main() -> None:
    """Measure what was asked for, and print it as Markdown."""
    arguments = _arguments()
    results = Results(arguments.scale, arguments.repeat)
    benchmark = Benchmark(arguments.scale, arguments.repeat, results)
    for name in arguments.only.split(","):
        getattr(benchmark, f"measure_{name.lower()}")()
    sys.stdout.write(results.markdown() + "\n")
    if arguments.write:
        publish(results, HERE / "README.md")


def _arguments() -> argparse.Namespace:
    everything = ",".join((*CASES, "start"))
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--scale", type=float, default=1.0, help="share of the full size")
    parser.add_argument("--only", default=everything, help=f"some of {everything}")
    parser.add_argument("--repeat", type=int, default=3, help="measurements; the least counts")
    parser.add_argument("--write", action="store_true", help="put the results into README.md")
    arguments = parser.parse_args()
    unknown = set(arguments.only.split(",")) - set(everything.split(","))
    if unknown:
        parser.error(f"--only {', '.join(sorted(unknown))}: expected some of {everything}")
    if arguments.write and (arguments.scale != 1 or arguments.only != everything):
        parser.error("--write is for the whole benchmark: leave out --scale and --only")
    return arguments


@dataclass
class Benchmark:
    """The cases, one after the other."""

    scale: float
    repeat: int
    results: Results = field(repr=False)

    def measure_a1(self) -> None:
        """One large run of whole documents."""
        self._documents(self._prepared("A1"))

    def measure_a2(self) -> None:
        """Many runs of whole documents."""
        case = self._prepared("A2")
        self._documents(case)
        self._note_cold_ranx(case)

    def measure_b1(self) -> None:
        """Many runs of passages."""
        case = self._prepared("B1")
        self._table(case, [_lines(case), _spanwise(case)])

    def measure_b2(self) -> None:
        """Chunks: from the file, in memory, and how the time grows."""
        case = self._prepared("B2")
        loops = [_peer(case, name, title, "loop") for name, title in LOOPS.items()]
        usages = self._table(case, [_lines(case), _spanwise(case), *loops])
        _require_same_text_scores(usages)
        inside = [_peer(case, name, title, "ours") for name, title in IN_MEMORY.items()]
        self._in_memory({**contest(inside, self.repeat), **usages})
        self._growth()

    def measure_start(self) -> None:
        """What it costs to do nothing."""
        contenders = [
            Contender("python -c pass", "limit", (PYTHON, "-c", "pass")),
            Contender('python -c "import click"', "start", (PYTHON, "-c", "import click")),
            Contender("spanwise --help", "ours", (*SPANWISE, "--help")),
        ]
        say("start-up")
        usages = contest(contenders, START_UPS)
        table = Table("start", "Start-up", tuple(contenders), usages, "python -c pass")
        self.results.tables.append(table)

    # -- parts

    def _prepared(self, name: str, share: float = 1.0) -> Case:
        """A case whose files exist and are in the page cache."""
        case = CASES[name].scaled(self.scale * share)
        say(f"{case.name}: {case.title}, {case.answers:,} lines")
        measured((PYTHON, str(HERE / "generate.py"), name, str(self.scale * share)))
        for path in (case.qrels, *case.run_files):
            _read_once(path)
        return case

    def _table(self, case: Case, contenders: list[Contender]) -> dict[str, Usage]:
        usages = contest(contenders, self.repeat)
        size = sum(path.stat().st_size for path in case.run_files) / 1e6
        title = f"{case.name}: {case.title}"
        shape = f"{case.runs} x {case.topics:,} topics x {case.depth:,} = {case.answers:,} lines"
        about = f"{shape}, {size:,.0f} MB; {', '.join(case.measures)}"
        table = Table(case.name, title, tuple(contenders), usages, "wc -l", about, size)
        self.results.tables.append(table)
        return usages

    def _documents(self, case: Case) -> None:
        tools = [_peer(case, name, name, "peer") for name in DOCUMENT_TOOLS]
        say("  ranx compiles")
        measured(_ranx_on_one_run(case))
        usages = self._table(case, [_lines(case), _spanwise(case), *tools])
        _require_same_document_scores(case, usages)

    def _note_cold_ranx(self, case: Case) -> None:
        command = _ranx_on_one_run(case)
        with tempfile.TemporaryDirectory() as empty:
            cold = measured(command, {"NUMBA_CACHE_DIR": empty})
        warm = measured(command)
        self.results.notes.append(
            f"ranx is measured with a warm compiler cache; its first run on a machine takes"
            f" {cold.cpu - warm.cpu:.0f} s more."
        )

    def _in_memory(self, usages: dict[str, Usage]) -> None:
        for title in (*IN_MEMORY.values(), *LOOPS.values()):
            self.results.in_memory[title] = json.loads(usages[title].output)["scoring"]

    def _growth(self) -> None:
        cases = [self._prepared("B2", share) for share in GROWTH]
        contenders = [
            Contender(f"{case.answers:,}", "ours", _spanwise(case).command) for case in cases
        ]
        usages = contest(contenders, self.repeat)
        self.results.growth = [
            (case.answers, usages[one.name]) for case, one in zip(cases, contenders, strict=True)
        ]


def _read_once(path: Path) -> None:
    """Bring a file into the page cache, in little memory: the contenders' peaks begin with ours."""
    room = bytearray(1 << 16)
    with path.open("rb", buffering=0) as stream:
        while stream.readinto(room):
            pass


# -- commands


def _lines(case: Case) -> Contender:
    return Contender("wc -l", "limit", ("wc", "-l", *map(str, case.run_files)))


def _spanwise(case: Case) -> Contender:
    measures = [part for name in case.measures for part in ("-m", name)]
    files = map(str, (case.qrels, *case.run_files))
    return Contender(
        "spanwise", "ours", (*SPANWISE, "evaluate", *files, *measures, "-o", "jsonl", "--quiet")
    )


def _peer(case: Case, name: str, title: str, role: Role) -> Contender:
    files = map(str, (case.qrels, *case.run_files))
    return Contender(title, role, (PYTHON, str(HERE / "peers.py"), name, *files))


def _ranx_on_one_run(case: Case) -> tuple[str, ...]:
    """The command that lets ranx compile what it needs for a case, which it keeps for later."""
    return (PYTHON, str(HERE / "peers.py"), "ranx", str(case.qrels), str(case.run(0)))


# -- the same scores


def _means(output: str) -> list[dict[str, float]]:
    """The means that spanwise printed, run by run."""
    runs: dict[str, dict[str, float]] = {}
    for row in map(json.loads, output.splitlines()):
        if row["topic"] == "all":
            runs.setdefault(row["run"], {})[row["measure"]] = row["value"]
    return list(runs.values())


def _require_same_document_scores(case: Case, usages: dict[str, Usage]) -> None:
    """Speed does not count unless the scores are those of pytrec_eval."""
    theirs = list(json.loads(usages["pytrec_eval"].output).values())
    ours = _means(usages["spanwise"].output)
    if len(ours) != len(theirs):
        sys.exit(f"{case.name}: spanwise scored {len(ours)} runs, pytrec_eval {len(theirs)}")
    for number, (mine, other) in enumerate(zip(ours, theirs, strict=True)):
        for name in DOCUMENT_MEASURES:
            _require_close(f"{case.name}, run {number}, {name}", mine[name], other[name])


def _require_same_text_scores(usages: dict[str, Usage]) -> None:
    """The loop that unites ranges must find what spanwise finds."""
    theirs = json.loads(usages[LOOPS["loop_over_unions"]].output)["means"]
    ours = _means(usages["spanwise"].output)[0]
    for name, value in theirs.items():
        _require_close(f"B2, {name}", ours[name], value)


def _require_close(what: str, ours: float, theirs: float) -> None:
    if not math.isclose(ours, theirs, rel_tol=0, abs_tol=CLOSE):
        sys.exit(f"{what}: spanwise finds {ours}, its peer {theirs}; the benchmark stops here")


if __name__ == "__main__":
    main()
