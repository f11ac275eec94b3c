"""What starts from objects in memory: ``in_memory.py NAME ARGUMENT...``.

Prints JSON with the processor seconds and the elapsed seconds of the call alone, the least of
several where one is short, and what it found.
"""

from __future__ import annotations

import json
import random
import sys
import time
from collections.abc import Callable
from itertools import combinations
from typing import Any

import loops

Job = Callable[[], Any]
TEXT = ["textP", "textR"]
CHUNKS = ["textP", "textR", "AgP", "AgP(aveChP)"]
DOCUMENTS = ["AP", "nDCG@10", "P@10", "RR"]
LONG_ENOUGH = 0.5
"""Seconds to go on measuring a call."""


def main() -> None:
    """Prepare one of them, and measure its call."""
    name, *arguments = sys.argv[1:]
    prepare, present = JOBS[name]
    job = prepare(*arguments)
    cpu, wall, found = timed(job, 1) if name in ONCE else least(job)
    json.dump({"cpu": cpu, "wall": wall, "result": present(found)}, sys.stdout)


def least(job: Job) -> tuple[float, float, Any]:
    """The least processor and elapsed seconds of a call; the first one only loads modules.

    Short calls are measured in batches: the clock of the processor may be coarse.
    """
    timed(job, 1)
    cpu, wall, found = timed(job, 1)
    count = max(1, round(0.01 / max(wall, 1e-6)))
    until = time.perf_counter() + LONG_ENOUGH
    while time.perf_counter() < until:
        again = timed(job, count)
        cpu, wall = min(cpu, again[0]), min(wall, again[1])
    return cpu, wall, found


def timed(job: Job, count: int) -> tuple[float, float, Any]:
    """The mean processor and elapsed seconds of some calls, and what the last one found."""
    begin, wall = time.process_time(), time.perf_counter()
    for _ in range(count):
        found = job()
    end = time.perf_counter()
    return (time.process_time() - begin) / count, (end - wall) / count, found


def means(scores: Any) -> list[dict[str, float]]:
    """The means of scores, run by run."""
    runs: dict[str, dict[str, float]] = {}
    for row in scores.rows(per_topic=False):
        runs.setdefault(row["run"], {})[row["measure"]] = row["value"]
    return list(runs.values())


def plain(found: Any) -> Any:
    """What is JSON already."""
    return found


# -- ready objects


def objects(qrels: str, run: str, *measures: str) -> Job:
    """Spanwise on its own objects; modules are loaded by a small evaluation before."""
    import spanwise

    judged, answers = spanwise.read_assessments(qrels), spanwise.read_run(run)
    spanwise.evaluate(*_chunks("1"), list(measures))
    return lambda: spanwise.evaluate(judged, answers, list(measures))


def unions(qrels: str, run: str) -> Job:
    """The loop over unions, on lists of tuples."""
    queries = loops.queries_of(qrels, run)
    return lambda: [loops.means(queries, loops.over_unions)]


def pairs(qrels: str, run: str) -> Job:
    """The loop over pairs, on lists of tuples."""
    queries = loops.queries_of(qrels, run)
    return lambda: [loops.means(queries, loops.over_pairs)]


def elements(qrels: str, collection: str, *runs: str) -> Job:
    """Spanwise on assessments and runs of elements that are in memory: the XCG family."""
    import spanwise

    judged, documents = spanwise.read_assessments(qrels), spanwise.open_collection(collection)
    answers = [run for path in runs for run in spanwise.read_run(path)]
    return lambda: spanwise.evaluate(judged, answers, "xcg", collection=documents)


# -- dictionaries


