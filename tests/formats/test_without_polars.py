"""Without polars everything but Parquet, polars frames and Arrow streams works."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

BLOCKED = "import sys\nsys.modules['polars'] = None\n"
"""As far as imports go, polars is not installed."""
FILES = {
    "run.jsonl": '{"topic": "q", "document": "d", "start": 0, "end": 5, "score": 1}\n',
    "run.csv": "topic,document,start,end,score\nq,d,0,5,1\n",
    "run.tsv": "topic\tdocument\tstart\tend\tscore\nq\td\t0\t5\t1\n",
    "run.trec": "q Q0 d 1 1.0 run\n",
    "run.msmarco": "q d 1\n",
    "run.fol": "q Q0 d 1 1.0 run 0 5\n",
    "run.element": "q Q0 d 1 1.0 run /a[1]\n",
    "run.xml": '<inex-submission run-id="run"><topic topic-id="q"><result><file>d</file>'
    '<fol offset="0" length="5"/></result></topic></inex-submission>',
}
OBJECTS = {
    "a dictionary": "{'q': [('d', 0, 5, 1.0)]}",
    "records": "[{'topic': 'q', 'document': 'd', 'start': 0, 'end': 5}]",
    "pandas": "__import__('pandas').DataFrame("
    "{'topic': ['q'], 'document': ['d'], 'start': [0], 'end': [5]})",
    "Arrow": "__import__('pyarrow').table("
    "{'topic': ['q'], 'document': ['d'], 'start': [0], 'end': [5]})",
}
SENTENCE = "needs polars; install it with: pip install 'spanwise[frames]'"


def python(code: str, folder: Path) -> str:
    """What a program prints, without polars."""
    source = str(Path(__file__).parents[2] / "src")
    done = subprocess.run(
        [sys.executable, "-c", BLOCKED + code],
        cwd=folder,
        env={"PATH": "", "PYTHONPATH": source},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_files_are_read_and_converted(tmp_path):
    for name, content in FILES.items():
        (tmp_path / name).write_text(content)
    code = f"""
from spanwise.formats.reading import read_run
from spanwise.formats.conversion import Target
for name in {list(FILES)}:
    (run,) = read_run(name)
    assert run.documents.strings() == ['d'], name
    Target('jsonl').content([run])
print('done')
"""
    assert python(code, tmp_path) == "done\n"


def test_objects_in_memory_are_read(tmp_path):
    code = "from spanwise.formats.memory import run_from\n" + "".join(
        f"assert run_from({data})[0].end.tolist() == [5], {name!r}\n"
        for name, data in OBJECTS.items()
    )
    assert python(code + "print('done')", tmp_path) == "done\n"


def test_runs_are_scored(tmp_path):
    code = """
import spanwise
scores = spanwise.evaluate({'q': {'d': [(0, 5)]}}, {'q': [('d', 0, 5, 1.0)]}, ['textR'])
print(scores)
"""
    assert "1.0" in python(code, tmp_path)


@pytest.mark.parametrize(
    "code",
    [
        "from spanwise.formats.reading import read_run; read_run('run.parquet')",
        "from spanwise.formats.reading import role_of; from spanwise.formats.source import"
        " Source; role_of(Source('run.parquet'))",
        "from spanwise.formats.conversion import Target; from spanwise.data.run import Run;"
        " Target('parquet').content([Run.of('r', ['q'], ['d'])])",
        "import spanwise; spanwise.evaluate({'q': {'d': [(0, 5)]}}, {'q': [('d', 0, 5, 1.0)]},"
        " ['textR']).to_polars()",
    ],
)
def test_what_needs_polars_says_so(code, tmp_path):
    (tmp_path / "run.parquet").write_bytes(b"PAR1")
    program = f"""
from spanwise.errors import SpanwiseError
try:
    exec({code!r})
except SpanwiseError as problem:
    print(problem)
"""
    assert SENTENCE in python(program, tmp_path)
