"""What spanwise is compared with on files: ``peers.py NAME QRELS RUN...``.

Each runs in a process of its own and prints one JSON object. The document tools give the mean of
each measure for each run, the loops their two means.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any

import loops

Means = dict[str, float]


def main() -> None:
    """Run one of them."""
    name, qrels, *runs = sys.argv[1:]
    json.dump(PEERS[name](qrels, runs), sys.stdout)


def pytrec_eval(qrels: str, runs: list[str]) -> list[Means]:
    """pytrec_eval, with its own parsers."""
    tool = import_module("pytrec_eval")
    names = {"map": "AP", "ndcg_cut_10": "nDCG@10", "P_10": "P@10", "recip_rank": "RR"}
    asked = {"map", "ndcg_cut.10", "P.10", "recip_rank"}
    with open(qrels) as stream:  # noqa: PTH123
        evaluator = tool.RelevanceEvaluator(tool.parse_qrel(stream), asked)
    means = []
    for path in runs:
        with open(path) as stream:  # noqa: PTH123
            topics = evaluator.evaluate(tool.parse_run(stream)).values()
        means.append(
            {
                ours: sum(topic[theirs] for topic in topics) / len(topics)
                for theirs, ours in names.items()
            }
        )
    return means


def ir_measures(qrels: str, runs: list[str]) -> list[Means]:
    """ir_measures, with its own parsers and the provider it chooses."""
    tool = import_module("ir_measures")
    asked = [tool.AP, tool.nDCG @ 10, tool.P @ 10, tool.RR]
    evaluator = tool.evaluator(asked, tool.read_trec_qrels(qrels))
    found = [evaluator.calc_aggregate(tool.read_trec_run(path)) for path in runs]
    return [{str(measure): float(value) for measure, value in one.items()} for one in found]


def ranx(qrels: str, runs: list[str]) -> list[Means]:
    """Ranx, with its own parsers."""
    tool = import_module("ranx")
    names = {"map": "AP", "ndcg@10": "nDCG@10", "precision@10": "P@10", "mrr": "RR"}
    judged = tool.Qrels.from_file(qrels, kind="trec")
    means = []
    for path in runs:
        run = tool.Run.from_file(path, kind="trec")
        found = tool.evaluate(judged, run, list(names), make_comparable=True)
        means.append({names[theirs]: float(value) for theirs, value in found.items()})
    return means


def loop_over_unions(qrels: str, runs: list[str]) -> list[Means]:
    """The loop that unites ranges."""
    return [loops.means(loops.queries_of(qrels, run), loops.over_unions) for run in runs]


def loop_over_pairs(qrels: str, runs: list[str]) -> list[Means]:
    """The loop over pairs of ranges."""
    return [loops.means(loops.queries_of(qrels, run), loops.over_pairs) for run in runs]


def lxml_parsing(folder: str, _: list[str]) -> int:
    """What no reader of XML with lxml can be quicker than."""
    etree = import_module("lxml.etree")
    return sum(
        sum(1 for _ in etree.parse(str(path)).iter()) for path in Path(folder).rglob("*.xml")
    )


PEERS: dict[str, Callable[[str, list[str]], Any]] = {
    peer.__name__: peer
    for peer in (pytrec_eval, ir_measures, ranx, loop_over_unions, loop_over_pairs, lxml_parsing)
}

if __name__ == "__main__":
    main()
