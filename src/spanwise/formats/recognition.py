"""The format of a file, and whether it is a run or assessments, recognised by its content."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from spanwise.data.notes import Note
from spanwise.errors import Fault, InputError, option
from spanwise.formats.beginning import Beginning, first_lines
from spanwise.formats.column_runs import RANGE
from spanwise.formats.registry import (
    LIKELY,
    NO,
    POSSIBLE,
    Format,
    Role,
    all_formats,
    builtin_formats,
    find,
    further_formats,
)
from spanwise.formats.source import Source
from spanwise.formats.vocabulary import recognised
from spanwise.text.sentences import counted

_VOWELS = tuple("AEIO")
_RUN, _ASSESSMENTS = option("as", "run"), option("as", "assessments")


def recognise(source: Source, role: Role) -> str | None:
    """The name of the format, None for a file without content; raises where it is not clear."""
    beginning = Beginning(source)
    found = _surest(beginning, role, builtin_formats(beginning.shape))
    found = found or _surest(beginning, role, builtin_formats())
    if found is None and beginning.is_empty:
        return None
    found = found or _surest(beginning, role, further_formats())
    if found is None:
        raise _unrecognised(beginning, role)
    return found.name


def _surest(beginning: Beginning, role: Role, formats: Sequence[Format]) -> Format | None:
    """The format that is surest of a file; first bytes tell without a look at any line."""
    for each in formats:
        if each.reads(role) and each.magic and beginning.magic.startswith(each.magic):
            return each
    claims = [(each.claims(beginning, role), each) for each in formats]
    sure, found = max(claims, key=lambda claim: claim[0], default=(NO, None))
    return found if sure else None


def _unrecognised(beginning: Beginning, role: Role) -> InputError:
    """Why no format takes a file: topics, the other role, nearly a format, or something else."""
    if beginning.is_topics:
        line = beginning.root[1] or beginning.number
        remedy = f"give it with {option('topics')}"
        return _unsure(beginning, line, "what looks like topics", role, remedy)
    other: Role = "run" if role == "assessments" else "assessments"
    for each in all_formats():
        if each.claims(beginning, other) >= LIKELY:
            line = beginning.root[1] or beginning.number
            title = with_article(each.title(other).partition(":")[0])
            found = f"what looks like {title}"
            return _unsure(beginning, line, found, role, "swap the two files")
    for each in all_formats():
        fault = None if each.complains is None else each.complains(beginning, role)
        if fault is not None:
            return InputError(fault)
    if beginning.is_xml:
        root, line = beginning.root
        remedy = "check that it is the right file"
        return _unsure(beginning, line, f"XML with the root <{root}>", role, remedy)
    found, remedy = counted(len(beginning.words), "column"), option(f"{role}_format")
    return _unsure(beginning, beginning.number, found, role, f"name the format with {remedy}")


def _unsure(beginning: Beginning, line: int, found: str, role: Role, remedy: str) -> InputError:
    *signs, last = sorted(each.sign(role) for each in all_formats() if each.sign(role))
    expected = f"{with_article(role)}: {', '.join(signs)} or {last}"
    return InputError(Fault(beginning.source.name, line, found, expected, remedy))


def with_article(title: str) -> str:
    """A title with its article, as in a sentence.

    >>> with_article("INEX FOL run"), with_article("TREC judgements"), with_article("run")
    ('an INEX FOL run', 'TREC judgements', 'a run')
    """
    if "assessments" in title or "judgements" in title:
        return title
    return f"{'an' if title.startswith(_VOWELS) else 'a'} {title}"


# -- run or assessments


@dataclass(frozen=True, slots=True)
class FileRole:
    """What a file is for, and what to say where its rows could also be something else."""

    role: Role
    note: Note | None = None


def role_of(source: Source) -> FileRole:
    """Run or assessments; raises where the content does not tell."""
    run, judged = likely_format(source, "run"), likely_format(source, "assessments")
    if run is None and judged is None:
        raise _neither(source)
    if run is None or judged is None:
        return FileRole("assessments" if run is None else "run")
    fields = find(run, "run").fields
    if fields is not None:
        return _role_by_names(source, *fields(Beginning(source)))
    found = _role_of_columns(source)
    if found is None:
        raise _undecided(source, "rows that may be either")
    return FileRole(found)


def _role_by_names(source: Source, found: Role | None, names: Sequence[str]) -> FileRole:
    if found is not None:
        return FileRole(found)
    if "start" not in recognised(names, ("start",)):
        raise _undecided(source, "rows that may be either")
    return FileRole("assessments", Note("unranked", remedy=f"use {_RUN} if they are answers"))


def likely_format(source: Source, role: Role) -> str | None:
    """The format that a file in this role has, even if its first lines are broken; else None."""
    try:
        return recognise(source, role)
    except InputError:
        start = Beginning(source).magic
        if any(each.magic and start.startswith(each.magic) for each in all_formats()):
            return None
    for line in first_lines(source):
        if line.startswith("<"):
            return None
        if line.startswith("{"):
            return "jsonl"
        try:
            return _format_of_line(source.name, line, role)
        except InputError:
            continue
    return None


def _format_of_line(file: str, line: str, role: Role) -> str:
    """The format that a line would have alone; a guess is not enough."""
    beginning = Beginning(Source(file, line.encode()))
    found = _surest(beginning, role, all_formats())
    if found is None or found.claims(beginning, role) < POSSIBLE:
        raise _unrecognised(beginning, role)
    return found.name


def _neither(source: Source) -> InputError:
    """What is wrong with a file that is neither; the first line says it best."""
    try:
        empty = recognise(source, "run") is None
    except InputError as refused:
        fault = refused.fault
        expected = (
            "a run or assessments: columns as of TREC or INEX, INEX XML, native JSONL, Parquet, CSV"
        )
        formats = f"{option('run_format')} or {option('assessments_format')}"
        remedy = f"name the kind with {option('as')} and the format with {formats}"
        return InputError(Fault(fault.file, fault.line, fault.found, expected, remedy, "format"))
    return _undecided(source, "nothing" if empty else "something else")


def _undecided(source: Source, found: str) -> InputError:
    remedy = f"say which: {_RUN} or {_ASSESSMENTS}"
    return InputError(Fault(source.name, None, found, "a run or assessments", remedy, "role"))


def _role_of_columns(source: Source) -> Role | None:
    """Ranges such as 10:20 are only in assessments; relevant text without any only in runs."""
    for fields in map(str.split, first_lines(source)):
        if any(RANGE.fullmatch(text) for text in fields[6:]):
            return "assessments"
        if len(fields) > 3 and fields[3] != "0":
            return "run"
    return None
