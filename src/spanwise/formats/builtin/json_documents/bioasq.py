"""BioASQ: questions with snippets of articles, as gold or as answers, best first.

A snippet lies in a section of an article, and its offsets count from the beginning of the section:
the document is ``ARTICLE#SECTION``. Its end is inclusive in the official program and exclusive in
many files; the length of its text tells which.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from itertools import groupby
from typing import Any, BinaryIO, Literal
from urllib.parse import quote, unquote

from spanwise.data.assessments import Assessments
from spanwise.data.judgements import LARGEST
from spanwise.data.notes import Faults, Note
from spanwise.data.run import Extent, Run
from spanwise.errors import shown
from spanwise.formats.beginning import Beginning
from spanwise.formats.field_values import RowError, whole_number
from spanwise.formats.json_items import (
    Entry,
    Item,
    JsonDocument,
    Place,
    identifier_in,
    objects_in,
    rows_of_entries,
    text_in,
    write_document,
)
from spanwise.formats.range_writing import (
    left_out,
    lost_beside_ranges,
    marked_ranges,
    ranked_ranges,
)
from spanwise.formats.registry import CERTAIN, NO, Fields, Format, Role, RunOptions
from spanwise.formats.row_meaning import judged_in, runs_of
from spanwise.formats.row_writing import only_run
from spanwise.formats.source import Source
from spanwise.records import Struct

RUN_TITLE = "BioASQ run"
ASSESSMENTS_TITLE = "BioASQ assessments"
QUESTIONS, SNIPPETS = "questions", "snippets"
_ANSWERED_BY = ("system", "username")
"""Members that only answers have."""
_ADDRESS = "http://www.ncbi.nlm.nih.gov/pubmed/"
_ABSTRACT = "abstract"
_ALSO_ABSTRACT = frozenset(("0", "sections.0", "section.0"))
Ends = Literal["inclusive", "exclusive"]
INCLUSIVE: Ends = "inclusive"
EXCLUSIVE: Ends = "exclusive"


def recognises(beginning: Beginning, role: Role) -> int:
    """A list of questions; who answered them is said in answers only."""
    if QUESTIONS not in beginning.outline:
        return NO
    return CERTAIN if role == "run" or fields(beginning)[0] is None else NO


def fields(beginning: Beginning) -> Fields:
    """The names of the document, and whether they tell that it holds answers."""
    names = list(beginning.outline)
    return ("run" if any(name in names for name in _ANSWERED_BY) else None), names


# -- reading


def read_run(source: Source, faults: Faults, options: RunOptions) -> Iterator[Run]:
    """The answers, in the order of their lists."""
    document = JsonDocument(source, (QUESTIONS,), faults)
    rows = rows_of_entries(_entries(document, "run", faults), "run", faults)
    system = document.members.get("system")
    runs = runs_of(rows, system if isinstance(system, str) and system else source.stem)
    faults.settle()
    yield from runs


def read_assessments(source: Source, faults: Faults) -> Assessments:
    """The snippets of the questions, each a relevant range."""
    document = JsonDocument(source, (QUESTIONS,), faults)
    return judged_in(
        rows_of_entries(_entries(document, "assessments", faults), "assessments", faults)
    )


class _Snippet(Struct, frozen=True):
    """A snippet whose end is not understood yet."""

    place: Place
    topic: str
    query: str | None
    rank: int
    document: str
    begin: int
    end: int
    text: str | None

    @property
    def fitting(self) -> Ends | None:
        """How the end is to be read for the snippet to have the length of its text."""
        if self.text is None or len(self.text) - (self.end - self.begin) not in (0, 1):
            return None
        return EXCLUSIVE if len(self.text) == self.end - self.begin else INCLUSIVE

    def entry(self, role: Role, ends: Ends) -> Entry:
        """The row that it is, with ends read so."""
        end = self.end + (ends == INCLUSIVE)
        row: dict[str, Any] = {"topic": self.topic, "document": self.document}
        row |= {"start": self.begin, "end": end, "text": self.text}
        if role == "run":
            row["rank"] = self.rank
        elif self.query is not None:
            row["query"] = self.query
        return Entry(self.place, row)


def _entries(document: JsonDocument, role: Role, faults: Faults) -> Iterator[Entry]:
    """Every snippet as a row; ends that its own text does not explain are read as most are."""
    snippets, questions = list[_Snippet](), dict[str, Place]()
    without = articles = 0
    for question in document:
        try:
            topic, query = identifier_in(question.value, "id"), text_in(question.value, "body")
            _refuse_repeated(topic, questions, question.place)
        except RowError as refused:
            question.place.refuse(refused, faults)
            continue
        found = list(_snippets(question, topic, query, faults))
        without += not found
        articles += _articles_without(question, found)
        snippets += found
    if without:
        faults.note(Note("without answers", without, detail=SNIPPETS))
    if articles and role == "assessments":
        faults.note(Note("articles without snippets", articles))
    usual = _usual_ends(snippets, faults)
    for snippet in snippets:
        yield snippet.entry(role, snippet.fitting or usual)


def _refuse_repeated(topic: str, before: dict[str, Place], place: Place) -> None:
    first = before.setdefault(topic, place)
    if first is not place:
        raise RowError("repetition", f"question {topic} again", f"it once (it is {first.path})")


def _snippets(question: Item, topic: str, query: str | None, faults: Faults) -> Iterator[_Snippet]:
    """The snippets of a question that can be used."""
    if question.value.get(SNIPPETS) is None:
        return
    for rank, item in enumerate(objects_in(question, SNIPPETS, faults), start=1):
        try:
            begin, end = _offset(item, "offsetInBeginSection"), _offset(item, "offsetInEndSection")
            text = text_in(item.value, "text")
            yield _Snippet(item.place, topic, query, rank, _document(item), begin, end, text)
        except RowError as refused:
            item.place.refuse(refused, faults)


def _articles_without(question: Item, snippets: Iterable[_Snippet]) -> int:
    """How many articles a question lists of which it has no snippet."""
    listed = question.value.get("documents")
    names = listed if isinstance(listed, list) else []
    held = {snippet.document.rpartition("#")[0] for snippet in snippets}
    return len({_article(name) for name in names if isinstance(name, str)} - held)


def _article(address: str) -> str:
    """The last part of an address."""
    return unquote(address.rstrip("/").rpartition("/")[2])


def _offset(item: Item, name: str) -> int:
    if item.value.get(name) is None:
        raise RowError("missing", f"no {name}", f"{name} as a whole number")
    offset = whole_number(name, item.value[name])
    if not 0 <= offset < LARGEST:
        raise RowError("range", f"{name} {offset}", "an offset of 0 or more, below 2^63")
    return offset


def _document(item: Item) -> str:
    """Article and section: the last part of the article's address, and where the snippet lies."""
    article = _article(identifier_in(item.value, "document"))
    if not article:
        found = f"document {shown(item.value['document'])}"
        raise RowError("identifier", found, "an address that ends with the article's id")
    begin, end = (_section(item, name) for name in ("beginSection", "endSection"))
    if begin != end:
        found = f"a snippet from {begin!r} to {end!r}"
        raise RowError("range", found, "its beginning and end in one section")
    return f"{article}#{begin}"


