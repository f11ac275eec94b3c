"""How costs grow, engine by engine: ``scaling.py [--most N] [--engines memory,dask,spark]``.

Each table changes one thing: the answers of a run, the number of runs, the ranges in a document.
Files are written to a temporary folder and removed. The outputs of all engines must be the same
bytes, or the study stops. ``--part`` chooses tables.
"""

from __future__ import annotations

import argparse
import re
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from hashlib import sha256
from pathlib import Path

import numpy as np
from generate import prepare
from measure import Contender, Usage, measured, say
from workloads import CASES, CHUNK_MEASURES, Case

MEMORY = "1GB"
ENGINES: dict[str, tuple[str, ...]] = {
    "in process": ("--memory", MEMORY),
    "dask": ("--engine", "dask"),
    "spark": ("--engine", "spark"),
}
_PLACE = b"########"
_MILLION = 1_000_000


def main() -> None:
    """Measure the parts that are asked for, and print their tables."""
    words = argparse.ArgumentParser(description=__doc__)
    words.add_argument("--most", type=float, default=1e7, help="answers of the longest run")
    words.add_argument("--most-elsewhere", type=float, default=1e7, help="the same for clusters")
    words.add_argument("--engines", default=",".join(ENGINES))
    words.add_argument("--part", default=",".join(PARTS))
    given = words.parse_args()
    engines = given.engines.split(",")
    for name in given.part.split(","):
        with tempfile.TemporaryDirectory() as folder:
            study = Study(Path(folder), engines, int(given.most), int(given.most_elsewhere))
            title, head, rows = PARTS[name](study)
        print(f"\n### {title}\n\n{table([head, *rows])}", flush=True)


class Study:
    """Where files are written, and who takes part."""

    def __init__(self, folder: Path, engines: Sequence[str], most: int, elsewhere: int) -> None:
        self.folder, self.engines, self.most, self.elsewhere = folder, engines, most, elsewhere

    def cells(self, qrels: Path, runs: Sequence[Path], answers: int) -> list[str]:
        """What each engine costs: seconds, microseconds per answer, memory."""
        found, outputs = [], set[str]()
        for engine in self.engines:
            if engine != "in process" and answers > self.elsewhere:
                found += ["–", "–", "–"]
                continue
            say(f"{engine}: {answers:,} answers")
            usage = self._usage(engine, qrels, runs)
            outputs.add(sha256(usage.output.encode()).hexdigest())
            rate = f"{usage.wall / answers * _MILLION:.2f}"
            found += [f"{usage.wall:.1f}", rate, f"{usage.memory:,.0f}"]
        if len(outputs) > 1:
            sys.exit("engines print different files; the study stops here")
        return found

    def _usage(self, engine: str, qrels: Path, runs: Sequence[Path]) -> Usage:
        measures = (word for name in CHUNK_MEASURES for word in ("-m", name))
        files = (str(qrels), *map(str, runs))
        program = (sys.executable, "-m", "spanwise", "evaluate", *files, *measures)
        command = (*program, "-o", "jsonl", "--quiet", *ENGINES[engine])
        return measured(Contender(engine, "ours", command))

    @property
    def head(self) -> list[str]:
        """The names of the columns."""
        columns = ("wall s", "µs per answer", "RSS MB")
        return [f"{engine}: {column}" for engine in self.engines for column in columns]


Found = tuple[str, list[str], list[list[str]]]


