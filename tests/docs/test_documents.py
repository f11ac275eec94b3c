"""README and docs are executed: what they show is what happens.

A fenced block with a file name (```` ```jsonl highlights.jsonl ````) makes that file; ``console``
blocks run every ``$`` line and must print what stands below it; ``python`` blocks run in order, and
``output`` blocks are what they print.
"""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from command import run_command
from spanwise.statistics.caveats import FALSE_ALARMS, OBSERVED_DIRECTION, level_text

PROJECT = Path(__file__).parents[2]
PAGES = [
    PROJECT / "README.md",
    PROJECT / "CONTRIBUTING.md",
    *sorted((PROJECT / "docs").glob("*.md")),
]
BLOCK = re.compile(r"^```(\w+)[ \t]*([^\n]*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
RUNNABLE = ("console", "python")


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
    return done.out + done.err


def run_script(script: str, folder: Path) -> str:
    result = subprocess.run(
        [sys.executable, "-c", script],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
        env={"PATH": "", "COLUMNS": "100", "PYTHONPATH": str(PROJECT / "src")},
    )
    assert result.returncode == 0, result.stderr
    return result.stdout


def trimmed(text: str) -> str:
    return "\n".join(line.rstrip() for line in text.strip().splitlines())


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_examples_do_what_they_show(page: Path, tmp_path: Path) -> None:
    script, printed = "", ""
    for language, file, content in blocks(page):
        if language == "console":
            for command, expected in commands(content):
                assert trimmed(run(command, tmp_path)) == trimmed(expected), command
        elif language == "python" and not file:
            script += content
        elif language == "output":
            printed += content
        elif file:
            (tmp_path / file).parent.mkdir(parents=True, exist_ok=True)
            (tmp_path / file).write_text(content, encoding="utf-8")
    if script:
        output = run_script(script, tmp_path)
        assert not printed or trimmed(output) == trimmed(printed)


def test_the_figures_of_simulations_are_those_that_the_output_quotes() -> None:
    page = (PROJECT / "docs" / "compare.md").read_text(encoding="utf-8")
    for topics, measured in FALSE_ALARMS.items():
        assert f"| {topics} | {' | '.join(map(level_text, measured))} |" in page
    assert f"(measured {' to '.join(map(level_text, OBSERVED_DIRECTION))} for .05)" in page


def test_the_workflow_runs(tmp_path: Path) -> None:
    """Its own commands, on the files of the page, with the variables that a build has."""
    found = blocks(PROJECT / "docs" / "ci.md")
    for _, file, content in found:
        if file:
            (tmp_path / file).parent.mkdir(parents=True, exist_ok=True)
            (tmp_path / file).write_text(content, encoding="utf-8")
    first = next(content for language, _, content in found if language == "console")
    run(next(commands(first))[0], tmp_path)
    workflow = next(content for language, _, content in found if language == "yaml")
    lines = [line.strip() for line in workflow.splitlines() if line.strip().startswith("spanwise ")]
    known = {"$GITHUB_STEP_SUMMARY": "summary.md", "$GITHUB_SHA": "0123abc"}
    for line in lines:
        for name, value in known.items():
            line = line.replace(name, value)
        _, *arguments = shlex.split(line)
        done = run_command(arguments, tmp_path)
        assert done.code == (1 if arguments[0] == "gate" else 0), done.err
    assert {"summary.md", "gate.xml", "history.jsonl", "report.html"} <= {
        file.name for file in tmp_path.iterdir()
    }


def test_the_front_page_has_examples_that_run() -> None:
    languages = [language for language, _, _ in blocks(PROJECT / "README.md")]
    assert all(language in languages for language in RUNNABLE)


def test_the_generated_pages_are_what_the_code_says() -> None:
    script = PROJECT / "scripts" / "reference.py"
    result = subprocess.run(
        [sys.executable, script, "--check"], capture_output=True, text=True, check=False
    )
    assert result.returncode == 0, result.stderr
