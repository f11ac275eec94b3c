"""The output of pooling: how large the pool is, what each run brought, what the pool may miss."""

from __future__ import annotations

import io
import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median

from spanwise.assessing.left_out import LeftOut
from spanwise.assessing.pool_making import MadePool
from spanwise.assessing.pooling import Choice, Contribution
from spanwise.assessing.pools import Pool, write_pool
from spanwise.data.notes import Note
from spanwise.formats.conversion import Target
from spanwise.inputs.runs import hashed, names_of
from spanwise.inputs.settings import Given, Settings
from spanwise.reporting.output import (
    Column,
    Headline,
    Output,
    Part,
    Row,
    Rows,
    Table,
    Value,
    versions,
)
from spanwise.reporting.results import Result
from spanwise.text.sentences import counted

LEGEND = (
    "documents: in the first {depth} of each topic; only: brought by no other run; judged: before"
)
LOSS_LEGEND = (
    "own: judged documents that no other run brought; without: the mean if these were unjudged"
)


@dataclass(frozen=True, eq=False, repr=False)
class PoolResult(Result):
    """A pool, what each run brought to it, and what it may miss.

    >>> from spanwise.library.pooling import pool
    >>> found = pool({"a": {"q1": ["d1"]}, "b": {"q1": ["d1", "d2"]}}, depth=2, topics=["q1"])
    >>> [(run.run, run.documents, run.only) for run in found.made.contributions]
    [('a', 1, 0), ('b', 2, 1)]
    """

    made: MadePool
    choice: Choice
    settings: Settings
    given: Sequence[Given] = ()

    @property
    def pool(self) -> Pool:
        """What is to be assessed."""
        return self.made.pool

    @property
    def notes(self) -> tuple[Note, ...]:
        """What was decided in doubtful cases."""
        return self.made.notes

    def content(self, file: str | os.PathLike[str]) -> bytes:
        """The pool as a file of this name has it, compressed if it ends in .gz or .zst."""
        stream = io.BytesIO()
        write_pool(self.pool, stream)
        return Target.of(os.fspath(file), "jsonl").compressed(stream.getvalue())

    def files_read(self) -> Sequence[str]:
        return names_of(self.given, str(Path.cwd()))

    def output(self, *, hashed_inputs: bool = False) -> Output:
        """The size of the pool, a row for each run, and a table for each measure."""
        return Output(
            producer="pool",
            parts=tuple(self._parts()),
            rows=Rows(items=list(self._rows())),
            notes=self.notes,
            settings=self._settings(),
            inputs=hashed(self.given) if hashed_inputs else (),
            versions=versions(),
        )

    def _settings(self) -> dict[str, object]:
        choice = self.choice
        own = {"depth": choice.depth, "documents": choice.documents, "shuffle": choice.shuffle}
        return {**self.settings.to_dict(), **own}

    def _parts(self) -> Iterator[Part]:
        topics = counted(len(self.pool.topics), "topic")
        documents = counted(len(self.pool), "document")
        yield Headline(f"The pool has {documents} to assess for {topics}")
        sizes = [len(topic.documents) for topic in self.pool.topics]
        if len(sizes) > 1:
            yield f"Documents of a topic: {min(sizes)} to {max(sizes)}, median {median(sizes):g}."
        legend = LEGEND.format(depth=self.choice.depth)
        runs: list[Row] = [_contributed(one) for one in self.made.contributions]
        yield Table("", CONTRIBUTIONS, tuple(runs), legend)
        for label in dict.fromkeys(one.asked.label for one in self.made.left_out):
            yield from _loss(label, [o for o in self.made.left_out if o.asked.label == label])

    def _rows(self) -> Iterator[dict[str, Value]]:
        for one in self.made.contributions:
            numbers = dict(zip(_COUNTS, _contributed(one)[1:], strict=True))
            yield {"kind": "contribution", "run": one.run, **numbers}
        for each in self.made.left_out:
            yield {
                **{"kind": "left out", "run": each.run, "measure": each.asked.label},
                **{"canonical": str(each.asked.measure), "own": each.documents},
                **{"value": each.value, "without": each.without, "difference": each.difference},
                "topics_lost": each.lost,
            }


_COUNTS = ("topics", "documents", "only", "judged")
CONTRIBUTIONS = (Column("run", "text"), *(Column(name, "count") for name in _COUNTS))
LOSSES = (
    *(Column("run", "text"), Column("own", "count"), Column("mean"), Column("without")),
    *(Column("difference", "signed"), Column("topics lost", "count")),
)


def _contributed(one: Contribution) -> tuple[Value, ...]:
    return one.run, one.topics, one.documents, one.only, one.judged


def _loss(label: str, found: Sequence[LeftOut]) -> Iterator[Part]:
    """What each run would have lost under one measure, and what a new run may lose."""
    rows: list[Row] = [
        (one.run, one.documents, one.value, one.without, one.difference, one.lost) for one in found
    ]
    title = f"{label} of each run if it had not been pooled"
    legend = LOSS_LEGEND
    if any(one.lost for one in found):
        legend += (
            "; topics lost: all their relevant text is in such documents, so they are left out"
        )
    yield Table(title, LOSSES, tuple(rows), legend)
    known = [(one.difference, one.run) for one in found if one.difference is not None]
    if known:
        most, run = max(known, key=lambda pair: abs(pair[0]))
        mean = sum(difference for difference, _ in known) / len(known)
        yield (
            f"Left out of the pool, a run's {label} changes by {mean:+.4f} on average and by"
            f" {most:+.4f} at most ({run}): expect as much of a run that was not pooled."
        )