def _section(item: Item, name: str) -> str:
    section = identifier_in(item.value, name)
    return _ABSTRACT if section in _ALSO_ABSTRACT else section


def _usual_ends(snippets: Iterable[_Snippet], faults: Faults) -> Ends:
    """How most ends are to be read, and a note on which reading fits."""
    fitting = Counter(snippet.fitting for snippet in snippets)
    of, unknown = fitting.total(), fitting.pop(None, 0)
    usual = EXCLUSIVE if fitting[EXCLUSIVE] > fitting[INCLUSIVE] else INCLUSIVE
    for ends in (INCLUSIVE, EXCLUSIVE):
        if fitting[ends]:
            faults.note(Note("ends fit", fitting[ends], of=of, detail=ends))
    if unknown:
        faults.note(Note("ends unknown", unknown, of=of, detail=usual))
    return usual


# -- writing


def write_run(runs: Iterable[Run], stream: BinaryIO) -> list[Note]:
    """The ranges of a run as snippets, in the order of the ranking."""
    run = only_run(runs, RUN_TITLE)
    rows, lost = ranked_ranges(run, RUN_TITLE), _Lost()
    topics = [run.topics[number] for number in run.topic[rows].tolist()]
    ranges = zip(run.start[rows].tolist(), run.end[rows].tolist(), strict=True)
    quotes = (None if run.quotes is None else run.quotes[row] for row in rows.tolist())
    snippets = zip(
        topics,
        map(lost.snippet, run.documents.take(rows).strings(), ranges, quotes),
        strict=True,
    )
    write_document(stream, {"system": run.name}, QUESTIONS, _questions(snippets, {}))
    scores = [] if run.score is None else [Note("scores lost", about=f"run {run.name}")]
    return [*left_out(run), *lost.notes(), *scores]


