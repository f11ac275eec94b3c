"""Commands are tried as users give them, most of them in this process."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from command import Finished, command_line, environment, run_command

Command = Callable[..., Finished]


@pytest.fixture
def spanwise(tmp_path: Path) -> Command:
    """Run a command in an empty folder."""

    def run(
        *arguments: object, stdin: str | bytes | None = None, folder: Path = tmp_path, **env: str
    ) -> Finished:
        given = stdin.encode() if isinstance(stdin, str) else stdin
        return run_command([str(each) for each in arguments], folder, given or b"", env)

    return run


@pytest.fixture
def program(tmp_path: Path) -> Command:
    """Run a command in an empty folder and in a process of its own."""

    def run(
        *arguments: object, stdin: str | bytes | None = None, folder: Path = tmp_path, **env: str
    ) -> Finished:
        given = stdin.encode() if isinstance(stdin, str) else stdin
        done = subprocess.run(
            command_line(*arguments),
            input=given or b"",
            capture_output=True,
            cwd=folder,
            env=environment(**env),
            timeout=120,
            check=False,
        )
        return Finished(done.returncode, done.stdout.decode(), done.stderr.decode())

    return run


@pytest.fixture
def start(tmp_path: Path) -> Callable[..., subprocess.Popen[bytes]]:
    """Start a command without waiting for it."""

    def run(*arguments: object, **options: Any) -> subprocess.Popen[bytes]:
        return subprocess.Popen(
            command_line(*arguments), cwd=tmp_path, env=environment(TERM="xterm"), **options
        )

    return run


ASSESSMENTS = """\
t1 Q0 d1 100 1000 0 0:100
t1 Q0 d2 50 1000 10 10:50
t2 Q0 d3 20 500 5 5:20
"""
RUN = """\
t1 Q0 d1 1 2.0 first 0 100
t1 Q0 d2 2 1.0 first 10 100
t2 Q0 d3 1 1.0 first 0 40
"""
OTHER_RUN = """\
t1 Q0 d2 1 2.0 second 10 50
t1 Q0 d9 2 1.0 second 0 100
t2 Q0 d3 1 1.0 second 5 20
"""
JUDGEMENTS = "t1 0 d1 1\nt1 0 d2 0\nt2 0 d3 2\n"
DOCUMENTS = "t1 Q0 d1 1 2.0 whole\nt1 Q0 d2 2 1.0 whole\nt2 Q0 d3 1 1.0 whole\n"


@pytest.fixture
def files(tmp_path: Path) -> Path:
    """A folder with assessments and runs."""
    contents = {
        "qrels.txt": ASSESSMENTS,
        "first.fol": RUN,
        "second.fol": OTHER_RUN,
        "judgements.txt": JUDGEMENTS,
        "documents.txt": DOCUMENTS,
    }
    for name, content in contents.items():
        (tmp_path / name).write_text(content)
    return tmp_path
