"""However a run is cut into whole topics, its scores have the same bits and its notes are equal."""

from __future__ import annotations

import json
import os
import pickle
import random
import subprocess
import sys
import zipfile
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest

from cases import (
    Batch,
    assessments_of,
    chunking_of,
    documents_of,
    has_relevant,
    random_batch,
    run_of,
)
from spanwise.collection.build import build
from spanwise.data.identifiers import Identifiers
from spanwise.data.run import Run
from spanwise.engines.arrow import (
    Form,
    answers_table,
    gathered_tables,
    runs_in_table,
    score_table,
)
from spanwise.engines.kernel import gathered, score_batch
from spanwise.evaluation.evaluate import Evaluation
from spanwise.evaluation.policy import Policy
from spanwise.evaluation.scores import RunScores
from spanwise.inputs.session import Session
from spanwise.inputs.settings import Settings
from spanwise.measures.grammar import asked
from spanwise.records import replace

SOURCE = Path(__file__).parents[2] / "src"


def told(scores: RunScores) -> object:
    """Everything that scores say, bit for bit."""
    return (
        scores.run,
        scores.topics,
        scores.values.tobytes(),
        scores.means,
        scores.counts,
        scores.notes,
        scores.lenient,
    )


def drawn(seed: int) -> Batch:
    """A batch with all sorts of answers and judgements, some of them relevant."""
    found = (random_batch(random.Random(each), 7) for each in range(1000 * seed, 1000 * seed + 999))
    return next(filter(has_relevant, found))


def cut(run: Run, source: random.Random) -> list[Run]:
    """A run in parts of whole topics, in any order; some are empty."""
    topics = list(run.topics)
    source.shuffle(topics)
    parts = [run.only(())]
    while topics:
        size = source.randint(0, len(topics))
        chosen, topics = topics[:size], topics[size:]
        parts.append(run.only(set(chosen)))
    source.shuffle(parts)
    return parts


@pytest.mark.parametrize("seed", range(40))
def test_partitions_give_the_same_bits_and_the_same_notes(seed: int) -> None:
    source, batch = random.Random(seed), drawn(seed)
    context = Evaluation(
        assessments_of(batch),
        tuple(asked("all")),
        Policy(results=source.choice((None, 2)), missing=source.choice(("zero", "skip"))),
        source.choice((documents_of(batch), None)),
        chunking_of(batch),
        strangers="note",
    )
    run = run_of(batch)
    [whole] = gathered(context, score_batch(context, [run]))
    for _ in range(3):
        parts = cut(run, source)
        [found] = gathered(context, score_batch(context, parts))
        assert told(found) == told(whole)


# -- what is seen of a run as a whole

JUDGED = {f"t{n:02}": {f"a{n}.md": [(0, 10)], f"b{n}.md": []} for n in range(30)}


def ranges(answers: Sequence[tuple[str, str]], **columns: object) -> Run:
    topics, documents = zip(*answers, strict=True)
    places = {"start": [0] * len(answers), "end": [10] * len(answers), **columns}
    return Run.of("r", topics, documents, file="r.jsonl", **places)  # type: ignore[arg-type]


def of_documents(name: str, *, topics: int = 30, known: int = 0, extra: int = 0) -> Run:
    """Topics in no order with documents of such names, the first of which are known."""
    numbers = list(range(topics + extra))
    random.Random(5).shuffle(numbers)
    answers = [
        (f"t{n:02}", f"a{n}.md" if n < known else name.format(n=n, m=m))
        for n in numbers
        for m in range(7)
    ]
    return ranges(answers, score=[float(m) for _ in numbers for m in range(7)], order="score")


RUNS = {
    "rising": of_documents("a{n}.md"),
    "strange documents": of_documents("/docs/z{n}{m}.md"),
    "strange topics": replace(of_documents("a{n}.md"), topics=tuple(f"T{n}" for n in range(30))),
    "misspelled": of_documents("docs/a{n}.md", known=1),
    "unknown topics": of_documents("a{n}.md", extra=12),
    "missing topics": of_documents("b{n}.md", topics=11),
    "quotes": replace(
        of_documents("a{n}.md"), quotes=tuple("x" * (n % 12) if n % 3 else None for n in range(210))
    ),
    "distances": replace(of_documents("a{n}.md"), order="ascending"),
    "no order": ranges([(f"t{n:02}", "a1.md") for n in (4, 2, 9)]),
    "whole": ranges([(f"t{n:02}", f"a{n}.md") for n in (4, 2, 9)], extent=[1, 0, 1]),
}


@pytest.mark.parametrize("kind", RUNS)
@pytest.mark.parametrize("strangers", ["note", "error"])
def test_evidence_of_mistakes_adds_up_in_any_order(kind: str, strangers: str) -> None:
    session = Session(Settings())
    context = session.evaluation(JUDGED, session.measures(["rag", "xcg", "AP"]))
    context.strangers = strangers  # type: ignore[assignment]

    def outcome(parts: list[Run]) -> object:
        try:
            [found] = gathered(context, score_batch(context, parts))
        except Exception as refused:
            return str(refused)
        return told(found)

    source, run = random.Random(3), RUNS[kind]
    whole = outcome([run])
    for _ in range(8):
        assert outcome(cut(run, source)) == whole


