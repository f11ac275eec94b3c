"""How experiments run: on what was given, step by step, to a result that shows itself."""

from __future__ import annotations

import os
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, Generic, Protocol, TypeVar

from spanwise.data.notes import Note, some_names
from spanwise.data.run import Run
from spanwise.errors import NeedError, SpanwiseError, option
from spanwise.evaluation.collector import empty_run
from spanwise.evaluation.scores import Scores
from spanwise.formats.budget import chosen, spending
from spanwise.formats.source import Source
from spanwise.inputs.runs import (
    AssessmentsInput,
    MeasuresInput,
    RunsInput,
    hashed,
    names_of,
    refuse_other_number,
)
from spanwise.inputs.scoring import named_after, runs_in
from spanwise.inputs.session import Session
from spanwise.inputs.settings import Given, Settings, SettingsKeywords, given_inputs
from spanwise.records import replace
from spanwise.reporting.output import Headline, Output, Part, Rows, Value, versions
from spanwise.reporting.results import Result

Found = TypeVar("Found")
LENIENT = "lenient: faulty input was dropped or cut, see the notes"


# -- steps


@dataclass(frozen=True, slots=True)
class Step:
    """How far an experiment is."""

    done: int
    total: int
    """0 where it is not known."""
    what: str
    """What is counted: runs, trials, ..."""


Experiment = Generator[Step, None, Found]
"""Yields steps, returns what it found."""
Progress = Callable[[Step], None]
"""Told every step."""


class Steps(Generic[Found]):
    """The steps of an experiment; after the last one, ``found`` is what it returned.

    >>> def count() -> Experiment[str]:
    ...     yield Step(1, 1, "runs")
    ...     return "something"
    >>> steps = Steps(count())
    >>> [step.done for step in steps], steps.found
    ([1], 'something')
    """

    found: Found

    def __init__(self, experiment: Experiment[Found]) -> None:
        self._experiment = experiment

    def __iter__(self) -> Iterator[Step]:
        self.found = yield from self._experiment


def finished(experiment: Experiment[Found], progress: Progress | None = None) -> Found:
    """Run an experiment to its end, and hand on each of its steps."""
    steps = Steps(experiment)
    for step in steps:
        if progress is not None:
            progress(step)
    return steps.found


# -- results


class Findings(Protocol):
    """What an experiment found."""

    def output(self) -> Output:
        """To be shown."""
        ...


Finding = TypeVar("Finding", bound=Findings)


def chapter(
    experiment: str,
    title: str,
    sentences: Sequence[str],
    parts: Sequence[Part] = (),
    *,
    rows: Sequence[Mapping[str, Value]] = (),
    notes: Sequence[Note] = (),
    settings: Mapping[str, object] | None = None,
) -> Output:
    """The output of an experiment; the first sentence is the one to remember."""
    headline = [Headline(sentence) for sentence in sentences[:1]]
    return Output(
        producer=f"lab {experiment}",
        title=title,
        parts=(*headline, *sentences[1:], *parts),
        rows=Rows(items=list(rows)),
        notes=tuple(dict.fromkeys(notes)),
        settings=settings or {},
        chapter=True,
    )


@dataclass(frozen=True, eq=False, repr=False)
class LabResult(Result, Generic[Finding]):
    """What an experiment found, and what it was done with."""

    found: Finding
    settings: Mapping[str, object] = field(default_factory=dict)
    notes: tuple[Note, ...] = ()
    """About the inputs; what was found has its own."""
    given: Sequence[Given] = ()
    """The inputs: what each is for, and what was given."""
    lenient: bool = False
    """Something was dropped or cut from the inputs."""

    def output(self, *, hashed_inputs: bool = False) -> Output:
        """Sentences, tables, plots and rows."""
        found = self.found.output().with_(
            notes=self.notes,
            settings=self.settings,
            inputs=hashed(self.given) if hashed_inputs else (),
        )
        further = tuple(map(_dated, found.appendices))
        output = replace(_dated(found), appendices=further)
        return marked(output) if self.lenient else output

    def files_read(self) -> Sequence[str]:
        return names_of(self.given)


def _dated(output: Output) -> Output:
    return replace(output, versions=versions())


def marked(output: Output) -> Output:
    """What rests on files of which something was dropped or cut says so, to every reader."""
    items = [{**row, "lenient": True} for row in output.rows.items]
    return replace(
        output,
        lenient=LENIENT,
        rows=Rows(output.rows.fields, items),
        appendices=tuple(map(marked, output.appendices)),
    )


def no_measure(notes: Iterable[Note], otherwise: str) -> NeedError:
    """No measure can be computed, and why."""
    reasons = [f"{some_names(n.names)}: {n.detail}" for n in notes if n.kind == "left out"]
    why = "; ".join(dict.fromkeys(reasons)) or otherwise
    return NeedError(f"no measure can be computed: {why}")


# -- inputs


