"""The benchmark: spanwise beside its peers, on the same files, in one run.

Every contender is a process of its own; what counts is its processor time (user and system, from
the operating system) and its peak memory, with the files in the page cache.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path

import targets
import trec_eval
from commands import (
    IMPORTS,
    LINES,
    NUMPY,
    OURS,
    PAIRS,
    PASS,
    PYTHON,
    PYTREC_EVAL,
    SCIPY,
    UNIONS,
    assessors,
    both,
    building,
    evaluating,
    has_jobs,
    helping,
    in_memory,
    lines,
    loops,
    native_is_built,
    parsing,
    peer,
    piped,
    ranx_on_one_run,
    spanwise,
    starting,
    stream,
)
from lab_files import second_assessor
from measure import Contender, Usage, contest, measured, say
from same_scores import means_in, require_close, require_same_paths
from workloads import CASES, DATA, Case

from report import Results, publish, table_of

HERE = Path(__file__).parent
DOCUMENT_TOOLS = (PYTREC_EVAL, "ir_measures", "ranx")
QUERIES = (1, 100, 10_000)
GROWTH, LARGE = (10**4, 10**5, 10**6, 10**7), 10**8
"""Answers of the runs that show how costs grow."""
START_UPS = 20
TINY = {
    "qrels.txt": "q1 Q0 d1 10 100 5 5:10\n",
    "run.txt": "q1 Q0 d1 1 2.5 tiny 0 20\nq1 Q0 d2 2 1.5 tiny 0 20\n",
}


def main() -> None:
    """Measure what was asked for, and print it as Markdown."""
    arguments = _arguments()
    results = Results(arguments.scale, arguments.repeat)
    benchmark = Benchmark(arguments.scale, arguments.repeat, arguments.large, results)
    if not native_is_built():
        results.notes.append("The native core is not built here: only the NumPy code is measured.")
    for name in arguments.only.split(","):
        getattr(benchmark, f"measure_{name.lower()}")()
    text = results.markdown(targets.table(results))
    sys.stdout.write(text + "\n")
    if arguments.write:
        publish(text, HERE / "README.md")


def _arguments() -> argparse.Namespace:
    measurements = (*("A1", "A2", "B1", "B2", "C1", "C2"), *("dicts", "start", "jobs", "growth"))
    everything = ",".join((*measurements, "compare", "lab"))
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--scale", type=float, default=1.0, help="share of the full size")
    parser.add_argument("--only", default=everything, help=f"some of {everything}")
    parser.add_argument("--repeat", type=int, default=3, help="measurements; the least counts")
    parser.add_argument("--large", action="store_true", help=f"growth up to {LARGE:,} answers")
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
    large: bool
    results: Results

    # -- whole documents

    def measure_a1(self) -> None:
        """One large run of whole documents; scores of few digits and of many."""
        case = self._documents("A1")
        long = self._prepared("A1-15")
        contenders = [
            *_both_of(spanwise(case), "6 digits"),
            *_both_of(spanwise(long), "15 digits"),
        ]
        usages = self._measured("A1-15", contenders)
        if len({usage.output for usage in usages.values()}) != 1:
            sys.exit("A1-15: more digits give other scores; the benchmark stops here")
        self.results.add("A1 with scores of 15 digits", _about(long), usages, (contenders[0].name,))

    def measure_a2(self) -> None:
        """Many runs of whole documents."""
        self._note_cold_ranx(self._documents("A2"))

    # -- ranges of text

    def measure_b1(self) -> None:
        """Many runs of passages."""
        case = self._prepared("B1")
        self._case_table(case, [lines(case), *both(spanwise(case))], (LINES,))

    def measure_b2(self) -> None:
        """Chunks: from the file, from JSONL, from ready objects."""
        case = self._prepared("B2")
        contenders = [lines(case), *both(spanwise(case)), *loops(case)]
        usages = self._case_table(case, contenders, (LINES, PAIRS, UNIONS))
        ours = means_in(usages[NUMPY].output)
        require_close("B2", ours, usages[UNIONS].result)
        rows = self._prepared("B2-jsonl")
        contenders = [*_both_of(spanwise(case), "FOL"), *_both_of(spanwise(rows), "JSONL")]
        usages = self._measured("B2-jsonl", contenders)
        for usage in usages.values():
            require_close("B2 as JSONL", means_in(usage.output), ours, 0)
        self.results.add("B2 as JSONL", _about(rows), usages, (contenders[0].name,))
        self._ready_objects(case, ours)

    def _ready_objects(self, case: Case, ours: list[dict[str, float]]) -> None:
        files = (case.qrels, case.run(0))
        contenders = [
            *both(in_memory(f"{OURS}, 4 measures", "ours", "objects", *files, *case.measures)),
            *both(in_memory(f"{OURS}, 2 measures", "ours", "objects", *files, *case.measures[:2])),
            in_memory(UNIONS, "peer", "unions", *files),
            in_memory(PAIRS, "peer", "pairs", *files),
        ]
        usages = self._measured("B2 objects", contenders)
        require_close("B2 from objects", usages[f"{NUMPY}, 4 measures"].result, ours, 0)
        about = "Scoring alone, after reading: spanwise's own objects here, lists of tuples there."
        self.results.add("B2 from ready objects", about, usages, (PAIRS, UNIONS))

    def measure_dicts(self) -> None:
        """Dictionaries of few and many queries, and calls on one query."""
        groups = {}
        for queries in QUERIES:
            say(f"dictionaries: {queries:,} queries x 20")
            name = "1 query" if queries == 1 else f"{queries:,} queries"
            prepared = in_memory(
                f"{OURS}, prepared `Evaluator`", "ours", "prepared_chunks", queries
            )
            chunks = [
                *both(in_memory(OURS, "ours", "chunks", queries)),
                *both(prepared),
                in_memory(UNIONS, "peer", "chunk_unions", queries),
                in_memory(PAIRS, "peer", "chunk_pairs", queries),
            ]
            documents = [
                *both(in_memory(OURS, "ours", "documents", queries)),
                in_memory(PYTREC_EVAL, "peer", "document_peer", queries),
            ]
            found = self._measured(name, chunks), self._measured(f"{name} of documents", documents)
            for usages, other in zip(found, (UNIONS, PYTREC_EVAL), strict=True):
                require_close(name, usages[NUMPY].result, usages[other].result)
            groups[name] = found
        self._dictionary_table("Dictionaries of chunks", [pair[0] for pair in groups.values()])
        self._dictionary_table("Dictionaries of documents", [pair[1] for pair in groups.values()])

    def _dictionary_table(self, title: str, groups: Sequence[dict[str, Usage]]) -> None:
        head = ["CPU ms of one call", *(f"{queries:,} x 20" for queries in QUERIES)]
        rows = [
            [name, *(f"{1000 * usages[name].cpu:,.3f}" for usages in groups)] for name in groups[0]
        ]
        self.results.add_section(title, table_of(head, rows))

    # -- elements

    def measure_c1(self) -> None:
        """From XML files to a collection file."""
        case = self._prepared("C1")
        with tempfile.TemporaryDirectory() as folder:
            built = both(building(case, Path(folder) / "built"))
            self._case_table(case, [lines(case), parsing(case), *built], (LINES,))

    def measure_c2(self) -> None:
        """Many runs of elements: from the files, and after loading."""
        case = self._prepared("C2")
        contenders = [lines(case), *both(spanwise(case))]
        usages = self._case_table(case, contenders, (LINES,), repeat=1)
        files = (case.qrels, case.collection, *case.run_files)
        inside = self._measured(
            "C2 in memory", both(in_memory(OURS, "ours", "elements", *files)), repeat=1
        )
        require_close("C2", inside[NUMPY].result, means_in(usages[NUMPY].output), 0)
        about = (
            "Scoring alone, with all runs in memory; loading the trees of the articles that the"
            " runs name and finding every path in them is included."
        )
        self.results.add("C2 in memory", about, inside)

    # -- the program itself

    def measure_start(self) -> None:
        """What it costs to do next to nothing, with bytecode that an earlier start has written."""
        say("start-up")
        with tempfile.TemporaryDirectory() as folder:
            for name, text in TINY.items():
                (Path(folder) / name).write_text(text)
            tiny = evaluating(*(Path(folder) / name for name in TINY))
            contenders = [
                starting("pass", "limit"),
                starting("import click"),
                starting("import numpy, click"),
                *both(helping()),
                *both(tiny),
            ]
            for contender in contenders:
                measured(contender)
            usages = self._measured("start", contenders, START_UPS)
        about = "`evaluate` scores two answers of one topic."
        self.results.add("Start-up", about, usages, (PASS, IMPORTS), unit="ms")

    def measure_jobs(self) -> None:
        """One core and two."""
        if not has_jobs():
            self.results.notes.append("`evaluate` has no `--jobs` here: two cores are left out.")
            say("jobs: this spanwise has no --jobs, left out")
            return
        usages: dict[str, Usage] = {}
        for name in ("A1", "A2", "B1"):
            case = self._prepared(name)
            contenders = [
                replace(contender, name=contender.name.replace(OURS, f"{name}, --jobs {jobs}", 1))
                for jobs in (1, 2)
                for contender in both(spanwise(case, "--jobs", str(jobs)))
            ]
            found = contest(contenders, self.repeat)
            if len({usage.output for usage in found.values()}) != 1:
                sys.exit(f"{name}: --jobs 2 gives other bytes; the benchmark stops here")
            usages |= found
        self.results.groups["jobs"] = usages
        self.results.add("One core and two", "All outputs of a case are equal.", usages)

    def measure_growth(self) -> None:
        """How costs grow with the length of a run that comes through a pipe."""
        block = self._prepared("growth", 1)
        sizes = [size for size in GROWTH if size <= max(GROWTH[-1] * self.scale, GROWTH[0])]
        sizes += [LARGE] if self.large else []
        group = self.results.groups.setdefault("growth", {})
        rows = []
        for size in sizes:
            count = size // block.answers
            qrels = DATA / f"growth-qrels-{size}.txt"
            with qrels.open("wb") as out:
                subprocess.run(stream(block, count, "qrels"), stdout=out, check=True)
            say(f"growth: {size:,} answers")
            contenders = both(piped(block, qrels, count))
            usages = contest(contenders, self.repeat if size < GROWTH[-1] else 1)
            qrels.unlink()
            require_same_paths(f"growth, {size:,}", usages, (OURS, NUMPY))
            group |= {str(size): usages[one.name] for one in contenders if one.name == OURS}
            rows.append([f"{size:,}", *_growth_cells(usages.get(OURS), size)])
            rows[-1] += _growth_cells(usages[NUMPY], size)
        kinds = ("", " NumPy")
        head = [
            "answers",
            *(f"{what}{kind}" for kind in kinds for what in ("CPU s", "µs per answer", "RSS MB")),
        ]
        about = "1,000 passages a topic, about 50 bytes each, through a pipe."
        self.results.add_section("Growth", about, table_of(head, rows))

    # -- from scores

    def measure_compare(self) -> None:
        """Twenty runs against each other."""
        say("compare: all pairs of 20 runs")
        contenders = [
            *both(in_memory(OURS, "ours", "comparison")),
            in_memory(SCIPY, "peer", "scipy_intervals"),
        ]
        usages = self._measured("compare", contenders)
        self.results.add("Comparing 20 runs", "From scores in memory.", usages, (SCIPY,))

    def measure_lab(self) -> None:
        """Experiments: other topics from scores, other assessors from the files of C2."""
        case = self._prepared("C2")
        judged = both(assessors(case, second_assessor(case)))
        usages = self._measured("lab assessors", judged, repeat=1)
        self.results.add("Lab: assessors", "", usages)
        usages = self._measured("lab topics", both(in_memory(OURS, "ours", "topic_sets")))
        self.results.add("Lab: topics", "From scores in memory.", usages)

    # -- parts

    @cached_property
    def _trec_eval(self) -> Path | None:
        program = trec_eval.built()
        if program is None:
            self.results.notes.append(
                f"{trec_eval.VARIABLE} was not set: pytrec_eval, which is the C code of trec_eval"
                " behind Python, is the only peer of that family."
            )
        return program

    def _prepared(self, name: str, scale: float | None = None) -> Case:
        """A case whose files exist and are in the page cache."""
        scale = self.scale if scale is None else scale
        case = CASES[name].scaled(scale)
        say(f"{case.name}: {case.title}, {case.shape}")
        command = (PYTHON, str(HERE / "generate.py"), name, str(scale))
        measured(Contender("generate.py", "ours", command))
        for path in case.inputs:
            _read_once(path)
        self.results.sizes[name] = _size(case)
        return case

    def _measured(
        self, group: str, contenders: Sequence[Contender], repeat: int | None = None
    ) -> dict[str, Usage]:
        """Let contenders take turns; both paths of spanwise must find the same."""
        usages = contest(contenders, repeat or self.repeat)
        for one in contenders:
            if one.role == "ours":
                twin = one.name.replace(OURS, NUMPY, 1)
                require_same_paths(group, usages, (one.name, twin))
        self.results.groups[group] = usages
        return usages

    def _case_table(
        self,
        case: Case,
        contenders: Sequence[Contender],
        over: Sequence[str],
        repeat: int | None = None,
    ) -> dict[str, Usage]:
        """Measure a case from its files, and keep the table."""
        usages = self._measured(case.name, contenders, repeat)
        self.results.add(f"{case.name}: {case.title}", _about(case), usages, over)
        return usages

    def _documents(self, name: str) -> Case:
        case = self._prepared(name)
        tools = [peer(case, tool, tool) for tool in DOCUMENT_TOOLS]
        if self._trec_eval:
            tools.insert(0, trec_eval.contender(case, self._trec_eval))
        say("  ranx compiles")
        measured(ranx_on_one_run(case))
        contenders = [lines(case), *both(spanwise(case)), *tools]
        usages = self._case_table(case, contenders, (LINES, trec_eval.NAME, PYTREC_EVAL))
        ours = means_in(usages[NUMPY].output)
        for tool in DOCUMENT_TOOLS:
            require_close(f"{name}, {tool}", ours, usages[tool].result)
        if self._trec_eval:
            theirs = trec_eval.means_in(usages[trec_eval.NAME].output)
            require_close(f"{name}, {trec_eval.NAME}", ours, theirs, trec_eval.DIGITS)
        return case

    def _note_cold_ranx(self, case: Case) -> None:
        warm = ranx_on_one_run(case)
        with tempfile.TemporaryDirectory() as empty:
            cold = measured(replace(warm, environment={"NUMBA_CACHE_DIR": empty}))
        self.results.notes.append(
            f"ranx is measured with a warm compiler cache; its first run on a machine takes"
            f" {cold.cpu - measured(warm).cpu:.0f} s more."
        )


def _both_of(contender: Contender, kind: str) -> list[Contender]:
    """Both paths of spanwise on a kind of file."""
    return both(replace(contender, name=f"{OURS}, {kind}"))


def _growth_cells(usage: Usage | None, answers: int) -> list[str]:
    if usage is None:
        return ["", "", ""]
    return [f"{usage.cpu:.3f}", f"{1e6 * usage.cpu / answers:.2f}", f"{usage.memory:,.0f}"]


def _size(case: Case) -> float:
    return sum(path.stat().st_size for path in case.counted) / 1e6


def _about(case: Case) -> str:
    """The shape, size and measures of a case."""
    shape = f"{case.shape}, {_size(case):,.0f} MB"
    return "; ".join(filter(None, (shape, ", ".join(case.measures))))


def _read_once(path: Path) -> None:
    """Bring a file into the page cache, in little memory: the contenders' peaks begin with ours."""
    room = bytearray(1 << 16)
    with path.open("rb", buffering=0) as stream:
        while stream.readinto(room):
            pass


if __name__ == "__main__":
    main()