def write_assessments(assessments: Assessments, stream: BinaryIO) -> list[Note]:
    """The relevant ranges as snippets."""
    lost, written = _Lost(), list[tuple[str, dict[str, Any]]]()
    marked = marked_ranges(assessments)
    for pair, (document, topic) in enumerate(
        zip(assessments.documents.strings(), assessments.topic.tolist(), strict=True)
    ):
        for span, marked_text in marked[pair]:
            text = marked_text if marked_text is not None else _text(assessments, document, span)
            written.append((assessments.topics[topic], lost.snippet(document, span, text)))
    write_document(stream, {}, QUESTIONS, _questions(written, assessments.queries))
    return [*lost_beside_ranges(assessments), *lost.notes()]


def _text(assessments: Assessments, document: str, span: tuple[int, int]) -> str | None:
    """What is at a range, where the text of the document is known: readers tell ends by it."""
    text = assessments.texts.get(document)
    return None if text is None else text[slice(*span)]


def _questions(
    snippets: Iterable[tuple[str, dict[str, Any]]], queries: Mapping[str, str]
) -> Iterator[dict[str, Any]]:
    """Each question with its snippets and their articles."""
    for topic, group in groupby(snippets, key=lambda pair: pair[0]):
        own = [snippet for _, snippet in group]
        asked = {"body": queries[topic]} if topic in queries else {}
        articles = list(dict.fromkeys(snippet["document"] for snippet in own))
        yield {"id": topic, **asked, "documents": articles, SNIPPETS: own}


class _Lost:
    """Writes snippets and counts what they cannot say."""

    def __init__(self) -> None:
        self.sections = self.texts = 0

    def snippet(self, document: str, span: tuple[int, int], text: str | None) -> dict[str, Any]:
        """A range as a snippet, with its text if that has the length of the range."""
        article, section = self._parts(document)
        snippet: dict[str, Any] = {
            "document": f"{_ADDRESS}{quote(article, safe='')}",
            "beginSection": section,
            "endSection": section,
            "offsetInBeginSection": span[0],
            "offsetInEndSection": span[1] - 1,
        }
        if text is not None and len(text) == span[1] - span[0]:
            snippet["text"] = text
        elif text is not None:
            self.texts += 1
        return snippet

    def _parts(self, document: str) -> tuple[str, str]:
        article, _, section = document.rpartition("#")
        if article and section and section not in _ALSO_ABSTRACT:
            return article, section
        self.sections += 1
        return document, _ABSTRACT

    def notes(self) -> Iterator[Note]:
        """What was lost."""
        if self.sections:
            yield Note("no section", self.sections, detail=_ABSTRACT)
        if self.texts:
            yield Note("lost", self.texts, detail="texts of another length than their ranges")


FORMAT = Format(
    name="bioasq",
    run_title=RUN_TITLE,
    assessments_title=ASSESSMENTS_TITLE,
    run_sign="BioASQ JSON",
    assessments_sign="BioASQ JSON",
    recognises=recognises,
    fields=fields,
    read_run=read_run,
    write_run=write_run,
    read_assessments=read_assessments,
    write_assessments=write_assessments,
    answers=frozenset((Extent.RANGE,)),
    one_run=True,
    writes_texts=True,
)
