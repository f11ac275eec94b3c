"""The examples of a page are executed: what it shows is what happens.

A fenced block with a file name (```` ```jsonl highlights.jsonl ````) makes that file; ``console``
blocks run every ``$`` line and must print what stands below it; ``python`` blocks run in order, and
``output`` blocks are what they print.
"""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

from command import run_command

PROJECT = Path(__file__).parents[1]
ADAPTER_PAGES = [
    PROJECT / "docs" / f"{name}.md" for name in ("langchain", "llamaindex", "haystack", "chonkie")
]
"""They need packages of others: tests/adapters executes them."""
BLOCK = re.compile(r"^```(\w+)[ \t]*([^\n]*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def blocks(page: Path) -> list[tuple[str, str, str]]:
    return BLOCK.findall(page.read_text(encoding="utf-8"))


def commands(block: str) -> Iterator[tuple[str, str]]:
    for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
        command, _, expected = part.partition("\n")
        yield command, expected


def run(command: str, folder: Path) -> str:
    name, *arguments = shlex.split(command)
    assert name == "spanwise", f"only spanwise is shown, not {name}"
    done = run_command(arguments, folder, variables={"COLUMNS": "100"})
    return done.err + done.out


def run_script(script: str, folder: Path, variables: Mapping[str, str]) -> str:
    result = subprocess.run(
        [sys.executable, "-c", script],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
        env={"PATH": "", "COLUMNS": "100", "PYTHONPATH": str(PROJECT / "src"), **variables},
    )
    assert result.returncode == 0, result.stderr
    return result.stdout


def write(file: Path, content: str) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(content, encoding="utf-8")


def write_files(page: Path, folder: Path) -> None:
    """The files that a page shows, and nothing else of it."""
    for _, file, content in blocks(page):
        if file:
            write(folder / file, content)


def trimmed(text: str) -> str:
    return "\n".join(line.rstrip() for line in text.strip().splitlines())


def try_examples(page: Path, folder: Path, variables: Mapping[str, str] = {}) -> None:
    """Execute a page in a folder; its Python sees these variables, too."""
    script, printed = "", ""
    for language, file, content in blocks(page):
        if language == "console":
            for command, expected in commands(content):
                assert trimmed(run(command, folder)) == trimmed(expected), command
        elif language == "python" and not file:
            script += content
        elif language == "output":
            printed += content
        elif file:
            write(folder / file, content)
    if script:
        output = run_script(script, folder, variables)
        assert not printed or trimmed(output) == trimmed(printed)
