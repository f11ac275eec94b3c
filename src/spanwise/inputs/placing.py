"""Places that inputs name (other units, quotes, paths) as ranges of the documents' texts."""

from __future__ import annotations

from spanwise.data.assessments import Assessments
from spanwise.data.documents import Documents
from spanwise.data.elements import Elements
from spanwise.data.notes import Faults, Note
from spanwise.data.run import Run
from spanwise.errors import SpanwiseError
from spanwise.records import Struct
from spanwise.text.units import Unit


class Placing(Struct, frozen=True):
    """Checks and converts places with the documents, as far as these are at hand."""

    documents: Documents | None = None
    unit: Unit = "codepoint"

    def run(self, run: Run, faults: Faults) -> Run:
        """Answers in code points, with quotes checked and paths as ranges."""
        if self.unit != "codepoint":
            from spanwise.collection.resolve_units import run_in_codepoints

            run = run_in_codepoints(run, self.unit, self._texts(), faults)
        if run.quotes is not None and self._has_text:
            from spanwise.collection.quotes import verified_run

            run = verified_run(run, self._texts(), faults, self.unit)
        if run.paths is None or run.element is not None or self._elements is None:
            return run
        from spanwise.collection.resolve_paths import run_with_ranges

        return run_with_ranges(run, self._elements, faults)

    def assessments(self, judged: Assessments, faults: Faults) -> Assessments:
        """Judgements in code points, with quotes, hashes and sizes checked and paths as ranges."""
        if self.unit != "codepoint":
            from spanwise.collection.resolve_units import assessments_in_codepoints

            judged = assessments_in_codepoints(judged, self.unit, self._texts(), faults)
        if (judged.passages.quotes is not None or judged.hashes) and self._has_text:
            from spanwise.collection.quotes import verified_assessments

            judged = verified_assessments(judged, self._texts(), faults, self.unit)
        if self._elements is None:
            # Without the documents, places inside them are not known.
            if judged.pointed:
                faults.note(Note("unplaced", len(judged.pointed)))
            return judged
        return self._in_trees(judged, self._elements, faults)

    def require_texts(self) -> None:
        """Refuse another unit than code points where there are no texts to count in."""
        if self.unit != "codepoint":
            self._texts()

    def _in_trees(self, judged: Assessments, elements: Elements, faults: Faults) -> Assessments:
        """Judged elements and places in trees, compared with the trees."""
        if not (judged.pointed or len(judged.elements)):
            return judged
        from spanwise.collection.resolve_paths import (
            assessments_with_ranges,
            size_mismatch_note,
            size_mismatches,
        )

        mismatches = size_mismatches(judged, elements)
        if mismatches:
            faults.note(size_mismatch_note(mismatches))
        return assessments_with_ranges(judged, elements, faults)

    def _texts(self) -> Documents:
        if self.documents is None or not self.documents.has_text:
            raise SpanwiseError(
                f"offsets in {self.unit} units need the texts of the documents; give a collection"
                " that has them"
            )
        return self.documents

    @property
    def _has_text(self) -> bool:
        return self.documents is not None and self.documents.has_text

    @property
    def _elements(self) -> Elements | None:
        """The trees of the documents, None if there are none."""
        return None if self.documents is None else self.documents.elements
