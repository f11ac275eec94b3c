"""Notes and faults: what was decided about doubtful input, and what is wrong with it, as values.

Code asks a note for its kind and its numbers. Words are chosen when a note is shown, once for
each kind, for the command line or for Python.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from spanwise.errors import Dialect, Fault, FaultyInput, option, spoken
from spanwise.records import Struct, replace

NAMED = 5
"""How many names a note holds."""

_COLLECTION = option("collection")

WORDS: Mapping[str, str] = {
    # Runs as a whole.
    "rising": "warning: scores rise down the file in {n} of {of} topics; these look like"
    f" distances: use {option('order', 'file')}, or {option('order', 'ascending')}",
    "strange topics": "no topic of the run is in the assessments: {detail}",
    "strange documents": "no document of the run is in the assessments or the collection: {detail}",
    "unknown documents": "warning: {n} of {of} answers name[s|] a document that is not in the"
    " collection (such as {detail})",
    "strange names": "none of {n} answers with a text names a document of the collection (such as"
    " {detail}); their texts were looked for in all documents",
    "named and quoted": "{n} of {of} strings among the answers [is the name of a document|are names"
    " of documents] and [was|were] taken as such, the others as text ({detail})",
    "misspelled": "warning: documents of the run are spelled differently in the assessments"
    " ({detail})",
    "unverified": "{n} text[|s] beside ranges [was|were] not compared with the documents; give"
    f" {_COLLECTION}",
    "path and range": "{n} answer[ names its element and its|s name their elements and their]"
    " characters; the characters are used",
    "listed with text": "{n} answer[|s] with a text [has|have] parts false: [its document is|their"
    " documents are] listed and nothing of [it|them] is returned",
    "quote length": "warning: {n} of {of} texts [is|are] not as long as [its range|their ranges]"
    " ({detail}); do offsets count bytes or UTF-16 units, or include the end? Give"
    f" {_COLLECTION} to compare them",
    # Text that is located in the documents.
    "located answers": "{n} answer[|s] had no usable offsets{detail} and [was|were] located by"
    " [its|their] text",
    "located chunks": "{n} chunk[|s] had no usable offsets{detail} and [was|were] located by"
    " [its|their] text",
    "located quotes": "{n} quoted text[|s] [was|were] located in the documents",
    "lost contexts": "{n} context[|s] of quotes [is|are] not in the documents, or at several"
    " places; the quotes were looked for without [it|them]",
    "context offsets": "{n} quote[ is|s are] not at [its|their] offset[|s] in the context and [was|"
    "were] located in it by [its|their] text",
    "folded": "{n} text[|s] [was|were] found ignoring white space and punctuation forms",
    "similar": "warning: {n} text[ is|s are] not in the documents word for word; the most similar"
    " place is used ({names})",
    "same letters": "{n} text[ agrees|s agree] with [its range|their ranges] when white space and"
    " punctuation forms are ignored",
    "wide characters": "{n} text[ has|s have] characters beyond U+FFFF before the end of ranges"
    " ({names}), and some annotation tools count each of them twice",
    "kept offsets": "{n} text[ contains|s contain] what is at [its|their] offsets, and more; the"
    " offsets are kept (repair)",
    "repaired": "{n} text[ was|s were] not at [its|their] offsets and [was|were] located instead"
    " (repair)",
    "repeated answers": "{n} answer[ has|s have] text that is at several places; {detail}",
    "repeated chunks": "{n} chunk[ has|s have] text that is at several places; the order of chunks"
    " in [its document|their documents] decides",
    "wrong occurrences": "{n} chunk[ has|s have] offsets of another place with the same text; the"
    " order of chunks in [its document|their documents] decides",
    "repeated quotes": "{n} quoted text[ is|s are] at several places; {detail}",
    "other places": "{n} quoted text[ is|s are] also at other places with other white space or"
    " other Unicode forms; the exact place is used: give its occurrence, or the start of another"
    " place",
    "places not kept": "{n} text[ is|s are] at too many places to keep; only the first of them"
    " count",
    "repeated texts": "{n} text[ is|s are] at several places; {detail}",
    "no order": "answers have neither rank nor score; ranked in file order",
    "no rank": "answers have no ranks to order by; ranked in file order",
    "no score": "answers have no scores to order by; ranked in file order",
    "distances": "scores are distances: smallest first",
    "whole": "{n} of {of} answer[s has|s have] no range; scored as whole documents",
    "tied ranks": "{n} answer[ has a tied rank|s have tied ranks]; ordered by {detail}",
    "ties": "{n} answer[ has a tied score|s have tied scores]; ordered by {detail}",
    "rising ranks": "scores rise down the ranking in {n} of {of} topics, as distances do; the rank"
    " decides",
    "contradiction": "{n} answer[ has|s have] a rank or score that contradicts the order; {detail}"
    " decides",
    "results": "{n} answer[ is|s are] beyond the first {detail} of [its|their] topic; not scored",
    "missing": "{n} topic[ is|s are] missing from the run; {detail} ({names})",
    "not assessed": "{n} topic[|s] of the run [is|are] not in the assessments; ignored ({names})",
    "unjudged": "{n} of {of} retrieved documents ({share}) [is|are] unjudged; counted as not"
    " relevant",
    "unjudged dropped": "{n} of {of} answers ({share}) [is in an unjudged document|are in unjudged"
    " documents]; left out before scoring",
    "merged": "{n} answer[ overlaps|s overlap] another in a relevant document; every character"
    " counts once",
    "as-is": "{n} answer[ overlaps|s overlap] another in a relevant document; counted every time"
    " (as-is)",
    "joined": "{n} answer[ was|s were] merged into [its|their] document's first rank",
    "no element": "{n} answer[|s] in relevant documents [does|do] not match an element and"
    " gain[s|] nothing (passages scores ranges without a tree)",
    "dropped": "{n} faulty line[|s] of {detail} [was|were] dropped",
    "cut": "{n} range[|s] of {detail} end[s|] beyond [its|their] document; cut or dropped",
    "empty": "the run has no answers",
    "no values": "no topic of the assessments is in the run: there are no values",
    # Assessments and collections.
    "no relevant text": "{n} topic[ has|s have] no relevant text; left out of the mean ({names})",
    "other length": "{n} judged document[ has|s have] another length in the collection than in"
    " the assessments (such as {detail}); the collection's is used",
    "no quotes": "{n} question[ has|s have] no quoted text; not scored ({names})",
    "topics by query": "{n} topic[ was|s were] found by [its|their] question in the topics file and"
    " [has|have] the id[|s] that it gives ({names})",
    "topics beyond": "{n} topic[|s] of the topics file [is|are] not in the assessments; ignored"
    " ({names})",
    "judged cut": "{n} judged document[ has|s have] relevant ranges beyond [its|their] end; cut",
    "united": "{n} relevant range[ overlaps|s overlap] another of the same topic and document;"
    " every character counts once",
    "judged both ways": "{n} range[ is|s are] judged relevant and not relevant; counted as"
    " relevant",
    "entry points beyond": "{n} best entry point[ is|s are] beyond the end of [its document|their"
    " documents] (such as {detail})",
    "no entry point": "{n} relevant document[ has|s have] no best entry point; the first relevant"
    " character is used",
    "equal entry points": "all {n} best entry points are equal ({detail}); measures of entry"
    " points say little here",
    "unplaced": "{n} passage[|s] or entry point[|s] located by tree position [is|are] not used;"
    f" give {_COLLECTION} or {option('elements')}",
    "lines dropped": "faulty lines were dropped or cut, by rule: {detail}",
    # Files.
    "order ignored": "{n} of {of} results have no {detail}, so it does not decide their order",
    "chunks elsewhere": "warning: {n} of {of} chunks [is|are] in documents that are not in the"
    " collection ({detail})",
    "not chunked": "warning: {n} of {of} relevant documents [has|have] no chunk in {detail}",
    "shared chunks": "the chunk table {detail} is used for all {n} runs; give one table for each"
    " run if their chunks differ",
    "resumed": "{n} of {of} run files [was|were] finished before; [its|their] results were taken"
    " from {detail}",
    "resume again": "{n} of {of} run files [was|were] finished before and [is|are] scored again,"
    " since topics are spread over the files of a folder",
    "resume changed": "{n} result[|s] in {detail} [is|are] not used: the run file, the assessments,"
    " documents, measures or settings are others now",
    "resume damaged": "{n} result[|s] in {detail} [is|are] damaged and not used",
    "latin-1": "it is not UTF-8 and was read as Latin-1",
    "ends fit": "ends of snippets are {detail}: so read, {n} of {of} [has|have] the length of"
    " [its|their] text",
    "ends unknown": "the text of {n} of {of} snippets does not tell whether [its|their] ends are"
    " inclusive; read as {detail}",
    "articles without snippets": "{n} article[ is|s are] listed without a snippet; not read",
    "queries again": "{n} quer[y comes|ies come] more than once; [its|their] snippets are joined"
    " ({names})",
    "without answers": "{n} question[ has|s have] no {detail}; left out",
    "whole pages": "{n} passage[ is|s are] given inside paragraphs; read as [a whole page|whole"
    " pages]",
    "begun paragraphs": "{n} passage[ goes|s go] on in the next paragraph; the paragraph"
    " [it begins|they begin] in counts as a whole",
    "no paragraph": "{n} page[ is|s are] given without a paragraph; left out",
    # Search.
    "no words": "{n} quer[y has|ies have] no word to search for; nothing is found for"
    " [its topic|their topics] ({names})",
    "found nothing": "{n} of {of} topics [finds|find] nothing: no document has a word of"
    " [its query|their queries] ({names})",
    # Measures.
    "default measures": "no measure was given: {every} [is|are] shown; choose with"
    f" {option('measures')}",
    "no tokens counted": f"no measure counts tokens, so {option('tokenizer')} changes nothing;"
    " textR(budget=512,unit=tokens) and read(unit=tokens) count them",
    "left out": "{every} [is|are] left out: {detail}",
    "nothing to gain": "{n} topic[ has|s have] nothing to gain by {detail}; left out of its mean"
    " ({names})",
    # Pools.
    "nothing pooled": "{n} topic[ has|s have] no document to assess and [is|are] left out of the"
    " pool ({names})",
    # Judgements of a log.
    "open judgements": "{n} judgement[ is|s are] still open and left out",
    "unjudged of the pool": "{n} of {of} documents of the pool [is|are] not judged",
    "outside the pool": "{n} judgement[ is|s are] about documents that are not in the pool; left"
    " out",
    "judged differently": "{n} judgement[ is another one|s are others] in the log of the same"
    " assessor, where [it stays|they stay]; [that|those] of the page [was|were] left out ({names})",
    "not on the page": "{n} judgement[ is|s are] in the log and not on the page, which begins"
    " without any; what is judged on it again is left out of the import",
    "already begun": "{n} judgement[ was|s were] begun before and [stays as it is|stay as they"
    " are]",
    "judged elsewhere": "{n} judged document[ is|s are] not in the collection and stay[s|] as"
    " [it is|they are] ({names})",
    "opened again": "{n} judgement[ loses|s lose] a passage that is not found and [is|are] open"
    " again",
    "outside entry points": "{n} document[ has a best entry point that is|s have best entry points"
    " that are] not inside it; left out",
    "several entry points": "{n} document[ has|s have] several best entry points; the first one"
    " is taken",
    "topics outside the bounds": "{n} topic[ has|s have] no relevant text yet; what is found in"
    " [it|them] may move means beyond their bounds",
    "entry points without text": "{n} document[ has|s have] a best entry point and no relevant"
    " text; [its judgement is|their judgements are] open",
    "entry points that are not relevant": "{n} document[ that is|s that are] not relevant [has"
    " a best entry point|have best entry points]; left out",
    # Statistics.
    "one run": "there is only one run, so there is nothing to compare it with",
    "other settings": "the baseline was evaluated with other settings ({every}); its scores may not"
    " be comparable",
    "other assessments": "the baseline was evaluated with other assessments; its scores may not be"
    " comparable",
    "no values at all": "no run has a value for any topic; every mean is given as 0",
    "runs without values": "{n} run[ has|s have] no values ({names}); [its|their] mean is given"
    " as 0",
    "no common topic": "{n} pair[ has|s have] no topic in common ({names}); [its difference|their"
    " differences] of 0 [is|are] not tested",
    "one common topic": "{n} pair[ has|s have] only one topic in common ({names}); p is 1",
    "equal runs": "{n} pair[ is|s are] equal on every topic ({names}); p is 1",
    "constant difference": "{n} pair[ has|s have] the same difference on every topic ({names});"
    " there is no interval, and p is that of the randomisation test",
    "opposed": "the Wilcoxon test and the means disagree about which run is better in {n}"
    " pair[|s] ({names}); not called significant",
    "one topic": "there is only one topic, so there are no intervals",
    "constant run": "{n} run[ has|s have] the same value on every topic ({names}); no interval is"
    " given",
    "different topics": "runs have values for different topics ({detail} of {of}), so their means"
    " cannot be compared; each pair is compared over the topics that both have",
    "too few topics": "with {n} topic[|s] no difference can be significant: the smallest exact p"
    " is {detail}",
    "too few for bootstrap": "with {n} topic[|s] no difference is called significant: the"
    " bootstrap test is anti-conservative, and no exact test of so few topics can be significant",
    "few for t": "with {n} topic[|s] the smallest p of an exact test is {detail}: what the t test"
    " finds rests on normally distributed differences",
    "anti-conservative": "with {n} topic[|s] the bootstrap test is anti-conservative{detail}",
    "observed direction": "the one-tailed test takes the observed direction, so its real level is"
    " about twice the nominal one (measured {detail} for .05); a baseline fixes the direction",
    "few resamples": "with {n} resample[|s] no corrected p of {of} tests can be below {detail}",
    "ungrouped": "{n} topic[ has|s have] no group ({names})",
    "groups beyond": "{n} topic[|s] of the groups [is|are] not compared ({names})",
    # The official INEX evaluator.
    "unlocated": "{n} answer[ has|s have] no place in [its document|their documents]; {detail}"
    " characters each, none relevant",
    "official without relevant text": "{n} topic[ has|s have] no relevant text ({names}); {detail}",
    # Collections and elements.
    "overlapping siblings": "{n} element[ overlaps|s overlap] the sibling before [it|them];"
    " the first is {detail}",
    "size mismatch": "{n} judged element[ has|s have] a size in the assessments that differs from"
    " the collection ({names}); the size in the collection is used",
    # Lab.
    "few part sets": "{detail}: only S and SLD are built (12 of 36 orderings)",
    "documents without elements": "{n} judged document[|s] with relevant text [has|have] no"
    " elements (such as {detail}); the document counts as its only element",
    "listed without parts": "{detail} finds no element inside a passage in {n} of {of} relevant"
    " documents; [it is|they are] listed without parts",
    "same ranking": "{n} topic[ has|s have] one relevant document; RS is the same as R for"
    " [it|them]",
    "nothing left": "{n} topic[ has|s have] one relevant document; without it nothing is returned,"
    " which scores 0 (effort: the highest cost)",
    "invented document": "for {n} topic[|s] every known document is relevant; an invented one"
    " precedes [it|them] in RI and RSI",
    "graph left out": "the graph of igP is left out: {detail}",
    "experiment left out": "the experiment {names} is left out: {detail}",
    "topics without values": "{n} topic[ has|s have] no value in some run; left out ({names})",
    "exceeds 1": "its values can exceed 1: differences are shares of the largest mean, {detail}",
    "too few to extrapolate": "{n} topics give sets of up to {of}, which is too few to extrapolate"
    " from; {detail} topics would be enough",
    "constant error": "in {n} of {of} bins (the first is {detail}) the error does not fall with"
    " more topics; it is extrapolated as constant",
    "ranks no runs": "no topic has a value in every run, so it ranks no runs",
    "equal means": "all runs have the same mean, so it ranks no runs",
    "no shared topic": "{detail} share no topic with values in every run",
    "equal differences": "the difference is the same on every topic for {names}, so p is that of"
    " the randomisation test",
    "no values of both": "no topic has a value for both versions of {names}; left out of its count",
    "judged without relevant text": "{n} topic[ was|s were] judged without finding relevant text;"
    " the judgements of {detail} are used ({names})",
    "judged by one": "{n} topic[ was|s were] not judged; the judgements of {detail} are used"
    " ({names})",
    "relevant to another": "{n} topic[ has|s have] relevant text here but not by {detail}; left out"
    " ({names})",
    "too few scored runs": "fewer than two runs have scores for {detail}",
    "runs without scores": "{n} run[ has|s have] no score for any of {of} topics; left out"
    " ({names})",
    "scored by one": "{n} topic[ is|s are] not scored by both {detail}; [it does|they do] not vary"
    " ({names})",
    "no agreement on elements": "agreement on elements is not shown: {detail}",
    "no agreement on characters": "agreement on characters: {n} topic[ is|s are] left out, with"
    " documents or elements that are relevant as a whole and have no known length",
    "judged by one assessor": "{n} of {of} judged documents [was|were] judged by one of the two"
    " only; not compared",
    "no document judged not relevant": "all {n} document[ that both judged is|s that both judged"
    " are] relevant to both, as where files list relevant documents only; kappa and alpha over"
    " documents need those that were read and found not relevant",
    "compared without text": "{n} document[ is|s are] relevant as a whole or by elements only, with"
    " text that is not known; not compared by characters",
    "no lengths to compare": "the length of {n} of {of} documents is not known; kappa and alpha"
    f" over characters need it: give {_COLLECTION}",
    "undefined agreement": "no {detail} for {n} of {of} topics ({names}): all judgements are"
    " equal, or nothing is relevant",
    "unassessed elements": "elements without both grades were not assessed; left out",
    "other annotations": "{n} annotation[ is|s are] not of text ({names}); skipped",
    "cancelled annotations": "{n} annotation[ was|s were] cancelled; skipped",
    "several annotators": "{n} document[ has|s have] annotations of several annotators, which are"
    " united",
    "not annotated": "{n} task[ was|s were] not annotated; left out",
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
    "fitted": "{n} answer[ was|s were] turned into elements, {of} in all",
    "fitted text": "{n} of {of} characters of these answers ({share}) [is|are] in none of the"
    " elements",
    "fitted around": "{n} answer[ contains|s contain] no element; the smallest one around"
    " [it|each] is used",
    "fitted again": "{n} element[ was|s were] named before in [its|their] topic; left out",
    "fitted without tree": "{n} answer[ is in a document|s are in documents] without elements and"
    " could not be turned into [one|any]",
    "not places": "{n} answer[ is neither a range nor an element|s are neither ranges nor"
    " elements]; left out",
    "whole documents left out": "{n} whole document[ is|s are] of unknown length; left out",
    "listed documents left out": "{n} document[ is|s are] listed without a range; left out",
    "texts kept": "{n} text[|s] without a range [was|were] not located; written as [it is|they"
    " are]",
    "texts left out": "{n} text[|s] without a range [was|were] not located; left out",
    "ranges united": "{n} range[ overlaps or touches|s overlap or touch] another and [is|are]"
    " written with it as one",
    "no section": "{n} range[ is|s are] in documents without a section; written as {detail}"
    " and read again as DOCUMENT#{detail}",
    "entry points left out": "{n} entry point[ is not a range|s are not ranges]; left out",
    "split aspects": "{n} range[ has|s have] aspects with vertical bars in their names, which CSV"
    " splits",
    # Chunk tables.
    "no chunks": "no document is a chunk of the chunk table; read as whole documents",
    # Anything else: the detail is the sentence.
    "remark": "{detail}",
}
"""How each kind is put into words. ``[one|many]`` are the words for a count of one and of several;
``{n}``, ``{of}``, ``{share}``, ``{detail}``, ``{names}`` (the first few) and ``{every}`` (all
names) stand for what the note holds."""

_NUMBER = re.compile(r"\[([^|\]]*)\|([^|\]]*)\]")


class Note(Struct, frozen=True):
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

    def __repr__(self) -> str:
        return f"<Note {self.kind!r}: {self}>"

    def said(self, dialect: Dialect) -> str:
        """The note for the command line or for Python."""
        return spoken(self.message, dialect)

    @property
    def message(self) -> str:
        """The note with its settings still to be spelled, to be part of another text."""
        words = _NUMBER.sub(lambda choice: choice[1 if self.count == 1 else 2], WORDS[self.kind])
        share = f"{self.count / self.of:.0%}" if self.of else ""
        text = words.format(
            n=f"{self.count:,}",
            of=f"{self.of:,}",
            share=share,
            detail=self.detail,
            names=some_names(self.names),
            every=", ".join(self.names),
        )
        lead = "".join(f"{each}: " for each in (self._whose(), self.about) if each)
        remedy = f"; {self.remedy}" if self.remedy else ""
        return f"{lead}{text}{remedy}"

    def _whose(self) -> str:
        if len(self.runs) < 2:
            return "".join(self.runs)
        each = "each of " if self.kind in EACH_RUN else ""
        return f"{each}{len(self.runs)} runs"

    def to_dict(self) -> dict[str, object]:
        """Everything that is set, for JSON; renderers spell the settings in its texts."""
        single = ("of", "detail", "remedy", "about")
        several = ("names", "runs")
        return {
            "kind": self.kind,
            "count": self.count,
            **{name: getattr(self, name) for name in single if getattr(self, name)},
            **{name: list(getattr(self, name)) for name in several if getattr(self, name)},
            "text": self.message,
        }


def some_names(names: Sequence[str]) -> str:
    """The first few names of many."""
    return ", ".join(names[:NAMED]) + (", ..." if len(names) > NAMED else "")


def grouped(notes: Iterable[Note]) -> list[Note]:
    """Notes of one kind about several runs as one note, with the sums of their numbers.

    >>> print(*grouped(Note("unjudged", n, of=5, runs=(run,)) for n, run in ((2, "a"), (1, "b"))))
    2 runs: 3 of 10 retrieved documents (30%) are unjudged; counted as not relevant
    """
    together: dict[tuple[object, ...], Note] = {}
    for note in notes:
        key = _group_of(note)
        together[key] = _joined(together[key], note) if key in together else note
    return list(together.values())


def _group_of(note: Note) -> tuple[object, ...]:
    """What notes that are shown as one have in common."""
    if note.kind in BY_ROW:
        return (note.kind, note.about, note.runs)
    if not note.runs:
        return (note,)
    if note.kind in EACH_RUN:
        return (note.kind, note.detail, note.remedy, note.about, note.count, note.names)
    detail = "" if note.kind in BY_EXAMPLE else note.detail
    return (note.kind, detail, note.remedy, note.about)


BY_ROW = frozenset(("similar",))
"""Kinds of which there is a note for each row: one for all rows of a file is enough to read."""
BY_EXAMPLE = frozenset(("unknown documents", "misspelled", "quote length"))
"""Kinds whose detail is an example: one of them is enough for several runs."""
EACH_RUN = frozenset(("missing", "not assessed", "nothing to gain", "left out"))
"""Kinds about topics or measures, which several runs share: nothing is added up."""


def _joined(first: Note, second: Note) -> Note:
    runs = tuple(dict.fromkeys((*first.runs, *second.runs)))
    if first.kind in EACH_RUN:
        return replace(first, runs=runs)
    return replace(
        first,
        count=first.count + second.count,
        of=first.of + second.of,
        names=tuple(dict.fromkeys((*first.names, *second.names)))[: NAMED + 1],
        runs=runs,
    )


# -- faults

KEPT = 10_000
"""How many faults are kept word by word; further ones are only counted."""


class Faults:
    """What is wrong with one file.

    A reader adds faults and drops the rows that have them. ``settle`` then decides: strict input
    is refused, lenient input goes on with the rows that are left and the counts for each rule.
    """

    def __init__(self, file: str, *, lenient: bool = False) -> None:
        self.file = file
        self.lenient = lenient
        self.kept: list[Fault] = []
        self.counts: Counter[str] = Counter()
        self.notes: list[Note] = []
        """What is not a fault but worth knowing, such as a column that was ignored."""

    def add(self, rule: str, line: int | None, found: str, expected: str, remedy: str) -> None:
        """Note one fault under the name of the rule that it breaks."""
        self.counts[rule] += 1
        if len(self.kept) < KEPT:
            self.kept.append(Fault(self.file, line, found, expected, remedy, rule))

    def note(self, note: Note) -> None:
        """Keep something that is not a fault, once."""
        if note not in self.notes:
            self.notes.append(note)

    def tally(self, note: Note) -> None:
        """Keep something that is counted: further cases of the same are added to it."""
        for place, before in enumerate(self.notes):
            if replace(before, count=note.count) == note:
                self.notes[place] = replace(before, count=before.count + note.count)
                return
        self.notes.append(note)

    def by_rule(self) -> str:
        """How many faults of each rule there are, as text.

        >>> faults = Faults("run.txt", lenient=True)
        >>> faults.add("range", 3, "5:2", "start before end", "fix the line")
        >>> faults.by_rule()
        'range 1'
        """
        return ", ".join(f"{rule} {count}" for rule, count in sorted(self.counts.items()))

    def take_over(self, other: Faults) -> None:
        """Add the faults of another file."""
        self.counts += other.counts
        self.kept += other.kept[: KEPT - len(self.kept)]
        for note in other.notes:
            self.note(note)

    def settle(self) -> None:
        """Refuse the input if it has faults and leniency was not asked for."""
        if self.kept and not self.lenient:
            raise FaultyInput(sorted(self.kept, key=lambda fault: fault.line or 0))
