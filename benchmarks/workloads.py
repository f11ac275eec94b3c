"""The benchmark's cases: what each is, and where its files lie."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path

DATA = Path(__file__).parent / "data"
VERSION = 1
"""Of the generated data: raised whenever ``generate.py`` writes something else."""
FEWEST_ARTICLES = 100
"""So few that lists of results can still be filled."""
FEWEST_RUNS = 2
"""So few that runs can still be compared."""


@dataclass(frozen=True, slots=True)
class Case:
    """One set of files."""

    name: str
    title: str
    measures: tuple[str, ...]
    runs: int
    topics: int
    depth: int
    articles: int = 0
    """Of the collection, if the case has one."""
    ending: str = "txt"
    """Of the names of the files."""

    def scaled(self, scale: float) -> Case:
        """The same with fewer runs and articles, or with fewer topics if there is one run."""
        runs, topics, articles = self.runs, self.topics, self.articles
        if articles:
            articles = max(round(articles * scale), FEWEST_ARTICLES)
        if runs > 1:
            runs = max(round(runs * scale), FEWEST_RUNS)
        elif runs:
            topics = max(round(topics * scale), 1)
        return replace(self, runs=runs, topics=topics, articles=articles)

    @property
    def answers(self) -> int:
        """Lines of all runs together."""
        return self.runs * self.topics * self.depth

    @property
    def folder(self) -> Path:
        """Where the files lie."""
        shape = f"{self.runs}x{self.topics}x{self.depth}"
        collection = f"-{self.articles}" if self.articles else ""
        return DATA / f"{self.name}-{VERSION}-{shape}{collection}"

    @property
    def qrels(self) -> Path:
        """The assessments."""
        return self.folder / f"qrels.{self.ending}"

    @property
    def documents(self) -> Path:
        """XML files to build a collection from."""
        return self.folder / "documents"

    @property
    def collection(self) -> Path:
        """The elements of all articles."""
        return self.folder / "collection"

    def run(self, number: int) -> Path:
        """One of the runs."""
        return self.folder / f"run{number:03}.{self.ending}"

    @property
    def run_files(self) -> list[Path]:
        """All of them."""
        return [self.run(number) for number in range(self.runs)]

    @property
    def counted(self) -> list[Path]:
        """The files whose size is the size of the case: runs, or documents."""
        return self.run_files if self.runs else sorted(self.documents.rglob("*.xml"))

    @property
    def inputs(self) -> list[Path]:
        """Everything that is read."""
        besides = [self.qrels] if self.runs else []
        besides += [self.collection] if self.runs and self.articles else []
        return [*besides, *self.counted]

    @property
    def shape(self) -> str:
        """How much there is of it."""
        if not self.runs:
            return f"{self.articles:,} XML files"
        lines = f"{self.runs} x {self.topics:,} topics x {self.depth:,} = {self.answers:,} lines"
        return f"{lines} about {self.articles:,} articles" if self.articles else lines


DOCUMENT_MEASURES = ("AP", "nDCG@10", "P@10", "RR")
PAGE_MEASURES = ("AgP(P)", "AgP(R)", "AgP", "AgP(aveChP)")
CHUNK_MEASURES = ("textP", "textR", "AgP", "AgP(aveChP)")

CASES = {
    case.name: case
    for case in (
        Case("A1", "one TREC run, many topics", DOCUMENT_MEASURES, 1, 6980, 1000),
        Case("A1-15", "the same with scores of 15 digits", DOCUMENT_MEASURES, 1, 6980, 1000),
        Case("A2", "many TREC runs, few topics", DOCUMENT_MEASURES, 100, 50, 1000),
        Case("B1", "many INEX FOL runs", PAGE_MEASURES, 100, 114, 1500),
        Case("B2", "chunks for RAG queries", CHUNK_MEASURES, 1, 100_000, 20),
        Case("B2-jsonl", "the same as JSONL", CHUNK_MEASURES, 1, 100_000, 20, ending="jsonl"),
        Case("growth", "a block of answers to repeat", CHUNK_MEASURES, 1, 10, 1000),
        Case("C1", "building a collection", (), 0, 0, 0, articles=1000),
        Case("C2", "many runs of elements", ("xcg",), 69, 34, 1500, articles=12_000),
    )
}
