"""README and docs are executed: what they show is what happens."""

from __future__ import annotations

import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from command import run_command
from page_examples import ADAPTER_PAGES, PROJECT, blocks, commands, run, try_examples, write_files
from spanwise.statistics.caveats import FALSE_ALARMS, OBSERVED_DIRECTION, level_text

PAGES = [
    PROJECT / "README.md",
    PROJECT / "CONTRIBUTING.md",
    *sorted(page for page in (PROJECT / "docs").glob("*.md") if page not in ADAPTER_PAGES),
]
RUNNABLE = ("console", "python")


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_examples_do_what_they_show(page: Path, tmp_path: Path) -> None:
    try_examples(page, tmp_path)


def test_the_figures_of_simulations_are_those_that_the_output_quotes() -> None:
    page = (PROJECT / "docs" / "compare.md").read_text(encoding="utf-8")
    for topics, measured in FALSE_ALARMS.items():
        assert f"| {topics} | {' | '.join(map(level_text, measured))} |" in page
    assert f"(measured {' to '.join(map(level_text, OBSERVED_DIRECTION))} for .05)" in page


def test_the_workflow_runs(tmp_path: Path) -> None:
    """Its own commands, on the files of the page, with the variables that a build has."""
    write_files(PROJECT / "docs" / "ci.md", tmp_path)
    found = blocks(PROJECT / "docs" / "ci.md")
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
