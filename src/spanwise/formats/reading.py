"""Read files whatever their format: recognised, or named by the caller."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from itertools import chain
from pathlib import Path, PurePath

import numpy as np

from spanwise.data.assessments import Assessments, DocumentLengths
from spanwise.data.identifiers import Identifiers
from spanwise.data.judgements import merged
from spanwise.data.notes import Faults, Note
from spanwise.data.run import Run
from spanwise.errors import Fault, InputError, SpanwiseError, option
from spanwise.formats.beginning import Beginning, first_lines
from spanwise.formats.budget import ENDINGS, budget
from spanwise.formats.column_runs import RANGE, Scattered
from spanwise.formats.parquet_limits import MAGIC
from spanwise.formats.registry import (
    CERTAIN,
    LIKELY,
    POSSIBLE,
    ROLES,
    Format,
    Role,
    RunOptions,
    all_formats,
    builtin_formats,
    find,
    find_any,
    further_formats,
)
from spanwise.formats.source import Source, without_garbage
from spanwise.formats.topic_from import TopicFrom
from spanwise.formats.vocabulary import recognised
from spanwise.records import Struct, field, replace
from spanwise.text.sentences import counted

PathLike = str | os.PathLike[str]


class RunFile(Struct):
    """A file of one or more runs, read block by block."""

    source: Source
    format: str | None = None
    options: RunOptions = field(default_factory=RunOptions)
    lenient: bool = False
    faults: Faults = field(default_factory=lambda: Faults(""))
    """What is wrong with what was read."""

    def __post_init__(self) -> None:
        self.faults = Faults(self.source.name, lenient=self.lenient)

    def blocks(self, *, whole: bool = False) -> Iterator[Run]:
        """Blocks of whole topics; raises ``Scattered`` if the file must be read ``whole``."""
        return map(with_short_names, self.opened(whole=whole))

    def opened(self, *, whole: bool = False) -> Iterable[Run]:
        """The same before names are checked; the format may offer pieces that decode themselves."""
        self.faults = Faults(self.source.name, lenient=self.lenient)
        name = self.format or recognise(self.source, "run")
        if name is None:
            return ()
        options = replace(self.options, whole=whole)
        form = find(name, "run")
        read = form.read_run
        assert read is not None
        if not form.in_blocks:
            options.require_small(self.source, with_article(form.run_title))
        return read(self.source, self.faults, options)

    def runs(self) -> list[Run]:
        """All runs of the file, each as one block."""
        return list(self.blocks(whole=True))


def read_assessments(
    path: PathLike | Source,
    format: str | None = None,
    *,
    faults: Faults | None = None,
    topic_from: TopicFrom | None = None,
) -> Assessments:
    """Assessments from a file, or from a folder of files of one format."""
    if not isinstance(path, Source) and Path(path).is_dir():
        return _read_folder(Path(path), format, faults, topic_from)
    source = path if isinstance(path, Source) else Source.at(path)
    name = format or recognise(source, "assessments")
    if name is None:
        remedy = "check that this is the right file"
        raise InputError(Fault(source.name, None, "nothing", "assessments", remedy))
    read = _reader(find(name, "assessments"), topic_from)
    with without_garbage():
        judged = read(source, faults or Faults(source.name))
    _refuse_long_names(source, judged)
    return judged


def _reader(form: Format, topic_from: TopicFrom | None) -> Callable[[Source, Faults], Assessments]:
    """What reads assessments of a format; only labels can be taken for topics or not."""
    if topic_from is None:
        assert form.read_assessments is not None
        return form.read_assessments
    if form.read_labelled is None:
        labelled = ", ".join(each.name for each in all_formats() if each.read_labelled)
        raise SpanwiseError(
            f"{option('topic_from')} is for annotations ({labelled}), and files of the format"
            f" {form.name} have topics of their own: leave it out"
        )
    return partial(form.read_labelled, topics=topic_from)


def with_short_names(run: Run) -> Run:
    """Refuse names of a run that are longer than the budget allows."""
    limit, first = budget(), run.line_of(0) if len(run) else None
    limit.refuse_name(run.file, first, "run", run.name)
    if max(map(len, run.topics), default=0) > limit.name:
        for number, topic in enumerate(run.topics):
            limit.refuse_name(run.file, run.line_of(int(run.offsets[number])), "topic", topic)
    for what, names in (("document", run.documents), ("path", run.paths)):
        if names is not None:
            for row in np.flatnonzero(names.end - names.start > limit.name).tolist():
                limit.refuse_name(run.file, run.line_of(row), what, names[row])
    return run


def _refuse_long_names(source: Source, judged: Assessments) -> None:
    """The same for assessments, which keep no lines: the file is searched for the name."""
    for what, name in long_names(judged).items():
        refuse_long_name(source, what, name)


def refuse_long_name(source: Source, what: str, name: str) -> None:
    """Refuse a name with the line where it is."""
    budget().refuse_name(source.name, _line_with(source, name), what, name)


def long_names(judged: Assessments) -> dict[str, str]:
    """The first name of each kind that is longer than the budget allows."""
    limit, lengths = budget(), judged.lengths
    measured = _long(lengths.documents) if isinstance(lengths, DocumentLengths) else lengths
    places = (place or "" for each in judged.pointed for place in (each.start, each.end))
    named = {
        "topic": judged.topics,
        "document": chain(_long(judged.documents), measured),
        "path": chain(_long(judged.elements.paths), places),
    }
    first = {
        what: next((name for name in names if len(name) > limit.name), None)
        for what, names in named.items()
    }
    return {what: name for what, name in first.items() if name is not None}


def _long(names: Identifiers) -> Iterator[str]:
    """Names that may be too long; few become strings."""
    size = names.end - names.start
    return (names[row] for row in np.flatnonzero(size > budget().name).tolist())


def _line_with(source: Source, name: str) -> int | None:
    """The first line that holds a name, as far as it is written as it is."""
    return next((number for number, line in source.lines() if name in line), None)


def files_of(folder: Path, format: str | None = None) -> tuple[list[Path], str | None]:
    """The files of a folder that may be runs or assessments, and their format if it is sure.

    Some formats keep other files, such as the texts of documents, beside their own.
    """
    files = sorted(p for p in folder.iterdir() if p.is_file() and not p.name.startswith("."))
    for form in builtin_formats():
        own = [file for file in files if _ending_of(file) in form.endings]
        if form.companions and own and format in (None, form.name):
            others = [*form.endings, *form.companions]
            strange = [file for file in files if _ending_of(file) not in others]
            return (own, form.name) if not strange else (sorted([*own, *strange]), format)
    return files, format


def _ending_of(file: PurePath) -> str:
    """The ending of a file, but for that of its compression."""
    name = file.name
    for ending in ENDINGS:
        name = name.removesuffix(ending)
    return Path(name).suffix.lower()


def _read_folder(
    folder: Path, format: str | None, faults: Faults | None, topic_from: TopicFrom | None
) -> Assessments:
    files, sure = files_of(folder, format)
    if not files:
        fault = Fault(
            str(folder), None, "an empty folder", "files of assessments", "check the path"
        )
        raise InputError(fault)
    parts = []
    for file in files:
        own = None if faults is None else Faults(str(file), lenient=faults.lenient)
        parts.append(read_assessments(file, sure, faults=own, topic_from=topic_from))
        if own is not None and faults is not None:
            faults.take_over(own)
    return merged(parts, Faults(str(folder), lenient=faults is not None and faults.lenient))


def read_run(
    path: PathLike | Source,
    format: str | None = None,
    *,
    options: RunOptions | None = None,
    lenient: bool = False,
) -> list[Run]:
    """All runs of a file."""
    source = path if isinstance(path, Source) else Source.at(path)
    return RunFile(source, format, options or RunOptions(), lenient).runs()


__all__ = ["RunFile", "Scattered", "read_assessments", "read_run"]


# -- the format of a file, recognised by its content

_VOWELS = tuple("AEIO")
_RUN, _ASSESSMENTS = option("as", "run"), option("as", "assessments")


def recognise(source: Source, role: Role) -> str | None:
    """The name of the format, None for a file without content; raises where it is not clear."""
    beginning = Beginning(source)
    _refuse_false_parquet(beginning)
    found = _surest(beginning, role, builtin_formats(beginning.shape))
    found = found or _surest(beginning, role, builtin_formats())
    if found is None and beginning.is_empty:
        return None
    found = found or _surest(beginning, role, further_formats())
    if found is None:
        raise _unrecognised(beginning, role)
    return found.name


def _refuse_false_parquet(beginning: Beginning) -> None:
    """Refuse a file that is called Parquet and is none.

    An empty one among the parts of a run would otherwise be taken for a part without answers.
    """
    source = beginning.source
    if _ending_of(PurePath(source.name)) != ".parquet" or beginning.magic.startswith(MAGIC):
        return
    found = "text or other bytes" if beginning.magic else "an empty file"
    remedy = "get the file again, or rename it if it has another format"
    raise source.refused(
        f"{found}, not a Parquet file", f"{MAGIC.decode()} at its start", remedy=remedy
    )


def _surest(beginning: Beginning, role: Role, formats: Sequence[Format]) -> Format | None:
    """The format that is surest of a file; first bytes tell without a look at any line."""
    for each in formats:
        if each.reads(role) and each.magic and beginning.magic.startswith(each.magic):
            return each
    claims: dict[str, int] = {}
    # Those that have few numbers of columns are the ones that can be certain of columns.
    for each in sorted(formats, key=lambda each: each.breadth(role)):
        claims[each.name] = each.claims(beginning, role)
        if claims[each.name] == CERTAIN:
            return each
    found = max(formats, key=lambda each: claims[each.name], default=None)
    return found if found and claims[found.name] else None


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


class FileRole(Struct, frozen=True):
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
    surer = _surer_role(source, run, judged)
    if surer is not None:
        return FileRole(surer)
    fields, sign = find(run, "run").fields, find(run, "run").run_sign
    if fields is not None:
        return _role_by_names(source, sign, *fields(Beginning(source)))
    found = _role_of_columns(source)
    if found is None:
        raise _undecided(source, f"{sign} that may be either")
    return FileRole(found)


def is_chunk_table(source: Source) -> bool:
    """Rows with names that say nothing about a topic: texts or ranges of documents alone."""
    named = (likely_format(source, role) for role in ROLES)
    for form in filter(None, named):
        fields = find_any(form).fields
        if fields is not None:
            role, names = fields(Beginning(source))
            return role != "assessments" and not recognised(names, ("topic", "query"))
    return False


def _surer_role(source: Source, run: str, judged: str) -> Role | None:
    """The role whose format is surer of the file, None if both are."""
    beginning = Beginning(source)
    as_run = find(run, "run").claims(beginning, "run")
    as_assessments = find(judged, "assessments").claims(beginning, "assessments")
    if as_run == as_assessments:
        return None
    return "run" if as_run > as_assessments else "assessments"


def _role_by_names(source: Source, sign: str, found: Role | None, names: Sequence[str]) -> FileRole:
    if found is not None:
        return FileRole(found)
    if not recognised(names, ("start", "text")):
        raise _broken(source) or _undecided(source, f"{sign} that may be either")
    return FileRole("assessments", Note("unranked", remedy=f"use {_RUN} if they are answers"))


def likely_format(source: Source, role: Role) -> str | None:
    """The format that a file in this role has, even if its first lines are broken; else None."""
    _refuse_false_parquet(Beginning(source))
    try:
        return recognise(source, role)
    except InputError:
        beginning = Beginning(source)
        start = beginning.magic
        if any(each.magic and start.startswith(each.magic) for each in all_formats()):
            return None
        # Below a header, text in cells may go over lines that look like anything.
        if beginning.is_header:
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


def _broken(source: Source) -> InputError | None:
    """What is wrong with a file that cannot be read, whichever of the two it is."""
    problems: list[InputError] = []
    for role in ROLES:
        name = likely_format(source, role)
        try:
            if name is not None and role == "run":
                read_run(source, name)
            elif name is not None:
                read_assessments(source, name)
        except InputError as problem:
            problems.append(problem)
    if len(problems) < len(ROLES):
        return None
    if len({str(problem) for problem in problems}) == 1:
        return problems[0]
    return None if any(_is_recognised(source, role) for role in ROLES) else _neither(source)


def _is_recognised(source: Source, role: Role) -> bool:
    try:
        return recognise(source, role) is not None
    except InputError:
        return False


def _undecided(source: Source, found: str) -> InputError:
    remedy = f"say which with {_RUN} or {_ASSESSMENTS}"
    return InputError(Fault(source.name, None, found, "a run or assessments", remedy, "role"))


def _role_of_columns(source: Source) -> Role | None:
    """Ranges such as 10:20 are only in assessments; relevant text without any only in runs."""
    for fields in map(str.split, first_lines(source)):
        if any(RANGE.fullmatch(text) for text in fields[6:]):
            return "assessments"
        if len(fields) > 3 and fields[3] != "0":
            return "run"
    return None
