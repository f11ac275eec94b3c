"""An evaluation can be followed from its words to its table: it passes through few modules."""

import json
import subprocess
import sys

import pytest

from spanwise.native import core

MOST = 47
"""Modules whose functions run between the command line and the table of its simplest use."""
JUDGED = [
    f"q{topic} Q0 d{number} 40 200 {number} {number}:40" for topic in (1, 2) for number in (1, 2)
]
ANSWERS = [
    f"{topic} Q0 {document} {rank} {9 - rank}.5 bm25 {rank} 30"
    for topic in ("q1", "q3")
    for rank, document in enumerate(("d1", "d7", "d2", "d1"), start=1)
]
PROGRAM = """
import json, sys, threading

walked = {}

def is_imported(frame):
    while frame is not None:
        if frame.f_code.co_filename.startswith("<frozen importlib"):
            return True
        frame = frame.f_back
    return False

def look(frame, event, argument):
    code, module = frame.f_code, frame.f_globals.get("__name__", "")
    # What runs while a module is imported, such as the body of a class, is no station.
    if event == "call" and code.co_flags & 1 and module.startswith("spanwise"):
        if not is_imported(frame):
            walked.setdefault(module, set()).add(code.co_qualname)

from spanwise.cli.process import start
threading.setprofile(look)
sys.setprofile(look)
try:
    start()
except SystemExit as ended:
    code = ended.code
finally:
    sys.setprofile(None)
print(json.dumps({"code": code, "walked": {name: sorted(walked[name]) for name in sorted(walked)}}))
"""


def walk_of(*words):
    """The table of a command, and the modules whose functions ran, with these functions."""
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, *words], capture_output=True, text=True, check=True
    )
    *shown, last = done.stdout.splitlines()
    told = json.loads(last)
    assert told["code"] == 0, done.stderr
    return shown, told["walked"]


@pytest.mark.skipif(core is None, reason="without the native core, its twins are visited too")
def test_an_evaluation_passes_through_few_modules(tmp_path):
    judged, run = tmp_path / "qrels.txt", tmp_path / "bm25.fol"
    judged.write_text("".join(f"{line}\n" for line in JUDGED))
    run.write_text("".join(f"{line}\n" for line in ANSWERS))
    shown, walked = walk_of("evaluate", str(judged), str(run), "-m", "AgP", "--jobs", "1")
    assert shown[0] == "run      AgP"
    for station in (
        "cli.evaluate",
        "inputs.session",
        "evaluation.align",
        "measures.documents.sets",
    ):
        assert f"spanwise.{station}" in walked
    listed = "\n".join(f"{name}: {', '.join(found)}" for name, found in walked.items())
    assert len(walked) <= MOST, f"{len(walked)} modules instead of {MOST}:\n{listed}"
