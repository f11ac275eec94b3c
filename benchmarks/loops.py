"""Text precision and recall the way RAG harnesses compute them: plain loops, query after query.

One unites ranges, as Chroma's chunking evaluation does; the other adds up the overlaps of all pairs
of ranges, as LegalBench-RAG does, where text that is retrieved twice counts twice. Nothing is
checked.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable
from itertools import islice

Range = tuple[int, int]
Span = tuple[str, int, int]
"""Document, start, end."""
Sizes = tuple[int, int, int]
"""Characters found, read and relevant."""
Highlights = dict[str, dict[str, list[Range]]]
"""Query, document, relevant ranges."""
Answers = dict[str, list[tuple[str, int, int, float]]]
"""Query, answers with their scores."""
Score = Callable[[list[Span], list[Span]], Sizes]


def means(queries: Iterable[tuple[list[Span], list[Span]]], score: Score) -> dict[str, float]:
    """The mean precision and recall of queries, each with what was retrieved and is relevant."""
    precision, recall, count = 0.0, 0.0, 0
    for retrieved, gold in queries:
        found, read, relevant = score(retrieved, gold)
        precision += found / read if read else 0.0
        recall += found / relevant
        count += 1
    return {"textP": precision / count, "textR": recall / count}


def queries_of(qrels: str, run: str) -> list[tuple[list[Span], list[Span]]]:
    """The queries of INEX FOL files that have relevant text, with plain tuples and lists."""
    gold: defaultdict[str, list[Span]] = defaultdict(list)
    for topic, _, document, _, _, _, *ranges in _rows(qrels):
        for start, length in (pair.split(":") for pair in ranges):
            gold[topic].append((document, int(start), int(start) + int(length)))
    retrieved: defaultdict[str, list[Span]] = defaultdict(list)
    for topic, _, document, _, _, _, start, length in _rows(run):
        retrieved[topic].append((document, int(start), int(start) + int(length)))
    return [(retrieved[topic], gold[topic]) for topic in gold]


def _rows(path: str) -> Iterable[list[str]]:
    with open(path) as stream:  # noqa: PTH123
        for line in stream:
            yield line.split()


def over_pairs(retrieved: list[Span], gold: list[Span]) -> Sizes:
    """The overlap of every retrieved span with every relevant one."""
    found = read = 0
    for document, start, end in retrieved:
        read += end - start
        for other, left, right in gold:
            if document == other:
                common = min(end, right) - max(start, left)
                if common > 0:
                    found += common
    return found, read, sum(right - left for _, left, right in gold)


def over_unions(retrieved: list[Span], gold: list[Span]) -> Sizes:
    """The same with ranges that are united as they come."""
    read: defaultdict[str, list[Range]] = defaultdict(list)
    found: defaultdict[str, list[Range]] = defaultdict(list)
    for document, start, end in retrieved:
        read[document] = _union([*read[document], (start, end)])
        for other, left, right in gold:
            common = (max(start, left), min(end, right))
            if document == other and common[0] < common[1]:
                found[document] = _union([*found[document], common])
    relevant: defaultdict[str, list[Range]] = defaultdict(list)
    for document, start, end in gold:
        relevant[document].append((start, end))
    united = {document: _union(ranges) for document, ranges in relevant.items()}
    return _size(found), _size(read), _size(united)


def _union(ranges: list[Range]) -> list[Range]:
    ordered = sorted(ranges)
    merged = ordered[:1]
    for start, end in islice(ordered, 1, None):
        if start <= merged[-1][1]:
            merged[-1] = (merged[-1][0], max(merged[-1][1], end))
        else:
            merged.append((start, end))
    return merged


def _size(documents: dict[str, list[Range]]) -> int:
    return sum(end - start for ranges in documents.values() for start, end in ranges)


# -- on dictionaries, which need no search for the ranges of a document


def dictionary_pairs(highlights: Highlights, answers: Answers) -> dict[str, float]:
    """Mean precision and recall by pairs, straight from dictionaries."""
    precision = recall = 0.0
    for query, documents in highlights.items():
        found = read = 0
        for document, start, end, _ in answers[query]:
            read += end - start
            for left, right in documents.get(document, ()):
                common = min(end, right) - max(start, left)
                if common > 0:
                    found += common
        relevant = sum(right - left for ranges in documents.values() for left, right in ranges)
        precision += found / read
        recall += found / relevant
    return {"textP": precision / len(highlights), "textR": recall / len(highlights)}


def dictionary_unions(highlights: Highlights, answers: Answers) -> dict[str, float]:
    """Mean precision and recall by unions, straight from dictionaries."""
    precision = recall = 0.0
    for query, documents in highlights.items():
        retrieved: defaultdict[str, list[Range]] = defaultdict(list)
        for document, start, end, _ in answers[query]:
            retrieved[document].append((start, end))
        read = {document: _union(ranges) for document, ranges in retrieved.items()}
        found = sum(
            max(min(end, right) - max(start, left), 0)
            for document, ranges in documents.items()
            for left, right in _union(ranges)
            for start, end in read.get(document, ())
        )
        relevant = sum(right - left for ranges in documents.values() for left, right in ranges)
        precision += found / _size(read)
        recall += found / relevant
    return {"textP": precision / len(highlights), "textR": recall / len(highlights)}
