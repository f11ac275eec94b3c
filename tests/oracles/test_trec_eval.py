"""Plain document lists against trec_eval itself (pytrec_eval), through TREC files."""

from __future__ import annotations

import random
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pytest
import pytrec_eval

from spanwise.data.notes import Faults
from spanwise.evaluation.evaluate import Evaluation
from spanwise.evaluation.scores import RunScores
from spanwise.formats.builtin.columns import trec
from spanwise.formats.registry import RunOptions
from spanwise.formats.source import Source
from spanwise.measures.grammar import Asked, parse_measure

CUTOFFS = (5, 10, 15, 20, 30, 100)
"""Cut-offs of trec_eval that no list here is shorter or longer than all of."""
OURS = {
    "AP": "map",
    "RR": "recip_rank",
    "Rprec": "Rprec",
    "nDCG": "ndcg",
    **{f"AP@{k}": f"map_cut_{k}" for k in CUTOFFS},
    **{f"P@{k}": f"P_{k}" for k in CUTOFFS},
    **{f"R@{k}": f"recall_{k}" for k in CUTOFFS},
    **{f"nDCG@{k}": f"ndcg_cut_{k}" for k in CUTOFFS},
    **{f"Success@{k}": f"success_{k}" for k in (1, 5, 10)},
}
ASKED = {"map", "recip_rank", "Rprec", "ndcg", "map_cut", "P", "recall", "ndcg_cut", "success"}


@dataclass
class Files:
    """Judgements and a run, as text and as pytrec_eval takes them."""

    judged: dict[str, dict[str, int]] = field(default_factory=dict)
    run: dict[str, dict[str, float]] = field(default_factory=dict)

    def judgements_text(self) -> bytes:
        rows = [(q, d, grade) for q, found in self.judged.items() for d, grade in found.items()]
        return "".join(f"{q} 0 {d} {grade}\n" for q, d, grade in rows).encode()

    def run_text(self, source: random.Random) -> bytes:
        """Lines of each topic in any order; ranks that mean nothing."""
        text = ""
        for topic, found in self.run.items():
            rows = list(found.items())
            source.shuffle(rows)
            text += "".join(f"{topic} Q0 {d} {source.randrange(9)} {s!r} sys\n" for d, s in rows)
        return text.encode()


def names(source: random.Random, count: int) -> list[str]:
    """Documents of all lengths, whose order as bytes matters where scores are tied."""
    stems = ("d", "D", "doc-", "FBIS3-", "clueweb09-en0000-", "Ä", "d-0")
    return list({f"{source.choice(stems)}{source.randrange(3000)}" for _ in range(count)})


def score_of(source: random.Random, tied: bool) -> float:
    """Either one of a few values, or one of many; all of them different in 32 bits too."""
    drawn = source.choice((0.0, 1.0, 2.5, -3.0)) if tied else source.uniform(-20, 20)
    return float(np.float32(drawn))


def drawn(seed: int) -> Files:
    source, files = random.Random(seed), Files()
    for number in range(40):
        pool = names(source, source.choice((1, 3, 12, 60, 200)))
        topic = f"t{number}"
        judged = [d for d in pool if source.random() < 0.6]
        grades = source.choice(((0, 1), (0, 0, 0, 1, 2, 3), (-2, -1, 0, 1, 2), (0, -1)))
        if judged:
            files.judged[topic] = {d: source.choice(grades) for d in judged}
        listed = [d for d in pool if source.random() < 0.7]
        if listed and source.random() < 0.9:
            tied = source.random() < 0.5
            files.run[topic] = {d: score_of(source, tied) for d in listed}
    return files


def evaluated(files: Files, seed: int) -> RunScores:
    assessments = trec.read_assessments(Source("x", files.judgements_text()), Faults("x"))
    asked = tuple(Asked(name, parse_measure(name)) for name in OURS)
    source = Source("y", files.run_text(random.Random(seed)))
    blocks = trec.read_run(source, Faults("y"), RunOptions())
    return Evaluation(assessments, asked).score(blocks, "sys")


def expected_of(files: Files) -> dict[str, dict[str, float]]:
    """Only for topics with something relevant: judgements below 0 alone make pytrec_eval crash."""
    judged = {topic: files.judged[topic] for topic in with_relevant(files)}
    found: dict[str, dict[str, float]] = pytrec_eval.RelevanceEvaluator(judged, ASKED).evaluate(
        files.run
    )
    return found


def with_relevant(files: Files) -> list[str]:
    return sorted(t for t, found in files.judged.items() if max(found.values()) > 0)


@pytest.mark.parametrize("seed", range(25))
def test_scores_and_means(seed: int) -> None:
    files = drawn(seed)
    found, expected = evaluated(files, seed), expected_of(files)
    topics = with_relevant(files)
    assert list(found.topics) == topics
    assert len(topics) >= 15
    for name, row, mean in zip(OURS, found.values.tolist(), found.means, strict=True):
        # Averages over the complete set of topics (-c): a topic that is missing counts as 0.
        theirs = [expected.get(topic, {}).get(OURS[name], 0.0) for topic in topics]
        assert row == pytest.approx(theirs, rel=0, abs=1e-12), name
        assert mean == pytest.approx(sum(theirs) / len(theirs), rel=0, abs=1e-12), name


def test_the_random_files_hold_what_they_should() -> None:
    packs = [drawn(seed) for seed in range(25)]
    topics = [(pack, topic) for pack in packs for topic in with_relevant(pack)]
    assert any(topic not in pack.run for pack, topic in topics)
    assert any(
        len(set(pack.run.get(t, {}).values())) < len(pack.run.get(t, {})) for pack, t in topics
    )
    grades = {grade for pack, topic in topics for grade in pack.judged[topic].values()}
    assert grades == {-2, -1, 0, 1, 2, 3}
    assert max(len(pack.run.get(topic, {})) for pack, topic in topics) > 100


def test_scores_that_differ_only_in_64_bits() -> None:
    """Scores are compared as they are written; trec_eval may see only 32 bits of them."""
    judged, close = {"q": {"b": 1, "a": 0}}, 1.0 + 1e-12
    found = evaluated(Files(judged, {"q": {"b": 1.0, "a": close}}), 0)
    assert dict(zip(OURS, found.values[:, 0].tolist(), strict=True))["RR"] == 0.5
    found = evaluated(Files(judged, {"q": {"b": close, "a": 1.0}}), 0)
    assert dict(zip(OURS, found.values[:, 0].tolist(), strict=True))["RR"] == 1.0


def test_infinite_scores_are_ordered() -> None:
    run: dict[str, Any] = {"q": {"a": float("-inf"), "b": 5.0, "c": float("inf")}}
    found = evaluated(Files({"q": {"b": 1}}, run), 0)
    assert dict(zip(OURS, found.values[:, 0].tolist(), strict=True))["RR"] == 0.5
