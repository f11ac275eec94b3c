"""Runs, assessments and topics in other formats, with what a collection knows about them."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from spanwise.collection.fitted_elements import Fit, run_of_elements
from spanwise.collection.tree_points import in_trees
from spanwise.data.assessments import Assessments
from spanwise.data.notes import Faults, Note
from spanwise.data.run import Run
from spanwise.errors import NeedError, SpanwiseError, option
from spanwise.evaluation.assessed import note_unverified, within_lengths
from spanwise.evaluation.document_ends import within_documents
from spanwise.evaluation.guards import note_answers_quoted, refuse_other_documents
from spanwise.evaluation.ideal_run import ideal_run
from spanwise.evaluation.policy import Notes
from spanwise.formats.budget import chosen, spending
from spanwise.formats.conversion import Content, Target, fitted, with_judged_lengths, with_texts
from spanwise.formats.reading import FileRole, PathLike, role_of
from spanwise.formats.registry import ROLES, Role, find, find_any, is_known
from spanwise.formats.source import Source
from spanwise.formats.topics import is_topics, read_topics
from spanwise.inputs.session import Session
from spanwise.inputs.settings import Settings
from spanwise.measures.grammar import parse_gain
from spanwise.records import must_be, replace

STANDARD = "-"


@dataclass(frozen=True, slots=True)
class Conversion:
    """What is converted."""

    from_format: str | None = None
    """None: recognised by its content."""
    role: Role | None = None
    """None: told from its content."""
    ideal: str | None = None
    """The gain by which an ideal run is written instead of the assessments."""
    fit: Fit | None = None
    """Which elements the ranges of a run become; None: they stay ranges."""


def chosen_fit(fit: Fit | None, *, as_elements: bool) -> Fit | None:
    """Which elements the ranges of a run become; None if they stay ranges."""
    if fit is not None and not as_elements:
        raise SpanwiseError(
            f"{option('fit', fit)} says which elements ranges become, and they stay ranges: add"
            f" {option('as_elements', True)}, or leave it out"
        )
    return fit or "best" if as_elements else None


Convertible = PathLike | Source | Assessments | Run | Sequence[Run] | Sequence[PathLike]
"""A file, or objects of this library."""


def converted(
    given: Convertible, target: Target, conversion: Conversion, settings: Settings
) -> tuple[Content, tuple[Note, ...]]:
    """The content of the new file, and notes on what it cannot hold."""
    named = conversion.from_format
    if named is not None and conversion.role is not None:
        find(named, conversion.role)
    roles = [role for role in ROLES if named is None or is_known(named, role)]
    if len(roles) == 1 and conversion.role is None:
        conversion = replace(conversion, role=roles[0])
    run, judged = (named if role in roles else None for role in ROLES)
    settings = replace(settings, run_format=run, assessments_format=judged)
    with spending(chosen(limits=settings.limits)):
        return Converter(Session(settings), target, conversion).converted(given)


@dataclass
class Converter:
    """Converts one thing with what a session knows."""

    session: Session
    target: Target
    conversion: Conversion

    def converted(self, given: Convertible) -> tuple[Content, tuple[Note, ...]]:
        """The content of the new file, and notes on what it cannot hold."""
        # Rows that name their fields hold texts as well as ranges.
        self.session.keeps_texts = find_any(self.target.format).fields is not None
        if not isinstance(given, (str, os.PathLike, Source)):
            content, lost = self.target.contents(self._noted(self._in_memory(given)))
            return content, (*self.session.notes, *lost)
        source = _opened(given)
        if self.conversion.role is None and is_topics(source):
            self._refuse_fit("topics")
            content, lost = self.target.of_topics(read_topics(source))
        else:
            content, lost = self.target.contents(self._noted(self._read(source)))
        return content, (*self.session.notes, *lost)

    def _noted(self, found: list[Run] | Assessments) -> list[Run] | Assessments:
        """The same, after saying that its texts were not compared with any document."""
        documents, notes = self.session.collection, Notes()
        if isinstance(found, Assessments):
            note_unverified(found, documents, notes)
        elif documents is None or not documents.has_text:
            for run in found:
                note_answers_quoted(run, notes)
        self.session.notes += notes.values()
        return found

    def _in_memory(
        self, given: Assessments | Run | Sequence[Run] | Sequence[PathLike]
    ) -> list[Run] | Assessments:
        """Objects of this library, with what the collection knows."""
        lengths = {} if self.session.collection is None else self.session.collection.lengths
        if isinstance(given, Assessments):
            self._refuse_fit("assessments")
            return self._judged(given)
        runs = [given] if isinstance(given, Run) else given
        if not isinstance(runs, Sequence) or not all(isinstance(run, Run) for run in runs):
            raise must_be(
                "what is converted", "a file, Assessments, a Run or a list of them", given
            )
        found = self.session.runs_in_memory(list(runs), None, 0, 1)
        return fitted(self._as_elements(self._inside(found)), self.target, lengths)

    def _read(self, source: Path | Source) -> list[Run] | Assessments:
        """What is in the file, in code points, with what the collection knows."""
        session = self.session
        lengths = {} if session.collection is None else session.collection.lengths
        if self.conversion.ideal is not None:
            self._require_assessments_format()
            ideal = [self._ideal(source, self.conversion.ideal)]
            return fitted(self._as_elements(ideal), self.target, lengths)
        if self._role(source) == "assessments":
            self._refuse_fit("assessments")
            self._require_assessments_format()
            return self._judged(source)
        file = Source.at(source) if isinstance(source, Path) else source
        return fitted(self._as_elements(self._inside(self._runs(file))), self.target, lengths)

    def _judged(self, given: Path | Source | Assessments) -> Assessments:
        """Assessments with what the collection knows of their documents."""
        judged, documents = self.session.assessments(given), self.session.collection
        if documents is not None and documents.lengths:
            judged = self._inside_lengths(with_judged_lengths(judged, documents.lengths))
        return self._in_trees(with_texts(judged, self.target, documents))

    def _in_trees(self, judged: Assessments) -> Assessments:
        """The judgements as places in trees, if that is what the target holds."""
        form, known = find_any(self.target.format), self.session.collection
        if not form.writes_points:
            return judged
        if known is None or known.elements is None:
            raise NeedError(
                f"{form.assessments_title} are written as places in the trees of the documents:"
                f" give {option('collection')} or {option('elements')} with their elements"
            )
        return in_trees(judged, known.elements)

    def _inside_lengths(self, judged: Assessments) -> Assessments:
        """Assessments, whose ranges must be inside the documents that are at hand."""
        notes = Notes()
        judged = within_lengths(judged, notes, lenient=self.session.settings.lenient)
        self.session.notes += notes.values()
        return judged

    def _inside(self, runs: Sequence[Run]) -> list[Run]:
        """The runs, whose answers must be inside the documents that are at hand."""
        documents, lenient = self.session.collection, self.session.settings.lenient
        if documents is None:
            return list(runs)
        notes = Notes()
        found = [within_documents(run, documents, notes, lenient=lenient) for run in runs]
        self.session.notes += notes.values()
        return found

    # -- ranges as elements

    def _as_elements(self, runs: Sequence[Run]) -> list[Run]:
        """The runs with elements instead of ranges, if that was asked for."""
        fit, known = self.conversion.fit, self.session.collection
        if fit is None:
            return list(runs)
        if known is None or known.elements is None:
            raise NeedError(
                f"{option('as_elements', True)} needs the elements of the documents: give"
                f" {option('collection')} or {option('elements')}"
            )
        for run in runs:
            refuse_other_documents(run, known)
        found = [run_of_elements(run, known.elements, fit) for run in runs]
        for _, notes in found:
            self.session.notes += notes
        return [run for run, _ in found]

    def _refuse_fit(self, what: str) -> None:
        if self.conversion.fit is not None:
            raise SpanwiseError(
                f"{option('as_elements', True)} is for runs, and these are {what}: leave it out"
            )

    def _role(self, source: Path | Source) -> Role:
        if self.conversion.role is not None or isinstance(source, Path):
            return self.conversion.role or "assessments"
        told: FileRole = role_of(source)
        if told.note is not None:
            self.session.notes.append(told.note)
        return told.role

    def _require_assessments_format(self) -> None:
        """Some formats hold only runs."""
        if self.conversion.from_format is not None:
            find(self.conversion.from_format, "assessments")

    def _ideal(self, source: Path | Source, gain: str) -> Run:
        """What an ideal system would answer, by assessments."""
        known = self.session.collection
        trees = None if known is None else known.elements
        judged = self.session.assessments(source)
        if known is not None:
            judged = self._inside_lengths(judged.with_lengths(known.lengths))
        return self.session.placing.run(ideal_run(judged, parse_gain(gain), trees), Faults("ideal"))

    def _runs(self, source: Source) -> list[Run]:
        [file] = self.session.run_files([source])
        runs = list(self.session.blocks(file, whole=True))
        self.session.take_notes(file.faults)
        if file.faults.counts:
            count, detail = file.faults.counts.total(), file.faults.by_rule()
            self.session.notes.append(Note("lines dropped", count, detail=detail))
        return runs


def _opened(given: PathLike | Source) -> Path | Source:
    if isinstance(given, Source):
        return given
    folder = os.fspath(given) != STANDARD and Path(given).is_dir()
    return Path(given) if folder else Source.at(given)
