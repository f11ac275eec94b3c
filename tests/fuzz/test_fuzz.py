"""The fuzzer itself: it is deterministic, its twins are not silent, and it notices mistakes."""

from __future__ import annotations

import random
import subprocess
import sys
from pathlib import Path

import pytest

from fuzz.contract import problems_of
from fuzz.invocations import Ended, Invocation, run
from fuzz.layout import made
from fuzz.minimise import minimised
from fuzz.relations import RELATIONS
from fuzz.slow_cells import Doubtful, Refused
from fuzz.slow_files import slow_assessments, slow_runs
from fuzz.trials import KINDS, scored, trial
from fuzz.twin import Twin
from fuzz.worlds import ASSESSMENTS_FORMATS, RUN_FORMATS, random_world
from fuzz.written import assessments_files, run_file

RUNNER = Path(__file__).parent / "run.py"
GOLD = b"t1 0 d1 1\n"
ANSWERS = b"t1 Q0 d1 1 2.0 sys\n"
EVALUATE = Invocation({"q": GOLD, "r": ANSWERS}, ("evaluate", "q", "r", "-m", "AP", "-o", "jsonl"))


# -- everything is fuzzed


@pytest.mark.parametrize("run_format", RUN_FORMATS)
def test_every_format_of_runs_is_drawn(run_format: str) -> None:
    world = random_world(random.Random(1), run_format)
    assert slow_runs(run_format, run_file(world)[1]).runs


@pytest.mark.parametrize("judged", ASSESSMENTS_FORMATS)
def test_every_format_of_assessments_is_drawn(judged: str) -> None:
    world = random_world(random.Random(1), "jsonl", judged)
    assert slow_assessments(judged, assessments_files(world)[1]).topics


def test_every_command_is_drawn() -> None:
    from fuzz.commands import commands_over
    from spanwise.cli.lab import EXPERIMENTS
    from spanwise.cli.main import COMMANDS

    drawn, judging = set(), set()
    for seed in range(60):
        source = random.Random(seed)
        found = made(source, random_world(source), documents=True)
        commands = [one.arguments for one in commands_over(source, found)]
        drawn |= {words[:2] for words in commands}
        judging |= {words for words in commands if words[0] == "assess"}
    served = {"browse"}
    ending = {"--progress", "--export", "--import", "--page", "--recover", "--reanchor"}
    assert ending <= {word for words in judging for word in words}
    assert {*COMMANDS} - {"demo"} - served <= {command for command, _ in drawn}
    assert {*EXPERIMENTS} - {"all"} <= {name for command, name in drawn if command == "lab"}


def test_the_same_seed_gives_the_same_trials() -> None:
    first, second = ([trial(5, number) for number in range(60)] for _ in range(2))
    assert [one.invocation for one in first] == [one.invocation for one in second]
    assert {one.kind.partition(":")[0] for one in first} == {*KINDS}


# -- the twins have an opinion


def test_the_twins_score_most_valid_worlds() -> None:
    sure = 0
    for seed in range(100):
        drawn = scored(random.Random(seed))
        assert isinstance(drawn.check, Twin)
        try:
            sure += len(drawn.check.scores(drawn.invocation.files)) > 0
        except Doubtful:
            continue
    assert sure > 80


@pytest.mark.parametrize(
    ("format", "data"),
    [
        ("trec", b"t1 Q0 d1 1 nan sys\n"),
        ("trec", b"t1 Q0 d1 1 sys\n"),
        ("fol", b"t1 Q0 d1 1 2.0 sys -1 5\n"),
        ("jsonl", b'{"topic": "t", "document": "d", "start": 5, "end": 5}\n'),
        ("jsonl", b'{"topic": "t", "document": "d", "from": 0, "to": 5}\n'),
        ("jsonl", b'{"topic": "t", "topic": "u", "document": "d"}\n'),
        ("csv", b"topic,document,start\nt,d,5\n"),
        ("inex", b"<x/>"),
    ],
)
def test_the_reading_twin_refuses_runs(format: str, data: bytes) -> None:
    with pytest.raises(Refused):
        slow_runs(format, data)


@pytest.mark.parametrize(
    ("format", "data"),
    [
        ("trec", GOLD + b"t1 0 d1 2\n"),
        ("fol", b"t1 Q0 d1 5 100 -1 0:6\n"),
        ("jsonl", b'{"topic": "t", "document": "d"}\n'),
        ("csv", b"topic,document,grade\nt,d,0\nt,d,1\n"),
    ],
)
def test_the_reading_twin_refuses_assessments(format: str, data: bytes) -> None:
    with pytest.raises(Refused):
        slow_assessments(format, {"q": data})


# -- the contract notices


