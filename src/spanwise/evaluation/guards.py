"""What looks like a mistake in a run as a whole, seen while its blocks come in.

No single line is wrong here: unknown names, ranges or ranks that are not there, scores
that rise. Alignment would give numbers all the same, and they would mislead.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import islice

import numpy as np

from spanwise.data.assessments import Assessments
from spanwise.data.documents import Documents
from spanwise.data.run import Extent, Run
from spanwise.errors import Fault, InputError, option
from spanwise.evaluation.policy import Notes, OrderChoice, Strangers, order_facts, rule_of
from spanwise.records import Struct, field, replace
from spanwise.text.ranges import Integers
from spanwise.text.sentences import counted

MANY = 20
"""A run of this many answers that shares no name with the assessments is refused."""
_EXAMPLES = 10
_FIRST = 1000
_LOOKED_AT = 200
"""Answers of a block whose documents are looked up."""


class Guards(Struct):
    """Looks at the blocks of one run."""

    notes: Notes
    assessments: Assessments | None = None
    """None: names are not compared."""
    strangers: Strangers = "error"
    order: OrderChoice | None = None
    has_texts: bool = False
    """The texts that answers say they return were compared with the documents already."""
    answers: int = 0
    file: str = ""
    topics: _Names = field(default_factory=lambda: _Names("topic"))
    documents: _Names = field(default_factory=lambda: _Names("document"))
    unknown: dict[str, None] = field(default_factory=dict)
    """Some documents of the run that neither assessments nor collection know."""

    def look(self, block: Run) -> None:
        """One block of whole topics, in the order of the file."""
        if not len(block):
            return
        self.answers += len(block)
        self.file = block.file
        self._note_whole_documents(block)
        self._note_order(block)
        if not self.has_texts:
            note_answers_quoted(block, self.notes)
        if self.assessments is not None:
            self.topics.look(block.topics, self.assessments.numbers)
            if not self.documents.shared:
                self._look_at_documents(block, self.assessments)
            self._look_for_strangers(block, self.assessments)

    def finish(self) -> None:
        """Refuse a run whose names are all unknown, or say so."""
        if self.assessments is None or not self.answers:
            return
        where = "the assessments"
        self._settle(self.topics, self.assessments.topics, where)
        self._settle(self.documents, _judged(self.assessments), f"{where} or the collection")
        if self.documents.shared and self.unknown:
            alike = misspelled(self.unknown, _cores(self.assessments))
            if alike is not None:
                self.notes.add("misspelled", 1, detail=f"{alike}; {alike.remedy}")

    # -- what answers say

    def _note_whole_documents(self, block: Run) -> None:
        if block.several_per_document:
            whole = np.count_nonzero(block.extent == Extent.WHOLE)
            self.notes.add("whole", int(whole), of=len(block))

    def _note_order(self, block: Run) -> None:
        unordered = block.order == "file" and block.rank is None and block.score is None
        if unordered and self.order is None:
            self.notes.add("no order", 1)
        by_score = rule_of(block, self.order) in ("score", "score, then document")
        if by_score and block.rank is None:
            facts = order_facts(block)
            self.notes.add("rising", facts.rising, of=facts.long_enough)

    # -- whose names they use

    def _look_at_documents(self, block: Run, assessments: Assessments) -> None:
        """The first documents are nearly always enough; else every one, once."""
        first = block.documents.take(slice(_FIRST))
        if assessments.knows(first).any():
            self.documents.shared = True
            return
        names = block.documents.take(block.documents.distinct())
        self.documents.shared = bool(assessments.knows(names).any())
        self.documents.keep(names[row] for row in range(len(names)))

    def _look_for_strangers(self, block: Run, assessments: Assessments) -> None:
        """Keep some unknown names; looking at all of them would take too long."""
        if len(self.unknown) >= _FIRST:
            return
        step = max(len(block) // _LOOKED_AT, 1)
        some = block.documents.take(slice(None, None, step))
        strange = np.flatnonzero(~assessments.knows(some))[: _FIRST - len(self.unknown)]
        self.unknown.update(dict.fromkeys(some.take(strange).strings()))

    def _settle(self, names: _Names, known: Iterable[str], where: str) -> None:
        if names.shared:
            return
        alike = spellings(list(names.examples), known, f"{names.what}s")
        if names is self.topics and self.assessments is not None:
            alike = _with_ids(alike, self.assessments)
        if self.strangers == "error" and self.answers >= MANY:
            raise InputError(names.fault(self.file, alike, where, self.answers))
        detail = f"{alike}; {alike.remedy}"
        self.notes.add(f"strange {names.what}s", 1, detail=detail)


class _Names(Struct):
    """Names of a run, until one of them is known."""

    what: str
    shared: bool = False
    examples: dict[str, None] = field(default_factory=dict)

    def look(self, names: Sequence[str], known: Mapping[str, object]) -> None:
        """Some further names of the run; the first ones are kept as examples."""
        self.shared = self.shared or any(name in known for name in names)
        self.keep(names)

    def keep(self, names: Iterable[str]) -> None:
        """Examples, for the message that none of them is known."""
        for name in () if self.shared else names:
            if len(self.examples) >= _EXAMPLES:
                return
            self.examples[name] = None

    def fault(self, file: str, alike: Spellings, where: str, answers: int) -> Fault:
        """That none of them is known."""
        found = f"no {self.what} of {where} in {answers:,} answers"
        expected = f"the names of {where} ({alike})"
        return Fault(file, None, found, expected, alike.remedy, f"{self.what}s")


_NUMBERED = re.compile(r"q\d{3,}")


def _with_ids(alike: Spellings, assessments: Assessments) -> Spellings:
    """Where the assessments have questions and the run has ids, something must join them."""
    queries = assessments.queries
    if any(queries.get(topic) != topic for topic in assessments.topics) or " " in alike.run:
        return alike
    remedy = f"give a file with the id and the query of each topic with {option('topics')}"
    if _NUMBERED.fullmatch(alike.run):
        numbered = option("assessments_format", "chroma-numbered")
        remedy = f"use {numbered} if this is Chroma's CSV and topics are its rows, or {remedy}"
    return replace(alike, remedy=remedy)


def refuse_other_documents(run: Run, known: Documents) -> None:
    """A run none of whose documents is in a collection; nothing could be made of it."""
    names = run.documents.take(run.documents.distinct()).strings()
    if not names or any(known.find(name) is not None for name in names):
        return
    alike = spellings(names[:_EXAMPLES], known.lengths, "documents", "collection")
    found = f"no document of the collection in {counted(len(run), 'answer')}"
    expected = f"documents of the collection ({alike})"
    raise InputError(Fault(run.file, None, found, expected, alike.remedy, "documents"))


def _judged(assessments: Assessments) -> Iterator[str]:
    """The judged documents, in order; they become strings only if somebody looks at them."""
    yield from assessments.judged_names()


def _cores(assessments: Assessments) -> Mapping[str, str]:
    """The judged documents by the core of their names."""
    kept = assessments.kept
    if "cores" not in kept:
        kept["cores"] = cores(assessments.judged_names())
    found: Mapping[str, str] = kept["cores"]
    return found


def note_answers_quoted(run: Run, notes: Notes) -> None:
    """Texts beside the ranges of a run that no document was compared with."""
    if run.quotes is None:
        return
    ranged = (run.extent == Extent.RANGE).tolist()
    quotes = [text if own else None for text, own in zip(run.quotes, ranged, strict=True)]
    note_quotes(quotes, lambda: run.end - run.start, run.place_of, notes)


def note_quotes(
    quotes: Sequence[str | None] | None,
    size: Callable[[], Integers],
    place_of: Callable[[int], str],
    notes: Notes,
) -> None:
    """Texts beside ranges that nothing compares with documents; their length may tell enough."""
    given = [] if quotes is None else [row for row, text in enumerate(quotes) if text is not None]
    if quotes is None or not given:
        return
    sizes = size().tolist()
    other = [row for row in given if len(quotes[row] or "") != sizes[row]]
    notes.add("unverified", len(given))
    detail = ""
    if other:
        row = other[0]
        detail = f"{place_of(row)}: {len(quotes[row] or '')} characters for {sizes[row]}"
    notes.add("quote length", len(other), of=len(given), detail=detail)


# -- spellings


MOST = 100_000
"""How many names are searched for one with a similar spelling."""

_EXTENSION = re.compile(r"(?<=[^./\\])\.[A-Za-z][A-Za-z0-9]{0,5}$")
# The same parts of many names, with NUL between them.
_FOLDERS = re.compile(r"[^\0]*[/\\]")
_EXTENSIONS = re.compile(r"(?<=[^./\\\0])\.[A-Za-z][A-Za-z0-9]{0,5}(?=\0)")
_ZEROS = re.compile(r"(?<=\0)0+")


class Spellings(Struct, frozen=True):
    """One name in the spelling of a run, one in another, and what to do."""

    run: str
    other: str
    remedy: str
    where: str = "assessments"
    """Whose spelling the other one is."""

    def __str__(self) -> str:
        return f"run: {self.run}, {self.where}: {self.other}"


def spellings(
    run: Sequence[str], others: Iterable[str], what: str, where: str = "assessments"
) -> Spellings:
    """The two names that are most alike, or the first of each.

    >>> found = spellings(["/data/docs/a.md"], ["b.md", "a.md"], "documents")
    >>> str(found), found.remedy
    ('run: /data/docs/a.md, assessments: a.md', 'drop the folders from the names in the run')
    """
    known = list(islice(others, MOST))
    pairs = ((own, other) for other in known for own in run if _may_match(own, other))
    fixes = ((_fix(own, other, where), own, other) for own, other in pairs)
    found = [(*fix, own, other) for fix, own, other in fixes if fix is not None]
    if not found:
        remedy = f"check that run and {where} are about the same {what}"
        return Spellings(run[0], known[0] if known else "none", remedy, where)
    _, remedy, own, other = min(found, key=lambda candidate: candidate[0])
    return Spellings(own, other, remedy, where)


def misspelled(names: Iterable[str], known: Mapping[str, str]) -> Spellings | None:
    """The first of these names that is one of the known ones in another spelling.

    >>> str(misspelled(["b", "docs/A.txt"], cores(["a"])))
    'run: docs/A.txt, assessments: a'
    """
    several = list(names)
    for own, left in zip(several, _cores_of(several), strict=True):
        other = known.get(left)
        if other is not None and other != own:
            fix = _fix(own, other)
            return Spellings(own, other, fix[1] if fix else "use the same names in both")
    return None


def cores(names: Iterable[str]) -> dict[str, str]:
    """The names by what is left of them without everything that is often spelled differently."""
    known = list(islice(names, MOST))
    return dict(zip(_cores_of(known), known, strict=True))


def _cores_of(names: list[str]) -> list[str]:
    """What ``_core`` gives for each of them, all at once."""
    joined = "\0".join(names)
    # Before a line feed at its end, a name ends twice for a regular expression.
    if not names or "\n" in joined:
        return [_core(name) for name in names]
    text = f"\0{joined}\0"
    if "/" in text or "\\" in text:
        text = _FOLDERS.sub("", text)
    text = _EXTENSIONS.sub("", text).casefold()
    text = _ZEROS.sub("", text)
    return _same_separators(text)[1:-1].split("\0")


def _may_match(own: str, other: str) -> bool:
    """A test that is cheap enough for all pairs."""
    if own.startswith(other) or own.endswith(other):
        return True
    if other.startswith(own) or other.endswith(own):
        return True
    return _core(own) == _core(other)


def _fix(own: str, other: str, where: str = "assessments") -> tuple[int, str] | None:
    """The first change that makes two names equal, and its place in the list of changes."""
    return next(((place, fix) for place, fix in enumerate(_fixes(own, other, where)) if fix), None)


def _fixes(own: str, other: str, where: str) -> Iterator[str | None]:
    for what, simpler in _SIMPLER.items():
        for longer, shorter, place in ((own, other, "run"), (other, own, where)):
            same = longer != shorter and simpler(longer) == shorter
            yield f"drop {what} from the names in the {place}" if same else None
    for what, simpler in _SIMPLER.items():
        yield f"use the same {what[4:]} in both" if simpler(own) == simpler(other) else None
    yield "use the same upper and lower case in both" if _same_letters(own, other) else None
    separators = _same_separators(own) == _same_separators(other)
    yield "use the same separators in both" if separators else None
    zeros = own.lstrip("0") == other.lstrip("0")
    yield "use the same leading zeros in both" if zeros else None
    for longer, shorter, place in ((own, other, "run"), (other, own, where)):
        rest = _rest(longer, shorter)
        chunks = f", or give {option('chunks')} if these are chunks" if place == "run" else ""
        yield f"drop {rest!r} from the names in the {place}{chunks}" if rest else None


def _rest(longer: str, shorter: str) -> str | None:
    """What a name has before or after the other, if that is a part of its own."""
    before, after = longer.removesuffix(shorter), longer.removeprefix(shorter)
    if before not in ("", longer) and _ends_part(before[-1], shorter[0]):
        return before
    if after not in ("", longer) and _ends_part(shorter[-1], after[0]):
        return after
    return None


def _ends_part(left: str, right: str) -> bool:
    """Does one part of a name end between these characters?"""
    both_letters = left.isalpha() and right.isalpha()
    both_digits = left.isdigit() and right.isdigit()
    return not both_letters and not both_digits


def _same_letters(own: str, other: str) -> bool:
    return own.casefold() == other.casefold()


def _last_part(name: str) -> str:
    return re.split(r"[/\\]", name)[-1]


def _without_extension(name: str) -> str:
    return _EXTENSION.sub("", name)


def _core(name: str) -> str:
    """What is left of a name without everything that is often spelled differently."""
    return _same_separators(_without_extension(_last_part(name)).casefold().lstrip("0"))


def _same_separators(name: str) -> str:
    return name.replace("%20", " ").replace("_", " ").replace("-", " ")


_SIMPLER: dict[str, Callable[[str], str]] = {
    "the folders": _last_part,
    "the extension": _without_extension,
    "the folders and the extension": lambda name: _without_extension(_last_part(name)),
}
"""Parts that one file may write and another leave out."""
