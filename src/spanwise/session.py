"""One evaluation from inputs to scores: how files and objects are read, block by block."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any

from spanwise.data.assessments import Assessments
from spanwise.data.faults import Faults
from spanwise.data.run import Run
from spanwise.errors import SpanwiseError
from spanwise.evaluation.evaluate import Collector, Evaluation
from spanwise.evaluation.policy import Strangers, some_names
from spanwise.evaluation.scores import RunScores, Scores, named_twice, same_names
from spanwise.formats.answers import Scattered
from spanwise.formats.reading import PathLike, RunFile
from spanwise.formats.reading import read_assessments as read_assessments_file
from spanwise.formats.registry import RunOptions
from spanwise.formats.source import Source
from spanwise.measures.base import ListScore
from spanwise.measures.nicknames import Asked, asked, asked_for
from spanwise.settings import Settings

Progress = Callable[[str, int], None]
"""Told the file that is being read and the answers seen in it so far."""


@dataclass
class Session:
    """One evaluation from inputs to scores."""

    settings: Settings
    progress: Progress | None = None
    notes: list[str] = field(default_factory=list)
    dropped: bool = False
    """Something of the assessments was dropped or cut: every score rests on leniency."""

    def evaluate(self, assessments: Any, runs: Any, measures: Any) -> Scores:
        """Everything in order: measures, assessments, runs."""
        wanted = self.measures(measures)
        evaluation = self.evaluation(assessments, wanted)
        scored: list[RunScores] = []
        for given in self._each(runs):
            scored += self._score(evaluation, given)
        refuse_same_names(scored)
        if self.dropped:
            scored = [replace(run, lenient=True) for run in scored]
        notes = (*self.notes, *evaluation.notes)
        return Scores(evaluation.measures, tuple(scored), notes).without_impossible()

    def measures(self, given: Any) -> tuple[Asked, ...]:
        """The measures asked for, by name or as values; nicknames stand for several."""
        several = [given] if isinstance(given, (str, ListScore, type)) else list(given)
        found: list[Asked] = []
        for one in several:
            found += asked(one, self.notes) if isinstance(one, str) else [asked_for(one)]
        if not found:
            raise SpanwiseError("no measure was asked for; name one, such as AgP")
        return same_names(found)

    def evaluation(self, assessments: Any, measures: tuple[Asked, ...]) -> Evaluation:
        """What the runs are scored with."""
        judged = self.assessments(assessments)
        policy, some = self.settings.policy(), self.settings.topics is not None
        # A few topics may well have no document in common with a sound run.
        strangers: Strangers = "note" if some else "error"
        return Evaluation(judged, measures, policy, self.collection, strangers=strangers)

    @property
    def collection(self) -> Any:
        """The documents, opened if a path was given."""
        given, table = self.settings.collection, self.settings.elements
        if isinstance(given, (str, Path)) or table is not None:
            from spanwise.collection.documents import open_collection

            given = self.settings.collection = open_collection(given, table)
            self.settings.elements = None
            self.notes += given.remarks
        return given

    @property
    def _elements(self) -> Any:
        """The trees of the documents, None if there are none."""
        return None if self.collection is None else self.collection.elements

    def assessments(self, given: Any) -> Assessments:
        """Assessments from whatever was given."""
        judged = self._read_assessments(given)
        if self.settings.topics is None:
            return judged
        refuse_unknown_topics(self.settings.topics, judged.topics)
        return judged.only(set(self.settings.topics))

    def chosen(self, run: Run) -> Run:
        """The answers to the topics that are asked for."""
        return run if self.settings.topics is None else run.only(set(self.settings.topics))

    def _read_assessments(self, given: Any) -> Assessments:
        if isinstance(given, Assessments):
            faults = self._faults(given.file)
            judged = self.placed_assessments(given, faults)
            self.note_dropped(faults)
            return judged
        if not isinstance(given, (str, Path, Source)):
            from spanwise.formats.frames import assessments_from

            faults = self._faults("assessments")
            judged = self.verified_assessments(assessments_from(given, faults=faults), faults)
            self.note_dropped(faults)
            return judged
        faults = self._faults(given.name if isinstance(given, Source) else str(given))
        judged = read_assessments_file(given, self.settings.assessments_format, faults=faults)
        if self.settings.unit != "codepoint":
            from spanwise.collection.resolve import assessments_in_codepoints

            judged = assessments_in_codepoints(judged, self.settings.unit, self._texts(), faults)
        judged = self.placed_assessments(judged, faults)
        self.note_dropped(faults)
        return judged

    def placed_assessments(self, judged: Assessments, faults: Faults) -> Assessments:
        """Judged elements and places in trees held against the trees, if these are at hand."""
        judged = self.verified_assessments(judged, faults)
        if self._elements is None:
            self._note_unplaced(judged)
            return judged
        if not (judged.pointed or len(judged.elements)):
            return judged
        from spanwise.collection.resolve_paths import (
            OTHER_SIZES,
            assessments_with_ranges,
            other_sizes,
        )

        others = other_sizes(judged, self._elements)
        if others:
            self.notes.append(
                f"{OTHER_SIZES}: {len(others)} ({some_names([str(other) for other in others])}),"
                " the collection's is used"
            )
        return assessments_with_ranges(judged, self._elements, faults)

    def verified_assessments(self, judged: Assessments, faults: Faults) -> Assessments:
        """Quotes and hashes held against the texts, if these are at hand."""
        hashed = judged.passages.quotes is not None or judged.hashes
        if not hashed or not self._has_text:
            return judged
        from spanwise.collection.quotes import verified_assessments

        return verified_assessments(judged, self.collection, faults, self.settings.unit)

    @property
    def _has_text(self) -> bool:
        return bool(getattr(self.collection, "has_text", False))

    def _note_unplaced(self, judged: Assessments) -> None:
        """Without the documents, places inside them are not known."""
        if judged.pointed:
            self.notes.append(
                f"passages and entry points at places of documents: {len(judged.pointed)}, not"
                " used (give --collection or --elements)"
            )

    def _faults(self, name: str) -> Faults:
        return Faults(name, lenient=self.settings.lenient)

    def note_dropped(self, faults: Faults) -> None:
        """Say what was dropped from the assessments, or read with care."""
        self.notes += faults.remarks
        if faults.counts:
            self.dropped = True
            rules = ", ".join(f"{rule} {count}" for rule, count in sorted(faults.counts.items()))
            self.notes.append(f"{faults.file}: faulty lines were dropped or cut, by rule: {rules}")

    def _texts(self) -> Any:
        if self.collection is None or not self.collection.has_text:
            raise SpanwiseError(f"--unit {self.settings.unit} needs the texts: give --collection")
        return self.collection

    # -- runs

    def _each(self, runs: Any) -> Iterator[Any]:
        """One run input after the other."""
        if isinstance(runs, (list, tuple)) and not _is_records(runs):
            yield from runs
        else:
            yield runs

    def _score(self, evaluation: Evaluation, given: Any) -> list[RunScores]:
        if isinstance(given, (str, Path, Source)):
            return self._score_file(evaluation, self.run_file(given))
        return [self._score_run(evaluation, run, faults) for run, faults in self._in_memory(given)]

    def _in_memory(self, given: Any) -> Iterator[tuple[Run, Faults]]:
        """The runs of an object that is no file, with what was wrong with it."""
        faults = self._faults(given.file if isinstance(given, Run) else "run")
        if isinstance(given, Run):
            yield self.placed(given, faults), faults
            return
        from spanwise.formats.frames import run_from

        for run in run_from(given, faults=faults, chunks=self._chunks):
            yield self.placed(run, faults), faults
        self.notes += faults.remarks

    def _score_run(self, evaluation: Evaluation, run: Run, faults: Faults) -> RunScores:
        collector = evaluation.collector(run.name)
        collector.add(self.chosen(run))
        collector.note_faults(faults)
        return collector.finish()

    def run_file(self, given: PathLike | Source) -> RunFile:
        """A run file with the options of this session."""
        source = given if isinstance(given, Source) else Source.at(given)
        options = RunOptions(chunks=self._chunks)
        return RunFile(source, self.settings.run_format, options, self.settings.lenient)

    @cached_property
    def _chunks(self) -> Any:
        """The table of chunks, read once for all runs."""
        if self.settings.chunks is None:
            return None
        from spanwise.formats.chunks import read_chunks

        source = Source.at(self.settings.chunks)
        return read_chunks(source, self._faults(source.name))

    def _score_file(self, evaluation: Evaluation, file: RunFile) -> list[RunScores]:
        try:
            return self._collect(evaluation, file, whole=False)
        except Scattered:
            return self._collect(evaluation, file, whole=True)

    def _collect(self, evaluation: Evaluation, file: RunFile, *, whole: bool) -> list[RunScores]:
        collectors: dict[str, Collector] = {}
        for block in self.blocks(file, whole=whole):
            if block.name not in collectors:
                collectors[block.name] = evaluation.collector(block.name)
            collectors[block.name].add(self.chosen(block))
            if self.progress is not None:
                self.progress(file.source.name, len(block))
        self.notes += [remark for remark in file.faults.remarks if remark not in self.notes]
        stem = file.source.stem
        if not collectors:
            collectors[stem] = evaluation.collector(stem)
        for collector in collectors.values():
            collector.note_faults(file.faults)
            if self.settings.run_name == "file":
                collector.name = stem if len(collectors) == 1 else f"{stem}:{collector.name}"
        return [collector.finish() for collector in collectors.values()]

    def blocks(self, file: RunFile, *, whole: bool) -> Iterable[Run]:
        """The answers of a run file in code points; ``Scattered`` if it must be read whole."""
        blocks: Iterable[Run] = file.blocks(whole=whole)
        if self.settings.unit != "codepoint":
            from spanwise.collection.resolve import run_in_codepoints

            texts, unit = self._texts(), self.settings.unit
            blocks = (run_in_codepoints(run, unit, texts, file.faults) for run in blocks)
        return (self.placed(run, file.faults) for run in blocks)

    def placed(self, run: Run, faults: Faults) -> Run:
        """Elements that are named by their path with their characters, if these are known."""
        run = self._verified(run, faults)
        if run.paths is None or run.element is not None or self._elements is None:
            return run
        from spanwise.collection.resolve_paths import run_with_ranges

        return run_with_ranges(run, self._elements, faults)

    def _verified(self, run: Run, faults: Faults) -> Run:
        """Quotes held against the texts, if these are at hand."""
        if run.quotes is None or not self._has_text:
            return run
        from spanwise.collection.quotes import verified_run

        return verified_run(run, self.collection, faults, self.settings.unit)


def _is_records(runs: Sequence[Any]) -> bool:
    """A list of rows (dictionaries with a topic) is one run, not a list of runs."""
    return bool(runs) and all(isinstance(row, dict) and "document" in row for row in runs)


def refuse_unknown_topics(wanted: Collection[str], known: Sequence[str]) -> None:
    """Only topics that are in the assessments can be asked for."""
    unknown = sorted(set(wanted).difference(known))
    if unknown:
        some = ", ".join(known[:5])
        raise SpanwiseError(f"topic {unknown[0]} is not in the assessments, which have {some}, ...")


def refuse_same_names(scored: Sequence[RunScores]) -> None:
    """Each run has a name of its own."""
    names = [run.run for run in scored]
    twice = sorted({name for name in names if names.count(name) > 1})
    if twice:
        raise named_twice(twice[0])
