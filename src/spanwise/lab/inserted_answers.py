"""Lists with answers in them that are not relevant."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal, get_args

import numpy as np

from spanwise.data.identifiers import Identifiers
from spanwise.data.run import NO_PATH, Extent, Run
from spanwise.evaluation.evaluate import Evaluation
from spanwise.evaluation.order import ranked
from spanwise.evaluation.policy import Notes
from spanwise.evaluation.scores import RunScores
from spanwise.lab.further_documents import with_further_documents
from spanwise.lab.insertion_case import SECTION
from spanwise.text.ranges import Integers, offsets_of

Mode = Literal["insert", "precede"]
MODES: tuple[Mode, ...] = get_args(Mode)


@dataclass(frozen=True, slots=True)
class Inserting:
    """A run in its order, the answers that go into it, and what to score the result with."""

    evaluation: Evaluation
    run: Run
    """The answers of the run, and after them those that are inserted, which have no topic."""
    own: Integers
    """Where the own answers of each topic begin."""
    first: int
    """The first of the answers that are inserted."""

    @classmethod
    def into(cls, evaluation: Evaluation, run: Run, most: int) -> Inserting:
        """With as many answers to insert as will be needed."""
        run = ranked(run, evaluation.policy.order, Notes())
        inserted = Inserted.like(run, evaluation, most)
        knowing = with_further_documents(evaluation, inserted.lengths)
        return cls(knowing, inserted.after(run), run.offsets, len(run))

    def scores(self, mode: Mode, count: int) -> RunScores:
        """The scores of the run with so many answers inserted for each topic."""
        return self.evaluation.score([self.longer(mode, count)], self.run.name)

    def longer(self, mode: Mode, count: int) -> Run:
        """The run with the same answers inserted for each topic."""
        added = np.arange(self.first, self.first + count)
        parts = [self._rows(topic, mode, added) for topic in range(len(self.run.topics))]
        rows = np.concatenate([np.zeros(0, np.int64), *parts])
        topic = np.repeat(np.arange(len(parts)), [len(part) for part in parts])
        return _taken(self.run, rows, offsets_of(topic, len(parts)))

    def _rows(self, topic: int, mode: Mode, added: Integers) -> Integers:
        own = np.arange(self.own[topic], self.own[topic + 1])
        before = 1 if mode == "insert" else 0
        return np.concatenate([own[:before], added, own[before:]])


def _taken(run: Run, rows: Integers, offsets: Integers) -> Run:
    """Answers in the order given, some of them for several topics."""
    return replace(
        run,
        offsets=offsets,
        documents=run.documents.take(rows),
        extent=run.extent[rows],
        start=run.start[rows],
        end=run.end[rows],
        line=None if run.line is None else run.line[rows],
        paths=None if run.paths is None else run.paths.take(rows),
        element=None if run.element is None else run.element[rows],
        quotes=None,
    )


@dataclass(frozen=True, slots=True)
class Inserted:
    """Answers from unjudged documents."""

    names: tuple[str, ...]
    whole: bool
    size: int

    @classmethod
    def like(cls, run: Run, evaluation: Evaluation, most: int) -> Inserted:
        """Whole documents if the run returns such, else ranges of the usual size."""
        taken = {*run.documents.strings(), *evaluation.assessments.documents.strings()}
        prefix = "inserted"
        while any(name.startswith(prefix) for name in taken):
            prefix += "-"
        names = tuple(f"{prefix} {number}" for number in range(1, most + 1))
        ranges = run.extent == Extent.RANGE
        sizes = (run.end - run.start)[ranges]
        whole = len(run) > 0 and bool((run.extent == Extent.WHOLE).all())
        return cls(names, whole, int(np.median(sizes)) if len(sizes) else SECTION)

    @property
    def lengths(self) -> dict[str, int]:
        """Documents that hold the answer and nothing else."""
        return dict.fromkeys(self.names, self.size)

    def after(self, run: Run) -> Run:
        """These answers behind those of a run whose order is final."""
        many = len(self.names)
        extent = Extent.WHOLE if self.whole else Extent.RANGE
        paths = (
            None if run.paths is None else [*run.paths.strings(), *(NO_PATH for _ in self.names)]
        )
        return replace(
            run,
            documents=Identifiers.of([*run.documents.strings(), *self.names]),
            extent=np.concatenate([run.extent, np.full(many, extent, np.uint8)]),
            start=_longer(run.start, 0, many),
            end=_longer(run.end, 0 if self.whole else self.size, many),
            score=None,
            rank=None,
            order="file",
            line=None if run.line is None else _longer(run.line, 0, many),
            quotes=None,
            paths=None if paths is None else Identifiers.of(paths),
            element=None if run.element is None else _longer(run.element, -1, many),
        )


def _longer(column: Integers, value: int, many: int) -> Integers:
    return np.concatenate([column, np.full(many, value, np.int64)])