def test_tallies_add_up_in_groups_of_any_size() -> None:
    session = Session(Settings())
    context = session.evaluation(JUDGED, session.measures(["textR", "xcg"]))
    run, source = RUNS["misspelled"], random.Random(9)
    [whole] = gathered(context, score_batch(context, [run]))
    parts = score_batch(context, cut(run, source))
    while len(parts) > 1:
        first, second = parts.pop(source.randrange(len(parts))), parts.pop()
        first.tally.take(second.tally)
        topics, table = [first.topics, second.topics], [first.table, second.table]
        joined = np.concatenate(table, axis=1)
        parts.append(replace(first, topics=sum(topics, ()), table=joined))
    [found] = gathered(context, parts)
    assert told(found) == told(whole)


def test_several_runs_in_one_batch() -> None:
    session = Session(Settings())
    context = session.evaluation(JUDGED, session.measures(["textR"]))
    runs = [replace(RUNS["rising"], name=name) for name in "cab"]
    expected = [told(gathered(context, score_batch(context, [run]))[0]) for run in runs]
    parts = [part for run in runs for part in cut(run, random.Random(1))]
    random.Random(2).shuffle(parts)
    found = [told(each) for each in gathered(context, score_batch(context, parts))]
    assert found == sorted(expected, key=lambda each: each[0])


# -- to other processes, and as Arrow

ELSEWHERE = """
import pickle, sys
from spanwise.engines.kernel import score_batch
context, parts = pickle.load(sys.stdin.buffer)
sys.stdout.buffer.write(pickle.dumps(score_batch(context, parts)))
"""


@pytest.mark.parametrize("native", ["0", "1"])
def test_another_process_scores_the_same(native: str) -> None:
    texts = {f"{folder}a{n}.md": "some text " * 9 for n in range(30) for folder in ("", "docs/")}
    session = Session(Settings(collection=texts))
    names = ["all", "textR(budget=20,unit=tokens)"]
    context = session.evaluation(JUDGED, session.measures(names))
    context.prepare()
    run = RUNS["misspelled"]
    run.documents.keys()
    done = subprocess.run(
        [sys.executable, "-c", ELSEWHERE],
        input=pickle.dumps((context, cut(run, random.Random(4)))),
        capture_output=True,
        check=False,
        env={**os.environ, "SPANWISE_NATIVE": native, "PYTHONPATH": str(SOURCE)},
    )
    assert done.returncode == 0, done.stderr.decode()
    [whole] = gathered(context, score_batch(context, [run]))
    [found] = gathered(context, pickle.loads(done.stdout))
    assert told(found) == told(whole)


def test_a_context_is_not_settled_again_where_it_arrives() -> None:
    session = Session(Settings())
    judged = {**JUDGED, "t99": {"z": []}}
    context = session.evaluation(judged, session.measures(["all"]))
    other = pickle.loads(pickle.dumps(context))
    assert other.notes == context.notes
    assert other.measures == context.measures


def test_names_travel_without_the_file_they_are_in() -> None:
    names = Identifiers.of(["x" * 100_000, "d7", "d9"]).take(slice(1, None))
    assert pickle.loads(pickle.dumps(names)).strings() == ["d7", "d9"]
    assert len(pickle.dumps(names)) < 1000


@pytest.mark.parametrize("seed", range(12))
def test_arrow_in_and_arrow_out(seed: int) -> None:
    source, batch = random.Random(seed), drawn(seed)
    context = Evaluation(
        assessments_of(batch),
        tuple(asked("all")),
        documents=documents_of(batch),
        strangers="note",
    )
    run = run_of(batch)
    [whole] = gathered(context, score_batch(context, [run]))
    form = Form.of(run)
    assert pickle.loads(pickle.dumps(form)) == form
    tables = [answers_table([part], form) for part in cut(run, source)]
    scored = [score_table(context, table, form) for table in tables]
    rows = pa.concat_tables([table for table, _ in scored])
    [found] = gathered_tables(context, rows, [tallies for _, tallies in scored])
    assert told(found) == told(whole)
    [back] = runs_in_table(answers_table([run], form), form)
    assert back.documents.strings() == run.documents.strings()
    assert back.topics == tuple(t for t in run.topics if t in back.topics)


@pytest.mark.parametrize("kind", ["folder", "archive", "rows", "collection"])
def test_documents_travel_by_their_path(tmp_path: Path, kind: str) -> None:
    folder, archive = tmp_path / "docs", tmp_path / "docs.zip"
    folder.mkdir()
    (folder / "d7.txt").write_text("High water. " * 30)
    with zipfile.ZipFile(archive, "w") as packed:
        packed.write(folder / "d7.txt", "d7.txt")
    (tmp_path / "docs.jsonl").write_text(
        json.dumps({"document": "d7.txt", "text": "High water. " * 30}) + "\n"
    )
    paths = {"folder": folder, "archive": archive, "rows": tmp_path / "docs.jsonl"}
    if kind == "collection":
        paths[kind] = tmp_path / "docs.spanwise"
        build([folder], paths[kind])
    session = Session(Settings(collection=paths[kind]))
    names = session.measures(["textR(budget=20,unit=tokens)"])
    context = session.evaluation({"q1": {"d7.txt": [(0, 40)]}}, names)
    part = Run.of("r", ["q1"], ["d7.txt"], start=[0], end=[90])
    [here] = score_batch(context, [part])
    [there] = score_batch(pickle.loads(pickle.dumps(context)), [part])
    assert there.table.tobytes() == here.table.tobytes()
