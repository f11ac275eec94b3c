"""However inputs are cut into parts, output and notes are those of one process, byte for byte.

Workers are this process here, but what travels to them and back is pickled.
"""

from __future__ import annotations

import pickle
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

from command import Finished, run_command
from engines.engine_files import CASES, REFUSED, fol, jsonl, judged, parquet, rows, scattered
from spanwise.engines import choice, parts, work
from spanwise.engines.distributed import Distributed
from spanwise.engines.parts import Part, lines_in
from spanwise.formats.budget import STANDARD, spending

MEASURES = ("-m", "AgP", "-m", "textR@5", "-m", "iP@0.01", "-m", "xcg", "-m", "rag", "-m", "AP")


class Here:
    """A cluster without processes; answers that are put together come in any order."""

    rounds = 0
    shuffled = 0

    def counts(self, several: Sequence[Part]) -> list[int]:
        return [lines_in(pickle.loads(pickle.dumps(part))) for part in several]

    def outcomes(self, job: bytes, count: int, buckets: int) -> Iterator[tuple[int, work.Outcome]]:
        Here.rounds += 1
        tables = []
        for number in reversed(range(count)):
            # A process of its own would not know which limits were lifted here.
            with spending(STANDARD):
                outcome, table = pickle.loads(pickle.dumps(work.read(pickle.loads(job), number)))
            tables.append(table)
            yield number, outcome
        answers = pa.concat_tables(tables, promote_options="default")
        Here.shuffled = len(answers)
        for bucket in range(buckets):
            own = answers.filter(pa.compute.equal(answers.column("bucket"), bucket))
            if len(own):
                yield -1, pickle.loads(pickle.dumps(work.score(pickle.loads(job), own)))