def _ended(code: int = 0, out: bytes = b"", err: bytes = b"", **more: object) -> Ended:
    return Ended(code, out, err, dict(EVALUATE.files), **more)  # type: ignore[arg-type]


def _row(value: str, measure: str = "AP") -> bytes:
    named = f'"run": "s", "measure": "{measure}", "canonical": "{measure}", "topic": "all"'
    return f'{{{named}, "value": {value}}}\n'.encode()


@pytest.mark.parametrize(
    "ended",
    [
        _ended(70, err=b"something broke\n"),
        _ended(-6),
        _ended(2),
        _ended(2, b"AP 0.5\n", b"a message\n"),
        _ended(2, err=b"one\ntwo\n"),
        _ended(2, err=b"r:1: found 'NoneType' object, expected x; do y\n"),
        _ended(2, err="r:1: found \u202e, expected x; do y\n".encode()),
        _ended(2, err=b"x" * 5000),
        _ended(0, _row("NaN")),
        _ended(0, _row("1.5")),
        _ended(0, _row("-0.1")),
        _ended(0, _row("0.5", "XY")),
        _ended(0, _row("0.5"), b"r.py:3: RuntimeWarning: x\n"),
        _ended(0, _row("0.5"), warned=("divide by zero",)),
        _ended(0, broke="traceback"),
        Ended(0, _row("0.5"), b"", {"q": b"another", "r": ANSWERS}),
        Ended(2, b"", b"a message\n", {**EVALUATE.files, "r.tmp": b""}),
    ],
)
def test_broken_promises_are_noticed(ended: Ended) -> None:
    assert problems_of(EVALUATE, ended) != []


@pytest.mark.parametrize(
    "ended",
    [
        _ended(0, _row("0.5"), b"note: 3 answers have tied scores\n"),
        _ended(2, err=b"r:1: found 5 columns, expected 6; fix the line\n"),
        _ended(2, err=b"Usage: spanwise evaluate\nTry 'spanwise -h'.\n\nError: No such option.\n"),
    ],
)
def test_kept_promises_are_not_reported(ended: Ended) -> None:
    assert problems_of(EVALUATE, ended) == []


def test_both_ways_to_run_end_alike() -> None:
    for invocation in (EVALUATE, EVALUATE.with_file("r", b"\xff"), EVALUATE.calling("evaluate")):
        here, apart = run(invocation), run(invocation, apart=True)
        assert (here.code, here.out, here.files) == (apart.code, apart.out, apart.files)
        assert here.err == apart.err


def test_a_finding_is_made_small() -> None:
    def check(invocation: Invocation) -> list:  # type: ignore[type-arg]
        ended = _ended(70) if b"bad" in invocation.files.get("r", b"") else _ended(0)
        return problems_of(EVALUATE, ended)

    large = EVALUATE.with_file("r", b"line\n" * 50 + b"bad line\n" + b"line\n" * 50)
    rule = check(large)[0].rule
    assert len(minimised(large, check, rule).files["r"]) < 12


# -- trials


@pytest.mark.parametrize("kind", sorted(KINDS))
def test_a_few_trials_find_nothing(kind: str) -> None:
    for seed in range(1 if kind == "apart" else 6):
        drawn = KINDS[kind](random.Random(f"quick/{kind}/{seed}"))
        assert drawn.check(drawn.invocation) == []


@pytest.mark.heavy
@pytest.mark.parametrize("relation", sorted({*RELATIONS}, key=lambda each: each.__name__))
def test_relations_hold(relation) -> None:  # type: ignore[no-untyped-def]
    for seed in range(80):
        invocation, check = relation(random.Random(f"{relation.__name__}/{seed}"))
        assert check(invocation) == [], (relation.__name__, seed)


@pytest.mark.heavy
@pytest.mark.parametrize("run_format", RUN_FORMATS)
def test_worlds_score_as_the_twins_do(run_format: str) -> None:
    """Every pair of formats."""
    from fuzz.trials import against_the_twin

    for number in range(60):
        source = random.Random(f"{run_format}/{number}")
        drawn = against_the_twin("scored", source, made(source, random_world(source, run_format)))
        assert drawn.check(drawn.invocation) == []


def test_the_runner_ends_with_1_on_findings_and_writes_them(tmp_path: Path) -> None:
    """A gate that is never open: without a case it is not green either."""
    words = [sys.executable, str(RUNNER), "--seconds", "30", "--jobs", "1", "--to", str(tmp_path)]
    none = subprocess.run([*words, "--trials", "0"], capture_output=True, text=True, check=False)
    assert (none.returncode, "no case was run" in none.stdout) == (1, True)
    few = subprocess.run([*words, "--trials", "2"], capture_output=True, text=True, check=False)
    assert "2 cases in" in few.stdout
