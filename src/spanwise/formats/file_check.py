"""Validate files: every fault of each, also those that others only find when runs are aligned."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field

import numpy as np

from spanwise.data.assessments import UNKNOWN, Assessments
from spanwise.data.notes import Faults, Note
from spanwise.data.run import Extent, Run
from spanwise.errors import Fault, InputError
from spanwise.formats.reading import RunFile, likely_format, recognise
from spanwise.formats.registry import Role, find
from spanwise.formats.source import Source
from spanwise.formats.topics import read_topics
from spanwise.formats.topics import title_of as topics_title
from spanwise.text.ranges import Booleans
from spanwise.text.sentences import counted

LISTED, NOT_RELEVANT = "listed only", "not relevant"
KINDS = {
    Extent.RANGE: "range",
    Extent.WHOLE: "whole document",
    Extent.NOTHING: LISTED,
    Extent.POINT: "entry point",
    Extent.ELEMENT: "element",
    Extent.TEXT: "text",
}
"""What answers are called by what they return."""

Look = Callable[[Run], None]
Read = Callable[[], Iterable[Run]]
"""Begins to read a run file, with fresh faults."""


@dataclass
class Checked:
    """What was found in one file."""

    file: str
    role: Role
    title: str = "unknown format"
    faults: Faults = field(init=False)
    counts: Counter[str] = field(default_factory=Counter)
    kinds: Counter[str] = field(default_factory=Counter)
    """What the answers or judgements are, counted."""
    notes: list[Note] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.faults = Faults(self.file, lenient=True)

    def listed(self) -> list[Fault]:
        """The faults that were kept, in the order of the file."""
        return by_line(self.faults)

    def summary(self) -> str:
        """The file in one line."""
        total = self.faults.counts.total()
        faults = f"{counted(total, 'fault')} ({self.faults.by_rule()})" if total else "no faults"
        held = [_held(count, what) for what, count in self.counts.items()]
        kinds = ", ".join(_held(count, what) for what, count in self.kinds.items() if count)
        if kinds:
            held[0] += f" ({kinds})"
        return ", ".join((f"{self.file}: {self.title}", *held, faults))

    def refuse(self, faults: Iterable[Fault]) -> None:
        """Faults that ended the reading, or that were found by something other than the reader."""
        for fault in faults:
            if fault not in self.faults.kept:
                self.faults.counts[fault.rule] += 1
                self.faults.kept.append(fault)


def by_line(faults: Faults) -> list[Fault]:
    """The faults that were kept, by line; those of the whole file last."""
    return sorted(faults.kept, key=lambda fault: (fault.line is None, fault.line or 0))


def _held(number: int, what: str) -> str:
    """A number of things; some kinds have no plural."""
    return f"{number:,} {what}" if what in (LISTED, NOT_RELEVANT) else counted(number, what)


def format_of(source: Source, role: Role, named: str | None) -> str | None:
    """The format named, or recognised; None for a file without content."""
    return named or likely_format(source, role) or recognise(source, role)


def _require_recognition(checked: Checked, source: Source, named: str | None) -> None:
    """A file that only its later lines tell the format of is refused wherever it is used."""
    if named is None and not checked.faults.counts:
        recognise(source, checked.role)


def check_topics(source: Source) -> Checked:
    """Every fault of a file of topics."""
    checked = Checked(source.name, "run")
    try:
        checked.title = topics_title(source)
        checked.counts["topic"] = len(read_topics(source, checked.faults))
    except InputError as refused:
        checked.refuse(refused.faults)
    return checked


def check_chunks(faults: Faults) -> Checked:
    """Every fault of a table of chunks that was read already."""
    checked = Checked(faults.file, "run", "table of chunks")
    checked.faults, checked.notes = faults, list(faults.notes)
    return checked


# -- runs


def check_run(file: RunFile, read: Read, lengths: Mapping[str, int], look: Look) -> Checked:
    """Every fault of a run file; ``look`` sees what is left of each block without them."""
    checked, named = Checked(file.source.name, "run"), file.format
    try:
        file.format = format_of(file.source, "run", file.format)
        if file.format is not None:
            checked.title = title_of(find(file.format, "run").run_title)
        else:
            checked.title = "empty file"
        blocks = read()
        checked.faults = file.faults
        _count(checked, blocks, lengths, look)
        checked.notes += checked.faults.notes
        _require_recognition(checked, file.source, named)
    except InputError as refused:
        checked.refuse(refused.faults)
    return checked


def _count(checked: Checked, blocks: Iterable[Run], lengths: Mapping[str, int], look: Look) -> None:
    runs, topics = set[str](), set[str]()
    checked.counts["answer"] = 0
    for block in blocks:
        runs.add(block.name)
        topics.update(block.topics)
        checked.counts["answer"] += len(block)
        for kind, count in enumerate(np.bincount(block.extent, minlength=len(KINDS)).tolist()):
            checked.kinds[KINDS[Extent(kind)]] += count
        checked.counts["topic"] = len(topics)
        look(_clean(block, lengths, checked.faults))
    if len(runs) > 1:
        checked.counts["run"] = len(runs)


def title_of(title: str) -> str:
    """What a format is called, without its columns."""
    return title.partition(":")[0]


def _clean(run: Run, lengths: Mapping[str, int], faults: Faults) -> Run:
    """The answers without a fault; the faults that their neighbours have are noted."""
    faulty = _repeated(run, faults) | _beyond(run, lengths, faults)
    return run.take(np.flatnonzero(~faulty)) if faulty.any() else run


def _repeated(run: Run, faults: Faults) -> Booleans:
    """Documents that a whole-document run names again in the same topic."""
    again = np.zeros(len(run), np.bool_)
    topic = run.topic
    if run.several_per_document or not run.documents.may_repeat(topic):
        return again
    codes = run.documents.codes(topic)
    _, first = np.unique(codes, return_index=True)
    again = np.asarray(first[codes] != np.arange(len(run)))
    for row in np.flatnonzero(again).tolist():
        before = int(first[codes[row]])
        faults.add("repetition", run.line_of(row), *run.named_again(row, before))
    return again


def _beyond(run: Run, lengths: Mapping[str, int], faults: Faults) -> Booleans:
    """Answers beyond the end of their document, as far as its length is known."""
    if not lengths:
        return np.zeros(len(run), np.bool_)
    codes = run.documents.codes()
    _, first = np.unique(codes, return_index=True)
    names = run.documents.take(first).strings()
    length = np.array([lengths.get(name, UNKNOWN) for name in names], np.int64)[codes]
    placed = (run.extent == Extent.RANGE) | (run.extent == Extent.POINT)
    beyond: Booleans = (length != UNKNOWN) & placed & (run.reach > length)
    for row in np.flatnonzero(beyond).tolist():
        faults.add("range", run.line_of(row), *run.beyond(row, int(length[row])))
    return beyond


# -- assessments


def check_assessments(
    source: Source, named: str | None, read: Callable[[Faults, str], Assessments]
) -> tuple[Checked, Assessments | None]:
    """Every fault of a file of assessments, and what could be read of it."""
    checked = Checked(source.name, "assessments")
    try:
        name = format_of(source, "assessments", named)
        if name is None:
            raise source.refused("nothing", "assessments")
        checked.title = title_of(find(name, "assessments").assessments_title)
        judged = read(checked.faults, name)
        _require_recognition(checked, source, named)
    except InputError as refused:
        checked.refuse(refused.faults)
        return checked, None
    checked.notes += checked.faults.notes
    count_judgements(checked, judged)
    if not checked.faults.counts and not judged.relevant_documents.any():
        remedy = "check that these are the assessments"
        checked.faults.add("relevance", None, "no relevant text", "some in a topic", remedy)
    return checked, judged


def count_judgements(checked: Checked, judged: Assessments) -> None:
    """How many judgements of each kind there are."""
    checked.counts.update({"judged document": len(judged.documents), "topic": len(judged.topics)})
    checked.kinds.update(
        {
            "range": int((judged.passages.grade > 0).sum()),
            "whole document": int((judged.whole & (judged.grade > 0)).sum()),
            NOT_RELEVANT: int((judged.grade <= 0).sum()),
            "entry point": len(judged.entry_point),
            "element": len(judged.elements),
            "document length": len(judged.lengths),
        }
    )
