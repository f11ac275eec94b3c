"""Places that inputs name (other units, texts, paths) as ranges of the documents' texts."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from spanwise.data.assessments import Assessments
from spanwise.data.documents import Documents
from spanwise.data.elements import Elements
from spanwise.data.notes import Faults, Note
from spanwise.data.quoted import Repeats
from spanwise.data.run import Extent, Run
from spanwise.errors import Fault, InputError, SpanwiseError, option
from spanwise.records import Struct, replace
from spanwise.text.sentences import counted
from spanwise.text.units import Unit

if TYPE_CHECKING:
    from spanwise.collection.locate import Locator
    from spanwise.collection.resolve_text import Placement, TextSearch
    from spanwise.formats.chunks import ChunkTable


class Placing(Struct, frozen=True, dict=True):
    """Checks and converts places with the documents, as far as these are at hand."""

    documents: Documents | None = None
    unit: Unit = "codepoint"
    repair: bool = False
    """Locate texts that are not at their offsets, instead of refusing them."""
    repeats: Repeats = "error"
    placements: list[Placement] | None = None
    """Takes every text that is located, if given."""
    keeps_texts: bool = False
    """Answers that are text alone may stay so where there are no documents to find it in."""

    def run(self, run: Run, faults: Faults, chunks: ChunkTable | None = None) -> Run:
        """Answers in code points, with quotes checked, texts located and paths as ranges."""
        if self.unit != "codepoint":
            from spanwise.collection.resolve_units import run_in_codepoints

            run = run_in_codepoints(run, self.unit, self._texts(), faults)
        if run.quotes is not None:
            run = self._texts_of_run(run, faults, chunks)
        if run.paths is None or run.element is not None or self._elements is None:
            return run
        from spanwise.collection.resolve_paths import run_with_ranges

        return run_with_ranges(run, self._elements, faults)

    def chunks(self, table: ChunkTable, faults: Faults) -> ChunkTable:
        """Chunks with their texts checked, or located, in the unit of the table."""
        if table.quotes is None:
            return table
        if not self._has_text:
            rows = np.flatnonzero(table.unplaced).tolist()
            if rows:
                line = table.line_of(rows[0])
                raise unlocated(table.file, line, counted(len(rows), "chunk"))
            return table
        from spanwise.collection.quotes import verified_chunks
        from spanwise.collection.resolve_text import chunks_with_places

        search = self._search(faults)
        table = verified_chunks(table, search, self.unit, repair=self.repair)
        return chunks_with_places(table, search, self.unit)

    def assessments(self, judged: Assessments, faults: Faults) -> Assessments:
        """Judgements in code points, with quotes, hashes and sizes checked, the rest as ranges."""
        if judged.texts:
            return self._beside_texts(judged, faults)
        if self.unit != "codepoint":
            from spanwise.collection.resolve_units import assessments_in_codepoints

            judged = assessments_in_codepoints(judged, self.unit, self._texts(), faults)
        if judged.passages.quotes is not None or judged.hashes or judged.quoted:
            judged = self._texts_of_assessments(judged, faults)
        if self._elements is None:
            # Without the documents, places inside them are not known.
            if judged.pointed:
                faults.note(Note("unplaced", len(judged.pointed)))
            return judged
        return self._in_trees(judged, self._elements, faults)

    def _beside_texts(self, judged: Assessments, faults: Faults) -> Assessments:
        """Judgements beside the texts of their documents: they are compared with these first."""
        from spanwise.collection.own_texts import (
            OwnTexts,
            note_wide_characters,
            quoting_own_texts,
        )

        texts = judged.texts
        if self.unit == "codepoint":
            note_wide_characters(judged, texts, faults)
        own = replace(self, documents=OwnTexts(texts, self.documents))
        judged = own.assessments(replace(judged, texts={}), faults)
        judged = quoting_own_texts(judged, texts, self.unit, faults)
        if self.documents is not None:
            rest = self if self.unit == "codepoint" else replace(self, unit="codepoint")
            judged = rest.assessments(judged, faults)
        return replace(judged, texts=texts)

    def require_texts(self) -> None:
        """Refuse another unit than code points where there are no texts to count in."""
        if self.unit != "codepoint":
            self._texts()

    # -- texts

    def _texts_of_run(self, run: Run, faults: Faults, chunks: ChunkTable | None) -> Run:
        if not self._has_text:
            rows = np.flatnonzero(run.extent == Extent.TEXT).tolist()
            if rows and self.keeps_texts:
                faults.tally(Note("texts kept", len(rows)))
            elif rows:
                raise unlocated(run.file, run.line_of(rows[0]), counted(len(rows), "answer"))
            return run
        from spanwise.collection.quotes import verified_run
        from spanwise.collection.resolve_text import run_with_places

        search = self._search(faults)
        run = verified_run(run, search, self.unit, repair=self.repair)
        return run_with_places(run, search, chunks, self.unit)

    def _texts_of_assessments(self, judged: Assessments, faults: Faults) -> Assessments:
        if not self._has_text:
            if judged.quoted:
                rows = counted(len(judged.quoted), "judgement")
                raise unlocated(judged.file, judged.quoted[0].line, rows)
            return judged
        from spanwise.collection.quotes import verified_assessments
        from spanwise.collection.resolve_text import assessments_with_places

        search = self._search(faults)
        judged = verified_assessments(judged, search, self.unit, repair=self.repair)
        if any(each.context is not None for each in judged.quoted):
            from spanwise.collection.quoted_contexts import quoted_in_contexts

            judged = quoted_in_contexts(judged, search)
        return assessments_with_places(judged, search, self.repeats)

    def _search(self, faults: Faults) -> TextSearch:
        from spanwise.collection.resolve_text import TextSearch

        return TextSearch(self._locator, self._texts(), faults, self.placements, self.unit)

    @cached_property
    def _locator(self) -> Locator:
        """One for all files: what was sought once is remembered."""
        from spanwise.collection.locate import Locator

        return Locator(self._texts())

    def _texts(self) -> Documents:
        if self.documents is None or not self.documents.has_text:
            needed = f"the texts of the documents: give {option('collection')}"
            raise SpanwiseError(f"{option('unit', self.unit)} needs {needed} with them")
        return self.documents

    @property
    def _has_text(self) -> bool:
        return self.documents is not None and self.documents.has_text

    # -- trees

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

    @property
    def _elements(self) -> Elements | None:
        """The trees of the documents, None if there are none."""
        return None if self.documents is None else self.documents.elements


def unlocated(file: str, line: int | None, rows: str) -> InputError:
    """Text without a range means nothing without the documents, lenient or not."""
    found = f"text without a range ({rows})"
    expected = "the texts of the documents, in which it is located"
    remedy = f"give {option('collection')} with the texts, or start and end of each text"
    return InputError(Fault(file, line, found, expected, remedy, "text"))
