"""TREC runs whose document column names chunks of a table."""

from __future__ import annotations

import pytest

from formats.made import faults_of, read_runs
from spanwise.data.notes import Faults, Note
from spanwise.data.run import Extent, Run
from spanwise.errors import FaultyInput
from spanwise.evaluation.policy import Notes, ranked
from spanwise.formats.builtin.columns import trec
from spanwise.formats.chunks import ChunkTable
from spanwise.formats.column_runs import Scattered
from spanwise.formats.registry import RunOptions
from spanwise.formats.source import Blocks, Source

TABLE = ChunkTable.of(
    [("d7", 0, 100, "c1"), ("d7", 100, 250, "c2"), ("d8", 5, 50, "c10"), ("d8", 50, 60, "é")]
)


def read(text: str, *, lenient: bool = False) -> list[Run]:
    return read_runs(trec, text, lenient=lenient, chunks=TABLE)


def small_blocks(source: Source) -> Blocks:
    return Blocks(source, 64)


def answers(run: Run) -> list[tuple[str, int, int]]:
    places = zip(run.start.tolist(), run.end.tolist(), strict=True)
    return [
        (document, *place) for document, place in zip(run.documents.strings(), places, strict=True)
    ]


def test_chunks_become_ranges_in_the_order_of_the_file():
    (run,) = read("q1 Q0 c1 1 1.5 t\nq1 Q0 c10 2 2.5 t\nq2 Q0 c2 1 1 t\n")
    assert answers(run) == [("d7", 0, 100), ("d8", 5, 50), ("d7", 100, 250)]
    assert set(run.extent.tolist()) == {Extent.RANGE}
    assert (run.topics, run.several_per_document) == (("q1", "q2"), True)
    assert run.ids.strings() == ["c1", "c10", "c2"]


def test_ties_are_broken_by_chunk_as_trec_eval_does():
    # By document d8 would come first; by id it is c2, c10, c1, then a score below the others.
    (run,) = read("q Q0 c10 1 2 t\nq Q0 c1 2 2 t\nq Q0 é 3 1 t\nq Q0 c2 4 2.0 t\n")
    assert ranked(run, None, Notes()).ids.strings() == ["c2", "c10", "c1", "é"]
    assert ranked(run, "score", Notes()).ids.strings() == ["c2", "c10", "c1", "é"]
    assert ranked(run, "file", Notes()).ids.strings() == ["c10", "c1", "é", "c2"]


def test_the_ranking_is_that_of_trec_eval_over_the_ids():
    pytrec_eval = pytest.importorskip("pytrec_eval")
    ids = [chunk for chunk in TABLE.chunks.strings() if chunk.isascii()]
    scores = {"c1": 2.0, "c2": 1.0, "c10": 2.0}
    (run,) = read("".join(f"q Q0 {name} 1 {scores[name]} t\n" for name in ids))
    order = ranked(run, None, Notes()).ids.strings()
    for place, name in enumerate(order, start=1):
        evaluator = pytrec_eval.RelevanceEvaluator({"q": {name: 1}}, {"recip_rank"})
        assert evaluator.evaluate({"q": scores})["q"]["recip_rank"] == 1 / place


def test_documents_stay_documents_and_that_is_said():
    faults = Faults("run")
    content = Source("run", b"q1 Q0 d7 1 1.5 t\nq1 Q0 d8 2 2.5 t\n")
    (run,) = trec.read_run(content, faults, RunOptions(chunks=TABLE))
    assert (set(run.extent.tolist()), run.several_per_document) == ({Extent.WHOLE}, False)
    assert (run.chunks, [*map(str, faults.notes)]) == (None, [str(Note("no chunks"))])


def test_a_table_without_ids_names_no_chunk():
    (run,) = read_runs(trec, "q1 Q0 d7 1 1.5 t\n", chunks=ChunkTable.of([("d7", 0, 9)]))
    assert run.chunks is None


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("q1 Q0 c1 1 1.5 t\n\nq1 Q0 d7 2 2.5 t\nq1 Q0 d8 2 2.5 t\n", 3),
        ("# run\nq1 Q0 d7 1 1.5 t\nq1 Q0 c1 2 2.5 t\n", 2),
    ],
)
def test_some_chunks_are_refused_with_the_first_line_that_is_none(text, line):
    first, *_ = faults_of(read_runs, trec, text, chunks=TABLE)
    assert (first.line, first.rule, first.found) == (line, "chunk", "'d7'")
    (run,) = read(text, lenient=True)
    assert answers(run) == [("d7", 0, 100)]


def test_a_chunk_twice_in_a_topic_is_refused_with_both_lines():
    text = "q1 Q0 c1 1 2 t\nq2 Q0 c1 1 2 t\nq1 Q0 c2 2 1 t\nq1 Q0 c1 3 0 t\n"
    (fault,) = faults_of(read_runs, trec, text, chunks=TABLE)
    assert (fault.line, fault.rule) == (4, "repetition")
    assert (fault.found, fault.expected) == (
        "chunk c1 again for topic q1",
        "it once (it is at file:1 already)",
    )


def test_the_same_chunk_for_other_topics_and_runs_is_fine():
    runs = read("q1 Q0 c1 1 2 a\nq2 Q0 c1 1 2 a\nq1 Q0 c1 1 2 b\n")
    assert [(run.name, answers(run)) for run in runs] == [
        ("a", [("d7", 0, 100)] * 2),
        ("b", [("d7", 0, 100)]),
    ]


def test_documents_of_other_blocks_are_found_out(monkeypatch, tmp_path):
    """The first block names only documents: the file has to be read whole."""
    monkeypatch.setattr(Source, "blocks", small_blocks)
    lines = [f"q{n} Q0 d7 1 1.5 t\n" for n in range(20)] + ["q99 Q0 c1 1 1.5 t\n"]
    (tmp_path / "run").write_text("".join(lines))
    content = Source(str(tmp_path / "run"))

    def read_blocks(*, whole: bool) -> list[Run]:
        options = RunOptions(whole=whole, chunks=TABLE)
        return list(trec.read_run(content, Faults("run"), options))

    with pytest.raises(Scattered):
        read_blocks(whole=False)
    with pytest.raises(FaultyInput) as refused:
        read_blocks(whole=True)
    assert refused.value.fault.line == 1


def test_chunks_of_other_blocks_are_chunks_too(monkeypatch, tmp_path):
    monkeypatch.setattr(Source, "blocks", small_blocks)
    lines = [f"q{n} Q0 c1 1 1.5 t\n" for n in range(20)] + ["q99 Q0 d7 1 1.5 t\n"]
    (tmp_path / "run").write_text("".join(lines))
    content = Source(str(tmp_path / "run"))
    with pytest.raises(FaultyInput) as refused:
        list(trec.read_run(content, Faults("run"), RunOptions(chunks=TABLE)))
    assert (refused.value.fault.line, refused.value.fault.found) == (21, "'d7'")
