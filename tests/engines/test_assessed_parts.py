"""Assessments that are read part by part: the same bits, notes and refusals as read whole."""

from __future__ import annotations

import gzip
import random
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import spanwise
from run_files import ENDINGS, drawn, make_everything_small, written
from spanwise import SpanwiseError
from spanwise.engines import assessed_parts, judged_lines
from spanwise.engines.assessed_parts import AssessedParts
from spanwise.engines.spill import Spill
from spanwise.errors import InputError

MEASURES = {
    "fol": ["textP", "textR", "AgP(aveChP)", "AgP(BEP(n=50))", "nDCG@3", "AP", "rag"],
    "trec": ["nDCG@3", "AP", "P@5", "rag"],
}


@pytest.fixture(autouse=True)
def small(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[list[int]]:
    """Parts are of few lines; gives how many there were, and no temporary file is left."""
    make_everything_small(monkeypatch)
    # Shares of the real memory are looked at, but parts are tiny.
    monkeypatch.setattr(assessed_parts, "WHOLE", 10**6)
    monkeypatch.setattr(judged_lines, "_WAITING", 500)
    spills = tmp_path / "spills"
    spills.mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(spills))
    counts: list[int] = []
    read = AssessedParts.read

    def counted(parts: AssessedParts) -> object:
        counts.append(len(parts))
        return read(parts)

    monkeypatch.setattr(AssessedParts, "read", counted)
    yield counts
    assert not list(spills.iterdir())


def outcome(assessments: object, runs: object, kind: str, **more: object) -> object:
    """All that scores say, bit for bit; or why there are none."""
    try:
        scores = spanwise.evaluate(assessments, runs, MEASURES[kind], **more)  # type: ignore[arg-type]
    except InputError as problem:
        return [str(fault) for fault in problem.faults]
    except SpanwiseError as problem:
        return str(problem)
    return [
        (run.run, run.topics, run.values.tobytes(), run.means, run.counts, run.notes, run.lenient)
        for run in scores.runs
    ], scores.notes


def judged(seed: int, kind: str = "fol", topics: int = 45) -> list[str]:
    """Lines of assessments in any order."""
    source, lines = random.Random(seed), []
    for topic in range(topics):
        for document in source.sample(range(12), source.randint(1, 9)):
            start, relevant = source.randint(0, 60), source.random() < 0.6
            name = f"t{topic} Q0 d{document}é"
            if kind == "trec":
                lines.append(f"{name} {source.randint(-1, 3) if relevant else 0}")
            elif relevant and source.random() < 0.5:
                lines.append(f"{name} 20 {200 + document} {start} {start}:20 {start + 5}:10")
            elif relevant:
                lines.append(f"{name} 15 {200 + document} -1 {start}:5 {start + 20}:10")
            else:
                lines.append(f"{name} 0 {200 + document}")
    source.shuffle(lines)
    return lines


def assessed(lines: list[str], file: Path) -> Path:
    file.write_text("# judged\n\n" + "\n".join(lines) + "\n", encoding="utf-8")
    return file


@pytest.mark.parametrize("ending", ENDINGS)
@pytest.mark.parametrize("kind", ["fol", "trec"])
@pytest.mark.parametrize("shuffled", [False, True])
def test_parts_give_the_same(
    tmp_path: Path, kind: str, ending: str, small: list[int], *, shuffled: bool
) -> None:
    rows = drawn(3)
    if shuffled:
        random.Random(3).shuffle(rows)
    qrels = assessed(judged(3, kind), tmp_path / "qrels")
    run = written(rows, tmp_path / f"run{ending}")
    found = outcome(qrels, run, kind, memory="1GB")
    assert isinstance(found, tuple)
    assert small[0] > 3
    assert found == outcome(qrels, run, kind)
    assert found == outcome(qrels, run, kind, memory="1GB", jobs=1)