def of_answers(study: Study) -> Found:
    """One run, 1,000 answers to each topic, of more and more topics."""
    block, rows = block_of(CASES["growth"]), []
    for size in sizes(100_000, study.most):
        qrels, [run] = written(block, study.folder, size // 10_000, 1)
        rows.append([f"{size:,}", *study.cells(qrels, [run], size)])
        run.unlink()
    return "Answers of one run", ["answers", *study.head], rows


def of_scattered_answers(study: Study) -> Found:
    """The same answers, but every topic comes back after all others: nothing can be streamed."""
    block, rows = block_of(CASES["growth"]), []
    for size in sizes(100_000, study.most):
        qrels, [run] = written(block, study.folder, size // 10_000, 1)
        run.unlink()
        scattered(block.run(0), run, size // 10_000)
        rows.append([f"{size:,}", *study.cells(qrels, [run], size)])
        run.unlink()
    return "Answers of one run whose topics come back", ["answers", *study.head], rows


def of_runs(study: Study) -> Found:
    """The same answers as one run, or as many."""
    block, rows = block_of(CASES["growth"]), []
    size = min(study.most, 10 * _MILLION)
    for count in (1, 10, 100, 1000):
        qrels, runs = written(block, study.folder, max(size // 10_000 // count, 1), count)
        answers = max(size // count, 10_000) * count
        rows.append([f"{count:,}", *study.cells(qrels, runs, answers)])
        for run in runs:
            run.unlink()
    return f"Runs that share {size:,} answers", ["runs", *study.head], rows


def of_ranges(study: Study) -> Found:
    """The same answers in ever fewer documents."""
    rows = []
    for each in (1, 10, 100, 1000):
        qrels, run = crowded(study.folder, each, study.most)
        size = min(study.most, _MILLION)
        rows.append([f"{each:,}", *study.cells(qrels, [run], size)])
    head = ["answers and relevant ranges in a document", *study.head]
    return f"Ranges of {min(study.most, _MILLION):,} answers per document", head, rows


PARTS: dict[str, Callable[[Study], Found]] = {
    "answers": of_answers,
    "scattered": of_scattered_answers,
    "runs": of_runs,
    "ranges": of_ranges,
}


def sizes(least: int, most: int) -> Iterator[int]:
    """Powers of ten."""
    while least <= most:
        yield least
        least *= 10


# -- files


def block_of(case: Case) -> Case:
    """A block of topics that is repeated."""
    prepare(case)
    return case


def written(block: Case, folder: Path, count: int, runs: int) -> tuple[Path, list[Path]]:
    """Assessments, and runs with so many blocks each."""
    qrels = folder / "qrels.txt"
    repeat(block.qrels, qrels, count)
    files = [folder / f"run{number:04}.fol" for number in range(runs)]
    for number, file in enumerate(files):
        repeat(block.run(0), file, count, b"run%04d" % number)
    return qrels, files


def repeat(source: Path, target: Path, count: int, tag: bytes | None = None) -> None:
    """A block several times, with other names of topics each time."""
    template = named_topics(source.read_bytes())
    if tag is not None:
        template = tagged(template, tag)
    with target.open("wb") as out:
        for number in range(count):
            out.write(template.replace(_PLACE, b"%08d" % number))


def named_topics(lines: bytes) -> bytes:
    """Lines whose topics have a place for the number of their block."""
    return re.sub(rb"^q?(\d+) ", rb"q" + _PLACE + rb"-\1 ", lines, flags=re.MULTILINE)


def tagged(lines: bytes, tag: bytes) -> bytes:
    """Lines of a run with this name."""
    return re.sub(rb"^(\S+ \S+ \S+ \S+ \S+) \S+", rb"\1 " + tag, lines, flags=re.MULTILINE)


def scattered(source: Path, target: Path, count: int) -> None:
    """The same answers as those of ``repeat``, but each topic's are as far apart as can be."""
    template = named_topics(source.read_bytes())
    by_rank: dict[int, list[bytes]] = {}
    for line in template.splitlines(keepends=True):
        by_rank.setdefault(int(line.split()[3]), []).append(line)
    names = [b"%08d" % number for number in range(count)]
    with target.open("wb") as out:
        for rank in sorted(by_rank):
            lines = tagged(b"".join(by_rank[rank]), b"run0000")
            out.writelines(lines.replace(_PLACE, name) for name in names)


def crowded(folder: Path, each: int, most: int) -> tuple[Path, Path]:
    """1,000 answers to each topic, with so many in a document; half of these are relevant."""
    topics = min(most, _MILLION) // 1000
    rng = np.random.default_rng(each)
    qrels, run = folder / f"qrels{each}.txt", folder / f"run{each}.fol"
    with qrels.open("w") as judged, run.open("w") as out:
        for topic in range(topics):
            for document in range(1000 // each):
                starts = np.sort(rng.choice(50 * each, each, replace=False)) * 200
                name = f"t{topic} Q0 d{document}"
                if document % 2 == 0:
                    spans = " ".join(f"{start + 50}:100" for start in starts.tolist())
                    judged.write(f"{name} {100 * each} {10_000 * each + 200} -1 {spans}\n")
                for place, start in enumerate(starts.tolist(), start=document * each + 1):
                    out.write(f"{name} {place} {1 - place / 2000:.6f} run {start} 150\n")
    return qrels, run


def table(rows: Sequence[Sequence[str]]) -> str:
    """Rows as Markdown."""
    head, *others = (f"| {' | '.join(row)} |" for row in rows)
    return "\n".join([head, "|" + "---|" * len(rows[0]), *others])


if __name__ == "__main__":
    try:
        main()
    except subprocess.SubprocessError as problem:
        sys.exit(str(problem))