def _chunks(queries: str) -> tuple[loops.Highlights, loops.Answers]:
    """Queries with one or two relevant documents and 20 chunks, two of each of ten documents."""
    draw = random.Random(20)
    highlights: loops.Highlights = {}
    answers: loops.Answers = {}
    for number in range(int(queries)):
        documents = [f"doc{name}" for name in draw.sample(range(200_003), 10)]
        first = [800 * draw.randrange(1, 60) for _ in documents]
        order = draw.sample(range(20), 20)
        answers[f"q{number}"] = [
            (documents[place // 2], start, start + 1000, 2.0 - rank / 64)
            for rank, place in enumerate(order)
            for start in [first[place // 2] + 800 * (place % 2)]
        ]
        highlights[f"q{number}"] = {
            documents[place]: [
                (cell, cell + draw.randint(50, 300))
                for cell in range(first[place] - 200, first[place] + 1600, 600)[
                    : draw.randint(1, 3)
                ]
            ]
            for place in range(draw.randint(1, 2))
        }
    return highlights, answers


def chunks(queries: str) -> Job:
    """Spanwise on dictionaries of chunks."""
    import spanwise

    highlights, answers = _chunks(queries)
    return lambda: spanwise.evaluate(highlights, answers, TEXT)


def prepared_chunks(queries: str) -> Job:
    """Spanwise on a dictionary of chunks, the assessments being prepared."""
    import spanwise

    highlights, answers = _chunks(queries)
    evaluator = spanwise.Evaluator(highlights, TEXT)
    return lambda: evaluator.score(answers)


def chunk_unions(queries: str) -> Job:
    """The loop over unions, on dictionaries."""
    highlights, answers = _chunks(queries)
    return lambda: [loops.dictionary_unions(highlights, answers)]


def chunk_pairs(queries: str) -> Job:
    """The loop over pairs, on dictionaries."""
    highlights, answers = _chunks(queries)
    return lambda: [loops.dictionary_pairs(highlights, answers)]


def _ranked(queries: str) -> tuple[dict[str, dict[str, int]], dict[str, dict[str, float]]]:
    """Queries with three judged documents and 20 retrieved ones."""
    draw = random.Random(21)
    judged: dict[str, dict[str, int]] = {}
    answers: dict[str, dict[str, float]] = {}
    for number in range(int(queries)):
        documents = [f"doc{name}" for name in draw.sample(range(200_003), 21)]
        answers[f"q{number}"] = {name: 2.0 - rank / 64 for rank, name in enumerate(documents[:20])}
        chosen = draw.sample(documents, 3)
        judged[f"q{number}"] = {name: min(place, 1) for place, name in enumerate(chosen)}
    return judged, answers


def documents(queries: str) -> Job:
    """Spanwise on dictionaries of documents."""
    import spanwise

    judged, answers = _ranked(queries)
    return lambda: spanwise.evaluate(judged, answers, DOCUMENTS)


def document_peer(queries: str) -> Job:
    """pytrec_eval on the same dictionaries, with the means that it leaves to its users."""
    import pytrec_eval

    names = {"map": "AP", "ndcg_cut_10": "nDCG@10", "P_10": "P@10", "recip_rank": "RR"}
    asked = {"map", "ndcg_cut.10", "P.10", "recip_rank"}
    judged, answers = _ranked(queries)

    def job() -> list[dict[str, float]]:
        topics = pytrec_eval.RelevanceEvaluator(judged, asked).evaluate(answers).values()
        return [
            {
                ours: sum(topic[theirs] for topic in topics) / len(topics)
                for theirs, ours in names.items()
            }
        ]

    return job


# -- scores: comparing 20 runs over 114 topics, and the topic-set experiment

RUNS, TOPICS, RESAMPLES = 20, 114, 10_000


def _drawn(runs: int = RUNS, topics: int = TOPICS) -> Any:
    """Scores of runs on topics: topics differ more than runs do."""
    import numpy as np

    generator = np.random.default_rng(7)
    difficulty = generator.beta(2, 3, topics)
    quality = np.linspace(-0.1, 0.1, runs)[:, None]
    return np.clip(difficulty + quality + generator.normal(0, 0.1, (runs, topics)), 0, 1)


def _scored(values: Any) -> Any:
    """The same as the scores of an evaluation."""
    from spanwise import RunScores, Scores
    from spanwise.measures.grammar import asked

    topics = tuple(f"t{number:03}" for number in range(values.shape[1]))
    runs = tuple(
        RunScores(f"r{number}", topics, row[None, :], (float(row.mean()),))
        for number, row in enumerate(values)
    )
    return Scores(tuple(asked("AgP")), runs)


def comparison() -> Job:
    """Means, intervals of means and differences, p and corrected p, of all pairs at once."""
    from spanwise.statistics.pairing import compare_scores

    scores = _scored(_drawn())
    return lambda: compare_scores(scores)[0]


def scipy_intervals() -> Job:
    """scipy, pair by pair: the interval of each difference only."""
    import numpy as np
    from scipy.stats import bootstrap

    values = _drawn()

    def job() -> int:
        for a, b in combinations(range(RUNS), 2):
            differences = (values[a] - values[b],)
            bootstrap(differences, np.mean, n_resamples=RESAMPLES, method="BCa", rng=1)
        return RUNS * (RUNS - 1) // 2

    return job


def topic_sets() -> Job:
    """Swaps between disjoint sets of topics: 51 runs, 34 topics, 100 trials of each of 17 sizes."""
    from spanwise.lab.experiment import finished
    from spanwise.lab.topic_samples import Choices, swap_rates

    scores = _scored(_drawn(51, 34))
    return lambda: finished(swap_rates(scores, Choices(top=1)))


JOBS: dict[str, tuple[Callable[..., Job], Callable[[Any], Any]]] = {
    "objects": (objects, means),
    "unions": (unions, plain),
    "pairs": (pairs, plain),
    "elements": (elements, means),
    "chunks": (chunks, means),
    "prepared_chunks": (prepared_chunks, means),
    "chunk_unions": (chunk_unions, plain),
    "chunk_pairs": (chunk_pairs, plain),
    "documents": (documents, means),
    "document_peer": (document_peer, plain),
    "comparison": (comparison, lambda found: [len(found.significant()), len(found.pairs)]),
    "scipy_intervals": (scipy_intervals, plain),
    "topic_sets": (topic_sets, repr),
}

ONCE = ("objects", "elements")
"""Their objects may remember what was worked out: only the first call counts."""

if __name__ == "__main__":
    main()
