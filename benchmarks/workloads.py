"""The benchmark's cases: what each is, and where its files lie."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

DATA = Path(__file__).parent / "data"
VERSION = 1
"""Of the generated data: raised whenever ``generate.py`` writes something else."""


@dataclass(frozen=True, slots=True)
class Case:
    """One set of files."""

    name: str
    title: str
    measures: tuple[str, ...]
    runs: int
    topics: int
    depth: int

    def scaled(self, scale: float) -> Case:
        """The same with fewer runs, or with fewer topics if there is one run."""
        runs, topics = self.runs, self.topics
        if runs > 1:
            runs = max(round(runs * scale), 1)
        else:
            topics = max(round(topics * scale), 1)
        return Case(self.name, self.title, self.measures, runs, topics, self.depth)

    @property
    def answers(self) -> int:
        """Lines of all runs together."""
        return self.runs * self.topics * self.depth

    @property
    def folder(self) -> Path:
        """Where the files lie."""
        return DATA / f"{self.name}-{VERSION}-{self.runs}x{self.topics}x{self.depth}"

    @property
    def qrels(self) -> Path:
        """The assessments."""
        return self.folder / "qrels.txt"

    def run(self, number: int) -> Path:
        """One of the runs."""
        return self.folder / f"run{number:03}.txt"

    @property
    def run_files(self) -> list[Path]:
        """All of them."""
        return [self.run(number) for number in range(self.runs)]


DOCUMENT_MEASURES = ("AP", "nDCG@10", "P@10", "RR")
PAGE_MEASURES = ("AgP(P)", "AgP(R)", "AgP", "AgP(aveChP)")
CHUNK_MEASURES = ("textP", "textR", "AgP", "AgP(aveChP)")

CASES = {
    case.name: case
    for case in (
        Case("A1", "one TREC run, many topics", DOCUMENT_MEASURES, 1, 6980, 1000),
        Case("A2", "many TREC runs, few topics", DOCUMENT_MEASURES, 100, 50, 1000),
        Case("B1", "many INEX FOL runs", PAGE_MEASURES, 100, 114, 1500),
        Case("B2", "chunks for RAG queries", CHUNK_MEASURES, 1, 100_000, 20),
    )
}