@pytest.fixture(autouse=True)
def here(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    @contextmanager
    def opened(*_: object) -> Iterator[Here]:
        Here.rounds = 0
        yield Here()

    def engine(self: Any) -> Distributed:
        return Distributed(opened)

    monkeypatch.setattr(choice.EngineChoice, "engine", engine)
    monkeypatch.setattr(parts, "BYTES", 700)
    monkeypatch.setattr(parts, "ROWS", 30)
    judged(tmp_path)


def compared(folder: Path, runs: list[str], *options: str) -> tuple[Finished, Finished]:
    """How a command ends in process and on workers."""
    words = ["evaluate", "qrels.fol", *runs, *MEASURES, *options]
    return run_command(words, folder), run_command([*words, "--engine", "dask"], folder)


@pytest.mark.parametrize("case", CASES)
def test_workers_give_the_same_bytes(tmp_path: Path, case: str) -> None:
    one, other = compared(tmp_path, CASES[case](tmp_path), "-q", "-o", "jsonl")
    assert one.code == 0
    assert other == one


@pytest.mark.parametrize("case", REFUSED)
def test_workers_refuse_in_the_same_words(tmp_path: Path, case: str) -> None:
    one, other = compared(tmp_path, REFUSED[case](tmp_path))
    assert one.code == 2
    assert other == one


def test_ranks_in_some_rows_are_refused(tmp_path: Path) -> None:
    ranked = [{**row, "rank": 1} if row["topic"] == "t5" else row for row in rows()]
    (tmp_path / "a.jsonl").write_text(jsonl(ranked))
    for found in compared(tmp_path, ["a.jsonl"]):
        assert (found.code, found.out) == (2, "")
        assert "found no rank, expected a rank for every answer of run a" in found.err


@pytest.mark.parametrize("case", ["faults", "faults in JSON"])
def test_workers_are_as_lenient(tmp_path: Path, case: str) -> None:
    one, other = compared(tmp_path, REFUSED[case](tmp_path), "--lenient")
    assert one.code == 0
    assert "dropped" in one.err
    assert other == one


@pytest.mark.parametrize(
    "options",
    [
        ("--topics", "t3,t5,t11"),
        ("--results", "3"),
        ("--missing", "skip"),
        ("--unjudged", "drop"),
        ("--order", "file"),
        ("--run-name", "file"),
        ("--bounds", "--jobs", "2"),
        ("--notes", "all"),
    ],
)
def test_options_hold_on_workers(tmp_path: Path, options: tuple[str, ...]) -> None:
    runs = [*CASES["several files"](tmp_path), *CASES["many runs"](tmp_path)]
    (tmp_path / "many.fol").write_text(fol(rows("xyz", seed=8)))
    measures = (
        ["-m", "textP@5", "-m", "hit@5"] if "--bounds" in options else ["-m", "AgP", "-m", "textR"]
    )
    words = ["evaluate", "qrels.fol", *runs, *measures, *options]
    one = run_command(words, tmp_path)
    assert one.code == 0
    assert run_command([*words, "--engine", "dask"], tmp_path) == one


def test_whole_topics_are_scored_where_they_are_read(tmp_path: Path) -> None:
    several = rows(skew=200)
    (tmp_path / "a.fol").write_text(fol(several))
    _, found = compared(tmp_path, ["a.fol"])
    assert found.code == 0
    assert Here.rounds == 1
    assert 0 < Here.shuffled < len(several)


def test_topics_that_come_back_are_put_together(tmp_path: Path) -> None:
    several = scattered(rows())
    (tmp_path / "a.fol").write_text(fol(several))
    _, found = compared(tmp_path, ["a.fol"])
    assert found.code == 0
    assert Here.rounds == 2
    assert Here.shuffled == len(several)


def in_files(several: Sequence[dict[str, object]], folder: Path, size: int) -> None:
    for number, begin in enumerate(range(0, len(several), size)):
        parquet(several[begin : begin + size], folder / f"part-{number:04}.parquet")


@pytest.mark.parametrize("order", ["sorted", "scattered"])
@pytest.mark.parametrize("size", [7, 45, 1000])
def test_a_folder_is_a_run_in_parts(tmp_path: Path, order: str, size: int) -> None:
    several = rows("ab") if order == "sorted" else scattered(rows("ab"))
    in_files(several, tmp_path / "lake", size)
    (tmp_path / "lake" / "_SUCCESS").write_text("")
    parquet([], tmp_path / "unused.parquet")
    parquet(several, tmp_path / "whole.parquet")
    words = ["evaluate", "qrels.fol", *MEASURES, "-q"]
    one = run_command([*words, "whole.parquet"], tmp_path)
    found = run_command([*words, "lake", "--engine", "dask"], tmp_path)
    assert one.code == 0
    assert found == one


def test_a_fault_in_a_folder_names_its_file(tmp_path: Path) -> None:
    in_files(rows("ab"), tmp_path / "lake", 45)
    (tmp_path / "lake" / "part-0002.parquet").write_bytes(b"PAR1" + bytes(50))
    words = ["evaluate", "qrels.fol", "lake", "--engine", "dask"]
    found = run_command(words, tmp_path)
    assert (found.code, found.out) == (2, "")
    assert found.err.startswith("lake/part-0002.parquet: ")


@pytest.mark.parametrize("spread", [False, True], ids=["together", "spread"])
def test_faults_in_a_folder_are_those_of_the_runs_of_the_file(tmp_path: Path, spread: bool) -> None:
    (tmp_path / "lake").mkdir()
    (tmp_path / "lake" / "a.jsonl").write_text(jsonl(rows(("b",))))
    lines = fol(rows(("a",))).splitlines(keepends=True)
    (tmp_path / "lake" / "b.fol").write_text("".join(lines[: 30 + spread]) + "what is this\n" * 3)
    (tmp_path / "lake" / "c.fol").write_text("".join(lines[30 + spread :]) if spread else "")
    inside, outside = compared(tmp_path, ["lake"], "--lenient")
    assert inside.code == outside.code == 0
    assert inside.out == outside.out
    assert inside.err == outside.err
    assert "3 faulty lines of lake (columns 3) were dropped" in inside.err
    assert "dropped or cut for a" in inside.out + inside.err
    assert "2 runs: " not in inside.err.partition("faulty")[0].splitlines()[-1]


def test_files_of_a_folder_that_disagree_are_refused(tmp_path: Path) -> None:
    several = rows("a")
    middle = next(place for place, row in enumerate(several) if row["topic"] == "t9")
    for own in (several[:middle], several):
        in_files(own, tmp_path / "lake", 1000)
        ranked = [{**row, "rank": 1} for row in several[middle:]]
        parquet(ranked, tmp_path / "lake" / "part-0001.parquet")
        one, other = compared(tmp_path, ["lake"])
        assert (one.code, one.out) == (2, "")
        assert "lake/part-0001.parquet: found answers of run 'a' that say other things" in one.err
        assert " than those in lake/part-0000.parquet (" in one.err
        assert other == one


def test_documents_and_chunks_travel(tmp_path: Path) -> None:
    (tmp_path / "docs").mkdir()
    for number in range(9):
        (tmp_path / "docs" / f"d{number}.txt").write_text(f"{number} word " * 40)
    chunks = "".join(
        f'{{"chunk": "c{n}", "document": "d{n % 9}", "start": {n}, "end": {n + 30}}}\n'
        for n in range(90)
    )
    (tmp_path / "chunks.jsonl").write_text(chunks)
    answers = "".join(
        f'{{"topic": "t{n % 24}", "chunk": "c{n % 90}", "score": {900 - n}}}\n' for n in range(300)
    )
    (tmp_path / "a.jsonl").write_text(answers)
    words = ["evaluate", "qrels.fol", "a.jsonl", "--collection", "docs", "--chunks", "chunks.jsonl"]
    words += ["-m", "rag", "-m", "textP(budget=20,unit=tokens)", "-m", "AgP"]
    one = run_command(words, tmp_path)
    assert one.code == 0
    assert run_command([*words, "--engine", "dask"], tmp_path) == one


def test_limits_are_lifted_on_workers_too(tmp_path: Path) -> None:
    long = fol(rows()).replace("d1 ", f"{'d' * 10_001} ", 1)
    (tmp_path / "a.fol").write_text(long)
    for options, code in (((), 2), (("--no-limits",), 0)):
        one, other = compared(tmp_path, ["a.fol"], *options)
        assert one.code == code
        assert other == one


REFUSALS: dict[str, tuple[list[str], str]] = {
    "standard input": (["-"], "standard input can be read only here, and workers need a file"),
    "an official tool": (
        ["a.fol", "--compat", "inex_eval"],
        "--compat inex_eval works in one process: leave out --engine dask",
    ),
}


@pytest.mark.parametrize("case", REFUSALS)
def test_what_workers_cannot_do_is_refused(tmp_path: Path, case: str) -> None:
    words, message = REFUSALS[case]
    (tmp_path / "a.fol").write_text(fol(rows()))
    data = fol(rows()).encode()
    words = ["evaluate", "qrels.fol", *words, "--engine", "dask"]
    found = run_command(words, tmp_path, data)
    assert (found.code, found.out) == (2, "")
    assert message in found.err


def test_unknown_engines_are_refused(tmp_path: Path) -> None:
    (tmp_path / "a.fol").write_text(fol(rows()))
    for name, message in (("ray", "unknown engine 'ray'"), ("dask=", "found no address")):
        found = run_command(["evaluate", "qrels.fol", "a.fol", "--engine", name], tmp_path)
        assert (found.code, found.out) == (2, "")
        assert message in found.err


def test_runs_of_a_folder_may_be_named_after_their_files(tmp_path: Path) -> None:
    several = ("one.fol", fol(rows())), ("two.fol", fol(rows(seed=4))), ("run=b/p.fol", "")
    for name, content in several:
        (tmp_path / "lake" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "lake" / name).write_text(content)
    (tmp_path / "alone").mkdir()
    (tmp_path / "alone" / "only.fol").write_text(fol(rows()))
    one, other = compared(tmp_path, ["lake", "alone"], "--run-name", "file", "-o", "jsonl")
    assert one.code == 0
    assert [name for name in ("one", "two", "b", "only") if f'"{name}"' not in one.out] == []
    assert other == one


def test_topics_without_assessments_are_counted_once(tmp_path: Path) -> None:
    (tmp_path / "lake").mkdir()
    for name, topics in (("a", ("t1", "x9")), ("b", ("t2", "x9", "x8"))):
        answers = [{**rows()[0], "topic": topic, "document": name} for topic in topics]
        (tmp_path / "lake" / f"{name}.fol").write_text(fol(answers))
    one, other = compared(tmp_path, ["lake"])
    assert "2 topics of the run are not in the assessments; ignored (x8, x9)" in one.err
    assert other == one


@pytest.mark.parametrize(
    ("names", "run"), [(["run=a/p0", "run=a/p1"], "a"), (["run=a/p0", "run=b/p0"], "lake")]
)
def test_a_folder_without_answers_is_one_run(tmp_path: Path, names: list[str], run: str) -> None:
    for name in names:
        (tmp_path / "lake" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "lake" / name).write_text("")
    one, other = compared(tmp_path, ["lake"], "-o", "jsonl")
    assert f'"run": "{run}"' in one.out
    assert other == one


def test_what_is_wrong_with_answers_of_several_files_has_their_lines(tmp_path: Path) -> None:
    (tmp_path / "lake").mkdir()
    lines = [f"t{n % 5} Q0 d{n} {n} {99 - n} a\n" for n in range(30)]
    for name, own in (("a", lines[:15]), ("b", [*lines[15:], lines[3]])):
        (tmp_path / "lake" / f"{name}.trec").write_text("".join(own))
    words = ["evaluate", "qrels.fol", "lake", "-m", "AP"]
    one = run_command(words, tmp_path)
    assert one.code == 2
    assert "lake/b.trec:16: found document d3 again" in one.err
    assert "it is at lake/a.trec:4 already" in one.err
    assert run_command([*words, "--engine", "dask"], tmp_path) == one


def test_notes_on_answers_of_several_files_have_their_lines(tmp_path: Path) -> None:
    (tmp_path / "lake").mkdir()
    answers = [{**row, "topic": "t1", "text": "x" * 99} for row in rows()[:9]]
    for name, own in (("a", answers[:5]), ("b", answers[5:])):
        (tmp_path / "lake" / f"{name}.jsonl").write_text(jsonl(own))
    one, other = compared(tmp_path, ["lake"], "--notes", "all")
    assert one.code == 0
    assert "lake/a.jsonl:" in one.err
    assert other == one
