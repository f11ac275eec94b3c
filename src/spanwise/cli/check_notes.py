"""What is no fault of a file but worth a look."""

from __future__ import annotations

from collections.abc import Iterator

from spanwise.data.assessments import Assessments
from spanwise.data.documents import Documents
from spanwise.data.run import Run
from spanwise.errors import Fault, InputError
from spanwise.evaluation.align import settled
from spanwise.evaluation.assessed import (
    note_entry_points_beyond,
    note_equal_entry_points,
    note_united,
    note_unverified,
)
from spanwise.evaluation.guards import Guards
from spanwise.evaluation.order import ranked
from spanwise.evaluation.policy import Notes, Policy, some_names

OF_ORDER = ("ties", "contradiction", "no rank", "no score", "distances")


class RunNotes:
    """Gathers what is said about a run while its blocks come in."""

    def __init__(self, judged: Assessments | None, documents: Documents | None) -> None:
        self.judged = judged
        self.documents = documents
        self.order = Notes()
        self.against = Notes()
        self.guards: dict[str, Guards] = {}
        self.seen: set[str] = set()

    def look(self, block: Run) -> None:
        """One block, which has no faults any more."""
        self.seen.update(block.topics)
        if block.name not in self.guards:
            has_texts = self.documents is not None and self.documents.has_text
            self.guards[block.name] = Guards(self.order, self.judged, has_texts=has_texts)
        self.guards[block.name].look(block)
        ranked(block, None, self.order)
        if self.judged is not None:
            policy = Policy(lenient=True)
            settled(block, self.judged, policy, self.against, self.documents)

    def refusals(self) -> Iterator[Fault]:
        """Why the runs of the file would be refused as a whole."""
        for guards in self.guards.values():
            try:
                guards.finish()
            except InputError as refused:
                yield from refused.faults

    def lines(self, *, answers: int) -> list[str]:
        """One sentence for each thing that was seen."""
        self.order.add("empty", int(not answers))
        if self.judged is not None:
            missing = sorted(self.judged.topics_with_relevant - self.seen)
            detail = f"scored as empty ({some_names(missing)})"
            self.against.add("missing", len(missing), detail=detail)
        for kind in OF_ORDER:  # said already, for all topics
            self.against.counts.pop(kind, None)
        return [*self.order.lines(), *self.against.lines()]


def notes_on_assessments(judged: Assessments, documents: Documents | None) -> Iterator[str]:
    """What may surprise in assessments."""
    yield from _other_sizes(judged, documents)
    notes = Notes()
    notes.add_names("no relevant text", sorted(set(judged.topics) - judged.topics_with_relevant))
    note_united(judged, notes)
    note_unverified(judged, documents, notes)
    note_entry_points_beyond(judged, notes)
    note_equal_entry_points(judged, notes)
    yield from notes.lines()


def _other_sizes(judged: Assessments, documents: Documents | None) -> Iterator[str]:
    """Every element whose size is not that of the collection."""
    if documents is None or documents.elements is None or not len(judged.elements):
        return
    from spanwise.collection.resolve_paths import size_mismatch_note, size_mismatches

    mismatches = size_mismatches(judged, documents.elements)
    if mismatches:
        yield size_mismatch_note(mismatches).said("command line")
    yield from (f"line {mismatch.line}, {mismatch}" for mismatch in mismatches)
