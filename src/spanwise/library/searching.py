"""Search: index documents, find the best of them and the best passages inside."""

from __future__ import annotations

from typing import Any

from spanwise.collection.build import Progress, Summary
from spanwise.data.notes import NAMED, Note
from spanwise.errors import SpanwiseError, option
from spanwise.formats.budget import chosen, spending
from spanwise.formats.reading import PathLike
from spanwise.library.collecting import CollectProgress, TopicsInput, queries_of
from spanwise.records import asdict, require_one_of, whole_number
from spanwise.retrieval.building import SourceInput, build_index
from spanwise.retrieval.dense import Embed
from spanwise.retrieval.index import Index
from spanwise.retrieval.languages import Stemming
from spanwise.retrieval.modes import MODE, MODES, ORDERS, PASSAGES, SHARE, WINDOW, By, Mode
from spanwise.retrieval.passages import Browsing
from spanwise.retrieval.results import FoundTopic, SearchResult

FOR_QUERY, FOR_TOPICS = 10, 100
"""Documents that are fetched for a query, and for each of several topics."""
QUERY_TOPIC = "q1"
"""The topic of a single query."""


def index(
    source: SourceInput,
    to: PathLike,
    *,
    language: Stemming | None = None,
    elements: PathLike | None = None,
    force: bool = False,
    lenient: bool = False,
    limits: bool = True,
    progress: Progress | None = None,
) -> Summary:
    """Index documents in a folder, or bring the index there up to date.

    ``source`` is a folder, an archive, a table of documents or one document, several of these in a
    list, a collection file, or a dictionary from document to text. With ``language`` words are
    stemmed, and later updates keep it (``"none"`` ends it); a table of ``elements`` replaces the
    documents' own. Documents that have not changed are not analysed again (``force``: all are).

    >>> from tempfile import mkdtemp
    >>> place = mkdtemp() + "/sea.index"
    >>> print(index({"tides": "Tides rise twice a day.", "fog": "Fog horns warn ships."}, place))
    2 documents: 2 new, 0 changed, 0 unchanged, 0 removed
    """
    with spending(chosen(limits=limits)):
        return build_index(
            source,
            to,
            language=language,
            elements=elements,
            force=force,
            lenient=lenient,
            progress=progress,
        )


def search(
    index: Index | PathLike,
    query: str | TopicsInput,
    mode: Mode = MODE,
    k: int | None = None,
    *,
    passages: int = PASSAGES,
    share: float = SHARE,
    window: int = WINDOW,
    by: By = "documents",
    embed: Embed | None = None,
    name: str | None = None,
    progress: CollectProgress | None = None,
) -> SearchResult:
    """Find the best documents in an index, and the best passages inside each.

    A text is one query; anything else holds topics: a dictionary from topic to query, a list of
    queries, a topics file as a ``Path``. ``k`` documents are fetched by BM25 (10 for a query, 100
    for topics); ``passages`` are returned of each at most, none with less than ``share`` of the
    score of its best one. ``embed`` turns texts into vectors, which rerank passages. ``by`` says
    how the run ranks its answers.

    >>> from tempfile import mkdtemp
    >>> place = mkdtemp() + "/sea.index"
    >>> import spanwise
    >>> _ = spanwise.index({"tides": "Tides rise twice a day.", "fog": "Fog warns."}, place)
    >>> found = spanwise.search(place, "when do tides rise?", "sentence")
    >>> [(each.document, each.entry_point, len(each.passages)) for each in found.documents]
    [('tides', 0, 1)]
    >>> found.run.topics
    ('q1',)
    """
    require_one_of("by", by, ORDERS)
    how = Browsing(mode, passages, share, window)
    opened = index if isinstance(index, Index) else Index.open(index)
    if isinstance(query, str):
        most = FOR_QUERY if k is None else whole_number("k", k, 1)
        found = [FoundTopic(QUERY_TOPIC, query, tuple(opened.search(query, most, how, embed)))]
        notes: tuple[Note, ...] = ()
    else:
        most = FOR_TOPICS if k is None else whole_number("k", k, 1)
        found, notes = _topics(opened, queries_of(query), most, how, embed, progress)
    settings = {"k": most, **asdict(how), "by": by, "language": opened.language}
    return SearchResult(opened, tuple(found), name or mode, by, settings, notes)


def search_in_all_modes(
    index: Index | PathLike, topics: TopicsInput, k: int | None = None, **settings: Any
) -> dict[Mode, SearchResult]:
    """The same topics in every mode, by mode, in the order of ``MODES``; settings as ``search``.

    >>> from tempfile import mkdtemp
    >>> import spanwise
    >>> place = mkdtemp() + "/sea.index"
    >>> _ = spanwise.index({"tides": "Tides rise twice a day."}, place)
    >>> list(search_in_all_modes(place, {"t1": "tides"}))
    ['document', 'window', 'sentence', 'paragraph', 'element']
    """
    opened = index if isinstance(index, Index) else Index.open(index)
    return {mode: search(opened, topics, mode, k, **settings) for mode in MODES}


def _topics(
    index: Index,
    queries: dict[str, str],
    k: int,
    how: Browsing,
    embed: Embed | None,
    progress: CollectProgress | None,
) -> tuple[list[FoundTopic], tuple[Note, ...]]:
    """What was found for each topic; those that find nothing are noted."""
    found, silent = list[FoundTopic](), list[str]()
    for number, (topic, query) in enumerate(queries.items(), start=1):
        if index.has_words(query):
            found.append(FoundTopic(topic, query, tuple(index.search(query, k, how, embed))))
        else:
            silent.append(topic)
        if progress is not None:
            progress(number, len(queries))
    if not found:
        raise SpanwiseError(
            f"no query has a word to search for (such as topic {silent[0]}); check"
            f" {option('topics')}"
        )
    empty = [each.topic for each in found if not each.documents]
    kinds = (("no words", silent), ("found nothing", empty))
    return found, tuple(
        Note(kind, len(topics), of=len(queries), names=tuple(topics[: NAMED + 1]))
        for kind, topics in kinds
        if topics
    )
