"""TREC runs whose document column names chunks: answers become the ranges of these chunks."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from spanwise.data.faults import Faults
from spanwise.data.notes import Note
from spanwise.data.run import Extent
from spanwise.formats.answers import Answers, Scattered
from spanwise.formats.chunks import ChunkTable
from spanwise.text.ranges import Booleans, Integers

NO_CHUNKS = "no document is a chunk of the chunk table; read as whole documents"


@dataclass
class ChunkIds:
    """The ids of one file: all of them are chunks, or none is."""

    table: ChunkTable
    first: int | None = None
    """The line of the first chunk."""
    documents: bool = False
    """Did an earlier block name no chunk, so that its answers are whole documents?"""

    def resolved(self, answers: Answers, line: Integers, faults: Faults) -> Answers:
        """The answers of a block as ranges, if they name chunks."""
        found = self.table.rows(answers.documents)
        if self.first is None and not (found >= 0).any():
            if len(found):
                self.documents = True
                faults.note(Note("remark", detail=NO_CHUNKS))
            return answers
        if self.documents:
            raise Scattered(f"{faults.file}: only some of the documents are chunks")
        if self.first is None:
            self.first = int(line[np.argmax(found >= 0)])
        self._refuse_others(answers, found < 0, line, faults)
        return self._as_ranges(answers, found, _repeated(answers, found, line, faults))

    def _refuse_others(
        self, answers: Answers, unknown: Booleans, line: Integers, faults: Faults
    ) -> None:
        expected = f"a chunk of the chunk table, as in line {self.first}"
        remedy = "add it to the table, or leave out the table if the run names documents"
        for row in np.flatnonzero(unknown & ~answers.faulty).tolist():
            faults.add("chunk", int(line[row]), repr(answers.documents[row]), expected, remedy)

    def _as_ranges(self, answers: Answers, found: Integers, repeated: Booleans) -> Answers:
        return replace(
            answers,
            documents=self.table.documents.take(found),
            extent=np.full(len(found), Extent.RANGE, np.uint8),
            start=self.table.start[found],
            end=self.table.end[found],
            faulty=answers.faulty | (found < 0) | repeated,
            chunks=answers.documents,
        )


def _repeated(answers: Answers, found: Integers, line: Integers, faults: Faults) -> Booleans:
    """Chunks that come back in the same topic of the same run."""
    topic = answers.topics.codes(answers.tags.codes())
    again = np.zeros(len(found), np.bool_)
    kept = np.flatnonzero((found >= 0) & ~answers.faulty)
    ids, owner = answers.documents.take(kept), topic[kept]
    if not ids.may_repeat(owner):
        return again
    codes = ids.codes(owner)
    first = np.unique(codes, return_index=True)[1][codes]
    for number in np.flatnonzero(first != np.arange(len(kept))).tolist():
        row, before = int(kept[number]), int(kept[first[number]])
        faults.add(
            "repetition",
            int(line[row]),
            f"chunk {ids[number]} again for topic {answers.topics[row]}",
            f"it once (it is at {faults.file}:{line[before]} already)",
            "remove one of the two lines",
        )
        again[row] = True
    return again
