"""Runs scored by workers elsewhere: cut into parts, handed out, gathered to the same bits.

A cluster hands out parts and puts answers together; it knows nothing of runs. What is wrong with an
input is said as in process: the first failure in the order of the parts.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from spanwise.data.notes import Faults
from spanwise.engines.parts import Part, files_of, parts_of, with_lines
from spanwise.engines.places import Places
from spanwise.engines.run_faults import RunFaults
from spanwise.engines.spill import Key, uneven
from spanwise.engines.work import Given, Job, Outcome, own_session, packed
from spanwise.errors import Fault, InputError
from spanwise.evaluation.collector import Collector
from spanwise.evaluation.evaluate import Evaluation
from spanwise.evaluation.scores import RunScores
from spanwise.formats.budget import budget
from spanwise.formats.run_folders import common_stem, file_stem
from spanwise.formats.source import Source
from spanwise.inputs.scoring import Scoring, Workers
from spanwise.records import Struct, field

if TYPE_CHECKING:
    from spanwise.inputs.session import Session

FEW = 16
"""Portions in which a few topics are put together; all answers are cut into more of them."""


class Cluster(Protocol):
    """Workers in processes of their own."""

    def counts(self, parts: Sequence[Part]) -> list[int]:
        """How many lines each part has."""

    def outcomes(self, job: bytes, parts: int, buckets: int) -> Iterator[tuple[int, Outcome]]:
        """What each part gave with its number, then what portions gave, with -1; in any order.

        It may leave out parts behind one that failed.
        """


Opened = Callable[["Session"], AbstractContextManager[Cluster]]
"""Starts or finds workers."""


class _Input(Struct):
    """One of the runs that were given, and what is known about it so far."""

    number: int
    scoring: Scoring
    files: list[Source]
    stem: str = ""
    """What its runs are named after, if that is one of several files."""
    whole: bool = False
    """Files are not cut: their parts do not mean by themselves what they mean together."""
    together: bool = False
    outcomes: list[tuple[int, Outcome]] = field(default_factory=list)
    read: dict[int, str] = field(default_factory=dict)
    """The file that each part is of, by the number of the part."""

    @property
    def name(self) -> str:
        """What messages call it."""
        given = self.scoring.given
        return given.name if isinstance(given, Source) else str(given)

    def given(self) -> Given:
        """What workers know of it."""
        own = self.scoring
        return Given(own.evaluation, own.table, self.name, self.together)

    def parts(self) -> Iterator[Part]:
        """Its parts, in order."""
        settings = self.scoring.session.settings
        for file in self.files:
            # What a chunk table makes of a file may depend on its first lines.
            whole = self.whole or self.scoring.table is not None
            yield from parts_of(self.number, file, settings.run_format, whole=whole)

    # -- gathering

    def forms(self) -> dict[str, dict[int, str]]:
        """The runs in the order in which they come, with the first file of each form of answers."""
        found: dict[str, dict[int, str]] = {}
        for _, outcome in sorted(self.outcomes, key=lambda each: each[0]):
            for run, form in outcome.forms.items():
                found.setdefault(run, {}).setdefault(form, outcome.file)
        return found

    def settled(self) -> bool:
        """Whether its scores are final; what it needs for that is set otherwise."""
        mixed = [run for run, forms in self.forms().items() if len(forms) > 1]
        if mixed or any(outcome.whole for _, outcome in self.outcomes):
            if self.whole:
                for run in mixed:
                    first, other, *_ = self.forms()[run].values()
                    raise uneven(run, first, other)
                raise _two_forms(self.name)
            self.whole = True
        elif self._topics_twice():
            if self.together:
                raise RuntimeError("topics were put together and still come twice")
            self.together = True
        else:
            return True
        self.outcomes.clear()
        return False

    def _topics_twice(self) -> bool:
        seen: dict[str, set[str]] = {}
        for _, outcome in self.outcomes:
            scored = ((each.run, each.topics) for _, each in outcome.scored)
            unscored = ((run, topics) for _, run, topics in outcome.unscored)
            for run, topics in (*scored, *unscored):
                known = seen.setdefault(run, set())
                before = len(known)
                known.update(topics)
                if len(known) < before + len(topics):
                    return True
        return False

    def finished(self) -> tuple[list[RunScores], Faults]:
        """The scores of its runs, and what was wrong with its files."""
        evaluation, settings = self.scoring.evaluation, self.scoring.session.settings
        faults = Faults(self.name, lenient=settings.lenient)
        collectors: dict[str, Collector] = {run: evaluation.collector(run) for run in self.forms()}
        for _, outcome in sorted(self.outcomes, key=lambda each: each[0]):
            if outcome.faults is not None:
                faults.take_over(outcome.faults)
            for _, scored in outcome.scored:
                collectors[scored.run].take(scored)
        each = self._faults()
        own = {run: each.of(("", run)) for run in collectors}
        stem = self.stem or common_stem(self.files, Path(self.name))
        places = Places(self.name, [file.name for file in self.files])
        found = self.scoring.finished(collectors, stem, faults, own)
        return [places.told(scores) for scores in found], faults

    def _faults(self) -> RunFaults:
        """The faults of the runs that have answers in each file."""
        files: dict[str, tuple[Faults, set[Key]]] = {}
        for number, outcome in self.outcomes:
            if outcome.faults is not None:
                file = self.read[number]
                faults, runs = files.setdefault(file, (Faults(file), set()))
                faults.counts += outcome.faults.counts
                runs.update(("", run) for run in outcome.forms)
        return RunFaults(self.name, [(faults, frozenset(runs)) for faults, runs in files.values()])


def _inputs(scorings: Iterable[Scoring]) -> list[_Input]:
    """The runs that were given; of a folder whose runs are named after files, each by itself."""
    found: list[_Input] = []
    for scoring in scorings:
        groups: dict[str, list[Source]] = {}
        by_file = scoring.name is None and scoring.session.settings.run_name == "file"
        for file in files_of(scoring.given):
            stem = file_stem(file) if by_file else ""
            groups.setdefault(stem, []).append(file)
        for stem, own in groups.items():
            found.append(_Input(len(found), scoring, own, stem))
    return found


class Distributed(Struct, frozen=True):
    """An engine of workers; a :class:`spanwise.inputs.session.Session` calls it."""

    opened: Opened

    def __call__(
        self, session: Session, evaluation: Evaluation
    ) -> Iterator[tuple[list[RunScores], Faults]]:
        """The scores of each of the runs that the session was given."""
        session.require_texts()
        one = Workers(1)
        inputs = _inputs(session.scorings(evaluation, one, one))
        with self.opened(session) as cluster:
            waiting = inputs
            while waiting:
                self._score(cluster, session, inputs, waiting)
                waiting = [each for each in waiting if not each.settled()]
        for each in inputs:
            yield each.finished()

    def _score(
        self, cluster: Cluster, session: Session, inputs: list[_Input], waiting: list[_Input]
    ) -> None:
        parts = _with_lines(cluster, [part for each in waiting for part in each.parts()])
        together = sum(each.together for each in waiting)
        buckets = max(FEW, len(parts) if together else 0)
        givens = tuple(each.given() for each in inputs)
        job = packed(Job(own_session(session), givens, tuple(parts), budget(), buckets))
        outcomes = list(cluster.outcomes(job, len(parts), buckets))
        _refuse_first(outcomes, parts)
        for number, outcome in outcomes:
            if number >= 0:
                own = inputs[parts[number].given]
                own.outcomes.append((number, outcome))
                own.read[number] = parts[number].source.name
                continue
            for given, scored in outcome.scored:
                inputs[given].outcomes.append((len(parts), Outcome([(given, scored)])))
            for each in outcome.unscored:
                inputs[each[0]].outcomes.append((len(parts), Outcome(unscored=[each])))


def _with_lines(cluster: Cluster, parts: list[Part]) -> list[Part]:
    counting = [number for number, part in enumerate(parts) if part.counts]
    counts = [0] * len(parts)
    found = cluster.counts([parts[number] for number in counting]) if counting else []
    for number, count in zip(counting, found, strict=True):
        counts[number] = count
    return with_lines(parts, counts)


def _refuse_first(outcomes: Iterable[tuple[int, Outcome]], parts: Sequence[Part]) -> None:
    """Raise the first failure, in the order of the parts and of the lines in them."""
    failures = [(number, each.failure) for number, each in outcomes if each.failure is not None]
    if failures:
        raise min(failures, key=lambda each: _place(each[0], each[1], parts))[1]


def _place(number: int, failure: Exception, parts: Sequence[Part]) -> tuple[int, int]:
    """The part that a failure is in, and its line; what has no place comes behind the rest."""
    fault = failure.fault if isinstance(failure, InputError) else None
    line = 0 if fault is None else fault.line or 0
    if number < 0 and fault is not None:
        own = [n for n, part in enumerate(parts) if part.source.name == fault.file]
        number = max((n for n in own if parts[n].source.first_line <= line), default=number)
    return number if number >= 0 else len(parts), line


def _two_forms(name: str) -> InputError:
    found = "answers of a run that are ordered, or described, in two ways"
    expected = "the same columns in all rows of a file"
    return InputError(Fault(name, None, found, expected, "give all rows the same fields"))