BROKEN = (
    "t3 Q0 d3é 7 203 -1 5:9",  # rsize
    "t3 Q0 d4é 10 999 -1 5:10",  # another length
    "t4 Q0 d20 0 77",
    "t9 Q0 d20 0 78",  # a third length, perhaps before the second
    "t5 Q0",
    "t6 Q0 d1é x 201",
    "t7 Q0 d2é 5 -3",
    "t8 Q0 d6é 400 206 5 0:400",  # beyond the end
    "nobody Q0 d7é 5 x -1 0:5",
    "t1 0 d5é 2",
    "t1 0 d5é 1",
)


@given(data=st.data())
@settings(
    max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
def test_any_lines_give_the_same(
    data: st.DataObject, tmp_path_factory: pytest.TempPathFactory
) -> None:
    folder = tmp_path_factory.mktemp("parts")
    kind = data.draw(st.sampled_from(["fol", "trec"]))
    lines = judged(data.draw(st.integers(0, 99)), kind, data.draw(st.integers(8, 45)))
    lines += data.draw(st.lists(st.sampled_from(BROKEN), max_size=3))
    lines += data.draw(st.lists(st.sampled_from(lines), max_size=2))
    random.Random(data.draw(st.integers(0, 9))).shuffle(lines)
    qrels = assessed(lines, folder / "qrels")
    rows = drawn(data.draw(st.integers(0, 99)), data.draw(st.integers(0, 40)))
    if data.draw(st.booleans()):
        random.Random(1).shuffle(rows)
    if data.draw(st.booleans()):
        rows = [(run, topic, f"x{name}", *others) for run, topic, name, *others in rows]  # type: ignore[misc]
    if data.draw(st.booleans()):
        rows = [(run, f"x{topic}", *others) for run, topic, *others in rows]  # type: ignore[misc]
    runs: list[object] = [written(rows, folder / "run.fol")]
    if data.draw(st.booleans()):
        runs.append({"memory": {"t1": {"d1é": [(0, 30)]}, "t2": {}, "other": {"d1é": [(1, 2)]}}})
    more = {
        "lenient": data.draw(st.booleans()),
        "missing": data.draw(st.sampled_from(["zero", "skip"])),
        "overlap": data.draw(st.sampled_from(["union", "union", "error"])),
        "topics": data.draw(
            st.sampled_from([None, None, ["t1", "t5", "t7"], {"t1": "q", "z": "r"}])
        ),
        "assessments_format": kind,
    }
    jobs = data.draw(st.integers(1, 2))
    expected = outcome(qrels, runs, kind, **more)
    assert outcome(qrels, runs, kind, memory="1GB", jobs=jobs, **more) == expected


def of_documents(rows: list[tuple[str, str, str, int, int, float]], file: Path) -> Path:
    """A run of whole documents."""
    seen: set[tuple[str, str]] = set()
    with file.open("w", encoding="utf-8") as stream:
        for _, topic, document, _, _, score in rows:
            if (topic, document) not in seen:
                seen.add((topic, document))
                stream.write(f"{topic} Q0 {document} 1 {score} a\n")
    return file


def test_lengths_are_those_that_other_topics_tell(tmp_path: Path) -> None:
    qrels = assessed(judged(5), tmp_path / "qrels")
    run = of_documents(drawn(5, runs=["a"]), tmp_path / "run.trec")
    found = outcome(qrels, run, "fol", memory="1GB")
    assert isinstance(found, tuple)
    assert found == outcome(qrels, run, "fol")


def test_documents_of_other_topics_are_no_strangers(tmp_path: Path) -> None:
    qrels = assessed([f"t{n:02} 0 d{n} 1" for n in range(40)], tmp_path / "qrels")
    rows = [("a", f"t{n:02}", f"d{(n + 20) % 40}", 0, 5, 1.0) for n in range(40)]
    run = written(rows, tmp_path / "run.fol")
    found = outcome(qrels, run, "trec", memory="1GB")
    assert isinstance(found, tuple)
    assert found == outcome(qrels, run, "trec")
    strange = written(
        [(*row[:2], f"x{row[2]}", *row[3:]) for row in rows], tmp_path / "strange.fol"
    )
    refused = outcome(qrels, strange, "trec", memory="1GB")
    assert isinstance(refused, list)
    assert "no document of the assessments" in refused[0]
    assert refused == outcome(qrels, strange, "trec")


LONG = "x" * 5000


@pytest.mark.parametrize(
    "line",
    [
        b"t1 Q0 d\xff 0 7",
        b"t1 Q0 d\0 0 7",
        f"t1 Q0 {LONG} 0 7".encode(),
        f"t{LONG} Q0 d1 0 7".encode(),
        b"t1 Q0 d40 200000000000000000 400000000000000000 -1 0:200000000000000000",
        b"t1 Q0 d40 0 -7",
        b"\xef\xbb\xbft1 Q0 d40 0 7",
        b"t1\tQ0\x0bd40 0 7\r",
    ],
)
@pytest.mark.parametrize("place", [0, 3, 200])
def test_strange_lines_are_refused_alike(
    tmp_path: Path, line: bytes, place: int, small: list[int]
) -> None:
    lines = [each.encode() for each in judged(7)]
    lines[place:place] = [line]
    qrels = tmp_path / "qrels"
    qrels.write_bytes(b"\n".join(lines))
    run = written(drawn(7), tmp_path / "run.fol")
    more = {"assessments_format": "fol"}
    assert outcome(qrels, run, "fol", memory="1GB", **more) == outcome(qrels, run, "fol", **more)


def test_compressed_files_folders_and_bounds(tmp_path: Path, small: list[int]) -> None:
    packed = tmp_path / "qrels.gz"
    plain = assessed(judged(9), tmp_path / "qrels")
    packed.write_bytes(gzip.compress(plain.read_bytes()))
    folder = tmp_path / "runs"
    folder.mkdir()
    rows = drawn(9)
    for number in range(3):
        written(rows[number::3], folder / f"part-{number}.fol")
    measures = ["textP@5", "P@5"]
    found = spanwise.evaluate(packed, folder, measures, memory="1GB", bounds=True)
    expected = spanwise.evaluate(plain, folder, measures, bounds=True)
    assert small == [small[0]]
    assert found.highest is not None
    assert expected.highest is not None
    for one, other in ((found, expected), (found.highest, expected.highest)):
        assert [run.means for run in one.runs] == [run.means for run in other.runs]
        assert [run.notes for run in one.runs] == [run.notes for run in other.runs]


def test_finished_files_are_not_read_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    qrels = assessed(judged(4), tmp_path / "qrels")
    run = written(drawn(4, 20, runs=["a"]), tmp_path / "run.fol")
    expected = outcome(qrels, run, "fol")
    more = {"memory": "1GB", "resume": tmp_path / "finished"}
    assert outcome(qrels, run, "fol", **more) == expected

    def refused(*_: object) -> None:
        raise AssertionError("the run was read before")

    monkeypatch.setattr(Spill, "add", refused)
    assert outcome(qrels, run, "fol", **more) == expected
    # What was kept holds for assessments that are read whole, too.
    assert outcome(qrels, run, "fol", resume=tmp_path / "finished") == expected


def test_what_cannot_be_read_by_parts_is_read_whole(tmp_path: Path, small: list[int]) -> None:
    qrels = tmp_path / "qrels.jsonl"
    qrels.write_text('{"topic": "t1", "document": "d1é", "start": 0, "end": 30}\n')
    run = written(drawn(2), tmp_path / "run.fol")
    assert outcome(qrels, run, "fol", memory="1GB") == outcome(qrels, run, "fol")
    assert not small


def test_names_that_leave_no_room_are_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(assessed_parts, "_TOPIC", 10**9)
    qrels = assessed(judged(4), tmp_path / "qrels")
    run = written(drawn(4), tmp_path / "run.fol")
    found = outcome(qrels, run, "fol", memory="1GB")
    assert "leaves too little of 1,000 MB for runs; give at least" in str(found)
