"""The benchmark: spanwise beside its peers, on the same files, in one run.

Every contender is a process of its own; what counts is its processor time (user and system, from
the operating system) and its peak memory, with the files in the page cache.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from dataclasses import dataclass, field
from pathlib import Path

from commands import (
    IN_MEMORY,
    LOOPS,
    PYTHON,
    SPANWISE,
    assessors,
    building,
    comparing,
    in_memory_elements,
    lines,
    parsing,
    peer,
    ranx_on_one_run,
    spanwise,
)
from lab_files import second_assessor
from measure import Contender, Usage, contest, measured, say
from same_scores import (
    means_in,
    require_same_document_scores,
    require_same_means,
    require_same_text_scores,
)
from workloads import CASES, Case

from report import Results, Table, publish

HERE = Path(__file__).parent
DOCUMENT_TOOLS = ("pytrec_eval", "ir_measures", "ranx")
GROWTH = (0.25, 0.5, 1.0)
START_UPS = 20


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
    everything = ",".join((*CASES, "compare", "lab", "start"))
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
        self._table(case, [lines(case), spanwise(case)])

    def measure_b2(self) -> None:
        """Chunks: from the file, in memory, and how the time grows."""
        case = self._prepared("B2")
        loops = [peer(case, name, title, "loop") for name, title in LOOPS.items()]
        usages = self._table(case, [lines(case), spanwise(case), *loops])
        require_same_text_scores(usages["spanwise"], usages[LOOPS["loop_over_unions"]])
        inside = [peer(case, name, title, "ours") for name, title in IN_MEMORY.items()]
        self._in_memory({**contest(inside, self.repeat), **usages})
        self._growth()

    def measure_c1(self) -> None:
        """From XML files to a collection file."""
        case = self._prepared("C1")
        with tempfile.TemporaryDirectory() as folder:
            contenders = [lines(case), parsing(case), building(case, Path(folder) / "built")]
            self._table(case, contenders)

    def measure_c2(self) -> None:
        """Many runs of elements: from the files, and after loading."""
        case = self._prepared("C2")
        inside = in_memory_elements(case)
        usages = self._table(case, [lines(case), spanwise(case), inside], repeat=1)
        phases = json.loads(usages[inside.name].output)
        require_same_means(means_in(usages["spanwise"].output), phases.pop("means"))
        self.results.phases = phases

    def measure_compare(self) -> None:
        """Twenty runs against each other."""
        say("compare: all pairs of 20 runs")
        usages = contest([comparing("spanwise", "ours"), comparing("scipy", "peer")], self.repeat)
        self.results.comparing = {name: float(used.output) for name, used in usages.items()}

    def measure_lab(self) -> None:
        """Experiments: other topics from scores, other assessors from the files of C2."""
        case = self._prepared("C2")
        usage = contest([assessors(case, second_assessor(case))], 1)["lab assessors"]
        topics = contest([comparing("topic_sets", "ours")], self.repeat)["topic_sets"]
        self.results.lab = {"assessors": usage.cpu, "topics": float(topics.output)}

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
        say(f"{case.name}: {case.title}, {case.shape}")
        measured((PYTHON, str(HERE / "generate.py"), name, str(self.scale * share)))
        for path in case.inputs:
            _read_once(path)
        return case

    def _table(
        self, case: Case, contenders: list[Contender], repeat: int | None = None
    ) -> dict[str, Usage]:
        """Measure, and keep the table."""
        usages = contest(contenders, repeat or self.repeat)
        size = sum(path.stat().st_size for path in case.counted) / 1e6
        title = f"{case.name}: {case.title}"
        about = "; ".join(filter(None, (f"{case.shape}, {size:,.0f} MB", ", ".join(case.measures))))
        table = Table(case.name, title, tuple(contenders), usages, "wc -l", about, size)
        self.results.tables.append(table)
        return usages

    def _documents(self, case: Case) -> None:
        tools = [peer(case, name, name, "peer") for name in DOCUMENT_TOOLS]
        say("  ranx compiles")
        measured(ranx_on_one_run(case))
        usages = self._table(case, [lines(case), spanwise(case), *tools])
        require_same_document_scores(case, usages)

    def _note_cold_ranx(self, case: Case) -> None:
        command = ranx_on_one_run(case)
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
            Contender(f"{case.answers:,}", "ours", spanwise(case).command) for case in cases
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


if __name__ == "__main__":
    main()
