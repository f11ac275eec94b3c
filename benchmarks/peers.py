"""What spanwise is compared with, each in a process of its own: ``peers.py NAME QRELS RUN...``.

Prints one JSON object. The document tools give the mean of each measure for each run. The RAG loops
are written here, the way RAG harnesses score spans: one query after the other, in plain Python;
they also print how long reading and scoring took.
"""

from __future__ import annotations

import json
import sys
import time
from collections import defaultdict
from collections.abc import Callable, Iterable
from importlib import import_module
from itertools import islice
from pathlib import Path
from typing import Any

Means = dict[str, dict[str, float]]
"""Run, measure, mean."""
Range = tuple[int, int]
Span = tuple[str, int, int]
"""Document, start, end."""
Query = tuple[list[Span], list[Span]]
"""What was retrieved and what is relevant."""


def main() -> None:
    """Run one of them."""
    name, qrels, *runs = sys.argv[1:]
    json.dump(PEERS[name](qrels, runs), sys.stdout)


# -- whole documents


def pytrec_eval(qrels: str, runs: list[str]) -> Means:
    """pytrec_eval, with its own parsers."""
    tool = import_module("pytrec_eval")
    names = {"map": "AP", "ndcg_cut_10": "nDCG@10", "P_10": "P@10", "recip_rank": "RR"}
    asked = {"map", "ndcg_cut.10", "P.10", "recip_rank"}
    with open(qrels) as stream:  # noqa: PTH123
        evaluator = tool.RelevanceEvaluator(tool.parse_qrel(stream), asked)
    means = {}
    for path in runs:
        with open(path) as stream:  # noqa: PTH123
            topics = evaluator.evaluate(tool.parse_run(stream)).values()
        means[path] = {
            ours: sum(topic[theirs] for topic in topics) / len(topics)
            for theirs, ours in names.items()
        }
    return means


def ir_measures(qrels: str, runs: list[str]) -> Means:
    """ir_measures, with its own parsers and the provider it chooses."""
    tool = import_module("ir_measures")
    asked = [tool.AP, tool.nDCG @ 10, tool.P @ 10, tool.RR]
    evaluator = tool.evaluator(asked, tool.read_trec_qrels(qrels))
    means = {}
    for path in runs:
        found = evaluator.calc_aggregate(tool.read_trec_run(path))
        means[path] = {str(measure): float(value) for measure, value in found.items()}
    return means


def ranx(qrels: str, runs: list[str]) -> Means:
    """Ranx, with its own parsers."""
    tool = import_module("ranx")
    names = {"map": "AP", "ndcg@10": "nDCG@10", "precision@10": "P@10", "mrr": "RR"}
    judged = tool.Qrels.from_file(qrels, kind="trec")
    means = {}
    for path in runs:
        run = tool.Run.from_file(path, kind="trec")
        found = tool.evaluate(judged, run, list(names), make_comparable=True)
        means[path] = {names[theirs]: float(value) for theirs, value in found.items()}
    return means


# -- ranges of text

Timed = dict[str, Any]


def loop_over_unions(qrels: str, runs: list[str]) -> Timed:
    """Text precision and recall with united ranges, as in Chroma's chunking evaluation."""
    return _loop(qrels, runs[0], _score_unions)


def loop_over_pairs(qrels: str, runs: list[str]) -> Timed:
    """The same by pairs of spans, as in LegalBench-RAG: what overlaps counts twice."""
    return _loop(qrels, runs[0], _score_pairs)


def spanwise_in_memory(qrels: str, runs: list[str]) -> Timed:
    """Spanwise on objects that are in memory: the loops' two measures."""
    return _in_memory(qrels, runs[0], ["textP", "textR"])


def spanwise_in_memory_four(qrels: str, runs: list[str]) -> Timed:
    """Spanwise on objects that are in memory: four measures."""
    return _in_memory(qrels, runs[0], ["textP", "textR", "AgP", "AgP(aveChP)"])


def _in_memory(qrels: str, run: str, measures: list[str]) -> Timed:
    import spanwise

    begin = time.process_time()
    judged, answers = spanwise.read_assessments(qrels), spanwise.read_run(run)
    middle = time.process_time()
    scores = spanwise.evaluate(judged, answers, measures)
    end = time.process_time()
    means = {name: scores.mean(name) for name in ("textP", "textR")}
    return {"means": means, "reading": middle - begin, "scoring": end - middle}


# -- elements


def spanwise_elements(qrels: str, files: list[str]) -> Timed:
    """Spanwise on a collection, assessments and runs that are in memory: the XCG family."""
    import spanwise

    collection, *runs = files
    begin = time.process_time()
    judged = spanwise.read_assessments(qrels)
    documents = spanwise.open_collection(collection)
    answers = [run for path in runs for run in spanwise.read_run(path)]
    middle = time.process_time()
    scores = spanwise.evaluate(judged, answers, "xcg", collection=documents)
    end = time.process_time()
    means: Means = defaultdict(dict)
    for row in scores.rows(per_topic=False):
        means[row["run"]][row["measure"]] = row["value"]
    return {"means": list(means.values()), "reading": middle - begin, "scoring": end - middle}


def lxml_parsing(folder: str, _: list[str]) -> int:
    """What no reader of XML with lxml can be quicker than."""
    etree = import_module("lxml.etree")
    return sum(
        sum(1 for _ in etree.parse(str(path)).iter()) for path in Path(folder).rglob("*.xml")
    )


def _loop(qrels: str, run: str, score: Callable[[Query], Range3]) -> Timed:
    begin = time.process_time()
    queries = _queries(qrels, run)
    middle = time.process_time()
    precision, recall = 0.0, 0.0
    for query in queries:
        found, read, relevant = score(query)
        precision += found / read if read else 0.0
        recall += found / relevant
    end = time.process_time()
    means = {"textP": precision / len(queries), "textR": recall / len(queries)}
    return {"means": means, "reading": middle - begin, "scoring": end - middle}


Range3 = tuple[int, int, int]
"""Characters found, read and relevant."""


def _queries(qrels: str, run: str) -> list[Query]:
    """The queries that have relevant text, with plain tuples and lists."""
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


def _score_pairs(query: Query) -> Range3:
    retrieved, gold = query
    found = read = 0
    for document, start, end in retrieved:
        read += end - start
        for other, left, right in gold:
            if document == other:
                common = min(end, right) - max(start, left)
                if common > 0:
                    found += common
    return found, read, sum(right - left for _, left, right in gold)


def _score_unions(query: Query) -> Range3:
    retrieved, gold = query
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


PEERS: dict[str, Callable[[str, list[str]], Any]] = {
    peer.__name__: peer
    for peer in (
        pytrec_eval,
        ir_measures,
        ranx,
        loop_over_unions,
        loop_over_pairs,
        spanwise_in_memory,
        spanwise_in_memory_four,
        spanwise_elements,
        lxml_parsing,
    )
}

if __name__ == "__main__":
    main()
