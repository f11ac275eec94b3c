"""LegalBench-RAG: queries with spans of files, as gold (``tests``) or as what was retrieved.

The query is the topic. Answers are ``tests`` with ``retrieved_snippets``, or the results that the
benchmark's own program saves (``qa_result_list``); their order is the ranking.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import groupby
from typing import Any, BinaryIO

from spanwise.data.assessments import Assessments
from spanwise.data.notes import Faults, Note
from spanwise.data.run import Extent, Run
from spanwise.errors import shown
from spanwise.formats.beginning import Beginning
from spanwise.formats.column_writing import scores_in
from spanwise.formats.field_values import RowError
from spanwise.formats.json_items import (
    Entry,
    Item,
    JsonDocument,
    identifier_in,
    list_in,
    objects_in,
    rows_of_entries,
    text_in,
    write_document,
)
from spanwise.formats.range_writing import (
    counted_loss,
    left_out,
    lost_beside_ranges,
    marked_ranges,
    ranked_ranges,
)
from spanwise.formats.registry import CERTAIN, NO, Format, Role, RunOptions
from spanwise.formats.row_meaning import judged_in, runs_of
from spanwise.formats.row_writing import only_run
from spanwise.formats.source import Source

RUN_TITLE = "LegalBench-RAG run"
ASSESSMENTS_TITLE = "LegalBench-RAG assessments"
TESTS, RESULTS = "tests", "qa_result_list"
GOLD, RETRIEVED = "snippets", "retrieved_snippets"


def recognises(beginning: Beginning, role: Role) -> int:
    """Tests or results; what was retrieved is in runs only."""
    names = beginning.outline
    held = names.get(TESTS) or names.get(RESULTS)
    if not held or ("query" not in held and "qa_gt" not in held):
        return NO
    is_run = RETRIEVED in held or RESULTS in names
    return CERTAIN if is_run == (role == "run") else NO


# -- reading


def read_run(source: Source, faults: Faults, options: RunOptions) -> Iterator[Run]:
    """What was retrieved for each query, best first."""
    document = JsonDocument(source, (TESTS, RESULTS), faults)
    rows = rows_of_entries(_entries(document, RETRIEVED, faults), "run", faults)
    runs = runs_of(rows, source.stem)
    faults.settle()
    yield from runs


def read_assessments(source: Source, faults: Faults) -> Assessments:
    """The spans that answer each query."""
    document = JsonDocument(source, (TESTS,), faults)
    return judged_in(rows_of_entries(_entries(document, GOLD, faults), "assessments", faults))


def _entries(document: JsonDocument, name: str, faults: Faults) -> Iterator[Entry]:
    """Every snippet as a row; those of a query that comes again are added to its own."""
    queries, rank, without = Counter[str](), Counter[str](), 0
    for test in document:
        try:
            query = query_of(test)
        except RowError as refused:
            test.place.refuse(refused, faults)
            continue
        queries[query] += 1
        snippets = list(objects_in(test, name, faults))
        without += not snippets
        for snippet in snippets:
            rank[query] += 1
            try:
                row = {"topic": query, **_range(snippet)}
                own = {"rank": rank[query], "score": snippet.value.get("score")}
                yield Entry(snippet.place, row | (own if name == RETRIEVED else {"query": query}))
            except RowError as refused:
                snippet.place.refuse(refused, faults)
    again = [query for query, count in queries.items() if count > 1]
    if again:
        faults.note(Note("queries again", len(again), names=tuple(again)))
    if without:
        faults.note(Note("without answers", without, detail=name))


def query_of(test: Item) -> str:
    """The query of a test or a result."""
    asked = test.value.get("qa_gt", test.value)
    if not isinstance(asked, dict):
        raise RowError("type", f"qa_gt {shown(asked)}", "an object with a query")
    return identifier_in(asked, "query")


def _range(snippet: Item) -> dict[str, Any]:
    """Document, start, end and text of a snippet."""
    span = list_in(snippet.value, "span")
    if len(span) != 2 or None in span:
        raise RowError("range", f"span {shown(span)}", "[start, end]")
    document = identifier_in(snippet.value, "file_path")
    text = text_in(snippet.value, "answer")
    return {"document": document, "start": span[0], "end": span[1], "text": text}


def groups_in(source: Source, faults: Faults) -> Iterator[tuple[int, str, str]]:
    """Line, query and tags of each test that has any: its group."""
    for test in JsonDocument(source, (TESTS,), faults):
        try:
            tags = list_in(test.value, "tags") if "tags" in test.value else []
            names = [identifier_in({"tag": tag}, "tag") for tag in tags]
            if names:
                yield test.place.line, query_of(test), ", ".join(names)
        except RowError as refused:
            test.place.refuse(refused, faults)


# -- writing


def write_run(runs: Iterable[Run], stream: BinaryIO) -> list[Note]:
    """The ranges of a run as retrieved snippets, in the order of the ranking."""
    run = only_run(runs, RUN_TITLE)
    rows = ranked_ranges(run, RUN_TITLE)
    columns = (run.start[rows], run.end[rows], scores_in(run, rows))
    topics = (run.topics[number] for number in run.topic[rows].tolist())
    snippets = zip(
        topics,
        run.documents.take(rows).strings(),
        *(column.tolist() for column in columns),
        strict=True,
    )
    tests = (
        {
            "query": topic,
            RETRIEVED: [
                {"file_path": document, "span": [start, end], "score": score}
                for _, document, start, end, score in group
            ],
        }
        for topic, group in groupby(snippets, key=lambda snippet: snippet[0])
    )
    write_document(stream, {}, TESTS, tests)
    return list(left_out(run))


def write_assessments(assessments: Assessments, stream: BinaryIO) -> list[Note]:
    """The relevant text as disjoint spans, which is what the benchmark asks for."""
    marked = marked_ranges(assessments)
    held = [pair for pair, ranges in enumerate(marked) if ranges]
    spans, documents = assessments.relevant.to_lists(), assessments.documents.strings()
    topic = assessments.topic.tolist()
    tests = (
        {
            "query": assessments.topics[number],
            GOLD: [
                {"file_path": documents[pair], "span": list(span)}
                for pair in pairs
                for span in spans[pair]
            ],
        }
        for number, pairs in groupby(held, key=topic.__getitem__)
    )
    write_document(stream, {}, TESTS, tests)
    others = [name for name, query in assessments.queries.items() if query != name]
    united = sum(len(marked[pair]) - len(spans[pair]) for pair in held)
    return [
        *lost_beside_ranges(assessments),
        *counted_loss("query texts beside the names of topics", len(others)),
        *([Note("ranges united", united)] if united else []),
    ]


FORMAT = Format(
    name="legalbench",
    run_title=RUN_TITLE,
    assessments_title=ASSESSMENTS_TITLE,
    run_sign="LegalBench-RAG JSON",
    assessments_sign="LegalBench-RAG JSON",
    recognises=recognises,
    read_run=read_run,
    write_run=write_run,
    read_assessments=read_assessments,
    write_assessments=write_assessments,
    answers=frozenset((Extent.RANGE,)),
    one_run=True,
    tagged=False,
)
