"""Notes: what was decided about doubtful input, or is worth knowing, as values.

Code asks a note for its kind and its numbers. Words are chosen when a note is shown, once for
each kind, for the command line or for Python.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from spanwise.errors import Dialect, option, spoken

NAMED = 5
"""How many names a note holds."""

_COLLECTION = option("collection")

WORDS: Mapping[str, str] = {
    # Judgements and files.
    "judged both ways": "{n} range[ is|s are] judged relevant and not relevant; counted as"
    " relevant",
    "unassessed elements": "elements without both grades were not assessed; left out",
    "order ignored": "{n} of {of} results have no {detail}, so it does not decide their order",
    "unranked": "ranges without rank, score or run are taken as assessments",
    # Columns and fields that are read, or not.
    "ignored name": "{detail}",
    "unknown name": "{detail} is unknown and ignored",
    "further names": "{n} further {detail}[ is|s are] ignored",
    # What a file that is written cannot hold.
    "lost": "{detail} are lost ({n})",
    "ranges lost": "ranges are lost; documents are in the order of their first answers",
    "ends lost": "where answers end is lost",
    "scores lost": "scores are lost",
    "name lost": "its name is lost; the name of the file takes its place",
    "ranks replaced": "new ranks are written, because the order is by {detail}",
    "ranks lost": "ranks are left out, because the order is by score",
    "scores replaced": "new scores are written, because the old ones give another order",
    "repeated documents": "{n} answer[ is in a document|s are in documents] named before; left out",
    "elements as ranges": "{n} element[ is|s are] written as ranges; the formats element and inex"
    " keep their paths",
    "not elements": "{n} answer[ does|s do] not name an element; left out",
    "not places": "{n} answer[ is neither a range nor an element|s are neither ranges nor"
    " elements]; left out",
    "whole documents left out": "{n} whole document[ is|s are] of unknown length; left out",
    "listed documents left out": "{n} document[ is|s are] listed without a range; left out",
    "entry points left out": "{n} entry point[ is not a range|s are not ranges]; left out",
    "split aspects": "{n} range[ has|s have] aspects with | in their names, which CSV splits",
    # Chunk tables.
    "no chunks": "no document is a chunk of the chunk table; read as whole documents",
    # Anything else: the detail is the sentence.
    "remark": "{detail}",
}
"""How each kind is put into words. ``[one|many]`` are the words for a count of one and of several;
``{n}``, ``{of}``, ``{share}``, ``{detail}`` and ``{names}`` stand for what the note holds."""

_NUMBER = re.compile(r"\[([^|\]]*)\|([^|\]]*)\]")


@dataclass(frozen=True, slots=True)
class Note:
    """Something that was decided or seen while inputs were read and scored.

    >>> print(Note("remark", detail=f"give {option('collection')}").said("command line"))
    give --collection
    """

    kind: str
    """A key of ``WORDS``."""
    count: int = 1
    """How often."""
    of: int = 0
    """Of how many, where a share is of interest."""
    detail: str = ""
    """An example, a reason, or what was decided."""
    names: tuple[str, ...] = ()
    """Which topics, measures or documents: the first few."""
    remedy: str = ""
    """What to do about it, if anything."""
    about: str = ""
    """The file, measure or group it is about; nothing if it is about the whole input."""
    runs: tuple[str, ...] = ()
    """The runs it is about; none if it is about all of them."""

    def __str__(self) -> str:
        return self.said("python")

    def said(self, dialect: Dialect) -> str:
        """The note as a sentence, singular or plural."""
        words = _NUMBER.sub(lambda choice: choice[1 if self.count == 1 else 2], WORDS[self.kind])
        share = f"{self.count / self.of:.0%}" if self.of else ""
        text = words.format(
            n=f"{self.count:,}",
            of=f"{self.of:,}",
            share=share,
            detail=self.detail,
            names=some_names(self.names),
        )
        lead = f"{self.about}: " if self.about else ""
        remedy = f"; {self.remedy}" if self.remedy else ""
        return spoken(f"{lead}{text}{remedy}", dialect)

    def to_dict(self) -> dict[str, object]:
        """Everything that is set, for JSON; ``text`` is the note as a sentence."""
        optional = {
            name: getattr(self, name)
            for name in ("of", "detail", "remedy", "about")
            if getattr(self, name)
        }
        several = {
            name: list(getattr(self, name)) for name in ("names", "runs") if getattr(self, name)
        }
        spelled = {
            name: spoken(str(value), "python") if isinstance(value, str) else value
            for name, value in optional.items()
        }
        return {"kind": self.kind, "count": self.count, **spelled, **several, "text": str(self)}


def some_names(names: Sequence[str]) -> str:
    """The first few names of many."""
    return ", ".join(names[:NAMED]) + (", ..." if len(names) > NAMED else "")


def grouped(notes: Iterable[Note]) -> list[Note]:
    """Notes of one kind about several runs as one note, with the sums of their numbers.

    >>> found = [Note("remark", 2, 5, "x", runs=("a",)), Note("remark", 1, 5, "x", runs=("b",))]
    >>> grouped(found)[0].count, grouped(found)[0].of, grouped(found)[0].runs
    (3, 10, ('a', 'b'))
    """
    together: dict[tuple[object, ...], Note] = {}
    for note in notes:
        key = _group_of(note)
        together[key] = _joined(together[key], note) if key in together else note
    return list(together.values())


def _group_of(note: Note) -> tuple[object, ...]:
    """What notes that are shown as one have in common."""
    if not note.runs:
        return (note,)
    detail = "" if note.kind in BY_EXAMPLE else note.detail
    return (note.kind, detail, note.remedy, note.about)


BY_EXAMPLE: frozenset[str] = frozenset()
"""Kinds whose detail is an example: one of them is enough for several runs."""


def _joined(first: Note, second: Note) -> Note:
    return replace(
        first,
        count=first.count + second.count,
        of=first.of + second.of,
        names=tuple(dict.fromkeys((*first.names, *second.names)))[: NAMED + 1],
        runs=tuple(dict.fromkeys((*first.runs, *second.runs))),
    )