@dataclass(frozen=True)
class GivenRuns:
    """Runs for experiments that change them before they are scored; read when they are needed."""

    session: Session
    runs: RunsInput
    topics: Sequence[str] = ()
    """Those of the assessments, to recognise dictionaries by."""

    def __len__(self) -> int:
        """How many inputs there are; a file may have several runs."""
        return len(self._given)

    @property
    def _given(self) -> list[tuple[str | None, Any]]:
        return runs_in(self.runs, self.topics)

    def __iter__(self) -> Iterator[list[Run]]:
        """The runs of each input, one input after the other, so that no two are in memory."""
        refuse_other_number(len(self.session.settings.chunk_tables), len(self))
        for number, (name, given) in enumerate(self._given):
            if isinstance(given, (str, os.PathLike, Source)):
                source = given if isinstance(given, Source) else Source.at(given)
                yield self._in_file(source, name, number)
            else:
                yield self.session.runs_in_memory(given, name, number, len(self))

    def each(self) -> Iterator[Run]:
        """One run after the other."""
        for runs in self:
            yield from runs

    def _in_file(self, source: Source, name: str | None, number: int) -> list[Run]:
        session, file = self.session, self.session.run_file(source, number)
        runs = [session.chosen(run) for run in session.blocks(file, whole=True)]
        session.note_dropped(file.faults)
        runs = runs or [replace(empty_run([]), name=source.stem)]
        if name is None and session.settings.run_name == "tag":
            return runs
        stem = name or source.stem
        return [replace(run, name=named_after(stem, run.name, len(runs))) for run in runs]


@dataclass
class Study:
    """One experiment on what was given: how it is read, and what is said about it."""

    assessments: AssessmentsInput
    runs: RunsInput | None
    """None where an experiment makes its own."""
    session: Session
    progress: Progress | None = None
    others: Sequence[AssessmentsInput] = ()
    """The judgements of further assessors."""

    @property
    def settings(self) -> Settings:
        """How the inputs are read."""
        return self.session.settings

    def scores(self, measures: MeasuresInput) -> Scores:
        """The scores of the runs."""
        assert self.runs is not None
        return self.session.evaluate(self.assessments, self.runs, measures)

    def scores_again(self, measures: MeasuresInput, results: int | None) -> Scores:
        """The same with other measures, or with only the first answers of each topic."""
        assert self.runs is not None
        limit = self.settings.results if results is None else results
        # The documents are open already, and what is worth knowing about them was said.
        session = Session(replace(self.reread, results=limit), self.session.progress)
        return session.evaluate(self.assessments, self.runs, measures)

    @property
    def reread(self) -> Settings:
        """How inputs are read once more, with the documents that are open already."""
        opened = self.session.collection
        return replace(self.settings, collection=opened, elements=None, tokenizer=None)

    def given_runs(self, topics: Sequence[str]) -> GivenRuns:
        """The runs themselves."""
        assert self.runs is not None
        return GivenRuns(self.session, self.runs, topics)

    def refuse_compat(self, experiment: str) -> None:
        """What an official tool does is not done to changed runs."""
        if self.settings.compat is not None:
            raise SpanwiseError(
                f"lab {experiment} follows the default rules only: leave out {option('compat')}"
            )

    def result(
        self,
        experiment: Experiment[Finding],
        scores: Scores | None = None,
        settings: Mapping[str, object] | None = None,
    ) -> LabResult[Finding]:
        """Run the experiment; ``scores`` are those that it starts from."""
        return self.result_of(finished(experiment, self.progress), scores, settings)

    def result_of(
        self,
        found: Finding,
        scores: Scores | None = None,
        settings: Mapping[str, object] | None = None,
    ) -> LabResult[Finding]:
        """What was found, with what was said about files and runs."""
        own = () if scores is None else scores.all_notes()
        lenient = scores is not None and any(run.lenient for run in scores.runs)
        runs = [] if self.runs is None else [run for _, run in runs_in(self.runs, ())]
        others = [(f"assessor {n}", given) for n, given in enumerate(self.others, start=2)]
        return LabResult(
            found,
            {**self.settings.to_dict(), **(settings or {})},
            tuple(dict.fromkeys((*self.session.notes, *own))),
            [*given_inputs(self.assessments, runs, self.settings), *others],
            lenient or self.session.dropped,
        )


@contextmanager
def study(
    assessments: AssessmentsInput,
    runs: RunsInput | None,
    settings: SettingsKeywords,
    progress: Progress | None = None,
    others: Sequence[AssessmentsInput] = (),
) -> Iterator[Study]:
    """An experiment with these inputs; the limits of inputs hold for all that it reads."""
    chosen_settings = Settings(**settings)
    with spending(chosen(limits=chosen_settings.limits)):
        session = Session(chosen_settings, _counting(progress))
        yield Study(assessments, runs, session, progress, others)


def _counting(progress: Progress | None) -> Callable[[str, int], None] | None:
    """Answers that are read are steps too; their total is not known."""
    if progress is None:
        return None
    total = 0

    def count(file: str, answers: int) -> None:
        nonlocal total
        total += answers
        progress(Step(total, 0, "answers"))

    return count
