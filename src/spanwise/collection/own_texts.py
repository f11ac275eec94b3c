"""Judgements whose file has the texts of its documents, as files of annotation tools do.

They are compared with these texts first, and then quote them, so that a collection can be compared
with what was annotated.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cached_property

import numpy as np

from spanwise.data.assessments import Assessments
from spanwise.data.documents import Documents
from spanwise.data.judgements import Judgements
from spanwise.data.notes import Faults, Note
from spanwise.errors import option
from spanwise.records import replace
from spanwise.text.sentences import counted
from spanwise.text.units import UNITS, Characters, Unit

_BASIC_PLANE = 0xFFFF
_REMEDY = f"fix the offsets or use {option('lenient', True)}"


class OwnTexts(Documents):
    """The texts in a file; those of other documents are in the collection, if there is one."""

    def __init__(self, texts: Mapping[str, str], others: Documents | None = None) -> None:
        self._texts, self._others = texts, others

    @property
    def name(self) -> str:
        """Where the documents are from."""
        return "of the file itself"

    @property
    def origin(self) -> str:
        """What messages call them."""
        return "the document's own text"

    @cached_property
    def lengths(self) -> Mapping[str, int]:
        """Characters of each document of the file."""
        return {name: len(text) for name, text in self._texts.items()}

    @property
    def has_text(self) -> bool:
        """They are texts and nothing else."""
        return True

    def text(self, document: str) -> str:
        """The text of a document."""
        if document in self._texts:
            return self._texts[document]
        if self._others is None:
            return self._lacks(document, "text")
        return self._others.text(document)


def quoting_own_texts(
    judged: Assessments, texts: Mapping[str, str], unit: Unit, faults: Faults
) -> Assessments:
    """The judgements with the length of each document and the text of each range of these texts.

    Offsets are code points; ``unit`` is what they are in the file.
    """
    beyond = _beyond(judged, texts)
    for row in beyond:
        faults.add("range", *_fault(judged, row, texts), _advice(judged, texts, unit))
    judgements = Judgements(faults)
    judged = _with_quotes(judged, texts)
    lengths = {name: len(text) for name, text in texts.items()}
    judgements.add_all(replace(judged, lengths={**judged.lengths, **lengths}), without=set(beyond))
    return replace(judgements.build(), file=judged.file)


def _documents(judged: Assessments) -> list[str]:
    """The document of each range."""
    return judged.documents.take(judged.passages.pair).strings()


def _beyond(judged: Assessments, texts: Mapping[str, str]) -> list[int]:
    """The ranges that do not end inside their document."""
    ends = zip(_documents(judged), judged.passages.end.tolist(), strict=True)
    return [row for row, (name, end) in enumerate(ends) if name in texts and end > len(texts[name])]


def _fault(judged: Assessments, row: int, texts: Mapping[str, str]) -> tuple[int | None, str, str]:
    passages, document = judged.passages, _documents(judged)[row]
    line = None if passages.line is None else int(passages.line[row]) or None
    found = f"range [{passages.start[row]}, {passages.end[row]}) of document {document}"
    return line, found, f"an end of at most {len(texts[document])}, the length of its text"


def _advice(judged: Assessments, texts: Mapping[str, str], unit: Unit) -> str:
    """Another unit, if more of the ranges are inside their texts with it."""
    if unit != "codepoint":
        return _REMEDY
    fitting = {each: sum(_fits(judged, texts, each)) for each in UNITS}
    best = max(UNITS, key=fitting.__getitem__)
    if fitting[best] == fitting[unit]:
        return _REMEDY
    ranges = counted(len(judged.passages.pair), "range")
    use = option("unit", best)
    return f"{fitting[best]:,} of {ranges} are inside their texts with {best}: use {use}"


def _fits(judged: Assessments, texts: Mapping[str, str], unit: Unit) -> Iterator[bool]:
    """Whether each range is inside its text if its offsets count a unit."""
    passages = judged.passages
    places = np.stack((passages.start, passages.end), axis=1)
    for name, place in zip(_documents(judged), places, strict=True):
        text = texts.get(name)
        yield text is not None and not Characters.of(text, unit).codepoints(place)[1].any()


def _with_quotes(judged: Assessments, texts: Mapping[str, str]) -> Assessments:
    passages = judged.passages
    said = passages.quotes or (None,) * len(passages.pair)
    rows = zip(
        _documents(judged), passages.start.tolist(), passages.end.tolist(), said, strict=True
    )
    quotes = tuple(
        texts[name][start:end] if name in texts else quote for name, start, end, quote in rows
    )
    return replace(judged, passages=replace(passages, quotes=quotes if any(quotes) else None))


def note_wide_characters(judged: Assessments, texts: Mapping[str, str], faults: Faults) -> None:
    """Ranges without quotes that other units would move: nothing tells what they count."""
    passages = judged.passages
    said = passages.quotes or (None,) * len(passages.pair)
    rows = zip(_documents(judged), passages.end.tolist(), said, strict=True)
    wide = {
        name
        for name, end, quote in rows
        if quote is None and name in texts and _is_wide(texts[name][:end])
    }
    if wide:
        remedy = f"if its ranges are shifted, use {option('unit', 'utf16')}"
        faults.note(Note("wide characters", len(wide), names=(min(wide),), remedy=remedy))


def _is_wide(text: str) -> bool:
    return not text.isascii() and ord(max(text)) > _BASIC_PLANE
