"""What looks like a mistake in a run as a whole, seen while its blocks come in.

No single line is wrong here: unknown names, ranges or ranks that are not there, scores
that rise. Alignment would give numbers all the same, and they would mislead.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from heapq import nsmallest
from itertools import chain, islice

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
_TOPICS = 200
"""So many topics, those whose names come first, are searched for unknown documents."""
_LOOKED_AT = 20
"""About so many answers of each of them are looked at."""

Place = tuple[str, int]
"""The topic of an answer and its number there: what comes first, whatever the order of blocks."""


class Seen(Struct):
    """What blocks of a run show of it as a whole; it adds up in any order to the same."""

    answers: int = 0
    file: str = ""
    topics: _Names = field(default_factory=lambda: _Names())
    documents: _Names = field(default_factory=lambda: _Names())
    unknown: dict[str, list[str]] = field(default_factory=dict)
    """By topic, some documents that neither assessments nor collection know."""

    def take(self, other: Seen) -> None:
        """Add what other blocks of the run show."""
        self.answers += other.answers
        self.file = self.file or other.file
        self.topics.take(other.topics)
        self.documents.take(other.documents)
        self.unknown.update(other.unknown)
        if len(self.unknown) > _TOPICS:
            self.unknown = {topic: self.unknown[topic] for topic in sorted(self.unknown)[:_TOPICS]}

    def strangers(self) -> list[str]:
        """The first unknown documents, each once."""
        names = chain.from_iterable(self.unknown[topic] for topic in sorted(self.unknown))
        return list(islice(dict.fromkeys(names), _FIRST))


class _Names(Struct):
    """Names of a run, until one of them is known."""

    shared: bool = False
    examples: dict[str, Place] = field(default_factory=dict)
    """The first ones, for the message that none of them is known."""

    def keep(self, names: Iterable[tuple[str, Place]]) -> None:
        """Further names that are not known, with their places."""
        for name, place in names:
            if name not in self.examples or place < self.examples[name]:
                self.examples[name] = place
        self.examples = {name: self.examples[name] for name in self.first()}

    def first(self) -> list[str]:
        """The examples in their order."""
        return sorted(self.examples, key=self.examples.__getitem__)[:_EXAMPLES]

    def take(self, other: _Names) -> None:
        """Add the names of other blocks."""
        self.shared = self.shared or other.shared
        if self.shared:
            self.examples = {}
        else:
            self.keep(other.examples.items())


class Guards(Struct, frozen=True):
    """Looks at the blocks of runs, and then at what was seen of a run as a whole."""

    assessments: Assessments | None = None
    """None: names are not compared."""
    strangers: Strangers = "error"
    order: OrderChoice | None = None
    has_texts: bool = False
    """The texts that answers say they return were compared with the documents already."""

    def look(self, block: Run, notes: Notes) -> Seen:
        """One block of whole topics."""
        if not len(block):
            return Seen()
        seen = Seen(len(block), block.file)
        self._note_whole_documents(block, notes)
        self._note_order(block, notes)
        if not self.has_texts:
            note_answers_quoted(block, notes)
        if self.assessments is not None:
            known = self.assessments.numbers
            seen.topics.shared = any(name in known for name in block.topics)
            if not seen.topics.shared:
                seen.topics.keep((name, (name, 0)) for name in sorted(block.topics)[:_EXAMPLES])
            self._look_at_documents(block, self.assessments, seen.documents)
            seen.unknown = _strangers(block, self.assessments)
        return seen

    def settle(self, seen: Seen, notes: Notes) -> None:
        """Refuse a run whose names are all unknown, or say so."""
        if self.assessments is None or not seen.answers:
            return
        where = "the assessments"
        self._settle("topic", seen, notes, self.assessments.topics, where)
        where = f"{where} or the collection"
        self._settle("document", seen, notes, _judged(self.assessments), where)
        unknown = seen.strangers()
        if seen.documents.shared and unknown:
            alike = misspelled(unknown, _cores(self.assessments))
            if alike is not None:
                notes.add("misspelled", 1, detail=f"{alike}; {alike.remedy}")

    # -- what answers say

    def _note_whole_documents(self, block: Run, notes: Notes) -> None:
        if block.several_per_document:
            whole = np.count_nonzero(block.extent == Extent.WHOLE)
            notes.add("whole", int(whole), of=len(block))

    def _note_order(self, block: Run, notes: Notes) -> None:
        unordered = block.order == "file" and block.rank is None and block.score is None
        if unordered and self.order is None:
            notes.add("no order", 1)
        by_score = rule_of(block, self.order) in ("score", "score, then document")
        if by_score and block.rank is None:
            facts = order_facts(block)
            notes.add("rising", facts.rising, of=facts.long_enough)

    # -- whose names they use

    def _look_at_documents(self, block: Run, assessments: Assessments, seen: _Names) -> None:
        """The first documents are nearly always enough; else every one, once."""
        first = block.documents.take(slice(_FIRST))
        if assessments.knows(first).any():
            seen.shared = True
            return
        names = block.documents.take(block.documents.distinct())
        seen.shared = bool(assessments.knows(names).any())
        if not seen.shared:
            seen.keep(_first_documents(block))

    def _settle(
        self, what: str, seen: Seen, notes: Notes, known: Iterable[str], where: str
    ) -> None:
        names = seen.topics if what == "topic" else seen.documents
        if names.shared:
            return
        alike = spellings(names.first(), known, f"{what}s")
        if what == "topic" and self.assessments is not None:
            alike = _with_ids(alike, self.assessments)
        if self.strangers == "error" and seen.answers >= MANY:
            raise InputError(_fault(what, seen, alike, where))
        notes.add(f"strange {what}s", 1, detail=f"{alike}; {alike.remedy}")


def _first_documents(block: Run) -> Iterator[tuple[str, Place]]:
    """Enough documents with their places to have the first different ones among them."""
    found: set[str] = set()
    for number in sorted(range(len(block.topics)), key=block.topics.__getitem__):
        begin, end = block.offsets[number : number + 2].tolist()
        for row in range(begin, end):
            name = block.documents[row]
            if name not in found:
                yield name, (block.topics[number], row - begin)
                found.add(name)
                if len(found) >= _EXAMPLES:
                    return


def _strangers(block: Run, assessments: Assessments) -> dict[str, list[str]]:
    """Unknown documents among some answers of the topics whose names come first."""
    topics, sizes = block.topics, np.diff(block.offsets)
    chosen = nsmallest(_TOPICS, range(len(topics)), key=topics.__getitem__)
    numbers = np.array(chosen, np.int64)
    step = np.maximum(sizes[numbers] // _LOOKED_AT, 1)
    counts = -(-sizes[numbers] // step)
    place = np.arange(counts.sum()) - np.repeat(np.cumsum(counts) - counts, counts)
    rows = np.repeat(block.offsets[numbers], counts) + place * np.repeat(step, counts)
    names = block.documents.take(rows)
    strange = np.flatnonzero(~assessments.knows(names))
    found: dict[str, list[str]] = {topics[number]: [] for number in chosen}
    owners = np.repeat(numbers, counts)[strange].tolist()
    for number, name in zip(owners, names.take(strange).strings(), strict=True):
        found[topics[number]].append(name)
    return found


def _fault(what: str, seen: Seen, alike: Spellings, where: str) -> Fault:
    """That none of the names is known."""
    found = f"no {what} of {where} in {seen.answers:,} answers"
    expected = f"the names of {where} ({alike})"
    return Fault(seen.file, None, found, expected, alike.remedy, f"{what}s")


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
    topics = list(map(run.topics.__getitem__, run.topic.tolist()))
    note_quotes(quotes, lambda: run.end - run.start, run.place_of, notes, topics)


def note_quotes(
    quotes: Sequence[str | None] | None,
    size: Callable[[], Integers],
    place_of: Callable[[int], str],
    notes: Notes,
    topics: Sequence[str] = (),
) -> None:
    """Texts beside ranges that nothing compares with documents; their length may tell enough."""
    given = [] if quotes is None else [row for row, text in enumerate(quotes) if text is not None]
    if quotes is None or not given:
        return
    sizes = size().tolist()
    other = [row for row in given if len(quotes[row] or "") != sizes[row]]
    notes.add("unverified", len(given))
    detail = topic = ""
    if other:
        row = min(other, key=topics.__getitem__) if topics else other[0]
        topic = topics[row] if topics else ""
        detail = f"{place_of(row)}: {len(quotes[row] or '')} characters for {sizes[row]}"
    notes.add("quote length", len(other), of=len(given), detail=detail, topic=topic)


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
